"""How a classification is shown: as text, as JSON, or as the tree of the commands it follows."""

from __future__ import annotations

import json

from agentfsm.shell.classes import Classification, Effect, OpClass

__all__ = ("as_json", "as_text", "as_tree")

_ORDER = {op: position for position, op in enumerate(OpClass)}


def as_text(answer: Classification) -> str:
    """Return the classes, whether all was understood, and one line for each reason."""
    state = "resolved" if answer.resolved else "unresolved"
    lines = [f"{', '.join(listed(answer))} ({state})"]
    lines += [line(effect) for effect in answer.effects]
    for name, paths in files(answer).items():
        if paths:
            lines.append(f"{name}: {', '.join(map(shortened, paths))}")
    return "\n".join(lines)


def as_json(answer: Classification) -> str:
    """Return one JSON object: classes, resolved, reasons, commands and files."""
    return json.dumps(
        {
            "classes": listed(answer),
            "resolved": answer.resolved,
            "reasons": [
                {
                    "class": reason.op.value,
                    "code": reason.code,
                    "span": [reason.span.start, reason.span.end],
                    "rule": reason.rule,
                    "detail": reason.detail,
                    "resolved": reason.resolved,
                }
                for reason in answer.reasons
            ],
            "commands": [list(command.argv) for command in answer.commands],
            "files": files(answer),
        },
        indent=2,
    )


def as_tree(answer: Classification) -> str:
    """Return each command that could run, with its effects below it; effects of no command come first."""
    lines = [f"{', '.join(listed(answer))} ({'resolved' if answer.resolved else 'unresolved'})"]
    lines += [f"|- {line(effect)}" for effect in answer.effects if effect.owner < 0]
    for number, command in enumerate(answer.commands):
        words = " ".join("…" if word is None else word for word in command.argv)
        lines.append(f"|- {shortened(words)}" + ("  (runs another)" if command.wrapper else ""))
        lines += [f"|  |- {line(effect)}" for effect in answer.effects if effect.owner == number]
    return "\n".join(lines)


def listed(answer: Classification) -> list[str]:
    """Return the names of the classes in the standard's order."""
    return [op.value for op in sorted(answer.classes, key=_ORDER.__getitem__)]


def line(effect: Effect) -> str:
    """Return one effect as a line."""
    reason = effect.reason
    mark = "" if reason.resolved else " (unresolved)"
    about = f": {shortened(reason.detail)}" if reason.detail else ""
    return f"{reason.op.value}{mark} at {reason.span.start}-{reason.span.end}, {reason.rule} {reason.code}{about}"


def files(answer: Classification) -> dict[str, list[str]]:
    """Return the constant paths by what becomes of them."""
    touched = answer.files
    return {"written": list(touched.written), "read": list(touched.read), "deleted": list(touched.deleted)}


def shortened(text: str) -> str:
    """Return *text* on one line, cut at 120 characters, controls shown as escapes."""
    shown = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text[:120])
    return shown + ("…" if len(text) > 120 else "")
