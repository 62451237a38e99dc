"""Frequent mistakes in schemes, levels and corrections: `cv10`, `80/20`, `alpha = 0.05`, `p < 0.05`, `fdr`."""

from __future__ import annotations

import re

from .build_nodes import Problem
from .expected import words
from .place import ErrorPlace, replaced
from .text import Span

# What people write for a scheme, and how the language writes it.
_SCHEMES = (
    (re.compile(r"([0-9]+)[ \t]*-?CV(?!\w)"), r"\1cv"),
    (re.compile(r"cv[ \t_-]?([0-9]+)(?!\w)", re.IGNORECASE), r"\1cv"),
    (re.compile(r"(?:loo-?cv|loo|leave[ \t-]one[ \t-]out)(?![\w-])", re.IGNORECASE), "leave-one-out"),
    (re.compile(r"leave-one-(?:group|subject|patient)-out(?!\w)", re.IGNORECASE), "grouped leave-one-out"),
    (re.compile(r"([0-9]+)[ \t]+times[ \t]+([0-9]+)[ \t-]*(?:cv|fold)(?!\w)", re.IGNORECASE), r"\1x\2cv"),
    *(  # the two shares make the whole; `60/20/20` and `80/30` can mean anything
        (re.compile(rf"{100 - test}%?[ \t]*/[ \t]*({test})%?(?![\w/])(?:[ \t]+split(?!\w))?"), r"holdout \1%")
        for test in range(10, 60, 5)
    ),
    (re.compile(r"([0-9.]+%)[ \t]+hold-?out(?!\w)", re.IGNORECASE), r"holdout \1"),
)
_THREE = re.compile(r"([0-9]{1,2})[ \t]*/[ \t]*([0-9]{1,2})[ \t]*/[ \t]*([0-9]{1,2})(?![\w/])")
_LEVEL = re.compile(r"(?:(?:alpha|α)[ \t]*=?|p[ \t]*<=?)[ \t]*(?=([0-9.]+%?)?)")
_SETTING = re.compile(r"(seed|alpha|p|rope)[ \t]*(?:<=?|=)?[ \t]*([0-9.]+%?)(?=\s|$)")
_EQUALS = re.compile(r"[\w-]+[ \t]*=[ \t]*(?=([\w.%]+)?)")
_SIGN = re.compile(r"(seed|rope|alpha|p)[ \t]*(?:<=?|=)[ \t]*(?=[0-9.])")
_CORRECTED = re.compile(r"(?:corrected|adjusted)[ \t]+(?:by|with|using)[ \t]+[\w-]+")
_OVER = re.compile(r"[ \t]+over[ \t]")
SAID_OTHERWISE = {
    "fdr": ("the false discovery rate is bounded by bh", "write bh over datasets (or learners, metrics, everything)"),
    "benjamini-hochberg": ("this correction is named bh", "write bh over datasets (or learners, metrics, everything)"),
    "two-sided": ("a test has two sides unless one is named", "leave it out"),
    "nested": ("nested cross-validation is written as two clauses", "write using 10x2cv, tune using 5cv"),
    "one-sided": ("the side of a test is named, with a reason", 'write expecting NAME better because "…"'),
    "one-tailed": ("the side of a test is named, with a reason", 'write expecting NAME better because "…"'),
    "corrected": ("a correction is named with what it is over", "write holm over datasets (or learners, metrics)"),
    "adjusted": ("a correction is named with what it is over", "write holm over datasets (or learners, metrics)"),
}
# The clause that each of them was meant to be.
_CLAUSE_MEANT = {
    "fdr": "bh", "benjamini-hochberg": "bh", "nested": "using", "two-sided": "expecting", "one-sided": "expecting",
    "one-tailed": "expecting", "corrected": "holm", "adjusted": "holm",
}  # fmt: skip


def _scheme_words(place: ErrorPlace) -> Problem | None:
    """`10CV`, `cv10`, `loocv`, `80/20`, `10 times 10cv`, `leave-one-group-out`"""
    before = place.before
    counted = before is not None and before.text.isdigit() and place.found == "times"
    if "_HOLDOUT" not in place.accepted and not counted:
        return None
    start = before.span.start if counted and before is not None else place.span.start
    for pattern, form in _SCHEMES:
        found = pattern.match(place.text, start, place.end)
        if found:
            new, span = found.expand(form), Span(place.span.path, start, found.end())
            message = f"`{found[0]}` is not a scheme of the language"
            return Problem(span, message, f"it is written `{new}`", replaced(place, new, span, safe=True), "using")
    return None


def _three_shares(place: ErrorPlace) -> Problem | None:
    """`60/20/20`: rows to train, to tune and to test; the tuning part is a share of what is not tested."""
    found = _THREE.match(place.text, place.span.start, place.end)
    if found is None or "_HOLDOUT" not in place.accepted:
        return None
    train, tune, test = (int(share) for share in found.groups())
    if train + tune + test != 100 or not tune:
        return None
    span = Span(place.span.path, found.start(), found.end())
    help = f"write using holdout {test}%, tune on {100 * tune / (train + tune):.3g}% (of what is not tested)"
    return Problem(span, "rows to train, to tune and to test are written as two clauses", help, meant="using")


def _goes_on(place: ErrorPlace) -> bool:
    """Whether the place is in a list of an experiment (`by kfold-t, seed = 1`): the sign hides that a clause begins."""
    return place.statement in ("compare", "estimate") and place.before is not None and place.before.text == ","


def _level(place: ErrorPlace) -> Problem | None:
    """`alpha 0.05`, `alpha = 0.05`, `p < 0.05`"""
    found = _LEVEL.match(place.text, place.span.start, place.end)
    if place.found not in ("alpha", "α", "p") or found is None or not ("_AT" in place.accepted or _goes_on(place)):
        return None
    span = Span(place.span.path, found.start(), found.end())
    help = f"write `at {found[1] or 0.05}`"
    return Problem(span, "a level follows `at`", help, replaced(place, "at ", span, safe=True), "at")


def _setting(place: ErrorPlace) -> Problem | None:
    """`seed = 1`, `alpha 0.05`, `p < 0.05` where a statement begins"""
    found = _SETTING.match(place.text, place.span.start, place.end)
    if found is None or "set" not in words(place.accepted):
        return None
    new = f"set {'alpha' if found[1] == 'p' else found[1]} {found[2]}"
    span = Span(place.span.path, found.start(), found.end())
    return Problem(span, "a default begins with `set`", f"write `{new}`", replaced(place, new, span, safe=True), "set")


def _clause_equals(place: ErrorPlace) -> Problem | None:
    """`seed = 1`"""
    found = _EQUALS.match(place.text, place.span.start, place.end)
    if found is None or place.before is None or place.before.text != ",":
        return None
    if place.found not in words(place.accepted) and not (place.found in ("seed", "rope") and _goes_on(place)):
        return None
    span = Span(place.span.path, found.start(), found.end())
    new = f"{place.found} "
    return Problem(
        span,
        "a clause takes no `=`",
        f"write `{place.found} {found[1] or '…'}`",
        replaced(place, new, span, safe=True),
        place.found,
    )


def _sign_in_list(place: ErrorPlace) -> Problem | None:
    """`by kfold-t, seed = 1`: the word was taken for a member of the list, until the sign came."""
    if place.before is None or place.statement not in ("compare", "estimate") or "_EQUALS" in place.accepted:
        return None
    start = place.before.span.start
    found = _SIGN.match(place.text, start, place.end)
    if found is None or not place.text[:start].rstrip().endswith(","):
        return None
    new = found[1] if found[1] in ("seed", "rope") else "at"
    span = Span(place.span.path, start, found.end())
    return Problem(
        span, f"`{found[0].strip()}` is no clause", f"write `{new} …`", replaced(place, f"{new} ", span, safe=True), new
    )


def _said_otherwise(place: ErrorPlace) -> Problem | None:
    """`fdr`, `nested`, `one-sided`, `corrected by holm`"""
    said = SAID_OTHERWISE.get(place.found.lower())
    if said is None or not ({"_AT", "_HOLDOUT"} & place.accepted):
        return None
    whole = _CORRECTED.match(place.text, place.span.start, place.end)
    span = Span(place.span.path, place.span.start, whole.end()) if whole else place.span
    meant = _CLAUSE_MEANT[place.found.lower()]
    over = meant == "bh" and _OVER.match(place.text, place.span.end, place.end)
    return Problem(span, *said, replaced(place, meant, safe=True) if over else None, meant)


def _over_nothing(place: ErrorPlace) -> Problem | None:
    """`bonferroni` alone"""
    before = place.before
    if before is None or place.accepted != {"_OVER"}:
        return None
    help = f"write {before.text} over datasets (or learners, metrics, everything)"
    return Problem(before.span, f"nothing says what {before.text} is over", help)


def _full_stop(place: ErrorPlace) -> Problem | None:
    """`vs.`"""
    if place.found != "." or place.before is None or place.before.text != "vs":
        return None
    return Problem(place.span, "`vs` has no full stop", "write `vs`", replaced(place, "", safe=True), "vs")


MISTAKEN_SCHEMES = (
    _full_stop,
    _setting,
    _scheme_words,
    _three_shares,
    _level,
    _clause_equals,
    _sign_in_list,
    _said_otherwise,
    _over_nothing,
)
