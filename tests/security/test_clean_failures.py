"""What used to end as an internal error: one sentence each, with the right exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.cli.main import run

STUDY = "compare decision-tree vs naive-bayes on iris using 5x2cv, seed 20\nestimate knn on iris using 10cv, seed 1\n"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder to be spoilt."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "study.eval").write_text(STUDY)
    assert run(["run", str(folder / "study.eval")]) in (0, 1, 4)
    return folder / "runs" / "study"


def _said(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    capfd.readouterr()
    code = run(list(arguments))
    found = capfd.readouterr()
    words = found.out + found.err
    assert "internal error" not in words
    assert "Traceback" not in words
    return code, words


@pytest.mark.parametrize("command", ["lint", "plan", "fmt", "run"])
def test_a_number_over_the_limit_beside_a_mistake(
    command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.eval").write_text(f"compare a vs b on c using {'9' * 101}cv, , tune\n")
    code, words = _said(capfd, command, str(tmp_path / "a.eval"))
    assert code == 2
    assert "this number has 101 characters" in words


@pytest.mark.parametrize("length", [300, 5000])
def test_a_report_with_a_long_name(length: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.eval").write_text(f'{STUDY}report to "{"x" * length}.html"\n')
    code, words = _said(capfd, "run", str(tmp_path / "a.eval"))
    assert code == 1
    assert "no file system takes a name of this length" in words


def test_a_report_is_asked_for_under_a_long_name(finished: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, words = _said(capfd, "report", str(finished), "--to", "html", "--out", "x" * 300 + ".html")
    assert code in (1, 2)
    assert "cannot be written" in words


def test_a_class_with_a_long_name(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.eval").write_text(f'learner x is "a:{"B" * 500_000}"\ncompare x vs knn on iris using 10cv, seed 1\n')
    code, words = _said(capfd, "run", "--trust", "a", str(tmp_path / "a.eval"))
    assert code == 1
    assert "the name of this class has 500,002 characters" in words
    (tmp_path / "a.eval").write_text(f'learner x is "a:{"B" * 3_000_000}"\n')
    assert _said(capfd, "lint", str(tmp_path / "a.eval"))[0] == 2


def test_a_quote_that_is_not_closed_after_the_magic() -> None:
    shell = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    from IPython.core.error import UsageError

    from evalang.notebook import register

    one = shell.InteractiveShell()
    register(one)
    with pytest.raises(UsageError, match="quote that is not closed"):
        one.run_cell_magic("evalang", '"', STUDY)
