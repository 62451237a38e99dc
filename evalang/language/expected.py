"""What could have stood at a place, in the language's own words."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from .lexer import CLAUSE_PAIRS, CLAUSE_WORDS, STATEMENT_WORDS, WORDS, Token

WORD_OF = {terminal: word for word, terminal in WORDS.items()}
_MOST = 8  # words listed before the dots

# What a name stands for, by the word before it.
_NAMED = {
    "_COMPARE": "the name of a learner", "_VS": "the name of a learner", "_ESTIMATE": "the name of a learner",
    "_CLAIM": "the name of a learner", "_CLASSIFIER": "the name of a learner", "_THAN": "the name of a learner",
    "_CONTROL": "the name of a learner", "_EXPECTING": "the name of a learner", "_ON": "the name of a dataset",
    "_DATASET": "a name for the dataset", "_SUITE": "a name for the suite", "_LEARNER": "a name for the learner",
    "_RESULTS": "a name for the results", "_PREDICTIONS": "a name for the predictions", "_BY": "the name of a test",
    "_MEASURING": "the name of a metric", "_FOR": "the name of a metric", "_ALLOW": "the code of a rule, such as EV401",
    "_BAR": "a learner or preparation step", "_OF": "a name", "_WITH": "a setting such as `n 300`",
    "_ACCORDING": "the name of a comparison", "_AS": "a name", "_TUNE": "a parameter to tune",
    "_LPAR": "a parameter, as in `depth = 3`", "SYNTHETIC": "a generator such as `gaussians`",
    "_TILDE": "the name of a column", "_PRIMARY": "the name of a metric",
}  # fmt: skip


def words(accepted: AbstractSet[str]) -> list[str]:
    """The accepted words of the language (no signs, no values), as written."""
    return sorted(WORD_OF[t] for t in accepted if t in WORD_OF and WORD_OF[t][0].isalpha())


def expected(accepted: AbstractSet[str], before: Token | None) -> str:
    """A phrase such as "`vs` or `on`", "the name of a test", "a clause (`using`, `by`, ...)"."""
    rest = set(accepted)
    phrases: list[str] = []
    if rest & {"_FROM", "_IS"}:
        rest.discard("_DESCRIBED")  # the rarer way to begin
    if before is not None and before.text in ("from", "on") and rest == {"NAME", "SYNTHETIC"}:
        return "a reader such as `csv`"
    if set(_statement_terminals()) <= rest:
        return "a statement word (" + _listed(list(STATEMENT_WORDS), len(STATEMENT_WORDS)) + ")"
    if "_HOLDOUT" in rest or "CV" in rest:
        rest -= _SCHEME
        phrases.append("a scheme such as `10cv`, `5x2cv` or `holdout 1/3`" if "_HOLDOUT" in accepted else "`10cv`")
    if "NAME" in rest or "DIGIT_NAME" in rest:
        rest -= {"NAME", "DIGIT_NAME", "STRING", "ALL", "THIS", "NEW", "EACH"}  # words that may be names here
        phrases.append(_NAMED.get(before.type, "a name") if before else "a name")
    if {"TRUE", "FALSE"} <= rest:
        phrases = ["a value (a number, text in double quotes, `true`, `false`, `none`, a list in square brackets)"]
        rest -= {"TRUE", "FALSE", "NONE", "_LBRACKET", "STRING"} | _NUMBERS
    if "STRING" in rest:
        rest.discard("STRING")
        phrases.append("text in double quotes")
    if rest & _NUMBERS:
        shares = "PERCENT" in rest
        phrases.append(
            "a share such as 20% or a number" if shares else "a number" if "DECIMAL" in rest else "a whole number"
        )
        rest -= _NUMBERS | {"TEST"}  # nobody is told to tune on the test part
    ends = "$END" in rest
    after_comma = before is not None and before.text == ","
    clauses = [w for w in words(rest) if w in CLAUSE_WORDS or w in _PAIRS] if ends or after_comma else []
    others = [f"`{WORD_OF[t]}`" for t in sorted(rest) if t in WORD_OF and WORD_OF[t] not in clauses and t not in _QUIET]
    if len(others) > _MOST:
        others = [*others[:_MOST], "..."]
    phrases += others
    if clauses:
        phrases.append("a clause (" + _listed(_by_use(clauses), _MOST) + ")")
    if ends:
        phrases.append("the end of the statement")
    return _either(phrases)


_PAIRS = {*CLAUSE_PAIRS, "randomised"}  # clauses of two words, and one that is told by its place
_NUMBERS = {"INT", "DECIMAL", "PERCENT", "FRACTION"}
_SCHEME = {
    "CV", "RXKCV", "FIVE_BY_TWO", "_HOLDOUT", "_LEAVE_ONE_OUT", "_BOOTSTRAP", "_FORWARD", "_GIVEN", "STRATIFIED",
    "UNSTRATIFIED", "GROUPED", "INT", "_GUARDED",
}  # fmt: skip
# Accepted, but no help: commas, the singular of a word.
_QUIET = {
    "_COMMA", "CLAUSE_COMMA", "ROW", "POINT", "_TIME", "_PARTITION", "_RESAMPLE", "_TRAINING", "_SPLIT", "_LPAR",
}  # fmt: skip
_USE = (
    "using", "by", "measuring", "tune", "bonferroni", "holm", "at", "seed", "as", "control", "rope", "target",
    "positive", "groups", "time", "sampled", "try", "calibrate", "train", "datasets", "learners", "truth", "with",
    "within", "because", "allow",
)  # fmt: skip


def _by_use(found: list[str]) -> list[str]:
    """The most used clauses first."""
    return sorted(found, key=lambda word: (_USE.index(word) if word in _USE else len(_USE), word))


def _statement_terminals() -> list[str]:
    return [WORDS[word] for word in STATEMENT_WORDS]


def _listed(found: list[str], most: int) -> str:
    shown = ", ".join(f"`{word}`" for word in found[:most])
    return shown + (", ..." if len(found) > most else "")


def _either(phrases: list[str]) -> str:
    if not phrases:
        return "nothing more"
    return phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} or {phrases[-1]}"
