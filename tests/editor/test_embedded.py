"""Scripts in Markdown, in cells and in Python: everything stands where it stands in the document."""

from __future__ import annotations

import pytest

from evalang.editor.embedded import DocumentText, scripts
from evalang.editor.protocol import diagnoses
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


def shown(text: str, language: str, path: str) -> list[tuple[str, str]]:
    document = DocumentText(f"file:///{path}", f"/{path}", text, language)
    found = []
    for script in scripts(document):
        for finding, span, _ in diagnoses(ScriptReading(script)):
            found.append((finding.code, text[script.outward(span.start) : script.outward(span.end)]))
    return found


@pytest.mark.parametrize(
    ("path", "language", "text"),
    [
        ("/a.py", "python", "import evalang as ev\nev.compare('"),
        ("/a.py", "python", "import evalang\n" + "(" * 500),
        ("/log.eval", "evalang", "PK\x03\x04\x14 compare"),  # a log of Inspect that an editor took for text
        ("/log.eval", "evalang", "compare\0"),
        ("/a.c", "c", "compare"),
    ],
)
def test_what_is_no_script_has_none(path: str, language: str, text: str) -> None:
    assert scripts(DocumentText("u", path, text, language)) == ()


def test_blocks_of_markdown_and_cells() -> None:
    assert ("EV002", "nobody") in shown("%%evalang\ncompare knn vs nobody on iris using 10cv", "python", "a.ipynb#1")
    found = shown(MARKDOWN, "markdown", "a.md")
    assert ("EV403", "kfold-t") in found
    assert ("EV002", "nobody") in found


def test_strings_of_python_with_escapes_and_side_by_side() -> None:
    found = shown(PYTHON, "python", "a.py")
    unknown = [words for code, words in found if code == "EV002"]
    assert unknown == ["nothing-t", "nobody"]  # tree, bayes and D are handed over
    assert len(scripts(DocumentText("u", "/a.py", PYTHON, "python"))) == 2


def test_learners_of_a_table_that_python_hands_over_are_not_unknown() -> None:
    calls = 'ev.compare("a vs b on logs", logs=frame)\nev.compare("a vs knn on D using 10cv", D=frame)\n'
    found = shown(f"import evalang as ev\n{calls}", "python", "a.py")
    assert [words for code, words in found if code == "EV002"] == ["a"]
