"""The dataclasses of results: of a test, a verdict, the fits, and a whole run.

The packages that compute verdicts and scores create them. `run_result.RunResult` goes to rules and reports, and
`run_result.dumps` and `loads` convert it to text and back. All values are plain Python numbers in frozen dataclasses.
To add a number, add a field with a default to `records`, so that older files can still be read. `numbers` formats
numbers for people, and `leaderboard` ranks learners by the verdicts on their pairs.
"""
