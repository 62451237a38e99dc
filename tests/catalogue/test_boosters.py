"""The table of boosting packages against those that are installed."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

import pytest

from evalang.catalogue.estimators import BOOSTERS, check_parameter, default_of, find_estimator, nearest_estimator
from evalang.catalogue.learners import check_stage, package_of, stage_parameters, targets
from tests.catalogue import make_boosters

TABLE = json.loads(make_boosters.TABLE.read_text("utf-8"))
ROWS = [(package, short) for package, names in make_boosters.CLASSES.items() for short in names]


def but_slow(rows: Iterable[Any]) -> list[Any]:
    """Those of LightGBM, which comes with the extra `test`; the other two are large and asked for by the slow tests."""
    return [
        pytest.param(*row, marks=() if row[0] == "lightgbm" else pytest.mark.slow)
        for row in (one if isinstance(one, tuple) else (one,) for one in rows)
    ]


def test_every_package_has_its_two_classes() -> None:
    assert set(TABLE["estimators"]) == {f"{package}.{short}" for package, short in ROWS}
    assert set(TABLE["versions"]) == set(BOOSTERS)
    for package in BOOSTERS:
        assert targets(package) == tuple(f"{package}.{short}" for short in make_boosters.CLASSES[package])
        assert package_of(package) == package
        assert {"n_estimators", "learning_rate", "max_depth"} <= set(stage_parameters(package))


@pytest.mark.parametrize("package", but_slow(BOOSTERS))
def test_the_table_is_that_of_the_installed_version(package: str) -> None:
    pytest.importorskip(package)
    if version(package) != TABLE["versions"][package]:
        pytest.skip(f"the table is of {package} {TABLE['versions'][package]}, installed is {version(package)}")
    for name, row in make_boosters.rows_of(package).items():
        assert json.loads(json.dumps(row)) == TABLE["estimators"][name]


@pytest.mark.parametrize(("package", "short"), but_slow(ROWS))
def test_every_parameter_is_one_the_class_takes(package: str, short: str) -> None:
    """Each one that a script may set goes through the constructor and is there afterwards, at its default."""
    cls = getattr(pytest.importorskip(package), short)
    entry = find_estimator(f"{package}.{short}")
    assert entry is not None
    assert importlib.import_module(entry.module).__dict__[short] is cls
    assert len(entry.settable) > 20
    for name in entry.settable:
        default: Any = default_of(entry, name)
        assert check_parameter(entry, name, default) is None, (name, default)
        if default is not None:
            assert cls(**{name: default}).get_params()[name] == default


def test_what_is_no_business_of_a_script_is_refused_with_its_reason() -> None:
    assert "--jobs" in str(check_stage("lightgbm", "n_jobs", 4))
    assert "may not open files" in str(check_stage("catboost", "train_dir", "x"))
    assert "takes code" in str(check_stage("xgboost", "callbacks", "os.system"))
    assert "watches rows" in str(check_stage("xgboost", "early_stopping_rounds", 5))
    assert "above 0" in str(check_stage("xgboost", "learning_rate", 0))
    assert "100000 at most" in str(check_stage("catboost", "iterations", 10**9))
    assert nearest_estimator("lightgbm.LGBMclassifier") == "lightgbm.LGBMClassifier"
