"""The canonical form: hand-written examples, and every script of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.errors import ScriptError
from evalang.language.files import read_script
from evalang.language.format import format_script
from evalang.language.parser import parse
from evalang.language.text import SourceText

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = sorted(p for folder in ("tests", "docs") for p in (ROOT / folder).rglob("*.eval") if "broken" not in p.parts)


def formatted(text: str) -> str:
    return format_script(SourceText("x.eval", text))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_script_of_the_repository(path: Path) -> None:
    source = read_script(path)
    before, findings = parse(source)
    if findings:
        with pytest.raises(ScriptError):
            format_script(source)
        return
    once = format_script(source)
    after, findings = parse(SourceText("x", once))
    assert not findings
    assert after == before
    assert formatted(once) == once


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n\n# only a comment\n\n", "# only a comment\n"),
        ("compare a  vs b on d ,using 5cv,tune on 20%", "compare a vs b on d using 5cv, tune on 20%\n"),
        ('dataset d from csv "d.csv" target "y"', 'dataset d from csv "d.csv", target "y"\n'),
        ("learner x is scale|svm( C=1,D = [1,2] )", "learner x is scale | svm(C = 1, D = [1, 2])\n"),
        (
            "learner x is svm tune C in {1,2},D in log( 1,2,3 )",
            "learner x is svm, tune C in {1, 2}, D in log(1, 2, 3)\n",
        ),
        ('results r from csv "r" as a~b|c/d', 'results r from csv "r", as a ~ b | c / d\n'),
        ('compare "a" vs "b c" vs "time" on "set"', 'compare a vs "b c" vs "time" on "set"\n'),
        ("set seed 1 #one\n#two", "set seed 1  #one\n#two\n"),
        ("claim a better than b, overall on new datasets", "claim a better than b on new datasets overall\n"),
        ('compare a vs b, allow EV1 on d because "x", by t', 'compare a vs b on d allow EV1 because "x", by t\n'),
        (
            'compare a vs b expecting a better on d, e because "x"',
            'compare a vs b on d, e expecting a better because "x"\n',
        ),
        ("\ufeffset alpha  5.0e-02\r\n", "set alpha 5.0e-02\r\n"),
    ],
)
def test_one_line(text: str, expected: str) -> None:
    assert formatted(text) == expected


def test_long_statements_have_a_clause_on_each_line() -> None:
    text = (
        "compare tree vs naive-bayes on heart, diabetes using 55 partitions of 10cv, by averaged-t, "
        'measuring accuracy, roc-area, expecting tree better, because "x"'
    )
    assert formatted(text) == (
        "compare tree vs naive-bayes on heart, diabetes\n"
        "  using 55 partitions of 10cv\n"
        "  by averaged-t\n"
        "  measuring accuracy, roc-area\n"
        "  expecting tree better,\n"
        '  because "x"\n'
    )


def test_long_lists_are_broken_at_commas() -> None:
    members = ", ".join(f"dataset-number-{i}" for i in range(12))
    assert formatted(f"suite s is {members}") == (
        "suite s is dataset-number-0, dataset-number-1, dataset-number-2, dataset-number-3, dataset-number-4,\n"
        "    dataset-number-5, dataset-number-6, dataset-number-7, dataset-number-8, dataset-number-9,\n"
        "    dataset-number-10, dataset-number-11\n"
    )


def test_comments_stay_where_they_are() -> None:
    text = (
        "# top\n\n"
        "compare a vs b   # learners\n"
        "   on d1, # first\n"
        "      d2\n"
        "   # before\n"
        "   using 5cv,  # after\n"
        "   seed 1 # last\n"
        "   # below, set in\n"
        "# at the margin\n"
        "set seed 1 # end"
    )
    assert formatted(text) == (
        "# top\n\n"
        "compare a vs b  # learners\n"
        "    on d1,  # first\n"
        "    d2\n"
        "  # before\n"
        "  using 5cv  # after\n"
        "  seed 1  # last\n"
        "  # below, set in\n"
        "# at the margin\n"
        "set seed 1  # end\n"
    )


def test_a_broken_script_is_left_alone() -> None:
    with pytest.raises(ScriptError, match=r"x\.eval has 2 mistakes") as caught:
        formatted("set sed 1\nset seed 1\ncompare")
    assert [f.code for f in caught.value.findings] == ["EV001", "EV001"]
    assert caught.value.position == (1, 5)
