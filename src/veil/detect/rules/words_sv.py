"""Swedish words that lists of names do not tell apart from names, in lower case and folded."""

from __future__ import annotations

# Names that are something else in notes, beside those that the lists of ordinary words hold: Latin,
# English, makers of drugs. They count as names beside another name or after a title only.
WORDS_TOO = frozenset(
    """
    actavis alba alle allen allis alpha alun amen amma ammar angel anis aster bane banner bayer
    beat benigna blom blue body borg brain branda brett bula bull candy cash centers chole cliff
    corpus costa crista deep derby dexter dieter dunkel dura eran ester falls finn firat flint
    flora florida fraser frid frost galan gemen geno gissel glade golden gong gumma halit hall
    halm hals hammar hare harm hawk heaven hell hemmen histon hjort ibis inder irit islam israel
    jazz jesus jude junge junior kala kasten kick kina kine king kloster kolin kosten krom krupp
    lady lavin lenn lien lind linea lins list london long lott lova love lumen lung lyra magar
    mager mais makan manar manas mani mania mans mara marin mater matt maximus mentor merck
    minor mores mylan myrra nada oman oral orion oris oros page paras paris parker pars petar
    plana plaster poll pons porter prima ramadan rank rask renas rica rida rider rising river
    roche rome rose rost royal saber sala salter salva samer sandoz senan serin serrata shell
    silva situ skov soma soria sota spina sporer stada sula teres teva tiger umber urban utter
    vacca vega vena venus viks villi viral vital viva wake walker wand watt will winter young
    zink zona
    """.split()
)

# Given names of two and three letters that are names to everybody.
SHORT_GIVEN = frozenset(
    """
    ada alf ali ann aya bea ebb eli eva gun ian ida ina isa jim joe jon kai kaj lea leo lia mia moa
    nea noa ove pia pär pål rut siv ted tim ulf uno åke åsa åse
    """.split()
)

# Words that stand right behind names in records, or open a line, and are no names.
STOPS = frozenset(
    """
    ab adress akut akuten akutmottagning allergi allergier ambulans anamnes ang ankn ankom anm
    anteckning apoteket arbets arbetsprov at avd avdelning avdelningen avs barnkliniken
    bedömning behandling besök besöksdatum bt bup bvc cave cc copd cor crp dagtid datum de
    deltid den denna dessa det detta diagnos diagnoser dialys distriktsläkare doktor dr där då
    efter egen eget ej ekg eller enhet epikris fax folktandvård fysioterapeut född före gift
    halvtid han har hb hej heltid hemtjänst hereditet hon hud hälsar hälsning här id informerad
    inga ingen inget inkom inkommer inskriven intyg iva ja jag jour journal kallelse kirurgi
    kirurgkliniken kl klinik kliniken kol kommer kontakt kontaktorsak kontor kopia kvinna
    kvällstid kön lab labb ledare ledn leg legitimerad leverstatus lgh lid ligger läk läkarbesök
    läkare läkemedel man med medicin medicinkliniken medicinsk mellan mob mobil morbus mott
    mottagare mottagning mottagningen mr mvh målsättning mår namn natt nej neurologi nr när
    närhälsan närvarande och odling okänd okänt om ombud op operation ord ordination ort
    ortopedi pad pal palp pat patient patienten personnr personnummer plan planering pnr
    postadress postnr prov provsvar psykiatri pulm puls rehab remiss remitterad remitteras rid
    rond rtg röntgen sa saknas samtal schema se sign signatur signerat sitter sjukhus sjukhuset
    sjukskriven skrivet socialt ssk st stat status svar söker t tabletter tar tel telefon tfn
    tid till tjänst tolk ul ultraljud under undersökning us usk utan utlåtande utskriven var vc
    vi vid vidimerat vårdcentral vårdcentralen vårdenhet vårdplan yrke är äter åb ålder åter
    återbesök åtgärd öl önskar öppenvård över överläkare
    """.split()
)

# Capitals that stand for something in notes: they are nobody's initials.
ABBREVIATIONS = frozenset(
    """
    ADL AF AFO AK AKS AL ALAT ALP ALS APC ASA ASAT AT ATA AVA AVK BAS BB BMI BMM BNP BP BS BT
    BUP BVC CABG CAVE CK CNS COPD CPAP CRP CSK CT CTG CVK CVP CYT DBP DIC DK DM DMARD DNR DOS DS
    DT DVT DX EDA EEG EF EKG EKO EMG EN EP ERCP ETT FAX FEV FF FIO FK FVC GAD GCS GFR GI GTN GTT
    HB HBA HC HDL HFNC HIA HIV HLR HND HR HT HVC IBD IBS ICD ICF ID IE IG IM INF INJ INR IR IV
    IVA IVP JA KAD KAVA KBT KL KOL KS KUB KVA LAB LD LDL LE LGH LID LMA LPK LPT LRV LSS LUTS LVU
    MAP MAS MAVA MB MCH MCV MI MMT MR MRI MRSA MS MSA MTX MVC NASH NEJ NEWS NG NH NIV NOAK NR
    NRS NSAID NSTEMI NT NUS OBS OBS! OGTT OK OP OSAS PA PAD PAL PAS PCA PCI PCR PCV PE PEF PEG
    PET PICC PM PN PNR PO POX PP PRN PSA PT PTH PTSD PVK RA REG RH RID RIV RLS RR RS RTG RV SAB
    SAH SAT SBAR SBP SC SF SIP SLE SMS SN SR SS SSK SSRI ST STD STEMI SU SUS SV SVF SVT SÖS TABL
    TB TBC TEE TEL TENS TIA TNF TPK TSH TT TUG UA UI UK UL UNS US USK UT UV UVA UVI VAC VAS VB
    VC VES VF VT WHO WPW ÄBT ÅB ÖGI ÖL ÖLI ÖNH
    """.split()
)

# Those of two letters that nobody signs with.
TWO_LETTERS = frozenset(
    "BT CT DT EN GI HB HC ID IM IV KL MR NR OK OP PO SC UA UL US VB VC ÖL".split()
)

# What units are called that every hospital has.
GENERIC_UNITS = (
    *("universitets", "läns", "central", "region", "när", "barn", "akut", "militär", "mental"),
    *("fält", "specialist", "privat", "djur", "stor", "små", "hem", "annat", "kirurg"),
    *(
        "medicin",
        "infektions",
        "hud",
        "ögon",
        "öron",
        "kvinno",
        "ortoped",
        "lung",
        "hjärt",
        "neuro",
    ),
    *("neurolog", "onkolog", "psykiatri", "tand", "rygg", "smärt", "minnes", "bröst", "röntgen"),
    *("geriatrik", "rehab", "njur", "urolog", "gyn", "hand", "thorax", "reumatolog", "dialys"),
    *("sömn", "allergi", "käk", "hals", "anestesi", "operations", "rehabiliterings", "remiss"),
    *("beroende", "psykiatriska", "specialisttandvårds", "privata", "poli", "ålderdoms", "vård"),
    *("sjuk", "behandlings", "fader", "kollektiv", "grupp", "serviceboende", "mödra", "föräldra"),
    *("infektion", "kardiolog", "hematolog", "endokrin", "gastro", "plastik", "kärl", "logoped"),
    *("diabetes", "astma", "reuma", "obesitas", "transplantations", "fertilitets", "ivf", "yrsel"),
    *(
        "parkinson",
        "stroke",
        "palliativa",
        "hjärn",
        "hjälpmedels",
        "syn",
        "hörsel",
        "fot",
        "vårdhem",
    ),
)

# What schools are called that are no school of this name, or teach patients.
GENERIC_SCHOOLS = (
    *("försk", "grundsk", "högsk", "särsk", "hälso", "folkhög", "specialsk", "mellansk", "lågsk"),
    *("träningssk", "artros", "ryggsk", "hjärtsk", "kolsk", "diabetessk", "astmask", "smärtsk"),
    *("musiksk", "simsk", "körsk", "danssk", "yrkessk", "sjuksköterskesk", "gymnasiesk", "skol"),
    *("hjärtsviktssk", "läkarsk", "astma", "eksemsk", "minnessk", "friskola", "kommunala", "höst"),
    *("föräldrask", "bröstsk", "amningssk", "osteoporossk", "patientsk", "mensk", "friluftssk"),
    *("grundgymn", "vuxensk", "språksk", "modersk", "fritidssk", "introduktionssk", "universitet"),
)

# Words that end as streets do.
NO_STREETS = (
    *("vård", "behandlings", "arbets", "rehab", "hand", "åtgärds", "säng", "vak", "utbildnings"),
    *("boende", "parkerings", "närings", "genomförande", "sjukskrivnings", "luft", "urin", "gall"),
    *("andnings", "mat", "födo", "nerv", "lymf", "infarkt", "om", "upp", "ur", "avlastnings"),
    *("läkemedels", "omvårdnads", "samordnad", "habiliterings", "utskrivnings", "träd", "bak"),
    *("transport", "medel", "spridnings", "smitt", "signal", "skelett", "undersöknings", "hjärt"),
    *("kost", "tids", "tränings", "insulin", "mobiliserings", "anslutnings", "död", "födelse"),
    *("ömhet", "strålnings", "olycks", "fynd", "lek", "sport", "fot", "blod", "bröst", "hus"),
    *("skade", "mun", "punktions", "injektions", "instick", "stick", "vistelse", "huvud"),
)

# Towns, regions and countries that are words or names as well: they need a preposition.
PLACE_WORDS = frozenset(
    """
    backe batman bello berg boden boo bor bro buffalo bursa derby ed eda ek florida fors georgia
    greve gråbo hammar hok horn härad jordan kemi kil kinda kira kisa kita klippan kota kärna lagos
    latina lima lit lund mark mesa milan minna mora moss nada natal nice nis nora norden ondo oral
    orsa ota palma pest reading reno rom rot ryd sala salta samba sari selja skara ski sola stora
    ström strömma sund teg timrå trosa vara vika viken åby älta ås öja örby
    """.split()
)

# Names of care units that are words, or in no list of names.
PROPER_UNITS = frozenset(
    """
    akademiska aleris attendo capio danderyds ersta humana karolinska kry löwenströmska
    närhälsan previa ryhov sabbatsbergs sahlgrenska serafen sophiahemmet söder vrinnevi
    """.split()
)
