"""The headline of a comparison: its answer in a sentence or two, and the one picture that shows it.

It is made of the decisions of the verdicts and says no more than they do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..results import numbers
from ..results.numbers import name, these_sentence
from ..results.records import Estimate, Verdict
from ..results.run_result import RunResult
from .sentences import (
    DIRECTION_ONLY,
    LABELS,
    NEEDED,
    loser,
    matters,
    no_pair_can,
    outcomes,
    reason,
    say,
    say_estimate,
    winner,
    within,
)
from .tables import place_sentence
from .view import Standing, View, baselines_last, standing, views

MOST_DATASETS = 4  # named in a sentence; metrics too
MOST_LEARNERS = 6
Picture = Literal["", "critical-difference", "forest", "posterior"]
Pairs = tuple[tuple[str, str], ...]
# What one learner is to the others, by the decision about each.
AGAINST = {
    "worse": "{it} is significantly better than {them}",
    "better": "{it} is significantly worse than {them}",
    "not-settled": "{it} does not differ significantly from {them}",
    "equivalent": "{it} is equivalent to {them}",
    "not-equivalent": "{it} is not equivalent to {them}",
    "differ": "{it} differs from {them}, but the direction is unclear",
    "undecided": "there is no verdict on {it} and {them}",
    "untested": "{it} was not tested against {them}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The answer. `better` are the pairs (winner, loser) that the sentences call significant, `open` the others."""

    comparison: str
    metric: str
    sentences: tuple[str, ...]
    picture: Picture = ""
    leader: str = ""  # of several learners: the best of the table; of two: the one that is significantly better
    better: Pairs = ()
    open: Pairs = ()

    @property
    def text(self) -> str:
        """All sentences in one line."""
        return " ".join(self.sentences)


def headlines(result: RunResult, subject: str | None = None) -> tuple[Headline, ...]:
    """Return one headline for each comparison and estimate, in the order of the script."""
    return tuple(headline(view) for view in views(result, subject))


def headline(view: View) -> Headline:
    """Return the headline in the metric that decides (the first, where none is named), with a word on the others."""
    if view.estimates:
        sentences = map(view.said, _estimate_sentences(view.estimates))
        return _headline(view, view.estimates[0].metric, sentences, picture="forest")
    tested = {v.metric for v in view.verdicts} - view.described
    metrics = [m for m in view.metrics if m in tested]
    if not metrics:
        text = f"{numbers.names(view.learners, most=6)} were scored but not tested, so there is no verdict."
        if view.failures and not view.means:
            text = "No fit gave a score, so there is no verdict."
        return _headline(view, next(iter(view.metrics), ""), [text])
    found = {metric: _in_metric(view, metric) for metric in metrics}
    first = found[metrics[0]]
    if len(metrics) == 1:
        return first
    return replace(first, sentences=(*first.sentences, view.said(_other_metrics(view, list(found.values())))))


def _headline(view: View, metric: str, sentences: Iterable[str], **more: Any) -> Headline:
    return Headline(comparison=view.name, metric=metric, sentences=tuple(filter(None, sentences)), **more)


def _in_metric(view: View, metric: str) -> Headline:
    mine = [v for v in view.verdicts if v.metric == metric]
    made = _of_pair(view, mine) if _is_pair(mine) else _of_many(view, metric, mine)
    picture: Picture = "forest"
    if any(v.posterior is not None for v in mine):
        picture = "posterior"
    elif any(r.metric == metric for r in view.rankings) and view.comparison.control is None:
        picture = "critical-difference"
    note = view.comparison.over_note  # the plan could not say it before the table was read
    said = made.sentences + ((f"{note[0].upper()}{note[1:]}.",) if note and _untested_over(view) else ())
    return replace(made, picture=picture, sentences=tuple(map(view.said, said)))


def _untested_over(view: View) -> bool:
    """Return whether a table of items has several datasets and tests on each of them alone."""
    c = view.comparison
    return c.data == "results" and bool(c.tests) and not c.over and len(view.datasets) > 1


def _is_pair(verdicts: list[Verdict]) -> bool:
    return len({name for v in verdicts for name in v.learners}) == 2


def _better(pairs: Iterable[Verdict]) -> Pairs:
    return tuple(dict.fromkeys((w, x) for v in pairs if (w := winner(v)) and (x := loser(v))))


def _other_metrics(view: View, found: list[Headline]) -> str:
    """Return in which metrics every decision and the leader are the same, and the outcome in the others."""

    def decided(answer: Headline) -> tuple[str, set[Any]]:
        mine = (v for v in view.verdicts if v.metric == answer.metric)
        return answer.leader, {(v.dataset, v.learners, v.answer) for v in mine}

    first, *rest = found
    same = [h.metric for h in rest if decided(h) == decided(first)]
    outcome: dict[str, list[str]] = {}
    for h in rest:
        if h.metric not in same:
            mine = [v for v in view.verdicts if v.metric == h.metric]
            mine = [v for v in mine if v.dataset is None] or mine
            text = _tally(view, mine) if _is_pair(mine) else _leader_and_count(h, mine)
            outcome.setdefault(text, []).append(h.metric)
    parts = [f"The outcome is the same in {numbers.listing(same)}."] if same else []
    parts += [f"In {numbers.listing(metrics)}, {text}." for text, metrics in outcome.items()]
    if len(parts) > MOST_DATASETS + 1:
        parts[MOST_DATASETS:] = [f"The tables show the outcomes in {len(parts) - MOST_DATASETS} more metrics."]
    return " ".join(parts)


def _leader_and_count(answer: Headline, verdicts: list[Verdict]) -> str:
    settled = sum(winner(v) is not None for v in verdicts)
    leads = f"{name(answer.leader)} is ahead and " if answer.leader else ""
    return f"{leads}{settled} of {numbers.plural(sum(v.pair for v in verdicts), 'pair')} differ significantly"


# Two learners


def _of_pair(view: View, verdicts: list[Verdict]) -> Headline:
    """Return the test over datasets where there is one, else the datasets one by one."""
    over = [v for v in verdicts if v.dataset is None]
    on = [v for v in verdicts if v.dataset is not None]
    decided = over or on
    if over or len({v.dataset for v in on}) == 1:
        sentences = _place_sentences(view, decided)
        sentences += [f"On single datasets: {_tally(view, on)}."] if over and on else []
    else:
        sentences = _datasets(view, on)
    winners = {winner(v) for v in decided}
    one = next(iter(winners)) if len(winners) == 1 else None
    better = _better(decided) if one is not None or not over else ()
    first, second = baselines_last(decided[0].learners, view)
    open_ = () if better else ((first, second),)
    return _headline(view, decided[0].metric, sentences, leader=one or "", better=better, open=open_)


def _place_sentences(view: View, verdicts: list[Verdict]) -> list[str]:
    """Return one place. Several tests of it are given by the first where they agree, by name where they do not."""
    first = verdicts[0]
    if len({v.answer for v in verdicts}) > 1:
        over = f"Over {numbers.plural(len(first.datasets), view.unit)}"
        place = f"On {name(first.dataset)}" if first.dataset else over
        each = [f"{v.test.test if v.test else 'no test'}: {_outcome(v)}" for v in verdicts]
        return [f"{place}, the tests do not agree in {first.metric}: {'; '.join(each)}."]
    said = first.posterior is not None or (first.test is not None and first.test.test == "tost")
    judged = first.rope is not None and not said and "equivalent" not in first.answer
    margin = DIRECTION_ONLY if first.direction_only else matters(first) if judged else ""
    return [say(first, view.unit, view.trivial), margin, these_sentence(first)]


def _outcome(verdict: Verdict) -> str:
    found = winner(verdict)
    return f"{name(found)} is better" if found else LABELS[verdict.answer]


def _tally(view: View, verdicts: list[Verdict]) -> str:
    """Return the outcomes of a pair with their datasets: `tree is better on heart and iris, inconclusive on wine`."""
    names = baselines_last(verdicts[0].learners, view)
    order = [*(f"{name(one)} is better" for one in names), *LABELS.values()]
    places: dict[str, list[str]] = {}
    for v in sorted(verdicts, key=lambda v: order.index(_outcome(v))):
        places.setdefault(_outcome(v), []).append(v.dataset or "")
    if len(verdicts) == 1:
        return next(iter(places))
    parts = []
    for outcome, sets in places.items():
        why = f" ({reason(verdicts).partition(':')[0]})" if outcome == LABELS["undecided"] else ""
        parts.append(f"{outcome} on {numbers.names(dict.fromkeys(sets), most=MOST_DATASETS)}{why}")
    return ", ".join(parts)


def _datasets(view: View, verdicts: list[Verdict]) -> list[str]:
    """Return on how many datasets one learner is better, then every outcome, then the probabilities of posteriors."""
    metric, names = verdicts[0].metric, baselines_last(verdicts[0].learners, view)
    sets = len({v.dataset for v in verdicts})
    wins = {n: [v for v in verdicts if winner(v) == n] for n in names}
    first = max(names, key=lambda n: len(wins[n]))
    second = next(n for n in names if n != first)
    count = len({v.dataset for v in wins[first]})
    where = f"{count} of {sets} datasets" if count < sets else "both datasets" if sets == 2 else f"all {sets} datasets"
    if not count:
        where = "either dataset" if sets == 2 else f"any of the {sets} datasets"
        outcome = f"No significant difference between {name(first)} and {name(second)} in {metric} on {where}"
    else:
        sizes = [f"{name(v.dataset or '')}{_by(v)}" for v in wins[first]]
        named = numbers.listing(sizes, most=MOST_DATASETS)
        outcome = f"{name(first)} is better than {name(second)} in {metric} on {where} ({named})"
    open_ = LABELS["not-settled"]
    rest = [v for v in verdicts if winner(v) != first and (count or _outcome(v) != open_)]
    tally = ""
    if rest:
        tally = _tally(view, rest) if len(rest) > 1 else f"{_outcome(rest[0])} on {name(rest[0].dataset or '')}"
    return [f"{outcome}{'; ' * bool(tally)}{tally}.", _shares(verdicts, first, second)]


def _by(verdict: Verdict) -> str:
    size = abs(verdict.difference or 0.0)
    return f" by {numbers.score(size, verdict.metric)}" if size >= numbers.NOISE else ""


def _shares(verdicts: list[Verdict], first: str, second: str) -> str:
    """Return the three probabilities on each dataset, where the tests are Bayesian."""
    each = []
    for v in verdicts:
        posterior = v.posterior
        if posterior is not None:
            margin = numbers.score(posterior.rope, v.metric)
            shares = numbers.sides(posterior, v.metric)[:: 1 if v.learners[0] == first else -1]
            one, neither, two = map(numbers.probability, shares)
            said = f"{name(first)} better {one}, neither {neither}, {name(second)} better {two}"
            each.append(f"{name(v.dataset or '')}: {said}")
    if not each:
        return ""
    more = "; the table shows the rest" if len(each) > MOST_DATASETS else ""
    return (
        f"Posterior probabilities (better means by more than {margin}): {'; '.join(each[:MOST_DATASETS])}{more}. "
        f"{NEEDED}."
    )


# Several learners


def _of_many(view: View, metric: str, verdicts: list[Verdict]) -> Headline:
    """Return the answer over datasets where there is such a test, else on the one dataset, else counted."""
    over = [v for v in verdicts if v.dataset is None]
    sets = list(dict.fromkeys(v.dataset for v in verdicts))
    mine = over or verdicts
    found = standing(view, metric)
    several = not over and len(sets) > 1
    if (found is None or several) and all(v.decision == "undecided" for v in mine):
        names = numbers.names(baselines_last(view.learners, view), most=MOST_LEARNERS)
        return _headline(view, metric, [f"There is no verdict on {names} in {metric}: {reason(mine)}."])
    if several:
        return _counted(view, metric, verdicts)
    units = max((len(v.datasets) for v in mine), default=0) or len(view.datasets)
    place = f"over {numbers.plural(units, view.unit)}" if over else f"on {name(sets[0] or '')}"
    control = view.comparison.control
    pairs = [v for v in mine if v.pair]
    none_differ = bool(pairs) and all(v.answer == "not-settled" for v in pairs)
    omnibus = next((v for v in mine if not v.pair and (none_differ or v.decision != "differ")), None)
    about_all = say(omnibus, view.unit) if omnibus is not None else ""
    leads = _leads(view, place, found) if found is not None else ""
    if control is not None and pairs and all(control in v.learners for v in pairs):
        told = _against(view, found, control, f"the control {name(control)}", pairs, f" {place} in {metric}")
        in_order = (*told.sentences, *filter(None, [leads]))
        return replace(told, sentences=in_order, leader=found.learners[0] if found else "")
    if found is None and pairs:
        text = f"The learners cannot be ranked {place} in {metric}: {reason(pairs, _missing(view, metric))}."
        tested = f"By pairs: {'; '.join(outcomes(pairs))}."
        return _headline(view, metric, [about_all, text, tested], better=_better(pairs))
    if found is None or not pairs:
        alone = "" if about_all or any(not v.pair for v in mine) else "No pair was tested."
        return _headline(view, metric, [leads, about_all, alone], leader=found.learners[0] if found else "")
    leader = found.leaders[0]
    if about_all and none_differ:  # it says the same of every pair
        others = (next(n for n in v.learners if n != leader) for v in pairs if leader in v.learners)
        open_ = tuple((leader, n) for n in others)
        sentences = (leads, about_all, no_pair_can(pairs, over=bool(over)))
        return _headline(view, metric, sentences, leader=leader, open=open_)
    told = _against(view, found, leader, name(leader), pairs)
    return replace(told, sentences=(leads, *filter(None, [about_all]), *told.sentences))


def _missing(view: View, metric: str) -> str:
    """Return why no mean can be compared: no dataset has a score of every learner."""
    rows = view.means.get(metric, {})
    if not rows:
        return "the table has no mean score of each learner"
    lacking = [n for n in view.learners if not any((s := row.get(n)) and s.mean is not None for row in rows.values())]
    if lacking:
        return f"{numbers.names(lacking, most=MOST_LEARNERS)} {'has' if len(lacking) == 1 else 'have'} no score"
    return "no dataset has a score of every learner"


def _leads(view: View, place: str, found: Standing) -> str:
    if found.by == "mean rank":
        what, number = f"mean rank in {found.metric}", f"{numbers.decimal(found.values[0], 2)}; 1 is best"
    else:
        side = "" if numbers.higher_is_better(found.metric) else "; lower is better"
        what, number = f"mean {found.metric}", f"{numbers.score(found.values[0], found.metric)}{side}"
    where = f"the best {what} of {numbers.plural(len(found.learners), 'learner')} {place} ({number})"
    if len(found.leaders) > 1:
        return f"{numbers.names(found.leaders, most=MOST_LEARNERS)} share {where}."
    baseline = ", a baseline," if found.leaders[0] in view.trivial else ""
    return f"{name(found.leaders[0])}{baseline} has {where}."


def _against(
    view: View, found: Standing | None, pivot: str, it: str, pairs: list[Verdict], place: str = ""
) -> Headline:
    """Return which learners one of them beats, which it does not differ from, and which it was not tested against."""
    metric, mine = pairs[0].metric, [v for v in pairs if pivot in v.learners]
    groups: dict[str, list[str]] = {}
    for verdict in mine:
        other = next(n for n in verdict.learners if n != pivot)
        kind: str = "worse" if winner(verdict) == pivot else "better" if winner(verdict) else verdict.answer
        groups.setdefault(kind, []).append(other)
    met = {n for names in groups.values() for n in names}
    groups["untested"] = [n for n in view.learners if n != pivot and n not in met]
    order = list(found.learners if found is not None else view.learners)
    parts: list[str] = []
    for kind, text in AGAINST.items():
        names = baselines_last(sorted(dict.fromkeys(groups.get(kind, [])), key=order.index), view)
        if not names:
            continue
        shown = numbers.names(names, most=MOST_LEARNERS)
        if not groups["untested"] and len(names) == len(met) > 2:
            shown = "any other learner" if kind == "not-settled" else "all other learners"
        margins = {within(v) for v in mine if v.answer == kind} if "equivalent" in kind else {""}
        by = margins.pop() if len(margins) == 1 else ""
        by += " by the test of the pair" if kind == "better" and pivot != view.comparison.control else ""
        part = text.format(it=name(pivot) if parts else it, them=shown) + by + ("" if parts else place)
        parts.append(f"{part[0].upper()}{part[1:]}.")
    held = place_sentence(view, metric, pivot) if len(view.datasets) == 1 else ""
    open_ = tuple((pivot, n) for n in groups.get("not-settled", []))
    return _headline(view, metric, [*parts, held], leader=pivot, better=_better(mine), open=open_)


def _counted(view: View, metric: str, verdicts: list[Verdict]) -> Headline:
    """Return how often each learner is best on several datasets without a test over them."""
    best = {d: view.best(metric, d) for d in view.means.get(metric, {})}
    count = {n: sum(n in names for names in best.values()) for n in view.learners}
    leader = max(baselines_last(view.learners, view), key=lambda n: count[n])
    pairs = [v for v in verdicts if v.pair]
    tests, settled = numbers.plural(len(pairs), "test"), sum(winner(v) is not None for v in pairs)
    sets = numbers.plural(len(best), "dataset")
    where = f"all {sets}" if count[leader] == len(best) > 1 else f"{count[leader]} of {sets}"
    sentences = [f"{name(leader)} has the best mean {metric} on {where}."]
    if not settled:
        sentences.append(f"None of the {tests} on single datasets is significant.")
        return _headline(view, metric, sentences, leader=leader)
    one = view.comparison.control or leader
    mine = [v for v in pairs if one in v.learners]
    who = name(one) if one == leader else f"The control {name(one)}"
    sentences.append(f"{who} is {_rivals(view, one, mine)}.")
    if len(mine) < len(pairs):
        sentences.append(f"Of all {tests} on single datasets, {settled} show that one learner is better.")
    return _headline(view, metric, sentences, leader=leader)


def _rivals(view: View, one: str, verdicts: list[Verdict]) -> str:
    """Return on how many datasets one learner is better or worse than each of the others."""
    parts: dict[str, list[str]] = {}
    for other in baselines_last((n for n in view.learners if n != one), view):
        mine = [v for v in verdicts if other in v.learners]
        won = sum(winner(v) == one for v in mine)
        lost = sum(winner(v) == other for v in mine)
        for word, times in (("better than", won), ("worse than", lost)):
            if times:
                of = f"{times} of" if times < len(mine) else "all"
                parts.setdefault(f"{word} {{}} on {of} {numbers.plural(len(mine), 'dataset')}", []).append(other)
        if mine and not won and not lost:
            parts.setdefault("not significantly different from {} on any dataset", []).append(other)
    shown = [text.format(numbers.names(names, most=MOST_LEARNERS)) for text, names in sorted(parts.items())]
    return "; ".join(shown[:MOST_LEARNERS]) + "; the table shows the other pairs" * (len(shown) > MOST_LEARNERS)


# Estimates


def _estimate_sentences(estimates: list[Estimate]) -> list[str]:
    """Return the first metric; several datasets are summed up by the lowest and the highest score."""
    metric = estimates[0].metric
    mine = [e for e in estimates if e.metric == metric]
    scored = sorted((e for e in mine if e.score is not None), key=lambda e: e.score or 0.0)
    if not scored:
        return [say_estimate(mine[0])]
    if len(scored) <= 2 or len({e.learner for e in scored}) > 1:
        sentences = [say_estimate(e) for e in mine if e.score is not None]
    else:
        count = numbers.plural(len(scored), "dataset")
        last = f"These are the lowest and the highest score of {count}."
        sentences = [*map(say_estimate, (scored[0], scored[-1])), last]
    missing = len(mine) - len(scored)
    sentences += [f"{numbers.plural(missing, 'dataset has', 'datasets have')} no score."] if missing else []
    shuffled = next((e for e in scored if e.test is not None and e.test.pvalue is not None), None)
    if shuffled is not None and shuffled.test is not None:
        p = numbers.p_is(shuffled.test.pvalue)
        sentences.append(f"Test against shuffled labels on {name(shuffled.dataset)}: {p}.")
    rest = list(dict.fromkeys(e.metric for e in estimates if e.metric != metric))
    if rest and len(mine) == 1 and len(rest) <= 2:
        return [*sentences, *(say_estimate(e) for e in estimates if e.metric != metric)]
    return [*sentences, f"The report also has estimates of {numbers.listing(rest)}."] if rest else sentences
