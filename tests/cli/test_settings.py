"""Strict on the command line, and what `[tool.evalang]` in pyproject.toml sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..support.calling import Call

TABLE = "dataset,a,b\n" + "".join(f"d{n},0.{n + 10},0.{n + 20}\n" for n in range(9))
SCRIPT = "compare decision-tree vs naive-bayes on iris using 5x2cv, seed 1\n"


@pytest.mark.parametrize(("command", "old"), [("lint", "--warnings-as-errors"), ("run", "--learner-warnings fail")])
def test_the_old_spelling_prints_a_note(command: str, old: str, call: Call, folder: Path) -> None:
    (folder / "x.eval").write_text("compare on\n")
    assert old in call(command, "--strict", "x.eval").err
    assert old not in call(command, "x.eval").err


def project(folder: Path, settings: str, script: str = SCRIPT) -> Path:
    (folder / "pyproject.toml").write_text(f"[tool.evalang]\n{settings}\n")
    (folder / "studies").mkdir()
    path = folder / "studies" / "x.eval"
    path.write_text(script)
    return path


def test_strict_of_the_project(call: Call, folder: Path) -> None:
    path = project(folder, "strict = true")
    assert "warning[EV111]" in call("lint", str(path)).out
    assert "warnings" in call("plan", str(path)).err
    (folder / "pyproject.toml").unlink()
    assert "warning[" not in call("lint", str(path)).out


def test_select_and_ignore_are_for_lint_and_the_command_line_goes_before_them(call: Call, folder: Path) -> None:
    path = project(folder, 'ignore = ["EV1"]')
    assert call("lint", "--notes", str(path)).out.count("note[") == 1  # EV604
    assert call("lint", "--notes", "--ignore", "EV604", str(path)).out.count("note[") == 3
    (folder / "pyproject.toml").write_text('[tool.evalang]\nselect = ["one-dataset"]\n')
    assert call("lint", "--notes", str(path)).out.count("note[") == 1


def test_data_root_lies_below_the_project(call: Call, folder: Path) -> None:
    script = 'dataset d from csv "d.csv", target "y", because "ours"\ncompare knn vs svm on d using 5x2cv, seed 1\n'
    path = project(folder, "jobs = 1", script)
    (folder / "data").mkdir()
    (folder / "data" / "d.csv").write_text("x,y\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(60)))
    assert call("lint", "--data", str(path)).code == 2
    (folder / "pyproject.toml").write_text('[tool.evalang]\ndata-root = "data"\n')
    assert call("lint", "--data", str(path)).code == 0
    (folder / "pyproject.toml").write_text('[tool.evalang]\ndata-root = "/"\n')
    found = call("lint", "--data", str(path))
    assert found.code == 2
    assert "is a folder outside that of the file" in found.err


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ('trust = ["mine"]', "sets trust, which only the command line can"),
        ("strickt = true", "did you mean strict?"),
        ("jobs = 0", "write jobs = 2"),
        ("jobs = true", "write jobs = 2"),
        ('ignore = "EV1"', 'write ignore = ["EV102"]'),
        ('ignore = ["EV999"]', "there is no rule EV999"),
        ("strict = maybe", "cannot be read"),
    ],
)
def test_settings_that_cannot_be(settings: str, words: str, call: Call, folder: Path) -> None:
    path = project(folder, settings)
    found = call("lint", str(path))
    assert found.code == 2
    assert words in found.err


def test_compare_begins_no_ledger_unless_asked(call: Call, folder: Path) -> None:
    (folder / "r.csv").write_text(TABLE)
    assert call("compare", "r.csv").code == 0
    assert not (folder / "evalang.ledger").exists()
    assert call("compare", "--ledger", "r.csv").code == 0
    lines = (folder / "evalang.ledger").read_text().count("\n")
    assert call("compare", "r.csv").code == 0  # counted from now on
    assert (folder / "evalang.ledger").read_text().count("\n") > lines


@pytest.mark.parametrize("command", ["run x.eval", "compare --ledger r.csv", "test sign r.csv a b"])
def test_the_ledger_is_off_everywhere(command: str, call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALANG_LEDGER", "off")
    (folder / "x.eval").write_text(SCRIPT)
    (folder / "r.csv").write_text(TABLE)
    assert call(*command.split()).code == 0
    assert not (folder / "evalang.ledger").exists()


def test_render_is_counted_like_a_run(call: Call, folder: Path) -> None:
    (folder / "p.md").write_text(f"```eval\n{SCRIPT}```\n")
    assert call("render", "--no-ledger", "p.md").code == 0
    assert not (folder / "evalang.ledger").exists()
    assert call("render", "p.md").code == 0
    assert '"looked"' in (folder / "evalang.ledger").read_text()


def test_render_refuses_what_run_refuses(call: Call, folder: Path) -> None:
    """A second scheme on the same rows is an error in strict, for a check too; a check writes nothing."""
    (folder / "x.eval").write_text(SCRIPT)
    assert call("run", "x.eval").code == 0
    second = SCRIPT.replace("5x2cv", "10x2cv")
    (folder / "y.eval").write_text(second)
    (folder / "p.md").write_text(f"```eval\n{second}```\n")
    kept = (folder / "evalang.ledger").read_bytes()
    for command in (("run", "y.eval"), ("render", "p.md"), ("render", "--check", "p.md")):
        found = call(*command, "--strict")
        assert (found.code, "error[EV80" in found.err, "out of date" in found.out) == (1, True, False)
    assert (folder / "evalang.ledger").read_bytes() == kept
    (folder / "p.md").write_text(f'```eval\n{SCRIPT}report to "../out.html"\n```\n')
    assert "leads out of the folder" in call("render", "p.md").err


def test_a_check_agrees_with_what_was_rendered(call: Call, folder: Path) -> None:
    """Also where an earlier test of the same rows is part of the text."""
    (folder / "x.eval").write_text(SCRIPT)
    assert call("run", "x.eval").code == 0
    (folder / "p.md").write_text(f"```eval\n{SCRIPT.replace('5x2cv', '10x2cv')}```\n")
    rendered = call("render", "p.md")
    assert (rendered.code, "warning[EV80" in rendered.err) == (0, True)
    assert call("render", "--check", "p.md").code == 0
