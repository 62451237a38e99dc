"""Compares sentences that somebody wrote from pictures alone with the results behind the pictures.

    python -m tests.reports.compare_sentences SENTENCES RESULTS

SENTENCES has lines `NN better: A > B; open: A ? B` (either part may be missing): who is said to be better than whom,
and which pair is said to be open. RESULTS holds NN.json, the result.json of each report. The verdicts are asked, not
the headline: a pair is better where a verdict on the metric that decides (over the datasets, where there is one) says
so, and open where none does. Of pairs without a verdict a picture says nothing, and whoever wrote of them is wrong.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from evalang.results.records import Verdict
from evalang.results.run_result import RunResult, loads

_LINE = re.compile(r"(?P<report>\S+)\s+(?P<rest>.*)")
_PAIR = re.compile(r"(?P<first>[\w.+-]+)\s*(?P<sign>[>?])\s*(?P<second>[\w.+-]+)")


def decided(result: RunResult) -> dict[frozenset[str], set[str]]:
    """For each pair who is better: nobody where it is open, two where datasets or comparisons differ."""
    found: dict[frozenset[str], set[str]] = {}
    for comparison in result.plan.comparisons:
        mine = [v for v in result.verdicts if v.comparison == comparison.name and v.pair]
        metric = comparison.primary or next((m.label for m in comparison.metrics), mine[0].metric if mine else "")
        mine = [v for v in mine if v.metric == metric]
        for verdict in [v for v in mine if v.dataset is None] or mine:
            found.setdefault(frozenset(verdict.learners), set()).update(_better(verdict))
    return found


def _better(verdict: Verdict) -> set[str]:
    place = {"first-better": 0, "second-better": 1}.get(verdict.decision)
    return set() if place is None else {verdict.learners[place]}


def wrong(line: str, folder: Path) -> list[str]:
    """What a line says that the result does not."""
    found = _LINE.match(line)
    if found is None:
        return [f"{line!r} cannot be read"]
    path = folder / f"{found['report']}.json"
    verdicts = decided(loads(path.read_text(), str(path)))
    said = []
    for first, sign, second in _PAIR.findall(found["rest"]):
        better = verdicts.get(frozenset((first, second)))
        right = better is not None and (first in better if sign == ">" else not better)
        said += [] if right else [f"{found['report']}: {first} {sign} {second} is not what the result says"]
    return said


def main(arguments: list[str]) -> int:
    """0 where every pair agrees."""
    sentences, folder = Path(arguments[0]), Path(arguments[1])
    lines = [line for line in sentences.read_text().splitlines() if line.strip() and not line.startswith("#")]
    problems = [problem for line in lines for problem in wrong(line, folder)]
    pairs = sum(len(_PAIR.findall(line)) for line in lines)
    print("\n".join([*problems, f"{len(lines)} lines, {pairs} pairs, {len(problems)} of them not as in the result"]))
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
