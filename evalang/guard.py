"""Guarded holdouts: what may still be asked of one, and the questions of a run with the answers the ledger keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .data.table import Table
from .errors import EvalangError, ScriptError
from .ledger.chain import Event, Said, append, events, read
from .ledger.past import SAME, design_of, shared
from .plans.model import Comparison, Plan
from .remember import Project, Rows, sketches_of
from .results.records import Estimate
from .trials.folds import folds
from .verdicts.evidence import Evidence
from .verdicts.thresholdout import ROWS_AN_OPENING, GuardedQuestion, answer, questions, rows_needed, tolerance

Key = tuple[str, ...]  # what makes a question the same: learner, metric, scheme, seed


def guarded(plan: Plan) -> tuple[Comparison, ...]:
    """The comparisons that are answered here."""
    return tuple(c for c in plan.comparisons if c.guarded)


def admit(plan: Plan, tables: Mapping[str, Table], rows: Rows, project: Project | None) -> None:
    """ScriptError before anything is trained, where a guarded holdout could not answer as it promises."""
    for c in guarded(plan):
        assert c.scheme is not None
        assert c.scheme.looks is not None
        span = c.span_of("using")
        if project is None:
            hint = "run it where evalang.ledger can be written, and without --no-ledger"
            raise ScriptError("a guarded holdout keeps its budget in the ledger", hint=hint, span=span)
        for metric in c.metrics:
            card = metric.card
            if card is None or not card.row_loss or (card.low, card.high) != (0.0, 1.0):
                hint = "measure accuracy, error, or another share that every row adds to"
                raise ScriptError(f"a guarded holdout cannot answer for {metric.label}", hint=hint, span=span)
        needed = rows_needed(c.scheme.looks)
        if needed is None:
            raise ScriptError(
                f"nobody has shown that {c.scheme.looks:,} looks are safe", hint="at most 1,000 looks", span=span
            )
        found = events(read(project.folder))
        for name in c.datasets:
            last = folds(c.scheme, tables[name], c.seed.value if c.seed else 0)[-1]
            if len(last.test) < needed or len(last.train) < len(last.test):
                raise ScriptError(
                    f"{name} has {len(last.train):,} rows to train on and {len(last.test):,} to test, too few for "
                    f"{c.scheme.looks} looks",
                    hint=f"{needed:,} test rows and as many for training are where the simulation shows protection",
                    span=span,
                )
            asked = _asked(found, rows, name)
            new = [key for key in _keys(plan, c) if key not in asked]
            if len(asked) + len(new) > c.scheme.looks:
                raise ScriptError(
                    f"the rows of {name} were asked {len(asked)} times, and {len(new)} questions more go beyond "
                    f"{c.scheme.looks}",
                    hint="the budget is spent: take rows that nobody has looked at",
                    span=span,
                )
            opened = sum(bool(one.get("opened")) for one in asked.values())
            if new and opened >= len(last.test) // ROWS_AN_OPENING:
                raise ScriptError(
                    f"the test part of {name} itself has answered {opened} times, which is all it may",
                    hint="the training part guesses badly: take rows that nobody has looked at",
                    span=span,
                )


def ask(plan: Plan, evidence: Mapping[str, Evidence], rows: Rows, project: Project) -> tuple[Estimate, ...]:
    """The answers; a question that was asked before has the answer it had."""
    made: list[Estimate] = []
    rng = np.random.default_rng()  # from the system: noise that can be known beforehand hides nothing
    for c in guarded(plan):
        try:
            found = questions(c, evidence[c.name])
        except EvalangError as error:
            made += [_estimate(c, GuardedQuestion(c.name, d, x, m.label, 0.0, 0.0), None, str(error))
                     for m in c.metrics for d in c.datasets for x in c.learners]  # fmt: skip
            continue
        made += [_estimate(c, one, _answer(plan, c, one, rows, project, rng)) for one in found]
    return tuple(made)


def _answer(
    plan: Plan, c: Comparison, one: GuardedQuestion, rows: Rows, project: Project, rng: np.random.Generator
) -> float:
    key = _key(plan, c, one.learner, one.metric)
    given = answer(one, rng)

    def new(found: tuple[Event, ...]) -> list[Said]:
        """Under the ledger's lock: two runs at once have one budget, and one answer to the same question."""
        asked = _asked(found, rows, one.dataset)
        if key in asked:
            return []
        if c.scheme is not None and c.scheme.looks is not None and len(asked) >= c.scheme.looks:
            raise ScriptError(
                f"another run has asked the rows of {one.dataset} meanwhile, and {c.scheme.looks} looks are used up",
                hint="the budget is spent: take rows that nobody has looked at",
                span=c.span_of("using"),
            )
        facts: dict[str, Any] = {
            "study": project.study,
            "comparison": one.comparison,
            "question": list(key),
            "answer": given.answer,
            "opened": given.opened,
            "sketch": list(sketches_of(found, {one.dataset: rows[one.dataset]})[one.dataset]),
        }
        return [("asked", facts)]

    append(project.folder, new)
    return float(_asked(events(read(project.folder)), rows, one.dataset)[key].get("answer"))


def _asked(found: Iterable[Event], rows: Rows, dataset: str) -> dict[Key, Event]:
    """Every question that these rows were asked, under whatever name and design."""
    there = tuple(found)
    mine = sketches_of(there, {dataset: rows[dataset]}).get(dataset, ())
    return {
        tuple(one.get("question", ())): one
        for one in there
        if one.kind == "asked" and shared(mine, tuple(one.get("sketch", ()))) >= SAME
    }


def _keys(plan: Plan, c: Comparison) -> tuple[Key, ...]:
    return tuple(_key(plan, c, learner, metric.label) for learner in c.learners for metric in c.metrics)


def _key(plan: Plan, c: Comparison, learner: str, metric: str) -> Key:
    design = design_of(plan, c)
    said = design.get("learners", {})
    text = said.get(learner, learner) if isinstance(said, dict) else learner
    kept = {name: str(value) for name, value in design.items() if name in ("tuning", "calibrated on", "failures")}
    using = (c.scheme.text if c.scheme else "").partition(" within ")[0]
    return (text, metric, using, str(design.get("seed")), *(f"{name} {value}" for name, value in sorted(kept.items())))


def _estimate(c: Comparison, one: GuardedQuestion, value: float | None, why: str = "") -> Estimate:
    return Estimate(
        comparison=c.name,
        learner=one.learner,
        dataset=one.dataset,
        metric=one.metric,
        score=value,
        interval=tolerance(value) if value is not None else None,
        method="guarded holdout",
        question=c.question,
        undecided_because=why,
    )
