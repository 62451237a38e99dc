"""Statements from their recognised rules: clauses gathered, each given once, every `because` where it belongs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from . import nodes as n
from .build_nodes import AsFormat, Build, Children, Flawed, NodePart, Problem, Within
from .lexer import Token
from .text import Span

# `tune on` and `tune using` answer one question; the others are one clause each.
_SAME: dict[type, type] = {n.TuneUsing: n.TuneOn}
_REPEATED = (n.Allow, n.CopiedFrom, n.JoinClasses)


class GatheredClauses:
    """The clauses of a statement and the first mistake in them."""

    __slots__ = ("clauses", "problem")

    def __init__(self, items: Children) -> None:
        self.problem: Problem | None = None
        self.clauses: tuple[Any, ...] = ()
        if items:
            self._gather(items)

    def _gather(self, items: Children) -> None:
        kept: list[Any] = []
        seen: dict[type, n.Node] = {}
        comma = False
        for item in items:
            kind = item.__class__
            if kind is Token:
                comma = True
                continue
            if kind is n.Because and kept and _takes_reason(kept[-1], comma):
                last = kept[-1]
                whole = Span(last.span.path, last.span.start, item.span.end)
                kept[-1] = replace(last, reason=item.reason, span=whole)
            elif kind in _REPEATED:
                kept.append(item)
            else:
                same = _SAME.get(kind, kind)
                if same in seen:
                    self.problem = self.problem or _twice(item)
                else:
                    seen[same] = item
                    kept.append(item)
            comma = False
        self.clauses = tuple(kept)

    def take(self, kind: type[Any]) -> Any:
        """Remove and return the clause of a kind that becomes a field of its statement."""
        for clause in self.clauses:
            if clause.__class__ is kind:
                self.clauses = tuple(c for c in self.clauses if c is not clause)
                return clause
        return None

    def finish(self, statement: n.Statement) -> n.Statement | Flawed:
        return statement if self.problem is None else Flawed(statement, self.problem)


def _takes_reason(last: Any, comma: bool) -> bool:
    """An `allow` needs a reason and takes the next one; `expecting` takes it when no comma stands between."""
    if last.__class__ is n.Allow:
        return last.reason is None
    return last.__class__ is n.Expecting and last.reason is None and not comma


def _twice(clause: n.Node) -> Problem:
    words = CLAUSE_NAMES[clause.__class__]
    said = words if words.startswith("a ") else f"`{words}`"
    help = "keep one of the two; only `allow`, `copied from` and `join classes` may be repeated"
    return Problem(clause.span, f"{said} is given twice in this statement", help)


CLAUSE_NAMES: dict[type, str] = {
    n.Because: "because", n.TargetClause: "target", n.Positive: "positive", n.Missing: "missing", n.Drop: "drop",
    n.DropMissingTargets: "drop missing targets", n.Groups: "groups", n.Weights: "weights", n.Time: "time",
    n.Folds: "folds", n.TestedOn: "tested on", n.Query: "query", n.PreparedBy: "prepared by", n.AsTask: "as",
    n.SampledFrom: "sampled from", n.Tune: "tune", n.Try: "try", n.Calibrate: "calibrate", n.TrainTimes: "train",
    n.DatasetsIn: "datasets in", n.LearnersIn: "learners in", n.TruthClause: "truth", n.AsFormula: "as",
    n.Using: "using", n.By: "by", n.Measuring: "measuring", n.TuneOn: "tune", n.TuneUsing: "tune",
    n.CalibrateOn: "calibrate on",
    n.WithoutRetraining: "without retraining", n.Correct: "a correction", n.At: "at", n.Seed: "seed", n.AsName: "as",
    n.Control: "control", n.AllPairs: "all pairs", n.Rope: "rope", n.Failures: "failures", n.Expecting: "expecting",
    n.DropRepeatedRows: "drop repeated rows", n.Where: "where", n.Rows: "rows", n.Classes: "classes",
    n.Rarest: "rarest", n.TunedOnSource: "tuned on", n.Threshold: "threshold", n.Randomised: "randomised",
    n.WithoutPreparation: "without preparation", n.GivesScores: "gives scores", n.TunedWith: "tuned with",
    n.TunedByHand: "tuned by hand", n.TunedFor: "tuned for", n.PretrainedOn: "pretrained on",
    n.StoppedEarly: "stopped early on", n.TrainedTimes: "trained", n.FoldsIn: "folds in", n.SeedsIn: "seeds in",
    n.RepeatsIn: "repeats in", n.ItemsIn: "items in", n.MadeUsing: "made using", n.TunedOn: "tuned on", n.Gap: "gap",
    n.Primary: "primary", n.ThresholdOn: "threshold on", n.StopEarly: "stop early on",
    n.UntilSettled: "until settled", n.SeriesIn: "series in",
    n.CompleteCases: "complete cases", n.Overall: "overall", n.AccordingTo: "according to", n.With: "with",
    Within: "within", AsFormat: "as",
}  # fmt: skip


def _definition(kind: type[Any]) -> Build:
    """`dataset`, `learner`, `results`, `predictions`: a name, what it stands for, clauses."""

    def build(span: Span, c: Children) -> Any:
        said = GatheredClauses(c[2:])
        meaning = c[1].value if c[1].__class__ is NodePart else c[1]
        return said.finish(kind(c[0], meaning, said.clauses, span=span))

    return build


def described_dataset(span: Span, c: Children) -> Any:
    said = GatheredClauses(c[1:])
    return said.finish(n.DatasetStatement(c[0], n.Described(span=c[1].span), said.clauses, span=span))


def described_learner(span: Span, c: Children) -> Any:
    said = GatheredClauses(c[2:])
    return said.finish(n.LearnerStatement(c[0], n.Described(c[1], span=c[1].span), said.clauses, span=span))


def suite_from(span: Span, c: Children) -> Any:
    said = GatheredClauses(c[2:])
    return said.finish(n.SuiteStatement(c[0], (), said.clauses, c[1], span=span))


def suite(span: Span, c: Children) -> Any:
    first = next((i for i, item in enumerate(c) if item.__class__ is not n.Name), len(c))
    said = GatheredClauses(c[first:])
    return said.finish(n.SuiteStatement(c[0], tuple(c[1:first]), said.clauses, span=span))


def contest(span: Span, c: Children) -> NodePart:
    """The learners, and whether `this classifier` was said."""
    if c[0].__class__ is Token:
        return NodePart(span, (tuple(c[1:]), c[0].type == "THIS"))
    return NodePart(span, (tuple(c), False))


def entrant(span: Span, c: Children) -> NodePart:
    """The learner, and whether `this classifier` was said."""
    return NodePart(span, (c[-1], len(c) > 1))


def compare(span: Span, c: Children) -> Any:
    c = _without_comma(c, 1)
    learners, this = c[0].value
    said = GatheredClauses(c[2:])
    return said.finish(n.CompareStatement(learners, c[1].value, said.clauses, this, span=span))


def estimate(span: Span, c: Children) -> Any:
    c = _without_comma(c, 1)
    learner, this = c[0].value
    said = GatheredClauses(c[2:])
    return said.finish(n.EstimateStatement(learner, c[1].value, said.clauses, this, span=span))


def _without_comma(c: Children, at: int) -> Children:
    return c if c[at].__class__ is not Token else c[:at] + c[at + 1 :]


def relation(span: Span, c: Children) -> NodePart:
    """`better`, `no-worse` or `same`."""
    return NodePart(span, {"BETTER": "better", "NO": "no-worse", "SAME": "same"}[c[0].type])


def population(span: Span, c: Children) -> NodePart:
    """Datasets, whether they are `new datasets`, whether `each of` was said."""
    if c[0].__class__ is NodePart:
        return NodePart(span, (c[0].value, False, False))
    return NodePart(span, (tuple(c[1:]), False, True) if c[0].type == "EACH" else ((), True, False))


def claim(span: Span, c: Children) -> Any:
    (left, this), how, right = c[0].value, c[1].value, c[2]
    datasets, new, each = next(item for item in c[3:] if item.__class__ is NodePart).value
    said = GatheredClauses([item for item in c[3:] if item.__class__ is not NodePart])
    within = said.take(Within)
    width = within.width if within else None
    return said.finish(n.ClaimStatement(left, how, right, width, datasets, new, each, said.clauses, this, span=span))


def simulate(span: Span, c: Children) -> Any:
    kind: Literal["type-I", "power"] = c[0].text
    first = next((i for i, item in enumerate(c) if i and item.__class__ is not n.Call), len(c))
    said = GatheredClauses(_settings_together(c[first:]))
    return said.finish(n.SimulateStatement(kind, tuple(c[1:first]), said.clauses, span=span))


def _settings_together(items: Children) -> Children:
    """Settings that follow a seed (`with n 300, seed 1, trials 1000`) join the ones before it."""
    out: Children = []
    for item in items:
        if item.__class__ is not NodePart:
            out.append(item)
            continue
        seed, more = item.value
        out.append(seed)
        at = next((i for i, one in enumerate(out) if one.__class__ is n.With), None)
        if at is None:
            word = more.settings[0].name
            raise Problem(
                word.span, f"the setting `{word.text}` needs `with` before it", "write `with` before the first setting"
            )
        first: n.With = out[at]
        out[at] = n.With((*first.settings, *more.settings), span=first.span)
    return out


def report(span: Span, c: Children) -> Any:
    subject = c[0] if c[0].__class__ is n.Name else None
    to = 0 if subject is None else 1
    said = GatheredClauses(c[to + 1 :])
    form = said.take(AsFormat)
    return said.finish(n.ReportStatement(subject, c[to], form.format if form else None, said.clauses, span=span))


def set_default(span: Span, c: Children) -> Any:
    said = GatheredClauses(c)
    return said.finish(n.SetStatement(said.clauses[0], said.clauses[1:], span=span))


def include(span: Span, c: Children) -> Any:
    said = GatheredClauses(c[1:])
    return said.finish(n.IncludeStatement(c[0], said.clauses, span=span))


STATEMENTS: dict[str, Build] = {
    "dataset": _definition(n.DatasetStatement),
    "learner": _definition(n.LearnerStatement),
    "results": _definition(n.ResultsStatement),
    "predictions": _definition(n.PredictionsStatement),
    "described_dataset": described_dataset,
    "described_learner": described_learner,
    "suite": suite,
    "suite_from": suite_from,
    "contest": contest,
    "entrant": entrant,
    "compare": compare,
    "estimate": estimate,
    "relation": relation,
    "population": population,
    "claim": claim,
    "simulate": simulate,
    "report": report,
    "set": set_default,
    "include": include,
}
