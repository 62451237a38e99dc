"""Scripts to findings, for the tests of the rules."""

from __future__ import annotations

from collections.abc import Mapping

from evalang.data.facts import Profile
from evalang.findings.engine import lint
from evalang.findings.report import LintReport
from evalang.findings.run_facts import RunFacts
from evalang.plans.build import build
from evalang.source.text import Source

PATH = "script.eval"


def linted(text: str, *, profiles: Mapping[str, Profile] | None = None, run: RunFacts | None = None) -> LintReport:
    """The report on a script."""
    return lint(build(Source(PATH, text)), profiles=profiles, run=run)


def codes(report: LintReport, *, notes: bool = False) -> list[str]:
    """The codes found at warning or above (or at all), in order."""
    return [f.code for f in report.findings if notes or f.level != "note"]
