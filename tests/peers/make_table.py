"""Writes docs/peers.md: what others return, what evalang returns. Run: python -m tests.peers.make_table"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from statsmodels.regression.mixed_linear_model import MixedLM
from statsmodels.stats.power import TTestPower

from evalang.catalogue.power import power_paired_t
from evalang.verdicts.tests.mixed_model import mixed_model
from tests.peers.lines import LINES, NOT_HERE, Line, answer

PAGE = Path(__file__).parents[2] / "docs" / "peers.md"
HEAD = """# What others return, what evalang returns

This page is made by `python -m tests.peers.make_table`, which runs both. The numbers in the first column are those of
our list of known defects; an issue number is the package's own. Where the issue was fixed since, both columns agree:
the case stays in our tests.

| # | situation | package | it returns | evalang returns | right |
|---|---|---|---|---|---|
"""
TAIL = """
## Cases of the list that are not in the table

"""

OWN = """
## What statsmodels and SciPy compute, and what they cannot

statsmodels computes the corrections for many tests but Holm's, Cochran's Q, the repeated-measures analysis of variance,
the z test of two proportions, the intervals of Wilson and of Clopper and Pearson, the cluster-robust variance and the
mixed model. A wrapper keeps it from the cases above: missing p-values are taken out first, learners that never differ
are not handed over. Two more wrappers mend what it would return by itself:

- **Cluster-robust variance**: its correction is CR1 (or the jackknife), which rejects too often where groups are few or
  of different sizes. It is handed residuals that carry the CR2 correction already, and none of its own is asked for;
  Bell and McCaffrey's degrees of freedom are ours. On LiveBench, two models, 18 tasks: CR1 with t(17) .131, CR2 .142.
- **Mixed model**: `MixedLM` left to itself ends in wrong places. {mixed}
  So its own likelihood is searched first along its one free ratio, and it starts from there; without a spread of
  datasets it returns the standard error of a singular fit, and is not asked. Its normal reference is replaced by t with
  one degree of freedom fewer than datasets: at .05 it was wrong in up to .12 of true nulls of 5 datasets.

These stay here, each for a case that no wrapper can mend:

- **McNemar**: cases 14 and 15, no mid-p, and `evalang test mcnemar 35 15` would wait for the import.
- **Analysis of variance of more than 300 scores**: `AnovaRM` solves for a square matrix with a column for every score,
  2 GB for 500 datasets and 30 learners. It knows no Greenhouse-Geisser epsilon either.
- **Wilcoxon, Friedman, paired t, the studentized range**: cases 22, 27 to 30; ties have to be exact before anything
  is ranked.
- **Cluster-robust variances of all pairs of many learners**: statsmodels fits one pair at a time; forty models have 780
  pairs, whose variances come out of one product of matrices.
- **Power**: plain Python, because `lint` and `plan` load no numpy, and a verdict has to say the number of the plan. The
  formulas are held to statsmodels' solvers over a grid in a test; McNemar's and the sign test's power they do not have.
  {power}.
"""

ITEMS = """
## Evaluations of items and of runs, side by side

| what | peer | its number | evalang |
|---|---|---|---|
| GPQA Diamond, two models, 198 items, 5 epochs: paired difference, standard error, p | SciPy on the item means (data of evalconfidence) | .058586, .027788, .036271 | the same to six digits |
| the same, 990 samples taken for items | SciPy | standard error .014884 | refused: five rows are one item |
| LiveBench, two models, 18 tasks as groups, CR1 on 17 degrees of freedom | statsmodels' cluster covariance with t | .131 | cluster-permutation .132 by default; cluster-t by name .142 (CR2, 13.5 degrees of freedom), with a warning |
| variance of a mean of groups of one size | statsmodels 0.15.0, `cov_type="cluster"` | equal | equal to nine digits |
| items for 3 points, power .8, variance of the difference 1/9 | Miller 2024 | 969 | 969 |
| 198 items of 5 epochs drawn by a fixed seed: difference in points, interval, p | evalconfidence's demo notebook | 4.3, 1.0 to 7.7, .0122 | the same to the digits printed |
| items for a variance of .5 and 10 points, and of .01 and 3 points, power .8 | evalconfidence's own tests | 393 and 88 | 393 and 88 |
| mean, median, interquartile mean of x and of y | rliable's own test | 1.5 and 2 | 1.5 and 2 |
| probability of improvement of x over y | rliable's own test | 1/3 | 1/3 |
| 95% interval of an aggregate at 3 runs: coverage | rliable, percentiles | .73 (reported in its #20) | .95 in our simulation of the interquartile mean, 26 tasks, 300 repetitions |
| runs needed for a probability of .75, power .95, one-sided | Bouthillier 2021 | 29 | 29; paired 42, two-sided 49 |

tests/verdicts/test_items.py, test_items_estimates.py, test_items_leaderboard.py and test_items_runs.py hold evalang to these.
"""  # noqa: E501


def page() -> str:
    """The whole page."""
    rows = "".join(_row(line) for line in LINES)
    rest = "".join(f"- {number}: {why}.\n" for number, why in sorted(NOT_HERE.items()))
    return HEAD + rows + TAIL + rest + OWN.format(mixed=_mixed(), power=_power()) + ITEMS


def _mixed() -> str:
    """Six datasets whose differences spread ten thousand times as far as their folds."""
    rng = np.random.default_rng(1)
    d = rng.normal(0.0, 1.0, (6, 1)) + rng.normal(0.0, 1e-4, (6, 10))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        plain = MixedLM(d.ravel(), np.ones((60, 1)), np.repeat(np.arange(6), 10)).fit(reml=True)
    ours = dict(mixed_model(d, np.zeros(d.shape)).details)["standard_error"]
    right = d.mean(axis=1).std(ddof=1) / math.sqrt(6)
    told = f"converged = {plain.converged} and {len(said) or 'no'} warnings"
    return (
        f"Six datasets of ten folds that spread\n  ten thousand times as far as their folds: standard error "
        f"{plain.bse_fe[0]:.3f}, {told}; evalang {ours:.3f}, right is {right:.3f}\n  (that of the six means)."
    )


def _power() -> str:
    """Where the far tail underflows."""
    theirs = TTestPower().power(3.0, 100, 0.05)
    return (
        f"`TTestPower` gives {_shown(float(theirs))} for a difference of 3 standard deviations on 100 units, evalang "
        + (f"{power_paired_t(100, 3.0):g}")
    )


def _row(line: Line) -> str:
    ours = answer(line.ours)
    package = f"{line.package} {_version(line.package)}" + (f" ({line.issue})" if line.issue else "")
    cells = (str(line.number), line.situation, package, _theirs(line.theirs), _shown(ours), line.right)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n"


def _theirs(call: Callable[[], Any]) -> str:
    try:
        return _shown(answer(call))
    except ImportError:
        return "not installed here"
    except Exception as error:  # whatever a peer raises is what it returns
        return f"{type(error).__name__}: {str(error)[:80]}"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _shown(value: Any) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(_shown(v) for v in value)
    if value is None:
        return "missing"
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else f"{value:.6g}" if value != 1.0000000000000002 else "1.0000000000000002"
    return str(value)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
