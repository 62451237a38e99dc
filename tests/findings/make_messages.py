"""Writes what every rule says about its bad scripts, for people to read: python -m tests.findings.make_messages

A change of wording shows as a change of messages.json, and has to be looked at before it is kept.
"""

from __future__ import annotations

import json
from pathlib import Path

from evalang.findings.rules import RULES

from .cases import FILES, all_cases, report_on

PATH = Path(__file__).with_name("messages.json")


def messages() -> dict[str, dict[str, list[dict[str, str]]]]:
    """Rule -> script -> findings of that rule: the words pointed at, what is said, what to do, the repair."""
    names = {rule.name: rule.code for rule in RULES}
    found: dict[str, dict[str, list[dict[str, str]]]] = {}
    for case in sorted(all_cases(), key=lambda case: FILES[case.rule]):
        if case.bad:
            report = report_on(case)
            said = [
                {
                    "at": report.sources[f.span.path].cut(f.span) if f.span.path else "",
                    "message": f.message,
                    "help": f.help,
                    "fix": f"{f.fix.title}{'' if f.fix.safe else ' (not safe)'}" if f.fix else "",
                }
                for f in report.findings
                if f.code == names[case.rule]
            ]
            found.setdefault(f"{names[case.rule]} {case.rule}", {})[case.title] = said
    return dict(sorted(found.items()))


if __name__ == "__main__":
    PATH.write_text(json.dumps(messages(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
