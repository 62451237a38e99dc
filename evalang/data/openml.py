"""A data set of OpenML by its number: its description, then its ARFF file, each checked.

`openml 61` asks https://www.openml.org and hosts below openml.org, nothing else, and only with `--allow-net
openml.org`. The file must have the checksum of its description; `openml 61(sha256 = "...")` pins its content for good.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, BinaryIO, cast

from ..errors import DataError
from ..plans.model import Source
from .access import Access
from .arff import parse_arff
from .download import checked_address, download
from .load import checked_options
from .opened import check_head
from .raw import Raw
from .shown import shown

HOST = "openml.org"
DESCRIPTION = "https://www.openml.org/api/v1/json/data/{number}"
MOST_DESCRIPTION = 4 << 20
Get = Callable[[str, int], bytes]


def read_openml(source: Source, access: Access) -> Raw:
    """The data set's rows, its own target and the columns that it says are no features."""
    options = checked_options(source, {"sha256": str})
    number = source.locator.strip()
    if not (number.isascii() and number.isdigit() and 0 < len(number) < 10):
        raise DataError(f"{shown(source.locator)} is no number of an OpenML data set", hint="write `from openml 61`")
    if not access.allows(HOST):
        raise DataError(
            f"openml {number} is on the network, and {HOST} is not allowed", hint=f"run with --allow-net {HOST}"
        )

    def get(address: str, most: int) -> bytes:
        return download(address, host=HOST, access=access, most=most)

    return assemble(number, get, options.get("sha256"))


def assemble(number: str, get: Get, pinned: object = None) -> Raw:
    """Description and file, fetched by `get`, made into a frame."""
    from .limits import FILE_BYTES

    described = _description(get(DESCRIPTION.format(number=number), MOST_DESCRIPTION), number)
    address = str(described.get("url", ""))
    if address.startswith("http://"):  # older descriptions; only the secure address is asked
        address = "https://" + address.removeprefix("http://")
    checked_address(address, HOST)
    content = get(address, FILE_BYTES)
    found = hashlib.sha256(content).hexdigest()
    if pinned is not None and str(pinned).lower() != found:
        raise DataError(f"openml {number} has the sha256 {found}, not the one pinned", hint="the data set has changed")
    stated = str(described.get("md5_checksum", "")).lower()
    if stated and hashlib.md5(content, usedforsecurity=False).hexdigest() != stated:
        raise DataError(f"the file of openml {number} differs from its description's checksum", hint="try again later")
    locator = f"openml {number}"
    check_head(content[:512], locator)
    raw = parse_arff(cast(BinaryIO, io.BytesIO(content)), locator)
    columns = set(raw.frame.columns)
    target = _names(described.get("default_target_attribute"))
    ignored = (*_names(described.get("ignore_attribute")), *_names(described.get("row_id_attribute")))
    title = f"openml {number} ({str(described.get('name', ''))[:80]}, sha256 {found})"
    return replace(
        raw,
        source=title,
        target=target[0] if len(target) == 1 and target[0] in columns else None,
        ignored=tuple(n for n in ignored if n in columns),
    )


def _description(content: bytes, number: str) -> dict[str, Any]:
    try:
        answer = json.loads(content)
        described = answer["data_set_description"]
        kind = str(described.get("format", "")).lower()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError(f"the description of openml {number} cannot be read", hint="check the number") from None
    if kind not in ("arff", "sparse_arff"):
        raise DataError(f"openml {number} is stored as {shown(kind)}, not as ARFF", hint="download it as CSV")
    return cast(dict[str, Any], described)


def _names(value: object) -> tuple[str, ...]:
    """One name, several with commas between them, or a list."""
    if isinstance(value, list):
        return tuple(str(v) for v in value)
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else ()
