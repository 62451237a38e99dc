"""Verdicts and scores as tidy tables for other tools, with what every column stands for: CSV and Parquet.

In CSV, cells that a spreadsheet would take for formulas are guarded.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from io import StringIO

from ..errors import RunError
from ..results.records import ScoreRow
from ..results.run_result import RunResult, SimulationOutcome
from .chosen_rows import BESIDE, HEADS, ChosenRow, chosen_rows
from .escape import csv_cell
from .sentences import short
from .tables import paper_table
from .view import views

Cell = str | float | int | None
Tidy = tuple[tuple[str, ...], list[tuple[Cell, ...]]]  # heads and rows

VERDICTS = (
    "comparison",
    "dataset",
    "metric",
    "first",
    "second",
    "test",
    "statistic",
    "p",
    "adjusted_p",
    "stopped_after",
    "alpha",
    "difference",
    "low",
    "high",
    "effect",
    "effect_size",
    "units",
    "verdict",
    "in_short",
)


# What the columns of the scores stand for, in the words of a `results` statement, so that the next tool need not guess.
ROLES = {
    "score": "score",
    "metric": "metric",
    "learner": "learner",
    "dataset": "datasets",
    "partition": "repeats",
    "fold": "folds",
    "training": "seeds",
}
ITEM_ROLES = {"item": "items", "epoch": "epochs", "group": "groups"}
ITEMS = (*ITEM_ROLES, "content")
SIMULATIONS = ("simulation", "kind", "of", "settings", "rate", "low", "high", "trials")


def tables(result: RunResult, subject: str | None = None) -> dict[str, str]:
    """File name -> CSV text."""
    return {f"{name}.csv": _text(heads, rows) for name, (heads, rows) in tidy(result, subject).items()}


def printed(result: RunResult, subject: str | None = None) -> dict[str, str]:
    """The tables that a paper prints, as they stand in the report: File name -> CSV text."""
    made = {}
    for view in views(result, subject):
        for metric in view.metrics:
            table = paper_table(view, metric)
            if table is not None:
                heads = tuple(str(csv_cell(column.title)) for column in table.columns)
                rows = [
                    tuple(cell.value if cell.value is not None else cell.text for cell in row) for row in table.rows
                ]
                made[f"tables/{table.key}.csv"] = _text(heads, rows)
    return made


def parquet(result: RunResult, subject: str | None = None) -> dict[str, bytes]:
    """File name -> Parquet; the roles of the columns are in the file itself, as the metadata `role` of each."""
    try:
        import pyarrow
        from pyarrow.parquet import write_table
    except ImportError:
        raise RunError("Parquet is written by pyarrow", hint='install "evalang[parquet]", or write csv') from None
    made = {}
    for name, (heads, rows) in tidy(result, subject).items():
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(heads)
        roles = roles_of(result) if name == "scores" else {}
        arrays, fields = [], []
        for head, column in zip(heads, columns, strict=True):
            array = pyarrow.array(column)
            array = array.cast(pyarrow.float64()) if pyarrow.types.is_null(array.type) else array
            arrays.append(array)
            fields.append(pyarrow.field(head, array.type, metadata={"role": roles[head]} if head in roles else None))
        whole = pyarrow.schema(fields, metadata={"evalang": about(result)})
        buffer = io.BytesIO()
        write_table(pyarrow.Table.from_arrays(arrays, schema=whole), buffer)
        made[f"{name}.parquet"] = buffer.getvalue()
    return made


def roles_of(result: RunResult) -> Mapping[str, str]:
    """What each column of the scores stands for."""
    return ROLES | ITEM_ROLES if result.items else ROLES


def tidy(result: RunResult, subject: str | None = None) -> dict[str, Tidy]:
    """Verdicts, and scores, parameters of tuning and simulations where there are any, by name."""
    names = {c.name for c in result.plan.comparisons if subject in (None, c.name)}
    rows: list[tuple[Cell, ...]] = []
    for v in result.verdicts:
        if v.comparison not in names:
            continue
        test, interval = v.test, v.interval
        rows.append(
            (
                v.comparison,
                v.dataset if v.dataset is not None else "over datasets",
                v.metric,
                v.learners[0],
                v.learners[1] if v.pair else f"all {len(v.learners)}",
                test.test if test else None,
                test.statistic if test else None,
                test.pvalue if test else None,
                v.adjusted_p,
                v.stopped.partitions if v.stopped else None,
                v.alpha,
                v.difference,
                interval.low if interval else None,
                interval.high if interval else None,
                test.effect.name if test and test.effect else None,
                test.effect.value if test and test.effect else None,
                test.n_units if test else None,
                v.decision,
                short(v),
            )
        )
    made: dict[str, Tidy] = {"verdicts": (VERDICTS, rows)}
    scores = _scores(result, names)
    if scores[1]:
        made["scores"] = scores
    halves: list[tuple[Cell, ...]] = [row for row in result.halves.rows() if row.comparison in names]
    if halves:
        made["halves"] = (ScoreRow._fields, halves)
    heads = (*HEADS, *(BESIDE if result.choices else ()))
    chosen = [_chosen(one, heads) for one in chosen_rows(result) if one.comparison in names]
    if chosen:
        made["parameters"] = (heads, chosen)
    if result.simulations and subject is None:
        made["simulations"] = (SIMULATIONS, [_simulated(one) for one in result.simulations])
    return made


def _scores(result: RunResult, names: set[str]) -> Tidy:
    """One row a score: of a fold, or of an item as it was read. A column that says nothing of a score is empty."""
    rows: list[tuple[Cell, ...]] = [row for row in result.scores.rows() if row.comparison in names]
    if not result.items:
        return ScoreRow._fields, rows
    rows = [(*row, *(None for _ in ITEMS)) for row in rows]
    for one in result.items:
        if one.comparison in names:
            metric, empty = one.means[0][0], (None, None)
            for learner, item, epoch, group, content, score in one.rows():
                place = (one.comparison, learner, one.dataset, None, None, None, metric, score)
                rows.append((*place, *empty, item, epoch, group or None, content or None))
    return (*ScoreRow._fields, *ITEMS), rows


def _chosen(one: ChosenRow, heads: tuple[str, ...]) -> tuple[Cell, ...]:
    """What was chosen in a fold; the setting as JSON, since every learner has parameters of its own."""
    setting = json.dumps(dict(one.setting), ensure_ascii=False)
    return tuple(setting if name == "setting" else getattr(one, name) for name in heads)


def _simulated(one: SimulationOutcome) -> tuple[Cell, ...]:
    interval = (one.interval.low, one.interval.high) if one.interval else (None, None)
    settings = ", ".join(f"{word} {value:g}" for word, value in one.settings)
    return one.name, one.kind, one.subject, settings, one.rate, *interval, one.trials


def about(result: RunResult) -> str:
    """When the run ended, with which versions, on which data, and what the columns of the scores stand for."""
    said = {
        "finished": result.finished,
        "trials": result.trials + result.reused,
        "environment": dict(result.environment),
        "roles": roles_of(result),
        "made": {c.name: c.scheme.text for c in result.plan.comparisons if c.scheme is not None},
        "datasets": {f.name: {"rows": f.rows, "hash": f.digest} for f in result.facts},
    }
    return json.dumps(said, indent=1, ensure_ascii=False) + "\n"


def _text(heads: tuple[str, ...], rows: Iterable[tuple[Cell, ...]]) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows([csv_cell(value) for value in row] for row in rows)
    return out.getvalue()
