"""Totals: net, discount and tax of an invoice, and the instalments in which it is paid."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from invoices.lines import Line, TaxRate
from invoices.money import Money, split

NOTHING = Money(0)


@dataclass(frozen=True)
class Invoice:
    """Lines, a discount on all of them, and the weights of the instalments."""

    lines: tuple[Line, ...]
    discount: Money = NOTHING
    instalments: tuple[int, ...] = (1,)


@dataclass(frozen=True)
class Totals:
    """What is to be paid, and when how much of it."""

    net: Money
    tax: Money
    gross: Money
    instalments: tuple[Money, ...]


def totals_of(invoice: Invoice) -> Totals:
    """
    Return the totals of an invoice.

    The discount is divided among the rates of tax in proportion to what was sold under each; tax is rounded once for
    each rate.
    """
    sold = {rate: _net(invoice, rate) for rate in TaxRate}
    weights = [net.cents for net in sold.values()]
    discounts = split(-invoice.discount, weights) if any(weights) else (NOTHING,) * len(weights)
    nets = [net + discount for net, discount in zip(sold.values(), discounts, strict=True)]
    taxes = [net.times(rate.value / Decimal(100)) for rate, net in zip(sold, nets, strict=True)]
    net, tax = _sum(nets), _sum(taxes)
    return Totals(net, tax, net + tax, split(net + tax, invoice.instalments))


def _net(invoice: Invoice, rate: TaxRate) -> Money:
    return _sum([line.net for line in invoice.lines if line.rate is rate])


def _sum(amounts: list[Money]) -> Money:
    return sum(amounts, NOTHING)
