"""Recordings of SWE-agent: tasks, demonstrations, attempts, endings, and what stays unchanged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import evolve

from agentfsm.migrate.trajectories import TrajectoryError
from agentfsm.migrate.trajectories.reading import complete
from tests.migrate.trajectories.sweagent import ASKED, DIFF, SYSTEM, call, entry, heard, read, reply


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
    """`submit` finishes with what was handed in, a last reply without a call with itself; all else failed."""
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

    with pytest.raises(TypeError, match="item assignment"):
        found.calls[0].arguments["path"] = "b"  # type: ignore[index]  # that is the point
    assert ({"x": (1,)},) == found.calls[0].arguments["tags"]


def test_a_recorded_action_that_does_not_come_through_is_refused() -> None:
    """The two ways of counting guard each other."""
    found = read({"trajectory": [entry("ls")]})

    assert found is complete(found)
    with pytest.raises(TrajectoryError, match="expected every recorded action, found 1 of 2"):
        complete(evolve(found, recorded_actions=2))
