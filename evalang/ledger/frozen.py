"""A frozen design: what it holds, the short code that stands for it, and how a later one deviates."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..plans.canonical import fingerprint
from ..plans.model import Plan
from .chain import Event
from .past import changes, design_of


@dataclass(frozen=True, slots=True)
class Deviation:
    """Something that is not as it was frozen."""

    what: str
    was: str
    now: str
    reason: str = ""  # the author's, from `allow EV802 because`


def frozen_facts(study: str, plan: Plan, data: Mapping[str, str], versions: Mapping[str, str]) -> dict[str, Any]:
    """What `freeze` puts into the ledger."""
    return {
        "study": study,
        "plan": fingerprint(plan),
        "designs": {c.name: design_of(plan, c) for c in plan.comparisons},
        "claims": [claim.text for claim in plan.claims],
        "data": dict(data),
        "versions": dict(versions),
    }


def code_of(event: Event) -> str:
    """Twenty letters and digits that stand for the line and, through its hash, for all lines before it.

    >>> code_of(Event("frozen", "", {}, (), "00" * 16))
    'EV-AAAAA-AAAAA-AAAAA-AAAAA'
    """
    text = base64.b32encode(bytes.fromhex(event.hash)).decode()[:20]
    return "-".join(["EV", *(text[i : i + 5] for i in range(0, 20, 5))])


def find_frozen(events: Iterable[Event], code: str) -> Event | None:
    """The frozen design that a code stands for; small letters and blanks around it do not matter."""
    wanted = code.strip().upper()
    return next((one for one in events if one.kind == "frozen" and code_of(one) == wanted), None)


def deviations(was: Mapping[str, Any], now: Mapping[str, Any], plan: Plan) -> Iterator[Deviation]:
    """Every difference between two frozen facts, with the reason that the script gives for it."""
    everywhere = next((a.reason for a in plan.allow if a.code == "EV802"), "")
    reasons = {
        c.name: next((a.reason for a in c.allow if a.code == "EV802"), everywhere) for c in plan.comparisons
    }  # fmt: skip
    for name in dict.fromkeys((*was["designs"], *now["designs"])):
        reason = reasons.get(name, everywhere)
        if name not in now["designs"] or name not in was["designs"]:
            there = name in now["designs"]
            yield Deviation(name, "nothing" if there else "there", "there" if there else "nothing", reason)
            continue
        for clause, before, after in changes(was["designs"][name], now["designs"][name]):
            yield Deviation(f"{name}: {clause}", before, after, reason)
    for kind, word in (("data", "the rows of"), ("versions", "the version of")):
        for name, before, after in changes(was.get(kind, {}), now.get(kind, {})):
            yield Deviation(f"{word} {name}", before[:16], after[:16], everywhere)
    for text in [one for one in was.get("claims", ()) if one not in now["claims"]]:
        yield Deviation("a claim", text, "nothing", everywhere)
    for text in [one for one in now["claims"] if one not in was.get("claims", ())]:
        yield Deviation("a claim", "nothing", text, everywhere)
