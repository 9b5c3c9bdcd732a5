"""English words that stand beside names of people and institutions, or in their place."""

from __future__ import annotations

PARTICLES = frozenset(
    "van von der den ter ten de del della di da dos das du la las los le al el bin ibn y st".split()
)

# Words that stand where a name may and are none, although a title or a key comes before them; what
# the lists of ordinary and clinical words hold need not stand here.
STOPS = frozenset(
    """
    acct address admission age aka allergies also and anonymous answer apparently appears are
    assessment at attn available aware bao bch bid bsc can cardiologist case cc cell chart chief
    clinic cna comment complaint condition consult contact could crna csn ct daily date dds
    deceased declined denied denies department dept diagnosis did dip discharge discussed
    disposition dmd do dob doctor does dose dpm dx ecg ed education eeg ehr ekg email emergency
    emg emr ems encounter ent er esq etoh exam except facp facs fax female followed follows for
    frcp frcpi from fx gender had has have he her him his history home hospital hpi hx icd icu
    id identified if ii iii in instructions insurance is it iv jr last left legal lives location
    lpn male mb mbbch mbbs md medical medications meds mg mrcpi mri mrn msc name needs new nhs
    no none nor normal not note noted nothing np npo number nurse ob of office on or other
    outpatient pa patient pcp pending per pgy pharmacy pharmd phd phn phone physician plan pmh
    po practitioner presents previously primary prn provider psychiatry pt pts qhs qid radiology
    reason received record referred refused regarding reported reports resident right rn rx same
    saw see seen self service services sex she should signature signed since social sp sr ssn
    stated states status surgery sx tbd tel telephone the their then there they this tid time to
    today told tx type unavailable unit unknown unobtainable unspecified via visit was we were
    when which while who with would year years yes you your
    """.split()
)

# Words inside the names of institutions that have no capital.
CONNECTORS = frozenset("of and the for at in de la del du on".split())

# Words with a capital that come before the name of an institution, not in it.
LEADING = frozenset(
    """
    a admission admit admitted an and another any are at attend attends attention attn by called
    cc contact contacted current dear discharge discharged dr each facility follow followed
    following former from goes her his home in is letter lives living local location member mr
    mrs ms my no note notes of other outside patient patients per presented presents previous
    prior prof pt re record records referral referred report resident results seen some that the
    their this to transfer transferred transfers via was went were with your
    """.split()
)

# Words that many institutions share, so that alone they tell of none.
GENERIC = frozenset(
    """
    academic acute adult adults after agency ambulatory aortic apartment arm assisted
    association authority ave avenue back bank based behavioral blood blvd bone boulevard breast
    building burn business bypass camp cape care ccu center centers centre charter clinic
    clinical clinics club college company comprehensive continuing convalescent corp corporation
    correctional course court crescent critical ct ctr date day department detox diagnostic
    disease diseases division drive ear ed elder elderly elective elementary emergency er eye
    facility falls family fertility fire fitness floor follow follow-up foot foundation fracture
    free general grade grammar group gym hand head health healthcare hearing heart high hip
    holdings home homeless homes hospice hospital hospitalist hospitals hotel hours house
    housing icu inc independent infirmary infusion injury inpatient institute institution
    insurance intensive intermediate internal jail joint kidney lab laboratory lane law left leg
    limited living llc ln long long-term lower ltd maternity med medicaid medical medicare
    medicine memory men's mental methadone micu middle ministries mitral name nasal national
    nicu night nose number nursing office oral order osh out outpatient outside pacer pacu pain
    parish parkway path pcu physical physicians picu place plastic plc police post practice
    pre-op preschool primary prison private program public quit rd record records rehab
    rehabilitation residential resource respite retirement right risk road robotic row same
    same-day satellite school secondary senior service services sexual shelter short short-term
    sicu skilled sleep smoking snf social society spine sports square st staff standard stay
    street stroke summary surgeons surgery surgical system teaching telemetry term terr terrace
    theatre therapy throat town transfer transitional transplant trauma travel treatment trust
    unit university-affiliated upper urgent veterinary vision voice walk walk-in ward weight
    well wellness wing women's womens wound wrist
    """.split()
)

# What follows "works as a" or "is a" and is no occupation.
NO_JOBS = frozenset(
    """
    above active adult an applicable as attached before below boy brother candidate carrier
    child daughter declined denied denies directed disabled drinker employed expected father
    female friend full full-time gentleman girl good great he heavy historian husband i intended
    it known lady lifelong longtime male man member mother mr mrs ms needed never no none not
    noted on over pain part part-time patient person pleasant poor poorly prescribed previously
    recipient refused resident retired scheduled see self self-employed she single sister smoker
    social son status stopped such survivor the they this time twin unable unemployed unknown
    user usual variable vegetarian very was we well widow widower wife woman yes you
    """.split()
)

# Countries that are names of people or things as well, and need a preposition.
NAMES_OF_COUNTRIES = frozenset(
    """
    america chad chile china cuba cyprus dominica georgia grenada guinea holland india ireland
    israel jamaica jersey jordan kenya mali malta monaco niger oman palestine panama saint
    salvador togo turkey wales
    """.split()
)

# Words that end a street and do not stand in the names of towns.
STREET_ENDS = frozenset(
    """
    apartment apt ave avenue blvd boulevard box court ct dr drive floor highway hwy lane ln parkway
    pkwy rd road route rte ste street suite terrace unit
    """.split()
)
