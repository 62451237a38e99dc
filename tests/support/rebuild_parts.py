"""Rebuilds a run whose thresholds were chosen and whose training ended early, without the package that ran it.

    python rebuild_parts.py DATA.csv METHODS.md FOLDER

FOLDER is what `evalang report RUN --to csv` wrote. It prints how many labels and thresholds were found equal.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import f1_score
from sklearn.naive_bayes import GaussianNB

# What the methods paragraph has to say for the reconstruction below to be the right one.
SAID = (
    "The threshold of bayes and boosted was chosen for f-score on 20% of each training part, which was used for "
    "nothing else.",
    "A row is called positive from a score of the threshold on.",
    "Training of boosted ended after 10 rounds without a better score (or as many as their parameters say) on 15% of "
    "each training part, which they were not trained on.",
    "bayes does not stop early and was trained on that part too.",
)


def main(data: str, methods: str, folder: str) -> None:
    text = re.sub(r"[`\\]", "", Path(methods).read_text(encoding="utf-8"))
    for sentence in SAID:
        assert sentence in text, sentence
    frame = pd.read_csv(data)
    X, y = frame.drop(columns="class").to_numpy(), (frame["class"] == "yes").to_numpy().astype(int)
    read = {n: pd.read_csv(Path(folder) / f"{n}.csv") for n in ("folds", "predictions", "parameters", "times")}
    folds = read["folds"].assign(learner=read["folds"]["learners"].str.split(", ")).explode("learner")
    labels = 0
    for one in read["parameters"].itertuples():
        place = (one.learner, one.partition, one.fold)
        mine = folds[(folds["learner"] == one.learner) & (folds["fold"] == one.fold)]
        parts = mine.groupby("part")["row"].apply(np.array)
        if one.learner == "boosted":
            model = HistGradientBoostingClassifier(learning_rate=0.3, early_stopping=True)
            train, stop = parts["train"], parts["stopping"]
            model.fit(X[train], y[train], X_val=X[stop], y_val=y[stop])
            assert model.n_iter_ == one.rounds, (place, model.n_iter_)
        else:
            model = GaussianNB().fit(X[parts["train"]], y[parts["train"]])
            assert "stopping" not in parts
        inner = model.predict_proba(X[parts["threshold"]])[:, 1]
        tried = [f1_score(y[parts["threshold"]], inner >= cut) for cut in (*np.unique(inner), 0.5)]
        assert f1_score(y[parts["threshold"]], inner >= one.decision_threshold) == max(tried), place
        said = read["predictions"]
        here = said[(said["learner"] == one.learner) & (said["fold"] == one.fold)]
        scores = model.predict_proba(X[here["row"]])[:, 1]
        assert np.allclose(scores, here["score"], rtol=0, atol=1e-12), place
        assert np.where(scores >= one.decision_threshold, "yes", "no").tolist() == here["label"].tolist(), place
        labels += len(here)
    assert not any(name.split(".")[0] == "evalang" for name, module in sys.modules.items() if module is not None)
    print(f"{len(read['parameters'])} thresholds and {labels} labels found equal")


if __name__ == "__main__":
    main(*sys.argv[1:])
