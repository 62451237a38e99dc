"""Every error a user can meet: one sentence, where it is, and what to do about it."""

from __future__ import annotations

from html import escape

from .language.text import NOWHERE, Finding, Position, Span


class EvalangError(Exception):
    """Base of all; `exit_code` follows the table of the language reference."""

    exit_code = 2

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        span: Span = NOWHERE,
        position: Position | None = None,
        findings: tuple[Finding, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.span = span
        self.position = position
        self.findings = findings

    def __str__(self) -> str:
        return "\n".join((self._sentence(), *(f"  {line}" for line in self._lines())))

    def _sentence(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message

    def _lines(self) -> list[str]:
        """Return the errors among the findings, a line each; one that is the sentence itself is not repeated."""
        shown = [f for f in self.findings if f.level == "error" and f.message != self.message]
        return [f"{f.code} {f.name}: {f.message}" + (f" ({f.help})" if f.help else "") for f in shown]

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows in place of a traceback, which would be about our code, not the script."""
        return self.two_lines()

    def two_lines(self) -> list[str]:
        """Return what is wrong and what to do, a line each; further errors of the script follow in the same way."""
        found = [(f"{f.code} {f.name}: {f.message}", f.help) for f in self.findings if f.level == "error"]
        found = found or [(f"{type(self).__name__}: {self.message}", self.hint)]
        return [line for what, help in found for line in (what, f"  help: {help}" if help else "") if line]


class ScriptError(EvalangError):
    """The script, a file it names, or the command line cannot be read."""


class Refused(EvalangError):
    """Lint found errors: nothing was fitted. `findings` says which, and so does the text."""

    exit_code = 1

    def _repr_html_(self) -> str:
        """Return the errors as a list for notebooks."""
        items = "".join(f"<li>{escape(line)}</li>" for line in self._lines())
        return f"<p>{escape(self._sentence())}</p><ul>{items}</ul>"


class DataError(EvalangError):
    """A dataset, results table or predictions file does not hold what the script says."""


class TestError(EvalangError):
    """A statistical test cannot be computed on what it was given (too few units, a missing score)."""

    __test__ = False


class RunError(EvalangError):
    """The run cannot start or go on: the folder cannot be written, the disk is full, another run holds it."""

    exit_code = 1


class InternalError(EvalangError):
    """A bug in evalang."""

    exit_code = 3
    _render_traceback_ = None  # type: ignore[assignment]  # here the traceback is what we need
