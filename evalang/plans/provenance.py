"""How scores and learners came about that were made elsewhere, as the script says it."""

from __future__ import annotations

from typing import Literal

from .planned import Planned
from .scheme import Part

RoleWord = Literal["folds", "seeds", "repeats", "items"]


class Role(Planned):
    """What a column of a table is taken for: `seeds in "run"`."""

    column: str
    role: RoleWord


class Copied(Planned):
    """`copied from "Chen 2016, table 3" for xgb, lgbm`; no learners: all of them."""

    origin: str
    learners: tuple[str, ...] = ()


class Description(Planned):
    """A learner that is only described; what is not said is not known."""

    text: str
    randomised: bool = False
    gives_scores: bool = False
    tries: int | None = None  # settings tried in tuning
    by_hand: bool = False
    hours: float | None = None  # of tuning
    pretrained_on: str | None = None
    stopped_on_test: bool = False
    stopped_on: Part | None = None  # the part that early stopping looked at
