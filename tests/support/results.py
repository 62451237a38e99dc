"""Results made by hand from fixed scores: nothing is fitted, every number is written here or computed from it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import fsum, sqrt
from random import Random
from typing import Any

from evalang.language.text import Finding, Subject
from evalang.plans.model import (
    Claim,
    Comparison,
    Correction,
    Dataset,
    Family,
    Given,
    Learner,
    Metric,
    Part,
    Plan,
    Scheme,
    Source,
    Step,
    Suite,
    Test,
    Tuning,
)
from evalang.results.records import (
    Aggregate,
    Baseline,
    ClaimOutcome,
    Curve,
    DatasetFacts,
    Effect,
    Estimate,
    Improvement,
    Interval,
    LearnerScore,
    MissingScore,
    PartitionResult,
    PerformanceProfile,
    Posterior,
    Power,
    Ranking,
    Runs,
    ScoreRow,
    Scores,
    TestResult,
    Tried,
    Verdict,
)
from evalang.results.run_result import RunResult

# Accuracies of ten folds, written by hand: (dataset, learner) -> scores.
FOLDS = {
    ("heart", "tree"): (0.74, 0.81, 0.70, 0.78, 0.74, 0.81, 0.67, 0.78, 0.70, 0.77),
    ("heart", "naive-bayes"): (0.85, 0.81, 0.81, 0.89, 0.78, 0.85, 0.81, 0.85, 0.78, 0.87),
    ("diabetes", "tree"): (0.70, 0.73, 0.69, 0.74, 0.71, 0.75, 0.68, 0.72, 0.70, 0.73),
    ("diabetes", "naive-bayes"): (0.74, 0.71, 0.73, 0.76, 0.70, 0.78, 0.71, 0.73, 0.75, 0.69),
    ("iris", "tree"): (0.93, 1.00, 0.93, 0.93, 0.87, 0.93, 1.00, 0.93, 0.93, 1.00),
    ("iris", "naive-bayes"): (0.93, 0.93, 1.00, 0.93, 0.87, 0.93, 1.00, 1.00, 0.93, 0.93),
}
ROWS = {"heart": 270, "diabetes": 768, "iris": 150}
PAIR = ("tree", "naive-bayes")
ACCURACY = (Metric("accuracy"),)


def mean(values: tuple[float, ...]) -> float:
    return fsum(values) / len(values)


def spread(values: tuple[float, ...]) -> float:
    middle = mean(values)
    return sqrt(fsum((v - middle) ** 2 for v in values) / (len(values) - 1))


def learner(name: str, **more: Any) -> Learner:
    return Learner(name, (Step("decision-tree" if name == "tree" else name, "learner"),), **more)


def comparison(name: str, learners: tuple[str, ...], datasets: tuple[str, ...], **more: Any) -> Comparison:
    given: dict[str, Any] = {"alpha": Given(0.05), "question": 8, "pairs": 1, "fits": 60, **more}
    return Comparison(name, learners, "datasets", datasets, **given)


def interval(low: float, high: float, method: str = "t") -> Interval:
    return Interval(low=low, high=high, level=0.95, method=method)


def result(test: str, difference: float | None, p: float | None, half: float = 0.02, **more: Any) -> TestResult:
    """A test of ten folds, its interval reaching `half` to either side; t and dz are on the side of the difference."""
    side = -1 if difference is not None and difference < 0 else 1
    given: dict[str, Any] = {
        "statistic": 2.5 * side,
        "statistic_name": "t",
        "df": (9.0,),
        "alternative": "two-sided",
        "interval": None if difference is None else interval(difference - half, difference + half, test),
        "effect": Effect(name="Cohen's dz", value=0.79 * side),
        "n_units": 10,
        "unit": "fold",
        "method": "t with 9 degrees of freedom",
    }
    counts = {"wins": 1, "ties": 2, "losses": 7}
    return TestResult(test=test, difference=difference, pvalue=p, **{**given, **counts, **more})


def verdict(name: str, dataset: str | None, learners: tuple[str, ...], test: TestResult | None, **more: Any) -> Verdict:
    """A verdict in accuracy that settles nothing, unless more is said."""
    given: dict[str, Any] = {
        "metric": "accuracy",
        "adjusted_p": None,
        "family": name,
        "decision": "not-settled",
        **more,
    }
    return Verdict(comparison=name, dataset=dataset, learners=learners, test=test, alpha=0.05, **given)


def pair_verdict(dataset: str, metric: str, p: float, adjusted: float, **more: Any) -> Verdict:
    """Naive-bayes against tree; brier is written as 1 - accuracy, so that low is good."""
    folds = {n: FOLDS[dataset, n] for n in PAIR}
    if metric == "brier":
        folds = {n: tuple(1 - v for v in scores) for n, scores in folds.items()}
    difference = mean(folds["tree"]) - mean(folds["naive-bayes"])
    better = "first-better" if (difference > 0) == (metric != "brier") else "second-better"
    given: dict[str, Any] = {
        "comparison": "trees-or-bayes",
        "learners": PAIR,
        "test": result("corrected-t", difference, p),
        "alpha": 0.05,
        "family": "trees-or-bayes on datasets",
        "family_size": 6,
        "correction": "holm",
        "decision": better if adjusted <= 0.05 else "not-settled",
        "scores": tuple(LearnerScore(learner=n, mean=mean(s), spread=spread(s), n=10) for n, s in folds.items()),
        "adjusted_p": adjusted,
        **more,
    }
    return Verdict(dataset=dataset, metric=metric, **given)


def fold_rows(name: str = "trees-or-bayes") -> list[ScoreRow]:
    return [
        ScoreRow(name, who, dataset, 0, fold, 0, metric, score if metric == "accuracy" else 1 - score, 200, 22)
        for (dataset, who), scores in FOLDS.items()
        for fold, score in enumerate(scores)
        for metric in ("accuracy", "brier")
    ]


SCRIPT = """\
# which of the two, on three well-known sets
learner tree is decision-tree, tune max_depth in {2, 4, 8}
compare tree vs naive-bayes on heart, diabetes, iris
  using 10cv, tune on 20%
  measuring accuracy, brier
  holm over datasets, metrics
  rope 1 point, seed 20
  as trees-or-bayes
claim naive-bayes better than tree on heart according to trees-or-bayes
"""


def pair() -> RunResult:
    """Two learners on three datasets in two metrics, one where low is good."""
    over = ("datasets", "metrics")
    design = comparison(
        "trees-or-bayes",
        PAIR,
        tuple(ROWS),
        scheme=Scheme("cv", folds=10, text="10cv"),
        tests=(Test("corrected-t", origin="derived", reason="the folds share training rows"),),
        metrics=(Metric("accuracy"), Metric("brier")),
        tuning=Given(Tuning("part", part=Part(fraction=0.2))),
        correction=Correction("holm", over),
        seed=Given(20),
        rope=Given(0.01),
        named=True,
    )
    text = "naive-bayes better than tree on heart"
    claim = Claim("claim-1", "naive-bayes", "better", "tree", within=None, datasets=("heart",), text=text)
    name, counts = "trees-or-bayes on datasets", (("datasets", 3), ("metrics", 2))
    family = Family(name, ("trees-or-bayes",), "dataset", "holm", over, 0.05, 6, 1, 0.05 / 6, counts)
    plan = Plan(
        1,
        "study.eval",
        datasets=tuple(
            Dataset(
                n,
                Source("builtin", n),
                rows=r,
                classes=2 if n != "iris" else 3,
                because="the sets of the earlier study",
                bundled=True,
            )
            for n, r in ROWS.items()
        ),
        learners=(learner("tree", candidates=3), learner("naive-bayes", implicit=True)),
        comparisons=(design,),
        claims=(claim,),
        families=(family,),
    )
    ps = {
        "heart": (0.0004, 0.0024, "matters"),
        "diabetes": (0.21, 0.42, "cannot-tell"),
        "iris": (1.0, 1.0, "cannot-tell"),
    }
    more: dict[tuple[str, str], dict[str, Any]] = {
        ("diabetes", "accuracy"): {"power": Power(difference=0.01, power=0.18)},
        ("iris", "brier"): {"unmet": ("The ten folds of iris have 15 rows each, fewer than the 30 that the t needs.",)},
    }
    verdicts = tuple(
        pair_verdict(dataset, metric, p, adjusted, matters=matters, rope=0.01, **more.get((dataset, metric), {}))
        for metric in ("accuracy", "brier")
        for dataset, (p, adjusted, matters) in ps.items()
    )
    warning = Finding(
        code="EV301",
        name="one-partition",
        level="warning",
        message="trees-or-bayes rests on one partition of the rows.",
        help="Write `using 10x10cv`.",
        subject=Subject("trees-or-bayes"),
    )
    message = "heart is a shared repository set."
    allowed = Finding(code="EV102", name="well-worn-data", level="note", message=message, help="")
    reason = "naive-bayes is better on heart, adjusted p = 0.002."
    return RunResult(
        plan=plan,
        verdicts=verdicts,
        claims=(ClaimOutcome(claim="claim-1", status="supported", reason=reason, verdicts=verdicts[:1]),),
        findings=(warning,),
        passed=("EV101", "EV201"),
        not_applicable=(("EV106", "no groups column is declared"),),
        allowed=((allowed, "the point is the method"),),
        scores=Scores.of(fold_rows()),
        facts=tuple(DatasetFacts(name=n, rows=r, features=8, classes=2) for n, r in ROWS.items()),
        environment=(("python", "3.11.7"), ("scikit-learn", "1.9.1"), ("numpy", "2.4.6")),
        sources=(("study.eval", SCRIPT),),
        started="2026-11-16T06:00:00Z",
        finished="2026-11-16T06:01:00Z",
        trials=60,
    )


# Demsar 2006, table 6 in shape only: mean ranks made from scores written here.
MANY = {
    "svm": (0.88, 0.79, 0.94, 0.71, 0.83, 0.90, 0.77, 0.85, 0.92, 0.69),
    "forest": (0.87, 0.80, 0.95, 0.70, 0.84, 0.91, 0.78, 0.84, 0.93, 0.70),
    "tree": (0.81, 0.72, 0.90, 0.66, 0.77, 0.85, 0.70, 0.79, 0.88, 0.64),
    "majority": (0.56, 0.65, 0.33, 0.50, 0.60, 0.70, 0.55, 0.51, 0.62, 0.48),
}
SETS = tuple(f"set-{i}" for i in range(1, 11))


def mean_ranks(scores: dict[str, tuple[float, ...]]) -> dict[str, float]:
    columns = list(zip(*scores.values(), strict=True))
    return {
        name: sum(
            sum(v > mine for v in c) + (sum(v == mine for v in c) + 1) / 2 for c, mine in zip(columns, own, strict=True)
        )
        / len(columns)
        for name, own in scores.items()
    }


def many() -> RunResult:
    """Four learners on ten datasets, with mean ranks and nemenyi's critical difference."""
    names, ranks = tuple(MANY), mean_ranks(MANY)
    critical = 2.569 * sqrt(4 * 5 / (6 * 10))  # Demsar 2006, table 5(a): q of four learners at 0.05 is 2.569
    common: dict[str, Any] = {"family": "league over datasets", "question": 9, "datasets": SETS}
    f_test = result("iman-davenport", None, 1e-20, unit="dataset", ranks=tuple(ranks.values()), statistic_name="F",
                    df=(3.0, 27.0), effect=None)  # fmt: skip
    verdicts = [verdict("league", None, names, f_test, adjusted_p=1e-20, decision="differ", **common)]
    joined = []
    for pair in combinations(names, 2):
        first, second = pair
        near = abs(ranks[first] - ranks[second]) <= critical
        joined += [(first, second)] if near else []
        better = "first-better" if ranks[first] < ranks[second] else "second-better"
        p = 0.4 if near else 0.003
        difference, gap = mean(MANY[first]) - mean(MANY[second]), ranks[first] - ranks[second]
        wins, losses = (sum(a > b for a, b in zip(MANY[x], MANY[y], strict=True)) for x, y in (pair, pair[::-1]))
        test = result(
            "nemenyi",
            difference,
            p,
            abs(difference) + 0.016 if near else 0.02,
            unit="dataset",
            statistic=gap / sqrt(4 * 5 / (6 * 10)),
            statistic_name="z of mean ranks",
            df=(),
            effect=Effect(name="difference of mean ranks", value=gap),
            ranks=(ranks[first], ranks[second]),
            wins=wins,
            losses=losses,
            ties=10 - wins - losses,
        )
        verdicts.append(
            verdict(
                "league",
                None,
                pair,
                test,
                adjusted_p=p,
                family_size=6,
                correction="nemenyi",
                decision="not-settled" if near else better,
                posthoc=True,
                **common,
            )
        )
    rows = [ScoreRow("league", n, d, 0, 0, 0, "accuracy", s) for n in names for d, s in zip(SETS, MANY[n], strict=True)]
    design = comparison("league", names, SETS, suites=("ten",), question=9, pairs=6, metrics=ACCURACY, all_pairs=True,
                        over=(Test("iman-davenport"), Test("nemenyi")))  # fmt: skip
    plan = Plan(
        1,
        "league.eval",
        suites=(Suite("ten", SETS, because="every set of the collection with 200 rows or more"),),
        learners=tuple(learner(n, implicit=True) for n in names),
        comparisons=(design,),
    )
    ranking = Ranking(
        comparison="league",
        metric="accuracy",
        learners=names,
        ranks=tuple(ranks.values()),
        n_datasets=10,
        critical_difference=critical,
        test="nemenyi",
        joined=tuple(joined),
    )
    return RunResult(plan=plan, verdicts=tuple(verdicts), rankings=(ranking,), scores=Scores.of(rows))


def rich() -> RunResult:
    """The pair with everything else a run can hold: partitions, curves, candidates, failures, posterior, estimate."""
    name, dice, base = "trees-or-bayes", Random(7), pair()
    partitions = [
        PartitionResult(
            comparison=name,
            dataset=dataset,
            metric="accuracy",
            learners=PAIR,
            partition=i,
            statistic=(t := centre + dice.gauss(0, 1)),
            pvalue=min(1.0, 2.0 * 0.5 ** (abs(t) + 1)),
        )
        for dataset, centre in (("heart", -3.5), ("diabetes", -0.8), ("iris", 0.0))
        for i in range(55)
    ]
    curves = []

    def curve(kind: Any, who: str, x: tuple[float, ...], y: tuple[float, ...], **more: Any) -> None:
        curves.append(Curve(kind=kind, comparison=name, learner=who, dataset="heart", x=x, y=y, **more))

    for who, power in (("tree", 0.5), ("naive-bayes", 0.3)):
        x = tuple(i / 20 for i in range(21))
        for fold in range(10):
            bend = power * dice.uniform(0.8, 1.2)
            curve("roc", who, x, tuple(v**bend for v in x), fold=fold)
            curve("precision-recall", who, x, tuple(1 - 0.45 * v ** (1 / bend) for v in x), fold=fold)
        x = tuple((i + 0.5) / 10 for i in range(10))
        rows = tuple(float(20 + i) for i in range(10))
        for calibrated in (False, True):
            y = tuple(v if calibrated else min(1.0, max(0.0, 0.5 + (v - 0.5) * (1 + power))) for v in x)
            curve("reliability", who, x, y, weight=rows, calibrated=calibrated)
    candidates = [
        Tried(
            comparison=name,
            learner="tree",
            dataset="heart",
            partition=0,
            fold=fold,
            metric="accuracy",
            setting=(("max_depth", depth),),
            score=0.7 + 0.02 * depth - 0.0016 * depth**2 + 0.005 * fold,
            chosen=depth == (8 if fold > 6 else 4),
        )
        for fold in range(10)
        for depth in (2, 4, 8, 16)
    ]
    posterior = Posterior(p_left=0.71, p_rope=0.21, p_right=0.08, rope=0.01)
    test = result("bayes-correlated-t", -0.02, None, posterior=posterior)
    bayesian: dict[str, Any] = {"test": test, "adjusted_p": None, "decision": "not-settled", "comparison": "bayes"}
    verdicts = tuple(pair_verdict(d, "accuracy", 0.5, 0.5, **bayesian) for d in ("heart", "diabetes"))
    sizes = [
        ScoreRow("sizes", who, "letters", 0, i, 0, "accuracy", top - drop / size**0.5 + 0.003 * i, size, 500)
        for who, top, drop in (("tree", 0.85, 2.0), ("naive-bayes", 0.72, 0.8))
        for size in (50, 100, 200, 400)
        for i in range(3)
    ]
    more = (
        comparison("bayes", PAIR, ("heart", "diabetes"), metrics=ACCURACY),
        comparison("sizes", PAIR, ("letters",), question=7, metrics=ACCURACY),
        comparison("alone", ("tree",), ("heart",), question=6, estimate=True, metrics=ACCURACY),
    )
    estimate = Estimate(
        comparison="alone",
        learner="tree",
        dataset="heart",
        metric="accuracy",
        score=0.75,
        interval=interval(0.712, 0.788, "corrected t"),
        method="t with 9 degrees of freedom, variance corrected for overlap",
        n_units=10,
        unit="fold",
    )
    place: dict[str, Any] = {"comparison": "sizes", "learner": "tree", "dataset": "letters", "partition": 0}
    return replace(
        base,
        plan=replace(base.plan, comparisons=(*base.plan.comparisons, *more)),
        verdicts=(*base.verdicts, *verdicts),
        estimates=(estimate,),
        partitions=tuple(partitions),
        curves=tuple(curves),
        candidates=tuple(candidates),
        failures=tuple(MissingScore(**place, fold=i, kind="timeout", message="60 s over") for i in range(2)),
        scores=Scores.of([*fold_rows(), *sizes]),
    )


def bayes() -> RunResult:
    """svm and tree over ten datasets by bayes-signed-rank, tree and naive-bayes on heart by bayes-correlated-t."""
    import numpy as np

    from evalang.verdicts.decide import decide
    from evalang.verdicts.tests.bayes_tests import bayes_correlated_t, bayes_signed_rank

    over = bayes_signed_rank(MANY["svm"], MANY["tree"], rope=0.058, rng=np.random.default_rng(3))
    on = bayes_correlated_t(FOLDS["heart", "tree"], FOLDS["heart", "naive-bayes"], rope=0.02, rho=0.1)
    gaps = tuple(a - b for a, b in zip(MANY["svm"], MANY["tree"], strict=True))
    verdicts = (
        verdict("over", None, ("svm", "tree"), over, family="", datasets=SETS, differences=gaps),
        verdict("on", "heart", PAIR, on, family=""),
    )
    designs = (
        comparison("over", ("svm", "tree"), SETS, question=9, metrics=ACCURACY),
        comparison("on", PAIR, ("heart",), metrics=ACCURACY),
    )
    base = many()
    rows = [row._replace(comparison="over") for row in base.scores.rows() if row.learner in ("svm", "tree")]
    decided = (replace(v, decision=decide(v.test, None, 0.05, 1)) for v in verdicts if v.test is not None)
    return RunResult(plan=replace(base.plan, comparisons=designs), verdicts=tuple(decided), scores=Scores.of(rows))


def seeded() -> RunResult:
    """The four learners again, with what four runs on each of five tasks say."""
    scores = tuple(i / 10 for i in range(11))
    profiles, aggregates = [], []
    for k, who in enumerate(MANY):
        shares = tuple(max(0.0, 1.0 - s - k / 20) for s in scores)
        low, high = (tuple(min(1.0, max(0.0, s + side)) for s in shares) for side in (-0.1, 0.1))
        profiles.append(PerformanceProfile(learner=who, scores=scores, shares=shares, low=low, high=high))
        spread = interval(0.4 - k / 20, 0.6 - k / 20)
        aggregates.append(Aggregate(learner=who, name="iqm", value=0.5 - k / 20, interval=spread))
    shares_won = (
        (0.9, 0.76, 0.97),
        (0.8, 0.6, 0.9),
        (0.5, 0.3, 0.7),
        (0.1, 0.02, 0.2),
        (0.3, 0.2, 0.45),
        (0.45, 0.1, 0.8),
    )
    improvements = tuple(
        Improvement(first=a, second=b, probability=p, interval=interval(low, high, "z"), tasks=5)
        for (a, b), (p, low, high) in zip(combinations(MANY, 2), shares_won, strict=True)
    )
    found = Runs(
        comparison="league",
        metric="accuracy",
        aggregates=tuple(aggregates),
        improvements=improvements,
        profiles=tuple(profiles),
        runs=4,
        tasks=5,
        needed=35,
    )
    return replace(many(), runs=(found,))


def league_with_metrics() -> RunResult:
    """The four learners again, in three metrics with baselines: what a heat map of normalised scores needs."""
    base = many()
    labels = ("accuracy", "roc-area", "brier")
    zero = {"accuracy": 0.5, "roc-area": 0.5, "brier": 0.25}
    rows = [
        ScoreRow("league", who, dataset, 0, 0, 0, metric, own[i] if metric != "brier" else 0.3 * (1 - own[i]))
        for metric in labels
        for i, dataset in enumerate(SETS)
        for who, own in MANY.items()
    ]
    baselines = tuple(Baseline(comparison="league", dataset=d, metric=m, score=zero[m]) for m in labels for d in SETS)
    design = replace(base.plan.comparisons[0], metrics=tuple(Metric(m) for m in labels))
    plan = replace(base.plan, comparisons=(design,))
    return replace(base, plan=plan, scores=Scores.of(rows), baselines=baselines)


NINE = (
    *("accuracy", "f-score", "lift", "roc-area", "average-precision", "break-even"),
    *("root-brier", "cross-entropy", "cal"),
)


def large(
    learners: int, datasets: int, metrics: int, pairs_on_datasets: bool = True, control: bool = False
) -> RunResult:
    """As many as asked, scores from a fixed die; p-values are any numbers, nothing is claimed about them."""
    dice = Random(11)
    names = tuple(f"learner-{i}" for i in range(learners))
    sets = tuple(f"set-{i}" for i in range(datasets))
    labels = NINE[:metrics]
    score = {(m, d, n): dice.uniform(0.5, 1.0) for m in labels for d in sets for n in names}
    rows = [ScoreRow("big", n, d, 0, 0, 0, m, s) for (m, d, n), s in score.items()]
    verdicts: list[Verdict] = []
    rankings = []
    for metric in labels:
        by_name = {n: tuple(score[metric, d, n] for d in sets) for n in names}
        ranks = mean_ranks(by_name) if learners <= 50 else {n: 1.0 + i for i, n in enumerate(names)}
        joined = []
        for first, second in [(names[0], n) for n in names[1:]] if control else combinations(names, 2):
            p = dice.random()
            joined += [(first, second)] if p > 0.05 else []
            for dataset in (*(sets if pairs_on_datasets else ()), None):
                gap = score[metric, dataset, first] - score[metric, dataset, second] if dataset else 0.01
                verdicts.append(
                    verdict(
                        "big",
                        dataset,
                        (first, second),
                        result("wilcoxon", gap, p, unit="dataset" if dataset is None else "fold"),
                        metric=metric,
                        adjusted_p=p,
                        family_size=learners * (learners - 1) // 2,
                        correction="holm",
                        decision="not-settled" if p > 0.05 else "first-better",
                        question=9 if dataset is None else 8,
                        datasets=sets if dataset is None else (),
                    )
                )
        rankings.append(
            Ranking(
                comparison="big",
                metric=metric,
                learners=names,
                ranks=tuple(map(float, ranks.values())),
                n_datasets=datasets,
                test="wilcoxon",
                joined=tuple(joined),
            )
        )
    design = comparison(
        "big",
        names,
        sets,
        question=9,
        metrics=tuple(Metric(m) for m in labels),
        all_pairs=not control,
        control=names[0] if control else None,
    )
    return RunResult(
        plan=Plan(1, "big.eval", comparisons=(design,), learners=tuple(learner(n, implicit=True) for n in names)),
        verdicts=tuple(verdicts),
        rankings=tuple(rankings),
        scores=Scores.of(rows),
        baselines=tuple(Baseline(comparison="big", dataset=d, metric=m, score=0.4) for d in sets for m in labels),
    )
