"""Datasets and results that exist already, read within limits, and facts about them.

In: a `Source` of the plan (a file, a database, OpenML, a value passed in Python, another tool's logs) and an `Access`,
which says what may be read. Out: `load.load` returns a typed `Table`, `load.read` a frame, `tools.read_scores` a long
table of scores, `given_results` and `given_predictions` what a user has already, and `profile.profile` the facts that
the linter checks. A new kind of source is a reader function and its row in catalogue/sources.py; what a column's values
are is decided in columns.py, what a column is for in roles.py.
"""
