"""Writing a report as TRF16, and the lines that TRF26 shares with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from tournaments.reports.layout import NAME_WIDTH
from tournaments.reports.model import ParsedReport, ReportedGame, ReportedPlayer
from tournaments.reports.scoring import Scoring
from tournaments.reports.text import clean_text
from tournaments.reports.trf_national import ID_WIDTH
from tournaments.reports.trf_teams import TEAM_NAME_WIDTH

CODES = {
    "1-0": "10",
    "0-1": "01",
    "1/2-1/2": "==",
    "+/-": "+-",
    "-/+": "-+",
    "=/=": "DD",
    "-/-": "--",
    "bye-1": "F",
    "bye-1/2": "H",
    "bye-0": "Z",
}


def write(report: ParsedReport) -> str:
    """The report as TRF16 text with CRLF, to be encoded as UTF-8.

    Reading it again gives an equal report, teams numbered from 1. Names that are too long are cut,
    so that no column moves.
    """
    lines = [*header(report), *players(report), *national_lines(report)]
    for team in report.teams:
        members = "".join(f"{member:4d} " for member in team.members)
        lines.append(f"013 {clean_text(team.name)[:TEAM_NAME_WIDTH]:32}{members}")
    if report.rounds_announced:
        lines.append(f"XXR {report.rounds_announced}")
    if report.scoring:
        lines.append(xxs(report.scoring))
    return joined(lines)


def joined(lines: Iterable[str]) -> str:
    return "".join(line.rstrip() + "\r\n" for line in lines)


def points(value: Fraction) -> str:
    """Points in at most four characters where they fit: 2.5, 0.25, 1000."""
    thousandths = value * 1000
    whole, rest = divmod(thousandths.numerator // thousandths.denominator, 1000)
    decimals = f"{rest:03d}".rstrip("0") or "0"
    text = f"{whole}.{decimals}"
    return str(whole) if len(text) > 4 and decimals == "0" else text


def xxs(scoring: Iterable[tuple[str, Fraction]]) -> str:
    """Declared points as JaVaFo's line."""
    return "XXS " + " ".join(f"{code}={points(value)}" for code, value in scoring)


def header(report: ParsedReport) -> Iterator[str]:
    """The lines 012 to 132."""
    yield from line("012", report.name)
    yield from line("022", report.city)
    yield from line("032", report.federation)
    yield from line("042", f"{report.start:%Y/%m/%d}" if report.start else "")
    yield from line("052", f"{report.end:%Y/%m/%d}" if report.end else "")
    yield f"062 {len(report.players)}"
    if report.teams:
        yield f"082 {len(report.teams)}"
    yield from line("092", report.type_text)
    yield from line("102", report.chief_arbiter)
    for deputy in report.deputies:
        yield from line("112", deputy)
    yield from line("122", report.time_control_text)
    if report.round_dates:
        dates = "132".ljust(91)
        for round_, day in sorted(report.round_dates.items()):
            dates = dates.ljust(91 + 10 * (round_ - 1)) + f"{day:%y/%m/%d}"
        yield dates


def line(tag: str, value: str) -> Iterator[str]:
    """The line with this value; none for an empty one."""
    if text := clean_text(value):
        yield f"{tag} {text}"


def players(report: ParsedReport) -> Iterator[str]:
    """The player lines with their results, and byes that the points count before their round is paired."""
    cells: dict[tuple[int, int], str] = {}
    for game in report.games:
        cells.update(_cells(game))
    for number, code in coming_byes(report).items():
        cells[number, report.rounds + 1] = f"0000 - {code}"
    last = max((round_ for _, round_ in cells), default=0)
    for player in report.players:
        rounds = (cells.get((player.start_number, round_), "") for round_ in range(1, last + 1))
        yield _player(player) + "".join(f"  {cell:8}" for cell in rounds)


def unexplained(report: ParsedReport) -> dict[int, Fraction]:
    """By how much a player's points differ from what his results are worth, where there are results."""
    if not report.games:
        return {}
    scoring = declared(report)
    last = max((game.round for game in report.games), default=0)
    blank = scoring.values["ZPB"]
    sums = {player.start_number: blank * last for player in report.players}
    for game in report.games:
        codes = game.codes or CODES[game.result]
        if game.black is None:
            sums[game.white] += scoring.points(codes[0], "", False) - blank
        else:
            sums[game.white] += scoring.points(codes[0], "w", True) - blank
            sums[game.black] += scoring.points(codes[1], "b", True) - blank
    return {
        player.start_number: over
        for player in report.players
        if player.points is not None and (over := player.points - sums[player.start_number])
    }


def coming_byes(report: ParsedReport) -> dict[int, str]:
    """H or F for players of an unfinished event whose points count a bye of the next round."""
    if not report.rounds or report.rounds >= (report.rounds_announced or 0):
        return {}
    values = declared(report).values
    worth = {values["FPB"]: "F", values["HPB"]: "H"}
    return {number: worth[over] for number, over in unexplained(report).items() if over in worth}


def declared(report: ParsedReport) -> Scoring:
    """The scoring of the report."""
    scoring = Scoring()
    for code, value in report.scoring:
        scoring.set(code, value)
    return scoring


def national_lines(report: ParsedReport) -> Iterator[str]:
    """What the players have of a federation; a number that does not fit its columns is left out."""
    for player in report.players:
        tag = player.national_federation or report.federation or player.federation
        number = player.national_id if len(player.national_id) <= ID_WIDTH else ""
        region = clean_text(player.region)[:3]
        if tag and (number or region or player.national_rating):
            yield (
                f"{tag} {player.start_number:4d} {_sex(player)}    {_name(player):33}"
                f" {player.national_rating or '':>4} {region:3} {number:>11}"
            )


def _cells(game: ReportedGame) -> Iterator[tuple[tuple[int, int], str]]:
    codes = game.codes or CODES[game.result]
    if game.black is None:
        yield (game.white, game.round), f"0000 - {codes[0]}"
        return
    yield (game.white, game.round), f"{game.black:4d} w {codes[0]}"
    yield (game.black, game.round), f"{game.white:4d} b {codes[1]}"


def _player(player: ReportedPlayer) -> str:
    birth = player.birth
    birth_text = f"{birth.year:04d}/{birth.month or 0:02d}/{birth.day or 0:02d}" if birth.year else ""
    stated = points(player.points) if player.points is not None else ""
    return (
        f"001 {player.start_number:4d} {_sex(player)}{player.title:>3} {_name(player):33}"
        f" {player.rating or '':>4} {player.federation:3} {player.fide_id:>11} {birth_text:10}"
        f" {stated:>4} {player.rank or '':>4}"
    )


def _sex(player: ReportedPlayer) -> str:
    return {"m": "m", "f": "w", "": " "}[player.sex]


def _name(player: ReportedPlayer) -> str:
    return clean_text(player.name)[:NAME_WIDTH]
