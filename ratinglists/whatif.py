"""What games that nobody has played would make of a rating: one event, by the code that rates events.

The event begins on the day from which the newest list holds (today, if that is later) and is rated by the
regulation of that day; the list after it takes it alone. Nothing is stored.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from players.models import Player
from players.privacy import public_birth_year
from ratinglists.calculations import CountedLine, UncountedLine, counted_line
from ratinglists.drafts import detail_json
from ratinglists.effect import rows_of
from ratinglists.models import RatingList
from ratinglists.queries import facts_in_force, latest_list
from ratinglists.steps import Line, explain
from regulations.base import Parameter, Regulation
from regulations.model import Event, EventPlayer, EventResult, Finding, Game, ListRow, PlayerResult
from tournaments.models import RatingSystem
from tournaments.preview import start_rating
from tournaments.queries import EventPart, affiliated, event_player, guests

#: keys above all of the register's: the event, then the opponents of whom the rating alone is known
_EVENT = 2**62
_OF_GAMES = "these games"
RESULTS = {"1": "1-0", "half": "1/2-1/2", "0": "0-1"}


@dataclass(frozen=True, slots=True)
class Imagined:
    """A game to be tried: a player of the register, or a ``rating``; ``result`` is one of ``RESULTS``,
    from the side of who asks."""

    number: int
    result: str
    rating: int | None = None
    opponent: Player | None = None


@dataclass(frozen=True, slots=True)
class Stranger:
    """An opponent of whom the rating alone is known; ``pk`` None: he has no page."""

    name: str
    pk: None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the games would bring: the result of the event and the row on the list after it."""

    system: RatingSystem
    regulation: Regulation
    latest: RatingList | None
    list_date: date
    list_regulation: Regulation
    before: int | None
    result: PlayerResult
    row: ListRow
    counted: list[CountedLine]
    uncounted: list[UncountedLine]
    steps: list[Line]
    list_steps: list[Line]
    findings: tuple[Finding, ...] = ()
    k: Line | None = None
    begins_with: Parameter | None = None

    @property
    def per_game(self) -> bool:
        return any(line.expected for line in self.counted)

    @property
    def difference(self) -> int | None:
        """In whole points of the list; None without a rating before or after."""
        return None if None in (self.before, self.row.rating) else self.row.rating - self.before


class Refused(Exception):
    """The question has no answer; the text says why."""


@dataclass(slots=True)
class _Table:
    """The event and who the keys in it are."""

    event: Event
    facts: dict
    people: dict[int, Player | Stranger] = field(default_factory=dict)


def answer(player: Player, system: RatingSystem, games: Sequence[Imagined]) -> Answer:
    """The effect of the games on the player's rating; raises ``Refused`` where nothing rates them."""
    latest = latest_list(system)
    day = max(system.today(), latest.list_date) if latest else system.today()
    regulation = system.regulation_on(day)
    if regulation is None:
        raise Refused(f"{system} follows no regulation on {day}: choose another list.")
    list_date = regulation.next_list_date(day)
    table = _table(player, system, games, day)
    rated = regulation.rate(table.event)
    part = EventPart(1, latest and latest.list_date, table.event, table.facts)
    before, rows = rows_of(system, list_date, [(part, rated)])
    key = str(player.pk)
    return _answer(
        table, rated, rows[key], key,
        system=system, regulation=regulation, latest=latest, list_date=list_date,
        list_regulation=system.regulation_on(list_date), before=before[key].rating,
    )  # fmt: skip


def _table(player: Player, system: RatingSystem, games: Sequence[Imagined], day: date) -> _Table:
    people = {player.pk: player} | {game.opponent.pk: game.opponent for game in games if game.opponent}
    facts = facts_in_force(system, people, day)
    members = affiliated(system, people.values(), day)
    abroad = guests(system, people.values(), members, day)
    entered = [
        event_player(each, facts[pk], False, pk in members, abroad.get(pk)) for pk, each in people.items()
    ]
    known: dict[int, Player | Stranger] = dict(people)
    played = []
    for game in games:
        key = game.opponent.pk if game.opponent else _EVENT + game.number
        if game.opponent is None:
            known[key] = Stranger(f"Opponent rated {game.rating}")
            entered.append(EventPlayer(str(key), game.rating, affiliated=True, first_event=False))
        played.append(Game(game.number, str(player.pk), str(key), RESULTS[game.result], finished_on=day))
    event = Event(
        system="swiss",
        players=tuple(entered),
        games=tuple(played),
        start=day,
        end=day,
        rate=system.rate,
        scope="national",
        id=f"{_EVENT}.1",
        name=_OF_GAMES,
        games_in_event=len(played),
    )
    return _Table(event, facts, known)


def _answer(table: _Table, rated: EventResult, row: ListRow, key: str, **told) -> Answer:
    result = next(each for each in rated.players if each.id == key)
    ratings = {int(each.id): each.rating for each in table.event.players}
    names = {pk: each.name for pk, each in table.people.items()}
    detail, events = detail_json(result), {_EVENT: _OF_GAMES}
    born = public_birth_year(table.people[int(key)]) is not None
    rules = told["regulation"]
    of_k = [
        step for step in detail["steps"] if step["label"] == ("f" if rules.counts_finished_games else "K")
    ]
    new = result.status == "rated" and ratings[int(key)] is None
    list_steps = [dataclasses.asdict(step) for step in row.steps]
    return Answer(
        result=result,
        row=row,
        counted=[counted_line(game, table.people, ratings) for game in detail["counted"]],
        uncounted=[
            UncountedLine(game["round"], table.people[int(game["opponent"])], game["article"], game["reason"])
            for game in detail["uncounted"]
        ],
        # Such a list takes all games of the period together and repeats these steps among its own.
        steps=[] if rules.counts_finished_games else _lines(detail["steps"], names, events, born),
        list_steps=_lines(list_steps, names, events, born),
        findings=rated.findings,
        k=explain(of_k, names, born=born)[-1] if of_k else None,
        begins_with=start_rating(rules) if new else None,
        **told,
    )


def _lines(steps: list[dict], names: dict[int, str], events: dict[int, str], born: bool) -> list[Line]:
    """Steps in plain words, in which the rounds are the numbers of the games."""
    lines = explain(steps, names, events, born=born)
    return [dataclasses.replace(line, label=line.label.replace(" round ", " game ")) for line in lines]
