"""Writing a report as TRF26."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments import timecontrols
from tournaments.reports import trf_writer as common
from tournaments.reports.model import ParsedReport
from tournaments.reports.scoring import Scoring
from tournaments.reports.text import clean_text
from tournaments.reports.trf_teams import TEAM_NAME_WIDTH

_BYES = "FHZ"
_IN_A_LINE = 20
#: What stands in the columns of a player line: a comment, by which TRF26 is known from TRF16.
_GUIDE = f"### SSSS sTTT {'N' * 33} RRRR FFF {'I' * 11} BBBB/BB/BB PPPP RRRR  1111 1 1"


def write(report: ParsedReport) -> str:
    """The report as TRF26 text with CRLF, to be encoded as UTF-8.

    Reading it again gives an equal report. Names that are too long are cut, so that no column moves.
    Points that no result explains become records 299, in an individual event.
    """
    national = list(common.national_lines(report))
    lines = [*common.header(report)]
    if report.rounds_announced:
        lines.append(f"142 {report.rounds_announced}")
    lines += _scoring(report)
    if national:
        lines.append(f"172 {_main_federation(report)} OTHER")
    lines += common.line("222", _coded_time(report.time_control_text))
    lines += [_GUIDE, *common.players(report), *national]
    for team in report.teams:
        members = "".join(f" {member:4d}" for member in team.members)
        lines.append(f"310 {team.number:3d} {clean_text(team.name)[:TEAM_NAME_WIDTH]:63} {members}")
    if not report.teams:
        lines += [*_byes(report), *_abnormal(report)]
    return common.joined(lines)


def _coded_time(text: str) -> str:
    """The time control as record 222 has it; "" for a text that is not understood."""
    clock = timecontrols.parse(text).clock if text else None
    coded = timecontrols.code(clock) if clock and clock.white else ""
    return coded if timecontrols.read_code(coded).clock == clock else ""


def _main_federation(report: ParsedReport) -> str:
    """The federation of the national lines: the event's when they have it, else the first one's."""
    rated = [p for p in report.players if p.national_id or p.region or p.national_rating]
    tags = [tag for p in rated if (tag := p.national_federation or report.federation or p.federation)]
    return report.federation if report.federation in tags or not tags else tags[0]


def _scoring(report: ParsedReport) -> Iterator[str]:
    """Record 162, and JaVaFo's XXS for what its letters cannot say."""
    if not report.scoring:
        return
    wanted = common.declared(report)
    letters = {"W": "WW", "D": "WD", "L": "WL", "A": "ZPB", "P": "PAB"}
    pairs = [(letter, common.points(wanted.values[code])) for letter, code in letters.items()]
    record = "".join(f" {letter}{value:>4}   " for letter, value in pairs if len(value) <= 4).rstrip()
    written = Scoring()
    written.read_162(record)
    yield f"162 {record}"
    rest = [(code, value) for code, value in wanted.values.items() if written.values[code] != value]
    if rest:
        yield common.xxs(rest)


def _byes(report: ParsedReport) -> Iterator[str]:
    """Record 240 for each kind of bye in each round."""
    found: dict[tuple[int, str], list[int]] = {}
    for game in report.games:
        kind = game.codes or {"bye-1": "F", "bye-1/2": "H", "bye-0": "Z"}.get(game.result, "")
        if game.black is None and kind in _BYES:
            found.setdefault((game.round, kind), []).append(game.white)
    for (round_, kind), numbers in sorted(found.items()):
        for at in range(0, len(numbers), _IN_A_LINE):
            yield f"240 {kind} {round_:3d}" + "".join(f" {n:4d}" for n in numbers[at : at + _IN_A_LINE])


def _abnormal(report: ParsedReport) -> Iterator[str]:
    """Record 299 for each player whose points are not the sum of his results."""
    coming = common.coming_byes(report)
    for number, over in common.unexplained(report).items():
        text = ("-" if over < 0 else "") + common.points(abs(over))
        if number not in coming and len(text) <= 5:
            yield f"299{'':9}{text:>5}{'':6}{number:4d}"
