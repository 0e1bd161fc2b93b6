"""Recordings of SWE-agent, in the shapes it has written over the years."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import evolve

from agentfsm.migrate.trajectories import Trajectory, TrajectoryError, read_text
from agentfsm.migrate.trajectories.reading import complete

SYSTEM = {"role": "system", "content": "You mend bells.", "agent": "main"}
ASKED = {"role": "user", "content": "The bell is silent.", "agent": "main"}
DIFF = "diff --git a/bell.py b/bell.py\n-ring\n+ring()\n"


def read(document: object) -> Trajectory:
    return read_text(json.dumps(document), "bell.traj")


def entry(action: str, observation: str = "ok", **more: object) -> dict[str, Any]:
    thought = f"I try {action.split()[0] if action.split() else 'nothing'}."
    return {"action": action, "observation": observation, "thought": thought, "response": thought, **more}


def reply(thought: str, action: str | None = None, **more: object) -> dict[str, Any]:
    spoken = {} if action is None else {"thought": thought, "action": action}
    return {"role": "assistant", "content": thought, "agent": "main", **spoken, **more}


def heard(content: object, **more: object) -> dict[str, Any]:
    return {"role": "user", "content": content, "agent": "main", **more}


def call(name: str, key: str = "", **arguments: object) -> dict[str, Any]:
    return {"id": key, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def named(found: Trajectory) -> list[list[str]]:
    return [[each.name for each in step.calls] for step in found.steps]


def test_a_trajectory_alone() -> None:
    """Steps, times and what was handed in come from the trajectory; without messages nobody says what was asked."""
    found = read(
        {
            "trajectory": [
                entry("open bell.py", execution_time=0.25, state={"open_file": "/r/bell.py"}),
                entry("edit 1:1\nring()\nend_of_edit", execution_time=1, state={"open_file": "/r/bell.py"}),
                entry("submit", DIFF, execution_time=0.5),
            ],
            "info": {"exit_status": "submitted", "submission": DIFF},
        }
    )

    assert "swe-agent" == found.source_format
    assert "" == found.task
    assert [["Read"], ["Edit"], ["GitDiff"]] == named(found)
    assert [0.25, 1.0, 0.5] == [step.seconds for step in found.steps]
    assert {"path": "/r/bell.py", "start": 1, "end": 1, "text": "ring()"} == dict(found.steps[1].calls[0].arguments)
    assert ("I try open.", "ok") == (found.steps[0].thought, found.steps[0].observation)
    assert ("finished", DIFF) == (found.ending.outcome, found.ending.text)
    assert 3 == found.recorded_actions == found.imported_actions


def test_the_older_state_is_taken_before_the_action() -> None:
    """Until 1.0 a step's state was JSON text that said what was open when the step began."""
    found = read(
        {
            "trajectory": [
                entry("open other.py", state='{"open_file": "n/a", "working_dir": "/r"}\n'),
                entry("goto 3", state='{"open_file": "/r/other.py"}'),
                entry("open bell.py\nedit 1:1\nx\nend_of_edit", state='{"open_file": "/r/other.py"}'),
                entry("scroll_down", state="not JSON"),
            ]
        }
    )

    assert ["other.py", "/r/other.py", "bell.py", "bell.py", "bell.py"] == [
        each.arguments["path"] for each in found.calls
    ]


def test_a_history_alone_of_text_actions() -> None:
    """The `action` of a message is what ran, whatever its text says; what came back is the next message."""
    found = read(
        {
            "history": [
                SYSTEM,
                ASKED,
                reply("Look.\n```\nls\n```", "open bell.py\n"),
                heard("1:ring\n(Open file: /r/bell.py)\n(Current directory: /r)\nbash-$"),
                reply("Mend.", "edit 1:1\nring()\nend_of_edit\n"),
                heard("updated"),
                reply("Done.", "submit\n"),
            ]
        }
    )

    assert "The bell is silent." == found.task
    assert [["Read"], ["Edit"], ["GitDiff"]] == named(found)
    assert "/r/bell.py" == found.steps[1].calls[0].arguments["path"]
    assert "updated" == found.steps[1].observation
    assert None is found.steps[0].seconds


def test_a_history_alone_of_calls_by_name() -> None:
    """Arguments come from the call, and the answer's diff is what was handed in, without the prompt below it."""
    found = read(
        {
            "history": [
                SYSTEM,
                ASKED,
                reply("Find.", "find_file bell.py", tool_calls=[call("find_file", "c1", file_name="bell.py")]),
                {"role": "tool", "content": "Found 1", "tool_call_ids": ["c1"]},
                reply("Run.", "python bell.py", tool_calls=[call("bash", "c2", command="python bell.py")]),
                {"role": "tool", "content": "silence", "tool_call_ids": ["c2"]},
                reply("Done.", "submit", tool_calls=[call("submit", "c3")]),
                {"role": "tool", "content": f"\n{DIFF}\n(Open file: n/a)\nbash-$", "tool_call_ids": ["c3"]},
            ]
        }
    )

    assert [["Glob"], ["Bash"], ["GitDiff"]] == named(found)
    assert {"command": "python bell.py"} == dict(found.calls[1].arguments)
    assert ("finished", DIFF) == (found.ending.outcome, found.ending.text)


def test_calls_by_name_without_an_action_text() -> None:
    """Then the call is the action: own commands fold, the shell tool's line is read, another tool runs in the shell."""
    found = read(
        {
            "history": [
                ASKED,
                reply("One.", tool_calls=[call("str_replace_editor", command="create", path="/a", file_text="x")]),
                heard("created"),
                reply("Two.", tool_calls=[call("bash", command="open bell.py\nls")]),
                heard("listed"),
                reply("Three.", tool_calls=[call("ring", times=3, bell="big one")]),
                heard("ding"),
                reply("Four.", tool_calls=[{"name": "bash", "arguments": {"command": "pwd"}}]),
                heard("/r"),
                reply("Five.", tool_calls=[{"function": {"name": "bash", "arguments": "{broken"}}]),
            ]
        }
    )

    assert [["Write"], ["Read", "Bash"], ["Bash"], ["Bash"], ["Bash"]] == named(found)
    assert "ring 3 'big one'" == found.steps[2].calls[0].arguments["command"]
    assert "pwd" == found.steps[3].calls[0].arguments["command"]
    assert 5 == found.recorded_actions
    assert 6 == len(found.calls)


def test_several_calls_in_one_reply() -> None:
    """Each is an action of its own, with its own answer."""
    found = read(
        {
            "history": [
                ASKED,
                reply("Both.", tool_calls=[call("open", "c1", path="a"), call("bash", "c2", command="ls")]),
                {"role": "tool", "content": "text of a", "tool_call_ids": ["c1"]},
                {"role": "tool", "content": "a b", "tool_call_ids": ["c2"]},
            ]
        }
    )

    assert [["Read", "Bash"]] == named(found)
    assert ["text of a", "a b"] == [each.output for each in found.calls]
    assert [0, 1] == [each.action for each in found.calls]
    assert "text of a\na b" == found.steps[0].observation


def test_several_commands_in_one_action() -> None:
    """They are several calls of one recorded action."""
    found = read({"trajectory": [entry("create a\nedit 1:1\nx\nend_of_edit\npython a"), entry("ls")]})

    assert [["Write", "Edit", "Bash"], ["Bash"]] == named(found)
    assert [0, 0, 0, 1] == [each.action for each in found.calls]
    assert 2 == found.recorded_actions == found.imported_actions
    assert "edit 1:1\nx\nend_of_edit" == found.calls[1].raw


def test_trajectory_and_history_together() -> None:
    """The trajectory has the steps, repeated ones included; the history gives the calls' arguments."""
    found = read(
        {
            "trajectory": [
                {**entry("", ""), "thought": "no call", "response": "no call"},
                entry("edit 'a' 'b' False", response="Replace."),
                entry("submit", response="Hand in."),
            ],
            "history": [
                SYSTEM,
                ASKED,
                reply(
                    "Replace.",
                    "edit 'a' 'b' False",
                    tool_calls=[call("edit", "c", search="a", replace="b", **{"replace-all": False})],
                ),
                heard("replaced"),
                reply("Hand in.", "submit", tool_calls=[call("submit")]),
            ],
            "info": {"exit_status": "submitted", "submission": DIFF},
        }
    )

    assert [[], ["Edit"], ["GitDiff"]] == named(found)
    assert {"old": "a", "new": "b", "all": False} == dict(found.calls[0].arguments)
    assert "no call" == found.steps[0].thought
    assert "The bell is silent." == found.task


def test_the_action_outweighs_a_call_that_says_something_else() -> None:
    """A call that names another command lends nothing."""
    found = read({"history": [ASKED, reply("Look.", "open a", tool_calls=[call("edit", search="x")])]})

    assert [["Read"]] == named(found)
    assert {"path": "a"} == dict(found.calls[0].arguments)


def test_replies_of_nothing_but_text() -> None:
    """Cleaned demonstrations keep neither `action` nor `thought`: the last block of the reply is the action."""
    found = read(
        {
            "history": [
                {"role": "user", "content": "Mend it.", "agent": "main"},
                {"role": "assistant", "content": "Look.\n```\nopen bell.py\n```"},
                {"role": "user", "content": "1:ring"},
                {"role": "assistant", "content": "It is fine as it is."},
            ]
        }
    )

    assert [["Read"], []] == named(found)
    assert "Look." == found.steps[0].thought
    assert ("finished", "It is fine as it is.") == (found.ending.outcome, found.ending.text)


def test_a_bare_list_of_messages() -> None:
    """A list is SWE-agent's where a message says so."""
    assert "swe-agent" == read([ASKED, reply("Look.", "open a"), heard("text")]).source_format


def test_demonstrations_are_no_steps() -> None:
    """Neither as one message nor as a history inside the history."""
    found = read(
        {
            "history": [
                SYSTEM,
                heard("how others mended", is_demo=True),
                reply("Demo.", "rm -rf bell", is_demo=True),
                heard("gone", is_demo=True),
                heard("another", message_type="demonstration"),
                ASKED,
                reply("Look.", "ls"),
                heard("bell.py"),
            ]
        }
    )

    assert "The bell is silent." == found.task
    assert ["ls"] == [each.raw for each in found.calls]
    assert 1 == found.recorded_actions


def test_content_in_parts() -> None:
    """The text of a message in parts is that of its text parts; pictures have none."""
    parts = [{"type": "text", "text": "one"}, {"type": "image_url", "image_url": {"url": "data:"}}, "two"]

    found = read({"history": [heard(parts), reply("Look.", "ls"), heard([{"type": "text", "text": "bell.py"}])]})

    assert "one\ntwo" == found.task
    assert "bell.py" == found.steps[0].observation


@pytest.mark.parametrize(
    ("more", "task"),
    [
        ({"replay_config": {"problem_statement": {"text": "silent", "type": "text"}}}, "silent"),
        ({"replay_config": json.dumps({"problem_statement": {"text": "silent"}})}, "silent"),
        ({"replay_config": {"problem_statement": {"github_url": "https://example.org/1"}}}, ""),
        ({"replay_config": "not JSON"}, ""),
        ({"replay_config": None}, ""),
    ],
)
def test_the_task_from_elsewhere(more: dict[str, object], task: str) -> None:
    """Without messages the problem statement says what was asked."""
    assert task == read({"trajectory": [entry("ls")], **more}).task


@pytest.mark.parametrize("key", ["query", "messages"])
def test_the_task_from_the_first_query(key: str) -> None:
    """From 1.0 on a step may hold the messages it was an answer to."""
    assert "The bell is silent." == read({"trajectory": [{**entry("ls"), key: [SYSTEM, ASKED]}]}).task


def test_of_several_attempts_the_chosen_one() -> None:
    """A retried run holds every attempt; without a choice the last is read."""
    first, second = ({"trajectory": [entry(action)], "info": {}} for action in ("ls", "pwd"))

    assert ["pwd"] == [each.raw for each in read({"attempts": [first, second]}).calls]
    assert ["ls"] == [each.raw for each in read({"attempts": [first, second], "info": {"best_attempt_idx": 0}}).calls]
    assert ["cd"] == [
        each.raw for each in read({"trajectory": [entry("cd")], "attempts": [first, second], "info": {}}).calls
    ]


LEFT = {"action": "", "observation": "Exited (autosubmitted)", "thought": "Exit due to cost limit", "response": "Exit"}


@pytest.mark.parametrize(
    ("steps", "info", "outcome", "text"),
    [
        # handed in by the model
        ([entry("submit", "")], {"exit_status": "submitted", "submission": DIFF}, "finished", DIFF),
        ([entry("submit", DIFF)], {"exit_status": "submitted"}, "finished", DIFF),
        ([entry("submit flag{a}", "")], {"exit_status": "submitted"}, "finished", "flag{a}"),
        ([entry("submit", DIFF)], None, "finished", DIFF),
        ([entry("ls\nsubmit", DIFF)], None, "finished", DIFF),
        ([entry("ls")], {"submission": DIFF}, "finished", DIFF),
        ([entry("submit", "")], {"exit_status": "submitted", "submission": ""}, "failed", "submitted: the submission is empty"),
        ([entry("submit", "")], {"exit_status": "submitted", "submission": None}, "failed", "submitted: the submission is empty"),
        # ended by the harness
        ([entry("ls"), LEFT], {"exit_status": "submitted (exit_cost)", "submission": DIFF}, "exhausted", "submitted (exit_cost): Exit due to cost limit"),
        ([entry("ls"), LEFT], {"exit_status": "exit_cost"}, "exhausted", "exit_cost: Exit due to cost limit"),
        ([entry("ls")], {"exit_status": "exit_context"}, "exhausted", "exit_context"),
        ([entry("ls")], {"exit_status": "exit_total_execution_time"}, "exhausted", "exit_total_execution_time"),
        ([entry("ls")], {"exit_status": "exit_command_timeout"}, "exhausted", "exit_command_timeout"),
        ([entry("ls")], {"exit_status": "exit_format"}, "failed", "exit_format"),
        ([entry("ls")], {"exit_status": "submitted (exit_format)"}, "failed", "submitted (exit_format)"),
        ([entry("ls")], {"exit_status": "exit_error"}, "failed", "exit_error"),
        ([entry("ls")], {"exit_status": "exit_api"}, "failed", "exit_api"),
        ([entry("ls")], {"exit_status": "exit_environment_error"}, "failed", "exit_environment_error"),
        ([entry("ls")], {"exit_status": "exit_forfeit"}, "failed", "exit_forfeit"),
        ([entry("exit", "Exited")], {"exit_status": "exit_command"}, "failed", "exit_command"),
        ([entry("ls")], {"exit_status": "early_exit"}, "failed", "early_exit"),
        ([entry("ls")], {"exit_status": "RuntimeError"}, "failed", "RuntimeError"),
        ([], {"exit_status": "exit_environment_error"}, "failed", "exit_environment_error"),
        # the older mark of the harness where an action would be
        ([entry("ls"), entry("exit_cost", DIFF)], None, "exhausted", "exit_cost: I try exit_cost."),
        ([entry("ls"), entry("exit_format", DIFF)], {"exit_status": None}, "failed", "exit_format: I try exit_format."),
        # nobody says how
        ([entry("ls"), {**LEFT, "observation": ""}], None, "finished", "Exit due to cost limit"),
        ([entry("ls"), {**LEFT, "observation": "Your output was malformed"}], None, "failed", "Your output was malformed"),
        ([entry("submit", DIFF), entry("ls")], None, "failed", "the recording is cut off after its last action"),
        ([entry("ls")], {}, "failed", "the recording is cut off after its last action"),
        ([{"action": None, "thought": "", "observation": None}], {}, "failed", "the last reply is empty"),
        ([], {}, "failed", "the recording holds no step"),
    ],
)  # fmt: skip
def test_endings(steps: list[dict[str, Any]], info: dict[str, Any] | None, outcome: str, text: str) -> None:
    """`submit` finishes with what was handed in, a last reply without a call with itself; all else ran out or failed."""
    document = {"trajectory": steps} if info is None else {"trajectory": steps, "info": info}

    found = read({**document, "history": []})

    assert (outcome, text) == (found.ending.outcome, found.ending.text)
    assert found.recorded_actions == sum(bool((step["action"] or "").strip()) for step in steps)


def test_a_submission_made_by_the_harness_is_kept() -> None:
    """It is no final answer, but it is not lost."""
    found = read(
        {"trajectory": [entry("ls"), LEFT], "info": {"exit_status": "submitted (exit_cost)", "submission": DIFF}}
    )

    assert DIFF == found.ending.submission


def test_thoughts_of_people_and_of_models_that_reason() -> None:
    """A person who types commands thinks nothing aloud; a model's reasoning stands in where it said nothing."""
    found = read(
        {
            "trajectory": [
                {"action": "ls", "thought": "", "response": "ls", "observation": "a"},
                {"action": "pwd", "thought": "", "response": "", "observation": "/", "reasoning_content": "Where?"},
                {"action": "cat a", "response": "Read it.\n```\ncat a\n```", "observation": "x"},
            ]
        }
    )

    assert ["", "Where?", "Read it."] == [step.thought for step in found.steps]


def test_values_cannot_be_changed() -> None:
    """A trajectory is read-only all the way down."""
    found = read({"history": [ASKED, reply("Do.", tool_calls=[call("open", path="a", tags=[{"x": [1]}])])]})

    with pytest.raises(TypeError):
        found.calls[0].arguments["path"] = "b"  # type: ignore[index]  # that is the point
    assert ({"x": (1,)},) == found.calls[0].arguments["tags"]


def test_a_recorded_action_that_does_not_come_through_is_refused() -> None:
    """The two ways of counting guard each other."""
    found = read({"trajectory": [entry("ls")]})

    assert found is complete(found)
    with pytest.raises(TrajectoryError, match="expected every recorded action, found 1 of 2"):
        complete(evolve(found, recorded_actions=2))
