"""What the words in an option's name give away, for programs whose options no table lists in full."""

from __future__ import annotations

import re

from agentfsm.shell.values import names

__all__ = ("judged_by_name",)

_WORDS: dict[str, str] = {
    **dict.fromkeys(
        names("""
        exec execute command cmd script plugin plugins require import-module loader hook hooks eval
        rulesdir rules-dir preprocessor
        pre-command post-command shell interpreter initscript init-script startup run-command wrapper launcher agent
        preload external editor pager formatter-path executor compiler linker runner handler callback load-plugins
        load-plugin plugin-dir program resolver extension extensions module-path rule-dir ext proxy-command askpass
        additional-rules custom-rules classpath processor processorpath javaagent toolexec vettool
"""),
        "U",
    ),
    **dict.fromkeys(
        names("""
        output out outfile output-file out-file outdir out-dir output-dir output-path write save dump
        report-file log-file logfile
        export destination dest target-dir generate emit baseline create-baseline write-baseline
        save-baseline junitxml junit-xml
        generate-baseline init generate-config result-log
"""),
        "W",
    ),
    **dict.fromkeys(
        names("""
        fix write in-place inplace autofix auto-fix auto-correct autocorrect update-snapshot
        update-snapshots fix-dry
        apply edit unsafe-fixes overwrite replace update-baseline install-types autocorrect-all
        safe-auto-correct fix-all
"""),
        "M",
    ),
    **dict.fromkeys(names("delete remove prune purge wipe destroy kill force-delete clean clear reset drop"), "D"),
    **dict.fromkeys(names("upload publish push remote registry listen serve"), "N"),
}
_NEGATED = re.compile(r"(?:no|disable|without|skip|ignore|dry|exclude|not|allow|max|min|list|print|show)-")


def judged_by_name(option: str) -> str:
    """Return the classes that an unknown *option* may add, by the words in its name."""
    name = option.lstrip("-").lower()
    if name in _WORDS:
        return _WORDS[name]
    if _NEGATED.match(name) or name.endswith("-dry-run"):
        return ""
    found = ""
    for word in re.split(r"[-_.]", name):
        found += _WORDS.get(word, "")
    return found
