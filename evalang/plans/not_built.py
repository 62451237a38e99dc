"""What the language can say and evalang cannot do yet: read, formatted, planned and linted, and refused before data.

One line for each. Whoever builds one takes its line away; a test asks that every line refuses something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..errors import ScriptError
from ..source.span import Span
from .model import Comparison, Plan

Spans = Iterable[Span]


def _comparisons(word: str, wanted: Callable[[Comparison], object]) -> Callable[[Plan], Spans]:
    return lambda plan: (c.span_of(word) for c in plan.comparisons if wanted(c))


NOT_BUILT: dict[str, Callable[[Plan], Spans]] = {
    "`primary`": _comparisons("primary", lambda c: c.primary),
    "a metric of one's own, where learners are trained": _comparisons(
        "measuring", lambda c: c.data == "datasets" and any(m.better or m.epochs for m in c.metrics)
    ),
    "`threshold on`": _comparisons("threshold", lambda c: c.threshold),
    "`stop early on`": _comparisons("stop", lambda c: c.stop_early),
    "`until settled`": _comparisons("until", lambda c: c.until_settled),
    "`guarded holdout`": _comparisons("using", lambda c: c.data == "datasets" and c.scheme and c.scheme.looks),
    "`gap`": _comparisons("gap", lambda c: c.data == "datasets" and c.scheme and c.scheme.gap),
}


def refuse_unbuilt(plan: Plan) -> None:
    """ScriptError at the first place that says what cannot be done: not yet, or (what is only described) never."""
    found = [(span, what) for what, places in NOT_BUILT.items() for span in places(plan)]
    if found:
        span, what = min(found, key=lambda one: (one[0].path != plan.script, one[0]))
        hint = "it is read, formatted, planned and linted; leave it out to run the script"
        raise ScriptError(f"{what} is not built yet", hint=hint, span=span)
    described = [(d.name, d.span) for d in plan.datasets if d.used and d.source.kind == "described"]
    described += [(x.name, x.span) for x in plan.learners if x.used and x.described]
    for name, span in described:
        hint = "evalang lint and evalang plan judge the design; write its results in a results statement"
        raise ScriptError(f"{name} is only described, and cannot be run", hint=hint, span=span)
