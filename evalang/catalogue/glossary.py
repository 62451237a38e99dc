"""The words of the language, each with its one meaning."""

from __future__ import annotations

GLOSSARY: dict[str, str] = {
    "learner": "A learning procedure with its preparation steps and its tuning, before anything is fitted.",
    "dataset": "One named table with a target.",
    "suite": "A group of datasets together with the reason for choosing them.",
    "scheme": "How the rows of a dataset are split: 10cv, 5x2cv, holdout 1/3 and so on. Written after `using`.",
    "partition": "A random split: one division of the rows under a scheme. The word is that of Bradford and Brodley; "
    "reshuffling gives another one.",
    "fold": "One training part and one test part of a random split.",
    "training part": "The rows a learner is fitted on in one fold.",
    "tuning part": "The rows, taken from the training part, on which the candidates of a grid are judged.",
    "test part": "The rows on which a fitted learner is judged; they are used for nothing else.",
    "candidate": "One setting of the tuned parameters.",
    "trial": "One fit: one learner trained once on one fold of one dataset with one seed.",
    "metric": "A function of truth and predictions: accuracy, roc-area, rmse. It knows whether higher is better.",
    "score": "The value of a metric for one fit.",
    "unit": "One number that enters a test: a test row, a fold, or a dataset.",
    "comparison": "Two or more learners on data, with a scheme, a metric and a test.",
    "family": "The tests whose error rate is controlled together; the plan counts it, never the writer.",
    "correction": "How the level is shared among the tests of a family: bonferroni, holm, bh and others.",
    "claim": "The sentence an author wants to write, in a form that can be checked.",
    "rope": "The region of practical equivalence: differences smaller than this do not matter in practice.",
    "finding": "What lint reports: a pitfall of this very design, where it stands, and how to repair it.",
    "allow": 'A finding kept on purpose, with the author\'s reason: `allow EV401 because "…"`.',
    "verdict": "The decision after the correction of the whole family: which learner is better, or inconclusive (no "
    "significant difference found).",
    "plan": "The script with every name resolved and every default written out; what lint reads and run carries out.",
    "seed": "The number all random choices derive from; the same seed gives the same numbers on the same software.",
    "alpha": "The level: the share of true nulls a test may reject. 0.05 unless the script says otherwise.",
    "tune on": "`tune on 20%`: that part of each training part chooses among the candidates of a grid.",
    "tune using": "`tune using 5cv`: an inner cross-validation of each training part chooses among the candidates.",
    "calibrate on": "`calibrate on 20%`: that part of each training part turns scores into probabilities.",
    "holdout": "`holdout 1/3`: that share of the rows is kept for testing, once.",
    "expecting": '`expecting A better because "…"` makes a test one-sided and names the winner in advance.',
    "control": "`control A`: A is compared with each of the others, and the others not among themselves.",
    "because": "The author's reason; it is printed in the report.",
    "simulate": "`simulate type-I of TESTS` or `simulate power of COMPARISON`: draws what two learners of known error "
    "rates would say, many times, and counts how often a test calls them different. Nothing is trained.",
    "type-I": "`simulate type-I of mcnemar`: how often a test calls two learners different that have the same error "
    "rate. A test that keeps its level does so in no more than alpha of the repetitions.",
    "simulate power": "`simulate power of COMPARISON`: how often the comparison as designed would find a difference "
    "that is there.",
    "shared": "`shared 2%` in a simulation: every training set moves the error rates of each learner by a normal term "
    "with that standard deviation; the terms of two training sets correlate by the share of rows that both have. 0 "
    "by default.",
    "disagreement": "`disagreement 10%` in a simulation of power: the share of rows that exactly one of the two "
    "learners gets wrong.",
    "spread": "`spread 7%` in a simulation of power over datasets: the standard deviation of the true differences "
    "over them.",
    "difference": "`difference 1%, 5%` in a simulation of power: how much more often the second learner errs.",
    "trials": "`trials 1000` in a simulation: how often everything is drawn again; the interval of a rate comes from "
    "it.",
    "from": "Where data or scores are read: a reader (`csv`, `parquet`, `sql`, `openml`, `synthetic`, …) and a place.",
    "described as": '`dataset D described as 5000 rows, 2 classes`, `learner L described as "ResNet-18"`: what was '
    "run elsewhere and is judged by its design.",
    "rarest": "`rarest 2%`: the share of the rarest class of a described dataset.",
    "oversampled before splitting": "A dataset whose rows were copied or made up before it was split, so that copies "
    "of test rows are trained on.",
    "horizon": "`horizon 7 days`: how much later than its row a target is known; the gap has to be as long.",
    "randomised": "A described learner whose result depends on a random seed.",
    "gives scores": "A described learner that gives a score for every row, not a label alone.",
    "tuned with": "`tuned with 50 tries`: a described learner whose settings were chosen among so many.",
    "tuned by hand": "A described learner whose settings were chosen by hand, after an unknown number of tries.",
    "tuned for": "`tuned for 2 hours`: the time that choosing the settings of a described learner took.",
    "pretrained on": '`pretrained on "ImageNet"`: other data that a described learner has seen before.',
    "stopped early on": "`stopped early on 10%`, `stopped early on test`: the rows that decided when the training of "
    "a described learner ended.",
    "made using": "`made using 20x5cv`: the scheme by which the scores of a table came about.",
    "trained": "`trained 20 times`: every score of a table stands for so many seeds on the same training part.",
    "tuned on": '`tuned on 20%` of results: the part that chose the settings elsewhere. `tuned on csv "valid.csv"` of '
    "a dataset: rows set apart for tuning.",
    "copied from": '`copied from "Chen 2016, table 3" for xgb`: scores that were not run here, and where they were '
    "printed.",
    "folds in": '`folds in "split"`: the column of a table that says the fold.',
    "seeds in": '`seeds in "run"`: the column of a table that says the seed of a training; seeds are averaged, never '
    "counted as folds.",
    "repeats in": '`repeats in "Run"`: the column of a table that says the repetition, each with folds of its own.',
    "series in": '`series in "shop"`: the column that tells apart the series of one table in time. They are cut at '
    "the same time stamps, and a gap or a window counts time stamps.",
    "items in": '`items in "question"`: the column of a table that says the item.',
    "item": "One question or task that every model answers; the unit of an evaluation of answers.",
    "epoch": "One of several samples of the same model on the same item.",
    "epochs": "`accuracy(epochs = majority)`: how the samples of one item become one score; default: `mean`.",
    "pass": "`pass(k = 5)`: the chance that at least one of five samples of an item is right.",
    "better": "`bleu(better = higher)`: whether higher or lower values of your own metric are better.",
    "where": '`where "age" > 18 and "sex" is "f"`: only rows that meet every condition are read.',
    "drop repeated rows": "Of rows that are equal in every column the first is kept.",
    "join classes": '`join classes "a", "b" as "ab"`: several classes become one. May be repeated.',
    "without preparation": "The learner gets the columns as they are: no gaps filled, no categories coded.",
    "drop": '`drop "id"` of a dataset leaves columns out; the step `drop(columns = ["age"])` does so for one learner.',
    "threshold": "`threshold 0.3`: a row is called positive from that score on.",
    "threshold on": "`threshold on tuning for f-score`, `threshold on 20%`: the score from which on a row is called "
    "positive is chosen there by that metric, inside each training part, for every learner that gives scores.",
    "stop early on": "`stop early on 10%`: that part of each training part says when training ends, after 10 rounds "
    "without a better score there. Learners that do not stop early are left alone.",
    "until settled": "`until conclusive within 5 looks` (or `until settled`): interim analyses; the run stops when "
    "the remaining random splits cannot change the verdict.",
    "look": "One use of the test set whose result the author sees (peeking). Each one raises the false-positive rate.",
    "guarded holdout": "`guarded holdout 1/3 within 100 looks`: a test part that may be used so often without "
    "becoming training data.",
    "gap": "`forward 8 splits, gap 7 rows`: rows left out between training and test rows.",
    "primary": "`primary roc-area`: the metric that decides; the others describe.",
    "everything so far": "`holm over everything so far`: the family is every test the project has made until now.",
}


def find_word(word: str) -> str | None:
    """Return what a word of the language means, or None."""
    return GLOSSARY.get(word)


# Common terms: what they mean here, and the word whose card follows; without a meaning the card says it.
TERMS: dict[str, tuple[str, str]] = {
    "significant": ("the adjusted p-value is at most the level. The verdict then names the better learner.", "alpha"),
    "inconclusive": (
        "no significant difference was found, which does not show that the learners are equal. For that, claim "
        "`A equivalent to B within 1 point`.",
        "margin",
    ),
    "confidence-interval": (
        "every difference has one, with the level of the test; for several tests they hold together.",
        "",
    ),
    "effect-size": ("the difference in the metric's own unit, with its interval.", "margin"),
    "baseline": (
        "a learner that every other should beat: `majority` for classes, `mean` for numbers. `control NAME` compares "
        "it with each of the others.",
        "control",
    ),
    "estimator": ("evalang says learner.", "learner"),
    "model": ("evalang says learner for an algorithm, and model where answers to items are read.", "learner"),
    "classifier": ("evalang says learner; `this classifier` means the one trained model.", "learner"),
    "hyperparameter": ("`tune max_depth in {2, 4, 8}` of a learner; `tune on 20%` says where it is chosen.", "tune on"),
    "data-leakage": (
        "information from the test rows gets into training. Preparation steps are fitted on training rows only; EV208 "
        "finds tuning on test rows, EV105 rows in both parts.",
        "test part",
    ),
    "p-hacking": (
        "choosing tests, metrics or subgroups until one is significant. The family counts all tests of a script, and "
        "the ledger those of earlier runs.",
        "family",
    ),
    "peeking": ("seeing the test result and going on. evalang counts each use of the test set.", "look"),
    "early-stopping": ("training: `stop early on 10%`; runs: `until conclusive within 5 looks`.", "stop early on"),
    "judge": ("a model that grades answers. Its agreement with people has to be known (EV117).", "item"),
    "pass@k": ("written `measuring pass(k = 5)`.", "pass"),
    "power": (
        "the chance to find a difference that is there. `evalang plan` prints it for the design.",
        "simulate power",
    ),
    "multiple-comparisons": ("tests that are corrected together are a family: `holm over everything`.", "family"),
    "boosting": (
        "boosted-trees and hist-gradient-boosting (scikit-learn), xgboost, lightgbm, catboost, adaboost.",
        "hist-gradient-boosting",
    ),
    "t-test": (
        "three tests may be meant: corrected-t (folds of one dataset), paired-t (scores over datasets) and row-t "
        "(losses of the rows of one test set). `by t-test` takes the one that fits, and the plan says which.",
        "",
    ),
    "p-value": (
        "how often a difference as large as the one seen, or larger, would come out if the learners did not differ. It "
        "is not the chance that they are equal, and a large one does not show that they are. It is compared with the "
        "level (`at alpha 0.05`) after a correction for the number of tests (evalang explain holm).",
        "",
    ),
    "nested-cross-validation": (
        "written as two clauses: `using 10x2cv, tune using 5cv`. The settings of a learner are chosen by folds inside "
        "each training part, and the test rows judge only the one that was chosen (evalang explain tuned-on-test).",
        "",
    ),
    "fdr": ("", "bh"), "loocv": ("", "leave-one-out"), "cross-validation": ("", "cv"), "significance": ("", "alpha"),
    "margin": ("", "rope"), "equivalence": ("", "rope"), "until-conclusive": ("", "until settled"),
}  # fmt: skip
_SAME_TERM = {
    "statistically-significant": "significant", "not-significant": "inconclusive", "not-settled": "inconclusive",
    "ci": "confidence-interval", "leakage": "data-leakage", "leak": "data-leakage", "optional-stopping": "peeking",
    "llm-judge": "judge", "llm-as-a-judge": "judge", "pass-at-k": "pass@k", "multiple-testing": "multiple-comparisons",
    "multiplicity": "multiple-comparisons", "ttest": "t-test", "p": "p-value",
    "pvalue": "p-value", "nested": "nested-cross-validation", "nested-cv": "nested-cross-validation", "loo": "loocv",
    "false-discovery-rate": "fdr", "significance-level": "significance", "10-fold": "cross-validation",
    "10cv": "cross-validation", "k-fold": "cross-validation", "equivalence-margin": "margin",
    "tuning": "hyperparameter",
    "hyperparameters": "hyperparameter", "statistical-power": "power", "sample-size": "power", "algorithm": "estimator",
}  # fmt: skip


def find_term(term: str) -> tuple[str, str] | None:
    """Return what a common term means and the word of evalang for it, or None.

    >>> find_term("peeking")[1], find_term("Confidence Interval") is None
    ('look', False)
    """
    plain = term.lower().replace("_", "-").replace(" ", "-")
    found = TERMS.get(_SAME_TERM.get(plain, plain))
    return found and (found[0], "rope" if found[1] == "margin" else found[1])
