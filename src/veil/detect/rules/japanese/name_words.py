"""Words around the names of people in Japanese: what may stand beside a name, and what is none."""

from __future__ import annotations

import re

from veil.detect.rules.japanese.words import KANJI, KATAKANA

SPACE = " \u3000"
PARTICLES = "はがをにとのもへでやよ"

# What may stand before a name in the same run of kanji.
ROLE_BEFORE = re.compile(
    "(?:患者|主治医|担当医?|執刀医|紹介医|当直医|外科医|内科医|研修医|指導医|麻酔科?医?|医師"
    "|部長|医長|科長|院長|教授|講師|助教|師長|主任|看護師|助産師|薬剤師|保健師|技師|療法士"
    "|福祉士|相談員|記載者?|記録者?|報告者?|署名|氏名|長男|次男|三男|二男|長女|次女|三女|二女|妻"
    "|夫|父|母|兄|姉|弟|妹|息子|娘|孫|嫁|実弟|実兄|実姉|実妹|義父|義母|叔父|叔母|伯父|伯母|友人"
    "|知人|同僚|本人|故|旧姓|担任|上司|社長|科|部|課|室|病棟|病院|医院|院|係|から|より|同)\\Z"
)
# What may follow a name in the same run of text: no kanji or katakana, or one of these words.
_AFTER_NAME = (
    "様|殿|氏|君|先生|医師|医長|部長|科長|院長|副院長|教授|准教授|講師|助教|師長|主任|看護師"
    "|看護士|助産師|薬剤師|保健師|技師|検査技師|放射線技師|理学療法士|作業療法士|言語聴覚士"
    "|療法士|社会福祉士|介護士|介護福祉士|相談員|管理栄養士|栄養士|公認心理師|臨床心理士|心理士"
    "|ケアマネ|ヘルパー|宛|御侍史|御机下|机下|侍史|夫妻|夫人|夫婦|両"
)
AFTER_NAME = re.compile(f"[^{KANJI}{KATAKANA}]|\\Z|{_AFTER_NAME}")
HONORIFIC = re.compile(
    "様|殿|氏|君|さん|さま|ちゃん|くん|先生|医師|医長|部長|科長|院長|看護師|Dr|Ｄｒ|DR|MD|M\\.D"
)
KEY_FOLLOWS = re.compile(f"[{SPACE}]?[:：=]|No|番号|ID")
# How the words end that stand behind a name in the header of a record, in its place otherwise.
NO_SECOND_PART = re.compile(
    ".*(?:科|部|課|室|病棟|外来|病院|医院|センター|師|士|長|様|殿|氏|先生|男性?|女性?|生|歳|番"
    "|号|日|記)\\Z"
)
NO_UNKNOWN_NAME = re.compile(
    ".*(?:科|部|課|室|病棟|外来|病院|医院|センター|師|士|様|殿|氏|先生|性|歳|番|号|日|記|麻酔"
    "|検査|療法|術|症|病|炎|癌|痛|薬|食|中|後|前|時|歴|型|状|感|剤|量|値|的|用|済|者|家族|番号"
    "|月日)\\Z|[未不無非]"
)

# No names, wherever they stand.
NO_NAMES = frozenset(
    """
    一 両 人 仕 何 児 別 各 同 坊 多 奥 女 娘 嬢 客 当 摂 有 本 某 模 殿 無 特 男 異 皆 若 華 親
    赤 隣 お兄 お姉 お婆 お婿 お嫁 お子 お孫 お客 お母 お父 お爺 お隣 なし 上級 上記 下記 不在
    不明 主訴 交代 今回 今後 今日 他科 他院 以下 住所 体重 依頼 先方 入院 内科 別々 別記 前医 前回
    医者 双子 受持 同上 回診 報告 変更 外国 外来 外科 大家 奥方 女医 女性 妊婦 子供 学生 家主 家族
    専門 常勤 年齢 当直 当科 当院 往診 性別 息子 患児 患者 所属 担任 担当 指導 指示 救急 新人 旦那
    明日 昨日 未定 本人 本日 校長 業者 次回 歯科 無し 現在 産婦 産科 男性 番号 病名 病理 皆々 相手
    相談 看護 眼科 確認 紹介 続柄 緩和 職業 若手 複数 褥婦 記載 訪室 診察 診断 説明 身長 近医 退院
    連絡 院長 電話 主治医 呼吸器 婦人科 実習生 家族歴 小児科 御家族 御本人 循環器 感染症 担当医
    担当者 救急科 既往歴 月水金 消化器 火木土 現病歴 皮膚科 看護師 研修医 精神科 耳鼻科 脳外科
    血液型 診断名 関係者 非常勤 麻酔科 受け持ち 口腔外科 形成外科 患者家族 放射線科 整形外科
    泌尿器科 生年月日 産婦人科 神経内科 総合診療科
    """.split()
)
NO_KANA_NAMES = frozenset(
    """
    おかあ おく おこ おじ おじい おっか おとう おにい おねえ おば おばあ おまわり ごしゅじん
    だんな みな むすこ むすめ よめ
    """.split()
)
NO_KATAKANA_NAMES = frozenset(
    """
    イヌ オーナー カウンセラー カー ケアマネ ケアマネジャー ケアマネージャー コーディネーター
    コール サービス ショッピング スタッフ ストップ ソーシャルワーカー ディーラー デイ トレーナー
    ドクター ナース ネコ パートナー ヘリ ヘルパー ペット ボランティア メーカー リハ リハビリ
    ワンコ ワーカー
    """.split()
)
# Given names in hiragana that are rather the end of a clause behind a surname.
NO_GIVEN_NAMES = frozenset(
    """
    あり いつ かな こと さく さの つき とし とも なお なの なり のり もと ゆえ より
    """.split()
)
