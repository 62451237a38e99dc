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
    dealt: bool = False  # every partition deals each row into one of its folds
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
        """Whether it is a single partition into folds, dealt here."""
        return self.dealt and self.one_partition

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
    "counts reshuffling the same rows as no new evidence, so it keeps its level with unstable learners too" + _WHOLE
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
        method="The share F of the rows is kept for testing, the rest is trained on, once.",
        written="holdout {part}",
        part="tested",
        references=("dietterich1998", "salzberg1997"),
    ),
    _once(
        kind="guarded-holdout",
        form="guarded holdout F within N looks",
        title="One test part that is asked a limited number of times",
        random=True,
        method="The share F of the rows is kept for testing and asked at most N times, each answer given so that it "
        "tells little about the rows themselves.",
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
        method="The rows are split at random into K folds; each fold is tested once after training on the others.",
        written="{folds}cv",
        dealt=True,
        test="corrected-t",
        power=".36 of that of corrected-t on 10x10cv on 10cv, .28 on 5cv: the level comes first. For more: 10 "
        "halvings of 10x10cv (.81), or 10x2cv (.83) at half of the rows.",
        test_reason=_OVERLAP + _WHOLE,
        references=("dietterich1998", "salzberg1997"),
    ),
    _repeated(
        kind="repeated-cv",
        form="RxKcv",
        title="Repeated k-fold cross-validation",
        method="R times Kcv, each on a new random split of the same rows.",
        written="{partitions}x{folds}cv",
        counts="repetitions",
        least=2,
        dealt=True,
        test="partition-t",
        power=".29 of that of corrected-t on 10x10cv (which was wrong in up to .199 of true nulls), .13 on "
        "5x5cv; on 10x2cv, by corrected-t, .83. For more: 10 halvings of 10x10cv (.81).",
        test_reason=_ONE_PASS,
        halves_test="corrected-t",
        halves_reason=_HALVES,
        references=("nadeau2003", "bouckaert2004"),
    ),
    _repeated(
        kind="5x2cv",
        form="5x2cv",
        title="Five replications of 2-fold cross-validation",
        method="Five times the rows are halved; each half is trained on and tested on the other. Within a replication "
        "the training sets do not overlap.",
        written="5x2cv",
        dealt=True,
        replications=5,
        test="corrected-t",
        power=".69 of that of corrected-t on 10x10cv, at half of the rows. For more: 10x2cv (.83).",
        test_reason=_HALVES,
        references=("dietterich1998", "alpaydin1999"),
    ),
    _repeated(
        kind="partitions-cv",
        form="N partitions of Kcv",
        title="Many random splits of k-fold cross-validation",
        method="N random splits (partitions), each a complete Kcv; the test is computed per split and then averaged.",
        written="{groups} partitions of {folds}cv",
        counts="partitions",
        dealt=True,
        averaged=True,
        test="partition-t",
        power="That of RxKcv: .29 of that of corrected-t on 10x10cv. For more: 10 halvings of 10x10cv (.81).",
        test_reason=_ONE_PASS,
        halves_test="corrected-t",
        halves_reason=_HALVES,
        references=("bradford2001",),
    ),
    _repeated(
        kind="partitions-5x2cv",
        form="N partitions of 5x2cv",
        title="Many random splits of 5x2cv",
        method="N times a 5x2cv of its own; the test is computed per 5x2cv and then averaged.",
        written="{groups} partitions of 5x2cv",
        counts="partitions",
        dealt=True,
        replications=5,
        averaged=True,
        test="corrected-t",
        power=".94 of that of corrected-t on 10x10cv with ten partitions, at half of the rows.",
        test_reason=_HALVES,
        references=("bradford2001",),
    ),
    _repeated(
        kind="halvings",
        form="N halvings of RxKcv",
        title="Repeated k-fold cross-validation, and cross-validations in halves",
        method="R times Kcv on all rows; and N times the rows are halved and each half has a cross-validation of its "
        "own with half as many folds. The scores are those of all rows; the halves, which share no row, say how much "
        "a score moves with its sample.",
        written="{halvings} halvings of {partitions}x{folds}cv",
        dealt=True,
        halved=True,
        test="halving-t",
        power=".81 of that of corrected-t on 10x10cv, where that keeps its level.",
        test_reason="variance between disjoint halves, which is valid for unstable learners too",
        references=("bengio2004",),
    ),
    _repeated(
        kind="resamples",
        form="N resamples of F",
        title="Repeated random division",
        method="N times the share F of the rows is drawn for training and the rest is tested.",
        written="{partitions} resamples of {part}",
        counts="resamples",
        least=2,
        part="trained",
        test="partition-t",
        power=".55 of that of corrected-t on 10x10cv with 30 resamples of 2/3. For more: 10 halvings of 10x10cv (.81).",
        test_reason=_ONE_PASS,
        references=("dietterich1998", "nadeau2003"),
    ),
    SchemeEntry(
        kind="trainings",
        form="N trainings of M",
        title="Disjoint training sets, one test set",
        random=True,
        method="N disjoint training sets of M rows each; all other rows are one test set, predicted by every training.",
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
        method="Every row is tested once after training on all others; there is only one such division, and the score "
        "is that of all rows together.",
        written="leave-one-out",
        pooled=True,
        test_reason="leave-one-out gives no estimate of the variance",
        references=("salzberg1997",),
    ),
    _repeated(
        kind="bootstrap",
        form="bootstrap N",
        title="Bootstrap",
        method="N times as many rows as there are, drawn with replacement, are trained on; the others are tested.",
        written="bootstrap {partitions}",
        counts="bootstrap samples",
        least=2,
        drawn=True,
        wider=1.2,  # 1 was wrong too often with the single nearest neighbour in six cells of the study
        test="corrected-t",
        power=".75 of that of corrected-t on 10x10cv with 30 samples.",
        test_reason="corrected for overlapping training sets by their distinct rows, plus a fifth",
        references=("efron1993",),
    ),
    _folds(
        kind="forward",
        form="forward N splits",
        title="Forward in time",
        method="In order of the time column the rows are cut into N + 1 blocks; each block but the first is tested "
        "after training on all before it. Rows of one moment are never divided. `forward N trainings of M rows` slides "
        "a window along: what is trained on are the last M rows before the block, less a moment that it would divide. "
        "Where the dataset says `series in`, blocks, gap and window count time stamps, a row of each series.",
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
        method="A column of the data says which fold a row belongs to; each fold is tested once.",
        written="given folds",
        needs="folds",
        test="corrected-t",
        test_reason=_OVERLAP,
    ),
    _once(
        kind="given-test",
        form="given test",
        title="Test set given with the data",
        method="The dataset says which rows are tested (`tested on`); everything else is trained on, once.",
        written="given test",
        needs="tested_on",
    ),
    _once(
        kind="predictions",
        form="predictions NAME from …",
        title="Predictions that already exist",
        method="Nothing is fitted: the predictions of each learner for the same test rows were read.",
        trains=False,
    ),
    _once(
        kind="items",
        form="results NAME from … | item",
        title="Scores of items that already exist",
        method="Nothing is fitted: the score of each learner on each item (a question, a task) was read.",
        trains=False,
        unit="item",
    ),
    SchemeEntry(
        kind="results",
        form="results NAME from …",
        title="Scores that already exist",
        method="Nothing is fitted: the scores of each learner per dataset (and fold, in a long table) were read.",
        trains=False,
    ),
)

_BY_KIND = {entry.kind: entry for entry in SCHEMES}


def find_scheme(kind: str) -> SchemeEntry | None:
    """Return the card of a kind of scheme, such as "repeated-cv"."""
    return _BY_KIND.get(kind)
