"""Dates as clinical text writes them, shifted or generalised in the same format."""

from veil.replace.dates.generalising import generalised
from veil.replace.dates.order import Order, order_of
from veil.replace.dates.shifting import DateShifter, shifted

__all__ = ["DateShifter", "Order", "generalised", "order_of", "shifted"]
