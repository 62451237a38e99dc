"""What the ledger knows in which the bad examples of the pages of EV8 show their fault, and the good ones do not."""

from __future__ import annotations

from typing import Any

from evalang.language.text import SourceText
from evalang.ledger import LedgerHistory, Look
from evalang.ledger.designs import design_of
from evalang.plans.build import build

HEAD = 'dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"\n'
DUEL = "compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20"


def design(statement: str) -> dict[str, Any]:
    """The clauses of a statement, in words."""
    plan = build(SourceText("script.eval", HEAD + statement)).plan
    return design_of(plan, plan.comparisons[0])


def looked(statement: str, *, name: str = "duel", study: str = "earlier") -> LedgerHistory:
    """An earlier look at all rows of tumours."""
    look = Look("2026-03-01T10:00:00Z", study, name, design(statement), (("tumours", 1.0),))
    return LedgerHistory({"compare-1": (look,)}, study="script")


_FIVE = "compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20"
_BY_HAND = "learner old is decision-tree(max_depth = 9)\ncompare old vs naive-bayes on tumours using 5x2cv, seed 20"
_FROZEN = LedgerHistory({}, {"designs": {"compare-1": design(_FIVE)}, "claims": []})
PASTS: dict[str, LedgerHistory] = {
    "EV801": looked(_FIVE),
    "EV802": _FROZEN,
    "EV803": LedgerHistory({}, None, (("wines", "2026-03-01T10:00:00Z"),)),
    "EV804": looked(_BY_HAND),
    "EV805": looked(DUEL.replace("20", "1")),
    "EV806": looked(_FIVE, name="compare-1", study="script"),
    "EV807": looked(f"{DUEL}, measuring balanced-accuracy"),
    "EV808": looked(_FIVE.replace("naive-bayes", "naive-bayes vs random-forest") + ", holm over learners"),
}
# The good example of a page is linted with the same ledger, where it is one that the ledger does not forbid.
PASTS_OF_THE_GOOD: dict[str, LedgerHistory] = {"EV801": PASTS["EV801"], "EV802": _FROZEN, "EV803": LedgerHistory({})}
