"""How often whole procedures are wrong, from script text to printed sentence, situation by situation.

    python -m tests.simulations.procedures [RUNS] [WORDS]            of each situation named with the WORDS so many runs
    python -m tests.simulations.procedures --fresh [RUNS] [WORDS]    the same, without what is stored of them

Without RUNS it is 400, and 4,000 of two equal sets of predictions. Every batch is stored in
docs/studies/levels/outcome/procedures.csv as it is done: the command can be stopped and started. Ends with code 1 when
a rate lies above .06 by more than chance and is not in exceptions.csv.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from .kept import exceptions, forget, held, keep, stored, unexcused
from .rarer import rarer
from .rates import measure
from .situations import situations

BATCH = 50
RUNS, MOST_RUNS = 400, 4000  # set before anything was seen; the second of what is quickest
arguments = [a for a in sys.argv[1:] if a != "--fresh"]
words = " ".join(arguments[1:])
for situation in (*situations(), *rarer()):
    if words not in situation.name:
        continue
    if "--fresh" in sys.argv:
        forget(situation.name)
    usual = MOST_RUNS if situation.name.startswith("predictions, two equal") else RUNS
    runs = int(arguments[0]) if arguments else usual
    while (done := held(situation.name)) < runs:
        with tempfile.TemporaryDirectory() as folder:
            try:
                counts = measure(situation, range(done, min(done + BATCH, runs)), Path(folder))
            except AssertionError as error:
                print(f"not measured: {error}", flush=True)
                break
        keep(counts)
    for c in stored().values():
        if c.situation == situation.name:
            print(f"{c.situation}: {c.measure} {c.rate:.3f} ({c.wrong} of {c.runs})", flush=True)
left = unexcused(stored().values(), exceptions())
print(*left, sep="\n")
sys.exit(bool(left))
