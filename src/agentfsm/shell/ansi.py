"""The escapes of ``$'...'``, of ``echo -e`` and of ``printf`` (bash manual, ANSI-C Quoting)."""

from __future__ import annotations

import re

__all__ = ("decode",)

_ESCAPE = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}


def _one(match: re.Match[str]) -> str:
    two, four, eight, octal, control, other = match.groups()
    if digits := two or four or eight:
        code = int(digits, 16)
    elif octal:
        code = int(octal, 8) & 0xFF
    elif control:
        code = ord(control) & 0x1F
    else:
        return _SIMPLE.get(other, "\\" + (other or ""))
    return chr(code) if code < 0x110000 else "\ufffd"


def decode(raw: str) -> str:
    """Return *raw* with its escapes replaced; as in bash, a NUL ends the text."""
    return _ESCAPE.sub(_one, raw).partition("\0")[0]
