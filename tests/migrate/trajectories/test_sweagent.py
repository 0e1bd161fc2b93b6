"""Recordings of SWE-agent, in the shapes it has written over the years."""

from __future__ import annotations

from tests.migrate.trajectories.sweagent import ASKED, DIFF, SYSTEM, call, entry, heard, named, read, reply


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
