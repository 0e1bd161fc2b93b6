"""
The demo sent to a real Phoenix and read back: `python -m examples.repair.phoenix PHOENIX`, by `make e2e-trace`.

*PHOENIX* is the command of arize-phoenix, which is started on a port of its own and stopped again.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from agentfsm.telemetry import Telemetry, setup
from examples.repair.demo import HERE, agent, watched

SECONDS = 180  # Phoenix makes its database first
EXPECTED = {"AGENT": 1, "CHAIN": 22, "LLM": 11, "TOOL": 10}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def get(address: str) -> Any:
    with urlopen(address, timeout=10) as answer:
        return json.load(answer)


def spans(base: str) -> list[dict[str, Any]]:
    """Every span that Phoenix has of the default project, page by page; none as long as it has no such project."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        try:
            page = get(f"{base}/v1/projects/default/spans?limit=100{cursor}")
        except URLError:
            return found
        found += page["data"]
        if not page.get("next_cursor"):
            return found
        cursor = f"&cursor={page['next_cursor']}"


def told(base: str) -> Counter[str]:
    """How many spans of each kind Phoenix has, once the demo is there as a whole."""
    ends = time.monotonic() + SECONDS
    while (kinds := Counter(span["span_kind"] for span in spans(base))).total() < sum(EXPECTED.values()):
        if time.monotonic() > ends:
            break
        time.sleep(1)
    return kinds


def main(phoenix: str) -> int:
    port, grpc = free_port(), free_port()
    base = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        own = {"PHOENIX_PORT": str(port), "PHOENIX_GRPC_PORT": str(grpc), "PHOENIX_WORKING_DIR": folder}
        with subprocess.Popen(
            [phoenix, "serve"], env={**os.environ, **own}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as server:
            try:
                wait_for(base)
                os.environ["OTEL_METRICS_EXPORTER"] = "none"  # Phoenix takes traces alone
                with setup(endpoint=base, service_name="demo", telemetry=Telemetry("openinference")) as telemetry:
                    package = Path(folder) / "package"
                    shutil.copytree(HERE / "package", package, ignore=shutil.ignore_patterns("__pycache__", ".*"))
                    asyncio.run(watched(agent().with_telemetry(telemetry), package))
                found = told(base)
            finally:
                server.terminate()
    print(f"Phoenix has {dict(found)}")
    return 0 if found == EXPECTED else 1


def wait_for(base: str) -> None:
    """Return when Phoenix answers; raise TimeoutError where it does not."""
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        try:
            with urlopen(f"{base}/healthz", timeout=5):
                return
        except OSError:
            time.sleep(1)
    raise TimeoutError(f"{base} does not answer")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
