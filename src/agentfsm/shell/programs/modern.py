"""Modern replacements and data tools: jq, yq, bat, sd and the like."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.spec import apply, compiled, read_arguments
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg

__all__ = ("RULES", "TABLE")

TABLE = """
bat batcat | words | r* | --paging= --pager=:x -l,--language= --theme= --style= -r,--line-range=
    -H,--highlight-line= --tabs= --wrap= --color= --decorations= -m,--map-syntax= --file-name= --terminal-width=
    -p,--plain -n,--number -A,--show-all -d,--diff --diff-context= --list-themes -L --list-languages --config-file
    --config-dir --cache-dir --generate-config-file!W --ignored-suffix= --italic-text= -P -f -u
    --nonprintable-notation= --squeeze-blank --no-config --diagnostic --acknowledgements --completion= --binary=
    --strip-ansi= -h -V --version --help
glow mdcat frogmouth rich | words | r* | -p,--pager!U -s,--style= -w,--width= -o=:w
hexyl xd | pure | r* |
choose huniq hck   teip runiq  | pure | . |
jless jnv fx gron ungron jello jc jp jid htmlq pup | words | . r* | -q= -s -r
jc | words | . |
z zoxide autojump fasd | words | . |
tokei onefetch | pure +S | . |
up | +U | . |
pastel vivid | pure | . |
xcp | +W | . w$ |
fselect | words +S | . |
tailspin lnav ccze multitail | words | r* | -c=:X -e=:X -f=:X -x=:X -i!W -I=:o --exec=:x -w=:w
thefuck navi atuin mcfly pet starship sheldon antigen oh-my-posh chezmoi yadm topgrade | +U | . |
watchexec reflex modd cargo-watch air overseer wtf | +U | . |
inotifywait fswatch inotifywatch | words | . | -o,--outfile=:w -e,--event= -m -r -q -t,--timeout= --format=
    --exclude= -d,--daemon --fromfile=:r --timefmt= --csv
pueue tsp nq | +U | . |
asciinema vhs terminalizer | +U | . |
ansifilter aha ansi2html | words | r* | -o=:w
envsubst ts | pure | . |
jsonnet cue dhall dhall-to-json | words | r* | -o,--output-file=:w -m,--multi=:w -J= -S -e= -V= --ext-str=
json_pp json_reformat json_verify json_xs | pure | . |
csvtk tsv-select tsv-filter visidata vd | words | . r* | -o,--out-file,--output=:w
xsltproc | words | r* | -o,--output=:w --noout --param= --stringparam= --writesubtree=:w
saxon | +U | . |
rename-rs f2 nomino | +W | . |
"""


def jq(call: Call) -> None:
    """``jq`` filters JSON; it can read files and the environment, but neither write nor run anything."""
    spec = compiled(
        "strict | | -n,--null-input -R,--raw-input -s,--slurp -c,--compact-output -r,--raw-output "
        "-j,--join-output -a,--ascii-output -S,--sort-keys -C,--color-output "
        "-M,--monochrome-output --tab --indent= --unbuffered --stream --stream-errors --seq "
        "-f,--from-file=:U "
        "-L,--library-path=:o -e,--exit-status --arg= --argjson= --slurpfile= --rawfile= "
        "--argfile= --args --jsonargs -V,--version --build-configuration -h,--help --raw-output0 "
        "--binary -b --debug-dump-disasm --debug-trace=? --yaml-output --yaml-roundtrip -y -Y "
        "--in-place!M -i!M --explicit-start --explicit-end --width= --xml-output -x -t "
        "--toml-output"
    )
    args: list[Arg] = []
    skip = 0
    for arg in call.args:
        if skip:
            skip -= 1
            continue
        args.append(arg)
        if arg.text in ("--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile"):
            skip = 1
    found = read_arguments(call, spec, args)
    apply(call, spec, found)
    if found.has("-V", "--version", "-h", "--help", "--build-configuration"):
        return
    files = found.operands if found.has("-f", "--from-file") else found.operands[1:]
    if not found.has("--args", "--jsonargs"):
        for file in files:
            call.reads(file)


def yq(call: Call) -> None:
    """``yq`` filters YAML; -i edits in place, -s splits into files, and load reads files."""
    spec = compiled(
        "words | | -i,--inplace,--in-place -s,--split-exp= --split-exp-file=:r -o,--output-format= "
        "-p,--input-format= -P,--prettyPrint -r,--unwrapScalar=? -n,--null-input -e,--exit-status "
        "-I,--indent= -j,--tojson -y,--yaml-output -Y --yaml-roundtrip -c,--compact-output --arg= "
        "--argjson= -C,--colors -M,--no-colors -N,--no-doc -v,--verbose -V,--version "
        "-f,--front-matter= --from-file=:U --header-preprocess --expression= -w= --xml-output -x "
        "-t --csv-separator= --no-doc --security-disable-env-ops --security-disable-file-ops "
        "--slurp -S -h --help -0 -D --string-interpolation"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    words = [
        operand
        for operand in found.operands
        if operand.text not in ("eval", "e", "eval-all", "ea", "read", "r", "validate", "v")
    ]
    if (
        call.args
        and call.args[0].text in ("write", "w", "delete", "d", "merge", "m", "new")
        and found.has("-i", "--inplace")
    ):
        call.note(OpClass.FILE_MODIFY, "changes_file")
    files = words[1:] if not found.has("--expression") else words
    if found.has("-i", "--inplace", "--in-place"):
        call.note(OpClass.FILE_MODIFY, "changes_file")
    for file in files:
        call.modifies(file) if found.has("-i", "--inplace", "--in-place") else call.reads(file)
    if found.has("-s", "--split-exp"):
        call.note(OpClass.FILE_WRITE, "writes_file")


def sd(call: Call) -> None:
    """``sd FIND REPLACE FILE...`` edits in place; without files, or with -p, it prints."""
    spec = compiled(
        "strict | | -p,--preview -F,-s,--fixed-strings,--string-mode -n,--max-replacements= "
        "-f,--flags= -A,--across -h,--help -V,--version"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    for file in found.operands[2:]:
        call.reads(file) if found.has("-p", "--preview") else call.modifies(file)


def dasel(call: Call) -> None:
    """``dasel`` selects, or with put and delete changes a file in place."""
    action = call.args[0].text if call.args else ""
    files = [call.args[i + 1] for i, arg in enumerate(call.args[:-1]) if arg.text in ("-f", "--file")]
    for file in files:
        call.modifies(file) if action in ("put", "delete") else call.reads(file)
    if action in ("put", "delete"):
        call.note(OpClass.FILE_MODIFY, "changes_file")
    for position, arg in enumerate(call.args[:-1]):
        if arg.text in ("-o", "--out"):
            call.writes(call.args[position + 1])


def crudini(call: Call) -> None:
    """``crudini --get`` reads; --set, --del and --merge change the file."""
    texts = [arg.text for arg in call.args]
    if any(text in ("--set", "--del", "--merge") for text in texts):
        call.note(OpClass.FILE_MODIFY, "changes_file")


def xq(call: Call) -> None:
    """``xq`` and ``tomlq`` are jq for other formats."""
    if any(arg.text in ("-i", "--in-place") for arg in call.args):
        call.note(OpClass.FILE_MODIFY, "changes_file")
    jq(call)


def fastmod(call: Call) -> None:
    """``fastmod``, ``codemod`` and ``ruplacer`` replace across files; ruplacer only with --go."""
    if call.name in ("ruplacer", "amber") and not any(arg.text in ("--go", "--no-interactive") for arg in call.args):
        call.note(OpClass.CONTENT_SEARCH, "searches_content")
        return
    call.note(OpClass.FILE_MODIFY, "changes_file")


def exif(call: Call) -> None:
    """``exiftool`` shows metadata; an assignment changes it, and -config or -if run Perl."""
    for arg in call.args:
        text = arg.text
        if text.startswith(("-config", "-if", "-p", "-api", "-@", "-stay_open", "-execute", "-common_args")):
            call.unresolved("option_runs_code", text)
        elif (text.startswith("-") and ("=" in text or "<" in text)) or text in (
            "-overwrite_original",
            "-tagsFromFile",
            "-TagsFromFile",
            "-delete_original",
        ):
            call.note(OpClass.FILE_MODIFY, "changes_file")
        elif text in ("-w", "-o", "-textOut", "-W"):
            call.note(OpClass.FILE_WRITE, "writes_file")
        elif not text.startswith("-"):
            call.reads(arg)


def llm(call: Call) -> None:
    """Clients of language models send what they are given."""
    call.network()


def ffprobe(call: Call) -> None:
    """``ffprobe`` reads a media file, or a stream."""
    for arg in call.args:
        if "://" in arg.text:
            call.network(detail=arg.text)
        elif not arg.starts("-"):
            call.reads(arg)
        elif arg.text in ("-o", "-report"):
            call.note(OpClass.FILE_WRITE, "writes_file")


RULES: dict[str, Rule] = {
    "ffprobe": ffprobe,
    "jq": jq,
    "gojq": jq,
    "jaq": jq,
    "yq": yq,
    "xq": xq,
    "tomlq": xq,
    "sd": sd,
    "dasel": dasel,
    "crudini": crudini,
    **dict.fromkeys(("fastmod", "codemod", "ruplacer", "amber", "ambr", "serpl", "rpl", "replace", "gsar"), fastmod),
    "exiftool": exif,
    **dict.fromkeys(
        ("claude", "llm", "aider", "codex", "gemini", "ollama", "aichat", "sgpt", "chatgpt", "opencode"), llm
    ),
    "opa": by_subcommand(
        "test check eval inspect version parse deps |\nfmt | \nbuild sign bench | W\nrun exec | U",
        "words | | -w,--write!M -d= -b= -i= -f= -o=:w",
    ),
}
