"""Programs that talk to other machines by their purpose, and what is local about them."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.files import is_remote
from agentfsm.shell.programs.spec import Parsed, add, apply, compiled, read_arguments
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg, names

__all__ = ("RULES", "TABLE")

TABLE = """
ping ping4 ping6 fping hping3 arping traceroute traceroute6 tracepath tracepath6 mtr dig host nslookup drill delv
    kdig dog doggo resolvectl systemd-resolve whois finger nmap zmap masscan nikto telnet ftp tftp lftp ncftp
    mosh rlogin rsh rcp rexec iperf iperf3 netperf ab wrk hey siege vegeta k6 bombardier httpstat speedtest
    speedtest-cli nmblookup smbclient showmount rpcinfo rpcclient ldapsearch ldapadd ldapmodify ldapdelete
    ldapwhoami snmpwalk snmpget snmpset ntpdate ntpq  sntp links lynx w3m elinks browsh surf mail mailx mutt
    sendmail msmtp swaks sendEmail fetchmail getmail offlineimap mbsync rtorrent transmission-cli
    transmission-remote aria2c axel youtube-dl yt-dlp gallery-dl httrack wget2 ssh-copy-id sshpass autossh
    sshuttle ssh-keyscan sshfs ncat nc netcat nc.openbsd nc.traditional cryptcat  websocat wscat grpcurl evans
    mosquitto_pub mosquitto_sub mqtt nats kcat croc wormhole magic-wormhole syncthing onionshare  xh http https
    httpie curlie hurl newman insomnia postman tailscale wg-quick cloudflared ngrok bore frpc chisel openvpn vpnc
    avahi-browse avahi-resolve dns-sd gping trippy     gobuster ffuf dirb wfuzz sqlmap hydra medusa subfinder
    amass httpx nuclei wpscan whatweb sslscan testssl sslyze certbot acme.sh lego arp-scan netdiscover responder
    ettercap bettercap telnet-ssl sipsak svn  bzr cvs fossil darcs repo svnsync rdesktop xfreerdp vncviewer x11vnc
    vncserver remmina spice xrdp ipfs wsdump irssi weechat xmpp toot rsstail newsboat gopher amfora ddgr googler
    surfraw wuzz | +N | . |
nc ncat netcat nc.openbsd nc.traditional | +N | . | -e=:U -c=:U --exec=:x --sh-exec=:x --lua-exec=:U
ss | strict | . | -HVhnralospemiTtudwx046bEZzNDf -D,--diag=:w -F,--filter=:r -A,--query,--socket= -f,--family=
    -K,--kill!D --no-header --numeric --resolve --all --listening --options --extended --memory --processes
    --threads --info --tos --cgroup --summary --tipcinfo --bpf --events --context --contexts --net= --oneline
    --inet-sockopt --ipv4 --ipv6 --packet --tcp --udp --dccp --raw --unix --sctp --vsock --xdp --mptcp --tipc
    --help --version -O -S -M -B
netstat | pure | . |
iftop nethogs bandwhich bmon nload vnstat iptraf-ng tcptrack ipcalc sipcalc subnetcalc nstat lnstat rtmon rtstat
    ipcount iwlist iwgetid | words | . | -w=:w
tcpdump tshark dumpcap ngrep wireshark tcpflow | +D | . | -w=:w -z=:X -r=:r
"""

_CURL = (
    "strict +N | | -a,--append -A,--user-agent= -b,--cookie= -B,--use-ascii -c,--cookie-jar=:w "
    "-C,--continue-at= "
    "-d,--data,--data-ascii,--data-binary,--data-raw,--data-urlencode,--json= "
    "-D,--dump-header=:w -e,--referer= -E,--cert= -f,--fail -F,--form= -g,--globoff "
    "-G,--get -h,--help=? -H,--header= -i,--include -I,--head -j,--junk-session-cookies "
    "-J,--remote-header-name -k,--insecure -K,--config=:U -l,--list-only -L,--location "
    "-m,--max-time= -M,--manual -n,--netrc -N,--no-buffer -o,--output=:w -O,--remote-name!W "
    "--remote-name-all!W -p,--proxytunnel "
    "-P,--ftp-port= -q,--disable -Q,--quote= -r,--range= -R,--remote-time -s,--silent "
    "-S,--show-error -t,--telnet-option= -T,--upload-file=:r -u,--user= -U,--proxy-user= "
    "-v,--verbose -V,--version -w,--write-out= -x,--proxy= -X,--request= -y,--speed-time= "
    "-Y,--speed-limit= -z,--time-cond= -Z,--parallel -# -: -0 -1 -2 -3 -4 -6 --trace=:w "
    "--trace-ascii=:w --stderr=:w --hsts=:w --alt-svc=:w --etag-save=:w --libcurl=:w "
    "--output-dir=:w --create-dirs"
)


def curl(call: Call) -> None:
    """``curl`` talks to a host; several options write files. Options that are not listed only tune the transfer."""
    spec = compiled(_CURL.replace("strict", "words"))
    found = read_arguments(call, spec, call.args)
    if found.has("-V", "--version", "-h", "--help", "-M", "--manual") and not found.operands:
        return
    apply(call, spec, found)
    for operand in found.operands:
        if operand.starts("file:"):
            call.reads(Arg(operand.text.removeprefix("file://")))


def wget(call: Call) -> None:
    """``wget`` talks to a host and writes files, unless it prints or only looks."""
    spec = compiled(
        "words +N | | -O,--output-document=:w -o,--output-file=:w -a,--append-output=:w "
        "-P,--directory-prefix=:w -i,--input-file=:r --spider -q,--quiet -nv -c,--continue "
        "-r,--recursive -l,--level= -U,--user-agent= --header= --post-data= --post-file=:r "
        "--method= --body-data= --body-file=:r -T,--timeout= -t,--tries= -e,--execute= "
        "--use-askpass=:x --config=:U --save-cookies=:w --load-cookies=:r --warc-file=:w "
        "--rejected-log=:w --hsts-file=:w -A,--accept= -R,--reject= -D,--domains= "
        "-S,--server-response -N -b --user= --password= --no-check-certificate --show-progress "
        "--version --help -V -h -np -nc -nd -nH -k -p -m --mirror -E -K --cut-dirs= --wait= "
        "--limit-rate= --delete-after!D --remote-encoding="
    )
    found = read_arguments(call, spec, call.args)
    if found.has("--version", "-V", "--help", "-h") and not found.operands:
        return
    apply(call, spec, found)
    outputs = [value.text for value in found.values("-O", "--output-document")]
    if (not found.has("--spider") and not outputs) or (
        outputs and outputs[0] == "-" and found.has("-r", "--recursive")
    ):
        call.writes(Arg("."))


_DANGEROUS_SSH = (
    "proxycommand",
    "localcommand",
    "permitlocalcommand",
    "knownhostscommand",
    "match",
    "include",
    "pkcs11provider",
    "securitykeyprovider",
    "xauthlocation",
    "remotecommand",
)


def ssh(call: Call) -> None:
    """``ssh`` runs something on another machine; several settings run something on this one."""
    texts = [arg.text for arg in call.args]
    if texts == ["-V"] or texts[:1] == ["-Q"]:
        return
    if "-G" not in texts:
        call.network()
    options(call)


def options(call: Call) -> None:
    """Judge the settings that ssh, scp and sftp share."""
    spec = compiled(
        "words stop | | -o= -F=:o -S= -J= -i= -p= -P= -l= -L= -R= -D= -W= -w= -b= -B= -c= -e= "
        "-E=:w -I=:X -m= -O= -Q= -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y "
        "-y -r -3 -X="
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    for setting in found.values("-o"):
        key, equals, value = setting.text.partition("=")
        if not equals:
            key, _, value = setting.text.partition(" ")
        if not setting.known and "\0" in key:
            call.unresolved("unknown_setting", key)
        elif key.strip().lower() in _DANGEROUS_SSH and value.strip().lower() not in ("none", "no", ""):
            if key.strip().lower() in ("proxycommand", "localcommand", "knownhostscommand") and setting.known:
                call.shell(Arg(value.strip().replace("%h", "host").replace("%p", "22").replace("%r", "user")))
                call.unresolved("option_runs_code", key) if key.strip().lower() != "proxycommand" else None
            elif key.strip().lower() not in ("permitlocalcommand", "remotecommand"):
                call.unresolved("option_runs_code", key)


def scp(call: Call) -> None:
    """``scp`` and ``sftp`` copy from or to another machine; -S is the program they use."""
    call.network()
    args = list(call.args)
    for position, arg in enumerate(args):
        if arg.text == "-S" and position + 1 < len(args):
            call.shell(args[position + 1])
        elif arg.starts("-S") and len(arg.text) > 2:  # -SPROGRAM
            call.shell(Arg(arg.text[2:]))
    options(call)
    targets = [arg for arg in args if not arg.starts("-")]
    if call.name == "scp" and targets and not is_remote(targets[-1].text) and not targets[-1].starts("scp://"):
        call.writes(targets[-1])
    if call.name == "sftp" and any(arg.starts("-b") for arg in args):
        call.unresolved("opaque_script", "-b")


def socat(call: Call) -> None:
    """``socat`` joins addresses; EXEC and SYSTEM run, OPEN and CREATE write."""
    if any(arg.text in ("-V", "-h", "-?", "-hh", "-hhh") for arg in call.args):
        return
    for arg in call.args:
        kind, _, rest = arg.text.partition(":")
        if not arg.known:
            call.unresolved("loose_argument")
        elif kind.upper() in ("EXEC", "SYSTEM", "SHELL"):
            call.shell(Arg(rest.partition(",")[0]))
        elif kind.upper() in ("OPEN", "CREATE", "CREAT", "FILE", "GOPEN", "PIPE"):
            call.writes(Arg(rest.partition(",")[0] or "pipe"))
    call.network()


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
        "-nodes -noenc -x509 -x509toreq -new -r -hmac= -pubout -outdir=:w -status=:r -revoke=:M "
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
        "--options=:U --keyserver=!N --recv-keys,--receive-keys=!N --send-keys!N --refresh-keys!N "
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


def interfaces(call: Call) -> None:
    """``ip`` shows addresses, links and routes; changing them is administration."""
    words = [arg.text for arg in call.args if not arg.starts("-")]
    flags = [arg.text for arg in call.args if arg.starts("-")]
    if any(
        flag in ("-b", "-batch", "-force") or ("-batch".startswith(flag) and flag.startswith("-ba")) for flag in flags
    ):
        call.unresolved("opaque_script", "-batch")
    if len(words) > 1 and words[0].startswith("netn") and words[1] == "exec":
        call.destroys("raises_rights", "netns exec")
        call.run(list(call.args[call.args.index(next(a for a in call.args if a.text == "exec")) + 2 :]))
        return
    if not words or all(
        "show".startswith(word) or "list".startswith(word) or word in ("lst", "get", "help", "sh", "ls", "save")
        for word in words[1:2]
    ):
        return
    if words[0].startswith("mon"):
        return
    call.destroys("administers", " ".join(words)[:60])


_CHANGES = frozenset(
    names(
        "set add del delete change replace flush up down remove create modify start stop restart enable disable "
        "connect disconnect kill reset append insert link unlink -F -A -D -I -X -P -Z -N -E "
        "--flush --append --delete --insert --zero --policy"
    )
)


def administers(*shows: str) -> Rule:
    """Return the rule of an administration program that only listing keeps from being Destructive."""

    def rule(call: Call) -> None:
        texts = [arg.text for arg in call.args]
        words = [text for text in texts if not text.startswith("-")]
        if texts in (["--version"], ["--help"], ["-V"], ["-h"]):
            return
        if "" in shows and not texts:
            return
        if _CHANGES & set(texts):
            call.destroys("administers", " ".join(texts)[:60])
            return
        if (
            (words and words[0] in shows)
            or any(text in shows for text in texts if text.startswith("-"))
            or (not words and texts and all(text in shows for text in texts))
        ):
            return
        call.destroys("administers", " ".join(texts)[:60])

    return rule


def ifconfig(call: Call) -> None:
    """``ifconfig`` shows; more than an interface's name changes it."""
    words = [arg.text for arg in call.args if not arg.starts("-")]
    if len(words) > 1:
        call.destroys("administers", " ".join(words))


def hostname(call: Call) -> None:
    """``hostname`` prints; a name or -F sets it."""
    words = [arg for arg in call.args if not arg.starts("-")]
    if words or any(arg.starts("-F", "--file", "-b") for arg in call.args):
        call.destroys("administers", "hostname")


def mercurial(call: Call) -> None:
    """``hg`` reads or changes a repository, or talks to another."""
    by_subcommand(
        "status st log diff cat annotate blame branches  tags heads parents summary identify id "
        "paths files locate manifest grep bookmarks showconfig config version help root  tip "
        "verify phase |\n"
        "commit ci add  addremove merge update up checkout rebase graft tag bookmark branch init "
        "rename mv copy shelve unshelve histedit amend backout import evolve forget resolve phases "
        "| G\n"
        "revert purge strip rollback remove rm | GD\n"
        "pull push clone incoming in outgoing out fetch serve email | N\n"
        "export archive bundle | W",
        (
            "words | | --config=:U -R,--repository= --cwd= -r= -o,--output=:w --debugger!U --profile "
            "--tool=:X -t=:X --encoding="
        ),
    )(call)


def subversion(call: Call) -> None:
    """``svn``: most talk to the repository's server."""
    by_subcommand(
        (
            "status st  propget proplist help  |\n"
            "add propset resolve changelist    upgrade patch | GW\n"
            "revert delete rm cleanup | GD\n"
            "checkout co update up commit ci log diff di cat list ls info blame export import switch "
            "merge copy cp mv move mkdir lock unlock relocate | N"
        ),
        (
            "words | | --diff-cmd=:x --diff3-cmd=:x --editor-cmd=:x --config-option=:U --config-dir=:o "
            "--username= --password= -r= -m= -F=:r --version --merge-tool=:x"
        ),
    )(call)


RULES: dict[str, Rule] = {
    "curl": curl,
    "wget": wget,
    "ssh": ssh,
    "slogin": ssh,
    "scp": scp,
    "sftp": scp,
    "socat": socat,
    "openssl": openssl,
    "ssh-keygen": keygen,
    "gpg": gpg,
    "gpg2": gpg,
    "gpgv": gpg,
    "ip": interfaces,
    "ifconfig": ifconfig,
    "hostname": hostname,
    "dnsdomainname": hostname,
    "domainname": hostname,
    "nisdomainname": hostname,
    "route": administers("", "-n", "-e", "-ne", "-en"),
    "arp": administers("", "-a", "-n", "-an", "-e", "-na"),
    "iptables": administers("-L", "-S", "--list", "-nL", "-Ln", "-nvL", "-vnL", "-Lnv", "-nLv", "-vL", "--list-rules"),
    "ip6tables": administers("-L", "-S", "--list", "-nL"),
    "iptables-save": administers(""),
    "nft": administers("list"),
    "ufw": administers("status", "version", "show"),
    "firewall-cmd": administers(
        "--state", "--list-all", "--list-ports", "--list-services", "--get-zones", "--get-active-zones"
    ),
    "iw": administers("dev", "list", "reg"),
    "iwconfig": administers(""),
    "ethtool": administers("-i", "-S", "-k", "-g"),
    "bridge": administers("", "link", "fdb"),
    "tc": administers("-s", "qdisc", "class", "filter", "-V"),
    "nmcli": administers("", "device", "general", "connection", "dev", "con", "-t", "-f"),
    "brctl": administers("show"),
    "wg": administers("", "show"),
    "mii-tool": administers(""),
    "conntrack": administers("-L", "-C", "-S"),
    "ipset": administers("list"),
    "rfkill": administers("", "list"),
    "bluetoothctl": administers("show", "devices", "list", "info"),
    "networkctl": administers("", "list", "status"),
    "chronyc": administers("tracking", "sources", "sourcestats", "activity"),
    "hg": mercurial,
    "svn": subversion,
    "ssh-add": administers("-l", "-L"),
    "ssh-agent": administers(),
    "svnlook": administers("info", "log", "tree", "cat", "youngest", "changed", "diff"),
}
