"""EV5: many tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...catalogue.corrections import find_correction, multiplicity
from ...language.text import Edit, Finding, Fix, Span, Subject, counted, listed_names, number, one, percent
from ...plans.families import (
    FACTOR_WORDS,
    SELF_ADJUSTING,
    covers,
    factor_words,
    group_by_shared_learner,
    linked,
    places,
    posthoc_blocks,
    ran_elsewhere,
)
from ...plans.model import Claim, Family
from ..case import Case, Place
from ..facts import Facts, each_claim, each_comparison
from ..rule import add_clause, place_of, replace_words, rule

VARIANTS = 3  # S 3.3: three settings of one learner are a search for the best; the number is ours


@rule(
    "EV501",
    "uncorrected",
    "warning",
    strict="error",
    needs=("test", "scheme", "metric", "learner", "dataset", "correct"),
)
def uncorrected(facts: Facts) -> Iterator[Finding]:
    """Several tests are made without a correction for multiple comparisons.

    ## What it finds
    The rule finds more than one test under `uncorrected`. The number of tests is the product of pairs of learners,
    metrics and datasets. A test over datasets counts as one test. The tests of several statements under `uncorrected`
    are added up if the statements share data and a learner, or if they compare the same learners by the same metrics on
    different data.

    Without a correction clause evalang applies Holm's correction to all tests of the statements that share data and a
    learner, and the finding is a note. A post-hoc test such as nemenyi corrects for its own pairs. Each post-hoc test
    and the remaining tests together then have an equal share of the level (Bonferroni). The tests of a table are
    counted when its file is read (`--data`). For a study that was run elsewhere (datasets declared with `described
    as`) evalang cannot apply a correction, so the finding is an error.

    ## Why it matters
    If no learners differ, each test at level alpha gives a false positive with probability alpha, and n tests give n x
    alpha false positives on average. The probability of at least one false positive is 1 - (1 - alpha)^n if the tests
    are independent. Salzberg's example has 154 t-tests at level 5%, which give 7.7 false positives on average,
    and at least one with probability 99.96% (section 3).

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, uncorrected, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    If the p-values are only descriptive and none is called significant, write `allow EV501 because "…"`.

    ## References
    Salzberg 1997, section 3; Bradford and Brodley 2001, section 4; Caruana and Niculescu-Mizil 2005, note 2.
    """
    said, elsewhere = set[str](), ran_elsewhere(facts.plan)
    for cases in _uncorrected_groups(facts):
        if sum(_open_tests(case) for case in cases) > 1:
            yield _uncorrected(facts, cases)
    for case in facts.compared:
        if case.comparison.correction is None and case.comparison.name not in elsewhere:
            applied = [f for f in case.families if f.size > 1 and not _corrects_itself(f) and f.name not in said]
            said |= {f.name for f in applied}
            if applied:
                yield _corrected_by_default(facts, applied)


def _open_tests(case: Case) -> int:
    """Return the number of tests of a comparison that are not corrected and will not be."""
    return sum(f.size * f.count for f in case.families if f.method == "uncorrected")


def _uncorrected_groups(facts: Facts) -> list[list[Case]]:
    """Return the comparisons that stay uncorrected, together where they share data and a learner, or a question.

    A question is that of the same learners and metrics on other data, where the script asks for no correction.
    """
    where, elsewhere, cases = places(facts.plan), ran_elsewhere(facts.plan), {}
    keys: dict[str, list[object]] = {}
    for case in facts.compared:
        comparison, name = case.comparison, case.comparison.name
        written = comparison.correction is not None
        if _open_tests(case) and (written or name in elsewhere):
            cases[name] = case
            keys[name] = [(where.get(d, d), learner) for d in comparison.datasets for learner in comparison.learners]
            question = frozenset(comparison.learners), frozenset(metric.label for metric in comparison.metrics)
            keys[name] += [question] * written
    return [[cases[one] for one in group] for name, group in linked(keys).items() if name == group[0]]


def _uncorrected(facts: Facts, cases: list[Case]) -> Finding:
    comparisons = [case.comparison for case in cases]
    written = all(comparison.correction is not None for comparison in comparisons)
    tests, alpha = sum(map(_open_tests, cases)), max(comparison.alpha.value for comparison in comparisons)
    families = [f for f in cases[0].families if f.method == "uncorrected" and f.size * f.count > 1]
    clause = "holm over everything" if cases[1:] else _full_clause(families)
    product = "" if cases[1:] else f" ({_product(families[0])})"
    chance = multiplicity(tests, alpha)
    fix = None if written or cases[1:] else add_clause(facts, comparisons[0].span, clause)
    if written:
        fix = Fix(title=f"write `{clause}`", edits=tuple(Edit(c.span_of("correct"), clause) for c in comparisons))
    return uncorrected.finding(
        f"{_subject(cases)} {'make' if cases[1:] else 'makes'} {counted(tests, 'test')}{product} at level "
        f"{number(alpha)} without correction. If no learners differ, expect "
        f"{number(chance.expected_false_positives)} false positives, and at least one with probability "
        f"{percent(chance.familywise_error, 2)} (for independent tests)",
        f"{'write' if written else 'add'} `{clause}`{' in each of these comparisons' * bool(cases[1:])}",
        at=cases[-1].at(_correction_span(cases[-1])),
        fix=fix,
        level="warning" if written else "error",
    )


def _subject(cases: list[Case]) -> str:
    names = [case.comparison.name for case in cases]
    return f"{one(names, 'comparison', 'comparisons')} {listed_names(names)}"


def _corrects_itself(family: Family) -> bool:
    """Return whether the family is one post-hoc that corrects for its own pairs."""
    return family.method in SELF_ADJUSTING and family.first_level == family.alpha


def _corrected_by_default(facts: Facts, families: list[Family]) -> Finding:
    family = families[0]
    cases = [facts.by_name[name] for name in family.comparisons]
    clause, subject = _full_clause(families), _subject(cases)
    own = posthoc_blocks(family, [case.comparison for case in cases])
    how = " and ".join([*(f"`{test}` (its {pairs} pairs)" for test, pairs in own), f"`{family.method}`"])
    return uncorrected.finding(
        f"{subject} share data and a learner and have no correction clause, so their {counted(family.size, 'test')} "
        f"are corrected together by {how}"
        if cases[1:]
        else f"{subject} has no correction clause, so its {counted(family.size, 'test')} ({_product(family)}) are "
        f"corrected by `{family.method}`",
        "write `holm over everything` in each of these comparisons to make it explicit"
        if cases[1:]
        else f"write `{clause}` to make it explicit",
        at=cases[-1].at(_correction_span(cases[-1])),
        fix=None if cases[1:] else add_clause(facts, cases[0].comparison.span, clause),
        level="note",
    )


def _full_clause(families: list[Family]) -> str:
    factors = [name for family in families for name, count in family.factors if count > 1]
    words = [FACTOR_WORDS[name] for name in factors if name in FACTOR_WORDS] + ["learners", "metrics"] * (
        "tests" in factors
    )
    wanted = [word for word in ("datasets", "learners", "metrics") if word in words]
    return f"holm over {', '.join(wanted)}"


def _product(family: Family) -> str:
    return " x ".join(_shown(name, count) for name, count in family.factors if count > 1)


def _shown(name: str, count: int) -> str:
    return f"{count:,} pairs of learners" if name == "pairs" else factor_words(name, count)


def _correction_span(case: Case) -> Span:
    comparison = case.comparison
    if comparison.correction is not None:
        return comparison.span_of("correct")
    several = dict(case.families[0].factors) if case.families else {}
    if several.get("datasets", 1) > 1 and comparison.dataset_spans:
        return _joined(comparison.dataset_spans)
    if several.get("pairs", 1) > 1 and comparison.learner_spans:
        return _joined(comparison.learner_spans)
    return comparison.span_of("measuring")


def _joined(spans: tuple[Span, ...]) -> Span:
    return Span(spans[0].path, spans[0].start, spans[-1].end)


@rule("EV502", "family-too-small", "warning", needs=("test", "scheme", "metric", "correct"), each=each_comparison)
def family_too_small(facts: Facts, case: Case) -> Iterator[Finding]:
    """The correction covers only part of the tests.

    ## What it finds
    The rule finds a correction whose `over …` leaves out datasets, learners or metrics, although the comparison has
    several of them.

    ## Why it matters
    The correction then covers groups of tests separately. The false positives of the groups add up, as they do without
    a correction.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 5x2cv
      measuring accuracy, balanced-accuracy
      holm over datasets
      seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 5x2cv
      measuring accuracy, balanced-accuracy
      holm over datasets, metrics
      seed 20
    ```

    ## When it is fine
    If each group of tests answers a separate question and is reported separately, write `allow EV502 because "…"`.

    ## References
    Salzberg 1997, section 3.
    """
    for family in case.families:
        if family.method == "uncorrected" or family.count <= 1 or "everything" in family.over:
            continue
        if not any(c > 1 and FACTOR_WORDS[n] not in family.over for n, c in family.factors if n in FACTOR_WORDS):
            continue
        comparison = case.comparison
        over = f" over {', '.join(family.over)}" if find_correction(family.method) and family.over else ""
        yield family_too_small.finding(
            f"comparison `{comparison.name}` makes {counted(family.size * family.count, 'test')} ({_product(family)}), "
            f"but `{family.method}{over}` corrects "
            + (
                f"{family.count:,} groups of {counted(family.size, 'test')} separately. The false positives of the "
                "groups add up"
                if find_correction(family.method)
                else f"only the {family.size:,} pairs within one metric. The false positives of the metrics add up"
            ),
            f"write `{family.method} over {', '.join(_wanted(family))}`"
            if find_correction(family.method)
            else f"test one metric, for example `measuring {case.metrics[0].name}`",
            at=case.at(comparison.span_of("correct") if comparison.correction else comparison.span_of("by")),
            fix=_widened(case, family),
        )
        break


def _wanted(family: Family) -> list[str]:
    present = [
        FACTOR_WORDS[name]
        for name, count in family.factors
        if name in FACTOR_WORDS and (count > 1 or FACTOR_WORDS[name] in family.over)
    ]
    return [word for word in ("datasets", "learners", "metrics") if word in present or word in family.over]


def _widened(case: Case, family: Family) -> Fix | None:
    correction = case.comparison.correction
    if correction is None:
        return None
    words = list(dict.fromkeys((*correction.over, *_wanted(family))))
    clause = f"{correction.method} over {', '.join(w for w in ('datasets', 'learners', 'metrics') if w in words)}"
    return replace_words(f"write `{clause}`", case.comparison.span_of("correct"), clause)


@rule("EV503", "stepwise-is-free", "note", needs=("scheme", "correct"), each=each_comparison)
def stepwise_is_free(facts: Facts, case: Case) -> Iterator[Finding]:
    """Holm rejects everything that Bonferroni rejects, and more, at the same error rate.

    ## What it finds
    The rule finds `bonferroni` over more than one test.

    ## Why it matters
    Both corrections control the probability of at least one false positive, even if the tests depend on each other.
    Holm has more power.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, bonferroni over datasets, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    There is no problem if you need simultaneous confidence intervals, which Bonferroni gives and Holm does not.

    ## References
    Holm 1979.
    """
    comparison = case.comparison
    if comparison.correction is None or comparison.correction.method != "bonferroni":
        return
    size = max((f.size for f in case.families if f.method == "bonferroni"), default=0)
    if size > 1:
        span = comparison.span_of("correct")
        yield stepwise_is_free.finding(
            f"`bonferroni` compares each of the {size} p-values with {number(comparison.alpha.value / size)}. `holm` "
            "controls the same error rate and has more power",
            "write `holm` instead of `bonferroni`",
            at=case.at(span),
            fix=Fix(
                title="use holm",
                edits=(Edit(Span(span.path, span.start, span.start + len("bonferroni")), "holm"),),
                safe=False,
            ),
        )


@rule("EV504", "adjustments-are-tests", "warning", needs=("learner",))
def adjustments_are_tests(facts: Facts) -> Iterator[Finding]:
    """Several learners differ only in hand-set parameters, and the correction does not count them.

    ## What it finds
    The rule finds three or more learners (the number is our own choice) with the same steps that differ only in their
    parameters. The learners are in one comparison whose correction is not `over learners` or `over everything`, or in
    several comparisons of the same data under `uncorrected`.

    ## Why it matters
    Each hand-set value is one more experiment. If the best setting is reported, its test must be corrected for all
    settings that were tried.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "all bundled classification datasets"
    dataset visits from csv "visits.csv", target "readmitted"
    learner small is decision-tree(max_depth = 2) because "a small tree"
    learner middle is decision-tree(max_depth = 4) because "a medium tree"
    learner large is decision-tree(max_depth = 8) because "a large tree"
    compare small vs middle vs large on tasks using 10x10cv, by friedman, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "all bundled classification datasets"
    dataset visits from csv "visits.csv", target "readmitted"
    learner tree is decision-tree, tune max_depth in {2, 4, 8}
    compare tree vs naive-bayes on tasks using 10x10cv, by wilcoxon, tune on 30%, seed 20
    ```

    ## When it is fine
    There is no problem if the study is about these parameters and reports all of them.

    ## References
    Salzberg 1997, section 3.3.
    """
    together = [group for group in _uncorrected_groups(facts) if group[1:]]
    apart = {case.comparison.name for group in together for case in group}
    for cases in (*together, *([case] for case in facts.compared if case.comparison.name not in apart)):
        families = cases[0].families
        if not cases[1:] and families and all(covers(family, "learners") for family in families):
            continue
        alike: dict[tuple[tuple[str, str], ...], dict[str, Case]] = {}
        for one_case, traits in ((case, traits) for case in cases for traits in case.learners):
            known = traits.learner.described is None  # the constants of a described learner are unknown
            if known and (not traits.learner.implicit or traits.learner.steps[-1].parameters):
                key = tuple((str(step.kind), step.name) for step in traits.learner.steps)
                alike.setdefault(key, {}).setdefault(traits.name, one_case)
        for steps, found in alike.items():
            if len(found) < VARIANTS:
                continue
            names = list(found)
            first = found[names[0]]
            yield adjustments_are_tests.finding(
                f"learners {listed_names(names)} are all `{steps[-1][1]}` with different parameters set by hand, but "
                "the correction does not count these settings. The best of several settings looks better by chance "
                "(Salzberg 1997)",
                "make them one learner that tunes the parameter, or "
                + ("write `holm over everything` in each comparison" if cases[1:] else "add `holm over learners`"),
                at=first.at(first.learner_span(names[0])),
            )


@rule("EV505", "fdr-is-not-fwer", "note", needs=("learner", "dataset"), each=each_claim)
def fdr_is_not_fwer(facts: Facts, claim: Claim) -> Iterator[Finding]:
    """A single result is claimed under a correction that controls only the false discovery rate.

    ## What it finds
    The rule finds a claim on one dataset, or `on each of` several datasets, that is tested by a comparison corrected by
    `bh` or `yekutieli`.

    ## Why it matters
    At level 5%, up to 5% of the significant results are false positives on average. The correction controls this share
    in the whole list, not the error of a single result.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, bh over datasets, seed 20
    claim decision-tree better than naive-bayes on tic-tac-toe
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, holm over datasets, seed 20
    claim decision-tree better than naive-bayes on tic-tac-toe
    ```

    ## When it is fine
    There is no problem if you report the whole list and claim no single result.

    ## References
    Benjamini and Hochberg 1995.
    """
    if not claim.each and len(claim.datasets) != 1:
        return
    for name in claim.evidence:
        case = facts.by_name.get(name)
        correction = case.comparison.correction if case else None
        card = find_correction(correction.method) if correction else None
        if case is None or card is None or card.controls != "false-discovery":
            continue
        yield fdr_is_not_fwer.finding(
            f"the claim is about a single result of comparison `{name}`. Its correction `{card.name}` controls the "
            "share of false positives among all significant results, not the probability that this result is a false "
            "positive",
            f"write `holm` instead of `{card.name}` in `{name}`",
            at=place_of(claim),
        )
        break


@rule("EV506", "all-pairs", "warning", needs=("learner", "dataset"), each=each_comparison)
def all_pairs(facts: Facts, case: Case) -> Iterator[Finding]:
    """All pairs are tested, but all claims are about one learner.

    ## What it finds
    The rule finds `all pairs` in a comparison with two or more claims, all of which name the same learner.

    ## Why it matters
    With k learners there are k(k - 1)/2 pairs, but only k - 1 of them contain the learner. Correcting for the other
    pairs costs power. Bradford and Brodley also compare one learner with each of the other learners, because comparing
    all pairs violates assumptions of independence (section 3).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 5x2cv, all pairs, holm over learners, seed 20
    claim random-forest better than decision-tree on tumours
    claim random-forest better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 5x2cv
      control random-forest, holm over learners, seed 20
    claim random-forest better than decision-tree on tumours
    claim random-forest better than naive-bayes on tumours
    ```

    ## When it is fine
    There is no problem if you report the other pairs too.

    ## References
    Bradford and Brodley 2001, section 3.
    """
    comparison = case.comparison
    if not comparison.all_pairs or len(case.claims) < 2 or len(comparison.learners) < 3:
        return
    shared = set.intersection(*({claim.left, claim.right} for claim in case.claims))
    for learner in sorted(shared):
        others = len(comparison.learners) - 1
        claims = "both" if len(case.claims) == 2 else f"all {len(case.claims)}"
        yield all_pairs.finding(
            f"{claims} claims are about learner `{learner}`, but all {comparison.pairs} pairs of learners are "
            f"tested. Only {others} pairs contain `{learner}`, and correcting for the other pairs costs power",
            f"write `control {learner}` instead of `all pairs`",
            at=case.at("pairs"),
            fix=replace_words(f"use control {learner}", comparison.span_of("pairs"), f"control {learner}", safe=False),
        )
        break


@rule("EV507", "correlated-metrics", "note", needs=("metric",), each=each_comparison)
def correlated_metrics(facts: Facts, case: Case) -> Iterator[Finding]:
    """Several metrics of the same predictions are not separate evidence.

    ## What it finds
    The rule finds a comparison that measures more than one metric of the predictions and names no metric as `primary`.

    ## Why it matters
    Metrics of the same predictions are correlated, so three significant metrics are not three independent results.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv
      measuring accuracy, balanced-accuracy, holm over metrics, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv
      measuring accuracy, balanced-accuracy, primary accuracy, seed 20
    ```

    ## When it is fine
    Measuring several metrics is almost always fine, so the finding is only a note. Different metrics show different
    aspects of a learner.

    ## References
    Caruana and Niculescu-Mizil 2005, note 2.
    """
    if len(case.metrics) < 2 or case.has_clause("primary"):
        return
    same = [metric.name for metric in case.metrics if metric.needs not in ("time", "size")]
    if len(same) > 1:
        what = "answers" if case.comparison.units == "items" else "predictions"
        yield correlated_metrics.finding(
            f"metrics {listed_names(same)} are computed from the same {what}, so they are not independent evidence",
            f"add `primary {same[0]}`, or report all metrics as one result",
            at=case.at("measuring"),
        )


@rule(
    "EV508",
    "families-apart",
    "warning",
    stage=("design", "data"),
    needs=("test", "scheme", "metric", "dataset", "correct"),
)
def families_apart(facts: Facts) -> Iterator[Finding]:
    """Several comparisons share datasets but are corrected separately.

    ## What it finds
    The rule finds two or more comparisons on the same dataset or table whose tests are not corrected together: their
    correction clauses differ, or each clause covers only its own statement. The same file under two names counts as one
    dataset. When the data are read, two files with the same rows count as one dataset too.

    Comparisons without a correction clause that share a learner are corrected together by default. If the comparisons
    share no learner and at most one of them has a correction, the finding is a note. If all comparisons are
    `uncorrected`, EV501 reports them instead.

    ## Why it matters
    Splitting tests over several statements does not reduce the number of false positives. If each statement has a
    false-positive rate of 5%, the rate of all statements together is higher.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 5x2cv, holm over learners, seed 20
    compare bagged-trees vs boosted-trees vs boosted-stumps on tumours using 5x2cv, holm over learners, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 5x2cv, holm over everything, seed 20
    compare bagged-trees vs boosted-trees vs boosted-stumps on tumours using 5x2cv, holm over everything, seed 20
    ```

    ## When it is fine
    There is no problem if the comparisons belong to separate papers.

    ## References
    Salzberg 1997, section 3.
    """
    rows = places(facts.plan)
    uncorrected_groups = [{case.comparison.name for case in group} for group in _uncorrected_groups(facts)]
    cases = {case.comparison.name: case for case in facts.compared if not _joins_none(case)}
    groups = linked({name: _rows(facts, case, rows) for name, case in cases.items()})
    for name, group in groups.items():
        together = [cases[other] for other in group] if name == group[0] else []
        reported = any(apart.issuperset(group) for apart in uncorrected_groups)  # by EV501
        if together and not reported and _in_several_families(together):
            yield _apart(facts, together)


def _rows(facts: Facts, case: Case, rows: Mapping[str, str]) -> Iterator[str]:
    """Yield where the rows of a comparison come from; once the data is open files with the same rows are one place."""
    for name in case.comparison.datasets:
        yield rows.get(name, name)
        opened = facts.profile(name)
        if opened is not None and opened.rows_hash:
            yield f"rows {opened.rows_hash}"


def _in_several_families(cases: list[Case]) -> bool:
    families = {f.name: f for case in cases for f in case.families}.values()
    found = {(f.scope, "everything" in f.over, f.comparisons) for f in families}
    everything = any(joined for _, joined, _ in found)
    scopes = [scope for scope, _, _ in found]
    return len(found) > 1 if everything else len(scopes) > len(set(scopes))


def _joins_none(case: Case) -> bool:
    """Whether there are no tests, or EV501 reports them."""
    return (
        not case.families
        or not case.comparison.datasets
        or any(f.method == "uncorrected" and f.size * f.count > 1 for f in case.families)
    )


def _apart(facts: Facts, cases: list[Case]) -> Finding:
    names = [case.comparison.name for case in cases]
    families = {f.name: f.size * f.count for case in cases for f in case.families}
    alpha = cases[0].comparison.alpha.value
    shared_learner = group_by_shared_learner([case.comparison for case in cases], facts.plan)
    last = cases[1].comparison
    corrected = [case for case in cases if case.comparison.correction is not None]
    methods = {case.comparison.correction.method if case.comparison.correction else "" for case in cases}
    fix = None
    if len(methods) == 1 and "" not in methods:
        edits = tuple(
            Edit(case.comparison.span_of("correct"), f"{next(iter(methods))} over everything")
            for case in cases
            if case.comparison.correction and "everything" not in case.comparison.correction.over
        )
        fix = Fix(title="correct over everything", edits=edits)
    tables = {case.table.name for case in cases if case.table is not None}
    shared = f"use the same {'table' if len(tables) == 1 else 'file'}" if tables else "use the same rows"
    return families_apart.finding(
        f"comparisons {listed_names(names)} {shared}, but their {counted(sum(families.values()), 'test')} are "
        f"corrected in {len(families)} separate groups. Each group is tested at level {number(alpha)}, so all groups "
        "together have a higher false-positive rate",
        "write `holm over everything` in each of these comparisons, so that all tests are corrected together",
        at=Place(
            last.span_of("correct") if last.correction else last.dataset_spans[0] if last.dataset_spans else last.span,
            Subject(last.name),
        ),
        fix=fix,
        level="warning" if len(corrected) > 1 or any(len(group) > 1 for group in shared_learner.values()) else "note",
    )


@rule("EV515", "subgroups", "warning", needs=("scheme", "learner", "dataset"))
def subgroups(facts: Facts) -> Iterator[Finding]:
    """The same learners are compared on several subgroups of one file.

    ## What it finds
    The rule finds two or more comparisons that share a learner and use different parts of one file. The parts are
    subgroups made with `where`, or a subgroup and the whole file.

    ## Why it matters
    With enough subgroups, a learner wins in one of them by chance. The correction counts the subgroups of the script,
    but not subgroups that you tried before. A difference that is significant in one subgroup only does not show that
    the subgroups differ.

    ## Example
    ```eval,bad
    dataset women from csv "visits.csv", target "readmitted", where "sex" is "f" because "half of the visits"
    dataset men from csv "visits.csv", target "readmitted", where "sex" is "m" because "the other half"
    compare decision-tree vs naive-bayes on women using 10x2cv, holm over everything, seed 20
    compare decision-tree vs naive-bayes on men using 10x2cv, holm over everything, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted" because "the visits of one year"
    compare decision-tree vs naive-bayes on visits using 10x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if the subgroups were fixed in advance. State this with `because "…"` in each comparison.

    ## References
    The rule is our own choice. Salzberg 1997, section 3, discusses the tests that a study does not count.
    """
    where = places(facts.plan)
    groups = group_by_shared_learner([case.comparison for case in facts.compared], facts.plan)
    for group in groups.values():
        parts: dict[str, dict[object, str]] = {}  # by file: a subgroup for each selection
        asked = [c for c in group if not c.because]
        for dataset in dict.fromkeys(d for c in asked for d in c.datasets):
            found = facts.datasets.get(dataset)
            if found is not None and dataset in where:
                parts.setdefault(where[dataset], {}).setdefault(found.where, dataset)
        for selected in parts.values():
            if len(selected) < 2 or len(asked) < 2:
                continue
            file = facts.datasets[next(iter(selected.values()))].source.locator
            yield subgroups.finding(
                f"comparisons {listed_names([c.name for c in asked])} test the same learners on {len(selected)} "
                f"subgroups of file `{file}`: datasets {listed_names(list(selected.values()))}. With enough "
                "subgroups, a learner wins in one of them by chance",
                'compare on the whole file, or add `because "…"` to each comparison, with the reason why these '
                "subgroups were fixed in advance",
                at=facts.by_name[asked[1].name].at(asked[1].dataset_spans[0] if asked[1].dataset_spans else "using"),
            )
            break


@rule("EV513", "no-primary", "warning", needs=("metric", "learner", "dataset", "claim"), each=each_comparison)
def no_primary(facts: Facts, case: Case) -> Iterator[Finding]:
    """Several metrics are tested, and none is declared as the primary metric.

    ## What it finds
    The rule finds a comparison that tests more than one metric of the predictions without `primary`, if a claim about
    it names no metric either. Without such a claim, the rule EV507 gives a note instead.

    ## Why it matters
    If the metrics disagree, authors can report the favourable metric. A claim without a metric is supported only if
    every metric supports it, which is stricter than most authors intend.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv
      measuring accuracy, balanced-accuracy, holm over metrics, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv
      measuring accuracy, balanced-accuracy, primary accuracy, seed 20
    claim decision-tree better than naive-bayes on tumours measuring accuracy
    ```

    ## When it is fine
    If the claim is meant for every metric, write `allow EV513 because "…"`.

    ## References
    Caruana and Niculescu-Mizil 2005, section 1: learners are often best on one metric and not on another.
    """
    cards = [(metric.name, metric.card) for metric in case.comparison.metrics]
    tested = [name for name, card in cards if card is None or card.needs not in ("time", "size")]
    if len(tested) < 2 or case.has_clause("primary"):
        return
    open_claim = next((claim for claim in case.claims or _lost(facts, case) if claim.metric is None), None)
    if open_claim is not None:  # else the note of EV507 is enough
        yield no_primary.finding(
            f"metrics {listed_names(tested)} are tested, but neither the comparison nor the claim says which metric "
            "decides. If the metrics disagree, the favourable metric could be reported",
            f"add `primary {tested[0]}` to the comparison, or `measuring {tested[0]}` to the claim",
            at=case.at(open_claim.span),
        )


def _lost(facts: Facts, case: Case) -> list[Claim]:
    """Return claims without evidence that name a learner of a comparison with an unknown learner."""
    if not any(traits.learner.steps and traits.learner.steps[-1].kind == "unknown" for traits in case.learners):
        return []
    named = {*case.comparison.learners}
    return [claim for claim in facts.plan.claims if not claim.evidence and named & {claim.left, claim.right}]
