"""The engine by the real command line: killed and resumed, and from a database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .support.calling import forked
from .support.engine import stored
from .support.postgres import ESCAPED, PASSWORD, running_server
from .support.running import Running, result_bytes, trials_in, write_wards

STUDY = """
set seed 20
dataset wards from csv "wards.csv", target "outcome", positive "bad", groups "ward", drop "id"
  because "every patient of the year"
learner tree is decision-tree, tune max_depth in {2, 4, 8}, calibrate platt
learner forest is random-forest(n_estimators = 20), tune max_features in {1, 2}, calibrate isotonic
compare forest vs tree on wards
  using grouped 2x5cv
  by corrected-t
  measuring accuracy, brier
  tune on 20%, calibrate on 20%
  holm over metrics
  as study
"""
TRIALS = 20


def prepared(folder: Path) -> Path:
    """A folder with the data and the script, as a user has it."""
    folder.mkdir()
    write_wards(folder / "wards.csv")
    (folder / "study.eval").write_text(STUDY)
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


QUERY = (
    "select i, i * 7 % 13 as dose, case when i * 7 % 13 > 6 then 'bad' else 'good' end as outcome "
    "from generate_series(1, 60) as i order by i"
)


def test_a_password_is_in_no_file_of_a_run(tmp_path: Path) -> None:
    with running_server() as server:
        (tmp_path / "study.eval").write_text(
            f'dataset wards from sql "{server.address()}", query "{QUERY}", target "outcome" because "all of them"\n'
            "compare decision-tree vs majority on wards using 5x2cv, seed 1\n"
        )
        refused = forked("run", "study.eval", cwd=tmp_path)
        done = forked("run", "study.eval", "--allow-net", "localhost", cwd=tmp_path)
    assert refused.code != 0
    assert "--allow-net" in refused.err
    assert done.code == 0, done.err
    files = (tmp_path / "runs" / "study").iterdir()
    everything = b"".join(path.read_bytes() for path in files) + (done.out + done.err + refused.err).encode()
    assert PASSWORD.encode() not in everything
    assert ESCAPED.encode() not in everything
