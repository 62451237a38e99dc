"""The small studies run, and give the numbers of the papers where those are right."""

from __future__ import annotations

import pytest

from evalang.errors import EvalangError
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script

from .scripts import NEED_DATA, run, source, verdict


def test_bramer() -> None:
    """t and intervals of chapter 15; the intervals as they are without rounding the standard error (inc-36, inc-37)."""
    found = run("bramer/tables.eval")
    expected = {
        "all-ten": (0.7, 0.32, False),
        "little-spread": (0.7, 2.69, True),
        "two-dropped": (3.5, 2.41, True),
        "two-replaced": (3.9, 3.31, True),
        "larger-wins": (6.5, 2.81, True),
    }
    for name, (difference, t, better) in expected.items():
        one = verdict(found, name)
        assert one.test is not None
        assert one.difference == pytest.approx(difference)
        assert one.test.statistic == pytest.approx(t, abs=0.005)
        assert (one.decision == "first-better") is better
    for name, low, high in (("two-dropped", 0.0675, 6.9325), ("two-replaced", 0.0716, 7.7284)):
        interval = verdict(found, name).interval
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-4)


def test_salzberg_binomial() -> None:
    """0.0066 and twice 0.1013 (printed as 0.0064 and 0.1012: inc-02, inc-03); McNemar's 7.22."""
    found = run("salzberg/binomial.eval")
    values = [verdict(found, name, data).test for name, data in (("clear", "thirty-five"), ("unclear", "thirty"))]
    assert [t.pvalue for t in values if t] == pytest.approx([0.0066004, 2 * 0.1013194], abs=1e-6)
    chi = verdict(found, "chi-squared", "thirty-five").test
    assert chi is not None
    assert chi.statistic == pytest.approx(19**2 / 50)


@pytest.mark.slow  # that it is read and planned: test_lint.py; that binomial judges folds: tests/test_every_test.py
def test_salzberg_recommended() -> None:
    found = run("salzberg/recommended.eval")
    pairs = [v for v in found.verdicts if v.pair]
    assert {v.dataset for v in pairs} == {"tumours", "boards"}
    assert all(v.test is not None and v.test.test == "binomial" and v.family_size == 2 for v in pairs)
    assert not found.failures
    assert not [f for f in found.findings if f.level == "error"]


@pytest.mark.parametrize("folds", [3, pytest.param(10, marks=pytest.mark.slow)])
def test_salzberg_randomization(folds: int) -> None:
    """Wine is far from noise: none of the 19 shuffles does as well."""
    whole = source("salzberg/randomization.eval")
    text = whole.text.replace("using 10cv", f"using {folds}cv")
    (found,) = run_script(SourceText(whole.path, text), Request()).estimates
    assert found.test is not None
    assert found.test.pvalue == pytest.approx(1 / 20)


def test_dietterich_power() -> None:
    found = run("dietterich/power.eval")
    assert {o.subject.partition(":")[0] for o in found.simulations} == {"once", "halves", "tenths"}
    assert any("target" in dict(o.settings) for o in found.simulations)


@pytest.mark.parametrize(
    ("partitions", "datasets"), [(2, ["wines"]), pytest.param(5, ["monks", "boards", "wines"], marks=pytest.mark.slow)]
)
def test_bradford_and_brodley(partitions: int, datasets: list[str]) -> None:
    whole = source("bradford-brodley/small.eval")
    text = whole.text.replace("5 partitions", f"{partitions} partitions")
    text = text.replace("on monks, boards, wines", f"on {', '.join(datasets)}")
    found = run_script(SourceText(whole.path, text), Request())
    assert not found.failures
    assert len([v for v in found.verdicts if v.pair]) == 4 * len(datasets)
    # Every verdict has the t values of its partitions beside it.
    assert len(found.partitions) == 4 * len(datasets) * partitions


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_caruana(whole: bool) -> None:
    small = source("caruana/small.eval")
    quick = small.text.replace("on tumours, eights", "on eights").replace("5 resamples", "2 resamples")
    text = small.text if whole else quick
    found = run_script(SourceText(small.path, text), Request())
    assert not found.failures
    assert len({v.metric for v in found.verdicts}) == 9
    judged = [v for v in found.verdicts if (v.dataset, v.metric) == ("eights", "cross-entropy")]
    entropy = {s.learner: s.mean or 0.0 for v in judged for s in v.scores}
    # Section 3: calibration repairs the probabilities of naive Bayes and of boosted trees.
    assert entropy["bayes-isotonic"] < entropy["bayes"]
    assert entropy["boosted-platt"] < entropy["boosted"]


@pytest.mark.parametrize("name", sorted(NEED_DATA))
def test_without_its_data_a_study_says_so_in_one_sentence(name: str) -> None:
    with pytest.raises(EvalangError, match="there is no file"):
        run(name)
