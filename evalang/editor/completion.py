"""What could be written next: words that fit, names in scope, entries of the catalogue, columns, parameters, values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..catalogue.cards import card
from ..catalogue.corrections import find_correction
from ..catalogue.learners import LEARNERS, STEPS, stage_parameters
from ..catalogue.metrics import METRICS, find_metric
from ..catalogue.schemes import SCHEMES
from ..catalogue.sources import BUNDLED, GENERATORS, READERS
from ..catalogue.tests import TESTS, find_test
from ..findings.page import page
from ..findings.rules import RULES
from ..language import nodes
from ..language.clauses import CLAUSE_WORDS
from ..language.decode import ENDINGS
from ..language.tokens import Word, terminal_words, words
from .data_columns import columns
from .following import Following, following
from .navigation import definitions, written
from .parameters import values_of
from .workspace import ScriptReading

_COLUMNS = ("target", "groups", "weights", "time", "folds", "drop", "truth", "in")
_PATHS = {
    "csv": (".csv", ".tsv", ".txt", ".gz", ".bz2", ".xz"), "feather": (".feather", ".arrow"), "excel": (".xlsx",),
    "parquet": (".parquet",), "arff": (".arff",), "weka": (".csv", ".arff"),
    "inspect": (".eval", ".json"), "lm-eval": (".jsonl", ".gz"), "amlb": (".csv",), "sklearn": (".csv",),
    "mlflow": (".db",), "every-eval-ever": (".json",), "openai-evals": (".jsonl",), "rliable": (".json",),
    "include": ENDINGS,
}  # fmt: skip
_LEARNERS = ("compare", "vs", "estimate", "claim", "than", "control", "expecting", "classifier")
_NEW = ("dataset", "suite", "learner", "results", "predictions", "as")  # after these a name is made up
_REPEATED = ("allow", "because", "copied")  # a clause is given once, except these
_MOST = 200


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that could be written; `insert` differs from `label` where it needs quotes."""

    label: str
    kind: str  # keyword, learner, step, dataset, comparison, test, metric, scheme, parameter, value, column, file, rule
    detail: str = ""
    insert: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """Offers for the stretch `start` to `end` of the script."""

    start: int
    end: int
    offers: tuple[Offer, ...]


def complete(reading: ScriptReading, offset: int, root: str = "") -> Completion:
    """Everything that fits at an offset; `root` is the folder below which headers of data files may be read."""
    place = following(reading.source.text, offset)
    if place is None:
        return Completion(offset, offset, ())
    if place.quoted:
        texts = _quoted(reading, place, root or reading.folder())
        return Completion(place.start + 1, offset, tuple(texts)[:_MOST])
    found = [*_inside_brackets(place), *_names(reading, place), *_words(reading, place)]
    once = {offer.label: offer for offer in reversed(found)}
    return Completion(place.start, offset, tuple(reversed(once.values())))


def about(label: str) -> str:
    """The card or page of an offer, in Markdown; "" when there is none."""
    return (page(label) or card(label) or "").strip()


# ---------------------------------------------------------------- words of the language


def _words(reading: ScriptReading, place: Following) -> Iterator[Offer]:
    said = {
        word.text
        for word in words(reading.source.text, *place.statement)
        if word.depth == 0 and word.text in CLAUSE_WORDS and word.text not in _REPEATED and word.start != place.start
    }
    if "$END" not in place.accepted and not any(word.text == "," and not word.depth for word in place.before[-1:]):
        said = set()  # inside a clause a word may return: `tune on`
    for terminal in sorted(place.accepted):
        word = terminal_words().get(terminal, "")
        if word and word[0].isalpha() and word not in said:
            correction = find_correction(word)
            yield Offer(word, "keyword", correction.title if correction else "")
    if "CV" in place.accepted:
        yield from (
            Offer(form, "scheme", entry.title)
            for entry in SCHEMES
            for form in [entry.form.replace("RxK", "10x10").replace("K", "10").replace("N", "30").replace("F", "1/3")]
            if form[0].isdigit()
        )


# ---------------------------------------------------------------- names


def _names(reading: ScriptReading, place: Following) -> Iterator[Offer]:
    last = place.before[-1].text if place.before else ""
    if not {"NAME", "DIGIT_NAME"} & place.accepted or _opened(place.before) is not None or last in _NEW:
        return
    if place.accepted == {"NAME", "SYNTHETIC"}:
        statement = place.before[0].text
        yield from (Offer(one.name, "keyword", one.title) for one in READERS if statement in one.statements)
        return
    role = _role(place.before)
    defined = [one for one in definitions(reading) if one.span.start != place.start]
    if role in _LEARNERS:
        yield from _offers((one.text for one in defined if one.kind == "learner"), "learner", "of this script")
        yield from (Offer(one.name, "learner", one.title) for one in LEARNERS)
    elif role in ("on", "of", "suite"):
        known = [one for one in defined if one.kind not in ("learner", "comparison")]
        yield from (Offer(one.text, "dataset", one.kind, written(one.text)) for one in known)
        yield from (Offer(one.name, "dataset", f"{one.rows:,} rows, bundled") for one in BUNDLED)
    elif role in ("to", "report", "according", "power"):
        yield from _offers((one.text for one in defined if one.kind == "comparison"), "comparison", "of this script")
    elif role in ("by", "type-I"):
        yield from (Offer(one.name, "test", one.title) for one in TESTS)
    elif role in ("measuring", "for", "primary"):
        yield from (Offer(one.name, "metric", one.title) for one in METRICS)
    elif role == "learner":
        yield from (Offer(one.name, "step", one.title) for one in STEPS)
        yield from (Offer(one.name, "learner", one.title) for one in LEARNERS)
    elif role == "prepared":
        yield from (Offer(one.name, "step", one.title) for one in STEPS)
    elif role == "allow":
        yield from (Offer(rule.code, "rule", rule.summary) for rule in RULES)
    elif role == "synthetic":
        yield from (Offer(one.name, "dataset", one.title) for one in GENERATORS)
    elif role == "tune":
        yield from _tunable(place)


def _offers(names: Iterable[str], kind: str, detail: str) -> Iterator[Offer]:
    return (Offer(name, kind, detail, written(name)) for name in names)


def _role(before: tuple[Word, ...]) -> str:
    """The word that says what a name would stand for here; of a learner's or suite's definition the statement word."""
    first = before[0].text if before else ""
    for word in reversed(before):
        if word.depth or word.text[0] in '",|()':
            continue
        if word.text == "is":
            return first
        if word.text == "of" and first == "simulate":
            continue
        if word.text in _ROLES:
            return word.text
    return first


_ROLES = frozenset(
    [*_LEARNERS, "on", "of", "to", "report", "according", "power", "by", "type-I", "measuring", "for", "primary",
     "prepared", "allow", "synthetic", "tune"]
)  # fmt: skip


def _tunable(place: Following) -> Iterator[Offer]:
    """Parameters of the learner that the statement defines, with the name of the step where there are several."""
    stages = [
        w.text for b, w in zip(place.before, place.before[1:], strict=False) if b.text in ("is", "|") and not w.depth
    ]
    for stage in stages:
        for name in stage_parameters(stage):
            label = f"{stage}.{name}" if len(stages) > 1 and stage != stages[-1] else name
            yield Offer(label, "parameter", f"of {stage}")


# ---------------------------------------------------------------- between brackets


def _inside_brackets(place: Following) -> Iterator[Offer]:
    """Parameters after `svm(`, values after `kernel =`."""
    opened = _opened(place.before)
    if not opened:
        return
    stage = place.before[opened - 1].text
    last = place.before[-1].text
    if last == "=":
        yield from (
            Offer(value, "value", f"of {place.before[-2].text}") for value in values_of(stage, place.before[-2].text)
        )
    elif last in ("(", ","):
        given = {
            a.text for a, b in zip(place.before[opened:], place.before[opened + 1 :], strict=False) if b.text == "="
        }
        for name, detail in _parameters(stage):
            if name not in given:
                yield Offer(name, "parameter", detail, f"{name} = ")


def _opened(before: tuple[Word, ...]) -> int | None:
    """The index of the bracket that is open at the end."""
    depth = 0
    for index in range(len(before) - 1, -1, -1):
        if before[index].text == ")":
            depth += 1
        elif before[index].text == "(":
            if depth == 0:
                return index
            depth -= 1
    return None


def _parameters(stage: str) -> Iterator[tuple[str, str]]:
    metric, test = find_metric(stage), find_test(stage)
    if metric is not None:
        yield from ((name, f"{value} by default") for name, value in metric.options)
    elif test is not None:
        yield from ((name, f"of {stage}") for name in test.options)
    else:
        yield from ((name, f"of {stage}") for name in stage_parameters(stage))


# ---------------------------------------------------------------- in quotes


def _quoted(reading: ScriptReading, place: Following, root: str) -> Iterator[Offer]:
    if place.before and place.before[-1].text == "=":
        stage = _opened(place.before)
        if stage:
            name = place.before[-2].text
            texts = (v for v in values_of(place.before[stage - 1].text, name) if v.startswith('"'))
            yield from (Offer(value[1:-1], "value", f"of {name}") for value in texts)
        return
    word = next((w.text for w in reversed(place.before) if w.text[0] not in '",'), "")
    if word in _PATHS:
        yield from _files(reading.folder(), place.typed, _PATHS[word])
    elif word == "builtin":
        yield from (Offer(one.name, "dataset", f"{one.rows:,} rows") for one in BUNDLED)
    elif word in _COLUMNS:
        statement = reading.statement_at(place.statement[0]) or _unfinished(reading, place)
        source = getattr(statement, "source", None)
        if isinstance(source, nodes.DataSource):
            yield from (
                Offer(name, "column", "", name.replace('"', '""')) for name in columns(source, reading.folder(), root)
            )


def _unfinished(reading: ScriptReading, place: Following) -> nodes.Statement | None:
    """The statement up to the clause that is being written, which cannot be read as a whole yet."""
    from ..language.parser import parse
    from ..language.text import SourceText

    for word in reversed(place.before):
        if word.text in CLAUSE_WORDS or word.text in ("datasets", "learners"):
            text = reading.source.text[place.statement[0] : word.start].rstrip().rstrip(",")
            found = parse(SourceText(reading.source.path, text))[0].statements
            if found:
                return found[0]
    return None


def _files(folder: str, typed: str, endings: tuple[str, ...]) -> Iterator[Offer]:
    """Files below the folder of the script that could be meant, and folders."""
    inner = os.path.dirname(typed)
    here = os.path.join(folder, inner)
    if ".." in inner.split("/") or os.path.isabs(inner):
        return
    try:
        names = sorted(os.listdir(here))
    except OSError:
        return
    for name in names:
        path = os.path.join(here, name)
        if name.startswith(".") or os.path.islink(path):
            continue
        label = f"{inner}/{name}" if inner else name
        if os.path.isdir(path):
            yield Offer(label + "/", "file")
        elif name.endswith(endings):
            yield Offer(label, "file")
