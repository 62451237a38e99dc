"""Lint as a whole: which rules are asked, what becomes of a rule that fails, in which order findings come."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from evalang.findings.engine import gravity, in_order, lint, unknown_choice
from evalang.findings.facts import Facts
from evalang.findings.fix import repair
from evalang.findings.rule import rule
from evalang.findings.rules import RULES
from evalang.language.text import LEVELS, Finding, SourceText
from evalang.plans.build import build

from .scripts import PATH, codes, linted

DESIGN = (
    'dataset d from csv "d.csv", target "y" because "r"\n'
    "compare decision-tree vs naive-bayes on d using 10cv, by kfold-t\n"
)
SENTENCE = (
    'dataset D1 from csv "d1.csv", target "y" because "ours"\n'
    'dataset D2 from csv "d2.csv", target "y" because "ours"\n'
    'suite D is D1, D2 because "ours"\n'
    "learner A is decision-tree, tune max_depth in {1, 2, 4}\n"
    "learner B is random-forest, tune max_depth in {1, 2, 4}\n"
    "set seed 20\n"
    "compare A vs B on D using 5x2cv, tune on 20%, bonferroni over datasets\n"
)


def test_the_sentence_that_has_to_work_has_no_error_and_no_warning() -> None:
    assert codes(linted(SENTENCE)) == []


def test_of_one_gravity_findings_come_in_the_order_of_the_script() -> None:
    starts = [f.span.start for f in linted(DESIGN + DESIGN.partition("\n")[2]).findings if f.code == "EV301"]
    assert len(starts) == 2
    assert starts == sorted(starts)
    assert codes(linted(DESIGN)) == ["EV301", "EV403", "EV310"]


def test_scores_that_are_there_cannot_be_dealt_anew() -> None:
    """`using` is refused on a table, and `made using 10x2cv` of folds made otherwise would be false."""
    table = 'results runs from sklearn "runs.csv", made using 10cv, measuring accuracy\ncompare a vs b on runs\n'
    (found,) = [f for f in linted(table).findings if f.code == "EV301"]
    assert "train again with `10x2cv`" in found.help
    assert "write `using" not in found.help
    assert found.fix is None


def test_every_rule_is_passed_found_allowed_or_not_applicable() -> None:
    report = linted(DESIGN + 'claim decision-tree better than naive-bayes on d, allow EV008 because "x"\n')
    said = {f.code for f in report.findings} | {p.code for p in report.passed} | {s.code for s in report.not_applicable}
    said |= {a.finding.code for a in report.allowed}
    assert said == {r.code for r in RULES}


def test_rules_of_later_stages_wait() -> None:
    waiting = {s.code: s.reason for s in linted(DESIGN).not_applicable}
    assert "lint --data" in waiting["EV104"]
    assert waiting["EV705"] == "nothing has been run yet"


@pytest.mark.parametrize(
    ("select", "ignore", "wanted"),
    [
        (("EV3",), (), ["EV301", "EV310"]),
        (("no-seed",), (), ["EV310"]),
        ((), ("EV3", "kfold-t"), []),
        (("EV301", "EV403"), ("EV403",), ["EV301"]),
        (("ev310",), (), ["EV310"]),
    ],
)
def test_select_and_ignore(select: tuple[str, ...], ignore: tuple[str, ...], wanted: list[str]) -> None:
    assert codes(lint(build(SourceText(PATH, DESIGN)), select=select, ignore=ignore)) == wanted


def test_what_cannot_be_read_is_told_whatever_is_selected() -> None:
    report = lint(build(SourceText(PATH, "compare a versus b\n")), select=("EV501",))
    assert set(codes(report)) == {"EV001"}


def test_unknown_choice_offers_the_nearest() -> None:
    assert unknown_choice("EV501") is None
    assert unknown_choice("EV5") is None
    assert unknown_choice("uncorrected") is None
    assert unknown_choice("uncorected") == "there is no rule uncorected; did you mean uncorrected?"
    assert unknown_choice("EV9999") is not None


def test_a_rule_that_fails_becomes_a_finding_and_the_others_go_on(judge_by: Callable[..., None]) -> None:
    @rule("EV499", "always-fails", "warning")
    def always_fails(facts: Facts) -> Iterator[Finding]:
        """Fails."""
        raise ZeroDivisionError("our mistake")
        yield

    judge_by((always_fails, *RULES))
    report = linted(DESIGN)
    assert codes(report) == ["EV901", "EV301", "EV403", "EV310"]
    (crash,) = [f for f in report.findings if f.code == "EV901"]
    assert "EV499 always-fails" in crash.message
    assert "our mistake" in crash.message
    assert report.crashed


LOUD = """\
compare decision-tree vs naive-bayes on iris, wine, digits using 10cv
compare decision-tree vs random-forest on iris, wine, digits using 10cv
compare svm vs random-forest on iris, wine, digits using 10cv, measuring accuracy, balanced-accuracy, tune on test
"""


def test_errors_then_warnings_then_notes_and_the_gravest_first() -> None:
    found = linted(LOUD).findings
    ranks = [(LEVELS.index(f.level), gravity(f.code)) for f in found]
    assert ranks == sorted(ranks)
    assert {f.level for f in found} == set(LEVELS)


def test_one_note_of_a_code() -> None:
    notes = [f.code for f in linted(LOUD).findings if f.level == "note"]
    assert len(notes) == len(set(notes))


def test_the_order_is_the_same_whatever_order_the_rules_answer_in() -> None:
    report = linted(LOUD)
    assert in_order(reversed(report.findings), report.sources) == report.findings


def test_no_note_follows_whatever_is_measured_or_repaired() -> None:
    """EV604 beside EV507, EV312 on every 5x2cv and EV503 after --fix were findings from which nobody escaped."""
    base = 'dataset d from csv "d.csv", target "y" because "r"\n'
    one = linted(base + "compare decision-tree vs naive-bayes on d using 5x2cv, measuring accuracy, seed 1\n")
    assert {f.code for f in one.findings}.isdisjoint({"EV604", "EV507", "EV312"})
    fixed = repair(
        SourceText(
            PATH,
            base + "compare svm vs naive-bayes vs random-forest on d using 5x2cv, all pairs, uncorrected, seed 1\n",
        )
    )
    assert "holm over learners" in fixed
    assert "EV503" not in {f.code for f in linted(fixed).findings}


def test_a_rule_of_tests_has_not_passed_where_the_test_cannot_be_computed() -> None:
    report = linted(
        'dataset d from csv "d.csv", target "y" because "r"\n'
        "compare decision-tree vs naive-bayes on d using 10x10cv, by mcnemar, seed 1\n"
    )
    assert {"EV408", "EV501"}.isdisjoint(passed.code for passed in report.passed)
    assert {"EV408", "EV501"} <= {skipped.code for skipped in report.not_applicable}
