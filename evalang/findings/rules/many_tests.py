"""EV5: many tests."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue.corrections import find_correction, multiplicity
from ...language.text import Edit, Finding, Fix, Span, Subject, counted, listed, number, percent
from ...plans.families import factor_words
from ...plans.model import Claim, Family
from ..case import Case, Place
from ..facts import Facts, claims_made
from ..rule import add_clause, place_of, replace_words, rule

VARIANTS = 3  # S 3.3: two settings are a comparison, a third shows that one is being looked for; the number is ours
_WORD = {"pairs": "learners", "pairs and omnibus": "learners", "datasets": "datasets", "metrics": "metrics"}


@rule("EV501", "uncorrected", "error", needs=("test", "scheme", "metric", "dataset", "correct"))
def uncorrected(facts: Facts) -> Iterator[Finding]:
    """More than one test, and nothing corrects for their number.

    ## What it finds
    A comparison with more than one test (pairs of learners times metrics times datasets; a test over datasets counts
    once for all of them) and no correction, or `uncorrected`.

    ## Why it matters
    Each test at level alpha has the chance alpha of a difference where there is none. With n tests n times alpha of
    them are expected to come out, and the chance of at least one is 1 - (1 - alpha)^n. Salzberg's example is a study
    with 154 t-tests at 5%: 7.7 significant results are to be expected where nothing differs, and the chance of at
    least one is 99.96%, if the tests were independent (section 3).

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    When the p-values are only described and no one of them is called significant. Say so: `allow EV501 because "…"`.

    ## References
    Salzberg 1997, section 3; Bradford and Brodley 2001, section 4; Caruana and Niculescu-Mizil 2005, note 2.
    """
    for case in facts.compared:
        open_families = [f for f in case.families if f.method == "uncorrected" and f.size * f.count > 1]
        if not open_families:
            continue
        comparison = case.comparison
        tests = sum(f.size * f.count for f in open_families)
        alpha = comparison.alpha.value
        expected = multiplicity(tests, alpha)
        clause = _full_clause(case, open_families)
        fix = (
            add_clause(facts, comparison.span, clause)
            if comparison.correction is None
            else replace_words(f"write `{clause}`", comparison.span_of("correct"), clause)
        )
        yield uncorrected.finding(
            f"{counted(tests, 'test')} ({_product(open_families[0])}) at level {number(alpha)} and no correction: "
            f"{number(expected.expected_false_positives)} false positives are to be expected where nothing "
            f"differs, and the chance of at least one is {percent(expected.familywise_error, 2)}",
            f"add {clause}",
            at=case.at(_correction_span(case)),
            fix=fix,
        )


def _full_clause(case: Case, families: list[Family]) -> str:
    factors = [name for family in families for name, count in family.factors if count > 1]
    words = [_WORD[name] for name in factors if name in _WORD] + ["learners", "metrics"] * ("tests" in factors)
    wanted = [word for word in ("datasets", "learners", "metrics") if word in words]
    return f"holm over {', '.join(wanted)}"


def _product(family: Family) -> str:
    several = [_shown(name, count) for name, count in family.factors if count > 1]
    return several[0].removeprefix("(").removesuffix(")") if len(several) == 1 else " x ".join(several)


def _shown(name: str, count: int) -> str:
    return f"{count:,} pairs of learners" if name == "pairs" else factor_words(name, count)


def _correction_span(case: Case) -> Span:
    comparison = case.comparison
    if comparison.correction is not None:
        return comparison.span_of("correct")
    several = dict(case.families[0].factors) if case.families else {}
    if several.get("datasets", 1) > 1 and comparison.dataset_spans:
        return _joined(comparison.dataset_spans)
    if max(several.get("pairs", 1), several.get("pairs and omnibus", 1)) > 1 and comparison.learner_spans:
        return _joined(comparison.learner_spans)
    return comparison.span_of("measuring")


def _joined(spans: tuple[Span, ...]) -> Span:
    return Span(spans[0].path, spans[0].start, spans[-1].end)


@rule("EV502", "family-too-small", "warning", needs=("test", "scheme", "metric", "correct"))
def family_too_small(facts: Facts) -> Iterator[Finding]:
    """The correction leaves out part of the tests.

    ## What it finds
    A correction whose `over …` does not name something that multiplies the tests: datasets, learners or metrics of
    which there is more than one.

    ## Why it matters
    The tests left out go on multiplying the chance of a false positive as if nothing had been corrected.

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
    When each of the families answers a question of its own and will be reported as such; say which in `allow`.

    ## References
    Salzberg 1997, section 3.
    """
    for case in facts.compared:
        for family in case.families:
            if family.method == "uncorrected" or family.count <= 1 or "everything" in family.over:
                continue
            left_out = [(n, c) for n, c in family.factors if c > 1 and n in _WORD and _WORD[n] not in family.over]
            if not left_out:
                continue
            comparison = case.comparison
            yield family_too_small.finding(
                f"{family.method} covers {counted(family.size, 'test')} at a time, and there are "
                f"{family.count:,} such families: {_factors(left_out)} are left out",
                f"write {family.method} over {', '.join(_wanted(family))}"
                if find_correction(family.method)
                else f"measure {case.metrics[0].name} alone: {family.method} corrects for its own pairs only",
                at=case.at(comparison.span_of("correct") if comparison.correction else comparison.span_of("by")),
                fix=_widened(case, family),
            )
            break


def _factors(left_out: list[tuple[str, int]]) -> str:
    return listed([_shown(name, count) for name, count in left_out])


def _wanted(family: Family) -> list[str]:
    present = [
        _WORD[name] for name, count in family.factors if name in _WORD and (count > 1 or _WORD[name] in family.over)
    ]
    return [word for word in ("datasets", "learners", "metrics") if word in present or word in family.over]


def _widened(case: Case, family: Family) -> Fix | None:
    correction = case.comparison.correction
    if correction is None:
        return None
    words = list(dict.fromkeys((*correction.over, *_wanted(family))))
    clause = f"{correction.method} over {', '.join(w for w in ('datasets', 'learners', 'metrics') if w in words)}"
    return replace_words(f"write `{clause}`", case.comparison.span_of("correct"), clause)


@rule("EV503", "stepwise-is-free", "note", needs=("scheme", "correct"))
def stepwise_is_free(facts: Facts) -> Iterator[Finding]:
    """Holm rejects whatever Bonferroni rejects, and more, at the same price.

    ## What it finds
    `bonferroni` over more than one test.

    ## Why it matters
    Both keep the chance of any false positive below the level, under no assumption at all. Holm's steps only gain
    power.

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
    When intervals at the corrected level are wanted, which Bonferroni gives and Holm does not; it is only a note.

    ## References
    Holm 1979.
    """
    for case in facts.compared:
        comparison = case.comparison
        if comparison.correction is None or comparison.correction.method != "bonferroni":
            continue
        size = max((f.size for f in case.families if f.method == "bonferroni"), default=0)
        if size > 1:
            span = comparison.span_of("correct")
            yield stepwise_is_free.finding(
                f"bonferroni asks every one of the {size} tests for {number(comparison.alpha.value / size)}; "
                "holm asks it only of the first, and keeps the same promise",
                "write holm in its place",
                at=case.at(span),
                fix=Fix(
                    title="use holm",
                    edits=(Edit(Span(span.path, span.start, span.start + len("bonferroni")), "holm"),),
                    safe=False,
                ),
            )


@rule("EV504", "adjustments-are-tests", "warning", needs=("learner",))
def adjustments_are_tests(facts: Facts) -> Iterator[Finding]:
    """Several learners differ only in constants set by hand, and the correction does not count them.

    ## What it finds
    Three or more learners of a comparison (three is our choice) with the same steps that differ in nothing but their
    parameters, where the correction, if there is one, is not `over learners` or `over everything`.

    ## Why it matters
    Each adjustment of a constant is one more experiment. When the best of them is reported, the level of its test is
    that of all of them together.

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
    compare tree vs naive-bayes on tasks using 10x10cv, by wilcoxon, tune on 20%, seed 20
    ```

    ## When it is fine
    When the constants are what the study is about, and all of them are reported.

    ## References
    Salzberg 1997, section 3.3.
    """
    for case in facts.compared:
        if len(case.learners) < VARIANTS:
            continue
        comparison = case.comparison
        over = comparison.correction.over if comparison.correction else ()
        if "learners" in over or "everything" in over:
            continue
        if any(f.scope == "over-datasets" and "learners" in f.over and _named(case) for f in case.families):
            continue
        alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for traits in case.learners:
            known = traits.learner.described is None  # the constants of a described learner are unknown
            if known and (not traits.learner.implicit or traits.learner.steps[-1].parameters):
                alike.setdefault(tuple((s.kind, s.name) for s in traits.learner.steps), []).append(traits.name)
        for steps, names in alike.items():
            if len(names) >= VARIANTS:
                yield adjustments_are_tests.finding(
                    f"{listed(names)} are all {steps[-1][1]} and differ only in constants set by hand: "
                    f"{len(names)} tries of which the correction counts none",
                    "make them one learner that tunes the constant, or correct over learners",
                    at=case.at(case.learner_span(names[0])),
                )


def _named(case: Case) -> bool:
    return any(judged.written and judged.over for judged in case.tests)


@rule("EV505", "fdr-is-not-fwer", "note", needs=("learner", "dataset"))
def fdr_is_not_fwer(facts: Facts) -> Iterator[Finding]:
    """A single result is claimed under a correction that only bounds the share of false ones.

    ## What it finds
    A claim on one dataset, or `on each of` several, that rests on a comparison corrected by `bh` or `yekutieli`.

    ## Why it matters
    Such a correction lets about one in twenty of the significant results be false. That is a promise about the list,
    not about any line of it.

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
    When the list is what is reported.

    ## References
    Benjamini and Hochberg 1995.
    """
    for claim in claims_made(facts):
        if not claim.each and len(claim.datasets) != 1:
            continue
        for name in claim.evidence:
            case = facts.by_name.get(name)
            correction = case.comparison.correction if case else None
            card = find_correction(correction.method) if correction else None
            if case is None or card is None or card.controls != "false-discovery":
                continue
            yield fdr_is_not_fwer.finding(
                f"{card.name} bounds the share of false results of {name}, not the chance that this one is false",
                f"correct {name} by holm when single results are to be claimed",
                at=place_of(claim),
            )
            break


@rule("EV506", "all-pairs", "warning", needs=("learner", "dataset"))
def all_pairs(facts: Facts) -> Iterator[Finding]:
    """Everybody is tested against everybody, and all claims are about one learner.

    ## What it finds
    `all pairs` while two or more claims rest on the comparison and every one of them names the same learner.

    ## Why it matters
    With k learners there are k(k - 1)/2 pairs, and k - 1 of them matter. The correction has to pay for the others.
    Bradford and Brodley compare one learner with each of the others and leave the other pair out, for another reason: a
    comparison of all pairs violates assumptions of independence (section 3).

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
    for case in facts.compared:
        comparison = case.comparison
        if not comparison.all_pairs or len(case.claims) < 2 or len(comparison.learners) < 3:
            continue
        shared = set.intersection(*({claim.left, claim.right} for claim in case.claims))
        for learner in sorted(shared):
            others = len(comparison.learners) - 1
            claims = "both" if len(case.claims) == 2 else f"all {len(case.claims)}"
            yield all_pairs.finding(
                f"{claims} claims are about {learner}, which is in {others} of the {comparison.pairs} "
                "pairs: the correction pays for the rest",
                f"write control {learner} in place of all pairs",
                at=case.at("pairs"),
                fix=replace_words(
                    f"use control {learner}", comparison.span_of("pairs"), f"control {learner}", safe=False
                ),
            )
            break


@rule("EV507", "correlated-metrics", "note", needs=("metric",))
def correlated_metrics(facts: Facts) -> Iterator[Finding]:
    """Several metrics of the same predictions are not separate evidence.

    ## What it finds
    A comparison that measures more than one metric of the predictions and names none as `primary`.

    ## Why it matters
    A learner that is better by one is likely to be better by the next: the same rows were predicted right. Three
    significant metrics are not three studies.

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
      measuring accuracy, balanced-accuracy, primary accuracy, holm over metrics, seed 20
    ```

    ## When it is fine
    Almost always: it is a note for the reader of the table. Different metrics do show different sides of a learner.

    ## References
    Caruana and Niculescu-Mizil 2005, note 2.
    """
    for case in facts.compared:
        if len(case.metrics) < 2 or case.says("primary"):
            continue
        same = [metric.name for metric in case.metrics if metric.needs not in ("time", "size")]
        if len(same) > 1:
            what = "answers" if case.comparison.units == "items" else "predictions"
            yield correlated_metrics.finding(
                f"{listed(same)} are reckoned from the same {what}: when one differs, the others are likely to",
                "read them as sides of one result, or say which one decides: measuring it alone, or as the primary one",
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
    """Several comparisons share datasets and each is corrected alone.

    ## What it finds
    Two or more comparisons of the script that are run on a common dataset or table, are corrected, and whose tests are
    not in one family. The same file under two names is one, and so, once the data is open, are two files with the same
    rows. Where single tests stand beside each other without a correction it is a note, unless they ask one thing again:
    the same learners on the same series (forecasts at three horizons), or three learners that differ only in constants
    set by hand, each against the same rival.

    ## Why it matters
    To the rows it makes no difference whether a hundred tests are asked for in one statement or in fifty. Each
    statement keeps its own level, and together they keep none.

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
    When the comparisons belong to different papers that happen to share a script.

    ## References
    Salzberg 1997, section 3.
    """
    parent: dict[str, str] = {}
    cases = [case for case in facts.compared if not _joins_none(case)]
    for case in cases:
        first, *others = _rows(facts, case)
        for name in others:
            parent[_root(parent, name)] = _root(parent, first)
    members: dict[str, list[Case]] = {}
    for case in cases:
        members.setdefault(_root(parent, _rows(facts, case)[0]), []).append(case)
    for together in members.values():
        families = {f.name for case in together for f in case.families}
        if len(together) > 1 and not all("everything" in f.over for case in together for f in case.families):
            yield _apart(together, len(families))


def _rows(facts: Facts, case: Case) -> list[str]:
    """Return where the rows of a comparison come from; two names of one file are one place.

    Once the data is open two files with the same rows are one place as well.
    """
    return [place for name in case.comparison.datasets for place in _places(facts, name)]


def _places(facts: Facts, name: str) -> list[str]:
    dataset = facts.datasets.get(name)
    table = facts.results.get(name) or facts.predictions.get(name)
    if dataset is None and table is not None:
        return [f"{table.source.kind} {table.source.locator}" if table.source.locator else name]
    opened = facts.profile(name)
    source = dataset.source if dataset is not None else None
    query = (dataset.query or "") if dataset is not None else ""
    found = [f"{source.kind} {source.locator} {query}" if source is not None and source.locator else name]
    return [*found, f"rows {opened.rows_hash}"] if opened is not None and opened.rows_hash else found


def _root(parent: dict[str, str], name: str) -> str:
    """The dataset that stands for all that are linked with this one by comparisons."""
    while (above := parent.setdefault(name, name)) != name:
        parent[name] = parent[above]
        name = above
    return name


def _joins_none(case: Case) -> bool:
    """Whether there are no tests, or EV501 reports them."""
    return (
        not case.families
        or not case.comparison.datasets
        or any(f.method == "uncorrected" and f.size * f.count > 1 for f in case.families)
    )


def _apart(cases: list[Case], families: int) -> Finding:
    names = [case.comparison.name for case in cases]
    tests = sum(f.size * f.count for case in cases for f in case.families)
    alpha = cases[0].comparison.alpha.value
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
    shared = (
        f"judge the same {'table' if len(tables) == 1 else 'file'} and are"
        if tables
        else "are run on the same rows and"
    )
    return families_apart.finding(
        f"{listed(names)} {shared} corrected apart: {counted(tests, 'test')} in {families} families, "
        f"each with its own level {number(alpha)}",
        "write holm over everything in each of them",
        at=Place(
            last.span_of("correct") if last.correction else last.dataset_spans[0] if last.dataset_spans else last.span,
            Subject(last.name),
        ),
        fix=fix,
        level="warning" if len(corrected) > 1 or _asked_again(cases) else "note",
    )


def _asked_again(cases: list[Case]) -> bool:
    """Whether one series is forecast by the same learners twice, or variants of a learner meet one rival each."""
    forecasts = [
        frozenset(case.comparison.learners) for case in cases if case.scheme is not None and case.scheme.in_time
    ]
    if len(set(forecasts)) < len(forecasts):
        return True
    alike: dict[frozenset[tuple[str, ...]], set[frozenset[str]]] = {}
    for case in cases:
        if all(traits.learner.described is None for traits in case.learners):
            kinds = frozenset(tuple(step.name for step in traits.learner.steps) for traits in case.learners)
            alike.setdefault(kinds, set()).add(frozenset(case.comparison.learners))
    return any(len(variants) >= VARIANTS for variants in alike.values())


@rule("EV513", "no-primary", "warning", needs=("metric",))
def no_primary(facts: Facts) -> Iterator[Finding]:
    """Several metrics are judged, and nothing says which of them decides.

    ## What it finds
    A comparison that tests more than one metric of the predictions and names none as `primary`. It is a note unless a
    claim rests on the comparison and names no metric either.

    ## Why it matters
    When the metrics disagree, the one that agrees with the author can be written about. A claim that names no metric is
    supported here only when every metric supports it, which is more than most authors mean.

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
      measuring accuracy, balanced-accuracy, primary accuracy, holm over metrics, seed 20
    claim decision-tree better than naive-bayes on tumours measuring accuracy
    ```

    ## When it is fine
    When every metric counts alike, as in a table that only describes; it is a note then.

    ## References
    Caruana and Niculescu-Mizil 2005, section 1: it is not uncommon that a learner is best by one metric and not by
    another.
    """
    for case in facts.compared:
        cards = [(metric.name, metric.card) for metric in case.comparison.metrics]
        tested = [name for name, card in cards if card is None or card.needs not in ("time", "size")]
        if len(tested) < 2 or case.says("primary"):
            continue
        open_claims = [claim for claim in case.claims or _lost(facts, case) if claim.metric is None]
        yield no_primary.finding(
            f"nothing says which of {listed(tested)} decides",
            f"add primary {tested[0]}, or write measuring {tested[0]} in the claim"
            if open_claims
            else f"add primary {tested[0]}, or the one that the task is about",
            at=case.at(open_claims[0].span if open_claims else case.comparison.span_of("measuring")),
            level="warning" if open_claims else "note",
        )


def _lost(facts: Facts, case: Case) -> list[Claim]:
    """Return claims without evidence that name a learner of a comparison with an unknown learner."""
    if not any(traits.learner.steps and traits.learner.steps[-1].kind == "unknown" for traits in case.learners):
        return []
    named = {*case.comparison.learners}
    return [claim for claim in facts.plan.claims if not claim.evidence and named & {claim.left, claim.right}]
