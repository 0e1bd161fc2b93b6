"""Redaction: what looks like a secret is taken out of a text before it leaves the process."""

from __future__ import annotations

import re

__all__ = ("MARK", "capped", "redacted")

MARK = "[redacted]"

_NAMES = (
    r"api[-_]?key|access[-_]?key(?:[-_]?id)?|secret(?:[-_]?(?:access[-_]?)?key)?|client[-_]?secret|passw(?:or)?d|"
    r"passphrase|(?:access|auth|refresh|id|session|bearer|github)[-_]?token|token|authorization|credentials?|"
    r"private[-_]?key|signature|sig|cookie"
)
_DONE = r"(?:(?:bearer|basic)\s+)?\[redacted\]"
# Each with a group that stays; what follows it goes. From the longest form to the shortest.
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL), MARK),
    # user and password in a URL
    (re.compile(r"\b([a-z][a-z0-9+.-]{0,20}://)[^/\s@\"']{1,400}@", re.IGNORECASE), rf"\g<1>{MARK}@"),
    (re.compile(r"\b((?:bearer|basic)\s+)[A-Za-z0-9+/._~=-]{8,}", re.IGNORECASE), rf"\g<1>{MARK}"),
    # a value under a telling name: in JSON, in an assignment, in a query, in a header
    (
        re.compile(
            rf"((?:\b|_|--)(?:{_NAMES})\\?[\"']?\s{{0,8}}[:=]\s{{0,8}}(?!{_DONE})(?:(?:bearer|basic)\s+)?)"
            # escaped as within JSON, quoted, or up to what ends a word
            r"(?:\\\"(?:[^\"\\]|\\(?!\")){0,4000}\\\"|\"(?:[^\"\\]|\\.){0,4000}\"|'(?:[^'\\]|\\.){0,4000}'|"
            r"[^\s,;&\"'}\]\\]{1,4000})",
            re.IGNORECASE,
        ),
        rf"\g<1>{MARK}",
    ),
    # keys that say what they are
    (
        re.compile(
            r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}|\bgh[opsur]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|"
            r"\bglpat-[A-Za-z0-9_-]{16,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bxox[abeoprs]-[A-Za-z0-9-]{10,}|"
            r"\bAIza[A-Za-z0-9_-]{30,}|\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[A-Za-z0-9_-]{30,}|"
            r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
        ),
        MARK,
    ),
)


def redacted(text: str) -> str:
    """
    Return *text* without what looks like a secret: keys by their form, and values by the name that stands before them.

    It knows forms and not meanings. What must not leave is better not sent: telemetry sends no content unless told to.
    """
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text


def capped(text: str, most: int) -> str:
    """
    Return *text* in at most *most* bytes of UTF-8, cut between characters, and saying how many bytes it had.

    What UTF-8 cannot say, such as half of a surrogate pair, becomes a question mark: an exporter would lose the whole
    batch over it.
    """
    if len(text) * 4 <= most and text.isascii():
        return text
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= most:
        return encoded.decode("utf-8")
    told = f"… [{len(encoded)} bytes]"
    room = max(most - len(told.encode("utf-8")), 0)
    return encoded[:room].decode("utf-8", "ignore") + told
