"""Reads tests/scripts/<family>/<rule-name>.eval: several small scripts in one file, with what each must give.

What stands before the first `# --- good: …` or `# --- bad: …` line belongs to all of them. `# expect: EV501` marks the
line a finding stands on; a line without a mark has no finding at warning or above. Facts of the data and of a run are
given as JSON, what the ledger knows by `# look {…}`, `# frozen {…}`, `# dropped {…}`: `# profile {…}`,
`# table {…}`, `# pair {…}`, `# judgement {…}`, `# over {…}`, `# chosen {…}`,
`# claimed {…}`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalang.data.profile_facts import AnswerColumn, NumbersAsText, Profile, Sentinel, TableFacts
from evalang.findings.lint_report import LintReport
from evalang.ledger import LedgerHistory, Look

from .made_run import Fact
from .pasts import design
from .scripts import linted

SCRIPTS = Path(__file__).parent.parent / "scripts"
FAMILIES = ("script", "datasets", "tuning", "partitions", "tests", "families", "metrics", "claims", "results", "ledger")
_HEAD = re.compile(r"^# --- (good|bad): (.*)$")
_EXPECT = re.compile(r"# expect: ([\w, ]+)$")
_NOT_RUN = ("profile", "table", "look", "frozen", "dropped")
_FACT = re.compile(r"^# (profile|table|look|frozen|dropped|pair|judgement|over|chosen|claimed) (\{.*\})$")


@dataclass(frozen=True)
class Case:
    """One small script and what it must give."""

    rule: str
    title: str
    bad: bool
    text: str
    expected: frozenset[tuple[int, str]]
    profiles: dict[str, Profile] | None
    run: tuple[Fact, ...] | None
    tables: tuple[TableFacts, ...] = ()
    past: LedgerHistory | None = None

    def __str__(self) -> str:
        return f"{self.rule}: {self.title}"


def cases(path: Path) -> list[Case]:
    """The cases of a file."""
    prelude: list[str] = []
    found: list[tuple[bool, str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        head = _HEAD.match(line)
        if head:
            found.append((head[1] == "bad", head[2], []))
        else:
            (found[-1][2] if found else prelude).append(line)
    return [case_of(path.stem, title, bad, prelude + lines) for bad, title, lines in found]


def case_of(rule: str, title: str, bad: bool, lines: list[str]) -> Case:
    """A case from its lines, facts and marks among them."""
    expected = frozenset(
        (number, code)
        for number, line in enumerate(lines, start=1)
        if (mark := _EXPECT.search(line))
        for code in mark[1].replace(",", " ").split()
    )
    facts = [(m[1], json.loads(m[2])) for line in lines if (m := _FACT.match(line))]
    profiles = {f["name"]: _profile(f) for kind, f in facts if kind == "profile"}
    run = tuple((kind, {k: _frozen(v) for k, v in f.items()}) for kind, f in facts if kind not in _NOT_RUN)
    tables = tuple(_table(f) for kind, f in facts if kind == "table")
    past = _past([(kind, f) for kind, f in facts if kind in ("look", "frozen", "dropped")])
    if (tables or past) and not profiles:
        return Case(rule, title, bad, "\n".join(lines), expected, {}, run or None, tables, past)
    return Case(rule, title, bad, "\n".join(lines), expected, profiles or None, run or None, tables)


def _past(facts: list[tuple[str, dict[str, Any]]]) -> LedgerHistory | None:
    """What the ledger knows of the comparison `duel`: `# look`, `# frozen` and `# dropped`, each with a statement."""
    if not facts:
        return None
    at = "2026-03-01T10:00:00Z"
    looks = tuple(
        Look(at, f.get("study", "earlier"), f.get("name", "duel"), design(f["statement"]), (("tumours", 1.0),))
        for kind, f in facts
        if kind == "look"
    )
    frozen = [{"designs": {"duel": design(f["statement"])}, "claims": []} for kind, f in facts if kind == "frozen"]
    gone = tuple((f["dataset"], at) for kind, f in facts if kind == "dropped")
    return LedgerHistory({"duel": looks}, frozen[0] if frozen else None, gone, study="script")


def _profile(given: dict[str, Any]) -> Profile:
    defaults: dict[str, Any] = {"features": 4, "task": "classification" if "classes" in given else "regression"}
    values = {**defaults, **given}
    for fact in values.keys() & {"answer_columns", "telling_columns"}:
        values[fact] = tuple(AnswerColumn(column=c, share=s) for c, s in values[fact])
    values["sentinels"] = tuple(Sentinel(*one) for one in values.get("sentinels", ()))
    if "numbers_as_text" in values:
        texts = [(c, n, cells, _frozen(words)) for c, n, cells, words in values["numbers_as_text"]]
        values["numbers_as_text"] = tuple(NumbersAsText(column=c, numbers=n, cells=m, words=w) for c, n, m, w in texts)
    return Profile(**{name: _frozen(value) for name, value in values.items()})


def _table(given: dict[str, Any]) -> TableFacts:
    values = {"learners": ["A", "B"], "datasets": [f"d{i}" for i in range(20)], **given}
    return TableFacts(**{name: _frozen(value) for name, value in values.items()})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


FILES = {path.stem: path for family in FAMILIES for path in sorted((SCRIPTS / family).glob("*.eval"))}
CASES = {rule: cases(path) for rule, path in FILES.items()}


def all_cases(*families: str) -> list[Case]:
    """The cases of these families; without one, of all."""
    return [case for rule, own in CASES.items() for case in own if FILES[rule].parent.name in (families or FAMILIES)]


def report_on(case: Case) -> LintReport:
    """What lint says of a case, with its facts."""
    return linted(case.text, profiles=case.profiles, run=case.run, tables=case.tables, past=case.past)
