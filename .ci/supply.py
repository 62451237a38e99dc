"""What the package is made with, from the metadata of what is installed here: nothing is fetched.

    python .ci/supply.py constraints > .ci/constraints.txt      one version of everything that the checks install
    python .ci/supply.py sbom parquet sql > evalang.cdx.json     a bill of materials of evalang with these extras

Both depend on nothing but the installed versions, so that two machines with the same versions print the same bytes.
"""

from __future__ import annotations

import json
import sys
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
CHECKED = ("lint", "test")  # the extras that .ci/run installs
_LONGEST = 60  # characters of a licence's name; some packages put the whole text there


def closure(extras: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Everything that evalang with these extras needs on this machine, each with what it needs itself."""
    found: dict[str, set[str]] = {}
    seen: set[tuple[str, str]] = set()
    todo = [("evalang", extra) for extra in ("", *extras)]
    while todo:
        name, extra = todo.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        needs = found.setdefault(name, set())
        for one in needed(name, extra):
            other = canonicalize_name(one.name)
            todo += [(other, wanted) for wanted in ("", *one.extras)]
            needs |= {other} - {name}
    return {name: tuple(sorted(found[name])) for name in sorted(found)}


def needed(name: str, extra: str) -> list[Requirement]:
    """What a package asks for with an extra ("" for none), as far as it concerns this Python and this system."""
    if name == "evalang":  # as it stands here, which the metadata of an older installation may not know
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        every = [
            Requirement(text) for text in (project["optional-dependencies"] | {"": project["dependencies"]})[extra]
        ]
    else:
        every = [Requirement(text) for text in distribution(name).requires or ()]
    return [one for one in every if one.marker is None or one.marker.evaluate({"extra": extra})]


def licence(package: Distribution) -> str:
    """Its licence in one line, "" when its metadata do not say."""
    said = package.metadata
    stated = (said.get("License-Expression") or said.get("License") or "").strip()
    if stated and "\n" not in stated and len(stated) <= _LONGEST and stated.upper() != "UNKNOWN":
        return stated
    classes = [text.rpartition(" :: ")[2] for text in said.get_all("Classifier") or () if text.startswith("License ::")]
    return ", ".join(classes) or (stated.splitlines()[0].strip() if stated else "")


def constraints() -> str:
    """Lines for `pip install -c`."""
    pins = [f"{name}=={distribution(name).version}" for name in closure(CHECKED) if name != "evalang"]
    return "\n".join(["# Made by `python .ci/supply.py constraints`; docs/provenance.md says when.", *pins, ""])


def bill(extras: tuple[str, ...]) -> dict[str, Any]:
    """A CycloneDX document. No time and no serial number: they would make two equal bills differ."""
    needs = closure(extras)
    components = {name: _component(name) for name in needs}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": components["evalang"] | {"type": "application"}},
        "components": [one for name, one in components.items() if name != "evalang"],
        "dependencies": [
            {"ref": components[name]["bom-ref"], "dependsOn": [components[other]["bom-ref"] for other in others]}
            for name, others in needs.items()
        ],
    }


def _component(name: str) -> dict[str, Any]:
    package = distribution(name)
    address = f"pkg:pypi/{name}@{package.version}"
    stated = package.metadata.get("License-Expression")
    licences = [{"expression": stated}] if stated else [{"license": {"name": licence(package)}}]
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": package.version,
        "purl": address,
        "licenses": licences,
    }


def main(arguments: list[str]) -> int:
    match arguments:
        case ["constraints"]:
            print(constraints(), end="")
        case ["sbom", *extras]:
            print(json.dumps(bill(tuple(extras)), indent=2))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
