"""Names of targets, and what they say that they do (standard, rules 8 and 9)."""

from __future__ import annotations

import re

from agentfsm.shell.programs.npm import script_classes
from agentfsm.shell.values import names

__all__ = ("target_classes",)


_TARGETS = {
    **dict.fromkeys(
        names(
            "test tests check lint typecheck type-check unittest unit-test unit-tests test-unit "
            "test-all pytest mypy ruff flake8 vet clippy check-format format-check fmt-check "
            "checkstyle coverage integration-test integration-tests test-integration e2e check-types "
            "types pylint spec verify validate help list ci-lint ci-test static-analysis shellcheck "
            "syntax-check"
        ),
        "",
    ),
    **dict.fromkeys(
        names(
            "all build compile bin dist docs doc html man pdf debug release binary lib libs generate "
            "gen proto assets bundle default package app wheel sdist epub dirhtml latexpdf objects "
            "info dvi ps"
        ),
        "W",
    ),
    **dict.fromkeys(names("install install-strip uninstall-old deps install-deps"), "W"),
    **dict.fromkeys(
        names(
            "clean distclean mostlyclean maintainer-clean mrproper clobber realclean uninstall clean-all cleanall purge"
        ),
        "D",
    ),
    **dict.fromkeys(names("format fmt fix lint-fix tidy pretty"), "M"),
}
_FILE_TARGET = re.compile(
    r"(?:[\w.-]+/)*[\w-]+\.(?:o|so|a|bin|elf|hex|pdf|html|tar|gz|zip|exe|dll|dylib|lib|class|"
    r"jar|pyc|d|s|i|js|css|wasm|png|svg|txt|json|1|8|obj|out|img|iso)\Z"
)


def target_classes(name: str) -> str:
    """Return the classes of a target by its name; any other name is opaque."""
    if name in _TARGETS:
        return _TARGETS[name]
    if _FILE_TARGET.match(name):
        return "W"
    return script_classes(name)
