"""Packages of boosted trees that a script may name; each has to be installed, and trusted on the command line."""

from __future__ import annotations

from .entry import LearnerEntry

# Each with the extra that installs it.
BOOSTERS = {"lightgbm": "boosting", "xgboost": "xgboost", "catboost": "catboost"}

BOOSTING: tuple[LearnerEntry, ...] = (
    LearnerEntry(
        name="lightgbm",
        title="Gradient boosting of LightGBM",
        classifier="lightgbm.LGBMClassifier",
        regressor="lightgbm.LGBMRegressor",
        stochastic=True,
        method="100 trees of at most 31 leaves, grown leaf by leaf on binned columns; missing values and categories "
        "are taken as they are. One thread. Run it with --trust lightgbm.",
        references=("friedman2001", "ke2017"),
    ),
    LearnerEntry(
        name="xgboost",
        title="Gradient boosting of XGBoost",
        classifier="xgboost.XGBClassifier",
        regressor="xgboost.XGBRegressor",
        stochastic=True,
        method="100 trees of depth 6 with penalised leaves; missing values and categories are taken as they are. One "
        "thread. Run it with --trust xgboost.",
        references=("friedman2001", "chen2016"),
    ),
    LearnerEntry(
        name="catboost",
        title="Gradient boosting of CatBoost",
        classifier="catboost.CatBoostClassifier",
        regressor="catboost.CatBoostRegressor",
        stochastic=True,
        method="1000 symmetric trees of depth 6, each fitted to residuals of random orders of the rows; missing "
        "numbers are taken as they are. One thread, no files. Run it with --trust catboost.",
        references=("friedman2001", "prokhorenkova2018"),
    ),
)
