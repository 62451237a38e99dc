"""Text made safe for a terminal: one function for everything that is printed and was written by somebody else."""

from __future__ import annotations

import re

# C0 and C1 controls but tab, delete, line and paragraph separators, and everything that turns or hides text:
# bidirectional controls, zero-width characters, the byte-order mark, tags, and surrogates that stand alone.
_UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def for_terminal(text: str, *, lines: bool = False) -> str:
    r"""The text with control characters and hidden or turning characters written out; `lines` keeps line ends.

    >>> for_terminal("a\x1b[2Jb\u202ec")
    'a\\x1b[2Jb\\u202ec'
    """
    if lines:
        return "\n".join(for_terminal(line) for line in text.split("\n"))
    return _UNSAFE.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    number = ord(found.group())
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
