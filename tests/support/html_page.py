"""Read an HTML page back: its tags, tables and numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class ReadCell:
    text: str = ""
    sort: str | None = None
    bold: bool = False


@dataclass
class ReadTable:
    caption: str = ""
    heads: list[str] = field(default_factory=list)
    rows: list[list[ReadCell]] = field(default_factory=list)


class Page(HTMLParser):
    """All start tags with their attributes, and all tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.tables: list[ReadTable] = []
        self._where = ""
        self.feed(text)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append((tag, attributes))
        if tag == "table":
            self.tables.append(ReadTable())
        if tag == "th" and attributes.get("scope") == "row":
            tag = "td"  # the name of a row is its first cell
        if tag in ("caption", "th", "td"):
            self._where = tag
        if tag == "th":
            self.tables[-1].heads.append("")
        if tag == "tr":
            self.tables[-1].rows.append([])
        if tag == "td":
            bold = "b" in attributes.get("class", "").split()
            self.tables[-1].rows[-1].append(ReadCell(sort=attributes.get("data-v"), bold=bold))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("caption", "thead", "tbody", "table"):
            self._where = ""
        if tag == "thead":
            self.tables[-1].rows = []

    def handle_data(self, data: str) -> None:
        if not self.tables:
            return
        table = self.tables[-1]
        if self._where == "caption":
            table.caption += data
        elif self._where == "th":
            table.heads[-1] += data
        elif self._where == "td":
            table.rows[-1][-1].text += data.rstrip("\n")
