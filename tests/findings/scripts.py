"""Scripts to findings, for the tests of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evalang.data.profile_facts import Profile, TableFacts
from evalang.findings.engine import lint
from evalang.findings.lint_report import LintReport
from evalang.language.text import SourceText
from evalang.ledger import LedgerHistory
from evalang.plans.build import build

from .made_run import Fact, made_run

PATH = "script.eval"


def linted(
    text: str,
    *,
    profiles: Mapping[str, Profile] | None = None,
    past: LedgerHistory | None = None,
    run: Sequence[Fact] | None = None,
    tables: Sequence[TableFacts] = (),
) -> LintReport:
    """The report on a script, after a run of which these facts are known."""
    built = build(SourceText(PATH, text))
    read = {t.name: t for t in tables}
    by_name = {c.name: read[c.datasets[0]] for c in built.plan.comparisons if c.datasets[0] in read}
    done = made_run(built.plan, run) if run is not None else None
    return lint(built, profiles=profiles, past=past, run=done, tables=by_name)


def codes(report: LintReport, *, notes: bool = False) -> list[str]:
    """The codes found at warning or above (or at all), in order."""
    return [f.code for f in report.findings if notes or f.level != "note"]
