"""A plan in words: what will be done, at which level, and what it costs; as JSON; and its fingerprint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from hashlib import sha256
from itertools import groupby
from typing import Any

from ..catalogue.corrections import find_correction
from ..codec import compared_names, default_values, from_json, is_record, json_schema, parse_json, to_json
from ..errors import ScriptError
from . import model
from .comparison import fits_of
from .cost import TRIAL_SECONDS, describe_power, design_power
from .default_tests import describe_allowed_claim, fewest_datasets, name_models, question_text
from .families import SELF_ADJUSTING, countable, describe_factors, is_omnibus, places, posthoc_blocks
from .learners import literal_text
from .model import Comparison, Dataset, Family, Learner, Literals, Metric, Part, Plan, ResultsTable
from .preparation import PATIENCE, WORDS, Added, additions, stops_early

Rows = Iterator[tuple[str, str]]
_OF = " of each training part"
_ELSEWHERE = "described, run elsewhere"
_UNCOUNTED = "The number of fits is not known before the data are read."


def describe(plan: Plan, *, ran: bool = False) -> str:
    """Return the whole plan as text; `ran`: a pilot has already fitted some of it."""
    return "\n".join(_lines(plan, ran)) + "\n"


def _lines(plan: Plan, ran: bool) -> Iterator[str]:
    datasets = {d.name: d for d in plan.datasets}
    learners = {x.name: x for x in plan.learners}
    tables = {r.name: _table(r) for r in plan.results}
    families: dict[str, list[Family]] = {}
    for family in plan.families:
        for name in family.comparisons:
            families.setdefault(name, []).append(family)
    for c in plan.comparisons:
        rows = _experiment(c, datasets, tables, learners), _judgement(plan, c, families.get(c.name, [])), _cost(plan, c)
        yield f"{c.name}: {'estimate ' * c.estimate}{'this classifier ' * c.this_classifier}{_who(c)}"
        yield from (f"  {head:15}{text}" for part in rows for head, text in part)
        yield ""
    for claim in plan.claims:
        yield f"{claim.name}: {claim.text} (tested by {', '.join(claim.evidence) or 'no comparison'})"
    if plan.claims:
        yield ""
    for simulation in plan.simulations:
        settings = ", ".join(f"{word} {', '.join(f'{v:g}' for v in values)}" for word, values in simulation.settings)
        yield f"{simulation.name}: {simulation.kind} of {', '.join(simulation.subjects)} with {settings}"
    for output in plan.outputs:
        yield f"report: {output.subject or 'everything'} to {output.path}"
    known = [c.fits for c in plan.comparisons if c.fits >= 0]
    unknown = len(plan.comparisons) - len(known)
    more = f", without {unknown} statement{'s' * (unknown > 1)} whose data are not read yet" if unknown else ""
    fits = sum(_fits(plan, c) for c in plan.comparisons if c.fits >= 0)
    counted = f"{fits:,} fits with {sum(known):,} trainings" if fits < sum(known) else f"{fits:,} fits"
    total = f"At most {counted} in total{more}." if fits or unknown else "No fits are needed."
    total = total if known or not unknown else _UNCOUNTED
    limit = f" A fit is stopped after {TRIAL_SECONDS / 3600:g} hours." if sum(known) or unknown else ""
    yield total if ran else f"{total}{limit} Nothing was run."


def _who(c: Comparison) -> str:
    return " vs ".join(c.learners) or "all learners of the table"


def _metric(m: Metric) -> str:
    details = ", ".join(_filled(m, _METRIC))
    return m.name + _options(m.options) + (f" ({details})" if details else "")


# A field of a record and the words for its value; an empty field is left out.
Templates = tuple[tuple[str, str], ...]
_METRIC: Templates = (("better", "{} is better"), ("epochs", "{} of the epochs"))
_DATASET: Templates = (
    ("series", "series in {}"),
    ("horizon", "horizon {0.count} {0.unit}"),
    ("where", "where {}"),
    ("divided_by", "folds from {}"),
    ("drop_repeated", "repeated rows dropped"),
)
_SOURCES = {"folder": "all tables in {}", "openml-suite": "all tasks of OpenML suite {}"}
_DESCRIBED_LEARNER: Templates = (
    ("randomised", "randomised"),
    ("gives_scores", "gives scores"),
    ("by_hand", "tuned by hand"),
    ("stopped_on_test", "stopped early on the test part"),
    ("tries", "tuned with {:,} settings"),
    ("hours", "tuned for {:g} hours"),
    ("pretrained_on", "pretrained on {}"),
    ("stopped_on", "stopped early on {0.text}"),
)
_TABLE: Templates = (("groups", "groups in {}"), ("made", "made using {0.text}"), ("trainings", "trained {} times"))


def _filled(record: object, templates: Templates, **words: str) -> list[str]:
    """Return the filled templates; `words` stand in place of fields of the same name."""
    values = [(words[name] if name in words else getattr(record, name), template) for name, template in templates]
    return [template.format(value) for value, template in values if value not in (None, "", ()) and value is not False]


def _experiment(
    c: Comparison, datasets: dict[str, Dataset], tables: dict[str, str], learners: dict[str, Learner]
) -> Rows:
    """Yield the rows that say what is run."""
    yield "question", f"{question_text(c)} ({name_models(c.question_reason, c.predicts_numbers)})"
    yield "data", ", ".join(_data(c, datasets, tables))
    yield from (("column", f"{one.column}: {one.taken}") for one in c.levels if one.taken)
    known = [learners[name] for name in c.learners if name in learners]
    yield from (("learner", _learner(x)) for x in known)
    yield from _prepared(known)
    if c.scheme:
        yield "scheme", c.scheme.text + _sizes(c, datasets) + _origin(c.scheme.origin, c.scheme.reason)
    if c.look_counts:
        *before, last = c.look_counts
        at = f"after {', '.join(map(str, before))} and {last}" if before else f"after {last}"
        yield ("interim", f"{at} random splits; stops when the remaining splits cannot change the verdict (error .005)")
    if c.tuning and any(x.grids for x in known):
        yield "tuning", _tuning(c) + _origin(c.tuning.origin, "")
    if c.calibration:
        on_tuning = c.calibration.where == "tuning"
        yield "calibrated", f"on {'the tuning part' if on_tuning else _part(c.calibration.part) + _OF}"
    if c.threshold:
        yield "threshold", _threshold(c, known)
    if c.stop_early:
        yield from (("stopping", line) for line in _stopping(c.stop_early, known))


def _judgement(plan: Plan, c: Comparison, families: list[Family]) -> Rows:
    """Yield the rows on how the result is tested: metrics, tests, families and level."""
    measured = ", ".join(_metric(m) for m in c.metrics)
    of_scores = [m.name for m in c.metrics] == ["roc-area"]
    default = "roc-area for scores of two classes" if of_scores else "accuracy for classes, rmse for numbers"
    default = "" if c.metrics_origin == "derived" else default
    yield "metric", measured + _origin(c.metrics_origin, default)
    if c.primary:
        yield "primary", f"{c.primary} decides"
    for head, tests in (("test", c.tests), ("over datasets", c.over)):
        for test in tests:
            judged = f" ({', '.join(test.metrics)})" if test.metrics else ""
            chosen = test.origin == "written" and test.reason  # of `by t-test`
            why = f"  ({test.reason})" if chosen else _origin(test.origin, test.reason)
            place = _place_of_test(test.name, [one.name for one in tests])
            yield head, f"{test.name}{_options(test.options)}{judged}{why}{place}"
    fewest = fewest_datasets(c) if c.data == "results" else None
    if fewest is not None:
        yield "over datasets", f"no test with fewer than {fewest} datasets, because its p could not be small enough"
    if c.over_note:
        yield ("over datasets" if c.tests else "test"), c.over_note
    yield from (("family", _family(family, plan)) for family in families)
    if any(tests and not countable(c, scope) for scope, tests in (("dataset", c.tests), ("over-datasets", c.over))):
        yield "family", f"the number of tests is not known before `{c.datasets[0]}` is read"
    derived = f"  ({c.alpha.reason})" if c.alpha.origin == "derived" else ""  # from other statements, not the data
    yield "level", f"alpha {c.alpha.value:g}{derived or _origin(c.alpha.origin, c.alpha.reason)}"
    if c.rope:
        yield "margin", f"{c.rope.value:g}: smaller differences do not matter in practice{_origin(c.rope.origin, '')}"
    if c.complete_cases or c.missing:
        dropped = (
            "items or datasets without a score of every learner are left out"
            if c.complete_cases
            else "missing answers are left out"
        )
        yield "missing", "missing answers count as wrong" if c.missing == "wrong" else dropped
    if c.expecting:
        yield "expected", f"`{c.expecting}` is better, so the tests are one-sided"
    yield "can claim", name_models(describe_allowed_claim(c), c.predicts_numbers)
    if not c.estimate and c.units == "items" and (places := "groups" if c.grouped else "datasets" if c.over else ""):
        where = "in addition to a test over datasets, " if fewest is not None else ""
        yield "also", f"{where}the difference on these {places} only, for new items of the same {places}"


def _place_of_test(name: str, names: list[str]) -> str:
    """Return what an omnibus does to the pairs after it, and what a test of mean ranks depends on."""
    if is_omnibus(name) and not all(map(is_omnibus, names)):
        return "; computed first: no pair gets a smaller p than this test"
    if name not in SELF_ADJUSTING:
        return ""
    gate = "" if any(map(is_omnibus, names)) else "no omnibus test comes before it; "
    return (
        f"; {gate}its result for a pair depends on the other learners in the table. `wilcoxon` with `holm` does "
        "not have "
        "this problem"
    )


def _cost(plan: Plan, c: Comparison) -> Rows:
    """Yield the power, the seed and the number of fits."""
    yield from (("power", line) for line in describe_power(design_power(plan, c)))
    yield "seed", f"{c.seed.value}{_origin(c.seed.origin, '')}" if c.seed else "none"
    most = f" at most, at least {c.fits * c.look_counts[0] // c.look_counts[-1]:,}" if c.look_counts else ""
    fits = _fits(plan, c)
    tuned = f"; {fits:,} fits, because tuning and training count as one fit" if 0 <= fits < c.fits else ""
    head = "trainings" if tuned else "fits"
    yield head, f"{c.fits:,}{most} ({c.fits_reason}{tuned})" if c.fits >= 0 else c.fits_reason
    yield from (("allowed", f"{a.code} because {a.reason}") for a in c.allow)


def _fits(plan: Plan, c: Comparison) -> int:
    """Return the fits of a comparison as a run counts them: all trainings that tuning needs are one fit."""
    learners = [x for x in plan.learners if x.name in c.learners]
    per_fold = sum(fits_of(x, c) for x in learners)
    return c.fits // per_fold * sum(x.trainings for x in learners) if per_fold and c.fits > 0 else c.fits


def _origin(origin: str, reason: str) -> str:
    if origin == "written":
        return ""
    words = {"set": "by set", "default": "by default", "derived": "from the data"}[origin]
    return f"  ({words}: {reason})" if reason else f"  ({words})"


def _data(c: Comparison, datasets: dict[str, Dataset], tables: dict[str, str]) -> Iterator[str]:
    """Yield each dataset or table; the tasks of an OpenML suite that is not read yet are one entry."""
    for suite, names in groupby(c.datasets, key=lambda name: name.partition("/")[0]):
        listed = list(names)
        tasks = [datasets[name].source for name in listed if name in datasets]
        if len(listed) > 1 and all(one.kind == "openml-task" for one in tasks):
            yield f"{suite} ({len(listed)} tasks of OpenML: {', '.join(one.locator for one in tasks[:3])}, …)"
        else:
            yield from (tables[d] if d in tables else _dataset(datasets[d]) if d in datasets else d for d in listed)


def _dataset(d: Dataset) -> str:
    details = _filled(d, (("rows", "{:,} rows"),))
    details += [_SOURCES[d.source.kind].format(d.source.locator)] if d.source.kind in _SOURCES else []
    if d.source.kind == "described":
        details += [f"{d.classes} classes"] if d.classes else []
        details += [f"the rarest class with {100 * d.rarest:g}%"] if d.rarest else []
        details += [*_filled(d, (("groups", "groups in {}"),)), _ELSEWHERE]
    where = " and ".join(f"{w.column} {w.relation} {literal_text(w.value)}" for w in d.where)
    details += _filled(d, _DATASET, where=where)
    details += [f"{', '.join(map(literal_text, j.classes))} joined as {literal_text(j.name)}" for j in d.joined]
    details += [f"tuned on {d.tuned_on.locator}"] if d.tuned_on else []
    return f"{d.name} ({', '.join(details)})" if details else d.name


def _options(options: tuple[tuple[str, Literals], ...]) -> str:
    return f"({', '.join(f'{name} = {literal_text(value)}' for name, value in options)})" if options else ""


def _learner(x: Learner) -> str:
    chain = " | ".join(s.name + _options(s.parameters) for s in x.steps)
    tuned = f", {x.candidates:,} settings of {', '.join(g.parameter for g in x.grids)}" if x.grids else ""
    calibrated = f", calibrated by {x.calibrate}" if x.calibrate != "none" else ""
    times = f", trained {x.trainings} times" if x.trainings > 1 else ""
    details = "".join(f", {one}" for one in _described(x))
    return f"{x.name} = {chain}{tuned}{calibrated}{times}{details}"


def _prepared(known: list[Learner]) -> Rows:
    """Yield the preparation that evalang adds to learners, by the rule that the run follows."""
    alike: dict[tuple[Added, ...], list[str]] = {}
    for x in known:
        if x.described is None:
            alike.setdefault(additions(x), []).append(x.name)
    for added, names in alike.items():
        who = "" if len(alike) == 1 else f"{', '.join(names)}: "
        details = "; ".join(WORDS[one] for one in added) if added else "no preparation: columns are used as they are"
        yield "prepared", f"{who}{details}" + (" (where needed)" if added else "")


def _described(x: Learner) -> list[str]:
    """Return what else the script says of a learner."""
    details = [f"positive if the score is at least {x.threshold:g}"] if x.threshold is not None else []
    details += ["without preparation"] if x.without_preparation else []
    return [*details, _ELSEWHERE, *_filled(x.described, _DESCRIBED_LEARNER)] if x.described else details


def _table(r: ResultsTable) -> str:
    """Return a table of scores and how they came about."""
    details = [f"{one.role} in {one.column}" for one in r.roles] + _filled(r, _TABLE)
    if r.tuned:
        details.append(f"tuned on {'the test part' if r.tuned.where == 'test' else _part(r.tuned.part)}")
    details += [f"copied from {c.origin}{' for ' * bool(c.learners)}{', '.join(c.learners)}" for c in r.copied]
    return f"{r.name} ({'; '.join(details)})" if details else r.name


def _part(part: Part | None) -> str:
    return part.text if part is not None else "a part"


def _tuning(c: Comparison) -> str:
    assert c.tuning is not None
    t = c.tuning.value
    where = {
        "part": f"on {_part(t.part)}{_OF}",
        "cv": f"by {t.folds}cv inside each training part",
        "given": "on the rows of the tuning file",
        "test": "on the test part",
    }[t.where]
    again = ", then refitted with the best setting on the whole training part" if c.retrains else ""
    return where + again


def _threshold(c: Comparison, known: list[Learner]) -> str:
    assert c.threshold is not None
    where = _part(c.threshold.part) + _OF + ", not used for training"
    if c.threshold.where == "test":
        where = "the test part"
    elif c.threshold.where == "tuning":
        cv = c.tuning is not None and c.tuning.value.where == "cv"
        where = "the inner folds" if cv else "the tuning part"
        where += ", then refitted on the whole training part" if c.retrains else ""
    by = f"for {c.threshold.metric.label}, " if c.threshold.metric else ""
    own = [x.name for x in known if x.threshold is not None]
    beside = f"; {', '.join(own)}: as in the script" if own else ""
    return f"chosen {by}on {where}{beside}"


def _stopping(part: Part, known: list[Learner]) -> Iterator[str]:
    """Yield which learners stop training early, on which rows, and which do not."""
    ways: dict[str | None, list[str]] = {}
    for x in known:
        ways.setdefault(stops_early(x), []).append(x.name)
    details = {
        "on the part": f"stops after {PATIENCE} rounds without a better score on {_part(part)}{_OF}",
        "by itself": f"stops early on {_part(part)} of the training rows, sampled by the learner itself",
        None: "does not stop early; trained on that part too",
    }
    yield from (f"{', '.join(ways[way])}: {words}" for way, words in details.items() if way in ways)


def _sizes(c: Comparison, datasets: dict[str, Dataset]) -> str:
    """Return the sizes of the parts in rows; empty where the plan does not know them."""
    assert c.scheme is not None
    shown = []
    for name in c.datasets[:4]:
        rows = datasets[name].rows if name in datasets else None
        parts = split_rows(c, rows) if rows else None
        if parts:
            inner = ", ".join(f"{count} {_FOR[part]}" for part, count in parts.items() if part in _FOR and count)
            inner = f", of which {inner}" if inner else ""
            shown.append(f"{name}: {parts['train']} to train{inner}, {parts['test']} to test")
    return "  (" + "; ".join(shown) + ("; …" if len(c.datasets) > 4 else "") + ")" if shown else ""


_FOR = {
    "stopping": "to stop on",
    "tuning": "for tuning",
    "calibration": "for calibration",
    "threshold": "for the threshold",
}


def split_rows(c: Comparison, rows: int) -> dict[str, int] | None:
    """Return the rows of one fold by part, `train` with all that is cut from it; None when only the data can tell."""
    scheme = c.scheme
    if scheme is None:
        return None
    parts = None if scheme.card.in_time else scheme.parts(rows)  # training parts that grow have no one size
    if parts is None:
        return None
    test = int(parts[1])
    train = scheme.rows or rows - test
    cut = {
        "stopping": c.stop_early,
        "tuning": c.tuning.value.part if c.tuning else None,
        "calibration": c.calibration.part if c.calibration else None,
        "threshold": c.threshold.part if c.threshold else None,
    }
    return {"train": train, **{name: part.of(train) for name, part in cut.items() if part is not None}, "test": test}


def _family(f: Family, plan: Plan) -> str:
    scope = "over datasets" if f.scope == "over-datasets" else "on single datasets"
    scope = "on single datasets and over datasets" if "everything" in f.over else scope
    counted = describe_factors(f)
    several = f"{f.count} families of " if f.count > 1 and f.size > 1 else ""
    mine = [c for c in plan.comparisons if c.name in f.comparisons]
    waiting = _not_counted(f, plan, mine)
    if f.size <= 1 or f.method == "uncorrected":
        total = f.size * f.count
        how = "not corrected" if total > 1 else "no correction needed"
        how = waiting or f"{how}, level {f.alpha:g}"
        return f"{total} test{'s' * (total != 1)} {scope} ({counted}), {how}"
    card = find_correction(f.method)
    step = f"; the smallest p must be at most {f.first_level:.4g}" if card else ""
    default = f"  (by default: {f.reason})" if f.reason else ""
    own = posthoc_blocks(f, mine)
    if own and card:
        rest = f.size - sum(count for _, count in own)
        parts = [f"{test} corrects its own {count} pairs" for test, count in own]
        parts += [f"{f.method} corrects the other {rest} test{'s' * (rest != 1)}"] * (rest > 0)
        default, step = "", f"; each of these {len(parts)} sets has the level {f.alpha / len(parts):.4g}"
        return f"{f.size} tests {scope} ({counted}): {', '.join(parts)}{step}"
    return f"{several}{f.size} tests {scope} ({counted}), {f.method}{step}{waiting and f'; {waiting}'}{default}"


def _not_counted(f: Family, plan: Plan, mine: list[Comparison]) -> str:
    """Return which comparisons may add tests to a default family once their data are read; "" where none may."""
    if any(c.correction is not None for c in mine):
        return ""
    where = places(plan)
    data = {where.get(d, d) for c in mine for d in c.datasets}
    names = [
        f"`{c.name}`"
        for c in plan.comparisons
        if c.correction is None
        and c.name not in f.comparisons
        and not c.estimate
        and (c.tests if f.scope == "dataset" else c.over)
        and not countable(c, f.scope)
        and data & {where.get(d, d) for d in c.datasets}
    ]
    return f"the tests of {' and '.join(names)} are added when the data are read" if names else ""


_UNORDERED = frozenset({"options", "parameters"})  # (name, value) pairs, each name once
_DEFINITIONS = ("datasets", "suites", "learners", "results", "predictions")


def dumps(plan: model.Plan) -> str:
    """Return the plan as JSON text."""
    return json.dumps(to_json(plan), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def loads(text: str) -> model.Plan:
    """Return the plan of a JSON text; raise ScriptError with the first wrong field if it is none."""
    try:
        plan: model.Plan = from_json(model.Plan, parse_json(text))
    except ValueError as error:
        hint = "`evalang plan --format json` writes one"
        raise ScriptError(f"this is not a plan written by evalang: {str(error)[:200]}", hint=hint) from None
    return plan


@cache
def _added_later(kind: Any) -> frozenset[str]:
    """Return the fields that are part of the fingerprint only where they are used, so that older ones hold."""
    return frozenset(f.name for f in fields(kind) if f.metadata.get("later"))


def meaning(value: Any) -> Any:
    """Return what two equal plans share: no positions, spellings or reasons, and options in any order."""
    if is_record(value):
        kind: Any = type(value)
        parts: list[Any] = [kind.__name__]
        for name in compared_names(kind):
            field_value = getattr(value, name)
            meant = meaning(sorted(field_value) if name in _UNORDERED else field_value)
            if name not in _added_later(kind):
                parts.append(meant)
            elif field_value != default_values(kind).get(name):
                parts.append([name, meant])
        return parts
    if isinstance(value, tuple | list):
        return [meaning(item) for item in value]
    return value


def fingerprint(plan: model.Plan) -> str:
    """Return a digest that formatting, comments, the order of definitions and the script's path do not change."""
    parts = []
    for name in compared_names(type(plan)):
        value = getattr(plan, name)
        if name in _DEFINITIONS:
            parts.append([name, *(meaning(v) for v in sorted(value, key=lambda v: str(v.name)))])
        elif name != "script":
            parts.append([name, meaning(value)])
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def plan_schema() -> dict[str, Any]:
    """Return the JSON Schema of what `evalang plan --format json` prints."""
    definitions: dict[str, Any] = {}
    plan = json_schema(model.Plan, definitions)
    definitions["Span"]["description"] = "Characters start to end (exclusive) of a file; an empty path is nowhere."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"evalang plan, version {model.VERSION}",
        "type": "object",
        "properties": {"fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "plan": plan},
        "required": ["fingerprint", "plan"],
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.items())),
    }
