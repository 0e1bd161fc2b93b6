"""
A collector for tests, in a process of its own: OTLP over HTTP in, decoded by the protocol's own classes, JSON out.

`python -m tests.telemetry.receiver` prints its port. `POST /v1/traces` and `/v1/metrics` take requests; `GET /spans`
and `/metrics` return what came.
"""

from __future__ import annotations

import gzip
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

KINDS = {1: "INTERNAL", 2: "SERVER", 3: "CLIENT"}
STATUS = {0: "UNSET", 1: "OK", 2: "ERROR"}
spans: list[dict[str, Any]] = []
metrics: list[dict[str, Any]] = []


def value(of: Any) -> Any:
    name = of.WhichOneof("value")
    if name == "array_value":
        return [value(each) for each in of.array_value.values]
    return getattr(of, name) if name else None


def attributes(of: Any) -> dict[str, Any]:
    return {pair.key: value(pair.value) for pair in of}


def take_spans(body: bytes) -> None:
    request = ExportTraceServiceRequest.FromString(body)
    for resource in request.resource_spans:
        service = attributes(resource.resource.attributes).get("service.name")
        for scope in resource.scope_spans:
            head = {"service": service, "scope": scope.scope.name, "schema": scope.schema_url}
            spans.extend({**head, **plain(span)} for span in scope.spans)


def plain(span: Any) -> dict[str, Any]:
    return {
        "trace": span.trace_id.hex(),
        "id": span.span_id.hex(),
        "parent": span.parent_span_id.hex(),
        "name": span.name,
        "kind": KINDS[span.kind],
        "start": span.start_time_unix_nano,
        "end": span.end_time_unix_nano,
        "status": STATUS[span.status.code],
        "text": span.status.message,
        "attributes": attributes(span.attributes),
        "events": [
            {"name": e.name, "time": e.time_unix_nano, "attributes": attributes(e.attributes)} for e in span.events
        ],
        "links": [{"trace": link.trace_id.hex(), "id": link.span_id.hex()} for link in span.links],
    }


def take_metrics(body: bytes) -> None:
    request = ExportMetricsServiceRequest.FromString(body)
    for resource in request.resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                kind = metric.WhichOneof("data")
                points = getattr(metric, str(kind)).data_points
                for point in points:
                    count = point.count if kind == "histogram" else point.as_int
                    metrics.append({"name": metric.name, "count": count, "attributes": attributes(point.attributes)})


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        (take_spans if self.path == "/v1/traces" else take_metrics)(body)
        self._answer(b"", "application/x-protobuf")

    def do_GET(self) -> None:
        self._answer(json.dumps(spans if self.path == "/spans" else metrics).encode(), "application/json")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
