"""Scripts made from the grammar: all are read, formatting keeps the tree and is stable."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, assume, event, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark

from evalang.language.format import WIDTH, format_script
from evalang.language.grammar import words_of_language
from evalang.language.nodes import STATEMENT_WORDS, Script
from evalang.language.parser import parse
from evalang.language.text import SourceText

from .scripts import bare_parser

LARK = bare_parser()
# What is wrong with a script although each of its words stands in its place.
MEANING = ("given twice", "divides by zero", "is not a value of the language", "needs `with` before it")

NAMES = "a B naive-bayes sklearn.svm.SVC x_1 größe 数据 error n kfold-t in log pairs"


def _terminals() -> dict[str, st.SearchStrategy[str]]:
    blanks = st.sampled_from([" ", "  ", "\t", "\n  ", "\r\n "])
    spaced = {terminal: st.just(f" {word} ") for word, terminal in words_of_language().items()}
    values: dict[str, st.SearchStrategy[str]] = {
        "NAME": st.sampled_from(NAMES.split()),
        "STRING": st.sampled_from(
            ['"a"', '"a b"', '"say ""x"""', '"time"', '"set"', '"# no comment"', '"p:Q"', '"naïve"', '"1-NN"']
        ),
        "DIGIT_NAME": st.sampled_from(["5x2cv-t", "5x2cv-f"]),
        "RXKCV": st.sampled_from(["10x10cv", "3x4cv"]),
        "CV": st.sampled_from(["2cv", "10cv"]),
        "FRACTION": st.sampled_from(["1/3", "20/21"]),
        "PERCENT": st.sampled_from(["20%", "0.5%", "-3%"]),
        "DECIMAL": st.sampled_from(["0.5", "-3", "1e-7", "-2.5E+3", "10.0"]),
        "INT": st.sampled_from(["0", "1", "26", "1000"]),
    }
    used = {terminal.name for terminal in LARK.terminals}
    return {
        **{name: strategy for name, strategy in spaced.items() if name in used},
        **{name: strategy.map(lambda text: f" {text} ") for name, strategy in values.items()},
        "CLAUSE_COMMA": st.just(" , "),
        "WS": blanks,
        "COMMENT": st.sampled_from(["# note\n", "#\n", ' # with "quote, and, time\n', "\n  # alone\n"]),
    }


# A column of a formula may be called like a statement, but then it cannot begin a line.
_NEW_STATEMENT = re.compile(rf"\n\s*(?:{'|'.join(STATEMENT_WORDS)})\s")
_GAP = r"(?:[^\w#]|#[^\n]*\n)"  # what may stand between two words, comments too
# After a comma `with in 20%` looks like a parameter called `with`.
_PARAMETER = re.compile(rf"with{_GAP}+in\s")
# After a comma `500 rows` looks like a fact of a described dataset; a simulation lists numbers without the unit.
_FACT = re.compile(rf"^simulate\b.*,{_GAP}*[0-9]+{_GAP}+rows?\b", re.DOTALL)
STATEMENT = (
    from_lark(LARK, start="statement", explicit=_terminals())
    .map(lambda text: text.lstrip())
    .filter(lambda text: not any(unlike.search(text) for unlike in (_NEW_STATEMENT, _PARAMETER, _FACT)))
)
SCRIPT = st.lists(
    st.tuples(STATEMENT, st.sampled_from(["\n", "\n\n\n", "  # end\n", "\n# between\n\n"])), max_size=3
).map(lambda parts: "".join(a + b for a, b in parts))
GENERATED = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
)


def read(text: str) -> Script:
    """The tree; a generated script may say a thing twice, which is left aside."""
    script, findings = parse(SourceText("made.eval", text))
    for finding in findings:
        assert any(reason in finding.message for reason in MEANING), (text, finding)
    event("sound" if not findings else "says a thing twice")
    assume(not findings)
    return script


@GENERATED
@given(SCRIPT)
@example('compare   all   ,  allow  B  # with "quote, and, time\n ,  on  "time"  because  "time" \t\n')
def test_format_keeps_the_tree_and_is_stable_and_tidy(text: str) -> None:
    before = read(text)
    once = format_script(SourceText("made.eval", text))
    script, findings = parse(SourceText("made.eval", once))
    assert not findings, (text, once, findings)
    assert script == before, (text, once)
    assert format_script(SourceText("made.eval", once)) == once, (text, once)
    assert sorted(re.findall(r"# ?\w*", once)) == sorted(re.findall(r"# ?\w*", text))
    assert all(line == line.rstrip() for line in once.splitlines())
    assert "\n\n\n" not in once
    assert all(line.count(" ") < WIDTH for line in once.splitlines() if len(line) > WIDTH and "#" not in line)


@GENERATED
@given(STATEMENT)
def test_spans_are_exact(text: str) -> None:
    script = read(text)
    (statement,) = script.statements
    cut = text[statement.span.start : statement.span.end]
    assert cut == cut.strip()
    again = read(cut)
    assert again.statements == script.statements
