"""Colours for Pygments (Sphinx, Jupyter, Markdown); imported by it alone, through its entry point."""

from __future__ import annotations

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from .colours import COLOURS

TOKENS = {
    "comment": Comment.Single,
    "text": String.Double,
    "statement": Keyword.Declaration,
    "parameter": Name.Attribute,
    "clause": Keyword,
    "constant": Keyword.Constant,
    "word": Keyword.Pseudo,
    "code": Name.Label,
    "name": Name,
    "scheme": Name.Builtin,
    "number": Number,
    "operator": Operator,
    "sign": Punctuation,
}


class EvalangLexer(RegexLexer):
    """The evalang language: statement words, clause words, names, text, numbers and comments."""

    name = "evalang"
    aliases = ("evalang", "eval-script")
    filenames = ("*.evalang", "*.eval")
    mimetypes = ("text/x-evalang",)
    url = ""

    tokens = {  # noqa: RUF012
        "root": [(r"\s+", Whitespace), *((pattern, TOKENS[kind]) for kind, pattern in COLOURS)]
    }
