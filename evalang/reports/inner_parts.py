"""Sentences of the methods paragraph on what was chosen inside the training parts: thresholds and ends of training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from ..plans.model import Comparison, Learner, Part
from ..plans.parts import MOST_THRESHOLDS
from ..plans.stopping import PATIENCE, stops_early
from ..results import numbers
from .view import View

_OF = "of each training part"


def part_words(part: Part | None) -> str:
    """A share or a number of rows."""
    if part is None:
        return "a part"
    return numbers.percent(part.fraction) if part.fraction is not None else numbers.plural(part.rows or 0, "row")


def threshold_sentences(view: View, learners: Sequence[Learner]) -> list[str]:
    """Whose threshold was chosen, for what, on which rows, and where it lay."""
    comparison = view.comparison
    chosen = comparison.threshold
    who = [x.name for x in learners if x.threshold is None]
    if chosen is None or chosen.metric is None or not who:
        return []
    head = f"The threshold of {numbers.listing(who, most=30)} was chosen for {chosen.metric.label}"
    if chosen.where == "test":
        return [f"{head} on the test part itself, so the scores are too good."]
    where = f"on {part_words(chosen.part)} {_OF}, which was used for nothing else"
    if chosen.where == "tuning":
        where = _on_tuning(comparison)
    how = (
        "A row is called positive from a score of the threshold on. Thresholds between neighbouring scores were tried "
        f"({MOST_THRESHOLDS} at most, evenly by rank) and the customary one (a probability of .5, a margin of 0); of "
        "equals the one nearest to that was taken."
    )
    lay = _lay(view, who, "threshold", lambda value: f"{value:.3g}")
    return [f"{head} {where}.", how, *([f"The thresholds: {lay}."] if lay else [])]


def _on_tuning(comparison: Comparison) -> str:
    tuning = comparison.tuning.value if comparison.tuning is not None else None
    where = "on the rows of the tuning file"
    if tuning is not None and tuning.where == "part":
        where = f"on the tuning part ({part_words(tuning.part)} {_OF})"
    if tuning is not None and tuning.where == "cv":
        where = f"by {tuning.folds}cv inside each training part, on the scores of all inner folds together"
    again = "; each was then trained again on the whole training part and kept its threshold"
    return f"{where}, by learners trained on the other rows{again if comparison.retrains else ''}"


def stopping_sentences(view: View, learners: Sequence[Learner]) -> list[str]:
    """Whose training ended early, on which rows, after how many rounds, and whose did not."""
    part = view.comparison.stop_early
    if part is None:
        return []
    ways: dict[str | None, list[str]] = {}
    for learner in learners:
        ways.setdefault(stops_early(learner), []).append(learner.name)
    words = {way: numbers.listing(names, most=30) for way, names in ways.items()}
    share, said = part_words(part), []
    if "on the part" in ways:
        said.append(
            f"Training of {words['on the part']} ended after {PATIENCE} rounds without a better score (or as many as "
            f"their parameters say) on {share} {_OF}, which they were not trained on."
        )
    if "by itself" in ways:
        said.append(
            f"{words['by itself']} stopped so on {share} of the training rows, drawn at random inside the training "
            "part by scikit-learn, which takes no rows for that."
        )
    if None in ways:
        verb = "does not stop early and was" if len(ways[None]) == 1 else "do not stop early and were"
        said.append(f"{words[None]} {verb} trained on that part too.")
    lay = _lay(view, [x.name for x in learners], "rounds", lambda value: f"{value:g}")
    return [*said, *([f"The rounds: {lay}."] if lay else [])]


def _lay(view: View, learners: Sequence[str], field: str, shown: Callable[[float], str]) -> str:
    """For each learner on each dataset the middle value of all trainings, and the lowest and highest."""
    alike: dict[tuple[str, str], list[float]] = {}
    for one in view.choices:
        value = getattr(one, field)
        if value is not None and one.learner in learners:
            alike.setdefault((one.learner, one.dataset), []).append(value)
    several = len({dataset for _, dataset in alike}) > 1
    found = []
    for (learner, dataset), values in alike.items():
        low, middle, high = shown(min(values)), shown(median(values)), shown(max(values))
        spread = f"{middle} in the median ({low} to {high})" if low != high else middle
        found.append(f"{learner}{f' on {dataset}' if several else ''} {spread}")
    return numbers.listing(found, most=30)
