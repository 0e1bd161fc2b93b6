"""Ready-made stages, tools and machines on the public names of agentfsm."""
