"""
Recorded runs of other harnesses, driven through the stages of this pack: their log is one of ours.

Think says what was thought, Act answers each recorded call with what came back, Observe observes what was observed. No
tool runs and no guard is asked. Everything else is as in a live run: views, patches, invariants, events.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import frozen

from agentfsm import (
    Context,
    Iteration,
    Journal,
    Limits,
    Maybe,
    Outcome,
    ReplayMismatchError,
    Run,
    StatePatch,
    View,
    World,
)
from agentfsm.migrate import Ending, RecordedCall, RecordedStep, Trajectory
from agentfsm.models import AskedCall, Reply, ScriptedModel, answer_text
from agentfsm_stages.react.act import Act
from agentfsm_stages.react.agents import NO_LIMITS, Classic, Settings, classic
from agentfsm_stages.react.observe import Observe
from agentfsm_stages.react.records import Action, Imported, Observation, Output, Session, Thought, UserInput
from agentfsm_stages.react.think import Think

__all__ = ("ImportedRun", "RecordedClock", "import_trajectory")

ThinkReads: TypeAlias = Maybe[Session] | UserInput | Iteration | Maybe[Observation]
ObserveReads: TypeAlias = Maybe[Session] | Iteration | Thought | Maybe[Action]
OUTCOMES: Mapping[str, Outcome] = {
    "finished": Outcome.FINISHED,
    "exhausted": Outcome.EXHAUSTED,
    "failed": Outcome.FAILED,
}
SILENT = RecordedStep("")


@frozen(eq=False)
class ImportedRun:
    """
    A recorded run as one of ours, and the account of it.

    *recorded_actions* were counted in the file, *imported_actions* in the log; they are equal.
    """

    run: Run[Classic]
    lines: tuple[str, ...]
    ending: Ending
    recorded_actions: int
    imported_actions: int


class RecordedClock:
    """Tells the time of a recording: what the file says of it, counted from 0 where it has no times; never back."""

    def __init__(self, start: float | None = None) -> None:
        self._now = 0
        self.reach(start)

    def now(self) -> int:
        """The time in nanoseconds since 1970, or since the recording began."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Return at once: nobody waits for what is over."""

    def reach(self, seconds: float | None) -> None:
        """Go on to a time in seconds since 1970, where the file has it."""
        if seconds is not None:
            self._now = max(self._now, round(seconds * 1_000_000_000))

    def spend(self, seconds: float | None) -> None:
        """Let time pass, where the file says how much."""
        if seconds is not None and seconds > 0:
            self._now += round(seconds * 1_000_000_000)


@frozen(eq=False)
class Recording:
    """What the stages of an import look up: the steps, by the iteration that they are."""

    steps: tuple[RecordedStep, ...]
    ending: Ending
    clock: RecordedClock

    def step(self, iteration: Iteration) -> RecordedStep:
        """Return the step of an iteration; a recording without any is one in which nothing was said."""
        return self.steps[iteration.number - 1] if self.steps else SILENT

    def is_last(self, iteration: Iteration) -> bool:
        """Tell whether no step comes after that of *iteration*."""
        return iteration.number >= len(self.steps)


class Recalled(Think):
    """Think as it was thought."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(ScriptedModel(name="recording"))  # it is never asked
        self.recording = recording

    @property
    def name(self) -> str:
        """The name of the stage that this one stands for: the log is to be read by the agent that has that."""
        return Think.__name__

    async def reply(self, view: View[ThinkReads], ctx: Context) -> Reply:
        """Return what the recording has the model say."""
        step = self.recording.step(view[Iteration])
        self.recording.clock.reach(step.at)
        await ctx.emit(step.thought)
        calls = tuple(asked(number, call) for number, call in enumerate(step.calls))
        return Reply(step.thought, calls, stop="calls" if calls else "end")


class Repeated(Act):
    """Answer each call with what came back: nothing is called."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.answers = dict(answer for step in recording.steps for answer in answers_of(step))

    @property
    def name(self) -> str:
        """The name of the stage that this one stands for."""
        return Act.__name__

    async def output(self, call: AskedCall, ctx: Context) -> Output:
        """Return what the recording has for a call."""
        recorded, answer, seconds = self.answers[call.id]

        async def heard() -> str:
            self.recording.clock.spend(seconds)
            return answer

        text = await ctx.ask(recorded.name, recorded.arguments, str, heard)
        return Output(call.id, recorded.name, "ok", text)


class Reobserved(Observe):
    """Observe what was observed, and end as the recording ends."""

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording

    @property
    def name(self) -> str:
        """The name of the stage that this one stands for."""
        return Observe.__name__

    async def run(self, view: View[ObserveReads], ctx: Context) -> StatePatch[Observation]:
        step, ending = self.recording.step(view[Iteration]), self.recording.ending
        if not step.calls:
            self.recording.clock.spend(step.seconds)
        if not self.recording.is_last(view[Iteration]):
            return StatePatch(Observation(step.observation, need_loop=True))
        if ending.outcome == "finished":
            return StatePatch(Observation(step.observation, ending.text))
        summary = "\n\n".join(dict.fromkeys(filter(None, (step.observation, ending.text))))
        return StatePatch(Observation(summary, need_loop=ending.outcome == "exhausted"))


async def import_trajectory(trajectory: Trajectory, *, journal: Journal | None = None) -> ImportedRun:
    """
    Return the log of a recorded run.

    A run that reached a budget of its harness is given exactly the iterations that it had, and is exhausted; what it
    ended with is in `Imported` and in the last observation. Raises `ReplayMismatchError` when not every recorded action
    came through, or the run ended otherwise than the recording.
    """
    ending, steps = trajectory.ending, trajectory.steps
    clock = RecordedClock(steps[0].at if steps else None)
    recording = Recording(steps, ending, clock)
    limits = Limits(iterations=len(steps)) if ending.outcome == "exhausted" else NO_LIMITS
    settings = Settings(limits=limits, journal=journal, world=World(clock=clock))
    agent = classic(Recalled(recording), Repeated(recording), Reobserved(recording), settings)
    said = (trajectory.source_format, ending.status, ending.text, trajectory.recorded_actions)
    run = await agent.run(UserInput(trajectory.task), Imported(trajectory.file, *said))
    done = actions_of(run)
    if (run.outcome, done) != (OUTCOMES[ending.outcome], trajectory.recorded_actions):
        expected = f"{ending.outcome} with {trajectory.recorded_actions} actions"
        found = f"{run.outcome} with {done}" + (f": {run.events[-1].error}" if run.events[-1].error else "")
        raise ReplayMismatchError(run.events[-1].seq, "import", expected, found)
    return ImportedRun(run, agent.lines(run), ending, trajectory.recorded_actions, done)


def asked(number: int, call: RecordedCall) -> AskedCall:
    """Return a recorded call as a model asks for it; its id says of which action it is, and which of its calls."""
    return AskedCall(f"{call.action}.{number}", call.name, answer_text(call.arguments))


def answers_of(step: RecordedStep) -> tuple[tuple[str, tuple[RecordedCall, str, float | None]], ...]:
    """
    Return what came back for each call of a step, and how long it took.

    Where the file does not tell the answers apart, all that was observed answers the last call; and so does the time.
    """
    last = len(step.calls) - 1
    found: list[tuple[str, tuple[RecordedCall, str, float | None]]] = []
    for number, call in enumerate(step.calls):
        whole = step.observation if number == last else ""
        answer = whole if call.output is None else call.output
        found.append((asked(number, call).id, (call, answer, step.seconds if number == last else None)))
    return tuple(found)


def actions_of(run: Run[Classic]) -> int:
    """Return how many actions a log has, counted in what its Act stage committed."""
    acted = (record for event in run.events for record in event.patch.values() if isinstance(record, Action))
    return len({call.id.partition(".")[0] for action in acted for call in action.calls})
