"""What the package is made with: bounded, pinned, licensed and listed, as metadata tell it without a network."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ASKED = {
    name: [Requirement(text) for text in texts]
    for name, texts in (
        ("", PROJECT["project"]["dependencies"]),
        ("build-system", PROJECT["build-system"]["requires"]),
        *PROJECT["project"]["optional-dependencies"].items(),
    )
}
USERS = ("parquet", "logs", "excel", "boosting", "sql", "editor", "cluster", "notebook", "sphinx")


def supply() -> Any:
    spec = spec_from_file_location("supply", ROOT / ".ci" / "supply.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pins() -> dict[str, str]:
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


@pytest.mark.parametrize("extra", ASKED)
def test_every_dependency_has_a_lower_bound(extra: str) -> None:
    for one in ASKED[extra]:
        bounded = any(part.operator in (">=", "~=", "==") for part in one.specifier)
        assert bounded or canonicalize_name(one.name) == "evalang", f"{one} has no lower bound"


@pytest.mark.parametrize("extra", [name for name in ASKED if name != "benchmark"])
def test_every_dependency_is_pinned_within_its_bounds(extra: str) -> None:
    found = pins()
    for one in ASKED[extra]:
        name = canonicalize_name(one.name)
        assert name == "evalang" or one.specifier.contains(found[name]), f"{one} is pinned to {found[name]}"


def test_pins_are_of_one_version_each_and_in_order() -> None:
    found = pins()
    assert list(found) == sorted(found)
    for name, version in found.items():
        assert canonicalize_name(name) == name
        assert SpecifierSet(f"=={version}").contains(version)


def test_every_pin_agrees_with_what_the_others_ask_for() -> None:
    """What a resolver would find out, found out offline from the metadata of what is installed here."""
    found, module = pins(), supply()
    for name in module.closure(USERS):
        if distribution(name).version != found.get(name):  # installed by somebody who does not use the constraints
            continue
        for one in module.needed(name, ""):
            other = canonicalize_name(one.name)
            if other in found:
                assert one.specifier.contains(found[other], prereleases=True), f"{name} asks for {one}"


def test_every_licence_is_known() -> None:
    module = supply()
    unknown = [name for name in module.closure(USERS) if not module.licence(distribution(name))]
    assert not unknown


def test_the_bill_of_materials_is_whole() -> None:
    """By the command that the page on provenance gives; every part is named once and needed by another."""
    command = [sys.executable, str(ROOT / ".ci" / "supply.py"), "sbom", *USERS]
    bill = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    root = bill["metadata"]["component"]["bom-ref"]
    parts = {one["bom-ref"]: one for one in bill["components"]}
    assert len(parts) == len(bill["components"])
    needs = {one["ref"]: set(one["dependsOn"]) for one in bill["dependencies"]}
    assert needs.keys() == parts.keys() | {root}
    reached, todo = {root}, [root]
    while todo:
        todo += (further := needs[todo.pop()] - reached)
        reached |= further
    assert reached == needs.keys()
    asked = {canonicalize_name(one.name) for extra in ("", *USERS) for one in ASKED[extra]}
    assert asked <= {one["name"] for one in parts.values()}
    for one in parts.values():
        assert one["version"] == distribution(one["name"]).version
        assert all(entry.get("expression") or entry["license"]["name"] for entry in one["licenses"])


def test_the_checks_install_by_the_constraints() -> None:
    assert 'PIP_CONSTRAINT="$PWD/.ci/constraints.txt"' in (ROOT / ".ci" / "run").read_text("utf-8")
