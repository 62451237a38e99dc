"""`dataset`, `suite`, `results` and `predictions` statements become records of the plan."""

from __future__ import annotations

from dataclasses import replace

from ..catalogue.metrics import find_metric
from ..catalogue.sources import (
    BUNDLED,
    GENERATORS,
    OPENML_SUITES,
    READERS,
    Statement,
    check_parameters,
    find_bundled,
    find_generator,
    find_openml_suite,
    find_reader,
    rows_of,
)
from ..language import nodes
from .clauses import Clauses, shared_fields
from .learners import plan_step
from .model import (
    Condition,
    Copied,
    Dataset,
    Horizon,
    JoinedClasses,
    Literals,
    Metric,
    PredictionsTable,
    ResultsTable,
    Role,
    RoleWord,
    Source,
    Step,
    Suite,
    Tuning,
)
from .passwords import hide_passwords
from .values import PlanErrors, read_literal, read_metric, read_options, read_part, read_scheme, read_whole

_TAKES = {"text": "a path in quotes", "number": "a number", "generator": "a generator such as gaussians(n = 300)"}
_ROLES: tuple[tuple[type[nodes.ColumnClause], RoleWord], ...] = (
    (nodes.FoldsIn, "folds"), (nodes.SeedsIn, "seeds"), (nodes.RepeatsIn, "repeats"), (nodes.ItemsIn, "items"),
)  # fmt: skip


def read_source(found: nodes.DataSource, statement: Statement, errors: PlanErrors) -> Source:
    """Where data comes from; a database address is kept apart from what may be shown."""
    kind = found.reader.text
    _check_reader(found, statement, errors)
    if isinstance(found.locator, nodes.Call):
        return _generated(found.locator, kind, errors)
    settings = read_options(found.options, errors)
    locator = str(found.locator.value)
    if kind == "builtin" and find_bundled(locator) is None:
        errors.unknown_name(found.locator.span, "built-in dataset", locator, (b.name for b in BUNDLED))
    if kind == "sql":
        return Source(kind="sql", locator=hide_passwords(locator), options=settings, address=locator)
    if "://" in locator:  # no path: it is refused when it is read, and until then its password is not shown
        locator = hide_passwords(locator)
    return Source(kind=kind, locator=locator, options=settings)


def _check_reader(found: nodes.DataSource, statement: Statement, errors: PlanErrors) -> None:
    """The word after `from` is a reader, reads for this statement, and has after it what it takes."""
    word = found.reader.text
    reader = find_reader(word)
    fitting = [r.name for r in READERS if statement in r.statements]
    if reader is None:
        errors.unknown_name(found.reader.span, "reader", word, fitting, f"{statement} reads from {', '.join(fitting)}")
        return
    if statement not in reader.statements:
        help = f"{statement} reads from {', '.join(fitting)}"
        errors.conflict(found.reader.span, f"{word} reads {reader.title}, which is not a {statement}", help)
    taken = {nodes.Text: "text", nodes.Number: "number", nodes.Call: "generator"}[type(found.locator)]
    if taken != reader.takes and not (reader.suite_names and statement == "suite" and taken == "text"):
        errors.invalid(found.locator.span, f"after {word} stands {_TAKES[reader.takes]}", "see `evalang explain from`")


def _generated(call: nodes.Call, kind: str, errors: PlanErrors) -> Source:
    name = call.name.text
    generator = find_generator(name)
    if kind != "synthetic":
        pass  # already reported: the reader takes no generator
    elif generator is None:
        errors.unknown_name(call.name.span, "generator", name, (g.name for g in GENERATORS))
    else:
        for argument in call.arguments:
            wrong = check_parameters(generator, ((argument.name.text, read_literal(argument.value)),))
            if wrong:
                errors.bad_parameter(argument.span, wrong)
    return Source(kind=kind, locator=name, options=read_options(call.arguments, errors))


def _column(clauses: Clauses, kind: type[nodes.ColumnClause]) -> str | None:
    found = clauses.get(kind)
    return found.column.value if found else None


def _texts(found: nodes.Drop | nodes.LearnersIn | None) -> tuple[str, ...]:
    return tuple(c.value for c in found.columns) if found else ()


def _values(found: nodes.Positive | nodes.Missing | None) -> tuple[Literals, ...]:
    return tuple(read_literal(v) for v in found.values) if found else ()


def plan_dataset(statement: nodes.DatasetStatement, included: bool, errors: PlanErrors) -> Dataset:
    """A dataset statement."""
    if isinstance(statement.source, nodes.Described):
        return plan_described_dataset(statement, included, errors)
    where = read_source(statement.source, "dataset", errors)
    return _opened(statement, where, included, errors)


def _opened(
    statement: nodes.DatasetStatement | nodes.SuiteStatement, where: Source, included: bool, errors: PlanErrors
) -> Dataset:
    """A dataset that is read from somewhere, or what all those of a folder have in common."""
    clauses = Clauses(statement.clauses)
    bundled = find_bundled(where.locator) if where.kind == "builtin" else None
    generator = find_generator(where.locator) if where.kind == "synthetic" else None
    positive, tested, query = clauses.get(nodes.Positive), clauses.get(nodes.TestedOn), clauses.get(nodes.Query)
    task = clauses.get(nodes.AsTask)
    only, tuned = clauses.get(nodes.Where), clauses.get(nodes.TunedOnSource)
    if query and where.kind != "sql":
        errors.conflict(query.span, f"{where.kind} data takes no query", "a query belongs to `from sql`")
    if where.kind == "sql" and not query:
        errors.conflict(statement.name.span, f"{statement.name.text} has no query", 'add query "select …"')
    target, dropped = clauses.get(nodes.TargetClause), clauses.get(nodes.Drop)
    if target and dropped and target.column.value in _texts(dropped):
        errors.conflict(dropped.span, f"{target.column.value} is the target and is dropped", "drop another column")
    for timed, word in ((clauses.get(nodes.SeriesIn), "series"), (clauses.get(nodes.HorizonClause), "a horizon")):
        if timed and not clauses.get(nodes.Time):
            message = f"{statement.name.text} has {word} but no time column"
            errors.conflict(timed.span, message, f'add time "day", or leave out {word.removeprefix("a ")}')
    known = bundled or generator
    return Dataset(
        name=statement.name.text,
        source=where,
        target=_column(clauses, nodes.TargetClause),
        positive=_values(positive),
        against_rest=positive.against_rest if positive else False,
        missing=_values(clauses.get(nodes.Missing)),
        drop=_texts(clauses.get(nodes.Drop)),
        drop_missing_targets=clauses.get(nodes.DropMissingTargets) is not None,
        groups=_column(clauses, nodes.Groups),
        weights=_column(clauses, nodes.Weights),
        time=_column(clauses, nodes.Time),
        series=_column(clauses, nodes.SeriesIn),
        folds=_column(clauses, nodes.Folds),
        where=tuple([_condition(one) for one in only.conditions]) if only else (),
        drop_repeated=clauses.get(nodes.DropRepeatedRows) is not None,
        joined=tuple([_joined(one) for one in clauses.every(nodes.JoinClasses)]),
        tuned_on=read_source(tuned.source, "dataset", errors) if tuned else None,
        tested_on=read_source(tested.source, "dataset", errors) if tested else None,
        query=query.text.value if query else None,
        prepared_by=_prepared(clauses, errors),
        horizon=_horizon(clauses, errors),
        task=task.task if task else known.task if known else None,
        rows=rows_of(generator, where.options) if generator else bundled.rows if bundled else None,
        classes=bundled.classes if bundled else None,
        **shared_fields(statement, clauses, included, errors),
    )


def _horizon(clauses: Clauses, errors: PlanErrors) -> Horizon | None:
    found = clauses.get(nodes.HorizonClause)
    if found is None:
        return None
    count = read_whole(found.count, "the horizon", 1, errors)
    return Horizon(count=count, unit=found.unit, span=found.span) if count is not None else None


def _prepared(clauses: Clauses, errors: PlanErrors) -> tuple[Step, ...]:
    """What was or will be done to all rows, in the order of the script."""
    prepared, oversampled = clauses.get(nodes.PreparedBy), clauses.get(nodes.Oversampled)
    steps = [_preparation(call, errors) for call in prepared.steps] if prepared else []
    if oversampled is not None:
        steps.append(Step(name="oversampling", kind="described", span=oversampled.span))
    return tuple(sorted(steps, key=lambda step: step.span.start))


def _preparation(call: nodes.Call, errors: PlanErrors) -> Step:
    """A step on all rows; in quotes and without a colon it is what was done elsewhere: `prepared by "SMOTE"`."""
    quoted = call.name.span.end - call.name.span.start > len(call.name.text)
    if quoted and not call.code:
        return Step(name=call.name.text, kind="described", span=call.span)
    return plan_step(call, errors)


def _condition(clause: nodes.ConditionNode) -> Condition:
    return Condition(
        column=clause.column.value, relation=clause.relation, value=read_literal(clause.value), span=clause.span
    )


def _joined(clause: nodes.JoinClasses) -> JoinedClasses:
    return JoinedClasses(
        classes=tuple([read_literal(one) for one in clause.classes]), name=read_literal(clause.name), span=clause.span
    )


def plan_described_dataset(statement: nodes.DatasetStatement, included: bool, errors: PlanErrors) -> Dataset:
    """A dataset that is only described; nothing else is known of it."""
    clauses = Clauses(statement.clauses)
    rows, classes, rarest = clauses.get(nodes.Rows), clauses.get(nodes.Classes), clauses.get(nodes.Rarest)
    made = _opened(statement, Source(kind="described", locator=""), included, errors)
    share = read_part(rarest.share, "rarest", errors) if rarest else None
    if rarest and share is not None and share.fraction is None:
        errors.invalid(rarest.span, "the rarest class is described by its share", "write rarest 2%")
    count = read_whole(classes.count, "the number of classes", 2, errors) if classes else None
    if rarest and share and share.fraction and count and share.fraction * count > 1:
        errors.invalid(
            rarest.span, f"the rarest of {count} classes cannot have so large a share", "write a smaller one"
        )
    task = made.task or ("classification" if classes or rarest else None)
    return replace(
        made,
        rows=read_whole(rows.count, "the number of rows", 1, errors) if rows else None,
        classes=count,
        rarest=share.fraction if share else None,
        task=task,
    )


def bundled_dataset(name: str) -> Dataset | None:
    """A data set known by name, with no dataset statement."""
    found = find_bundled(name)
    if found is None:
        return None
    where = Source(kind="builtin", locator=name)
    return Dataset(name=name, source=where, task=found.task, rows=found.rows, classes=found.classes, bundled=True)


def plan_suite(statement: nodes.SuiteStatement, included: bool, errors: PlanErrors) -> Suite:
    """A suite statement; its members are looked up when all names are known."""
    clauses = Clauses(statement.clauses)
    sampled = clauses.get(nodes.SampledFrom)
    each = _each(statement, included, errors)
    names: dict[str, None] = {one.name: None for one in each}
    for member in statement.members:
        if member.text in names:
            errors.invalid(member.span, f"{member.text} is named twice", "name each dataset once")
        names[member.text] = None
    return Suite(
        name=statement.name.text,
        members=tuple(names),
        each=each,
        sampled_from=sampled.population.value if sampled else None,
        **shared_fields(statement, clauses, included, errors),
    )


def _each(statement: nodes.SuiteStatement, included: bool, errors: PlanErrors) -> tuple[Dataset, ...]:
    """What stands for the datasets of a source until it is opened: one each where they are known, else one for all."""
    if statement.source is None:
        return ()
    where = read_source(statement.source, "suite", errors)
    name = statement.name.text
    opened = replace(_opened(statement, where, included, errors), name=f"{name}/*", because=None)
    if where.kind != "openml":
        return (opened,)
    known = find_openml_suite(where.locator)
    if known is not None:
        task = replace(opened, task=opened.task or known.task)
        numbered = [
            (f"{name}/{number}", replace(where, kind="openml-task", locator=str(number))) for number in known.tasks
        ]
        return tuple([replace(task, name=one, source=place) for one, place in numbered])
    if isinstance(statement.source.locator, nodes.Text):
        locator = statement.source.locator
        help = "any other suite of OpenML is read by its number: from openml 218"
        errors.unknown_name(locator.span, "suite of OpenML", where.locator, (one.name for one in OPENML_SUITES), help)
    return (replace(opened, source=replace(where, kind="openml-suite")),)


def plan_results(statement: nodes.ResultsStatement, included: bool, errors: PlanErrors) -> ResultsTable:
    """A results statement: wide with one column a learner, or long with a formula."""
    clauses = Clauses(statement.clauses)
    formula, measuring = clauses.get(nodes.AsFormula), clauses.get(nodes.Measuring)
    made, times, tuned = clauses.get(nodes.MadeUsing), clauses.get(nodes.TrainedTimes), clauses.get(nodes.TunedOn)
    gap = clauses.get(nodes.Gap)
    if gap and not made:
        errors.conflict(gap.span, "gap needs a forward scheme", "write made using forward 8 splits, gap 7 rows")
    measured = read_metric(measuring.metrics[0], errors) if measuring else None
    if measuring and len(measuring.metrics) > 1:
        errors.invalid(
            measuring.span, "a results table holds one metric", "write one results statement for each metric"
        )
    words: tuple[str, ...] = ()
    if formula:
        f = formula.formula
        words = (f.response.text, f.treatment.text, *(b.text for b in f.blocks))
        named = find_metric(f.response.text)
        measured = measured or (Metric(name=named.name) if named else None)
    return ResultsTable(
        name=statement.name.text,
        source=read_source(statement.source, "results", errors),
        datasets_in=_column(clauses, nodes.DatasetsIn),
        learners_in=_texts(clauses.get(nodes.LearnersIn)),
        formula=words,
        roles=_roles(clauses),
        groups=_column(clauses, nodes.Groups),
        made=read_scheme(made.scheme, errors, clauses.get(nodes.Gap)) if made else None,
        trainings=read_whole(times.count, "trained", 1, errors) if times else None,
        tuned=_tuned(tuned, errors) if tuned else None,
        copied=_copied(clauses),
        metric=measured.name if measured else None,
        measured=measured,
        missing=_values(clauses.get(nodes.Missing)),
        **shared_fields(statement, clauses, included, errors),
    )


def _roles(clauses: Clauses) -> tuple[Role, ...]:
    """Return the roles that clauses give to columns."""
    found = [(clauses.get(kind), word) for kind, word in _ROLES]
    return tuple([Role(column=one.column.value, role=word, span=one.span) for one, word in found if one])


def _tuned(clause: nodes.TunedOn, errors: PlanErrors) -> Tuning | None:
    if clause.part is None:
        return Tuning(where="test", span=clause.span)
    share = read_part(clause.part, "tuned on", errors)
    return Tuning(where="part", part=share, span=clause.span) if share else None


def _copied(clauses: Clauses) -> tuple[Copied, ...]:
    return tuple(
        [
            Copied(origin=one.origin.value, learners=tuple([name.text for name in one.learners]), span=one.span)
            for one in clauses.every(nodes.CopiedFrom)
        ]
    )


def plan_predictions(statement: nodes.PredictionsStatement, included: bool, errors: PlanErrors) -> PredictionsTable:
    """A predictions statement."""
    clauses = Clauses(statement.clauses)
    return PredictionsTable(
        name=statement.name.text,
        source=read_source(statement.source, "predictions", errors),
        truth=_column(clauses, nodes.TruthClause),
        learners_in=_texts(clauses.get(nodes.LearnersIn)),
        positive=_values(clauses.get(nodes.Positive)),
        groups=_column(clauses, nodes.Groups),
        missing=_values(clauses.get(nodes.Missing)),
        **shared_fields(statement, clauses, included, errors),
    )
