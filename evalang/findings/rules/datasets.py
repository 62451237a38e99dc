"""EV1: datasets."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from ...catalogue.metrics import MetricEntry, needs_positive
from ...catalogue.sources import find_bundled
from ...data.column_words import PROVENANCE
from ...data.profile_facts import Profile
from ...language.text import (
    Edit,
    Finding,
    Fix,
    Span,
    Subject,
    counted,
    listed,
    listed_columns,
    listed_names,
    number,
    one,
    percent,
)
from ...plans.model import Condition, Dataset, Metric, Scheme
from ..case import Case, Place
from ..facts import Facts, NotApplicable, each_case, each_comparison, each_dataset_read
from ..reach import (
    LARGE_EFFECT,
    LEAST_POWER,
    Floor,
    find_floors,
    find_power_level,
    find_table_floors,
    row_metric,
)
from ..rule import find_dataset, find_defined_name, rule
from ..wording import NUMBERS, count_of, groups_in, time_in

_FOLDS = re.compile(r"\d+cv$")
FEWEST_PER_CLASS = 5  # rows per class on average; ours
FEWEST_AVERAGED = 10  # ours: rows of a class whose recall is a tenth or less per row
FEWEST_BY_DEFAULT = 8  # ours: datasets of a table whose test the script does not name
SMALL_TEST_PART = 30  # D 3.5: the differences of proportions are taken for normal, which needs about 30 test rows
REPEATED_SHARE = 0.01  # ours: one row in a hundred with a twin
MOSTLY_SHARED = 0.5  # ours: of the rows of the smaller of two files in separate comparisons
_NO_FILE = ("python", "described", "unknown", "synthetic")
CERTAIN = 0.99  # ours: share of the rows that one category may predict before it is more than a note
MOST_COLUMNS = 3  # reported of one dataset; ours
BY_POSITIVE = ("roc-area", "average-precision", "recall", "precision", "f-score", "lift", "break-even")
FEWEST_PER_PART = 3  # ours: rows of a class in a test set whose scores or predictions are averaged
NEED_POSITIVE = ("recall", "average-precision", "break-even", "lift")  # without a positive row they do not exist
RARE_SHARE = 0.90  # C 2.3: at 90% in one class the baseline is hard to beat by accuracy; the number is ours


@rule("EV101", "choice-unexplained", "note", strict="warning", needs=("dataset",))
def choice_unexplained(facts: Facts) -> Iterator[Finding]:
    """The script gives no reason for the choice of a dataset.

    ## What it finds
    The rule finds a dataset without `because`, unless a suite with `because` or `sampled from "…"` contains it.
    Datasets that come with evalang need a reason too; tables of results and predictions do not.

    ## Why it matters
    Every learner does well on some datasets. A reason that was written before the run shows that the datasets were not
    selected by their results (Bramer, section 15.4).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem in a first experiment that you do not report.

    ## References
    Bramer, section 15.4.
    """
    explained = {n for suite in facts.plan.suites if suite.because or suite.sampled_from for n in suite.members}
    suites = {name: suite.name for suite in reversed(facts.plan.suites) for name in suite.members}
    seen: set[str] = set()
    for case in facts.cases:
        for dataset in case.datasets:
            suite = suites.get(dataset.name, "")
            chosen = suite or dataset.name
            if dataset.because or dataset.name in explained or chosen in seen:
                continue
            seen.add(chosen)
            here = bool(suite) or dataset.bundled or dataset.source.kind == "python"
            named = find_dataset(facts, case.comparison, dataset.name)
            yield choice_unexplained.finding(
                f"the script gives no reason for the choice of {'suite' if suite else 'dataset'} `{chosen}`: readers "
                "may suspect that it was chosen by its results",
                f'write `suite chosen is {chosen} because "…"`, and `on chosen` in the comparison'
                if here and not suite
                else f'add `because "…"` to {"suite" if suite else "dataset"} `{chosen}` with the reason',
                at=Place(
                    named if here else find_defined_name(facts, dataset.span),
                    Subject(dataset=dataset.name),
                ),
            )


@rule("EV102", "well-worn-data", "note", strict="warning", needs=("dataset",), each=each_comparison)
def well_worn_data(facts: Facts, case: Case) -> Iterator[Finding]:
    """A public benchmark dataset has been used by many studies before.

    ## What it finds
    The rule finds data that comes with evalang or from OpenML.

    ## Why it matters
    Suppose that 100 research groups compare two equally good learners on the same benchmark at level 0.05. About five
    groups find a significant difference by chance, and those five publish it (Salzberg 1997, section 3.2).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem in replications, teaching and software tests. The finding is only a note.

    ## References
    Salzberg 1997, sections 2.1 and 3.2; Bramer, section 15.4.
    """
    worn = [dataset.name for dataset in case.datasets if _worn(dataset)]
    if worn:
        yield well_worn_data.finding(
            f"{one(worn, 'dataset', 'datasets')} {listed_names(worn)} "
            f"{one(worn, 'is a public benchmark', 'are public benchmarks')} that many studies have used: if 100 "
            "studies compare two equally good learners on the same data, about "
            f"{case.comparison.alpha.value * 100:g} find a significant difference by chance (Salzberg 1997)",
            "confirm the result on data that other studies have not used, such as your own",
            at=case.at(find_dataset(facts, case.comparison, worn[0])),
        )


def _worn(dataset: Dataset) -> bool:
    if dataset.source.kind.startswith("openml"):
        return True
    return dataset.source.kind == "builtin" and find_bundled(dataset.source.locator) is not None


@rule("EV103", "too-few-datasets", "warning", stage=("design", "data"), needs=("test", "scheme", "learner", "dataset"))
def too_few_datasets(facts: Facts) -> Iterator[Finding]:
    """A test over datasets has too few datasets to detect even a large difference.

    ## What it finds
    The rule finds a test over datasets that has less than 50% power for a large effect (0.8 standard deviations) at its
    corrected level. At level 5% this is the case with up to eight datasets for the paired t-test, and with up to nine
    for the Friedman test. With three pairs and Holm's correction it is the case with up to twelve for Wilcoxon's test.

    In a table with `groups` and under a grouped scheme, the rule counts groups instead of datasets. If evalang chose
    the test, no claim needs it and there are at least eight datasets, the finding is a note. If the test cannot be
    significant at all, EV408 reports it instead.

    ## Why it matters
    Such a test misses a large difference more often than it finds one. Readers may then take "no significant
    difference" to mean "equal".

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, monks-1, monks-2, monks-3
      because "all bundled datasets with at least 400 rows"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, by wilcoxon, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, monks-1, monks-2, monks-3, iris, wine, visits
      because "all bundled classification datasets"
    dataset visits from csv "visits.csv", target "readmitted"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, by wilcoxon, seed 20
    ```

    ## When it is fine
    There is no problem if you expect an effect of more than 0.8 standard deviations. Then state how large you expect it
    to be.

    ## References
    Cohen 1988 for the size of a large effect. The rule is our own choice.
    """
    for floor in (*find_floors(facts), *find_table_floors(facts)):
        if floor.smallest > floor.level or floor.power is None or floor.power >= LEAST_POWER:
            continue
        yield _low_power(f"test `{floor.test.name}` over {counted(floor.units, floor.unit)}", floor)
    for case, name, profile in each_dataset_read(facts) if facts.profiles is not None else ():
        scheme = case.comparison.scheme
        if scheme is None or not scheme.grouped or not profile.groups or case.comparison.estimate or not case.tests:
            continue
        judged = case.tests[0]
        alone = find_power_level(facts, case, judged.test.name, over=judged.over)
        floor = Floor(case, judged.test, judged.card, profile.groups, "group", 1.0, alone, "", read=True)
        if floor.power is not None and floor.power < LEAST_POWER:
            yield _low_power(f"a test over the {counted(floor.units, 'group')} of dataset `{name}`", floor)


def _low_power(what: str, floor: Floor) -> Finding:
    wanted = floor.wanted
    return too_few_datasets.finding(
        f"{what} has only {percent(floor.power or 0.0)} power{floor.at_power_level}: it would probably miss even a "
        f"large difference ({LARGE_EFFECT} standard deviations)",
        f"use at least {counted(wanted, floor.unit)}, for a power of {percent(LEAST_POWER)} or more"
        if wanted
        else f"use more {floor.unit}s",
        at=floor.case.at(floor.test.span, _datasets_span(floor.case)),
        level="warning" if floor.needed or floor.unit == "group" or floor.units < FEWEST_BY_DEFAULT else "note",
        stage="data" if floor.read else "design",
    )


def _datasets_span(case: Case) -> Span:
    spans = case.comparison.dataset_spans
    return Span(spans[0].path, spans[0].start, spans[-1].end) if spans else case.comparison.span


@rule(
    "EV104", "too-few-rows", "warning", stage=("design", "data"), needs=("scheme", "metric", "dataset"), each=each_case
)
def too_few_rows(facts: Facts, case: Case) -> Iterator[Finding]:
    """A class or a test set has too few rows.

    ## What it finds
    - A class has fewer rows than there are folds.
    - The classes have fewer than five rows on average.
    - A class has fewer than ten rows, and the metric gives every class the same weight (`balanced-accuracy`).
    - A class has fewer than three rows per test fold, and the metric is `roc-area`, `recall` or similar.
    - Test sets under `5x2cv` have fewer than 30 rows.

    The bounds of five, ten and three rows are our own choice. For a dataset declared with `described as`, the rule
    uses the number of rows, the number of classes and the share of the rarest class (`rarest`) in the script.

    ## Why it matters
    A test fold without a row of a class does not measure that class. If a class has only a few rows, a metric that
    averages over classes depends on these few rows. A t test assumes normally distributed scores, which needs about 30
    test rows (Dietterich 1998, section 3.5).

    ## Example
    ```eval,bad
    dataset wines from builtin "wine" because "a small dataset with three classes"
    compare decision-tree vs naive-bayes on wines using 2x60cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset wines from builtin "wine" because "a small dataset with three classes"
    compare decision-tree vs naive-bayes on wines using 10x10cv, seed 20
    ```

    ## When it is fine
    There is no problem if the rare class does not matter for your question.

    ## References
    Dietterich 1998, section 3.5.
    """
    for dataset in case.datasets:
        profile = facts.profile(dataset.name)
        problem = _few_rows(case, dataset, profile)
        if problem is not None and case.comparison.scheme is not None:
            yield too_few_rows.finding(
                *problem,
                at=case.at(case.scheme_span, find_dataset(facts, case.comparison, dataset.name), dataset=dataset.name),
                stage="design" if profile is None else "data",
            )


def _few_rows(case: Case, dataset: Dataset, profile: Profile | None) -> tuple[str, str] | None:
    """Return message and help about a class or a test set with too few rows; None when there is none."""
    scheme, name = case.comparison.scheme, dataset.name
    rows = profile.rows if profile is not None else dataset.rows
    if scheme is None or rows is None:
        return None
    classes, rare = _rarest(dataset, profile, rows)
    if profile is not None and _lost(case, name, profile) is not None:
        return None  # EV112
    if classes and rows < FEWEST_PER_CLASS * classes:
        message = (
            f"dataset `{name}` has {rows} rows in {counted(classes, 'class')}, or {number(rows / classes)} rows per "
            "class: too few to train and test on"
        )
        return (
            message,
            f"merge classes of dataset `{name}`, or use more rows, so that a class has at least {FEWEST_PER_CLASS} "
            "rows on average",
        )
    averaged = next(
        (m for m, card in zip(case.comparison.metrics, case.metrics, strict=False) if _by_class(m, card, classes)), None
    )
    if rare is not None and averaged is not None and rare[1] < FEWEST_AVERAGED:
        counts = f"{rare[0]} of dataset `{name}` has only {counted(rare[1], 'row')}"
        return (
            f"{counts}, but metric `{averaged.name}` gives every class the same weight: a few rows decide the score",
            ("merge the class with another, or " if classes > 2 else "") + "use more rows of this class",
        )
    if rare is not None and scheme.card.k_fold and rare[1] < scheme.folds and scheme.stratified is False:
        few = (
            f"{rare[0]} of dataset `{name}` has {counted(rare[1], 'row')} for {scheme.folds} folds that are not "
            "stratified"
        )
        return (
            f"{few}: some test folds may have none of them",
            "leave out `unstratified`, and use more rows of this class",
        )
    if rare is not None and scheme.card.k_fold and rare[1] < scheme.folds:
        folds = f"`{scheme.text}` makes {scheme.folds} folds, so some test folds have none of them"
        text = _FOLDS.sub(f"{max(rare[1], 2)}cv", scheme.text)
        return (
            f"{rare[0]} of dataset `{name}` has {counted(rare[1], 'row')}, but {folds}",
            f"write `using {text}`, which has fewer folds",
        )
    by_positive = [card.name for card in case.metrics if card.name in BY_POSITIVE]
    if rare is not None and by_positive and scheme.card.k_fold and rare[1] < FEWEST_PER_PART * scheme.folds:
        each = number(rare[1] / scheme.folds)
        return (
            f"{rare[0]} of dataset `{name}` has {counted(rare[1], 'row')}: {each} in each test fold of "
            f"`{scheme.text}`, too few for metric `{by_positive[0]}`",
            f"write `using {case.like_scheme('10x2cv')}` ({number(rare[1] / 2)} in each test fold), or use more rows "
            "of this class"
            if scheme.folds > 2
            else "use more rows of this class",
        )
    tested = scheme.test_rows(rows) if profile is not None else None
    if scheme.card.five_by_two and tested is not None and tested < SMALL_TEST_PART:
        message = f"under `{scheme.text}` each test set of dataset `{name}` has only {int(tested)} rows, but"
        needs = f"a t test on their scores needs about {SMALL_TEST_PART} (Dietterich 1998)"
        return f"{message} {needs}", f"use {2 * SMALL_TEST_PART} rows or more: a test set is half of them"
    return None


def _rarest(dataset: Dataset, profile: Profile | None, rows: int) -> tuple[int, tuple[str, int] | None]:
    """Return the number of classes, and the rarest one with its rows, from the data or as it is described."""
    if profile is not None:
        rare = profile.smallest_class
        return len(profile.classes), (f'class "{rare[0]}"', rare[1]) if rare else None
    described = ("the rarest class", int(dataset.rarest * rows)) if dataset.rarest is not None else None
    return dataset.classes or 0, described if dataset.source.kind == "described" else None


def _by_class(metric: Metric, card: MetricEntry, classes: int) -> bool:
    """Whether a metric is a plain mean over the classes."""
    average = dict(metric.options).get("average", "auto")
    several = average == "macro" or (average == "auto" and classes > 2)
    return card.name == "balanced-accuracy" or (card.name in ("f-score", "recall", "precision") and several)


@rule("EV105", "rows-repeated", "warning", stage=("design", "data"), needs=("scheme", "dataset"))
def rows_repeated(facts: Facts) -> Iterator[Finding]:
    """Copies of a row can be in the training set and in the test set.

    ## What it finds
    The rule finds one of these in more than 1% of the rows (the bound is our own choice):
    - A row has an identical copy (features and target), and the scheme can train on the row and test on its copy.
    - A row has a nearly identical copy, as after rounding or with a little noise: in at least three columns of
      measurements the copy is ten times closer than the next row (5% of the rows; both bounds are our own choice).
    - A row has the same long text (30 characters or more) as another row, or an item in a table of answers has the
      text of another item.
    - A test row is also a training row, exactly or nearly, and the script names a test file (`tested on`).

    Columns that only number the rows are ignored. The rule ignores data with so few different values that copies
    occur by chance. If `from`, `tuned on` or `tested on` name the same file, the finding is an error.

    ## Why it matters
    A learner that memorises the training row predicts its copy correctly without having learned anything. The test
    score is then better than on new data. An item that is in a table twice counts as two independent items.

    ## Example
    ```eval,bad
    dataset flowers from builtin "iris" because "a small dataset that is widely used in teaching"
    compare decision-tree vs naive-bayes on flowers using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset flowers from builtin "iris", drop repeated rows because "a small dataset that is widely used in teaching"
    compare decision-tree vs naive-bayes on flowers using 10x10cv, seed 20
    ```

    ## When it is fine
    There is no problem if equal rows are separate cases, which is common if all columns have few different values.

    ## References
    None. The rule is our own choice.
    """
    seen: set[str] = set()
    for case in facts.cases:
        yield from _repeated_items(facts, case)
        for dataset in case.datasets:
            scheme, profile = case.comparison.scheme, facts.profile(dataset.name)
            if dataset.name in seen or scheme is None:
                continue
            at = Place(_statement(facts, case, dataset.name), Subject(dataset=dataset.name))
            twice = _file_twice(dataset)
            if twice:
                seen.add(dataset.name)
                yield rows_repeated.finding(
                    twice,
                    f"use separate files for the training, tuning and test rows of dataset `{dataset.name}`",
                    at=at,
                    level="error",
                    stage="design",
                )
            elif profile is not None and (problem := _copies(dataset, scheme, profile)) is not None:
                seen.add(dataset.name)
                yield rows_repeated.finding(*problem, at=at, stage="data")


def _repeated_items(facts: Facts, case: Case) -> Iterator[Finding]:
    """Report items of a table that have the text of another item: they are counted twice."""
    table, read = case.table, facts.tables.get(case.comparison.name)
    count = (read.items or sum(size for size, _ in read.sizes)) if read is not None else 0
    if table is None or read is None or read.groups or read.text_twins[1] <= REPEATED_SHARE * count:
        return
    (column, twins), unit = read.text_twins, case.units.removesuffix("s")
    yield rows_repeated.finding(
        f'{counted(twins, unit)} of table `{table.name}` ({percent(twins / count)}) have the same "{column}" '
        f"as another {unit}, but are counted as independent",
        f'remove the copies from the file, so that each "{column}" is there once',
        at=case.at(table.span),
        stage="data",
    )


def _file_twice(dataset: Dataset) -> str:
    """Return a sentence about a file that is used for two parts; empty when there is none."""
    parts = (("trained on", dataset.source), ("tuned on", dataset.tuned_on), ("tested on", dataset.tested_on))
    given = [(word, source) for word, source in parts if source is not None and source.kind not in ("described", "sql")]
    for i, (word, source) in enumerate(given):
        for other, second in given[i + 1 :]:
            if (source.kind, source.locator, source.options) == (second.kind, second.locator, second.options):
                same = f"the same file, `{source.locator}`"
                return f"dataset `{dataset.name}` is {word} and {other} {same}, so scores are better than on new data"
    return ""


def _copies(dataset: Dataset, scheme: Scheme, profile: Profile) -> tuple[str, str] | None:
    """Return message and help about copies of rows; None when there are none, or when no split can part them."""
    name, (column, texts) = dataset.name, profile.text_twins
    if scheme.card.needs == "tested_on" and profile.tuned_twins > REPEATED_SHARE * (profile.test_rows or math.inf):
        file = dataset.tuned_on.locator if dataset.tuned_on is not None else name
        return (
            f"{profile.tuned_twins} of the {profile.test_rows} test rows of dataset `{name}` are also tuning rows, so "
            "scores are better than on new data",
            f"remove these rows from the tuning file (`{file}`)",
        )
    if scheme.card.needs == "tested_on" and profile.test_rows:
        share = profile.test_twins / profile.test_rows
        if share > REPEATED_SHARE:
            verb = "is" if profile.test_twins == 1 else "are"
            message = (
                f"{profile.test_twins} of the {profile.test_rows} test rows ({percent(share)}) of dataset `{name}` "
                f"{verb} also"
            )
            rows = "a training row" if profile.test_twins == 1 else "training rows"
            help = f"remove these rows from the training file (`{dataset.source.locator or name}`)"
            if 2 * profile.test_twins >= profile.rows:  # the same file twice
                help = "test on a file with other rows"
            return f"{message} {rows}, so scores are better than on new data", help
    near, compared = profile.near_copies
    if scheme.card.needs == "tested_on" and near:
        return (
            f"{near} of {compared} test rows of dataset `{name}` nearly equal a training row, as after rounding, so "
            "scores are better than on new data",
            f"remove these rows from the training file (`{dataset.source.locator or name}`)",
        )
    if scheme.grouped or scheme.card.given or scheme.card.in_time:  # in time, equal rows are later observations
        return None
    if near and not profile.generated[0]:
        return (
            f"{near} of {compared} rows of dataset `{name}` have a nearly identical copy, as after rounding or with "
            "noise: if a learner is trained on the copy of a test row, its score is better than on new data",
            f"remove the copies from `{dataset.source.locator or name}`, or declare `groups` by a column they share",
        )
    if profile.duplicate_share > REPEATED_SHARE and not (dataset.drop_repeated or profile.copies_unavoidable):
        return (
            f"{counted(profile.duplicate_rows, 'row')} of dataset `{name}` ({percent(profile.duplicate_share)}) have "
            "an identical copy: if a learner is trained on the copy of a test row, its score is better than on new "
            "data",
            (
                f'define `dataset {name} from builtin "{name}", drop repeated rows`'
                if dataset.bundled
                else f"add `drop repeated rows` to dataset `{name}`"
            )
            + ", or declare `groups` by a column that the copies share",
        )
    if profile.rows and texts > REPEATED_SHARE * profile.rows:
        return (
            f'{counted(texts, "row")} of dataset `{name}` ({percent(texts / profile.rows)}) have the same "{column}" '
            "as another row: if a learner is trained on the text of a test row, its score is better than on new data",
            f'remove the copies from `{dataset.source.locator or name}`, so that each "{column}" is there once',
        )
    return None


@rule("EV106", "groups-split", "error", stage=("design", "data"), needs=("scheme", "dataset"), each=each_case)
def groups_split(facts: Facts, case: Case) -> Iterator[Finding]:
    """Rows of one group can be in the training set and in the test set.

    ## What it finds
    The rule finds a dataset with `groups` under a scheme that is not `grouped`. With the data, the rule also finds
    groups that are in several folds of a column (`using given folds`), or in both the training and the test file.

    ## Why it matters
    A learner that was trained on nine visits of a patient recognises the tenth visit. The score of this learner does
    not apply to new patients.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using grouped 10x10cv, seed 20
    ```

    ## When it is fine
    If the learner will predict new rows of the same groups, write `allow EV106 because "…"`.

    ## References
    None. The rule is our own choice.
    """
    scheme = case.comparison.scheme
    if scheme is not None and scheme.card.given:
        yield from _parted_groups(facts, case, scheme)
    if scheme is None or scheme.grouped or scheme.card.given:
        return
    grouped = [dataset for dataset in case.datasets if dataset.groups]
    if grouped:
        columns = listed([f'column "{d.groups}" of dataset `{d.name}`' for d in grouped])
        apart = len(grouped) < len(case.datasets)
        yield groups_split.finding(
            f"`{scheme.text}` can put rows of one group ({columns}) into both the training and the test set, so "
            "scores are better than on new groups",
            f"compare on {listed_names([d.name for d in grouped])} in a separate statement with `using grouped "
            f"{_bare(scheme.text)}`"
            if apart
            else f"write `using {_with_groups(scheme)}`, which keeps each group together",
            at=case.at(scheme.span, "using"),
            fix=None if apart else _grouped(case),
        )


def _parted_groups(facts: Facts, case: Case, scheme: Scheme) -> Iterator[Finding]:
    """Report groups that given folds, or a given test set, put on both sides; only the data shows them."""
    for dataset in case.datasets:
        profile = facts.profile(dataset.name)
        if profile is not None and profile.parted_groups:
            several = scheme.card.needs == "folds"
            where = "more than one fold" if several else "both the training and the test file"
            groups = f"{profile.parted_groups} of the {counted(profile.groups or 0, 'group')}"
            yield groups_split.finding(
                f'{groups} of dataset `{dataset.name}` (column "{dataset.groups}") are in {where}, so scores are '
                "better than on new groups",
                f"write `using {case.halves}`, or make folds of whole groups"
                if several
                else "remove the rows of these groups from the training file, so that only new groups are tested",
                at=case.at(scheme.span, "using"),
                stage="data",
            )


def _bare(text: str) -> str:
    return text.removeprefix("grouped ").removeprefix("unstratified ").removeprefix("stratified ")


def _with_groups(scheme: Scheme) -> str:
    """Return the scheme with `grouped`; a bootstrap of whole groups cannot keep the classes in proportion."""
    return f"grouped {_bare(scheme.text) if scheme.card.drawn else scheme.text}"


def _grouped(case: Case) -> Fix | None:
    scheme = case.comparison.scheme
    if scheme is None or not scheme.span.path or (scheme.card.drawn and scheme.stratified):
        return None
    start = Span(scheme.span.path, scheme.span.start, scheme.span.start)
    return Fix(title="keep groups together", edits=(Edit(start, "grouped "),))


@rule("EV107", "time-shuffled", "error", stage=("design", "data"), needs=("scheme", "dataset"), each=each_case)
def time_shuffled(facts: Facts, case: Case) -> Iterator[Finding]:
    """A learner is trained on later rows and tested on earlier ones.

    ## What it finds
    The rule finds a dataset with `time` under a scheme that is not `forward`. With the data, the rule also finds a test
    file with rows that are earlier than the last training row. If the column of dates is dropped or not declared as
    `time`, the rule only warns, and only if most test rows are earlier than all training rows. The rule does not check
    folds that are read from a column.

    ## Why it matters
    In production a model is trained on past rows only. Rows from next week contain information that is not available
    today.

    ## Example
    ```eval,bad
    dataset prices from csv "prices.csv", target "close", time "day" as regression because "the prices we forecast"
    compare linear-regression vs decision-tree on prices using 10x10cv, measuring rmse, seed 20
    ```

    ## Use instead
    ```eval
    dataset prices from csv "prices.csv", target "close", time "day" as regression because "the prices we forecast"
    compare linear-regression vs decision-tree on prices using forward 8 splits, measuring rmse
    ```

    ## When it is fine
    If time order does not matter for how the model will be used, write `allow EV107 because "…"`.

    ## References
    None. The rule is our own choice.
    """
    scheme = case.comparison.scheme
    for dataset in case.datasets if scheme is not None and scheme.card.needs == "tested_on" else ():
        profile = facts.profile(dataset.name)
        if profile is None or not profile.test_rows or profile.early_test_rows <= REPEATED_SHARE * profile.test_rows:
            continue
        yield time_shuffled.finding(
            f"{profile.early_test_rows} of the {profile.test_rows} test rows of dataset `{dataset.name}` are earlier "
            f'(column "{dataset.time}") than its last training row: in production, later rows are not known',
            "train only on rows that are earlier than all test rows",
            at=case.at("using"),
            stage="data",
        )
    if scheme is not None and scheme.card.needs == "tested_on":
        yield from _tested_on_the_past(facts, case)
    if scheme is None or scheme.card.in_time or scheme.card.given:
        return
    timed = [dataset for dataset in case.datasets if dataset.time]
    if timed:
        span = scheme.span if scheme.span.path else case.comparison.span_of("using")
        columns = listed([f'column "{d.time}" of dataset `{d.name}`' for d in timed])
        forward = f"{'grouped ' if scheme.grouped or any(d.groups for d in timed) else ''}forward 8 splits"
        yield time_shuffled.finding(
            f"`{scheme.text}` trains on rows that are later ({columns}) than the test rows; in production, later rows "
            "are not known",
            f"write `using {forward}{row_metric(case)}`, which trains only on earlier rows",
            at=case.at(span),
            fix=Fix(title="go forward in time", edits=(Edit(span, forward),), safe=False),
        )


def _tested_on_the_past(facts: Facts, case: Case) -> Iterator[Finding]:
    """Report test files most of whose rows are earlier than all training rows, by a date that is not declared."""
    for dataset in case.datasets:
        profile = facts.profile(dataset.name)
        early = profile.early_test_dates if profile is not None and profile.test_rows else ()
        column, rows = max(early, key=lambda found: found[1], default=("", 0))
        if profile is not None and rows > MOSTLY_SHARED * (profile.test_rows or 0):
            yield time_shuffled.finding(
                f"{rows} of the {profile.test_rows} test rows of dataset `{dataset.name}` are earlier (column "
                f'"{column}") than all of its training rows: in production, later rows are not known',
                "train only on rows that are earlier than all test rows",
                at=case.at("using"),
                level="warning",
                stage="data",
            )


@rule("EV108", "answer-in-features", "warning", stage="data", needs=("dataset",))
def answer_in_features(facts: Facts) -> Iterator[Finding]:
    """A column reveals the target, or only contains row numbers.

    ## What it finds
    - A column alone predicts the target of at least 99.5% of the rows, by a cross-validated lookup table of its
      values. For a column of categories the finding is a note from 90% of the rows, and a warning from 99% or if the
      name of the column says where the rows come from (hospital, scanner, source).
    - A column contains the mean of the target over the rows with the same value (target encoding on all rows).
    - A column is a numeric target in other units or a smooth function of it (`log_price`), or several columns add up
      to a numeric target.
    - In data with a time column, a column is a weighted sum of targets around the row, such as the target of the next
      row, or a moving mean that contains the row's own target. The rule ignores sums of earlier targets only.
    - A column only identifies the rows: it has a different text in every row, or consecutive whole numbers, or whole
      numbers and a name like `id`.

    EV120 reports columns that look like groups or dates.

    ## Why it matters
    With a column that reveals the target, every learner is nearly perfect in the study. In production the value of such
    a column is not yet known, so the learner is useless. A column that identifies the rows can be memorised, but does
    not help to predict new rows.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", drop "id" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## When it is fine
    There is no problem if the column is known at prediction time and the task is that easy.

    ## References
    None. The rule is our own choice.
    """
    seen: set[str] = set()
    for case, name, profile in each_dataset_read(facts):
        left = {found.column for found in _undeclared(facts.datasets[name], case.comparison.scheme, profile)}
        answers = [found for found in profile.answer_columns if found.column not in left]
        numbered = [column for column in profile.identifier_columns if column not in left]
        telling = [found for found in profile.telling_columns if found.column not in left]
        if name not in seen and telling:
            found = max(telling, key=lambda one: one.share)
            yield answer_in_features.finding(
                f'column "{found.column}" of dataset `{name}` alone predicts {percent(found.share)} of the rows '
                + (
                    "correctly. It is dropped, but learners may recognise it by the other columns"
                    if found.column in facts.datasets[name].drop
                    else "correctly, so learners may use it instead of the other columns"
                ),
                f'if it says where or how a row was collected, add rows of every class from each "{found.column}": '
                f'with these data a learner may recognise "{found.column}" instead of the class',
                at=Place(_statement(facts, case, name), Subject(dataset=name)),
                level="warning" if found.share >= CERTAIN or PROVENANCE.fullmatch(found.column) else "note",
            )
        made = [(columns, how) for columns, how in _made_of_target(profile) if columns]
        if name in seen or not (answers or numbered or made):
            seen |= {name} if telling else set()
            continue
        seen.add(name)
        alone = "alone predicts {} of the rows correctly, so it may reveal the target"
        made = [((found.column,), (alone.format(percent(found.share)), "")) for found in answers] + made
        made += [(tuple(numbered), _NUMBERED)] if numbered else []
        reasons = [f"{one(c, 'column', 'columns')} {listed_columns(c)} {one(c, *how)}" for c, how in made]
        columns = list(dict.fromkeys(column for found, _ in made for column in found))
        yield answer_in_features.finding(
            f"in dataset `{name}`, {listed(reasons)}",
            f"{_with_drop(facts.datasets[name], columns)}, unless {one(columns, 'it is', 'they are')} known at "
            "prediction time",
            at=Place(_statement(facts, case, name), Subject(dataset=name)),
        )


def _with_drop(dataset: Dataset, columns: Sequence[str], more: str = "", without: Sequence[str] = ()) -> str:
    """Return what to write so that a dataset drops more or fewer columns: it has one `drop` at most."""
    kept = [column for column in dataset.drop if column not in without]
    clause = ", ".join(f'"{column}"' for column in (*kept, *columns))
    clauses = ", ".join(filter(None, (clause and f"drop {clause}", more)))
    named = f"dataset `{dataset.name}`"
    return f"write `{clauses}` in place of the `drop` of {named}" if dataset.drop else f"add `{clauses}` to {named}"


_NUMBERED = tuple(f"{be} different in every row and can only be memorised" for be in ("is", "are"))


def _made_of_target(profile: Profile) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the columns that are computed from the target, with how (of one column, of several)."""
    means = "means of the target over all rows, so they contain the target of test rows"
    yield profile.target_means, (f"holds {means}", f"hold {means}")
    yield profile.sums_to_target, ("", "add up to the target, each times a factor")
    later = "computed from the target of the same or of later rows"
    yield profile.windows_of_target, (f"is {later}", f"are {later}")


@rule("EV109", "no-baseline", "warning", needs=("learner",), each=each_comparison)
def no_baseline(facts: Facts, case: Case) -> Iterator[Finding]:
    """The comparison has no established baseline.

    ## What it finds
    The rule finds a comparison in which every learner is your own code, and none comes with evalang or scikit-learn.
    The rule also finds a learner of your own that is compared only with trivial ones such as `majority`. The rule does
    not check tables of results or predictions.

    ## Why it matters
    If one new method beats another new method, both may still be worse than a known one. Salzberg's first step is to
    choose established algorithms for the comparison (section 3.5). Bramer asks for at least one established classifier
    (section 15.1).

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted" because "patient records of our clinic"
    learner first is "team_package.learners:First"
    learner second is "team_package.learners:Second"
    compare first vs second on visits using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted" because "patient records of our clinic"
    learner first is "team_package.learners:First"
    learner second is "team_package.learners:Second"
    compare first vs second vs majority on visits using 5x2cv, control majority, holm over learners, seed 20
    ```

    ## When it is fine
    There is no problem if two versions of one program are compared to decide which to keep.

    ## References
    Salzberg 1997, section 3.5, step 1; Bramer, section 15.1; Caruana and Niculescu-Mizil 2005, section 2.3.
    """
    trivial = [traits.name for traits in case.learners if traits.card is not None and traits.card.baseline]
    others = [traits.name for traits in case.learners if traits.name not in trivial]
    own = any(not traits.established for traits in case.learners if traits.name in others)
    if trivial and len(others) == 1 and own:
        yield no_baseline.finding(
            f"learner `{others[0]}` is compared only with {listed_names(trivial)}, which any learner beats: readers "
            "cannot judge the scores",
            "add a learner that is used for such data, such as `vs random-forest`, to the comparison",
            at=case.at(case.learner_span(others[0])),
        )
    if not case.learners or any(traits.established is not False for traits in case.learners):
        return
    names = [traits.name for traits in case.learners]
    yield no_baseline.finding(
        f"learners {listed_names(names)} are all your own code: without a known baseline, readers cannot judge the "
        "scores",
        "add `vs majority`, or a known learner such as `vs random-forest`, to the comparison",
        at=case.at(case.comparison.learner_spans[0] if case.comparison.learner_spans else case.comparison.span),
    )


@rule("EV110", "rare-class-accuracy", "warning", stage=("design", "data"), needs=("metric", "dataset"))
def rare_class_accuracy(facts: Facts) -> Iterator[Finding]:
    """Accuracy is the only metric, and nearly all rows are of one class.

    ## What it finds
    The rule finds a comparison or estimate whose only metric is `accuracy` or `error`, if at least 90% of the rows are
    of one class. The bound is our own choice.

    ## Why it matters
    A learner that always predicts this class is right for nine of ten rows, but useless. If such a baseline has 98%
    accuracy, an accuracy of 98.1% is hardly better (Caruana and Niculescu-Mizil 2005, section 2.3).

    ## Example
    ```eval,bad
    dataset fraud from synthetic gaussians(n = 2000, share = 0.05) because "the shape of the bank's records"
    compare decision-tree vs naive-bayes on fraud using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset fraud from synthetic gaussians(n = 2000, share = 0.05) because "the shape of the bank's records"
    compare decision-tree vs naive-bayes on fraud using 10x10cv, measuring balanced-accuracy, seed 20
    ```

    ## When it is fine
    There is no problem if both kinds of error cost the same.

    ## References
    Caruana and Niculescu-Mizil 2005, section 2.3.
    """
    for case, name, largest in _largest_classes(facts):
        if largest < RARE_SHARE or not case.metrics:
            continue
        if all(metric.name in ("accuracy", "error") for metric in case.metrics):
            share = percent(largest)
            by = "leave out `by` and " if case.has_clause("by") else ""
            seed = case.suggested_seed_clause if case.table is not None else ""
            yield rare_class_accuracy.finding(
                f"{share} of the rows of {'predictions' if case.table else 'dataset'} `{name}` are of one class: a "
                f"learner that always predicts it has {share} accuracy",
                f"{by}write `measuring balanced-accuracy{seed}`, which gives every class the same weight",
                at=case.at(
                    find_dataset(facts, case.comparison, name)
                    if case.comparison.metrics_origin != "written"
                    else case.comparison.span_of("measuring"),
                    dataset=name,
                ),
            )


def _largest_classes(facts: Facts) -> Iterator[tuple[Case, str, float]]:
    """Yield the share of the largest class, from data or predictions or, of two classes, as it is described."""
    for case in facts.cases:
        read = facts.tables.get(case.comparison.name)
        if read is not None and case.comparison.data == "predictions":
            yield case, read.name, read.largest_class
        for dataset in case.datasets:
            profile = facts.profile(dataset.name)
            if profile is not None:
                yield case, dataset.name, profile.largest_class_share
            elif dataset.rarest is not None and dataset.classes == 2:
                yield case, dataset.name, 1.0 - dataset.rarest


@rule("EV111", "one-dataset", "note", strict="warning")
def one_dataset(facts: Facts) -> Iterator[Finding]:
    """The result of the comparison applies to one dataset only.

    ## What it finds
    The rule finds a comparison on a single dataset.

    ## Why it matters
    A learner that is better on this dataset may be worse on other datasets. A result on one dataset cannot show this
    (Salzberg 1997, section 3.4).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    There is no problem if the dataset is the task itself, such as the bank's own records.

    ## References
    Salzberg 1997, section 3.4.
    """
    if not facts.compared:
        raise NotApplicable("nothing is compared")
    for case in facts.compared:
        if case.comparison.data == "datasets" and not case.comparison.several:
            name = case.comparison.datasets[0]
            yield one_dataset.finding(
                f"the comparison uses one dataset, `{name}`, so its result does not apply to other data",
                "add more datasets if you want to claim something about the learners in general",
                at=case.at(find_dataset(facts, case.comparison, name)),
            )


def _statement(facts: Facts, case: Case, name: str) -> Span:
    dataset = facts.datasets.get(name)
    if dataset is None or dataset.bundled or not dataset.span.path:
        return find_dataset(facts, case.comparison, name)
    return find_defined_name(facts, dataset.span)


@rule("EV112", "class-missing", "error", stage="data", needs=("scheme", "metric", "dataset"), each=each_dataset_read)
def class_missing(facts: Facts, case: Case, name: str, profile: Profile) -> Iterator[Finding]:
    """A class is missing from the training sets, or from test folds that need it.

    ## What it finds
    - A class has a single row, which cannot be in both the training and the test set.
    - A class is in the test set, but in no training row (`using given test`).
    - A class has fewer rows than there are folds, and the metric needs the class in each test fold: `roc-area` needs
      every class; `recall`, `average-precision`, `break-even` and `lift` need the positive class.

    ## Why it matters
    A class without training rows cannot be learned. If a test fold has no row of the class, the metric is undefined,
    and the run would fail after the training.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", missing "?", drop missing targets
      because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## When it is fine
    Never. Merge the class with another (`join classes`), or declare its label as `missing` if it means that the target
    is unknown.

    ## References
    None. The rule is our own choice.
    """
    missing = _lost(case, name, profile)
    if missing is not None:
        message, labels, rows = missing
        scheme = case.comparison.scheme
        ways = [f"write `using {case.like_scheme('10x2cv')}`"] * (scheme is not None and scheme.folds > 2 and rows > 5)
        ways += [f"get more {'training ' * (rows == 0)}rows of class {listed_columns(labels[:3])}"]
        if len(profile.classes) > 2:
            first, other = labels[0], next(label for label, _ in reversed(profile.classes) if label != labels[0])
            ways.append(f'add `join classes "{first}", "{other}" as "…"` to dataset `{name}`, choosing a related class')
        at = case.at(find_dataset(facts, case.comparison, name), dataset=name)
        yield class_missing.finding(message, ", or ".join(ways), at=at)


def _lost(case: Case, name: str, profile: Profile) -> tuple[str, list[str], int] | None:
    """Return a sentence about classes that some part cannot hold, the classes and the rows of the rarest."""
    scheme = case.comparison.scheme
    if scheme is None or not profile.classes:
        return None
    if scheme.card.needs == "tested_on":
        tested = dict(profile.test_classes)
        known = {label for label, count in profile.classes if count > tested.get(label, 0)}
        unseen = [label for label, count in profile.test_classes if count > 0 and label not in known]
        return (
            (
                f"{one(unseen, 'class', 'classes')} {listed_columns(unseen)} {one(unseen, 'is', 'are')} in the test "
                f"set of dataset `{name}`, but in no training row: no learner can predict {one(unseen, 'it', 'them')}",
                unseen,
                0,
            )
            if unseen
            else None
        )
    single = [label for label, count in profile.classes if count == 1]
    if single:
        more = [f"{len(single) - 3} more"] if len(single) > 3 else []
        named = listed([*(f'"{label}"' for label in single[:3]), *more])
        verb = (
            f"class {named} of dataset `{name}` has"
            if len(single) == 1
            else f"classes {named} of dataset `{name}` each have"
        )
        return f"{verb} a single row, which cannot be in both the training and the test set", single, 1
    for card, metric in zip(case.metrics, case.comparison.metrics, strict=False):
        needed, rare = _needed(card, metric, profile)
        if rare is not None and scheme.card.k_fold and rare[1] < scheme.folds:
            few = f'but dataset `{name}` has only {counted(rare[1], "row")} of class "{rare[0]}"'
            return (
                f"metric `{card.name}` needs {needed} in each of the {scheme.folds} test folds, {few}",
                [rare[0]],
                rare[1],
            )
    return None


def _needed(card: MetricEntry, metric: Metric, profile: Profile) -> tuple[str, tuple[str, int] | None]:
    """Return the class that every test set must have for a metric to exist, and its rows."""
    if card.name == "roc-area":
        return "every class", profile.smallest_class
    if card.name in NEED_POSITIVE and needs_positive(card, dict(metric.options), len(profile.classes)):
        return "the positive class", next((one for one in profile.classes if one[0] == profile.positive), None)
    return "", None


@rule("EV120", "column-undeclared", "warning", stage=("design", "data"), needs=("scheme", "dataset"))
def column_undeclared(facts: Facts) -> Iterator[Finding]:
    """A column looks like groups, dates or time series, but the script does not declare it.

    ## What it finds
    - A dataset without `groups` has a column of repeated values with the name of an entity (`patient`, `user_id`,
      `hospital`, `machine`), or a column such that rows with the same value also agree in at least half of the other
      columns (the bound is our own choice).
    - A dataset without `time` has a column of dates.
    - Under a forward scheme, a dataset without `series in` has a column that differs between the rows of one time
      stamp (a shop, a sensor), and most rows share their time stamp with another row.

    - A column has ids whose first parts (`image_12` of `image_12_copy_3`) join rows that are alike.
    - With a given test set, a column looks like groups, and some of its values are in both files.
    - The reason (`because`) of a dataset without `groups` and `time` says "several per patient" or "daily sales".

    The rule also checks columns that the script drops. The rule does not check folds that are given with the data.

    ## Why it matters
    A random split puts rows of one patient into both the training and the test set, so the score is better than on new
    patients. With dates, a random split trains on later rows than it tests, so the score is better than on future rows.
    `drop` does not help, because the other columns still identify the patient. Without `series in`, `gap 7 rows` leaves
    out seven rows of all series together. With ten shops and one row a day for each, seven rows are less than one day.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using grouped 10x10cv, seed 20
    ```

    ## When it is fine
    If rows with the same value are independent, or if the learner will predict new rows of the same patients, write
    `allow EV120 because "…"`.

    ## References
    None. The rule is our own choice.
    """
    seen: set[str] = set()
    for case, name, profile in each_dataset_read(facts) if facts.profiles is not None else ():
        scheme, dataset = case.comparison.scheme, facts.datasets[name]
        if name in seen or scheme is None or scheme.card.needs == "folds":
            continue
        seen.add(name)
        if scheme.card.in_time:
            yield from _series_undeclared(facts, case, profile)
            continue
        undeclared = _undeclared(dataset, scheme, profile)
        several = sum(name in other.comparison.datasets for other in facts.cases) > 1 or len(case.datasets) > 1
        for found in undeclared[:MOST_COLUMNS]:
            using = f"grouped {_bare(scheme.text)}"
            simple = not several and len(undeclared) == 1 and not (found.role == "time" and dataset.groups)
            # Of groups and of time at once: each alone would lead to the finding about the other.
            of_role = {one.role: one for one in reversed(undeclared) if not one.help} | {found.role: found}
            chosen = [of_role[role] for role in ("groups", "time") if role in of_role]
            clauses = ", ".join(f'{one.role} "{one.column}"' for one in chosen)
            dropped = [one.column for one in chosen if one.dropped]
            declare = _with_drop(dataset, (), clauses, dropped) if dropped else f"add `{clauses}` to dataset `{name}`"
            if "time" in of_role or dataset.time:
                grouped = "grouped " if dataset.groups or "groups" in of_role else ""
                using = f"{grouped}forward 8 splits{row_metric(case)}"
            also = "is dropped, but still " if found.dropped else ""
            yield column_undeclared.finding(
                f'column "{found.column}" of dataset `{name}` {also}{found.looks}: {_mixed(found, dataset)}',
                found.help
                or declare
                + (f" and write `using {using}`" if simple else f" and split by it (`using {using}`)")
                + f', or add `allow EV120 because "…"` to the dataset if {_FINE[found.role]}',
                at=Place(_statement(facts, case, name), Subject(dataset=name)),
                stage="data",
            )
        if not undeclared:
            seen.discard(name)
    for case in facts.cases:
        for dataset in case.datasets:
            if dataset.name not in seen:
                yield from _said_in_words(facts, case, dataset)
                seen.add(dataset.name)


def _said_in_words(facts: Facts, case: Case, dataset: Dataset) -> Iterator[Finding]:
    """Report a reason that says that rows belong together or are ordered in time, where a random split ignores it."""
    scheme, reason = case.comparison.scheme, dataset.because or ""
    if scheme is None or scheme.card.given or scheme.card.in_time or scheme.card.needs or dataset.time:
        return
    groups, time = "" if dataset.groups else groups_in(reason), time_in(reason)
    if groups or time:
        role, column = ("groups", "patient") if groups else ("time", "day")
        yield column_undeclared.finding(
            f'the reason of dataset `{dataset.name}` says "{groups or time}": {_MIXED[role]}',
            f'add a clause such as `{role} "{column}"` to dataset `{dataset.name}` and write '
            f"`using {f'grouped {_bare(scheme.text)}' if groups else 'forward 8 splits'}`, or write "
            f'`allow EV120 because "…"` if {_FINE[role]}',
            at=Place(_statement(facts, case, dataset.name), Subject(dataset=dataset.name)),
            stage="design",
        )


_FINE = {
    "groups": "rows with the same value are independent",
    "time": "time order does not matter for how the model is used",
}
_MIXED = {
    "groups": "a random split puts rows of one group into both the training and the test set",
    "time": "a random split trains on rows that are later than the test rows",
}


def _mixed(found: _Undeclared, dataset: Dataset) -> str:
    if dataset.groups and found.role == "groups":
        return (
            f'a split by "{dataset.groups}" puts rows of one "{found.column}" into both the training and the test set'
        )
    return _MIXED[found.role]


@dataclass(frozen=True, slots=True)
class _Undeclared:
    """A column that looks like groups or time."""

    column: str
    role: Literal["groups", "time"]
    looks: str
    dropped: bool
    help: str = ""  # where declaring the column is not enough


def _undeclared(dataset: Dataset, scheme: Scheme | None, profile: Profile) -> list[_Undeclared]:
    """Return the columns that EV120 reports under a random split or a given test set."""
    if scheme is None or scheme.card.needs == "folds" or scheme.card.in_time:
        return []
    if scheme.card.needs == "tested_on":
        return _undeclared_in_files(dataset, profile)
    has = f"values in {profile.rows} rows"
    if dataset.groups:
        coarser = [_holds_groups(dataset, column, values) for column, values in profile.group_like]
        return coarser + _times(dataset, profile)
    groups = [(c, f"has {n} {has}, so it may name groups", "") for c, n in profile.group_like]
    groups += [
        (
            c,
            f"has {n} {has}, and rows with the same value also agree in {k} of {m} other columns, so it may name "
            "groups",
            "",
        )
        for c, n, k, m in profile.entity_like
    ]
    column, part, parts = profile.id_parts
    if parts:
        looks = f'has ids with only {parts} different first parts (such as "{part}"), and rows of one part are alike'
        help = f'write the first part of "{column}" into a column of its own, and declare it as `groups`'
        groups.append((column, looks, help))
    found = [_Undeclared(c, "groups", looks, c in dataset.drop, help) for c, looks, help in groups]
    return found + _times(dataset, profile)


def _holds_groups(dataset: Dataset, column: str, values: int) -> _Undeclared:
    """Return the finding about persons or animals that have several of the declared groups each."""
    looks = f'has {values} values, each with one or more of the groups "{dataset.groups}"'
    dropped = column in dataset.drop
    help = (
        f'write `groups "{column}"` in place of `groups "{dataset.groups}"`'
        + (", and take the column out of `drop`" if dropped else "")
        + f', or write `allow EV120 because "…"` if {_FINE["groups"]}'
    )
    return _Undeclared(column, "groups", looks, dropped, help)


def _times(dataset: Dataset, profile: Profile) -> list[_Undeclared]:
    columns = () if dataset.time else profile.date_columns
    return [_Undeclared(column, "time", "contains dates", column in dataset.drop) for column in columns]


def _undeclared_in_files(dataset: Dataset, profile: Profile) -> list[_Undeclared]:
    """Return the columns like groups with values in both the training and the test file."""
    return [
        _Undeclared(
            column,
            "groups",
            f"may name groups: {counted(values, 'value')} {'is' if values == 1 else 'are'} in both the training and "
            "the test file",
            column in dataset.drop,
            "remove the rows with these values from the training file, "
            f'or write `allow EV120 because "…"` if {_FINE["groups"]}',
        )
        for column, values in (profile.parted_columns if not dataset.groups else ())
    ]


def _series_undeclared(facts: Facts, case: Case, profile: Profile) -> Iterator[Finding]:
    dataset = facts.datasets[profile.name]
    found = [one for one in profile.series_like if one[0] not in dataset.drop]
    if dataset.series or not found:
        return
    column, values = found[0]
    yield column_undeclared.finding(
        f'column "{column}" of dataset `{dataset.name}` differs between rows of the same time stamp ({values} '
        "values), so it may name time series. Without `series in`, `gap` counts the rows of all series together",
        f'add `series in "{column}"` to dataset `{dataset.name}`, or {_with_drop(dataset, (column,))} if it names no '
        "series",
        at=Place(_statement(facts, case, dataset.name), Subject(dataset=dataset.name)),
    )


@rule("EV121", "numbers-as-text", "warning", stage="data", needs=("dataset",))
def numbers_as_text(facts: Facts) -> Iterator[Finding]:
    """A column of numbers was read as text.

    ## What it finds
    The rule finds a text column in which more than half of the cells are numbers, with at least ten different numbers
    (both bounds are our own choice). Numbers with a decimal comma or thousands separators count too. If at least nine
    of ten cells are numbers, evalang rejects the file instead.

    ## Why it matters
    Every different number becomes its own category, so 3.1 is as far from 3.2 as from 900. A number that is not in the
    training set is an unknown category to the learner.

    ## Example
    ```eval,bad
    dataset goods from csv "goods.csv", target "sold" because "sales records of our own shop"
    compare decision-tree vs naive-bayes on goods using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset goods from csv "goods.csv", target "sold", missing "on request" because "sales records of our own shop"
    compare decision-tree vs naive-bayes on goods using 10x10cv, seed 20
    ```

    ## When it is fine
    If the numbers are labels, such as postal codes, write `csv "goods.csv"(categorical = "price")`.

    ## References
    None. The rule is our own choice.
    """
    seen: set[str] = set()
    for case, name, profile in each_dataset_read(facts):
        if name in seen:
            continue
        seen.add(name)
        for column in profile.numbers_as_text[:MOST_COLUMNS]:
            words = [f'"{word}" ({counted(cells, "cell")})' for word, cells in column.words]
            missing = ", ".join(f'"{word}"' for word, _ in column.words)
            yield numbers_as_text.finding(
                f'column "{column.column}" of dataset `{name}` was read as text'
                + (f" because of {listed(words)}" if words else "")
                + f", but {column.numbers} of its {column.cells} cells are numbers: each different number becomes "
                "its own category",
                (
                    f"add `missing {missing}` to dataset `{name}` if that means no value, "
                    if missing
                    else "write the numbers in the file with a decimal point, "
                )
                + f'or write `(categorical = "{column.column}")` after the file name if the numbers are labels',
                at=Place(_statement(facts, case, name), Subject(dataset=name)),
            )


@rule("EV128", "missing-as-number", "warning", stage="data", needs=("dataset",))
def missing_as_number(facts: Facts) -> Iterator[Finding]:
    """A number such as -999 may stand for missing values.

    ## What it finds
    The rule finds the smallest or largest value of a numeric column or target, if it occurs at least three times and
    one of these is true:
    - The value is a number made of nines, such as 9999 or -999, and far from the other values: at least three standard
      deviations from their mean, and at least one standard deviation from the nearest other value (the bounds are our
      own choice).
    - The value is the only negative value, and it is as far from the others as above, or more than twice as frequent
      as the values next to it.
    - The value is 0, and it is as far from the others as above. If only one column has such zeros, the finding is a
      note, because 0 may be a real value there.

    ## Why it matters
    A learner treats -999 as a measurement. In a feature, -999 distorts means and distances. In the target, the learner
    is trained and tested on a number that was not measured.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted" because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", missing -999 because "patient records of our clinic"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## When it is fine
    If the number was really measured, write `allow EV128 because "…"`.

    ## References
    None. The rule is our own choice.
    """
    seen: set[str] = set()
    for case, name, profile in each_dataset_read(facts):
        found = profile.sentinels if name not in seen else ()
        seen.add(name)
        zeros = all(one.value == 0 for one in found)
        for sentinel in found[:MOST_COLUMNS]:
            column, value, target = sentinel.column, f"{sentinel.value:.15g}", sentinel.column == profile.target
            rows = " and `drop missing targets`" if target else ""
            yield missing_as_number.finding(
                f'{"target" if target else "column"} "{column}" of dataset `{name}` has {value} in '
                f"{counted(sentinel.cells, 'row')} and otherwise {number(sentinel.low)} to {number(sentinel.high)}, so "
                f"{value} may stand for a missing value",
                (
                    f'empty these cells of column "{column}" in the file'
                    if sentinel.elsewhere
                    else f"add `missing {value}`{rows} to dataset `{name}`"
                )
                + ' if it does, or write `allow EV128 because "…"` if it was measured',
                at=Place(_statement(facts, case, name), Subject(dataset=name)),
                level="note" if zeros and len(found) == 1 else "warning",
            )


@rule("EV122", "rows-in-two-datasets", "warning", stage=("design", "data"), needs=("dataset",))
def rows_in_two_datasets(facts: Facts) -> Iterator[Finding]:
    """Two datasets of a comparison have rows in common.

    ## What it finds
    The rule finds the same source under two names, or subgroups of one source (`where`) that can share rows. With the
    data, the rule also finds two datasets with the same target that share more than 1% of the rows of the smaller one.
    For two files in separate comparisons the bound is half of the rows. Both bounds are our own choice. Columns that
    only number the rows are ignored.

    ## Why it matters
    The shared rows count twice, but every test over datasets assumes that the datasets are independent.

    ## Example
    ```eval,bad
    dataset adults from csv "visits.csv", target "readmitted", where "age" > 18
    dataset young from csv "visits.csv", target "readmitted", where "age" < 30
    suite people is adults, young because "the age groups of the guideline"
    compare decision-tree vs naive-bayes on people using 5x2cv, holm over datasets, seed 20
    ```

    ## Use instead
    ```eval
    dataset adults from csv "visits.csv", target "readmitted", where "age" > 18
    dataset young from csv "visits.csv", target "readmitted", where "age" <= 18
    suite people is adults, young because "the age groups of the guideline"
    compare decision-tree vs naive-bayes on people using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    There is no problem if the two datasets are different tasks on the same rows. If their targets differ, the rule
    finds nothing.

    ## References
    The rule is our own choice, based on Bramer, section 15.3.
    """
    seen: set[frozenset[str]] = set()
    for case in facts.cases:
        named = [d for d in case.datasets if d.source.kind not in _NO_FILE]
        for i, first in enumerate(named):
            for second in named[i + 1 :]:
                pair = frozenset((first.name, second.name))
                message = _overlap(facts, first, second)
                if pair not in seen and message:
                    seen.add(pair)
                    yield rows_in_two_datasets.finding(
                        message,
                        "remove one of the two datasets, or change the `where` conditions so that no row is in both"
                        if first.where or second.where
                        else "remove one of the two datasets"
                        + ", or the shared rows from one file" * (first.source != second.source),
                        at=case.at(find_dataset(facts, case.comparison, second.name)),
                    )
    yield from _files_apart(facts, seen)


def _files_apart(facts: Facts, seen: set[frozenset[str]]) -> Iterator[Finding]:
    """Report two files in separate comparisons that are mostly the same rows; equal files are EV508."""
    read = ((case, d) for case in facts.cases for d in case.datasets if facts.profile(d.name) is not None)
    used = {d.name: (case, d) for case, d in read if d.source.kind not in _NO_FILE}
    for (_, first), (case, second) in combinations(used.values(), 2):
        if frozenset((first.name, second.name)) in seen or first.source == second.source:
            continue
        message = "" if _same_rows(facts, first, second) else _count_shared(facts, first, second, MOSTLY_SHARED)
        if message:
            yield rows_in_two_datasets.finding(
                f"{message}, so the comparisons on these two datasets are not independent",
                "report only one of the comparisons, or remove the shared rows from one file",
                at=case.at(find_dataset(facts, case.comparison, second.name)),
            )


def _overlap(facts: Facts, first: Dataset, second: Dataset) -> str:
    """Return a sentence about rows that are in both datasets; empty when there are none."""
    if _share(first, second):
        return f"datasets `{first.name}` and `{second.name}` come from the same source: rows in both count twice"
    if _same_rows(facts, first, second):
        return f"datasets `{first.name}` and `{second.name}` have the same rows, which count twice"
    shared = _count_shared(facts, first, second, REPEATED_SHARE)
    return f"{shared} and count twice" if shared else ""


def _same_rows(facts: Facts, first: Dataset, second: Dataset) -> bool:
    """Whether two datasets that were read have the same rows and target."""
    one, other = facts.profile(first.name), facts.profile(second.name)
    if one is None or other is None or one.target != other.target:
        return False
    return bool(one.rows_hash) and one.rows_hash == other.rows_hash


def _count_shared(facts: Facts, first: Dataset, second: Dataset, share: float) -> str:
    """Return a sentence about shared rows, if they are more than a share of the smaller of two datasets."""
    one, other = facts.profile(first.name), facts.profile(second.name)
    if one is None or other is None or one.target != other.target:
        return ""
    small, large = sorted((one, other), key=lambda profile: profile.rows)
    rows = dict(small.shared).get(large.name, 0)
    if rows <= share * small.rows:
        return ""
    return f"{rows} of the {small.rows} rows of dataset `{small.name}` are also in dataset `{large.name}`"


def _share(first: Dataset, second: Dataset) -> bool:
    one = (first.source.kind, first.source.locator, first.query, first.target)
    other = (second.source.kind, second.source.locator, second.query, second.target)
    return one == other and not any(_apart(a, b) for a in first.where for b in second.where)


def _apart(a: Condition, b: Condition) -> bool:
    """Whether no row meets both conditions."""
    if a.column != b.column:
        return False
    if a.relation == b.relation == "is":
        return a.value != b.value
    if {a.relation, b.relation} == {"is", "is not"}:
        return a.value == b.value
    low, high = (a, b) if a.relation in (">", ">=") else (b, a)
    if low.relation not in (">", ">=") or high.relation not in ("<", "<="):
        return False
    if not isinstance(low.value, int | float) or not isinstance(high.value, int | float):
        return False
    strict = low.relation == ">" or high.relation == "<"
    return low.value > high.value or (strict and low.value == high.value)


UNKNOWN_ANSWERS = ("", "?", "na", "n/a", "nan", "null", "none", "unknown", "missing", "-")


@rule("EV124", "rows-chosen-by-target", "warning", needs=("dataset",))
def rows_chosen_by_target(facts: Facts) -> Iterator[Finding]:
    """Rows are selected by the value that is to be predicted.

    ## What it finds
    The rule finds `where` with the target column, unless it only leaves out a word for an unknown answer, such as "?".

    ## Why it matters
    At prediction time the target is not known, so rows cannot be selected by their target. If borderline or extreme
    values are left out, the task is easier than in production, and scores are better than in production.

    ## Example
    ```eval,bad
    dataset flats from csv "flats.csv", target "rent", where "rent" < 3000 as regression because "a survey of the city"
    compare linear-regression vs decision-tree on flats using 10x10cv, measuring rmse, seed 20
    ```

    ## Use instead
    ```eval
    dataset flats from csv "flats.csv", target "rent", where "rooms" < 8 as regression because "a survey of the city"
    compare linear-regression vs decision-tree on flats using 10x10cv, measuring rmse, seed 20
    ```

    ## When it is fine
    If a class is not part of the task at all, or values are known to be errors, write `allow EV124 because "…"`.

    ## References
    None. The rule is our own choice.
    """
    for dataset in facts.plan.datasets:
        chosen = [one for one in dataset.where if one.column == dataset.target and not _is_unknown(one)]
        if chosen and dataset.used:
            yield rows_chosen_by_target.finding(
                f'dataset `{dataset.name}` selects its rows by the target "{dataset.target}", which is not known at '
                "prediction time: the task may be easier than in production",
                'select rows by other columns, or write `allow EV124 because "…"` if the rows that are left out are '
                "not part of the task",
                at=Place(chosen[0].span, Subject(dataset=dataset.name)),
            )


def _is_unknown(condition: Condition) -> bool:
    return condition.relation == "is not" and str(condition.value).strip().lower() in UNKNOWN_ANSWERS


_UNIT = r"(?:h|d|w|m|y|hours?|days?|weeks?|months?|quarters?|years?)"
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(NUMBERS)})"
_HORIZON = re.compile(
    rf"(?:next|in|within|after|over)[ _-]?(?:{_COUNT}[ _-]?)?{_UNIT}(?![a-z])|(?:^|"
    rf"[ _-]){_COUNT}[ _-]?{_UNIT}(?:$|[ _-])"
    r"|(?:^|[ _-])[hd]\d+$|(?:^|[ _-])t[ _-]?(?:\+|plus)[ _-]?\d+"
    r"|(?:^|[ _-])(?:lead|ahead|horizon|future|tomorrow)(?:[ _-]|$)",
    re.IGNORECASE,
)
_DAYS = {"d": 1, "w": 7, "m": 30, "q": 91, "y": 365}


def _horizon_in(target: str) -> tuple[int, str]:
    """Return the horizon that the name of a target contains: how many, and of what.

    >>> _horizon_in("return_next_20d"), _horizon_in("demand_next_two_weeks"), _horizon_in("y_t+24")
    ((20, 'days'), (14, 'days'), (24, 'rows'))
    """
    found = _HORIZON.search(target)
    words = found[0] if found else ""
    number, unit = re.search(_COUNT, words, re.IGNORECASE), re.search(r"[dwmqy](?=[a-z]*$)", words.strip("_ -"))
    count = count_of(number[0]) if number else 1
    in_days = unit is not None and not re.search(r"t[ _-]?(?:\+|plus)", target)
    return (count * _DAYS[unit[0]], "days") if unit and in_days else (count, "rows")


def _rows_in(count: int, per_day: float) -> int:
    """Return a safe gap for so many days; with five rows a week they may be days of work."""
    return math.ceil(count * (1.0 if 0.6 < per_day < 0.75 else per_day) - 1e-9)


ROWS_A_DAY = {"hour": 24, "minute": 24 * 60, "second": 24 * 3600}  # by the name of the time column


@rule("EV125", "horizon-beyond-gap", "error", stage=("design", "data"), needs=("scheme", "dataset"), each=each_case)
def horizon_beyond_gap(facts: Facts, case: Case) -> Iterator[Finding]:
    """The gap between training and test rows is shorter than the horizon of the target.

    ## What it finds
    The rule finds a dataset with a `horizon` (how much later the target of a row is known) under a forward scheme whose
    `gap` is shorter or missing. A horizon in days is converted into rows when the data is read. For a dataset declared
    with `described as`, the rule assumes one row a day, or 24 if the time column is called `hour`, and a gap that is
    too short gives a warning. The rule also warns if there is no gap and only the name of the target suggests a horizon
    (`return_next_30d`, `load_h24`).

    ## Why it matters
    With a horizon of seven days, the target of yesterday's row becomes known in six days. Without a gap, some training
    targets come from the days that are tested.

    ## Example
    ```eval,bad
    dataset sales from csv "sales.csv", target "sold", time "day", horizon 7 rows as regression because "our own sales"
    compare linear-regression vs decision-tree on sales using forward 8 splits, measuring rmse
    ```

    ## Use instead
    ```eval
    dataset sales from csv "sales.csv", target "sold", time "day", horizon 7 rows as regression because "our own sales"
    compare linear-regression vs decision-tree on sales using forward 8 splits, gap 7 rows, measuring rmse
    ```

    ## When it is fine
    If every target is known at the time of its row, remove `horizon`.

    ## References
    None. The rule is our own choice.
    """
    scheme = case.comparison.scheme
    for dataset in case.datasets if scheme is not None and scheme.card.in_time else ():
        needed, profile = dataset.horizon, facts.profile(dataset.name)
        named = next((n for word, n in ROWS_A_DAY.items() if word in (dataset.time or "").lower()), 1)
        if needed is None and scheme is not None and _HORIZON.search(dataset.target or ""):
            count, unit = _horizon_in(dataset.target or "")
            per_day = 1.0 if unit == "rows" else profile.rows_per_day if profile is not None else None
            if scheme.gap < count * (per_day or 1 / count) - 1e-9:
                gap = f"a gap of {counted(scheme.gap, 'row')}" if scheme.gap else "no gap"
                yield horizon_beyond_gap.finding(
                    f'target "{dataset.target}" of dataset `{dataset.name}` seems to be known only {count} {unit} '
                    f"later: with {gap}, some training targets come from the test period",
                    f"add `horizon {count} {unit}` to dataset `{dataset.name}`, and "
                    + (f"`gap {_rows_in(count, per_day)} rows`" if per_day else "a `gap` of at least as many rows")
                    + " to the scheme",
                    at=case.at(case.scheme_span, dataset=dataset.name),
                    level="warning",
                    stage="design" if profile is None else "data",
                )
        if needed is None or scheme is None:
            continue
        assumed = needed.unit == "days" and profile is None and (dataset.source.kind == "described" or named > 1)
        known = profile.rows_per_day if profile is not None else named if assumed else None
        rate = 1.0 if needed.unit == "rows" else known
        rows = math.ceil(needed.count * rate - 1e-9) if rate is not None else None
        if scheme.gap < (rows if rows is not None else 1):
            gap = f"a gap of only {counted(scheme.gap, 'row')}" if scheme.gap else "no gap"
            each_day = f" if there {'is one row' if named == 1 else f'are {named} rows'} a day" if assumed else ""
            counts = f" ({counted(rows, 'row')}, {round(known, 2):g} a day)" if rows and known and not assumed else ""
            later = f"{needed.count} {needed.unit}{counts if needed.unit == 'days' else ''}"
            yield horizon_beyond_gap.finding(
                f"each target of dataset `{dataset.name}` becomes known {later} later than its "
                f"row, but `{scheme.text}` has {gap}: some training targets come from the test period",
                f"write `gap {rows} rows`{f' instead of `gap {scheme.gap} rows`' if scheme.gap else ''}{each_day}"
                if rows is not None
                else f"add `gap {needed.count} rows` if there is one row a day; `lint --data` counts the rows per day",
                at=case.at(case.scheme_span, dataset=dataset.name),
                level="warning" if assumed and scheme.gap else "error",
                stage="data" if needed.unit == "days" and profile is not None else "design",
            )
