"""Glob and LS: which files there are."""

from __future__ import annotations

from itertools import islice
from threading import Event

from attrs import frozen

from agentfsm import Site, Tool, ToolError, tool
from agentfsm_stages.coding.apart import apart
from agentfsm_stages.coding.jail import Jail, kind_of, plain, shown
from agentfsm_stages.coding.walking import Walk, entries, matches

__all__ = ("LS", "Glob", "Item", "Listing", "Paths")

_MOST_PATHS = 1_000
_MOST_ITEMS = 1_000


@frozen
class Paths:
    """Files by their paths from the workspace; *cut* says what was left out."""

    paths: tuple[str, ...]
    cut: str = ""


@frozen
class Item:
    """One thing in a folder: its name, its kind (file, folder, link, FIFO, socket or device), and its size in bytes."""

    name: str
    kind: str
    size: int


@frozen
class Listing:
    """What is in one folder; *cut* says what was left out."""

    path: str
    items: tuple[Item, ...]
    cut: str = ""


@tool(effect="pure")
class Glob(Tool[Paths]):
    """Find files by a pattern such as ``src/**/*.py``, read from the workspace; links are not followed."""

    pattern: str

    async def run(self, site: Site) -> Paths:
        """Return the paths that match, a folder's own before those further down."""
        pattern = plain(self.pattern)
        return await apart(lambda stop: self._find(pattern, Jail(site.workspace), stop))

    def _find(self, pattern: str, jail: Jail, stop: Event) -> Paths:
        walk = Walk(jail, ".", stop)
        found = list(islice((path for path in walk if matches(path, pattern)), _MOST_PATHS + 1))
        more = f"only the first {_MOST_PATHS} paths" if len(found) > _MOST_PATHS else ""
        return Paths(tuple(map(shown, found[:_MOST_PATHS])), more or walk.cut)


@tool(effect="pure")
class LS(Tool[Listing]):
    """List what is in one folder."""

    path: str = "."

    async def run(self, site: Site) -> Listing:
        """Return the folder's entries by name; raises `ToolError` for what is no folder of the workspace."""
        return await apart(lambda stop: self._list(Jail(site.workspace)))

    def _list(self, jail: Jail) -> Listing:
        path = plain(self.path)
        if (kind := jail.kind(path)) != "folder":
            raise ToolError(f"{path} is a {kind}, not a folder", path=path)
        found = entries(jail, path)
        items = tuple(Item(shown(name), kind_of(facts.st_mode), facts.st_size) for name, facts in found[:_MOST_ITEMS])
        return Listing(path, items, f"only {_MOST_ITEMS} of {len(found)} entries" if len(found) > _MOST_ITEMS else "")
