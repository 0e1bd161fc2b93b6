"""Test runners, type checkers, linters and formatters by name (standard, rule 8)."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.spec import Parsed, add, apply, compiled, read_arguments
from agentfsm.shell.values import Arg

__all__ = ("RULES", "TABLE")

TABLE = """
tox nox | words | . | -e= -c=:o -x=:U -s= --workdir=:w -f,--noxfile=:o -k= --result-json=:w -p,--parallel=?
    --devenv=:w --notest -t= -R -r -q -v -l --skip-env= --override=!U --installpkg=!U -rootdir= --root=
    --force-python=!U --python= --discover=!U --verbose=? --extra-pythons= --default-venv-backend= --runner=
    --exit-and-dump-after=
py.test nosetests nose2 trial stestr testr zope-testrunner ward lettuce slipcover | words | . | -p=!U --plugin=!U
    --with-plugin=!U -c=:o -w= -a= --tests= -s= -v
behave | words | . | -o,--outfile=:w -f,--format= -t,--tags= -n,--name= -D,--define= -i,--include= -e,--exclude=
    -k -q --junit!W --junit-directory=:w --stage= --no-capture --dry-run -d --runner=!U
robot pabot | words +W | . | -d,--outputdir=:w -L= -t= -s= -i= -e= -v= --listener=!U --library=!U -P=!U
    --pythonpath=!U --variablefile=!U -V=!U --prerunmodifier=!U --dryrun
mypy dmypy pyre pytype ty | words | . | -p,--package= -m,--module= -c,--command= --config-file=:o
    --python-version= --platform= --python-executable=:X --exclude= --cache-dir=:w --junit-xml=:w --html-report=:w
    --txt-report=:w --xml-report=:w --any-exprs-report=:w --cobertura-xml-report=:w --linecount-report=:w
    --linecoverage-report=:w --lineprecision-report=:w --xslt-html-report=:w --xslt-txt-report=:w
    --install-types!N!W --strict --show-error-codes --follow-imports= --custom-typeshed-dir=:o
    --custom-typing-module= --enable-error-code= --disable-error-code= --shadow-file= --scripts-are-modules
    --output= --non-interactive --explicit-package-bases --ignore-missing-imports --plugin=!U --error-format=
pyright basedpyright | words | . | -p,--project=:o --pythonpath=:X -t,--typeshedpath=:o -v,--venvpath=
    --outputjson --stats --verbose --watch -w --level= --createstub=!W --verifytypes= --warnings --threads=?
    --writebaseline!W --pythonversion= --pythonplatform= --skipunannotated --dependencies
flake8 pycodestyle pydocstyle pyflakes mccabe radon xenon vulture interrogate pylama prospector dodgy | words | .
    | --config=:o --append-config=:o --output-file=:w --tee --select= --ignore= --extend-ignore= --extend-select=
    --max-line-length= --max-complexity= --exclude= --format= --statistics --count --show-source -j,--jobs=
    --require-plugins= --enable-extensions= --min-confidence= --isolated --per-file-ignores= --make-whitelist -o=
    -s -a -n= --generate-badge=:w
pylint epylint symilar | words | . | --rcfile=:o --init-hook=:X --load-plugins=:X --output=:w -d,--disable=
    -e,--enable= -f,--output-format= -j,--jobs= --generate-rcfile --generate-toml-config -E,--errors-only
    --fail-under= --ignore= --ignore-patterns= --msg-template= --reports= -r= --score= -s= --max-line-length=
    --good-names= --py-version= --extension-pkg-allow-list= --extension-pkg-whitelist= --persistent= --recursive=
    --source-roots= --disable-all
pyreverse | +W | . |
bandit | words | . | -o,--output=:w -f,--format= -c,--configfile=:o -r -q -ll -lll -i -ii -iii -x,--exclude= -t=
    -s= -b,--baseline=:r -n= --ini=:o -p=
codespell typos | words | . | -w,--write-changes!M -i,--interactive= -L,--ignore-words-list= -S,--skip=
    -I,--ignore-words= -D,--dictionary= -q= --config=:o --toml=:o --diff --format= -x=
yamllint | words | . | -c,--config-file=:o -d,--config-data= -f,--format= -s,--strict --list-files --no-warnings
ansible-lint | words | . | -r,--rules-dir=:X -R -c,--config-file=:o --fix=?!M -f= -q -p --offline -x= -t=
    --write=?!M --profile= --skip-list= -w=
cfn-lint | words | . | -a,--append-rules=:X --config-file=:o --output-file=:w --format= -t= -r= -i=
hadolint | words | . | -c,--config=:o -f,--format= --ignore= --failure-threshold= --trusted-registry= -t= --no-fail
actionlint zizmor | words | . | -config-file=:o --config=:o -shellcheck=:x -pyflakes=:x -format= -ignore= -color
    -oneline -verbose
shellharden | words | . | --replace!M --check --suggest --syntax --transform
markdownlint markdownlint-cli2 mdl remark-lint | words | . | -f,--fix!M -c,--config=:o -r,--rules=:X -i,--ignore=
    -o,--output=:w -d -q -j --rulesets=!U -p=!U -u=!U
proselint vale write-good alex textlint | words | . | --fix!M --config=:o --rulesdir=:X --rule=!U --plugin=!U
    --preset=!U --output= -o=:w -f=
editorconfig-checker ec eclint | words | . | -config=:o --config=:o --fix!M -exclude= --init!W
commitlint | words | . | -x,--extends=!U -g,--config=:o -f,--from= -t,--to= -e,--edit -o,--format= -H=
    -p,--parser-preset=!U
tflint tfsec checkov terrascan kube-linter kubeval kubeconform conftest polaris kube-score datree | words | . |
    -c,--config=:o --fix!M --init!N!W --plugin-dir=:X --external-checks-dir=:X --external-checks-git=!N!U
    -d,--directory= -f,--file= -o,--output= --output-file-path=:w --schema-location=!N -p,--policy=:o --data=
    --update=!N --download-external-modules=!N --out=:w
buf | words | . | -o,--output=:w -w,--write!M
protolint | words | . | -fix!M -plugin=!U -config_path=:o
golangci-lint | words | . | --fix!M -c,--config=:o --out-format= --enable= --disable= -E= -D= -p= --timeout=
    --new-from-rev= --build-tags= --output.json.path=:w --fast --new -v --tests= -j=
staticcheck errcheck gosec revive ineffassign misspell gocyclo gocritic nilaway deadcode unparam | words | . |
    -w!M -fix!M -out=:w -fmt= -config=:o -checks= -tests= -ignore= -formatter= -exclude=
gotestsum | words | . | --junitfile=:w --jsonfile=:w --post-run-command=:x --format= --rerun-fails=? --packages=
    --watch --raw-command!U -f= --
ginkgo | words | . | -r -v -p --focus= --skip= --junit-report=:w --json-report=:w --output-dir=:w -procs=
    --exec=:x --cover --label-filter=
rubocop standardrb | words | . | -a!M -A!M -x!M --auto-correct!M --autocorrect!M --autocorrect-all!M
    --auto-correct-all!M --fix!M --fix-layout!M --safe-auto-correct!M -r,--require=:X --plugin=:X -c,--config=:o
    -o,--out=:w -f,--format= --only= --except= -l -L -D -S -P -d --cache= --auto-gen-config!W --regenerate-todo!W
    --init!W --fail-level= --parallel -E -n
reek brakeman flog flay fasterer haml-lint slim-lint erblint erb_lint rails_best_practices | words | . |
    -o,--output=:w -c,--config=:o -a,--autocorrect!M -r,--require=:X --add-checks-path=:X -f= -q -w= --format=
rspec cucumber turnip parallel_rspec | words | . | -r,--require=:X -I=:o -o,--out=:w -f,--format= -e,--example=
    -t,--tag= -P,--pattern= -O,--options=:o -c -b -d --seed= --order= --fail-fast=? --init!W --only-failures
    --next-failure --profile=? --dry-run --no-color --force-color --backtrace --bisect=? --default-path=
steep srb sorbet | words | . | -a,--autocorrect!M --typed= --save-expectations!M
phpunit paratest pest codecept | words | . | --bootstrap=:X -c,--configuration=:o --filter= --testsuite= --group=
    --exclude-group= --log-junit=:w --coverage-html=:w --coverage-clover=:w --coverage-text=? --coverage-xml=:w
    --coverage-php=:w --testdox --testdox-html=:w --testdox-text=:w --log-teamcity=:w --stop-on-failure --colors=?
    --include-path=:X -d= --extension=!U --generate-configuration!W --coverage-cobertura=:w --order-by=
    --printer=!U --loader=!U --migrate-configuration!M
phpstan psalm phan phpmd phpcs phplint parallel-lint deptrac php-parse | words | . | -a,--autoload-file=:X
    -c,--configuration=:o -l,--level= --memory-limit= --error-format= -b,--generate-baseline=?!W --standard=
    --extensions= --ignore= --report= --report-file=:w --report-full=:w --alter!M --set-baseline=!W --plugin=!U
    --bootstrap=!U --no-progress --runtime-set=!U --sniffs= -n -s -p -v --parallel= -d=
phpcbf | +M | . |
ktlint detekt scalastyle checkstyle pmd spotbugs errorprone infer | words | . | -F,--format!M -R,--ruleset=:o
    -c,--config=:o -r,--report=!W -p,--plugins=:X -o=:w --auto-correct!M -cp=!U --classpath=!U -pluginList=!U
    --output=:w -f= -d= --reporter= -V
swiftlint swiftformat-lint periphery | words | . | --fix!M --autocorrect!M --config=:o --strict --quiet
    --reporter= --path= --output=:w
hlint stan weeder | words | . | --refactor!M --hint=:o --report=?!W -h=:o --with=!U --with-refactor=!U
    --refactor-options=
credo dialyzer elvis xref | words | . |
luacheck selene | words | . | --config=:o --std= --no-color -q --globals= --formatter= -o= --plugins=!U
cppcheck | words | . | --addon=:X --addon-python=:X --output-file=:w --project=:r --enable= --suppress= --std=
    --language= -I= -D= -U= -j= --xml --template= --dump!W --cppcheck-build-dir=:w --checkers-report=:w
    --plist-output=:w --rule= --rule-file=:o --library=:o --inconclusive --force --quiet -q --check-config
    --max-configs= --platform= --suppressions-list=:r --includes-file=:r --file-list=:r --error-exitcode= -i=
    --inline-suppr --clang=?:X --executor= --exception-handling=? --force
clang-tidy run-clang-tidy clang-check | words | . | -fix!M -fix-errors!M -fix-notes!M --fix!M --fix-errors!M
    --fix-notes!M -p= -checks= --checks= --config= -config= --config-file=:o --export-fixes=:w -export-fixes=:w
    -load=:X --load=:X -header-filter= --header-filter= --extra-arg= --extra-arg-before= --line-filter= --quiet
    -quiet --list-checks -clang-tidy-binary=:X -j= --vfsoverlay= --plugins=:X
cpplint oclint iwyu include-what-you-use splint flawfinder rats sparse | words | . | --filter= --output=
    --linelength= --extensions= -o=:w -R=!U
cmake-lint cmakelint gersemi-check vint taplo-lint | words | . | --config=:o
ctest | words | . | -R,--tests-regex= -E,--exclude-regex= -L= -LE= -j,--parallel= -V -VV -N --output-on-failure
    --test-dir= -C,--build-config= --timeout= -O,--output-log=:w --output-junit=:w -S,--script=:X -SP=:X
    -D,--dashboard=!N -M=!N -T= --build-and-test!U --rerun-failed --repeat= --stop-on-failure -I= -Q --preset=
    --build-command=!U --test-command=!U --progress --schedule-random --extra-submit=!N
bats | words | . | -o,--output=:w -f,--filter= -j,--jobs= -F,--formatter= -r -t -p -c --report-formatter=
    --gather-test-outputs-in=:w --tap --timing -T -x --print-output-on-failure --verbose-run --code-quote-style=
    --line-reference-format= --filter-tags= --filter-status= --setup-suite-file=:X
dotnet-format csharpier-check | words | . |
prove | words | . | -l -b -r -v -q -f -s -w -j= -I=:o -e,--exec=:x -P=:X -M=:X --source= --formatter=:X
    --harness=:X --archive=:w -a=:w --state= --shuffle --timer --color --rc=:o --norc -D -T -t -m -Q -o -p
busted | words | . | -o= -p= -t= --helper=!U --loaders=!U --lua=!U -m=!U --lpath=!U --cpath=!U --pattern= --tags=
    -r= --run= -c -f=:o
elm-test elm-review buck2-test | words | . | --fix!M --fix-all!M --compiler=!U --elmjson= --seed= --fuzz=
    --report= --config=:o --template=!N!U
lighthouse pa11y axe | +N | . |
hyperlink lychee linkchecker markdown-link-check htmltest | words +N | . |
html-validate htmlhint vnu linthtml csslint stylelint-check djlint-check curlylint | words | . | --config=:o -c=:o
    --rulesdir=:X -f=
xmllint | strict | r* | --output,-o=:w --noout --format --c14n --xpath= --schema=:r --relaxng=:r --dtdvalid=:r
    --dtdvalidfpi= --valid --postvalid --huge --noent --nonet --recover --html --xmlout --encode= --pretty=
    --stream --debug --timing --quiet --nowarning --noblanks --nocatalogs --load-trace --path= --pattern=
    --schematron=:r --sax --sax1 --shell!U --version --nodefdtd --nocdata --nsclean --push --memory --testIO
    --copy --repeat --insert --dropdtd --dtdattr --loaddtd --xinclude --catalogs --noxincludenode --oldxml10
    --maxmem= --walker --auto --exc-c14n --c14n11 --compress --chkregister --chunkio
xmlstarlet xml | words | . | -L,--inplace!M
jsonlint jsonschema check-jsonschema ajv json5 yajv yajsv | words | . | -i,--in-place!M -s= -d= --schemafile=
    -r=:X -c=:X --spec= --data-transform=
desktop-file-validate appstreamcli appstream-util lintian rpmlint checkmake nixpkgs-lint deadnix statix
    systemd-analyze-verify | words | . | -e,--edit!M"""


def reports(call: Call, found: Parsed) -> None:
    """Note what pytest's coverage and report options write."""
    for value in found.values("--cov-report"):
        if value.text.partition(":")[0] in ("html", "xml", "json", "lcov", "annotate"):
            call.note(OpClass.FILE_WRITE, "writes_report", value.text)


_PYTEST = (
    "words | | -k= -m= -p= -c,--config-file=:o -o,--override-ini= -n,--numprocesses= "
    "-W,--pythonwarnings= -r= --tb= --maxfail= --junitxml,--junit-xml=:w --junit-prefix= "
    "--rootdir=:o "
    "--confcutdir=:o --ignore= --ignore-glob= --deselect= --cov=? --cov-report= "
    "--cov-config=:o --cov-fail-under= --cov-branch --cov-append --durations= --durations-min= "
    "--log-file=:w --log-level= "
    "--log-cli-level= --log-format= --log-file-level= --basetemp=:w --html=:w "
    "--self-contained-html --import-mode= --pdbcls=:X --dist= --tx=:X --rsyncdir=:X --timeout= "
    "--reruns= --reruns-delay= "
    "--co,--collect-only --lf,--last-failed --ff,--failed-first --nf,--new-first "
    "--sw,--stepwise --cache-show=? --cache-clear --fixtures --markers --trace-config "
    "--setup-show --setup-plan --setup-only --strict-markers --strict-config --doctest-modules "
    "--doctest-glob= --color= --capture= --show-capture= --result-log=:w --report-log=:w "
    "--json-report-file=:w --json-report --benchmark-json=:w --benchmark-autosave!W "
    "--benchmark-save=!W --benchmark-only --benchmark-skip --snapshot-update!M "
    "--inline-snapshot=!M --update-snapshots!M --ds= --dc= --create-db --reuse-db "
    "--no-migrations --nomigrations --randomly-seed= --asyncio-mode= --hypothesis-seed= "
    "--hypothesis-profile= --verbosity= --pyargs --pdb --trace --debug=?:w "
    "-x -q -v -s -l -h -V --exitfirst --quiet --verbose --showlocals --no-header --no-summary "
    "--disable-warnings --disable-plugin-autoload --full-trace --runxfail --keep-duplicates "
    "--noconftest --version --help --continue-on-collection-errors --looponfail -f --forked "
    "--testmon --pastebin=!N --mypy --flake8 --pylint --black --ruff --isort --nbval "
    "--allure-dir= --alluredir=:w --template= --reportportal!N --docker-compose= --headed "
    "--browser= --driver= --base-url= --slow --runslow --run-slow --integration --e2e --live "
    "--allow-hosts= --disable-socket --count= --repeat= --parallel-threads= --workers= "
    "--tests-per-worker= --splits= --group= --store-durations!W --no-cov --no-cov-on-fail "
    "--plugins= --env= --failed-first"
)


def pytest(call: Call) -> None:
    """``pytest`` runs the project's tests; an option that loads other code or leaves the project is not that."""
    spec = compiled(_PYTEST)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    reports(call, found)
    for plugin in found.values("-p"):
        if not plugin.starts("no:"):
            call.unresolved("loads_plugin", plugin.text)
    for override in found.values("-o", "--override-ini"):
        if override.text.partition("=")[0] in ("addopts", "pythonpath", "required_plugins") or not override.known:
            call.unresolved("option_runs_code", override.text)
    for operand in found.operands:
        if operand.text.partition("::")[0].startswith("/") or operand.text.startswith(("~", "../")):
            outside(call, operand)


def outside(call: Call, operand: Arg) -> None:
    """Note tests outside the project: their code is not the project's."""
    call.unresolved("tests_outside_project", operand.text)


def unit(call: Call) -> None:
    """``python -m unittest`` and ``doctest`` run the project's tests."""
    for arg in call.args:
        if not arg.starts("-") and arg.text.startswith(("/", "~", "../")):
            outside(call, arg)


def formatter(row: str, checks: tuple[str, ...], quiet: tuple[str, ...] = ()) -> Rule:
    """Return the rule of a formatter that rewrites unless it is only to check."""

    def rule(call: Call) -> None:
        spec = compiled(row)
        found = read_arguments(call, spec, call.args)
        apply(call, spec, found)
        if (
            found.has(*checks, *quiet, "--help", "--version")
            or not call.args
            or [arg.text for arg in call.args] == ["-"]
        ):
            return
        call.note(OpClass.FILE_MODIFY, "formats", call.name)
        for operand in found.operands:
            if operand.known and operand.text != "-":
                call.machine.record.written[call.path(operand)] = None

    return rule


def writer(row: str, *writes: str) -> Rule:
    """Return the rule of a formatter that prints unless it is told to write."""

    def rule(call: Call) -> None:
        spec = compiled(row)
        found = read_arguments(call, spec, call.args)
        apply(call, spec, found)
        if not found.has(*writes):
            for operand in found.operands:
                call.reads(operand)
            return
        call.note(OpClass.FILE_MODIFY, "formats", call.name)
        for operand in found.operands:
            if operand.known:
                call.machine.record.written[call.path(operand)] = None

    return rule


def verbs(row: str, table: dict[str, str], bare: str = "") -> Rule:
    """Return the rule of a checker with a few subcommands; a subcommand that is not known is unresolved."""

    def rule(call: Call) -> None:
        spec = compiled(row)
        found = read_arguments(call, spec, call.args)
        apply(call, spec, found)
        if found.has("--help", "--version", "-V", "-h") or call.args[-1:] == (Arg("--help", bare=True),):
            return
        action = found.operands[0].text if found.operands else bare
        if action not in table:
            call.unresolved("unknown_subcommand", action)
            return
        classes = table[action]
        if classes == "F":
            classes = "" if found.has("--check", "--diff", "-check", "--dry-run") else "M"
        add(call, classes, action)

    return rule


_RUFF = (
    "words | | --fix!M --fix-only!M --unsafe-fixes --config=:o -o,--output-file=:w --select= "
    "--ignore= --extend-select= --extend-ignore= --output-format= --line-length= "
    "--target-version= --exclude= --extend-exclude= --per-file-ignores= --statistics "
    "--add-noqa!M --show-fixes --diff --check -n --no-cache --cache-dir=:w --stdin-filename= "
    "--range= -q -v -s -e --exit-zero --exit-non-zero-on-fix --watch -w --preview --isolated "
    "--no-fix --force-exclude --color= --show-files --show-settings --extension= "
    "--no-unsafe-fixes"
)
_BLACK = (
    "words | | -c,--code= -l,--line-length= -t,--target-version= --config=:o --include= "
    "--exclude= --extend-exclude= --force-exclude= --stdin-filename= -W,--workers= "
    "--required-version= --line-ranges= --enable-unstable-feature= --pyi --ipynb --check "
    "--diff --color -q -v -S -C -x --preview --unstable --fast --safe "
    "--skip-string-normalization --python-cell-magics= --help --version -h --no-cache"
)

RULES: dict[str, Rule] = {
    "pytest": pytest,
    "py.test": pytest,
    "python-unittest": unit,
    "python-doctest": unit,
    "ruff": verbs(
        _RUFF,
        {
            "check": "",
            "format": "F",
            "rule": "",
            "config": "",
            "linter": "",
            "version": "",
            "help": "",
            "clean": "D",
            "analyze": "",
            "server": "U",
        },
    ),
    "black": formatter(_BLACK, ("--check", "--diff"), ("-c", "--code")),
    "isort": formatter(
        (
            "words | | -c,--check-only,--check --diff -d --stdout -l= "
            "--sp,--settings-path,--settings-file,--settings=:o --profile= -p= -o= -q -v "
            "--show-settings --show-files --version --help -s= --skip= --sg= --cr= --src="
        ),
        ("-c", "--check-only", "--check", "--diff", "-d", "--stdout", "--show-settings", "--show-files"),
    ),
    "docformatter": writer("words | | -i,--in-place -c,--check -r --wrap-summaries= --config=:o", "-i", "--in-place"),
    "autopep8": writer(
        (
            "words | | -i,--in-place -d,--diff -r -a --max-line-length= --select= --ignore= "
            "--global-config=:o -j= --exit-code"
        ),
        "-i",
        "--in-place",
    ),
    "autoflake": writer(
        (
            "words | | -i,--in-place -c,--check --check-diff -r --remove-all-unused-imports "
            "--remove-unused-variables --imports= --exclude= --config=:o --expand-star-imports "
            "--remove-duplicate-keys --ignore-init-module-imports -s --stdout"
        ),
        "-i",
        "--in-place",
    ),
    "yapf": writer("words | | -i,--in-place -d,--diff -q,--quiet -r -p --style= -e= -l= -vv", "-i", "--in-place"),
    "pyupgrade": formatter("words | | --py36-plus --py38-plus", ()),
    "reorder-python-imports": formatter("words | | --py3-plus", ("--diff-only",)),
    "add-trailing-comma": formatter("words | |", ()),
    "djlint": writer("words | | --reformat --check --lint --profile= --configuration=:o", "--reformat"),
    "mdformat": formatter("words | | --check --wrap= --number", ("--check",)),
    "sqlfluff": verbs(
        (
            "words | | --dialect= -d= --config=:o --templater= -f= --format= --rules= -r= "
            "--library-path=:X --write-output=:w --ignore= --exclude-rules="
        ),
        {"lint": "", "parse": "", "fix": "M", "format": "M", "rules": "", "dialects": "", "version": "", "render": ""},
    ),
    "taplo": verbs(
        "words | | --check --config=:o --schema= -o=",
        {"fmt": "F", "format": "F", "lint": "", "check": "", "get": "", "config": ""},
    ),
    "clang-format": writer(
        (
            "words | | -i -style= --style= -n --dry-run --Werror -lines= --lines= -offset= -length= "
            "-assume-filename= --assume-filename= -fallback-style= -sort-includes --dump-config "
            "-dump-config --files=:r --verbose"
        ),
        "-i",
    ),
    "gofmt": writer("words dash | | -w -l -d -s -e -r= -cpuprofile=:w", "-w"),
    "gofumpt": writer("words dash | | -w -l -d -extra -lang= -modpath=", "-w"),
    "goimports": writer("words dash | | -w -l -d -e -local= -v -srcdir= -format-only", "-w"),
    "golines": writer("words | | -w -l -m= --base-formatter=:x", "-w"),
    "gci": verbs(
        "words | | -s= --skip-generated --custom-order",
        {"write": "M", "print": "", "diff": "", "list": "", "version": ""},
    ),
    "rustfmt": formatter(
        "words | | --check --edition= --config-path=:o --config= --emit= -l -v -q --print-config=!W", ("--check",)
    ),
    "ormolu": writer("words | | -m= --mode= -i -o=", "-i"),
    "fourmolu": writer("words | | -m= --mode= -i -o=", "-i"),
    "stylish-haskell": writer("words | | -i -r -c=:o", "-i"),
    "swiftformat": formatter("words | | --lint --dryrun --config=:o --rules= --quiet", ("--lint", "--dryrun")),
    "swift-format": writer("words | | -i,--in-place -r --configuration=:o", "-i", "--in-place"),
    "stylua": formatter("words | | --check -c --config-path=:o -f= -g= --verify --stdin-filepath=", ("--check", "-c")),
    "nixfmt": formatter("words | | -c --check -w= -q", ("-c", "--check")),
    "nixpkgs-fmt": formatter("words | | --check", ("--check",)),
    "alejandra": formatter("words | | -c --check -e= -q", ("-c", "--check")),
    "ktfmt": formatter(
        "words | | --dry-run -n --set-exit-if-changed --google-style --kotlinlang-style", ("--dry-run", "-n")
    ),
    "google-java-format": writer(
        "words | | -i --replace -r -n --dry-run --aosp -a --set-exit-if-changed", "-i", "--replace", "-r"
    ),
    "scalafmt": formatter(
        "words | | --check --test --list -c,--config=:o --stdin --diff", ("--check", "--test", "--list", "--stdin")
    ),
    "scalafix": formatter(
        "words | | --check --test -r,--rules= --tool-classpath=!U --config=:o", ("--check", "--test")
    ),
    "php-cs-fixer": verbs(
        ("words | | --config=:o --dry-run --diff --rules= --path-mode= --using-cache= --allow-risky= -v"),
        {"fix": "F", "check": "", "list": "", "describe": "", "list-files": "", "help": ""},
    ),
    "pint": formatter("words | | --test --config=:o --preset= --dirty -v", ("--test",)),
    "rector": verbs(
        "words | | --dry-run -n --config=:o -c=:o --autoload-file=:X -a=:X",
        {"process": "F", "list": "", "list-rules": ""},
    ),
    "buildifier": formatter("words | | --mode= -mode= --lint= -lint= -r --type=", ("--mode", "-mode")),
    "cmake-format": writer("words | | -i,--in-place --check -c=:o -o=:w", "-i", "--in-place"),
    "gersemi": writer("words | | -i,--in-place -c --check --diff -l=", "-i", "--in-place"),
    "dprint": verbs(
        "words | | -c,--config=:o --plugins=!U --diff",
        {"fmt": "M", "check": "", "config": "W", "output-file-paths": "", "license": "", "init": "W"},
    ),
    "jsonnetfmt": writer("words | | -i,--in-place --test -n= -o=:w", "-i", "--in-place"),
    "astyle": formatter("words | | --dry-run -n --options=:o", ("--dry-run",)),
    "indent": formatter("words | | -st", ("-st",)),
    "uncrustify": writer("words | | -c=:o --replace --no-backup --check -f= -o=:w -l= -q", "--replace", "--no-backup"),
    "tidy": writer(
        "words | r* | -m,-modify -o,-output=:w -config=:o -q -e -i -f=:w -xml -asxml -utf8 -errors", "-m", "-modify"
    ),
    "pre-commit": verbs(
        "words | | -c,--config=:o --hook-stage= --from-ref= --to-ref= -a --all-files --files= -v",
        {
            "run": "M",
            "install": "G",
            "uninstall": "G",
            "autoupdate": "NM",
            "validate-config": "",
            "validate-manifest": "",
            "sample-config": "",
            "clean": "D",
            "gc": "D",
            "try-repo": "NU",
            "install-hooks": "NW",
            "help": "",
        },
    ),
    "buf": verbs(
        "words | | -o,--output=:w -w,--write!M --against= --config=:o --path= -d --diff --error-format=",
        {
            "lint": "",
            "format": "",
            "build": "W",
            "generate": "NW",
            "breaking": "",
            "ls-files": "",
            "help": "",
            "push": "N",
            "dep": "NW",
            "mod": "NW",
            "config": "",
        },
    ),
    "lefthook": verbs(
        "words | |", {"run": "U", "install": "G", "version": "", "dump": "", "uninstall": "G", "validate": ""}
    ),
}
