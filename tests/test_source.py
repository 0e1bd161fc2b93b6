"""Small sources are built from bound names only."""

from __future__ import annotations

from agentfsm.source import Source, at


def test_a_function_of_bound_names() -> None:
    """A value is bound once; built-in types are called by their own names."""
    source, value = Source(), object()
    name = source.bind(value)

    assert (name, "str") == (source.bind(value), source.bind(str))
    assert [True, False] == [source.function("same", "v", f"return v is {name}")(given) for given in (value, 1)]


def test_a_class_that_is_called_like_a_built_in_one() -> None:
    """It is told from it: names are bound to objects, not to what they are called."""
    source, impostor = Source(), type("str", (), {})
    made = source.function("same", "v", f"return v is {source.bind(impostor)}, v is {source.bind(str)}")

    assert ((True, False), (False, True)) == (made(impostor), made(str))


def test_what_is_made_later_is_made_once() -> None:
    """A function that leads to itself is made at its first call."""
    made: list[int] = []
    source = Source()

    def make() -> object:
        made.append(1)
        return lambda value: value + 1

    call = source.function("call", "v", f"return {source.later(make)}(v)")  # type: ignore[arg-type]  # as loose as it is used

    assert ([2, 3], [1]) == ([call(1), call(2)], made)


def test_a_loop_stops_at_the_first_refusal() -> None:
    """The items after it are not looked at."""
    source, seen = Source(), list[int]()
    name = source.loop(f"{source.bind(seen.append)}(v) or v > 1", "v")
    loop = source.function("call", "v", f"return {name}(v)")

    assert (False, [1, 2]) == (loop([1, 2, 3]), seen)
    assert loop([0, 1])


def test_a_template_is_filled() -> None:
    """Every mark is replaced."""
    assert "v.a is None or f(v.a)" == at("@ is None or f(@)", "v.a")
