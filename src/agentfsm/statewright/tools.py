"""The canonical tools: one row a tool, with its rung, its effect and the names that harnesses give it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Literal, TypeAlias

from attrs import frozen

from agentfsm.statewright.pattern import is_pattern
from agentfsm.statewright.plain import same_key

__all__ = (
    "TOOLS",
    "EffectClass",
    "Rung",
    "Tool",
    "canonical_name",
    "listed_name",
    "rung_of",
    "rung_of_list",
    "tool_of",
)

EffectClass: TypeAlias = Literal["pure", "idempotent", "once"]


class Rung(IntEnum):
    """A step of the privilege ladder, lowest first; what is not known stands highest."""

    READ_ONLY = 0
    WRITE = 1
    EXECUTE = 2
    GIT_MUTATE = 3
    EXTERNAL = 4


@frozen
class Tool:
    """
    One canonical tool.

    *same* are names for just this tool: in a call and in a list they mean it. *lesser* are names of tools that can do
    a part of it: such a call passes where this tool may, but listing one does not open this tool.
    """

    name: str
    rung: Rung
    effect: EffectClass
    same: tuple[str, ...] = ()
    lesser: tuple[str, ...] = ()


def _row(name: str, rung: Rung, effect: EffectClass, same: str = "", lesser: str = "") -> Tool:
    return Tool(name, rung, effect, tuple(same.split()), tuple(lesser.split()))


_R, _W, _X, _G, _E = Rung

# Where the names are from: snake_case, the standard's list; Claude Code and Cursor, their hook payloads and tool lists;
# Codex shell, exec_command, apply_patch; opencode and Pi, lower case; Gemini CLI run_shell_command, replace and more.
TOOLS: tuple[Tool, ...] = (
    _row("Read", _R, "pure", "read_file read", "read_many_files view_image NotebookRead"),
    _row("Grep", _R, "pure", "search_files search_file_content grep_search", "codebase_search"),
    _row("Glob", _R, "pure", "find file_search find_files"),
    _row("LS", _R, "pure", "list_directory list_dir list"),
    _row("GitStatus", _R, "pure", "git_status"),
    _row("GitDiff", _R, "pure", "git_diff"),
    _row("GitLog", _R, "pure", "git_log"),
    _row("Write", _W, "idempotent", "write_file", "create_file"),
    _row("Edit", _W, "once", "edit_file replace search_replace StrReplace str_replace"),
    _row("MultiEdit", _W, "once", "multi_edit"),
    _row("NotebookEdit", _W, "once", "notebook_edit edit_notebook"),
    _row("Delete", _W, "idempotent", "delete_file"),
    _row("Bash", _X, "once", "run_command run_shell_command run_terminal_cmd Shell local_shell exec_command"),
    _row("RunTests", _X, "idempotent", "run_test run_tests"),
    _row("RunBuild", _X, "idempotent", "run_build"),
    _row("GitAdd", _G, "idempotent", "git_add"),
    _row("GitCommit", _G, "once", "git_commit"),
    _row("GitPush", _G, "once", "git_push"),
    _row("GitCheckout", _G, "once", "git_checkout"),
    _row("GitBranch", _G, "once", "git_branch"),
    _row("GitWrite", _G, "once", "__GIT_WRITE__"),
    _row("WebFetch", _E, "idempotent", "web_fetch"),
    _row("WebSearch", _E, "idempotent", "web_search google_web_search"),
    _row("Deploy", _E, "once"),
    _row("DatabaseQuery", _E, "pure", "database_query"),
    _row("DatabaseMutate", _E, "once", "database_mutate"),
    _row("Destructive", _E, "once", "__DESTRUCTIVE__"),
)

_IN_CALLS = {same_key(name): tool for tool in TOOLS for name in (tool.name, *tool.same, *tool.lesser)}
_IN_LISTS = {same_key(name): tool for tool in TOOLS for name in (tool.name, *tool.same)}

# The standard's own names (rule 15) say more than the folds: http_request may do what WebFetch cannot.
_NAMES: dict[Rung, str] = {
    _R: "read_file search_files list_directory grep git_status git_log git_diff "
    "Read Grep Glob LS GitStatus GitDiff GitLog",
    _W: "write_file edit_file create_file delete_file Write Edit MultiEdit NotebookEdit Delete",
    _X: "run_command run_test run_build Bash RunTests RunBuild",
    _G: "git_add git_commit git_push git_checkout git_branch GitAdd GitCommit GitPush GitCheckout GitBranch GitWrite",
    _E: "http_request deploy database_query database_mutate "
    "WebFetch WebSearch Deploy DatabaseQuery DatabaseMutate Destructive",
}
_LADDER = {same_key(name): rung for rung, names in _NAMES.items() for name in names.split()}


def canonical_name(name: str) -> str:
    """Return the canonical tool that a call of *name* needs; an unknown name as it is."""
    tool = _IN_CALLS.get(same_key(name))
    return name if tool is None else tool.name


def listed_name(entry: str) -> str:
    """Return the canonical tool that an entry of a list stands for; any other entry as it is."""
    tool = _IN_LISTS.get(same_key(entry))
    return entry if tool is None else tool.name


def tool_of(name: str) -> Tool | None:
    """Return the row that a call of *name* falls under."""
    return _IN_CALLS.get(same_key(name))


def rung_of(entry: str) -> Rung:
    """Return the rung of a name in a list, by the standard's names alone; what is not known, and any pattern, is 4."""
    return Rung.EXTERNAL if is_pattern(entry) else _LADDER.get(same_key(entry), Rung.EXTERNAL)


def rung_of_list(allowed: Iterable[str] | None, *, is_final: bool) -> Rung:
    """Return the rung of a state: the highest of its list, 4 without one; bans do not lower it, final is 0."""
    if is_final:
        return Rung.READ_ONLY
    return Rung.EXTERNAL if allowed is None else max(map(rung_of, allowed), default=Rung.READ_ONLY)
