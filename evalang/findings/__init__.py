"""Layer 5: plan (and facts of the data, and of the finished run) to findings.

Others use `engine.lint`, `report.LintReport`, `rules.RULES`, `rules.find_rule`.
"""
