"""Quick edits and cancelled requests leave no finding of a text that is gone; includes, notebooks, commands."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls: pip install 'evalang[editor]'")

from evalang.editor.workspace import Lines
from evalang.findings.engine import lint
from evalang.language.text import SourceText
from evalang.plans.build import build
from tests.support.talk import Talk

START = "set seed 1\nlearner mine is knn\ncompare mine vs svm on iris, wine\n  using 10cv\n  as duel\n"
REQUESTS = ("hover", "definition", "references", "completion", "codeAction", "inlayHint", "codeLens", "documentSymbol",
            "foldingRange", "documentLink", "semanticTokens/full", "formatting", "rename", "prepareRename")  # fmt: skip


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    found = Talk(tmp_path_factory.getbasetemp())
    yield found
    assert found.close() == 0


def params(uri: str, line: int, character: int) -> dict[str, Any]:
    at = {"line": line, "character": character}
    return {
        "textDocument": {"uri": uri}, "position": at, "range": {"start": at, "end": {"line": line + 3, "character": 0}},
        "context": {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1}, "newName": "other",
        "options": {"tabSize": 2, "insertSpaces": True},
    }  # fmt: skip


def test_quick_edits_leave_no_stale_finding(talk: Talk, tmp_path: Path) -> None:
    """Random edits as fast as they can be written; what is published last is what lint says about the last text."""
    path = tmp_path / "a.eval"
    uri = path.as_uri()
    talk.open(uri, START)
    text, version = START, 1
    draw = random.Random(7)
    asked: list[int] = []
    for _ in range(150):
        lines = Lines(text)
        start = draw.randint(0, len(text))
        end = min(len(text), start + draw.choice((0, 0, 0, 1, 5)))
        new = draw.choice(("x", "\n", " ", '"', "é😀", "learner b is svm\n", "", "\r\n", "compare ", ","))
        version += 1
        change = {"range": {"start": lines.at(start)._asdict(), "end": lines.at(end)._asdict()}, "text": new}
        # A place inside a pair of surrogates or of a line end is taken for the place before or behind it.
        start, end = lines.offset(*lines.at(start)), lines.offset(*lines.at(end))
        text = text[:start] + new + text[max(start, end) :]
        talk.change(uri, version, change)
        if draw.random() < 0.3:
            asked.append(talk.begin(f"textDocument/{draw.choice(REQUESTS)}", params(uri, draw.randint(0, 9), 3)))
        if asked and draw.random() < 0.3:
            talk.tell("$/cancelRequest", {"id": asked[-1]})
    _, found = talk.findings(uri, version)
    report = lint(build(SourceText(str(path), text)))
    assert sorted(one["code"] for one in found) == sorted(one.code for one in report.findings)
    for number in asked:
        answer = talk.answer(number)
        assert "result" in answer or answer["error"]["code"] in (-32800, -32801, -32602), answer
    talk.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})  # nothing older comes after the newest
    assert not [m for m in talk.others if m.get("method") == "textDocument/publishDiagnostics"
                and m["params"].get("version") == version]  # fmt: skip


def test_an_unsaved_include_counts_and_its_users_are_judged_again(talk: Talk, tmp_path: Path) -> None:
    common, study = tmp_path / "common.eval", tmp_path / "study.eval"
    common.write_text("learner old is knn\n")
    talk.open(study.as_uri(), 'include "common.eval"\ncompare new vs knn on iris using 10cv, seed 1\n')
    assert "EV002" in [one["code"] for one in talk.findings(study.as_uri(), 1)[1]]
    talk.open(common.as_uri(), "learner new is svm\n")
    assert "EV002" not in [one["code"] for one in talk.findings(study.as_uri(), 1)[1]]


def test_a_notebook(talk: Talk, tmp_path: Path) -> None:
    cell = "vscode-notebook-cell:/a.ipynb#1"
    text = "%%evalang\ncompare knn vs nobody on iris using 10cv\n"
    notebook = {"uri": (tmp_path / "a.ipynb").as_uri(), "notebookType": "jupyter-notebook", "version": 1,
                "cells": [{"kind": 2, "document": cell}]}  # fmt: skip
    document = {"uri": cell, "languageId": "python", "version": 1, "text": text}
    talk.tell("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": [document]})
    unknown = next(one for one in talk.findings(cell, 1)[1] if one["code"] == "EV002")
    assert unknown["range"]["start"] == {"line": 1, "character": 15}


def test_commands_of_the_lenses(talk: Talk, tmp_path: Path) -> None:
    uri = (tmp_path / "a.eval").as_uri()
    talk.open(uri, START)
    said = {"plan": "duel: mine vs svm", "openReport": "no report yet", "run": "save the script"}
    for command, words in said.items():
        asked = {"command": f"evalang.{command}", "arguments": [uri]}
        assert words in talk.ask("workspace/executeCommand", asked)
