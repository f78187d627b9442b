"""What a report would change, in the words of the arbiter's pages. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from players.models import Player
from regulations.base import Parameter, Regulation
from regulations.exact import show
from regulations.model import EventPlayer, EventResult, PlayerResult
from tournaments import outlook
from tournaments.exact import exact, signed
from tournaments.findings import Shown
from tournaments.intake import Reading
from tournaments.models import Tournament
from tournaments.queries import EventPart, stored_event_parts
from tournaments.ratings import Effect, effect_on_list


@dataclass(frozen=True, slots=True)
class Reported:
    """A player of the report: the register's person and what the report printed of him."""

    number: int
    player: Player
    rating: int | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game that does not count for a player, and why."""

    round: int
    opponent: str
    article: str
    reason: str


@dataclass(frozen=True, slots=True)
class Line:
    """One player's outcome, figures as text."""

    reported: Reported
    rating: int | None
    standard_rating: int | None
    rated_since_event: bool
    provisional: bool
    begins_with: Parameter | None
    status: str
    games: int
    score: str
    rc: str
    performance: str
    expected: str
    k: str
    change: str
    pooled: bool | None
    left_out: tuple[LeftOut, ...]
    effect: Effect | None

    @property
    def counts(self) -> str:
        """How the player counts for his opponents and himself."""
        if self.provisional:
            return "provisional" if self.rating is None else f"provisional {self.rating}"
        if self.begins_with is not None:
            return f"no rating yet: begins with {self.begins_with.value} ({self.begins_with.article})"
        if self.rating is not None and self.rated_since_event:
            return f"rated {self.rating} since the event, unrated for opponents"
        if self.rating is not None:
            return f"rated {self.rating}"
        if self.standard_rating is not None:
            return f"unrated (standard {self.standard_rating})"
        return "unrated"

    @property
    def nominal(self) -> int | None:
        """The report's rating where it is not the one in force."""
        used = self.rating if self.rating is not None else self.standard_rating
        return self.reported.rating if self.reported.rating and self.reported.rating != used else None


@dataclass(frozen=True, slots=True)
class Part:
    """One event as the regulation rates it (a long league is cut into several)."""

    rated: bool
    treated_as: str
    as_registered: bool
    goes_on: bool
    ratings_from: date | None
    ra: str
    findings: tuple[Shown, ...]
    lines: list[Line] = field(default_factory=list)

    @property
    def games(self) -> int:
        return sum(line.games for line in self.lines)


def of_reading(reading: Reading) -> list[Part]:
    """The outcome of a report that is not stored."""
    rows = {row.start_number: row for row in reading.parsed.players}
    people = {
        str(player.pk): Reported(number, player, rows[number].rating or None)
        for number, player in reading.players.items()
    }
    effects = _effects(reading.tournament, reading.received, reading.parts)
    return [_part(reading.tournament, part, result, people, effects) for part, result in reading.parts]


def _effects(tournament: Tournament, received: date, parts) -> Mapping[int, Effect]:
    """What these parts alone make of the first list that a report received on this day can come into."""
    found = outlook.of_receipt(tournament, received)
    if found is None or found.list_date is None:
        return {}
    return effect_on_list(tournament, found.list_date, parts)


def of_stored(tournament: Tournament) -> list[Part]:
    """The outcome of the report that is stored, with the lists as they are now."""
    people = {
        str(entry.player_id): Reported(entry.start_number or 0, entry.player, entry.reported_rating)
        for entry in tournament.entries.select_related("player")
    }
    if tournament.regulation is None:
        return []
    rate = tournament.regulation.rate
    parts = [(p, rate(p.event)) for p in stored_event_parts(tournament, on=tournament.rating_system.today())]
    latest = tournament.reports.defer("content").first()
    received = latest.received_on if latest else tournament.rating_system.today()
    effects = _effects(tournament, received, parts)
    return [_part(tournament, part, result, people, effects) for part, result in parts]


def start_rating(regulation: Regulation | None) -> Parameter | None:
    """The rating with which a newcomer begins where games count as they are finished (FECAP, General 2)."""
    if regulation is None or not regulation.counts_finished_games:
        return None
    return regulation.parameters.get("start")


def _part(
    tournament: Tournament,
    part: EventPart,
    result: EventResult,
    people: Mapping[str, Reported],
    effects: Mapping[int, Effect],
) -> Part:
    given = {player.id: player for player in part.event.players}
    start = start_rating(tournament.regulation)
    lines = [
        _line(people, player, given[player.id], start, effects.get(int(player.id)))
        for player in result.players
    ]
    lines.sort(key=lambda line: line.reported.number)
    return Part(
        result.rated,
        result.treated_as.replace("-", " "),
        result.treated_as == tournament.system,
        tournament.regulation.counts_finished_games,
        part.list_date,
        exact(result.ra),
        tuple(Shown(found, found.authorization in part.event.authorizations) for found in result.findings),
        lines,
    )


def _line(
    people: Mapping[str, Reported],
    player: PlayerResult,
    given: EventPlayer,
    start: Parameter | None,
    effect: Effect | None,
) -> Line:
    begins = player.status == "rated" and given.rating is None and given.standard_rating is None
    return Line(
        people[player.id],
        given.rating,
        given.standard_rating,
        given.rated_since_event,
        start is not None and player.status == "unrated",
        start if begins else None,
        player.status,
        player.games,
        show(player.score),
        exact(player.rc),
        exact(player.performance),
        exact(player.expected),
        factor_of(player),
        signed(player.change),
        player.pooled,
        tuple(_left_out(player.uncounted, people)),
        effect,
    )


def factor_of(player: PlayerResult) -> str:
    """K, or the f of postal chess, which need not be whole."""
    weight = next((step.value for step in player.steps if step.label == "f"), None)
    return weight or ("" if player.k is None else str(player.k))


def _left_out(uncounted: Iterable, people: Mapping[str, Reported]):
    for game in uncounted:
        opponent = people[game.opponent].player.name if game.opponent in people else ""
        yield LeftOut(game.round, opponent, game.article, game.reason)
