"""From a token that does not fit to a sentence: what was found, what was expected, what was probably meant."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Set
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

from lark import Token, UnexpectedToken

from .builder import Problem
from .grammar import CLAUSE_PAIRS, CLAUSE_WORDS, Word, terminal_words, words_of_language
from .grammar import words as tokens
from .mistakes import SYNONYMS, ErrorPlace, comma_at_end, frequent, words
from .nodes import STATEMENT_WORDS
from .text import Edit, Fix, Span, nearest

_CHUNK = re.compile(r"[\w.%/×*–−-]+")
_WIDE = ("UNKNOWN", "INT", "DECIMAL", "NAME", "FRACTION", "CV", "RXKCV", "FIVE_BY_TWO")


def diagnose(path: str, text: str, start: int, end: int, error: UnexpectedToken) -> Problem:
    """Return the problem at the token where reading stopped, in the statement `text[start:end]`."""
    parser: Any = error.interactive_parser
    accepted: set[str] = parser.accepts()
    token: Any = error.token
    kind, (_, at, stop) = token.type, token.span
    read = _tokens(text, start, end if kind == "$END" else at, last=2)
    if kind == "TOO_DEEP":
        from .parser import DEEPEST

        return Problem(Span(path, at, stop), f"more than {DEEPEST} brackets are open here", "close some of them first")
    if kind == "COMMA" and "CLAUSE_COMMA" in accepted:
        # No list stands here, so the comma is right and the word after it is no clause word.
        following = _tokens(text, stop, end, first=1)
        if not following:
            return comma_at_end(Span(path, at, stop))
        parser.feed_token(Token("CLAUSE_COMMA", ","))
        accepted = parser.accepts()
        read.append(Word("COMMA", ",", at, stop))
        kind, at, stop = following[0].kind, following[0].start, following[0].end
    elif len(read) > 1 and (meant := _misspelt_member(read, accepted)):
        return _misspelt(path, read[-1], meant)
    if {"ON", "BECAUSE"} <= accepted:  # before the datasets of an experiment
        clause = _first_clause(text, start, end if kind == "$END" else at)
        if clause is None:  # clauses may stand here, but seldom do
            accepted -= {word.upper() for word in (CLAUSE_WORDS | _PAIRS) - {"on"}}
        elif kind == "$END":  # the datasets are missing, not what follows the clauses
            kind, at, stop = clause.kind, clause.start, clause.end
            read = _tokens(text, start, at, last=2)
            accepted = {"ON", "VS"} if text.startswith("compare", start) else {"ON"}
    before = read[-1] if read else None
    if kind == "$END":
        at = stop = start if before is None else before.end
    elif kind in _WIDE and (chunk := _CHUNK.match(text, at, end)):
        stop = chunk.end()
    first = _CHUNK.match(text, start, end)
    statement = first[0] if first else ""
    place = ErrorPlace(text, Span(path, at, stop), text[at:stop], kind, before, frozenset(accepted), statement, end)
    return frequent(place) or _general(place)


def _first_clause(text: str, start: int, stop: int) -> Word | None:
    """Return the word that begins the first clause of an experiment; learners may be called like clauses."""
    for before, word in pairwise(_tokens(text, start, stop)):
        if word.text in CLAUSE_WORDS - {"on"} and before.text not in ("compare", "estimate", "vs", "classifier"):
            return word
    return None


def _misspelt_member(read: list[Word], accepted: set[str]) -> str | None:
    """`on d, usng 10cv`: the last member of the list was meant to be a clause word."""
    comma, last = read[-2:]
    if comma.text != "," or last.kind != "NAME" or len(last.text) < 3 or "$END" not in accepted:
        return None
    fitting = [word for word in words(accepted) if word in CLAUSE_WORDS]
    other = SYNONYMS.get(last.text.lower())
    return other if other in fitting else nearest(last.text, fitting)


def _misspelt(path: str, word: Word, meant: str) -> Problem:
    span = Span(path, word.start, word.end)
    fix = Fix(f"write `{meant}`", (Edit(span, meant),), safe=False)
    message = f"`{word.text}` does not fit here: after a comma, expected a further member of the list or a clause"
    return Problem(span, message, f"did you mean `{meant}`?", fix, meant)


def _general(place: ErrorPlace) -> Problem:
    wanted = expected(place.accepted, place.before)
    if place.kind == "$END":
        after = f" after `{_short(place.before.text)}`" if place.before else ""
        return place.problem(f"the statement ends too early: expected {wanted}{after}", _more(place))
    message = f"`{_short(place.found)}` does not fit here: expected {wanted}"
    meant = nearest(place.found, words(place.accepted)) if place.found[:1].isalpha() else None
    if meant is not None and meant != place.found:
        return place.problem(message, f"did you mean `{meant}`?", meant, meant)
    return place.problem(message, _more(place))


def _more(place: ErrorPlace) -> str:
    if place.statement not in STATEMENT_WORDS:
        return "a statement begins on a new line with its statement word, a comment with `#`"
    only = [terminal_words()[terminal] for terminal in place.accepted if terminal in terminal_words()]
    if len(only) == 1 and len(place.accepted) == 1:
        return f"write `{only[0]}` here"
    if place.kind in ("NAME", "STRING") and "COMMA" in place.accepted:
        return "separate the members of a list by commas"
    return f"`evalang explain {place.statement}` shows how it is written"


def _short(word: str) -> str:
    return word if len(word) <= 60 else word[:57] + "..."


def _tokens(text: str, start: int, stop: int, first: int | None = None, last: int | None = None) -> list[Word]:
    """Return the first or the last few tokens of a stretch, words of the language with their own terminal."""
    found = (word for word in tokens(text, start, stop) if not word.comment)
    few = islice(found, first) if first else deque(found, maxlen=last)
    known = words_of_language()
    return [replace(word, kind=known.get(word.text, word.kind)) for word in few]


_MOST = 8  # words listed before the dots

# What a name stands for, by the word before it.
_NAMED = {
    "COMPARE": "the name of a learner", "VS": "the name of a learner", "ESTIMATE": "the name of a learner",
    "CLAIM": "the name of a learner", "CLASSIFIER": "the name of a learner", "THAN": "the name of a learner",
    "CONTROL": "the name of a learner", "EXPECTING": "the name of a learner", "ON": "the name of a dataset",
    "DATASET": "a name for the dataset", "SUITE": "a name for the suite", "LEARNER": "a name for the learner",
    "RESULTS": "a name for the results", "PREDICTIONS": "a name for the predictions", "BY": "the name of a test",
    "MEASURING": "the name of a metric", "FOR": "the name of a metric", "ALLOW": "the code of a rule, such as EV401",
    "BAR": "a learner or preparation step", "OF": "a name", "WITH": "a setting such as `n 300`",
    "ACCORDING": "the name of a comparison", "AS": "a name", "TUNE": "a parameter to tune",
    "LPAR": "a parameter, as in `depth = 3`", "SYNTHETIC": "a generator such as `gaussians`",
    "TILDE": "the name of a column", "PRIMARY": "the name of a metric",
}  # fmt: skip


def expected(accepted: Set[str], before: Word | None) -> str:
    """Return a phrase such as "`vs` or `on`", "the name of a test", "a clause (`using`, `by`, ...)"."""
    rest = set(accepted)
    phrases: list[str] = []
    if rest & {"FROM", "IS"}:
        rest.discard("DESCRIBED")  # the rarer way to begin
    if before is not None and before.text in ("from", "on") and rest == {"NAME", "SYNTHETIC"}:
        return "a reader such as `csv`"
    if set(_statement_terminals()) <= rest:
        return "a statement word (" + _listed(list(STATEMENT_WORDS), len(STATEMENT_WORDS)) + ")"
    if "HOLDOUT" in rest or "CV" in rest:
        rest -= _SCHEME
        phrases.append("a scheme such as `10cv`, `5x2cv` or `holdout 1/3`" if "HOLDOUT" in accepted else "`10cv`")
    if "NAME" in rest or "DIGIT_NAME" in rest:
        rest -= {"NAME", "DIGIT_NAME", "STRING", "ALL", "THIS", "NEW", "EACH"}  # words that may be names here
        phrases.append(_NAMED.get(before.kind, "a name") if before else "a name")
    if {"TRUE", "FALSE"} <= rest:
        phrases = ["a value (a number, text in double quotes, `true`, `false`, `none`, a list in square brackets)"]
        rest -= {"TRUE", "FALSE", "NONE", "LBRACKET", "STRING"} | _NUMBERS
    if "STRING" in rest:
        rest.discard("STRING")
        phrases.append("text in double quotes")
    if rest & _NUMBERS:
        shares = "PERCENT" in rest
        phrases.append(
            "a share such as 20% or a number" if shares else "a number" if "DECIMAL" in rest else "a whole number"
        )
        rest -= _NUMBERS | {"TEST"}  # never suggest tuning on the test part
    ends = "$END" in rest
    after_comma = before is not None and before.text == ","
    clauses = [w for w in words(rest) if w in CLAUSE_WORDS or w in _PAIRS] if ends or after_comma else []
    others = [
        f"`{terminal_words()[t]}`"
        for t in sorted(rest)
        if t in terminal_words() and terminal_words()[t] not in clauses and t not in _QUIET
    ]
    if len(others) > _MOST:
        others = [*others[:_MOST], "..."]
    phrases += others
    if clauses:
        phrases.append("a clause (" + _listed(_by_use(clauses), _MOST) + ")")
    if ends:
        phrases.append("the end of the statement")
    return _either(phrases)


_PAIRS = {*CLAUSE_PAIRS, "randomised"}  # clauses of two words, and one that is told by its place
_NUMBERS = {"INT", "DECIMAL", "PERCENT", "FRACTION", "POINTS_SHORT"}
_SCHEME = {
    "CV", "RXKCV", "FIVE_BY_TWO", "HOLDOUT", "LEAVE_ONE_OUT", "BOOTSTRAP", "FORWARD", "GIVEN", "STRATIFIED",
    "UNSTRATIFIED", "GROUPED", "INT", "GUARDED",
}  # fmt: skip
# Accepted, but no help: commas, the singular of a word.
_QUIET = {
    "COMMA", "CLAUSE_COMMA", "ROW", "POINT", "TIME", "PARTITION", "RESAMPLE", "TRAINING", "SPLIT", "LPAR",
}  # fmt: skip
_USE = (
    "using", "by", "measuring", "tune", "bonferroni", "holm", "at", "seed", "as", "control", "rope", "target",
    "positive", "groups", "time", "sampled", "try", "calibrate", "train", "datasets", "learners", "truth", "with",
    "within", "because", "allow",
)  # fmt: skip


def _by_use(found: list[str]) -> list[str]:
    """Return clause words, the most used first."""
    return sorted(found, key=lambda word: (_USE.index(word) if word in _USE else len(_USE), word))


def _statement_terminals() -> list[str]:
    return [words_of_language()[word] for word in STATEMENT_WORDS]


def _listed(found: list[str], most: int) -> str:
    shown = ", ".join(f"`{word}`" for word in found[:most])
    return shown + (", ..." if len(found) > most else "")


def _either(phrases: list[str]) -> str:
    if not phrases:
        return "nothing more"
    return phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} or {phrases[-1]}"
