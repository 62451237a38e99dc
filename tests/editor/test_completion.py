"""What may follow: whatever is offered as a word fits there; columns come from the header of a file alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evalang.editor.completion import complete
from evalang.editor.embedded import EmbeddedScript
from evalang.editor.workspace import ScriptReading
from evalang.language.parser import parse
from evalang.language.text import SourceText

CV = "compare knn vs svm on iris using 10cv"


def offers(text: str, path: str = "script.eval", root: str = "") -> list[str]:
    """The labels at the mark `^`."""
    at = text.index("^")
    reading = ScriptReading(EmbeddedScript(SourceText(path, text.replace("^", "", 1))))
    return [offer.label for offer in complete(reading, at, root).offers]


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        ("^", ["compare", "learner", "set"], ["using", "knn"]),
        ("learner mine is knn\ncompare ^", ["mine", "knn", "naive-bayes", "all", "this"], ["iris", "using"]),
        ("compare knn vs svm ^", ["vs", "on", "using"], ["knn"]),
        ('suite both is iris, wine because "x"\ncompare knn vs svm on ^', ["both", "iris"], ["knn", "using"]),
        ("compare knn vs svm on iris ^", ["using", "by", "holm", "tune"], ["target", "iris"]),
        ("compare knn vs svm on iris, ^", ["using", "wine"], ["target"]),
        (f"{CV}, seed 1, ^", ["by", "measuring"], ["using", "seed"]),
        ("compare knn vs svm on iris using ^", ["10cv", "5x2cv", "holdout", "stratified"], ["knn"]),
        (f"{CV} by ^", ["corrected-t", "5x2cv-t", "wilcoxon"], ["accuracy"]),
        (f"{CV} measuring ^", ["accuracy", "roc-area"], ["corrected-t"]),
        (f"{CV} as ^", [], ["knn", "iris"]),
        ("learner a is scale | svm(^", ["C", "kernel"], ["knn", "random_state"]),
        ("learner a is svm(C = 1, ^)", ["kernel"], ["C"]),
        ("learner a is svm(kernel = ^)", ['"rbf"', '"linear"'], ["scale"]),
        ('learner a is svm(kernel = "^")', ["rbf", "linear"], ["C"]),
        ("learner a is scale | svm, tune ^", ["C", "scale.with_mean"], ["knn"]),
        (f"{CV}, allow ^", ["EV501", "EV310"], ["knn"]),
        (f"{CV} as c\nclaim knn better than svm on iris according to ^", ["c"], ["knn"]),
        ("compare knn vs svm on iris # ^", [], ["using"]),
    ],
)
def test_what_fits_is_offered_and_nothing_else(text: str, some: list[str], none: list[str]) -> None:
    found = offers(text)
    assert set(some) <= set(found)
    assert not set(none) & set(found)


@pytest.mark.parametrize(
    "text",
    [
        "compare knn vs svm on iris ^",
        "learner a is knn ^",
        'dataset d from csv "d.csv" ^',
        "claim knn better than svm ^",
        "set ^",
    ],
)
def test_no_offered_word_is_an_error_where_it_stands(text: str) -> None:
    """The parser may miss what has to follow the word, but never stumbles over the word itself."""
    at = text.index("^")
    words = [w for w in offers(text) if w.replace("-", "").isalpha()]
    assert words
    for word in words:
        for finding in parse(SourceText("a.eval", text.replace("^", word)))[1]:
            what_follows = finding.message == f"{word} needs `over` and what it corrects over"
            assert what_follows or finding.span.start >= at + len(word), (word, finding.message)


def test_columns_come_from_the_header_inside_the_workspace(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    inside = tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "secret.csv").write_text("password,name\n")
    (inside / "credit.csv").write_text('age;"the class";sex\n1;2;3\n')
    (inside / "wide.csv").write_text(",".join(f"c{i}" for i in range(20_000)))
    os.symlink(outside / "secret.csv", inside / "linked.csv")
    os.symlink(outside, inside / "folder")
    os.mkfifo(inside / "pipe.csv")
    script = str(inside / "study.eval")

    def columns(source: str, clause: str = "target") -> list[str]:
        return offers(f'dataset d from csv {source}, {clause} "^', script, str(inside))

    assert columns('"credit.csv"(separator = ";")') == ["age", "the class", "sex"]
    assert columns('"credit.csv"(separator = ";")', "series in") == ["age", "the class", "sex"]
    for hidden in ("linked.csv", "folder/secret.csv", "../outside/secret.csv", "pipe.csv", "wide.csv", "none.csv"):
        assert columns(f'"{hidden}"') == []
    assert offers('dataset d from csv "^', script) == ["credit.csv", "pipe.csv", "wide.csv"]
