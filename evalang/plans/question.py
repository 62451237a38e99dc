"""Which of Dietterich's nine questions a statement asks (Dietterich 1998, section 1), and which comparisons bear on a
claim.
"""

from __future__ import annotations

from dataclasses import replace

from ..catalogue.schemes import SchemeEntry
from ..language import nodes
from .clauses import allowances, because, clause
from .model import Claim, Comparison, Learner, Suite
from .names import Names
from .values import Problems, margin, metric

QUESTIONS: dict[int, str] = {
    1: "how accurate is this one classifier, judged on a test set of its own",
    2: "how accurate is this one classifier, when the rows have to serve for training and testing",
    3: "which of these classifiers is more accurate, judged on a test set of their own",
    4: "which of these classifiers is more accurate, when the rows have to serve for training and testing",
    5: "how accurate is a learner trained on so many rows, with rows to spare",
    6: "how accurate is a learner on data like this, with few rows",
    7: "which learner is better when trained on so many rows, with rows to spare",
    8: "which learner is better on data like this, with few rows",
    9: "which learner is better over several datasets",
}

_OF_ITEMS: dict[int, str] = {
    1: "how well does this model do, judged on items",
    3: "which of these models is better, judged on the same items",
}

_TRAINED = "trained classifiers on a test set of their own"
_ONCE = "there is one training set, so it is about what was trained on it and not about the learners"


def asks(comparison: Comparison) -> str:
    """The question of a comparison in words; whoever answers items need be no classifier."""
    words = _OF_ITEMS.get(comparison.question) if comparison.units == "items" else None
    return words or QUESTIONS[comparison.question]


def asking(comparison: Comparison) -> Comparison:
    """The comparison with the question that it asks."""
    division = comparison.division
    number, why = question(
        estimate=comparison.estimate,
        this_classifier=comparison.this_classifier,
        scheme=division,
        several=comparison.several,
    )
    if comparison.units == "items" and number in (1, 3):
        why = "every model as it was run"
    return replace(comparison, question=number, question_reason=why)


def question(*, estimate: bool, this_classifier: bool, scheme: SchemeEntry | None, several: bool) -> tuple[int, str]:
    """The number of the question and why it is that one; large or small is decided by the scheme, not by the rows."""
    if scheme is None:
        return 6 if estimate else 9 if several else 8, "nothing says how the rows are split"
    if estimate:
        return _of_one(this_classifier, scheme)
    number, why = _on_one_dataset(this_classifier, scheme)
    if scheme.only_scores:
        return 9, "the table has the scores of each dataset, and they are taken together"
    if not several:
        return number, why
    if this_classifier:  # every dataset trains classifiers of its own: there is nothing to take together
        return number, f"{why}, on each dataset"
    return 9, f"there are several datasets: each has its verdict, on question {number}; a test over them answers 9"


def _of_one(this_classifier: bool, scheme: SchemeEntry) -> tuple[int, str]:
    if scheme.one_test_set:
        return 1, _TRAINED if this_classifier or not scheme.trains else _ONCE
    if this_classifier:
        return 2, "answered through question 6: the folds train several classifiers"
    if scheme.disjoint:
        return 5, "disjoint training sets and one test set"
    return 6, "the rows are used again and again for training and testing"


def _on_one_dataset(this_classifier: bool, scheme: SchemeEntry) -> tuple[int, str]:
    if scheme.one_test_set:
        return 3, _TRAINED if this_classifier or not scheme.trains else _ONCE
    if this_classifier:
        return 4, "answered through question 8: the folds train several classifiers"
    if scheme.disjoint:
        return 7, "disjoint training sets and one test set"
    return 8, "the rows are used again and again for training and testing"


def question_on_one(comparison: Comparison) -> int:
    """The question a verdict on one dataset answers; where several are taken together that is question 9."""
    if comparison.question != 9 or comparison.division is None:
        return comparison.question
    return _on_one_dataset(comparison.this_classifier, comparison.division)[0]


def may_say(comparison: Comparison) -> str:
    """What a significant result (of an estimate: its interval) would allow the author to say, and what not."""
    where = ", ".join(comparison.datasets[:3]) + (", …" if len(comparison.datasets) > 3 else "")
    rows = "items" if comparison.units == "items" else "rows"
    what, learners = ("model", "other versions of them") if rows == "items" else ("trained classifier", "the learners")
    rows = f"groups of {rows}" if comparison.grouped else rows
    if comparison.scheme is not None and comparison.scheme.looks is not None:
        return f"about how well each trained classifier does on rows like those of {where}; not which is better"
    if comparison.estimate:
        whose = f"this {what}" if comparison.question == 1 else "the learner, trained on parts of this size"
        return f"how well {whose} does on {rows} like those of {where}"
    if comparison.question == 3:
        return f"which of these {what}s is better on {rows} like those of {where}; nothing of {learners}"
    if comparison.question == 9:
        over = "; over datasets, that the learners differ on data sets like these" if comparison.over else ""
        if comparison.data == "results":
            return "that the learners differ on data sets like these, if these are a fair sample of them"
        return f"for each of {where} which learner is better on rows like it{over}"
    size = f" on {comparison.scheme.rows:,} rows" if comparison.question == 7 and comparison.scheme else ""
    size = " on half of the rows" if comparison.scheme is not None and comparison.scheme.halves else size
    return f"which learner is better when trained{size} from data like {where}; nothing of other data sets"


_RELATIONS = {"better": "better than", "no-worse": "no worse than", "same": "same as"}


class ClaimEvidence:
    """Comparisons by learner, so that a claim finds its own without reading all of them."""

    def __init__(self, comparisons: tuple[Comparison, ...]) -> None:
        self.by_name = {c.name: c for c in comparisons}
        self.by_learner: dict[str, dict[str, Comparison]] = {}
        self.open: dict[str, list[Comparison]] = {}  # `compare all` on a table: only the table knows its learners
        self.cache: dict[tuple[object, ...], tuple[str, ...]] = {}
        for found in comparisons:
            if found.estimate:
                continue
            for learner in found.learners:
                self.by_learner.setdefault(learner, {})[found.name] = found
            if not found.learners:
                for dataset in found.datasets:
                    self.open.setdefault(dataset, []).append(found)

    def bearing(self, claim: Claim) -> tuple[str, ...]:
        """Names of the comparisons that test this pair, on these datasets, by this metric."""
        key = (claim.left, claim.right, claim.datasets, claim.metric, claim.according_to, claim.new_datasets)
        if key not in self.cache:
            left, right = self.by_learner.get(claim.left, {}), self.by_learner.get(claim.right, {})
            shared = [c for name, c in left.items() if name in right]
            shared += [c for dataset in claim.datasets for c in self.open.get(dataset, ())]
            self.cache[key] = tuple([c.name for c in shared if _bears(c, claim)])
        return self.cache[key]


def _bears(comparison: Comparison, claim: Claim) -> bool:
    if claim.according_to and comparison.name != claim.according_to:
        return False
    if comparison.control and comparison.control not in (claim.left, claim.right):
        return False
    if claim.metric and claim.metric.name not in {m.name for m in comparison.metrics}:
        return False
    return set(claim.datasets) <= set(comparison.datasets)


def plan_claim(
    statement: nodes.ClaimStatement, number: int, names: Names, evidence: ClaimEvidence, problems: Problems
) -> Claim | None:
    """A claim with its names resolved and what bears on it, or None when it speaks of what is not there."""
    datasets: dict[str, None] = {}
    suites: list[str] = []
    known = [_known(name, names, evidence) for name in (statement.left, statement.right)]
    for name in statement.datasets:
        record = names.data(name)
        if record is None:
            return None
        suites += [name.text] if isinstance(record, Suite) else []
        datasets.update(dict.fromkeys(record.members if isinstance(record, Suite) else (name.text,)))
    if not all(known):
        return None
    said = statement.clauses
    measuring, according = clause(said, nodes.Measuring), clause(said, nodes.AccordingTo)
    measured = metric(measuring.metrics[0], problems) if measuring else None
    if measuring and len(measuring.metrics) > 1:
        problems.bad(measuring.span, "a claim is about one metric", "write one claim for each metric")
    if according and according.comparison.text not in evidence.by_name:
        remedy = "name a comparison by its `as` name"
        problems.unknown(according.span, "comparison", according.comparison.text, evidence.by_name, remedy)
    if statement.left.text == statement.right.text:
        problems.bad(statement.right.span, f"{statement.left.text} is claimed against itself", "name two learners")
    found = Claim(
        name=f"claim-{number}",
        left=statement.left.text,
        relation=statement.relation,
        right=statement.right.text,
        within=margin(statement.within, (measured,) if measured else (), problems) if statement.within else None,
        datasets=tuple(datasets),
        suites=tuple(suites),
        new_datasets=statement.new_datasets,
        each=statement.each,
        overall=clause(said, nodes.Overall) is not None,
        metric=measured,
        according_to=according.comparison.text if according else None,
        this_classifier=statement.this_classifier,
        because=because(said),
        text=sentence(statement),
        allow=allowances(said, problems),
        span=statement.span,
    )
    return replace(found, evidence=evidence.bearing(found))


def _known(name: nodes.Name, names: Names, evidence: ClaimEvidence) -> bool:
    """A learner of a comparison or of the script; any name where a table is compared whose learners nobody has read."""
    if name.text in evidence.by_learner or evidence.open or isinstance(names.definitions.get(name.text), Learner):
        return True
    return names.learner(name) is not None


def sentence(statement: nodes.ClaimStatement) -> str:
    """The claim in the words of the language."""
    within = f" within {statement.within.text}" if statement.within else ""
    where = ", ".join(name.text for name in statement.datasets)
    place = "new datasets" if statement.new_datasets else f"{'each of ' if statement.each else ''}{where}"
    return (
        f"{'this classifier ' if statement.this_classifier else ''}{statement.left.text} "
        f"{_RELATIONS[statement.relation]} {statement.right.text}{within} on {place}"
    )
