"""`evalang power`: numbers against published formulas and statsmodels."""

from __future__ import annotations

import pytest
from statsmodels.stats.power import TTestPower

from evalang.cli.main import run


def test_before_any_data(capsys: pytest.CaptureFixture[str]) -> None:
    # Connor (1987) without continuity correction: ((1.96 sqrt(.3) + .8416 sqrt(.3 - .02^2)) / .02)^2 = 5,884
    assert run(["power", "--difference", "2pt", "--disagreement", "30%", "--items"]) == 0
    assert "2 points need 5,885 items for 80% power" in capsys.readouterr().out
    # Five epochs, half of the disagreement varies: variance (.3 - .0004) (.5 + .1), a paired t-test.
    assert run(["power", "--difference", "2%", "--disagreement", "30%", "--epochs", "5", "--items"]) == 0
    exact = TTestPower().solve_power(0.02 / (0.2996 * 0.6) ** 0.5, alpha=0.05, power=0.8)
    assert f"need {int(exact) + 1:,} items" in capsys.readouterr().out


def test_wrong_input_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["power", "--difference", "2pt"]) == 2
    assert run(["power", "--difference", "abc", "--items"]) == 2
    assert "Traceback" not in capsys.readouterr().err
