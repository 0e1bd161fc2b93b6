"""
Matching: the lines of files that a pattern is found in. Run by its path, in a process of its own; nothing imports it.

A regular expression can take for ever on a short line, and a thread cannot be stopped while it does; a process can.
Read from standard input: a line of JSON with the pattern, whether case counts and how many lines to find, then paths
from the current folder, with NUL between them. Written: a line of JSON for each line found, and one at the end that
says how it went.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Iterator

LARGEST = 16 << 20  # bytes; a longer file is passed over
LONGEST = 300  # characters of a line that are shown
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def text_of(path: bytes) -> str | None:
    """Return what is in a file, or None for one that is too long, binary, not regular or gone."""
    try:
        opened = os.open(path, FLAGS)
    except OSError:
        return None
    with os.fdopen(opened, "rb") as file:
        facts = os.fstat(opened)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST:
            return None
        raw = file.read(LARGEST)
    return None if b"\0" in raw[:8192] else raw.decode("utf-8", "replace")


def lines(found: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """Give the number and the text of each line that *found* is in, a long one cut around the place."""
    for number, line in enumerate(text.split("\n"), start=1):
        if at := found.search(line):
            start = max(0, at.start() - LONGEST // 2) if len(line) > LONGEST else 0
            yield number, line[start : start + LONGEST].rstrip("\r")


def say(value: object) -> None:
    """Write one line of JSON."""
    sys.stdout.write(f"{json.dumps(value)}\n")


def main() -> None:
    """Do what standard input asks for."""
    head, _, rest = sys.stdin.buffer.read().partition(b"\n")
    asked = json.loads(head)
    try:
        found = re.compile(asked["pattern"], re.IGNORECASE if asked["ignore_case"] else 0)
    except (re.error, OverflowError, RecursionError) as error:
        say({"error": f"{type(error).__name__}: {error}"})
        return
    left, searched, passed_over = asked["most"], 0, 0
    for path in filter(None, rest.split(b"\0")):
        text = text_of(path)
        searched, passed_over = searched + (text is not None), passed_over + (text is None)
        for number, line in lines(found, text or ""):
            if not left:
                say({"searched": searched, "passed_over": passed_over, "more": True})
                return
            left -= 1
            say([path.decode("utf-8", "backslashreplace"), number, line])
    say({"searched": searched, "passed_over": passed_over, "more": False})


if __name__ == "__main__":
    main()
