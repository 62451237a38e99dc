"""A claim about new datasets asks the ledger for the draw."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalang.cli.main import run

from .conftest import Judged

DRAWN = 7


@pytest.fixture
def drawn(project: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, ...]:
    """Ten tables that a tree can tell apart and a guess cannot; seven are drawn."""
    chance = np.random.default_rng(4)
    names = [f"set{i}" for i in range(10)]
    for name in names:
        x = chance.normal(size=(90, 2))
        y = np.where(x[:, 0] + chance.normal(size=90) * 0.4 > 0, "a", "b")
        pd.DataFrame({"u": x[:, 0], "v": x[:, 1], "y": y}).to_csv(f"{name}.csv", index=False)
    Path("archive.csv").write_text("name\n" + "\n".join(names) + "\n")
    assert run(["draw", str(DRAWN), "archive.csv", "--seed", "4"]) == 0
    said = capsys.readouterr().out
    return tuple(name for name in names if f"{name}," in said)


Outcome = Callable[..., tuple[list[str], list[dict[str, str]]]]


@pytest.fixture
def outcome(judged: Judged) -> Outcome:
    """The findings on the population and the claims of a script about new datasets."""

    def call(members: tuple[str, ...], *options: str, learner: str = "naive-bayes") -> Any:
        data = "".join(f'dataset {name} from csv "{name}.csv", target "y"\n' for name in members)
        suite = f'{", ".join(members)}, sampled from "archive.csv, 10 names, random sample, seed 4"'
        text = (
            f"set seed 1\n{data}suite drawn is {suite}\n"
            f"learner x is {learner}\ncompare x vs majority on drawn using 5x2cv by wilcoxon\n"
            "claim x better than majority on new datasets\n"
        )
        found = judged(text, "s", *options)
        return [f["message"] for f in found["findings"] if f["code"] == "EV701"], found["claims"]

    return call


def test_what_was_drawn_supports_it(drawn: tuple[str, ...], outcome: Outcome) -> None:
    found, claims = outcome(drawn)
    assert found == []
    assert claims[0]["status"] == "supported"
    assert "the population is archive.csv, 10 names, random sample, seed 4" in claims[0]["reason"]
    assert "95% interval of the mean difference in this population" in claims[0]["reason"]


def test_left_out_put_in_or_not_drawn(drawn: tuple[str, ...], outcome: Outcome) -> None:
    others = tuple(f"set{i}" for i in range(10) if f"set{i}" not in drawn)
    assert "was in the random draw from" in outcome(drawn[:-1])[0][0]
    assert "was not in the random draw" in outcome((*drawn[:-1], others[0]))[0][0]
    assert "the ledger contains no random draw of these" in outcome(drawn, "--no-ledger")[0][0]


def test_a_drawn_set_that_fails_stays_in_the_denominator(drawn: tuple[str, ...], outcome: Outcome) -> None:
    """Forty neighbours are there among 45 rows and not among 30: one set has no score, and nothing is claimed."""
    assert outcome(drawn, learner="knn(n_neighbors = 40)")[1][0]["status"] == "supported"
    small = Path(f"{drawn[0]}.csv")
    small.write_text("".join(small.read_text().splitlines(keepends=True)[:61]))
    _, claims = outcome(drawn, learner="knn(n_neighbors = 40)")
    assert claims[0]["status"] != "supported"
    assert drawn[0] in claims[0]["reason"]
