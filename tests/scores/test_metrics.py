"""Metrics against scikit-learn, definitions written out, and their own contracts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as peer

from evalang.catalogue.metrics import METRICS, find_metric
from evalang.errors import DataError
from evalang.scores.answer import Answer, encode
from evalang.scores.cell_scores import baseline_score
from evalang.scores.metrics import ROW_LOSSES, normalise, row_losses, score
from tests.golden.load import agrees, cases


def two_class(n: int = 200, seed: int = 0, ties: bool = True, weights: bool = False) -> Answer:
    rng = np.random.default_rng(seed)
    truth = np.append([0, 1], rng.integers(0, 2, n - 2))
    chance = np.clip(0.3 * truth + 0.7 * rng.random(n), 0, 1)
    chance = np.round(chance, 1 if ties else 12)
    return Answer(
        truth=truth,
        labels=(chance >= 0.5).astype(int),
        scores=chance,
        classes=("a", "b"),
        positive=1,
        weights=rng.integers(1, 5, n).astype(float) if weights else None,
    )


def many_class(n: int = 200, k: int = 4, seed: int = 0, weights: bool = False) -> Answer:
    rng = np.random.default_rng(seed)
    truth = np.append(np.arange(k), rng.integers(0, k, n - k))
    chance = rng.random((n, k)) + 0.8 * np.eye(k)[truth]
    chance /= chance.sum(axis=1, keepdims=True)
    return Answer(
        truth=truth,
        labels=chance.argmax(axis=1),
        scores=chance,
        classes=tuple("abcdef"[:k]),
        weights=rng.random(n) if weights else None,
    )


def numbers(n: int = 50, seed: int = 0, weights: bool = False) -> Answer:
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    return Answer(truth=truth, labels=truth + rng.normal(size=n), weights=rng.random(n) if weights else None)


def _labels(function: Callable[..., float], **more: Any) -> Callable[[Answer], float]:
    return lambda a: function(a.truth, a.labels, sample_weight=a.weights, **more)


def _scores(function: Callable[..., float], **more: Any) -> Callable[[Answer], float]:
    return lambda a: function(a.truth, a.scores, sample_weight=a.weights, **more)


PEERS = {
    "accuracy": _labels(peer.accuracy_score),
    "balanced-accuracy": _labels(peer.balanced_accuracy_score),
    "precision": _labels(peer.precision_score),
    "recall": _labels(peer.recall_score),
    "f-score": _labels(peer.f1_score),
    "mcc": _labels(peer.matthews_corrcoef),
    "kappa": _labels(peer.cohen_kappa_score),
    "specificity": _labels(peer.recall_score, pos_label=0),
    "cost": _labels(peer.zero_one_loss),
    "roc-area": _scores(peer.roc_auc_score),
    "average-precision": _scores(peer.average_precision_score),
    "brier": _scores(peer.brier_score_loss),
    "cross-entropy": _scores(peer.log_loss),
}
OF_MANY = [
    *((name, [("average", average)], _labels(function, average=average))
      for name, function in [("f-score", peer.f1_score), ("precision", peer.precision_score),
                             ("recall", peer.recall_score)]
      for average in ("macro", "micro", "weighted")),
    *(("top-k", [("k", k)], _scores(peer.top_k_accuracy_score, k=k, labels=range(4))) for k in (1, 2, 3)),
    ("kappa", [], PEERS["kappa"]),
    ("mcc", [], PEERS["mcc"]),
    ("cross-entropy", [], PEERS["cross-entropy"]),
    ("brier", [], _scores(peer.brier_score_loss, scale_by_half=True)),
]  # fmt: skip
OF_NUMBERS = {
    "rmse": _labels(peer.root_mean_squared_error),
    "mape": _labels(peer.mean_absolute_percentage_error),
    "mae": _labels(peer.mean_absolute_error),
    "r2": _labels(peer.r2_score),
}


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("name", PEERS)
def test_two_classes_agree_with_scikit_learn(name: str, ties: bool, weights: bool) -> None:
    for seed in range(5):
        answer = two_class(seed=seed, ties=ties, weights=weights)
        if name == "cross-entropy":  # the peer clips elsewhere
            answer = replace(answer, scores=np.clip(answer.scores, 0.01, 0.99))
        assert score(name, answer) == pytest.approx(PEERS[name](answer), rel=1e-12)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize(("name", "options", "other"), OF_MANY)
def test_many_classes_agree_with_scikit_learn(
    name: str, options: list[tuple[str, object]], other: Callable[[Answer], float], weights: bool
) -> None:
    answer = many_class(weights=weights)
    assert score(name, answer, options) == pytest.approx(other(answer))


def test_the_area_of_many_classes_is_that_of_one_against_the_rest() -> None:
    a = many_class()
    assert score("roc-area", a) == pytest.approx(peer.roc_auc_score(a.truth, a.scores, multi_class="ovr"))


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_numbers_agree_with_scikit_learn(name: str) -> None:
    answer = numbers(weights=True)
    assert score(name, answer) == pytest.approx(OF_NUMBERS[name](answer))


def test_costs_are_those_of_the_confusion_table() -> None:
    a = two_class(weights=True)
    table = peer.confusion_matrix(a.truth, a.labels, sample_weight=a.weights)
    priced = (3.0 * table[0, 1] + 7.5 * table[1, 0]) / table.sum()
    assert score("cost", a, [("fp", 3), ("fn", 7.5)]) == pytest.approx(priced)
    mirrored = replace(a, positive=0)
    assert score("cost", mirrored, [("fp", 7.5), ("fn", 3)]) == pytest.approx(priced)


def test_classes_tied_at_the_edge_of_the_top_count_by_their_share() -> None:
    """As the mean over many orders of the tied classes, which scikit-learn breaks by their place."""
    a = many_class(60, k=5, seed=3)
    assert a.scores is not None
    coarse = np.round(a.scores, 1)
    rng = np.random.default_rng(0)
    broken = [coarse + 1e-6 * rng.random(coarse.shape) for _ in range(500)]
    means = [peer.top_k_accuracy_score(a.truth, one, k=2, labels=range(5)) for one in broken]
    found = score("top-k", replace(a, scores=coarse, probabilities=False))
    assert found == pytest.approx(np.mean(means), abs=6 * np.std(means) / 500**0.5)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=4, max_size=24), st.randoms(use_true_random=False)
)
@settings(max_examples=60, deadline=None)
def test_ties_count_as_the_mean_over_their_orders(rows: list[tuple[bool, int]], random: Any) -> None:
    """Lift and break-even equal the average over many random orders of the tied rows."""
    truth = np.array([int(positive) for positive, _ in rows])
    if truth.sum() == 0:
        truth[0] = 1
    level = np.array([height for _, height in rows], dtype=float)
    rng = np.random.default_rng(random.randrange(2**32))
    top, taken = max(1, int(np.floor(0.25 * len(rows) + 0.5))), int(truth.sum())
    drawn = rng.random((4000, len(rows)))
    ordered = truth[np.lexsort((drawn, np.broadcast_to(-level, drawn.shape)))]
    lifts = ordered[:, :top].mean(axis=1) / truth.mean()
    evens = ordered[:, :taken].mean(axis=1)
    answer = Answer(truth=truth, labels=truth, scores=level / 4, classes=(0, 1), positive=1)
    assert score("lift", answer) == pytest.approx(np.mean(lifts), abs=6 * np.std(lifts) / 4000**0.5 + 1e-9)
    assert score("break-even", answer) == pytest.approx(np.mean(evens), abs=6 * np.std(evens) / 4000**0.5 + 1e-9)


def test_whole_weights_are_repeated_rows() -> None:
    answer = two_class(weights=True)
    assert answer.weights is not None
    assert answer.scores is not None
    times = answer.weights.astype(int)
    longer = replace(
        answer,
        truth=np.repeat(answer.truth, times),
        labels=np.repeat(answer.labels, times),
        scores=np.repeat(answer.scores, times),
        weights=None,
    )
    for entry in METRICS:
        if "two-class" in entry.tasks and entry.needs not in ("time", "size") and entry.name not in ("cal", "lift"):
            assert score(entry.name, answer) == pytest.approx(score(entry.name, longer)), entry.name
    whole = len(longer.truth) - len(longer.truth) % 4  # a quarter of the rows is a whole number
    assert score("lift", answer, [("top", whole / len(longer.truth))]) == pytest.approx(
        score("lift", longer, [("top", whole / len(longer.truth))])
    )


@pytest.mark.parametrize("entry", [e for e in METRICS if e.needs not in ("time", "size")], ids=lambda e: e.name)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(100, 140), weights=st.booleans())
@settings(max_examples=15, deadline=None)
def test_score_lies_in_the_range_of_its_card(entry: Any, seed: int, n: int, weights: bool) -> None:
    answer = numbers(n, seed, weights) if "regression" in entry.tasks else two_class(n, seed, weights=weights)
    if entry.tasks == ("many-class",):
        answer = many_class(n, seed=seed, weights=weights)
    got = score(entry.name, answer)
    assert np.isfinite(got)
    assert entry.low is None or got >= entry.low
    assert entry.high is None or got <= entry.high


@pytest.mark.parametrize("entry", [e for e in METRICS if e.needs not in ("time", "size")], ids=lambda e: e.name)
def test_the_truth_itself_beats_its_opposite_in_the_direction_of_the_card(entry: Any) -> None:
    if "regression" in entry.tasks:
        good = replace(numbers(), labels=numbers().truth)
        bad = replace(numbers(), labels=-5 * numbers().truth)
    elif entry.tasks == ("many-class",):
        sure = np.eye(4)[many_class().truth]
        good, bad = replace(many_class(), scores=sure), replace(many_class(), scores=1.0 - sure)
    else:
        truth = two_class().truth
        good = replace(two_class(), labels=truth, scores=truth.astype(float))
        bad = replace(two_class(), labels=1 - truth, scores=1.0 - truth)
    assert entry.sign * (score(entry.name, good) - score(entry.name, bad)) > 0


@pytest.mark.parametrize(
    "name", ["accuracy", "error", "balanced-accuracy", "mcc", "kappa", "roc-area", "brier", "cross-entropy", "cal"]
)
def test_metrics_that_need_no_positive_class_are_symmetric(name: str) -> None:
    answer = two_class(ties=False)
    swapped = replace(answer, positive=0)
    unnamed = replace(answer, positive=None)
    assert score(name, answer) == pytest.approx(score(name, swapped), rel=1e-12)
    assert score(name, answer) == score(name, unnamed)


@pytest.mark.parametrize("name", [e.name for e in METRICS if e.positive])
def test_metrics_of_one_class_ask_for_it(name: str) -> None:
    with pytest.raises(DataError, match="positive"):
        score(name, replace(two_class(), positive=None))
    other = replace(two_class(), positive=0)
    mirrored = replace(
        two_class(), truth=1 - two_class().truth, labels=1 - two_class().labels, scores=1 - two_class().scores
    )
    assert score(name, other) == pytest.approx(score(name, mirrored))


@pytest.mark.parametrize("name", sorted(ROW_LOSSES))
def test_row_losses_average_to_the_metric(name: str) -> None:
    entry = find_metric(name)
    assert entry is not None
    answer = numbers() if "regression" in entry.tasks else two_class() if "two-class" in entry.tasks else many_class()
    options = {"cost": [("fp", 2.0), ("fn", 9.0)], "top-k": [("k", 3)]}.get(name, [])
    average = float(row_losses(name, answer, options).mean())
    expected = {"accuracy": 1 - average, "top-k": 1 - average, "root-brier": average**0.5, "rmse": average**0.5}.get(
        name, average
    )
    assert score(name, answer, options) == pytest.approx(expected, rel=1e-12)


def test_two_columns_of_scores_are_one() -> None:
    one = two_class()
    assert one.scores is not None
    two = replace(one, scores=np.column_stack([1 - one.scores, one.scores]))
    for name in ("roc-area", "average-precision", "brier", "cross-entropy", "cal", "lift"):
        assert score(name, one) == pytest.approx(score(name, two), rel=1e-12)


@pytest.mark.parametrize("name", ["brier", "root-brier", "cross-entropy", "cal"])
def test_margins_are_scaled_linearly_before_probability_metrics(name: str) -> None:
    answer = two_class(ties=False)
    assert answer.scores is not None
    low, high = answer.scores.min(), answer.scores.max()
    scaled = replace(answer, scores=(answer.scores - low) / (high - low))
    margins = replace(answer, scores=7 * answer.scores - 3, probabilities=False)
    assert score(name, margins) == pytest.approx(score(name, scaled), rel=1e-9)
    many = replace(many_class(), scores=5 * many_class().scores - 2, probabilities=False)
    assert name == "cal" or np.isfinite(score(name, many))


def test_equal_counts_give_equal_floats() -> None:
    for n in (7, 33, 40, 97):
        for wrong in range(n):
            labels = np.zeros(n, dtype=int)
            labels[:wrong] = 1
            answer = Answer(truth=np.zeros(n, dtype=int), labels=labels, classes=(0, 1))
            assert score("accuracy", answer) == (n - wrong) / n


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("roc-area", replace(two_class(), truth=np.ones(200, dtype=int)), "roc-area is not defined"),
        ("recall", replace(two_class(), truth=np.zeros(200, dtype=int)), "no positive row"),
        ("average-precision", replace(two_class(), truth=np.zeros(200, dtype=int)), "no positive row"),
        ("lift", replace(two_class(), scores=None), "only labels"),
        ("brier", replace(two_class(), scores=np.full(200, 1.5)), "test row 1 has one outside 0 to 1"),
        ("cross-entropy", replace(many_class(), scores=np.full((200, 4), 0.5)), "do not sum to 1"),
        ("roc-area", replace(two_class(), scores=np.full(200, np.nan)), "test row 1 is not a finite"),
        ("accuracy", Answer(truth=np.array([]), labels=np.array([]), classes=(0, 1)), "empty"),
        ("accuracy", replace(two_class(), labels=np.zeros(3)), "3 predictions were made for 200"),
        ("accuracy", numbers(), "metric of classes"),
        ("rmse", two_class(), "metric of numbers"),
        ("r2", replace(numbers(), truth=np.ones(50)), "does not vary"),
        ("mape", replace(numbers(), truth=np.zeros(50)), "the target of test row 1 is 0"),
        ("mape", replace(numbers(), truth=np.full(50, 5e-324)), "so near 0"),
        ("specificity", replace(two_class(), truth=np.ones(200, dtype=int)), "no negative row"),
        ("top-k", two_class(), "right for every row: there are 2 classes"),
        ("top-k", replace(many_class(), scores=None), "only labels"),
        ("mae", replace(numbers(), labels=np.full(50, np.inf)), "test row 1 is not a finite"),
        ("cal", two_class(99), "cal needs 100 test rows, the test part has 99"),
        ("lift", many_class(), "positive"),
        ("cal", many_class(), "two classes"),
        ("acuracy", two_class(), "did you mean accuracy"),
        ("fit-time", two_class(), "was not recorded"),
        ("accuracy", replace(two_class(), weights=np.zeros(200)), "sum to 0"),
    ],
)
def test_what_cannot_be_scored_is_a_sentence(name: str, answer: Answer, words: str) -> None:
    with pytest.raises(DataError, match=words):
        score(name, answer)


def test_degenerate_predictions_have_a_defined_score() -> None:
    nothing = replace(two_class(), labels=np.zeros(200, dtype=int))
    assert score("f-score", nothing) == 0.0
    assert score("precision", nothing) == 0.0
    assert score("mcc", nothing) == 0.0
    assert score("kappa", nothing) == 0.0
    assert score("kappa", replace(nothing, truth=nothing.labels)) == 0.0
    constant = replace(two_class(), scores=np.full(200, 0.3))
    assert score("roc-area", constant) == 0.5
    assert score("lift", constant) == pytest.approx(1.0)
    share = float(two_class().truth.mean())
    assert score("average-precision", constant) == pytest.approx(share)
    assert score("break-even", constant) == pytest.approx(share)


def test_options_are_checked() -> None:
    assert score("lift", two_class(), [("top", 1.0)]) == pytest.approx(1.0)
    for name, option in (
        ("lift", ("top", 0)),
        ("f-score", ("average", "mean")),
        ("accuracy", ("top", 0.1)),
        ("cost", ("fp", -1)),
    ):
        with pytest.raises(DataError, match=option[0]):
            score(name, two_class(), [option])


def test_beta_weighs_recall() -> None:
    a = two_class()
    assert score("f-score", a, [("beta", 2)]) == pytest.approx(peer.fbeta_score(a.truth, a.labels, beta=2))


def test_encode_names_the_row_of_an_unknown_class() -> None:
    with pytest.raises(DataError, match="row 2 of the truth holds 'z'"):
        encode(["a", "z"], ("a", "b"))


def test_baselines_are_those_on_the_cards() -> None:
    p = 0.2
    truth = (np.arange(400) < p * 400).astype(int)
    answer = Answer(truth=truth, labels=truth, scores=truth.astype(float), classes=("a", "b"), positive=1)
    expected = {
        "accuracy": 1 - p,
        "error": p,
        "balanced-accuracy": 0.5,
        "mcc": 0.0,
        "lift": 1.0,
        "roc-area": 0.5,
        "average-precision": p,
        "break-even": p,
        "brier": p * (1 - p),
        "root-brier": math.sqrt(p * (1 - p)),
        "cross-entropy": -p * math.log(p) - (1 - p) * math.log(1 - p),
        "cal": 0.0,
    }
    for name, value in expected.items():
        assert baseline_score(name, answer) == pytest.approx(value, abs=1e-12), name
    assert all(entry.baseline for entry in METRICS)


def test_baseline_for_numbers_is_the_mean() -> None:
    truth = np.array([1.0, 2.0, 6.0])
    answer = Answer(truth=truth, labels=truth)
    assert baseline_score("rmse", answer) == pytest.approx(truth.std())
    assert baseline_score("r2", answer) == pytest.approx(0.0)


@pytest.mark.parametrize("case", cases("normalized_score"))
def test_zero_is_the_baseline_and_one_the_best(case: dict[str, Any]) -> None:
    inputs = case["inputs"]
    agrees(case, normalized=normalise("accuracy", inputs["scores"], inputs["baseline"]))


@pytest.mark.parametrize("case", cases("paper_example", prefix="paper-car-070"))
def test_the_papers_scale(case: dict[str, Any]) -> None:
    inputs = case["inputs"]
    agrees(case, value=normalise("accuracy", [inputs["score"], inputs["best"]], inputs["baseline"])[0])


def test_lower_is_better_turns_the_scale() -> None:
    assert normalise("brier", [0.1, 0.2, 0.3], baseline=0.25) == pytest.approx([1.0, 1 / 3, -1 / 3])


def test_cal_is_scaled_between_the_mean_and_the_best() -> None:
    assert normalise("cal", [0.02, 0.04, 0.06], baseline=0.0) == pytest.approx([1.0, 0.0, -1.0])


def test_corners() -> None:
    assert normalise("cal", [0.1, 0.1], baseline=0.0) == [0.0, 0.0]
    assert normalise("accuracy", [0.5, 0.5], baseline=0.5) == [0.0, 0.0]
    with pytest.raises(DataError, match="better than the baseline"):
        normalise("accuracy", [0.4, 0.3], baseline=0.5)
    with pytest.raises(DataError, match="finite"):
        normalise("accuracy", [0.4, math.nan], baseline=0.5)
    with pytest.raises(DataError, match="at least one"):
        normalise("accuracy", [], baseline=0.5)
