"""`agentfsm trace`: a log sent to a collector, under ids that follow from the run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentfsm import JsonlJournal
from tests.cli.calling import call
from tests.sample import Bug
from tests.telemetry.collectors import Collector, collecting
from tests.telemetry.machines import every
from tests.telemetry.trees import drawn


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as found:
        yield found


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of a run that nobody traced."""
    run = every(journal=JsonlJournal(str(tmp_path))).run_sync(Bug("wrong"))
    return tmp_path / f"{run.id}.jsonl"


def test_a_log_is_sent(log: Path, collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    """The trace of a run can be had though it ran without any SDK; sent twice it is the same trace."""
    first = call(capsys, "trace", str(log), "--otlp", collector.address, "--service-name", "past")
    once = collector.spans()
    again = call(capsys, "trace", f"{log.parent}#{log.stem}", "--otlp", collector.address, "--json")
    twice = collector.spans()[len(once) :]

    assert (0, f"sent {len(once)} spans of run run-1\n") == (first.code, first.out)
    assert {"run": "run-1", "spans": len(once)} == json.loads(again.out)
    assert "invoke_agent machine" == drawn(once)[0]
    assert [(span["trace"], span["id"]) for span in once] == [(span["trace"], span["id"]) for span in twice]
    assert {"past"} == {span["service"] for span in once}
    assert '"done"' not in json.dumps(once)


def test_content_is_sent_by_name(log: Path, collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    """A record and a tool that are named are sent with their content."""
    call(capsys, "trace", str(log), "--otlp", collector.address, "--record", "diff", "--tool", "Edit", "--errors")
    told = [span["attributes"] for span in collector.spans()]

    assert any('{"text":"done","files":[]}' == each.get("agentfsm.record.diff") for each in told)
    assert any('{"text":"a"}' == each.get("gen_ai.tool.call.arguments") for each in told)


@pytest.mark.parametrize(
    ("endpoint", "code", "said"),
    [("nowhere", 2, "no address of a collector"), ("http://127.0.0.1:9", 1, "did not take the spans")],
)
def test_a_collector_that_is_none(
    endpoint: str, code: int, said: str, log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address that is none is misuse; one where nothing listens is a failure."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    called = call(capsys, "trace", str(log), "--otlp", endpoint)

    assert code == called.code
    assert said in called.err
