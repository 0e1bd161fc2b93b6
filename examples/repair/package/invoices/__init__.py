"""Invoices: lines with tax, discounts, and the split of a total into instalments."""

from invoices.lines import Line, TaxRate
from invoices.money import Money, split
from invoices.totals import Invoice, Totals, totals_of

__all__ = ("Invoice", "Line", "Money", "TaxRate", "Totals", "split", "totals_of")
