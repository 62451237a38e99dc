"""Nobody compares kinds of scheme: what holds for a kind is asked of its card, its numbers of plans/parts.py."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import evalang
from evalang.catalogue.schemes import SCHEMES

from .trees import parsed

PACKAGE = Path(evalang.__file__).parent
KINDS = frozenset(card.kind for card in SCHEMES if card.trains)  # results and predictions also are kinds of data
HOME = (
    "catalogue",  # the cards, and which kinds a test fits
    "language",  # the words of the language
    "plans/parts.py",
    "trials/divide.py",  # how each kind deals its rows
)
OTHER_MEANINGS = frozenset(
    {  # (word, what it is compared with)
        ("cv", "where"),  # where tuning is judged
        ("cv", "pair"),  # a parameter of scikit-learn's meta-estimators
        ("bootstrap", "name"),  # the test of that name
        ("bootstrap", "test"),
        ("resamples", "evidence"),  # a setting and a shape of simulations
        ("resamples", "along"),
        ("resamples", "word"),
        ("resamples", "grown"),
    }
)


def _last(node: ast.AST) -> str:
    """`where` of comparison.tuning.where, `grown` of grown[0]."""
    if isinstance(node, ast.Subscript):
        return _last(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _words(node: ast.AST) -> list[str]:
    """Strings written in an operand, alone or in a list."""
    inside = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return [one.value for one in inside if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _is_kind(node: ast.AST) -> bool:
    """Whether it is the kind of a scheme or case."""
    return isinstance(node, ast.Attribute) and node.attr == "kind" and _last(node.value) in ("scheme", "case", "card")


def compared(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, word) where a kind is compared, or several of them are kept in a list or table to compare with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            part_of_a_name = isinstance(node.left, ast.Constant) and isinstance(node.ops[0], ast.In)
            operands = [*([] if part_of_a_name else [node.left]), *node.comparators]
            names = [_last(one) for one in operands]
            for word in [word for one in operands for word in _words(one)]:
                meant = any((word, name) in OTHER_MEANINGS for name in names)
                if any(_is_kind(one) for one in operands) or (word in KINDS and not meant):
                    yield node.lineno, word
        elif isinstance(node, ast.MatchValue) and (found := KINDS.intersection(_words(node.value))):
            yield node.lineno, next(iter(found))
        elif isinstance(node, ast.Dict | ast.Tuple | ast.List | ast.Set):
            listed = node.keys if isinstance(node, ast.Dict) else node.elts
            kinds = [word for one in listed if one is not None for word in _words(one) if word in KINDS]
            if len(kinds) > 1:
                yield node.lineno, kinds[0]


def test_no_module_compares_kinds_of_scheme() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE).as_posix()
        if not where.startswith(HOME):
            tree = parsed(path.read_text(encoding="utf-8"))
            found += [f"{where}:{line} compares with {word!r}" for line, word in sorted(compared(tree))]
    assert found == []


def test_a_comparison_is_seen() -> None:
    wrong = (
        'scheme.kind == "cv"',
        'kind in ("holdout", "given-test")',
        'case.kind not in ("results",)',
        'FOLDS = ("cv", "repeated-cv")',
        'BASE = {"5x2cv": "5x2cv-t", "cv": "kfold-t"}',
        'match kind:\n    case "forward":\n        pass',
    )
    assert all(list(compared(ast.parse(text))) for text in wrong)
    right = (
        'tuning.where == "cv"',
        '"5x2cv" in test',
        'card.name == "bootstrap"',
        "scheme.kind in card.schemes",
        'on.kind == "results"',
    )
    assert not any(list(compared(ast.parse(text))) for text in right)
