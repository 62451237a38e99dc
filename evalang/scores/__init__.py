"""From predictions to scores.

Trials in their store, or given files of results and predictions, come in; score tables, from which `verdicts` makes
evidence, and the records of scores in a result go out. Touch `metrics` for a metric, `row_values` for what tests on
rows compare, `cell_scores` for how a trial is scored, `score_table` for a new view of the scores, `records` and
`export` for what is kept of them, `given_*` for the forms of tables that are read, `samples` for several samples of
an item.
"""
