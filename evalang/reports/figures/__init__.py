"""The pictures, one file each; matplotlib is imported only when one is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...results.run_result import RunResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(result: RunResult, name: str, ax: Axes | None = None, **options: Any) -> Figure:
    """A picture by name ("critical-difference"), on axes of the caller's or on new ones.

    Options: `comparison`, `metric`, `dataset`, `learners`; whatever is not said is the first that fits.
    """
    from .choose import figure
    from .picture import draw_on

    drawn: Figure = draw_on(figure(result, name, **options), ax).figure  # type: ignore[assignment]
    return drawn
