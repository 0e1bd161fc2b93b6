"""What is wrong with a trajectory file, and where."""

from __future__ import annotations

from agentfsm.errors import DecodeError

__all__ = ("TrajectoryError",)


class TrajectoryError(DecodeError):
    """
    Raised when a file is no trajectory of a known format.

    *file* is the name it was given under, *path* the JSON path of the value at fault, *expected* what belongs there.
    """

    def __init__(self, file: str, path: str, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}", path=path)
        self.file = file
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        return f"{self.file}: {self.path}: {self.reason}"
