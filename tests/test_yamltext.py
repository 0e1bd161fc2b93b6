"""YAML as a tree of text with lines."""

from __future__ import annotations

import pytest

from agentfsm.yamltext import Leaf, List, Pairs, YamlError, tree_of


def test_a_tree_is_text_with_lines() -> None:
    """Nothing is implied: what looks like a number or a no is the text that stands there."""
    found = tree_of("a: NO\nb: ['1', 2]\n")

    assert (
        Pairs(
            (
                (Leaf("a", 1, plain=True), Leaf("NO", 1, plain=True)),
                (Leaf("b", 2, plain=True), List((Leaf("1", 2), Leaf("2", 2, plain=True)), 2)),
            ),
            1,
        )
        == found
    )


def test_an_alias_is_the_tree_that_was_named() -> None:
    """It is shared, and its lines are those of the place where it was written."""
    found = tree_of("a: &x [1]\nb: *x\n")

    assert isinstance(found, Pairs)
    assert found.pairs[0][1] is found.pairs[1][1]
    assert ("x", 1) == (found.pairs[1][1].anchor, found.pairs[1][1].line)


def test_tags_are_kept_and_never_followed() -> None:
    """What a tag would build is not built."""
    found = tree_of("!!python/object/apply:os.system ['true']")

    assert isinstance(found, List)
    assert "tag:yaml.org,2002:python/object/apply:os.system" == found.tag


@pytest.mark.parametrize("text", ["", "# nothing\n", "\n\n"])
def test_no_document(text: str) -> None:
    """An empty file holds nothing."""
    assert tree_of(text) is None


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a: [", 1, "expected"),
        ("a: 1\n---\nb: 2", 2, "a second document begins here"),
        ("a: 1\nb: *c", 2, "*c stands before the end of what it names"),
        ("a: &c [*c]", 1, "*c stands before the end of what it names"),
        ("a:\n\tb: 1", 2, "found character"),
        ("a: \x00", 1, "special characters are not allowed"),
        ("[" * 102 + "]" * 102, 1, "nested deeper than 100"),
        ("[" * 100_000, 1, "nested deeper than 100"),
    ],
)
def test_what_is_refused(text: str, line: int, says: str) -> None:
    """With its line, from 1."""
    with pytest.raises(YamlError) as caught:
        tree_of(text)

    assert (line, True) == (caught.value.line, says in caught.value.reason), caught.value
