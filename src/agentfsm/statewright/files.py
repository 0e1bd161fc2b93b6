"""Files: one name for one file, and the text that an edit would change."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path
from typing import Protocol

from attrs import field, frozen

__all__ = ("DiskFiles", "Files", "NamedFiles")


class Files(Protocol):
    """What the guard has to know of the file system."""

    def identify(self, path: str) -> tuple[str, ...]:
        """Return the names of the file at *path*, from the root with `/`: the one that tells it from others last."""
        ...

    def text(self, path: str) -> str | None:
        """Return the text of the file, "" when there is none, None when it cannot be read."""
        ...


@frozen
class NamedFiles:
    """Files known by name alone: no disk is asked, so symbolic links are not seen. For tests and replays."""

    root: str = "/"

    def identify(self, path: str) -> tuple[str, ...]:
        return (_below(posixpath.normpath(posixpath.join(self.root, path.replace("\\", "/"))), self.root),)

    def text(self, path: str) -> str | None:
        return None


@frozen
class DiskFiles:
    """The files below *root* on this machine: links are followed, case is folded where the disk folds it."""

    root: Path = field(factory=Path.cwd, converter=Path)

    def identify(self, path: str) -> tuple[str, ...]:
        root = os.path.realpath(self.root)
        lexical = os.path.normpath(Path(root, path))
        real = os.path.realpath(lexical)
        names = [_below(_slashes(name), _slashes(root)) for name in (lexical, real)]
        return tuple(dict.fromkeys([*names, self._folded(real, names[-1])]))

    def text(self, path: str) -> str | None:
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError, ValueError):
            return None

    def _folded(self, real: str, name: str) -> str:
        """On a disk that ignores case two spellings are one file: the one with the same number."""
        return name.casefold() if _ignores_case(real) else name


def _ignores_case(path: str) -> bool:
    """Ask the nearest thing on the way to *path* that is there and has a letter in its name."""
    for place in (Path(path), *Path(path).parents):
        other = place.with_name(place.name.swapcase()) if place.name else place
        if other != place and os.path.lexists(place):
            return os.path.lexists(other) and place.samefile(other)
    return False


def _slashes(path: str) -> str:
    return path.replace(os.sep, "/")


def _below(path: str, root: str) -> str:
    """The path from *root* where it lies below it, else as it is."""
    prefix = root.rstrip("/") + "/"
    return path.removeprefix(prefix)
