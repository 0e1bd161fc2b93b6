"""Administration of the machine: disks, accounts, kernel, processes (standard, rule 5)."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.network import administers
from agentfsm.shell.programs.spec import add, apply, compiled, read_arguments

__all__ = ("RULES", "TABLE")

TABLE = """
pkill killall killall5 skill snice xkill tkill umount mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs
    mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.minix mkfs.cramfs mkfs.bfs mkfs.f2fs mke2fs mkdosfs mkntfs mkswap
    swapon swapoff mkhomedir_helper fsck fsck.ext4 fsck.ext3 fsck.ext2 fsck.xfs fsck.vfat e2fsck xfs_repair btrfs
    zfs zpool tune2fs resize2fs debugfs  badblocks  sgdisk gdisk cgdisk cfdisk partprobe partx kpartx addpart
    delpart resizepart wipefs blkdiscard fstrim fsfreeze growpart lvcreate lvremove lvextend lvresize lvreduce
    vgcreate vgremove vgextend pvcreate pvremove  cryptsetup dmsetup   pivot_root switch_root useradd userdel
    usermod adduser deluser addgroup delgroup groupadd groupdel groupmod passwd chpasswd chfn chsh  gpasswd newgrp
    sg vipw vigr pwconv pwunconv grpconv newusers visudo sudoedit insmod rmmod modprobe    setsebool semanage
    restorecon chcon setenforce apparmor_parser aa-enforce aa-complain auditctl  eject  rtcwake chvt openvt
    deallocvt loadkeys setfont kbdrate tunelp ctrlaltdel swaplabel fdformat raw   chcpu chmem ldattach readprofile
    agetty getty login sulogin nologin   pwck grpck quotaon quotaoff setquota edquota quotacheck mknod
    grub-set-default   flashrom     cpufreq-set tuned-adm  turbostat x86_energy_perf_policy wrmsr setpci bpftrace
    bpftool stap systemtap dtrace trace-cmd crash kdump kexec gcore ipcrm  mount.nfs mount.cifs fusermount
    fusermount3 guestmount guestunmount ntfs-3g exportfs  automount update-passwd update-shells  dpkg-divert
    dpkg-statoverride unminimize debootstrap pbuilder sbuild schroot cdebootstrap mmdebstrap live-build osirrox
    wodim cdrecord growisofs testdisk photorec ddrescue partclone clonezilla dislocker | +D | . |
genisoimage mkisofs xorriso mksquashfs unsquashfs mkcpio mkimage dd_rescue bmaptool | words +W | . |
dumpe2fs blkid lsns xfs_info tzselect nfsstat nfsiostat quota repquota lvs vgs pvs lvdisplay vgdisplay pvdisplay
    lvscan vgscan pvscan sar ausearch aureport ipcs mcookie  tput clear reset  tset resizecons fgconsole infocmp
    toe showkey dumpkeys kbdinfo uuidgen uuidparse  cpuinfo modinfo lsipc sensors  namei  whoami getpcaps pscap
    filecap netcap   dircolors tabs   xprop xwininfo  false rev getopt isatty mcookie pidwait lslocks lsmem cal
    chage   | pure | . |
ipcmk | +W | . |
script_replay scriptreplay  | +U | . |
scriptlive | +U | . |
tic captoinfo infotocap localedef | +W | . |
xclip xsel wl-copy wl-paste pbcopy pbpaste clip xset setxkbmap xmodmap notify-send osd_cat play aplay paplay
    spd-say say espeak espeak-ng festival beep | words | . |
import scrot flameshot gnome-screenshot grim screencapture arecord parecord ffplay mpv vlc mplayer xwd
    recordmydesktop asciinema | words +W | . |
xdotool ydotool wtype wmctrl xinput | +U | . |
uuid pwgen apg makepasswd diceware xkcdpass mkpasswd  cracklib-check pwscore | pure | . |
htpasswd htdigest | words | . w | -n -b -B -c!W -D!D -i -m -d -s -p -v
"""


def mount(call: Call) -> None:
    """``mount`` without operands lists; with them it is administration."""
    spec = compiled(
        "words | | -l,--show-labels -t,--types= -v,--verbose -h,--help -V,--version -a!D "
        "-o,--options=!D -B!D -M!D -R!D -O= -L=!D -U=!D --bind!D --rbind!D --move!D -f --fstab="
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.operands:
        call.destroys("administers", "mount")


def disks(call: Call) -> None:
    """``fdisk -l`` lists; anything else edits partitions."""
    texts = [arg.text for arg in call.args]
    if any(
        text
        in (
            "-l",
            "--list",
            "-lu",
            "-v",
            "-V",
            "--version",
            "-h",
            "-d",
            "--dump",
            "-s",
            "-x",
            "--list-details",
            "-J",
            "--json",
        )
        for text in texts
    ) or (call.name == "parted" and texts and texts[-1] in ("print", "free", "all")):
        return
    call.destroys("administers", call.name)


def sysctl(call: Call) -> None:
    """``sysctl NAME`` reads; a value, -w, -p or --system sets."""
    texts = [arg.text for arg in call.args]
    if any("=" in text and not text.startswith("--pattern") for text in texts) or any(
        text.startswith(("-w", "--write", "-p", "-f", "--load", "--system")) for text in texts
    ):
        call.destroys("administers", "sysctl")


def terminal(call: Call) -> None:
    """``stty`` sets this terminal only; another device is written to."""
    for arg in call.args:
        if arg.starts("-F", "--file"):
            call.destroys("administers", arg.text)


def asks(*letters: str) -> Rule:
    """Return the rule of an administration program that asks with one of these options only."""
    return administers(*letters)


def top(call: Call) -> None:
    """``top`` and ``htop`` show processes."""
    if call.name == "atop" and any(arg.starts("-w") for arg in call.args):
        add(call, "W", "-w")


def fuser(call: Call) -> None:
    """``fuser`` shows who uses a file; -k kills them."""
    if any(
        (arg.starts("-") and not arg.starts("--") and "k" in arg.text[1:]) or arg.text == "--kill" for arg in call.args
    ):
        call.destroys("stops_processes", "fuser -k")


def renice(call: Call) -> None:
    """``renice`` changes other processes."""
    call.destroys("changes_process", "renice")


def hwclock(call: Call) -> None:
    """``hwclock`` shows the clock, or sets one."""
    if any(
        arg.text
        not in ("-r", "--show", "-v", "--verbose", "-u", "--utc", "-l", "--localtime", "-V", "--version", "--get")
        for arg in call.args
    ):
        call.destroys("administers", "hwclock")


def reports(call: Call) -> None:
    """These only report, whatever they are given."""


RULES: dict[str, Rule] = {
    "mount": mount,
    **dict.fromkeys(("fdisk", "sfdisk", "parted"), disks),
    "sysctl": sysctl,
    "stty": terminal,
    **dict.fromkeys(("top", "htop", "atop", "glances"), top),
    "fuser": fuser,
    "renice": renice,
    "hwclock": hwclock,
    "hdparm": asks("-I", "-i", "-g"),
    "smartctl": asks("-a", "-i", "-H", "--all", "-A", "--scan", "-l", "-x", "--info", "--health"),
    "nvme": asks("list", "smart-log", "id-ctrl", "version"),
    "losetup": asks("", "-a", "-l", "--list", "--all", "-j", "-la"),
    "blockdev": asks("--report", "--getsize64", "--getsz", "--getss", "--getro", "--getra", "--getbsz"),
    "mdadm": asks("--detail", "-D", "--examine", "-E", "--query", "-Q"),
    "efibootmgr": asks("", "-v"),
    "fwupdmgr": asks("get-devices", "get-history"),
    "cpupower": asks("frequency-info", "idle-info"),
    "ipmitool": asks("sdr", "sensor"),
    "kmod": asks("list"),
    "zramctl": asks(""),
    "setterm": reports,
    "dmidecode": asks("", "-t", "-s", "-q", "--type", "--string"),
    "btrfs": asks("--version"),
    "zfs": asks("list", "get", "version"),
    "zpool": asks("list", "status", "get", "version", "iostat"),
    "wdctl": reports,
    "swapon": asks("", "-s", "--show", "--summary"),
    "powertop": asks("--version"),
    "nvidia-smi": asks("", "-L", "-q", "--query-gpu", "--list-gpus", "-l", "-i", "pmon", "dmon", "topo"),
    "choom": asks("-p"),
    "visudo": asks("-c"),
    "passwd": asks("-S"),
    "chage": asks("-l"),
    "cryptsetup": asks("status", "luksDump", "isLuks"),
    "dmsetup": asks("ls", "info", "status", "table"),
    "partx": asks("-s", "--show", "-l"),
    "wipefs": asks("", "-n", "-J"),
    "gdisk": asks("-l"),
    "sgdisk": asks("-p", "--print", "-i"),
    "bpftool": asks("prog", "map", "version"),
    "fsck": asks("-N"),
    "debugfs": asks("-V"),
    "modprobe": asks("-c", "--show-depends", "-D", "-n", "--dry-run"),
    "update-alternatives": asks("--list", "--display", "--query", "--get-selections"),
    "xrandr": asks("", "-q", "--query", "--listmonitors", "--verbose", "--current"),
    "wodim": asks("-devices"),
    "mknod": lambda call: call.destroys("administers", "mknod"),
}
