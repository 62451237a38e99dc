"""A Markdown document with `eval` blocks and inline values, filled in place between markers, again and again.

The blocks of a document are one script, so that one defines what another compares. After a block that compares, its
verdicts stand between two comments; an inline `eval: NAME` in single backticks becomes its value between two comments.
`eval: FILE.csv: ROW: COLUMN` and `eval: table FILE.csv` quote a file that lies beside the document.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import EvalangError, ScriptError
from ..language.text import Position, SourceText, Span, nearest
from ..results import numbers
from ..results.run_result import RunResult
from .assemble import claim_blocks
from .comparison import embedded
from .document import Block, Details, Figure, ReportTable, with_own_keys
from .escape import markdown, markdown_prose
from .markdown import fragment
from .values import value
from .view import views

Run = Callable[[str], RunResult]
Draw = Callable[[str, str], str]  # the key of a picture and its SVG -> where the document finds it
BEGIN = "<!-- evalang: begin -->"
END = "<!-- evalang: end -->"
WORDS = ("alone", "quiet", "tables", "words", "figures")  # after ```eval

_FENCE = re.compile(r" {0,3}(?P<ticks>`{3,}|~{3,})[ \t]*(?P<info>[^`]*?)[ \t]*\r?\Z")
# A line that begins with a comment is no text to CommonMark: a value there gets a word joiner, unseen, before it.
JOINER = "&#8288;"
_FILLED = re.compile(rf"(?:{JOINER})?<!-- eval: (?P<name>[^\n]*?) -->.*?<!-- /eval -->", re.DOTALL)
_LINE_START = re.compile(r"(?:[ \t]|[-*+>](?=[ \t])|[0-9]{1,9}[.)](?=[ \t]))*")
_TICKS = re.compile(r"`+")
_STOPS = tuple(".,;:!?")  # typed behind a sentence: its own stop gives way


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A stretch of lines: prose, code of another language, or an eval block with the output that follows it."""

    kind: str  # "prose", "code", "eval", "output"
    start: int  # of lines, from 0
    end: int
    info: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _BlockRun:
    """A script made of blocks, and its result."""

    script: str
    result: RunResult


def render(text: str, run: Run, read_file: ReadFile | None = None, draw: Draw | None = None) -> str:
    """Return the document with everything filled in; `run` runs the script, whose line numbers are the document's.

    `read_file` returns the text of a file by its path from the document; `draw` stores a picture and returns its link.
    """
    lines = text.split("\n")
    parts = _parts(lines)
    blocks = [p for p in parts if p.kind == "eval"]
    runs = _run_blocks(lines, blocks, run)
    out: list[str] = []
    taken: set[str] = set()
    for part in parts:
        if part.kind == "output":
            continue
        if part.kind == "prose":
            prose = "\n".join(lines[part.start : part.end])
            out += _fill(prose, runs, part.start, read_file).split("\n") if part.end > part.start else []
            continue
        out += lines[part.start : part.end]
        if part.kind == "eval":
            out += _output(with_own_keys(_blocks(part, runs[part.start]), taken), draw)
    done = "\n".join(out)
    return re.sub(r"(?<!\r)\n", "\r\n", done) if "\r\n" in text else done


def has_blocks(text: str) -> bool:
    """Return whether a document holds something to fill in."""
    return re.search(r"(?m)^ {0,3}(`{3,}|~{3,})[ \t]*(eval\b|\{eval\})|`eval:|`\{eval\} |<!-- eval:", text) is not None


def _parts(lines: list[str]) -> list[_Part]:
    parts: list[_Part] = []
    start = i = 0
    after_eval = False
    while i < len(lines):
        if lines[i].strip() == BEGIN:
            if not after_eval or any(line.strip() for line in lines[start:i]):
                what, how = "This marker does not follow an eval block.", "remove it and the output that follows it"
                raise _problem(what, i, how)
            end = next((k for k in range(i, len(lines)) if lines[k].strip() == END), None)
            if end is None:
                raise _problem("The output that begins here has no end marker.", i, f"write {END} after it")
            parts.append(_Part(kind="output", start=start, end=end + 1))
            start = i = end + 1
            after_eval = False
            continue
        fence = _FENCE.match(lines[i])
        if fence is None:
            i += 1
            continue
        end = _closing(lines, i, fence["ticks"])
        info = tuple(fence["info"].split())
        ours = info[:1] in (("eval",), ("{eval}",))  # the second as Quarto writes languages
        if start < i:
            parts.append(_Part(kind="prose", start=start, end=i))
        parts.append(_Part(kind="eval" if ours else "code", start=i, end=end, info=_words(info[1:], i) if ours else ()))
        start = i = end
        after_eval = ours
    if start < len(lines):
        parts.append(_Part(kind="prose", start=start, end=len(lines)))
    return parts


def _closing(lines: list[str], opening: int, ticks: str) -> int:
    """Return the line behind the closing fence; as in CommonMark, an open fence runs to the end of the document."""
    closing = re.compile(rf" {{0,3}}{re.escape(ticks[0])}{{{len(ticks)},}}[ \t]*\r?\Z")
    return next((k + 1 for k in range(opening + 1, len(lines)) if closing.match(lines[k])), len(lines))


def _words(info: tuple[str, ...], line: int) -> tuple[str, ...]:
    for word in info:
        if word not in WORDS:
            raise _problem(f"{word} is not an option of an eval block.", line, f"one of {', '.join(WORDS)}")
    return info


def _problem(message: str, line: int, hint: str) -> ScriptError:
    return ScriptError(message, hint=hint, position=Position(line + 1, 1))


def _run_blocks(lines: list[str], blocks: list[_Part], run: Run) -> dict[int, _BlockRun]:
    """Return the result of each block, by its first line: one for all, and one for each that stands `alone`."""
    together = [b for b in blocks if "alone" not in b.info]
    groups = ([together] if together else []) + [[b] for b in blocks if "alone" in b.info]
    runs: dict[int, _BlockRun] = {}
    for group in groups:
        script = _script(lines, group)
        found = _BlockRun(script=script, result=run(script))
        runs |= {b.start: found for b in group}
    return runs


def _script(lines: list[str], blocks: list[_Part]) -> str:
    """Return the blocks' lines in their places, every other line empty: a message about line 40 means line 40."""
    kept = {k for b in blocks for k in range(b.start + 1, b.end - 1)}
    return "\n".join(line.rstrip("\r") if k in kept else "" for k, line in enumerate(lines))


def _blocks(part: _Part, run: _BlockRun) -> tuple[Block, ...]:
    """Return the output of a block: all, or the tables, words and figures that its info string asks for."""
    if "quiet" in part.info:
        return ()
    result, source = run.result, SourceText("", run.script)
    included = {path for path, _ in result.sources[1:]}

    def inside(span: Span) -> bool:
        return span.path not in included and part.start < source.position(span.start).line - 1 < part.end

    plan = result.plan
    names = {c.name for c in plan.comparisons if inside(c.span)}
    claims = {c.name for c in plan.claims if inside(c.span)}
    blocks: list[Block] = [b for v in views(result) if v.name in names for b in embedded(v).blocks]
    blocks += claim_blocks(result, claims)
    return tuple(b for b in blocks if _wanted(b, part.info))


def _output(blocks: tuple[Block, ...], draw: Draw | None) -> list[str]:
    links = {}
    if draw is not None:
        from .figures.picture import svg_file

        links = {b.key: draw(b.key, svg_file(b)) for b in blocks if isinstance(b, Figure)}
    text = fragment(blocks, pictures=links).rstrip("\n")
    return ["", BEGIN, "", *text.split("\n"), "", END] if text else []


def _wanted(block: Block, info: tuple[str, ...]) -> bool:
    if not {"tables", "words", "figures"} & set(info):
        return True
    kind = "tables" if isinstance(block, ReportTable) else "figures" if isinstance(block, Figure) else "words"
    return kind in info and not isinstance(block, Details)


def _fill(prose: str, runs: dict[int, _BlockRun], first: int, read_file: ReadFile | None) -> str:
    """Fill inline values: `eval: NAME` in single backticks, or what an earlier rendering left in its place."""
    # What is filled already goes back to how it was written, so that there is one way to fill it.
    written = _FILLED.sub(lambda m: f"`eval: {m['name']}`", prose)
    out: list[str] = []
    place = 0
    while (opening := _TICKS.search(written, place)) is not None:
        ticks = opening[0]
        closing = next((m for m in _TICKS.finditer(written, opening.end()) if m[0] == ticks), None)
        out.append(written[place : opening.start()])
        if closing is None:
            out.append(ticks)
            place = opening.end()
            continue
        inner = written[opening.end() : closing.start()]
        span = written[opening.start() : closing.end()]
        if ticks == "`" and inner.startswith(("eval: ", "{eval} ")):
            line = first + written.count("\n", 0, opening.start())
            span = _value(inner.partition(" ")[2].strip(), runs, line, read_file)
            before = written[written.rfind("\n", 0, opening.start()) + 1 : opening.start()]
            after = written[closing.end() :].partition("\n")[0]
            if "\n" in span and (before.strip() or after.strip()):
                raise _problem("A table cannot be inside a line of text.", line, "write it on its own line")
            if after[:1] in _STOPS and "\n" not in span:
                span = re.sub(r"\.(?=<!-- /eval -->\Z)", "", span)
            if _LINE_START.fullmatch(before) and "\n" not in span:
                span = JOINER + span
        out.append(span)
        place = closing.end()
    return "".join([*out, written[place:]])


def _value(name: str, runs: dict[int, _BlockRun], line: int, read_file: ReadFile | None) -> str:
    try:
        shown = quoted(name, read_file)
        shown = _found(name, runs) if shown is None else shown
    except EvalangError as problem:
        raise ScriptError(problem.message, hint=problem.hint, position=Position(line + 1, 1)) from None
    return f"<!-- eval: {name} -->{shown}<!-- /eval -->"


def _found(name: str, runs: dict[int, _BlockRun]) -> str:
    """Return the value in the first script that has it: the document's own, then the blocks that stand alone."""
    problem: EvalangError | None = None
    if "-->" not in name:
        for one in {found.script: found.result for found in runs.values()}.values():
            try:
                return markdown_prose(value(one, name))
            except EvalangError as reason:
                problem = problem or reason
    raise problem or ScriptError(f"This document has no eval block for {name}.", hint="add one")


ReadFile = Callable[[str], str]  # the text of a file by its path from the document

MOST_ROWS = 1_000
_CELL = re.compile(r"(?P<file>[^:]+\.csv): (?P<row>.+): (?P<column>.+)")
_TABLE = re.compile(r"table (?P<file>[^:]+\.csv)")
_FILE = re.compile(r"[^:]+\.csv(?::|\Z)")
_NUMBER = re.compile(r"[-+−]?[0-9.,]*[0-9][0-9.,]*%?[*†‡]?")


def quoted(address: str, read_file: ReadFile | None) -> str | None:
    """Return the cell or the table in Markdown, or None when the address asks for something else.

    >>> quoted("paper.csv: tree: error", lambda name: "learner,error\\ntree,0.12\\n")
    '0.12'
    """
    cell, table = _CELL.fullmatch(address), _TABLE.fullmatch(address)
    if cell is None and table is None and _FILE.match(address):
        hint = "write `eval: FILE.csv: ROW: COLUMN` for a cell, `eval: table FILE.csv` for all of it"
        raise ScriptError(f"{address} names a file, but no cell or table in it.", hint=hint)
    if cell is None and table is None:
        return None
    asked = cell or table
    assert asked is not None
    name = asked["file"].strip()
    if read_file is None:
        what = f"{address} names a file, but this document is not in a folder."
        raise ScriptError(what, hint="save the document first")
    rows = _rows(name, read_file(name))
    return _grid(rows) if cell is None else markdown(_cell(name, rows, cell["row"].strip(), cell["column"].strip()))


def _rows(name: str, text: str) -> list[list[str]]:
    try:
        read = csv.reader(io.StringIO(text), strict=True)
        rows = [[" ".join(cell.split()) for cell in row] for row in read if row]
    except csv.Error as reason:
        raise ScriptError(f"{name} is not a table: {reason}.", hint="write it as CSV with a header line") from None
    if len(rows) < 2:
        raise ScriptError(f"{name} has no rows after its header line.", hint="write it as CSV with a header line")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise ScriptError(f"Row {number} of {name} has {len(row)} cells, but its header line has {len(rows[0])}.")
    return rows


def _cell(name: str, rows: list[list[str]], row: str, column: str) -> str:
    heads = rows[0]
    if heads.count(column) != 1:
        raise ScriptError(f"{name} has {heads.count(column)} columns {column}.", hint=_near(column, heads))
    found = [one for one in rows[1:] if one[0] == row]
    if len(found) != 1:
        raise ScriptError(f"{name} has {len(found)} rows {row}.", hint=_near(row, [one[0] for one in rows[1:]]))
    cell = found[0][heads.index(column)]
    if not cell:
        what = f"The cell in row {row} and column {column} of {name} is empty."
        raise ScriptError(what, hint="fill it in, or name a different cell")
    return cell


def _near(word: str, words: list[str]) -> str:
    near = nearest(word, words)
    return f"did you mean {near}?" if near is not None and near != word else f"it has {numbers.listing(words, most=8)}"


def _grid(rows: list[list[str]]) -> str:
    """Return a Markdown table; columns of numbers are aligned to the right."""
    heads, body = rows[0], rows[1 : MOST_ROWS + 1]
    right = [all(_NUMBER.fullmatch(row[place]) for row in body if row[place]) for place in range(len(heads))]
    shown = [[markdown(cell) or " " for cell in row] for row in (heads, *body)]
    shown.insert(1, ["---:" if one else "---" for one in right])
    cut = [f"\nThe first {MOST_ROWS:,} of {len(rows) - 1:,} rows."] if len(rows) - 1 > MOST_ROWS else []
    return "\n" + "\n".join(["", *(f"| {' | '.join(row)} |" for row in shown), *cut, "", ""])
