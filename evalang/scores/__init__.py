"""From predictions to scores.

The input is the stored trials. The output is score tables, which `verdicts` uses, and the scores in a result. Change
`metrics` for a metric, `row_values` for what tests on rows compare, `cell_scores` for how a trial is scored,
`score_table` for another form of the scores, and `records` and `export` for what is stored of them. Existing
results are read in `data`.
"""
