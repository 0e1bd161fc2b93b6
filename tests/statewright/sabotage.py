"""
Sabotages of the law: one line of the package broken at a time, and the test file that has to notice.

    python tests/statewright/sabotage.py

works on a copy of the package, runs the named test for each, and exits 0 only when every sabotage was noticed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from attrs import frozen

__all__ = ("SABOTAGES", "Sabotage")

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "agentfsm" / "statewright"


@frozen
class Sabotage:
    """Replace *sound* by *broken* in *file*; *test* has to fail. *shows* names the rule or requirement."""

    shows: str
    file: str
    sound: str
    broken: str
    test: str


SABOTAGES = (
    Sabotage("R12 dropped events are told", "queueing.py", "dropped = tuple(each.id for each in session.queue)", "dropped = ()", "test_queueing.py"),
    Sabotage("R12 cancel drops by id", "stepping.py", "dropped = tuple(each.id for each in session.queue)", "dropped = ()", "test_queueing.py"),
    Sabotage("R12 approval keeps the queue", "queueing.py", "not waiting(session) and ", "", "test_queueing.py"),
    Sabotage("R13 one of many wins", "standalone.py", "if moves == session.moves:", "if True:", "test_queueing.py"),
    Sabotage("R13 one of several posted wins", "queueing.py", "if first.at is not None and first.at != session.moves:", "if False:", "test_queueing.py"),
    Sabotage("R58 commands are judged", "judging.py", "if carries_command(state, call.name):", "if False:", "test_judging.py"),
    Sabotage("R58 patches are judged", "ruling.py", 'if is_patch(name) and code in (None, "not_listed"):', "if False:", "test_judging.py"),
    Sabotage("R59 no answering by command", "judging.py", 'if mentions(command, ("agentfsm",)) and', "if False and", "test_judging.py"),
    Sabotage("R59 protected keys", "transition.py", "    if not keys:\n", "    if True:\n", "test_hostile.py"),
    Sabotage("R59 no tool answers", "ruling.py", "if _answers_requests(name):", "if False:", "test_machine.py"),
    Sabotage("R60 unknown state refuses", "ruling.py", "    if lists is None:\n        return Decision(\"deny\"", "    if lists is None:\n        return Decision(\"allow\"", "test_machine.py"),
    Sabotage("R60 unreadable edit refuses", "judging.py", "if change is None or change.lines is None:", "if change is None:\n            return None\n        if change.lines is None:", "test_judging.py"),
    Sabotage("R60 no classifier, no command", "shell_port.py", 'if "Destructive" in allowed_tools:', "if True:", "test_judging.py"),
    Sabotage("R61 the last iteration is one", "standalone.py", "            self._session = step.session\n            return decision", "            return decision", "test_queueing.py"),
    Sabotage("R62 an answer serves once", "stepping.py", "if request.id == answer.request), None)", "), None)", "test_approval.py"),
    Sabotage("R62 expiry", "approval.py", "if now >= pending.expires_at:", "if now > pending.expires_at:", "test_approval.py"),
    Sabotage("R62 bound to the state", "approval.py", "if not fits or request_id(pending) != pending.id:", "if request_id(pending) != pending.id:", "test_approval.py"),
    Sabotage("R62 bound to itself", "approval.py", "if not fits or request_id(pending) != pending.id:", "if not fits:", "test_approval.py"),
    Sabotage("R62 parked means parked", "judging.py", "if session.pending is not None:", "if False:", "test_approval.py"),
    Sabotage("R63 offered equals allowed", "judging.py", "if _closed(law, session) or not may_pass(law, session.state, name):", "if False:", "test_machine.py"),
    Sabotage("a ban beats a list", "law.py", "        if self.banned(name):\n", "        if False:\n", "test_tools.py"),
    Sabotage("final means none", "law.py", "        if self.plain.is_final:\n", "        if False:\n", "test_machine.py"),
    Sabotage("a fold never widens", "tools.py", "_IN_LISTS = {same_key(name): tool for tool in TOOLS for name in (tool.name, *tool.same)}", "_IN_LISTS = _IN_CALLS", "test_tools.py"),
    Sabotage("sentinels open by name alone", "law.py", "if name not in _SENTINELS or name in listed", "if True", "test_judging.py"),
    Sabotage("safe_next is no way round", "definition.py", "return bool(edges) and all(edge.asks for edge in edges)", "return False", "test_approval.py"),
    Sabotage("self-loops do not reset", "moving.py", "    if state != session.state:\n", "    if True:\n", "test_judging.py"),
    Sabotage("depth is exact", "entering.py", "if session.depth >= law.bounds.max_depth:", "if session.depth > law.bounds.max_depth:", "test_nesting.py"),
    Sabotage("child steps are exact", "nesting.py", "if child.moves + made > law.bounds.max_child_steps:", "if child.moves + made >= law.bounds.max_child_steps:", "test_nesting.py"),
    Sabotage("the child cannot forge", "stepping.py", "tuple(sorted(set(session.sealed) & data.keys())) if is_object(data) else ()", "()", "test_nesting.py"),
    Sabotage("interrupts nest to eight", "interrupt.py", "if len(stack) >= MAX_INTERRUPTS:", "if len(stack) > MAX_INTERRUPTS:", "test_vectors.py"),
    Sabotage("no re-fire in the handler", "touching.py", "return tuple(sorted(found - at_work))", "return tuple(sorted(found))", "test_interrupt.py"),
    Sabotage("links are followed", "files.py", "real = os.path.realpath(lexical)", "real = lexical", "test_files.py"),
    Sabotage("interrupts are edges", "graph.py", "        if not law.definition.interrupts:\n", "        if True:\n", "test_proofs.py"),
    Sabotage("invokes are edges", "graph.py", "self.add(child, inner)", "pass", "test_proofs.py"),
    Sabotage("allowed_commands is a key", "effects.py", "    if here.allowed_commands:\n", "    if False:\n", "test_proofs.py"),
)  # fmt: skip


def noticed(sabotage: Sabotage, folder: Path) -> bool:
    """Whether the test fails on a copy of the package with the sabotage in it."""
    package = folder / "src" / "agentfsm" / "statewright"
    file = package / sabotage.file
    sound = file.read_text(encoding="utf-8")
    file.write_text(sound.replace(sabotage.sound, sabotage.broken, 1), encoding="utf-8")
    path = os.pathsep.join(map(str, (folder / "src", folder / "stages")))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        f"tests/statewright/{sabotage.test}",
    ]
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=False)
    file.write_text(sound, encoding="utf-8")
    return done.returncode == 1


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "checkout"
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", ".*_cache", "__pycache__"))
        shared = ROOT.parent / "shared"
        if shared.exists():
            (Path(name) / "shared").symlink_to(shared.resolve(), target_is_directory=True)
        missed = [each.shows for each in SABOTAGES if not noticed(each, folder)]
    for shows in missed:
        print(f"not noticed: {shows}")
    print(f"{len(SABOTAGES) - len(missed)} of {len(SABOTAGES)} sabotages noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
