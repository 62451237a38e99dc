"""From a script to its plan: all names resolved, all defaults written out, all families of tests counted.

The input is the text of a script and the values passed from Python. `build.build` returns a `Plan` with the errors
that were found; it opens and runs nothing. `opened_data` adds what the data show, `levels` decides what the columns of
a table of results stand for, `description` writes a plan in words and as JSON, with its fingerprint, and `cost`
computes its power. To add a clause, add a field to `model` and a line to `definitions`, `learners` or `comparison`, and
a line to `description` so that `evalang plan` shows it. To add a default test, add a line to `default_tests`. To add an
error, use `values.PlanErrors` and add an example to tests/plans/errors.txt.
"""
