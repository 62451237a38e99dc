"""The scripts in a document: an .eval file, blocks of Markdown, cells of notebooks, strings in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..findings.embedded import cell_script, extract, has_magic
from ..language import nodes
from ..language.files import ENDINGS
from ..language.parser import parse
from ..language.text import SourceText
from ..plans.learners import implicit_learner
from ..plans.names import PassedValue


@dataclass(frozen=True, slots=True)
class EmbeddedScript:
    """A script and where its characters stand in the document; `places` is empty when they stand where they are.

    `begin` and `end` are the offsets in the document that belong to it.
    """

    source: SourceText
    places: tuple[int, ...] = ()
    passed: tuple[PassedValue, ...] = ()
    begin: int = 0
    end: int = -1

    @property
    def quoted(self) -> bool:
        """Whether it stands in a string of another language, where not everything can be written as it is."""
        return bool(self.places)

    def outward(self, offset: int) -> int:
        """Return the offset in the document of an offset in the script."""
        if not self.places:
            return offset
        return self.places[min(max(offset, 0), len(self.places) - 1)]

    def inward(self, offset: int) -> int | None:
        """Return the offset in the script of an offset in the document; None when it lies outside."""
        if not self.places:
            return offset if self.begin <= offset and (self.end < 0 or offset <= self.end) else None
        if not self.places[0] <= offset <= self.places[-1]:
            return None
        # The last of equal places: what stands before the string in the script stands nowhere in the document.
        return max(index for index, place in enumerate(self.places) if place <= offset)


_VERBS = ("compare", "lint", "plan", "run", "parse")
_LITERAL = re.compile(
    r"""#[^\n]*|(?P<prefix>[A-Za-z]{0,2})(?P<quote>'''|\"\"\"|'|")(?P<body>(?:\\.|.)*?)(?P=quote)""", re.DOTALL
)
_LETTER = re.compile(r"\\(?:\r\n|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[0-7]{1,3}|.)|.", re.DOTALL)
# What ev.compare puts before the line it is given.
_BEFORE = "set seed 0\ncompare "


def python_scripts(path: str, text: str) -> Iterator[EmbeddedScript]:
    """Yield every string of a Python file that is a script; nothing while the file cannot be parsed."""
    if "evalang" not in text:
        return
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    modules, verbs = _imported(tree)
    for node in ast.walk(tree):
        verb = _verb(node, modules, verbs)
        if verb is None or not isinstance(node, ast.Call) or not node.args:
            continue
        given = node.args[0]
        if not isinstance(given, ast.Constant) or not isinstance(given.value, str):
            continue
        begin = _offset(text, starts, given.lineno, given.col_offset)
        end = _offset(text, starts, given.end_lineno or given.lineno, given.end_col_offset or 0)
        places = _places(text, begin, end, given.value)
        if places is None or (verb != "compare" and _is_path(given.value)):
            continue
        yield _script(path, given.value, places, verb, node)


def _script(path: str, value: str, places: list[int], verb: str, call: ast.Call) -> EmbeddedScript:
    missing = verb == "compare" and not re.match(r"\s*compare\s", value)
    before = (_BEFORE if missing else "set seed 0\n") if verb == "compare" else ""
    source = SourceText(path, before + value)
    first = places[0]
    keywords = [(one.arg.replace("_", "-"), one.value) for one in call.keywords if one.arg]
    passed = tuple(_passed(source, dict(keywords)))
    return EmbeddedScript(source, tuple([first] * len(before) + places), passed)


def _passed(source: SourceText, given: dict[str, ast.expr]) -> Iterator[PassedValue]:
    """Yield what the call hands over, as far as the script tells what it is taken for."""
    learners: set[str] = set()
    data: set[str] = set()
    defined: set[str] = set()
    for statement in parse(source)[0].statements:
        if isinstance(statement, nodes.CompareStatement):
            learners.update(name.text for name in statement.learners if isinstance(name, nodes.Name))
            data.update(name.text for name in statement.datasets)
        elif isinstance(statement, nodes.LearnerStatement):
            defined.add(statement.name.text)
    # Learners that are neither passed nor known can only be those of a table of scores.
    known = defined | given.keys()
    foreign = bool(learners) and not any(name in known or implicit_learner(name) for name in learners)
    for name, value in given.items():
        if name in learners:
            yield PassedValue(name=name, kind="learner")
        elif name in data and foreign:
            yield PassedValue(name=name, kind="results")
        elif name in data and isinstance(value, ast.Dict):
            members = tuple(str(key.value) for key in value.keys if isinstance(key, ast.Constant))
            yield from (PassedValue(name=member, kind="dataset") for member in members)
            yield PassedValue(name=name, kind="suite", members=members)
        elif name in data:
            yield PassedValue(name=name, kind="dataset")


def _imported(tree: ast.Module) -> tuple[set[str], dict[str, str]]:
    """Return names of the module (`ev`), and names of its verbs (`from evalang import compare as c`)."""
    modules: set[str] = set()
    verbs: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.asname or alias.name for alias in node.names if alias.name == "evalang")
        elif isinstance(node, ast.ImportFrom) and node.module == "evalang" and not node.level:
            verbs.update((alias.asname or alias.name, alias.name) for alias in node.names if alias.name in _VERBS)
    return modules, verbs


def _verb(node: ast.AST, modules: set[str], verbs: dict[str, str]) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    called = node.func
    if isinstance(called, ast.Name):
        return verbs.get(called.id)
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in modules:
        return called.attr if called.attr in _VERBS else None
    return None


def _is_path(value: str) -> bool:
    return "\n" not in value and value.strip().endswith(ENDINGS)


def _offset(text: str, starts: list[int], line: int, column: int) -> int:
    """Return the offset of a place in Python code; Python counts columns in bytes of UTF-8."""
    start = starts[line - 1]
    if text.isascii():
        return start + column
    return start + len(text[start : starts[line]].encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))


def _places(text: str, begin: int, end: int, value: str) -> list[int] | None:
    """Return where each character of a string stands in the file; None when that cannot be told."""
    places: list[int] = []
    said: list[str] = []
    stop = end
    for literal in _LITERAL.finditer(text, begin, end):  # several may stand side by side
        if literal["quote"] is None:
            continue
        raw = "r" in literal["prefix"].lower()
        stop = literal.end("body")
        for one in _LETTER.finditer(text, literal.start("body"), stop):
            escaped = one[0][0] == "\\"
            letters = ast.literal_eval(f'"""{one[0]}"""') if escaped and not raw else one[0]
            said.append(letters)
            places += range(one.start(), one.end()) if raw else [one.start()] * len(letters)
    return [*places, stop] if "".join(said) == value else None


_HEAD = 4096  # characters looked at
_LONE_RETURN = re.compile("\r(?!\n)")


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A text with its address; `path` is its place on the disk, "" for a text that has none."""

    uri: str
    path: str
    text: str
    language: str = "evalang"
    version: int | None = None


def scripts(document: DocumentText) -> tuple[EmbeddedScript, ...]:
    """Return the scripts of a document, in order."""
    text = document.text
    # As when a file is read: a byte-order mark means nothing, a lone return ends a line; no character moves.
    plain = _LONE_RETURN.sub("\n", text) if "\r" in text else text
    if plain.startswith("PK\x03\x04") or "\0" in plain[:_HEAD]:
        return ()  # a log of Inspect AI has the same ending and is a ZIP archive
    path = document.path or document.uri
    if document.language == "markdown" or path.endswith((".md", ".markdown")):
        return tuple(_blocks(path, plain))
    if document.language == "python":
        if has_magic(plain):
            return (EmbeddedScript(cell_script(path, plain)),)
        return tuple(python_scripts(path, plain))
    if document.language in ("evalang", "eval") or path.endswith(ENDINGS):
        return (EmbeddedScript(cell_script(path, plain) if has_magic(plain) else SourceText(path, plain)),)
    return ()


def _blocks(path: str, text: str) -> Iterator[EmbeddedScript]:
    """Yield the script blocks of a Markdown page, each from its fence to its end, with everything around it blank."""
    for source in extract(SourceText(path if path.endswith(".md") else path + ".md", text)):
        inside = source.text
        begin = len(inside) - len(inside.lstrip())
        line = text.rfind("\n", 0, begin) + 1
        yield EmbeddedScript(SourceText(path, inside), begin=line, end=len(inside))
