"""Writing the evaluation file of FEDA's article 10.31."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from tournaments.reports.feda_file import NO_CODE, RATED_HEADING, UNRATED_HEADING
from tournaments.reports.model import ParsedReport, ReportedPlayer, ReportedTotals
from tournaments.reports.text import clean_text
from tournaments.reports.trf_writer import points as decimal

NAME_WIDTH = 20
_TITLES = " Codigo   Apellidos y Nombre   Sx Fed FechaNac Pto Jg Rival"
_RULER = "-------- -------------------- -- --- -------- --- -- -----"
_PLAYED = {"1-0": Fraction(1), "1/2-1/2": Fraction(1, 2), "0-1": Fraction(0)}


def write(report: ParsedReport) -> bytes:
    """The file, CRLF, in UTF-8 (which is ASCII where no name has an accent).

    A report that has games instead of totals gets them from ``totals_of``. Names are cut to the 20
    characters of the format and lose their commas. Rows stand in the order of the totals.
    """
    players = {player.start_number: player for player in report.players}
    totals = report.totals or totals_of(report)
    lines = [RATED_HEADING, "", _TITLES, "", _RULER, ""]
    lines += [_row(players[row.start_number], row) for row in totals if row.rated]
    lines += [UNRATED_HEADING, "", _TITLES, "", _RULER, ""]
    lines += [_row(players[row.start_number], row) for row in totals if not row.rated]
    return "".join(line + "\r\n" for line in lines).encode()


def totals_of(report: ParsedReport) -> tuple[ReportedTotals, ...]:
    """Points, games and average against the rated opponents whom a player has really met.

    By the ratings that the report prints, the national before the FIDE one; averages are rounded, a
    half upwards. Who met no rated opponent has no row, nor has an unrated player without a point (7.1).
    """
    ratings = {
        p.start_number: p.rating if p.national_rating is None else p.national_rating for p in report.players
    }
    met: dict[int, list[tuple[int, Fraction]]] = defaultdict(list)
    for game in report.games:
        if game.black is None or game.result not in _PLAYED:
            continue
        score = _PLAYED[game.result]
        for one, other, points in ((game.white, game.black, score), (game.black, game.white, 1 - score)):
            if (rating := ratings.get(other)) is not None:
                met[one].append((rating, points))
    return tuple(_totals(player.start_number, met, ratings) for player in _with_result(report, met, ratings))


def _with_result(
    report: ParsedReport, met: dict[int, list[tuple[int, Fraction]]], ratings: dict[int, int | None]
) -> Iterator[ReportedPlayer]:
    for player in report.players:
        number = player.start_number
        scored = any(points for _, points in met.get(number, ()))
        if number in met and (scored or ratings[number] is not None):
            yield player


def _totals(
    number: int, met: dict[int, list[tuple[int, Fraction]]], ratings: dict[int, int | None]
) -> ReportedTotals:
    games = met[number]
    total = sum(rating for rating, _ in games)
    average = (2 * total + len(games)) // (2 * len(games))
    scored = sum((points for _, points in games), Fraction(0))
    return ReportedTotals(number, scored, len(games), average, ratings[number] is not None)


def _row(player: ReportedPlayer, row: ReportedTotals) -> str:
    name = clean_text(clean_text(player.name.replace(",", " "))[:NAME_WIDTH])
    code = (player.national_id if player.national_id.isdecimal() else "") or NO_CODE
    birth = player.birth
    born = f"{birth.day:02d}-{birth.month:02d}-{birth.year % 100:02d}" if birth.day else ""
    return (
        f"{code:<8},{name:<20},{player.sex or ' '},{player.region or player.federation:3},{born:8},"
        f"{decimal(row.points):>3},{row.games:>2},{row.average}"
    )
