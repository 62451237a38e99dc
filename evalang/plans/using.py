"""What follows `using` becomes a scheme with its numbers checked."""

from __future__ import annotations

from ..catalogue.entry import SchemeEntry
from ..catalogue.schemes import find_scheme
from ..source.record import replace
from ..syntax import nodes
from .problems import Problems
from .scheme import Part, Scheme
from .values import LARGEST_COUNT, part, shown, whole

MOST_FOLDS = 100_000
MOST_PARTITIONS = 100_000


def scheme(found: nodes.Scheme, problems: Problems, gap: nodes.Gap | None = None) -> Scheme | None:
    """The scheme, or None (with EV006) when its numbers make no sense."""
    count, folds = found.count, found.folds
    card = find_scheme(found.kind)
    assert card is not None, found.kind
    if folds is not None and not 2 <= folds <= MOST_FOLDS:
        problems.bad(
            found.span,
            f"there is no cross-validation with {shown(folds)} folds",
            f"use from 2 to {MOST_FOLDS:,} folds, such as 10cv",
        )
        return None
    if card.counts and count is not None and not card.least <= count <= MOST_PARTITIONS:
        problems.bad(
            found.span,
            f"{shown(count)} {card.counts} make no scheme",
            f"use from {card.least} to {MOST_PARTITIONS:,}",
        )
        return None
    if found.halvings is not None and not _halves(found, problems):
        return None
    share: Part | None = None
    if found.part is not None:
        share = part(found.part, "holdout" if card.part == "tested" else "a resample of", problems)
        if share is None:
            return None
    if card.disjoint and not 1 <= (found.rows or 0) <= LARGEST_COUNT:
        problems.bad(
            found.span, f"a training set cannot have {shown(found.rows or 0)} rows", "write 8 trainings of 300"
        )
        return None
    if card.drawn and found.grouped and found.stratified:
        message = "a bootstrap draws whole groups, which cannot keep the classes in proportion"
        problems.disagree(found.span, message, "leave out stratified, or grouped")
        return None
    if found.looks is not None and not 1 <= found.looks <= LARGEST_COUNT:
        problems.bad(found.span, f"{shown(found.looks)} looks are none", "write guarded holdout 1/3 within 100 looks")
        return None
    if gap is not None and not card.in_time:
        problems.disagree(gap.span, "only a forward scheme has a gap", "leave the gap out, or write forward 8 splits")
    partitions, per = _shape(card, count, folds)
    made = Scheme(
        kind=card.kind,
        partitions=partitions,
        halvings=found.halvings or 0,
        folds=per,
        part=share,
        rows=found.rows,
        gap=(whole(gap.rows, "a gap", 1, problems) or 0) if gap is not None and card.in_time else 0,
        looks=found.looks,
        stratified=found.stratified,
        grouped=found.grouped,
        span=found.span,
    )
    return replace(made, text=_text(made, found.part.text if found.part else ""))


def _halves(found: nodes.Scheme, problems: Problems) -> bool:
    """Whether halvings can be made: enough of them, and folds that each half gets half of."""
    folds, halvings = found.folds or 0, found.halvings or 0
    if not 2 <= halvings <= MOST_PARTITIONS:
        message = f"{shown(halvings)} halvings make no scheme"
        problems.bad(found.span, message, f"use from 2 to {MOST_PARTITIONS:,}")
    elif folds < 4 or folds % 2:
        message = f"half of {shown(folds)} folds cannot be dealt in each half of the rows"
        problems.bad(found.span, message, "use an even number of folds from 4 on, such as 10 halvings of 10x10cv")
    elif (found.count or 0) < 1:
        problems.bad(found.span, "0 repetitions make no scheme", f"use from 1 to {MOST_PARTITIONS:,}")
    else:
        return True
    return False


def _shape(card: SchemeEntry, count: int | None, folds: int | None) -> tuple[int, int]:
    """(partitions, folds in each)"""
    if card.in_time:
        return 1, count or 1
    if card.five_by_two:
        return card.replications, 2
    if card.dealt:
        return card.replications * (count or 1), folds or 10
    return count or 1, 1


def _text(made: Scheme, amount: str) -> str:
    """The scheme as the language writes it."""
    said = {True: "stratified ", False: "unstratified ", None: ""}[made.stratified]
    before = ("grouped " if made.grouped else "") + said
    after = f", gap {made.gap} row{'s' * (made.gap != 1)}" if made.gap else ""
    form = made.card.written.format(
        partitions=made.partitions,
        groups=made.groups,
        folds=made.folds,
        rows=made.rows,
        part=amount,
        looks=made.looks,
        halvings=made.halvings,
    )
    return before + form + after
