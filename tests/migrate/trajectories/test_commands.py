"""The text of an action becomes calls of canonical tools."""

from __future__ import annotations

import pytest

from agentfsm.migrate.trajectories.canonical import OWN
from agentfsm.migrate.trajectories.commands import command_of, commands

READ_ONLY = {"Read", "Grep", "Glob", "LS", "GitDiff"}


@pytest.mark.parametrize(
    ("action", "name", "arguments"),
    [
        # viewing
        ("open src/bell.py", "Read", {"path": "src/bell.py"}),
        ('open "src/a bell.py" 40', "Read", {"path": "src/a bell.py", "line": 40}),
        ("goto 12", "Read", {"line": 12}),
        ("scroll_down", "Read", {"scroll": "down"}),
        ("scroll_up\n", "Read", {"scroll": "up"}),
        ("filemap src/bell.py", "Read", {"path": "src/bell.py"}),
        ("view_image plan.png", "Read", {"path": "plan.png"}),
        # searching
        ("find_file bell.py", "Glob", {"pattern": "bell.py"}),
        ("find_file '*.py' src", "Glob", {"pattern": "*.py", "path": "src"}),
        ('search_file "def ring" src/bell.py', "Grep", {"pattern": "def ring", "path": "src/bell.py"}),
        ('search_dir "a|b;c" src', "Grep", {"pattern": "a|b;c", "path": "src"}),
        ("search_dir ring(", "Grep", {"pattern": "ring("}),
        ("search_dir it's here", "Grep", {"pattern": "it's", "path": "here"}),
        # writing
        ("create src/bell.py", "Write", {"path": "src/bell.py", "text": ""}),
        ("edit 3:4\n    ring()\nend_of_edit", "Edit", {"start": 3, "end": 4, "text": "    ring()"}),
        ("edit 3:4\na\n\nb\nend_of_edit\n", "Edit", {"start": 3, "end": 4, "text": "a\n\nb"}),
        ("edit 3:4\nend_of_edit", "Edit", {"start": 3, "end": 4, "text": ""}),
        ("edit 3:4\nit's | done\nend_of_edit", "Edit", {"start": 3, "end": 4, "text": "it's | done"}),
        ("edit 3:4 << 'end_of_edit'\nx\nend_of_edit", "Edit", {"start": 3, "end": 4, "text": "x"}),
        ("edit 3:4 <<EOF\nx\nEOF", "Edit", {"start": 3, "end": 4, "text": "x"}),
        ("edit 3:4 x\ny\nend_of_edit", "Edit", {"start": 3, "end": 4, "text": "x\ny"}),
        ("edit 3:4\nnothing ends it", "Edit", {"start": 3, "end": 4, "text": "nothing ends it"}),
        ("edit\nbetween cursors\nend_of_edit", "Edit", {"text": "between cursors"}),
        ("edit 'ring' \"rang\"", "Edit", {"old": "ring", "new": "rang"}),
        ("edit 'ring\nring' 'rang' True", "Edit", {"old": "ring\nring", "new": "rang", "all": True}),
        ("edit ring rang --replace-all", "Edit", {"old": "ring", "new": "rang", "all": True}),
        ("edit --search ring --replace=rang", "Edit", {"old": "ring", "new": "rang"}),
        ("edit '--verbose' '--quiet'", "Edit", {"old": "--verbose", "new": "--quiet"}),
        ("insert 'ding' 7", "Edit", {"text": "ding", "line": 7}),
        ("insert 'ding' --line 7", "Edit", {"text": "ding", "line": 7}),
        ("append 'dong'", "Edit", {"text": "dong"}),
        ("append\ndong\nend_of_append", "Edit", {"text": "dong"}),
        # the editor that is several tools
        ("str_replace_editor view /r/bell.py", "Read", {"path": "/r/bell.py"}),
        ("str_replace_editor view /r/bell.py --view_range 3 9", "Read", {"path": "/r/bell.py", "start": 3, "end": 9}),
        ("str_replace_editor create /r/a.py --file_text 'x\ny'", "Write", {"path": "/r/a.py", "text": "x\ny"}),
        (
            "str_replace_editor str_replace /r/a.py --old_str 'x' --new_str 'y z'",
            "Edit",
            {"path": "/r/a.py", "old": "x", "new": "y z"},
        ),
        (
            "str_replace_editor insert /r/a.py --insert_line 3 --new_str q",
            "Edit",
            {"path": "/r/a.py", "line": 3, "text": "q"},
        ),
        ("str_replace_editor undo_edit /r/a.py", "Edit", {"path": "/r/a.py", "undo": True}),
        # handing in
        ("submit", "GitDiff", {}),
        ("submit flag{gone fishing}", "GitDiff", {"submission": "flag{gone fishing}"}),
        ("exit_cost", "GitDiff", {}),
        # what the command does not know is kept
        ("open a.py 3 more", "Read", {"path": "a.py", "line": 3, "rest": ("more",)}),
        # the shell
        ("python bell.py", "Bash", {"command": "python bell.py"}),
        ("ls -la\ncat a\n", "Bash", {"command": "ls -la\ncat a"}),
        ("opening_hours", "Bash", {"command": "opening_hours"}),
        ("cat open", "Bash", {"command": "cat open"}),
    ],
)
def test_one_command(action: str, name: str, arguments: dict[str, object]) -> None:
    """The harness's own commands are calls of canonical tools; everything else is the shell's."""
    (found,) = commands(action)

    assert (name, arguments) == (found.name, dict(found.arguments))


@pytest.mark.parametrize(
    "action",
    [
        "find_file bell.py | head",
        "find_file bell.py > out.txt",
        "open bell.py && rm -rf build",
        "open bell.py; rm -rf build",
        "open $(cat names)",
        'open "`cat names`"',
        "cd src && open bell.py",
        "for f in *.py; do\nopen $f\ndone",
        "if true\nthen\nopen bell.py\nfi",
        "ring() {\nopen bell.py\n}",
        "python - <<'EOF'\nopen bell.py\nEOF",
        'python -c "\nopen bell.py\n"',
        "cat names | \\\nopen",
        "true &&\nopen bell.py",
    ],
)
def test_a_line_that_does_more_is_the_shells(action: str) -> None:
    """A fold never widens, and never hides: an own command inside a larger line leaves the line with the shell."""
    (found,) = commands(action)

    assert ("Bash", {"command": action}) == (found.name, dict(found.arguments))


@pytest.mark.parametrize(
    ("action", "names"),
    [
        ("find_file a\nopen a", ["Glob", "Read"]),
        ("ls\nopen a\ncat b\ncat c\nsubmit", ["Bash", "Read", "Bash", "GitDiff"]),
        ("create a\nedit 1:1\nopen x\nend_of_edit\nedit 2:2\ny\nend_of_edit\n", ["Write", "Edit", "Edit"]),
        ("ls # don't mind\nopen a", ["Bash", "Read"]),
        ("cat > b <<EOF\nopen x\nEOF\nopen b", ["Bash", "Read"]),
        ('echo "a << b"\nopen a', ["Bash", "Read"]),
        ("echo 'one\nopen two'\nopen a", ["Bash", "Read"]),
        ("\n\nopen a\n\n", ["Read"]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_several_commands_in_one_action(action: str, names: list[str]) -> None:
    """Each is kept, in order; neighbouring lines of the shell are one script."""
    assert names == [command.name for command in commands(action)]


def test_the_open_file_is_the_path_where_none_is_named() -> None:
    """Editing and scrolling are about the file that is open."""
    (edit,) = commands("edit 1:1\nx\nend_of_edit")
    (named,) = commands("search_file ring other.py")
    (found,) = commands("find_file ring")

    assert "/r/bell.py" == edit.within("/r/bell.py").arguments["path"]
    assert "other.py" == named.within("/r/bell.py").arguments["path"]
    assert "path" not in found.within("/r/bell.py").arguments
    assert edit == edit.within("")


@pytest.mark.parametrize(
    ("name", "members", "tool", "arguments"),
    [
        ("open", {"path": "a", "line_number": 3}, "Read", {"path": "a", "line": 3}),
        ("find_file", {"file_name": "a", "dir": "s"}, "Glob", {"pattern": "a", "path": "s"}),
        ("edit", {"search": "a", "replace": "b", "replace-all": False}, "Edit", {"old": "a", "new": "b", "all": False}),
        (
            "edit",
            {"replacement_text": "b", "start_line": "1", "end_line": 2},
            "Edit",
            {"text": "b", "start": 1, "end": 2},
        ),
        (
            "str_replace_editor",
            {"command": "view", "path": "/r", "view_range": [1, 9]},
            "Read",
            {"path": "/r", "start": 1, "end": 9},
        ),
        ("str_replace_editor", {"command": "sing", "path": "/r"}, "Edit", {"path": "/r"}),
        ("bash", {"command": "ls", "timeout": 3}, "Bash", {"command": "ls", "timeout": 3}),
        ("bash", {"arguments": "not JSON"}, "Bash", {"command": "raw text"}),
        ("ring_bells", {"times": 3}, "Bash", {"command": "raw text"}),
        ("submit", {}, "GitDiff", {}),
        ("finish", {"message": "done"}, "GitDiff", {"submission": "done"}),
        ("open", {"path": "a", "colour": "red"}, "Read", {"path": "a", "colour": "red"}),
    ],
)
def test_a_call_by_name(name: str, members: dict[str, object], tool: str, arguments: dict[str, object]) -> None:
    """Arguments go on under canonical names, and those nobody knows under their own."""
    found = command_of(name, members, "raw text")

    assert (tool, arguments) == (found.name, dict(found.arguments))


@pytest.mark.parametrize("name", sorted(OWN))
def test_no_own_command_folds_into_more_than_writing(name: str) -> None:
    """None of them can run anything, so none folds into a tool that can."""
    assert OWN[name].tool in READ_ONLY | {"Write", "Edit"}


def test_long_actions_take_time_in_proportion() -> None:
    """Lines that look for an end that never comes are each looked at once."""
    action = "edit\ncat <<A\n" * 20_000 + "open a"

    assert "Read" == commands(action)[-1].name
