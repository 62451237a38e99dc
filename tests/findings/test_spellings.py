"""Spellings that people bring along: each is accepted, repaired by --fix, or answered with what to write."""

from __future__ import annotations

from collections import Counter

import pytest
from click.testing import CliRunner

from evalang.cli.scripts import explain_command as explain
from evalang.findings.engine import lint
from evalang.findings.fix import repair
from evalang.language.text import Finding, SourceText
from evalang.plans.build import build

from .scripts import PATH, linted


def spelling(script: SourceText) -> tuple[Finding, ...]:
    """What the reader and the rules of the script find."""
    return lint(build(script), select=("EV0",)).findings


DATA = 'dataset d from csv "d.csv", target "y", positive "a" because "r"\n'
NUMBERS = 'dataset n from csv "n.csv", target "y", as regression because "r"\n'
MANY = 'dataset many described as 5000 rows, 10 classes, because "r"\n'
SENTENCE = f"{DATA}compare naive-bayes vs decision-tree on d using 10x2cv, seed 1"
UNREADABLE = {"EV001", "EV002", "EV003", "EV005", "EV006", "EV007"}


def _in(word: str, instead: str) -> str:
    assert word in SENTENCE
    return SENTENCE.replace(word, instead)


ESTIMATORS = """rf logreg xgb lgbm mlp svc lda qda adaboost gradient-boosting HistGradientBoostingClassifier
RandomForestClassifier XGBClassifier extra_trees my_model.MyModel"""
METRICS = "AUROC roc_auc neg_log_loss f1_macro F1 balanced_accuracy_score matthews_corrcoef"
ACCEPTED = (
    f"{SENTENCE}, measuring auc",
    *(f"{SENTENCE}, measuring {name}" for name in ("mcc", "kappa", "specificity", "cost(fp = 1, fn = 5)")),
    _in("d using", "n using").replace(DATA, NUMBERS).replace("naive-bayes", "ridge") + ", measuring mape",
    _in("on d", "on many").replace(DATA, MANY) + ", measuring top-k(k = 5)",
    f"{SENTENCE}, measuring mine(better = higher)",
    _in("decision-tree", "random-forest(n_estimators = 30)"),
    _in("decision-tree", "xgboost.XGBClassifier"),
    *(_in("decision-tree", name) for name in ESTIMATORS.split()),
    _in("decision-tree", "t") + "\nlearner t is StandardScaler | KNN",
    *(f"{SENTENCE}, measuring {name}" for name in METRICS.split()),
    _in("on d", "on many").replace(DATA, MANY) + ", measuring top-5",
    _in("d using", "n using").replace(DATA, NUMBERS).replace("naive-bayes", "ridge")
    + ", measuring neg_root_mean_squared_error",
    *(f"{SENTENCE}, by {name}" for name in ("t-test", "paired t-test", "Corrected-T", "nadeau-bengio")),
    f"{SENTENCE}, margin 1 point",
    f"{SENTENCE}, until conclusive within 5 looks",
    f"{SENTENCE}\nclaim naive-bayes equivalent to decision-tree within 2% on d",
)
REPAIRED = {  # the script, and the words that --fix writes
    _in("10x2cv", "10-fold"): "using 10cv",
    _in("10x2cv", "10CV"): "using 10cv",
    _in("10x2cv", "cv10"): "using 10cv",
    _in("10x2cv", "loocv"): "using leave-one-out",
    _in("10x2cv", "5x2 cv"): "using 5x2cv",
    _in("10x2cv", "5×2cv"): "using 5x2cv",
    _in("10x2cv", "10 times 10cv"): "using 10x10cv",
    _in("10x2cv", "80/20"): "using holdout 20%",
    _in("10x2cv", "70/30 split"): "using holdout 30%",
    _in("10x2cv", "10 fold cv"): "using 10cv",
    _in("10x2cv", "5 x 2 cv"): "using 5x2cv",
    _in("10x2cv", "loocv").replace("d using", "d\n  using"): "using leave-one-out",
    _in('"a" because', '"a", groups "g" because').replace("10x2cv", "leave-one-group-out"): "grouped leave-one-out",
    _in("10x2cv, seed 1", "loocv, seed=1, alpha = 0.1"): "using leave-one-out, seed 1, at 0.1",
    f"{SENTENCE}, alpha 0.05": "at 0.05",
    f"{SENTENCE}, alpha = 0.05": "at 0.05",
    f"{SENTENCE}, p < 0.05": "at 0.05",
    _in("seed 1", "seed = 1"): "seed 1",
    _in("seed 1", "seed=1"): "seed 1",
    _in("seed 1", "by corrected-t, seed = 1"): "by corrected-t, seed 1",
    _in("seed 1", "measuring accuracy, mcc, holm over metrics, seed = 1"): "holm over metrics, seed 1",
    f"{SENTENCE}, measuring accuracy, alpha = 0.05": "measuring accuracy, at 0.05",
    f"{SENTENCE}, by corrected-t, p < 0.05": "by corrected-t, at 0.05",
    _in(" vs ", " vs. "): "naive-bayes vs decision-tree",
    _in(" vs ", " versus "): "naive-bayes vs decision-tree",
    _in(" vs ", " and "): "naive-bayes vs decision-tree",
    _in(", seed", ",, seed"): "10x2cv, seed 1",
    _in("seed 1", "measuring accuracy seed=1"): "accuracy seed 1",
    f"set seed = 1\n{SENTENCE}": "set seed 1\n",
    f"set alpha = 0.05\n{SENTENCE}": "set alpha 0.05\n",
    f"seed = 1\n{SENTENCE}": "set seed 1\n",
    f"alpha 0.05\n{SENTENCE}": "set alpha 0.05\n",
    f"p < 0.05\n{SENTENCE}": "set alpha 0.05\n",
    f"{SENTENCE}, measuring top-k(3)": "measuring top-k(k = 3)",
    _in(" vs ", ",, "): "naive-bayes vs decision-tree",
    _in(" vs ", ", "): "naive-bayes vs decision-tree",
    _in("decision-tree", "tree"): "vs decision-tree",
    _in("10x2cv", "leave one out"): "using leave-one-out",
    _in("10x2cv", "80%/20%"): "using holdout 20%",
    _in("10x2cv", "20% holdout"): "using holdout 20%",
    f"{SENTENCE}, α = 0.05": "at 0.05",
    f"{SENTENCE}, alpha=5%": "at 5%",
    f"{SENTENCE}, fdr over datasets": "bh over datasets",
    f"{SENTENCE}, Benjamini-Hochberg over datasets": "bh over datasets",
    f"{SENTENCE}, Holm over datasets": "holm over datasets",
    _in("naive-bayes", "naive bayes"): "compare naive-bayes vs",
    _in("decision-tree", "Random Forest"): "vs random-forest on",
    _in(" vs ", " VS "): "naive-bayes vs decision-tree",
    f"{SENTENCE}, measuring balanced accuracy": "measuring balanced-accuracy",
    f"{SENTENCE}, by wilcoxon signed-rank": "by wilcoxon",
    _in("decision-tree", "tree") + "\nclaim tree better than naive-bayes on d": "claim decision-tree better",
}
ANSWERED = {  # the script, and what has to stand in the help
    _in("decision-tree", "adabost"): 'did you mean "adaboost"?',
    _in("decision-tree", "nn"): "write neural-net, or nearest-neighbor",
    _in("decision-tree", "rotboost"): "add `learner rotboost is …`",  # not catboost, which only ends alike
    f"{SENTENCE}, measuring jaccard": "write f-score",
    f"{SENTENCE}, by mann-whitney": "write wilcoxon, for paired scores",
    _in("10x2cv", "nested"): "using 10x2cv, tune using 5cv",
    f"{SENTENCE}, fdr": "bh over",
    f"{SENTENCE}, one-sided": "expecting",
    f"{SENTENCE}, bonferroni": "bonferroni over datasets",
    f"{SENTENCE}, corrected by holm": "holm over datasets",
    f"{SENTENCE}, two-sided": "leave it out",
    f"{SENTENCE}, measuring accuracy, fdr": "bh over",
    f"{SENTENCE}, measuring accuracy, one-sided": "expecting",
    f"{SENTENCE}, by corrected-t, fdr": "bh over",
    f"{SENTENCE}, by holm": "holm over datasets",
    f"{SENTENCE} with corrected-t": "a test follows `by`",
    _in("10x2cv", "60/20/20"): "using holdout 20%, tune on 25% (of what is not tested)",
    _in("10x2cv", "70/10/20"): "using holdout 20%, tune on 12.5%",
    f"{SENTENCE}, measuring cost(3)": "write cost(NAME = 3)",
    f"{DATA}learner t is decision-tree, tune max_depth in [1, 10]\n": "{1, 10} for the two, 1..10 for all between",
    _in('because "r"', 'because "r'): "double quotes on one line",
    _in('csv "d.csv"', 'csv "d.csv'): "double quotes on one line",
}


def _unreadable(text: str) -> list[str]:
    return [f.help for f in linted(text).findings if f.code in UNREADABLE]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    assert _unreadable(text) == []


@pytest.mark.parametrize(("text", "written"), REPAIRED.items())
def test_repaired(text: str, written: str) -> None:
    assert _unreadable(text)
    fixed = repair(SourceText(PATH, text), spelling)
    assert written in fixed
    assert _unreadable(fixed) == []
    assert repair(SourceText(PATH, fixed), spelling) == fixed


@pytest.mark.parametrize("text", REPAIRED)
def test_it_is_judged_as_what_it_means(text: str) -> None:
    """Whoever wrote `loocv` hears of the design what whoever wrote `leave-one-out` hears, and nothing less."""
    written, repaired = (linted(one) for one in (text, repair(SourceText(PATH, text), spelling)))
    assert written.unjudged == ()
    found = Counter(f.code for f in written.findings if f.code not in UNREADABLE)
    assert found == Counter(f.code for f in repaired.findings)


@pytest.mark.parametrize(("text", "words"), ANSWERED.items())
def test_answered(text: str, words: str) -> None:
    (help,) = _unreadable(text)
    assert words in help


def test_a_common_name_is_judged_as_the_canonical_one() -> None:
    text = _in("on d", "on breast-cancer") + ", measuring F1"
    assert "EV606" in [finding.code for finding in linted(text).findings]  # no positive class


@pytest.mark.parametrize("words", ["60/20/20", "80/30", "[1, 10]"])
def test_what_can_mean_two_things_is_not_rewritten(words: str) -> None:
    text = _in("10x2cv", words)
    assert _unreadable(text)
    assert repair(SourceText(PATH, text), spelling) == text


EXPLAINED = {
    "t-test": "paired-t", "p-value": "level", "paired t-test": "# paired-t", "roc_auc": "# roc-area", "fdr": "# bh",
    "significant": "# alpha", "inconclusive": "equivalent to", "confidence interval": "interval",
    "baseline": "# control", "estimator": "# learner", "data leakage": "EV208", "p-hacking": "# family",
    "peeking": "# look", "judge": "EV117", "pass@k": "pass(k = 5)", "power": "# simulate power",
    "multiple comparisons": "# family", "boosting": "hist-gradient-boosting", "rf": "# random-forest",
    "loocv": "# leave-one-out", "10-fold": "# Kcv", "significance": "# alpha", "nested": "tune using 5cv",
}  # fmt: skip


@pytest.mark.parametrize(("word", "words"), EXPLAINED.items())
def test_explained(word: str, words: str) -> None:
    assert words in CliRunner().invoke(explain, [word], standalone_mode=False).output


def test_the_page_of_spellings_is_current() -> None:
    from .make_forgiving import PAGE, page

    assert PAGE.read_text(encoding="utf-8") == page(), "run: python docs/make_all.py"
