"""The experiment of carlsson-2010: every combination and order of the name modules, measured."""

from veil.orders.influence import Influence, influences
from veil.orders.page import study_page
from veil.orders.scoring import GoldNames, NameScores
from veil.orders.study import OrderScores, Study, all_orders, run_orders
from veil.orders.tables import format_study, study_csv

__all__ = [
    "GoldNames",
    "Influence",
    "NameScores",
    "OrderScores",
    "Study",
    "all_orders",
    "format_study",
    "influences",
    "run_orders",
    "study_csv",
    "study_page",
]
