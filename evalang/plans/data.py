"""What a comparison is run on: datasets with their suites written out, or a table of results or predictions."""

from __future__ import annotations

from typing import Literal

from ..source.record import Record
from ..syntax import nodes
from .model import Dataset, Learner, PredictionsTable, ResultsTable, Suite
from .names import UNKNOWN, Data, Names
from .problems import Problems

Experiment = nodes.Compare | nodes.Estimate


class On(Record):
    """The data of a comparison."""

    kind: Literal["datasets", "results", "predictions"]
    names: tuple[str, ...]
    suites: tuple[str, ...] = ()
    datasets: tuple[Dataset, ...] = ()
    table: ResultsTable | PredictionsTable | None = None


def written_learners(statement: Experiment) -> tuple[nodes.Name, ...]:
    """The learners as the statement names them; none for `compare all`."""
    return (statement.learner,) if isinstance(statement, nodes.Estimate) else statement.learners


def run_on(statement: Experiment, names: Names, problems: Problems) -> On | None:
    """The data, or None (with findings) when a name is unknown or the names do not go together."""
    found: list[tuple[nodes.Name, Data]] = []
    for name in statement.datasets:
        record = names.data(name)
        if record is not None:
            found.append((name, record))
    strange = any(isinstance(one, Dataset) and one.source.kind == UNKNOWN for _, one in found)
    split = any(isinstance(one, nodes.Using | nodes.Unread) for one in statement.clauses)
    if len(found) < len(statement.datasets) or (strange and not split):
        return None  # without a scheme the strange one may be a table
    for name, record in found:
        if isinstance(record, ResultsTable | PredictionsTable):
            if len(found) == 1:
                kind: Literal["results", "predictions"] = (
                    "results" if isinstance(record, ResultsTable) else "predictions"
                )
                return On(kind=kind, names=(name.text,), table=record)
            help = "compare on one results or predictions table at a time"
            problems.disagree(name.span, f"{name.text} is a table of its own and stands with other data", help)
            return None
    return _datasets(found, names, problems)


def _datasets(found: list[tuple[nodes.Name, Data]], names: Names, problems: Problems) -> On | None:
    members: dict[str, Dataset] = {}
    suites: list[str] = []
    for name, record in found:
        if isinstance(record, Dataset):
            if name.text in members:
                problems.bad(name.span, f"{name.text} is named twice", "name each dataset once")
            members[name.text] = record
        elif isinstance(record, Suite):
            suites.append(name.text)
            if record.each is not None:
                members[record.each.name] = record.each
            for member in record.members:
                one = names.data(nodes.Name(member, span=name.span))
                if isinstance(one, Dataset):
                    members[member] = one
    if not members:
        return None
    return On(kind="datasets", names=tuple(members), suites=tuple(suites), datasets=tuple(members.values()))


def learners_on(statement: Experiment, on: On, names: Names, problems: Problems) -> tuple[Learner, ...] | None:
    """The learners to be trained; () on a table, whose learners are columns; None when one is unknown."""
    written = written_learners(statement)
    if on.kind != "datasets":
        _check_table(written, on, problems)
        return ()
    if not written:
        everybody = names.learners()
        if len(everybody) < 2:
            count = "one learner" if everybody else "no learner"
            problems.disagree(
                statement.span, f"`compare all` finds {count} in the script", "define two learners or more"
            )
            return None
        return everybody
    found = [x for x in map(names.learner, written) if x is not None]
    return tuple(found) if len(found) == len(written) else None


def _check_table(written: tuple[nodes.Name, ...], on: On, problems: Problems) -> None:
    """Where the script names the columns of a table, a learner has to be one of them."""
    known = on.table.learners_in if on.table else ()
    if not known or (isinstance(on.table, ResultsTable) and on.table.formula):
        return
    for name in written:
        if name.text not in known:
            problems.unknown(name.span, f"learner of {on.names[0]}", name.text, known, f"it has {', '.join(known)}")
