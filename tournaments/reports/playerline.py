"""The fields of a player line: what each can hold and what is made of it."""

from __future__ import annotations

import re
from collections.abc import Callable

from tournaments.reports.dates import read_birth
from tournaments.reports.layout import NAME_WIDTH, Fields
from tournaments.reports.model import Birth, ReportedPlayer
from tournaments.reports.scoring import read_points
from tournaments.reports.text import clean_text

TITLES = ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")
_TITLES = {title: title for title in TITLES} | {
    "G": "GM",
    "M": "IM",
    "F": "FM",
    "C": "CM",
    "WG": "WGM",
    "WM": "WIM",
    "WF": "WFM",
    "WC": "WCM",
    "GF": "WGM",
    "MF": "WIM",
    "FF": "WFM",
    "CF": "WCM",
}
_SEXES = {"M": "m", "W": "f", "F": "f", "": "", "U": ""}

#: Reports one finding: severity, code, field, message.
Report = Callable[[str, str, str, str], None]


def read_sex(text: str, report: Report) -> str:
    """One of "m", "f" and "" from m, w or f in any case; u and blank mean not stated."""
    sex = _SEXES.get(text.upper())
    if sex is None:
        report("warning", "sex-unknown", "sex", f"Sex {text!r} is not m or w; left open.")
        return ""
    return sex


def read_title(text: str, report: Report) -> str:
    """The title in the letters of today (TRF06 wrote g m f c wg wm wf wc or gf mf ff cf)."""
    if not text:
        return ""
    title = _TITLES.get(text.upper(), "")
    if not title:
        report("warning", "title-unknown", "title", f"Title {text!r} is not known; left out.")
    return title


def read_sex_and_title(sex: str, title: str, report: Report) -> tuple[str, str]:
    """Both fields of columns 10-13, also for a title that begins one column too early."""
    joined = (sex + title).upper()
    if len(sex) == len(title) == 1 and joined in ("GM", "IM", "CM"):
        report("warning", "title-unknown", "title", f"Title {joined} begins in column 10; read as {joined}.")
        return "", joined
    if sex + title == "FM":  # a woman with the IM title, or an FM one column too early
        report("warning", "title-unknown", "title", "FM in columns 10-11 could be sex or title; left out.")
        return "", ""
    return read_sex(sex, report), read_title(title, report)


def read_rating(text: str, report: Report) -> int | None:
    """The nominal rating; blank and zero mean none."""
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,4}", text):
        report("error", "rating-unreadable", "rating", f"Rating {text!r} is not a number of 1 to 4 digits.")
        return None
    return int(text) or None


def read_federation(text: str, report: Report) -> str:
    """A three-letter code; club codes and the like are left out."""
    code = text.upper()
    if not code or re.fullmatch(r"[A-Z]{3}", code):
        return code
    report("warning", "player-federation", "federation", f"{text!r} is not a federation code; left out.")
    return ""


def read_fide_id(text: str, report: Report) -> str:
    """The FIDE number as bare digits, or "" for none.

    Quotes and leading zeros are cleaned with a notice. Anything else that is not 6 to 9 digits
    (national licences, dates) is no FIDE number: digits are never picked out of it.
    """
    bare = text.strip("'\"` ").strip()
    if re.fullmatch(r"0*", bare):
        return ""
    digits = bare.lstrip("0")
    if not re.fullmatch(r"[0-9]{6,9}", digits):
        message = f"{text!r} is not a FIDE number; the player has to be matched by hand."
        report("warning", "fide-id-not-fide", "fide_id", message)
        return ""
    if digits != text:
        report("warning", "fide-id-cleaned", "fide_id", f"FIDE number {text!r} was read as {digits}.")
    return digits


def read_birth_field(text: str, report: Report) -> Birth:
    """The known parts of the birth date."""
    birth, understood = read_birth(text)
    if not understood:
        known = "-".join(str(part) for part in birth if part) or "nothing"
        report("warning", "birth-unreadable", "birth", f"Birth date {text!r}: {known} could be read.")
    elif re.fullmatch(r"[0-9]{6}", text):
        report("warning", "birth-unreadable", "birth", f"Birth date {text!r} was read as {birth.year}.")
    return birth


def read_player(start_number: int, fields: Fields, line: int, report: Report) -> ReportedPlayer:
    """A player from the fields of his line; every doubt goes to ``report``."""
    name = clean_text(fields.name)
    if not name:
        report("error", "name-missing", "name", "The player has no name.")
    elif len(name) > NAME_WIDTH:
        message = f"The name {name!r} has {len(name)} characters; {NAME_WIDTH} fit."
        report("warning", "name-too-long", "name", message)
    elif fields.shift:
        side = "to the left" if fields.shift < 0 else "to the right"
        message = f"The fields after the name stand {abs(fields.shift)} columns too far {side}."
        report("warning", "columns-shifted", "name", message)
    points = read_points(fields.points) if fields.points else None
    if fields.points and points is None:
        report("error", "points-unreadable", "points", f"Points {fields.points!r} are not a number.")
    rank = None
    if re.fullmatch(r"[0-9]{1,4}", fields.rank):
        rank = int(fields.rank) or None
    elif fields.rank:
        report("warning", "rank-unreadable", "rank", f"Rank {fields.rank!r} is not a number; left out.")
    sex, title = fields.sex, fields.title
    if fields.title_adjacent:
        sex, title = read_sex_and_title(sex, title, report)
    else:
        sex, title = read_sex(sex, report), read_title(title, report)
    return ReportedPlayer(
        start_number=start_number,
        name=name,
        sex=sex,
        title=title,
        rating=read_rating(fields.rating, report),
        federation=read_federation(fields.federation, report),
        fide_id=read_fide_id(fields.fide_id, report),
        birth=read_birth_field(fields.birth, report),
        points=points,
        rank=rank,
        line=line,
    )
