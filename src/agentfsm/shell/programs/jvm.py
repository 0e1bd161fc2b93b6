"""Java and its builders."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.spec import add, apply, compiled, read_arguments
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import names

__all__ = ("RULES", "TABLE")

TABLE = """
javap jdeps  jps   jdeprscan | words | r* |
javadoc jlink jpackage jmod  jarsigner native-image javah kotlinc-native | words +W | . |
java jshell groovy kotlin scala clojure clj bb jjs kawa jython nashorn amm scala-cli jbang | +U | . |
jstack jmap jstat jhsdb | words | . | -dump=:w
"""

_MAVEN = {
    **dict.fromkeys(
        names(
            "validate test    checkstyle:check spotbugs:check pmd:check spotless:check surefire:test "
            "help:effective-pom help:describe help:evaluate help:active-profiles enforcer:enforce "
            "fmt:check formatter:validate javadoc:check verify integration-test failsafe:verify "
            "pmd:cpd-check license:check dependency:tree dependency:list dependency:analyze "
            "jacoco:check archunit:check"
        ),
        "",
    ),
    **dict.fromkeys(
        names(
            "compile package test-compile process-resources process-classes generate-sources "
            "generate-resources site javadoc:javadoc jar:jar source:jar assembly:single jacoco:report "
            "surefire-report:report war:war prepare-package install archetype:generate versions:set "
            "install:install"
        ),
        "W",
    ),
    **dict.fromkeys(
        names(
            "dependency:resolve dependency:go-offline dependency:get "
            "versions:display-dependency-updates versions:display-plugin-updates deploy "
            "release:prepare release:perform site:deploy"
        ),
        "N",
    ),
    **dict.fromkeys(names("clean"), "D"),
    **dict.fromkeys(names("spotless:apply fmt:format formatter:format versions:use-latest-versions"), "M"),
}
_GRADLE = {
    **dict.fromkeys(
        names(
            "test check tasks projects properties help lint ktlintCheck detekt spotlessCheck "
            "checkstyleMain checkstyleTest pmdMain spotbugsMain integrationTest functionalTest "
            "jacocoTestCoverageVerification testDebugUnitTest testReleaseUnitTest lintDebug "
            "lintRelease  compileCheck apiCheck javaToolchains dependencyInsight dependencies "
            "outgoingVariants buildEnvironment verifyGoogleJavaFormat verify components model"
        ),
        "",
    ),
    **dict.fromkeys(
        names(
            "build assemble jar classes compileJava compileKotlin compileTestJava bootJar shadowJar "
            "war javadoc distZip distTar installDist jacocoTestReport testClasses assembleDebug "
            "assembleRelease wrapper init publishToMavenLocal bundleRelease dokkaHtml processResources "
            "generateProto sourcesJar"
        ),
        "W",
    ),
    **dict.fromkeys(names("publish uploadArchives dependencyUpdates"), "N"),
    **dict.fromkeys(names("clean cleanTest"), "D"),
    **dict.fromkeys(names("spotlessApply ktlintFormat googleJavaFormat apiDump"), "M"),
}


def goals(call: Call, row: str, table: dict[str, str], bare: str) -> None:
    """Judge the goals or tasks that are named."""
    spec = compiled(row)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("--version", "-v", "-V", "--help", "-h", "--status", "-?") and not found.operands:
        return
    if not found.operands:
        add(call, bare, call.name)
    for goal in found.operands:
        name = goal.text.rpartition(":")[2] if call.name == "gradle" else goal.text
        add(call, table.get(name, "U") if goal.known else "U", goal.text)


def maven(call: Call) -> None:
    """``mvn GOAL...``"""
    row = (
        "words | | -f,--file=:o -s,--settings=:o -gs,--global-settings=:o -P,--activate-profiles= "
        "-pl,--projects= -D= -T,--threads= -l,--log-file=:w -t,--toolchains=:o -rf= -am -amd -q -B "
        "-e -X -U -o -N -C -ff -fae -fn -ntp -v -V -h "
        "--quiet --batch-mode --errors --debug --update-snapshots --offline --non-recursive "
        "--no-transfer-progress --also-make --also-make-dependents --fail-at-end --fail-fast "
        "--version --help --show-version --define= --resume-from= -llr -Dexec=:X"
    )
    for arg in call.args:
        if arg.text.startswith(
            ("-Dexec", "-Dmaven.ext.class.path", "-Djvm=", "-DargLine", "-Dmaven.multiModuleProjectDirectory")
        ):
            call.unresolved("option_runs_code", arg.text)
    goals(call, row, _MAVEN, "")


def gradle(call: Call) -> None:
    """``gradle TASK...``"""
    row = (
        "words | | -p,--project-dir=:o -b,--build-file=:X -c,--settings-file=:X "
        "-I,--init-script=:X -P,--project-prop= -D,--system-prop= -g,--gradle-user-home=:o "
        "-x,--exclude-task= --tests= --max-workers= --console= --warning-mode= --include-build=:X "
        "-a -m --dry-run -q -i -d -s -S -w -t "
        "--configuration= --dependency= --info --debug --quiet --stacktrace --full-stacktrace "
        "--offline --parallel --no-daemon --daemon --build-cache --no-build-cache --rerun-tasks "
        "--continue --scan!N --profile!W --refresh-dependencies!N --version -v --help -h -? "
        "--status --stop!D --continuous --configuration-cache --no-configuration-cache "
        "--write-locks!W --write-verification-metadata=!W --update-locks=!W --all --priority= "
        "--no-parallel --no-watch-fs --rerun"
    )
    for arg in call.args:
        if arg.text.startswith(("-Dorg.gradle.java.home", "-Dorg.gradle.jvmargs", "-Dorg.gradle.user.home")):
            call.unresolved("option_runs_code", arg.text)
    goals(call, row, _GRADLE, "")


def jar(call: Call) -> None:
    """``jar tf`` lists; anything else writes."""
    first = call.args[0].text.lstrip("-") if call.args else ""
    if (
        first.startswith(("t", "list"))
        or "--list" in [arg.text for arg in call.args]
        or first in ("version", "help", "d")
    ):
        add(call, "R", "jar")
    else:
        add(call, "W", "jar")


RULES: dict[str, Rule] = {
    **dict.fromkeys(("mvn", "mvnd", "maven"), maven),
    "gradle": gradle,
    "jar": jar,
    "sbt": by_subcommand(
        (
            "test Test/test scalafmtCheck scalafmtCheckAll  testOnly testQuick projects dependencyTree "
            "about help |\n"
            "compile Test/compile package doc assembly stage dist universal:packageBin publishLocal | "
            "W\n"
            "update publish | NW\n"
            "scalafmt scalafmtAll scalafixAll | M\n"
            "clean | D\n"
            "run console shell | U"
        ),
        "words | | -D= -J=!U -java-home=!U --addPluginSbtFile=!U",
    ),
    "lein": by_subcommand(
        "test check deps :tree help version classpath eastwood kibit |\n"
        "compile jar uberjar new | W\n"
        "upgrade install deploy | NW\n"
        "clean | D\n"
        "run repl | U"
    ),
    "mill": by_subcommand("resolve inspect show version path |\nclean | D"),
    "ant": by_subcommand(
        ("test check lint -p -projecthelp -version | \ncompile build jar dist javadoc war | W\nclean | D"),
        (
            "words | | -f=:X -file=:X -buildfile=:X -lib=:X -D= -q -v -listener=!U -logger=!U "
            "-inputhandler=!U -propertyfile=:o -l=:w -logfile=:w"
        ),
        bare="W",
    ),
    "keytool": by_subcommand("", "words dash +W | | ", bare=""),
    "sdk": by_subcommand(
        "list current version home help offline |\n"
        "install update selfupdate upgrade | NW\n"
        "uninstall rm flush | D\n"
        "use default env | W"
    ),
}
