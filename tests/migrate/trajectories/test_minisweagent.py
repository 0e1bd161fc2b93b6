"""Recordings of mini-swe-agent, versions 1 and 2."""

from __future__ import annotations

from typing import Any

import pytest

from tests.migrate.trajectories.minisweagent import ASKED, DONE, SYSTEM, answers, calls, hears, leaves, ran, read, says


@pytest.mark.parametrize("block", ["bash", "mswea_bash_command"])
def test_a_bare_list_of_messages(block: str) -> None:
    """The first shape: every action is one block, and the last message is what the last command handed in."""
    found = read(
        [
            SYSTEM,
            ASKED,
            says("Look.", "ls", block),
            hears("bell.py"),
            says("Done.", DONE, block),
            {"role": "user", "content": "the patch\n"},
        ]
    )

    assert "mini-swe-agent" == found.source_format
    assert ASKED["content"] == found.task
    assert [["ls"], [DONE]] == ran(found)
    assert {"Bash"} == {call.name for call in found.calls}
    assert ["Look.", "Done."] == [step.thought for step in found.steps]
    assert ("finished", "the patch\n") == (found.ending.outcome, found.ending.text)
    assert 2 == found.recorded_actions == found.imported_actions


def test_an_object_of_version_1_with_times() -> None:
    """`info` says how it ended; a step takes from the reply to what came back."""
    found = read(
        {
            "info": {"exit_status": "Submitted", "submission": "the patch", "model_stats": {"api_calls": 2}},
            "messages": [
                {**SYSTEM, "timestamp": 100.0},
                {**ASKED, "timestamp": 100.0},
                says("Look.", "ls", "bash", timestamp=101.5),
                hears("bell.py", timestamp=103.0),
                says("Done.", DONE, "bash", timestamp=105),
                {"role": "user", "content": "the patch", "timestamp": 104},
            ],
            "trajectory_format": "mini-swe-agent-1",
            "instance_id": "bell-1",
        }
    )

    assert [1.5, None] == [step.seconds for step in found.steps]
    assert [101.5, 105.0] == [step.at for step in found.steps]
    assert ("finished", "the patch", "Submitted") == (found.ending.outcome, found.ending.text, found.ending.status)


def test_an_object_of_version_2_with_calls() -> None:
    """Calls by name, each with its own answer, and the message with the role `exit`."""
    found = read(
        {
            "info": {"exit_status": "Submitted", "submission": "the patch", "mini_version": "2.1.0"},
            "messages": [
                SYSTEM,
                ASKED,
                calls("Both.", "ls", "pwd", extra={"timestamp": 10.0, "cost": 0.1}),
                answers("c1", "/r", extra={"returncode": 0, "timestamp": 11.0}),
                answers("c0", "bell.py", extra={"returncode": 0, "timestamp": 12.0}),
                calls(None, DONE, extra={"timestamp": 13.0}, reasoning_content="All is well."),
                leaves("Submitted", "the patch", "the patch"),
            ],
            "trajectory_format": "mini-swe-agent-1.1",
        }
    )

    assert [["ls", "pwd"], [DONE]] == ran(found)
    assert ["bell.py", "/r", None] == [call.output for call in found.calls]
    assert ["Both.", "All is well."] == [step.thought for step in found.steps]
    assert ["/r\nbell.py", "the patch"] == [step.observation for step in found.steps]
    assert 2.0 == found.steps[0].seconds
    assert ("finished", "the patch") == (found.ending.outcome, found.ending.text)
    assert 3 == found.recorded_actions


def test_what_the_file_says_ran_outweighs_the_text() -> None:
    """`extra.actions` is what was executed."""
    reply = says(
        "Look.", "ls", extra={"actions": [{"command": "ls -la", "tool_call_id": "c"}, {"action": "pwd"}, "id"]}
    )

    assert [["ls -la", "pwd", "id"]] == ran(read([ASKED, reply, hears("x")]))


def test_answers_of_the_responses_interface() -> None:
    """A reply is a response object whose items hold text and calls; its answers have a type instead of a role."""
    found = read(
        {
            "messages": [
                SYSTEM,
                ASKED,
                {
                    "object": "response",
                    "output": [
                        {"type": "reasoning", "summary": []},
                        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Look."}]},
                        {"type": "function_call", "call_id": "k", "name": "bash", "arguments": '{"command": "ls"}'},
                    ],
                },
                {"type": "function_call_output", "call_id": "k", "output": "bell.py", "extra": {"timestamp": 3.0}},
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]},
                leaves("LimitsExceeded", content="LimitsExceeded"),
            ],
            "trajectory_format": "mini-swe-agent-1.1",
        }
    )

    assert [["ls"]] == ran(found)
    assert "Look." == found.steps[0].thought
    assert "bell.py" == found.calls[0].output
    assert "bell.py\ngo on" == found.steps[0].observation
    assert ("exhausted", "LimitsExceeded") == (found.ending.outcome, found.ending.text)


def test_blocks_in_tags() -> None:
    """The XML flavour of version 2."""
    reply = {"role": "assistant", "content": "Look.\n<mswea_bash_command>ls</mswea_bash_command>"}

    assert [["ls"]] == ran(read([ASKED, reply, hears("x")]))


def test_an_example_for_the_shell_is_no_action_beside_the_real_one() -> None:
    """mini-swe-agent's own block outweighs blocks of the shell."""
    reply = {"role": "assistant", "content": "Like\n```bash\nrm x\n```\nI do\n```mswea_bash_command\nls\n```"}

    assert [["ls"]] == ran(read([ASKED, reply, hears("x")]))


@pytest.mark.parametrize(
    "refusal",
    [
        {"role": "user", "content": "Please always provide EXACTLY ONE action in triple backticks, found 2 actions."},
        {"role": "user", "content": "No.", "extra": {"interrupt_type": "FormatError", "n_actions": 2}},
    ],
)
def test_a_refused_reply_ran_nothing(refusal: dict[str, Any]) -> None:
    """Two blocks where one is allowed were never run: a step without a call, answered by the refusal."""
    two = {"role": "assistant", "content": "Two.\n```bash\nls\n```\n```bash\npwd\n```"}

    found = read([ASKED, two, refusal, says("One.", "ls"), hears("x")])

    assert [[], ["ls"]] == ran(found)
    assert refusal["content"] == found.steps[0].observation
    assert 1 == found.recorded_actions


def test_two_blocks_that_ran() -> None:
    """Where nothing refused them, both are kept."""
    two = {"role": "assistant", "content": "Two.\n```bash\nls\n```\n```bash\npwd\n```"}

    found = read([ASKED, two, hears("both"), {"role": "assistant", "content": "Fine."}])

    assert [["ls", "pwd"], []] == ran(found)
    assert [0, 1] == [call.action for call in found.calls]
    assert "Two." == found.steps[0].thought


@pytest.mark.parametrize(
    "kept",
    [
        {"model_response": "I just talk."},
        {"response": {"choices": [{"message": {"role": "assistant", "content": "I just talk."}}]}},
        {
            "response": {
                "object": "response",
                "output": [{"type": "message", "content": [{"type": "output_text", "text": "I just talk."}]}],
            }
        },
    ],
)
def test_a_refused_reply_that_only_the_refusal_kept(kept: dict[str, Any]) -> None:
    """From version 2 on a malformed reply is no message of its own: the refusal holds it."""
    refusal = {"role": "user", "content": "Use the tool.", "extra": {"interrupt_type": "FormatError", **kept}}

    found = read({"messages": [ASKED, refusal, calls("Now.", "ls"), answers("c0", "x")]})

    assert [[], ["ls"]] == ran(found)
    assert ("I just talk.", "Use the tool.") == (found.steps[0].thought, found.steps[0].observation)


def test_a_command_that_a_person_typed() -> None:
    """In human mode the user's message holds the command: a step without a thought."""
    typed = {
        "role": "user",
        "content": "User command: \n```bash\nls\n```",
        "extra": {"actions": [{"command": "ls"}]},
    }

    found = read([SYSTEM, ASKED, typed, hears("x")])

    assert [["ls"]] == ran(found)
    assert "" == found.steps[0].thought


@pytest.mark.parametrize("who", ["system", "developer", "tool", "exit"])
def test_a_list_of_actions_with_somebody_who_does_not_act(who: str) -> None:
    """Only an agent acts, or a person in its place: the count and the steps agree on that."""
    run = read([{"role": who, "content": "", "extra": {"actions": [{"command": "ls"}]}}])

    assert (0, 0) == (run.recorded_actions, run.imported_actions)


def test_an_interruption_belongs_to_the_step_it_interrupts() -> None:
    """What a person says in between is part of what the model hears."""
    interruption = {
        "role": "user",
        "content": "Interrupted by user: stop",
        "extra": {"interrupt_type": "UserInterruption"},
    }

    found = read({"messages": [ASKED, calls("Go.", "ls"), answers("c0", "not executed"), interruption]})

    assert 1 == len(found.steps)
    assert "not executed\nInterrupted by user: stop" == found.steps[0].observation


LOOK = [ASKED, says("Look.", "ls"), hears("bell.py")]
HAND_IN = says("Done.", DONE)


@pytest.mark.parametrize(
    ("messages", "info", "outcome", "text"),
    [
        # handed in
        ([*LOOK, HAND_IN, {"role": "user", "content": "patch"}], {"exit_status": "Submitted", "submission": "patch"}, "finished", "patch"),
        ([*LOOK, HAND_IN, {"role": "user", "content": "patch"}], {"exit_status": "Submitted"}, "finished", "patch"),
        ([*LOOK, HAND_IN, {"role": "user", "content": "patch"}], {"exit_status": None}, "finished", "patch"),
        ([*LOOK, HAND_IN, {"role": "user", "content": "patch"}], None, "finished", "patch"),
        ([*LOOK, HAND_IN, leaves("Submitted", "patch")], None, "finished", "patch"),
        ([*LOOK, HAND_IN, leaves("Submitted", "", "patch")], None, "finished", "patch"),
        ([*LOOK, HAND_IN, {"role": "user", "content": ""}], None, "failed", "submitted: the submission is empty"),
        ([*LOOK, HAND_IN, leaves("Submitted")], None, "failed", "Submitted: the submission is empty"),
        # a command that was to hand in and did not
        ([*LOOK, HAND_IN, hears("cat: patch: no such file")], None, "failed", "the recording is cut off after its last action"),
        ([*LOOK, HAND_IN], None, "failed", "the recording is cut off after its last action"),
        # budgets
        ([*LOOK, {"role": "user", "content": ""}], {"exit_status": "LimitsExceeded", "submission": ""}, "exhausted", "LimitsExceeded"),
        ([*LOOK, leaves("LimitsExceeded", content="LimitsExceeded")], None, "exhausted", "LimitsExceeded"),
        ([*LOOK, leaves("TimeExceeded", content="after 60 s")], None, "exhausted", "TimeExceeded: after 60 s"),
        ([*LOOK, leaves("ContextWindowExceededError", content="too long")], None, "exhausted", "ContextWindowExceededError: too long"),
        # failures
        ([*LOOK, leaves("RuntimeError", content="boom")], None, "failed", "RuntimeError: boom"),
        ([*LOOK, {"role": "user", "content": "boom"}], {"exit_status": "RuntimeError"}, "failed", "RuntimeError: boom"),
        ([*LOOK, leaves("UserInterruption")], None, "failed", "UserInterruption"),
        ([*LOOK, {"role": "exit", "content": "gone"}], None, "failed", "gone"),
        ([ASKED, leaves("AuthenticationError", content="no key")], None, "failed", "AuthenticationError: no key"),
        # nobody says how
        ([*LOOK, {"role": "assistant", "content": "It rings."}], None, "finished", "It rings."),
        ([*LOOK, {"role": "assistant", "content": "It rings."}, {"role": "user", "content": "EXACTLY ONE action"}], None, "failed", "EXACTLY ONE action"),
        ([*LOOK, {"role": "assistant", "content": ""}], None, "failed", "the last reply is empty"),
        (LOOK, None, "failed", "the recording is cut off after its last action"),
        ([SYSTEM, ASKED], None, "failed", "the recording holds no step"),
        ([], None, "failed", "the recording holds no step"),
    ],
)  # fmt: skip
def test_endings(messages: list[dict[str, Any]], info: dict[str, Any] | None, outcome: str, text: str) -> None:
    """Submitted finishes with the submission, a last reply without a call with itself; all else ran out or failed."""
    found = read({"messages": messages} if info is None else {"messages": messages, "info": info})

    assert (outcome, text) == (found.ending.outcome, found.ending.text)


def test_a_time_as_a_date() -> None:
    """A date and time is a time too."""
    assert 86400.0 == read([ASKED, says("Look.", "ls", timestamp="1970-01-02T00:00:00+00:00")]).steps[0].at
