"""The verbs for Python: parse, plan, lint, run, compare, load."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import ScriptError
from .findings.engine import lint as lint_built
from .findings.report import LintReport
from .plans.build import Built, build
from .plans.names import Handed
from .source.decode import read_script
from .source.text import Source
from .syntax import nodes
from .syntax.parser import parse as parse_source

if TYPE_CHECKING:
    from .result import Result

INLINE = "<python>"


def _source(script: str | os.PathLike[str]) -> Source:
    """A path or the text of a script: text has a space or a line break, a path ends in .eval."""
    if isinstance(script, os.PathLike):
        return read_script(os.fspath(script))
    if "\n" not in script and script.strip().endswith(".eval"):
        return read_script(script.strip())
    return Source(INLINE, script)


def parse(script: str | os.PathLike[str]) -> nodes.Script:
    """The syntax tree of a script; ScriptError with findings when part of it cannot be read."""
    source = _source(script)
    tree, findings = parse_source(source)
    if findings:
        first = findings[0]
        raise ScriptError(first.message, hint=first.help, span=first.span, position=source.position(first.span.start), findings=findings)
    return tree


def plan(script: str | os.PathLike[str], names: Mapping[str, object] | None = None, **handed: object) -> Built:
    """The plan of a script with what was found while making it. Nothing is loaded or run."""
    return build(_source(script), handed=_handed(_named(names, handed)))


def lint(script: str | os.PathLike[str], names: Mapping[str, object] | None = None, **handed: object) -> LintReport:
    """Every finding of the design stage."""
    return lint_built(plan(script, names, **handed))


def run(
    script: str | os.PathLike[str],
    names: Mapping[str, object] | None = None,
    *,
    jobs: int = 1,
    fresh: bool = False,
    out: str | os.PathLike[str] | None = None,
    data_root: str | os.PathLike[str] | None = None,
    allow_net: bool = False,
    trust: tuple[str, ...] = (),
    progress: bool = False,
    **handed: object,
) -> Result:
    """Run a script (a path, or its text) and judge it.

    Names that the script does not define come from `handed` or `names`: an estimator, a frame, `(X, y)`, or a dict of
    tables. Raises `Refused` with the findings when lint says no.
    """
    from .conduct import Request, conduct
    from .result import Result
    from .trials.options import RunOptions

    given = _named(names, handed)
    source = _source(script)
    options = RunOptions(jobs=jobs, fresh=fresh, folder=Path(out) if out is not None else None, trusted=frozenset(trust))
    request = Request(
        options=options,
        data_root=Path(data_root) if data_root is not None else None,
        allow_net=allow_net,
        handed=_handed(given),
        values=given,
        progress=_bar() if progress else None,
    )
    return Result(conduct(source, request))


def compare(formula: str, names: Mapping[str, object] | None = None, *, seed: int = 0, jobs: int = 1, **handed: object) -> Result:
    """One comparison in one line, in the manner of an R formula.

    >>> compare("tree vs bayes on D using 5x2cv", tree=DecisionTreeClassifier(), bayes=GaussianNB(), D=(X, y))  # doctest: +SKIP
    """
    text = formula.strip()
    if not text.startswith("compare"):
        text = f"compare {text}"
    if " seed " not in f" {text} ":
        text = f"set seed {seed}\n{text}"
    return run(text + "\n", names, jobs=jobs, **handed)


def load(folder: str | os.PathLike[str]) -> Result:
    """The result of a finished run, from its folder, without fitting anything."""
    from .result import Result
    from .stored import stored

    return Result(stored(Path(folder)))


def _named(names: Mapping[str, object] | None, handed: Mapping[str, object]) -> dict[str, object]:
    """`_` in a Python keyword stands for `-`; `names` takes anything else."""
    found = {key.replace("_", "-"): value for key, value in handed.items()}
    plain = {key: value for key, value in handed.items() if "_" in key}
    return {**found, **plain, **(names or {})}


def _handed(values: Mapping[str, object]) -> tuple[Handed, ...]:
    found: list[Handed] = []
    for name, value in values.items():
        found += _one(name, value)
    return tuple(found)


def _one(name: str, value: Any) -> list[Handed]:
    if hasattr(value, "fit") and hasattr(value, "get_params"):
        kind = type(value)
        return [Handed(name=name, kind="learner", target=f"{kind.__module__}.{kind.__qualname__}")]
    if isinstance(value, Mapping) and not {"data", "target"} <= set(value):
        inner = [one for key, table in value.items() for one in _one(str(key), table)]
        return [*inner, Handed(name=name, kind="suite", members=tuple(str(key) for key in value))]
    rows = _rows(value)
    return [Handed(name=name, kind="dataset", rows=rows)]


def _rows(value: Any) -> int | None:
    if isinstance(value, tuple) and len(value) == 2:
        return len(value[1]) if hasattr(value[1], "__len__") else None
    if isinstance(value, Mapping):
        return len(value["target"])
    return len(value) if hasattr(value, "__len__") else None


def _bar() -> Any:
    from .cli.progress import bar

    return bar()
