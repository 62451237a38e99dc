"""Names across included files."""

from __future__ import annotations

from pathlib import Path

from evalang.editor.embedded import DocumentText
from evalang.editor.navigation import definition, mention_at, references, unfit, written
from evalang.editor.workspace import OpenDocuments, ScriptReading
from evalang.findings.engine import lint
from evalang.language.text import SourceText
from evalang.plans.build import build

COMMON = 'learner tree is decision-tree\ndataset own from csv "own.csv", target "y", because "ours"\n'
STUDY = """include "common.eval"
set seed 1
suite both is own, iris because "at hand"
compare tree vs knn on both
  using 10cv
  control tree
  expecting tree better because "it is the new one"
  holm over datasets
  as tree
claim tree better than knn on own, according to tree
simulate power of tree with difference 5%
report tree to "x.html"
"""


def study(tmp_path: Path, documents: OpenDocuments | None = None) -> ScriptReading:
    (tmp_path / "common.eval").write_text(COMMON)
    path = tmp_path / "study.eval"
    path.write_text(STUDY)
    documents = documents or OpenDocuments(roots=[str(tmp_path)])
    return documents.open(DocumentText(path.as_uri(), str(path), STUDY)).readings[0]


def test_a_learner_and_a_comparison_of_the_same_name_are_two(tmp_path: Path) -> None:
    reading = study(tmp_path)
    learner = references(reading, "tree", "definition")
    comparison = references(reading, "tree", "comparison")
    assert len(learner) == 5  # its definition, compare, control, expecting, claim
    assert len(comparison) == 4  # as, according to, simulate, report
    assert not set(learner) & set(comparison)
    for span in (*learner, *comparison):
        assert reading.built.sources[span.path].cut(span) == "tree"


def test_the_definition_stands_in_the_included_file(tmp_path: Path) -> None:
    reading = study(tmp_path)
    mention = mention_at(reading, STUDY.index("tree vs") + 2)
    assert mention is not None
    found = definition(reading, mention.text, mention.space)
    assert found is not None
    assert Path(found.span.path).name == "common.eval"
    assert COMMON[found.span.start : found.span.end] == "tree"


def test_renaming_everywhere_changes_no_finding(tmp_path: Path) -> None:
    """Every place of the name is replaced, in every file, and the script says what it said."""
    documents = OpenDocuments(roots=[str(tmp_path)])
    study(tmp_path, documents)
    common = tmp_path / "common.eval"
    reading = documents.open(DocumentText(common.as_uri(), str(common), COMMON)).readings[0]
    before = [f.code for f in lint(build(SourceText(str(tmp_path / "study.eval"), STUDY))).findings]
    spans = {s for one in documents.including(reading) for s in references(one, "tree", "definition")}
    assert {Path(span.path).name for span in spans} == {"common.eval", "study.eval"}
    texts = {span.path: Path(span.path).read_text() for span in spans}
    for span in sorted(spans, reverse=True):
        texts[span.path] = texts[span.path][: span.start] + written("C 4.5") + texts[span.path][span.end :]
    for path, text in texts.items():
        Path(path).write_text(text)
    after = build(SourceText(str(tmp_path / "study.eval"), (tmp_path / "study.eval").read_text()))
    assert [f.code for f in lint(after).findings] == before
    assert after.plan.comparisons[0].learners == ("C 4.5", "knn")


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    reading = study(tmp_path)
    mention = mention_at(reading, STUDY.index("both is"))
    assert mention is not None
    assert unfit(reading, mention, "own") == "own is defined already"
    tree = mention_at(reading, STUDY.index("tree vs knn"))
    assert tree is not None
    assert unfit(reading, tree, "knn") == "knn is used already for something else"
    assert unfit(reading, mention, "") != ""
    assert unfit(reading, mention, "others") == ""
