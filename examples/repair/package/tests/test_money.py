"""Money: read, printed, multiplied and divided."""

from decimal import Decimal

import pytest

from invoices import Money, split


@pytest.mark.parametrize(("text", "cents"), [("12.30", 1230), ("-0.05", -5), ("7", 700)])
def test_money_is_read_and_printed(text: str, cents: int) -> None:
    assert Money(cents) == Money.of(text)
    assert Decimal(text) == Decimal(str(Money(cents)))


def test_half_cents_go_to_the_even_side() -> None:
    assert [Money(0), Money(2), Money(2)] == [Money(cents).times(Decimal("0.5")) for cents in (1, 3, 4)]


@pytest.mark.parametrize(
    ("cents", "weights", "parts"),
    [
        (100, (1, 1, 1), (34, 33, 33)),
        (100, (1, 2), (33, 67)),
        (5, (1, 1), (3, 2)),
        (0, (3, 4), (0, 0)),
        (7, (0, 1), (0, 7)),
    ],
)
def test_an_amount_is_divided(cents: int, weights: tuple[int, ...], parts: tuple[int, ...]) -> None:
    assert parts == tuple(part.cents for part in split(Money(cents), weights))


@pytest.mark.parametrize("cents", [-1, -5, -100, -1001, 10**17 + 1])
@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 2), (7, 0, 3), (119, 107, 100)])
def test_no_cent_is_lost(cents: int, weights: tuple[int, ...]) -> None:
    parts = [part.cents for part in split(Money(cents), weights)]

    assert cents == sum(parts)
    assert all(
        abs(part * sum(weights) - cents * weight) < sum(weights) for part, weight in zip(parts, weights, strict=True)
    )


@pytest.mark.parametrize("weights", [(0, 0), (1, -1), (2, -1)])
def test_weights_that_divide_nothing(weights: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="divide nothing"):
        split(Money(1), weights)
