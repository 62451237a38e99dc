"""EV6: metrics and probabilities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from ...catalogue.metrics import MetricEntry, needs_positive
from ...language.text import Edit, Finding, Fix, Span, Subject, counted, listed_columns, listed_names, one
from ...plans.comparison import selection_metrics
from ...plans.model import Learner, Metric, Part, Step
from ..case import Case, Place, Traits
from ..facts import Facts, NotApplicable, each_case, each_comparison
from ..reach import count_calibration_rows, count_rows
from ..rule import add_clause, advise_for_learner, find_dataset, find_word, rule
from ..wording import sampled_candidates

ISOTONIC_ROWS = 1000  # ours: below it isotonic regression follows the noise (after Niculescu-Mizil & Caruana 2005)
CALIBRATION_SHARE = 20  # percent, offered in repairs; C 3 sets part of the training rows aside
CAL_ROWS = 100  # C 2.2: cal slides over cases 1-100, 2-101 and so on
_WEIGHING = ("pca", "polynomial", "impute-neighbours", "sklearn.decomposition.PCA")
# Your own metrics, by the last word of their name; a unit or "rate" may follow it.
_LOWER_WORDS = frozenset({
    "perplexity", "ppl", "loss", "losses", "nll", "wer", "cer", "ter", "latency", "cost", "costs", "price", "error",
    "errors", "mae", "mse", "rmse", "mape", "smape", "time", "runtime", "duration", "delay", "bpb", "bpc", "brier",
    "ece", "eer", "fid", "fpr", "fnr", "regret", "hallucination", "hallucinations", "toxicity", "violation",
    "violations",
})  # fmt: skip
_HIGHER_WORDS = frozenset({
    "accuracy", "bleu", "rouge", "chrf", "meteor", "f1", "em", "precision", "recall", "reward", "rewards", "auc",
    "auroc", "win", "wins", "success", "likelihood",
})  # fmt: skip
_UNIT_WORDS = frozenset({
    "rate", "rates", "ms", "s", "sec", "secs", "second", "seconds", "min", "minutes", "h", "hours", "usd", "dollars",
    "eur", "mean", "avg", "total",
})  # fmt: skip
# A name that turns the meaning round: neg_perplexity, cost-savings, survival time.
_REVERSED = re.compile(r"neg|minus|inverse|reduc|sav(?:ed|ing)|improve|surviv|lifetime|recover|avoid|gain|detect", re.I)
_ONE_SIDED = {
    "recall": ("calls every row positive", "f-score"),
    "specificity": ("calls no row positive", "balanced-accuracy"),
    "precision": ("calls only the surest row positive", "f-score"),
}
_WARPED = {
    "margins": "scaled distances to a decision boundary",
    "sigmoid": "values that are too far from 0 and 1",
    "extreme": "values that are too close to 0 and 1",
}


@rule("EV601", "uncalibrated", "warning", needs=("metric", "learner"), each=each_case)
def uncalibrated(facts: Facts, case: Case) -> Iterator[Finding]:
    """A metric scores probabilities, but the learner does not estimate them well.

    ## What it finds
    The rule finds a metric of probabilities (brier, root-brier, cross-entropy, cal) for a learner without `calibrate`
    whose output is far from true probabilities. Such learners are svm, AdaBoost and estimators that give only distances
    to the decision boundary. For naive-bayes the finding is a note. The rule ignores boosting on the log-loss, which
    estimates probabilities.

    ## Why it matters
    An svm gives distances to the decision boundary (Caruana and Niculescu-Mizil 2005, section 2.4). AdaBoost gives
    scores that are too far from 0 and 1 (Niculescu-Mizil and Caruana 2005). In Table 2 of Caruana and Niculescu-Mizil,
    boosted trees have a normalised cross-entropy score of .598 without calibration. With Platt's method their score is
    .932, the best of all learners.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare adaboosted-trees vs random-forest on tumours using 5x2cv, measuring brier, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner boosted is adaboosted-trees, calibrate platt
    compare boosted vs random-forest on tumours using 5x2cv, measuring brier, calibrate on 20%, seed 20
    ```

    ## When it is fine
    There is no problem if you want to compare the uncalibrated probabilities.

    ## References
    Caruana and Niculescu-Mizil 2005, sections 1 and 2.4, Table 2; Niculescu-Mizil and Caruana 2005.
    """
    asked = [metric.name for metric in case.metrics if metric.needs == "probabilities"]
    if not asked:
        return
    for traits in case.learners:
        if not traits.distorts or traits.learner.calibrate != "none":
            continue
        extreme = traits.distorts == "extreme"
        yield uncalibrated.finding(
            f"{one(asked, 'metric', 'metrics')} {listed_names(asked)} {one(asked, 'scores', 'score')} probabilities, "
            f"but learner `{traits.name}` gives {_WARPED[traits.distorts]}",
            advise_for_learner(traits, "calibrate platt")
            + (f" and add `calibrate on {_share(case)}` to the comparison" * (case.comparison.calibration is None)),
            at=case.at(case.learner_span(traits.name)),
            level="note" if extreme else "warning",
            fix=_calibrated(facts, case, traits),
        )


def _calibrated(facts: Facts, case: Case, traits: Traits) -> Fix | None:
    """Return the repair that calibrates a defined learner; it takes training rows, so it is not safe."""
    if traits.learner.implicit or not traits.learner.span.path:
        return None
    own = add_clause(facts, traits.learner.span, "calibrate platt")
    there = add_clause(facts, case.comparison.span, f"calibrate on {_share(case)}")
    if own is None or there is None:
        return None
    edits = own.edits if case.comparison.calibration is not None else own.edits + there.edits
    return Fix(title="calibrate", edits=edits, safe=False)


def _tuning_part(case: Case) -> Part | None:
    tuning = case.comparison.tuning
    return tuning.value.part if tuning is not None and tuning.value.where == "part" else None


def _share(case: Case) -> str:
    """Return a share of the training set for calibration, no more than half of what tuning leaves."""
    part = _tuning_part(case)
    left = 1.0 - (part.fraction or 0.0) if part is not None else 1.0
    return f"{max(1, min(CALIBRATION_SHARE, int(50 * left + 1e-9)))}%"


@rule("EV602", "calibrated-on-training", "error", needs=("learner", "calibrate"), each=each_case)
def calibrated_on_training(facts: Facts, case: Case) -> Iterator[Finding]:
    """Calibration is fitted on the training rows.

    ## What it finds
    The rule finds a learner with `calibrate` in a comparison or estimate without `calibrate on`. The rows of `tune on`
    are used for calibration only with `calibrate on tuning`.

    ## Why it matters
    A learner is overconfident on its own training rows. A calibration that is fitted on these rows learns that the
    learner is nearly always right.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner boosted is boosted-trees, calibrate platt
    compare boosted vs random-forest on tumours using 5x2cv, measuring brier, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner boosted is boosted-trees, calibrate platt
    compare boosted vs random-forest on tumours using 5x2cv, measuring brier, calibrate on 20%, seed 20
    ```

    ## When it is fine
    Never.

    ## References
    Caruana and Niculescu-Mizil 2005, sections 2.4 and 3.
    """
    if case.comparison.calibration is not None or case.has_clause("calibrate"):
        return
    names = [traits.name for traits in case.learners if traits.learner.calibrate != "none"]
    if names:
        yield calibrated_on_training.finding(
            f"{one(names, 'learner', 'learners')} {listed_names(names)} {one(names, 'is', 'are')} calibrated, but no "
            "rows are set aside for the calibration. A learner is overconfident on its own training rows",
            f"add `calibrate on {_share(case)}` (of each training set)"
            + (", or `calibrate on tuning`" if _tuning_part(case) is not None else ""),
            at=case.at(case.learner_span(names[0])),
            fix=add_clause(facts, case.comparison.span, f"calibrate on {_share(case)}"),
        )


@rule("EV603", "isotonic-small", "warning", stage="data", needs=("scheme", "learner", "dataset"))
def isotonic_small(facts: Facts) -> Iterator[Finding]:
    """Isotonic calibration has too few rows.

    ## What it finds
    The rule finds `calibrate isotonic` with fewer than 1,000 rows set aside for calibration. The bound is our own
    choice.

    ## Why it matters
    Isotonic regression can fit any increasing function, so it fits the noise of small samples. Platt's method has two
    parameters and needs few rows (Niculescu-Mizil and Caruana 2005).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner boosted is boosted-trees, calibrate isotonic
    compare boosted vs random-forest on tumours using 5x2cv, measuring brier, calibrate on 20%, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner boosted is boosted-trees, calibrate platt
    compare boosted vs random-forest on tumours using 5x2cv, measuring brier, calibrate on 20%, seed 20
    ```

    ## When it is fine
    There is no problem if a reliability diagram shows that the relation is not a sigmoid.

    ## References
    Niculescu-Mizil and Caruana 2005. The bound is our own choice.
    """
    asked = [(case, t) for case in facts.cases for t in case.learners if t.learner.calibrate == "isotonic"]
    if not asked:
        raise NotApplicable("no learner is calibrated by isotonic regression")
    for case, traits in asked:
        for name in case.comparison.datasets:
            rows = count_rows(facts, name)
            set_aside = count_calibration_rows(case, rows) if rows is not None else None
            if set_aside is not None and set_aside < ISOTONIC_ROWS:
                yield isotonic_small.finding(
                    f"learner `{traits.name}` is calibrated on only {counted(int(set_aside), 'row')} of dataset "
                    f"`{name}`. Isotonic calibration overfits below about {ISOTONIC_ROWS:,} rows",
                    f"write `calibrate platt` in learner `{traits.name}`",
                    at=Place(find_word(facts, traits.learner.span, "isotonic"), Subject(learners=(traits.name,))),
                )
                break


@rule("EV604", "one-metric", "note", strict="warning", needs=("metric", "dataset"), each=each_comparison)
def one_metric(facts: Facts, case: Case) -> Iterator[Finding]:
    """The script names no metric, or only a metric that a trivial learner can win.

    ## What it finds
    The rule finds a comparison without `measuring`, which uses the default metric. The rule also warns about recall,
    precision or specificity of one class as the only metric, or as the metric that chooses the threshold (`threshold on
    20% for recall`), and about a reason that says that items are ranked against sampled candidates.

    ## Why it matters
    A learner that predicts the positive class for every row has recall 1, so recall alone does not show which learner
    is better. Precision and specificity have the same problem.

    Learners optimise different criteria: SVMs and boosting optimise accuracy, and neural nets usually squared error
    (Caruana and Niculescu-Mizil 2005). The learner that is best in one metric is often not best in a second metric.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, measuring balanced-accuracy, seed 20
    ```

    ## When it is fine
    If the default is the metric that you want, write it with `measuring`. If all learners predict the positive class
    for the same fixed share of rows, write `allow EV604 because "…"`.

    ## References
    Caruana and Niculescu-Mizil 2005, section 1.
    """
    comparison = case.comparison
    if comparison.data == "datasets" and len(case.metrics) == 1 and comparison.metrics_origin == "default":
        name = comparison.metrics[0].name
        yield one_metric.finding(
            f"comparison `{comparison.name}` names no metric, so `{name}` is used. A different metric may rank the "
            "learners differently",
            f"add `measuring {name}`, or the metric of your task",
            at=case.at("using"),
        )
    reasons = [
        comparison.because,
        *(d.because for d in case.datasets),
        case.table.because if case.table is not None else "",
    ]
    sampled = next((words for reason in reasons if (words := sampled_candidates(reason or ""))), "")
    if sampled:
        yield one_metric.finding(
            f'the reason says "{sampled}": ranked against a sample, the learners can have another order than ranked '
            "against all items (Krichene and Rendle 2020)",
            "rank each item against all others",
            at=case.at("measuring", comparison.span),
            level="warning",
        )
    chosen = comparison.threshold.metric if comparison.threshold is not None else None
    if chosen is not None and chosen.name in _ONE_SIDED:
        trivial, partner = _ONE_SIDED[chosen.name]
        yield one_metric.finding(
            f"the threshold is chosen by `{chosen.name}` alone. The threshold that {trivial} then wins",
            f"write `for {partner}` instead of `for {chosen.name}`",
            at=case.at(chosen.span, "threshold"),
            level="warning",
        )
    trivial, partner = _ONE_SIDED.get(comparison.metrics[0].name, ("", "")) if len(case.metrics) == 1 else ("", "")
    if trivial and _of_one_class(case):
        name = comparison.metrics[0].name
        yield one_metric.finding(
            f"`{name}` is the only metric. A learner that {trivial} can win without being better",
            f"write `measuring {partner}`, or `measuring {partner}, {name}, primary {partner}`",
            at=case.at("measuring"),
            level="warning",
        )


def _of_one_class(case: Case) -> bool:
    """Whether the metric is about the positive class of two, and no mean over classes."""
    averaged = dict(case.comparison.metrics[0].options).get("average", "auto") not in ("auto", "binary")
    return not averaged and any(d.positive or d.against_rest or d.classes == 2 for d in case.datasets)


@rule("EV605", "no-scores", "error", stage=("design", "data"), needs=("metric", "learner"), each=each_case)
def no_scores(facts: Facts, case: Case) -> Iterator[Finding]:
    """A metric needs scores, but the learner predicts only classes.

    ## What it finds
    The rule finds a metric of ranks or probabilities (such as roc-area, lift or brier) for a learner that predicts only
    classes, or for a column of predictions that contains classes. The rule warns if a column has only two numbers and
    a column of another learner has more.

    ## Why it matters
    The metric cannot be computed without scores or probabilities.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs stratified-guess on tumours using 5x2cv, measuring roc-area, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs majority on tumours using 5x2cv, measuring roc-area, seed 20
    ```

    ## When it is fine
    Never.

    ## References
    Caruana and Niculescu-Mizil 2005, section 2.2.
    """
    asked = [metric.name for metric in case.metrics if metric.needs in ("scores", "probabilities")]
    if not asked:
        return
    scoreless = [traits.name for traits in case.learners if traits.gives == "labels"]
    if scoreless:
        yield no_scores.finding(
            f"{one(scoreless, 'learner', 'learners')} {listed_names(scoreless)} {one(scoreless, 'predicts', 'predict')}"
            f" only classes, but {one(asked, 'metric', 'metrics')} {listed_names(asked)} "
            f"{one(asked, 'needs', 'need')} scores or probabilities",
            "write `measuring accuracy`, or use a learner that gives scores",
            at=case.at(case.learner_span(scoreless[0])),
        )
    read = facts.tables.get(case.comparison.name)
    labels = [name for name in case.comparison.learners if read is not None and name in read.labelled]
    if labels:
        yield no_scores.finding(
            f"{one(labels, 'column', 'columns')} {listed_columns(labels)} {one(labels, 'holds', 'hold')} classes, but "
            f"{one(asked, 'metric', 'metrics')} {listed_names(asked)} {one(asked, 'needs', 'need')} scores or "
            "probabilities",
            "write `measuring accuracy`, or put the scores of every learner into the file",
            at=case.at("measuring", case.comparison.span),
            stage="data",
        )
    two = [name for name in case.comparison.learners if read is not None and name in read.two_valued]
    if two:
        yield no_scores.finding(
            f"{one(two, 'column', 'columns')} {listed_columns(two)} {one(two, 'has', 'have')} only two values, beside "
            f"scores of other learners: {listed_names(asked)} compares one decision with all thresholds of a score",
            "write the class that each learner decides for into the file, with thresholds fixed in advance, and "
            f"`measuring balanced-accuracy`; or replace the two values by scores of {listed_names(two)}",
            at=case.at("measuring", case.comparison.span),
            level="warning",
            stage="data",
        )


@rule("EV606", "metric-mismatch", "error", stage=("design", "data"), needs=("metric", "dataset"), each=each_case)
def metric_mismatch(facts: Facts, case: Case) -> Iterator[Finding]:
    """The metric does not fit the target.

    ## What it finds
    - The metric or test is for two classes, but the target has three or more classes.
    - The metric is `top-k`, but the target has at most k classes.
    - The metric is for classes, but the target is numeric, or the reverse.
    - The metric is `mape`, but the target is 0 in some rows or changes its sign.
    - The metric needs the positive class, but the script does not declare it.
    - The name of your own metric contradicts its direction, as in `perplexity(better = higher)`. This finding is a
      warning.

    The rule also checks the metrics in `tune on 20% for f-score` and `threshold on 20% for f-score`. If the script does
    not show the kind of target (by `as regression` or bundled data), the rule is checked when the data are opened.

    ## Why it matters
    Most of these metrics cannot be computed. If evalang guessed the positive class, it might score the wrong class. If
    the direction of a metric is wrong, every result is reversed.

    ## Example
    ```eval,bad
    dataset wines from builtin "wine" because "a small dataset with three classes"
    compare decision-tree vs naive-bayes on wines using 5x2cv, measuring lift, seed 20
    ```

    ## Use instead
    ```eval
    dataset wines from builtin "wine" because "a small dataset with three classes"
    compare decision-tree vs naive-bayes on wines using 5x2cv, measuring roc-area, seed 20
    ```

    ## When it is fine
    There is no exception for a metric that does not fit the target. If your metric only has the same name as a known
    metric, write `allow EV606 because "…"`.

    ## References
    Caruana and Niculescu-Mizil 2005, section 2.2.
    """
    for metric in case.comparison.metrics:
        expected = usual_direction(metric.name)
        if metric.better is not None and expected is not None and metric.better != expected:
            yield metric_mismatch.finding(
                f"a {expected} `{metric.name}` is usually better, but the script says `better = {metric.better}`",
                f"write `{metric.name}(better = {expected})`",
                at=case.at(metric.span, "measuring"),
                level="warning",
            )
    if case.comparison.data != "datasets" or not case.metrics:
        return
    for name, dataset in zip(case.comparison.datasets, case.datasets, strict=False):
        profile = facts.profile(name)
        task = profile.task if profile is not None else dataset.task
        classes = (len(profile.classes) or None) if profile is not None else dataset.classes
        positive_known = dataset.positive or (profile is not None and profile.positive is not None)
        if dataset.against_rest:
            classes = 2
        written = case.comparison.metrics_origin == "written"
        at = case.comparison.span_of("measuring") if written else find_dataset(facts, case.comparison, name)
        # numbers have no threshold at all, which EV007 says
        chosen = [
            m for m in selection_metrics(case.comparison) if task != "regression" or not case.comparison.threshold
        ]
        asked = [(m, at) for m in case.comparison.metrics] + [(m, m.span) for m in chosen]
        found = [(_mismatch(metric, task, classes, bool(positive_known)), span) for metric, span in asked]
        for wrong, span in [*found, (_of_two_classes(case, classes), at)]:
            if wrong is not None:
                subject, what, help = wrong
                if dataset.source.kind == "python":
                    help = help.replace('add `positive "…"` to the dataset', 'pass positive="…" to ev.compare')
                if span != at:  # it is tuned for, not measured
                    help = help.replace("write `measuring ", "write `for ")
                yield metric_mismatch.finding(
                    f"{subject} {what.format(f'dataset `{name}`')}",
                    help,
                    at=case.at(span, dataset=name),
                    stage="data" if profile is not None else "design",
                )
                break
        low, high = (profile.target_range if profile is not None else None) or (1.0, 1.0)
        relative = next((span for metric, span in asked if metric.name == "mape"), None)
        if relative is not None and low <= 0.0 <= high:
            zero = 0.0 in (low, high)
            what = "is 0 in some rows" if zero else "is positive in some rows and negative in others"
            yield metric_mismatch.finding(
                f"metric `mape` divides by the target, which in dataset `{name}` {what}",
                "write `measuring mae`, or `rmse`",
                at=case.at(relative, dataset=name),
                level="error" if zero else "warning",  # without an exact 0 it can be computed
                stage="data",
            )


def usual_direction(name: str) -> Literal["higher", "lower"] | None:
    """Return in which direction a metric of this name is better; None where the name does not tell.

    >>> usual_direction("word_error_rate"), usual_direction("BLEU"), usual_direction("cost-savings")
    ('lower', 'higher', None)
    """
    words = [word for word in re.split(r"[^a-z0-9]+", name.lower()) if word]
    while len(words) > 1 and words[-1] in _UNIT_WORDS:
        words.pop()
    if not words or _REVERSED.search(name):
        return None
    return "lower" if words[-1] in _LOWER_WORDS else "higher" if words[-1] in _HIGHER_WORDS else None


def _of_two_classes(case: Case, classes: int | None) -> tuple[str, str, str] | None:
    """Report a test of two classes on more: it ranks rows from one class to the other."""
    named = next((j.card.name for j in case.tests if j.written and j.card.evidence == "row-scores"), None)
    if named is None or classes is None or classes <= 2:
        return None
    what = f"is for two classes, but {{}} has {classes}"
    return f"the test `{named}`", what, 'write `by bootstrap`, or add `positive "…" against the rest` to the dataset'


def _tries(card: MetricEntry, metric: Metric) -> int:
    """Return how many classes a metric accepts per row; 0 for a metric of one class."""
    k = {**dict(card.options), **dict(metric.options)}.get("k") if card.tasks == ("many-class",) else None
    return k if isinstance(k, int) else 0


def _mismatch(
    metric: Metric, task: str | None, classes: int | None, positive_known: bool
) -> tuple[str, str, str] | None:
    card, what, help = metric.card, "", ""
    if card is None:
        return None
    first = _tries(card, metric)
    if task == "regression" and "regression" not in card.tasks:
        what, help = "is for classes, but the target of {} is numeric", "write `measuring rmse`, `mae` or `r2`"
    elif task == "classification" and card.tasks == ("regression",):
        what = "is for numeric targets, but the target of {} has classes"
        help = "write `measuring accuracy`, or add `as regression` to the dataset"
    elif classes is None:
        return None
    elif classes > 2 and "many-class" not in card.tasks and "regression" not in card.tasks:
        other = "balanced-accuracy" if card.needs == "labels" else "roc-area"
        what = f"is for two classes, but {{}} has {classes}"
        help = f'add `positive "…" against the rest` to the dataset, or write `measuring {other}`'
    elif classes <= first:
        fewer = f"write `measuring {card.name}(k = {classes - 1})`, or `measuring accuracy`"
        what = f"with k = {first} is always 1 on {{}}, which has {classes} classes"
        help = fewer if classes > 2 else "write `measuring accuracy`"
    elif not positive_known and needs_positive(card, dict(metric.options), classes):
        what, help = "needs the positive class of {}, which is not declared", 'add `positive "…"` to the dataset'
    return (f"metric `{card.name}`", what, help) if what else None


@rule("EV607", "unscaled", "warning", stage=("design", "data"), needs=("learner",))
def unscaled(facts: Facts) -> Iterator[Finding]:
    """A learner depends on the scale of its columns, but they are not scaled.

    ## What it finds
    The rule finds a learner that depends on the scale of its columns, in a pipeline without a step that scales. Such
    learners are svm, knn, nearest-neighbor, neural-net, logistic-regression and penalised regressions, and all
    scikit-learn estimators of these kinds. For ridge the finding is a note, because its usual penalty hardly affects
    columns with large numbers.

    When the data are read, the rule finds nothing if all numeric columns have standard deviations from 0.5 to 2 (our
    own choice). The rule does not check pipelines with your own code.

    ## Why it matters
    The column with the largest numbers dominates, so the learner does worse than it would with scaled columns (Caruana
    and Niculescu-Mizil 2005, section 2.1).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner machine is svm
    compare machine vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner machine is scale | svm
    compare machine vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    If all columns already have the same scale, such as pixels or shares, write `allow EV607 because "…"`.

    ## References
    Caruana and Niculescu-Mizil 2005, section 2.1.
    """
    raw = {n: t for n, t in facts.learners.items() if t.needs_scaling and not t.scaled and t.learner.used}
    if not raw:
        return
    seen: set[str] = set()
    for case in facts.cases:
        if any(dataset.prepared_by for dataset in case.datasets):
            continue  # EV205 reports it
        read = [facts.profile(dataset.name) for dataset in case.datasets]
        if read and all(profile is not None and profile.columns_scaled for profile in read):
            continue
        for traits in case.learners:
            if traits.name not in raw or traits.name in seen:
                continue
            seen.add(traits.name)
            learner = traits.learner
            yield unscaled.finding(
                f"learner `{learner.name}` depends on the scale of its columns, but no step scales the columns. The "
                "column with the largest numbers then dominates",
                f"write `learner {_scaled_name(facts, raw, learner)} is scale | {learner.name}`, and compare this "
                "learner"
                if learner.implicit
                else f"write `scale | {_before_scaling(learner).name}` in learner `{learner.name}`",
                at=Place(
                    case.learner_span(learner.name) if learner.implicit else learner.steps[-1].span,
                    Subject(learners=(learner.name,)),
                ),
                fix=None if learner.implicit else _scaled(learner),
                level="note" if traits.card is not None and traits.card.name == "ridge" else None,
            )


def _scaled_name(facts: Facts, raw: Mapping[str, Traits], learner: Learner) -> str:
    """Return a name for the scaled learner that no other learner of the script has, nor the advice on another."""
    implicit = [name for name, traits in raw.items() if traits.learner.implicit]
    name = "scaled" if len(implicit) == 1 else f"scaled-{learner.name.rpartition('.')[2]}"
    while name in facts.learners:
        name = f"{name}-2"
    return name


def _scaled(learner: Learner) -> Fix | None:
    before = _before_scaling(learner).span
    if not before.path:
        return None
    return Fix(
        title="scale the columns first", edits=(Edit(Span(before.path, before.start, before.start), "scale | "),)
    )


def _before_scaling(learner: Learner) -> Step:
    """Return the step before which columns are scaled: the first that weighs them against each other."""
    return next((step for step in learner.steps if step.name in _WEIGHING), learner.steps[-1])


@rule("EV608", "relative-scores", "note", needs=("metric",), each=each_comparison)
def relative_scores(facts: Facts, case: Case) -> Iterator[Finding]:
    """Normalised scores change when a learner is added or removed.

    ## What it finds
    The rule finds a comparison of three or more learners by several metrics. The report of such a comparison shows
    normalised scores: 0 is the score of a baseline, and 1 is the best observed score.

    ## Why it matters
    The best observed score depends on the learners in the comparison. If a learner is added, the normalised scores of
    all other learners can change.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs random-forest vs bagged-trees on tumours using 5x2cv
      measuring accuracy, roc-area, all pairs, holm over learners, metrics, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs random-forest on tumours using 5x2cv
      measuring accuracy, roc-area, holm over metrics, seed 20
    ```

    ## When it is fine
    There is no problem if you do not compare the normalised scores with those of a different table.

    ## References
    Caruana and Niculescu-Mizil 2005, section 2.3.
    """
    comparison = case.comparison
    if comparison.data == "datasets" and len(case.metrics) > 1 and len(comparison.learners) > 2:
        yield relative_scores.finding(
            f"the report normalises scores by the best of these {len(comparison.learners)} learners. A normalised "
            "score changes when a learner is added or removed",
            "use the raw scores to compare with other tables",
            at=case.at("measuring"),
        )


@rule("EV609", "isotonic-ties", "note", needs=("metric", "learner"), each=each_case)
def isotonic_ties(facts: Facts, case: Case) -> Iterator[Finding]:
    """Isotonic calibration creates ties in a rank metric.

    ## What it finds
    The rule finds a learner with `calibrate isotonic` and a rank metric: roc-area, lift, average-precision, break-even.

    ## Why it matters
    Isotonic regression gives the same probability to many rows, so the metric no longer sees their order (Caruana and
    Niculescu-Mizil 2005, note 4).

    ## Example
    ```eval,bad
    dataset letters from csv "letters.csv", target "lettr" because "the dataset of the earlier study"
    learner boosted is boosted-trees, calibrate isotonic
    compare boosted vs random-forest on letters using 5x2cv, measuring roc-area, calibrate on 20%, seed 20
    ```

    ## Use instead
    ```eval
    dataset letters from csv "letters.csv", target "lettr" because "the dataset of the earlier study"
    learner boosted is boosted-trees, calibrate platt
    compare boosted vs random-forest on letters using 5x2cv, measuring roc-area, calibrate on 20%, seed 20
    ```

    ## When it is fine
    There is no problem if there are few ties. The finding is only a note.

    ## References
    Caruana and Niculescu-Mizil 2005, note 4.
    """
    ranked = [metric.name for metric in case.metrics if metric.needs == "scores"]
    if not ranked:
        return
    names = [traits.name for traits in case.learners if traits.learner.calibrate == "isotonic"]
    if names:
        yield isotonic_ties.finding(
            f"isotonic calibration of {one(names, 'learner', 'learners')} {listed_names(names)} gives many rows the "
            f"same probability, but {one(ranked, 'metric', 'metrics')} {listed_names(ranked)} "
            f"{one(ranked, 'ranks', 'rank')} the rows",
            f"write `calibrate platt` in learner `{names[0]}`, which makes no ties",
            at=case.at(case.learner_span(names[0])),
        )


@rule(
    "EV611", "folds-too-small", "error", stage=("design", "data"), needs=("scheme", "metric", "dataset"), each=each_case
)
def folds_too_small(facts: Facts, case: Case) -> Iterator[Finding]:
    """Test sets are too small for the metric.

    ## What it finds
    The rule finds the metric `cal` on test sets of fewer than 100 rows.

    ## Why it matters
    cal sorts the rows by prediction and averages the error over windows of 100 rows (Caruana and Niculescu-Mizil 2005).
    A test set with fewer rows has no complete window.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer", positive "malignant" because "a small medical dataset"
    compare decision-tree vs random-forest on tumours using 10x10cv, measuring cal, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer", positive "malignant" because "a small medical dataset"
    compare decision-tree vs random-forest on tumours using 10x2cv, measuring cal, seed 20
    ```

    ## When it is fine
    Never. Use brier, which is a mean over rows.

    ## References
    Caruana and Niculescu-Mizil 2005, section 2.2.
    """
    scheme = case.comparison.scheme
    if scheme is None or all(metric.name != "cal" for metric in case.metrics):
        return
    for name in case.comparison.datasets:
        rows = count_rows(facts, name)
        tested = scheme.test_rows(rows) if rows is not None else None
        if tested is not None and 0 < tested < CAL_ROWS:
            yield folds_too_small.finding(
                f"the test sets of dataset `{name}` have {counted(int(tested), 'row')}, but metric `cal` averages over "
                f"windows of {CAL_ROWS} rows",
                f"write `using {case.halves}`, or `measuring brier`, which also scores probabilities"
                if scheme.folds > 2 and (rows or 0) >= 2 * CAL_ROWS
                else "write `measuring brier`, which also scores probabilities",
                at=case.at("measuring"),
            )
            break
