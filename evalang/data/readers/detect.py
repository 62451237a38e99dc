"""Which tool wrote a file: told by what is in it, never by a guess."""

from __future__ import annotations

import os
import re

from ...errors import DataError
from ...source.decode import is_log
from ..shown import shown

_HEAD = 1 << 14
_COLUMNS = (
    ("amlb", ("task", "framework", "fold", "result")),
    ("weka", ("Key_Dataset", "Key_Run", "Key_Scheme")),
    ("sklearn", ("split0_test_",)),
)


def detect(path: str) -> str:
    """The reader of a file or folder."""
    if os.path.isdir(path):
        names = [name for _, _, files in os.walk(path) for name in files]
        if "per_instance_stats.json" in names:
            return "helm"
        if any(name.startswith("samples_") and name.endswith(".jsonl") for name in names):
            return "lm-eval"
        return "inspect"
    name = os.path.basename(path)
    if not os.path.isfile(path):  # a pipe without a writer would wait for ever
        raise DataError(f"{shown(path)} is a device or a pipe, not a file", hint="name a file")
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataError(f"{shown(path)} cannot be read: {reason}", hint="check the name") from None
    if is_log(head):
        return "inspect"
    if re.fullmatch(r"samples_.+\.jsonl(\.gz)?", name):
        return "lm-eval"
    if name.endswith(".jsonl") and head.lstrip().startswith(b'{"spec"'):
        return "openai-evals"
    if head.lstrip().startswith(b"{") and b'"schema_version"' in head:
        return "every-eval-ever"
    first = head.partition(b"\n")[0].decode("utf-8", "replace")
    for kind, columns in _COLUMNS:
        if all(column in first for column in columns):
            return kind
    if name.endswith((".csv", ".tsv")):
        return "csv"
    raise DataError(f"nothing in {shown(path)} says which tool wrote it", hint="say it: --from inspect")
