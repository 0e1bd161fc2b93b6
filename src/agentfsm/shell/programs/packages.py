"""System package managers: asking is harmless, getting is network, removing is Destructive."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.network import administers
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.programs.subcommands import by_subcommand

__all__ = ("RULES", "TABLE")

TABLE = """
apt-file apt-rdepends aptdcon unattended-upgrade add-apt-repository apt-add-repository do-release-upgrade debget
    | +N +W | . |
dpkg-query dpkg-parsechangelog dpkg-architecture dpkg-checkbuilddeps apt-listchanges apt-sortpkgs dlocate
    deborphan apt-show-versions rpmquery rpmverify pkg-config pkgconf qlist  | pure | . |
debsums debsecan needrestart checkrestart | words | . |
dpkg-buildpackage debuild dpkg-source dpkg-genchanges dh dh_make rpmbuild fpm checkinstall alien makepkg abuild
    snapcraft flatpak-builder dch debchange quilt gbp | words +W +U | . |
nixos-rebuild home-manager nixops guix nix-channel nix-env nix-shell | +N +U | . |
"""

_APT = """
list show search depends rdepends policy showsrc help version  moo show-auto |
install update upgrade full-upgrade dist-upgrade build-dep download source satisfy changelog  reinstall  | NW
remove purge autoremove autopurge clean autoclean distclean auto-clean | D
edit-sources | M
check indextargets |
"""
_APT_ROW = (
    "words | | -o,--option=:X -c,--config-file=:X -t,--target-release= -y -q -qq "
    "-s,--simulate,--dry-run,--just-print -d,--download-only -f -m -V -u -b --installed "
    "--upgradable -a --all-versions --no-install-recommends --allow-downgrades --reinstall "
    "--purge --only-upgrade --print-uris -n --names-only --manual-installed --no-pager"
)


_BREW = """
list ls leaves  deps uses  config doctor shellenv help commands
    tap-info desc cat formulae casks missing services/list  log |
install update upgrade reinstall tap search info fetch outdated bundle audit home livecheck | NW
uninstall remove rm untap cleanup autoremove services/stop services/restart services/kill | D
services/start services/run link unlink pin unpin switch services create edit | W
"""
_SNAP = """
list version services connections interfaces changes tasks warnings help get model  debug |
info find install refresh download login logout whoami revert known switch | N
remove stop restart disable unset abort forget | D
start enable set connect disconnect alias unalias run | D
"""
_NIX = """
path-info show-config why-depends store/ls hash show-derivation derivation/show profile/list
    config/show registry/list |
build  flake/check flake/init flake/new fmt bundle | NW
shell run develop repl flake/update flake/lock eval flake/show flake/metadata search profile/install copy
    flake/clone flake/archive store/copy profile/add profile/upgrade | NU
store/gc store/delete profile/remove profile/wipe-history | D
"""


def dpkg(call: Call) -> None:
    """``dpkg -l`` and its like list; installing and removing is administration."""
    spec = compiled(
        "words | | -i,--install!D -r,--remove!D -P,--purge!D --unpack!D --configure!D "
        "--set-selections!D --clear-selections!D --update-avail!D --clear-avail!D "
        "--add-architecture!D --remove-architecture!D -l,--list -s,--status -L,--listfiles "
        "-S,--search -p,--print-avail -C,--audit -V,--verify --get-selections --print-architecture "
        "--print-foreign-architectures --compare-versions -I,--info -c,--contents -x,--extract!W "
        "-X,--vextract!W -b,--build!W -R,--raw-extract!W -e,--control!W -f,--field -W,--show "
        "--fsys-tarfile --ctrl-tarfile --version --help --admindir= --root= --force-all "
        "--triggers-only!D --merge-avail!D --yet-to-unpack --assert-multi-arch --log=:w "
        "--pre-invoke=:X --post-invoke=:X --status-logger=:X -D= --no-pager -E -G -O --simulate "
        "--no-act --dry-run"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)


def rpm(call: Call) -> None:
    """``rpm -q`` and ``-V`` ask; other modes change, and --eval runs macros."""
    texts = [arg.text for arg in call.args]
    if any(
        text.startswith(("-E", "--eval", "--pipe", "--define", "-D", "--load", "--rcfile", "--root", "--dbpath"))
        for text in texts
    ):
        call.unresolved("option_runs_code", "rpm")
    asks = any(
        (text.startswith("-") and not text.startswith("--") and text[1:2] in ("q", "V", "K"))
        or text in ("--query", "--verify", "--checksig", "--version", "--help", "--querytags", "--showrc")
        for text in texts
    )
    if not asks:
        call.destroys("administers", "rpm")
    if any("://" in text for text in texts):
        call.network()


def pacman(call: Call) -> None:
    """``pacman -Q`` asks the local database, ``-S`` gets, ``-R`` removes."""
    flags = [arg.text for arg in call.args if arg.starts("-")]
    first = flags[0] if flags else ""
    if first.startswith(("-Q", "--query", "-V", "--version", "-T", "-h", "--help", "-F")) and "y" not in first:
        return
    if first in ("-Ss", "-Si", "-Sg", "-Sl", "-Sii", "-Ssq"):
        return
    add(call, "D" if first.startswith(("-R", "--remove", "-Sc", "-D", "-U", "-Scc")) else "NW", first)


_DNF = """
list  repolist history/list help  version check alias  module/list   |
install update upgrade check-update makecache search info download reinstall localinstall groupinstall distro-sync
    builddep provides repoquery deplist list/available group module swap copr system-upgrade config-manager
    repoinfo updateinfo | NW
remove erase autoremove clean history downgrade mark | D
"""
_APK = """
info  version policy dot stats audit verify |
add update upgrade fetch search list cache | NW
del fix | D
"""
_ZYPPER = """
repos lr  locks services  licenses targetos help |
install in update up refresh ref search se info if dup dist-upgrade patch list-updates lu packages patterns
    addrepo ar download | NW
remove rm removerepo rr clean cc | D
"""
RULES: dict[str, Rule] = {
    **dict.fromkeys(("apt", "apt-get", "aptitude", "nala"), by_subcommand(_APT, _APT_ROW)),
    "apt-cache": by_subcommand(
        (
            "show search policy depends rdepends showpkg stats pkgnames dump dumpavail showsrc unmet "
            "madison dotty xvcg  |\n"
            "gencaches add | W"
        ),
        _APT_ROW,
    ),
    "apt-mark": by_subcommand(
        (
            "showauto showmanual showhold showinstall showremove |\n"
            "auto manual hold unhold install remove purge minimize-manual | D"
        ),
        _APT_ROW,
    ),
    "apt-config": by_subcommand("dump shell |", _APT_ROW),
    "apt-key": administers("list", "export", "finger"),
    "dpkg": dpkg,
    "dpkg-deb": dpkg,
    "rpm": rpm,
    "pacman": pacman,
    "yay": pacman,
    "paru": pacman,
    **dict.fromkeys(
        ("dnf", "yum", "microdnf", "tdnf", "dnf5"),
        by_subcommand(
            _DNF,
            (
                "words | | -y -q -C --installed --enablerepo= --disablerepo= --setopt=:X -c=:X --plugins= "
                "--disableplugin= --nogpgcheck --releasever= -x="
            ),
        ),
    ),
    "apk": by_subcommand(_APK, "words | | -X= -p= --root= -v -q --no-cache -e -L -W -u"),
    "zypper": by_subcommand(_ZYPPER, "words | | -n -q --root= -v"),
    **dict.fromkeys(
        ("brew", "linuxbrew"),
        by_subcommand(
            _BREW, ("words | | --versions --cask --formula --json=? -1 --prefix --cellar --cache --env --version")
        ),
    ),
    "port": by_subcommand(
        "installed   contents deps variants version | \n"
        "install sync selfupdate upgrade search list info outdated | NW\n"
        "uninstall clean reclaim | D"
    ),
    "snap": by_subcommand(_SNAP),
    "flatpak": by_subcommand(
        (
            "list info history permissions config remotes ps document-list permission-show |\n"
            "install update search remote-ls remote-info remote-add | NW\n"
            "uninstall remove remote-delete kill | D\n"
            "run override repair build-init make-current enter | U"
        ),
        "words | | --user --system --columns= --app --runtime --version",
    ),
    "nix": by_subcommand(
        _NIX,
        ("words | | --option= --extra-experimental-features= --impure -f= --file= --expr=:X -E=:X --version --json"),
    ),
    "nix-store": by_subcommand(
        "",
        (
            "words | | -q --query -R --requisites --references --referrers --tree --gc!D --delete!D "
            "--add!W --realise!N -r!N --verify --print-env --dump --export"
        ),
        bare="",
    ),
    "nix-instantiate": by_subcommand("", "words +U | |", bare="U"),
    "nix-build": by_subcommand("", "words +N +W | |", bare="NW"),
    "nix-collect-garbage": by_subcommand("", "words +D | |", bare="D"),
    "nix-prefetch-url": by_subcommand("", "words +N | |", bare="N"),
    **dict.fromkeys(
        ("choco", "scoop", "winget"),
        by_subcommand(
            "list version help  status which prefix  |\n"
            "install update upgrade search outdated info | NW\n"
            "uninstall cleanup reset | D"
        ),
    ),
    "emerge": by_subcommand("", "words +N +W | | -p --pretend -s --search --info", bare="NW"),
    "xbps-query": by_subcommand("", "pure | |", bare=""),
    "xbps-install": by_subcommand("", "words +N +W | |", bare="NW"),
    "xbps-remove": by_subcommand("", "words +D | |", bare="D"),
    "pkg": by_subcommand(
        "info query which version stats check | \n"
        "install update upgrade fetch search | NW\n"
        "delete remove autoremove clean | D"
    ),
}
