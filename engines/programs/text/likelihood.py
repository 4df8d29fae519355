"""How likely bytes are in each character set: `likelihood.ts` in Python, with the same tables and costs."""

import functools
import json
import os
import re
import unicodedata
from collections import Counter

INVALID, SYMBOL, DRAWING, LETTER, SCRIPT, CAPITAL, UPPER, MIXED = 18, 12.5, 14, 13, 16, 4, 0.3, 12
WIDE, WIDE_RARE, WIDE_KANA, WIDE_HALF, WIDE_OTHER, WIDE_INVALID, GLUED, NEXT = 1, 13.5, 12, 11, 16, 25, 6, 2
PAIR, FOREIGN, MOST = 0.35, 0.08, 25
WIDE_LETTER = re.compile("[\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]")


def likeliest(content, kind):
    """The codec of bytes that are not UTF-8, of a `text` or a `name`."""
    sets, models, wides = tables()
    counts = Counter(zip(b" " + content, content + b" "))
    high = [(a, b, count) for (a, b), count in counts.most_common() if a | b > 127]
    plain = plain_costs([(a, b, count) for (a, b), count in counts.items() if a | b < 128], models)
    best, least = "cp1252", float("inf")
    for facts in sets:
        text = "" if "high" in facts else content.decode(facts["codec"], "replace")
        letters = [Letter(one) for one in map(chr, range(128))] + [Letter(one) for one in facts.get("high", "")]
        for language in facts["languages"]:
            start = facts[kind] + plain.get(language, plain[""])
            if text:
                cost = wide_cost(text, wides[language], start, least)
            else:
                cost = narrow_cost(letters, models[language], high, start, least)
            if cost < least:
                best, least = facts["codec"], cost
    return best


@functools.cache
def tables():
    """The sets, the models of the languages, and the costs of East Asian characters, as in `letters.ts`."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "letters.json"), encoding="utf8") as file:
        data = json.load(file)
    models = {name: Model(**language) for name, language in data["languages"].items()}
    wides = {
        name: {one: int(cost) / 2 for cost, characters in levels.items() for one in characters}
        for name, levels in data["characters"].items()
    }
    return list(data["sets"].values()), models, wides


class Model:
    """The letters of a language, and the costs of each after each other."""

    def __init__(self, letters, costs):
        self.index = {letter: at for at, letter in enumerate(letters)}
        self.table, self.size = costs.encode(), len(self.index)
        self.latin = not re.search("[\u0370-\u0eff]", letters)


class Letter:
    """What a score needs to know about a character."""

    __slots__ = ("kind", "letter", "upper", "unknown")
    known = {}

    def __new__(cls, character):
        if character in cls.known:
            return cls.known[character]
        self = cls.known[character] = super().__new__(cls)
        lower = character.lower() if len(character.lower()) == 1 else character
        self.kind = lower if character > "\x7f" or "a" <= lower <= "z" else "0" if "0" <= lower <= "9" else " "
        self.letter = unicodedata.category(character)[0] in "LM"
        self.upper = character > "@" and character != self.kind
        if character == "\ufffd":
            self.unknown = (INVALID, INVALID)
        elif self.letter:
            self.unknown = (LETTER, SCRIPT if character > "\u024f" else LETTER)
        else:
            self.unknown = (DRAWING if "\u2500" <= character < "\u2600" else SYMBOL,) * 2
        return self


def plain_costs(pairs, models):
    """What the ASCII letters cost in each language with Latin letters, and, under "", in others."""
    kinds = [Letter(chr(code)).kind for code in range(128)]
    words = [(a, b, count) for a, b, count in pairs if kinds[a] > "9" or kinds[b] > "9"]
    costs = {}
    for name, model in models.items():
        if model.latin:
            at = [model.index[kind] for kind in kinds]
            costs[name] = sum(count * (model.table[at[a] * model.size + at[b]] - 48) for a, b, count in words) / 4
    least = min(costs.values())
    costs = {name: min(PAIR * (cost - least), MOST) for name, cost in costs.items()}
    return {**costs, "": min(FOREIGN * sum(count for _, b, count in words if kinds[b] > "9"), MOST)}


def narrow_cost(letters, model, pairs, cost, most):
    at = [model.index.get(letter.kind, -1) for letter in letters]
    for a, b, count in pairs:
        one, other = letters[a], letters[b]
        place = at[b]
        step = other.unknown[model.latin] if place < 0 else (model.table[max(at[a], 0) * model.size + place] - 48) / 4
        if one.letter and other.letter:
            if other.upper and not one.upper:
                step += CAPITAL
            if not model.latin and (a < 128 or b < 128):
                step += MIXED
        cost += (step + UPPER if other.upper else step) * count
        if cost > most:
            break
    return cost


def wide_cost(text, known, cost, most):
    before = " "
    for character in text:
        if character > "\x7f":
            cost += known[character] + WIDE if character in known else rare_cost(character)
            if before.isascii() and before.isalpha():
                cost += GLUED
        elif before > "\x7f":
            cost += GLUED if character.isalpha() else NEXT
        if cost > most:
            break
        before = character
    return cost


def rare_cost(character):
    if character == "\ufffd":
        return WIDE_INVALID
    if WIDE_LETTER.match(character):
        return WIDE_RARE
    if "\uff61" <= character <= "\uff9f":
        return WIDE_HALF
    return WIDE_KANA if "\u3000" <= character <= "\u30ff" or "\uff01" <= character <= "\uff5e" else WIDE_OTHER
