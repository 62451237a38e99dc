"""The package as people install it: editable, as a wheel, and as a wheel built from the sdist; each reads a script."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = "compare decision-tree vs naive-bayes on breast-cancer using 5x2cv, seed 1\n"
PROBE = """
import sys
from pathlib import Path
import evalang
from evalang.language.grammar import build_parser, grammar_path
tree = evalang.parse(sys.argv[1])
build_parser()  # Lark can make a parser of the grammar that was found
print(len(tree.statements), Path(evalang.__file__).resolve().parent, grammar_path(), sep="\\n")
"""


def python(*arguments: str, cwd: Path, path: tuple[Path, ...] = ()) -> str:
    """A fresh interpreter that sees the given folders and nothing of the checkout."""
    known = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_"))}
    if path:
        known["PYTHONPATH"] = os.pathsep.join(map(str, path))
    found = subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, env=known)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def build(kind: str, source: Path, out: Path) -> Path:
    """Hatchling itself, as `pip` and `build` call it; nothing is fetched."""
    program = f"import hatchling.build as b; print(b.build_{kind}({str(out)!r}))"
    name = python("-c", program, cwd=source).strip().splitlines()[-1]
    return out / name


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


def unpacked(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def check(folder: Path, *path: Path) -> tuple[Path, Path]:
    """Parse a script with what stands on the path; where the package and the grammar were found."""
    count, package, grammar = python("-c", PROBE, SCRIPT, cwd=folder, path=path).splitlines()
    assert count == "1"
    (folder / "x.eval").write_text(SCRIPT)
    python("-m", "evalang", "lint", "x.eval", cwd=folder, path=path)
    return Path(package), Path(grammar)


def test_the_wheel_stands_alone(wheel: Path, tmp_path: Path) -> None:
    site = unpacked(wheel, tmp_path / "site")
    package, grammar = check(tmp_path, site)
    assert package == site / "evalang"
    assert grammar == site / "evalang" / "grammar" / "evalang.lark"


@pytest.mark.slow
def test_a_wheel_from_the_sdist_is_the_same(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = build("wheel", source, tmp_path)
    package, grammar = check(tmp_path, unpacked(again, tmp_path / "site"))
    assert grammar.is_relative_to(package)
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())


def test_the_wheel_holds_what_it_needs_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        entry = archive.read(next(n for n in names if n.endswith("entry_points.txt"))).decode()
    for needed in (
        "evalang/py.typed",
        "evalang/grammar/evalang.lark",
        "evalang/catalogue/boosters.json",
        "evalang/catalogue/estimators.json",
    ):
        assert needed in names
    for file in (ROOT / "evalang").rglob("*"):
        if file.is_file() and file.suffix not in (".pyc", ".pyo") and "__pycache__" not in file.parts:
            assert file.relative_to(ROOT).as_posix() in names
    assert not [n for n in names if n.startswith(("tests/", "docs/")) or n.endswith(".pyc")]
    assert "evalang = evalang.__main__:main" in entry


def test_the_sdist_carries_its_tests_and_documents(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {n.split("/", 1)[1] for n in archive.getnames() if "/" in n}
    for needed in (
        "pyproject.toml",
        "LICENSE",
        "grammar/evalang.lark",
        "docs/quickstart.eval",
        "tests/test_wheel.py",
        "evalang/__init__.py",
    ):
        assert needed in names


def test_every_dependency_has_a_lower_bound_that_its_pin_meets() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    extras = {name: texts for name, texts in project["optional-dependencies"].items() if name != "benchmark"}
    for text in (*project["dependencies"], *(text for texts in extras.values() for text in texts)):
        requirement = Requirement(text)
        if requirement.name != "evalang":
            assert any(part.operator == ">=" for part in requirement.specifier), f"{text} has no lower bound"
            assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), text
