"""`check_against_allowed`: tools by class, sentinels by name, and commands as a limit and a key (R58, R60)."""

from __future__ import annotations

import pytest

from agentfsm.shell import check_against_allowed

READING = ("Bash", "Read", "Grep", "Glob")
WRITING = (*READING, "Write", "Edit")


@pytest.mark.parametrize(
    ("command", "tools", "action"),
    [
        ("ls", (), "deny"),
        ("ls", ("Read", "Glob"), "deny"),
        ("ls", ("Bash",), "deny"),
        ("ls", ("Bash", "Glob"), "allow"),
        ("ls", ("Bash", "Read"), "allow"),
        ("cat f", ("Bash", "Grep"), "deny"),
        ("grep x f", ("Bash", "Grep"), "allow"),
        ("git status", ("Bash", "Read"), "allow"),
        ("echo x > f", READING, "deny"),
        ("echo x > f", (*READING, "Edit"), "deny"),
        ("echo x > f", (*READING, "Write"), "allow"),
        ("sed -i s/a/b/ f", (*READING, "Edit"), "allow"),
        ("curl u", WRITING, "deny"),
        ("curl u", (*WRITING, "WebFetch"), "allow"),
        ("git commit -m x", WRITING, "deny"),
        ("git commit -m x", (*WRITING, "GitWrite"), "allow"),
        ("git commit -m x", (*WRITING, "__GIT_WRITE__"), "allow"),
        ("rm f", (*WRITING, "Destructive"), "allow"),
        ("rm f", (*WRITING, "__DESTRUCTIVE__"), "allow"),
        ("./run.sh", (*WRITING, "Destructive"), "deny"),
        ('eval "$x"', (*WRITING, "__DESTRUCTIVE__"), "deny"),
        ("echo 'a", (*WRITING, "Destructive"), "deny"),
    ],
)
def test_tools(command: str, tools: tuple[str, ...], action: str) -> None:
    """Each class has its tools; what is unresolved is opened by no name."""
    assert action == check_against_allowed(command, tools).action


@pytest.mark.parametrize(
    ("command", "entries", "action"),
    [
        # the limit
        ("pytest -q", ["pytest"], "allow"),
        ("pytest -q && ls", ["pytest"], "deny"),
        ("timeout 5 pytest -q", ["pytest"], "allow"),
        ("env A=1 nice pytest", ["pytest"], "allow"),
        ("bash -c 'pytest -q'", ["pytest"], "allow"),
        ("bash -c 'ls'", ["pytest"], "deny"),
        # the key
        ("./run.sh --all", ["./run.sh"], "allow"),
        ("npm run deploy", ["npm run deploy"], "allow"),
        ("npm run deploy", ["npm run *"], "allow"),
        ("npm run deploy", ["npm"], "deny"),
        ("npm run other", ["npm run deploy"], "deny"),
        ("git push origin x", ["git push"], "allow"),
        ("git push origin x", ["git"], "deny"),
        ("git push; git status", ["git push", "git status"], "allow"),
        ("rm f", ["rm"], "allow"),
        ('./run.sh "$x"', ["./run.sh"], "allow"),
        ('git "$x"', ["git *"], "deny"),
        ("sudo systemctl restart web", ["sudo systemctl restart web"], "allow"),
        # never what stands around it
        ("./run.sh > f", ["./run.sh"], "deny"),
        ("./run.sh $(rm f)", ["./run.sh"], "deny"),
        ("PATH=. ./run.sh", ["./run.sh"], "deny"),
        ("./run.sh; rm f", ["./run.sh"], "deny"),
        ("find . -exec rm {} +", ["find"], "deny"),
        ("xargs ./run.sh", ["xargs"], "deny"),
    ],
)
def test_commands(command: str, entries: list[str], action: str) -> None:
    """An entry opens the effects of its own argv and nothing else."""
    assert action == check_against_allowed(command, READING, entries).action


def test_a_heredoc_into_a_file_is_refused_by_name() -> None:
    """In a reading state `cat > f` is refused with a message that names Write (R58)."""
    decision = check_against_allowed("cat > f << EOF\nx\nEOF", READING)

    assert "deny" == decision.action
    assert "Write" in decision.reason


def test_what_is_not_listed_is_named() -> None:
    """The refusal of an unlisted command says which, and has a code of its own."""
    decision = check_against_allowed("pytest; rm f", WRITING, ["pytest"])

    assert "command_not_listed" == decision.code
    assert "rm f" in decision.reason
