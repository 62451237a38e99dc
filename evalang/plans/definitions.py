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
from .chains import step
from .clauses import allowances, because, clause
from .model import (
    Condition,
    Copied,
    Dataset,
    JoinedClasses,
    Literals,
    Metric,
    PredictionsTable,
    ResultsTable,
    Role,
    Source,
    Step,
    Suite,
    Tuning,
)
from .parts import RoleWord
from .secrets import without_password as without_password
from .values import Problems, literal, metric, options, part, scheme, whole

Clauses = tuple[nodes.Clause, ...]
Column = (
    nodes.TargetClause
    | nodes.Groups
    | nodes.Weights
    | nodes.Time
    | nodes.Folds
    | nodes.TruthClause
    | nodes.DatasetsIn
    | nodes.SeriesIn
)
_TAKES = {"text": "a path in quotes", "number": "a number", "generator": "a generator such as gaussians(n = 300)"}
_ROLES: tuple[tuple[type[nodes.FoldsIn | nodes.SeedsIn | nodes.RepeatsIn | nodes.ItemsIn], RoleWord], ...] = (
    (nodes.FoldsIn, "folds"), (nodes.SeedsIn, "seeds"), (nodes.RepeatsIn, "repeats"), (nodes.ItemsIn, "items"),
)  # fmt: skip


def source(found: nodes.DataSource, statement: Statement, problems: Problems) -> Source:
    """Where data comes from; a database address is kept apart from what may be shown."""
    kind = found.reader.text
    _check_reader(found, statement, problems)
    if isinstance(found.locator, nodes.Call):
        return _generated(found.locator, kind, problems)
    settings = options(found.options, problems)
    locator = str(found.locator.value)
    if kind == "builtin" and find_bundled(locator) is None:
        problems.unknown(found.locator.span, "built-in dataset", locator, (b.name for b in BUNDLED))
    if kind == "sql":
        return Source(kind="sql", locator=without_password(locator), options=settings, address=locator)
    if "://" in locator:  # no path: it is refused when it is read, and until then its password is not shown
        locator = without_password(locator)
    return Source(kind=kind, locator=locator, options=settings)


def _check_reader(found: nodes.DataSource, statement: Statement, problems: Problems) -> None:
    """The word after `from` is a reader, reads for this statement, and has after it what it takes."""
    word = found.reader.text
    reader = find_reader(word)
    fitting = [r.name for r in READERS if statement in r.statements]
    if reader is None:
        problems.unknown(found.reader.span, "reader", word, fitting, f"{statement} reads from {', '.join(fitting)}")
        return
    if statement not in reader.statements:
        help = f"{statement} reads from {', '.join(fitting)}"
        problems.disagree(found.reader.span, f"{word} reads {reader.title}, which is no {statement}", help)
    taken = {nodes.Text: "text", nodes.Number: "number", nodes.Call: "generator"}[type(found.locator)]
    if taken != reader.takes and not (reader.suite_names and statement == "suite" and taken == "text"):
        problems.bad(found.locator.span, f"after {word} stands {_TAKES[reader.takes]}", "see `evalang explain from`")


def _generated(call: nodes.Call, kind: str, problems: Problems) -> Source:
    name = call.name.text
    generator = find_generator(name)
    if kind != "synthetic":
        pass  # said already: the reader takes no generator
    elif generator is None:
        problems.unknown(call.name.span, "generator", name, (g.name for g in GENERATORS))
    else:
        for argument in call.arguments:
            wrong = check_parameters(generator, ((argument.name.text, literal(argument.value)),))
            if wrong:
                problems.parameter(argument.span, wrong)
    return Source(kind=kind, locator=name, options=options(call.arguments, problems))


def _column(clauses: Clauses, kind: type[Column]) -> str | None:
    found = clause(clauses, kind)
    return found.column.value if found else None


def _texts(found: nodes.Drop | nodes.LearnersIn | None) -> tuple[str, ...]:
    return tuple(c.value for c in found.columns) if found else ()


def _values(found: nodes.Positive | nodes.Missing | None) -> tuple[Literals, ...]:
    return tuple(literal(v) for v in found.values) if found else ()


def dataset(statement: nodes.DatasetStatement, included: bool, problems: Problems) -> Dataset:
    """A dataset statement."""
    if isinstance(statement.source, nodes.Described):
        return described_dataset(statement, included, problems)
    where = source(statement.source, "dataset", problems)
    return _opened(statement, where, included, problems)


def _opened(
    statement: nodes.DatasetStatement | nodes.SuiteStatement, where: Source, included: bool, problems: Problems
) -> Dataset:
    """A dataset that is read from somewhere, or what all those of a folder have in common."""
    said = statement.clauses
    bundled = find_bundled(where.locator) if where.kind == "builtin" else None
    generator = find_generator(where.locator) if where.kind == "synthetic" else None
    positive, tested, query = clause(said, nodes.Positive), clause(said, nodes.TestedOn), clause(said, nodes.Query)
    prepared, task = clause(said, nodes.PreparedBy), clause(said, nodes.AsTask)
    only, tuned = clause(said, nodes.Where), clause(said, nodes.TunedOnSource)
    if query and where.kind != "sql":
        problems.disagree(query.span, f"{where.kind} data takes no query", "a query belongs to `from sql`")
    if where.kind == "sql" and not query:
        problems.disagree(statement.name.span, f"{statement.name.text} says no query", 'add query "select …"')
    target, dropped = clause(said, nodes.TargetClause), clause(said, nodes.Drop)
    if target and dropped and target.column.value in _texts(dropped):
        problems.disagree(dropped.span, f"{target.column.value} is the target and is dropped", "drop another column")
    series = clause(said, nodes.SeriesIn)
    if series and not clause(said, nodes.Time):
        message = f"{statement.name.text} has series and no time that they run in"
        problems.disagree(series.span, message, 'add time "day", or leave the series out')
    known = bundled or generator
    return Dataset(
        name=statement.name.text,
        source=where,
        target=_column(said, nodes.TargetClause),
        positive=_values(positive),
        against_rest=positive.against_rest if positive else False,
        missing=_values(clause(said, nodes.Missing)),
        drop=_texts(clause(said, nodes.Drop)),
        drop_missing_targets=clause(said, nodes.DropMissingTargets) is not None,
        groups=_column(said, nodes.Groups),
        weights=_column(said, nodes.Weights),
        time=_column(said, nodes.Time),
        series=_column(said, nodes.SeriesIn),
        folds=_column(said, nodes.Folds),
        where=tuple([_condition(one) for one in only.conditions]) if only else (),
        drop_repeated=clause(said, nodes.DropRepeatedRows) is not None,
        joined=tuple([_joined(one) for one in said if isinstance(one, nodes.JoinClasses)]),
        tuned_on=source(tuned.source, "dataset", problems) if tuned else None,
        tested_on=source(tested.source, "dataset", problems) if tested else None,
        query=query.text.value if query else None,
        prepared_by=tuple(_preparation(call, problems) for call in prepared.steps) if prepared else (),
        task=task.task if task else known.task if known else None,
        rows=rows_of(generator, where.options) if generator else bundled.rows if bundled else None,
        classes=bundled.classes if bundled else None,
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )


def _preparation(call: nodes.Call, problems: Problems) -> Step:
    """A step on all rows; in quotes and without a colon it is what was done elsewhere: `prepared by "SMOTE"`."""
    quoted = call.name.span.end - call.name.span.start > len(call.name.text)
    if quoted and not call.code:
        return Step(name=call.name.text, kind="described", span=call.span)
    return step(call, problems)


def _condition(said: nodes.ConditionNode) -> Condition:
    return Condition(column=said.column.value, relation=said.relation, value=literal(said.value), span=said.span)


def _joined(said: nodes.JoinClasses) -> JoinedClasses:
    return JoinedClasses(classes=tuple([literal(one) for one in said.classes]), name=literal(said.name), span=said.span)


def described_dataset(statement: nodes.DatasetStatement, included: bool, problems: Problems) -> Dataset:
    """A dataset that nobody opens: what the script says of it is all that is known."""
    said = statement.clauses
    rows, classes, rarest = clause(said, nodes.Rows), clause(said, nodes.Classes), clause(said, nodes.Rarest)
    made = _opened(statement, Source(kind="described", locator=""), included, problems)
    share = part(rarest.share, "rarest", problems) if rarest else None
    if rarest and share is not None and share.fraction is None:
        problems.bad(rarest.span, "the rarest class is described by its share", "write rarest 2%")
    count = whole(classes.count, "the number of classes", 2, problems) if classes else None
    if rarest and share and share.fraction and count and share.fraction * count > 1:
        problems.bad(rarest.span, f"the rarest of {count} classes cannot have so large a share", "write a smaller one")
    task = made.task or ("classification" if classes or rarest else None)
    return replace(
        made,
        rows=whole(rows.count, "the number of rows", 1, problems) if rows else None,
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


def suite(statement: nodes.SuiteStatement, included: bool, problems: Problems) -> Suite:
    """A suite statement; its members are looked up when all names are known."""
    sampled = clause(statement.clauses, nodes.SampledFrom)
    each = _each(statement, included, problems)
    names: dict[str, None] = {one.name: None for one in each}
    for member in statement.members:
        if member.text in names:
            problems.bad(member.span, f"{member.text} is named twice", "name each dataset once")
        names[member.text] = None
    return Suite(
        name=statement.name.text,
        members=tuple(names),
        each=each,
        sampled_from=sampled.population.value if sampled else None,
        because=because(statement.clauses),
        included=included,
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )


def _each(statement: nodes.SuiteStatement, included: bool, problems: Problems) -> tuple[Dataset, ...]:
    """What stands for the datasets of a source until it is opened: one each where they are known, else one for all."""
    if statement.source is None:
        return ()
    where = source(statement.source, "suite", problems)
    name = statement.name.text
    opened = replace(_opened(statement, where, included, problems), name=f"{name}/*", because=None)
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
        problems.unknown(locator.span, "suite of OpenML", where.locator, (one.name for one in OPENML_SUITES), help)
    return (replace(opened, source=replace(where, kind="openml-suite")),)


def results(statement: nodes.ResultsStatement, included: bool, problems: Problems) -> ResultsTable:
    """A results statement: wide with one column a learner, or long with a formula."""
    said = statement.clauses
    formula, measuring = clause(said, nodes.AsFormula), clause(said, nodes.Measuring)
    made, times, tuned = clause(said, nodes.MadeUsing), clause(said, nodes.TrainedTimes), clause(said, nodes.TunedOn)
    gap = clause(said, nodes.Gap)
    if gap and not made:
        problems.disagree(
            gap.span, "nothing says what the gap stands in", "write made using forward 8 splits, gap 7 rows"
        )
    measured = metric(measuring.metrics[0], problems) if measuring else None
    if measuring and len(measuring.metrics) > 1:
        problems.bad(measuring.span, "a results table holds one metric", "write one results statement for each metric")
    words: tuple[str, ...] = ()
    if formula:
        f = formula.formula
        words = (f.response.text, f.treatment.text, *(b.text for b in f.blocks))
        named = find_metric(f.response.text)
        measured = measured or (Metric(name=named.name) if named else None)
    return ResultsTable(
        name=statement.name.text,
        source=source(statement.source, "results", problems),
        datasets_in=_column(said, nodes.DatasetsIn),
        learners_in=_texts(clause(said, nodes.LearnersIn)),
        formula=words,
        roles=_roles(said),
        groups=_column(said, nodes.Groups),
        made=scheme(made.scheme, problems, clause(said, nodes.Gap)) if made else None,
        trainings=whole(times.count, "trained", 1, problems) if times else None,
        tuned=_tuned(tuned, problems) if tuned else None,
        copied=_copied(said),
        metric=measured.name if measured else None,
        measured=measured,
        missing=_values(clause(said, nodes.Missing)),
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )


def _roles(said: Clauses) -> tuple[Role, ...]:
    """What the columns are taken for, as said."""
    found = [(clause(said, kind), word) for kind, word in _ROLES]
    return tuple([Role(column=one.column.value, role=word, span=one.span) for one, word in found if one])


def _tuned(said: nodes.TunedOn, problems: Problems) -> Tuning | None:
    if said.part is None:
        return Tuning(where="test", span=said.span)
    share = part(said.part, "tuned on", problems)
    return Tuning(where="part", part=share, span=said.span) if share else None


def _copied(said: Clauses) -> tuple[Copied, ...]:
    return tuple(
        [
            Copied(origin=one.origin.value, learners=tuple([name.text for name in one.learners]), span=one.span)
            for one in said
            if isinstance(one, nodes.CopiedFrom)
        ]
    )


def predictions(statement: nodes.PredictionsStatement, included: bool, problems: Problems) -> PredictionsTable:
    """A predictions statement."""
    said = statement.clauses
    return PredictionsTable(
        name=statement.name.text,
        source=source(statement.source, "predictions", problems),
        truth=_column(said, nodes.TruthClause),
        learners_in=_texts(clause(said, nodes.LearnersIn)),
        positive=_values(clause(said, nodes.Positive)),
        groups=_column(said, nodes.Groups),
        missing=_values(clause(said, nodes.Missing)),
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )
