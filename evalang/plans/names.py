"""The names of a script: those that it defines, that Python passes, and that the catalogue knows; and canonical names.

`Names` looks a name up, and `resolve_data` and `resolve_learners` do so for a comparison. The second half of the module
has the canonical names that the plan and `fmt` write for other spellings (`rf`, `f1`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..catalogue.learners import canonical_stage, meant_stage, nearest_stage
from ..catalogue.metrics import canonical_metric, find_metric
from ..catalogue.sources import BUNDLED, READERS
from ..catalogue.tests import find_test, is_t_test
from ..language import nodes
from ..language.text import nearest
from .definitions import bundled_dataset
from .learners import configured_learner, implicit_learner
from .model import Dataset, Learner, Literals, Metric, PredictionsTable, ResultsTable, Scheme, Source, Step, Suite, Task
from .values import DefinitionStatement, PlanErrors

Kind = Literal["dataset", "suite", "learner", "results", "predictions"]
Data = Dataset | Suite | ResultsTable | PredictionsTable
Definition = Data | Learner
_WORDS: dict[type, str] = {
    Dataset: "dataset",
    Suite: "suite",
    Learner: "learner",
    ResultsTable: "results table",
    PredictionsTable: "predictions table",
}
UNKNOWN = "unknown"
_FROM_PYTHON = "passed from Python"


@dataclass(frozen=True, slots=True)
class PassedValue:
    """A name that Python passes: an estimator, a table, or a group of tables (`members`)."""

    name: str
    kind: Kind
    members: tuple[str, ...] = ()
    task: Task | None = None
    rows: int | None = None
    formula: tuple[str, ...] = ()  # score, learner and levels of results
    made: Scheme | None = None  # how those results came about
    table: ResultsTable | None = None  # results whose clauses were given too
    roles: tuple[tuple[str, str], ...] = ()  # "groups", "time", "series", "weights", "folds" -> the column
    divided_by: str = ""  # what made the folds of a dataset
    positive: Literals = None  # the positive class of a dataset
    target: str = ""  # the dotted class name of an estimator
    spelling_of: str = ""  # the same thing by another spelling: `my_tree` of `my-tree`


class Names:
    """Looks names up, remembers what was used, and makes catalogue learners and bundled datasets when first named."""

    def __init__(self, errors: PlanErrors) -> None:
        self.errors = errors
        self.definitions: dict[str, Definition] = {}
        self.used: set[str] = set()
        self.bundled: dict[str, Dataset] = {}
        self.catalogue: dict[str, Learner] = {}
        self.spellings: set[str] = set()  # second spellings of names that Python passes

    def define(self, name: nodes.Name, record: Definition) -> None:
        """Add a definition; a second one of the same name is EV003."""
        first = self.definitions.setdefault(name.text, record)
        if first is not record:
            where = "above" if type(first) is type(record) else f"as a {_WORDS[type(first)]}"
            self.errors.defined_twice(name.span, name.text, where)

    def add_passed(self, passed: PassedValue) -> None:
        """Add a name that Python passes, unless the script defines it."""
        if passed.name not in self.definitions:
            self.definitions[passed.name] = _definition(passed)
            if passed.spelling_of in self.definitions:
                self.spellings.add(passed.name)

    def data(self, name: nodes.Name) -> Data:
        """Return a dataset, suite or table by name; with EV002 a stand-in when there is none."""
        word = name.text
        definition = self.definitions.get(word)
        if definition is not None and not isinstance(definition, Learner):
            self.used.add(word)
            return definition
        bundled = self.bundled.get(word) or bundled_dataset(word)
        if bundled is not None:
            self.bundled[word] = bundled
            return bundled
        unknown = Dataset(name=word, source=Source(kind=UNKNOWN, locator=""), because="…")  # a stand-in
        if definition is not None:
            help = "name a dataset, suite, results or predictions here"
            self.errors.invalid(name.span, f"`{word}` is a learner, not a dataset", help)
            return self.bundled.setdefault(word, unknown)
        meant = self._report_unknown_data(name)
        understood = self.definitions.get(meant) or bundled_dataset(meant) if meant is not None else None
        found = replace(understood, name=word) if isinstance(understood, Dataset) else unknown
        return self.bundled.setdefault(word, found)

    def _report_unknown_data(self, name: nodes.Name) -> str | None:
        """Report EV002 for data and return the name that is meant; a file name gets the statement that reads it."""
        word = name.text
        known = [] if self.errors.many else [n for n, d in self.definitions.items() if not isinstance(d, Learner)]
        stem, dot, ending = word.rpartition("/")[2].rpartition(".")
        kind = next((r.name for r in READERS if dot + ending in r.endings), "") if stem else ""
        remedy = f'add `dataset {word} from csv "{word}.csv", target "…"`'
        if kind:
            remedy = f'write `dataset {stem} from {kind} "{word}", target "…"` above, and `on {stem}` here'
        elif word in {r.name for r in READERS}:
            remedy = f'write `dataset NAME from {word} …, target "…"` above, and `on NAME` here'
        if table := self._only_table():
            remedy = f"if it is a dataset inside {table}, write `on {table}`: claims and comparisons name the table"
        return self.errors.unknown_name(name.span, "dataset", word, [*known, *(b.name for b in BUNDLED)], remedy)

    def _only_table(self) -> str:
        """Return the name of the table of results if it is the only data of the script, else ""."""
        data = [d for d in self.definitions.values() if not isinstance(d, Learner)]
        return data[0].name if len(data) == 1 and isinstance(data[0], ResultsTable) else ""

    def learner(self, name: nodes.Name) -> Learner:
        """Return a learner of the script, from Python, or of the catalogue; a stand-in, with EV002, for none."""
        word = name.text
        definition = self.definitions.get(word)
        if isinstance(definition, Learner):
            self.used.add(word)
            return definition
        made = self.catalogue.get(word)
        own = self.definitions.get(name.call.name.text) if isinstance(name, nodes.Configured) else None
        if made is None and isinstance(own, Learner):
            self.used.add(own.name)
            help = f"write `learner another is {own.steps[-1].name}(…)`, and compare that"
            self.errors.invalid(
                name.span, f"learner `{own.name}` is defined in the script, so it takes no parameters here", help
            )
        elif made is None and isinstance(name, nodes.Configured):
            made = configured_learner(name, self.errors)
        elif made is None and (made := implicit_learner(word)) is None and definition is not None:
            kind = _WORDS[type(definition)]
            self.errors.invalid(name.span, f"`{word}` is a {kind}, not a learner", "name a learner here")
        elif made is None and (meant := self.unknown_learner(name, ())) is not None:
            understood = self.definitions.get(meant) or implicit_learner(meant)
            made = replace(understood, name=word) if isinstance(understood, Learner) else None
        if made is None:  # reported above, once
            made = Learner(name=word, steps=(Step(name=word, kind="unknown"),), because="…", implicit=True)
        return self.catalogue.setdefault(word, made)

    def unknown_learner(self, name: nodes.Name, others: tuple[str, ...]) -> str | None:
        """Report EV002 for a learner and return the name that is meant; `others` are further known names."""
        many = self.errors.many
        known = [] if many else [n for n, d in self.definitions.items() if isinstance(d, Learner)]
        near = None if many else nearest(name.text, [*known, *others]) or nearest_stage(name.text)
        remedy, meant = f"add `learner {name.text} is …`", meant_stage(name.text)
        if any(step.kind == "python" for d in self.definitions.values() if isinstance(d, Learner) for step in d.steps):
            remedy = f"pass `{name.text}=…`, or {remedy}"
        if not known and (table := self._only_table()):
            remedy = f"if it is a model in {table}, name it in a comparison: `compare {name.text} vs … on {table}`"
        return self.errors.unknown_name(name.span, "learner", name.text, (), remedy, meant, near)

    def learners(self) -> tuple[Learner, ...]:
        """Return every learner of the script, for `compare all`; one that has two spellings counts once."""
        every = (d for name, d in self.definitions.items() if name not in self.spellings)
        learners = tuple(d for d in every if isinstance(d, Learner))
        self.used.update(x.name for x in learners)
        return learners


def _definition(passed: PassedValue) -> Definition:
    if passed.kind == "learner":
        step = Step(name=passed.name, kind="python", target=passed.target)
        return Learner(name=passed.name, steps=(step,), included=True)
    if passed.kind == "suite":
        return Suite(name=passed.name, members=passed.members, because=_FROM_PYTHON, included=True)
    source = Source(kind="python", locator=passed.name)
    if passed.table is not None:
        return replace(passed.table, name=passed.name, source=source, because=_FROM_PYTHON, included=True)
    if passed.kind == "results":
        named = find_metric(passed.formula[0]) if passed.formula else None
        return ResultsTable(
            name=passed.name,
            source=source,
            formula=passed.formula,
            made=passed.made,
            metric=named.name if named else None,
            measured=Metric(name=named.name) if named else None,
            because=_FROM_PYTHON,
            included=True,
        )
    if passed.kind == "predictions":
        return PredictionsTable(name=passed.name, source=source, included=True)
    roles: dict[str, Any] = dict(passed.roles)
    return Dataset(
        name=passed.name,
        source=source,
        task=passed.task,
        rows=passed.rows,
        divided_by=passed.divided_by,
        positive=() if passed.positive is None else (passed.positive,),
        because=_FROM_PYTHON,
        included=True,
        **roles,
    )


Experiment = nodes.CompareStatement | nodes.EstimateStatement


@dataclass(frozen=True, slots=True)
class ComparedData:
    """The data of a comparison."""

    kind: Literal["datasets", "results", "predictions"]
    names: tuple[str, ...]
    suites: tuple[str, ...] = ()
    datasets: tuple[Dataset, ...] = ()
    table: ResultsTable | PredictionsTable | None = None


def written_learners(statement: Experiment) -> tuple[nodes.Name, ...]:
    """Return the learners as the statement names them; none for `compare all`."""
    return (statement.learner,) if isinstance(statement, nodes.EstimateStatement) else statement.learners


def resolve_data(statement: Experiment, names: Names, errors: PlanErrors) -> ComparedData | None:
    """Return the data, or None (with findings) when a name is unknown or the names do not go together."""
    records = [(name, names.data(name)) for name in statement.datasets]
    unknown = any(isinstance(one, Dataset) and one.source.kind == UNKNOWN for _, one in records)
    if unknown and not any(isinstance(one, nodes.Using | nodes.Unread) for one in statement.clauses):
        return None  # without a scheme the unknown one may be a table
    for name, record in records:
        if isinstance(record, ResultsTable | PredictionsTable):
            if len(records) == 1:
                kind: Literal["results", "predictions"]
                kind = "results" if isinstance(record, ResultsTable) else "predictions"
                return ComparedData(kind=kind, names=(name.text,), table=record)
            help = "compare on one table of results or predictions at a time"
            errors.conflict(
                name.span, f"table `{name.text}` cannot be combined with other data in one comparison", help
            )
            return None
    return _datasets(records, names, errors)


def _datasets(records: list[tuple[nodes.Name, Data]], names: Names, errors: PlanErrors) -> ComparedData | None:
    members: dict[str, Dataset] = {}
    suites: list[str] = []
    for name, record in records:
        if isinstance(record, Dataset):
            if name.text in members:
                errors.invalid(name.span, f"dataset `{name.text}` is named twice", "name each dataset once")
            members[name.text] = record
        elif isinstance(record, Suite):
            suites.append(name.text)
            unopened = {one.name: one for one in record.each}
            for member in record.members:
                one = unopened.get(member) or names.data(nodes.Name(member, span=name.span))
                if isinstance(one, Dataset):
                    members[member] = one
    if not members:
        return None
    return ComparedData(kind="datasets", names=tuple(members), suites=tuple(suites), datasets=tuple(members.values()))


def resolve_learners(
    statement: Experiment, on: ComparedData, names: Names, errors: PlanErrors
) -> tuple[Learner, ...] | None:
    """Return the learners to be trained; () on a table, whose learners are columns; None when one is unknown."""
    written = written_learners(statement)
    if on.kind != "datasets":
        _check_table(written, on, errors)
        return ()
    if not written:
        every = names.learners()
        if len(every) < 2:
            count = "one learner" if every else "no learner"
            errors.conflict(statement.span, f"`compare all` finds {count} in the script", "define two learners or more")
            return None
        return every
    return tuple(map(names.learner, written))


def _check_table(written: tuple[nodes.Name, ...], on: ComparedData, errors: PlanErrors) -> None:
    """Report a learner that is not among the columns that the script names for a table."""
    known = on.table.learners_in if on.table else ()
    if not known or (isinstance(on.table, ResultsTable) and on.table.formula):
        return
    for name in written:
        if name.text not in known:
            errors.unknown_name(
                name.span, f"learner of `{on.names[0]}`", name.text, known, f"it has {', '.join(known)}"
            )


# ---------------------------------------------------------------- common names and canonical ones

Heads = nodes.CompareStatement | nodes.EstimateStatement | nodes.ClaimStatement


# The fields of statements and clauses that name learners.
_LEARNERS: dict[type[nodes.Node], tuple[str, ...]] = {
    nodes.CompareStatement: ("learners",),
    nodes.EstimateStatement: ("learner",),
    nodes.ClaimStatement: ("left", "right"),
    nodes.Control: ("learner",),
    nodes.Expecting: ("learner",),
}


def learner_renames(statements: Iterable[nodes.Statement], tables: Iterable[str], own: Iterable[str]) -> dict[str, str]:
    """Return the canonical name of every learner that a comparison or claim calls by another one.

    `tables` are the data whose learners are columns, and `own` the names that have a meaning of their own here.
    """
    heads = [one for one in statements if isinstance(one, Heads)]
    columns = set(tables)
    if any(isinstance(one, nodes.CompareStatement) and not one.learners for one in heads):
        columns.add("")  # a claim without datasets may be about the table of `compare all`
    on_tables = [one for one in heads if columns & ({d.text for d in one.datasets} or {""})]
    kept = {*own, *(name.text for one in on_tables for name in _named_learners(one))}
    words = {_called(name) for one in heads for name in _named_learners(one)} - kept
    return {word: name for word in words if (name := _stage(word)) != word}


def with_renamed_learners(statement: nodes.Statement, renames: dict[str, str]) -> nodes.Statement:
    """Return a comparison or claim with the canonical names of its learners."""

    def renamed(name: Any) -> Any:
        if isinstance(name, tuple):
            return tuple(map(renamed, name))
        called = _called(name)
        new = renames.get(called, called)
        if isinstance(name, nodes.Configured):
            call = replace(name.call, name=replace(name.call.name, text=new))
            return replace(name, call=call, text=new + name.text.removeprefix(called))
        return replace(name, text=new)

    def with_names(node: Any) -> Any:
        fields = _LEARNERS.get(type(node), ())
        return replace(node, **{field: renamed(getattr(node, field)) for field in fields}) if fields else node

    if not isinstance(statement, Heads) or not any(_called(name) in renames for name in _named_learners(statement)):
        return statement
    changed: nodes.Statement = replace(with_names(statement), clauses=tuple(map(with_names, statement.clauses)))
    return changed


def canonical_words(statements: tuple[nodes.Statement, ...]) -> dict[int, str]:
    """Return the canonical text of every name in one file that is written otherwise, by where it begins.

    Learners of comparisons keep their names where another file or Python may define them.
    """
    own = {one.name.text for one in statements if isinstance(one, DefinitionStatement)}
    tables = (nodes.ResultsStatement, nodes.PredictionsStatement)
    known = {*own, *(one.name for one in BUNDLED)}
    closed = not any(isinstance(one, nodes.IncludeStatement) for one in statements) and all(
        {d.text for d in one.datasets} <= known for one in statements if isinstance(one, Heads)
    )
    renames = learner_renames(statements, (s.name.text for s in statements if isinstance(s, tables)), own)
    texts: dict[int, str] = {}
    for statement in statements:
        for name in _named_learners(statement) if closed and isinstance(statement, Heads) else ():
            texts[name.span.start] = renames.get(_called(name), "")
        for call, canonical in _calls(statement):
            texts[call.span.start] = canonical(call)
    return {start: text for start, text in texts.items() if text}


def _named_learners(statement: Heads) -> Iterator[nodes.Name]:
    for node in (statement, *statement.clauses):
        for field in _LEARNERS.get(type(node), ()):
            named = getattr(node, field)
            yield from named if isinstance(named, tuple) else (named,)


def _called(name: nodes.Name) -> str:
    return name.call.name.text if isinstance(name, nodes.Configured) else name.text


def _stage(word: str) -> str:
    """Return the canonical name; a class keeps its class name, which is shorter than the dotted one."""
    canonical = canonical_stage(word)
    return word if canonical is None or "." in canonical else canonical


def _calls(statement: nodes.Statement) -> Iterator[tuple[nodes.Call, Callable[[nodes.Call], str]]]:
    """Yield the names of stages, metrics and tests, each with what finds its canonical name."""
    clauses = (statement.clause, *statement.clauses) if isinstance(statement, nodes.SetStatement) else statement.clauses
    for node in (statement, *clauses):
        of_tests = isinstance(node, nodes.SimulateStatement) and node.kind == "type-I"
        for field, canonical in (
            ("pipeline", _stage_of), ("steps", _stage_of), ("tests", _test), ("metrics", _metric), ("metric", _metric),
            *((("subjects", _test),) if of_tests else ()),
        ):  # fmt: skip
            calls = getattr(node, field, None)
            for call in calls if isinstance(calls, tuple) else (calls,):
                if isinstance(call, nodes.Call):
                    yield call, canonical


def _stage_of(call: nodes.Call) -> str:
    return _stage(call.name.text)


def _test(call: nodes.Call) -> str:
    card = None if is_t_test(call.name.text) else find_test(call.name.text)
    return card.name if card is not None else ""


def _metric(call: nodes.Call) -> str:
    name, options = canonical_metric(call.name.text) or ("", ())
    if not options:
        return name
    shown = ", ".join(
        f'{word} = "{value}"' if isinstance(value, str) else f"{word} = {value}" for word, value in options
    )
    return "" if call.arguments else f"{name}({shown})"
