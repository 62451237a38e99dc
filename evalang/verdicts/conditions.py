"""What a run did not meet, put under the verdicts and estimates that rest on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TypeVar

from ..results.verdict import Estimate, Verdict
from ..source.finding import Finding, Subject

V = TypeVar("V", Verdict, Estimate)


def with_conditions(judged: Sequence[V], findings: Sequence[Finding]) -> tuple[V, ...]:
    """The same verdicts, each with what its own test says of its conditions and with the findings that are about it."""
    return tuple(_with(one, findings) for one in judged)


def _with(one: V, findings: Sequence[Finding]) -> V:
    said = (*_own(one), *_found(one, findings))
    return dataclasses.replace(one, unmet=tuple(dict.fromkeys(said)))


def _own(one: Verdict | Estimate) -> tuple[str, ...]:
    return one.test.unmet if one.test is not None else ()


def _found(one: Verdict | Estimate, findings: Sequence[Finding]) -> tuple[str, ...]:
    return tuple(f.message for f in findings if _concerns(f.subject, one))


def _concerns(subject: Subject, one: Verdict | Estimate) -> bool:
    """A finding about one learner is about every verdict on it, one about a pair only about that pair."""
    learners = {one.learner} if isinstance(one, Estimate) else set(one.learners)
    named = set(subject.learners)
    return (
        subject.comparison == one.comparison
        and (subject.dataset == one.dataset or (one.dataset is None and subject.dataset in one.datasets))
        and subject.metric in ("", one.metric)
        and (named == learners or (len(named) < 2 and named <= learners))
    )
