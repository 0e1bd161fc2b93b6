"""The part of bashlex that the tests use."""

from bashlex import ast as ast
from bashlex import errors as errors

def parse(s: str) -> list[object]: ...
