"""The headline of several learners: who leads, by what, and who is not told apart from the leader."""

from __future__ import annotations

from dataclasses import dataclass

from ..results import numbers
from ..results.records import Verdict
from .places import place_sentence
from .view import Standing, View, baselines_last, loser, standing, winner

MOST_NAMED = 6


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
    return _told(view, (leader, leader if unsaid or len(found.leaders) > 1 else "it"), pairs, tuple(said))


def _undecided(view: View, metric: str, verdicts: list[Verdict]) -> Many:
    """No verdict at all: that is the answer, and why."""
    names = numbers.listing(baselines_last(view.learners, view), most=MOST_NAMED)
    reason = next((v.undecided_because for v in verdicts if v.undecided_because), "no test was made").rstrip(".")
    return Many(sentences=(f"Nothing is decided among {names} in {metric}: {reason}.",))


def _pairs_alone(metric: str, place: str, pairs: list[Verdict]) -> str:
    """A learner without a score leaves no order of all: what is settled is told pair by pair."""
    said = [f"{w} is better than {x}" for w, x in _better(pairs)]
    open_ = sum(winner(v) is None for v in pairs)
    said = said if len(said) <= MOST_NAMED else [*said[:MOST_NAMED], f"{len(said) - MOST_NAMED} more pairs are settled"]
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
        shared = numbers.listing(found.leaders, most=MOST_NAMED)
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


def _told(view: View, named: tuple[str, str], pairs: list[Verdict], said: tuple[str, ...]) -> Many:
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
            parts.append(text.format(others if alone else numbers.listing(names, most=MOST_NAMED)))
    parts += (
        [f"{it} was not tested against {numbers.listing(baselines_last(untested, view), most=MOST_NAMED)}"]
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
            shown = numbers.listing(names, most=MOST_NAMED)
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
    told = [words.format(numbers.listing(names, most=MOST_NAMED)) for words, names in fared.items()]
    shown = told if len(told) <= MOST_NAMED else [*told[:MOST_NAMED], "told apart from the others as the table says"]
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
