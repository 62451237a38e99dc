"""The pictures of a report, one file per family; matplotlib is imported only when one is drawn.

Each is a dataclass with `title`, `description`, `size` and `draw`, made from a view; `choose` says which are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...results.run_result import RunResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(result: RunResult, name: str, ax: Axes | None = None, **options: Any) -> Figure:
    """Draw a picture by name ("critical-difference"), on the given axes or on new ones.

    Options: `comparison`, `metric`, `dataset`, `learners`; whatever is not given is the first that fits.
    """
    from .choose import figure
    from .picture import draw_on

    drawn: Figure = draw_on(figure(result, name, **options), ax).figure  # type: ignore[assignment]
    return drawn
