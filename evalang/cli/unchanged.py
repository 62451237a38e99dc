"""Whether the result in a run folder is up to date, as make asks: the same files, versions, options and ledger.

Then `evalang run` shows it again and loads no numpy. What is not known here takes the ordinary way: own code,
databases, folders, suites, guarded holdouts, failed fits, runs that printed a note, and `--verify`, `--fresh`,
`--keep-failures`, `--scheduler` and `--export`.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..api import COSTS, RESULT, load_result
from ..catalogue.estimators import BOOSTERS
from ..catalogue.sources import find_reader
from ..codec import from_json, is_record, to_json
from ..errors import EvalangError
from ..language.files import read_plain
from ..language.text import Finding, SourceText
from ..ledger.chain import append, read_events
from ..plans.model import Source

if TYPE_CHECKING:
    from ..ledger.history import Project
    from ..plans.build import Built
    from ..results.run_result import RunResult

FILE = "inputs.json"
_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "statsmodels", "joblib", "threadpoolctl", *BOOSTERS)
_EVALANG = Path(__file__).resolve().parents[1]


class Inputs:
    """What the result of a run depends on; made before the run reads anything."""

    def __init__(self, source: SourceText, folder: Path, options: dict[str, Any], project: Project | None) -> None:
        self._source, self._folder, self._project = source, folder, project
        self._now = {
            "options": {name: str(value) for name, value in options.items()},
            "versions": {name: _version(name) for name in _PACKAGES} | {"python": sys.version},
            "evalang": _hash(repr(sorted(_own_files())).encode()),
            "ledger": "" if project is None else _ledger_hash(project),
        }
        self._files: dict[str, str] | None = None
        self.findings: list[Finding] = []
        self.is_simple = True  # nothing happened that the next run would have to repeat

    def stored_result(self) -> tuple[RunResult, tuple[Finding, ...]] | None:
        """Return the result that is up to date, as a run of now, and the findings to print; None if there is none."""
        try:
            kept = json.loads(read_plain(self._folder / FILE))
            if kept["now"] != self._now or kept["result"] != self._result_marks():
                return None
            if self._source.path not in kept["files"] or kept["files"] != _hashes(kept["files"]):
                return None
            self._files = kept["files"]
            findings = from_json(tuple[Finding, ...], kept["findings"])
            found = load_result(self._folder)
            started = [] if self._project is None else append(*_start_of(self._project))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, EvalangError):
            return None
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        head = started[-1].hash if started else found.head
        reused = found.trials + found.reused
        return replace(found, started=now, finished=now, trials=0, reused=reused, head=head), findings

    def note_plan(self, built: Built) -> None:
        """Hash the files of the script and its data, before they are read."""
        plan = built.plan
        own_code = any(step.kind in ("code", "python") for x in plan.learners for step in x.steps)
        if own_code or plan.suites or any(c.guarded for c in plan.comparisons):
            return
        paths, root = list(built.sources), os.path.dirname(self._source.path)
        for source in _sources(plan):
            reader = find_reader(source.kind)
            if source.kind in ("builtin", "synthetic"):
                continue
            if reader is None or not reader.is_path or reader.is_scores:
                return
            paths.append(os.path.join(root, source.locator))
        if all(map(os.path.isfile, paths)):
            self._files = _hashes(paths)

    def write(self, result: RunResult) -> None:
        """Keep the inputs beside the result that was just written; where something is unknown, keep none."""
        path = self._folder / FILE
        if self._files is None or not self.is_simple or result.failures:
            path.unlink(missing_ok=True)
            return
        from ..trials.files import write_whole

        kept = {"now": self._now, "files": self._files, "findings": to_json(tuple(self.findings))}
        write_whole(path, json.dumps(kept | {"result": self._result_marks()}), durable=False)

    def _result_marks(self) -> dict[str, object]:
        written = [name for name in (RESULT, COSTS) if (self._folder / name).is_file()]
        hashes = {name: _hash((self._folder / name).read_bytes()) for name in written}
        return hashes | {path.name: list(_mark(path)) for path in self._folder.glob("trials.sqlite")}


def _start_of(project: Project) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    return project.folder, [("started", {"study": project.study})]


def _sources(value: Any) -> Iterator[Source]:
    """Yield every source of data in a plan."""
    if isinstance(value, Source):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _sources(item)
    elif is_record(value):
        for name in value.__slots__:
            yield from _sources(getattr(value, name))


def _ledger_hash(project: Project) -> str:
    """Return a hash of what a run is judged by: every event but the starts of runs."""
    events = [(one.kind, one.at, one.facts) for one in read_events(project.folder) if one.kind != "started"]
    return _hash(json.dumps(events, sort_keys=True).encode())


def _own_files() -> Iterator[tuple[str, int, int]]:
    for folder, _, names in os.walk(_EVALANG):
        for name in names:
            if not name.endswith(".pyc"):
                yield name, *_mark(Path(folder, name))


def _mark(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _hashes(paths: Iterable[str | Path]) -> dict[str, str]:
    """Return the hash of each file."""
    return {str(path): _hash(Path(path).read_bytes()) for path in paths}


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()
