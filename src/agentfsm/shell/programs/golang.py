"""Go's tools (go help)."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import Parsed
from agentfsm.shell.programs.roles import add

__all__ = (
    "GO_ROW",
    "GO_TABLE",
    "go_env",
    "go_format",
    "go_list",
    "go_tool",
)


GO_ROW = (
    "words dash | | -C= -o=:w -p= -run= -bench= -count= -timeout= -tags= -coverprofile=:w "
    "-cpuprofile=:w -memprofile=:w -blockprofile=:w -mutexprofile=:w -trace=:w -outputdir=:w "
    "-coverpkg= -covermode= -exec=:x -toolexec=:x -vettool=:X -ldflags= -gcflags= "
    "-asmflags= -gccgoflags= -mod= -modfile=:o -overlay=:o -pkgdir=:w -buildmode= -compiler= "
    "-parallel= -cpu= -skip= -shuffle= -fuzz= -fuzztime= -vet= -json -v -race -short -failfast "
    "-cover -list= -benchmem -benchtime= -a -n -x -w -u -f= -m -e -deps -test -find "
    "-export -compiled -versions -go= -work "
    "-trimpath -c!W -i -msan -asan -msan -fullpath -changed -modcacherw -testlogfile=:w "
    "-cache!D -testcache!D -modcache!D -fuzzcache!D -all -src -short -cmd -http=!N -pgo= "
    "-buildvcs= -artifacts!W"
)
_GO = """
test vet version doc help telemetry mod/graph mod/why  |
build mod/init mod/edit work/init work/use work/edit work/sync  | W
fmt fix | M
clean | D
run generate | U
install get mod/download mod/tidy mod/vendor  | NW
mod/verify |
"""


def go_env(call: Call, found: Parsed) -> None:
    """``go env -w`` and ``-u`` change settings."""
    if any(arg.text in ("-w", "-u") for arg in call.args):
        add(call, "W", "env")


def go_tool(call: Call, found: Parsed) -> None:
    """``go tool``: the known ones that report."""
    words = found.operands[1:]
    if words and words[0].text not in (
        "cover",
        "nm",
        "objdump",
        "pprof",
        "dist",
        "doc",
        "vet",
        "trace",
        "addr2line",
        "buildid",
        "covdata",
    ):
        add(call, "W" if words[0].text in ("compile", "link", "asm", "cgo", "pack") else "U", words[0].text)
    if any(arg.text.startswith(("-o", "-html=")) for arg in call.args) and any(
        arg.text.startswith("-o") for arg in call.args
    ):
        add(call, "W", "-o")


def go_list(call: Call, found: Parsed) -> None:
    """``go list -u`` asks the module proxy."""
    if any(arg.text in ("-u", "-versions", "-retracted") for arg in call.args):
        add(call, "N", "list")


def go_format(call: Call, found: Parsed) -> None:
    """``go fmt -n`` only prints."""
    if not found.has("-n"):
        add(call, "M", "fmt")


GO_TABLE = _GO.replace("fmt fix | M", "fix | M\nfmt |")
