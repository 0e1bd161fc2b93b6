"""``git``: its global options and what each subcommand does (git manual; standard, rule 12)."""

from __future__ import annotations

from collections.abc import Sequence

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.gitconfig import judge_setting
from agentfsm.shell.programs.gitpayloads import payloads
from agentfsm.shell.programs.gitverbs import VERBS
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import logical_lines
from agentfsm.shell.values import NUMBER, TAME, UNKNOWN, Arg, names

__all__ = ("RULES", "SUBCOMMANDS", "TABLE")

TABLE = """
hub | +N | . |
tig gitk git-gui gitui lazygit | +U | . |
git-lfs | +U | . |
delta diff-so-fancy diffnav | words | r* | --paging= --pager=:x --config=!U --features= -s -n --dark --light
    --syntax-theme= --width= --line-numbers --side-by-side
difft difftastic | words | r* | --display= --color= --background= --context= --width= --language=
gitleaks trufflehog git-secrets | words | . | -r,--report-path=:w --source= -s= -v --no-banner -c,--config=!U
onefetch git-sizer tokei git-quick-stats | words +g | . |
pre-commit | words | . | -c,--config=!U
"""

SUBCOMMANDS = """
status              | g
log                 | g
show                | g
diff                | g
blame               | g
annotate            | g
shortlog            | g
whatchanged         | g
range-diff          | g
describe            | g
rev-parse           | g
rev-list            | g
name-rev            | g
merge-base          | g
cherry              | g
show-ref            | g
show-branch         | g
show-index          | g
for-each-ref        | g
ls-tree             | g
ls-files            | g
cat-file            | g
diff-tree           | g
diff-index          | g
diff-files          | g
diff-pairs          | g
var                 | g
check-ignore        | g
check-attr          | g
check-mailmap       | g
check-ref-format    | g
count-objects       | g
get-tar-commit-id   | g
merge-tree          | g
patch-id            | g
verify-commit       | g
verify-tag          | g
verify-pack         | g
fmt-merge-msg       | g
fast-export         | g
last-modified       | g
version             |
help                |
stripspace          |
column              |
merge               | G
cherry-pick         | G
revert              | G
rebase              | G
am                  | G
init                | G
init-db             | G
switch              | G
update-index        | G
update-ref          | G
read-tree           | G
write-tree          | G
commit-tree         | G
mktree              | G
mktag               | G
merge-index         | GU
merge-file          | M
merge-one-file      | G
unpack-objects      | G
fast-import         | G
pack-refs           | G
repack              | G
multi-pack-index    | G
commit-graph        | G
refs                | G
replay              | G
absorb              | G
flow                | G
pack-objects        | W
index-pack          | W
unpack-file         | W
bugreport           | W
diagnose            | W
mailinfo            | W
mailsplit           | W
checkout-index      | GW
gc                  | GD
prune               | GD
prune-packed        | GD
filter-branch       | GDU
filter-repo         | GDU
fetch               | GN
pull                | GN
clone               | WN
ls-remote           | N
fetch-pack          | GN
send-pack           | GN
http-fetch          | GN
http-push           | GN
request-pull        | N
send-email          | N
imap-send           | N
daemon              | N
svn                 | GN
p4                  | GN
cvsimport           | GN
subtree             | GN
archimport          | GN
cvsserver           | N
quiltimport         | G
update-server-info  | G
backfill            | GN
scalar              | GN
upload-pack         | gN
upload-archive      | gN
receive-pack        | GN
credential          | U
credential-store    | U
credential-cache    | U
mergetool           | GU
instaweb            | U
gui                 | U
citool              | U
web--browse         | U
shell               | U
for-each-repo       | U
lazygit             | U
"""

_TABLE: dict[str, str] = {}
for _line in logical_lines(SUBCOMMANDS):
    _verb, _, _classes = _line.partition("|")
    _TABLE[_verb.strip()] = _classes.strip()

_GLOBAL_VALUES = frozenset(
    {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source", "--super-prefix"}
)
_GLOBAL_FLAGS = frozenset(
    names("""
    -p --paginate -P --no-pager --bare --no-replace-objects --no-lazy-fetch --literal-pathspecs
    --glob-pathspecs --noglob-pathspecs
    --icase-pathspecs --no-optional-locks --no-advice
""")
)
_ASKING = frozenset({"--version", "-v", "--help", "-h", "--html-path", "--man-path", "--info-path", "--exec-path"})
_WRITES = ("--output",)
_RUNS = (
    "--upload-pack",
    "--receive-pack",
    "--exec",
    "--extcmd",
    "--upload-archive",
    "--template",
    "--open-files-in-pager",
    "--tool-cmd",
)
_MAYBE = ("--o", "--ou", "--out", "--outp", "--outpu")


def git(call: Call) -> None:
    """``git`` by its global options and its subcommand."""
    args = list(call.args)
    while args:
        text = args[0].text
        if text in _ASKING:
            return
        if text[:1] != "-" or args[0].loose:
            break
        args.pop(0)
        name, equals, value = text.partition("=")
        if name in _GLOBAL_VALUES:
            given = Arg(value) if equals else args.pop(0) if args else Arg("")
            setting(call, name, given)
        elif name == "--exec-path":
            call.unresolved("opaque_program", text)
        elif name not in _GLOBAL_FLAGS and not name.startswith("--list-cmds"):
            call.unresolved("unknown_option", text)
    if args:
        subcommand(call, args)


def setting(call: Call, name: str, given: Arg) -> None:
    """Judge a global option's value."""
    if given.loose:
        call.unresolved("loose_argument", name)
    if name in ("-c", "--config-env"):
        key, _, value = given.text.partition("=")
        judge_setting(call, key, None if name == "--config-env" else value if "=" in given.text else "true")


def subcommand(call: Call, args: list[Arg]) -> None:
    """Judge the subcommand with its arguments."""
    verb, rest = args[0], args[1:]
    if not verb.known:
        call.unresolved("unknown_subcommand")
        return
    if [arg.text for arg in rest] in (["-h"], ["--help"]):
        return
    special = VERBS.get(verb.text)
    if special is None and verb.text not in _TABLE:
        call.unresolved("unknown_subcommand", verb.text)
        return
    check_options(call, verb.text, rest)
    if special is not None:
        special(call, rest)
    else:
        shows = verb.text == "rebase" and [arg.text for arg in rest] == ["--show-current-patch"]
        add(call, "g" if shows else _TABLE[verb.text], verb.text)
        payloads(call, verb.text, rest)


def check_options(call: Call, verb: str, args: Sequence[Arg]) -> None:
    """Judge the options that write, run or cannot be known, which many subcommands share."""
    for position, arg in enumerate(args):
        text = arg.text
        if text == "--":
            return
        if arg.loose:
            call.unresolved("loose_argument")
            return
        if text[:2] in ("-" + UNKNOWN, "-" + TAME) or (
            text[:1] == "-" and NUMBER not in text[:2] and UNKNOWN in text.partition("=")[0]
        ):
            call.unresolved("loose_argument")
            return
        name, equals, value = text.partition("=")
        if name in _WRITES or (name in _MAYBE and verb not in ("commit", "merge")):
            target = Arg(value) if equals else args[position + 1] if position + 1 < len(args) else Arg("")
            call.writes(target)
        elif name in _RUNS or (len(name) > 5 and any(run.startswith(name) for run in _RUNS)):  # abbreviations
            judge_payload(call, name, Arg(value) if equals else None, args[position + 1 : position + 2], verb)


def judge_payload(call: Call, name: str, value: Arg | None, following: Sequence[Arg], verb: str) -> None:
    """Judge an option whose value is run."""
    given = value if value is not None else following[0] if following else Arg("")
    if name.startswith("--exec") and verb == "rev-parse":
        return
    if "--template".startswith(name) or name in ("--upload-pack", "--receive-pack", "--upload-archive"):
        if given.text in ("", "git-upload-pack", "git-receive-pack"):
            return
        call.unresolved("option_runs_code", name)
        return
    if name == "--open-files-in-pager" and value is None:
        call.unresolved("option_runs_code", name)
        return
    call.shell(given)


RULES: dict[str, Rule] = {"git": git}
