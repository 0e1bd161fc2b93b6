"""openssl, ssh-keygen and gpg: what is local about them, and what is written."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import Parsed, apply, read_arguments
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled

__all__ = (
    "gpg",
    "keygen",
    "openssl",
)


def openssl(call: Call) -> None:
    """``openssl``: connecting is network, keys and certificates are files."""
    words = [arg.text for arg in call.args]
    action = words[0] if words else ""
    if action in ("s_client", "s_server", "s_time", "ocsp", "ts_client", "cmp"):
        call.network()
    spec = compiled(
        "words dash | | -in=:r -out=:w -outform= -inform= -keyout=:w -CAcreateserial!W "
        "-CAserial=:w -CAfile=:r -engine=:X -provider=:X -provider-path=:X -config=:o "
        "-writerand=:w -rand=:r -sign=:r -verify=:r -signature=:r -key= -CA=:r -CAkey=:r -days= "
        "-subj= -newkey= -text -noout -pass= -passin= -passout= -k= -K= -iv= -md= -name= "
        "-certfile=:r -untrusted=:r -purpose= -host= -connect= -servername= -cert=:r -sigfile=:r "
        "-inkey=:r -peerkey=:r -keylogfile=:w -sess_out=:w -extfile=:r -reqexts= -extensions= "
        "-curve= -pubin -modulus -fingerprint -dates -subject -issuer -checkend= -hash -serial "
        "-enddate -startdate -prexit -showcerts -base64 -hex -binary -d -e -a -A -salt -pbkdf2 "
        "-nodes -noenc -x509 -x509toreq -new -r -hmac= -pubout -outdir=:w -status=:r -revoke=:m "
        "-gencrl"
    )
    if action == "ca":
        call.unresolved("opaque_program", "openssl ca")
    found = read_arguments(call, spec, call.args[1:])
    apply(call, spec, found)
    if action in {"engine", "rehash"}:
        add(call, "W" if action == "rehash" else "", action)
    if action == "rand" or action in ("dgst", "md5", "sha256", "sha1", "sha512"):
        for operand in found.operands:
            call.reads(operand)


def keygen(call: Call) -> None:
    """``ssh-keygen`` prints what it is told to, and writes keys otherwise."""
    texts = [arg.text for arg in call.args]
    if any(text.startswith("-D") for text in texts):
        call.unresolved("option_runs_code", "-D")
    prints = any(
        text.startswith("-")
        and not text.startswith("--")
        and set(text[1:]) & set("lBFyLeQ")
        and not text.startswith(("-f", "-C", "-N", "-t"))
        for text in texts
    )
    if not prints or "-R" in texts:
        add(call, "W", "ssh-keygen")


def gpg(call: Call) -> None:
    """``gpg`` lists and verifies, or writes keys and files, or asks a key server."""
    spec = compiled(
        "words | | -o,--output=:w -r,--recipient= -u,--local-user= --homedir=:o --keyring= "
        "--options=:X --keyserver=!N --recv-keys,--receive-keys=!N --send-keys!N --refresh-keys!N "
        "--search-keys=!N --locate-keys!N --fetch-keys!N --delete-keys!D --delete-secret-keys!D "
        "--delete-key!D --gen-key!W --full-gen-key!W --generate-key!W --quick-gen-key!W "
        "--quick-generate-key!W --import!W -s,--sign!W "
        "--clearsign!W --clear-sign!W -b,--detach-sign!W -e,--encrypt!W -c,--symmetric!W "
        "--edit-key=!W --sign-key=!W --export-ownertrust --import-ownertrust!W -d,--decrypt "
        "--verify -k,--list-keys -K,--list-secret-keys --list-packets --fingerprint --with-colons "
        "--with-fingerprint --show-keys --batch --yes --no-tty --armor -a --export --print-md= "
        "--version --help --passphrase= --passphrase-file= --pinentry-mode= --quiet -q --verbose "
        "-v --trust-model= --status-fd= --no-default-keyring --dearmor!W --enarmor!W "
        "--exec-path=:X --agent-program=:X --gpg-agent-program=:X --dirmngr-program=:X "
        "--photo-viewer=:X --log-file=:w --export-secret-keys --keyid-format= --list-sigs "
        "--check-sigs --card-status --store!W --change-passphrase=!W --update-trustdb!W "
        "--check-trustdb --rebuild-keydb-caches!W --list-options= --list-config"
    )
    found = read_arguments(call, spec, call.args)
    outputs = [value.text for value in found.values("-o", "--output")]
    apply(call, compiled("| |"), Parsed(operands=found.operands))
    for option, value in found.options:
        if option.adds == "W" and outputs and outputs[0] == "-":
            continue
        apply(call, spec, Parsed(options=[(option, value)]))
    for operand in found.operands:
        call.reads(operand)
