"""Containers and their orchestration on this machine: docker, podman and what goes with them."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.spec import Parsed, add
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg

__all__ = ("RULES", "TABLE")

TABLE = """
containerd dockerd runc crun youki kata-runtime firecracker qemu-system-x86_64 qemu-system-aarch64 virt-install
    virsh VBoxManage vmrun lxc lxd lxc-start lxc-attach lxc-execute machinectl systemd-nspawn multipass vagrant
    limactl colima toolbox distrobox incus proxmox-backup-client | +U | . |
lxc-ls lxc-info virt-top virt-what systemd-detect-virt lxc-checkconfig | pure | . |
dive grype syft trivy docker-slim | words +N | . |
qemu-img | words +W | . |
crane skopeo oras cosign regctl | +N | . |
ko kaniko buildah img buildctl buildkitd earthly pack kompose | words +W | . |
kind k3d minikube k3s kubeadm talosctl microk8s | +N | . |
ctop lazydocker | +U | . |
"""

_DOCKER = """
ps images logs inspect version info port top stats diff events history container/ls container/list container/ps
    container/logs container/inspect container/top container/stats container/port container/diff image/ls
    image/list image/inspect image/history volume/ls volume/list volume/inspect network/ls network/list
    network/inspect system/df system/info system/events context/ls context/list context/show context/inspect
    plugin/ls plugin/inspect buildx/ls buildx/inspect buildx/version buildx/du builder/ls wait config/ls secret/ls
    service/ls service/ps service/logs service/inspect node/ls node/ps node/inspect stack/ls stack/ps
    stack/services help compose/ps compose/logs compose/config compose/images compose/top compose/version
    compose/ls compose/port compose/events compose/convert compose/stats compose/volumes compose/wait
    trust/inspect checkpoint/ls pod/ps pod/ls pod/inspect pod/logs pod/top pod/stats machine/list machine/ls
    machine/info machine/inspect mount quadlet/list volume/exists image/exists container/exists network/exists
    manifest/exists image/tree |
rm rmi kill stop restart pause unpause container/rm container/kill container/stop container/restart
    container/prune container/pause container/unpause image/rm image/remove image/prune volume/rm volume/remove
    volume/prune network/rm network/remove network/prune network/disconnect system/prune system/reset
    builder/prune buildx/prune buildx/rm buildx/stop context/rm plugin/rm plugin/disable swarm/leave service/rm
    stack/rm stack/down node/rm secret/rm config/rm compose/down compose/stop compose/kill compose/rm
    compose/restart compose/pause compose/unpause pod/rm pod/stop pod/kill pod/prune machine/rm machine/stop
    checkpoint/rm buildx/history/rm image/untag | D
run exec create start container/run container/exec container/create container/start attach container/attach
    compose/up compose/run compose/exec compose/start compose/create compose/watch compose/attach swarm/init
    swarm/join swarm/update swarm/unlock service/create service/update service/scale service/rollback stack/deploy
    node/update node/promote node/demote plugin/install plugin/enable plugin/create update container/update rename
    container/rename volume/create network/create network/connect context/create context/use context/update
    secret/create config/create compose/scale system/dial-stdio pod/create pod/start pod/restart play/kube
    kube/play kube/down machine/start machine/init machine/ssh machine/set generate/systemd unshare debug desktop
    ai sandbox model offload auto-update | U
pull push login logout search image/pull image/push plugin/push plugin/upgrade compose/pull compose/push
    compose/publish manifest/create manifest/push manifest/inspect manifest/annotate trust/sign trust/revoke
    trust/key scout buildx/imagetools registry artifact/pull artifact/push scout/cves scout/quickview | N
build image/build builder/build buildx/build buildx/bake compose/build commit container/commit cp container/cp
    export container/export save image/save load image/load import image/import tag image/tag context/export
    context/import buildx/create buildx/use buildx/install init compose/cp compose/export generate/kube
    kube/generate image/scp manifest/add manifest/rm container/cleanup buildx/history image/sign image/trust
    compose/bridge compose/commit checkpoint/create | W
"""


def build_image(call: Call, found: Parsed) -> None:
    """``docker build --push`` sends the image."""
    if any(arg.text == "--push" or arg.starts("--output=type=registry") for arg in call.args):
        add(call, "N", "--push")


def compose(call: Call) -> None:
    """``docker-compose`` is ``docker compose``."""
    _docker(Call("docker", (_COMPOSE_WORD, *call.args), call.machine, call.stdin))


def remote_first(rule: Rule) -> Rule:
    """Return the rule of a client that may be pointed at another machine."""

    def judged(call: Call) -> None:
        for position, arg in enumerate(call.args):
            if not arg.starts("-"):
                break
            value = arg.text.partition("=")[2] or (
                call.args[position + 1].text if position + 1 < len(call.args) else ""
            )
            is_here = value.startswith("unix://") or (arg.starts("-c", "--context") and value == "default")
            if not is_here and arg.starts("-H", "--host", "--connection", "-c", "--context", "--remote", "-r", "--url"):
                call.network(detail=value)
        rule(call)

    return judged


_ROW = (
    "words | | -H,--host= -c,--context= --config=:o -l,--log-level= --tlscacert= --tlscert= "
    "--tlskey= -f,--file,--filter= --format= -n,--tail,--last= --since= --until= "
    "-p,--project-name,--publish= --project-directory= --profile= --env-file= -t,--tag= "
    "--build-arg= --target= --platform= -s,--size --type= --no-trunc -a,--all -q,--quiet "
    "--connection= --url= --remote -o,--output=:w -u,--user= -e,--env= -v,--volume= "
    "-w,--workdir= --name= --network= --entrypoint= --ansi= --progress= --iidfile=:w "
    "--metadata-file=:w --cidfile=:w --no-stream --services --volumes --images --hash= --rm "
    "--root= --runroot= --storage-driver= --follow --timestamps --details -i -d --detach "
    "--force-rm --no-cache --pull --push --load --cache-from= --cache-to= --secret= --ssh= "
    "--label= --digests --tree --no-color --no-log-prefix --index= --resolve-image-digests "
    "--quiet-pull --add-host= --memory= --cpus="
)
_docker = remote_first(
    by_subcommand(_DOCKER, _ROW, {"build": build_image, "buildx/build": build_image, "image/build": build_image})
)
_COMPOSE_WORD = Arg("compose")

RULES: dict[str, Rule] = {
    **dict.fromkeys(("docker", "podman", "nerdctl", "finch"), _docker),
    **dict.fromkeys(("docker-compose", "podman-compose"), compose),
    "crictl": by_subcommand(
        "ps pods images img logs inspect inspecti inspectp stats statsp version info  |\n"
        "rm rmi rmp stop stopp | D\n"
        "exec run runp create start attach update | U\n"
        "pull port-forward | N"
    ),
    "ctr": by_subcommand(
        "version images/ls images/list containers/ls containers/list containers/info tasks/ls "
        "namespaces/ls snapshots/ls content/ls plugins/ls |\n"
        "images/rm containers/rm tasks/kill tasks/rm | D\n"
        "run tasks/exec tasks/start | U\n"
        "images/pull images/push | N\n"
        "images/export images/import images/tag | W"
    ),
    "dive": by_subcommand("", "words | | --ci --config=:o -j=:w --json=:w", bare=""),
    "virsh": by_subcommand(
        (
            "list dominfo domstate dumpxml net-list pool-list vol-list version nodeinfo capabilities "
            "domblklist domiflist snapshot-list | \n"
            "destroy undefine shutdown reboot | D"
        ),
        "words | | -c=!N --connect=!N",
    ),
    "vagrant": by_subcommand(
        "status global-status version box/list port ssh-config plugin/list validate help |\n"
        "up provision ssh reload resume snapshot rsync | U\n"
        "halt destroy suspend box/remove | D\n"
        "box/add plugin/install box/update | N\n"
        "init package | W"
    ),
    "lxc": by_subcommand(
        "list info version image/list network/list storage/list profile/list config/show |\n"
        "delete stop restart image/delete | D\n"
        "launch exec start init copy move file config snapshot | U"
    ),
    "multipass": by_subcommand(
        "list info version networks get |\nlaunch exec shell start transfer mount | U\ndelete stop purge | D"
    ),
    "machinectl": by_subcommand(
        "list status show list-images image-status | \n"
        "terminate poweroff reboot kill remove stop | D\n"
        "login shell start copy-to copy-from clone | U"
    ),
}
