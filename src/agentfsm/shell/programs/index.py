"""Which family knows which program, so that a family is loaded when it is needed."""

from __future__ import annotations

__all__ = ("INDEX",)

INDEX = {
    "archives": """
7z 7za 7zr 7zz apack ar arc atool aunpack brotli bsdtar bunzip2 bzip2 cabextract compress cpio dtrx funzip gtar
gunzip gzip innoextract lbzip2 lha lrunzip lrzip lrztar lsar lunzip lz4 lzip lzma lzop makeself ouch p7zip
patool pax pbzip2 pigz pixz plzip pzstd rar rpm2archive rpm2cpio shar snzip tar unace unalz unar uncompress
unlz4 unlzma unp unpigz unrar unrar-free unshield unxz unzip unzstd uudecode uuencode xz zip zipinfo zipnote
zipsplit zpaq zstd zstdmt
""",
    "awk": """
awk bwk gawk goawk mawk nawk original-awk
""",
    "builtins": """
. : [ alias bg bind break builtin caller cd chdir command compgen complete compopt continue dirs disown enable
eval exec exit fc fg getopts hash help history jobs kill let logout mapfile popd printf pushd pwd read readarray
return set shift shopt source suspend test times trap type ulimit umask unalias unset wait
""",
    "cloud": """
age age-keygen ansible ansible-config ansible-console ansible-doc ansible-galaxy ansible-inventory
ansible-playbook ansible-pull ansible-vault argo argocd atlantis aws aws-sso aws-vault az azcopy b2 bolt borg
bosh boundary bw cdk cf chalice chamber chef chef-client cilium circleci civo codecov copilot coveralls
crossplane datadog-ci dependabot devspace doctl duplicati duplicity eb ecs-cli eksctl exo faas-cli fission flux
garden gcloud gh glab granted gsutil hcloud helm hubble ibmcloud infracost istioctl jira k k9s kn knife kops
kubecolor kubectl kubectx kubefwd kubens kubeseal kubetail kustomize lens linear linkerd linode-cli lpass mgmt
neonctl newrelic oc oci odo okteto op packer promtool pscale pulumi puppet rclone render renovate restic rosa
s3cmd s5cmd salt salt-call salt-ssh saml2aws scw sentry-cli serverless skaffold slack sls snyk sonar-scanner
sops spacelift stern telepresence terraform terragrunt tilt tkn tofu travis turso velero vultr-cli waypoint
""",
    "compilers": """
advpng antlr4 arm-none-eabi-gcc as asciidoc asciidoctor avifenc biber bibtex bindgen bison c++ c89 c99 cabal
capnp cargo cbindgen cc ccache chicken circo clang clang++ composite convert cpp crystal csc cwebp dart dlltool
dmd dot dotnet doxygen dune dvipdf dvips dwebp elixirc elm em++ emcc erlc f77 fdp ffmpeg flac flatc flex flutter
fpc fsharpc g++ gas gcc gcov gcovr gdb gdbserver gdc genhtml geninfo gfortran ghc gifsicle gimp gitbook gleam
gnatmake go gold gopls govulncheck gperf gprof grcov groovyc gs haxe helmfile help2man hugo icc img2pdf inkscape
iverilog javac jekyll jpegoptim jpegtran kotlinc lame latex latexmk lcov ld ld.bfd ld.gold ld.lld ldc2 ldd lex
libreoffice lld lldb llvm-cov llvm-profdata lrelease lualatex luatex lupdate m4 magick makeindex makeinfo marp
mcs mdbook mix mkdocs mmdc moc mogrify mold montage mpicc mpicxx msbuild msgfmt msgmerge musl-gcc mutool nasm
neato nim nvcc objcopy ocamlc ocamlopt ocrmypdf oggenc opam optipng opusenc oxipng pdf2ps pdfimages pdflatex
pdfseparate pdftex pdftk pdftohtml pdftoppm pdftotext pdfunite pelican plantuml pngcrush pngquant ponyc potrace
protoc protoc-gen-go ps2pdf qpdf qrencode r2 radare2 ragel ranlib rcc re2c rebar3 ronn rpcgen rr rst2html
rst2man rsvg-convert rustc rustup sbcl scalac sccache sfdp slidev soffice sox sphinx-apidoc sphinx-autogen
sphinx-build stack strip swift swiftc swig tcc tectonic terraform-docs tesseract tex texi2any texi2pdf thrift
twopi typst uic uniffi-bindgen unoconv valac vbc verilator wasm-bindgen wasm-ld wasm-opt wasm2wat wat2wasm
weasyprint windres wkhtmltopdf xcodebuild xelatex xgettext yacc yasm yosys zig zola
""",
    "containers": """
VBoxManage buildah buildctl buildkitd colima containerd cosign crane crictl crun ctop ctr distrobox dive docker
docker-compose docker-slim dockerd finch firecracker grype img incus k3d k3s kaniko kata-runtime kind ko kompose
kubeadm lazydocker limactl lxc lxc-attach lxc-checkconfig lxc-execute lxc-info lxc-ls lxc-start lxd machinectl
microk8s minikube multipass nerdctl oras pack podman podman-compose proxmox-backup-client qemu-img
qemu-system-aarch64 qemu-system-x86_64 regctl runc skopeo syft systemd-detect-virt systemd-nspawn talosctl
toolbox trivy vagrant virsh virt-install virt-top virt-what vmrun youki
""",
    "databases": """
arangosh bcp beeline bq clickhouse clickhouse-client clickhouse-local clusterdb consul couchbase-cli cqlsh
createdb createuser cypher-shell dbmate drizzle-kit dropdb dropuser duckdb etcd etcdctl flyway goose hadoop hdfs
hive influx influxd initdb iredis isql kafka-console-consumer kafka-console-producer kafka-topics knex liquibase
litecli mariadb mariadb-dump migrate mongo mongod mongodump mongoexport mongoimport mongorestore mongosh mycli
mysql mysql_config mysql_secure_installation mysql_upgrade mysqladmin mysqlcheck mysqld mysqld_safe mysqldump
mysqlimport neo4j nodetool nomad octosql pg_basebackup pg_config pg_controldata pg_createcluster pg_ctl
pg_ctlcluster pg_dropcluster pg_dump pg_dumpall pg_isready pg_lsclusters pg_receivewal pg_restore pg_upgrade
pg_waldump pgbench pgcli pgloader presto psql pyspark rabbitmqadmin redis-benchmark redis-cli redis-server
reindexdb sequelize snowsql spark-sql spark-submit sqitch sqlcmd sqldiff sqlite sqlite3 sqlite3_analyzer sqlplus
sqlx steampipe surreal trino typeorm usql vacuumdb valkey-cli vault
""",
    "declarations": """
declare export local readonly typeset
""",
    "editors": """
acme atom code code-insiders compose cursor dialog dired ed edit editor emacs emacsclient ex fzf gedit gio gum
gvim helix hx idea jed joe kak kate kdialog lf mc mcedit mg micro nano ne nnn notepad nvim open pager peco
percol pico print pycharm ranger red run-mailcap rview rvim sam see select-editor sensible-browser
sensible-editor sensible-pager sk subl sublime vi view vifm vim vimdiff vimtutor webstorm whiptail x-www-browser
xdg-open yazi zed zenity zile
""",
    "files": """
chattr chgrp chmod chown convmv cp dcfldd dd del detox ditto fallocate fdupes file-rename ginstall gio-trash icp
imv install jdupes lchmod link ln mkdir mkfifo mktemp mmv mv patch perl-rename prename qcp qmv rdfind rename
restore-trash rip rm rmdir rmlint rmtrash rsync scrub secure-delete setcap setfacl setfattr sfill shred srm
sswap stow symlinks tempfile touch trash trash-empty trash-list trash-put trash-restore trash-rm truncate unlink
update-rc.d vidir vipe wipe xattr
""",
    "finding": """
bfs fd fdfind find gfind
""",
    "gittool": """
delta diff-so-fancy diffnav difft difftastic git git-gui git-lfs git-quick-stats git-secrets git-sizer gitk
gitleaks gitui hub lazygit tig trufflehog
""",
    "interpreters": """
R Rscript airflow alembic artisan asdf autoit bpython bsh bundle bundler celery chez chuck clangd clisp composer
cpan cpanm csi csound d8 dagster dbt direnv django-admin drush ecl elixir erb erl escript expect fennel flask
foreman gem gforth ghci gjs goenv gp gprolog gradio gst guile gunicorn hhvm hivemind honcho hy hypercorn iex io
ipython ipython3 irb janet jedi-language-server jenv jsc julia jupyter jupyter-console jupyter-lab
jupyter-notebook locust lua luac luajit luarocks luigi mathematica matlab maxima mise moon newlisp nodejs-repl
nodenv ocaml octave octave-cli osascript overmind pear pecl perl perldoc php php-cgi picolisp pike pil prefect
pry psysh ptpython puma pyls pylsp qjs quickjs racket rackup rails rbenv regina rexx rhino ri rtx ruby runghc
runhaskell rust-analyzer rvm sage sas scheme scrapy sidekiq smalltalk spss squirrel stata streamlit
supercollider swipl symfony tclsh tinker typos-lsp unicorn utop uvicorn wish wolframscript wp wren
""",
    "javascript": """
amplify api-extractor astro astro-check attw ava babel biome browser-sync bun bundlewatch bunx c8 changesets
chokidar cleancss cnpm concurrently copyfiles corepack cpx cpy cross-env csso cypress del-cli deno depcheck
depcruise dependency-cruiser documentation docusaurus dotenv dpdm eas electron electron-builder eleventy esbuild
eslint eslint_d esno expo-build firebase fly flyctl fnm gatsby graphql-codegen heroku hexo html-minifier
http-server husky hygen jasmine jest js-beautify jscpd jscs jsdoc jshint json-server karma knip lab lerna lessc
license-checker live-server localtunnel lt madge make-dir microbundle mkdirp mocha n ncc ncp ncu nest netlify
next ng node node-dev node-sass node-tap nodejs nodemon now np npm npm-check npm-check-updates npm-run-all npx
nuxt nvm nx nyc onchange openapi-generator oxlint parcel playwright plop pnpm pnpx postcss prettier prettierd
publint quicktype qunit railway react-scripts release-it remix-build rimraf rollup rome rsbuild rspack run-p
run-s sass semantic-release semistandard serve size-limit sort-package-json standard storybook stylelint stylus
supabase supervisor surge svelte-check svelte-kit svgo swc tailwindcss tap tape terser trash-cli ts-node
ts-node-dev ts-prune tsc tsdown tsgo tslint tsup tsx turbo turbopack type-coverage typedoc uglifyjs unbuild
unimported uvu vercel vite vite-node vitest volta vue-cli-service vue-tsc vue-tsc-check webpack wrangler xo yarn
yarnpkg yo zx
""",
    "jvm": """
amm bb clj clojure gradle groovy jar jarsigner java javadoc javah javap jbang jdeprscan jdeps jhsdb jjs jlink
jmap jmod jpackage jps jshell jstack jstat jython kawa keytool kotlin kotlinc-native lein maven mill mvn mvnd
nashorn native-image sbt scala scala-cli sdk
""",
    "linters": """
actionlint add-trailing-comma ajv alejandra alex ansible-lint appstream-util appstreamcli astyle autoflake
autopep8 axe bandit basedpyright bats behave black brakeman buck2-test buf buildifier busted cfn-lint
check-jsonschema checkmake checkov checkstyle clang-check clang-format clang-tidy cmake-format cmake-lint
cmakelint codecept codespell commitlint conftest cppcheck cpplint credo csharpier-check csslint ctest cucumber
curlylint datree deadcode deadnix deptrac desktop-file-validate detekt dialyzer djlint djlint-check dmypy
docformatter dodgy dotnet-format dprint ec eclint editorconfig-checker elm-review elm-test elvis epylint
erb_lint erblint errcheck errorprone fasterer flake8 flawfinder flay flog fourmolu gci gersemi gersemi-check
ginkgo gocritic gocyclo gofmt gofumpt goimports golangci-lint golines google-java-format gosec gotestsum
hadolint haml-lint hlint html-validate htmlhint htmltest hyperlink include-what-you-use indent ineffassign infer
interrogate isort iwyu json5 jsonlint jsonnetfmt jsonschema ktfmt ktlint kube-linter kube-score kubeconform
kubeval lefthook lettuce lighthouse linkchecker linthtml lintian luacheck lychee markdown-link-check
markdownlint markdownlint-cli2 mccabe mdformat mdl misspell mypy nilaway nixfmt nixpkgs-fmt nixpkgs-lint nose2
nosetests nox oclint ormolu pa11y pabot parallel-lint parallel_rspec paratest periphery pest phan php-cs-fixer
php-parse phpcbf phpcs phplint phpmd phpstan phpunit pint pmd polaris pre-commit proselint prospector protolint
prove psalm py.test pycodestyle pydocstyle pyflakes pylama pylint pyre pyreverse pyright pytest python-doctest
python-unittest pytype pyupgrade radon rails_best_practices rats rector reek remark-lint reorder-python-imports
revive robot rpmlint rspec rubocop ruff run-clang-tidy rustfmt scalafix scalafmt scalastyle selene shellharden
slim-lint slipcover sorbet sparse splint spotbugs sqlfluff srb stan standardrb staticcheck statix steep stestr
stylelint-check stylish-haskell stylua swift-format swiftformat swiftformat-lint swiftlint symilar
systemd-analyze-verify taplo taplo-lint terrascan testr textlint tflint tfsec tidy tox trial turnip ty typos
uncrustify unparam vale vint vnu vulture ward weeder write-good xenon xml xmllint xmlstarlet xref yajsv yajv
yamllint yapf zizmor zope-testrunner
""",
    "listing": """
acpi addr2line biosdecode bloaty bpytop broot btop c++filt cpufreq-info cpuid df dir diskus du dua duf dust
dutree dwarfdump erd eu-nm eu-readelf eu-size exa exif eza fastfetch file findmnt free gdu getcap getfacl
getfattr glxinfo gtop hwinfo identify inxi iostat irqtop isoinfo isosize lddtree llvm-cxxfilt llvm-nm
llvm-objdump llvm-readelf llvm-size llvm-symbolizer locate ls lsattr lsb_release lsblk lscpu lsd lsfd lshw
lsinitramfs lsirq lsmod lsof lspci lspcmcia lsscsi lstopo lstr lsusb lsusb.py mdfind mdls mediainfo mkvinfo
mlocate mountpoint mpstat ncdu neofetch nm numastat objdump otool pathchk pdfinfo pdu pgrep pidof pidstat
plocate pmap procinfo procs ps pstree pwdx readelf readlink realpath screenfetch size slabtop stat sw_vers
system_profiler tload tree upower uptime vdir vmstat vpddecode vulkaninfo whatprovides whereis which xdpyinfo
""",
    "make": """
aclocal ant autoconf autogen autoheader automake autoreconf bazel bazelisk blaze bmake buck buck2 cake ccmake
cmake cmake-gui cmake3 configure cpack desktop-file-install doit earthly fab fc-cache glib-compile-resources
glib-compile-schemas gmake gn grunt gtk-update-icon-cache gulp gyp imake inv invoke jake just libtoolize mage
make mandb meson mktexlsr ninja ninja-build pants paver phing pmake poe premake5 qmake qmake6 rake redo remake
samu scons task texhash thor update-mime-database waf xmake
""",
    "modern": """
aha aichat aider air amber ambr ansi2html ansifilter antigen atuin autojump bat batcat cargo-watch ccze chatgpt
chezmoi choose claude codemod codex crudini csvtk cue dasel dhall dhall-to-json envsubst exiftool f2 fasd
fastmod ffprobe frogmouth fselect fswatch fx gemini glow gojq gron gsar hck hexyl htmlq huniq inotifywait
inotifywatch jaq jc jello jid jless jnv jp jq json_pp json_reformat json_verify json_xs jsonnet llm lnav mcfly
mdcat modd multitail navi nomino nq oh-my-posh ollama onefetch opa opencode overseer pastel pet pueue pup reflex
rename-rs replace rich rpl runiq ruplacer saxon sd serpl sgpt sheldon starship tailspin teip terminalizer
thefuck tomlq topgrade ts tsp tsv-filter tsv-select ungron up vd vhs visidata vivid watchexec wtf xcp xd xq
xsltproc yadm yq z zoxide
""",
    "network": """
ab acme.sh amass amfora aria2c arp arp-scan arping autossh avahi-browse avahi-resolve axel bandwhich bettercap
bluetoothctl bmon bombardier bore brctl bridge browsh bzr certbot chisel chronyc cloudflared conan conntrack
croc cryptcat curl curlie cvs darcs ddgr delv dig dirb dns-sd dnsdomainname dog doggo domainname drill dumpcap
elinks ethtool ettercap evans fetchmail ffuf finger firewall-cmd fossil fping frpc ftp gallery-dl getent getmail
gobuster googler gopher gpg gpg2 gpgv gping grpcurl hey hg host hostname hping3 http httpie https httpstat httpx
httrack hurl hydra ifconfig iftop insomnia ip ip6tables ipcalc ipcount iperf iperf3 ipfs ipset iptables
iptables-save iptraf-ng irssi iw iwconfig iwgetid iwlist k6 kcat kdig ldapadd ldapdelete ldapmodify ldapsearch
ldapwhoami lego lftp links lnstat lynx magic-wormhole mail mailx masscan mbsync medusa mii-tool mosh
mosquitto_pub mosquitto_sub mqtt msmtp mtr mutt nats nc nc.openbsd nc.traditional ncat ncftp netcat netdiscover
nethogs netperf netstat networkctl newman newsboat nft ngrep ngrok nikto nisdomainname nload nmap nmblookup
nmcli nslookup nstat ntpdate ntpq nuclei offlineimap onionshare openssl openvpn ping ping4 ping6 pod postman rcp
rdate rdesktop remmina repo resolvectl responder rexec rfkill rlogin route rpcclient rpcinfo rsh rsstail rtmon
rtorrent rtstat scp sendEmail sendmail sftp showmount siege sipcalc sipsak slogin smbclient snmpget snmpset
snmpwalk sntp socat speedtest speedtest-cli spice sqlmap ss ssh ssh-add ssh-agent ssh-copy-id ssh-keygen
ssh-keyscan sshfs sshpass sshuttle sslscan sslyze subfinder subnetcalc surf surfraw svn svnlook svnsync swaks
syncthing systemd-resolve tailscale tc tcpdump tcpflow tcptrack telnet telnet-ssl testssl tftp toot tracepath
tracepath6 traceroute traceroute6 transmission-cli transmission-remote trippy tshark ufw vcpkg vegeta vncserver
vncviewer vnstat vpnc w3m websocat weechat wfuzz wg wg-quick wget wget2 whatweb whois wireshark wormhole wpa_cli
wpscan wrk wscat wsdump wuzz x11vnc xfreerdp xh xmpp xrdp youtube-dl yt-dlp zmap
""",
    "packages": """
abuild add-apt-repository alien apk apt apt-add-repository apt-cache apt-config apt-file apt-get apt-key
apt-listchanges apt-mark apt-rdepends apt-show-versions apt-sortpkgs aptdcon aptitude brew checkinstall
checkrestart choco dch debchange debget deborphan debsecan debsums debuild dh dh_make dlocate dnf dnf5
do-release-upgrade dpkg dpkg-architecture dpkg-buildpackage dpkg-checkbuilddeps dpkg-deb dpkg-genchanges
dpkg-parsechangelog dpkg-query dpkg-source emerge flatpak flatpak-builder fpm gbp guix home-manager linuxbrew
makepkg microdnf nala needrestart nix nix-build nix-channel nix-collect-garbage nix-env nix-instantiate
nix-prefetch-url nix-shell nix-store nixops nixos-rebuild pacman paru pkg pkg-config pkgconf port qlist quilt
rpm rpmbuild rpmquery rpmverify scoop snap snapcraft tdnf unattended-upgrade winget xbps-install xbps-query
xbps-remove yay yum zypper
""",
    "python": """
activate-global-python-argcomplete build conda coverage cx_Freeze cython cythonize deptry ensurepip hatch
johnnydep mamba micromamba nuitka pdm pip pip-audit pip-check pip-compile pip-licenses pip-sync pipdeptree
pipenv pipreqs pipx poetry py pydoc pyenv pyenv-virtualenv pyinstaller pypy pypy3 pyside6-rcc python rye safety
twine uv uvx venv virtualenv
""",
    "searching": """
ack ack-grep ag agrep ast-grep bzegrep bzfgrep bzgrep cheat comby cscope ctags egrep etags fgrep ggrep global
grep gtags lzegrep lzfgrep lzgrep pcre2grep pcregrep pt readtags rg rga rgrep ripgrep_all semgrep sift tldr ucg
ug ugrep universal-ctags xzegrep xzfgrep xzgrep zegrep zfgrep zgrep zipgrep zstdgrep
""",
    "sed": """
gsed sed ssed
""",
    "services": """
a2dismod a2dissite a2enmod a2ensite aa-status anacron apache2ctl apachectl at atq atrm batch bootctl busctl
cancel chronyd circusctl coredumpctl cron crond crontab cups-config cupsd cupsdisable cupsenable daemon
daemonize dbus-send debconf-set-selections depmod dmesg dpkg-reconfigure dracut exim fcrontab forever gdbus
getenforce getsebool god grub-install grub-mkconfig halt haproxy hostnamectl httpd init initctl invoke-rc.d
journalctl lastlog launchctl ldconfig locale-gen localectl logger loginctl logrotate lp lpq lpr lprm lpstat mesg
mkinitcpio monit named named-checkconf nginx ntpd pm2 postfix postsuper poweroff powerprofilesctl rabbitmqctl
rc-service rc-status rc-update reboot reload restart rndc runlevel runsv runsvdir s6-rc s6-svc service sestatus
shutdown smbcontrol sshd start start-stop-daemon stop supervisorctl supervisord sv svc systemctl
systemd-ac-power systemd-analyze systemd-cgls systemd-cgtop systemd-delta systemd-escape systemd-firstboot
systemd-id128 systemd-machine-id-setup systemd-path systemd-run systemd-sysusers systemd-tmpfiles telinit
timedatectl udevadm update-ca-certificates update-ca-trust update-grub update-initramfs update-locale utmpdump
varnishadm wall write
""",
    "shells": """
ash bash bashate checkbashisms cmd.exe csh dash elvish es fish ksh ksh93 lksh mksh nu oil osh pdksh posh
powershell pwsh rbash rc sh shellcheck shfmt tcsh xonsh yash zsh
""",
    "system": """
aa-complain aa-enforce addgroup addpart adduser agetty apg aplay apparmor_parser arecord asciinema atop auditctl
aureport ausearch automount badblocks beep blkdiscard blkid blockdev bmaptool bpftool bpftrace btrfs captoinfo
cdebootstrap cdrecord cfdisk cgdisk chage chcon chcpu chfn chmem choom chpasswd chsh chvt clear clip clonezilla
cpufreq-set cpuinfo cpupower cracklib-check crash cryptsetup ctrlaltdel dd_rescue ddrescue deallocvt debootstrap
debugfs delgroup delpart deluser diceware dircolors dislocker dmidecode dmsetup dpkg-divert dpkg-statoverride
dtrace dumpe2fs dumpkeys e2fsck edquota efibootmgr eject espeak espeak-ng exportfs fdformat fdisk festival
ffplay fgconsole filecap flameshot flashrom fsck fsck.ext2 fsck.ext3 fsck.ext4 fsck.vfat fsck.xfs fsfreeze
fstrim fuser fusermount fusermount3 fwupdmgr gcore gdisk genisoimage getopt getpcaps getty glances
gnome-screenshot gpasswd grim groupadd groupdel groupmod growisofs growpart grpck grpconv grub-set-default
guestmount guestunmount hdparm htdigest htop htpasswd hwclock import infocmp infotocap insmod ipcmk ipcrm ipcs
ipmitool isatty kbdinfo kbdrate kdump kexec killall killall5 kmod kpartx ldattach live-build loadkeys localedef
login losetup lsipc lslocks lsmem lsns lvcreate lvdisplay lvextend lvreduce lvremove lvresize lvs lvscan
makepasswd mcookie mdadm mkcpio mkdosfs mke2fs mkfs mkfs.bfs mkfs.btrfs mkfs.cramfs mkfs.exfat mkfs.ext2
mkfs.ext3 mkfs.ext4 mkfs.f2fs mkfs.fat mkfs.minix mkfs.ntfs mkfs.vfat mkfs.xfs mkhomedir_helper mkimage mkisofs
mknod mkntfs mkpasswd mksquashfs mkswap mmdebstrap modinfo modprobe mount mount.cifs mount.nfs mplayer mpv namei
netcap newgrp newusers nfsiostat nfsstat nologin notify-send ntfs-3g nvidia-smi nvme openvt osd_cat osirrox
paplay parecord partclone parted partprobe partx passwd pbcopy pbpaste pbuilder photorec pidwait pivot_root
pkill play powertop pscap pvcreate pvdisplay pvremove pvs pvscan pwck pwconv pwgen pwscore pwunconv quota
quotacheck quotaoff quotaon raw readprofile recordmydesktop renice repquota reset resize2fs resizecons
resizepart restorecon rmmod rtcwake sar say sbuild schroot screencapture script_replay scriptlive scriptreplay
scrot semanage sensors setenforce setfont setpci setquota setsebool setterm setxkbmap sfdisk sg sgdisk showkey
skill smartctl snice spd-say stap stty sudoedit sulogin swaplabel swapoff swapon switch_root sysctl systemtap
tabs testdisk tic tkill toe top tput trace-cmd tset tune2fs tuned-adm tunelp turbostat tzselect umount
unminimize unsquashfs update-alternatives update-passwd update-shells useradd userdel usermod uuid uuidgen
uuidparse vgcreate vgdisplay vgextend vgremove vgs vgscan vigr vipw visudo vlc wdctl wipefs wl-copy wl-paste
wmctrl wodim wrmsr wtype x86_energy_perf_policy xclip xdotool xfs_info xfs_repair xinput xkcdpass xkill xmodmap
xorriso xprop xrandr xsel xset xwd xwininfo ydotool zfs zpool zramctl
""",
    "text": """
antiword apropos arch aspell b2sum b3sum banner base32 base64 basename basenc bc bzcat bzcmp bzdiff bzless
bzmore cal cat catdoc cksum cloc cmp col colcrt colordiff colrm column combine comm cowsay crc32 csplit csvcut
csvformat csvgrep csvjoin csvjson csvlook csvsort csvstack csvstat ctstat cut datamash date dc diff diff3
dirname dos2unix dwdiff echo elfedit enchant eqn errno exiftags exiv2 expand expr factor faillog false fc-list
fc-match fc-query figlet filefrag fincore fmt fold fortune gencat genccode geqn getconf gettext gpic groff grog
grops grotty groups gtbl gzcat hardlink hd head hexdump highlight hostid hunspell icdiff iconv id ifdata in2csv
info ischroot ispell isutf8 jo join last lastb less lessecho lexgrog loc locale logname lolcat look lslogins
lz4cat lzcat lzdiff lzless lzmacat lzmore mac2unix man manpath md5 md5sum miller mkfontdir mkfontscale mlr more
most msgattrib msgcat msgcmp msgcomm msgconv msgen msggrep msgunfmt msguniq ncal neqn ngettext nl nproc nroff
numfmt od pandoc paste pg pic pinfo pinky pldd plutil pod2html pod2man pod2text pod2usage podchecker pr preconv
printenv prtstat ptargrep ptx pv pygmentize qsv recode rev rig run-parts savelog scc sdiff seq sha1sum sha224sum
sha256sum sha384sum sha512sum shasum shuf sl sleep sloccount soelim sort source-highlight soxi spell split
sponge strings sum sync tac tail tbl tee toilet tokei tr troff true tsort tty ul uname unexpand uniq units
unix2dos unix2mac users w wc wc-l wdiff whatis which.debianutils who whoami xdg-user-dir xsv xxd xxh64sum xxhsum
xzcat xzcmp xzdiff xzless xzmore yes zcat zcmp zdiff zdump zic zless zmore zstdcat zstdless
""",
    "wrappers": """
abduco busybox bwrap byobu caffeinate capsh catchsegv chpst chronic chroot chrt cpulimit dbus-run-session doas
dtach dumb-init entr env fakeroot faketime firejail flock genv gosu gtime gtimeout gxargs hyperfine ifne ionice
lckdo linux32 linux64 ltrace memusage nice nohup nsenter numactl parallel pee perf pkexec prlimit proxychains
proxychains4 rlwrap run0 runcon runuser screen script setarch setpriv setsid setuidgid sotruss stdbuf strace su
su-exec sudo systemd-cat systemd-inhibit taskset time timeout tini tmux torsocks toybox tsocks uclampset
unbuffer unshare valgrind viddy watch xargs xvfb-run zellij
""",
}
