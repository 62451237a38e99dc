"""Facts about a dataset, as plain numbers and text, so that the linter can read them without numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """A column that predicts the target alone: a cross-validated lookup of its values is right for that share."""

    column: str
    share: float


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A number such as -999 that is far from all others of its column and repeated, so it may mean "no value"."""

    column: str  # the target included
    value: float
    cells: int
    low: float  # of the other values
    high: float
    elsewhere: bool  # another column of numbers has it as an ordinary value


@dataclass(frozen=True, slots=True)
class NumbersAsText:
    """A column that is read as text though most of its cells are numbers, and the words that stand between them."""

    column: str
    numbers: int  # cells
    cells: int  # that are not missing
    words: tuple[tuple[str, int], ...]  # (word, cells), the most frequent first


@dataclass(frozen=True, slots=True)
class Profile:
    """What data-stage rules may know about a dataset."""

    name: str
    rows: int
    features: int
    task: Literal["classification", "regression"]
    task_reason: str = ""
    target: str = ""
    classes: tuple[tuple[str, int], ...] = ()  # (class, members), in the order of the table
    positive: str | None = None
    duplicate_rows: int = 0  # rows with an identical twin, features and target alike (each of the twins counts)
    copies_unavoidable: bool = False  # rows as coarse as these have so many twins by chance
    missing_cells: int = 0
    sentinels: tuple[Sentinel, ...] = ()
    numbers_as_text: tuple[NumbersAsText, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()  # rows that were read and not kept: why, and how many
    identifier_columns: tuple[str, ...] = ()
    answer_columns: tuple[AnswerColumn, ...] = ()
    telling_columns: tuple[AnswerColumn, ...] = ()  # categories that nearly predict the target
    columns_scaled: bool = False  # the spread of every column of numbers is near 1
    group_like: tuple[tuple[str, int], ...] = ()  # (column, values): named like an entity, values repeated
    # (column, values, alike, compared): rows of one value are alike in so many of the columns compared
    entity_like: tuple[tuple[str, int, int, int], ...] = ()
    date_columns: tuple[str, ...] = ()  # columns of dates, dropped ones included
    # (column, part, groups): ids that begin alike, as `image_12` of `image_12_copy_3`, whose rows are alike
    id_parts: tuple[str, str, int] = ("", "", 0)
    target_means: tuple[str, ...] = ()  # columns that are the mean of the target over the rows with the same value
    sums_to_target: tuple[str, ...] = ()  # columns of numbers that add up to a numeric target, each times a factor
    windows_of_target: tuple[str, ...] = ()  # columns computed from the target of the same or later rows
    generated: tuple[str, float] = ("", 0.0)  # (class, share): rows on a line between two others, as SMOTE makes them
    near_copies: tuple[int, int] = (0, 0)  # rows with a nearly equal row, of so many that were compared
    parted_columns: tuple[tuple[str, int], ...] = ()  # (column like groups, values in the training and the test file)
    text_twins: tuple[str, int] = ("", 0)  # (column, rows): rows whose long text another row has too
    shared: tuple[tuple[str, int], ...] = ()  # (dataset, rows): rows of this one that the other holds too
    series_like: tuple[tuple[str, int], ...] = ()  # (column, values): separates the rows of one time stamp
    groups: int | None = None  # number of groups; None when no column is declared
    rows_per_day: float | None = (
        None  # time stamps per day where series are declared; None when the time is no text of dates
    )
    series: int | None = None  # number of series; None when no column is declared
    folds: tuple[tuple[str, int], ...] = ()  # given folds and their rows
    test_rows: int | None = None  # of the official test part
    test_classes: tuple[tuple[str, int], ...] = ()  # of the official test part
    parted_groups: int = 0  # groups in several given folds, or in both the training and the test file
    early_test_rows: int = 0  # rows of the official test part that are earlier than a training row
    early_test_dates: tuple[tuple[str, int], ...] = ()  # (column of dates, not declared; test rows before all training)
    test_twins: int = 0  # rows of the official test part with an identical twin in the training part
    tuned_twins: int = 0  # the same in the official tuning part
    target_range: tuple[float, float] | None = None  # regression
    content_hash: str = ""
    rows_hash: str = ""  # of all rows as they were read, in whatever order and whatever is the target
    source: str = ""

    @property
    def duplicate_share(self) -> float:
        """Share of the rows that have an identical twin."""
        return self.duplicate_rows / self.rows if self.rows else 0.0

    @property
    def smallest_class(self) -> tuple[str, int] | None:
        """The rarest class and its members."""
        return min(self.classes, key=lambda c: (c[1], c[0])) if self.classes else None

    @property
    def largest_class_share(self) -> float:
        """Share of the rows in the most frequent class; 0 for regression."""
        return max((n for _, n in self.classes), default=0) / self.rows if self.rows else 0.0


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What data-stage rules may know about results or predictions; counts are of the cells that were compared."""

    name: str
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    left_out: tuple[str, ...] = ()  # datasets or items without a score of some learner, under `complete cases`
    unanswered: int = 0  # items that no learner answered; under `complete cases` they are among those left out
    spreads: int = 0  # cells such as "91.2 ± 0.5", of which the mean was read
    folds: int = 0  # the most in one repetition of one dataset
    repeats: int = 0
    seeds: int = 0
    runs: tuple[tuple[int, int], ...] = ()  # by learner: the fewest and the most seeds on a dataset
    items: int = 0
    item_hash: str = ""  # equal for two tables of the same items; of items that are only numbered, or few, empty
    epochs: tuple[int, int] = (0, 0)  # fewest and most samples of an item
    samples: tuple[int, ...] = ()  # the most of an item, by learner
    missing: tuple[tuple[int, int], ...] = ()  # answers that are not there, and those there should be, by learner
    tied: bool = False  # the samples of some item are right and wrong equally often
    groups: int = 0
    sizes: tuple[tuple[int, int], ...] = ()  # items (of predictions: rows) and groups of each dataset
    # Of the difference of two learners, as a mean over all pairs: share of items on which exactly one is right (mean
    # square) and standard deviation, for each dataset; standard deviation over datasets.
    pair_squares: tuple[float, ...] = ()
    pair_spreads: tuple[float, ...] = ()
    dataset_spread: float = 0.0
    percent: bool = False  # a share is written as 82.3
    fractions: tuple[tuple[str, str], ...] = ()  # (learner, dataset): of percentages, scores such as 0.823
    percentages: tuple[tuple[str, str], ...] = ()  # (learner, dataset): of fractions, scores such as 82.3
    mixed_metrics: tuple[str, ...] = ()  # metrics that a column names, whose scores are in one column
    graded: bool = False  # some item is neither right nor wrong
    held: int = 0  # learners in the file, compared or not
    equal: tuple[tuple[str, str], ...] = ()  # learners with the same score in every cell; "" is the truth
    equal_datasets: tuple[tuple[str, str], ...] = ()  # datasets on which every learner has the same score
    origins: tuple[str, ...] = ()  # files that were read
    differing: tuple[str, ...] = ()  # what differs between those files beside the learner
    omitted: tuple[str, ...] = ()  # what the reader left out or changed, and why
    metric: str = ""  # as the tool that wrote the scores calls it
    scorer: str = ""  # of a log
    judges: tuple[str, ...] = ()  # models that graded the answers, from a column `judge` or `grader`
    # columns that join items (of predictions: rows) into groups, where no groups are declared
    group_columns: tuple[tuple[str, int], ...] = ()
    # (column, part, groups): ids of items, or names of datasets, that begin alike, as `django` of `django-1234`
    id_parts: tuple[str, str, int] = ("", "", 0)
    training: tuple[str, int] = ("", 0)  # (column, rows): rows that a column such as `split` calls training rows
    largest_class: float = 0.0  # of predictions: the share of the most frequent class
    labelled: tuple[str, ...] = ()  # of predictions: columns that hold classes, not scores
    two_valued: tuple[str, ...] = ()  # of predictions: columns of two numbers, beside columns of many
    text_twins: tuple[str, int] = ("", 0)  # (column, items): items whose text another item has too
    temperature: float = 0.0  # the highest in a column of that name
