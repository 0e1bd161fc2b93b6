"""A law: one definition made ready to be asked, with what it has to know of the world."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen

from agentfsm.statewright.bounds import Bounds
from agentfsm.statewright.definition import Definition, State
from agentfsm.statewright.enforcement import ToolLists
from agentfsm.statewright.files import Files
from agentfsm.statewright.guard_check import protected_fields
from agentfsm.statewright.plain import same_key
from agentfsm.statewright.shell_port import Shell
from agentfsm.statewright.tools import TOOLS, canonical_name, listed_name, tool_of

__all__ = ("FoldedLists", "Law", "compiled_lists")

_SENTINELS = frozenset({"GitWrite", "Destructive"})


@frozen
class FoldedLists:
    """
    The lists of one state, asked with names folded.

    A call passes by its own name or by its canonical one, and is banned by any name of its tool. An entry stands for
    its canonical tool only where the two are the same tool, so no fold widens what the list says.
    """

    plain: ToolLists
    opened: frozenset[str]
    closed: frozenset[str]

    @classmethod
    def of(cls, state: State) -> FoldedLists:
        opened = frozenset(same_key(listed_name(entry)) for entry in state.allowed_tools or ())
        closed = frozenset(same_key(listed_name(entry)) for entry in state.disallowed_tools)
        return cls(ToolLists.of(state), opened, closed)

    def banned(self, name: str) -> bool:
        tool = tool_of(name)
        names = (name,) if tool is None else (name, tool.name, *tool.same)
        return same_key(canonical_name(name)) in self.closed or any(map(self.plain.banned.match, names))

    def objection(self, name: str) -> str | None:
        """Why a call of *name* is blocked, as a code, or None: final first, then a ban, then the list."""
        if self.plain.is_final:
            return "final_state"
        if self.banned(name):
            return "disallowed"
        tool = canonical_name(name)
        allowed = self.plain.allowed
        if allowed is None or same_key(tool) in self.opened or allowed.match(name) or allowed.match(tool):
            return None
        return "not_listed"

    def canonical_tools(self) -> frozenset[str]:
        """The canonical tools that pass; the two sentinels only where they are listed by name."""
        listed = {tool.name for tool in TOOLS if same_key(tool.name) in self.opened}
        passing = (tool.name for tool in TOOLS if self.objection(tool.name) is None)
        return frozenset(name for name in passing if name not in _SENTINELS or name in listed)


def compiled_lists(definition: Definition) -> Mapping[str, FoldedLists]:
    """Return the lists of each state, ready to be asked."""
    return MappingProxyType({name: FoldedLists.of(state) for name, state in definition.states.items()})


@frozen(eq=False)
class Law:
    """
    A definition with its lists compiled, the machines it may invoke, its bounds, and the two ports.

    *shell* says what a command could do, *files* what a path names. Everything a decision depends on is here, in the
    session and in the call.
    """

    definition: Definition
    lists: Mapping[str, FoldedLists]
    children: Mapping[str, Law]
    shell: Shell
    files: Files
    bounds: Bounds

    @property
    def protected(self) -> frozenset[str]:
        """The context keys that an agent's data may not set."""
        return protected_fields(self.definition.guards, self.definition.agent_context)

    def state(self, name: str) -> State:
        return self.definition.states[name]
