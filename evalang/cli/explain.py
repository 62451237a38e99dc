"""`evalang explain`"""

from __future__ import annotations

import sys

import click

from ..catalogue.cards import card, names
from ..errors import ScriptError
from ..findings.page import page
from ..findings.rules import RULES
from ..source.nearest import nearest


@click.command("explain")
@click.argument("words", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="List everything that can be explained.")
def command(words: tuple[str, ...], everything: bool) -> int:
    """Explain a rule (EV501), a test (corrected-t), a metric, a correction, a scheme, a learner or a word.

    What it is, when to use it, when not, and where it comes from.
    """
    if everything or not words:
        sys.stdout.write(_everything())
        return 0
    word = " ".join(words)
    found = page(word) or card(word)
    if found is None:
        known = [name for _, entries in names() for name, _ in entries] + [w for rule in RULES for w in (rule.code, rule.name)]
        near = nearest(word, known)
        raise ScriptError(f"there is nothing to explain about {word}", hint=f"did you mean {near}?" if near else "evalang explain --all lists everything")
    sys.stdout.write(_plain(found))
    return 0


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
