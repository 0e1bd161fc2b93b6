"""Rust's tools: rustc and cargo (rustc --help, cargo --list)."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.arguments import Parsed
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg

__all__ = (
    "cargo",
    "rustc",
)


_CARGO_ROW = (
    "words | | -p,--package= --exclude= -j,--jobs= --features,-F= --target= --profile= "
    "--manifest-path=:o --config=:X --target-dir=:w --color= --message-format= --bin= "
    "--example= --test= --bench= -Z= --lockfile-path= "
    "--timings=?:w -v -q -r,--release --workspace --all --lib --bins --all-targets "
    "--all-features --no-default-features --no-run --no-fail-fast --doc --locked --offline "
    "--frozen --fix!M --allow-dirty --allow-staged --depth= -i,--invert= -e,--edges= --prefix= "
    "-f,--format= --check --list --version -V --help -h -C= --root=:w --path= --git= --git-dir "
    "--color --no-deps --open!U --filter-platform= --format-version= --vcs= --name= --edition= "
    "--index= --registry= --all --tests --benches --examples -d --duplicates --dry-run"
)
_CARGO = """
test t nextest/run nextest/list check c clippy bench metadata tree version help locate-project pkgid
    verify-project config/get read-manifest machete udeps geiger deny/list expand bloat llvm-lines   semver-checks
    msrv/show  hack/check hack/test hack/clippy insta/test miri/test careful/test tarpaulin llvm-cov about
    spellcheck deny/check modules/structure |
build b doc d rustc rustdoc new init package vendor  build-bpf component/build  zigbuild ndk/build | W
fix fmt sort insta/accept insta/review | M
clean | D
run r miri/run flamegraph watch make script play insta xtask x test-bpf bench-run | U
install add update fetch search publish login logout owner yank info generate-lockfile audit outdated deny
    binstall upgrade set-version edit install-update report | N
remove rm uninstall | D
lambda/build dist/build | W
"""


def rustc(call: Call) -> None:
    """``rustc`` compiles; asked about itself or an error it only prints."""
    texts = [arg.text for arg in call.args]
    if texts and all(
        text.startswith(("--print", "-V", "-v", "--verbose", "--version", "--explain", "--help", "-h"))
        or text.isalnum()
        for text in texts
    ):
        return
    if any(text.startswith(("-Clinker", "-Zcodegen", "--extern")) for text in texts) or "linker=" in " ".join(texts):
        call.unresolved("option_runs_code", "rustc")
    call.note(OpClass.FILE_WRITE, "compiles")


def cargo_writes(call: Call, found: Parsed) -> None:
    """``cargo install``, ``add`` and their like also write; from a path, install builds local code."""
    add(call, "W", "writes")
    if found.has("--path"):
        call.unresolved("runs_build_code", "--path")


def cargo_format(call: Call, found: Parsed) -> None:
    """``cargo fmt`` rewrites, unless it checks."""
    if not (found.has("--check") or "--check" in [arg.text for arg in call.args]):
        call.note(OpClass.FILE_MODIFY, "formats")


def cargo(call: Call) -> None:
    """``cargo``, with a toolchain that may come first."""
    args = call.args[1:] if call.args and call.args[0].starts("+") else call.args
    texts = [arg.text for arg in args]
    stop = texts.index("--") if "--" in texts else len(args)
    words = args[:stop] if not (args and args[0].text == "fmt" and "--check" in texts) else (*args[:1], Arg("--check"))
    _cargo(Call(call.name, words, call.machine, call.stdin))
    rest = [text for text in texts[stop:] if text.startswith(("--logfile", "--fix"))]
    for text in rest:
        add(call, "M" if text.startswith("--fix") else "W", text)


_WRITERS = {
    "install": cargo_writes,
    "add": cargo_writes,
    "update": cargo_writes,
    "fetch": cargo_writes,
    "generate-lockfile": cargo_writes,
    "binstall": cargo_writes,
    "upgrade": cargo_writes,
}
_cargo = by_subcommand(
    _CARGO.replace("\nfix fmt sort", "\nfix sort").replace("\nclean | D", "\nclean | D\nfmt |"),
    _CARGO_ROW,
    {**_WRITERS, "fmt": cargo_format},
)
