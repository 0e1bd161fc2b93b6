"""What following a text may cost: loops, doubling and nesting end in an answer, never in a hang or an exception."""

from __future__ import annotations

import pytest

from agentfsm.shell import classify

LOOPS = "for i in 1 2 3 4 5 6 7 8;do "
MULTIPLIED = {
    "loops over arithmetic": LOOPS * 90 + "((a));" + "done;" * 90,
    "loops over a condition": LOOPS * 20 + "[[ a ]];" + "done;" * 20,
    "loops over many words": LOOPS * 4 + "echo " + '"$a" ' * 9000 + ";" + "done;" * 4,
    "loops over braces": LOOPS * 4 + "echo " + "{a,b}" * 6000 + ";" + "done;" * 4,
    "parameters that double": "set -- a a;" + 'set -- "$@" "$@";' * 40 + 'echo "$@"',
    "calls that double": "f(){ " + '"$@";' * 3 + "};" + "f " * 18 + "ls",
    "sequences": "echo " + "{1..1000} " * 9000,
    "wrappers": "xargs " * 18_000 + "ls",
    "assignments of env": "env " + "A=b " * 25_000 + "ls",
    "raised rights": "sudo " * 25_000 + "ls",
    "code evaluated again": "x='" + 'echo "$a";' * 2000 + "';" + 'eval "$x";' * 2500,
    "a long value split again": 'x="' + "a " * 30_000 + '";' + "echo $x;" * 2400,
    "a long value calculated again": 'x="' + "a+" * 30_000 + '1";' + "((x));" * 2400,
    "an awk program again": "x='" + "{print}" * 10_000 + "';" + 'awk "$x";' * 2000,
    "a sed script again": "x='" + "p;" * 40_000 + "';" + 'sed "$x";' * 2000,
    "arms that fall through": "case x in " + "".join(f"{i}) v{i}=1;;&" for i in range(2400)) + "esac",
    "branches that choose": "".join(f"a&&v{i}=1||v{i}=2;" for i in range(340))
    + "echo "
    + "".join(f"$v{i}" for i in range(340)),
    "functions defined again": "if a;then f(){ ls;};fi;" * 1300 + "f",
}
PATTERNS = {
    "one long name in arithmetic": "((" + "a" * 100_000 + "))",
    "open subscripts in arithmetic": "((" + "a[" * 50_000 + "))",
    "open subscripts in an array": "a=(" + "[ " * 60_000 + ")",
    "open subscripts before a closing one": "a[ ;" * 30_000 + "]",
    "open subscripts of a coprocess": "coproc " + "a[ " * 40_000,
    "character classes of awk": "awk '/" + "[[:a:]" * 40 + "x'",
    "character classes of sed": "sed 's/" + "[[:a" * 30_000 + "/x/'",
    "brackets of sed": "sed 's/" + "[" * 100_000 + "/x/'",
    "a long cluster": "ls -" + "a" * 100_000,
    "a long mode of tar": "tar " + "c" * 100_000,
    "words of env": "env -S '" + "a " * 50_000 + "'",
    "quotes in arithmetic": "((" + "'a'" * 40_000 + "))",
    "empty substitutions": "`" * 100_000,
    "braces that open": "echo " + "{," * 60_000 + "}",
}


@pytest.mark.parametrize("text", MULTIPLIED.values(), ids=MULTIPLIED)
def test_work_is_bounded(text: str) -> None:
    """A short text can ask for endless work: it is cut off, and what is cut off is unresolved (R58)."""
    answer = classify(text)

    assert not answer.resolved
    assert {reason.code for reason in answer.reasons} & {"too_many_steps", "too_many_nodes", "too_many_commands"}


@pytest.mark.parametrize("text", PATTERNS.values(), ids=PATTERNS)
def test_no_pattern_backtracks(text: str) -> None:
    """No text makes a pattern of the parser or of an analyser go back over it again and again."""
    assert classify(text).classes


def test_values_that_double_are_forgotten() -> None:
    """A value longer than any argument is unknown, so that doubling it costs nothing."""
    assert not classify("x=aaaa;" + "x=$x$x;" * 40 + "$x").resolved


@pytest.mark.parametrize("digits", ["1" * 5000, "²", "010", "٣"])
def test_a_number_is_what_bash_reads_as_one(digits: str) -> None:
    """Subscripts, offsets and counts of other digits, or of too many, are unknown and no exception."""
    for text in (
        f"set -- a; echo ${{{digits}}}",
        f"a=(x); echo ${{a[{digits}]}}",
        f"a=(x); a[{digits}]=y",
        f"x=abc; echo ${{x:{digits}}}",
        f"set -- a; shift {digits}",
        f"echo {{1..{digits}}}",
    ):
        assert classify(text).classes


def test_an_octal_subscript_is_not_read_as_decimal() -> None:
    """``a[010]`` is element 8, so the command it names is not the eleventh word."""
    words = " ".join(["ls"] * 8 + ["rm"] + ["ls"] * 3)

    assert not classify(f"a=({words}); ${{a[010]}} f").resolved


def test_deep_wrappers_are_followed_to_the_limit() -> None:
    """A hundred levels are followed, as everywhere; one more is not."""
    assert classify("nice " * 90 + "ls").resolved
    assert "too_deep" in {reason.code for reason in classify("nice " * 120 + "ls").reasons}
