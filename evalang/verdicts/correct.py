"""P-values and intervals corrected for multiple testing, within the families of the plan."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import scipy

from ..catalogue.corrections import find_correction
from ..catalogue.tests import find_test
from ..errors import EvalangError, TestError
from ..plans.families import SELF_ADJUSTING, covers, number_of_tests, tests_together
from ..plans.model import Family, Plan
from ..results.records import Kind
from ..scores.evidence import Floats
from .apply import rng_of
from .arithmetic.differences import about_weighted_mean
from .planned_tests import TestOutcome
from .shapes import dataset_scores, row_losses


def family_of(plan: Plan) -> dict[tuple[str, str], Family]:
    """Return the family of each comparison and scope."""
    found: dict[tuple[str, str], Family] = {}
    for family in plan.families:
        for name in family.comparisons:
            if "everything" in family.over:
                found[name, "dataset"] = found[name, "over-datasets"] = family
            else:
                found[name, family.scope] = family
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A p-value after the correction of its family, and the interval that may stand beside it."""

    pvalue: float | None
    family: Family | None
    size: int = 1  # tests of the family, as planned
    missing: int = 0  # of these, tests that could not be computed: they count
    blocks: int = 1  # parts of the family that share its level
    kind: Kind = "single"
    method: str = ""  # of the simultaneous interval, if it is not Bonferroni's: "Dunnett" or "max-t"
    alpha: float | None = None  # one minus the level of that interval; None: the comparison's own
    closed: bool = False  # its p is that of the omnibus before it, which is larger and not significant


def corrected(plan: Plan, tested: Sequence[TestOutcome]) -> list[Corrected]:
    """Return for every test its p-value after the correction of its family, and the level of its interval.

    An omnibus with pairs after it is their gate: p of a pair is at least p of the omnibus (Demsar 2006).
    """
    families = family_of(plan)
    groups: dict[tuple[object, ...], list[int]] = {}
    found = [Corrected(pvalue=one.pvalue, family=families.get((one.comparison.name, _scope(one)))) for one in tested]
    for i, one in enumerate(tested):
        if (family := found[i].family) is not None and _counts(one):
            groups.setdefault(_key(one, family), []).append(i)
    for members in groups.values():
        family = found[members[0]].family
        assert family is not None
        for i, value in _correct_family(plan, family, members, tested):
            found[i] = value
    gates = {_subject(one): found[i].pvalue for i, one in enumerate(tested) if one.gate}
    return [
        _limit_by_gate(value, gates.get(_subject(one))) if one.posthoc else value
        for one, value in zip(tested, found, strict=True)
    ]


def _subject(one: TestOutcome) -> tuple[object, ...]:
    return one.comparison.name, one.dataset, one.metric.label


def _limit_by_gate(value: Corrected, gate: float | None) -> Corrected:
    """Return the pair with p of the omnibus where that is larger; one that could not be computed is no gate."""
    if gate is None or value.pvalue is None or value.family is None or gate <= value.pvalue:
        return value
    return replace(value, pvalue=gate, closed=gate > value.family.alpha)


def _correct_family(
    plan: Plan, family: Family, members: list[int], tested: Sequence[TestOutcome]
) -> Iterator[tuple[int, Corrected]]:
    """Yield the members of one family, corrected.

    A post-hoc whose p-values cover all its pairs already is a block of its own and the other tests together are one
    more: each block has its share of the level, so its adjusted p-values are multiplied by the number of blocks.
    """
    blocks: dict[tuple[str, str, str], list[int]] = {}
    rest: list[int] = []
    for i in members:
        one = tested[i]
        if one.test is not None and one.test.name in SELF_ADJUSTING:
            blocks.setdefault((one.comparison.name, one.metric.label, one.test.name), []).append(i)
        else:
            rest.append(i)
    shares = len(blocks) + bool(rest)
    alpha = family.alpha / shares
    shared = Corrected(pvalue=None, family=family, blocks=shares, kind="simultaneous", alpha=alpha)
    for block in blocks.values():
        missing = sum(tested[i].pvalue is None for i in block)
        for i in block:
            p = tested[i].pvalue
            yield i, replace(shared, pvalue=None if p is None else min(1.0, p * shares), missing=missing)
    if not rest:
        return
    first = tested[rest[0]]
    planned = tests_together(family, plan.comparisons, first.metric.label, first.gate)
    size = max(len(rest), planned - (len(members) - len(rest)))
    raw = [tested[i].pvalue for i in rest]
    missing = size - sum(p is not None for p in raw)
    adjusted = adjust(raw, "holm" if family.method in SELF_ADJUSTING else family.method, planned=size)
    selected = sum(p is not None and p <= alpha for p in adjusted)
    shown_size = size
    if family.method == "uncorrected":  # each stands alone; the report names their number all the same
        shown_size = number_of_tests(first.comparison, _scope(first))
    for i, p in zip(rest, adjusted, strict=True):
        kind, level = interval_level(family.method, alpha, size, p, selected)
        kind = "simultaneous" if shares > 1 and kind == "single" else kind
        final = None if p is None else min(1.0, p * shares)
        yield i, replace(shared, pvalue=final, size=shown_size, missing=missing, kind=kind, alpha=level)


def interval_level(method: str, alpha: float, size: int, adjusted: float | None, selected: int) -> tuple[Kind, float]:
    """Return which interval stands beside a verdict of a family of that size, and one minus its level.

    Stepwise corrections also get the single-step interval of Bonferroni, which is valid for any family. Under a
    false-discovery correction those selected get false-coverage intervals (Benjamini & Yekutieli 2005); of the others
    nothing is promised by them, so these keep Bonferroni's.

    >>> interval_level("holm", 0.05, 10, 0.01, 3)
    ('simultaneous', 0.005)
    >>> kind, alpha = interval_level("bh", 0.05, 10, 0.01, 3)
    >>> kind, round(alpha, 12)
    ('false-coverage', 0.015)
    """
    if size == 1 or method == "uncorrected":
        return "single", alpha
    if method == "sidak":
        return "simultaneous", -math.expm1(math.log1p(-alpha) / size)
    card = find_correction(method)
    harmonic = math.fsum(1.0 / i for i in range(1, size + 1)) if method == "yekutieli" else 1.0
    if card is None or card.controls != "false-discovery" or adjusted is None or adjusted > alpha:
        return "simultaneous", alpha / (
            size * harmonic
        )  # Yekutieli is stricter than Bonferroni, so its interval is wider too
    return "false-coverage", selected * alpha / (size * harmonic)


def _counts(one: TestOutcome) -> bool:
    """Return whether a test is a member of its family: planned to give a p-value."""
    card = find_test(one.test.name) if one.test is not None else None
    return card is not None and card.gives_p


def _scope(one: TestOutcome) -> Literal["dataset", "over-datasets"]:
    return "dataset" if one.dataset is not None else "over-datasets"


def _key(one: TestOutcome, family: Family) -> tuple[object, ...]:
    """Return a key that tests corrected together share: what `over` does not cover separates them."""
    return (
        family.name,
        one.gate,
        None if covers(family, "learners") else one.learners,
        None if covers(family, "datasets") else one.dataset,
        None if covers(family, "metrics") else one.metric.label,
    )


# Simultaneous intervals of t tests on the same units, by the largest t of the family, which Bonferroni only bounds:
# differences of learners on the same rows or datasets go up and down together, and the correlation can be seen. For a
# control this is Dunnett's interval for paired units, for all pairs the max-t interval (Tukey's, where the correlations
# are those of equal variances).

T_ON_UNITS = ("row-t", "paired-t")  # their intervals are t quantiles times a standard error over the same units
DRAWS = 100_000  # the coverage is then that asked for to .0007
MOST_PAIRS = 300  # pairs; of more, Bonferroni's


def critical_value(correlation: Floats, df: float, alpha: float, rng: np.random.Generator) -> float:
    """Return c with P(max |t| <= c) = 1 - alpha for t statistics of this correlation on common degrees of freedom.

    >>> one = critical_value(np.eye(1), 20, 0.05, np.random.default_rng(1))
    >>> bool(abs(one - scipy.special.stdtrit(20, 0.975)) < 0.03)
    True
    """
    values, vectors = np.linalg.eigh(correlation)
    used = values > 1e-9  # pairs of k learners have k - 1 directions
    root = vectors[:, used] * np.sqrt(values[used])
    largest = []
    for start in range(0, DRAWS, 5000):
        drawn = rng.standard_normal((min(5000, DRAWS - start), root.shape[1])) @ root.T
        largest.append(np.abs(drawn).max(axis=1) / np.sqrt(rng.chisquare(df, len(drawn)) / df))
    return float(np.quantile(np.concatenate(largest), 1.0 - alpha, method="higher"))


def with_max_t(tested: Sequence[TestOutcome], adjusted: Sequence[Corrected]) -> list[Corrected]:
    """Set the level of intervals to that of the largest t, where a whole family is t tests on the same units."""
    found = list(adjusted)
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, (one, shared) in enumerate(zip(tested, adjusted, strict=True)):
        if shared.family is not None and shared.kind == "simultaneous" and not one.omnibus:
            key = (one.comparison.name, one.dataset, one.metric.label, shared.family.name)
            groups.setdefault(key, []).append(i)
    for pairs in groups.values():
        family = found[pairs[0]].family
        if family is None or not _is_whole_family([tested[i] for i in pairs], found[pairs[0]]):
            continue
        each = _single_alpha([tested[i] for i in pairs], family.alpha)
        if each is None:
            continue
        method = "Dunnett" if tested[pairs[0]].comparison.control else "max-t"
        for i in pairs:
            found[i] = replace(found[i], alpha=max(each, found[i].alpha or 0.0), method=method)
    return found


def _is_whole_family(pairs: Sequence[TestOutcome], shared: Corrected) -> bool:
    """Return whether these are the whole family: one t test of several pairs on the same units, all computed."""
    names = {one.test.name for one in pairs if one.test is not None}
    return (
        1 < len(pairs) <= MOST_PAIRS
        and names <= set(T_ON_UNITS)
        and len(names) == 1
        and (shared.size, shared.missing, shared.blocks) == (len(pairs), 0, 1)
        and all(one.result is not None and one.result.alternative == "two-sided" for one in pairs)
    )


def _single_alpha(pairs: Sequence[TestOutcome], alpha: float) -> float | None:
    """Return one minus the level of each interval with which all hold at once; None without a correlation."""
    if any(one.evidence is not pairs[0].evidence for one in pairs):
        return None  # pairs on different items
    try:
        d = np.column_stack([_differences(one) for one in pairs])
    except EvalangError:
        return None
    spread = d.std(axis=0)
    if len(d) < 3 or not (spread > 1e-12 * np.abs(d).max(initial=1e-300)).all():
        return None
    first = pairs[0]
    rng = rng_of(first.comparison, "max-t", first.metric.label, first.dataset or "")
    df = len(d) - 1
    correlations = np.atleast_2d(np.corrcoef(_normalise_order_and_sign(d).T))
    return float(2.0 * scipy.special.stdtr(df, -critical_value(correlations, df, alpha, rng)))


def _normalise_order_and_sign(d: Floats) -> Floats:
    """Return the columns in an order and with signs that do not depend on the order of the learners."""
    first = d[(d != 0.0).argmax(axis=0), np.arange(d.shape[1])]
    signed = d * np.where(first < 0.0, -1.0, 1.0) + 0.0  # no zero is a negative one
    return signed[:, sorted(range(d.shape[1]), key=lambda i: signed[:, i].tobytes())]


def _differences(one: TestOutcome) -> Floats:
    shown = dataset_scores(one) if one.dataset is None else row_losses(one)
    d = np.asarray(shown["first"] - shown["second"], dtype=np.float64)
    return d if shown.get("weights") is None else about_weighted_mean(d, shown["weights"])


METHODS = ("bonferroni", "sidak", "holm", "hochberg", "hommel", "bh", "yekutieli", "uncorrected")


def adjust(pvalues: Sequence[float | None], method: str, *, planned: int | None = None) -> tuple[float | None, ...]:
    """Return the adjusted p-values in the same order: reject at alpha exactly those that are at most alpha.

    `planned` is the size of the family where it is more than the p-values at hand: the others count with p = 1.

    >>> adjust([0.01, None, 0.03], "holm")
    (0.02, None, 0.03)
    >>> adjust([0.01, 0.03], "bonferroni", planned=5)
    (0.05, 0.15)

    References: bonferroni1936, sidak1967, holm1979, hochberg1988, hommel1988, benjamini1995, benjamini2001.
    """
    if method not in METHODS:
        raise TestError(f"unknown correction '{method}'", hint="one of: " + ", ".join(METHODS))
    present = [(i, _checked(p, i)) for i, p in enumerate(pvalues) if p is not None]
    raw = [p for _, p in present]
    raw += [1.0] * ((planned or 0) - len(raw))
    adjusted: list[float | None] = [None] * len(pvalues)
    for (place, p), found in zip(present, _adjusted(raw, method), strict=False):
        adjusted[place] = min(1.0, max(p, found))  # rounding must not take it below the raw value
    return tuple(adjusted)


def _checked(p: float, index: int) -> float:
    if not 0.0 <= p <= 1.0:
        raise TestError(f"p-value {index + 1} is {p:g}, not from 0 to 1", hint="a test without a p-value is None")
    return float(p)


def _adjusted(raw: list[float], method: str) -> list[float]:
    """Return the adjusted p-values; those of stepwise methods in order, each with its factor and never out of order."""
    size = len(raw)
    if method == "uncorrected" or size < 2:
        return raw
    p = np.array(raw)
    if method == "bonferroni":
        return [float(x) for x in size * p]
    if method == "sidak":
        with np.errstate(divide="ignore"):  # the logarithm of 1 - p, also of p = 1
            return [float(x) for x in -np.expm1(size * np.log1p(-p))]
    if method == "hommel":
        from statsmodels.stats.multitest import multipletests  # slow to import

        return [float(x) for x in multipletests(raw, method="hommel")[1]]
    order = np.argsort(p)
    places = np.arange(1, size + 1)
    if method == "holm":
        stepped = np.maximum.accumulate(p[order] * places[::-1])
    else:
        harmonic = float(np.sum(1.0 / places)) if method == "yekutieli" else 1.0
        factors = places[::-1] if method == "hochberg" else size * harmonic / places
        stepped = np.minimum.accumulate((p[order] * factors)[::-1])[::-1]
    return [float(x) for x in stepped[np.argsort(order)]]
