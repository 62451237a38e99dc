"""Other ways to write the same design: every rule has to say of them what it says of the script they were made from.

Each operator takes a small script of a rule (with the facts of its data and its run) and writes it otherwise, or
answers None where it has nothing to do. What is bad has to stay bad, and what is good has to stay good.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from evalang.findings.rules import find_rule
from evalang.language import nodes
from evalang.language.grammar import words
from evalang.language.parser import parse
from evalang.language.text import SourceText, Span

from .cases import Case, report_on
from .scripts import PATH

Experiment = nodes.CompareStatement | nodes.EstimateStatement
Definition = (
    nodes.DatasetStatement
    | nodes.SuiteStatement
    | nodes.LearnerStatement
    | nodes.ResultsStatement
    | nodes.PredictionsStatement
)
_COMMENT = re.compile(r"(?m)[ \t]*#.*$")


@dataclass(frozen=True)
class Mutation:
    """A way to write a design otherwise; `about` are codes about the writing itself, which are not compared."""

    name: str
    write: Callable[[Case], Case | None]
    about: frozenset[str] = frozenset()


def plain(case: Case) -> Case:
    """The case without comments; its facts are read already."""
    return replace(case, text=re.sub(r"\n{2,}", "\n", _COMMENT.sub("", case.text)).strip() + "\n")


def codes(case: Case) -> Counter[str]:
    """How often each code is found at warning or above, and notes of the rule itself, named as notes."""
    rule = find_rule(case.rule)
    assert rule is not None
    report = report_on(case)
    assert report.asked is not None
    graver = [f for f in report.findings if f.level != "note"]
    notes = [f for f in report.asked.findings if f.level == "note" and f.code == rule.code]
    allowed = [a.finding for a in report.allowed]
    return Counter(f"{f.code} note" if f in notes else f.code for f in (*graver, *notes) if f not in allowed)


def statements(case: Case) -> list[tuple[Any, str]]:
    """The statements and their text; none where a part cannot be read."""
    script, findings = parse(SourceText(PATH, case.text))
    if findings:
        return []
    return [(one, case.text[one.span.start : one.span.end]) for one in script.statements]


def _joined(case: Case, texts: list[str]) -> Case | None:
    text = "\n".join(texts) + "\n"
    return replace(case, text=text) if texts and text != case.text else None


def _cut(statement: Any, text: str) -> tuple[str, list[str]]:
    """The statement before its first clause, and its clauses."""
    spans = sorted((one.span for one in statement.clauses), key=lambda span: span.start)
    if not spans or isinstance(statement, nodes.SetStatement):
        return text, []
    begin = statement.span.start
    head = text[: spans[0].start - begin].rstrip().removesuffix(",")
    return head, [text[span.start - begin : span.end - begin] for span in spans]


def _lines(case: Case) -> Case | None:
    """Every clause on a line of its own, with a comment between."""
    texts = []
    for one, text in statements(case):
        head, clauses = _cut(one, text)
        texts.append("\n  # as in the paper\n  ".join([head, *clauses]) + "\n# next")
    return _joined(case, texts)


def _reversed(case: Case) -> Case | None:
    """The clauses of every statement in another order; what `allow` or a reason belongs to hangs on the order."""
    texts = []
    for one, text in statements(case):
        head, clauses = _cut(one, text)
        fixed = isinstance(one, nodes.ResultsStatement | nodes.PredictionsStatement) or "because" in text
        fixed = fixed or " described as " in text  # what comes first has no comma before it
        texts.append(text if fixed else ", ".join([head, *reversed(clauses)]))
    return _joined(case, texts)


def _defined_below(case: Case) -> Case | None:
    """What is compared first, and what the names mean below it."""
    found = statements(case)
    if any(isinstance(one, nodes.SetStatement | nodes.IncludeStatement) for one, _ in found):
        return None
    below = [text for one, text in found if isinstance(one, Definition)]
    return _joined(case, [text for one, text in found if not isinstance(one, Definition)] + below)


def _swapped(case: Case) -> Case | None:
    """The learners of every comparison in the opposite order."""
    if case.run is not None:
        return None  # its facts are about the first and the second
    text = case.text
    for one, _ in reversed(statements(case)):
        if isinstance(one, nodes.CompareStatement):
            names = [text[name.span.start : name.span.end] for name in one.learners]
            for name, other in reversed(list(zip(one.learners, reversed(names), strict=True))):
                text = put(text, name.span, other)
    return _other(case, text)


def put(text: str, span: Span, new: str) -> str:
    """The text with other words at a place."""
    return text[: span.start] + new + text[span.end :]


def _other(case: Case, text: str) -> Case | None:
    return replace(case, text=text) if text != case.text else None


def _names(case: Case) -> list[str]:
    return [one.name.text for one, _ in statements(case) if isinstance(one, Definition)]


def _quoted(case: Case) -> Case | None:
    """Every name that the script defines stands in quotes."""
    named = {name: f'"{name}"' for name in _names(case)}
    return _other(case, _rewritten(case.text, named))


def _rewritten(text: str, names: Mapping[str, str]) -> str:
    """Names as bare words; the same word before `=`, `in` or `~` is a parameter or a column."""
    found = list(words(text, 0, len(text)))
    for one, after in reversed(list(zip(found, [*(w.text for w in found[1:]), ""], strict=True))):
        if one.text in names and after not in ("=", "in", "~") and not one.comment:
            text = text[: one.start] + names[one.text] + text[one.end :]
    return text


def _in_a_suite(case: Case) -> Case | None:
    """The datasets of a comparison as a suite with a reason."""
    sets = {one.name.text for one, _ in statements(case) if isinstance(one, nodes.DatasetStatement)}
    text, made = case.text, []
    for one, _ in reversed(statements(case)):
        if isinstance(one, Experiment) and one.datasets and {name.text for name in one.datasets} <= sets:
            span = Span(PATH, one.datasets[0].span.start, one.datasets[-1].span.end)
            made.append(f'suite zz{len(made)} is {text[span.start : span.end]} because "r"')
            text = put(text, span, f"zz{len(made) - 1}")
    return replace(case, text="\n".join([*made, text])) if made else None


MUTATIONS = (
    Mutation("clauses on lines of their own, with comments", _lines),
    Mutation("clauses in another order", _reversed),
    Mutation("definitions below", _defined_below),
    Mutation("sides swapped", _swapped),
    Mutation("names in quotes", _quoted),
    Mutation("datasets as a suite", _in_a_suite, frozenset({"EV101", "EV004"})),
)


def mutants(base: Case) -> Iterator[tuple[Mutation, Case]]:
    """Every other way to write a case."""
    for mutation in MUTATIONS:
        if (mutant := mutation.write(base)) is not None:
            yield mutation, mutant


def differences(case: Case) -> Iterator[tuple[str, str, str]]:
    """(mutation, the mutant, what it gives and lacks) wherever another way to write a case changes what is found."""
    base = plain(case)
    expected = codes(base)
    for mutation, mutant in mutants(base):
        found = codes(mutant)
        if _without(found, mutation.about) != _without(expected, mutation.about):
            new, gone = found - expected, expected - found
            yield mutation.name, mutant.text, f"new {sorted(new.elements())}, gone {sorted(gone.elements())}"


def _without(found: Counter[str], about: frozenset[str]) -> dict[str, int]:
    return {code: count for code, count in found.items() if code.split()[0] not in about}
