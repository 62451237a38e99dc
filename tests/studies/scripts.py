"""Where the study scripts lie, and how a test runs one."""

from __future__ import annotations

from pathlib import Path

from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.results.records import Verdict
from evalang.results.run_result import RunResult

STUDIES = Path(__file__).parents[2] / "docs" / "studies"
FRAGMENTS = {"bradford-brodley/learners.eval"}  # included by others, no script of their own
NEED_DATA = {
    "bradford-brodley/full.eval",
    "caruana/full.eval",
    "published-tables/demsar.eval",
    "published-tables/garcia-herrera.eval",
    "published-tables/weka.eval",
}


def scripts() -> list[str]:
    """Every script, as STUDY/NAME.eval."""
    found = sorted(p.relative_to(STUDIES).as_posix() for p in STUDIES.glob("*/*.eval"))
    return [name for name in found if name not in FRAGMENTS]


def source(name: str) -> SourceText:
    return SourceText(str(STUDIES / name), (STUDIES / name).read_text(encoding="utf-8"))


def run(name: str) -> RunResult:
    """The script carried out, in a folder that is gone afterwards."""
    return run_script(source(name), Request())


def verdict(judgement: RunResult, comparison: str, dataset: str | None = None) -> Verdict:
    """The only verdict of a comparison in one place."""
    found = [v for v in judgement.verdicts if v.comparison == comparison and v.dataset == dataset and v.pair]
    assert len(found) == 1
    return found[0]
