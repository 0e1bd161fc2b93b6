"""Compilers and language tools: C, Rust, Go, .NET, and the builders of other languages."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.arguments import Parsed
from agentfsm.shell.programs.dotnet import DOTNET, SWIFT, dotnet_format
from agentfsm.shell.programs.golang import GO_ROW, GO_TABLE, go_env, go_format, go_list, go_tool
from agentfsm.shell.programs.linters import writer
from agentfsm.shell.programs.producers import PRODUCERS, produce
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.rust import cargo, rustc
from agentfsm.shell.programs.subcommands import by_subcommand

__all__ = ("RULES", "TABLE")

TABLE = """
strip | words +M | . | -o,--output-file=:w
as gas ld ld.bfd ld.gold ld.lld lld gold mold ar ranlib objcopy nasm yasm windres dlltool protoc
    protoc-gen-go thrift flatc capnp swig bison yacc flex lex re2c ragel antlr4 m4 gperf rpcgen moc uic rcc
    lrelease lupdate msgmerge xgettext | words +W | . | -wrapper=!U --plugin=!U -plugin=!U -load=!U
ghc kotlinc | words +W | . | -e=!U -plugin=!U -fplugin=!U -Xplugin=!U -o=:w -d=:w --version -version
scalac javac groovyc swiftc ocamlc ocamlopt fpc gnatmake gfortran f77 dmd ldc2 gdc   valac  tcc
    chicken csc mcs fsharpc vbc elm  iverilog verilator yosys ponyc hx haxe emcc em++ wasm-ld wat2wasm wasm-opt
    wasm2wat wasm-bindgen bindgen cbindgen uniffi-bindgen | words +W | . | --version -version -V -processor=!U
    -processorpath=!U -J= --plugin=!U -fplugin=!U -Xplugin=!U -C= -L= -o=:w -d=:w
latex pdflatex xelatex lualatex tex pdftex luatex bibtex biber makeindex dvips dvipdf ps2pdf pdf2ps
    tectonic asciidoctor asciidoc rst2html rst2man mkdocs sphinx-build sphinx-apidoc sphinx-autogen doxygen mdbook
    zola hugo jekyll pelican gitbook typst ronn help2man   makeinfo texi2pdf texi2any wkhtmltopdf weasyprint marp
    slidev plantuml mmdc  magick composite montage lame flac
    oggenc opusenc inkscape rsvg-convert cwebp dwebp avifenc gifsicle gimp qrencode pdftk pdfunite
    pdfseparate pdftoppm pdftohtml gs mutool img2pdf ocrmypdf tesseract potrace pngcrush
    soffice libreoffice unoconv  | words +W | . | -shell-escape!U --shell-escape!U -enable-write18!U -pdflatex=:X
    -latex=:X --extra-plugins=!U -dNOSAFER!U -s=!U
mogrify optipng jpegoptim pngquant oxipng  advpng | +M | m* |
latexmk | words +W | . | -pdflatex=:X -latex=:X -xelatex=:X -lualatex=:X -e=:X -r=:X -c!D -C!D -CA!D
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


def zig_format(call: Call, found: Parsed) -> None:
    """``zig fmt`` rewrites, unless it checks."""
    add(call, "" if found.has("--check") else "M", "fmt")


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
            "arm-none-eabi-gcc",
            "icc",
            "nvcc",
            "musl-gcc",
            "mpicc",
            "mpicxx",
        ),
        cc,
    ),
    **dict.fromkeys(PRODUCERS, produce),
    "rustc": rustc,
    "cargo": cargo,
    "go": by_subcommand(GO_TABLE, GO_ROW, {"env": go_env, "tool": go_tool, "list": go_list, "fmt": go_format}),
    "govulncheck": by_subcommand("", "words +N | |", bare="N"),
    "gopls": by_subcommand(
        "version check references definition symbols workspace_symbol help |\nformat rename imports fix | M\nserve | U"
    ),
    "rustup": by_subcommand(
        (
            "show which toolchain/list target/list component/list help "
            "doc man completions override/list |\n"
            "update toolchain/install target/add component/add self/update install check | NW\n"
            "default override/set override/unset set/profile | W\n"
            "toolchain/uninstall target/remove component/remove self/uninstall uninstall | D"
        ),
        "words | | --toolchain= -v -q --installed",
        {"run": lambda call, found: call.run(list(call.args[2:]))},
    ),
    "dotnet": by_subcommand(
        DOTNET,
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
        SWIFT,
        (
            "words | | -c,--configuration= --filter= --package-path=:o --parallel -Xswiftc= -Xcc= "
            "--build-path=:w -v --skip= --enable-code-coverage"
        ),
        bare="U",
    ),
    "zig": by_subcommand(
        (
            "version env  targets zen libc ast-check test help |\n"
            "build/run | U\n"
            "build build-exe build-lib build-obj cc c++ translate-c init ar | W\n"
            "fmt |\n"
            "run | U\n"
            "fetch | N"
        ),
        "words | | --check --cache-dir=:w -O= -target= --test-cmd=!U -femit-bin=:w",
        {"fmt": zig_format},
    ),
    "nim": by_subcommand("check dump | \nc cpp compile js doc cc | W\nr e | U", "words | | -r!U --run!U -o=:w"),
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
            "test credo dialyzer help deps hex/info xref app/tree   phx/routes |\n"
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
        "test check help | \n"
        "build docs export new | W\n"
        "add update deps publish | NW\n"
        "format | M\n"
        "clean | D\n"
        "run shell | U"
    ),
    "dart": by_subcommand(
        (
            "analyze test info help  pub/deps  |\n"
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
            "analyze test doctor devices help emulators channel  |\n"
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
            "list show switch/list  env var info config | \n"
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
