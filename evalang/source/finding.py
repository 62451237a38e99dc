"""What lint reports: one finding, its level and stage, and the repair that comes with it."""

from __future__ import annotations

from typing import Literal

from .record import Record
from .text import NOWHERE, Span

Level = Literal["error", "warning", "note"]
Stage = Literal["design", "data", "run"]

LEVELS: tuple[Level, ...] = ("error", "warning", "note")
STAGES: tuple[Stage, ...] = ("design", "data", "run")


class Edit(Record):
    """Replace the characters of `span` by `text`; an insertion has an empty span."""

    span: Span
    text: str


class Fix(Record):
    """A repair: what it does in words, and its edits. Only a `safe` one is written by `lint --fix`."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


class Subject(Record):
    """What a finding is about. An empty field narrows nothing; `statement` is the name of what the author wrote, when
    it is neither the comparison, the dataset nor the learner: a claim, or the learner whose grid ends too soon.
    """

    comparison: str = ""
    dataset: str | None = None
    metric: str = ""
    learners: tuple[str, ...] = ()
    statement: str = ""

    @property
    def name(self) -> str:
        """The name a reader is told."""
        return self.statement or self.comparison or self.dataset or next(iter(self.learners), "")


class Finding(Record):
    """One pitfall found: what (in the user's own names and numbers), where, and how to repair it."""

    code: str
    name: str
    level: Level
    message: str
    help: str
    span: Span = NOWHERE
    stage: Stage = "design"
    subject: Subject = Subject()
    fix: Fix | None = None
