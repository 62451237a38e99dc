"""What is added before a learner, what is left alone, and what `drop`, `threshold` and `without preparation` do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from evalang.data.table import Table
from evalang.errors import DataError
from evalang.language.text import SourceText
from evalang.plans.build import build as build_plan
from evalang.plans.description import describe
from evalang.plans.model import Learner, Step
from evalang.plans.preparation import Cells, additions
from evalang.trials.fit import predict, train
from evalang.trials.identity import learner_identity
from evalang.trials.prepare import prepare_table

HISTOGRAM = "sklearn.ensemble.HistGradientBoostingClassifier"


def mixed(rows: int = 120) -> Table:
    """Numbers and categories, some missing of each, and two classes."""
    rng = np.random.default_rng(3)
    colour = pd.Categorical(rng.choice(["red", "green", "blue"], rows))
    size = rng.normal(size=rows)
    y = ((colour == "red") ^ (size > 0)).astype(np.int64)
    frame = pd.DataFrame({"size": size, "colour": colour, "noise": rng.normal(size=rows)})
    frame.loc[::11, "size"] = np.nan
    frame.loc[::13, "colour"] = np.nan
    return Table(
        name="mixed", X=frame, y=y, target="y", task="classification", task_reason="", classes=("no", "yes"),
        positive="yes", kinds=("numeric", "categorical", "numeric"), content_hash="mixed",
    )  # fmt: skip


def learner(*steps: Step, **said: object) -> Learner:
    return Learner(name="x", steps=steps, **said)  # type: ignore[arg-type]


def named(name: str, kind: str = "learner", **parameters: object) -> Step:
    return Step(name=name, kind=kind, parameters=tuple(parameters.items()))  # type: ignore[arg-type]


ROWS, TEST = np.arange(80), np.arange(80, 120)


def test_histogram_boosting_gets_missing_values_and_categories_as_they_are() -> None:
    """The same probabilities as scikit-learn's own, fitted by hand on the frame as it was read."""
    on = prepare_table(mixed())
    made, _ = train(on, learner(named(HISTOGRAM, "estimator", max_iter=20)), (), 7, ROWS)
    assert made.steps == []
    hand = HistGradientBoostingClassifier(max_iter=20, random_state=7, categorical_features=[1])
    codes = mixed().X.assign(colour=mixed().X.colour.cat.codes.replace(-1, np.nan)).to_numpy(float)
    hand.fit(codes[ROWS], mixed().y[ROWS])
    np.testing.assert_array_equal(predict(on, made, TEST)[1], hand.predict_proba(codes[TEST])[:, 1])
    assert additions(learner(named(HISTOGRAM, "estimator"))) == ()


def test_too_many_categories_for_histograms_are_encoded() -> None:
    cells = Cells(missing_numbers=True, missing_categories=False, categories=True, levels=300)
    assert additions(learner(named(HISTOGRAM, "estimator")), cells) == ("one-hot",)


def test_others_get_what_the_rule_says() -> None:
    """Median, most frequent and 0/1 columns, done again with pandas."""
    on, table = prepare_table(mixed()), mixed()
    made, _ = train(on, learner(named("logistic-regression")), (), 7, ROWS)
    part = table.X.iloc[ROWS]
    numbers = table.X[["size", "noise"]].fillna(part[["size", "noise"]].median())
    colours = table.X.colour.fillna(part.colour.mode()[0])
    whole = np.column_stack([numbers, *(colours == name for name in ("blue", "green", "red"))])
    hand = LogisticRegression(**made.learner.get_params()).fit(whole[ROWS], table.y[ROWS])
    np.testing.assert_allclose(predict(on, made, TEST)[1], hand.predict_proba(whole[TEST])[:, 1], rtol=1e-6)
    assert additions(learner(named("logistic-regression"))) == ("median", "most-frequent", "one-hot")
    assert additions(learner(named("impute", "step"), named("svm"))) == ("one-hot",)
    assert additions(learner(named("svm"), without_preparation=True)) == ()


def test_dropped_columns_are_not_learned_from() -> None:
    on = prepare_table(mixed())
    chain = (named("drop", "step", columns=("colour", "noise")), named("logistic-regression"))
    made, _ = train(on, learner(*chain), (), 7, ROWS)
    assert made.learner.n_features_in_ == 1
    altered = mixed()
    altered.X["noise"] = 1e6
    other, _ = train(prepare_table(altered), learner(*chain), (), 7, ROWS)
    np.testing.assert_array_equal(predict(on, made, TEST)[1], predict(prepare_table(altered), other, TEST)[1])
    with pytest.raises(DataError, match="no column `noize`"):
        train(on, learner(named("drop", "step", columns=("noize",)), named("svm")), (), 7, ROWS)
    with pytest.raises(DataError, match="leaves no column"):
        train(on, learner(named("drop", "step", columns=("size", "colour", "noise")), named("svm")), (), 7, ROWS)


def test_a_threshold_decides_the_labels_and_nothing_else() -> None:
    on = prepare_table(mixed())
    plain, _ = train(on, learner(named("logistic-regression")), (), 7, ROWS)
    cautious, _ = train(on, learner(named("logistic-regression"), threshold=0.3), (), 7, ROWS)
    chances = predict(on, plain, TEST)[1]
    labels, scores, _ = predict(on, cautious, TEST)
    np.testing.assert_array_equal(scores, chances)
    assert chances is not None
    np.testing.assert_array_equal(labels, (chances >= 0.3).astype(int))
    assert learner_identity(learner(named("svm"), threshold=0.3)) != learner_identity(learner(named("svm")))


def test_plan_prints_what_is_added() -> None:
    script = (
        'dataset d from csv "d.csv", target "y"\n'
        f"learner h is {HISTOGRAM}\nlearner bare is svm, without preparation\n"
        "compare h vs bare vs knn on d using 10cv, seed 1\n"
    )
    text = describe(build_plan(SourceText("s.eval", script)).plan)
    assert "h, bare: no preparation: columns are used as they are" in text
    assert "knn: missing numbers are replaced by the median of the training set" in text
