"""Programs that create, change and remove files."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.paths import is_precious, write_class
from agentfsm.shell.programs.spec import add, apply, compiled, read_arguments
from agentfsm.shell.values import Arg

__all__ = ("RULES", "TABLE")

TABLE = """
mkdir | strict +W | w* | -m,--mode= -p,--parents -v,--verbose -Z --context=? --help --version
mkfifo | strict +W | w* | -m,--mode= -Z --context=? --help --version
touch | strict +W | w* | -a -c,--no-create -d,--date= -f -h,--no-dereference -m -r,--reference= -t= --time= --help
    --version -A=
mktemp tempfile | strict +W | | -d,--directory -u,--dry-run -q,--quiet --suffix= -p=  --tmpdir=? -t -V --help
    --version -m= -s=
link | +W | r w | --help --version
rm trash trash-put gio-trash rip srm rmtrash del | +D | d* |
rmdir unlink | +D | d* |
trash-empty trash-rm | +D | . |
trash-list | pure | . |
trash-restore restore-trash | +M | . |
shred wipe scrub secure-delete sfill sswap | +D | d* |
truncate | +D | d* | -c,--no-create -o,--io-blocks -r,--reference= -s,--size= --help --version
fallocate | +W | w* | -d,--dig-holes!D -c,--collapse-range!D -p,--punch-hole!D -z,--zero-range!D -i,--insert-range
    -n,--keep-size -x,--posix -v,--verbose -l,--length= -o,--offset=
chattr setfattr setfacl setcap lchmod xattr | +M | . m* |
rename prename file-rename perl-rename | +D +U | . |
mmv qmv qcp imv icp vidir vipe | +W +U | . |
detox convmv | +W | . m* |
fdupes jdupes rdfind rmlint | words +S | . | -d,--delete!D -L!W -N -r -R -S -H -q -f -m -1 -l,--linkhard!W
    -deleteduplicates=!D -makehardlinks=!W -makesymlinks=!W -dryrun= -o,--output=:w
stow | words +W | . | -D,--delete!D -R,--restow!D -n,--no,--simulate -d,--dir= -t,--target= -v,--verbose=?
ditto | +W | r* w$ |
symlinks | pure +S | . | -d!D -c!M -s!M -o -r -t -v
update-alternatives update-rc.d | words | . | --install!D --remove!D --set!D --auto!D --config!D --remove-all!D
    --all!D --list --display --query --get-selections
"""

_COPY = (
    "strict | | -abdfHilLnPpRrsuvxZT --archive --attributes-only --backup=? --copy-contents "
    "--dereference --force "
    "--interactive --link -n,--no-clobber --no-dereference --no-preserve= "
    "--no-target-directory --one-file-system --parents --path "
    "--preserve=? --recursive --reflink=? --remove-destination --sparse= "
    "--strip-trailing-slashes --symbolic-link -S,--suffix= "
    "-t,--target-directory=:w --update=? --verbose --context=? --help --version --debug "
    "--keep-directory-symlink -g,--progress-bar"
)
_LINK = (
    "strict | | -bdFfiLnPrsTv --backup=? --directory --force --interactive --logical "
    "--no-dereference --physical --relative "
    "--symbolic --no-target-directory -S,--suffix= -t,--target-directory=:w --verbose --help "
    "--version -h"
)
_INSTALL = (
    "strict | | -bcCdDpsTvZ --backup=? --compare --directory -g,--group= -m,--mode= "
    "-o,--owner= --preserve-timestamps --strip "
    "--strip-program=:x -S,--suffix= -t,--target-directory=:w --no-target-directory --verbose "
    "--preserve-context --context=? --help --version -M -U"
)


def into(call: Call, row: str, *, moves: bool = False, links: bool = False) -> None:
    """Judge ``SOURCE... TARGET`` or ``-t TARGET SOURCE...``."""
    spec = compiled(row)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    sources, targets = list(found.operands), found.values("-t", "--target-directory")
    if not targets and len(sources) > 1:
        targets = [sources.pop()]
    if moves:
        for source in sources:
            call.writes(source, "moves_file")
    elif not links:
        for source in sources:
            call.reads(source)
    placed(call, sources, targets)


def placed(call: Call, sources: list[Arg], targets: list[Arg]) -> None:
    """Note what lands at the targets; a target folder gets the sources' names."""
    if not targets:
        call.note(OpClass.FILE_WRITE, "writes_file")
    for target in targets:
        call.writes(target)
        if not target.known or target.text.rstrip("/") in ("/dev", "/proc", "/sys"):
            continue
        for source in sources:
            name = source.text.rstrip("/").rpartition("/")[2]
            if source.known and name and target.text.endswith("/"):
                call.machine.record.written[call.path(Arg(target.text + name))] = None


def copy(call: Call) -> None:
    """``cp`` writes its target."""
    into(call, _COPY)


def move(call: Call) -> None:
    """``mv`` writes its target and takes the sources away; moving to the null device loses them."""
    into(call, _COPY, moves=True)
    targets = [arg for arg in call.args if not arg.starts("-")]
    if targets and write_class(call.path(targets[-1])) is None:
        call.destroys("moves_to_null", targets[-1].text)


def link(call: Call) -> None:
    """``ln`` creates links."""
    into(call, _LINK, links=True)


def install(call: Call) -> None:
    """``install`` copies and sets modes; with -d it makes folders."""
    spec = compiled(_INSTALL)
    if any(arg.text in ("-d", "--directory") for arg in call.args):
        found = read_arguments(call, spec, call.args)
        for operand in found.operands:
            call.writes(operand)
        call.note(OpClass.FILE_WRITE, "writes_file")
        return
    into(call, _INSTALL)


def mode(call: Call) -> None:
    """``chmod``, ``chown`` and ``chgrp`` change metadata; recursively over a whole system they cannot be undone."""
    spec = compiled(
        "strict | | -cfvhHLPRrwxXstugo --changes --silent --quiet --verbose --recursive "
        "--no-preserve-root --preserve-root "
        "--reference= --from= --dereference --no-dereference -N -E -C -I -a --help --version"
    )
    found = read_arguments(call, spec, call.args)
    has_mode = not found.has("--reference") and not any(
        arg.text[:2] in ("-r", "-w", "-x", "-s", "-t") for arg in call.args
    )
    targets = found.operands[1:] if has_mode else found.operands
    call.note(OpClass.FILE_MODIFY, "changes_file")
    recursive = found.has("-R", "--recursive")
    for target in targets:
        call.modifies(target)
        here = call.machine.state.folder
        whole = is_precious(target.text) or (bool(here) and is_precious(call.path(target)))
        if recursive and whole:
            call.destroys("recursive_on_system", target.text)


def dd(call: Call) -> None:
    """``dd`` copies blocks; its output may be a device."""
    for arg in call.args:
        key, equals, value = arg.text.partition("=")
        if arg.loose:
            call.unresolved("loose_argument")
        elif equals and key == "of":
            call.writes(Arg(value, glob=arg.glob))
        elif equals and key == "if":
            call.reads(Arg(value, glob=arg.glob))
        elif not equals and arg.text not in ("--help", "--version"):
            call.unresolved("unknown_option", arg.text)


_RSYNC = (
    "strict | | -vqcarRbudlLkKHpEAXogtOJSWxIzCFPhihUNn8y046s -e,--rsh=:x --rsync-path=:x "
    "-f,--filter= -B,--block-size= -T,--temp-dir= -M,--remote-option=!U "
    "-@,--modify-window= --archive --no-motd --verbose --info= --debug= --stderr= --quiet "
    "--checksum --recursive --relative --no-implied-dirs --backup --backup-dir=:w "
    "--suffix= --update --inplace --append --append-verify --dirs --old-dirs --mkpath --links "
    "--copy-links --copy-unsafe-links --safe-links "
    "--munge-links --copy-dirlink --keep-dirlinks --hard-links --perms --executability "
    "--chmod= --acls --xattrs --owner --group --devices "
    "--copy-devices --write-devices!D --specials -D --times --atimes --open-noatime --crtimes "
    "--omit-dir-times --omit-link-times --super --fake-super --sparse "
    "--preallocate --dry-run --whole-file --checksum-choice= --one-file-system --size-only "
    "--ignore-times --existing --ignore-existing "
    "--remove-source-files!D --delete!D --del!D --delete-before!D --delete-during!D "
    "--delete-delay!D --delete-after!D --delete-excluded!D "
    "--ignore-missing-args --delete-missing-args!D --ignore-errors --force!D --max-delete= "
    "--max-size= --min-size= --max-alloc= --partial "
    "--partial-dir= --delay-updates --prune-empty-dirs -m --numeric-ids --usermap= --groupmap= "
    "--chown= --timeout= --contimeout= --fuzzy --compare-dest= "
    "--copy-dest= --link-dest= --compress --compress-choice= --compress-level= "
    "--skip-compress= --cvs-exclude --exclude= --exclude-from=:r "
    "--include= --include-from=:r --files-from=:r --from0 --old-args --secluded-args "
    "--trust-sender --address= --port= --sockopts= --blocking-io "
    "--outbuf= --stats --8-bit-output --human-readable --progress --itemize-changes "
    "--out-format= --log-file=:w --log-file-format= --password-file=:r "
    "--early-input= --list-only --bwlimit= --stop-after= --stop-at= --fsync --write-batch=:w "
    "--only-write-batch=:w --read-batch=:r --protocol= --iconv= "
    "--checksum-seed= --ipv4 --ipv6 --version --help --daemon!N --config=!U --no-perms "
    "--no-owner --no-group --no-times --no-inc-recursive --inc-recursive --no-whole-file "
    "--no-compress --ignore-existing --no-o --no-g --no-p --no-t --no-links --no-D "
    "--no-recursive"
)


def is_remote(text: str) -> bool:
    """Whether a path names another machine: ``host:path`` or ``rsync://``."""
    head, colon, _ = text.partition(":")
    return bool(colon) and "/" not in head


def rsync(call: Call) -> None:
    """``rsync`` writes its target and may delete there; a remote side makes it network."""
    spec = compiled(_RSYNC)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    operands = found.operands
    for operand in operands:
        if is_remote(operand.text):
            call.network(detail=operand.text)
    quiet = found.has("-n", "--dry-run", "--list-only") or len(operands) < 2  # one operand is listed
    if quiet:
        add(call, "R")
        return
    if operands and not is_remote(operands[-1].text):
        call.writes(operands[-1])
    for operand in operands[:-1]:
        if not is_remote(operand.text):
            call.reads(operand)


def patch(call: Call) -> None:
    """``patch`` changes files; a dry run does not."""
    spec = compiled(
        "strict | | -b,--backup -B,--prefix= -c,--context -d,--directory= -D,--ifdef= -e,--ed!U "
        "-E,--remove-empty-files -f,--force -F,--fuzz= -g,--get= -i,--input=:r "
        "-l,--ignore-whitespace -n,--normal -N,--forward "
        "-o,--output=:w -p,--strip= -r,--reject-file=:w -R,--reverse -s,--quiet,--silent "
        "-t,--batch -T,--set-time -u,--unified -v,--version -V,--version-control= "
        "-Y,--basename-prefix= -z,--suffix= -Z,--set-utc --backup-if-mismatch "
        "--no-backup-if-mismatch --binary --dry-run -C,--check --help --merge=? --posix "
        "--quoting-style= --read-only= --reject-format= --verbose --follow-symlinks"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("--dry-run", "-C", "--check", "--version", "-v", "--help"):
        return
    call.note(OpClass.FILE_MODIFY, "changes_file", "patch")
    for operand in found.operands[:1]:
        call.modifies(operand)


RULES: dict[str, Rule] = {
    "patch": patch,
    "cp": copy,
    "mv": move,
    "ln": link,
    "install": install,
    "ginstall": install,
    "chmod": mode,
    "chown": mode,
    "chgrp": mode,
    "dd": dd,
    "dcfldd": dd,
    "rsync": rsync,
}
