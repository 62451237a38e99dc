"""What could be written next: words the parser accepts, names in scope, cards, columns, parameters and values."""

from __future__ import annotations

import csv
import io
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lark import Token, UnexpectedToken

from ..catalogue.cards import card
from ..catalogue.corrections import find_correction
from ..catalogue.estimators import find_estimator
from ..catalogue.learners import LEARNERS, STEPS, stage_parameters, targets
from ..catalogue.metrics import METRICS, find_metric
from ..catalogue.schemes import SCHEMES
from ..catalogue.sources import BUNDLED, GENERATORS, READERS
from ..catalogue.tests import TESTS, find_test
from ..findings.page import page
from ..findings.rules import RULES
from ..language import nodes
from ..language.builder import Problem
from ..language.files import ENDINGS
from ..language.grammar import CLAUSE_WORDS, Word, terminal_words, words
from ..language.nodes import STATEMENT_WORDS
from ..language.parser import feed_words, parse, split_statements
from ..language.text import SourceText
from ..plans.learners import literal_text
from .navigation import Mention, definitions, written
from .workspace import ScriptReading

_UNFINISHED = re.compile(r"[\w.-]*\Z")
_STATEMENTS = frozenset(word.upper() for word in STATEMENT_WORDS)


@dataclass(frozen=True, slots=True)
class Following:
    """The terminals that fit at a place; `before` are the words of the statement up to it, `typed` the word begun."""

    accepted: frozenset[str]
    before: tuple[Word, ...]
    typed: str
    start: int  # where the word begun starts
    quoted: bool  # inside text in quotes
    statement: tuple[int, int]


def following(text: str, offset: int) -> Following | None:
    """Return what may stand at an offset; None inside a comment, or where what stands before cannot be read."""
    line = text.rfind("\n", 0, offset) + 1
    starts = [start for start, _ in split_statements(text)]
    begin = max((start for start in starts if start <= offset), default=offset)
    end = next((start for start in starts if start > offset), len(text))
    before = list(words(text, begin, offset))
    if before and before[-1].comment and before[-1].end >= offset:
        return None
    quote = _open_quote(text, max(line, begin), offset)
    if quote is not None:
        start, typed = quote, text[quote + 1 : offset]
    else:
        found = _UNFINISHED.search(text, max(line, begin), offset)
        typed = found[0].lstrip(".-") if found else ""
        start = offset - len(typed)
    read = tuple(word for word in before if word.end <= start and not word.comment)
    accepted = _accepted(text, begin, start) if read else frozenset[str]()
    if quote is None and not text[line:start].strip():  # the first word of a line may begin a statement
        accepted |= _STATEMENTS
    return Following(accepted, read, typed, start, quote is not None, (begin, end))


def _open_quote(text: str, start: int, offset: int) -> int | None:
    """Return where the quotes begin that are open at an offset."""
    opened: int | None = None
    for index in range(start, offset):
        if text[index] == '"':
            opened = index if opened is None else None
        elif text[index] == "#" and opened is None:
            return None
    return opened


def _accepted(text: str, start: int, end: int) -> frozenset[str]:
    cut = text[start:end]
    body = cut.rstrip()
    comma = body.endswith(",")
    try:
        stopped = feed_words("", text, start, start + len(body) - 1 if comma else end)
    except (UnexpectedToken, Problem):
        return frozenset()
    if not comma:
        return frozenset(stopped.accepts())
    # A comma goes on with the list or ends it: only the word after it could tell.
    found: set[str] = set()
    for kind in stopped.accepts() & {"COMMA", "CLAUSE_COMMA"}:
        again = stopped.copy(deepcopy_values=False)
        again.feed_token(Token(kind, ","))
        found |= again.accepts()
    return frozenset(found)


_COLUMNS = ("target", "groups", "weights", "time", "folds", "drop", "truth", "in")
_TABLES = (".txt", ".arrow", ".gz", ".bz2", ".xz")  # endings of tables beside those of their reader
# The word before a path -> the endings of files that are offered; "" is any, for a reader that names none.
_PATHS = {one.name: (*one.endings, *_TABLES) if one.endings else ("",) for one in READERS if one.is_path}
_PATHS["include"] = ENDINGS
_LEARNERS = ("compare", "vs", "estimate", "claim", "than", "control", "expecting", "classifier")
_NEW = ("dataset", "suite", "learner", "results", "predictions", "as")  # after these a name is made up
_REPEATED = ("allow", "because", "copied")  # a clause is given once, except these
_MOST = 200
Defined = list[Mention]


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
    """Return everything that fits at an offset; `root` is the folder below which headers of data files may be read."""
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
    """Return the card or page of an offer, in Markdown; "" when there is none."""
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
    if role == "tune":
        yield from _tunable(place)
    elif role in _NAMED:
        yield from _NAMED[role]([one for one in definitions(reading) if one.span.start != place.start])


def _of_script(defined: Defined, kind: str) -> Iterator[Offer]:
    return (Offer(one.text, kind, "of this script", written(one.text)) for one in defined if one.kind == kind)


def _role(before: tuple[Word, ...]) -> str:
    """Return the word that says what a name would stand for here; after `is` it is the statement word."""
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


def _learners(defined: Defined) -> Iterator[Offer]:
    yield from _of_script(defined, "learner")
    yield from (Offer(one.name, "learner", one.title) for one in LEARNERS)


def _data(defined: Defined) -> Iterator[Offer]:
    known = [one for one in defined if one.kind not in ("learner", "comparison")]
    yield from (Offer(one.text, "dataset", one.kind, written(one.text)) for one in known)
    yield from (Offer(one.name, "dataset", f"{one.rows:,} rows, bundled") for one in BUNDLED)


def _cards(**entries: Iterable[Any]) -> Callable[[Defined], Iterator[Offer]]:
    """Return the offers of cards, by their kind."""
    return lambda _: (Offer(one.name, kind, one.title) for kind, cards in entries.items() for one in cards)


# What the names are that may follow a word.
_NAMED: dict[str, Callable[[Defined], Iterable[Offer]]] = {
    **dict.fromkeys(_LEARNERS, _learners),
    **dict.fromkeys(("on", "of", "suite"), _data),
    **dict.fromkeys(("to", "report", "according", "power"), lambda defined: _of_script(defined, "comparison")),
    **dict.fromkeys(("by", "type-I"), _cards(test=TESTS)),
    **dict.fromkeys(("measuring", "for", "primary"), _cards(metric=METRICS)),
    "learner": _cards(step=STEPS, learner=LEARNERS),
    "prepared": _cards(step=STEPS),
    "allow": lambda _: (Offer(rule.code, "rule", rule.summary) for rule in RULES),
    "synthetic": _cards(dataset=GENERATORS),
}
_ROLES = _NAMED.keys() - {"suite", "learner"} | {"tune"}


def _tunable(place: Following) -> Iterator[Offer]:
    """Yield the parameters of the learner that the statement defines; with several steps, with the step's name."""
    stages = [w.text for b, w in pairwise(place.before) if b.text in ("is", "|") and not w.depth]
    for stage in stages:
        for name in stage_parameters(stage):
            label = f"{stage}.{name}" if len(stages) > 1 and stage != stages[-1] else name
            yield Offer(label, "parameter", f"of {stage}")


# ---------------------------------------------------------------- between brackets


def _inside_brackets(place: Following) -> Iterator[Offer]:
    """Yield parameters after `svm(`, and values after `kernel =`."""
    opened = _opened(place.before)
    if not opened:
        return
    stage = place.before[opened - 1].text
    last = place.before[-1].text
    if last == "=":
        parameter = place.before[-2].text
        yield from (Offer(value, "value", f"of {parameter}") for value in values_of(stage, parameter))
    elif last in ("(", ","):
        given = {a.text for a, b in pairwise(place.before[opened:]) if b.text == "="}
        for name, detail in _parameters(stage):
            if name not in given:
                yield Offer(name, "parameter", detail, f"{name} = ")


def _opened(before: tuple[Word, ...]) -> int | None:
    """Return the index of the bracket that is open at the end."""
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
            names = columns(source, reading.folder(), root)
            yield from (Offer(name, "column", "", name.replace('"', '""')) for name in names)


def _unfinished(reading: ScriptReading, place: Following) -> nodes.Statement | None:
    """Return the statement up to the clause that is being written, which cannot be read as a whole yet."""
    for word in reversed(place.before):
        if word.text in CLAUSE_WORDS or word.text in ("datasets", "learners"):
            text = reading.source.text[place.statement[0] : word.start].rstrip().rstrip(",")
            found = parse(SourceText(reading.source.path, text))[0].statements
            if found:
                return found[0]
    return None


def _files(folder: str, typed: str, endings: tuple[str, ...]) -> Iterator[Offer]:
    """Yield files and folders below the folder of the script that could be meant."""
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


def values_of(stage: str, parameter: str) -> tuple[str, ...]:
    """Return named values, `true`, `false`, `none`, and the default; numbers have no list.

    >>> values_of("svm", "kernel")[:2]
    ('"linear"', '"poly"')
    """
    return tuple(dict.fromkeys(_values(stage, parameter)))


def _values(stage: str, parameter: str) -> Iterator[str]:
    for dotted in targets(stage):
        entry = find_estimator(dotted)
        spec = entry.specs.get(parameter) if entry else None
        if spec is None or spec[1] == "refused":
            continue
        for one in spec[1:]:
            if isinstance(one, list) and one[0] == "one":
                yield from (literal_text(option) for option in one[1:])
            elif one == "bool":
                yield from ("true", "false")
            elif one == "none":
                yield "none"
        if isinstance(spec[0], (bool, int, float)) or (isinstance(spec[0], str) and spec[0] != "…"):
            yield literal_text(spec[0])


LONGEST = 64 * 1024  # bytes read; a longer first line has no columns worth offering


def columns(source: nodes.DataSource, folder: str, root: str) -> tuple[str, ...]:
    """Return the names in the header of a CSV file inside `root`; () for anything else. No link is followed."""
    if source.kind not in ("csv", "weka") or not isinstance(source.locator, nodes.Text):
        return ()
    head = _head(os.path.join(folder, source.locator.value), root)
    if head is None:
        return ()
    given = {one.name.text: one.value for one in source.options}
    separator, encoding = given.get("separator"), given.get("encoding")
    mark = separator.value if isinstance(separator, nodes.Text) and len(separator.value) == 1 else ","
    try:
        text = head.decode(encoding.value if isinstance(encoding, nodes.Text) else "utf-8-sig")
        row = next(csv.reader(io.StringIO(text), delimiter=mark), [])
    except (UnicodeDecodeError, LookupError, csv.Error, ValueError):
        return ()
    return tuple(dict.fromkeys(name.strip() for name in row if name.strip()))


def _head(path: str, root: str) -> bytes | None:
    """Return the first line of a regular file below `root`; None when it lies elsewhere or the line is too long."""
    real, top = os.path.realpath(path), os.path.realpath(root)
    try:
        if os.path.commonpath((top, real)) != top:
            return None
        handle = os.open(real, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        data = file.read(LONGEST)
    end = data.find(b"\n")
    return data[:end] if end >= 0 else data if len(data) < LONGEST else None
