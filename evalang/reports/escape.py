"""One escape function per output format; every name, message and path of the user passes through exactly one."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape as _html_escape
from itertools import groupby

from ..language.text import for_terminal

_NOT_XML = re.compile("[\ufffe\uffff]")


def visible(text: str) -> str:
    r"""Write out control, direction and zero-width characters, so that nothing steers a terminal or hides in a name.

    It is the escape function of plain text; the others build on it.

    >>> visible("a\x1b[2Jb\u202e")
    'a\\x1b[2Jb\\u202e'
    """
    if text.isascii() and text.isprintable():
        return text
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", for_terminal(text)).replace("\t", "\\t")


def lines(text: str) -> str:
    """Escape a block of code: line ends and tabs stay."""
    whole = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(visible(part) for part in line.split("\t")) for line in whole)


@lru_cache(maxsize=4096)  # the cells of large tables repeat
def html(text: str) -> str:
    """Escape for HTML text and attribute values in double quotes.

    >>> html('<b a="1">')
    '&lt;b a=&quot;1&quot;&gt;'
    """
    return _html_escape(visible(text), quote=True)


_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~$!]")
_MARKDOWN_START = re.compile(r"\A(\s*)([-+=#]|\d+(?=[.)]))")


def markdown(text: str) -> str:
    """Escape for Markdown text and table cells on GitHub: no markup, link, picture, formula or mention.

    >>> markdown("a|b_c [x](y)")
    'a\\\\|b\\\\_c \\\\[x\\\\](y)'
    """
    shown = _MARKDOWN.sub(lambda found: "\\" + found[0], visible(text).replace("&", "&amp;"))
    shown = re.sub(r"#(?=\d)", "&#35;", shown)  # GitHub reads #12 as a link to an issue, before entities have numbers
    shown = shown.replace("://", "&#58;//").replace("@", "&#64;")
    return re.sub(r"(?i)(www)\.", r"\1&#46;", shown)


_CODE = re.compile(r"`([^`|\\]+)`")


def markdown_prose(text: str) -> str:
    """Escape as `markdown`, but what stands in backticks is code.

    >>> markdown_prose("`a_b` is 1 ` 2")
    '`a_b` is 1 \\\\` 2'
    """
    parts = _CODE.split(visible(text))
    return "".join(f"`{part}`" if i % 2 else markdown(part) for i, part in enumerate(parts))


def markdown_line(text: str) -> str:
    """Escape as `markdown_prose`, at the start of a line: no list, heading or rule."""
    return _MARKDOWN_START.sub(lambda m: f"{m[1]}&#{ord(m[2][0])};{m[2][1:]}", markdown_prose(text))


def fence(text: str, language: str = "") -> str:
    """Return a fenced code block whose fence no line of the text can close."""
    shown = lines(text).rstrip("\n")
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{shown}\n{ticks}"


_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "^": r"\textasciicircum{}",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    # Behind \\ or \item a bracket or a star would be read as an option.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "–": "--",
    "—": "---",
    "…": r"\dots{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "†": r"\dag{}",
    "‡": r"\ddag{}",
    "¶": r"\P{}",
    "‘": "`",
    "’": "'",
    "−": "$-$",
}
_LATIN = frozenset(chr(c) for c in (*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x100)))


def latex(text: str) -> str:
    """Escape for LaTeX text: no command, comment, group or formula, and pdflatex knows every character.

    Letters beyond Latin go into `\\beyondlatin` (reports/latex.py): XeLaTeX prints them, pdflatex their numbers.

    >>> latex(r"a_b \\input{x} 5%")
    'a\\\\_b \\\\textbackslash{}input\\\\{x\\\\} 5\\\\%'
    """
    runs = groupby(visible(text), key=_script)
    made = "".join(_latex_run(kind, "".join(letters)) for kind, letters in runs).replace("--", "-{}-")
    # An address is wider than a column: it may be broken where a part of it ends.
    return re.sub(r"(?<=://)\S+", lambda found: found[0].replace("/", r"/\allowbreak{}"), made)


def latex_prose(text: str) -> str:
    """Escape as `latex`, but what stands in backticks gets single quotes.

    >>> latex_prose("`a_b` is better")
    "`a\\\\_b' is better"
    """
    return latex(re.sub(r"`([^`]+)`", "\u2018\\1\u2019", text))


def _script(character: str) -> int:
    """Return 0 for what every LaTeX prints, 1 for other western letters, 2 for East Asian ones."""
    if character in _LATEX or " " <= character <= "~" or character in _LATIN:
        return 0
    return 1 if character < "\u2e80" else 2


def _latex_run(kind: int, letters: str) -> str:
    if kind == 0:
        return "".join(_LATEX.get(c, c) for c in letters)
    # pdflatex stops at a character its fonts have no glyph for; its number is better than no document.
    numbers = "".join(rf"\texttt{{U+{ord(c):04X}}}" for c in letters)
    return rf"\beyondlatin{{{letters}}}{{{ord(letters[0]):04X}}}{{{numbers}}}"


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_cell(value: str | float | int | None) -> str | float | int:
    """Escape a cell of a CSV file: text that looks like a formula gets an apostrophe, numbers stay.

    >>> csv_cell("=1+1"), csv_cell(-1.5), csv_cell("-1"), csv_cell(None)
    ("'=1+1", -1.5, "'-1", '')
    """
    if not isinstance(value, str):
        return "" if value is None else value
    stripped = value.lstrip(" \u00a0\ufeff")
    guarded = "'" + value if value.startswith(_FORMULA) or stripped.startswith(_FORMULA) else value
    return visible(guarded)


def json_text(text: str) -> str:
    """Escape for JSON: half a surrogate pair is no character of any encoding and becomes U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
