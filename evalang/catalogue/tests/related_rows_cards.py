"""Cards of the tests on rows that depend on each other: rows in groups, and rows in time."""

from __future__ import annotations

from ..entry import TestEntry
from .floors import one_way
from .row_cards import NO_TRAINING_VARIANCE, ONE_TEST_PER_ROW

_CONSTANT = (("constant", "a difference that is the same everywhere has no variance, so there is no t"),)
_ORDER = ("order", "the rows have an order, which is that of time")

RELATED: tuple[TestEntry, ...] = (
    TestEntry(
        name="cluster-permutation",
        title="Permutation test of groups",
        question="Would the difference be as large if the two learners were exchanged at random in every group?",
        null="In every group the two learners' results can be exchanged, all its rows at once.",
        evidence="grouped-rows",
        scopes=("dataset",),
        learners="two",
        unit="group",
        tolerates_overlap=True,
        min_units=6,
        smallest_p=one_way,
        schemes=ONE_TEST_PER_ROW,
        questions=(3,),
        metrics="row-loss",
        random=True,
        method="The differences of a group's rows are summed. The share of all sign changes of these sums whose "
        "total is at least as large: all of them up to 18 groups, else of 9,999 random ones and the observed."
        " The mean is by row, so a large group counts for more.",
        type_one="Between .028 and .069 at the level .05 with 8 to 50 groups in the study of levels, sizes and effects "
        "equal or skewed; a test that takes the rows for independent rejects in up to .27. On items right or wrong in "
        "10, 20 and 50 groups it rejected .013 to .065 and its interval missed at most .065 (200 to 3,000 runs a "
        "setting), where counting every item for itself rejected up to .710. The interval beside it for new items of "
        "these very groups covered .943 to .960 (6 and 18 groups of 10 to 150 items, 400 to 1,500 repetitions); taken "
        "for an answer about groups like these it was wrong in up to .18.",
        use_when="Rows come in groups (visits of a patient, questions on one text): the default there.",
        avoid_when="There are fewer than six groups: no p could reach .05. " + NO_TRAINING_VARIANCE,
        instead="a scheme of grouped folds, for a claim about the algorithm",
        references=("canay2017",),
    ),
    TestEntry(
        name="cluster-t",
        title="t test of groups",
        question="Do these two classifiers have the same mean score on rows that come in groups?",
        null="The mean difference over rows, drawn group by group, is zero.",
        evidence="grouped-rows",
        scopes=("dataset",),
        learners="two",
        unit="group",
        tolerates_overlap=True,
        min_units=6,
        schemes=ONE_TEST_PER_ROW,
        questions=(3,),
        metrics="row-loss",
        method="The mean by row over the standard error from the groups' summed residuals, each squared over 1 - "
        "n_g/n (CR2), against t with Bell and McCaffrey's degrees of freedom.",
        type_one="Between .033 and .071 in the study of levels; without the correction (CR1) up to .120. Where the "
        "effective number of groups is below 20 or not above half of them a result carries a warning; items right or "
        "wrong in 6 to 20 groups, one of which held up to half of the items, gave .048 to .056 (20,000 repetitions); "
        "in 10 to 50 groups .036 to .069, and the interval missed at most .070 (200 to 3,000 runs a setting).",
        use_when="Many groups of like size; the default for the pairs of three models or more on items, whose shared "
        "level is too small for drawn sign changes.",
        avoid_when="Groups are few or differ much in size. " + NO_TRAINING_VARIANCE,
        instead="cluster-permutation",
        exempt=_CONSTANT,
        references=("bell2002", "pustejovsky2018"),
    ),
    TestEntry(
        name="forward-t",
        title="t test forward in time",
        question="Does one of two learners, trained again as time goes on, predict what comes next better?",
        null="The mean difference over time stamps is zero in the long run.",
        evidence="timed-rows",
        scopes=("dataset",),
        learners="two",
        unit="time stamp",
        tolerates_overlap=True,
        min_units=50,
        schemes=("forward",),
        questions=(8,),
        metrics="row-loss",
        method="The rows of one time stamp are taken together, the stamps in order; the mean is by row. The long-run "
        "variance is the mean of the squared weights of B = 0.25 T^(2/3) cosines; t with B degrees of freedom.",
        type_one="Between .047 and .057 with 50 to 500 stamps whose differences follow each other with a correlation "
        "up to .5, the most where they are skewed too; up to .073 at a correlation of .8 (study of levels, 10,000 runs "
        "each). With 0.4 T^(2/3) cosines, as lazarus2018 recommends: up to .108. Diebold and Mariano's test for one "
        "step: up to .522.",
        use_when="`forward N splits`, with a metric that is a mean over rows; the default there. With several series "
        "in one table (`series in`) the unit stays the time stamp: series of one day have the day in common.",
        avoid_when="There are fewer than 50 time stamps, or one learner is nested in the other and the window grows: "
        "then the difference need not settle at all.",
        exempt=(*_CONSTANT, _ORDER),
        references=("lazarus2018", "muller2007"),
    ),
    TestEntry(
        name="diebold-mariano",
        title="Diebold and Mariano's test",
        question="Do two forecasts have the same expected loss?",
        null="The mean difference of the losses over time stamps is zero.",
        evidence="timed-rows",
        scopes=("dataset",),
        learners="two",
        unit="time stamp",
        tolerates_overlap=True,
        min_units=50,
        schemes=("forward",),
        questions=(8,),
        metrics="row-loss",
        options=("horizon",),
        method="The mean over its standard error from the autocovariances up to the horizon less one, with Harvey, "
        "Leybourne and Newbold's correction; t with T - 1 degrees of freedom.",
        type_one=".25 to .27 at the level .05 for one step where differences follow each other with a correlation of "
        ".5, .096 to .102 for a horizon of 5 with 50 stamps (study of levels): it knows nothing beyond its horizon.",
        use_when="Forecasts of a stated horizon, whose errors are unrelated beyond it.",
        avoid_when="Losses stay related for longer than the horizon.",
        instead="forward-t",
        exempt=(*_CONSTANT, _ORDER),
        references=("diebold1995", "harvey1997"),
    ),
)
