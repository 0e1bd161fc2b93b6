"""Programs that read text and print text: coreutils, pagers, checksums, comparers, dumpers."""

from __future__ import annotations

import re

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import Arg

__all__ = ("RULES", "TABLE")

TABLE = """
antiword catdoc exiftags msgcat msggrep soxi | words | r* | -o,--output-file=:w
exiv2 | words | . r* | -M=!M -d=!M -i=!M -r=!M -m=!M
plutil | words dash | r* | -convert=!M -insert=!M -replace=!M -remove=!M -extract=!M -create=!W -o=:w -p -lint -e=
tac rev nl fold fmt expand unexpand pr paste join comm cut od hd hexdump strings base32 base64 basenc | pure |
    r* |
head | pure | r* | -c,--bytes= -n,--lines= -qvz
tail | pure | r* | -c,--bytes= -n,--lines= -s,--sleep-interval= --pid= -fFqvzr
wc cksum sum b2sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum md5 crc32 xxhsum xxh64sum b3sum |
    pure | r* |
column colrm col colcrt ul | pure | r* | -t,--table -s,--separator= -o,--output-separator= -c,--output-width=
    -N,--table-columns= -n,--table-name=
diff diff3 cmp zdiff zcmp wdiff dwdiff colordiff bzdiff bzcmp xzdiff xzcmp lzdiff | pure | r* | -U,--unified=
    -C,--context= -I= -x,--exclude= -W,--width= --label= -L=
sdiff | strict | r* | -o,--output=:w -iEZbWBatlsHdv -I,--ignore-matching-lines= -w,--width= --diff-program=:x
    --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space
    --ignore-blank-lines --strip-trailing-cr --text --left-column --suppress-common-lines --expand-tabs --tabsize=
    --minimal --speed-large-files --help --version
icdiff | pure | r* |
zcat gzcat bzcat xzcat lzcat zstdcat lz4cat lzmacat | pure | r* |
zmore bzmore xzmore lzmore | pure | r* |
look | pure | . r |
tr | pure | . |
factor numfmt seq yes expr sleep true false basename dirname tty arch nproc printenv logname whoami groups id
    hostid uname users who w last lastb pinky lslogins getconf locale | pure | . |
tsort | pure | r* |
ptx | strict | r w | -AfFgiMorRStTwW -G,--traditional --auto-reference --flag-truncation= --macro-name= --format=
    --right-side-refs --sentence-regexp= --word-regexp= --break-file= --ignore-case --gap-size= --ignore-file=
    --only-file= --references --typeset-mode --width=
errno isutf8 ifdata combine gettext ngettext sync zdump which.debianutils xdg-user-dir manpath lexgrog ischroot |
    pure | . |
pod2text pod2man pod2usage podchecker pod2html ptargrep msgcmp msggrep msgunfmt msgattrib msgconv msguniq msgen
    msgcomm pygmentize highlight source-highlight | words | r w | -o,--output-file,--outfile=:w -f= -l= -O= -S=
    --lang-def=:o
groff troff nroff tbl pic eqn preconv soelim grog grotty grops geqn gtbl gpic neqn | words | r* | -U!U -P= -T= -m=
    -L=!U -l!U -M=:o -F=:o -I= -d= -r= -n= -w= -W= -K= -D= -f=
savelog zic | +W | . |
hardlink | +M | . | -n,--dry-run
run-parts | +U | . |
filefrag fincore faillog ctstat prtstat pldd | pure +S | . |
gencat elfedit mkfontscale mkfontdir genccode | +W | . |
shuf | strict | r* | -e,--echo -i,--input-range= -n,--head-count= -o,--output=:w --random-source=:r -r,--repeat
    -z,--zero-terminated --help --version
sort | strict | r* | -b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort
    -i,--ignore-nonprinting -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort -R,--random-sort
    --random-source=:r -r,--reverse --sort= -V,--version-sort --batch-size= -c,--check=? -C --compress-program=:x
    --debug --files0-from=:r -k,--key= -m,--merge -o,--output=:w -s,--stable -S,--buffer-size=
    -t,--field-separator= -T,--temporary-directory= --parallel= -u,--unique -z,--zero-terminated --help --version
uniq | strict | r w | -c,--count -d,--repeated -D --all-repeated=? -f,--skip-fields= --group=? -i,--ignore-case
    -s,--skip-chars= -u,--unique -z,--zero-terminated -w,--check-chars= --help --version
tee | strict | w* | -a,--append -i,--ignore-interrupts -p --output-error=? --help --version
sponge | strict | w* | -a
split | strict +W | r . | -a,--suffix-length= --additional-suffix= -b,--bytes= -C,--line-bytes= -d
    --numeric-suffixes=? -x --hex-suffixes=? -e,--elide-empty-files --filter=:x -l,--lines= -n,--number=
    -t,--separator= -u,--unbuffered --verbose --help --version
csplit | strict +W | r . | -b,--suffix-format= -f,--prefix= -k,--keep-files --suppress-matched -n,--digits=
    -s,--quiet,--silent -z,--elide-empty-files
iconv | strict | r* | -f,--from-code= -t,--to-code= -l,--list -c -o,--output=:w -s,--silent --verbose
    --byte-subst= --unicode-subst= --widechar-subst=
recode | +M | . m* |
xxd | strict | r w | -abCdEepiuvh -r -l,-len= -c,-cols= -g,-groupsize= -s,-seek= -o= -n= -R=
most pg | pure | r* |
fc-list fc-match fc-query | pure | . |
cal ncal units figlet toilet cowsay fortune rig lolcat banner sl | pure | . |
pv | strict | r* | -pterabTAIlnifcWqv -F,--format= -L,--rate-limit= -B,--buffer-size= -s,--size= -N,--name=
    -i,--interval= -w,--width= -H,--height= -D,--delay-start= -d,--watchfd= -o,--output=:w -E,--skip-errors
    -S,--stop-at-size -R,--remote=!D -P,--pidfile=:w --progress --timer --eta --rate --bytes
jo csvlook csvcut csvgrep csvstat csvsort csvjson csvjoin csvstack csvformat in2csv | pure | r* |
xsv qsv | words | . r* | -o,--output=:w
mlr miller | strict | . | --icsv --ojson --opprint --ijson --ocsv --csv --json --c2p --c2j --j2c --tsv --from= -n
    -I!M
datamash | pure | . |
aspell hunspell ispell enchant spell | words | r* | -l -a -d= list
pandoc | words | r* | -o,--output=:w -f,--from= -t,--to= -s,--standalone --filter=:X -F=:X -L,--lua-filter=:X
    --template= --extract-media=:w --pdf-engine=!U --pdf-engine-opt=!U --log=:w --print-default-template= --wrap=
    --toc --list-input-formats --list-output-formats -M,--metadata= -V,--variable= -c,--css= -r= -w=
    --metadata-file= -d,--defaults=!U
cloc scc tokei loc sloccount wc-l | words | s* | --exclude-dir= --include-lang= --by-file --json --csv --out=:w
    --report-file=:w -f,--format= -o,--output=:w -s= -e= -t=
"""


def date(call: Call) -> None:
    """``date`` prints the time; with -s or a bare number it sets the clock."""
    spec = compiled(
        "strict | | -d,--date= --debug -f,--file=:r -I,--iso-8601=? -R,--rfc-email --rfc-822 "
        "--rfc-2822 --rfc-3339= -r,--reference= "
        "-s,--set=!D -u,--utc,--universal --resolution --help --version -j -v="
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    for operand in found.operands:
        if not operand.starts("+"):
            call.destroys("sets_clock", operand.text)


def less(call: Call) -> None:
    """``less`` reads; a log file is written, and a ``+`` command other than a movement could do anything."""
    spec = compiled(
        "strict | | -aABcCdeEfFgGiIJKLmMnNqQrRsSuUVwWXX~ -b= -D= -h= -j= -k=!U --lesskey-file=!U "
        "--lesskey-src=!U --lesskey-content=!U "
        "-o,--log-file=:w -O,--LOG-FILE=:w -p,--pattern= -P,--prompt= -t,--tag= -T,--tag-file=!U "
        "-x,--tabs= -y= -z,--window= -#= "
        "--RAW-CONTROL-CHARS --raw-control-chars --chop-long-lines --LINE-NUMBERS --line-numbers "
        "--no-init --quit-if-one-screen "
        "--quit-at-eof --QUIT-AT-EOF --ignore-case --IGNORE-CASE --hilite-search "
        "--squeeze-blank-lines --follow-name --mouse --tilde "
        "--use-color --color= --incsearch --header= --no-keypad --no-histdups --help --version "
        "--force --quiet --silent --wordwrap"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    for operand in found.operands:
        if operand.starts("+"):
            movement(call, operand)
        else:
            call.reads(operand)


def pager(call: Call) -> None:
    """``more`` shows files; ``+`` may only move."""
    for arg in call.args:
        if arg.starts("+"):
            movement(call, arg)
        elif not arg.starts("-"):
            call.reads(arg)


_MOVES = re.compile(r"\+{1,2}(?:[GgFp]|\d+[Ggp%]?|[/?][^\n\x00]*|)\Z")


def movement(call: Call, operand: Arg) -> None:
    """Judge a pager's ``+`` argument."""
    if not operand.known or not _MOVES.match(operand.text):
        call.unresolved("pager_command", operand.text)


def line_ends(call: Call) -> None:
    """``dos2unix`` rewrites files; with -i it only reports."""
    spec = compiled(
        "strict | | -n,--newfile!W -k,--keepdate -i,--info=? -q,--quiet -b,--keep-bom -f,--force "
        "-h,--help -V,--version -c,--convmode= -l,--newline -m,--add-bom -o,--oldfile "
        "-r,--remove-bom -s,--safe -v,--verbose -F,--follow-symlink -R,--replace-symlink "
        "-S,--skip-symlink -O,--to-stdout -e,--add-eol --allow-chown -u -ascii -7 -iso -1252"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    for operand in found.operands:
        call.reads(operand) if found.has("-i", "--info", "-O", "--to-stdout") else call.modifies(operand)


def bc(call: Call) -> None:
    """``bc`` calculates; its language can neither write files nor run commands (dc's can)."""
    for arg in call.args:
        if not arg.starts("-"):
            call.reads(arg)


def dc(call: Call) -> None:
    """``dc`` runs a shell on ``!``, so its program must be constant and free of that."""
    texts = [arg for arg in call.args if not arg.starts("-")]
    programs = [call.args[i + 1] for i, arg in enumerate(call.args[:-1]) if arg.text in ("-e", "--expression")]
    programs += [Arg(arg.text.partition("=")[2]) for arg in call.args if arg.starts("--expression=")]
    programs += [Arg(arg.text[2:]) for arg in call.args if arg.starts("-e") and len(arg.text) > 2]
    if any(arg.starts("-f", "--file") for arg in call.args) or [arg for arg in texts if arg not in programs]:
        call.unresolved("opaque_script")
    stdin = None if call.stdin is None or programs else Arg(call.stdin)
    for program in [*programs, *([stdin] if stdin else [])]:
        if not program.known or "!" in program.text:
            call.unresolved("opaque_code", program.text[:80])


def manual(call: Call) -> None:
    """``man`` shows pages; its pager, browser and preprocessors are commands."""
    spec = compiled(
        "strict | | -adDfkwWIiKuXZ7 -C,--config-file=!U -R,--recode= -L,--locale= -m,--systems= "
        "-M,--manpath=!U -S,-s,--sections= "
        "-e,--extension= -r,--prompt= -E,--encoding= -p,--preprocessor=!U -T,--troff-device=? "
        "-H,--html=?!U -X,--gxditview=? "
        "-P,--pager=:x -l,--local-file -t,--troff -Z,--ditroff --whatis --apropos --all --where "
        "--path --location --regex --wildcard "
        "--names-only --no-subpages --nh --nj --no-hyphenation --no-justification --global-apropos "
        "--match-case --ignore-case "
        "--default --debug --warnings=? --help --version --usage --catman --update"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("-l", "--local-file"):
        for operand in found.operands:
            call.reads(operand)


def info(call: Call) -> None:
    """``info`` shows pages; it can dump them to a file or replay keystrokes."""
    spec = compiled(
        "words | | -o,--output=:w --restore=!U --dribble=:w --init-file=!U -v,--variable= "
        "-f,--file= -n,--node= -d,--directory= -k,--apropos= -w,--where,--location -a,--all "
        "-O,--usage --subnodes --index-search= --vi-keys --help --version"
    )
    apply(call, spec, read_arguments(call, spec, call.args))


def cat(call: Call) -> None:
    """``cat`` shows files; without any it hands its input on."""
    files = [arg for arg in call.args if arg.text == "-" or not arg.starts("-")]
    for file in files:
        call.reads(file)
    if not call.args and call.stdin is not None:
        call.output = call.stdin


def echo(call: Call) -> None:
    """``echo`` prints its arguments, which makes its output constant when they are."""
    call.output = echoed(call.args)


def echoed(args: tuple[Arg, ...]) -> str | None:
    """Return what ``echo`` prints, or None when that is not known."""
    if not all(arg.known for arg in args):
        return None
    words = [arg.text for arg in args]
    newline, escapes = "\n", False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        flags = words.pop(0)
        newline = "" if "n" in flags else newline
        escapes = "e" in flags or escapes
    text = " ".join(words)
    if escapes and "\\" in text:
        return None
    return text + newline


RULES: dict[str, Rule] = {
    "cat": cat,
    "date": date,
    "less": less,
    "more": pager,
    "lzless": less,
    "zstdless": less,
    "zless": less,
    "bzless": less,
    "xzless": less,
    "lessecho": bc,
    "bc": bc,
    **dict.fromkeys(("dos2unix", "unix2dos", "mac2unix", "unix2mac"), line_ends),
    "dc": dc,
    "man": manual,
    "whatis": manual,
    "apropos": manual,
    "info": info,
    "pinfo": info,
    "echo": echo,
}
