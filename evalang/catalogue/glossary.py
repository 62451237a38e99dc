"""The words of the language, each with its one meaning."""

from __future__ import annotations

GLOSSARY: tuple[tuple[str, str], ...] = (
    ("learner", "A learning procedure with its preparation steps and its tuning, before anything is fitted."),
    ("dataset", "One named table with a target."),
    ("suite", "A group of datasets together with the reason for choosing them."),
    ("scheme", "How the rows of a dataset are split: 10cv, 5x2cv, holdout 1/3 and so on. Written after `using`."),
    ("partition", "One concrete division of the rows under a scheme. Another shuffle gives another partition."),
    ("fold", "One concrete training part and test part of a partition."),
    ("training part", "The rows a learner is fitted on in one fold."),
    ("tuning part", "The rows, taken from the training part, on which the candidates of a grid are judged."),
    ("test part", "The rows on which a fitted learner is judged; nothing else ever sees them."),
    ("candidate", "One setting of the tuned parameters."),
    ("trial", "One learner fitted once on one fold of one dataset with one seed."),
    ("metric", "A function of truth and predictions: accuracy, roc-area, rmse. It knows whether higher is better."),
    ("score", "The value of a metric for one trial."),
    ("unit", "One number that enters a test: a test row, a fold, or a dataset."),
    ("comparison", "Two or more learners on data, with a scheme, a metric and a test."),
    ("family", "The tests whose error rate is controlled together; the plan counts it, never the writer."),
    ("correction", "How the level is shared among the tests of a family: bonferroni, holm, bh and others."),
    ("claim", "The sentence an author wants to write, in a form that can be checked."),
    ("rope", "The region of practical equivalence: differences smaller than this do not matter in practice."),
    ("finding", "What lint reports: a pitfall of this very design, where it stands, and how to repair it."),
    ("allow", 'A finding kept on purpose, with the author\'s reason: `allow EV401 because "…"`.'),
    (
        "verdict",
        "The decision after the correction of the whole family: which learner is better, or inconclusive (no "
        "significant difference found).",
    ),
    ("plan", "The script with every name resolved and every default written out; what lint reads and run carries out."),
    ("seed", "The number all random choices derive from; the same seed gives the same bytes."),
    ("alpha", "The level: the share of true nulls a test may reject. 0.05 unless the script says otherwise."),
    ("tune on", "`tune on 20%`: that part of each training part chooses among the candidates of a grid."),
    ("tune using", "`tune using 5cv`: an inner cross-validation of each training part chooses among the candidates."),
    ("calibrate on", "`calibrate on 20%`: that part of each training part turns scores into probabilities."),
    ("holdout", "`holdout 1/3`: that share of the rows is kept for testing, once."),
    ("expecting", '`expecting A better because "…"` makes a test one-sided and names the winner beforehand.'),
    ("control", "`control A`: A is compared with each of the others, and the others not among themselves."),
    ("because", "The author's reason; it is printed in the report."),
    (
        "simulate",
        "`simulate type-I of TESTS` or `simulate power of COMPARISON`: draws what two learners of known error rates "
        "would say, many times, and counts how often a test calls them different. Nothing is trained.",
    ),
    (
        "type-I",
        "`simulate type-I of mcnemar`: how often a test calls two learners different that have the same error rate. A "
        "test that keeps its level does so in no more than alpha of the trials.",
    ),
    (
        "simulate power",
        "`simulate power of COMPARISON`: how often the comparison as designed would find a difference that is there.",
    ),
    (
        "shared",
        "`shared 2%` in a simulation: every training set moves the error rates of each learner by a normal term with "
        "that standard deviation; the terms of two training sets correlate by the share of rows that both have. 0 by "
        "default.",
    ),
    (
        "disagreement",
        "`disagreement 10%` in a simulation of power: the share of rows that exactly one of the two learners gets "
        "wrong.",
    ),
    (
        "spread",
        "`spread 7%` in a simulation of power over datasets: the standard deviation of the true differences over them.",
    ),
    ("difference", "`difference 1%, 5%` in a simulation of power: how much more often the second learner errs."),
    (
        "trials",
        "`trials 1000` in a simulation: how often everything is drawn anew; the interval of a rate comes from it.",
    ),
    (
        "from",
        "Where data or scores are read: a reader (`csv`, `parquet`, `sql`, `openml`, `synthetic`, …) and a place.",
    ),
    (
        "described as",
        '`dataset D described as 5000 rows, 2 classes`, `learner L described as "ResNet-18"`: what was run '
        "elsewhere and is judged by its design.",
    ),
    ("rarest", "`rarest 2%`: the share of the rarest class of a described dataset."),
    ("randomised", "A described learner whose result depends on a random seed."),
    ("gives scores", "A described learner that gives a score for every row, not a label alone."),
    ("tuned with", "`tuned with 50 tries`: a described learner whose settings were chosen among so many."),
    ("tuned by hand", "A described learner whose settings somebody chose after looking; nobody counted how often."),
    ("tuned for", "`tuned for 2 hours`: the time that choosing the settings of a described learner took."),
    ("pretrained on", '`pretrained on "ImageNet"`: other data that a described learner has seen before.'),
    (
        "stopped early on",
        "`stopped early on 10%`, `stopped early on test`: the rows that said when the training of a described "
        "learner ended.",
    ),
    ("made using", "`made using 20x5cv`: the scheme by which the scores of a table came about."),
    ("trained", "`trained 20 times`: every score of a table stands for so many seeds on the same training part."),
    (
        "tuned on",
        '`tuned on 20%` of results: the part that chose the settings elsewhere. `tuned on csv "valid.csv"` of a '
        "dataset: rows set apart for tuning.",
    ),
    (
        "copied from",
        '`copied from "Chen 2016, table 3" for xgb`: scores that were not run here, and where they were printed.',
    ),
    ("folds in", '`folds in "split"`: the column of a table that says the fold.'),
    (
        "seeds in",
        '`seeds in "run"`: the column of a table that says the seed of a training; seeds are averaged, never '
        "counted as folds.",
    ),
    ("repeats in", '`repeats in "Run"`: the column of a table that says the repetition, each with folds of its own.'),
    (
        "series in",
        '`series in "shop"`: the column that tells apart the series of one table in time. They are cut at the same '
        "time stamps, and a gap or a window counts time stamps.",
    ),
    ("items in", '`items in "question"`: the column of a table that says the item.'),
    ("item", "One question or task that every model answers; the unit of an evaluation of answers."),
    ("epoch", "One of several samples of the same model on the same item."),
    (
        "epochs",
        "`accuracy(epochs = majority)`: how the samples of one item become one score; `mean` unless it is said.",
    ),
    ("pass", "`pass(k = 5)`: the chance that at least one of five samples of an item is right."),
    ("better", "`bleu(better = higher)`: whether more of a metric of one's own is better."),
    ("where", '`where "age" > 18 and "sex" is "f"`: only rows that meet every condition are read.'),
    ("drop repeated rows", "Of rows that are equal in every column the first is kept."),
    ("join classes", '`join classes "a", "b" as "ab"`: several classes become one. May be repeated.'),
    ("without preparation", "The learner gets the columns as they are: no gaps filled, no categories coded."),
    (
        "drop",
        '`drop "id"` of a dataset leaves columns out; the step `drop(columns = ["age"])` does so for one learner.',
    ),
    ("threshold", "`threshold 0.3`: a row is called positive from that score on."),
    (
        "threshold on",
        "`threshold on tuning for f-score`, `threshold on 20%`: the score from which on a row is called positive is "
        "chosen there by that metric, inside each training part, for every learner that gives scores.",
    ),
    (
        "stop early on",
        "`stop early on 10%`: that part of each training part says when training ends, after 10 rounds without a "
        "better score there. Learners that do not stop early are left alone.",
    ),
    (
        "until settled",
        "`until settled within 5 looks`: the comparison is looked at on its way and ends when the partitions "
        "to come could not turn its verdict.",
    ),
    ("look", "One reading of a result on which the author may act. Every look costs some of the level."),
    (
        "guarded holdout",
        "`guarded holdout 1/3 within 100 looks`: a test part that may be asked so often without becoming training"
        " data.",
    ),
    ("gap", "`forward 8 splits, gap 7 rows`: rows left out between training and test rows."),
    ("primary", "`primary roc-area`: the metric that decides; the others describe."),
    ("everything so far", "`holm over everything so far`: the family is every test the project has made until now."),
)


def find_word(word: str) -> str | None:
    """Return what a word of the language means, or None."""
    return dict(GLOSSARY).get(word)
