from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.catalogue.sources import (
    BUNDLED,
    GENERATORS,
    BundledEntry,
    GeneratorEntry,
    check_parameters,
    filled_parameters,
    find_bundled,
    find_generator,
    rows_of,
)
from evalang.data.builtin import FUNCTIONS, LABELLED_FILES, from_sklearn, from_sklearn_loader, generate

from ..support.data_loading import load_source, refusal


def test_every_card_has_one_function() -> None:
    assert [e.name for e in GENERATORS] == list(FUNCTIONS)


@pytest.mark.parametrize("entry", GENERATORS, ids=lambda e: e.name)
def test_every_generator_loads_as_its_card_says(entry: GeneratorEntry, tmp_path: Path) -> None:
    table = load_source(tmp_path, "synthetic", entry.name)
    assert (table.task, table.rows, len(table.classes) or None) == (entry.task, rows_of(entry, ()), entry.classes)
    assert table.content_hash == load_source(tmp_path, "synthetic", entry.name).content_hash
    if "seed" in filled_parameters(entry, ()) and entry.name != "monks":
        other = load_source(tmp_path, "synthetic", entry.name, options={"seed": 1})
        assert table.content_hash != other.content_hash


def test_monks_by_counting() -> None:
    """Attributes as numbers from 1, as in the paper's own notation: a1..a6 with 3, 3, 2, 3, 4, 2 values."""
    robots = list(product((1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2)))
    rules = {
        1: lambda a: a[0] == a[1] or a[4] == 1,
        2: lambda a: sum(v == 1 for v in a) == 2,
        3: lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
    }
    for problem, rule in rules.items():
        frame = generate("monks", (("problem", problem),)).frame
        assert (frame["class"] == "1").tolist() == [rule(a) for a in robots]
    noisy = generate("monks", (("problem", 3), ("noise", 0.05))).frame["class"]
    assert 5 <= (noisy != generate("monks", (("problem", 3),)).frame["class"]).sum() <= 45


def test_tic_tac_toe_by_checking_every_board() -> None:
    """958 end games, x wins 626 of them (Aha's documentation); every board is legal and finished."""
    frame = generate("tic-tac-toe", ()).frame
    assert len(frame.drop_duplicates()) == len(frame) == 958
    assert (frame["class"] == "positive").sum() == 626
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    for *board, answer in frame.itertuples(index=False):
        x, o = board.count("x"), board.count("o")
        wins = {p: any(all(board[i] == p for i in line) for line in lines) for p in "xo"}
        assert x - o in (0, 1)
        assert wins["x"] or wins["o"] or "b" not in board
        assert not (wins["x"] and wins["o"])
        assert (answer == "positive") == wins["x"]


@pytest.mark.parametrize("features", [1, 3])
@pytest.mark.parametrize("overlap", [0.05, 0.2, 0.4])
def test_the_best_classifier_of_gaussians_errs_by_the_overlap(overlap: float, features: int) -> None:
    n = 40_000
    frame = generate("gaussians", (("n", n), ("overlap", overlap), ("features", features))).frame
    said = np.where(frame.drop(columns="class").sum(axis=1) > 0, "b", "a")
    error = float((said != frame["class"]).mean())
    assert abs(error - overlap) < 5 * np.sqrt(overlap * (1 - overlap) / n)


def test_waves_have_the_means_of_breiman() -> None:
    """The mean of a class is the mean of its two triangles: h1 peaks at 11, h2 at 15, h3 at 7 (points 1 to 21)."""
    n = 30_000
    frame = generate("waveform", (("n", n), ("noise_columns", 2))).frame
    points = np.arange(1, 22)
    h1, h2, h3 = (np.maximum(6 - np.abs(points - peak), 0) for peak in (11, 15, 7))
    for name, pair in (("0", (h1, h2)), ("1", (h1, h3)), ("2", (h2, h3))):
        rows = frame[frame["class"] == name].drop(columns="class").to_numpy()
        expected = np.append((pair[0] + pair[1]) / 2, [0, 0])
        # each cell varies by 1 (noise) and at most 6^2 / 12 (the share)
        assert np.abs(rows.mean(axis=0) - expected).max() < 5 * np.sqrt(4 / len(rows))


def test_simulated_learners_err_as_told() -> None:
    n = 40_000
    frame = generate("simulated-learners", (("n", n), ("error", 0.2), ("difference", 0.1))).frame
    for column, error in (("first", 0.2), ("second", 0.3)):
        found = float((frame[column] != frame["class"]).mean())
        assert abs(found - error) < 5 * np.sqrt(error * (1 - error) / n)
    both = float(((frame["first"] != frame["class"]) & (frame["second"] != frame["class"])).mean())
    # on each half the product of the two rates: (e1/2)(3 e2/2) and (3 e1/2)(e2/2), so 3/4 e1 e2
    assert abs(both - 0.75 * 0.2 * 0.3) < 5 * np.sqrt(0.045 / n)


def test_friedman1_without_noise_is_the_formula() -> None:
    frame = generate("friedman1", (("noise", 0.0),)).frame
    x = frame.drop(columns="y").to_numpy().T
    expected = 10 * np.sin(np.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4]
    assert np.allclose(frame["y"], expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("gaussians", (("overlaps", 0.2),), "did you mean overlap"),
        ("gaussians", (("overlap", 0.9),), "from 0.0 to 0.5"),
        ("gaussians", (("n", 10**12),), "from 4 to 1000000"),
        ("gaussians", (("n", 10.5),), "whole number"),
        ("gaussians", (("n", True),), "takes a number"),
        ("gaussians", (("n", 10), ("n", 20)), "twice"),
        ("tic-tac-toe", (("n", 10),), "no parameter n"),
        ("monks", (("problem", 4),), "from 1 to 3"),
    ],
)
def test_wrong_parameters(name: str, given: tuple[tuple[str, object], ...], sentence: str, tmp_path: Path) -> None:
    entry = find_generator(name)
    assert entry is not None
    assert sentence in str(check_parameters(entry, given))
    if len({k for k, _ in given}) == len(given):
        assert sentence in refusal(load_source, tmp_path, "synthetic", name, options=dict(given)).message


def test_unknown_names_offer_the_nearest(tmp_path: Path) -> None:
    assert "iris" in refusal(load_source, tmp_path, "builtin", "irsi").hint
    assert "waveform" in refusal(load_source, tmp_path, "synthetic", "wavefrom").hint


@pytest.mark.parametrize("entry", BUNDLED, ids=lambda e: e.name)
def test_every_card_says_what_is_loaded(entry: BundledEntry, tmp_path: Path) -> None:
    table = load_source(tmp_path, "builtin", entry.name)
    assert (table.rows, table.features, table.task) == (entry.rows, entry.features, entry.task)
    assert table.target == entry.target
    assert len(table.classes) == (entry.classes or 0)
    assert table.content_hash == load_source(tmp_path, "builtin", entry.name).content_hash


def test_every_data_set_that_scikit_learn_carries_is_bundled() -> None:
    import sklearn.datasets as found

    carried = {"iris", "wine", "breast_cancer", "digits", "diabetes", "linnerud"}
    loaders = {name.removeprefix("load_") for name in dir(found) if name.startswith("load_")}
    assert loaders - carried <= {"files", "sample_image", "sample_images", "svmlight_file", "svmlight_files"}
    assert {c.replace("_", "-") for c in carried} <= {e.name for e in BUNDLED}


@pytest.mark.parametrize("name", LABELLED_FILES)
def test_a_file_of_scikit_learn_is_read_as_its_own_function_reads_it(name: str) -> None:
    entry = find_bundled(name)
    assert entry is not None
    pd.testing.assert_frame_equal(from_sklearn(entry), from_sklearn_loader(entry), check_exact=True)


def test_iris_is_fishers(tmp_path: Path) -> None:
    table = load_source(tmp_path, "builtin", "iris")
    # Fisher 1936, table I: the means of Iris setosa are 5.006, 3.428, 1.462, 0.246
    means = table.X[table.labels == "setosa"].mean().to_numpy()
    assert means == pytest.approx([5.006, 3.428, 1.462, 0.246], abs=5e-4)
