"""The headlines of an estimate and of a simulation."""

from __future__ import annotations

from ..plans.model import Simulation
from ..results import numbers
from ..results.records import Estimate
from ..results.run_result import SimulationOutcome
from .simulated import smallest_found, untrained
from .view import View


def estimate_sentences(view: View) -> tuple[str, ...]:
    """The first metric; several datasets are summed up by the lowest and the highest score."""
    metric = view.estimates[0].metric
    mine = [e for e in view.estimates if e.metric == metric]
    scored = [e for e in mine if e.score is not None]
    if not scored:
        return (estimate_sentence(mine[0]),)
    if len(scored) <= 2 or len({e.learner for e in scored}) > 1:
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
    others = [e for e in view.estimates if e.metric != metric and e.score is not None]
    if others and len(others) == len(rest) <= 2 and len(mine) == 1:
        said.append(f"Estimated too: {numbers.listing([f'{e.metric} {_score(e)}' for e in others])}.")
    elif rest:
        said.append(f"Estimated too: {numbers.listing(rest)}.")
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
    if estimate.method == "guarded holdout":
        return f"{shown}, tolerance {numbers.interval(interval, estimate.metric)} (a guarded holdout, no verdict)"
    return f"{shown} ({numbers.percent(interval.level)} interval {numbers.interval(interval, estimate.metric)})"


def simulation_sentence(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> str:
    """One simulate statement in one sentence; a rate is too high only where its whole interval is."""
    if simulation.kind == "type-I":
        return _levels(simulation, outcomes)
    found = smallest_found(outcomes)
    if found:
        more = f" ({numbers.plural(len(found) - 1, 'more design')} below)" if len(found) > 1 else ""
        return f"{found[0].rstrip('.')}{more}."
    low, high = (pick(outcomes, key=lambda o: o.rate) for pick in (min, max))
    return f"The power runs from {low.rate:.3f} ({low.subject}) to {high.rate:.3f} ({high.subject})."


def _levels(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> str:
    worst: dict[str, SimulationOutcome] = {}
    over: set[str] = set()
    for o in outcomes:
        worst[o.subject] = max((o, worst.get(o.subject, o)), key=lambda one: one.rate)
        if o.interval is not None and o.interval.low > _alpha(o):
            over.add(o.subject)
    high = [f"{name} ({o.rate:.3f})" for name, o in worst.items() if name in over]
    kept = [f"{name} ({o.rate:.3f})" for name, o in worst.items() if name not in over]
    levels = numbers.listing(sorted({numbers.alpha_text(_alpha(o)) for o in outcomes}))
    trials = numbers.plural(min(o.trials for o in outcomes), "trial")
    said = []
    said += (
        [f"{numbers.listing(high)} {'rejects' if len(high) == 1 else 'reject'} more often than the level"]
        if high
        else []
    )
    said += (
        [f"{numbers.listing(kept)} {'keeps' if len(kept) == 1 else 'keep'} it, as far as {trials} can tell"]
        if kept
        else []
    )
    most = ", by the largest rate of each test" if len(outcomes) > len(worst) else ""
    told = f"Type I error at the level {levels}{most}: {'; '.join(said)}."
    unvaried = untrained(simulation)
    return (
        f"{told} No training is simulated, so this is no promise for {numbers.listing(unvaried)} on real folds."
        if unvaried
        else told
    )


def _alpha(outcome: SimulationOutcome) -> float:
    return dict(outcome.settings).get("alpha", 0.05)
