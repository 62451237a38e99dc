"""A script ends in .eval or .evalang; two that differ only there are refused, since they would share a run folder."""

from __future__ import annotations

from pathlib import Path

import pytest

import evalang
from evalang.cli.inputs import expand
from evalang.errors import ScriptError
from evalang.source.decode import read_script

TEXT = "compare decision-tree vs naive-bayes on iris using 10cv, seed 1\n"


@pytest.mark.parametrize("ending", [".eval", ".evalang"])
def test_both_endings(tmp_path: Path, ending: str) -> None:
    script = tmp_path / f"study{ending}"
    script.write_text(TEXT)
    assert list(expand([str(tmp_path)])) == [str(script)]
    assert read_script(script).text == TEXT
    assert [c.learners for c in evalang.plan(str(script)).plan.comparisons] == [("decision-tree", "naive-bayes")]


@pytest.mark.parametrize("ending", [".eval", ".evalang"])
def test_two_that_differ_only_there(tmp_path: Path, ending: str) -> None:
    for one in (".eval", ".evalang"):
        (tmp_path / f"study{one}").write_text(TEXT)
    with pytest.raises(ScriptError, match="differ in their ending alone and would share a run folder"):
        read_script(tmp_path / f"study{ending}")


def test_others_may_stand_beside(tmp_path: Path) -> None:
    for one in ("study.eval", "study.evalang.bak", "other.evalang"):
        (tmp_path / one).write_text(TEXT)
    assert read_script(tmp_path / "study.eval").text == TEXT
