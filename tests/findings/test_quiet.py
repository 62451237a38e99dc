"""The order in which findings are told, and how few words are used for what is only advice."""

from __future__ import annotations

from evalang.data.profile_facts import AnswerColumn, Profile
from evalang.findings.engine import gravity, in_order
from evalang.findings.fix import repair
from evalang.findings.render_text import render_report
from evalang.language.text import LEVELS, SourceText

from .scripts import PATH, linted

LOUD = """\
compare decision-tree vs naive-bayes on iris, wine, digits using 10cv
compare decision-tree vs random-forest on iris, wine, digits using 10cv
compare svm vs random-forest on iris, wine, digits using 10cv, measuring accuracy, balanced-accuracy
"""


def test_errors_then_warnings_then_notes_and_the_gravest_first() -> None:
    found = linted(LOUD).findings
    ranks = [(LEVELS.index(f.level), gravity(f.code)) for f in found]
    assert ranks == sorted(ranks)
    assert {f.level for f in found} == set(LEVELS)


def test_a_leak_is_told_before_a_missing_reason() -> None:
    text = 'dataset visits from csv "v.csv", target "y"\ncompare decision-tree vs naive-bayes on visits using 5x2cv\n'
    seen = Profile(
        name="visits",
        rows=5000,
        features=3,
        task="classification",
        classes=(("a", 2500), ("b", 2500)),
        answer_columns=(AnswerColumn("outcome", 0.999),),
        duplicate_rows=900,
    )
    codes = [f.code for f in linted(text, profiles={"visits": seen}).findings if f.level == "warning"]
    assert codes.index("EV108") < codes.index("EV105") < codes.index("EV101")


def test_one_note_of_a_code() -> None:
    notes = [f.code for f in linted(LOUD).findings if f.level == "note"]
    assert len(notes) == len(set(notes))


def test_the_order_is_the_same_whatever_order_the_rules_answer_in() -> None:
    report = linted(LOUD)
    assert in_order(reversed(report.findings), report.sources) == report.findings


def test_lines_of_a_clean_script_with_notes() -> None:
    data = 'dataset d from builtin "iris" because "r"'
    shown = render_report([linted(f"{data}\ncompare decision-tree vs naive-bayes on d using 5x2cv, seed 1\n")])
    assert shown.startswith("notes: EV102, EV111")
    assert shown.count("\n") == 2
    assert PATH not in shown


def test_no_note_follows_whatever_is_measured_or_repaired() -> None:
    """EV604 beside EV507, EV312 on every 5x2cv and EV503 after --fix were findings from which nobody escaped."""
    base = 'dataset d from csv "d.csv", target "y" because "r"\n'
    one = linted(base + "compare decision-tree vs naive-bayes on d using 5x2cv, measuring accuracy, seed 1\n")
    assert {f.code for f in one.findings}.isdisjoint({"EV604", "EV507", "EV312"})
    fixed = repair(
        SourceText(
            PATH, base + "compare decision-tree vs naive-bayes vs random-forest on d using 5x2cv, all pairs, seed 1\n"
        )
    )
    assert "holm over learners" in fixed
    assert "EV503" not in {f.code for f in linted(fixed).findings}
