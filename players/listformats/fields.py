"""From the texts of a line's fields to a player, or to every fault of the line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from players.listformats.model import (
    MAX_NAME,
    MAX_NUMBER,
    MAX_OTHER_TITLES,
    RATES,
    Fault,
    Faulty,
    ListedPlayer,
    ListRating,
)
from regulations.characters import forbidden

TEXT_FIELDS = (
    "fide_id",
    "name",
    "federation",
    "sex",
    "title",
    "women_title",
    "other_titles",
    "foa_title",
    "birth_year",
    "flag",
)
_RATING_FIELDS = {rate: (f"{rate}_rating", f"{rate}_games", f"{rate}_k") for rate in RATES}
RATING_FIELDS = tuple(name for names in _RATING_FIELDS.values() for name in names)
#: a list of one kind of rating does not name the kind
SINGLE_FIELDS = ("rating", "games", "k")
_LIMITS = {"rating": 4000, "games": 9999, "k": 99}
FIRST_YEAR, LAST_YEAR = 1850, 2100

_number = re.compile(rf"0*([1-9][0-9]{{0,{MAX_NUMBER - 1}}})", re.ASCII).fullmatch
_federation = re.compile(r"[A-Z]{3}|").fullmatch
_title = re.compile(r"[A-Z]{0,5}").fullmatch
_digits = re.compile(r"[0-9]{1,6}", re.ASCII).fullmatch
_SEXES = {"": "", "M": "m", "F": "f", "W": "f"}
_FLAGS = {"": True, "w": True, "i": False, "wi": False, "iw": False}


def build(
    given: Mapping[str, str], line: int, columns: Mapping[str, int], single: str = ""
) -> ListedPlayer | Faulty:
    """The player of a line whose fields are ``given`` by name, without blanks around.

    ``columns`` places the fields for faults; ``single`` says what kind of rating plain ``rating``,
    ``games`` and ``k`` are. A field that the file does not have is not among ``given``.
    """
    get = given.get
    faults: list[Fault] = []

    def fault(field: str, remedy: str, message: str = "") -> None:
        shown = get(field, "")[:40]
        message = message or f"{shown!r} cannot be read."
        faults.append(Fault(line, columns.get(field), field, message, remedy))

    for key, text in given.items():
        if which := forbidden(text):
            fault(key, "Delete it, or type the field again.", f"The control character {which} stands in it.")
    if faults:
        return Faulty(tuple(faults))
    number = _number(get("fide_id", ""))
    if number is None:
        fault("fide_id", "Write the FIDE number in digits; without it nobody can be told apart.")
    name = " ".join(get("name", "").split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        fault("name", f"Write the name (Last, First) in at most {MAX_NAME} printable letters.")
    federation = get("federation", "").upper()
    if not _federation(federation):
        fault("federation", "Write the three-letter code of the federation, or nothing.")
    sex = _SEXES.get(get("sex", "").upper())
    if sex is None:
        fault("sex", "Write M, F or nothing.")
    title, women_title, foa_title = (get(key, "").upper() for key in ("title", "women_title", "foa_title"))
    for key, text in (("title", title), ("women_title", women_title), ("foa_title", foa_title)):
        if not _title(text):
            fault(key, "Write the letters of the title, as GM, or nothing.")
    other = get("other_titles", "")
    if other and (len(other) > MAX_OTHER_TITLES or not other.isprintable()):
        fault("other_titles", f"Write titles such as FI,NA in at most {MAX_OTHER_TITLES} letters.")
    year = _whole(get("birth_year", ""), LAST_YEAR)
    if year is None or 0 < year < FIRST_YEAR:
        fault("birth_year", f"Write the year of birth, {FIRST_YEAR} to {LAST_YEAR}; 0 if unknown.")
    active = _FLAGS.get(get("flag", "").lower()) if "flag" in given else None
    if active is None and "flag" in given:
        fault("flag", "Write i (inactive), w (woman), wi or nothing.")
    ratings = {}
    for rate, names in _RATING_FIELDS.items():
        names = SINGLE_FIELDS if rate == single else names
        ratings[rate] = _rating([get(each, "") for each in names], names, fault)
    if faults:
        return Faulty(tuple(faults))
    return ListedPlayer(
        line,
        number[1],
        name,
        federation,
        sex,
        title,
        women_title,
        other,
        foa_title,
        ratings["standard"],
        ratings["rapid"],
        ratings["blitz"],
        year or None,
        active,
    )


def _rating(texts: list[str], names: tuple[str, ...], fault) -> ListRating | None:
    if not any(texts):
        return None
    values = []
    for text, name in zip(texts, names, strict=True):
        limit = _LIMITS[name.rpartition("_")[2]]
        value = _whole(text, limit)
        if value is None:
            fault(name, f"Write a whole number up to {limit}; 0 if there is none.")
        values.append(value)
    rating, games, k = values
    return ListRating(rating or None, games or 0, k or None)


def _whole(text: str, limit: int) -> int | None:
    """A number up to ``limit``; nothing counts as 0. None if it is no such number."""
    if not text:
        return 0
    if not _digits(text) or (value := int(text)) > limit:
        return None
    return value


def flag_of(player: ListedPlayer) -> str:
    """FIDE's flag: w marks a woman, i an inactive player, wi both; w alone is an active woman."""
    return ("w" if player.sex == "f" else "") + ("i" if player.active is False else "")


def rating_texts(rating: ListRating | None) -> tuple[str, str, str]:
    """Rating, games and K as FIDE writes them: 0 for what is not there, nothing where nothing is said."""
    if rating is None:
        return "", "", ""
    return str(rating.rating or 0), str(rating.games), str(rating.k or 0)
