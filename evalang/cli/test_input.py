"""The numbers that `evalang test` is given (counts, lists, columns of a file) as evidence for its test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..catalogue.sources import reader_of_file
from ..catalogue.tests import TestEntry
from ..data.access import Access
from ..data.raw import find_column
from ..errors import ScriptError, TestError
from ..language.text import for_terminal
from ..plans.model import Source
from ..verdicts.arithmetic.differences import size_ratio

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


def given(arguments: tuple[str, ...], truth: str | None, partition: str | None, evidence: str = "") -> GivenNumbers:
    """Read the arguments: all whole numbers are counts, words with commas are lists, else the first names a file."""
    numbers = [number(a) for a in arguments]
    if None not in numbers and all(n == int(n) and n >= 0 for n in numbers if n is not None):
        return GivenNumbers(counts=tuple(int(n) for n in numbers if n is not None), columns={})
    if None not in numbers and evidence in ("count", "outcomes"):
        odd = next(a for a, n in zip(arguments, numbers, strict=True) if n is None or n < 0 or n != int(n))
        raise ScriptError(f"{odd} is not a count", hint="a count is a whole number, 0 or more")
    lists = [_list(a) for a in arguments]
    if None not in lists:
        return GivenNumbers(columns={f"list {i + 1}": np.array(x) for i, x in enumerate(lists)})
    wrong = next((a for a, x in zip(arguments, lists, strict=True) if x is None and "," in a), None)
    if wrong is not None:
        odd = next(part for part in wrong.split(",") if number(part) is None)
        what = f'"{for_terminal(odd)}" is not a number' if odd else "a number is missing"
        raise ScriptError(f'{what} in the list "{for_terminal(wrong)[:60]}"', hint="write 0.9,0.8")
    if numbers[0] is not None and not Path(arguments[0]).suffix:
        odd = next(a for a, n in zip(arguments, numbers, strict=True) if n is None)
        raise ScriptError(f'"{for_terminal(odd)}" is not a number', hint="counts are whole numbers: 35 15")
    return columns_of(arguments[0], arguments[1:], truth, partition, evidence == "outcomes")


def _list(word: str) -> list[float] | None:
    values = [number(part) for part in word.split(",")]
    return None if None in values else [v for v in values if v is not None]


def folded(values: Column, partition: Column | None, five_by_two: bool) -> Column:
    """Return [partition, fold]: by a column that names the splits, else 5 x 2 for 5x2cv, else one split."""
    if partition is None:
        return values.reshape(5, 2) if five_by_two and len(values) == 10 else values[None, :]
    groups = [values[partition == p] for p in dict.fromkeys(partition.tolist())]
    if len({len(g) for g in groups}) > 1:
        what = "the random splits of --partition differ in their number of rows"
        raise TestError(what, hint="give every random split the same number of rows")
    return np.array(groups)


Options = dict[str, Any]


def numbers_for(card: TestEntry, data: GivenNumbers, options: Options) -> Options:
    """Return the arguments of the test's function; ScriptError when they are not among what is given."""
    kind = card.evidence
    if data.counts:
        made = _disagreements(data.counts, options) if kind == "outcomes" and card.learners == "two" else None
        if kind == "count" and len(data.counts) == 2:
            made = {"right": data.counts[0], "rows": data.counts[1]}
        if made is None:
            raise _wrong(card, len(data.counts), "counts")
        return made
    if kind == "count" or not data.columns:
        raise _wrong(card, len(data.columns), "columns")
    sizes = {"train_size": options["train"], "test_size": options["tested"]}
    if card.learners == "one":
        return _of_one(card, data, sizes)
    if card.learners == "many":
        return _of_many(card, data, options)
    return _of_two(card, data, options, sizes)


def _wrong(card: TestEntry, count: int, what: str) -> ScriptError:
    wanted = {
        "count": "two counts (right, of how many): evalang test wilson 83 100",
        "outcomes": "two or four counts, or two columns of right (1) and wrong (0)",
        "procedure": "the score and the scores on shuffled labels: evalang test randomization 0.9 0.5,0.52,0.48",
    }
    hint = wanted.get(card.evidence, "two lists 0.9,0.8 0.7,0.6, or a file and its columns")
    return ScriptError(f"{card.name} is not computed from {count} {what}", hint=f"give {hint}")


def _disagreements(counts: tuple[int, ...], options: Options) -> Options | None:
    rows, both = options["rows"], options["both_right"]
    if len(counts) not in (2, 4):
        return None
    n01, n10 = counts[-3:-1] if len(counts) == 4 else counts
    if len(counts) == 4:
        rows, both = sum(counts), counts[3]
    if rows is not None and rows < n01 + n10 + (both or 0):
        hint = "--rows is the number of all test rows"
        raise ScriptError(f"--rows {rows} is less than the sum of the counts", hint=hint)
    return {"n01": n01, "n10": n10, "rows": rows, "both_right": both}


def _of_one(card: TestEntry, data: GivenNumbers, sizes: Options) -> Options:
    """Return the numbers of a test or an interval of one learner."""
    if card.evidence == "procedure":
        values = list(data.columns.values())
        if len(values) != 2 or len(values[0]) != 1:
            raise _wrong(card, len(values), "columns")
        return {"observed": float(values[0][0]), "shuffled": values[1]}
    if len(data.columns) != 1:
        hint = f"name one: evalang test {card.name} scores.csv A"
        raise ScriptError(f"{card.name} needs one column, but there are {len(data.columns)}", hint=hint)
    (column,) = data.columns.values()
    if card.evidence == "item-scores":  # --partition names the column of their groups
        return {"scores": column, "groups": data.partition}
    name = {"fold-scores": "scores", "training-losses": "losses"}.get(card.evidence, "values")
    return {name: folded(column, data.partition, False), **sizes}


def _of_many(card: TestEntry, data: GivenNumbers, options: Options) -> Options:
    """Return the columns of a test of many learners as one table."""
    names, columns = list(data.columns), list(data.columns.values())
    if len({len(column) for column in columns}) > 1:
        raise TestError("the lists differ in length", hint="give every learner the same number of scores")
    if len(columns) < 2:
        what = f"{card.name} compares two or more columns of numbers, but there is {len(columns)}"
        other = f"a table with a row for each score is read by evalang compare {data.file}"
        raise ScriptError(what, hint=f"give a column for each learner; {other}")
    if card.evidence == "outcomes":
        return {"right": np.column_stack([_right(column, data) for column in columns])}
    control = options["control"] or names[0]
    if control not in names:
        raise ScriptError(f"there is no column {control}", hint=f"the columns are {', '.join(names)}")
    better = {"higher_is_better": not options["lower"], "control": names.index(control)}
    return {"scores": np.column_stack(columns), **better}


def _of_two(card: TestEntry, data: GivenNumbers, options: Options, sizes: Options) -> Options:
    """Return two columns as the numbers of a test that compares two learners."""
    if len(data.columns) != 2:
        hint = f"name the two: evalang test {card.name} scores.csv A B"
        raise ScriptError(f"{card.name} compares two columns, but there are {len(data.columns)}", hint=hint)
    pair: list[Any] = list(data.columns.values())
    more: Options = {}
    if card.evidence == "outcomes":
        pair = [_right(column, data) for column in pair]
    elif card.evidence == "grouped-rows":
        more = {"groups": _partition(card, data, "the group of each row")}
    elif card.evidence == "timed-rows":  # in the order of the rows, or at the times of the column --partition names
        more = {"times": np.arange(len(pair[0])) if data.partition is None else data.partition}
    elif card.evidence == "dataset-folds":
        datasets = _partition(card, data, "the dataset of each fold")
        names = dict.fromkeys(datasets.tolist())
        pair = [[column[datasets == name] for name in names] for column in pair]
        more = {"ratios": [size_ratio(options["train"], options["tested"], card.name)] * len(names)}
    elif card.name == "delong":
        if data.truth is None:
            hint = "give a file, and --truth COLUMN for its true classes"
            raise TestError(f"{card.name} needs the true classes", hint=hint)
        more = {"truth": data.truth}
    elif card.evidence == "fold-scores":
        base = options["base"] if card.name == "tost" else card.name
        if base not in ("paired-t", "row-t"):
            pair, more = [folded(column, data.partition, "5x2cv" in base) for column in pair], sizes
    elif card.evidence in ("retrained-rows", "halved-scores", "training-losses"):
        pair = [folded(column, data.partition, False) for column in pair]
    return {"first": pair[0], "second": pair[1], **more}


def _partition(card: TestEntry, data: GivenNumbers, what: str) -> Column:
    if data.partition is None:
        hint = "give a file, and --partition COLUMN for the column that holds it"
        raise TestError(f"{card.name} needs {what}", hint=hint)
    return data.partition


def _right(values: Column, data: GivenNumbers) -> Column:
    """Return right or wrong of every row: 1 and 0 as given, or predictions compared with the truth."""
    if data.truth is not None:
        return np.array([str(v) == str(t) for v, t in zip(values.tolist(), data.truth.tolist(), strict=True)])
    if data.truths:
        name = data.truths[0]
        hint = f"add --truth {name}; if 1 means right and 0 wrong, add --truth none"
        what = f'{data.file} has a column "{name}", so the columns tested may be predicted classes'
        raise TestError(what, hint=hint)
    if not all(value in (0, 1) for value in values.tolist()):
        hint = "if they are predicted classes, name the column of true classes: --truth COLUMN"
        raise TestError("the columns have values that are not 1 (right) or 0 (wrong)", hint=hint)
    return values.astype(bool)


def columns_of(
    name: str, asked: tuple[str, ...], truth: str | None, partition: str | None, takes_outcomes: bool = False
) -> GivenNumbers:
    """Return the columns asked for (or all that hold numbers), the truth and the partitions, from a file."""
    path = Path(name)
    kind = reader_of_file(path.name)
    if kind is None:
        hint = "give counts, lists 0.9,0.8 0.7,0.6, or a file (.csv, .xlsx, .parquet, .jsonl) and its columns"
        raise ScriptError(f'"{name}" is neither a number nor a table that evalang reads', hint=hint)
    if not path.is_file():
        raise ScriptError(f"there is no file {name}", hint="check its path, relative to this folder")
    from ..data.hashes import score_hashes, truth_hashes  # pandas: counts and lists do not need it
    from ..data.load import read
    from ..data.score_columns import NAMES, plain_name

    frame = read(Source(kind=kind, locator=path.name), Access(root=path.parent)).frame
    names, where = [str(c) for c in frame.columns], path.name
    outcomes = truth == "none" and truth not in names
    truth = None if outcomes else truth
    special = [find_column(w, names, where, role) for w, role in ((truth, "--truth"), (partition, "--partition")) if w]
    lost = next((c for c in asked if c not in names), None)
    long = lost is not None and any(lost in map(str, frame[c].tolist()) for c in names)
    if long:
        hint = f"run evalang compare {name}, or write one column for each learner"
        raise ScriptError(f'{where} has no column "{lost}": the table has a row for each score', hint=hint)
    wanted = [find_column(c, names, where, "") for c in asked]
    chosen = wanted or [c for c in names if c not in special and _is_numeric(frame[c])]
    said = {str(value) for c in chosen for value in frame[c].tolist()}  # labels, if they are values of the truth
    possible = () if outcomes or truth else (c for c in names if plain_name(c) in NAMES["truth"] and c not in chosen)
    truths = tuple(c for c in possible if said & set(map(str, frame[c].tolist())))
    labels = truth is not None or takes_outcomes
    found = {c: _labels(frame[c]) if labels else _numeric(frame[c], c, where) for c in chosen}
    rows = truth_hashes(frame[truth]) if truth else score_hashes(frame)
    given: dict[str, Any] = {role: frame[c].to_numpy() for role, c in (("truth", truth), ("partition", partition)) if c}
    return GivenNumbers(columns=found, truths=truths, file=name, rows=rows, **given)


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

    values = column_scores(column, lambda row: f'row {row + 1} of column "{name}" in {where}').values
    holes = np.flatnonzero(np.isnan(values))
    if len(holes):
        what = f'row {holes[0] + 1} of column "{name}" in {where} has no score'
        raise ScriptError(what, hint="fill in the score, or delete the row")
    return values
