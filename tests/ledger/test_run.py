"""Runs and the ledger beside them: every look counted once, the level spent, designs frozen and verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evalang.cli.main import run
from evalang.ledger import NAME, read
from evalang.ledger.chain import events

HEAD = 'set seed 3\ndataset own from csv "own.csv", target "y" because "ours"\n'
DUEL = "compare decision-tree vs naive-bayes on own using 10cv as duel\n"


@pytest.fixture
def study(tmp_path: Path) -> Callable[..., Path]:
    rows = "\n".join(f"{i % 7},{(i * 37) % 11},{'a' if (i * i) % 5 < 2 else 'b'}" for i in range(200))
    (tmp_path / "own.csv").write_text(f"u,v,y\n{rows}\n")
    (tmp_path / "renamed.csv").write_text("class,second,first\n" + "\n".join(
        ",".join(reversed(line.split(","))) for line in rows.splitlines()[:150]) + "\n")  # fmt: skip

    def write(text: str, name: str = "study.eval") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def kinds(folder: Path) -> list[str]:
    return [event.kind for event in events(read(str(folder)))]


def found(capsys: pytest.CaptureFixture[str], path: Path) -> list[str]:
    capsys.readouterr()
    run(["run", "--format", "json", str(path)])
    said = json.loads(capsys.readouterr().out)
    return [one["code"] for one in said["findings"] if one["code"].startswith("EV8")]


def test_a_look_is_counted_once(study: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = study(HEAD + DUEL)
    assert found(capsys, path) == []
    assert kinds(tmp_path) == ["opened", "planned", "started", "rows", "looked"]
    first = (tmp_path / "runs" / "study" / "result.json").read_bytes()
    assert found(capsys, path) == []
    assert kinds(tmp_path)[5:] == ["started"]
    again = (tmp_path / "runs" / "study" / "result.json").read_bytes()
    strip = [json.loads(text)["run"] for text in (first, again)]
    assert strip[0]["verdicts"] == strip[1]["verdicts"]
    assert strip[0]["findings"] == strip[1]["findings"]
    assert run(["ledger", "--folder", str(tmp_path), "check"]) == 0


def test_rows_are_known_under_another_name(
    study: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found(capsys, study(HEAD + DUEL))
    other = 'set seed 3\ndataset mine from csv "renamed.csv", target "class" because "ours"\n'
    path = study(other + "compare knn vs majority on mine using 5x2cv\n", "other.eval")
    assert found(capsys, path) == ["EV801"]


@pytest.mark.parametrize(
    ("later", "code"),
    [
        ((HEAD + DUEL).replace("seed 3", "seed 4"), "EV805"),
        (HEAD + DUEL.replace("10cv", "10cv, measuring balanced-accuracy"), "EV807"),
        (HEAD + DUEL.replace("10cv", "5x2cv"), "EV806"),
        (HEAD + DUEL.replace("decision-tree", "decision-tree(max_depth = 2)"), "EV804"),
    ],
    ids=["seed", "metric", "scheme", "setting"],
)
def test_what_was_changed_after_a_look(
    study: Callable[..., Path], later: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found(capsys, study(HEAD + DUEL))
    assert code in found(capsys, study(later))


def test_learners_left_out_and_datasets_dropped(
    study: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    three = DUEL.replace("naive-bayes", "naive-bayes vs majority").replace("10cv", "10cv, holm over learners")
    found(capsys, study(HEAD + three))
    assert "EV808" in found(capsys, study(HEAD + DUEL))
    others = "\n".join(f"{i},{i % 2}" for i in range(60))
    (tmp_path / "own.csv").write_text(f"u,y\n{others}\n")
    assert "EV803" in found(capsys, study(HEAD.replace('"y"', '"y" as classification') + DUEL))


def test_the_level_is_spent(study: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(capsys, study(HEAD + DUEL))
    path = study(HEAD + "compare knn vs majority on own using 10cv, holm over everything so far\n", "other.eval")
    levels = []
    for _ in range(2):  # the same run again has the level it had
        capsys.readouterr()
        run(["run", "--format", "json", str(path)])
        said = json.loads(capsys.readouterr().out)
        assert [one["code"] for one in said["findings"] if one["code"].startswith("EV8")] == []
        levels.append(said["comparisons"][0]["alpha"])
    assert levels == [pytest.approx(0.05 / 6)] * 2


def test_switched_off_is_seen(study: Callable[..., Path], tmp_path: Path) -> None:
    run(["run", "--no-ledger", str(study(HEAD + DUEL))])
    assert not (tmp_path / NAME).exists()
    kept = json.loads((tmp_path / "runs" / "study" / "result.json").read_text())
    assert kept["run"]["ledger"] == "switched off (--no-ledger)"


def test_frozen_and_verified(study: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim = "claim decision-tree better than naive-bayes on own\n"
    path = study(HEAD + DUEL + claim)
    assert run(["freeze", str(path)]) == 0
    code = capsys.readouterr().out.split()[-1]
    assert run(["verify", str(path), code.lower()]) == 0
    assert "the design that was frozen" in capsys.readouterr().out
    study(HEAD + DUEL.replace("10cv", "5x2cv") + claim)
    assert run(["verify", str(path), code]) == 1
    assert "duel: using was 10cv, is 5x2cv, and no reason is given" in capsys.readouterr().out
    assert "EV802" in found(capsys, path)
    study(HEAD + DUEL.replace("10cv", '5x2cv, allow EV802 because "ten folds took too long"') + claim)
    assert run(["verify", str(path), code]) == 0
    assert 'because "ten folds took too long"' in capsys.readouterr().out
    (tmp_path / "own.csv").write_text((tmp_path / "own.csv").read_text().replace("\n6,", "\n5,"))
    assert run(["verify", str(path), code]) == 1
    assert "the rows of own was" in capsys.readouterr().out
    assert run(["verify", str(path), "EV-AAAAA-AAAAA-AAAAA-AAAAA"]) == 2


def test_a_frozen_design_for_others(study: Callable[..., Path], tmp_path: Path) -> None:
    path = study(HEAD + DUEL + "claim decision-tree better than naive-bayes on own\n")
    assert run(["freeze", str(path), "--to", str(tmp_path / "p.md")]) == 0
    assert run(["freeze", str(path), "--to", str(tmp_path / "p.json")]) == 0
    assert run(["freeze", str(path), "--to", str(tmp_path / "p.txt")]) == 2
    text = (tmp_path / "p.md").read_text()
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads == [f"## {one}" for one in ("Hypotheses", "Research questions", "Data", "Design and variables",
                                             "Analysis plan", "Deviations", "Software")]  # fmt: skip
    assert "decision-tree better than naive-bayes on own" in text
    said = json.loads((tmp_path / "p.json").read_text())
    frozen = next(event for event in events(read(str(tmp_path))) if event.kind == "frozen")
    assert said["_type"] == "https://in-toto.io/Statement/v1"
    assert said["subject"][0]["digest"]["sha256"] == frozen.get("data")["own"]
    assert said["predicate"]["code"] in text


def test_drawn_by_lot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "archive.csv").write_text("name\n" + "\n".join(f"set{i}" for i in range(50)) + "\n")
    assert run(["draw", "5", str(tmp_path / "archive.csv"), "--seed", "4"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("suite drawn is set")
    assert said.count("set") == 5
    assert run(["draw", "5", str(tmp_path / "archive.csv"), "--seed", "5"]) == 2
    assert "the first draw counts" in capsys.readouterr().err


def test_a_draw_favours_nobody() -> None:
    from evalang.ledger.draws import draw_names

    names = [f"n{i}" for i in range(10)]
    counts = dict.fromkeys(names, 0)
    for seed in range(3000):
        for name in draw_names(names, 3, seed):
            counts[name] += 1
    assert all(abs(count - 900) < 4 * (3000 * 0.3 * 0.7) ** 0.5 for count in counts.values())
