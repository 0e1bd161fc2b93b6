"""Generated functions: small sources built from what a class declares, for the paths where each field counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ("Source", "at")

BUILTINS: Mapping[object, str] = {k: k.__name__ for k in (bool, bytes, float, frozenset, int, str, tuple)}


class Source:
    """
    The names that one generated function refers to, and the function.

    A source is made of expressions that this package wrote and of names bound here; no text from elsewhere is in it.
    """

    def __init__(self) -> None:
        self._names: dict[str, object] = {}
        self._variables = 0

    def bind(self, value: object) -> str:
        """Return a name that stands for *value* in the source."""
        if isinstance(value, type) and value in BUILTINS:
            return BUILTINS[value]
        for name, known in self._names.items():
            if known is value:
                return name
        name = f"n{len(self._names)}"
        self._names[name] = value
        return name

    def later(self, make: Callable[[], Callable[[Any], Any]]) -> str:
        """Return a name for the function that *make* returns, made at the first call: types may be recursive."""

        def first(value: object) -> object:
            made = self._names[name] = make()
            return made(value)

        name = self.bind(first)
        return name

    def variable(self) -> str:
        """Return a name for a local variable that the source does not have yet."""
        self._variables += 1
        return f"v{self._variables}"

    def loop(self, refused: str, variables: str) -> str:
        """Return a name for a function that tells of some items whether none makes *refused* true."""
        name = f"loop{len(self._names)}"
        self._names[name] = self.function(
            name, "items", f"for {variables} in items:", f"    if {refused}:", "        return False", "return True"
        )
        return name

    def function(self, name: str, parameters: str, *lines: str) -> Callable[..., Any]:
        """Return the function of these lines, indented by four blanks a level."""
        body = "\n".join(f"    {line}" for line in lines)
        code = compile(f"def {name}({parameters}):\n{body}\n", f"<agentfsm {name}>", "exec")
        exec(code, self._names)  # our own text, see above
        made: Callable[..., Any] = self._names.pop(name)  # type: ignore[assignment]  # what was just defined
        return made


def at(template: str, value: str) -> str:
    """Return *template* with the expression *value* at each place marked ``@``."""
    return template.replace("@", value)
