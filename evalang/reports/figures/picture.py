"""From a figure of a document to a picture: axes, SVG, PNG or PDF, the same bytes every time."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from ..document import Figure
from ..escape import visible
from . import style
from .style import COLOURS, INK, PAPER

if TYPE_CHECKING:
    from matplotlib import figure as matplotlib_figure
    from matplotlib.axes import Axes

NARROW = 3.9  # inches: the text of a phone's screen is about 360 pixels wide
COMPACT = 4.6  # folded figures are drawn once: on a phone they shrink a little and stay readable


def draw_on(figure: Figure, axes: Axes | None = None, widest: float | None = None) -> Axes:
    """Draw on the given axes, or on new ones of the figure's size; at most `widest` wide, panels below each other."""
    with style.matplotlib_settings():
        target = axes if axes is not None else _new_axes(figure, widest)
        figure.data.draw(target)
        if axes is not None:
            style.disable_math(axes)
    return target


def _new_axes(figure: Figure, widest: float | None) -> Axes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    panels = figure.data.panels
    width, height = figure.data.size
    if widest is not None:
        width, height = min(width, widest), panels * height
    made = _figure_class()(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    shape = (1, panels) if widest is None else (panels, 1)
    first: Axes = made.subplots(*shape, sharey=True, squeeze=False)[0][0]
    return first


@cache
def _figure_class() -> type[matplotlib_figure.Figure]:
    """Return a figure class that shows itself in a notebook; matplotlib's does so only after `%matplotlib inline`."""
    from matplotlib.figure import Figure as MatplotlibFigure

    class ShownFigure(MatplotlibFigure):
        def _repr_png_(self) -> bytes:
            buffer = BytesIO()
            with style.matplotlib_settings():
                self.savefig(buffer, format="png", facecolor=PAPER)
            return buffer.getvalue()

    return ShownFigure


def _saved(figure: Figure, kind: str, widest: float | None = None, **options: Any) -> bytes:
    with style.matplotlib_settings():
        axes = draw_on(figure, widest=widest)
        made: matplotlib_figure.Figure = axes.figure  # type: ignore[assignment]
        if kind == "svg":
            _lay_out(made)
        buffer = BytesIO()
        made.savefig(buffer, format=kind, **options)
    return buffer.getvalue()


def _lay_out(made: matplotlib_figure.Figure) -> None:
    """Lay out a figure for SVG; `savefig` would draw everything once more to do so."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    FigureCanvasSVG(made)  # which measures the texts
    if (engine := made.get_layout_engine()) is not None:
        engine.execute(made)
    made.set_layout_engine()


def svg_inline(figure: Figure) -> str:
    """Return SVG for an HTML page: transparent, in the page's own text colour."""
    return _svg_for_page(figure, None if figure.lead else COMPACT)


def svg_narrow(figure: Figure) -> str:
    """Return SVG for a phone: no wider than its screen, panels below each other, with ids of its own."""
    return _svg_for_page(replace(figure, key=f"{figure.key}-narrow"), NARROW)


def _svg_for_page(figure: Figure, widest: float | None) -> str:
    text = _saved(figure, "svg", widest, metadata={"Date": None}, transparent=True).decode()
    return clean(text, figure, says=figure.data.says)


def svg_file(figure: Figure) -> str:
    """Return SVG for a file of its own, on white."""
    return clean(_saved(figure, "svg", metadata={"Date": None}).decode(), figure, inline=False)


def png(figure: Figure) -> bytes:
    """Return a bitmap on white."""
    return _saved(figure, "png", metadata={"Software": None})


def pdf(figure: Figure) -> bytes:
    """Return a PDF for LaTeX."""
    return _saved(figure, "pdf", metadata=dict.fromkeys(("CreationDate", "ModDate", "Producer", "Creator")))


_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_FONT = re.compile(r"(?:(?P<style>italic|oblique) )?(?:(?P<weight>bold|\d+) )?(?P<size>[\d.]+)px (?P<family>.+)")
_URL = re.compile(r"url\(#([^)]+)\)")
_PIXELS = 4 / 3  # CSS pixels in a point
# In a page the colours are the page's own, so that they suit light and dark; outside of one the fallback holds.
_THEMED = {INK: "currentColor", PAPER: f"var(--paper,{PAPER})"} | {
    shade: f"var(--c{i},{shade})" for i, shade in enumerate(COLOURS)
}


def clean(text: str, figure: Figure, inline: bool = True, says: Mapping[str, Sequence[str]] | None = None) -> str:
    """Make matplotlib's SVG fit for a page with a strict policy: no styles or metadata, ids prefixed by its key.

    `says` maps ids of groups to the texts that are shown when a reader points at their marks, in the order drawn.
    """
    key = figure.key
    ET.register_namespace("", _SVG)
    root = ET.fromstring(text)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in ("metadata", "style"):
                parent.remove(child)
    for element in list(root.iter()):
        texts = (says or {}).get(element.get("id", ""), ())
        marks = list(element.iter(f"{{{_SVG}}}use")) if texts else []
        for mark, words in zip(marks, texts, strict=True):
            # Read out and shown by the page's script, on hover and on focus; without it the browser shows the title.
            mark.attrib |= {"tabindex": "0", "role": "img", "aria-label": visible(words)}
            ET.SubElement(mark, f"{{{_SVG}}}title").text = visible(words)
        _inline_attributes(element, key, inline)
    root.attrib.pop("version", None)
    root.set("role", "group" if says else "img")  # what is inside an image cannot be focused
    root.set("aria-labelledby", f"{key}-title {key}-description")
    if inline:
        # The width is the most it takes; on a phone it shrinks with the page.
        root.attrib.pop("height", None)
        root.set("width", f"{float(root.get('width', '0').replace('pt', '')) * _PIXELS:.0f}")
    for place, (tag, name, words) in enumerate(
        (("title", "title", figure.title), ("desc", "description", figure.description))
    ):
        element = ET.Element(f"{{{_SVG}}}{tag}", {"id": f"{key}-{name}"})
        element.text, element.tail = visible(words), "\n"
        root.insert(place, element)
    return ET.tostring(root, encoding="unicode")


def _inline_attributes(element: ET.Element, key: str, inline: bool) -> None:
    """Turn styles into presentation attributes, and prefix ids and links."""
    for part in element.attrib.pop("style", "").split(";"):
        name, _, value = (piece.strip() for piece in part.partition(":"))
        font = _FONT.fullmatch(value) if name == "font" else None
        if font is not None:
            given = {"size": font["size"], "family": "sans-serif", "weight": font["weight"], "style": font["style"]}
            element.attrib |= {f"font-{word}": one for word, one in given.items() if one}
        elif name and name != "font":
            element.set(name, value)
    for name, value in list(element.attrib.items()):
        if name == "id":
            element.set(name, f"{key}-{value}")
        elif name == _LINK:
            del element.attrib[name]
            element.set("href", f"#{key}-{value.removeprefix('#')}")
        elif value.startswith("url("):
            element.set(name, _URL.sub(lambda m: f"url(#{key}-{m[1]})", value))
        elif inline and value in _THEMED:
            element.set(name, _THEMED[value])
    element.attrib.pop("{http://www.w3.org/XML/1998/namespace}space", None)
