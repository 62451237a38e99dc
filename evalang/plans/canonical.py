"""A plan as JSON, both ways, and its fingerprint."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any
from urllib.parse import unquote

from ..codec import compared_names, default_values, field_names, is_record
from ..errors import ScriptError
from ..language.text import Span
from . import model

_HIDDEN = ("pass", "pwd", "secret", "token", "key")  # parts of the names of parameters that hold a secret
# Begins only where a name begins, and gives nothing back: a string of a megabyte is looked through once.
_PARAMETER = re.compile(r"""(?<![^\s"'=&;?#,:/@])([^\s"'=&;?#,:/@]++)\s*+=\s*+('[^'"]*+'?|[^&;\s"#]++)""")
_STRING = re.compile(r'"[^"\r\n]*"?')
_SCHEME = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:/{0,2}")
# A colon, also as it is escaped or as an input method types it; and what stands in the place of a port and is none.
_COLON = re.compile(r":|%3a|\uff1a", re.IGNORECASE)
_NO_PORT = re.compile(r"([^\[:/?#]*:)(?!\d*(?:[/?#]|$))([^/?#]*)")


def without_password(address: str) -> str:
    """The address with `***` for every password; rather too much is hidden than too little.

    A password that was not escaped may hold `/`, `?` and `@`: everything from the first `:` after the scheme (which
    ends in `//`) to the last `@` goes. So do the values of parameters whose name speaks of a secret, however they are
    separated.

    >>> without_password("postgresql://me:secret@host/db")
    'postgresql://me:***@host/db'
    >>> without_password("postgresql://me:s/e?c@ret@host:5432/db?sslmode=require&password=x")
    'postgresql://me:***@host:5432/db?sslmode=require&password=***'
    >>> without_password("postgresql:host=h pass%77ord = 'a b';PGPASSWORD=x")
    'postgresql:host=h pass%77ord = ***;PGPASSWORD=***'
    >>> without_password("postgresql://me%3Asecret@host/db"), without_password("postgresql://me:secret%40host/db")
    ('postgresql://me%3A***@host/db', 'postgresql://me:***/db')
    >>> without_password("sqlite:///shop.db")
    'sqlite:///shop.db'
    """
    return _covered(address, lambda secret: "***")


def starred(text: str) -> str:
    """A script's text as it may be shown or kept: a star for every character of a password, so that columns stay.

    >>> starred('dataset d from sql "postgresql://me:secret@host/db?password=x", query "select 1"')
    'dataset d from sql "postgresql://me:******@host/db?password=*", query "select 1"'
    """

    def one(found: re.Match[str]) -> str:
        inside = found[0].strip('"')
        return found[0] if not _SCHEME.match(inside) else found[0].replace(inside, _covered(inside, _stars), 1)

    return _STRING.sub(one, text) if ":" in text else text


def _stars(secret: str) -> str:
    return "*" * len(secret)


def _covered(address: str, cover: Callable[[str], str]) -> str:
    scheme = _SCHEME.match(address)
    head = scheme.group() if scheme and scheme.group().endswith("//") else ""
    rest = address[len(head) :]
    before, at, after = rest.rpartition("@")
    colon = (_COLON.search(before) if head else re.search(":", before)) if at else None
    if colon and (head or not before[colon.end() :][:1].isspace()):  # "Thanks: me@host" is a sentence
        return f"{head}{before[: colon.end()]}{cover(before[colon.end() :])}@{_parameters(after, cover)}"
    if head and not at and (port := _NO_PORT.match(rest)):  # an @ was escaped or forgotten
        return f"{head}{port[1]}{cover(port[2])}{_parameters(rest[port.end() :], cover)}"
    return head + _parameters(rest, cover)


def _parameters(text: str, cover: Callable[[str], str]) -> str:
    def one(found: re.Match[str]) -> str:
        secret = any(word in unquote(found[1]).lower() for word in _HIDDEN)
        return found[0][: found.start(2) - found.start()] + cover(found[2]) if secret else found[0]

    return _PARAMETER.sub(one, text)


_KINDS: tuple[type, ...] = (
    model.Given,
    model.Allowance,
    model.Part,
    model.Source,
    model.Step,
    model.Dataset,
    model.Suite,
    model.Grid,
    model.Learner,
    model.ResultsTable,
    model.PredictionsTable,
    model.Scheme,
    model.Condition,
    model.JoinedClasses,
    model.Role,
    model.Level,
    model.Copied,
    model.Description,
    model.Thresholding,
    model.Metric,
    model.Test,
    model.Tuning,
    model.Calibration,
    model.Correction,
    model.Family,
    model.Comparison,
    model.Claim,
    model.Simulation,
    model.Output,
    model.Plan,
)
KINDS: dict[str, type] = {kind.__name__: kind for kind in _KINDS}
_SECRET = frozenset({"address"})  # a database address may hold a password: never written
_REMEDY = "make one with evalang plan --format json"
_UNORDERED = frozenset({"options", "parameters"})  # (name, value) pairs, each name once
# Fields that came later count when something is said in them, so that what said nothing keeps its fingerprint.
_LATER = frozenset({
    "divided_by", "where", "drop_repeated", "joined", "tuned_on", "rarest", "each", "threshold", "without_preparation",
    "described", "roles", "made", "tuned", "copied", "measured", "better", "epochs", "primary", "stop_early",
    "until_settled", "gap", "looks", "so_far", "series",
})  # fmt: skip
_DEFINITIONS = ("datasets", "suites", "learners", "results", "predictions")


def to_json(value: Any) -> Any:
    """Plain lists and objects; a record carries its kind under `is`, a span its three numbers."""
    if isinstance(value, Span):
        return {"path": value.path, "start": value.start, "end": value.end}
    if is_record(value):
        fields = {name: to_json(getattr(value, name)) for name in field_names(type(value)) if name not in _SECRET}
        return {"is": type(value).__name__, **fields}
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    return value


def from_json(value: Any) -> Any:
    """The record that `to_json` made this from; ScriptError when it is not one."""
    if isinstance(value, list):
        return tuple(from_json(item) for item in value)
    if not isinstance(value, dict):
        return value
    if set(value) == {"path", "start", "end"}:
        return Span(str(value["path"]), int(value["start"]), int(value["end"]))
    kind = KINDS.get(str(value.get("is")))
    if kind is None:
        raise ScriptError("this is not a plan written by evalang", hint=_REMEDY)
    given = {name: from_json(item) for name, item in value.items() if name != "is"}
    try:
        return kind(**given)
    except TypeError as error:
        raise ScriptError(f"this plan cannot be read: {error}", hint=_REMEDY) from None


def dumps(plan: model.Plan) -> str:
    """The plan as JSON text."""
    return json.dumps(to_json(plan), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def loads(text: str) -> model.Plan:
    """The plan of a JSON text; ScriptError when it is none."""
    try:
        found = from_json(json.loads(text, object_pairs_hook=_once, parse_constant=_no_number))
    except (RecursionError, ValueError, TypeError, OverflowError) as error:
        raise ScriptError(f"this plan is not JSON: {str(error)[:200]}", hint=_REMEDY) from None
    from .shape import fits

    if not fits(found, model.Plan):
        raise ScriptError("this is not a plan written by evalang", hint=_REMEDY)
    assert isinstance(found, model.Plan)
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def meaning(value: Any) -> Any:
    """What takes part in comparison only: no places, no spellings, no reasons for defaults, options in any order."""
    if is_record(value):
        found: list[Any] = [type(value).__name__]
        for name in compared_names(type(value)):
            held = getattr(value, name)
            said = meaning(sorted(held) if name in _UNORDERED else held)
            if name not in _LATER:
                found.append(said)
            elif held != default_values(type(value)).get(name):
                found.append([name, said])
        return found
    if isinstance(value, tuple | list):
        return [meaning(item) for item in value]
    return value


def fingerprint(plan: model.Plan) -> str:
    """A digest that formatting, comments and the order of definitions do not change; a path of the script neither."""
    parts = []
    for name in compared_names(type(plan)):
        value = getattr(plan, name)
        if name in _DEFINITIONS:
            parts.append([name, *(meaning(v) for v in sorted(value, key=lambda v: str(v.name)))])
        elif name != "script":
            parts.append([name, meaning(value)])
    return _sha(parts)


def digest(record: object) -> str:
    """The same for one record of a plan: what a learner or a scheme means, whatever it is called in the text."""
    return _sha(meaning(record))


def _sha(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
