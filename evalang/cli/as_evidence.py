"""What `evalang test` is given, put into the shape of evidence that the test is made from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..catalogue.entry import TestEntry
from ..errors import ScriptError, TestError
from ..verdicts import evidence
from ..verdicts.arithmetic.differences import size_ratio
from ..verdicts.compute import shapes_of
from .given import Column, GivenNumbers, folded

Options = dict[str, Any]
# What tost takes two columns for, by --base.
_BASED_ON: dict[str, type[Any]] = {"paired-t": evidence.DatasetScores, "row-t": evidence.RowLosses}


def shown(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.Shape:
    """The evidence for this test; ScriptError when it is not made from what is given."""
    takes = shapes_of(card.name)
    if data.counts:
        counted = next((shape for shape in takes if shape in _COUNTED), None)
        made = _COUNTED[counted](data.counts, options) if counted is not None else None
        if made is None:
            raise _wrong(card, len(data.counts), "counts")
        return made
    if takes[0] in _COUNTED or not data.columns:
        raise _wrong(card, len(data.columns), "columns")
    shape = _BASED_ON.get(options["base"], takes[0]) if evidence.FoldScores in takes and len(takes) > 1 else takes[0]
    return _SHAPED[shape](card, data, options)


def _wrong(card: TestEntry, count: int, what: str) -> ScriptError:
    wanted = {
        "count": "two counts: evalang test wilson 83 100",
        "outcomes": "two or four counts, or two columns of right (1) and wrong (0)",
        "procedure": "the score and the scores on shuffled labels: evalang test randomization 0.9 0.5,0.52,0.48",
    }
    hint = wanted.get(card.evidence, "two lists 0.9,0.8 0.7,0.6, or a file and its columns")
    return ScriptError(f"{card.name} is not computed from {count} {what}", hint=f"give {hint}")


def _disagreements(counts: tuple[int, ...], options: Options) -> evidence.Disagreements | None:
    rows, both = options["rows"], options["both_right"]
    if len(counts) not in (2, 4):
        return None
    n01, n10 = counts[-3:-1] if len(counts) == 4 else counts
    if len(counts) == 4:
        rows, both = sum(counts), counts[3]
    if rows is not None and rows < n01 + n10 + (both or 0):
        raise ScriptError(f"{rows} rows are fewer than the counts add up to", hint="correct --rows")
    return evidence.Disagreements(n01=n01, n10=n10, rows=rows, both_right=both)


def _successes(counts: tuple[int, ...], options: Options) -> evidence.Successes | None:
    return evidence.Successes(right=counts[0], rows=counts[1]) if len(counts) == 2 else None


def _two(card: TestEntry, data: GivenNumbers) -> tuple[Column, Column]:
    if len(data.columns) != 2:
        hint = "name the two: evalang test paired-t scores.csv A B"
        raise ScriptError(f"{card.name} compares two columns, and there are {len(data.columns)}", hint=hint)
    first, second = data.columns.values()
    return first, second


def _outcomes(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.Outcomes:
    first, second = (_right(column, data) for column in _two(card, data))
    return evidence.Outcomes(first=first, second=second)


def _row_losses(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.RowLosses:
    first, second = _two(card, data)
    return evidence.RowLosses(first=first, second=second)


def _retrained_rows(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.RetrainedRows:
    first, second = (folded(column, data.partition, False) for column in _two(card, data))
    return evidence.RetrainedRows(first=first, second=second)


def _grouped_rows(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.GroupedRows:
    first, second = _two(card, data)
    if data.partition is None:
        raise TestError(f"{card.name} needs the group of every row", hint="give a file and --partition COLUMN")
    return evidence.GroupedRows(first=first, second=second, groups=data.partition)


def _timed_rows(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.TimedRows:
    """In the order of the rows, or at the times of the column that --partition names."""
    first, second = _two(card, data)
    times = np.arange(len(first)) if data.partition is None else data.partition
    return evidence.TimedRows(first=first, second=second, times=times)


def _dataset_scores(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.DatasetScores:
    first, second = _two(card, data)
    return evidence.DatasetScores(first=first, second=second)


def _dataset_folds(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.DatasetFolds:
    """Folds by the dataset that the column of --partition names."""
    if data.partition is None:
        raise TestError(f"{card.name} needs the dataset of every fold", hint="give a file and --partition COLUMN")
    names = dict.fromkeys(data.partition.tolist())
    first, second = ([column[data.partition == name] for name in names] for column in _two(card, data))
    ratio = size_ratio(options["train"], options["tested"], card.name)
    return evidence.DatasetFolds(first=first, second=second, ratios=[ratio] * len(names))


def _row_scores(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.RowScores:
    first, second = _two(card, data)
    if data.truth is None:
        raise TestError(f"{card.name} needs the true classes", hint="give a file and --truth COLUMN")
    return evidence.RowScores(truth=data.truth, first=first, second=second)


def _fold_scores(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.FoldScores:
    halves = "5x2cv" in (card.name, options["base"])[card.name == "tost"]
    first, second = (folded(column, data.partition, halves) for column in _two(card, data))
    return evidence.FoldScores(first=first, second=second, train_size=options["train"], test_size=options["tested"])


def _halved_scores(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.HalvedScores:
    """Partitions of which the later half are halvings."""
    first, second = (folded(column, data.partition, False) for column in _two(card, data))
    return evidence.HalvedScores(first=first, second=second)


def _training_losses(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.TrainingLosses:
    first, second = (folded(column, data.partition, False) for column in _two(card, data))
    return evidence.TrainingLosses(first=first, second=second)


def _columns(data: GivenNumbers) -> list[Column]:
    found = list(data.columns.values())
    if len({len(column) for column in found}) > 1:
        raise TestError("the lists differ in length", hint="every learner needs a score for every unit")
    return found


def _many_outcomes(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.ManyOutcomes:
    return evidence.ManyOutcomes(right=np.column_stack([_right(column, data) for column in _columns(data)]))


def _many_scores(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.ManyDatasetScores:
    names = list(data.columns)
    control = options["control"] or names[0]
    if control not in names:
        raise ScriptError(f"there is no column {control}", hint=f"the columns are {', '.join(names)}")
    return evidence.ManyDatasetScores(
        scores=np.column_stack(_columns(data)), higher_is_better=not options["lower"], control=names.index(control)
    )


def _single(card: TestEntry, data: GivenNumbers) -> Column:
    if len(data.columns) != 1:
        raise ScriptError(f"{card.name} judges one column, and there are {len(data.columns)}", hint="name one")
    return folded(next(iter(data.columns.values())), data.partition, False)


def _learner_folds(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.LearnerFolds:
    return evidence.LearnerFolds(
        scores=_single(card, data), train_size=options["train"], test_size=options["tested"], bounds=(0.0, 1.0)
    )


def _learner_losses(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.LearnerLosses:
    return evidence.LearnerLosses(losses=_single(card, data), bounds=(0.0, 1.0))


def _learner_rows(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.LearnerRows:
    return evidence.LearnerRows(values=_single(card, data), bounds=(0.0, 1.0))


def _shuffled(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.ShuffledScores:
    values = list(data.columns.values())
    if len(values) != 2 or len(values[0]) != 1:
        raise _wrong(card, len(values), "columns")
    return evidence.ShuffledScores(observed=float(values[0][0]), shuffled=values[1])


def _learner_items(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.LearnerItems:
    """One column of items; --partition names the column of their groups."""
    if len(data.columns) != 1:
        hint = "name one: evalang test item-interval scores.csv A"
        raise ScriptError(f"{card.name} is of one column, and there are {len(data.columns)}", hint=hint)
    (scores,) = data.columns.values()
    return evidence.LearnerItems(scores=scores, values=None, groups=data.partition)


_COUNTED: dict[type[Any], Callable[[tuple[int, ...], Options], evidence.Shape | None]] = {
    evidence.Disagreements: _disagreements,
    evidence.Successes: _successes,
}
_SHAPED: dict[type[Any], Callable[[TestEntry, GivenNumbers, Options], evidence.Shape]] = {
    evidence.Outcomes: _outcomes,
    evidence.RowLosses: _row_losses,
    evidence.RowScores: _row_scores,
    evidence.RetrainedRows: _retrained_rows,
    evidence.GroupedRows: _grouped_rows,
    evidence.TimedRows: _timed_rows,
    evidence.FoldScores: _fold_scores,
    evidence.HalvedScores: _halved_scores,
    evidence.TrainingLosses: _training_losses,
    evidence.DatasetScores: _dataset_scores,
    evidence.DatasetFolds: _dataset_folds,
    evidence.ManyOutcomes: _many_outcomes,
    evidence.ManyDatasetScores: _many_scores,
    evidence.LearnerFolds: _learner_folds,
    evidence.LearnerLosses: _learner_losses,
    evidence.LearnerItems: _learner_items,
    evidence.LearnerRows: _learner_rows,
    evidence.ShuffledScores: _shuffled,
}


def _right(values: Column, data: GivenNumbers) -> Column:
    """Right or wrong of every row: 1 and 0 as given, or predictions compared with the truth."""
    if data.truth is not None:
        return np.array([str(v) == str(t) for v, t in zip(values.tolist(), data.truth.tolist(), strict=True)])
    if not np.isin(values, (0, 1)).all():
        raise TestError("right and wrong are written 1 and 0", hint="or name the true classes: --truth COLUMN")
    return values.astype(bool)
