"""The names of a script: what it defines, what Python hands over, and what the catalogue knows."""

from __future__ import annotations

from typing import Literal

from ..catalogue.bundled import BUNDLED
from ..catalogue.learners import LEARNERS
from ..catalogue.stages import nearest_stage
from ..source.record import Record
from ..syntax import nodes
from . import model
from .definitions import bundled_dataset, implicit_learner
from .problems import Problems

Kind = Literal["dataset", "suite", "learner", "results", "predictions"]
Definition = model.Dataset | model.Suite | model.Learner | model.ResultsTable | model.PredictionsTable


class Handed(Record):
    """A name that Python hands over: an estimator, a table, or a group of tables (`members`)."""

    name: str
    kind: Kind
    members: tuple[str, ...] = ()
    task: model.Task | None = None
    rows: int | None = None
    tunable: bool = True
    target: str = ""  # the dotted class name of an estimator


class Known(Record):
    """What opening a dataset has told about it."""

    task: model.Task
    rows: int
    classes: int | None = None
    folds: int | None = None


class Names:
    """Looks names up, remembers what was used, and makes catalogue learners and bundled datasets when first named."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.definitions: dict[str, Definition] = {}
        self.used: set[str] = set()
        self.implicit: dict[str, Definition] = {}

    def define(self, name: nodes.Name, record: Definition) -> None:
        """Add a definition; a second one of the same name is EV003."""
        if name.text in self.definitions:
            first = self.definitions[name.text]
            where = f"as a {_word(first)}" if type(first) is not type(record) else "above"
            self.problems.twice(name.span, name.text, where)
            return
        self.definitions[name.text] = record

    def hand_over(self, handed: Handed) -> None:
        """Add what Python hands over; it covers nothing that the script defines."""
        if handed.name in self.definitions:
            return
        if handed.kind == "learner":
            step = model.Step(name=handed.name, kind="python", target=handed.target)
            self.definitions[handed.name] = model.Learner(name=handed.name, steps=(step,), included=True)
        elif handed.kind == "suite":
            self.definitions[handed.name] = model.Suite(name=handed.name, members=handed.members, included=True, because="handed over from Python")
        elif handed.kind == "results":
            self.definitions[handed.name] = model.ResultsTable(name=handed.name, source=_python(handed), included=True)
        elif handed.kind == "predictions":
            self.definitions[handed.name] = model.PredictionsTable(name=handed.name, source=_python(handed), included=True)
        else:
            self.definitions[handed.name] = model.Dataset(
                name=handed.name, source=_python(handed), task=handed.task, rows=handed.rows, included=True, because="handed over from Python"
            )

    def data(self, name: nodes.Name) -> Definition | None:
        """A dataset, suite, results or predictions by name; EV002 when there is none."""
        found = self.definitions.get(name.text) or self.implicit.get(name.text)
        if found is None or isinstance(found, model.Learner):
            bundled = bundled_dataset(name.text)
            if bundled is None:
                self._unknown_data(name, found)
                return None
            found = self.implicit[name.text] = bundled
        self.used.add(name.text)
        return found

    def _unknown_data(self, name: nodes.Name, found: Definition | None) -> None:
        if found is not None:
            self.problems.bad(name.span, f"{name.text} is a learner, not a dataset", "name a dataset, suite, results or predictions here")
            return
        known = [n for n, d in self.definitions.items() if not isinstance(d, model.Learner)]
        self.problems.unknown(name.span, "dataset", name.text, [*known, *(b.name for b in BUNDLED)], f"add: dataset {name.text} from csv \"{name.text}.csv\", target \"…\"")

    def learner(self, name: nodes.Name) -> model.Learner | None:
        """A learner of the script, handed over, or of the catalogue; EV002 when there is none."""
        found = self.definitions.get(name.text)
        if isinstance(found, model.Learner):
            self.used.add(name.text)
            return found
        made = self.implicit.get("learner " + name.text) or implicit_learner(name.text)
        if isinstance(made, model.Learner):
            self.implicit["learner " + name.text] = made
            return made
        if found is not None:
            self.problems.bad(name.span, f"{name.text} is a {_word(found)}, not a learner", "name a learner here")
            return None
        known = [n for n, d in self.definitions.items() if isinstance(d, model.Learner)]
        near = nearest_stage(name.text)
        words = [*known, *(e.name for e in LEARNERS), *((near,) if near and "." in near else ())]
        self.problems.unknown(name.span, "learner", name.text, words, f"add: learner {name.text} is …")
        return None


def _python(handed: Handed) -> model.Source:
    return model.Source(kind="python", locator=handed.name)


def _word(record: Definition) -> str:
    return {model.ResultsTable: "results table", model.PredictionsTable: "predictions table"}.get(type(record), type(record).__name__.lower())
