"""The methods paragraph: how it was done, in the words a paper would use, from the plan and what was really read."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..catalogue.estimators import BOOSTERS
from ..catalogue.tests import find_test
from ..plans.model import (
    MOST_THRESHOLDS,
    Comparison,
    Dataset,
    Learner,
    Literals,
    Part,
    Plan,
    Scheme,
    Simulation,
    Step,
    Test,
    Tuning,
)
from ..plans.preparation import PATIENCE, WORDS, class_behind, stops_early
from ..results import numbers
from ..results.numbers import name
from ..results.records import DatasetFacts
from ..results.run_result import RunResult
from .sentences import correction_sentences
from .simulated import SHARES, assumptions
from .view import View, views

_LEFT = {"where": "they do not meet the condition", "no target": "no target", "repeated": "equal to another row"}
_SETTINGS = {"n": "rows", "error": "error rates of", "difference": "true differences of", "shared": "a shared term of"}
_SHOWN_VERSIONS = ("python", "evalang", "scikit-learn", "numpy", "scipy", "pandas", "statsmodels")


def methods(result: RunResult, subject: str | None = None) -> tuple[str, ...]:
    """Return the paragraphs: data, then one for each comparison, then software and what was allowed."""
    plan = result.plan
    seen = views(result, subject)
    chosen = tuple(view.comparison for view in seen)
    facts = {f.name: f for f in result.facts}
    used = dict.fromkeys(name for c in chosen for name in c.learners)
    learners = [found for name in used if (found := plan.learner(name)) is not None]
    trained = [x for x in learners if any(c.data == "datasets" and x.name in c.learners for c in chosen)]
    paragraphs = [
        _datasets(plan, chosen, facts),
        " ".join(sentence for learner in learners if (sentence := _learner(learner))),
        _preparation(result, trained),
        *(_comparison(plan, view) for view in seen),
        *(_simulation(one, result) for one in plan.simulations if subject is None or subject in one.subjects),
        _software(result),
        _allowed(result),
    ]
    return tuple(p for p in paragraphs if p)


def _end(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else sentence + "."


def _datasets(plan: Plan, chosen: tuple[Comparison, ...], facts: dict[str, DatasetFacts]) -> str:
    names = dict.fromkeys(d for c in chosen if c.data == "datasets" for d in c.datasets)
    by_name = {d.name: d for d in plan.datasets}
    sentences = []
    described = [_dataset(by_name.get(one), one, facts.get(one)) for one in names]
    if described:
        were = "datasets were" if len(described) > 1 else "dataset was"
        sentences.append(f"The {were} {numbers.listing(described, most=60)}.")
    suites = dict.fromkeys(s for c in chosen for s in c.suites)
    for suite in (s for s in plan.suites if s.name in suites):
        if suite.sampled_from:
            sentences.append(f"The datasets of {name(suite.name)} were sampled from {_end(suite.sampled_from)}")
        if suite.because:
            sentences.append(f"The datasets of {name(suite.name)} were chosen for this reason: {_end(suite.because)}")
    reasons: dict[str, list[str]] = {}
    for one in names:
        dataset = by_name.get(one)
        if dataset is not None and dataset.because:
            reasons.setdefault(dataset.because, []).append(one)
    for because, group in reasons.items():
        was = "was" if len(group) == 1 else "were"
        sentences.append(f"{numbers.names(group, most=60)} {was} chosen for this reason: {_end(because)}")
    kinds = {t.name: ("scores", t.because) for t in plan.results}
    kinds |= {t.name: ("predictions", t.because) for t in plan.predictions}
    for table in dict.fromkeys(d for c in chosen if c.data != "datasets" for d in c.datasets):
        kind, why = kinds.get(table, ("", None))
        sentences += [f"The table {name(table)} holds existing {kind}, read from a file."] if kind else []
        sentences += [f"The table was chosen for this reason: {_end(why)}"] if why else []
    return " ".join(sentences)


def _dataset(dataset: Dataset | None, called: str, facts: DatasetFacts | None) -> str:
    rows = facts.rows if facts is not None else dataset.rows if dataset is not None else None
    classes = facts.classes if facts is not None else dataset.classes if dataset is not None else None
    parts = [numbers.plural(rows, "row")] if rows else []
    parts += [numbers.plural(facts.features, "feature")] if facts is not None and facts.features else []
    parts += [numbers.plural(classes, "class", "classes")] if classes else []
    if facts is not None and facts.series and dataset is not None:
        parts.append(f"{facts.series} series by column {name(dataset.series or '')}")
    left_out = facts.left_out if facts is not None else ()
    parts += [f"{numbers.plural(count, 'row')} left out: {_LEFT[why]}" for why, count in left_out]
    return f"{name(called)} ({', '.join(parts)})" if parts else name(called)


def _learner(learner: Learner) -> str:
    configured = learner.grids or learner.threshold is not None or any(s.parameters for s in learner.steps)
    plain = not configured and learner.calibrate == "none" and learner.trainings == 1
    if plain and (learner.implicit or [s.name for s in learner.steps] == [learner.name]):
        return ""
    text = f"{name(learner.name)} is {' followed by '.join(map(_step, learner.steps))}"
    if learner.grids:
        grids = numbers.names([f"{g.parameter} in {g.form}" for g in learner.grids])
        tries = f", {learner.tries} of them drawn at random" if learner.tries else ""
        text += f", tuned over {numbers.plural(learner.candidates, 'setting')} ({grids}{tries})"
    if learner.calibrate != "none":
        text += f", calibrated by {'Platt scaling' if learner.calibrate == 'platt' else 'isotonic regression'}"
    if learner.threshold is not None:
        text += f", positive if the score is at least {learner.threshold:g}"
    if learner.trainings > 1:
        text += f", trained {learner.trainings} times on each training part with different seeds"
    because = f" The reason for this learner: {_end(learner.because)}" if learner.because else ""
    return f"{text}.{because}"


def _preparation(result: RunResult, learners: list[Learner]) -> str:
    """Return what was done to the columns without being written, as the run recorded it."""
    names = [learner.name for learner in learners]
    known: dict[str, str] = {str(one): words for one, words in WORDS.items()}
    alike: dict[tuple[tuple[str, ...], str], list[str]] = {}  # (what was added, the dataset) -> before which learners
    for dataset, learner, added in result.prepared:
        if learner in names:
            alike.setdefault((added, dataset), []).append(learner)
    places: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (added, dataset), before in alike.items():
        places.setdefault((added, numbers.names(before, most=30)), []).append(dataset)
    sentences = []
    for (added, who), datasets in places.items():
        where = numbers.names(datasets, most=60)
        done = numbers.listing([known[one] for one in added if one in known])
        if added:
            text = f"Preprocessing before {who} on {where}: {done}. All of it is fitted on the training part only."
        else:
            text = f"No preprocessing was added before {who} on {where}."
        sentences.append(text)
    return " ".join(sentences)


def _step(step: Step) -> str:
    if not step.parameters:
        return name(step.name)
    return name(f"{step.name}({', '.join(f'{k} = {_value(v)}' for k, v in step.parameters)})")


def _value(value: Literals) -> str:
    if isinstance(value, tuple):
        return "{" + ", ".join(_value(v) for v in value) + "}"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _comparison(plan: Plan, view: View) -> str:
    comparison = view.comparison
    verb = "estimated" if comparison.estimate else "compared"
    was = "was" if len(view.learners) == 1 else "were"
    kind = "estimate" if comparison.estimate else "comparison"
    sentences = [f"In the {kind} {name(comparison.name)}, {numbers.names(view.learners, most=30)} {was} {verb}."]
    if comparison.because:
        sentences.append(f"The reason for this {kind}: {_end(comparison.because)}")
    if comparison.scheme is not None:
        sentences.append(_scheme(comparison.scheme, comparison.predicts_numbers))
        sentences.append(_looks(comparison, view))
        made = {d.name: d.divided_by for d in plan.datasets if d.name in comparison.datasets and d.divided_by}
        sentences += [f"The folds of {name(one)} were given by the user: {_end(how)}" for one, how in made.items()]
        series = [d.name for d in plan.datasets if d.name in comparison.datasets and d.series]
        sentences.append(_series(series, comparison))
    tuned = [x.name for x in plan.learners if x.name in comparison.learners and x.grids]
    if comparison.tuning is not None and tuned:
        sentences.append(_tuning(tuned, comparison.tuning.value, comparison))
    elif comparison.data == "datasets":
        sentences.append("No hyperparameter was tuned.")
    if comparison.calibration is not None:
        part = comparison.calibration.part
        where = f"{part_words(part)} of each training part" if part is not None else "the tuning part"
        sentences.append(f"Calibration was fitted on {where}.")
    learners = [x for x in plan.learners if x.name in comparison.learners]
    sentences += [_threshold(comparison, learners), _stopping(comparison.stop_early, learners)]
    labels = [m.label for m in comparison.metrics]
    were = "metric was" if len(labels) == 1 else "metrics were"
    sentences += [f"The {were} {numbers.listing(labels, most=20)}."] if labels else []
    if comparison.primary:
        rest = f" Not tested: {numbers.listing([m for m in labels if m in view.described])}." if view.described else ""
        sentences.append(f"The primary metric is {comparison.primary}.{rest}")
    sentences.append(_tests(comparison, {v.test.test for v in view.verdicts if v.test is not None}))
    sentences += dict.fromkeys(one for v in view.verdicts for one in correction_sentences(v))
    sentences += [_RUNS] if view.runs else []
    if comparison.expecting:
        reason = f": {comparison.expecting_because.rstrip('.')}" if comparison.expecting_because else ""
        sentences.append(
            f"The tests were one-sided, because {name(comparison.expecting)} was expected to be better{reason}."
        )
    if comparison.rope is not None:
        sentences.append(
            f"The equivalence margin was {comparison.rope.value:g}: smaller differences do not matter in practice."
        )
    sentences.append(_failures(comparison))
    if comparison.seed is not None:
        sentences.append(f"The seed was {comparison.seed.value}.")
    return " ".join(sentence for sentence in sentences if sentence)


_RUNS = (
    "Each seed is one run. Means over datasets have intervals from a stratified bootstrap, which resamples the runs "
    "of each dataset (below ten runs: Student's t with the bootstrap's standard error). The probability of improvement "
    "counts all pairs of runs on a dataset (Agarwal and others 2021), with Newcombe's score interval (2006, method 5)."
)


def _series(names: list[str], comparison: Comparison) -> str:
    """Return how several series in one table were cut."""
    if not names or comparison.scheme is None or not comparison.scheme.card.in_time:
        return ""
    units = {card.unit for test in comparison.tests if (card := find_test(test.name)) is not None}
    tested = "; the test combines their differences at each time stamp" if "time stamp" in units else ""
    cut = f"The series of {numbers.names(names, most=30)} were cut at the same time stamps"
    return f"{cut}: a block, gap or window counts time stamps{tested}."


def _looks(comparison: Comparison, view: View) -> str:
    """Return when the comparison was to end, and when it did."""
    counts = comparison.look_counts
    if not counts:
        return ""
    stop = next((v.stopped for v in view.on_datasets if v.stopped is not None), None)
    ended = f"analysis {stop.look}, after {stop.partitions} splits" if stop else "the last analysis, after all splits"
    return (
        "It was planned to stop early when conclusive, with interim analyses after "
        f"{numbers.listing(list(map(str, counts)), most=30)} random splits. Each analysis before the last forecasts an "
        "interval for the final statistic (jackknife over the splits that were run; the error of all forecasts "
        "together is "
        "at most 0.005). The run stops if this interval lies on one side of the critical value. The run stopped at "
        f"{ended}."
    )


def _scheme(scheme: Scheme, predicts_numbers: bool) -> str:
    written = scheme.text or scheme.kind
    how = f"The scheme was {written}"
    if scheme.grouped:
        how += ", with all rows of a group either in training or in testing"
    elif scheme.stratified is not False and scheme.card.random and not predicts_numbers:
        how += ", stratified by class" if "stratified" not in written else ""
    if scheme.origin == "default":
        how += f" (chosen by evalang: {scheme.reason})"
    return f"{how}. {_filled(scheme)}"


def _filled(scheme: Scheme) -> str:
    """Return the method of the scheme with its own numbers in place of R, K, N, M and F."""
    count = scheme.groups if scheme.partitions > 1 else scheme.folds
    filled = {"R": count, "N": count, "K": scheme.folds, "M": scheme.rows, "F": part_words(scheme.part)}
    filled["N + 1"] = count + 1
    text = scheme.card.method.partition(" `forward")[0] if scheme.card.in_time else scheme.card.method
    if scheme.window:
        text = text.replace("all blocks before it", f"the last {scheme.window} rows before it")
    text = text.replace("the share F of the rows", f"{filled['F']} of the rows")
    text = text.replace("The share F of the rows", f"{filled['F']} of the rows").replace("N + 1", str(count + 1))
    if scheme.looks is not None:
        filled["N"] = scheme.looks
    return re.sub(r"\b([RNKM])(?=\b|cv\b)", lambda found: str(filled[found[1]]), text)


def _tuning(tuned: list[str], tuning: Tuning, comparison: Comparison) -> str:
    who = f"The settings of {numbers.names(tuned, most=30)}"
    if tuning.where == "test":
        return f"{who} were selected on the test part itself, so the scores are higher than on new data."
    where = _tuned_on(tuning)
    metrics = comparison.metrics if tuning.metric is None else (tuning.metric,)
    by = f"by {metrics[0].label}" if len(metrics) == 1 else "separately for each metric"
    again = "was refitted on the whole training part" if comparison.retrains else "was not refitted"
    best = "The best setting" if len(tuned) == 1 else "The best setting of each learner"
    return f"{who} were evaluated {where}, {by}. {best} {again}. No test row was used for training or tuning."


def _tuned_on(tuning: Tuning, together: str = "") -> str:
    if tuning.where == "given":
        return "on the rows of the tuning file"
    if tuning.where == "part":
        return f"on {part_words(tuning.part)} of each training part"
    return f"by {tuning.folds}cv inside each training part{together}"


def _tests(comparison: Comparison, made: Collection[str]) -> str:
    """Return the tests that were made; all that were planned where none gave a result."""
    sentences = []
    for planned, where in ((comparison.tests, "on each dataset"), (comparison.over, "over datasets")):
        tests = [t for t in planned if t.name in made] or planned
        if tests:
            named = numbers.listing([t.name for t in tests])
            reason = next((t.reason for t in tests if t.reason), "")
            what = "interval" if comparison.estimate else "test"
            was = f"{what} {where} was" if len(tests) == 1 else f"{what}s {where} were"
            because = f" Reason: {_end(reason)}" if reason else ""
            sentences.append(f"The {was} {named}.{because}")
    if not sentences and not comparison.estimate:
        sentences.append("The difference is reported without a test.")
    level = f"The significance level was {numbers.alpha_text(comparison.alpha.value)}."
    if comparison.estimate or not any(map(_has_p, (*comparison.tests, *comparison.over))):
        level = ""
    return " ".join((*sentences, level)).strip()


def _has_p(test: Test) -> bool:
    card = find_test(test.name)
    return card is None or card.gives_p


def _simulation(simulation: Simulation, result: RunResult) -> str:
    """Return what was drawn, how often, at which settings, and under which assumptions."""
    settings = dict(simulation.settings)
    what = "type I error" if simulation.kind == "type-I" else "power"
    trials = numbers.plural(int(settings["trials"][0]), "trial") if settings.get("trials") else "the trials"
    varied = [
        f"{_SETTINGS.get(word, word)} {numbers.listing([_said(word, value) for value in values], most=30)}"
        for word, values in settings.items()
        if word not in ("trials", "alpha", "seed") and values
    ]
    at = f" at each of: {'; '.join(varied)}" if varied else ""
    level = f" The significance level was {numbers.alpha_text(settings['alpha'][0])}." if settings.get("alpha") else ""
    seed = f" The seed was {int(settings['seed'][0])}." if settings.get("seed") else ""
    because = f" The reason for this simulation: {_end(simulation.because)}" if simulation.because else ""
    asked = f"the {what} of {numbers.names(simulation.subjects, most=30)}"
    own = [o for o in result.simulations if o.name == simulation.name]
    world = " ".join(assumptions(simulation, own))
    what_was = f"In the simulation {name(simulation.name)}, {asked} was simulated in {trials}{at}."
    return f"{what_was}{because}{level}{seed} {world}".strip()


def _said(word: str, value: float) -> str:
    return numbers.percent(value) if word in SHARES else numbers.count(int(value))


def _failures(comparison: Comparison) -> str:
    return {
        "worst": "A failed fit counted as the worst score.",
        "leave-out": "A fold with a failed fit was left out for every learner.",
    }.get(comparison.failures, "")


def _software(result: RunResult) -> str:
    found = dict(result.environment)
    behind = {class_behind(step).partition(".")[0] for learner in result.plan.learners for step in learner.steps}
    wanted = (*_SHOWN_VERSIONS, *(name for name in BOOSTERS if name in behind))
    shown = [f"{name} {found[name]}" for name in wanted if name in found]
    return f"Computed with {numbers.listing(shown, most=12)}." if shown else ""


def _allowed(result: RunResult) -> str:
    sentences = []
    for found, why in result.allowed:
        about = f" for {name(found.subject.name)}" if found.subject.name else ""
        sentences.append(f"Finding {found.code} ({found.name}) was allowed{about} for this reason: {_end(why)}")
    return " ".join(sentences)


def part_words(part: Part | None) -> str:
    """Return a share or a number of rows."""
    if part is None:
        return "a part"
    return numbers.percent(part.fraction) if part.fraction is not None else numbers.plural(part.rows or 0, "row")


def _threshold(comparison: Comparison, learners: Sequence[Learner]) -> str:
    """Return whose threshold was chosen, for what, on which rows; the details have its values."""
    chosen = comparison.threshold
    who = [x.name for x in learners if x.threshold is None]
    if chosen is None or chosen.metric is None or not who:
        return ""
    head = f"The threshold of {numbers.names(who, most=30)} was chosen for {chosen.metric.label}"
    if chosen.where == "test":
        return f"{head} on the test part itself, so the scores are higher than on new data."
    where = f"on {part_words(chosen.part)} of each training part, which was used only for this"
    if chosen.where == "tuning" and comparison.tuning is not None:
        again = "; each was then refitted on the whole training part and kept its threshold"
        where = _tuned_on(comparison.tuning.value, ", on the scores of all inner folds together")
        where += f", by learners trained on the other rows{again if comparison.retrains else ''}"
    return (
        f"{head} {where}. A row is predicted positive if its score is at least the threshold. The thresholds that were "
        f"tried are the midpoints between neighbouring scores (at most {MOST_THRESHOLDS}, evenly spaced by rank) and "
        "the usual threshold (a probability of 0.5 or a decision score of 0). Of equally good thresholds, the one "
        "nearest to the usual threshold was chosen."
    )


def _stopping(part: Part | None, learners: Sequence[Learner]) -> str:
    """Return whose training ended early, on which rows, and whose did not; the details have the rounds."""
    if part is None:
        return ""
    ways: dict[str | None, list[str]] = {}
    for learner in learners:
        ways.setdefault(stops_early(learner), []).append(learner.name)
    texts = {
        "on the part": f"Training of {{}} stopped after {PATIENCE} rounds without a better score (or as many as its "
        f"parameters say) on {part_words(part)} of each training part, which was not used to fit.",
        "by itself": f"{{}} stopped early on {part_words(part)} of the training rows, which scikit-learn samples "
        "itself from the training part.",
        None: "{} did not stop early and were trained on that part too.",
    }
    return " ".join(text.format(numbers.names(ways[way], most=30)) for way, text in texts.items() if way in ways)
