"""Money: whole cents of one currency, and how an amount is divided without losing any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal


@dataclass(frozen=True, order=True)
class Money:
    """An amount in cents; a credit is negative."""

    cents: int

    @classmethod
    def of(cls, text: str) -> Money:
        """Read an amount such as ``-12.30``; refuses fractions of a cent."""
        cents = Decimal(text) * 100
        if cents != cents.to_integral_value():
            raise ValueError(f"{text} has fractions of a cent")
        return cls(int(cents))

    def __add__(self, other: Money) -> Money:
        return Money(self.cents + other.cents)

    def __sub__(self, other: Money) -> Money:
        return Money(self.cents - other.cents)

    def __neg__(self) -> Money:
        return Money(-self.cents)

    def times(self, factor: Decimal) -> Money:
        """Return the product, rounded to a cent, halves to the even one."""
        return Money(int((self.cents * factor).quantize(Decimal(1), ROUND_HALF_EVEN)))

    def __str__(self) -> str:
        sign = "-" if self.cents < 0 else ""
        return f"{sign}{abs(self.cents) // 100}.{abs(self.cents) % 100:02}"


def split(amount: Money, weights: Sequence[int]) -> tuple[Money, ...]:
    """
    Divide *amount* in proportion to *weights*: the parts add up to it, and none is off by a cent or more.

    Cents that are left over go, one each, to the parts whose exact share lost most by being cut, the first of equals.
    """
    whole = sum(weights)
    if whole <= 0 or min(weights) < 0:
        raise ValueError(f"weights {tuple(weights)} divide nothing")
    parts = [int(amount.cents * weight / whole) for weight in weights]
    lost = [amount.cents * weight % whole for weight in weights]
    order = sorted(range(len(weights)), key=lambda place: -lost[place])
    for place in order[: amount.cents - sum(parts)]:
        parts[place] += 1
    return tuple(Money(part) for part in parts)
