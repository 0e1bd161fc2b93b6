"""Visiting bashlex's trees."""

class nodevisitor:
    def visit(self, n: object) -> None: ...
