"""Layer 8: scores become test results, test results become verdicts.

Others use `compute.compute` and its `shapes`, `analysis.analyse`.
"""
