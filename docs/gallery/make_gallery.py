"""The gallery: every kind of picture and table, made by running the scripts beside this file.

    python docs/gallery/make_gallery.py              index.md, its pictures, that of README, a report
    python docs/gallery/make_gallery.py --to FOLDER  the pictures as PNG and PDF, the reports as HTML and PDF

A PDF of a report is printed by a browser, where there is one.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from evalang.api import load_result  # noqa: E402
from evalang.cli.main import run  # noqa: E402
from evalang.reports import html, markdown  # noqa: E402
from evalang.reports.assemble import document  # noqa: E402
from evalang.reports.document import Figure, ReportTable, tables  # noqa: E402
from evalang.reports.figures import picture  # noqa: E402
from evalang.reports.figures.choose import figure  # noqa: E402
from evalang.results.run_result import RunResult  # noqa: E402

QUICKSTART = HERE.parent / "quickstart.eval"
REPORT = "league"  # the script whose whole report is shown
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Script:
    """A script with what is shown of it: pictures as (kind, comparison), tables by the beginning of their title."""

    name: str
    title: str
    pictures: tuple[tuple[str, str | None], ...]
    tables: tuple[str, ...] = ()


GALLERY = (
    Script(
        "league",
        "Many learners over datasets, and two of them",
        (
            ("critical-difference", "league"),
            ("wins", "league"),
            ("forest", "duel"),
            ("scatter", "duel"),
        ),
        ("Mean accuracy", "Pairs", "Mean ranks"),
    ),
    Script("seeds", "Runs of two learners on several tasks", (("performance-profile", None),)),
    Script("bayes", "A Bayesian test over datasets", (("posterior-simplex", None),)),
    Script(
        "folds",
        "Two learners on folds, and one learner alone",
        (
            ("posterior-density", "one-posterior"),
            ("posterior", "posteriors"),
            ("forest", "partitions"),
            ("partition-values", "partitions"),
            ("forest", "alone"),
        ),
        ("linear and bayes", "Estimates"),
    ),
    Script(
        "curves",
        "Three learners compared with a control, in several metrics",
        (
            ("forest", None),
            ("normalised", None),
            ("reliability", None),
            ("roc", None),
            ("precision-recall", None),
            ("tuning-profile", None),
        ),
        ("Against",),
    ),
    Script("sizes", "Learning curves", (("learning-curve", None),)),
    Script("simulate", "Type I errors of tests", (("simulation", None),), ("Rates",)),
)


def results() -> dict[str, RunResult]:
    """Every script run in a folder of its own, with nothing kept."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for script in GALLERY:
            found[script.name] = ran(HERE / f"{script.name}.eval", Path(folder) / script.name)
    return found


def ran(script: Path, place: Path) -> RunResult:
    """The result of one script, run in a new folder."""
    place.mkdir()
    for path in (script, *HERE.glob("*.csv")):
        shutil.copy(path, place)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        run(["run", "--no-ledger", str(place / script.name)])
    return load_result(place / "runs" / script.stem)


def pictures(script: Script, result: RunResult) -> dict[str, Figure]:
    """By the name of the file."""
    return {
        f"{script.name}-{kind}{'-' + where if where else ''}": figure(result, kind, comparison=where)
        for kind, where in script.pictures
    }


def chosen(script: Script, result: RunResult) -> list[ReportTable]:
    """The first table of each kind that is asked for."""
    every = tables(document(result, pictures=False))
    found = [next((t for t in every if t.title.startswith(start)), None) for start in script.tables]
    return [t for t in found if t is not None]


def page(found: dict[str, RunResult]) -> str:
    """The whole gallery as Markdown."""
    lines = [
        "# Gallery",
        "",
        "**Summary.** This page shows every kind of figure and table with its script. The text below a figure is its",
        "caption in a report. `python docs/gallery/make_gallery.py` makes this page.",
        "",
        ":::{only} html",
        f'A complete report: <a href="../report.html">the report of {REPORT}.eval</a>, one self-contained file.',
        ":::",
        "",
    ]
    for script in GALLERY:
        text = (HERE / f"{script.name}.eval").read_text().rstrip("\n")
        lines += [f"## {script.title}", "", f"<!-- file: {script.name}.eval -->", "```eval", text, "```", ""]
        for name, made in pictures(script, found[script.name]).items():
            lines += [f"### {made.kind}: {made.title}", "", f"![{alt(made)}]({name}.svg)", "", made.description, ""]
        for table in chosen(script, found[script.name]):
            lines += [markdown.fragment((table,)).rstrip("\n"), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def alt(made: Figure) -> str:
    """Return the alternative text of a picture."""
    return made.title.replace("[", "(").replace("]", ")")


def write_page(found: dict[str, RunResult]) -> None:
    """index.md, a picture for each kind, and the example report."""
    for script in GALLERY:
        for name, made in pictures(script, found[script.name]).items():
            (HERE / f"{name}.svg").write_text(picture.svg_file(made))
    (HERE / "report.html").write_text(html.render(document(found[REPORT])))
    (HERE / "index.md").write_text(page(found))
    with tempfile.TemporaryDirectory() as folder:
        shown = figure(ran(QUICKSTART, Path(folder) / QUICKSTART.stem), "forest")
        QUICKSTART.with_suffix(".svg").write_text(picture.svg_file(shown))


def write_files(found: dict[str, RunResult], folder: Path) -> None:
    """PNG and PDF of every picture, HTML and (with a browser) PDF of every report."""
    folder.mkdir(parents=True, exist_ok=True)
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    for script in GALLERY:
        for name, made in pictures(script, found[script.name]).items():
            (folder / f"{name}.png").write_bytes(picture.png(made))
            (folder / f"{name}.pdf").write_bytes(picture.pdf(made))
        report = folder / f"{script.name}.html"
        report.write_text(html.render(document(found[script.name])))
        if browser is not None:
            flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
            command = [browser, *flags, f"--print-to-pdf={report.with_suffix('.pdf')}", report.as_uri()]
            subprocess.run(command, check=True, capture_output=True, timeout=120)


def main(arguments: list[str]) -> int:
    """See the top of the file."""
    found = results()
    if arguments[:1] == ["--to"] and len(arguments) == 2:
        write_files(found, Path(arguments[1]).resolve())
        return 0
    if arguments:
        print(__doc__)
        return 2
    write_page(found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
