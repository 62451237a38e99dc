"""Schemes: how a dataset is divided, and what that gives a test to work with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal


@dataclass(frozen=True, slots=True)
class SchemeEntry:
    """The card of a kind of scheme: what holds for every scheme of the kind. Numbers are in plans."""

    kind: str
    form: str  # how it is written
    title: str
    method: str
    rows_tested_once: bool = False  # gives outcomes: every test row is predicted exactly once
    gives_folds: bool = False  # gives two or more fold scores
    training_overlap: bool = False  # training sets share rows
    one_partition: bool = False  # rests on one division of the rows
    random: bool = False  # needs a seed
    written: str = ""  # the form with places for numbers: {partitions}, {groups}, {halvings}, {folds}, {rows}, {part}
    written_window: str = ""  # ... where a window of {rows} rows slides along
    counts: str = ""  # what the number it begins with counts
    least: int = 1  # the smallest such number
    trains: bool = True  # learners are trained; not for predictions and scores that already exist
    unit: str = "row"  # what is tested once
    one_test_set: bool = False  # one classifier of each learner, judged on rows of its own
    part: Literal["", "tested", "trained"] = ""  # what the written part of the rows is for
    k_fold: bool = False  # each repeat puts every row into exactly one of its K folds
    replications: int = 1  # partitions that make one 5x2cv
    halved: bool = False  # besides its partitions, cross-validations in two halves of the rows
    averaged: bool = False  # the test is computed for each partition (or 5x2cv) and then averaged
    disjoint: bool = False  # disjoint training sets that share one test set
    # So many times the ratio of test to training rows is taken for what folds share (study of levels).
    wider: float = 1.0
    drawn: bool = False  # training rows are drawn with replacement
    in_time: bool = False  # trained on earlier rows than tested
    pooled: bool = False  # a fold is too small for a score of its own: all rows are scored together
    needs: Literal["", "time", "folds", "tested_on"] = ""  # the clause of the dataset that it rests on
    test: str = ""  # the test of its fold scores or losses when the script names none
    test_reason: str = ""  # why that one, or why there is none
    power: str = ""  # of that test, as a share of that of corrected-t on 10x10cv where that keeps its level
    halves_test: str = ""  # the one when every partition is two halves, where that is another
    halves_reason: str = ""
    interval: str = "corrected-interval"  # that of an estimate
    interval_reason: str = "corrected for overlapping training sets"
    references: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        """Whether the data says how it is divided; groups and time may have been kept in mind."""
        return self.needs in ("folds", "tested_on")

    @property
    def one_training(self) -> bool:
        """Whether every learner is trained once and judged on one test set."""
        return self.one_test_set and self.trains

    @property
    def only_scores(self) -> bool:
        """Whether there is nothing but scores per dataset."""
        return not self.trains and not self.one_test_set

    @property
    def one_kcv(self) -> bool:
        """Return whether it is a single partition into folds that evalang makes."""
        return self.k_fold and self.one_partition

    @property
    def five_by_two(self) -> bool:
        """Whether it is exactly five replications of 2cv."""
        return self.replications > 1 and not self.averaged

    @property
    def repeated(self) -> bool:
        """Whether rows are trained on and tested repeatedly."""
        return self.gives_folds and not self.rows_tested_once


_OVERLAP = "corrected for overlapping training sets"
_WHOLE = "; 10 halvings of 10x10cv has more power"
_HALVES = "corrected for overlapping training sets; independent of fold order"
_ONE_PASS = (
    "does not count reshuffled rows as new evidence, so its false-positive rate is at most 6% with unstable learners "
    "too" + _WHOLE
)
_DISJOINT = "disjoint training sets and one test set"

_once = partial(SchemeEntry, rows_tested_once=True, one_partition=True, one_test_set=True)
_repeated = partial(SchemeEntry, gives_folds=True, training_overlap=True, random=True)
_folds = partial(SchemeEntry, rows_tested_once=True, gives_folds=True, training_overlap=True)

SCHEMES: tuple[SchemeEntry, ...] = (
    _once(
        kind="holdout",
        form="holdout F",
        title="One test part",
        random=True,
        method="The share F of the rows is kept for testing, and each learner is trained once on the other rows.",
        written="holdout {part}",
        part="tested",
        references=("dietterich1998", "salzberg1997"),
    ),
    _once(
        kind="guarded-holdout",
        form="guarded holdout F within N looks",
        title="One test part that can be used a limited number of times",
        random=True,
        method="The share F of the rows is kept for testing, and at most N tests may use this part. Each answer comes "
        "from the training part, or from the test part with added noise, so an answer reveals little about single "
        "test rows.",
        written="guarded holdout {part} within {looks} looks",
        part="tested",
        references=("dwork2015",),
    ),
    _folds(
        kind="cv",
        form="Kcv",
        title="k-fold cross-validation",
        one_partition=True,
        random=True,
        method="The rows are split at random into K folds. Each fold is tested once, after training on the "
        "other folds.",
        written="{folds}cv",
        k_fold=True,
        test="corrected-t",
        power="The power of corrected-t on 10cv is 36% of that of corrected-t on 10x10cv, and 28% on 5cv. corrected-t "
        "on one cross-validation has a low false-positive rate, but less power. 10 halvings of 10x10cv has more power "
        "(81%). 10x2cv also has more power (83%), but its answer applies to training on half of the rows.",
        test_reason=_OVERLAP + _WHOLE,
        references=("dietterich1998", "salzberg1997"),
    ),
    _repeated(
        kind="repeated-cv",
        form="RxKcv",
        title="Repeated k-fold cross-validation",
        method="Kcv is repeated R times, each time on a new random split of the same rows.",
        written="{partitions}x{folds}cv",
        counts="repetitions",
        least=2,
        k_fold=True,
        test="partition-t",
        power="The power of partition-t on 10x10cv is 29% of that of corrected-t on 10x10cv, and 13% on 5x5cv. "
        "corrected-t is not the default test of repeated cross-validation, because corrected-t finds differences "
        "between equal learners in up to 19.9% of cases. corrected-t on 10x2cv has more power (83%), and so has 10 "
        "halvings of 10x10cv (81%), which trains on nearly all rows.",
        test_reason=_ONE_PASS,
        halves_test="corrected-t",
        halves_reason=_HALVES,
        references=("nadeau2003", "bouckaert2004"),
    ),
    _repeated(
        kind="5x2cv",
        form="5x2cv",
        title="Five repeats of 2-fold cross-validation",
        method="The rows are split into halves five times. Each half is used once for training and once for "
        "testing. Within a repeat the two training sets share no rows.",
        written="5x2cv",
        k_fold=True,
        replications=5,
        test="corrected-t",
        power="corrected-t on 5x2cv has 69% of the power of corrected-t on 10x10cv, and its answer applies to "
        "training on half of the rows. 10x2cv has more power (83%).",
        test_reason=_HALVES,
        references=("dietterich1998", "alpaydin1999"),
    ),
    _repeated(
        kind="partitions-cv",
        form="N partitions of Kcv",
        title="Many random splits of k-fold cross-validation",
        method="A complete Kcv is made on each of N random splits of the rows, which Bradford and Brodley call "
        "partitions.",
        written="{groups} partitions of {folds}cv",
        counts="partitions",
        k_fold=True,
        averaged=True,
        test="partition-t",
        power="partition-t on N partitions of 10cv has the same power as on Nx10cv, which is 29% of that of "
        "corrected-t on 10x10cv for N = 10. 10 halvings of 10x10cv has more power (81%).",
        test_reason=_ONE_PASS,
        halves_test="corrected-t",
        halves_reason=_HALVES,
        references=("bradford2001",),
    ),
    _repeated(
        kind="partitions-5x2cv",
        form="N partitions of 5x2cv",
        title="Many random splits of 5x2cv",
        method="5x2cv is repeated N times on new random splits.",
        written="{groups} partitions of 5x2cv",
        counts="partitions",
        k_fold=True,
        replications=5,
        averaged=True,
        test="corrected-t",
        power="corrected-t on ten partitions of 5x2cv has 94% of the power of corrected-t on 10x10cv, and its "
        "answer applies to training on half of the rows.",
        test_reason=_HALVES,
        references=("bradford2001",),
    ),
    _repeated(
        kind="halvings",
        form="N halvings of RxKcv",
        title="Repeated k-fold cross-validation, and cross-validations in halves of the rows",
        method="Kcv is repeated R times on all rows. In addition the rows are split into two halves N times, and each "
        "half gets its own cross-validation with half as many folds. The reported scores are those of the "
        "cross-validations on all rows. Two halves share no rows, so they show how much a score varies between "
        "independent samples.",
        written="{halvings} halvings of {partitions}x{folds}cv",
        k_fold=True,
        halved=True,
        test="halving-t",
        power="halving-t on 10 halvings of 10x10cv has 81% of the power of corrected-t on 10x10cv, in settings where "
        "corrected-t has a false-positive rate of at most 6%.",
        test_reason="variance between disjoint halves, which is valid for unstable learners too",
        references=("bengio2004",),
    ),
    _repeated(
        kind="resamples",
        form="N resamples of F",
        title="Repeated random splits into training and test part",
        method="The rows are split at random N times, with the share F of the rows for training and all "
        "other rows for testing.",
        written="{partitions} resamples of {part}",
        counts="resamples",
        least=2,
        part="trained",
        test="partition-t",
        power="partition-t on 30 resamples of 2/3 has 55% of the power of corrected-t on 10x10cv. 10 halvings of "
        "10x10cv has more power (81%).",
        test_reason=_ONE_PASS,
        references=("dietterich1998", "nadeau2003"),
    ),
    SchemeEntry(
        kind="trainings",
        form="N trainings of M",
        title="Disjoint training sets, one test set",
        random=True,
        method="There are N training sets of M rows each, which share no rows. All rows outside the training sets "
        "form one test set. Each learner is trained on every training set and predicts this test set.",
        written="{partitions} trainings of {rows}",
        counts="trainings",
        least=2,
        disjoint=True,
        test="quasi-f",
        test_reason=_DISJOINT,
        interval="training-interval",
        interval_reason=_DISJOINT,
        references=("rasmussen1996", "dietterich1998"),
    ),
    SchemeEntry(
        kind="leave-one-out",
        form="leave-one-out",
        title="Leave-one-out",
        rows_tested_once=True,
        training_overlap=True,
        method="Every row is tested once, after training on all other rows. The rows can be split in only one way. "
        "The score is computed from the predictions of all rows together.",
        written="leave-one-out",
        pooled=True,
        test_reason="leave-one-out gives no estimate of the variance",
        references=("salzberg1997",),
    ),
    _repeated(
        kind="bootstrap",
        form="bootstrap N",
        title="Bootstrap",
        method="N times, evalang draws as many rows as the dataset has, with replacement, and trains on them. The "
        "rows that were not drawn are tested.",
        written="bootstrap {partitions}",
        counts="bootstrap samples",
        least=2,
        drawn=True,
        wider=1.2,  # 1 was wrong too often with the single nearest neighbour in six cells of the study
        test="corrected-t",
        power="corrected-t on bootstrap 30 has 75% of the power of corrected-t on 10x10cv.",
        test_reason="corrected for overlapping training sets by their distinct rows, plus a fifth",
        references=("efron1993",),
    ),
    _folds(
        kind="forward",
        form="forward N splits",
        title="Forward in time",
        method="The rows are sorted by the time column and cut into N + 1 blocks. Each block except the first is "
        "tested after training on all blocks before it. Rows with the same time stamp always stay together. `forward "
        "N trainings of M rows` uses a sliding window instead: each block is tested after training on the last M rows "
        "before it. If only some rows of the oldest time stamp fit into the window, all rows of this time stamp are "
        "left out, and the window has fewer than M rows. If the dataset has `series in`, blocks, gap and window count "
        "time stamps, and a time stamp has one row per series.",
        written="forward {folds} splits",
        written_window="forward {folds} trainings of {rows} rows",
        counts="splits",
        in_time=True,
        needs="time",
        test="forward-t",
        test_reason="corrected for autocorrelated differences",
    ),
    _folds(
        kind="given-folds",
        form="given folds",
        title="Folds given with the data",
        one_partition=True,
        method="A column of the data gives the fold of each row. Each fold is tested once, after training on all "
        "other folds.",
        written="given folds",
        needs="folds",
        test="corrected-t",
        test_reason=_OVERLAP,
    ),
    _once(
        kind="given-test",
        form="given test",
        title="Test set given with the data",
        method="The dataset says which rows are tested (`tested on`). Each learner is trained once on the other rows.",
        written="given test",
        needs="tested_on",
    ),
    _once(
        kind="predictions",
        form="predictions NAME from …",
        title="Predictions that already exist",
        method="Nothing is trained. evalang reads the predictions of each learner for the same test rows.",
        trains=False,
    ),
    _once(
        kind="items",
        form="results NAME from … | item",
        title="Scores of items that already exist",
        method="Nothing is trained. evalang reads the score of each model on each item (a question or a task).",
        trains=False,
        unit="item",
    ),
    SchemeEntry(
        kind="results",
        form="results NAME from …",
        title="Scores that already exist",
        method="Nothing is trained. evalang reads the scores of each learner on each dataset, or on each fold "
        "in a long table.",
        trains=False,
    ),
)

_BY_KIND = {entry.kind: entry for entry in SCHEMES}


def find_scheme(kind: str) -> SchemeEntry | None:
    """Return the card of a kind of scheme, such as "repeated-cv"."""
    return _BY_KIND.get(kind)
