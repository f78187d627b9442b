"""Writing a report as TRF16."""

from __future__ import annotations

from fractions import Fraction

from tournaments.reports.layout import NAME_WIDTH
from tournaments.reports.model import ParsedReport, ReportedGame, ReportedPlayer
from tournaments.reports.text import clean_text

_CODES = {
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

    Reading it again gives an equal report. Names longer than 33 characters are cut, so that no
    column moves.
    """
    lines = list(_header(report))
    cells: dict[tuple[int, int], str] = {}
    for game in report.games:
        cells.update(_cells(game))
    last = max((round_ for _, round_ in cells), default=0)
    lines += [_player(player, cells, last) for player in report.players]
    if report.rounds_announced:
        lines.append(f"XXR {report.rounds_announced}")
    if report.scoring:
        lines.append("XXS " + " ".join(f"{code}={points(value)}" for code, value in report.scoring))
    return "".join(line.rstrip() + "\r\n" for line in lines)


def points(value: Fraction) -> str:
    """Points in at most four characters where they fit: 2.5, 0.25, 1000."""
    thousandths = value * 1000
    whole, rest = divmod(thousandths.numerator // thousandths.denominator, 1000)
    decimals = f"{rest:03d}".rstrip("0") or "0"
    text = f"{whole}.{decimals}"
    return str(whole) if len(text) > 4 and decimals == "0" else text


def _header(report: ParsedReport):
    yield from _line("012", report.name)
    yield from _line("022", report.city)
    yield from _line("032", report.federation)
    yield from _line("042", f"{report.start:%Y/%m/%d}" if report.start else "")
    yield from _line("052", f"{report.end:%Y/%m/%d}" if report.end else "")
    yield f"062 {len(report.players)}"
    yield from _line("092", report.type_text)
    yield from _line("102", report.chief_arbiter)
    for deputy in report.deputies:
        yield from _line("112", deputy)
    yield from _line("122", report.time_control_text)
    if report.round_dates:
        line = "132".ljust(91)
        for round_, day in sorted(report.round_dates.items()):
            line = line.ljust(91 + 10 * (round_ - 1)) + f"{day:%y/%m/%d}"
        yield line


def _line(tag: str, value: str):
    if text := clean_text(value):
        yield f"{tag} {text}"


def _cells(game: ReportedGame):
    codes = game.codes or _CODES[game.result]
    if game.black is None:
        yield (game.white, game.round), f"0000 - {codes[0]}"
        return
    yield (game.white, game.round), f"{game.black:4d} w {codes[0]}"
    yield (game.black, game.round), f"{game.white:4d} b {codes[1]}"


def _player(player: ReportedPlayer, cells: dict[tuple[int, int], str], last: int) -> str:
    sex = {"m": "m", "f": "w", "": " "}[player.sex]
    birth = player.birth
    birth_text = f"{birth.year:04d}/{birth.month or 0:02d}/{birth.day or 0:02d}" if birth.year else ""
    stated = points(player.points) if player.points is not None else ""
    line = (
        f"001 {player.start_number:4d} {sex}{player.title:>3} {clean_text(player.name)[:NAME_WIDTH]:33}"
        f" {player.rating or '':>4} {player.federation:3} {player.fide_id:>11} {birth_text:10}"
        f" {stated:>4} {player.rank or '':>4}"
    )
    for round_ in range(1, last + 1):
        line += "  " + cells.get((player.start_number, round_), "").ljust(8)
    return line
