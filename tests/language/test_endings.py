"""A script ends in .eval or .evalang; two that differ only there are refused, since they would share a run folder."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import evalang
from evalang.cli.screen import expand
from evalang.errors import ScriptError
from evalang.language.decode import read_script

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


def zipped(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{}")
    return path


@pytest.mark.parametrize("size", [1, 3 << 20])
def test_a_log_of_inspect_is_named_with_how_to_read_it(tmp_path: Path, size: int) -> None:
    log = '{\n  "version": 2,\n  "status": "success",\n  "eval": {"x": "' + "y" * size + '"}}'
    (tmp_path / "json.eval").write_text(log)
    zipped(tmp_path / "zip.eval")
    for name in ("json.eval", "zip.eval"):
        with pytest.raises(ScriptError, match=f"{name} is a log of Inspect") as caught:
            read_script(tmp_path / name)
        assert f'results logs from inspect "{name}"' in caught.value.hint
        assert f"evalang compare {name}" in caught.value.hint


def test_a_log_and_a_script_share_no_run_folder(tmp_path: Path) -> None:
    zipped(tmp_path / "study.eval")
    (tmp_path / "study.evalang").write_text("set seed 1\n")
    assert read_script(tmp_path / "study.evalang").text == "set seed 1\n"
    (tmp_path / "study.eval").write_text("set seed 2\n")
    with pytest.raises(ScriptError, match="differ in their ending alone"):
        read_script(tmp_path / "study.evalang")


def test_a_folder_passes_over_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zipped(tmp_path / "log.eval")
    (tmp_path / "study.eval").write_text("set seed 1\n")
    assert [Path(name).name for name in expand([str(tmp_path)])] == ["study.eval"]
    assert "log.eval is a log of Inspect, not a script: passed over" in capsys.readouterr().err
    assert list(expand([str(tmp_path / "log.eval")])) == [str(tmp_path / "log.eval")]
    assert list(expand([str(tmp_path / "log.eval")], skip_logs=True)) == []
