"""The table of frequent mistakes: what authors write from habit, and how the language writes it.

Each function looks at the place of an error and answers with a problem or None. They are tried in the order in which
they stand here, before the general sentence of diagnose.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass

from .builder import Problem
from .clauses import CLAUSE_WORDS, IN_FULL, RESERVED
from .nodes import STATEMENT_WORDS
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

    @property
    def last(self) -> str:
        """The text of the token before."""
        return self.before.text if self.before is not None else ""

    @property
    def in_experiment(self) -> bool:
        return self.statement in ("compare", "estimate")

    def at(self, start: int, end: int) -> Span:
        return Span(self.span.path, start, end)

    def match(self, pattern: str, start: int | None = None) -> re.Match[str] | None:
        """Match a pattern where the error is, or where `start` says."""
        return re.compile(pattern).match(self.text, self.span.start if start is None else start, self.end)

    def accepts(self, word: str) -> bool:
        return words_of_language().get(word) in self.accepted

    def problem(
        self,
        message: str,
        help: str,
        new: str | None = None,
        meant: str = "",
        *,
        span: Span | None = None,
        edit: Span | None = None,
        safe: bool = False,
    ) -> Problem:
        """Return the problem at the place, or at `span`; its repair writes `new` there, or at `edit`."""
        span = span or self.span
        fix = None
        if new is not None:
            title = f"write `{new.strip()}`" if new.strip() else "remove it"
            fix = Fix(title, (Edit(edit or span, new),), safe)
        return Problem(span, message, help, fix, meant)


def words(accepted: Set[str]) -> list[str]:
    """Return the accepted words of the language, without signs and values."""
    found = (terminal_words().get(terminal, "") for terminal in accepted)
    return sorted(word for word in found if word[:1].isalpha())


Mistake = Callable[[ErrorPlace], Problem | None]
MISTAKES: list[Mistake] = []


def mistake(function: Mistake) -> Mistake:
    """Add a function to the table."""
    MISTAKES.append(function)
    return function


def frequent(place: ErrorPlace) -> Problem | None:
    """Return the first frequent mistake that explains the place."""
    return next((problem for one in MISTAKES if (problem := one(place)) is not None), None)


# ---------------------------------------------------------------- schemes, levels and corrections

# What authors write for a scheme, and how the language writes it.
_SCHEMES = (
    (r"([0-9]+)[ \t]*-?CV(?!\w)", r"\1cv"),
    (r"(?i)cv[ \t_-]?([0-9]+)(?!\w)", r"\1cv"),
    (r"(?i)(?:loo-?cv|loo|leave[ \t-]one[ \t-]out)(?![\w-])", "leave-one-out"),
    (r"(?i)leave-one-(?:group|subject|patient)-out(?!\w)", "grouped leave-one-out"),
    (r"(?i)([0-9]+)[ \t]+times[ \t]+([0-9]+)[ \t-]*(?:cv|fold)(?!\w)", r"\1x\2cv"),
    *(  # the two shares make the whole; `60/20/20` and `80/30` can mean anything
        (rf"{100 - test}%?[ \t]*/[ \t]*({test})%?(?![\w/])(?:[ \t]+split(?!\w))?", r"holdout \1%")
        for test in range(10, 60, 5)
    ),
    (r"(?i)([0-9.]+%)[ \t]+hold-?out(?!\w)", r"holdout \1"),
)
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


def _scheme(place: ErrorPlace, found: re.Match[str], form: str, meant: str) -> Problem:
    new = found.expand(form)
    message = f"`{found[0]}` is not a known scheme"
    return place.problem(message, f"it is written `{new}`", new, meant, span=place.at(*found.span()), safe=True)


@mistake
def _full_stop(place: ErrorPlace) -> Problem | None:
    """`vs.`"""
    if place.found != "." or place.last != "vs":
        return None
    return place.problem("`vs` has no full stop", "write `vs`", "", "vs", safe=True)


@mistake
def _setting(place: ErrorPlace) -> Problem | None:
    """`seed = 1`, `alpha 0.05`, `p < 0.05` where a statement begins"""
    found = place.match(r"(seed|alpha|p|rope|margin)[ \t]*(?:<=?|=)?[ \t]*([0-9.]+%?)(?=\s|$)")
    if found is None or not place.accepts("set"):
        return None
    new = f"set {'alpha' if found[1] == 'p' else found[1]} {found[2]}"
    span = place.at(*found.span())
    return place.problem("a default begins with `set`", f"write `{new}`", new, "set", span=span, safe=True)


@mistake
def _scheme_words(place: ErrorPlace) -> Problem | None:
    """`10CV`, `cv10`, `loocv`, `80/20`, `10 times 10cv`, `leave-one-group-out`"""
    start = None
    if place.before is not None and place.last.isdigit() and place.found == "times":
        start = place.before.start
    elif "HOLDOUT" not in place.accepted:
        return None
    matches = ((place.match(pattern, start), form) for pattern, form in _SCHEMES)
    return next((_scheme(place, found, form, "using") for found, form in matches if found), None)


@mistake
def _three_shares(place: ErrorPlace) -> Problem | None:
    """`60/20/20`: rows to train, to tune and to test; the tuning part is a share of what is not tested."""
    found = place.match(r"([0-9]{1,2})[ \t]*/[ \t]*([0-9]{1,2})[ \t]*/[ \t]*([0-9]{1,2})(?![\w/])")
    if found is None or "HOLDOUT" not in place.accepted:
        return None
    train, tune, test = map(int, found.groups())
    if train + tune + test != 100 or not tune:
        return None
    help = f"write using holdout {test}%, tune on {100 * tune / (train + tune):.3g}% (of what is not tested)"
    message = "rows to train, to tune and to test are written as two clauses"
    return place.problem(message, help, meant="using", span=place.at(*found.span()))


@mistake
def _level(place: ErrorPlace) -> Problem | None:
    """`alpha 0.05`, `alpha = 0.05`, `p < 0.05`"""
    found = place.match(r"(?:(?:alpha|α)[ \t]*=?|p[ \t]*<=?)[ \t]*(?=([0-9.]+%?)?)")
    hidden = place.in_experiment and place.last == ","  # in a list the sign hides that a clause begins
    if place.found not in ("alpha", "α", "p") or found is None or not ("AT" in place.accepted or hidden):
        return None
    help = f"write `at {found[1] or 0.05}`"
    return place.problem("a level follows `at`", help, "at ", "at", span=place.at(*found.span()), safe=True)


@mistake
def _clause_equals(place: ErrorPlace) -> Problem | None:
    """`seed = 1`"""
    found = place.match(r"[\w-]+[ \t]*=[ \t]*(?=([\w.%]+)?)")
    if found is None or place.last != ",":
        return None
    if place.found not in words(place.accepted) and not (
        place.found in ("seed", "rope", "margin") and place.in_experiment
    ):
        return None
    help, span = f"write `{place.found} {found[1] or '…'}`", place.at(*found.span())
    return place.problem("a clause takes no `=`", help, f"{place.found} ", place.found, span=span, safe=True)


@mistake
def _sign_in_list(place: ErrorPlace) -> Problem | None:
    """`by kfold-t, seed = 1`: the word was taken for a member of the list, until the sign came."""
    if place.before is None or not place.in_experiment or "EQUALS" in place.accepted:
        return None
    start = place.before.start
    found = place.match(r"(seed|rope|margin|alpha|p)[ \t]*(?:<=?|=)[ \t]*(?=[0-9.])", start)
    if found is None or not place.text[:start].rstrip().endswith(","):
        return None
    new = found[1] if found[1] in ("seed", "rope", "margin") else "at"
    message, span = f"`{found[0].strip()}` is not a clause", place.at(*found.span())
    return place.problem(message, f"write `{new} …`", f"{new} ", new, span=span, safe=True)


@mistake
def _said_otherwise(place: ErrorPlace) -> Problem | None:
    """`fdr`, `nested`, `one-sided`, `corrected by holm`"""
    word = place.found.lower()
    if word not in SAID_OTHERWISE or not ({"AT", "HOLDOUT"} & place.accepted):
        return None
    whole = place.match(r"(?:corrected|adjusted)[ \t]+(?:by|with|using)[ \t]+[\w-]+")
    span = place.at(*whole.span()) if whole else place.span
    meant = _CLAUSE_MEANT[word]
    over = meant == "bh" and place.match(r"[ \t]+over[ \t]", place.span.end)
    new = meant if over else None
    return place.problem(*SAID_OTHERWISE[word], new, meant, span=span, edit=place.span, safe=True)


@mistake
def _over_nothing(place: ErrorPlace) -> Problem | None:
    """`bonferroni` alone"""
    if place.before is None or place.accepted != {"OVER"}:
        return None
    help = f"write {place.last} over datasets (or learners, metrics, everything)"
    span = place.at(place.before.start, place.before.end)
    return place.problem(f"{place.last} needs `over` and what it corrects over", help, span=span)


# ---------------------------------------------------------------- signs and numbers

_QUOTES = {"“": "”", "”": "”", "„": "“", "«": "»", "»": "«", "‘": "’", "’": "’", "‚": "‘", "`": "`", "'": "'"}


@mistake
def _comma_twice(place: ErrorPlace) -> Problem | None:
    """`,,`"""
    if place.found != "," or place.last != ",":
        return None
    return place.problem("one comma is enough", "remove the second one", "", ",", safe=True)


@mistake
def _quotes(place: ErrorPlace) -> Problem | None:
    """Single, typographic or unclosed quotes."""
    start, mark = place.span.start, place.found[:1]
    line = place.match(r"[^\r\n]*")
    line_end = line.end() if line else start
    if mark == '"' and place.kind == "UNKNOWN":
        help = 'text needs double quotes on one line; `""` is a quote inside it'
        return place.problem("this text has no closing quote on its line", help, span=place.at(start, line_end))
    if (open_text := _opened_before(place, line_end)) is not None:
        return open_text
    if mark not in _QUOTES:
        return None
    message, help = f"`{mark}` is not a quote that can be used", "text needs straight double quotes:"
    ends = [place.text.find(c, start + 1, line_end) for c in {_QUOTES[mark], mark, '"'}]
    ends = [end for end in ends if end != -1]
    if not ends:
        return place.problem(message, f'{help} "..."', span=place.at(start, start + 1))
    new = '"' + place.text[start + 1 : min(ends)].replace('"', '""') + '"'
    return place.problem(message, f"{help} {new}", new, span=place.at(start, min(ends) + 1))


def _opened_before(place: ErrorPlace, line_end: int) -> Problem | None:
    """`csv "d.csv, target "y"`: the text that was left open ends at the quote that should open the next."""
    before = place.before
    if before is None or before.kind != "STRING" or before.end != place.span.start:
        return None
    line = max(place.text.rfind(end, 0, before.start) for end in "\n\r") + 1
    if place.text.count('"', line, line_end) % 2 == 0:
        return None
    message, help = "a quote of this line is not closed, perhaps this one", "text needs double quotes on one line"
    return place.problem(message, help, span=place.at(before.start, before.end))


@mistake
def _comment(place: ErrorPlace) -> Problem | None:
    """`//`, `--`, `/*` or `;` as comment signs."""
    start = place.span.start
    sign = place.text[start : start + 2]
    if sign in ("//", "--", "/*"):
        message, span = f"`{sign}` does not begin a comment", place.at(start, start + 2)
        return place.problem(message, "a comment begins with `#`", "#", span=span)
    if place.found == ";":
        return place.problem("a statement needs no `;`", "end the line instead", "")
    return None


@mistake
def _dash(place: ErrorPlace) -> Problem | None:
    """An en dash or a minus sign copied from a paper."""
    sign, start = place.found[:1], place.span.start
    if not sign or sign not in "–—−‐‑":
        return None
    return place.problem(f"`{sign}` is not a hyphen", "write `-`", "-", span=place.at(start, start + 1))


@mistake
def _folds(place: ErrorPlace) -> Problem | None:
    """`10 fold cv`, `10-fold`, `10 cv`, `5 x 2 cv`, `5×2cv`."""
    start = place.before.start if place.before is not None and place.last.isdigit() else None
    for pattern in (
        r"(?i)([0-9]+)[ \t]*-?[ \t]*(?:fold|folds)(?:[ \t-]*(?:cv|cross[ \t-]?validation))?(?!\w)",
        r"(?i)([0-9]+)[ \t]+cv(?!\w)",
    ):
        if found := place.match(pattern, start):
            return _scheme(place, found, r"\1cv", f"{found[1]}cv")
    found = place.match(r"(?i)([0-9]+)[ \t]*[x×*][ \t]*([0-9]+)[ \t-]*(?:cv|fold(?:[ \t-]*cv)?)?(?!\w)", start)
    if found and place.kind not in ("RXKCV", "FIVE_BY_TWO"):
        return _scheme(place, found, r"\1x\2cv", f"{found[1]}x{found[2]}cv")
    return None


@mistake
def _percent(place: ErrorPlace) -> Problem | None:
    """`20 %`, `20 percent`"""
    if place.before is None or not place.last.replace(".", "").isdigit():
        return None
    found = place.match(r"(?i)[ \t]*(?:%|per[ \t]?cent(?!\w))", place.before.end)
    if not found:
        return None
    new, span = f"{place.last}%", place.at(place.before.start, found.end())
    return place.problem("a percentage is written without a space", f"write `{new}`", new, new, span=span)


@mistake
def _number(place: ErrorPlace) -> Problem | None:
    """`.5`, `1_000`, `5.`, `+1`"""
    unknown, plain = place.kind == "UNKNOWN", place.found.replace("_", "")
    if unknown and place.found.startswith(".") and place.text[place.span.start + 1 : place.span.start + 2].isdigit():
        new = f"0{place.found}"
        return place.problem("a number needs a digit before the point", f"write `{new}`", new)
    if place.found[:1].isdigit() and plain != place.found and plain.isdigit():
        return place.problem("digits are not grouped with `_`", f"write `{plain}`", plain)
    if place.found == "." and place.last.isdigit():
        return place.problem("a number needs a digit after the point", f"write `{place.last}.0`")
    if unknown and place.found.startswith("+"):
        help = "positive numbers have no sign; pipelines are written `a | b`"
        return place.problem("`+` cannot be used", help)
    return None


@mistake
def _equals(place: ErrorPlace) -> Problem | None:
    """`learner x = svm`, `alpha = 0.05`, `kernel: "rbf"`"""
    if place.found not in ("=", ":", ":="):
        return None
    if place.found[0] == ":" and "EQUALS" in place.accepted:
        return place.problem("a parameter is given with `=`", "write `name = value`", "=", "=")
    for word in ("is", "from"):
        if place.accepts(word):
            message = f"`{place.found}` does not fit here: expected `{word}`"
            return place.problem(message, f"write `{word}`", word, word)
    if not place.accepted & {"INT", "PERCENT", "STRING"}:
        return None
    number = place.last in ("seed", "alpha", "rope", "margin")
    new = "" if place.text[place.span.start - 1].isspace() else " "
    edit = place.at(place.span.start, place.span.end + place.text.startswith(" ", place.span.end))
    help = f"leave it out: `{place.last} …`" if number else "leave it out: `at alpha 0.05`, `seed 20`"
    return place.problem(f"`{place.found}` does not fit here: expected a value", help, new, edit=edit, safe=number)


@mistake
def _relation(place: ErrorPlace) -> Problem | None:
    """`claim a > b`, `claim a worse than b`"""
    if "BETTER" not in place.accepted:
        return None
    if place.found == "worse":
        help = "swap the names: `b better than a`; or write `no worse than`"
        return place.problem("a claim cannot say `worse than`", help)
    if place.found[:1] in ("<", ">"):
        return place.problem("a claim is made in words", "write `better than`, `no worse than` or `same as`")
    return None


@mistake
def _comma_at_end(place: ErrorPlace) -> Problem | None:
    """A list that ends in a comma."""
    if place.kind != "$END" or place.before is None or place.last != ",":
        return None
    return comma_at_end(place.at(place.before.start, place.before.end))


def comma_at_end(span: Span) -> Problem:
    """Return the problem of a comma after which the statement ends."""
    fix = Fix("remove the comma", (Edit(span, ""),), safe=False)
    return Problem(span, "nothing follows this comma", "remove it, or continue the list", fix)


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
# What is one name here, and two words elsewhere; tests/findings/test_spellings.py holds them to the catalogue.
TWO_WORDS = {
    "naive bayes": "naive-bayes", "random forest": "random-forest", "decision tree": "decision-tree",
    "logistic regression": "logistic-regression", "linear regression": "linear-regression",
    "neural net": "neural-net", "neural network": "neural-net", "nearest neighbor": "nearest-neighbor",
    "boosted trees": "boosted-trees", "bagged trees": "bagged-trees", "breast cancer": "breast-cancer",
    "balanced accuracy": "balanced-accuracy", "roc auc": "roc-auc", "log loss": "log-loss",
    "wilcoxon signed-rank": "wilcoxon", "wilcoxon test": "wilcoxon", "mcnemar test": "mcnemar", "sign test": "sign",
    "friedman test": "friedman", "student t-test": "t-test",
}  # fmt: skip
_SCHEME_AHEAD = (
    r"(?i)\s*(?:[0-9]+(?:[ \t]*[x×][ \t]*[0-9]+)?[ \t-]*(?:cv|fold)(?![\w-])|[0-9]+[ \t]+(?:times|halvings|partitions)"
    r"|cv|loo|(?:stratified|unstratified|grouped|blocked|holdout|leave-one-out|bootstrap|forward|given|partitions)(?!\w))"
)


@mistake
def _using_missing(place: ErrorPlace) -> Problem | None:
    """`compare a vs b on d 10cv`"""
    if place.kind not in ("CV", "RXKCV", "FIVE_BY_TWO") or "USING" not in place.accepted:
        return None
    new = f"using {place.found}"
    return place.problem(f"the scheme `{place.found}` needs `using` before it", f"write `{new}`", new, "using")


@mistake
def _pipeline_compared(place: ErrorPlace) -> Problem | None:
    """`compare knn vs scale | svm on d`"""
    if not place.in_experiment or place.found != "|" or not place.accepts("on"):
        return None
    steps = place.match(r"(?:\|\s*[\w.:-]+(?:\([^()\n]*\))?\s*)+")
    first = place.last if place.last != ")" else "…"
    pipeline = f"{first} {steps.group().strip()}" if steps is not None else f"{first} | …"
    message = f"`|` does not fit here: a pipeline needs a name before it can be used in `{place.statement}`"
    return place.problem(message, f"add a line `learner mine is {pipeline}` and write `mine` here")


@mistake
def _on_missing(place: ErrorPlace) -> Problem | None:
    """`tune 20%`, `calibrate 500 rows`"""
    if place.last not in ("tune", "calibrate") or "ON" not in place.accepted:
        return None
    if place.kind not in ("PERCENT", "FRACTION", "INT", "DECIMAL"):
        return None
    new = f"on {place.found}"
    message = f"`{place.found}` does not fit here: expected `on` before it"
    return place.problem(message, f"write `{place.last} {new}`", new, "on")


@mistake
def _tuned_in_learner(place: ErrorPlace) -> Problem | None:
    """`learner x is svm, tune on 20%`"""
    own = {"tune": "tune C in {1, 10}", "calibrate": "calibrate platt"}.get(place.last)
    if place.statement != "learner" or own is None or place.found not in ("on", "using"):
        return None
    written = f"{place.last} {place.found}"
    message = f"a learner has `{own}`; `{written}` belongs to a comparison"
    return place.problem(message, f"move `{written} ...` to the `compare` statement")


@mistake
def _two_words(place: ErrorPlace) -> Problem | None:
    """`naive bayes`, `wilcoxon signed-rank`, `paired t-test`"""
    before = place.before
    if before is None or before.kind != "NAME" or before.end > place.span.start:
        return None
    if place.text[before.end : place.span.start].strip(" \t"):
        return None
    span = place.at(before.start, place.span.end)
    written = f"{before.text} {place.found}".lower()
    name = TWO_WORDS.get(written)
    if name is None:
        return None
    return place.problem("a name is one word", f"write `{name}`", name, name, span=span, safe=True)


@mistake
def _joined(place: ErrorPlace) -> Problem | None:
    """`and`, `&`, `or` between the members of a list; `+`, `->`, `then` between steps."""
    joining = place.found in ("and", "&", "or")
    if (joining or place.found == "plus") and "COMMA" in place.accepted:
        message, help = "the members of a list are separated by commas", f"write `,` in place of `{place.found}`"
        return place.problem(message, help, ",", ",")
    message = "learners are compared with `vs`"
    if place.found == "," and place.statement == "compare" and "VS" in place.accepted:
        found = place.match(r"[ \t]*,[ \t,]*")
        edit = place.at(place.span.start, found.end()) if found else place.span
        return place.problem(message, "write `vs` in place of the comma", " vs ", "vs", edit=edit, safe=True)
    if joining and "VS" in place.accepted:
        return place.problem(message, f"write `vs` in place of `{place.found}`", "vs", "vs", safe=True)
    if "BAR" in place.accepted and (
        place.found == "then" or place.found[:1] in ("+", ">") or place.text.startswith("->", place.span.start)
    ):
        return place.problem("steps and learner are joined with `|`", "write `scale | svm`")
    return None


@mistake
def _scheme_after_with(place: ErrorPlace) -> Problem | None:
    """`compare a vs b on d with 10cv`, `… using 5x2cv with mcnemar`"""
    if place.found != "with" or "USING" not in place.accepted:
        return None
    if "BY" in place.accepted and not place.match(_SCHEME_AHEAD, place.span.end):
        message = "`with` does not fit here: expected `using` and a scheme, or `by` and a test"
        return place.problem(message, "a test follows `by`", "by", "by")
    return place.problem("`with` does not fit here: expected `using`", "a scheme follows `using`", "using", "using")


@mistake
def _one_learner(place: ErrorPlace) -> Problem | None:
    """`compare tree on iris`"""
    if place.statement != "compare" or "VS" not in place.accepted or "ON" in place.accepted or place.found != "on":
        return None
    help = "write `compare a vs b on ...`, or `estimate a on ...` for one learner"
    return place.problem("a comparison needs at least two learners", help)


@mistake
def _statement_on_same_line(place: ErrorPlace) -> Problem | None:
    """Two statements on one line."""
    if place.found not in STATEMENT_WORDS or "$END" not in place.accepted:
        return None
    here = place.at(place.span.start, place.span.start)
    message = f"`{place.found}` begins a new statement on the same line"
    return Problem(
        place.span, message, "begin it on a new line", Fix("begin a new line", (Edit(here, "\n"),), safe=False)
    )


@mistake
def _upper_case(place: ErrorPlace) -> Problem | None:
    """`Compare`, `USING`"""
    lower = place.found.lower()
    if lower == place.found or lower not in words(place.accepted):
        return None
    return place.problem("keywords are lower case", f"write `{lower}`", lower, lower, safe=True)


@mistake
def _synonym(place: ErrorPlace) -> Problem | None:
    """Words of other tools: `versus`, `metric`, `random_state`."""
    own = SYNONYMS.get(place.found.lower())
    accepted = words(place.accepted)
    if own is None or own not in accepted or place.found in accepted:
        return None
    message = f"`{place.found}` does not fit here: expected `{own}`"
    return place.problem(message, f"write `{own}`", own, own, safe=own == "vs")


@mistake
def _digit_name(place: ErrorPlace) -> Problem | None:
    """`compare 1-NN vs C4.5`"""
    if not place.found[:1].isdigit() or not {"NAME", "STRING"} <= place.accepted:
        return None
    call = re.compile(r"([\w.-]+)\($").search(place.text, 0, place.span.start)
    if call is not None and place.last == "(":
        message = "a value in brackets needs a name"
        if call[1] in ("top-k", "pass"):  # their one number is k
            new = f"k = {place.found}"
            return place.problem(message, f"write {call[1]}({new})", new, call[1], safe=True)
        return place.problem(
            message, f"write {call[1]}(NAME = {place.found}); `evalang explain {call[1]}` lists the names"
        )
    new = f'"{place.found}"'
    return place.problem("a name begins with a letter", f"put other names in quotes: {new}", new, new)


@mistake
def _reserved(place: ErrorPlace) -> Problem | None:
    """A word of the language used as a name."""
    if place.found not in RESERVED or not {"NAME", "STRING"} <= place.accepted:
        return None
    if place.before is not None and place.before.kind == "COMMA" and place.found not in STATEMENT_WORDS:
        return None
    new = f'"{place.found}"'
    message = f"`{place.found}` is a keyword and cannot be a name"
    return place.problem(message, f"to use it as one, put it in quotes: {new}", new)


@mistake
def _clause_in_list(place: ErrorPlace) -> Problem | None:
    """`on heart, time`: the comma before a clause word ended the list."""
    clause = place.found in CLAUSE_WORDS and place.found not in RESERVED
    if place.last != "," or not clause or place.statement not in STATEMENT_WORDS:
        return None
    new = f'"{place.found}"'
    message = f"after a comma `{place.found}` begins a clause, and `{place.statement}` has no such clause"
    return place.problem(message, f"if it is a name in a list, put it in quotes: {new}", new)


@mistake
def _half_a_clause(place: ErrorPlace) -> Problem | None:
    """`using 10cv, gap of 7`: after the comma the word stands without the one that makes it a clause."""
    whole = IN_FULL.get(place.found)
    if whole is None or not place.accepts(place.found):
        return None
    return place.problem(f"`{place.found}` is only the beginning of a clause here", f"write it in full: {whole}")


@mistake
def _is_or_from(place: ErrorPlace) -> Problem | None:
    """`dataset d is csv "d.csv"`, `learner x from svm`"""
    own = {"is": "from", "from": "is"}.get(place.found)
    if own is None or not place.accepts(own):
        return None
    message = f"`{place.found}` does not fit here: expected `{own}`"
    return place.problem(message, f"write `{own}` here", own, own)


_KINDS = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".arff": "arff", ".db": "sql",
    ".feather": "feather", ".xlsx": "excel",
}  # fmt: skip


@mistake
def _source_kind(place: ErrorPlace) -> Problem | None:
    """`dataset d from "d.csv"`"""
    if not place.found.startswith('"') or place.accepted != {"NAME", "SYNTHETIC"}:
        return None
    kind = next((kind for ending, kind in _KINDS.items() if place.found[:-1].endswith(ending)), "builtin")
    readers = "`builtin`, `csv`, `parquet`, `arff`, `sql`, `openml` or `synthetic`"
    new = f"{kind} {place.found}"
    return place.problem(f"the kind of source is missing: expected {readers}", f"write `{new}`", new, kind)


@mistake
def _grid(place: ErrorPlace) -> Problem | None:
    """`tune C in [1, 2]`, `tune C in (1, 2)`"""
    if place.found not in ("[", "(") or "LBRACE" not in place.accepted:
        return None
    inside = place.match(r"[\[(]([^\])\r\n]*)[\])]")
    ends = [one.strip() for one in inside[1].split(",")] if inside else []
    help = "a set of values is written in braces"
    if len(ends) == 2:
        help += f"; write {{{ends[0]}, {ends[1]}}} for the two, {ends[0]}..{ends[1]} for all between"
    message = (
        f"`{place.found}` does not fit here: expected values to try, such as `{{1, 2, 4}}`, `1..10` or `10^{{-3..3}}`"
    )
    return place.problem(message, help, meant="{")


@mistake
def _unquoted(place: ErrorPlace) -> Problem | None:
    """A path, a column or a reason without its quotes."""
    if "STRING" not in place.accepted or place.kind in ("$END", "UNKNOWN") or place.found in RESERVED:
        return None
    if place.accepted & {"NAME", "TO", "OVER", "IN"} or not place.found[:1].isalnum():
        return None
    found = place.match(r"[\w./\\:~-]+")
    span = place.at(*found.span()) if found else place.span
    new = f'"{place.text[span.start : span.end]}"'
    return place.problem("text needs double quotes here", f"write {new}", new, new, span=span)
