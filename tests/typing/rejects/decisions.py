"""Mistakes about errors and decisions."""

from agentfsm.errors import DefinitionError, StageError, Where
from agentfsm.guard import Decision, Move, combine

Decision("maybe")  # E: arg-type
Decision("allow", way=("OPEN",))  # E: arg-type
Decision("allow").action = "deny"  # E: misc
Move("OPEN")  # E: call-arg
combine(Decision("allow"))  # E: arg-type
combine([Decision("allow")]).verdict  # E: attr-defined
DefinitionError(3)  # E: arg-type
StageError("it broke", Where())  # E: arg-type, call-arg
