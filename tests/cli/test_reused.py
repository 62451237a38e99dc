"""A run again: what it says of fits that it reuses or repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..support.calling import caller

STUDY = 'dataset iris from builtin "iris" because "small"\ncompare {} vs naive-bayes on iris using 2x2cv, seed 1\n'


def run(capfd: pytest.CaptureFixture[str], script: Path, *options: str) -> tuple[int, str]:
    done = caller(capfd)("run", "--jobs", "1", *options, str(script))
    return done.code, done.err


def test_reused_and_repeated_fits_are_counted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "s.eval"
    script.write_text(STUDY.format("majority"))
    assert "evalang: 8 fits done\n" in run(capfd, script)[1]
    script.write_text(STUDY.format("decision-tree"))
    code, said = run(capfd, script)
    assert "evalang: 4 fits done, 4 reused\n" in said
    verified, said = run(capfd, script, "--verify", "3")
    assert "evalang: 3 fits repeated, all the same\n" in said
    assert verified == code != 1


def test_a_repeated_fit_that_differs_is_an_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\n"
        "class Mine(DecisionTreeClassifier):\n"
        "    def predict(self, X):\n"
        "        import numpy as np\n"
        "        return np.random.default_rng().permutation(super().predict(X))\n"
    )
    script = tmp_path / "s.eval"
    script.write_text("learner shuffler is mine.Mine\n" + STUDY.format("shuffler"))
    assert run(capfd, script)[0] != 1
    code, said = run(capfd, script, "--verify", "100")
    assert "gave different predictions on iris when it was run a second time" in said
    assert code == 1


def test_a_finding_of_two_stages_is_printed_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "s.eval"
    script.write_text(
        'dataset tumours from builtin "breast-cancer" because "the task it is built for"\n'
        "compare majority vs naive-bayes on tumours using 5x2cv, margin 3 points, seed 1\n"
        "claim majority equivalent to naive-bayes within 3 points on tumours\n"
    )
    said = run(capfd, script, "--no-ledger")[1]
    assert said.count("warning[EV413]") == 1
