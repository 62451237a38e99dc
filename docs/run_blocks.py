"""Runs what the pages show: every script, command and Python block, in order, in a folder of the page's own.

    python docs/run_blocks.py docs/index.md ...     writes the real output into the pages named

What a fence may be:

- `eval`: linted as a script; nothing at warning or above unless `<!-- expect: EV101 -->` stands before it.
  It lies in the folder as `script.eval`, or under the name of `<!-- file: study.eval -->`.
- `eval,bad`: the same, and `expect` is a must.
- `eval-fragment`: statements out of their script; they have to parse.
- `console`: lines that begin with `$ evalang` are run, and what follows them is what comes out.
- `text` after `<!-- output: lint -->` (plan, run, ...): that command on the last script, and what comes out.
- `python`: executed; with `>>>` its shown output is checked. `X` and `y` are there.
- anything after `<!-- file: NAME -->` is written to that file.

`<!-- part: Verdicts; Claim -->` shows only the paragraphs that begin so, `<!-- lines: wrote -->` only such lines.
`<!-- python` ... `-->` is run and not shown.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
GENERATED = ("rules", "tests", "metrics", "studies", "schema", "_build")  # not told here what they show
# The versions the shown scores were made with; with others the words are compared and the digits are not.
MADE_WITH = {"scikit-learn": "1.9", "numpy": "2.4"}
GAP = "…"

_FENCE = re.compile(r"^(`{3,})(.*)$")
_COMMENT = re.compile(r"^<!-- (\w+): (.*) -->$")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\b\d+\.\d+\.\d+\b")
_DIGITS = re.compile(r"[-+]?\d[\d.,e-]*")


@dataclass(frozen=True, kw_only=True)
class Fence:
    """A fenced block with the comments before it; lines count from 0, `start` is the first inside."""

    info: str
    start: int
    end: int
    text: str
    notes: dict[str, str]


def pages() -> list[Path]:
    """README and every page that is written by hand."""
    found = [p for p in sorted(DOCS.rglob("*.md")) if p.relative_to(DOCS).parts[0] not in GENERATED]
    return [DOCS.parent / "README.md", *found]


def fences(text: str) -> Iterator[Fence]:
    """The fenced blocks of a page, in order; a hidden `<!-- python` comment counts as one."""
    lines = text.split("\n")
    notes: dict[str, str] = {}
    i = 0
    while i < len(lines):
        note, fence = _COMMENT.match(lines[i]), _FENCE.match(lines[i])
        if lines[i] == "<!-- python":
            end = lines.index("-->", i)
            yield Fence(info="python", start=i + 1, end=end, text="\n".join(lines[i + 1 : end]) + "\n", notes={})
            i = end
        elif note:
            notes[note[1]] = note[2]
        elif fence:
            end = next(k for k in range(i + 1, len(lines)) if lines[k] == fence[1])
            inside = "\n".join(lines[i + 1 : end]) + "\n"
            yield Fence(info=fence[2].strip(), start=i + 1, end=end, text=inside, notes=notes)
            notes, i = {}, end
        elif lines[i].strip():
            notes = {}
        i += 1


class Page:
    """One page being run: its folder, its names, what it should show and what is wrong with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script = "script.eval"
        self.problems: list[str] = []
        self.names: dict[str, Any] = _prelude()

    def block(self, fence: Fence) -> list[str] | None:
        """Run one block; the lines it should hold where that can be told."""
        kind = fence.info
        if "file" in fence.notes and not kind.startswith("eval"):
            self._write(fence.notes["file"], fence.text)
        if kind in ("eval", "eval,bad"):
            self._lint(fence)
        elif kind == "eval-fragment":
            self._parse(fence)
        elif kind == "python":
            self._python(fence)
        elif kind == "console":
            return list(self._console(fence))
        elif "output" in fence.notes:
            command, *rest = shlex.split(fence.notes["output"])
            return self._shown([command, self.script, *rest], fence)
        return None

    def _lint(self, fence: Fence) -> None:
        from evalang import lint

        self.script = fence.notes.get("file", "script.eval")
        self._write(self.script, fence.text)
        expected = set(re.findall(r"EV\d{3}", fence.notes.get("expect", "")))
        if "bad" in fence.info and not expected:
            self._wrong(fence, "a bad script has to say what it shows: <!-- expect: EV501 -->")
        findings = lint(Path(self.script)).findings
        loud = {f.code for f in findings if f.level != "note"}
        missing, more = expected - {f.code for f in findings}, loud - expected
        if missing or more:
            said = "; ".join(f"{f.code} {f.message}" for f in findings if f.code in more)
            self._wrong(fence, f"expected {sorted(expected)}, missing {sorted(missing)}, besides {said or 'none'}")

    def _parse(self, fence: Fence) -> None:
        from evalang.language.parser import parse
        from evalang.language.text import SourceText

        for finding in parse(SourceText("fragment", fence.text))[1]:
            self._wrong(fence, finding.message)

    def _python(self, fence: Fence) -> None:
        if ">>> " in fence.text:
            test = doctest.DocTestParser().get_doctest(fence.text, self.names, "page", None, fence.start)
            said = io.StringIO()
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            if runner.run(test, out=said.write, clear_globs=False).failed:
                self._wrong(fence, said.getvalue())
            self.names.update(test.globs)
            return
        try:
            exec(compile(fence.text, f"<block at line {fence.start}>", "exec"), self.names)  # noqa: S102
        except Exception as error:
            self._wrong(fence, f"{type(error).__name__}: {error}")

    def _console(self, fence: Fence) -> Iterator[str]:
        command: list[str] | None = None
        for line in fence.text.rstrip("\n").split("\n"):
            if line.startswith("$ "):
                yield line
                command = shlex.split(line[2:], comments=True)
                if command[0] == "evalang":
                    yield from self._shown(command[1:], fence)
            elif command is None or command[0] != "evalang":
                yield line

    def _shown(self, command: list[str], fence: Fence) -> list[str]:
        output = evalang(command)
        found = _part(output, fence.notes)
        if not found:
            self._wrong(fence, f"nothing of the output begins as asked for; it is\n{output}")
        return found

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def _wrong(self, fence: Fence, message: str) -> None:
        self.problems.append(f"line {fence.start}: {message}")


def evalang(arguments: list[str]) -> str:
    """What a command writes to the terminal, both streams in order."""
    from evalang.cli.main import run

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        run(arguments)
    return said.getvalue()


def _part(output: str, notes: dict[str, str]) -> list[str]:
    """The output as lines; of several paragraphs only those that begin as wanted, a gap where something is left out."""
    text = output.strip("\n")
    wanted = notes.get("part") or notes.get("lines")
    if wanted is None:
        return [line.rstrip() for line in text.split("\n")]
    starts = tuple(word.strip().replace("\\n", "\n") for word in wanted.split(";"))
    if "lines" in notes:
        return [line.rstrip() for line in text.split("\n") if line.lstrip().startswith(starts)]
    kept: list[str] = []
    for paragraph in re.split(r"\n\n+", text):
        if paragraph.startswith(starts):
            kept += [*([""] if kept else []), *(line.rstrip() for line in paragraph.split("\n"))]
        elif kept and kept[-1] != GAP:
            kept += ["", GAP]
    return kept[:-2] if kept[-1:] == [GAP] else kept


def same(shown: str, real: str) -> bool:
    """Whether the page shows what came out, times and versions aside."""
    if shown == real:
        return True
    shown, real = _TIME.sub("0", shown), _TIME.sub("0", real)
    if all(version(package).startswith(f"{made}.") for package, made in MADE_WITH.items()):
        return shown == real
    return _DIGITS.sub("0", shown).split() == _DIGITS.sub("0", real).split()


def check(page: Path) -> list[str]:
    """What is wrong with a page: nothing, if it may be published."""
    return _run(page)[1]


def refresh(page: Path) -> list[str]:
    """Write what really comes out into a page; what is wrong besides."""
    text, problems = _run(page)
    if text != page.read_text(encoding="utf-8"):
        page.write_text(text, encoding="utf-8")
        print(f"{page} rewritten")
    return [p for p in problems if "does not show" not in p]


def _run(page: Path) -> tuple[str, list[str]]:
    text = page.read_text(encoding="utf-8")
    lines = text.split("\n")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), _plain_terminal():
        running = Page(Path(folder))
        made = [(fence, running.block(fence)) for fence in fences(text)]
    for fence, real in reversed(made):
        if real is None or same(fence.text.rstrip("\n"), "\n".join(real)):
            continue
        shown = "\n".join(real)
        running.problems.append(f"line {fence.start}: the page does not show what comes out, which is\n{shown}")
        lines[fence.start : fence.end] = real
    return "\n".join(lines), running.problems


@contextlib.contextmanager
def _plain_terminal() -> Iterator[None]:
    before = dict(os.environ)
    os.environ |= {"COLUMNS": "100", "NO_COLOR": "1"}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ |= before


def _prelude() -> dict[str, Any]:
    """Names that every Python block may use."""
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return {"__name__": "__page__", "X": X, "y": y}


def main(arguments: list[str]) -> int:
    """Refresh the pages named, or all of them."""
    worst = 0
    for page in [Path(a).resolve() for a in arguments] or pages():
        for problem in refresh(page):
            print(f"{page}: {problem}")
            worst = 1
    return worst


if __name__ == "__main__":
    sys.path.insert(0, str(DOCS.parent))
    sys.exit(main(sys.argv[1:]))
