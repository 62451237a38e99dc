"""A folder as a suite and a dataset of three files, from the script to the verdict."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalang.errors import DataError
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.plans.build import build
from evalang.reports.methods import methods
from evalang.results.run_result import RunResult
from evalang.trials.options import RunOptions

SUITE = """set seed 3
suite archive from folder "sets/", target "class" because "the archive of the clinic"
compare decision-tree vs naive-bayes on archive using 5x2cv, bonferroni over datasets
"""


def _csv(seed: int, rows: int = 60, separator: str = ",") -> str:
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, rows)
    values = rng.normal(size=(2, rows))
    lines = [separator.join(("a", "b", "class"))]
    lines += [separator.join((f"{v + c:.4f}", f"{w:.4f}", "xy"[c])) for c, v, w in zip(label, *values, strict=True)]
    return "\n".join(lines) + "\n"


def _run(folder: Path, text: str, notes: list[str] | None = None) -> RunResult:
    options = RunOptions(folder=folder / "out", jobs=1)
    heard = (lambda note: None) if notes is None else notes.append
    return run_script(SourceText(str(folder / "s.eval"), text), Request(options=options, on_note=heard))


def test_every_table_of_the_folder_is_a_dataset(tmp_path: Path) -> None:
    sets = tmp_path / "sets"
    sets.mkdir()
    for number, name in enumerate(("c.csv", "a.tsv", "b.csv")):
        (sets / name).write_text(_csv(number, separator="\t" if name.endswith("tsv") else ","))
    (sets / "README.md").write_text("no table")
    (sets / ".hidden.csv").write_text("x")
    notes: list[str] = []
    result = _run(tmp_path, SUITE, notes)
    plan = result.plan
    assert plan.comparisons[0].datasets == plan.suites[0].members == ("a", "b", "c")
    assert plan.comparisons[0].question == 9
    assert [f.size for f in plan.families if f.scope == "dataset"] == [3]
    assert {v.dataset for v in result.verdicts if v.dataset} == {"a", "b", "c"}
    assert any("README.md" in note for note in notes)
    assert plan.fits == 3 * 2 * 10


@pytest.mark.parametrize(
    ("files", "says"),
    [((), "holds no table"), (("a.csv", "a.tsv"), "second dataset named 'a'"), (None, "there is no file")],
)
def test_a_folder_that_is_no_suite(tmp_path: Path, files: tuple[str, ...] | None, says: str) -> None:
    if files is not None:
        (tmp_path / "sets").mkdir()
        for name in files:
            (tmp_path / "sets" / name).write_text(_csv(1))
    with pytest.raises(DataError, match=says) as caught:
        _run(tmp_path, SUITE)
    assert caught.value.position is not None


TUNED = """set seed 3
dataset d from csv "train.csv", tuned on csv "valid.csv", tested on csv "test.csv", target "class" because "as given"
learner tree is decision-tree, tune max_depth in {1, 6}
compare tree vs naive-bayes on d using given test WITHOUT
"""


@pytest.mark.parametrize("retrained", [True, False])
def test_a_tuning_file_chooses_and_the_test_file_is_not_seen(tmp_path: Path, retrained: bool) -> None:
    """The winner by the tuning file, found by scikit-learn alone; then trained on both files, or left as it was."""
    from sklearn.tree import DecisionTreeClassifier

    for number, name in enumerate(("train", "valid", "test")):
        (tmp_path / f"{name}.csv").write_text(_csv(number, 90))
    result = _run(tmp_path, TUNED.replace("WITHOUT", "" if retrained else ", without retraining"))

    def read(name: str) -> tuple[np.ndarray, np.ndarray]:
        rows = [line.split(",") for line in (tmp_path / f"{name}.csv").read_text().splitlines()[1:]]
        return np.array([[float(v) for v in r[:2]] for r in rows]), np.array([r[2] for r in rows])

    train, valid, test = read("train"), read("valid"), read("test")
    judged = {d: DecisionTreeClassifier(max_depth=d).fit(*train).score(*valid) for d in (1, 6)}
    assert judged[1] != judged[6]
    best = max(judged, key=lambda depth: judged[depth])
    assert {dict(c.setting)["max_depth"]: c.score for c in result.candidates} == pytest.approx(judged)
    if best == 1:  # a stump is the same whatever its seed
        both = (np.concatenate([train[0], valid[0]]), np.concatenate([train[1], valid[1]]))
        expected = DecisionTreeClassifier(max_depth=1).fit(*(both if retrained else train)).score(*test)
        assert [s.score for s in result.scores.rows() if s.learner == "tree"] == pytest.approx([expected])
    assert any("on the rows of the tuning file" in paragraph for paragraph in methods(result))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (', tested on csv "test.csv"', "", "a tuning file but no test file"),
        ("using given test", "using 10cv", "write `using given test`"),
        ("given test", "given test, tune on 20%", "so it cannot be tuned on other rows"),
    ],
)
def test_what_does_not_go_with_a_tuning_file(old: str, new: str, says: str) -> None:
    found = build(SourceText("s.eval", TUNED.replace("WITHOUT", "").replace(old, new))).findings
    assert any(says in f"{f.message} {f.help}" for f in found), found
