"""What must not leave does not: no content unless it is allowed, and no secret even then."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from agentfsm import Business, Context, Decision, FSMOrchestrator, Signal, StatePatch, View
from agentfsm.errors import StageError, ToolRefusedError, UsageError
from agentfsm.models import ChatRequest, Message, Reply, ScriptedModel, answered
from agentfsm.telemetry import Content, Telemetry
from tests import sample
from tests.sample import Bug, Diff, Fix, Secret
from tests.telemetry import machines
from tests.telemetry.trees import Kept, plain

CANARY = "canary-7f3a91"
KEY = f"sk-{CANARY}-0123456789abcdef"
URL = f"https://ann:{CANARY}@example.org/hook?token={CANARY}&page=2"
MODELS = {"model": f"api_key={CANARY}"}


class Chatty:
    """A guard whose reasons repeat what it was asked."""

    def begins(self) -> None:
        """It remembers nothing."""

    def offered(self, memory: None, lifecycle: Any, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools

    def decide(self, memory: None, lifecycle: Any, call: Any, /) -> Decision:
        action = "deny" if call.name == "Look" else "ask"
        return Decision(action, "said", f"not {call.arguments!r}", guard="Chatty")  # type: ignore[arg-type]  # one of two

    def after(self, memory: None, call: Any, answer: object, /) -> None:
        """It remembers nothing."""


def leaky(telemetry: Telemetry, secret: str) -> FSMOrchestrator[Business]:
    """A machine with *secret* in its state, its calls, its replies and its failure."""
    model = ScriptedModel(Reply(secret), Reply(secret))

    async def work(view: View[Any], ctx: Context) -> StatePatch[Diff]:
        await answered(ctx, model, ChatRequest((Message("user", view[Bug].report),)), shown=False)
        with pytest.raises(ToolRefusedError, match=CANARY):
            await ctx.call(machines.Look(URL))
        await ctx.call(machines.Edit(secret))
        return StatePatch(Diff(secret))

    async def fails(view: View[Any], ctx: Context) -> StatePatch[sample.Result]:
        try:
            raise ValueError(f"password={CANARY}")
        except ValueError as error:
            raise StageError(f"{URL} and {secret}", path="verify.run") from error

    return sample.machine(
        Fix(work), sample.Verify(fails), telemetry=telemetry, guards=[Chatty()], records=[Secret, sample.Owner]
    )


async def everything(content: Content, secret: str, caplog: pytest.LogCaptureFixture) -> str:
    """All that goes out of a run that waits, goes on and fails."""
    kept, reader = Kept(), InMemoryMetricReader()
    meters = MeterProvider([reader], shutdown_on_exit=False)
    telemetry = Telemetry(tracer_provider=kept.provider, meter_provider=meters, content=content)
    with caplog.at_level(logging.DEBUG):
        machine = leaky(telemetry, secret)
        run = await machine.run(Bug(secret), Secret(CANARY))
        assert run.halted is not None
        run = await machine.resume(run, Signal("approve", run.halted.key, reason=secret, by=secret))
    assert run.error is not None
    assert CANARY in run.error.message
    metrics = reader.get_metrics_data()
    assert metrics is not None
    told = [plain(span) for span in kept.spans]
    assert {"chat scripted", "execute_tool Edit", "stage Verify", "wait Edit"} <= {span["name"] for span in told}
    return "".join([json.dumps(told), metrics.to_json(), repr(telemetry), *(r.getMessage() for r in caplog.records)])


async def test_a_canary_is_in_nothing_that_goes_out(caplog: pytest.LogCaptureFixture) -> None:
    """R56: planted in state, input, arguments, reply, guard's reason, exception and URL: in no span, metric or log."""
    assert CANARY not in await everything(Content(), CANARY, caplog)


async def test_a_canary_is_redacted_where_content_is_allowed(caplog: pytest.LogCaptureFixture) -> None:
    """R56: what is allowed goes out without what looks like a secret."""
    allowed = Content({Diff, Bug}, {"Edit", "Look"}, models=True, errors=True)
    told = await everything(allowed, KEY, caplog)

    assert CANARY not in told
    assert "example.org/hook" in told
    assert "[redacted]" in told


async def told_by(kept: Kept, **settings: Any) -> Mapping[str, Any]:
    """The attributes of the first stage of a run."""
    telemetry = Telemetry(tracer_provider=kept.provider, **settings)
    await machines.every(telemetry=telemetry).run(Bug("wrong"))
    return kept.named("stage Fix")[0]


async def test_content_is_allowed_by_record_and_tool() -> None:
    """What is named is told, and nothing beside it."""
    kept = Kept()
    stage = await told_by(kept, content=Content({Diff}, {"Edit"}))

    assert '{"text":"done","files":[]}' == stage["agentfsm.record.diff"]
    assert {'{"text":"a"}', '{"text":"b"}', '{"text":"break"}'} == {
        call["gen_ai.tool.call.arguments"] for call in kept.named("execute_tool Edit")
    }
    assert not any("messages" in key for call in kept.named("chat scripted") for key in call)


async def test_a_long_text_is_cut_between_characters() -> None:
    """R55: an attribute has at most so many bytes of UTF-8, and says how many there were."""
    kept = Kept()

    async def work(view: View[Any], ctx: Context) -> StatePatch[Diff]:
        raise StageError("ü€𝄞" * 100, path="fix.run")

    telemetry = Telemetry(tracer_provider=kept.provider, content=Content(errors=True), most_bytes=64)
    await sample.machine(Fix(work), telemetry=telemetry).run(Bug("wrong"))
    (stage,) = (plain(span) for span in kept.spans if span.name == "stage Fix")
    (text,) = (e["attributes"]["exception.message"] for e in stage["events"] if e["name"] == "exception")

    assert text.endswith("… [900 bytes]")
    assert text.startswith("ü€𝄞")
    assert 58 <= len(text.encode()) <= 64


async def test_half_a_character_does_not_break_an_exporter() -> None:
    """R55: what UTF-8 cannot say is replaced, or the whole batch would be lost."""
    kept = Kept()

    async def work(view: View[Any], ctx: Context) -> StatePatch[Diff]:
        raise StageError("half \ud834", path="fix.run")

    telemetry = Telemetry(tracer_provider=kept.provider, content=Content(errors=True))
    await sample.machine(Fix(work), telemetry=telemetry).run(Bug("wrong"))
    (stage,) = (plain(span) for span in kept.spans if span.name == "stage Fix")

    (told,) = (event for event in stage["events"] if event["name"] == "exception")

    assert "half ?" == told["attributes"]["exception.message"]


async def test_keys_are_told_by_their_hash() -> None:
    """A key that an approval names is not in a trace that others read."""
    kept = Kept()
    machine = machines.asking(telemetry=Telemetry(tracer_provider=kept.provider))
    run = await machine.run(Bug("wrong"))
    assert run.halted is not None

    assert run.halted.key not in json.dumps([plain(span) for span in kept.spans])


def test_content_is_of_records() -> None:
    """What is no record is refused."""
    with pytest.raises(UsageError, match="int"):
        Content([int])  # type: ignore[list-item]  # that is the mistake
