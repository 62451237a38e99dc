"""Every spelling on its whole way: lint names it, plan takes it as meant, --fix writes it, and then it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ..findings.test_spellings import ANSWERED, MANY, REPAIRED
from ..support.calling import Called

ROWS = "x,g,y\n" + "".join(f"{i * 7 % 13},{i // 4},{'ab'[(i * i + i // 3) % 2]}\n" for i in range(48))
AT_ONCE = tuple(REPAIRED)[::40]  # a run of each takes a second or two
# The functions behind the commands see every spelling in tests/findings/test_spellings.py.
SOME = pytest.mark.parametrize(
    "text", [*tuple(REPAIRED)[::4], *(pytest.param(t, marks=pytest.mark.slow) for i, t in enumerate(REPAIRED) if i % 4)]
)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "d.csv").write_text(ROWS)
    return tmp_path / "s.eval"


def _said(called: Called) -> str:
    return called.out + called.err


@SOME
def test_repaired(text: str, script: Path, call: Callable[..., Called]) -> None:
    script.write_text(text + "\n")
    found = call("lint", script)
    assert found.code in (1, 2)
    assert "(--fix does it)" in _said(found)
    as_meant = call("plan", script)
    assert as_meant.code == found.code
    refused = call("run", script)
    assert refused.code == found.code
    assert "`evalang lint --fix` repairs it" in _said(refused) or _said(found).count("error[") > 1
    assert not (script.parent / "runs").exists()
    call("lint", "--fix", "--select", "EV0", script)  # the words alone, not the design
    planned = call("plan", script)
    assert "EV001" not in _said(planned)
    assert "EV002" not in _said(planned)
    assert _as_named(planned.out) == _as_named(as_meant.out)


def _as_named(plan: str) -> list[str]:
    """The schemes, tests and numbers of fits of a plan; a learner may stand there under its short name."""
    return [line for line in plan.splitlines() if line.split()[:1] in (["scheme"], ["tests"], ["test"], ["fits"])]


@pytest.mark.parametrize("text", ANSWERED)
def test_answered(text: str, script: Path, call: Callable[..., Called]) -> None:
    """What has no single meaning is not rewritten, and nothing runs."""
    script.write_text(text + "\n")
    call("lint", "--fix", "--select", "EV0", script)
    assert script.read_text() == text + "\n"
    assert call("run", script).code in (1, 2)
    assert not (script.parent / "runs").exists()


def _run(text: str, script: Path, call: Callable[..., Called]) -> None:
    script.write_text(text + "\n")
    call("lint", "--fix", script)
    ran = call("run", script)
    ended = (script.parent / "runs" / "s").is_dir()
    assert ended or "error[EV" in _said(ran) or "is not trusted" in _said(ran)  # code of others runs with --trust alone
    assert "error[EV00" not in _said(ran).replace("error[EV006]", "").replace("error[EV007]", "")
    assert ended == (ran.code == 0) or (ran.code == 1 and "\nclaim " in text)  # a claim that was not borne out


@pytest.mark.parametrize("text", AT_ONCE)
def test_run_after_the_repair(text: str, script: Path, call: Callable[..., Called]) -> None:
    _run(text, script, call)


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for text in REPAIRED if text not in AT_ONCE and MANY not in text])
def test_every_run_after_the_repair(text: str, script: Path, call: Callable[..., Called]) -> None:
    _run(text, script, call)
