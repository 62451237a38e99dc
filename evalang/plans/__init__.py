"""From a script to its plan: every name resolved, every default written out, every family of tests counted.

In comes the text of a script (and what Python passes beside it), out comes a `Plan` with the errors found on the way:
`build.build`. Nothing is opened or run. `opened_data` adds what the data tell, `description` prints a plan, `cost` says
what it finds and takes, `canonical` gives its JSON and its fingerprint. A new clause is a field in `model` and a line
in `definitions`, `learners` or `comparison`; a new default test is a line in `default_tests`; a new error goes through
`values.PlanErrors`, with an example in tests/plans/errors.txt.
"""
