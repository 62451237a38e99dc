"""Clauses and schemes from their recognised rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from . import nodes as n
from .build_nodes import AsFormat, Build, Children, NodePart, Within, whole
from .text import Span

# ---------------------------------------------------------------- schemes


def scheme(span: Span, c: Children) -> n.SchemeNode:
    said: n.SchemeNode = c[-1]
    if len(c) == 1:
        return said
    words = {token.type for token in c[:-1]}
    stratified = True if "STRATIFIED" in words else False if "UNSTRATIFIED" in words else None
    return replace(said, stratified=stratified, grouped="GROUPED" in words, span=span)


def _cv(span: Span, c: Children) -> n.SchemeNode:
    return n.SchemeNode("cv", folds=whole(c[0], c[0].text[:-2]), span=span)


def _repeated_cv(span: Span, c: Children) -> n.SchemeNode:
    token = c[0]
    if token.type == "FIVE_BY_TWO":
        return n.SchemeNode("5x2cv", count=5, folds=2, span=span)
    count, folds = token.text[:-2].split("x")
    return n.SchemeNode("repeated-cv", count=whole(token, count), folds=whole(token, folds), span=span)


def _threshold_on(span: Span, c: Children) -> n.ThresholdOn:
    part = c[0] if isinstance(c[0], n.Amount) else None
    on_test = part is None and c[0].type == "TEST"
    return n.ThresholdOn(part, c[1] if len(c) > 1 else None, on_test, span=span)


def _partitions(span: Span, c: Children) -> n.SchemeNode:
    if c[1].type == "FIVE_BY_TWO":
        return n.SchemeNode("partitions-5x2cv", count=whole(c[0]), folds=2, span=span)
    return n.SchemeNode("partitions-cv", count=whole(c[0]), folds=whole(c[1], c[1].text[:-2]), span=span)


def _halvings(span: Span, c: Children) -> n.SchemeNode:
    count, folds = c[1].text[:-2].split("x")
    return n.SchemeNode("halvings", count=whole(c[1], count), folds=whole(c[1], folds), halvings=whole(c[0]), span=span)


SCHEMES: dict[str, Build] = {
    "scheme": scheme,
    "holdout": lambda span, c: n.SchemeNode("holdout", part=c[0], span=span),
    "guarded_holdout": lambda span, c: n.SchemeNode("guarded-holdout", part=c[0], looks=whole(c[1]), span=span),
    "cv": _cv,
    "repeated_cv": _repeated_cv,
    "partitions": _partitions,
    "halvings": _halvings,
    "resamples": lambda span, c: n.SchemeNode("resamples", count=whole(c[0]), part=c[1], span=span),
    "trainings": lambda span, c: n.SchemeNode("trainings", count=whole(c[0]), rows=whole(c[1]), span=span),
    "leave_one_out": lambda span, c: n.SchemeNode("leave-one-out", span=span),
    "bootstrap": lambda span, c: n.SchemeNode("bootstrap", count=whole(c[0]), span=span),
    "forward": lambda span, c: n.SchemeNode(
        "forward", count=whole(c[0]), rows=whole(c[1]) if len(c) > 1 else None, span=span
    ),
    "given_folds": lambda span, c: n.SchemeNode("given-folds", span=span),
    "given_test": lambda span, c: n.SchemeNode("given-test", span=span),
}

# ---------------------------------------------------------------- clauses


def positive(span: Span, c: Children) -> n.Positive:
    rest = c[-1].__class__ is NodePart
    return n.Positive(tuple(c[:-1] if rest else c), rest, span=span)


def failures(span: Span, c: Children) -> n.Failures:
    return n.Failures("worst" if c[0].type == "WORST" else "leave-out", span=span)


def correct(span: Span, c: Children) -> n.Correct:
    method = n.Name(c[0].text, span=c[0].span)
    looks = [one.value for one in c[1:] if one.__class__ is NodePart]
    over: Any = tuple("everything-so-far" if one.__class__ is NodePart else one.text for one in c[1:])
    return n.Correct(method, over, next((one for one in looks if one is not None), None), span=span)


def condition(span: Span, c: Children) -> n.ConditionNode:
    sign = c[1].text if len(c) > 2 else "is"
    relation: Any = "is not" if sign == "not" else sign
    return n.ConditionNode(c[0], relation, c[-1], span=span)


def tuned_for(span: Span, c: Children) -> n.TunedFor:
    unit: Any = c[1].text.removesuffix("s") + "s"
    return n.TunedFor(c[0], unit, span=span)


def _part(kind: type[Any]) -> Build:
    """A clause that holds an amount, or None for the word that may stand in its place; and a metric, if one is said."""
    return lambda span, c: kind(c[0] if isinstance(c[0], n.Amount) else None, *c[1:], span=span)


def with_settings(span: Span, c: Children) -> n.With:
    return n.With(_settings(c), span=span)


def seed_between(span: Span, c: Children) -> Any:
    """`seed 1` is a clause also when settings come after it."""
    seed = n.Seed(c[0], span=Span(span.path, span.start, c[0].span.end))
    if len(c) == 1:
        return seed
    return NodePart(span, (seed, n.With(_settings(c[1:]), span=Span(span.path, c[1].span.start, span.end))))


def _settings(c: Children) -> tuple[n.Setting, ...]:
    """`error 10%, 20%`: a bare amount belongs to the word before it."""
    settings: list[n.Setting] = []
    for item in c:
        if isinstance(item, n.Setting):
            settings.append(item)
        else:
            last = settings[-1]
            together = Span(last.span.path, last.span.start, item.span.end)
            settings[-1] = n.Setting(last.name, (*last.values, item), span=together)
    return tuple(settings)


def _one(kind: type[Any]) -> Build:
    """A clause that holds its only child."""
    return lambda span, c: kind(c[0], span=span)


def _many(kind: type[Any]) -> Build:
    """A clause that holds its children."""
    return lambda span, c: kind(tuple(c), span=span)


def _bare(kind: type[Any]) -> Build:
    """A clause of words only."""
    return lambda span, c: kind(span=span)


def _word(kind: type[Any]) -> Build:
    """A clause that holds one of a few words."""
    return lambda span, c: kind(c[0].text, span=span)


CLAUSES: dict[str, Build] = {
    "because": _one(n.Because),
    "allow": lambda span, c: n.Allow(c[0], None, span=span),
    "target": _one(n.TargetClause),
    "positive": positive,
    "against": lambda span, c: NodePart(span, None),
    "missing": _many(n.Missing),
    "drop": _many(n.Drop),
    "drop_missing_targets": _bare(n.DropMissingTargets),
    "drop_repeated_rows": _bare(n.DropRepeatedRows),
    "where": _many(n.Where),
    "condition": condition,
    "join_classes": lambda span, c: n.JoinClasses(tuple(c[:-1]), c[-1], span=span),
    "rows": _one(n.Rows),
    "classes": _one(n.Classes),
    "rarest": _one(n.Rarest),
    "groups": _one(n.Groups),
    "weights": _one(n.Weights),
    "time": _one(n.Time),
    "series_in": _one(n.SeriesIn),
    "folds": _one(n.Folds),
    "tested_on": _one(n.TestedOn),
    "tuned_on_source": _one(n.TunedOnSource),
    "query": _one(n.Query),
    "prepared_by": _many(n.PreparedBy),
    "as_task": _word(n.AsTask),
    "sampled_from": _one(n.SampledFrom),
    "tune": _many(n.Tune),
    "try": _one(n.Try),
    "calibrate": _word(n.Calibrate),
    "train_times": _one(n.TrainTimes),
    "threshold": _one(n.Threshold),
    "without_preparation": _bare(n.WithoutPreparation),
    "randomised": _bare(n.Randomised),
    "gives_scores": _bare(n.GivesScores),
    "tuned_with": _one(n.TunedWith),
    "tuned_by_hand": _bare(n.TunedByHand),
    "tuned_for": tuned_for,
    "pretrained_on": _one(n.PretrainedOn),
    "stopped_early": _part(n.StoppedEarly),
    "trained_times": _one(n.TrainedTimes),
    "folds_in": _one(n.FoldsIn),
    "seeds_in": _one(n.SeedsIn),
    "repeats_in": _one(n.RepeatsIn),
    "items_in": _one(n.ItemsIn),
    "made_using": _one(n.MadeUsing),
    "tuned_on": _part(n.TunedOn),
    "copied_from": lambda span, c: n.CopiedFrom(c[0], tuple(c[1:]), span=span),
    "datasets_in": lambda span, c: n.DatasetsIn(c[1], span=span),
    "learners_in": lambda span, c: n.LearnersIn(tuple(c[1:]), span=span),
    "truth": _one(n.TruthClause),
    "as_formula": _one(n.AsFormula),
    "using": _one(n.Using),
    "by": _many(n.By),
    "measuring": _many(n.Measuring),
    "tune_on": _part(n.TuneOn),
    "tune_using": lambda span, c: n.TuneUsing(c[0], c[1] if len(c) > 1 else None, span=span),
    "calibrate_on": _part(n.CalibrateOn),
    "threshold_on": _threshold_on,
    "stop_early": _one(n.StopEarly),
    "gap": _one(n.Gap),
    "primary": _one(n.Primary),
    "until_settled": _one(n.UntilSettled),
    "so_far": lambda span, c: NodePart(span, next((one for one in c if isinstance(one, n.Number)), None)),
    "without_retraining": _bare(n.WithoutRetraining),
    "correct": correct,
    "at": _one(n.At),
    "alpha": _one(n.At),
    "seed": _one(n.Seed),
    "as_name": _one(n.AsName),
    "control": _one(n.Control),
    "all_pairs": _bare(n.AllPairs),
    "rope": _one(n.Rope),
    "failures": failures,
    "expecting": lambda span, c: n.Expecting(c[0], None, span=span),
    "complete_cases": _bare(n.CompleteCases),
    "within": _one(Within),
    "overall": _bare(n.Overall),
    "according_to": _one(n.AccordingTo),
    "with": with_settings,
    "seed_between": seed_between,
    "setting": lambda span, c: n.Setting(c[0], (c[1],), span=span),
    "as_format": _word(AsFormat),
}
