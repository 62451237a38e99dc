"""How the processor time of a run grows with its size: the slope over a decade, on logarithmic scales.

Ten times as many learners have 105 times as many pairs, a slope of 2.02.
"""

from __future__ import annotations

import gc
import math
import resource
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.cli.main import run

from .test_scale import TEN

pytestmark = pytest.mark.benchmark


def fits(folder: Path, size: int) -> str:
    return f"compare majority vs naive-bayes on iris using {size}x10cv, seed 1\n"


def items(folder: Path, size: int) -> str:
    rng = np.random.default_rng(1)
    models = np.repeat(["a", "b", "c", "d"], size)
    right = (rng.random(4 * size) < 0.7).astype(int)
    pd.DataFrame({"model": models, "item": np.tile(np.arange(size), 4), "score": right}).to_csv(
        folder / "t.csv", index=False
    )
    return (
        'results t from csv "t.csv" as score ~ model | item, measuring accuracy\ncompare all on t, holm over learners\n'
    )


def scores(folder: Path, datasets: int, learners: int) -> str:
    values = np.random.default_rng(1).normal(0.8, 0.05, (datasets, learners)) + np.linspace(0, 0.02, learners)
    table = pd.DataFrame(values, columns=[f"a{i}" for i in range(learners)])
    table.insert(0, "dataset", [f"d{i}" for i in range(datasets)])
    table.to_csv(folder / "t.csv", index=False)
    known = 'results t from csv "t.csv", datasets in "dataset", measuring accuracy\n'
    return known + "compare all on t by wilcoxon, all pairs, holm over learners\n"


def datasets(folder: Path, size: int) -> str:
    return scores(folder, size, 4)


def learners(folder: Path, size: int) -> str:
    return scores(folder, 20, size)


def statements(folder: Path, size: int) -> str:
    return "set seed 1\n" + "".join(TEN.format(i=i) for i in range(size // 10))


def shared_data(folder: Path, size: int) -> str:
    """Statements that are one family, so that each rule on a test of theirs could read all of them."""
    text = "compare decision-tree vs naive-bayes on breast-cancer, digits using 10cv, by kfold-t as c{i}\n"
    return "".join(text.format(i=i) for i in range(size))


@pytest.mark.parametrize(
    ("write", "small", "bound"),
    [
        (fits, 10, 1.1),
        (items, 20_000, 1.1),
        (datasets, 500, 1.1),
        (learners, 20, 2.2),
        (statements, 500, 1.1),
        (shared_data, 500, 1.1),
    ],
)
def test_growth(
    write: Callable[[Path, int], str], small: int, bound: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str], request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    request.addfinalizer(partial(gc.set_threshold, *gc.get_threshold()))
    gc.set_threshold(50_000)  # as the command sets it (evalang/__main__.py)
    command = ["lint"] if write in (statements, shared_data) else ["run", "--no-ledger", "--fresh", "--jobs", "1"]

    def seconds(size: int) -> float:
        Path("x.eval").write_text(write(tmp_path, size))
        begun = _processor_seconds()
        assert run([*command, "x.eval"]) in (0, 1, 4), capfd.readouterr().err[-2000:]
        capfd.readouterr()
        return _processor_seconds() - begun

    seconds(small)
    short, long = min(seconds(small) for _ in range(3)), min(seconds(10 * small) for _ in range(2))
    slope = math.log10(long / short)
    with capfd.disabled():
        print(f"\n{write.__name__} {small:,}: {short:.2f} s; {10 * small:,}: {long:.2f} s; slope {slope:.2f}")
    assert slope <= bound


def _processor_seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)
