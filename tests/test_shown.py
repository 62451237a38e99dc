"""The engine by the real command line: killed and resumed, and from a database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .support.calling import forked, spawned
from .support.engine import stored
from .support.postgres import ESCAPED, PASSWORD, running_server
from .support.running import Running, result_bytes, trials_in, write_wards

DATASET = 'csv "wards.csv"'
STUDY = """
set seed 20
dataset wards from {source}, target "outcome", positive "bad", groups "ward", drop "id"
  because "every patient of the year"
learner tree is decision-tree, tune max_depth in {{2, 4, 8}}, calibrate platt
learner forest is random-forest, tune max_features in {{1, 2}}, calibrate isotonic
compare forest vs tree on wards
  using grouped 10x10cv
  by corrected-t
  measuring accuracy, brier
  tune on 20%, calibrate on 20%
  holm over metrics
  as study
"""
SMALL = STUDY.replace("10x10cv", "2x5cv").replace("is random-forest,", "is random-forest(n_estimators = 20),")
TRIALS = 20


def prepared(folder: Path, text: str = SMALL, source: str = DATASET) -> Path:
    """A folder with the data and the script, as a user has it."""
    folder.mkdir()
    write_wards(folder / "wards.csv")
    (folder / "study.eval").write_text(text.format(source=source))
    return folder


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of a run that nobody disturbs."""
    folder = prepared(tmp_path_factory.mktemp("undisturbed") / "study")
    assert forked("run", "study.eval", cwd=folder).code == 0
    assert trials_in(folder / "runs" / "study") == TRIALS
    return folder / "runs" / "study"


def same(run: Path, undisturbed: Path) -> None:
    """The result and every trial behind it, to the byte."""
    assert result_bytes(run) == result_bytes(undisturbed)
    assert stored(run) == stored(undisturbed)


def test_killed_and_resumed(undisturbed: Path, tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study")
    run = folder / "runs" / "study"
    for wanted in (2, 8):
        running = Running("run", "study.eval", "--jobs", 2, cwd=folder)
        running.until_done(run, wanted)
        running.kill()
        assert wanted <= trials_in(run) < TRIALS
        assert not (run / "result.json").exists()
    kept = trials_in(run)
    done = forked("run", "study.eval", "--jobs", 2, cwd=folder)
    assert done.code == 0
    same(run, undisturbed)
    judgement = json.loads((run / "result.json").read_text())["run"]
    assert (judgement["trials"], judgement["reused"]) == (TRIALS - kept, kept)


def test_the_same_rows_from_postgresql(undisturbed: Path, tmp_path: Path) -> None:
    """In another order in the table, brought into the file's order by the query."""
    folder = prepared(tmp_path / "study")
    rows = write_wards(folder / "wards.csv")
    (folder / "wards.csv").unlink()
    with running_server() as server:
        server.ask(_create(rows))
        query = "select id, ward, age, dose, sex, outcome from wards order by id"
        source = f'sql "{server.address()}", query "{query}"'
        (folder / "study.eval").write_text(SMALL.format(source=source))
        refused = forked("run", "study.eval", cwd=folder)
        assert refused.code != 0
        assert "--allow-net" in refused.err
        done = forked("run", "study.eval", "--allow-net", "localhost", cwd=folder)
    assert done.code == 0, done.err
    run = folder / "runs" / "study"
    theirs, ours = (json.loads((f / "result.json").read_text())["run"] for f in (undisturbed, run))
    for name in ("verdicts", "scores", "facts", "candidates"):
        assert ours[name] == theirs[name], name
    mine, other = (  # the record of a dataset says where it came from
        {key: row for key, row in stored(f).items() if not key.startswith("datasets")} for f in (run, undisturbed)
    )
    assert mine == other
    everything = b"".join(path.read_bytes() for path in run.iterdir()) + (done.out + done.err + refused.err).encode()
    assert PASSWORD.encode() not in everything
    assert ESCAPED.encode() not in everything


@pytest.mark.slow
def test_two_hundred_trials_killed_ten_times(tmp_path: Path) -> None:
    whole = prepared(tmp_path / "whole", STUDY)
    assert spawned("run", "study.eval", cwd=whole).code == 0
    folder = prepared(tmp_path / "study", STUDY)
    run = folder / "runs" / "study"
    for number in range(10):
        running = Running("run", "study.eval", "--jobs", 2, cwd=folder)
        running.until_done(run, 1 + 18 * number)
        running.kill()
    assert trials_in(run) < 200
    assert spawned("run", "study.eval", "--jobs", 2, cwd=folder).code == 0
    same(run, whole / "runs" / "study")


def _create(rows: list[dict[str, str]]) -> str:
    def quoted(text: str) -> str:
        return f"'{text}'" if text else "null"

    lines = (
        f"({r['id']}, '{r['ward']}', {r['age'] or 'null'}, {r['dose']}, {quoted(r['sex'])}, '{r['outcome']}')"
        for r in reversed(rows)
    )
    return (
        "create table wards (id integer, ward text, age double precision, dose double precision, sex text, "
        f"outcome text);\ninsert into wards values {', '.join(lines)};"
    )
