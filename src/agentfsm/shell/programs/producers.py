"""Programs that make one file from another, unless they are told to print or only to look (their manuals)."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import Parsed, apply, read_arguments
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import names

__all__ = ("PRODUCERS", "produce")

PRODUCERS = {
    "pdftotext": "words | r . | -f= -l= -r= -x= -y= -W= -H= -enc= -eol= -opw= -upw=",
    "pdfimages": "words | r . | -f= -l= -list -opw= -upw=",
    "msgfmt": "words | r* | -o,--output-file=:w -D,--directory= -d= -r,--resource= -l,--locale= -L,--source=",
    **dict.fromkeys(
        names("dot neato fdp circo twopi sfdp"), "words dash | r* | -o=:w -O!W -l=:X -T= -G= -N= -E= -K= -s= -v -V"
    ),
    "qpdf": "words | r w | --password= --check --pages= --object-streams= --replace-input!M --stream-data=",
    "ffmpeg": "words dash | . | -i=:r -f= -ss= -t= -to= -v= -loglevel= -c= -vf= -af= -map= -vstats_file=:w -report!W",
    "sox": "words | . | --i --info -n -h -r= -b= -c= -e= -t= -v= --effects-file=:X --temp=:w --combine=",
    "convert": "words dash | . | -format= -resize= -quality= -write=:w",
}
_NO_FILES = frozenset({"-", "/dev/null", "/dev/stdout", "info:", "info:-", "null:", "txt:-", "txt:", "json:-", "json:"})
_LOOKS = (
    "--check",
    "--show-",
    "--list-",
    "--is-",
    "--requires-",
    "--json",
    "--help",
    "-list",
    "-version",
    "-codecs",
    "-formats",
    "-encoders",
    "-decoders",
    "-filters",
    "-hide_banner",
)


def produce(call: Call) -> None:
    """Note what is read, and the file that is made where one is."""
    spec = compiled(PRODUCERS[call.name])
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if makes(call, found):
        add(call, "W", call.name)
    else:
        add(call, "R" if found.operands else "", call.name)


def records(call: Call, found: Parsed) -> bool:
    """Whether ``sox`` makes a file: not with ``--i``, nor where ``-n`` stands behind its input, for no output."""
    texts = [arg.text for arg in call.args]
    operands = [arg.text for arg in found.operands]
    if found.has("--i", "--info", "-h") or not operands:
        return False
    idle = "-n" in texts and texts.index("-n") > texts.index(operands[0])
    return not idle or bool({"spectrogram", "noiseprof"} & set(operands))


def makes(call: Call, found: Parsed) -> bool:
    """Whether a file is made beside those that options name."""
    operands = [arg.text for arg in found.operands]
    if call.name == "msgfmt":
        named = found.values("-o")
        return not named or any(arg.text not in _NO_FILES for arg in named)
    if call.name in ("dot", "neato", "fdp", "circo", "twopi", "sfdp"):
        return False
    if any(arg.starts(*_LOOKS) for arg in call.args) and len(operands) < 2:
        return False
    if call.name == "sox":
        return records(call, found)
    if call.name == "ffmpeg":
        return any(text not in _NO_FILES for text in operands)
    return bool(operands) and (len(operands) == 1 or operands[-1] not in _NO_FILES)
