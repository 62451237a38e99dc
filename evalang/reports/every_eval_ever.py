"""A run in the form of Every Eval Ever: for each learner of a comparison a record of averages, its samples beside it.

Schema 0.3.0 of https://github.com/evaleval/every_eval_ever. What a run does not know is unknown; texts of
items and answers are never kept, so they are empty, and the hash of an item's text stands in `metadata`. Folds are no
samples: their scores stand in `details`, so that no reader pairs them as independent items.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from .. import __version__
from ..plans.model import Comparison
from ..results.numbers import higher_is_better, metric_card
from ..results.records import ItemScores
from ..results.run_result import RunResult

SCHEMA = "0.3.0"
UNKNOWN = "unknown"
FOLDS, SCHEME, CONTENT = "evalang_folds", "evalang_scheme", "content_sha256"
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
Json = dict[str, Any]


def records(run: RunResult, subject: str | None = None) -> dict[str, bytes]:
    """Return files by name, laid out as the schema's own collection: data/COLLECTION/DEVELOPER/MODEL/UUID.json."""
    made: dict[str, bytes] = {}
    for comparison in run.plan.comparisons:
        if subject not in (None, comparison.name):
            continue
        items = [one for one in run.items if one.comparison == comparison.name]
        rows = [row for row in run.scores.rows() if row.comparison == comparison.name]
        learners = dict.fromkeys([*(x for one in items for x in one.learners), *(row.learner for row in rows)])
        for learner in learners:
            head = _head(run, comparison, learner)
            results = [_of_items(head, one, learner, metric) for one in items for metric, _ in one.means]
            results += _of_folds(head, comparison, [row for row in rows if row.learner == learner])
            if not results:
                continue
            place = _place(results[0]["source_data"]["dataset_name"], learner, head["evaluation_id"])
            head["evaluation_results"] = results
            lines = [line for one in items for metric, _ in one.means for line in _samples(head, one, learner, metric)]
            if lines:
                text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines).encode()
                head["detailed_evaluation_results"] = {
                    "format": "jsonl",
                    "file_path": f"{place}_samples.jsonl",
                    "hash_algorithm": "sha256",
                    "checksum": hashlib.sha256(text).hexdigest(),
                    "total_rows": len(lines),
                }
                made[f"{place}_samples.jsonl"] = text
            made[f"{place}.json"] = (json.dumps(head, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
    return made


def _head(run: RunResult, comparison: Comparison, learner: str) -> Json:
    ended = str(int(datetime.fromisoformat(run.finished).timestamp())) if run.finished else "0"
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{comparison.name}/{learner.replace('/', '_')}/{ended}",
        "evaluation_timestamp": ended,
        "retrieved_timestamp": ended,
        "source_metadata": {
            "source_name": comparison.name,
            "source_type": "evaluation_run",
            "source_organization_name": UNKNOWN,
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "evalang", "version": __version__},
        "model_info": {
            "name": learner,
            "id": learner,
            "additional_details": {"deployment_type": UNKNOWN, "model_availability": UNKNOWN},
        },
    }


def _result(head: Json, dataset: str, metric: str, score: float, count: int) -> Json:
    return {
        "evaluation_result_id": f"{head['evaluation_id']}/{dataset}/{metric}",
        "evaluation_name": dataset,
        "source_data": {"dataset_name": dataset, "source_type": "other"},
        "metric_config": _metric(metric, score),
        "score_details": {"score": score, "uncertainty": {"num_samples": count}},
    }


def _metric(label: str, score: float) -> Json:
    """Return the direction of a metric and, where it is known, its range; a share may be written in per cent."""
    card = metric_card(label)
    config: Json = {"metric_id": label, "metric_name": label, "lower_is_better": not higher_is_better(label)}
    if card is None:
        return config
    low, high = card.low, card.high
    if (low, high) == (0.0, 1.0):
        config["metric_unit"] = "proportion" if score <= 1.0 else "percent"
        high = 1.0 if score <= 1.0 else 100.0
    ends = {"min_score": "-Infinity" if low is None else low, "max_score": "Infinity" if high is None else high}
    return config | {"score_type": "continuous"} | ends


def _of_items(head: Json, one: ItemScores, learner: str, metric: str) -> Json:
    mean = dict(one.means)[metric][one.learners.index(learner)]
    return _result(head, one.dataset, metric, mean, len(one.items))


def _of_folds(head: Json, comparison: Comparison, rows: list[Any]) -> Iterator[Json]:
    """Yield one result for each dataset and metric without a missing score."""
    cells: dict[tuple[str, str], list[Any]] = {}
    for row in rows:
        cells.setdefault((row.dataset, row.metric), []).append(row)
    for (dataset, metric), found in cells.items():
        if any(row.score is None for row in found):
            continue
        made = _result(head, dataset, metric, math.fsum(row.score for row in found) / len(found), len(found))
        folds = [[row.partition, row.fold, row.training, row.score] for row in found]
        made["score_details"]["details"] = {FOLDS: json.dumps(folds)}
        if comparison.scheme is not None:
            made["score_details"]["details"][SCHEME] = comparison.scheme.text
        yield made


def _samples(head: Json, one: ItemScores, learner: str, metric: str) -> Iterator[Json]:
    card = metric_card(metric)
    best = None if card is None else card.high if card.higher_is_better else card.low
    for row in one.rows():
        if row.learner != learner:
            continue
        about = {"epoch": str(row.epoch), "group": row.group, CONTENT: row.content}
        yield {
            "schema_version": SCHEMA,
            "evaluation_id": head["evaluation_id"],
            "model_id": learner,
            "evaluation_name": one.dataset,
            "evaluation_result_id": f"{head['evaluation_id']}/{one.dataset}/{metric}",
            "sample_id": row.item,
            "interaction_type": "single_turn",
            "input": {"raw": "", "reference": []},
            "output": {"raw": []},
            "answer_attribution": [],
            "evaluation": {"score": row.score, "is_correct": row.score == best},
            "metadata": {name: value for name, value in about.items() if value},
        }


def _place(collection: str, learner: str, evaluation: str) -> str:
    """Return the path of a record, without its ending; the same run gives the same names, shaped like a random UUID."""
    developer, slash, model = learner.partition("/")
    parts = (collection, developer, model) if slash else (collection, UNKNOWN, learner)
    number = uuid.UUID(bytes=hashlib.sha256(f"{collection}\0{evaluation}".encode()).digest()[:16], version=4)
    return "/".join(("data", *map(_safe, parts), str(number)))


def _safe(part: str) -> str:
    """Return a name that every file system takes.

    >>> _safe("gpt:4"), _safe("../x"), _safe("")
    ('gpt_4', '.._x', '_')
    """
    clean = _UNSAFE.sub("_", part).rstrip(". ")[:100]
    return clean if clean.strip(".") else "_"
