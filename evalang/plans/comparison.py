"""`compare` and `estimate` statements become comparisons with every default written out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from ..catalogue.corrections import CORRECTIONS, find_correction
from ..catalogue.metrics import find_metric
from ..catalogue.schemes import find_scheme
from ..language import nodes
from ..language.mistakes import MISTAKEN_CLAUSES
from ..language.text import listed, listed_names
from . import values
from .default_tests import Tests, is_stump, many_classes, named_tests, with_default_tests, with_question
from .families import pairs_among
from .levels import levels_of, levels_problem, with_explanations
from .model import (
    Calibration,
    Comparison,
    Correction,
    Dataset,
    Given,
    Learner,
    Level,
    Metric,
    Origin,
    Part,
    ResultsTable,
    Scheme,
    Thresholding,
    Tuning,
    units_of,
    unopened,
)
from .names import ComparedData, Experiment, Names, resolve_data, resolve_learners, written_learners
from .values import (
    Clauses,
    FieldReader,
    PlanErrors,
    alpha_of,
    given_of,
    read_fields,
    read_metric,
    read_part_clause,
    seed_of,
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
        return replace(GIVEN_FOLDS, reason=f"{found} a column of folds")
    rows = max((d.rows or 0 for d in datasets), default=0)
    later = "" if all(d.rows for d in datasets) else "; very large data gets fewer repeats when it is opened"
    scheme, reason = TEN, f"its test has few false positives and more power than that of 5x2cv{later}"
    if found := having(lambda d: d.time):
        scheme, reason = FORWARD, f"{found} a time column, so learners are trained on the past and tested on the future"
    elif this_classifier:
        scheme, reason = HOLDOUT, "the question is about the trained classifiers"
    elif rows > HUGE:
        reason = f"{rows:,} rows: one training of each learner; the answer is about the trained classifiers"
        scheme = HOLDOUT
    elif rows * fits > EXPENSIVE:
        reason = f"{rows:,} rows and {fits:,} fits on each fold: half the repeats of 10x2cv"
        scheme = FIVE
    if grouped := having(lambda d: d.groups):
        reason = f"{reason}; {grouped} groups, and no group is in both training and test set"
        scheme = replace(scheme, grouped=True, text=f"grouped {scheme.text}")
    return replace(scheme, reason=reason)


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
    """Return the comparison with its number of trainings; `folds` are those the data itself says, by dataset."""
    scheme = comparison.scheme
    if scheme is None or comparison.data != "datasets":
        return replace(comparison, fits=0, fits_reason=f"nothing is trained: the script has the {comparison.data}")
    per_fold = _fits_per_fold(comparison, learners)
    counts = [scheme.splits(d.rows, folds.get(d.name)) for d in datasets]
    folds_in_all = sum(filter(None, counts))
    fits, reason = per_fold * folds_in_all, f"{per_fold:,} on each of {folds_in_all:,} folds"
    if unopened(comparison.datasets) or None in counts:
        what = "datasets" if unopened(comparison.datasets) else "folds"
        fits, reason = UNKNOWN, f"{per_fold:,} on each fold; the number of {what} is not known before the data are read"
    elif fits > MOST_FITS:
        help = "use fewer folds, repeats or settings"
        errors.invalid(
            comparison.span,
            f"this design needs {values.count_text(fits)} fits, more than the limit of {MOST_FITS:,}",
            help,
        )
        fits, reason = UNKNOWN, "more than the limit"
    return replace(comparison, fits=fits, fits_reason=reason)


def with_default_scheme(
    comparison: Comparison, learners: Mapping[str, Learner], datasets: Sequence[Dataset]
) -> Comparison:
    """Return the comparison with the scheme that fits its data; its question and tests follow from it."""
    fits = _fits_per_fold(comparison, learners)
    return replace(comparison, scheme=default_scheme(datasets, comparison.this_classifier, fits))


def _fits_per_fold(comparison: Comparison, learners: Mapping[str, Learner]) -> int:
    return sum(fits_of(learners[x], comparison) for x in comparison.learners)


def fits_of(learner: Learner, comparison: Comparison) -> int:
    """Return the trainings of one learner on one fold, at most.

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
    """Return the metrics that choose settings or thresholds and are not among those measured."""
    tuning, threshold = comparison.tuning, comparison.threshold
    asked = (tuning.value.metric if tuning else None, threshold.metric if threshold else None)
    return tuple([metric for metric in asked if metric is not None and metric not in comparison.metrics])


# ---------------------------------------------------------------- clauses about parts of the rows


def tuning_of(clauses: Clauses, datasets: tuple[Dataset, ...], errors: PlanErrors) -> Given[Tuning] | None:
    """Return where candidates are judged; a clause of the statement replaces one that is set, in either form."""
    own = next((d for d in datasets if d.tuned_on), None)
    if own is not None:
        return _tuned_on_file(clauses, own, datasets, errors)
    kinds: tuple[type[nodes.TuneOn | nodes.TuneUsing], ...] = (nodes.TuneOn, nodes.TuneUsing)
    kind = next((one for one in kinds if one in clauses), nodes.TuneOn if clauses.get_or_set(nodes.TuneOn)[0] else None)
    return given_of(clauses, kind or nodes.TuneUsing, lambda clause: _tuning(clause, errors))


def _tuned_on_file(
    clauses: Clauses, own: Dataset, datasets: tuple[Dataset, ...], errors: PlanErrors
) -> Given[Tuning] | None:
    """Return the tuning on a dataset's tuning file; such a dataset needs a test file and `using given test`."""
    using, written = clauses.get(nodes.Using), clauses.get(nodes.TuneOn) or clauses.get(nodes.TuneUsing)
    card = find_scheme(using.scheme.kind) if using is not None else None
    if own.tested_on is None:
        help = f'add `tested on csv "test.csv"` to dataset `{own.name}`, and write `using given test`'
        errors.conflict(own.span, f"dataset `{own.name}` has a tuning file but no test file", help)
    elif using is not None and card is not None and card.needs != "tested_on":
        errors.conflict(
            using.span,
            f"dataset `{own.name}` has a tuning file and a test file, so its rows are already split",
            "write `using given test`",
        )
    elif written is not None or any(d.tuned_on is None for d in datasets):
        help = "remove the `tune` clause, and compare datasets without a tuning file in a separate statement"
        errors.conflict(
            written.span if written else own.span,
            f"dataset `{own.name}` has a tuning file, so it cannot be tuned on other rows",
            help,
        )
    else:
        return Given(Tuning(where="given", span=own.span), "derived", "the dataset has a tuning file", own.span)
    return None


def _tuning(clause: nodes.TuneOn | nodes.TuneUsing, errors: PlanErrors) -> Tuning | None:
    metric = read_metric(clause.metric, errors) if clause.metric else None
    if metric is not None and metric.card is not None and metric.card.needs in ("time", "size"):
        message = (
            f"`{metric.label}` is measured time or memory, which changes from run to run, so the chosen settings "
            "would change too"
        )
        errors.conflict(
            metric.span,
            message,
            f"tune for a metric of the predictions, such as accuracy, and add `{metric.label}` to `measuring`",
        )
        metric = None
    if isinstance(clause, nodes.TuneOn):
        return read_part_clause(clause, Tuning, "tune on", "test", errors, metric=metric)
    inner = values.read_scheme(clause.scheme, errors)
    if inner is not None and inner.card.one_kcv:
        return Tuning(where="cv", folds=inner.folds, metric=metric, span=clause.span)
    if inner is not None:
        errors.conflict(
            clause.span, f"`tune using {inner.text}` is not supported", "write `tune using 5cv` or `tune on 20%`"
        )
    return None


def _threshold(
    clauses: Clauses, metrics: tuple[Metric, ...], primary: str | None, errors: PlanErrors
) -> Thresholding | None:
    """Return where the threshold is chosen, and by which metric: the primary one, or the only one of classes."""
    clause = clauses.get(nodes.ThresholdOn)
    if clause is None:
        return None
    fit = [m for m in metrics if _by_labels(m)]
    fit = [m for m in fit if m.label == primary] or fit
    chosen = read_metric(clause.metric, errors) if clause.metric else fit[0] if len(fit) == 1 else None
    help = f"write `threshold on 20% for {fit[0].label if fit and not clause.metric else 'balanced-accuracy'}`"
    if clause.metric is None and chosen is None:
        which = (
            f"{listed_names([m.label for m in fit])} are possible"
            if fit
            else "no measured metric depends on a threshold"
        )
        errors.conflict(clause.span, f"the script must name one metric that chooses the threshold: {which}", help)
    if chosen is not None and not _by_labels(chosen):
        message = f"`{chosen.label}` does not depend on the threshold: it is not computed from predicted classes"
        errors.conflict(clause.span, message, help)
        chosen = None
    elsewhere = "test" if clause.test else "tuning"
    return read_part_clause(clause, Thresholding, "threshold on", elsewhere, errors, metric=chosen)


def _by_labels(asked: Metric) -> bool:
    card = find_metric(asked.name)
    return card is None or card.needs == "labels"


def _check_parts(c: Comparison, clauses: Clauses, learners: tuple[Learner, ...], errors: PlanErrors) -> None:
    """Report parts that leave nothing to train on, and those that need a tuning part where there is none."""
    tuning, calibration, threshold = c.tuning.value if c.tuning else None, c.calibration, c.threshold
    stop, without = clauses.get(nodes.StopEarly), clauses.get(nodes.WithoutRetraining)
    cut = [one for one in (tuning, calibration, threshold) if one is not None and one.part is not None]
    shares = [one.part.fraction for one in cut if one.part and one.part.fraction]
    shares += [c.stop_early.fraction] if c.stop_early and c.stop_early.fraction else []
    if len(shares) > 1 and sum(shares) >= 1:
        message = f"these clauses set aside {sum(shares):.0%} of each training set, so no rows are left to train on"
        errors.invalid((stop or cut[-1]).span, message, "write smaller shares, such as 20%")
    if calibration and calibration.where == "tuning" and (tuning is None or tuning.where not in ("part", "given")):
        help = "add `tune on 20%`, or write `calibrate on 20%`"
        errors.conflict(
            calibration.span, "`calibrate on tuning` needs rows set aside for tuning, and there are none", help
        )
    if without and tuning and tuning.where == "cv":
        help = "remove `without retraining`, or write `tune on 20%`"
        errors.conflict(
            without.span,
            "tuning by cross-validation trains a model for each inner fold, so there is no single model to keep",
            help,
        )
    if threshold is None or threshold.where != "tuning":
        return
    if tuning is None or tuning.where == "test":
        help = "add `tune on 20%`, or write `threshold on 20%`"
        errors.conflict(
            threshold.span, "`threshold on tuning` needs rows set aside for tuning, and there are none", help
        )
    elif calibration is not None and calibration.where == "part" and any(x.calibrate != "none" for x in learners):
        message = "the threshold would be chosen before calibration changes the scores"
        errors.conflict(threshold.span, message, "write `threshold on 20%`")


# ---------------------------------------------------------------- statements

# Clauses about training, which has already been done where a table is compared.
_TRAINING = (
    nodes.TuneOn, nodes.TuneUsing, nodes.CalibrateOn, nodes.ThresholdOn, nodes.StopEarly, nodes.WithoutRetraining,
    nodes.Failures, nodes.UntilSettled, nodes.Gap,
)  # fmt: skip
_SCOPES: tuple[Literal["datasets", "learners", "metrics", "everything"], ...] = (
    "datasets", "learners", "metrics", "everything",
)  # fmt: skip


def _read_correction(clause: nodes.Correct, errors: PlanErrors) -> Correction | None:
    method = clause.method.text
    if find_correction(method) is None:
        errors.unknown_name(clause.method.span, "correction", method, (c.name for c in CORRECTIONS))
        return None
    so_far = "everything-so-far" in clause.over
    over = tuple([word for word in _SCOPES if word in clause.over or (so_far and word == "everything")])
    looks = values.read_looks(clause.looks, errors) if clause.looks is not None else None
    return Correction(method=method, over=over, so_far=so_far, looks=looks, span=clause.span)


# The clause that fills each field, and how its value is read.
_FIELDS: dict[str, FieldReader] = {
    "name": (nodes.AsName, "name"),
    "named": (nodes.AsName, ""),
    "control": (nodes.Control, "learner"),
    "expecting": (nodes.Expecting, "learner"),
    "expecting_because": (nodes.Expecting, "reason"),
    "all_pairs": (nodes.AllPairs, ""),
    "failures": (nodes.Failures, "policy"),
    "missing": (nodes.MissingAnswers, "policy"),
    "missing_because": (nodes.MissingAnswers, "reason"),
    "complete_cases": (nodes.CompleteCases, ""),
    "without_retraining": (nodes.WithoutRetraining, ""),
    "until_settled": (nodes.UntilSettled, lambda clause, errors: values.read_looks(clause.looks, errors)),
    "correction": (nodes.Correct, _read_correction),
    "calibration": (
        nodes.CalibrateOn,
        lambda clause, errors: read_part_clause(clause, Calibration, "calibrate on", "tuning", errors),
    ),
    "stop_early": (nodes.StopEarly, lambda clause, errors: values.read_part(clause.part, "stop early on", errors)),
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
        return None
    learner_names = _learner_names(statement, clauses, data, learners, errors)
    levels = _levels(statement, data, metrics, errors)
    estimate = isinstance(statement, nodes.EstimateStatement)
    missing, by = clauses.get(nodes.MissingAnswers), clauses.get(nodes.By)
    if missing is not None and data.kind != "results":
        message = "`missing` applies only to missing answers in a table of results"
        errors.conflict(
            missing.span, message, "remove the clause" + (", or write `complete cases`" if data.table else "")
        )
    scored = data.kind == "results" and units_of(levels) != "items"  # items are judged as rows are
    tests = named_tests(by, scored, estimate, errors) if by else Tests()
    if by and scheme is not None and scheme.looks is not None:
        message = "a guarded holdout gives estimates with a tolerance, so there is nothing to test"
        errors.conflict(by.span, message, "remove the `by` clause, or use another scheme")
        tests = Tests()
    primary = _primary(clauses, metrics, errors)
    any_unit = data.kind == "results" or metrics_origin == "default"  # else a bare number of an accuracy is a share
    bayes = any(test.name.startswith("bayes-") for test in (*tests.each, *tests.over))
    read_rope = partial(values.read_margin, metrics=metrics, errors=errors, in_per_cent=any_unit, zero=bayes)
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
        tuning=tuning_of(clauses, data.datasets, errors),
        threshold=_threshold(clauses, metrics, primary, errors),
        primary=primary,
        alpha=alpha_of(clauses, errors),
        seed=seed_of(clauses, errors),
        rope=given_of(clauses, nodes.Rope, lambda rope: read_rope(rope.width)),
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
    _check_parts(drafted, clauses, learners, errors)
    by_name = {x.name: x for x in learners}
    lost = any(word in ("using", "on", "") for word, _ in clauses.unread)  # may have been the scheme
    if data.kind == "datasets" and nodes.Using not in clauses and not lost:
        drafted = _without_using(with_default_scheme(drafted, by_name, data.datasets), clauses, data, errors)
    return with_fits(with_default_tests(with_question(drafted)), by_name, data.datasets, {}, errors)


def _primary(clauses: Clauses, metrics: tuple[Metric, ...], errors: PlanErrors) -> str | None:
    """Return the label of the metric that decides, one of those measured."""
    clause = clauses.get(nodes.Primary)
    if clause is None:
        return None
    own = [m.label for m in metrics if m.name == clause.metric.name.text and not clause.metric.arguments]
    metric = None if own else read_metric(clause.metric, errors)  # your own metric has its direction in `measuring`
    if metric is not None and metric not in metrics:
        label = metric.label
        errors.conflict(clause.span, f"the primary metric `{label}` is not measured", f"add it: `measuring {label}`")
        return None
    return own[0] if own else metric.label if metric else None


def _without_using(chosen: Comparison, clauses: Clauses, data: ComparedData, errors: PlanErrors) -> Comparison:
    """Return the comparison with its chosen scheme and gap; a design that ran elsewhere has to name its own."""
    ran = next((d.name for d in data.datasets if d.source.kind == "described"), None)
    if ran is not None:
        message = f"dataset `{ran}` is declared with `described as`, so the script has to say how its rows were split"
        errors.conflict(chosen.span, message, "add the scheme that was used, such as `using 10x2cv`")
        return replace(chosen, scheme=None)
    assert chosen.scheme is not None
    return replace(chosen, scheme=values.with_gap(chosen.scheme, clauses.get(nodes.Gap), errors))


def _learner_names(
    statement: Experiment, clauses: Clauses, data: ComparedData, learners: tuple[Learner, ...], errors: PlanErrors
) -> tuple[str, ...]:
    """Return the learners' names, each once; report a `control` or `expecting` that names another learner."""
    written = written_learners(statement)
    seen: set[str] = set()
    for one in written:
        if one.text in seen:
            errors.invalid(one.span, f"learner `{one.text}` is compared with itself", "name each learner once")
        seen.add(one.text)
    in_table = data.table.learners_in if data.table else ()
    learner_names = tuple(dict.fromkeys([w.text for w in written]) or [x.name for x in learners] or in_table)
    control, expecting = clauses.get(nodes.Control), clauses.get(nodes.Expecting)
    for single, help in (
        (control, "the control must be one of the compared learners"),
        (expecting, "name one of the compared learners"),
    ):
        if single and learner_names and single.learner.text not in learner_names:
            errors.unknown_name(single.learner.span, "compared learner", single.learner.text, learner_names, help)
    pairs = clauses.get(nodes.AllPairs)
    if control and pairs:
        errors.conflict(
            pairs.span,
            "`control` tests only the pairs with one learner, but `all pairs` tests all pairs",
            "keep one of the two clauses",
        )
    return learner_names


def _scheme(clauses: Clauses, data: ComparedData, errors: PlanErrors) -> Scheme | None:
    """Return the scheme that the script names, or by which a table says it was made."""
    using = clauses.get(nodes.Using)
    if data.kind == "datasets":
        if using is not None:
            return values.read_scheme(using.scheme, errors, clauses.get(nodes.Gap))
    elif isinstance(data.table, ResultsTable) and data.table.made is not None and using is None:
        return data.table.made
    elif using is not None:
        message = f"`{data.names[0]}` holds {data.kind}, so there are no rows to split"
        errors.conflict(using.span, message, "remove the `using` clause")
    for kind in _TRAINING if data.kind != "datasets" else ():
        needless = clauses.get(kind)
        if needless is not None:
            message = f"`{data.names[0]}` holds {data.kind}, so nothing is trained"
            errors.conflict(needless.span, message, "remove the clause")
    return None


def _levels(
    statement: Experiment, data: ComparedData, metrics: tuple[Metric, ...], errors: PlanErrors
) -> tuple[Level, ...]:
    """Return the columns of a results table with the role that each is taken for."""
    table = data.table
    if not isinstance(table, ResultsTable):
        return ()
    levels = levels_of(table)
    wrong = levels_problem(levels, table.made, table.trainings)
    if wrong is not None:
        errors.conflict(statement.datasets[0].span, f"table `{table.name}`: {wrong[0]}", wrong[1])
    return with_explanations(levels, table.made, table.trainings, metrics[0] if metrics else None)


def _metrics(
    statement: Experiment, clauses: Clauses, data: ComparedData, errors: PlanErrors
) -> tuple[tuple[Metric, ...], Origin]:
    clause, origin = clauses.get_or_set(nodes.Measuring)
    if clause is not None:
        read = [(call, read_metric(call, errors)) for call in clause.metrics]
        # `measuring accuracy, one-sided`: a clause that the list has swallowed is no second metric
        meant = [(call, one) for call, one in read if one or call.name.text.lower() not in MISTAKEN_CLAUSES] or read
        return tuple(dict.fromkeys(one or Metric(name=call.name.text, span=call.span) for call, one in meant)), origin
    if isinstance(data.table, ResultsTable) and data.table.measured is not None:
        return (data.table.measured,), "derived"
    if data.kind == "results":
        message = f"the metric of table `{data.names[0]}` is unknown, and so is whether higher is better"
        hint = "add `measuring accuracy` (or another metric), or `measuring NAME(better = higher)` for your own"
        errors.conflict(statement.datasets[0].span, message, hint)
        return (Metric(name=values.UNKNOWN_METRIC),), "default"
    return (values.default_metric(data.datasets),), "default"
