"""What the columns of a table of scores stand for, guessed from names and values, as statements of a script.

`guess` returns every reading that the table allows; the caller asks where there is more than one.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import eq
from typing import Any

import pandas as pd

from ..catalogue.metrics import METRICS, find_metric
from ..errors import DataError
from ..language.text import nearest
from ..plans.levels import SAMPLES, standing_by_name
from ..plans.model import Standing
from ..plans.python_scores import LEARNERS
from .columns import as_number, looks_numeric
from .given_tables import OUTCOMES, ROW, gaps_in, is_gap, written_number
from .quoting import quoted, quoted_list
from .raw import find_column
from .score_columns import (
    ABOUT_ROWS,
    IS_ID,
    LEVELS,
    NAMES,
    PARTS,
    WORDS,
    is_named_score,
    is_summary,
    lower_is_better,
    may_be_score,
    metric_named,
    plain_name,
    words_of,
)

ROLE_CLAUSE = {role: f"{role}s" for role in ("dataset", "fold", "repeat", "seed", "item")} | {"epoch": "seeds"}
FEWEST_SUBJECTS = 10  # ours: fewer groups are hardly tested, and the linter names them
MANY_ROWS = 20  # ours: fewer rows of 0 and 1 may be anything
MOST_CLASSES = 50  # ours: a column of labels has no more
FEW_IDS = 5  # ours: fewer numbers that count up may be scores
MOSTLY = 0.8  # ours: a column with this share of numbers holds scores, and its other cells are mistakes
NEAR = 1.2  # ours: predictions of a quantity miss it by less than this many of its standard deviations
UNLIKE = 20.0  # ours: the typical scores of two learners on the same rows do not differ by this factor
LOOKED_FOR = (
    "a table needs a column for each learner, a column named learner (or model) with a column of scores, or a column "
    "named truth with a column of predictions for each learner"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to read a table: its statement, what that means, and what is compared."""

    statement: str
    name: str  # of the table in the script
    learners: tuple[str, ...]
    meaning: str
    units: Standing | None  # what a row of a test is; None for predictions
    datasets: int = 1
    gaps: bool = False
    measuring: str | None = None  # of predictions, in the statement that compares
    levels: Mapping[str, Standing] = field(default_factory=dict)  # of the columns that name the units
    learner: str = ""  # the column that names the learners of a long table
    score: str = ""  # the column of its scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What the command line says of a table."""

    source: str  # `csv "results.csv"`
    stem: str = ""  # of the file, which may name the metric
    measuring: str | None = None
    better: str | None = None
    groups: str | None = None
    learners: tuple[str, ...] = ()  # those to compare; () is all of them
    guess_direction: bool = True  # whether more counts as better where no name says so; else it is asked for


class LooksLikeData(DataError):
    """A table of features, with the script that learns from it."""

    def __init__(self, target: str, script: str) -> None:
        what = f"the table looks like training data, not like results: {quoted(target)} may be its target"
        hint = "to train learners on it, write a script and use `evalang run`"
        super().__init__(what, hint=f"{hint}; if the other columns are predictions, rename that column to truth")
        self.script = script


def guess(frame: pd.DataFrame, hints: Hints) -> list[Reading]:
    """Return the readings that names and values of a table allow, the likeliest first; DataError where none does."""
    _refuse_battles(frame)
    table = _Columns(frame, hints)
    if (groups := table.subjects()) is not None:
        table = _Columns(frame, replace(hints, groups=groups))
    found = list(table.predictions() or table.long())
    if not found and (target := table.target()):
        raise LooksLikeData(target, _study(hints, target))
    found = found or list(table.wide())
    if not found:
        names = quoted_list([str(c) for c in frame.columns])
        raise DataError(f"evalang cannot tell what the columns {names} stand for", hint=LOOKED_FOR)
    return found


def _refuse_battles(frame: pd.DataFrame) -> None:
    """Refuse a table in which each row names two models and the winner: it has no scores to pair."""
    winner = next((c for c in frame.columns if plain_name(str(c)) in ("winner", "preferred", "preference")), None)
    if winner is None or any(metric_named(str(c)) for c in frame.columns):
        return
    counts = {str(name): int(n) for name, n in frame[winner].value_counts().items()}
    wins = [name for name in counts if "tie" not in name.lower() and name.lower() not in ("both", "neither", "draw")]
    listed = ", ".join(f"{quoted(name)} {n}" for name, n in counts.items())
    hint = "count the wins of two models and test the counts: evalang test mcnemar "
    names = [c for c in frame.columns if c != winner and re.match(r"(?i)model|system|player|assistant", str(c))]
    one_pair = len(wins) == 2 and all(frame[c].nunique() == 1 for c in names)
    first, second = (counts[name] for name in wins) if one_pair else (40, 23)
    what = f"{quoted(winner)} names the winner of each row ({listed}), not scores"
    raise DataError(what, hint=f"{hint}{first} {second}")


def clauses_of(frame: pd.DataFrame) -> str | None:
    """Return the clauses of a table with a row for each score, where its names leave no doubt; else None."""
    try:
        found = guess(frame.rename(columns=str), Hints(source=""))
    except DataError:
        return None
    (one,) = found if len(found) == 1 else (None,)
    if one is None or not one.learner or {*map(plain_name, one.levels)} - LEVELS.keys():
        return None
    if plain_name(one.score) in NAMES["truth"] or not (is_named_score(one.score) or lower_is_better(one.score)):
        return None
    return one.statement.partition(" from ")[2].strip()


def _study(hints: Hints, target: str) -> str:
    """Return a script that learns from the table."""
    name = re.sub(r"[\W_]+", "-", hints.stem).strip("-").lower()
    name = name if re.match(r"[a-z]", name) else "own"
    data = f"dataset {name} from {hints.source}, target {quote(target)}"
    return f"set seed 1\n\n{data}\n\ncompare random-forest vs gradient-boosting on {name}\n"


def quote(text: str) -> str:
    """Return a text as a script writes it."""
    return '"' + text.replace('"', '""') + '"'


def find_learner(frame: pd.DataFrame) -> str | None:
    """Return the column that names the learner of each row; None where there is none, as in a wide table.

    Without a column named like learners it is the only column of words that tells the rows of each unit apart.
    """
    plain = {c: plain_name(c) for c in map(str, frame.columns)}
    named = [c for c, p in plain.items() if p in LEARNERS]
    if named:
        return next((c for c in named if frame[c].nunique() > 1), named[0])
    rest = [c for c, p in plain.items() if p not in NAMES["truth"] | NAMES["predicted"]]
    several = [c for c in rest if 1 < frame[c].nunique() <= len(frame) // 2]
    words = [c for c in several if not is_named_score(c) and _holds_names(frame[c])]
    levels = [c for c, p in plain.items() if p in LEVELS and not frame[c].is_unique]
    maybe = [c for c in several if plain[c] in NAMES["maybe_learner"] or "model" in plain[c].split()]
    maybe = [c for c in maybe if c in words or plain[c] in NAMES["maybe_learner"] - LEVELS.keys()]
    scores = [c for c in plain if c not in several or not _holds_names(frame[c])]
    only = sum(map(is_named_score, scores)) or sum(map(may_be_score, scores)) == 1
    for candidates in (maybe, [c for c in words if c not in levels and only]):
        places = [c for c in levels if c not in candidates] or [c for c in words if c not in candidates][:1]
        if not places or not frame.duplicated(places).any():
            continue
        telling = [c for c in candidates if not frame.duplicated([c, *places]).any()]
        if len(telling) == 1:
            return telling[0]
    return None


def _holds_names(column: pd.Series[Any]) -> bool:
    """Return whether the different values of a column are words, and neither scores nor right and wrong."""
    values = [v for v in column.unique().tolist() if not is_gap(v)]
    return all(isinstance(v, str) and not _is_number(v) and not _is_outcome(v) for v in values)


class _Columns:
    """The columns of a table, sorted by what they may be."""

    def __init__(self, frame: pd.DataFrame, hints: Hints) -> None:
        self.frame, self.hints = frame, hints
        self.direction = ""  # which one is taken as better, where the table or its user does not say
        self.gaps = False  # of a long table
        self.names = [str(c) for c in frame.columns]
        self.values = {c: [v for v in frame[c].tolist() if not is_gap(v)] for c in self.names}
        self.plain = {c: plain_name(c) for c in self.names}
        self.learner = find_learner(frame)  # of a long table
        self.levels = self._levels()
        self.numeric = [c for c in self.names if self.values[c] and all(map(_is_number, self.values[c]))]
        self.outcomes = [c for c in self.names if self.values[c] and all(map(_is_outcome, self.values[c]))]
        self.words = [c for c in self.names if c not in self.numeric and c not in self.outcomes]
        for c in self.names:
            if any(as_number(str(v).strip()) in (math.inf, -math.inf) for v in self.values[c]):
                raise DataError(f"column {quoted(c)} holds an infinite score", hint="leave the cell empty")
        for c in self.words:
            if self.values[c] and all(looks_numeric(str(v).strip()) for v in self.values[c]):
                what = f"column {quoted(c)} holds numbers with a comma, such as {quoted(self.values[c][0])}"
                raise DataError(f"{what}, which may mean thousands or decimals", hint="write 1200 or 1.2")
        self.spoiled = [c for c in self.words if self._mostly(c, _is_number)]
        self.spoiled += [c for c in self.words if c not in self.spoiled and self._mostly(c, _is_outcome)]

    def _levels(self) -> dict[str, Standing]:
        """Return the columns named like levels, one for each: of several columns of items the one with most values."""
        taken = (self.hints.groups, self.learner)
        found = {c: LEVELS[p] for c, p in self.plain.items() if p in LEVELS and c not in taken}
        if "seed" not in found.values():
            found |= {c: "seed" for c in self.names if standing_by_name(c) == "seed" and c not in taken}
        kinds = {c: len(set(map(str, self.values[c]))) for c in self.names}
        sampled = [c for c in self.names if self.plain[c].removesuffix("s") in SAMPLES and c not in taken]
        items = [c for c, standing in found.items() if standing == "item" and c not in sampled]
        tasks = [c for c, standing in found.items() if standing == "dataset" and kinds[c] >= MANY_ROWS]
        if sampled and not items and tasks:  # the problems of a benchmark, each tried several times
            items, found = tasks[:1], found | {tasks[0]: "item"}
        most = max((kinds[c] for c in items), default=0)
        for column in sampled if most > 1 else ():
            if kinds[column] < most or self.plain[column] == column.strip().lower():  # sample_id may number the items
                found[column] = "epoch"
        best: dict[Standing, str] = {}
        for column in sorted(found, key=kinds.__getitem__, reverse=True):
            best.setdefault(found[column], column)
        kept = {c: standing for c, standing in found.items() if best[standing] == c}
        return kept if "item" in best else {c: standing for c, standing in kept.items() if standing != "epoch"}

    def subjects(self) -> str | None:
        """Return the column of the patients or users that items belong to, where no other groups are named."""
        rows = len(self.frame) if self.learner is None and not self.levels else 0
        items = max((len(set(self.values[c])) for c, s in self.levels.items() if s == "item"), default=rows)
        if self.hints.groups is not None or (self.hints.measuring is None and self.target()):
            return None
        found = {c: len(set(map(str, self.values[c]))) for c in self.names if self.plain[c] in NAMES["subject"]}
        return next((c for c, count in found.items() if FEWEST_SUBJECTS <= count < items), None)

    def _counts(self, column: str) -> bool:
        """Return whether a column numbers the rows: it is named like an id, or its whole numbers count up."""
        if column not in self.numeric or self.plain[column] == "score" or metric_named(column):
            return False
        values = [_number(v) for v in self.values[column]]
        if not all(v.is_integer() for v in values):
            return False
        if IS_ID.search(column.strip()):
            return True
        return len(set(values)) == len(self.frame) >= FEW_IDS and all(b - a == 1 for a, b in pairwise(values))

    def _mostly(self, column: str, is_score: Callable[[Any], bool]) -> bool:
        """Return whether nearly all cells of a column are scores; of a short one, all but one of three or more."""
        cells = len(self.values[column])
        others = cells - sum(map(is_score, self.values[column]))
        return cells > 0 and (others <= (1.0 - MOSTLY) * cells or (others == 1 and cells >= 3))

    def _rest(self, *taken: str | None) -> list[str]:
        """Return the columns that may hold scores or predictions: neither taken, nor a level, a group or a count."""
        others = [c for c in self.names if c not in (*self.levels, self.hints.groups, *taken)]
        kept = [c for c in others if self.plain[c] not in NAMES["no_score"] or self.hints.measuring == c]
        return [c for c in kept if self.hints.measuring == c or not self._counts(c)]

    def _refuse(self, column: str, is_wrong: Callable[[Any], bool], what: str, hint: str) -> None:
        """Refuse the first wrong cell of a column."""
        for row, cell in enumerate(self.frame[column].tolist(), start=1):
            if not is_gap(cell) and is_wrong(cell):
                raise DataError(
                    f"row {row} of column {quoted(column)} is {quoted(_class_name(cell))}, {what}", hint=hint
                )

    def _refuse_spoiled(self, scores: Sequence[str]) -> None:
        """Refuse a column of scores in which a cell is no score."""
        if (spoiled := next((c for c in scores if c in self.spoiled), None)) is not None:
            numbers = self._mostly(spoiled, _is_number)
            is_score, what = (_is_number, "a number") if numbers else (_is_outcome, "right or wrong")
            hint = "write the score, or leave the cell empty; if the column holds no scores, delete it"
            self._refuse(spoiled, lambda v: not is_score(v), f"which is not {what}", hint)

    # ------------------------------------------------------------------ predictions

    def predictions(self) -> list[Reading]:
        """Return the reading with the column that is named after the truth; of labels without one, each column."""
        for truth in self._truths():
            if len(found := self._predicted(truth)) > 0 and not self._is_long(found):
                near = sum(self._predicts(truth, c) for c in found)
                others = [c for c in self._rest() if self.plain[c] not in NAMES["truth"]]
                if self.plain[truth] in NAMES["target"] and (2 * near < len(found) > 1 or 3 * near < len(others)):
                    raise LooksLikeData(truth, _study(self.hints, truth))
                return [self._predictions(truth, found)]
        classes = {c: self._classes(c) for c in self.words if c not in self.spoiled}
        labels = [c for c, own in classes.items() if own and not own & set(OUTCOMES)]
        shared = [c for c in labels if all(classes[c] & classes[other] for other in labels)]
        scores = [c for c in self.numeric if self.plain[c] not in NAMES["no_score"] and c not in self.levels]
        if len(shared) < 2 or scores:
            return []
        if len(shared) == 2:
            what = f"{quoted_list(shared)} hold labels, and no column is named truth"
            raise DataError(what, hint="add the true labels in a column named truth")
        return [self._predictions(truth, [c for c in shared if c != truth]) for truth in shared]

    def _truths(self) -> list[str]:
        """Return the columns named after the truth, and the only one beside columns named after predictions."""
        words = {c: set(words_of(c)) for c in self.names}
        found = [c for c in self.names if self.plain[c] in NAMES["truth"]]
        found += [c for c in self.names if c not in found and words[c] & WORDS["true"] and not metric_named(c)]
        predicted = [c for c in self.names if words[c] & WORDS["guessed"]]
        others = [c for c in self._rest(*predicted) if c in self.numeric or self._classes(c)]
        return found or (others if len(predicted) > 1 and len(others) == 1 else [])

    def _is_long(self, predicted: Sequence[str]) -> bool:
        return len(predicted) == 1 and any(self.plain[c] in LEARNERS for c in self.names)

    def _classes(self, column: str) -> set[str]:
        """Return the different values of a column; none where there are too many for classes, or as many as rows."""
        found = {_class_name(v) for v in self.values[column]}
        return found if len(found) <= min(MOST_CLASSES, len(self.frame) - 1) else set()

    def _predicted(self, truth: str) -> list[str]:
        others = [c for c in self._rest(truth) if self.plain[c] not in NAMES["truth"]]
        classes = self._classes(truth)
        if truth in self.numeric and (not classes or self._is_quantity(truth)):
            self._refuse_spoiled(others)
            return [c for c in others if c in self.numeric]
        same = [c for c in others if self._classes(c) and len(self._classes(c) & classes) * 2 >= len(self._classes(c))]
        self._refuse_spelling(truth, others)
        if not same and classes <= {"0", "1"}:  # probabilities
            found = [c for c in others if c in self.numeric and all(0 <= _number(v) <= 1 for v in self.values[c])]
            self._refuse_spoiled(others if found else ())
            return found
        return same

    def _is_quantity(self, column: str) -> bool:
        """Return whether a column holds numbers that are no classes."""
        return column in self.numeric and not all(float(v).is_integer() for v in map(_number, self.values[column]))

    def _predicts(self, truth: str, column: str) -> bool:
        """Return whether a column is as near to the truth as predictions are, and not a feature to learn from."""
        both = self.frame[~(gaps_in(self.frame[truth]) | gaps_in(self.frame[column]))]
        if not len(both):
            return False
        quantities = self._is_quantity(truth) or self._is_quantity(column)
        if not quantities or not {truth, column} <= set(self.numeric):
            labels = [list(map(_class_name, both[c].tolist())) for c in (truth, column)]
            true_labels, labels_found = map(Counter, labels)
            chance = sum(n * labels_found[label] for label, n in true_labels.items()) / len(both) ** 2  # to be equal
            right: float = sum(map(eq, *labels)) / len(both)
            return right > chance + 2.0 * math.sqrt(chance * (1.0 - chance) / len(both))
        true, found = (both[c].map(_number).astype(float) for c in (truth, column))
        alike = float(true.corr(found)) if true.std() > 0 and found.std() > 0 else 0.0
        if not self._is_quantity(truth):
            return alike > 0.1
        return alike > 0.9 or float(((true - found) ** 2).mean()) <= (NEAR * float(true.std())) ** 2

    def _refuse_spelling(self, truth: str, others: Sequence[str]) -> None:
        """Refuse predictions that are the classes of the truth in another spelling: BIRD for bird, yes for 1."""
        known = self._classes(truth)
        written = {_plain_class(c): c for c in known}
        for column in others:
            classes = self._classes(column)
            wrong = {c for c in classes - known if _plain_class(c) in written}
            if wrong and 2 * len(wrong | classes & known) > len(classes):
                right = next(written[_plain_class(c)] for c in map(_class_name, self.values[column]) if c in wrong)
                what = f"and {quoted(truth)} has no such class"
                self._refuse(
                    column, lambda v: _class_name(v) not in known, what, f"write {quoted(right)}, as the truth does"
                )

    def _refuse_yes_and_no(self, scores: Sequence[str]) -> None:
        """Refuse a column of yes and no beside columns of right and wrong: it may be a model's, or about the items."""
        for column in (c for c in self.words if scores and c not in self.levels and c != self.hints.groups):
            cells = [str(v).strip().lower() for v in self.values[column]]
            if cells and set(cells) <= {"yes", "no"} and all(c in self.outcomes for c in scores):
                hint = "write 1 for yes and 0 for no; if the column holds no scores, delete it"
                self._refuse(column, lambda _: True, "which is not right or wrong", hint)

    def _predictions(self, truth: str, learners: Sequence[str]) -> Reading:
        clauses = [f"predictions predicted from {self.hints.source}", f"  truth {quote(truth)}"]
        clauses.append(f"  learners in {', '.join(map(quote, learners))}")
        if self.hints.groups:
            clauses.append(f"  groups {quote(self.hints.groups)}")
        meaning = f"{len(self.frame)} rows; {quoted(truth)} is the truth, {quoted_list(learners)} the predictions"
        left = self._rest(truth, *learners)
        return Reading(
            statement=",\n".join(clauses),
            name="predicted",
            learners=tuple(learners),
            meaning=meaning + (f"; left out: {quoted_list(left)}" if left else ""),
            units=None,
            gaps=self._has_gaps(learners),
            measuring=self.hints.measuring,
        )

    # ------------------------------------------------------------------ long tables

    def long(self) -> list[Reading]:
        """Return a reading for each column that may be the score, where a column names the learners of the rows."""
        learner = self.learner
        if learner is None:
            return []
        rest = [c for c in self._rest(learner) if c in (*self.numeric, *self.outcomes, *self.spoiled)]
        rest = [c for c in rest if self.plain[c] not in NAMES["subject"]]
        for column in (c for c in self.words if self.plain[c] in NAMES["score"] and c not in rest):
            hint = "write 1 for right and 0 for wrong, or a number"
            self._refuse(column, lambda v: not (_is_number(v) or _is_outcome(v)), "which is no score", hint)
        asked = [c for c in rest if self.hints.measuring and self.hints.measuring in (c, metric_named(c))]
        if not asked and self.hints.measuring and metric_named(self.hints.measuring) == "accuracy":
            asked = [c for c in rest if c in self.outcomes and is_named_score(c)]
        scores = [c for c in rest if may_be_score(c)] or rest
        scores = scores or [c for c in self.numeric if self.plain[c] == "time"]  # with nothing else, it is measured
        scores = [c for c in scores if len(set(self.values[c])) > 1] or scores  # a constant compares nothing
        named = [c for c in scores if is_named_score(c)]
        chosen = asked or self._tested(named or scores)
        self._refuse_spoiled(chosen)
        return [reading for score in chosen for reading in self._long(learner, score)]

    def _tested(self, scores: Sequence[str]) -> list[str]:
        """Return the scores on test rows, where the same is there for validation or training rows too."""
        parts: dict[str, list[str]] = {}
        for column in scores:
            words = re.split(r"[\W_]+", column.lower())
            parts.setdefault(" ".join(w for w in words if w not in PARTS), []).append(column)
        part = {c: max((PARTS[w] for w in re.split(r"[\W_]+", c.lower()) if w in PARTS), default=1.5) for c in scores}
        return [c for several in parts.values() for c in several if part[c] == max(part[one] for one in several)]

    def _long(self, learner: str, score: str) -> Iterator[Reading]:
        levels = dict(self.levels)
        others = [c for c in self.names if c not in (learner, score, self.hints.groups) and c not in levels]
        others = [c for c in others if c in self.words or self._counts(c) or self.plain[c] in NAMES["subject"]]
        if "item" not in levels.values() and "dataset" not in levels.values() and len(others) == 1:
            levels[others[0]] = "item" if score in self.outcomes else "dataset"
        levels = self._items_of_outcomes(levels, [score])
        if not levels:
            what = f"no column says which scores of the learners in {quoted(learner)} belong together"
            raise DataError(what, hint="add a column named dataset, fold, seed or item, by which the scores are paired")
        formula = " / ".join(_word(c) for c in levels)
        clauses = [f"results scores from {self.hints.source} as {_word(score)} ~ {_word(learner)} | {formula}"]
        clauses += self._roles({c: s for c, s in levels.items() if standing_by_name(c) != s})
        clauses += self._measured([score], score)
        learners = [str(v) for v in dict.fromkeys(self.values[learner])]
        learners = [find_column(c, learners, "the table", "--learners") for c in self.hints.learners] or learners
        units = (
            [c for c, s in levels.items() if s != "seed"] if {*levels.values()} <= {"dataset", "seed"} else [*levels]
        )
        cells = self.frame[[not is_gap(v) for v in self.frame[score].tolist()]].drop_duplicates([learner, *units])
        self.gaps = len(cells) < len(learners) * (len(self.frame.drop_duplicates(units)) if units else 1)
        for found in self._by_scheme(clauses, levels, learners, len(self.frame) // max(len(learners), 1), score):
            yield replace(found, learner=learner, score=score)

    # ------------------------------------------------------------------ a dataset to learn from

    def target(self) -> str | None:
        """Return the column that a learner would predict, where the rest are features and not scores.

        That is a column named after the truth, the only column of classes in words, or the last one of columns of
        numbers that are too different in size for scores of one metric.
        """
        named = [c for c in self.names if c not in self.levels and self.plain[c] not in NAMES["no_score"]]
        features = [c for c in named if self.plain[c] not in NAMES["truth"]]
        if len(features) < 2 or any(self.plain[c] in LEARNERS for c in self.names) or self.hints.measuring:
            return None
        if len(features) < len(named):
            return next(c for c in named if c not in features)
        if self.levels or len(self.frame) < MANY_ROWS or all(c in self.outcomes for c in named):
            return None
        classes = [c for c in self.words if c in named and c not in self.spoiled and len(self._classes(c)) > 1]
        if any(self.frame[c].is_unique for c in self.words):
            return None
        if classes:
            return classes[-1]
        sizes = [pd.Series([abs(_number(v)) for v in self.values[c]]).median() for c in named if c in self.numeric]
        return named[-1] if sizes and max(sizes) > UNLIKE * max(min(sizes), 1e-12) else None

    # ------------------------------------------------------------------ wide tables

    def wide(self) -> list[Reading]:
        """Return the readings of a table with a column for each learner."""
        levels = dict(self.levels)
        learners = self._entrants()
        if learners and all(metric_named(c) for c in learners):
            hint = 'add a column that names the learner of each row: "learner"'
            what = f"the columns {quoted_list(learners)} are metrics, and no column names a learner"
            raise DataError(what, hint=hint)
        self._refuse_spoiled(learners)
        self._refuse_yes_and_no(learners)
        if not learners:
            return []
        names = [c for c in self.words if c not in levels and c != self.hints.groups]
        unique = [c for c in self.names if c not in learners and self.frame[c].is_unique]
        right = all(c in self.outcomes for c in learners)
        ids = [c for c in unique if IS_ID.search(c) and c not in levels]
        if not levels and (self.hints.groups or (ids and len(self.frame) >= MANY_ROWS)):
            levels[next(iter(ids or unique), ROW)] = "item"
        elif right and "item" not in levels.values() and len(self.frame) >= MANY_ROWS:
            levels[next((c for c in unique if c not in levels or levels[c] == "dataset"), ROW)] = "item"
        elif not levels and names:
            levels[next((c for c in names if c in unique), names[0])] = "dataset"
        levels = self._items_of_outcomes(levels, learners)
        readings: Sequence[dict[str, Standing]] = [levels]
        if not levels:
            row = next(iter(unique), ROW)
            possible: tuple[Standing, ...] = ("dataset", "fold", "item")
            readings = [{row: standing} for standing in possible[: 3 if len(self.frame) >= MANY_ROWS else 2]]
        return [found for one in readings for found in self._wide(one, learners)]

    def _entrants(self) -> list[str]:
        """Return the columns that are learners: not those that describe the rows, nor averages."""
        if self.hints.learners:
            return [find_column(c, self.names, "the table", "--learners") for c in self.hints.learners]
        rest = [c for c in self._rest() if c not in self.words or c in self.spoiled]
        rest = [c for c in rest if not is_summary(c) and not ABOUT_ROWS.match(c.strip())]
        rest = [c for c in rest if self.plain[c] not in LEVELS] or rest
        high = {c: max((_number(v) for v in self.values[c] if _is_number(v)), default=0.0) for c in rest}
        for top in (1.0, 100.0):
            inside = [c for c in rest if high[c] <= top]
            if 1 < len(inside) < len(rest) and self._are_shares(inside):
                if all(c in self.outcomes for c in inside):
                    return inside  # beside right and wrong answers, other numbers describe the items
                if len(rest) - len(inside) == 1:
                    (odd,) = (c for c in rest if c not in inside)
                    what = f"column {quoted(odd)} has values up to {high[odd]:g}, and all others at most {top:g}"
                    hint = f"name the columns to compare: --learners {','.join(inside[:3])}{',…' * (len(inside) > 3)}"
                    if any(not self.frame[c].is_unique for c in self.words):  # columns of categories, as features are
                        hint += (
                            f"; to learn from the table write a script: dataset own from {self.hints.source}, target …"
                        )
                    raise DataError(f"{what}: is it a learner?", hint=hint)
        return rest

    def _wide(self, levels: dict[str, Standing], learners: Sequence[str]) -> Iterator[Reading]:
        clauses = [f"results scores from {self.hints.source}", *self._roles(levels)]
        if {*levels, *learners} < set(self.names):
            clauses.append(f"  learners in {', '.join(map(quote, learners))}")
        clauses += self._measured(learners, None, items="item" in levels.values())
        left = [c for c in self.names if c not in levels and c not in learners and c != self.hints.groups]
        for found in self._by_scheme(clauses, levels, learners, len(self.frame)):
            yield replace(found, meaning=f"{found.meaning}; left out: {quoted_list(left)}") if left else found

    # ------------------------------------------------------------------ what both share

    def _items_of_outcomes(self, levels: dict[str, Standing], scores: Sequence[str]) -> dict[str, Standing]:
        """Return the levels, where tasks of one right or wrong answer are items and not datasets."""
        lone = [c for c, s in levels.items() if s == "dataset" and len(set(self.values.get(c, ()))) >= MANY_ROWS]
        if lone and len(levels) == 1 and all(c in self.outcomes for c in scores):
            return {lone[0]: "item"}
        order = list(ROLE_CLAUSE)
        return dict(sorted(levels.items(), key=lambda one: order.index(one[1])))

    def _roles(self, levels: dict[str, Standing]) -> list[str]:
        return [f"  {ROLE_CLAUSE[standing]} in {quote(column)}" for column, standing in levels.items()]

    def _measured(self, columns: Sequence[str], score: str | None, items: bool = True) -> list[str]:
        """Return the clause of the metric; of one that nothing names, more is better unless its name says otherwise."""
        self.direction = ""
        if score is None and len(columns) == 1 and lower_is_better(columns[0]):
            score = columns[0]  # no learner, but what is measured
        words = words_of(self.hints.stem)
        if (
            score is None
            and {*words} <= WORDS["lower"] | WORDS["plain_stem"]
            and (lower := [w for w in words if w in WORDS["lower"]])
        ):
            score = lower[0]
        asked = self.hints.measuring if self.hints.measuring not in columns or len(columns) > 1 else None
        name = asked or (score if score and (metric_named(score) or lower_is_better(score)) else None)
        known = metric_named(name) if name else None
        if not known and (score is None or plain_name(score) in ("score", "value", "result", "performance")):
            known = next(filter(None, map(metric_named, re.split(r"[\W_]+", self.hints.stem))), None)
        card = find_metric(known) if known else None
        if card and self.hints.better == ("lower" if card.higher_is_better else "higher"):
            way = "higher" if card.higher_is_better else "lower"
            what = f"--better {self.hints.better} contradicts {card.name}, of which {way} is better"
            raise DataError(what, hint="leave out --better, or rename the column")
        if name and not known and not self.hints.better and name not in self.names:
            near = None if lower_is_better(name) else nearest(name, [metric.name for metric in METRICS])
            if near:
                hint = f"did you mean {near}? A metric of your own needs --better higher, or lower"
                raise DataError(f"there is no metric {quoted(name)}", hint=hint)
        if known:
            return [] if score and find_metric(score) and not asked else [f"  measuring {known}"]
        if items and not name and all(c in self.outcomes for c in columns) and self.hints.better != "lower":
            return ["  measuring accuracy"]
        word = name or score or "score"
        better = self.hints.better or ("lower" if lower_is_better(word) else "higher")
        if not self.hints.better:
            unlike_shares = not score and (lower_is_better(self.hints.stem) or not self._are_shares(columns))
            if better == "higher" and (not self.hints.guess_direction or (unlike_shares and not name)):
                what = f"it is unknown whether higher or lower {score or word} is better"
                hint = "add --better lower (as for times and errors), or --better higher"
                if not self.levels and not score:
                    hint += f"; to learn from the table write a script: dataset own from {self.hints.source}, target …"
                raise DataError(what, hint=hint)
            other = "lower" if better == "higher" else "higher"
            self.direction = f"; a {better} {word} is taken as better (else --better {other})"
        return [f"  measuring {word if word.isidentifier() else quote(word)}(better = {better})"]

    def _are_shares(self, columns: Sequence[str]) -> bool:
        """Return whether all numbers of the columns are from 0 to 100, as shares and percentages are."""
        return all(0 <= _number(v) <= 100 for c in columns for v in self.values[c] if _is_number(v))

    def _by_scheme(
        self, clauses: list[str], levels: dict[str, Standing], learners: Sequence[str], rows: int, score: str = ""
    ) -> Iterator[Reading]:
        """Yield one reading, or two where nothing says whether every seed has new folds."""
        if self.hints.groups:
            clauses = [*clauses, f"  groups {quote(self.hints.groups)}"]
        standings = {standing: column for column, standing in levels.items()}
        counts = {s: rows if c == ROW else len(set(self.values[c])) for s, c in standings.items()}
        what = " x ".join(_counted(count, word) for word, count in (*counts.items(), ("learner", len(learners))))
        what += f", in groups by {self.hints.groups}" if self.hints.groups else ""
        meaning = what + (f", scored by {score}" if score else "")
        unit: Standing = "item" if "item" in counts else "dataset" if "dataset" in counts else "fold"
        one = Reading(
            statement=",\n".join(clauses),
            name="scores",
            learners=tuple(map(str, learners)),
            meaning=meaning + self.direction,
            units=unit,
            datasets=counts.get("dataset", 1),
            gaps=self._has_gaps(learners),
            levels=levels,
        )
        if not {"seed", "fold"} <= set(counts) or "repeat" in counts:
            yield one
            return
        folds, seeds = counts["fold"], counts["seed"]
        for made, words in (
            (f"{folds}cv, trained {seeds} times", "every seed on the same folds"),
            (f"{seeds}x{folds}cv", "every seed with folds of its own"),
        ):
            statement = f"{one.statement},\n  made using {made}"
            yield replace(one, statement=statement, meaning=f"{meaning}, {words}{self.direction}")

    def _has_gaps(self, learners: Sequence[str]) -> bool:
        return self.gaps or any(len(self.values[c]) < len(self.frame) for c in learners if c in self.values)


def _word(column: str) -> str:
    return column if re.fullmatch(r"[A-Za-z]\w*", column) else quote(column)


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"


def _number(value: Any) -> float:
    written = written_number(value)
    return float(value) if written is None else written


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and (written_number(value) is not None or isinstance(value, int | float))


def _class_name(value: Any) -> str:
    """Return a class as text; whole numbers that were read as floats (a gap elsewhere in the column) stay whole."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def _plain_class(name: str) -> str:
    """Return a class without its spelling: yes, True and 1 are the same, so are BIRD and bird."""
    word = name.casefold()
    return {"yes": "1", "true": "1", "no": "0", "false": "0"}.get(word, word)


def _is_outcome(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in OUTCOMES or value.strip() in ("0", "1", "0.0", "1.0")
    return isinstance(value, bool) or value in (0, 1)
