"""The headline of a comparison: its answer in a sentence or two, and the one picture that shows it.

It is made of the decisions of the verdicts and says no more than they do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal

from ..plans.model import Simulation
from ..results import numbers
from ..results.numbers import own_estimate, these_sentence, turned
from ..results.records import Estimate, SimulationOutcome, Verdict
from ..results.run_result import RunResult
from ..verdicts.decide import SURE
from .simulated import smallest_found, untrained
from .tables import place_sentence
from .view import Standing, View, baselines_last, loser, standing, views, winner

COUNTED = ("fold", "dataset", "item")  # units of which a win is something a reader can picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What is said, and the pairs it calls settled or open."""

    sentences: tuple[str, ...]
    leader: str = ""
    better: tuple[tuple[str, str], ...] = ()
    open: tuple[tuple[str, str], ...] = ()


def pair(view: View, verdicts: list[Verdict]) -> Pair:
    """The test over datasets where there is one, else the datasets one by one; the latter follow in a sentence."""
    over = [v for v in verdicts if v.dataset is None]
    on = [v for v in verdicts if v.dataset is not None]
    decided = over or on
    said = _place_sentences(view, over) if over else ()
    if over and on:
        said = (*said, f"On single datasets: {tally(view, on)}.")
    elif not over:
        places = list(dict.fromkeys(v.dataset for v in on))
        said = _place_sentences(view, on) if len(places) == 1 else datasets(view, on)
    winners = {winner(v) for v in decided}
    one = next(iter(winners)) if len(winners) == 1 else None
    names = baselines_last(decided[0].learners, view)
    if one is None and over:
        return Pair(sentences=said, open=((names[0], names[1]),))
    better = tuple(dict.fromkeys((w, x) for v in decided if (w := winner(v)) and (x := loser(v))))
    leader = one or ""
    return Pair(sentences=said, leader=leader, better=better, open=() if better else ((names[0], names[1]),))


def _place_sentences(view: View, verdicts: list[Verdict]) -> tuple[str, ...]:
    """One place. Several tests of it are told by the first where they agree, and by name where they do not."""
    first = verdicts[0]
    if len({v.decision for v in verdicts}) > 1:
        each = [f"{v.test.test if v.test else 'no test'}: {_short(v)}" for v in verdicts]
        return (f"{_place(view, first)}, the tests do not agree in {first.metric}: {'; '.join(each)}.",)
    return tuple(s for s in (sentence(view, first), rope_sentence(first), these_sentence(first)) if s)


def _short(verdict: Verdict) -> str:
    found = winner(verdict)
    if found is not None:
        return f"{found} is better"
    return {"equivalent": "equivalent", "not-settled": "not settled"}.get(verdict.decision, verdict.decision)


def sentence(view: View, verdict: Verdict) -> str:
    """One verdict on a pair in one sentence, from the winner's side."""
    metric, place = verdict.metric, _place(view, verdict, middle=True)
    names = baselines_last(verdict.learners, view)
    both = f"{names[0]} and {names[1]}"
    test = verdict.test
    if verdict.decision == "undecided":
        reason = (verdict.undecided_because or "no test was made").rstrip(".")
        ahead = f"; {_ahead(verdict)}" if verdict.difference is not None else ""
        return f"Nothing is decided between {both} {place} in {metric}: {reason}{ahead}."
    if test is not None and test.posterior is not None:
        found = winner(verdict)
        told = f"It is open which of {both} is better"
        if found is not None:
            told = f"{found} is better than {loser(verdict)}"
        elif verdict.decision == "equivalent":
            told = f"{both} are practically equal"
        settles = "" if verdict.settled else f" ({SURE:g} would settle it)"
        return f"{told} {place} in {metric}: {_probabilities(verdict)}{settles}."
    found = winner(verdict)
    if found is not None:
        other = loser(verdict)
        size = f"{metric} {_size(verdict, found)}{_wins(verdict, found)}"
        return f"{found} is better than {other} {place}: {size} ({_proof(verdict)})."
    if verdict.decision == "equivalent":
        within = f" within {numbers.score(verdict.rope, metric)}" if verdict.rope is not None else ""
        return f"{both} are equivalent{within} {place} in {metric} ({_proof(verdict)})."
    if verdict.decision == "differ":
        return f"{both} differ {place} in {metric}, and which is better is not settled ({_proof(verdict)})."
    if test is not None and test.test == "tost":
        within = f" within {numbers.score(verdict.rope, metric)}" if verdict.rope is not None else ""
        return f"{both} are not shown to be equivalent{within} {place} in {metric} ({_proof(verdict)})."
    return f"It is not settled which of {both} is better {place} in {metric}: {_ahead(verdict)} ({_proof(verdict)})."


def _probabilities(verdict: Verdict) -> str:
    """The three shares of the posterior."""
    posterior = verdict.test.posterior if verdict.test is not None else None
    if posterior is None:
        return "no posterior"
    shares = numbers.sides(posterior, verdict.metric)
    way = 1 if shares[0] >= shares[2] else -1
    first, second = verdict.learners[::way]
    better, neither, worse = (numbers.probability(x) for x in shares[::way])
    rope = numbers.score(posterior.rope, verdict.metric)
    return (
        f"probability {better} that {first} is better by more than {rope}, {worse} that {second} is, {neither} neither"
    )


def _place(view: View, verdict: Verdict, middle: bool = False) -> str:
    if verdict.dataset is not None:
        said = f"on {verdict.dataset}"
    else:
        said = f"over {numbers.plural(len(verdict.datasets), view.unit)}" if verdict.datasets else "over the datasets"
    said += f" ({verdict.units})" if verdict.units else ""
    return said if middle else said[0].upper() + said[1:]


def _size(verdict: Verdict, found: str) -> str:
    """`higher by 0.137, 95% interval 0.100 to 0.174`, always positive on the winner's side."""
    side = "higher" if numbers.higher_is_better(verdict.metric) else "lower"
    difference = verdict.difference
    if difference is None or abs(difference) < numbers.NOISE:
        return f"{side} more often than the other way round"
    return f"{side} by {numbers.score(abs(difference), verdict.metric)}{_interval(verdict, difference < 0)}"


def _interval(verdict: Verdict, negative: bool) -> str:
    """None for 5x2cv-t: its interval lies around another number than the difference."""
    interval = verdict.interval
    if interval is None or own_estimate(verdict) or not (isfinite(interval.low) or isfinite(interval.high)):
        return ""
    shown = numbers.interval(turned(interval) if negative else interval, verdict.metric)
    return f", {numbers.interval_word(interval)} {shown}"


def _wins(verdict: Verdict, found: str) -> str:
    test = verdict.test
    if test is None or test.unit not in COUNTED:
        return ""
    counted = test.wins + test.ties + test.losses
    won, lost = (test.wins, test.losses) if found == verdict.learners[0] else (test.losses, test.wins)
    if not counted:
        return ""
    shown = [f"wins {won}", f"loses {lost}", *([f"ties {test.ties}"] if test.ties else [])]
    return f"; it {numbers.listing(shown)} of {numbers.plural(counted, test.unit)}"


def _ahead(verdict: Verdict) -> str:
    difference = verdict.difference
    if difference is None:
        return "no difference was computed"
    if abs(difference) < numbers.NOISE:
        return "the difference is zero"
    ahead = verdict.learners[0 if (difference > 0) == numbers.higher_is_better(verdict.metric) else 1]
    size = numbers.score(abs(difference), verdict.metric)
    return f"{ahead} is ahead by {size}{_interval(verdict, difference < 0)}{_wins(verdict, ahead)}"


def _proof(verdict: Verdict) -> str:
    test = verdict.test.test if verdict.test is not None else "no test"
    if verdict.stopped is not None:
        return f"{test}, ended at {numbers.stopped_at(verdict)}: all partitions would say the same"
    shown = numbers.p_of(verdict)
    return f"{test}, {shown}" if shown else test


def rope_sentence(verdict: Verdict) -> str:
    """Whether the difference matters, where a rope was given and something is known of the size."""
    if verdict.direction_only:
        return "The direction is settled, the size is not: the simultaneous interval contains 0."
    if verdict.rope is None or verdict.decision in ("undecided", "equivalent"):
        return ""
    if verdict.test is not None and (verdict.test.posterior is not None or verdict.test.test == "tost"):
        return ""
    rope = numbers.score(verdict.rope, verdict.metric)
    return {
        "matters": f"It matters: the whole interval lies beyond the rope of {rope}.",
        "too-small": f"It does not matter in practice: the whole interval lies inside the rope of {rope}.",
        "cannot-tell": f"Whether it is larger than the rope of {rope} cannot be told.",
        "no-rope": "",
    }[verdict.matters]


Picture = Literal["", "critical-difference", "forest", "posterior"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The answer. `better` are the pairs (winner, loser) that the sentences call settled, `open` those they do not."""

    comparison: str
    metric: str
    sentences: tuple[str, ...]
    picture: Picture = ""
    leader: str = ""  # of several learners: the best of the table, settled or not; of two: the one that is better
    better: tuple[tuple[str, str], ...] = ()
    open: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """All of it in one line."""
        return " ".join(self.sentences)


def headlines(result: RunResult, subject: str | None = None) -> tuple[Headline, ...]:
    """One for each comparison and estimate, in the order of the script."""
    return tuple(headline(view) for view in views(result, subject))


def headline(view: View) -> Headline:
    """The headline in the metric that decides (the first, where none is named); a word on the others follows."""
    if view.estimates:
        metric = view.estimates[0].metric
        said = tuple(map(numbers.spoken, estimate_sentences(view)))
        return Headline(comparison=view.name, metric=metric, sentences=said, picture="forest")
    tested = {v.metric for v in view.verdicts}
    metrics = [m for m in view.metrics if m in tested]
    if not metrics:
        return Headline(comparison=view.name, metric=next(iter(view.metrics), ""), sentences=(_untested(view),))
    found = {metric: _told(view, metric) for metric in metrics}
    first = found[metrics[0]]
    if len(metrics) == 1:
        return first
    return replace(first, sentences=(*first.sentences, numbers.spoken(_others(view, found))))


def _told(view: View, metric: str) -> Headline:
    mine = [v for v in view.verdicts if v.metric == metric]
    made: Pair | Many = pair(view, mine) if _two(mine) else many(view, metric, mine)
    picture: Picture = "forest"
    if any(v.test is not None and v.test.posterior is not None for v in mine):
        picture = "posterior"
    elif any(r.metric == metric for r in view.rankings) and view.comparison.control is None:
        picture = "critical-difference"
    return Headline(
        comparison=view.name,
        metric=metric,
        sentences=tuple(map(numbers.spoken, made.sentences)),
        picture=picture,
        leader=made.leader,
        better=made.better,
        open=made.open,
    )


def _two(verdicts: list[Verdict]) -> bool:
    return len({name for v in verdicts for name in v.learners}) == 2


def _others(view: View, found: dict[str, Headline]) -> str:
    """The other metrics: where every decision and the leader are the same, and where they are not."""
    decided: dict[str, set[tuple[str | None, tuple[str, ...], str]]] = {metric: set() for metric in found}
    for v in view.verdicts:
        decided[v.metric].add((v.dataset, v.learners, v.decision))
    first, *rest = found.values()
    outcome = (first.leader, decided[first.metric])
    same = [h.metric for h in rest if (h.leader, decided[h.metric]) == outcome]
    if len(same) == len(rest):
        return f"The outcome is the same in {numbers.listing([h.metric for h in rest])}."
    outcomes: dict[str, list[str]] = {}
    for h in rest:
        if h.metric not in same:
            outcomes.setdefault(_outcome(view, h, first), []).append(h.metric)
    told = [f"in {numbers.listing(metrics)} {said}" for said, metrics in outcomes.items()]
    told = told if len(told) <= MOST_NAMED else [*told[:MOST_NAMED], f"{len(told) - MOST_NAMED} more below"]
    alike = [f"The outcome is the same in {numbers.listing(same)}"] if same else []
    joined = "; ".join((*alike, *told))
    return f"{joined[0].upper()}{joined[1:]}."


def _outcome(view: View, told: Headline, first: Headline) -> str:
    """The answer in another metric, in a few words and by name."""
    mine = [v for v in view.verdicts if v.metric == told.metric]
    mine = [v for v in mine if v.dataset is None] or mine
    if not _two(mine):
        settled = sum(winner(v) is not None for v in mine)
        tests = numbers.plural(sum(v.pair for v in mine), "pair")
        if not told.leader:
            return f"{settled} of {tests} are settled"
        too = " too" if told.leader == first.leader else ""
        return f"{told.leader} leads{too}, with {settled} of {tests} settled"
    if len(mine) == 1:
        return _short_in_sentence(mine[0])
    wins = {n: [v.dataset or "" for v in mine if winner(v) == n] for n in baselines_last(mine[0].learners, view)}
    said = [f"{n} is better on {numbers.listing(names, most=MOST_NAMED)}" for n, names in wins.items() if names]
    rest = len(mine) - sum(map(len, wins.values()))
    return ", ".join((*said, *([f"{'nothing is settled' if not said else 'open'} on {rest}"] if rest else [])))


def _short_in_sentence(verdict: Verdict) -> str:
    both = " and ".join(verdict.learners)
    if winner(verdict) is not None:
        return _short(verdict)
    if verdict.decision == "equivalent":
        return f"{both} are equivalent"
    return "it is not settled who is better" if verdict.decision == "not-settled" else f"nothing is decided on {both}"


def _untested(view: View) -> str:
    """No verdict at all: the means are described and nothing follows from them."""
    if view.failures and not view.means:
        return "No trial gave a score, so nothing is said."
    return f"{numbers.listing(view.learners, most=6)} were scored and not tested: nothing is said of who is better."


MOST_NAMED = 4


def datasets(view: View, verdicts: list[Verdict]) -> tuple[str, ...]:
    """Several datasets one by one: on how many who is better, and where it is open."""
    metric = verdicts[0].metric
    names = baselines_last(verdicts[0].learners, view)
    sets = len({v.dataset for v in verdicts})
    wins = {n: [v for v in verdicts if winner(v) == n] for n in names}
    first = max(names, key=lambda n: len(wins[n]))
    second = next(n for n in names if n != first)
    shares = _shares(verdicts, first, second)
    if not wins[first]:
        where = "On neither of the 2 datasets" if sets == 2 else f"On none of the {numbers.plural(sets, 'dataset')}"
        return (f"{where} is it settled which of {first} and {second} is better in {metric}{_rest(verdicts)}.", *shares)
    told = f"{first} is better than {second} in {metric} on {_count(wins[first], sets)} ({_named(wins[first])})"
    if wins[second]:
        told += f", {second} is better on {_count(wins[second], sets)} ({_named(wins[second])})"
    return (f"{told}{_rest(verdicts)}.", *shares)


def _shares(verdicts: list[Verdict], first: str, second: str) -> tuple[str, ...]:
    """The three probabilities on each dataset, where the tests are Bayesian."""
    told = []
    for v in verdicts:
        if v.test is not None and v.test.posterior is not None:
            way = 1 if v.learners[0] == first else -1
            three = (numbers.probability(x) for x in numbers.sides(v.test.posterior, v.metric)[::way])
            told.append(f"{v.dataset} {', '.join(three)}")
    if not told:
        return ()
    rope = next(v.test.posterior.rope for v in verdicts if v.test is not None and v.test.posterior is not None)
    more = f"; {len(told) - MOST_NAMED} more below" if len(told) > MOST_NAMED else ""
    return (
        f"Probability that {first} is better by more than {numbers.score(rope, verdicts[0].metric)}, that neither is, "
        f"that {second} is: {'; '.join(told[:MOST_NAMED])}{more} ({SURE:g} settles it).",
    )


def _count(some: list[Verdict], sets: int) -> str:
    count = len({v.dataset for v in some})
    if count == sets:
        return "both datasets" if count == 2 else f"all {count} datasets"
    return f"{count} of {numbers.plural(sets, 'dataset')}"


def _named(some: list[Verdict]) -> str:
    shown = []
    for v in some:
        size = abs(v.difference) if v.difference is not None else None
        shown.append(
            f"{v.dataset} by {numbers.score(size, v.metric)}" if size and size >= numbers.NOISE else f"{v.dataset}"
        )
    return numbers.listing(shown, most=MOST_NAMED)


def _rest(verdicts: list[Verdict]) -> str:
    """What is not one learner's win: where nothing is settled, where they are equivalent, where nothing was decided."""
    kinds = {
        "not-settled": "not settled on",
        "equivalent": "equivalent on",
        "differ": "different, in which direction is not settled, on",
        "undecided": "undecided on",
    }
    said = []
    settled = any(winner(v) for v in verdicts)
    for kind, words in kinds.items():
        mine = list(dict.fromkeys(v.dataset or "" for v in verdicts if v.decision == kind))
        if not mine or (kind == "not-settled" and not settled):
            continue
        why = _why(verdicts) if kind == "undecided" else ""
        said.append(f"{words} {numbers.listing(mine, most=MOST_NAMED)}{why}")
    return f"; {'; '.join(said)}" if said else ""


def _why(verdicts: list[Verdict]) -> str:
    """The reason that nothing was decided; what to do about it stands in the table of failures."""
    reason = next((v.undecided_because for v in verdicts if v.decision == "undecided" and v.undecided_because), "")
    return f" ({reason.partition(':')[0].rstrip('.')})" if reason else ""


def tally(view: View, verdicts: list[Verdict]) -> str:
    """On how many of the datasets who is better, on how many it is open, and on how many no test could be made."""
    names = baselines_last(verdicts[0].learners, view)
    wins = {n: sum(winner(v) == n for v in verdicts) for n in names}
    said = [f"{n} is better on {count}" for n, count in wins.items() if count]
    none = sum(v.decision == "undecided" for v in verdicts)
    rest = len(verdicts) - sum(wins.values()) - none
    said += [f"open on {rest}"] if rest else []
    said += [f"nothing decided on {none}{_why(verdicts)}"] if none else []
    return ", ".join(said)


MOST_LEARNERS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """What is said, and the pairs it calls settled or open."""

    sentences: tuple[str, ...]
    leader: str = ""
    better: tuple[tuple[str, str], ...] = ()
    open: tuple[tuple[str, str], ...] = ()


def many(view: View, metric: str, verdicts: list[Verdict]) -> Many:
    """Over datasets where there is such a test, else on the one dataset, else counted over the datasets."""
    over = [v for v in verdicts if v.dataset is None]
    sets = list(dict.fromkeys(v.dataset for v in verdicts))
    mine = over or verdicts
    found = standing(view, metric)
    several = not over and len(sets) > 1
    if (found is None or several) and all(v.decision == "undecided" for v in mine):
        return _undecided(view, metric, mine)
    if several:
        return _counted(view, metric, verdicts)
    place = f"over {numbers.plural(_units(view, mine), view.unit)}" if over else f"on {sets[0]}"
    control = view.comparison.control
    pairs = [v for v in mine if v.pair]
    omnibus = next((v for v in mine if not v.pair), None)
    if control is not None and pairs and all(control in v.learners for v in pairs):
        return _against(view, metric, place, (found, control, pairs))
    said = [_leads(view, place, found)] if found is not None else []
    unsaid = _omnibus(omnibus, place, bool(said))
    said += unsaid
    if found is None and pairs:
        return Many(sentences=(*said, _pairs_alone(metric, place, pairs)), better=_better(pairs))
    if found is None or not pairs:
        alone = [] if omnibus else ["No pair was tested."]
        return Many(sentences=(*said, *alone), leader=found.learners[0] if found else "")
    leader = found.leaders[0]
    if unsaid and all(v.decision == "not-settled" for v in pairs):  # that says it of every pair
        against = (next(n for n in v.learners if n != leader) for v in pairs if leader in v.learners)
        return Many(sentences=tuple(said), leader=leader, open=tuple((leader, n) for n in against))
    return _against_leader(view, (leader, leader if unsaid or len(found.leaders) > 1 else "it"), pairs, tuple(said))


def _undecided(view: View, metric: str, verdicts: list[Verdict]) -> Many:
    """No verdict at all: that is the answer, and why."""
    names = numbers.listing(baselines_last(view.learners, view), most=MOST_LEARNERS)
    reason = next((v.undecided_because for v in verdicts if v.undecided_because), "no test was made").rstrip(".")
    return Many(sentences=(f"Nothing is decided among {names} in {metric}: {reason}.",))


def _pairs_alone(metric: str, place: str, pairs: list[Verdict]) -> str:
    """A learner without a score leaves no order of all: what is settled is told pair by pair."""
    said = [f"{w} is better than {x}" for w, x in _better(pairs)]
    open_ = sum(winner(v) is None for v in pairs)
    said = (
        said
        if len(said) <= MOST_LEARNERS
        else [*said[:MOST_LEARNERS], f"{len(said) - MOST_LEARNERS} more pairs are settled"]
    )
    said += [f"nothing is settled in {open_} of {numbers.plural(len(pairs), 'pair')}"] if open_ else []
    why = next((v.undecided_because for v in pairs if v.undecided_because), "not every learner has a score").rstrip(".")
    return f"Nobody leads {place} in {metric}: {'; '.join([*said, why])}."


def _better(pairs: list[Verdict]) -> tuple[tuple[str, str], ...]:
    return tuple((w, x) for v in pairs if (w := winner(v)) and (x := loser(v)))


def _units(view: View, verdicts: list[Verdict]) -> int:
    return max((len(v.datasets) for v in verdicts), default=0) or len(view.datasets)


def _leads(view: View, place: str, found: Standing) -> str:
    count = numbers.plural(len(found.learners), "learner")
    if found.by == "mean rank":
        number = f"mean rank {numbers.decimal(found.values[0], 2)}, 1 is best"
    else:
        side = "" if numbers.higher_is_better(found.metric) else ", lower is better"
        number = f"mean {numbers.score(found.values[0], found.metric)}{side}"
    baseline = ", a baseline," if found.leaders[0] in view.trivial else ""
    if len(found.leaders) > 1:
        shared = numbers.listing(found.leaders, most=MOST_LEARNERS)
        return f"{shared} share the best place of {count} {place} in {found.metric} ({number})."
    return f"{found.leaders[0]}{baseline} leads {count} {place} in {found.metric} ({number})."


def _omnibus(verdict: Verdict | None, place: str, after: bool) -> list[str]:
    if verdict is None or verdict.decision == "differ":
        return []
    where = "" if after else f" {place}"
    if verdict.decision == "undecided":
        reason = (verdict.undecided_because or "no test was made").rstrip(".")
        return [f"Whether the learners differ at all{where} was not decided: {reason}."]
    test = verdict.test.test if verdict.test is not None else "no test"
    return [f"No difference among the learners{where} is settled ({test}, {numbers.p_of(verdict)})."]


def _against_leader(view: View, named: tuple[str, str], pairs: list[Verdict], said: tuple[str, ...]) -> Many:
    """Whom the leader beats, from whom it is not told apart, and who was not tested against it."""
    leader, it = named
    mine = [v for v in pairs if leader in v.learners]
    groups: dict[str, list[str]] = {}
    for verdict in mine:
        other = next(n for n in verdict.learners if n != leader)
        kind: str = "beaten" if winner(verdict) == leader else "better" if winner(verdict) else verdict.decision
        groups.setdefault(kind, []).append(other)
    found = standing(view, pairs[0].metric)
    order = list(found.learners) if found is not None else list(view.learners)
    met = {n for names in groups.values() for n in names}
    untested = [n for n in view.learners if n != leader and n not in met]
    everybody = not untested and len(met) > 2
    parts = []
    words = (
        ("beaten", f"{it} is better than {{}}"),
        ("better", f"{{}} is better than {it} by the test of the pair"),
        ("not-settled", f"{it} is not told apart from {{}}"),
        ("equivalent", f"{it} is equivalent to {{}}"),
        ("differ", f"{it} differs, without a settled direction, from {{}}"),
        ("undecided", "nothing is decided against {}"),
    )
    for word, text in words:
        names = baselines_last(sorted(dict.fromkeys(groups.get(word, [])), key=order.index), view)
        if names:
            others = "any of the others" if word == "not-settled" else "all the others"
            alone = everybody and len(names) == len(met)
            parts.append(text.format(others if alone else numbers.listing(names, most=MOST_LEARNERS)))
    parts += (
        [f"{it} was not tested against {numbers.listing(baselines_last(untested, view), most=MOST_LEARNERS)}"]
        if untested
        else []
    )
    joined = "; ".join(parts)
    joined = f"It{joined[2:]}." if joined.startswith("it ") else f"{joined}." if joined else ""
    better = _better(mine)
    open_ = tuple((leader, n) for n in groups.get("not-settled", []))
    held = place_sentence(view, pairs[0].metric, leader) if len(view.datasets) == 1 else ""
    return Many(sentences=tuple(s for s in (*said, joined, held) if s), leader=leader, better=better, open=open_)


def _against(view: View, metric: str, place: str, given: tuple[Standing | None, str, list[Verdict]]) -> Many:
    """A control: who is better than it, who is worse, from whom it is not told apart."""
    found, control, pairs = given
    order = list(found.learners) if found is not None else list(view.learners)
    groups: dict[str, list[str]] = {}
    for verdict in pairs:
        other = next(n for n in verdict.learners if n != control)
        kind: str = "worse" if winner(verdict) == control else "better" if winner(verdict) else verdict.decision
        groups.setdefault(kind, []).append(other)
    words = (
        ("better", "{} {are} better"),
        ("worse", "{} {are} worse"),
        ("not-settled", "{} {are} not told apart from it"),
        ("equivalent", "{} {are} equivalent to it"),
        ("differ", "{} differ from it without a settled direction"),
        ("undecided", "nothing is decided for {}"),
    )
    parts = []
    for word, text in words:
        names = baselines_last(sorted(dict.fromkeys(groups.get(word, [])), key=order.index), view)
        if names:
            shown = numbers.listing(names, most=MOST_LEARNERS)
            parts.append(text.replace("{are}", "is" if len(names) == 1 else "are").format(shown))
    said = [f"Against the control {control} {place} in {metric}: {'; '.join(parts)}."]
    held = place_sentence(view, metric, control) if len(view.datasets) == 1 else ""
    said += [held] if held else []
    leader = ""
    if found is not None:
        leader = found.leaders[0]
        said.append(_leads(view, place, found))
    better = _better(pairs)
    open_ = tuple((control, n) for n in groups.get("not-settled", []))
    return Many(sentences=tuple(said), leader=leader, better=better, open=open_)


def _counted(view: View, metric: str, verdicts: list[Verdict]) -> Many:
    """Several datasets and no test over them: how often each is best, and how much of it is settled."""
    best = {d: view.best(metric, d) for d in view.means.get(metric, {})}
    count = {n: sum(n in names for names in best.values()) for n in view.learners}
    leader = max(baselines_last(view.learners, view), key=lambda n: count[n])
    pairs = [v for v in verdicts if v.pair]
    settled = sum(winner(v) is not None for v in pairs)
    sets = numbers.plural(len(best), "dataset")
    where = f"all {sets}" if count[leader] == len(best) > 1 else f"{count[leader]} of {sets}"
    said = [f"{leader} has the best mean {metric} on {where}."]
    if not settled:
        said.append(f"None of the {numbers.plural(len(pairs), 'test')} on single datasets tells two learners apart.")
        return Many(sentences=tuple(said), leader=leader)
    control = view.comparison.control
    one = control or leader
    mine = [v for v in pairs if one in v.learners]
    who = f"The control {one}" if control and control != leader else "It"
    said.append(f"{who} is {_rivals(view, one, mine)}.")
    if len(mine) < len(pairs):
        said.append(
            f"Of all {numbers.plural(len(pairs), 'test')} on single datasets, {settled} show one learner better."
        )
    return Many(sentences=tuple(said), leader=leader)


def _rivals(view: View, one: str, verdicts: list[Verdict]) -> str:
    """How one learner fares against each of the others, dataset by dataset; those with one outcome stand together."""
    fared: dict[str, list[str]] = {}
    for other in baselines_last((n for n in view.learners if n != one), view):
        mine = [v for v in verdicts if other in v.learners]
        if mine:
            fared.setdefault(_fared(one, mine), []).append(other)
    order = ("better than", "worse than", "better", "worse")
    fared = dict(
        sorted(fared.items(), key=lambda item: next((i for i, w in enumerate(order) if item[0].startswith(w)), 9))
    )
    told = [words.format(numbers.listing(names, most=MOST_LEARNERS)) for words, names in fared.items()]
    shown = (
        told if len(told) <= MOST_LEARNERS else [*told[:MOST_LEARNERS], "told apart from the others as the table says"]
    )
    return "; ".join(shown)


def _fared(one: str, verdicts: list[Verdict]) -> str:
    places = len(verdicts)
    won = sum(winner(v) == one for v in verdicts)
    lost = sum(winner(v) not in (None, one) for v in verdicts)
    each = f"all {places} datasets" if places > 1 else "the one dataset"
    if places in (won, lost):
        return f"{'better' if won else 'worse'} than {{}} on {each}"
    if not won and not lost:
        same = any(v.decision == "equivalent" for v in verdicts)
        return f"{'neither better nor worse than' if same else 'not told apart from'} {{}} on any dataset"
    shown = [f"{word} on {n}" for word, n in (("better", won), ("worse", lost)) if n]
    return f"{' and '.join(shown)} of {places} datasets against {{}}"


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
