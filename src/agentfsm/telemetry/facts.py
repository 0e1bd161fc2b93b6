"""Facts: entries of a log as attributes; names, sizes and digests, and no content that is not allowed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

from attrs import frozen

from agentfsm.canonical import delta_text
from agentfsm.records import name_of
from agentfsm.redaction import capped
from agentfsm.state import Halted
from agentfsm.telemetry.mapping import ERROR, EXCEPTION, Convention, Own, What
from agentfsm.telemetry.settings import Content
from agentfsm.values import trail_items

if TYPE_CHECKING:
    from agentfsm.events import CallEvent, StateTransitionEvent
    from agentfsm.guard import Decision
    from agentfsm.state import LastError
    from agentfsm.telemetry.spans import Facts
    from agentfsm.telemetry.totals import Totals

__all__ = ("Subject", "Teaching", "halt_of", "hashed", "texts_of", "usage_of")

_NS = 1_000_000_000
CHAT = "chat "


@frozen(eq=False)
class Subject:
    """
    The run that spans are about: its names, what its stages declare, and how to learn what an event says only in part.

    *texts* returns the records of an event's patch as JSON, by name; *invariants* the names of those that were checked.
    """

    run: str
    session: str
    machine: str
    version: str
    parent: str
    forked: str
    is_workflow: bool
    declared: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    texts: Callable[[StateTransitionEvent], Mapping[str, str]]
    invariants: Callable[[StateTransitionEvent], tuple[str, ...]]

    @property
    def operation(self) -> str:
        """What GenAI conventions call it."""
        return "invoke_workflow" if self.is_workflow else "invoke_agent"


@frozen(eq=False)
class Teaching:
    """Turns entries into attributes, in the words of one convention and within what content is allowed."""

    names: Convention
    content: Content
    redact: Callable[[str], str]
    most_bytes: int
    subject: Subject
    common: Facts

    def text(self, value: str) -> str:
        """Return a text as it may leave: redacted, and cut to the cap."""
        return capped(self.redact(value), self.most_bytes)

    def named(self, what: What, **values: Any) -> Facts:
        """Return the common attributes with *values* under this convention's names, those it has."""
        names = self.names
        found = {**self.common, names.kind: names.kinds[what]} if names.kind else dict(self.common)
        for name, value in values.items():
            if key := getattr(names, name):
                found[key] = value
        return found

    def root(self) -> Facts:
        """Return what is known of a run when it begins."""
        subject = self.subject
        found = self.named("run", operation=subject.operation, agent=subject.machine)
        for key, value in ((self.names.session, subject.session), (Own.PARENT, subject.parent)):
            if value:
                found[key] = value
        if subject.forked:
            found[Own.FORKED] = subject.forked
        return found

    def totals(self, totals: Totals, outcome: str) -> Facts:
        """Return what is known of a run when it ends."""
        found: Facts = {
            Own.OUTCOME: outcome,
            Own.STAGES: totals.stages,
            Own.ITERATIONS: totals.iterations,
            Own.TOOL_CALLS: totals.tool_calls,
            Own.MODEL_CALLS: totals.model_calls,
            Own.REFUSALS: totals.refusals,
        }
        if totals.model_calls:
            self._add_tokens(found, totals.tokens_in, totals.tokens_out)
        return found

    def stage(self, stage: str, source: str, iteration: int, attempt: int) -> Facts:
        """Return what is known of a stage when it begins."""
        found = self.named("stage")
        found[Own.STAGE] = stage
        reads, writes = self.subject.declared.get(stage, ((), ()))
        found[Own.READS], found[Own.WRITES] = reads, writes
        found[Own.FROM], found[Own.ITERATION], found[Own.ATTEMPT] = source, iteration, attempt
        return found

    def ended(self, event: StateTransitionEvent) -> Facts:
        """Return what is known of a stage once its event is committed."""
        texts = self.subject.texts(event)
        found: Facts = {
            Own.SEQ: event.seq,
            Own.TO: event.target.name,
            Own.DIGEST: event.digest.hex(),
            Own.PATCH: tuple(texts),
            Own.PATCH_BYTES: sum(map(len, texts.values())),  # canonical text is ASCII
        }
        if self.content.records:
            for name in self.content.records.intersection(texts):
                found[f"{Own.RECORD}.{name}"] = self.text(texts[name])
        if event.reads is not None:
            found[Own.READS] = tuple(sorted(event.reads))
        if (error := event.error) is not None:
            found |= self.failure(error)
        return found

    def failure(self, error: LastError) -> Facts:
        """Return what may be said of a failure: its kind, and where."""
        return {ERROR: error.kind, Own.PATH: self.text(error.path)}

    def failed_attempt(self, error: LastError, seq: int) -> Facts:
        """Return what may be said of an attempt that failed and is followed by another."""
        return {**self.failure(error), Own.SEQ: seq}

    def exception(self, kind: str, message: str) -> Facts:
        """Return the attributes of an exception event; its text only where texts of errors are allowed."""
        found: Facts = {EXCEPTION[1]: kind}
        if self.content.errors:
            found[EXCEPTION[2]] = self.text(message)
        return found

    def transition(self, event: StateTransitionEvent) -> Facts:
        """Return the attributes of a transition: whence, whither, what was considered and what was checked."""
        return {
            Own.FROM: event.source.name,
            Own.TO: event.target.name,
            Own.CANDIDATES: tuple([f"{exit.target.name}: {exit.code}" for exit in event.exits]),
            Own.INVARIANTS: self.subject.invariants(event),
        }

    def guard(self, tool: str, decision: Decision, took: int) -> Facts:
        """Return the attributes of a guard's decision; *took* is in nanoseconds, 0 where nobody measured."""
        found: Facts = {Own.ACTION: decision.action, Own.GUARD_TOOL: tool}
        for key, value in ((Own.CODE, decision.code), (Own.GUARD, decision.guard)):
            if value:
                found[key] = value
        if took:
            found[Own.GUARD_SECONDS] = took / _NS
        return found

    def asked(self, halted: Halted) -> Facts:
        """Return the attributes of a person being asked."""
        return {Own.GUARD_TOOL: halted.tool, Own.KEY: hashed(halted.key), Own.HALT: halted.reason}

    def begun_call(self, index: int, name: str) -> Facts:
        """Return what is known of a call when it begins."""
        if name.startswith(CHAT):
            return self.named("model", operation="chat", model=name.removeprefix(CHAT)) | {Own.CALL: index}
        return {**self.named("tool", operation="execute_tool", tool=name, tool_type="function"), Own.CALL: index}

    def call(self, call: CallEvent) -> Facts:
        """Return what is known of a call once it is answered."""
        found = self.begun_call(call.index, call.tool)
        found[Own.SEQ] = call.seq
        found[Own.ARGUMENT_BYTES] = len(call.arguments.encode("utf-8", "replace"))
        if call.phase != "intent":
            found[Own.RESULT_BYTES] = len(call.result.encode("utf-8", "replace"))
        if call.error is not None:
            found[ERROR] = call.error[0]
        if call.effect:
            self._add_tool(found, call)
        else:
            self._add_model(found, call)
        return found

    def _add_tool(self, found: Facts, call: CallEvent) -> None:
        found[Own.EFFECT], found[Own.KEY] = call.effect, hashed(call.key)
        found[self.names.call_id] = f"{call.run}:{call.seq}"
        if call.tool in self.content.tools:
            found[self.names.arguments] = self.text(call.arguments)
            if call.result:
                found[self.names.result] = self.text(call.result)

    def _add_model(self, found: Facts, call: CallEvent) -> None:
        reply = _reply(call)
        if stop := self.names.finishes.get(str(reply.get("stop", ""))):
            found[self.names.finish] = (stop,) if self.names.semconv == "genai-0.1" else stop
        self._add_tokens(found, *usage_of(call))
        if self.content.models and call.result:
            found[self.names.answer] = self.text(call.result)

    def _add_tokens(self, found: Facts, inward: int, outward: int) -> None:
        found[self.names.tokens_in], found[self.names.tokens_out] = inward, outward
        if self.names.tokens:
            found[self.names.tokens] = inward + outward


def hashed(text: str) -> str:
    """Return a digest of what is itself not to be told."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def halt_of(event: StateTransitionEvent) -> Halted | None:
    """Return why a run stands still after *event*, where it does."""
    return next((record for record in event.owned if isinstance(record, Halted)), None) if event.owned else None


def texts_of(event: StateTransitionEvent) -> Mapping[str, str]:
    """Return the records of a patch as the log has them: of a trail only what was added."""
    after, earlier = event.after, event.earlier
    found = {}
    for kind, record in event.written.items():
        known = after is not None and after.records.get(kind) is record and not trail_items(cast("type", kind))
        found[name_of(kind)] = after.text_of(kind) if after and known else delta_text(record, earlier.get(kind))
    return found


def usage_of(call: CallEvent) -> tuple[int, int]:
    """Return the tokens in and out that an answer says; where it only says how many, they count as in."""
    usage = _reply(call).get("usage")
    if isinstance(usage, dict):
        inward, outward = usage.get("input"), usage.get("output")
        if isinstance(inward, int) and isinstance(outward, int):
            return inward, outward
    return call.tokens, 0


def _reply(call: CallEvent) -> dict[str, Any]:
    """Return an answer that is a JSON object; the answer to a question may be anything."""
    if not call.result.startswith("{"):
        return {}
    found = json.loads(call.result)
    return found if isinstance(found, dict) else {}
