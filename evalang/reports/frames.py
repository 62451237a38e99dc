"""What was chosen in every fold, for frames and files: each candidate of tuning, each threshold, each early end."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from ..errors import RunError
from ..results.records import ScoreRow, SimulationOutcome, TrainingChoice, Verdict
from ..results.run_result import RunResult
from .escape import csv_cell
from .sentences import short, words
from .tables import paper_table
from .view import views

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


if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """The frames by name."""

    scores: DataFrame
    halves: DataFrame
    verdicts: DataFrame
    estimates: DataFrame
    findings: DataFrame
    claims: DataFrame


def frames(result: RunResult) -> Frames:
    """All frames; an empty one keeps its columns."""
    import pandas

    scores, halves = (
        pandas.DataFrame({name: list(getattr(found, name)) for name in ScoreRow._fields})
        for found in (result.scores, result.halves)
    )
    verdicts = [_verdict(v) for v in result.verdicts]
    estimates = [
        {
            "comparison": e.comparison,
            "learner": e.learner,
            "dataset": e.dataset,
            "metric": e.metric,
            "score": e.score,
            "low": e.interval.low if e.interval else None,
            "high": e.interval.high if e.interval else None,
            "method": e.method,
        }
        for e in result.estimates
    ]
    findings = [
        {
            "code": f.code,
            "name": f.name,
            "level": f.level,
            "message": f.message,
            "subject": f.subject.name,
            "allowed": why,
        }
        for f, why in (*((f, None) for f in result.findings), *result.allowed)
    ]
    claims = [{"claim": c.claim, "status": c.status, "reason": c.reason} for c in result.claims]
    return Frames(
        scores=scores,
        halves=halves,
        verdicts=pandas.DataFrame(verdicts, columns=list(FRAME_VERDICTS)),
        estimates=pandas.DataFrame(estimates, columns=list(ESTIMATES)),
        findings=pandas.DataFrame(findings, columns=["code", "name", "level", "message", "subject", "allowed"]),
        claims=pandas.DataFrame(claims, columns=["claim", "status", "reason"]),
    )


def parameters(result: RunResult) -> DataFrame:
    """Every candidate of tuning: a column for each parameter that was tuned, empty for learners without it.

    Where thresholds were chosen or training ended early, every training has a row that says at which threshold and
    after how many rounds.
    """
    import pandas

    heads = [name for name in HEADS if name != "setting"] + (list(BESIDE) if result.choices else [])
    found = list(chosen_rows(result))
    rows = [{**{name: getattr(c, name) for name in heads}, **dict(c.setting)} for c in found]
    tuned = dict.fromkeys(name for c in found for name, _ in c.setting)
    return pandas.DataFrame(rows, columns=[*heads, *tuned])


ESTIMATES = ("comparison", "learner", "dataset", "metric", "score", "low", "high", "method")
FRAME_VERDICTS = (
    "comparison",
    "dataset",
    "metric",
    "learners",
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
    "decision",
    "matters",
    "verdict",
    "sentence",
)


def _verdict(verdict: Verdict) -> dict[str, Any]:
    test, interval = verdict.test, verdict.interval
    effect = test.effect if test is not None else None
    return {
        "comparison": verdict.comparison,
        "dataset": verdict.dataset,
        "metric": verdict.metric,
        "learners": verdict.learners,
        "test": test.test if test else None,
        "statistic": test.statistic if test else None,
        "p": test.pvalue if test else None,
        "adjusted_p": verdict.adjusted_p,
        "stopped_after": verdict.stopped.partitions if verdict.stopped else None,
        "alpha": verdict.alpha,
        "difference": verdict.difference,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "effect": effect.name if effect else None,
        "effect_size": effect.value if effect else None,
        "units": test.n_units if test else 0,
        "decision": verdict.decision,
        "matters": verdict.matters,
        "verdict": short(verdict),
        "sentence": words(verdict).text(),
    }
