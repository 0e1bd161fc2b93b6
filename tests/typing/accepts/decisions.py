"""What user code may write about errors and decisions."""

from agentfsm.errors import AgentFSMError, DefinitionError, Finding, RunError, StageError, Where
from agentfsm.guard import Action, Decision, Move, combine

answer: Decision = combine([Decision("allow"), Decision("deny", "no_guard", way=(Move("OPEN", "implementing"),))])
action: Action = answer.action
events: list[str] = [move.event for move in answer.way if not move.needs_approval]


def reason_of(error: AgentFSMError) -> str:
    match error:
        case DefinitionError(findings=findings):
            return ", ".join(finding.code for finding in findings)
        case RunError(where=Where(stage=stage), reason=reason):
            return f"{stage}: {reason}"
        case _:
            return str(error)


reason_of(DefinitionError("nothing enters", Finding("trap", "no way out")))
reason_of(StageError("it broke", where=Where(stage="Fix")))
