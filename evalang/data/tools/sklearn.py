"""The cv_results_ of a search of scikit-learn, saved as CSV: a row for each candidate, a column for each split.

Candidates are the learners, named by their parameters; every score of scikit-learn is better when it is higher.
"""

from __future__ import annotations

import re

import pandas as pd

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..quoting import quoted, quoted_list
from ..raw import LongTable, checked_options
from .tables import as_names, choose, read_tables

_SPLIT = re.compile(r"split(?P<split>\d+)_test_(?P<scorer>.+)")
_CATALOGUE = {"roc_auc": "roc-area", "balanced_accuracy": "balanced-accuracy"}


def read_sklearn(source: Source, access: Access) -> LongTable:
    """Return one search, or those of a pattern; each file is of one dataset, named like the file."""
    options = checked_options(source, {"scorer": str})
    frame, origins = read_tables(source, access, "scikit-learn", "*.csv")
    where = f"sklearn {source.locator}"
    splits = [(c, m) for c in frame.columns if (m := _SPLIT.fullmatch(c))]
    if not splits:
        what = "only averages" if any(c.startswith("mean_test_") for c in frame.columns) else "no split0_test_score"
        hint = "save the whole cv_results_: pd.DataFrame(search.cv_results_).to_csv(…)"
        raise DataError(f"{where} has {what}, and an average cannot be paired", hint=hint)
    scorers = list(dict.fromkeys(m.group("scorer") for _, m in splits))
    if "scorer" not in options and len(scorers) > 1:
        raise DataError(f"{where} has several scorers: {quoted_list(scorers)}", hint=f'(scorer = "{scorers[0]}")')
    scorer = choose(options.get("scorer", scorers[0]), scorers, where)
    used = {c: m.group("split") for c, m in splits if m.group("scorer") == scorer}
    wide = frame.assign(candidate=_candidates(frame, where))
    wide["dataset"] = wide["file"].str.rpartition("/")[2].str.replace(r"\.csv(\.gz)?$", "", regex=True)
    _refuse_repeated(wide, where)
    long = wide.melt(["candidate", "dataset"], list(used), var_name="fold", value_name="score")
    long["fold"] = long["fold"].map(used)
    long["score"] = pd.to_numeric(long["score"], errors="coerce")
    gone = long[long["score"].isna()]
    places = [f"{c}, split {f}" for c, f in zip(gone["candidate"], gone["fold"], strict=True)]
    return LongTable(
        frame=long[long["score"].notna()].reset_index(drop=True),
        columns={"score": "score", "learner": "candidate", "dataset": "dataset", "fold": "fold"},
        metric=None if scorer == "score" else _CATALOGUE.get(scorer, scorer),
        higher_is_better=True,
        origins=origins,
        left_out=(f"{len(gone)} fits have no score ({quoted_list(places, 5)})",) if len(gone) else (),
    )


def _candidates(frame: pd.DataFrame, where: str) -> pd.Series[str]:
    """Return the parameters that differ between candidates, as in `C=1, kernel=rbf`."""
    given = [c for c in frame.columns if c.startswith("param_")]
    varied = [c for c in given if frame[c].nunique(dropna=False) > 1] or given
    if not varied:
        raise DataError(f"{where} has no column param_…", hint="is it the cv_results_ of a search?")
    parts = [c.removeprefix("param_") + "=" + as_names(frame[c].fillna("none")) for c in varied]
    found = parts[0]
    for part in parts[1:]:
        found = found + ", " + part
    return found


def _refuse_repeated(wide: pd.DataFrame, where: str) -> None:
    again = wide[wide.duplicated(["candidate", "dataset"])]
    if len(again):
        raise DataError(
            f"{where} has the candidate {quoted(again['candidate'].iloc[0])} twice", hint="keep one row a candidate"
        )
