"""Swedish surnames that no list needs to hold, because they are built by rule."""

from __future__ import annotations

import re
import unicodedata

# Two-part "nature names" (Lind + ström) join one of the first elements and one of the second, in
# old and new spellings.
_FIRST = """
    ahl alm ander apel appel arn ask asp back beck berg björk björn blom bo bod bohl bohm boll borg
    brand bred bro brun bränn bur burn by bäck båg carl ceder cron dahl dal eck ed edel ek eke ekel
    eker eld elf elg elm en eng enge engel er erik fager falk fern fjell fjäll flink flod flor fors
    fred fri frid fäll graf gran grund grön gull gust gyllen hag hall hammar hed heden hell herm
    hjelm hjort holm hult häger hägg häll hällen hög hök hörn järn karl kjell kling klint kron kull
    käll lag lager land leijon lejon lid lilje lillie lin lind linde linder ljung ljus lund löf lönn
    löv malm mann mark matt mel mell mo mos mård nor nord norden norr ny nä näs od ohl ol olof palm
    peter pil qvarn ram rang rehn ren ring ros rosen rud rund ryd röd rönn sahl sal sand seder segel
    seger sel silfver silver sjö skog skogs sköld sparr spång stad sten stern stjern strand ström
    stål sund svan sved sven swan säll söder tall tegel thor thorn thul tid torn tärn törn ul ulf
    uller vall vest vester vi vik vind vinter väst väster wahl wall wallen wass wed wen wenn wern
    west wester wi wick wid wik wikt win wind wing winter zetter älm äng å åhl åker ång ås ö öd öh
    öhr öst öster över
"""
_SECOND = """
    berg bergh blad blom bom borg brandt bäck dahl dal feldt fors gren grén gård hag hagen hammar
    hed heim hjelm holm hult lind ling ljung lund löf löv man mark roos ros roth sjö skog sköld stam
    stedt sten stierna strand stråle ström stål vall vik wall wik äng ås
"""
_ENDINGS = "ander elius ell enius én ér in ius"

# Towns, countries and words that are built the same way.
_OTHERWISE = frozenset(
    """
    apelsin blomman bofors borgholm brandman carlsberg eksjö elfsborg engelsman forsmark gröndal
    grönland hagfors hallsberg herman karlsborg kronborg lindesberg ljusdal manning morot norsjö
    nässjö odin odling olofström rosenborg rosengård sandvik sjöman sundsvall vidal västervik
    västerås älmhult östhammar översten övik
    """.split()
)

# Daughters and sons of somebody: Andersson, Karlsdotter; -son alone would take in "Person". Nobody
# but a family is called -qvist.
_OPEN = r"[^\W\d_]{2,}s(?:son|dotter)|[^\W\d_]{2,}(?:[kq]v|qu)ist"


def _alternatives(elements: str) -> str:
    return "|".join(sorted(elements.split(), key=lambda element: (-len(element), element)))


_SURNAME = re.compile(
    f"{_OPEN}|(?:{_alternatives(_FIRST)})s?(?:{_alternatives(_SECOND)}|{_alternatives(_ENDINGS)})"
)


def looks_like_swedish_surname(word: str) -> bool:
    """Whether a capitalised word is built like a Swedish surname, genitives included.

    True for Lindström, BERGQVIST, Anderssons, Norén; false for lindström, Person, Blodström, Tiden.
    """
    if not word[:1].isupper():
        return False
    name = unicodedata.normalize("NFC", word.casefold())
    return _is_surname(name) or (name.endswith("s") and _is_surname(name[:-1]))


def _is_surname(name: str) -> bool:
    return name not in _OTHERWISE and _SURNAME.fullmatch(name) is not None
