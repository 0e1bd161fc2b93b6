"""Random machines."""

from __future__ import annotations

from hypothesis import strategies as st

from agentfsm.statewright.plain import Json

__all__ = ("EVENTS", "JSON", "STATES", "TOOL_NAMES", "machines")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)

STATES = ("s0", "s1", "s2", "s3", "done", "failed")
EVENTS = ("GO", "BACK", "Ship", "go", "s1", "NEXT")
TOOL_NAMES = (
    "Read", "read_file", "Write", "write_file", "create_file", "Edit", "Bash", "run_command", "run_test", "RunTests",
    "Deploy", "Destructive", "mcp__x__y", "apply_patch", "Delete", "GitPush", "http_request", "WebFetch",
)  # fmt: skip

_targets = st.sampled_from(STATES)
_edges: st.SearchStrategy[Json] = st.one_of(
    _targets,
    st.builds(lambda t, asks: {"target": t, "requires_approval": asks}, _targets, st.booleans()),
    st.builds(lambda t: {"target": t, "guard": "ready"}, _targets),
    st.builds(lambda a, b: [{"target": a, "guards": ["ready"]}, {"target": b}], _targets, _targets),
)
_lists = st.lists(st.sampled_from((*TOOL_NAMES, "mcp__*", "*_file")), max_size=5)
_states: st.SearchStrategy[dict[str, Json]] = st.fixed_dictionaries(
    {"on": st.dictionaries(st.sampled_from(EVENTS), _edges, max_size=3)},
    optional={
        "allowed_tools": _lists,
        "disallowed_tools": _lists,
        "safe_next": _targets,
        "max_iterations": st.integers(0, 3),
        "max_edit_lines": st.integers(0, 3),
        "max_files_per_state": st.integers(0, 2),
        "env": st.just({"A": "1"}),
    },
)


@st.composite
def machines(draw: st.DrawFn) -> dict[str, Json]:
    """A well-formed machine whose every named state exists; what it allows is anyone's guess."""
    states: dict[str, Json] = {name: draw(_states) for name in STATES[:4]}
    states |= {"done": {"type": "final", "allowed_tools": ["Write"]}, "failed": {"type": "final"}}
    interrupts: dict[str, Json] = {}
    if draw(st.booleans()):
        interrupts["secret"] = {"trigger": {"file_pattern": "**/*.env"}, "target": "s3"}
    return {
        "id": "random",
        "initial": "s0",
        "context": {"ready": draw(st.booleans()), "free": 0},
        "states": states,
        "guards": {"ready": {"field": "ready", "op": "eq", "value": True}},
        "interrupts": interrupts,
    }
