"""agentfsm: a typed finite-state orchestrator for ReAct agents."""
