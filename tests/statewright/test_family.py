"""Families: machines linked by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentfsm.errors import DefinitionError
from agentfsm.statewright import link, load_family, load_text


def text(name: str, *invokes: str) -> str:
    events = ", ".join(f'"E{n}": {{"invoke": "{other}", "on_complete": "end"}}' for n, other in enumerate(invokes))
    end = ', "END": "end"' if invokes else '"END": "end"'
    states = f'{{"a": {{"on": {{{events}{end}}}}}, "end": {{"type": "final"}}}}'
    return f'{{"id": "{name}", "initial": "a", "states": {states}}}'


def test_cycles_are_found_at_load() -> None:
    """Each machine that comes back to itself is told, with the way round."""
    definitions = [load_text(text(*names)).sound() for names in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"))]

    with pytest.raises(DefinitionError) as caught:
        link(definitions)

    assert [
        ("invoke_cycle", ("a", "b", "c", "a")),
        ("invoke_cycle", ("b", "c", "a", "b")),
        ("invoke_cycle", ("c", "a", "b", "c")),
    ] == [(finding.code, finding.path) for finding in caught.value.findings]


def test_a_family_is_linked_from_files(tmp_path: Path) -> None:
    """Files name each other by id, in any order."""
    folder = tmp_path
    for name, *invokes in (("a", "b", "c"), ("b", "c"), ("c",)):
        (folder / f"{name}.json").write_text(text(name, *invokes))
    machines = load_family(sorted(folder.glob("*.json")))

    assert {"b", "c"} == machines["a"].law.children.keys()
    with pytest.raises(DefinitionError, match="unknown_machine"):
        load_family([folder / "a.json"])
    with pytest.raises(DefinitionError, match="duplicate_machine"):
        load_family([folder / "c.json", folder / "c.json"])
