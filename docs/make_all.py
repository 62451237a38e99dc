"""Makes every generated file of the repository again: python docs/make_all.py

Each maker runs in a process of its own, in this order, because the later ones read what the earlier ones have made.
Not among them: docs/peers.md (`python -m tests.peers.make_table`), which needs the other programs installed; the
outcomes of the studies, which need long runs; and outputs on pages (`python docs/run_blocks.py PAGE`), to be looked at.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAKERS = {
    "evalang/catalogue/estimators.json": ("-m", "tests.catalogue.make_estimators"),
    "evalang/catalogue/boosters.json": ("-m", "tests.catalogue.make_boosters"),
    "docs/schema/plan.schema.json": ("docs/schema/make_plan_schema.py",),
    "docs: cards, rules, glossary, references": ("docs/make_reference.py",),
    "tests/findings/messages.json": ("-m", "tests.findings.make_messages"),
    "docs/confusion/forgiving.md": ("-m", "tests.findings.make_forgiving"),
}


def main() -> None:
    """Stops at the first maker that fails."""
    for made, command in MAKERS.items():
        print(made, flush=True)
        subprocess.run([sys.executable, *command], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
