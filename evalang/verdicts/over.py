"""The tests over datasets by their names in the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .tests.anova import anova
from .tests.bayes_correlated_t import bayes_correlated_t
from .tests.bayes_signed_rank import bayes_signed_rank
from .tests.bonferroni_dunn import bonferroni_dunn
from .tests.friedman import friedman, iman_davenport
from .tests.nemenyi import nemenyi
from .tests.paired_t import paired_t
from .tests.score_intervals import clopper_pearson, corrected_interval, training_interval, wilson
from .tests.sign import sign
from .tests.wilcoxon import wilcoxon

# name -> function; (a, b, ...) for two learners, scores [dataset, learner] for many
OVER_TESTS: dict[str, Callable[..., Any]] = {
    "paired-t": paired_t,
    "wilcoxon": wilcoxon,
    "sign": sign,
    "friedman": friedman,
    "iman-davenport": iman_davenport,
    "nemenyi": nemenyi,
    "bonferroni-dunn": bonferroni_dunn,
    "anova": anova,
}

BAYES_TESTS: dict[str, Callable[..., Any]] = {
    "bayes-correlated-t": bayes_correlated_t,
    "bayes-signed-rank": bayes_signed_rank,
}

ESTIMATE_METHODS: dict[str, Callable[..., Any]] = {
    "wilson": wilson,
    "clopper-pearson": clopper_pearson,
    "corrected-interval": corrected_interval,
    "training-interval": training_interval,
}
