"""`compare` and `estimate` statements become comparisons with every default written out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ..catalogue.metrics import find_metric
from ..language import nodes
from ..language.mistakes import SAID_OTHERWISE
from ..language.text import listed
from .clauses import (
    Clauses,
    FieldReader,
    alpha_of,
    calibration_of,
    check_threshold,
    correction_of,
    is_written,
    plan_reserved_parts,
    primary_of,
    read_fields,
    rope_of,
    seed_of,
    tuning_of,
)
from .default_tests import Tests, is_stump, many_classes, named_tests, with_default_tests, with_question
from .families import pairs_among
from .levels import levels_of, levels_problem, with_explanations
from .model import (
    Comparison,
    Dataset,
    Learner,
    Level,
    Metric,
    Origin,
    Part,
    ResultsTable,
    Scheme,
    Tuning,
    units_of,
    unopened,
)
from .names import ComparedData, Experiment, Names, resolve_data, resolve_learners, written_learners
from .values import (
    UNKNOWN_METRIC,
    PlanErrors,
    count_text,
    default_metric,
    read_looks,
    read_metric,
    read_scheme,
    unknown_metric,
    with_gap,
)

# ---------------------------------------------------------------- the scheme of a comparison without `using`
# docs/howto/which-design.md explains the choice.

HUGE = 1_000_000  # rows; ours: from here on one training
EXPENSIVE = 1_000_000  # rows trained on in each repeat (rows times fits per fold); ours: from here on five repeats

GIVEN_TEST = Scheme(kind="given-test", text="given test", origin="default")
GIVEN_FOLDS = Scheme(kind="given-folds", text="given folds", origin="default")
FORWARD = Scheme(kind="forward", folds=8, text="forward 8 splits", origin="default")
HOLDOUT = Scheme(kind="holdout", part=Part(fraction=1 / 3), text="holdout 1/3", origin="default")
FIVE = Scheme(kind="5x2cv", partitions=5, folds=2, text="5x2cv", origin="default")
TEN = Scheme(kind="repeated-cv", partitions=10, folds=2, text="10x2cv", origin="default")


def default_scheme(datasets: Sequence[Dataset], this_classifier: bool, fits: int) -> Scheme:
    """Return the scheme that fits these datasets, with the reason; `fits` are the trainings on each fold.

    A dataset that is unlike the others decides: the linter says what the others lack.
    """

    def having(wanted: Callable[[Dataset], object]) -> str:
        names = [d.name for d in datasets if wanted(d)]
        return f"{listed(names)} {'has' if len(names) == 1 else 'have'}" if names else ""

    if found := having(lambda d: d.tested_on):
        return replace(GIVEN_TEST, reason=f"{found} a test file")
    if found := having(lambda d: d.folds or d.source.kind == "openml-task"):
        return replace(GIVEN_FOLDS, reason=f"{found} given folds")
    grouped = having(lambda d: d.groups)
    if found := having(lambda d: d.time):
        return _chosen(FORWARD, f"{found} a time column: trained on the past, tested on the future", grouped)
    rows = max((d.rows or 0 for d in datasets), default=0)
    if this_classifier:
        return _chosen(HOLDOUT, "the question is about the trained classifiers", grouped)
    if rows > HUGE:
        why = f"{rows:,} rows: one training of each learner; the answer is about the trained classifiers"
        return _chosen(HOLDOUT, why, grouped)
    if rows * fits > EXPENSIVE:
        why = f"{rows:,} rows and {fits:,} fits on every fold: half as many repeats as 10x2cv"
        return _chosen(FIVE, why, grouped)
    later = "" if all(d.rows for d in datasets) else "; very large data gets fewer repeats once it is opened"
    return _chosen(TEN, f"its test keeps its level and finds more than that of 5x2cv{later}", grouped)


def _chosen(scheme: Scheme, reason: str, grouped: str) -> Scheme:
    if not grouped:
        return replace(scheme, reason=reason)
    reason = f"{reason}; {grouped} groups, and no group is in training and test"
    return replace(scheme, grouped=True, text=f"grouped {scheme.text}", reason=reason)


# ---------------------------------------------------------------- the number of fits

MOST_FITS = 10_000_000
UNKNOWN = -1


def with_fits(
    comparison: Comparison,
    learners: Mapping[str, Learner],
    datasets: Iterable[Dataset],
    folds: Mapping[str, int | None],
    errors: PlanErrors,
) -> Comparison:
    """The comparison with its number of trainings; `folds` are those the data itself says, by dataset."""
    scheme = comparison.scheme
    if scheme is None or comparison.data != "datasets":
        return replace(comparison, fits=0, fits_reason=f"the {comparison.data} are already there")
    per_fold = _fits_per_fold(comparison, learners)
    counts = [scheme.splits(d.rows, folds.get(d.name)) for d in datasets]
    unknown = unopened(comparison.datasets) or None in counts
    fits = UNKNOWN if unknown else per_fold * sum(filter(None, counts))
    if fits > MOST_FITS:
        help = f"{MOST_FITS:,} are the most; use fewer folds, repeats or settings"
        errors.invalid(comparison.span, f"this takes {count_text(fits)} trainings", help)
        return replace(comparison, fits=UNKNOWN, fits_reason="more than can be done")
    if fits == UNKNOWN:
        what = "datasets" if unopened(comparison.datasets) else "folds"
        reason = f"{per_fold:,} on every fold; the data tells how many {what} there are"
        return replace(comparison, fits=UNKNOWN, fits_reason=reason)
    reason = f"{per_fold:,} on every fold, {sum(filter(None, counts)):,} folds"
    return replace(comparison, fits=fits, fits_reason=reason)


def with_default_scheme(
    comparison: Comparison, learners: Mapping[str, Learner], datasets: Sequence[Dataset]
) -> Comparison:
    """The comparison with the scheme that fits its data; its question and tests follow from it."""
    fits = _fits_per_fold(comparison, learners)
    return replace(comparison, scheme=default_scheme(datasets, comparison.this_classifier, fits))


def _fits_per_fold(comparison: Comparison, learners: Mapping[str, Learner]) -> int:
    return sum(fits_of(learners[x], comparison) for x in comparison.learners)


def fits_of(learner: Learner, comparison: Comparison) -> int:
    """Trainings of one learner on one fold, at most.

    Every candidate is trained once (in each inner fold); then every winner is trained, `train N times` each, one
    training less where the winner need not be trained again. Each metric may have a winner of its own. A learner that
    is not tuned is judged in the same way where its threshold is chosen on the tuning part, before it is trained again.
    """
    tuning, retrained = comparison.tuning.value if comparison.tuning else None, comparison.retrains
    if tuning is None:
        return learner.trainings
    if not learner.grids:
        chosen = comparison.threshold
        inside = chosen is not None and chosen.where == "tuning" and learner.threshold is None and retrained
        return learner.trainings + (tuning.folds or 1) * inside
    judged = learner.candidates * (tuning.folds or 1)
    kept = tuning.where == "test" or (tuning.where in ("part", "given") and not retrained)
    return judged + _winners(learner, tuning, comparison.metrics) * (learner.trainings - kept)


def _winners(learner: Learner, tuning: Tuning, metrics: tuple[Metric, ...]) -> int:
    if tuning.metric:
        return 1
    # Times and sizes vary from run to run, so they choose no winner.
    steady = [m for m in metrics if (card := find_metric(m.name)) is None or card.needs not in ("time", "size")]
    return min(max(len(steady), 1), learner.candidates)


def selection_metrics(comparison: Comparison) -> tuple[Metric, ...]:
    """Metrics that choose settings or thresholds and are not among those measured."""
    tuning, threshold = comparison.tuning, comparison.threshold
    asked = (tuning.value.metric if tuning else None, threshold.metric if threshold else None)
    return tuple([metric for metric in asked if metric is not None and metric not in comparison.metrics])


# ---------------------------------------------------------------- statements

# Clauses about training, which has already been done where a table is compared.
_TRAINING = (
    nodes.TuneOn, nodes.TuneUsing, nodes.CalibrateOn, nodes.ThresholdOn, nodes.StopEarly, nodes.WithoutRetraining,
    nodes.Failures, nodes.UntilSettled, nodes.Gap,
)  # fmt: skip


def _read_reason(clause: nodes.Expecting | nodes.MissingAnswers, _: PlanErrors) -> str | None:
    return clause.reason.value if clause.reason else None


# The clause that fills each field, and how its value is read.
_FIELDS: dict[str, FieldReader] = {
    "name": (nodes.AsName, lambda clause, _: clause.name.text),
    "named": (nodes.AsName, is_written),
    "control": (nodes.Control, lambda clause, _: clause.learner.text),
    "expecting": (nodes.Expecting, lambda clause, _: clause.learner.text),
    "expecting_because": (nodes.Expecting, _read_reason),
    "all_pairs": (nodes.AllPairs, is_written),
    "failures": (nodes.Failures, lambda clause, _: clause.policy),
    "missing": (nodes.MissingAnswers, lambda clause, _: clause.policy),
    "missing_because": (nodes.MissingAnswers, _read_reason),
    "complete_cases": (nodes.CompleteCases, is_written),
    "without_retraining": (nodes.WithoutRetraining, is_written),
    "until_settled": (nodes.UntilSettled, lambda clause, errors: read_looks(clause.looks, errors)),
}


def plan_comparison(
    statement: Experiment, name: str, clauses: Clauses, names: Names, errors: PlanErrors
) -> Comparison | None:
    """Return the comparison, or None when it cannot be planned at all (the errors say why)."""
    data = resolve_data(statement, names, errors)
    if data is None:
        for one in written_learners(statement) if nodes.Using in clauses else ():
            names.learner(one)  # with a scheme they must be learners, whatever the data
        return None
    learners = resolve_learners(statement, data, names, errors)
    scheme = _scheme(clauses, data, errors)
    metrics, metrics_origin = _metrics(statement, clauses, data, errors)
    if learners is None:
        _levels(statement, data, metrics, errors)
        _check_other_clauses(statement, clauses, data, errors)
        return None
    learner_names = _learner_names(statement, clauses, data, learners, errors)
    levels = _levels(statement, data, metrics, errors)
    estimate = isinstance(statement, nodes.EstimateStatement)
    missing, by = clauses.get(nodes.MissingAnswers), clauses.get(nodes.By)
    if missing is not None and data.kind != "results":
        message = "`missing` says what becomes of answers that a table of results lacks"
        errors.conflict(missing.span, message, "leave it out" + (", or write `complete cases`" if data.table else ""))
    scored = data.kind == "results" and units_of(levels) != "items"  # items are judged as rows are
    tests = named_tests(by, scored, estimate, errors) if by else Tests()
    if by and scheme is not None and scheme.looks is not None:
        message = "a guarded holdout gives estimates with a tolerance, and nothing that a test could rest on"
        errors.conflict(by.span, message, "leave out by, or take another scheme")
        tests = Tests()
    primary = primary_of(clauses, metrics, errors)
    parts = plan_reserved_parts(clauses, data.datasets, metrics, primary, errors)
    check_threshold(parts, learners, errors)
    drafted = Comparison(
        learners=learner_names,
        data=data.kind,
        datasets=data.names,
        suites=data.suites,
        estimate=estimate,
        this_classifier=statement.this_classifier,
        scheme=scheme,
        tests=tests.each,
        over=tests.over,
        metrics=metrics,
        metrics_origin=metrics_origin,
        tuning=parts.tuning,
        calibration=parts.calibration,
        threshold=parts.threshold,
        stop_early=parts.stopping,
        primary=primary,
        correction=correction_of(clauses, errors),
        alpha=alpha_of(clauses, errors),
        seed=seed_of(clauses, errors),
        rope=rope_of(clauses, metrics, errors),
        question=0,
        levels=levels,
        graded=any(one.standing == "epoch" for one in levels),
        pairs=0 if estimate else pairs_among(len(learner_names), nodes.Control in clauses),
        fits=UNKNOWN,
        retrained=any(x.trainings > 1 for x in learners),
        stump=any(map(is_stump, learners)),
        grouped=any(d.groups for d in data.datasets) or bool(getattr(data.table, "groups", None)),
        many_classes=many_classes(data.datasets),
        because=clauses.because,
        learner_spans=tuple([w.span for w in written_learners(statement)]),
        dataset_spans=tuple([d.span for d in statement.datasets]),
        spans=clauses.spans,
        allow=clauses.allowances(errors),
        span=statement.span,
        **({"name": name} | read_fields(clauses, _FIELDS, errors)),
    )
    by_name = {x.name: x for x in learners}
    if data.kind == "datasets" and nodes.Using not in clauses and not clauses.may_have("using"):
        drafted = _without_using(with_default_scheme(drafted, by_name, data.datasets), clauses, data, errors)
    return with_fits(with_default_tests(with_question(drafted)), by_name, data.datasets, {}, errors)


def _without_using(chosen: Comparison, clauses: Clauses, data: ComparedData, errors: PlanErrors) -> Comparison:
    """The comparison with its chosen scheme and gap; a design that ran elsewhere has to name its own."""
    ran = next((d.name for d in data.datasets if d.source.kind == "described"), None)
    if ran is not None:
        message = f"{ran} is only described, without how its rows were split"
        errors.conflict(chosen.span, message, "add using 10x2cv, or the scheme that was used")
        return replace(chosen, scheme=None)
    assert chosen.scheme is not None
    return replace(chosen, scheme=with_gap(chosen.scheme, clauses.get(nodes.Gap), errors))


def _check_other_clauses(statement: Experiment, clauses: Clauses, data: ComparedData, errors: PlanErrors) -> None:
    """Read the other clauses of a statement that cannot be planned, for the errors in them."""
    for read in (alpha_of, seed_of, tuning_of, calibration_of, correction_of):
        read(clauses, errors)
    by = clauses.get(nodes.By)
    if by:
        named_tests(by, data.kind == "results", isinstance(statement, nodes.EstimateStatement), errors)


def _learner_names(
    statement: Experiment, clauses: Clauses, data: ComparedData, learners: tuple[Learner, ...], errors: PlanErrors
) -> tuple[str, ...]:
    """The learners' names, each once, with the ones that `control` and `expecting` single out among them."""
    written = written_learners(statement)
    seen: set[str] = set()
    for one in written:
        if one.text in seen:
            errors.invalid(one.span, f"{one.text} is compared with itself", "name each learner once")
        seen.add(one.text)
    in_table = data.table.learners_in if data.table else ()
    learner_names = tuple(dict.fromkeys([w.text for w in written]) or [x.name for x in learners] or in_table)
    control, expecting = clauses.get(nodes.Control), clauses.get(nodes.Expecting)
    for single, help in (
        (control, "the control is one of the learners compared"),
        (expecting, "expect one of the learners compared to be better"),
    ):
        if single and learner_names and single.learner.text not in learner_names:
            errors.unknown_name(single.learner.span, "compared learner", single.learner.text, learner_names, help)
    pairs = clauses.get(nodes.AllPairs)
    if control and pairs:
        errors.conflict(pairs.span, "with a control not all pairs are compared", "keep one of the two")
    return learner_names


def _scheme(clauses: Clauses, data: ComparedData, errors: PlanErrors) -> Scheme | None:
    """The scheme that the script names, or by which a table says it was made."""
    using = clauses.get(nodes.Using)
    if data.kind == "datasets":
        if using is not None:
            return read_scheme(using.scheme, errors, clauses.get(nodes.Gap))
    elif isinstance(data.table, ResultsTable) and data.table.made is not None and using is None:
        return data.table.made
    elif using is not None:
        message = f"{data.names[0]} holds {data.kind} that are already there"
        errors.conflict(using.span, message, "leave out the using clause")
    for kind in _TRAINING if data.kind != "datasets" else ():
        needless = clauses.get(kind)
        if needless is not None:
            message = f"{data.names[0]} holds {data.kind}: nothing is trained"
            errors.conflict(needless.span, message, "leave out the clause")
    return None


def _levels(
    statement: Experiment, data: ComparedData, metrics: tuple[Metric, ...], errors: PlanErrors
) -> tuple[Level, ...]:
    """What the levels of a results table are taken for."""
    table = data.table
    if not isinstance(table, ResultsTable):
        return ()
    levels = levels_of(table)
    wrong = levels_problem(levels, table.made, table.trainings)
    if wrong is not None:
        errors.conflict(statement.datasets[0].span, f"{table.name}: {wrong[0]}", wrong[1])
    return with_explanations(levels, table.made, table.trainings, metrics[0] if metrics else None)


def _metrics(
    statement: Experiment, clauses: Clauses, data: ComparedData, errors: PlanErrors
) -> tuple[tuple[Metric, ...], Origin]:
    clause, origin = clauses.get_or_set(nodes.Measuring)
    if clause is not None:
        read = [(call, read_metric(call, errors)) for call in clause.metrics]
        # `measuring accuracy, one-sided`: a clause that the list has swallowed is no second metric
        meant = [(call, one) for call, one in read if one or call.name.text.lower() not in SAID_OTHERWISE] or read
        return tuple(dict.fromkeys(one or unknown_metric(call) for call, one in meant)), origin
    if isinstance(data.table, ResultsTable) and data.table.measured is not None:
        return (data.table.measured,), "derived"
    if data.kind == "results":
        message = f"{data.names[0]} does not say which metric it holds, nor whether more of it is better"
        hint = "add `measuring accuracy`, another metric, or `measuring NAME(better = higher)` for a name of your own"
        errors.conflict(statement.datasets[0].span, message, hint)
        return (Metric(name=UNKNOWN_METRIC),), "default"
    return (default_metric(data.datasets),), "default"
