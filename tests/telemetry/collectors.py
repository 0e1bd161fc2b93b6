"""A collector in a process of its own, and what it got."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import urlopen

from attrs import frozen

from tests.checkout import ROOT

__all__ = ("Collector", "collecting")


@frozen
class Collector:
    """Where spans and metrics are sent, and may be asked for."""

    address: str

    def spans(self) -> list[dict[str, Any]]:
        return self._got("spans")

    def metrics(self) -> list[dict[str, Any]]:
        return self._got("metrics")

    def _got(self, what: str) -> list[dict[str, Any]]:
        with urlopen(f"{self.address}/{what}") as answer:
            found: list[dict[str, Any]] = json.load(answer)
        return found


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector for as long as the block lasts."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.telemetry.receiver"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield Collector(f"http://127.0.0.1:{process.stdout.readline().strip()}")
        finally:
            process.terminate()
