"""
Run the blocks of one page in order, in the current folder: `python tests/run_page.py PAGE`.

The python blocks of a page are one program, so names carry over. Line numbers in tracebacks are those of the page.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.pages import Block, Command, blocks, commands, prints


def run_python(block: Block, page: Path, module: ModuleType, runner: asyncio.Runner) -> None:
    """Execute *block* in *module*; `await` may stand at its top."""
    padded = "\n" * (block.line - 1) + block.text
    code = compile(padded, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    if code.co_flags & inspect.CO_COROUTINE:
        runner.run(eval(code, vars(module)))
    else:
        exec(code, vars(module))


def run_command(command: Command, page: Path) -> None:
    """Run one command by bash and hold it to what the page says it prints."""
    done = subprocess.run(
        ["bash", "-c", command.text],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    found = done.stdout + (f"[exit {done.returncode}]\n" if done.returncode else "")
    if not prints(command.output, found):
        promised = "\n".join(command.output)
        sys.exit(f"{page}:{command.line}: $ {command.text}\npromised:\n{promised}\nprinted:\n{found}")


def run(page: Path) -> None:
    """Run the page from its top to its end, or to the first block that does not do what it says."""
    module = ModuleType("__main__")
    module.__file__ = str(page)
    # Annotations are resolved, and values pickled, through the module that a class says it is in.
    sys.modules["__main__"] = module
    with asyncio.Runner() as runner:
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.file:
                Path(block.file).parent.mkdir(parents=True, exist_ok=True)
                Path(block.file).write_text(block.text, encoding="utf-8")
            if block.language == "python":
                run_python(block, page, module, runner)
            elif block.language == "console":
                for command in commands(block):
                    run_command(command, page)


if __name__ == "__main__":
    sys.path.insert(0, str(Path.cwd()))
    run(Path(sys.argv[1]))
