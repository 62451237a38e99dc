"""Reports as files: a file is replaced as a whole, and LaTeX compiles."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from evalang.cli.main import run
from evalang.errors import ScriptError
from evalang.reports import latex
from evalang.reports.assemble import document
from evalang.reports.write import contents, format_of, write
from evalang.results.run_result import RunResult, dumps

from ..support import hostile
from ..support.results import MANY, many, pair, rich
from ..support.tex import compiled, overfull
from .test_simulated import simulated


def test_an_existing_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    target.write_text("old")
    (done,) = write(pair(), str(target))
    assert done == target
    assert target.read_text().startswith("# trees-or-bayes: tree vs naive-bayes on 3 datasets")
    assert os.listdir(tmp_path) == ["report.md"]


def test_the_ending_tells_the_format() -> None:
    assert format_of("a/b.HTML").name == "html"
    assert format_of("b.tex").name == "latex"
    assert format_of("tables/").name == "html"
    assert format_of("b.txt", "json").name == "json"
    with pytest.raises(ScriptError, match="names no report format"):
        format_of("b.docx")
    with pytest.raises(ScriptError, match="no report format docx"):
        format_of("b.docx", "docx")


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    """With two pictures; those of every kind are in test_figures."""
    for kind in ("html", "markdown", "latex", "json", "csv", "text"):
        first, second = ({p.name: p.read_bytes() for p in write(pair(), f"{tmp_path}/{n}/", kind)} for n in "ab")
        assert first == second != {}


def test_csv_holds_what_there_is() -> None:
    """Scores of trials where there are trials, rates where something was simulated, and no empty tables."""
    assert set(contents(pair(), format_of("x.csv"))) == {"verdicts.csv", "scores.csv"}
    rates = simulated("simulate type-I of mcnemar with n 100, error 10%, 20%, trials 50, seed 1\n")
    files = contents(rates, format_of("x.csv"), whole=True)
    assert set(files) == {"verdicts.csv", "simulations.csv", "about.json"}
    lines = files["simulations.csv"].decode().splitlines()
    assert len(lines) == 3
    assert lines[1].startswith('simulate-1,type-I,mcnemar,"n 100, error 0.1",')


needs_tex = pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="no TeX here: install texlive-latex-recommended"
)


NAMES = {"forest": "λόγος", "svm": "лес", "tree": "决策树", "majority": "naïve-東京"}


@pytest.mark.slow  # XeTeX and its fonts are 188 MB, more than all the rest that the checks install
@pytest.mark.skipif(shutil.which("xelatex") is None, reason="no XeTeX here: install texlive-xetex, fonts-wqy-microhei")
def test_xelatex_prints_names_beyond_latin(tmp_path: Path) -> None:
    """Greek and Cyrillic by DejaVu, Chinese by a font of the far east; where there is none, by their numbers."""
    write(hostile.renamed(many(), NAMES), f"{tmp_path}/", "latex")
    log = compiled(tmp_path, by="xelatex")
    assert "Missing character" not in log
    assert max(overfull(log), default=0.0) <= 2.0
    east = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, text=True).stdout.strip()
    shown = subprocess.run(["pdftotext", "report.pdf", "-"], cwd=tmp_path, capture_output=True, text=True).stdout
    for name in NAMES.values():
        assert name in shown or (not east and name not in ("λόγος", "лес")), name
    assert ("U+" in shown) == (not east)


@needs_tex
@pytest.mark.parametrize(
    ("made", "widest"),
    [(rich(), 2.0), (hostile.renamed(many(), NAMES), float("inf"))],  # numbers of letters without a font are long
    ids=["rich", "letters"],
)
def test_a_report_compiles_and_so_do_its_tables_and_methods_in_a_paper(
    tmp_path: Path, made: RunResult, widest: float
) -> None:
    files = write(made, f"{tmp_path}/", "latex")
    assert max(overfull(compiled(tmp_path)), default=0.0) <= widest
    inputs = "\n".join(rf"\input{{tables/{p.name}}}" for p in files if p.parent.name == "tables")
    paper = (
        r"\documentclass{article}\usepackage{booktabs,longtable,array,graphicx}\usepackage[T1]{fontenc}"
        rf"\begin{{document}}\input{{methods.tex}}{inputs}\cite{{dietterich1998}}"
        r"\bibliographystyle{plain}\bibliography{references}\end{document}"
    )
    (tmp_path / "paper.tex").write_text(paper)
    compiled(tmp_path, "paper.tex")
    done = subprocess.run(["bibtex", "paper"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@needs_tex
def test_latex_of_every_hostile_name_compiles_and_runs_nothing(tmp_path: Path) -> None:
    bodies = [latex.render(document(hostile.result(name))) for name in hostile.HOSTILE]
    inner = [b.split(r"\maketitle")[1].rsplit(r"\end{document}", 1)[0] for b in bodies]
    (tmp_path / "all.tex").write_text(
        latex.PREAMBLE + r"\begin{document}" + "\n\\clearpage\n".join(inner) + "\n\\end{document}\n"
    )
    compiled(tmp_path, "all.tex")
    assert "root:" not in (tmp_path / "all.log").read_text(errors="replace")


def test_a_folder_of_csv_has_the_table_a_paper_prints(tmp_path: Path) -> None:
    write(many(), f"{tmp_path}/kept/", "csv")
    with (tmp_path / "kept" / "tables" / "scores-league-accuracy.csv").open(newline="") as file:
        read = list(csv.reader(file))
    assert read[0] == ["dataset", *MANY]
    assert [float(x) for x in read[1][1:]] == [scores[0] for scores in MANY.values()]
    assert read[-1][0] == "mean rank"


def test_the_methods_cite_what_the_bibliography_holds(tmp_path: Path) -> None:
    write(pair(), f"{tmp_path}/", "latex")
    entries = re.findall(r"^@\w+\{([^,]+),", (tmp_path / "references.bib").read_text(), re.MULTILINE)
    cited = re.search(r"\\cite\{([^}]+)\}", (tmp_path / "methods.tex").read_text())
    assert cited is not None
    assert cited[1].split(",") == entries
    assert {p.name for p in (tmp_path / "tables").iterdir()} >= {"checklist.tex", "environment.tex"}


def test_report_open_writes_the_page_and_hands_it_to_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "result.json").write_text(dumps(pair()))
    launched: list[str] = []
    monkeypatch.setattr("click.launch", lambda url: launched.append(url) or 0)
    assert run(["report", str(tmp_path), "--open"]) == 0
    (page,) = launched
    assert Path(page).is_relative_to(tmp_path)
    assert "<code>naive-bayes</code> is better than <code>tree</code>" in Path(page).read_text()
