"""Commands and tests: bounded in time and output, in the site's environment, and never left behind."""

from __future__ import annotations

import asyncio
import os
import select
import threading
from pathlib import Path

import pytest

from agentfsm import ToolError
from agentfsm_stages.coding import Bash, Grep, RunTests
from agentfsm_stages.coding.apart import apart
from tests.stages.coding.site import Place, is_gone


async def test_bash_says_how_it_ended(tmp_path: Path) -> None:
    """Both streams in the order they were written, and the status."""
    found = await Bash("echo out; echo err >&2; echo out; exit 3").run(Place(tmp_path))

    assert (3, "out\nerr\nout\n", False) == (found.status, found.text, found.ok)


async def test_bash_runs_in_the_workspace_with_the_given_environment_only(tmp_path: Path) -> None:
    """Nothing of this process's environment is passed on, and no start-up file is read."""
    place = Place(tmp_path, {"PATH": os.environ["PATH"], "GIVEN": "1", "HOME": str(tmp_path)})
    (tmp_path / ".bashrc").write_text("echo from bashrc\n")

    found = await Bash("pwd; env | grep -v -e ^PWD -e ^SHLVL -e ^_= -e ^PATH -e ^OLDPWD | sort").run(place)

    assert f"{tmp_path}\nGIVEN=1\nHOME={tmp_path}\n" == found.text


async def test_bash_has_nothing_to_read(tmp_path: Path) -> None:
    """A command that waits for input gets its end at once."""
    assert "done\n" == (await Bash("cat; echo done").run(Place(tmp_path))).text


async def test_output_without_end_is_bounded(tmp_path: Path) -> None:
    """The beginning and the end stay, and the note says how much is gone."""
    found = await Bash("echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo; echo last").run(Place(tmp_path))

    assert found.text.startswith("first\nxxx")
    assert found.text.endswith("xxx\nlast\n")
    assert len(found.text) < 31_000
    assert found.cut.endswith("of 50000012 bytes cut from the middle")


async def test_bytes_that_are_no_text_are_shown(tmp_path: Path) -> None:
    """An answer is text, whatever a command writes."""
    assert "\ufffd\0" == (await Bash(r"printf '\377\0'").run(Place(tmp_path))).text


async def test_time_out_kills_the_whole_group(tmp_path: Path) -> None:
    """What was written until then is kept; children and grandchildren are gone."""
    found = await Bash("echo begun; (sleep 1000 & echo $! > child; wait) & wait", seconds=0.5).run(Place(tmp_path))

    assert (True, False, "begun\n") == (found.timed_out, found.ok, found.text)
    assert is_gone(tmp_path / "child")


async def test_what_is_left_running_is_killed(tmp_path: Path) -> None:
    """A command that ended does not leave a process in the background, nor does it wait for one."""
    found = await Bash("sleep 1000 & echo $! > child; echo done").run(Place(tmp_path))

    assert (True, "done\n") == (found.ok, found.text)
    assert is_gone(tmp_path / "child")


async def test_one_that_left_the_group_does_not_hold_the_answer(tmp_path: Path) -> None:
    """A process in a session of its own keeps the pipe; the answer comes without it."""
    found = await Bash("setsid sleep 30 & echo $! > child; sleep 0.2; echo done").run(Place(tmp_path))

    assert "done\n" == found.text
    os.kill(int((tmp_path / "child").read_text()), 9)


async def test_cancelling_kills_the_whole_group(tmp_path: Path) -> None:
    """A run that is cancelled leaves no process behind."""
    os.mkfifo(tmp_path / "started")
    running = asyncio.create_task(Bash("sleep 1000 & echo $! > child; echo > started; wait").run(Place(tmp_path)))
    await asyncio.to_thread((tmp_path / "started").read_text)

    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
    assert is_gone(tmp_path / "child")


@pytest.mark.parametrize("turns", range(8))
async def test_cancelling_at_any_moment_leaves_no_process(turns: int, tmp_path: Path) -> None:
    """However early the cancellation comes, also while the process is being started, and however often."""
    os.mkfifo(tmp_path / "child")
    reading = os.open(tmp_path / "child", os.O_RDONLY | os.O_NONBLOCK)
    running = asyncio.create_task(Bash("sleep 1000 & echo $! > child; wait").run(Place(tmp_path)))
    for _ in range(turns):
        await asyncio.sleep(0)
    # The loop stands still meanwhile: the process, if it was started, is up before the loop knows of it.
    is_up, _, _ = select.select([reading], [], [], 0.5)
    (tmp_path / "note").write_bytes(os.read(reading, 100) if is_up else b"")
    os.close(reading)

    running.cancel()
    await asyncio.sleep(0)
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
    assert not is_up or is_gone(tmp_path / "note")


async def test_a_thread_is_awaited_when_its_caller_is_cancelled() -> None:
    """Work in a thread is told to stop, and has stopped when the cancellation goes on."""
    begun, ended = threading.Event(), threading.Event()

    def work(stop: threading.Event) -> None:
        begun.set()
        stop.wait()
        ended.set()

    running = asyncio.create_task(apart(work))
    await asyncio.to_thread(begun.wait)

    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
    assert ended.is_set()


@pytest.mark.parametrize("command", ["a\0b", "x" * 200_000])
async def test_commands_that_cannot_be_started(command: str, tmp_path: Path) -> None:
    """What the system does not take is an error of the call."""
    with pytest.raises(ToolError):
        await Bash(command).run(Place(tmp_path))


async def test_no_time_is_an_error(tmp_path: Path) -> None:
    """A command gets some time or is refused."""
    with pytest.raises(ToolError, match="seconds is 0"):
        await Bash("true", seconds=0.0).run(Place(tmp_path))


async def test_a_pattern_that_takes_for_ever_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search ends when its time is up, and its process with it."""
    monkeypatch.setattr("agentfsm_stages.coding.searching._SECONDS", 0.5)
    (tmp_path / "a.txt").write_text("a" * 60 + "b\n")

    with pytest.raises(ToolError, match=r"took longer than 0\.5 s"):
        await Grep("(a+)+$").run(Place(tmp_path))


@pytest.mark.parametrize(
    ("source", "call", "verdict"),
    [
        ("def test_a():\n    assert True\n", RunTests(), "passed"),
        ("def test_a():\n    assert False\n", RunTests(), "failed"),
        ("def test_a():\n    assert False\ndef test_b():\n    pass\n", RunTests(keyword="test_b"), "passed"),
        ("def test_a():\n    assert False\ndef test_b():\n    pass\n", RunTests(("test_it.py::test_b",)), "passed"),
        ("def a():\n    pass\n", RunTests(), "no_tests"),
        ("import nowhere\n", RunTests(), "interrupted"),
        ("def test_a():\n    pass\n", RunTests(keyword="(("), "misused"),
        ("import os, signal\ndef test_a():\n    os.kill(os.getpid(), 9)\n", RunTests(), "killed"),
        ("import os\ndef test_a():\n    os._exit(77)\n", RunTests(), "broken"),
        ("import threading\ndef test_a():\n    threading.Event().wait()\n", RunTests(seconds=2.0), "timed_out"),
    ],
)
async def test_run_tests(source: str, call: RunTests, verdict: str, tmp_path: Path) -> None:
    """The verdict is pytest's own, and only a suite that passed is ok."""
    (tmp_path / "test_it.py").write_text(source)

    report = await call.run(Place(tmp_path))

    assert (verdict, verdict == "passed") == (report.verdict, report.ok), report.text


@pytest.mark.parametrize("target", ["-p", "--version", "../test_it.py", "test_it.py::a::-x", "nowhere.py"])
async def test_targets_are_paths_and_no_options(target: str, tmp_path: Path) -> None:
    """Nothing that is given becomes an option of pytest."""
    (tmp_path / "test_it.py").write_text("def test_a():\n    pass\n")

    if target.startswith("test_it.py"):
        assert "misused" == (await RunTests((target,)).run(Place(tmp_path))).verdict
    else:
        with pytest.raises(ToolError):
            await RunTests((target,)).run(Place(tmp_path))


async def test_a_keyword_is_no_option(tmp_path: Path) -> None:
    """A keyword that looks like an option is a keyword."""
    (tmp_path / "test_it.py").write_text("def test_a():\n    pass\n")

    assert "passed" != (await RunTests(keyword="--version").run(Place(tmp_path))).verdict


async def test_the_environments_own_python_runs_the_tests(tmp_path: Path) -> None:
    """VIRTUAL_ENV names the Python; one that has none is an error."""
    with pytest.raises(ToolError, match="has no bin/python"):
        await RunTests().run(Place(tmp_path, {"VIRTUAL_ENV": str(tmp_path)}))
