"""The levels of a table of results: the columns that say which dataset, fold, repeat, seed or item a score is of.

The role of a level follows from its name or from a clause (`folds in "split"`). `levels_problem` reports levels whose
roles are unclear, and `with_explanations` adds the sentence on each that `evalang plan` shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

from ..catalogue.sources import find_reader
from .model import Level, Metric, ResultsTable, Scheme, Standing, seeds_redrawn

# A level has a role by its name, in any case, one or many; everything else needs a clause.
BY_NAME: dict[str, Standing] = {
    "dataset": "dataset", "data set": "dataset", "fold": "fold", "rep": "repeat", "repeat": "repeat",
    "repetition": "repeat", "partition": "repeat", "seed": "seed", "item": "item", "epoch": "epoch",
}  # fmt: skip
BY_ROLE: dict[str, Standing] = {"folds": "fold", "seeds": "seed", "repeats": "repeat", "items": "item"}
AVERAGE = re.compile(
    r"\W*(?:(?:grand|macro|micro|weighted|unweighted|arithmetic|geometric|harmonic|overall|total|task|group)[ ._-]*)*"
    r"(?:averages?|avg|aver|means?|geo[ ._-]?mean|g[ ._-]?mean|medians?|totals?|overall|sum|aggregated?|Σ|Ø|all|ranks?|"
    r"wins?|loss(?:es)?|ties|w[/-][dtl][/-][tl]|std(?:ev)?|s\.?d\.?|p[- ]?values?)\.?"
    r"(?:[ ._-]*(?:(?:ranks?|scores?|accuracy|performance|results?|wins?)|(?:of|over|across|on) .*))?\W*(?:\(.*\))?",
    re.IGNORECASE,
)
SAMPLES = frozenset(("sample", "attempt", "try", "generation", "rollout"))  # beside items: runs of one item
JUDGES = ("judge", "judges", "grader", "graders")
CHOICES = '`items in "{0}"` if it holds test items, `datasets in "{0}"`, or `seeds`, `folds` or `repeats in "{0}"`'
MANY_ROWS = 1_000_000  # shares of rows are computed on so many: only their ratio counts


def standing_by_name(column: str) -> Standing | None:
    """Return the role that a column name suggests.

    >>> [standing_by_name(column) for column in ("Folds", "data_set", "random_seed", "run")]
    ['fold', 'dataset', 'seed', None]
    """
    word = column.strip().lower().replace("_", " ").replace("-", " ")
    if word.endswith(" seed"):
        return "seed"
    return BY_NAME.get(word) or BY_NAME.get(word.removesuffix("s"))


def with_named_columns(table: ResultsTable) -> ResultsTable:
    """Return the table whose formula has columns of the file: `| item, items in "task"` means `| task`."""
    columns = {BY_ROLE[one.role]: one.column for one in table.roles}
    if table.datasets_in is not None:
        columns["dataset"] = table.datasets_in
    named = {standing: column for standing, column in columns.items() if column not in table.formula}
    blocks = [named.pop(standing, one) if (standing := standing_by_name(one)) else one for one in table.formula[2:]]
    return replace(table, formula=(*table.formula[:2], *blocks))


def levels_of(table: ResultsTable) -> tuple[Level, ...]:
    """Return the levels that are known before anything is opened: the reader's own, and those in the script."""
    written = written_levels(table)
    reader = find_reader(table.source.kind)
    always = reader.levels if reader is not None else ()
    if table.made is not None and any(standing == "item" for standing, _ in always):
        always = ()  # folds in a file that mostly holds items: only reading it shows which
    names, standings = {one.column for one in written}, {one.standing for one in written}
    given = [
        Level(column, cast(Standing, standing))
        for standing, column in always
        if column not in names and standing not in standings
    ]
    return tuple(_below_items((*given, *written)))


def written_levels(table: ResultsTable) -> tuple[Level, ...]:
    """Return the levels in the script: those of the formula, or of the clauses beside a wide table."""
    by_clause = {one.column: BY_ROLE[one.role] for one in table.roles}
    if table.datasets_in is not None:
        by_clause[table.datasets_in] = "dataset"
    columns = table.formula[2:] or tuple(by_clause)
    levels = [Level(column, by_clause.get(column) or standing_by_name(column)) for column in columns]
    levels += [Level(column, standing) for column, standing in by_clause.items() if column not in columns]
    if table.groups is not None:
        levels.append(Level(table.groups, "group"))
    return tuple(_below_items(levels))


def _below_items(levels: Sequence[Level]) -> Iterable[Level]:
    """Return the levels with the repeats, seeds and samples of items as epochs."""
    if all(one.standing != "item" for one in levels):
        return levels
    return [
        replace(one, standing="epoch")
        if one.standing in ("repeat", "seed") or (one.standing is None and one.column.strip().lower() in SAMPLES)
        else one
        for one in levels
    ]


def shares(made: Scheme) -> tuple[float, float] | None:
    """Return the training and test rows of a fold, in any unit; None where only the data could tell."""
    if made.part is not None and made.part.rows is not None:
        return None
    if made.card.drawn:
        ratio = made.ratio(MANY_ROWS)
        return (1.0, ratio) if ratio is not None else None
    return None if made.card.disjoint else made.parts(MANY_ROWS)


def levels_problem(levels: Sequence[Level], made: Scheme | None, trainings: int | None) -> tuple[str, str] | None:
    """Return (what is wrong, what to write) for levels whose roles are unclear."""
    strange = next((one.column for one in levels if one.standing is None), None)
    if strange is not None and strange.lower() in JUDGES:
        return (
            f"column `{strange}` names the graders, and a formula has no role for graders",
            f"leave `{strange}` out of the formula, with one score per answer in the file (the mean, if several "
            "graders scored the answer)",
        )
    if strange is not None:
        return f"the role of column `{strange}` is unknown", f"add {CHOICES.format(strange)}"
    standings = [one.standing for one in levels]
    names = {one.standing: one.column for one in levels}
    twice = next((one for i, one in enumerate(levels) if one.standing in standings[:i]), None)
    if twice is not None:
        return (
            f"two columns of the formula hold {twice.standing}s, one of them `{twice.column}`",
            "give this column a different role with a clause, or remove it from the formula",
        )
    if {"item", "fold"} <= set(names):
        return (
            f"column `{names['item']}` holds items and column `{names['fold']}` holds folds",
            "use items or folds, not both",
        )
    for below, words in (("epoch", "samples of an item"), ("group", "groups of items")):
        if below in names and "item" not in names:
            other = f', or `seeds in "{names[below]}"`' if below == "epoch" else ""
            return (
                f"column `{names[below]}` holds {words}, but no column holds the items",
                f'add `items in "column"`{other}',
            )
    if {"fold", "seed"} <= set(names) and "repeat" not in names and made is None and trainings is None:
        return (
            f"it is unknown whether each seed in column `{names['seed']}` has new folds",
            "add `made using 5cv, trained 20 times` (the same folds) or `made using 20x5cv` (new folds each time)",
        )
    if "repeat" in names and "fold" not in names and made is None:
        what = f"it is unknown what changes with each repeat in column `{names['repeat']}`"
        return what, "add `made using 30 resamples of 2/3`, or another scheme"
    repeated = made is not None and made.card.k_fold and made.partitions > 1 and "fold" in names
    if made is not None and repeated and not {"repeat", "seed"} & set(names):
        return (
            f"`{made.text}` has {made.partitions} repeats, but no column says which row belongs to which",
            'add `repeats in "column"`, or write the scheme of one repeat after `made using`',
        )
    return None


def with_explanations(
    levels: Sequence[Level], made: Scheme | None, trainings: int | None, metric: Metric | None
) -> tuple[Level, ...]:
    """Return the levels, each with a sentence that says how it is used."""
    return tuple(replace(one, taken=_taken(one, levels, made, trainings, metric)) for one in levels)


def _taken(
    one: Level, levels: Sequence[Level], made: Scheme | None, trainings: int | None, metric: Metric | None
) -> str:
    standings = {level.standing: level.column for level in levels}
    folds, clustered = "fold" in standings, standings.get("group")
    words = {
        "dataset": "datasets, each one observation of the paired test",
        "fold": f"folds, paired; {_ratio(made)}",
        "repeat": "repeats, each with new folds" if folds else f"repeats, each with new rows; {_ratio(made)}",
        "item": f"items, paired, in clusters by {clustered}"
        if clustered
        else "items, each one observation of the paired test",
        "epoch": f"epochs (repeated samples of an item), {reducer(metric)} before the test",
        "group": "groups of dependent items, each group one observation of the test",
    }
    if one.standing != "seed":
        return words.get(one.standing or "", "")
    if made is not None and seeds_redrawn(levels, made):
        return f"seeds, each a repeat with new splits (made using {made.text}); {_ratio(made)}"
    if not folds and "repeat" not in standings:
        return "training seeds, which are averaged; they show nothing about other rows"
    reasons = [f"made using {made.text}"] if made else []
    reasons += [f"trained {trainings} times"] if trainings else []
    return f"training seeds, averaged in each fold because the folds are fixed ({', '.join(reasons) or 'with repeats'})"


def _ratio(made: Scheme | None) -> str:
    from fractions import Fraction

    if made is None:
        return "K is the number of folds in the table, test/training ratio = 1/(K - 1)"
    sizes = shares(made)
    if sizes is None:
        return f"test/training ratio is unknown for {made.text}"
    ratio = Fraction(sizes[1] / sizes[0]).limit_denominator(1000)
    return f"{f'K = {made.folds}, ' if made.card.k_fold else ''}test/training ratio = {ratio} (made using {made.text})"


def reducer(metric: Metric | None) -> str:
    """Return in words how several samples of one item become one score."""
    if metric is not None and metric.name == "pass":
        return f"pass@{dict(metric.options)['k']} by the unbiased estimator"
    return "decided by majority" if metric is not None and metric.epochs == "majority" else "averaged"
