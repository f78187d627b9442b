"""Cyrillic and Greek in Latin letters, for a font that has only these: as passports spell names, roughly."""

from __future__ import annotations

import re
import unicodedata

_PAIRS = (
    # Cyrillic: Russian, then what Ukrainian, Belarusian, Serbian, Macedonian and Bulgarian have besides
    "а a б b в v г g д d е e ё e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch "
    "ш sh щ shch ы y э e ю iu я ia і i ї i є ie ґ g ў u ђ dj ј j љ lj њ nj ћ c џ dz ѓ g ќ k ѕ dz "
    # Greek
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o"
)
_LATIN = dict(re.findall(r"(\S+) (\S+)", _PAIRS)) | {"ь": "", "ъ": ""}


def latin(letter: str) -> str | None:
    """A letter of these scripts in Latin ones ("" where none stands for it); None for any other."""
    small = letter.lower()
    found = _LATIN.get(small)
    if found is None:
        # An accent (Greek tonos, Cyrillic breve) over a letter that is known.
        found = _LATIN.get(unicodedata.normalize("NFD", small)[:1])
    if found is None:
        return None
    return found.capitalize() if letter != small else found
