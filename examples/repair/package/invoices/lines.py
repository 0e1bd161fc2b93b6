"""Lines of an invoice: a quantity at a unit price, under one rate of tax."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from invoices.money import Money


class TaxRate(Enum):
    """The rates of tax, in percent."""

    STANDARD = Decimal(19)
    REDUCED = Decimal(7)
    EXEMPT = Decimal(0)


@dataclass(frozen=True)
class Line:
    """What is sold, how much of it, at which net price for one."""

    text: str
    quantity: Decimal
    price: Money
    rate: TaxRate = TaxRate.STANDARD

    @property
    def net(self) -> Money:
        """The price of all of it, before tax and discount."""
        return self.price.times(self.quantity)
