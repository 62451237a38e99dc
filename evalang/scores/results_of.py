"""A long table becomes results: the one place that checks pairing, repeated cells, gaps and levels, and makes units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from dataclasses import replace as changed
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from ..catalogue.metrics import find_metric
from ..data.long_table import LongTable
from ..data.profile_facts import TableFacts
from ..data.quoting import quoted as shown
from ..data.quoting import quoted_list as shown_list
from ..errors import DataError
from ..language.nearest import nearest
from ..plans.levels import Level, problem_of, seeds_redrawn
from .block import Block, Coded, Codes, TableAsked
from .cells import coded_names, column_scores
from .long_tables import check_learners
from .results import Floats, GivenResults, Items


class UnknownLearner(DataError):
    """A learner that the script names and the table does not hold."""

    def __init__(self, message: str, *, hint: str, learner: str) -> None:
        super().__init__(message, hint=hint)
        self.learner = learner


def results_of(table: LongTable, asked: TableAsked, levels: Sequence[Level] = ()) -> GivenResults:
    """The results, or a DataError that names the cell. `levels` are those of the script; else the table's own."""
    known = tuple(levels) or tuple(
        Level(column, standing)
        for standing, column in table.columns.items()
        if standing != "score" and standing != "learner"
    )
    wrong = problem_of(known, asked.made, asked.trainings)
    if wrong is not None:
        raise DataError(f"{asked.where}: {wrong[0]}", hint=wrong[1])
    coded, spreads, repeated = _coded(table, asked)
    places = coded.levels.get("dataset")
    datasets = places[1] if places else [asked.name]
    inside = _by_dataset(places[0] if places else None, len(datasets), len(coded.values))
    blocks = [Block(asked, coded, datasets[d], rows) for d, rows in enumerate(inside)]
    facts = TableFacts(
        name=asked.name,
        learners=coded.learners,
        held=int(table.frame[table.columns["learner"]].nunique()),
        datasets=tuple(datasets),
        spreads=spreads + asked.spreads,
        repeated=repeated,
        origins=tuple(f"{o.tool} {o.version} {o.path}".replace("  ", " ") for o in table.origins),
        differing=table.differing,
        omitted=table.left_out,
        metric=table.metric or "",
        group_columns=group_columns(table, coded),
        temperature=_temperature(table.frame),
    )
    if "item" in coded.levels:
        return _of_items(blocks, asked, known, facts)
    return _of_folds(blocks, asked, known, facts)


def _coded(table: LongTable, asked: TableAsked) -> tuple[Coded, int, int]:
    frame, where = table.frame, asked.where
    words = {str(standing): column for standing, column in table.columns.items()}
    score, treatment = words.pop("score"), words.pop("learner")
    learner, names = coded_names(frame[treatment], treatment, where)
    for name in asked.learners:
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean {near}?" if near else f"it has {shown_list(names)}"
            raise UnknownLearner(f"{asked.name} has no learner {name}", hint=hint, learner=name)
    chosen = list(asked.learners) or names
    check_learners(chosen, where)
    number = np.full(len(names), -1, dtype=np.intp)
    number[[names.index(name) for name in chosen]] = np.arange(len(chosen))
    rows = np.flatnonzero(number[learner] >= 0)
    found = {standing: coded_names(frame[column], column, where) for standing, column in words.items()}
    kept = frame.iloc[rows]
    scores = column_scores(
        kept[score], lambda i: f"{where}: row {rows[i] + 1}, {shown(score)}", outcomes="item" in found
    )
    coded = Coded(
        values=scores.values,
        rows=rows,
        learner=number[learner][rows],
        learners=tuple(chosen),
        levels={standing: (codes[rows], there) for standing, (codes, there) in found.items()},
        contents=table.contents,
    )
    once = _without_twins(kept, coded, table, asked)
    return once, scores.spreads, len(coded.values) - len(once.values)


def _without_twins(kept: pd.DataFrame, coded: Coded, table: LongTable, asked: TableAsked) -> Coded:
    """Rows alike in every column count once; two scores of one cell that differ in anything are refused."""
    parts = [coded.learner, *(codes for s, (codes, _) in coded.levels.items() if s != "group")]
    key = np.zeros(len(coded.values), dtype=np.int64)
    for codes in parts:
        key = key * (int(codes.max(initial=0)) + 1) + codes
        _, key = np.unique(key, return_inverse=True)
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order][1:] == key[order][:-1])
    if not again.size:
        return coded
    first, second = order[again], order[again + 1]
    text = kept.astype(str).to_numpy()
    differ = np.flatnonzero((text[first] != text[second]).any(axis=1))
    if differ.size:
        scored = coded.values[first] != coded.values[second]
        worse = differ[np.argmax(scored[differ])]  # one with two scores, where there is one
        raise _twice(kept, coded, table, asked, (int(first[worse]), int(second[worse])), int(again.size))
    one = np.ones(len(key), dtype=bool)
    one[second] = False
    return Coded(
        coded.values[one],
        coded.rows[one],
        coded.learner[one],
        coded.learners,
        {standing: (codes[one], names) for standing, (codes, names) in coded.levels.items()},
        coded.contents,
    )


def _twice(
    kept: pd.DataFrame, coded: Coded, table: LongTable, asked: TableAsked, rows: tuple[int, int], count: int
) -> DataError:
    """Two scores of one cell, and which column would tell them apart."""
    a, b = rows
    used = set(table.columns.values())
    apart = [str(c) for c in kept.columns if str(c) not in used and str(kept[c].iloc[a]) != str(kept[c].iloc[b])]
    place = " / ".join(names[codes[a]] for s, (codes, names) in coded.levels.items() if s != "group") or asked.name
    who = coded.learners[coded.learner[a]]
    more = f", and {count - 1} more cells stand twice" if count > 1 else ""
    hint = f"say what {apart[0]} stands for: nest `/ {apart[0]}` in the formula" if apart else "keep one of them"
    return DataError(
        f"{asked.where} has two scores of {shown(who)} on {shown(place)}, in rows {coded.rows[a] + 1} and "
        f"{coded.rows[b] + 1}{more}",
        hint=hint,
    )


def _temperature(frame: pd.DataFrame) -> float:
    column = next((c for c in frame.columns if str(c).strip().lower() == "temperature"), None)
    if column is None:
        return 0.0
    found = pd.to_numeric(frame[column], errors="coerce").max()
    return 0.0 if pd.isna(found) else float(found)


def group_columns(table: LongTable, coded: Coded) -> tuple[tuple[str, int], ...]:
    """Columns of text that are the same in all rows of an item and join items into groups; the fewest groups last."""
    if "item" not in coded.levels or "group" in coded.levels or "dataset" in coded.levels:
        return ()
    item, names = coded.levels["item"]
    found = []
    for column in table.frame.columns:
        values = table.frame[column].iloc[coded.rows]
        if str(column) in table.columns.values() or values.dtype.kind in "fciub":
            continue
        codes, words = pd.factorize(values)
        of_item = np.zeros(len(names), dtype=np.intp)
        of_item[item] = codes
        groups, items = len(words), len(np.unique(item))
        if 1 < groups <= items / 2 and (codes >= 0).all() and (of_item[item] == codes).all():
            found.append((str(column), groups))
    return tuple(sorted(found, key=lambda one: -one[1]))


def _by_dataset(codes: Codes | None, count: int, rows: int) -> list[Codes]:
    if codes is None:
        return [np.arange(rows, dtype=np.intp)]
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.searchsorted(codes[order], np.arange(1, count)))


def _of_folds(blocks: list[Block], asked: TableAsked, levels: tuple[Level, ...], facts: TableFacts) -> GivenResults:
    standings = ("repeat", "fold", "seed")
    tables: list[Floats] = []
    gaps: list[tuple[str, str]] = []
    bad: list[str] = []
    for block in blocks:
        block.nest_folds()
        found = block.filled(*standings)
        absent = list(block.gaps(found, standings))
        if absent:
            gaps += absent
            bad.append(block.name)
        else:
            tables.append(found)
    kept = _complete([b.name for b in blocks], bad, gaps, asked, "dataset")
    redrawn = seeds_redrawn(levels, asked.made)
    shaped = [_partitions(t, redrawn, asked, name) for t, name in zip(tables, kept, strict=True)]
    nested = any(one.standing in ("repeat", "fold", "seed") for one in levels)
    seeds = max((t.shape[3] for t in tables), default=0) if any(x.standing == "seed" for x in levels) else 0
    return _finished(
        GivenResults(
            name=asked.name,
            learners=facts.learners,
            datasets=tuple(kept),
            metric=asked.metric,
            higher_is_better=asked.higher_is_better,
            scores=np.array([t.reshape(len(t), -1).mean(axis=1) for t in tables]),
            fold_scores=tuple(shaped) if nested else (),
            seeds=tuple(t[:, 0, 0] for t in tables)
            if seeds > 1 and all(t.shape[1:3] == (1, 1) for t in tables)
            else (),
            levels=levels,
            made=asked.made,
        ),
        facts,
        left_out=tuple(bad),
        folds=max((t.shape[2] for t in tables), default=0) if nested else 0,
        repeats=max((t.shape[1] for t in tables), default=0) if nested else 0,
        seeds=seeds,
    )


def _partitions(found: Floats, redrawn: bool, asked: TableAsked, dataset: str) -> Floats:
    """[learner, partition, fold] of [learner, repeat, fold, seed]: seeds are averaged, or repetitions themselves."""
    made = asked.made
    if redrawn:
        found = found[:, 0].transpose(0, 2, 1)
    elif asked.trainings is not None and found.shape[3] not in (1, asked.trainings):
        raise DataError(
            f"{asked.where} has {found.shape[3]} seeds on {shown(dataset)}, and `trained {asked.trainings} times` says "
            "another number",
            hint=f"write trained {found.shape[3]} times, or see what is missing",
        )
    else:
        found = found.mean(axis=3)
    if made is None:
        return found
    if not made.card.dealt and found.shape[1] == 1 and made.card.part:  # resamples in a column of folds
        found = found.transpose(0, 2, 1)
    said, there = (made.partitions, made.folds), (found.shape[1], found.shape[2])
    if there != said and not made.card.given and not made.card.one_test_set:
        raise DataError(
            f"{asked.where} has {_shape(there)} on {shown(dataset)}, and made using {made.text} says {_shape(said)}",
            hint="write the scheme that the scores were made by, or see what is missing",
        )
    return found


def _shape(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]} folds" if size[1] > 1 else f"{size[0]} repetitions"


def _of_items(blocks: list[Block], asked: TableAsked, levels: tuple[Level, ...], facts: TableFacts) -> GivenResults:
    gaps: list[tuple[str, str]] = []
    bad: list[str] = []
    total = 0
    found: list[tuple[str, Items]] = []
    for block in blocks:
        values = block.filled("item", "epoch")
        names = block.axes["item"][1]
        total += len(names)
        hole = np.isnan(values).all(axis=2)
        gaps += [(who, place) for who, place in block.gaps(np.where(hole, np.nan, 0.0), ("item",))]
        whole = ~hole.any(axis=0)
        bad += [names[i] for i in np.flatnonzero(~whole)]
        groups = block.groups()
        if whole.any():
            kept = tuple(names[i] for i in np.flatnonzero(whole))
            items = Items(
                names=kept,
                values=values[:, whole],
                groups=None if groups is None else groups[whole],
                group_names=tuple(block.axes["group"][1]) if groups is not None else (),
                contents=block.contents(kept),
            )
            found.append((block.name, items))
    _complete([""] * total, bad, gaps, asked, "item")
    tables = [items for _, items in found]
    means = np.array([np.nanmean(t.values, axis=2).mean(axis=1) for t in tables])
    epochs = [t.epochs for t in tables]
    groups_of = [t.groups for t in tables if t.groups is not None]
    return _finished(
        GivenResults(
            name=asked.name,
            learners=facts.learners,
            datasets=tuple(name for name, _ in found),
            metric=asked.metric,
            higher_is_better=asked.higher_is_better,
            scores=means,
            items=tuple(tables),
            levels=levels,
            made=asked.made,
        ),
        facts,
        left_out=tuple(bad),
        items=sum(len(t.names) for t in tables),
        epochs=(min(e[0] for e in epochs), max(e[1] for e in epochs)),
        groups=sum(len(np.unique(g)) for g in groups_of),
        sizes=tuple((len(t.names), len(np.unique(t.groups)) if t.groups is not None else 0) for t in tables),
        largest_group=max((int(np.bincount(g).max()) for g in groups_of), default=0),
        graded=any(not np.isin(t.values[~np.isnan(t.values)], (0.0, 1.0)).all() for t in tables),
    )


NONE_SHARED = "only what all learners share can be compared: are they of the same tasks, with the same ids?"


def _complete(names: list[str], bad: list[str], gaps: list[tuple[str, str]], asked: TableAsked, word: str) -> list[str]:
    """The names to keep. Gaps (learner, place) are named and refused unless `complete cases`."""
    if not gaps:
        return names
    if not asked.complete_cases:
        named = ", ".join(f"{shown(learner)} on {shown(place)}" for learner, place in gaps[:3])
        more = f" and {len(gaps) - 3} more" if len(gaps) > 3 else ""
        raise DataError(
            f"{asked.where} has no score of {named}{more}",
            hint=f"write `complete cases` to leave out {len(bad)} of {len(names)} {word}s"
            if len(bad) < len(names)
            else NONE_SHARED,
        )
    if len(bad) >= len(names):
        raise DataError(f"{asked.where} has no {word} with a score of every learner", hint=NONE_SHARED)
    return [name for name in names if name not in set(bad)]


def _finished(found: GivenResults, facts: TableFacts, **counted: Any) -> GivenResults:
    """With what the rules may know."""
    parts = [t.values for t in found.items] or list(found.fold_scores) or [found.scores.T]
    pairs = combinations(range(len(found.learners)), 2) if len(found.learners) <= 50 else ()
    equal = tuple(
        (found.learners[i], found.learners[j])
        for i, j in pairs
        if all(np.array_equal(p[i], p[j], equal_nan=True) for p in parts)
    )
    entry = find_metric(found.metric)
    percent = entry is not None and entry.high == 1.0 and float(np.abs(found.scores).max(initial=0.0)) > 1.0
    return replace(found, facts=changed(facts, datasets=found.datasets, equal=equal, percent=percent, **counted))
