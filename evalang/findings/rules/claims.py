"""EV7: claims, against the design and against the result."""

from __future__ import annotations

from collections.abc import Iterator

from ...language.text import Finding, Fix, Span, listed_names, number, one
from ...plans.families import ran_elsewhere
from ...plans.model import Claim
from ..case import Case, PlannedTest
from ..facts import Facts, NotApplicable, each_claim
from ..reach import advise_a_test, insert_this_classifier, rests_on_one_training, trained_repeatedly
from ..rule import find_word, place_of, rule


@rule("EV701", "beyond-the-sample", "error", stage=("design", "data"), needs=("learner", "claim"), each=each_claim)
def beyond_the_sample(facts: Facts, claim: Claim) -> Iterator[Finding]:
    """A claim is about new datasets, but the tested datasets are not a random sample.

    ## What it finds
    The rule finds `claim … on new datasets`, unless the datasets were drawn at random. To avoid the finding, the
    comparison must use a suite with `sampled from "…"`. When the data are read, the ledger must contain the draw
    (`evalang draw`), and the suite must contain exactly the datasets of the first draw from that list.

    ## Why it matters
    A test over datasets applies to the population from which the datasets were sampled. Datasets that were chosen by
    hand do not show what happens on a new dataset, however many they are.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, holm over datasets, seed 20
    claim decision-tree better than naive-bayes on new datasets
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, holm over datasets, seed 20
    claim decision-tree better than naive-bayes on tasks
    ```

    ## When it is fine
    There is no problem if the datasets are a random sample from a named population.

    ## References
    Salzberg 1997, section 3.4; Bramer, section 15.4; Dietterich 1998, section 1, question 9.
    """
    if not claim.new_datasets:
        return
    evidence = facts.evidence(claim)
    if not evidence:
        return
    if any(_sampled(facts, case) for case in evidence):
        yield from _not_drawn(facts, claim, next(case for case in evidence if _sampled(facts, case)))
        return
    names = evidence[0].comparison.datasets
    yield beyond_the_sample.finding(
        f"the claim is about new datasets, but {one(names, 'dataset', 'datasets')} {listed_names(names)} "
        f"{one(names, 'was', 'were')} not drawn at random",
        f"write `on {_compared_on(evidence[0])}` in the claim"
        + (
            ""
            if evidence[0].table
            else ', or draw the datasets with `evalang draw` and write `sampled from "…"` in their suite'
        ),
        at=place_of(claim),
    )


def _compared_on(case: Case) -> str:
    """Return what a claim can name: the suites of a comparison where they hold all its datasets, else the datasets."""
    spans, source = case.comparison.dataset_spans, case.comparison.suites
    return ", ".join(source if source and len(source) == len(spans) else case.comparison.datasets)


def _sampled(facts: Facts, case: Case) -> bool:
    suites = [facts.suites[name] for name in case.comparison.suites if name in facts.suites]
    covered = {name for suite in suites if suite.sampled_from for name in suite.members}
    return bool(covered) and covered.issuperset(case.comparison.datasets)


def _not_drawn(facts: Facts, claim: Claim, case: Case) -> Iterator[Finding]:
    """Report where the ledger contradicts a suite that says how it was sampled; nothing before the data are read."""
    if facts.profiles is None:
        return
    mine = set(case.comparison.datasets)
    draws = facts.past.draws if facts.past is not None else ()
    draw = max(draws, key=lambda one: len(mine.intersection(one.names)), default=None)
    if draw is None or not mine.intersection(draw.names):
        message = "the claim is about new datasets, but the ledger contains no random draw of these datasets"
        help = "sample and record them with `evalang draw 20 population.csv --seed 4`"
    elif mine.difference(draw.names):
        strange = listed_names(sorted(mine.difference(draw.names)))
        message = (
            f"dataset {strange} was not in the random draw from `{draw.listed_in}`, so the sample is no longer random"
        )
        help = "compare on exactly the datasets of the draw"
    elif set(draw.names) - mine:
        gone = listed_names(sorted(set(draw.names) - mine))
        message = (
            f"dataset {gone} was in the random draw from `{draw.listed_in}` and is left out, so the sample is biased"
        )
        help = f"add {gone} to the suite again; the report shows the fits that failed"
    else:
        return
    yield beyond_the_sample.finding(message, help, at=place_of(claim))


@rule("EV702", "no-difference", "error", needs=("test", "learner", "dataset", "claim"), each=each_claim)
def no_difference(facts: Facts, claim: Claim) -> Iterator[Finding]:
    """Equivalence is claimed from a test of difference.

    ## What it finds
    The rule finds `claim A same as B` on a comparison whose `by` names a test of difference. The rule also finds `no
    worse than` with a test that gives no confidence interval for the pair. Without `by`, evalang uses two one-sided
    tests (tost), and the rule finds nothing.

    ## Why it matters
    A small study nearly always finds no significant difference, even if the learners differ. To show equivalence you
    need a test whose null hypothesis is a difference larger than the margin. Bramer (section 15.2) accepts the null
    hypothesis because t = 0.32; this rule would report such a conclusion. Dietterich (section 6.3) asks for the power
    of the test before concluding that learners do not differ.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by corrected-t, seed 20
    claim decision-tree same as naive-bayes within 5% on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by tost, rope 5%, seed 20
    claim decision-tree same as naive-bayes within 5% on tumours
    ```

    ## When it is fine
    Never.

    ## References
    Bramer, section 15.2; Dietterich 1998, section 6.3. The rule is our own choice.
    """
    if claim.relation == "better":
        return
    for case in facts.evidence(claim):
        wrong = [j.card.name for j in case.tests if j.written and not _bounds(j, claim)]
        fits = any(_bounds(judged, claim) for judged in case.tests)
        if not wrong or fits:
            continue
        relation = "equivalent to" if claim.relation == "same" else "no worse than"
        yield no_difference.finding(
            f"the claim says that `{claim.left}` is {relation} `{claim.right}`, but the test {listed_names(wrong)} "
            "looks for a difference. A result without a significant difference is no evidence for this claim",
            _bounded_by(case, claim),
            at=place_of(claim),
        )
        break


def _bounded_by(case: Case, claim: Claim) -> str:
    """Return the test to write for a claim of equivalence or of a bound."""
    if claim.relation == "no-worse":
        return "name a test of two learners that has a confidence interval, such as `by corrected-t`"
    if any(other.relation == "better" for other in case.claims):
        return "leave out `by`"
    return "leave out `by`, or write `by tost` and an equivalence margin such as `margin 2%`"


def _bounds(judged: PlannedTest, claim: Claim) -> bool:
    """Whether a test can support the claim: tost or a posterior for equivalence, any test of a pair for a bound."""
    if judged.card.name == "tost" or not judged.card.gives_p:
        return True
    return claim.relation == "no-worse" and judged.card.learners == "two"


@rule("EV703", "no-evidence", "error", needs=("scheme", "learner", "dataset", "claim"))
def no_evidence(facts: Facts) -> Iterator[Finding]:
    """No comparison tests the claim.

    ## What it finds
    The rule finds a claim whose learners, datasets or metric no comparison of the script tests.

    ## Why it matters
    No result of the run can support the claim.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    claim decision-tree better than random-forest on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## When it is fine
    Never.

    ## References
    None. The rule is our own choice.
    """
    if facts.faulty:
        raise NotApplicable("part of the script could not be read, so a comparison may be missing from it")
    for (claim,) in each_claim(facts):
        if claim.evidence:
            continue
        pair, where = {claim.left, claim.right}, set(claim.datasets)
        compared = [case.comparison for case in facts.compared if pair <= set(case.comparison.learners)]
        there = [comparison for comparison in compared if where <= set(comparison.datasets)]
        on = f" on {', '.join(claim.suites or claim.datasets)}" if claim.datasets else ""
        measured = f", measuring {claim.metric.name}" if claim.metric else ""
        near = next((case for case in facts.compared if where & set(case.comparison.datasets)), None)
        using = _using(near or facts.compared[0]) if facts.compared else ""
        both = near is not None and (
            near.comparison.correction is not None or near.comparison.name in ran_elsewhere(facts.plan)
        )
        corrected = " and write `holm over everything` in both comparisons" * both
        help = f"add `compare {claim.left} vs {claim.right}{on}{using}{measured}`{corrected}"
        lacks = "are never compared"
        if there and claim.according_to is not None:
            help = f"leave out `according to {claim.according_to}`"
            lacks = f"are not compared on these datasets by `{claim.according_to}`"
        elif there and claim.metric is not None:
            lacks = f"are not compared by `{claim.metric.name}`"
        elif compared:
            named = listed_names(claim.suites or claim.datasets)
            lacks = f"are not compared on {'all of ' * (len(claim.datasets) != 1)}{named}"
        yield no_evidence.finding(
            f"no comparison tests this claim: learners `{claim.left}` and `{claim.right}` {lacks}",
            help,
            at=place_of(claim),
        )


def _using(case: Case) -> str:
    """Return the scheme and the seed of another comparison beside this one; nothing for a table."""
    if case.table is not None:
        return ""
    seeded = case.comparison.seed is not None and not case.has_clause("seed")  # by `set seed`
    return f" using {case.like_scheme('10x2cv')}{'' if seeded else ', seed 1'}"


@rule("EV704", "classifier-or-algorithm", "error", needs=("learner", "dataset", "claim"), each=each_claim)
def classifier_or_algorithm(facts: Facts, claim: Claim) -> Iterator[Finding]:
    """A claim is about one trained classifier, but the design trains many classifiers.

    ## What it finds
    The rule finds `claim this classifier …` on a comparison that trains several classifiers of a learner. Only a
    holdout, `given test` and predictions have one classifier of each learner. The rule also finds learners with `train
    N times`.

    ## Why it matters
    Cross-validation trains one classifier per fold and discards all of them. There is no single classifier that the
    claim could be about.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    claim this classifier decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    claim this classifier decision-tree better than naive-bayes on tumours
    ```

    ## When it is fine
    Never. With several training sets, leave out `this classifier`: the claim is then about the learner.

    ## References
    Dietterich 1998, section 1.
    """
    if not claim.this_classifier:
        return
    for case in facts.evidence(claim):
        trained = _many(case)
        if trained:
            yield classifier_or_algorithm.finding(
                f"the claim is about one trained classifier, but {trained}",
                "train each learner once: write `using holdout 1/3` and leave out `train … times`"
                if trained_repeatedly(case)
                else "leave out `this classifier` in the claim"
                if case.table is not None
                else "leave out `this classifier` in the claim, or write `using holdout "
                f"1/3{_seed_too(facts.evidence(claim))}` in the comparison",
                at=place_of(claim),
            )
            break


def _many(case: Case) -> str:
    """Return how a comparison trains more than one classifier of a learner; empty if it does not."""
    scheme, several = case.comparison.scheme, trained_repeatedly(case)
    if case.scheme is None or not case.scheme.one_test_set:
        if case.table is not None:
            return f"table `{case.table.name}` holds scores of learners, not of one trained classifier"
        if scheme is not None and scheme.trials > 1:
            return f"`{scheme.text}` trains each learner {number(scheme.trials)} times"
        return "the comparison trains each learner many times"
    named = f"{one(several, 'learner', 'learners')} {listed_names(several)}"
    return f"{named} {one(several, 'is', 'are')} trained several times" if several else ""


@rule("EV705", "not-supported", "error", stage="run", needs=("claim",))
def not_supported(facts: Facts) -> Iterator[Finding]:
    """The result does not support the claim.

    ## What it finds
    After the run, the rule finds a claim that the result contradicts, or for which it is inconclusive.

    ## Why it matters
    The claim is not justified by the results.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    ```

    ## When it is fine
    There is no problem if your report states that the claim was made before the run and was not supported.

    ## References
    None. The rule is our own choice.
    """
    assert facts.run is not None
    claims = {claim.name: claim for (claim,) in each_claim(facts)}
    for outcome in facts.run.claims:
        claim = claims.get(outcome.claim)
        if claim is None or outcome.status == "supported":
            continue
        found = "contradicts" if outcome.status == "contradicted" else "is inconclusive about"
        yield not_supported.finding(
            f'the result {found} the claim "{claim.text or claim.left}": {outcome.reason}',
            "remove the claim, or report what was found instead",
            at=place_of(claim),
        )


@rule("EV706", "too-small-to-matter", "warning", stage="run", needs=("claim",))
def too_small_to_matter(facts: Facts) -> Iterator[Finding]:
    """The difference is significant, but too small to matter.

    ## What it finds
    After the run, the rule finds a significant difference that is smaller than the equivalence margin (`rope`) of the
    comparison.

    ## Why it matters
    With enough rows even a tiny difference becomes significant. The margin says which differences are too small to
    matter.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, rope 2 points, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by tost, rope 5 points, seed 20
    ```

    ## When it is fine
    There is no problem if you report the size of the difference together with its p-value.

    ## References
    The rule is our own choice, based on Bramer, section 15.5: learners that are only slightly better on a few datasets
    are not needed.
    """
    assert facts.run is not None
    from ...results.numbers import p_of, score, spoken  # not before a run: lint starts without them

    ropes = {c.comparison.name: c for c in facts.compared if c.comparison.rope is not None}
    if not ropes:
        raise NotApplicable("no equivalence margin is set")
    for found in facts.run.verdicts:
        case = ropes.get(found.comparison)
        rope = case.comparison.rope if case is not None else None
        if case is None or rope is None or found.adjusted_p is None or found.difference is None:
            continue
        if found.test is None or found.test.test == "tost":  # its p is that of a difference within the rope
            continue
        if found.adjusted_p <= found.alpha and abs(found.difference) <= rope.value:
            first, second = found.learners
            where = f" on dataset `{found.dataset}`" if found.dataset else " over the datasets"
            yield too_small_to_matter.finding(
                f"learners `{first}` and `{second}` differ significantly in {spoken(found.metric)}{where} "
                f"({p_of(found)}), but only by {score(abs(found.difference), found.metric)}. Differences up to the "
                f"equivalence margin of {score(rope.value, found.metric)} do not matter",
                "report the difference with its confidence interval and the margin",
                at=case.at("rope", dataset=found.dataset, metric=found.metric, learners=found.learners),
            )


@rule("EV707", "algorithm-from-one-training", "error", needs=("scheme", "learner", "dataset", "claim"), each=each_claim)
def algorithm_from_one_training(facts: Facts, claim: Claim) -> Iterator[Finding]:
    """A claim is about a learner, but the design has only one training set.

    ## What it finds
    The rule finds a claim about learners (without `this classifier`) that is tested only by a holdout or `given test`,
    with or without `train N times`. For a table of predictions the finding is a warning, because the names may stand
    for any model. The rule ignores claims that are tested over datasets, because every dataset has its own training
    set.

    ## Why it matters
    One training set does not show whether the learner would win again with a different training set. When McNemar's
    test was used as a test of learners, it was wrong in up to 46% of cases (EV404). The run can therefore not support
    such a claim.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    claim this classifier decision-tree better than naive-bayes on tumours
    ```

    ## When it is fine
    Never. Write the claim about `this classifier`, or compare with 10x2cv.

    ## References
    Dietterich 1998, sections 1 and 3.1.
    """
    evidence = facts.evidence(claim)
    if evidence and not claim.this_classifier and all(c.comparison.data == "predictions" for c in evidence):
        yield algorithm_from_one_training.finding(
            f"the claim is about learners `{claim.left}` and `{claim.right}`, but a table of predictions compares one "
            "trained classifier of each",
            "write `claim this classifier …`",
            at=place_of(claim),
            fix=_of_this_classifier(facts, claim),
            level="warning",
        )
    elif rests_on_one_training(facts, claim):
        names = listed_names([case.comparison.name for case in evidence])
        once = not any(trained_repeatedly(case) for case in evidence)
        yield algorithm_from_one_training.finding(
            f"the claim is about learners `{claim.left}` and `{claim.right}`, but comparison {names} has only one "
            "training set. With a different training set, the other learner may win",
            _advise(evidence, once),
            at=place_of(claim),
            fix=_of_this_classifier(facts, claim) if once else None,
        )


def _seed_too(evidence: list[Case]) -> str:
    return next((case.suggested_seed_clause for case in evidence if case.suggested_seed_clause), "")


def _advise(evidence: list[Case], once: bool) -> str:
    """Return the help: claim it about the classifiers, or use a design for learners unless a claim needs this one."""
    seed = _seed_too(evidence)
    of_classifiers = any(claim.this_classifier for case in evidence for claim in case.claims)
    tests = [judged for case in evidence for judged in case.tests]
    named = any(judged.written and judged.card.name != "tost" for judged in tests)  # a test for one training
    again = f"write `using 10x2cv{', by corrected-t' * named}{seed}` in the comparison"
    ways = ["write `claim this classifier …`"] * once + [again] * (not (once and of_classifiers))
    return ", or ".join(ways)


def _of_this_classifier(facts: Facts, claim: Claim) -> Fix:
    word = find_word(facts, claim.span, "claim")
    after = Span(word.path, word.end + 1, word.end + 1)
    return insert_this_classifier("claim it about these trained classifiers", after)


@rule("EV710", "estimates-side-by-side", "warning", needs=("dataset",))
def estimates_side_by_side(facts: Facts) -> Iterator[Finding]:
    """Two learners are estimated separately instead of compared.

    ## What it finds
    The rule finds estimates of different learners on the same data by the same scheme and metric, without a comparison
    of them.

    ## Why it matters
    Readers will compare the estimates. Only a paired test shows whether the difference is more than chance. Whether two
    confidence intervals overlap does not answer this question.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    estimate decision-tree on tumours using 10cv, seed 20
    estimate naive-bayes on tumours using 10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, seed 20
    ```

    ## When it is fine
    If you do not ask which learner is better, write `allow EV710 because "…"`.

    ## References
    Bradford and Brodley 2001, section 1, which lists the direct comparison of accuracies among the popular methods.
    """
    compared = [(set(c.comparison.learners), set(c.comparison.datasets)) for c in facts.compared]
    groups: dict[object, list[Case]] = {}
    for case in facts.cases:
        c = case.comparison
        if c.estimate and c.data in ("datasets", "results") and not c.this_classifier:
            groups.setdefault((c.datasets, c.scheme, c.metrics), []).append(case)
    for same in groups.values():
        learners = list(dict.fromkeys(name for case in same for name in case.comparison.learners))
        datasets = same[0].comparison.datasets
        using = _using(same[0]) + ", holm over learners" * (len(learners) > 2)
        kind = "table" if same[0].table is not None else one(datasets, "dataset", "datasets")
        where = f"{kind} {listed_names(datasets)}"
        if len(learners) > 1 and not any(set(learners) <= who and set(datasets) <= there for who, there in compared):
            yield estimates_side_by_side.finding(
                f"learners {listed_names(learners)} are estimated separately on {where}, but not "
                "compared. Separate estimates do not test a difference",
                f"write `compare {' vs '.join(learners[:4])} on {', '.join(datasets)}{using}`",
                at=same[1].at(same[1].comparison.span),
            )


@rule("EV711", "claim-out-of-reach", "error", needs=("test", "scheme", "learner", "dataset", "claim"), each=each_claim)
def claim_out_of_reach(facts: Facts, claim: Claim) -> Iterator[Finding]:
    """No result of this design can support the claim.

    ## What it finds
    The rule finds a claim with `better than` on a comparison that has no test, that has only tost, or whose `expecting`
    names the other learner.

    ## Why it matters
    The claim will not be supported, whatever the data show.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, by tost, rope 5%, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, rope 2%, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## When it is fine
    Never.

    ## References
    None. The rule is our own choice.
    """
    evidence = facts.evidence(claim)
    reasons = [reason for case in evidence if (reason := _out_of_reach(claim, case)) is not None]
    if claim.relation == "better" and reasons and len(reasons) == len(evidence):
        message, help = reasons[0]
        yield claim_out_of_reach.finding(message, help, at=place_of(claim))


def _out_of_reach(claim: Claim, case: Case) -> tuple[str, str] | None:
    comparison = case.comparison
    against = comparison.expecting is not None and comparison.expecting == claim.right
    if case.scheme is not None and not case.tests and not case.has_clause("by"):
        why = f": {comparison.over_note}" if comparison.over_note else ""
        help = advise_a_test(case)
        return (
            f"comparison `{comparison.name}` has no test to support this claim{why}",
            f"leave out `expecting` and {help}" if against else help,
        )
    equivalence = bool(case.tests) and all(judged.card.name == "tost" for judged in case.tests)
    if against:
        return (
            f"`expecting {claim.right} better` in comparison `{comparison.name}` tests only this direction, so no "
            f"result can show that `{claim.left}` is better",
            "leave out `expecting`" + ("" if equivalence else ", or swap the learners of the claim"),
        )
    if case.scheme is None or not case.tests:
        return None  # the test is unknown, which EV002 reports
    if equivalence:
        return (
            f"the claim says that `{claim.left}` is better, but the test `tost` only shows whether `{claim.left}` and "
            f"`{claim.right}` are equivalent",
            _without_tost(case),
        )
    return None


def _without_tost(case: Case) -> str:
    """Return what to write for a test of difference: the default one, where the scheme has one."""
    scheme = case.scheme
    judged = scheme is not None and (scheme.one_test_set or (bool(scheme.test) and not scheme.disjoint))
    return "leave out `by` and the equivalence margin" + (
        "" if judged else f" and write `using 10x2cv{case.suggested_seed_clause}`"
    )
