"""Scores that the user already has: a table of results, checked, with its units in arrays that evidence is made from.

The one place that checks pairing, repeated cells, gaps and levels.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, compress
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..catalogue.metrics import MetricEntry, find_metric
from ..catalogue.sources import find_reader
from ..errors import DataError
from ..language.text import nearest
from ..plans.levels import levels_of, levels_problem, standing_by_name, written_levels
from ..plans.model import Level, Metric, ResultsTable, Scheme, seeds_redrawn
from .access import Access
from .column_words import BUDGET, JUDGE, describes_model, first_parts, is_setting, plain_text
from .given_tables import (
    ColumnScores,
    check_learners,
    coded_names,
    column_scores,
    long_table,
    reading_notes,
    training_rows,
    wide_table,
    without_missing,
)
from .hashes import score_hashes
from .load import read
from .profile import are_long
from .profile_facts import TableFacts
from .quoting import quoted, quoted_list
from .raw import LongTable
from .tools import read_scores
from .undeclared import are_dates, is_group_like

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
Missing = Literal["", "wrong", "left-out", "complete"]  # what the script says of answers that are not there

LARGEST, SMALLEST = 1e100, 1e-100  # squares and their sums have to fit into a number
ROUNDING = 1e-9
_MOST_JUDGES = 5  # ours: a column of more names is no list of judges
_ASKED = re.compile(r"(?:metadata\.)?(?:question|prompt|input|query|problem|instruction)(?:[ _.-]?text)?", re.I)
NONE_SHARED = (
    "learners are compared on the datasets or items that all of them have: check that their names and ids are the same"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Items:
    """The items of one dataset; `values` is [learner, item, epoch], NaN where an item has fewer samples."""

    names: tuple[str, ...]
    values: Floats
    groups: Codes | None = None
    group_names: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()  # the hash of each item's text, where the source holds all of them

    @property
    def counts(self) -> Codes:
        """The number of samples, [learner, item]."""
        return np.asarray(np.count_nonzero(~np.isnan(self.values), axis=2))

    @property
    def epochs(self) -> tuple[int, int]:
        """The fewest and the most samples of an item that has any."""
        counts = self.counts
        return int(counts[counts > 0].min(initial=counts.max(initial=0))), int(counts.max(initial=0))

    def keep(self, learners: Sequence[int], kept: NDArray[np.bool_]) -> Items:
        """Return some of the items, with the answers of some of the learners."""
        return replace(
            self,
            names=tuple(compress(self.names, kept)),
            values=self.values[list(learners)][:, kept],
            groups=None if self.groups is None else self.groups[kept],
            contents=tuple(compress(self.contents, kept)),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenResults:
    """A table of scores; `fold_scores[d]` is [learner, partition, fold] of dataset d, if there are folds."""

    name: str
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    metric: str
    higher_is_better: bool
    scores: Floats  # [dataset, learner]; with folds or items, their means
    fold_scores: tuple[Floats, ...] = ()
    items: tuple[Items, ...] = ()
    seeds: tuple[Floats, ...] = ()  # [learner, seed] of each dataset, where a seed is a whole run; NaN after the last
    unequal_seeds: tuple[str, ...] = ()  # notes
    levels: tuple[Level, ...] = ()
    made: Scheme | None = None
    facts: TableFacts = field(default_factory=lambda: TableFacts(name="", learners=(), datasets=()))
    row_hashes: NDArray[np.uint64] | None = None  # by which the ledger recognises the table
    as_wrong: GivenResults | None = None  # the same with missing answers counted as wrong, where some were left out

    @property
    def left_out(self) -> tuple[str, ...]:
        """Datasets (of items: items) without a score of every learner, under `complete cases`."""
        return self.facts.left_out

    @property
    def units(self) -> list[Floats]:
        """The finest scores that there are, [learner, ...] each."""
        return [t.values for t in self.items] or list(self.fold_scores) or [self.scores.T]

    def column(self, learner: str) -> Floats:
        """Return the scores of one learner over the datasets."""
        return np.asarray(self.scores[:, self.learners.index(learner)])


class UnknownLearner(DataError):
    """A learner that the script names and the table does not hold."""

    def __init__(self, message: str, *, hint: str, learner: str) -> None:
        super().__init__(message, hint=hint)
        self.learner = learner


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRequest:
    """What the script wants of a table."""

    name: str = "results"
    where: str = "the table"
    learners: tuple[str, ...] = ()  # those that are compared; () is all of them
    metric: str = "accuracy"
    higher_is_better: bool = True
    made: Scheme | None = None
    trainings: int | None = None
    least: int = 2  # learners; an estimate needs one
    missing: Missing = ""
    worst: float | None = None  # the score of a wrong answer; None: the metric has no bound


def load_results(
    planned: ResultsTable,
    access: Access,
    *,
    learners: Sequence[str] = (),
    metric: Metric | None = None,
    least: int = 2,
    missing: Missing = "",
) -> GivenResults:
    """Return the results behind a `results` statement, of the learners that are compared (all: ())."""
    where = f"{planned.source.kind} {planned.source.locator}"
    levels = levels_of(planned)
    wrong = levels_problem(levels, planned.made, planned.trainings)
    if wrong is not None:
        raise DataError(f"{where}: {wrong[0]}", hint=wrong[1], span=planned.span)
    reader = find_reader(planned.source.kind)
    if reader is not None and reader.is_scores:
        table = _with_roles(read_scores(planned.source, access), written_levels(planned), where)
        hashed = table.frame[list(dict.fromkeys(table.columns.values()))]
        levels = ()
    else:
        hashed = without_missing(read(planned.source, access).frame, planned.missing)
        if planned.formula:
            table = long_table(hashed, planned.formula, levels, where)
        else:
            table = wide_table(hashed, levels, planned.learners_in, where, least)
    chosen, higher = _direction(metric or planned.measured or planned.metric, table, planned.formula, where)
    card = metric.card if metric is not None else find_metric(chosen)
    worst = None if card is None else card.low if higher else card.high
    if worst == 1.0 and pd.to_numeric(table.frame[table.columns["score"]], errors="coerce").max() > 1.0:
        worst = 100.0  # in per cent
    if worst is None and missing == "wrong":
        what = f"`missing count as wrong` needs a worst value, and the metric {chosen} has none"
        raise DataError(what, hint='write `missing left out because "…"`, or `complete cases`')
    request = TableRequest(
        name=planned.name,
        where=where,
        learners=tuple(learners) or planned.learners_in,
        metric=chosen,
        higher_is_better=higher,
        made=planned.made,
        trainings=planned.trainings,
        least=least,
        missing=missing,
        worst=worst,
    )
    found = results_of(table, request, levels)
    _check_scores(found, where)
    if worst is not None and missing != "wrong" and (found.left_out or any(n for n, _ in found.facts.missing)):
        found = replace(found, as_wrong=results_of(table, replace(request, missing="wrong"), levels))
    return replace(found, row_hashes=score_hashes(hashed))


def results_of(table: LongTable, request: TableRequest, levels: Sequence[Level] = ()) -> GivenResults:
    """Return the results of a long table, or raise a DataError that names the cell.

    `levels` are those of the script; without any, the table's own.
    """
    known = tuple(levels) or tuple(
        Level(column, standing)
        for standing, column in table.columns.items()
        if standing != "score" and standing != "learner"
    )
    wrong = levels_problem(known, request.made, request.trainings)
    if wrong is not None:
        raise DataError(f"{request.where}: {wrong[0]}", hint=wrong[1])
    coded, cells, repeated = _coded(table, request)
    places = coded.levels.get("dataset")
    datasets = places[1] if places else [request.name]
    if places is None:
        rows_of = [np.arange(len(coded.values), dtype=np.intp)]
    else:
        order = np.argsort(places[0], kind="stable")
        rows_of = np.split(order, np.searchsorted(places[0][order], np.arange(1, len(datasets))))
    blocks = [_Block(request, coded, datasets[d], rows) for d, rows in enumerate(rows_of)]
    words = _free_words(table)
    facts = TableFacts(
        name=request.name,
        learners=coded.learners,
        held=int(table.frame[table.columns["learner"]].nunique()),
        datasets=tuple(datasets),
        spreads=table.spreads + cells.spreads,
        origins=tuple(f"{o.tool} {o.version} {o.path}".replace("  ", " ") for o in table.origins),
        differing=(*table.differing, *_differing_settings(table, coded)),
        omitted=(*table.left_out, *_counted_once(repeated), *reading_notes([cells])),
        metric=table.metric or "",
        scorer=next(iter(_words_in(words, "scorer")), ""),
        judges=_words_in(words, JUDGE) or _judging_learners(table, words),
        mixed_metrics=_mixed_metrics(words),
        training=training_rows(table.frame, table.columns.values() if "item" in coded.levels else table.frame),
        **_facts_of_texts(table, coded),
        temperature=_temperature(table.frame),
    )
    found = GivenResults(
        name=request.name,
        learners=facts.learners,
        datasets=facts.datasets,
        metric=request.metric,
        higher_is_better=request.higher_is_better,
        scores=np.empty((0, 0)),
        levels=known,
        made=request.made,
        facts=facts,
    )
    return _with_facts(*(_with_items if "item" in coded.levels else _with_folds)(found, blocks, request))


@dataclass(frozen=True, slots=True, eq=False)
class _Coded:
    """The rows that are compared, every name as a number in order of its first row."""

    values: Floats
    rows: Codes  # their places in the frame
    learner: Codes
    learners: tuple[str, ...]
    levels: dict[str, tuple[Codes, list[str]]]  # standing -> codes, names
    contents: Mapping[tuple[str, str], str]  # hash of an item's text, by dataset and item

    def keep(self, kept: NDArray[np.bool_]) -> _Coded:
        """Return some of the rows."""
        levels = {standing: (codes[kept], names) for standing, (codes, names) in self.levels.items()}
        return replace(self, values=self.values[kept], rows=self.rows[kept], learner=self.learner[kept], levels=levels)


class _Block:
    """The cells of one dataset, on axes that have names."""

    def __init__(self, request: TableRequest, coded: _Coded, name: str, rows: Codes) -> None:
        self.name, self.where, self.coded, self.rows = name, request.where, coded, rows
        self.axes: dict[str, tuple[Codes, list[str]]] = {}
        for standing, (codes, names) in coded.levels.items():
            if standing != "dataset":
                inverse, used = pd.factorize(codes[rows])  # in order of the first row
                self.axes[standing] = (inverse, [names[i] for i in used])

    def filled(self, *standings: str) -> Floats:
        """Return [learner, ...] over these levels, NaN where there is no score; an absent level has size 1."""
        shape, index = self._cells(*standings)
        found = np.full(shape, np.nan)
        found[index] = self.coded.values[self.rows]
        return found

    def has_row(self, *standings: str) -> NDArray[np.bool_]:
        """Return [learner, ...] over these levels: whether there is a row, with or without a score."""
        shape, index = self._cells(*standings)
        found = np.zeros(shape, dtype=bool)
        found[index] = True
        return found

    def _cells(self, *standings: str) -> tuple[list[int], tuple[Codes, ...]]:
        """Return the size of [learner, ...] over these levels, and the place of every row."""
        shape = [len(self.coded.learners)]
        index: list[Codes] = [self.coded.learner[self.rows]]
        for standing in standings:
            codes, names = self.axes.get(standing, (np.zeros(len(self.rows), dtype=np.intp), [""]))
            shape.append(len(names))
            index.append(codes)
        return shape, tuple(index)

    def nest_folds(self) -> None:
        """Number the folds within each repetition, where they are numbered on from one to the next."""
        if "fold" not in self.axes or "repeat" not in self.axes:
            return
        (repeat, repeats), (fold, folds) = self.axes["repeat"], self.axes["fold"]
        inverse, pairs = pd.factorize(repeat * len(folds) + fold)
        repeat_of = pd.Series(pairs // len(folds))
        sizes = repeat_of.value_counts().sort_index().tolist()
        if len(set(sizes)) > 1:
            listed = ", ".join(f"{quoted(r)} has {n}" for r, n in list(zip(repeats, sizes, strict=True))[:4])
            what = f"{self.where}: the repeats of {quoted(self.name)} differ in their number of folds ({listed})"
            raise DataError(what, hint="every repeat needs the same number of folds")
        if sizes[0] < len(folds):
            place: Codes = repeat_of.groupby(repeat_of).cumcount().to_numpy().astype(np.intp)
            self.axes["fold"] = (place[inverse], [str(i + 1) for i in range(sizes[0])])

    def gaps(self, found: Floats, standings: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield (learner, place) of every cell without a score."""
        for at in np.argwhere(np.isnan(found)):
            words = [self.name] if "dataset" in self.coded.levels else []
            words += [self.axes[s][1][i] for s, i in zip(standings, at[1:], strict=True) if s in self.axes]
            yield self.coded.learners[at[0]], " / ".join(words) or self.name

    def groups(self) -> Codes | None:
        """Return the group of every item; an item in two groups is refused."""
        if "group" not in self.axes:
            return None
        (item, names), (group, words) = self.axes["item"], self.axes["group"]
        found = np.full(len(names), -1, dtype=np.intp)
        found[item] = group
        torn = np.flatnonzero(found[item] != group)
        if torn.size:
            which = names[item[torn[0]]]
            both = sorted({words[g] for g in group[item == item[torn[0]]]})
            what = f"{self.where}: the item {quoted(which)} is in the groups {quoted_list(both)}"
            raise DataError(what, hint="an item belongs to one group: give different items different names")
        return found

    def contents(self, items: Sequence[str]) -> tuple[str, ...]:
        """Return the hash of each item's text; () unless all of them are known."""
        found = tuple(self.coded.contents.get((self.name, item), "") for item in items)
        return found if all(found) else ()


def _coded(table: LongTable, request: TableRequest) -> tuple[_Coded, ColumnScores, int]:
    """Return the rows of the learners that are compared, their scores as read, and rows that stood there twice."""
    frame, where = table.frame, request.where
    words = {str(standing): column for standing, column in table.columns.items()}
    score, treatment = words.pop("score"), words.pop("learner")
    learner, names = coded_names(frame[treatment], treatment, where)
    for name in request.learners:
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean {near}?" if near else f"its learners are {quoted_list(names)}"
            raise UnknownLearner(f"the table {request.name} has no learner {name}", hint=hint, learner=name)
    chosen = list(request.learners) or names
    check_learners(chosen, where, request.least)
    number = np.full(len(names), -1, dtype=np.intp)
    number[[names.index(name) for name in chosen]] = np.arange(len(chosen))
    rows = np.flatnonzero(number[learner] >= 0)
    levels = {standing: coded_names(frame[column], column, where) for standing, column in words.items()}
    used = frame.iloc[rows]
    scores = column_scores(
        used[score], lambda i: f"{where}: row {rows[i] + 1}, {quoted(score)}", outcomes="item" in levels
    )
    coded = _Coded(
        values=scores.values,
        rows=rows,
        learner=number[learner][rows],
        learners=tuple(chosen),
        levels={standing: (codes[rows], there) for standing, (codes, there) in levels.items()},
        contents=table.contents,
    )
    once = _without_twins(used, coded, table, request)
    return once, scores, len(coded.values) - len(once.values)


def _counted_once(repeated: int) -> tuple[str, ...]:
    """Return the note on scores that repeat another; a row of a wide table has one of each learner."""
    words = "score repeats another and is" if repeated == 1 else "scores repeat others and are"
    return (f"{repeated:,} {words} left out",) if repeated else ()


def _without_twins(used: pd.DataFrame, coded: _Coded, table: LongTable, request: TableRequest) -> _Coded:
    """Count rows that are equal in every column once; refuse two scores of one cell that differ in anything."""
    cells = {"learner": coded.learner} | {s: codes for s, (codes, _) in coded.levels.items() if s != "group"}
    key = pd.DataFrame(cells).groupby(list(cells), sort=False).ngroup().to_numpy()
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order][1:] == key[order][:-1])
    if not again.size:
        return coded
    first, second = order[again], order[again + 1]
    text = used.astype(str).to_numpy()
    differ = np.flatnonzero((text[first] != text[second]).any(axis=1))
    if differ.size:
        scored = coded.values[first] != coded.values[second]
        worse = differ[np.argmax(scored[differ])]  # one with two scores, where there is one
        a, b = int(first[worse]), int(second[worse])
        roles = set(table.columns.values())
        apart = [str(c) for c in used.columns if str(c) not in roles and str(used[c].iloc[a]) != str(used[c].iloc[b])]
        place = " / ".join(names[codes[a]] for s, (codes, names) in coded.levels.items() if s != "group")
        others = again.size - 1
        more = f", and {others} more cell{'s occur' if others > 1 else ' occurs'} twice" if others else ""
        hint = "keep one of the rows"
        if apart:
            hint += f"; if {apart[0]} distinguishes them, add `/ {apart[0]}` to the formula"
            hint += "" if standing_by_name(apart[0]) else f', and its role, such as `seeds in "{apart[0]}"`'
        raise DataError(
            f"{request.where} has two scores of {quoted(coded.learners[coded.learner[a]])} on "
            f"{quoted(place or request.name)}, in rows {coded.rows[a] + 1} and {coded.rows[b] + 1}{more}",
            hint=hint,
        )
    once = np.ones(len(key), dtype=bool)
    once[second] = False
    return coded.keep(once)


def _temperature(frame: pd.DataFrame) -> float:
    column = next((c for c in frame.columns if str(c).strip().lower() == "temperature"), None)
    found = np.nan if column is None else pd.to_numeric(frame[column], errors="coerce").max()
    return 0.0 if pd.isna(found) else float(found)


def _free_words(table: LongTable) -> dict[str, set[str]]:
    """Return the different texts of each column without a role that holds no numbers."""
    frame, taken = table.frame, table.columns.values()
    free = [c for c in frame.columns if c not in taken and frame[c].dtype.kind not in "fciub"]
    return {c: {str(word) for word in frame[c].dropna().unique()} for c in free}


def _words_in(words: Mapping[str, set[str]], named: str | re.Pattern[str]) -> tuple[str, ...]:
    """Return the few texts in the columns of such a name."""
    found = set().union(*(own for column, own in words.items() if re.fullmatch(named, str(column).strip().lower())))
    return tuple(sorted(found)) if len(found) <= _MOST_JUDGES else ()


def _judging_learners(table: LongTable, words: Mapping[str, set[str]]) -> tuple[str, ...]:
    """Return the learners that a column without a role names, in some rows another one: it tells who judged."""
    learner = table.frame[table.columns["learner"]].astype(str)
    known = set(learner) if words else set()
    for column, own in words.items():
        if own and own <= known and (table.frame[column].astype(str) != learner).any():
            return tuple(sorted(own))
    return ()


def _mixed_metrics(words: Mapping[str, set[str]]) -> tuple[str, ...]:
    """Return the metrics that a column without a role names, where it names several: their scores are in one column."""
    few = (own for own in words.values() if 1 < len(own) <= _MOST_JUDGES)
    metrics = (own for own in few if all(find_metric(word.lower().replace("_", "-")) for word in own))
    return tuple(sorted(next(metrics, ())))


def _facts_of_texts(table: LongTable, coded: _Coded) -> dict[str, Any]:
    """Return the columns that join items into groups, and the items whose text another item of the dataset has too.

    Groups come from columns of text that are constant within an item, those of fewest groups last; of several datasets
    each counts for itself, so a column that only repeats the dataset joins nothing. The text of an item is that of a
    log, or all columns of long texts together, most of them different: a column of few texts makes groups. Also the
    first part that ids of items (without items: names of datasets) share, with its column and how many such parts there
    are.
    """
    if "item" not in coded.levels:
        names = coded.levels["dataset"][1] if "dataset" in coded.levels else []
        heads = list(dict.fromkeys(first_parts(names)))
        if not 1 < len(heads) <= len(names) / 2:
            return {}
        return {"id_parts": (table.columns["dataset"], heads[0], len(heads))}
    sets = coded.levels.get("dataset", (np.zeros(len(coded.values), dtype=np.intp), [""]))
    place, (items, names) = sets[0], coded.levels["item"]
    item = pd.factorize(place * len(names) + items)[0]  # items of two datasets differ
    first = np.unique(item, return_index=True)[1]  # a row of every item
    texts = [] if "group" in coded.levels and coded.contents else list(_texts_of_items(table, coded, item))
    counts = {column: len(np.unique(place * (len(words) + 1) + codes)) for column, codes, words in texts}
    dated = {column for column, _, words in texts if are_dates(words)}  # a date is no passage, task or repository
    groups = [(c, n) for c, n in counts.items() if c not in dated and len(np.unique(place)) < n <= len(first) / 2]
    found: dict[str, Any] = {}
    if "group" not in coded.levels:
        found["group_columns"] = tuple(sorted(groups, key=lambda one: -one[1]))
        heads = first_parts(names)
        if heads and not are_dates(names):
            together = len({(int(place[row]), heads[items[row]]) for row in first})
            if len(np.unique(place)) < together <= len(first) / 2:
                found["id_parts"] = (table.columns["item"], heads[0], together)
    if coded.contents:
        whole = [coded.contents.get((sets[1][place[row]], names[items[row]]), "") for row in first]
        long = {"text": np.array(whole, dtype=object)}
    else:
        long = {
            name: np.array([plain_text(str(word)) for word in words], dtype=object)[codes[first]]
            for name, codes, words in texts
            if 2 * len(words) > len(first) and (_ASKED.fullmatch(name) or are_long(words))
        }
    if long:
        rows = pd.DataFrame({"place": place[first], **long})
        twins = rows[rows.iloc[:, 1] != ""].duplicated(keep=False)
        found["text_twins"] = (next(iter(long)), int(twins.sum()))
    return found


def _texts_of_items(table: LongTable, coded: _Coded, item: Codes) -> Iterator[tuple[str, Codes, pd.Index[Any]]]:
    """Yield the columns of text that are constant within every item: name, a number for each row, the texts."""
    for column in table.frame.columns:
        values = table.frame[column].iloc[coded.rows].infer_objects()
        if str(column) in table.columns.values() or values.dtype.kind in "fcb":
            continue
        codes, words = pd.factorize(values)
        name = str(column).removeprefix("metadata.")
        if values.dtype.kind in "iu" and not is_group_like(name, len(words), len(values)):
            continue
        of_item = np.zeros(int(item.max(initial=-1)) + 1, dtype=np.intp)
        of_item[item] = codes
        if (codes >= 0).all() and (of_item[item] == codes).all():
            yield str(column), codes, words


def _differing_settings(table: LongTable, coded: _Coded) -> Iterator[str]:
    """Yield the conditions in columns of the table that differ between the learners, and not within one of them.

    A condition is a setting such as a temperature, or another column that is named like no property of a model. Of a
    budget, such as a number of tries, it is enough that one learner has always less than another once had.
    """
    for column in table.frame.columns:
        name, cells = str(column), table.frame[column].iloc[coded.rows]
        whole = cells.dtype.kind in "iub" or not pd.api.types.is_numeric_dtype(cells)
        if name in table.columns.values() or not (is_setting(name) or (whole and not describes_model(name))):
            continue
        own = [cells[coded.learner == i] for i in range(len(coded.learners))]
        kinds = [sorted(values.astype(str).unique()) for values in own]
        if all(len(kind) == 1 for kind in kinds) and len({kind[0] for kind in kinds}) > 1:
            listed = [f"{quoted(kind[0])} for {name}" for name, kind in zip(coded.learners, kinds, strict=True)]
            yield f"{column} is {', '.join(listed)}"
        elif BUDGET.fullmatch(name) and cells.dtype.kind in "iu":
            most = [int(values.max()) for values in own]
            fixed = [top for top, kind in zip(most, kinds, strict=True) if len(kind) == 1]
            if fixed and min(fixed) < max(most):
                listed = [f"{top} for {name}" for name, top in zip(coded.learners, most, strict=True)]
                yield f"{column} is at most {', '.join(listed)}"


def _with_folds(
    found: GivenResults, blocks: list[_Block], request: TableRequest
) -> tuple[GivenResults, dict[str, Any]]:
    """Return the results with scores of folds, repetitions and seeds, and what was counted of them."""
    standings = ("repeat", "fold", "seed")
    tables: list[Floats] = []
    gaps: list[tuple[str, str]] = []
    bad: list[str] = []
    runs: dict[str, Codes] = {}  # of each dataset: the seeds of each learner
    for block in blocks:
        block.nest_folds()
        values = block.filled(*standings)
        own = set(block.axes) == {"seed"} and request.made is None and request.trainings is None
        if own:
            values = _own_seeds(values)
        if request.missing == "wrong":
            values[np.isnan(values)] = request.worst
        absent = list(block.gaps(values[:, 0, 0, 0], ()) if own else block.gaps(values, standings))
        if own and not absent:
            runs[block.name] = np.count_nonzero(~np.isnan(values[:, 0, 0]), axis=1)
        if absent:
            gaps += absent
            bad.append(block.name)
        else:
            tables.append(values)
    kept = _complete([b.name for b in blocks], bad, gaps, request, "dataset")
    redrawn = seeds_redrawn(found.levels, request.made)
    shaped = tuple(_partitions(t, redrawn, request, name, found.levels) for t, name in zip(tables, kept, strict=True))
    nested = any(one.standing in standings for one in found.levels)
    most = [max(sizes) for sizes in zip(*(t.shape[1:] for t in tables), strict=True)] or [0, 0, 0]
    seeds = most[2] if any(x.standing == "seed" for x in found.levels) else 0
    alone = seeds > 1 and all(t.shape[1:3] == (1, 1) for t in tables)
    results = replace(
        found,
        datasets=tuple(kept),
        scores=np.array([_mean(t.reshape(len(t), -1), 1) for t in tables]),
        fold_scores=shaped if nested else (),
        seeds=tuple(t[:, 0, 0] for t in tables) if alone else (),
    )
    repeats, folds = most[:2] if nested else (0, 0)
    of_learner = zip(*runs.values(), strict=True) if len(runs) > 1 else ()
    fewest = tuple((int(min(counts)), int(max(counts))) for counts in of_learner)
    counted = {"left_out": tuple(bad), "folds": folds, "repeats": repeats, "seeds": seeds, "runs": fewest}
    unequal = _unequal_seeds(found.learners, runs, request)
    if len(runs) == 1:  # no test over datasets that a note could stand beside
        return results, counted | {"omitted": (*found.facts.omitted, *unequal)}
    return replace(results, unequal_seeds=unequal), counted


def _own_seeds(values: Floats) -> Floats:
    """Return scores over seeds, numbered for each learner by itself (NaN after its last): seeds are no pairs."""
    empty = np.isnan(values)
    most = int(np.count_nonzero(~empty, axis=3).max())
    return np.take_along_axis(values, np.argsort(empty, axis=3, kind="stable"), axis=3)[..., : max(most, 1)]


def _unequal_seeds(learners: Sequence[str], runs: Mapping[str, Codes], request: TableRequest) -> tuple[str, ...]:
    """Return the notes on datasets where learners differ in their number of seeds."""
    uneven = {name: counts for name, counts in runs.items() if len(set(counts.tolist())) > 1}
    if not uneven:
        return ()
    name, counts = next(iter(uneven.items()))
    listed = ", ".join(f"{x} {n}" for x, n in list(zip(learners, counts.tolist(), strict=True))[:6])
    more = ", …" if len(learners) > 6 else ""
    where = f" on {len(uneven)} of {len(runs)} datasets (on {name}: {listed}{more})" if len(runs) > 1 else ""
    failed = "write `missing count as wrong`" if request.worst is not None else "the mean does not show it"
    note = (
        f"The numbers of seeds differ{where or f' ({listed}{more})'}, and each mean is over the seeds that are there. "
        f"If a seed is missing because its run failed, {failed}."
    )
    if all(np.array_equal(counts, one) for one in runs.values()):
        return (note,)
    return note, "Intervals over runs are left out: they need the same number of seeds of a learner on every dataset."


def _mean(values: Floats, axis: int) -> Floats:
    """Return means over the scores that are there."""
    return np.asarray((np.nanmean if np.isnan(values).any() else np.mean)(values, axis=axis))


def _partitions(found: Floats, redrawn: bool, request: TableRequest, dataset: str, levels: Sequence[Level]) -> Floats:
    """Return [learner, partition, fold] of [learner, repeat, fold, seed]: seeds are averaged, or are repetitions."""
    made, where = request.made, f"{request.where} has"
    if redrawn:
        found = found[:, 0].transpose(0, 2, 1)
    elif request.trainings is not None and found.shape[3] not in (1, request.trainings):
        raise DataError(
            f"{where} {found.shape[3]} seeds on {quoted(dataset)}, but the script says "
            f"`trained {request.trainings} times`",
            hint=f"write `trained {found.shape[3]} times`, or add the missing scores",
        )
    else:
        found = _mean(found, 3)
    if made is None:
        return found
    if not made.card.k_fold and found.shape[1] == 1 and made.card.part:  # resamples in a column of folds
        found = found.transpose(0, 2, 1)
    written, there = (made.partitions, made.folds), (found.shape[1], found.shape[2])
    if there == (1, 1) and not any(one.standing in ("repeat", "fold", "seed") for one in levels):
        return found  # means over the folds of `made using`
    if there != written and not made.card.given and not made.card.one_test_set:
        what = f"{where} {_shape(there)} on {quoted(dataset)}, but made using {made.text} has {_shape(written)}"
        raise DataError(what, hint="name the scheme that the scores come from, or add the missing scores")
    return found


def _shape(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]} folds" if size[1] > 1 else f"{size[0]} repetitions"


def _with_items(
    found: GivenResults, blocks: list[_Block], request: TableRequest
) -> tuple[GivenResults, dict[str, Any]]:
    """Return the results with the scores of items, and what was counted of them."""
    bad: list[str] = []
    items: dict[str, Items] = {}
    rows = [block.has_row("item", "epoch") for block in blocks]
    samples = np.max([one.sum(axis=2).max(axis=1) for one in rows], axis=0)
    labels = [block.axes["epoch"][1] if "epoch" in block.axes else [""] for block in blocks]
    has_epoch: dict[str, NDArray[np.bool_]] = {}  # of each epoch: the learners with a row of it on any item
    for named, one in zip(labels, rows, strict=True):
        for label, learners in zip(named, np.asarray(one.any(axis=1)).T, strict=True):
            has_epoch[label] = learners | has_epoch.get(label, False)
    lacking, wanted = np.zeros(len(samples), dtype=np.intp), np.zeros(len(samples), dtype=np.intp)
    shared = np.zeros((len(samples), len(samples)))
    for block, named, one in zip(blocks, labels, rows, strict=True):
        values, there = block.filled("item", "epoch"), one.sum(axis=2)
        # As many as a learner has elsewhere, if any learner has so many here: else the item has fewer by design.
        # Epochs of one label are the same: one that any learner has here is missing for those that have it elsewhere.
        epochs_here = np.array([has_epoch[label] for label in named]).T.astype(float) @ one.any(axis=0).T
        most_here = np.maximum(there.max(axis=0), epochs_here.astype(np.intp))
        expected = np.maximum(there, np.minimum(samples[:, None], most_here))
        empty = np.isnan(values)
        absent = expected - np.count_nonzero(~empty, axis=2)
        lacking, wanted = lacking + absent.sum(axis=1), wanted + expected.sum(axis=1)
        if request.missing == "wrong":
            values[empty & (np.cumsum(empty, axis=2) <= absent[:, :, None])] = request.worst
        answered = np.asarray(~np.isnan(values).all(axis=2))
        kept = np.asarray((absent == 0).all(axis=0) if request.missing == "complete" else answered.any(axis=0))
        names, groups = block.axes["item"][1], block.groups()
        bad += compress(names, ~kept)
        scored = answered[:, kept].astype(float)
        shared += scored @ scored.T
        if kept.any():
            whole = Items(
                names=tuple(names),
                values=values,
                groups=groups,
                group_names=tuple(block.axes["group"][1]) if groups is not None else (),
                contents=block.contents(names),
            )
            items[block.name] = whole if kept.all() else whole.keep(range(len(samples)), kept)
    if not shared.all():
        one, two = (found.learners[i] for i in np.argwhere(shared == 0)[0])
        pair = f"score of {quoted(one)} and of {quoted(two)}" if items and one != two else "score of every learner"
        raise DataError(f"{request.where} has no item with a {pair}", hint=NONE_SHARED)
    tables = tuple(items.values())
    epochs = [t.epochs for t in tables]
    groups_of = [np.array([]) if t.groups is None else np.unique(t.groups, return_counts=True)[1] for t in tables]
    results = replace(
        found,
        datasets=tuple(items),
        scores=np.array([np.nanmean(sample_means(t.values), axis=1) for t in tables]),
        items=tables,
    )
    return results, {
        "left_out": tuple(bad) if request.missing == "complete" else (),
        "unanswered": 0 if request.missing == "complete" else len(bad),
        "samples": tuple(samples.tolist()),
        "missing": tuple(zip(lacking.tolist(), wanted.tolist(), strict=True)),
        "tied": any((2 * np.nansum(t.values, axis=2) == t.counts)[t.counts > 0].any() for t in tables),
        "items": sum(len(t.names) for t in tables),
        "item_hash": _hash_of_items(items),
        "epochs": (min(e[0] for e in epochs), max(e[1] for e in epochs)),
        "groups": sum(len(sizes) for sizes in groups_of),
        "sizes": tuple((len(t.names), len(sizes)) for t, sizes in zip(tables, groups_of, strict=True)),
        "graded": any(not np.isin(t.values[~np.isnan(t.values)], (0.0, 1.0)).all() for t in tables),
    }


def _hash_of_items(tables: Mapping[str, Items]) -> str:
    """Return a hash of the items; numbers name other items in every file, so it is empty for them."""
    names = sorted(name for table in tables.values() for name in table.names)
    return "" if all(name.isdigit() for name in names) else hashlib.sha256("\0".join(names).encode()).hexdigest()


def sample_means(values: Floats) -> Floats:
    """Return [learner, item] of [learner, item, epoch]: the mean of the samples, NaN where there is none."""
    counts = np.count_nonzero(~np.isnan(values), axis=2)
    return np.where(counts > 0, np.nansum(values, axis=2) / np.maximum(counts, 1), np.nan)


def _complete(
    names: list[str], bad: list[str], gaps: list[tuple[str, str]], request: TableRequest, word: str
) -> list[str]:
    """Return the names to keep; gaps (learner, place) are refused by name unless `complete cases`.

    Those of one learner may be left out.
    """
    if not gaps:
        return names
    if request.missing != "complete" and not (request.missing == "left-out" and request.least == 1):
        named = ", ".join(f"{quoted(learner)} on {quoted(place)}" for learner, place in gaps[:3])
        more = f" and {len(gaps) - 3} more" if len(gaps) > 3 else ""
        hint = f"write `complete cases` to leave out {len(bad)} of {len(names)} {word}s, or `missing count as wrong`"
        what = f"{request.where} has no score of {named}{more}"
        raise DataError(what, hint=hint if len(bad) < len(names) else NONE_SHARED)
    if len(bad) >= len(names):
        raise DataError(f"{request.where} has no {word} with a score of every learner", hint=NONE_SHARED)
    return [name for name in names if name not in bad]


def _with_facts(found: GivenResults, counted: dict[str, Any]) -> GivenResults:
    """Return the results with what the rules may know: equal learners, per cent, and what was counted."""
    pairs = combinations(range(len(found.learners)), 2) if len(found.learners) <= 50 else ()
    equal = tuple(
        (found.learners[i], found.learners[j])
        for i, j in pairs
        if all(np.array_equal(p[i], p[j], equal_nan=True) for p in found.units)
    )
    entry = find_metric(found.metric)
    percent = entry is not None and entry.high == 1.0 and float(np.abs(found.scores).max(initial=0.0)) > 1.0
    items = [pair_spread(sample_means(t.values)) for t in found.items]
    fractions = tuple(_fractions(found)) if percent else ()
    large = found.scores > 1.0
    mostly = bool(fractions) and 2 * int(large.sum()) < large.size  # fractions, so the percentages are the odd ones
    return replace(
        found,
        facts=replace(
            found.facts,
            datasets=found.datasets,
            equal=equal,
            equal_datasets=_equal_datasets(found) if not found.items else (),
            percent=percent,
            fractions=() if mostly else fractions,
            percentages=tuple((found.learners[j], found.datasets[i]) for i, j in np.argwhere(large)) if mostly else (),
            pair_squares=tuple(square for square, _ in items),
            pair_spreads=tuple(spread for _, spread in items),
            dataset_spread=pair_spread(found.scores.T)[1],
            **counted,
        ),
    )


def _equal_datasets(found: GivenResults) -> tuple[tuple[str, str], ...]:
    """Return pairs of datasets on which every learner has the same score, and not all learners one score."""
    telling = [i for i, scores in enumerate(found.scores) if len(set(scores.tolist())) > 1]
    rows: dict[tuple[float, ...], list[str]] = {}
    for i in telling:
        rows.setdefault(tuple(found.scores[i].tolist()), []).append(found.datasets[i])
    return tuple((names[0], other) for names in rows.values() for other in names[1:])


def _fractions(found: GivenResults) -> Iterator[tuple[str, str]]:
    """Yield learner and dataset of scores among percentages that are nearer to the others when multiplied by 100."""
    for dataset, scores in zip(found.datasets, found.scores, strict=True):
        large = scores[scores > 1.0]
        typical = float(np.median(large)) if large.size else 0.0
        for learner, score in zip(found.learners, scores.tolist(), strict=True):
            if large.size and 0.0 < score <= 1.0 and abs(100.0 * score - typical) < abs(score - typical):
                yield learner, dataset


def pair_spread(values: Floats) -> tuple[float, float]:
    """Return mean square and standard deviation of the difference of two rows, as a mean over all pairs of rows.

    >>> pair_spread(np.array([[1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0]]))[0]
    0.75
    """
    learners, units = values.shape
    if learners < 2 or units < 2 or np.isnan(values).any():
        return 0.0, 0.0
    pairs = learners * (learners - 1) / 2.0
    squares = learners * np.square(values).sum() - np.square(values.sum(axis=0)).sum()
    centred = values - values.mean(axis=1, keepdims=True)
    spread = learners * np.square(centred).sum() - np.square(centred.sum(axis=0)).sum()
    return float(squares / pairs / units), float(np.sqrt(max(spread, 0.0) / pairs / (units - 1)))


def _with_roles(table: LongTable, levels: Sequence[Level], where: str) -> LongTable:
    """Return what a reader of a tool found, with the roles that the script gives to columns of it."""
    columns = dict(table.columns)
    for level in levels:
        if level.column not in table.frame.columns:
            known = ", ".join(map(str, table.frame.columns))
            raise DataError(f"{where} has no column {quoted(level.column)}", hint=f"its columns are {known}")
        assert level.standing is not None
        columns = {s: c for s, c in columns.items() if c != level.column or s in ("score", "learner")}
        columns[level.standing] = level.column
    return replace(table, columns=columns)


def _direction(metric: Metric | str | None, table: LongTable, formula: Sequence[str], where: str) -> tuple[str, bool]:
    """Return the metric and whether higher is better: from the script, the tool, or the name of the column."""
    if isinstance(metric, Metric) and metric.better is not None:
        return metric.name, metric.better == "higher"
    named = metric.name if isinstance(metric, Metric) else metric
    response = formula[0] if formula else None
    for word in (named, table.metric, response):
        entry: MetricEntry | None = None
        if word:
            entry = find_metric(word) or find_metric(word.lower().replace("_", "-"))
        if entry is not None:
            return entry.name, entry.higher_is_better
        if word and word is named:
            what = f"{where}: there is no metric {quoted(word)}"
            raise DataError(what, hint="`evalang explain --all` lists the metrics")
    if table.metric and table.higher_is_better is not None:
        return table.metric, table.higher_is_better
    what = f"{where} names no metric"
    if response:
        what = f"the score column {quoted(response)} is not named after a metric"
    raise DataError(f"{what}, so it is unknown whether higher is better", hint="write `measuring accuracy`")


def _check_scores(found: GivenResults, where: str) -> None:
    """Refuse scores outside the metric's range (shares may be in per cent) and those whose squares overflow."""
    entry = find_metric(found.metric)
    share = entry is not None and (entry.low, entry.high) == (0.0, 1.0)
    low = -math.inf if entry is None or entry.low is None else entry.low
    high = math.inf if entry is None or entry.high is None else 100.0 if share else entry.high
    for place, part in enumerate(found.units):
        size = np.abs(part)
        outside = (part < low - ROUNDING) | (part > high + ROUNDING)
        wrong = np.argwhere(outside | (size > LARGEST) | ((size > 0.0) & (size < SMALLEST)))
        if not len(wrong):
            continue
        at = tuple(int(n) for n in wrong[0])
        dataset = found.datasets[at[1] if part.ndim == 2 else place]
        what = f"the score {part[at]:.4g} of {quoted(found.learners[at[0]])} on {quoted(dataset)}"
        if outside[at] and entry is not None:
            ends = (("at least", entry.low), ("at most", entry.high))
            limits = " and ".join(f"{word} {end:g}" for word, end in ends if end is not None)
            raise DataError(
                f"{where}: {what} is impossible: {entry.name} is {limits}",
                hint="check the score, or name a different metric",
            )
        raise DataError(
            f"{where}: {what} is too large or too small to compute with", hint="write the scores in another unit"
        )
