"""Programs that search the content of files."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.spec import apply, compiled, read_arguments

__all__ = ("RULES", "TABLE")

TABLE = """
agrep | pure | . c* |
ripgrep_all rga | words +C | . c* | --rga-adapters= --rga-config-file=!U --pre=!U -n -i
pt ucg sift | words +C | . c* |
ugrep ug | words +C | . c* | --filter=!U --pager=?!U --save-config=?!W --view=?!U --config=?!U --format= --hexdump
    --replace= -n -i -r -R -l -c -o -w -v -A= -B= -C= -e= -g= -t= -O= -z
semgrep | words | . c* | --config=!N -f=!N --autofix!M -a!M --json -e,--pattern= -l,--lang= -o,--output=:w --error
    --quiet
ast-grep sg | words | . . c* | -p,--pattern= -l,--lang= -r,--rewrite= -U,--update-all!M -i,--interactive!M --json=?
ctags universal-ctags etags gtags | +W | . | --version
cscope global readtags | words | . | -b!W -d -L -R!W -f= -i=
tldr cheat | +N | . |
comby | words +C | . | -i!M -in-place!M -d -f -stdin -matcher= -diff -match-only
"""

_GREP = (
    "pure | | -A,--after-context= -B,--before-context= -C,--context= -D,--devices= "
    "-d,--directories= -e,--regexp= -f,--file=:r "
    "-m,--max-count= --binary-files= --color=? --colour=? --exclude= --exclude-from= "
    "--exclude-dir= --include= --label= "
    "-EFGPiyvwxcLloqsbHhnTZzaIUurRV --recursive --dereference-recursive"
)


def grep(call: Call) -> None:
    """``grep`` searches the files it names, or its standard input; no option of it writes or runs anything."""
    spec = compiled(_GREP)
    found = read_arguments(call, spec, call.args)
    files = found.operands if found.has("-e", "-f", "--regexp", "--file") else found.operands[1:]
    for operand in files:
        call.reads(operand, "searches_content", OpClass.CONTENT_SEARCH)
    if found.has("-r", "-R", "--recursive", "--dereference-recursive"):
        call.note(OpClass.CONTENT_SEARCH, "searches_content", ".")


_RG = (
    "strict | | -A,--after-context= -B,--before-context= -C,--context= "
    "-d,--max-depth,--maxdepth= -E,--encoding= -e,--regexp= -f,--file=:r -g,--glob= --iglob= "
    "--ignore-file=:r -j,--threads= -M,--max-columns= -m,--max-count= --max-filesize= "
    "--path-separator= --pre=:x --pre-glob= -r,--replace= --sort= "
    "--sortr= -t,--type= -T,--type-not= --type-add= --type-clear= --color= --colors= "
    "--context-separator= --field-context-separator= "
    "--field-match-separator= --dfa-size-limit= --regex-size-limit= --engine= "
    "--hostname-bin=:x --hyperlink-format= --generate= --stop-on-nonmatch "
    "-abcFHhIiLlNnoPpqSsUuvVwxz.0 --auto-hybrid-regex --no-auto-hybrid-regex --binary "
    "--no-binary --block-buffered --no-block-buffered --byte-offset "
    "--case-sensitive --column --no-column --count --count-matches --crlf --no-crlf --debug "
    "--trace --files --files-with-matches --files-without-match "
    "--fixed-strings --no-fixed-strings --follow --no-follow --glob-case-insensitive "
    "--no-glob-case-insensitive --heading --no-heading --help --hidden --no-hidden "
    "--ignore-case --ignore-file-case-insensitive --include-zero --invert-match --json "
    "--no-json --line-buffered --no-line-buffered --line-number "
    "--no-line-number --line-regexp --max-columns-preview --mmap --no-mmap --multiline "
    "--no-multiline --multiline-dotall --no-config --no-context-separator "
    "--no-filename --with-filename --no-ignore --ignore --no-ignore-dot --no-ignore-exclude "
    "--no-ignore-files --no-ignore-global --no-ignore-messages "
    "--no-ignore-parent --no-ignore-vcs --no-messages --no-pcre2-unicode --no-require-git "
    "--require-git --no-unicode --unicode --null --null-data --one-file-system --only-matching "
    "--passthru --passthrough --pcre2 --no-pcre2 --pcre2-version --pretty --quiet --search-zip "
    "--no-search-zip --smart-case --stats --no-stats --text --no-text --trim --no-trim "
    "--type-list --unrestricted --version --vimgrep --word-regexp --no-pre --sort-files"
)
_AG = (
    "strict | | --ackmate -A,--after=?  -B,--before=? -C,--context=? --break --nobreak "
    "-c,--count --color --nocolor --color-line-number= --color-match= --color-path= --column "
    "--filename --nofilename --heading --noheading "
    "-H -l,--files-with-matches -L,--files-without-matches --print-all-files --numbers "
    "--nonumbers -o,--only-matching --print-long-lines --passthrough --passthru --silent "
    "--stats "
    "--stats-only --vimgrep -0,--null,--print0 -a,--all-types -D,--debug --depth= -f,--follow "
    "-F,--fixed-strings -G,--file-search-regex= -g,--filename-pattern= --hidden "
    "-i,--ignore-case --ignore= --ignore-dir= -m,--max-count= --noaffinity --nommap "
    "--one-device -p,--path-to-ignore= -Q,--literal -s,--case-sensitive -S,--smart-case "
    "--search-binary -t,--all-text -u,--unrestricted -U,--skip-vcs-ignores -v,--invert-match "
    "-w,--word-regexp -W,--width= -z,--search-zip --pager=:x --nopager --workers= --parallel "
    "--multiline --nomultiline "
    "--list-file-types --python --js --ts --cpp --cc --java --ruby --go --rust --html --css "
    "--json --yaml --markdown --php --shell --sql --xml --make --perl --lua --swift --kotlin "
    "--scala --csharp --elixir --haskell --group --nogroup --version --help"
)


def searches(row: str) -> Rule:
    """Return the rule of a program that searches a tree unless it is fed."""

    def rule(call: Call) -> None:
        spec = compiled(row)
        found = read_arguments(call, spec, call.args)
        apply(call, spec, found)
        if found.has("--version", "-V", "--help", "--type-list"):
            return
        files = found.operands if found.has("-e", "-f", "--regexp", "--file", "--files") else found.operands[1:]
        for operand in files:
            call.reads(operand, "searches_content", OpClass.CONTENT_SEARCH)
        if not files and call.stdin is None:
            call.note(OpClass.CONTENT_SEARCH, "searches_content", ".")

    return rule


_ACK = (
    "words | | --pager=?:x --ackrc=!U --env --noenv --ignore-ack-defaults --type-set= "
    "--type-add= --output= -A= -B= -C= -m= -g -f -x -w -i -l -L -c -h -H -Q -n -o -r -R -v -s "
    "-1 --dump -S"
)

RULES: dict[str, Rule] = {
    **dict.fromkeys(
        (
            "grep",
            "egrep",
            "fgrep",
            "rgrep",
            "zgrep",
            "zegrep",
            "zfgrep",
            "bzgrep",
            "xzgrep",
            "zstdgrep",
            "bzegrep",
            "bzfgrep",
            "xzegrep",
            "xzfgrep",
            "lzegrep",
            "lzfgrep",
            "zipgrep",
            "rgrep",
            "pcregrep",
            "pcre2grep",
            "ggrep",
            "lzgrep",
        ),
        grep,
    ),
    "rg": searches(_RG),
    "ag": searches(_AG),
    "ack": searches(_ACK),
    "ack-grep": searches(_ACK),
}
