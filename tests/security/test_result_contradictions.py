"""Results and ledgers that were edited by hand: a wrong field is named, and nothing crashes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalang.api import load_result
from evalang.cli.main import run
from evalang.errors import ScriptError

Change = Callable[[dict[str, Any]], None]
GONE, SHORTER, LONGER = "gone", "one shorter", "one longer"
SPOILT: tuple[Any, ...] = (
    None, True, -1, 0, 7, 0.37, 1e308, 10**400, b"NaN", b"Infinity", b"1e400", b"9" * 5000, "", "x", "q" * 10_000,
    "\ud800", "\x1b[2J", [], [1, "x"], {}, {"infinite": 1}, {"table": "Verdict", "columns": {}},
    b"[" * 5000 + b"]" * 5000, GONE, SHORTER, LONGER,
)  # fmt: skip
STUDY = (
    "compare decision-tree vs naive-bayes on iris, wine using 5x2cv, seed 20, measuring accuracy, roc-area, "
    "holm over datasets\nestimate knn on iris using 10cv, seed 1\n"
    "claim decision-tree better than naive-bayes on wine\n"
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    (folder / "study.eval").write_text(STUDY)
    assert run(["run", str(folder / "study.eval")]) in (0, 1, 4)
    return folder / "runs" / "study"


def _said(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    capfd.readouterr()
    code = run([str(one) for one in arguments])
    words = "".join(capfd.readouterr())
    assert "internal error" not in words
    assert "Traceback" not in words
    return code, words


def _changed(finished: Path, folder: Path, change: Change) -> Path:
    document = json.loads((finished / "result.json").read_text())
    change(document["run"])
    (folder / "result.json").write_text(json.dumps(document))
    return folder


def spots(whole: Any) -> list[tuple[Any, ...]]:
    """The places of a document; of a list the first and one in the middle, which stand for all."""

    def told(spot: tuple[Any, ...]) -> bool:
        return all(type(k) is str or k in (0, len(_at(whole, spot[:i])) // 2) for i, k in enumerate(spot))

    return [spot for spot in _places(whole) if told(spot)]


def spoilt(text: str, spot: tuple[Any, ...], value: Any) -> bytes:
    """The document with something else in one place; bytes stand there as they are."""
    document = json.loads(text)
    inside = _at(document, spot[:-1])
    was = inside[spot[-1]]
    mark = "what stands here instead"
    if value in (GONE, SHORTER, LONGER):
        kept = was if isinstance(was, list) else []
        inside[spot[-1]] = kept[:-1] if value == SHORTER else kept + kept[-1:] if value == LONGER else None
        if value == GONE:
            del inside[spot[-1]]
        return json.dumps(document).encode()
    inside[spot[-1]] = mark if isinstance(value, bytes) else value
    content = json.dumps(document).encode()
    return content.replace(json.dumps(mark).encode(), value) if isinstance(value, bytes) else content


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _places(inner, (*place, key))


def _at(document: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        document = document[key]
    return document


def test_any_place_of_a_result_holds_anything(
    finished: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A random part of all places and values."""
    text = (finished / "result.json").read_text()
    rng = random.Random(20)
    cases = [(place, value) for place in spots(json.loads(text)) for value in SPOILT]
    refused = 0
    for place, value in rng.sample(cases, 120):
        (tmp_path / "result.json").write_bytes(spoilt(text, place, value))
        try:
            load_result(tmp_path)
        except ScriptError:
            refused += 1
            continue
        code, _ = _said(capfd, "report", tmp_path, "--to", rng.choice(("text", "json", "markdown", "latex")))
        assert code in (0, 2), (place, value)
    assert refused > 60


def _first(run: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = run["verdicts"][0]
    return found


def _better(run: dict[str, Any]) -> None:
    _first(run).update(decision="first-better", adjusted_p=0.8)


WRONG: dict[str, tuple[Change, str]] = {
    "p below 0": (lambda run: _first(run).update(adjusted_p=-1), "verdicts[0].adjusted_p should be between"),
    "p without end": (lambda run: _first(run)["test"].update(pvalue={"infinite": 1}), "verdicts[0].test.pvalue should"),
    "p of 400 digits": (lambda run: _first(run)["test"].update(pvalue=10**400), "verdicts[0].test.pvalue should"),
    "level 7": (lambda run: _first(run)["test"]["interval"].update(level=7), "verdicts[0].test.interval.level should"),
    "level in words": (
        lambda run: run["plan"]["plan"]["comparisons"][0]["alpha"].update(value="7"),
        'plan.comparisons[0].alpha.value should be a number, not "7"',
    ),
    "a count below nothing": (lambda run: _first(run)["test"].update(wins=-1), "verdicts[0].test.wins should be"),
    "trials below nothing": (lambda run: run.update(trials=-1), "trials should be between"),
    "no learners": (lambda run: _first(run).pop("learners"), "verdicts[0].learners is missing"),
    "one field more": (lambda run: _first(run).update(extra=1), "verdicts[0].extra is not a field of Verdict"),
    "another decision": (lambda run: _first(run).update(decision="won"), "verdicts[0].decision should be one of"),
    "better with p .8": (_better, "it says first-better with p 0.8 at level"),
    "better without a test": (lambda run: _first(run).update(decision="differ", test=None), "differ without a test"),
    "a column that is shorter": (lambda run: run["scores"]["fold"].pop(), "does not hold together"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_result_with_a_wrong_field_is_refused_by_its_path(
    case: str, finished: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    change, words = WRONG[case]
    code, said = _said(capfd, "report", _changed(finished, tmp_path, change))
    assert code == 2
    assert words in " ".join(said.split())


def test_a_result_as_it_was_found_is_reported(
    finished: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _said(capfd, "report", _changed(finished, tmp_path, lambda run: None))[0] == 0
