"""What people are to the patients of English records, and of which ages they may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.synth.people import Relation

if TYPE_CHECKING:
    from veil.synth.people import Sex

# Kin whom some notes name by what they are: fathers of newborns, wives of patients.
NEAREST: dict[str, tuple[tuple[str, ...], tuple[float, float]]] = {
    "mother": (("mother", "mother", "mom"), (19, 40)),
    "father": (("father", "father", "dad"), (20, 44)),
    "partner": (("husband", "partner", "wife", "spouse"), (-8, 8)),
}


def _kin(word: str, sex: Sex, low: float, high: float) -> Relation:
    return Relation(word, sex, (low, high))


RELATIONS: tuple[Relation, ...] = (
    *(Relation("wife", "female", (-12, 8), of_adults=True, of_sex="male"),) * 3,
    *(Relation("husband", "male", (-8, 12), of_adults=True, of_sex="female"),) * 3,
    *(Relation("daughter", "female", (-40, -19), of_adults=True),) * 2,
    *(Relation("son", "male", (-40, -20), of_adults=True),) * 2,
    Relation("partner", "female", (-8, 8), of_adults=True),
    Relation("partner", "male", (-8, 8), of_adults=True),
    Relation("girlfriend", "female", (-8, 8), of_adults=True, of_sex="male", may_share_name=False),
    Relation("boyfriend", "male", (-8, 8), of_adults=True, of_sex="female", may_share_name=False),
    Relation("ex-wife", "female", (-8, 8), of_adults=True, of_sex="male"),
    Relation("ex-husband", "male", (-8, 8), of_adults=True, of_sex="female"),
    Relation("friend", "female", (-12, 12), of_adults=True, may_share_name=False),
    Relation("friend", "male", (-12, 12), of_adults=True, may_share_name=False),
    Relation("neighbor", "female", (-20, 10), of_adults=True, may_share_name=False),
    Relation("roommate", "male", (-8, 8), of_adults=True, may_share_name=False),
    Relation("granddaughter", "female", (-62, -42), of_adults=True),
    Relation("grandson", "male", (-62, -42), of_adults=True),
    Relation("niece", "female", (-38, -12), of_adults=True),
    Relation("nephew", "male", (-38, -12), of_adults=True),
    Relation("daughter-in-law", "female", (-38, -20), of_adults=True),
    Relation("son-in-law", "male", (-38, -20), of_adults=True),
    Relation("caregiver", "female", (-30, 5), of_adults=True, may_share_name=False),
    *(_kin("mother", "female", 19, 40),) * 2,
    *(_kin("father", "male", 20, 44),) * 2,
    _kin("mom", "female", 19, 40),
    _kin("dad", "male", 20, 44),
    _kin("stepfather", "male", 20, 44),
    _kin("foster mother", "female", 22, 50),
    _kin("grandmother", "female", 42, 64),
    _kin("grandfather", "male", 44, 66),
    _kin("aunt", "female", 12, 38),
    _kin("uncle", "male", 12, 38),
    _kin("sister", "female", -10, 14),
    _kin("brother", "male", -10, 14),
    _kin("cousin", "female", -10, 14),
)
