"""Files: a script's bytes become its text or one sentence that says why not; other files are replaced whole or not at
all, or read without following links or waiting.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from collections.abc import Iterator

from ..errors import RunError, ScriptError
from .text import Position, SourceText, nearest

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_PLAIN = _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def replace_file(path: str, content: bytes) -> None:
    """Write a file whole or not at all; a link stays a link, and the file keeps its rights."""
    try:
        _replace(os.path.realpath(path), content)
    except OSError as error:
        what = f"{path} cannot be written: {error.strerror}"
        raise ScriptError(what, hint="check the folder and its permissions") from None


def _replace(target: str, content: bytes) -> None:
    """Write beside the file, flush to disk, then rename, so that a kill leaves the old file or the new one."""
    folder = os.path.dirname(target) or "."
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".evalang-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        old = os.path.isfile(target) and not os.path.islink(target)
        os.chmod(temporary, os.stat(target).st_mode & 0o777 if old else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
    if os.name != "nt":  # the rename itself reaches the disk with the folder
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def open_plain(path: str | os.PathLike[str], flags: int = os.O_RDONLY) -> int:
    """Open a file; OSError for a link, and for a pipe or a device, which would be waited for."""
    handle = os.open(path, flags | _PLAIN, 0o644)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a file (a pipe or a device)", os.fspath(path))
    return handle


def read_plain(path: str | os.PathLike[str]) -> bytes:
    """Return all of such a file."""
    with os.fdopen(open_plain(path), "rb") as file:
        return file.read()


def replace_below(root: str, name: str, content: bytes) -> None:
    """Put a file at `name` below `root`, whole or not at all; a link in its place goes, one on the way is refused."""
    folder, _, file = name.rpartition("/")
    place = os.path.join(make_below(root, folder), file)
    try:
        _replace(place, content)
    except OSError as error:
        raise _unwritable(place, error) from None


def make_below(root: str, name: str) -> str:
    """Make the folder `name` below `root` and return its path; RunError when a part of it is a link or a file."""
    place = root
    try:
        os.makedirs(root or ".", exist_ok=True)
        for part in filter(None, name.split("/")):
            place = os.path.join(place, part)
            if os.path.islink(place) or getattr(os.path, "isjunction", lambda _: False)(place):
                hint = "a link may lead anywhere; remove the link, or name the place with --out"
                raise RunError(f"{place} is a link", hint=hint)
            if os.path.lexists(place) and not os.path.isdir(place):
                raise RunError(f"{place} is a file, not a folder", hint="name another one with --out")
            os.makedirs(place, exist_ok=True)
    except OSError as error:
        raise _unwritable(place, error) from None
    return place


def _unwritable(path: str, error: OSError) -> RunError:
    reason = error.strerror or type(error).__name__
    what = f"{path} cannot be written: {reason[:1].lower()}{reason[1:]}"
    return RunError(what, hint="check its permissions, or name another folder with --out")


ENDINGS = (".eval", ".evalang")  # of a script
LARGEST = 1 << 20  # bytes of a script: some 15,000 statements, which lint within 300 MB; a person writes fewer
LARGEST_DOCUMENT = 64 << 20  # bytes of a document or notebook, which may hold pictures besides its scripts
_SAVE = "save it as UTF-8 text"
_MARKS = (
    *((b"\xff\xfe\x00\x00", "UTF-32"), (b"\x00\x00\xfe\xff", "UTF-32")),
    *((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16")),
)
_ZIP = b"PK\x03\x04"
# The JSON form of a log of Inspect begins with its version and status, and no script begins with a brace.
_JSON_LOG = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"version"\s*:\s*\d+\s*,\s*"(?:status|eval)"')
_TABLES = (".csv", ".tsv", ".parquet", ".feather", ".arff", ".xlsx")
_SKIPPED = {"node_modules", "__pycache__", "runs"}  # folders without scripts of the user's own
_HEAD = 200  # bytes that tell a log from a script
_LONE_RETURN = re.compile("\r(?!\n)")


def read_script(path: str | os.PathLike[str], *, most: int | None = None) -> SourceText:
    """Return the script in a file; ScriptError when it is missing, a folder, a device, too large, or no text."""
    most = LARGEST if most is None else most
    name = os.fspath(path)
    _refuse_twin(name)
    try:
        kind = os.stat(name)
        if stat.S_ISDIR(kind.st_mode):
            raise ScriptError(f"{name} is a folder, not a script", hint=_scripts_in(name))
        if not stat.S_ISREG(kind.st_mode):
            raise ScriptError(f"{name} is not a file on disk (a pipe or a device)", hint="use `-` for standard input")
        with open(name, "rb") as file:
            if is_log(file.peek(_HEAD)[:_HEAD]):
                raise _log(name)
            if name.lower().endswith(_TABLES):
                raise ScriptError(f"{name} is a table, not a script", hint=f"try evalang compare {name}")
            if kind.st_size > most:
                raise too_large(name, kind.st_size, most)
            data = file.read(most + 1)
    except FileNotFoundError:
        raise ScriptError(f"there is no file {name}", hint=_nearest_file(name)) from None
    except NotADirectoryError:
        raise ScriptError(f"there is no file {name}", hint="a part of its path is a file, not a folder") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ScriptError(f"{name!r} cannot be read: {reason[:1].lower()}{reason[1:]}") from None
    return decode(data, name, most=most)


def files_below(folder: str, endings: tuple[str, ...] = ENDINGS) -> Iterator[str]:
    """Yield the files below a folder with one of the endings, in order, without hidden folders and those of tools."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
        yield from (os.path.join(place, name) for name in sorted(files) if name.endswith(endings))


def is_log(head: bytes) -> bool:
    """Return whether a file begins like a log of Inspect (a zip file or JSON), whose name may end in `.eval` too."""
    return head.startswith(_ZIP) or _JSON_LOG.match(head) is not None


def is_log_file(path: str | os.PathLike[str]) -> bool:
    """Return whether a file begins like a log of Inspect; False where it cannot be opened."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as file:
            return is_log(file.read(_HEAD))
    except (OSError, ValueError):
        return False


def _log(name: str) -> ScriptError:
    base = os.path.basename(name)
    hint = f'compare logs by `evalang compare {base} OTHER`, or read them by `results logs from inspect "{base}"`'
    return ScriptError(f"{name} is a log of Inspect (or another archive), not a script", hint=hint)


def _refuse_twin(name: str) -> None:
    """Refuse `a.eval` beside `a.evalang`: the two would share a run folder."""
    stem, ending = os.path.splitext(name)
    other = {".eval": ".evalang", ".evalang": ".eval"}.get(ending)
    if other is None or not os.path.isfile(stem + other) or not os.path.isfile(name):
        return
    if not is_log_file(name) and not is_log_file(stem + other):
        what = f"{name} and {os.path.basename(stem)}{other} differ in their ending alone and would share a run folder"
        raise ScriptError(what, hint="rename one of them")


def decode(data: bytes, path: str, *, most: int | None = None) -> SourceText:
    """Return the script in some bytes: UTF-8, with or without a byte-order mark, with line ends of any system."""
    most = LARGEST if most is None else most
    if len(data) > most:
        raise too_large(path, len(data), most)
    for mark, name in _MARKS:
        if data.startswith(mark):
            raise ScriptError(f"{path} is written in {name}, not in UTF-8", hint=_SAVE)
    nul = data.find(b"\x00")
    if nul != -1:
        line = data.count(b"\n", 0, nul) + 1
        what = f"{path} is not a text file: it holds a NUL byte in line {line}"
        raise ScriptError(what, hint=_SAVE, position=Position(line, 1))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(data, path, error.start) from None
    if text.startswith("\ufeff"):
        text = text[1:]
    # Offsets stay what they are: one character for one.
    return SourceText(path, _LONE_RETURN.sub("\n", text) if "\r" in text else text)


def too_large(path: str, size: int, most: int) -> ScriptError:
    """Return the error for a script that is too large."""
    hint = "if this is a data file, name it in a `dataset` statement; if it is a script, split it"
    return ScriptError(f"{path} has {size:,} bytes or more, but evalang reads at most {most:,}", hint=hint)


def _not_utf8(data: bytes, path: str, at: int) -> ScriptError:
    line = data.count(b"\n", 0, at) + 1
    before = data[data.rfind(b"\n", 0, at) + 1 : at].decode("utf-8", "replace")
    return ScriptError(
        f"{path} is not UTF-8: byte {data[at]:#04x} in line {line}, column {len(before) + 1} begins no character",
        hint=f"{_SAVE}; it may be latin-1 or windows-1252 now",
        position=Position(line, len(before) + 1),
    )


def _nearest_file(name: str) -> str:
    folder, base = os.path.split(name)
    try:
        near = nearest(base, [entry for entry in os.listdir(folder or ".") if entry.endswith(ENDINGS)])
    except (OSError, ValueError):
        near = None
    return f"did you mean {os.path.join(folder, near)}?" if near else "check the path, relative to this folder"


def _scripts_in(folder: str) -> str:
    try:
        found = sorted(entry for entry in os.listdir(folder) if entry.endswith(ENDINGS))
    except OSError:
        found = []
    return f"name a file in it, such as {os.path.join(folder, found[0])}" if found else "name a file that ends in .eval"
