"""The reader of arguments by an option grammar, and what they come to by their roles."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from agentfsm.shell.call import Call
from agentfsm.shell.programs.lexicon import judged_by_name
from agentfsm.shell.programs.roles import add, play
from agentfsm.shell.programs.spec import Option, Spec
from agentfsm.shell.values import NUMBER, TAME, UNKNOWN, Arg

__all__ = ("Parsed", "apply", "read_arguments", "taken")

_UNKNOWNS = (UNKNOWN, TAME, NUMBER)


@define
class Parsed:
    """Arguments by an option grammar: options in order, and operands."""

    options: list[tuple[Option, Arg | None]] = field(factory=list)
    operands: list[Arg] = field(factory=list)

    def has(self, *names: str) -> bool:
        """Whether one of the options was given."""
        return any(option.name in names for option, _ in self.options)

    def values(self, *names: str) -> list[Arg]:
        """Return the values given to the options."""
        return [value for option, value in self.options if option.name in names and value is not None]


def read_arguments(call: Call, spec: Spec, args: Sequence[Arg]) -> Parsed:
    """Sort *args* into options and operands; what cannot be sorted is noted as unresolved."""
    found = Parsed()
    queue = list(args)
    position = 0
    ended = False
    while position < len(queue):
        arg = queue[position]
        position += 1
        text = arg.text
        if ended or (text[:1] != "-" and not arg.loose) or text == "-":
            found.operands.append(arg)
            ended = ended or ("stop" in spec.flags and bool(text) and text[0] != "+")
        elif arg.loose or text[1:2] in _UNKNOWNS:
            if spec.risky:
                call.unresolved("loose_argument")
            found.operands.append(arg)
        elif text == "--":
            ended = True
        elif text.startswith("--") or "dash" in spec.flags:
            position += _long(call, spec, found, arg, queue[position : position + 1])
        else:
            position += _short(call, spec, found, arg, queue[position : position + 1])
    return found


def _long(call: Call, spec: Spec, found: Parsed, arg: Arg, following: list[Arg]) -> int:
    """Read a long option; return how many further arguments it took."""
    name, has_value, value = arg.text.partition("=")
    candidates = spec.long(name)
    if not candidates and "dash" in spec.flags and name.startswith("--"):
        candidates = spec.long(name[1:])
    if not candidates:
        _unknown(call, spec, name)
        return 0
    option = candidates[0]
    if len(candidates) > 1 and any(other.risky for other in candidates):
        call.unresolved("ambiguous_option", name)
    if has_value:
        found.options.append((option, Arg(value, glob=arg.glob)))
        return 0
    if option.value == "=":
        found.options.append((option, taken(call, spec, following)))
        return 1
    found.options.append((option, None))
    return 0


def _short(call: Call, spec: Spec, found: Parsed, arg: Arg, following: list[Arg]) -> int:
    """Read a cluster of short options; return how many further arguments it took."""
    text = arg.text
    call.spend(len(text) // 2)
    if len(text) > 2 and text.partition("=")[0] in spec.options:
        return _long(call, spec, found, arg, following)
    for position in range(1, len(text)):
        letter = text[position]
        option = spec.options.get("-" + letter)
        if option is None:
            if letter.isdigit() or letter in _UNKNOWNS:
                if letter in _UNKNOWNS and spec.risky:
                    call.unresolved("loose_argument")
                continue
            _unknown(call, spec, "-" + letter)
            if "pure" not in spec.flags:
                return 0
            continue
        if option.value == "":
            found.options.append((option, None))
            continue
        rest = text[position + 1 :]
        if rest or option.value == "=?":
            found.options.append((option, Arg(rest, glob=arg.glob) if rest else None))
            return 0
        found.options.append((option, taken(call, spec, following)))
        return 1
    return 0


def taken(call: Call, spec: Spec, following: list[Arg]) -> Arg:
    """Return the argument that an option takes as its value; one that may become several words is unresolved."""
    if not following:
        return Arg("")
    if following[0].loose and spec.risky:
        call.unresolved("loose_argument")
    return following[0]


def _unknown(call: Call, spec: Spec, name: str) -> None:
    """Judge an option that the row does not name."""
    if "strict" in spec.flags:
        call.unresolved("unknown_option", name)
    elif "words" in spec.flags:
        add(call, judged_by_name(name), name)


def apply(call: Call, spec: Spec, found: Parsed) -> None:
    """Note what the row says about the options and operands that were found."""
    add(call, spec.adds)
    for option, value in found.options:
        add(call, option.adds, option.name)
        if value is not None:
            play(call, option.role, value)
    operands = found.operands
    roles = spec.operands
    if not roles:
        return
    last = roles[-1] if roles[-1].endswith("$") else ""
    if last and operands:
        play(call, last[0], operands[-1])
        operands, roles = operands[:-1], roles[:-1]
    for position, operand in enumerate(operands):
        if not roles:
            break
        role = roles[min(position, len(roles) - 1)]
        if position >= len(roles) and not role.endswith("*"):
            break
        play(call, role[0], operand)
