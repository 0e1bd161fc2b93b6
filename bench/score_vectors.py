"""
Score the statewright law against files of engine vectors.

    python bench/score_vectors.py FILE...

Prints, per operation, how many rows agree, and every row that does not, with both answers. The last line is the
summary; the exit status is 0 only when every row of every file agrees.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from agentfsm.statewright.answers import answer
from agentfsm.statewright.definition import RETURN
from agentfsm.statewright.plain import Json, Part, equal, path_to
from agentfsm.statewright.schema import META

Row = Mapping[str, Json]
Object = dict[str, Json]

_RUST_TEXT = r'"((?:[^"\\]|\\.)*)"'
_FREE = {"context", "value", "input", "approval_reviewer", "model_ladder"}
_NAMED = {"states", "on", "guards", "interrupts", "branches", "env_overrides"}
_META = META.fields.keys()


def trimmed(thing: Json, *, named: bool = False) -> Json:
    """A definition without what only says a default: nulls, and empty `on`, `guards` and `interrupts`."""
    if isinstance(thing, list):
        return [trimmed(item) for item in thing]
    if not isinstance(thing, dict):
        return thing
    kept: Object = {}
    for key, value in thing.items():
        if not named and (value is None or (key in ("on", "guards", "interrupts") and value == {})):
            continue
        kept[key] = _inner(key, value, named=named)
    return kept


def _inner(key: str, value: Json, *, named: bool) -> Json:
    if not named and key == "meta" and isinstance(value, dict):
        return {k: trimmed(v) if k in _META else v for k, v in value.items() if v is not None or k not in _META}
    if not named and key in _FREE:
        return value
    return trimmed(value, named=not named and key in _NAMED)


def _first_target(transition: Json) -> tuple[str, tuple[Part, ...]]:
    if isinstance(transition, list):
        return (str(cast(Object, transition[0])["target"]), (0, "target")) if transition else ("", ())
    if isinstance(transition, dict):
        if "fork" in transition:
            return str(cast(Object, transition["fork"])["on_complete"]), ("fork", "on_complete")
        key = "target" if "target" in transition else "on_complete"
        return str(transition[key]), (key,)
    return str(transition), ()


def _undefined_guard(at: tuple[Part, ...], transition: Json, name: str) -> Iterator[tuple[str, str]]:
    fields = cast(Object, transition)
    if fields.get("guard") == name:
        yield "unknown_guard", path_to(*at, "guard")
    for index, each in enumerate(cast("list[Json]", fields.get("guards") or [])):
        if each == name:
            yield "unknown_guard", path_to(*at, "guards", index)


def _on(machine: Object, state: str, event: str) -> Json:
    return cast(Object, cast(Object, cast(Object, machine["states"])[state])["on"])[event]


def _wrong_target(machine: Object, state: str, event: str, _: str) -> Iterator[tuple[str, str]]:
    transition = _on(machine, state, event)
    code = "empty_branches" if transition == [] else "unknown_state"
    yield code, path_to("states", state, "on", event, *_first_target(transition)[1])


def _escalating(machine: Object, state: str, target: str) -> Iterator[tuple[str, str]]:
    events = cast(Object, cast(Object, cast(Object, machine["states"])[state]).get("on") or {})
    for event, transition in events.items():
        asks = isinstance(transition, dict) and "target" in transition and bool(transition.get("requires_approval"))
        name, below = _first_target(transition)
        if name == target and name != RETURN and not asks:
            yield "escalation", path_to("states", state, "on", event, *below)


_SIMPLE: tuple[tuple[str, str, str], ...] = (
    (r"initial state '.*' not found in states", "unknown_state", "initial"),
    (r"no final state defined.*", "no_final_state", "states"),
    (r"interrupt '(.*)' targets nonexistent state '.*'", "unknown_state", "interrupts.{0}.target"),
    (
        r"state '(.*)' event '(.*)' fork branch '(.*)' (initial|terminal) state '.*' not found",
        "unknown_state",
        "states.{0}.on.{1}.fork.branches.{2}.{3}",
    ),
    (r"state '(.*)' event '(.*)' fork on_fail state '.*' not found", "unknown_state", "states.{0}.on.{1}.fork.on_fail"),
    (r"state '(.*)' is unreachable from initial state", "unreachable_state", "states.{0}"),
    (r"(workspace|preview|promotion) policy version .* is unsupported; expected 1", "wrong_value", "meta.{0}.version"),
    (r"(preview|promotion) policy (\w+) references nonexistent state '.*'", "unknown_state", "meta.{0}.{1}"),
    (r"required (preview|promotion) policy requires a required .* policy", "missing_policy", "meta.{0}.required"),
    (r"machine must have a 'failed' state.*", "no_failed_state", "states"),
    (r"state '(.*)' has no path to 'failed' state .*", "cannot_fail", "states.{0}"),
    (r"machine with danger_level.*", "no_approval_edge", "states"),
)


def _engine_faults(sentence: str, machine: Object) -> Iterator[tuple[str, str]]:
    """One sentence of the engine as (code, path) pairs; most give one."""
    for pattern, code, place in _SIMPLE:
        if match := re.fullmatch(pattern, sentence, re.DOTALL):
            yield code, path_to(*(part.format(*match.groups()) for part in place.split(".")))
            return
    if match := re.fullmatch(r"state '(.*)' event '(.*)' targets nonexistent state '(.*)'", sentence, re.DOTALL):
        yield from _wrong_target(machine, match[1], match[2], match[3])
    elif match := re.fullmatch(r"state '(.*)' event '(.*)' references undefined guard '(.*)'", sentence, re.DOTALL):
        at = ("states", match[1], "on", match[2])
        yield from _undefined_guard(at, _on(machine, match[1], match[2]), match[3])
    elif match := re.match(r"tool escalation from '(.*)' \(privilege \d\) to '(.*)' \(privilege", sentence, re.DOTALL):
        yield from _escalating(machine, match[1], match[2])
    elif sentence.startswith("initial state must not have write/execute tools"):
        yield "initial_too_powerful", path_to("states", str(machine["initial"]))
    else:
        raise ValueError(f"an engine sentence without a code: {sentence}")


def _fork(text: str) -> Json:
    """Read back the debug form in which the engine prints a fork."""

    def told(quoted: str) -> Json:
        return cast(Json, json.loads(f'"{quoted}"'))

    tail = rf"join: (\w+), on_complete: {_RUST_TEXT}, on_fail: (?:None|Some\({_RUST_TEXT}\)) }}\Z"
    rest = re.search(tail, text)
    if rest is None:
        raise ValueError(f"no fork: {text}")
    each = re.findall(rf"{_RUST_TEXT}: BranchDef {{ initial: {_RUST_TEXT}, terminal: {_RUST_TEXT} }}", text)
    branches: Object = {str(told(n)): {"initial": told(i), "terminal": told(t)} for n, i, t in each}
    on_fail = None if rest[3] is None else told(rest[3])
    return {"branches": branches, "join": rest[1].lower(), "on_complete": told(rest[2]), "on_fail": on_fail}


def _transition_error(request: Object, engine: Object) -> Object:
    kind = str(engine["kind"]).split(" ", 1)[0]
    said = str(engine["error"])
    if kind == "StateNotFound":
        return {"error": "unknown_state", "state": request["state"]}
    if kind == "InvalidDefinition":
        return {"error": "no_interrupt"}
    if kind == "GuardFailed":
        name = said.removeprefix("guard '").removesuffix("' failed")
        return {"error": "guard_failed", "guard": None if name == "no matching branch" else name}
    if match := re.search("Multiple events reach it: (.*)' in state ", said):
        events: list[Json] = [*sorted(match[1].split(", "))]
        return {"error": "ambiguous_event", "events": events}
    return {"error": "no_transition", "event": request["event"]}


def wanted(row: Row) -> Object:
    """The answer that a row wants, the engine's put into our form where the two are the same."""
    if row["agentfsm"] == "differs":
        expect = cast(Object, row["expect"])
        return {**expect, "normalised": trimmed(expect["normalised"])} if "normalised" in expect else expect
    operation, request, engine = row["op"], cast(Object, row["request"]), cast(Object, row["engine"])
    if "parse_error" in engine:
        return {"ok": False}
    if operation == "parse":
        return {"ok": True, "normalised": trimmed(engine["normalised"])}
    if operation in ("validate", "validate_agent"):
        if engine["ok"]:
            return {"ok": True}
        sentences = cast("list[str]", engine["errors"])
        pairs = {(path, code) for s in sentences for code, path in _engine_faults(s, cast(Object, request["machine"]))}
        return {"ok": False, "faults": [{"code": code, "path": path} for path, code in sorted(pairs)]}
    if operation == "enforce":
        return {**engine, "requires_approval": None if engine["implicit_transition"] is None else False}
    if operation == "transition":
        if "error" in engine:
            return _transition_error(request, engine)
        return {**engine, "fork": None if engine["fork"] is None else _fork(str(engine["fork"]))}
    return engine


def disagreement(row: Row) -> str | None:
    """What is wrong with our answer to *row*, or None."""
    given = answer(str(row["op"]), cast(Object, row["request"]))
    shown = {**given, "normalised": trimmed(given["normalised"])} if "normalised" in given else given
    want = wanted(row)
    if all(key in shown and equal(shown[key], value) for key, value in want.items()):
        return None
    return f"{row['id']} ({row['why']})\n  wanted {json.dumps(want)}\n  given  {json.dumps(given)}"


def score(path: Path) -> tuple[Counter[str], Counter[str], list[str]]:
    """Rows and agreeing rows by operation, and every disagreement."""
    rows, right, wrong = Counter[str](), Counter[str](), list[str]()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = cast(Object, json.loads(line))
        rows[str(row["op"])] += 1
        if text := disagreement(row):
            wrong.append(text)
        else:
            right[str(row["op"])] += 1
    return rows, right, wrong


def main(paths: list[str]) -> int:
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    total = agreed = 0
    for path in map(Path, paths):
        rows, right, wrong = score(path)
        print(f"{path.name}:", ", ".join(f"{op} {right[op]}/{count}" for op, count in sorted(rows.items())))
        for text in wrong:
            print(text)
        total += rows.total()
        agreed += right.total()
    print(f"{agreed} of {total} rows agree ({100 * agreed / total if total else 0:.2f} %)")
    return 0 if total and agreed == total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
