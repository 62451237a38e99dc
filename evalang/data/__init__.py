"""Reads datasets and existing results within limits, and computes facts about them.

The input is a `Source` of the plan (a file, a database, OpenML, a value passed in Python, or a log of another tool)
and an `Access`, which says what may be read. `load.load` returns a typed `Table`, `load.read` a data frame, and
`tools.read_scores` a long table of scores. `given_results` and `given_predictions` read existing results. For a table
without a script, `reshape` brings it into a form that is known, and `guess_roles` writes the script; the names of
columns that they know are in score_columns.toml.
`profile.profile` computes the facts that the linter checks. To add a source, write a reader function and add its row
to catalogue/sources.py. `columns` decides the type of a column, and `roles` decides what the column is for.
"""
