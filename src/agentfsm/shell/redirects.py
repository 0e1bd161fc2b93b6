"""Redirections: what each form opens (bash manual, Redirections)."""

from __future__ import annotations

import re

from agentfsm.shell.classes import OpClass
from agentfsm.shell.paths import located, read_class, write_class
from agentfsm.shell.record import Record
from agentfsm.shell.values import NUMBER, is_constant

__all__ = ("OPENS", "judge_redirect")

OPENS: dict[str, str] = {
    "<": "r",
    ">": "w",
    ">>": "w",
    ">|": "w",
    "<>": "w",
    "&>": "w",
    "&>>": "w",
    ">&": "d",
    "<&": "",
}
"""What a redirection opens: r reads, w writes, d writes unless its target is a descriptor, nothing otherwise."""

_DESCRIPTOR = re.compile(rf"(?:[0-9]+-?|-|{NUMBER}-?)\Z")


def judge_redirect(record: Record, operator: str, target: str, folder: str | None) -> None:
    """Note what opening *target* by *operator* does."""
    mode = OPENS.get(operator)
    if mode is None:
        record.note(OpClass.DESTRUCTIVE, "unknown_redirect", operator, target, resolved=False)
        return
    if not mode or (mode == "d" and _DESCRIPTOR.match(target)):
        return
    path = located(target, folder)
    op = read_class(path) if mode == "r" else write_class(path)
    if op is None:
        return
    code = "reads_file" if mode == "r" else "writes_file"
    record.note(op, "opens_socket" if op is OpClass.NETWORK else code, operator, path)
    if is_constant(path):
        (record.read if mode == "r" else record.written)[path] = None
