"""Invoked machines and forks."""

from __future__ import annotations

import pytest
from law_sample import call, decide, machine, sent

from agentfsm.errors import DefinitionError
from agentfsm.statewright import Bounds, Machine, Session, link, load_family, load_text
from agentfsm.statewright.plain import Json

States = dict[str, dict[str, Json]]

CHILD: States = {
    "look": {"allowed_tools": ["Grep"], "on": {"FOUND": "found", "GIVE_UP": "failed", "SELF": "look"}},
    "found": {"type": "final"},
}
PARENT: States = {
    "work": {
        "allowed_tools": ["Edit"],
        "on": {
            "DEBUG": {"invoke": "child", "on_complete": "mend", "on_fail": "stuck", "input": {"scope": "last", "n": 1}},
            "HARD": {"invoke": "child", "on_complete": "mend"},
        },
    },
    "mend": {"allowed_tools": ["Write"], "on": {"END": {"target": "completed", "guard": "sure"}}},
    "stuck": {"on": {"END": "failed"}},
}
SURE: Json = {"sure": {"field": "cause", "op": "exists"}}


def family(bounds: Bounds | None = None, outputs: Json = ("cause",)) -> tuple[Machine, Session]:
    child = machine(CHILD, context={"own": True, "n": 0}, meta={"outputs": list(outputs)}, bounds=bounds)  # type: ignore[arg-type]  # a tuple of names
    of = machine(PARENT, context={"secret": 7}, guards=SURE, machines={"child": child}, bounds=bounds)
    return of, sent(of, of.start("run"), "DEBUG")


def test_the_child_sees_its_input_and_nothing_else() -> None:
    """Its context is its own with the input laid over it; the parent's stays outside (R49)."""
    _, inside = family()

    assert inside.child is not None
    assert {"own": True, "n": 1, "scope": "last"} == inside.child.session.data
    assert ("work", {"secret": 7}) == (inside.state, inside.data)


def test_tools_and_events_are_the_childs() -> None:
    """While it runs, the child's states decide."""
    of, inside = family()

    assert ["allowed", "not_listed"] == [decide(of, inside, name).code for name in ("Grep", "Edit")]
    assert ("Grep",) == of.offered(inside, ["Grep", "Edit"])
    assert "no_transition" == getattr(of.send(inside, "END").refused, "code", None)


def test_only_declared_output_returns() -> None:
    """What meta.outputs lists comes back, the rest is gone (R49)."""
    of = machine(
        PARENT, context={"secret": 7}, machines={"child": machine(CHILD, context={}, meta={"outputs": ["cause"]})}
    )
    inside = sent(of, of.start(), "DEBUG")
    after = of.send(inside, "FOUND", {"cause": "typo", "noise": 1}).session

    assert ("mend", {"secret": 7, "cause": "typo"}, None) == (after.state, after.data, after.child)


def test_a_child_cannot_forge_what_the_parent_guards() -> None:
    """An output that the parent's guards read is closed to the child's agent too."""
    of, inside = family()
    step = of.send(inside, "FOUND", {"cause": "typo"})

    assert ("protected_context", ("cause",)) == (
        step.refused and step.refused.code,
        step.refused and step.refused.about,
    )
    assert inside == step.session


@pytest.mark.parametrize(("event", "state"), [("DEBUG", "stuck"), ("HARD", "failed")])
def test_a_failed_child(event: str, state: str) -> None:
    """Its `failed` leads to on_fail, and without one to `failed`."""
    of, _ = family()
    assert state == sent(of, of.start(), event, "GIVE_UP").state


def nested(depth: int, bounds: Bounds) -> Machine:
    """A machine that invokes another, and so on, *depth* deep."""
    of = machine({"s0": {"on": {"END": "completed"}}}, bounds=bounds)
    for _ in range(depth):
        states: States = {"s0": {"on": {"IN": {"invoke": "inner", "on_complete": "completed"}, "END": "completed"}}}
        of = machine(states, machines={"inner": of}, bounds=bounds)
    return of


@pytest.mark.parametrize("limit", [0, 1, 8])
def test_max_depth_is_exact(limit: int) -> None:
    """Of N levels N are possible, the one below them is refused and changes nothing."""
    of = nested(limit + 1, Bounds(max_depth=limit))
    session = sent(of, of.start(), *["IN"] * limit)
    step = of.send(session, "IN")

    assert "depth_exceeded" == getattr(step.refused, "code", None)
    assert session == step.session


def test_ends_come_back_through_every_level() -> None:
    """The end of the innermost is the end of each that waited for nothing else."""
    of = nested(3, Bounds())

    assert "completed" == sent(of, of.start(), "IN", "IN", "IN", "END").state


def test_max_child_steps_is_exact() -> None:
    """The child makes its N moves; the one after them is not made, and it has failed."""
    of, inside = family(Bounds(max_child_steps=3))
    used = sent(of, inside, "SELF", "SELF", "SELF")
    step = of.send(used, "SELF")

    assert used.child is not None and 3 == used.child.moves
    assert ("stuck", "child_steps_exhausted") == (step.session.state, step.refused and step.refused.code)
    assert "mend" == sent(of, sent(of, inside, "SELF", "SELF"), "FOUND").state


def test_a_machine_that_was_not_given_is_refused() -> None:
    """An invoke of nobody changes nothing."""
    of = machine(PARENT)

    assert "unknown_machine" == getattr(of.send(of.start(), "DEBUG").refused, "code", None)


def test_an_approval_inside_a_child() -> None:
    """A request below is found and answered from above."""
    child = machine({"ask": {"on": {"GO": {"target": "completed", "requires_approval": True}, "NO": "failed"}}})
    of = machine(PARENT, machines={"child": child})
    parked = of.send(sent(of, of.start("r"), "DEBUG"), "GO", now=5).session
    (request,) = of.waiting(parked)

    assert "awaiting_approval" == decide(of, parked, "Grep").code
    assert "mend" == of.approve(parked, request.id, by="ada", now=6).session.state


# Families.


def text(name: str, *invokes: str) -> str:
    events = ", ".join(f'"E{n}": {{"invoke": "{other}", "on_complete": "end"}}' for n, other in enumerate(invokes))
    end = ', "END": "end"' if invokes else '"END": "end"'
    return f'{{"id": "{name}", "initial": "a", "states": {{"a": {{"on": {{{events}{end}}}}}, "end": {{"type": "final"}}}}}}'


def test_cycles_are_found_at_load() -> None:
    """Each machine that comes back to itself is told, with the way round."""
    definitions = [load_text(text(*names)).sound() for names in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"))]

    with pytest.raises(DefinitionError) as caught:
        link(definitions)

    assert [
        ("invoke_cycle", ("a", "b", "c", "a")),
        ("invoke_cycle", ("b", "c", "a", "b")),
        ("invoke_cycle", ("c", "a", "b", "c")),
    ] == [(finding.code, finding.path) for finding in caught.value.findings]


def test_a_family_is_linked_from_files(tmp_path: object) -> None:
    """Files name each other by id, in any order."""
    from pathlib import Path

    folder = Path(str(tmp_path))
    for name, *invokes in (("a", "b", "c"), ("b", "c"), ("c",)):
        (folder / f"{name}.json").write_text(text(name, *invokes))
    machines = load_family(sorted(folder.glob("*.json")))

    assert {"b", "c"} == machines["a"].law.children.keys()
    with pytest.raises(DefinitionError, match="unknown_machine"):
        load_family([folder / "a.json"])
    with pytest.raises(DefinitionError, match="duplicate_machine"):
        load_family([folder / "c.json", folder / "c.json"])


# Forks.

FORKED: States = {
    "split": {
        "allowed_tools": ["Read"],
        "on": {
            "START": {
                "fork": {
                    "branches": {
                        "docs": {"initial": "write_docs", "terminal": "docs_done"},
                        "code": {"initial": "write_code", "terminal": "code_done"},
                    },
                    "on_complete": "merged",
                    "on_fail": "broken",
                }
            },
            "RACE": {
                "fork": {
                    "branches": {
                        "docs": {"initial": "write_docs", "terminal": "docs_done"},
                        "code": {"initial": "write_code", "terminal": "code_done"},
                    },
                    "join": "any",
                    "on_complete": "merged",
                }
            },
            "EMPTY": {"fork": {"branches": {}, "on_complete": "merged"}},
            "INSTANT": {
                "fork": {"branches": {"x": {"initial": "docs_done", "terminal": "docs_done"}}, "on_complete": "merged"}
            },
        },
    },
    "write_docs": {"allowed_tools": ["Write"], "on": {"OK": "docs_done", "BAD": "failed"}},
    "write_code": {"allowed_tools": ["Edit"], "on": {"OK": "code_done", "BAD": "failed"}},
    "docs_done": {},
    "code_done": {},
    "merged": {"allowed_tools": ["Bash"], "on": {"END": "completed"}},
    "broken": {"on": {"END": "failed"}},
}


def forked(event: str = "START") -> tuple[Machine, Session]:
    of = machine(FORKED, context={"n": 0}, meta={"outputs": ["n"]})
    return of, of.send(of.start("r"), event).session


def test_branches_have_sessions_of_their_own() -> None:
    """Each branch has its tools and its context, and a call has to say in which it is made."""
    of, running = forked()

    assert "branch_needed" == decide(of, running, "Write").code
    assert ["allowed", "not_listed"] == [of.decide_in(running, call(n), ("docs",)).code for n in ("Write", "Edit")]
    after = of.send(running, "OK", {"n": 5}, branch=("docs",)).session
    assert after.fork is not None
    assert [{"n": 5}, {"n": 0}] == [run.session.data for run in after.fork.branches]
    assert {"n": 0} == after.data


def test_the_join_waits_for_the_terminal_of_all() -> None:
    """on_complete is entered only after every branch has really reached its terminal."""
    of, running = forked()
    one = of.send(running, "OK", {"n": 5}, branch=("docs",)).session
    both = of.send(one, "OK", {"n": 6}, branch=("code",)).session

    assert ("split", "branch_over") == (one.state, of.decide_in(one, call("Write"), ("docs",)).code)
    assert ("merged", None) == (both.state, both.fork)
    assert {"n": 0, "_fork": {"docs": {"n": 5}, "code": {"n": 6}}} == both.data


def test_one_failure_ends_a_join_of_all() -> None:
    """It leads to on_fail; the branches still running are gone."""
    of, running = forked()

    assert "broken" == of.send(running, "BAD", branch=("code",)).session.state


def test_any_joins_at_the_first_and_fails_with_the_last() -> None:
    """The first terminal wins; only when none can be reached it has failed."""
    of, running = forked("RACE")
    lost = of.send(running, "BAD", branch=("docs",)).session

    assert "merged" == of.send(running, "OK", branch=("code",)).session.state
    assert "split" == lost.state
    assert "merged" == of.send(lost, "OK", branch=("code",)).session.state
    assert "failed" == of.send(lost, "BAD", branch=("code",)).session.state


def test_a_fork_that_has_nothing_to_do_joins_at_once() -> None:
    """No branches, or branches that start where they end."""
    of, _ = forked()

    assert ["merged", "merged"] == [of.send(of.start(), event).session.state for event in ("EMPTY", "INSTANT")]
