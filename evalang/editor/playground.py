"""What the playground asks, as JSON: the page runs this package in the browser, and offsets are those of JavaScript."""

from __future__ import annotations

import json
from collections.abc import Callable

from ..errors import EvalangError
from ..findings.page import page
from ..findings.render_text import render_review
from ..language.format import format_script
from ..language.text import Edit, Finding
from ..plans.names import canonical_words
from .completion import about, complete
from .edits import all_safe
from .hover import hints, hover, plan_rows
from .workspace import reading_of

PATH = "script.eval"


def judge(text: str) -> str:
    """Return findings with their repairs, the plan as rows, hints, and the script with every safe repair."""
    reading = reading_of(text, PATH)
    place = _places(text)
    safe = all_safe(reading)
    return json.dumps(
        {
            "findings": [_finding(one, place) for one in reading.report.findings if reading.owns(one.span)],
            "allowed": [{"code": one.finding.code, "reason": one.reason} for one in reading.report.allowed],
            "hints": [{"at": place(one.offset), "text": one.text, "more": one.more} for one in hints(reading)],
            "plan": [
                {"name": one.name, "rows": plan_rows(reading, one)} for one in reading.built.plan.comparisons
            ],
            "fits": reading.built.plan.fits,
            "safe": [_edit(edit, place) for edit in safe.edits] if safe else [],
            "review": render_review(reading.report),
        }
    )  # fmt: skip


def formatted(text: str) -> str:
    """Return the canonical form; the text as it is when it cannot be read."""
    try:
        return format_script(reading_of(text, PATH).source, canonical_words)
    except EvalangError:
        return text


def completions(text: str, offset: int) -> str:
    """Return what could be written at an offset."""
    place = _places(text)
    found = complete(reading_of(text, PATH), _offset(text, offset))
    offers = [
        {"label": o.label, "type": o.kind, "detail": o.detail, "apply": o.insert or o.label} for o in found.offers
    ]
    return json.dumps({"from": place(found.start), "options": [o for o in offers if o["type"] != "file"]})


def hovered(text: str, offset: int) -> str:
    """Return what there is to say about the word at an offset, in Markdown."""
    found = hover(reading_of(text, PATH), _offset(text, offset))
    return found.text if found else ""


def explained(word: str) -> str:
    """Return the page of a rule or the card of a word, in Markdown."""
    return page(word) or about(word)


def _finding(one: Finding, place: Callable[[int], int]) -> dict[str, object]:
    fix = one.fix
    return {
        "code": one.code,
        "name": one.name,
        "level": one.level,
        "message": one.message,
        "help": one.help,
        "from": place(one.span.start),
        "to": place(one.span.end),
        "fix": {"title": fix.title, "safe": fix.safe, "edits": [_edit(e, place) for e in fix.edits]} if fix else None,
    }


def _edit(edit: Edit, place: Callable[[int], int]) -> dict[str, object]:
    return {"from": place(edit.span.start), "to": place(edit.span.end), "insert": edit.text}


def _places(text: str) -> Callable[[int], int]:
    """Return the function from offsets to those of JavaScript, which counts some characters (emoji) as two."""
    if text.isascii():
        return lambda offset: offset
    return lambda offset: offset + sum(letter > "\uffff" for letter in text[:offset])


def _offset(text: str, place: int) -> int:
    if text.isascii():
        return place
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * place].decode("utf-16-le", "ignore"))
