"""The shell classifier as a machine asks it: the two functions of `agentfsm.shell`, and nothing else of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import frozen

from agentfsm.guard import Decision
from agentfsm.statewright.shell_port import Classified, Shell

__all__ = ("BASH",)


@frozen
class _Bash:
    # The classifier is imported when the first command comes: most machines never see one, and it has large tables.

    def classify(self, command: str) -> Classified:
        from agentfsm.shell import classify

        return classify(command)

    def check_against_allowed(
        self, command: str, allowed_tools: Collection[str], allowed_commands: Sequence[str] = ()
    ) -> Decision:
        from agentfsm.shell import check_against_allowed

        return check_against_allowed(command, allowed_tools, allowed_commands)


BASH: Shell = _Bash()
