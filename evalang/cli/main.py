"""The commands, each imported only when it is called, and the exit codes of all of them."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, TextIO, cast

import click

from .. import __version__
from ..errors import EvalangError, RunError
from ..language.text import for_terminal

_WRITTEN_OUT = "evalang-written-out"


def _written_out(error: UnicodeError) -> tuple[str, int]:
    """Write characters that the encoding lacks as \\uXXXX, as JSON does."""
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2)), error.end


class _GuardedStream:
    """A stream that ignores what cannot be written, or raises: a closed pipe as such, anything else as RunError."""

    def __init__(self, stream: TextIO, *, ignore: bool) -> None:
        self._stream, self._ignore = stream, ignore

    def write(self, text: str) -> int:
        self._call(self._stream.write, text)
        return len(text)

    def flush(self) -> None:
        self._call(self._stream.flush)

    def _call(self, method: Callable[..., object], *arguments: str) -> None:
        try:
            method(*arguments)
        except OSError as error:
            if self._ignore:
                return
            silence(sys.stdout)
            if isinstance(error, BrokenPipeError):
                raise
            reason = error.strerror or type(error).__name__
            hint = "finished fits are kept in the run folder"
            raise RunError(f"standard output cannot be written: {reason}", hint=hint) from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def protect_streams() -> Iterator[None]:
    """Replace stdout and stderr by streams that every command can write to while it runs."""
    _reserve_standard_descriptors()
    before = (sys.stdout, sys.stderr)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or stream.closed:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif hasattr(stream, "reconfigure") and stream.errors == "strict":
            codecs.register_error(_WRITTEN_OUT, _written_out)
            stream.reconfigure(errors=_WRITTEN_OUT)
    sys.stdout = cast(TextIO, _GuardedStream(sys.stdout, ignore=False))
    sys.stderr = cast(TextIO, _GuardedStream(sys.stderr, ignore=True))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _reserve_standard_descriptors() -> None:
    """Open /dev/null on closed descriptors 0 to 2, so that no later file gets one of these numbers."""
    with contextlib.suppress(OSError):
        while (number := os.open(os.devnull, os.O_RDWR)) < 3:
            os.set_inheritable(number, True)
        os.close(number)


def silence(stream: TextIO) -> None:
    """Discard what is still written to a stream, also by the interpreter when it ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


# name, module with the click command `NAME_command`, one line for --help
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("new", "scripts", "Write a commented starter script that runs."),
    ("lint", "lint", "Check the design of an experiment before anything is trained."),
    ("fmt", "scripts", "Format scripts and keep their comments."),
    ("plan", "plan", "Show the tests, levels, power and number of fits of a script."),
    ("run", "run", "Check, train and test, and report what you can claim."),
    ("compare", "compare", "Compare the models of a table or of logs, without a script."),
    ("gate", "gate", "Fail a build if the new version is worse than the old one."),
    ("report", "report", "Write the report of a finished run."),
    ("render", "report", "Run the eval blocks of a Markdown document."),
    ("explain", "scripts", "Explain a rule, test, metric, scheme, learner or term."),
    ("ledger", "ledger", "Show and check the tests made on each dataset."),
    ("freeze", "ledger", "Record a design in the ledger before the first fit."),
    ("verify", "ledger", "Check whether a design has changed since it was frozen."),
    ("draw", "ledger", "Draw datasets at random from a list."),
    ("server", "scripts", "Start the language server for an editor."),
    ("power", "power", "Compute how many items, rows, datasets or repeats you need."),
    ("test", "test", "Compute one statistical test on numbers or on a file."),
)
MODULES = {name: module for name, module, _ in COMMANDS}
NAMES = tuple(MODULES)
UNREADABLE, INTERNAL, INTERRUPTED = 2, 3, 130
EPILOG = """\b
Exit codes:
  0    done, no finding at error level
  1    a finding at error level, a contradicted claim, failed fits that leave a
       question without an answer, or a difference found by --check
  2    a file or the command line cannot be read
  3    internal error, please report
  4    run, gate: inconclusive (a claim is neither supported nor contradicted)
  130  interrupted

\b
Shell completion:
  bash   eval "$(_EVALANG_COMPLETE=bash_source evalang)"
  zsh    eval "$(_EVALANG_COMPLETE=zsh_source evalang)"
  fish   _EVALANG_COMPLETE=fish_source evalang | source
"""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(NAMES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in MODULES:
            return None
        found: click.Command = getattr(import_module(f".{MODULES[name]}", __package__), f"{name}_command")
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in NAMES and not args[0].startswith("-"):
            from ..language.text import nearest

            near = nearest(args[0], NAMES)
            offer = f"; did you mean {near}?" if near else ""
            ctx.fail(f"there is no command {for_terminal(args[0])}{offer}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, _, text in COMMANDS])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(__version__, prog_name="evalang")
def group() -> None:
    """Compare learning algorithms honestly.

    A script names the learning algorithms (learners), the data, and how to compare them:

        compare decision-tree vs naive-bayes on breast-cancer using 5x2cv

    evalang checks the design, runs the comparison, and says what you can claim.

    \b
    evalang new            write a commented starter script: study.eval
    evalang lint FILE      find mistakes in the design
    evalang plan FILE      show the test, its power and the number of fits
    evalang run FILE       run the script and report the result
    evalang explain EV501  explain a finding
    """


def run(arguments: list[str]) -> int:
    """Return the exit code of a command line: 0 done, 1 refused, 2 unreadable, 3 internal error, 130 interrupted."""
    with protect_streams():
        return _run(arguments)


def _run(arguments: list[str]) -> int:
    try:
        found = group.main(args=arguments, prog_name="evalang", standalone_mode=False)
        sys.stdout.flush()
        return int(found) if isinstance(found, int) else 0
    except BrokenPipeError:  # the reader has closed the pipe (`evalang … | head`)
        silence(sys.stdout)
        return 0
    except (click.Abort, KeyboardInterrupt):
        print("evalang: interrupted", file=sys.stderr)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        if isinstance(error, click.NoSuchOption):
            _name_commands_with(error.option_name)
        return UNREADABLE
    except EvalangError as error:
        print_error(error)
        return error.exit_code
    except Exception as error:
        if os.environ.get("EVALANG_DEBUG"):
            raise
        words = for_terminal(f"{type(error).__name__}: {error}")[:500]
        print(f"evalang: internal error: {words} (EVALANG_DEBUG=1 shows where; please report it)", file=sys.stderr)
        return INTERNAL


def _name_commands_with(option: str) -> None:
    """Print which commands have an option that another one was given."""
    context = click.Context(group)
    commands = [command for name in NAMES if (command := group.get_command(context, name)) is not None]
    known = [f"evalang {command.name}" for command in commands if any(option in p.opts for p in command.params)]
    if known:
        print(for_terminal(f"  help: {option} is an option of {' and '.join(known[:2])}"), file=sys.stderr)


def print_error(error: EvalangError) -> None:
    """Print an error on stderr: one sentence with its place, one with what to do."""
    known = error.position is not None and error.span.path
    place = f"{error.span.path}:{error.position.line}:{error.position.column}: " if known and error.position else ""
    print(for_terminal(f"evalang: {place}{error.message}"), file=sys.stderr)
    if error.hint:
        print(for_terminal(f"  help: {error.hint}"), file=sys.stderr)
