"""One value of a run by its address: `trees-or-bayes.p`, `claim-1.status`, `simulate-1.mcnemar.error 10%.rate`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ..catalogue.corrections import multiplicity
from ..errors import ScriptError
from ..language.text import nearest
from ..results import numbers
from ..results.records import Estimate, SimulationOutcome, Verdict
from ..results.run_result import RunResult
from .sentences import say_estimate, say_fully, short
from .simulated import MARKS
from .view import subtraction_order, views


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
    "found": say_fully,
    "sentence": say_fully,
}
ESTIMATE_FIELDS: dict[str, Callable[[Estimate], str]] = {
    "score": lambda e: numbers.score(e.score, e.metric),
    "interval": lambda e: numbers.interval(e.interval, e.metric),
    "low": lambda e: numbers.score(e.interval.low if e.interval else None, e.metric),
    "high": lambda e: numbers.score(e.interval.high if e.interval else None, e.metric),
    "sentence": say_estimate,
}


def value(result: RunResult, address: str) -> str:
    """Return the value as the report writes it; `p` is the adjusted one, which is the one to quote alone."""
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
        hint = f"did you mean {near}?" if near else f"this run has {numbers.listing(choices) or 'none'}"
        raise ScriptError(f"{address} names no comparison or claim.", hint=hint)
    rest = address[len(name) + 1 :]
    estimates = [e for e in result.estimates if e.comparison == name]
    if estimates:
        return _estimate(estimates, rest, address)
    return _verdict(result, [v for v in result.verdicts if v.comparison == name], rest, address)


def _verdict(result: RunResult, verdicts: list[Verdict], rest: str, address: str) -> str:
    where, field = _split(rest, VERDICT_FIELDS)
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
        # The verdict over datasets is the wider answer, and the default.
        fitting = [v for v in fitting if v.dataset is None and v.pair] or fitting
    if len(fitting) == 1:
        return VERDICT_FIELDS[field](fitting[0]) + _direction(result, fitting[0], field, where)
    shown = [f"{address.split('.')[0]}.{v.dataset or 'over'}.{v.metric}.{field}" for v in fitting or verdicts]
    several = f"{len(fitting)} verdicts" if fitting else "no verdict"
    raise ScriptError(f"{address} fits {several}.", hint=f"write {numbers.listing(shown, most=3) or 'a name'}")


def _direction(result: RunResult, verdict: Verdict, field: str, where: str) -> str:
    """Return which learner is subtracted from which, where the tables subtract the other way and no name tells."""
    pair = "-vs-".join(verdict.learners)
    if field not in ("difference", "interval") or not verdict.pair or pair in where:
        return ""
    (view,) = views(result, verdict.comparison)
    first, second = verdict.learners
    return "" if subtraction_order(view).pair((first, second)) == (first, second) else f" ({first} minus {second})"


def _estimate(estimates: list[Estimate], rest: str, address: str) -> str:
    where, field = _split(rest, ESTIMATE_FIELDS)
    fitting = [e for e in estimates if _fits(where, [e.dataset, e.metric, e.learner])]
    if field is None or len(fitting) != 1:
        hint = f"name the dataset and metric, and one of {', '.join(ESTIMATE_FIELDS)}"
        raise ScriptError(f"{address} fits {len(fitting)} estimates.", hint=hint)
    return ESTIMATE_FIELDS[field](fitting[0])


def _split(rest: str, fields: Iterable[str]) -> tuple[str, str | None]:
    """Return the place of an address and the field at its end, the longest that fits."""
    field = max((f for f in fields if _ends(rest, f)), key=len, default=None)
    return (rest, None) if field is None else (rest[: len(rest) - len(field)].rstrip("."), field)


def _ends(text: str, word: str) -> bool:
    return text == word or text.endswith(f".{word}")


def _names(verdict: Verdict) -> list[str]:
    """Return the parts of an address that name this verdict: place, metric, the pair as `tree-vs-bayes`."""
    return [verdict.dataset or "over", verdict.metric, verdict.metric.partition("(")[0], "-vs-".join(verdict.learners)]


def _fits(text: str, names: list[str]) -> bool:
    """Return whether the text is some of these names, joined by dots (names may hold dots themselves)."""
    if not text:
        return True
    return any(
        text == name or (text.startswith(f"{name}.") and _fits(text[len(name) + 1 :], [n for n in names if n != name]))
        for name in names
        if name
    )


_ADDRESS = re.compile(r"multiplicity (?P<tests>[1-9][0-9]{0,8})\.(?P<field>[a-z]+)")
LEVEL = 0.05


def multiplicity_value(address: str) -> str | None:
    """Return what n independent tests do when nothing differs, or None for another address.

    >>> multiplicity_value("multiplicity 154.expected"), multiplicity_value("multiplicity 154.familywise")
    ('7.7', '0.9996')
    """
    asked = _ADDRESS.fullmatch(address)
    if asked is None:
        return None
    found = multiplicity(int(asked["tests"]), LEVEL)
    shown = {
        "expected": numbers.decimal(found.expected_false_positives, 1),
        "familywise": numbers.decimal(found.familywise_error, 4),
        "sidak": numbers.decimal(found.sidak_alpha, 6),
        "bonferroni": numbers.decimal(found.bonferroni_alpha, 6),
    }
    if asked["field"] not in shown:
        raise ScriptError(f"{address} names no value.", hint=f"end it with one of {', '.join(shown)}")
    return shown[asked["field"]]


FIELDS = ("rate", "low", "high", "interval", "trials", "difference", "rows", "datasets", "partitions", "resamples")
_SETTING = re.compile(r"(?P<word>[a-z-]+) (?P<value>[0-9.]+)(?P<percent>%?)")


def simulation_value(result: RunResult, address: str) -> str | None:
    """Return a simulated rate, or None when the address names no simulate statement."""
    name = next((s.name for s in result.plan.simulations if address.startswith(f"{s.name}.")), None)
    if name is None:
        return None
    rest, _, field = address[len(name) + 1 :].rpartition(".")
    if field not in FIELDS:
        raise ScriptError(f"{address} names no value.", hint=f"end it with one of {', '.join(FIELDS)}")
    wanted = {m["word"]: float(m["value"]) / (100 if m["percent"] else 1) for m in _SETTING.finditer(rest)}
    subject = _SETTING.sub("", rest).strip(". ").replace("..", ".")
    own = [o for o in result.simulations if o.name == name and _fits_setting(o, subject, wanted)]
    if len(own) != 1:
        several = f"{len(own)} rates" if own else "no rate"
        raise ScriptError(f"{address} fits {several}.", hint=f"write {name}.TEST.error 10%.{field}")
    return _shown(own[0], field)


def _fits_setting(outcome: SimulationOutcome, subject: str, wanted: dict[str, float]) -> bool:
    held = dict(outcome.settings)
    if any(word in held and word not in wanted for word in MARKS):
        return False
    named = subject in ("", outcome.subject) or set(subject.split()) <= set(re.split(r"[:\s]+", outcome.subject))
    return named and all(word in held and abs(held[word] - value) < 1e-9 for word, value in wanted.items())


def _shown(outcome: SimulationOutcome, field: str) -> str:
    interval = outcome.interval
    if field == "rate" or interval is None:
        return numbers.decimal(outcome.rate, 3)
    low, high = (numbers.decimal(end, 3) for end in (interval.low, interval.high))
    known = {"low": low, "high": high, "interval": f"{low} to {high}", "trials": numbers.count(outcome.trials)}
    if field in known:
        return known[field]
    held = dict(outcome.settings).get(field)
    if held is None:
        raise ScriptError(f"The rate of {outcome.subject} has no {field}.", hint="use `rate`")
    return f"{numbers.decimal(100 * held, 1)} points" if field == "difference" else numbers.count(int(held))
