"""Compares sentences that somebody wrote from pictures alone with the results behind the pictures.

    python -m tests.reports.compare_sentences SENTENCES RESULTS

SENTENCES has lines `NN better: A > B; open: A ? B` (either part may be missing): who is said to be better than whom,
and which pair is said to be open. RESULTS holds NN.json, the result.json of each report. A pair counts as said rightly
where the headline of the report says the same.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from evalang.reports.headline import headlines
from evalang.results.run_result import loads

_LINE = re.compile(r"(?P<report>\S+)\s+(?P<rest>.*)")
_PAIR = re.compile(r"(?P<first>[\w.-]+)\s*(?P<sign>[>?])\s*(?P<second>[\w.-]+)")


def wrong(line: str, folder: Path) -> list[str]:
    """What a line says that the result does not."""
    found = _LINE.match(line)
    if found is None:
        return [f"{line!r} cannot be read"]
    path = folder / f"{found['report']}.json"
    told = headlines(loads(path.read_text(), str(path)))
    better = {pair for one in told for pair in one.better}
    open_ = {frozenset(pair) for one in told for pair in one.open}
    said = []
    for first, sign, second in _PAIR.findall(found["rest"]):
        right = (first, second) in better if sign == ">" else frozenset((first, second)) in open_
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
