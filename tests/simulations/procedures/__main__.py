"""How often whole procedures are wrong, from script text to printed sentence, situation by situation.

    python -m tests.simulations.procedures [RUNS] [WORDS]      RUNS of each situation (200), whose name has the WORDS
    python -m tests.simulations.procedures --fresh [RUNS] [WORDS]    the same, without what is stored

Every situation that is done is stored in docs/studies/levels/outcome/procedures.csv; one that has its runs is not
made again. Ends with code 1 when a rate lies above .06 by more than chance and is not in exceptions.csv.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from .kept import exceptions, keep, stored, unexcused
from .rates import MEASURES, measure
from .situations import situations

arguments = [a for a in sys.argv[1:] if a != "--fresh"]
runs = int(arguments[0]) if arguments else 200
words = " ".join(arguments[1:])
for situation in situations():
    have = stored()
    held = max((have[situation.name, m].runs for m in MEASURES[:1] if (situation.name, m) in have), default=0)
    if words not in situation.name or (held >= runs and "--fresh" not in sys.argv):
        continue
    with tempfile.TemporaryDirectory() as folder:
        try:
            counts = measure(situation, range(runs), Path(folder))
        except AssertionError as error:
            print(f"not measured: {error}", flush=True)
            continue
    keep(counts)
    for c in counts:
        print(f"{c.situation}: {c.measure} {c.rate:.3f} ({c.wrong} of {c.runs})", flush=True)
left = unexcused(stored().values(), exceptions())
print(*left, sep="\n")
sys.exit(bool(left))
