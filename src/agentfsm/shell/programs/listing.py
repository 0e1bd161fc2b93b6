"""Programs that list names and metadata, and those that only report on the system."""

from __future__ import annotations

from agentfsm.shell.call import Rule

__all__ = ("RULES", "TABLE")

TABLE = """
ls dir vdir du stat readlink realpath namei pathchk exa eza lsd lstr | pure +S | . |
tree | strict +S | . | -adflxqNQpugshDFvctUrniASCX -L= -P= -I= -H= -T= -R -J -o=:w --noreport --nolinks --charset=
    --filelimit= --dirsfirst --filesfirst --sort=? --gitignore --gitfile= --infofile= --info --si --du --prune
    --timefmt= --inodes --device --fromfile --fromtabfile --matchdirs --ignore-case --metafirst --hintro=
    --houtro= --help --version --hyperlink --scheme= --authority= --noreport
file | strict +S | . | -bcEhiIkLlNnpqrsvz0Z -e,--exclude= --exclude-quiet= -F,--separator= -f,--files-from=:r
    -m,--magic-file= -P,--parameter= --apple --extension --mime --mime-type --mime-encoding --brief
    --checking-printout --no-dereference --dereference --keep-going --list --no-pad --preserve-date --raw
    --special-files --uncompress --uncompress-noreport --no-buffer --no-sandbox --print0 --help --version -C!W
    --compile!W
locate mlocate plocate | strict +S | . | -AbcdeiHlLnNPqrSsw0p -l,--limit,-n= -r,--regexp= -d,--database= --all
    --basename --count --existing --follow --ignore-case --null --wholename --regex --statistics --nofollow
    --literal --help --version
df lsblk findmnt lscpu lsmem lspci lsusb lsmod lsns lsipc lsirq lsfd lslocks lsb_release vmstat iostat mpstat
    pidstat free uptime ps pstree pgrep pidof pmap pwdx tload slabtop procinfo nstat arch lsinitramfs | pure | . |
lshw | words | . | -class= -C= -short -businfo -json -html -xml -X!U -dump=:w
lsof | pure | . | -i=? -p= -u= -c= -d= -a -n -P -t
which whereis whatprovides | pure | . |
getfacl lsattr getcap getfattr mountpoint isoinfo | pure +S | . |
getent | pure | . |
ncdu gdu dust duf dua | words +S | . | -o=:w -f= -x -e --exclude= --color= -X,--exclude-from= -d= -n= -r -b -q
broot | words +S | . | --cmd=!U -c=!U --outcmd=:w
dutree pdu diskus erd | pure +S | . |
inxi neofetch screenfetch fastfetch cpuid sensors acpi lstopo hwinfo glxinfo vulkaninfo upower xdpyinfo | words |
    . | -o,--output= -t=
procs btop bpytop gtop | pure | . |
nm objdump readelf size addr2line c++filt dwarfdump otool llvm-objdump llvm-nm llvm-readelf llvm-size
    llvm-symbolizer llvm-cxxfilt eu-readelf eu-nm eu-size bloaty lddtree | pure | r* | -j= -M= -C -d -S -h -e=
identify mediainfo soxi pdfinfo exif mkvinfo | pure | r* |
mdls mdfind sw_vers system_profiler | pure +S | . |
cpufreq-info lsscsi lsusb.py numastat lspcmcia biosdecode vpddecode irqtop uuidparse isosize | pure | . |
"""
RULES: dict[str, Rule] = {}
