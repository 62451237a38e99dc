"""Database addresses as they may be shown."""

from __future__ import annotations

import re

_HIDDEN = ("pass", "pwd", "secret", "token", "key")  # parts of the names of parameters that hold a secret
_IN_ADDRESS = re.compile(r'(://[^\s":@/]*:)([^"\r\n]*)@')
_IN_QUERY = re.compile(rf'((?i:[?&][^="\s&]*(?:{"|".join(_HIDDEN)})[^="\s&]*=))([^"&\s]+)')


def without_password(address: str) -> str:
    """The address with `***` for every password; rather too much is hidden than too little.

    A password that was not escaped may hold `/`, `?` and `@`: everything from the first `:` after the scheme to the
    last `@` goes.

    >>> without_password("postgresql://me:secret@host/db")
    'postgresql://me:***@host/db'
    >>> without_password("postgresql://me:s/e?c@ret@host:5432/db?sslmode=require&password=x")
    'postgresql://me:***@host:5432/db?sslmode=require&password=***'
    >>> without_password("sqlite:///shop.db")
    'sqlite:///shop.db'
    """
    scheme, mark, rest = address.partition("://")
    if not mark:
        scheme, rest = "", address
    before, at, after = rest.rpartition("@")
    user, colon, _ = before.partition(":")
    shown = f"{scheme}{mark}" + (f"{user}:***@{after}" if at and colon else rest)
    head, question, query = shown.partition("?")
    return head + question + "&".join(_hidden(part) for part in query.split("&"))


def _hidden(parameter: str) -> str:
    name, equals, _ = parameter.partition("=")
    return f"{name}=***" if equals and any(word in name.lower() for word in _HIDDEN) else parameter


def starred(text: str) -> str:
    """A script's text as it may be shown or kept: a star for every character of a password, so that columns stay.

    >>> starred('dataset d from sql "postgresql://me:secret@host/db?password=x", query "select 1"')
    'dataset d from sql "postgresql://me:******@host/db?password=*", query "select 1"'
    """
    if "://" not in text:
        return text
    shown = _IN_ADDRESS.sub(lambda found: found[1] + "*" * len(found[2]) + "@", text)
    return _IN_QUERY.sub(lambda found: found[1] + "*" * len(found[2]), shown)
