"""The table of frequent mistakes: what authors write from habit, and how the language writes it.

A row is a pattern with its sentence; what a pattern cannot tell is a function. Rows and functions are tried in the
order in which they stand here, before the general sentence of diagnose.py.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Set
from dataclasses import dataclass

from .builder import Problem
from .grammar import CLAUSE_WORDS, IN_FULL, RESERVED, Word, mixed_scripts, terminal_words, words_of_language
from .nodes import STATEMENT_WORDS
from .text import Edit, Fix, Span, for_terminal, nearest


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

    @property
    def last(self) -> str:
        """The text of the token before."""
        return self.before.text if self.before is not None else ""

    def at(self, start: int, end: int) -> Span:
        return Span(self.span.path, start, end)

    def match(self, pattern: str, start: int | None = None) -> re.Match[str] | None:
        """Match a pattern where the error is, or where `start` says."""
        return re.compile(pattern).match(self.text, self.span.start if start is None else start, self.end)

    def problem(
        self, message: str, help: str, new: str | None = None, meant: str = "", *, span: Span | None = None,
        edit: Span | None = None, safe: bool = False,
    ) -> Problem:  # fmt: skip
        """Return the problem at the place, or at `span`; its repair writes `new` there, or at `edit`."""
        span = span or self.span
        fix = None
        if new is not None:
            title = f"write `{new.strip()}`" if new.strip() else "remove it"
            fix = Fix(title, (Edit(edit or span, new),), safe)
        return Problem(span, message, help, fix, meant)


Mistake = Callable[[ErrorPlace], Problem | None]


def words(accepted: Set[str]) -> list[str]:
    """Return the accepted words of the language, without signs and values."""
    found = (terminal_words().get(terminal, "") for terminal in accepted)
    return sorted(word for word in found if word[:1].isalpha())


# ---------------------------------------------------------------- mistakes that a pattern tells


@dataclass(frozen=True, slots=True)
class Pattern:
    """One frequent mistake: `form` matches where the error is, after `<` from the word before, after `?` from either.

    One of the terminals in `needs` has to be accepted there, and none of those in `without`; the statement is one of
    `statements`. The mistake is all that matched, or the group `at`. The texts may name groups.
    """

    form: str
    message: str
    help: str
    new: str | None = None
    meant: str = ""  # the word of the language that was meant
    needs: str = ""
    without: str = ""
    statements: str = ""
    safe: bool = False

    def __call__(self, place: ErrorPlace) -> Problem | None:
        """Return the problem where the pattern explains the place."""
        if self.needs and not place.accepted & set(self.needs.split()):
            return None
        if place.accepted & set(self.without.split()) or place.statement not in (self.statements or place.statement):
            return None
        found = None if self.form[0] == "<" else place.match(self.form.lstrip("?"))
        if found is None and self.form[0] in "<?" and place.before is not None:
            found = place.match(self.form[1:], place.before.start)
        if found is None:
            return None
        edit = place.at(*found.span("at" if "at" in found.re.groupindex else 0))
        shown = place.at(edit.start, edit.start + len(place.text[edit.start : edit.end].rstrip()))
        new = None if self.new is None else found.expand(self.new)
        message, help, meant = (found.expand(one) for one in (self.message, self.help, self.meant))
        return place.problem(message, help, new, meant, span=shown, edit=edit, safe=self.safe)


def _scheme(form: str, new: str, needs: str = "HOLDOUT") -> Pattern:
    message, help = r"`\g<0>` is not a known scheme", f"it is written `{new}`"
    return Pattern(form, message, help, new, "using", needs, safe=True)


_EXPERIMENT = "compare estimate"
_SCHEME_AHEAD = (
    r"\s*(?:[0-9]+(?:[ \t]*[x×][ \t]*[0-9]+)?[ \t-]*(?:cv|fold)(?![\w-])|[0-9]+[ \t]+(?:times|halvings|partitions)"
    r"|cv|loo|(?:stratified|unstratified|grouped|blocked|holdout|leave-one-out|bootstrap|forward|given|partitions)(?!\w))"
)
_DEFAULT = "a default for the whole script begins with `set`"
_LEVEL = "a significance level is written after `at`"
_EQUALS = "the value of a clause is written without `=`"
_PATTERNS = (
    Pattern(r"(?<=vs)\.", "`vs` is written without a full stop", "write `vs`", "", "vs", safe=True),
    Pattern(r"p[ \t]*<?=?[ \t]*([0-9.]+%?)(?=\s|$)", _DEFAULT, r"write `set alpha \1`",
            r"set alpha \1", "set", "SET", safe=True),
    Pattern(r"(seed|alpha|rope|margin)[ \t]*(?:<=?|=)?[ \t]*([0-9.]+%?)(?=\s|$)", _DEFAULT,
            r"write `set \1 \2`", r"set \1 \2", "set", "SET", safe=True),
    # schemes
    _scheme(r"([0-9]+)[ \t]*-?CV(?!\w)", r"\1cv"),
    _scheme(r"(?i)cv[ \t_-]?([0-9]+)(?!\w)", r"\1cv"),
    _scheme(r"(?i)(?:loo-?cv|loo|leave[ \t-]one[ \t-]out)(?![\w-])", "leave-one-out"),
    _scheme(r"(?i)leave-one-(?:group|subject|patient)-out(?!\w)", "grouped leave-one-out"),
    _scheme(r"<(?i:([0-9]+)[ \t]+times[ \t]+([0-9]+)[ \t-]*(?:cv|fold)(?!\w))", r"\1x\2cv", ""),
    *(  # the two shares make the whole; `80/30` can mean anything
        _scheme(rf"{100 - test}%?[ \t]*/[ \t]*({test})%?(?![\w/])(?:[ \t]+split(?!\w))?", r"holdout \1%")
        for test in range(10, 60, 5)
    ),
    _scheme(r"(?i)([0-9.]+%)[ \t]+hold-?out(?!\w)", r"holdout \1"),
    *(
        Pattern(rf"{train}%?[ \t]*/[ \t]*{tune}%?[ \t]*/[ \t]*{test}(?![\w/])",
                "a train/tune/test split is written as two clauses",
                f"write using holdout {test}%, tune on {100 * tune / (train + tune):.3g}% (of what is not tested)",
                None, "using", "HOLDOUT")
        for train, tune, test in ((60, 20, 20), (80, 10, 10), (70, 15, 15), (70, 10, 20), (70, 20, 10), (50, 25, 25))
    ),
    # levels and seeds
    Pattern(r"(?:(?:alpha|α)[ \t]*=?|p[ \t]*<=?)[ \t]*([1-9][0-9]?)(?![\w.%])", _LEVEL,
            r"write `at \1%`", r"at \1%", "at", "AT", safe=True),
    Pattern(r"(?:(?:alpha|α)[ \t]*=?|p[ \t]*<=?)[ \t]*(?=([0-9.]+%?))", _LEVEL, r"write `at \1`",
            "at ", "at", "AT", safe=True),
    Pattern(r"(?:alpha|α)(?![\w.-])", _LEVEL, "write `at 0.05`", "at ", "at", "AT", safe=True),
    Pattern(r"?(seed|rope|margin)[ \t]*=[ \t]*(?=([0-9.]+%?))", _EQUALS, r"write `\1 \2`", r"\1 ",
            r"\1", without="EQUALS", statements=_EXPERIMENT, safe=True),
    Pattern(r"<(?<!at )(?:alpha|p)[ \t]*(?:<=?|=)[ \t]*(?=([0-9.]+%?))", _LEVEL, r"write `at \1`",
            "at ", "at", without="EQUALS", statements=_EXPERIMENT, safe=True),
)  # fmt: skip
_SIDED = "a one-sided test names the expected winner, with a reason", 'write expecting NAME better because "…"'
_OVER = "a correction needs `over` and what it corrects over", "write holm over datasets (or learners, metrics)"
_BH = "write bh over datasets (or learners, metrics, everything)"
# A word that seems to be a clause -> what is wrong with it, and what to write.
MISTAKEN_CLAUSES = {
    "fdr": ("control of the false discovery rate is written `bh`", _BH),
    "benjamini-hochberg": ("this correction is named bh", _BH),
    "two-sided": ("tests are two-sided by default", "leave it out"),
    "nested": ("nested cross-validation is written as two clauses", "write using 10x2cv, tune using 5cv"),
    "one-sided": _SIDED,
    "one-tailed": _SIDED,
    "corrected": _OVER,
    "adjusted": _OVER,
}
# The clause that each of them was meant to be.
_CLAUSE_MEANT = {
    "fdr": "bh", "benjamini-hochberg": "bh", "nested": "using", "two-sided": "expecting", "one-sided": "expecting",
    "one-tailed": "expecting", "corrected": "holm", "adjusted": "holm",
}  # fmt: skip


def _mistaken_clause(place: ErrorPlace) -> Problem | None:
    """`fdr`, `nested`, `one-sided`, `corrected by holm`"""
    word = place.found.lower()
    if word not in MISTAKEN_CLAUSES or not ({"AT", "HOLDOUT"} & place.accepted):
        return None
    whole = place.match(r"(?:corrected|adjusted)[ \t]+(?:by|with|using)[ \t]+[\w-]+")
    meant = _CLAUSE_MEANT[word]
    new = meant if meant == "bh" and place.match(r"[ \t]+over[ \t]", place.span.end) else None
    span = place.at(*whole.span()) if whole else place.span
    return place.problem(*MISTAKEN_CLAUSES[word], new, meant, span=span, safe=True)


# ---------------------------------------------------------------- signs and numbers

_QUOTES = {"“": "”", "”": "”", "„": "“", "«": "»", "»": "«", "‘": "’", "’": "’", "‚": "‘", "`": "`", "'": "'"}


def _quotes(place: ErrorPlace) -> Problem | None:
    """Single, typographic or unclosed quotes."""
    start, mark, before = place.span.start, place.found[:1], place.before
    line_end = re.compile(r"[^\r\n]*").match(place.text, start, place.end).end()  # type: ignore[union-attr]
    if mark == '"' and place.kind == "UNKNOWN":
        help = 'text needs double quotes on one line; `""` is a quote inside it'
        return place.problem("this text has no closing quote on its line", help, span=place.at(start, line_end))
    if before is not None and before.kind == "STRING" and before.end == start:
        # `csv "d.csv, target "y"`: the text that was left open ends at the quote that should open the next.
        line = max(place.text.rfind(end, 0, before.start) for end in "\n\r") + 1
        if place.text.count('"', line, line_end) % 2:
            message, span = "a quote of this line is not closed, perhaps this one", place.at(before.start, before.end)
            return place.problem(message, "text needs double quotes on one line", span=span)
    if mark not in _QUOTES:
        return None
    message, help = f"`{mark}` cannot be used as a quotation mark", "text needs straight double quotes:"
    inside = place.match(rf"{mark}([^\r\n]*?)[{_QUOTES[mark]}{mark}\"]")
    if inside is None:
        return place.problem(message, f'{help} "..."', span=place.at(start, start + 1))
    new = f'"{inside[1]}"'
    return place.problem(message, f"{help} {new}", new, span=place.at(*inside.span()))


def _hidden(place: ErrorPlace) -> Problem | None:
    """A character that cannot be seen, as it comes with text from a web page."""
    if place.kind != "UNKNOWN" or for_terminal(place.found) == place.found:
        return None
    name = unicodedata.name(place.found, "a control character").lower()
    message = f"there is an invisible character here: U+{ord(place.found):04X} ({name})"
    return place.problem(message, "remove it; only text and comments may hold such characters", "")


def _mixed_scripts(place: ErrorPlace) -> Problem | None:
    """`trеe` with a Cyrillic `е`: it looks like `tree`, and would be another name (Unicode Technical Standard 39)."""
    if place.kind != "MIXED_SCRIPTS":
        return None
    (one, its), (two, other) = mixed_scripts(place.found)[:2]
    message = f"`{place.found}` mixes letters of two scripts: `{one}` is {its}, `{two}` is {other}"
    word = nearest(place.found, words(place.accepted))
    help = f'write it in one script, or put it in quotes if it is meant: "{place.found}"'
    return place.problem(message, f"write `{word}`" if word else help, word, word or "")


def _comma_at_end(place: ErrorPlace) -> Problem | None:
    """A list that ends in a comma."""
    if place.kind != "$END" or place.before is None or place.last != ",":
        return None
    return comma_at_end(place.at(place.before.start, place.before.end))


def comma_at_end(span: Span) -> Problem:
    """Return the problem of a comma after which the statement ends."""
    fix = Fix("remove the comma", (Edit(span, ""),), safe=False)
    return Problem(span, "nothing follows this comma", "remove it, or continue the list", fix)


_IS, _FROM = (rf"`\g<0>` does not fit here: expected `{word}`" for word in ("is", "from"))
_VALUE = "`=` does not fit here: expected a value"
_SIGNS: tuple[Mistake, ...] = (
    Pattern(r"<,\s*(?P<at>,)", "one comma is enough", "remove the second one", "", ",", safe=True),
    _hidden,
    _quotes,
    Pattern(r"<([a-z]+)", r"\1 needs `over` and what it corrects over",
            r"write \1 over datasets (or learners, metrics, everything)", needs="OVER", without="BECAUSE"),
    Pattern(r"//|--|/\*", r"`\g<0>` does not begin a comment", "a comment begins with `#`", "#"),
    Pattern(r";", "a statement needs no `;`", "end the line instead", ""),
    Pattern(r"[–—−‐‑]", r"`\g<0>` is not a hyphen", "write `-`", "-"),
    _scheme(r"?(?i:([0-9]+)[ \t]*-?[ \t]*folds?(?:[ \t-]*(?:cv|cross[ \t-]?validation))?(?!\w))", r"\1cv", ""),
    _scheme(r"<(?i:([0-9]+)[ \t]+cv(?!\w))", r"\1cv", ""),
    _scheme(r"?(?![0-9]+x[0-9]+cv)(?i:([0-9]+)[ \t]*[x×*][ \t]*([0-9]+)[ \t-]*(?:cv|fold(?:[ \t-]*cv)?)?(?!\w))",
            r"\1x\2cv", ""),
    Pattern(r"<([0-9.]+)(?![0-9.%])[ \t]*(?:%|(?i:per[ \t]?cent)(?!\w))", "a percentage is written without a space",
            r"write `\1%`", r"\1%", r"\1%"),
    Pattern(r"\.[0-9]+%?", "a number needs a digit before the point", r"write `0\g<0>`", r"0\g<0>"),
    Pattern(r"([0-9]{1,3})_([0-9]{3})(?!\w)", "a number is written without `_` between its digits",
            r"write `\1\2`", r"\1\2"),
    Pattern(r"<([0-9]+)(?P<at>\.)(?![0-9])", "a number needs a digit after the point", r"write `\1.0`", ".0"),
    Pattern(r":=?|=", "a parameter is given with `=`", "write `name = value`", "=", "=", "EQUALS"),
    Pattern(r":=?|=|is(?!\w)", _FROM, "write `from`", "from", "from", "FROM"),
    Pattern(r":=?|=|from(?!\w)", _IS, "write `is`", "is", "is", "IS"),
    *(
        Pattern(rf"<(seed|alpha|rope|margin){gap}(?P<at>=[ \t]*)", _VALUE, r"leave it out: `\1 …`", new, safe=True)
        for gap, new in (("", " "), (r"[ \t]+", ""))
    ),
    Pattern(r"=[ \t]*", _VALUE, "leave it out: `at alpha 0.05`, `seed 20`", " ", needs="INT PERCENT STRING"),
    Pattern(r"worse", "a claim cannot say `worse than`", "swap the names: `b better than a`; or write `no worse than`",
            needs="BETTER"),
    Pattern(r"[<>]", "a claim is written in words, without `<` and `>`",
            "write `better than`, `no worse than` or `same as`", needs="BETTER"),
    _comma_at_end,
)  # fmt: skip

# ---------------------------------------------------------------- words

# Words authors bring from other places, and the language's own.
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
    "split": "using", "splits": "using", "tolerance": "margin", "delta": "within", "n_iter": "try",
    "seed": "seeds", "item": "items", "fold": "folds", "randomized": "randomised", "filter": "where",
    "merge": "join", "equal": "equivalent", "equals": "equivalent",
    "greater": "better", "superior": "better", "every": "each",
}  # fmt: skip
# What is one name here, and two words elsewhere.
TWO_WORDS = {
    "naive bayes": "naive-bayes", "random forest": "random-forest", "decision tree": "decision-tree",
    "logistic regression": "logistic-regression", "linear regression": "linear-regression",
    "neural net": "neural-net", "neural network": "neural-net", "nearest neighbor": "nearest-neighbor",
    "boosted trees": "boosted-trees", "bagged trees": "bagged-trees", "breast cancer": "breast-cancer",
    "balanced accuracy": "balanced-accuracy", "roc auc": "roc-auc", "log loss": "log-loss",
    "wilcoxon signed-rank": "wilcoxon", "wilcoxon test": "wilcoxon", "mcnemar test": "mcnemar", "sign test": "sign",
    "friedman test": "friedman", "student t-test": "t-test",
}  # fmt: skip


def _two_words(place: ErrorPlace) -> Problem | None:
    """`naive bayes`, `wilcoxon signed-rank`"""
    if place.before is None:
        return None
    span = place.at(place.before.start, place.span.end)
    name = TWO_WORDS.get(" ".join(place.text[span.start : span.end].lower().split()))
    if name is None:
        return None
    return place.problem("a name must be one word", f"write `{name}`", name, name, span=span, safe=True)


def _statement_on_same_line(place: ErrorPlace) -> Problem | None:
    """Two statements on one line."""
    if place.found not in STATEMENT_WORDS or "$END" not in place.accepted:
        return None
    here = place.at(place.span.start, place.span.start)
    message = f"`{place.found}` begins a new statement on the same line"
    fix = Fix("begin a new line", (Edit(here, "\n"),), safe=False)
    return Problem(place.span, message, "begin it on a new line", fix)


def _known_word(place: ErrorPlace) -> Problem | None:
    """`Compare`, `USING`; and words of other tools: `versus`, `metric`, `random_state`."""
    lower, accepted = place.found.lower(), words(place.accepted)
    if lower != place.found and lower in accepted:
        return place.problem("keywords are lower case", f"write `{lower}`", lower, lower, safe=True)
    own = SYNONYMS.get(lower)
    if own is None or own not in accepted or place.found in accepted:
        return None
    message = f"`{place.found}` does not fit here: expected `{own}`"
    return place.problem(message, f"write `{own}`", own, own, safe=own == "vs")


def _name_expected(place: ErrorPlace) -> Problem | None:
    """`compare 1-NN vs C4.5`, `top-k(5)`, and a word of the language used as a name."""
    if not {"NAME", "STRING"} <= place.accepted:
        return None
    new = f'"{place.found}"'
    if place.found[:1].isdigit():
        call = re.compile(r"([\w.-]+)\($").search(place.text, 0, place.span.start) if place.last == "(" else None
        if call is None:
            return place.problem("a name begins with a letter", f"put other names in quotes: {new}", new, new)
        name = "k" if call[1] in ("top-k", "pass") else "NAME"  # their one number is k
        help = f"write {call[1]}({name} = {place.found})"
        help += "" if name == "k" else f"; `evalang explain {call[1]}` lists the names"
        named = f"k = {place.found}" if name == "k" else None
        return place.problem("a value in brackets needs a name", help, named, safe=True)
    after_comma = place.last == "," and place.found not in STATEMENT_WORDS
    if place.found not in RESERVED or after_comma:
        return None
    message = f"`{place.found}` is a keyword and cannot be a name"
    return place.problem(message, f"to use it as one, put it in quotes: {new}", new)


def _clause_word(place: ErrorPlace) -> Problem | None:
    """`on heart, time`: the comma before a clause word ended the list; `gap of 7`: half of a clause."""
    word = place.found
    if place.last == "," and word in CLAUSE_WORDS - RESERVED and place.statement in STATEMENT_WORDS:
        new = f'"{word}"'
        message = f"after a comma `{word}` begins a clause, and `{place.statement}` has no such clause"
        return place.problem(message, f"if it is a name in a list, put it in quotes: {new}", new)
    if word in IN_FULL and words_of_language().get(word) in place.accepted:
        message = f"the clause that begins with `{word}` is not complete"
        return place.problem(message, f"write it in full: {IN_FULL[word]}")
    return None


_KINDS = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".arff": "arff", ".db": "sql",
    ".feather": "feather", ".xlsx": "excel", ".jsonl": "json", ".ndjson": "json",
}  # fmt: skip


def _source_kind(place: ErrorPlace) -> Problem | None:
    """`dataset d from "d.csv"`"""
    if not place.found.startswith('"') or place.accepted != {"NAME", "SYNTHETIC"}:
        return None
    kind = next((kind for ending, kind in _KINDS.items() if place.found[:-1].endswith(ending)), "builtin")
    readers = "`builtin`, `csv`, `parquet`, `arff`, `sql`, `openml` or `synthetic`"
    new = f"{kind} {place.found}"
    return place.problem(f"the kind of source is missing: expected {readers}", f"write `{new}`", new, kind)


def _file_in_comparison(place: ErrorPlace) -> Problem | None:
    """`compare a vs b on csv "customers.csv"`"""
    if place.statement not in _EXPERIMENT.split() or place.kind != "STRING" or place.last not in _KINDS.values():
        return None
    stem = re.split(r"[/\\]", place.found.strip('"'))[-1].partition(".")[0]
    name = stem if re.fullmatch(r"[A-Za-z][\w-]*", stem) else "mine"
    help = f'write `dataset {name} from {place.last} {place.found}, target "…"` above, and `on {name}` here'
    return place.problem("a comparison names a dataset, which a line above reads from the file", help)


def _python_value(place: ErrorPlace) -> Problem | None:
    """`dataset d from frame`, in a notebook"""
    name = place.last
    if place.statement != "dataset" or "STRING" not in place.accepted or not name.isidentifier():
        return None
    begin = place.text.rfind("dataset", 0, place.end)
    if place.found not in (",", "") or not place.match(rf".*from\s+{name}\s*", begin):
        return None
    target = "name the target by `%%evalang --target`, or target= of ev.compare"
    help = f"write `on {name}` without this statement; {target}"
    return place.problem(f"`{name}` is no kind of source: a value of Python is used by its own name", help)


def _unquoted(place: ErrorPlace) -> Problem | None:
    """A path, a column or a reason without its quotes."""
    if "STRING" not in place.accepted or place.kind in ("$END", "UNKNOWN") or place.found in RESERVED:
        return None
    found = place.match(r"[^\W_][\w./\\:~-]*")
    if place.accepted & {"NAME", "TO", "OVER", "IN"} or found is None:
        return None
    new = f'"{found[0]}"'
    return place.problem("text needs double quotes here", f"write {new}", new, new, span=place.at(*found.span()))


_VS = "learners are compared with `vs`"
_LIST = "the members of a list are separated by commas"
_GRID = r"`\1` does not fit here: expected values to try, such as `{1, 2, 4}`, `1..10` or `10^{-3..3}`"
_BRACES = "a set of values is written in braces"
_WORDS: tuple[Mistake, ...] = (
    Pattern(r"[0-9]+(?:x[0-9]+)?cv(?![\w-])", r"the scheme `\g<0>` needs `using` before it", r"write `using \g<0>`",
            r"using \g<0>", "using", "USING"),
    Pattern(r"\|", "`|` does not fit here: a pipeline needs a name before it can be used here",
            "add a line such as `learner mine is scale | svm`, and write `mine` here", needs="ON VS",
            statements=_EXPERIMENT),
    Pattern(r"<(tune|calibrate)\s+(?P<at>[0-9][0-9./]*%?)", r"`\2` does not fit here: expected `on` before it",
            r"write `\1 on \2`", r"on \2", "on", "ON"),
    Pattern(r"<(tune)\s+(?P<at>on|using)", r"a learner has `\1 C in {1, 10}`; `\1 \2` belongs to a comparison",
            r"move `\1 \2 ...` to the `compare` statement", statements="learner"),
    Pattern(r"<(calibrate)\s+(?P<at>on)", r"a learner has `\1 platt`; `\1 \2` belongs to a comparison",
            r"move `\1 \2 ...` to the `compare` statement", statements="learner"),
    _two_words,
    Pattern(r"(?:and|plus|or)(?!\w)|&", _LIST, r"write `,` in place of `\g<0>`", ",", ",", "COMMA"),
    Pattern(r"[ \t]*,[ \t,]*", _VS, "write `vs` in place of the comma", " vs ", "vs", "VS", statements="compare",
            safe=True),
    Pattern(r"(?:and|or)(?!\w)|&", _VS, r"write `vs` in place of `\g<0>`", "vs", "vs", "VS", safe=True),
    Pattern(r"then(?!\w)|\+|->|>", "steps and learner are joined with `|`", "write `scale | svm`", needs="BAR"),
    Pattern(rf"with(?={_SCHEME_AHEAD})", "`with` does not fit here: expected `using`", "a scheme follows `using`",
            "using", "using", "USING"),
    Pattern(r"with(?!\w)", "`with` does not fit here: expected `using` and a scheme, or `by` and a test",
            "a test follows `by`", "by", "by", "BY"),
    Pattern(r"on(?!\w)", "a comparison needs at least two learners",
            "write `compare a vs b on ...`, or `estimate a on ...` for one learner", needs="VS", without="ON",
            statements="compare"),
    _statement_on_same_line,
    _known_word,
    _name_expected,
    _clause_word,
    _file_in_comparison,
    _python_value,
    _source_kind,
    Pattern(r"([\[(])(?=[ \t]*([^\s,\])]+)[ \t]*,[ \t]*([^\s,\])]+)[ \t]*[\])])", _GRID,
            _BRACES + r"; write {\2, \3} for the two, \2..\3 for all between", None, "{", "LBRACE"),
    Pattern(r"([\[(])", _GRID, _BRACES, None, "{", "LBRACE"),
    _unquoted,
)  # fmt: skip
MISTAKES: tuple[Mistake, ...] = (_mixed_scripts, *_PATTERNS, _mistaken_clause, *_SIGNS, *_WORDS)


def frequent(place: ErrorPlace) -> Problem | None:
    """Return the first frequent mistake that explains the place."""
    return next((problem for one in MISTAKES if (problem := one(place)) is not None), None)
