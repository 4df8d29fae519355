"""Which of Tesseract's languages read a page, by the script that is on it."""

import glob
import os

# Tesseract's data of one release: languages, and the font without glyphs.
DATA = next(iter(sorted(glob.glob("/usr/share/tesseract-ocr/*/tessdata"), reverse=True)), "")

# A page is read by at most so many languages: each takes time and memory.
MOST = 8

# Languages by the names of scripts that Tesseract prints. All others are written in Latin letters.
SCRIPTS = {
    "Cyrillic": "rus ukr bel bul mkd srp kaz kir mon tgk tat uzb_cyrl aze_cyrl",
    "Greek": "ell grc",
    "Arabic": "ara fas urd pus uig snd",
    "Hebrew": "heb yid",
    "Han": "chi_sim chi_tra jpn",
    "Japanese": "jpn",
    "Korean": "kor",
    "Hangul": "kor",
    "Devanagari": "hin mar nep san",
    "Bengali": "ben asm",
    "Armenian": "hye",
    "Canadian_Aboriginal": "iku",
    "Cherokee": "chr",
    "Ethiopic": "amh tir",
    "Georgian": "kat kat_old",
    "Gujarati": "guj",
    "Gurmukhi": "pan",
    "Kannada": "kan",
    "Khmer": "khm",
    "Lao": "lao",
    "Malayalam": "mal",
    "Myanmar": "mya",
    "Oriya": "ori",
    "Sinhala": "sin",
    "Syriac": "syr",
    "Tamil": "tam",
    "Telugu": "tel",
    "Thaana": "div",
    "Thai": "tha",
    "Tibetan": "bod dzo",
}
OTHER = {language for languages in SCRIPTS.values() for language in languages.split()}

# The languages of the default installation, in the order in which they are tried.
USUAL = ["eng", "deu", "fra", "spa", "ita", "por"]


def installed():
    """The installed languages, the usual ones first. Without osd, which is none, and without vertical writing."""
    names = sorted(os.path.basename(path).split(".")[0] for path in glob.glob(f"{DATA}/*.traineddata"))
    names = [name for name in names if name not in ("osd", "equ") and not name.endswith("_vert")]
    return [name for name in USUAL if name in names] + [name for name in names if name not in USUAL]


def has_osd():
    """Whether Tesseract can find out which way up a page is, and its script."""
    return os.path.exists(f"{DATA}/osd.traineddata")


def choose(languages, script):
    """The languages for a page. Latin letters occur in texts of every script, so their first language is always there."""
    latin = [name for name in languages if name not in OTHER]
    if script is None:
        return languages[:MOST]
    own = [name for name in languages if name in SCRIPTS.get(script, "").split()]
    return (own + latin[:1] if own else latin or languages)[:MOST]
