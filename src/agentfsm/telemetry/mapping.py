"""Attribute names: every string that telemetry writes, by convention and version. Our own; no package is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from attrs import frozen

from agentfsm.frozen import FrozenMap

__all__ = ("CONVENTIONS", "GENAI", "OPENINFERENCE", "Convention", "Own", "Semconv", "What")

Semconv: TypeAlias = Literal["genai-0.1", "openinference"]
What: TypeAlias = Literal["run", "stage", "model", "tool", "wait", "attempt", "summary"]


class Own:
    """What agentfsm says about itself, under either convention."""

    RUN: Final = "agentfsm.run.id"
    PARENT: Final = "agentfsm.run.parent"
    FORKED: Final = "agentfsm.run.forked_from"
    RESUMED: Final = "agentfsm.run.resumed"
    FORMER_TRACE: Final = "agentfsm.run.former.trace_id"
    FORMER_SPAN: Final = "agentfsm.run.former.span_id"
    OUTCOME: Final = "agentfsm.run.outcome"
    ENDED_IN: Final = "agentfsm.run.lifecycle"
    STAGES: Final = "agentfsm.run.stages"
    ITERATIONS: Final = "agentfsm.run.iterations"
    TOOL_CALLS: Final = "agentfsm.run.tool_calls"
    MODEL_CALLS: Final = "agentfsm.run.model_calls"
    REFUSALS: Final = "agentfsm.run.refusals"
    MACHINE: Final = "agentfsm.machine.name"
    VERSION: Final = "agentfsm.machine.version"
    SEQ: Final = "agentfsm.seq"
    STAGE: Final = "agentfsm.stage.name"
    READS: Final = "agentfsm.stage.reads"
    WRITES: Final = "agentfsm.stage.writes"
    PATCH: Final = "agentfsm.patch.records"
    PATCH_BYTES: Final = "agentfsm.patch.bytes"
    DIGEST: Final = "agentfsm.state.digest"
    FROM: Final = "agentfsm.lifecycle.from"
    TO: Final = "agentfsm.lifecycle.to"
    ITERATION: Final = "agentfsm.iteration"
    ATTEMPT: Final = "agentfsm.attempt"
    HALT: Final = "agentfsm.halt.reason"
    CANDIDATES: Final = "agentfsm.transition.candidates"
    INVARIANTS: Final = "agentfsm.transition.invariants"
    GUARD: Final = "agentfsm.guard.name"
    ACTION: Final = "agentfsm.guard.action"
    CODE: Final = "agentfsm.guard.code"
    GUARD_SECONDS: Final = "agentfsm.guard.duration"
    GUARD_TOOL: Final = "agentfsm.guard.tool"
    CALL: Final = "agentfsm.call.index"
    EFFECT: Final = "agentfsm.tool.effect"
    KEY: Final = "agentfsm.tool.key_hash"
    ARGUMENT_BYTES: Final = "agentfsm.call.argument_bytes"
    RESULT_BYTES: Final = "agentfsm.call.result_bytes"
    DECISION: Final = "agentfsm.wait.decision"
    ACTOR: Final = "agentfsm.wait.actor_hash"
    WAITED: Final = "agentfsm.wait.duration"
    PATH: Final = "agentfsm.error.path"
    DROPPED: Final = "agentfsm.dropped"
    RECORD: Final = "agentfsm.record"

    EVENT_ITERATION: Final = "agentfsm.iteration"
    EVENT_TRANSITION: Final = "agentfsm.transition"
    EVENT_GUARD: Final = "agentfsm.guard"
    EVENT_ASKED: Final = "agentfsm.wait.asked"
    EVENT_HALTED: Final = "agentfsm.halted"


ERROR: Final = "error.type"
EXCEPTION: Final = ("exception", "exception.type", "exception.message")


@frozen
class Convention:
    """The names of one convention in one version; an empty name is something that it does not say."""

    semconv: Semconv
    schema_url: str | None
    kind: str
    kinds: Mapping[What, str]
    operation: str
    agent: str
    session: str
    model: str
    finish: str
    finishes: Mapping[str, str]
    tokens_in: str
    tokens_out: str
    tokens: str
    answer: str
    tool: str
    tool_type: str
    call_id: str
    arguments: str
    result: str


# https://github.com/open-telemetry/semantic-conventions-genai, release 0.1.0: a workflow is an agent span too, told
# apart by its operation; `gen_ai.agent.name` names either.
GENAI = Convention(
    semconv="genai-0.1",
    schema_url="https://opentelemetry.io/schemas/gen-ai/0.1.0",
    kind="",
    kinds=FrozenMap(),
    operation="gen_ai.operation.name",
    agent="gen_ai.agent.name",
    session="gen_ai.conversation.id",
    model="gen_ai.request.model",
    finish="gen_ai.response.finish_reasons",
    finishes=FrozenMap({"end": "stop", "calls": "tool_call", "length": "length", "refused": "content_filter"}),
    tokens_in="gen_ai.usage.input_tokens",
    tokens_out="gen_ai.usage.output_tokens",
    tokens="",
    answer="gen_ai.output.messages",
    tool="gen_ai.tool.name",
    tool_type="gen_ai.tool.type",
    call_id="gen_ai.tool.call.id",
    arguments="gen_ai.tool.call.arguments",
    result="gen_ai.tool.call.result",
)

_KINDS: Mapping[What, str] = {
    "run": "AGENT",
    "stage": "CHAIN",
    "attempt": "CHAIN",
    "summary": "CHAIN",
    "model": "LLM",
    "tool": "TOOL",
    "wait": "GUARDRAIL",
}
# https://github.com/Arize-ai/openinference, spec/semantic_conventions.md; Phoenix reads these.
OPENINFERENCE = Convention(
    semconv="openinference",
    schema_url=None,
    kind="openinference.span.kind",
    kinds=FrozenMap(_KINDS),
    operation="",
    agent="agent.name",
    session="session.id",
    model="llm.model_name",
    finish="llm.finish_reason",
    finishes=FrozenMap({"end": "stop", "calls": "tool_calls", "length": "length", "refused": "content_filter"}),
    tokens_in="llm.token_count.prompt",
    tokens_out="llm.token_count.completion",
    tokens="llm.token_count.total",
    answer="output.value",
    tool="tool.name",
    tool_type="",
    call_id="tool_call.id",
    arguments="input.value",
    result="output.value",
)

_ALL: Mapping[Semconv, Convention] = {"genai-0.1": GENAI, "openinference": OPENINFERENCE}
CONVENTIONS = FrozenMap(_ALL)
