from __future__ import annotations

from collections.abc import Callable

import pytest

from veil import Document
from veil.detect.known import Known, KnownDetector

Mark = Callable[[str, Known, str], str]

JOHN = Known(names="John David Doe", relatives="Mary Doe", doctors=["Sarah Wilson", "Ann McDonald"])
WILL = Known(names="Will May")
WILLIAM = Known(first_names="William", last_names="O'Neill")
JULIA = Known(names="Hernandez, Julia Ann", doctors="Rose Foley, MD")
ENGLISH = [
    (JOHN, "⟦John Doe⟧ was seen."),
    (JOHN, "⟦JOHN DAVID DOE⟧ WAS SEEN."),
    (JOHN, "seen: ⟦john doe⟧, in pain"),
    (JOHN, "⟦Doe, John⟧ was seen; ⟦DOE, JOHN D⟧. too"),
    (JOHN, "⟦Doe John⟧ was seen."),
    (JOHN, "⟦John D. Doe⟧, ⟦J. D. Doe⟧, ⟦J. Doe⟧, ⟦J Doe⟧ and ⟦Doe, J⟧."),
    (JOHN, "Mr. ⟦Doe⟧'s wife and ⟦John⟧’s knee"),
    (JOHN, "⟦John Quincy Doe⟧ and ⟦John Q. Doe⟧"),
    (JOHN, "⟦John\nDoe⟧ was seen."),
    (JOHN, "⟦John⟧\n\n⟦Doe⟧"),
    (JOHN, "⟦Doe-Smith⟧ and ⟦Smith-Doe⟧"),
    (JOHN, "⟦Jonh Doe⟧ and ⟦Jon Doe⟧"),
    (JOHN, "⟦J.D⟧. was seen; patient ⟦JD⟧ is well. ⟦JD⟧ reports pain."),
    (JOHN, "The JD degree. J D. A.J.D. was normal."),
    (JOHN, "⟦Johnny⟧ and ⟦Jack Doe⟧, ⟦Dave⟧"),
    (JOHN, "Jumping jack exercises. Jack of all trades."),
    (JOHN, "his wife ⟦Mary⟧; ⟦Mary Doe⟧, ⟦John Doe⟧"),
    (JOHN, "Dr. ⟦Wilson⟧ excluded Wilson's disease; ⟦Wilson⟧ agrees."),
    (JOHN, "⟦Mc Donald⟧ and ⟦MCDONALD⟧ and ⟦McDonald⟧"),
    (JOHN, "Dr. ⟦Wil-\nson⟧ was present"),
    (JOHN, "a dove does, the doer, the johns, London"),
    (JOHN, "⟦DoeJohn⟧ was seen."),
    (JOHN, "⟦John⟧⟦Mary⟧"),
    (WILL, "⟦Will May⟧ will come in May; ⟦Will⟧ reports pain."),
    (WILL, "You will and may go. WILL FOLLOW UP IN MAY. Will follow up. May need surgery."),
    (WILL, "Today ⟦Will⟧ is well. Mr. ⟦May⟧ may go. Name: ⟦May⟧."),
    (WILL, "Seen on May 12 and in May. Since May he is well. Plan: Will call."),
    (WILL, "⟦May, Will⟧ came. ⟦Will⟧'s wife came. ⟦Will⟧ and his wife came."),
    (WILL, "His son, ⟦Will⟧, came. Then ⟦May⟧, the father. ⟦Will⟧, 45, is well. May, 2012."),
    (WILL, "Where there is a will there is a way, it may be."),
    (WILLIAM, "⟦Bill O'Neill⟧ and ⟦Bill O’Neill⟧, ⟦ONEILL⟧, ⟦O Neill⟧ and ⟦billy⟧"),
    (WILLIAM, "He asked ⟦Bill⟧ to come. The bill was paid. Bill the patient."),
    (WILLIAM, "⟦Wm. O'Neill⟧ and ⟦Liam⟧, ⟦Willam⟧ was here"),
    (JULIA, "Seen by ⟦Hernández⟧, then by ⟦Hernandes⟧; hernia and ⟦hernandex⟧."),
    (JULIA, "The ⟦Julai⟧ of the note; jubilant."),
    (JULIA, "Foley catheter in place. Dr. ⟦Foley⟧ removed the Foley. She rose at night."),
    (Known(names="Ann Levine"), "⟦Levine⟧. Seen: ⟦levine⟧; the levee"),
    (JULIA, "Then ⟦Rose⟧ wrote it; ⟦Rose Foley⟧, MD"),
]

BJORN = Known(
    names="Björn Ek",
    relatives=["Maj Ek", "Stig Åkesson"],
    doctors=["Anna-Karin Bengtsson", "Carl von Essen"],
)
SWEDISH = [
    (BJORN, "⟦Björn Ek⟧ söker för hosta. ⟦Björn⟧ mår bra."),
    (BJORN, "⟦BJÖRN EK⟧, ⟦björn ek⟧, ⟦Ek, Björn⟧, ⟦Bjorn Ek⟧, ⟦Bjoern Ek⟧, ⟦B. Ek⟧"),
    (BJORN, "⟦Björns⟧ hustru. ⟦Eks⟧ dotter. ⟦Björn Eks⟧ remiss."),
    (BJORN, "En björn vid en ek. Björnen sov. Eken stod där."),
    (BJORN, "Samtal med ⟦Ek⟧ i dag. Fru ⟦Ek⟧ ringde."),
    (BJORN, "Åter i maj. Hustrun ⟦Maj⟧ är med. ⟦Maj Ek⟧ ringer 3 maj."),
    (BJORN, "En stig i skogen. Brodern ⟦Stig⟧ följer med. ⟦Stig Akesson⟧, ⟦Åkessons⟧"),
    (BJORN, "⟦Anna Karin Bengtsson⟧, ⟦Annakarin⟧, ⟦A-K Bengtsson⟧, ⟦A-K. Bengtsson⟧, och ⟦Anki⟧"),
    (BJORN, "dr ⟦Bengtssons⟧ remiss; ⟦A.B-son⟧; ⟦A. B-son⟧; ⟦Anna B-son⟧"),
    (BJORN, "⟦Bengtson⟧, ⟦Bengtssn⟧ och ⟦Begntsson⟧ men inte Bengt"),
    (BJORN, "dr ⟦von Essen⟧ och ⟦C. von Essen⟧, ⟦Essen⟧; rester av pessar"),
    (BJORN, "Åkeriet och Bengt; Karl är en annan"),
    (BJORN, "⟦Björn Erik Ek⟧ och ⟦Björn-Erik Ek⟧"),
    (BJORN, "Ordination enligt ovan. /ABX"),
    (BJORN, "Ordination enligt ovan. /⟦AKB⟧\nDagen efter"),
]

MARIA = Known(
    names="María del Carmen García de la Fuente",
    relatives="Rosa Delgado",
    doctors=["José Luis Rodríguez Pérez", "Dolores Severo Calvo"],
)
SPANISH = [
    (MARIA, "⟦María García⟧ acude a consulta."),
    (MARIA, "⟦GARCIA DE LA FUENTE, MARIA DEL CARMEN⟧"),
    (MARIA, "⟦M.ª Carmen García⟧, ⟦Mª del Carmen⟧, ⟦Mari Carmen⟧, ⟦M. C. García⟧"),
    (MARIA, "⟦García Fuente⟧ y ⟦García⟧; la señora ⟦de la Fuente⟧"),
    (MARIA, "la fuente del dolor de la paciente"),
    (MARIA, "hija de ⟦García⟧ y de la madre"),
    (MARIA, "Dr. ⟦Rodriguez⟧; ⟦J. L. Rodríguez⟧, ⟦Rdguez. Pérez⟧; ⟦Pepe Rodríguez⟧"),
    (MARIA, "⟦Rodrigues⟧ y ⟦Rodríguze⟧ pero no rodilla"),
    (MARIA, "⟦Rosa⟧ refiere dolor. Su prima ⟦Rosa⟧. Mancha rosa. ROSA NEGRA"),
    (MARIA, "Paciente delgado. Intestino Delgado. ⟦Rosa Delgado⟧; Sra. ⟦Delgado⟧"),
    (MARIA, "Dolores abdominales. Dolor severo. Varón calvo. Dra. ⟦Calvo⟧; ⟦Dolores Calvo⟧"),
    (MARIA, "⟦Lola⟧ firma el informe. ⟦Rosa⟧, de 45 años, fuma."),
    (MARIA, "transferasa (A.L.T.) y R.P."),
    (Known(names="Ana Eva Ruiz"), "ANA positivos; EVA 8/10. ⟦ANA RUIZ⟧, ⟦Eva⟧. Sra. ⟦ANA⟧"),
    (Known(names="Ana Eva Ruiz"), "PACIENTE ⟦EVA⟧\nACUDE ⟦EVA⟧\nla ⟦Eva⟧ y la ⟦eva⟧; EVA de 3"),
    (Known(names="Ana López-Ríos"), "⟦López Ríos⟧, ⟦Lopez-Rios⟧; ⟦Ana L. R⟧. ríos de sangre"),
    (Known(names="Mercedes Vargas Llosa"), "⟦Merche⟧, ⟦Vargas⟧, ⟦VARGAS LLOSA⟧; vargueño"),
]

TARO = Known(
    names="山田 太郎",
    readings="ヤマダ タロウ",
    relatives="橋本 花子",
    doctors=["髙橋 健", "森 光", "ジョン スミソニアン"],
)
JAPANESE = [
    (TARO, "患者⟦山田太郎⟧様は昨日入院した。"),
    (TARO, "⟦山田 太郎⟧、⟦山田　太郎⟧、⟦山田⟧さん、⟦太郎⟧は"),
    (TARO, "⟦山田太朗⟧さん"),
    (TARO, "⟦ヤマダ タロウ⟧、⟦ﾔﾏﾀﾞ ﾀﾛｳ⟧、⟦やまだたろう⟧、⟦やまだ⟧さん"),
    (TARO, "いや、まだ。はやまだ来ない。ヤマダイ。"),
    (TARO, "⟦高橋⟧医師、⟦髙橋健⟧先生、⟦高橋 健⟧"),
    (TARO, "健康で保健の健診を受けた。⟦健⟧先生。"),
    (TARO, "森林浴。⟦森⟧先生。⟦森光⟧医師。光線過敏。⟦光⟧くん。主治医：⟦森⟧"),
    (TARO, "橋本病の既往。⟦橋本⟧さんの⟦花子⟧。"),
    (TARO, "⟦ジョン・スミソニアン⟧、⟦スミソニアン⟧医師、⟦スミソンアン⟧"),
    (TARO, "山形県。田中さん。"),
    (Known(names="渡邊 恵"), "⟦渡辺恵⟧、⟦渡邉 惠⟧、⟦渡辺⟧氏、恵み"),
    (Known(names="佐藤さくら"), "⟦佐藤さくら⟧、⟦佐藤⟧様、⟦さくら⟧ちゃん"),
    (Known(last_names="鈴木", first_names="一郎"), "⟦鈴木一郎⟧、⟦鈴木⟧、⟦一郎⟧"),
    (Known(names="Taro Yamada"), "患者⟦Yamada⟧は⟦TARO YAMADA⟧と⟦Yamada Taro⟧"),
]


@pytest.mark.parametrize(
    ("language", "known", "marked"),
    [
        (language, known, marked)
        for language, cases in (
            ("en", ENGLISH),
            ("sv", SWEDISH),
            ("es", SPANISH),
            ("ja", JAPANESE),
        )
        for known, marked in cases
    ],
)
def test_names_are_found_where_they_are_marked(
    mark: Mark, language: str, known: Known, marked: str
) -> None:
    """Exactly the marked words are found, and nothing else."""
    assert mark(language, known, marked) == marked


@pytest.mark.parametrize(
    ("text", "label", "source", "score"),
    [
        ("Doe was seen", "PATIENT", "known:name/exact", 1.0),
        ("Mr. Johnny", "PATIENT", "known:name/nickname", 0.9),
        ("it was Mary", "PATIENT", "known:relative/exact", 1.0),
        ("Dr. Wilson", "DOCTOR", "known:doctor/exact", 1.0),
        ("by McDonaldd", "DOCTOR", "known:doctor/misspelt", 0.8),
        ("patient JD is", "PATIENT", "known:name/initials", 0.7),
    ],
)
def test_a_span_says_who_was_found_and_how(
    text: str, label: str, source: str, score: float
) -> None:
    """Label, source and score follow from the person and from the way of writing."""
    (span,) = KnownDetector("en", known={"note": JOHN}).detect(Document("note", text))
    assert (span.label, span.source, span.score) == (label, source, score)


def test_a_doctors_title_decides_between_people_of_one_name() -> None:
    """Behind a doctor's title a doctor is meant, elsewhere the patient."""
    known = Known(names="Anna Berglund", doctors="Per Berglund")
    doc = Document("note", "Berglund mår bra. Dr. Berglund kommer.")
    spans = KnownDetector("sv", known={"note": known}).detect(doc)
    assert [span.label for span in spans] == ["PATIENT", "DOCTOR"]


def test_context_makes_a_word_less_sure() -> None:
    """A word that counts for its context alone has a lower score."""
    detector = KnownDetector("en", known={"note": WILL})
    (span,) = detector.detect(Document("note", "Then Will came."))
    assert span.score == 0.9
