"""JavaScript: node, its package managers, test runners, linters and builders."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.linters import formatter, writer
from agentfsm.shell.programs.spec import Parsed, add, apply, compiled, logical_lines, read_arguments
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg

__all__ = ("RULES", "SCRIPTS", "TABLE", "script_classes")

TABLE = """
eslint eslint_d oxlint xo standard semistandard jshint tslint jscs | words | . | --fix!M --fix-dry-run
    -c,--config=:o --rulesdir=:X --plugin=:X --resolve-plugins-relative-to=:X --parser=:X --ext=
    -o,--output-file=:w -f,--format= --cache-location= --cache-file= --ignore-path= --ignore-pattern=
    --max-warnings= --init!W --fix-type= --rule= --env= --global= --parser-options= --no-eslintrc --cache --quiet
    --stdin --stdin-filename= --print-config= -A= -D= -W= --fix-suggestions!M --fix-dangerously!M --suppress-all!W
    --flag= --prune-suppressions!W --tsconfig=:o -p=:o --rules-dir=:X -r=:X
stylelint | words | . | --fix=?!M -c,--config=:o --config-basedir=:o --custom-formatter=:X -f,--formatter=
    --custom-syntax=:X -o,--output-file=:w --ignore-path= --cache --cache-location= --quiet --max-warnings=
    --print-config= --allow-empty-input --rd --risd
jest | words | . | -c,--config=:o --runner=:X --testRunner=:X --transform=:X --globalSetup=:X --globalTeardown=:X
    --setupFiles=:X --setupFilesAfterEnv=:X --testEnvironment=:X --resolver=:X --reporters=:X
    --testResultsProcessor=:X --snapshotSerializers=:X --preset=:X --rootDir=:o --roots= -u,--updateSnapshot!M
    --ci --coverage=? --coverageDirectory=:w --coverageReporters= --outputFile=:w --json -t,--testNamePattern= -i
    -w,--maxWorkers= -o --watch --watchAll --testPathPattern= --testPathPatterns= --testPathIgnorePatterns=
    --init!W --clearCache!D --cacheDirectory=:w --filter=:X --haste=:X --moduleLoader=:X --dependencyExtractor=:X
    --selectProjects= --shard= --silent --verbose --bail=? --runInBand --passWithNoTests --findRelatedTests
    --listTests --showConfig --changedSince= --env=:X --watchPlugins=:X --prettierPath=:X --testSequencer=:X
    --logHeapUsage --detectOpenHandles --forceExit --colors --no-cache --onlyChanged --testTimeout=
    --collectCoverageFrom= --coverageThreshold= --workerThreads --randomize --seed=
vitest | words | . | -c,--config=:o --root=:o -u,--update!M --coverage=? --outputFile=?:w --reporter=
    -t,--testNamePattern= --environment=:X --globalSetup=:X --browser=? --run --watch -w --ui!N --pool= --api=?!N
    --dir= --project= --bail= --shard= --silent=? --typecheck=? --changed=? --passWithNoTests --no-coverage
    --coverage.reporter= --coverage.enabled=? --coverage.provider= --coverage.reportsDirectory=:w --mode=
    --maxWorkers= --minWorkers= --no-color --isolate=? --merge-reports=? --retry= --globals --dom
    --hideSkippedTests --testTimeout= --sequence.seed= --sequence.shuffle=? --update=?!M --runner=:X --diff=:X
    --snapshotSerializers=:X --poolOptions.threads.singleThread
mocha ava tap uvu lab jasmine qunit node-tap tape | words | . | -r,--require=:X --import=:X --loader=:X
    --experimental-loader=:X -R,--reporter= --config=:o --package=:o -g,--grep= -f,--fgrep= -t,--timeout= --spec=
    --ui=:X -u= --file=:X -O,--reporter-option= -u,--update-snapshots!M -w,--watch --watch-files=
    --node-arguments=!U -n=!U --node-option=!U --helper=:X --exit --bail -b --parallel --jobs= -j= --recursive
    --sort --retries= --invert -i --match= -m= --tap -c= --before=:X --after=:X --node-arg=!U --test-arg=
    --coverage-report=
cypress | words | . | -c,--config=!U -C,--config-file=:o --record!N --key=!N -b,--browser=:X -s,--spec= -e,--env=
    -r,--reporter= --headed --headless --project=:o -P=:o
playwright | words | . | -c,--config=:o --reporter=:X -u,--update-snapshots!M --project= -g,--grep= --headed --ui
    --debug --workers= -j= --list --retries= --shard= --trace= --output=:w --timeout= --max-failures= -x
    --tsconfig=:o --quiet --pass-with-no-tests --repeat-each= --forbid-only --grep-invert= --last-failed
svelte-check vue-tsc-check astro-check attw publint depcheck knip madge ts-prune unimported size-limit bundlewatch
    license-checker dependency-cruiser depcruise jscpd npm-check dpdm type-coverage  | words | . | --fix!M
    -o,--output=:w --config=:o -c=:o -i,--image=:w --tsconfig= --workspace= --fail-on-warnings --threshold=
    --preprocessor=!U --formatter=!U --reporter= -r= --allow-remove-files!D -f= --ignores= --parsers=!U
    --detectors=!U --specials=!U --out=:w --csv --json --output-to=:w -T= --output-type= --ts-config=
npm-check-updates ncu | words +N | . | -u,--upgrade!M
webpack rollup parcel esbuild vite swc babel tsup unbuild ncc microbundle rspack turbopack next nuxt astro gatsby
    remix-build ng nest svelte-kit vue-cli-service react-scripts expo-build sass node-sass lessc postcss
    tailwindcss stylus terser uglifyjs svgo html-minifier cleancss csso pkg electron-builder typedoc jsdoc
    documentation storybook docusaurus eleventy hexo tsdown api-extractor graphql-codegen openapi-generator
    quicktype rsbuild | words +W | . |
rimraf del-cli trash-cli | +D | d* |
mkdirp make-dir | +W | w* |
cpx copyfiles cpy ncp | +W | . |
serve http-server live-server json-server browser-sync ngrok localtunnel lt vercel netlify firebase surge now
    wrangler flyctl fly heroku supabase railway amplify eas np release-it semantic-release changesets | +N | . |
nodemon ts-node tsx pm2 forever supervisor node-dev ts-node-dev esno vite-node zx electron concurrently
    npm-run-all run-s run-p onchange chokidar husky plop yo hygen | +U | . |
"""

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

_SCRIPTS: dict[str, str] = {}
for _line in logical_lines(SCRIPTS):
    _names, _, _classes = _line.partition("|")
    for _name in _names.split():
        _SCRIPTS[_name] = _classes.strip()


def script_classes(name: str) -> str:
    """Return the classes of a project script by its name; any other name is opaque (standard, rule 9)."""
    return _SCRIPTS.get(name, "U")


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


_NPM = """
ls list la ll ls-extraneous root prefix bin help explain why query  help-search cache/ls |
explore | U
install i add ci clean-install install-test it cit update up upgrade link ln dedupe ddp rebuild rb shrinkwrap init
    create innit install-ci-test | NW
uninstall remove rm r un unlink prune cache/clean  | D
outdated view v info show search publish unpublish deprecate owner dist-tag access login logout adduser whoami
    ping star stars team token hook org profile doctor repo docs bugs home  fund diff | N
cache/add | N
pack | W
set edit | W
start stop restart | U
get sbom cache/verify completion |
"""
_NPM_ROW = (
    "words | | --prefix=:o -C=:o -w,--workspace= -g,--global --depth= --registry= "
    "--userconfig=:o --globalconfig=:o --script-shell=:X --loglevel= --cache= --omit= "
    "--include= --tag= --only= --json -p --parseable --long -l -s,--silent --if-present "
    "--ignore-scripts --no-audit --no-fund --production --node-options=:X --shell=:X "
    "--prefer-offline --offline --dry-run --legacy-peer-deps --force -D -E -S -O --save-dev "
    "--save -y --yes --no --no-install --package= -c,--call= --workspaces -ws -q --quiet --all "
    "-a --filter= -F= -r,--recursive --stream --parallel --no-bail --frozen-lockfile --dir= "
    "--cwd= --color"
)
_NPM_VERBS = {
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
    {
        "-p",
        "--package",
        "-w",
        "--workspace",
        "-c",
        "--call",
        "--prefix",
        "-C",
        "--cwd",
        "--filter",
        "-F",
        "--dir",
        "--loglevel",
        "--registry",
        "--userconfig",
    }
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
    found = read_arguments(call, compiled(_NPM_ROW), call.args)
    words = found.operands
    if not words:
        if not found.has("--version", "-v", "--help"):
            add(call, "NW" if call.name in ("yarn", "yarnpkg") else "", "install")
        return
    rule = _MANAGERS[call.name]
    name = words[0].text
    if name in _VERB_WORDS[call.name]:
        rule(call)
    elif name in _SCRIPTS:
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
_MANAGER_ROW = _NPM_ROW


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


def node(call: Call) -> None:
    """``node`` runs code: opaque, but for its version, a syntax check and its test runner."""
    texts = [arg.text for arg in call.args]
    if texts and texts[0] in ("--version", "-v", "--help", "-h", "--v8-options", "--completion-bash"):
        return
    loads = any(
        text.startswith(
            (
                "-r",
                "--require",
                "--import",
                "--loader",
                "--experimental-loader",
                "-e",
                "--eval",
                "-p",
                "--print",
                "--env-file",
                "--test-reporter",
                "--test-global-setup",
                "--run",
                "--inspect",
                "-i",
                "--experimental-config",
            )
        )
        for text in texts
        if not text.startswith("--test-reporter=")
    )
    if not loads and any(text in ("-c", "--check") for text in texts):
        for arg in call.args:
            if not arg.starts("-"):
                call.reads(arg)
        return
    if not loads and texts and texts[0] == "--test":
        if any(text.startswith(("--test-update-snapshots", "--test-reporter-destination")) for text in texts):
            add(call, "W", "--test")
        return
    call.unresolved("opaque_code", " ".join(texts)[:80])


def deno(call: Call) -> None:
    """``deno``: tests, lint and checks are known, programs are opaque."""
    rule = by_subcommand(
        (
            "lint  info types doc help test bench check |\n"
            "fmt | F\n"
            "compile bundle coverage init vendor | W\n"
            "cache install add outdated upgrade publish jupyter | NW\n"
            "remove uninstall clean | D\n"
            "run eval repl task serve x | U"
        ),
        (
            "words | | --fix!M -c,--config=:o --import-map=:o --check --rules-tags= --rules-include= "
            "--filter= --coverage=?:w --reporter= --junit-path=:w --allow-run=? --allow-all "
            "--preload=:X --allow-write=? --json -A -q --no-lock --ext= --ignore= --permit-no-files "
            "--doc --fail-fast=? --parallel --watch=? --no-check=?"
        ),
        {"fmt": deno_format},
    )
    rule(call)


def deno_format(call: Call, found: Parsed) -> None:
    """``deno fmt`` rewrites, unless it checks."""
    if not found.has("--check"):
        call.note(OpClass.FILE_MODIFY, "formats")


def tsc(call: Call) -> None:
    """``tsc`` writes its output, unless told to emit nothing."""
    spec = compiled(
        "words | | -p,--project=:o --outDir=:w --outFile=:w -t,--target= -m,--module= --lib= "
        "--jsx= --moduleResolution= -b,--build -w,--watch --noEmit --listFiles --listFilesOnly "
        "--showConfig --explainFiles --traceResolution --init!W --generateTrace=:w "
        "--declarationDir=:w --tsBuildInfoFile=:w --generateCpuProfile=:w --rootDir= --strict "
        "--skipLibCheck --pretty=? --incremental -v,--version -h,--help --all --locale= "
        "--plugins=!U --clean!D --dry -d --verbose --force --emitDeclarationOnly --declaration "
        "--esModuleInterop --types= --typeRoots="
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    turned_off = any(
        option.name == "--noEmit" and value is not None and value.text == "false" for option, value in found.options
    )
    if turned_off or not found.has(
        "--noEmit", "--version", "-v", "--help", "-h", "--showConfig", "--listFilesOnly", "--all", "--dry"
    ):
        texts = [arg.text.lower() for arg in call.args]
        if (
            turned_off
            or "--noemit" not in texts
            or texts[texts.index("--noemit") + 1 : texts.index("--noemit") + 2] == ["false"]
        ):
            call.note(OpClass.FILE_WRITE, "builds")


def lint_verbs(call: Call) -> None:
    """``biome`` and ``rome``: check and lint, or rewrite with --write."""
    by_subcommand(
        ("check lint ci version help rage explain search |\nformat |\ninit migrate | W\nstart stop lsp-proxy | U"),
        (
            "words | | --write!M --apply!M --apply-unsafe!M --fix!M --unsafe --config-path=:o "
            "--reporter= --colors= --stdin-file-path= --changed --since= --max-diagnostics= --staged"
        ),
    )(call)


def lerna(call: Call) -> None:
    """Monorepo runners: ``run`` a target by name in every package."""
    by_subcommand(
        (
            "list ls changed diff info graph show report  affected:graph print-affected |\n"
            "bootstrap add link | NW\n"
            "version publish | NWG\n"
            "clean reset prune | D\n"
            "exec | U\n"
            "build | W\n"
            "test lint |\n"
            "format | M\n"
            "format:check |\n"
            "boundaries ls query scan |"
        ),
        (
            "words | | --scope= --filter= -t,--target= --projects= --targets= -p= --concurrency= "
            "--base= --head= --parallel= --all --stream --since=? -F= --dry-run=? --dry=? --graph=?:w "
            "--output-logs= --skip-nx-cache --no-cache --force --continue=? --verbose --runner=:X "
            "--configuration= -c= --api=!N --token=!N --team=!N --remote-only!N --cache-dir=:w "
            "--log-order="
        ),
        {"run": lerna_run, "run-many": lerna_targets, "affected": lerna_targets},
    )(call)


def lerna_run(call: Call, found: Parsed) -> None:
    """Judge the scripts named behind ``run``."""
    for name in found.operands[1:]:
        run_script(call, Arg(name.text.rpartition(":")[2] or name.text, name.loose, name.glob), [])


def lerna_targets(call: Call, found: Parsed) -> None:
    """Judge the targets of ``nx run-many`` and ``nx affected``."""
    names = found.values("-t", "--target", "--targets")
    if not names:
        call.unresolved("unknown_subcommand", "no target")
    for name in names:
        for part in name.text.split(","):
            run_script(call, Arg(part), [])


def coverage_wrapper(call: Call) -> None:
    """``c8`` and ``nyc`` measure what they run, and report."""
    spec = compiled(
        "words stop | | -r,--reporter= --reports-dir=:w --report-dir=:w --temp-directory=:w "
        "-x,--exclude= -n,--include= --all -a --check-coverage --lines= --branches= --functions= "
        "--statements= -c,--config=:o --require=:X -i=:X --extension= --src= --clean --cwd= "
        "--silent -s"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    payload = found.operands
    if payload and payload[0].text in ("report", "check-coverage", "merge", "instrument"):
        if payload[0].text in ("merge", "instrument"):
            call.note(OpClass.FILE_WRITE, "writes_file")
        return
    if payload:
        call.run(payload)


def assignments_first(call: Call) -> None:
    """``cross-env`` and ``dotenv`` set variables and run the rest."""
    payload = list(call.args)
    while payload and ("=" in payload[0].text or payload[0].starts("-")):
        arg = payload.pop(0)
        if arg.text == "--":
            break
        if arg.starts("-"):
            if arg.text in ("-e", "-v", "-c", "-p") and payload:
                payload.pop(0)
            continue
        name, _, value = arg.text.partition("=")
        call.variable(name, Arg(value))
    if payload:
        call.run(payload)


_PRETTIER = (
    "words | | --write -w -c,--check -l,--list-different --config=:o --plugin=:X --parser= "
    "--ignore-path= --log-level= --stdin-filepath= --no-config --find-config-path= "
    "--support-info --file-info= --config-precedence= --cache --cache-location= "
    "--plugin-search-dir=:X --tab-width= --print-width= --no-color --ignore-unknown -u "
    "--no-error-on-unmatched-pattern --single-quote"
)
RULES: dict[str, Rule] = {
    "npm": by_subcommand(_NPM, _NPM_ROW, {**_NPM_VERBS, "exec": npm_exec, "x": npm_exec}),
    "cnpm": by_subcommand(_NPM, _NPM_ROW, {**_NPM_VERBS, "exec": npm_exec, "x": npm_exec}),
    "npx": npx,
    "bunx": npx,
    "pnpx": npx,
    "pnpm": yarn_other,
    "yarn": yarn_other,
    "yarnpkg": yarn_other,
    "bun": yarn_other,
    **dict.fromkeys(("node", "nodejs"), node),
    "deno": deno,
    "tsc": tsc,
    "vue-tsc": tsc,
    "tsgo": tsc,
    "biome": lint_verbs,
    "rome": lint_verbs,
    **dict.fromkeys(("lerna", "nx", "turbo"), lerna),
    "prettier": writer(_PRETTIER, "--write", "-w"),
    "prettierd": writer(_PRETTIER, "--write", "-w"),
    "js-beautify": writer("words | | -r,--replace -f= -o=:w --config=:o", "-r", "--replace"),
    "c8": coverage_wrapper,
    "nyc": coverage_wrapper,
    "cross-env": assignments_first,
    "dotenv": assignments_first,
    "sort-package-json": formatter("words | | --check -c --stdin", ("--check", "-c", "--stdin")),
    "corepack": by_subcommand("help |\nenable disable prepare install use up pack hydrate | NW"),
    "nvm": by_subcommand(
        "ls list current version which --version  |\n"
        "ls-remote list-remote version-remote | N\n"
        "install install-latest-npm | NW\n"
        "use | \n"
        "uninstall cache/clear | D\n"
        "alias unalias | W\n"
        "exec run | U"
    ),
    "fnm": by_subcommand(
        "list ls current env completions | \n"
        "list-remote ls-remote | N\n"
        "install | NW\n"
        "use default alias unalias | W\n"
        "uninstall | D\n"
        "exec | U"
    ),
    "volta": by_subcommand(
        "list ls which help completions |\ninstall fetch pin | NW\nuninstall | D\nrun | U\nsetup | W"
    ),
    "n": by_subcommand(
        "ls bin which doctor help | \nls-remote lsr | N\nrm uninstall prune | D\nrun exec | U\nlatest lts stable | NW"
    ),
}
