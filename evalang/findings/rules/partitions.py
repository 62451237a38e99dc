"""EV3: random splits and seeds."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...catalogue.corrections import find_correction
from ...catalogue.metrics import find_metric
from ...catalogue.schemes import find_scheme
from ...catalogue.tests import CURTAILED
from ...data.profile_facts import Profile
from ...language.text import Finding, Subject, counted, listed, listed_names, number, one, percent
from ...ledger.designs import describe_value, design_of
from ...plans.model import Comparison, Scheme
from ..case import Case, Place
from ..facts import Facts, NotApplicable, each_comparison, each_dataset_read
from ..misfit import find_default_test
from ..reach import asks_about_learners, find_table_floors, fix_this_classifier, random_and_trained_once
from ..rule import Rule, add_clause, advise_for_learner, place_of, replace_words, rule, swap_test
from ..wording import best_of_runs, texts

if TYPE_CHECKING:
    from ...results.records import ScoreRow
    from ...results.run_result import RunResult

RARE_CLASS = 0.10  # ours, after D 3.4: a class under 10% of the rows
FEWEST_OF_CLASS = 5  # ours: fewer rows of a class in a fold vary too much
LARGER = 1.5  # ours: training sets half as large again count as larger
CLEARLY = 2.0  # ours: better by two standard errors
WILD_SWING = 0.25  # ours, after D 7, where error rates went from 0.1 to 0.9: a quarter of the metric's range
FLIPS_CV = 0.070  # B Table 4: share of single 10cv conclusions that turn with the partition
FLIPS_5X2CV = 0.126  # B Table 4: the same for a single 5x2cv
HALVES = "10x2cv"  # offered in repairs: of what was measured (the study of levels) the cheapest that holds and finds
WHOLE = "10 halvings of 10x10cv"  # the same at nearly all rows, by halving-t
HALVES_ERROR = 0.053  # highest type I error of corrected-t on it, over learners, sizes and nulls
SEED = 1  # offered in repairs; any number will do as long as it was fixed beforehand
FIRST_LOOK = 4  # repeats before the first analysis; the fewest simulated (docs/design/stopping-early.md)


@rule("EV301", "one-partition", "warning", needs=("test", "scheme"), each=each_comparison)
def one_partition(facts: Facts, case: Case) -> Iterator[Finding]:
    """One cross-validation is the only evidence for a conclusion.

    ## What it finds
    The rule finds a comparison on one `Kcv` (not repeated) by a test of fold scores, named in the script or chosen by
    default. The rule ignores estimates and tests of the pooled predictions (`by mcnemar`).

    ## Why it matters
    A different random split of the same rows may change the conclusion. Bradford and Brodley split each of 23 datasets
    55 times. Of 2,530 conclusions that each used one 10-fold cross-validation, 176 (7.0%, Table 4) differed from the
    conclusion of all 55 splits together.

    Which scheme is better? Our study of levels gives the highest type I error at level .05:
    - `10x10cv` with corrected-t or averaged-t has a type I error of up to .21 with unstable learners. More repeats
      make the result more stable, but do not reduce this error.
    - `10x2cv` with corrected-t has a type I error of up to .053. `10x2cv` has about twice the power of one 10cv and
      trains on half of the rows.
    - `10 halvings of 10x10cv` with halving-t has a type I error of up to .055 (.064 with stumps). Halvings train on
      nearly all rows, but need twenty times as many fits as one 10cv.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if one fit takes days. The rule ignores folds that are read from a column (`using given folds`).

    ## References
    Bradford and Brodley 2001, sections 3 and 4, Table 4.
    """
    comparison, scheme = case.comparison, case.comparison.scheme
    if scheme is None or not scheme.card.one_kcv or any(dataset.time for dataset in case.datasets):
        return  # shuffled time is EV107
    tests = [j.card.name for j in case.tests if j.card.evidence == "fold-scores" and not j.over]
    if not tests or comparison.name in facts.misfits:
        return
    keeps = set(tests) <= {"corrected-t"}  # another test by name would be wrong on halves too
    anew = comparison.data == "datasets"  # scores of a table are there already
    yield one_partition.finding(
        f"`{scheme.text}` is one random split, and a different split may change the conclusion: after reshuffling, "
        f"{FLIPS_CV:.1%} of such conclusions changed (Bradford & Brodley 2001)",
        f"{_halved(case, keeps)}: the type I error of `corrected-t` is then at most {HALVES_ERROR:.1%} at level 5%",
        at=case.at(case.scheme_span),
        fix=replace_words(f"use {HALVES}", case.scheme_span, case.like_scheme(HALVES), safe=False)
        if keeps and anew
        else None,
    )


def _halved(case: Case, keeps: bool) -> str:
    """Return what to do; scores of a table cannot be reshuffled, and `made using` only says how they were made."""
    halves = case.like_scheme(HALVES)
    if case.comparison.data == "datasets":
        return f"{'' if keeps else 'leave out `by` and '}write `using {halves}`"
    return f"{'' if keeps else 'leave out `by`, and '}train again with `{halves}` if you can"


def _wrong_shape(facts: Facts, own: Rule) -> Iterator[Finding]:
    """Yield the misfits of a rule about tests that the scheme's folds do not suit."""
    for case in facts.cases:
        for misfit in facts.misfits.get(case.comparison.name, ()):
            if misfit.code == own.code:
                # On one partition the swap alone would end in EV301.
                alone = case.scheme is not None and case.scheme.one_kcv
                fix = None if alone else swap_test(case, misfit.test, find_default_test(case))
                yield own.finding(misfit.message, misfit.help, at=case.at(misfit.test.span), fix=fix)


@rule("EV302", "folds-as-trials", "error", needs=("test", "scheme"))
def folds_as_trials(facts: Facts) -> Iterator[Finding]:
    """A t-test counts folds that share rows as independent.

    ## What it finds
    The rule finds `kfold-t` or `paired-t` on RxKcv, on several random splits, on resamples or on bootstrap samples of
    one dataset.

    ## Why it matters
    The 100 scores of ten 10-fold cross-validations come from the same rows, but the t-test counts them as 100
    independent results. The p-value becomes smaller with every repeat. In our simulation of two equal learners on
    10x10cv, the test was significant at level 5% in more than half of the cases.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by kfold-t, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by partition-t, seed 20
    ```

    ## When it is fine
    This test never supports a conclusion. `simulate` accepts the test, to show its type I error.

    ## References
    Salzberg 1997, section 3.5; Dietterich 1998, section 5; Nadeau and Bengio 2003.
    """
    yield from _wrong_shape(facts, folds_as_trials)


@rule("EV303", "not-five-by-two", "error", needs=("test", "scheme"))
def not_five_by_two(facts: Facts) -> Iterator[Finding]:
    """A 5x2cv test is used with another scheme.

    ## What it finds
    The rule finds `5x2cv-t` or `5x2cv-f` with any scheme except `5x2cv`.

    ## Why it matters
    The formula is made for five repeats of two folds. With other folds the statistic has a different distribution, so
    the p-value is wrong.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by 5x2cv-t, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, by 5x2cv-t, seed 20
    ```

    ## When it is fine
    Never.

    ## References
    Dietterich 1998, section 3.5.
    """
    yield from _wrong_shape(facts, not_five_by_two)


@rule("EV304", "pooled-p-values", "error", needs=("test", "scheme"))
def pooled_p_values(facts: Facts) -> Iterator[Finding]:
    """A test over datasets is used on the folds of one dataset.

    ## What it finds
    The rule finds `wilcoxon` or `sign` on the folds or random splits of one dataset.

    ## Why it matters
    These tests treat all scores as independent, but the folds of one dataset share rows. With enough random splits, any
    difference becomes significant.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10 partitions of 10cv, by wilcoxon, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10 partitions of 10cv, by partition-t, seed 20
    ```

    ## When it is fine
    There is no problem if you test one score for each of several datasets.

    ## References
    Bradford and Brodley 2001, section 4.
    """
    yield from _wrong_shape(facts, pooled_p_values)


@rule("EV307", "half-trained", "warning", stage="run")
def half_trained(facts: Facts) -> Iterator[Finding]:
    """Learners that are trained on half of the rows score clearly worse.

    ## What it finds
    After the run, the rule finds a learner under 5x2cv that scored better, by at least two standard errors, in a second
    comparison on the same dataset with training sets that are at least 1.5 times as large. Both bounds are our own
    choice.

    ## Why it matters
    The comparison answers which learner is better when trained on half of the rows. When the learners are trained on
    all rows, a different learner may be better.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, holm over everything, seed 20
    compare decision-tree vs naive-bayes on tumours using 10x10cv, holm over everything, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    ```

    ## When it is fine
    There is no problem if the learners will also be trained on so few rows in production.

    ## References
    Bradford and Brodley 2001, section 3; Dietterich 1998, section 3.5.
    """
    assert facts.run is not None
    halves = {name for name, case in facts.by_name.items() if case.scheme is not None and case.scheme.five_by_two}
    known = [s for s in _series_of(facts.run, facts.by_name) if s.training_rows] if halves else []
    others: dict[tuple[object, ...], list[_Series]] = {}
    for series in known:
        others.setdefault(series[1:4], []).append(series)
    larger = [
        (half, other)
        for half in known
        for other in others[half[1:4]]
        if half.comparison in halves and other.training_rows >= LARGER * half.training_rows
    ]
    if not larger:
        raise NotApplicable("no learner of a 5x2cv was also run on larger training sets of the same data")
    from statistics import fmean

    reported: set[_Series] = set()
    for half, other in larger:
        gain = _sign(half.metric) * (fmean(other.scores) - fmean(half.scores))
        if gain > CLEARLY * math.hypot(_error(half.scores), _error(other.scores)) and half not in reported:
            reported.add(half)
            yield half_trained.finding(
                f"under `5x2cv`, learner `{half.learner}` has {int(half.training_rows)} training rows of dataset "
                f"`{half.dataset}` and a mean `{half.metric}` of {number(fmean(half.scores))}; with "
                f"{int(other.training_rows)} rows (`{other.comparison}`) it has {number(fmean(other.scores))}",
                "write `using 10x10cv`, which trains on 90% of the rows: a different learner may be better then",
                at=_series_place(facts, half),
            )


class _Series(NamedTuple):
    """What one learner scored in each repeat; in each fold where there is one repeat."""

    comparison: str
    dataset: str
    metric: str
    learner: str
    scores: tuple[float, ...]
    training_rows: float  # mean size of the training sets; 0 when it is not known


def _series_of(run: RunResult, comparisons: Collection[str]) -> Iterator[_Series]:
    """Yield every complete series of these comparisons of a run."""
    from statistics import fmean

    compared = {c.name for c in run.plan.comparisons if not c.estimate and c.name in comparisons}
    found: dict[tuple[str, str, str, str], list[ScoreRow]] = {}
    for row in run.scores.rows() if compared else ():
        if row.comparison in compared:
            found.setdefault((row.comparison, row.dataset, row.metric, row.learner), []).append(row)
    for place, rows in found.items():
        single = len({row.partition for row in rows}) == 1
        units: dict[int, list[float]] = {}
        for row in rows:
            score = math.nan if row.score is None else row.score
            units.setdefault(row.fold if single else row.partition, []).append(score)
        scores = tuple(fmean(unit) for unit in units.values())
        if not any(map(math.isnan, scores)):
            yield _Series(*place, scores, fmean(row.trained for row in rows))


def _error(scores: tuple[float, ...]) -> float:
    """Return the standard error of the mean."""
    from statistics import stdev

    return stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else math.inf


def _series_place(facts: Facts, series: _Series) -> Place:
    case = facts.by_name[series.comparison]
    return case.at(case.scheme_span, dataset=series.dataset, metric=series.metric, learners=(series.learner,))


def _sign(metric: str) -> int:
    card = find_metric(metric.partition("(")[0])
    return card.sign if card else 1


@rule("EV308", "rare-class-unstratified", "warning", stage="data", needs=("scheme", "dataset"))
def rare_class_unstratified(facts: Facts) -> Iterator[Finding]:
    """A rare class is split without stratification.

    ## What it finds
    The rule finds `unstratified`, when a class has less than 10% of the rows or fewer than five rows per fold. Both
    bounds are our own choice.

    ## Why it matters
    Some folds then have hardly any rows of the class, so scores vary between folds for this reason alone.

    ## Example
    ```eval,bad
    dataset fraud from synthetic gaussians(n = 2000, share = 0.05) because "the shape of the bank's records"
    compare decision-tree vs naive-bayes on fraud using unstratified 10x10cv, measuring balanced-accuracy, seed 20
    ```

    ## Use instead
    ```eval
    dataset fraud from synthetic gaussians(n = 2000, share = 0.05) because "the shape of the bank's records"
    compare decision-tree vs naive-bayes on fraud using 10x10cv, measuring balanced-accuracy, seed 20
    ```

    ## When it is fine
    There is no problem if the share of the class will vary as much in production.

    ## References
    The rule is our own choice, based on Dietterich 1998, section 1, question 6, which takes stratified folds from
    Kohavi 1995. Bradford and Brodley (section 3) saw no consistent effect of stratifying on significance values.
    """
    asked = [case for case in facts.cases if case.comparison.scheme and case.comparison.scheme.stratified is False]
    if not asked:
        raise NotApplicable("no scheme is unstratified")
    for case, name, profile in each_dataset_read(facts):
        scheme = case.comparison.scheme
        rare = profile.smallest_class
        if scheme is None or scheme.stratified is not False or rare is None or not profile.rows:
            continue
        share, each = rare[1] / profile.rows, rare[1] / max(scheme.folds, 1)
        if share < RARE_CLASS or each < FEWEST_OF_CLASS:
            yield rare_class_unstratified.finding(
                f'class "{rare[0]}" has {percent(share)} of the rows of dataset `{name}`, about {number(each)} per '
                "fold: without stratification some folds have hardly any of them",
                "leave out `unstratified`: every fold then has the same percentage of each class",
                at=case.at(case.scheme_span, dataset=name),
            )


@rule("EV309", "wild-replications", "warning", stage="run")
def wild_replications(facts: Facts) -> Iterator[Finding]:
    """Scores vary too much between repeats for a 5x2cv test.

    ## What it finds
    After a 5x2cv, the rule checks whether the score of a learner differs between two of the five repeats by at least a
    quarter of the metric's range. The bound is our own choice.

    ## Why it matters
    The test estimates the variance from the repeats. Dietterich found that the test fails on simulated data whose error
    rates varied from 0.1 to 0.9 between repeats. Dietterich advises to check the error rates (section 7).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    ```

    ## When it is fine
    Never for 5x2cv-t. With partition-t on many folds, the interval includes this variation.

    ## References
    Dietterich 1998, section 7.
    """
    assert facts.run is not None
    names = {name for name, case in facts.by_name.items() if case.scheme is not None and case.scheme.five_by_two}
    if not names:
        raise NotApplicable("nothing was run with 5x2cv")
    for half in _series_of(facts.run, names):
        card = find_metric(half.metric.partition("(")[0])
        if card is None or card.low is None or card.high is None:
            continue
        means = half.scores
        if max(means) - min(means) >= WILD_SWING * (card.high - card.low):
            yield wild_replications.finding(
                f"the `{half.metric}` of learner `{half.learner}` on dataset `{half.dataset}` varies from "
                f"{number(min(means))} to {number(max(means))} between the five repeats of `5x2cv`: the p-value is "
                "unreliable (Dietterich 1998)",
                "write `using 10x10cv, by partition-t`, and find out why the repeats differ",
                at=_series_place(facts, half),
            )


@rule("EV310", "no-seed", "warning", needs=("test", "scheme", "learner", "dataset", "seed"))
def no_seed(facts: Facts) -> Iterator[Finding]:
    """A random step has no seed.

    ## What it finds
    The rule finds a comparison, estimate or simulation with a random scheme, learner, tuning part or test, but without
    `seed` and without `set seed`. A test that draws no random numbers needs no seed on results or predictions.

    ## Why it matters
    Without a seed the run cannot be repeated exactly, and an unwanted result could be replaced by running again. A
    simulation without a seed uses seed 0, but the script does not show this.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem in a first experiment whose numbers you do not report.

    ## References
    None. The rule is our own choice.
    """
    untested = {f.case.comparison.name for f in find_table_floors(facts) if f.units < f.card.min_units}
    for case in facts.cases:
        comparison = case.comparison
        if comparison.seed is not None or case.has_clause("seed") or comparison.name in untested:
            continue
        random = random_parts(case)
        if random:
            yield no_seed.finding(
                f"no seed is set for {listed(_steps(case))}, so the run cannot be repeated exactly",
                f"add `seed {SEED}` (any number, fixed before the run), or `set seed {SEED}` for the whole script",
                at=case.at(
                    case.scheme_span if random[0] not in case.comparison.learners else case.learner_span(random[0]),
                    "by",
                ),
                fix=add_clause(facts, comparison.span, f"seed {SEED}"),
            )
    for simulation in facts.plan.simulations:
        if not any(name == "seed" for name, _ in simulation.settings):
            yield no_seed.finding(
                "no seed is set, so this simulation uses seed 0, which the script does not show",
                f"add `seed {SEED}` to the simulation",
                at=place_of(simulation),
                fix=add_clause(facts, simulation.span, f"seed {SEED}"),
            )


def _steps(case: Case) -> list[str]:
    """Return the random steps in words: training a learner, drawing rows, a test that draws."""
    learners = {traits.name for traits in case.learners}
    tests = {judged.card.name for judged in case.tests}
    words = {name: f"training `{name}`" for name in learners} | {name: f"the test `{name}`" for name in tests}
    return [
        words.get(name, name if name.startswith("drawing ") else f"splitting the rows by `{name}`")
        for name in random_parts(case)
    ]


def random_parts(case: Case) -> list[str]:
    """Return what draws random numbers in a comparison."""
    comparison = case.comparison
    found: list[str] = []
    if comparison.data == "datasets" and comparison.scheme and case.scheme and case.scheme.random:
        found.append(comparison.scheme.text or case.scheme.title)
    found += [traits.name for traits in case.learners if traits.random]
    if comparison.tuning is not None and comparison.tuning.value.where in ("part", "cv"):
        found += ["drawing the tuning rows"] if any(traits.learner.grids for traits in case.learners) else []
    found += [judged.card.name for judged in case.tests if judged.card.random]
    return found


@rule("EV311", "run-once", "warning", needs=("scheme", "learner"), each=each_comparison)
def run_once(facts: Facts, case: Case) -> Iterator[Finding]:
    """A learner with random training is trained once.

    ## What it finds
    The rule finds `holdout` or `given test` with a learner whose training is random and that has no `train N times`.
    Training is random for neural-net, random-forest, and bagged and boosted learners, but not for decision-tree. The
    rule ignores comparisons and claims about `this classifier`.

    ## Why it matters
    If the same network is trained again on the same rows, a different learner may win. One training does not measure
    this variation (Dietterich 1998, section 1). `train N times` measures it for this training set, but not for other
    training sets (EV404, EV707).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare random-forest vs naive-bayes on tumours using holdout 1/3, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner forest is random-forest, train 5 times
    compare forest vs naive-bayes on tumours using holdout 1/3, seed 20
    ```

    ## When it is fine
    If the question is about the one classifier that was trained, write `compare this classifier …`.

    ## References
    Dietterich 1998, section 1.
    """
    once = random_and_trained_once(case)
    if once and asks_about_learners(case):
        yield run_once.finding(
            f"{one(once, 'learner', 'learners')} {listed_names(once)} {one(once, 'is', 'are')} trained once, but "
            f"{one(once, 'its', 'their')} training is random: training again may change the result",
            _trained_again(case, once) + "write `compare this classifier …` if the question is about the trained "
            f"{one(once, 'classifier', 'classifiers')}",
            at=case.at(case.learner_span(once[0])),
            fix=fix_this_classifier(case),
        )


def _trained_again(case: Case, once: list[str]) -> str:
    """Return advice to train again; nothing where a claim is about the trained classifiers."""
    if any(claim.this_classifier for claim in case.claims):
        return ""
    of = [t for t in case.learners if t.name in once]
    ways = [advise_for_learner(t, "trained 5 times" if t.learner.described else "train 5 times") for t in of]
    return f"either {' and '.join(ways)}{', and leave out `by`' if case.has_clause('by') else ''}, or "


@rule("EV312", "one-five-by-two", "note", needs=("test", "scheme"), each=each_comparison)
def one_five_by_two(facts: Facts, case: Case) -> Iterator[Finding]:
    """5x2cv-t uses five random splits, and other splits may change the result.

    ## What it finds
    The rule finds a comparison on `5x2cv` by 5x2cv-t or 5x2cv-f. The default test on `5x2cv` is corrected-t.

    ## Why it matters
    Bradford and Brodley repeated 5x2cv tests 55 times on each of 23 datasets. Of 2,530 conclusions from one test, 320
    (12.6%, Table 4) differed from the conclusion of all 55 tests together. For one 10-fold cross-validation the share
    was 7.0%.

    In our study of levels corrected-t had a type I error of at most .054 on 5x2cv and on 10x2cv, with more power on
    10x2cv. 5x2cv and 10x2cv train on half of the rows. `10 halvings of 10x10cv` trains on nearly all rows and has a
    type I error of at most .055 (.064 with stumps).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, by 5x2cv-t, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if the p-value is far from the level. The finding is only a note.

    ## References
    Bradford and Brodley 2001, section 4, Table 4.
    """
    halves = any(judged.card.name in ("5x2cv-t", "5x2cv-f") for judged in case.tests)
    if halves and case.scheme is not None and case.scheme.five_by_two:
        yield one_five_by_two.finding(
            f"other random splits may change the conclusion of one 5x2cv: {percent(FLIPS_5X2CV)} of such conclusions "
            "changed after reshuffling (Bradford & Brodley 2001)",
            f"{_halved(case, True)} and `by corrected-t`: this takes twice the fits and has more power",
            at=case.at(case.scheme_span),
        )


@rule("EV318", "cannot-be-settled-early", "error", each=each_comparison)
def cannot_be_settled_early(facts: Facts, case: Case) -> Iterator[Finding]:
    """`until conclusive` is used where stopping early would give too many false positives, or no answer.

    ## What it finds
    The rule finds `until conclusive` (also written `until settled`) in these cases:
    - The scheme is not a repeated cross-validation.
    - There are fewer than four repeats before the first interim analysis, or only one analysis in all.
    - The test is a test over datasets, or is not computed from means over repeats.
    - In the correction, the level of one test depends on the other p-values, as with holm.
    - The script has `failures`, an equivalence margin, or a claim about the size of a difference.

    ## Why it matters
    The first repeats predict the test statistic of all repeats, with a known error. evalang stops when the whole
    prediction interval is on one side of the critical value. The false-positive rate is then at most that of the full
    design plus .005, but only if the critical value is known in advance. The question must also be whether there is a
    difference, because the size of a difference can only be estimated with all repeats.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 20x2cv, until settled within 5 looks
      holm over learners, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 20x2cv, until settled within 5 looks
      bonferroni over learners, seed 20
    ```

    ## When it is fine
    Never. Remove `until conclusive`.

    ## References
    Lan, Simon and Halperin 1982. The bounds are our own choice.
    """
    if case.comparison.until_settled is None or case.comparison.name in facts.misfits:
        return
    wrong = _not_curtailed(case)
    if wrong is not None:
        yield cannot_be_settled_early.finding(
            f"comparison `{case.comparison.name}` cannot stop early (`until`): {wrong[0]}",
            wrong[1],
            at=case.at("until"),
        )


def _is_reshuffled(scheme: Scheme) -> bool:
    """Whether the rows are reshuffled for every partition."""
    card = find_scheme(scheme.kind)
    return card is not None and card.k_fold and bool(card.counts) and not scheme.halvings


def _not_curtailed(case: Case) -> tuple[str, str] | None:
    """Why stopping early would not keep the level, and what to write."""
    comparison, scheme = case.comparison, case.comparison.scheme
    if scheme is None or comparison.data != "datasets" or not _is_reshuffled(scheme):
        kind = f"scheme `{scheme.text}`" if scheme is not None and scheme.text else "its scheme"
        return f"{kind} is not a repeated cross-validation", "write `using 20x2cv`"
    counts = comparison.look_counts
    if len(counts) < 2:
        return "its only analysis is at the end", "write `within 5 looks`"
    if counts[0] < FIRST_LOOK:
        most = max(scheme.groups // FIRST_LOOK, 1)
        help = f"write `within {most} looks`" if most > 1 else "use 20 repeats or more"
        done = f"{counts[0]} of {scheme.groups} repeats"
        return f"its first interim analysis is after {done}, and at least {FIRST_LOOK} are needed", help
    return _other_question(case) or _other_level(case)


def _other_question(case: Case) -> tuple[str, str] | None:
    comparison = case.comparison
    tests = [j.card.name for j in case.tests if not j.over]
    strange = next((name for name in tests if name not in CURTAILED), None)
    if strange is not None or not tests:
        what = f"test `{strange}` is not computed from means over repeats" if strange else "it has no test"
        unsized = " and leave out the equivalence margin" if comparison.rope is not None else ""  # which asks how large
        return what, f"write `by {find_default_test(case)}`{unsized}"
    if any(j.over for j in case.tests):
        return "a test over datasets needs all scores", f"write `by {tests[0]}`"
    sized = [claim for claim in case.claims if claim.relation != "better"]
    if sized or comparison.rope is not None:
        asks = f"claim `{sized[0].name}`" if sized else "its equivalence margin"
        return (
            f"the size of the difference must be estimated for {asks}, which needs all repeats",
            "leave out `until`",
        )
    return None


def _other_level(case: Case) -> tuple[str, str] | None:
    comparison = case.comparison
    correction = comparison.correction
    if comparison.failures != "undecided":
        return "`failures` needs the scores of later folds", "leave out `failures`"
    card = find_correction(correction.method) if correction is not None else None
    if correction is not None and ("everything" in correction.over or correction.so_far):
        return (
            "its level depends on the tests of other statements",
            "write `bonferroni over learners`, or `bonferroni over datasets`",
        )
    if card is not None and card.stepwise:
        over = ", ".join(correction.over) if correction is not None else "learners"
        return (
            f"with correction `{card.name}` the level of one test depends on the p-values of the other tests",
            f"write `bonferroni over {over}`",
        )
    return None


@rule("EV319", "more-folds-than-groups", "error", stage="data", needs=("scheme", "dataset"), each=each_dataset_read)
def more_folds_than_groups(facts: Facts, case: Case, name: str, profile: Profile) -> Iterator[Finding]:
    """A grouped scheme has more folds than the data has groups.

    ## What it finds
    The rule finds a grouped scheme, such as `grouped 10cv`, on a dataset with fewer groups than folds.

    ## Why it matters
    All rows of a group are in the same fold. With fewer groups than folds, some folds would be empty, so the run is
    impossible.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted", groups "clinic" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using grouped 10x20cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", groups "clinic" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using grouped 10x2cv, seed 20
    ```

    ## When it is fine
    Never.

    ## References
    None. The rule is our own choice.
    """
    scheme = case.comparison.scheme
    if scheme is None or not scheme.grouped or profile.groups is None or profile.groups >= scheme.folds:
        return
    fewer = f"grouped {max(profile.groups, 2)}cv" if case.comparison.estimate else f"grouped {HALVES}"
    yield more_folds_than_groups.finding(
        f"dataset `{name}` has {counted(profile.groups, 'group')}, but `{scheme.text}` needs at least {scheme.folds}, "
        "one for each fold",
        f"write `using {fewer}`, which has fewer folds",
        at=case.at(case.scheme_span, dataset=name),
    )


@rule("EV320", "failures-left-out", "warning", each=each_comparison)
def failures_left_out(facts: Facts, case: Case) -> Iterator[Finding]:
    """Folds in which a learner fails are left out of its score.

    ## What it finds
    The rule finds `failures leave out the fold` in a comparison.

    ## Why it matters
    A learner rarely fails by chance. A learner that fails usually runs out of time or memory, or does not converge, on
    data that is hard for it. Without these folds, its mean score is better than it should be.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, failures leave out the fold, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, failures count as worst, seed 20
    ```

    ## When it is fine
    If the failures are unrelated to the learners, such as a machine that was shut down, write `allow EV320 because
    "…"`.

    ## References
    None. The rule is our own choice.
    """
    if case.comparison.failures == "leave-out" and case.comparison.until_settled is None:
        yield failures_left_out.finding(
            f"folds in which {listed_names(case.comparison.learners, 'or')} fails are left out: a learner that fails "
            "on hard folds then scores better than it should",
            "write `failures count as worst`, or leave out `failures` (a failed fold then makes the comparison "
            "inconclusive)",
            at=case.at("failures"),
        )


@rule("EV325", "best-of-seeds", "error", needs=("learner", "dataset"))
def best_of_seeds(facts: Facts) -> Iterator[Finding]:
    """The same comparison is run under several seeds.

    ## What it finds
    The rule finds two or more comparisons of a script that differ only in their seed. The rule also warns if the name,
    the description or the reason of a learner says "best of 5 seeds", "max over 3 runs" or similar.

    ## Why it matters
    The best result can be picked after the run. In Bradford and Brodley's study 496 of 5,060 conclusions (9.8%) changed
    with the random split alone (section 4).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, holm over everything, seed 1
    compare decision-tree vs naive-bayes on tumours using 5x2cv, holm over everything, seed 2
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, seed 1
    ```

    ## When it is fine
    If you want to show how much the seed matters, and report all results, write `allow EV325 because "…"`.

    ## References
    Bradford and Brodley 2001, section 4.
    """
    groups: dict[object, list[Case]] = {}
    for case in _on_the_same_data(facts):
        groups.setdefault(_but_for_the_seed(facts, case.comparison), []).append(case)
    yield from _best_by_its_own_words(facts)
    for same in groups.values():
        names = [case.comparison.name for case in same]
        seeds = [str(case.comparison.seed.value) for case in same if case.comparison.seed]
        if len(set(seeds)) > 1:
            yield best_of_seeds.finding(
                f"comparisons {listed_names(names)} differ only in their seed ({listed(seeds)}): readers may suspect "
                "that the best result is reported",
                "keep one of these comparisons, and use more repeats (`using 10x2cv`) or `train 5 times` instead of "
                "more seeds",
                at=same[1].at("seed"),
            )


def _best_by_its_own_words(facts: Facts) -> Iterator[Finding]:
    """Report learners whose name, description or reason says that the best of several seeds or attempts was taken."""
    said = {one.name: words for one in texts(facts, "learner") if (words := best_of_runs(one.text))}
    seen: set[str] = set()
    for case in facts.compared:
        for name in case.comparison.learners:
            found = best_of_runs(name) or said.get(name)
            if found and name not in seen:
                seen.add(name)
                yield best_of_seeds.finding(
                    f'learner `{name}` is "{found}": the best of several scores is better than a typical score',
                    "report the mean of all scores; if a different dataset decided which is best, write `allow EV325 "
                    'because "…"`',
                    at=case.at(case.learner_span(name), learners=(name,)),
                    level="warning",
                )
    for text in texts(facts, "dataset", "results", "comparison"):
        if found := best_of_runs(text.text):
            yield best_of_seeds.finding(
                f'the reason of {text.kind} `{text.name}` says "{found}": the best of several scores is better than a '
                "typical score",
                "use the scores of all runs, or their mean",
                at=Place(text.span, Subject(statement=text.name)),
                level="warning",
            )


def _on_the_same_data(facts: Facts) -> Iterator[Case]:
    """Yield the comparisons with a seed whose data another seed is used on too."""
    seeds: dict[frozenset[str], set[int]] = {}
    seeded = [(case, case.comparison.seed) for case in facts.cases]
    for case, seed in seeded:
        if seed is not None:
            seeds.setdefault(frozenset(case.comparison.datasets), set()).add(seed.value)
    for case, seed in seeded:
        if seed is not None and len(seeds[frozenset(case.comparison.datasets)]) > 1:
            yield case


def _but_for_the_seed(facts: Facts, comparison: Comparison) -> tuple[object, ...]:
    """Return a key of the design without its seed, independent of the order of learners and of suites."""
    design = {
        word: value for word, value in design_of(facts.plan, comparison).items() if word not in ("seed", "learners")
    }
    return (
        frozenset(comparison.datasets),
        frozenset(map(facts.plan.learner, comparison.learners)),
        describe_value(design),
    )
