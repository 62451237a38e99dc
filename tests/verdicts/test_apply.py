"""Tests handed their evidence: who wins when lower is better, and verdicts where the median is a tie."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.conduct import Request, conduct
from evalang.errors import DataError
from evalang.reports.sentences import words
from evalang.source.text import Source
from evalang.verdicts.verdict import Verdict


def verdict(folder: Path, table: str, by: str, metric: str = "error") -> Verdict:
    (folder / "t.csv").write_text("D,a,b\n" + table, encoding="utf-8")
    script = f'results t from csv "t.csv", datasets in "D", measuring {metric} because "made up"\n'
    found = conduct(Source(str(folder / "s.eval"), f"{script}compare a vs b on t by {by} as c\n"), Request())
    (one,) = (v for v in found.verdicts if v.pair)
    return one


def test_wins_of_the_sign_test_are_wins_where_lower_is_better(tmp_path: Path) -> None:
    one = verdict(tmp_path, "".join(f"d{i},0.1{i},0.2{i}\n" for i in range(9)), "sign")
    assert one.decision == "first-better"
    assert one.test is not None
    assert (one.test.statistic, one.test.wins, one.test.losses) == (9.0, 9, 0)
    assert one.test.effect is not None
    assert one.test.effect.value == 1.0
    assert one.test.pvalue == pytest.approx(2 / 2**9)


def test_a_sign_test_names_the_better_learner_though_most_datasets_are_ties(tmp_path: Path) -> None:
    """Twelve losses and no win among forty: the median difference is zero, the direction is not in doubt."""
    rows = "".join(f"d{i},{int(i < 12)},0\n" for i in range(40))
    one = verdict(tmp_path, rows, "sign")
    assert one.decision == "second-better"
    assert one.difference == 0.0
    text = words(one).found
    assert "b has lower, so better, error than a more often than the other way round" in text
    assert "equal" not in text


def test_a_rope_in_points_on_a_table_in_per_cent_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"d{i},8{i}.5,8{i}\n" for i in range(9))
    with pytest.raises(DataError, match="in per cent") as found:
        verdict(tmp_path, rows, "wilcoxon, rope 1 point", "accuracy")
    assert found.value.hint == "write `rope 1`, in the table's own unit"
    assert verdict(tmp_path, rows, "wilcoxon, rope 1", "accuracy").rope == 1.0


def test_every_permutation_over_datasets_counts_datasets(tmp_path: Path) -> None:
    one = verdict(tmp_path, "".join(f"d{i},0.1{i},0.{2 * i + 10}\n" for i in range(9)), "permutation, seed 1")
    assert one.test is not None
    assert one.test.unit == "dataset"
