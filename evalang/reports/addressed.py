"""One value of a run by its address: `trees-or-bayes.p`, `trees-or-bayes.heart.accuracy.low`, `claim-1.status`."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ScriptError
from ..language.nearest import nearest
from ..results import numbers
from ..results.records import Estimate, Verdict
from ..results.run_result import RunResult
from .headline_other import estimate_sentence
from .multiplicity_value import multiplicity_value
from .sentences import found, short
from .simulated_values import simulation_value


def _quotable(verdict: Verdict) -> float | None:
    raw = verdict.test.pvalue if verdict.test is not None else None
    return verdict.adjusted_p if verdict.adjusted_p is not None else raw


VERDICT_FIELDS: dict[str, Callable[[Verdict], str]] = {
    "p": lambda v: numbers.p(_quotable(v), v.alpha),
    "adjusted-p": lambda v: numbers.p(v.adjusted_p, v.alpha),
    "raw-p": lambda v: numbers.p(v.test.pvalue if v.test else None, v.alpha),
    "alpha": lambda v: numbers.alpha_text(v.alpha),
    "difference": lambda v: numbers.signed(v.difference, v.metric),
    "interval": lambda v: numbers.interval(v.interval, v.metric),
    "low": lambda v: numbers.score(v.interval.low if v.interval else None, v.metric),
    "high": lambda v: numbers.score(v.interval.high if v.interval else None, v.metric),
    "effect": lambda v: numbers.decimal(v.test.effect.value, 2) if v.test and v.test.effect else "none",
    "statistic": lambda v: numbers.statistic(v.test) if v.test else "none",
    "test": lambda v: v.test.test if v.test else "none",
    "units": lambda v: numbers.count(v.test.n_units) if v.test else "0",
    "verdict": short,
    "found": found,
    "sentence": found,
}
ESTIMATE_FIELDS: dict[str, Callable[[Estimate], str]] = {
    "score": lambda e: numbers.score(e.score, e.metric),
    "interval": lambda e: numbers.interval(e.interval, e.metric),
    "low": lambda e: numbers.score(e.interval.low if e.interval else None, e.metric),
    "high": lambda e: numbers.score(e.interval.high if e.interval else None, e.metric),
    "sentence": estimate_sentence,
}


def value(result: RunResult, address: str) -> str:
    """The value as the report writes it. `p` is the adjusted one: a value quoted alone should be the one to quote."""
    quoted = multiplicity_value(address) or simulation_value(result, address)
    if quoted is not None:
        return quoted
    claims = {c.claim: c for c in result.claims}
    head, _, field = address.rpartition(".")
    if head in claims and field in ("status", "reason"):
        return str(getattr(claims[head], field))
    names = [c.name for c in result.plan.comparisons]
    # Names may hold dots, so the longest that fits is the one meant.
    name = max((n for n in names if address == n or address.startswith(f"{n}.")), key=len, default=None)
    if name is None:
        choices = [*names, *claims]
        near = nearest(address.partition(".")[0], choices)
        hint = f"did you mean {near}?" if near else f"this run holds {numbers.listing(choices) or 'nothing'}"
        raise ScriptError(f"No comparison or claim is called for by {address}.", hint=hint)
    rest = address[len(name) + 1 :]
    estimates = [e for e in result.estimates if e.comparison == name]
    if estimates:
        return _estimate(estimates, rest, address)
    return _verdict([v for v in result.verdicts if v.comparison == name], rest, address)


def _verdict(verdicts: list[Verdict], rest: str, address: str) -> str:
    field = max((f for f in VERDICT_FIELDS if _ends(rest, f)), key=len, default=None)
    where = rest[: len(rest) - len(field or "")].rstrip(".") if field else rest
    fitting = [v for v in verdicts if _fits(where, _names(v))]
    if field is None:
        scores = {
            numbers.score(s.mean, v.metric)
            for v in verdicts
            for s in v.scores
            if _fits(rest, [*_names(v), s.learner]) and _ends(rest, s.learner)
        }
        if len(scores) == 1:
            return scores.pop()
        raise ScriptError(f"{address} names no value.", hint=f"end it with one of {', '.join(VERDICT_FIELDS)}")
    if not where:
        # Over datasets is the wider answer and the one meant when nothing else is said.
        fitting = [v for v in fitting if v.dataset is None and v.pair] or fitting
    if len(fitting) == 1:
        return VERDICT_FIELDS[field](fitting[0])
    shown = [f"{address.split('.')[0]}.{v.dataset or 'over'}.{v.metric}.{field}" for v in fitting or verdicts]
    several = f"{len(fitting)} verdicts" if fitting else "no verdict"
    raise ScriptError(f"{address} fits {several}.", hint=f"write {numbers.listing(shown, most=3) or 'a name'}")


def _estimate(estimates: list[Estimate], rest: str, address: str) -> str:
    field = max((f for f in ESTIMATE_FIELDS if _ends(rest, f)), key=len, default=None)
    where = rest[: len(rest) - len(field or "")].rstrip(".")
    fitting = [e for e in estimates if _fits(where, [e.dataset, e.metric, e.learner])]
    if field is None or len(fitting) != 1:
        hint = f"name the dataset and metric, and one of {', '.join(ESTIMATE_FIELDS)}"
        raise ScriptError(f"{address} fits {len(fitting)} estimates.", hint=hint)
    return ESTIMATE_FIELDS[field](fitting[0])


def _ends(text: str, word: str) -> bool:
    return text == word or text.endswith(f".{word}")


def _names(verdict: Verdict) -> list[str]:
    """What an address may say to mean this verdict: place, metric, the pair as `tree-vs-bayes`."""
    return [verdict.dataset or "over", verdict.metric, verdict.metric.partition("(")[0], "-vs-".join(verdict.learners)]


def _fits(text: str, names: list[str]) -> bool:
    """Whether the text is some of these names, joined by dots (names may hold dots themselves)."""
    if not text:
        return True
    return any(
        text == name or (text.startswith(f"{name}.") and _fits(text[len(name) + 1 :], [n for n in names if n != name]))
        for name in names
        if name
    )
