"""Scripts in Markdown, in cells and in Python: everything stands where it stands in the document."""

from __future__ import annotations

import pytest

from evalang.editor.diagnostics import diagnoses
from evalang.editor.embedded import DocumentText, scripts
from evalang.editor.workspace import ScriptReading

FENCE = "`" * 3
MARKDOWN = f"""# Study

{FENCE}eval
compare knn vs svm on iris using 10cv, by kfold-t, seed 1
{FENCE}

> quoted:
>
> {FENCE}{{evalang}}
> compare knn vs nobody on iris using 10cv, seed 1
> {FENCE}
"""
PYTHON = r'''import evalang as ev
from evalang import plan as p
é = ev.compare("tree vs \
bayes on D using 5x2cv, "
               'by nothing-t, measuring acc\u0075racy', tree=1, bayes=2, D={"iris": 3})
ev.lint("""set seed 1
compare knn vs nobody on iris using 10cv
""")
p("study.eval"); other.compare("a vs b"); ev.run(f"{x}")
'''
BROKEN = ("import evalang as ev\nev.compare('", "import evalang\n" + "(" * 500, "import evalang\n\x00")


def shown(text: str, language: str, path: str) -> list[tuple[str, str]]:
    document = DocumentText(f"file:///{path}", f"/{path}", text, language)
    found = []
    for script in scripts(document):
        for one in diagnoses(ScriptReading(script)):
            words = text[script.outward(one.span.start) : script.outward(one.span.end)]
            found += [(one.finding.code, words)]
    return found


def test_blocks_of_markdown() -> None:
    found = shown(MARKDOWN, "markdown", "a.md")
    assert ("EV403", "kfold-t") in found
    assert ("EV002", "nobody") in found


def test_a_cell_with_the_magic() -> None:
    assert ("EV002", "nobody") in shown("%%evalang\ncompare knn vs nobody on iris using 10cv", "python", "a.ipynb#1")


def test_strings_of_python_with_escapes_and_side_by_side() -> None:
    found = shown(PYTHON, "python", "a.py")
    unknown = [words for code, words in found if code == "EV002"]
    assert unknown == ["nothing-t", "nobody"]  # tree, bayes and D are handed over
    assert len(scripts(DocumentText("u", "/a.py", PYTHON, "python"))) == 2


def test_learners_of_a_table_that_python_hands_over_are_not_unknown() -> None:
    calls = 'ev.compare("a vs b on logs", logs=frame)\nev.compare("a vs knn on D using 10cv", D=frame)\n'
    found = shown(f"import evalang as ev\n{calls}", "python", "a.py")
    assert [words for code, words in found if code == "EV002"] == ["a"]


@pytest.mark.parametrize("text", BROKEN)
def test_python_that_cannot_be_parsed_has_no_scripts(text: str) -> None:
    assert scripts(DocumentText("u", "/a.py", text, "python")) == ()


def test_a_log_of_inspect_that_an_editor_took_for_text_has_no_findings() -> None:
    for text in ("PK\x03\x04\x14 compare", "compare\0"):
        assert scripts(DocumentText("u", "/log.eval", text)) == ()


def test_other_languages_are_left_alone() -> None:
    assert scripts(DocumentText("u", "/a.c", "compare", "c")) == ()
