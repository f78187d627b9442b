"""Reads for a player's pages: ratings and their history, games and events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.core.paginator import Page
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import ngettext

from players.languages.texts import figure, said
from players.models import Identifier, IdentityChange, Player
from players.names import spellings
from players.prepared import prepared
from players.queries import aliases
from ratinglists import privacy
from ratinglists.chart import Reading
from ratinglists.listing import newest_keys, of_standing, regulation_of
from ratinglists.models import ListRow, PlayerResult
from ratinglists.paging import counted, first_page, first_rows
from ratinglists.presentation import printed_rating, seen
from regulations.exact import show
from tournaments.exact import signed
from tournaments.models import Entry, Game, Round, Tournament

EVENTS_PAGE, LATEST_GAMES = 25, 10
#: states in which a tournament is nobody's business but the federation's
HIDDEN = (Tournament.State.DRAFT, Tournament.State.REFUSED, Tournament.State.APPEALED)


def history(player: Player) -> list[ListRow]:
    """The player's rows on the standing lists of every system, oldest first: those of all records merged
    into his. Where one list has two of them, the one without rating comes first."""
    return privacy.mask_own(_history(player.records), player)


@prepared
def _history(records: Sequence[int]) -> QuerySet:
    rows = of_standing(ListRow.objects.filter(player__in=records), "rating_list")
    rows = rows.select_related("rating_list__period__system").defer("steps", "rating_list__report")
    return rows.order_by(
        "rating_list__period__system__name",
        "rating_list__period__list_date",
        F("rating").asc(nulls_first=True),
        "pk",
    )


def by_system(rows: Iterable[ListRow]) -> dict[str, list[ListRow]]:
    """A history cut by the systems' names."""
    systems: dict[str, list[ListRow]] = {}
    for row in rows:
        systems.setdefault(row.rating_list.system.name, []).append(row)
    return systems


def _note(row: ListRow) -> str:
    """What the chart tells of a row beside its rating."""
    note = ""
    if row.games and row.change is not None:
        told = ngettext("%(change)s in %(n)s game", "%(change)s in %(n)s games", row.games)
        note = f" ({told % {'change': figure(signed(row.change)), 'n': row.games}})"
    return note + (f", {said('inactive')}" if row.status == ListRow.Status.INACTIVE else "")


def readings(rows: list[ListRow]) -> list[Reading]:
    """A history as the chart wants it: one reading a list."""
    rows = list({row.rating_list_id: row for row in rows}.values())
    return [
        Reading(
            row.rating_list.list_date,
            row.rating,
            _note(row),
            printed_rating(row.rating, regulation_of(row.rating_list)),
        )
        for row in rows
    ]


def with_ratings(players: list[Player]) -> list[tuple[Player, list[ListRow]]]:
    """Players with their rated rows on each system's newest list, in three queries at most."""
    records = {player.pk: player.pk for player in players}
    records |= aliases(records)
    rows = ListRow.objects.filter(rating_list__in=newest_keys(), player__in=records, rating__isnull=False)
    found: dict[int, list[ListRow]] = {}
    for row in (
        rows.select_related("rating_list__period__system")
        .defer("steps", "rating_list__report")
        .order_by("rating_list__period__system__name")
    ):
        found.setdefault(records[row.player_id], []).append(row)
    return [(player, found.get(player.pk, [])) for player in players]


# --- names and records -----------------------------------------------------------------------------


def numbers(player: Player) -> list[Identifier]:
    """The numbers that may be shown: none of somebody who is not named."""
    return [] if player.privacy else list(player.identifiers.all())


@dataclass(frozen=True, slots=True)
class Formerly:
    """A former name. ``until``: the year; None of one that lists printed for a record merged into his."""

    name: str
    until: int | None = None
    reason: str = ""

    @property
    def words(self) -> str:
        if self.until is None:
            return f"{self.name} (on lists)"
        return f"{self.name} (until {self.until}{f', {self.reason}' if self.reason else ''})"


def former_names(player: Player, systems: dict[str, list[ListRow]]) -> list[Formerly]:
    """Names under which the player was known: those that may be shown, and those printed on lists for a
    record that was merged into his."""
    if player.privacy:
        return []
    kept = list(player.former_names.all()) if getattr(player, "has_names", True) else []
    names = {each.name: Formerly(each.name, each.until.year, each.reason) for each in kept if each.public}
    hidden = {each.name for each in kept if not each.public}
    for row in (row for rows in systems.values() for row in rows if row.player_id != player.pk):
        if row.name not in hidden | {player.name}:
            names.setdefault(row.name, Formerly(row.name))
    return list(names.values())


@dataclass(frozen=True, slots=True)
class SplitNote:
    """Events of another record's person that published lists count under the record that was split."""

    counted_under: Player
    person: Player
    results: list[PlayerResult]


def splits_of(player: Player) -> list[SplitNote]:
    """The splits of a record that lists have not followed: the same on the pages of both."""
    if not getattr(player, "has_splits", True):
        return []
    changes = IdentityChange.objects.filter(
        Q(source=player) | Q(target=player), kind=IdentityChange.Kind.SPLIT, undone_at=None
    )
    notes = []
    for change in changes.select_related("source__merged_into", "target__merged_into").order_by("pk"):
        entries = Entry.objects.filter(pk__in=change.moved["rows"].get("entries", ()))
        results = PlayerResult.objects.filter(
            player__in=change.source.records, event__tournament__in=entries.values("tournament")
        )
        results = of_standing(results, "event__rating_list").select_related(
            "event__tournament", "event__rating_list__period__system"
        )
        results = results.defer("detail", "event__rating_list__report")
        if found := list(results.order_by("event__tournament__start", "pk")):
            notes.append(SplitNote(change.source.standing, change.target.standing, found))
    return notes


# --- events and games ---------------------------------------------------------------------------


#: what is told of a result beside its calculation
_OF_EVENTS = (
    *("player", "status", "rating", "games", "score", "expected", "performance", "k", "change"),
    *("list_change", "event__part", "event__regulation", "event__tournament__name"),
    *("event__tournament__start", "event__rating_list__revision", "event__rating_list__period__list_date"),
    "event__rating_list__period__system__name",
)


def events_of(player: Player) -> QuerySet:
    """The player's results in the events of standing lists, newest first."""
    return _events(player.records)


def events_page(player: Player, number: str | None) -> Page:
    """A page of them by the number that an address asks for."""
    if number in (None, "", "1"):
        return first_page(_first_events(player.records), EVENTS_PAGE)
    return counted(events_of(player), number, EVENTS_PAGE)


def _events(records: Sequence[int]) -> QuerySet:
    results = of_standing(PlayerResult.objects.filter(player__in=records), "event__rating_list")
    return (
        results.select_related("event__tournament", "event__rating_list__period__system")
        .order_by(
            "-event__rating_list__period__list_date",
            "-event__tournament__start",
            "-event__tournament_id",
            "event__part",
            "pk",  # merged records may have played in one event
        )
        .only(*_OF_EVENTS)
    )


@prepared
def _first_events(records: Sequence[int]) -> QuerySet:
    return first_rows(_events(records), EVENTS_PAGE)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game from the player's side. ``counted`` None: no list has dealt with its event yet, or
    (``on_demand``) one did whose calculations are made when asked for, and only there it is told."""

    tournament: Tournament
    round: int
    day: date
    white: bool
    opponent: Player | None
    symbol: str
    words: str
    opponent_rating: str = ""
    counted: bool | None = None
    on_demand: bool = False
    article: str = ""
    reason: str = ""

    @property
    def in_calculation(self) -> bool:
        """Is it among what the calculation shows as counted, as far as is known here?"""
        return bool(self.counted) or (self.counted is None and self.on_demand and self.opponent is not None)


def games_of(
    player: Player, *, system: str = "", opponent: str = "", colour: str = "", year: int | None = None
) -> QuerySet:
    """The player's games and byes in public tournaments, newest first."""
    # The keys first: two plain "in" conditions let the database use the index of either colour.
    own = _entries(player.pk)
    white, black = Q(white__in=own), Q(black__in=own)
    for spelled in spellings(opponent):
        white &= _named("black__player", spelled)
        black &= _named("white__player", spelled)
    if opponent.strip() and not spellings(opponent):
        return Game.objects.none()
    games = public_games({"w": white, "b": black}.get(colour, white | black))
    if colour == "w":
        games = games.filter(black__isnull=False)
    if system:
        games = games.filter(tournament__rating_system=system)
    if year:
        games = games.filter(tournament__start__range=(date(year, 1, 1), date(year, 12, 31)))
    return games


def latest_games(player: Player) -> list[Game]:
    """The first of them."""
    return _latest(_entries(player.pk))


@prepared
def _entries(player: int) -> QuerySet:
    return Entry.objects.filter(player=player).values_list("pk", flat=True)


@prepared
def _latest(entries: Sequence[int]) -> QuerySet:
    return public_games(Q(white__in=entries) | Q(black__in=entries))[:LATEST_GAMES]


def _named(path: str, spelled: tuple[str, ...]) -> Q:
    """Has the player at ``path`` a word in one of these spellings in his name?"""
    condition = Q(**{f"{path}__loose_key__contains": spelled[-1]})
    return condition | Q(**{f"{path}__name_key__contains": spelled[0]})


#: what is told of a game; the fewer tables and columns, the less there is to plan and to read
OF_GAMES = (
    *("round", "result", "finished_on", "tournament__name", "tournament__start"),
    *("white__player__name", "black__player__name"),
)


def public_games(which: Q) -> QuerySet:
    """Games of public tournaments, newest first, with what their lines show; ``round_on``: the day that
    the schedule has for the round."""
    days = Round.objects.filter(tournament=OuterRef("tournament"), number=OuterRef("round"))
    # Never null: said so that no database goes through all tournaments by this date's index instead of
    # looking for the games.
    begun = Coalesce("tournament__start", date.max)
    return (
        Game.objects.filter(which)
        .exclude(tournament__state__in=HIDDEN)
        .select_related("white__player", "black__player", "tournament")
        .only(*OF_GAMES)
        .annotate(round_on=Subquery(days.values("date")[:1]))
        .order_by(begun.desc(), "-tournament_id", "-round", "pk")
    )


def game_lines(player: Player, games: Iterable[Game]) -> list[GameLine]:
    """Games as one player saw them, each with what the lists made of it (two queries)."""
    games = list(games)
    counted: dict[tuple[int, int], dict] = {}
    uncounted: dict[tuple[int, int], dict] = {}
    on_demand = set()
    for tournament, detail in _details(player.records, sorted({game.tournament_id for game in games})):
        if not detail:
            on_demand.add(tournament)
        counted.update({(tournament, game["round"]): game for game in detail.get("counted", [])})
        uncounted.update({(tournament, game["round"]): game for game in detail.get("uncounted", [])})
    return [_line(player, game, counted, uncounted, game.tournament_id in on_demand) for game in games]


@prepared
def _details(records: Sequence[int], tournaments: Sequence[int]) -> QuerySet:
    results = of_standing(PlayerResult.objects.filter(player__in=records), "event__rating_list")
    results = results.filter(event__tournament__in=tournaments)
    return results.values_list("event__tournament_id", "detail")


def _line(player: Player, game: Game, counted: dict, uncounted: dict, on_demand: bool) -> GameLine:
    white = game.white.player_id == player.pk
    other = game.black if white else game.white
    symbol, words = seen(game.result, white)
    key = (game.tournament_id, game.round)
    yes, no = counted.get(key), uncounted.get(key)
    return GameLine(
        tournament=game.tournament,
        round=game.round,
        day=game.finished_on or game.round_on or game.tournament.start,
        white=white,
        opponent=other.player if other else None,
        symbol=symbol,
        words=words,
        opponent_rating=show(Fraction(str(yes["opponent_rating"]))) if yes else "",
        counted=True if yes else False if no else None,
        on_demand=on_demand,
        article=no["article"] if no else "",
        reason=no["reason"] if no else "",
    )


# --- how a result came about --------------------------------------------------------------------
