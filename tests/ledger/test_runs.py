"""Every look is counted once, wherever it happens; the level is spent; designs are frozen and verified."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import evalang as ev
from evalang.cli.main import run
from evalang.ledger import NAME, Event
from evalang.ledger.chain import read_events
from evalang.ledger.history import draw_names

from .conftest import Judged, ledger_codes

HEAD = 'set seed 3\ndataset own from csv "own.csv", target "y" because "ours"\n'
DUEL = "compare decision-tree vs naive-bayes on own using 10cv as duel\n"
CLAIM = "claim decision-tree better than naive-bayes on own\n"
PREDICTIONS = 'predictions p from csv "said.csv", truth "y"\n'
CHANCE = np.random.default_rng(8)


@pytest.fixture(autouse=True)
def data(project: Path) -> None:
    rows = [f"{i % 7},{(i * 37) % 11},{'a' if (i * i) % 5 < 2 else 'b'}" for i in range(200)]
    (project / "own.csv").write_text("\n".join(["u,v,y", *rows]) + "\n")
    turned = [",".join(reversed(line.split(","))) for line in rows[:150]]
    (project / "renamed.csv").write_text("\n".join(["class,second,first", *turned]) + "\n")
    truth = CHANCE.integers(0, 2, 300)
    said = {
        name: np.where(CHANCE.random(300) < right, truth, 1 - truth)
        for name, right in (("a", 0.9), ("b", 0.7), ("c", 0.8))
    }
    pd.DataFrame({"y": truth, **said}).to_csv("said.csv", index=False)
    pd.DataFrame({"y": truth, "d": said["c"]}).to_csv("other.csv", index=False)
    names = [f"set{i}" for i in range(12)]
    pd.DataFrame({"data": names, **{x: CHANCE.random(12).round(4) for x in "abc"}}).to_csv("scores.csv", index=False)


def kinds() -> list[str]:
    return [event.kind for event in read_events(".")]


def looks() -> list[Event]:
    return [one for one in read_events(".") if one.kind == "looked"]


def test_a_look_is_counted_once(judged: Judged) -> None:
    first = judged(HEAD + DUEL)
    assert kinds() == ["opened", "planned", "started", "rows", "looked"]
    again = judged(HEAD + DUEL)
    assert kinds()[5:] == ["started"]
    assert ledger_codes(first) == ledger_codes(again) == []
    for name in ("comparisons", "findings"):
        assert first[name] == again[name]
    assert run(["ledger", "check"]) == 0


def test_a_rerun_says_nothing_new(judged: Judged) -> None:
    """What was reported after a change is a note in the same words when it is run again, but in strict or frozen."""
    judged(HEAD + DUEL)
    changed = HEAD + DUEL.replace("10cv", "5x2cv").replace("decision-tree", "decision-tree(max_depth = 2)")
    first, again = judged(changed), judged(changed)
    said = [
        {one["code"]: one["level"] for one in run["findings"] if one["code"][:3] == "EV8"} for run in (first, again)
    ]
    assert said == [dict.fromkeys(("EV801", "EV804", "EV806"), level) for level in ("warning", "note")]
    messages = [[one["message"] for one in run["findings"] if one["code"][:3] == "EV8"] for run in (first, again)]
    assert messages[0] == messages[1]
    assert "EV80" in first["err"]
    assert "EV80" not in again["err"]
    assert [one["number"] for one in again["ledger"]["looks"]] == [2]
    assert "error[EV801]" in judged(changed, "study", "--strict")["err"]
    assert "error[EV801]" in judged("set strict\n" + changed)["err"]
    assert run(["freeze", "study.eval"]) == 0
    assert "error[EV806]" in judged(changed)["err"]


def test_rows_are_recognised_under_another_name(judged: Judged) -> None:
    judged(HEAD + DUEL)
    other = 'set seed 3\ndataset mine from csv "renamed.csv", target "class" because "ours"\n'
    assert ledger_codes(judged(other + "compare knn vs majority on mine using 5x2cv\n", "other")) == ["EV801"]


def test_what_was_changed_after_a_look(judged: Judged) -> None:
    changes = {
        "EV805": (HEAD + DUEL).replace("seed 3", "seed 4"),
        "EV807": HEAD + DUEL.replace("10cv", "10cv, measuring balanced-accuracy"),
        "EV806": HEAD + DUEL.replace("10cv", "5x2cv"),
        "EV804": HEAD + DUEL.replace("decision-tree", "decision-tree(max_depth = 2)"),
    }
    judged(HEAD + DUEL)
    for code, later in changes.items():
        assert code in ledger_codes(judged(later)), code


def test_learners_left_out_and_datasets_dropped(judged: Judged) -> None:
    three = DUEL.replace("naive-bayes", "naive-bayes vs majority").replace("10cv", "10cv, holm over learners")
    judged(HEAD + three)
    assert ledger_codes(judged(HEAD + DUEL)) == []  # fewer learners, the same design: nothing new is seen
    assert "EV808" in ledger_codes(judged(HEAD + DUEL.replace("10cv", "5x2cv")))
    Path("own.csv").write_text("u,y\n" + "".join(f"{i},{i % 2}\n" for i in range(60)))
    assert "EV803" in ledger_codes(judged(HEAD.replace('"y"', '"y" as classification') + DUEL))


def test_a_second_scorer_is_no_second_look_but_a_second_name_is(judged: Judged) -> None:
    cells = [(m, n, (n * k) % 3 > 0) for n in range(60) for k, m in ((1, "a"), (2, "b"))]
    for file, score in (("exact", lambda n, right: right), ("judge", lambda n, right: right != (n % 4 == 0))):
        rows = [f"{int(score(n, right))},{m},q{n}" for m, n, right in cells]
        Path(f"{file}.csv").write_text("score,model,item\n" + "\n".join(rows) + "\n")
    text = 'results logs from csv "{}.csv", as score ~ model | item, measuring {}(better = higher)\n'
    text += "compare a vs b on logs\n"
    judged(text.format("exact", "exact"))
    assert ledger_codes(judged(text.format("judge", "graded"))) == []
    assert "EV801" in ledger_codes(judged(text.format("exact", "other")))


def test_the_level_is_spent(judged: Judged) -> None:
    judged(HEAD + DUEL)
    text = HEAD + "compare knn vs majority on own using 10cv, holm over everything so far\n"
    for _ in range(2):  # the same run again has the level it had
        found = judged(text, "other")
        assert ledger_codes(found) == []
        assert found["comparisons"][0]["alpha"] == pytest.approx(0.05 / 6)


def test_a_declared_number_of_looks(judged: Judged) -> None:
    compare = PREDICTIONS + "compare {} on p by mcnemar, holm over everything so far within 2 looks\n"
    for pair in ("a vs b", "a vs c"):
        assert judged(compare.format(pair), pair.replace(" ", ""))["comparisons"][0]["alpha"] == 0.025
    third = judged(compare.format("b vs c"), "third")
    assert third["code"] == 2
    assert "this is test-set use 3 of these rows, and 2 were declared" in third["err"]


def test_two_statements_of_one_run_are_not_before_each_other(judged: Judged) -> None:
    compare = "compare a vs {} on p by mcnemar, holm over everything\n"
    text = PREDICTIONS + compare.format("b") + compare.format("c")
    numbers = [[one["number"] for one in judged(text)["ledger"]["looks"]] for _ in range(2)]
    assert numbers == [[1, 1], [1, 1]]


def test_switched_off_is_seen(judged: Judged, project: Path) -> None:
    judged(HEAD + DUEL, "study", "--no-ledger")
    assert not (project / NAME).exists()
    kept = json.loads((project / "runs" / "study" / "result.json").read_text())
    assert kept["run"]["ledger"] == "switched off (--no-ledger)"


def test_from_python() -> None:
    X = CHANCE.normal(size=(120, 3))
    y = (X[:, 0] > 0).astype(int)
    values = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB(), "D": (X, y)}
    first = ev.compare("tree vs bayes on D using 5x2cv", **values)
    assert first.run.ledger == "kept"
    assert [one.number for one in first.run.looks] == [1]
    second = ev.compare("tree vs majority on D using 10cv", **values)
    assert [(one.number, len(one.before)) for one in second.run.looks] == [(2, 1)]
    assert "EV801" in [f.code for f in second.run.findings]
    assert "use 2 of these test rows" in second.to_markdown()
    with pytest.raises(ev.Refused, match="EV805"):
        ev.compare("tree vs bayes on D using 5x2cv", seed=9, strict=True, **values)
    off = ev.compare("tree vs bayes on D using 5x2cv", seed=9, ledger=False, **values)
    assert "This run is not in a ledger: switched off (ledger=False)" in off.to_markdown()
    assert len(looks()) == 2
    other = CHANCE.normal(size=(80, 4))
    found = ev.compare("bayes vs majority on D using 5x2cv", bayes=GaussianNB(), D=(other, (other[:, 0] > 0) * 1))
    assert not [f for f in found.run.findings if f.code.startswith("EV8")], "other data was not dropped"


def test_in_a_notebook(project: Path) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "evalang")
    cell = "set seed 2\ncompare naive-bayes vs majority on iris using 5x2cv\n"
    shell.run_cell_magic("evalang", "--no-ledger", cell)
    assert not (project / NAME).exists()
    shell.run_cell_magic("evalang", "", cell)
    assert [one.get("study") for one in looks()] == [""]


def test_tables_of_results_and_predictions(judged: Judged, project: Path) -> None:
    table = 'results t from csv "scores.csv", datasets in "data", measuring accuracy\n'
    scripts = {
        "one": (table + "compare a vs b on t by wilcoxon\n", [], 1),
        "two": (table + "compare b vs c on t by wilcoxon\n", ["EV801"], 2),
        "three": (PREDICTIONS + "compare a vs b on p by mcnemar\n", [], 1),
        "four": ('predictions p from csv "other.csv", truth "y"\nestimate d on p\n', ["EV801"], 2),
    }
    for name, (text, codes, number) in scripts.items():
        found = judged(text, name)
        assert [code for code in ledger_codes(found) if code == "EV801"] == codes, name
        assert found["ledger"]["looks"][0]["number"] == number
    assert (project / "runs" / "one" / "ledger.head").is_file()


def test_a_single_test_on_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    for test, pair, options, words in (
        ("wilcoxon", "ab", (), ""),
        ("wilcoxon", "ab", (), ""),  # the same look again is none
        ("paired-t", "ac", (), "these rows were tested 1 time before"),
        ("sign", "ac", ("--no-ledger",), "in a ledger: switched off"),
    ):
        assert run(["test", test, "scores.csv", *pair, *options]) == 0
        err = capsys.readouterr().err
        assert words in err
        assert words or "came before" not in err
    assert run(["test", "mcnemar", "35", "15"]) == 0
    assert len(looks()) == 2, "counts are no rows"


def test_reports_are_events(judged: Judged) -> None:
    judged(PREDICTIONS + 'compare a vs b on p by mcnemar\nreport to "s.md"\n', "s")
    for _ in range(2):
        assert run(["report", "runs/s", "--to", "html"]) == 0
    assert [one.get("file") for one in read_events(".") if one.kind == "reported"] == ["s.md", "report.html"]


def test_frozen_and_verified(judged: Judged, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def verified(text: str, code: str) -> tuple[int, str]:
        (project / "study.eval").write_text(text)
        capsys.readouterr()
        return run(["verify", "study.eval", code]), capsys.readouterr().out

    (project / "study.eval").write_text(HEAD + DUEL + CLAIM)
    assert run(["freeze", "study.eval"]) == 0
    code = capsys.readouterr().out.split()[-1]
    assert verified(HEAD + DUEL + CLAIM, code.lower())[0] == 0
    changed = HEAD + DUEL.replace("10cv", "5x2cv") + CLAIM
    ended, out = verified(changed, code)
    assert ended == 1
    assert "duel: using was `10cv` and is now `5x2cv`, without a reason" in out
    assert "EV802" in ledger_codes(judged(changed))
    reasoned = HEAD + DUEL.replace("10cv", '5x2cv, allow EV802 because "ten folds took too long"') + CLAIM
    ended, out = verified(reasoned, code)
    assert ended == 0
    assert 'because "ten folds took too long"' in out
    ended, out = verified(reasoned.replace(CLAIM, "claim naive-bayes better than decision-tree on own\n"), code)
    assert out.count("a claim was") == 2
    (project / "own.csv").write_text((project / "own.csv").read_text().replace("\n6,", "\n5,"))
    ended, out = verified(reasoned, code)
    assert ended == 1
    assert "the rows of own was" in out
    assert verified(reasoned, "EV-AAAAA-AAAAA-AAAAA-AAAAA")[0] == 2


def test_strict_levels_for_freezing(project: Path) -> None:
    loose = "compare decision-tree vs naive-bayes on iris, wine using 5x2cv, uncorrected, seed 1\n"
    (project / "study.eval").write_text(loose)
    assert run(["lint", "--strict", "study.eval"]) == 1
    assert run(["freeze", "--strict", "study.eval"]) == 1
    (project / "pyproject.toml").write_text("[tool.evalang]\nstrict = true\n")
    assert run(["freeze", "study.eval"]) == 1
    (project / "pyproject.toml").unlink()
    (project / "study.eval").write_text("set strict\n" + loose)
    assert run(["freeze", "study.eval"]) == 1
    assert not (project / NAME).exists()
    (project / "study.eval").write_text(loose)
    assert run(["freeze", "study.eval"]) == 0


def test_a_frozen_design_for_others(project: Path) -> None:
    (project / "study.eval").write_text(HEAD + DUEL + CLAIM)
    for name, ended in (("p.md", 0), ("p.json", 0), ("p.txt", 2)):
        assert run(["freeze", "study.eval", "--to", name]) == ended
    text = (project / "p.md").read_text()
    heads = "Hypotheses, Research questions, Data, Design and variables, Analysis plan, Deviations, Software"
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == heads.split(", ")
    assert "decision-tree better than naive-bayes on own" in text
    statement = json.loads((project / "p.json").read_text())
    frozen = next(event for event in read_events(".") if event.kind == "frozen")
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["subject"][0]["digest"]["sha256"] == frozen.get("data")["own"]
    assert statement["predicate"]["code"] in text


def test_drawn_at_random(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "archive.csv").write_text("name\n" + "".join(f"set{i}\n" for i in range(50)))
    assert run(["draw", "5", "archive.csv", "--seed", "4"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("suite drawn is set")
    assert printed.count("set") == 5
    assert run(["draw", "5", "archive.csv", "--seed", "5"]) == 2
    assert "the first draw counts" in capsys.readouterr().err


def test_every_name_is_drawn_equally_often() -> None:
    names = [f"n{i}" for i in range(10)]
    counts = dict.fromkeys(names, 0)
    for seed in range(3000):
        for name in draw_names(names, 3, seed):
            counts[name] += 1
    assert all(abs(count - 900) < 4 * (3000 * 0.3 * 0.7) ** 0.5 for count in counts.values())
