"""Runs the fits of a plan and stores their predictions.

The input is a plan and its tables. The output is an `Outcome`: a run folder whose SQLite store has one row per trial
(one fit on one fold), with predictions, tuned settings, times and failures. Nothing is scored here. `expand` makes
tasks from the plan, and `run` gives them to this process, to worker processes (`pool`, `worker`) or to dask (`dask`).
Each of these calls `task.run_task`. For a new scheme change `splits`; for a new kind of learner `learners` and
`prepare`; for another part of the training rows `splits`, `expand` and `task`; for what a trial stores `trial` and
`store`. The keys (`expand`, `identity`, `own_code`, `trial`) decide what is run again: give them a new version when
they change.
"""
