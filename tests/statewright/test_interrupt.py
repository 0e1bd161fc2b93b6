"""Interrupts: detours, the way back, and what does not fire again."""

from __future__ import annotations

import json
from typing import cast

from agentfsm.statewright import Machine, Session
from agentfsm.statewright.moving import Step
from agentfsm.statewright.plain import Json
from agentfsm.statewright.session import Frame
from tests.statewright.fake_shell import FakeShell
from tests.statewright.law_sample import call, decide, machine, sent

GUARDED: dict[str, dict[str, Json]] = {
    "coding": {"allowed_tools": ["Edit", "Bash", "Write"], "on": {"DONE": "completed"}},
    "audit": {"allowed_tools": ["Edit", "Read"], "on": {"OK": "$return", "DEEPER": "second", "LEAK": "coding"}},
    "second": {"allowed_tools": ["Edit"], "on": {"OK": "$return"}},
    "schema": {"allowed_tools": ["Edit"], "on": {"OK": "$return"}},
}
INTERRUPTS: Json = {
    "secret": {"trigger": {"file_pattern": "**/*.env"}, "target": "audit"},
    "table": {"trigger": {"file_pattern": "db/*.sql"}, "target": "schema"},
}


def guarded(context: Json = None) -> Machine:
    return machine(GUARDED, interrupts=INTERRUPTS, context=context, shell=FakeShell())


def edited(of: Machine, session: Session, path: str) -> Step:
    edit = call("Edit", file_path=path, old_string="a", new_string=path)
    assert "allow" == of.decide(session, edit).action
    return of.after(session, edit)


def test_an_edit_detours_at_once_and_returns() -> None:
    """The state is the handler's after the edit, and the interrupted one after `$return`."""
    of = guarded({"n": 1})
    there = edited(of, of.start(), "x/a.env").session

    assert ("audit", {"n": 1, "_interrupt_return": ["coding"]}) == (there.state, there.data)
    back = sent(of, there, "OK")
    assert ("coding", {"n": 1}, ()) == (back.state, back.data, back.frames)


def test_paths_are_normalised_before_they_are_matched() -> None:
    """`./`, `..` and the root do not get round a glob."""
    of = guarded()

    for path in ("./db/x.sql", "db//x.sql", "/srv/demo/db/x.sql", "src/../db/x.sql", "db\\x.sql"):
        assert "schema" == edited(of, of.start(), path).session.state, path
    assert "coding" == edited(of, of.start(), "db/deep/x.sql").session.state


def test_interrupts_nest_and_each_return_is_kept() -> None:
    """An edit inside a handler nests; the outer return is not lost."""
    of = guarded()
    first = edited(of, of.start(), "a.env").session
    second = edited(of, first, "db/x.sql").session

    assert ["coding", "audit"] == cast("dict[str, Json]", second.data)["_interrupt_return"]
    assert (Frame("secret", "a.env"), Frame("table", "db/x.sql")) == second.frames
    assert ["audit", "coding"] == [sent(of, second, "OK").state, sent(of, second, "OK", "OK").state]


def test_the_same_file_does_not_fire_inside_its_own_handler() -> None:
    """The handler may mend the file it was called for, in every one of its states; another file fires."""
    of = guarded()
    deep = sent(of, edited(of, of.start(), "a.env").session, "DEEPER")

    assert "second" == edited(of, deep, "./a.env").session.state
    assert "audit" == edited(of, deep, "b.env").session.state


def test_a_handler_that_was_left_is_not_at_work() -> None:
    """After leaving by another edge than `$return` the same file fires again."""
    of = guarded()
    left = sent(of, edited(of, of.start(), "a.env").session, "LEAK", "DONE")
    assert "completed" == left.state

    straight = machine(
        {**GUARDED, "audit": {"allowed_tools": ["Edit"], "on": {"LEAK": "coding"}}}, interrupts=INTERRUPTS
    )
    again = sent(straight, edited(straight, straight.start(), "a.env").session, "LEAK")
    assert "audit" == edited(straight, again, "a.env").session.state


def test_the_ninth_edit_is_refused_before_its_effect() -> None:
    """With eight at work an edit that would set off another one is refused, other edits are not."""
    of = guarded({"_interrupt_return": ["coding"] * 8})

    refused = decide(of, of.start(), "Edit", file_path="a.env", old_string="a", new_string="b")
    assert "interrupt_depth" == refused.code
    assert "allowed" == decide(of, of.start(), "Edit", file_path="a.py", old_string="a", new_string="b").code


def test_eight_are_allowed() -> None:
    """The limit is exact: the eighth fires."""
    of = guarded({"_interrupt_return": ["coding"] * 7})
    there = edited(of, of.start(), "a.env").session

    assert 8 == len(cast("list[Json]", cast("dict[str, Json]", there.data)["_interrupt_return"]))


def test_commands_and_patches_fire_too() -> None:
    """A file written through the shell or by a patch is an edit like any other (R58)."""
    of = guarded()
    patch = call("apply_patch", input="*** Begin Patch\n*** Add File: k/.env\n+A=1\n*** End Patch")

    assert "audit" == of.after(of.start(), call("Bash", command="cat > k/.env")).session.state
    assert "audit" == of.after(of.start(), patch).session.state


def test_an_edit_that_hides_its_file_is_refused() -> None:
    """Where interrupts watch files, an edit has to say which file it is."""
    of = guarded()

    assert "edit_unreadable" == decide(of, of.start(), "Edit", old_string="a", new_string="b").code


def test_a_session_in_a_handler_reads_back() -> None:
    """All of the detour is in the session's own JSON, so it replays."""
    of = guarded()
    there = edited(of, of.start(), "a.env").session

    assert {"_interrupt_return": ["coding"]} == json.loads(there.context)
