"""Totals of invoices: discounts go to every rate, and what is paid adds up."""

from decimal import Decimal

from invoices import Invoice, Line, Money, TaxRate, totals_of

BOOKS = Line("books", Decimal(3), Money.of("9.99"), TaxRate.REDUCED)
DESK = Line("desk", Decimal(1), Money.of("249.00"))
STAMPS = Line("stamps", Decimal(20), Money.of("0.85"), TaxRate.EXEMPT)


def test_tax_is_rounded_once_a_rate() -> None:
    totals = totals_of(Invoice((BOOKS, DESK, STAMPS)))

    assert ("295.97", "49.41", "345.38") == (str(totals.net), str(totals.tax), str(totals.gross))


def test_instalments_add_up() -> None:
    totals = totals_of(Invoice((BOOKS, DESK), instalments=(1, 1, 1)))

    assert totals.gross.cents == sum(part.cents for part in totals.instalments)


def test_a_discount_is_divided_among_the_rates() -> None:
    totals = totals_of(Invoice((BOOKS, DESK, STAMPS), discount=Money.of("10.00")))

    assert ("285.97", "47.74") == (str(totals.net), str(totals.tax))


def test_a_credit_note_mirrors_its_invoice() -> None:
    credit = Line("books, returned", Decimal(-3), Money.of("9.99"), TaxRate.REDUCED)

    assert "-29.97" == str(totals_of(Invoice((credit,))).net)
    assert "0.00" == str(totals_of(Invoice((BOOKS, credit))).gross)
