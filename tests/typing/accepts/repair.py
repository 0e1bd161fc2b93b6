"""A machine as users are meant to write it; the files of mistakes build on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Generic, Literal, Never, TypeAlias, TypeVar

from attrs import define, field

from agentfsm import (
    AllowList,
    Business,
    Context,
    FSMOrchestrator,
    Invariant,
    Iteration,
    LastError,
    Lifecycle,
    Limits,
    Maybe,
    MemoryJournal,
    Metadata,
    Outcome,
    Record,
    Retry,
    Site,
    Stage,
    StatePatch,
    Tool,
    Trail,
    View,
    monotonic,
    record,
    tool,
    write_once,
)


class Phase(Enum):
    FIX, VERIFY, DONE, FAILED = "fix", "verify", "done", "failed"


@tool(effect="idempotent", timeout=5)
class Edit(Tool[str]):
    path: str
    text: str = ""

    async def run(self, site: Site) -> str:
        return f"{self.path}: {self.text}"


@tool
class Count(Tool[int]):
    words: tuple[str, ...]

    async def run(self, site: Site) -> int:
        return len(self.words)


@record
class Project(Metadata):
    user: str


@record
class Bug(Business):
    report: str


@record(scope="iteration")
class Diff(Business):
    text: str = ""
    files: tuple[str, ...] = field(default=(), kw_only=True)


@record(scope={Phase.FIX, Phase.VERIFY})
class Note(Business):
    lines: Mapping[str, tuple[int, ...]] = field(factory=dict[str, tuple[int, ...]])


@record
class Tests(Business):  # outlives the iteration: the next Fix reads it
    passed: bool


@record(scope="session")
class Talk(Business):
    said: Trail[str] = field(factory=Trail[str])


# The union stands in the header and in `run`; past two records an alias says it once.
FixReads: TypeAlias = Bug | Maybe[Tests] | Iteration


class Fix(Stage[FixReads, Diff | Maybe[Note], Literal[Phase.VERIFY]], enters=Phase.FIX):
    """Reads surely, maybe, and from the orchestrator's layer; may leave a record out; one exit, so no `next`."""

    retry = Retry(attempts=2)
    timeout: float | None = 30.0

    async def run(self, view: View[FixReads], ctx: Context) -> StatePatch[Diff | Note]:
        last = view.get(Tests)  # Tests | None: absent in the first iteration
        text = await ctx.call(Edit("app.py", view[Bug].report)) if last is None else f"again, after {last.passed}"
        if view[Iteration].number > 1:
            return StatePatch(Diff(text), Note({"retry": (1, 2)}))
        return StatePatch(Diff(text, files=("login.py",)))

    def ensure(self, view: View[Diff | Maybe[Note]]) -> str | None:
        note = view.get(Note)
        return "an empty diff" if not view[Diff].text or (note and not note.lines) else None


class Verify(Stage[Diff | Maybe[Note], Tests, Literal[Phase.FIX, Phase.DONE]], enters=Phase.VERIFY):
    """Each method asks for what it uses, which may be less than the header."""

    async def run(self, view: View[Diff], ctx: Context) -> StatePatch[Tests]:
        return StatePatch(Tests(passed=view[Diff].text.startswith("again")))

    def next(self, view: View[Tests]) -> Literal[Phase.FIX, Phase.DONE]:
        return Phase.DONE if view[Tests].passed else Phase.FIX


def rises(old: View[Iteration], new: View[Iteration]) -> bool:
    return new[Iteration].number >= old[Iteration].number


def diffed(_: View[Maybe[Diff]], new: View[Maybe[Diff]]) -> bool:
    return new.get(Diff) is not None


repair = FSMOrchestrator[Bug | Diff | Note | Tests](
    [Fix(), Verify()],
    start=Phase.FIX,
    iterates=Phase.FIX,
    final={Phase.DONE},
    failed=Phase.FAILED,
    invariants=[
        Invariant("iteration rises", rises),
        Invariant("a diff to verify", diffed, states=(Phase.VERIFY,)),
        Invariant("a diff to verify, again", diffed, edges=((Phase.FIX, Phase.VERIFY),)),
        monotonic(Iteration, lambda iteration: iteration.number),
        write_once(Bug),
    ],
    guards=[AllowList("Edit")],
    tools=[Edit, Count],
    limits=Limits(iterations=5, seconds=60.0),
    journal=MemoryJournal(),
)


class Report(Stage[Maybe[Business] | Maybe[Lifecycle] | Metadata, Never, Literal[Phase.DONE]], enters=Phase.VERIFY):
    """A layer means every record of it; Never means no writes. The schema then names the layer."""

    async def run(self, view: View[Maybe[Business] | Maybe[Lifecycle] | Metadata], ctx: Context) -> StatePatch[Never]:
        diff, error = view.get(Diff), view.get(LastError)
        await ctx.call(Edit("report.md", f"{view[Project].user}: {diff} {error}"))
        return StatePatch()


class Again(Stage[LastError | Maybe[Record], Never, Literal[Phase.VERIFY, Phase.FAILED]], enters=None):
    """A recovery: reads anything, writes nothing, enters no state of its own, and names where work goes on."""

    async def run(self, view: View[LastError], ctx: Context) -> StatePatch[Never]:
        await ctx.call(Edit("log", view[LastError].message))
        return StatePatch()

    def next(self, view: View[Maybe[Record]]) -> Literal[Phase.VERIFY, Phase.FAILED]:
        return Phase.VERIFY if view.get(Bug) else Phase.FAILED


class Broken(Fix):
    """A subclass of a concrete stage inherits its header and where it enters."""

    async def run(self, view: View[FixReads], ctx: Context) -> StatePatch[Diff]:
        raise OSError("no editor")


class Stricter(Verify):
    """A subclass may leave `run` and `next` as they are."""

    def check(self, view: View[Diff]) -> str | None:
        return None if view[Diff].text else "nothing to verify"


recovering = FSMOrchestrator[Business](
    [Broken(), Report()],
    start=Phase.FIX,
    final={Phase.DONE},
    failed=Phase.FAILED,
    recovery=Again(),
    guards=[AllowList("*")],
    records=[Project],
)

Q = TypeVar("Q", bound=Business)
N = TypeVar("N", bound=Enum)


class Ask(Stage[Q | Maybe[Tests], Never, N], Generic[N, Q]):
    """A pattern: generic in what it asks about and where it leads, also with its parameters in another order."""

    def __init__(self, kind: Callable[[View[Q]], Q]) -> None:
        self.kind = kind

    async def run(self, view: View[Q], ctx: Context) -> StatePatch[Never]:
        await ctx.call(Edit("ask", str(self.kind(view))))
        return StatePatch()


class AskDiff(Ask[Literal[Phase.DONE], Diff], enters=Phase.VERIFY): ...


@define
class Configured(Stage[Bug, Diff, Literal[Phase.VERIFY]], enters=Phase.FIX):
    model: str = "small"

    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        return StatePatch(Diff(self.model))


asking = FSMOrchestrator[Bug | Diff | Tests](
    [Configured(), AskDiff(Diff.of)],
    start=Phase.FIX,
    final={Phase.DONE},
    failed=Phase.FAILED,
    guards=[AllowList("Edit")],
)


def in_steps() -> StatePatch[Diff | Note]:
    patch: StatePatch[Diff | Note] = StatePatch(Diff("x"))
    return patch | StatePatch(Note())


def summary(view: View[Bug | Maybe[Tests]]) -> str:
    """A function over a view: every stage that declares at least this may call it."""
    return f"{view[Bug].report}: {view.get(Tests)}"


S = TypeVar("S", bound=Business)


def outcome_of(machine: FSMOrchestrator[S], *given: S | Metadata) -> Outcome | None:
    run = machine.run_sync(*given)
    assert machine.replay(run.log).digest == run.digest
    assert machine.read(machine.lines(run)).state == run.state
    return run.outcome


def main() -> None:
    done = repair.run_sync(Bug("login"))
    tests: Tests | None = done.get(Tests)
    diff: Diff | None = done.get(Diff)
    iteration: Iteration | None = done.get(Iteration)
    project: Project | None = done.state.get(Project)
    assert (Iteration(2), None) == (iteration, project)
    assert tests == Tests(passed=True), done.error
    assert diff is not None
    assert {"Bug", "Tests", "Iteration"} == Fix.reads.names
    assert {"Diff", "Note"} == Fix.writes.names
    assert (Phase.VERIFY,) == Fix.exits
    assert outcome_of(recovering, Bug("login"), Project("ada")) is Outcome.FINISHED
    assert outcome_of(asking, Bug("login")) is Outcome.FINISHED


if __name__ == "__main__":
    main()
