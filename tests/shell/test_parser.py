"""The parser: what it accepts, what it refuses, and how its tree looks."""

from __future__ import annotations

import pytest

from agentfsm.shell.cursor import ParseError
from agentfsm.shell.parser import parse
from agentfsm.shell.syntax import Func, Heredoc, Pipeline, Simple

ACCEPTED = [
    "ls",
    "ls;",
    "ls &",
    "a | b |& c",
    "! a",
    "time -p a",
    "a &&\nb",
    "(a)",
    "{ a; }",
    "a=1 b+=2 c[1]=3 d=(x [y]=z) ls",
    "declare -a x=(1 2)",
    "if a; then b; elif c; then d; else e; fi > f",
    "while a; do b; done < f",
    "until a; do b; done",
    "for x in a b; do c; done",
    "for x; do c; done",
    "for x in a; { c; }",
    "for ((i=0; i<3; i++)); do a; done",
    "select x in a; do b; done",
    "case x in a|b) c;; (d) e;& *) ;; esac",
    "f() { a; }",
    "f () ( a )",
    "function f { a; }",
    "function f() if a; then b; fi",
    "coproc a",
    "coproc n { a; }",
    "[[ -f a && ! ( b == c* || d =~ ^(e|f)$ ) ]]",
    "(( x > 1 ))",
    "((a); b)",
    "$((a); b)",
    "echo $((1 + (2)))",
    "cat <<E\nx\nE",
    "cat <<'E' <<-F\nx\nE\n\ty\n\tF",
    "cat <<< x",
    "a 2>&1 3<&- 4<>f &>g {v}>h >|i",
    "a <(b) >(c)",
    "echo 'a' \"b$c\" $'d' $\"e\" \\f",
    "echo ${a} ${a:-b} ${#a} ${!a} ${a[1]} ${a//b/c} ${a@Q} ${a:1:2} ${!a@}",
    "a # b",
    "a \\\n b",
    "echo a[1]",
    "key[] = x",
]
REFUSED = [
    "echo 'a",
    'echo "a',
    "echo `a",
    "echo $(a",
    "echo ${a",
    "echo $((1",
    "a &&",
    "a |",
    "| a",
    "a ;; b",
    "; a",
    "&& a",
    "a & ; b",
    "if a; then b",
    "if a; fi",
    "fi",
    "then",
    "}",
    ")",
    "{ a",
    "{ a }",
    "( a",
    "()",
    "f() a",
    "f() {",
    "for x in a; do",
    "while a; do b",
    "case x in a) b",
    "[[ -f ]]",
    "[[ a b ]]",
    "[[ ]]",
    "cat <<E\nx",
    "a >",
    "a > > b",
    "(a) b",
    "{ a; } b",
    "a(b)",
    "\0",
    "echo ${x y}",
    "a | ! ",
    "function",
    "$\\\n(a)",
    "shopt -s extglob\nls !(a)",
    "((1) + 2)",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepts(text: str) -> None:
    """What people write is parsed."""
    assert parse(text).steps


@pytest.mark.parametrize("text", REFUSED)
def test_refuses(text: str) -> None:
    """What bash does not take, and what is not supported, is refused."""
    with pytest.raises(ParseError):
        parse(text)


def test_a_heredoc_gets_its_body_from_behind_the_line() -> None:
    """The body of a here-document stands behind the line that begins it."""
    first = parse("cat <<A - <<'B'; ls\n1\nA\n2\nB\n").steps[0].pipeline
    assert isinstance(first, Simple)

    bodies = [redirect.target for redirect in first.redirects]

    assert [False, True] == [body.quoted for body in bodies if isinstance(body, Heredoc)]


def test_names_and_pipes() -> None:
    """A function has its name, a pipeline its members."""
    function, pipeline = (step.pipeline for step in parse("f() { a; }; b | c | d").steps)

    assert isinstance(function, Func)
    assert "f" == function.name
    assert isinstance(pipeline, Pipeline)
    assert 3 == len(pipeline.commands)


def test_a_parse_error_says_where() -> None:
    """A refusal has a code and a place."""
    with pytest.raises(ParseError) as caught:
        parse("ls; echo 'a")

    assert "unterminated_quote" == caught.value.code
    assert 9 == caught.value.at
