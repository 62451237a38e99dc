"""From predictions to scores.

Trials in their store come in; score tables, from which `verdicts` makes
evidence, and the records of scores in a result go out. Touch `metrics` for a metric, `row_values` for what tests on
rows compare, `cell_scores` for how a trial is scored, `score_table` for a new view of the scores, `records` and
`export` for what is kept of them, `samples` for several samples of an item. Given results are read in `data`.
"""
