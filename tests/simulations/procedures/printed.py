"""What a printed report says: who is called better than whom, which intervals it shows, which claims it supports.

Only the words are read, as a reader would; nothing of the result object. A sentence that is not known stops the
simulation, so that new wording cannot be counted as silence.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
PLACE = r"(?:On|Over) (?P<place>[^,(]+)(?: \([^)]*\))?, "
PREPARED = re.compile(r"No preprocessing was added to ")  # of the methods: no finding
BETTER = re.compile(PLACE + r"(?P<better>\S+) has (?:higher|better \(lower\)) (?P<metric>\S+) than (?P<worse>\S+)")
DIFFER = re.compile(PLACE + r"(?P<a>\S+) and (?P<b>\S+) differ in (?P<metric>[^\s,]+)")
OPEN = re.compile(
    PLACE + r"(?:nothing is decided between )?(?P<a>\S+) and (?P<b>\S+) "
    r"(?:do not differ significantly |are not shown to be equivalent (?:within \S+ )?|are equivalent (?:within \S+ )?)?"
    r"in (?P<metric>[^\s:,]+)"
)
MANY = re.compile(PLACE + r"(?:at least one of the|the|nothing is decided among the) \d+ learners")
EQUIVALENT = re.compile(r"\S+ and \S+ are equivalent")
INTERVAL = re.compile(
    rf"(?:\d+(?:\.\d+)?% interval|(?P<kind>simultaneous|false-coverage) interval \([^)]*\)) of (?P<a>\S+) minus "
    rf"(?P<b>\S+) (?:(?P<low>{NUMBER}) to (?P<high>{NUMBER})|unbounded)"
)
OMNIBUS = re.compile(PLACE + r"(?:at least one of the \d+ learners differs|not all )")
ESTIMATE = re.compile(
    PLACE + rf"(?P<learner>\S+) has (?P<metric>\S+) {NUMBER}, \S+% interval (?P<low>{NUMBER}) to (?P<high>{NUMBER})"
)
CLAIM = re.compile(r"Claim (?P<status>supported|contradicted|inconclusive): (?P<text>[^:]*?)(?: \(claim-\d+\))?:")
HEADLINE = re.compile(r"(?P<better>\S+) is better than (?P<worse>\S+) (?:on|over) ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence after "Found:" about a pair of learners."""

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
    sentences, omnibus, estimates, claims = [], [], [], []
    for paragraph in paragraphs(text):
        for found in re.split(r"(?=\bFound: )", paragraph):
            if re.match(rf"Found: |{PLACE}", found) and not PREPARED.match(found):
                said = found.removeprefix("Found: ")
                if (shown := ESTIMATE.match(said)) is not None:
                    estimates.append((shown["learner"], (float(shown["low"]), float(shown["high"]))))
                elif MANY.match(said) or OMNIBUS.match(said):
                    omnibus.append(bool(OMNIBUS.match(said)))
                else:
                    sentences.append(_sentence(said))
        claims += [(m["status"], m["text"]) for m in CLAIM.finditer(paragraph)]
    _agree(text, sentences)
    return Printed(sentences=tuple(sentences), omnibus=tuple(omnibus), estimates=tuple(estimates), claims=tuple(claims))


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
    shown = INTERVAL.search(said)
    if shown is None and "interval" in said:
        raise AssertionError(f"an interval that the simulation cannot read: {said}")
    who = (better["better"], better["worse"]) if better else (other["a"], other["b"])
    pair = (shown["a"], shown["b"]) if shown else who
    return Sentence(
        place=other["place"],
        metric=other["metric"],
        pair=pair,
        better=better["better"] if better else None,
        differ=bool(better or differ),
        equivalent=bool(EQUIVALENT.search(said)),
        undecided="nothing is decided" in said,
        interval=_ends(shown) if shown else None,
        together=shown is not None and shown["kind"] == "simultaneous",
        text=said,
    )


def _ends(shown: re.Match[str]) -> tuple[float, float]:
    return (float(shown["low"]), float(shown["high"])) if shown["low"] else (-math.inf, math.inf)
