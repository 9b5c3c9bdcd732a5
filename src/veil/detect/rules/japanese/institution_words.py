"""Words around the names of Japanese institutions: what is generic, what a department is called."""

from __future__ import annotations

import re

from veil.detect.rules.japanese.words import HIRAGANA, KANJI, KATAKANA

MASKS = "●○◯〇▲△■□◆◇×✕＊*"

# 当院 and the like name a hospital as well as its name does.
SMALL_WORDS = frozenset("当 他 同 某 本 貴 御 弊".split())

# A corporation before the name of its hospital, set off by spaces or not.
CORPORATION = re.compile(
    "(?:(?:社会|特定|特別)?医療法人(?:社団|財団)?|(?:公益|一般)?(?:社団|財団)法人|社会福祉法人"
    "|学校法人|独立行政法人|国立大学法人|国家公務員共済組合連合会|地方独立行政法人|宗教法人"
    "|国立病院機構|国民健康保険|日本赤十字社|済生会|ＪＡ|JA)"
    "[ \u3000]?(?:[^\\s、。，．,（）()「」:：]{1,20}[ \u3000])?\\Z"
)
CORPORATION_HEAD = re.compile(
    "(?:社会|特定|特別)?医療法人(?:社団|財団)?|(?:公益|一般)?(?:社団|財団)法人"
)

# Words before a name in the same run of kanji; what stands behind the last of them is the name.
BEFORE_NAME = re.compile(
    ".*(?:目的|施行|翌々?日|同日|昨日|本日|前日|当日|先日|先週|先月|昨年|去年|今年|同年|翌年"
    "|翌月|現在|以前|以後|以降|当時|今回|前回|最近|当初|初診|再診|受診|入院中?|退院後?|転院"
    "|通院中?|搬送|救急搬送|緊急|加療中?|治療中?|検査|診断|希望|依頼|精査|手術|術後|紹介元"
    "|紹介先|紹介|転院先|搬送先|受診先|通院先|勤務先|かかりつけ|近隣|近所|地元|市内|県内|県外"
    "|都内|区内|町内|発症|受傷|出生|出産|分娩|出身|在住|上旬|中旬|下旬|午前|午後|早朝|深夜|他県)"
    "(?=..)"
)

# A name that consists of such words is none: 精神科病院, 総合病院. The longest come first, and what
# was taken is not given back, so that no text makes it try again and again.
GENERIC = re.compile(
    "(?:リハビリテーション|メンタルヘルス|心臓血管外科|トレーニング|[内外]科|耳鼻咽喉科?"
    "|脳神経外科|レディース|ファミリー|総合周産期|メディカル|アレルギー|認知症疾患|救急指定"
    "|リハビリ|整形外科|産婦人科|泌尿器科?|心療内科|神経内科|形成外科|口腔外科|小児歯科|矯正歯科"
    "|メンタル|人工透析|もの忘れ|スポーツ|化学療法|総合診療|消化器病|循環器病|呼吸器病|精神保健"
    "|地域包括|介護老人|特別養護|障がい者?|ショート|グループ|サービス|休日急患|精神科?|急性期"
    "|療養型?|慢性期|回復期|終末期|消化器|循環器|呼吸器|耳鼻科|皮膚科?|婦人科|脳外科|紹介元?"
    "|紹介先|転院先|搬送先|受診先|通院先|感染症|企業内|ペイン|物忘れ|こども|子ども|小規模|中規模"
    "|周産期|内視鏡|放射線|ハート|脳卒中|脳神経|糖尿病|認知症|高齢者|障害者?|ホーム|コール"
    "|データ|定時制|大規模|最寄り?|勤務先?|市立小|総合|大学|医科|専門|中核|基幹|拠点|救命|救急"
    "|地域|民間|公立|私立|国立|県立|市立|公的|個人|一般|リハ|小児|整形|眼科|耳鼻|産科|歯科|診療"
    "|近隣|近所|近く|地元|市内|県内|県外|都内|海外|現地|関連|協力|連携|後方|支援|二次|三次|高次"
    "|指定|がん|結核|開業|担当|以前|有床|無床|夜間|休日|在宅|訪問|往診|巡回|学校|職場|動物|電子"
    "|遠隔|介護|美容|不妊|生殖|透析|健診|検診|健康|発熱|禁煙|漢方|附属|付属|大型|中小|大手|専攻"
    "|母子|外来|手術|検査|画像|血液|輸血|部門|研究|教育|情報|高度|先進|医療|乳腺|福祉|保健|包括"
    "|有料|老人|児童|女子|男子|工業|商業|農業|専修|職業|訓練|養護|看護|調剤|門前|院内|院外|当該"
    "|居宅|ケア|デイ|研修|相談|献血|骨髄|臓器|救護|防災|生活|就労|出身|母校|同じ|通信|地区|郊外"
    "|都市|全国|世界|他県|当時|入所|職員|急病|急患|応急|予防|睡眠|現役|有名|志望|一流|再度|度々"
    "|毎回|結局|直接|早急|公共|癌|両)++"
    "|[大内外近別前各両旧分本新腎公私県市町村区都府道国小中高盲聾宅女男子同他某当貴御弊]"
)

# Departments and the like at the end of a name, before its head.
DEPARTMENTS = (
    "リハビリテーション|ファミリー|レディース|ウィメンズ|ウイメンズ|メディカル|アレルギー"
    "|メンタル|レディス|デンタル|循環器病?|呼吸器病?|心臓血管|耳鼻咽喉|リウマチ|リハビリ"
    "|健康管理|救命救急|ハート|スキン|ペイン|キッズ|ライフ|ホーム|こども|子ども|消化器|脳神経"
    "|産婦人|泌尿器|糖尿病|乳腺外|放射線|甲状腺|脳卒中|周産期|アイ|皮ふ|胃腸|矯正|心療|神経|形成"
    "|整形|小児|耳鼻|婦人|皮膚|肛門|乳腺|精神|麻酔|口腔|血管|在宅|訪問|総合|中央|記念|第一|第二"
    "|診療|母子|療育|保健|健診|検診|研究|透析|予防|医療|がん|急病|急患|応急|休日|夜間|産|眼|歯"
    "|内|外|腎|科|・|･"
)
DEPARTMENTS_TAIL = re.compile(f"(?:{DEPARTMENTS}|クリニック)++\\Z")
# More departments behind the first one, a branch, or the town of a branch.
MORE_DEPARTMENTS = re.compile(
    "(?:[・･]?(?:[内外眼]科|胃腸科|小児科|皮[膚ふフ]科|耳鼻咽喉科|耳鼻科|婦人科|産婦人科"
    "|泌尿器科|整形外科|形成外科|心療内科|神経内科|消化器[内外]?科|循環器[内外]?科"
    "|呼吸器[内外]?科|肛門科|リウマチ科|アレルギー科|歯科|麻酔科|クリニック|医院|診療所|病院))+"
)
BRANCH = re.compile(f"[ \u3000]?[{KANJI}{KATAKANA}]{{2,5}}(?:分院|本院|院)(?![{KANJI}])")
TOWN_BEHIND = re.compile(f"[{KANJI}{KATAKANA}ヶ]{{2,5}}(?=[{HIRAGANA}、。，．）)\\s]|\\Z)")

# What makes the name of a department that of an institution.
OWNER = re.compile(
    "国立|県立|市立|都立|府立|道立|町立|村立|区立|公立|市民|県民|町民|日赤|赤十字|済生会|厚生連"
    "|共済|労災|徳洲会|逓信|社会保険|大学|[丘台町通郷駅]\\Z|駅前|ヶ丘|が丘|会\\Z"
)
# A department of a house, not a house: 山田病院内科.
HOUSE = re.compile("病院|医院|クリニック|センター|大学|病棟|(?:院|科|部)内?\\Z")

# Names with の or が inside are few in kind: もみの木, 光が丘.
INNER_PARTICLE = re.compile(
    "[のがノガ][丘里森木風杜台郷浜海葉花園原苑家虹街町門宮井泉城星谷岡崎峰島上音手口水]"
)
# Hiragana inside names that have kanji before it: 国立がん研究センター, 県立こども病院.
INNER_WORD = re.compile(
    "(?:がん|こども|こころ|ふれあい|ひふ|あんしん|みらい|ひかり|のぞみ|こころの|からだの"
    "|おなかの)\\Z"
)
# What hiragana may be before a name that is known: particles, and the ends of inflected words.
FUNCTION_END = re.compile(
    "(?:ため|から|より|まで|にて|ところ|ので|こと|もの|ながら|ほか|など|さん"
    "|[をにへでとはがものやしてたりきいくれさせけめえるうならよ])\\Z"
)
# Before a name that is not known: only what can hardly be the beginning of one.
PARTICLES = re.compile(
    "(?:のため|ため|から|より|まで|にて|では|には|とは|への|での|により|として|ところ|ので|され"
    "|して|した|する|なり|あり|おり|いた|[をにへではが])+"
)
# An adjective, a verb or の before a head: 近くのクリニック, 新しい病院.
ATTRIBUTIVE_ENDS = frozenset("のなたるいうくつぬえてで")
# What follows hiragana in a name: みどり台, すみだ駅前.
AFTER_KANA = frozenset("台丘通町野坂橋浜市区駅中南北東西記総会園本新共第山川沢原田森島県立")
NO_KANA_NAMES = frozenset(
    """
    あと あの あり ある いた いる うち おい おき おり かか かた かつ から くの こと この ころ ごろ
    さら しい した する そう その たい ため たり つき つけ とき とも どの ない なお など なり にて
    のち ので のみ ほか ほど まえ また まで まま もと もの よう よく より
    """.split()
)
