"""One table has one answer: a script, `evalang compare`, `ev.analyse` and `evalang test` agree on every pair."""

from __future__ import annotations

import json
import tempfile
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalang as ev
from evalang.cli.tables import ReadingOptions, read_files

from .support.calling import forked

tables = st.tuples(st.integers(2, 4), st.integers(8, 14), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.01, 0.04]))


def table_of(learners: int, datasets: int, seed: int, ahead: float) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.5, 0.8, (datasets, 1)) + rng.normal(0, 0.02, (datasets, learners))
    level[:, 0] += ahead
    frame = pd.DataFrame(level.round(4), columns=[f"m{j}" for j in range(learners)])
    frame.insert(0, "dataset", [f"d{i}" for i in range(datasets)])
    return frame


@settings(max_examples=4, deadline=None)
@given(shape=tables)
def test_four_ways_to_ask_give_one_answer(shape: tuple[int, int, int, float]) -> None:
    frame = table_of(*shape)
    learners = [c for c in frame.columns if c != "dataset"]
    analysed = ev.analyse(frame, dataset="dataset")
    names = np.array([*analysed.learners, ""])
    pairs = analysed.pairs
    by_pair = {
        frozenset((names[i], names[j])): (p, adjusted, names[better])
        for i, j, p, adjusted, better in zip(
            pairs.first, pairs.second, pairs.pvalue, pairs.adjusted, pairs.better, strict=True
        )
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frame.to_csv(folder / "t.csv", index=False)
        ((_, guessed),) = read_files((str(folder / "t.csv"),), ReadingOptions(), folder).readings
        written = 'results scores from csv "t.csv", datasets in "dataset", measuring score(better = higher)\n'
        more = ", holm over learners" if len(learners) > 2 else ""
        for place, script in (("guessed", guessed), ("written", f"{written}compare all on scores{more}\n")):
            (folder / f"{place}.eval").write_text(script)
            result = ev.run(folder / f"{place}.eval", ledger=False)
            found = [v for v in result.run.verdicts if v.pair]
            assert {frozenset(v.learners) for v in found} == {frozenset(p) for p in combinations(learners, 2)}
            for v in found:
                p, adjusted, better = by_pair[frozenset(v.learners)]
                assert v.test is not None
                assert v.test.pvalue == pytest.approx(p, rel=1e-9)
                assert v.adjusted_p == pytest.approx(adjusted, rel=1e-9)
                assert {"first-better": v.learners[0], "second-better": v.learners[1]}.get(v.decision, "") == better
        first, second = learners[:2]
        done = call_test(folder, "wilcoxon", "t.csv", first, second)
        assert done["pvalue"] == pytest.approx(by_pair[frozenset((first, second))][0], rel=1e-9)


@pytest.mark.parametrize(("learners", "datasets", "control"), [(25, 8, False), (6, 8, True)])
def test_where_no_pair_can_be_significant_every_answer_says_so(
    learners: int, datasets: int, control: bool, tmp_path: Path
) -> None:
    """The smallest p of Wilcoxon is 2 / 2^8, and Holm asks for .05 / pairs; Friedman's p is far below the level."""
    frame = table_of(learners, datasets, 3, 0.0)
    frame.iloc[:, 1:] += np.linspace(0, 0.2, learners)
    smallest, level = 2 / 2**datasets, 0.05 / (learners * (learners - 1) / 2)
    assert smallest > level
    frame.to_csv(tmp_path / "t.csv", index=False)
    why = f"the smallest possible p of wilcoxon is {smallest:.3g} here, and holm over {learners * (learners - 1) // 2} "
    why += f"tests needs {level:.3g}"
    analysed = ev.analyse(frame, dataset="dataset")
    assert why in str(analysed)
    assert 'pairs_by="nemenyi" can find differences' in str(analysed)
    done = forked("compare", "t.csv", "--no-ledger", "--better", "higher", cwd=tmp_path)
    head = 'results t from csv "t.csv", datasets in "dataset", measuring score(better = higher)\ncompare all on t'
    (tmp_path / "s.eval").write_text(f"{head} holm over learners\n")
    text = ev.run(tmp_path / "s.eval", ledger=False).summary()
    for said in (str(text), done.out):
        flat = " ".join(said.split())
        assert f"The {learners} learners are not all equal over 8 datasets in score, but no pair differs" in flat
        assert why in flat
        assert "`by friedman, nemenyi` can find differences" in flat
        assert ("`control NAME` (chosen before you see the scores)" in flat) is control
        assert "iman-davenport, p" in flat
    (tmp_path / "n.eval").write_text(f"{head} by friedman, nemenyi\n")
    assert any(v.pair and v.settled for v in ev.run(tmp_path / "n.eval", ledger=False).run.verdicts)
    if control:
        (tmp_path / "c.eval").write_text(f"{head} control m0\n")
        assert any(v.pair and v.settled for v in ev.run(tmp_path / "c.eval", ledger=False).run.verdicts)


def call_test(folder: Path, *arguments: str) -> dict[str, float]:
    done = forked("test", *arguments, "--no-ledger", "--format", "json", cwd=folder)
    assert done.code == 0, done.err
    found: dict[str, float] = json.loads(done.out)
    return found


def test_outcomes_give_one_answer(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    truth = rng.choice(["x", "y"], 150)
    other = np.where(truth == "x", "y", "x")
    predicted = {m: np.where(rng.random(150) < share, truth, other) for m, share in (("a", 0.8), ("b", 0.7))}
    said = pd.DataFrame({"truth": truth, **predicted})
    said.to_csv(tmp_path / "p.csv", index=False)
    right = pd.DataFrame({m: (said[m] == said["truth"]).astype(int) for m in "ab"})
    right.to_csv(tmp_path / "r.csv", index=False)
    found = []
    for name in ("p.csv", "r.csv"):
        ((_, script),) = read_files((str(tmp_path / name),), ReadingOptions(), tmp_path).readings
        (tmp_path / f"{name}.eval").write_text(script)
        (verdict,) = ev.run(tmp_path / f"{name}.eval", ledger=False).run.verdicts
        assert verdict.test is not None
        found.append((verdict.test.test, verdict.test.pvalue, verdict.decision))
    assert found[0] == found[1]
    by_test = call_test(tmp_path, found[0][0], "p.csv", "a", "b", "--truth", "truth")
    assert by_test["pvalue"] == pytest.approx(found[0][1])
