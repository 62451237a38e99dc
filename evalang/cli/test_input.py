"""The numbers that `evalang test` is given (counts, lists, columns of a file) as evidence for its test."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..catalogue.tests import TestEntry
from ..data.access import Access
from ..data.raw import find_column
from ..errors import ScriptError, TestError
from ..language.text import for_terminal
from ..plans.model import Source
from ..verdicts import evidence
from ..verdicts.arithmetic.differences import size_ratio
from ..verdicts.compute import shapes_of

if TYPE_CHECKING:
    import pandas as pd

Column = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenNumbers:
    """Counts, or named columns (numbers, or labels where a truth is named) with the column of partitions."""

    counts: tuple[int, ...] = ()
    columns: dict[str, Column]
    truth: Column | None = None
    partition: Column | None = None
    truths: tuple[str, ...] = ()  # other columns of the file that are named after the truth
    file: str = ""
    rows: Column | None = None  # what the ledger knows the rows of the file again by


def number(word: str) -> float | None:
    """Return a finite number, or None."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def given(
    arguments: tuple[str, ...], truth: str | None, partition: str | None, takes_outcomes: bool = False
) -> GivenNumbers:
    """Read the arguments: all whole numbers are counts, words with commas are lists, else the first names a file."""
    numbers = [number(a) for a in arguments]
    if None not in numbers and all(n == int(n) and n >= 0 for n in numbers if n is not None):
        return GivenNumbers(counts=tuple(int(n) for n in numbers if n is not None), columns={})
    lists = [_list(a) for a in arguments]
    if None not in lists:
        return GivenNumbers(columns={f"list {i + 1}": np.array(x) for i, x in enumerate(lists)})
    wrong = next((a for a, x in zip(arguments, lists, strict=True) if x is None and "," in a), None)
    if wrong is not None:
        odd = next(part for part in wrong.split(",") if number(part) is None)
        raise ScriptError(
            f"{for_terminal(odd) or 'nothing'} is no number in {for_terminal(wrong)[:60]}", hint="write 0.9,0.8"
        )

    return columns_of(arguments[0], arguments[1:], truth, partition, takes_outcomes)


def _list(word: str) -> list[float] | None:
    values = [number(part) for part in word.split(",")]
    return None if None in values else [v for v in values if v is not None]


Options = dict[str, Any]
# Shapes whose columns are divided into random splits, by --partition.
_FOLDED = (
    evidence.FoldScores,
    evidence.RetrainedRows,
    evidence.HalvedScores,
    evidence.TrainingLosses,
    evidence.LearnerFolds,
    evidence.LearnerLosses,
    evidence.LearnerRows,
)
_OF_MANY = (evidence.ManyOutcomes, evidence.ManyDatasetScores)
# What tost takes two columns for, by --base.
_BASED_ON: dict[str, type[Any]] = {"paired-t": evidence.DatasetScores, "row-t": evidence.RowLosses}


def shown(card: TestEntry, data: GivenNumbers, options: Options) -> evidence.Shape:
    """Return the evidence for this test; ScriptError when it is not made from what is given."""
    takes = shapes_of(card.name)
    if data.counts:
        return _from_counts(card, data.counts, options, takes)
    if takes[0] is evidence.Successes or not data.columns:
        raise _wrong(card, len(data.columns), "columns")
    shape = _BASED_ON.get(options["base"], takes[0]) if evidence.FoldScores in takes and len(takes) > 1 else takes[0]
    columns = list(data.columns.values())
    if shape is evidence.ShuffledScores:
        if len(columns) != 2 or len(columns[0]) != 1:
            raise _wrong(card, len(columns), "columns")
        return evidence.ShuffledScores(observed=float(columns[0][0]), shuffled=columns[1])
    wanted = len(columns) if shape in _OF_MANY else 2 if issubclass(shape, evidence.PairShape) else 1
    if len(columns) != wanted:
        what = "compares two columns" if wanted == 2 else "is of one column"
        hint = (
            f"name {'the two' if wanted == 2 else 'one'}: evalang test {card.name} scores.csv {'A B'[: 2 * wanted - 1]}"
        )
        raise ScriptError(f"{card.name} {what}, and there are {len(columns)}", hint=hint)
    if shape in (evidence.Outcomes, evidence.ManyOutcomes):
        columns = [_right(column, data) for column in columns]
    five_by_two = "5x2cv" in (options["base"] if card.name == "tost" else card.name)
    if shape in _FOLDED:
        columns = [folded(column, data.partition, five_by_two) for column in columns]
    if shape in _OF_MANY:
        if len({len(column) for column in columns}) > 1:
            raise TestError("the lists differ in length", hint="every learner needs a score for every unit")
        columns = [np.column_stack(columns)]
    own = {field.name for field in fields(shape)}
    places: dict[str, Any] = dict(zip([name for name in _NUMBERS if name in own], columns, strict=False))
    more = {name: of(card, data, options) for name, of in _BY_FIELD.items() if name in own}
    if shape is evidence.DatasetFolds:
        datasets = _partition(card, data, "the dataset of every fold")
        names = list(dict.fromkeys(datasets.tolist()))
        places = {place: [column[datasets == name] for name in names] for place, column in places.items()}
        more = {"ratios": [size_ratio(options["train"], options["tested"], card.name)] * len(names)}
    if shape is evidence.GroupedRows:
        _partition(card, data, "the group of every row")
    if shape is evidence.LearnerItems:
        more["values"] = None
    made: evidence.Shape = shape(**places, **more)
    return made


def _from_counts(card: TestEntry, counts: tuple[int, ...], options: Options, takes: tuple[type, ...]) -> evidence.Shape:
    """Return counts as the cells of a two-by-two table, or as right ones of all."""
    if evidence.Successes in takes and len(counts) == 2:
        return evidence.Successes(right=counts[0], rows=counts[1])
    if evidence.Disagreements not in takes or len(counts) not in (2, 4):
        raise _wrong(card, len(counts), "counts")
    rows, both = options["rows"], options["both_right"]
    n01, n10 = counts[-3:-1] if len(counts) == 4 else counts
    if len(counts) == 4:
        rows, both = sum(counts), counts[3]
    if rows is not None and rows < n01 + n10 + (both or 0):
        raise ScriptError(f"{rows} rows are fewer than the counts add up to", hint="correct --rows")
    return evidence.Disagreements(n01=n01, n10=n10, rows=rows, both_right=both)


def _wrong(card: TestEntry, count: int, what: str) -> ScriptError:
    wanted = {
        "count": "two counts: evalang test wilson 83 100",
        "outcomes": "two or four counts, or two columns of right (1) and wrong (0)",
        "procedure": "the score and the scores on shuffled labels: evalang test randomization 0.9 0.5,0.52,0.48",
    }
    hint = wanted.get(card.evidence, "two lists 0.9,0.8 0.7,0.6, or a file and its columns")
    return ScriptError(f"{card.name} is not computed from {count} {what}", hint=f"give {hint}")


def folded(values: Column, partition: Column | None, five_by_two: bool) -> Column:
    """Return [partition, fold]: by a column that names the splits, else 5 x 2 for 5x2cv, else one split."""
    if partition is None:
        return values.reshape(5, 2) if five_by_two and len(values) == 10 else values[None, :]
    groups = [values[partition == p] for p in dict.fromkeys(partition.tolist())]
    if len({len(g) for g in groups}) > 1:
        raise TestError("the random splits differ in their number of rows", hint="every split needs the same number")
    return np.array(groups)


def _truth(card: TestEntry, data: GivenNumbers, _: Options) -> Column:
    if data.truth is None:
        raise TestError(f"{card.name} needs the true classes", hint="give a file and --truth COLUMN")
    return data.truth


def _partition(card: TestEntry, data: GivenNumbers, what: str) -> Column:
    if data.partition is None:
        raise TestError(f"{card.name} needs {what}", hint="give a file and --partition COLUMN")
    return data.partition


def _times(_: TestEntry, data: GivenNumbers, __: Options) -> Column:
    """Return the column that --partition names, else the order of the rows."""
    return np.arange(len(next(iter(data.columns.values())))) if data.partition is None else data.partition


def _control(_: TestEntry, data: GivenNumbers, options: Options) -> int:
    names = list(data.columns)
    if (options["control"] or names[0]) not in names:
        raise ScriptError(f"there is no column {options['control']}", hint=f"the columns are {', '.join(names)}")
    return names.index(options["control"] or names[0])


_NUMBERS = ("first", "second", "right", "scores", "losses", "values")  # fields of a shape that columns fill
_BY_FIELD: dict[str, Callable[[TestEntry, GivenNumbers, Options], Any]] = {  # the other fields
    "train_size": lambda _, __, options: options["train"],
    "test_size": lambda _, __, options: options["tested"],
    "bounds": lambda *_: (0.0, 1.0),
    "truth": _truth,
    "groups": lambda _, data, __: data.partition,
    "times": _times,
    "higher_is_better": lambda _, __, options: not options["lower"],
    "control": _control,
}


def _right(values: Column, data: GivenNumbers) -> Column:
    """Return right or wrong of every row: 1 and 0 as given, or predictions compared with the truth."""
    if data.truth is not None:
        return np.array([str(v) == str(t) for v, t in zip(values.tolist(), data.truth.tolist(), strict=True)])
    if data.truths:
        name = data.truths[0]
        hint = f"add --truth {name}; if 1 means right and 0 wrong, add --truth none"
        raise TestError(f"{data.file} has the column {name}: are the other columns predictions?", hint=hint)
    if not all(value in (0, 1) for value in values.tolist()):
        raise TestError(
            "right and wrong are written 1 and 0", hint="of predictions, name the true classes: --truth COLUMN"
        )
    return values.astype(bool)


_ENDINGS: dict[str, str] = {".csv": "csv", ".gz": "csv", ".parquet": "parquet", ".feather": "feather", ".arff": "arff"}


def columns_of(
    name: str, asked: tuple[str, ...], truth: str | None, partition: str | None, takes_outcomes: bool = False
) -> GivenNumbers:
    """Return the columns asked for (or all that hold numbers), the truth and the partitions, from a file."""
    path = Path(name)
    kind = _ENDINGS.get(path.suffix)
    if kind is None:
        hint = "give counts, lists 0.9,0.8 0.7,0.6, or a .csv, .parquet or .arff file and its columns"
        raise ScriptError(f"{name} is neither a number nor a table that evalang reads", hint=hint)
    from ..data.guess_roles import TRUTH, plain_name
    from ..data.hashes import score_hashes, truth_hashes  # pandas: counts and lists do not need it
    from ..data.load import read

    frame = read(Source(kind=kind, locator=path.name), Access(root=path.parent)).frame
    names, where = [str(c) for c in frame.columns], path.name
    outcomes = truth == "none" and truth not in names
    truth = None if outcomes else truth
    special = [find_column(w, names, where, role) for w, role in ((truth, "--truth"), (partition, "--partition")) if w]
    wanted = [find_column(c, names, where, "test") for c in asked]
    chosen = wanted or [c for c in names if c not in special and _is_numeric(frame[c])]
    said = {str(value) for c in chosen for value in frame[c].tolist()}  # labels, if they are values of the truth
    possible = () if outcomes or truth else (c for c in names if plain_name(c) in TRUTH and c not in chosen)
    truths = tuple(c for c in possible if said & set(map(str, frame[c].tolist())))
    labels = truth is not None or takes_outcomes
    found = {c: _labels(frame[c]) if labels else _numeric(frame[c], c, where) for c in chosen}
    rows = truth_hashes(frame[truth]) if truth else score_hashes(frame)
    return GivenNumbers(
        columns=found,
        truth=frame[truth].to_numpy() if truth else None,
        partition=frame[partition].to_numpy() if partition else None,
        truths=truths,
        file=name,
        rows=rows,
    )


def _labels(column: pd.Series[Any]) -> Column:
    """Return numbers where all are numbers (scores), else the values as they stand (classes)."""
    import pandas as pd

    numbers = pd.to_numeric(column.astype(object), errors="coerce")
    return numbers.to_numpy() if numbers.notna().all() else column.to_numpy()


def _is_numeric(column: pd.Series[Any]) -> bool:
    from ..data.given_tables import written_number

    return all(v == v if isinstance(v, int | float) else written_number(v) is not None for v in column.tolist())


def _numeric(column: pd.Series[Any], name: str, where: str) -> Column:
    from ..data.given_tables import column_scores

    values = column_scores(column, lambda row: f"row {row + 1} of column {name} in {where}").values
    holes = np.flatnonzero(np.isnan(values))
    if len(holes):
        raise ScriptError(f"row {holes[0] + 1} of column {name} in {where} holds no score", hint="tests need numbers")
    return values
