"""How often a whole procedure is wrong: it is run from its script, and what it prints is held to the truth."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import stats

import evalang as ev
from evalang.errors import EvalangError
from evalang.reports import terminal
from evalang.reports.assemble import document
from evalang.reports.document import Block, Details, ReportTable, Section

from .printed import Printed, read
from .situations import Situation

LIMIT = 0.06
MEASURES = ("wrong verdict", "interval misses the truth", "wrong claim")


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Of so many runs (or intervals), how many were wrong."""

    situation: str
    measure: str
    runs: int = 0
    wrong: int = 0

    @property
    def rate(self) -> float:
        return self.wrong / self.runs if self.runs else 0.0

    @property
    def error(self) -> float:
        """The standard error of the rate."""
        return float(np.sqrt(self.rate * (1 - self.rate) / self.runs)) if self.runs else 0.0

    def above(self, limit: float = LIMIT) -> bool:
        """Whether the rate lies above the limit by more than chance would bring in one of a thousand simulations."""
        return self.runs > 0 and float(stats.binom.sf(self.wrong - 1, self.runs, limit)) < 0.001


def whole(result: ev.Result) -> str:
    """The words of the report as `evalang report --full` prints them: the headline and every sentence behind it."""
    made = document(result.run)
    return terminal.render(replace(made, blocks=_words(made.blocks)), full=True)


def _words(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Without the tables, whose setting takes a fifth of a run."""
    kept = (b for b in blocks if not isinstance(b, ReportTable))
    return tuple(replace(b, blocks=_words(b.blocks)) if isinstance(b, Section | Details) else b for b in kept)


def printed(situation: Situation, run: int, folder: Path) -> Printed:
    """What one run printed."""
    return read(whole(ran(situation, run, folder)))


def ran(situation: Situation, run: int, folder: Path) -> ev.Result:
    """One draw, run from the script's text. A refusal is an error here, never a silent zero.

    Trials run in this process, which is quicker than starting one for each of thousands of runs, and no look is
    counted: each run is the first of its data.
    """
    seed = zlib.crc32(f"{situation.drawn_as or situation.name}/{run}".encode())
    handed = situation.draw(np.random.default_rng(seed), folder)
    script = folder / "script.eval"
    script.write_text(situation.script.replace("SEED", str(seed % 100_000)))
    try:
        return ev.run(script, dict(handed), jobs=0, ledger=False)
    except EvalangError as error:
        found = "; ".join(f"{f.code} {f.message}" for f in getattr(error, "findings", ()) or ())
        raise AssertionError(f"{situation.name}: {error} {found}") from error


def wrongs(situation: Situation, said: Printed) -> dict[str, tuple[int, int]]:
    """Per measure (of how many, wrong): verdicts and claims by run, for a family counts as one; intervals each."""
    score = situation.scores
    assert len(said.sentences) >= situation.pairs, f"{situation.name}: {len(said.sentences)} sentences"
    assert not any(s.undecided for s in said.sentences), f"{situation.name}: {said.sentences[0].text}"
    assert bool(said.estimates) == bool(situation.accuracy), f"{situation.name}: {len(said.estimates)} estimates"
    bad = any(_untrue(score[s.pair[0]] - score[s.pair[1]], s.better, s.pair, s.differ) for s in said.sentences)
    bad |= any(said.omnibus) and len(set(score.values())) == 1
    shown = [s for s in said.sentences if s.interval is not None]
    beside = [(s.together, not _inside(score[s.pair[0]] - score[s.pair[1]], s.interval)) for s in shown if s.interval]
    family = [miss for together, miss in beside if together]  # these promise to hold all at once
    missed = sum(miss for together, miss in beside if not together) + any(family)
    if situation.accuracy is not None:
        missed += sum(not _inside(situation.accuracy(), interval) for _, interval in said.estimates)
    opposite = {True: "contradicted", False: "supported"}  # by whether the claim is true
    untrue = any(status == opposite[text in situation.true_claims] for status, text in said.claims)
    return {
        "wrong verdict": (min(len(said.sentences), 1), int(bad)),
        "interval misses the truth": (len(shown) - len(family) + bool(family) + len(said.estimates), missed),
        "wrong claim": (1 if said.claims else 0, int(untrue)),
    }


def _untrue(difference: float, better: str | None, pair: tuple[str, str], differ: bool) -> bool:
    if difference == 0:
        return differ
    return better is not None and better != (pair[0] if difference > 0 else pair[1])


def _inside(truth: float, interval: tuple[float, float]) -> bool:
    """Whether the interval holds the truth; as printed, so an end that shows the truth touches it."""
    return interval[0] - 1e-9 <= truth <= interval[1] + 1e-9


def measure(situation: Situation, runs: Iterable[int], folder: Path) -> list[Count]:
    """The counts over these runs."""
    return counted(situation, (printed(situation, run, folder) for run in runs))


def counted(situation: Situation, said: Iterable[Printed]) -> list[Count]:
    """The counts over what was printed."""
    counts = {m: Count(situation=situation.name, measure=m) for m in MEASURES}
    for one in said:
        for name, (of, wrong) in wrongs(situation, one).items():
            counts[name] = replace(counts[name], runs=counts[name].runs + of, wrong=counts[name].wrong + wrong)
    return [c for c in counts.values() if c.runs]
