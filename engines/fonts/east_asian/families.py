"""East Asian fonts that documents name and Debian lacks: which letters stand for each, and its measures.

Ascents and descents are those of Windows (OS/2 usWinAscent, usWinDescent) in em. For Malgun Gothic they are read from
PDFs that Word exported; for the Japanese and Korean ones and PMingLiU, see advances.txt. SimSun and its kin have 220 and
36 of 256 units and half an em for each letter of ASCII; MingLiU has the measures of PMingLiU. Microsoft YaHei has the
1.32 em that browsers use. Its letters, and those of Gulim, keep their own widths.
"""

from typing import NamedTuple

HALF = {code: 0.5 for code in range(0x20, 0x7F)}
MALGUN = {0x20: 0.352, **{code: 0.551 for code in range(0x30, 0x3A)}}
# Brushed ones, which Debian lacks as well.
BRUSHED = ("FangSong", "仿宋", "FangSong_GB2312", "仿宋_GB2312", "KaiTi", "楷体", "KaiTi_GB2312", "楷体_GB2312")


class Family(NamedTuple):
    """`advances` are those of single letters in em, or the name of a family in advances.txt."""

    name: str
    letters: str  # of Noto: "Sans" or "Serif", and "KR", "JP", "SC" or "TC"
    ascent: float
    descent: float
    advances: dict | str
    names: tuple  # in documents


FAMILIES = [
    Family("Malgun Gothic", "Sans KR", 1.088, 0.242, MALGUN, ("맑은 고딕", "Malgun Gothic Semilight")),
    Family("Gulim", "Sans KR", 0.859, 0.141, {}, ("굴림", "Dotum", "돋움", "New Gulim", "새굴림")),
    Family("GulimChe", "Sans KR", 0.859, 0.141, HALF, ("굴림체", "DotumChe", "돋움체")),
    Family("Batang", "Serif KR", 0.8584, 0.1416, "Batang", ("바탕",)),
    Family("BatangChe", "Serif KR", 0.8584, 0.1416, HALF, ("바탕체", "Gungsuh", "궁서", "GungsuhChe", "궁서체")),
    Family("MS Gothic", "Sans JP", 0.859, 0.141, HALF, ("ＭＳ ゴシック", "HGGothicM", "HGｺﾞｼｯｸM")),
    Family("MS PGothic", "Sans JP", 0.859, 0.141, "MS PGothic", ("ＭＳ Ｐゴシック", "MS UI Gothic")),
    Family("MS Mincho", "Serif JP", 0.859, 0.141, HALF, ("ＭＳ 明朝", "HGMinchoE", "HG明朝E")),
    Family("MS PMincho", "Serif JP", 0.859, 0.141, "MS PMincho", ("ＭＳ Ｐ明朝",)),
    Family("Meiryo", "Sans JP", 1.06, 0.44, "Meiryo", ("メイリオ",)),
    Family("Meiryo UI", "Sans JP", 1.06, 0.21, "Meiryo", ()),
    Family("Yu Gothic", "Sans JP", 0.985, 0.302, "Yu Gothic", ("游ゴシック", "Yu Gothic Light", "游ゴシック Light")),
    Family("Yu Mincho", "Serif JP", 0.995, 0.292, "Yu Mincho", ("游明朝", "Yu Mincho Light", "游明朝 Light")),
    Family("SimSun", "Serif SC", 0.859, 0.141, HALF, ("宋体", "NSimSun", "新宋体", *BRUSHED)),
    Family("SimHei", "Sans SC", 0.859, 0.141, HALF, ("黑体",)),
    Family("Microsoft YaHei", "Sans SC", 1.058, 0.262, {}, ("微软雅黑", "Microsoft YaHei UI")),
    Family("PMingLiU", "Serif TC", 0.801, 0.199, "PMingLiU", ("新細明體",)),
    Family("MingLiU", "Serif TC", 0.801, 0.199, HALF, ("細明體",)),
]
