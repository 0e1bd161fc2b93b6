"""Archives and compression."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.arguments import Parsed, apply, read_arguments
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import Arg

__all__ = ("RULES", "TABLE")

TABLE = """
zipinfo lsar rpm2cpio  | words | r* |
zipnote zipsplit | +W | . |
unar unp atool aunpack apack dtrx  patool arc lha unace unalz cabextract unshield innoextract | words +W | . |
rpm2archive | +W | r* |
zpaq lrzip lrunzip lrztar | words +W | . |
makeself shar | +W | . |
uuencode | pure | r* |
uudecode | +W | . | -o=:w
"""

_TAR_VALUES = (
    "strict | | -A,--catenate,--concatenate!W -c,--create -d,--diff,--compare --delete!D "
    "-r,--append!W -t,--list -u,--update!W -x,--extract,--get --show-defaults --usage "
    "--version --help -? --test-label "
    "-n,--seek -S,--sparse --no-seek --hole-detection= --sparse-version= -G,--incremental "
    "-g,--listed-incremental=:w --check-device --no-check-device --level= -k,--keep-old-files "
    "--keep-newer-files --overwrite --overwrite-dir "
    "--recursive-unlink!D --remove-files!D --skip-old-files -U,--unlink-first!D -W,--verify "
    "--ignore-failed-read --ignore-command-error --no-ignore-command-error --occurrence=? "
    "-O,--to-stdout --to-command=:x "
    "--atime-preserve=? --delay-directory-restore --no-delay-directory-restore --group= "
    "--group-map= --mode= --mtime= --clamp-mtime --set-mtime-command=:x --owner= --owner-map= "
    "-m,--touch --no-same-owner --no-same-permissions --numeric-owner "
    "-p,--preserve-permissions,--same-permissions --same-owner "
    "-s,--preserve-order,--same-order --sort= --acls --no-acls --selinux --no-selinux --xattrs "
    "--no-xattrs --xattrs-exclude= --xattrs-include= --force-local "
    "-F,--info-script,--new-volume-script=:x -L,--tape-length= -M,--multi-volume "
    "--rmt-command=:x --rsh-command=:x --volno-file=:w -f,--file= -b,--blocking-factor= "
    "-B,--read-full-records -i,--ignore-zeros --record-size= -H,--format= "
    "--old-archive,--portability --pax-option= --posix -V,--label= -a,--auto-compress "
    "--no-auto-compress -I,--use-compress-program=:x -j,--bzip2 -J,--xz --lzip --lzma --lzop "
    "--zstd -z,--gzip,--gunzip,--ungzip -Z,--compress,--uncompress "
    "--add-file=:r -C,--directory= --exclude= --exclude-backups --exclude-caches "
    "--exclude-caches-all --exclude-caches-under --exclude-ignore= --exclude-ignore-recursive= "
    "--exclude-tag= --exclude-tag-all= --exclude-tag-under= "
    "--exclude-vcs --exclude-vcs-ignores -h,--dereference --hard-dereference "
    "-K,--starting-file= --newer-mtime= --no-null --no-recursion --no-unquote "
    "--no-verbatim-files-from --null -N,--newer,--after-date= --one-file-system "
    "-P,--absolute-names --recursion --suffix= -T,--files-from=:r --unquote "
    "--verbatim-files-from -X,--exclude-from=:r --strip-components= --transform,--xform= "
    "--anchored --no-anchored --ignore-case --no-ignore-case --no-wildcards --wildcards "
    "--wildcards-match-slash --no-wildcards-match-slash "
    "--checkpoint=? --checkpoint-action= --full-time --index-file=:w -l,--check-links "
    "--no-quote-chars= --quote-chars= --quoting-style= -R,--block-number --show-omitted-dirs "
    "--show-transformed-names,--show-stored-names "
    "--totals=? --utc -v,--verbose --warning= -w,--interactive,--confirmation -o "
    "--one-top-level=? --backup=? --no-overwrite-dir --keep-directory-symlink -q --fast-read "
    "--warning --auto --zstd-level="
)


def tar(call: Call) -> None:
    """``tar`` lists, or writes an archive or what is in one; several options run a command."""
    args = list(call.args)
    if args and not args[0].starts("-"):
        if not args[0].known or len(args[0].text) > 64:
            call.unresolved("loose_argument", "the mode of tar")
            return
        args = bundled(args)
    spec = compiled(_TAR_VALUES)
    found = read_arguments(call, spec, args)
    apply(call, spec, found)
    for action in found.values("--checkpoint-action"):
        kind, _, code = action.text.partition("=")
        if kind == "exec":
            call.shell(Arg(code))
        elif not action.known or kind not in ("dot", ".", "echo", "ttyout", "bell", "sleep", "totals", "wait"):
            call.unresolved("unknown_code", action.text)
    archive = found.values("-f", "--file")
    for name in archive:
        if ":" in name.text.split("/")[0] and not found.has("--force-local"):
            call.network(detail=name.text)
    modes(call, found, archive)


def bundled(args: list[Arg]) -> list[Arg]:
    """Return old-style ``tar cfz ARCHIVE`` as if each letter were an option of its own."""
    letters, rest = args[0].text, args[1:]
    found: list[Arg] = []
    for letter in letters:
        found.append(Arg("-" + letter))
        if letter in "fbCFgHIKLNTVX" and rest:
            found.append(rest.pop(0))
    return [*found, *rest]


def modes(call: Call, found: Parsed, archive: list[Arg]) -> None:
    """Note what the mode does: create, extract, list, compare."""
    creating = found.has("-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate")
    if found.has("-x", "--extract", "--get"):
        for name in archive:
            call.reads(name)
        if not found.has("-O", "--to-stdout", "--to-command"):
            call.note(OpClass.FILE_WRITE, "extracts")
    elif creating:
        for name in archive:
            if name.text != "-":
                call.writes(name)
    elif found.has("-t", "--list", "-d", "--diff", "--compare", "--test-label"):
        for name in archive or [Arg("archive")]:
            call.reads(name)


_GZIP = (
    "strict | | -a,--ascii -c,--stdout,--to-stdout -d,--decompress,--uncompress -f,--force "
    "-h,--help -k,--keep -l,--list -L,--license -n,--no-name -N,--name -q,--quiet "
    "-r,--recursive --rsyncable -S,--suffix= --synchronous -t,--test -v,--verbose -V,--version "
    "--fast --best -1 -2 -3 -4 -5 -6 -7 -8 -9 -p,--processes= -b,--blocksize= -i,--independent "
    "-R -T,--no-time -z --zlib -K -m,--no-time -M -Y --zip -0 --comment= -A,--alias="
)
_XZ = (
    "strict | | -z,--compress -d,--decompress,--uncompress -t,--test -l,--list -k,--keep "
    "-f,--force -c,--stdout,--to-stdout --single-stream --no-sparse -S,--suffix= --files=? "
    "--files0=? -F,--format= -C,--check= --ignore-check -e,--extreme -T,--threads= "
    "--block-size= --block-list= "
    "--flush-timeout= --memlimit-compress= --memlimit-decompress= --memlimit-mt-decompress= "
    "-M,--memlimit= --no-adjust -q,--quiet -v,--verbose -Q,--no-warn --robot --info-memory "
    "-h,--help -H,--long-help -V,--version --fast --best --lzma1=? --lzma2=? --x86=? --delta=? "
    "--arm=? --small -s -L,--license --repetitive-fast --repetitive-best -1 -0 --exact -n -N "
    "--rsyncable"
)
_ZSTD = (
    "words | | -d,--decompress,--uncompress -z,--compress -t,--test -l,--list -c,--stdout "
    "-k,--keep --rm!D -f,--force -o=:w -q,--quiet -v,--verbose -r,--recursive -T,--threads= "
    "-D=:r -M,--memory= --ultra --fast=? --long=? --train!W --maxdict= --output-dir-flat=:w "
    "--output-dir-mirror=:w --filelist=:r --patch-from=:r --adapt=? --rsyncable "
    "--exclude-compressed --format= --sparse --no-sparse --no-progress --progress "
    "--content-size --check --no-check -b=? -e= -i= --auto-threads= --single-thread "
    "-V,--version -h,--help -H -m -B= --best --no-name -n --trace=:w --pass-through "
    "--no-dictID --asyncio --no-asyncio --priority=rt"
)
_PLAIN_OUT = (
    "-c",
    "--stdout",
    "--to-stdout",
    "-l",
    "--list",
    "-t",
    "--test",
    "-V",
    "--version",
    "-h",
    "--help",
    "-L",
    "--license",
    "-H",
    "--long-help",
    "--info-memory",
    "-b",
)


def compressor(row: str) -> Rule:
    """Return the rule of a compressor: it replaces its input, unless it prints, tests or has no file."""

    def rule(call: Call) -> None:
        spec = compiled(row)
        found = read_arguments(call, spec, call.args)
        apply(call, spec, found)
        files = [operand for operand in found.operands if operand.text != "-"]
        if found.has(*_PLAIN_OUT) or not files:
            for file in files:
                call.reads(file)
            return
        for file in files:
            call.note(OpClass.FILE_WRITE, "replaces_file", file.text)

    return rule


def zip_option(call: Call, arg: Arg, following: Arg) -> None:
    """Judge one argument of ``zip``."""
    text = arg.text
    letters = "" if text.startswith(("--", "-n", "-t", "-x", "-i")) or text[:1] != "-" else text[1:]
    if arg.loose:
        call.unresolved("loose_argument")
    elif text.startswith("--unzip-command"):
        call.shell(Arg(text.partition("=")[2]) if "=" in text else following)
    elif text.startswith("-TT"):
        call.shell(Arg(text[3:]) if text != "-TT" else following)
    elif text.startswith("--un"):
        call.unresolved("ambiguous_option", text)
    elif text == "--move" or "m" in letters:
        call.destroys("deletes_sources", text)
    elif text == "--delete" or ("d" in letters and letters[0] != "b"):
        call.note(OpClass.FILE_MODIFY, "deletes_entries", text)


def zip_archive(call: Call) -> None:
    """``zip`` writes an archive; -m deletes what it packs, -TT runs a test command."""
    texts = [arg.text for arg in call.args]
    if texts[:1] in (["-h"], ["-v"], ["--version"], ["--help"], ["-h2"], ["-L"]) and len(texts) == 1:
        return
    for position, arg in enumerate(call.args):
        following = call.args[position + 1] if position + 1 < len(call.args) else Arg("")
        zip_option(call, arg, following)
    names = [arg for arg in call.args if not arg.starts("-")]
    if names and names[0].text != "-":
        call.writes(names[0])
    call.note(OpClass.FILE_WRITE, "writes_archive") if not names or names[0].text != "-" else None


def unzip(call: Call) -> None:
    """``unzip`` extracts, unless it lists, tests or prints."""
    spec = compiled("strict | | -ZAlbCaDefjKLMnopPqTtuUvVWXxz: -d=:w -I= -O= -P= --help --version -h")
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    for operand in found.operands[:1]:
        call.reads(operand)
    if call.args and not found.has("-l", "-t", "-p", "-v", "-z", "-Z", "-c", "--help", "-h", "-T", "--version"):
        call.note(OpClass.FILE_WRITE, "extracts")


def verbs(reads: str, writes: str, deletes: str = "") -> Rule:
    """Return the rule of an archiver whose first argument is a letter or word for what to do."""

    def rule(call: Call) -> None:
        action = call.args[0].text.lstrip("-") if call.args else ""
        if not call.args or action in reads.split() or action in ("h", "help", "version", "i"):
            for arg in call.args[1:]:
                if not arg.starts("-"):
                    call.reads(arg)
        elif action in deletes.split():
            add(call, "D", action)
        elif action in writes.split():
            call.note(OpClass.FILE_WRITE, "writes_archive", action)
            if any(arg.starts("-sdel", "-df") for arg in call.args):
                add(call, "D", "deletes sources")
        else:
            call.unresolved("unknown_subcommand", action)

    return rule


def cpio(call: Call) -> None:
    """``cpio``: -t lists, -o prints an archive, -i and -p write files."""
    spec = compiled(
        "strict | | -0aAbBcdfiklmnopPrsStuvV -C= -E=:r -F,--file= -H,--format= -I=:r -M= -O=:w "
        "-R,--owner= -D,--directory= --extract --create --list --pass-through --make-directories "
        "--preserve-modification-time --unconditional --verbose --quiet --no-absolute-filenames "
        "--null --sparse --force-local --rsh-command=:x --to-stdout --no-preserve-owner "
        "--only-verify-crc --rename-batch-file=:r --block-size= --message= --help --version "
        "--reset-access-time --dereference -L --append --io-size= --numeric-uid-gid "
        "--renumber-inodes --ignore-devno --reproducible --device-independent --link --dot "
        "--rename --swap"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("-t", "--list", "--help", "--version", "--to-stdout", "--only-verify-crc"):
        return
    if found.has("-i", "--extract", "-p", "--pass-through"):
        call.note(OpClass.FILE_WRITE, "extracts")
    for name in found.values("-F", "--file"):
        call.writes(name) if found.has("-o", "--create") else call.reads(name)


def ar(call: Call) -> None:
    """``ar t`` and ``ar p`` read; the other operations write or delete members."""
    action = call.args[0].text.lstrip("-") if call.args else ""
    if any(arg.starts("--plugin") for arg in call.args):
        call.unresolved("option_runs_code", "--plugin")
    if action[:1] in ("t", "p") or action in ("V", "version", "h", "-help"):
        add(call, "R", "ar")
    else:
        add(call, "W", "ar")


RULES: dict[str, Rule] = {
    **dict.fromkeys(("tar", "gtar", "bsdtar"), tar),
    **dict.fromkeys(("gzip", "gunzip", "pigz", "unpigz", "compress", "uncompress"), compressor(_GZIP)),
    **dict.fromkeys(("bzip2", "bunzip2", "lbzip2", "pbzip2", "lzip", "lunzip", "plzip"), compressor(_XZ)),
    **dict.fromkeys(("xz", "unxz", "lzma", "unlzma", "pixz"), compressor(_XZ)),
    **dict.fromkeys(("zstd", "unzstd", "zstdmt", "pzstd"), compressor(_ZSTD)),
    **dict.fromkeys(("lz4", "unlz4", "lzop", "brotli", "snzip"), compressor(_ZSTD)),
    "zip": zip_archive,
    "unzip": unzip,
    "funzip": compressor("words | |"),
    "cpio": cpio,
    "ar": ar,
    "pax": cpio,
    **dict.fromkeys(("7z", "7za", "7zr", "7zz", "p7zip"), verbs("l t b i h", "a e x u rn d")),
    **dict.fromkeys(("rar", "unrar", "unrar-free"), verbs("l t v p lb vb lt vt la", "a e x u f m r c s k rr", "d")),
    **dict.fromkeys(("ouch",), verbs("list l ls", "compress decompress c d")),
}
