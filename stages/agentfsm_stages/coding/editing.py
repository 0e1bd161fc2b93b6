"""Edit and Write: a text in a file replaced, or a file as a whole."""

from __future__ import annotations

import os
import stat
from pathlib import PurePosixPath

from attrs import frozen

from agentfsm import Site, Tool, ToolError, tool
from agentfsm_stages.coding.apart import apart
from agentfsm_stages.coding.differences import difference
from agentfsm_stages.coding.jail import Jail, plain, refusal

__all__ = ("Change", "Edit", "Write")

_LARGEST = 8 << 20  # bytes
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MODE = 0o644


@frozen
class Change:
    """What was changed in a file, as a unified diff, empty where nothing was; *cut* says what was left out of it."""

    path: str
    diff: str
    cut: str = ""


@tool
class Edit(Tool[Change]):
    """
    Replace *old*, which must stand in the file exactly once, with *new*; with *everywhere*, wherever it stands.

    The effect is `once`: where *new* holds *old*, a second time would change the file again.
    """

    path: str
    old: str
    new: str
    everywhere: bool = False

    def writes(self) -> tuple[str, ...]:
        """Name the file, in its one spelling."""
        return (plain(self.path),)

    async def run(self, site: Site) -> Change:
        """Return the change; raises `ToolError`, and changes nothing, where *old* is not there or not clear."""
        if not self.old or self.old == self.new:
            raise ToolError("old is empty" if not self.old else "old and new are the same text", path=self.path)
        return await apart(lambda stop: self._edit(Jail(site.workspace)))

    def _edit(self, jail: Jail) -> Change:
        path = plain(self.path)
        before = text_of(jail, path)
        places = before.count(self.old)
        if not places:
            raise ToolError(f"{path} does not hold {self.old!r:.200}; read it again", path=path)
        if places > 1 and not self.everywhere:
            first = _line_of(before, before.find(self.old))
            second = _line_of(before, before.find(self.old, before.find(self.old) + len(self.old)))
            raise ToolError(
                f"{path} holds {self.old!r:.200} {places} times, in lines {first}, {second}...; give more around it",
                path=path,
            )
        after = before.replace(self.old, self.new)
        put(jail, path, after)
        return _change(path, before, after)


@tool(effect="idempotent")
class Write(Tool[Change]):
    """Write a file as a whole; folders that are missing are made, and what was in the file is gone."""

    path: str
    text: str

    def writes(self) -> tuple[str, ...]:
        """Name the file, in its one spelling."""
        return (plain(self.path),)

    async def run(self, site: Site) -> Change:
        """Return the change; raises `ToolError` for a path that is no file of the workspace."""
        return await apart(lambda stop: self._write(Jail(site.workspace)))

    def _write(self, jail: Jail) -> Change:
        path = plain(self.path)
        before = _before(jail, path)
        put(jail, path, self.text)
        return _change(path, before, self.text)


def text_of(jail: Jail, path: str) -> str:
    """Return the text of a file exactly as it stands there; raises `ToolError` where it is none or too long."""
    with jail.file(path) as opened, os.fdopen(os.dup(opened), "rb") as file:
        size = os.fstat(opened).st_size
        if size > _LARGEST:
            raise ToolError(f"{path} has {size} bytes; files up to {_LARGEST} can be edited", path=path)
        raw = file.read(_LARGEST + 1)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(f"{path} is no UTF-8 text: byte {error.start} is {raw[error.start]:#x}", path=path) from error


def put(jail: Jail, path: str, text: str) -> None:
    """
    Put *text* into a file: written beside it and then moved into its place, so that no reader sees half of it.

    A hard link to the file keeps what it had. Raises `ToolError` for what is there and is no regular file.
    """
    try:
        raw = text.encode()
    except UnicodeEncodeError as error:
        raise ToolError(f"{path}: the text holds half a character at {error.start}", path=path) from error
    if len(raw) > _LARGEST:
        raise ToolError(f"{path}: {len(raw)} bytes are more than {_LARGEST}", path=path)
    name = PurePosixPath(path).name
    beside = f".{name[:100]}.{os.getpid()}.new"
    with jail.folder(str(PurePosixPath(path).parent), make=True) as at:
        mode = _mode(at, name, path)
        try:
            _written(at, beside, raw, mode)
            os.replace(beside, name, src_dir_fd=at, dst_dir_fd=at)
        except OSError as error:
            _remove(at, beside)
            raise refusal(path, at, name, error) from error


def _written(at: int, name: str, raw: bytes, mode: int) -> None:
    with os.fdopen(os.open(name, _NEW, _MODE, dir_fd=at), "wb") as file:
        file.write(raw)
        os.fchmod(file.fileno(), mode)


def _remove(at: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=at)
    except FileNotFoundError:
        return


def _mode(at: int, name: str, path: str) -> int:
    """Return the mode that the file has, or shall have."""
    try:
        facts = os.stat(name, dir_fd=at, follow_symlinks=False)
    except FileNotFoundError:
        return _MODE
    except OSError as error:
        raise refusal(path, at, name, error) from error
    if not stat.S_ISREG(facts.st_mode):
        raise ToolError(f"{path} is there and is no regular file", path=path)
    return stat.S_IMODE(facts.st_mode)


def _before(jail: Jail, path: str) -> str:
    """Return the text that a file is about to lose; empty for a new one, and for one that is no text."""
    above = str(PurePosixPath(path).parent)
    with jail.folder(above, make=True) as at:
        try:
            os.stat(PurePosixPath(path).name or ".", dir_fd=at, follow_symlinks=False)
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise refusal(path, at, PurePosixPath(path).name, error) from error
    with jail.file(path) as opened, os.fdopen(os.dup(opened), "rb") as file:
        return file.read(_LARGEST).decode("utf-8", "replace")


def _change(path: str, before: str, after: str) -> Change:
    told = difference(path, before, after)
    return Change(path, told.text, told.cut)


def _line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
