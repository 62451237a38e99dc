"""Families of tests: which tests are corrected together, counted by the plan and never by the writer.

A written correction holds for its own statement, or with `over everything` for all that write it. Statements without
one are corrected by Holm: those that share data and a learner are one family, so splitting a comparison by metric,
learner or subgroup changes nothing. Tests on single datasets and tests over datasets are two families. An omnibus with
pairs after it is their gate and no member of their family.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from ..catalogue.corrections import find_correction
from ..catalogue.tests import find_test
from ..language.text import number
from .model import Comparison, Correction, Family, Plan, unopened

SELF_ADJUSTING = ("nemenyi", "bonferroni-dunn")
FACTORS: tuple[str, ...] = ("datasets", "learners", "metrics")  # by default a family has all of them
FACTOR_WORDS = {"pairs": "learners", "datasets": "datasets", "metrics": "metrics"}  # a factor and the word after `over`
WHY_HOLM = "no correction is written"  # the reason that the plan shows
Scope = Literal["dataset", "over-datasets"]
SCOPES: tuple[Scope, ...] = ("dataset", "over-datasets")


def first_level(method: str, alpha: float, size: int) -> float:
    """Return the level that the smallest p of a family has to meet: under Holm alpha / size."""
    card = find_correction(method)
    return card.first_level(alpha, size) if card and size > 1 else alpha


def why_no_pair(test: str, units: int, alpha: float, method: str, size: int, *, sides: int = 2) -> str:
    """Return why no pair of many learners can be significant, whatever the scores; "" where one can.

    >>> why_no_pair("wilcoxon", 14, 0.05, "holm", 300)
    ''
    >>> why_no_pair("wilcoxon", 8, 0.05, "holm", 300).partition(": ")[2]
    'the smallest possible p of wilcoxon is 0.00781 here, and holm over 300 tests needs 0.000167'
    """
    card, level = find_test(test), first_level(method, alpha, size)
    smallest = card.smallest_p(units, 2, sides) if card is not None else 0.0
    if smallest <= level:
        return ""
    needs = f"{method} over {size:,} tests needs" if size > 1 else "the level is"
    return (
        f"No pair can be significant: the smallest possible p of {test} is {number(smallest)} here, and {needs} "
        f"{number(level)}"
    )


def tests_in_reach(test: str, datasets: int, learners: int, alpha: float) -> list[str]:
    """Return what to write where `test` on so few datasets cannot find a difference between any two of many learners.

    >>> tests_in_reach("wilcoxon", 8, 25, 0.05), len(tests_in_reach("wilcoxon", 8, 6, 0.05))
    (['`by friedman, nemenyi`'], 2)
    """
    card, ranks = find_test(test), find_test("nemenyi")
    if card is None or ranks is None or learners < 3 or test not in ("wilcoxon", "sign"):
        return []
    control = card.smallest_p(datasets, 2, 2) <= first_level("holm", alpha, learners - 1)
    nemenyi = ranks.smallest_p(datasets, learners, 2) <= alpha
    return ["`control NAME` (chosen before you see the scores)"] * control + ["`by friedman, nemenyi`"] * nemenyi


def alone_level(family: Family) -> float:
    """Return the level that a single small p-value has to meet, all others of its family being large."""
    card = find_correction(family.method)
    return card.alone_level(family.alpha, family.size) if card and family.size > 1 else family.alpha


def level_of_test(family: Family, test: str, comparisons: Sequence[Comparison]) -> float:
    """Return the level that p of one test of a family has to meet when no other test of the family has a small p.

    `comparisons` are those of the family. A post-hoc test that corrects for its own pairs and the remaining tests
    together share the level equally. An omnibus with pairs after it is corrected with the other omnibus tests alone.
    """
    scopes = SCOPES if "everything" in family.over else (family.scope,)
    gates = [m.metric for c in comparisons for s in scopes for m in members(c, s) if m.gate and m.test == test]
    if gates:
        return alone_level(replace(family, size=tests_together(family, comparisons, gates[0], gate=True)))
    own = posthoc_blocks(family, comparisons)
    size = family.size - sum(pairs for _, pairs in own)
    shared = family.alpha / (len(own) + (size > 0)) if own else family.alpha
    return shared if test in SELF_ADJUSTING else alone_level(replace(family, alpha=shared, size=size))


def pairs_among(learners: int, control: bool) -> int:
    """Return the number of pairs tested; 0 for `compare all` on a table that has not been read yet."""
    return max(0, learners - 1) if control else learners * (learners - 1) // 2


@dataclass(frozen=True, slots=True)
class TestGroup:
    """The tests of one metric by one method on one dataset (or over datasets)."""

    __test__ = False

    metric: str  # its label
    test: str
    gate: bool  # an omnibus with pairs after it: no pair gets a smaller p than it
    tests: int  # how many


def members(comparison: Comparison, scope: Scope) -> tuple[TestGroup, ...]:
    """Return the tests by metric, gates included; () where there are none or they cannot be counted yet."""
    if comparison.estimate or not countable(comparison, scope):
        return ()
    counted = []
    for metric in comparison.judged:
        planned = comparison.tests if scope == "dataset" else comparison.over
        names = [t.name for t in planned if _gives_p(t.name) and (not t.metrics or metric.name in t.metrics)]
        pairwise = not all(map(is_omnibus, names))
        for name in names:
            omnibus = is_omnibus(name)
            counted.append(TestGroup(metric.label, name, omnibus and pairwise, 1 if omnibus else comparison.pairs))
    return tuple(counted)


def number_of_tests(comparison: Comparison, scope: Scope) -> int:
    """Return the number of tests of a comparison in one scope, without gates."""
    return sum(one.tests for one in members(comparison, scope) if not one.gate) * _datasets(comparison, scope)


def tests_together(family: Family, comparisons: Sequence[Comparison], metric: str, gate: bool) -> int:
    """Return how many tests are corrected together; with `over datasets` alone, each pair and metric is separate."""
    names = frozenset(family.comparisons)
    return sum(
        (one.tests if covers(family, "learners") else 1) * (_datasets(c, scope) if covers(family, "datasets") else 1)
        for c in comparisons
        if c.name in names
        for scope in (SCOPES if "everything" in family.over else (family.scope,))
        for one in members(c, scope)
        if one.gate == gate and (covers(family, "metrics") or one.metric == metric)
    )


def posthoc_blocks(family: Family, comparisons: Sequence[Comparison]) -> tuple[tuple[str, int], ...]:
    """Return the post-hoc tests of a family that correct for their own pairs, each with the number of its pairs.

    `comparisons` are those of the family. Each post-hoc test and the remaining tests together have an equal share of
    its level.
    """
    return tuple(
        (one.test, one.tests)
        for c in comparisons
        for scope in (SCOPES if "everything" in family.over else (family.scope,))
        for one in members(c, scope)
        if one.test in SELF_ADJUSTING and not one.gate
    )


def covers(family: Family, word: str) -> bool:
    """Return whether tests that differ in their datasets, learners or metrics are corrected together."""
    return family.method != "uncorrected" and (word in family.over or "everything" in family.over)


def _datasets(comparison: Comparison, scope: str) -> int:
    """Return the number of datasets that are tested one by one."""
    if scope != "dataset":
        return 1
    return len(comparison.in_table if comparison.data == "results" else comparison.datasets)


def factors(comparison: Comparison, scope: Scope) -> tuple[tuple[str, int], ...]:
    """Return what multiplies into the number of tests of a comparison."""
    tested = [one for one in members(comparison, scope) if not one.gate]
    if not tested:
        return ()
    several = (("datasets", _datasets(comparison, scope)),) if scope == "dataset" else ()
    if len({(is_omnibus(one.test), one.tests) for one in tested}) > 1:
        return (("tests", sum(one.tests for one in tested)), *several)
    name = "omnibus" if is_omnibus(tested[0].test) else "pairs"
    return ((name, tested[0].tests), *several, ("metrics", len(tested)))


def factor_words(name: str, count: int) -> str:
    """Return a factor as it is read.

    >>> factor_words("pairs", 1), factor_words("metrics", 2)
    ('1 pair', '2 metrics')
    """
    return f"{count:,} {name[:-1] if count == 1 and name in ('pairs', 'datasets', 'metrics', 'tests') else name}"


def describe_factors(family: Family) -> str:
    """Return how the tests of a family are counted: `3 pairs x 2 metrics`, `3 in compare-1 + 1 in compare-2`."""
    if len(family.comparisons) > 1 or "everything" in family.over:
        return " + ".join(f"{count:,} in {name}" for name, count in family.factors)
    return " x ".join(factor_words(name, count) for name, count in family.factors)


def countable(comparison: Comparison, scope: str) -> bool:
    """Return whether the tests can be counted: a table or folder that is not open hides its learners and datasets."""
    folds = comparison.data == "results" and scope == "dataset"
    if unopened(comparison.datasets) and scope == "dataset":
        return False
    return bool(comparison.learners) and (not folds or bool(comparison.in_table))


def _gives_p(test: str) -> bool:
    """Return whether a test compares learners by a p-value; Bayesian tests have none."""
    card = find_test(test)
    return card is not None and card.gives_p and card.learners in ("two", "many")


def is_omnibus(test: str) -> bool:
    """Return whether a test is of all learners at once and of no pair."""
    card = find_test(test)
    return card is not None and card.learners == "many" and test not in SELF_ADJUSTING


def places(plan: Plan) -> dict[str, str]:
    """Return where the rows of each dataset or table come from: one file under two names is one place.

    Subgroups of a file that `where` selects have the same place.
    """
    sources = {d.name: f"{d.source.kind} {d.source.locator} {d.query or ''}" for d in plan.datasets if d.source.locator}
    for tables in (plan.results, plan.predictions):
        sources |= {t.name: f"{t.source.kind} {t.source.locator}" for t in tables if t.source.locator}
    return sources


def pairs_over_datasets(comparison: Comparison) -> int:
    """Return how many tests over datasets are corrected together, as far as the comparison alone can tell."""
    over = comparison.correction.over if comparison.correction else FACTORS
    together = "metrics" in over and comparison.primary is None
    return max(comparison.pairs, 1) * (len(comparison.metrics) if together else 1)


def ran_elsewhere(plan: Plan) -> frozenset[str]:
    """Return the comparisons of designs that are only described, so that nothing is tested here."""
    data = {d.name for d in plan.datasets if d.source.kind == "described"}
    learners = {x.name for x in plan.learners if x.described is not None}
    return frozenset(
        c.name for c in plan.comparisons if data.intersection(c.datasets) or learners.intersection(c.learners)
    )


def with_families(plan: Plan) -> Plan:
    """Return the plan with every family of the script, and with the metrics that have a verdict."""
    claimed: dict[str, set[str]] = {}  # metrics of claims, by comparison
    for claim in plan.claims:
        if claim.metric is not None:
            for name in claim.evidence:
                claimed.setdefault(name, set()).add(claim.metric.label)
    comparisons = tuple(_with_judged_metrics(c, claimed.get(c.name, set())) for c in plan.comparisons)
    plan = replace(plan, comparisons=comparisons)
    families = tuple(_families(plan))
    own: dict[str, list[Family]] = {}
    for family in families:
        for name in family.comparisons:
            own.setdefault(name, []).append(family)
    levelled = tuple(_at_level_of_family(c, own.get(c.name, [])) for c in comparisons)
    if levelled != comparisons:  # a lower level is also that of its other families
        return with_families(replace(plan, comparisons=levelled))
    return replace(plan, families=families)


def _at_level_of_family(c: Comparison, families: Iterable[Family]) -> Comparison:
    """Return the comparison at the smallest alpha of its families."""
    lowest = min(families, key=lambda family: family.alpha, default=None)
    if lowest is None or lowest.alpha >= c.alpha.value:
        return c
    reason = f"the smallest alpha of {_listed(lowest.comparisons)}, which are corrected together"
    return replace(c, alpha=replace(c.alpha, value=lowest.alpha, origin="derived", reason=reason))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _with_judged_metrics(c: Comparison, claimed: set[str]) -> Comparison:
    """Return the comparison with its verdicts on the primary metric and on those that a claim names."""
    every = c.primary is None or (c.correction is not None and {"metrics", "everything"} & {*c.correction.over})
    judged = () if every else tuple(m.label for m in c.metrics if m.label == c.primary or m.label in claimed)
    return replace(c, verdicts_on=() if len(judged) == len(c.metrics) else judged)


def _families(plan: Plan) -> Iterator[Family]:
    everything = [c for c in plan.comparisons if c.correction and "everything" in c.correction.over]
    if everything and everything[0].correction is not None:
        yield _family(everything, "dataset", everything[0].correction.method, ("everything",), "")
    elsewhere = ran_elsewhere(plan)
    silent = [c for c in plan.comparisons if c.correction is None and c.name not in elsewhere]
    groups = group_by_shared_learner(silent, plan)
    with_another = {c.name for c in (*everything, *silent)} - groups.keys()
    for comparison in plan.comparisons:
        if comparison.name in with_another:
            continue
        group = groups.get(comparison.name, [comparison])
        for scope in SCOPES:
            tested = [c for c in group if number_of_tests(c, scope)]
            if tested and comparison.name in groups:
                yield _by_default(tested, scope)
            elif tested:
                yield _family(tested, scope, *_written(comparison, scope))


def group_by_shared_learner(comparisons: Iterable[Comparison], plan: Plan) -> dict[str, list[Comparison]]:
    """Return groups of comparisons that share data and a learner, directly or through others, by the first of each."""
    where, by_name = places(plan), {c.name: c for c in comparisons}
    keys = {name: product([where.get(d, d) for d in c.datasets], c.learners) for name, c in by_name.items()}
    return {name: [by_name[one] for one in group] for name, group in linked(keys).items() if name == group[0]}


def linked(keys: Mapping[str, Iterable[Hashable]]) -> dict[str, list[str]]:
    """Return for each name the names that share a key with it, directly or through others, in their order.

    >>> linked({"a": [1], "b": [2], "c": [1]})
    {'a': ['a', 'c'], 'b': ['b'], 'c': ['a', 'c']}
    """
    owners: dict[Hashable, str] = {}
    groups: dict[str, list[str]] = {}
    for name, own in keys.items():
        groups[name] = [name]
        for key in own:
            mine, known = sorted((groups[owners.setdefault(key, name)], groups[name]), key=len)
            if known is not mine:
                known += mine
                groups |= dict.fromkeys(mine, known)
    order = {name: i for i, name in enumerate(keys)}
    for group in {id(group): group for group in groups.values()}.values():
        group.sort(key=order.__getitem__)
    return groups


def _by_default(tested: list[Comparison], scope: Scope) -> Family:
    """Return the family of statements without a correction: Holm, or a post-hoc that corrects for its own pairs."""
    planned = [one for c in tested for one in members(c, scope) if not one.gate]
    if sum(number_of_tests(c, scope) for c in tested) == 1:
        return _family(tested, scope, "uncorrected", (), "")
    names = {one.test for one in planned}
    method = planned[0].test if len(names) == 1 and planned[0].test in SELF_ADJUSTING else "holm"
    over = FACTORS
    if len(tested) == 1:
        several = [FACTOR_WORDS.get(name, "") for name, count in factors(tested[0], scope) if count > 1]
        over = tuple(word for word in FACTORS if word in several or (word != "datasets" and "" in several))
    own = len(planned) == 1 and method in SELF_ADJUSTING
    return _family(tested, scope, method, over, "the test corrects for its own pairs" if own else WHY_HOLM)


def _written(comparison: Comparison, scope: Scope) -> tuple[str, tuple[str, ...], str]:
    """Return method, `over` and reason of a statement with a correction, or of one that is only described."""
    correction = comparison.correction or Correction(method="uncorrected")
    over = correction.over
    if scope == "over-datasets" and (correction.method != "uncorrected" or comparison.correction is None):
        judged = next(t for t in reversed(comparison.over) if _gives_p(t.name))
        metrics = tuple(word for word in over if word == "metrics")
        if judged.name in SELF_ADJUSTING:
            return judged.name, ("learners", *metrics), "the test corrects for its own pairs"
        if judged.origin == "default" and comparison.pairs > 1 and "learners" not in over:
            reason = "pairs over datasets are corrected by holm unless the script says otherwise"
            return "holm", ("learners", *metrics), reason
    return correction.method, over, ""


def _family(tested: list[Comparison], scope: Scope, method: str, over: tuple[str, ...], reason: str) -> Family:
    first, everything = tested[0], "everything" in over
    alpha = min(c.alpha.value for c in tested)
    names = tuple(c.name for c in tested)
    name = "everything" if everything else _listed(names)
    scopes = SCOPES if everything else (scope,)
    counted = tuple((c.name, sum(number_of_tests(c, s) for s in scopes)) for c in tested)
    drafted = Family(
        name=name if scope == "dataset" else f"{name} over datasets",
        comparisons=names,
        scope=scope,
        method=method,
        over=over,
        alpha=alpha,
        size=1,
        count=1,
        first_level=alpha,
        factors=factors(first, scope) if len(tested) == 1 and not everything else counted,
        reason="every test of these comparisons counts" if everything else reason,
    )
    planned = [one for c in tested for s in scopes for one in members(c, s) if not one.gate]
    metrics = dict.fromkeys(one.metric for one in planned)
    size = max((tests_together(drafted, tested, metric, False) for metric in metrics), default=0)
    blocks = len(planned) if covers(drafted, "metrics") else 1  # of a post-hoc that corrects for its own pairs
    apart = {
        "" if covers(drafted, "metrics") else one.metric: 1 if covers(drafted, "learners") else one.tests
        for one in planned
    }
    several = 1 if covers(drafted, "datasets") else _datasets(first, scope)
    return replace(
        drafted,
        size=size,
        count=1 if everything else sum(apart.values()) * several,
        first_level=alpha / blocks if method in SELF_ADJUSTING else first_level(method, alpha, size),
    )
