"""EV1: datasets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...catalogue.metrics import MetricEntry, needs_positive
from ...catalogue.power import dataset_power, datasets_needed
from ...catalogue.sources import find_bundled
from ...data.profile_facts import Profile
from ...language.text import Edit, Finding, Fix, Span, Subject, counted, listed, one, percent
from ...plans.model import Condition, Dataset, Metric, Scheme
from ..case import Case, Place
from ..facts import Facts, NotApplicable
from ..reach import find_floors
from ..rule import find_dataset, find_defined_name, rule

LARGE_EFFECT = 0.8  # Cohen 1988, 2.2: a large effect in standard deviations
EVEN_CHANCE = 0.5  # ours: below it, the run is more likely to miss a large difference than to find it
_FOLDS = re.compile(r"\d+cv$")
SMALL_TEST_PART = 30  # D 3.5: the differences of proportions are taken for normal, which needs about 30 test rows
REPEATED_SHARE = 0.01  # ours: one row in a hundred with a twin
MOST_COLUMNS = 3  # reported of one dataset; ours
NEED_POSITIVE = ("recall", "average-precision", "break-even", "lift")  # without a positive row they do not exist
RARE_SHARE = 0.90  # C 2.3: at 90% in one class the baseline is hard to beat by accuracy; the number is ours


@rule("EV101", "choice-unexplained", "note", strict="warning", needs=("dataset",))
def choice_unexplained(facts: Facts) -> Iterator[Finding]:
    """Nobody says why this dataset was chosen.

    ## What it finds
    A dataset that is used without a `because` of its own and is in no suite that has one or says how it was drawn
    (`sampled from "…"`). Bundled names count; results and predictions do not.

    ## Why it matters
    With enough datasets to choose from, some will suit any learner. Only a reason that was there before the results
    tells a choice from a selection.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    In a first try that goes nowhere.

    ## References
    Bramer, section 15.4.
    """
    explained = {n for suite in facts.plan.suites if suite.because or suite.sampled_from for n in suite.members}
    whole = {each.name: suite.name for suite in facts.plan.suites for each in suite.each}
    seen: set[str] = set()
    for case in facts.cases:
        for dataset in case.datasets:
            name = whole.get(dataset.name, dataset.name)
            if dataset.because or dataset.name in explained or name in seen:
                continue
            together = [whole.get(one, one) for one in _named_together(facts, case, dataset)]
            without = [one for one in dict.fromkeys(together) if one not in seen]
            seen.update(without)
            bundled = dataset.bundled or dataset.source.kind == "python" or len(without) > 1
            yield choice_unexplained.finding(
                f"nothing says why {listed(without)} {one(without, 'was', 'were')} chosen",
                _where_to_say_why(facts, dataset, bundled),
                at=Place(
                    find_dataset(facts, case.comparison, dataset.name)
                    if bundled
                    else find_defined_name(facts, dataset.span),
                    Subject(dataset=dataset.name),
                ),
            )


def _named_together(facts: Facts, case: Case, dataset: Dataset) -> list[str]:
    """Return the unexplained members of the suite that names a dataset; the dataset alone outside a suite."""
    suites = [facts.suites[name] for name in case.comparison.suites if name in facts.suites]
    members = next((suite.members for suite in suites if dataset.name in suite.members), (dataset.name,))
    return [d.name for d in case.datasets if d.name in members and not d.because]


def _where_to_say_why(facts: Facts, dataset: Dataset, bundled: bool) -> str:
    suite = next((s.name for s in facts.plan.suites if dataset.name in s.members), "")
    if suite:
        return f'add because "…" to the suite {suite}'
    if bundled:
        return f'write suite chosen is {dataset.name}, … because "…" and compare on that'
    return 'add because "…" to the dataset, or to a suite it is in'


@rule("EV102", "well-worn-data", "note", strict="warning", needs=("dataset",))
def well_worn_data(facts: Facts) -> Iterator[Finding]:
    """A shared dataset has been used by a whole community before.

    ## What it finds
    Data that comes with evalang or from OpenML.

    ## Why it matters
    Salzberg's example (section 3.2): a hundred people study two learners of the same mean accuracy; five of them are
    expected to find a difference at 5%, those five publish, and the others move on. He takes the hundred experiments
    for independent, and says so.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted" because "the clinic's own records"
    compare decision-tree vs naive-bayes on visits using 5x2cv, seed 20
    ```

    ## When it is fine
    To repeat, to teach, to check a program; it is a note.

    ## References
    Salzberg 1997, sections 2.1 and 3.2; Bramer, section 15.4.
    """
    for case in facts.compared:
        worn = [dataset.name for dataset in case.datasets if _worn(dataset)]
        if worn:
            yield well_worn_data.finding(
                f"{listed(worn)} {one(worn, 'is', 'are')} shared by a whole community: of a hundred who look "
                f"there for a difference that does not exist, {case.comparison.alpha.value * 100:g} find one",
                "show the result on data of your own as well",
                at=case.at(find_dataset(facts, case.comparison, worn[0])),
            )


def _worn(dataset: Dataset) -> bool:
    if dataset.source.kind.startswith("openml"):
        return True
    found = find_bundled(dataset.source.locator) if dataset.source.kind == "builtin" else None
    return found is not None and found.well_worn


@rule("EV103", "too-few-datasets", "warning", stage=("design", "data"), needs=("test", "scheme", "learner", "dataset"))
def too_few_datasets(facts: Facts) -> Iterator[Finding]:
    """A test over datasets has too few of them to find even a large difference.

    ## What it finds
    A test over datasets that the script names, or that a claim needs, whose power for a large effect (0.8 standard
    deviations) is below one half: for the paired t-test eight datasets or fewer. The datasets of a table of results are
    counted once it is read. Where the test could not reject at all it is EV408.

    ## Why it matters
    Such a test misses a large difference more often than not, and "no significant difference" will then be read as
    "equal".

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, monks-1, monks-2, monks-3
      because "every bundled set with 400 rows or more"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, by wilcoxon, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, monks-1, monks-2, monks-3, iris, wine, visits
      because "every classification set at hand"
    dataset visits from csv "visits.csv", target "readmitted"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, by wilcoxon, seed 20
    ```

    ## When it is fine
    When a larger effect than that is expected; say which.

    ## References
    Ours; Cohen 1988 for the size of a large effect. Bramer's table of eight datasets (section 15.3, Figure 15.6) is
    significant at 5% because two were left out, which is another matter.
    """
    for floor in find_floors(facts):
        if floor.smallest > floor.level:
            continue
        case = floor.case
        comparison = case.comparison
        sides = 1 if comparison.expecting else 2
        alpha = comparison.alpha.value
        power = dataset_power(
            floor.test.name, floor.units, difference=LARGE_EFFECT, spread=1.0, alpha=alpha, sides=sides
        )
        if power is not None and power < EVEN_CHANCE:
            wanted = datasets_needed(floor.test.name, LARGE_EFFECT, power=EVEN_CHANCE, alpha=alpha, sides=sides)
            yield too_few_datasets.finding(
                f"{floor.test.name} over {counted(floor.units, 'dataset')} finds a large difference "
                f"({LARGE_EFFECT} standard deviations) with a chance of only {percent(power)}",
                f"take {wanted} datasets or more" if wanted else "take more datasets",
                at=case.at(floor.test.span, _datasets_span(case)),
                stage="data" if floor.read else "design",
            )


def _datasets_span(case: Case) -> Span:
    spans = case.comparison.dataset_spans
    return Span(spans[0].path, spans[0].start, spans[-1].end) if spans else case.comparison.span


@rule("EV104", "too-few-rows", "warning", stage="data", needs=("scheme", "dataset"))
def too_few_rows(facts: Facts) -> Iterator[Finding]:
    """There are too few rows for the scheme.

    ## What it finds
    A class with fewer members than there are folds, and test parts of fewer than 30 rows under `5x2cv`.

    ## Why it matters
    Some folds then have no row of the class. And a t test on halves takes differences of shares for
    normal, which they are not on a handful of rows.

    ## Example
    ```eval,bad
    dataset wines from builtin "wine" because "the second example of every book"
    compare decision-tree vs naive-bayes on wines using 2x60cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset wines from builtin "wine" because "the second example of every book"
    compare decision-tree vs naive-bayes on wines using 10x10cv, seed 20
    ```

    ## When it is fine
    When the rare class is of no interest.

    ## References
    Dietterich 1998, section 3.5.
    """
    for case, name, profile in profiled(facts):
        scheme = case.comparison.scheme
        if scheme is None:
            continue
        rare = profile.smallest_class
        if rare is not None and scheme.card.dealt and rare[1] < scheme.folds and not _lost(case, name, profile):
            yield too_few_rows.finding(
                f"class {rare[0]} of {name} has {counted(rare[1], 'row')} and {scheme.text} has {scheme.folds} "
                "folds: some folds have none of it",
                f"write using {_FOLDS.sub(f'{max(rare[1], 2)}cv', scheme.text)}",
                at=case.at(case.scheme_span, dataset=name),
            )
        tested = scheme.test_rows(profile.rows)
        if scheme.card.five_by_two and tested is not None and tested < SMALL_TEST_PART:
            yield too_few_rows.finding(
                f"the test parts of {scheme.text} on {name} have {int(tested)} rows, and a t test on halves "
                f"needs about {SMALL_TEST_PART}",
                f"take more rows: {2 * SMALL_TEST_PART} or more",
                at=case.at(case.scheme_span, dataset=name),
            )


@rule("EV105", "rows-repeated", "warning", stage="data", needs=("scheme", "dataset"))
def rows_repeated(facts: Facts) -> Iterator[Finding]:
    """Rows have twins that can land on the other side of a split.

    ## What it finds
    More than 1% of the rows (our bound) with an identical twin, features and target alike, under a scheme that may
    train on the one and test on the other; and more than 1% of the rows of a given test set that are among the training
    rows too.

    ## Why it matters
    A learner that remembers the twin is right without having learned anything.

    ## Example
    ```eval,bad
    dataset flowers from builtin "iris" because "the first example of every book"
    compare decision-tree vs naive-bayes on flowers using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset flowers from builtin "iris", drop repeated rows because "the first example of every book"
    compare decision-tree vs naive-bayes on flowers using 10x10cv, seed 20
    ```

    ## When it is fine
    When equal rows are separate cases, as with few columns of few values.

    ## References
    Ours.
    """
    seen: set[str] = set()
    for case, name, profile in profiled(facts):
        scheme = case.comparison.scheme
        if name in seen or scheme is None or facts.datasets[name].drop_repeated:
            continue
        if scheme.card.needs == "tested_on" and profile.test_rows:
            share = profile.test_twins / profile.test_rows
            if share > REPEATED_SHARE:
                seen.add(name)
                yield rows_repeated.finding(
                    f"{counted(profile.test_twins, 'row')} of the {profile.test_rows} in the test set of {name} "
                    f"({percent(share)}) {'is' if profile.test_twins == 1 else 'are'} among its training rows too",
                    "take them out of the file that is trained on",
                    at=Place(_statement(facts, case, name), Subject(dataset=name)),
                )
        if scheme.grouped or scheme.card.given:
            continue
        if profile.duplicate_share > REPEATED_SHARE:
            seen.add(name)
            yield rows_repeated.finding(
                f"{counted(profile.duplicate_rows, 'row')} of {name} ({percent(profile.duplicate_share)}) have "
                "an identical twin, which can be trained on while they are tested",
                "add drop repeated rows to the dataset, or groups for what makes them one case",
                at=Place(_statement(facts, case, name), Subject(dataset=name)),
            )


@rule("EV106", "groups-split", "error", needs=("scheme", "dataset"))
def groups_split(facts: Facts) -> Iterator[Finding]:
    """Rows of one group can land on both sides of a split.

    ## What it finds
    A dataset with a groups column under a scheme that is not `grouped`. Folds and test sets given with the data are
    left alone.

    ## Why it matters
    A learner that has seen nine visits of a patient knows the tenth. Its score says nothing about new patients.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "the clinic's own records"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "the clinic's own records"
    compare decision-tree vs naive-bayes on visits using grouped 10x10cv, seed 20
    ```

    ## When it is fine
    When new rows of the same groups are what will be predicted; then leave the groups column out.

    ## References
    Ours; the data layer's own tests show the leak.
    """
    for case in facts.cases:
        scheme = case.comparison.scheme
        if scheme is None or scheme.grouped or scheme.card.given:
            continue
        grouped = [dataset for dataset in case.datasets if dataset.groups]
        if grouped:
            columns = listed([f"{d.groups} of {d.name}" for d in grouped])
            apart = len(grouped) < len(case.datasets)
            yield groups_split.finding(
                f"rows of one group ({columns}) can be trained on and tested on at once under {scheme.text}",
                f"compare on {listed([d.name for d in grouped])} in a statement of its own, using grouped "
                f"{_bare(scheme.text)}"
                if apart
                else f"write using {_with_groups(scheme)}",
                at=case.at(scheme.span, "using"),
                fix=None if apart else _grouped(case),
            )


def _bare(text: str) -> str:
    return text.removeprefix("unstratified ").removeprefix("stratified ")


def _with_groups(scheme: Scheme) -> str:
    """Return the scheme with `grouped`; a bootstrap of whole groups cannot keep the classes in proportion."""
    return f"grouped {_bare(scheme.text) if scheme.card.drawn else scheme.text}"


def _grouped(case: Case) -> Fix | None:
    scheme = case.comparison.scheme
    if scheme is None or not scheme.span.path or (scheme.card.drawn and scheme.stratified):
        return None
    start = Span(scheme.span.path, scheme.span.start, scheme.span.start)
    return Fix(title="keep groups together", edits=(Edit(start, "grouped "),))


@rule("EV107", "time-shuffled", "error", needs=("scheme", "dataset"))
def time_shuffled(facts: Facts) -> Iterator[Finding]:
    """The learner is trained on the future and tested on the past.

    ## What it finds
    A dataset with a time column under a scheme that is not `forward`. Folds and test sets given with the data are left
    alone.

    ## Why it matters
    In use only the past is known. Rows of next week in the training part tell what no one could know.

    ## Example
    ```eval,bad
    dataset prices from csv "prices.csv", target "close", time "day" as regression because "the desk's own prices"
    compare linear-regression vs decision-tree on prices using 10x10cv, measuring rmse, seed 20
    ```

    ## Use instead
    ```eval
    dataset prices from csv "prices.csv", target "close", time "day" as regression because "the desk's own prices"
    compare linear-regression vs decision-tree on prices using forward 8 splits, measuring rmse
    ```

    ## When it is fine
    When time plays no part in use; then leave the time column out.

    ## References
    Ours.
    """
    for case in facts.cases:
        scheme = case.comparison.scheme
        if scheme is None or scheme.card.in_time or scheme.card.given:
            continue
        timed = [dataset for dataset in case.datasets if dataset.time]
        if timed:
            span = scheme.span if scheme.span.path else case.comparison.span_of("using")
            columns = listed([f"{d.time} of {d.name}" for d in timed])
            yield time_shuffled.finding(
                f"{scheme.text} trains on rows that come later ({columns}) than the rows it tests",
                "write using forward 8 splits",
                at=case.at(span),
                fix=Fix(title="go forward in time", edits=(Edit(span, "forward 8 splits"),), safe=False),
            )


@rule("EV108", "answer-in-features", "warning", stage="data", needs=("dataset",))
def answer_in_features(facts: Facts) -> Iterator[Finding]:
    """A column gives the answer away, or only numbers the rows.

    ## What it finds
    A column whose values alone tell the target (a look-up of its values, cross-validated, is right for 99.5% of the
    rows), and columns with another text or whole number in every row.

    ## Why it matters
    The first makes every learner perfect in the study and useless afterwards: the column is not there when it is
    needed. The second can only be remembered.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted" because "the clinic's own records"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", drop "id" because "the clinic's own records"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## When it is fine
    When the column is known at the time of the prediction and the task is that easy.

    ## References
    Ours.
    """
    seen: set[str] = set()
    for case, name, profile in profiled(facts):
        if name in seen or not (profile.answer_columns or profile.identifier_columns):
            continue
        seen.add(name)
        reasons = [f"{c.column} alone is right for {percent(c.share)} of the rows" for c in profile.answer_columns]
        numbered = list(profile.identifier_columns)
        if numbered:
            reasons.append(f"{listed(numbered)} {one(numbered, 'is', 'are')} different in every row")
        columns = [c.column for c in profile.answer_columns] + numbered
        yield answer_in_features.finding(
            f"in {name}, {listed(reasons)}",
            "drop " + ", ".join(f'"{column}"' for column in columns) + " unless known when predicting",
            at=Place(_statement(facts, case, name), Subject(dataset=name)),
        )


@rule("EV109", "no-baseline", "warning", needs=("learner",))
def no_baseline(facts: Facts) -> Iterator[Finding]:
    """Nothing established is compared with.

    ## What it finds
    A comparison all of whose learners are code of one's own: none is from the catalogue or from scikit-learn. Results
    and predictions do not count.

    ## Why it matters
    That one new thing beats another new thing tells a reader little. Salzberg's first step is to choose other
    algorithms, the one most similar to the new one among them; Bramer asks for at least one established algorithm
    (section 15.1); Caruana and Niculescu-Mizil put scores on a scale whose 0 is a baseline that predicts the share of
    positives.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted" because "the clinic's own records"
    learner first is "team_package.learners:First"
    learner second is "team_package.learners:Second"
    compare first vs second on visits using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted" because "the clinic's own records"
    learner first is "team_package.learners:First"
    learner second is "team_package.learners:Second"
    compare first vs second vs majority on visits using 5x2cv, control majority, holm over learners, seed 20
    ```

    ## When it is fine
    When two versions of one program are compared to decide which to keep.

    ## References
    Salzberg 1997, section 3.5, step 1; Bramer, section 15.1; Caruana and Niculescu-Mizil 2005, section 2.3.
    """
    for case in facts.compared:
        if not case.learners or any(traits.established is not False for traits in case.learners):
            continue
        names = [traits.name for traits in case.learners]
        yield no_baseline.finding(
            f"{listed(names)} are all code of your own: nothing established stands beside them",
            "add a known learner, or majority, to the comparison",
            at=case.at(case.comparison.learner_spans[0] if case.comparison.learner_spans else case.comparison.span),
        )


@rule("EV110", "rare-class-accuracy", "warning", stage=("design", "data"), needs=("metric", "dataset"))
def rare_class_accuracy(facts: Facts) -> Iterator[Finding]:
    """Accuracy alone, where nearly all rows are of one class.

    ## What it finds
    A comparison or estimate by accuracy or error only, on data of which one class holds 90% of the rows or more (our
    bound).

    ## Why it matters
    A learner that always says that class is right in nine of ten cases, and useless. Caruana and Niculescu-Mizil's
    example: where the baseline is right in 98% of the cases, an accuracy of .981 is probably not good (section 2.3).

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
    When both kinds of error cost the same.

    ## References
    Caruana and Niculescu-Mizil 2005, section 2.3.
    """
    for case, name, largest in _largest_classes(facts):
        if largest < RARE_SHARE or not case.metrics:
            continue
        if all(metric.name in ("accuracy", "error") for metric in case.metrics):
            share = percent(largest)
            yield rare_class_accuracy.finding(
                f"{share} of {name} is of one class: a learner that says nothing else has an accuracy of {share}",
                "add balanced-accuracy, roc-area or f-score",
                at=case.at(
                    find_dataset(facts, case.comparison, name)
                    if case.comparison.metrics_origin != "written"
                    else case.comparison.span_of("measuring"),
                    dataset=name,
                ),
            )


def _largest_classes(facts: Facts) -> Iterator[tuple[Case, str, float]]:
    """Yield the share of the largest class, from the data or, of two classes, as it is described."""
    for case in facts.cases:
        for dataset in case.datasets:
            profile = facts.profile(dataset.name)
            if profile is not None:
                yield case, dataset.name, profile.largest_class_share
            elif dataset.rarest is not None and dataset.classes == 2:
                yield case, dataset.name, 1.0 - dataset.rarest


@rule("EV111", "one-dataset", "note", strict="warning")
def one_dataset(facts: Facts) -> Iterator[Finding]:
    """The verdict is about this dataset only.

    ## What it finds
    A comparison on a single dataset.

    ## Why it matters
    A learner that is better here may be worse elsewhere; nothing in such a result speaks about other data.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    When the dataset is the task itself: the bank's own records.

    ## References
    Salzberg 1997, section 3.4.
    """
    if not facts.compared:
        raise NotApplicable("nothing is compared")
    for case in facts.compared:
        if case.comparison.data == "datasets" and not case.comparison.several:
            name = case.comparison.datasets[0]
            yield one_dataset.finding(
                f"whatever comes out, it is about {name} and no other data",
                "name more datasets when the sentence is to be about learners in general",
                at=case.at(find_dataset(facts, case.comparison, name)),
            )


def profiled(facts: Facts) -> Iterator[tuple[Case, str, Profile]]:
    """Yield every comparison on every dataset that was opened."""
    if facts.profiles is None:
        raise NotApplicable("the data has not been opened")
    for case in facts.cases:
        for name in case.comparison.datasets if case.comparison.data == "datasets" else ():
            profile = facts.profile(name)
            if profile is not None:
                yield case, name, profile


def _statement(facts: Facts, case: Case, name: str) -> Span:
    dataset = facts.datasets.get(name)
    if dataset is None or dataset.bundled or not dataset.span.path:
        return find_dataset(facts, case.comparison, name)
    return find_defined_name(facts, dataset.span)


@rule("EV112", "class-missing", "error", stage="data", needs=("scheme", "metric", "dataset"))
def class_missing(facts: Facts) -> Iterator[Finding]:
    """A class is missing from the training parts, or from test parts that need it.

    ## What it finds
    A class with a single row, which can only be on one side of a split; a class of a given test set that no training
    row has; and a class with fewer rows than folds under a metric that needs it in each test part: every class for
    roc-area, the positive one for recall, average-precision, break-even and lift.

    ## Why it matters
    What no training part holds cannot be learned, and the metric does not exist on a test part without the class: the
    trial would fail after the work was done.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted" because "the clinic's own records"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", where "readmitted" is not "?"
      because "the clinic's own records"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## When it is fine
    Never; leave the class out, or join it with another.

    ## References
    Ours.
    """
    for case, name, profile in profiled(facts):
        missing = _lost(case, name, profile)
        if missing:
            yield class_missing.finding(
                missing,
                "leave the class out, join it with another, or use fewer folds",
                at=case.at(find_dataset(facts, case.comparison, name), dataset=name),
            )


def _lost(case: Case, name: str, profile: Profile) -> str:
    """Return a sentence about a class that some part cannot hold; empty when there is none."""
    scheme = case.comparison.scheme
    if scheme is None or not profile.classes:
        return ""
    if scheme.card.needs == "tested_on":
        tested = dict(profile.test_classes)
        known = {label for label, count in profile.classes if count > tested.get(label, 0)}
        unseen = [label for label, count in profile.test_classes if count > 0 and label not in known]
        return f"class {listed(unseen)} is in the test set of {name} and in no training row" if unseen else ""
    single = [label for label, count in profile.classes if count == 1]
    if single:
        return f"class {listed(single)} of {name} has a single row: no learner can be trained on it and tested on it"
    for card, metric in zip(case.metrics, case.comparison.metrics, strict=False):
        needed, rare = _needed(card, metric, profile)
        if rare is not None and scheme.card.dealt and rare[1] < scheme.folds:
            few = f"and there are {rare[1]} rows of {rare[0]}"
            return f"{card.name} needs {needed} of {name} in each of the {scheme.folds} test parts, {few}"
    return ""


def _needed(card: MetricEntry, metric: Metric, profile: Profile) -> tuple[str, tuple[str, int] | None]:
    """Return the class that every test part must have for a metric to exist, and its rows."""
    if card.name == "roc-area":
        return "every class", profile.smallest_class
    if card.name in NEED_POSITIVE and needs_positive(card, dict(metric.options), len(profile.classes)):
        return "the positive class", next((one for one in profile.classes if one[0] == profile.positive), None)
    return "", None


@rule("EV120", "column-undeclared", "warning", stage="data", needs=("scheme", "dataset"))
def column_undeclared(facts: Facts) -> Iterator[Finding]:
    """A column looks like groups, dates or series, and nothing declares it.

    ## What it finds
    Among the features, a column that is named like whoever a row is about (`patient`, `user_id`) and whose values come
    back, where the dataset declares no `groups`; and a column of dates, where it declares no `time`. Under a scheme
    that goes forward in time, instead: a column that tells the rows of each time stamp apart (a shop, a sensor), where
    most rows share theirs and the dataset declares no `series in`. Folds and test sets given with the data are left
    alone.

    ## Why it matters
    Rows of one patient on both sides of a split are a leak that no score shows, and so are rows of next week. A learner
    that takes the column for a feature also learns by heart who was ill. Where nothing says that a table holds several
    series, `gap 7 rows` leaves out seven rows of all of them together: of ten shops less than a day.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted" because "the clinic's own records"
    compare decision-tree vs naive-bayes on visits using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "the clinic's own records"
    compare decision-tree vs naive-bayes on visits using grouped 10x10cv, seed 20
    ```

    ## When it is fine
    When a value is no case of its own, or new rows of the same cases are what will be predicted: `drop` the column.

    ## References
    Ours.
    """
    seen: set[str] = set()
    for case, name, profile in profiled(facts):
        scheme = case.comparison.scheme
        if name in seen or scheme is None or scheme.card.given:
            continue
        seen.add(name)
        if scheme.card.in_time:
            yield from _series_undeclared(facts, case, profile)
            continue
        bare = scheme.text.removeprefix("unstratified ").removeprefix("stratified ")
        undeclared = [
            (f"{column} of {name} has {values} values in {profile.rows} rows, as groups have", column, "groups")
            for column, values in profile.group_like
            if not facts.datasets[name].groups
        ]
        undeclared += [
            (f"{column} of {name} holds dates", column, "time")
            for column in profile.date_columns
            if not facts.datasets[name].time
        ]
        if not undeclared:
            continue
        several = sum(name in other.comparison.datasets for other in facts.cases) > 1 or len(case.datasets) > 1
        for what, column, role in undeclared[:MOST_COLUMNS]:
            using = f"grouped {bare}" if role == "groups" else "forward 8 splits"
            simple = not several and len(undeclared) == 1 and not (role == "time" and facts.datasets[name].groups)
            declared = f'add {role} "{column}" to the dataset and write using {using}, or '
            yield column_undeclared.finding(
                f"{what}, and nothing declares it",
                (declared if simple else "")
                + f'add drop "{column}"'
                + ("" if simple else f', or say {role} "{column}" and split the rows by it everywhere'),
                at=Place(_statement(facts, case, name), Subject(dataset=name)),
            )


def _series_undeclared(facts: Facts, case: Case, profile: Profile) -> Iterator[Finding]:
    dataset = facts.datasets[profile.name]
    found = [one for one in profile.series_like if one[0] not in dataset.drop]
    if dataset.series or not found:
        return
    column, values = found[0]
    yield column_undeclared.finding(
        f"{column} of {dataset.name} has {values} values and tells the rows of each time stamp apart, as series do, "
        "and nothing declares it",
        f'add series in "{column}" to the dataset, or add drop "{column}"',
        at=Place(_statement(facts, case, dataset.name), Subject(dataset=dataset.name)),
    )


@rule("EV121", "numbers-as-text", "warning", stage="data", needs=("dataset",))
def numbers_as_text(facts: Facts) -> Iterator[Finding]:
    """A column of numbers was read as text.

    ## What it finds
    A text column with more numbers among its cells than words, and ten different ones or more (both bounds are ours);
    decimal commas and thousands marks count as numbers. With nine cells of ten the data is refused when it is opened.

    ## Why it matters
    Every number becomes a category of its own: 3.1 is then as far from 3.2 as from 900, and values that training never
    saw are unknown.

    ## Example
    ```eval,bad
    dataset goods from csv "goods.csv", target "sold" because "the shop's own records"
    compare decision-tree vs naive-bayes on goods using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset goods from csv "goods.csv", target "sold", missing "on request" because "the shop's own records"
    compare decision-tree vs naive-bayes on goods using 10x10cv, seed 20
    ```

    ## When it is fine
    When the numbers are names, such as postal codes; then say so: `csv "goods.csv"(categorical = "price")`.

    ## References
    Ours.
    """
    seen: set[str] = set()
    for case, name, profile in profiled(facts):
        if name in seen:
            continue
        seen.add(name)
        for column in profile.numbers_as_text[:MOST_COLUMNS]:
            words = [f'"{word}" ({counted(cells, "cell")})' for word, cells in column.words]
            missing = ", ".join(f'"{word}"' for word, _ in column.words)
            yield numbers_as_text.finding(
                f"{column.column} of {name} was read as text: {column.numbers} of its {column.cells} cells are numbers"
                + (f", and {listed(words)} {one(words, 'is', 'are')} not" if words else ""),
                (f"add missing {missing} if that means no value, " if missing else "write the numbers with a point, ")
                + f'or write (categorical = "{column.column}") after the file if they are names',
                at=Place(_statement(facts, case, name), Subject(dataset=name)),
            )


@rule("EV122", "rows-in-two-datasets", "warning", stage=("design", "data"), needs=("dataset",))
def rows_in_two_datasets(facts: Facts) -> Iterator[Finding]:
    """Two datasets of a comparison have rows in common.

    ## What it finds
    The same source under two names, and subgroups of one source (`where`) that can share rows; once the data is open,
    two files with the same rows.

    ## Why it matters
    What happens on those rows counts twice, in the list of verdicts and in every test over datasets.

    ## Example
    ```eval,bad
    dataset adults from csv "visits.csv", target "readmitted", where "age" > 18
    dataset young from csv "visits.csv", target "readmitted", where "age" < 30
    suite people is adults, young because "the groups of the guideline"
    compare decision-tree vs naive-bayes on people using 5x2cv, holm over datasets, seed 20
    ```

    ## Use instead
    ```eval
    dataset adults from csv "visits.csv", target "readmitted", where "age" > 18
    dataset young from csv "visits.csv", target "readmitted", where "age" <= 18
    suite people is adults, young because "the groups of the guideline"
    compare decision-tree vs naive-bayes on people using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    When the targets differ, so that the two are two tasks; then the rows still are the same.

    ## References
    Ours, after Bramer, section 15.3: which datasets are in the table decides what comes out.
    """
    seen: set[frozenset[str]] = set()
    for case in facts.cases:
        named = [d for d in case.datasets if d.source.kind not in ("python", "described", "unknown", "synthetic")]
        for i, first in enumerate(named):
            for second in named[i + 1 :]:
                pair = frozenset((first.name, second.name))
                same = _share(first, second)
                if pair not in seen and (same or _equal(facts, first, second)):
                    seen.add(pair)
                    what = "are read from the same source and can share rows" if same else "hold the same rows"
                    yield rows_in_two_datasets.finding(
                        f"{first.name} and {second.name} {what}",
                        "take one of them, or make them groups that cannot overlap",
                        at=case.at(find_dataset(facts, case.comparison, second.name)),
                    )


def _equal(facts: Facts, first: Dataset, second: Dataset) -> bool:
    """Whether both were opened and hold the same rows for the same target."""
    one, other = facts.profile(first.name), facts.profile(second.name)
    if one is None or other is None or not one.rows_hash:
        return False
    return (one.rows_hash, one.target) == (other.rows_hash, other.target)


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
