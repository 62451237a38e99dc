"""The trials of a run for other programs: predictions, folds and times as tidy frames, and as Parquet or CSV."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..errors import ScriptError
from ..language.files import read_plain
from ..plans.model import Plan
from ..results.records import FOLDS, PREDICTIONS, TIMES, TRIAL
from ..trials.files import write_whole
from ..trials.folder import CELLS
from ..trials.store import Store
from ..trials.trial import Failure, LearnerAnswer, Trial, digest, trial_digest
from .cell_scores import Truth
from .score_table import ScoreTable

_COUNTS = ("partitions", "folds", "trainings")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would execute cells that begin so


class StoredTrials:
    """The trials of a run folder, by the names of the script."""

    def __init__(self, folder: Path, plan: Plan, subject: str | None = None) -> None:
        self._folder = folder
        try:
            cells = json.loads(read_plain(folder / CELLS))["cells"]
        except (OSError, ValueError, LookupError, TypeError):
            hint = "run the script again; what is stored is used"
            raise ScriptError(f"{folder} does not say which fits belong to which learner", hint=hint) from None
        asked = {c.name: c.scheme.total_partitions for c in plan.comparisons if c.scheme and subject in (None, c.name)}
        self._cells = [
            cell | {"partitions": min(cell["partitions"], asked[cell["comparison"]])}
            for cell in cells
            if cell["comparison"] in asked
        ]

    @property
    def predictions(self) -> pd.DataFrame:
        """A line for each test row of each trial: truth and label in the dataset's words, and scores.

        `score` is the score of the second class, or of the label where there are more than two; then each class has a
        column of its own besides.
        """
        return self._frame(PREDICTIONS, self._predicted)

    @property
    def times(self) -> pd.DataFrame:
        """A line for each trained learner: seconds, memory, its size where it was measured, and the rows of its parts.

        `trial_seconds` and `memory` are those of its whole trial, with tuning: all learners of a trial have the same.
        """
        return self._frame(TIMES, self._took)

    @property
    def folds(self) -> pd.DataFrame:
        """A line for each row of each fold and the part it belongs to.

        Parts are train and test, and where they are asked for stopping, tuning, calibration and threshold.

        Learners of one comparison share their folds; one that is not tuned has no tuning part, so `learners` says whose
        parts they are. A winner is trained again on its tuning part too, unless the script says otherwise.
        """
        store = Store(self._folder, write=False)
        try:
            parts = [frame for cell in self._shared() for frame in _fold_frames(store, cell)]
        finally:
            store.close()
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(FOLDS))

    def failures(self) -> Iterator[tuple[str, Failure]]:
        """Yield every failed trial: which one it is, in words, and why it failed."""
        store = Store(self._folder, write=False)
        try:
            done = store.done()
            for cell in self._cells:
                for trial in store.trials(key for key in _keys(cell) if done.get(key)):
                    where = f"partition {trial.partition + 1}, fold {trial.fold + 1}, training {trial.training + 1}"
                    assert trial.failure is not None
                    yield f"{cell['comparison']}: {cell['learner']} on {cell['dataset']}, {where}", trial.failure
        finally:
            store.close()

    def _shared(self) -> list[dict[str, Any]]:
        """Return one cell for each split of a comparison's dataset, with the learners that share it."""
        found: dict[tuple[str, ...], dict[str, Any]] = {}
        for cell in self._cells:
            key = (cell["comparison"], cell["dataset"], *map(str, cell["split"]))
            found.setdefault(key, cell | {"learners": []})["learners"].append(cell["learner"])
        return list(found.values())

    def _frame(self, columns: tuple[str, ...], lines: Callable[..., Any]) -> pd.DataFrame:
        store = Store(self._folder, write=False)
        truths: dict[str, Truth] = {}
        parts: list[pd.DataFrame] = []
        try:
            for cell in self._cells:
                truth = truths.setdefault(cell["data"], Truth(store, cell["data"]))
                for trial in store.trials(_keys(cell)):
                    parts += [lines(store, cell, truth, trial, given) for given in trial.answers]
        finally:
            store.close()
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(columns))

    def _predicted(
        self, store: Store, cell: dict[str, Any], truth: Truth, trial: Trial, given: LearnerAnswer
    ) -> pd.DataFrame:
        rows = _split(store, cell, trial.partition, trial.fold)[1]["test"]
        names = np.array(truth.classes, dtype=object)
        right, labels, scores = truth.y[rows], np.asarray(given.labels), given.scores
        single = scores is None or scores.ndim == 1
        values = {
            "row": rows,
            "truth": names[right] if len(names) else right,
            "label": names[labels] if len(names) else labels,
            "score": np.nan if scores is None else scores if single else scores[np.arange(len(labels)), labels],
        }
        if scores is not None and not single:
            values |= {f"score of {name}": scores[:, place] for place, name in enumerate(truth.classes)}
        return pd.DataFrame(_named(cell, trial, given) | values)

    def _took(
        self, store: Store, cell: dict[str, Any], truth: Truth, trial: Trial, given: LearnerAnswer
    ) -> pd.DataFrame:
        values = {
            "fit_seconds": given.fit_seconds,
            "predict_seconds": given.predict_seconds,
            "trial_seconds": np.nan if trial.seconds is None else trial.seconds,
            "memory": np.nan if trial.memory is None else trial.memory,
            "bytes": np.nan if given.size is None else given.size,
            "trained": trial.train_size,
            "tested": trial.test_size,
        }
        return pd.DataFrame({key: [value] for key, value in (_named(cell, trial, given) | values).items()})


def _named(cell: dict[str, Any], trial: Trial, given: LearnerAnswer) -> dict[str, Any]:
    names = {word: cell[word] for word in TRIAL[:3]}
    place = {"partition": trial.partition, "fold": trial.fold, "training": trial.training}
    return names | place | {"tuned_for": ", ".join(given.metrics)}


def _keys(cell: dict[str, Any]) -> Iterator[str]:
    places = product(*(range(cell[word]) for word in _COUNTS))
    return (trial_digest(cell["digest"], *place) for place in places)


def _split(store: Store, cell: dict[str, Any], partition: int, fold: int) -> tuple[dict[str, Any], dict[str, Any]]:
    found = store.fact("splits", digest(*cell["split"], partition, fold))
    return found if found is not None else ({}, {"test": np.empty(0, dtype=np.int64)})


def _fold_frames(store: Store, cell: dict[str, Any]) -> Iterator[pd.DataFrame]:
    data = store.fact("datasets", cell["data"])
    total = len(data[1]["y"]) if data is not None else 0
    for partition in range(cell["partitions"]):
        for fold in range(cell["folds"]):
            about, arrays = _split(store, cell, partition, fold)
            if not about:  # of a run that ended before it
                continue
            used = dict(arrays)
            if about.get("rest"):
                used["train"] = np.setdiff1d(np.arange(total), np.concatenate(list(arrays.values())))
            home = pd.DataFrame(
                {
                    "row": np.concatenate(list(used.values())),
                    "part": np.repeat(list(used), [len(rows) for rows in used.values()]),
                }
            ).sort_values("row", kind="stable")
            place = {"scheme": about.get("scheme", ""), "partition": partition, "fold": fold}
            named = {word: cell[word] for word in ("comparison", "dataset")} | place
            named["learners"] = ", ".join(cell["learners"])
            yield home.assign(**named)[list(FOLDS)]


def export(tables: Mapping[str, ScoreTable], trials: StoredTrials, folder: Path) -> tuple[Path, ...]:
    """Write `scores`, `halves` (of `N halvings`) and the frames of the trials; return the files written."""
    scores = pd.concat([table.frame() for table in tables.values()], ignore_index=True)
    halves = [table.frame(halves=True) for table in tables.values()]
    ending = ".parquet" if importlib.util.find_spec("pyarrow") is not None else ".csv"
    made = {"scores": scores} | ({"halves": pd.concat(halves, ignore_index=True)} if any(map(len, halves)) else {})
    written = tuple(_write(folder / name, frame, ending) for name, frame in made.items())
    return (*written, *export_trials(trials, folder, ending))


def export_trials(trials: StoredTrials, folder: Path, ending: str) -> tuple[Path, ...]:
    """Write `folds`, `predictions` and `times` into a folder as `.csv` or `.parquet`; return the files."""
    frames = {"folds": trials.folds, "predictions": trials.predictions, "times": trials.times}
    return tuple(_write(folder / name, frame, ending) for name, frame in frames.items())


def _write(stem: Path, frame: pd.DataFrame, ending: str) -> Path:
    buffer = io.BytesIO()
    if ending == ".parquet":
        plain = frame.astype({c: str for c in ("truth", "label") if c in frame and frame[c].dtype == object})
        plain.to_parquet(buffer, index=False)
    else:
        frame.map(_without_formula).to_csv(buffer, index=False, lineterminator="\n")
    path = stem.with_suffix(ending)
    write_whole(path, buffer.getvalue())
    return path


def _without_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
