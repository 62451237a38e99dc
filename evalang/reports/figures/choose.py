"""Which pictures a report holds, and how one is asked for by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ...errors import ScriptError
from ...language.text import nearest
from ...results.run_result import RunResult
from ..document import Figure, key
from ..view import View, views
from .curves import bands, learning_curve, performance_profile, reliability, simulated_rates, tuning_profile
from .intervals import forest, partition_values
from .posteriors import posterior, posterior_density, posterior_simplex
from .ranks import critical_difference, normalised, scatter, wins

MOST_PAIRS = 3  # drawn without being asked; more are there by name
MOST_METRICS = 1  # drawing takes longer than the rest of a page
MOST_FOLDED = 6  # then no further dataset's pictures are added
MOST_DATASETS = 3  # of the pictures that show one dataset each
MOST_OF_A_KIND = 9

# Every picture by its name, with what a run must have for it.
NEEDS = {
    "forest": "it needs a tested pair or an estimate",
    "scatter": "it needs a pair that was tested over three datasets or more",
    "partition-values": "it needs `by averaged-t`, the test that averages over random splits",
    "critical-difference": "it needs three learners on several datasets",
    "wins": "it needs 3 to 20 learners on several datasets",
    "normalised": "it needs three learners, two metrics and their baselines",
    "reliability": "it needs a metric of probabilities on two classes",
    "roc": "it needs a metric of scores on two classes",
    "precision-recall": "it needs a metric of scores on two classes",
    "posterior": "it needs a Bayesian test",
    "posterior-density": "it needs bayes-correlated-t on one dataset",
    "posterior-simplex": "it needs bayes-signed-rank over datasets",
    "learning-curve": "it needs trainings of different sizes on one dataset",
    "tuning-profile": "it needs a tuned learner",
    "performance-profile": "it needs a table of results with several seeds of every learner on every dataset",
    "simulation": "it needs a simulate statement",
}
KINDS = tuple(NEEDS)
# What a picture is drawn from: a comparison, a metric of it, a pair in a metric, a dataset.
OF_COMPARISON: dict[str, Any] = {"forest": forest, "normalised": normalised}
OF_METRIC: dict[str, Any] = {
    "critical-difference": critical_difference,
    "performance-profile": performance_profile,
    "wins": wins,
}
OF_PAIR: dict[str, Any] = {
    "partition-values": partition_values,
    "posterior": posterior,
    "posterior-density": posterior_density,
    "posterior-simplex": posterior_simplex,
    "scatter": scatter,
}
OF_DATASET: dict[str, Any] = {
    "reliability": reliability,
    "roc": lambda view, dataset: bands(view, dataset, "roc"),
    "precision-recall": lambda view, dataset: bands(view, dataset, "precision-recall"),
}


def lead_figure(view: View, picture: str, metric: str) -> Figure | None:
    """Return the one picture that shows the headline."""
    # One question is shown by the shape of its posterior, several by bars.
    kinds = ("posterior-simplex", "posterior-density", "posterior") if picture == "posterior" else (picture,)
    made = (_figure_of(kind, view, metric, pair) for pair in _pairs(view) or [()] for kind in kinds if kind)
    found = next((figure for figure in made if figure is not None), None)
    return None if found is None else replace(found, lead=True)


def _pairs(view: View) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(v.learners for v in view.verdicts if v.pair))


def further_figures(view: View, shown: Figure | None) -> tuple[Figure, ...]:
    """Return the other pictures of one comparison, for its appendix: in the first metric, and on few datasets."""
    kept: list[Figure] = []

    def keep(figures: Iterable[Figure | None]) -> None:
        for figure in figures:
            same = [one for one in kept if figure is not None and one.kind == figure.kind]
            if figure is not None and len(same) < MOST_OF_A_KIND and (shown is None or figure.key != shown.key):
                kept.append(figure)

    keep(_over_datasets(view, view.metrics[:MOST_METRICS]))
    for dataset in view.datasets[:MOST_DATASETS]:
        if len(kept) < MOST_FOLDED:
            keep(_on_dataset(view, dataset))
    return tuple(kept)


def _over_datasets(view: View, metrics: tuple[str, ...]) -> Iterator[Figure | None]:
    """Yield the pictures of all datasets together that the records of a comparison can give."""
    pairs = _pairs(view)
    yield _figure("forest", view, forest(view, len(metrics)))
    for metric in metrics:
        yield _figure_of("critical-difference", view, metric)
        if len(pairs) <= MOST_PAIRS:
            drawn = [_figure_of(kind, view, metric, pair) for pair in pairs for kind in OF_PAIR]
            shapes = {"posterior-density", "posterior-simplex"} & {f.kind for f in drawn if f is not None}
            # Bars show the same as a density or a triangle, with less in it.
            yield from (f for f in drawn if f is None or f.kind != "posterior" or not shapes)
        yield _figure_of("performance-profile", view, metric)
    if len(view.learners) > 2 and metrics:
        yield _figure_of("wins", view, metrics[0])
        yield _figure_of("normalised", view)


def _on_dataset(view: View, dataset: str) -> Iterator[Figure | None]:
    for kind, build in OF_DATASET.items():
        yield _figure(kind, view, build(view, dataset), dataset)
    for learner, metric in dict.fromkeys((c.learner, c.metric) for c in view.candidates if c.dataset == dataset):
        profile = tuning_profile(view, learner, dataset, metric)
        yield _figure("tuning-profile", view, profile, learner, dataset, metric)


def _figure_of(kind: str, view: View, metric: str = "", pair: tuple[str, ...] = ()) -> Figure | None:
    """Return a picture of a comparison, of a metric, or of a pair."""
    if kind in OF_COMPARISON:
        return _figure(kind, view, OF_COMPARISON[kind](view))
    if kind in OF_METRIC:
        return _figure(kind, view, OF_METRIC[kind](view, metric), metric)
    return _figure(kind, view, OF_PAIR[kind](view, metric, pair), metric, *pair) if pair else None


def _figure(kind: str, view: View, data: Any, *words: str) -> Figure | None:
    if data is None:
        return None
    title, description = (view.said(text) for text in (data.title, data.description))
    name = key("figure", view.name, kind, *words)
    return Figure(key=name, kind=kind, title=title, description=description, data=data)


def learning_curves(found: tuple[View, ...]) -> tuple[Figure, ...]:
    """Return learning curves over all comparisons: those that trained on different numbers of rows."""
    made = {}
    for view in found:
        for dataset in view.datasets[:MOST_DATASETS]:
            for metric in view.metrics[:MOST_DATASETS]:
                if (dataset, metric) not in made:
                    data = learning_curve(found, dataset, metric)
                    made[dataset, metric] = _figure("learning-curve", view, data, dataset, metric)
    return tuple(f for f in made.values() if f is not None)


def simulation_figures(result: RunResult) -> tuple[Figure, ...]:
    """Return the pictures of every simulate statement."""
    return tuple(
        Figure(
            key=key("figure", name, "simulation", str(number)),
            kind="simulation",
            title=f"{name}: {data.title}",
            description=data.description,
            data=data,
        )
        for number, (name, data) in enumerate(simulated_rates(result))
    )


def figure(
    result: RunResult,
    kind: str,
    comparison: str | None = None,
    metric: str | None = None,
    dataset: str | None = None,
    learners: tuple[str, ...] | None = None,
) -> Figure:
    """Return one picture by its name; whatever is not given is the first that fits."""
    if kind not in NEEDS:
        near = nearest(kind, KINDS)
        hint = f"did you mean {near}?" if near else f"one of {', '.join(KINDS)}"
        raise ScriptError(f"There is no picture {kind}.", hint=hint)
    found = views(result, comparison)
    made: Iterator[Figure | None] = (
        one
        for view in found
        for name in ((metric,) if metric else view.metrics)
        for one in _fitting(kind, view, found, name, dataset, learners)
    )
    if kind == "simulation":
        made, comparison = iter(simulation_figures(result)), None
    chosen = next((one for one in made if one is not None), None)
    if chosen is None:
        where = f" of {comparison}" if comparison else ""
        raise ScriptError(f"This run{where} has no data for the figure {kind}.", hint=NEEDS[kind])
    return chosen


def _fitting(
    kind: str, view: View, found: tuple[View, ...], metric: str, dataset: str | None, learners: tuple[str, ...] | None
) -> Iterator[Figure | None]:
    """Yield the pictures of one kind in one metric."""
    if kind in OF_PAIR:
        yield from (_figure_of(kind, view, metric, pair) for pair in _pairs(view) if learners in (None, pair))
    elif kind in OF_COMPARISON or kind in OF_METRIC:
        yield _figure_of(kind, view, metric)
    elif kind != "simulation":
        if learners is not None:
            curves = [c for c in view.curves if c.learner in learners]
            view = replace(view, curves=curves, candidates=[c for c in view.candidates if c.learner in learners])
        for name in (dataset,) if dataset else view.datasets:
            if kind == "learning-curve":
                yield _figure(kind, view, learning_curve(found, name, metric), name, metric)
            elif kind == "tuning-profile":
                tuned = dict.fromkeys(c.learner for c in view.candidates)
                yield from (_figure(kind, view, tuning_profile(view, n, name, metric), name, metric) for n in tuned)
            else:
                yield _figure(kind, view, OF_DATASET[kind](view, name), name, metric)
