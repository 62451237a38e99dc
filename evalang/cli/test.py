"""`evalang test`: one statistical test on numbers or on a file, printed as text or JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ..catalogue.tests import TESTS, find_test, is_t_test, meant_test
from ..errors import ScriptError, TestError
from ..language.text import counted, for_terminal, nearest
from ..results.numbers import percent, with_margin
from ..results.records import Interval, PostHoc, TestResult
from . import screen

if TYPE_CHECKING:
    from ..catalogue.tests import TestEntry
    from ..verdicts.tests.intervals import ScoreInterval
    from .test_input import GivenNumbers


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [t.name for t in TESTS if t.name.startswith(incomplete)]


@click.command("test", context_settings={"ignore_unknown_options": True})
@click.argument("name", shell_complete=_complete)
@click.argument("arguments", nargs=-1, required=True)
@click.option("--rows", type=click.IntRange(1), help="Total number of test rows (with two counts).")
@click.option(
    "--both-right", type=click.IntRange(0), help="Number of rows that both classifiers get right (proportions)."
)
@click.option(
    "--side",
    type=click.Choice(["two-sided", "greater", "less"]),
    default="two-sided",
    help="Direction of the alternative: first against second.",
)
@click.option(
    "--level",
    default=0.95,
    type=click.FloatRange(0.5, 1, min_open=True, max_open=True),
    show_default=True,
    help="Level of the printed interval.",
)
@click.option("--rope", default=0.0, type=click.FloatRange(0), help="Equivalence margin of Bayesian tests (ROPE).")
@click.option("--margin", type=click.FloatRange(0, min_open=True), help="Equivalence margin of tost.")
@click.option("--base", default="paired-t", help="Test whose standard error tost uses.", show_default=True)
@click.option(
    "--partition", metavar="COLUMN", help="Column that numbers the random splits (or training sets, groups, times)."
)
@click.option("--train", type=float, help="Training rows of each fold (corrected-t).")
@click.option("--test", "tested", type=float, help="Test rows of each fold (corrected-t).")
@click.option(
    "--truth",
    metavar="COLUMN",
    help="Column of the true classes, if the other columns are predictions (delong: scores).",
)
@click.option("--lower", is_flag=True, help="Lower scores are better (tests of many learners).")
@click.option(
    "--control", metavar="COLUMN", help="Learner that all other learners are compared with (bonferroni-dunn)."
)
@click.option(
    "--option", "-o", "extra", help="An option of this test; evalang explain NAME lists them.", **screen.NAME_VALUE
)
@click.option(
    "--seed", default=0, type=click.IntRange(0), help="Seed of tests that draw random numbers.", show_default=True
)
@screen.NO_LEDGER
@screen.choose_format("text", "json", help="Output format.")
def test_command(name: str, arguments: tuple[str, ...], no_ledger: bool, form: str, **options: Any) -> int:
    """Compute one statistical test on numbers or on a file.

    \b
    evalang test mcnemar 35 15                        counts: only the first wrong, only the second wrong
    evalang test proportions 50 35 15 200             both wrong, only the first, only the second, both right
    evalang test wilson 83 100                        right, of how many
    evalang test paired-t scores.csv A B              two columns of a file, one row a dataset
    evalang test wilcoxon 0.9,0.8,0.7 0.8,0.7,0.75    two lists of numbers
    evalang test corrected-t folds.csv A B --partition run --train 90 --test 10
    evalang test mcnemar predictions.csv A B --truth y
    evalang test friedman scores.csv                  every column of numbers
    evalang explain friedman                          what the test is for, and when not to use it
    """
    card = find_test("paired-t" if is_t_test(name) else name)
    if card is None:
        near = meant_test(name) or nearest(name, [t.name for t in TESTS])
        hint = f"did you mean {near}?" if near else "evalang explain --all lists the tests"
        raise ScriptError(f"there is no test named {name}", hint=hint)
    stray = next((a for a in arguments if a.startswith("--")), None)
    if stray is not None:
        raise ScriptError(f"evalang test has no option {stray}", hint="evalang test --help lists them")
    from .test_input import given

    data = given(arguments, options["truth"], options["partition"], card.evidence)
    found = _compute(card, data, options)
    if data.rows is not None:
        _count(card, data, options, off=no_ledger)
    if form == "json":
        screen.print_json(plain(found))
    else:
        sys.stdout.write(for_terminal(text(found, card.title), lines=True))
    return 0


def _count(card: TestEntry, data: GivenNumbers, options: dict[str, Any], *, off: bool) -> None:
    """Record the test in the ledger beside the file, and print how many came before it or why it is not recorded."""
    import os

    from ..errors import RunError
    from ..ledger.entries import record_single_look
    from ..ledger.history import Project
    from ..settings import settings_for

    said = ""
    why = settings_for(data.file or "-").why_no_ledger("--no-ledger" if off else "")
    if why:
        said = f"this test is not recorded in a ledger: {why}"
    elif data.rows is not None:
        defaults = {"level": 0.95, "side": "two-sided", "rope": 0.0, "base": "paired-t", "seed": 0}
        given = {key: value for key, value in options.items() if value not in (None, (), False, defaults.get(key))}
        design = {"learners": list(data.columns), "by": [card.name], **{k: str(v) for k, v in sorted(given.items())}}
        try:
            project = Project(os.path.dirname(data.file) or ".")
            before = record_single_look(project, os.path.basename(data.file), design, data.rows)
        except RunError as error:
            said = f"this test is not recorded in a ledger: {error.message}"
        else:
            said = f"these rows were tested {counted(before, 'time')} before" if before else ""
    if said:
        screen.print_note(said)


def _compute(card: TestEntry, data: GivenNumbers, options: dict[str, Any]) -> Any:
    import numpy as np

    from ..verdicts.apply import compute
    from .test_input import numbers_for

    if not card.one_sided and options["side"] != "two-sided":
        raise TestError(f"{card.name} has no one-sided form", hint="leave out --side")
    numbers = numbers_for(card, data, options)
    asked = {name: options[name] for name in ("level", "rope", "margin", "base")}
    asked |= {"alternative": options["side"], "rng": np.random.default_rng(options["seed"])}
    asked |= _extra(card, options["extra"])
    return compute(card.name, **numbers | {name: value for name, value in asked.items() if value is not None})


def _extra(card: TestEntry, given: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or name not in card.options:
            has = f"it has {', '.join(card.options)}" if card.options else "it has none"
            raise ScriptError(f"{card.name} has no option {name}", hint=f"{has}; write -o NAME=VALUE")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def plain(found: TestResult | PostHoc | ScoreInterval) -> Any:
    """Return the result for JSON; an open end of an interval is null."""
    fields = asdict(found)
    fields.pop("interval_at", None)  # a function
    return json.loads(json.dumps(fields), parse_constant=lambda _: None)


def text(found: TestResult | PostHoc | ScoreInterval, title: str) -> str:
    """Return the result in lines."""
    if isinstance(found, PostHoc):
        name, lines = found.test, _post_hoc(found)
    elif isinstance(found, TestResult):
        name, lines = found.test, _test(found)
    else:
        name, lines = found.method_name, _estimate(found)
    return "\n".join([f"{name}: {title}", *(f"  {head:14} {words}" for head, words in lines)]) + "\n"


def _post_hoc(found: PostHoc) -> Iterator[tuple[str, str]]:
    yield "mean ranks", ", ".join(f"{r:.4g}" for r in found.ranks) + " (1 is best)"
    if found.critical_difference is not None:
        yield "critical", f"difference of mean ranks {found.critical_difference:.4g}"
    for (i, j), result in zip(found.pairs, found.results, strict=True):
        adjusted = ", corrected for all pairs" if found.adjusted else ""
        yield f"{i + 1} against {j + 1}", f"p {_number(result.pvalue)}{adjusted}"


def _estimate(found: ScoreInterval) -> Iterator[tuple[str, str]]:
    yield "estimate", f"{found.value:.6g}"
    yield "interval", _interval(found.interval)
    if found.standard_error is not None:
        yield "standard error", f"{found.standard_error:.6g}"
    yield from _tail(found)


def _test(found: TestResult) -> Iterator[tuple[str, str]]:
    if found.statistic is not None:
        df = f" on {', '.join(f'{d:.6g}' for d in found.df)} degrees of freedom" if found.df else ""
        yield "statistic", f"{with_margin(found.statistic_name)} = {found.statistic:.6g}{df}"
    if found.pvalue is not None:
        yield "p", f"{_number(found.pvalue)} ({found.alternative})"
    if found.posterior is not None:
        x = found.posterior
        neither = f"neither by more than {x.rope:g} {x.p_rope:.4f}"
        yield "posterior", f"first better {x.p_right:.4f}, {neither}, second better {x.p_left:.4f}"
    if found.difference is not None:
        yield "difference", f"{found.difference:.6g} (first minus second)"
    if found.interval is not None:
        yield "interval", _interval(found.interval)
    if found.effect is not None:
        yield "effect", f"{found.effect.name} {found.effect.value:.4g}"
    if found.ranks:
        yield "mean ranks", ", ".join(f"{r:.4g}" for r in found.ranks) + " (1 is best)"
    if found.wins or found.ties or found.losses:
        yield "first", f"higher {found.wins} times, equal {found.ties}, lower {found.losses}"
    yield from _tail(found)


def _tail(found: TestResult | ScoreInterval) -> Iterator[tuple[str, str]]:
    yield "units", f"{found.n_units} ({found.unit})"
    yield "method", with_margin(found.method)
    yield from ((name.replace("_", " "), f"{value:.6g}") for name, value in found.details)
    yield from (("note", note) for note in found.notes)


def _interval(found: Interval) -> str:
    low = "below" if found.low == -math.inf else f"{found.low:.6g}"
    high = "above" if found.high == math.inf else f"{found.high:.6g}"
    ends = f"{high} and {low}" if low == "below" else f"{low} and {high}" if high == "above" else f"{low} to {high}"
    return f"{ends} ({percent(found.level)}, {found.method})"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}"
