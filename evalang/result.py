"""What a run gives to Python: a summary, tidy frames, reports and pictures, all from one result object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import RunError
from .reports.assemble import document
from .reports.frames import Frames, frames, parameters
from .reports.terminal import brief
from .results.run_result import KEPT, RunResult

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from .scores.export import KeptTrials


class Result:
    """The result of `run` and `compare`."""

    def __init__(self, run: RunResult, folder: Path | None = None, keeper: object = None) -> None:
        """`folder` holds the trials; `keeper` keeps a temporary one from being removed."""
        self.run = run
        self._folder, self._keeper = folder, keeper

    def summary(self) -> Summary:
        """The answer and its table, in a few lines; prints in a terminal, renders in a notebook."""
        return Summary(self.run)

    @property
    def table(self) -> Frames:
        """Tidy pandas frames: `.scores`, `.halves`, `.verdicts`, `.estimates`, `.findings`, `.claims`."""
        return frames(self.run)

    @property
    def scores(self) -> DataFrame:
        """One row for each score of each trial."""
        return self.table.scores

    @property
    def verdicts(self) -> DataFrame:
        """One row for each test."""
        return self.table.verdicts

    @property
    def parameters(self) -> DataFrame:
        """One row for each candidate of tuning in each fold, with its score on the tuning rows and whether it won."""
        return parameters(self.run)

    @property
    def predictions(self) -> DataFrame:
        """One row for each test row of each trial: truth, label and score."""
        return self._trials().predictions

    @property
    def times(self) -> DataFrame:
        """One row for each trained learner: seconds of training and of predicting, rows, size where it is measured."""
        return self._trials().times

    @property
    def folds(self) -> DataFrame:
        """One row for each row of each fold and the part it belongs to."""
        return self._trials().folds

    def _trials(self) -> KeptTrials:
        from .scores.export import KeptTrials

        if self._folder is None:
            raise RunError("nothing was trained for this result", hint="see result.scores")
        return KeptTrials(self._folder, self.run.plan)

    def to_html(self) -> str:
        """One self-contained page."""
        from .reports.html import render

        return render(document(self.run))

    def to_markdown(self) -> str:
        """Markdown that GitHub shows well."""
        from .reports.markdown import render

        return render(document(self.run))

    def to_latex(self) -> str:
        """LaTeX with booktabs tables."""
        from .reports.latex import render

        return render(document(self.run))

    def to_json(self) -> str:
        """JSON after docs/schema/run.schema.json."""
        from .reports.json import render

        return render(self.run)

    def figure(self, name: str, ax: Axes | None = None, **options: Any) -> Figure:
        """A picture by name, such as "critical-difference"; matplotlib axes can be handed in."""
        from .reports.figures import draw

        return draw(self.run, name, ax=ax, **options)

    def __repr__(self) -> str:
        return str(self.summary())

    def _repr_html_(self) -> str:
        from .reports.html import html

        return html(self.run)


class Summary:
    """Text in a terminal, HTML in a notebook."""

    def __init__(self, run: RunResult) -> None:
        self._run = run

    def __str__(self) -> str:
        told = self._run.ledger not in ("", KEPT)
        unseen = f"\n\nThis run is in no ledger: {self._run.ledger}." if told else ""
        return brief(document(self._run, background=False, pictures=False)) + unseen

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from .reports.html import short

        return short(self._run)
