"""`evalang gate`: exit codes by whether the new version is worse than the old one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ..support.calling import Call
from ..support.tool_logs import inspect_log, write_eval

ITEMS = 1500
RIGHT = np.arange(ITEMS) % 5 != 0
NEW = {
    "same": np.where((np.arange(ITEMS) < 20) & (np.arange(ITEMS) % 5 < 2), ~RIGHT, RIGHT),  # 4 gained, 4 lost
    "worse": np.where(np.arange(ITEMS) < 150, False, RIGHT),
}


def scores(folder: Path, name: str, right: np.ndarray) -> str:
    frame = pd.DataFrame({"item": [f"q{i}" for i in range(len(right))], "correct": right.astype(int)})
    frame.to_csv(folder / name, index=False)
    return name


def predictions(folder: Path, name: str, right: np.ndarray) -> str:
    truth = np.where(np.arange(len(right)) % 2 == 0, "yes", "no")
    other = np.where(truth == "yes", "no", "yes")
    frame = pd.DataFrame({"id": range(len(right)), "truth": truth, "prediction": np.where(right, truth, other)})
    frame.sample(frac=1, random_state=len(name)).to_csv(folder / name, index=False)  # paired by id, not by place
    return name


def log(folder: Path, name: str, right: np.ndarray) -> str:
    write_eval(folder / name, inspect_log("lab/a", {i: "C" if r else "I" for i, r in enumerate(right[:400])}))
    return name


@pytest.mark.parametrize(("write", "ending"), [(scores, "csv"), (predictions, "csv"), (log, "eval")])
@pytest.mark.parametrize(("name", "code"), [("same", 0), ("worse", 1)])
def test_not_worse_and_worse(
    call: Call, folder: Path, write: Callable[..., str], ending: str, name: str, code: int
) -> None:
    margin = "6pt" if ending == "eval" else "2pt"
    old, new = write(folder, f"old.{ending}", RIGHT), write(folder, f"new.{ending}", NEW[name])
    done = call("gate", old, new, "--margin", margin)
    assert done.code == code, done.out + done.err
    assert done.out.startswith("Gate: passed" if code == 0 else "Gate: failed")
    assert not list(folder.glob("*ledger*"))
    assert not list(folder.glob("runs"))


@pytest.mark.parametrize(
    ("option", "code"), [((), 4), (("--inconclusive", "pass"), 0), (("--inconclusive", "fail"), 1)]
)
def test_too_few_items_are_inconclusive(call: Call, folder: Path, option: tuple[str, ...], code: int) -> None:
    old, new = scores(folder, "old.csv", RIGHT[:60]), scores(folder, "new.csv", NEW["same"][:60])
    done = call("gate", old, new, "--margin", "1pt", "--format", "markdown", *option)
    assert done.code == code, done.err
    assert done.out.startswith("### Gate: inconclusive")
    assert "<details><summary>The comparison</summary>" in done.out
    assert str(folder) not in done.out


def test_the_order_of_the_files_decides(call: Call, folder: Path) -> None:
    old, new = log(folder, "old.eval", RIGHT), log(folder, "new.eval", NEW["worse"])
    assert [call("gate", *pair, "--margin", "6pt").code for pair in ((old, new), (new, old))] == [1, 0]


def test_graded_scores_agree_with_scipy(call: Call, folder: Path) -> None:
    """Not worse where the lower end of the 90% interval of a paired t lies above minus the margin."""
    rng = np.random.default_rng(5)
    old = rng.random(80)
    new = np.clip(old + rng.normal(-0.01, 0.1, 80), 0, 1)
    for name, values in (("old", old), ("new", new)):
        pd.DataFrame({"item": range(80), "score": values}).to_csv(folder / f"{name}.csv", index=False)
    low = stats.ttest_rel(new, old).confidence_interval(0.9).low
    for margin, code in ((-low + 0.001, 0), (-low - 0.001, 4)):
        asked = ("--measuring", "score", "--better", "higher", "--margin", f"{margin:.6f}")
        done = call("gate", "old.csv", "new.csv", *asked)
        assert done.code == code, done.out + done.err


def write_some(folder: Path, write: Callable[..., str], name: str, right: np.ndarray, kept: np.ndarray) -> None:
    """Write only the kept items: rows of a table, samples of a log."""
    if write is scores:
        scores(folder, name, right)
        pd.read_csv(folder / name)[kept].to_csv(folder / name, index=False)
    else:
        answers = {i: "C" if right[i] else "I" for i in np.flatnonzero(kept).tolist()}
        write_eval(folder / name, inspect_log("lab/a", answers))


@pytest.mark.parametrize(("write", "ending"), [(scores, "csv"), (log, "eval")])
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_file_without_its_failed_items_is_not_judged(
    call: Call, folder: Path, write: Callable[..., str], ending: str, form: str
) -> None:
    """171 of 300 right is worse than 240 of 300; the right answers alone would pass."""
    right = np.arange(300) < 171
    write(folder, f"old.{ending}", RIGHT[:300])
    write_some(folder, write, f"new.{ending}", right, right)
    done = call("gate", f"old.{ending}", f"new.{ending}", "--margin", "1pt", "--format", form)
    assert done.code == 2, done.out + done.err
    assert "`new` lacks 129 of 300 answers" in done.err
    assert "missing count as wrong" in done.err
    assert "passed" not in done.out


def test_a_few_missing_items_are_left_out_if_the_answer_stays(call: Call, folder: Path) -> None:
    """Counted as wrong, 2 of 300 cost 0.7 points, and 3 of 1500 cost 0.2."""
    for items, gone, code in ((300, 2, 2), (1500, 3, 0), (1500, 16, 2)):
        scores(folder, "old.csv", RIGHT[:items])
        kept = ~((np.cumsum(RIGHT[:items]) <= gone) & RIGHT[:items])
        write_some(folder, scores, "new.csv", RIGHT[:items], kept)
        done = call("gate", "old.csv", "new.csv", "--margin", "1pt")
        assert done.code == code, done.out + done.err
        assert f"new lacks {gone} of {items:,}" in (done.out if code == 0 else done.err).replace("`", "")
        assert done.out.count("\n") <= 3


def test_the_claims_of_a_script(call: Call, folder: Path) -> None:
    frame = pd.DataFrame({"item": range(ITEMS), "old": RIGHT.astype(int), "new": NEW["worse"].astype(int)})
    frame.to_csv(folder / "t.csv", index=False)
    head = 'results t from csv "t.csv", items in "item", measuring accuracy\ncompare new vs old on t\n'
    (folder / "fails.eval").write_text(head + "claim new no worse than old within 1% on t\n")
    (folder / "holds.eval").write_text(head + "claim old better than new on t\n")
    (folder / "none.eval").write_text(head)
    assert [call("gate", f"{name}.eval").code for name in ("fails", "holds", "none")] == [1, 0, 2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("old.csv", "new.csv"), "the option --margin is missing"),
        (("old.csv", "new.csv", "--margin", "much"), "--margin 1pt"),
        (("old.csv",), "compares two files, but only one is named"),
        (("old.csv", "gone.csv", "--margin", "1pt"), "there is no file gone.csv"),
        (("old.csv", "other.csv", "--margin", "1pt"), "several columns that may be scores"),
        (("old.csv", "old.csv", "--margin", "1pt"), "the file old.csv is named twice"),
        (("old.csv", "twice.csv", "--margin", "1pt"), "new has 'item' 'q7' twice"),
    ],
)
def test_what_cannot_be_judged_ends_with_two(call: Call, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    scores(folder, "old.csv", RIGHT)
    scores(folder, "new.csv", RIGHT)
    (folder / "other.csv").write_text("a,b\n1,2\n")
    once = (folder / "new.csv").read_text()
    (folder / "twice.csv").write_text(once.replace("q3,", "q7,"))
    done = call("gate", *arguments)
    assert (done.code, said in done.err) == (2, True), done.err


def test_own_code_beside_a_script_needs_trust(call: Call, folder: Path) -> None:
    (folder / "mine.py").write_text("open('ran', 'w').close()\nclass Mine: pass\n")
    (folder / "s.eval").write_text(
        'set seed 1\nlearner m is "mine:Mine" because "mine"\n'
        'dataset d from builtin "breast-cancer" because "at hand"\n'
        "compare m vs majority on d using 5x2cv\nclaim m better than majority on d\n"
    )
    done = call("gate", "s.eval")
    assert done.code == 2, done.out
    assert "--trust" in done.err
    assert not (folder / "ran").exists()


@pytest.mark.parametrize(("margin", "instead"), [("1", "1pt"), ("5", "5pt"), ("100pt", "1pt"), ("200%", "1pt")])
def test_a_margin_that_covers_the_range_is_refused(call: Call, folder: Path, margin: str, instead: str) -> None:
    old, new = scores(folder, "old.csv", RIGHT), scores(folder, "new.csv", NEW["worse"])
    done = call("gate", old, new, "--margin", margin)
    assert done.code == 2
    assert f"write --margin {instead}" in done.err
    assert call("gate", old, new, "--margin", "0.01").code == 1


@pytest.mark.parametrize(
    ("column", "option", "code"),
    [
        ("latency", (), 1),
        ("latency_ms", (), 1),
        ("Loss", (), 1),
        ("perplexity", (), 1),
        ("latency", ("--better", "higher"), 0),
        ("reward", ("--better", "higher"), 0),
        ("reward", ("--better", "lower"), 1),
        ("reward", (), 2),
        ("neg_loss", (), 2),
    ],
)
def test_the_direction_is_known_by_name_or_asked_for(
    call: Call, folder: Path, column: str, option: tuple[str, ...], code: int
) -> None:
    rng = np.random.default_rng(1)
    for name, more in (("old", 0), ("slow", 50)):
        pd.DataFrame({"id": range(80), column: rng.normal(100 + more, 5, 80)}).to_csv(
            folder / f"{name}.csv", index=False
        )
    done = call("gate", "old.csv", "slow.csv", "--margin", "2", *option)
    assert done.code == code, done.out + done.err
    if code == 2:
        assert f"it is unknown whether higher or lower {column} is better" in done.err
        return
    better = "higher" if code == 0 else "lower"
    assert f"{better} is better)" in done.out
    done = call("compare", "old.csv", "slow.csv", *option)
    assert f"`{'slow' if code == 0 else 'old'}` is better than" in done.out
    assert option or f"a lower {column} is taken as better (else --better higher)" in done.out


@pytest.mark.parametrize("unit", ["%", "pt", ""])
def test_a_point_of_a_table_in_per_cent_is_1(call: Call, folder: Path, unit: str) -> None:
    for name, less in (("old.csv", 0.0), ("new.csv", 0.3)):
        sets = pd.DataFrame({"dataset": [f"t{i}" for i in range(12)], "accuracy": 85.0 + np.arange(12) - less})
        sets.to_csv(folder / name, index=False)
        sets.rename(columns={"accuracy": "score"}).to_csv(folder / f"own-{name}", index=False)
    assert call("gate", "old.csv", "new.csv", "--margin", f"1{unit}").code == 0
    done = call("gate", "own-old.csv", "own-new.csv", "--better", "higher", "--margin", f"1{unit}")
    assert done.code == (2 if unit else 0), done.out + done.err
    assert not unit or "write --margin 1 for a difference of 1 in score" in done.err


@pytest.mark.parametrize("unit", ["%", "pt"])
def test_a_share_of_a_metric_with_a_unit_is_refused(call: Call, folder: Path, unit: str) -> None:
    took = 240.0 + 20.0 * np.sin(np.arange(60))
    for name, slower in (("old.csv", 0.0), ("new.csv", 1.0 + np.cos(np.arange(60)))):
        pd.DataFrame({"item": range(60), "latency_ms": took + slower}).to_csv(folder / name, index=False)
    done = call("gate", "old.csv", "new.csv", "--margin", f"5{unit}")
    assert done.code == 2, done.out
    assert f"--margin 5{unit} means 0.05, but the scores of latency_ms are not from 0 to 1" in done.err
    assert "write --margin 5 for a difference of 5 in latency_ms" in done.err
    assert call("gate", "old.csv", "new.csv", "--margin", "5").code == 0
