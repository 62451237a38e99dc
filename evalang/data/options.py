"""The options in brackets after a source, checked by name and kind."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import DataError
from ..plans.model import Source
from ..source.nearest import nearest
from .shown import shown


def checked_options(source: Source, known: Mapping[str, type]) -> dict[str, object]:
    """The options as a dict; an unknown name or a value of the wrong kind is an error."""
    found: dict[str, object] = {}
    for name, value in source.options:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near}?" if near else f"it takes {', '.join(known)}" if known else "it takes none"
            raise DataError(f"{source.kind} has no option {shown(name)}", hint=hint)
        if name in found:
            raise DataError(f"the option {name} of {source.kind} is given twice", hint="keep one of the two")
        wanted = known[name]
        if wanted is tuple:
            value = (value,) if isinstance(value, str) else value
            if not isinstance(value, tuple) or not all(isinstance(v, str) for v in value):
                raise DataError(
                    f"the option {name} of {source.kind} takes names in quotes", hint=f'{name} = ["a", "b"]'
                )
        elif not isinstance(value, wanted):
            kind = {str: "text in quotes", bool: "true or false", int: "a whole number"}.get(wanted, wanted.__name__)
            raise DataError(f"the option {name} of {source.kind} takes {kind}", hint="see `evalang explain dataset`")
        found[name] = value
    return found
