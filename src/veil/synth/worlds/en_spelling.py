"""How authors of English notes write: British and Canadian spelling, other words, abbreviations."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Stems whose spelling alone differs, whatever follows.
_BRITISH_STEMS = """
anemi=anaemi hemoglobin=haemoglobin hematom=haematom hematolog=haematolog hematuri=haematuri
hematocrit=haematocrit hemorrhag=haemorrhag hemoptysis=haemoptysis hemothorax=haemothorax
hemodialysis=haemodialysis hemodynamic=haemodynamic hemostas=haemostas hemolytic=haemolytic
hematemesis=haematemesis hematochezia=haematochezia ischemi=ischaemi leukemi=leukaemi
bacteremi=bacteraemi septicemi=septicaemi hypoglycemi=hypoglycaemi hyperglycemi=hyperglycaemi
glycemic=glycaemic hypokalemi=hypokalaemi hyperkalemi=hyperkalaemi hyponatremi=hyponatraemi
hypovolemi=hypovolaemi uremi=uraemi hypercalcemi=hypercalcaemi hyperlipidemi=hyperlipidaemi
hypercholesterolemi=hypercholesterolaemi edema=oedema esophag=oesophag diarrhea=diarrhoea
dyspnea=dyspnoea apnea=apnoea orthopnea=orthopnoea tachypnea=tachypnoea pediatric=paediatric
orthopedic=orthopaedic gynecolog=gynaecolog cesarean=caesarean anesthe=anaesthe feces=faeces
fecal=faecal celiac=coeliac leukocyt=leucocyt tumor=tumour behavior=behaviour neighbor=neighbour
catheteriz=catheteris stabiliz=stabilis hospitaliz=hospitalis mobiliz=mobilis recogniz=recognis
organiz=organis localiz=localis immuniz=immunis normaliz=normalis randomiz=randomis
summariz=summaris apologiz=apologis canceled=cancelled traveled=travelled counseled=counselled
labeled=labelled counseling=counselling estrogen=oestrogen
"""
# Whole words and phrases that are spelled otherwise, or for which another one is used.
_BRITISH_TERMS = """
color=colour|labor=labour|odor=odour|center=centre|liter=litre|liters=litres|fiber=fibre|gray=grey
theater=theatre|program=programme|judgment=judgement|license=licence|ZIP=Postcode
acetaminophen=paracetamol|Tylenol=paracetamol|albuterol=salbutamol|epinephrine=adrenaline
norepinephrine=noradrenaline|EKG=ECG|CBC=FBC|BMP=U&Es|PCP=GP|primary care physician=GP
primary care provider=GP|ER=A&E|emergency room=A&E|attending=consultant
attending physician=consultant|resident physician=registrar|operating room=theatre|OR=theatre
mom=mum|diaper=nappy|diapers=nappies|apartment=flat|physical therapy=physiotherapy
physical therapist=physiotherapist|vacation=holiday|walker=zimmer frame|elevator=lift|cell=mobile
cell phone=mobile|gas station=petrol station|soccer=football|math=maths|gurney=trolley
stretcher=trolley|pacifier=dummy|truck driver=lorry driver
"""
_CANADIAN_TERMS = "color=colour|labor=labour|center=centre|liter=litre|liters=litres|fiber=fibre"
_SHORT = """
patient=pt|patients=pts|patient's=pt's|with=w/|without=w/o|history of=h/o|history=hx
complains of=c/o|status post=s/p|treatment=tx|diagnosis=dx|symptoms=sx|follow up=f/u|follow-up=f/u
blood pressure=BP|heart rate=HR|temperature=temp|secondary to=2/2|within normal limits=WNL
as needed=prn|by mouth=PO|discharged=d/c'd|discharge=d/c|appointment=appt|approximately=~
negative=neg|positive=pos|bilateral=b/l|bilaterally=b/l|shortness of breath=SOB|chest pain=CP
abdominal=abd|abdomen=abd|medications=meds|medication=med|nausea and vomiting=N/V|continue=cont
evaluation=eval|emergency department=ED|regarding=re|because=b/c|every day=qd|twice daily=BID
three times a day=TID|intravenous=IV|oxygen=O2|physical therapy=PT|occupational therapy=OT
within=w/in|hours=hrs|minutes=mins|bowel movement=BM|at bedtime=qHS|prescription=Rx|fracture=fx
consult=c/s|admitted=adm|against medical advice=AMA
"""


def spelled(text: str, country: str, *, telegraphic: bool) -> str:
    """American prose in the spelling and the words of a country, and with abbreviations or not."""
    return text if country == "us" and not telegraphic else _spelled(text, country, telegraphic)


@cache
def _spelled(text: str, country: str, telegraphic: bool) -> str:
    if telegraphic:
        text = _exchange(text, _WORDS_OF_HASTE, _HASTE)
    if country == "ca":
        return _exchange(text, _CANADIAN, _CANADIAN_TERM)
    if country != "us":
        text = _exchange(text, _TERMS, _TERM)
        text = _exchange(text, _BRITISH, _BRITISH_STEM)
    return text


def _exchange(text: str, table: Mapping[str, str], pattern: re.Pattern[str]) -> str:
    def exchanged(match: re.Match[str]) -> str:
        found = match[0]
        new = table.get(found)
        if new is not None:
            return new
        new = table.get(found.lower())
        if new is None:
            return found
        if found.isupper() and 3 < len(found):
            return new.upper()
        return new[0].upper() + new[1:] if found[0].isupper() else new

    return pattern.sub(exchanged, text)


def _table(text: str, separator: str | None) -> dict[str, str]:
    entries = text.replace("\n", separator).split(separator) if separator else text.split()
    pairs = (entry.split("=") for entry in entries if entry.strip())
    return {old.strip(): new.strip() for old, new in pairs}


def _words(table: Mapping[str, str]) -> re.Pattern[str]:
    longest_first = sorted(table, key=len, reverse=True)
    # Abbreviations are matched as they stand, words also where a sentence begins with them.
    either = (
        re.escape(word) if word.isupper() else f"[{word[0]}{word[0].upper()}]{re.escape(word[1:])}"
        for word in longest_first
    )
    return re.compile(rf"(?<![\w/@.])(?:{'|'.join(either)})(?![\w/@]|'\w)")


def _stems(table: Mapping[str, str]) -> re.Pattern[str]:
    longest_first = sorted(table, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)


_BRITISH = _table(_BRITISH_STEMS, None)
_TERMS = _table(_BRITISH_TERMS, "|")
_CANADIAN = _table(_CANADIAN_TERMS, "|")
_WORDS_OF_HASTE = _table(_SHORT, "|")
_BRITISH_STEM = _stems(_BRITISH)
_TERM = _words(_TERMS)
_CANADIAN_TERM = _words(_CANADIAN)
_HASTE = _words(_WORDS_OF_HASTE)
