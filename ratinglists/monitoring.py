"""Reads for the monitoring of a list: the figures of ``regulations.monitoring`` from what is stored.

A handful of queries whatever the size of the list; big tables come in chunks and without the explanations.
What the games and the points of a published list say is kept in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.core.cache import caches
from django.db.models import Count, Max

from players.models import IdentityChange
from players.queries import aliases
from ratinglists.listing import STATUSES, of_standing, standing
from ratinglists.models import ListRow, PlayerResult, RatingList
from regulations import monitoring, tables
from regulations.exact import half_away
from regulations.monitoring import Band, Flow, Game, Reading

CHUNK = 5000
#: so many lists between the start and this list are shown at most, evenly chosen
MOST_LISTS = 40
#: results of players in events that a page reads at most; whole events, the first registered first
MOST_RESULTS = 100_000
KEPT_SECONDS = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Played:
    """The counted games of a list between two rated players, from so many of its events."""

    games: list[Game]
    events: int
    of_events: int

    @property
    def partial(self) -> bool:
        return self.events < self.of_events


@dataclass(frozen=True, slots=True)
class Scores:
    """What the games say, and how many there are; the games themselves are too many to keep."""

    by_difference: tuple[Band, ...]
    by_rating: tuple[Band, ...]
    games: int
    events: int
    of_events: int
    partial: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything that the page of a list shows; no flow for a list without one before it."""

    group: tuple[Reading, ...]
    scores: Scores
    flow: Flow | None


def figures(listed: RatingList, start: RatingList, size: int) -> Figures:
    earlier = lists_before(listed)
    standing_now = "-".join(str(item.pk) for item in earlier)
    return Figures(
        group=group_readings(listed, start, earlier, size),
        scores=_kept(listed, "scores", lambda: scores_of(listed)),
        flow=_kept(listed, f"flow-{standing_now}", lambda: flow_of(listed)),
    )


def _kept(listed: RatingList, what: str, compute: Callable[[], Any]) -> Any:
    """Computed once for a published list, which never changes, until records are merged or split; a
    draft may be computed anew."""
    if listed.state != RatingList.State.PUBLISHED:
        return compute()
    identities = IdentityChange.objects.aggregate(last=Max("pk"), undone=Count("undone_at"))
    name = f"{listed.pk}-{listed.input_sha256}-{listed.sha256}-{identities}-{what}"
    key = f"monitoring-{sha256(name.encode()).hexdigest()}"
    found = caches["memory"].get(key)  # in a tuple, since there may be no flow
    if found is None:
        found = (compute(),)
        caches["memory"].set(key, found, timeout=KEPT_SECONDS)
    return found[0]


def scores_of(listed: RatingList) -> Scores:
    played = games_of(listed)
    return Scores(
        monitoring.by_difference(played.games),
        monitoring.by_rating(played.games),
        len(played.games),
        played.events,
        played.of_events,
        played.partial,
    )


# --- the group ------------------------------------------------------------------------------------


def lists_before(listed: RatingList) -> list[RatingList]:
    """The standing lists of the system before this one, oldest first."""
    earlier = standing().filter(
        period__system=listed.period.system_id, period__list_date__lt=listed.period.list_date
    )
    return list(earlier)[::-1]


def start_of(listed: RatingList, earlier: list[RatingList], wanted: date | None) -> RatingList:
    """The list to start from: the one wanted, else the latest that is a year older, else the first."""
    for item in earlier:
        if item.list_date == wanted:
            return item
    day = listed.list_date
    a_year_ago = day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day)
    old = [item for item in earlier if item.list_date <= a_year_ago]
    return old[-1] if old else (earlier or [listed])[0]


def thinned(lists: list[RatingList], most: int = MOST_LISTS) -> list[RatingList]:
    """So many of them at most, evenly chosen, the first and the last always."""
    if len(lists) <= most:
        return lists
    return [lists[place * (len(lists) - 1) // (most - 1)] for place in range(most)]


def group_readings(
    listed: RatingList, start: RatingList, earlier: list[RatingList], size: int
) -> tuple[Reading, ...]:
    """FEDA 11.1: the leading active players of the starting list on the lists from then on."""
    lists = [item for item in earlier if item.list_date >= start.list_date]
    lists = thinned([*lists, listed])
    leading = ListRow.objects.filter(rating_list=start, status__in=STATUSES["active"], rating__isnull=False)
    first = dict(leading.order_by("-rating", "name", "id").values_list("player_id", "rating")[:size])
    later: dict[int, dict[int, int]] = {item.pk: {} for item in lists}
    leaders = _all_records(first, aliases())
    rows = ListRow.objects.filter(rating_list__in=later, player__in=leaders, rating__isnull=False)
    for pk, player, rating in rows.values_list("rating_list_id", "player_id", "rating"):
        later[pk][leaders[player]] = rating
    later[lists[0].pk] = first
    return monitoring.follow([(item.list_date, later[item.pk]) for item in lists], size)


def _all_records(players: Iterable[int], known: dict[int, int]) -> dict[int, int]:
    """Every record of persons -> the given one of each, so that nobody disappears in a merge (``known``:
    merged record -> the one that stands)."""
    players = list(players)
    given = {known.get(pk, pk): pk for pk in players}
    merged = {old: given[now] for old, now in known.items() if now in given}
    return given | merged | {pk: pk for pk in players}


# --- games ----------------------------------------------------------------------------------------


def games_of(listed: RatingList, most: int = MOST_RESULTS) -> Played:
    """The games that count for two rated players, each once."""
    results = PlayerResult.objects.filter(
        event__rating_list=listed, event__rated=True, status="rated", rating__isnull=False
    )
    sizes = results.order_by("event_id").values_list("event_id").annotate(Count("pk"))
    chosen, read = [], 0
    for event, size in sizes:
        if read < most:
            chosen.append(event)
        read += size
    if not chosen:
        return Played([], 0, 0)
    rows = (
        results.filter(event__lte=chosen[-1])
        .order_by("event_id", "player_id")
        .values_list("event_id", "player_id", "rating", "detail__counted")
    )
    games: list[Game] = []
    for _, found in groupby(rows.iterator(chunk_size=CHUNK), key=itemgetter(0)):
        games += _event_games({player: (rating, counted or ()) for _, player, rating, counted in found})
    return Played(games, len(chosen), len(sizes))


def _event_games(players: dict[int, tuple[int, Iterable[dict]]]) -> Iterator[Game]:
    """Each game that counts on both sides, from the side of the player with the lower number, so that
    the colour of equally rated players does not matter."""
    sides = {
        (player, int(game["opponent"]), game["round"], game["white"]): game
        for player, (_, counted) in players.items()
        for game in counted
        if game["opponent"]
    }
    for (player, opponent, number, white), game in sides.items():
        if player < opponent and (opponent, player, number, not white) in sides:
            own = players[player][0]
            yield Game(own, players[opponent][0], _expected(game, own), _number(str(game["score"])))


def _expected(game: dict, own: int) -> Fraction:
    """As the regulation had it; where it works on averages, by the table for the rating it used."""
    if game.get("expected") is not None:
        return _number(str(game["expected"]))
    return tables.expected(half_away(own - _number(str(game["opponent_rating"]))))


@lru_cache(maxsize=4096)
def _number(text: str) -> Fraction:
    return Fraction(text)


# --- points ---------------------------------------------------------------------------------------


def flow_of(listed: RatingList) -> Flow | None:
    """The points between the list before and this one."""
    if listed.previous_id is None:
        return None
    after: dict[int, int] = {}
    computed: dict[int, Fraction] = {}
    known = aliases()
    for record, rating, change in _rated(listed.pk, "change"):
        player = known.get(record, record)
        after[player] = rating
        if change:
            computed[player] = Fraction(change)
    before = {known.get(record, record): rating for record, rating in _rated(listed.previous_id)}
    came = [player for player in after if player not in before]
    return monitoring.flow(before, after, computed, _once_rated(listed, came, known))


def _once_rated(listed: RatingList, players: list[int], known: dict[int, int]) -> set[int]:
    """Who of these was rated on an earlier list of the system."""
    period = listed.period
    earlier = of_standing(
        ListRow.objects.filter(
            rating__isnull=False,
            rating_list__period__system=period.system_id,
            rating_list__period__list_date__lt=period.list_date,
        ),
        "rating_list",
    )
    own = _all_records(players, known)
    records, found = list(own), set()
    for first in range(0, len(records), CHUNK):
        rows = earlier.filter(player__in=records[first : first + CHUNK]).order_by()
        found.update(own[record] for record in rows.values_list("player_id", flat=True).distinct())
    return found


def _rated(rating_list: int, *more: str) -> Iterator[tuple]:
    rows = ListRow.objects.filter(rating_list=rating_list, rating__isnull=False)
    return rows.order_by().values_list("player_id", "rating", *more).iterator(chunk_size=CHUNK)
