"""Scores become test results, test results become verdicts.

In comes the plan with the evidence of each comparison (from trials, result tables or predictions), out come verdicts,
estimates, rankings and answers to claims. `judge` is the stage as a whole: `planned_tests` runs every test of the plan,
`correct` corrects families, `decide` and `claims` turn p-values and intervals into decisions.
From evidence to number: `compute.TESTS` leads from a test's name to its function in `tests/` and to the functions of
`shapes` that take its numbers from the evidence; `apply` calls them. For a new test touch that package and that
table; for a new kind of evidence add a shape; for other decision rules touch `decide` and `claims`. `arithmetic` holds
what the tests share, `simulation` the studies of type I error and power.
"""
