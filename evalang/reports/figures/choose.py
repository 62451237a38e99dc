"""Which pictures a report holds, and how one is asked for by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...errors import ScriptError
from ...language.nearest import nearest
from ...results import numbers
from ...results.run_result import RunResult
from ..document import Figure
from ..tables import key
from ..view import View, views
from .band import bands
from .critical_difference import critical_difference
from .forest import forest
from .learning_curve import learning_curve
from .normalised import normalised
from .partition_values import partition_values
from .performance_profile import performance_profile
from .picture import KINDS
from .posterior import posterior
from .posterior_density import posterior_density
from .posterior_simplex import posterior_simplex
from .reliability import reliability
from .scatter import scatter
from .simulated_curves import simulated_rates
from .tuning_profile import tuning_profile
from .wins import wins

MOST_PAIRS = 3  # drawn without being asked; more are there by name
MOST_METRICS = 9
MOST_DATASETS = 3  # of the pictures that show one dataset each
MOST_OF_A_KIND = 9


def lead(view: View, picture: str, metric: str) -> Figure | None:
    """The one picture that shows the headline."""
    made = _lead(view, picture, metric)
    return None if made is None else replace(made, lead=True)


def _lead(view: View, picture: str, metric: str) -> Figure | None:
    if picture == "critical-difference":
        return _figure(picture, view, critical_difference(view, metric), metric)
    if picture == "posterior":
        pairs = dict.fromkeys(v.learners for v in view.verdicts if v.pair)
        kinds = ("posterior-simplex", "posterior-density", "posterior")  # one question: its shape; several: bars
        each = ((kind, pair) for pair in pairs for kind in kinds)
        made = (_figure(kind, view, PAIRS[kind](view, metric, pair), metric, *pair) for kind, pair in each)
        return next((f for f in made if f is not None), None)
    return _figure(picture, view, forest(view)) if picture == "forest" else None


def further(view: View, shown: Figure | None) -> tuple[Figure, ...]:
    """The other pictures of one comparison, for its appendix."""
    count: dict[str, int] = {}
    kept = []
    for figure in _all(view, view.metrics[:MOST_METRICS]):
        count[figure.kind] = count.get(figure.kind, 0) + 1
        if count[figure.kind] <= MOST_OF_A_KIND and (shown is None or figure.key != shown.key):
            kept.append(figure)
    return tuple(kept)


def _all(view: View, metrics: tuple[str, ...]) -> list[Figure]:
    """Nothing is asked for where the records that it is drawn from are missing."""
    pairs = list(dict.fromkeys(v.learners for v in view.verdicts if v.pair))
    datasets = view.datasets[:MOST_DATASETS]
    made: list[Figure | None] = [_figure("forest", view, forest(view))]
    for metric in metrics:
        if view.rankings:
            made.append(_figure("critical-difference", view, critical_difference(view, metric), metric))
        if len(pairs) <= MOST_PAIRS:
            each = [(pair, kind) for pair in pairs for kind in _of_pairs(view)]
            drawn = [_figure(kind, view, PAIRS[kind](view, metric, pair), metric, *pair) for pair, kind in each]
            shapes = {"posterior-density", "posterior-simplex"} & {f.kind for f in drawn if f is not None}
            made += [f for f in drawn if f is None or f.kind != "posterior" or not shapes]  # the same, with less in it
        if view.runs:
            made.append(_figure("performance-profile", view, performance_profile(view, metric), metric))
    if len(view.learners) > 2 and metrics:
        made.append(_figure("wins", view, wins(view, metrics[0]), metrics[0]))
        made.append(_figure("normalised", view, normalised(view)))
    for dataset in datasets:
        if view.curves:
            made += [
                _figure("reliability", view, reliability(view, dataset), dataset),
                _figure("roc", view, bands(view, dataset, "roc"), dataset),
                _figure("precision-recall", view, bands(view, dataset, "precision-recall"), dataset),
            ]
        for learner, metric in dict.fromkeys((c.learner, c.metric) for c in view.candidates if c.dataset == dataset):
            profile = tuning_profile(view, learner, dataset, metric)
            made.append(_figure("tuning-profile", view, profile, learner, dataset, metric))
    return [figure for figure in made if figure is not None]


def _of_pairs(view: View) -> list[str]:
    missing = {
        "partition-values": not view.partitions,
        "posterior": not any(v.test is not None and v.test.posterior is not None for v in view.verdicts),
        "scatter": not view.over_datasets,
    }
    return [kind for kind in PAIRS if not missing.get(kind)]


def learning(found: tuple[View, ...]) -> tuple[Figure, ...]:
    """Learning curves over all comparisons: those that trained on different numbers of rows make them together."""
    made = {}
    for view in found:
        for dataset in view.datasets[:MOST_DATASETS]:
            for metric in view.metrics[:MOST_DATASETS]:
                if (dataset, metric) not in made:
                    data = learning_curve(found, dataset, metric)
                    made[dataset, metric] = _figure("learning-curve", view, data, dataset, metric)
    return tuple(f for f in made.values() if f is not None)


PAIRS: dict[str, Any] = {
    "partition-values": partition_values,
    "posterior": posterior,
    "posterior-density": posterior_density,
    "posterior-simplex": posterior_simplex,
    "scatter": scatter,
}


def _figure(kind: str, view: View, data: Any, *words: str) -> Figure | None:
    if data is None:
        return None
    name = key("figure", view.name, kind, *words)
    title, description = (numbers.spoken(words) for words in (data.title, data.description))
    return Figure(key=name, kind=kind, title=title, description=description, data=data)


def figure(
    result: RunResult,
    kind: str,
    comparison: str | None = None,
    metric: str | None = None,
    dataset: str | None = None,
    learners: tuple[str, ...] | None = None,
) -> Figure:
    """One picture by its name; whatever is not said is the first that fits."""
    if kind not in KINDS:
        near = nearest(kind, KINDS)
        hint = f"did you mean {near}?" if near else f"one of {', '.join(KINDS)}"
        raise ScriptError(f"There is no picture {kind}.", hint=hint)
    if kind == "simulation":
        drawn = simulations(result)
        if not drawn:
            raise ScriptError("This run holds nothing for the picture simulation.", hint=NEEDS[kind])
        return drawn[0]
    found = views(result, comparison)
    for view in found:
        for one_metric in (metric,) if metric else view.metrics:
            made = _one(kind, view, found, one_metric, dataset, learners)
            if made is not None:
                return made
    where = f" of {comparison}" if comparison else ""
    raise ScriptError(f"This run{where} holds nothing for the picture {kind}.", hint=NEEDS[kind])


def simulations(result: RunResult) -> tuple[Figure, ...]:
    """The pictures of every simulate statement."""
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


def _one(
    kind: str, view: View, found: tuple[View, ...], metric: str, dataset: str | None, learners: tuple[str, ...] | None
) -> Figure | None:
    if kind in PAIRS:
        pairs = dict.fromkeys(v.learners for v in view.verdicts if v.pair and learners in (None, v.learners))
        tries = ((PAIRS[kind](view, metric, pair), (metric, *pair)) for pair in pairs)
        return next((f for data, words in tries if (f := _figure(kind, view, data, *words))), None)
    if kind == "critical-difference":
        return _figure(kind, view, critical_difference(view, metric), metric)
    if kind == "forest":
        return _figure(kind, view, forest(view))
    if kind == "performance-profile":
        return _figure(kind, view, performance_profile(view, metric), metric)
    if kind == "wins":
        return _figure(kind, view, wins(view, metric), metric)
    if kind == "normalised":
        return _figure(kind, view, normalised(view))
    if learners is not None and kind in ("reliability", "roc", "precision-recall"):
        view = replace(view, curves=[curve for curve in view.curves if curve.learner in learners])
    for name in (dataset,) if dataset else view.datasets:
        if kind == "learning-curve":
            data: Any = learning_curve(found, name, metric)
        elif kind == "tuning-profile":
            who = [learners[0]] if learners else list(dict.fromkeys(c.learner for c in view.candidates))
            data = next((p for n in who if (p := tuning_profile(view, n, name, metric))), None)
        elif kind == "reliability":
            data = reliability(view, name)
        else:
            data = bands(view, name, "roc" if kind == "roc" else "precision-recall")
        if data is not None:
            return _figure(kind, view, data, name, metric)
    return None


NEEDS = {
    "forest": "it needs a tested pair or an estimate",
    "partition-values": "it needs a scheme of several partitions",
    "posterior": "it needs a Bayesian test",
    "posterior-density": "it needs bayes-correlated-t on one dataset",
    "posterior-simplex": "it needs bayes-signed-rank over datasets",
    "scatter": "it needs a pair that was tested over three datasets or more",
    "simulation": "it needs a simulate statement",
    "critical-difference": "it needs three learners on several datasets",
    "wins": f"it needs 3 to {numbers.count(20)} learners on several datasets",
    "normalised": "it needs three learners, two metrics and their baselines",
    "reliability": "it needs a metric of probabilities on two classes",
    "roc": "it needs a metric of scores on two classes",
    "precision-recall": "it needs a metric of scores on two classes",
    "learning-curve": "it needs trainings of different sizes on one dataset",
    "tuning-profile": "it needs a tuned learner",
    "performance-profile": "it needs a table of results with several seeds of every learner on every dataset",
}
