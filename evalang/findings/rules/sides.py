"""EV22: what differs between the sides of a comparison besides the learner."""

from __future__ import annotations

from collections.abc import Iterator

from ...language.text import Finding, Subject, listed, number, one
from ..case import Case, Place, Traits, equivalence_key
from ..facts import Facts
from ..rule import rule
from .tuning import BUDGET_RATIO

# Steps that change which rows or columns are learned from; scaling and filling in are what a learner may need.
_SELECTING = ("select", "pca", "polynomial", "target-encode", "discretize", "drop")


@rule("EV220", "stopped-on-test", "error", needs=("learner",))
def stopped_on_test(facts: Facts) -> Iterator[Finding]:
    """The test rows chose when training ends.

    ## What it finds
    A learner that is described as `stopped early on test`.

    ## Why it matters
    The epoch with the best test score is the best of as many tries as there are epochs, chosen by the rows it is then
    reported for. Everything that is done to modify or prepare the algorithms must be done in advance of seeing the
    test data (Salzberg, section 3.3).

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

    Where evalang trains the learners, `stop early on 10%` in the comparison does so, on the same rows for all of them.

    ## When it is fine
    Never.

    ## References
    Salzberg 1997, section 3.3.
    """
    for case, traits in _used(facts):
        description = traits.learner.described
        if description is not None and description.stopped_on_test:
            yield stopped_on_test.finding(
                f"training of {traits.name} ended where its test score was best, and that score is reported",
                "stop it on a part of the training rows: stopped early on 10%",
                at=case.at(description.span),
            )


@rule("EV221", "threshold-on-test", "error")
def threshold_on_test(facts: Facts) -> Iterator[Finding]:
    """The test rows chose the threshold.

    ## What it finds
    `threshold on test`.

    ## Why it matters
    The threshold with the best score on the test rows is too good on those rows, as any setting chosen there.

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
    for case in facts.cases:
        chosen = case.comparison.threshold
        if chosen is not None and chosen.where == "test":
            yield threshold_on_test.finding(
                "the threshold is chosen by the scores of the test rows it is then reported for",
                "write threshold on 20% (of each training part)",
                at=case.at(chosen.span),
            )


@rule("EV222", "unequal-budget", "warning", needs=("learner",))
def unequal_budget(facts: Facts) -> Iterator[Finding]:
    """One side was searched for far longer, or by hand.

    ## What it finds
    Learners that are described as tuned by hand beside learners whose search is described, and hours of search of which
    the longest is ten times the shortest (our factor, as for EV202).

    ## Why it matters
    A difference may then be one of effort, and what was tried by hand nobody has counted: few if any experimenters
    keep careful count of how many adjustments they consider (Salzberg, section 3.3).

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
    When the side with less effort is taken as others published it. Say so: `allow EV222 because "…"`.

    ## References
    Ours, after Salzberg 1997, section 3.3.
    """
    for case in facts.compared:
        described = [(traits.name, d) for traits in case.learners if (d := traits.learner.described) is not None]
        by_hand = [name for name, description in described if description.by_hand]
        searched = [name for name, description in described if description.tries or description.hours]
        hours = [(description.hours, name) for name, description in described if description.hours]
        message = ""
        if by_hand and searched:
            tuned = one(by_hand, "was", "were")
            message = f"{listed(by_hand)} {tuned} tuned by hand and {listed(searched)} by a search that is described"
        elif len(hours) > 1 and max(hours)[0] >= BUDGET_RATIO * min(hours)[0]:
            longest, shortest = max(hours), min(hours)
            ratio = number(longest[0] / shortest[0])
            message = f"the search for {longest[1]} took {ratio} times as long as that for {shortest[1]}"
        if message:
            yield unequal_budget.finding(
                message,
                'give both sides the same search, or say why not: allow EV222 because "…"',
                at=case.at(case.learner_span((by_hand or [max(hours)[1]])[0])),
            )


@rule("EV223", "preparation-differs", "warning", needs=("learner",))
def preparation_differs(facts: Facts) -> Iterator[Finding]:
    """The same learner is given other columns on each side.

    ## What it finds
    Two learners whose last step is the same, with the same parameters, of which one selects or combines columns and the
    other does not. Scaling and filling in are left alone: some learners need them and some do not.

    ## Why it matters
    The difference is then the preparation's and not the learner's, and the report would say otherwise.

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
    When the preparation is what is asked about; say so: `allow EV223 because "the selection is what is compared"`.

    ## References
    Ours, after Salzberg 1997, section 3.3: the representation of the data may vary from one study to the next.
    """
    for case in facts.compared:
        groups: dict[object, list[Traits]] = {}
        for traits in case.learners:
            if traits.learner.steps and not traits.learner.grids:
                groups.setdefault(equivalence_key(traits.learner.steps[-1]), []).append(traits)
        for same in groups.values():
            chosen = [traits for traits in same if _selects(traits)]
            plain = [traits for traits in same if not _selects(traits)]
            if chosen and plain:
                yield preparation_differs.finding(
                    f"{chosen[0].name} and {plain[0].name} are the same learner, and only {chosen[0].name} has its "
                    "columns selected or combined",
                    'give both the same steps, or say that the steps are asked about: allow EV223 because "…"',
                    at=case.at(case.learner_span(chosen[0].name)),
                )
                break


def _selects(traits: Traits) -> bool:
    return any(step.name in _SELECTING for step in traits.learner.steps[:-1])


@rule("EV224", "future-in-tuning", "error", needs=("scheme", "learner"))
def future_in_tuning(facts: Facts) -> Iterator[Finding]:
    """Settings are chosen by folds that shuffle time.

    ## What it finds
    `tune using Kcv` under a forward scheme, with a learner that has something to tune.

    ## Why it matters
    Inside each training part the settings are judged on rows that come before those they were trained on. What looks
    best there need not be best for the future, which the scheme outside was chosen to respect.

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
    When time plays no part in use; then no forward scheme is needed either.

    ## References
    Ours.
    """
    for case in facts.cases:
        tuning, scheme = case.comparison.tuning, case.scheme
        tuned = any(traits.learner.grids for traits in case.learners)
        if scheme is not None and scheme.in_time and tuned and tuning is not None and tuning.value.where == "cv":
            yield future_in_tuning.finding(
                f"the {tuning.value.folds} inner folds shuffle the rows in time, and the scheme outside goes forward",
                "write tune on 20%: the last rows of each training part",
                at=case.at(tuning.span),
            )


@rule("EV225", "pretrained-on-test", "warning", needs=("learner",))
def pretrained_on_test(facts: Facts) -> Iterator[Finding]:
    """What a learner was trained on before may hold the test rows.

    ## What it finds
    A learner that is described as `pretrained on` something, without a reason (`because`) that says why the test rows
    are not in it.

    ## Why it matters
    A model that has read the answers is not tested by them.

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
      because "the reviews were written after 2024 and are on no page"
    compare large vs naive-bayes on reviews using 5x2cv, seed 20
    ```

    ## When it is fine
    When the rows are younger than the training, or were never public: that is what `because` is for.

    ## References
    Ours.
    """
    for case, traits in _used(facts):
        description = traits.learner.described
        if description is not None and description.pretrained_on and not traits.learner.because:
            yield pretrained_on_test.finding(
                f'{traits.name} was trained on "{description.pretrained_on}", and nothing says that the rows of '
                f"{listed(case.comparison.datasets)} are not in it",
                'add because "…" to the learner: why the test rows cannot be among them',
                at=Place(description.span, Subject(learners=(traits.name,))),
            )


@rule("EV226", "one-learner-twice", "error", needs=("learner",))
def one_learner_twice(facts: Facts) -> Iterator[Finding]:
    """Two names of a comparison stand for one learner.

    ## What it finds
    Two learners with the same steps and parameters, the same grid and the same calibration.

    ## Why it matters
    Whatever differs between them is chance: the test can only be right by finding nothing.

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
    To check a procedure: two equal learners should differ in 5% of the runs. `simulate` does that at less cost.

    ## References
    Ours.
    """
    for case in facts.compared:
        seen: dict[object, str] = {}
        for traits in case.learners:
            x = traits.learner
            if x.described is not None or not x.steps or any(s.kind in ("unknown", "python") for s in x.steps):
                continue
            key = (tuple(equivalence_key(step) for step in x.steps), x.grids, x.calibrate, x.tries, x.threshold)
            first = seen.setdefault(key, traits.name)
            if first != traits.name:
                yield one_learner_twice.finding(
                    f"{first} and {traits.name} are one learner under two names",
                    "change one of the two, or compare something else",
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
