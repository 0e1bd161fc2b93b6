"""The commands: `agentfsm run`, `replay`, `show`, `check`, `graph`, `import`. An adapter: nothing imports it."""

from __future__ import annotations

from agentfsm.cli.main import main

__all__ = ("main",)
