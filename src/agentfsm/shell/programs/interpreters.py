"""Interpreters whose programs are opaque: Perl, Ruby, PHP, Lua and the rest (standard, rule 10)."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.arguments import Parsed, apply, read_arguments
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.programs.subcommands import by_subcommand

__all__ = ("RULES", "TABLE")

TABLE = """
tclsh wish expect octave octave-cli julia R Rscript guile racket scheme chez csi ocaml utop erl iex elixir escript
    ghci runghc runhaskell gjs qjs quickjs jjs d8 sbcl ecl clisp gforth swipl gprolog maxima gp sage matlab
    mathematica wolframscript stata sas spss nashorn jsc rhino osascript autoit smalltalk gst factor io pike rexx
    regina bsh php-cgi hhvm  janet fennel hy moon wren squirrel chuck csound supercollider pil picolisp newlisp |
    +U | . |
perldoc ri | pure | . |
ipython ipython3 jupyter jupyter-notebook jupyter-lab jupyter-console bpython ptpython irb pry psysh tinker rails
    django-admin flask uvicorn gunicorn hypercorn celery alembic streamlit gradio scrapy airflow dbt prefect
    dagster luigi locust artisan symfony drush wp rackup puma unicorn sidekiq foreman overmind honcho hivemind erb
    | +U | . |
typos-lsp pyls pylsp jedi-language-server rust-analyzer clangd | +U | . |
"""


def checks(letters: str, versions: tuple[str, ...], danger: str) -> Rule:
    """Return the rule of an interpreter that only a version or a syntax check keeps from being opaque."""

    def rule(call: Call) -> None:
        texts = [arg.text for arg in call.args]
        if texts and texts[0] in versions:
            return
        flags = [text for text in texts if text.startswith("-") and text != "--"]
        harmless = bool(flags) and all(
            len(text) > 1 and not set(text[1:]) & set(danger) and not text.startswith("--") for text in flags
        )
        checking = any(set(text[1:]) & set(letters) for text in flags if not text.startswith("--"))
        if harmless and checking and all(set(text[1:]) <= set(letters) | set("wWT") for text in flags):
            for arg in call.args:
                if not arg.starts("-"):
                    call.reads(arg)
            return
        call.unresolved("opaque_code", " ".join(texts)[:80])

    return rule


_BUNDLE = """
list info show check  platform version env help licenses  why plugin/list |
install update add lock package cache pristine outdated audit | NW
remove clean | D
init binstubs config gem | W
exec |
open console | U
"""


def bundle_exec(call: Call, found: Parsed) -> None:
    """``bundle exec`` runs what is installed."""
    call.run([arg for arg in call.args[1:] if arg.text != "--"])


_GEM = """
list env environment which contents specification  help query sources/list info |
install update fetch search outdated push owner yank signin signout mirror dependency | NW
uninstall cleanup | D
build unpack generate_index lock rdoc pristine cert | W
exec | U
"""
_COMPOSER = """
show info licenses validate check-platform-reqs depends why prohibits why-not suggests status  about  help list   |
install update require upgrade create-project global outdated audit search self-update selfupdate reinstall
    diagnose | NW
remove clear-cache clearcache | D
init dump-autoload dumpautoload archive bump config | W
exec |
test lint check phpstan cs psalm analyse phpcs |
"""


def composer_exec(call: Call, found: Parsed) -> None:
    """``composer exec`` runs what is installed."""
    call.run([arg for arg in call.args[1:] if arg.text not in ("--", "-v", "-q")])


def composer_run(call: Call, found: Parsed) -> None:
    """``composer run NAME`` is a script: tests and checks by name are known."""
    names = [operand.text for operand in found.operands[1:]]
    if not names or names[0] not in (
        "test",
        "tests",
        "lint",
        "check",
        "phpstan",
        "cs",
        "psalm",
        "analyse",
        "phpcs",
        "test:unit",
        "stan",
    ):
        add(call, "U", "run-script")


def rails(call: Call) -> None:
    """``rails``: tests and reports are known, the rest is the project's code."""
    by_subcommand(
        (
            "test test:system test:all routes about stats notes version --version -v middleware "
            "initializers time:zones -T --tasks zeitwerk:check test:models test:controllers |\n"
            "new generate g | W"
        ),
        "words | |",
    )(call)


def django(call: Call) -> None:
    """``django-admin`` makes projects; anything else loads the project."""
    by_subcommand("startproject startapp | W\n--version version help check |", "words | | --pythonpath=:X --settings=")(
        call
    )


def script_check(call: Call) -> None:
    """``php -l`` checks syntax."""
    spec = compiled(
        "words | | -l -v -i -m -d=:X -c=:o -f=:X -r=:X -B=:X -R=:X -F=:X -E=:X -S=!N -t= -a -n -q "
        "-s -w -z= --version --help --ini --rf= --rc= --re= --ri= --syntax-check"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if (
        found.has("-v", "--version", "-m", "-i", "--ini", "--help", "--ri", "--re", "--rf", "--rc")
        and not found.operands
    ):
        return
    if found.has("-l", "--syntax-check"):
        for operand in found.operands:
            call.reads(operand)
        return
    call.unresolved("opaque_code", "php")


RULES: dict[str, Rule] = {
    "perl": checks("c", ("--version", "-v", "-V", "--help", "-h"), "eEiIMmnpsxdF0"),
    "ruby": checks("c", ("--version", "-v", "--help", "-h"), "eiInprsSxF0"),
    "php": script_check,
    **dict.fromkeys(("lua", "luajit", "nodejs-repl"), checks("", ("-v", "--version"), "eil")),
    **dict.fromkeys(("luac",), checks("p", ("-v",), "ols")),
    "bundle": by_subcommand(
        _BUNDLE,
        "words | | --path=:w --gemfile=:o --with= --without= --jobs= --local --deployment",
        {"exec": bundle_exec},
    ),
    "bundler": by_subcommand(_BUNDLE, "words | |", {"exec": bundle_exec}),
    "gem": by_subcommand(_GEM, "words | | -v= --version= -i=:w --local -l --remote!N -r!N -a --install-dir=:w"),
    "rails": rails,
    "django-admin": django,
    "composer": by_subcommand(
        _COMPOSER,
        (
            "words | | -d,--working-dir=:o -n -q -v --no-dev --no-interaction --format= -t --tree -i "
            "-D --no-plugins --no-scripts"
        ),
        {"exec": composer_exec, "run-script": composer_run, "run": composer_run},
    ),
    **dict.fromkeys(
        ("pear", "pecl"),
        by_subcommand(
            "list info config-show config-get version | \ninstall upgrade search download | NW\nuninstall | D"
        ),
    ),
    "cpan": by_subcommand("", "words +N +W | |", bare="NW"),
    "cpanm": by_subcommand("", "words +N +W | |", bare="NW"),
    "luarocks": by_subcommand(
        "list show which path config doc | \n"
        "install download search make | NW\n"
        "remove purge | D\n"
        "build pack lint test | W"
    ),
    **dict.fromkeys(
        ("rbenv", "nodenv", "goenv", "jenv"),
        by_subcommand(
            (
                "versions version which whence root prefix shims commands help version-name |\n"
                "global local rehash shell  | W\n"
                "install | NW\n"
                "uninstall | D\n"
                "exec |\n"
                "init |"
            ),
            "words | |",
            {"exec": bundle_exec},
        ),
    ),
    "rvm": by_subcommand("list info current | \ninstall get upgrade | NW\nremove uninstall | D\nuse | W"),
    "asdf": by_subcommand(
        (
            "list current where which plugin/list info help version   |\n"
            "install plugin/add plugin/update update latest list/all plugin/list/all | NW\n"
            "global local set shell reshim | W\n"
            "uninstall plugin/remove | D\n"
            "exec |"
        ),
        "words | |",
        {"exec": bundle_exec},
    ),
    **dict.fromkeys(
        ("mise", "rtx"),
        by_subcommand(
            "ls list current which where env doctor version help settings  tasks config plugins/ls "
            "alias |\n"
            "install use upgrade up ls-remote latest outdated plugins/install self-update | NW\n"
            "uninstall remove prune implode | D\n"
            "set unset trust local global reshim | W\n"
            "run r x exec watch | U"
        ),
    ),
    "direnv": by_subcommand(
        "status version help |\ndeny revoke prune | W\nallow permit grant reload edit exec export hook | U"
    ),
}
