"""`evalang explain`: print the page of a rule or the card of a test, metric, scheme, learner or word."""

from __future__ import annotations

import sys

import click

from ..catalogue.cards import card, explain_term, names
from ..errors import ScriptError
from ..findings.page import page
from ..findings.rules import RULES
from ..language.nearest import nearest
from ..language.text import for_terminal


def known() -> list[str]:
    """Everything that can be explained."""
    words = [name for _, entries in names() for name, _ in entries]
    return [*words, *(word for rule in RULES for word in (rule.code, rule.name))]


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [word for word in known() if word.startswith(incomplete)]


@click.command("explain")
@click.argument("words", nargs=-1, shell_complete=_complete)
@click.option("--all", "everything", is_flag=True, help="List everything that can be explained.")
def explain_command(words: tuple[str, ...], everything: bool) -> int:
    """Explain a rule, a test, a metric, a correction, a scheme, a learner or a word.

    What it is, when to use it, when not, and where it comes from.

    \b
    evalang explain EV501         a finding, and what to do about it
    evalang explain corrected-t   a statistical test
    evalang explain tune on       a word of the language
    evalang explain peeking       a common term, and what evalang calls it
    evalang explain --all         everything there is
    """
    if everything or not words:
        sys.stdout.write(_everything())
        return 0
    word = " ".join(words)
    found = page(word) or explain_term(word) or card(word) or card(_dashed(word))
    if found is None:
        near = nearest(word, known())
        hint = f"did you mean {near}?" if near else "evalang explain --all lists everything"
        raise ScriptError(f"there is nothing to explain about {word}", hint=hint)
    sys.stdout.write(for_terminal(_plain(found), lines=True))
    return 0


def _dashed(word: str) -> str:
    return word.lower().replace("_", "-").replace(" ", "-")


def _plain(text: str) -> str:
    """Markdown read well enough on a terminal: only the stars go."""
    return text.replace("**", "")


def _everything() -> str:
    lines = ["rules"]
    lines += [f"  {rule.code}  {rule.level:8}{rule.name}" for rule in RULES]
    for section, entries in names():
        lines += ["", section]
        lines += [f"  {name:24}{title}" for name, title in entries]
    return "\n".join(lines) + "\n"
