"""The Weka table has one row a fold; weka.eval wants one row a dataset.

python docs/studies/published-tables/weka_means.py FOLDS.csv.gz FOLDER     writes FOLDER/weka-means.csv
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

LEARNERS = ["nbc", "aode", "hnb", "j48", "j48gr"]


def main(folds: Path, folder: Path) -> None:
    """The mean accuracy of the hundred folds of each dataset."""
    means = pd.read_csv(folds).groupby("dataset")[LEARNERS].mean()
    means.round(6).to_csv(folder / "weka-means.csv", lineterminator="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
