"""Ready-made parts for coding agents."""
