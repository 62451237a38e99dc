"""The names of a script: what it defines, what Python hands over, and what the catalogue knows."""

from __future__ import annotations

from typing import Literal

from ..catalogue.bundled import BUNDLED
from ..catalogue.learners import LEARNERS
from ..catalogue.metrics import find_metric
from ..catalogue.stages import nearest_stage
from ..source.record import Record
from ..syntax import nodes
from .definitions import bundled_dataset
from .learners import configured_learner, implicit_learner
from .model import Dataset, Learner, Metric, PredictionsTable, ResultsTable, Source, Step, Suite, Task
from .problems import Problems
from .scheme import Scheme

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
# What people call learners of the catalogue; a script that defines the name means its own.
_SHORT = {
    "tree": "decision-tree", "dt": "decision-tree", "nb": "naive-bayes", "rf": "random-forest",
    "lr": "logistic-regression",
    "svc": "svm", "mlp": "neural-net", "gbm": "boosted-trees", "nn": "nearest-neighbor",
    "randomforestclassifier": "random-forest, or sklearn.ensemble.RandomForestClassifier",
    "decisiontreeclassifier": "decision-tree, or sklearn.tree.DecisionTreeClassifier",
    "xgboost.xgbclassifier": 'learner xgb is "xgboost:XGBClassifier", and compare that (run it with --trust xgboost)',
}  # fmt: skip
_FROM_PYTHON = "handed over from Python"


class Handed(Record):
    """A name that Python hands over: an estimator, a table, or a group of tables (`members`)."""

    name: str
    kind: Kind
    members: tuple[str, ...] = ()
    task: Task | None = None
    rows: int | None = None
    formula: tuple[str, ...] = ()  # score, learner and levels of results
    made: Scheme | None = None  # how those results came about
    target: str = ""  # the dotted class name of an estimator
    spelling_of: str = ""  # the same thing by another spelling: `my_tree` of `my-tree`


class Names:
    """Looks names up, remembers what was used, and makes catalogue learners and bundled datasets when first named."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.definitions: dict[str, Definition] = {}
        self.used: set[str] = set()
        self.bundled: dict[str, Dataset] = {}
        self.catalogue: dict[str, Learner] = {}
        self.spellings: set[str] = set()  # second spellings of what Python hands over

    def define(self, name: nodes.Name, record: Definition) -> None:
        """Add a definition; a second one of the same name is EV003."""
        first = self.definitions.setdefault(name.text, record)
        if first is not record:
            where = "above" if type(first) is type(record) else f"as a {_WORDS[type(first)]}"
            self.problems.twice(name.span, name.text, where)

    def hand_over(self, handed: Handed) -> None:
        """Add what Python hands over; it covers nothing that the script defines."""
        if handed.name not in self.definitions:
            self.definitions[handed.name] = _definition(handed)
            if handed.spelling_of in self.definitions:
                self.spellings.add(handed.name)

    def data(self, name: nodes.Name) -> Data | None:
        """A dataset, suite, results or predictions by name; EV002 when there is none."""
        word = name.text
        found = self.definitions.get(word)
        if found is not None and not isinstance(found, Learner):
            self.used.add(word)
            return found
        bundled = self.bundled.get(word) or bundled_dataset(word)
        if bundled is not None:
            self.bundled[word] = bundled
            return bundled
        if found is not None:
            help = "name a dataset, suite, results or predictions here"
            self.problems.bad(name.span, f"{word} is a learner, not a dataset", help)
            return self._unknown_data(word)
        known = [] if self.problems.many else [n for n, d in self.definitions.items() if not isinstance(d, Learner)]
        remedy = f'add: dataset {word} from csv "{word}.csv", target "…"'
        self.problems.unknown(name.span, "dataset", word, [*known, *(b.name for b in BUNDLED)], remedy)
        return self._unknown_data(word)

    def _unknown_data(self, word: str) -> Dataset:
        """What stands in the place of data that nobody knows, so that the rest of the design can be judged."""
        return self.bundled.setdefault(word, Dataset(name=word, source=Source(kind=UNKNOWN, locator=""), because="…"))

    def learner(self, name: nodes.Name) -> Learner | None:
        """A learner of the script, handed over, or of the catalogue; EV002 when there is none."""
        word = name.text
        found = self.definitions.get(word)
        if isinstance(found, Learner):
            self.used.add(word)
            return found
        made = self.catalogue.get(word)
        if made is None and isinstance(name, nodes.Configured):
            if isinstance(own := self.definitions.get(name.call.name.text), Learner):
                self.used.add(own.name)
                help = f"write learner another is {own.steps[-1].name}(…), and compare that"
                self.problems.bad(name.span, f"{own.name} is defined in the script and takes no parameters here", help)
                return self._unknown_learner(word)
            made = configured_learner(name, self.problems) or self._unknown_learner(word)  # said already
        made = made or implicit_learner(word)
        if made is not None:
            self.catalogue[word] = made
            return made
        if found is not None:
            self.problems.bad(name.span, f"{word} is a {_WORDS[type(found)]}, not a learner", "name a learner here")
            return self._unknown_learner(word)
        self.unknown_learner(name, ())
        return self._unknown_learner(word)

    def _unknown_learner(self, word: str) -> Learner:
        """What stands in the place of a learner that nobody knows; it is reported where it is named first."""
        steps = (Step(name=word, kind="unknown"),)
        return self.catalogue.setdefault(word, Learner(name=word, steps=steps, because="…", implicit=True))

    def unknown_learner(self, name: nodes.Name, others: tuple[str, ...]) -> None:
        """EV002 for a learner; `others` are names that would be known here besides."""
        many = self.problems.many
        known = [] if many else [n for n, d in self.definitions.items() if isinstance(d, Learner)]
        near = None if many else nearest_stage(name.text)
        short = _SHORT.get(name.text.lower())
        if short is not None:
            self.problems.unknown(name.span, "learner", name.text, (), f"write {short}")
            return
        words = [*known, *others, *(e.name for e in LEARNERS), *((near,) if near and "." in near else ())]
        self.problems.unknown(name.span, "learner", name.text, words, f"add: learner {name.text} is …")

    def learners(self) -> tuple[Learner, ...]:
        """Every learner of the script, for `compare all`; one that has two spellings counts once."""
        every = (d for name, d in self.definitions.items() if name not in self.spellings)
        found = tuple(d for d in every if isinstance(d, Learner))
        self.used.update(x.name for x in found)
        return found


def _measured(formula: tuple[str, ...]) -> Metric | None:
    """The metric that the column of the scores is named after."""
    word = formula[0] if formula else ""
    found = find_metric(word) or find_metric(word.lower().replace("_", "-"))
    return Metric(name=found.name) if found else None


def _definition(handed: Handed) -> Definition:
    if handed.kind == "learner":
        step = Step(name=handed.name, kind="python", target=handed.target)
        return Learner(name=handed.name, steps=(step,), included=True)
    if handed.kind == "suite":
        return Suite(name=handed.name, members=handed.members, because=_FROM_PYTHON, included=True)
    source = Source(kind="python", locator=handed.name)
    if handed.kind == "results":
        metric = _measured(handed.formula)
        return ResultsTable(
            name=handed.name,
            source=source,
            formula=handed.formula,
            made=handed.made,
            metric=metric.name if metric else None,
            measured=metric,
            because=_FROM_PYTHON,
            included=True,
        )
    if handed.kind == "predictions":
        return PredictionsTable(name=handed.name, source=source, included=True)
    return Dataset(
        name=handed.name, source=source, task=handed.task, rows=handed.rows, because=_FROM_PYTHON, included=True
    )
