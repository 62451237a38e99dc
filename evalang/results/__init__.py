"""Records of results: what a test returns, what a verdict says, what the trials gave, and the result of a whole run.

Verdicts and scores come in from the packages that compute them; `run_result.RunResult` goes out to rules and reports,
and to a file and back by `run_result.dumps` and `loads`. Everything is a frozen dataclass of plain Python numbers. A
new number is a field in `records` with a default, so that older files can be read; `numbers` writes numbers for people,
and `leaderboard` ranks learners by the verdicts on their pairs.
"""
