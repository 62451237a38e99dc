"""`compare` and `estimate` statements become comparisons with every default written out."""

from __future__ import annotations

from typing import TypeVar

from ..catalogue.corrections import CORRECTIONS, find_correction
from ..catalogue.entry import MetricEntry
from ..catalogue.metrics import find_metric
from ..catalogue.tests import TESTS, find_test
from ..source.nearest import nearest
from ..source.record import Record
from ..source.span import Span
from ..syntax import nodes
from . import model
from .default_test import on_each, over_datasets
from .definitions import allowances, because, metric
from .families import first_level
from .fits import MOST_FITS, UNKNOWN, fits_of, splits, total
from .names import Known, Names
from .problems import Problems
from .question import question
from .scheme import scheme as plan_scheme
from .values import LARGEST_SEED, level, options, part, whole

ALPHA = 0.05
_WORDS: dict[type[nodes.Node], str] = {
    nodes.Using: "using",
    nodes.By: "by",
    nodes.Measuring: "measuring",
    nodes.TuneOn: "tune",
    nodes.TuneUsing: "tune",
    nodes.CalibrateOn: "calibrate",
    nodes.Correct: "correct",
    nodes.At: "at",
    nodes.Seed: "seed",
    nodes.Rope: "rope",
    nodes.Expecting: "expecting",
    nodes.Control: "control",
    nodes.AllPairs: "pairs",
    nodes.Failures: "failures",
    nodes.AsName: "as",
    nodes.CompleteCases: "cases",
    nodes.WithoutRetraining: "retraining",
    nodes.Because: "because",
}
C = TypeVar("C", bound=nodes.Node)


class Settings(Record):
    """The `set` clauses in force where a statement stands, by kind of clause."""

    clauses: dict[type[nodes.Node], nodes.Node] = {}  # noqa: RUF012  replaced whole, never changed


class Data(Record):
    """What a statement is run on."""

    kind: str  # "datasets", "results" or "predictions"
    names: tuple[str, ...]
    suites: tuple[str, ...]
    records: tuple[model.Dataset, ...] = ()
    metric: str | None = None


class Drafter:
    """Plans one statement; `names` and `problems` are the script's, `settings` those in force."""

    def __init__(self, names: Names, problems: Problems, known: dict[str, Known]) -> None:
        self.names = names
        self.problems = problems
        self.known = known

    def draft(self, statement: nodes.Compare | nodes.Estimate, name: str, settings: Settings) -> model.Comparison | None:
        """The comparison, or None when it cannot be planned at all (the findings say why)."""
        said: dict[type[nodes.Node], nodes.Node] = {}
        for one in statement.clauses:
            said.setdefault(type(one), one)
        data = self._data(statement)
        estimate = isinstance(statement, nodes.Estimate)
        written = (statement.learner,) if isinstance(statement, nodes.Estimate) else statement.learners
        if data is None:
            for name in written if nodes.Using in said else ():  # with a scheme they must be learners, whatever the data
                self.names.learner(name)
            return None
        learners = self._learners(written, data)
        scheme = self._scheme(statement, said, data)
        metrics, metrics_origin = self._metrics(said, settings, data)
        if learners is None or (scheme is None and data.kind == "datasets"):
            return None
        names = tuple(x.name for x in learners) if data.kind == "datasets" else tuple(w.text for w in written)
        repeated = next((w for i, w in enumerate(written) if w.text in {v.text for v in written[:i]}), None)
        if repeated is not None:
            self.problems.bad(repeated.span, f"{repeated.text} is compared with itself", "name each learner once")
            return None
        alpha = self._alpha(said, settings)
        control = _get(said, nodes.Control)
        if control and names and control.learner.text not in names:
            self.problems.unknown(control.learner.span, "compared learner", control.learner.text, names, "the control is one of the learners compared")
        pairs = _pairs(len(names), control is not None) if names else 1
        tests, over, note = self._tests(said, data, scheme, len(names), metrics, alpha.value, estimate)
        tuning = self._tuning(said, settings)
        retrained = nodes.WithoutRetraining not in said and not (_calibrated_on_tuning(said))
        fits, fits_reason = self._fits(data, scheme, learners, tuning.value if tuning else None, metrics, retrained)
        if fits > MOST_FITS:
            self.problems.bad(statement.span, f"this takes {fits:,} trainings" if fits < 10**18 else "this takes more trainings than can be counted here", f"{MOST_FITS:,} are the most; use fewer folds, partitions or settings")
            fits = UNKNOWN
        kind = scheme.kind if scheme else data.kind
        asked, why = question(estimate=estimate, this_classifier=statement.this_classifier, scheme=kind, datasets=len(data.names))
        seed, named, failures, expecting = _get(said, nodes.Seed) or settings.clauses.get(nodes.Seed), _get(said, nodes.AsName), _get(said, nodes.Failures), _get(said, nodes.Expecting)
        if expecting and names and expecting.learner.text not in names:
            self.problems.unknown(expecting.learner.span, "compared learner", expecting.learner.text, names, "expect one of the learners compared to be better")
        return model.Comparison(
            name=named.name.text if named else name,
            named=named is not None,
            learners=names,
            data=data.kind,
            datasets=data.names,
            suites=data.suites,
            estimate=estimate,
            this_classifier=statement.this_classifier,
            scheme=scheme,
            tests=tests,
            over=over,
            over_note=note,
            metrics=metrics,
            metrics_origin=metrics_origin,
            tuning=tuning,
            calibration=self._calibration(said),
            without_retraining=nodes.WithoutRetraining in said,
            correction=self._correction(said),
            alpha=alpha,
            seed=self._seed(seed, nodes.Seed in said) if isinstance(seed, nodes.Seed) else None,
            rope=self._rope(said, settings, metrics),
            expecting=expecting.learner.text if expecting else None,
            expecting_because=expecting.reason.value if expecting and expecting.reason else None,
            control=control.learner.text if control else None,
            all_pairs=nodes.AllPairs in said,
            failures=failures.policy if failures else "undecided",
            complete_cases=nodes.CompleteCases in said,
            question=asked,
            question_reason=why,
            pairs=0 if estimate else pairs,
            fits=fits,
            fits_reason=fits_reason,
            because=because(statement.clauses),
            learner_spans=tuple(w.span for w in written),
            dataset_spans=tuple(d.span for d in statement.datasets),
            spans=tuple((_WORDS[kind], one.span) for kind, one in said.items() if kind in _WORDS),
            allow=allowances(statement.clauses, self.problems),
            span=statement.span,
        )

    def _data(self, statement: nodes.Compare | nodes.Estimate) -> Data | None:
        found = [(name, self.names.data(name)) for name in statement.datasets]
        if any(record is None for _, record in found):
            return None
        tables = [(n, r) for n, r in found if isinstance(r, model.ResultsTable | model.PredictionsTable)]
        if tables:
            name, table = tables[0]
            if len(found) > 1:
                self.problems.disagree(name.span, f"{name.text} is a table of its own and stands with other data", "compare on one results or predictions table at a time")
                return None
            kind = "results" if isinstance(table, model.ResultsTable) else "predictions"
            metric = table.metric if isinstance(table, model.ResultsTable) else None
            return Data(kind=kind, names=(name.text,), suites=(), metric=metric)
        names: dict[str, model.Dataset] = {}
        suites = []
        for name, record in found:
            members = record.members if isinstance(record, model.Suite) else (name.text,)
            suites += [name.text] if isinstance(record, model.Suite) else []
            for member in members:
                one = self.names.data(nodes.Name(member, span=name.span)) if isinstance(record, model.Suite) else record
                if isinstance(one, model.Dataset):
                    if member in names and not isinstance(record, model.Suite):
                        self.problems.bad(name.span, f"{member} is named twice", "name each dataset once")
                    names[member] = one
        return Data(kind="datasets", names=tuple(names), suites=tuple(suites), records=tuple(names.values())) if names else None

    def _learners(self, written: tuple[nodes.Name, ...], data: Data) -> tuple[model.Learner, ...] | None:
        if data.kind != "datasets":
            return ()
        if not written:
            found = tuple(d for d in self.names.definitions.values() if isinstance(d, model.Learner))
            self.names.used.update(x.name for x in found)
            return found or None
        looked = [self.names.learner(name) for name in written]
        return tuple(x for x in looked if x is not None) if all(x is not None for x in looked) else None

    def _scheme(self, statement: nodes.Compare | nodes.Estimate, said: dict[type[nodes.Node], nodes.Node], data: Data) -> model.Scheme | None:
        using = _get(said, nodes.Using)
        if data.kind != "datasets":
            if using:
                self.problems.disagree(using.span, f"{data.names[0]} holds {data.kind} that are already there", "leave out the using clause")
            return None
        if using is None:
            self.problems.disagree(statement.span, "nothing says how the rows are split", "add using 5x2cv, or another scheme")
            return None
        return plan_scheme(using.scheme, self.problems)

    def _metrics(self, said: dict[type[nodes.Node], nodes.Node], settings: Settings, data: Data) -> tuple[tuple[model.Metric, ...], model.Origin]:
        clause, origin = _said_or_set(said, settings, nodes.Measuring)
        if clause is not None:
            found = [metric(call, self.problems) for call in clause.metrics]
            return tuple(dict.fromkeys(m for m in found if m is not None)), origin
        if data.metric:
            return (model.Metric(name=data.metric),), "derived"
        tasks = {self.known[d.name].task if d.name in self.known else d.task for d in data.records}
        return (model.Metric(name="rmse" if tasks == {"regression"} else "accuracy"),), "default"

    def _alpha(self, said: dict[type[nodes.Node], nodes.Node], settings: Settings) -> model.Given[float]:
        clause, origin = _said_or_set(said, settings, nodes.At)
        value = level(clause.alpha, self.problems) if clause else None
        if clause is None or value is None:
            return model.Given(ALPHA, "default", "the customary level")
        return model.Given(value, origin, "", clause.span)

    def _seed(self, clause: nodes.Seed, written: bool) -> model.Given[int] | None:
        value = whole(clause.value, "a seed", 0, self.problems, LARGEST_SEED)
        return None if value is None else model.Given(value, "written" if written else "set", "", clause.span)

    def _rope(self, said: dict[type[nodes.Node], nodes.Node], settings: Settings, metrics: tuple[model.Metric, ...]) -> model.Given[float] | None:
        clause, origin = _said_or_set(said, settings, nodes.Rope)
        if clause is None:
            return None
        value = margin(clause.width, metrics, self.problems)
        return None if value is None else model.Given(value, origin, "", clause.span)

    def _tuning(self, said: dict[type[nodes.Node], nodes.Node], settings: Settings) -> model.Given[model.Tuning] | None:
        for kind in (nodes.TuneOn, nodes.TuneUsing):
            if kind in said:
                found = self._one_tuning(said[kind])
                return model.Given(found, "written", "", said[kind].span) if found else None
        for kind in (nodes.TuneOn, nodes.TuneUsing):
            if kind in settings.clauses:
                found = self._one_tuning(settings.clauses[kind])
                return model.Given(found, "set", "", settings.clauses[kind].span) if found else None
        return None

    def _one_tuning(self, clause: nodes.Node) -> model.Tuning | None:
        if isinstance(clause, nodes.TuneOn):
            chosen = metric(clause.metric, self.problems) if clause.metric else None
            if clause.part is None:
                return model.Tuning(where="test", metric=chosen, span=clause.span)
            share = part(clause.part, "tune on", self.problems)
            return model.Tuning(where="part", part=share, metric=chosen, span=clause.span) if share else None
        assert isinstance(clause, nodes.TuneUsing)
        chosen = metric(clause.metric, self.problems) if clause.metric else None
        inner = plan_scheme(clause.scheme, self.problems)
        if inner is None:
            return None
        if inner.kind != "cv":
            self.problems.disagree(clause.span, f"tuning by {inner.text or inner.kind} is not offered", "write tune using 5cv, or tune on 20%")
            return None
        return model.Tuning(where="cv", folds=inner.folds, metric=chosen, span=clause.span)

    def _calibration(self, said: dict[type[nodes.Node], nodes.Node]) -> model.Calibration | None:
        clause = _get(said, nodes.CalibrateOn)
        if clause is None:
            return None
        if clause.part is None:
            return model.Calibration(where="tuning", span=clause.span)
        share = part(clause.part, "calibrate on", self.problems)
        return model.Calibration(where="part", part=share, span=clause.span) if share else None

    def _correction(self, said: dict[type[nodes.Node], nodes.Node]) -> model.Correction | None:
        clause = _get(said, nodes.Correct)
        if clause is None:
            return None
        if find_correction(clause.method.text) is None:
            self.problems.unknown(clause.method.span, "correction", clause.method.text, (c.name for c in CORRECTIONS))
            return None
        return model.Correction(method=clause.method.text, over=clause.over, span=clause.span)

    def _tests(
        self, said: dict[type[nodes.Node], nodes.Node], data: Data, scheme: model.Scheme | None, learners: int, metrics: tuple[model.Metric, ...], alpha: float, estimate: bool
    ) -> tuple[tuple[model.Test, ...], tuple[model.Test, ...], str]:
        by = _get(said, nodes.By)
        cards = tuple(c for c in (find_metric(m.name) for m in metrics) if c is not None)
        kind = scheme.kind if scheme else data.kind
        if by is not None:
            return self._named_tests(by, data, estimate)
        if estimate:
            return (_estimator(kind, cards),), (), ""
        count = learners or 2
        if kind == "results":
            return (), over_datasets(count, cards), ""
        tests, note = on_each(kind, count, cards)
        if len(data.names) < 2:
            return tests, (), note
        over = over_datasets(count, cards)
        reach = _reach(over[-1], len(data.names), count, alpha)
        if reach:
            return tests, (), reach
        return tests, over, note

    def _named_tests(self, by: nodes.By, data: Data, estimate: bool) -> tuple[tuple[model.Test, ...], tuple[model.Test, ...], str]:
        tests: list[model.Test] = []
        over: list[model.Test] = []
        first = None
        for call in by.tests:
            card = find_test(call.name.text)
            if card is None:
                self.problems.unknown(call.name.span, "test", call.name.text, (t.name for t in TESTS), "see `evalang explain --all` for the tests")
                continue
            if estimate and card.learners != "one" or not estimate and card.learners == "one" and card.evidence == "count":
                self.problems.disagree(
                    call.span,
                    f"{card.name} {'compares learners' if estimate else 'judges one learner'}",
                    "name wilson or clopper-pearson, or leave the choice to evalang" if estimate else "write estimate, or name a test that compares",
                )
                continue
            if first is not None and first.name not in card.post_hoc_of:
                self.problems.disagree(call.span, f"{card.name} is no post-hoc of {first.name}", f"name one test, or a post-hoc after {first.name}" + _post_hocs(first.name))
                continue
            for argument in call.arguments:
                if argument.name.text not in card.options:
                    near = nearest(argument.name.text, card.options)
                    self.problems.parameter(argument.span, f"{card.name} has no option {argument.name.text}" + (f"; did you mean {near}?" if near else ""))
            first = first or card
            test = model.Test(name=card.name, options=options(call.arguments, self.problems), span=call.span)
            spread = card.scopes == ("over-datasets",) or ("over-datasets" in card.scopes and data.kind == "results")
            (over if spread else tests).append(test)
        return tuple(tests), tuple(over), ""

    def _fits(
        self, data: Data, scheme: model.Scheme | None, learners: tuple[model.Learner, ...], tuning: model.Tuning | None, metrics: tuple[model.Metric, ...], retrained: bool
    ) -> tuple[int, str]:
        if scheme is None:
            return 0, "the scores are already there"
        per_fold = sum(fits_of(x, tuning, metrics, retrained) for x in learners)
        counts = []
        for record in data.records:
            known = self.known.get(record.name)
            counts.append(splits(scheme, known.rows if known else record.rows, known.folds if known else None))
        found = total(counts, per_fold)
        if found == UNKNOWN:
            return UNKNOWN, f"{per_fold:,} on every fold; the data tells how many folds there are"
        return found, f"{per_fold:,} on every fold, {sum(counts):,} folds"


def margin(width: nodes.Amount, metrics: tuple[model.Metric, ...], problems: Problems) -> float | None:
    """A difference in the metric's own unit; `%` and points only fit metrics that run from 0 to 1."""
    united = next((m.name for m in metrics if (card := find_metric(m.name)) and card.has_unit), None)
    if width.unit == "rows" or not 0 <= width.value < float("inf"):
        problems.bad(width.span, f"{width.text} is not a difference", "write 1 point, 1%, or a number in the metric's unit")
        return None
    if united and width.unit in ("%", "points"):
        problems.bad(width.span, f"{width.text} has no meaning for {united}, which has a unit of its own", "write a bare number in that unit")
        return None
    return float(width.value)


def _get(said: dict[type[nodes.Node], nodes.Node], kind: type[C]) -> C | None:
    found = said.get(kind)
    return found if isinstance(found, kind) else None


def _said_or_set(said: dict[type[nodes.Node], nodes.Node], settings: Settings, kind: type[C]) -> tuple[C | None, model.Origin]:
    found = _get(said, kind)
    if found is not None:
        return found, "written"
    kept = settings.clauses.get(kind)
    return (kept, "set") if isinstance(kept, kind) else (None, "default")


def _calibrated_on_tuning(said: dict[type[nodes.Node], nodes.Node]) -> bool:
    clause = _get(said, nodes.CalibrateOn)
    return clause is not None and clause.part is None


def _pairs(learners: int, control: bool) -> int:
    return learners - 1 if control else learners * (learners - 1) // 2


def _post_hocs(name: str) -> str:
    found = [t.name for t in TESTS if name in t.post_hoc_of]
    return f" ({', '.join(found)})" if found else ""


def _estimator(kind: str, metrics: tuple[MetricEntry, ...]) -> model.Test:
    """The interval of an estimate."""
    counted = all(m.name in ("accuracy", "error") for m in metrics)
    if kind in ("holdout", "given-test", "predictions"):
        if counted:
            return model.Test(name="wilson", origin="default", reason="one classifier, right or wrong on every test row")
        return model.Test(name="bootstrap", origin="default", reason="one classifier; the test rows are drawn again")
    if kind == "trainings":
        return model.Test(name="training-interval", origin="default", reason="disjoint training sets and one test set")
    return model.Test(name="corrected-interval", origin="default", reason="it allows for training sets that share rows")


def _reach(test: model.Test, datasets: int, learners: int, alpha: float) -> str:
    """Why a default test over datasets is left out: it could not reject however the datasets fall."""
    card = find_test(test.name)
    if card is None:
        return ""
    pairs = learners * (learners - 1) // 2
    smallest = card.smallest_p(datasets, learners, 2)
    if smallest <= first_level("holm", alpha, pairs):
        return ""
    return f"no test over datasets: with {datasets} datasets {test.name} cannot give a p below {smallest:.3g}, and {first_level('holm', alpha, pairs):.3g} is needed"


def spans_of(clauses: tuple[nodes.Clause, ...]) -> tuple[tuple[str, Span], ...]:
    """Where the clauses of a statement stand, by their words."""
    return tuple((_WORDS[type(one)], one.span) for one in clauses if type(one) in _WORDS)
