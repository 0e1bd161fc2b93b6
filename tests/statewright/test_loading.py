"""Loading: files, lines, suggestions, envelopes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from agentfsm.errors import DefinitionError
from agentfsm.statewright import Machine, load, load_text
from agentfsm.statewright.json_places import json_places
from agentfsm.statewright.plain import Json
from tests.statewright.law_sample import DEMO
from tests.statewright.law_strategies import JSON, machines

REAL = Path(__file__).parents[3] / "shared" / "fixtures" / "machines" / "statewright"

BROKEN = """{
  "id": "m",
  "initial": "a",
  "states": {
    "a": {
      "alowed_tools": [],
      "on": {"GO": {"target": "b", "invoke": "c"}}
    },
    "b": {"type": "final"}
  }
}"""


def test_each_fault_has_file_line_path_and_a_way_out() -> None:
    """A misspelt key is told with its line and the key that was meant."""
    found = load_text(BROKEN, "m.json").faults

    assert [("unknown_key", 6), ("conflicting_keys", 7)] == sorted(
        ((f.code, f.line) for f in found), key=lambda f: f[1]
    )
    assert any("m.json:6: $.states.a.alowed_tools" in str(f) and "'allowed_tools'" in str(f) for f in found)


def test_yaml_is_read_by_its_core_schema() -> None:
    """`on` and `no` are text in YAML 1.2, and the same machine is the same machine in either language."""
    text = "id: m\ninitial: a\ncontext: {no: yes, n: 1, f: 1.5, t: true, z: ~}\n"
    text += "states:\n  a: {on: {NO: b}}\n  b: {type: final}\n"
    loaded = load_text(text, "m.yaml")
    context: Json = {"no": "yes", "n": 1, "f": 1.5, "t": True, "z": None}
    states: Json = {"a": {"on": {"NO": "b"}}, "b": {"type": "final"}}
    same = load_text(json.dumps({"id": "m", "initial": "a", "context": context, "states": states}))

    assert loaded.definition is not None
    assert same.definition is not None
    assert same.definition.text == loaded.definition.text


@pytest.mark.parametrize(
    ("text", "file", "code", "line"),
    [
        ('{"id": "m",,}', "m.json", "syntax", 1),
        ('{"id": NaN}', "m.json", "syntax", 1),
        ('{"id": 1e999}', "m.json", "syntax", 1),
        ("[" * 100_000, "m.json", "syntax", 1),
        ("a: [1\nb: 2", "m.yaml", "syntax", 2),
        ("a: !!python/object/apply:os.system [ls]", "m.yaml", "syntax", 1),
        ("a: 1\n? [x]\n: 2", "m.yaml", "syntax", 2),
        ("x: .inf", "m.yaml", "unknown_key", 1),
        ("id: a\nid: b", "m.yaml", "duplicate_key", 2),
        ('{"id": "a",\n "id": "b"}', "m.json", "duplicate_key", 2),
        ("", "m.yaml", "wrong_type", 0),
    ],
)
def test_text_that_is_no_definition(text: str, file: str, code: str, line: int) -> None:
    """Broken text is a fault with its line, never another exception, and runs nothing."""
    loaded = load_text(text, file)

    assert (code, line) in [(fault.code, fault.line) for fault in loaded.faults]
    with pytest.raises(DefinitionError):
        loaded.sound()


def test_aliases_that_unfold_without_end_are_refused() -> None:
    """A few lines of YAML aliases can stand for billions of values; they are counted as they unfold."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]

    assert ["syntax"] == [fault.code for fault in load_text("\n".join(lines), "m.yaml").faults]


def test_an_unreadable_file_is_a_fault(tmp_path: Path) -> None:
    """A missing file and one that is not UTF-8 are told by name."""
    bad = tmp_path / "bad.json"
    bad.write_bytes(b"\xff\xfe\xfa")

    assert ["unreadable"] == [fault.code for fault in load(bad).faults]
    with pytest.raises(DefinitionError, match=r"nowhere\.json"):
        Machine.load(tmp_path / "nowhere.json")


def test_the_envelope_of_a_template() -> None:
    """Paths inside an envelope start at $.definition, its own keys are known, and its servers are kept."""
    inner = {**DEMO, "extra": 1}
    loaded = load_text(json.dumps({"definition": inner, "upstream_servers": [{"a": 1}], "version": 2}))

    assert ["$.version", "$.definition.extra"] == [fault.path for fault in loaded.faults]
    assert '[{"a":1}]' == load_text(json.dumps({"definition": DEMO, "upstream_servers": [{"a": 1}]})).upstream_servers


@pytest.mark.skipif(not REAL.exists(), reason="the real machines are not beside this checkout")
@pytest.mark.parametrize(
    ("file", "codes"),
    [
        ("bugfix.json", []),
        ("nine-second-saloon.json", []),
        ("research.json", []),
        ("stitch-red-build-validate.json", ["no_failed_state"]),
    ],
)
def test_real_machines(file: str, codes: list[str]) -> None:
    """Machines written by others load, get the documented verdicts, and read back as they are."""
    loaded = load(REAL / file)
    definition = loaded.sound()

    assert codes == [fault.code for fault in loaded.faults]
    assert definition.text == load_text(json.dumps(definition.normalised)).sound().text


@given(machines())
def test_a_random_machine_loads_from_its_text(value: dict[str, Json]) -> None:
    """Text and value lead to the same machine."""
    loaded = load_text(json.dumps(value))

    assert loaded.definition is not None
    assert "random" == loaded.definition.id


@given(JSON)
def test_every_value_has_its_line(value: Json) -> None:
    """With one value a line, each place is found, and nothing that is no repeat is told as one."""
    places = json_places(json.dumps(value, indent=1))

    assert 1 == places.line("$")
    assert () == places.repeated


def test_numbers_past_all_bounds_are_told() -> None:
    """A float that is infinite is no JSON in either language."""
    assert ["syntax"] == [fault.code for fault in load_text("x: 1e999", "m.yaml").faults]
    assert ["syntax"] == [fault.code for fault in load_text('{"x": ' + "9" * 5000 + "}", "m.json").faults]


def test_servers_are_a_list() -> None:
    """The envelope is checked too."""
    found = load_text(json.dumps({"definition": DEMO, "upstream_servers": 5})).faults

    assert ("wrong_type", "$.upstream_servers") in [(fault.code, fault.path) for fault in found]
