"""`evalang test`"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from ..catalogue.tests import TESTS, find_test
from ..errors import ScriptError, TestError
from ..source.escape import for_terminal
from ..source.nearest import nearest

if TYPE_CHECKING:
    from ..catalogue.entry import TestEntry
    from .given import Given

COUNTED = ("mcnemar", "mcnemar-exact", "mcnemar-midp", "binomial", "proportions", "corrected-proportions")


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [t.name for t in TESTS if t.name.startswith(incomplete)]


@click.command("test", context_settings={"ignore_unknown_options": True})
@click.argument("name", shell_complete=_complete)
@click.argument("arguments", nargs=-1, required=True)
@click.option("--rows", type=click.IntRange(1), help="Test rows in all, where two counts are given.")
@click.option("--both-right", type=click.IntRange(0), help="Rows that both get right (proportions).")
@click.option(
    "--side",
    type=click.Choice(["two-sided", "greater", "less"]),
    default="two-sided",
    help="Of the first against the second.",
)
@click.option(
    "--level",
    default=0.95,
    type=click.FloatRange(0.5, 1, min_open=True, max_open=True),
    show_default=True,
    help="Of the interval.",
)
@click.option("--rope", default=0.0, type=click.FloatRange(0), help="Smaller differences do not matter (Bayesian).")
@click.option("--margin", type=click.FloatRange(0, min_open=True), help="How close is close enough (tost).")
@click.option("--base", default="paired-t", help="Whose standard error tost borrows.", show_default=True)
@click.option("--partition", metavar="COLUMN", help="Names the partition (or training set) of each row.")
@click.option("--train", type=float, help="Rows trained on in each fold (corrected-t).")
@click.option("--test", "tested", type=float, help="Rows tested on in each fold (corrected-t).")
@click.option("--truth", metavar="COLUMN", help="The true classes: columns are then predictions (delong: scores).")
@click.option("--lower", is_flag=True, help="Lower scores are better (tests of many learners).")
@click.option("--control", metavar="COLUMN", help="The learner compared with all others (bonferroni-dunn).")
@click.option("--option", "-o", "extra", multiple=True, metavar="NAME=VALUE", help="An option of the test's own card.")
@click.option(
    "--seed", default=0, type=click.IntRange(0), help="For tests that draw random numbers.", show_default=True
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="For people, or programs.")
def command(name: str, arguments: tuple[str, ...], form: str, **options: Any) -> int:
    """Compute one statistical test on numbers that are already there.

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
    card = find_test(name)
    if card is None:
        near = nearest(name, [t.name for t in TESTS])
        hint = f"did you mean {near}?" if near else "evalang explain --all lists them"
        raise ScriptError(f"there is no test named {name}", hint=hint)
    stray = next((a for a in arguments if a.startswith("--")), None)
    if stray is not None:
        raise ScriptError(f"evalang test has no option {stray}", hint="evalang test --help lists them")
    from .given import given
    from .test_result import plain, text

    found = _compute(card, given(arguments, options["truth"], options["partition"]), options)
    if form == "json":
        print(json.dumps(plain(found), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        sys.stdout.write(for_terminal(text(found, card.title), lines=True))
    return 0


def _compute(card: TestEntry, data: Given, options: dict[str, Any]) -> Any:
    shared: dict[str, Any] = {"level": options["level"], **_extra(card, options["extra"])}
    if card.one_sided:
        shared["alternative"] = options["side"]
    elif options["side"] != "two-sided":
        raise TestError(f"{card.name} has no sides", hint="leave --side out")
    if data.counts:
        return _counts(card, data.counts, options, shared)
    if card.evidence == "count" or not data.columns:
        raise _wrong(card, len(data.columns), "columns")
    if card.learners == "one":
        return _one(card, data, options, shared)
    return _many(card, data, options, shared) if card.learners == "many" else _two(card, data, options, shared)


def _wrong(card: TestEntry, count: int, what: str) -> ScriptError:
    wanted = {
        "count": "two counts: evalang test wilson 83 100",
        "outcomes": "two or four counts, or two columns of right (1) and wrong (0)",
        "procedure": "the score and the scores on shuffled labels: evalang test randomization 0.9 0.5,0.52,0.48",
    }
    hint = wanted.get(card.evidence, "two lists 0.9,0.8 0.7,0.6, or a file and its columns")
    return ScriptError(f"{card.name} is not computed from {count} {what}", hint=f"give {hint}")


def _extra(card: TestEntry, given: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or name not in card.options:
            has = f"it has {', '.join(card.options)}" if card.options else "it has none"
            raise ScriptError(f"{card.name} has no option {name}", hint=f"{has}; write -o NAME=VALUE")
        found[name] = _value(value)
    return found


def _value(word: str) -> Any:
    try:
        return json.loads(word)
    except ValueError:
        return word


def _counts(card: TestEntry, counts: tuple[int, ...], options: dict[str, Any], shared: dict[str, Any]) -> Any:
    from ..verdicts.functions import FUNCTIONS
    from ..verdicts.tests.mcnemar import mcnemar_counts
    from ..verdicts.tests.proportions import corrected_proportions_counts, proportions_counts

    if card.name in ("wilson", "clopper-pearson") and len(counts) == 2:
        return FUNCTIONS[card.name](*counts, level=options["level"])
    if card.name not in COUNTED or len(counts) not in (2, 4):
        raise _wrong(card, len(counts), "counts")
    rows, both = options["rows"], options["both_right"]
    n01, n10 = counts[-3:-1] if len(counts) == 4 else counts
    if len(counts) == 4:
        rows, both = sum(counts), counts[3]
    if rows is not None and rows < n01 + n10 + (both or 0):
        raise ScriptError(f"{rows} rows are fewer than the counts add up to", hint="correct --rows")
    if card.name in ("proportions", "corrected-proportions"):
        if rows is None:
            raise ScriptError(f"{card.name} needs the number of test rows", hint="add --rows, or give four counts")
        if card.name == "corrected-proportions":
            return corrected_proportions_counts(n01, n10, rows=rows, **shared)
        if both is None:
            raise ScriptError("proportions needs the rows both get right", hint="add --both-right, or give four counts")
        return proportions_counts(n01, n10, both_right=both, rows=rows, **shared)
    if card.name == "binomial":
        return mcnemar_counts(n01, n10, rows=rows, form="mcnemar-exact", **shared)
    return mcnemar_counts(n01, n10, rows=rows, form=card.name, **shared)  # type: ignore[arg-type]


def _one(card: TestEntry, data: Given, options: dict[str, Any], shared: dict[str, Any]) -> Any:
    from ..verdicts.functions import FUNCTIONS
    from .given import folded

    values = list(data.columns.values())
    if card.evidence == "procedure":
        if len(values) != 2 or len(values[0]) != 1:
            raise _wrong(card, len(values), "columns")
        return FUNCTIONS[card.name](float(values[0][0]), values[1], level=options["level"])
    if len(values) != 1:
        raise ScriptError(f"{card.name} judges one column, and there are {len(values)}", hint="name one")
    scores = folded(values[0], data.partition, False)
    if card.evidence == "training-losses":
        return FUNCTIONS[card.name](scores, **shared)
    return FUNCTIONS[card.name](scores, train_size=options["train"], test_size=options["tested"], **shared)


def _many(card: TestEntry, data: Given, options: dict[str, Any], shared: dict[str, Any]) -> Any:
    import numpy as np

    from ..verdicts.functions import FUNCTIONS

    values = [_right(v, data) if card.evidence == "outcomes" else v for v in data.columns.values()]
    if len({len(v) for v in values}) > 1:
        raise TestError("the lists differ in length", hint="every learner needs a score for every unit")
    extra = {k: v for k, v in shared.items() if k in card.options}
    if card.evidence != "outcomes":
        extra["higher_is_better"] = not options["lower"]
    if card.name in ("nemenyi", "bonferroni-dunn"):
        extra["level"] = options["level"]
    if card.name == "bonferroni-dunn":
        control = options["control"] or next(iter(data.columns))
        if control not in data.columns:
            raise ScriptError(f"there is no column {control}", hint=f"the columns are {', '.join(data.columns)}")
        extra["control"] = list(data.columns).index(control)
    return FUNCTIONS[card.name](np.column_stack(values), **extra)


def _two(card: TestEntry, data: Given, options: dict[str, Any], shared: dict[str, Any]) -> Any:
    import numpy as np

    from ..verdicts.functions import FUNCTIONS
    from .given import folded

    if len(data.columns) != 2:
        hint = "name the two: evalang test paired-t scores.csv A B"
        raise ScriptError(f"{card.name} compares two columns, and there are {len(data.columns)}", hint=hint)
    first, second = data.columns.values()
    if card.random:
        shared["rng"] = np.random.default_rng(options["seed"])
    if not card.gives_p:
        shared["rope"] = options["rope"]
    if card.evidence == "outcomes":
        first, second = _right(first, data), _right(second, data)
    shaped = card.evidence == "training-losses" or (
        card.evidence == "fold-scores" and not (card.name == "tost" and options["base"] in ("paired-t", "row-t"))
    )
    if shaped:
        fives = "5x2cv" in (card.name if card.name != "tost" else options["base"])
        first, second = (folded(v, data.partition, fives) for v in (first, second))
    if card.evidence == "fold-scores":
        shared |= {"train_size": options["train"], "test_size": options["tested"]}
    if card.name == "tost":
        if options["margin"] is None:
            raise TestError("tost needs a margin", hint="add --margin 0.01")
        shared |= {"margin": options["margin"], "base": options["base"]}
    if card.name == "delong":
        if data.truth is None:
            raise TestError("delong needs the true classes", hint="give a file and --truth COLUMN")
        return FUNCTIONS["delong"](data.truth, first, second, **shared)
    return FUNCTIONS[card.name](first, second, **shared)


def _right(values: Any, data: Given) -> Any:
    """Right or wrong of every row: 1 and 0 as given, or predictions compared with the truth."""
    import numpy as np

    if data.truth is not None:
        return np.array([str(v) == str(t) for v, t in zip(values.tolist(), data.truth.tolist(), strict=True)])
    if not np.isin(values, (0, 1)).all():
        raise TestError("right and wrong are written 1 and 0", hint="or name the true classes: --truth COLUMN")
    return values.astype(bool)
