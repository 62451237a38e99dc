"""The headline of an estimate: the score with its interval; of several, how far they reach."""

from __future__ import annotations

from ..results.verdict import Estimate
from . import numbers
from .view import View


def estimate_sentences(view: View) -> tuple[str, ...]:
    """The first metric; several datasets are summed up by the lowest and the highest score."""
    metric = view.estimates[0].metric
    mine = [e for e in view.estimates if e.metric == metric]
    scored = [e for e in mine if e.score is not None]
    if not scored:
        return (estimate_sentence(mine[0]),)
    if len(scored) <= 2:
        said = [estimate_sentence(e) for e in scored]
    else:
        low, high = (pick(scored, key=lambda e: e.score or 0.0) for pick in (min, max))
        who = scored[0].learner
        said = [
            f"{who} has {metric} from {_score(low)} on {low.dataset} to {_score(high)} on {high.dataset}, "
            f"over {numbers.plural(len(scored), 'dataset')}."
        ]
    missing = len(mine) - len(scored)
    said += [f"{numbers.plural(missing, 'dataset has', 'datasets have')} no score."] if missing else []
    shuffled = next((e for e in scored if e.test is not None and e.test.pvalue is not None), None)
    if shuffled is not None and shuffled.test is not None:
        said.append(f"Against shuffled labels on {shuffled.dataset}: {numbers.p_is(shuffled.test.pvalue)}.")
    rest = list(dict.fromkeys(e.metric for e in view.estimates if e.metric != metric))
    said += [f"Estimated too: {numbers.listing(rest)}."] if rest else []
    return tuple(said)


def estimate_sentence(estimate: Estimate) -> str:
    """One estimate in one sentence."""
    if estimate.score is None:
        reason = (estimate.undecided_because or "a trial failed").rstrip(".")
        return f"{estimate.learner} has no {estimate.metric} on {estimate.dataset}: {reason}."
    return f"{estimate.learner} has {estimate.metric} {_score(estimate)} on {estimate.dataset}."


def _score(estimate: Estimate) -> str:
    interval = estimate.interval
    shown = numbers.score(estimate.score, estimate.metric)
    if interval is None:
        return shown
    return f"{shown} ({numbers.percent(interval.level)} interval {numbers.interval(interval, estimate.metric)})"
