"""What the words around a Japanese name tell of it: that it is a given name, and of which sex."""

from __future__ import annotations

import re

_REACH = 12
_FAR = 40
_FEMALE = (
    "妻|奥様|奥さん|母親?|お母さん|祖母|姉|妹|孫?娘|[長次二三四五]女|嫁|姪|叔母|伯母|女性|女児|女"
)
_MALE = (
    "(?<![丈工漁農])夫|主人|父親?|お父さん|祖父|兄|弟|息子|[長次二三四五]男|婿|甥|叔父|伯父"
    "|男性|男児|男"
)
_OTHERS = "ひ?孫|曾孫|曽孫|いとこ|従[兄姉]?[弟妹]|第[0-9０-９一二三]子"
# These tell the sex, but no relative.
_SEX_WORDS = ("女性", "女児", "女", "男性", "男児", "男")
_BEFORE = re.compile(
    rf"(?:(?P<female>{_FEMALE})|(?P<male>{_MALE})|(?:{_OTHERS}))(?:さん|様)?[のは、：:（(\s]*$"
)
_FAMILIAR = re.compile(r"さん|ちゃん|くん|君")
_YOUNG = re.compile(r"ちゃん|くん|君")
_BOY = re.compile(r"くん|君")
# What may stand between a name and the sex: an honorific, an age, a date of birth, a number.
_BEHIND = re.compile(
    r"(?:[\s\d()（）・、,／/|｜:：.．\-－様氏殿歳才代齢年月日]|さん|ちゃん|仮名|生まれ|生後|生(?!ま|後)|性別"
    r"|昭和|平成|令和|[A-Z]{1,3}(?=[0-9-])|[yY](?![A-Za-z]))*"
    r"(?:(?P<female>女|[FＦ](?![A-Za-z]))|(?P<male>男|[MＭ](?![A-Za-z])))"
)
_IN_BRACKETS = re.compile(
    rf"(?:さん|様|氏)?\s*[（(]\s*(?:続柄[：:\s]*)?(?:(?P<female>{_FEMALE})|(?P<male>{_MALE}))[）)・、,\s]"
)


def is_of_a_relative(text: str, start: int) -> bool:
    """Whether a word for a relative stands before a name: 妻の, 長男."""
    before = _BEFORE.search(text[max(0, start - _REACH) : start])
    return before is not None and (before["female"] or before["male"]) not in _SEX_WORDS


def is_familiar(text: str, end: int) -> bool:
    """Whether a name has an honorific that given names have, too."""
    return _FAMILIAR.match(text, end) is not None


def is_of_a_child(text: str, end: int) -> bool:
    """Whether a name has the honorific of children."""
    return _YOUNG.match(text, end) is not None


def is_female(text: str, start: int, end: int) -> bool | None:
    """Whether a name is that of a woman, by what stands around it; None where nothing tells."""
    if _BOY.match(text, end):
        return False
    before = _BEFORE.search(text[max(0, start - _REACH) : start])
    if before is not None and (before["female"] or before["male"]):
        return before["female"] is not None
    line = text[end : end + _FAR].partition("\n")[0]
    behind = _IN_BRACKETS.match(line) or _BEHIND.match(line)
    return None if behind is None else behind["female"] is not None
