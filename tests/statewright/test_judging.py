"""Limits: iterations, budgets, repeats, edits and commands."""

from __future__ import annotations

import pytest
from attrs import evolve

from agentfsm.guard import Move
from agentfsm.statewright import Bounds, Machine, Session, ToolCall
from agentfsm.statewright.plain import Json
from tests.statewright.law_sample import call, decide, machine, parsed, sent

States = dict[str, dict[str, Json]]


def made(of: Machine, session: Session, *calls: ToolCall, read: int = 0) -> Session:
    """The session after *calls*, each of which has to be allowed."""
    for each in calls:
        decision = of.decide(session, each)
        assert decision.action == "allow", decision
        session = of.after(session, each, read=read).session
    return session


def reads(count: int, start: int = 0) -> list[ToolCall]:
    return [call("Read", file_path=f"f{number}") for number in range(start, start + count)]


# Iterations.

LIMITED: States = {
    "a": {"allowed_tools": ["Read"], "max_iterations": 2, "safe_next": "b", "on": {"SELF": "a", "GO": "b"}},
    "b": {"allowed_tools": ["Read"], "max_iterations": 1, "on": {"BACK": "a", "END": "completed"}},
}


def test_the_limit_is_exact_and_names_the_way() -> None:
    """Of N iterations N calls pass, the next is refused and told safe_next, which the guard then takes."""
    of = machine(LIMITED)
    used = made(of, of.start(), *reads(2))
    told = decide(of, used, "Read", file_path="x")

    assert ("deny", "iterations_exhausted", (Move("", "b"),)) == (told.action, told.code, told.way)
    assert "b" == of.give_way(used).session.state
    assert "not_exhausted" == getattr(of.give_way(of.start()).refused, "code", None)


def test_without_safe_next_the_way_is_failed() -> None:
    """A state that names no way on gives up."""
    of = machine(LIMITED)
    used = made(of, sent(of, of.start(), "GO"), *reads(1))

    assert (Move("", "failed"),) == decide(of, used, "Read", file_path="x").way
    assert "failed" == of.give_way(used).session.state


def test_only_entering_from_another_state_starts_anew() -> None:
    """A self-loop does not reset the count; leaving and coming back does."""
    of = machine(LIMITED)
    used = made(of, of.start(), *reads(2))

    assert "iterations_exhausted" == decide(of, sent(of, used, "SELF"), "Read").code
    assert "allowed" == decide(of, sent(of, used, "GO", "BACK"), "Read").code


def test_refused_calls_do_not_count() -> None:
    """Only calls decided allow are counted, and a call that is blocked anyway keeps its own reason."""
    of = machine(LIMITED)
    session = of.start()
    for _ in range(5):
        decision, step = of.admit(session, call("Write"))
        assert ("not_listed", session) == (decision.code, step.session)
    used = made(of, session, *reads(2))

    assert "not_listed" == decide(of, used, "Write").code
    decision, step = of.admit(used, call("Read", file_path="z"))
    assert ("iterations_exhausted", "b") == (decision.code, step.session.state)


# Repeats and budgets.


def test_identical_reads_are_warned_of_and_then_refused() -> None:
    """The third is a warning, the fifth a refusal, by whatever name; a change in between makes it new."""
    of = machine({"a": {"allowed_tools": ["Read", "Edit"], "on": {"END": "completed"}}})
    session = of.start()
    codes = []
    for name in ("Read", "read_file", "read", "Read", "Read"):
        decision, step = of.admit(session, call(name, file_path="same"))
        session = step.session
        codes.append(decision.code)

    assert ["allowed", "allowed", "repeated_call_warning", "repeated_call_warning", "repeated_call"] == codes
    assert "allowed" == decide(of, session, "Read", file_path="other").code
    edited = made(of, session, call("Edit", file_path="same", old_string="a", new_string="b"))
    assert "allowed" == decide(of, edited, "Read", file_path="same").code


def test_two_calls_in_turn_are_a_spiral_too() -> None:
    """Alternating between two calls is no way out (R15)."""
    of = machine({"a": {"allowed_tools": ["Read"], "on": {"END": "completed"}}})
    session = made(of, of.start(), *(reads(2) * 4))

    assert "repeated_call" == decide(of, session, "Read", file_path="f0").code


def test_bounds_can_be_set() -> None:
    """The numbers are the caller's."""
    of = machine({"a": {"allowed_tools": ["Read"]}}, bounds=Bounds(warn_at=2, refuse_at=2))

    assert "repeated_call" == decide(of, made(of, of.start(), *reads(1)), "Read", file_path="f0").code


@pytest.mark.parametrize(
    ("read", "code"),
    [(89, "allowed"), (90, "context_budget_warning"), (99, "context_budget_warning"), (100, "context_budget")],
)  # fmt: skip
def test_context_budget(read: int, code: str) -> None:
    """It warns at 90 % and refuses reads, and reads alone, at 100 %."""
    of = machine({"a": {"allowed_tools": ["Read", "Write"], "context_budget_bytes": 100, "on": {"GO": "b"}}, "b": {}})
    session = made(of, of.start(), *reads(1), read=read)

    assert code == decide(of, session, "Read", file_path="x").code
    assert "allowed" == decide(of, session, "Write", file_path="x", content="").code


# Edits.


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("Edit", {"file_path": "a", "old_string": "x\ny", "new_string": "x\nz"}, "allowed"),
        ("Edit", {"file_path": "a", "old_string": "", "new_string": "1\n2\n3"}, "edit_too_large"),
        ("edit", {"filePath": "a", "oldString": "1\n2\n3", "newString": ""}, "edit_too_large"),
        ("edit", {"path": "a", "edits": [{"oldText": "1", "newText": "2"}] * 3}, "edit_too_large"),
        ("MultiEdit", {"file_path": "a", "edits": [{"old_string": "1", "new_string": "2"}]}, "allowed"),
        # what cannot be counted is refused: no text, no file, a disk nobody can ask
        ("Edit", {"file_path": "a"}, "edit_unreadable"),
        ("Edit", {"old_string": "1", "new_string": "2"}, "edit_unreadable"),
        ("Edit", {"file_path": "a", "old_string": "1", "new_string": "2", "replace_all": True}, "edit_unreadable"),
        ("Write", {"file_path": "a", "content": "1"}, "edit_unreadable"),
        ("MultiEdit", {"file_path": "a", "edits": "nonsense"}, "edit_unreadable"),
        # two texts for one thing: one of them would be looked at, the other done
        ("Edit", {"file_path": "a", "old_string": "1", "oldString": "2", "new_string": "3"}, "edit_unreadable"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a\n-1\n+2\n*** End Patch"}, "allowed"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a\n-1\n-2\n-3\n*** End Patch"}, "edit_too_large"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}, "not_listed"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch"}, "not_listed"),
        ("apply_patch", {"input": "rm -rf"}, "edit_unreadable"),
        ("apply_patch", {}, "edit_unreadable"),
        ("NotebookEdit", {"notebook_path": "a", "new_source": "1\n2\n3"}, "edit_too_large"),
    ],
)
def test_max_edit_lines(name: str, arguments: dict[str, object], code: str) -> None:
    """The limit counts the real diff of every kind of edit; what hides its size is refused."""
    tools: Json = ["Edit", "MultiEdit", "Write", "NotebookEdit"]
    of = machine({"a": {"allowed_tools": tools, "max_edit_lines": 2, "on": {"FAIL": "failed"}}})

    assert code == of.decide(of.start(), ToolCall(name, arguments)).code


def test_a_patch_needs_what_it_does() -> None:
    """A patch passes where its parts would: listing Edit does not let it add or delete, a ban holds inside it."""
    adding = "*** Begin Patch\n*** Add File: a\n+1\n*** End Patch"
    editing = machine({"a": {"allowed_tools": ["Edit"], "on": {"GO": "b"}}, "b": {"allowed_tools": ["Write"]}})
    banning = machine({"a": {"disallowed_tools": ["Write"], "on": {"FAIL": "failed"}}})
    listing = machine({"a": {"allowed_tools": ["apply_patch"], "on": {"FAIL": "failed"}}})

    told = decide(editing, editing.start(), "apply_patch", input=adding)
    assert ("not_listed", (Move("GO", "b"),)) == (told.code, told.way)
    assert "disallowed" == decide(banning, banning.start(), "apply_patch", input=adding).code
    assert "allowed" == decide(listing, listing.start(), "apply_patch", input=adding).code


def test_max_files_per_state() -> None:
    """One file by many names is one file; the first too many is refused, the known ones are not."""
    of = machine({"a": {"allowed_tools": ["Edit"], "max_files_per_state": 2, "on": {"GO": "b"}}, "b": {}})

    def edit(path: str, text: str = "1") -> ToolCall:
        return call("Edit", file_path=path, old_string="0", new_string=text)

    session = made(of, of.start(), edit("a.py"), edit("./a.py", "2"), edit("/srv/demo/x/../a.py", "3"), edit("b.py"))

    assert ("a.py", "b.py") == session.files
    assert "too_many_files" == of.decide(session, edit("c.py")).code
    assert "allowed" == of.decide(session, edit("x//../b.py", "4")).code
    assert (
        "too_many_files"
        == decide(of, session, "Edit", file_path="a.py", path="c.py", old_string="", new_string="").code
    )


def test_giving_way_is_refused_where_there_is_none() -> None:
    """A machine without `failed` and `safe_next`, and a session that waits for a person."""
    nowhere = parsed({"id": "m", "initial": "a", "states": {"a": {"allowed_tools": ["Read"], "max_iterations": 0}}})
    asking: Json = {"target": "failed", "requires_approval": True}
    parked = machine({"a": {"max_iterations": 0, "safe_next": "failed", "on": {"GO": asking}}})
    waiting = parked.give_way(parked.start("r"), now=1).session

    assert "no_way" == getattr(nowhere.give_way(nowhere.start()).refused, "code", None)
    assert "no way on is left" in decide(nowhere, evolve(nowhere.start(), watch=True), "Read").reason
    assert "awaiting_approval" == getattr(parked.give_way(waiting, now=1).refused, "code", None)
