"""`check_against_allowed`: whether what a lifecycle state opens covers what a command could do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

from agentfsm.guard import Decision
from agentfsm.shell.classes import Classification, Command, Effect, OpClass
from agentfsm.shell.classify import classify
from agentfsm.shell.programs import has_subcommands

__all__ = ("OPENERS", "check_against_allowed")

OPENERS: dict[OpClass, tuple[str, ...]] = {
    OpClass.FILE_WRITE: ("Write",),
    OpClass.FILE_MODIFY: ("Write", "Edit"),
    OpClass.FILE_READ: ("Read",),
    OpClass.CONTENT_SEARCH: ("Grep", "Read"),
    OpClass.FILE_SEARCH: ("Glob", "Read"),
    OpClass.GIT_READ: ("Read",),
    OpClass.NETWORK: ("WebFetch",),
    OpClass.GIT_WRITE: ("GitWrite", "__GIT_WRITE__"),
    OpClass.DESTRUCTIVE: ("Destructive", "__DESTRUCTIVE__"),
}
"""For each class, the tools any of which opens it. Passthrough needs none but Bash itself."""

_SENTINELS = frozenset({OpClass.GIT_WRITE, OpClass.DESTRUCTIVE})


def check_against_allowed(
    command: str, allowed_tools: Collection[str], allowed_commands: Sequence[str] = ()
) -> Decision:
    """
    Say whether *command* may run where *allowed_tools* and *allowed_commands* are open.

    Bash itself must be allowed. *allowed_commands* is a limit (every simple command must match an entry) and a key
    (a match opens every effect of that argv, but none of redirections, substitutions or other commands). What is
    unresolved is opened by an entry only, never by a tool's name. The message names the first blocked effect and
    what would open it.
    """
    if "Bash" not in allowed_tools:
        return Decision("deny", "tool_not_allowed", "Bash is not allowed in this state", guard="shell")
    answer = classify(command)
    entries = tuple(tuple(entry.split()) for entry in allowed_commands)
    if entries and (stranger := unlisted(answer, entries)) is not None:
        words = " ".join("…" if word is None else word for word in stranger.argv)
        reason = f"`{words[:120]}` matches no allowed command ({', '.join(allowed_commands)})"
        return Decision("deny", "command_not_listed", reason, guard="shell")
    for effect in answer.effects:
        if not opened(answer, effect, allowed_tools, entries):
            return refusal(effect)
    return Decision("allow", "allowed", "every effect is open in this state", guard="shell")


def unlisted(answer: Classification, entries: tuple[tuple[str, ...], ...]) -> Command | None:
    """Return the first simple command that no entry covers; wrappers around a listed command are covered by it."""
    for command in answer.commands:
        if not command.wrapper and not any(matches(entry, command) for entry in entries):
            return command
    return None


def matches(entry: tuple[str, ...], command: Command) -> bool:
    """Whether the words of *entry* equal the first words of the command; each word may be a glob."""
    if begins(entry, command.argv):
        return True
    return any(len(entry) > payload and begins(entry, words) for words, payload in command.longer)


def begins(entry: tuple[str, ...], argv: tuple[str | None, ...]) -> bool:
    """Whether *argv* begins with the words of *entry*; a word of unknown value equals nothing."""
    if not entry or len(entry) > len(argv):
        return False
    return all(word is not None and fnmatchcase(word, pattern) for pattern, word in zip(entry, argv, strict=False))


def opened(
    answer: Classification, effect: Effect, tools: Collection[str], entries: tuple[tuple[str, ...], ...]
) -> bool:
    """Whether an effect is open: by a tool's name, or by an entry that matches the command it belongs to."""
    reason = effect.reason
    if reason.op is OpClass.PASSTHROUGH:
        return True
    if reason.resolved and any(tool in tools for tool in OPENERS[reason.op]):
        return True
    if effect.owner < 0:
        return False
    command = answer.commands[effect.owner]
    for entry in entries:
        too_short = len(entry) == 1 and reason.op in _SENTINELS and has_subcommands(entry[0])
        if not too_short and matches(entry, command):
            return True
    return False


def refusal(effect: Effect) -> Decision:
    """Return the decision that names an effect and what would open it."""
    reason = effect.reason
    about = f" ({reason.detail})" if reason.detail else ""
    where = f"at bytes {reason.span.start}-{reason.span.end}"
    if not reason.resolved:
        text = f"{reason.rule}: {reason.code}{about} {where} cannot be resolved; only allowed_commands can open it"
        return Decision("deny", reason.code, text, guard="shell")
    openers = " or ".join(OPENERS[reason.op])
    text = f"{reason.rule}: {reason.code}{about} {where} is {reason.op.value}, which needs {openers}"
    return Decision("deny", reason.code, text, guard="shell")
