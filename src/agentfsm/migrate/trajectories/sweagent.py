"""
Recordings of SWE-agent: `.traj` files.

A file holds `trajectory` (one entry a step: thought, action, observation and more), `history` (the messages), or both.
Where both stand the trajectory is the record, for it alone has the steps that the harness made the model repeat, and
the history lends it the arguments of calls by name. Format: https://swe-agent.com/latest/usage/trajectories.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from attrs import define, frozen

from agentfsm.migrate.trajectories.blocks import Written, last_action
from agentfsm.migrate.trajectories.canonical import SHELL
from agentfsm.migrate.trajectories.commands import Command, command_of, commands
from agentfsm.migrate.trajectories.document import Node
from agentfsm.migrate.trajectories.recording import RecordedCall, RecordedStep
from agentfsm.migrate.trajectories.statements import first_word
from agentfsm.migrate.trajectories.toolcalls import Called, calls_of, loose

__all__ = ("ROLES", "attempt", "messages", "steps", "task")

ROLES = frozenset({"system", "user", "assistant", "tool"})
_OPEN_FILE = re.compile(r"\(Open file: ([^\n]+)\)")
_NO_FILE = frozenset({"", "n/a"})


def attempt(root: Node) -> Node:
    """Return the object that holds the run: of several attempts the chosen one, or else the last."""
    if isinstance(root.value, list):
        return Node({"history": root.value}, root.file)
    if not (root.member("trajectory").is_absent and root.member("history").is_absent):
        return root
    attempts = tuple(root.member("attempts").items())
    if not attempts:
        raise root.fault("an object with `trajectory`, `history` or `attempts`")
    info = root.member("info")
    chosen = None if info.is_absent else info.member("best_attempt_idx").number()
    place = -1 if chosen is None else int(chosen)
    if not -1 <= place < len(attempts):
        raise info.member("best_attempt_idx").fault(f"one of {len(attempts)} attempts")
    return attempts[place]


def messages(run: Node) -> tuple[Node, ...]:
    """Return the messages of the run's history, demonstrations left out."""
    found: list[Node] = []
    for message in run.member("history").items():
        role = message.member("role")
        if not isinstance(role.value, str) or role.value not in ROLES:
            raise role.fault(f"one of {', '.join(sorted(ROLES))}", repr(role.value)[:80])
        if message.member("is_demo").value is not True and message.member("message_type").value != "demonstration":
            found.append(message)
    return tuple(found)


def task(run: Node, history: Sequence[Node]) -> str:
    """Return what the run was asked to do, "" where the file does not say."""
    if asked := _asked(history):
        return asked
    for step in islice(run.member("trajectory").items(), 1):
        query = step.member("messages") if step.member("query").is_absent else step.member("query")
        if asked := _asked(tuple(query.items()) if isinstance(query.value, list) else ()):
            return asked
    config = run.member("replay_config")
    given = loose(config.value) if isinstance(config.value, str) else config.value
    problem = given.get("problem_statement") if isinstance(given, dict) else None
    text = problem.get("text") if isinstance(problem, dict) else None
    return text if isinstance(text, str) else ""


def steps(run: Node, history: Sequence[Node]) -> tuple[RecordedStep, ...]:
    """Return the steps of the run."""
    recorded = tuple(run.member("trajectory").items())
    numbered = _Calls()
    if recorded:
        replies = _Replies(tuple(message for message in history if message.member("role").value == "assistant"))
        return tuple(_from_entry(entry, replies, numbered) for entry in recorded)
    return tuple(_from_turn(turn, numbered) for turn in _turns(history))


@define
class _Calls:
    """Numbers the actions of a file, and knows which file is open in the harness's editor."""

    action: int = 0
    opened: str = ""

    def of(self, recorded: Iterable[tuple[Command, ...]], outputs: Sequence[str | None] = ()) -> Iterator[RecordedCall]:
        for place, action in enumerate(recorded):
            output = outputs[place] if place < len(outputs) else None
            for command in action:
                call = command.within(self.opened)
                yield RecordedCall(call.name, call.arguments, call.raw, self.action, output)
                path = call.arguments.get("path")
                if first_word(call.raw) in ("open", "create") and isinstance(path, str):
                    self.opened = path
            self.action += 1

    def see(self, opened: str) -> None:
        self.opened = "" if opened in _NO_FILE else opened


@define
class _Replies:
    """The assistant's messages of a history, given out as the steps come to them."""

    waiting: Sequence[Node]
    at: int = 0

    def calls_for(self, response: str, action: str) -> tuple[Called, ...]:
        """Return the calls by name of the reply that this step is about; repeated steps are in no history."""
        if self.at >= len(self.waiting):
            return ()
        reply = self.waiting[self.at]
        is_same = reply.member("action").text().strip() == action.strip()
        if not is_same or (response and reply.member("content").text().strip() not in ("", response.strip())):
            return ()
        self.at += 1
        calls = calls_of(reply)
        return calls if len(calls) == 1 else ()  # of several, none says which it was that ran as this action


@frozen
class _Turn:
    reply: Node
    answers: tuple[Node, ...]


def _turns(history: Sequence[Node]) -> Iterator[_Turn]:
    """Yield each reply of the model with what came back; what comes before the first is the task."""
    starts = [place for place, message in enumerate(history) if message.member("role").value == "assistant"]
    for start, end in pairwise([*starts, len(history)]):
        answers = (message for message in history[start + 1 : end] if message.member("role").value != "system")
        yield _Turn(history[start], tuple(answers))


def _from_entry(entry: Node, replies: _Replies, numbered: _Calls) -> RecordedStep:
    action, response = entry.member("action").text(), entry.member("response").text()
    calls = calls_of(entry) or replies.calls_for(response, action)
    opened = _open_file(entry.member("state"))
    is_before = isinstance(entry.member("state").value, str)  # before 1.0: JSON text, taken before the action ran
    if opened is not None and is_before:
        numbered.see(opened)
    recorded = tuple(numbered.of(_recorded(action, calls)))
    if opened is not None and not is_before:
        numbered.see(opened)
    thought = entry.member("thought")
    text = thought.text() if not thought.is_absent else last_action(response).thought
    seconds = entry.member("execution_time").number()
    if seconds is not None and seconds < 0:
        raise entry.member("execution_time").fault("seconds, at least 0", str(seconds))
    return RecordedStep(text or _reasoning(entry), recorded, entry.member("observation").text(), seconds)


def _from_turn(turn: _Turn, numbered: _Calls) -> RecordedStep:
    reply = turn.reply
    content = reply.member("content").text()
    calls = calls_of(reply)
    action = reply.member("action")
    written = Written(content.strip(), None) if calls else last_action(content)
    text = (written.action or "") if action.is_absent else action.text()
    recorded = _recorded(None if action.is_absent and calls else text, calls)
    outputs = tuple(_answer_to(call.key, turn.answers) for call in calls) if len(calls) > 1 else ()
    observation = "\n".join(answer.member("content").text() for answer in turn.answers)
    step_calls = tuple(numbered.of(recorded, outputs))
    if seen := _OPEN_FILE.findall(observation[-4096:]):
        numbered.see(seen[-1])
    thought = reply.member("thought").text() or written.thought or _reasoning(reply)
    return RecordedStep(thought, step_calls, observation)


def _recorded(action: str | None, calls: Sequence[Called]) -> tuple[tuple[Command, ...], ...]:
    """
    Return the commands of each recorded action.

    The text of the action is what ran. A call by name that says the same gives it its arguments; several calls are
    several actions, and so are calls without a text.
    """
    if action is not None and not action.strip():
        return ()
    if action is None or len(calls) > 1:
        return tuple(_of_call(call, call.raw) for call in calls)
    if len(calls) == 1 and calls[0].name == first_word(action):
        return (_of_call(calls[0], action.strip()),)
    return (commands(action),)


def _of_call(call: Called, raw: str) -> tuple[Command, ...]:
    """The shell tool runs the harness's own commands too: there the line says which."""
    found = commands(call.raw) if call.name in SHELL else ()
    return found or (command_of(call.name, call.members, raw),)


def _answer_to(key: str, answers: Sequence[Node]) -> str | None:
    for answer in answers:
        keys = answer.member("tool_call_ids")
        if key and isinstance(keys.value, list) and key in keys.value:
            return answer.member("content").text()
    return None


def _open_file(state: Node) -> str | None:
    """Return the open file that a step's state names: an object, or its JSON text in older files."""
    if not (state.is_absent or isinstance(state.value, str | dict)):
        raise state.fault("an object, or its JSON text")
    members = loose(state.value) if isinstance(state.value, str) else state.value
    opened = members.get("open_file") if isinstance(members, dict) else None
    return opened if isinstance(opened, str) else None


def _asked(history: Sequence[Node]) -> str:
    """Return what the user said before the model's first reply."""
    said: list[str] = []
    for message in history:
        role = message.member("role").value
        if role == "assistant":
            break
        if role == "user" and message.member("is_demo").value is not True:
            said.append(message.member("content").text())
    return "\n\n".join(said)


def _reasoning(node: Node) -> str:
    return node.member("reasoning_content").text()
