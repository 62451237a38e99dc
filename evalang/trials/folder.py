"""The run folder: everything needed to repeat a run and to judge it, held by one run at a time."""

from __future__ import annotations

import json
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from ..errors import RunError
from ..source.held import make_below
from .crashpoint import crashpoint
from .environment import drift, environment
from .files import storage_error, write_whole
from .lock import FolderLock
from .options import RunOptions
from .store import Store

ENVIRONMENT = "environment.json"


class RunFolder:
    """A folder with its lock taken and its store open; `notes` is what the reader should know about it."""

    def __init__(self, options: RunOptions) -> None:
        self.notes: list[str] = []
        self.path = _made(options.folder, options.within)
        if options.folder is None:
            # The trials of a run without a folder live as long as somebody can ask for them.
            self.keeper = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        self._lock = FolderLock(self.path)
        try:
            if self._lock.taken_over:
                self.notes.append(self._lock.taken_over)
            self.store = Store(self.path, fresh=options.fresh)
            self.notes += self.store.notes
            self._write_facts(options)
        except BaseException:
            self._lock.release()
            raise

    def close(self) -> None:
        """Close the store and let the next run in."""
        self.store.close()
        self._lock.release()

    def _write_facts(self, options: RunOptions) -> None:
        for name, text in options.files.items():
            if not name or Path(name).name != name or name.startswith("."):
                raise RunError(f"{name!r} is no name for a file of a run folder")
            write_whole(self.path / name, text)
        now = self.environment = environment()
        before = _read(self.path / ENVIRONMENT)
        if before and not options.fresh:
            self.notes += drift(before, now)
        write_whole(self.path / ENVIRONMENT, json.dumps(now, indent=2, sort_keys=True) + "\n")


def _made(folder: Path | None, within: Path | None) -> Path:
    """The folder, there and writable: found out before any learner is trained."""
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="evalang-"))
    try:
        if within is not None:
            make_below(str(within), folder.relative_to(within).as_posix())
        folder.mkdir(parents=True, exist_ok=True)
        crashpoint("folder-made")
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"0")
    except FileExistsError:
        raise RunError(f"{folder} is a file, not a folder", hint="name another one with --out") from None
    except OSError as error:
        raise storage_error(error, folder) from None
    return folder


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
