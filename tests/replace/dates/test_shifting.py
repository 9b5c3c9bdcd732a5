"""Shifting dates in their own writing: hard cases of four languages."""

from __future__ import annotations

from datetime import date

import pytest

from veil.core.errors import UnknownNameError
from veil.replace.dates import shifted

ANCHOR = date(2019, 12, 10)

# Each case: the text, the days, what is expected. Dates without a year lie near 10 December 2019.
ENGLISH = [
    ("3/5", 14, "3/19"),
    ("03/05", 14, "03/19"),
    ("3/5/19", -30, "2/3/19"),
    ("03/05/2019", 380, "03/19/2020"),
    ("25/12/2019", 10, "04/01/2020"),
    ("1 / 2 / 2019", -2, "12 / 31 / 2018"),
    ("03-05-2019", 1, "03-06-2019"),
    ("3.5.2019", 1, "3.6.2019"),
    ("15 03 1960", 20, "04 04 1960"),
    ("2019-03-05T14:30:00Z", 30, "2019-04-04T14:30:00Z"),
    ("20190305", 30, "20190404"),
    ("030519", 30, "040419"),
    ("12312019", 1, "01012020"),
    ("9/92", 30, "10/92"),
    ("11/2014", 31, "12/2014"),
    ("2014-11", -20, "2014-10"),
    ("5-MAR-19", 30, "4-APR-19"),
    ("05MAR2019", 30, "04APR2019"),
    ("29 FEB 2012", 365, "28 FEB 2013"),
    ("5 March 2019", 60, "4 May 2019"),
    ("5th of March, 2019", 16, "21st of March, 2019"),
    ("the 1st of March", 1, "the 2nd of March"),
    ("March 10th, 2019", 1, "March 11th, 2019"),
    ("MARCH 11TH", 10, "MARCH 21ST"),
    ("Mar. 5, '19", 300, "Dec. 30, '19"),
    ("Mar. 5, 2019", 60, "May 4, 2019"),
    ("Mar/5/19", 30, "Apr/4/19"),
    ("2019 March 5", 30, "2019 April 4"),
    ("March third", 1, "March fourth"),
    ("Sunday the nineteenth of November", 7, "Sunday the twenty-sixth of November"),
    ("March 5,\n2019", 365, "March 4,\n2020"),
    ("march", 30, "april"),
    ("MARCH 2019", 30, "APRIL 2019"),
    ("Mar-14", 30, "Apr-14"),
    ("Dec '09", 30, "Jan '10"),
    ("August of 2011", 31, "September of 2011"),
    ("2009", 365, "2010"),
    ("’09", 365, "’10"),
    ("'99", 365, "'00"),
    ("1980s", 3652, "1990s"),
    ("the '80s", 3652, "the '90s"),
    ("2012-2014", 365, "2013-2015"),
    ("2012-14", 365, "2013-15"),
    ("Monday", 3, "Thursday"),
    ("TUESDAYS", -2, "SUNDAYS"),
    ("Tues.", 2, "Thurs."),
    ("Mon/Wed/Fri", 1, "Tue/Thu/Sat"),
    ("Fri 3/15", 1, "Sat 3/16"),
    ("Tuesday, March 5, 2019 at 10:30 am", 2, "Thursday, March 7, 2019 at 10:30 am"),
    ("3/5/2019 (Tue) 1430", 1, "3/6/2019 (Wed) 1430"),
    ("3-5 May 2021", 10, "13-15 May 2021"),
    ("3-5 May 2021", 28, "31 May-2 June 2021"),
    ("May 3-5, 2014", 28, "May 31-June 2, 2014"),
    ("4/21-28", 7, "4/28-5/5"),
    ("Dec 30 - Jan 2, 2014", 10, "Jan 9 - Jan 12, 2014"),
    ("1st and 2nd June", 29, "30th June and 1st July"),
    ("December 16-17", 20, "January 5-6"),
    ("7/90-8/90", 31, "8/90-9/90"),
    ("14th", 3, "17th"),
    ("summer of 2015", 92, "fall of 2015"),
    ("winter 2018-19", 365, "winter 2019-20"),
    ("Q3 2019", 92, "Q4 2019"),
    ("second quarter of 2019", 92, "third quarter of 2019"),
    ("2019-W14", 7, "2019-W15"),
    ("Thanksgiving", 7, "December 5"),
    ("Christmas 2013", 10, "January 4 2014"),
    ("Easter Monday", -1, "April 12"),
    ("xmas day", -9, "december 16"),
    ("HOGMANAY 2015", 7, "JANUARY 7 2016"),
    ("Thanksgiving Monday", 1, "October 15"),
    ("Whitsun 2018", 1, "May 21 2018"),
    ("Diwali 2018", 31, "November 2018"),
    ("06 17 19", 3, "06 20 19"),
    ("5/03", 31, "6/03"),
    ("17.VII.1958", 30, "16.VIII.1958"),
    ("twenty third of March", 1, "twenty fourth of March"),
    ("novmber 2", 30, "december 2"),
    ("XX/05/2019", 31, "XX/06/2019"),
    ("20XX-03-05", 30, "20XX-04-04"),
]
SPANISH = [
    ("08JAN2024", 30, "07FEB2024"),
    ("12 días del mes de enero de 2023", 30, "11 días del mes de febrero de 2023"),
    ("3 de\n     marzo de 2024", 30, "2 de\n     abril de 2024"),
    ("3ra semana de agosto", 31, "3ra semana de septiembre"),
    ("segunda quincena de marzo", 31, "segunda quincena de abril"),
    ("2 a 5 de mayo", 3, "5 a 8 de mayo"),
    ("fin de marzo", 31, "fin de abril"),
    ("Fallas de 2022", 31, "abril de 2022"),
    ("Sant Jordi", 3, "26 de abril"),
    ("3/5", 30, "2/6"),
    ("3-5-2019", 10, "13-5-2019"),
    ("03.05.19", 30, "02.06.19"),
    ("12/04 /2011", 30, "12/05 /2011"),
    ("24/08//1979", 30, "23/09//1979"),
    ("2018/12/1", 31, "2019/1/1"),
    ("150360", 20, "040460"),
    ("15031960", 20, "04041960"),
    ("3/5-21", 30, "2/6-21"),
    ("3 de mayo de 2019", 30, "2 de junio de 2019"),
    ("1º de enero del 2010", 1, "2 de enero del 2010"),
    ("7 de junio del año 2001", 30, "7 de julio del año 2001"),
    ("15 ABR 2018", 30, "15 MAY 2018"),
    ("14/MAR/2022", 30, "13/ABR/2022"),
    ("26-julio-2004", 30, "25-agosto-2004"),
    ("15-III-2019", 30, "14-IV-2019"),
    ("5/XII/98", 30, "4/I/99"),
    ("22 Setiembre 2025", 10, "2 Octubre 2025"),
    ("MIERCOLES 5 DE MARZO DE 2014", 1, "JUEVES 6 DE MARZO DE 2014"),
    ("miercoles 5 de marzo de 2014", 3, "sabado 8 de marzo de 2014"),
    ("viernes, 23/08/24", 1, "sábado, 24/08/24"),
    ("mar 12/7/22", 1, "mié 13/7/22"),
    ("mar/22", 31, "abr/22"),
    ("3, 4 y 5 de MARZO", 10, "13, 14 y 15 de MARZO"),
    ("3, 4 y 5 de marzo de 2011", 28, "31 de marzo, 1 y 2 de abril de 2011"),
    ("del 3 al 5 de mayo de 2010", 28, "del 31 de mayo al 2 de junio de 2010"),
    ("2 al 16 de diciembre de 2020", 30, "1 al 15 de enero de 2021"),
    ("veintidós de noviembre de dos mil veintitrés", 40, "uno de enero de dos mil veinticuatro"),
    ("primero de enero de 1950", -1, "treinta y uno de diciembre de 1949"),
    ("enero y marzo del 2011", 31, "febrero y abril del 2011"),
    ("Agosto 06", 31, "Septiembre 06"),
    ("dic/21", 31, "ene/22"),
    ("años 2010 y 2012", 365, "años 2011 y 2013"),
    ("años 80", 3652, "años 90"),
    ("década de los 80", 3652, "década de los 90"),
    ("80", 3652, "90"),
    ("otoño de 2012", 92, "invierno de 2013"),
    ("primer trimestre de 2019", 92, "segundo trimestre de 2019"),
    ("Semana Santa 2018", 30, "abril 2018"),
    ("Nochebuena", 10, "3 de enero"),
    ("12/3/19 a las 10:30 horas", 1, "13/3/19 a las 10:30 horas"),
]
SWEDISH = [
    ("14/3", 30, "13/4"),
    ("14/3-23", 30, "13/4-23"),
    ("12/4 -23", 30, "12/5 -23"),
    ("14/3 2023", 365, "13/3 2024"),
    ("14/3-2023", 365, "13/3-2024"),
    ("2023-03-14", 30, "2023-04-13"),
    ("2023.4.5", 30, "2023.5.5"),
    ("230412", 30, "230512"),
    ("20230412", 30, "20230512"),
    ("23-03-14", 30, "23-04-13"),
    ("14.3.2023", 30, "13.4.2023"),
    ("1.2.21", 30, "3.3.21"),
    ("3:e mars 2019", 18, "21:a mars 2019"),
    ("den 1:a april", 2, "den 3:e april"),
    ("12 okt -21", 30, "11 nov -21"),
    ("mars -15", 30, "april -15"),
    ("2 Aug 2007", -14, "19 Jul 2007"),
    ("3april", 30, "3maj"),
    ("tjugofjärde december 1950", 1, "tjugofemte december 1950"),
    ("12-14/3", 10, "22-24/3"),
    ("12-14/3", 18, "30/3-1/4"),
    ("1/4 - 15/4 2023", 10, "11/4 - 25/4 2023"),
    ("5-7 maj", 25, "30 maj-1 juni"),
    ("maj-juni 2019", 31, "juni-juli 2019"),
    ("2018/19", 365, "2019/20"),
    ("-98", 365, "-99"),
    ("52", 365, "53"),
    ("1980-talet", 3652, "1990-talet"),
    ("90-talets", -3652, "80-talets"),
    ("v 14", 7, "v 15"),
    ("V. 36-37", 7, "V. 37-38"),
    ("vecka 52 2023", 7, "vecka 1 2024"),
    ("v 9 -24", 7, "v 10 -24"),
    ("måndag", 5, "lördag"),
    ("LORDAG 5/8", 2, "MANDAG 7/8"),
    ("söndagskväll", 1, "måndagskväll"),
    ("i fredags", 1, "i lördags"),
    ("torsdagen den 9 februari 2023", 1, "fredagen den 10 februari 2023"),
    ("ti 12/9", 1, "on 13/9"),
    ("hösten -14", 92, "vintern -15"),
    ("vintern 2018/2019", 365, "vintern 2019/2020"),
    ("vt 2020", 180, "ht 2020"),
    ("ht20", 180, "vt21"),
    ("midsommarafton", 10, "1 juli"),
    ("julen -18", 20, "januari -19"),
    ("andra advent 2022", 7, "11 december 2022"),
    ("14/3 10.15", 30, "13/4 10.15"),
    ("2023-03-14 kl 10.15", 30, "2023-04-13 kl 10.15"),
]
JAPANESE = [
    ("平成23年3月5日", 30, "平成23年4月4日"),
    ("令和5年1月9日（成人の日）", 30, "令和5年2月8日（水）"),
    ("中3の冬", 14, "中3の冬"),
    ("土曜あたりから", 2, "月曜あたりから"),
    ("5月の連休明けから", -30, "4月の連休明けから"),
    ("平成23年3月5日（土）より", 30, "平成23年4月4日（月）より"),
    ("平成31年4月30日", 1, "令和元年5月1日"),
    ("令和元年5月1日", -1, "平成31年4月30日"),
    ("令和 元年 5月 1日", 400, "令和 2年 6月 4日"),
    ("昭和64年1月7日", 1, "平成元年1月8日"),
    ("大正十五年二月三日", 700, "昭和三年一月四日"),
    ("平成二十三年三月", 31, "平成二十三年四月"),
    ("二〇一九年三月五日", 30, "二〇一九年四月四日"),
    ("H23.3.5", 30, "H23.4.4"),
    ("H31.4.30", 1, "R1.5.1"),
    ("Ｈ２３．３．５", 30, "Ｈ２３．４．４"),
    ("R5/4/5", 30, "R5/5/5"),
    ("R05/04/05", 30, "R05/05/05"),
    ("昭50.3.5", 30, "昭50.4.4"),
    ("㍻31年4月30日", 1, "㋿元年5月1日"),
    ("S50年頃", 365, "S51年頃"),
    ("令和元年", -365, "平成30年"),
    ("昭和50年代", -3652, "昭和40年代"),
    ("平成30年（2018年）7月2日", 365, "令和元年（2019年）7月2日"),
    ("2018年（平成30年）7月2日", 365, "2019年（令和元年）7月2日"),
    ("２０１９年３月５日", 30, "２０１９年４月４日"),
    ("2019/3/5(火) 10:30", 1, "2019/3/6(水) 10:30"),
    ("２０１９／０３／０５", 30, "２０１９／０４／０４"),
    ("2019.3", 31, "2019.4"),
    ("19/3/5", 30, "19/4/4"),
    ("190305", 30, "190404"),
    ("'98年5月", 31, "'98年6月"),
    ("2019年3月5日午後2時頃から", 1, "2019年3月6日午後2時頃から"),
    ("3月6日(水)10:30", 1, "3月7日(木)10:30"),
    ("3/5（月・祝）", 1, "3/6（火）"),
    ("5/3（祝）", 1, "5/4（月）"),
    ("十月十日", 10, "十月二十日"),
    ("10月25\n日", 10, "11月4\n日"),
    ("2019/3/5～3/10", 30, "2019/4/4～4/9"),
    ("2018/11～2019/2", 31, "2018/12～2019/3"),
    ("3月25日～30日まで", 3, "3月28日～4月2日まで"),
    ("2019年12月20日～25日", 10, "2019年12月30日～1月4日"),
    ("同年12月20日", 30, "同年1月19日"),
    ("昨年12月", 60, "昨年2月"),
    ("同月20日", 20, "翌月9日"),
    ("15日", 3, "18日"),
    ("3月上旬まで", 10, "3月中旬まで"),
    ("7月第3週", 7, "7月第4週"),
    ("2010年春", 92, "2010年夏"),
    ("昨冬", 92, "昨春"),
    ("2020年度", 365, "2021年度"),
    ("1990年代", 3652, "2000年代"),
    ("月曜日の夕方", 1, "火曜日の夕方"),
    ("来週火曜日まで", 1, "来週水曜日まで"),
    ("元旦", 4, "1月5日"),
    ("お盆", 31, "9月"),
    ("20XX年4月", 31, "20XX年5月"),
    ("X年6月", 31, "X年7月"),
    ("Mar 5, 2019", 30, "Apr 4, 2019"),
]
CASES = [
    (language, *case)
    for language, cases in (
        ("en", ENGLISH),
        ("es", SPANISH),
        ("sv", SWEDISH),
        ("ja", JAPANESE),
    )
    for case in cases
]


@pytest.mark.parametrize(("language", "text", "days", "expected"), CASES)
def test_shifting_keeps_the_writing(language: str, text: str, days: int, expected: str) -> None:
    """The date moves, and order, marks, case, digits, accents and padding stay."""
    assert shifted(text, language, days, anchor=ANCHOR) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "2/30/2019"),
        ("en", "99/99/99"),
        ("en", "St Swithin's Day 2019"),
        ("en", "Ramadan"),
        ("en", "seen on 3/5 by Dr. Hale"),
        ("en", "12345"),
        ("en", ""),
        ("en", "3/5/2019 " * 20),
        ("es", "39 años"),
        ("es", "27/011/2014"),
        ("es", "tío paterno"),
        ("sv", "2023-02-30"),
        ("sv", "17"),
        ("ja", "平成の初め"),
        ("ja", "令和十十年"),
        ("ja", "昭和元年13月1日"),
    ],
)
def test_what_is_no_date_is_not_shifted(language: str, text: str) -> None:
    """None is returned where any of the text cannot be read, so that nothing is left half done."""
    assert shifted(text, language, 30) is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "2 days ago"),
        ("en", "POD 3"),
        ("en", "10:30 am"),
        ("es", "hace 3 días"),
        ("es", "a las 10:30 h"),
        ("sv", "för 3 veckor sedan"),
        ("sv", "kl 10.15"),
        ("ja", "3日前"),
        ("ja", "翌日"),
        ("ja", "入院3日目"),
        ("ja", "○年○月○日"),
    ],
)
def test_relative_times_hold_no_date(language: str, text: str) -> None:
    """What tells no day of the calendar is not shifted."""
    assert shifted(text, language, 30) is None


def test_year_is_that_nearest_to_the_anchor() -> None:
    """A day in December near an anchor in January belongs to the year before it."""
    assert shifted("29 February", "en", 1, anchor=date(2020, 1, 5)) == "1 March"
    assert shifted("28 February", "en", 1, anchor=date(2020, 1, 5)) == "29 February"
    assert shifted("28 December", "en", 65, anchor=date(2020, 1, 5)) == "2 March"
    assert shifted("28 December", "en", 65, anchor=date(2019, 12, 5)) == "2 March"
    assert shifted("28 December", "en", 65, anchor=date(2018, 12, 5)) == "3 March"


def test_relative_year_follows_the_shift() -> None:
    """A word that tells the year by another date is one that is right after the shift."""
    assert shifted("同年12月20日", "ja", 30, anchor=date(2019, 11, 5)) == "翌年1月19日"
    assert shifted("翌年1月10日", "ja", -20, anchor=date(2019, 12, 30)) == "同年12月21日"
    assert shifted("2019年11月5日～同年12月20日", "ja", 30) == "2019年12月5日～翌年1月19日"


def test_weekday_finds_the_year() -> None:
    """A weekday beside a date without a year tells which year it is."""
    # 28 February 2020 was a Friday, that of 2019 a Thursday.
    assert shifted("Friday 28 February", "en", 2, anchor=date(2019, 6, 1)) == "Sunday 1 March"
    assert shifted("Thursday 28 February", "en", 2, anchor=date(2020, 6, 1)) == "Saturday 2 March"


def test_wrong_weekday_becomes_right() -> None:
    """The weekday is that of the shifted date."""
    assert shifted("Monday, March 5, 2019", "en", 1) == "Wednesday, March 6, 2019"


def test_shift_beyond_the_calendar() -> None:
    """A shift to where no date can be written gives none."""
    assert shifted("2019-03-05", "en", -800_000) is None
    assert shifted("明治1年3月5日", "ja", -400) is None
    assert shifted("昭和50年代", "ja", 3652) is None


def test_unknown_language() -> None:
    """A language without data is an error that names the known ones."""
    with pytest.raises(UnknownNameError, match="en, es, ja, sv"):
        shifted("3/5", "fr", 30)
