"""From scores to test results, and from test results to verdicts.

The input is the plan and the evidence of each comparison (from trials, tables of results, or predictions). The output
is verdicts, estimates, rankings and answers to claims. `judge` is the whole stage: `planned_tests` runs every test of
the plan, `correct` corrects families, and `decide` and `claims` turn p-values and intervals into decisions.
`apply.TESTS` has one row per test: its function in `tests/`, and the functions of `shapes` that take its numbers
from the evidence, which `apply` calls. For a new test change `tests/` and this table; for a new kind of evidence add a
shape; for other decision rules change `decide` and `claims`. `arithmetic` has what the tests share, and `simulation`
the simulations of type I error and power.
"""
