"""Runs that never were: the records a run-stage rule reads, made from the few numbers a case is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from evalang.plans.model import Plan
from evalang.results.records import ClaimOutcome, ScoreRow, Scores, TestResult, Tried, Verdict
from evalang.results.run_result import RunResult

Kind = Literal["pair", "judgement", "over", "chosen", "claimed"]
Fact = tuple[str, dict[str, Any]]


def made_run(plan: Plan, facts: Iterable[Fact]) -> RunResult:
    """The result of a run of the plan in which nothing but these facts is known."""
    facts = list(facts)
    told = [given for kind, given in facts if kind == "pair"]
    disagree = {_place(p): p["discordant"] for p in told if p.get("discordant") is not None}
    verdicts = [_judged(given, disagree.get(_place(given))) for kind, given in facts if kind == "judgement"]
    verdicts += [_over(given) for kind, given in facts if kind == "over"]
    return RunResult(
        plan=plan,
        verdicts=tuple(verdicts),
        claims=tuple(ClaimOutcome(**given) for kind, given in facts if kind == "claimed"),
        candidates=tuple(one for kind, given in facts if kind == "chosen" for one in _tried(given)),
        scores=Scores.of(list(dict.fromkeys(row for given in told for row in _rows(given)))),
    )


def _place(given: dict[str, Any]) -> tuple[Any, ...]:
    return given["comparison"], given["dataset"], given["first"], given["second"]


def _rows(given: dict[str, Any]) -> Iterable[ScoreRow]:
    trained = int(given.get("training_rows") or 0)
    for learner, scores in zip((given["first"], given["second"]), given.get("scores", ()), strict=False):
        for partition, folds in enumerate(scores):
            for fold, score in enumerate(folds):
                place = (given["comparison"], learner, given["dataset"], partition, fold, 0, given["metric"])
                yield ScoreRow(*place, score, trained, 1)


def _judged(given: dict[str, Any], disagree: tuple[int, int] | None) -> Verdict:
    test = _test(
        given["test"],
        difference=given["difference"],
        pvalue=given["p"],
        wins=disagree[0] if disagree else 0,
        losses=disagree[1] if disagree else 0,
        method="approximation" if given.get("approximate") else "exact",
        details=(("n01", 1.0),) if disagree else (),
    )
    return _verdict(given, test, dataset=given["dataset"], adjusted_p=given["adjusted_p"], alpha=given["alpha"])


def _over(given: dict[str, Any]) -> Verdict:
    datasets, differences = zip(*given["differences"], strict=True) if given["differences"] else ((), ())
    return _verdict(given, _test(given["test"]), dataset=None, datasets=datasets, differences=differences)


def _verdict(given: dict[str, Any], test: TestResult, **more: Any) -> Verdict:
    values: dict[str, Any] = {"adjusted_p": None, "alpha": 0.05, "family": "", "decision": "not-settled", **more}
    learners = (given["first"], given["second"])
    return Verdict(comparison=given["comparison"], metric=given["metric"], learners=learners, test=test, **values)


def _test(name: str, **given: Any) -> TestResult:
    values: dict[str, Any] = dict.fromkeys(("statistic", "pvalue", "difference", "interval", "effect"))
    values |= dict.fromkeys(("wins", "ties", "losses", "n_units"), 0)
    values |= dict.fromkeys(("statistic_name", "unit", "method"), "")
    return TestResult(test=name, df=(), alternative="two-sided", **{**values, **given})


def _tried(given: dict[str, Any]) -> Iterable[Tried]:
    for place, value in enumerate(given["picks"]):
        yield Tried(
            comparison=given["comparison"],
            learner=given["learner"],
            dataset=given["dataset"],
            partition=0,
            fold=place,
            metric="accuracy",
            setting=((given["parameter"], value),),
            score=None,
            chosen=True,
        )
