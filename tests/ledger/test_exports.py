"""The ledger and a frozen design for others: picture, RO-Crate, checklists."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from evalang.cli.main import run
from evalang.reports.reporting_lists import AUTHOR, LISTS

SCRIPT = (
    "set seed 3\n"
    'dataset tumours from builtin "breast-cancer" because "the clinical task the tree was written for"\n'
    "compare decision-tree vs naive-bayes on tumours using 5x2cv as duel\n"
    "claim decision-tree better than naive-bayes on tumours\n"
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "s.eval").write_text(SCRIPT)
    assert run(["freeze", str(folder / "s.eval"), "--to", str(folder / "ro-crate-metadata.json")]) == 0
    assert run(["run", str(folder / "s.eval")]) in (0, 1, 4)
    return folder


def test_looks_over_time(project: Path) -> None:
    target = project / "looks.svg"
    assert run(["ledger", "--folder", str(project), "--to", str(target)]) == 0
    picture = target.read_text()
    assert ET.fromstring(picture).tag.endswith("svg")
    assert "mathdefault" not in picture, "the axes have plain numbers"
    assert "time (UTC)" in picture
    assert run(["ledger", "--folder", str(project), "--to", str(project / "looks.png")]) == 2


def test_a_crate_names_every_part_and_its_hash(project: Path) -> None:
    said = json.loads((project / "ro-crate-metadata.json").read_text())
    by_id = {one["@id"]: one for one in said["@graph"]}
    assert by_id["ro-crate-metadata.json"]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    assert by_id["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    parts = [one["@id"] for one in by_id["./"]["hasPart"]]
    assert parts == ["s.eval", "evalang.ledger", "#tumours"]
    assert set(parts) <= set(by_id)
    assert re.fullmatch(r"EV(-[A-Z2-7]{5}){4}", by_id["./"]["identifier"])
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", by_id["#tumours"]["identifier"])


def test_checklists_say_what_the_run_knows_and_what_it_does_not(project: Path) -> None:
    assert run(["report", str(project / "runs" / "s"), "--to", "checklists"]) == 0
    folder = project / "runs" / "s" / "checklists"
    text, latex = (folder / "checklists.md").read_text(), (folder / "checklists.tex").read_text()
    rows = {tuple(c.strip() for c in line.split("|")[1:3]): line for line in text.splitlines() if line.startswith("| ")}
    assert "corrected" in rows["7", "error bars and tests, and what they mean"]
    assert "frozen on" in rows["18c", "protocol"]
    assert AUTHOR in rows["2", "limitations are discussed"]
    assert AUTHOR in rows["1a", "the population that the claim is about"], "nothing was sampled"
    assert latex.count("\\caption{") == latex.count("\\bottomrule") == len(LISTS)


def test_no_answer_without_an_item_and_no_number_twice() -> None:
    for found in LISTS:
        numbers = [number for number, _ in found.items]
        assert len(set(numbers)) == len(numbers)
        assert set(found.answers) <= set(numbers)
