"""The outcome of a finished run of full.eval in the form of the paper's Tables 2 and 3.

    python docs/studies/caruana/make_outcome.py RUN_FOLDER

Writes into outcome/: table2.csv and table3.csv (normalised scores, the paper's mean in the last column), accuracy.csv,
roc-area.csv and cross-entropy.csv (means by problem, for the tests of outcome.eval and families.eval), gains.csv (what
calibration does to each family), table2.svg, boosted-trees.svg, summary.csv, baselines.csv, verdicts.csv, scores.csv.gz
and about.json.

Scores are normalised for each problem and metric: 0 is predicting the share of positives (for CAL the mean of the
learners), 1 the best learner's mean over trials. In table2.csv a `‡` marks the best of a column; a `*` stands where the
paper's test, a paired t over the five trials at .05, does not tell a learner from it; a `†` where only that test
corrected by Holm over all tests of the table does not (the correction that the paper's note 2 leaves out).
"""

from __future__ import annotations

import csv
import gzip
import re
import sys
from collections import defaultdict
from math import fsum
from pathlib import Path

from scipy import stats

from evalang.api import load_result
from evalang.reports.figures.choose import figure
from evalang.reports.figures.picture import svg_file
from evalang.reports.frames import about, tables
from evalang.results.run_result import RunResult
from evalang.scores.metrics import normalise
from evalang.verdicts.correct import adjust
from evalang.verdicts.tests.t_tests import paired_t

HERE = Path(__file__).parent
OUTCOME = HERE / "outcome"
LEVEL = 0.05
METRICS = {
    "accuracy": "ACC",
    "f-score": "FSC",
    "lift": "LFT",
    "roc-area": "ROC",
    "average-precision": "APR",
    "break-even": "BEP",
    "root-brier": "RMS",
    "cross-entropy": "MXE",
    "cal": "CAL",
}
PROBLEMS = {
    "covtype": "COVT",
    "adult": "ADULT",
    "letter-p1": "LTR.P1",
    "letter-p2": "LTR.P2",
    "low-digits": "DIGITS",
    "damp-soil": "SOIL",
    "nursery": "NURSERY",
}
THEIRS = ("COVT", "ADULT", "LTR.P1", "LTR.P2")
FAMILIES = {
    "bst-dt": "BST-DT",
    "rf": "RF",
    "ann": "ANN",
    "svm-rbf": "SVM",
    "bag-dt": "BAG-DT",
    "k-nn": "KNN",
    "bst-stmp": "BST-STMP",
    "dt": "DT",
    "logreg": "LOGREG",
    "nb": "NB",
}
CALIBRATED = {"": "-", "-platt": "P", "-isotonic": "I"}
LEARNERS = {f + c: (FAMILIES[f], CALIBRATED[c]) for f in FAMILIES for c in CALIBRATED}
Values = dict[tuple[str, str, str], list[float]]  # learner, problem, metric -> by trial


def write(name: str, heads: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    """Into outcome/, with the same line ends everywhere."""
    with open(OUTCOME / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(rows)


def shown(value: float) -> str:
    """As the paper prints it: .914, -1.03."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.3f}".replace("-0.000", "0.000"))


def mean(values: list[float]) -> float:
    """Their mean."""
    return fsum(values) / len(values)


def raw_scores(judgement: RunResult) -> Values:
    """Every score, by trial."""
    found: Values = defaultdict(list)
    for row in judgement.scores.rows():
        assert row.score is not None, row
        found[row.learner, row.dataset, row.metric].append(row.score)
    return dict(found)


def normalised(judgement: RunResult, raw: Values) -> Values:
    """The same on one scale, that of the learners' means over trials, as the heat map has it."""
    zero = {(b.dataset, b.metric): b.score for b in judgement.baselines}
    found: Values = {}
    for problem in PROBLEMS:
        for metric in METRICS:
            means = {x: mean(raw[x, problem, metric]) for x in LEARNERS}
            scaled = dict(zip(means, normalise(metric, list(means.values()), zero[problem, metric]), strict=True))
            low, high = min(means, key=scaled.__getitem__), max(means, key=scaled.__getitem__)
            steep = (scaled[high] - scaled[low]) / (means[high] - means[low])
            for x in LEARNERS:
                scores = raw[x, problem, metric]
                found[x, problem, metric] = [scaled[high] + steep * (score - means[high]) for score in scores]
    return found


def by_trial(values: Values, learner: str, metrics: tuple[str, ...]) -> list[float]:
    """The mean over problems and metrics in each trial."""
    each = [values[learner, problem, metric] for problem in PROBLEMS for metric in metrics]
    return [mean([trials[t] for trials in each]) for t in range(len(each[0]))]


def second(values: Values) -> tuple[list[tuple[object, ...]], dict[str, float], tuple[int, int, int]]:
    """Return table 2 with its marks, the MEAN of each learner, and how many tests find no significant difference."""
    columns = [(metric,) for metric in METRICS] + [tuple(METRICS)]
    scores = {learner: [by_trial(values, learner, c) for c in columns] for learner in LEARNERS}
    tests: dict[tuple[str, int], float | None] = {}
    for place in range(len(columns)):
        best = max(LEARNERS, key=lambda x: mean(scores[x][place]))
        for learner in LEARNERS:
            if learner != best:
                tests[learner, place] = paired_t(scores[best][place], scores[learner][place]).pvalue
    strict = dict(zip(tests, adjust(list(tests.values()), "holm"), strict=True))
    means = {learner: mean(scores[learner][-1]) for learner in LEARNERS}
    rows: list[tuple[object, ...]] = []
    stars = daggers = 0
    for learner in sorted(LEARNERS, key=lambda x: -means[x]):
        cells = []
        for place in range(len(columns)):
            p, adjusted = tests.get((learner, place)), strict.get((learner, place))
            star, dagger = p is not None and p > LEVEL, adjusted is not None and adjusted > LEVEL
            stars, daggers = (
                stars + star,
                daggers + dagger,
            )  # Holm only ever adds to those without a significant difference
            mark = "‡" if p is None else "*" if star else "†" if dagger else ""
            cells.append(f"{shown(mean(scores[learner][place]))}{mark}")
        rows.append((*LEARNERS[learner], *cells))
    return rows, means, (len(tests), stars, daggers)


def main(folder: Path) -> None:
    """Read the run and write the tables."""
    judgement = load_result(folder)
    OUTCOME.mkdir(exist_ok=True)
    raw = raw_scores(judgement)
    values = normalised(judgement, raw)
    printed = {}
    for name in ("paper-table2.csv", "paper-table3.csv"):
        with open(HERE / name, encoding="utf-8", newline="") as file:
            printed[name] = {(r["model"], r["cal"]): r for r in csv.DictReader(file)}
    rows, means, (tests, stars, daggers) = second(values)
    theirs = {who: float(r["MEAN"]) for who, r in printed["paper-table2.csv"].items()}
    write(
        "table2.csv",
        ("model", "C", *METRICS.values(), "MEAN", "paper"),
        [(*row, shown(theirs[str(row[0]), str(row[1])])) for row in rows],
    )
    each = {x: {p: mean([mean(values[x, p, m]) for m in METRICS]) for p in PROBLEMS} for x in LEARNERS}
    write(
        "table3.csv",
        ("model", "C", *PROBLEMS.values(), "MEAN"),
        [
            (*LEARNERS[x], *(shown(each[x][p]) for p in PROBLEMS), shown(means[x]))
            for x in sorted(LEARNERS, key=lambda x: -means[x])
        ],
    )
    for metric in ("accuracy", "roc-area", "cross-entropy"):
        write(
            f"{metric}.csv",
            ("problem", *LEARNERS),
            [(p, *(f"{mean(raw[x, p, metric]):.6f}" for x in LEARNERS)) for p in PROBLEMS],
        )
    gains: list[tuple[object, ...]] = []
    for family, name in FAMILIES.items():
        paper = [theirs[name, c] for c in CALIBRATED.values()]
        ours = [means[family + c] for c in CALIBRATED]
        gains.append((name, *map(shown, ours), *map(shown, paper)))
    heads = ("raw", "Platt", "isotonic")
    write("gains.csv", ("family", *heads, *(f"paper, {h}" for h in heads)), gains)
    order = list(LEARNERS)
    four = {x: mean([each[x][p] for p, name in PROBLEMS.items() if name in THEIRS]) for x in order}
    paper4 = {x: mean([float(printed["paper-table3.csv"][LEARNERS[x]][c].rstrip("*")) for c in THEIRS]) for x in order}
    verdicts = [v for v in judgement.verdicts if v.pair]
    settled = [v for v in verdicts if v.decision in ("first-better", "second-better")]
    write(
        "summary.csv",
        ("what", "value"),
        [
            ("fits", f"{judgement.plan.comparisons[0].fits:,}"),
            ("settings a problem", sum(x.candidates for x in judgement.plan.learners) // len(CALIBRATED)),
            (
                "rank correlation",
                f"{stats.spearmanr([means[x] for x in order], [theirs[LEARNERS[x]] for x in order])[0]:.2f}",
            ),
            (
                "rank correlation on their four",
                f"{stats.spearmanr([four[x] for x in order], [paper4[x] for x in order])[0]:.2f}",
            ),
            ("tests of table 2", tests),
            ("without a significant difference by their test", stars),
            ("without a significant difference after Holm", daggers),
            ("verdicts", f"{len(verdicts):,}"),
            ("settled", len(settled)),
        ],
    )
    write(
        "baselines.csv", ("dataset", "metric", "score"), [(b.dataset, b.metric, b.score) for b in judgement.baselines]
    )
    pictures = {
        "table2": figure(judgement, "normalised"),
        "boosted-trees": figure(
            judgement, "reliability", dataset="letter-p2", learners=tuple("bst-dt" + c for c in CALIBRATED)
        ),
    }
    for name, picture in pictures.items():
        (OUTCOME / f"{name}.svg").write_text(svg_file(picture), encoding="utf-8")
    for name, text in {**tables(judgement), "about.json": about(judgement)}.items():
        plain_ends = text.replace("\r\n", "\n").encode()
        if name == "scores.csv":
            (OUTCOME / "scores.csv.gz").write_bytes(gzip.compress(plain_ends, mtime=0))
        else:
            (OUTCOME / name).write_bytes(plain_ends)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
