"""The clauses of a statement, looked up by kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from ..source.span import Span
from ..syntax import nodes
from .model import Allowance, Origin
from .problems import Problems

C = TypeVar("C", bound=nodes.Node)
Kept = Mapping[type[nodes.Node], nodes.Node]

# The word under which a rule finds the place of a clause: `comparison.span_of("tune")`.
WORDS: dict[type[nodes.Node], str] = {
    nodes.Using: "using",
    nodes.By: "by",
    nodes.Measuring: "measuring",
    nodes.TuneOn: "tune",
    nodes.TuneUsing: "tune",
    nodes.CalibrateOn: "calibrate",
    nodes.Correct: "correct",
    nodes.At: "at",
    nodes.Seed: "seed",
    nodes.Rope: "rope",
    nodes.Expecting: "expecting",
    nodes.Control: "control",
    nodes.AllPairs: "pairs",
    nodes.Failures: "failures",
    nodes.AsName: "as",
    nodes.CompleteCases: "cases",
    nodes.WithoutRetraining: "retraining",
    nodes.Because: "because",
    nodes.Primary: "primary",
    nodes.ThresholdOn: "threshold",
    nodes.StopEarly: "stop",
    nodes.UntilSettled: "until",
    nodes.Gap: "gap",
}
# The same for the first word of a clause that could not be read.
_UNREAD = {
    "alpha": "at", "all": "pairs", "complete": "cases", "without": "retraining",
    **dict.fromkeys(("bonferroni", "sidak", "holm", "hochberg", "hommel", "bh", "yekutieli", "uncorrected"), "correct"),
}  # fmt: skip


def clause(clauses: tuple[nodes.Clause, ...], kind: type[C]) -> C | None:
    """The clause of a kind, if the statement has one."""
    for found in clauses:
        if type(found) is kind:
            return found
    return None


def because(clauses: tuple[nodes.Clause, ...]) -> str | None:
    """The author's reason for a statement; three dots where something could not be read that may have been it."""
    found = clause(clauses, nodes.Because)
    unread = any(type(one) is nodes.Unread for one in clauses)
    return found.reason.value if found else "…" if unread else None


def allowances(
    clauses: tuple[nodes.Clause, ...], problems: Problems, everywhere: bool = False
) -> tuple[Allowance, ...]:
    """`allow CODE because "..."`; without a reason it is EV006 and allows nothing."""
    found = []
    for one in clauses:
        if type(one) is not nodes.Allow:
            continue
        code = one.code.text
        if one.reason is None or not one.reason.value.strip():
            problems.bad(one.span, f"allow {code} gives no reason", f'write allow {code} because "…"')
        else:
            found.append(Allowance(code=code, reason=one.reason.value, everywhere=everywhere, span=one.span))
    return tuple(found)


class Said:
    """What a statement says, and what `set` says above it in its file for all statements."""

    __slots__ = ("clauses", "kept", "unread")

    def __init__(self, clauses: tuple[nodes.Clause, ...], kept: Kept) -> None:
        self.unread = tuple(
            [(_UNREAD.get(one.word, one.word), one.span) for one in clauses if type(one) is nodes.Unread]
        )
        self.clauses: dict[type[nodes.Node], nodes.Node] = {}
        for one in clauses:
            self.clauses.setdefault(type(one), one)
        self.kept = kept

    def __contains__(self, kind: type[nodes.Node]) -> bool:
        return kind in self.clauses

    def get(self, kind: type[C]) -> C | None:
        """The clause as written in the statement."""
        found = self.clauses.get(kind)
        return found if isinstance(found, kind) else None

    def or_set(self, kind: type[C]) -> tuple[C | None, Origin]:
        """The clause as written, else as `set`, with where it came from."""
        found = self.clauses.get(kind)
        if isinstance(found, kind):
            return found, "written"
        found = self.kept.get(kind)
        return (found, "set") if isinstance(found, kind) else (None, "default")

    @property
    def spans(self) -> tuple[tuple[str, Span], ...]:
        """Where the clauses stand, by their words."""
        return (*((WORDS[kind], one.span) for kind, one in self.clauses.items() if kind in WORDS), *self.unread)

    def lost(self, word: str) -> bool:
        """Whether a clause could not be read that may have been this one."""
        return any(found in (word, "on", "") for found, _ in self.unread)
