"""EV5: many tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from ...catalogue.corrections import find_correction, multiplicity
from ...language.text import Edit, Finding, Fix, Span, Subject, counted, listed_names, number, percent
from ...plans.families import (
    FACTOR_WORDS,
    SELF_ADJUSTING,
    covers,
    describe_factors,
    factor_words,
    linked,
    one_question,
    places,
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
    """Several tests without a correction for multiple comparisons.

    ## What it finds
    More than one test (pairs of learners x metrics x datasets; a test over datasets counts once) under `uncorrected`:
    a warning; several statements with `uncorrected` on the same learners and metrics count together. Without a
    correction clause evalang applies Holm to all tests of the statements that share data and a learner: a note. A
    described design that ran elsewhere cannot be corrected here: an error.

    ## Why it matters
    Each test at level alpha has a false-positive rate of alpha. Of n tests n x alpha are expected to be significant by
    chance, and at least one is with probability 1 - (1 - alpha)^n. Salzberg's example has 154 t-tests at level 5%: 7.7
    false positives are expected, and the probability of at least one is 99.96% if the tests are independent (section
    3).

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, uncorrected, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    When the p-values are only descriptive and none is called significant: `allow EV501 because "…"`.

    ## References
    Salzberg 1997, section 3; Bradford and Brodley 2001, section 4; Caruana and Niculescu-Mizil 2005, note 2.
    """
    yield from _uncorrected_apart(facts)
    said: set[str] = set()
    for case in facts.compared:
        comparison = case.comparison
        open_families = [f for f in case.families if f.method == "uncorrected" and f.size * f.count > 1]
        if open_families:
            yield _uncorrected(facts, case, open_families)
        elif comparison.correction is None and not ran_elsewhere(comparison, facts.plan):
            applied = [f for f in case.families if f.size > 1 and not _corrects_itself(f) and f.name not in said]
            said |= {f.name for f in applied}
            if applied:
                yield _corrected_by_default(facts, applied)


def _uncorrected(facts: Facts, case: Case, families: list[Family]) -> Finding:
    comparison, written = case.comparison, case.comparison.correction is not None
    tests, alpha = sum(f.size * f.count for f in families), case.comparison.alpha.value
    expected = multiplicity(tests, alpha)
    clause = _full_clause(families)
    return uncorrected.finding(
        f"{counted(tests, 'test')} ({_product(families[0])}) at level {number(alpha)} without correction: if no "
        f"learners differ, {number(expected.expected_false_positives)} false positives are expected, and the "
        f"probability of at least one is {percent(expected.familywise_error, 2)}",
        f"write `{clause}`" if written else f"add `{clause}`",
        at=case.at(_correction_span(case)),
        fix=replace_words(f"write `{clause}`", comparison.span_of("correct"), clause)
        if written
        else add_clause(facts, comparison.span, clause),
        level="warning" if written else "error",
    )


def _uncorrected_apart(facts: Facts) -> Iterator[Finding]:
    """Report statements of one uncorrected test each that ask the same of the same learners on other data."""
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in facts.compared:
        comparison = case.comparison
        tests = [f.size * f.count for f in case.families if f.method == "uncorrected"]
        if comparison.correction is not None and tests and max(tests) == 1:
            labels = frozenset(metric.label for metric in comparison.metrics)
            groups.setdefault((frozenset(comparison.learners), labels), []).append(case)
    for cases in groups.values():
        datasets = dict.fromkeys(case.comparison.datasets for case in cases)
        if len(datasets) < 2:  # EV508 reports the same data
            continue
        last, names = cases[-1].comparison, list(dict.fromkeys(chain(*datasets)))
        expected = multiplicity(len(cases), last.alpha.value)
        yield uncorrected.finding(
            f"{counted(len(cases), 'statement')} test the same learners on {listed_names(names)} without "
            f"correction: if nothing differs, {number(expected.expected_false_positives)} false positives are "
            f"expected, and the probability of at least one is {percent(expected.familywise_error, 2)}",
            "write `holm over everything` instead of `uncorrected` in each of them",
            at=cases[-1].at("correct"),
        )


def _corrects_itself(family: Family) -> bool:
    """Return whether the family is one post-hoc that corrects for its own pairs."""
    return family.method in SELF_ADJUSTING and family.first_level == family.alpha


def _corrected_by_default(facts: Facts, families: list[Family]) -> Finding:
    family = families[0]
    cases = [facts.by_name[name] for name in family.comparisons]
    clause = _full_clause(families)
    shared = (
        f" {listed_names(family.comparisons)} share data and a learner, so they are one family of tests."
        if cases[1:]
        else ""
    )
    return uncorrected.finding(
        f"{counted(family.size, 'test')} ({_product(family)}) without a correction clause: "
        f"`{family.method}` corrects all of them by default.{shared}".removesuffix("."),
        f"write `{clause}` to make it explicit"
        if not shared
        else "write `holm over everything` in each of these comparisons to make it explicit",
        at=cases[-1].at(_correction_span(cases[-1])),
        fix=None if shared else add_clause(facts, cases[0].comparison.span, clause),
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
    if len(family.comparisons) > 1:
        return describe_factors(family)
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
    A correction whose `over …` leaves out datasets, learners or metrics although there are several of them.

    ## Why it matters
    False positives accumulate over the tests that are left out, as if there were no correction.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv
      measuring accuracy, balanced-accuracy
      holm over datasets
      seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv
      measuring accuracy, balanced-accuracy
      holm over datasets, metrics
      seed 20
    ```

    ## When it is fine
    When each family of tests answers a separate question and is reported separately: `allow EV502 because "…"`.

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
            f"{counted(family.size * family.count, 'test')} are run ({_product(family)}), but `{family.method}{over}` "
            "corrects only "
            + (
                f"{family.size:,} at a time"
                if find_correction(family.method)
                else f"the {family.size:,} pairs within one metric"
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
    `bonferroni` over more than one test.

    ## Why it matters
    Both bound the probability of any false positive without further assumptions. Holm has more power.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, bonferroni over datasets, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    When simultaneous confidence intervals are needed, which Bonferroni gives and Holm does not.

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
            f"`bonferroni` tests all {size} p-values at level {number(comparison.alpha.value / size)}; `holm` controls "
            "the same error rate with more power",
            "write `holm` instead of `bonferroni`",
            at=case.at(span),
            fix=Fix(
                title="use holm",
                edits=(Edit(Span(span.path, span.start, span.start + len("bonferroni")), "holm"),),
                safe=False,
            ),
        )


@rule("EV504", "adjustments-are-tests", "warning", needs=("learner",), each=each_comparison)
def adjustments_are_tests(facts: Facts, case: Case) -> Iterator[Finding]:
    """Several learners differ only in hand-set parameters, and the correction does not count them.

    ## What it finds
    Three or more learners of a comparison (three is our choice) with the same steps that differ in nothing but their
    parameters, where the correction, if there is one, is not `over learners` or `over everything`.

    ## Why it matters
    Each hand-set value is one more experiment. If the best of them is reported, its test must be corrected for all of
    them.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "every two- and many-class set at hand"
    dataset visits from csv "visits.csv", target "readmitted"
    learner small is decision-tree(max_depth = 2) because "the first size tried"
    learner middle is decision-tree(max_depth = 4) because "the second size tried"
    learner large is decision-tree(max_depth = 8) because "the third size tried"
    compare small vs middle vs large on tasks using 10x10cv, by friedman, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "every two- and many-class set at hand"
    dataset visits from csv "visits.csv", target "readmitted"
    learner tree is decision-tree, tune max_depth in {2, 4, 8}
    compare tree vs naive-bayes on tasks using 10x10cv, by wilcoxon, tune on 30%, seed 20
    ```

    ## When it is fine
    When the study is about these parameters and reports all of them.

    ## References
    Salzberg 1997, section 3.3.
    """
    if len(case.learners) < VARIANTS:
        return
    if case.families and all(covers(family, "learners") for family in case.families):
        return
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for traits in case.learners:
        known = traits.learner.described is None  # the constants of a described learner are unknown
        if known and (not traits.learner.implicit or traits.learner.steps[-1].parameters):
            alike.setdefault(tuple((s.kind, s.name) for s in traits.learner.steps), []).append(traits.name)
    for steps, names in alike.items():
        if len(names) >= VARIANTS:
            yield adjustments_are_tests.finding(
                f"learners {listed_names(names)} are all `{steps[-1][1]}` and differ only in parameters set by hand, "
                f"but the correction does not count these {len(names)} variants",
                "make them one learner that tunes the parameter, or add `holm over learners`",
                at=case.at(case.learner_span(names[0])),
            )


@rule("EV505", "fdr-is-not-fwer", "note", needs=("learner", "dataset"), each=each_claim)
def fdr_is_not_fwer(facts: Facts, claim: Claim) -> Iterator[Finding]:
    """A single result is claimed under a correction that controls only the false discovery rate.

    ## What it finds
    A claim on one dataset, or `on each of` several, that rests on a comparison corrected by `bh` or `yekutieli`.

    ## Why it matters
    At level 5% such a correction allows about 5% of the significant results to be false. It bounds errors over the
    whole list, not for a single result.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, bh over datasets, seed 20
    claim decision-tree better than naive-bayes on tic-tac-toe
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, holm over datasets, seed 20
    claim decision-tree better than naive-bayes on tic-tac-toe
    ```

    ## When it is fine
    When the whole list is reported and no single result is claimed.

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
            f"`{card.name}` bounds the expected fraction of false positives among the significant results of `{name}`, "
            "not the probability of a false positive in this claim",
            f"write `holm` instead of `{card.name}` in `{name}`, which bounds the probability of any false positive",
            at=place_of(claim),
        )
        break


@rule("EV506", "all-pairs", "warning", needs=("learner", "dataset"), each=each_comparison)
def all_pairs(facts: Facts, case: Case) -> Iterator[Finding]:
    """All pairs are tested, but all claims are about one learner.

    ## What it finds
    `all pairs` in a comparison with two or more claims, all of which name the same learner.

    ## Why it matters
    Of the k(k - 1)/2 pairs of k learners only k - 1 are needed, and correcting for the others costs power. Bradford and
    Brodley also compare one learner with each of the others, because a comparison of all pairs violates assumptions of
    independence (section 3).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 5x2cv, all pairs, holm over learners, seed 20
    claim random-forest better than decision-tree on tumours
    claim random-forest better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 5x2cv
      control random-forest, holm over learners, seed 20
    claim random-forest better than decision-tree on tumours
    claim random-forest better than naive-bayes on tumours
    ```

    ## When it is fine
    When the other pairs are reported too.

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
            f"{claims} claims are about learner `{learner}`, which is in {others} of the {comparison.pairs} "
            "pairs; correcting for the other pairs costs power",
            f"write `control {learner}` instead of `all pairs`",
            at=case.at("pairs"),
            fix=replace_words(f"use control {learner}", comparison.span_of("pairs"), f"control {learner}", safe=False),
        )
        break


@rule("EV507", "correlated-metrics", "note", needs=("metric",), each=each_comparison)
def correlated_metrics(facts: Facts, case: Case) -> Iterator[Finding]:
    """Several metrics of the same predictions are not separate evidence.

    ## What it finds
    A comparison that measures more than one metric of the predictions and names none as `primary`.

    ## Why it matters
    Metrics of the same predictions are correlated, so three significant metrics are not three independent results.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv
      measuring accuracy, balanced-accuracy, holm over metrics, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv
      measuring accuracy, balanced-accuracy, primary accuracy, seed 20
    ```

    ## When it is fine
    Almost always; it is a note. Different metrics show different aspects of a learner.

    ## References
    Caruana and Niculescu-Mizil 2005, note 2.
    """
    if len(case.metrics) < 2 or case.says("primary"):
        return
    same = [metric.name for metric in case.metrics if metric.needs not in ("time", "size")]
    if len(same) > 1:
        what = "answers" if case.comparison.units == "items" else "predictions"
        yield correlated_metrics.finding(
            f"metrics {listed_names(same)} are computed from the same {what}: if one differs, the others probably do "
            "too",
            f"add `primary {same[0]}`, or read them as one result",
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
    Two or more comparisons on a common dataset or table whose tests are not in one family, because their correction
    clauses differ or cover one statement each. The same file under two names counts as one dataset, and so do, once the
    data are read, two files with the same rows. Comparisons without a correction clause that share a learner are one
    family by default. It is a note where no learner is shared and at most one comparison is corrected.

    ## Why it matters
    Splitting tests over several statements does not reduce false positives: each statement keeps its own level, and
    together they exceed it.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 5x2cv, holm over learners, seed 20
    compare bagged-trees vs boosted-trees vs boosted-stumps on tumours using 5x2cv, holm over learners, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 5x2cv, holm over everything, seed 20
    compare bagged-trees vs boosted-trees vs boosted-stumps on tumours using 5x2cv, holm over everything, seed 20
    ```

    ## When it is fine
    When the comparisons belong to separate papers.

    ## References
    Salzberg 1997, section 3.
    """
    rows = places(facts.plan)
    cases = {case.comparison.name: case for case in facts.compared if not _joins_none(case)}
    groups = linked({name: _rows(facts, case, rows) for name, case in cases.items()})
    for name, group in groups.items():
        together = [cases[other] for other in group] if name == group[0] else []
        if together and _in_several_families(together):
            yield _apart(facts, together)


def _rows(facts: Facts, case: Case, rows: Mapping[str, str]) -> Iterator[str]:
    """Yield where the rows of a comparison come from; once the data is open files with the same rows are one place."""
    for name in case.comparison.datasets:
        yield rows.get(name, name)
        opened = facts.profile(name)
        if opened is not None and opened.rows_hash:
            yield f"rows {opened.rows_hash}"


def _in_several_families(cases: list[Case]) -> bool:
    found = {(f.scope, "everything" in f.over, f.comparisons) for case in cases for f in case.families}
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
    shared_learner = one_question([case.comparison for case in cases], facts.plan)
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
        f"comparisons {listed_names(names)} {shared} but are corrected separately: "
        f"{counted(sum(families.values()), 'test')} in "
        f"{len(families)} families, each at level {number(alpha)}",
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
    Two or more comparisons that share a learner and are run on different selections of one file: subgroups made with
    `where`, or a subgroup beside the whole.

    ## Why it matters
    With enough subgroups, a learner wins in one of them by chance. The correction counts the subgroups of the script,
    but not those tried before. A significant difference in one subgroup and none in another does not show that the
    subgroups differ.

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
    When the subgroups were fixed in advance; state the reason with `because "…"` in each comparison.

    ## References
    Ours. Salzberg 1997, section 3, on the tests that a study does not count.
    """
    where = places(facts.plan)
    groups = one_question([case.comparison for case in facts.compared], facts.plan)
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
                f"comparisons {listed_names([c.name for c in asked])} compare the same learners on {len(selected)} "
                f"selections of `{file}`: {listed_names(list(selected.values()))}",
                'compare on the whole file, or add `because "…"` to each comparison: why these subgroups were fixed in '
                "advance",
                at=facts.by_name[asked[1].name].at(asked[1].dataset_spans[0] if asked[1].dataset_spans else "using"),
            )
            break


@rule("EV513", "no-primary", "warning", needs=("metric",), each=each_comparison)
def no_primary(facts: Facts, case: Case) -> Iterator[Finding]:
    """Several metrics are tested, and none is the primary one.

    ## What it finds
    A comparison that tests more than one metric of the predictions without `primary`. It is a note unless the
    comparison has a claim that names no metric either.

    ## Why it matters
    If the metrics disagree, authors can report the favourable one. A claim without a metric is supported only if every
    metric supports it, which is stricter than most authors intend.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x2cv
      measuring accuracy, balanced-accuracy, holm over metrics, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x2cv
      measuring accuracy, balanced-accuracy, primary accuracy, seed 20
    claim decision-tree better than naive-bayes on tumours measuring accuracy
    ```

    ## When it is fine
    When all metrics are descriptive; it is a note then.

    ## References
    Caruana and Niculescu-Mizil 2005, section 1: learners are often best on one metric and not on another.
    """
    cards = [(metric.name, metric.card) for metric in case.comparison.metrics]
    tested = [name for name, card in cards if card is None or card.needs not in ("time", "size")]
    if len(tested) < 2 or case.says("primary"):
        return
    open_claims = [claim for claim in case.claims or _lost(facts, case) if claim.metric is None]
    yield no_primary.finding(
        f"metrics {listed_names(tested)} are tested, but none is declared primary: if they disagree, the favourable "
        "one can be reported",
        f"add `primary {tested[0]}` to the comparison, or `measuring {tested[0]}` to the claim"
        if open_claims
        else f"add `primary {tested[0]}`, or the metric that the task is about",
        at=case.at(open_claims[0].span if open_claims else case.comparison.span_of("measuring")),
        level="warning" if open_claims else "note",
    )


def _lost(facts: Facts, case: Case) -> list[Claim]:
    """Return claims without evidence that name a learner of a comparison with an unknown learner."""
    if not any(traits.learner.steps and traits.learner.steps[-1].kind == "unknown" for traits in case.learners):
        return []
    named = {*case.comparison.learners}
    return [claim for claim in facts.plan.claims if not claim.evidence and named & {claim.left, claim.right}]
