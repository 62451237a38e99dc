"""The cards of the catalogue as Markdown: what `evalang explain` prints and the documentation shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from .corrections import CORRECTIONS, CorrectionEntry, find_correction
from .estimators import EstimatorEntry, default_of, find_estimator
from .glossary import GLOSSARY, find_term, find_word
from .learners import LEARNERS, STEPS, LearnerEntry, StepEntry, canonical_stage, find_learner, find_step
from .metrics import METRICS, MetricEntry, canonical_metric, find_metric
from .references import find_reference
from .schemes import SCHEMES, SchemeEntry, find_scheme
from .tests import TESTS, TestEntry, find_test

E = TypeVar("E")
_EVIDENCE = {
    "outcomes": "right or wrong for every test row, each row tested once",
    "row-losses": "one loss for every test row and learner",
    "retrained-rows": "what every test row adds to the metric, in every training of each learner",
    "grouped-rows": "what every test row adds to the metric, and its group",
    "timed-rows": "what every test row adds to the metric, and its time stamp",
    "row-scores": "the truth and a score for every test row and learner",
    "fold-scores": "one score for every fold and learner",
    "halved-scores": "one score for every fold and learner, of cross-validations of all rows and of halves of them",
    "dataset-scores": "one score for every dataset and learner",
    "dataset-folds": "one score for every fold of every dataset and learner",
    "training-losses": "losses of every training set and test row",
    "item-scores": "the samples of every item of one learner, and the group of each item",
    "procedure": "the whole procedure, repeated on shuffled labels",
    "count": "the number of test rows that one classifier gets right",
}
_HOW_MANY = {"one": "one learner", "two": "two learners", "many": "three or more learners at once"}


def names() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return everything that can be explained besides rules: (section, ((name, title), ...))."""
    return (
        ("tests", tuple((t.name, t.title) for t in TESTS)),
        ("corrections", tuple((c.name, c.title) for c in CORRECTIONS)),
        ("metrics", tuple((m.name, m.title) for m in METRICS)),
        ("schemes", tuple((s.kind, s.form) for s in SCHEMES)),
        ("learners", tuple((x.name, x.title) for x in LEARNERS)),
        ("steps", tuple((s.name, s.title) for s in STEPS)),
        ("words", tuple(GLOSSARY.items())),
    )


def card(word: str) -> str | None:
    """Return the card of a test, correction, metric, scheme, learner, step, estimator or word, or None."""
    if (scheme := find_scheme(word)) is not None:
        return _lines(scheme, _scheme)
    if meaning := find_word(word):
        return f"# {word}\n\n{meaning}\n"
    metric, stage = canonical_metric(word), canonical_stage(word) or word
    return (
        _lines(find_correction(word), _correction)
        or _lines(find_test(word), _test)
        or _lines(find_metric(metric[0]) if metric else None, _metric)
        or _lines(find_learner(stage), _learner)
        or _lines(find_step(stage), _step)
        or _lines(find_estimator(stage), _estimator)
        or None
    )


def explain_term(term: str) -> str | None:
    """Return what a common term means and what evalang calls it, followed by the card of that; None for other words."""
    found = find_term(term)
    if found is None:
        return None
    meaning, called = found
    if not meaning:
        return card(called)
    cards = dict.fromkeys((called, term))  # `power` is a step too
    return f"{term}: {meaning}\n" + "".join(f"\n{shown}" for word in cards if (shown := card(word)))


def _lines(entry: E | None, show: Callable[[E], Iterator[str]]) -> str:
    return "\n".join(show(entry)) + "\n" if entry is not None else ""


def _test(t: TestEntry) -> Iterator[str]:
    yield f"# {t.name}: {t.title}\n"
    yield f"{t.question}\n"
    yield f"- **Null hypothesis:** {t.null}"
    yield f"- **Compares:** {_HOW_MANY[t.learners]}, {'paired' if t.paired else 'not paired'}"
    yield f"- **Computed from:** {_EVIDENCE[t.evidence]} (unit: {t.unit}, at least {t.min_units})"
    where = {"dataset": "on one dataset", "over-datasets": "over several datasets"}
    yield f"- **Used:** {' and '.join(where[s] for s in t.scopes)}" + (
        f", with {', '.join(t.schemes)}" if t.schemes else ""
    )
    yield (
        f"- **Answers:** question {', '.join(map(str, t.questions))} of Dietterich's nine"
        if t.questions
        else "- **Answers:** none of the nine questions"
    )
    yield f"- **Overlapping training sets:** {'allowed for' if t.tolerates_overlap else 'not allowed for'}"
    if t.post_hoc_of:
        yield f"- **Post-hoc of:** {', '.join(t.post_hoc_of)}"
    yield f"- **One-sided:** {'yes, by `expecting`' if t.one_sided else 'no'}"
    if t.options:
        yield f"- **Options:** {', '.join(t.options)}"
    yield from _aliases(t.aliases)
    floor = t.smallest_p(10, 3 if t.learners == "many" else 2, 2)
    if floor > 0:
        yield f"- **Smallest p it can give:** {floor:.3g} with 10 units"
    yield from _paragraphs(
        ("How", t.method), ("Type I error", t.type_one), ("Use it when", t.use_when), ("Avoid it when", t.avoid_when)
    )
    if t.instead:
        yield f"\n**Instead:** {t.instead}"
    for contract, reason in t.exempt:
        yield f"\n**Cannot hold:** {contract}: {reason}"
    yield from _references(t.references)


def _correction(c: CorrectionEntry) -> Iterator[str]:
    yield f"# {c.name}: {c.title}\n"
    yield f"- **Controls:** {'nothing' if c.controls == 'nothing' else 'the ' + c.controls + ' error rate'}"
    yield f"- **Stepwise:** {'yes' if c.stepwise else 'no'}"
    yield f"- **Assumes:** {c.assumes}"
    first = f"{c.first_level(0.05, 10):.4g}"
    together = c.stepwise and c.first_level(0.05, 10) > 0.05 / 10
    enough = ", which is enough only where the others are as small" if together else ""
    yield f"- **With 10 tests at alpha 0.05** the smallest p has to be at most {first}{enough}"
    yield from _paragraphs(("How", c.method))
    yield from _references(c.references)


def _metric(m: MetricEntry) -> Iterator[str]:
    yield f"# {m.name}: {m.title}\n"
    low, high = ("-inf" if m.low is None else f"{m.low:g}"), ("inf" if m.high is None else f"{m.high:g}")
    yield f"- **Better:** {'higher' if m.higher_is_better else 'lower'}; range {low} to {high}" + (
        ", in a unit of its own" if m.has_unit else ""
    )
    yield f"- **Needs:** {m.needs}" + (", and the positive class must be declared" if m.positive else "")
    yield f"- **For:** {', '.join(m.tasks)}"
    yield f"- **A baseline gets:** {m.baseline}"
    if m.options:
        yield "- **Options:** " + ", ".join(f"{name} = {value}" for name, value in m.options)
    yield from _aliases(m.aliases)
    yield from _paragraphs(("How", m.method))
    yield from _references(m.references)


def _scheme(s: SchemeEntry) -> Iterator[str]:
    yield f"# {s.form}: {s.title}\n"
    yield f"- **Every test row predicted once:** {'yes' if s.rows_tested_once else 'no'}"
    yield f"- **Gives fold scores:** {'yes' if s.gives_folds else 'no'}"
    yield f"- **Training sets share rows:** {'yes' if s.training_overlap else 'no'}"
    yield f"- **Uses a single random split:** {'yes' if s.one_partition else 'no'}"
    yield from _paragraphs(("How", s.method), ("Power of its default", s.power))
    yield from _references(s.references)


def _learner(x: LearnerEntry) -> Iterator[str]:
    yield f"# {x.name}: {x.title}\n"
    for task, dotted in (("classes", x.classifier), ("numbers", x.regressor)):
        if dotted:
            yield f"- **For {task}:** {dotted}"
    if x.defaults:
        yield "- **Our defaults:** " + ", ".join(f"{name} = {value}" for name, value in x.defaults)
    yield from _aliases(x.aliases)
    yield f"- **Gives:** {x.gives}"
    yield f"- **Randomness of its own:** {'yes' if x.stochastic else 'no'}"
    yield f"- **Needs scaling:** {'yes' if x.needs_scaling else 'no'}"
    yield from _paragraphs(("About", x.method))
    dotted = x.classifier or x.regressor
    found = find_estimator(dotted) if dotted else None
    if found:
        yield from _parameters(found)
    if x.trees:
        yield "\nIt takes the parameters of decision-tree too; they go to the trees it is made of."
    yield from _references(x.references)


def _step(s: StepEntry) -> Iterator[str]:
    yield f"# {s.name}: {s.title}\n"
    yield f"- **Estimator:** {s.transformer}"
    yield f"- **Applied to:** {s.columns} columns, fitted on training rows only"
    if s.defaults:
        yield "- **Our defaults:** " + ", ".join(f"{name} = {value}" for name, value in s.defaults)
    yield from _paragraphs(("About", s.method))
    found = find_estimator(s.transformer)
    if found:
        yield from _parameters(found)


def _estimator(e: EstimatorEntry) -> Iterator[str]:
    yield f"# {e.dotted}\n"
    yield f"- **Kind:** {', '.join(e.kinds)}"
    yield f"- **Gives:** {e.gives}"
    yield from _parameters(e)


def _parameters(e: EstimatorEntry) -> Iterator[str]:
    shown = ", ".join(f"{name} = {_value(default_of(e, name))}" for name in e.settable)
    if shown:
        yield f"\n**Parameters:** {shown}"


def _value(value: object) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) and value != "…" else str(value)


def _aliases(names: tuple[str, ...]) -> Iterator[str]:
    if names:
        yield f"- **Also read as:** {', '.join(names)}"


def _paragraphs(*parts: tuple[str, str]) -> Iterator[str]:
    for head, text in parts:
        if text:
            yield f"\n**{head}:** {text}"


def _references(keys: tuple[str, ...]) -> Iterator[str]:
    found = [r for r in map(find_reference, keys) if r is not None]
    if found:
        yield "\n**References:**\n"
        for r in found:
            yield f"- {r.authors} ({r.year}). {r.title}. {r.where}."
