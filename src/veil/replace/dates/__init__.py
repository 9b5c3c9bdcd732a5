"""Dates in clinical text, shifted in their own format."""

from veil.replace.dates.order import Order, order_of
from veil.replace.dates.shifting import DateShifter, shifted

__all__ = ["DateShifter", "Order", "order_of", "shifted"]
