"""`evalang compare` on a table: what it is read as, that the printed script gives the same answer, and when it asks."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.data.guess_roles import Hints, guess
from evalang.data.reshape import reshaped
from evalang.errors import DataError

from ..support.calling import Call, Called
from ..support.tool_logs import inspect_log, write_eval
from .test_compare import A, B, p_values

RNG = np.random.default_rng(7)
LEVEL = RNG.uniform(0.6, 0.9, 12)
WIDE = pd.DataFrame({"a": LEVEL, "b": LEVEL + 0.03 + RNG.uniform(0, 0.02, 12), "c": LEVEL + RNG.normal(0, 0.01, 12)})
WIDE = WIDE.round(3)
NAMED = WIDE.assign(dataset=[f"d{i}" for i in range(12)])
LONG = NAMED.melt("dataset", var_name="model", value_name="accuracy")
RIGHT = pd.DataFrame({"gpt": RNG.random(300) < 0.7, "llama": RNG.random(300) < 0.5}).astype(int)
TRUTH = pd.Series(RNG.choice(["cat", "dog", "cow"], 200))
GUESSED = pd.DataFrame(
    {"y": TRUTH, "tree": TRUTH.where(RNG.random(200) < 0.8, "cow"), "bayes": TRUTH.shift(1).fillna("cat")}
)


@pytest.mark.parametrize(
    ("frame", "clauses"),
    [
        (NAMED, 'datasets in "dataset"'),
        (LONG, "as accuracy ~ model | dataset"),
        (LONG.rename(columns={"dataset": "task", "accuracy": "score"}), 'task,\n  datasets in "task"'),
        (RIGHT.assign(question=range(300)), 'items in "question",\n  measuring accuracy'),
        (RIGHT, 'items in "(row)",\n  measuring accuracy'),
        (RIGHT.assign(task_id=range(300)).melt("task_id", var_name="model", value_name="passed"), 'items in "task_id"'),
        (GUESSED, 'truth "y",\n  learners in "tree", "bayes"'),
        (GUESSED.replace({"cat": 0, "dog": 1, "cow": 2}), 'truth "y",\n  learners in "tree", "bayes"'),
        (NAMED.assign(fold=0), 'datasets in "dataset",\n  folds in "fold"'),
        (LONG.assign(n_params=LONG.index % 7), "as accuracy ~ model | dataset"),
        (LONG.rename(columns={"accuracy": "reward"}).assign(tstamp=RNG.random(36)), "as reward ~ model | dataset"),
        (NAMED.rename(columns={"dataset": "DB"}).assign(DB=range(2, 14)), 'datasets in "DB",\n  measuring score'),
    ],
    ids=["wide", "long", "long-roles", "items", "items-rows", "items-long", "labels", "numbered-labels", "folds",
         "beside-a-metric", "beside-a-time", "numbered-datasets"],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_a_table_is_read_by_names_and_values(
    frame: pd.DataFrame, clauses: str, kind: str, call: Call, folder: Path
) -> None:
    path = folder / f"t.{kind}"
    write(frame, path)
    done = call("compare", path.name, "--script", "kept.eval", "--no-ledger")
    assert done.code == 0, done.err
    script = (folder / "kept.eval").read_text()
    assert clauses in script
    again = call("run", "kept.eval", "--no-ledger", "--out", "r").out
    assert again.partition("\n\n")[0] in done.out
    assert again.split("\n\n")[1].splitlines()[-1] in done.out  # the last row of its table, or of its footnote


@pytest.fixture
def compared(call: Call, folder: Path) -> Call:
    """`evalang compare` on a table, with its exit code checked."""

    def compare(frame: pd.DataFrame, *options: str, code: int = 0) -> Called:
        frame.to_csv(folder / "t.csv", index=False)
        done = call("compare", "t.csv", "--no-ledger", *options)
        assert done.code == code, done.out + done.err
        return done

    return compare


def write(frame: pd.DataFrame, path: Path) -> None:
    """In the format of the ending."""
    if path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif path.suffix == ".json":
        frame.to_json(path)
    elif path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    else:
        frame.to_csv(path, index=False) if path.suffix == ".csv" else frame.to_parquet(path)


def answer(out: str) -> str:
    """The answer with its tables."""
    return out.partition("Answer\n")[2].partition("Test:")[0]


def written(kind: str) -> str:
    if kind == "percent":
        return NAMED.assign(**{c: [f"{100 * v:.1f}%" for v in NAMED[c]] for c in "abc"}).to_csv(index=False)
    if kind == "spread":
        return NAMED.assign(**{c: [f"{v} ± 0.5" for v in NAMED[c]] for c in "abc"}).to_csv(index=False)
    if kind == "semicolon":
        return NAMED.to_csv(index=False, sep=";", decimal=",")
    return NAMED.to_csv(index=False, decimal=",") if kind == "comma" else NAMED.to_csv()


@pytest.mark.parametrize(
    ("kind", "note"),
    [
        ("percent", "36 percentages are read as shares"),
        ("spread", "36 cells are a mean with a spread: the mean is used"),
        ("semicolon", "the comma in its numbers is read as a decimal point"),
        ("comma", "36 numbers have a decimal comma"),
        ("index", "its column without a name counts the rows and is left out"),
    ],
)
def test_other_ways_to_write_the_same_scores_give_the_same_answer(
    kind: str, note: str, call: Call, folder: Path
) -> None:
    (folder / "t.csv").write_text(NAMED.to_csv(index=False))
    plain = call("compare", "t.csv", "--no-ledger")
    (folder / "t.csv").write_text(written(kind))
    done = call("compare", "t.csv", "--no-ledger")
    assert done.code == 0, done.err
    assert note in done.out
    assert answer(done.out) == answer(plain.out) != ""


@pytest.mark.parametrize(
    ("frame", "first", "second"),
    [
        (WIDE, "12 datasets", "12 folds"),
        (LONG.assign(f1=LONG["accuracy"]), "scored by accuracy", "scored by f1"),
        (GUESSED.rename(columns={"y": "x"}), "'x' is the truth", "'tree' is the truth"),
        (
            pd.DataFrame(
                [(s, f, m, 0.5 + f / 100) for s in range(3) for f in range(4) for m in "ab"],
                columns=["seed", "fold", "learner", "accuracy"],
            ),
            "made using 4cv, trained 3 times",
            "made using 3x4cv",
        ),
    ],
    ids=["rows", "metrics", "truth", "seeds"],
)
def test_two_readings_are_both_printed(frame: pd.DataFrame, first: str, second: str, compared: Call) -> None:
    done = compared(frame, code=2)
    assert "t.csv can be read in" in done.err
    assert done.out.index(first) < done.out.index(second)
    assert done.out.count("\ncompare ") >= 2


def spoilt(frame: pd.DataFrame, column: str, cell: str) -> pd.DataFrame:
    """With a cell of text in row 5."""
    return frame.assign(**{column: [cell if row == 4 else value for row, value in enumerate(frame[column])]})


LABELS = GUESSED.rename(columns={"y": "truth"})
SHORT = pd.DataFrame({"dataset": ["x", "y", "z"], "a": [0.5, 0.7, 0.6]})
NUMBERS = pd.DataFrame({"y_true": LEVEL, "ols": LEVEL + 1, "gbm": LEVEL, "knn": LEVEL - 1})
FIFTH = "row 5 of column '{}' is '{}', which is not a number"


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (spoilt(NAMED, "c", "0.7o1"), FIFTH.format("c", "0.7o1")),
        (spoilt(RIGHT.assign(question=range(300)), "llama", "error"), FIFTH.format("llama", "error")),
        (spoilt(LONG.assign(f1=LONG["accuracy"]), "accuracy", "0.7o1"), FIFTH.format("accuracy", "0.7o1")),
        (spoilt(NUMBERS, "gbm", "x"), FIFTH.format("gbm", "x")),
        (SHORT.assign(b=["oops", "0.8", "0.7"]), "row 1 of column 'b' is 'oops', which is not a number"),
        (LABELS.assign(vit=TRUTH.str.upper()), "'vit' is '{}', and 'truth' has no such class help: write '{}'"),
        (LABELS.assign(vit=TRUTH.replace("cat", "Cat")), "'vit' is 'Cat', and 'truth' has no such class"),
        (RIGHT.assign(truth=RIGHT["gpt"], new=RIGHT["gpt"].map({0: "no", 1: "yes"})), "of column 'new' is '"),
        (RIGHT.assign(question=range(300), new=["no", "yes"] * 150), "'new' is 'no', which is not right or wrong"),
    ],
    ids=["wide", "items", "long", "predictions", "short", "upper-case", "one-class", "predicted-yes", "yes-beside-1"],
)
def test_no_learner_is_left_out_for_a_cell(frame: pd.DataFrame, words: str, compared: Call) -> None:
    done = compared(frame, code=2)
    said = " ".join(done.err.split())
    assert words.format(TRUTH[0].upper(), TRUTH[0]) in said
    assert "row 5" not in words or "leave the cell empty" in said


@pytest.mark.parametrize(
    "names",
    ["agent env", "algo environment", "algorithm game", "method benchmark", "system problem", "policy task"],
)
def test_names_of_reinforcement_learning(names: str) -> None:
    learner, dataset = names.split()
    rows = [(a, e, s, 10.0 * s + len(a)) for a in ("sac", "dqn2") for e in ("e0", "e1", "e2") for s in range(3)]
    frame = pd.DataFrame(rows, columns=[learner, dataset, "seed", "return"])
    (reading,) = guess(frame, Hints(source='csv "rl.csv"'))
    assert f"as return ~ {learner} | {dataset} / seed" in reading.statement
    assert reading.meaning.startswith("3 datasets x 3 seeds x 2 learners, scored by return; a higher return")


@pytest.mark.parametrize("column", ["seed", "random_seed", "data-seed"])
def test_seeds_are_known_by_name_in_tables_with_gaps(column: str) -> None:
    rows = [(a, e, s, 0.1 * s) for a in ("bert", "lora") for e in ("cola", "mnli", "rte") for s in range(3)]
    frame = pd.DataFrame(rows, columns=["model", "task", column, "accuracy"])
    (seedless,), (dataless,) = (guess(frame[n:], Hints(source='csv "t.csv"')) for n in (1, 3))
    word = column if column.isidentifier() else f'"{column}"'
    assert f"accuracy ~ model | task / {word}" in seedless.statement
    assert (seedless.gaps, dataless.gaps) == (False, True)  # a learner has no score of cola in the second


def test_a_metric_with_a_slip_is_not_a_new_one(call: Call, compared: Call) -> None:
    done = compared(RIGHT.assign(question=range(300)), "--measuring", "acuracy", code=2)
    assert "did you mean accuracy?" in done.err
    assert call("compare", "t.csv", "--measuring", "acuracy", "--better", "higher").code == 0
    assert call("compare", "t.csv", "--measuring", "helpfulness").code == 0


def test_lower_scores_and_a_metric_in_the_name_of_the_file(call: Call, folder: Path) -> None:
    NAMED.to_csv(folder / "rmse_by_set.csv", index=False)
    assert "measuring rmse" in call("compare", "rmse_by_set.csv", "--no-ledger").out
    NAMED.to_csv(folder / "t.csv", index=False)
    assert "a higher score is taken as better" in call("compare", "t.csv", "--no-ledger").out
    lower = call("compare", "t.csv", "--better", "lower", "--no-ledger").out
    assert "measuring score(better = lower)" in lower
    assert "taken as better" not in lower


def test_numbers_and_probabilities_are_measured_by_what_fits_them(call: Call, folder: Path) -> None:
    y = RNG.normal(size=60)
    pd.DataFrame({"y_true": y, "ols": y + 1, "gbm": y + 0.5}).to_csv(folder / "numbers.csv", index=False)
    assert "metric         rmse" in call("compare", "numbers.csv", "--no-ledger").out
    truth = RNG.integers(0, 2, 80)
    chances = pd.DataFrame({"label": truth, "m1": truth * 0.3 + RNG.random(80) * 0.7, "m2": RNG.random(80)})
    chances.to_csv(folder / "chances.csv", index=False)
    assert "roc-area higher by" in call("compare", "chances.csv", "--no-ledger").out


def test_one_log_alone_has_its_score_with_an_interval(call: Call, folder: Path) -> None:
    write_eval(folder / "a.eval", inspect_log("lab/a", A))
    done = call("compare", "a.eval", "--no-ledger")
    assert done.code == 0, done.err
    assert 'estimate "lab/a" on logs' in done.out
    right = sum(grade == "C" for grade in A.values()) / len(A)
    assert f"{right:.3f}" in done.out
    assert "interval" in done.out


def test_a_folder_is_read_without_logs_that_cannot_be_read(call: Call, folder: Path) -> None:
    write_eval(folder / "logs" / "a.eval", inspect_log("lab/a", A))
    write_eval(folder / "logs" / "b.eval", inspect_log("lab/b", B))
    plain = call("compare", "logs", "--no-ledger")
    unscored = inspect_log("lab/c", A)
    for sample in unscored["samples"]:
        sample["scores"] = {}
    write_eval(folder / "logs" / "c.eval", unscored)
    (folder / "logs" / "d.eval").write_bytes((folder / "logs" / "a.eval").read_bytes()[:200])
    done = call("compare", "logs", "--no-ledger")
    assert done.code == 0, done.err
    assert "'logs/c.eval' has 40 samples and no score" in done.out.replace("'c.eval'", "'logs/c.eval'")
    assert "d.eval' is a damaged zip file" in done.out
    assert p_values(done.out) == p_values(plain.out)
    named = call("compare", "logs/a.eval", "logs/d.eval", "--no-ledger")
    assert named.code == 2
    assert "damaged" in named.err


def test_a_script_is_kept_only_where_it_can_read_the_table(call: Call, folder: Path) -> None:
    (folder / "in").mkdir()
    NAMED.to_csv(folder / "in" / "t.csv", index=False)
    assert call("compare", "in/t.csv", "--script", "s.eval", "--no-ledger").code == 0
    assert 'from csv "in/t.csv"' in (folder / "s.eval").read_text()
    NAMED.to_csv(folder / "t.csv", index=False)
    refused = call("compare", "t.csv", "--script", "in/s.eval", "--no-ledger")
    assert refused.code == 2
    assert "write the script beside the files" in refused.err


FLOWERS = pd.DataFrame(RNG.normal([5, 3, 40], 1, (60, 3)).round(1), columns=["sepal", "petal", "weight_g"])


@pytest.mark.parametrize(
    ("frame", "target"),
    [
        (FLOWERS.assign(species=RNG.choice(["setosa", "virginica"], 60)), "species"),
        (FLOWERS.assign(target=RNG.integers(0, 3, 60)), "target"),
        (FLOWERS.assign(price=RNG.uniform(200, 900, 60)), "price"),
    ],
    ids=["words", "named", "sizes"],
)
def test_a_table_of_features_gets_a_script_that_learns_from_it(
    frame: pd.DataFrame, target: str, call: Call, folder: Path
) -> None:
    frame.to_csv(folder / "my flowers.csv", index=False)
    done = call("compare", "my flowers.csv", "--no-ledger")
    assert done.code == 2
    assert "looks like training data" in done.err
    script = done.out.partition("\n\n")[2]
    assert f'dataset my-flowers from csv "my flowers.csv", target "{target}"' in script
    (folder / "s.eval").write_text(script)
    linted = call("lint", "s.eval")
    assert linted.code == 0, linted.out + linted.err


def test_files_of_one_learner_each_are_joined_by_their_ids(call: Call, folder: Path) -> None:
    numbered = GUESSED.assign(id=range(200))
    numbered[["id", "y", "tree"]].to_csv(folder / "tree.csv", index=False)
    numbered[["id", "y", "bayes"]].sample(frac=1, random_state=1).to_parquet(folder / "bayes.parquet")
    GUESSED.to_csv(folder / "both.csv", index=False)
    done = call("compare", "tree.csv", "bayes.parquet", "--script", "kept.eval", "--no-ledger")
    assert done.code == 0, done.err
    assert answer(done.out) == answer(call("compare", "both.csv", "--no-ledger").out) != ""
    assert call("run", "kept.eval", "--no-ledger", "--out", "r").code == 0
    questions = RIGHT.assign(question=range(300))
    for name in RIGHT:
        questions[["question", name]].rename(columns={name: "correct"}).to_csv(folder / f"{name}.csv", index=False)
    questions.to_csv(folder / "wide.csv", index=False)
    items = call("compare", "gpt.csv", "llama.csv", "--no-ledger")
    assert items.code == 0, items.err
    assert answer(items.out) == answer(call("compare", "wide.csv", "--no-ledger").out) != ""
    NAMED.to_csv(folder / "scores.csv", index=False)
    refused = call("compare", "gpt.csv", "scores.csv", "--no-ledger")
    assert refused.code == 2
    assert "each file needs one column with the predictions" in " ".join(refused.err.split())


MILLISECONDS = pd.DataFrame({"a": 120 + 50 * LEVEL, "b": 130 + 50 * LEVEL})


@pytest.mark.parametrize("name", ["t.csv", "latency_by_hand.csv"])
@pytest.mark.parametrize("frame", [MILLISECONDS, MILLISECONDS.assign(dataset=NAMED["dataset"])], ids=["bare", "named"])
def test_numbers_that_are_no_shares_need_a_direction(name: str, frame: pd.DataFrame, call: Call, folder: Path) -> None:
    frame.to_csv(folder / name, index=False)
    done = call("compare", name, "--no-ledger")
    assert done.code == 2
    assert "it is unknown whether higher or lower score is better" in done.err
    assert "--better lower" in done.err
    assert ("write a script: dataset own" in " ".join(done.err.split())) == ("dataset" not in frame)


def test_features_beside_a_target_of_numbers_are_no_predictions(call: Call, folder: Path) -> None:
    """Columns far from a target, beside one that happens to be near it, are features; so are columns of classes."""
    size = FLOWERS["weight_g"]
    houses = FLOWERS.assign(target=size / 10 + RNG.normal(0, 1, 60), age=size / 10)
    codes = pd.DataFrame(RNG.integers(0, 3, (60, 4)), columns=list("abcd")).assign(label=RNG.integers(0, 3, 60))
    for frame, target in ((houses, "target"), (codes.assign(e=FLOWERS["petal"], f=size, g=1.5), "label")):
        frame.to_csv(folder / "t.csv", index=False)
        done = call("compare", "t.csv", "--no-ledger")
        assert done.code == 2
        assert f"like results: '{target}' may be its target" in " ".join(done.err.split())
        assert f'dataset t from csv "t.csv", target "{target}"' in done.out


def test_two_tables_with_the_same_columns_are_put_one_below_the_other(call: Call, folder: Path) -> None:
    NAMED.to_csv(folder / "whole.csv", index=False)
    plain = call("compare", "whole.csv", "--no-ledger")
    for form, part in (("wide", NAMED), ("long", LONG.sort_values("dataset"))):
        half = len(part) // 2
        part[:half].to_csv(folder / f"{form}1.csv", index=False)
        part[half:].to_csv(folder / f"{form}2.csv", index=False)
    done = call("compare", "wide1.csv", "wide2.csv", "--no-ledger")
    assert done.code == 0, done.err
    assert answer(done.out) == answer(plain.out) != ""
    done = call("compare", "long1.csv", "long2.csv", "--no-ledger")
    assert done.code == 0, done.err
    assert "12 datasets x 3 learners, scored by accuracy" in " ".join(done.out.split())
    refused = call("compare", "wide1.csv", "whole.csv", "--no-ledger")
    assert refused.code == 2
    assert "the tables have the same columns for 'd0'" in refused.err
    assert "with a column that names the run" in " ".join(refused.err.split())


@pytest.mark.parametrize("column", ["sample", "samples", "attempt", "try", "generation", "rollout", "sample_id"])
def test_samples_beside_items_are_runs_of_an_item(column: str, call: Call, folder: Path) -> None:
    rows = [(m, f"q{i}", "s", e, (i + e) % 2) for m in "ab" for i in range(30) for e in range(3)]
    frame = pd.DataFrame(rows, columns=["model", "question", "subject", column, "correct"])
    (reading,) = guess(frame, Hints(source='csv "t"'))
    assert reading.meaning.startswith("30 items x 3 epochs x 2 learners")
    frame.to_csv(folder / "t.csv", index=False)
    assert call("compare", "t.csv").code == 0


def test_scores_of_two_names_are_not_joined(call: Call, folder: Path) -> None:
    for file, name in (("la", "latency"), ("lb", "ms"), ("lc", "Latency"), ("ld", "score")):
        pd.DataFrame({"item": range(12), name: RNG.uniform(1, 9, 12)}).to_csv(folder / f"{file}.csv", index=False)
    done = call("compare", "la.csv", "lb.csv")
    assert done.code == 2
    assert "'latency'" in done.err
    assert "'ms'" in done.err
    assert "give the columns the same name" in done.err
    assert "a lower latency is taken as better" in call("compare", "la.csv", "lc.csv").out
    assert call("compare", "la.csv", "ld.csv", "--better", "lower").code == 0


def test_a_time_is_a_score_where_there_is_no_other(call: Call, folder: Path) -> None:
    frame = WIDE.assign(item=range(12)).melt("item", var_name="model", value_name="time")
    frame.to_csv(folder / "t.csv", index=False)
    assert "scored by time; a lower time is taken as better" in call("compare", "t.csv").out
    assert call("compare", "t.csv", "--measuring", "time", "--better", "lower").code == 0
    (reading,) = guess(frame.assign(accuracy=0.5 + frame["time"] / 4), Hints(source='csv "t"'))
    assert reading.score == "accuracy"


@pytest.mark.parametrize(("name", "first"), [("request", 7), ("nr", 1), ("case_id", 1), ("line", 100)])
def test_a_column_that_numbers_the_rows_is_no_learner(name: str, first: int) -> None:
    frame = pd.DataFrame({name: range(first, first + 12), "old": WIDE["a"], "new": WIDE["b"]})
    for reading in guess(frame, Hints(source='csv "t"')):
        assert reading.learners == ("old", "new")
        assert "12 " in reading.meaning


def test_an_earlier_comparison_is_called_by_its_file(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVALANG_LEDGER", raising=False)
    NAMED.to_csv(folder / "t.csv", index=False)
    assert call("compare", "t.csv", "--ledger").code == 0
    assert call("test", "friedman", "t.csv").code == 0
    said = call("ledger").out
    assert "compare-1 of t.csv" in said
    assert "test of t.csv" in said
    assert "without a file" not in said


SHARES = LONG.rename(columns={"accuracy": "acc"})
RUNS = pd.DataFrame(
    [(m, f"e{e}", s, 10.0 * e + s + len(m)) for m in ("ppo", "sac2") for e in range(4) for s in range(3)],
    columns=["algo", "env", "seed", "return"],
)


@pytest.mark.parametrize(
    ("frame", "same", "note"),
    [
        (NAMED.set_index("dataset").T.rename_axis("model").reset_index().assign(params_b=7), LONG, "is a learner, and"),
        (pd.concat([NAMED, NAMED[:1].assign(dataset="Average")]), NAMED, "averages of other rows"),
        (pd.concat([SHARES.assign(split="test"), SHARES.assign(acc=1.0, split="train")]), SHARES, "'train' in 'split'"),
        (SHARES.assign(metric="acc").rename(columns={"acc": "value"}), SHARES, "the rows with 'acc' in 'metric'"),
        (pd.concat([RUNS.assign(step=9), RUNS.assign(step=1, **{"return": 0})]), RUNS, "the last step is read (9)"),
        (RUNS.assign(run_id=range(24)), RUNS, "'run_id' only numbers the rows"),
        (RUNS.drop(columns="seed").assign(run=range(24)), RUNS, "the 3 rows of each learner on each dataset"),
        (RUNS.drop(columns="seed"), RUNS, "are read as its runs"),
        (
            RUNS.pivot(index=["algo", "env"], columns="seed", values="return").add_prefix("seed_").reset_index(),
            RUNS,
            "are read as the seeds of one score",
        ),
        (
            GUESSED.assign(id=range(200)).melt(["id", "y"], var_name="model", value_name="prediction"),
            GUESSED,
            "the predictions are put side by side",
        ),
        (
            RIGHT.assign(q=range(300)).melt("q", var_name="system", value_name="correct").replace({1: "Yes", 0: "No"}),
            RIGHT.assign(q=range(300)),
            "'correct': yes is right, no is wrong",
        ),
    ],
    ids=["transposed", "average", "train-and-test", "metric", "steps", "run-id", "runs", "unnamed-runs", "seed-columns",
         "predictions", "yes-and-no"],
)  # fmt: skip
def test_a_table_of_another_form_gives_the_same_answer(
    frame: pd.DataFrame, same: pd.DataFrame, note: str, call: Call, folder: Path
) -> None:
    frame.to_csv(folder / "odd.csv", index=False)
    same.to_csv(folder / "plain.csv", index=False)
    options = ("--measuring", "accuracy") if "a" in same or "accuracy" in same else ()
    done = call("compare", "odd.csv", "--script", "kept.eval", *options)
    assert done.code == 0, done.err
    assert note in done.out
    plain = call("compare", "plain.csv", *options)
    assert p_values(done.out) == p_values(plain.out) != []
    again = call("run", "kept.eval", "--out", "r")  # with the table that was written beside it
    assert p_values(again.out), again.err


EPOCHS = pd.DataFrame(
    [(m, f"q{i}", e, (i + e) % 2) for m in "ab" for i in range(30) for e in range(3)],
    columns=["model", "question", "epoch", "correct"],
)
SAMPLES = pd.DataFrame(
    [(m, "cot", f"i{i}", i % 2) for m in "ab" for i in range(30)], columns=["model", "prompt", "sample", "correct"]
)
IMAGES = pd.DataFrame({"patient_id": [i // 3 for i in range(60)], "image_id": [f"i{i}" for i in range(60)]})
CORRECT = RIGHT.assign(q=range(300)).melt("q", var_name="model", value_name="correct")
COSTS = {"latency_ms": RNG.random(600), "cost_usd": RNG.random(600), "acc_std": RNG.random(600), "step_idx": range(600)}
TESTED = SHARES.rename(columns={"acc": "test_acc"})
LOGGED = SHARES.rename(columns=lambda c: f"metrics.{c}" if c == "acc" else f"params.{c}")
PRICES = pd.DataFrame({"house": range(80), "price": RNG.normal(300, 50, 80)}).round(1)
ANSWERS = RIGHT.assign(question_id=[f"q{i}" for i in range(300)])
LEFT = "left out: "


@pytest.mark.parametrize(
    ("frame", "learners", "score", "words"),
    [
        (EPOCHS, "a b", "correct", "30 items x 3 epochs x 2 learners"),
        (SAMPLES, "a b", "correct", "30 items x 2 learners"),
        (CORRECT.assign(**COSTS), "gpt llama", "correct", ""),
        (SHARES.assign(val_acc=0.9, train_acc=1 - SHARES["acc"]), "a b c", "acc", ""),
        (TESTED.assign(val_acc=1 - SHARES["acc"]), "a b c", "test_acc", "measuring accuracy"),
        (LOGGED, "a b c", "metrics.acc", "accuracy"),
        (RUNS, "ppo sac2", "return", 'datasets in "env",\n  measuring return(better = higher)'),
        (IMAGES.assign(unet=RNG.random(60), vit=RNG.random(60)), "unet vit", "", 'groups "patient_id"'),
        (IMAGES.assign(unet=RNG.random(60), vit=RNG.random(60)), "unet vit", "", "60 items x 2 learners, in groups by"),
        (ANSWERS.assign(difficulty=RNG.integers(1, 6, 300)), "gpt llama", "", LEFT),
        (ANSWERS.assign(has_image=RNG.integers(0, 2, 300), level=RNG.integers(1, 4, 300)), "gpt llama", "", LEFT),
        (NAMED.assign(**{"#rows": 900, "n_features": 14, "Average": 0.7, "seed": 0.5}), "a b c", "", LEFT),
        (PRICES.assign(x_pred=PRICES["price"] + 9, o_pred=PRICES["price"] - 12), "x_pred o_pred", "", 'truth "price"'),
        (
            PRICES.rename(columns={"price": "actual_price"}).assign(x=PRICES["price"] + 9, o=PRICES["price"] - 12),
            "x o",
            "",
            'truth "actual_price"',
        ),
        *(
            (SHARES.rename(columns={"model": column}), "a b c", "acc", f"acc ~ {column} |")
            for column in ("checkpoint", "config", "variant", "run", "experiment", "weight_decay_kind")
        ),
    ],
)
def test_columns_are_known_by_names_and_values(frame: pd.DataFrame, learners: str, score: str, words: str) -> None:
    (reading,) = guess(frame, Hints(source='csv "t"'))
    assert (reading.learners, reading.score) == (tuple(learners.split()), score)
    assert words in f"{reading.statement}\n{reading.meaning}"


FLOATS = GUESSED.replace({"cat": 0, "dog": 1, "cow": 2}).astype({"bayes": float})
FOLDS = pd.DataFrame(
    [(m, f"d{d}", f, 0.5 + RNG.uniform(0, 0.1)) for m in "AB" for d in range(3) for f in range(5)],
    columns=["model", "dataset", "fold", "accuracy"],
)
METHODS = pd.DataFrame(
    [(m, k, f"q{i}", (i * j) % 3 == 0) for j, m in enumerate("ab", 1) for k in ("cot", "direct") for i in range(30)],
    columns=["model", "method", "question", "correct"],
)


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (NAMED.where(NAMED.loc[3, "b"] != NAMED), ("complete cases", "over 11 datasets")),
        (LONG.drop(index=7), ("complete cases", "over 11 datasets")),
        (FOLDS.drop(index=[3, 7]), ("complete cases",)),
        (FLOATS, ("'tree', 'bayes' the predictions",)),
        (NAMED.assign(kind=[*["image"] * 8, "3", "4", "5", "text"]), ("12 datasets x 3 learners", "left out: 'kind'")),
        (pd.concat([ANSWERS, ANSWERS[:3]]), ("6 scores repeat others and are left out",)),
        (
            pd.DataFrame({"item": range(30), "latency": RNG.uniform(100, 300, 30)}),
            ("30 items x 1 learner; a lower latency is taken as better",),
        ),
        (METHODS, ("'model' and 'method' together name a learner", "a / cot vs a / direct")),
    ],
    ids=["gap-wide", "gap-long", "gap-fold", "float-classes", "text", "twice", "latency", "two-names"],
)
def test_what_is_read_and_left_out_is_named(frame: pd.DataFrame, says: tuple[str, ...], compared: Call) -> None:
    done = compared(frame)
    shown = " ".join((done.out + done.err).split())
    assert all(words in shown for words in says), shown


def test_one_learner_with_a_gap_and_no_folds(compared: Call) -> None:
    done = compared(NAMED[["dataset"]].assign(a=NAMED["a"].where(NAMED.index != 3)))
    assert "missing left out because" in done.out
    assert "overlapping training sets" not in done.out


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pd.DataFrame({"model": ["a", "b"], "acc": [0.8, 0.9], "f1": [0.7, 0.9]}), "one score for each metric"),
        (pd.DataFrame({"model_a": "x", "model_b": "y", "winner": ["a", "b", "tie"] * 9}), "evalang test mcnemar 9 9"),
        (LONG.assign(metric=["acc", "f1"] * 18), "choose one: --measuring acc, or --measuring f1"),
        (LONG.assign(f1=LONG["accuracy"]), "choose the score: --measuring accuracy, or --measuring f1"),
        (RUNS[["algo", "return"]], "no column says which scores of the learners in 'algo' belong together"),
        (LONG.rename(columns={"accuracy": "grade"}).assign(grade=["C", "P", "I"] * 12), "'C', which is no score"),
    ],
)
def test_what_cannot_be_paired_is_named(frame: pd.DataFrame, said: str, compared: Call) -> None:
    assert said in " ".join(compared(frame, code=2).err.split())


@pytest.mark.parametrize("name", ["t.xlsx", "t.json", "t.ndjson"])
def test_workbooks_and_json_are_tables(name: str, call: Call, folder: Path) -> None:
    NAMED.to_csv(folder / "t.csv", index=False)
    if name == "t.ndjson":
        (folder / name).write_text(
            "".join('{"in": ' + line + "}\n" for line in NAMED.to_json(orient="records", lines=True).split())
        )
    else:
        write(NAMED, folder / name)
    done = call("compare", name)
    assert done.code == 0, done.err
    assert p_values(done.out) == p_values(call("compare", "t.csv").out)


def test_a_latency_is_known_by_the_name_of_the_file(call: Call, folder: Path) -> None:
    MILLISECONDS.assign(dataset=NAMED["dataset"]).to_csv(folder / "latency_ms.csv", index=False)
    done = call("compare", "latency_ms.csv")
    assert done.code == 0, done.err
    assert "a lower latency is taken as better" in done.out


@pytest.mark.parametrize("marked", ["**{}**", "{}*", "{}†", "\\textbf{{{}}}", "$\\mathbf{{{}}}$"])
def test_marks_of_the_best_score_are_no_text(marked: str, call: Call, folder: Path, compared: Call) -> None:
    NAMED.to_csv(folder / "plain.csv", index=False)
    done = compared(NAMED.assign(a=[marked.format(v) for v in NAMED["a"]]))
    assert answer(done.out) == answer(call("compare", "plain.csv").out) != ""


def test_a_column_unlike_the_others_is_asked_about(call: Call, folder: Path, compared: Call) -> None:
    done = compared(NAMED.assign(cost=30.0), code=2)
    assert "column 'cost' has values up to 30, and all others at most 1: is it a learner?" in done.err
    chosen = call("compare", "t.csv", "--learners", "a,b")
    assert 'learners in "a", "b"' in chosen.out
    LONG.to_csv(folder / "long.csv", index=False)
    assert 'compare "a" vs "c" on scores' in call("compare", "long.csv", "--learners", "a", "--learners", "c").out
    assert "did you mean 'a'" in call("compare", "long.csv", "--learners", "A,b").err


def test_a_direction_may_agree_with_the_metric_but_not_contradict_it(call: Call, folder: Path) -> None:
    LONG.to_csv(folder / "t.csv", index=False)
    plain = call("compare", "t.csv")
    assert answer(call("compare", "t.csv", "--better", "higher").out) == answer(plain.out) != ""
    assert "--better lower contradicts accuracy" in call("compare", "t.csv", "--better", "lower").err
    script = (
        'results s from csv "t.csv" as accuracy ~ model | dataset, measuring accuracy(better = {})\ncompare all on s\n'
    )
    for way, code in (("higher", 0), ("lower", 1)):
        (folder / "s.eval").write_text(script.format(way))
        assert call("lint", "s.eval").code == code


@pytest.mark.parametrize("measuring", ["accuracy", "is_correct"])
def test_right_or_wrong_is_asked_for_by_column_or_metric(measuring: str, call: Call, compared: Call) -> None:
    frame = RIGHT.assign(q=range(300)).melt("q", var_name="model", value_name="is_correct").assign(tokens=range(600))
    done = compared(frame, "--measuring", measuring)
    assert "mcnemar-midp" in done.out
    assert answer(done.out) == answer(call("compare", "t.csv").out) != ""


def test_an_infinite_score_is_named_as_such() -> None:
    with pytest.raises(DataError, match="column 'b' holds an infinite score"):
        guess(NAMED.assign(b=["inf", *NAMED["b"].astype(str)[1:]]), Hints(source='csv "t"'))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"model": list("ab"), "score": [0.5, 0.6], "arc": [0.7, 0.8], "mmlu": [0.6, 0.5]}),
        pd.DataFrame({"model": list("abab"), "dataset": list("xxyy"), "score": ["", None, "-", "?"]}),
        pd.DataFrame({"model": list("abab"), "dataset": list("xxyy"), "step": [None] * 4, "acc": [0.1, 0.2, 0.3, 0.4]}),
        pd.DataFrame({"class": [None, "a", None], "b": ["a", None, None], "c": ["a", None, "b"]}).astype("string"),
    ],
    ids=["a-dataset-named-score", "no-scores", "no-steps", "nothing-shared"],
)
def test_odd_tables_are_read_or_refused_in_words(frame: pd.DataFrame, call: Call, folder: Path) -> None:
    frame.to_csv(folder / "t.csv", index=False)
    done = call("compare", "t.csv")
    assert done.code in (0, 1, 2)
    assert "internal error" not in done.err
    frame = frame.convert_dtypes()
    with contextlib.suppress(DataError):
        assert guess(reshaped(frame).frame, Hints(source='csv "t"'))
