"""`evalang test`"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import numpy as np

from ..catalogue.tests import TESTS, find_test
from ..data.access import Access
from ..data.names import find_column
from ..data.read import read
from ..errors import ScriptError, TestError
from ..plans.model import Source
from ..source.escape import for_terminal
from ..source.nearest import nearest
from ..verdicts.functions import FUNCTIONS
from ..verdicts.mcnemar import mcnemar_counts
from ..verdicts.proportions import corrected_proportions_counts, proportions_counts
from ..verdicts.result import PostHoc, TestResult

_COUNTS = ("mcnemar", "mcnemar-exact", "mcnemar-midp", "binomial", "proportions", "corrected-proportions", "wilson", "clopper-pearson")
_ENDINGS = {".csv": "csv", ".gz": "csv", ".parquet": "parquet", ".arff": "arff"}


@click.command("test", context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("arguments", nargs=-1, required=True)
@click.option("--rows", type=click.IntRange(1), help="Test rows in all, where counts are given.")
@click.option("--side", type=click.Choice(["two-sided", "greater", "less"]), default="two-sided", help="Of the first against the second.")
@click.option("--level", default=0.95, type=click.FloatRange(0.5, 1, min_open=True, max_open=True), show_default=True, help="Of the interval.")
@click.option("--rope", default=0.0, type=click.FloatRange(0), help="Differences below this do not matter (Bayesian tests).")
@click.option("--margin", type=click.FloatRange(0, min_open=True), help="How close is close enough (tost).")
@click.option("--base", default="paired-t", help="Whose standard error tost borrows.", show_default=True)
@click.option("--partition", "partition", help="The column that numbers the partitions (tests of fold scores).")
@click.option("--train", type=float, help="Rows trained on in each fold (corrected-t).")
@click.option("--test", "tested", type=float, help="Rows tested on in each fold (corrected-t).")
@click.option("--truth", help="The column of true classes (delong).")
@click.option("--lower", is_flag=True, help="Lower scores are better (tests of many learners).")
@click.option("--control", help="The learner compared with all others (bonferroni-dunn).")
@click.option("--seed", default=0, help="For tests that draw random numbers.", show_default=True)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
def command(name: str, arguments: tuple[str, ...], form: str, **options: Any) -> int:
    """Compute one statistical test.

    \b
    evalang test mcnemar 35 15                       counts: only the first wrong, only the second wrong
    evalang test paired-t scores.csv A B             two columns of a file, one row a dataset
    evalang test wilcoxon 0.9,0.8,0.7 0.8,0.7,0.75   two lists of numbers
    evalang test friedman scores.csv                 every column of numbers
    """
    card = find_test(name)
    if card is None:
        near = nearest(name, [t.name for t in TESTS])
        raise ScriptError(f"there is no test named {name}", hint=f"did you mean {near}?" if near else "evalang explain --all lists them")
    found = _compute(name, arguments, options)
    if form == "json":
        print(json.dumps(_plain(asdict(found)), indent=2, allow_nan=False))
    else:
        sys.stdout.write(for_terminal(_text(found, card.title), lines=True))
    return 0


def _compute(name: str, arguments: tuple[str, ...], options: dict[str, Any]) -> Any:
    numbers = [_number(a) for a in arguments]
    if all(n is not None for n in numbers):
        return _counts(name, [int(n) if n == int(n) else n for n in numbers if n is not None], options)
    lists = [_list(a) for a in arguments]
    if all(x is not None for x in lists):
        return _columns(name, {f"list {i + 1}": np.array(x) for i, x in enumerate(lists)}, None, options)
    return _file(name, arguments, options)


def _number(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _list(word: str) -> list[float] | None:
    values = [_number(part) for part in word.split(",")]
    return [v for v in values if v is not None] if len(values) > 1 and None not in values else None


def _counts(name: str, numbers: list[Any], options: dict[str, Any]) -> Any:
    if name not in _COUNTS or len(numbers) != 2:
        raise ScriptError(
            f"{name} is not computed from {len(numbers)} number{'s' * (len(numbers) != 1)}",
            hint="give two counts (mcnemar, binomial, proportions, wilson), two lists 0.9,0.8 0.7,0.6, or a file with columns",
        )
    first, second = numbers
    if name in ("wilson", "clopper-pearson"):
        return FUNCTIONS[name](first, second, level=options["level"])
    shared = {"alternative": options["side"], "level": options["level"]}
    if name in ("proportions", "corrected-proportions"):
        if options["rows"] is None:
            raise ScriptError(f"{name} needs the number of test rows", hint="add --rows 600")
        function = proportions_counts if name == "proportions" else corrected_proportions_counts
        return function(first, second, rows=options["rows"], **shared)
    form = "mcnemar-exact" if name == "binomial" else name
    return mcnemar_counts(first, second, rows=options["rows"], form=form, **shared)  # type: ignore[arg-type]


def _file(name: str, arguments: tuple[str, ...], options: dict[str, Any]) -> Any:
    path = Path(arguments[0])
    kind = _ENDINGS.get(path.suffix)
    if kind is None:
        raise ScriptError(f"{path} is no table that evalang reads", hint="give a .csv, .parquet or .arff file, or numbers")
    frame = read(Source(kind=kind, locator=path.name), Access(root=path.parent)).frame  # type: ignore[arg-type]
    columns = [str(c) for c in frame.columns]
    special = [find_column(c, columns, str(path), "option") for c in (options["partition"], options["truth"]) if c]
    wanted = [find_column(c, columns, str(path), "column") for c in arguments[1:]]
    if not wanted:
        import pandas as pd

        wanted = [c for c in columns if c not in special and pd.to_numeric(frame[c], errors="coerce").notna().all()]
    found = {c: frame[c].to_numpy() for c in wanted}
    return _columns(name, found, frame, options)


def _columns(name: str, columns: dict[str, Any], frame: Any, options: dict[str, Any]) -> Any:
    card = find_test(name)
    assert card is not None
    values = list(columns.values())
    function = FUNCTIONS[name]
    if card.learners == "many":
        given: dict[str, Any] = {} if name == "cochran-q" else {"higher_is_better": not options["lower"]}
        if name == "bonferroni-dunn":
            control = options["control"] or next(iter(columns))
            if control not in columns:
                raise ScriptError(f"there is no column {control}", hint=f"the columns are {', '.join(columns)}")
            given["control"] = list(columns).index(control)
        return function(np.column_stack(values), **given)
    if len(values) != 2:
        raise ScriptError(f"{name} compares two columns, and there are {len(values)}", hint="name the two: evalang test paired-t scores.csv A B")
    first, second = values
    shared: dict[str, Any] = {"level": options["level"]}
    if card.one_sided:
        shared["alternative"] = options["side"]
    if card.random:
        shared["rng"] = np.random.default_rng(options["seed"])
    if not card.gives_p:
        shared["rope"] = options["rope"]
    if card.evidence == "fold-scores" and name != "tost":
        shared |= {"train_size": options["train"], "test_size": options["tested"]}
        first, second = (_folded(v, frame, options["partition"], name) for v in (first, second))
    if name == "tost":
        if options["margin"] is None:
            raise TestError("tost needs a margin", hint="add --margin 0.01")
        shared |= {"margin": options["margin"], "base": options["base"], "train_size": options["train"], "test_size": options["tested"]}
    if name == "delong":
        if frame is None or not options["truth"]:
            raise TestError("delong needs the true classes", hint="give a file and --truth COLUMN")
        return function(frame[options["truth"]].to_numpy(), first, second, **shared)
    return function(first, second, **shared)


def _folded(values: Any, frame: Any, partition: str | None, name: str) -> Any:
    """[partition, fold]: by a column that numbers the partitions, else five by two for 5x2cv, else one partition."""
    if frame is None or not partition:
        return np.asarray(values).reshape(5, 2) if name.startswith("5x2cv") and len(values) == 10 else np.asarray(values)[None, :]
    groups = [np.asarray(values)[(frame[partition] == p).to_numpy()] for p in dict.fromkeys(frame[partition])]
    if len({len(g) for g in groups}) > 1:
        raise TestError("the partitions differ in their number of folds", hint="every partition needs the same number")
    return np.array(groups)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def _text(found: Any, title: str) -> str:
    if isinstance(found, PostHoc):
        lines = [f"{found.test}: {title}", f"  mean ranks   {', '.join(f'{r:.4g}' for r in found.ranks)}"]
        if found.critical_difference is not None:
            lines.append(f"  critical difference   {found.critical_difference:.4g}")
        lines += [f"  {i + 1} against {j + 1}   p {_p(r.pvalue)}" for (i, j), r in zip(found.pairs, found.results, strict=True)]
        return "\n".join(lines) + "\n"
    if not isinstance(found, TestResult):
        low, high = found.interval.low, found.interval.high
        return f"{title}\n  estimate     {found.estimate:.6g}\n  interval     {low:.6g} to {high:.6g} ({found.interval.level:.0%})\n  method       {found.method}\n"
    lines = [f"{found.test}: {title}"]
    if found.statistic is not None:
        df = f" on {', '.join(f'{d:.6g}' for d in found.df)} degrees of freedom" if found.df else ""
        lines.append(f"  statistic    {found.statistic_name} = {found.statistic:.6g}{df}")
    if found.pvalue is not None:
        lines.append(f"  p            {_p(found.pvalue)} ({found.alternative})")
    if found.posterior is not None:
        x = found.posterior
        lines.append(f"  posterior    first better {x.p_right:.4f}, no matter (rope {x.rope:g}) {x.p_rope:.4f}, second better {x.p_left:.4f}")
    if found.difference is not None:
        lines.append(f"  difference   {found.difference:.6g} (first minus second)")
    if found.interval is not None:
        lines.append(f"  interval     {found.interval.low:.6g} to {found.interval.high:.6g} ({found.interval.level:.0%}, {found.interval.method})")
    if found.effect is not None:
        lines.append(f"  effect       {found.effect.name} {found.effect.value:.4g}")
    if found.ranks:
        lines.append(f"  mean ranks   {', '.join(f'{r:.4g}' for r in found.ranks)} (1 is best)")
    lines.append(f"  won, tied, lost   {found.wins}, {found.ties}, {found.losses}")
    lines.append(f"  units        {found.n_units} ({found.unit})")
    lines.append(f"  method       {found.method}")
    lines += [f"  {name:12} {value:.6g}" for name, value in found.details]
    lines += [f"  note: {note}" for note in found.notes]
    return "\n".join(lines) + "\n"


def _p(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}"
