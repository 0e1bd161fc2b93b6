"""What a collector gets, over HTTP in the real wire format, from runs in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from agentfsm.errors import UsageError
from agentfsm.telemetry import setup
from agentfsm.telemetry.exporting import LogIds, sending
from tests.checkout import ROOT
from tests.sample import Bug
from tests.telemetry.collectors import Collector, collecting
from tests.telemetry.machines import every
from tests.telemetry.trees import drawn


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as found:
        yield found


def run(address: str, how: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.telemetry.program", address, str(folder), how],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stderr


WORK = """\
  stage Fix [iteration, guard, guard, guard, guard, transition]
    chat scripted CLIENT
    execute_tool Edit
    execute_tool Edit
    execute_tool Edit ERROR ToolError [exception]
  stage Verify [transition]
"""
AGAIN = """\
  stage Fix [iteration, transition]
    attempt 1 ERROR EnsureError [guard, exception]
      execute_tool Edit
    attempt 2 ERROR EnsureError [guard, exception]
      execute_tool Edit
    attempt 3 [guard]
      execute_tool Edit
  stage Verify [transition]
"""
CHILD = """\
  stage RunChild [iteration, transition]
    invoke_agent child
      stage Fix [iteration, guard, transition]
        execute_tool Edit
      stage Verify [transition]
      stage Fix [iteration, guard, transition]
        execute_tool Edit
      stage Verify [transition]
  stage Verify [transition]
"""


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("every", f"invoke_agent machine\n{WORK}{WORK}"),
        ("retried", f"invoke_agent machine\n{AGAIN}{AGAIN}"),
        ("nested", f"invoke_workflow parent\n{CHILD}{CHILD}"),
        (
            "failing",
            "invoke_agent machine ERROR StageError\n  stage Fix ERROR StageError [iteration, exception, transition]\n",
        ),
        (
            "hanging",
            "invoke_agent machine\n  stage Fix [iteration, guard, halted]\n    execute_tool Edit ERROR unanswered\n",
        ),
    ],
)
def test_a_collector_gets_the_whole_run(how: str, expected: str, collector: Collector, tmp_path: Path) -> None:
    """R52, R54: names, kinds, parents, events in order and status are those of the table, however the run ends."""
    run(collector.address, how, tmp_path)
    spans = collector.spans()

    assert expected.splitlines() == drawn(spans)
    assert {("tests", "agentfsm", "https://opentelemetry.io/schemas/gen-ai/0.1.0")} == {
        (span["service"], span["scope"], span["schema"]) for span in spans
    }
    assert all(span["start"] <= span["end"] for span in spans)


def test_a_run_that_goes_on_in_another_process(collector: Collector, tmp_path: Path) -> None:
    """R53: each part is a trace of its own, linked to the one before; a wait has its true start and end."""
    run(collector.address, "asking", tmp_path)
    run(collector.address, "resume", tmp_path)
    spans = sorted(collector.spans(), key=lambda span: (span["start"], span["end"]))
    roots = [span for span in spans if not span["parent"]]
    waits = [span for span in spans if span["name"] == "wait Edit"]
    asked = [event["time"] for span in spans for event in span["events"] if event["name"] == "agentfsm.wait.asked"]

    assert [
        "invoke_agent machine",
        "  stage Fix [iteration, guard, wait.asked, halted]",
        "invoke_agent machine -> invoke_agent machine",
        "  wait Edit",
        "  stage Fix [iteration, guard, transition]",
        "    execute_tool Edit",
        "  stage Verify [transition]",
        "  stage Fix [iteration, guard, wait.asked, halted]",
        "invoke_agent machine -> invoke_agent machine",
        "  wait Edit",
        "  stage Fix [iteration, guard, transition]",
        "    execute_tool Edit",
        "  stage Verify [transition]",
    ] == drawn(spans)
    assert 3 == len({root["trace"] for root in roots})
    for former, root in pairwise(roots):
        assert [{"trace": former["trace"], "id": former["id"]}] == root["links"]
        assert former["trace"] == root["attributes"]["agentfsm.run.former.trace_id"]
        assert former["id"] == root["attributes"]["agentfsm.run.former.span_id"]
    assert asked == [wait["start"] for wait in waits]
    assert [root["start"] for root in roots[1:]] == [wait["end"] for wait in waits]
    assert {"approve"} == {wait["attributes"]["agentfsm.wait.decision"] for wait in waits}
    assert "ann@example.org" not in json.dumps(spans)


def test_the_demo(collector: Collector, tmp_path: Path) -> None:
    """The example run is a tree of its stages, each with its model or tool calls, and the refusal is on it."""
    run(collector.address, "demo", tmp_path)
    spans = collector.spans()
    (root,) = (span for span in spans if not span["parent"])
    totals = root["attributes"]
    guards = [event["attributes"] for span in spans for event in span["events"] if event["name"] == "agentfsm.guard"]

    assert DEMO.splitlines() == drawn(spans)
    assert "finished" == totals["agentfsm.run.outcome"]
    assert len(spans) == 1 + sum(totals[f"agentfsm.run.{what}"] for what in ("stages", "model_calls", "tool_calls"))
    assert [("Bash", "not_listed")] == [
        (guard["agentfsm.guard.tool"], guard["agentfsm.guard.code"])
        for guard in guards
        if guard["agentfsm.guard.action"] == "deny"
    ]
    assert all(guard["agentfsm.guard.duration"] > 0 for guard in guards)


def turn(*tools: str) -> str:
    """One turn of the demo: what the model asks for is decided on and made; a refused call is no span."""
    made = "".join(f"    execute_tool {tool}\n" for tool in tools)
    guards = "guard, " * max(len(tools), 1)
    asked = "  stage Converse [iteration, transition]\n    chat scripted CLIENT\n"
    return f"{asked}  stage Perform [{guards}transition]\n{made}"


DEMO = (
    "invoke_agent tool_loop\n  stage Hear [transition]\n"
    + turn("RunTests")
    + turn("Grep", "Read")
    + turn("Edit")
    + turn("RunTests")
    + turn()  # Bash
    + turn("Edit")
    + turn("RunTests")
    + turn("Read")
    + turn("Edit")
    + turn("RunTests")
    + "  stage Converse [iteration, transition]\n    chat scripted CLIENT\n"
)


def test_metrics(collector: Collector, tmp_path: Path) -> None:
    """Durations, edges, outcomes, refusals, failures and tokens are counted by names from the code."""
    run(collector.address, "every", tmp_path)
    found = {
        (point["name"], point["attributes"].get("agentfsm.stage.name") or point["attributes"].get("error.type")): point
        for point in collector.metrics()
    }
    names = {name for name, _ in found}

    assert {
        "agentfsm.stage.duration",
        "agentfsm.transitions",
        "agentfsm.run.iterations",
        "agentfsm.runs",
        "agentfsm.guard.refusals",
        "gen_ai.invoke_agent.duration",
        "gen_ai.execute_tool.duration",
        "gen_ai.client.operation.duration",
        "gen_ai.client.token.usage",
    } == names
    assert 2 == found["agentfsm.stage.duration", "Fix"]["count"]
    assert 2 == found["gen_ai.execute_tool.duration", "ToolError"]["count"]
    assert 4 == found["gen_ai.execute_tool.duration", None]["count"]
    assert "no_looking" == found["agentfsm.guard.refusals", None]["attributes"]["agentfsm.guard.code"]
    assert "finished" == found["agentfsm.runs", None]["attributes"]["agentfsm.run.outcome"]


def test_metrics_can_be_kept_back(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a collector that takes traces alone, the variable of OpenTelemetry counts."""
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", "none")
    with setup(endpoint=collector.address) as telemetry:
        every(telemetry=telemetry).run_sync(Bug("wrong"))

    assert 13 == len(collector.spans())
    assert [] == collector.metrics()


def test_a_dead_collector_changes_nothing(tmp_path: Path) -> None:
    """R57: a run ends as it would, though nothing listens where its spans go."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.telemetry.program", "http://127.0.0.1:9", str(tmp_path), "every"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OTEL_EXPORTER_OTLP_TIMEOUT": "1"},
    )
    (log,) = tmp_path.glob("*.jsonl")

    assert 0 == done.returncode, done.stderr
    assert '"to":"DONE"' in log.read_text().splitlines()[-1]


@pytest.mark.parametrize("endpoint", ["localhost:4318", "ftp://host", "http://", ""])
def test_what_is_no_address_is_refused(endpoint: str) -> None:
    """An endpoint is an HTTP address."""
    with pytest.raises(UsageError, match="4318"):
        setup(endpoint=endpoint)


def test_an_endpoint_is_shown_without_its_password(collector: Collector) -> None:
    """R56: a collector that does not answer is named without what is secret in its address."""
    provider, send = sending("run", "http://ann:canary@127.0.0.1:9", "tests")
    provider.get_tracer("x").start_span("y").end()

    with pytest.raises(ConnectionError, match=r"^http://127\.0\.0\.1:9 did not") as caught:
        send()
    assert "canary" not in str(caught.value)


def test_ids_follow_from_the_run() -> None:
    """The same run has the same ids each time, and another run others."""

    def ids(run: str) -> list[int]:
        made = LogIds(run)
        return [made.generate_trace_id(), made.generate_span_id(), made.generate_span_id(), made.generate_trace_id()]

    assert ids("a") == ids("a")
    assert 8 == len({*ids("a"), *ids("b")})
