"""Redaction: secrets go by their form and by the name before them; all else stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentfsm.redaction import MARK, capped, redacted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # by the name before it
        ("password=hunter2", f"password={MARK}"),
        ("PASSWORD: hunter2, user: ann", f"PASSWORD: {MARK}, user: ann"),
        ('{"api_key":"abc","page":2}', f'{{"api_key":{MARK},"page":2}}'),
        ('{"text":"{\\"token\\":\\"abc\\"}"}', f'{{"text":"{{\\"token\\":{MARK}}}"}}'),
        ("export AWS_SECRET_ACCESS_KEY=abc/def+g ls", f"export AWS_SECRET_ACCESS_KEY={MARK} ls"),
        ("--token=abc --page 2", f"--token={MARK} --page 2"),
        ("Authorization: Bearer abcdefgh", f"Authorization: Bearer {MARK}"),
        ("curl -H 'X-Api-Key: abc'", f"curl -H 'X-Api-Key: {MARK}'"),
        ("https://example.org/?token=abc&page=2", f"https://example.org/?token={MARK}&page=2"),
        ('password: "two words" and more', f"password: {MARK} and more"),
        # by its form
        ("https://ann:abc@example.org/", f"https://{MARK}@example.org/"),
        ("postgres://ann@db/x", f"postgres://{MARK}@db/x"),
        ("key sk-abcdefghijklmnop here", f"key {MARK} here"),
        ("ghp_" + "a" * 36, MARK),
        ("AKIA" + "A" * 16, MARK),
        ("xoxb-1234567890-abc", MARK),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.abc", MARK),
        ("bearer abcdefghijk", f"bearer {MARK}"),
        ("a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nb", f"a\n{MARK}\nb"),
        ("-----BEGIN PRIVATE KEY-----\nabc", MARK),
        # no secret
        ("the tokens are counted", "the tokens are counted"),
        ("max_tokens=5", "max_tokens=5"),
        ("mail ann@example.org", "mail ann@example.org"),
        ("https://example.org/a@b", "https://example.org/a@b"),
        ("a sky-blue task-list", "a sky-blue task-list"),
    ],
)
def test_redacted(text: str, expected: str) -> None:
    """R56: a secret is replaced, and what stands around it stays."""
    assert expected == redacted(text)


@given(st.text())
def test_what_is_redacted_once_stays_so(text: str) -> None:
    """Redacting again changes nothing."""
    assert redacted(text) == redacted(redacted(text))


@given(st.text(st.characters(codec=None)), st.integers(64, 200))
def test_capped(text: str, most: int) -> None:
    """R55: never more bytes than allowed, always UTF-8, and a text that fits is as it was."""
    found = capped(text, most)
    encoded = text.encode("utf-8", "replace")

    assert len(found.encode()) <= most
    if len(encoded) <= most:
        assert encoded.decode() == found
    else:
        assert found.endswith(f"… [{len(encoded)} bytes]")
        assert encoded.decode().startswith(found.partition("… [")[0])
