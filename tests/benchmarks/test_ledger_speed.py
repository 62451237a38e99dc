"""What the ledger costs, as a share of the run it counts."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest

from evalang.cli.main import run
from evalang.ledger.entries import RunLedger

SCRIPT = (
    'set seed 3\ndataset waves from builtin "waveform" because "5,000 rows"\n'
    "compare random-forest vs decision-tree on waves using 5x2cv\n"
)
MOST = 0.01


def cost() -> float:
    """Seconds of computing by this process and its workers, which do the fitting."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


@pytest.mark.slow
def test_writing_costs_under_one_per_cent_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spent = []

    def timed(name: str) -> None:
        inner = getattr(RunLedger, name)

        def outer(*given: object) -> object:
            begun = time.process_time()
            try:
                return inner(*given)
            finally:
                spent.append(time.process_time() - begun)

        monkeypatch.setattr(RunLedger, name, outer)

    for name in ("open", "record_start", "record_looks"):
        timed(name)
    (tmp_path / "s.eval").write_text(SCRIPT)
    begun = cost()
    assert run(["run", str(tmp_path / "s.eval")]) == 0
    whole = cost() - begun
    assert len(spent) == 3
    assert sum(spent) / whole < MOST, f"{1000 * sum(spent):.1f} ms of {whole:.2f} s"
