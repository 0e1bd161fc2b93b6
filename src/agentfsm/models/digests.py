"""
Digests of requests: by them a cassette and a log know one again.

What a request leaves at its default is not part of its text, so that a field which requests gain later changes none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import cast

import attrs

from agentfsm.canonical import writer
from agentfsm.models.port import ChatRequest

__all__ = ("digest_of", "digest_of_told", "text_of", "told_of")


def digest_of(request: ChatRequest) -> str:
    """Return 32 hex digits that stand for all of *request*."""
    return digest_of_told(told_of(request))


def digest_of_told(told: Mapping[str, object]) -> str:
    """Return the digest of a request of which *told* was written."""
    return blake2b(text_of(told).encode(), digest_size=16).hexdigest()


def told_of(request: ChatRequest) -> Mapping[str, object]:
    """Return as JSON what is written of a request: every field that is not at its default."""
    written = cast("Mapping[str, object]", json.loads(writer(ChatRequest)(request)))
    kept = {f.name for f in attrs.fields(ChatRequest) if getattr(request, f.name) != f.default}
    return {name: value for name, value in written.items() if name in kept}


def text_of(told: Mapping[str, object]) -> str:
    """Return the one text of what was written of a request."""
    return json.dumps(told, sort_keys=True, separators=(",", ":"))
