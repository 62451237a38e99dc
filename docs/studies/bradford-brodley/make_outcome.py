"""The outcome of a finished run of full.eval as small tables, so that the page builds without running anything.

    python docs/studies/bradford-brodley/make_outcome.py RUN_FOLDER

Writes into outcome/: turned.csv (how many conclusions of single partitions turn), counts.csv (the paper's Table 3),
averaged.csv (its Tables 1 and 2), figure1.svg to figure4.svg, verdicts.csv, scores.csv.gz and about.json.
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections import defaultdict
from math import fsum
from pathlib import Path

from scipy import special

from evalang.api import load_result
from evalang.reports.figures.choose import figure
from evalang.reports.figures.picture import svg_file
from evalang.reports.frames import about, tables
from evalang.results.records import Verdict
from evalang.results.run_result import RunResult

HERE = Path(__file__).parent
OUTCOME = HERE / "outcome"
LEVEL = 0.05
SCHEMES = {"tenfold": "10cv", "halves": "5x2cv"}
FREEDOM = {"tenfold": 9, "halves": 5}  # of the t of one partition
FIGURES = (("tenfold", "tddt-2"), ("tenfold", "bayes"), ("halves", "tddt-2"), ("halves", "bayes"))  # the paper's 1 to 4
Key = tuple[str, str, str]  # comparison, dataset, the learner that tddt-1 is compared with


def plain(dataset: str) -> str:
    """The name in the paper: bundled names are taken, so three of the sets have uci- before theirs."""
    return dataset.removeprefix("uci-")


def counts(judgement: RunResult) -> dict[Key, list[int]]:
    """Of the single partitions: the other learner better, no difference, tddt-1 better (the order of Table 3)."""
    found: dict[Key, list[int]] = defaultdict(lambda: [0, 0, 0])
    for one in judgement.partitions:
        if one.pvalue is None:
            continue
        ahead = (one.statistic or 0.0) > 0.0
        place = 1 if one.pvalue > LEVEL else 2 if ahead else 0
        found[one.comparison, one.dataset, one.learners[1]][place] += 1
    return dict(found)


def mean_t(judgement: RunResult, verdict: Verdict) -> tuple[float, float, int]:
    """(mean t, its p, partitions) before any correction.

    A partition whose folds all differ alike has no t, and evalang leaves such a case undecided. The paper has a value
    for every case, so here the mean is over the partitions that have one.
    """
    if verdict.test is not None and verdict.test.pvalue is not None:
        return verdict.test.statistic or 0.0, verdict.test.pvalue, verdict.test.n_units
    here = (verdict.comparison, verdict.dataset, verdict.learners)
    found = [
        one.statistic
        for one in judgement.partitions
        if (one.comparison, one.dataset, one.learners) == here and one.statistic is not None
    ]
    t = fsum(found) / len(found)
    return t, float(2.0 * special.stdtr(FREEDOM[verdict.comparison], -abs(t))), len(found)


def conclusion(t: float, p: float) -> int:
    """The place of Table 3 that the mean t points to."""
    if p > LEVEL:
        return 1
    return 2 if t > 0.0 else 0


def write(name: str, heads: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    """A table with `\\n` line ends, so that it is the same everywhere."""
    with open(OUTCOME / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(rows)


def main(folder: Path) -> None:
    """Read the run and write the tables."""
    judgement = load_result(folder)
    OUTCOME.mkdir(exist_ok=True)
    found = counts(judgement)
    verdicts = {(v.comparison, v.dataset or "", v.learners[1]): v for v in judgement.verdicts if v.pair}
    means = {case: mean_t(judgement, verdict) for case, verdict in verdicts.items()}
    with open(HERE / "paper-turned.csv", encoding="utf-8", newline="") as file:
        paper = {(r["dataset"], r["other"]): r for r in csv.DictReader(file)}
    turned: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for (comparison, dataset, other), places in found.items():
        kept = places[conclusion(*means[comparison, dataset, other][:2])]
        turned[plain(dataset), other][SCHEMES[comparison]] = 1.0 - kept / sum(places)
    rows: list[tuple[object, ...]] = []
    for (dataset, other), shares in turned.items():
        said = paper.get((dataset, other), {})
        printed = (said.get("paper-10cv", ""), said.get("paper-5x2cv", ""))
        rows.append((f"{dataset} {other}", f"{shares['10cv']:.6f}", printed[0], f"{shares['5x2cv']:.6f}", printed[1]))
    write("turned.csv", ("case", "ours-10cv", "paper-10cv", "ours-5x2cv", "paper-5x2cv"), rows)
    write(
        "counts.csv",
        ("scheme", "dataset", "other", "other_better", "no_difference", "tddt_1_better"),
        [(SCHEMES[c], plain(d), o, *places) for (c, d, o), places in found.items()],
    )
    write(
        "averaged.csv",
        ("scheme", "dataset", "other", "tddt_1", "other_accuracy", "mean_t", "p", "partitions"),
        [(SCHEMES[c], plain(d), o, *(s.mean for s in v.scores), *means[c, d, o]) for (c, d, o), v in verdicts.items()],
    )
    for number, (comparison, other) in enumerate(FIGURES, start=1):
        drawn = figure(judgement, "partition-values", comparison=comparison, learners=("tddt-1", other))
        (OUTCOME / f"figure{number}.svg").write_text(svg_file(drawn), encoding="utf-8")
    for name, text in {**tables(judgement), "about.json": about(judgement)}.items():
        plain_ends = text.replace("\r\n", "\n").encode()
        if name == "scores.csv":
            (OUTCOME / "scores.csv.gz").write_bytes(gzip.compress(plain_ends, mtime=0))
        else:
            (OUTCOME / name).write_bytes(plain_ends)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
