"""Forks: branches with sessions of their own, and the join."""

from __future__ import annotations

from agentfsm.statewright import Machine, Session
from agentfsm.statewright.plain import Json
from tests.statewright.law_sample import call, decide, machine, sent

States = dict[str, dict[str, Json]]

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


def test_a_machine_inside_a_branch() -> None:
    """A branch is not done before the machine that it invoked is."""
    kid = machine({"k": {"allowed_tools": ["Grep"], "on": {"OK": "completed"}}})
    fork: Json = {"fork": {"branches": {"x": {"initial": "work", "terminal": "done"}}, "on_complete": "completed"}}
    of = machine(
        {"a": {"on": {"GO": fork}}, "work": {"on": {"IN": {"invoke": "kid", "on_complete": "done"}}}, "done": {}},
        machines={"kid": kid},
    )
    inside = of.send(sent(of, of.start(), "GO"), "IN", branch=("x",)).session

    assert "a" == inside.state
    assert "allowed" == of.decide_in(inside, call("Grep"), ("x",)).code
    assert "completed" == of.send(inside, "OK", branch=("x",)).session.state


def test_a_branch_that_starts_nowhere_is_refused() -> None:
    """The fork does not begin."""
    fork: Json = {"fork": {"branches": {"x": {"initial": "gone", "terminal": "gone"}}, "on_complete": "completed"}}
    of = machine({"a": {"on": {"GO": fork}}})

    assert "unknown_state" == getattr(of.send(of.start(), "GO").refused, "code", None)
