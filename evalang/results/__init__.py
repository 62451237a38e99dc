"""Records of results: what a test returns, what a verdict says, what the trials gave, and the result of a whole run.

They lie below the linter, which reads them at the run stage, and hold plain Python numbers: nothing here needs numpy.

Others use `run_result.RunResult`, `verdict`, `test_result.TestResult`, `archive.dumps` and `loads`.
"""
