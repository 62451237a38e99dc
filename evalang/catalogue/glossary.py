"""The words of the language with their meanings, and common terms with the word that evalang uses."""

from __future__ import annotations

GLOSSARY: dict[str, str] = {
    "learner": "A learner is a learning algorithm with its preparation steps and its tuning, before it is trained.",
    "dataset": "A dataset is one table with a name and a target column.",
    "suite": "A suite is a group of datasets, with the reason for choosing them.",
    "scheme": "A scheme says how the rows of a dataset are split into training and test rows: `10cv`, `5x2cv`, "
    "`holdout 1/3` and so on. Write it after `using`.",
    "partition": "A partition is one random split of the rows under a scheme. Bradford and Brodley introduced the "
    "word. Reshuffling the rows gives a new partition.",
    "fold": "A fold is one training part and one test part of a random split.",
    "training part": "The training part is the rows that a learner is trained on in one fold.",
    "tuning part": "The tuning part is the rows of the training part that are set aside to choose between candidates, "
    "such as values of `max_depth`.",
    "test part": "The test part is the rows on which a trained learner is tested. Test rows are not used for training "
    "or tuning.",
    "candidate": "A candidate is one combination of values of the tuned parameters.",
    "trial": "A trial (reports call it a fit) is one learner on one fold of one dataset with one seed. If the "
    "learner is tuned, the fit includes its tuning.",
    "metric": "A metric is a function of true and predicted values, such as accuracy, roc-area or rmse. evalang "
    "knows for each built-in metric whether higher values are better.",
    "score": "A score is the value of a metric for one fit.",
    "unit": "The unit of a test is the kind of observation that the test counts: a test row, a fold, a dataset or"
    " an item.",
    "comparison": "A comparison has two or more learners, data, a scheme, a metric and a test. The statement `compare` "
    "defines a comparison.",
    "family": "A family is the set of tests that are corrected together. evalang counts the tests of a script for you.",
    "correction": "A correction adjusts p-values for the number of tests in a family: `bonferroni`, `holm`, `bh` and "
    "others.",
    "claim": "A claim is a statement that you want to make in a paper, in a form that evalang can check.",
    "rope": "A ROPE (region of practical equivalence) is the range of differences within the equivalence "
    "margin. Differences smaller than the margin do not matter in practice. You can write `margin 1 point` or "
    "`rope 1 point`.",
    "finding": "A finding is a problem that `evalang lint` reports in your design, with its position and what to "
    "write instead.",
    "allow": '`allow EV401 because "…"` keeps a finding on purpose. Your reason is printed in the report.',
    "verdict": "A verdict is the result of a test after correction: which learner is better, or inconclusive (no "
    "significant difference found).",
    "plan": "A plan is the script with all names resolved and all defaults written out. `lint` checks the plan "
    "and `run` carries it out.",
    "seed": "All random choices are derived from the seed. The same seed gives the same results with the same "
    "software versions.",
    "alpha": "Alpha is the significance level: the accepted probability of a significant result when the learners "
    "do not differ. The default level is 0.05.",
    "tune on": "`tune on 20%` sets aside 20% of each training part and uses it to choose the best candidate of a grid.",
    "tune using": "`tune using 5cv` chooses the best candidate of a grid by a cross-validation inside each training "
    "part.",
    "calibrate on": "`calibrate on 20%` sets aside 20% of each training part to turn scores into probabilities.",
    "holdout": "`holdout 1/3` keeps one third of the rows for testing. Under a holdout each learner is trained once "
    "on the other rows.",
    "expecting": '`expecting A better because "…"` names the winner in advance and makes the test one-sided.',
    "control": "`control A` compares A with each of the other learners. With a control, the other learners are not "
    "compared with each other.",
    "because": '`because "…"` gives the reason for a choice, in your own words. The report prints the reason.',
    "simulate": "`simulate type-I of TESTS` and `simulate power of COMPARISON` draw the results of two "
    "simulated learners with known error rates many times, and count how often a test finds a difference. "
    "Nothing is trained.",
    "type-I": "`simulate type-I of mcnemar` measures how often a test finds a difference between two learners with "
    "the same error rate. A valid test finds a difference in at most a share alpha of the simulations.",
    "simulate power": "`simulate power of COMPARISON` measures how often the planned comparison would find a "
    "difference that exists.",
    "shared": "`shared 2%` in a simulation adds a normally distributed term with a standard deviation of 2% to the "
    "error rate of each learner on each training set. The terms that are added for two training sets are correlated, "
    "and their correlation is the share of rows that the two sets have in common. The default of `shared` is 0.",
    "disagreement": "`disagreement 10%` in a simulation of power is the share of rows that exactly one of "
    "the two learners gets wrong.",
    "spread": "`spread 7%` in a simulation of power is the standard deviation of the true differences "
    "between datasets.",
    "difference": "`difference 1%, 5%` in a simulation of power sets how much higher the error rate of the "
    "second learner is.",
    "trials": "`trials 1000` sets the number of repetitions of a simulation. With more repetitions the intervals of "
    "the measured rates become narrower.",
    "from": "`from` names the source of data or scores: a reader (`csv`, `parquet`, `sql`, `openml`, `synthetic`,"
    " …) and a place such as a file name.",
    "described as": '`dataset D described as 5000 rows, 2 classes` or `learner L described as "ResNet-18"` declares '
    "data or a learner of an experiment that was run elsewhere. evalang checks the design of this experiment without "
    "running it.",
    "rarest": "`rarest 2%` is the share of the rarest class of a dataset declared with `described as`.",
    "oversampled before splitting": "`oversampled before splitting` marks a dataset declared with `described as` whose "
    "rows were copied or generated before the split. With such data, copies of test rows can be in the training set.",
    "horizon": "`horizon 7 days` says how long after a row's time stamp its target becomes known. The gap between "
    "training and test rows (`gap`) must be at least as long as the horizon.",
    "randomised": "`randomised` marks a learner declared with `described as` whose result depends on a random seed.",
    "gives scores": "`gives scores` marks a learner declared with `described as` that gives a score for every row, not "
    "only a class.",
    "tuned with": "`tuned with 50 tries` is the number of settings that were tried for a learner declared with "
    "`described as`.",
    "tuned by hand": "`tuned by hand` marks a learner declared with `described as` whose settings were chosen by hand, "
    "after an unknown number of tries.",
    "tuned for": "`tuned for 2 hours` is the time that was spent on tuning a learner declared with `described as`.",
    "pretrained on": '`pretrained on "ImageNet"` names the data on which a learner declared with `described as` was '
    "trained before.",
    "stopped early on": "`stopped early on 10%` or `stopped early on test` names the rows that decided when to stop "
    "the training of a learner declared with `described as`.",
    "made using": "`made using 20x5cv` names the scheme that produced the scores of a table.",
    "trained": "`trained 20 times` means that every score of a table is the mean of 20 trainings with "
    "different seeds on the same training rows.",
    "tuned on": "`tuned on 20%` after `results` is the part of the training rows that was used for tuning "
    'elsewhere. `tuned on csv "valid.csv"` after `dataset` names a file with rows for tuning.',
    "copied from": '`copied from "Chen 2016, table 3" for xgb` marks scores that you copied from a '
    "publication instead of running the learner.",
    "folds in": '`folds in "split"` names the column of a table that contains the fold.',
    "seeds in": '`seeds in "run"` names the column of a table that contains the training seed. Seeds are '
    "averaged and never counted as folds.",
    "repeats in": '`repeats in "Run"` names the column of a table that contains the repeat. Each repeat has '
    "its own folds.",
    "series in": '`series in "shop"` names the column that identifies the time series, if a table has '
    "several. All time series are split at the same time stamps, and gaps and windows count time stamps.",
    "items in": '`items in "question"` names the column of a table that contains the item.',
    "item": "An item is one question or task that every model answers. Tests on LLM evaluations count items.",
    "epoch": "An epoch is one of several answers (samples) of the same model to the same item.",
    "epochs": "`accuracy(epochs = majority)` says how the samples of an item are combined into one score. By "
    "default the score of an item is the mean of its samples.",
    "pass": "`pass(k = 5)` is the probability that at least one of five samples of an item is right (pass@5).",
    "better": "`bleu(better = higher)` says whether higher or lower values of your own metric are better.",
    "where": '`where "age" > 18 and "sex" is "f"` keeps only the rows that meet all conditions.',
    "drop repeated rows": "`drop repeated rows` keeps only the first of several rows that are equal in every column.",
    "join classes": '`join classes "a", "b" as "ab"` merges several classes into one. `join classes` may be repeated.',
    "without preparation": "With `without preparation` the learner gets the columns unchanged: missing values are"
    " not filled in and categories are not encoded.",
    "drop": '`drop "id"` in a dataset removes columns for all learners. The step `drop(columns = ["age"])` removes '
    "columns for one learner.",
    "threshold": "`threshold 0.3` classifies a row as positive if its score is at least 0.3.",
    "threshold on": "`threshold on tuning for f-score` or `threshold on 20%` chooses the classification "
    "threshold by the named or default metric on rows inside each training part, for every learner that gives scores.",
    "stop early on": "`stop early on 10%` sets aside 10% of each training part. Training stops after 10 "
    "rounds without a better score on these rows. Learners without early stopping are trained as usual.",
    "until settled": "`until conclusive within 5 looks` (or `until settled`) checks the result at up to 5 interim "
    "analyses (looks). The run stops when the remaining random splits are unlikely to change the verdict.",
    "look": "A look is one use of the test rows whose result you see (peeking). Every further use of the same "
    "test rows makes a false positive more likely.",
    "guarded holdout": "`guarded holdout 1/3 within 100 looks` keeps a test part that can be used up to 100 times. "
    "evalang adds noise to the answers, so that you cannot overfit the test rows.",
    "gap": "`forward 8 splits, gap 7 rows` leaves out 7 rows between training and test rows.",
    "primary": "`primary roc-area` names the metric that the verdict is based on. Metrics that are not primary are "
    "reported without a test.",
    "everything so far": "`holm over everything so far` corrects for all tests that the project has made so "
    "far, as counted in its ledger.",
}


def find_word(word: str) -> str | None:
    """Return what a word of the language means, or None."""
    return GLOSSARY.get(word)


# Common terms: what they mean here, and the word whose card follows; "" where the card says it all.
TERMS: dict[str, tuple[str, str]] = {
    "significant": (
        "the adjusted p-value is at most the level. The verdict of a significant test names the better learner.",
        "alpha",
    ),
    "inconclusive": (
        "no significant difference was found, which does not show that the learners are equal. To show that two "
        "learners are equivalent, claim `A equivalent to B within 1 point`.",
        "margin",
    ),
    "confidence-interval": (
        "the report gives one for every difference. With several tests the intervals are simultaneous: all of them "
        "contain their true differences with the stated probability.",
        "",
    ),
    "effect-size": ("the difference in the unit of the metric, with its interval.", "margin"),
    "baseline": (
        "a simple learner that every other learner should beat: `majority` for classes, `mean` for numbers. `control "
        "NAME` compares the learner NAME with each of the other learners.",
        "control",
    ),
    "estimator": ("evalang calls an estimator a learner.", "learner"),
    "model": (
        "evalang uses the word learner for an algorithm, and the word model in evaluations of language models.",
        "learner",
    ),
    "classifier": ("evalang calls a classifier a learner. `this classifier` means one trained model.", "learner"),
    "hyperparameter": (
        "write `tune max_depth in {2, 4, 8}` after the learner, and `tune on 20%` in the comparison.",
        "tune on",
    ),
    "data-leakage": (
        "information from the test rows gets into training. evalang fits preparation steps on training rows only. "
        "Rule EV208 finds tuning on test rows, and rule EV105 finds rows that are in both the training and the test "
        "set.",
        "test part",
    ),
    "p-hacking": (
        "trying tests, metrics or subgroups until a result is significant. evalang counts and corrects all tests of "
        "a script (the family), and its ledger counts the tests of earlier runs.",
        "family",
    ),
    "peeking": (
        "looking at test results before the planned end, and then continuing. evalang counts each use of the test "
        "rows.",
        "look",
    ),
    "early-stopping": (
        "`stop early on 10%` stops the training of a learner early. `until conclusive within 5 looks` stops a whole "
        "run early.",
        "stop early on",
    ),
    "judge": (
        "a model that grades answers. You need to know how often a judge agrees with people (rule EV117).",
        "item",
    ),
    "pass@k": ("write `measuring pass(k = 5)` for pass@5.", "pass"),
    "power": (
        "the probability of a significant result if a difference of a given size exists. `evalang plan` prints the "
        "power of the design.",
        "simulate power",
    ),
    "multiple-comparisons": (
        "more tests give more false positives. Tests that are corrected together are a family: `holm over everything`.",
        "family",
    ),
    "boosting": (
        "evalang has boosted-trees, hist-gradient-boosting, adaboost, xgboost, lightgbm and catboost.",
        "hist-gradient-boosting",
    ),
    "t-test": (
        "evalang has three: corrected-t (folds of one dataset), paired-t (scores over datasets) and row-t (losses of "
        "the rows of one test set). `by t-test` selects the test that fits the design, and `evalang plan` shows "
        "which test it is.",
        "",
    ),
    "p-value": (
        "the probability of a difference at least as large as the observed difference, if the learners did not "
        "differ. The p-value is not the probability that the learners are equal, and a large p-value does not show "
        "that they are equal. evalang compares the p-value with the level (`at alpha 0.05`) after a correction for "
        "the number of tests (`evalang explain holm`).",
        "",
    ),
    "nested-cross-validation": (
        "write two clauses: `using 10x2cv, tune using 5cv`. The settings of a learner are chosen by folds inside each "
        "training part, and only the chosen setting is tested on the test rows (`evalang explain tuned-on-test`).",
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
