"""Frequent mistakes in words: those of other tools, capitals, missing quotes, words of the language as names."""

from __future__ import annotations

import re

from .build_nodes import Problem
from .expected import words
from .lexer import CLAUSE_WORDS, RESERVED, STATEMENT_WORDS, WORDS
from .place import ErrorPlace, replaced
from .text import Edit, Fix, Span

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
    if place.kind not in ("CV", "RXKCV", "FIVE_BY_TWO") or "_USING" not in place.accepted:
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
    if place.before is None or place.before.text not in ("tune", "calibrate") or "_ON" not in place.accepted:
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


_SCHEME = re.compile(
    r"\s*(?:[0-9]+(?:[ \t]*[x×][ \t]*[0-9]+)?[ \t-]*(?:cv|fold)(?![\w-])|[0-9]+[ \t]+(?:times|halvings|partitions)"
    r"|cv|loo|(?:stratified|unstratified|grouped|blocked|holdout|leave-one-out|bootstrap|forward|given|partitions)(?!\w))",
    re.IGNORECASE,
)


def _scheme_after_with(place: ErrorPlace) -> Problem | None:
    """`compare a vs b on d with 10cv`, `… using 5x2cv with mcnemar`"""
    if place.found == "with" and {"_USING", "_BY"} <= place.accepted and not _SCHEME.match(place.text, place.span.end):
        return Problem(
            place.span,
            "`with` does not fit here: expected `using` and a scheme, or `by` and a test",
            "a test follows `by`",
            replaced(place, "by"),
            "by",
        )
    if place.found == "with" and "_USING" in place.accepted:
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
    if place.found in ("and", "&", "or", "plus") and "_COMMA" in place.accepted:
        return Problem(
            place.span,
            "the members of a list are separated by commas",
            f"write `,` in place of `{place.found}`",
            replaced(place, ","),
            ",",
        )
    if place.found == "," and place.statement == "compare" and "_VS" in place.accepted:
        found = re.compile(r"[ \t]*,[ \t,]*").match(place.text, place.span.start, place.end)
        span = Span(place.span.path, place.span.start, found.end()) if found else place.span
        fix = replaced(place, " vs ", span, safe=True)
        return Problem(place.span, "learners are compared with `vs`", "write `vs` in place of the comma", fix, "vs")
    if place.found in ("and", "&", "or") and "_VS" in place.accepted:
        return Problem(
            place.span,
            "learners are compared with `vs`",
            f"write `vs` in place of `{place.found}`",
            replaced(place, "vs", safe=True),
            "vs",
        )
    if "_BAR" in place.accepted and (
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
    if before is None or before.type != "NAME" or before.span.end > place.span.start:
        return None
    if place.text[before.span.end : place.span.start].strip(" \t"):
        return None
    span = Span(place.span.path, before.span.start, place.span.end)
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


# Clauses that are told by their second word, each in full.
_IN_FULL = {
    "where": 'where "age" > 18', "gap": "gap 7 rows", "primary": "primary roc-area", "threshold": "threshold 0.3",
    "until": "until settled within 5 looks", "stop": "stop early on 10%", "made": "made using 5cv",
    "trained": "trained 20 times", "tuned": "tuned on 20%", "copied": 'copied from "Chen 2016, table 3"',
    "join": 'join classes "a", "b" as "ab"', "seeds": 'seeds in "run"', "repeats": 'repeats in "Run"',
    "items": 'items in "question"', "series": 'series in "shop"', "rarest": "rarest 2%",
}  # fmt: skip


def _half_a_clause(place: ErrorPlace) -> Problem | None:
    """`using 10cv, gap of 7`: after the comma the word stands without the one that makes it a clause."""
    whole = _IN_FULL.get(place.found)
    if whole is None or WORDS[place.found] not in place.accepted:
        return None
    return Problem(place.span, f"`{place.found}` is only the beginning of a clause here", f"write it in full: {whole}")


def _is_or_from(place: ErrorPlace) -> Problem | None:
    """`dataset d is csv "d.csv"`, `learner x from svm`"""
    own = {"is": "from", "from": "is"}.get(place.found)
    if own is None or WORDS[own] not in place.accepted:
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
    if place.found not in ("[", "(") or "_LBRACE" not in place.accepted:
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
    if place.accepted & {"_TO", "_OVER", "_IN"} or (place.found in CLAUSE_WORDS and "STRING" not in place.accepted):
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
    if place.before is not None and place.before.type in ("_COMMA",) and place.found not in STATEMENT_WORDS:
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
    if place.before is None or place.before.text != "," or WORDS.get(place.found) is None:
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
    if place.statement != "compare" or "_VS" not in place.accepted or "_ON" in place.accepted or place.found != "on":
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


MISTAKEN_WORDS = (
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
