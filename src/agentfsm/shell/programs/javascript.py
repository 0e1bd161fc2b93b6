"""JavaScript: node, its package managers, test runners, linters and builders."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.arguments import Parsed, apply, read_arguments
from agentfsm.shell.programs.js_projects import assignments_first, coverage_wrapper, lerna
from agentfsm.shell.programs.linters import formatter, verbs, writer
from agentfsm.shell.programs.npm import (
    KNOWN_SCRIPTS,
    NPM,
    NPM_ROW,
    NPM_VERBS,
    SCRIPTS,
    npm_exec,
    npx,
    yarn_other,
)
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled, logical_lines
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.programs.web_tools import WEB_TOOLS, web_tool

__all__ = ("RULES", "TABLE")

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
svelte-check vue-tsc-check astro-check attw publint depcheck knip madge ts-prune unimported size-limit bundlewatch
    license-checker dependency-cruiser depcruise jscpd npm-check dpdm type-coverage  | words | . | --fix!M
    -o,--output=:w --config=:o -c=:o -i,--image=:w --tsconfig= --workspace= --fail-on-warnings --threshold=
    --preprocessor=!U --formatter=!U --reporter= -r= --allow-remove-files!D -f= --ignores= --parsers=!U
    --detectors=!U --specials=!U --out=:w --csv --json --output-to=:w -T= --output-type= --ts-config=
npm-check-updates ncu | words +N | . | -u,--upgrade!M
rollup esbuild swc babel tsup unbuild ncc microbundle turbopack remix-build expo-build sass node-sass lessc postcss
    tailwindcss stylus terser uglifyjs svgo html-minifier cleancss csso pkg electron-builder typedoc jsdoc
    documentation eleventy tsdown api-extractor graphql-codegen openapi-generator
    quicktype | words +W | . |
rimraf del-cli trash-cli | +D | d* |
mkdirp make-dir | +W | w* |
cpx copyfiles cpy ncp | +W | . |
serve http-server live-server json-server browser-sync ngrok localtunnel lt vercel netlify firebase surge now
    wrangler flyctl fly heroku supabase railway amplify eas np release-it semantic-release changesets | +N | . |
nodemon ts-node tsx pm2 forever supervisor node-dev ts-node-dev esno vite-node zx electron concurrently
    npm-run-all run-s run-p onchange chokidar husky plop yo hygen | +U | . |
"""
for _line in logical_lines(SCRIPTS):
    _names, _, _classes = _line.partition("|")
    for _name in _names.split():
        KNOWN_SCRIPTS[_name] = _classes.strip()


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


_PRETTIER = (
    "words | | --write -w -c,--check -l,--list-different --config=:o --plugin=:X --parser= "
    "--ignore-path= --log-level= --stdin-filepath= --no-config --find-config-path= "
    "--support-info --file-info= --config-precedence= --cache --cache-location= "
    "--plugin-search-dir=:X --tab-width= --print-width= --no-color --ignore-unknown -u "
    "--no-error-on-unmatched-pattern --single-quote"
)
_PLAYWRIGHT = (
    "words | . | -c,--config=:o --reporter=:X -u,--update-snapshots!M --project= -g,--grep= --headed "
    "--ui --debug --workers= -j= --list --retries= --shard= --trace= --output=:w --timeout=  "
    "--max-failures= -x --tsconfig=:o --quiet --pass-with-no-tests --repeat-each= --forbid-only  "
    "--grep-invert= --last-failed "
)
RULES: dict[str, Rule] = {
    **dict.fromkeys(WEB_TOOLS, web_tool),
    "karma": verbs("words | . | --config=:o --plugins=:X", {"start": "", "run": "", "init": "W"}),
    "playwright": verbs(
        _PLAYWRIGHT,
        {
            **dict.fromkeys(("test", "show-report", "merge-reports", "show-trace"), ""),
            **dict.fromkeys(("install", "install-deps"), "NW"),
            **dict.fromkeys(("open", "codegen", "screenshot", "pdf", "cr", "ff", "wk"), "NW"),
            **dict.fromkeys(("uninstall", "clear-cache"), "D"),
        },
    ),
    "npm": by_subcommand(NPM, NPM_ROW, {**NPM_VERBS, "exec": npm_exec, "x": npm_exec}),
    "cnpm": by_subcommand(NPM, NPM_ROW, {**NPM_VERBS, "exec": npm_exec, "x": npm_exec}),
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
        "ls list current version which  |\n"
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
