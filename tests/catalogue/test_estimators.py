"""The table of estimators against the installed scikit-learn, and what the checks say."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import sklearn
from sklearn.utils._param_validation import InvalidParameterError, validate_parameter_constraints

from evalang.catalogue.estimators import (
    check_parameter,
    default_of,
    estimator_names,
    find_estimator,
    table_version,
)
from evalang.trials.learners import estimator_class
from tests.catalogue import make_estimators

AGAIN = "make the table again: python docs/make_all.py"


def test_table_is_that_of_the_installed_version() -> None:
    if sklearn.__version__ != table_version():
        pytest.skip(f"the table is of scikit-learn {table_version()}, installed is {sklearn.__version__}; {AGAIN}")
    assert make_estimators.TABLE.read_text(encoding="utf-8") == make_estimators.text(), AGAIN


def test_every_name_is_the_class_the_table_says() -> None:
    assert len(estimator_names()) > 200
    for dotted in estimator_names():
        cls, entry = estimator_class(dotted)
        assert f"{cls.__module__}.{cls.__name__}" == f"{entry.module}.{dotted.rpartition('.')[2]}"


@pytest.mark.parametrize("value", [-1, 0, 1, 2, 0.5, 1.5, -0.5, True, False, None, "auto", "sqrt", "rbf", "nonsense"])
def test_what_is_accepted_scikit_learn_accepts_too(value: Any) -> None:
    """Over every parameter of every estimator: no false yes."""
    checked = 0
    for dotted in estimator_names():
        cls, entry = estimator_class(dotted)
        constraints = getattr(cls, "_parameter_constraints", {})
        for name in entry.settable:
            if name in constraints and check_parameter(entry, name, value) is None:
                checked += 1
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    validate_parameter_constraints({name: constraints[name]}, {name: value}, caller_name=dotted)
    assert checked > (0 if value == "nonsense" else 5)


def test_what_is_refused_by_range_scikit_learn_refuses_too() -> None:
    """Spot checks of every kind of limit: no false no."""
    wrong = (
        ("sklearn.svm.SVC", "C", 0),
        ("sklearn.svm.SVC", "kernel", "rbff"),
        ("sklearn.ensemble.RandomForestClassifier", "max_features", 0),
        ("sklearn.tree.DecisionTreeClassifier", "ccp_alpha", -1),
        ("sklearn.neighbors.KNeighborsClassifier", "n_neighbors", 2.5),
        ("sklearn.decomposition.PCA", "n_components", 1.5),
    )
    for dotted, name, value in wrong:
        cls, entry = estimator_class(dotted)
        assert check_parameter(entry, name, value) is not None
        with pytest.raises(InvalidParameterError):
            validate_parameter_constraints(
                {name: cls._parameter_constraints[name]},
                {name: value},
                caller_name=dotted,  # type: ignore[attr-defined]
            )


def test_defaults_are_accepted_where_they_can_be_written() -> None:
    for dotted in estimator_names():
        entry = find_estimator(dotted)
        assert entry is not None
        for name in entry.settable:
            default = default_of(entry, name)
            if default not in ("…", "deprecated", "warn"):
                assert check_parameter(entry, name, default) is None, (dotted, name, default)


@pytest.mark.parametrize(
    ("dotted", "name", "value", "words"),
    [
        ("sklearn.svm.SVC", "C", -1, "C of SVC must be a number above 0, not -1"),
        ("sklearn.svm.SVC", "kernal", "rbf", "did you mean kernel?"),
        ("sklearn.tree.DecisionTreeClassifier", "max_depth", True, "a whole number from 1 up or none, not true"),
        ("sklearn.tree.DecisionTreeClassifier", "max_depth", 10**400, "digits"),
        ("sklearn.ensemble.RandomForestClassifier", "random_state", 1, "seed of the comparison"),
        ("sklearn.preprocessing.StandardScaler", "copy", False, "may not change the data"),
        ("sklearn.svm.SVC", "C", float("nan"), "must be a number"),
    ],
)
def test_a_wrong_parameter_is_a_sentence(dotted: str, name: str, value: Any, words: str) -> None:
    entry = find_estimator(dotted)
    assert entry is not None
    got = check_parameter(entry, name, value)
    assert got is not None
    assert words in got
