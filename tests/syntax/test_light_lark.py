"""Reading a script costs no more of Lark than it needs, and leaves Lark whole for everybody else."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "numpy",
    "scipy",
    "pandas",
    "sklearn",
    "statsmodels",
    "matplotlib",
    "click",
    "rich",
    "jinja2",
    "dataclasses_json",
)


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_only_the_parser_is_loaded() -> None:
    out = run(
        "import sys; from evalang.source.text import Source; from evalang.syntax.parser import parse\n"
        "script, findings = parse(Source('x', 'compare a vs b on d using 10cv'))\n"
        "assert len(script.statements) == 1 and not findings\n"
        "print(*sys.modules)"
    ).split()
    assert "lark.parsers.lalr_parser" in out
    for module in ("lark.load_grammar", "lark.parsers.earley", "pickle", *HEAVY):
        assert module not in out
    assert "evalang.syntax.mistakes" not in out


def test_lark_is_whole_afterwards() -> None:
    code = (
        "import evalang.syntax.parser, lark\n"
        "assert lark.Lark('start: \"a\"', parser='lalr').parse('a').data == 'start'\n"
        "assert lark.Token is lark.lexer.Token and lark.__version__\n"
        "from lark import Transformer, v_args\n"
        "import lark.parsers.earley\n"
        "assert lark.parsers.earley.Parser\n"
        "from evalang.syntax.light_lark import UnexpectedToken\n"
        "assert UnexpectedToken is lark.UnexpectedToken\n"
        "print('whole')"
    )
    assert run(code) == "whole\n"


def test_lark_loaded_before() -> None:
    code = (
        "import lark, evalang.syntax.light_lark as light\n"
        "assert light.UnexpectedToken is lark.UnexpectedToken\n"
        "print(type(lark).__name__)"
    )
    assert run(code) == "module\n"
