"""The verbs for Python: parse, plan, lint, run, compare, load, analyse, aggregate."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .errors import ScriptError
from .findings.engine import lint as lint_built
from .findings.lint_report import LintReport
from .language import nodes
from .language.decode import ENDINGS, read_script
from .language.parser import parse as parse_source
from .language.text import SourceText
from .plans.build import Built, build
from .plans.handed_results import GivenScores, handed_formula, handed_scheme, without_skore
from .plans.names import Handed

if TYPE_CHECKING:
    import pandas as pd

    from .result import Result
    from .results.run_aggregates import Runs
    from .verdicts.analysis import Analysis, PairsBy

INLINE = "<python>"
Script = str | os.PathLike[str]
Names = Mapping[str, object]
_MEASURING = re.compile(r"\bmeasuring\s+([a-z][\w-]*)")
_FORMS = "hand over an estimator, (X, y), a frame, scores by learner, or a dict of tables"


def parse(script: Script) -> nodes.Script:
    """The syntax tree of a script; ScriptError with findings when part of it cannot be read."""
    source = _source(script)
    tree, findings = parse_source(source)
    if findings:
        first = findings[0]
        place = source.position(first.span.start)
        raise ScriptError(first.message, hint=first.help, span=first.span, position=place, findings=findings)
    return tree


def plan(script: Script, names: Names | None = None, **handed: object) -> Built:
    """The plan of a script with what was found while making it. Nothing is loaded or run.

    >>> print(plan("compare knn vs svm on iris using 10cv").plan.comparisons[0].tests[0].name)
    corrected-t
    """
    source = _source(script)
    return build(source, handed=_handed(_readable(_named(names, handed), source)))


def lint(script: Script, names: Names | None = None, **handed: object) -> LintReport:
    """Every finding of the design stage.

    >>> [f.code for f in lint("compare tree vs knn on iris using 10cv").errors]
    ['EV002']
    """
    return lint_built(plan(script, names, **handed))


def run(
    script: Script,
    names: Names | None = None,
    *,
    jobs: int | None = None,
    fresh: bool = False,
    out: str | os.PathLike[str] | None = None,
    data_root: str | os.PathLike[str] | None = None,
    allow_net: str | tuple[str, ...] = (),
    trust: str | tuple[str, ...] = (),
    progress: bool = False,
    ledger: bool = True,
    **handed: object,
) -> Result:
    """Run a script (a path that ends in .eval, or its text) and judge it.

    Names that the script does not define come from keywords (`_` stands for `-`) or from `names`: an estimator, a
    frame, `(X, y)`, a dict of tables, or scores that are already there: a frame whose columns name a learner, a score
    and a level (item, fold, seed, dataset), a dict of arrays, or of what `cross_validate` returned, by learner.
    `jobs` trials run side by side, as many as there are cores where nothing is said: the result does not depend on it.
    Trials are kept in `out` when it is given, else nowhere. The look is counted in `evalang.ledger` beside the script
    (of text: in the current folder), unless `ledger=False` or the environment's EVALANG_LEDGER=off says no; the result
    says so then. Raises `Refused` with the findings when lint says no.
    """
    from pathlib import Path

    from .pipeline import Request, conduct
    from .remember import project_of
    from .result import Result
    from .trials.options import RunOptions

    source, off = _source(script), _switched_off(ledger)
    given = _readable(_named(names, handed), source)
    kept: list[Any] = []
    folder = Path(out) if out is not None else None
    request = Request(
        options=RunOptions(
            jobs=jobs, fresh=fresh, folder=folder, trusted=frozenset((trust,) if isinstance(trust, str) else trust)
        ),
        data_root=Path(data_root) if data_root is not None else None,
        allow_net=_hosts(allow_net),
        handed=_handed(given),
        values=given,
        progress=_bar() if progress else None,
        kept=kept.append,
        ledger=None if off else project_of(source.path),
        uncounted=off,
    )
    result = conduct(source, request)
    if folder is not None:
        from .remember import keep

        keep(result, folder)
    return Result(result, kept[0].folder if kept else None, kept)


def given(scores: object, clauses: str) -> GivenScores:
    """Scores with the clauses of a `results` statement, for what their form alone does not say.

    >>> logs = given({"item": [1, 2], "passage": ["a", "b"], "old": [1, 0], "new": [1, 1]}, 'groups "passage"')
    >>> plan("compare old vs new on logs measuring accuracy", logs=logs).plan.results[0].groups
    'passage'
    """
    return GivenScores(scores, clauses)


def _switched_off(ledger: bool) -> str:
    """What the result says of a ledger that nobody wants; "" where it is kept."""
    if not ledger:
        return "switched off (ledger=False)"
    return "switched off (EVALANG_LEDGER=off)" if os.environ.get("EVALANG_LEDGER", "").lower() == "off" else ""


def _hosts(allowed: object) -> tuple[str, ...]:
    """The hosts that data may come from; a plain True names none."""
    hosts = (allowed,) if isinstance(allowed, str) else allowed
    if not isinstance(hosts, (tuple, list)) or not all(isinstance(host, str) for host in hosts):
        raise ScriptError("allow_net names the hosts that may be asked", hint='write allow_net="openml.org"')
    return tuple(hosts)


def compare(
    formula: str,
    names: Names | None = None,
    *,
    seed: int = 0,
    jobs: int | None = None,
    fresh: bool = False,
    out: str | os.PathLike[str] | None = None,
    data_root: str | os.PathLike[str] | None = None,
    allow_net: str | tuple[str, ...] = (),
    trust: str | tuple[str, ...] = (),
    progress: bool = False,
    cv: Any = None,
    groups: Any = None,
    time: Any = None,
    series: Any = None,
    weights: Any = None,
    ledger: bool = True,
    **handed: object,
) -> Result:
    """One comparison in one line, in the manner of an R formula; a seed in the line goes before `seed`.

    `cv` stands in place of `using`: a splitter of scikit-learn or a list of (training rows, test rows). `groups`,
    `time`, `series` and `weights` are a value for each row of the dataset or the name of a column; where several
    datasets are handed over, a dict by their names. The other arguments are those of `run`.

    >>> compare("tree vs bayes on D using 5x2cv", tree=DecisionTreeClassifier(), bayes=GaussianNB(),
    ...         D={"iris": (X, y), "credit": frame})  # doctest: +SKIP
    """
    text = formula.strip()
    said = text if re.match(r"compare\s", text) else f"compare {text}"
    given = _named(names, handed)
    about = {"cv": cv, "groups": groups, "time": time, "series": series, "weights": weights}
    if any(one is not None for one in about.values()):
        said, given = _with_rows(said, given, about)
    return run(
        f"set seed {seed}\n{said}\n",
        given,
        jobs=jobs,
        fresh=fresh,
        out=out,
        data_root=data_root,
        allow_net=allow_net,
        trust=trust,
        progress=progress,
        ledger=ledger,
    )


def load(folder: str | os.PathLike[str]) -> Result:
    """The result of a finished run, from its folder, without fitting anything."""
    from pathlib import Path

    from .remember import stored
    from .result import Result

    return Result(stored(Path(folder)), Path(folder))


def analyse(
    table: pd.DataFrame,
    *,
    dataset: str | None = None,
    learner: str | None = None,
    score: str | None = None,
    higher_is_better: bool = True,
    alpha: float = 0.05,
    correction: str = "holm",
    pairs_by: PairsBy = "wilcoxon",
) -> Analysis:
    """A whole table of results in one call: mean ranks, the omnibus test, every pair corrected, effects and winners.

    Wide (a column for each learner, a row for each dataset, named by the index or by the column `dataset`), or long
    with `dataset`, `learner` and `score` naming its columns.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"tree": [0.7, 0.6, 0.8, 0.5, 0.6, 0.7], "forest": [0.8, 0.8, 0.9, 0.7, 0.65, 0.75]})
    >>> float(analyse(scores).frame["adjusted_p"].iloc[0])
    0.03125
    """
    from .verdicts.analysis import analyse as analysed
    from .verdicts.handed_table import score_table

    scores, learners, datasets = score_table(table, dataset, learner, score)
    return analysed(
        scores,
        learners,
        datasets,
        higher_is_better=higher_is_better,
        alpha=alpha,
        correction=correction,
        pairs_by=pairs_by,
    )


def aggregate(
    scores: Mapping[str, Any], *, seed: int, level: float = 0.95, higher_is_better: bool = True, target: float = 1.0
) -> Runs:
    """Runs of learners on tasks, {learner: [run, task]}: interquartile mean, mean, median and optimality gap, and how
    often a run of one is above a run of another, each with an interval for new runs on these tasks.

    >>> found = aggregate({"x": [[1, 2], [2, 2], [1, 1], [2, 1]], "y": [[1, 1], [2, 2], [3, 3]]}, seed=1)
    >>> [a.value for a in found.aggregates if a.name == "iqm"], round(found.improvements[0].probability, 4)
    ([1.5, 2.0], 0.3333)
    """
    from .verdicts.runs import runs_of

    return runs_of(scores, seed=seed, level=level, higher_is_better=higher_is_better, target=target)


def _source(script: Script) -> SourceText:
    """A path or the text of a script: a path is a PathLike, or one line that ends in .eval or .evalang."""
    if isinstance(script, os.PathLike):
        return read_script(script)
    if "\n" not in script and script.strip().endswith(ENDINGS):
        return read_script(script.strip())
    return SourceText(INLINE, script)


def _named(names: Names | None, handed: Names) -> dict[str, object]:
    """`_` in a Python keyword stands for `-`, and for itself; `names` takes anything else."""
    found: dict[str, object] = {key.replace("_", "-"): value for key, value in handed.items()}
    return {**found, **handed, **(names or {})}


def _readable(values: Names, source: SourceText) -> dict[str, object]:
    """Reports of skore become scores, in the metric that the script measures."""
    measuring = list(dict.fromkeys(_MEASURING.findall(source.text)))
    return {
        name: replace(value, value=without_skore(name, value.value, measuring))
        if isinstance(value, GivenScores)
        else without_skore(name, value, measuring)
        for name, value in values.items()
    }


def _with_clauses(name: str, given: GivenScores) -> Handed:
    """Read by the language itself: as if the scores lay in a file."""
    told = given.clauses.strip().removeprefix(",")
    formula = ""
    if not re.match(r"as\s", told):
        found = handed_formula(name, given.value)
        if found is None:
            raise ScriptError(f"nothing says what the columns of {name} stand for", hint="as score ~ learner | item")
        formula = f"as {_word(found[0])} ~ {_word(found[1])} | {' / '.join(map(_word, found[2:]))}, "
    script = SourceText(f"<clauses of {name}>", f'results handed from csv "x" {formula}{told}\ncompare all on handed\n')
    built = build(script)
    wrong = [f for f in built.findings if f.level == "error" and f.span.start < script.text.index("\n")]
    if wrong or len(built.plan.results) != 1:
        first = wrong[0].message if wrong else "it holds more than clauses"
        hint = (wrong[0].help if wrong else "") or 'such as made using 5x2cv, or groups "passage"'
        raise ScriptError(f"the clauses of {name} cannot be read: {first}", hint=hint)
    table = built.plan.results[0]
    return Handed(name=name, kind="results", table=replace(table, made=table.made or handed_scheme(name, given.value)))


def _word(column: str) -> str:
    return column if re.fullmatch(r"[A-Za-z]\w*", column) else f'"{column}"'


def _handed(values: Names) -> tuple[Handed, ...]:
    found = [one for name, value in values.items() for one in _one(name, value)]
    return tuple(replace(one, spelling_of=_other_spelling(one.name, values)) for one in found)


def _with_rows(said: str, given: Mapping[str, Any], about: Mapping[str, Any]) -> tuple[str, dict[str, object]]:
    """The sentence with the scheme of the folds, and the tables with what is said of their rows."""
    from .data.python_folds import AboutRows, with_rows

    if about["cv"] is not None and re.search(r"(?<![\w-])using\s", said):
        raise ScriptError("the sentence says `using`, and cv divides the rows too", hint="keep one of the two")
    datasets = {one.name for name, value in given.items() for one in _one(name, value) if one.kind == "dataset"}
    schemes: dict[str, str] = {}

    def told(name: str, value: Any) -> object:
        if name not in datasets:
            several = isinstance(value, Mapping) and any(key in datasets for key in value)
            return {key: told(str(key), table) for key, table in value.items()} if several else value
        own = {k: v[name] if isinstance(v, Mapping) and name in v else v for k, v in about.items()}
        table, schemes[name] = with_rows(name, value, AboutRows(**own))
        return table

    made = {name: told(name, value) for name, value in given.items()}
    if not schemes and isinstance(about["cv"], Mapping):
        hint = "hand results over under a name that the sentence uses: on folds, with folds={...}"
        raise ScriptError("cv says how the rows of a dataset are divided, and is no table of results", hint=hint)
    if not schemes:
        raise ScriptError("there is no dataset to which cv, groups, time, series or weights could belong", hint=_FORMS)
    found = set(schemes.values())
    if len(found) > 1:
        listed = ", ".join(f"{name} {text}" for name, text in schemes.items())
        raise ScriptError(f"cv divides the datasets by different schemes: {listed}", hint="compare them one by one")
    text = found.pop()
    return (f"{said.rstrip().rstrip(',')}, using {text}" if text else said), made


def _other_spelling(name: str, values: Names) -> str:
    """`my-tree` for the `my_tree` that stands for the same thing."""
    dashed = name.replace("_", "-")
    return dashed if dashed != name and name in values and values.get(dashed) is values[name] else ""


def _one(name: str, value: Any) -> list[Handed]:
    if isinstance(value, type):
        hint = f"hand over an instance: {value.__name__}()"
        raise ScriptError(f"{name} is the class {value.__name__}, not a learner", hint=hint)
    if hasattr(value, "fit") and hasattr(value, "predict"):
        kind = type(value)
        return [Handed(name=name, kind="learner", target=f"{kind.__module__}.{kind.__qualname__}")]
    if isinstance(value, GivenScores):
        return [_with_clauses(name, value)]
    formula = handed_formula(name, value)
    if formula is not None:
        return [Handed(name=name, kind="results", formula=formula, made=handed_scheme(name, value))]
    if isinstance(value, Mapping) and not {"data", "target"} <= set(value):
        inner = [one for key, table in value.items() for one in _one(str(key), table)]
        if not inner or any(one.kind != "dataset" for one in inner):
            raise ScriptError(f"{name} is a dict, and not one of tables", hint="hand over learners one by one")
        return [*inner, Handed(name=name, kind="suite", members=tuple(str(key) for key in value))]
    if type(value).__name__ == "PassedTable":
        roles = {role: value.column(role) for role in ("groups", "time", "series", "weights")}
        roles |= {"folds": "(folds)" if value.one_partition else None}
        named = tuple((role, column) for role, column in roles.items() if column is not None)
        rows = _rows(name, value.value)
        return [Handed(name=name, kind="dataset", rows=rows, roles=named, divided_by=value.divided_by)]
    return [Handed(name=name, kind="dataset", rows=_rows(name, value))]


def _rows(name: str, value: Any) -> int | None:
    if isinstance(value, tuple) and len(value) == 2:
        return len(value[1]) if hasattr(value[1], "__len__") else None
    if isinstance(value, Mapping):
        return len(value["target"])
    if hasattr(value, "columns") or hasattr(value, "to_pandas"):
        return len(value) if hasattr(value, "__len__") else None
    if hasattr(value, "get_n_splits"):
        hint = "a script says how rows are divided (`using`); ev.compare takes a splitter as cv="
        raise ScriptError(f"{name} is the splitter {type(value).__name__}, neither a learner nor a table", hint=hint)
    raise ScriptError(f"{name} is a {type(value).__name__}, neither a learner nor a table", hint=_FORMS)


def _bar() -> Any:
    import sys

    from .cli.screen import bar

    # Only a kernel that somebody already runs can show a bar: IPython is not imported to find out.
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and hasattr(shell, "kernel"):
        from .notebook import progress_bar

        return progress_bar()
    return bar()
