"""EV1: the choice of datasets, as far as a design shows it."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue.power import dataset_power, datasets_needed
from ...catalogue.sources import find_bundled
from ...language.text import Edit, Finding, Fix, Span, Subject, counted, listed, one, percent
from ...plans.model import Dataset, Scheme
from ..case import Case, Place
from ..facts import Facts
from ..reach import floors
from ..rule import NotApplicable, dataset_at, defined_name, rule

LARGE_EFFECT = 0.8  # Cohen 1988, 2.2: a large effect in standard deviations
EVEN_CHANCE = 0.5  # ours: below it, the run is more likely to miss a large difference than to find it


@rule("EV101", "choice-unexplained", "warning", needs=("dataset",))
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
                    dataset_at(facts, case.comparison, dataset.name) if bundled else defined_name(facts, dataset.span),
                    Subject(dataset=dataset.name),
                ),
            )


def _named_together(facts: Facts, case: Case, dataset: Dataset) -> list[str]:
    """The members without a reason of the suite by which a comparison names a dataset; the dataset alone otherwise."""
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


@rule("EV102", "well-worn-data", "note", needs=("dataset",))
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
                at=case.at(dataset_at(facts, case.comparison, worn[0])),
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
    for floor in floors(facts):
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
    """The scheme with `grouped`; a bootstrap draws whole groups and cannot keep the classes in proportion too."""
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


@rule("EV111", "one-dataset", "note")
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
                at=case.at(dataset_at(facts, case.comparison, name)),
            )
