"""The package is tested from its checkout."""
