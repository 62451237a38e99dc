"""Passwords in database addresses and scripts, hidden before anything is shown or stored."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

_HIDDEN = ("pass", "pwd", "secret", "token", "key")  # parts of the names of parameters that hold a secret
# Begins only where a name begins, and gives nothing back: a string of a megabyte is looked through once.
_PARAMETER = re.compile(r"""(?<![^\s"'=&;?#,:/@])([^\s"'=&;?#,:/@]++)\s*+=\s*+('[^'"]*+'?|[^&;\s"#]++)""")
_STRING = re.compile(r'"[^"\r\n]*"?')
_SCHEME = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:/{0,2}")
# A colon, also as it is escaped or as an input method types it; and what stands in the place of a port and is none.
_COLON = re.compile(r":|%3a|\uff1a", re.IGNORECASE)
_NO_PORT = re.compile(r"([^\[:/?#]*:)(?!\d*(?:[/?#]|$))([^/?#]*)")


def hide_passwords(address: str) -> str:
    """Return the address with `***` for every password; when in doubt, more is hidden.

    A password that was not escaped may hold `/`, `?` and `@`: everything from the first `:` after the scheme (which
    ends in `//`) to the last `@` goes. So do the values of parameters whose name speaks of a secret, however they are
    separated.

    >>> hide_passwords("postgresql://me:secret@host/db")
    'postgresql://me:***@host/db'
    >>> hide_passwords("postgresql://me:s/e?c@ret@host:5432/db?sslmode=require&password=x")
    'postgresql://me:***@host:5432/db?sslmode=require&password=***'
    >>> hide_passwords("postgresql:host=h pass%77ord = 'a b';PGPASSWORD=x")
    'postgresql:host=h pass%77ord = ***;PGPASSWORD=***'
    >>> hide_passwords("postgresql://me%3Asecret@host/db"), hide_passwords("postgresql://me:secret%40host/db")
    ('postgresql://me%3A***@host/db', 'postgresql://me:***/db')
    >>> hide_passwords("sqlite:///shop.db")
    'sqlite:///shop.db'
    """
    return _covered(address, lambda secret: "***")


def mask_passwords(text: str) -> str:
    """Return a script's text with a star for every character of a password, so that columns stay.

    >>> mask_passwords('dataset d from sql "postgresql://me:secret@host/db?password=x", query "select 1"')
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
