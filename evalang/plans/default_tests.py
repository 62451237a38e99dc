"""The question that a comparison asks (Dietterich 1998, section 1), and the tests that answer it by default."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..catalogue.learners import TREES, targets
from ..catalogue.metrics import MetricEntry
from ..catalogue.schemes import SchemeEntry
from ..catalogue.tests import TESTS, TestEntry, exceeding_words, find_test, is_t_test, meant_test, no_default_words
from ..language import nodes
from ..language.text import nearest
from .families import first_level, pairs_over_datasets
from .model import Comparison, Dataset, Learner, Test, on_each_dataset, unopened
from .values import PlanErrors, read_options

QUESTIONS: dict[int, str] = {
    1: "how accurate is this trained classifier on its test set",
    2: "how accurate is this trained classifier, estimated without a separate test set",
    3: "which of these trained classifiers is more accurate on their test set",
    4: "which of these trained classifiers is more accurate, without a separate test set",
    5: "how accurate is a learner trained on this many rows, with plenty of data",
    6: "how accurate is a learner on data like this, with limited data",
    7: "which learner is better when trained on this many rows, with plenty of data",
    8: "which learner is better on data like this, with limited data",
    9: "which learner is better over several datasets",
}

_OF_ITEMS: dict[int, str] = {
    1: "how good is this model on the items",
    3: "which of these models is better on the same items",
}


def question_text(comparison: Comparison) -> str:
    """Return the question of a comparison in words; models that answer items need not be classifiers."""
    if comparison.over_note == SEEDS:
        return "which learner scored better in these runs; nothing is tested"
    words = _OF_ITEMS.get(comparison.question) if comparison.units == "items" else None
    return name_models(words or QUESTIONS[comparison.question], comparison.predicts_numbers)


def name_models(text: str, predicts_numbers: bool) -> str:
    """Return the text about regression, in which classifiers are models.

    >>> name_models("these trained classifiers", True), name_models("these trained classifiers", False)
    ('these trained models', 'these trained classifiers')
    """
    return text.replace("classifier", "model") if predicts_numbers else text


def with_question(comparison: Comparison) -> Comparison:
    """Return the comparison with the question that it asks."""
    number, why = _question(comparison)
    if comparison.units == "items" and number in (1, 3):
        why = "each model as it was run"
    return replace(comparison, question=number, question_reason=why)


def _question(c: Comparison) -> tuple[int, str]:
    """Return the number of the question and why; whether data is plentiful follows from the scheme, not the rows."""
    scheme = c.scheme_card
    if scheme is None:
        return 6 if c.estimate else 9 if c.several else 8, "no scheme says how the rows are split"
    number, why = _on_one_dataset(c.this_classifier, scheme)
    if c.estimate:  # questions 1, 2, 5 and 6 ask of one classifier or learner what 3, 4, 7 and 8 ask of several
        return number - 2, why.replace("answered for the learners", "estimated for the learner")
    if scheme.only_scores:
        return 9, "the table has scores per dataset"
    if not c.several:
        return number, why
    if c.this_classifier:  # every dataset trains classifiers of its own: there is nothing to take together
        return number, f"{why}, on each dataset"
    return 9, "each dataset gets a verdict, and a test over all datasets needs enough of them"


def _on_one_dataset(this_classifier: bool, scheme: SchemeEntry) -> tuple[int, str]:
    """Return the question about several classifiers or learners on one dataset, and why."""
    if scheme.one_test_set:
        trained = this_classifier or not scheme.trains
        once = "one training set: the answer is about these trained classifiers, not about the learners"
        return 3, "trained classifiers on a separate test set" if trained else once
    if this_classifier:
        return 4, "answered for the learners: the folds train several classifiers"
    if scheme.disjoint:
        return 7, "disjoint training sets and one test set"
    return 8, "the same rows are used for training and testing in turn"


def question_on_one(comparison: Comparison) -> int:
    """Return the question that a verdict on one dataset answers; over several datasets that is question 9."""
    if comparison.question != 9 or comparison.scheme_card is None:
        return comparison.question
    return _on_one_dataset(comparison.this_classifier, comparison.scheme_card)[0]


def describe_allowed_claim(comparison: Comparison) -> str:
    """Return what a significant result (or the interval of an estimate) lets the author say, and what not."""
    if comparison.over_note == SEEDS:
        return "which learner scored better in these runs; nothing about other rows, splits or datasets"
    where = ", ".join(comparison.datasets[:3]) + (", …" if len(comparison.datasets) > 3 else "")
    rows = "items" if comparison.units == "items" else "rows"
    what, learners = ("model", "other versions of them") if rows == "items" else ("trained classifier", "the learners")
    rows = f"groups of {rows}" if comparison.grouped else rows
    if comparison.scheme is not None and comparison.scheme.looks is not None:
        return f"roughly how good each trained classifier is on rows like those of {where}; not which is better"
    if comparison.estimate:
        whose = f"this {what}" if comparison.question == 1 else "the learner, trained on this many rows,"
        return f"how good {whose} is on {rows} like those of {where}"
    if comparison.question == 3:
        return f"which of these {what}s is better on {rows} like those of {where}; nothing about {learners}"
    if comparison.question == 9:
        over = "; over datasets, that the learners differ on datasets like these" if comparison.over else ""
        if comparison.data == "results" and not comparison.tests:
            return "that the learners differ on datasets like these, if these are a fair sample"
        if comparison.data == "results":
            over += ", if these are a fair sample" if over else ""
            return f"for each dataset, which learner is better on {rows} like its own{over}"
        return f"which learner is better, separately for {where}{over}"
    size = f" on {comparison.scheme.rows:,} rows" if comparison.question == 7 and comparison.scheme else ""
    size = " on half of the rows" if comparison.scheme is not None and comparison.scheme.halves else size
    return f"which learner is better when trained{size} from data like {where}; nothing about other datasets"


MOST_DATASETS = 100  # ours: no default level asks for more
_COSTS = ("time", "size")  # what a metric needs, where that is no prediction


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What is known of the test rows besides their number."""

    retrained: bool = False  # judged by several trainings: `train N times`
    grouped: bool = False  # they come in groups
    graded: bool = False  # they have degrees of right


def _row_test(metric: MetricEntry, rows: RowFacts) -> tuple[str, str]:
    if rows.retrained:
        above, units = exceeding_words("retrained-t", "holdout"), "groups" if rows.grouped else "rows"
        return (
            "retrained-t",
            f"one test set and several trainings: accounts for variance over {units} and trainings{above}",
        )
    if rows.grouped:
        return "cluster-permutation", "one test set with groups: groups are the units"
    if rows.graded:
        return "row-t", "graded items, or means of several samples: the unit is the item"
    if metric.name in ("accuracy", "error"):
        return "mcnemar-midp", "one test set: compares correct and wrong answers row by row"
    if metric.name == "roc-area":
        return "delong", "one test set: both areas are computed from the same rows"
    if metric.row_loss:
        above = exceeding_words("row-t", "holdout")
        return "row-t", f"one test set: {metric.name} has a loss for each row{above}"
    return "bootstrap", f"one test set: {metric.name} is not a mean over rows, so a bootstrap of the rows is used"


def dataset_tests(
    scheme: SchemeEntry, learners: int, metrics: tuple[MetricEntry, ...], rows: RowFacts | None = None
) -> tuple[tuple[Test, ...], str]:
    """Return the tests on each dataset, and the reason if there is none."""
    rows = rows or RowFacts()
    if scheme.one_test_set:
        fitting = tuple(m for m in metrics if m.needs not in _COSTS and (m.row_loss or not rows.grouped))
        if metrics and not fitting:
            once = "is measured only once, so its variance is unknown"
            why = "is not a mean over rows, which the test of groups needs" if rows.grouped else once
            return (), f"{metrics[0].name} {why}"
        return _on_rows(learners, fitting, len(metrics), rows), ""
    if not scheme.test:
        return (), scheme.test_reason
    by_row = scheme.disjoint or scheme.in_time
    # An area over disjoint training sets is judged by what each row adds to it (DeLong's placement values).
    names = tuple(m.name for m in metrics if m.row_loss or not by_row or (scheme.disjoint and m.name == "roc-area"))
    if by_row and not names:
        return (), f"{scheme.test} needs a metric with a loss for each row"
    judged = () if len(names) == len(metrics) else names
    reason = scheme.test_reason + exceeding_words(scheme.test, scheme.kind)
    return (_default(scheme.test, reason, judged),), ""


def _on_rows(learners: int, metrics: tuple[MetricEntry, ...], of: int, rows: RowFacts) -> tuple[Test, ...]:
    """Return the tests of these metrics, which are `of` in all; a test that judges all of them names none."""
    by_test: dict[tuple[str, str], list[str]] = {}
    for metric in metrics:
        by_test.setdefault(_row_test(metric, rows), []).append(metric.name)
    tests = []
    for (name, reason), names in by_test.items():
        judged = () if len(names) == of else tuple(names)
        if name == "mcnemar-midp" and learners > 2:
            tests.append(_default("cochran-q", "three or more learners on the same rows", judged))
        tests.append(_default(name, reason, judged))
    return tuple(tests)


def over_datasets_tests(learners: int, metrics: tuple[MetricEntry, ...]) -> tuple[Test, ...]:
    """Return the tests over datasets; with three or more learners an omnibus test comes first."""
    plain = tuple(m.name for m in metrics if not m.has_unit)
    with_unit = tuple(m.name for m in metrics if m.has_unit)
    tests = [_default("iman-davenport", "three or more learners over several datasets")] if learners > 2 else []
    if plain:
        reason = "each pair by itself; with three or more learners in the table, iman-davenport is added"
        if learners:
            reason = "two learners over several datasets"
        if learners > 2:
            reason = "each pair by itself; with mean ranks the result of a pair would depend on the other learners"
        tests.append(_default("wilcoxon", reason, plain if with_unit else ()))
    if with_unit:
        reason = "scores that are not from 0 to 1 are not on one scale over datasets"
        tests.append(_default("sign", reason, with_unit if plain else ()))
    return tuple(tests)


def interval(scheme: SchemeEntry, metrics: tuple[MetricEntry, ...], retrained: bool = False) -> Test:
    """Return the interval of an estimate under a kind of scheme."""
    if not scheme.one_test_set:
        return _default(scheme.interval, scheme.interval_reason)
    if retrained:
        return _default("retrained-interval", "one test set and several trainings: accounts for both variances")
    if all(m.name in ("accuracy", "error") for m in metrics):
        return _default("wilson", "one classifier that is right or wrong on each test row")
    return _default("bootstrap", "one classifier; a bootstrap of the test rows")


def _default(name: str, reason: str, metrics: tuple[str, ...] = ()) -> Test:
    return Test(name=name, metrics=metrics, origin="default", reason=reason)


FOLDS = "corrected for overlapping training sets; the script does not say how the folds were made"
ONE_SCORE = "one score on each dataset has no interval"
ITEMS = "items with several samples, grades or groups: the unit is the item or the group"
SEEDS = "runs on the same data show nothing about other data, so the difference of learners cannot be tested"


@dataclass(frozen=True, slots=True)
class Tests:
    """What is tested on each dataset, what over datasets, and why something expected is not."""

    __test__ = False

    each: tuple[Test, ...] = ()
    over: tuple[Test, ...] = ()
    note: str = ""


def with_default_tests(comparison: Comparison) -> Comparison:
    """Return the comparison with the default tests for its question, if the script names none."""
    scheme = comparison.scheme_card
    if comparison.guarded:
        return replace(comparison, over_note="a guarded holdout gives estimates with a tolerance, not a test")
    if not comparison.several and on_each_dataset(comparison.levels, comparison.scheme):
        # a test that can take the folds of the only dataset (tost) takes them
        moved = [t for t in comparison.over if (own := find_test(t.name)) and own.evidence == "fold-scores"]
        over = tuple(t for t in comparison.over if t not in moved)
        comparison = replace(comparison, tests=(*comparison.tests, *moved), over=over)
    asked = next((test for test in comparison.tests if is_t_test(test.name)), None)
    if scheme is None or (asked is None and any(word == "by" for word, _ in comparison.spans)):
        return comparison
    if asked is not None:
        return _with_t_test(comparison, scheme, asked)
    cards = tuple([card for m in comparison.metrics if (card := m.card) is not None])
    if not cards:
        return comparison  # unknown metrics
    chosen = _default_tests(comparison, scheme, cards)
    each = tuple(_of_many_classes(test) for test in chosen.each) if comparison.many_classes else chosen.each
    if chosen.note == SEEDS:
        comparison = replace(comparison, question_reason="all runs are on the same data")
    return replace(comparison, tests=each, over=chosen.over, over_note=chosen.note)


def _with_t_test(comparison: Comparison, scheme: SchemeEntry, asked: Test) -> Comparison:
    """Return the comparison with the t-test that `by t-test` means under its scheme."""
    if scheme.only_scores and comparison.several:
        name, reason = "paired-t", "for the scores of several datasets"
    elif scheme.one_test_set:
        name = "cluster-t" if comparison.grouped else "retrained-t" if comparison.retrained else "row-t"
        reason = "for the row-by-row differences on one test set"
    elif scheme.halves_test and comparison.scheme is not None and comparison.scheme.halves:
        name, reason = scheme.halves_test, scheme.halves_reason
    elif scheme.test.endswith("-t"):
        name, reason = scheme.test, scheme.test_reason
    else:
        name, reason = "corrected-t", "for scores of folds with overlapping training sets"
    made = replace(asked, name=name, reason=f"{asked.name}: {reason}")
    over = name == "paired-t"
    return replace(comparison, tests=() if over else (made,), over=(made,) if over else ())


def is_stump(learner: Learner) -> bool:
    """Return whether the learner is a decision tree of depth 1 that is not tuned."""
    last = learner.steps[-1] if learner.steps else None
    if last is None or last.kind not in ("learner", "estimator") or learner.grids:
        return False
    return bool(set(targets(last.name)) & set(TREES)) and dict(last.parameters).get("max_depth") == 1


def many_classes(datasets: Iterable[Dataset]) -> bool:
    """Return whether a dataset is known to have more than two classes."""
    return any(d.classes is not None and d.classes > 2 and not d.against_rest for d in datasets)


def _of_many_classes(test: Test) -> Test:
    """Return the bootstrap in place of DeLong's test, which needs two classes; another test as it is."""
    card = find_test(test.name)
    if card is None or card.evidence != "row-scores":
        return test
    reason = f"one test set: {test.name} is for two classes, so a bootstrap of the rows is used"
    return replace(test, name="bootstrap", reason=reason)


def _default_tests(c: Comparison, scheme: SchemeEntry, metrics: tuple[MetricEntry, ...]) -> Tests:
    if c.estimate:
        nested = any(one.standing in ("epoch", "group") for one in c.levels) or c.graded or c.grouped
        counted = all(m.name in ("accuracy", "error") for m in metrics)
        items = c.units == "items" and (nested or not counted)  # more than right or wrong, once and each for itself
        if scheme.only_scores and c.units == "datasets" and not on_each_dataset(c.levels, c.scheme):
            return Tests(each=(_default(scheme.interval, ONE_SCORE),))
        return Tests(each=(_default("item-interval", ITEMS) if items else interval(scheme, metrics, c.retrained),))
    learners = len(c.learners)  # 0: only the table can tell
    if scheme.only_scores:
        if c.several:
            return Tests(over=over_datasets_tests(learners, metrics))
        on_folds = on_each_dataset(c.levels, c.scheme)
        return Tests(each=(_default("corrected-t", FOLDS),)) if on_folds else Tests(note=SEEDS)
    if scheme.halves_test and c.scheme is not None and c.scheme.halves:
        scheme = replace(scheme, test=scheme.halves_test, test_reason=scheme.halves_reason)
    rows = RowFacts(retrained=c.retrained, grouped=c.grouped, graded=c.graded)
    refused = no_default_words(scheme.test, scheme.kind) if c.stump else ""
    each, note = ((), refused) if refused else dataset_tests(scheme, learners, metrics, rows)
    if not c.several or c.this_classifier:
        apart = "no test over datasets: each dataset has its own trained classifiers"
        return Tests(each=each, note=apart if c.several else note)
    over = over_datasets_tests(learners, metrics)
    card = find_test(over[-1].name) if over else None
    if card is None:
        return Tests(each=each, note=note)
    datasets = len(c.in_table if c.data == "results" else c.datasets)
    known = bool(datasets) and not unopened(c.datasets)  # else only the table or the folder can tell
    smallest = card.smallest_p(datasets, learners, 2) if known else 0.0
    needed = first_level("holm", c.alpha.value, pairs_over_datasets(c))
    if smallest <= needed:
        return Tests(each=each, over=over, note=note)
    floor = f"the smallest p of {card.name} with {datasets} datasets is {smallest:.3g}"
    return Tests(each=each, note=f"no test over datasets: {floor}, which is above the level {needed:.3g}")


def fewest_datasets(c: Comparison) -> int | None:
    """Return how many datasets the default test over them needs; None without such a test or once a table is read."""
    card = find_test(c.over[-1].name) if c.over and c.tests and c.learners else None
    if card is None or c.in_table or c.over[-1].origin != "default":
        return None
    needed = first_level("holm", c.alpha.value, pairs_over_datasets(c))
    return next((n for n in range(2, MOST_DATASETS) if card.smallest_p(n, len(c.learners), 2) <= needed), None)


def named_tests(by: nodes.By, scored: bool, estimate: bool, errors: PlanErrors) -> Tests:
    """Return the tests that `by` names: one, or an omnibus with its post-hoc.

    `scored` says that only scores of datasets are known.
    """
    each: list[Test] = []
    over: list[Test] = []
    first: TestEntry | None = None
    for call in by.tests:
        if is_t_test(call.name.text) and len(by.tests) == 1 and not estimate:
            test = Test(name=call.name.text, options=read_options(call.arguments, errors), span=call.span)
            return Tests(each=(test,))
        card = _card(call, first, estimate, errors)
        if card is None:
            continue
        first = first or card
        test = Test(name=card.name, options=read_options(call.arguments, errors), span=call.span)
        spread = "over-datasets" in card.scopes and (scored or "dataset" not in card.scopes)
        (over if spread else each).append(test)
    return Tests(each=tuple(each), over=tuple(over))


def _card(call: nodes.Call, first: TestEntry | None, estimate: bool, errors: PlanErrors) -> TestEntry | None:
    word = call.name.text
    card = find_test(word)
    if card is None:
        remedy, near = "see `evalang explain --all` for the tests", nearest(word, [t.name for t in TESTS], share=5)
        other = errors.unknown_name(call.name.span, "test", word, (), remedy, meant_test(word), near)
        card = find_test(other) if other is not None else None
    if card is None:
        return None
    for_one, wrong = card.learners == "one", ("", "")
    if estimate and not for_one and card.name != "bootstrap":
        help = "write `by wilson`, `by clopper-pearson` or `by bootstrap`, or remove `by`: evalang then chooses"
        wrong = f"`{card.name}` compares learners, but this statement estimates one", help
    elif for_one and not estimate:
        help = "write `estimate` in place of `compare`, or name a test of two learners"
        wrong = f"`{card.name}` is an interval for one learner, but this statement compares learners", help
    elif first is not None and first.name not in card.post_hoc_of:
        fitting = [t.name for t in TESTS if first.name in t.post_hoc_of]
        offer = f", or one of {', '.join(fitting)} after `{first.name}`" if fitting else ""
        wrong = f"`{card.name}` is not a post-hoc test of `{first.name}`", f"name one test{offer}"
    if wrong[0]:
        errors.conflict(call.span, *wrong)
        return None
    for argument in call.arguments:
        if argument.name.text not in card.options:
            near = nearest(argument.name.text, card.options)
            offer = f"did you mean `{near}`?" if near else f"it has the options: {', '.join(card.options) or 'none'}"
            errors.bad_parameter(argument.span, f"test `{card.name}` has no option `{argument.name.text}`; {offer}")
    return card
