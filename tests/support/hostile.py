"""Names of learners, datasets and metrics that could harm the reader of a report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evalang.codec import field_names, is_record

from .results import pair, rich

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script></style></title>",
    "javascript:alert(1)",
    "{{7*7}}{%raw%}",
    "<text onload=alert(1)>",
    r"\write18{id}",
    r"\input{/etc/passwd}",
    r"\csname x\endcsname",
    "^^5cinput",
    "50% a_b $x$ #1 & ~",
    r"\end{tabular}",
    "=cmd|'/c calc'!A1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "a|b",
    "[x](javascript:1)",
    "![](http://evil.example/p.png)",
    "`code` ``` fence",
    "two\nlines",
    "\x1b]0;pwn\x07",
    "\x1b[2Jgone",
    "\x9b31m",
    "over\rwrite",
    "right\u202eleft",
    "zero\u200bwidth",
    "half\ud800pair",
    "nonchar\ufffe\uffff",
    "<!-- evalang: end -->",
    "--> out",
    "é ß 中 🙂",
    "x" * 300,
    "a--b ''c``",
    "\\\\ newline",
)


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Return the same record with every name changed, however deep."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(renamed(v, names) for v in value)
    if is_record(value):
        return replace(value, **{n: renamed(getattr(value, n), names) for n in field_names(type(value))})
    return value


def result(name: str, whole: bool = False) -> Any:
    """Return a result whose learner, dataset, comparison, message and reason are all this name."""
    base = rich() if whole else pair()
    changed = {
        "tree": name,
        "heart": f"{name} ",
        "trees-or-bayes": f"{name}  ",
        "60 s over": name,
        "the point is the method": name,
        "trees-or-bayes rests on one partition of the rows.": name,
        "naive-bayes is better on heart, adjusted p = 0.002.": name,
        "the sets of the earlier study": name,
    }
    return renamed(base, changed)
