"""matplotlib's SVG made fit for a page with a strict policy: no styles, own ids, a title and a description."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping

from ..document import Figure
from ..escape import visible
from .style import COLOURS, INK, PAPER

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_FONT = re.compile(r"(?:(?P<style>italic|oblique) )?(?:(?P<weight>bold|\d+) )?(?P<size>[\d.]+)px (?P<family>.+)")
_URL = re.compile(r"url\(#([^)]+)\)")
_PIXELS = 4 / 3  # CSS pixels in a point
# In a page the colours are the page's own, so that they suit light and dark; outside of one the fallback holds.
_THEMED = {INK: "currentColor", PAPER: f"var(--paper,{PAPER})"} | {
    shade: f"var(--c{i},{shade})" for i, shade in enumerate(COLOURS)
}


def clean(text: str, figure: Figure, inline: bool = True, says: Mapping[str, str] | None = None) -> str:
    """The same picture: style attributes as presentation attributes, ids prefixed by its key, metadata gone.

    `says` gives elements, by their id, words for whoever points at them.
    """
    key, title, description = figure.key, figure.title, figure.description
    ET.register_namespace("", _SVG)
    root = ET.fromstring(text)
    for parent in list(root.iter()):
        for child in list(parent):
            tag = child.tag.rpartition("}")[2]
            if tag in ("metadata", "style"):
                parent.remove(child)
    for element in list(root.iter()):
        words = (says or {}).get(element.get("id", ""))
        _plain(element, key, inline)
        if words:
            # Read out and shown by the page's script, on hover and on focus; without it the browser shows the title.
            element.attrib |= {"tabindex": "0", "role": "img", "aria-label": visible(words)}
            pointed = ET.Element(f"{{{_SVG}}}title")
            pointed.text = visible(words)
            element.insert(0, pointed)
    root.attrib.pop("version", None)
    root.set("role", "group" if says else "img")  # what is inside an image cannot be focused
    root.set("aria-labelledby", f"{key}-title {key}-description")
    if inline:
        # The width is the most it takes; on a phone it shrinks with the page.
        root.attrib.pop("height", None)
        width = float(root.get("width", "0").replace("pt", ""))
        root.set("width", f"{width * _PIXELS:.0f}")
    for place, (tag, words) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(f"{{{_SVG}}}{tag}", {"id": f"{key}-{'title' if tag == 'title' else 'description'}"})
        element.text = visible(words)
        element.tail = "\n"
        root.insert(place, element)
    return ET.tostring(root, encoding="unicode")


def _plain(element: ET.Element, key: str, inline: bool) -> None:
    style = element.attrib.pop("style", "")
    for part in style.split(";"):
        name, _, value = part.partition(":")
        name, value = name.strip(), value.strip()
        if not name:
            continue
        if name == "font":
            _font(element, value)
        else:
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


def _font(element: ET.Element, value: str) -> None:
    found = _FONT.fullmatch(value)
    if found is None:
        return
    element.set("font-size", found["size"])
    element.set("font-family", "sans-serif")
    if found["weight"]:
        element.set("font-weight", found["weight"])
    if found["style"]:
        element.set("font-style", found["style"])
