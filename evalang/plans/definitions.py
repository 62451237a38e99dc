"""`dataset`, `suite`, `results` and `predictions` statements become records of the plan."""

from __future__ import annotations

from ..catalogue.bundled import BUNDLED, find_bundled
from ..catalogue.generators import GENERATORS, check_parameters, find_generator, rows_of
from ..catalogue.metrics import find_metric
from ..syntax import nodes
from .address import without_password as without_password
from .clauses import allowances, because, clause
from .learners import step
from .metrics import metric
from .model import Dataset, Literals, Metric, PredictionsTable, ResultsTable, Source, Suite
from .problems import Problems
from .values import literal, options

Clauses = tuple[nodes.Clause, ...]
Column = nodes.Target | nodes.Groups | nodes.Weights | nodes.Time | nodes.Folds | nodes.Truth | nodes.DatasetsIn


def source(found: nodes.DataSource, problems: Problems) -> Source:
    """Where data comes from; a database address is kept apart from what may be shown."""
    if isinstance(found.locator, nodes.Call):
        return _generated(found.locator, problems)
    settings = options(found.options, problems)
    locator = str(found.locator.value)
    if found.kind == "builtin" and find_bundled(locator) is None:
        problems.unknown(found.locator.span, "built-in dataset", locator, (b.name for b in BUNDLED))
    if found.kind == "sql":
        return Source(kind="sql", locator=without_password(locator), options=settings, address=locator)
    return Source(kind=found.kind, locator=locator, options=settings)


def _generated(call: nodes.Call, problems: Problems) -> Source:
    name = call.name.text
    generator = find_generator(name)
    if generator is None:
        problems.unknown(call.name.span, "generator", name, (g.name for g in GENERATORS))
    else:
        for argument in call.arguments:
            wrong = check_parameters(generator, ((argument.name.text, literal(argument.value)),))
            if wrong:
                problems.parameter(argument.span, wrong)
    return Source(kind="synthetic", locator=name, options=options(call.arguments, problems))


def _column(clauses: Clauses, kind: type[Column]) -> str | None:
    found = clause(clauses, kind)
    return found.column.value if found else None


def _texts(found: nodes.Drop | nodes.LearnersIn | None) -> tuple[str, ...]:
    return tuple(c.value for c in found.columns) if found else ()


def _values(found: nodes.Positive | nodes.Missing | None) -> tuple[Literals, ...]:
    return tuple(literal(v) for v in found.values) if found else ()


def dataset(statement: nodes.Dataset, included: bool, problems: Problems) -> Dataset:
    """A dataset statement."""
    said = statement.clauses
    where = source(statement.source, problems)
    bundled = find_bundled(where.locator) if where.kind == "builtin" else None
    generator = find_generator(where.locator) if where.kind == "synthetic" else None
    positive, tested, query = clause(said, nodes.Positive), clause(said, nodes.TestedOn), clause(said, nodes.Query)
    prepared, task = clause(said, nodes.PreparedBy), clause(said, nodes.AsTask)
    if query and where.kind != "sql":
        problems.disagree(query.span, f"{where.kind} data takes no query", "a query belongs to `from sql`")
    if where.kind == "sql" and not query:
        problems.disagree(statement.name.span, f"{statement.name.text} says no query", 'add query "select …"')
    known = bundled or generator
    return Dataset(
        name=statement.name.text,
        source=where,
        target=_column(said, nodes.Target),
        positive=_values(positive),
        against_rest=positive.against_rest if positive else False,
        missing=_values(clause(said, nodes.Missing)),
        drop=_texts(clause(said, nodes.Drop)),
        drop_missing_targets=clause(said, nodes.DropMissingTargets) is not None,
        groups=_column(said, nodes.Groups),
        weights=_column(said, nodes.Weights),
        time=_column(said, nodes.Time),
        folds=_column(said, nodes.Folds),
        tested_on=source(tested.source, problems) if tested else None,
        query=query.text.value if query else None,
        prepared_by=tuple(step(call, problems) for call in prepared.steps) if prepared else (),
        task=task.task if task else known.task if known else None,
        rows=rows_of(generator, where.options) if generator else bundled.rows if bundled else None,
        classes=bundled.classes if bundled else None,
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )


def bundled_dataset(name: str) -> Dataset | None:
    """A data set known by name, with no dataset statement."""
    found = find_bundled(name)
    if found is None:
        return None
    where = Source(kind="builtin", locator=name)
    return Dataset(name=name, source=where, task=found.task, rows=found.rows, classes=found.classes, bundled=True)


def suite(statement: nodes.Suite, included: bool, problems: Problems) -> Suite:
    """A suite statement; its members are looked up when all names are known."""
    sampled = clause(statement.clauses, nodes.SampledFrom)
    names: dict[str, None] = {}
    for member in statement.members:
        if member.text in names:
            problems.bad(member.span, f"{member.text} is named twice", "name each dataset once")
        names[member.text] = None
    return Suite(
        name=statement.name.text,
        members=tuple(names),
        sampled_from=sampled.population.value if sampled else None,
        because=because(statement.clauses),
        included=included,
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )


def results(statement: nodes.Results, included: bool, problems: Problems) -> ResultsTable:
    """A results statement: wide with one column a learner, or long with a formula."""
    said = statement.clauses
    formula, measuring = clause(said, nodes.AsFormula), clause(said, nodes.Measuring)
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
        source=source(statement.source, problems),
        datasets_in=_column(said, nodes.DatasetsIn),
        learners_in=_texts(clause(said, nodes.LearnersIn)),
        formula=words,
        metric=measured.name if measured else None,
        missing=_values(clause(said, nodes.Missing)),
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )


def predictions(statement: nodes.Predictions, included: bool, problems: Problems) -> PredictionsTable:
    """A predictions statement."""
    said = statement.clauses
    return PredictionsTable(
        name=statement.name.text,
        source=source(statement.source, problems),
        truth=_column(said, nodes.Truth),
        learners_in=_texts(clause(said, nodes.LearnersIn)),
        positive=_values(clause(said, nodes.Positive)),
        groups=_column(said, nodes.Groups),
        missing=_values(clause(said, nodes.Missing)),
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )
