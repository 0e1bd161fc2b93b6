"""Verdicts: safety, warnings and witnesses, beyond what the vectors hold."""

from __future__ import annotations

import pytest

from agentfsm.statewright import Machine, load_text, report
from agentfsm.statewright.plain import Json
from tests.statewright.law_sample import machine, parsed


def codes(of: Machine) -> set[tuple[str, str]]:
    return {(each.code, each.path) for each in of.verdicts()}


@pytest.mark.parametrize(
    ("states", "code", "path"),
    [
        ({"a": {}}, "dead_end", "$.states.a"),
        ({"a": {"on": {"GO": "a"}}}, "dead_end", "$.states.a"),
        ({"a": {"on": {"GO": "completed", "go": "failed"}}}, "ambiguous_event", "$.states.a.on.go"),
        ({"a": {"on": {"GO": "completed", "completed": "failed"}}}, "shadowed_event", "$.states.a.on.GO"),
        ({"a": {"on": {"": "failed"}}}, "empty_event", '$.states.a.on[""]'),
        (
            {"a": {"on": {"GO": [{"target": "completed"}, {"target": "failed"}]}}},
            "unreachable_branch",
            "$.states.a.on.GO[1]",
        ),
        (
            {"a": {"allowed_tools": ["read_file"], "disallowed_tools": ["READ"]}},
            "allow_deny_conflict",
            "$.states.a.allowed_tools[0]",
        ),
        (
            {"a": {"allowed_tools": ["Read"], "allowed_commands": ["ls"]}},
            "commands_without_bash",
            "$.states.a.allowed_commands",
        ),
        ({"a": {"on": {"END": "b"}}, "b": {"type": "final", "on": {"X": "a"}}}, "final_with_events", "$.states.b.on"),
        # left open by the standard: no state is called $return, so on_complete cannot mean it
        (
            {"a": {"on": {"GO": {"invoke": "m", "on_complete": "$return"}}}},
            "unknown_state",
            "$.states.a.on.GO.on_complete",
        ),
        ({"a": {"safe_next": "$return"}}, "unknown_state", "$.states.a.safe_next"),
    ],
)
def test_verdicts(states: dict[str, Json], code: str, path: str) -> None:
    """Each fault and warning has its code and its place."""
    assert (code, path) in codes(machine(states))


def test_a_sound_machine_has_no_verdicts() -> None:
    """No warning without a cause."""
    value: dict[str, Json] = {
        "id": "m",
        "initial": "a",
        "states": {
            "a": {"allowed_tools": ["Bash"], "allowed_commands": ["ls"], "on": {"END": "failed"}},
            "failed": {"type": "final"},
        },
    }

    assert () == parsed(value).verdicts()
    assert "sound" == report(parsed(value).verdicts())


def test_failing_may_lead_over_later_branches_and_safe_next() -> None:
    """Left open by the standard: every declared way counts as a way to `failed`."""
    branches: dict[str, Json] = {"a": {"on": {"GO": [{"target": "completed", "guard": "g"}, {"target": "failed"}]}}}
    falling: dict[str, Json] = {"a": {"on": {"GO": "completed"}, "safe_next": "failed"}}

    for states in (branches, falling):
        assert "cannot_fail" not in {code for code, _ in codes(machine(states))}


def test_bans_do_not_lower_a_rung() -> None:
    """Left open by the standard: what is listed counts, banned or not."""
    of = machine({"a": {"allowed_tools": ["Write"], "disallowed_tools": ["Write"]}}, meta={"danger_level": "moderate"})

    assert ("initial_too_powerful", "$.states.a") in codes(of)


def test_witnesses_lead_in_from_the_initial_state() -> None:
    """An escalation is shown as a path a session can take."""
    of = machine(
        {
            "a": {"allowed_tools": ["Read"], "on": {"GO": "b"}},
            "b": {"allowed_tools": ["Edit"], "on": {"GO": "c"}},
            "c": {"allowed_tools": ["Deploy"]},
        },
        meta={"danger_level": "dangerous"},
    )
    (found,) = (each for each in of.verdicts() if each.code == "escalation")

    assert ("a", "b", "c") == found.witness
    assert "a -> b -> c" in str(found)


def test_a_detour_that_climbs_is_told() -> None:
    """An interrupt asks nobody, so a handler two rungs up is worth a warning."""
    of = machine(
        {
            "a": {"allowed_tools": ["Read"], "on": {"FAIL": "failed"}},
            "h": {"allowed_tools": ["Deploy"], "on": {"OK": "$return"}},
        },
        interrupts={"i": {"trigger": {"file_pattern": "*"}, "target": "h"}},
        meta={"danger_level": "moderate", "outputs": "x"},
    )

    assert {("interrupt_escalation", "$.interrupts.i.target"), ("wrong_outputs", "$.meta.outputs")} <= codes(of)


def test_safety_does_not_keep_a_machine_from_loading() -> None:
    """Structure refuses; safety and warnings are for whoever checks."""
    loaded = load_text('{"id": "m", "initial": "a", "states": {"a": {"type": "final"}}}')

    assert "no_failed_state" in {fault.code for fault in loaded.errors}
    assert "a" == loaded.sound().initial
