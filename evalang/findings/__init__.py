"""Lints a plan, the facts of its data, and its finished run.

The input is a built plan (`plans.build.Built`) and, if they are known, the profiles of the data, the earlier tests in
the ledger and the result of the run. `engine.lint` returns a `LintReport`, which `render_text` and `render_json` show,
and `fix` repairs scripts. To add a rule, write one function in a module of `rules/`: its decorator says what the rule
needs, and its docstring is its page. `case` and `facts` contain what a rule may read, and `misfit` and `reach` compute
what several rules need.
"""
