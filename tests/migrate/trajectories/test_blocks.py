"""Actions inside the text of a reply."""

from __future__ import annotations

import pytest

from agentfsm.migrate.trajectories.blocks import fenced, last_action, tagged, without


@pytest.mark.parametrize(
    ("text", "thought", "action"),
    [
        ("Look.\n```\nls\n```", "Look.", "ls"),
        ("Look.\n```bash\nls\n```\nThen more.", "Look.\nThen more.", "ls"),
        ("One:\n```\nfirst\n```\nTwo:\n```\nsecond\n```", "One:\n```\nfirst\n```\nTwo:", "second"),
        ("Only words.", "Only words.", None),
        ("Open.\n```\nls", "Open.\n```\nls", None),
        ("Empty.\n```\n```", "Empty.", None),
        ("A tag.\n<command>\nls\n</command>", "A tag.", "ls"),
        (
            "Nested.\n```\nedit 1:1\n```python\nx\n```\nend_of_edit\n```",
            "Nested.",
            "edit 1:1\n```python\nx\n```\nend_of_edit",
        ),
    ],
)
def test_the_last_block_is_the_action(text: str, thought: str, action: str | None) -> None:
    """What is around it is the thought; a block inside another is no block of its own."""
    found = last_action(text)

    assert (thought, action) == (found.thought, found.action)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("```bash\nls\n```", ["ls"]),
        ("```bash  \n\n  ls -la\n```\n```bash\npwd\n```", ["ls -la", "pwd"]),
        ("text ```bash\nls\n``` text", ["ls"]),
        ("```bashful\nls\n```", []),
        ("```bash\nls", []),
        ("```bash ls```", []),
        ("```python\nls\n```", []),
    ],
)
def test_fenced_blocks_of_a_language(text: str, actions: list[str]) -> None:
    """A block runs from three backticks and the language to a line of three backticks."""
    assert actions == [block.action for block in fenced(text, "bash")]


def test_tags_and_what_is_around_them() -> None:
    """Tags are read like blocks."""
    text = "Before <run>ls</run> between <run> pwd </run> after <run>never closed"

    found = tagged(text, "run")

    assert ["ls", "pwd"] == [block.action for block in found]
    assert "Before  between  after <run>never closed" == without(text, found)
