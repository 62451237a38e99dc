"""The page of a rule: the same text for `explain`, the docs, SARIF and the editor."""

from __future__ import annotations

from dataclasses import dataclass

from .rule import Rule
from .rules import RETIRED, RULES, find_rule

HEADINGS = ("What it finds", "Why it matters", "Example", "Use instead", "When it is fine", "References")
_STAGES = {
    "design": "seen in the script alone",
    "data": "seen when the data is opened (`lint --data`, and before every run)",
    "run": "seen in the scores, after the run and before any verdict",
}
_LEVELS = {
    "error": "error: `run` stops before anything is fitted",
    "warning": "warning: shown, and part of the report",
    "note": "note: advice",
}


@dataclass(frozen=True, slots=True)
class Example:
    """A fenced script of a page; the bad one must give the finding, the others nothing at warning or above."""

    text: str
    bad: bool


def body(rule: Rule) -> str:
    """Return the docstring without its indentation."""
    lines = rule.page.strip("\n").splitlines()
    return "\n".join(line[4:] if line.startswith("    ") else line for line in lines).strip()


def sections(rule: Rule) -> dict[str, str]:
    """Return the parts of a page by heading; the summary under ""."""
    found: dict[str, list[str]] = {"": []}
    heading = ""
    for line in body(rule).splitlines():
        if line.startswith("## "):
            heading = line[3:].strip()
            found[heading] = []
        else:
            found[heading].append(line)
    return {name: "\n".join(lines).strip() for name, lines in found.items()}


def examples(rule: Rule) -> tuple[Example, ...]:
    """Return the fenced scripts of a page, in order."""
    found: list[Example] = []
    lines: list[str] | None = None
    bad = False
    for line in body(rule).splitlines():
        if lines is None and line.startswith("```eval"):
            lines, bad = [], line.strip() == "```eval,bad"
        elif lines is not None and line.startswith("```"):
            found.append(Example(text="\n".join(lines) + "\n", bad=bad))
            lines = None
        elif lines is not None:
            lines.append(line)
    return tuple(found)


def page(code: str) -> str | None:
    """Return the Markdown page of a code or rule name; None when there is no such rule.

    >>> page("EV501").splitlines()[0]
    '# EV501 uncorrected'
    """
    rule = find_rule(code)
    if rule is None:
        gone = RETIRED.get(code.upper())
        return f"# {code.upper()}\n\n{gone}\n" if gone else None
    stages = "; ".join(_STAGES[stage] for stage in rule.stages)
    text = body(rule)
    summary, _, rest = text.partition("\n")
    plain = rest.strip().replace("```eval,bad", "```eval")
    strict = f" In strict {_LEVELS[rule.strict]}." if rule.strict != rule.level else ""
    level = f"Level: {_LEVELS[rule.level]}.{strict}"
    return f"# {rule.code} {rule.name}\n\n{summary}\n\n{level} Stage: {stages}.\n\n{plain}\n"


def index() -> str:
    """Return the page with the table of all rules and their levels."""
    lines = ["# The rules", "", *_PREFACE, "", "| code | name | default | strict | stage | what |", f"|{'---|' * 6}"]
    family = ""
    for rule in RULES:
        if rule.code[:3] != family:
            family = rule.code[:3]
            lines.append(f"| **{_FAMILIES[family]}** | | | | | |")
        link = f"[{rule.code}]({rule.code}-{rule.name}.md)"
        level, strict = rule.level, rule.strict if rule.strict == rule.level else f"**{rule.strict}**"
        lines.append(f"| {link} | {rule.name} | {level} | {strict} | {', '.join(rule.stages)} | {rule.summary} |")
    return "\n".join(lines) + "\n"


_PREFACE = (
    "**Summary.** All rules of `evalang lint`, by family. `evalang explain CODE` shows the page of a rule.",
    "How to repair a finding or keep it on purpose: [lint a design](../howto/lint.md).",
    "",
    "Each rule has a level by default and one in strict: `--strict`, `set strict` in the script, or `strict = true`",
    "under `[tool.evalang]` in pyproject.toml. Where they differ, the strict one is bold. An error stops a run; a",
    "warning is shown and printed in the report; a note is advice. The ledger's rules (EV8) have their strict level",
    "also after `evalang freeze`. A rule may give one finding a weaker level; that is the same in strict.",
    "",
    "```{toctree}",
    ":hidden:",
    ":glob:",
    "",
    "EV*",
    "```",
)
_FAMILIES = {
    "EV0": "The script",
    "EV1": "Datasets",
    "EV2": "Tuning and leakage",
    "EV3": "Random splits",
    "EV4": "Tests",
    "EV5": "Many tests",
    "EV6": "Metrics and probabilities",
    "EV7": "Claims",
    "EV8": "Earlier tests on the data",
    "EV9": "evalang itself",
}
