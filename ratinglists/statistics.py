"""What a player's games over the board add up to: by colour, by the opponents' ratings, whom he met most,
and his best performance, which the regulation of the event computes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from django.db.models import Case, F, OuterRef, Q, Subquery, When

from players.models import Player
from ratinglists.compare import Score
from ratinglists.listing import of_standing
from ratinglists.models import PlayerResult
from ratinglists.presentation import rules_of
from ratinglists.profiles import HIDDEN
from ratinglists.steps import Line, explain
from regulations.exact import half_up
from regulations.model import PLAYED, Event, EventPlayer, Game
from tournaments import models as stored

#: points of a band of ratings; opponents shown; games that an event needs for a best performance
BAND, MET, LEAST_GAMES = 100, 10, 5
#: events looked through for the best performance, the newest first
MOST_EVENTS = 500
#: the steps in which the texts compute a performance
_PERFORMANCE = ("Ru", "RRP")
_SELF = "0"


@dataclass(frozen=True, slots=True)
class Played:
    """One game from the player's side. ``rating``: the opponent's in force for the event, None of an
    unrated one and where no list has dealt with the event."""

    tournament: int
    white: bool
    halves: int
    opponent: int
    rating: int | None
    regulation: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: what it is about and the score there."""

    label: str
    score: Score
    player: Player | None = None

    @property
    def percent(self) -> int:
        """Of the points that were there to win, halves up."""
        return half_up(Fraction(100 * self.score.halves, 2 * self.score.games))


@dataclass(frozen=True, slots=True)
class Performance:
    """The best performance: in whole points, where, with which score, and each step of it."""

    rating: int
    tournament: int
    name: str
    score: Score
    regulation: str
    article: str
    steps: list[Line]


@dataclass(frozen=True, slots=True)
class Statistics:
    games: int
    colours: list[Row] = field(default_factory=list)
    bands: list[Row] = field(default_factory=list)
    met: list[Row] = field(default_factory=list)
    best: Performance | None = None


def of(player: Player, system: stored.RatingSystem | None = None) -> Statistics:
    """A player's statistics in one system or all, in five queries at most."""
    games = list(_played(player, system))
    if not games:
        return Statistics(0)
    colours = {"White": Score(), "Black": Score(), "either colour": Score()}
    bands: dict[int, Score] = {}
    met: dict[int, Score] = {}
    for game in games:
        band = -1 if game.rating is None else game.rating // BAND
        for score in (
            colours["White" if game.white else "Black"],
            colours["either colour"],
            bands.setdefault(band, Score()),
            met.setdefault(game.opponent, Score()),
        ):
            score.add(game.halves)
    most = sorted(met, key=lambda pk: (-met[pk].games, pk))[:MET]
    people = Player.objects.in_bulk(most)
    return Statistics(
        games=len(games),
        colours=[Row(label, score) for label, score in colours.items() if score.games],
        bands=[Row(_band(band), bands[band]) for band in sorted(bands, reverse=True)],
        met=[Row(people[pk].name, met[pk], people[pk]) for pk in most],
        best=_best(games),
    )


def _band(band: int) -> str:
    return "unrated, or not counted yet" if band < 0 else f"{band * BAND} to {band * BAND + BAND - 1}"


def _played(player: Player, system: stored.RatingSystem | None) -> Iterator[Played]:
    """The games over the board in public tournaments, newest first, in two queries."""
    own = list(stored.Entry.objects.filter(player=player).values_list("pk", flat=True))
    games = stored.Game.objects.filter(Q(white__in=own) | Q(black__in=own), result__in=PLAYED)
    games = games.exclude(tournament__state__in=HIDDEN)
    if system is not None:
        games = games.filter(tournament__rating_system=system)
    # A list goes on naming a record that was merged since.
    records = Player.objects.filter(
        Q(pk=OuterRef(OuterRef("other"))) | Q(merged_into=OuterRef(OuterRef("other")))
    )
    results = PlayerResult.objects.filter(
        event__tournament=OuterRef("tournament"), player__in=records.values("pk")
    )
    results = of_standing(results, "event__rating_list").order_by(
        "-event__rating_list__period__list_date", "pk"
    )
    games = games.annotate(
        other=Case(When(white__player=player.pk, then=F("black__player")), default=F("white__player")),
        rating=Subquery(results.values("rating")[:1]),
        rules=Subquery(results.values("event__regulation")[:1]),
    )
    rows = games.order_by("-tournament__start", "-tournament_id", "round", "pk").values_list(
        "tournament", "white__player", "result", "other", "rating", "rules"
    )
    for tournament, white, result, other, rating, rules in rows:
        halves = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[result]
        is_white = white == player.pk
        yield Played(tournament, is_white, halves if is_white else 2 - halves, other, rating, rules)


# --- the best performance ----------------------------------------------------------------------------


def _best(games: Iterable[Played]) -> Performance | None:
    """The highest performance of the events with so many games against rated opponents."""
    events: dict[int, list[Played]] = {}
    for game in games:
        if game.rating is not None and game.regulation:
            events.setdefault(game.tournament, []).append(game)
    best: tuple[int, list[Played], tuple] | None = None
    for played in list(events.values())[:MOST_EVENTS]:
        if len(played) >= LEAST_GAMES and (found := _performance(played)) is not None:
            rating, steps = found
            if best is None or rating > best[0]:
                best = rating, played, steps
    if best is None:
        return None
    rating, played, steps = best
    score = Score()
    for game in played:
        score.add(game.halves)
    name = stored.Tournament.objects.values_list("name", flat=True).get(pk=played[0].tournament)
    shown = [dataclasses.asdict(step) for step in steps]
    return Performance(
        rating, played[0].tournament, name, score, played[0].regulation,
        next(step.article for step in steps if step.label in _PERFORMANCE), explain(shown, {}),
    )  # fmt: skip


def _performance(played: list[Played]) -> tuple[int, tuple] | None:
    """The performance by the event's regulation, which knows one of players without rating only: as if the
    player were unrated, in a Swiss event. Without the limit that some texts set to first ratings."""
    rules = rules_of(played[0].regulation)
    if rules is None:
        return None
    others = [
        EventPlayer(str(n), game.rating, affiliated=True, first_event=False)
        for n, game in enumerate(played, start=1)
    ]
    own = EventPlayer(_SELF, None, first_event=False, affiliated=True, provisional=True)
    results = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}
    event = Event(
        system="swiss",
        players=(own, *others),
        games=tuple(Game(n, _SELF, str(n), results[game.halves]) for n, game in enumerate(played, start=1)),
        rate=rules.rates[0],
        scope="national",
        games_in_event=len(played),
    )
    result = next(each for each in rules.rate(event).players if each.id == _SELF)
    if result.performance is None:
        return None
    values = [Fraction(step.value) for step in result.steps if step.label in _PERFORMANCE]
    return (half_up(max(values)), result.steps) if values else None
