"""The cards of the catalogue as Markdown: what `evalang explain` prints and the documentation shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from .corrections import CORRECTIONS, CorrectionEntry, find_correction
from .estimators import EstimatorEntry, default_of, find_estimator
from .glossary import GLOSSARY, find_term, find_word
from .learners import LEARNERS, STEPS, LearnerEntry, StepEntry, canonical_stage, find_learner, find_step
from .metrics import METRICS, MetricEntry, canonical_metric, find_metric
from .references import citation, find_reference
from .schemes import SCHEMES, SchemeEntry, find_scheme
from .tests import TESTS, TestEntry, find_test

E = TypeVar("E")
_EVIDENCE = {
    "outcomes": "right or wrong for every test row, each row tested once",
    "row-losses": "one loss for every test row and learner",
    "retrained-rows": "the contribution of every test row to the metric, in every training of each learner",
    "grouped-rows": "the contribution of every test row to the metric, and the group of the row",
    "timed-rows": "the contribution of every test row to the metric, and the time stamp of the row",
    "row-scores": "the true class or value and a score for every test row and learner",
    "fold-scores": "one score for every fold and learner",
    "halved-scores": "one score for every fold and learner, in cross-validations of all rows and of halves of the rows",
    "dataset-scores": "one score for every dataset and learner",
    "dataset-folds": "one score for every fold of every dataset and learner",
    "training-losses": "losses of every training set and test row",
    "item-scores": "the samples of every item of one learner, and the group of each item",
    "procedure": "the whole procedure, repeated on shuffled labels",
    "count": "the number of test rows that one classifier gets right",
}
# What the answer to each of Dietterich's nine questions applies to.
_APPLIES_TO = {
    1: "this trained classifier",
    2: "this trained classifier, without a separate test set",
    3: "these trained classifiers, on rows like the test rows",
    5: "a learner trained on this many rows",
    6: "a learner on data like this",
    7: "learners trained on this many rows",
    8: "learners (algorithms) on data like this",
    9: "learners (algorithms) on datasets like these",
}
_DESIGNS = {3: "with one test set", 8: "with cross-validation", 9: "over datasets"}
_TYPE_ONE = "Type I error (how often it finds a difference between equal learners at the 5% level)"
_COVERAGE = "Coverage (how often the interval contains the true value)"
_LIMITS = ("constant", "identical", "order", "dual", "pool", "monotone", "level")  # exemptions that a user can notice
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
        test = card_of_test(word)  # `bootstrap` is both
        return _lines(scheme, _scheme) + (f"\n{test}" if test else "")
    if meaning := find_word(word):
        return f"# {word}\n\n{meaning}\n"
    metric, stage = canonical_metric(word), canonical_stage(word) or word
    return (
        _lines(find_correction(word), _correction)
        or card_of_test(word)
        or _lines(find_metric(metric[0]) if metric else None, _metric)
        or _lines(find_learner(stage), _learner)
        or _lines(find_step(stage), _step)
        or _lines(find_estimator(stage), _estimator)
        or None
    )


def card_of_test(name: str) -> str:
    """Return the card of a test, "" if there is none of that name."""
    return _lines(find_test(name), _test)


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


def _facts(*facts: tuple[str, str]) -> Iterator[str]:
    """Yield a line for each head with a text."""
    yield from (f"- **{head}:** {text}" for head, text in facts if text)


def _paragraphs(*parts: tuple[str, str]) -> Iterator[str]:
    yield from (f"\n**{head}:** {text}" for head, text in parts if text)


def _yes(answer: object) -> str:
    return "yes" if answer else "no"


def _pairs(values: tuple[tuple[str, object], ...]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values)


def _test(t: TestEntry) -> Iterator[str]:
    where = {"dataset": "on one dataset", "over-datasets": "over several datasets"}
    floor = t.smallest_p(10, 3 if t.learners == "many" else 2, 2)
    yield f"# {t.name}: {t.title}\n\n**Question that the test answers:** {t.question}\n"
    schemes = f", with the schemes {', '.join(t.schemes)}" if t.schemes else ""
    yield from _facts(
        ("Null hypothesis", t.null),
        ("Compares", _HOW_MANY[t.learners] + (", paired" if t.paired else "")),
        ("Computed from", _EVIDENCE[t.evidence]),
        ("Unit of observation", f"{t.unit} (at least {t.min_units})"),
        ("Used", " and ".join(where[s] for s in t.scopes) + schemes),
        ("The answer applies to", _applies_to(t)),
        ("Post-hoc test after", ", ".join(t.post_hoc_of)),
        ("One-sided", "yes, by `expecting`" if t.one_sided else "no"),
        ("Options", ", ".join(t.options)),
        ("Other names", ", ".join(t.aliases)),
        ("Smallest possible p", f"{floor:.3g} with {_ten_units(t)}" if floor > 0 else ""),
    )
    yield from _paragraphs(
        ("How it is computed", t.method),
        (_COVERAGE if t.learners == "one" and not t.gives_p else _TYPE_ONE, t.type_one),
        ("When to use it", t.use_when), ("When to avoid it", t.avoid_when), ("Instead", t.instead),
        ("Limits", " ".join(dict.fromkeys(reason for contract, reason in t.exempt if contract in _LIMITS))),
    )  # fmt: skip
    yield from _references(t.references)


def _applies_to(t: TestEntry) -> str:
    """Return what the answer of a test applies to, by the kind of design where that decides."""
    if t.evidence == "retrained-rows":
        return "learners that are trained again on the same training rows"
    if len(t.questions) == 1 or t.learners == "one":
        return _APPLIES_TO[t.questions[-1]]
    ways = [f"{_DESIGNS[q]}, {_APPLIES_TO[q]}" for q in t.questions]
    if t.evidence == "outcomes" and 8 in t.questions:
        ways[-1] += ", but with too many false positives (EV416)"
    return "; ".join(ways) or "no claim, because the assumptions of the test are not met"


def _ten_units(t: TestEntry) -> str:
    if t.evidence == "outcomes":
        return "10 test rows on which the classifiers disagree"
    return "10 " + " or ".join(f"{unit}s" for unit in t.unit.split(" or "))


def _correction(c: CorrectionEntry) -> Iterator[str]:
    first = c.first_level(0.05, 10)
    enough = ", if all other p-values are equally small" if c.stepwise and first > 0.05 / 10 else ""
    yield f"# {c.name}: {c.title}\n"
    yield from _facts(
        ("Controls", "nothing" if c.controls == "nothing" else f"the {c.controls} error rate"),
        ("Stepwise", _yes(c.stepwise)),
        ("Assumes", c.assumes),
    )
    yield f"- **With 10 tests at level 0.05:** the smallest p-value must be at most {first:.4g}{enough}"
    yield from _paragraphs(("How it is computed", c.method))
    yield from _references(c.references)


def _metric(m: MetricEntry) -> Iterator[str]:
    low, high = ("-inf" if m.low is None else f"{m.low:g}"), ("inf" if m.high is None else f"{m.high:g}")
    unit = ", in a unit (not a share from 0 to 1)" if m.has_unit else ""
    yield f"# {m.name}: {m.title}\n"
    yield from _facts(
        ("Better", f"{'higher' if m.higher_is_better else 'lower'}; range {low} to {high}{unit}"),
        ("Requires", m.needs + (", and the positive class must be declared" if m.positive else "")),
        ("Tasks", ", ".join(m.tasks)),
        ("Value of a baseline", m.baseline),
        ("Options", _pairs(m.options)),
        ("Other names", ", ".join(m.aliases)),
    )
    yield from _paragraphs(("How it is computed", m.method))
    yield from _references(m.references)


def _scheme(s: SchemeEntry) -> Iterator[str]:
    yield f"# {s.form}: {s.title}\n"
    yield from _facts(
        ("Every test row predicted once", _yes(s.rows_tested_once)),
        ("Gives fold scores", _yes(s.gives_folds)),
        ("Training sets share rows", _yes(s.training_overlap)),
        ("Uses a single random split", _yes(s.one_partition)),
    )
    yield from _paragraphs(("How it works", s.method), ("Power of its default test", s.power))
    yield from _references(s.references)


def _learner(x: LearnerEntry) -> Iterator[str]:
    yield f"# {x.name}: {x.title}\n"
    yield from _facts(
        ("Classification", x.classifier or ""),
        ("Regression", x.regressor or ""),
        ("Defaults of evalang that differ", _pairs(x.defaults)),
        ("Other names", ", ".join(x.aliases)),
        ("Output", x.gives),
        ("Random (depends on the seed)", _yes(x.stochastic)),
        ("Needs feature scaling", _yes(x.needs_scaling)),
    )
    yield from _paragraphs(("About", x.method))
    yield from _parameters(x.classifier or x.regressor or "")
    if x.trees:
        yield "\nThis learner also takes the parameters of `decision-tree`, and passes them to its trees."
    yield from _references(x.references)


def _step(s: StepEntry) -> Iterator[str]:
    yield f"# {s.name}: {s.title}\n"
    applied = f"{s.columns} columns, fitted on training rows only"
    yield from _facts(
        ("Estimator", s.transformer), ("Applied to", applied), ("Defaults of evalang that differ", _pairs(s.defaults))
    )
    yield from _paragraphs(("About", s.method))
    yield from _parameters(s.transformer)


def _estimator(e: EstimatorEntry) -> Iterator[str]:
    yield f"# {e.dotted}\n"
    yield from _facts(("Kind", ", ".join(e.kinds)), ("Gives", e.gives))
    yield from _parameters(e.dotted)


def _parameters(dotted: str) -> Iterator[str]:
    entry = find_estimator(dotted)
    settable = entry.settable if entry is not None else ()
    if entry is not None and settable:
        values = ", ".join(f"{name} = {_value(default_of(entry, name))}" for name in settable)
        yield f"\n**Parameters, with the defaults of the package:** {values}"


def _value(value: object) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) and value != "…" else str(value)


def _references(keys: tuple[str, ...]) -> Iterator[str]:
    found = [r for r in map(find_reference, keys) if r is not None]
    if found:
        yield "\n## References\n"
        yield from (f"- {citation(r)}" for r in found)
