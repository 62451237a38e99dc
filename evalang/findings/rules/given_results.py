"""Rules about results and predictions that were computed elsewhere."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Literal

from ...catalogue.distributions import normal_quantile, normal_range_sf
from ...catalogue.sources import find_reader
from ...data.profile_facts import TableFacts
from ...language.text import Finding, counted, listed, listed_columns, listed_names
from ...plans.levels import AVERAGE, standing_by_name
from ...plans.model import PredictionsTable, ResultsTable
from ..case import Case, Place
from ..facts import Facts, each_case, each_comparison, each_given_read, each_table_read
from ..reach import LEAST_POWER, power_over
from ..rule import rule
from ..wording import graders, is_judge_metric, is_model, selected_pair, without_graders

MOST_FOLDS = 20  # ours: more folds are hardly ever used, and two repetitions of 10cv are 20
LEADERBOARD = 5  # ours: best against worst of so many equal learners has p < .05 in 29%
FAMILY_LETTERS = 3  # ours: "gpt", "llama"; single letters are no family
MOST_MISSING = 0.01  # ours: of a model's answers
FAVOURED = 0.02  # ours: left out with a reason, shares that differ by more than two points
_RUN = re.compile(
    r"(?:run|replicat(?:e|ion)|restart|init(?:ialization)?)s?(?:[ _-]?(?:id|no))?|random[ _-]?state", re.IGNORECASE
)
_STEP = re.compile(r"(?:training[ _-])?(?:steps?|iterations?|iters?|checkpoints?|ckpts?)", re.I)
MOST_NAMED = 5  # differences between files; the rest is counted


@rule("EV113", "average-row", "error", stage="data", needs=("dataset", "results"), each=each_table_read)
def average_row(facts: Facts, case: Case, table: ResultsTable, found: TableFacts) -> Iterator[Finding]:
    """An average row of a table is read as a dataset.

    ## What it finds
    In the table, the rule finds a dataset named Average, Mean, Avg, Median, Overall or Total.

    ## Why it matters
    The average is computed from the other rows of the table. If it is read as a dataset, every other dataset counts
    twice.

    ## Example
    ```eval,bad
    results table from csv "averaged.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table
    ```

    ## Use instead
    ```eval
    # table.csv is averaged.csv without its last row
    results table from csv "table.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table
    ```

    ## When it is fine
    There is no problem if a dataset really has that name.

    ## References
    None. The rule is our own choice.
    """
    rows = [name for name in found.datasets if AVERAGE.fullmatch(name.strip())]
    if rows and len(found.datasets) > 1:
        yield average_row.finding(
            f"row {listed_columns(rows)} of table `{table.name}` is read as a dataset, but it is an average of the "
            "other rows: it repeats their information",
            "remove this row from the file",
            at=case.at(table.span),
        )


@rule("EV114", "left-out", "warning", stage="data", needs=("dataset", "results"), each=each_table_read)
def left_out(facts: Facts, case: Case, table: ResultsTable, found: TableFacts) -> Iterator[Finding]:
    """`complete cases` leaves out datasets or items.

    ## What it finds
    In the table, the rule finds the datasets or items that `complete cases` leaves out, and the models whose answers
    are missing.

    ## Why it matters
    Scores are rarely missing by chance. If a learner fails on large datasets, or a model refuses hard questions, it is
    then compared only where it does well.

    ## Example
    ```eval,bad
    results table from csv "gaps.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table, complete cases
    ```

    ## Use instead
    ```eval
    # table.csv is gaps.csv after the missing scores were run
    results table from csv "table.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table
    ```

    ## When it is fine
    If the scores are missing for a reason that is unrelated to the learners, write `allow EV114 because "…"`.

    ## References
    None. The rule is our own choice.
    """
    if found.left_out:
        word = "item" if found.items else "dataset"
        compared = found.items or len(found.datasets)
        gone = len(found.left_out)
        named = listed_columns(found.left_out[:5]) + (f" and {gone - 5} more" if gone > 5 else "")
        lacking = [f"{n} of `{name}`" for name, (n, _) in zip(found.learners, found.missing, strict=False) if n]
        whose = f"; missing answers: {listed(lacking)}" if lacking else ""
        yield left_out.finding(
            f"`complete cases` leaves out {gone} of {counted(gone + compared, word)} of table `{table.name}` ({named}"
            f"{whose}): scores are rarely missing by chance",
            "write `missing count as wrong` instead of `complete cases`, or add the missing answers"
            if found.items
            else "add the missing scores, or report which datasets are left out and why",
            at=case.at("cases"),
        )


@rule("EV115", "spread-in-cells", "note", stage="data", needs=("dataset", "results"), each=each_table_read)
def spread_in_cells(facts: Facts, case: Case, table: ResultsTable, found: TableFacts) -> Iterator[Finding]:
    """Cells have a mean and a spread, but only the mean is used.

    ## What it finds
    In the table, the rule finds cells such as "91.2 ± 0.5".

    ## Why it matters
    The spread describes how the results behind one cell vary, not the uncertainty of a difference between learners. The
    table also does not say whether the spread is a standard deviation, a standard error or an interval.

    ## Example
    ```eval,bad
    results table from csv "spreads.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table
    ```

    ## Use instead
    ```eval
    results runs from csv "runs.csv" as accuracy ~ learner | dataset / seed
    compare A vs B on runs
    ```

    ## When it is fine
    There is no problem if a table in a paper is the only source.

    ## References
    None. The rule is our own choice.
    """
    if found.spreads:
        yield spread_in_cells.finding(
            f"table `{table.name}` has {counted(found.spreads, 'cell')} with a mean and a spread (such as 91.2 ± 0.5); "
            "only the mean is used",
            "use the scores of the single runs if you have them, because a mean hides their variation",
            at=case.at(table.span),
        )


@rule("EV126", "mixed-percent", "error", stage="data", needs=("dataset", "results"), each=each_table_read)
def mixed_percent(facts: Facts, case: Case, table: ResultsTable, found: TableFacts) -> Iterator[Finding]:
    """Some scores are percentages and others are fractions, or of different metrics.

    ## What it finds
    In a table of percentages, the rule finds a score of at most 1 that would be closer to the scores of the other
    learners on the same dataset if it were multiplied by 100. In a table of fractions, the rule finds percentages in
    the same way. The rule checks only metrics with values from 0 to 1, such as accuracy. The rule also finds a column
    that names several metrics for the rows.

    ## Why it matters
    The scores 0.584 and 61.2 differ by 60 points if they are read as they are. Such a difference is larger than any
    real difference and decides the result.

    ## Example
    ```eval,bad
    results table from csv "mixed.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table
    ```

    ## Use instead
    ```eval
    # table.csv is mixed.csv with all scores as percentages
    results table from csv "table.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table
    ```

    ## When it is fine
    If the score really is below one percent, write `allow EV126 because "…"`.

    ## References
    None. The rule is our own choice.
    """
    if found.mixed_metrics:
        yield mixed_percent.finding(
            f"one column of table `{table.name}` has scores of {listed_names(found.mixed_metrics)}, which cannot be "
            "averaged",
            f"write one file for each metric, or keep only the rows of `{found.mixed_metrics[0]}`",
            at=case.at(table.span),
        )
    odd = found.fractions or found.percentages
    if odd:
        named = listed([f"`{learner}` on `{dataset}`" for learner, dataset in odd[:3]])
        more = f" and {len(odd) - 3} more" if len(odd) > 3 else ""
        kind, other = ("percentages", "fractions") if found.fractions else ("fractions", "percentages")
        yield mixed_percent.finding(
            f"the scores of table `{table.name}` are {kind}, but those of {named}{more} look like {other}, so the "
            "differences would be far too large",
            "write all scores of the file as percentages, or all as fractions",
            at=case.at(table.span),
        )


@rule("EV116", "copied-numbers", "warning", needs=("learner", "dataset"), each=each_comparison)
def copied_numbers(facts: Facts, case: Case) -> Iterator[Finding]:
    """Scores from a paper are compared with scores of your own.

    ## What it finds
    The rule finds a comparison on results in which the scores of some learners are `copied from` a source, and the
    scores of the other learners are your own or come from a different source.

    ## Why it matters
    A paper uses its own splits, preparation, tuning and code. A difference between the scores may come from any of
    these.

    ## Example
    ```eval,bad
    results table from csv "table.csv", datasets in "Dataset", measuring accuracy, copied from "Chen, table 3" for B
    compare A vs B on table
    ```

    ## Use instead
    ```eval
    results table from csv "table.csv", datasets in "Dataset", measuring accuracy, copied from "Chen 2016, table 3"
    compare A vs B on table
    ```

    ## When it is fine
    There is no problem if both sets of scores come from the same splits, and the source says so.

    ## References
    None. The rule is our own choice.
    """
    table = case.table
    if not isinstance(table, ResultsTable) or not table.copied:
        return
    origin = {name: one.origin for one in table.copied for name in one.learners}
    others = next((one.origin for one in table.copied if not one.learners), "")
    from_where = {name: origin.get(name, others) for name in case.comparison.learners or tuple(origin)}
    named = [name for name, source in from_where.items() if source]
    if len(set(from_where.values())) > 1 or (not case.comparison.learners and not others):
        yield copied_numbers.finding(
            f"the scores of {listed_names(named)} in table `{table.name}` are copied from a paper and compared with "
            "scores from elsewhere: splits, tuning and code may differ too",
            "run all learners on the same splits, or compare only scores of one source",
            at=case.at(case.comparison.span),
        )


@rule("EV117", "one-judge", "warning", stage=("design", "data"), needs=("metric", "learner", "dataset"), each=each_case)
def one_judge(facts: Facts, case: Case) -> Iterator[Finding]:
    """A model graded the answers, and its agreement with people is unknown.

    ## What it finds
    The rule finds scores that a model gave (LLM as judge). The rule recognises them by the name of the metric, of the
    score column or of the scorer in a log (`judge`, `model_graded_qa`), or by a column `judge` or `grader`. If the
    datasets are declared with `described as`, the rule reads the name of the metric, the descriptions of learners and
    the reasons ("graded by gpt-4o"). The message says whether the judge is one of the compared models, or of the same
    family.

    ## Why it matters
    A judge model prefers longer answers, the first of two answers, and answers of its own model family (Zheng et al.
    2023). More items do not reduce this bias, and no test detects it.

    ## Example
    ```eval,bad
    results answers from csv "answers.csv" as score ~ model | item
    compare A vs B on answers measuring judge(better = higher)
    ```

    ## Use instead
    ```eval
    results answers from csv "answers.csv" as score ~ model | item
    compare A vs B on answers measuring accuracy
    ```

    ## When it is fine
    If the judge's agreement with people was measured on items like these, write `allow EV117 because "…"`.

    ## References
    Zheng et al. 2023.
    """
    table, read = case.table, facts.tables.get(case.comparison.name)
    if not isinstance(table, ResultsTable):
        yield from _described_judge(case)
        return
    options = [str(value) for name, value in table.source.options if name in ("scorer", "part")]
    words = [*(m.name for m in case.comparison.metrics), *table.formula[:1], *options]
    words += [read.metric, read.scorer] if read is not None else []
    judges = [name for name in read.judges if name in read.learners or is_model(name)] if read else []
    judges += graders(f"{table.because or ''}. {case.comparison.because or ''}")
    judged = next((word for word in words if is_judge_metric(word)), "")
    models = {name: name for name in case.comparison.learners}
    if judged or judges:
        yield _model_as_judge(case, judged or table.name, judges, models, case.at("measuring", table.span))


def _model_as_judge(case: Case, judged: str, judges: list[str], models: dict[str, str], at: Place) -> Finding:
    """Return the finding about scores that a model gave; `models` are the learners with the model of each."""
    own = next(((judge, name) for judge in judges for name, model in models.items() if same_family(judge, model)), None)
    if own is not None:
        judge, name = own
        itself = "one of the compared models" if judge == models[name] else f"of the same family as model `{name}`"
        return one_judge.finding(
            f"model `{judge}` graded the answers and is {itself}: models prefer their own answers (Zheng et al. 2023)",
            f"grade with a model of another family, or have people label a sample of the {case.units}",
            at=at,
        )
    return one_judge.finding(
        f"the scores `{judged}` were given by a model{f' ({listed_names(judges)})' if judges else ''}, and its "
        "agreement with people is unknown",
        f"have people label a sample of the {case.units}, and report how often the judge agrees with them",
        at=at,
    )


def _described_judge(case: Case) -> Iterator[Finding]:
    """Report a judge among the metrics of a described design, or in the description of a learner."""
    texts = {t.name: t.learner.described.text for t in case.learners if t.learner.described is not None}
    reasons = [
        case.comparison.because,
        *(one.because for one in case.datasets),
        *(t.learner.because for t in case.learners),
    ]
    names = list(dict.fromkeys(name for text in (*texts.values(), *reasons) for name in graders(text or "")))
    judged = next((metric.name for metric in case.comparison.metrics if is_judge_metric(metric.name)), "")
    described = any(dataset.source.kind == "described" for dataset in case.datasets)
    if names or (judged and described):
        what = judged or "`, `".join(metric.name for metric in case.comparison.metrics)
        words = {name: re.findall(r"[\w./-]*\w", without_graders(text)) for name, text in texts.items()}
        models = {name: next(filter(is_model, own), name) for name, own in words.items()}
        yield _model_as_judge(case, what, names, models, case.at("measuring", case.comparison.span))


def same_family(judge: str, model: str) -> bool:
    """Return whether two names of models begin with the same letters, the provider left out.

    >>> same_family("openai/gpt-4o", "gpt-4o-mini"), same_family("claude-3-opus", "gpt-4o"), same_family("A", "A")
    (True, False, True)
    """
    first, second = (re.match(r"[a-z]*", name.lower().rpartition("/")[2]) for name in (judge, model))
    alike = first is not None and second is not None and first[0] == second[0] and len(first[0]) >= FAMILY_LETTERS
    return judge == model or alike


@rule("EV118", "one-sample", "warning", stage="data", needs=("dataset", "results"), each=each_table_read)
def one_sample(facts: Facts, case: Case, table: ResultsTable, found: TableFacts) -> Iterator[Finding]:
    """Answers were sampled once per item, at a temperature above zero.

    ## What it finds
    In the table, the rule finds a column `temperature` with a value above zero, and only one sample of every item.

    ## Why it matters
    A second sample of the same item may give a different answer. One sample per item does not show this variation
    (Miller 2024).

    ## Example
    ```eval,bad
    results answers from csv "hot.csv" as score ~ model | item
    compare A vs B on answers measuring accuracy
    ```

    ## Use instead
    ```eval
    # answers.csv holds five samples of every item of hot.csv
    results answers from csv "answers.csv" as score ~ model | item / epoch
    compare A vs B on answers measuring accuracy
    ```

    ## When it is fine
    There is no problem if the claim is about the mean over items. The test then already includes the variation of
    single samples.

    ## References
    Miller 2024, section 3.
    """
    if found.items and found.temperature > 0.0 and found.epochs[1] == 1:
        yield one_sample.finding(
            f"the answers in table `{table.name}` were sampled at temperature {found.temperature:g}, but only once "
            "per item: a second sample may give different answers",
            "sample each item several times, and write `| item / epoch` in the formula",
            at=case.at(table.span),
        )


@rule("EV119", "missing-answers", "error", stage=("design", "data"), needs=("dataset",))
def missing_answers(facts: Facts) -> Iterator[Finding]:
    """Answers are missing, and the script does not say how to count them.

    ## What it finds
    - In the table, a model lacks more than 1% of its answers (the bound is our own choice), and no clause says how to
      count missing answers.
    - The clause `missing left out` has no reason. With a reason, the finding is a warning if the shares of missing
      answers of two models differ by more than 2 points (our own choice).
    - A learner has fewer runs (seeds) on some datasets than on others, and another learner has all of its runs. This
      finding is a warning.

    ## Why it matters
    A run often ends without an answer because the task is hard or the model is slow. The mean of the remaining answers
    is then too high, so a model gains by failing.

    ## Example
    ```eval,bad
    results answers from csv "holes.csv" as score ~ model | item / epoch
    compare A vs B on answers measuring accuracy
    ```

    ## Use instead
    ```eval
    results answers from csv "holes.csv" as score ~ model | item / epoch
    compare A vs B on answers measuring accuracy, missing count as wrong
    ```

    ## When it is fine
    If the answers are missing for a reason that is unrelated to the models, such as a lost file, write `missing left
    out because "…"`. If one model lacks far more answers than another model, also write `allow EV119 because "…"`. The
    report then says whether the verdict stays the same if the missing answers count as wrong.

    ## References
    None. The rule is our own choice.
    """
    for case in facts.cases:
        if case.comparison.missing == "left-out" and not (case.comparison.missing_because or "").strip():
            yield missing_answers.finding(
                "`missing left out` has no reason: a model that fails on hard items would gain",
                'write `missing left out because "…"`, or `missing count as wrong`',
                at=case.at("cases"),
            )
    for case, table, found in each_table_read(facts):
        comparison = case.comparison
        if comparison.complete_cases or comparison.missing == "wrong":
            continue
        shares = {
            name: (lacking / wanted, lacking, wanted)
            for name, (lacking, wanted) in zip(found.learners, found.missing, strict=False)
            if wanted and (not comparison.learners or name in comparison.learners)
        }
        runs = {
            name: n
            for name, n in zip(found.learners, found.runs, strict=False)
            if name in (comparison.learners or found.learners)
        }
        short = min(runs, key=lambda name: runs[name][0], default="")
        whole = next((name for name, (fewest, most) in runs.items() if fewest == most >= runs[short][1]), "")
        if whole and runs[short][0] < runs[short][1]:
            yield missing_answers.finding(
                f"learner `{short}` has {runs[short][0]} to {runs[short][1]} runs on a dataset of table "
                f"`{table.name}`, but `{whole}` has {runs[whole][0]} on each: if failed runs are missing, "
                f"`{short}` gains",
                'add the missing runs with the scores they reached, or write `allow EV119 because "…"` if they are '
                "missing by chance",
                at=case.at(comparison.span),
                level="warning",
                stage="data",
            )
        worst = max(shares, key=lambda name: shares[name][0], default=None)
        if worst is None or shares[worst][0] <= MOST_MISSING:
            continue  # then no two differ by more than that either
        least = min(shares, key=lambda name: shares[name][0])
        if comparison.missing:
            if comparison.missing_because and shares[worst][0] - shares[least][0] > FAVOURED:
                yield missing_answers.finding(
                    f"model `{worst}` lacks {shares[worst][0]:.1%} of its answers in table `{table.name}`, and "
                    f"`{least}` {shares[least][0]:.1%}: leaving them out helps a model that fails on hard {case.units}",
                    "write `missing count as wrong`",
                    at=case.at("cases"),
                    level="warning",
                    stage="data",
                )
            continue
        yield missing_answers.finding(
            f"model `{worst}` lacks {shares[worst][1]:,} of {counted(shares[worst][2], 'answer')} in table "
            f"`{table.name}` ({shares[worst][0]:.1%}), and the script does not say how to count them",
            'write `missing count as wrong`, or `missing left out because "…"` if they are missing by chance',
            at=case.at(comparison.span),
        )


@rule("EV123", "samples-differ", "warning", stage=("design", "data"), needs=("dataset", "metric"), each=each_case)
def samples_differ(facts: Facts, case: Case) -> Iterator[Finding]:
    """Models have different numbers of samples, or fewer than pass@k needs.

    ## What it finds
    In the table, the rule finds models with different numbers of samples per item. The finding is an error if an item
    has fewer than k samples for `pass(k = …)`. If the script names no column of samples, the rule finds this before the
    table is read.

    ## Why it matters
    The majority of five samples is a different system from one sample, and the mean of one sample is noisier than the
    mean of five. pass@k cannot be estimated from fewer than k samples (Chen 2021).

    ## Example
    ```eval,bad
    results answers from csv "uneven.csv" as score ~ model | item / epoch
    compare A vs B on answers measuring accuracy
    ```

    ## Use instead
    ```eval
    # answers.csv holds five samples of every item by both models
    results answers from csv "answers.csv" as score ~ model | item / epoch
    compare A vs B on answers measuring accuracy
    ```

    ## When it is fine
    There is no problem if the metric is a mean, which is unbiased for any number of samples, and one model was cheaper
    to sample.

    ## References
    Chen 2021 for pass@k. The rest of the rule is our own choice.
    """
    comparison, found = case.comparison, facts.tables.get(case.comparison.name)
    fewest = found.epochs[0] if found else int(_one_sample_each(case))
    wanted = max((int(str(dict(m.options)["k"])) for m in comparison.metrics if m.name == "pass"), default=0)
    if 0 < fewest < wanted:
        yield samples_differ.finding(
            f"metric `pass(k = {wanted})` needs {wanted} samples per item, but some items have only {fewest}",
            f"sample each item {wanted} times, or write `measuring pass(k = {fewest})`",
            at=case.at("measuring"),
            level="error",
        )
    samples = dict(zip(found.learners, found.samples, strict=False)) if found else {}
    samples = {name: n for name, n in samples.items() if not comparison.learners or name in comparison.learners}
    if len(set(samples.values())) > 1:
        least, most = (pick(samples, key=lambda name: samples[name]) for pick in (min, max))
        yield samples_differ.finding(
            f"model `{most}` has {counted(samples[most], 'sample')} per item, but `{least}` has {samples[least]}: a "
            "mean of fewer samples is noisier",
            f"sample each item {samples[most]} times with every model, or use {samples[least]} of each model",
            at=case.at(comparison.span),
        )


def _one_sample_each(case: Case) -> bool:
    """Whether the script alone shows that every item has one sample; logs of other tools show it when they are read."""
    levels = {one.standing for one in case.comparison.levels}
    reader = find_reader(case.table.source.kind) if case.table else None
    return "item" in levels and "epoch" not in levels and not (reader and reader.levels)


@rule("EV215", "tuned-on-items", "error", needs=("dataset",), each=each_case)
def tuned_on_items(facts: Facts, case: Case) -> Iterator[Finding]:
    """Results were tuned on the data that they are tested on.

    ## What it finds
    The rule finds a comparison on results declared as `tuned on test`.

    ## Why it matters
    A setting that is chosen by its score on the test rows or items scores better on them than on new data (Salzberg
    1997).

    ## Example
    ```eval,bad
    results answers from csv "answers.csv" as accuracy ~ model | item, tuned on test
    compare A vs B on answers
    ```

    ## Use instead
    ```eval
    results answers from csv "answers.csv" as accuracy ~ model | item, tuned on 20%
    compare A vs B on answers
    ```

    ## When it is fine
    There is no exception for a claim about new data.

    ## References
    Salzberg 1997, section 3.3; section 3.4 for algorithms designed with the datasets in mind.
    """
    table = case.table
    if isinstance(table, ResultsTable) and table.tuned is not None and table.tuned.where == "test":
        yield tuned_on_items.finding(
            f"the results in table `{table.name}` were tuned on the data that they are tested on, so they are better "
            "than on new data",
            "tune on other rows or items, and test on these once",
            at=case.at(table.tuned.span, table.span),
        )


@rule("EV127", "training-rows-scored", "error", stage="data", needs=("dataset",), each=each_given_read)
def training_rows_scored(
    facts: Facts, case: Case, table: ResultsTable | PredictionsTable, found: TableFacts
) -> Iterator[Finding]:
    """Predictions or answers on training rows count as test results.

    ## What it finds
    The rule reads columns of the table that are not part of the formula, and finds:
    - A column `split`, `subset` or `fold` says that rows belong to `train`. If the column also contains `test`, the
      rule finds rows of `dev` or `validation` too.
    - A column `is_train` or `contaminated` is true in some rows.
    - Such a column, or `use`, says that rows are examples in the prompt, shots or seen.

    ## Why it matters
    A model scores better on the rows that it was trained on than on new rows. A model that memorises rows gains most.

    ## Example
    ```eval,bad
    predictions answers from csv "all-rows.csv", truth "y", learners in "a", "b"
    compare this classifier a vs b on answers
    ```

    ## Use instead
    ```eval
    # test-rows.csv holds the rows of all-rows.csv whose split is test
    predictions answers from csv "test-rows.csv", truth "y", learners in "a", "b"
    compare this classifier a vs b on answers
    ```

    ## When it is fine
    If the models were not trained on these rows, and `train` is only the benchmark's name for a split, write `allow
    EV127 because "…"`.

    ## References
    None. The rule is our own choice.
    """
    column, rows = found.training
    if rows:
        yield training_rows_scored.finding(
            f'table `{table.name}` has {counted(rows, "row")} of training data (by column "{column}"): scores on these '
            "rows are better than on new rows",
            f'remove these rows (by "{column}") from the file',
            at=case.at(table.span),
        )


@rule("EV217", "files-differ", "warning", stage="data", needs=("dataset", "results"), each=each_table_read)
def files_differ(facts: Facts, case: Case, table: ResultsTable, found: TableFacts) -> Iterator[Finding]:
    """The runs of the models differ in more than the model.

    ## What it finds
    In logs, the rule finds a prompt, a limit, a version or another setting that differs between the logs. The rule also
    finds logs without the text of their items, because evalang then cannot check that the questions are equal. In a
    table, the rule finds a column with a setting (`temperature`, `top_p`, `max_tokens`, `prompt_version`) that
    differs between the models.

    ## Why it matters
    Prompts, limits and scorer versions change scores too. No test can separate their effect from the effect of the
    model.

    ## Example
    ```eval,bad
    results logs from inspect "two-prompts/", measuring accuracy
    compare A vs B on logs
    ```

    ## Use instead
    ```eval
    # one-prompt/ holds the logs of both after they were run again with one prompt
    results logs from inspect "one-prompt/", measuring accuracy
    compare A vs B on logs
    ```

    ## When it is fine
    If you compare the setting itself (then name the models by their log files), or if the setting cannot affect a
    score, write `allow EV217 because "…"`.

    ## References
    None. The rule is our own choice.
    """
    shown, more = found.differing[:MOST_NAMED], len(found.differing) - MOST_NAMED
    for number, text in enumerate(shown, start=1):
        rest = f" (and {more} more)" if more > 0 and number == len(shown) else ""
        yield files_differ.finding(
            f"the runs in table `{table.name}` differ in more than the model: {text}{rest}",
            'run both with the same prompt, limits and versions, or say in `allow EV217 because "…"` what differs',
            at=case.at(table.span),
        )


@rule("EV316", "role-against-name", "error", needs=("dataset",), each=each_case)
def role_against_name(facts: Facts, case: Case) -> Iterator[Finding]:
    """A column has a role that contradicts its name.

    ## What it finds
    The rule finds a role that does not fit the name of the column, such as `folds in "seed"`, `datasets in "fold"` or
    `items in "run"`.

    ## Why it matters
    The role decides which scores count as independent. In one example, 100 seeds that were counted as folds gave p =
    8e-07, and the five real folds gave p = .117. Samples of one question are not separate questions, and folds of one
    dataset are not separate datasets.

    ## Example
    ```eval,bad
    results runs from csv "runs.csv" as accuracy ~ learner | dataset / seed, folds in "seed"
    compare A vs B on runs
    ```

    ## Use instead
    ```eval
    results runs from csv "runs.csv" as accuracy ~ learner | dataset / seed
    compare A vs B on runs
    ```

    ## When it is fine
    If the name of the column is wrong, rename the column.

    ## References
    Bouthillier et al. 2021.
    """
    table = case.table
    if not isinstance(table, ResultsTable):
        return
    for level in case.comparison.levels:
        named = standing_by_name(level.column) or _run_by_name(level.column)
        below = level.standing == "epoch" and named in ("repeat", "seed")
        anew = table.made is not None and not (table.made.card.k_fold and table.made.partitions == 1)
        resampled = anew and {named, level.standing} <= {"repeat", "seed", "fold"}
        if named is None or level.standing in (named, "group", None) or below or resampled:
            continue
        others = {one.standing for one in case.comparison.levels if one is not level}
        alone = named == "seed" and not others & {"fold", "repeat", "item"}
        yield role_against_name.finding(
            f'column "{level.column}" of table `{table.name}` is used as {level.standing}s, but by its name it holds '
            f"{named}s, which are not independent {level.standing}s",
            f'leave out `{level.standing}s in "{level.column}"`, or write '
            + (f"`| item / {level.column}`" if named == "epoch" else f'`{named}s in "{level.column}"`')
            + f" in results `{table.name}`"
            + ("; seeds on the same data cannot be tested, so use scores of several datasets, folds or items" * alone),
            at=case.at(table.span),
        )


def _run_by_name(column: str) -> Literal["seed", "epoch"] | None:
    """Return what a column must hold by its name, beside the roles that every formula knows: runs, or steps of one run.

    >>> _run_by_name("Run"), _run_by_name("step"), _run_by_name("question")
    ('seed', 'epoch', None)
    """
    return "seed" if _RUN.fullmatch(column.strip()) else "epoch" if _STEP.fullmatch(column.strip()) else None


@rule("EV317", "flattened-repeats", "warning", stage="data", needs=("dataset", "results"), each=each_table_read)
def flattened_repeats(facts: Facts, case: Case, table: ResultsTable, found: TableFacts) -> Iterator[Finding]:
    """A table has so many folds that they are probably the folds of several repeats.

    ## What it finds
    In the table, the rule finds more than twenty folds in one repeat, without `made using`. The bound is our own
    choice.

    ## Why it matters
    Ten repeats of ten folds with the numbers 1 to 100 look like 100 folds. The test then assumes a ratio of test to
    training rows of 1/99 instead of 1/9, and gives far too many false positives (Nadeau and Bengio 2003).

    ## Example
    ```eval,bad
    results runs from csv "flat.csv" as accuracy ~ learner | dataset / fold
    compare A vs B on runs by corrected-t
    ```

    ## Use instead
    ```eval
    # runs.csv is flat.csv with an added column for the repeat
    results runs from csv "runs.csv" as accuracy ~ learner | dataset / rep / fold
    compare A vs B on runs by corrected-t
    ```

    ## When it is fine
    If there really are that many folds, write `made using 30cv`.

    ## References
    Nadeau and Bengio 2003; Bouckaert and Frank 2004.
    """
    if found.folds > MOST_FOLDS and table.made is None:
        yield flattened_repeats.finding(
            f"table `{table.name}` has {found.folds} folds in one repeat. If they come from several repeats, "
            "`corrected-t` gives far too many false positives",
            "add the column of repeats to the formula (`| dataset / rep / fold`), or the scheme to results "
            f"`{table.name}` (`made using 10x10cv`)",
            at=case.at(table.span),
        )


@rule("EV420", "groups-unsaid", "warning", stage="data", needs=("dataset",), each=each_given_read)
def groups_unsaid(
    facts: Facts, case: Case, table: ResultsTable | PredictionsTable, found: TableFacts
) -> Iterator[Finding]:
    """Items come in groups that the script does not declare.

    ## What it finds
    In a table or logs without `groups`, the rule finds one of these:
    - A column joins items into groups, such as a task, a passage or a repository.
    - Ids of items have the same first part, such as `django__django-1234` or `q12_s3`.
    - In predictions, a column of repeated values has the name of an entity (patient, speaker, site_id).
    - The names of all datasets end in a number, and several have the same first part (`adult-noise1`).

    If there are too few groups for a test, the finding is a note.

    ## Why it matters
    Questions about one text tend to be right or wrong together. On LiveBench, two models differ with p = .025 if the
    1,136 questions count as independent, and with p = .13 if only the 18 tasks do (method of Miller 2024).

    ## Example
    ```eval,bad
    results answers from csv "tasks.csv" as score ~ model | item
    compare A vs B on answers measuring accuracy
    ```

    ## Use instead
    ```eval
    results answers from csv "tasks.csv" as score ~ model | item, groups "task"
    compare A vs B on answers measuring accuracy, seed 20
    ```

    ## When it is fine
    If the claim is only about new items of the same groups, write `allow EV420 because "…"`.

    ## References
    Miller 2024, section 2.2.
    """
    if found.groups or not (found.group_columns or found.id_parts[2]):
        return
    alpha, (ids, part, parts) = case.comparison.alpha.value, found.id_parts
    # The reader of a wide table adds a blank to the name of a level.
    ids = next((one.column for one in case.comparison.levels if f"{one.standing} " == ids), ids)
    if not found.items and not found.sizes:
        yield groups_unsaid.finding(
            f"{len(found.datasets)} datasets of table `{table.name}` come in {parts} groups by their names (such as "
            f'"{part}"), but a test over datasets counts them as independent',
            f'keep one dataset of each group, or the mean of each group, in column "{ids}"',
            at=case.at(table.span),
        )
        return
    columns = found.group_columns or ((f'the first part of {ids} (such as "{part}")', parts),)
    enough = [one for one in columns if (power_over("permutation", one[1], alpha=alpha) or 0.0) >= LEAST_POWER]
    column, groups = (enough or columns)[0]
    quote = '"' if found.group_columns else ""
    also = f" (or {listed([f'{quote}{name}{quote}' for name, _ in enough[1:3]], 'or')})" if enough[1:] else ""
    seed = " and `seed 1` to the comparison" if case.comparison.seed is None else ""
    statement = f"{'results' if isinstance(table, ResultsTable) else 'predictions'} `{table.name}`{seed}"
    by = " and leave out `by`" if any(test.written and test.card.counts_rows for test in case.tests) else ""
    statement += by
    help = f'add `groups "{column}"` to {statement}'
    if not enough:
        help = (
            f"add {case.units} of other groups, or claim a difference for new {case.units} of these {groups} "
            f'groups only and write `allow EV420 because "…"`'
        )
    elif not found.group_columns:
        help = (
            f'write that part into a column "task" of the file and add `groups "task"` to {statement}; if the rest '
            f"of {ids} numbers samples of one item, write `| item / epoch`"
        )
    yield groups_unsaid.finding(
        f"the {found.items or found.sizes[0][0]:,} {case.units} of table `{table.name}` come in {groups} groups by "
        f"{quote}{column}{quote}{also}, but the test counts them as independent",
        help,
        at=case.at(table.span),
        level="warning" if enough else "note",
    )


@rule("EV421", "same-scores", "warning", stage="data", needs=("dataset",), each=each_given_read)
def same_scores(
    facts: Facts, case: Case, table: ResultsTable | PredictionsTable, found: TableFacts
) -> Iterator[Finding]:
    """Two learners, or two datasets, have identical scores.

    ## What it finds
    In the table, the rule finds two learners with the same score in every cell, or two datasets on which every learner
    has the same score. In predictions of 50 rows or more, the rule finds two learners with the same predictions, or a
    learner that is always right.

    ## Why it matters
    Different learners hardly ever have exactly the same scores. Usually one file was read twice, or one result was
    saved under two names.

    ## Example
    ```eval,bad
    results table from csv "twins.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table
    ```

    ## Use instead
    ```eval
    # table.csv is twins.csv with B's own scores in its column
    results table from csv "table.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table
    ```

    ## When it is fine
    There is no problem if both learners must give the same answers.

    ## References
    None. The rule is our own choice.
    """
    where = f"in every {'cell' if isinstance(table, ResultsTable) else 'row'} of table `{table.name}`"
    for first, second in found.equal[:3]:
        what = "score" if isinstance(table, ResultsTable) else "prediction"
        yield same_scores.finding(
            f"learners `{first}` and `{second}` have the same {what} {where}: one of them was probably read or saved "
            "twice"
            if first
            else f"learner `{second}` is right {where}: its column was probably copied from the truth",
            f"check the {what}s of `{second}` in the file",
            at=case.at(table.span, learners=(first, second) if first else (second,)),
        )
    for first, second in found.equal_datasets[:3]:
        yield same_scores.finding(
            f"every learner has the same score on datasets `{first}` and `{second}` of table `{table.name}`: they are "
            "probably the same data, which would count twice",
            f"remove `{second}` from the file",
            at=case.at(table.span),
        )


@rule("EV512", "tables-apart", "warning", stage="data", needs=("dataset", "results"))
def tables_apart(facts: Facts) -> Iterator[Finding]:
    """Comparisons on two tables of the same datasets are corrected separately.

    ## What it finds
    The rule finds comparisons on two tables of results that share datasets, each corrected for multiple tests on its
    own. The rule also finds comparisons of the same two learners on the same items of several tables.

    ## Why it matters
    Accuracy in one file and time in a second file give two tests on the same datasets. Each test has a false-positive
    rate of 5%, so the probability of at least one false positive is higher (Salzberg 1997).

    ## Example
    ```eval,bad
    results one from csv "one.csv", datasets in "Dataset", measuring accuracy
    results two from csv "two.csv", datasets in "Dataset", measuring brier
    compare A vs B on one
    compare A vs B on two
    ```

    ## Use instead
    ```eval
    results one from csv "one.csv", datasets in "Dataset", measuring accuracy
    results two from csv "two.csv", datasets in "Dataset", measuring brier
    compare A vs B on one, holm over everything
    compare A vs B on two, holm over everything
    ```

    ## When it is fine
    There is no problem if the two comparisons answer unrelated questions and are reported separately.

    ## References
    Salzberg 1997, section 3.
    """
    seen: list[tuple[Case, ResultsTable, TableFacts]] = []
    for case, table, found in each_table_read(facts):
        mine = {family.name for family in case.families}
        for other, before, known in seen:
            apart = not mine & {family.name for family in other.families}
            shared = set(found.datasets) & set(known.datasets)
            same_file = before.source == table.source  # EV508 says that
            if before.name != table.name and apart and len(shared) > 1 and not found.items and not same_file:
                yield tables_apart.finding(
                    f"tables `{table.name}` and `{before.name}` share {counted(len(shared), 'dataset')}, and "
                    f"comparisons `{case.comparison.name}` and `{other.comparison.name}` are corrected separately: "
                    "together their false-positive rate is above the level",
                    f"write `holm over everything` in comparisons `{other.comparison.name}` and "
                    f"`{case.comparison.name}`, so that all tests are corrected together",
                    at=case.at(case.comparison.span),
                )
                break
        seen.append((case, table, found))
    yield from _pairs_on_items(seen)


def _pairs_on_items(read: list[tuple[Case, ResultsTable, TableFacts]]) -> Iterator[Finding]:
    """Report tests of one pair on the same items of several tables that are corrected separately."""
    alike: dict[tuple[str, frozenset[str]], list[Case]] = {}
    for case, _, found in read:
        if found.item_hash and len(case.comparison.learners) == 2:
            alike.setdefault((found.item_hash, frozenset(case.comparison.learners)), []).append(case)
    for cases in alike.values():
        families = [family.name for case in cases for family in case.families]
        if len({case.comparison.datasets for case in cases}) > 1 and len(set(families)) == len(families):
            names = listed_names([case.comparison.name for case in cases])
            yield tables_apart.finding(
                f"comparisons {names} test the same two learners on the same items, and are corrected separately: "
                "together their false-positive rate is above the level",
                "write `holm over everything` in each of them, so that all tests are corrected together",
                at=cases[-1].at(cases[-1].comparison.span),
            )


@rule("EV514", "picked-pair", "warning", stage="data", needs=("dataset", "results"), each=each_table_read)
def picked_pair(facts: Facts, case: Case, table: ResultsTable, found: TableFacts) -> Iterator[Finding]:
    """Two learners of a leaderboard are compared as if the leaderboard had only two.

    ## What it finds
    The rule finds a comparison of two learners without a reason, on a table of five or more learners. On a table of
    three or more learners, the rule also finds a reason that says that one learner was selected ("the best of thirty
    prompts") and not that it was fixed in advance.

    ## Why it matters
    If a pair is chosen by its scores, its p-value is too small. The best and the worst of 5 equally good models differ
    with p < .05 in 29% of cases (many items). With 8 models this happens in 51% of cases, and with 41 almost always.

    ## Example
    ```eval,bad
    results board from csv "board.csv" as accuracy ~ model | item
    compare A vs B on board
    ```

    ## Use instead
    ```eval
    results board from csv "board.csv" as accuracy ~ model | item
    compare A vs B on board because "A is ours and B the model it started from, fixed before the run"
    ```

    ## When it is fine
    If the pair was fixed before the scores were seen, say so with `because`. To compare all models, write `compare all
    on board, all pairs, holm over learners`. To compare one model with all other models, write `control A`.

    ## References
    None. The rule is our own choice. The rates on this page are computed from the range of equal normal means.
    """
    comparison = case.comparison
    reason = comparison.because or ""
    admitted = selected_pair(reason)
    fewest = 3 if admitted else LEADERBOARD
    if found.held >= fewest and len(comparison.learners) == 2 and (not reason or admitted):
        alpha = comparison.alpha.value
        rate = normal_range_sf(normal_quantile(1.0 - alpha / 2.0) * math.sqrt(2.0), found.held)
        often = f"with p < {alpha:g} in {min(rate, 0.99):.0%} of cases"
        everyone = f"compare all on {table.name}, all pairs, holm over learners"
        yield picked_pair.finding(
            f"table `{table.name}` has {found.held} learners, but only {listed_names(comparison.learners)} are compared"
            + (", and the reason says that they were selected" if admitted else "")
            + f": of {found.held} equally good learners, the best and the worst differ {often}",
            f"test the pair on new data, or write `{everyone}`"
            if admitted
            else f'add `because "…"` with the reason for this pair, or write `{everyone}`',
            at=case.at(comparison.span, learners=comparison.learners),
        )
