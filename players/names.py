"""Comparing names as people and programs write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

_LETTERS = str.maketrans(
    {"ø": "o", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
_PARTICLES = {"dr", "prof"}
#: the length of the columns that keep a key
KEY_LENGTH = 240
#: how much of two words has to agree for one to be meant by the other
NEAR = 0.7

# Cyrillic letters in one of the usual Latin spellings; ``_loose`` brings the other spellings to it.
_CYRILLIC = str.maketrans(
    dict(zip("абвгґдеєзиіїклмнопрстуфхыэў", "abvggdeeziiiklmnoprstufhieu", strict=True))
    | {"ж": "zh", "ц": "c", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "iu", "я": "ia", "ј": "i"}
    | {"љ": "li", "њ": "ni", "ћ": "c", "ђ": "d", "џ": "dzh", "ъ": "", "ь": "", "ʹ": "", "'": ""}
)
# Greek letters as passports write them (ELOT 743).
_GREEK = str.maketrans(
    dict(zip("αβγδεζηικλμνξοπρστυφω", "avgdeziiklmnxoprstyfo", strict=True))
    | {"θ": "th", "χ": "ch", "ψ": "ps"}
)
_GREEK_PAIRS = [("ου", "ou"), ("αυ", "av"), ("ευ", "ev"), ("γγ", "ng"), ("γξ", "nx"), ("γχ", "nch")]
#: different spellings of one sound, brought to one of them, in this order
_SPELLINGS = [
    (re.compile("[yj]"), "i"),
    (re.compile("w"), "v"),
    (re.compile("ph"), "f"),
    (re.compile("kh"), "h"),
    (re.compile("t[sz]"), "c"),
    (re.compile("ks"), "x"),
    (re.compile("([aou])e+"), r"\1"),
    (re.compile(r"(.)\1+"), r"\1"),
]


@lru_cache(1024)
def _words(name: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKD", name).casefold().translate(_LETTERS)
    plain = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return tuple(word for word in re.findall(r"[^\W\d_]+", plain) if word not in _PARTICLES)


def name_parts(name: str) -> frozenset[str]:
    """The words of a name without case, accents, order, initials' dots or academic titles."""
    return frozenset(_words(name))


def same_name(one: str, other: str) -> bool:
    return name_parts(one) == name_parts(other)


def compatible_names(one: str, other: str) -> bool:
    """Could both be one person: is every word of one a word, or the initial of one, of the other?"""
    return _compatible(name_parts(one), name_parts(other))


def _compatible(parts: frozenset[str], others: frozenset[str]) -> bool:
    return _within(parts, others) or _within(others, parts)


def abbreviates(short: str, name: str) -> bool:
    """Is this the name with words cut or contracted, as "MEDINA CARRASCO Ant." or "RIOS Rdo"? One word at
    least stands in full, and each other begins a word and goes on with letters of it, in their order."""
    words = name_parts(name)
    cut = name_parts(short) - words
    whole = name_parts(short) & words
    return bool(whole) and all(any(_contracts(one, word) for word in words - whole) for one in cut)


def _contracts(short: str, word: str) -> bool:
    letters = iter(word)
    return short[:1] == word[:1] and all(letter in letters for letter in short)


def _within(short: frozenset[str], long: frozenset[str]) -> bool:
    return bool(short) and all(
        word in long or (len(word) == 1 and any(other.startswith(word) for other in long)) for word in short
    )


def name_key(name: str) -> str:
    """The words of a name as one text to index and search: folded, sorted, separated by blanks."""
    return " ".join(sorted(name_parts(name)))[:KEY_LENGTH]


# --- spelled otherwise ------------------------------------------------------------------------------


@lru_cache(100_000)  # imports meet the same words again and again
def _loose(word: str) -> str:
    for pair, latin in _GREEK_PAIRS:
        word = word.replace(pair, latin)
    word = re.sub("^μπ", "b", word).translate(_GREEK).translate(_CYRILLIC)
    for pattern, spelling in _SPELLINGS:
        word = pattern.sub(spelling, word)
    return word


def loose_parts(name: str) -> frozenset[str]:
    """The words of a name in one spelling of their sounds: ü, ue and u are one, so are ø, oe and o,
    å and aa, ß and ss, j and y, and Cyrillic and Greek letters and their Latin ones."""
    return frozenset(filter(None, map(_loose, _words(name))))


def loose_key(name: str) -> str:
    """``name_key`` of the sounds: equal for the spellings of one name in other alphabets and programs."""
    return " ".join(sorted(loose_parts(name)))[:KEY_LENGTH]


def spellings(text: str) -> list[tuple[str, ...]]:
    """Each word of a text as somebody looks for it: as it is written, and in the one spelling of its
    sounds where that is another."""
    return [tuple(dict.fromkeys(filter(None, (word, _loose(word))))) for word in _words(text)]


def family_name(name: str) -> str:
    """What stands before the comma; the whole name where there is none."""
    return name.partition(",")[0]


def family_parts(name: str) -> frozenset[str]:
    return loose_parts(family_name(name))


def _family_and_given(name: str) -> list[tuple[str, str]]:
    """First word of the family name and of the given name, in every way in which the name can be meant."""
    family, comma, given = name.partition(",")
    first, last = ([loose for word in _words(part) if (loose := _loose(word))] for part in (family, given))
    if comma and first and last:
        return [(first[0], last[0]), (last[0], first[0])]
    words = first or last
    if len(words) > 1:
        return [(words[0], words[-1]), (words[-1], words[0])]
    return [(words[0], "")] if words else []


def stem_keys(name: str) -> tuple[str, ...]:
    """First word of the family name and first letter of the given name ("perez j"), in every way in
    which the name can be meant; the first is the one that the register indexes."""
    pairs = _family_and_given(name)
    return tuple(dict.fromkeys(f"{one} {other[:1]}".strip()[:KEY_LENGTH] for one, other in pairs))


def given_keys(name: str) -> tuple[str, ...]:
    """First word of the given name and two letters of the family name ("juan pe"), as in ``stem_keys``."""
    pairs = [(one, other) for one, other in _family_and_given(name) if other]
    return tuple(dict.fromkeys(f"{other} {one[:2]}"[:KEY_LENGTH] for one, other in pairs))


def keys_of(name: str) -> dict[str, str]:
    """Every key that the register keeps of a name, by the name of its column."""
    stems, given = stem_keys(name), given_keys(name)
    return {
        "name_key": name_key(name),
        "loose_key": loose_key(name),
        "stem_key": stems[0] if stems else "",
        "given_key": given[0] if given else "",
    }


def likeness(one: str, other: str) -> str:
    """How two names are alike: "same", "spelled" (other letters for the same sounds), "short" (initials,
    or words left out), "close" (a slip of the pen), or "" (not)."""
    if same_name(one, other):
        return "same" if name_parts(one) else ""
    parts, others = loose_parts(one), loose_parts(other)
    if not parts or not others:
        return ""
    if parts == others:
        return "spelled"
    if _compatible(name_parts(one), name_parts(other)) or _compatible(parts, others):
        return "short"
    return "close" if _close(" ".join(sorted(parts)), " ".join(sorted(others))) else ""


def alike_keys(one: str, other: str) -> bool:
    """Can two names be alike in any way, by their loose keys? Quick, and rather yes than no: what
    differs is one place of at most three letters, or one is a shorter form."""
    start, least = 0, min(len(one), len(other))
    while start < least and one[start] == other[start]:
        start += 1
    end = 0
    while end < least - start and one[-1 - end] == other[-1 - end]:
        end += 1
    if max(len(one), len(other)) - start - end <= 3:
        return True
    return _compatible(frozenset(one.split()), frozenset(other.split()))


def nearness(wanted: Iterable[str], words: Iterable[str]) -> float:
    """How near a name's words come to the wanted ones, both in loose spelling: 1 for equal words, 0 where
    one of the wanted has nothing like it. Left out words of the name do not count."""
    words, total, count = list(words), 0.0, 0
    for word in wanted:
        best = max((_ratio(word, other) for other in words), default=0)
        if best < NEAR:
            return 0
        total, count = total + best, count + 1
    return total / count if count else 0


def _ratio(one: str, other: str) -> float:
    """How alike a wanted word is to one of a name; a word only begun is nearly right."""
    if other.startswith(one):
        return 1 if one == other else 0.95
    match = SequenceMatcher(None, one, other, autojunk=False)
    return match.ratio() if match.real_quick_ratio() >= NEAR and match.quick_ratio() >= NEAR else 0


def _close(one: str, other: str) -> bool:
    match = SequenceMatcher(None, one, other, autojunk=False)
    return match.real_quick_ratio() >= 0.86 and match.quick_ratio() >= 0.86 and match.ratio() >= 0.86
