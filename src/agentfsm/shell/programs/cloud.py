"""Cluster and cloud clients, infrastructure as code: Network by their purpose, but for what is local."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.arguments import Parsed
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import logical_lines
from agentfsm.shell.programs.subcommands import by_subcommand

__all__ = ("RULES", "TABLE")

TABLE = """
doctl linode-cli hcloud ibmcloud oci scw vultr-cli exo civo heroku flyctl fly vercel netlify railway render
    wrangler firebase supabase pscale turso neonctl amplify sam cdk chalice serverless sls copilot eb ecs-cli
    eksctl kops rosa  odo okteto skaffold tilt devspace garden telepresence kubefwd k9s lens stern kubetail
    argocd argo flux tkn kn istioctl linkerd cilium hubble velero restic rclone borg duplicity duplicati s3cmd
    s5cmd gsutil azcopy b2 aws-vault saml2aws aws-sso granted chamber  crossplane  atlantis spacelift   ansible
    ansible-playbook ansible-pull ansible-console salt salt-call salt-ssh puppet chef knife chef-client bolt mgmt
    cf bosh fission faas-cli sentry-cli datadog-ci newrelic circleci travis glab hub jira linear slack op bw lpass
    vault consul nomad boundary waypoint snyk sonar-scanner codecov coveralls dependabot renovate  | +N | . |
kustomize | words | . | -o,--output=:w
kubectx kubens | words | . |
kubeseal sops age age-keygen  | words | . | -o,--output=:w -i,--in-place!M -w!M
"""

_KUBECTL = """
config/get-contexts config/current-context config/view config/get-clusters config/get-users completion options
    kustomize plugin/list help |
config/use-context config/set-context config/set-cluster config/set-credentials config/set config/unset
    config/rename-context | W
config/delete-context config/delete-cluster config/delete-user | WD
get describe logs top events explain api-resources api-versions cluster-info auth diff rollout/status
    rollout/history wait port-forward proxy cp auth/can-i version attach debug | N
apply create edit patch replace scale autoscale label annotate expose set run rollout/undo rollout/restart
    rollout/pause rollout/resume taint uncordon certificate exec autoscale krew ctx ns | N
delete drain cordon | ND
"""


def kubectl_version(call: Call, found: Parsed) -> None:
    """``kubectl version`` asks the cluster, unless only the client is meant."""
    if not found.has("--client"):
        add(call, "N", "version")


_KUBE_ROW = (
    "words | | -n,--namespace= --context= --kubeconfig= --cluster= --user= -s,--server= "
    "--token= --as= -o,--output= -l,--selector= -f,--filename= -c,--container= "
    "--field-selector= --sort-by= --tail= --since= --client=? -A -w -k= --template= -v= "
    "--request-timeout= --certificate-authority= --client-key= --client-certificate= "
    "--dry-run=? --show-labels --all-namespaces --watch --minify --flatten --raw"
)
_HELM = """
lint template version env  help   completion dependency/list plugin/list repo/list |
create package  | W
list ls status history get get/values get/manifest get/all get/notes install upgrade rollback test search
    search/repo search/hub repo/add repo/update repo/remove repo/index pull push show show/values show/chart
    show/all show/readme dependency/update dependency/build dep registry verify plugin/install plugin/update diff
    secrets | N
uninstall delete plugin/uninstall | ND
"""
_TERRAFORM = """
validate version show output providers graph fmt state/list state/show workspace/list workspace/show
    metadata/functions help   |
plan init refresh import login logout get apply workspace/new workspace/select state/pull state/push taint untaint
    test providers/lock providers/mirror console force-unlock cloud modules query | N
destroy state/rm state/mv workspace/delete state/replace-provider | ND
"""


def terraform_format(call: Call, found: Parsed) -> None:
    """``terraform fmt`` rewrites, unless it checks."""
    texts = [arg.text for arg in call.args]
    if not any(text in ("-check", "--check", "-check=true", "-write=false", "-") for text in texts):
        add(call, "M", "fmt")


def terraform_apply(call: Call, found: Parsed) -> None:
    """``terraform apply -destroy`` destroys; any apply may."""
    if any("destroy" in arg.text for arg in call.args):
        add(call, "D", "destroy")


def terraform_init(call: Call, found: Parsed) -> None:
    """``terraform init`` gets providers into the project."""
    add(call, "W", "init")


_TF_ROW = (
    "words dash | | -chdir= -var= -var-file= -target= -out=:w -state= -state-out=:w -backup=:w "
    "-backend-config= -plugin-dir=:X -lock= -input= -parallelism= -json -no-color -check "
    "-recursive -diff -write= -refresh= -destroy -auto-approve -reconfigure -upgrade -raw "
    "-detailed-exitcode -type= -backend= -migrate-state -list="
)
_AWS_LOCAL = """
configure/list configure/list-profiles configure/get help history/list |
configure configure/set configure/import configure/add-model | W
"""


def everything_else_is_network(table: str, row: str, deletes: tuple[str, ...]) -> Rule:
    """Return the rule of a cloud client: Network, but for a few local subcommands; deleting verbs are Destructive."""
    local = by_subcommand(table, row)
    keys = {line_word for line in logical_lines(table) for line_word in line.partition("|")[0].split()}

    def rule(call: Call) -> None:
        words = [arg.text for arg in call.args if not arg.starts("-")]
        texts = [arg.text for arg in call.args]
        if not texts or texts in (["--version"], ["version"], ["help"], ["--help"], ["-v"]) or texts[-1] == "help":
            return
        if (
            "/".join(words[:2]) in keys
            or "/".join(words[:3]) in keys
            or (words[:1] and words[0] in keys and len(words) == 1)
        ):
            local(call)
            return
        add(call, "N", call.name)
        if any(part in word.split("-") for word in words[:5] for part in deletes):
            add(call, "D", call.name)
        if any(arg.loose for arg in call.args):
            call.unresolved("loose_argument")

    return rule


_DELETES = (
    "delete",
    "terminate",
    "rm",
    "rb",
    "remove",
    "destroy",
    "purge",
    "deregister",
    "stop",
    "detach",
    "revoke",
    "reboot",
    "release",
    "kill",
    "uninstall",
    "drop",
)
_GH = """
--version version help completion config/get config/list alias/list extension/list  |
config/set alias/set alias/delete | W
"""


def packer(call: Call) -> None:
    """``packer``: checks are local, builds are not."""
    by_subcommand(
        "validate inspect version help   |\nfmt | M\nbuild init plugins | N",
        "words | | -check -var= -var-file= -syntax-only",
    )(call)


def playbook(call: Call) -> None:
    """``ansible-playbook`` runs tasks on hosts; it can also only check or list them."""
    if not any(arg.starts("--syntax-check", "--list-tasks", "--list-hosts", "--list-tags") for arg in call.args):
        add(call, "NU", "playbook")


RULES: dict[str, Rule] = {
    **dict.fromkeys(
        ("kubectl", "oc", "k", "kubecolor"),
        by_subcommand(_KUBECTL.replace(" version attach", " attach"), _KUBE_ROW, {"version": kubectl_version}),
    ),
    "promtool": by_subcommand(
        "check/config check/rules check/web-config check/service-discovery check/metrics test/rules unit "
        "promql/format promql/label-matchers |\n"
        "tsdb/analyze tsdb/list tsdb/dump tsdb/dump-openmetrics | R\n"
        "check/healthy check/ready query debug push | N\n"
        "tsdb/bench tsdb/create-blocks-from | W",
        "words | | --http.config.file=:o --lint= --output=",
    ),
    "helm": by_subcommand(
        _HELM,
        (
            "words | | -n,--namespace= --kube-context= --kubeconfig= -f,--values= --set= --version= "
            "-o,--output= --output-dir=:w --post-renderer=:X -d,--destination=:w --repo= "
            "--registry-config= --repository-config= --repository-cache= --show-only= -s= --debug "
            "--strict --validate!N --name-template= --kube-version= --api-versions="
        ),
    ),
    **dict.fromkeys(
        ("terraform", "tofu", "terragrunt"),
        by_subcommand(_TERRAFORM, _TF_ROW, {"fmt": terraform_format, "apply": terraform_apply, "init": terraform_init}),
    ),
    "pulumi": by_subcommand(
        (
            "version about  help config  |\n"
            "preview up refresh login logout stack import watch whoami | N\n"
            "destroy stack/rm cancel | ND\n"
            "new | NW"
        ),
        "words | | -s,--stack= -C,--cwd=",
    ),
    "packer": packer,
    "aws": everything_else_is_network(
        _AWS_LOCAL, "words | | --profile= --region= --output= --query= --endpoint-url=", _DELETES
    ),
    "gcloud": everything_else_is_network(
        (
            "config/list config/get-value config/get config/configurations/list info version topic  |\n"
            "config/set config/unset config/configurations/activate config/configurations/create | W"
        ),
        "words | | --format= --project= --account=",
        _DELETES,
    ),
    "az": everything_else_is_network(
        "version   config/get  | \nconfigure config/set config/unset | W", "words | | -o,--output= --query=", _DELETES
    ),
    "gh": everything_else_is_network(
        _GH, "words | | -R,--repo= -h --host=", ("delete", "close", "revert", "cancel", "remove", "archive")
    ),
    "glab": everything_else_is_network("version help completion | ", "words | |", ("delete", "close")),
    "ansible-doc": by_subcommand("", "pure | |", bare=""),
    "ansible-config": by_subcommand("list dump view validate |\ninit |", "words | | --only-changed -t= -c=:o"),
    "ansible-inventory": by_subcommand("", "words +U | |", bare="U"),
    "ansible-galaxy": by_subcommand(
        "list collection/list role/list  |\n"
        "init role/init collection/init collection/build | W\n"
        "install role/install collection/install search collection/download info | NW\n"
        "remove role/remove delete | D"
    ),
    "ansible-vault": by_subcommand(
        "view encrypt_string |\nencrypt decrypt edit rekey create | M", "words | | --vault-password-file=:X --output=:w"
    ),
    "ansible-playbook": playbook,
    "infracost": by_subcommand("", "words +N | |", bare="N"),
}
