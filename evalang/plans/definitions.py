"""`dataset`, `suite`, `learner`, `results` and `predictions` statements become records of the plan."""

from __future__ import annotations

from typing import TypeVar

from ..catalogue.bundled import BUNDLED, find_bundled
from ..catalogue.generators import GENERATORS, check_parameters, find_generator, rows_of
from ..catalogue.metrics import METRICS, find_metric
from ..catalogue.stages import check_role, check_stage, nearest_stage, stage_parameters, targets
from ..catalogue.steps import find_step
from ..source.nearest import nearest
from ..syntax import nodes
from . import model
from .grids import MOST_CANDIDATES, candidates, grid
from .problems import Problems
from .values import literal, options, whole

C = TypeVar("C", bound=nodes.Node)
MOST_TRAININGS = 10_000


def clause(clauses: tuple[nodes.Clause, ...], kind: type[C]) -> C | None:
    """The clause of a kind, if the statement has one."""
    for found in clauses:
        if type(found) is kind:
            return found
    return None


def because(clauses: tuple[nodes.Clause, ...]) -> str | None:
    """The author's reason for a statement."""
    found = clause(clauses, nodes.Because)
    return found.reason.value if found else None


def allowances(clauses: tuple[nodes.Clause, ...], problems: Problems) -> tuple[model.Allowance, ...]:
    """`allow CODE because "..."`; without a reason it is EV006 and allows nothing."""
    found = []
    for one in clauses:
        if type(one) is not nodes.Allow:
            continue
        if one.reason is None or not one.reason.value.strip():
            problems.bad(one.span, f"allow {one.code.text} gives no reason", f'write allow {one.code.text} because "…"')
        else:
            found.append(model.Allowance(code=one.code.text, reason=one.reason.value, span=one.span))
    return tuple(found)


def source(found: nodes.DataSource, problems: Problems) -> model.Source:
    """Where data comes from; a database address is kept apart from what may be shown."""
    settings = options(found.options, problems)
    if found.kind == "synthetic" and isinstance(found.locator, nodes.Call):
        name = found.locator.name.text
        given = options(found.locator.arguments, problems)
        generator = find_generator(name)
        if generator is None:
            problems.unknown(found.locator.span, "generator", name, (g.name for g in GENERATORS))
        for argument in found.locator.arguments if generator else ():
            wrong = check_parameters(generator, ((argument.name.text, literal(argument.value)),)) if generator else None
            if wrong:
                problems.parameter(argument.span, wrong)
        return model.Source(kind="synthetic", locator=name, options=given)
    locator = str(literal(found.locator)) if not isinstance(found.locator, nodes.Call) else found.locator.name.text
    if found.kind == "builtin" and find_bundled(locator) is None:
        problems.unknown(found.locator.span, "built-in dataset", locator, (b.name for b in BUNDLED))
    if found.kind == "sql":
        return model.Source(kind="sql", locator=without_password(locator), options=settings, address=locator)
    return model.Source(kind=found.kind, locator=locator, options=settings)


def without_password(address: str) -> str:
    """A database address that may be shown: whatever stands between the first `:` of the user and the last `@` goes.

    >>> without_password("postgresql://me:secret@host/db")
    'postgresql://me:***@host/db'
    """
    scheme, mark, rest = address.partition("://")
    if not mark:
        return address
    user, at, place = rest.rpartition("@")  # the last one: a password may hold `/`, `?` and `@` unescaped
    if at and ":" in user:
        user = user.partition(":")[0] + ":***"
    shown = f"{scheme}://{user}{at}{place}"
    head, question, query = shown.partition("?")
    if question:
        kept = [p if "password" not in p.lower() and "passfile" not in p.lower() else p.partition("=")[0] + "=***" for p in query.split("&")]
        return head + "?" + "&".join(kept)
    return shown


def _column(clauses: tuple[nodes.Clause, ...], kind: type[nodes.Target | nodes.Groups | nodes.Weights | nodes.Time | nodes.Folds | nodes.Truth | nodes.DatasetsIn]) -> str | None:
    found = clause(clauses, kind)
    return found.column.value if found else None


def dataset(statement: nodes.Dataset, included: bool, problems: Problems) -> model.Dataset:
    """A dataset statement."""
    said = statement.clauses
    where = source(statement.source, problems)
    bundled = find_bundled(where.locator) if where.kind == "builtin" else None
    rows = bundled.rows if bundled else _generated_rows(where)
    positive, missing, drop = clause(said, nodes.Positive), clause(said, nodes.Missing), clause(said, nodes.Drop)
    tested, query, task = clause(said, nodes.TestedOn), clause(said, nodes.Query), clause(said, nodes.AsTask)
    prepared = clause(said, nodes.PreparedBy)
    if query and where.kind != "sql":
        problems.disagree(query.span, f"{where.kind} data takes no query", "a query belongs to `from sql`")
    if where.kind == "sql" and not query:
        problems.disagree(statement.source.span, f"{statement.name.text} says no query", 'add query "select …"')
    steps = tuple(step(call, problems, only_steps=True) for call in prepared.steps) if prepared else ()
    return model.Dataset(
        name=statement.name.text,
        source=where,
        target=_column(said, nodes.Target),
        positive=tuple(literal(v) for v in positive.values) if positive else (),
        against_rest=positive.against_rest if positive else False,
        missing=tuple(literal(v) for v in missing.values) if missing else (),
        drop=tuple(c.value for c in drop.columns) if drop else (),
        drop_missing_targets=clause(said, nodes.DropMissingTargets) is not None,
        groups=_column(said, nodes.Groups),
        weights=_column(said, nodes.Weights),
        time=_column(said, nodes.Time),
        folds=_column(said, nodes.Folds),
        tested_on=source(tested.source, problems) if tested else None,
        query=query.text.value if query else None,
        prepared_by=steps,
        task=task.task if task else (bundled.task if bundled else _generated_task(where)),
        rows=rows,
        classes=bundled.classes if bundled else None,
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )


def _generated_rows(where: model.Source) -> int | None:
    found = find_generator(where.locator) if where.kind == "synthetic" else None
    return rows_of(found, where.options) if found else None


def _generated_task(where: model.Source) -> model.Task | None:
    found = find_generator(where.locator) if where.kind == "synthetic" else None
    return found.task if found else None


def bundled_dataset(name: str) -> model.Dataset | None:
    """A data set known by name, with no dataset statement."""
    found = find_bundled(name)
    if found is None:
        return None
    return model.Dataset(
        name=name,
        source=model.Source(kind="builtin", locator=name),
        task=found.task,
        rows=found.rows,
        classes=found.classes,
        bundled=True,
    )


def suite(statement: nodes.Suite, included: bool, problems: Problems) -> model.Suite:
    """A suite statement; its members are looked up when all names are known."""
    sampled = clause(statement.clauses, nodes.SampledFrom)
    return model.Suite(
        name=statement.name.text,
        members=tuple(m.text for m in statement.members),
        sampled_from=sampled.population.value if sampled else None,
        because=because(statement.clauses),
        included=included,
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )


def step(call: nodes.Call, problems: Problems, last: bool = False, only_steps: bool = False) -> model.Step:
    """One stage of a pipeline, its parameters checked against the catalogue."""
    name = call.name.text
    if call.code:
        return model.Step(name=name, kind="code", parameters=options(call.arguments, problems), span=call.span)
    known = targets(name)
    if not known:
        near = nearest_stage(name)
        problems.unknown(call.name.span, "step" if only_steps or not last else "learner", name, (near,) if near else ())
    else:
        wrong = check_role(name, last)
        if wrong:
            problems.disagree(call.name.span, *_split(wrong))
        for argument in call.arguments:
            fault = check_stage(name, argument.name.text, literal(argument.value))
            if fault and argument.name.text not in stage_parameters(name):
                problems.parameter(argument.span, fault)
            elif fault:
                problems.bad(argument.span, fault, "write a value that the parameter takes")
    kind = "estimator" if "." in name else "step" if find_step(name) else "learner"
    return model.Step(name=name, kind=kind, parameters=options(call.arguments, problems), span=call.span)


def _split(sentence: str) -> tuple[str, str]:
    message, _, help = sentence.partition("; ")
    return message, help or "put steps first and the learner last: scale | svm"


def learner(statement: nodes.Learner, included: bool, problems: Problems) -> model.Learner:
    """A learner statement: its chain, its grids, its calibration."""
    said = statement.clauses
    chain = statement.pipeline
    steps = tuple(step(call, problems, last=i == len(chain) - 1) for i, call in enumerate(chain))
    tune, tries, times = clause(said, nodes.Tune), clause(said, nodes.Try), clause(said, nodes.TrainTimes)
    grids = tuple(g for g in (grid(p, problems) for p in tune.parameters) if g is not None) if tune else ()
    if tune:
        _check_tuned(tune, steps, grids, problems)
    total = candidates(grids) if grids else 1
    wanted = whole(tries.count, "try", 1, problems) if tries else None
    if tries and not tune:
        problems.disagree(tries.span, "try has nothing to try", "say what is tuned: tune C in {1, 10}")
    if total > MOST_CANDIDATES and wanted is None:
        problems.bad(
            tune.span if tune else statement.span,
            f"the grid of {statement.name.text} has {total if total < 10**15 else float(total):,} settings",
            f"{MOST_CANDIDATES:,} are the most; name fewer values, or add try 50 for a random sample",
        )
    method = clause(said, nodes.Calibrate)
    trainings = whole(times.count, "train", 1, problems, MOST_TRAININGS) if times else 1
    return model.Learner(
        name=statement.name.text,
        steps=steps,
        grids=grids,
        candidates=min(total, wanted) if wanted else total,
        tries=wanted,
        calibrate=method.method if method else "none",
        trainings=trainings or 1,
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )


def _check_tuned(tune: nodes.Tune, steps: tuple[model.Step, ...], grids: tuple[model.Grid, ...], problems: Problems) -> None:
    seen: set[str] = set()
    values = {g.parameter: g.values for g in grids}
    for tuned in tune.parameters:
        word = tuned.name.text
        if word in seen:
            problems.bad(tuned.span, f"{word} is tuned twice", "keep one of the two")
        seen.add(word)
        owner, parameter = _owner(word, steps)
        if owner is None:
            names = [p for s in steps for p in stage_parameters(s.name)]
            near = nearest(parameter, names)
            shown = " | ".join(s.name for s in steps)
            problems.parameter(tuned.name.span, f'{shown} has no parameter "{word}"' + (f"; did you mean {near}?" if near else ""))
        elif owner.kind in ("step", "learner", "estimator"):
            faults = (check_stage(owner.name, parameter, value) for value in values.get(word, ()))
            fault = next((f for f in faults if f), None)
            if fault:
                problems.bad(tuned.grid.span, fault, "name only values that the parameter takes")


def _owner(word: str, steps: tuple[model.Step, ...]) -> tuple[model.Step | None, str]:
    """The stage a tuned parameter belongs to: `pca.n_components` by name, a bare one of the last stage, or of the only one."""
    stage, dot, parameter = word.rpartition(".")
    if dot:
        named = [s for s in steps if s.name in (stage, stage.replace("_", "-")) or s.name.rpartition(".")[2] == stage]
        fitting = [s for s in named if s.kind in ("code", "python") or parameter in stage_parameters(s.name)]
        return (fitting[0] if fitting else None), parameter
    if not steps:
        return None, word
    having = [s for s in steps if s.kind in ("code", "python") or word in stage_parameters(s.name)]
    if steps[-1] in having:
        return steps[-1], word
    return (having[0] if len(having) == 1 else None), word


def implicit_learner(name: str) -> model.Learner | None:
    """A catalogue learner or dotted name used without a learner statement."""
    if not targets(name) or check_role(name, last=True):
        return None
    kind = "estimator" if "." in name else "learner"
    return model.Learner(name=name, steps=(model.Step(name=name, kind=kind),), implicit=True)


def metric(call: nodes.Call, problems: Problems) -> model.Metric | None:
    """A metric by name or alias, with its options."""
    found = find_metric(call.name.text)
    if found is None:
        names = [m.name for m in METRICS] + [a for m in METRICS for a in m.aliases]
        problems.unknown(call.name.span, "metric", call.name.text, names, "see `evalang explain --all` for the metrics")
        return None
    known = dict(found.options)
    for argument in call.arguments:
        if argument.name.text not in known:
            near = nearest(argument.name.text, known)
            problems.parameter(
                argument.span, f"{found.name} has no option {argument.name.text}" + (f"; did you mean {near}?" if near else "")
            )
    return model.Metric(name=found.name, options=options(call.arguments, problems), span=call.span)


def results(statement: nodes.Results, included: bool, problems: Problems) -> model.ResultsTable:
    """A results statement: wide with one column a learner, or long with a formula."""
    said = statement.clauses
    formula, measuring, columns = clause(said, nodes.AsFormula), clause(said, nodes.Measuring), clause(said, nodes.LearnersIn)
    measured = metric(measuring.metrics[0], problems) if measuring else None
    words = ()
    if formula:
        f = formula.formula
        words = (f.response.text, f.treatment.text, *(b.text for b in f.blocks))
    if measured is None and formula:
        named = find_metric(formula.formula.response.text)
        measured = model.Metric(name=named.name) if named else None
    return model.ResultsTable(
        name=statement.name.text,
        source=source(statement.source, problems),
        datasets_in=_column(said, nodes.DatasetsIn),
        learners_in=tuple(c.value for c in columns.columns) if columns else (),
        formula=words,
        metric=measured.name if measured else None,
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )


def predictions(statement: nodes.Predictions, included: bool, problems: Problems) -> model.PredictionsTable:
    """A predictions statement."""
    said = statement.clauses
    columns, positive = clause(said, nodes.LearnersIn), clause(said, nodes.Positive)
    return model.PredictionsTable(
        name=statement.name.text,
        source=source(statement.source, problems),
        truth=_column(said, nodes.Truth),
        learners_in=tuple(c.value for c in columns.columns) if columns else (),
        positive=tuple(literal(v) for v in positive.values) if positive else (),
        groups=_column(said, nodes.Groups),
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )
