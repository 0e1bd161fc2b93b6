"""Services, logs and scheduled work: looking is harmless, changing is administration."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.network import administers
from agentfsm.shell.programs.spec import add, apply, compiled, read_arguments
from agentfsm.shell.programs.subcommands import by_subcommand

__all__ = ("RULES", "TABLE")

TABLE = """
at batch atrm systemd-run start-stop-daemon anacron cron crond fcrontab runsv runsvdir sv svc daemonize daemon
    supervisorctl supervisord monit pm2 forever god circusctl s6-svc s6-rc rc-service rc-update  initctl start
    stop restart reload launchctl apachectl apache2ctl  httpd a2ensite a2dissite a2enmod a2dismod postfix
    postsuper exim  named rndc smbcontrol cupsd lpr lp cancel lprm cupsenable cupsdisable update-grub grub-install
    grub-mkconfig update-initramfs dracut mkinitcpio depmod dpkg-reconfigure debconf-set-selections locale-gen
    update-locale update-ca-certificates update-ca-trust ldconfig telinit init poweroff reboot halt shutdown wall
    write  kexec systemd-tmpfiles systemd-sysusers systemd-firstboot systemd-machine-id-setup ntpd chronyd  | +D |
    . |
atq lpstat lpq cups-config systemd-path systemd-cgls systemd-cgtop systemd-delta systemd-escape systemd-id128
    systemd-ac-power  utmpdump logname  lastlog aa-status sestatus getenforce getsebool rc-status runlevel  | pure
    | . |
logger | +W | . |
logrotate | +M | . | -d,--debug -s=:w
mesg | pure | . |
"""

_SYSTEMCTL = """
status show cat list-units list-unit-files list-sockets list-timers list-dependencies list-jobs list-machines
    list-automounts list-paths is-active is-enabled is-failed is-system-running get-default show-environment help
    whoami |
start stop restart reload try-restart reload-or-restart try-reload-or-restart kill enable disable reenable mask
    unmask preset preset-all link revert edit add-wants add-requires set-default set-property isolate
    daemon-reload daemon-reexec reset-failed clean freeze thaw set-environment unset-environment
    import-environment log-level log-target service-log-level service-log-target poweroff reboot halt shutdown
    kexec suspend hibernate hybrid-sleep suspend-then-hibernate exit switch-root emergency rescue default cancel
    bind mount-image soft-reboot sleep | D
"""
_SYSTEMCTL_ROW = (
    "words | | -t,--type= --state= -p,--property= -P= --value -a,--all -l,--full -n,--lines= "
    "-o,--output= --no-pager --no-legend --plain -q,--quiet --user --system --global --failed "
    "-r,--recursive --reverse --after --before -H,--host=!N -M,--machine= --root= --legend= "
    "-s,--signal= --kill-who= --now --force -f --runtime --no-block --no-wall --what= "
    "--job-mode= --with-dependencies --show-types --version -h --help --timestamp="
)


def journalctl(call: Call) -> None:
    """``journalctl`` shows the journal; vacuuming deletes from it."""
    spec = compiled(
        "words | | --vacuum-size=!D --vacuum-time=!D --vacuum-files=!D --rotate!D --flush!D "
        "--sync!D --relinquish-var!D --smart-relinquish-var!D --setup-keys!D --update-catalog!D "
        "--cursor-file=:w -u,--unit= --user-unit= -n,--lines=? -S,--since= -U,--until= "
        "-p,--priority= -o,--output= -g,--grep= -t,--identifier= -b,--boot=? -k,--dmesg "
        "-f,--follow -e -x -r -a -q "
        "--no-pager --output-fields= -D,--directory= --file= --root= --image= -M,--machine= "
        "-c,--cursor= --after-cursor= --facility= --disk-usage --list-boots --header --verify "
        "--list-catalog --dump-catalog -F,--field= -N --fields --no-hostname --no-full --utc "
        "--user --system --merge -m --reverse --catalog --no-tail --show-cursor --invocation= "
        "--exclude-identifier= --case-sensitive=? --verify-key= --interval= --namespace= "
        "--pager-end --all --quiet --list-namespaces --truncate-newline --version --help -h"
    )
    apply(call, spec, read_arguments(call, spec, call.args))


def crontab(call: Call) -> None:
    """``crontab -l`` lists; anything else installs commands that run later, or removes them."""
    texts = [arg.text for arg in call.args]
    if texts and texts[-1] == "-l" and all(text in ("-l", "-u") or not text.startswith("-") for text in texts):
        if "-u" in texts:
            call.destroys("raises_rights", "-u")
        return
    call.destroys("schedules_or_removes", " ".join(texts))


def service(call: Call) -> None:
    """``service NAME status`` asks; any other word changes."""
    texts = [arg.text for arg in call.args]
    if texts == ["--status-all"] or (len(texts) == 2 and texts[1] == "status"):  # name, word
        return
    call.destroys("stops_service", " ".join(texts))


def nginx(call: Call) -> None:
    """``nginx -t`` checks its settings."""
    texts = [arg.text for arg in call.args]
    if texts in (["-v"], ["-V"], ["-h"]):
        return
    if any(text in ("-t", "-T") for text in texts) and not any(text.startswith(("-g", "-s")) for text in texts):
        add(call, "R", "-t")
        return
    call.destroys("starts_or_stops_service", "nginx")


def dmesg(call: Call) -> None:
    """``dmesg`` shows the kernel's messages; clearing them or setting the console is administration."""
    spec = compiled(
        "strict | | -C,--clear!D -c,--read-clear!D -D,--console-off!D -E,--console-on!D "
        "-n,--console-level=!D -F,--file=:r -f,--facility= -H,--human -J,--json -k,--kernel "
        "-L,--color=? -l,--level= -P,--nopager -p,--force-prefix -r,--raw -S,--syslog "
        "-s,--buffer-size= -u,--userspace -w,--follow -W,--follow-new -x,--decode -d,--show-delta "
        "-e,--reltime -T,--ctime -t,--notime --noescape --time-format= --since= --until= -h,--help "
        "-V,--version -K,--kmsg-file=:r"
    )
    apply(call, spec, read_arguments(call, spec, call.args))


RULES: dict[str, Rule] = {
    "dmesg": dmesg,
    "systemctl": by_subcommand(_SYSTEMCTL, _SYSTEMCTL_ROW),
    "journalctl": journalctl,
    "crontab": crontab,
    "service": service,
    "invoke-rc.d": service,
    "nginx": nginx,
    "systemd-analyze": by_subcommand(
        (
            "time blame critical-chain dot plot dump cat-config unit-files unit-paths calendar "
            "timespan timestamp verify security condition log-level log-target exit-status capability "
            "filesystems |"
        ),
        "pure | |",
        bare="",
    ),
    "loginctl": administers(
        "",
        "list-sessions",
        "session-status",
        "show-session",
        "list-users",
        "user-status",
        "show-user",
        "list-seats",
        "seat-status",
        "show-seat",
    ),
    "hostnamectl": administers("", "status", "hostname", "--static"),
    "timedatectl": administers("", "status", "show", "list-timezones", "timesync-status", "show-timesync"),
    "localectl": administers("", "status", "list-locales", "list-keymaps"),
    "busctl": administers("", "list", "status", "tree", "introspect", "get-property", "monitor"),
    "coredumpctl": administers("", "list", "info"),
    "bootctl": administers("", "status", "list"),
    "udevadm": administers("info", "--version", "monitor"),
    "dbus-send": administers(),
    "gdbus": administers("introspect"),
    "powerprofilesctl": administers("", "get", "list"),
    "rabbitmqctl": administers("status", "list_queues", "list_users"),
    "supervisorctl": administers("status", "version", "avail", "tail"),
    "apachectl": administers("-t", "-S", "configtest", "-v", "-V", "-M"),
    "apache2ctl": administers("-t", "-S", "configtest", "-v", "-V", "-M"),
    "sshd": administers("-t", "-T"),
    "named-checkconf": administers(""),
    "pm2": administers("list", "ls", "status", "logs", "show", "describe", "jlist"),
    "launchctl": administers("list", "print"),
    "haproxy": administers("-v", "-c"),
    "postfix": administers("check", "status"),
    "sv": administers("status"),
    "at": administers("-l", "-c"),
    "varnishadm": administers("status"),
}
