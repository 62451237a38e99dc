"""The words of clauses, from their rows: which of them are reserved, and which comma ends a list."""

from __future__ import annotations

from .nodes import ROWS, STATEMENT_WORDS, STATEMENTS

# Never names, beside the statement words.
RESERVED = frozenset([*STATEMENT_WORDS, "vs", "on", "using", "by", "because", "from", "is", "over", "at", "measuring"])

_BEGINS = [form.partition(" ") for row in ROWS.values() if row.begins for form in row.begins.split(" | ")]
# Words that begin a clause after a comma whatever follows; `on` does so without being a clause.
CLAUSE_WORDS = frozenset([*(first for first, _, second in _BEGINS if not second), "on"])
# Words that do so only together with what follows, and may be names else.
CLAUSE_PAIRS: dict[str, tuple[str, ...]] = {}
for _first, _, _second in _BEGINS:
    if _second and _first != "0":
        CLAUSE_PAIRS[_first] = (*CLAUSE_PAIRS.get(_first, ()), _second)
IN_FULL = {row.begins.split()[0]: row.full for row in reversed(ROWS.values()) if row.full}


def clause_lists() -> str:
    """Return the rules of the grammar that say what each statement takes."""
    lines = []
    for statement in STATEMENTS.split():
        rules = [row.rule for row in ROWS.values() if statement in row.statements.split()]
        lines.append(f"_{statement}_clause: {' | '.join(rules)}")
    return "\n".join(lines)


BLANKS = " \\t\\f\\r\\n\\u00a0\\u3000"
SKIP = r"\s*+(?:#[^\r\n]*+\s*+)*+"  # white space and comments; compiles in a quarter of the time that BLANKS take
END = r"(?!\w|[.-]\w)"  # of a word


def clause_comma() -> str:
    """Return the pattern of a comma that ends a list: what follows it begins a clause.

    `weights = 3` and `weights in {1, 2}` are members of a list.
    """
    words = "|".join(sorted(CLAUSE_WORDS))
    parameter = rf"=|in{END}{SKIP}(?:[{{0-9-]|log{SKIP}\()"
    name = rf'"|[0-9]+x[0-9]+cv-\w|(?!(?:{"|".join(sorted(CLAUSE_WORDS | RESERVED))}){END})[^\W\d_]'
    second = {"0": "-?[0-9]", "NAME": name}
    forms = [rf"(?:{words}){END}(?!{SKIP}(?:{parameter}))"]
    for first, seconds in CLAUSE_PAIRS.items():
        following = "|".join(second.get(one) or one + (END if one.isalpha() else "") for one in seconds)
        forms.append(rf"{first}{END}{SKIP}(?:{following})")
    counted = "|".join(second for first, _, second in _BEGINS if first == "0")
    forms.append(rf"[0-9]+{SKIP}(?:{counted}){END}")
    return rf",(?={SKIP}(?:{'|'.join(forms)}))"
