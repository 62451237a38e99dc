"""What a run did not meet stands under exactly the verdicts it speaks of; real runs on small tables."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.results.run_result import RunResult
from evalang.trials.options import RunOptions

_START = 'set seed 7\nset allow EV101 because "made for the test"\n'


def _run(folder: Path, text: str) -> RunResult:
    source = SourceText(str(folder / "script.eval"), _START + text)
    return run_script(source, Request(options=RunOptions(jobs=0)))


def _table(folder: Path, name: str, rows: int, share: float) -> None:
    """Two columns; the first tells the class of `share` of the rows, the rest is chance."""
    draw = random.Random(name)
    lines = ["a,b,y"]
    for _ in range(rows):
        label = draw.choice("pn")
        told = label if draw.random() < share else draw.choice("pn")
        lines.append(f"{(2.0 if told == 'p' else 0.0) + draw.random():.3f},{draw.random():.3f},{label}")
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def _unmet(found: RunResult, code: str) -> dict[tuple[str, str | None, str, tuple[str, ...]], list[str]]:
    """The conditions of one rule, by the verdict they stand under."""
    messages = {f.message for f in found.findings if f.code == code}
    assert messages, f"{code} has nothing to say about this run"
    return {
        (v.comparison, v.dataset, v.metric, v.learners): [m for m in v.unmet if m in messages]
        for v in found.verdicts
        if any(m in messages for m in v.unmet)
    }


def test_wild_replications_stand_under_their_own_dataset_and_metric(tmp_path: Path) -> None:
    _table(tmp_path, "wild", 8, 0.0)
    _table(tmp_path, "calm", 80, 1.0)
    found = _run(
        tmp_path,
        'dataset wild from csv "wild.csv", target "y"\ndataset calm from csv "calm.csv", target "y"\n'
        "compare decision-tree vs naive-bayes on wild, calm using 5x2cv, holm over datasets\n",
    )
    assert set(_unmet(found, "EV309")) == {("compare-1", "wild", "accuracy", ("decision-tree", "naive-bayes"))}


def test_half_trained_stands_under_every_5x2cv_verdict_on_the_learner(tmp_path: Path) -> None:
    text = 'dataset digits from builtin "digits"\n'
    for scheme in ("5x2cv", "5x2cv, rope 1 point", "5x5cv"):
        text += f"compare decision-tree vs naive-bayes on digits using {scheme}, holm over everything\n"
    found = _run(tmp_path, text)
    assert {key[0] for key in _unmet(found, "EV307")} == {"compare-1", "compare-2"}


def test_the_edge_of_a_grid_stands_under_the_verdict_and_the_estimate_of_that_learner(tmp_path: Path) -> None:
    _table(tmp_path, "easy", 120, 1.0)
    found = _run(
        tmp_path,
        'dataset easy from csv "easy.csv", target "y"\n'
        "learner stump is decision-tree, tune max_depth in {1, 2, 3}\n"
        "compare stump vs naive-bayes vs knn on easy using 5x2cv, tune on 50%, holm over learners\n"
        "estimate stump on easy using 5x2cv, tune on 50%\n",
    )
    under = _unmet(found, "EV207")
    assert under
    assert all("stump" in learners for *_, learners in under)
    assert {v.learners for v in found.verdicts if "stump" in v.learners} == {learners for *_, learners in under}
    assert all(e.unmet for e in found.estimates if e.learner == "stump")


@pytest.mark.parametrize("scheme", ["10x2cv", "6 partitions of 5cv", "5x10cv"])
def test_repeats_are_not_judged_by_another_test_than_the_one_that_decides(tmp_path: Path, scheme: str) -> None:
    _table(tmp_path, "mixed", 60, 0.4)
    text = f"compare decision-tree vs naive-bayes on mixed using {scheme}\n"
    found = _run(tmp_path, 'dataset mixed from csv "mixed.csv", target "y"\n' + text)
    (verdict,) = found.verdicts
    assert verdict.test is not None
    assert verdict.test.test in ("corrected-t", "partition-t")
    assert (verdict.unmet, found.partitions) == ((), ())


def test_what_single_partitions_say_is_a_detail_of_averaged_t(tmp_path: Path) -> None:
    _table(tmp_path, "mixed", 60, 0.4)
    text = "compare decision-tree vs naive-bayes on mixed using 6 partitions of 3cv, by averaged-t\n"
    found = _run(tmp_path, 'dataset mixed from csv "mixed.csv", target "y"\n' + text)
    (verdict,) = found.verdicts
    assert verdict.test is not None
    alone = sum(p.pvalue is not None and p.pvalue <= 0.05 for p in found.partitions)
    assert len(found.partitions) == 6
    assert (
        f"{alone} of 6 random splits, each tested alone and without correction, have p <= 0.05." in verdict.test.notes
    )
    assert verdict.unmet == ()
