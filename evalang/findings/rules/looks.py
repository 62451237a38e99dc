"""EV8: earlier uses of the same test rows, and the frozen design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...language.text import NOWHERE, Finding, Span, Subject, listed, listed_names, number, one
from ...ledger.designs import design_changes, design_of
from ...ledger.history import LedgerHistory, Look, level_of_look
from ..case import Case, Place
from ..facts import Facts, NotApplicable, each_case
from ..rule import Rule, rule
from .partitions import random_parts

_METRIC = frozenset({"metrics", "by", "primary"})  # the default test follows the metric
_OWN = (frozenset({"seed"}), _METRIC)  # changes that have a rule of their own


SAME_SCORES = 0.99  # share of equal scores in a table; ours: below it, the scores come from another scorer


_RESTORE = 'restore it, or write `set allow EV802 because "…"`; for exploration, run with `--no-ledger`'


def _past(facts: Facts) -> LedgerHistory:
    assert facts.past is not None  # the rules of this family need the ledger
    return facts.past


def _looks(facts: Facts) -> Iterator[tuple[Case, Look, dict[str, tuple[str, str]]]]:
    """Yield the earlier uses of a comparison's rows that showed something else, with the clauses changed since."""
    past = _past(facts)
    for case in facts.cases:
        design = design_of(facts.plan, case.comparison)
        for look in past.looks.get(case.comparison.name, ()):
            changed = {clause: (was, now) for clause, was, now in design_changes(look.design, design)}
            if not _shows_nothing_new(case, look, changed):
                yield case, look, changed


def _shows_nothing_new(case: Case, look: Look, changed: Mapping[str, tuple[str, str]]) -> bool:
    """Whether the two designs differ in nothing that could select a result.

    That is a seed where nothing is random, a correction where there was none, fewer of the same learners, or another
    scorer of the same answers, whose scores share hashes where the two scorers agree.
    """
    what = frozenset(changed)
    if case.comparison.data == "results" and what <= _METRIC and min(share for _, share in look.datasets) < SAME_SCORES:
        return True
    if what == {"seed"}:
        return not random_parts(case)
    if what == {"correction"}:
        return changed["correction"][0] in ("nothing", "uncorrected")
    return bool(_left_out(look, case)) and what <= {"learners", "correction", "by", "control"}


def _change(clause: str, was: str, now: str) -> str:
    """Return a changed clause in words."""
    before, after = ("not set" if value == "nothing" else f"`{value}`" for value in (was, now))
    return f"`{'margin' if clause == 'rope' else clause}` was {before} and is now {after}"


def _guarded(case: Case) -> bool:
    """Whether the holdout is guarded: it may be used often, within its budget."""
    return case.comparison.scheme is not None and case.comparison.scheme.looks is not None


def _last_place(facts: Facts) -> Span:
    """Return the `on` of the last statement, for what is gone and has no place."""
    return facts.cases[-1].comparison.span_of("on") if facts.cases else NOWHERE


def _about_comparison(rule: Rule, case: Case, message: str, help: str) -> Finding:
    c = case.comparison
    help = f"{help}; for exploration, run with `--no-ledger`"
    return rule.finding(message, help, at=Place(c.span_of("on"), Subject(comparison=c.name, statement=c.name)))


@rule("EV801", "looked-before", "warning", strict="error", stage="data", needs=("ledger",))
def looked_before(facts: Facts) -> Iterator[Finding]:
    """The same test rows were already used in another test.

    ## What it finds
    The ledger records earlier tests on the rows of this comparison under other designs, and the comparison does not
    correct for these tests. evalang recognises rows also under another name, in another order or in a larger table.
    Running the same design again does not count.

    ## Why it matters
    A test at level a gives a false positive with probability a if the learners do not differ. With k independent tests,
    the probability of at least one false positive is 1 - (1 - a)^k. For similar designs this probability is lower. With
    `over everything so far`, the j-th use of the rows has the level a/(j(j + 1)), and these levels add up to at most a.
    This correction is valid for designs that were fixed in advance. EV808 reports designs that are based on earlier
    results.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, holm over everything so far, seed 20
    ```

    ## When it is fine
    There is no problem if the earlier tests answered a different question and did not influence this design.

    ## References
    Salzberg 1997, section 3.3.
    """
    by_case: dict[str, tuple[Case, list[Look]]] = {}
    for case, look, _ in _looks(facts):
        by_case.setdefault(case.comparison.name, (case, []))[1].append(look)
    for case, looks in by_case.values():
        c = case.comparison
        if not looks or _guarded(case) or (c.correction is not None and c.correction.so_far):
            continue
        alpha, count = c.alpha.value, len(looks)
        chance, level = 1 - (1 - alpha) ** (count + 1), level_of_look(alpha, count + 1)
        names = dict.fromkeys(look.name for look in looks)
        shown_names = listed_names(tuple(names)[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        times = "once" if count == 1 else f"{count} times"
        tested = f"this data was already tested {times} (in {shown_names})"
        if c.estimate:
            why = "An estimate is too favourable if its learner was chosen by an earlier result on these rows"
            yield _about_comparison(looked_before, case, f"{tested}. {why}", "use new test rows")
            continue
        yield _about_comparison(
            looked_before,
            case,
            f"{tested}. {count + 1} tests at level {number(alpha)} have a false-positive rate of up to "
            f"{100 * chance:.3g}%",
            f"add `holm over everything so far` (test {count + 1} on these rows then has the level {number(alpha)} / "
            f"({count + 1} x {count + 2}) = {number(level)}), or use new test rows",
        )


@rule("EV802", "changed-after-freezing", "error", stage=("design", "data"), needs=("ledger",))
def changed_after_freezing(facts: Facts) -> Iterator[Finding]:
    """The design differs from the one that was frozen.

    ## What it finds
    `evalang freeze` recorded the design of this script in the ledger, and a statement or claim has changed since.

    ## Why it matters
    A frozen design shows readers that the design was not adapted to the result. If a change has a good reason, the
    report must state the reason.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if the change has a good reason. Write `allow EV802 because "…"`; the report prints the reason.

    ## References
    The rule is our own choice, based on Salzberg 1997, section 3.3: any decisions about the design must be fixed before
    the test data is seen.
    """
    frozen = _past(facts).frozen
    if frozen is None:
        raise NotApplicable("the design of this script is not frozen")
    designs: Mapping[str, Any] = frozen.get("designs", {})
    now = {case.comparison.name: case for case in facts.cases}
    for name, case in now.items():
        if name not in designs:
            yield _about_comparison(
                changed_after_freezing,
                case,
                f"comparison `{name}` is not in the frozen design",
                "run `evalang freeze` again",
            )
            continue
        changed = tuple(design_changes(designs[name], design_of(facts.plan, case.comparison)))
        if changed:
            differences = "; ".join(_change(*change) for change in changed[:4])
            help = 'restore the frozen design, or write `allow EV802 because "…"`'
            yield _about_comparison(
                changed_after_freezing,
                case,
                f"comparison `{name}` has changed since the design was frozen: {differences}",
                help,
            )
    for name in designs:
        if name not in now:
            yield changed_after_freezing.finding(
                f"comparison `{name}` is in the frozen design but not in this script",
                _RESTORE,
                at=Place(_last_place(facts), Subject()),
            )
    claims = [claim.text for claim in facts.plan.claims]
    for gone in [text for text in frozen.get("claims", ()) if text not in claims]:
        yield changed_after_freezing.finding(
            f"the frozen design claims `{gone}`, but this script does not",
            _RESTORE,
            at=Place(_last_place(facts), Subject()),
        )


@rule("EV803", "dataset-dropped", "warning", strict="error", stage="data", needs=("ledger",))
def dataset_dropped(facts: Facts) -> Iterator[Finding]:
    """A dataset that an earlier run of this script tested is missing.

    ## What it finds
    The rule finds a dataset that this script tested before, according to the ledger, but of which the script now uses
    no rows.

    ## Why it matters
    If datasets are left out after their scores were seen, the result is biased: the remaining datasets may have been
    selected by their scores.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    dataset wines from builtin "wine" because "a chemical dataset with three classes"
    compare decision-tree vs naive-bayes on tumours, wines using 10x10cv, holm over datasets, seed 20
    ```

    ## When it is fine
    If the dataset turned out to be damaged, write `allow EV803 because "…"`.

    ## References
    Bramer, section 15.3.
    """
    for name, at in _past(facts).dropped:
        yield dataset_dropped.finding(
            f"dataset `{name}` was tested by this script on {at[:10]}, but is no longer in it. Leaving it out after "
            "its scores were seen biases the result",
            'add it again, or write `set allow EV803 because "…"`; for exploration, run with `--no-ledger`',
            at=Place(_last_place(facts), Subject(dataset=name)),
        )


@rule("EV804", "setting-shopped", "warning", strict="error", stage="data", needs=("learner", "ledger"), each=each_case)
def setting_shopped(facts: Facts, case: Case) -> Iterator[Finding]:
    """A learner was tested with several hand-set parameters on the same rows.

    ## What it finds
    The rule finds earlier tests on these rows that used the same learner with other hand-set parameters.

    ## Why it matters
    If several settings are tried on the test rows, the learner is tuned on the test rows.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner shallow is decision-tree(max_depth = 3) because "the depth of the earlier paper"
    compare shallow vs naive-bayes on tumours using 10x10cv, seed 20, allow EV801 because "counted by hand"
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner shallow is decision-tree, tune max_depth in {2, 3, 5, 8}
    compare shallow vs naive-bayes on tumours using 10x10cv, tune on 20%, seed 20
    ```

    ## When it is fine
    There is no problem if you report the results of every setting.

    ## References
    Salzberg 1997, section 3.3.
    """
    design = design_of(facts.plan, case.comparison)
    mine = design.get("learners", {})
    looks = _past(facts).looks.get(case.comparison.name, ())
    for name, text in mine.items() if isinstance(mine, dict) else ():
        others = [what for look in looks for what in look.learners.values()]
        tried = dict.fromkeys(what for what in others if _step_names(what) == _step_names(text) and what != text)
        if tried and "tune " not in text and not _guarded(case):
            yield _about_comparison(
                setting_shopped, case,
                f"learner `{name}` is `{text}`, but {listed_names(tuple(tried)[:3])} was tested on the same rows "
                "before. Trying several settings on test rows is tuning on the test rows",
                "tune it within each training set, or report every setting",
            )  # fmt: skip


def _step_names(text: str) -> str:
    """Return the names of a learner's steps, without parameters."""
    return " | ".join(step.partition("(")[0].partition(",")[0].strip() for step in text.split(" | "))


@rule("EV805", "seed-shopped", "warning", strict="error", stage="data", needs=("scheme", "learner", "ledger"))
def seed_shopped(facts: Facts) -> Iterator[Finding]:
    """The same design was run under another seed before.

    ## What it finds
    The rule finds an earlier test on these rows with the same design and a different seed.

    ## Why it matters
    Conclusions change with the random split (Bradford & Brodley 2001). If several seeds were run and one is reported,
    readers cannot tell whether it was selected for its result.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20, allow EV801 because "counted by hand"
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 1
    ```

    ## When it is fine
    There is no problem if you report the earlier run too.

    ## References
    Bradford and Brodley 2001, section 3.
    """
    for case, look, changed in _looks(facts):
        if changed and frozenset(changed) == {"seed"}:
            was, now = changed["seed"]
            yield _about_comparison(
                seed_shopped, case,
                f"the same design was run with seed {was} on {look.at[:10]} (`{look.name}`), and now has seed {now}. "
                "The seed may have been chosen for its result",
                f"report the result of seed {was}, or of both seeds",
            )  # fmt: skip


@rule("EV806", "changed-after-a-look", "warning", strict="error", stage="data", needs=("ledger",))
def changed_after_a_look(facts: Facts) -> Iterator[Finding]:
    """The design was changed after its test rows were used.

    ## What it finds
    The rule finds a statement with the same name that tested these rows before with a different design. The message
    names the changed clauses. If only the seed changed, EV805 reports the change. If only metrics changed, EV807
    reports the change. EV808 reports learners that were removed.

    ## Why it matters
    A change that was made after the scores were seen may have been made because of these scores.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20, allow EV801 because "counted by hand"
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if the first design had a mistake that you found without looking at its result.

    ## References
    Salzberg 1997, section 3.3.
    """
    last: dict[str, tuple[Case, Look, dict[str, tuple[str, str]]]] = {}
    for case, look, changed in _looks(facts):
        if look.comparison == case.comparison.name and _past(facts).study and look.study == _past(facts).study:
            last[case.comparison.name] = case, look, changed
    for case, look, changed in last.values():
        if _guarded(case) or frozenset(changed) in _OWN or frozenset(changed) <= _METRIC or _left_out(look, case):
            continue
        what = "; ".join(_change(clause, *values) for clause, values in list(changed.items())[:3])
        yield _about_comparison(
            changed_after_a_look, case,
            f"comparison `{case.comparison.name}` has changed since it tested this data on {look.at[:10]}: {what}. "
            "It may have been changed because of the first result",
            "report both results",
        )  # fmt: skip


@rule("EV807", "metric-shopped", "warning", strict="error", stage="data", needs=("scheme", "learner", "ledger"))
def metric_shopped(facts: Facts) -> Iterator[Finding]:
    """A metric of an earlier run of the same comparison was dropped.

    ## What it finds
    The rule finds an earlier test on these rows with the same design, but with metrics that are now missing.

    ## Why it matters
    Different metrics rank learners differently. If a metric is dropped after its result was seen, the remaining metric
    may have been selected by its result.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20, allow EV801 because "counted by hand"
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer", positive "malignant" because "a medical dataset"
    compare decision-tree vs naive-bayes on tumours
      using 10x10cv, measuring accuracy, roc-area, holm over metrics, seed 20
    ```

    ## When it is fine
    There is no problem if you report the earlier metrics too.

    ## References
    Caruana and Niculescu-Mizil 2005, section 1.
    """
    for case, look, changed in _looks(facts):
        mine = {m.label for m in case.comparison.metrics}
        gone = [m for m in look.design.get("metrics", ()) if m not in mine]
        if gone and "metrics" in changed and frozenset(changed) <= _METRIC and not _guarded(case):
            yield _about_comparison(
                metric_shopped, case,
                f"this comparison measured {listed_names(gone)} on {look.at[:10]}, but no longer does. A metric may "
                "have been dropped because of its result",
                f"add {listed([f'`{name}`' for name in gone])} to `measuring`, and correct over metrics",
            )  # fmt: skip


@rule("EV808", "test-rows-chose", "warning", strict="error", stage="data", needs=("learner", "ledger"))
def test_rows_chose(facts: Facts) -> Iterator[Finding]:
    """Learners were left out after their scores on these rows were seen.

    ## What it finds
    An earlier test on these rows included more learners. Some of these learners were left out, and the remaining
    learners are compared again with a different design. The rule does not report the same design with fewer learners,
    which shows nothing new.

    ## Why it matters
    The remaining learners were selected on the same rows that test them now. The best of several equal learners looks
    better on the rows by which it was selected, and no correction removes this bias. A fair test needs new rows.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20, allow EV801 because "counted by hand"
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 10x10cv, holm over learners, seed 20
    ```

    ## When it is fine
    There is no problem if you report the earlier comparison with all its learners.

    ## References
    Salzberg 1997, section 3.3.
    """
    seen: set[str] = set()
    for case, look, _ in _looks(facts):
        gone, name = _left_out(look, case), case.comparison.name
        if not gone or name in seen or case.comparison.estimate or _guarded(case):
            continue
        seen.add(name)
        yield _about_comparison(
            test_rows_chose, case,
            f"{one(gone, 'learner', 'learners')} {listed_names(gone[:4])} {one(gone, 'was', 'were')} tested on these "
            f"rows on {look.at[:10]} and then left out. The other learners may have been chosen by their scores on the "
            "same rows",
            f"report {listed_names(gone[:4])} too, or compare on new rows (a guarded holdout allows repeated use)",
        )  # fmt: skip


def _left_out(look: Look, case: Case) -> tuple[str, ...]:
    """Return the learners of an earlier use that are gone, where all present ones were among them."""
    mine = set(case.comparison.learners)
    return tuple(name for name in look.learners if name not in mine) if mine < set(look.learners) else ()
