"""What was chosen in every fold, for frames and files: each candidate of tuning, each threshold, each early end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..results.run_result import RunResult
from ..results.training_choice import TrainingChoice

Setting = tuple[tuple[str, str | int | float | bool | None], ...]


@dataclass(frozen=True, slots=True)
class ChosenRow:
    """A candidate, or a learner without any: its score on the tuning rows, and what its training chose beside."""

    comparison: str
    learner: str
    dataset: str
    partition: int
    fold: int
    metric: str
    setting: Setting
    score: float | None
    chosen: bool
    training: int
    decision_threshold: float | None
    rounds: int | None


HEADS = ("comparison", "learner", "dataset", "partition", "fold", "metric", "setting", "score", "chosen")
BESIDE = ("training", "decision_threshold", "rounds")  # columns of a run in which some training chose one of the two


def chosen_rows(result: RunResult) -> Iterator[ChosenRow]:
    """Candidates first; then the trainings whose settings are not among them."""
    beside = {_key(one): one for one in result.choices}
    told = set()
    for one in result.candidates:
        place = (one.comparison, one.learner, one.dataset, one.partition, one.fold, one.metric)
        # one winner for all metrics has its outcome under no metric
        key = next((k for k in ((*place, 0), (*place[:-1], "", 0)) if k in beside), None) if one.chosen else None
        found = beside[key] if key is not None else None
        told.add(key)
        yield ChosenRow(*place, one.setting, one.score, one.chosen, 0, *_of(found))
    for key, outcome in beside.items():
        if key not in told:
            yield ChosenRow(*key[:-1], (), None, True, outcome.training, *_of(outcome))


def _key(one: TrainingChoice) -> tuple[str, str, str, int, int, str, int]:
    return one.comparison, one.learner, one.dataset, one.partition, one.fold, one.metric, one.training


def _of(one: TrainingChoice | None) -> tuple[float | None, int | None]:
    return (one.threshold, one.rounds) if one is not None else (None, None)
