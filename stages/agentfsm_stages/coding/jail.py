"""
The jail: paths of a workspace, opened one folder at a time, so that nothing outside it is ever reached.

A path is relative, goes only down and passes through no symbolic link, wherever that points: two names for one file
would let a limit or a rule that was given for one of them be passed by under the other. Each folder is opened below the
one before it without following links, so a link that appears between the check and the use is refused too.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from agentfsm import ToolError

__all__ = ("Jail", "kind_of", "plain", "refusal", "shown")

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK, opening a FIFO would wait for its other end.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_KINDS = (
    (stat.S_ISREG, "file"),
    (stat.S_ISDIR, "folder"),
    (stat.S_ISLNK, "link"),
    (stat.S_ISFIFO, "FIFO"),
    (stat.S_ISSOCK, "socket"),
)


def plain(path: str) -> str:
    """
    Return *path* in its one spelling: ``./a//b/`` is ``a/b``, and the workspace itself is ``.``.

    Raises `ToolError` for a path that is empty, absolute, goes up, or holds a NUL.
    """
    if not path or "\0" in path:
        raise ToolError(f"{path!r} is no path; name a file below the workspace", path=path)
    if path.startswith(("/", "~")):
        raise ToolError(f"{path} is not relative; paths start at the workspace", path=path)
    parts = PurePosixPath(path).parts
    if ".." in parts:
        raise ToolError(f"{path} goes up; paths only go down from the workspace", path=path)
    return "/".join(parts) or "."


def shown(name: bytes | str) -> str:
    """Return a file's name as text that can be stored; bytes that are no UTF-8 are written as escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def kind_of(mode: int) -> str:
    """Return what a file with this mode is: file, folder, link, FIFO, socket or device."""
    return next((name for is_it, name in _KINDS if is_it(mode)), "device")


class Jail:
    """One workspace; every method raises `ToolError` for a path that is refused or is not there."""

    def __init__(self, workspace: Path) -> None:
        self._root = workspace

    @contextmanager
    def folder(self, path: str, *, make: bool = False) -> Iterator[int]:
        """Give a descriptor of a folder; with *make*, folders that are missing are made."""
        try:
            at = os.open(self._root, _FOLDER & ~os.O_NOFOLLOW)
        except OSError as error:
            raise ToolError(f"the workspace {self._root} cannot be opened: {error.strerror}", path=path) from error
        try:
            for part in () if plain(path) == "." else plain(path).split("/"):
                below = self._enter(at, part, path, make=make)
                os.close(at)
                at = below
            yield at
        finally:
            os.close(at)

    @contextmanager
    def file(self, path: str) -> Iterator[int]:
        """Give a descriptor to read a regular file by; anything else is refused without waiting for it."""
        name = PurePosixPath(plain(path)).name
        with self.folder(str(PurePosixPath(plain(path)).parent)) as at:
            try:
                opened = os.open(name or ".", _FILE, dir_fd=at)
            except OSError as error:
                raise refusal(path, at, name, error) from error
            try:
                if not stat.S_ISREG(mode := os.fstat(opened).st_mode):
                    raise ToolError(f"{path} is a {kind_of(mode)}, not a file", path=path)
                yield opened
            finally:
                os.close(opened)

    def kind(self, path: str) -> str:
        """Return what *path* is: file, folder, link, FIFO, socket or device."""
        if plain(path) == ".":
            return "folder"
        above, name = str(PurePosixPath(plain(path)).parent), PurePosixPath(plain(path)).name
        with self.folder(above) as at:
            try:
                return kind_of(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
            except OSError as error:
                raise refusal(path, at, name, error) from error

    def _enter(self, at: int, part: str, path: str, *, make: bool) -> int:
        if make:
            try:
                os.mkdir(part, dir_fd=at)
            except FileExistsError:
                pass
            except OSError as error:
                raise refusal(path, at, part, error) from error
        try:
            return os.open(part, _FOLDER, dir_fd=at)
        except OSError as error:
            raise refusal(path, at, part, error) from error


def refusal(path: str, at: int, name: str, error: OSError) -> ToolError:
    """Return why *name* in the folder *at* could not be used, as an error about *path*."""
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        try:
            mode = os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
        except OSError:
            return ToolError(f"{path}: {name} changed meanwhile", path=path)
        if stat.S_ISLNK(mode):
            return ToolError(f"{path}: {name} is a symbolic link; name what it points to, if that is here", path=path)
        return ToolError(f"{path}: {name} is a {kind_of(mode)}, not a folder", path=path)
    if error.errno == errno.ENXIO:
        return ToolError(f"{path} is a socket or a device, not a file", path=path)
    return ToolError(f"{path}: {error.strerror}", path=path)
