"""A report that was sent, as rows to be typed on: a returned one is corrected, not typed again."""

from __future__ import annotations

from collections import defaultdict

from tournaments.models import Report
from tournaments.reports import boards, formats
from tournaments.reports.model import ReportedGame

_LETTERS = {
    "1-0": "1",
    "0-1": "0",
    "1/2-1/2": "=",
    "+/-": "+",
    "-/+": "-",
    "=/=": "D",
    "-/-": "--",
    "bye-1": "F",
    "bye-1/2": "H",
    "bye-0": "Z",
}


def rows(report: Report) -> tuple[list[list[str]], dict[str, list[list[str]]]]:
    """The players' rows and the boards by round of a report in any format."""
    tournament = report.tournament
    parsed = formats.parse(bytes(report.content), report.filename, tournament.start)
    entries = tournament.entries.select_related("player").prefetch_related("player__identifiers")
    # Whom the sender chose for a doubtful row stands in the entries only.
    known = {
        entry.start_number: entry.player.fide_id or entry.player.number_of(tournament.federation_id)
        for entry in entries
    }
    players = []
    for player in parsed.players:
        number = known.get(player.start_number) or player.fide_id or player.national_id
        players.append([str(player.start_number), number, "" if number else player.name])
    games: dict[str, list[list[str]]] = defaultdict(list)
    for game in sorted(parsed.games, key=lambda game: game.black is None):
        black = "" if game.black is None else str(game.black)
        games[str(game.round)].append([str(game.white), result(game), black])
    return players, dict(games)


def result(game: ReportedGame) -> str:
    """A result as it is typed: the report's own letters where they can be typed."""
    codes = game.codes if game.black is not None or game.codes in boards.BYES else ""
    for text in (codes[:1], codes):
        try:
            if text and "".join(boards.parse_result(text)) == codes:
                return text
        except ValueError:
            continue
    return _LETTERS[game.result]
