"""`evalang.analyse`: ranks, omnibus tests and all pairs of the learners in a data frame of scores, wide or long."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..data.given_tables import column_scores
from ..data.reshape import reshaped
from ..errors import DataError, TestError
from ..language.text import Shown
from ..plans.families import tests_in_reach, why_no_pair
from ..results.records import TestResult
from .arithmetic.checks import Floats
from .arithmetic.tails import Sided
from .correct import adjust
from .tests.rank_tests import (
    Ints,
    RankTable,
    critical_difference,
    friedman,
    how_often_smaller,
    iman_davenport,
    range_sf,
    rank_standard_error,
    rank_table,
    table,
)
from .tests.sign_tests import signed_rank_pairs, wilcoxon

if TYPE_CHECKING:
    import pandas as pd


def score_table(
    table: pd.DataFrame, dataset: str | None = None, learner: str | None = None, score: str | None = None
) -> tuple[Floats, tuple[str, ...], tuple[str, ...]]:
    """Return scores [dataset, learner] with the names of learners and datasets; an error names a missing cell.

    Wide: a column for each learner, the datasets in the index or in the column `dataset`. Long: a row for each score,
    with its three columns. Columns that are not named are guessed as by `evalang compare`.
    """
    import pandas as pd

    if not isinstance(table, pd.DataFrame):
        raise DataError(f"a {type(table).__name__} is not a table of scores", hint="pass a pandas DataFrame")
    if table.empty:
        raise DataError("the table has no scores", hint="pass a row for each dataset and a column for each learner")
    for role, column in (("dataset", dataset), ("learner", learner), ("score", score)):
        if column is not None and column not in table.columns:
            raise DataError(f"the table has no column {column!r} for {role}=")
    if (learner is None) != (score is None) or (learner is not None and dataset is None):
        raise DataError("a long table has three columns", hint="name dataset=, learner= and score=")
    if dataset is None:
        table, dataset, learner, score = _guessed(reshaped(table).frame)
    wide = table if dataset is None else table.set_index(dataset)
    if learner is not None and dataset is not None:
        twice = table[table[[dataset, learner]].duplicated()]
        if len(twice):
            what = f"{twice[learner].iloc[0]} has two scores on {twice[dataset].iloc[0]}"
            raise DataError(what, hint="one score per dataset and learner")
        wide = table.pivot(index=dataset, columns=learner, values=score)
    learners, datasets = tuple(map(str, wide.columns)), tuple(map(str, wide.index))
    hint = "every learner needs a score on every dataset; name the column of the datasets: dataset="
    columns = []
    for j, name in enumerate(learners):
        places = [f"the score of {name} on {dataset}" for dataset in datasets]
        try:
            values = column_scores(wide.iloc[:, j], places.__getitem__).values
        except DataError as error:
            raise DataError(error.message, hint=hint) from None
        if np.isnan(values).any():
            raise DataError(f"{places[int(np.isnan(values).argmax())]} is missing", hint=hint)
        columns.append(values)
    return np.column_stack(columns), learners, datasets


def _guessed(table: pd.DataFrame) -> tuple[pd.DataFrame, str | None, str | None, str | None]:
    """Return the table without columns that hold no scores, and its columns of dataset, learner and score.

    A table whose columns are all scores has its datasets in the index.
    """
    from ..data.guess_roles import Hints, guess
    from ..data.score_columns import LEVELS, NAMES, plain_name

    named = LEVELS.keys() | NAMES["no_score"]
    if not any(plain_name(str(c)) in named or table[c].dtype.kind not in "fiub" for c in table.columns):
        return table, None, None, None
    readings = [r for r in guess(table.rename(columns=str), Hints(source="", better="higher")) if r.units is not None]
    if len({(r.score, *r.levels) for r in readings}) != 1:
        ways = "; ".join(r.meaning for r in readings) or "predictions"
        raise DataError(
            f"the table can also be read in a different way: {ways}", hint="name dataset=, learner= and score="
        )
    found = readings[0]
    others = [column for column, standing in found.levels.items() if standing != "dataset"]
    if others:
        what = f"the column {others[0]!r} holds {found.levels[others[0]]}s, and the rows of `analyse` are datasets"
        raise DataError(what, hint="use `evalang compare`, or name dataset=")
    dataset = next(iter(found.levels))
    roles = [dataset, *([found.learner, found.score] if found.learner else found.learners)]
    left = [str(c) for c in table.columns if str(c) not in roles]
    if left and not found.learner:
        warnings.warn(f"columns without scores are left out: {', '.join(left)}", stacklevel=4)
    kept = table.rename(columns=str)[[c for c in roles if c in table.columns]]
    return kept, dataset if dataset in kept.columns else None, found.learner or None, found.score or None


PairsBy = Literal["wilcoxon", "nemenyi"]
NO_CORRECTION_NEEDED = "none: nemenyi covers all pairs"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """All pairs of learners, one entry each in every array; `first` and `second` are places in `Analysis.learners`."""

    first: Ints
    second: Ints
    statistic: Floats  # W+ of wilcoxon, z of the mean ranks of nemenyi
    pvalue: Floats
    adjusted: Floats  # after the correction over all pairs, and at least p of the omnibus
    rejected: NDArray[np.bool_]  # adjusted <= alpha
    effect: Floats  # matched-pairs rank biserial of wilcoxon, difference of the mean ranks of nemenyi
    wins: Ints  # datasets on which the first has the larger raw score
    ties: Ints
    losses: Ints
    better: Ints  # place of the better learner, -1 where the pair is not rejected


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Analysis(Shown):
    """Everything a table of results over datasets says about its learners, best mean rank first."""

    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: Floats  # [dataset, learner], the learners in the order of `learners`
    ranks: tuple[float, ...]
    means: tuple[float, ...]
    medians: tuple[float, ...]
    friedman: TestResult
    omnibus: TestResult  # Iman and Davenport's F
    pairs_by: PairsBy
    pairs: Pairs
    critical_difference: float | None  # only with nemenyi
    correction: str
    alpha: float

    @property
    def gate(self) -> TestResult:
        """The omnibus before the pairs, friedman before nemenyi: its p is the least that a pair can have."""
        return self.friedman if self.pairs_by == "nemenyi" else self.omnibus

    def __str__(self) -> str:
        """Return the learners, best mean rank first, and how many pairs are significantly different."""
        rows = [
            f"{n:.2f}  {mean:.4g}  {name}" for n, mean, name in zip(self.ranks, self.means, self.learners, strict=True)
        ]
        return "\n".join([self._omnibus_text, "mean rank, mean score", *rows, self._pairs_text])

    @property
    def _omnibus_text(self) -> str:
        test = self.omnibus
        size = "infinite" if test.statistic is None else f"{test.statistic:.4g}"  # every dataset ranks alike
        return f"{test.test}: F = {size}, p = {test.pvalue:.3g} over {len(self.datasets)} datasets"

    @property
    def _pairs_text(self) -> str:
        better, pairs = int(np.count_nonzero(self.pairs.rejected)), self.pairs.first.size
        how = f"by {self.pairs_by}, corrected by {self.correction}, level {self.alpha:g}"
        said = f"{better} of {pairs} pairs differ significantly {how} (gate: {self.gate.test})"
        if better or self.pairs_by == "nemenyi":
            return said
        why = why_no_pair("wilcoxon", len(self.datasets), self.alpha, self.correction, pairs)
        reach = tests_in_reach("wilcoxon", len(self.datasets), len(self.learners), self.alpha)
        nemenyi = '. With this table, pairs_by="nemenyi" can find differences' * ("`by friedman, nemenyi`" in reach)
        return f"{said}\n{why}{nemenyi}" if why else said

    def _repr_html_(self) -> str:
        """Return the learners and all pairs as tables."""
        import pandas as pd

        learners = pd.DataFrame({"mean rank": self.ranks, "mean": self.means, "median": self.medians}, self.learners)
        parts = (self._omnibus_text, learners), (self._pairs_text, self.frame)
        return "".join(f"<p>{escape(words)}</p>{table.to_html(float_format='{:.4g}'.format)}" for words, table in parts)

    @property
    def frame(self) -> pd.DataFrame:
        """One row for each pair of learners; `better` is empty where they do not differ significantly."""
        import pandas as pd

        names = np.array([*self.learners, ""], dtype=object)
        pairs = self.pairs
        return pd.DataFrame(
            {
                "first": names[pairs.first],
                "second": names[pairs.second],
                "wins": pairs.wins,
                "ties": pairs.ties,
                "losses": pairs.losses,
                "statistic": pairs.statistic,
                "effect": pairs.effect,
                "p": pairs.pvalue,
                "adjusted_p": pairs.adjusted,
                "better": names[pairs.better],
            }
        )

    def wilcoxon(self, first: str, second: str) -> TestResult:
        """Return the whole record of one pair, with its interval."""
        one, two = (self.scores[:, self.learners.index(name)] for name in (first, second))
        return wilcoxon(one, two, asked=Sided(level=1.0 - self.alpha))


def analyse(
    scores: Any,
    learners: Sequence[str],
    datasets: Sequence[str],
    *,
    higher_is_better: bool = True,
    alpha: float = 0.05,
    correction: str = "holm",
    pairs_by: PairsBy = "wilcoxon",
) -> Analysis:
    """Return ranks, Friedman, Iman-Davenport, and all pairs by wilcoxon (corrected) or nemenyi (family-wise by itself).

    The pairs are ranked in one vectorised pass; their p-values are those of `wilcoxon` to rounding.
    """
    Sided(level=1.0 - alpha)  # raises an error for a level that is none
    if pairs_by not in ("wilcoxon", "nemenyi"):
        raise TestError(f"pairs cannot be tested by '{pairs_by}'", hint="one of: wilcoxon, nemenyi")
    checked = table(scores, test="analyse")
    who, where = _names(learners, checked.shape[1], "learner"), _names(datasets, checked.shape[0], "dataset")
    ranked = rank_table(checked, test="analyse", higher_is_better=higher_is_better)
    order = sorted(range(ranked.k), key=lambda j: (ranked.means[j], who[j]))
    ordered = np.ascontiguousarray(checked[:, order])
    by_nemenyi = pairs_by == "nemenyi"
    by_friedman = friedman(checked, higher_is_better=higher_is_better, ranks=ranked)
    omnibus = iman_davenport(checked, higher_is_better=higher_is_better, ranks=ranked)
    gate = (by_friedman if by_nemenyi else omnibus).pvalue or 0.0
    return Analysis(
        learners=tuple(who[j] for j in order),
        datasets=where,
        scores=ordered,
        ranks=tuple(ranked.means[j] for j in order),
        means=tuple(math.fsum(column) / ranked.n for column in ordered.T.tolist()),
        medians=tuple(np.median(ordered, axis=0).tolist()),
        friedman=by_friedman,
        omnibus=omnibus,
        pairs_by=pairs_by,
        pairs=_pairs(ordered, ranked, order, pairs_by, correction, alpha, gate),
        critical_difference=critical_difference(ranked.k, ranked.n, alpha) if by_nemenyi else None,
        correction=NO_CORRECTION_NEEDED if by_nemenyi else correction,
        alpha=alpha,
    )


def _pairs(
    ordered: Floats, ranked: RankTable, order: list[int], pairs_by: PairsBy, correction: str, alpha: float, gate: float
) -> Pairs:
    first, second = np.triu_indices(ranked.k, 1)
    if pairs_by == "nemenyi":
        means = np.array(ranked.means)[order]
        effect = means[first] - means[second]
        statistic = effect / rank_standard_error(ranked.k, ranked.n)
        pvalue = adjusted = range_sf(np.abs(statistic) * math.sqrt(2.0), ranked.k)
        smaller = how_often_smaller(ranked.doubled[:, order])
        ahead, behind = smaller[first, second], smaller[second, first]
        wins, losses = (ahead, behind) if ranked.higher_is_better else (behind, ahead)
        first_better = effect < 0.0  # a smaller mean rank is better
    else:
        found = signed_rank_pairs(ordered, first, second)
        statistic, pvalue, effect, wins, losses = found.w_plus, found.pvalue, found.biserial, found.wins, found.losses
        adjusted = np.array(adjust(pvalue.tolist(), correction), dtype=np.float64)
        first_better = (effect > 0.0) == ranked.higher_is_better
    if ranked.k > 2:  # of two learners the pair is the omnibus
        adjusted = np.maximum(adjusted, gate)
    rejected = adjusted <= alpha
    return Pairs(
        first=first,
        second=second,
        statistic=statistic,
        pvalue=pvalue,
        adjusted=adjusted,
        rejected=rejected,
        effect=effect,
        wins=wins,
        ties=ranked.n - wins - losses,
        losses=losses,
        better=np.where(rejected, np.where(first_better, first, second), -1),
    )


def _names(names: Sequence[str], number: int, what: str) -> tuple[str, ...]:
    found = tuple(str(name) for name in names)
    if len(found) != number:
        raise TestError(f"there are {len(found)} names of {what}s and {number} in the table")
    if len(set(found)) < number:
        repeated = next(name for i, name in enumerate(found) if name in found[:i])
        raise TestError(f"the {what} '{repeated}' is named twice", hint=f"give each {what} a different name")
    return found
