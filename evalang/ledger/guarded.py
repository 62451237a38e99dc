"""The uses of guarded holdouts: each question and its answer are lines of the ledger, and their number is limited.

A question asks for the score of one learner in one metric. `check_guarded` refuses, before training, a comparison that
would exceed the limit, and `record_answer` records the answers. `verdicts/thresholdout.py` computes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

from ..errors import ScriptError
from ..plans.model import Comparison, Plan
from .chain import Entry, Event, append, read_events
from .designs import design_of
from .history import MIN_SHARED_ROWS, Project, Rows, shared_fraction, sketches_of

Key = tuple[str, ...]  # what makes a question the same: learner, metric, scheme, seed
_SPENT = "use new test rows"


def check_guarded(
    plan: Plan,
    c: Comparison,
    project: Project | None,
    rows: Rows,
    sizes: Mapping[str, tuple[int, int]],
    needed: int | None,
    rows_per_opening: int,
) -> None:
    """Raise ScriptError before training, where a guarded holdout could not answer as it promises.

    `sizes` are the rows to train on and to test of each dataset, `needed` the test rows for so many questions (None:
    more than were tried), `rows_per_opening` the test rows for each answer from the test part itself.
    """
    assert c.scheme is not None
    assert c.scheme.looks is not None
    looks = c.scheme.looks

    def refuse(message: str, hint: str) -> NoReturn:
        raise ScriptError(message, hint=hint, span=c.span_of("using"))

    if project is None:
        hint = "run it where evalang.ledger can be written, and without --no-ledger"
        refuse("a guarded holdout needs the ledger, which counts its uses", hint)
    for metric in c.metrics:
        card = metric.card
        if card is None or not card.row_loss or (card.low, card.high) != (0.0, 1.0):
            hint = "measure accuracy, error, or another metric that is a mean over rows"
            refuse(f"a guarded holdout cannot protect {metric.label}, which is not a mean over rows", hint)
    if needed is None:
        refuse(f"{looks:,} uses are more than were simulated", "write at most `within 1000 looks`")
    found = read_events(project.folder)
    keys = [_question_key(plan, c, learner, metric.label) for learner in c.learners for metric in c.metrics]
    for name, (train, test) in sizes.items():
        asked = _asked(found, rows, name)
        new, opened = [key for key in keys if key not in asked], _opened(asked)
        if test < needed:
            few = f"{name} has {test:,} test rows, too few to test {looks} times"
            refuse(few, f"keep at least {needed:,} rows for testing")
        if train < test:
            fewer = f"{name} has fewer training rows ({train:,}) than test rows ({test:,})"
            refuse(fewer, "a guarded holdout needs at least as many training rows")
        if len(asked) + len(new) > looks:
            refuse(f"the test rows of {name} were used {len(asked)} times; {len(new)} more exceed {looks}", _SPENT)
        if new and opened >= test // rows_per_opening:
            message = f"{opened} learners were scored on the test rows of {name}, which is the most allowed"
            refuse(message, "cross-validation inside the training rows predicts these scores badly: use new test rows")


def record_answer(
    plan: Plan,
    c: Comparison,
    project: Project,
    rows: Rows,
    most_opened: Mapping[str, int],
    question: tuple[str, str, str],
    answer: tuple[float, bool],
) -> float | None:
    """Record the answer to (dataset, learner, metric); return it, or the one that was given to it before.

    `answer` is the number, and whether it comes from the test part itself, which gives `most_opened` answers for each
    dataset. After these the result is None.
    """
    dataset, learner, metric = question
    key = _question_key(plan, c, learner, metric)

    def entries(found: tuple[Event, ...]) -> list[Entry]:
        # Under the ledger's lock: two runs at once have one budget, and one answer to the same question.
        asked = _asked(found, rows, dataset)
        if key in asked:
            return []
        if c.scheme is not None and c.scheme.looks is not None and len(asked) >= c.scheme.looks:
            raise ScriptError(
                f"another run used the test rows of {dataset} in the meantime: all {c.scheme.looks} uses are taken",
                hint=_SPENT,
                span=c.span_of("using"),
            )
        if answer[1] and _opened(asked) >= most_opened[dataset]:
            return []
        facts = {
            "study": project.study,
            "comparison": c.name,
            "question": list(key),
            "answer": answer[0],
            "opened": answer[1],
            "sketch": list(sketches_of(found, {dataset: rows[dataset]})[dataset]),
        }
        return [("asked", facts)]

    append(project.folder, entries)
    given = _asked(read_events(project.folder), rows, dataset).get(key)
    return None if given is None else float(given.get("answer"))


def _asked(found: Iterable[Event], rows: Rows, dataset: str) -> dict[Key, Event]:
    """Return every question that these rows were asked, under whatever name and design."""
    there = tuple(found)
    mine = sketches_of(there, {dataset: rows[dataset]}).get(dataset, ())
    return {
        tuple(one.get("question", ())): one
        for one in there
        if one.kind == "asked" and shared_fraction(mine, tuple(one.get("sketch", ()))) >= MIN_SHARED_ROWS
    }


def _opened(asked: Mapping[Key, Event]) -> int:
    """Return how many answers came from the test part itself."""
    return sum(bool(event.get("opened")) for event in asked.values())


def _question_key(plan: Plan, c: Comparison, learner: str, metric: str) -> Key:
    design = design_of(plan, c)
    learners = design.get("learners", {})
    chain = learners.get(learner, learner) if isinstance(learners, dict) else learner
    using = (c.scheme.text if c.scheme else "").partition(" within ")[0]
    others = sorted((name, design[name]) for name in ("tuning", "calibrated on", "failures") if name in design)
    return (chain, metric, using, str(design.get("seed")), *(f"{name} {value}" for name, value in others))
