"""The table of frequent mistakes: what authors write from habit, and how the language writes it.

Each function looks at the place of an error and answers with a problem or None; `MISTAKES` lists them in the order in
which they are tried, before the general sentence of diagnose.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass

from .builder import Problem
from .clauses import CLAUSE_WORDS, IN_FULL, RESERVED, STATEMENT_WORDS
from .text import Edit, Fix, Span
from .tokens import Word, terminal_words, words_of_language


@dataclass(frozen=True, slots=True)
class ErrorPlace:
    """Where the parser stopped: the text, what was found, the token before, what would have been accepted."""

    text: str
    span: Span
    found: str
    kind: str  # type of the token found; "$END" at the end of the statement, "UNKNOWN" for no token at all
    before: Word | None
    accepted: frozenset[str]
    statement: str  # the first word of the piece
    end: int

    def stretch(self, word: Word) -> Span:
        """Return the span of a word."""
        return Span(self.span.path, word.start, word.end)


def replaced(place: ErrorPlace, new: str, span: Span | None = None, safe: bool = False) -> Fix:
    """Return the repair that writes something else at the place."""
    title = f"write `{new.strip()}`" if new.strip() else "take it away"
    return Fix(title, (Edit(span or place.span, new),), safe)


def words(accepted: Set[str]) -> list[str]:
    """Return the accepted words of the language, without signs and values."""
    found = (terminal_words().get(terminal, "") for terminal in accepted)
    return sorted(word for word in found if word[:1].isalpha())


# ---------------------------------------------------------------- schemes, levels and corrections

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
    if "HOLDOUT" not in place.accepted and not counted:
        return None
    start = before.start if counted and before is not None else place.span.start
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
    if found is None or "HOLDOUT" not in place.accepted:
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
    if place.found not in ("alpha", "α", "p") or found is None or not ("AT" in place.accepted or _goes_on(place)):
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
    if place.before is None or place.statement not in ("compare", "estimate") or "EQUALS" in place.accepted:
        return None
    start = place.before.start
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
    if said is None or not ({"AT", "HOLDOUT"} & place.accepted):
        return None
    whole = _CORRECTED.match(place.text, place.span.start, place.end)
    span = Span(place.span.path, place.span.start, whole.end()) if whole else place.span
    meant = _CLAUSE_MEANT[place.found.lower()]
    over = meant == "bh" and _OVER.match(place.text, place.span.end, place.end)
    return Problem(span, *said, replaced(place, meant, safe=True) if over else None, meant)


def _over_nothing(place: ErrorPlace) -> Problem | None:
    """`bonferroni` alone"""
    before = place.before
    if before is None or place.accepted != {"OVER"}:
        return None
    help = f"write {before.text} over datasets (or learners, metrics, everything)"
    return Problem(place.stretch(before), f"nothing says what {before.text} is over", help)


def _full_stop(place: ErrorPlace) -> Problem | None:
    """`vs.`"""
    if place.found != "." or place.before is None or place.before.text != "vs":
        return None
    return Problem(place.span, "`vs` has no full stop", "write `vs`", replaced(place, "", safe=True), "vs")


# ---------------------------------------------------------------- signs and numbers

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
    if before is None or before.kind != "STRING" or before.end != place.span.start:
        return None
    line = max(place.text.rfind("\n", 0, before.start), place.text.rfind("\r", 0, before.start)) + 1
    if place.text.count('"', line, line_end) % 2 == 0:
        return None
    return Problem(
        place.stretch(before),
        "a quote of this line is not closed, perhaps this one",
        "text stands in double quotes on one line",
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
        at = place.before.start
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
    found = _PERCENT.match(place.text, place.before.end, place.end)
    if not found:
        return None
    span = Span(place.span.path, place.before.start, found.end())
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
    if place.found[0] == ":" and "EQUALS" in place.accepted:
        return Problem(place.span, "a parameter is given with `=`", "write `name = value`", replaced(place, "="), "=")
    for terminal, word in (("IS", "is"), ("FROM", "from")):
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
        return comma_at_end(place.stretch(place.before))
    return None


def comma_at_end(span: Span) -> Problem:
    """What is said of a comma after which the statement ends."""
    fix = Fix("take the comma away", (Edit(span, ""),), safe=False)
    return Problem(span, "nothing follows this comma", "take it away, or go on with the list", fix)


def _line_end(text: str, start: int, end: int) -> int:
    found = re.compile(r"[\r\n]").search(text, start, end)
    return found.start() if found else end


# ---------------------------------------------------------------- words

# Words people bring from other places, and the language's own.
SYNONYMS = {
    "versus": "vs", "against": "vs", "v": "vs", "metric": "measuring", "metrics": "measuring", "measure": "measuring",
    "score": "measuring", "scoring": "measuring", "measured": "measuring", "test": "by", "random_state": "seed",
    "random-state": "seed", "random_seed": "seed", "alpha": "at", "significance": "at", "level": "at",
    "label": "target", "class": "target", "outcome": "target", "response": "target", "named": "as",
    "called": "as", "name": "as",
    "model": "learner", "classifier": "learner", "algorithm": "learner", "estimator": "learner", "data": "dataset",
    "evaluate": "estimate", "hypothesis": "claim", "since": "because", "reason": "because", "ignore": "allow",
    "noqa": "allow", "disable": "allow", "export": "report", "save": "report", "write": "report", "import": "include",
    "let": "set", "option": "set", "scheme": "using", "cv": "using", "baseline": "control", "group": "groups",
    "weight": "weights", "exclude": "drop", "repeat": "train", "with": "using", "in": "on", "for": "on", "to": "on",
    "split": "using", "splits": "using", "tolerance": "rope", "margin": "within", "n_iter": "try",
    "seed": "seeds", "item": "items", "fold": "folds", "randomized": "randomised", "filter": "where",
    "merge": "join", "equal": "same", "equals": "same", "greater": "better", "superior": "better", "every": "each",
}  # fmt: skip


def _using_missing(place: ErrorPlace) -> Problem | None:
    """`compare a vs b on d 10cv`"""
    if place.kind not in ("CV", "RXKCV", "FIVE_BY_TWO") or "USING" not in place.accepted:
        return None
    return Problem(
        place.span,
        f"the scheme `{place.found}` needs `using` before it",
        f"write `using {place.found}`",
        replaced(place, f"using {place.found}"),
        "using",
    )


def _on_missing(place: ErrorPlace) -> Problem | None:
    """`tune 20%`, `calibrate 500 rows`"""
    if place.before is None or place.before.text not in ("tune", "calibrate") or "ON" not in place.accepted:
        return None
    if place.kind not in ("PERCENT", "FRACTION", "INT", "DECIMAL"):
        return None
    new = f"on {place.found}"
    message = f"`{place.found}` does not fit here: expected `on` before it"
    return Problem(place.span, message, f"write `{place.before.text} {new}`", replaced(place, new), "on")


def _tuned_in_learner(place: ErrorPlace) -> Problem | None:
    """`learner x is svm, tune on 20%`"""
    if place.statement != "learner" or place.before is None or place.before.text not in ("tune", "calibrate"):
        return None
    if place.found not in ("on", "using"):
        return None
    word = place.before.text
    own = "tune C in {1, 10}" if word == "tune" else "calibrate platt"
    return Problem(
        place.span,
        f"a learner says `{own}`; `{word} {place.found}` belongs to a comparison",
        f"move `{word} {place.found} ...` to the `compare` statement",
    )


_SCHEME_AHEAD = re.compile(
    r"\s*(?:[0-9]+(?:[ \t]*[x×][ \t]*[0-9]+)?[ \t-]*(?:cv|fold)(?![\w-])|[0-9]+[ \t]+(?:times|halvings|partitions)"
    r"|cv|loo|(?:stratified|unstratified|grouped|blocked|holdout|leave-one-out|bootstrap|forward|given|partitions)(?!\w))",
    re.IGNORECASE,
)


def _scheme_after_with(place: ErrorPlace) -> Problem | None:
    """`compare a vs b on d with 10cv`, `… using 5x2cv with mcnemar`"""
    if (
        place.found == "with"
        and {"USING", "BY"} <= place.accepted
        and not _SCHEME_AHEAD.match(place.text, place.span.end)
    ):
        return Problem(
            place.span,
            "`with` does not fit here: expected `using` and a scheme, or `by` and a test",
            "a test follows `by`",
            replaced(place, "by"),
            "by",
        )
    if place.found == "with" and "USING" in place.accepted:
        return Problem(
            place.span,
            "`with` does not fit here: expected `using`",
            "a scheme follows `using`",
            replaced(place, "using"),
            "using",
        )
    return None


def _joined(place: ErrorPlace) -> Problem | None:
    """`and`, `&`, `or` between the members of a list; `+`, `->`, `then` between steps."""
    if place.found in ("and", "&", "or", "plus") and "COMMA" in place.accepted:
        return Problem(
            place.span,
            "the members of a list are separated by commas",
            f"write `,` in place of `{place.found}`",
            replaced(place, ","),
            ",",
        )
    if place.found == "," and place.statement == "compare" and "VS" in place.accepted:
        found = re.compile(r"[ \t]*,[ \t,]*").match(place.text, place.span.start, place.end)
        span = Span(place.span.path, place.span.start, found.end()) if found else place.span
        fix = replaced(place, " vs ", span, safe=True)
        return Problem(place.span, "learners are compared with `vs`", "write `vs` in place of the comma", fix, "vs")
    if place.found in ("and", "&", "or") and "VS" in place.accepted:
        return Problem(
            place.span,
            "learners are compared with `vs`",
            f"write `vs` in place of `{place.found}`",
            replaced(place, "vs", safe=True),
            "vs",
        )
    if "BAR" in place.accepted and (
        place.found == "then" or place.found[:1] in ("+", ">") or place.text.startswith("->", place.span.start)
    ):
        return Problem(place.span, "steps and learner are joined with `|`", "write `scale | svm`")
    return None


# What is one name here, and two words elsewhere; tests/findings/test_spellings.py holds them to the catalogue.
TWO_WORDS = {
    "naive bayes": "naive-bayes", "random forest": "random-forest", "decision tree": "decision-tree",
    "logistic regression": "logistic-regression", "linear regression": "linear-regression",
    "neural net": "neural-net", "neural network": "neural-net", "nearest neighbor": "nearest-neighbor",
    "boosted trees": "boosted-trees", "bagged trees": "bagged-trees", "breast cancer": "breast-cancer",
    "balanced accuracy": "balanced-accuracy", "roc auc": "roc-auc", "log loss": "log-loss",
    "wilcoxon signed-rank": "wilcoxon", "wilcoxon test": "wilcoxon", "mcnemar test": "mcnemar", "sign test": "sign",
    "friedman test": "friedman",
}  # fmt: skip
T_TESTS = "write corrected-t (folds of one dataset), paired-t (over datasets) or row-t (rows of one test set)"


def _two_words(place: ErrorPlace) -> Problem | None:
    """`naive bayes`, `wilcoxon signed-rank`, `paired t-test`"""
    before = place.before
    if before is None or before.kind != "NAME" or before.end > place.span.start:
        return None
    if place.text[before.end : place.span.start].strip(" \t"):
        return None
    span = Span(place.span.path, before.start, place.span.end)
    said = f"{before.text} {place.found}".lower()
    if said in ("paired t-test", "student t-test"):
        return Problem(span, f"{said} may mean three tests", T_TESTS, meant="by")
    name = TWO_WORDS.get(said)
    if name is None:
        return None
    return Problem(span, "a name is one word", f"write `{name}`", replaced(place, name, span, safe=True), name)


def _upper_case(place: ErrorPlace) -> Problem | None:
    """`Compare`, `USING`"""
    lower = place.found.lower()
    if lower != place.found and lower in words(place.accepted):
        return Problem(
            place.span,
            "the language's words are lower case",
            f"write `{lower}`",
            replaced(place, lower, safe=True),
            lower,
        )
    return None


def _synonym(place: ErrorPlace) -> Problem | None:
    """Words of other tools: `versus`, `metric`, `random_state`."""
    own = SYNONYMS.get(place.found.lower())
    if own is None or own not in words(place.accepted) or place.found in words(place.accepted):
        return None
    message = f"`{place.found}` does not fit here: expected `{own}`"
    fix = replaced(place, own, safe=own == "vs")
    return Problem(place.span, message, f"the language says `{own}`", fix, own)


def _half_a_clause(place: ErrorPlace) -> Problem | None:
    """`using 10cv, gap of 7`: after the comma the word stands without the one that makes it a clause."""
    whole = IN_FULL.get(place.found)
    if whole is None or words_of_language()[place.found] not in place.accepted:
        return None
    return Problem(place.span, f"`{place.found}` is only the beginning of a clause here", f"write it in full: {whole}")


def _is_or_from(place: ErrorPlace) -> Problem | None:
    """`dataset d is csv "d.csv"`, `learner x from svm`"""
    own = {"is": "from", "from": "is"}.get(place.found)
    if own is None or words_of_language()[own] not in place.accepted:
        return None
    message = f"`{place.found}` does not fit here: expected `{own}`"
    return Problem(place.span, message, f"write `{own}` here", replaced(place, own), own)


_KINDS = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".arff": "arff", ".db": "sql",
    ".feather": "feather", ".xlsx": "excel",
}  # fmt: skip


def _source_kind(place: ErrorPlace) -> Problem | None:
    """`dataset d from "d.csv"`"""
    if not place.found.startswith('"') or place.accepted != {"NAME", "SYNTHETIC"}:
        return None
    kind = next((kind for ending, kind in _KINDS.items() if place.found[:-1].endswith(ending)), "builtin")
    new = f"{kind} {place.found}"
    return Problem(
        place.span,
        "the kind of source is missing: expected `builtin`, `csv`, `parquet`, `arff`, `sql`, `openml` or `synthetic`",
        f"write `{new}`",
        replaced(place, new),
        kind,
    )


def _grid(place: ErrorPlace) -> Problem | None:
    """`tune C in [1, 2]`, `tune C in (1, 2)`, `tune C in 1, 2`"""
    if place.found not in ("[", "(") or "LBRACE" not in place.accepted:
        return None
    inside = re.compile(r"[\[(]([^\])\r\n]*)[\])]").match(place.text, place.span.start, place.end)
    ends = [one.strip() for one in inside[1].split(",")] if inside else []
    either = (
        f"; write {{{ends[0]}, {ends[1]}}} for the two, {ends[0]}..{ends[1]} for all between" if len(ends) == 2 else ""
    )
    return Problem(
        place.span,
        f"`{place.found}` does not fit here: expected values to try, such as `{{1, 2, 4}}`, `1..10` or `10^{{-3..3}}`",
        f"a set of values stands in braces{either}",
        meant="{",
    )


def _unquoted(place: ErrorPlace) -> Problem | None:
    """A path, a column or a reason without its quotes."""
    if "STRING" not in place.accepted or "NAME" in place.accepted or place.kind in ("$END", "UNKNOWN"):
        return None
    if place.found in RESERVED or not place.found[:1].isalnum():
        return None
    if place.accepted & {"TO", "OVER", "IN"} or (place.found in CLAUSE_WORDS and "STRING" not in place.accepted):
        return None
    found = re.compile(r"[\w./\\:~-]+").match(place.text, place.span.start, place.end)
    span = Span(place.span.path, place.span.start, found.end()) if found else place.span
    new = f'"{place.text[span.start : span.end]}"'
    return Problem(span, "text stands in double quotes here", f"write {new}", replaced(place, new, span), new)


_COUNTED = ("top-k", "pass")  # their one number is k


def _digit_name(place: ErrorPlace) -> Problem | None:
    """`compare 1-NN vs C4.5`"""
    if not place.found[:1].isdigit() or not ("NAME" in place.accepted and "STRING" in place.accepted):
        return None
    call = re.compile(r"([\w.-]+)\($").search(place.text, 0, place.span.start)
    if call is not None and place.before is not None and place.before.text == "(":
        if call[1] in _COUNTED:
            new = f"k = {place.found}"
            fix = replaced(place, new, safe=True)
            return Problem(place.span, "a value in brackets needs its name", f"write {call[1]}({new})", fix, call[1])
        help = f"write {call[1]}(NAME = {place.found}); `evalang explain {call[1]}` lists the names"
        return Problem(place.span, "a value in brackets needs its name", help)
    new = f'"{place.found}"'
    return Problem(
        place.span,
        "a name begins with a letter",
        f"a name that does not stands in quotes: {new}",
        replaced(place, new),
        new,
    )


def _reserved(place: ErrorPlace) -> Problem | None:
    """A word of the language used as a name."""
    if place.found not in RESERVED or "NAME" not in place.accepted or "STRING" not in place.accepted:
        return None
    if place.before is not None and place.before.kind in ("COMMA",) and place.found not in STATEMENT_WORDS:
        return None
    new = f'"{place.found}"'
    return Problem(
        place.span,
        f"`{place.found}` is a word of the language and cannot be a name",
        f"to use it as one, put it in quotes: {new}",
        replaced(place, new),
    )


def _clause_in_list(place: ErrorPlace) -> Problem | None:
    """`on heart, time`: the comma before a clause word ended the list."""
    if place.before is None or place.before.text != "," or place.found not in words_of_language():
        return None
    if place.found not in CLAUSE_WORDS or place.found in RESERVED or place.statement not in STATEMENT_WORDS:
        return None
    new = f'"{place.found}"'
    return Problem(
        place.span,
        f"after a comma `{place.found}` begins a clause, and `{place.statement}` has no such clause",
        f"if it is a name in a list, put it in quotes: {new}",
        replaced(place, new),
    )


def _one_learner(place: ErrorPlace) -> Problem | None:
    """`compare tree on iris`"""
    if place.statement != "compare" or "VS" not in place.accepted or "ON" in place.accepted or place.found != "on":
        return None
    return Problem(
        place.span,
        "a comparison needs at least two learners",
        "write `compare a vs b on ...`, or `estimate a on ...` for one learner",
    )


def _statement_on_same_line(place: ErrorPlace) -> Problem | None:
    """Two statements on one line."""
    if place.found in STATEMENT_WORDS and "$END" in place.accepted:
        return Problem(
            place.span,
            f"`{place.found}` begins a new statement on the same line",
            "begin it on a new line",
            Fix(
                "begin a new line", (Edit(Span(place.span.path, place.span.start, place.span.start), "\n"),), safe=False
            ),
        )
    return None


Mistake = Callable[[ErrorPlace], Problem | None]
MISTAKES: tuple[Mistake, ...] = (
    _full_stop,
    _setting,
    _scheme_words,
    _three_shares,
    _level,
    _clause_equals,
    _sign_in_list,
    _said_otherwise,
    _over_nothing,
    _comma_twice,
    _quotes,
    _comment,
    _dash,
    _folds,
    _percent,
    _number,
    _equals,
    _relation,
    _comma_at_end,
    _using_missing,
    _on_missing,
    _tuned_in_learner,
    _two_words,
    _joined,
    _scheme_after_with,
    _one_learner,
    _statement_on_same_line,
    _upper_case,
    _synonym,
    _digit_name,
    _reserved,
    _clause_in_list,
    _half_a_clause,
    _is_or_from,
    _source_kind,
    _grid,
    _unquoted,
)


def frequent(place: ErrorPlace) -> Problem | None:
    """Return the first frequent mistake that explains the place."""
    for mistake in MISTAKES:
        problem = mistake(place)
        if problem is not None:
            return problem
    return None
