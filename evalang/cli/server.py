"""`evalang server`: start the language server for an editor."""

from __future__ import annotations

import click

from ..errors import ScriptError


@click.command("server")
@click.option(
    "--pages",
    default="",
    metavar="ADDRESS",
    help="Address of the rules' pages, with {page} or {code} in it; findings link to them.",
)
@click.option("--stdio", is_flag=True, hidden=True, help="The only way it speaks; editors like to say so.")
def server_command(pages: str, stdio: bool) -> int:
    """Serve an editor: findings while you write, repairs, hover, completion, hints, rename, formatting.

    It speaks the language server protocol over standard input and output; your editor starts it. Nothing of the
    script is run unless you ask for it there, and no data is opened but the first line of a CSV file.

    \b
    pip install "evalang[editor]"   what it needs
    evalang server                  what the editor starts
    """
    try:
        import pygls  # noqa: F401
    except ImportError as error:
        raise ScriptError("the language server needs pygls", hint='pip install "evalang[editor]"') from error
    from ..editor.server import serve

    serve(pages)
    return 0
