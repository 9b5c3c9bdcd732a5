"""What people are to a Japanese patient."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.synth.people import Relation

if TYPE_CHECKING:
    from veil.synth.people import Sex

# Kin whom a template asks for by a slot of their own.
KIN: dict[str, Relation] = {
    "mother": Relation("母", "female", (20, 41)),
    "father": Relation("父", "male", (20, 46)),
    "husband": Relation("夫", "male", (-6, 12)),
}
# Words for relatives of whom a record has one.
ONLY_ONE = (
    ("妻", "奥様", "内縁の妻", "夫", "ご主人", "前夫"),
    ("母", "母親", "お母さん"),
    ("父", "父親"),
)


def _kin(word: str, sex: Sex, low: float, high: float) -> Relation:
    return Relation(word, sex, (low, high))


def _of_adults(word: str, sex: Sex, low: float, high: float, of_sex: Sex | None = None) -> Relation:
    return Relation(word, sex, (low, high), of_adults=True, of_sex=of_sex)


RELATIONS: tuple[Relation, ...] = (
    *(_of_adults("妻", "female", -12, 8, "male"),) * 4,
    *(_of_adults("夫", "male", -8, 12, "female"),) * 4,
    *(_of_adults("長男", "male", -40, -20),) * 3,
    *(_of_adults("長女", "female", -40, -19),) * 3,
    *(_of_adults("次男", "male", -42, -22), _of_adults("次女", "female", -42, -21)),
    *(_of_adults("三男", "male", -44, -24), _of_adults("三女", "female", -44, -24)),
    *(_of_adults("息子", "male", -40, -20), _of_adults("娘", "female", -40, -19)),
    *(_of_adults("息子さん", "male", -40, -20), _of_adults("娘さん", "female", -40, -19)),
    *(_of_adults("実弟", "male", -14, -1), _of_adults("嫁", "female", -40, -20)),
    *(_of_adults("娘婿", "male", -40, -18), _of_adults("孫", "male", -62, -42)),
    *(_of_adults("孫娘", "female", -62, -42), _of_adults("姪", "female", -38, -12)),
    *(_of_adults("甥", "male", -38, -12), _of_adults("義妹", "female", -14, 10)),
    *(
        _of_adults("内縁の妻", "female", -14, 8, "male"),
        _of_adults("前夫", "male", -8, 12, "female"),
    ),
    *(
        _of_adults("奥様", "female", -12, 8, "male"),
        _of_adults("ご主人", "male", -8, 12, "female"),
    ),
    *(_kin("母", "female", 19, 40), _kin("父", "male", 20, 44)),
    *(_kin("母親", "female", 19, 40), _kin("父親", "male", 20, 44)),
    *(_kin("お母さん", "female", 19, 40), _kin("母", "female", 19, 40)),
    *(_kin("祖母", "female", 42, 64), _kin("祖父", "male", 44, 66)),
    *(_kin("姉", "female", 1, 14), _kin("妹", "female", -10, -1)),
    *(_kin("兄", "male", 1, 14), _kin("弟", "male", -10, -1)),
    *(
        _kin("叔母", "female", 12, 38),
        _kin("叔父", "male", 12, 38),
        _kin("伯母", "female", 14, 40),
    ),
)
