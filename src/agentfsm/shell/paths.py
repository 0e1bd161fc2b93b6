"""Paths: what writing to one means (standard, rule 5), and which folders hold the system's programs."""

from __future__ import annotations

import posixpath
import re

from agentfsm.shell.classes import OpClass
from agentfsm.shell.values import NUMBER, TAME, UNKNOWN

__all__ = ("is_precious", "located", "program_name", "read_class", "write_class")

_BIN = re.compile(r"/(?:usr/(?:local/)?)?s?bin/([^/]+)\Z")
_NO_FILE = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/[^/]+)\Z")
_SOCKET = re.compile(r"/dev/(?:tcp|udp)/")
_TOP = re.compile(
    r"(?:/|/\*|~[a-z]*/?|~/\*|\$HOME/?|/(?:bin|boot|dev|etc|home|lib|lib64|opt|root|run|sbin|"
    r"srv|sys|usr|var|proc|mnt|media|Users|Library|System|Applications)/?\*?|/home/[^/]+/?\*?|"
    r"/Users/[^/]+/?\*?|/usr/(?:bin|lib|local|sbin|share)/?|/var/(?:lib|log)/?)\Z"
)


def located(path: str, folder: str | None) -> str:
    """Return *path* as seen from *folder* (None: unknown), with its dots resolved by name alone."""
    if not path.startswith("/"):
        if folder is None:
            return path
        path = posixpath.join(folder, path) if folder else path
    if "//" in path or "/." in path:
        path = posixpath.normpath(path)
        path = "/" + path.lstrip("/") if path.startswith("/") else path
    return path


def write_class(path: str) -> OpClass | None:
    """Return the class of creating or overwriting *path*; None for what is no file."""
    if not path.startswith(("/dev", "/proc", "/sys")):
        return OpClass.FILE_WRITE
    if _NO_FILE.match(path):
        return None
    if _SOCKET.match(path):
        return OpClass.NETWORK
    if path.startswith("/dev/shm/"):
        return OpClass.FILE_WRITE
    if path.startswith(("/dev/", "/proc/", "/sys/")):
        return OpClass.DESTRUCTIVE
    return OpClass.FILE_WRITE


def read_class(path: str) -> OpClass | None:
    """Return the class of opening *path* for reading; None for what is no file."""
    if path.startswith("/dev/"):
        if _SOCKET.match(path):
            return OpClass.NETWORK
        if _NO_FILE.match(path) or path in ("/dev/stdin", "/dev/zero", "/dev/urandom", "/dev/random"):
            return None
    return OpClass.FILE_READ


def program_name(word: str) -> str | None:
    """Return the program that a command word names; None when its folder is none of the system's."""
    if "/" not in word:
        return word
    match = _BIN.match(word)
    return match.group(1) if match else None


def is_precious(path: str) -> bool:
    """Whether *path* is the root, a whole home or a top-level system folder."""
    path = path.replace(UNKNOWN, "*").replace(TAME, "*").replace(NUMBER, "*")
    while "//" in path:
        path = path.replace("//", "/")
    if path.startswith("/") and len(path) > 1 and ("/." in path):
        path = posixpath.normpath(path)
    return bool(_TOP.match(path))
