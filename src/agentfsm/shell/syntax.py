"""The syntax tree of bash, as the parser builds it. Spans are character offsets into the parsed text."""

from __future__ import annotations

from typing import TypeAlias

from attrs import define, frozen

__all__ = (
    "Arith", "ArithFor", "ArithSub", "Arm", "Array", "Assign", "Block", "Case", "CmdSub", "Command", "Cond",
    "CondTest", "Coproc", "DQuote", "For", "Func", "Group", "Heredoc", "If", "Lit", "Loop", "Param", "Part",
    "Pipeline", "ProcSub", "Quote", "Redirect", "Simple", "Step", "Subshell", "Word",
)  # fmt: skip


@frozen
class Lit:
    """Unquoted text: its wildcards, braces and leading tilde are alive."""

    text: str


@frozen
class Quote:
    """Text whose every character stands for itself: single quotes, escapes and ``$'...'``."""

    text: str


@frozen
class DQuote:
    """Double quotes around parts."""

    parts: tuple[Part, ...]


@frozen
class Param:
    """
    A parameter expansion.

    *op* is the operator (`:-`, `#`, `/`, `@P`, `[#]` for a length, `!` for indirection ...), *arg* the word
    behind it.
    """

    name: str
    op: str = ""
    arg: Word | None = None
    index: Word | None = None
    indirect: bool = False


@frozen
class CmdSub:
    """A command substitution, in either form."""

    body: Block


@frozen
class ProcSub:
    """A process substitution; *sign* is ``<`` or ``>``."""

    sign: str
    body: Block


@frozen
class ArithSub:
    """An arithmetic expansion: the parts between the parentheses."""

    parts: tuple[Part, ...]


Part: TypeAlias = Lit | Quote | DQuote | Param | CmdSub | ProcSub | ArithSub


@frozen
class Word:
    """One word; *plain* is its text when that is plain at sight, without any expansion."""

    parts: tuple[Part, ...]
    start: int
    end: int
    plain: str | None = None


@frozen
class Array:
    """The value of a compound assignment: pairs of an optional subscript and a word."""

    items: tuple[tuple[Word | None, Word], ...]


@frozen
class Assign:
    """``name=value``, ``name+=value`` or ``name[index]=value``."""

    name: str
    value: Word | Array | None
    append: bool = False
    index: Word | None = None
    start: int = 0
    end: int = 0


@define
class Heredoc:
    """
    A here-document; *quoted* means that nothing in it is expanded.

    The one node that is not frozen: its body stands behind the line that begins it, and is filled in there.
    """

    body: Word
    quoted: bool


@frozen
class Redirect:
    """One redirection; *fd* is a number, ``{name}``, or empty."""

    op: str
    fd: str
    target: Word | Heredoc
    start: int
    end: int


@frozen
class Simple:
    """Assignments, words and redirections; an array in *words* is an argument of the declare family."""

    assigns: tuple[Assign, ...]
    words: tuple[Word | Assign, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@frozen
class Pipeline:
    """One or more commands joined by pipes."""

    commands: tuple[Command, ...]
    negated: bool = False


@frozen
class Step:
    """A pipeline and what joins it to the one before: ``&&``, ``||`` or ``;``; *asynchronous* if ``&`` ends it."""

    join: str
    pipeline: Pipeline | Command
    asynchronous: bool = False


@frozen
class Block:
    """A list of steps."""

    steps: tuple[Step, ...]


@frozen
class Subshell:
    """``( list )``"""

    body: Block
    redirects: tuple[Redirect, ...] = ()


@frozen
class Group:
    """``{ list; }``"""

    body: Block
    redirects: tuple[Redirect, ...] = ()


@frozen
class If:
    """Pairs of condition and body; the last condition is None for ``else``."""

    clauses: tuple[tuple[Block | None, Block], ...]
    redirects: tuple[Redirect, ...] = ()


@frozen
class Loop:
    """``while`` or ``until``."""

    condition: Block
    body: Block
    redirects: tuple[Redirect, ...] = ()


@frozen
class For:
    """``for`` or ``select``; *words* is None for the positional parameters."""

    name: str
    words: tuple[Word, ...] | None
    body: Block
    redirects: tuple[Redirect, ...] = ()


@frozen
class ArithFor:
    """``for (( ; ; ))``"""

    parts: tuple[Part, ...]
    body: Block
    redirects: tuple[Redirect, ...] = ()


@frozen
class Arm:
    """One arm of a case: its patterns and its body."""

    patterns: tuple[Word, ...]
    body: Block


@frozen
class Case:
    """``case word in ... esac``"""

    subject: Word
    arms: tuple[Arm, ...]
    redirects: tuple[Redirect, ...] = ()


@frozen
class Func:
    """A function definition."""

    name: str
    body: Command
    start: int
    end: int


@frozen
class Coproc:
    """``coproc [NAME] command``"""

    name: str
    body: Command


@frozen
class CondTest:
    """One test inside ``[[ ]]``: its operator (empty for a bare word) and operands."""

    op: str
    words: tuple[Word, ...]


@frozen
class Cond:
    """``[[ ... ]]``, flattened: every test that could be evaluated."""

    tests: tuple[CondTest, ...]
    redirects: tuple[Redirect, ...] = ()


@frozen
class Arith:
    """``(( ... ))``"""

    parts: tuple[Part, ...]
    redirects: tuple[Redirect, ...] = ()


Command: TypeAlias = (
    Simple | Subshell | Group | If | Loop | For | ArithFor | Case | Func | Coproc | Cond | Arith | Pipeline
)
