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
from tests.peers.lines import LINES, Line, answer

PAGE = Path(__file__).parents[2] / "docs" / "peers.md"
HEAD = """# Other programs

**Summary.** Many programs do a part of what evalang does, and several do that part better. The first table lists what each program does better. The second
table shows cases in which a package returns a wrong number, NaN or an exception, and what evalang returns. The last table lists results that agree.

## What each does better

This table is based on the documentation of each project in November 2026. We did not run the programs for it.

| program | what it does | better there | use evalang for |
|---|---|---|---|
| [truescore](https://github.com/SaifPunjwani/truescore) | scores of LLM judges | corrects the bias of a judge with human labels (prediction-powered inference); sources of judge bias; intervals that stay valid under continuous monitoring; drift and contamination tests; number of human labels (not released yet) | checking a design, training, tests over datasets |
| [evaltrust](https://github.com/k-dickinson/evaltrust) | audits results of LLM evaluations | one level of confidence (high, moderate, low); reads Promptfoo, DeepEval, LangSmith and Ragas; saturated benchmarks; agreement of judges; comparisons by slice; a pytest call | checking a design, training, tests over datasets, counting earlier tests |
| [evalstats](https://github.com/ianarawjo/evalstats) | compares prompts and models | built for fewer than 100 inputs, with simulations for its methods; prompt sensitivity; correction of judges with human labels; variance between runs and inputs | control of any false positive over all tests (its default controls the false discovery rate) |
| [evalconfidence](https://github.com/stephlinds/evalconfidence) | standard errors, paired comparisons and power for items | small (NumPy and SciPy); shows naive and cluster-robust errors side by side | more log formats, more than two models |
| [skore](https://github.com/probabl-ai/skore) | reports on scikit-learn estimators | metrics, plots and feature importance of one model; checks while you work in Python, such as shuffled time series, class imbalance and correlated features; projects shared by a team | tests with corrections, checks before there are data |
| [Deepchecks](https://github.com/deepchecks/deepchecks) | suites of checks of data, splits and models | many more checks of the data: drift, outliers, mismatched strings, leakage by dates and duplicates; images too | checking the comparison: tests, corrections, claims |
| [leakcheck](https://pypi.org/project/leakcheck-ml/), [mlleak](https://pypi.org/project/mlleak/) | leaks between a training and a test file | one command on two files; near duplicates, with the number expected by chance (leakcheck) | the comparison that follows |
| [splitguard](https://github.com/Tommasoaiello13/splitguard) | leaks while Python code runs | watches fits and splits of existing code; needs no description of the design | the comparison that follows |
| [autorank](https://github.com/sherbold/autorank) | ranks learners over datasets | one call that also writes the report; Bayesian approach | a test chosen before the data are seen ([why](howto/which-test.md)) |

evalang does not correct the bias of an LLM judge: [EV117](rules/EV117-one-judge.md) only warns of it. Use truescore or evalstats for that.

## What others return, what evalang returns

`python -m tests.peers.make_table` runs the package and evalang, and writes this table. The first column is the number of the case in our tests. The number after the name of a package is an issue in
its issue tracker. If the issue has been fixed, the package and evalang agree.

| # | situation | package | it returns | evalang returns | right |
|---|---|---|---|---|---|
"""  # noqa: E501
OWN = """
## What statsmodels and SciPy compute, and what they cannot

evalang uses statsmodels only for Hommel's correction, because importing statsmodels takes longer than most analyses of a table. The tests of evalang compare its results with statsmodels or R.
statsmodels cannot compute these:

- **Cluster-robust variance.** statsmodels has CR1 and the jackknife, whose type I error is too high with few groups or groups of different
  sizes. evalang has the CR2 correction and Bell and McCaffrey's degrees of freedom.
  For two models on the 18 tasks of LiveBench, CR1 with 17 degrees of freedom gives p = 0.131 and CR2 gives p = 0.142.
- **Mixed model.** `MixedLM` can stop at a wrong value. {mixed}
  evalang computes the restricted likelihood itself. It includes the correlation of the folds of a dataset, which `MixedLM` cannot. It uses t with one degree of freedom
  fewer than datasets, because the normal distribution has a type I error of up to 12% at the 5% level with 5 datasets.

evalang computes these itself although SciPy or statsmodels also offer them:

- **McNemar's test.** statsmodels is wrong in cases 14 and 15 of the table above and has no mid-p test.
- **Analysis of variance.** `AnovaRM` of statsmodels builds a square matrix with a column for every score, which takes
  2 GB for 500 datasets and 30 learners. It has no Greenhouse-Geisser correction.
- **Wilcoxon, Friedman, paired t and the studentized range.** SciPy returns a wrong or inexact number in cases 22 and 27 to 30 of the table above. Ties must be found exactly before ranking.
- **Cluster-robust variances of all pairs of many models.** statsmodels fits one pair at a time. evalang computes the 780 pairs of forty models
  with one matrix product.
- **Power.** evalang computes power in plain Python, because `lint` and `plan` do not load NumPy. A test compares the
  results with statsmodels, which has no power for McNemar's test and the sign test.
  {power}.
"""  # noqa: E501

ITEMS = """
## Results that agree

| what | peer | its number | evalang |
|---|---|---|---|
| GPQA Diamond, two models, 198 items, 5 epochs: paired difference, standard error, p | SciPy on the item means (data of evalconfidence) | .058586, .027788, .036271 | the same to six digits |
| the same, 990 samples treated as items | SciPy | standard error .014884 | refused: five rows are one item |
| LiveBench, two models, 18 tasks as groups, CR1 on 17 degrees of freedom | statsmodels' cluster covariance with t | .131 | cluster-permutation .132 by default; cluster-t by name .142 (CR2, 13.5 degrees of freedom), with a warning |
| variance of a mean of groups of one size | statsmodels 0.15.0, `cov_type="cluster"` | equal | equal to nine digits |
| items for 3 points, power .8, variance of the difference 1/9 | Miller 2024 | 969 | 969 |
| 198 items of 5 epochs drawn by a fixed seed: difference in points, interval, p | evalconfidence's demo notebook | 4.3, 1.0 to 7.7, .0122 | the same to the digits printed |
| items for a variance of .5 and 10 points, and of .01 and 3 points, power .8 | evalconfidence's own tests | 393 and 88 | 393 and 88 |
| mean, median, interquartile mean of x and of y | rliable's own test | 1.5 and 2 | 1.5 and 2 |
| probability of improvement of x over y | rliable's own test | 1/3 | 1/3 |
| 95% interval of an aggregate at 3 runs: coverage | rliable, percentiles | .73 (reported in its #20) | .95 in our simulation of the interquartile mean, 26 tasks, 300 repetitions |
| runs needed for a probability of .75, power .95, one-sided | Bouthillier 2021 | 29 | 29; paired 42, two-sided 49 |

The tests `test_items*.py` in `tests/verdicts` check these numbers.
"""  # noqa: E501


def page() -> str:
    """The whole page."""
    rows = "".join(_row(line) for line in LINES)
    return HEAD + rows + OWN.format(mixed=_mixed(), power=_power()) + ITEMS


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
        "Take six datasets of ten folds whose means vary\n  ten thousand times as much as the folds. Its standard "
        f"error is {plain.bse_fe[0]:.3f} with {told}. The right value is {right:.3f}\n"
        f"  (that of the six means), and evalang gives {ours:.3f}."
    )


def _power() -> str:
    """Where the far tail underflows."""
    theirs = TTestPower().power(3.0, 100, 0.05)
    return (
        "For a difference of 3 standard deviations on 100 units `TTestPower` gives "
        f"{_shown(float(theirs))} and evalang {power_paired_t(100, 3.0):g}"
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
