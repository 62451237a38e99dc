"""EV7: claims, against the design and against the result."""

from __future__ import annotations

from collections.abc import Iterator

from ...language.text import Finding, Fix, Span, listed, number, one
from ...plans.model import Claim
from ..case import Case, PlannedTest
from ..facts import Facts, NotApplicable, claims_made
from ..reach import insert_this_classifier, rests_on_one_training, trained_repeatedly
from ..rule import find_word, place_of, rule

_EQUIVALENT = "write by tost with a rope, or leave out `by`"


@rule("EV701", "beyond-the-sample", "error", stage=("design", "data"), needs=("learner", "claim"))
def beyond_the_sample(facts: Facts) -> Iterator[Finding]:
    """A claim about new datasets from datasets that were picked.

    ## What it finds
    `claim … on new datasets`, unless the comparison is on a suite that says how it was drawn: `sampled from "…"`. Once
    the data are read, the ledger has to hold the draw (`evalang draw`): the first one from its list, with the names of
    the suite and no others. A dataset that was drawn and is left out, or one in its place, voids the claim.

    ## Why it matters
    A test over datasets speaks about the population the datasets were drawn from. Datasets that lay at hand were drawn
    from nothing; no number of them says anything about the next one.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, holm over datasets, seed 20
    claim decision-tree better than naive-bayes on new datasets
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, holm over datasets, seed 20
    claim decision-tree better than naive-bayes on tasks
    ```

    ## When it is fine
    When the datasets are a random sample of a population that can be named.

    ## References
    Salzberg 1997, section 3.4; Bramer, section 15.4; Dietterich 1998, section 1, question 9.
    """
    for claim in claims_made(facts):
        if not claim.new_datasets:
            continue
        evidence = facts.evidence(claim)
        if not evidence:
            continue
        if any(_sampled(facts, case) for case in evidence):
            yield from _not_drawn(facts, claim, next(case for case in evidence if _sampled(facts, case)))
            continue
        names = listed(evidence[0].comparison.datasets)
        yield beyond_the_sample.finding(
            f"the claim is about new datasets, and the evidence is {names}, drawn from no named population",
            f"write claim … on {names}"
            if evidence[0].comparison.data != "datasets"
            else 'claim it on the datasets compared, or compare on a suite that is sampled from "…"',
            at=place_of(claim),
        )


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
        message = "the claim is about new datasets, and the ledger beside the script holds no draw of these"
        help = "evalang draw 20 population.csv --seed 4 draws them by lot and writes it down"
    elif mine.difference(draw.names):
        strange = listed(sorted(mine.difference(draw.names)))
        message = f"{strange} was not drawn from {draw.listed_in}: a dataset that was put in voids the claim"
        help = "compare on the datasets that were drawn, all of them"
    elif set(draw.names) - mine:
        gone = listed(sorted(set(draw.names) - mine))
        message = f"{gone} was drawn from {draw.listed_in} and is left out: what was drawn stays in the denominator"
        help = "take it in again; where its trials fail, the report says so"
    else:
        return
    yield beyond_the_sample.finding(message, help, at=place_of(claim))


@rule("EV702", "no-difference", "error", needs=("test", "learner", "dataset", "claim"))
def no_difference(facts: Facts) -> Iterator[Finding]:
    """Sameness is claimed from a test of difference.

    ## What it finds
    `claim A same as B` on a comparison by a named test of difference, or `no worse than` on one that gives no bound for
    the pair. Without `by` the comparison is judged by two one-sided tests (tost), and nothing is said.

    ## Why it matters
    "No significant difference" is what every small study finds. That two learners are the same within a margin has to
    be shown by a test whose null is that they differ by more. The papers do not go so far: Bramer accepts the null
    hypothesis from t = 0.32 (section 15.2), which is the step this rule is against; Dietterich asks for the power of
    the test where one wants to be confident that there is no difference (section 6.3).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by corrected-t, seed 20
    claim decision-tree same as naive-bayes within 5% on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by tost, rope 5%, seed 20
    claim decision-tree same as naive-bayes within 5% on tumours
    ```

    ## When it is fine
    Never.

    ## References
    Ours; Bramer, section 15.2, and Dietterich 1998, section 6.3, for what they say of it.
    """
    for claim in claims_made(facts):
        if claim.relation == "better":
            continue
        for case in facts.evidence(claim):
            wrong = [j.card.name for j in case.tests if j.written and not _bounds(j, claim)]
            fits = any(_bounds(judged, claim) for judged in case.tests)
            if not wrong or fits:
                continue
            says = "is the same as" if claim.relation == "same" else "is no worse than"
            yield no_difference.finding(
                f"{listed(wrong)} can show that {claim.left} and {claim.right} differ; that one {says} the "
                "other it cannot",
                ("leave out `by`" if any(c.relation == "better" for c in case.claims) else _EQUIVALENT)
                if claim.relation == "same"
                else "name a test of two learners, whose interval bounds the difference",
                at=place_of(claim),
            )
            break


def _bounds(judged: PlannedTest, claim: Claim) -> bool:
    """Whether a test can carry the claim: equivalence by tost or a posterior, a bound by any test of a pair."""
    if judged.card.name == "tost" or not judged.card.gives_p:
        return True
    return claim.relation == "no-worse" and judged.card.learners == "two"


@rule("EV703", "no-evidence", "error", needs=("scheme", "learner", "dataset", "claim"))
def no_evidence(facts: Facts) -> Iterator[Finding]:
    """No comparison bears on the claim.

    ## What it finds
    A claim about a pair of learners, datasets or a metric that no comparison of the script covers.

    ## Why it matters
    After the run nothing could support it.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    claim decision-tree better than random-forest on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## When it is fine
    Never.

    ## References
    Ours.
    """
    if facts.faulty:
        raise NotApplicable("part of the script could not be read, so a comparison may be missing from it")
    for claim in claims_made(facts):
        if claim.evidence:
            continue
        yield no_evidence.finding(
            f"no comparison bears on the claim: {_lacking(facts, claim)}",
            _evidence_for(facts, claim),
            at=place_of(claim),
        )


def _evidence_for(facts: Facts, claim: Claim) -> str:
    """Return the missing comparison to write, or the clause of the claim to leave out."""
    pair, where = {claim.left, claim.right}, set(claim.datasets)
    if claim.according_to is not None and any(
        pair <= set(case.comparison.learners) and where <= set(case.comparison.datasets) for case in facts.compared
    ):
        return f"leave out according to {claim.according_to}"
    measured = f", measuring {claim.metric.name}" if claim.metric else ""
    return f"compare {' vs '.join((claim.left, claim.right))}" + (
        f" on {listed(claim.datasets)}{measured}" if claim.datasets else measured
    )


def _lacking(facts: Facts, claim: Claim) -> str:
    pair = {claim.left, claim.right}
    both = [c.comparison for c in facts.compared if pair <= set(c.comparison.learners)]
    if not both:
        return f"{claim.left} and {claim.right} are nowhere compared with each other"
    missing = [d for d in claim.datasets if not any(d in comparison.datasets for comparison in both)]
    if missing:
        return f"{claim.left} and {claim.right} are not compared on {listed(missing)}"
    if claim.metric is not None and not any(claim.metric.name == m.name for c in both for m in c.metrics):
        return f"{claim.metric.name} is not measured where {claim.left} and {claim.right} are compared"
    if claim.according_to is not None:
        return f"{claim.according_to} does not compare them there"
    return f"no single comparison has {claim.left} and {claim.right} on all of {listed(claim.datasets)}"


@rule("EV704", "classifier-or-algorithm", "error", needs=("learner", "dataset", "claim"))
def classifier_or_algorithm(facts: Facts) -> Iterator[Finding]:
    """A claim about one trained classifier from a design that trains many.

    ## What it finds
    `claim this classifier …` from anything but a holdout, a given test set or predictions, or about learners that are
    trained several times (`train N times`).

    ## Why it matters
    Cross-validation trains as many classifiers as there are folds and throws them away. Which of them would the claim
    be about?

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    claim this classifier decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    claim this classifier decision-tree better than naive-bayes on tumours
    ```

    ## When it is fine
    Never. Leave out `this classifier` to claim it of the learner, where there is more than one training set.

    ## References
    Dietterich 1998, section 1.
    """
    for claim in claims_made(facts):
        if not claim.this_classifier:
            continue
        for case in facts.evidence(claim):
            trained = _many(case)
            if trained:
                yield classifier_or_algorithm.finding(
                    f"the claim is about one trained classifier, and {trained}",
                    "train each learner once: holdout 1/3 without train N times"
                    if trained_repeatedly(case)
                    else "leave out this classifier"
                    if case.table is not None
                    else f"leave out this classifier, or compare with holdout 1/3{_seed_too(facts.evidence(claim))}",
                    at=place_of(claim),
                )
                break


def _many(case: Case) -> str:
    """Return how a comparison trains more than one classifier of a learner; empty if it does not."""
    scheme, several = case.comparison.scheme, trained_repeatedly(case)
    if case.scheme is None or not case.scheme.one_test_set:
        if case.table is not None:
            return f"{case.table.name} holds scores of learners, not those of one training"
        many = f"{scheme.text} trains {number(scheme.trials)}" if scheme and scheme.trials > 1 else ""
        return f"{many or 'its scheme trains many'} of each learner"
    return f"{listed(several)} {one(several, 'is', 'are')} trained several times" if several else ""


@rule("EV705", "not-supported", "error", stage="run", needs=("claim",))
def not_supported(facts: Facts) -> Iterator[Finding]:
    """The result does not support the claim.

    ## What it finds
    After the run: a claim that the result contradicts or does not settle.

    ## Why it matters
    The sentence must not be written as it stands.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    ```

    ## When it is fine
    When the report says that the claim was made before the run and failed.

    ## References
    Ours.
    """
    assert facts.run is not None
    claims = {claim.name: claim for claim in claims_made(facts)}
    for outcome in facts.run.claims:
        claim = claims.get(outcome.claim)
        if claim is None or outcome.status == "supported":
            continue
        says = "contradicts" if outcome.status == "contradicted" else "does not settle"
        yield not_supported.finding(
            f'the result {says} the claim "{claim.text or claim.left}": {outcome.reason}',
            "leave the claim out, or say what was found in its place",
            at=place_of(claim),
        )


@rule("EV706", "too-small-to-matter", "warning", stage="run", needs=("claim",))
def too_small_to_matter(facts: Facts) -> Iterator[Finding]:
    """The difference is significant, and too small to matter.

    ## What it finds
    After the run: a significant difference whose size is within the `rope` of the comparison.

    ## Why it matters
    With enough rows every difference becomes significant. The author said beforehand which ones do not matter.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, rope 2 points, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by tost, rope 5 points, seed 20
    ```

    ## When it is fine
    When the report gives the size of the difference beside its p-value.

    ## References
    Ours, after Bramer, section 15.5: learners that are only slightly better on a few datasets are not needed.
    """
    assert facts.run is not None
    from ...results.numbers import p_of, score, spoken  # not before a run: lint starts without them

    ropes = {c.comparison.name: c for c in facts.compared if c.comparison.rope is not None}
    if not ropes:
        raise NotApplicable("no rope says which differences matter")
    for found in facts.run.verdicts:
        case = ropes.get(found.comparison)
        rope = case.comparison.rope if case is not None else None
        if case is None or rope is None or found.adjusted_p is None or found.difference is None:
            continue
        if found.test is None or found.test.test == "tost":  # its p is that of a difference within the rope
            continue
        if found.adjusted_p <= found.alpha and abs(found.difference) <= rope.value:
            first, second = found.learners
            where = f" on {found.dataset}" if found.dataset else " over the datasets"
            yield too_small_to_matter.finding(
                f"{first} and {second} differ significantly in {spoken(found.metric)}{where} "
                f"({p_of(found)}) by {score(abs(found.difference), found.metric)}, inside the rope of "
                f"{score(rope.value, found.metric)}",
                "say how large it is, with its interval: it is too small to matter where all of that lies inside",
                at=case.at("rope", dataset=found.dataset, metric=found.metric, learners=found.learners),
            )


@rule("EV707", "algorithm-from-one-training", "error", needs=("scheme", "learner", "dataset", "claim"))
def algorithm_from_one_training(facts: Facts) -> Iterator[Finding]:
    """A claim about a learner from one training set.

    ## What it finds
    A claim without `this classifier` whose only evidence is a holdout or a given test set, with or without
    `train N times`. A claim that a test over datasets bears out is another matter: there the datasets vary.

    ## Why it matters
    The test knows one training set. Whether the learner would win again with another was not asked; McNemar's test
    taken for an answer to that was wrong in up to 46% of the cases (EV404). After the run such a claim could not be
    supported by anything.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    claim this classifier decision-tree better than naive-bayes on tumours
    ```

    ## When it is fine
    Never: claim it of `this classifier`, or compare with 10x2cv.

    ## References
    Dietterich 1998, sections 1 and 3.1.
    """
    for claim in claims_made(facts):
        if rests_on_one_training(facts, claim):
            evidence = facts.evidence(claim)
            names = listed([case.comparison.name for case in evidence])
            once = not any(trained_repeatedly(case) for case in evidence)
            yield algorithm_from_one_training.finding(
                f"the claim is about {claim.left} and {claim.right} as learners, and {names} has one training set",
                _advise(evidence, once),
                at=place_of(claim),
                fix=_of_this_classifier(facts, claim) if once else None,
            )


def _seed_too(evidence: list[Case]) -> str:
    return next((case.suggested_seed_clause for case in evidence if case.suggested_seed_clause), "")


def _advise(evidence: list[Case], once: bool) -> str:
    """Return what to write: a claim about the classifiers, or a design for learners unless a claim needs this one."""
    seed = _seed_too(evidence)
    of_classifiers = any(claim.this_classifier for case in evidence for claim in case.claims)
    named = any(judged.written for case in evidence for judged in case.tests)  # a test for one training
    again = f"write using 10x2cv by corrected-t{seed}" if named else f"compare with 10x2cv{seed}"
    ways = ["write claim this classifier …"] * once + [again] * (not (once and of_classifiers))
    return ", or ".join(ways)


def _of_this_classifier(facts: Facts, claim: Claim) -> Fix:
    word = find_word(facts, claim.span, "claim")
    after = Span(word.path, word.end + 1, word.end + 1)
    return insert_this_classifier("claim it of these trained classifiers", after)


@rule("EV710", "estimates-side-by-side", "warning", needs=("dataset",))
def estimates_side_by_side(facts: Facts) -> Iterator[Finding]:
    """Two estimates stand where a comparison was meant.

    ## What it finds
    Estimates of different learners on the same data by the same scheme and metric, and no comparison of them.

    ## Why it matters
    A reader will compare the two numbers. Whether their difference is chance only a test of the pairs can say, and two
    intervals that overlap do not answer it.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    estimate decision-tree on tumours using 10cv, seed 20
    estimate naive-bayes on tumours using 10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, seed 20
    ```

    ## When it is fine
    When nobody asks which is better: `allow EV710 because "…"`.

    ## References
    Bradford and Brodley 2001, section 1, which names comparing accuracy directly among the popular ways.
    """
    compared = [(set(c.comparison.learners), set(c.comparison.datasets)) for c in facts.compared]
    groups: dict[object, list[Case]] = {}
    for case in facts.cases:
        c = case.comparison
        if c.estimate and c.data == "datasets" and not c.this_classifier:
            groups.setdefault((c.datasets, c.scheme, c.metrics), []).append(case)
    for same in groups.values():
        learners = list(dict.fromkeys(name for case in same for name in case.comparison.learners))
        datasets = same[0].comparison.datasets
        if len(learners) > 1 and not any(set(learners) <= who and set(datasets) <= there for who, there in compared):
            yield estimates_side_by_side.finding(
                f"{listed(learners)} are each estimated on {listed(datasets)}, and nothing compares them",
                f"write compare {' vs '.join(learners[:4])} on {listed(datasets)}",
                at=same[1].at(same[1].comparison.span),
            )


@rule("EV711", "claim-out-of-reach", "error", needs=("test", "scheme", "learner", "dataset", "claim"))
def claim_out_of_reach(facts: Facts) -> Iterator[Finding]:
    """However the data falls, the design could not support the claim.

    ## What it finds
    `better than` from a comparison without a test, from tost alone, or against the side that `expecting` names.

    ## Why it matters
    The claim can only end as not settled, whatever was found.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, by tost, rope 5%, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, rope 2%, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## When it is fine
    Never.

    ## References
    Ours.
    """
    for claim in claims_made(facts):
        evidence = facts.evidence(claim)
        reasons = [reason for case in evidence if (reason := _out_of_reach(claim, case)) is not None]
        if claim.relation == "better" and reasons and len(reasons) == len(evidence):
            message, help = reasons[0]
            yield claim_out_of_reach.finding(message, help, at=place_of(claim))


def _out_of_reach(claim: Claim, case: Case) -> tuple[str, str] | None:
    comparison = case.comparison
    against = comparison.expecting is not None and comparison.expecting == claim.right
    if case.scheme is not None and not case.tests and not case.says("by"):
        why = f": {comparison.over_note}" if comparison.over_note else ""
        help = f"write using 10x2cv{case.suggested_seed_clause}, which has a test"
        return f"nothing is tested in {comparison.name}{why}", f"leave out `expecting` and {help}" if against else help
    equivalence = bool(case.tests) and all(judged.card.name == "tost" for judged in case.tests)
    if against:
        return (
            f"{comparison.name} tests whether {claim.right} is better, so it cannot show that {claim.left} is",
            "leave out `expecting`" + ("" if equivalence else ", or turn the claim round"),
        )
    if case.scheme is None or not case.tests:
        return None  # the test is unknown, which EV002 reports
    if equivalence:
        return (
            f"tost can show that {claim.left} and {claim.right} differ by little; which is better it cannot",
            _without_tost(case),
        )
    return None


def _without_tost(case: Case) -> str:
    """Return what to write for a test of difference: the default one, where the scheme has one."""
    scheme = case.scheme
    judged = scheme is not None and (scheme.one_test_set or (bool(scheme.test) and not scheme.disjoint))
    return "leave out `by` and `rope`" + ("" if judged else f" and write using 10x2cv{case.suggested_seed_clause}")
