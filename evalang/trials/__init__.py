"""Runs the fits of a plan and stores their predictions.

In come a plan and its tables, out comes an `Outcome`: a run folder whose SQLite store holds one row per trial (one fit
on one fold), with predictions, tuned settings, times and failures; nothing is scored here. `run` takes the tasks that
`expand` makes of the plan to an executor: this process or worker processes (`pool`, `worker`), or dask
(`dask`). Each of them calls `task.run_task`. For a new scheme touch `splits`; for a new kind of learner `learners` and
`prepare`; for another part of the training rows `splits`, `expand` and `task`; for what a trial records `trial` and
`store`. Keys (`expand`, `identity`, `own_code`, `trial`) decide what is run again: change them only with a version.
"""
