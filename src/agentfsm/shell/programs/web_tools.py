"""Builders of web pages with subcommands: they build, serve, test or check (their manuals)."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import names

__all__ = ("WEB_TOOLS", "web_tool")

WEB_TOOLS = names(
    "webpack vite rspack parcel next nuxt astro gatsby ng nest svelte-kit vue-cli-service react-scripts storybook "
    "docusaurus hexo rsbuild"
)
_SERVES = frozenset(names("serve dev start preview watch develop server s optimize"))
_CHECKS = frozenset(names("test lint check typecheck info telemetry version help inspect sync"))
_SERVES_BARE = frozenset(names("vite next parcel nuxt"))
_ROW = "words | . | -w!N --watch!N -c=:o --config=:o -o=:w --output-path=:w -p= --port= --mode= --env= --host=?"


def web_tool(call: Call) -> None:
    """A server runs the project's code and listens; a check does neither; all else builds."""
    spec = compiled(_ROW)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if any(arg.text in ("--help", "-h", "--version", "-v") for arg in call.args):
        return
    action = found.operands[0].text if found.operands else ""
    if action in _SERVES or (not action and call.name in _SERVES_BARE):
        add(call, "NU", action or call.name)
    elif action not in _CHECKS:
        add(call, "W", action or call.name)
