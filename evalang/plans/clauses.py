"""The clauses of a statement, looked up by kind, and what they ask for, each with where it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar

from ..catalogue.corrections import CORRECTIONS, find_correction
from ..catalogue.metrics import find_metric
from ..catalogue.schemes import find_scheme
from ..language import nodes
from ..language.nodes import ROWS
from ..language.text import Span
from .model import (
    Allowance,
    Calibration,
    Correction,
    Dataset,
    Given,
    Learner,
    Metric,
    Origin,
    Part,
    Thresholding,
    Tuning,
)
from .values import (
    LARGEST_SEED,
    PlanErrors,
    read_level,
    read_looks,
    read_margin,
    read_metric,
    read_part,
    read_scheme,
    read_whole,
)

C = TypeVar("C", bound=nodes.Clause)
R = TypeVar("R")
T = TypeVar("T")
SetClauses = Mapping[type[nodes.Clause], nodes.Clause]

# The word under which a rule finds the place of a clause (`comparison.span_of("cases")`) that begins with another.
_OTHER_WORDS = {
    "alpha": "at", "all": "pairs", "complete": "cases", "missing": "cases", "without": "retraining",
    **dict.fromkeys(ROWS[nodes.Correct].begins.split(" | "), "correct"),
}  # fmt: skip


def _word(first: str) -> str:
    return _OTHER_WORDS.get(first, first)


class Clauses:
    """The clauses of a statement by kind, and those that `set` gives above it in its file for all statements."""

    __slots__ = ("_every", "_first", "_set", "unread")

    def __init__(self, clauses: tuple[nodes.Clause, ...], by_set: SetClauses | None = None) -> None:
        self._every = clauses
        self._first: dict[type[nodes.Clause], nodes.Clause] = {}
        for one in clauses:
            self._first.setdefault(type(one), one)
        self._set = by_set or {}
        self.unread = tuple([(_word(one.word), one.span) for one in clauses if type(one) is nodes.Unread])

    def __contains__(self, kind: type[nodes.Clause]) -> bool:
        return kind in self._first

    def get(self, kind: type[C]) -> C | None:
        """Return the clause of a kind as written in the statement."""
        clause = self._first.get(kind)
        return clause if isinstance(clause, kind) else None

    def every(self, kind: type[C]) -> list[C]:
        """Return all clauses of a kind, for those that may stand more than once."""
        return [one for one in self._every if isinstance(one, kind)]

    def get_or_set(self, kind: type[C]) -> tuple[C | None, Origin]:
        """Return the clause as written, else as `set`, with where it came from."""
        clause = self.get(kind)
        if clause is not None:
            return clause, "written"
        by_set = self._set.get(kind)
        return (by_set, "set") if isinstance(by_set, kind) else (None, "default")

    @property
    def spans(self) -> tuple[tuple[str, Span], ...]:
        """Where the clauses stand, by their words."""
        rows = [(ROWS[kind], one.span) for kind, one in self._first.items() if kind in ROWS]
        once = [(_word(row.begins.split()[0]), span) for row, span in rows if not row.repeatable]
        return (*once, *self.unread)

    def may_have(self, word: str) -> bool:
        """Whether a clause could not be read that may have been this one."""
        return any(unread in (word, "on", "") for unread, _ in self.unread)

    @property
    def because(self) -> str | None:
        """The author's reason for a statement; three dots where something could not be read that may have been it."""
        clause = self.get(nodes.Because)
        return clause.reason.value if clause else "…" if self.unread else None

    def allowances(self, errors: PlanErrors, everywhere: bool = False) -> tuple[Allowance, ...]:
        """`allow CODE because "..."`; without a reason it is EV006 and allows nothing."""
        allowed = []
        for one in self.every(nodes.Allow):
            code = one.code.text
            if one.reason is None or not one.reason.value.strip():
                errors.invalid(one.span, f"allow {code} gives no reason", f'write allow {code} because "…"')
            else:
                allowed.append(Allowance(code=code, reason=one.reason.value, everywhere=everywhere, span=one.span))
        return tuple(allowed)


FieldReader = tuple[type[nodes.Clause], Callable[[Any, PlanErrors], Any]]  # the clause of a field, and how it is read
DefinitionStatement = (
    nodes.DatasetStatement
    | nodes.SuiteStatement
    | nodes.LearnerStatement
    | nodes.ResultsStatement
    | nodes.PredictionsStatement
)


def read_fields(clauses: Clauses, readers: Mapping[str, FieldReader], errors: PlanErrors) -> dict[str, Any]:
    """Return the fields whose clauses are written."""
    written = {name: (clauses.get(kind), read) for name, (kind, read) in readers.items()}
    return {name: read(clause, errors) for name, (clause, read) in written.items() if clause is not None}


def read_definition(
    record: type, statement: DefinitionStatement, readers: Mapping[str, FieldReader], included: bool, errors: PlanErrors
) -> dict[str, Any]:
    """Return the fields of a record that the clauses of its definition fill, and those that every definition has."""
    clauses = Clauses(statement.clauses)
    own = {field.name for field in fields(record)}
    return {
        **read_fields(clauses, {name: reader for name, reader in readers.items() if name in own}, errors),
        "name": statement.name.text,
        "because": clauses.because,
        "included": included,
        "allow": clauses.allowances(errors),
        "span": statement.span,
    }


def is_written(clause: nodes.Clause, errors: PlanErrors) -> bool:
    """Return True: a clause without values is there or not."""
    return True


def read_part_clause(
    clause: nodes.PartClause | nodes.TuneOn | nodes.ThresholdOn,
    record: Callable[..., R],
    words: str,
    elsewhere: str,
    errors: PlanErrors,
    **others: Any,
) -> R | None:
    """Return the record of what is chosen on a part of the rows, or `elsewhere` if the clause names no part."""
    if clause.part is None:
        return record(where=elsewhere, span=clause.span, **others)
    part = read_part(clause.part, words, errors)
    return record(where="part", part=part, span=clause.span, **others) if part else None


def read_one_metric(clauses: Clauses, message: str, help: str, errors: PlanErrors) -> Metric | None:
    """Return the metric of a statement that takes only one."""
    measuring = clauses.get(nodes.Measuring)
    if measuring is None:
        return None
    if len(measuring.metrics) > 1:
        errors.invalid(measuring.span, message, help)
    return read_metric(measuring.metrics[0], errors)


ALPHA = 0.05
_SCOPES: tuple[Literal["datasets", "learners", "metrics", "everything"], ...] = (
    "datasets", "learners", "metrics", "everything",
)  # fmt: skip


def _given(clauses: Clauses, kind: type[C], read: Callable[[C], T | None]) -> Given[T] | None:
    """Return the value of a clause that is written or set."""
    clause, origin = clauses.get_or_set(kind)
    value = read(clause) if clause else None
    return Given(value, origin, "", clause.span) if clause and value is not None else None


def alpha_of(clauses: Clauses, errors: PlanErrors) -> Given[float]:
    """Return the significance level."""
    written = _given(clauses, nodes.At, lambda at: read_level(at.alpha, errors))
    return written or Given(ALPHA, "default", "the usual level")


def seed_of(clauses: Clauses, errors: PlanErrors) -> Given[int] | None:
    """Return the seed, if one is written or set."""
    return _given(clauses, nodes.Seed, lambda seed: read_whole(seed.value, "a seed", 0, errors, LARGEST_SEED))


def rope_of(clauses: Clauses, metrics: tuple[Metric, ...], errors: PlanErrors) -> Given[float] | None:
    """Return the margin below which differences do not matter."""
    return _given(clauses, nodes.Rope, lambda rope: read_margin(rope.width, metrics, errors))


def tuning_of(clauses: Clauses, errors: PlanErrors, datasets: tuple[Dataset, ...] = ()) -> Given[Tuning] | None:
    """Return where candidates are judged; a clause of the statement replaces one that is set, in either form."""
    own = [d for d in datasets if d.tuned_on]
    if own:
        return _tuned_on_file(clauses, errors, datasets, own[0])
    kinds: tuple[type[nodes.TuneOn | nodes.TuneUsing], ...] = (nodes.TuneOn, nodes.TuneUsing)
    kind = next((one for one in kinds if one in clauses), nodes.TuneOn if clauses.get_or_set(nodes.TuneOn)[0] else None)
    return _given(clauses, kind or nodes.TuneUsing, lambda clause: _tuning(clause, errors))


def _tuned_on_file(
    clauses: Clauses, errors: PlanErrors, datasets: tuple[Dataset, ...], own: Dataset
) -> Given[Tuning] | None:
    """On the rows of the dataset's own tuning file; such a dataset comes with a test file, and is used as it is."""
    using = clauses.get(nodes.Using)
    written = clauses.get(nodes.TuneOn) or clauses.get(nodes.TuneUsing)
    other = next((d for d in datasets if d.tuned_on is None), None)
    if own.tested_on is None:
        help = f'add tested on csv "test.csv" to {own.name}, and using given test'
        errors.conflict(own.span, f"{own.name} has a tuning file and no test file", help)
    elif using is not None and (card := find_scheme(using.scheme.kind)) and card.needs != "tested_on":
        errors.conflict(using.span, f"{own.name} has a tuning file and a test file", "write using given test")
    elif written is not None:
        errors.conflict(written.span, f"{own.name} has a tuning file of its own", "leave the clause out")
    elif other is not None:
        help = "compare them in statements of their own"
        errors.conflict(own.span, f"{own.name} has a tuning file of its own, and {other.name} has none", help)
    else:
        return Given(Tuning(where="given", span=own.span), "derived", "the dataset has a tuning file", own.span)
    return None


def _tuning(clause: nodes.TuneOn | nodes.TuneUsing, errors: PlanErrors) -> Tuning | None:
    metric = _chooses_settings(clause, errors)
    if isinstance(clause, nodes.TuneOn):
        return read_part_clause(clause, Tuning, "tune on", "test", errors, metric=metric)
    inner = read_scheme(clause.scheme, errors)
    if inner is not None and inner.card.one_kcv:
        return Tuning(where="cv", folds=inner.folds, metric=metric, span=clause.span)
    if inner is not None:
        errors.conflict(clause.span, f"tuning by {inner.text} is not offered", "write tune using 5cv, or tune on 20%")
    return None


def _chooses_settings(clause: nodes.TuneOn | nodes.TuneUsing, errors: PlanErrors) -> Metric | None:
    """The metric after `for`; times and sizes are another in every run, and would choose other settings."""
    chosen = read_metric(clause.metric, errors) if clause.metric else None
    card = chosen.card if chosen is not None else None
    if chosen is None or card is None or card.needs not in ("time", "size"):
        return chosen
    message = f"{chosen.label} varies from run to run, and so would the settings that it chooses"
    errors.conflict(chosen.span, message, "tune for a metric of the answers, and measure it beside that")
    return None


def calibration_of(clauses: Clauses, errors: PlanErrors) -> Calibration | None:
    """Where calibration is fitted."""
    clause = clauses.get(nodes.CalibrateOn)
    return read_part_clause(clause, Calibration, "calibrate on", "tuning", errors) if clause else None


def threshold_of(
    clauses: Clauses, metrics: tuple[Metric, ...], primary: str | None, errors: PlanErrors
) -> Thresholding | None:
    """Where the threshold is chosen, and by which metric."""
    clause = clauses.get(nodes.ThresholdOn)
    if clause is None:
        return None
    chosen = read_metric(clause.metric, errors) if clause.metric else _of_labels(clause, metrics, primary, errors)
    if chosen is not None and not _by_labels(chosen):
        message = f"{chosen.label} is the same at every threshold: it needs scores, not predicted classes"
        errors.conflict(clause.span, message, "write threshold on 20% for balanced-accuracy")
        chosen = None
    elsewhere = "test" if clause.test else "tuning"
    return read_part_clause(clause, Thresholding, "threshold on", elsewhere, errors, metric=chosen)


def _of_labels(
    clause: nodes.ThresholdOn, metrics: tuple[Metric, ...], primary: str | None, errors: PlanErrors
) -> Metric | None:
    """The measured metric that a threshold makes a difference to: the primary one, or the only one there is."""
    fit = [m for m in metrics if _by_labels(m)]
    first = [m for m in fit if m.label == primary]
    if len(first or fit) == 1:
        return (first or fit)[0]
    which = f"{' and '.join(m.label for m in fit)} could choose it" if fit else "no metric of classes is measured"
    errors.conflict(
        clause.span,
        f"no metric is given to choose the threshold: {which}",
        f"write threshold on … for {fit[0].label if fit else 'f-score'}",
    )
    return None


def _by_labels(asked: Metric) -> bool:
    card = find_metric(asked.name)
    return card is None or card.needs == "labels"


def primary_of(clauses: Clauses, metrics: tuple[Metric, ...], errors: PlanErrors) -> str | None:
    """The label of the metric that decides, one of those measured."""
    clause = clauses.get(nodes.Primary)
    if clause is None:
        return None
    named = clause.metric.name.text
    own = [m.label for m in metrics if m.name == named and not clause.metric.arguments]
    if own:
        return own[0]  # also a user's own metric, whose direction stands in `measuring`
    metric = read_metric(clause.metric, errors)
    if metric is not None and metric not in metrics:
        label = metric.label
        errors.conflict(clause.span, f"{label} is not measured", f"add it to measuring: measuring {label}")
        return None
    return metric.label if metric else None


def correction_of(clauses: Clauses, errors: PlanErrors) -> Correction | None:
    """How the tests are corrected, and over what."""
    clause = clauses.get(nodes.Correct)
    if clause is None:
        return None
    method = clause.method.text
    if find_correction(method) is None:
        errors.unknown_name(clause.method.span, "correction", method, (c.name for c in CORRECTIONS))
        return None
    so_far = "everything-so-far" in clause.over
    over = tuple([word for word in _SCOPES if word in clause.over or (so_far and word == "everything")])
    looks = read_looks(clause.looks, errors) if clause.looks is not None else None
    return Correction(method=method, over=over, so_far=so_far, looks=looks, span=clause.span)


@dataclass(frozen=True, slots=True)
class ReservedParts:
    """The clauses that cut a part from each training part, or choose something on one."""

    tuning: Given[Tuning] | None = None
    calibration: Calibration | None = None
    threshold: Thresholding | None = None
    stopping: Part | None = None


def plan_reserved_parts(
    clauses: Clauses,
    datasets: tuple[Dataset, ...],
    metrics: tuple[Metric, ...],
    primary: str | None,
    errors: PlanErrors,
) -> ReservedParts:
    """Return the parts that are set aside, checked but for the learners."""
    stop = clauses.get(nodes.StopEarly)
    parts = ReservedParts(
        tuning=tuning_of(clauses, errors, datasets),
        calibration=calibration_of(clauses, errors),
        threshold=threshold_of(clauses, metrics, primary, errors),
        stopping=read_part(stop.part, "stop early on", errors) if stop else None,
    )
    _check_shares(clauses, parts, errors)
    tuning, calibration = parts.tuning.value if parts.tuning else None, parts.calibration
    if calibration and calibration.where == "tuning" and (tuning is None or tuning.where not in ("part", "given")):
        help = "add tune on 20%, or calibrate on a part of its own"
        errors.conflict(calibration.span, "there is no tuning part to calibrate on", help)
    without = clauses.get(nodes.WithoutRetraining)
    if without and tuning and tuning.where == "cv":
        help = "leave it out, or write tune on 20%"
        errors.conflict(without.span, "tuning by cross-validation leaves no trained learner to keep", help)
    return parts


def _check_shares(clauses: Clauses, parts: ReservedParts, errors: PlanErrors) -> None:
    """Parts that together leave nothing to train on; the place is that of the last one."""
    tuning, stop = parts.tuning.value if parts.tuning else None, clauses.get(nodes.StopEarly)
    cut = [
        (one.span, one.part, words)
        for one, words in (
            (tuning, "tune on 20%"), (parts.calibration, "calibrate on 20%"), (parts.threshold, "threshold on 20%"),
        )
        if one is not None and one.part is not None
    ]  # fmt: skip
    cut += [(stop.span, parts.stopping, "stop early on 10%")] if stop and parts.stopping else []
    shares = [part.fraction for _, part, _ in cut if part.fraction]
    if len(shares) > 1 and sum(shares) >= 1:
        message = f"{sum(shares):.0%} of each training part are set aside, and nothing is left to train on"
        errors.invalid(cut[-1][0], message, f"write {', '.join(words for *_, words in cut)}")


def check_threshold(parts: ReservedParts, learners: tuple[Learner, ...], errors: PlanErrors) -> None:
    """A threshold on the tuning part needs one, and scores on the scale of those it is used on."""
    threshold, tuning, calibration = parts.threshold, parts.tuning, parts.calibration
    if threshold is None or threshold.where != "tuning":
        return
    if tuning is None or tuning.value.where == "test":
        help = "add tune on 20%, or write threshold on 20%"
        errors.conflict(threshold.span, "there is no tuning part to choose the threshold on", help)
    elif calibration is not None and calibration.where == "part" and any(x.calibrate != "none" for x in learners):
        message = "on the tuning part the threshold is chosen before the scores are calibrated"
        errors.conflict(threshold.span, message, "write threshold on 20%")
