"""Tidy tables of a result for other tools: one row per score, verdict, choice; data frames, CSV and Parquet.

In CSV, cells that a spreadsheet would take for formulas are guarded.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ..errors import RunError
from ..language.text import Shown
from ..results.numbers import ends
from ..results.records import Estimate, ScoreRow, SimulationOutcome, TrainingChoice, Verdict
from ..results.run_result import RunResult
from .escape import csv_cell
from .sentences import short, words
from .tables import paper_table
from .view import views

if TYPE_CHECKING:
    from pandas import DataFrame

Cell = str | float | int | None
Tidy = tuple[tuple[str, ...], list[tuple[Cell, ...]]]  # heads and rows
Setting = tuple[tuple[str, str | int | float | bool | None], ...]

MEASURES = (
    *("test", "statistic", "p", "adjusted_p", "stopped_after", "alpha", "difference", "low", "high"),
    *("effect", "effect_size", "units"),
)
VERDICTS = ("comparison", "dataset", "metric", "first", "second", *MEASURES, "verdict", "in_short")
PARAMETERS = ("comparison", "learner", "dataset", "partition", "fold", "metric", "setting", "score", "chosen")
CHOICES = ("training", "decision_threshold", "rounds")  # columns of a run in which some training chose one of the two
# What the columns of the scores stand for, in the words of a `results` statement, so that the next tool need not guess.
ROLES = {
    "score": "score", "metric": "metric", "learner": "learner", "dataset": "datasets", "partition": "repeats",
    "fold": "folds", "training": "seeds",
}  # fmt: skip
ITEM_ROLES = {"item": "items", "epoch": "epochs", "group": "groups"}
ITEMS = (*ITEM_ROLES, "content")
SIMULATIONS = ("simulation", "kind", "of", "settings", "rate", "low", "high", "trials")


def tidy(result: RunResult, subject: str | None = None) -> dict[str, Tidy]:
    """Return verdicts, and scores, parameters of tuning and simulations where there are any, by name."""
    names = {c.name for c in result.plan.comparisons if subject in (None, c.name)}
    made: dict[str, Tidy] = {"verdicts": (VERDICTS, [_verdict(v) for v in result.verdicts if v.comparison in names])}
    scores = _scores(result, names)
    if scores[1]:
        made["scores"] = scores
    halves: list[tuple[Cell, ...]] = [row for row in result.halves.rows() if row.comparison in names]
    if halves:
        made["halves"] = (ScoreRow._fields, halves)
    heads = (*PARAMETERS, *(CHOICES if result.choices else ()))
    chosen = [_chosen(one, heads) for one in chosen_rows(result) if one.comparison in names]
    if chosen:
        made["parameters"] = (heads, chosen)
    if result.simulations and subject is None:
        made["simulations"] = (SIMULATIONS, [_simulated(one) for one in result.simulations])
    return made


def _measures(verdict: Verdict) -> tuple[Cell, ...]:
    """Return the numbers of a verdict, in the order of MEASURES."""
    test, interval = verdict.test, verdict.interval
    effect = test.effect if test is not None else None
    return (
        *((test.test, test.statistic, test.pvalue) if test else (None, None, None)),
        verdict.adjusted_p,
        verdict.stopped.partitions if verdict.stopped else None,
        verdict.alpha,
        verdict.difference,
        *ends(interval),
        *((effect.name, effect.value) if effect else (None, None)),
        test.n_units if test else None,
    )


def _verdict(v: Verdict) -> tuple[Cell, ...]:
    second = v.learners[1] if v.pair else f"all {len(v.learners)}"
    place = v.dataset if v.dataset is not None else "over datasets"
    return v.comparison, place, v.metric, v.learners[0], second, *_measures(v), v.decision, short(v)


def _scores(result: RunResult, names: set[str]) -> Tidy:
    """Return one row a score: of a fold, or of an item as it was read. A column that does not apply is empty."""
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


@dataclass(frozen=True, slots=True)
class ChosenRow:
    """A candidate of tuning, or a learner without any: its score on the tuning rows, and what its training chose."""

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


def chosen_rows(result: RunResult) -> Iterator[ChosenRow]:
    """Yield the candidates, then the trainings whose settings are not among them."""

    def key(one: TrainingChoice) -> tuple[str, str, str, int, int, str, int]:
        return one.comparison, one.learner, one.dataset, one.partition, one.fold, one.metric, one.training

    choices = {key(one): one for one in result.choices}
    seen = set()
    for one in result.candidates:
        place = (one.comparison, one.learner, one.dataset, one.partition, one.fold, one.metric)
        # one winner for all metrics has its outcome under no metric
        where = next((k for k in ((*place, 0), (*place[:-1], "", 0)) if k in choices), None) if one.chosen else None
        made = (choices[where].threshold, choices[where].rounds) if where is not None else (None, None)
        seen.add(where)
        yield ChosenRow(*place, one.setting, one.score, one.chosen, 0, *made)
    for where, choice in choices.items():
        if where not in seen:
            yield ChosenRow(*where[:-1], (), None, True, choice.training, choice.threshold, choice.rounds)


def _chosen(one: ChosenRow, heads: tuple[str, ...]) -> tuple[Cell, ...]:
    """Return the choices of a fold; the setting as JSON, since every learner has parameters of its own."""
    setting = json.dumps(dict(one.setting), ensure_ascii=False)
    return tuple(setting if name == "setting" else getattr(one, name) for name in heads)


def _simulated(one: SimulationOutcome) -> tuple[Cell, ...]:
    settings = ", ".join(f"{word} {value:g}" for word, value in one.settings)
    return one.name, one.kind, one.subject, settings, one.rate, *ends(one.interval), one.trials


def roles_of(result: RunResult) -> Mapping[str, str]:
    """Return what each column of the scores stands for."""
    return ROLES | ITEM_ROLES if result.items else ROLES


def about(result: RunResult) -> str:
    """Return when the run ended, with which versions, on which data, and the roles of the columns of the scores."""
    facts = {
        "finished": result.finished,
        "trials": result.trials + result.reused,
        "environment": dict(result.environment),
        "roles": roles_of(result),
        "made": {c.name: c.scheme.text for c in result.plan.comparisons if c.scheme is not None},
        "datasets": {f.name: {"rows": f.rows, "hash": f.digest} for f in result.facts},
    }
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


# CSV and Parquet


def tables(result: RunResult, subject: str | None = None) -> dict[str, str]:
    """Return CSV text by file name."""
    return {f"{name}.csv": _text(heads, rows) for name, (heads, rows) in tidy(result, subject).items()}


def printed(result: RunResult, subject: str | None = None) -> dict[str, str]:
    """Return the tables of mean scores of the report as CSV text, by file name."""
    made = {}
    for view in views(result, subject):
        for table in filter(None, (paper_table(view, metric) for metric in view.metrics)):
            heads = tuple(str(csv_cell(column.title)) for column in table.columns)
            rows = [tuple(cell.text if cell.value is None else cell.value for cell in row) for row in table.rows]
            made[f"tables/{table.key}.csv"] = _text(heads, rows)
    return made


def _text(heads: tuple[str, ...], rows: Iterable[tuple[Cell, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows([csv_cell(value) for value in row] for row in rows)
    return out.getvalue()


def parquet(result: RunResult, subject: str | None = None) -> dict[str, bytes]:
    """Return Parquet by file name; the roles of the columns are the metadata `role` of each."""
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


# Data frames


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Frames(Shown):
    """The frames of a result by name; an empty one keeps its columns."""

    scores: DataFrame
    halves: DataFrame
    verdicts: DataFrame
    estimates: DataFrame
    findings: DataFrame
    claims: DataFrame

    def __str__(self) -> str:
        sizes = {one.name: getattr(self, one.name).shape for one in fields(self)}
        return "\n".join(f".{name}: {rows} rows, {columns} columns" for name, (rows, columns) in sizes.items())


def short_verdicts(result: RunResult) -> DataFrame:
    """Return what most readers need of each test: what was compared, the difference, adjusted p and verdict."""
    rows = (
        (v.comparison, v.dataset or f"{len(v.datasets)} datasets", v.metric, " vs ".join(v.learners), v.difference,
         *ends(v.interval), v.adjusted_p, v.test.test if v.test else None, short(v))
        for v in result.verdicts
    )  # fmt: skip
    return _frame(SHORT_VERDICTS, rows)


def frames(result: RunResult) -> Frames:
    """Return all frames."""
    import pandas

    scores, halves = (
        pandas.DataFrame({name: list(getattr(found, name)) for name in ScoreRow._fields})
        for found in (result.scores, result.halves)
    )
    findings = [(f, None) for f in result.findings] + list(result.allowed)
    return Frames(
        scores=scores,
        halves=halves,
        verdicts=_frame(FRAME_VERDICTS, map(_frame_verdict, result.verdicts)),
        estimates=_frame(FRAME_ESTIMATES, map(_frame_estimate, result.estimates)),
        findings=_frame(
            ("code", "name", "level", "message", "subject", "allowed"),
            ((f.code, f.name, f.level, f.message, f.subject.name, why) for f, why in findings),
        ),
        claims=_frame(("claim", "status", "reason"), ((c.claim, c.status, c.reason) for c in result.claims)),
    )


FRAME_VERDICTS = (
    *("comparison", "dataset", "metric", "learners", *MEASURES, "decision", "matters", "verdict", "sentence"),
)
SHORT_VERDICTS = (
    *("comparison", "dataset", "metric", "learners", "difference", "low", "high", "adjusted_p", "test", "verdict"),
)
FRAME_ESTIMATES = ("comparison", "learner", "dataset", "metric", "score", "low", "high", "method")


def _frame(columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> DataFrame:
    import pandas

    return pandas.DataFrame([dict(zip(columns, row, strict=True)) for row in rows], columns=list(columns))


def _frame_verdict(v: Verdict) -> tuple[Any, ...]:
    *measures, units = _measures(v)
    place = (v.comparison, v.dataset, v.metric, v.learners)
    return *place, *measures, units or 0, v.decision, v.matters, short(v), words(v).text()


def _frame_estimate(e: Estimate) -> tuple[Any, ...]:
    return e.comparison, e.learner, e.dataset, e.metric, e.score, *ends(e.interval), e.method


def parameters(result: RunResult) -> DataFrame:
    """Return every candidate of tuning: a column for each parameter that was tuned, empty for learners without it.

    Where thresholds were chosen or training ended early, every training has a row with its threshold and its rounds.
    """
    import pandas

    heads = [name for name in PARAMETERS if name != "setting"] + (list(CHOICES) if result.choices else [])
    found = list(chosen_rows(result))
    rows = [{**{name: getattr(c, name) for name in heads}, **dict(c.setting)} for c in found]
    tuned = dict.fromkeys(name for c in found for name, _ in c.setting)
    return pandas.DataFrame(rows, columns=[*heads, *tuned])
