"""Findings: lint a plan, the facts of its data, and its finished run.

In: a built plan (`plans.build.Built`), and where they are known the profiles of the data, the ledger's past and the
run's result. Out: a `LintReport` (`engine.lint`), which `render_text` and `render_json` show, and repairs (`fix`).
A new rule is one function in the file of its family in `rules/`; its decorator says what it needs and its docstring is
its page. `case` and `facts` hold what a rule may read, `misfit` and `reach` what several rules compute from it.
"""
