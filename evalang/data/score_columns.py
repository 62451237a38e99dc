"""What the names of columns suggest in tables of scores and predictions. The words are in score_columns.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from ..catalogue.metrics import find_metric
from ..plans.levels import AVERAGE, BY_NAME
from ..plans.model import Standing
from ..plans.python_scores import LEARNERS

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
WORDS = {about: frozenset(words) for about, words in _TABLE["words"].items()}
NAMES = {about: frozenset(names) for about, names in _TABLE.items() if isinstance(names, list)}
LEVELS: dict[str, Standing] = BY_NAME | {name: level for level, names in _TABLE["level"].items() for name in names}
PARTS = {word: place for place, words in enumerate(_TABLE["part"].values()) for word in words}
NUMBERED = re.compile(
    r"(?P<word>fold|split|cv|seed|run|trial|rep|repeat|sample|attempt|question|item|q)[\s_#.-]*(?P<number>\d+)", re.I
)
IS_ID = re.compile(r"(?i)(^|[\s_.-])(id|idx|index|nr|no|number|uuid|hash)$|[a-z]I[dD]$")
ABOUT_ROWS = re.compile(  # columns of a wide table that describe its rows
    r"(?i)#|(?:n|num|nb|no|nr|number|count|size)[\s_.-]+(?:of[\s_.-]+)?\w|has[\s_.-]|is[\s_.-](?!correct|right)"
    r"|(?:difficulty|year|learning[\s_.-]rate|batch[\s_.-]size|temperature)$"
)
_PREFIX = re.compile(r"(?:params?|config|metrics?|tags?|hparams?|summary|metadata|scores?|results?)[./]\s*")


def plain_name(column: str) -> str:
    """Return the name of a column in lower case, without `_id`, a plural, a dash or what a tool writes before it.

    >>> plain_name("Question_ID"), plain_name("Models"), plain_name("y_true"), plain_name("params.model")
    ('question', 'model', 'y true', 'model')
    """
    word = re.sub(r"[\s_.-]+", " ", _PREFIX.sub("", re.sub(r"(?<=[a-z])(?=ID$|Id$)", "_", column.strip()).lower()))
    word = re.sub(r" (id|name|number|nr|no|idx|index)$", "", word)
    return word.removesuffix("s") if word.removesuffix("s") in LEARNERS | NAMES["truth"] | set(LEVELS) else word


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case, without numbers."""
    return re.split(r"[\W\d_]+", name.strip().lower())


def metric_named(word: str) -> str | None:
    """Return the metric of the catalogue that the name of a column stands for.

    >>> metric_named("test_acc"), metric_named("metrics.f1"), metric_named("accuracy_mean"), metric_named("latency")
    ('accuracy', 'f-score', 'accuracy', None)
    """
    plain = re.sub(r"[\s_./-]+", " ", _PREFIX.sub("", word.strip().lower()))
    bare = re.sub(rf"^(?:(?:{'|'.join(PARTS)}|mean|avg|final|overall) )+| (?:mean|avg|pct|percent|%)$", "", plain)
    found = find_metric(word) or find_metric(plain.replace(" ", "-")) or find_metric(bare.replace(" ", "-"))
    return found.name if found is not None else None


def is_named_score(column: str) -> bool:
    """Return whether a column has the name of a metric, or of what says right or wrong."""
    return plain_name(column) in NAMES["score"] or metric_named(column) is not None


def may_be_score(column: str) -> bool:
    """Return whether a column beside others may hold the scores, by its name."""
    words = set(words_of(column))
    if is_named_score(column):
        return not words & WORDS["spread"]
    other = plain_name(column) in NAMES["no_score"] | NAMES["beside"] | NAMES["progress"] | LEVELS.keys()
    return not (other or words & (WORDS["spread"] | WORDS["cost"]) or IS_ID.search(column.strip()))


def is_summary(column: str) -> bool:
    """Return whether a column is named like an average or a count of wins."""
    return AVERAGE.fullmatch(re.sub(r"[\s_]+", " ", column.strip())) is not None


def lower_is_better(word: str) -> bool:
    """Return whether a name says that less is better.

    >>> lower_is_better("latency_ms"), lower_is_better("neg_loss"), lower_is_better("reward")
    (True, False, False)
    """
    words = set(words_of(word))
    return bool(words & WORDS["lower"]) and not words & WORDS["turned"]
