"""Counting the lines of edits, and reading patches."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentfsm.statewright.call import ToolCall, call_digest
from agentfsm.statewright.edits import Change, changed_lines, changes
from agentfsm.statewright.patch import PatchPart, read_patch

CODEX = """*** Begin Patch
*** Update File: src/calc.py
@@ def add(a, b):
-    return a - b
+    return a + b
*** Update File: docs/old.md
*** Move to: docs/new.md
@@
-old
+new
*** Delete File: tmp/x.txt
*** Add File: tests/test_calc.py
+def test_add():
+    assert True
*** End Patch
"""
UNIFIED = """diff --git a/x.py b/x.py
index 1..2 100644
--- a/x.py
+++ b/x.py
@@ -1,3 +1,3 @@
 a
-b
-c
+d
 e
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+x
"""


def test_a_codex_patch() -> None:
    """Each part tells what it does to which files, and how many lines it changes."""
    assert (
        PatchPart(("update",), ("src/calc.py",), 1),
        PatchPart(("update", "move"), ("docs/old.md", "docs/new.md"), 1),
        PatchPart(("delete",), ("tmp/x.txt",), 0),
        PatchPart(("add",), ("tests/test_calc.py",), 2),
    ) == read_patch(CODEX)


def test_a_unified_diff() -> None:
    """A stretch counts the greater of what goes out and what comes in."""
    assert (PatchPart(("update",), ("x.py",), 2), PatchPart(("add",), ("new.py",), 1)) == read_patch(UNIFIED)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "*** Begin Patch\n*** Update File: a\n-x",
        "*** Begin Patch\n*** End Patch",
        "*** Begin Patch\nloose\n*** End Patch",
        "*** Begin Patch\n*** Rename File: a\n*** End Patch",
        "*** Begin Patch\n*** Add File: \n+x\n*** End Patch",
        "*** Begin Patch\n*** Update File: a\nrm -rf /\n*** End Patch",
        "--- a/x\n",
        "--- a/x\n+++ b/x\nfoo\n",
        "--- /dev/null\n+++ /dev/null\n",
    ],
)
def test_what_is_no_patch(text: str) -> None:
    """A patch is understood line for line or not at all (R60)."""
    assert read_patch(text) is None


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("", "", 0),
        ("a", "a", 0),
        ("a\nb\nc", "a\nx\nc", 1),
        ("a\nb\nc", "a\nc", 1),
        ("", "a\nb", 2),
        ("a\nb\nc\nd", "x\nb\nc\ny", 2),
    ],
)
def test_changed_lines(old: str, new: str, lines: int) -> None:
    """A replaced line is one line, wherever it stands."""
    assert lines == changed_lines(old, new)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_the_count_is_never_below_what_a_diff_takes(old: list[str], new: list[str]) -> None:
    """No edit is counted smaller than the lines by which the texts differ in number."""
    count = changed_lines("\n".join(old), "\n".join(new))
    same = sum(block.size for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())

    assert abs(len(old) - len(new)) <= count or not old or not new
    assert count <= max(len(old), len(new)) + min(len(old), len(new)) - same or not old or not new


def test_long_texts_are_bounded_from_above() -> None:
    """Past the size that a fine diff can take, the count is an upper bound and comes at once."""
    old = "\n".join(f"a{n}" for n in range(20_000))
    new = "\n".join(f"b{n}" for n in range(20_000))

    assert 20_000 == changed_lines(old, new)


def test_a_write_is_measured_against_the_file() -> None:
    """Writing a file whole changes only the lines that differ; replace_all counts each place."""
    texts = {"a": "1\n2\n3"}
    write = ToolCall("Write", {"file_path": "a", "content": "1\nx\n3"})
    everywhere = ToolCall("Edit", {"file_path": "a", "old_string": "\n", "new_string": "\n\n", "replace_all": True})

    assert Change(("a",), 1) == changes(write, texts.get)
    change = changes(everywhere, texts.get)
    assert change is not None
    assert change.lines == 2 * changed_lines("\n", "\n\n")
    assert changes(ToolCall("Delete", {"path": "a"}), texts.get) == Change(("a",), 3)


def test_calls_are_told_apart_by_what_they_mean() -> None:
    """Names that fold and key order make no difference; a value does, and a number is not its text."""
    one = ToolCall("Read", {"a": 1, "b": [2]})

    assert call_digest(one) == call_digest(ToolCall("read_file", {"b": [2], "a": 1}))
    assert call_digest(one) != call_digest(ToolCall("Read", {"a": "1", "b": [2]}))
    assert call_digest(one) != call_digest(ToolCall("Grep", {"a": 1, "b": [2]}))
