"""Clauses as a script writes them: values, metrics and schemes, each with where it came from, and errors in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from ..catalogue.corrections import find_correction
from ..catalogue.metrics import canonical_metric, check_option, find_metric, meant_metric, metric_words
from ..catalogue.schemes import SchemeEntry, find_scheme
from ..language import nodes
from ..language.mistakes import MISTAKEN_CLAUSES
from ..language.nodes import ROWS
from ..language.text import Edit, Finding, Fix, Span, nearest
from .model import Allowance, Dataset, Given, Literals, Metric, Origin, Part, Scheme

BY_NAME = "name a comparison by its `as` name; the first without one is `compare-1`"
MOST_OFFERS = 100  # "did you mean" for so many; each compares with every name


class PlanErrors:
    """Collects the errors in a script; building goes on after each, so that one run shows them all."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.lost: frozenset[str] = frozenset()  # names whose definitions could not be read

    @property
    def many(self) -> bool:
        """Whether there are so many that no nearest names are looked for."""
        return len(self.findings) >= MOST_OFFERS

    def syntax(self, span: Span, message: str, help: str) -> None:
        """Report EV001: an included file cannot be read as part of the script."""
        self._add("EV001", "syntax", span, message, help)

    def unknown_name(
        self,
        span: Span,
        what: str,
        word: str,
        candidates: Iterable[str],
        remedy: str = "",
        meant: str | None = None,
        near: str | None = None,
    ) -> str | None:
        """Report EV002, an undefined name, and offer what is `meant`, or `near`, or the nearest candidate.

        The answer is the name that is meant, where only one can be, so that the design is judged by it. A definition
        that cannot be read has its EV001 already.
        """
        if word in self.lost:
            return None
        if what in ("metric", "test") and (otherwise := MISTAKEN_CLAUSES.get(word.lower())):
            self._add("EV002", "unknown-name", span, f'there is no {what} named "{word}": {otherwise[0]}', otherwise[1])
            return None
        if what == "test" and find_correction(word):
            remedy = (
                f"`{word}` is a correction, not a test: write `{word} over datasets` (or learners, metrics, everything)"
            )
            candidates, near = (), None
        near = None if self.many or meant else near or nearest(word, candidates)
        remedy = f"write {meant}" if meant else remedy or f"define {what} `{word}`, or correct the name"
        help = f'did you mean "{near}"?' if near else remedy
        self._add("EV002", "unknown-name", span, f'there is no {what} named "{word}"', help)
        if meant and word.lower() in meant and " " not in meant:  # `tree` is decision-tree; c4.5 is only like it
            return self._rewritten(span, word, meant)
        if near and near == word.lower().replace("_", "-"):
            return self._rewritten(span, word, near)  # another way to write the same word
        return None

    def _rewritten(self, span: Span, word: str, new: str) -> str:
        if span.end - span.start == len(word):
            fix = Fix(title=f"write `{new}`", edits=(Edit(span, new),))
            self.findings[-1] = replace(self.findings[-1], fix=fix)
        return new

    def defined_twice(self, span: Span, word: str, where: str) -> None:
        """Report EV003: a name is defined twice."""
        self._add(
            "EV003", "defined-twice", span, f'"{word}" is already defined {where}', "give one of them a different name"
        )

    def bad_parameter(self, span: Span, message: str) -> None:
        """Report EV005: a parameter or option that does not exist."""
        message, _, help = message.partition("; ")
        help = help or "`evalang explain NAME` lists the parameters"
        self._add("EV005", "unknown-parameter", span, message, help)

    def invalid(self, span: Span, message: str, help: str) -> None:
        """Report EV006: a value that makes no sense here."""
        self._add("EV006", "bad-value", span, message, help)

    def conflict(self, span: Span, message: str, help: str) -> None:
        """Report EV007: clauses that contradict one another."""
        self._add("EV007", "clauses-disagree", span, message, help)

    def _add(self, code: str, name: str, span: Span, message: str, help: str) -> None:
        self.findings.append(Finding(code=code, name=name, level="error", message=message, help=help, span=span))


LARGEST_SEED = 2**63 - 1
LARGEST_COUNT = 10**9  # of rows, folds and repetitions; more is a slip of the pen


def read_literal(value: nodes.Value) -> Literals:
    """Return the value of a literal of a parameter list; a bare name stands for its text."""
    if isinstance(value, nodes.Sequence):
        return tuple(read_literal(item) for item in value.items)
    if isinstance(value, nodes.Name):
        return value.text
    return value.value


def read_options(arguments: tuple[nodes.Argument, ...], errors: PlanErrors) -> tuple[tuple[str, Literals], ...]:
    """Return `(name = value, ...)` as pairs; a name given twice is EV006."""
    options: dict[str, Literals] = {}
    for argument in arguments:
        name = argument.name.text
        if name in options:
            errors.invalid(argument.span, f"option `{name}` is given twice", "keep one of the two")
        options.setdefault(name, read_literal(argument.value))
    return tuple(options.items())


def read_part(amount: nodes.Amount, what: str, errors: PlanErrors) -> Part | None:
    """Return a share of the rows or a number of them; None (and EV006) when it is neither."""
    if amount.unit == "rows":
        fits = 1 <= amount.value <= LARGEST_COUNT and amount.value == int(amount.value)
        wrong, help = "a number of rows", "write a whole number, at least 1"
    else:
        fits = amount.unit != "points" and 0 < amount.value < 1
        wrong = "a share of the data"
        help = "write a fraction between 0 and 1 (20%, 1/5, 0.2), or a number of rows (500 rows)"
    if not fits:
        errors.invalid(amount.span, f"`{what} {amount.text}` is not {wrong}", help)
        return None
    return Part(rows=int(amount.value)) if amount.unit == "rows" else Part(fraction=float(amount.value))


def read_level(amount: nodes.Amount, errors: PlanErrors) -> float | None:
    """Return a significance level."""
    if amount.unit in ("rows", "points") or not 0 < amount.value < 1:
        help = "write a number between 0 and 1, such as 0.05"
        errors.invalid(amount.span, f"`{amount.text}` is not a significance level", help)
        return None
    return float(amount.value)


def read_whole(number: nodes.Number, what: str, low: int, errors: PlanErrors, high: int = LARGEST_COUNT) -> int | None:
    """Return a whole number within its bounds."""
    if not isinstance(number.value, int) or not low <= number.value <= high:
        written = number.text if len(number.text) <= 20 else "a number that long"
        errors.invalid(number.span, f"{what} cannot be {written}", f"write a whole number from {low} to {high}")
        return None
    return number.value


def read_looks(number: nodes.Number, errors: PlanErrors) -> int | None:
    """Return a number of looks."""
    return read_whole(number, "the number of looks", 1, errors)


def count_text(count: int) -> str:
    """Return a count as text.

    >>> count_text(1_000_000), count_text(1000**5)
    ('1,000,000', 'more than a million million')
    """
    return f"{count:,}" if abs(count) <= 10**12 else "more than a million million"


MOST_FOLDS = 100_000
MOST_PARTITIONS = 100_000


def read_scheme(written: nodes.SchemeNode, errors: PlanErrors, gap: nodes.Gap | None = None) -> Scheme | None:
    """Return the scheme, or None (with EV006) when its numbers make no sense."""
    card = find_scheme(written.kind)
    assert card is not None, written.kind
    wrong = _scheme_fault(written, card)
    if wrong is not None:
        errors.invalid(written.span, *wrong)
        return None
    part: Part | None = None
    if written.part is not None:
        part = read_part(written.part, "holdout" if card.part == "tested" else "a resample of", errors)
        if part is None:
            return None
    if card.drawn and written.grouped and written.stratified:
        message = "a grouped bootstrap draws whole groups, so it cannot be stratified by class"
        errors.conflict(written.span, message, "remove `stratified` or `grouped`")
        return None
    folds = 2 if card.five_by_two else written.folds or 10  # of cross-validation
    scheme = Scheme(
        kind=card.kind,
        partitions=1 if card.in_time else card.replications * (1 if card.five_by_two else written.count or 1),
        halvings=written.halvings or 0,
        folds=written.count or 1 if card.in_time else folds if card.k_fold else 1,
        part=part,
        rows=written.rows,
        looks=written.looks,
        stratified=written.stratified,
        grouped=written.grouped,
        span=written.span,
    )
    return with_gap(replace(scheme, text=_text(scheme, written.part.text if written.part else "")), gap, errors)


def _scheme_fault(written: nodes.SchemeNode, card: SchemeEntry) -> tuple[str, str] | None:
    """Return (message, help) for the first number of a scheme that makes no sense."""
    count, folds, halvings, rows, looks = written.count, written.folds, written.halvings, written.rows, written.looks
    counted = count if card.counts or halvings is None else count or 0
    limits = (
        (folds, 2, MOST_FOLDS, "the number of folds cannot be {}"),
        (
            counted,
            card.least if card.counts else 1,
            MOST_PARTITIONS,
            f"the number of {card.counts or 'repeats'} cannot be {{}}",
        ),
        (halvings, 2, MOST_PARTITIONS, "the number of halvings cannot be {}"),
        (rows or 0 if card.disjoint else rows, 1, LARGEST_COUNT, "the rows of a training set cannot be {}"),
        (looks, 1, LARGEST_COUNT, "the number of uses of the test rows cannot be {}"),
    )
    for value, low, high, message in limits:
        if value is not None and not low <= value <= high:
            return message.format(count_text(value)), f"write a number from {low} to {high:,}"
    if halvings is not None and ((folds or 0) < 4 or (folds or 0) % 2):
        even = "write an even number of folds, at least 4, such as `10 halvings of 10x10cv`"
        return (
            f"`halvings` needs a number of folds that can be halved, not {folds or 0}",
            even,
        )
    return None


def with_gap(scheme: Scheme, gap: nodes.Gap | None, errors: PlanErrors) -> Scheme:
    """Return the scheme with its gap, which only a forward scheme has."""
    if gap is not None and not scheme.card.in_time:
        errors.conflict(
            gap.span, "only a forward scheme can have a gap", "remove `gap`, or write `using forward 8 splits`"
        )
    elif gap is not None and (rows := read_whole(gap.rows, "a gap", 1, errors)):
        return replace(scheme, gap=rows, text=f"{scheme.text}, gap {rows} row{'s' * (rows != 1)}")
    return scheme


def _text(scheme: Scheme, amount: str) -> str:
    """Return the scheme as the language writes it."""
    stratified = {True: "stratified ", False: "unstratified ", None: ""}[scheme.stratified]
    written = scheme.card.written_window if scheme.window else scheme.card.written
    words = ("partitions", "groups", "folds", "rows", "looks", "halvings")
    form = written.format(part=amount, **{word: getattr(scheme, word) for word in words})
    return ("grouped " if scheme.grouped else "") + stratified + form


# The options that every metric takes: the words that each may be, and how messages name them.
_WORDS = {"better": ("higher", "lower"), "epochs": ("mean", "majority")}


def read_metric(call: nodes.Call, errors: PlanErrors) -> Metric | None:
    """Return a metric by name or alias, with its options."""
    word = call.name.text
    canonical = canonical_metric(word)
    card, implied = (find_metric(canonical[0]), canonical[1]) if canonical else (None, ())
    common, others = _split(call, errors)
    if card is None and word == "pass":
        return Metric(name=word, options=(("k", _samples(call, others, errors)),), better="higher", span=call.span)
    if card is None and any(a.name.text == "better" for a in call.arguments):  # your own metric says its direction
        for argument in others:
            errors.bad_parameter(
                argument.span, f"`{word}` is your own metric, which takes only the options `better` and `epochs`"
            )
        return Metric(name=word, span=call.span, **common)
    if card is None:
        remedy = "`evalang explain --all` lists the metrics; for your own write its direction: `bleu(better = higher)`"
        near = nearest(word, metric_words(), share=5)
        other = errors.unknown_name(call.name.span, "metric", word, (), remedy, meant_metric(word), near)
        card = find_metric(other) if other is not None else None
    if card is None:
        return None
    if not call.arguments:
        return Metric(name=card.name, options=implied, span=call.span)
    for argument in call.arguments:
        option, value = argument.name.text, read_literal(argument.value)
        if option == "better":
            if str(value) != ("higher" if card.higher_is_better else "lower"):
                errors.conflict(
                    argument.span, f"the direction of `{card.name}` is known and cannot be set", "remove `better`"
                )
        elif implied and option == implied[0][0]:
            errors.conflict(
                argument.span, f"the name `{word}` already sets `{option}`", f"write `{card.name}({option} = …)`"
            )
        elif option not in _WORDS and (wrong := check_option(card, option, value)):
            if option in dict(card.options):
                errors.invalid(argument.span, wrong, "`evalang explain` shows the values of the option")
            else:
                near = nearest(option, dict(card.options))
                offer = f"metric `{card.name}` has no option `{option}`; did you mean `{near}`?" if near else wrong
                errors.bad_parameter(argument.span, offer)
    options = (*implied, *read_options(others, errors))
    return Metric(name=card.name, options=options, epochs=common.get("epochs"), span=call.span)


UNKNOWN_METRIC = "an unknown metric"


def _split(call: nodes.Call, errors: PlanErrors) -> tuple[dict[str, Any], tuple[nodes.Argument, ...]]:
    """Return the options that every metric takes, and the other arguments."""
    common: dict[str, Any] = {}
    for argument in call.arguments:
        word, value = argument.name.text, read_literal(argument.value)
        if value in _WORDS.get(word, ()):
            common[word] = value
        elif word in _WORDS:
            one, two = _WORDS[word]
            errors.invalid(
                argument.span,
                f"option `{word}` must be `{one}` or `{two}`",
                f"write `{word} = {one}` or `{word} = {two}`",
            )
    return common, tuple([a for a in call.arguments if a.name.text not in _WORDS])


def _samples(call: nodes.Call, arguments: tuple[nodes.Argument, ...], errors: PlanErrors) -> int:
    """Return the k of `pass(k = 5)`; 1 where it is wrong, so that the rest of the design can be checked."""
    k = next((read_literal(a.value) for a in arguments if a.name.text == "k"), None)
    known = k if type(k) is int and k >= 1 else None
    if known is None:
        errors.invalid(call.span, "pass counts the samples of an item", "write `pass(k = 5)`")
    for argument in arguments:
        if argument.name.text != "k":
            message = (
                f"pass has no option {argument.name.text}: it is the probability that at least one of k samples is "
                "right"
            )
            errors.invalid(argument.span, message, f"write pass(k = {known or 5})")
    return known or 1


def read_margin(
    width: nodes.Amount,
    metrics: tuple[Metric, ...],
    errors: PlanErrors,
    *,
    in_per_cent: bool = True,
    zero: bool = False,
) -> float | None:
    """Return a difference in the metric's own unit; `%` and points fit only metrics that run from 0 to 1.

    `in_per_cent`: the scores are given or the metric is not, so that a bare number may be more than 1. `zero`: only
    posterior probabilities have a meaning without a margin.
    """
    if width.unit == "rows" or not 0 <= width.value < float("inf") or not (width.value or zero):
        errors.invalid(
            width.span, f"{width.text} is not a difference", "write 1 point, 1%, or a number in the metric's unit"
        )
        return None
    share = width.unit in ("%", "points")
    if share and no_unit(width.text, metrics, width.span, errors):
        return None
    if share or not in_per_cent:
        cards = [card for m in metrics if (card := m.card)]
        ends = ((card.name, card.low, card.high) for card in cards)
        whole = (
            name for name, low, high in ends if None not in (low, high) and width.value >= (high or 0) - (low or 0)
        )
        if name := next(whole, ""):
            message = f"{width.text} covers the whole range of {name}: no difference would matter"
            errors.invalid(width.span, message, "write 1 point, or 1%")
            return None
    return float(width.value)


def no_unit(text: str, metrics: tuple[Metric, ...], span: Span, errors: PlanErrors) -> bool:
    """Return whether a share or points mean nothing for one of the metrics, which is then reported (EV006)."""
    united = next((m.name for m in metrics if (card := m.card) and card.has_unit), None)
    if united:
        message = f"{text} has no meaning for {united}, which is not a share from 0 to 1"
        errors.invalid(span, message, "write a number in the unit of the metric, without `%` or `points`")
    return united is not None


def default_metric(datasets: Iterable[Dataset]) -> Metric:
    """Return the metric if the script names none: rmse for numbers, accuracy for everything else."""
    return Metric(name="rmse" if {d.task for d in datasets} == {"regression"} else "accuracy")


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

    @property
    def because(self) -> str | None:
        """The author's reason for a statement; three dots where something could not be read that may have been it."""
        clause = self.get(nodes.Because)
        return clause.reason.value if clause else "…" if self.unread else None

    def allowances(self, errors: PlanErrors, everywhere: bool = False) -> tuple[Allowance, ...]:
        """Return what `allow CODE because "..."` allows; without a reason it is EV006 and allows nothing."""
        allowed = []
        for one in self.every(nodes.Allow):
            code = one.code.text
            if one.reason is None or not one.reason.value.strip():
                errors.invalid(one.span, f"`allow {code}` gives no reason", f'write `allow {code} because "…"`')
            else:
                allowed.append(Allowance(code=code, reason=one.reason.value, everywhere=everywhere, span=one.span))
        return tuple(allowed)


# The clause of a field, and how it is read: by its own field of that name ("" for a clause without values), or so.
FieldReader = tuple[type[nodes.Clause], str | Callable[[Any, PlanErrors], Any]]
DefinitionStatement = (
    nodes.DatasetStatement
    | nodes.SuiteStatement
    | nodes.LearnerStatement
    | nodes.ResultsStatement
    | nodes.PredictionsStatement
)


def read_fields(clauses: Clauses, readers: Mapping[str, FieldReader], errors: PlanErrors) -> dict[str, Any]:
    """Return the fields whose clauses are written."""
    found: dict[str, Any] = {}
    for name, (kind, read) in readers.items():
        clause = clauses.get(kind)
        if clause is None:
            continue
        if isinstance(read, str):
            found[name] = not read or plain_value(getattr(clause, read))
        else:
            found[name] = read(clause, errors)
    return found


def plain_value(value: Any) -> Any:
    """Return what a node of a value, a name or a text stands for; of a tuple, of each."""
    if type(value) is tuple:  # no span, which is a NamedTuple
        return tuple(map(plain_value, value))
    return read_literal(cast(nodes.Value, value)) if isinstance(value, nodes.Node) else value


def record_of(kind: Callable[..., R], node: nodes.Node) -> R:
    """Return the record with the values of the node's fields of the same names."""
    return kind(**{field.name: plain_value(getattr(node, field.name)) for field in fields(cast(Any, kind))})


def read_count(what: str, low: int = 1, high: int = LARGEST_COUNT) -> Callable[[nodes.CountClause, PlanErrors], Any]:
    """Return the reader of a clause that counts."""
    return lambda clause, errors: read_whole(clause.count, what, low, errors, high)


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


def given_of(clauses: Clauses, kind: type[C], read: Callable[[C], T | None]) -> Given[T] | None:
    """Return the value of a clause that is written or set."""
    clause, origin = clauses.get_or_set(kind)
    value = read(clause) if clause else None
    return Given(value, origin, "", clause.span) if clause and value is not None else None


def alpha_of(clauses: Clauses, errors: PlanErrors) -> Given[float]:
    """Return the significance level."""
    written = given_of(clauses, nodes.At, lambda at: read_level(at.alpha, errors))
    return written or Given(ALPHA, "default", "the usual level")


def seed_of(clauses: Clauses, errors: PlanErrors) -> Given[int] | None:
    """Return the seed, if one is written or set."""
    return given_of(clauses, nodes.Seed, lambda seed: read_whole(seed.value, "a seed", 0, errors, LARGEST_SEED))
