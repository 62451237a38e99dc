"""The commands, each imported only when it is called, and the exit codes of all of them."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from .. import __version__
from ..errors import EvalangError
from ..source.escape import for_terminal

# name -> (module, one line for --help); the module has a click command named `command`
COMMANDS: tuple[tuple[str, str], ...] = (
    ("new", "Write a commented starter script that runs."),
    ("lint", "Judge the design of experiments before anything runs."),
    ("fmt", "Format scripts; comments stay."),
    ("plan", "Show what a script would do, at which level, and what it costs."),
    ("run", "Lint, run the trials, test them, and say what may be claimed."),
    ("report", "Write the report of a finished run."),
    ("render", "Fill the eval blocks of a Markdown document."),
    ("explain", "Explain a rule, test, metric, scheme, learner or word."),
    ("test", "Compute one statistical test on numbers or on a file."),
)
INTERNAL, INTERRUPTED, UNREADABLE = 3, 130, 2


class Lazy(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, _ in COMMANDS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in dict(COMMANDS):
            return None
        found: click.Command = import_module(f".{name}", __package__).command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in dict(COMMANDS) and not args[0].startswith("-"):
            from ..source.nearest import nearest

            near = nearest(args[0], [name for name, _ in COMMANDS])
            offer = f"; did you mean {near}?" if near else ""
            ctx.fail(f"there is no command {for_terminal(args[0])}{offer}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]}, epilog="Shell completion: eval \"$(_EVALANG_COMPLETE=bash_source evalang)\" (or zsh_source, fish_source).")
@click.version_option(__version__, prog_name="evalang")
def group() -> None:
    """Compare learning algorithms honestly.

    A script says what is compared, on which data, and how it is judged:

        compare tree vs naive-bayes on breast-cancer using 5x2cv

    evalang reads it, finds the pitfalls of the design before anything runs, runs it, and says what may be claimed.
    Start with `evalang new`, then `evalang run`.
    """


def run(arguments: list[str]) -> int:
    """The exit code of a command line: 0 done, 1 refused or not supported, 2 unreadable, 3 our fault, 130 interrupted."""
    try:
        found = group.main(args=arguments, prog_name="evalang", standalone_mode=False)
        return int(found) if isinstance(found, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.Abort:
        return INTERRUPTED
    except KeyboardInterrupt:
        print("evalang: interrupted", file=sys.stderr)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return UNREADABLE
    except EvalangError as error:
        complain(error)
        return error.exit_code
    except BrokenPipeError:  # the reader of our output has gone: nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("EVALANG_DEBUG"):
            raise
        words = for_terminal(f"{type(error).__name__}: {error}")[:500]
        print(f"evalang: our own fault: {words} (EVALANG_DEBUG=1 shows where; please report it)", file=sys.stderr)
        return INTERNAL


def complain(error: EvalangError) -> None:
    """An error on stderr: one sentence with its place, one with what to do."""
    place = f"{error.span.path}:{error.position.line}:{error.position.column}: " if error.position and error.span.path else ""
    print(for_terminal(f"evalang: {place}{error.message}"), file=sys.stderr)
    if error.hint:
        print(for_terminal(f"  help: {error.hint}"), file=sys.stderr)
