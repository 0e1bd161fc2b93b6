"""Recorded runs as runs of ours: every action in the log, every ending an outcome, and nothing called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from attrs import evolve
from hypothesis import given

from agentfsm import CallEvent, MemoryJournal, Outcome, ReplayMismatchError
from agentfsm.migrate import Ending, RecordedCall, RecordedStep, Trajectory, read_bytes, read_text
from agentfsm.models import ScriptedModel
from agentfsm_stages.react import (
    Action,
    Imported,
    ImportedRun,
    Observation,
    Thought,
    UserInput,
    import_trajectory,
    react,
)
from agentfsm_stages.react.importing import RecordedClock

FILES = Path(__file__).parents[4] / "shared" / "fixtures" / "trajectories"
LOOK = RecordedStep("Look.", (RecordedCall("Read", {"path": "a.py"}, "open a.py", 0),), "1: x", 0.5, 100.0)
MEND = RecordedStep("Mend.", (RecordedCall("Edit", {"path": "a.py", "start": 1}, "edit 1:1", 1),), "done", 1.5, 103.0)
DONE = Ending("finished", "x = 1", "submitted", "x = 1")


def trajectory(*steps: RecordedStep, ending: Ending = DONE) -> Trajectory:
    actions = len({call.action for step in steps for call in step.calls})
    return Trajectory("a.traj", "swe-agent", "Mend a.py.", steps, ending, actions)


def path_of(imported: ImportedRun) -> str:
    return " ".join(event.target.name for event in imported.run.events[1:])


def calls(imported: ImportedRun) -> list[tuple[str, dict[str, Any], str]]:
    found = [entry for entry in imported.run.log if isinstance(entry, CallEvent)]
    return [(each.tool, json.loads(each.arguments), json.loads(each.result)) for each in found]


async def test_every_action_is_a_call_in_the_log() -> None:
    """Canonical names, arguments and what came back; no guard decided, and no effect was meant."""
    imported = await import_trajectory(trajectory(LOOK, MEND))

    assert [
        ("Read", {"path": "a.py"}, "1: x"),
        ("Edit", {"path": "a.py", "start": 1}, "done"),
    ] == calls(imported)
    entries = [entry for entry in imported.run.log if isinstance(entry, CallEvent)]
    assert {(None, "", "result")} == {(entry.decision, entry.effect, entry.phase) for entry in entries}
    assert (2, 2) == (imported.recorded_actions, imported.imported_actions)


async def test_the_stages_are_driven() -> None:
    """What was thought, done and observed is in the records of each iteration."""
    imported = await import_trajectory(trajectory(LOOK, MEND))

    assert "THINKING ACTING OBSERVING THINKING ACTING OBSERVING FINISHED" == path_of(imported)
    written = [record for event in imported.run.events[1:] for record in event.patch.values()]
    assert ["Look.", "Mend."] == [each.reasoning for each in written if isinstance(each, Thought)]
    assert ["1: x", "done"] == [each.outputs[0].text for each in written if isinstance(each, Action)]
    assert ["1: x", "done"] == [each.summary for each in written if isinstance(each, Observation)]
    assert UserInput("Mend a.py.") == imported.run.get(UserInput)


async def test_an_import_says_that_it_is_one() -> None:
    """R30: entry 0 has the source, its format, and how the recording ended."""
    imported = await import_trajectory(trajectory(LOOK))

    assert Imported("a.traj", "swe-agent", "submitted", "x = 1", 1) == imported.run.events[0].patch[Imported]


async def test_a_fresh_agent_reads_the_log() -> None:
    """R29: the log is that of the live agent: it replays, and no model is asked."""
    imported = await import_trajectory(trajectory(LOOK, MEND))

    run = react(ScriptedModel()).read(imported.lines)

    assert (imported.run.digest, Outcome.FINISHED) == (run.digest, run.outcome)


async def test_a_journal_keeps_it() -> None:
    """An import goes where any run goes."""
    journal = MemoryJournal()
    imported = await import_trajectory(trajectory(LOOK), journal=journal)

    assert imported.lines == tuple([line async for line in journal.read(imported.run.id)])


@pytest.mark.parametrize(
    ("steps", "ending", "outcome", "path", "answer", "summary"),
    [
        ((LOOK,), DONE, Outcome.FINISHED, "THINKING ACTING OBSERVING FINISHED", "x = 1", "1: x"),
        (
            (RecordedStep("It is 3."),),
            Ending("finished", "It is 3."),
            Outcome.FINISHED,
            "THINKING OBSERVING FINISHED",
            "It is 3.",
            "",
        ),
        (
            (RecordedStep("Hm.", (), "no command found"), LOOK),
            DONE,
            Outcome.FINISHED,
            "THINKING OBSERVING THINKING ACTING OBSERVING FINISHED",
            "x = 1",
            "1: x",
        ),
        (
            (LOOK, MEND),
            Ending("exhausted", "exit_cost"),
            Outcome.EXHAUSTED,
            "THINKING ACTING OBSERVING THINKING ACTING OBSERVING THINKING",
            "",
            "done\n\nexit_cost",
        ),
        (
            (LOOK,),
            Ending("failed", "the recording is cut off"),
            Outcome.FAILED,
            "THINKING ACTING OBSERVING FAILED",
            "",
            "1: x\n\nthe recording is cut off",
        ),
        (
            (RecordedStep("Hm.", (), "no command"),),
            Ending("failed", "no command"),
            Outcome.FAILED,
            "THINKING OBSERVING FAILED",
            "",
            "no command",
        ),
        ((RecordedStep(""), LOOK), DONE, Outcome.FINISHED, None, "x = 1", "1: x"),
        ((), Ending("failed", "no step"), Outcome.FAILED, "THINKING OBSERVING FAILED", "", "no step"),
        ((), DONE, Outcome.FINISHED, "THINKING OBSERVING FINISHED", "x = 1", ""),
        ((), Ending("exhausted", "exit_context"), Outcome.EXHAUSTED, "THINKING", None, None),
    ],
)
async def test_endings(
    steps: tuple[RecordedStep, ...], ending: Ending, outcome: Outcome, path: str | None, answer: str, summary: str
) -> None:
    """A submission or a last word finishes; a budget is exhausted; the rest is failed; a step may have no action."""
    imported = await import_trajectory(trajectory(*steps, ending=ending))

    assert outcome is imported.run.outcome
    assert path in (None, path_of(imported))
    seen = imported.run.get(Observation)
    assert (answer, summary) == ((seen.final_answer, seen.summary) if seen is not None else (None, None))
    assert imported.run.digest == react(ScriptedModel()).read(imported.lines).digest


async def test_an_action_of_several_commands_is_one() -> None:
    """Calls are in the log one by one, and counted by the action that they were; each has its own answer if any."""
    two = RecordedStep(
        "Both.",
        (
            RecordedCall("Read", {"path": "a"}, "open a", 0, "A"),
            RecordedCall("Read", {"path": "b"}, "open b", 0),
            RecordedCall("Read", {"path": "c"}, "open c", 0),
        ),
        "all of it",
    )
    imported = await import_trajectory(trajectory(two))

    assert ["A", "", "all of it"] == [answer for _, _, answer in calls(imported)]
    assert (1, 1) == (imported.recorded_actions, imported.imported_actions)


async def test_times_are_those_of_the_file() -> None:
    """Nanoseconds since 1970, as far as the file says: a call ends after as long as it took."""
    imported = await import_trajectory(trajectory(LOOK, MEND))

    spans = [(e.started, e.ended) for e in imported.run.log if isinstance(e, CallEvent)]
    assert [(100_000_000_000, 100_500_000_000), (103_000_000_000, 104_500_000_000)] == spans
    assert 100_000_000_000 == imported.run.events[0].started


async def test_without_times_all_is_zero() -> None:
    """Nothing is made up."""
    imported = await import_trajectory(trajectory(evolve(LOOK, at=None, seconds=None)))

    assert {0} == {time for entry in imported.run.log for time in (entry.started, entry.ended)}


def test_the_clock_never_goes_back() -> None:
    """A recording whose times are out of order keeps the order of its steps."""
    clock = RecordedClock(5)
    for at, spent in ((7, 2.0), (6, -1.0), (None, None)):
        clock.reach(at)
        clock.spend(spent)

    assert 9_000_000_000 == clock.now()


async def test_a_wrong_account_is_refused() -> None:
    """A recording that claims other actions than its steps hold is not imported as if nothing were missing."""
    with pytest.raises(ReplayMismatchError) as caught:
        await import_trajectory(evolve(trajectory(LOOK), recorded_actions=2))

    assert "finished with 2 actions" in str(caught.value)


TEXTS = st.text(max_size=8) | st.just("\ud800 alone")
SECONDS = st.none() | st.floats(-10, 1e10)
CALLS = st.builds(
    RecordedCall,
    st.sampled_from(["Bash", "Read", "Edit"]),
    st.dictionaries(TEXTS, st.none() | st.booleans() | st.integers() | TEXTS, max_size=2),
    st.just("raw"),
    st.just(0),
    st.none() | TEXTS,
)
STEPS = st.builds(RecordedStep, TEXTS, st.lists(CALLS, max_size=3).map(tuple), TEXTS, SECONDS, SECONDS)
ENDINGS = st.one_of(
    st.builds(Ending, st.just("finished"), TEXTS.filter(str.strip), TEXTS),
    st.builds(Ending, st.sampled_from(["exhausted", "failed"]), TEXTS, TEXTS),
)


@given(st.lists(STEPS, max_size=4), ENDINGS)
async def test_any_recording_imports(steps: list[RecordedStep], ending: Ending) -> None:
    """R30: whatever was said, the log has every action, ends as the recording does, and reads back the same."""
    numbered = [evolve(s, calls=tuple(evolve(c, action=n) for c in s.calls)) for n, s in enumerate(steps)]

    imported = await import_trajectory(trajectory(*numbered, ending=ending))

    assert sum(len(step.calls) for step in steps) == len(calls(imported))
    assert imported.run.digest == react(ScriptedModel()).read(imported.lines).digest


async def test_from_text() -> None:
    """A file of another shape of the same format goes all the way."""
    messages = [
        {"role": "user", "content": "Ring."},
        {"role": "assistant", "content": "Look.\n```bash\nls\n```"},
        {"role": "user", "content": "<returncode>0</returncode>"},
        {"role": "assistant", "content": "no block"},
        {"role": "user", "content": "Please always provide EXACTLY ONE action."},
    ]
    imported = await import_trajectory(read_text(json.dumps(messages), "ring.traj.json"))

    assert "THINKING ACTING OBSERVING THINKING OBSERVING FAILED" == path_of(imported)
    assert [("Bash", {"command": "ls"}, "<returncode>0</returncode>")] == calls(imported)


@pytest.mark.skipif(not FILES.is_dir(), reason="the recorded runs are not beside this checkout")
@pytest.mark.parametrize(
    ("name", "actions", "outcome"),
    [
        ("minisweagent_github_issue.traj.json", 10, Outcome.FINISHED),
        ("minisweagent_local.traj.json", 2, Outcome.FAILED),
        ("sweagent_ctf_forensics_flash.traj", 4, Outcome.FINISHED),
        ("sweagent_function_calling_simple.traj", 5, Outcome.FINISHED),
        ("sweagent_humanevalfix_0.traj", 5, Outcome.FINISHED),
        ("sweagent_marshmallow_1867_function_calling.traj", 11, Outcome.FINISHED),
        ("sweagent_pydicom_1458.traj", 12, Outcome.FINISHED),
        ("sweagent_testrepo_1c2844.traj", 5, Outcome.FINISHED),
    ],
)
async def test_files_of_others(name: str, actions: int, outcome: Outcome) -> None:
    """Each published recording imports with every action, ends as it ended, and replays in a fresh agent."""
    recorded = read_bytes((FILES / name).read_bytes(), name)

    imported = await import_trajectory(recorded)

    assert (outcome, actions, actions) == (imported.run.outcome, imported.recorded_actions, imported.imported_actions)
    assert [(c.name, c.raw != "") for c in recorded.calls] == [(tool, True) for tool, _, _ in calls(imported)]
    seen = imported.run.get(Observation)
    assert seen is not None
    assert recorded.ending.text == (seen.final_answer or seen.summary[-len(recorded.ending.text) :])
    assert imported.run.digest == react(ScriptedModel()).read(imported.lines).digest
