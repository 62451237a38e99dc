"""Stages of a chain: what stands behind a name, and what is said about a wrong one."""

from __future__ import annotations

import pytest

from evalang.catalogue.estimators import check_parameter, find_estimator
from evalang.catalogue.learners import (
    LEARNERS,
    STEPS,
    TREES,
    check_role,
    check_stage,
    stage_parameters,
    targets,
)


def test_every_card_stands_for_an_estimator_of_the_right_kind() -> None:
    for learner in LEARNERS:
        for dotted, kind in ((learner.classifier, "classifier"), (learner.regressor, "regressor")):
            if dotted is not None:
                entry = find_estimator(dotted)
                assert entry is not None, dotted
                assert kind in entry.kinds
                assert not entry.needs_estimator
        assert learner.classifier or learner.regressor
        classifier = find_estimator(learner.classifier) if learner.classifier else None
        assert classifier is None or classifier.gives == learner.gives, learner.name
    for step in STEPS:
        found = find_estimator(step.transformer)
        assert found is not None, step.name
        assert "transformer" in found.kinds
        assert step.random <= found.random


def test_our_defaults_are_values_the_estimator_takes() -> None:
    for card in (*LEARNERS, *STEPS):
        members = TREES if getattr(card, "trees", False) else ()
        entries = [entry for entry in map(find_estimator, (*targets(card.name), *members)) if entry is not None]
        for name, value in card.defaults:
            holders = [entry for entry in entries if name in entry.parameters]
            assert holders, (card.name, name)
            assert all(check_parameter(entry, name, value) is None for entry in holders), (card.name, name)


@pytest.mark.parametrize(
    ("name", "parameter", "value", "words"),
    [
        ("knn", "n_neighbours", 3, "did you mean n_neighbors?"),
        ("random-forest", "splitter", "best", 'random-forest has no parameter "splitter"'),
        ("select", "score_func", "os.system", "takes code"),
        ("adaboosted-trees", "max_depth", 0, "max_depth of DecisionTreeClassifier must be"),
        # `max_features` of the ensemble (a share of the columns for each tree) goes before that of its trees.
        ("bagged-trees", "max_features", "sqrt", "max_features of BaggingClassifier"),
    ],
)
def test_wrong_settings_are_sentences(name: str, parameter: str, value: object, words: str) -> None:
    assert words in (check_stage(name, parameter, value) or "")


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("decision-tree", "criterion", "squared_error"),  # of either form, for classes or for numbers
        ("bagged-trees", "min_samples_leaf", 5),  # of the trees inside
        ("boosted-stumps", "min_samples_leaf", 5),  # of the gradient boosting it is for numbers
    ],
)
def test_settings_that_one_form_takes(name: str, parameter: str, value: object) -> None:
    assert check_stage(name, parameter, value) is None
    assert parameter in stage_parameters(name)
    assert "random_state" not in stage_parameters(name)


def test_places_in_the_chain() -> None:
    assert check_role("svm", last=True) is None
    assert "only stand at the end" in str(check_role("svm", last=False))
    assert "learns nothing" in str(check_role("scale", last=True))
    assert "other estimators" in str(check_role("sklearn.pipeline.Pipeline", last=True))
