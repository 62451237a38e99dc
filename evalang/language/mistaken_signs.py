"""Frequent mistakes in signs and numbers: quotes, comment signs, dashes, `10-fold`, `20 %`, `.5`."""

from __future__ import annotations

import re

from .build_nodes import Problem
from .place import ErrorPlace, replaced
from .text import Edit, Fix, Span

_QUOTES = {"“": "”", "”": "”", "„": "“", "«": "»", "»": "«", "‘": "’", "’": "’", "‚": "‘", "`": "`", "'": "'"}
_DASHES = "–—−‐‑"
_FOLDS = re.compile(
    r"([0-9]+)[ \t]*-?[ \t]*(?:fold|folds)(?:[ \t-]*(?:cv|cross[ \t-]?validation))?(?!\w)", re.IGNORECASE
)
_REPEATED = re.compile(r"([0-9]+)[ \t]*[x×*][ \t]*([0-9]+)[ \t-]*(?:cv|fold(?:[ \t-]*cv)?)?(?!\w)", re.IGNORECASE)
_SPACED_CV = re.compile(r"([0-9]+)[ \t]+cv(?!\w)", re.IGNORECASE)
_PERCENT = re.compile(r"[ \t]*(?:%|per[ \t]?cent(?!\w))", re.IGNORECASE)


def _quotes(place: ErrorPlace) -> Problem | None:
    """Single, typographic or unclosed quotes."""
    start = place.span.start
    mark = place.found[:1]
    line_end = _line_end(place.text, start, place.end)
    if mark == '"' and place.kind == "UNKNOWN":
        return Problem(
            Span(place.span.path, start, line_end),
            "this text has no closing quote on its line",
            'text stands in double quotes on one line; `""` is a quote inside it',
        )
    if (open_text := _opened_before(place, line_end)) is not None:
        return open_text
    if mark not in _QUOTES:
        return None
    closing = [place.text.find(c, start + 1, line_end) for c in {_QUOTES[mark], mark, '"'}]
    ends = [at for at in closing if at != -1]
    if not ends:
        return Problem(
            Span(place.span.path, start, start + 1),
            f"`{mark}` is not a quote of the language",
            'text stands in straight double quotes: "..."',
        )
    span = Span(place.span.path, start, min(ends) + 1)
    new = '"' + place.text[start + 1 : min(ends)].replace('"', '""') + '"'
    return Problem(
        span,
        f"`{mark}` is not a quote of the language",
        f"text stands in straight double quotes: {new}",
        replaced(place, new, span),
    )


def _opened_before(place: ErrorPlace, line_end: int) -> Problem | None:
    """`csv "d.csv, target "y"`: the text that was left open ends at the quote that should open the next."""
    before = place.before
    if before is None or before.type != "STRING" or before.span.end != place.span.start:
        return None
    line = max(place.text.rfind("\n", 0, before.span.start), place.text.rfind("\r", 0, before.span.start)) + 1
    if place.text.count('"', line, line_end) % 2 == 0:
        return None
    return Problem(
        before.span, "a quote of this line is not closed, perhaps this one", "text stands in double quotes on one line"
    )


def _comment(place: ErrorPlace) -> Problem | None:
    """`//`, `--`, `/*`, `%` or `;` as comment signs."""
    rest = place.text[place.span.start : place.span.start + 2]
    if rest in ("//", "--", "/*"):
        span = Span(place.span.path, place.span.start, place.span.start + 2)
        return Problem(
            span, f"`{rest}` does not begin a comment", "a comment begins with `#`", replaced(place, "#", span)
        )
    if place.found == ";":
        return Problem(place.span, "a statement needs no `;`", "end the line instead", replaced(place, ""))
    return None


def _folds(place: ErrorPlace) -> Problem | None:
    """`10 fold cv`, `10-fold`, `10 cv`, `5 x 2 cv`, `5×2cv`."""
    at = place.span.start
    if place.before is not None and place.before.text.isdigit():
        at = place.before.span.start
    for pattern in (_FOLDS, _SPACED_CV):
        found = pattern.match(place.text, at, place.end)
        if found:
            return _scheme(place, found, f"{found[1]}cv")
    found = _REPEATED.match(place.text, at, place.end)
    if found and place.kind not in ("RXKCV", "FIVE_BY_TWO"):
        return _scheme(place, found, f"{found[1]}x{found[2]}cv")
    return None


def _scheme(place: ErrorPlace, found: re.Match[str], scheme: str) -> Problem:
    span = Span(place.span.path, found.start(), found.end())
    return Problem(
        span,
        f"`{found[0]}` is not a scheme of the language",
        f"it is written `{scheme}`",
        replaced(place, scheme, span, safe=True),
        scheme,
    )


def _percent(place: ErrorPlace) -> Problem | None:
    """`20 %`, `20 percent`"""
    if place.before is None or not place.before.text.replace(".", "").isdigit():
        return None
    found = _PERCENT.match(place.text, place.before.span.end, place.end)
    if not found:
        return None
    span = Span(place.span.path, place.before.span.start, found.end())
    new = f"{place.before.text}%"
    return Problem(span, "a percentage is written without a space", f"write `{new}`", replaced(place, new, span), new)


def _number(place: ErrorPlace) -> Problem | None:
    """`.5`, `1_000`, `5.`, `+1`"""
    text, at = place.text, place.span.start
    if place.kind == "UNKNOWN" and place.found.startswith(".") and text[at + 1 : at + 2].isdigit():
        return Problem(
            place.span,
            "a number needs a digit before the point",
            f"write `0{place.found}`",
            replaced(place, "0" + place.found),
        )
    if place.found[:1].isdigit() and "_" in place.found and place.found.replace("_", "").isdigit():
        plain = place.found.replace("_", "")
        return Problem(place.span, "digits are not grouped with `_`", f"write `{plain}`", replaced(place, plain))
    if place.found == "." and place.before is not None and place.before.text.isdigit():
        return Problem(place.span, "a number needs a digit after the point", f"write `{place.before.text}.0`")
    if place.kind == "UNKNOWN" and place.found.startswith("+"):
        return Problem(
            place.span,
            "`+` is not a sign of the language",
            "positive numbers have no sign; pipelines are written `a | b`",
        )
    return None


def _dash(place: ErrorPlace) -> Problem | None:
    """An en dash or a minus sign copied from a paper."""
    if place.found[:1] and place.found[0] in _DASHES:
        span = Span(place.span.path, place.span.start, place.span.start + 1)
        return Problem(span, f"`{place.found[0]}` is not a hyphen", "write `-`", replaced(place, "-", span))
    return None


def _equals(place: ErrorPlace) -> Problem | None:
    """`learner x = svm`, `alpha = 0.05`, `kernel: "rbf"`"""
    if place.found not in ("=", ":", ":="):
        return None
    if place.found[0] == ":" and "_EQUALS" in place.accepted:
        return Problem(place.span, "a parameter is given with `=`", "write `name = value`", replaced(place, "="), "=")
    for terminal, word in (("_IS", "is"), ("_FROM", "from")):
        if terminal in place.accepted:
            return Problem(
                place.span,
                f"`{place.found}` does not fit here: expected `{word}`",
                f"write `{word}`",
                replaced(place, word),
                word,
            )
    if place.accepted & {"INT", "PERCENT", "STRING"}:
        word = place.before.text if place.before is not None else ""
        number = word in ("seed", "alpha", "rope")
        tight = not place.text[place.span.start - 1].isspace()
        span = Span(place.span.path, place.span.start, place.span.end + place.text.startswith(" ", place.span.end))
        return Problem(
            place.span,
            f"`{place.found}` does not fit here: expected a value",
            f"leave it out: `{word} …`" if number else "leave it out: `at alpha 0.05`, `seed 20`",
            replaced(place, " " if tight else "", span, safe=number),
        )
    return None


def _relation(place: ErrorPlace) -> Problem | None:
    """`claim a > b`, `claim a worse than b`"""
    if place.found == "worse" and "BETTER" in place.accepted:
        return Problem(
            place.span, "a claim cannot say `worse than`", "turn it round: `b better than a`; or write `no worse than`"
        )
    if place.found[:1] in ("<", ">") and "BETTER" in place.accepted:
        return Problem(place.span, "a claim is made in words", "write `better than`, `no worse than` or `same as`")
    return None


def _comma_twice(place: ErrorPlace) -> Problem | None:
    """`,,`"""
    if place.found != "," or place.before is None or place.before.text != ",":
        return None
    return Problem(place.span, "one comma is enough", "take the second away", replaced(place, "", safe=True), ",")


def _comma_at_end(place: ErrorPlace) -> Problem | None:
    """A list that ends in a comma."""
    if place.kind == "$END" and place.before is not None and place.before.text == ",":
        return comma_at_end(place.before.span)
    return None


def comma_at_end(span: Span) -> Problem:
    """What is said of a comma after which the statement ends."""
    fix = Fix("take the comma away", (Edit(span, ""),), safe=False)
    return Problem(span, "nothing follows this comma", "take it away, or go on with the list", fix)


def _line_end(text: str, start: int, end: int) -> int:
    found = re.compile(r"[\r\n]").search(text, start, end)
    return found.start() if found else end


SIGNS = (_comma_twice, _quotes, _comment, _dash, _folds, _percent, _number, _equals, _relation, _comma_at_end)
