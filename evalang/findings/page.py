"""The page of a rule: the same text for `explain`, the docs, SARIF and the editor."""

from __future__ import annotations

import re
from dataclasses import dataclass
from inspect import cleandoc

from .rule import Rule
from .rules import RETIRED, find_rule

_SCRIPT = re.compile(r"^```eval(,bad)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_STAGES = {
    "design": "in the script (`evalang lint`)",
    "data": "in the data (`evalang lint --data`, and before every run)",
    "run": "in the scores, after the run",
}
_LEVELS = {
    "error": "error (`run` stops before anything is fitted)",
    "warning": "warning (shown, and printed in the report)",
    "note": "note (advice)",
}


@dataclass(frozen=True, slots=True)
class Example:
    """A fenced script of a page; the bad one must give the finding, the others nothing at warning or above."""

    text: str
    bad: bool


def body(rule: Rule) -> str:
    """Return the docstring without its indentation."""
    return cleandoc(rule.page)


def sections(rule: Rule) -> dict[str, str]:
    """Return the parts of a page by heading; the summary under ""."""
    summary, *parts = re.split(r"^## (.+)\n", body(rule), flags=re.MULTILINE)
    texts = zip(["", *parts[::2]], [summary, *parts[1::2]], strict=True)
    return {heading: text.strip() for heading, text in texts}


def examples(rule: Rule) -> tuple[Example, ...]:
    """Return the fenced scripts of a page, in order."""
    return tuple(Example(text, bool(bad)) for bad, text in _SCRIPT.findall(body(rule)))


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
    strict = f" With `--strict`: {_LEVELS[rule.strict]}." if rule.strict != rule.level else ""
    after = rule.level == "error" and rule.stages == ("run",)
    level = "error (printed with the result; `run` exits with code 1 or 4)" if after else _LEVELS[rule.level]
    return f"# {rule.code} {rule.name}\n\n{summary}\n\nDefault level: {level}.{strict} Checked: {stages}.\n\n{plain}\n"
