"""Which function carries out which card: every test of the catalogue has exactly one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .over import BAYES_TESTS, ESTIMATE_METHODS, OVER_TESTS
from .tests.averaged_t import averaged_t
from .tests.binomial import binomial
from .tests.bootstrap import bootstrap
from .tests.cochran_q import cochran_q
from .tests.corrected_t import corrected_t
from .tests.delong import delong
from .tests.five_by_two import five_by_two_f, five_by_two_t
from .tests.kfold_t import kfold_t
from .tests.mcnemar import mcnemar, mcnemar_exact, mcnemar_midp
from .tests.permutation import permutation
from .tests.proportions import corrected_proportions, proportions
from .tests.quasi_f import quasi_f
from .tests.randomization import randomization
from .tests.resampled_t import resampled_t
from .tests.row_t import row_t
from .tests.tost import tost

# How each is called, by the evidence on its card:
#   outcomes         f(a, b), right or wrong per row; cochran-q: f(outcomes[row, learner])
#   row-losses       f(a, b), one loss per row (or one score per dataset, over datasets)
#   row-scores       delong(truth, a, b); bootstrap(a, b, truth=, metric=), or bootstrap(a, b) for means
#   fold-scores      f(a, b, train_size=, test_size=), [partition, fold]; tost also needs margin= and base=
#   training-losses  f(a, b), [training set, row]
#   procedure        f(observed, shuffled)
ROW_AND_FOLD_TESTS: dict[str, Callable[..., Any]] = {
    "mcnemar": mcnemar,
    "mcnemar-exact": mcnemar_exact,
    "mcnemar-midp": mcnemar_midp,
    "binomial": binomial,
    "proportions": proportions,
    "corrected-proportions": corrected_proportions,
    "cochran-q": cochran_q,
    "delong": delong,
    "row-t": row_t,
    "permutation": permutation,
    "bootstrap": bootstrap,
    "resampled-t": resampled_t,
    "kfold-t": kfold_t,
    "5x2cv-t": five_by_two_t,
    "5x2cv-f": five_by_two_f,
    "corrected-t": corrected_t,
    "averaged-t": averaged_t,
    "quasi-f": quasi_f,
    "tost": tost,
    "randomization": randomization,
}

FUNCTIONS: dict[str, Callable[..., Any]] = {**ROW_AND_FOLD_TESTS, **OVER_TESTS, **BAYES_TESTS, **ESTIMATE_METHODS}
