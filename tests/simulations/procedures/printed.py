"""What a printed report says: who is called better than whom, which intervals it shows, which claims it supports.

Only the words are read, as a reader would; nothing of the result object. A sentence that is not known stops the
simulation, so that new wording cannot be counted as silence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from evalang.results.numbers import higher_is_better

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
PLACE = r"(?:on|over) (?P<place>[^,(:]+?)(?: \([^)]*\))?"
METRIC = r" in (?P<metric>[^\s:,]+)"
BETTER = re.compile(rf"(?P<better>\S+) is better than (?P<worse>\S+) {PLACE}: (?P<metric>\S+) (?:higher|lower) ")
DIFFER = re.compile(rf"(?P<a>\S+) and (?P<b>\S+) differ {PLACE}{METRIC}, but")
EQUIVALENT = re.compile(rf"(?P<a>\S+) and (?P<b>\S+) are equivalent(?: within \S+)? {PLACE}{METRIC}:")
OPEN = re.compile(
    r"(?:No significant difference between |Inconclusive whether |There is no verdict on )?"
    rf"(?P<a>\S+) and (?P<b>\S+) (?:are (?:not )?equivalent (?:within \S+ )?)?{PLACE}{METRIC}[:,]"
)
OMNIBUS = re.compile(r"The \d+ (?:learners|models) are not all equal ")
MANY = re.compile(r"(?:No significant difference among|There is no verdict on) the \d+ (?:learners|models) ")
INTERVAL = re.compile(
    rf"(?:\d+(?:\.\d+)?% interval|(?P<kind>simultaneous|false-coverage) interval \([^)]*\)) of (?P<a>\S+) minus "
    rf"(?P<b>\S+) (?:is )?(?:(?P<low>{NUMBER}) to (?P<high>{NUMBER})|unbounded)"
)
EARLY = re.compile(rf", \d+(?:\.\d+)?% interval (?P<low>{NUMBER}) to (?P<high>{NUMBER})")
AHEAD = re.compile(r": (?P<ahead>\S+) is ahead by ")
ESTIMATE = re.compile(
    rf"(?P<learner>\S+) has (?P<metric>\S+) {NUMBER} \(\S+% interval (?P<low>{NUMBER}) to (?P<high>{NUMBER})"
)
CLAIM = re.compile(r"Claim (?P<status>supported|contradicted|inconclusive): (?P<text>[^:]*?)(?: \(claim-\d+\))?:")
HEADLINE = re.compile(r"(?P<better>\S+) is better than (?P<worse>\S+) (?:on|over) ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence behind the question about a pair of learners."""

    place: str
    metric: str
    pair: tuple[str, str]
    better: str | None  # who is called better
    differ: bool  # whether they are called different at all
    equivalent: bool
    undecided: bool  # whether there was no test
    interval: tuple[float, float] | None  # of the first of the pair minus the second
    together: bool  # whether the interval is said to hold for a whole family at once
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """Everything in a report that can be wrong."""

    sentences: tuple[Sentence, ...]
    omnibus: tuple[bool, ...]  # for each sentence about all learners: whether it calls them different
    estimates: tuple[tuple[str, tuple[float, float]], ...]  # learner and interval
    claims: tuple[tuple[str, str], ...]  # (status, what was claimed)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a terminal report, each on one line."""
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text)]


def read(text: str) -> Printed:
    """What the report says."""
    text = text.replace("`", "")
    sentences, omnibus, estimates = [], [], []
    for said in sentences_of(text):
        if (shown := ESTIMATE.match(said)) is not None:
            estimates.append((shown["learner"], (float(shown["low"]), float(shown["high"]))))
        elif MANY.match(said) or OMNIBUS.match(said):
            omnibus.append(bool(OMNIBUS.match(said)))
        else:
            sentences.append(_sentence(said))
    claims = [(m["status"], m["text"]) for paragraph in paragraphs(text) for m in CLAIM.finditer(paragraph)]
    _agree(text, sentences)
    return Printed(sentences=tuple(sentences), omnibus=tuple(omnibus), estimates=tuple(estimates), claims=tuple(claims))


def sentences_of(text: str) -> Iterator[str]:
    """The paragraphs after the question of a comparison, up to a list or the next heading: a verdict each."""
    inside = False
    for paragraph in paragraphs(text):
        if re.search(r"^- |(?:-{3}|\.{3})$", paragraph):
            inside = False
        if inside and paragraph:
            yield paragraph
        inside |= paragraph.startswith("Question: ")


def _agree(text: str, sentences: list[Sentence]) -> None:
    """The headline calls nobody better whom no sentence calls better."""
    told = {(s.better, *(x for x in s.pair if x != s.better)) for s in sentences if s.better is not None}
    for paragraph in paragraphs(text):
        line = HEADLINE.match(paragraph)
        if line is not None and (line["better"], line["worse"]) not in told:
            raise AssertionError(f"the headline says more than the sentences: {paragraph}")


def _sentence(said: str) -> Sentence:
    better, differ = BETTER.match(said), DIFFER.match(said)
    other = better or differ or OPEN.match(said)
    if other is None:
        raise AssertionError(f"a sentence that the simulation cannot read: {said}")
    shown, early = INTERVAL.search(said), EARLY.search(said)
    if shown is None and early is None and "interval" in said:
        raise AssertionError(f"an interval that the simulation cannot read: {said}")
    who = (better["better"], better["worse"]) if better else (other["a"], other["b"])
    pair = (shown["a"], shown["b"]) if shown else who
    if shown is None and early is not None:  # that of the larger mean minus the smaller
        named = AHEAD.search(said)
        ahead = better["better"] if better else named["ahead"] if named else ""
        if ahead and (who[0] == ahead) != higher_is_better(other["metric"]):
            pair = who[::-1]
        shown = early
    return Sentence(
        place=other["place"],
        metric=other["metric"],
        pair=pair,
        better=better["better"] if better else None,
        differ=bool(better or differ),
        equivalent=bool(EQUIVALENT.match(said)),
        undecided=said.startswith("There is no verdict"),
        interval=_ends(shown) if shown else None,
        together=shown is not None and shown.groupdict().get("kind") == "simultaneous",
        text=said,
    )


def _ends(shown: re.Match[str]) -> tuple[float, float]:
    return (float(shown["low"]), float(shown["high"])) if shown["low"] else (-math.inf, math.inf)
