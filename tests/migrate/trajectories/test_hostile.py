"""Whatever the bytes are, reading gives a trajectory or a `TrajectoryError` that says where."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentfsm.migrate.trajectories import Trajectory, TrajectoryError, read_bytes, read_text
from agentfsm.migrate.trajectories.document import MAX_DEPTH

KEYS = (
    "trajectory history attempts messages info role content action thought observation response state execution_time"
    " tool_calls function name arguments id call_id extra actions command exit_status submission is_demo agent query"
    " replay_config trajectory_format timestamp output object type text interrupt_type model_response tool_call_ids"
    " best_attempt_idx choices message reasoning_content tool_call_id"
)
WORDS = (
    "assistant user tool exit system response function_call message FormatError submitted Submitted exit_cost bash open"
    " edit mini-swe-agent-1 mini-swe-agent-1.1"
)
TEXTS = st.sampled_from(
    [*WORDS.split(), "edit 1:2\nx\nend_of_edit", "```bash\nls\n```", "```\nls\n```", "open 'a\n", "{}"]
) | st.text(max_size=20)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=6),
    max_leaves=40,
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "assistant", "tool", "exit"])},
        optional={
            "content": TEXTS | st.none() | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS})),
            "action": TEXTS,
            "thought": TEXTS,
            "is_demo": st.booleans(),
            "extra": st.dictionaries(st.sampled_from(KEYS.split()), VALUES, max_size=3),
            "tool_calls": VALUES
            | st.lists(
                st.fixed_dictionaries({"function": st.fixed_dictionaries({"name": TEXTS, "arguments": TEXTS})}),
                max_size=3,
            ),
        },
    ),
    max_size=8,
)
ENTRIES = st.lists(
    st.fixed_dictionaries(
        {"action": TEXTS, "thought": TEXTS},
        optional={"observation": TEXTS, "response": TEXTS, "state": VALUES, "execution_time": st.floats(0, 9)},
    ),
    max_size=8,
)
DOCUMENTS = (
    VALUES
    | MESSAGES
    | st.fixed_dictionaries({"history": MESSAGES}, optional={"trajectory": ENTRIES, "info": VALUES})
    | st.fixed_dictionaries({"messages": MESSAGES}, optional={"info": VALUES})
)


def read_or_refused(content: bytes) -> None:
    try:
        found: Trajectory | TrajectoryError = read_bytes(content, "hostile.traj")
    except TrajectoryError as error:
        found = error
    if isinstance(found, TrajectoryError):
        assert "hostile.traj" == found.file
        assert str(found).startswith("hostile.traj: $")
        assert "every recorded action" != found.expected  # both ways of counting agree, whatever they are given
    else:
        assert found.recorded_actions == found.imported_actions
        assert found.ending.text.strip() or found.ending.outcome != "finished"


@given(DOCUMENTS)
@settings(max_examples=600, deadline=None)
def test_documents_of_wrong_types_are_read_or_refused(document: object) -> None:
    """Shapes near to the real ones, with anything anywhere, give nothing but a trajectory or a typed error."""
    read_or_refused(json.dumps(document).encode())


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_bytes_are_read_or_refused(content: bytes) -> None:
    """Bytes that are no text, and text that is no JSON, are refused by type."""
    read_or_refused(content)


@pytest.mark.parametrize(
    ("text", "path", "words"),
    [
        ("", "$", "JSON"),
        ("[1, 2", "$", "line 1, column 6"),
        ("3", "$", "found a number"),
        ("null", "$", "found nothing"),
        ("{}", "$", "`trajectory`"),
        ('{"trajectory": 7}', "$.trajectory", "expected a list, found a number"),
        ('{"trajectory": [7]}', "$.trajectory[0]", "expected an object"),
        ('{"trajectory": [{"action": {}}]}', "$.trajectory[0].action", "expected text"),
        ('{"trajectory": [{"action": "ls", "execution_time": "1"}]}', "$.trajectory[0].execution_time", "a number"),
        ('{"trajectory": [{"action": "ls", "execution_time": -1}]}', "$.trajectory[0].execution_time", "at least 0"),
        ('{"trajectory": [{"action": "ls", "state": 3}]}', "$.trajectory[0].state", "an object, or its JSON text"),
        ('{"history": [{"role": "robot", "content": ""}]}', "$.history[0].role", "assistant"),
        ('{"history": [{"role": "assistant", "tool_calls": [{}]}]}', "$.history[0].tool_calls[0].name", "a tool"),
        ('{"attempts": []}', "$", "`attempts`"),
        ('{"attempts": [{"history": []}], "info": {"best_attempt_idx": 4}}', "$.info.best_attempt_idx", "attempts"),
        ('{"messages": [{"role": "user", "content": 4}]}', "$.messages[0].content", "message parts"),
        ('{"messages": [{"role": "user", "content": [{"text": 4}]}]}', "$.messages[0].content[0].text", "text"),
        ('{"messages": [], "trajectory_format": "mini-swe-agent-2"}', "$.trajectory_format", "mini-swe-agent-1.1"),
        ('{"messages": [{"role": "assistant", "extra": 1}]}', "$.messages[0].extra", "an object"),
        (
            '{"messages": [{"role": "assistant", "extra": {"actions": [{}]}}]}',
            "$.messages[0].extra.actions[0].command",
            "a command",
        ),
        ('{"messages": [{"role": "assistant", "timestamp": "noon"}]}', "$.messages[0].timestamp", "a time"),
        ('{"info": {"a b": NaN}, "history": []}', '$.info["a b"]', "found NaN"),
        ('{"info": {"cost": -Infinity}, "history": []}', "$.info.cost", "a finite number"),
        ('{"info": {"cost": 1e999}, "history": []}', "$.info.cost", "a finite number"),
        ('{"history": [], "info": {"x": [0, {"y": 1, "y": 2}]}}', "$.info.x[1]", "'y' twice"),
        ('{"history": [], "info": {"x": "\\ud800"}}', "$.info.x", "a lone surrogate"),
        ('{"history": [], "info": {"\\udfff": 1}}', "$.info", "a lone surrogate"),
        ('{"history": [], "info": {"x": ' + "9" * 5000 + "}}", "$.info.x", "5000 digits"),
    ],
)
def test_a_refusal_says_where_and_what(text: str, path: str, words: str) -> None:
    """A value at fault is named by its JSON path, with what belongs there."""
    with pytest.raises(TrajectoryError) as caught:
        read_text(text, "run.traj")

    assert path == caught.value.path
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"run.traj: {path}: ")


def test_bytes_that_are_no_utf8_are_refused() -> None:
    """The byte at fault is named."""
    with pytest.raises(TrajectoryError, match="at byte 3"):
        read_bytes(b'["a\xff"]', "run.traj")


def test_a_byte_order_mark_is_no_content() -> None:
    """Editors put one; the text begins behind it."""
    assert () == read_bytes(b'\xef\xbb\xbf{"messages": []}', "run.traj.json").steps


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 900, 100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    """Nesting ends at a depth that no recording has, far before it could end the process."""
    with pytest.raises(TrajectoryError, match="levels"):
        read_text("[" * depth + "]" * depth, "run.traj")
