"""EV2: what the data and the finished run show about tuning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...source.finding import Finding, Subject
from ...source.span import NOWHERE, Span
from ..facts import Facts
from ..places import word_at
from ..rule import NotApplicable, rule
from ..sizes import training_rows, tuning_rows
from ..wording import counted, number, percent
from .dataset_facts import profiled

if TYPE_CHECKING:
    from ...results.run_result import RunResult

FEWEST_TUNING_ROWS = 30  # ours, after S 3.5: with fewer rows settings are told apart by chance
LARGEST_TUNING_SHARE = 0.5  # ours: more rows to choose a setting than to learn with it
RIM_SHARE = 0.5  # ours: the winner of most trials lay on the rim
FEWEST_VALUES = 3  # with two values both are the rim


@rule(code="EV203", name="tuning-set-size", level="warning", stage="data", references=("salzberg1997",))
def tuning_set_size(facts: Facts) -> Iterator[Finding]:
    """The tuning part is too small to tell settings apart, or leaves too little to learn from.

    ## What it finds
    A tuned learner judged on fewer than 30 tuning rows, or on more than half of the training part (both bounds are
    ours).

    ## Why it matters
    On ten rows one lucky row is ten points of accuracy: the winner is drawn by lot. And what is taken for tuning is
    missing when the candidates are trained.

    ## Example
    ```eval,bad
    dataset wines from builtin "wine" because "the second example of every book"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on wines using 5x2cv, tune on 20%, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on tumours using 5x2cv, tune on 20%, seed 20
    ```

    ## When it is fine
    When the grid is so coarse that thirty rows are not needed.

    ## References
    Ours, after Salzberg 1997, section 3.5.
    """
    for case, name, profile in profiled(facts):
        comparison = case.comparison
        if comparison.tuning is None or comparison.scheme is None or not any(t.learner.grids for t in case.learners):
            continue
        rows, training = tuning_rows(case, profile.rows), training_rows(comparison.scheme, profile.rows)
        if rows is None:
            continue
        few = rows < FEWEST_TUNING_ROWS
        if few or (comparison.tuning.value.where == "part" and rows > LARGEST_TUNING_SHARE * training):
            settings = max(t.learner.candidates for t in case.learners)
            yield tuning_set_size.finding(
                f"{counted(settings, 'setting')} would be told apart by {counted(int(rows), 'tuning row')} of {name}"
                if few
                else f"{int(rows)} of the {int(training)} training rows of {name} go to tuning, more than half",
                _larger(comparison.tuning.value.where) if few else "tune on 20%",
                span=comparison.tuning.span if comparison.tuning.span.path else comparison.span_of("tune"),
                subject=Subject(comparison.name, name),
            )


def _larger(where: str) -> str:
    if where == "cv":
        return "use fewer inner folds, or more rows"
    return "write tune using 5cv, which judges on every training row once"


@rule(code="EV207", name="edge-of-grid", level="warning", stage="run", references=())
def edge_of_grid(facts: Facts) -> Iterator[Finding]:
    """The best setting lies on the rim of what was tried.

    ## What it finds
    After the run: a tuned parameter of three or more values whose winner was the smallest or the largest of them in
    more than half of the trials (our bound).

    ## Why it matters
    The best value may well lie outside. The learner was then not judged at its best, and the other one perhaps was.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner near is scale | knn, tune n_neighbors in {1, 3, 5}
    compare near vs naive-bayes on tumours using 10x10cv, tune on 20%, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner near is scale | knn, tune n_neighbors in {1, 3, 5, 9, 15, 25}
    compare near vs naive-bayes on tumours using 10x10cv, tune on 20%, seed 20
    ```

    ## When it is fine
    When the rim is a natural bound: no penalty, one neighbour.

    ## References
    Ours.
    """
    assert facts.run is not None
    picked = _picked(facts.run)
    if not picked:
        raise NotApplicable("nothing was tuned")
    several = len({comparison for comparison, *_ in picked}) > 1
    for (comparison, dataset, learner, parameter), picks in picked.items():
        values = _tried(facts, learner, parameter)
        if len(values) < FEWEST_VALUES:
            continue
        where = f"{dataset} ({comparison})" if several else dataset
        for edge, word, side in ((min(values), "smallest", "below"), (max(values), "largest", "above")):
            share = sum(pick == edge for pick in picks) / len(picks)
            if share > RIM_SHARE:
                yield edge_of_grid.finding(
                    f"{parameter} of {learner} came out as {number(edge)}, the {word} value tried, in "
                    f"{percent(share, 0)} of the trials on {where}",
                    f"try values {side} {number(edge)} as well",
                    span=_grid_span(facts, learner, parameter),
                    subject=Subject(comparison, dataset, learners=(learner,), statement=learner),
                )


def _picked(run: RunResult) -> dict[tuple[str, str, str, str], list[float]]:
    """What tuning chose of each parameter with numbers, once a trial and metric."""
    found: dict[tuple[str, str, str, str], list[float]] = {}
    for one in run.candidates:
        for parameter, value in one.setting if one.chosen else ():
            if isinstance(value, int | float) and not isinstance(value, bool):
                found.setdefault((one.comparison, one.dataset, one.learner, parameter), []).append(float(value))
    return found


def _tried(facts: Facts, learner: str, parameter: str) -> list[float]:
    traits = facts.learners.get(learner)
    grids = traits.learner.grids if traits is not None else ()
    return [
        float(value)
        for grid in grids
        if grid.parameter == parameter
        for value in grid.values
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]


def _grid_span(facts: Facts, learner: str, parameter: str) -> Span:
    traits = facts.learners.get(learner)
    if traits is None:
        return NOWHERE
    for grid in traits.learner.grids:
        if grid.parameter == parameter and grid.span.path:
            return grid.span
    return word_at(facts, traits.learner.span, "tune")
