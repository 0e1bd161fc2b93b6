"""npm, npx, yarn, pnpm and bun: package managers and the scripts that they run."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.arguments import Parsed, apply, read_arguments
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled, logical_lines
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg, names

__all__ = (
    "KNOWN_SCRIPTS",
    "NPM",
    "NPM_ROW",
    "NPM_VERBS",
    "SCRIPTS",
    "npm_exec",
    "npx",
    "run_script",
    "yarn_other",
)


SCRIPTS = """
test tests lint typecheck type-check types check format:check fmt:check prettier:check lint:check test:unit
    test:ci test:integration test:e2e test:coverage test:watch test:all unit e2e coverage check-types
    typecheck:all tsc check:types check:lint lint:ci lint:js lint:ts lint:css lint:types lint:all eslint stylelint
    format-check check-format check:format validate verify audit:types spec test:types test:browser test:smoke
    vitest jest mocha type:check ts:check tsc:check lint:eslint lint:prettier lint:style lint:md cypress |
build compile bundle build:prod build:dev dist build:all build:css build:js build:ts prod production
    build:production prebuild build:client build:server build:types build:lib build:docs docs docs:build generate
    codegen build-storybook storybook:build | W
format fmt lint:fix fix lint-fix prettier format:write eslint:fix prettier:fix prettier:write format:fix fix:lint
    lint:write | M
clean clean:all clean:dist | D
"""

KNOWN_SCRIPTS: dict[str, str] = {}


def script_classes(name: str) -> str:
    """Return the classes of a project script by its name; any other name is opaque (standard, rule 9)."""
    return KNOWN_SCRIPTS.get(name, "U")


def run_script(call: Call, name: Arg, rest: list[Arg]) -> None:
    """Judge ``npm run NAME``; arguments behind it reach the script."""
    if not name.known:
        call.unresolved("unknown_subcommand", "a script of unknown name")
        return
    add(call, script_classes(name.text), name.text)
    passed(call, rest)


def passed(call: Call, rest: list[Arg]) -> None:
    """Judge arguments that a script hands on to its tool, by the words in their names."""
    spec = compiled(
        "words | | -o,--output-file=:w --fix!M --write!M -c,--config=:o --update!M -u!M "
        "--updateSnapshot!M --rulesdir=:X --plugin=:X --require=:X -r=:X --coverage=? --watch=? "
        "--outputFile=:w"
    )
    apply(call, spec, read_arguments(call, spec, [arg for arg in rest if arg.text != "--"]))


def npm_run(call: Call, found: Parsed) -> None:
    """``npm run`` lists scripts, ``npm run NAME`` runs one."""
    names = found.operands[1:]
    if names:
        run_script(call, names[0], names[1:] + behind(call))


def npm_test(call: Call, found: Parsed) -> None:
    """``npm test`` runs the project's tests."""
    passed(call, [*found.operands[1:], *behind(call)])


def behind(call: Call) -> list[Arg]:
    """Return the arguments behind the first operand that look like options: they reach the script."""
    texts = [arg.text for arg in call.args]
    return list(call.args[texts.index("--") + 1 :]) if "--" in texts else []


def npm_init(call: Call, found: Parsed) -> None:
    """``npm init`` writes a package.json; a named initializer is got and run."""
    add(call, "W" if len(found.operands) == 1 else "NW", "init")


def npm_config(call: Call, found: Parsed) -> None:
    """``npm config get`` and ``list`` read; anything else writes."""
    action = found.operands[1].text if len(found.operands) > 1 else "list"
    add(call, {"get": "", "list": "", "ls": ""}.get(action, "W"), action)


def npm_version(call: Call, found: Parsed) -> None:
    """``npm version`` alone reports; with an argument it changes, commits and tags."""
    if len(found.operands) > 1:
        add(call, "WG", "version")


def npm_audit(call: Call, found: Parsed) -> None:
    """``npm audit`` asks the registry; fix installs."""
    add(call, "NW" if len(found.operands) > 1 else "N", "audit")


def npm_pkg(call: Call, found: Parsed) -> None:
    """``npm pkg get`` reads."""
    action = found.operands[1].text if len(found.operands) > 1 else ""
    add(call, "R" if action == "get" else "M", action)


NPM = """
ls list la ll ls-extraneous root prefix bin help explain why query  help-search cache/ls |
explore | U
install i add ci clean-install install-test it cit update up upgrade link ln dedupe ddp rebuild rb shrinkwrap
    create install-ci-test | NW
uninstall remove rm r un unlink prune cache/clean  | D
outdated view v info show search publish unpublish deprecate owner dist-tag access login logout adduser whoami
    ping star stars team token hook org profile doctor repo docs bugs home  fund diff | N
cache/add | N
pack | W
set edit | W
start stop restart | U
get sbom cache/verify completion |
"""
NPM_ROW = (
    "words | | --prefix=:o -C=:o -w,--workspace= -g,--global --depth= --registry= "
    "--userconfig=:o --globalconfig=:o --script-shell=:X --loglevel= --cache= --omit= "
    "--include= --tag= --only= --json -p --parseable --long -l -s,--silent --if-present "
    "--ignore-scripts --no-audit --no-fund --production --node-options=:X --shell=:X "
    "--prefer-offline --offline --dry-run --legacy-peer-deps --force -D -E -S -O --save-dev "
    "--save -y --yes --no --no-install --package= -c,--call= --workspaces -ws -q --quiet --all "
    "-a --filter= -F= -r,--recursive --stream --parallel --no-bail --frozen-lockfile --dir= "
    "--cwd= --color"
)
NPM_VERBS = {
    "init": npm_init,
    "innit": npm_init,
    "run": npm_run,
    "run-script": npm_run,
    "rum": npm_run,
    "test": npm_test,
    "t": npm_test,
    "tst": npm_test,
    "config": npm_config,
    "c": npm_config,
    "version": npm_version,
    "audit": npm_audit,
    "pkg": npm_pkg,
}


def npm_exec(call: Call, found: Parsed) -> None:
    """``npm exec`` and ``npx`` may install what they run; told not to, they have the class of what they run."""
    texts = {arg.text for arg in call.args}
    if not texts & {"--no-install", "--no", "--offline", "--yes=false", "-n"}:
        add(call, "N", "exec")
    for code in found.values("-c", "--call"):
        call.shell(code)
    payload = after_word(call, found, skip=call.name != "npx")
    if payload:
        call.run(payload)


_EXEC_VALUES = frozenset(
    names(
        "-p --package -w --workspace -c --call --prefix -C --cwd --filter -F --dir --loglevel --registry --userconfig"
    )
)


def after_word(call: Call, found: Parsed, *, skip: bool = True) -> list[Arg]:
    """Return the command behind the subcommand's word and the runner's own options."""
    payload = list(call.args)
    if skip and found.operands:
        while payload and payload[0].text != found.operands[0].text:
            payload.pop(0)
        payload = payload[1:]
    while payload and payload[0].starts("-") and not payload[0].loose:
        text = payload.pop(0).text
        if text == "--":
            break
        if text in _EXEC_VALUES and payload:
            payload.pop(0)
    return payload


def npx(call: Call) -> None:
    """``npx`` and ``bunx``."""
    spec = compiled(
        "words stop | | -p,--package= -c,--call= -y --yes --no --no-install --offline -q --quiet "
        "-w,--workspace= --prefer-offline --ignore-existing --node-options=:X -n=:X --shell=:X "
        "--bun --userconfig=:o --version -v --help -h --no-color -b --prefix=:o --registry="
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("--version", "-v", "--help", "-h"):
        return
    npm_exec(Call("npx", call.args, call.machine, call.stdin), found)


def local_exec(call: Call, found: Parsed) -> None:
    """``pnpm exec`` and ``yarn exec`` run what is installed."""
    payload = after_word(call, found)
    if payload:
        call.run(payload)


def yarn_other(call: Call) -> None:
    """``yarn NAME`` is a script, a tool or a subcommand."""
    found = read_arguments(call, compiled(NPM_ROW), call.args)
    words = found.operands
    if not words:
        if not found.has("--version", "-v", "--help"):
            add(call, "NW" if call.name in ("yarn", "yarnpkg") else "", "install")
        return
    rule = _MANAGERS[call.name]
    name = words[0].text
    if name in ("workspace", "workspaces") and len(words) > 2:  # in a package, or in each
        position = call.args.index(words[2 if name == "workspace" or words[1].text == "foreach" else 1])
        call.run([Arg(call.name), *call.args[position:]])
    elif name in _VERB_WORDS[call.name]:
        rule(call)
    elif name in KNOWN_SCRIPTS:
        run_script(call, words[0], words[1:] + behind(call))
    elif words[0].known:
        position = call.args.index(words[0])
        call.run(list(call.args[position:]))
    else:
        call.unresolved("unknown_subcommand")


_YARN = """
list why versions help  workspaces/info workspaces/list licenses config/get config/list cache/dir cache/list
    constraints/query explain bin dedupe/--check |
install add upgrade up upgrade-interactive global/add link import set/version plugin/import dedupe create init dlx
    | NW
remove unlink cache/clean autoclean global/remove | D
outdated audit info publish npm/info npm/publish npm/whoami npm/audit login logout owner tag team whoami | N
pack config/set | W
node workspaces/foreach workspaces/focus start | U
"""
_PNPM = """
list ls ll la why licenses root bin help store/path store/status env/list config/get config/list   |
install i add update up upgrade link import rebuild rb dedupe fetch create init dlx self-update deploy
    approve-builds patch env/use | NW
remove rm uninstall un unlink prune store/prune | D
outdated audit info view publish whoami login search | N
pack config/set patch-commit setup | W
start node | U
"""
_BUN = """
help  pm/ls pm/bin pm/cache pm/hash why |
install i add update link create init x upgrade outdated | NW
remove rm unlink pm/cache/rm | D
publish audit info | N
build pm/pack | W
"""
_MANAGER_ROW = NPM_ROW


def _words_of(table: str, special: dict[str, object]) -> frozenset[str]:
    return frozenset(
        word.split("/")[0] for line in logical_lines(table) for word in line.partition("|")[0].split()
    ) | set(special)


_YARN_VERBS = {"run": npm_run, "test": npm_test, "exec": local_exec, "version": npm_version}
_PNPM_VERBS = {"run": npm_run, "run-script": npm_run, "test": npm_test, "t": npm_test, "exec": local_exec}


def bun_test(call: Call, found: Parsed) -> None:
    """``bun test`` runs tests; --preload loads code first."""
    spec = compiled(
        "words | | --preload=:X -r=:X --coverage --timeout= -t,--test-name-pattern= --bail=? "
        "--rerun-each= -u,--update-snapshots!M --todo --only --reporter-outfile=:w --reporter= "
        "--coverage-dir=:w --coverage-reporter= --config=?:o -c=:o --cwd=:o"
    )
    apply(call, spec, read_arguments(call, spec, call.args))


def bun_run(call: Call, found: Parsed) -> None:
    """``bun run NAME`` runs a script or a file."""
    names = found.operands[1:]
    if names:
        run_script(call, names[0], names[1:] + behind(call))


_BUN_VERBS = {"test": bun_test, "run": bun_run}
_MANAGERS: dict[str, Rule] = {
    **dict.fromkeys(("yarn", "yarnpkg"), by_subcommand(_YARN, _MANAGER_ROW, _YARN_VERBS)),
    "pnpm": by_subcommand(_PNPM, _MANAGER_ROW, _PNPM_VERBS),
    "bun": by_subcommand(_BUN, _MANAGER_ROW, _BUN_VERBS),
}
_VERB_WORDS = {
    "yarn": _words_of(_YARN, dict(_YARN_VERBS)),
    "yarnpkg": _words_of(_YARN, dict(_YARN_VERBS)),
    "pnpm": _words_of(_PNPM, dict(_PNPM_VERBS)),
    "bun": _words_of(_BUN, dict(_BUN_VERBS)),
}
