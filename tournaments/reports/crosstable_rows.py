"""One row of a crosstable or an entry list, and the player that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.reports.model import ReportedPlayer
from tournaments.reports.playerline import (
    read_birth_field,
    read_federation,
    read_fide_id,
    read_rating,
    read_sex,
    read_title,
)
from tournaments.reports.problems import Problems
from tournaments.reports.scoring import read_points
from tournaments.reports.text import clean_text

_NATIONAL_ID = re.compile(r"[^\W_](?:[\w./-]{0,18}[^\W_])?")
_MAX_REGION = 10


@dataclass(frozen=True, slots=True)
class Row:
    """One row as it stands there: identity fields, then one text per round (or per opponent).

    ``line`` is its row in the file, 0 in a form. ``points`` and ``rank`` are asked for in files only.
    """

    start_number: int
    name: str
    sex: str = ""
    title: str = ""
    rating: str = ""
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    cells: tuple[str, ...] = ()
    points: str = ""
    rank: str = ""
    national_id: str = ""
    national_rating: str = ""
    region: str = ""
    line: int = 0


def row_name(row: Row) -> str:
    return f"row {row.line} ({row.start_number} {clean_text(row.name[:60])})"


def check_national_ids(players: Sequence[ReportedPlayer], problems: Problems) -> None:
    """No national number stands twice."""
    first: dict[str, ReportedPlayer] = {}
    for player in players:
        other = first.setdefault(player.national_id, player)
        if player.national_id and other is not player:
            message = (
                f"National number {player.national_id} stands in row {other.line} ({other.name}) "
                f"and in row {player.line} ({player.name})."
            )
            problems.error("national-id-twice", "national_id", message, line=player.line)


def read_player(row: Row, problems: Problems, name_width: int, *, file: bool) -> ReportedPlayer:
    """The player of a row; every doubt is a finding with the row's line.

    In a ``file`` a text that is no FIDE number is an error, since its column says that it is one.
    """

    def report(severity: str, code: str, field: str, message: str) -> None:
        if file and code == "fide-id-not-fide":
            severity = "error"
        problems.add(severity, code, field, f"{row_name(row)}: {message}", line=row.line)

    name = clean_text(row.name)
    if not name:
        report("error", "name-missing", "name", "The player has no name.")
    elif len(name) > name_width:
        report("warning", "name-too-long", "name", f"The name was cut to {name_width} characters.")
        name = name[:name_width].strip()
    points = read_points(row.points) if row.points.strip() else None
    if points is None and row.points.strip():
        report("error", "points-unreadable", "points", f"Points {row.points[:60]!r} are not a number.")
    rank = row.rank.strip().rstrip(".")
    if rank and not re.fullmatch(r"[0-9]{1,4}", rank):
        report("warning", "rank-unreadable", "rank", f"Rank {rank[:60]!r} is not a number; left out.")
        rank = ""
    national_id = clean_text(row.national_id[:200])
    if national_id and not _NATIONAL_ID.fullmatch(national_id):
        text = f"{national_id[:60]!r} is not a number of up to 20 letters and digits."
        report("error", "national-id", "national_id", text)
        national_id = ""

    def national(severity: str, code: str, field: str, message: str) -> None:
        report(severity, code, "national_rating", message)

    return ReportedPlayer(
        start_number=row.start_number,
        name=name,
        sex=read_sex(row.sex.strip(), report),
        title=read_title(row.title.strip(), report),
        rating=read_rating(row.rating.strip(), report),
        federation=read_federation(row.federation.strip(), report),
        fide_id=read_fide_id(row.fide_id.strip(), report),
        birth=read_birth_field(row.birth.strip(), report),
        points=points,
        rank=(int(rank) or None) if rank else None,
        national_id=national_id,
        national_rating=read_rating(row.national_rating.strip(), national),
        region=clean_text(row.region[:_MAX_REGION]),
        line=row.line,
    )
