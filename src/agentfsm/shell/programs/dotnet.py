""".NET's and Swift's tools (dotnet --help, swift package --help)."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import Parsed
from agentfsm.shell.programs.roles import add

__all__ = (
    "DOTNET",
    "SWIFT",
    "dotnet_format",
)


DOTNET = """
test sln/list list help tool/list
    workload/list sdk/check new/list package/list reference/list vstest |
build publish pack new sln/add sln/remove sln add/reference remove/reference msbuild dev-certs user-secrets/set
    user-secrets/init reference/add reference/remove store  | W
restore add/package tool/install tool/update tool/restore workload/install workload/update nuget/push nuget/add
    new/install new/search package/add package/search tool/search nuget/delete | NW
remove/package tool/uninstall clean nuget/locals workload/uninstall package/remove new/uninstall | D
run watch exec fsi ef script tool/run | U
format |
user-secrets/list |
"""


def dotnet_format(call: Call, found: Parsed) -> None:
    """``dotnet format`` rewrites, unless it verifies."""
    if not found.has("--verify-no-changes"):
        add(call, "M", "format")


SWIFT = """
test package/describe package/show-dependencies package/dump-package package/tools-version --version help |
build package/init package/generate-xcodeproj | W
package/resolve package/update | NW
package/clean package/reset | D
run repl | U
"""
