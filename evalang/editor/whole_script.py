"""A script inside a document: the whole of an .eval file, or a block, cell or string of something else."""

from __future__ import annotations

from dataclasses import dataclass

from ..language.text import SourceText
from ..plans.names import Handed


@dataclass(frozen=True, slots=True)
class EmbeddedScript:
    """A script and where its characters stand in the document; `places` is empty when they stand where they are.

    `begin` and `end` are the offsets in the document that belong to it.
    """

    source: SourceText
    places: tuple[int, ...] = ()
    handed: tuple[Handed, ...] = ()
    begin: int = 0
    end: int = -1

    @property
    def quoted(self) -> bool:
        """Whether it stands in a string of another language, where not everything can be written as it is."""
        return bool(self.places)

    def outward(self, offset: int) -> int:
        """The offset in the document of an offset in the script."""
        if not self.places:
            return offset
        return self.places[min(max(offset, 0), len(self.places) - 1)]

    def inward(self, offset: int) -> int | None:
        """The offset in the script of an offset in the document; None when it lies outside."""
        if not self.places:
            return offset if self.begin <= offset and (self.end < 0 or offset <= self.end) else None
        if not self.places[0] <= offset <= self.places[-1]:
            return None
        # The last of equal places: what stands before the string in the script stands nowhere in the document.
        return max(index for index, place in enumerate(self.places) if place <= offset)
