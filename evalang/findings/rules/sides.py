"""EV22: differences between the sides of a comparison besides the learner."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...language.text import Finding, Subject, listed_names, number, one
from ...plans.model import Dataset
from ..case import Case, Place, Traits, equivalence_key
from ..facts import Facts, each_case, each_comparison
from ..rule import rule
from .tuning import BUDGET_RATIO

# Steps that change which rows or columns are learned from; scaling and filling in are what a learner may need.
_SELECTING = ("select", "pca", "polynomial", "target-encode", "discretize", "drop")


@rule("EV220", "stopped-on-test", "error", needs=("learner",))
def stopped_on_test(facts: Facts) -> Iterator[Finding]:
    """Early stopping used the test rows.

    ## What it finds
    A learner that is described as `stopped early on test`.

    ## Why it matters
    The epoch with the best test score is the best of as many tries as there are epochs, so the reported score is too
    good. Everything that modifies an algorithm must be done before seeing the test data (Salzberg 1997, section 3.3).

    ## Example
    ```eval,bad
    dataset reviews described as 5000 rows, 2 classes, because "the shop's own"
    learner net described as "our network", randomised, stopped early on test
    compare net vs naive-bayes on reviews using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset reviews described as 5000 rows, 2 classes, because "the shop's own"
    learner net described as "our network", randomised, stopped early on 10%
    compare net vs naive-bayes on reviews using 5x2cv, seed 20
    ```

    Where evalang trains the learners, write `stop early on 10%` in the comparison; it uses the same rows for all of
    them.

    ## When it is fine
    Never.

    ## References
    Salzberg 1997, section 3.3.
    """
    for case, traits in _used(facts):
        description = traits.learner.described
        if description is not None and description.stopped_on_test:
            yield stopped_on_test.finding(
                f"training of learner `{traits.name}` was stopped where its test score was best, so that score is too "
                "good",
                f"write `stopped early on 10%` in learner `{traits.name}`, so that a part of the training rows decides",
                at=case.at(description.span),
            )


@rule("EV221", "threshold-on-test", "error", each=each_case)
def threshold_on_test(facts: Facts, case: Case) -> Iterator[Finding]:
    """The threshold is chosen on the test rows.

    ## What it finds
    `threshold on test`.

    ## Why it matters
    The best of many thresholds on the test rows has a score that is too good on those rows, like any setting chosen
    there (Salzberg 1997, section 3.3).

    ## Example
    ```eval,bad
    dataset reviews described as 5000 rows, 2 classes, positive "bad", because "the shop's own"
    compare decision-tree vs random-forest on reviews using 5x2cv
      measuring f-score, threshold on test for f-score, seed 20
    ```

    ## Use instead
    ```eval
    dataset reviews described as 5000 rows, 2 classes, positive "bad", because "the shop's own"
    compare decision-tree vs random-forest on reviews using 5x2cv
      measuring f-score, threshold on 20% for f-score, seed 20
    ```

    ## When it is fine
    Never.

    ## References
    Salzberg 1997, section 3.3.
    """
    chosen = case.comparison.threshold
    if chosen is not None and chosen.where == "test":
        yield threshold_on_test.finding(
            "the threshold is chosen on the test rows, so the score on these rows is too good",
            "write `threshold on 20%` (of each training set)",
            at=case.at(chosen.span),
        )


@rule("EV222", "unequal-budget", "warning", needs=("learner", "metric"), each=each_comparison)
def unequal_budget(facts: Facts, case: Case) -> Iterator[Finding]:
    """One side was searched for far longer, or was set by hand.

    ## What it finds
    Described learners of which one is tuned by a search and another by hand, or in a way that is not stated; described
    searches of which the longest took ten times as long as the shortest (ours, as for EV202); and a threshold set by
    hand for some learners of a comparison and not for others, under a metric that depends on it.

    ## Why it matters
    The difference may then be one of effort. Adjustments by hand are rarely counted: few experimenters keep track of
    how many they try (Salzberg 1997, section 3.3).

    ## Example
    ```eval,bad
    dataset reviews described as 5000 rows, 2 classes, because "the shop's own"
    learner old described as "boosted trees", tuned for 2 hours
    learner net described as "our network", randomised, tuned for 3 days
    compare net vs old on reviews using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset reviews described as 5000 rows, 2 classes, because "the shop's own"
    learner old described as "boosted trees", tuned for 1 day
    learner net described as "our network", randomised, tuned for 1 day
    compare net vs old on reviews using 5x2cv, seed 20
    ```

    ## When it is fine
    When the side with less effort is used exactly as published. Then add `because "…"` to its learner, or `allow EV222
    because "…"`.

    ## References
    Ours, after Salzberg 1997, section 3.3.
    """
    described = [(traits.name, d) for traits in case.learners if (d := traits.learner.described) is not None]
    by_hand = [name for name, description in described if description.by_hand]
    searched = [name for name, description in described if description.tries or description.hours]
    silent = [t.name for t in case.learners if t.learner.described and t.name not in {*searched, *by_hand}]
    silent = [name for name in silent if not facts.learners[name].learner.because]
    hours = [(description.hours, name) for name, description in described if description.hours]
    message, at, help = "", "", "tune both sides in the same way and for about the same time"
    if by_hand and searched:
        at = by_hand[0]
        message = (
            f"{listed_names(by_hand)} {one(by_hand, 'was', 'were')} tuned by hand, but {listed_names(searched)} "
            "automatically"
        )
    elif len(hours) > 1 and max(hours)[0] >= BUDGET_RATIO * min(hours)[0]:
        at = max(hours)[1]
        ratio = number(max(hours)[0] / min(hours)[0])
        message = f"tuning took {ratio} times as long for learner `{at}` as for `{min(hours)[1]}`"
    elif searched and silent:
        at = silent[0]
        message = (
            f"{listed_names(searched)} {one(searched, 'was', 'were')} tuned automatically, but {listed_names(silent)} "
            "may not be tuned at all"
        )
        help = f"add `tuned with 50 tries`, or what was done, to learner `{at}`"
    elif (own := _thresholds(case)) is not None:
        at, rest = own
        help = f"leave out `threshold` in learner `{at}` and write `threshold on 20%` in the comparison"
        message = (
            f"the threshold of learner `{at}` is set by hand, but {listed_names(rest)} {one(rest, 'uses', 'use')} the "
            "default"
        )
    if message:
        yield unequal_budget.finding(
            message,
            f'{help}, or write `allow EV222 because "…"`',
            at=case.at(case.learner_span(at)),
        )


def _thresholds(case: Case) -> tuple[str, list[str]] | None:
    """Return a learner whose threshold is set by hand, and those without one, under a metric that depends on it."""
    probable = [traits for traits in case.learners if traits.gives == "probabilities"]  # others are EV007
    own = [traits.name for traits in probable if traits.learner.threshold is not None]
    rest = [traits.name for traits in case.learners if traits.learner.threshold is None]
    if not own or not rest or case.comparison.threshold is not None:
        return None
    return (own[0], rest) if any(metric.needs == "labels" for metric in case.metrics) else None


@rule("EV223", "preparation-differs", "warning", needs=("learner",), each=each_comparison)
def preparation_differs(facts: Facts, case: Case) -> Iterator[Finding]:
    """The learners are trained on different columns.

    ## What it finds
    Two learners whose last step is the same, with the same parameters, and whose steps select or combine columns
    differently; and two different learners of which one drops columns that the other has, or that use the same such
    step with different parameters, `select(k = 5)` and `select(k = 20)`. It is a note where the columns seem to be what
    is compared: the learner is the same on both sides, and one is the `control` or a claim names these two. Scaling and
    filling in missing values are not judged: some learners need them and some do not.

    ## Why it matters
    The difference may then come from the columns and not from the learner, and the report would credit the learner.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner ours is select(k = 10) | random-forest because "ten columns, as the clinic measures them"
    compare ours vs random-forest on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner ours is select(k = 10) | random-forest because "ten columns, as the clinic measures them"
    learner theirs is select(k = 10) | decision-tree because "ten columns, as the clinic measures them"
    compare ours vs theirs on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    When the preparation is the subject of the comparison: `allow EV223 because "the selection is what is compared"`.

    ## References
    Ours, after Salzberg 1997, section 3.3.
    """
    fixed = [traits for traits in case.learners if traits.learner.steps and not traits.learner.grids]
    places = [place for place, traits in enumerate(fixed) if _selecting(traits)]
    pairs = (
        (fixed[min(i, j)], fixed[max(i, j)]) for i in places for j in range(len(fixed)) if i != j
    )  # without a selecting learner there is none to look at
    control = case.comparison.control
    compared = ((a, b) for a, b in pairs if control in (None, a.name, b.name))
    found = [(_on_purpose(case, a, b), a, b, what) for a, b in compared if (what := _columns_differ(a, b))]
    if found:
        on_purpose, first, second, what = min(found, key=lambda one: one[0])
        at = first if _selecting(first) else second
        yield preparation_differs.finding(
            f"learners `{first.name}` and `{second.name}` {what}",
            'give both the same steps, or write `allow EV223 because "…"` if the steps are what you compare',
            at=case.at(case.learner_span(at.name)),
            level="note" if on_purpose else "warning",
        )


def _on_purpose(case: Case, first: Traits, second: Traits) -> bool:
    """Whether the columns are what is compared: one learner with and without, as the control or in a claim."""
    pair = {first.name, second.name}
    same = equivalence_key(first.learner.steps[-1]) == equivalence_key(second.learner.steps[-1])
    return same and (case.comparison.control in pair or any({c.left, c.right} == pair for c in case.claims))


def _columns_differ(first: Traits, second: Traits) -> str:
    """Return in what the columns of two learners differ; empty where they do not, or each learner has its own way."""
    one, other = _selecting(first), _selecting(second)
    if one == other:
        return ""
    if equivalence_key(first.learner.steps[-1]) == equivalence_key(second.learner.steps[-1]):
        if one and other:
            return "are the same algorithm on differently selected columns"
        chosen = first.name if one else second.name
        return f"are the same algorithm, but only `{chosen}` has its columns selected or combined"
    if one.get("drop") != other.get("drop"):
        return "are trained on different columns: `drop` differs"
    shared = [name for name in one if name in other and one[name] != other[name]]
    return f"use `{shared[0]}` with different parameters, so they are trained on different columns" if shared else ""


def _selecting(traits: Traits) -> dict[str, object]:
    """Return the steps that select or combine columns, with their parameters."""
    return {step.name: step.parameters for step in traits.learner.steps[:-1] if step.name in _SELECTING}


@rule("EV224", "future-in-tuning", "error", needs=("scheme", "learner"), each=each_case)
def future_in_tuning(facts: Facts, case: Case) -> Iterator[Finding]:
    """Inner folds for tuning ignore the order of time.

    ## What it finds
    `tune using Kcv` under a forward scheme, with a learner that has something to tune.

    ## Why it matters
    Inside each training set the settings are then judged on rows that are earlier than the rows they were trained
    on. The setting that is best there need not be best for the future, which the forward scheme is about.

    ## Example
    ```eval,bad
    dataset prices from csv "prices.csv", target "close", time "day" as regression because "the desk's own prices"
    learner tree is decision-tree, tune max_depth in {2, 4, 8}
    compare tree vs linear-regression on prices using forward 8 splits, measuring rmse, tune using 5cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset prices from csv "prices.csv", target "close", time "day" as regression because "the desk's own prices"
    learner tree is decision-tree, tune max_depth in {2, 4, 8}
    compare tree vs linear-regression on prices using forward 8 splits, measuring rmse, tune on 20%, seed 20
    ```

    ## When it is fine
    When the order of time does not matter in use. Then no forward scheme is needed either.

    ## References
    Ours.
    """
    tuning, scheme = case.comparison.tuning, case.scheme
    tuned = any(traits.learner.grids for traits in case.learners)
    if scheme is not None and scheme.in_time and tuned and tuning is not None and tuning.value.where == "cv":
        yield future_in_tuning.finding(
            f"the {tuning.value.folds} inner folds of tuning shuffle the rows, but the outer scheme goes forward in "
            "time",
            "write `tune on 20%`: the last rows of each training set",
            at=case.at(tuning.span),
        )


@rule("EV225", "pretrained-on-test", "warning", needs=("learner", "dataset"))
def pretrained_on_test(facts: Facts) -> Iterator[Finding]:
    """A model was pretrained on data that contains or may contain the test rows.

    ## What it finds
    A described learner that is `pretrained on` the dataset it is tested on (by name or file; an error), or on other
    data without a reason (`because`) why the test rows are not in it.

    ## Why it matters
    A model that has seen the answers in training is not tested by them (contamination).

    ## Example
    ```eval,bad
    dataset reviews described as 5000 rows, 2 classes, because "the shop's own"
    learner large described as "language model", randomised, pretrained on "a crawl of the web until 2024"
    compare large vs naive-bayes on reviews using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset reviews described as 5000 rows, 2 classes, because "the shop's own"
    learner large described as "language model", randomised, pretrained on "a crawl of the web until 2024"
      because "the reviews were written after 2024 and are not public"
    compare large vs naive-bayes on reviews using 5x2cv, seed 20
    ```

    ## When it is fine
    When the rows are newer than the training data or were never public. Write that in `because`.

    ## References
    Ours.
    """
    for case, traits in _used(facts):
        description = traits.learner.described
        if description is None or not description.pretrained_on:
            continue
        at = Place(description.span, Subject(learners=(traits.name,)))
        trained = description.pretrained_on.casefold()
        names = {n: {n.casefold(), *_named(facts.datasets.get(n))} for n in case.comparison.datasets}
        trained = re.sub(r"[\W_]+", "", trained)
        tested = next((n for n, words in names.items() if trained in {re.sub(r"[\W_]+", "", w) for w in words}), None)
        if tested is not None:
            yield pretrained_on_test.finding(
                f"learner `{traits.name}` was pretrained on `{tested}`, the dataset it is tested on",
                "test it on rows that were not in its training data",
                at=at,
                level="error",
            )
        elif not traits.learner.because:
            yield pretrained_on_test.finding(
                f'learner `{traits.name}` was pretrained on "{description.pretrained_on}", which may contain the rows '
                f"of {one(case.comparison.datasets, 'dataset', 'datasets')} {listed_names(case.comparison.datasets)}",
                f'add `because "…"` to learner `{traits.name}`: why the test rows are not in its training data',
                at=at,
            )


def _named(dataset: Dataset | None) -> set[str]:
    """Return what the source of a dataset may be called."""
    if dataset is None or not dataset.source.locator:
        return set()
    locator = dataset.source.locator.casefold()
    return {locator, locator.rpartition("/")[2].partition(".")[0]}


@rule("EV226", "one-learner-twice", "error", needs=("learner",), each=each_comparison)
def one_learner_twice(facts: Facts, case: Case) -> Iterator[Finding]:
    """Two names in a comparison are the same learner.

    ## What it finds
    Two learners with the same steps and parameters, the same grid and the same calibration.

    ## Why it matters
    Any difference between them is chance, so a significant result would be a false positive.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner ours is random-forest
    learner theirs is sklearn.ensemble.RandomForestClassifier
    compare ours vs theirs on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner ours is random-forest
    learner theirs is bagged-trees
    compare ours vs theirs on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    To check a procedure: at level 0.05, two equal learners should differ in 5% of the runs. `simulate` costs less.

    ## References
    Ours.
    """
    seen: dict[object, str] = {}
    for traits in case.learners:
        x = traits.learner
        if x.described is not None or not x.steps or any(s.kind in ("unknown", "python") for s in x.steps):
            continue
        key = (tuple(equivalence_key(step) for step in x.steps), x.grids, x.calibrate, x.tries, x.threshold)
        first = seen.setdefault(key, traits.name)
        if first != traits.name:
            yield one_learner_twice.finding(
                f"`{first}` and `{traits.name}` are the same learner under two names",
                "change one of the two, or remove it",
                at=case.at(case.learner_span(traits.name)),
            )
            break


def _used(facts: Facts) -> Iterator[tuple[Case, Traits]]:
    """Yield every learner once, with the first comparison that uses it."""
    seen: set[str] = set()
    for case in facts.cases:
        for traits in case.learners:
            if traits.name not in seen:
                seen.add(traits.name)
                yield case, traits
