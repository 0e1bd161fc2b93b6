"""A classifier for tests that knows three kinds of commands: reads, redirected writes, and all else."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import frozen

from agentfsm.guard import Decision

__all__ = ("FakeShell",)


@frozen
class _Touched:
    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


@frozen
class _Told:
    classes: frozenset[str]
    resolved: bool = True
    files: _Touched = _Touched()


@frozen
class FakeShell:
    """`cat FILE` reads, `cat > FILE` writes, the rest is destructive."""

    def classify(self, command: str) -> _Told:
        words = command.split()
        if words[:2] == ["cat", ">"] and len(words) > 2:
            return _Told(frozenset({"FileWrite"}), files=_Touched((words[2],)))
        if words[:1] == ["cat"]:
            return _Told(frozenset({"FileRead"}))
        return _Told(frozenset({"Destructive"}), resolved=False)

    def check_against_allowed(
        self, command: str, allowed_tools: Collection[str], allowed_commands: Sequence[str] = ()
    ) -> Decision:
        if allowed_commands:
            listed = any(command.split()[: len(entry.split())] == entry.split() for entry in allowed_commands)
            return Decision("allow") if listed else Decision("deny", "command_not_listed", "not listed")
        needs = {"FileWrite": "Write", "FileRead": "Read", "Destructive": "Destructive"}
        for name in sorted(needs[each] for each in self.classify(command).classes):
            if name not in allowed_tools:
                return Decision("deny", "blocked_effect", f"the command needs {name}")
        return Decision("allow")
