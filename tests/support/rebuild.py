"""Rebuilds a run from its data, its methods paragraph and its exported files, without the package that ran it.

    python rebuild.py DATA.csv METHODS.md FOLDER

FOLDER is what `evalang report RUN --to csv` wrote. Every candidate of every fold is trained again by scikit-learn on
the rows that the files name, every winner on training and tuning rows together; every label, score and choice has to be
the one of the files. It prints how many of each were found equal, and fails at the first that is not.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

# What the methods paragraph has to say for the reconstruction below to be the right one.
SAID = (
    "bayes is naive-bayes.",
    'near is scale followed by knn(weights = "distance"), tuned over 3 settings (n_neighbors in {1, 7, 25}).',
    "missing numbers are replaced by the median of the training set",
    "missing categories are replaced by the most frequent one of the training set",
    "categories become 0/1 columns (one-hot); an unseen category is all 0",
    "All of it is fitted on the training part only",
    "were evaluated on 25% of each training part, separately for each metric. The best setting was refitted",
)
CLASSES = ("no", "yes")  # the positive class comes second


def learner(name: str, setting: dict[str, object], X: pd.DataFrame) -> object:
    """The pipeline that the paragraph describes."""
    numbers = [c for c in X if X[c].dtype.kind == "f"]
    words = [c for c in X if c not in numbers]
    scaled = [StandardScaler()] if name == "near" else []
    prepared = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), *scaled), numbers),
        (
            make_pipeline(
                SimpleImputer(strategy="most_frequent", missing_values=None),
                OneHotEncoder(handle_unknown="ignore", sparse_output=False),
            ),
            words,
        ),
    )
    last = KNeighborsClassifier(weights="distance", **setting) if name == "near" else GaussianNB()
    return make_pipeline(prepared, last)


def score(metric: str, truth: np.ndarray, labels: np.ndarray, scores: np.ndarray) -> float:
    """The metric by scikit-learn."""
    if metric == "accuracy":
        return float(accuracy_score(truth, labels))
    yes = truth == CLASSES[1]
    by = {"roc-area": roc_auc_score, "brier": brier_score_loss, "cross-entropy": log_loss}
    return float(by[metric](yes, scores))


def main(data: str, methods: str, folder: str) -> None:
    text = re.sub(r"[`\\]", "", Path(methods).read_text(encoding="utf-8"))
    for sentence in SAID:
        assert sentence in text, sentence
    frame = pd.read_csv(data).dropna(subset=["class"])
    X, y = frame.drop(columns=["class", "id"]), frame["class"].to_numpy()
    X = X.apply(lambda c: c if c.dtype.kind == "f" else c.astype(object).where(c.notna(), None)).reset_index(drop=True)
    read = {n: pd.read_csv(Path(folder) / f"{n}.csv") for n in ("folds", "predictions", "scores", "parameters")}
    folds = read["folds"].assign(learner=read["folds"]["learners"].str.split(", ")).explode("learner")
    rows = {k: g.groupby("part")["row"].apply(np.array) for k, g in folds.groupby(["learner", "partition", "fold"])}
    tried = read["parameters"].groupby(["learner", "partition", "fold", "metric"])
    chosen = 0
    for (name, *place, metric), candidates in tried:
        parts = rows[(name, *place)]
        found = []
        for candidate in candidates.itertuples():
            model = learner(name, json.loads(candidate.setting), X).fit(X.iloc[parts["train"]], y[parts["train"]])
            judged = X.iloc[parts["tuning"]]
            value = score(metric, y[parts["tuning"]], model.predict(judged), model.predict_proba(judged)[:, 1])
            assert abs(value - candidate.score) < 1e-12, (name, place, metric, value, candidate.score)
            found.append(-value if metric in ("brier", "cross-entropy") else value)
        assert candidates["chosen"].to_numpy().tolist()[int(np.argmax(found))], (name, place, metric)
        chosen += len(found)
    said = read["predictions"].fillna({"tuned_for": ""}).groupby(["learner", "partition", "fold"])
    labels = 0
    for one in read["scores"].itertuples():
        parts = rows[one.learner, one.partition, one.fold]
        here = said.get_group((one.learner, one.partition, one.fold))
        here = here[[not t or one.metric in t.split(", ") for t in here["tuned_for"]]]
        assert here["row"].tolist() == sorted(parts["test"].tolist())
        setting = {}
        if one.learner == "near":
            candidates = tried.get_group((one.learner, one.partition, one.fold, one.metric))
            setting = json.loads(candidates.loc[candidates["chosen"], "setting"].iloc[0])
        assert ("tuning" in parts) == (one.learner == "near")
        train = np.sort(np.concatenate([parts["train"], parts.get("tuning", np.empty(0, int))]))
        model = learner(one.learner, setting, X).fit(X.iloc[train], y[train])
        tested = X.iloc[here["row"]]
        assert model.predict(tested).tolist() == here["label"].tolist()
        scores = model.predict_proba(tested)[:, 1]
        assert np.allclose(scores, here["score"], rtol=0, atol=1e-12)
        assert y[here["row"]].tolist() == here["truth"].tolist()
        value = score(one.metric, here["truth"].to_numpy(), here["label"].to_numpy(), here["score"].to_numpy())
        assert abs(value - one.score) < 1e-12, (one, value)
        assert (one.trained, one.tested) == (len(train), len(here))
        labels += len(here)
    assert not any(name.split(".")[0] == "evalang" for name, module in sys.modules.items() if module is not None)
    print(f"{len(read['scores'])} scores, {labels} labels and {chosen} candidates found equal")


if __name__ == "__main__":
    main(*sys.argv[1:])
