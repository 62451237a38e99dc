"""Each layer imports only earlier ones, also inside functions and for type checking."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import evalang

PACKAGE = Path(evalang.__file__).parent
LAYERS = (
    ("language", "errors", "codec"),
    ("catalogue",),
    ("plans",),
    ("results",),
    ("ledger",),
    ("data",),
    ("findings",),
    ("trials",),
    ("scores",),
    ("verdicts",),
    ("reports",),
    (
        "__init__",
        "__main__",
        "api",
        "cli",
        "pipeline",
        "settings",
        "editor",
        "notebook",
        "sphinx",
    ),
)
RANK = {name: place for place, names in enumerate(LAYERS) for name in names}


def modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py"))


def layer(path: Path) -> str:
    inside = path.relative_to(PACKAGE)
    return inside.parts[0] if len(inside.parts) > 1 else inside.stem


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and top-level module of the package for every import of our own."""
    depth = len(path.relative_to(PACKAGE).parts) - 1
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            up = depth - (node.level - 1)
            words = list(path.relative_to(PACKAGE).parts[:up]) + (node.module.split(".") if node.module else [])
            for target in [words[0]] if words else [alias.name for alias in node.names]:
                yield node.lineno, target
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "evalang":
            yield node.lineno, [*node.module.split("."), node.names[0].name][1]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "evalang":
                    yield node.lineno, [*alias.name.split("."), "__init__"][1]


def test_imports_point_to_earlier_layers() -> None:
    paths = modules()
    assert {layer(path) for path in paths} <= RANK.keys(), "a folder that has no place among the layers"
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {target} from {layer(path)}"
        for path in paths
        for line, target in imported(path)
        if target in RANK and target not in ("__version__", "__init__") and RANK[target] > RANK[layer(path)]
    ]
    assert not wrong
