"""What a list changes in the register: one player beside one line, nothing stored."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from players.listformats.ascii_names import to_ascii
from players.listformats.model import ListedPlayer
from players.models import TITLES, Player

_DIGRAPHS = str.maketrans(
    dict(zip("äöüøåÄÖÜØÅ", ("ae", "oe", "ue", "oe", "aa", "Ae", "Oe", "Ue", "Oe", "Aa"), strict=True))
)
#: so many letters of a name FIDE's columns hold
_NAME_COLUMN = 60


def same_spelling(name: str, listed: str) -> bool:
    """Is ``listed`` the registered ``name``, in the plain letters and the width that a list can hold?"""
    if name == listed:
        return True
    plain = to_ascii(listed)
    spellings = {to_ascii(name), to_ascii(name.translate(_DIGRAPHS))}
    if plain in spellings and listed == plain:
        return True
    return len(listed) >= _NAME_COLUMN - 1 and any(
        spelling[:_NAME_COLUMN].rstrip() == listed for spelling in spellings
    )


def titles_of(row: ListedPlayer) -> list[str]:
    """The titles of a line that the register knows; others are kept with FIDE's listing only."""
    return [code for code in dict.fromkeys((row.title, row.women_title)) if code in TITLES]


def differences(player: Player, held: Iterable[str], row: ListedPlayer) -> list[tuple[str, str, str]]:
    """Field, old and new value of everything in which a line differs from the register.

    A list changes only what it states. It takes no title away, it does not touch the accents of a
    name that it spells in plain letters, nor day and month of a birth date of the same year.
    """
    found = []
    if not same_spelling(player.name, row.name):
        found.append(("name", player.name, row.name))
    if row.federation and player.federation_id != row.federation:
        found.append(("federation", player.federation_id, row.federation))
    if row.sex and player.sex != row.sex:
        found.append(("sex", player.sex, row.sex))
    if row.birth_year and player.birth_year != row.birth_year:
        found.append(("birth year", str(player.birth_year or ""), str(row.birth_year)))
    held = [code for code in TITLES if code in held]
    if new := [code for code in titles_of(row) if code not in held]:
        found.append(("titles", " ".join(held), " ".join(code for code in TITLES if code in {*held, *new})))
    return found


def take_over(player: Player, row: ListedPlayer) -> None:
    """Make the unsaved ``player`` as the line states; titles apart."""
    if not same_spelling(player.name, row.name):
        player.name = row.name
    player.federation_id = row.federation or player.federation_id
    player.sex = row.sex or player.sex
    if row.birth_year and player.birth_year != row.birth_year:
        player.birth_date = date(row.birth_year, 1, 1)
        player.birth_precision = Player.Precision.YEAR
