"""The games of a report file, read from the archive again, against those that a computation used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date

from ratinglists import archive
from tournaments.reports import formats


class Reported:
    """A counted tournament as its report file tells it, in the terms of the calculator's request."""

    def __init__(self, source: dict) -> None:
        self.source = source
        self.name, self.players = source["name"], source["players"]
        report = source["report"]
        content = b"".join(archive.read(report["sha256"]))
        parsed = formats.parse(content, report["filename"], date.fromisoformat(source["start"]))
        elsewhere = {(number, white) for number, white, _ in source["counted_elsewhere"]}
        self.finished = {(number, white): day for number, white, day in source["finished"]}
        games = [self._game(game) for game in parsed.games]
        self.games = [game for game in games if (game["round"], game["white"]) not in elsewhere]
        self.totals = [self._totals(row) for row in parsed.totals]

    def _player(self, number: int | None) -> str | None:
        return None if number is None else self.players.get(str(number), f"number {number} of the report")

    def _game(self, game) -> dict:
        found = {
            "round": game.round,
            "white": self._player(game.white),
            "black": self._player(game.black),
            "result": game.result,
        }
        if (phase := self.source["phases"].get(str(game.round), 1)) != 1:
            found["phase"] = phase
        if self.source["goes_on"]:
            received = self.source["report"]["received_on"]
            if day := self.finished.get((game.round, found["white"]), received):
                found["finished_on"] = day
        return found

    def _totals(self, row) -> dict:
        return {
            "player": self._player(row.start_number),
            "points": str(row.points),
            "games": row.games,
            "average": row.average,
        }

    def told(self, game: dict) -> str:
        """A game in words, by start numbers."""
        numbers = {player: number for number, player in self.players.items()}
        white, black = (numbers.get(game[side], game[side]) for side in ("white", "black"))
        board = f"number {white}" if black is None else f"number {white} against {black}"
        return f"round {game['round']}, {board}: {game['result']}"


def compare(reported: Reported, parts: list[dict]) -> Iterator[str]:
    """What the events of a computation have that the report does not say, and the other way round."""
    source = reported.source
    for part in parts:
        fields = part["event"]
        for name in ("start", "end"):
            if fields.get(name) != source[name]:
                yield f"{reported.name}: the computation has it {name} on {fields.get(name)}"
        for name in ("flags", "authorizations"):
            if fields.get(name, []) != source[name]:
                yield f"{reported.name}: the computation has other {name} than were registered"
        known = set(source["players"].values())
        for player in part["players"]:
            if player["id"] not in known:
                yield f"{reported.name}: player {player['id']} of the computation is not in the report"
    used = Counter(_key(game) for part in parts for game in part["games"])
    said = Counter(_key(game) for game in reported.games)
    file = f"its report “{source['report']['filename']}”"
    for game in sorted((used - said).elements(), key=str):
        yield f"{reported.name}, {reported.told(dict(game))} was counted, and {file} does not say so"
    for game in sorted((said - used).elements(), key=str):
        yield f"{reported.name}, {reported.told(dict(game))} stands in {file} and was not counted"
    totals = [row for part in parts for row in part.get("totals", ())]
    if Counter(_row(row) for row in totals) != Counter(_row(row) for row in reported.totals):
        yield f"{reported.name}: the totals that were counted are not those of {file}"


def _key(game: dict) -> tuple:
    return tuple(sorted(game.items()))


def _row(row: dict) -> tuple:
    return tuple(sorted((name, str(value)) for name, value in row.items()))
