"""The other frameworks, each running the loop that `peers.case` describes."""
