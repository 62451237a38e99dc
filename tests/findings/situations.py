"""Facts of the data and of finished runs in which the bad examples of the pages show their fault."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evalang.data.profile_facts import AnswerColumn, NumbersAsText, Profile, Sentinel, TableFacts

from .made_run import Fact


def _profile(name: str, features: int, *counts: tuple[str, int], **more: Any) -> Profile:
    rows = sum(count for _, count in counts)
    return Profile(name=name, rows=rows, features=features, task="classification", classes=counts, **more)


_HALVES = tuple((0.80, 0.81) for _ in range(5))
_VISITS = _profile("visits", 9, ("no", 300), ("yes", 200))
_ANSWER = (AnswerColumn(column="discharge", share=0.998),)
_OF_VISITS = {
    "EV108": replace(_VISITS, identifier_columns=("id",), answer_columns=_ANSWER),
    "EV112": _profile("visits", 9, ("no", 300), ("yes", 199), ("?", 1)),
    "EV319": replace(_VISITS, groups=14),
    "EV128": replace(_VISITS, sentinels=(Sentinel("age", -999.0, 12, 18.0, 90.0, elsewhere=False),)),
    "EV120": replace(_VISITS, group_like=(("patient", 120),)),
}
_PRICE = NumbersAsText(column="price", numbers=420, cells=500, words=(("on request", 80),))


def profiles(code: str) -> dict[str, Profile]:
    """What opening the data of a page's examples shows."""
    known = (
        _profile("tumours", 30, ("malignant", 212), ("benign", 357)),
        _profile("flowers", 4, ("setosa", 50), ("versicolor", 50), ("virginica", 50), duplicate_rows=2),
        _profile("wines", 13, ("a", 59), ("b", 71), ("c", 48)),
        _profile("fraud", 2, ("a", 1900), ("b", 100)),
        replace(_VISITS, name="goods", numbers_as_text=(_PRICE,) if code == "EV121" else ()),
        _OF_VISITS.get(code, _VISITS),
    )
    return {profile.name: profile for profile in known}


_PLACE = {"comparison": "compare-1", "dataset": "tumours", "metric": "accuracy"}
_ONE_FAR = tuple((f"d{i}", d) for i, d in enumerate((2.0, 2.5, 1.5, 2.0, 3.0, 2.0, 2.2, 60.0)))


def _pair(**given: object) -> Fact:
    return "pair", {**_PLACE, "first": "decision-tree", "second": "naive-bayes", **given}


def _judged(**given: object) -> Fact:
    said = {"test": "corrected-t", "difference": 0.01, "p": 0.001, "adjusted_p": 0.001, "alpha": 0.05}
    return "judgement", {**_pair()[1], **said, **given}


RUNS: dict[str, tuple[Fact, ...]] = {
    "EV207": (("chosen", {**_PLACE, "learner": "near", "parameter": "n_neighbors", "picks": (5.0, 5.0, 5.0, 3.0)}),),
    "EV307": (
        _pair(training_rows=284.0, scores=(((0.70, 0.71),) * 5, _HALVES)),
        _pair(comparison="compare-2", training_rows=512.0, scores=(_HALVES, _HALVES)),
    ),
    "EV309": (_pair(scores=(((0.1, 0.1), (0.9, 0.9), (0.5, 0.5), (0.5, 0.5), (0.5, 0.5)), _HALVES)),),
    "EV406": (("over", {**_PLACE, "first": "A", "second": "B", "test": "paired-t", "differences": _ONE_FAR}),),
    "EV407": (_pair(discordant=(14, 10)), _judged(test="corrected-proportions", p=0.4, approximate=True)),
    "EV705": (("claimed", {"claim": "claim-1", "status": "not settled", "reason": "p = 0.3"}),),
    "EV706": (_judged(),),
}


def _read(name: str = "table", **given: object) -> tuple[TableFacts, ...]:
    known = {"learners": ("A", "B"), "datasets": tuple(f"d{i}" for i in range(20))}
    return (TableFacts(name=name, **{**known, **given}),)  # type: ignore[arg-type]


TABLES: dict[str, tuple[TableFacts, ...]] = {
    "EV113": _read(datasets=(*(f"d{i}" for i in range(20)), "Average")),
    "EV114": _read(left_out=("d7", "d9")),
    "EV115": _read(spreads=12),
    "EV126": _read(percent=True, fractions=(("B", "d3"), ("B", "d4"))),
    "EV118": _read("answers", datasets=("answers",), items=200, epochs=(1, 1), temperature=0.7),
    "EV119": _read("answers", datasets=("answers",), items=80, samples=(5, 5), missing=((0, 400), (30, 400))),
    "EV123": _read("answers", datasets=("answers",), items=80, samples=(5, 1), missing=((0, 400), (0, 80))),
    "EV217": _read("logs", datasets=("sums",), items=200, epochs=(1, 1), differing=("prompt of sums: 'a', 'b'",)),
    "EV317": _read("runs", folds=100),
    "EV127": _read("answers", datasets=("answers",), sizes=((600, 0),), training=("split", 400)),
    "EV420": _read("answers", datasets=("answers",), items=1136, epochs=(1, 1), group_columns=(("task", 18),)),
    "EV421": _read(equal=(("A", "B"),)),
    "EV512": (*_read("one"), *_read("two")),
    "EV514": _read("board", datasets=("board",), items=200, epochs=(1, 1), held=41),
}
