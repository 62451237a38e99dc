"""The functions for Python: parse, plan, lint, run, compare, load, analyse, aggregate; and the result they return."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .errors import DataError, RunError, ScriptError
from .findings.engine import lint as lint_built
from .findings.lint_report import LintReport
from .language import nodes
from .language.files import ENDINGS, read_script
from .language.parser import parse as parse_source
from .language.text import INLINE, SourceText, nearest
from .plans.build import Built, build
from .plans.names import PassedValue
from .plans.python_scores import GivenScores, from_skore, scores_formula, scores_scheme
from .settings import settings_for

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .reports.frames import Frames
    from .results.records import Runs
    from .results.run_result import RunResult
    from .scores.export import StoredTrials
    from .verdicts.analysis import Analysis, PairsBy

Script = str | os.PathLike[str]
Names = Mapping[str, object]
_MEASURING = re.compile(r"\bmeasuring\s+([a-z][\w-]*)")
_OPTIONS = ("jobs", "seed", "fresh", "out", "strict", "ledger", "progress", "trust", "data-root", "allow-net", "groups")
_FORMS = "pass an estimator, (X, y), a frame, scores by learner, or a dict of tables"


def parse(script: Script) -> nodes.Script:
    """Return the syntax tree of a script; ScriptError with findings when part of it cannot be read."""
    source = _source(script)
    tree, findings = parse_source(source)
    if findings:
        first = findings[0]
        place = source.position(first.span.start)
        raise ScriptError(first.message, hint=first.help, span=first.span, position=place, findings=findings)
    return tree


def plan(script: Script, names: Names | None = None, **handed: object) -> Built:
    """Return the plan of a script with the findings of planning. Nothing is loaded or run.

    >>> print(plan("compare knn vs svm on iris using 10cv").plan.comparisons[0].tests[0].name)
    corrected-t
    """
    source = _source(script)
    return build(source, passed=_passed_values(_without_reports(_with_dashes(names, handed), source)))


def lint(script: Script, names: Names | None = None, *, strict: bool = False, **handed: object) -> LintReport:
    """Return every finding of the design stage; `strict` uses the strict levels of the rules.

    >>> [f.code for f in lint("compare tree vs knn on iris using 10cv").errors]
    ['EV002']
    """
    settings = settings_for(_source(script).path)
    return lint_built(plan(script, names, **handed), strict=strict or settings.strict)


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
    strict: bool = False,
    **handed: object,
) -> Result:
    """Run a script (a path that ends in .eval, or its text) and return its result.

    Names that the script does not define come from keywords (`_` stands for `-`) or from `names`: an estimator, a
    frame, `(X, y)`, a dict of tables, or existing scores: a frame whose columns name a learner, a score
    and a level (item, fold, seed, dataset), a dict of arrays, or of what `cross_validate` returned, by learner.
    `jobs` fits run in parallel, by default as many as there are cores; 0 fits in this process, which is quickest for
    small data and cannot stop a fit. The result does not depend on it.
    Fits are kept only if `out` names a folder. The test is counted in `evalang.ledger` beside the script (for text: in
    the current folder), unless `ledger=False` or EVALANG_LEDGER=off; the result says so. `strict` uses the strict
    levels of the rules. Other defaults come from `[tool.evalang]` in pyproject.toml. Raises `Refused` with the
    findings when lint finds an error.
    """
    from pathlib import Path

    from .ledger.entries import project_of
    from .pipeline import Request, run_script
    from .trials.options import RunOptions

    source = _source(script)
    settings = settings_for(source.path)
    off = settings.why_no_ledger("" if ledger else "ledger=False")
    given = _without_reports(_with_dashes(names, handed), source)
    outcomes: list[Any] = []
    folder = Path(out) if out is not None else None
    request = Request(
        options=RunOptions(
            jobs=settings.jobs if jobs is None else jobs,
            fresh=fresh,
            folder=folder,
            trusted=frozenset((trust,) if isinstance(trust, str) else trust),
        ),
        data_root=Path(data_root) if data_root is not None else settings.data_root,
        allow_net=_hosts(allow_net),
        strict=strict or settings.strict,
        passed=_passed_values(given),
        values=given,
        progress=_bar() if progress else None,
        on_trials=outcomes.append,
        ledger=None if off else project_of(source.path),
        ledger_off=off,
    )
    result = run_script(source, request)
    if folder is not None:
        save_result(result, folder)
        for note in outcomes[0].layout.notes if outcomes else ():
            warnings.warn(note, stacklevel=2)
    return Result(result, outcomes[0].folder if outcomes else None, outcomes)


def given(scores: object, clauses: str) -> GivenScores:
    """Return scores with clauses of a `results` statement, which say what their form does not show.

    >>> logs = given({"item": [1, 2], "passage": ["a", "b"], "old": [1, 0], "new": [1, 1]}, 'groups "passage"')
    >>> plan("compare old vs new on logs measuring accuracy", logs=logs).plan.results[0].groups
    'passage'
    """
    return GivenScores(scores, clauses)


def _hosts(allowed: object) -> tuple[str, ...]:
    """Return the hosts that data may come from; a plain True names none."""
    hosts = (allowed,) if isinstance(allowed, str) else allowed
    if not isinstance(hosts, (tuple, list)) or not all(isinstance(host, str) for host in hosts):
        raise ScriptError("allow_net is not the name of a host, or a list of them", hint='write allow_net="openml.org"')
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
    target: str | None = None,
    positive: Any = None,
    cv: Any = None,
    groups: Any = None,
    time: Any = None,
    series: Any = None,
    weights: Any = None,
    ledger: bool = True,
    strict: bool = False,
    **handed: object,
) -> Result:
    """Run one comparison, written in one line; a seed in the line overrides `seed`.

    `target` names the column to predict of every frame that has it, and `positive` the positive class. `cv` stands in
    place of `using`: a splitter of scikit-learn or a list of (training rows, test rows). `groups`, `time`, `series` and
    `weights` are a value for each row of the dataset or the name of a column; for several datasets each may be a dict
    by their names. The other arguments are those of `run`.

    >>> compare("tree vs bayes on D using 5x2cv", tree=DecisionTreeClassifier(), bayes=GaussianNB(),
    ...         D={"iris": (X, y), "credit": frame})  # doctest: +SKIP
    """
    if not isinstance(formula, str):
        hint = 'write ev.compare("tree vs bayes on D using 5x2cv", tree=..., bayes=..., D=(X, y))'
        raise ScriptError(
            f"the first argument of compare is a sentence, not of type {type(formula).__name__}", hint=hint
        )
    text = formula.strip()
    sentence = text if re.match(r"compare\s", text) else f"compare {text}"
    given = _with_dashes(names, handed)
    if target is not None:
        given = with_target(given, target, "target=")
    about = {"cv": cv, "positive": positive, "groups": groups, "time": time, "series": series, "weights": weights}
    if any(one is not None for one in about.values()):
        sentence, given = _with_rows(sentence, given, about)
    return run(
        f"set seed {seed}\n{sentence}\n",
        given,
        jobs=jobs,
        fresh=fresh,
        out=out,
        data_root=data_root,
        allow_net=allow_net,
        trust=trust,
        progress=progress,
        ledger=ledger,
        strict=strict,
    )


def load(folder: str | os.PathLike[str]) -> Result:
    """Return the result of a finished run from its folder; nothing is fitted."""
    from pathlib import Path

    return Result(load_result(Path(folder)), Path(folder))


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
    """Analyse a table of results over datasets: mean ranks, the omnibus test, corrected pairs, effects and winners.

    Wide (a column for each learner, a row for each dataset, named by the index or by the column `dataset`), or long
    with `dataset`, `learner` and `score` naming its columns. What is not named is guessed as by `evalang compare`.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"tree": [0.7, 0.6, 0.8, 0.5, 0.6, 0.7], "forest": [0.8, 0.8, 0.9, 0.7, 0.65, 0.75]})
    >>> float(analyse(scores).frame["adjusted_p"].iloc[0])
    0.03125
    """
    from .verdicts.analysis import analyse as analysed
    from .verdicts.analysis import score_table

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
    """Aggregate runs of learners on tasks, {learner: [run, task]}: interquartile mean, mean, median, optimality gap and
    probability of improvement, each with an interval for new runs on these tasks.

    >>> found = aggregate({"x": [[1, 2], [2, 2], [1, 1], [2, 1]], "y": [[1, 1], [2, 2], [3, 3]]}, seed=1)
    >>> [a.value for a in found.aggregates if a.name == "iqm"], round(found.improvements[0].probability, 4)
    ([1.5, 2.0], 0.3333)
    """
    from .verdicts.runs import runs_of

    return runs_of(scores, seed=seed, level=level, higher_is_better=higher_is_better, target=target)


def _source(script: Script) -> SourceText:
    """Return the script of a path (a PathLike, or one line that ends in .eval or .evalang) or of its text."""
    if isinstance(script, os.PathLike):
        return read_script(script)
    if not isinstance(script, str):
        hint = "pass the text of a script, or the path of a file that ends in .eval"
        raise ScriptError(f"a script is text or a path, not of type {type(script).__name__}", hint=hint)
    if "\n" not in script and script.strip().endswith(ENDINGS):
        return read_script(script.strip())
    return SourceText(INLINE, script)


def _with_dashes(names: Names | None, handed: Names) -> dict[str, object]:
    """Return the values by name: `_` in a Python keyword stands for `-`, and for itself."""
    found: dict[str, object] = {key.replace("_", "-"): value for key, value in handed.items()}
    return {**found, **handed, **(names or {})}


def _without_reports(values: Names, source: SourceText) -> dict[str, object]:
    """Return the values with reports of skore as scores, in the metric that the script measures."""
    measuring = list(dict.fromkeys(_MEASURING.findall(source.text)))
    return {
        name: replace(value, value=from_skore(name, value.value, measuring))
        if isinstance(value, GivenScores)
        else _in_a_readable_form(from_skore(name, value, measuring))
        for name, value in values.items()
    }


def _in_a_readable_form(value: Any) -> Any:
    """Return a table of scores in another form, such as a leaderboard, with a row for each score; else the value."""
    import pandas as pd

    if not isinstance(value, pd.DataFrame):
        return value
    from .data.guess_roles import clauses_of
    from .data.reshape import reshaped

    try:
        made = reshaped(value)
    except DataError:
        return value
    return made.frame if made.notes and clauses_of(made.frame) is not None else value


def _with_clauses(name: str, given: GivenScores) -> PassedValue:
    """Return scores with clauses, which the language itself reads as if the scores were in a file."""
    clauses = given.clauses.strip().removeprefix(",")
    formula = ""
    if not re.match(r"as\s", clauses):
        found = scores_formula(name, given.value)
        if found is None:
            hint = 'name them in the clauses: "as score ~ learner | item", with the names of your columns'
            raise ScriptError(f"the roles of the columns of {name} are unknown", hint=hint)
        formula = f"as {_word(found[0])} ~ {_word(found[1])} | {' / '.join(map(_word, found[2:]))}, "
    script = SourceText(
        f"<clauses of {name}>", f'results handed from csv "x" {formula}{clauses}\ncompare all on handed\n'
    )
    built = build(script)
    wrong = [f for f in built.findings if f.level == "error" and f.span.start < script.text.index("\n")]
    if wrong or len(built.plan.results) != 1:
        first = wrong[0].message if wrong else "they hold another statement"
        hint = (wrong[0].help if wrong else "") or 'write clauses such as made using 5x2cv, or groups "passage"'
        raise ScriptError(f"the clauses of {name} cannot be read: {first}", hint=hint)
    table = built.plan.results[0]
    return PassedValue(
        name=name, kind="results", table=replace(table, made=table.made or scores_scheme(name, given.value))
    )


def _word(column: str) -> str:
    return column if re.fullmatch(r"[A-Za-z]\w*", column) else f'"{column}"'


def with_target(given: Names, target: str, option: str) -> dict[str, object]:
    """Return the values with every frame that has the column as (X, y)."""
    apart = {name: _split_off(value, target) for name, value in given.items()}
    if all(apart[name] is value for name, value in given.items()):
        raise ScriptError(f'no frame has a column "{target}"', hint=f"{option} must name the column to predict")
    return apart


def _split_off(value: Any, target: str) -> Any:
    """Return a frame that has the column as (X, y), also within a dict; anything else as it is."""
    if isinstance(value, Mapping):
        inner = {key: _split_off(one, target) for key, one in value.items()}
        return value if all(inner[key] is one for key, one in value.items()) else inner
    frame = value.to_pandas() if hasattr(value, "to_pandas") else value
    return (frame.drop(columns=target), frame[target]) if target in getattr(frame, "columns", ()) else value


def _passed_values(values: Names) -> tuple[PassedValue, ...]:
    found = [one for name, value in values.items() for one in _passed_value(name, value)]
    return tuple(replace(one, spelling_of=_other_spelling(one.name, values)) for one in found)


def _with_rows(sentence: str, given: Mapping[str, Any], about: Mapping[str, Any]) -> tuple[str, dict[str, object]]:
    """Return the sentence with the scheme of the folds, and the tables with groups, time, series and weights."""
    from .data.python_tables import with_roles

    if about["cv"] is not None and re.search(r"(?<![\w-])using\s", sentence):
        raise ScriptError("both `using` in the sentence and cv= split the rows", hint="keep one of the two")
    datasets = {
        one.name for name, value in given.items() for one in _passed_value(name, value) if one.kind == "dataset"
    }
    schemes: dict[str, str] = {}

    def attach(name: str, value: Any) -> object:
        if name not in datasets:
            several = isinstance(value, Mapping) and any(key in datasets for key in value)
            return {key: attach(str(key), table) for key, table in value.items()} if several else value
        own = {k: v[name] if isinstance(v, Mapping) and name in v else v for k, v in about.items()}
        table, schemes[name] = with_roles(name, value, **own)
        return table

    made = {name: attach(name, value) for name, value in given.items()}
    if not schemes and isinstance(about["cv"], Mapping):
        hint = "pass the results under a name that the sentence uses: on folds, with folds={...}"
        raise ScriptError("cv= splits the rows of a dataset; it is not a table of results", hint=hint)
    if not schemes:
        raise ScriptError(
            "cv, positive, groups, time, series and weights apply to a dataset, and none is passed", hint=_FORMS
        )
    found = set(schemes.values())
    if len(found) > 1:
        listed = ", ".join(f"{name} {text}" for name, text in schemes.items())
        raise ScriptError(f"cv= splits the datasets by different schemes: {listed}", hint="compare them one by one")
    text = found.pop()
    return (f"{sentence.rstrip().rstrip(',')}, using {text}" if text else sentence), made


def _other_spelling(name: str, values: Names) -> str:
    """Return `my-tree` for a `my_tree` that is the same value."""
    dashed = name.replace("_", "-")
    return dashed if dashed != name and name in values and values.get(dashed) is values[name] else ""


def _passed_value(name: str, value: Any) -> list[PassedValue]:
    if isinstance(value, type):
        hint = f"pass an instance: {value.__name__}()"
        raise ScriptError(f"{name} is the class {value.__name__}, not a learner", hint=hint)
    if hasattr(value, "fit") and hasattr(value, "predict"):
        kind = type(value)
        return [PassedValue(name=name, kind="learner", target=f"{kind.__module__}.{kind.__qualname__}")]
    if isinstance(value, GivenScores):
        return [_with_clauses(name, value)]
    formula = scores_formula(name, value)
    if formula is not None:
        return [PassedValue(name=name, kind="results", formula=formula, made=scores_scheme(name, value))]
    if hasattr(value, "columns") and not hasattr(value, "to_pandas"):
        from .data.guess_roles import clauses_of

        if (clauses := clauses_of(value)) is not None:
            return [_with_clauses(name, GivenScores(value, clauses))]
    if isinstance(value, Mapping) and not {"data", "target"} <= set(value):
        inner = [one for key, table in value.items() for one in _passed_value(str(key), table)]
        if not inner or any(one.kind != "dataset" for one in inner):
            raise ScriptError(
                f"{name} is a dict, but not of tables", hint="pass learners one by one: tree=..., bayes=..."
            )
        return [*inner, PassedValue(name=name, kind="suite", members=tuple(str(key) for key in value))]
    if type(value).__name__ == "PassedTable":
        roles = {role: value.column(role) for role in ("groups", "time", "series", "weights")}
        roles |= {"folds": "(folds)" if value.one_partition else None}
        named = tuple((role, column) for role, column in roles.items() if column is not None)
        rows = _rows(name, value.value)
        positive = value.positive.item() if hasattr(value.positive, "item") else value.positive  # of NumPy
        return [PassedValue(name, "dataset", rows=rows, roles=named, divided_by=value.divided_by, positive=positive)]
    return [PassedValue(name=name, kind="dataset", rows=_rows(name, value))]


def _rows(name: str, value: Any) -> int | None:
    if isinstance(value, tuple) and len(value) == 2:
        return len(value[1]) if hasattr(value[1], "__len__") else None
    if isinstance(value, Mapping):
        return len(value["target"])
    if hasattr(value, "columns") or hasattr(value, "to_pandas"):
        return len(value) if hasattr(value, "__len__") else None
    if hasattr(value, "get_n_splits"):
        hint = "in a script, `using` splits the rows; ev.compare takes a splitter as cv="
        raise ScriptError(f"{name} is the splitter {type(value).__name__}, neither a learner nor a table", hint=hint)
    near = nearest(name, _OPTIONS)
    hint = f"did you mean {near}=?" if near else _FORMS
    raise ScriptError(f"{name} is of type {type(value).__name__}, neither a learner nor a table", hint=hint)


def _bar() -> Any:
    import sys

    from .cli.screen import make_progress_callback

    # Only a running kernel can show a bar: IPython is not imported to find out.
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and hasattr(shell, "kernel"):
        from .notebook import progress_bar

        return progress_bar()
    return make_progress_callback()


RESULT = "result.json"
COSTS = "times.json"  # seconds and memory of each learner, which differ between any two runs


def save_result(result: RunResult, folder: Path) -> None:
    """Write the result beside its trials, for `evalang report` and `ev.load`."""
    from .ledger.chain import HEAD
    from .results.run_result import dumps_costs, json_pieces
    from .trials.files import write_whole

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"the folder {folder} cannot be created: {error.strerror}", hint="name another folder") from None
    write_whole(folder / RESULT, json_pieces(result))  # replaces a link that is there, does not follow it
    if result.costs:
        write_whole(folder / COSTS, dumps_costs(result))
    if result.head:
        write_whole(folder / HEAD, f"{result.head}\n")


def load_result(folder: Path) -> RunResult:
    """Return the result that a run left in its folder."""
    from .language.files import read_plain
    from .results.run_result import loads, loads_costs

    path = folder / RESULT
    if not folder.is_dir():
        raise ScriptError(
            f"there is no run folder {folder}",
            hint="evalang run writes the folder runs/SCRIPT beside the script",
        )
    if not path.is_file():
        raise ScriptError(f"{folder} holds no finished run", hint="run the script to its end with evalang run")
    try:
        text = read_plain(path).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise ScriptError(f"{path} cannot be read", hint="run the script again") from None
    try:
        costs = loads_costs(read_plain(folder / COSTS).decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        costs = ()
    return replace(loads(text, str(path)), costs=costs)


class Result:
    """The result of `run` and `compare`."""

    def __init__(self, run: RunResult, folder: Path | None = None, temporary_folder: object = None) -> None:
        """`folder` holds the fits; `temporary_folder` keeps a temporary one from being removed."""
        self.run = run
        self._folder, self._temporary_folder = folder, temporary_folder

    def summary(self) -> Summary:
        """Return the answer and its table, as text or in a notebook as HTML."""
        return Summary(self.run)

    @property
    def table(self) -> Frames:
        """Tidy pandas frames: `.scores`, `.halves`, `.verdicts`, `.estimates`, `.findings`, `.claims`."""
        from .reports.frames import frames

        return frames(self.run)

    @property
    def scores(self) -> pd.DataFrame:
        """One row for each score of each fit."""
        return self.table.scores

    @property
    def verdicts(self) -> pd.DataFrame:
        """One row for each test, with what most readers need; `.table.verdicts` has all columns."""
        from .reports.frames import short_verdicts

        return short_verdicts(self.run)

    @property
    def parameters(self) -> pd.DataFrame:
        """One row for each candidate of tuning in each fold, with its score on the tuning rows and whether it won."""
        from .reports.frames import parameters

        return parameters(self.run)

    @property
    def predictions(self) -> pd.DataFrame:
        """One row for each test row of each fit: truth, label and score."""
        return self._trials().predictions

    @property
    def times(self) -> pd.DataFrame:
        """One row for each trained learner: seconds of training and of predicting, rows, size where it is measured."""
        return self._trials().times

    @property
    def folds(self) -> pd.DataFrame:
        """One row for each row of each fold and the part it belongs to."""
        return self._trials().folds

    def _rendered(self, form: str) -> str:
        from importlib import import_module

        from .reports.assemble import document

        return str(import_module(f".reports.{form}", __package__).render(document(self.run)))

    def _trials(self) -> StoredTrials:
        from .scores.export import StoredTrials

        if self._folder is None:
            raise RunError("nothing was trained for this result", hint="see result.scores")
        return StoredTrials(self._folder, self.run.plan)

    def to_html(self) -> str:
        """Return the report as one self-contained page."""
        return self._rendered("html")

    def to_markdown(self) -> str:
        """Return the report as Markdown for GitHub."""
        return self._rendered("markdown")

    def to_latex(self) -> str:
        """Return the report as LaTeX with booktabs tables."""
        return self._rendered("latex")

    def to_json(self) -> str:
        """Return JSON after docs/schema/run.schema.json."""
        from .reports.json import render

        return render(self.run)

    def figure(self, name: str, ax: Axes | None = None, **options: Any) -> Figure:
        """Return a figure by name, such as "critical-difference"; `ax` takes matplotlib axes."""
        from .reports.figures import draw

        return draw(self.run, name, ax=ax, **options)

    def __repr__(self) -> str:
        return str(self.summary())

    def _repr_html_(self) -> str:
        from .reports.html import notebook_report

        return notebook_report(self.run)


class Summary:
    """Text in a terminal, HTML in a notebook."""

    def __init__(self, run: RunResult) -> None:
        self._run = run

    def __str__(self) -> str:
        from .reports.assemble import document
        from .reports.terminal import render_summary
        from .results.run_result import KEPT

        status = self._run.ledger
        unseen = f"\n\nThis run is not in a ledger ({status})." if status not in ("", KEPT) else ""
        return render_summary(document(self._run, background=False, pictures=False)) + unseen

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from .reports.html import notebook_summary

        return notebook_summary(self._run)
