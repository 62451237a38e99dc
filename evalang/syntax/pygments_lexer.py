"""Colours for Pygments (Sphinx, Jupyter, Markdown); imported by it alone, through its entry point."""

from __future__ import annotations

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from .lexer import CLAUSE_WORDS, STATEMENTS
from .tables import RESERVED, WORDS

_END = r"(?!\w|[.-]\w)"
_CLAUSES = sorted((RESERVED | CLAUSE_WORDS | {"datasets", "learners"}) - set(STATEMENTS))
_CONSTANTS = ("true", "false", "none")
_OTHERS = sorted(word for word in WORDS if word[0].isalpha() and word not in {*STATEMENTS, *_CLAUSES, *_CONSTANTS})


class EvalangLexer(RegexLexer):
    """The evalang language: statement words, clause words, names, text, numbers and comments."""

    name = "evalang"
    aliases = ("evalang", "eval-script")
    filenames = ("*.eval",)
    mimetypes = ("text/x-evalang",)
    url = ""

    tokens = {  # noqa: RUF012
        "root": [
            (r"\s+", Whitespace),
            (r"#[^\r\n]*", Comment.Single),
            (r'"(?:[^"\r\n]|"")*"', String.Double),
            (words(STATEMENTS, suffix=_END), Keyword.Declaration),
            (words(_CLAUSES, suffix=_END), Keyword),
            (words(_CONSTANTS, suffix=_END), Keyword.Constant),
            (words(_OTHERS, suffix=_END), Keyword.Pseudo),
            (r"EV[0-9]{3}" + _END, Name.Label),
            (r"[^\W\d_][\w]*(?:[.-]\w+)*(?=[ \t]*=)", Name.Attribute),
            (r"[^\W\d_][\w]*(?:[.-]\w+)*", Name),
            (r"[0-9]+x[0-9]+cv(?:-\w+)*|[0-9]+cv(?![\w-])", Name.Builtin),
            (r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?%?(?:/[0-9]+)?", Number),
            (r"\.\.|[|~/^=]", Operator),
            (r"[,(){}\[\]]", Punctuation),
        ]
    }
