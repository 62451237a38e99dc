"""`dataset`, `suite`, `results` and `predictions` statements become records of the plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..catalogue import sources
from ..catalogue.metrics import find_metric
from ..language import nodes
from .learners import plan_step
from .levels import with_named_columns
from .model import (
    Condition,
    Copied,
    Dataset,
    Horizon,
    JoinedClasses,
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
from .values import (
    Clauses,
    FieldReader,
    PlanErrors,
    plain_value,
    read_count,
    read_definition,
    read_literal,
    read_one_metric,
    read_options,
    read_part,
    read_part_clause,
    read_scheme,
    read_whole,
    record_of,
)

_TAKES = {"text": "a path in quotes", "number": "a number", "generator": "a generator such as gaussians(n = 300)"}
_ROLES: tuple[tuple[type[nodes.ColumnClause], RoleWord], ...] = (
    (nodes.FoldsIn, "folds"), (nodes.SeedsIn, "seeds"), (nodes.RepeatsIn, "repeats"), (nodes.ItemsIn, "items"),
)  # fmt: skip


def read_source(found: nodes.DataSource, statement: sources.Statement, errors: PlanErrors) -> Source:
    """Return where data comes from; a database address is kept apart from what may be shown."""
    kind = found.reader.text
    _check_reader(found, statement, errors)
    if isinstance(found.locator, nodes.Call):
        name, generator = found.locator.name, sources.find_generator(found.locator.name.text)
        if kind == "synthetic" and generator is None:  # for another reader it is reported above
            errors.unknown_name(name.span, "generator", name.text, (g.name for g in sources.GENERATORS))
        for argument in found.locator.arguments if kind == "synthetic" else ():
            wrong = generator and sources.check_parameters(
                generator, ((argument.name.text, read_literal(argument.value)),)
            )
            if wrong:
                errors.bad_parameter(argument.span, wrong)
        return Source(kind=kind, locator=name.text, options=read_options(found.locator.arguments, errors))
    settings = read_options(found.options, errors)
    locator = str(found.locator.value)
    if kind == "builtin" and sources.find_bundled(locator) is None:
        errors.unknown_name(found.locator.span, "built-in dataset", locator, (b.name for b in sources.BUNDLED))
    # An address that is no path is refused when it is read, and until then its password is not shown.
    shown = hide_passwords(locator) if kind == "sql" or "://" in locator else locator
    return Source(kind=kind, locator=shown, options=settings, address=locator if kind == "sql" else "")


def _check_reader(found: nodes.DataSource, statement: sources.Statement, errors: PlanErrors) -> None:
    """Report a word after `from` that is no reader, does not fit this statement, or lacks what it takes."""
    word = found.reader.text
    reader = sources.find_reader(word)
    fitting = [r.name for r in sources.READERS if statement in r.statements]
    help = f"a `{statement}` statement reads from {', '.join(fitting)}"
    taken = {nodes.Text: "text", nodes.Number: "number", nodes.Call: "generator"}[type(found.locator)]
    if reader is None:
        errors.unknown_name(found.reader.span, "reader", word, fitting, help)
    elif statement not in reader.statements:
        errors.conflict(found.reader.span, f"a `{statement}` statement cannot read {reader.title} (`{word}`)", help)
    elif taken != reader.takes and not (reader.suite_names and statement == "suite" and taken == "text"):
        errors.invalid(
            found.locator.span,
            f"`{word}` must be followed by {_TAKES[reader.takes]}",
            "`evalang explain from` shows examples",
        )


def _read_file(clause: nodes.TunedOnSource | nodes.TestedOn, errors: PlanErrors) -> Source:
    return read_source(clause.source, "dataset", errors)


def _read_horizon(clause: nodes.HorizonClause, errors: PlanErrors) -> Horizon | None:
    count = read_whole(clause.count, "the horizon", 1, errors)
    return Horizon(count=count, unit=clause.unit, span=clause.span) if count is not None else None


# The clause that fills each field of a definition, and how its value is read.
_FIELDS: dict[str, FieldReader] = {
    "target": (nodes.TargetClause, "column"),
    "groups": (nodes.Groups, "column"),
    "weights": (nodes.Weights, "column"),
    "time": (nodes.Time, "column"),
    "series": (nodes.SeriesIn, "column"),
    "folds": (nodes.Folds, "column"),
    "datasets_in": (nodes.DatasetsIn, "column"),
    "truth": (nodes.TruthClause, "column"),
    "positive": (nodes.Positive, "values"),
    "against_rest": (nodes.Positive, "against_rest"),
    "missing": (nodes.Missing, "values"),
    "drop": (nodes.Drop, "columns"),
    "learners_in": (nodes.LearnersIn, "columns"),
    "drop_missing_targets": (nodes.DropMissingTargets, ""),
    "drop_repeated": (nodes.DropRepeatedRows, ""),
    "where": (nodes.Where, lambda clause, _: tuple([record_of(Condition, one) for one in clause.conditions])),
    "tuned_on": (nodes.TunedOnSource, _read_file),
    "tested_on": (nodes.TestedOn, _read_file),
    "query": (nodes.Query, "text"),
    "horizon": (nodes.HorizonClause, _read_horizon),
    "task": (nodes.AsTask, "task"),
    "rows": (nodes.Rows, read_count("the number of rows")),
    "classes": (nodes.Classes, read_count("the number of classes", 2)),
    "sampled_from": (nodes.SampledFrom, "population"),
    "trainings": (nodes.TrainedTimes, read_count("the number after `trained`")),
    "tuned": (nodes.TunedOn, lambda clause, errors: read_part_clause(clause, Tuning, "tuned on", "test", errors)),
}


def plan_dataset(statement: nodes.DatasetStatement, included: bool, errors: PlanErrors) -> Dataset:
    """Return the record of a dataset statement; of a described dataset nothing else is known."""
    if isinstance(statement.source, nodes.Described):
        return _with_description(statement, included, errors)
    return _read_dataset(statement, read_source(statement.source, "dataset", errors), included, errors)


def _read_dataset(
    statement: nodes.DatasetStatement | nodes.SuiteStatement, source: Source, included: bool, errors: PlanErrors
) -> Dataset:
    """Return a dataset that is read from somewhere, or what all those of a folder have in common."""
    clauses = Clauses(statement.clauses)
    _check_dataset(statement, clauses, source, errors)
    known: dict[str, Any] = {}  # from the catalogue
    if source.kind == "builtin" and (bundled := sources.find_bundled(source.locator)):
        known = {"task": bundled.task, "rows": bundled.rows, "classes": bundled.classes}
    elif source.kind == "synthetic" and (generator := sources.find_generator(source.locator)):
        known = {"task": generator.task, "rows": sources.rows_of(generator, source.options)}
    return Dataset(
        source=source,
        joined=tuple([record_of(JoinedClasses, one) for one in clauses.every(nodes.JoinClasses)]),
        prepared_by=_prepared(clauses, errors),
        **(known | read_definition(Dataset, statement, _FIELDS, included, errors)),
    )


def _check_dataset(
    statement: nodes.DatasetStatement | nodes.SuiteStatement, clauses: Clauses, source: Source, errors: PlanErrors
) -> None:
    """Report clauses of a dataset that contradict each other or its source."""
    name, query = statement.name, clauses.get(nodes.Query)
    if query and source.kind != "sql":
        errors.conflict(
            query.span,
            f"`query` works only with `from sql`, not with `from {source.kind}`",
            "remove the `query` clause",
        )
    if source.kind == "sql" and not query:
        errors.conflict(
            name.span, f"dataset `{name.text}` comes from a database but has no query", 'add `query "select …"`'
        )
    target, dropped = clauses.get(nodes.TargetClause), clauses.get(nodes.Drop)
    if target and dropped and target.column.value in plain_value(dropped.columns):
        errors.conflict(
            dropped.span,
            f"column `{target.column.value}` is the target, so it cannot be dropped",
            "drop another column",
        )
    for timed, word in ((clauses.get(nodes.SeriesIn), "series"), (clauses.get(nodes.HorizonClause), "a horizon")):
        if timed and nodes.Time not in clauses:
            help = f'add `time "day"`, or remove `{word.removeprefix("a ")}`'
            errors.conflict(timed.span, f"dataset `{name.text}` has {word} but no time column", help)


def _prepared(clauses: Clauses, errors: PlanErrors) -> tuple[Step, ...]:
    """Return what was or will be done to all rows, in the order of the script.

    In quotes and without a colon it was done elsewhere: `prepared by "SMOTE"`.
    """
    prepared, oversampled = clauses.get(nodes.PreparedBy), clauses.get(nodes.Oversampled)
    steps = [Step(name="oversampling", kind="described", span=oversampled.span)] if oversampled else []
    for call in prepared.steps if prepared else ():
        quoted = call.name.span.end - call.name.span.start > len(call.name.text)
        elsewhere = Step(name=call.name.text, kind="described", span=call.span)
        steps.append(elsewhere if quoted and not call.code else plan_step(call, errors))
    return tuple(sorted(steps, key=lambda step: step.span.start))


def _with_description(statement: nodes.DatasetStatement, included: bool, errors: PlanErrors) -> Dataset:
    """Return a dataset that is only described."""
    dataset = _read_dataset(statement, Source(kind="described", locator=""), included, errors)
    rarest = Clauses(statement.clauses).get(nodes.Rarest)
    part = read_part(rarest.share, "rarest", errors) if rarest else None
    share = part.fraction if part else None
    if rarest and part and share is None:
        errors.invalid(
            rarest.span, "`rarest` gives the share of the rarest class, not its rows", "write for example `rarest 2%`"
        )
    if rarest and share and dataset.classes and share * dataset.classes > 1:
        message = f"the rarest of {dataset.classes} classes has at most {1 / dataset.classes:.0%} of the rows"
        errors.invalid(rarest.span, message, "write a smaller share")
    has_classes = rarest is not None or any(isinstance(one, nodes.Classes) for one in statement.clauses)
    return replace(dataset, rarest=share, task=dataset.task or ("classification" if has_classes else None))


def bundled_dataset(name: str) -> Dataset | None:
    """Return a dataset that is known by name, with no dataset statement."""
    card = sources.find_bundled(name)
    if card is None:
        return None
    source = Source(kind="builtin", locator=name)
    return Dataset(name=name, source=source, task=card.task, rows=card.rows, classes=card.classes, bundled=True)


def plan_suite(statement: nodes.SuiteStatement, included: bool, errors: PlanErrors) -> Suite:
    """Return the record of a suite statement; its members are looked up when all names are known."""
    each = _each(statement, included, errors)
    members: dict[str, None] = {dataset.name: None for dataset in each}
    for member in statement.members:
        if member.text in members:
            errors.invalid(member.span, f"dataset `{member.text}` is named twice", "name each dataset once")
        members[member.text] = None
    fields = read_definition(Suite, statement, _FIELDS, included, errors)
    return Suite(members=tuple(members), each=each, **fields)


def _each(statement: nodes.SuiteStatement, included: bool, errors: PlanErrors) -> tuple[Dataset, ...]:
    """Return what stands for the datasets of a source until it is opened: one each if they are known, else one."""
    if statement.source is None:
        return ()
    source = read_source(statement.source, "suite", errors)
    name = statement.name.text
    unopened = replace(_read_dataset(statement, source, included, errors), name=f"{name}/*", because=None)
    if source.kind != "openml":
        return (unopened,)
    suite = sources.find_openml_suite(source.locator)
    if suite is not None:
        task = replace(unopened, task=unopened.task or suite.task)
        numbered = [(number, replace(source, kind="openml-task", locator=str(number))) for number in suite.tasks]
        return tuple([replace(task, name=f"{name}/{number}", source=place) for number, place in numbered])
    locator = statement.source.locator
    if isinstance(locator, nodes.Text):
        help = "give any other suite of OpenML by its number: `from openml 218`"
        known = (one.name for one in sources.OPENML_SUITES)
        errors.unknown_name(locator.span, "suite of OpenML", source.locator, known, help)
    return (replace(unopened, source=replace(source, kind="openml-suite")),)


def plan_results(statement: nodes.ResultsStatement, included: bool, errors: PlanErrors) -> ResultsTable:
    """Return the record of a results statement: wide with one column a learner, or long with a formula."""
    clauses = Clauses(statement.clauses)
    made, gap = clauses.get(nodes.MadeUsing), clauses.get(nodes.Gap)
    if gap and not made:
        errors.conflict(gap.span, "`gap` needs a forward scheme", "write `made using forward 8 splits, gap 7 rows`")
    help = "write one `results` statement for each metric"
    metric = read_one_metric(clauses, "a table of results holds one metric", help, errors)
    columns: tuple[str, ...] = ()
    if (as_formula := clauses.get(nodes.AsFormula)) is not None:
        formula = as_formula.formula
        columns = plain_value((formula.response, formula.treatment, *formula.blocks))
        card = find_metric(formula.response.text)
        metric = metric or (Metric(name=card.name) if card else None)
    roles = [(clauses.get(kind), role) for kind, role in _ROLES]
    table = ResultsTable(
        source=read_source(statement.source, "results", errors),
        formula=columns,
        roles=tuple([Role(column=one.column.value, role=role, span=one.span) for one, role in roles if one]),
        made=read_scheme(made.scheme, errors, gap) if made else None,
        copied=tuple([record_of(Copied, one) for one in clauses.every(nodes.CopiedFrom)]),
        metric=metric.name if metric else None,
        measured=metric,
        **read_definition(ResultsTable, statement, _FIELDS, included, errors),
    )
    return with_named_columns(table)


def plan_predictions(statement: nodes.PredictionsStatement, included: bool, errors: PlanErrors) -> PredictionsTable:
    """Return the record of a predictions statement."""
    source = read_source(statement.source, "predictions", errors)
    fields = read_definition(PredictionsTable, statement, _FIELDS, included, errors)
    return PredictionsTable(source=source, **fields)
