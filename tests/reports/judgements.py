"""Judgements made by hand from fixed scores: nothing is fitted, every number is written here or reckoned from it."""

from __future__ import annotations

from dataclasses import replace
from dataclasses import replace as replace_record
from itertools import combinations
from math import fsum, sqrt
from random import Random

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

HIGHER = {"accuracy": True, "roc-area": True, "f-score": True, "brier": False, "rmse": False}

# Accuracies of ten folds, written by hand: (dataset, learner) -> scores.
FOLDS = {
    ("heart", "tree"): (0.74, 0.81, 0.70, 0.78, 0.74, 0.81, 0.67, 0.78, 0.70, 0.77),
    ("heart", "naive-bayes"): (0.85, 0.81, 0.81, 0.89, 0.78, 0.85, 0.81, 0.85, 0.78, 0.87),
    ("diabetes", "tree"): (0.70, 0.73, 0.69, 0.74, 0.71, 0.75, 0.68, 0.72, 0.70, 0.73),
    ("diabetes", "naive-bayes"): (0.74, 0.71, 0.73, 0.76, 0.70, 0.78, 0.71, 0.73, 0.75, 0.69),
    ("iris", "tree"): (0.93, 1.00, 0.93, 0.93, 0.87, 0.93, 1.00, 0.93, 0.93, 1.00),
    ("iris", "naive-bayes"): (0.93, 0.93, 1.00, 0.93, 0.87, 0.93, 1.00, 1.00, 0.93, 0.93),
}


def mean(values: tuple[float, ...]) -> float:
    return fsum(values) / len(values)


def spread(values: tuple[float, ...]) -> float:
    middle = mean(values)
    return sqrt(fsum((v - middle) ** 2 for v in values) / (len(values) - 1))


def learner(name: str, **more: object) -> Learner:
    step = "decision-tree" if name == "tree" else name
    return Learner(name, (Step(step, "learner"),), **more)  # type: ignore[arg-type]


def comparison(name: str, learners: tuple[str, ...], datasets: tuple[str, ...], **more: object) -> Comparison:
    given: dict[str, object] = {"alpha": Given(0.05), "question": 8, "pairs": 1, "fits": 60, **more}
    return Comparison(name, learners, "datasets", datasets, **given)  # type: ignore[arg-type]


def result(
    test: str,
    difference: float | None,
    p: float | None,
    half: float = 0.02,
    **more: object,
) -> TestResult:
    given: dict[str, object] = {
        "test": test,
        "statistic": 2.5,
        "statistic_name": "t",
        "pvalue": p,
        "df": (9.0,),
        "alternative": "two-sided",
        "difference": difference,
        "interval": None
        if difference is None
        else Interval(low=difference - half, high=difference + half, level=0.95, method=test),
        "effect": Effect(name="Cohen's dz", value=0.79),
        "wins": 1,
        "ties": 2,
        "losses": 7,
        "n_units": 10,
        "unit": "fold",
        "method": "t with 9 degrees of freedom",
        **more,
    }
    return TestResult(**given)  # type: ignore[arg-type]


def pair_verdict(dataset: str, metric: str, p: float, adjusted: float, **more: object) -> Verdict:
    """Naive-bayes against tree; brier is written as 1 - accuracy, so that low is good."""
    folds = {n: FOLDS[dataset, n] for n in ("tree", "naive-bayes")}
    if metric == "brier":
        folds = {n: tuple(1 - v for v in scores) for n, scores in folds.items()}
    difference = mean(folds["tree"]) - mean(folds["naive-bayes"])
    ahead = (difference > 0) == HIGHER[metric]
    settled = "first-better" if ahead else "second-better"
    given: dict[str, object] = {
        "comparison": "trees-or-bayes",
        "dataset": dataset,
        "metric": metric,
        "learners": ("tree", "naive-bayes"),
        "test": result("corrected-t", difference, p),
        "adjusted_p": adjusted,
        "alpha": 0.05,
        "family": "trees-or-bayes on datasets",
        "family_size": 6,
        "correction": "holm",
        "decision": settled if adjusted <= 0.05 else "not-settled",
        "scores": tuple(LearnerScore(learner=n, mean=mean(s), spread=spread(s), n=10) for n, s in folds.items()),
        **more,
    }
    return Verdict(**given)  # type: ignore[arg-type]


def fold_rows(name: str = "trees-or-bayes") -> list[ScoreRow]:
    rows = []
    for (dataset, who), scores in FOLDS.items():
        for fold, score in enumerate(scores):
            rows.append(ScoreRow(name, who, dataset, 0, fold, 0, "accuracy", score, 200, 22))
            rows.append(ScoreRow(name, who, dataset, 0, fold, 0, "brier", 1 - score, 200, 22))
    return rows


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
    because = "the sets of the earlier study"
    rows = {"heart": 270, "diabetes": 768, "iris": 150}
    datasets = tuple(
        Dataset(n, Source("builtin", n), rows=r, classes=2 if n != "iris" else 3, because=because, bundled=True)
        for n, r in rows.items()
    )
    design = comparison(
        "trees-or-bayes",
        ("tree", "naive-bayes"),
        tuple(rows),
        scheme=Scheme("cv", folds=10, text="10cv"),
        tests=(Test("corrected-t", origin="derived", reason="the folds share training rows"),),
        metrics=(Metric("accuracy"), Metric("brier")),
        tuning=Given(Tuning("part", part=Part(fraction=0.2))),
        correction=Correction("holm", ("datasets", "metrics")),
        seed=Given(20),
        rope=Given(0.01),
        named=True,
    )
    claim = Claim(
        name="claim-1",
        left="naive-bayes",
        relation="better",
        right="tree",
        within=None,
        datasets=("heart",),
        text="naive-bayes better than tree on heart",
    )
    family = Family(
        "trees-or-bayes on datasets",
        ("trees-or-bayes",),
        "dataset",
        "holm",
        ("datasets", "metrics"),
        0.05,
        6,
        1,
        0.05 / 6,
        (("datasets", 3), ("metrics", 2)),
    )
    plan = Plan(
        1,
        "study.eval",
        datasets=datasets,
        learners=(learner("tree", candidates=3), learner("naive-bayes", implicit=True)),
        comparisons=(design,),
        claims=(claim,),
        families=(family,),
    )
    heart = pair_verdict("heart", "accuracy", 0.0004, 0.0024, matters="matters", rope=0.01)
    verdicts = (
        heart,
        pair_verdict(
            "diabetes",
            "accuracy",
            0.21,
            0.42,
            matters="cannot-tell",
            rope=0.01,
            power=Power(difference=0.01, power=0.18),
        ),
        pair_verdict("iris", "accuracy", 1.0, 1.0, matters="cannot-tell", rope=0.01),
        pair_verdict("heart", "brier", 0.0004, 0.0024, matters="matters", rope=0.01),
        pair_verdict("diabetes", "brier", 0.21, 0.42, matters="cannot-tell", rope=0.01),
        pair_verdict(
            "iris",
            "brier",
            1.0,
            1.0,
            matters="cannot-tell",
            rope=0.01,
            unmet=("The ten folds of iris have 15 rows each, fewer than the 30 that the t needs.",),
        ),
    )
    warning = Finding(
        code="EV301",
        name="one-partition",
        level="warning",
        message="trees-or-bayes rests on one partition of the rows.",
        help="Write `using 10x10cv`.",
        subject=Subject("trees-or-bayes"),
    )
    allowed = Finding(
        code="EV102", name="well-worn-data", level="note", message="heart is a shared repository set.", help=""
    )
    return RunResult(
        plan=plan,
        verdicts=verdicts,
        claims=(
            ClaimOutcome(
                claim="claim-1",
                status="supported",
                reason="naive-bayes is better on heart, adjusted p = 0.002.",
                verdicts=(heart,),
            ),
        ),
        findings=(warning,),
        passed=("EV101", "EV201"),
        not_applicable=(("EV106", "no groups column is declared"),),
        allowed=((allowed, "the point is the method"),),
        scores=Scores.of(fold_rows()),
        facts=tuple(DatasetFacts(name=n, rows=r, features=8, classes=2) for n, r in rows.items()),
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


def mean_ranks(scores: dict[str, tuple[float, ...]]) -> dict[str, float]:
    totals = dict.fromkeys(scores, 0.0)
    count = len(next(iter(scores.values())))
    for i in range(count):
        column = {n: s[i] for n, s in scores.items()}
        for name, value in column.items():
            above = sum(v > value for v in column.values())
            equal = sum(v == value for v in column.values())
            totals[name] += above + (equal + 1) / 2
    return {n: total / count for n, total in totals.items()}


def many() -> RunResult:
    """Four learners on ten datasets, with mean ranks and nemenyi's critical difference."""
    names = tuple(MANY)
    sets = tuple(f"set-{i}" for i in range(1, 11))
    ranks = mean_ranks(MANY)
    critical = 2.569 * sqrt(4 * 5 / (6 * 10))  # Demsar 2006, table 5(a): q of four learners at 0.05 is 2.569
    verdicts = [
        Verdict(
            comparison="league",
            dataset=None,
            metric="accuracy",
            learners=names,
            test=result(
                "iman-davenport",
                None,
                1e-20,
                unit="dataset",
                ranks=tuple(ranks.values()),
                statistic_name="F",
                df=(3.0, 27.0),
                effect=None,
            ),
            adjusted_p=1e-20,
            alpha=0.05,
            family="league over datasets",
            decision="differ",
            question=9,
            datasets=sets,
        )
    ]
    joined = []
    for first, second in combinations(names, 2):
        gap = abs(ranks[first] - ranks[second])
        near = gap <= critical
        joined += [(first, second)] if near else []
        better = "first-better" if ranks[first] < ranks[second] else "second-better"
        verdicts.append(
            Verdict(
                comparison="league",
                dataset=None,
                metric="accuracy",
                learners=(first, second),
                test=result("nemenyi", mean(MANY[first]) - mean(MANY[second]), 0.4 if near else 0.003, unit="dataset"),
                adjusted_p=0.4 if near else 0.003,
                alpha=0.05,
                family="league over datasets",
                family_size=6,
                correction="nemenyi",
                decision="not-settled" if near else better,  # type: ignore[arg-type]
                question=9,
                posthoc=True,
                datasets=sets,
            )
        )
    rows = [ScoreRow("league", n, d, 0, 0, 0, "accuracy", s) for n in names for d, s in zip(sets, MANY[n], strict=True)]
    design = comparison(
        "league", names, sets, suites=("ten",), question=9, pairs=6, metrics=(Metric("accuracy"),), all_pairs=True
    )
    plan = Plan(
        1,
        "league.eval",
        suites=(Suite("ten", sets, because="every set of the collection with 200 rows or more"),),
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
    """The pair with everything else a run can hold: partitions, curves, candidates, baselines, failures, posterior."""
    name, dice = "trees-or-bayes", Random(7)
    base = pair()
    partitions = [
        PartitionResult(
            comparison=name,
            dataset=dataset,
            metric="accuracy",
            learners=("tree", "naive-bayes"),
            partition=i,
            statistic=(t := centre + dice.gauss(0, 1)),
            pvalue=min(1.0, 2.0 * 0.5 ** (abs(t) + 1)),
        )
        for dataset, centre in (("heart", -3.5), ("diabetes", -0.8), ("iris", 0.0))
        for i in range(55)
    ]
    curves = []
    for who, power in (("tree", 0.5), ("naive-bayes", 0.3)):
        for fold in range(10):
            bend = power * dice.uniform(0.8, 1.2)
            x = tuple(i / 20 for i in range(21))
            curves.append(
                Curve(
                    kind="roc",
                    comparison=name,
                    learner=who,
                    dataset="heart",
                    x=x,
                    y=tuple(v**bend for v in x),
                    fold=fold,
                )
            )
            y = tuple(1 - 0.45 * v ** (1 / bend) for v in x)
            curves.append(
                Curve(kind="precision-recall", comparison=name, learner=who, dataset="heart", x=x, y=y, fold=fold)
            )
        for calibrated in (False, True):
            x = tuple((i + 0.5) / 10 for i in range(10))
            y = tuple(v if calibrated else min(1.0, max(0.0, 0.5 + (v - 0.5) * (1 + power))) for v in x)
            weight = tuple(float(20 + i) for i in range(10))
            curves.append(
                Curve(
                    kind="reliability",
                    comparison=name,
                    learner=who,
                    dataset="heart",
                    x=x,
                    y=y,
                    weight=weight,
                    calibrated=calibrated,
                )
            )
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
    bayes = tuple(
        pair_verdict(
            dataset,
            "accuracy",
            0.5,
            0.5,
            test=result("bayes-correlated-t", -0.02, None, posterior=posterior),
            adjusted_p=None,
            decision="not-settled",
            comparison="bayes",
        )
        for dataset in ("heart", "diabetes")
    )
    sizes = [
        ScoreRow("sizes", who, "letters", 0, i, 0, "accuracy", top - drop / size**0.5 + 0.003 * i, size, 500)
        for who, top, drop in (("tree", 0.85, 2.0), ("naive-bayes", 0.72, 0.8))
        for size in (50, 100, 200, 400)
        for i in range(3)
    ]
    more = (
        comparison("bayes", ("tree", "naive-bayes"), ("heart", "diabetes"), metrics=(Metric("accuracy"),)),
        comparison("sizes", ("tree", "naive-bayes"), ("letters",), question=7, metrics=(Metric("accuracy"),)),
        comparison("alone", ("tree",), ("heart",), question=6, estimate=True, metrics=(Metric("accuracy"),)),
    )
    estimate = Estimate(
        comparison="alone",
        learner="tree",
        dataset="heart",
        metric="accuracy",
        score=0.75,
        interval=Interval(low=0.712, high=0.788, level=0.95, method="corrected t"),
        method="t with 9 degrees of freedom, variance corrected for overlap",
        n_units=10,
        unit="fold",
    )
    failures = tuple(
        MissingScore(
            comparison="sizes",
            learner="tree",
            dataset="letters",
            partition=0,
            fold=i,
            kind="timeout",
            message="60 s over",
        )
        for i in range(2)
    )
    return replace(
        base,
        plan=replace_record(base.plan, comparisons=(*base.plan.comparisons, *more)),
        verdicts=(*base.verdicts, *bayes),
        estimates=(estimate,),
        partitions=tuple(partitions),
        curves=tuple(curves),
        candidates=tuple(candidates),
        failures=failures,
        scores=Scores.of([*fold_rows(), *sizes]),
    )


def bayes() -> RunResult:
    """svm and tree over ten datasets by bayes-signed-rank, tree and naive-bayes on heart by bayes-correlated-t."""
    import numpy as np

    from evalang.verdicts.decide import decide
    from evalang.verdicts.tests.bayes_tests import bayes_correlated_t, bayes_signed_rank

    base = many()
    sets = base.plan.comparisons[0].datasets
    over = bayes_signed_rank(MANY["svm"], MANY["tree"], rope=0.058, rng=np.random.default_rng(3))
    on = bayes_correlated_t(FOLDS["heart", "tree"], FOLDS["heart", "naive-bayes"], rope=0.02, rho=0.1)
    verdicts = tuple(
        Verdict(
            comparison=name,
            dataset=dataset,
            metric="accuracy",
            learners=learners,
            test=test,
            adjusted_p=None,
            alpha=0.05,
            family="",
            decision=decide(test, None, 0.05, 1),
            datasets=sets if dataset is None else (),
            differences=differences,
        )
        for name, dataset, learners, test, differences in (
            ("over", None, ("svm", "tree"), over, tuple(a - b for a, b in zip(MANY["svm"], MANY["tree"], strict=True))),
            ("on", "heart", ("tree", "naive-bayes"), on, ()),
        )
    )
    designs = (
        comparison("over", ("svm", "tree"), sets, question=9, metrics=(Metric("accuracy"),)),
        comparison("on", ("tree", "naive-bayes"), ("heart",), metrics=(Metric("accuracy"),)),
    )
    rows = [row._replace(comparison="over") for row in base.scores.rows() if row.learner in ("svm", "tree")]
    plan = replace_record(base.plan, comparisons=designs)
    return RunResult(plan=plan, verdicts=verdicts, scores=Scores.of(rows))


def seeded() -> RunResult:
    """The four learners again, with what four runs on each of five tasks say."""
    scores = tuple(i / 10 for i in range(11))
    profiles, aggregates = [], []
    for k, who in enumerate(many().plan.comparisons[0].learners):
        shares = tuple(max(0.0, 1.0 - s - k / 20) for s in scores)
        low, high = (tuple(min(1.0, max(0.0, s + side)) for s in shares) for side in (-0.1, 0.1))
        profiles.append(PerformanceProfile(learner=who, scores=scores, shares=shares, low=low, high=high))
        spread = Interval(low=0.4 - k / 20, high=0.6 - k / 20, level=0.95, method="t")
        aggregates.append(Aggregate(learner=who, name="iqm", value=0.5 - k / 20, interval=spread))
    found = Runs(
        comparison="league",
        metric="accuracy",
        aggregates=tuple(aggregates),
        improvements=tuple(
            Improvement(
                first=a, second=b, probability=p, interval=Interval(low=low, high=high, level=0.95, method="z"), tasks=5
            )
            for (a, b), p, low, high in zip(
                combinations(many().plan.comparisons[0].learners, 2),
                (0.9, 0.8, 0.5, 0.1, 0.3, 0.45),
                (0.76, 0.6, 0.3, 0.02, 0.2, 0.1),
                (0.97, 0.9, 0.7, 0.2, 0.45, 0.8),
                strict=True,
            )
        ),
        profiles=tuple(profiles),
        runs=4,
        tasks=5,
        needed=35,
    )
    return replace(many(), runs=(found,))


def league_with_metrics() -> RunResult:
    """The four learners again, in three metrics with baselines: what a heat map of normalised scores needs."""
    base = many()
    design = base.plan.comparisons[0]
    labels = ("accuracy", "roc-area", "brier")
    sets = design.datasets
    rows, baselines = [], []
    for metric in labels:
        for i, dataset in enumerate(sets):
            baselines.append(
                Baseline(comparison="league", dataset=dataset, metric=metric, score=0.25 if metric == "brier" else 0.5)
            )
            for who in design.learners:
                score = MANY[who][i] if metric != "brier" else 0.3 * (1 - MANY[who][i])
                rows.append(ScoreRow("league", who, dataset, 0, 0, 0, metric, score))
    plan = replace_record(base.plan, comparisons=(replace_record(design, metrics=tuple(Metric(m) for m in labels)),))
    return replace(base, plan=plan, scores=Scores.of(rows), baselines=tuple(baselines))


NINE = (
    "accuracy",
    "f-score",
    "lift",
    "roc-area",
    "average-precision",
    "break-even",
    "root-brier",
    "cross-entropy",
    "cal",
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
        ranks = mean_ranks(by_name) if learners <= 50 else {n: 1 + i for i, n in enumerate(names)}
        joined = []
        pairs = [(names[0], other) for other in names[1:]] if control else combinations(names, 2)
        for first, second in pairs:
            p = dice.random()
            joined += [(first, second)] if p > 0.05 else []
            for dataset in (*(sets if pairs_on_datasets else ()), None):
                gap = score[metric, dataset, first] - score[metric, dataset, second] if dataset else 0.01
                verdicts.append(
                    Verdict(
                        comparison="big",
                        dataset=dataset,
                        metric=metric,
                        learners=(first, second),
                        test=result("wilcoxon", gap, p, unit="dataset" if dataset is None else "fold"),
                        adjusted_p=p,
                        alpha=0.05,
                        family="big",
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
                ranks=tuple(float(r) for r in ranks.values()),
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
    plan = Plan(1, "big.eval", comparisons=(design,), learners=tuple(learner(n, implicit=True) for n in names))
    baselines = tuple(Baseline(comparison="big", dataset=d, metric=m, score=0.4) for d in sets for m in labels)
    return RunResult(
        plan=plan, verdicts=tuple(verdicts), rankings=tuple(rankings), scores=Scores.of(rows), baselines=baselines
    )
