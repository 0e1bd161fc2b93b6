"""Compilers and language tools: C, Rust, Go, .NET, and the builders of other languages."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.linters import writer
from agentfsm.shell.programs.spec import Parsed, add
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg

__all__ = ("RULES", "TABLE")

TABLE = """
as gas ld ld.bfd ld.gold ld.lld lld gold mold ar ranlib strip objcopy nasm yasm windres dlltool protoc
    protoc-gen-go thrift flatc capnp swig bison yacc flex lex re2c ragel antlr4 m4 gperf rpcgen moc uic rcc
    lrelease lupdate msgfmt msgmerge xgettext | words +W | . | -wrapper=!U --plugin=!U -plugin=!U -load=!U
kotlinc scalac javac groovyc swiftc ghc ocamlc ocamlopt fpc gnatmake gfortran f77 dmd ldc2 gdc   valac  tcc
    chicken csc mcs fsharpc vbc elm  iverilog verilator yosys ponyc hx haxe emcc em++ wasm-ld wat2wasm wasm-opt
    wasm2wat wasm-bindgen bindgen cbindgen uniffi-bindgen | words +W | . | --version -version -V -processor=!U
    -processorpath=!U -J= --plugin=!U -fplugin=!U -Xplugin=!U -C= -L= -o=:w -d=:w
latex pdflatex xelatex lualatex tex pdftex luatex bibtex biber makeindex dvips dvipdf ps2pdf pdf2ps latexmk
    tectonic asciidoctor asciidoc rst2html rst2man mkdocs sphinx-build sphinx-apidoc sphinx-autogen doxygen mdbook
    zola hugo jekyll pelican gitbook typst ronn help2man   makeinfo texi2pdf texi2any wkhtmltopdf weasyprint marp
    slidev dot neato fdp circo twopi sfdp plantuml mmdc  convert  magick composite montage ffmpeg sox lame flac
    oggenc opusenc inkscape rsvg-convert cwebp dwebp avifenc gifsicle gimp qrencode pdftk qpdf pdfunite
    pdfseparate pdftoppm pdftotext pdftohtml pdfimages gs mutool img2pdf ocrmypdf tesseract potrace pngcrush
    soffice libreoffice unoconv  | words +W | . | -shell-escape!U --shell-escape!U -enable-write18!U -pdflatex=:U
    -latex=:U -e=:U --extra-plugins=!U -dNOSAFER!U -s=!U
mogrify optipng jpegoptim pngquant oxipng  advpng | +M | m* |
jpegtran | +W | . |
ldd | pure | r* |
gdb lldb gdbserver rr radare2 r2 | +U | . |
gcov gcovr lcov genhtml geninfo llvm-cov llvm-profdata gprof grcov | words +W | . |
ccache sccache | words | . | -s -c!D -C!D -z!W --show-stats -p -V
"""

_PRINTS = frozenset(
    {
        "--version",
        "-v",
        "--help",
        "-dumpversion",
        "-dumpmachine",
        "-dumpspecs",
        "-print-search-dirs",
        "-print-libgcc-file-name",
        "-print-multi-lib",
        "-print-sysroot",
        "--print-targets",
    }
)
_DANGERS = (
    "-fplugin",
    "-wrapper",
    "-B",
    "-specs",
    "--specs",
    "-Xclang",
    "-fuse-ld=/",
    "-fuse-ld=.",
    "-load",
    "-fpass-plugin",
    "@",
    "-no-integrated-cpp",
    "-iplugindir",
    "-Wl,-plugin",
    "-Wl,--plugin",
    "--plugin",
)


def cc(call: Call) -> None:
    """A C compiler writes its output; checking syntax and printing do not, and plugins are code."""
    texts = [arg.text for arg in call.args]
    for arg in call.args:
        if arg.loose or arg.text.startswith(_DANGERS):
            call.unresolved("option_runs_code", arg.text)
    if texts and all(text in _PRINTS or text.startswith(("-print", "--print", "-dump", "--help")) for text in texts):
        return
    to_stdout = "-o" in texts and texts[texts.index("-o") + 1 : texts.index("-o") + 2] in (
        ["-"],
        ["/dev/null"],
        ["/dev/stdout"],
    )
    checks = (
        "-fsyntax-only" in texts
        or to_stdout
        or (
            any(text in ("-E", "-M", "-MM") for text in texts)
            and not any(text.startswith(("-o", "-MF", "-MD", "-MMD")) for text in texts)
        )
    )
    for position, arg in enumerate(call.args):
        if arg.text == "-o" and position + 1 < len(call.args):
            call.writes(call.args[position + 1])
        elif not arg.starts("-") and not to_stdout:
            call.reads(arg)
    if not checks:
        call.note(OpClass.FILE_WRITE, "compiles")


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
        text.startswith(("--print", "-V", "-v", "--version", "--explain", "--help", "-h")) or text.isalnum()
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

_GO_ROW = (
    "words dash | | -C= -o=:w -p= -run= -bench= -count= -timeout= -tags= -coverprofile=:w "
    "-cpuprofile=:w -memprofile=:w -blockprofile=:w -mutexprofile=:w -trace=:w -outputdir=:w "
    "-coverpkg= -covermode= -exec=:x -toolexec=:x -vettool=:X -ldflags= -gcflags= "
    "-asmflags= -gccgoflags= -mod= -modfile=:o -overlay=:o -pkgdir=:w -buildmode= -compiler= "
    "-parallel= -cpu= -skip= -shuffle= -fuzz= -fuzztime= -vet= -json -v -race -short -failfast "
    "-cover -list= -benchmem -benchtime= -a -n -x -w=:W -u=:M -f= -m -e -deps -test -find "
    "-export -compiled -versions -go= -work "
    "-trimpath -c!W -i -msan -asan -msan -fullpath -changed -modcacherw -testlogfile=:w "
    "-cache!D -testcache!D -modcache!D -fuzzcache!D -all -src -short -cmd -http=!N -pgo= "
    "-buildvcs= -artifacts!W"
)
_GO = """
test vet version list doc help tool env telemetry mod/graph mod/why  |
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


_GO_TABLE = _GO.replace("fmt fix | M", "fix | M\nfmt |")


def go_row_without(row: str) -> str:
    """``-w`` and ``-u`` mean other things in other subcommands; their own rules judge them."""
    return row.replace(" -w=:W -u=:M", " -w -u")


_DOTNET = """
test --info --version --list-sdks --list-runtimes sln/list list list/package list/reference help tool/list
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


_SWIFT = """
test package/describe package/show-dependencies package/dump-package package/tools-version --version help |
build package/init package/generate-xcodeproj | W
package/resolve package/update | NW
package/clean package/reset | D
run repl | U
"""
RULES: dict[str, Rule] = {
    **dict.fromkeys(
        (
            "gcc",
            "cc",
            "g++",
            "c++",
            "clang",
            "clang++",
            "cpp",
            "c99",
            "c89",
            "gcc-10",
            "gcc-11",
            "gcc-12",
            "gcc-13",
            "gcc-14",
            "g++-12",
            "g++-13",
            "clang-14",
            "clang-15",
            "clang-16",
            "clang-17",
            "clang-18",
            "arm-none-eabi-gcc",
            "icc",
            "nvcc",
            "musl-gcc",
            "mpicc",
            "mpicxx",
        ),
        cc,
    ),
    "rustc": rustc,
    "cargo": cargo,
    "go": by_subcommand(
        _GO_TABLE, go_row_without(_GO_ROW), {"env": go_env, "tool": go_tool, "list": go_list, "fmt": go_format}
    ),
    "govulncheck": by_subcommand("", "words +N | |", bare="N"),
    "gopls": by_subcommand(
        "version check references definition symbols workspace_symbol help |\nformat rename imports fix | M\nserve | U"
    ),
    "rustup": by_subcommand(
        (
            "show show/active-toolchain show/home which toolchain/list target/list component/list help "
            "doc man completions override/list |\n"
            "update toolchain/install target/add component/add self/update install check | NW\n"
            "default override/set override/unset set/profile | W\n"
            "toolchain/uninstall target/remove component/remove self/uninstall uninstall | D\n"
            "run |"
        ),
        "words | | --toolchain= -v -q --installed",
        {"run": lambda call, found: call.run(list(call.args[2:]))},
    ),
    "dotnet": by_subcommand(
        _DOTNET,
        (
            "words | | -c,--configuration= -f,--framework= -r,--runtime= -o,--output=:w "
            "-v,--verbosity= --no-build --no-restore -l,--logger=:X --filter= --collect=:X "
            "--results-directory=:w --settings=:o -s=:o -a,--test-adapter-path=:X -p= --property= "
            "-e,--environment= -d,--diag=:w --blame --nologo --list-tests -t --verify-no-changes "
            "--include-transitive --outdated!N --vulnerable!N --deprecated!N --project=:o --arch= "
            "--os= --version= --source=  -n,--name="
        ),
        {"format": dotnet_format},
    ),
    "msbuild": by_subcommand("", "words +W | |", bare="W"),
    "xcodebuild": by_subcommand(
        ("test -list -version -showsdks | \nbuild archive | W\nclean | D"),
        "words | | -scheme= -project= -workspace= -destination= -configuration= -sdk=",
        bare="W",
    ),
    "swift": by_subcommand(
        _SWIFT,
        (
            "words | | -c,--configuration= --filter= --package-path=:o --parallel -Xswiftc= -Xcc= "
            "--build-path=:w -v --skip= --enable-code-coverage"
        ),
        bare="U",
    ),
    "zig": by_subcommand(
        (
            "version env  targets zen libc ast-check test help |\n"
            "build build-exe build-lib build-obj cc c++ translate-c init ar | W\n"
            "fmt | M\n"
            "run | U\n"
            "fetch | N"
        ),
        "words | | --check --cache-dir=:w -O= -target= --test-cmd=!U -femit-bin=:w",
    ),
    "nim": by_subcommand("check dump | \nc cpp compile js doc cc | W\nr e | U"),
    "crystal": by_subcommand(
        "spec version env tool/hierarchy tool/context  |\nbuild docs init | W\ntool/format | M\nrun eval play | U"
    ),
    "stack": by_subcommand(
        (
            "test path query ls ide list dot |\n"
            "build haddock sdist init new config | W\n"
            "install setup update upgrade unpack upload | NW\n"
            "clean purge | D\n"
            "exec run ghci ghc runghc script eval repl | U"
        ),
        "words | | --stack-yaml=:o --resolver= --test-arguments= --file-watch",
    ),
    "cabal": by_subcommand(
        (
            "test check list info path outdated list-bin |\n"
            "build configure haddock sdist init freeze gen-bounds v2-build new-build | W\n"
            "update install get fetch upload | NW\n"
            "clean | D\n"
            "run exec repl | U"
        ),
        "words | | --project-file=:o --with-compiler=!U -w=!U",
    ),
    "mix": by_subcommand(
        (
            "test credo dialyzer help deps deps/tree hex/info xref app/tree   phx/routes |\n"
            "compile docs release new escript/build phx/new | W\n"
            "deps.get deps.update local.hex archive.install hex.outdated hex.audit deps/get | NW\n"
            "format | \n"
            "clean deps.clean | D\n"
            "run phx.server ecto.migrate ecto.create ecto.drop ecto.reset ecto.rollback | U\n"
            "deps.tree deps.list xref hex.info phx.routes | "
        ),
        (
            "words | | --check-formatted --only= --exclude= --seed= --trace --stale --failed --cover "
            "-r=:X --require=:X --strict --warnings-as-errors"
        ),
        {"format": lambda call, found: None if found.has("--check-formatted") else add(call, "M", "format")},
    ),
    "rebar3": by_subcommand(
        "eunit ct dialyzer xref tree version help lint hank cover proper |\n"
        "compile release tar edoc new escriptize as | W\n"
        "get-deps upgrade update hex deps | NW\n"
        "clean unlock | D\n"
        "shell | U"
    ),
    "gleam": by_subcommand(
        "test check --version help | \n"
        "build docs export new | W\n"
        "add update deps publish | NW\n"
        "format | M\n"
        "clean | D\n"
        "run shell | U"
    ),
    "dart": by_subcommand(
        (
            "analyze test --version info help  pub/deps  |\n"
            "format fix |\n"
            "compile create doc build | W\n"
            "pub pub/get pub/add pub/upgrade pub/publish pub/outdated pub/global pub/downgrade | NW\n"
            "pub/remove | D\n"
            "run | U"
        ),
        ("words | | -o,--output=  --set-exit-if-changed --apply!M --dry-run -n= -p= -j= --reporter= --coverage=:w"),
        {
            "format": lambda call, found: (
                None if found.has("--set-exit-if-changed", "-o", "--output") else add(call, "M", "format")
            )
        },
    ),
    "flutter": by_subcommand(
        (
            "analyze test doctor devices --version help emulators channel  |\n"
            "build create gen-l10n config | W\n"
            "pub upgrade downgrade precache pub/get packages | NW\n"
            "clean | D\n"
            "run drive install attach | U"
        ),
        "words | | --no-pub --coverage --name= --machine --reporter=",
    ),
    "dune": by_subcommand(
        ("test runtest show describe help |\nbuild init install | W\nfmt promote | M\nclean | D\nexec utop | U"),
        "words | | --auto-promote!M --root=:o --profile= -p=",
    ),
    "opam": by_subcommand(
        (
            "list show switch/list  config/list env var info config | \n"
            "install update upgrade switch init switch/create pin repository | NW\n"
            "remove uninstall clean switch/remove | D\n"
            "exec |\n"
            "search | "
        ),
        "words | |",
        {"exec": lambda call, found: call.run([arg for arg in call.args[1:] if arg.text != "--"])},
    ),
    "sbcl": by_subcommand("", "words +U | |", bare="U"),
    "terraform-docs": writer("words r* | | -c=:o --output-file=:w --output-mode=", "--output-file"),
    "helmfile": by_subcommand(
        "list lint template build version | \nsync apply diff deps fetch status repos | N\ndestroy delete | ND"
    ),
    "elixirc": by_subcommand("", "words +W | |", bare="W"),
    "erlc": by_subcommand("", "words +W | |", bare="W"),
}
