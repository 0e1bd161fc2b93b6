"""
Recordings of mini-swe-agent: `.traj.json` files.

A file is a list of messages, or an object with `messages`, `info` and `trajectory_format`. Up to version 1 every action
is a fenced block of the shell in a reply; from version 2 (`mini-swe-agent-1.1`) it is a call by name, or an item of a
responses answer, and `extra.actions` says what ran. Format: https://mini-swe-agent.com/latest/usage/output_files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from attrs import frozen

from agentfsm.migrate.trajectories.blocks import Found, fenced, tagged, without
from agentfsm.migrate.trajectories.document import Node
from agentfsm.migrate.trajectories.ending import cut_off, handed_in, is_submission, stopped, unanswered
from agentfsm.migrate.trajectories.recording import Ending, RecordedCall, RecordedStep
from agentfsm.migrate.trajectories.toolcalls import Called, calls_of

__all__ = ("blocks", "ending", "is_refusal", "is_turn", "messages", "role", "steps", "task", "text_of")

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "exit"})
_MARKERS = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_ITEMS = {"function_call": "assistant", "function_call_output": "tool", "reasoning": "assistant"}


@frozen
class _Turn:
    """A reply of the model, or a command that a person typed, with what came back."""

    reply: Node
    answers: tuple[Node, ...]


def messages(root: Node) -> tuple[Node, ...]:
    """Return the messages; each has a role that is known here."""
    found = root if isinstance(root.value, list) else root.member("messages")
    listed = tuple(found.items())
    for message in listed:
        role(message)
    return listed


def role(message: Node) -> str:
    """Return who speaks; an answer of the responses interface, and an item of one, are told by their type."""
    given = message.member("role")
    if given.is_absent:
        if message.member("object").value == "response":
            return "assistant"
        kind = message.member("type").value
        if isinstance(kind, str) and kind in _ITEMS:
            return _ITEMS[kind]
    if not isinstance(given.value, str) or given.value not in ROLES:
        raise given.fault(f"one of {', '.join(sorted(ROLES))}")
    return given.value


def task(listed: Sequence[Node]) -> str:
    """Return what was asked before the first reply."""
    said: list[str] = []
    for message in listed:
        if is_turn(message):
            break
        if role(message) == "user":
            said.append(text_of(message))
    return "\n\n".join(said)


def is_turn(message: Node) -> bool:
    """
    Tell whether a step begins here.

    That is at a reply, at a command that a person typed, and at the refusal of a reply that is kept nowhere else.
    """
    if role(message) == "assistant":
        return True
    extra = message.member("extra")
    if role(message) != "user" or extra.is_absent:
        return False
    kept = any(not extra.member(key).is_absent for key in ("model_response", "response"))
    return bool(extra.member("actions").value) or (extra.member("interrupt_type").value == "FormatError" and kept)


def text_of(message: Node) -> str:
    """Return the text of a message, or of an answer of the responses interface."""
    if message.member("object").value == "response":
        items = (item for item in message.member("output").items() if item.member("type").value == "message")
        return "\n".join(item.member("content").text() for item in items)
    if message.member("type").value == "function_call_output":
        return message.member("output").text()
    return message.member("content").text()


def steps(listed: Sequence[Node]) -> tuple[RecordedStep, ...]:
    """Return one step for each reply."""
    found: list[RecordedStep] = []
    action = 0
    for turn in _turns(listed):
        step = _step(turn, action)
        action += len(step.calls)
        found.append(step)
    return tuple(found)


def is_refusal(message: Node) -> bool:
    """Tell whether a message refuses the form of a reply: nothing of that reply ran."""
    extra = message.member("extra")
    if not extra.is_absent and not (kind := extra.member("interrupt_type")).is_absent:
        return kind.value == "FormatError"
    text = text_of(message)
    # Both templates that mini-swe-agent ships say it in capitals, and no observation of theirs begins so.
    return "EXACTLY ONE" in text[:400] and "<returncode>" not in text


def blocks(text: str) -> tuple[Found, ...]:
    """Return the blocks that are actions: those under mini-swe-agent's own name, else those of the shell."""
    name = "mswea_bash_command"
    return fenced(text, name) or tagged(text, name) or fenced(text, "bash")


def ending(root: Node, listed: Sequence[Node], steps: tuple[RecordedStep, ...]) -> Ending:
    """
    Return how the run ended.

    The message with the role `exit` says it, or `info`; a file with neither ended with what it submitted, if its last
    command is the one that hands in.
    """
    info = root.member("info") if isinstance(root.value, dict) else Node(None, root.file)
    last = listed[-1] if listed else Node({}, root.file)
    left = last if listed and role(last) == "exit" else Node({}, root.file)
    status = _said("exit_status", left.member("extra"), info).strip()
    submission = _said("submission", left.member("extra"), info)
    heard = text_of(last) if listed and not is_turn(last) else ""
    if not status and left is last and listed:
        status = heard.strip() or "exit"
    if is_submission(status):
        return handed_in(status, submission if submission.strip() else heard)
    if status:
        return stopped(status, heard if left is last or role(last) == "user" else "", submission)
    if _hands_in(steps) and heard and not _is_observation(heard):
        return handed_in("", heard)
    if _hands_in(steps) and listed and not is_turn(last) and not heard.strip():
        return handed_in("", submission)
    return unanswered(steps) or cut_off(steps)


def _turns(listed: Sequence[Node]) -> Iterator[_Turn]:
    starts = [place for place, message in enumerate(listed) if is_turn(message)]
    for start, end in pairwise([*starts, len(listed)]):
        answers = tuple(m for m in listed[start + 1 : end] if role(m) not in ("system", "developer"))
        yield _Turn(listed[start], answers)


def _step(turn: _Turn, action: int) -> RecordedStep:
    reply = turn.reply
    at, ended = _time(reply), _time(turn.answers[-1]) if turn.answers else None
    seconds = ended - at if at is not None and ended is not None and ended >= at else None
    answers = tuple(answer for answer in turn.answers if role(answer) != "exit")
    left = next((answer for answer in turn.answers if role(answer) == "exit"), None)
    said = text_of(reply)
    if role(reply) == "user" and not reply.member("extra").member("actions").value:
        return RecordedStep(_refused_reply(reply), (), said, seconds, at)
    ran = _ran(reply, turn.answers)
    calls = tuple(_call(each, action + place, answers) for place, each in enumerate(ran))
    heard = [text_of(answer) for answer in answers]
    if left is not None and calls and not answers:
        heard.append(text_of(left))  # what was handed in is what the last command printed
    thought = "" if role(reply) == "user" else without(said, blocks(said))
    return RecordedStep(thought or _reasoning(reply), calls, "\n".join(heard), seconds, at)


def _ran(reply: Node, answers: Sequence[Node]) -> tuple[Called, ...]:
    """Return the actions of a reply: what the file says ran, else the calls, else the blocks."""
    extra = reply.member("extra")
    actions = Node(None, reply.file) if extra.is_absent else extra.member("actions")
    if actions.value:
        return tuple(map(_action, actions.items()))
    if calls := calls_of(reply):
        return calls
    found = blocks(text_of(reply))
    if len(found) != 1 and answers and is_refusal(answers[0]):
        return ()
    return tuple(Called("bash", {"command": block.action}, "") for block in found if block.action)


def _action(node: Node) -> Called:
    """Read one entry of `extra.actions`: the command, with the key of the call it came from."""
    if isinstance(node.value, str):
        return Called("bash", {"command": node.value}, "")
    command = node.member("command") if node.member("action").is_absent else node.member("action")
    if not isinstance(command.value, str):
        raise command.fault("the text of a command")
    return Called("bash", {"command": command.value}, "", node.member("tool_call_id").text())


def _call(each: Called, action: int, answers: Sequence[Node]) -> RecordedCall:
    """Every tool of mini-swe-agent is the shell."""
    output = None
    for answer in answers:
        key = answer.member("tool_call_id" if answer.member("call_id").is_absent else "call_id").value
        if each.key and key == each.key:
            output = text_of(answer)
    return RecordedCall("Bash", {"command": each.raw}, each.raw, action, output)


def _refused_reply(message: Node) -> str:
    """Return the text of a reply that was refused and that only the refusal kept."""
    extra = message.member("extra")
    if not (kept := extra.member("model_response")).is_absent:
        return kept.text()
    response = extra.member("response")
    if response.member("choices").is_absent:
        return text_of(response)
    for choice in response.member("choices").items():
        return choice.member("message").member("content").text()
    return ""


def _reasoning(reply: Node) -> str:
    return reply.member("reasoning_content").text()


def _time(message: Node) -> float | None:
    """Return when a message was written, in seconds since 1970: a number, or a date and time."""
    extra = message.member("extra")
    given = message.member("timestamp")
    if given.is_absent and not extra.is_absent:
        given = extra.member("timestamp")
    if not isinstance(given.value, str):
        return given.number()
    try:
        return datetime.fromisoformat(given.value).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise given.fault("a time", repr(given.value[:40])) from error


def _said(key: str, *places: Node) -> str:
    return next((text for place in places if not place.is_absent and (text := place.member(key).text())), "")


def _hands_in(steps: Sequence[RecordedStep]) -> bool:
    calls = steps[-1].calls if steps else ()
    return bool(calls) and any(marker in calls[-1].raw for marker in _MARKERS)


def _is_observation(text: str) -> bool:
    head = text.lstrip()[:200]
    return "returncode" in head or head.startswith(("Observation:", "<output>", "<exception>"))
