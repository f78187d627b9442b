"""Reads for a player's pages: ratings and their history, games, events, and a calculation in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from django.db.models import F, Prefetch, Q, QuerySet

from players.models import IdentityChange, Player
from players.names import name_key
from players.queries import aliases
from ratinglists.chart import Reading
from ratinglists.listing import latest_lists, of_standing, regulation_of
from ratinglists.models import EventResult, ListRow, PlayerResult, RatingList
from ratinglists.presentation import printed_rating, rules_of, seen
from ratinglists.steps import Line, explain, players_in
from regulations.base import Parameter, Regulation
from regulations.exact import show
from tournaments.exact import signed
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.preview import start_rating

#: states in which a tournament is nobody's business but the federation's
HIDDEN = (Tournament.State.DRAFT, Tournament.State.REFUSED, Tournament.State.APPEALED)


def history(player: Player) -> list[ListRow]:
    """The player's rows on the standing lists of every system, oldest first: those of all records merged
    into his. Where one list has two of them, the one without rating comes first."""
    rows = of_standing(ListRow.objects.filter(player__in=player.records), "rating_list")
    return list(
        rows.select_related("rating_list__period__system")
        .defer("steps")
        .order_by(
            "rating_list__period__system__name",
            "rating_list__period__list_date",
            F("rating").asc(nulls_first=True),
            "pk",
        )
    )


def by_system(rows: Iterable[ListRow]) -> dict[str, list[ListRow]]:
    """A history cut by the systems' names."""
    systems: dict[str, list[ListRow]] = {}
    for row in rows:
        systems.setdefault(row.rating_list.system.name, []).append(row)
    return systems


def readings(rows: list[ListRow]) -> list[Reading]:
    """A history as the chart wants it: one reading a list."""
    rows = list({row.rating_list_id: row for row in rows}.values())
    return [
        Reading(
            row.rating_list.list_date,
            row.rating,
            "".join(
                [
                    f" ({signed(row.change)} in {row.games} game{'' if row.games == 1 else 's'})"
                    if row.games and row.change is not None
                    else "",
                    ", inactive" if row.status == ListRow.Status.INACTIVE else "",
                ]
            ),
            printed_rating(row.rating, regulation_of(row.rating_list)),
        )
        for row in rows
    ]


def with_ratings(players: list[Player]) -> list[tuple[Player, list[ListRow]]]:
    """Players with their rated rows on each system's newest list, in four queries at most."""
    lists = [newest.pk for _, newest in latest_lists() if newest is not None]
    records = {player.pk: player.pk for player in players}
    records |= aliases(records)
    rows = ListRow.objects.filter(rating_list__in=lists, player__in=records, rating__isnull=False)
    found: dict[int, list[ListRow]] = {}
    for row in (
        rows.select_related("rating_list__period__system")
        .defer("steps")
        .order_by("rating_list__period__system__name")
    ):
        found.setdefault(records[row.player_id], []).append(row)
    return [(player, found.get(player.pk, [])) for player in players]


# --- names and records -----------------------------------------------------------------------------


def former_names(player: Player, systems: dict[str, list[ListRow]]) -> list[str]:
    """Names under which the player was known, in words: those that may be shown, and those printed on
    lists for a record that was merged into his."""
    kept = list(player.former_names.all())
    names = {
        each.name: f"{each.name} (until {each.until.year}{f', {each.reason}' if each.reason else ''})"
        for each in kept
        if each.public
    }
    hidden = {each.name for each in kept if not each.public}
    for row in (row for rows in systems.values() for row in rows if row.player_id != player.pk):
        if row.name not in hidden | {player.name}:
            names.setdefault(row.name, f"{row.name} (on lists)")
    return list(names.values())


@dataclass(frozen=True, slots=True)
class SplitNote:
    """Events of another record's person that published lists count under the record that was split."""

    counted_under: Player
    person: Player
    results: list[PlayerResult]


def splits_of(player: Player) -> list[SplitNote]:
    """The splits of a record that lists have not followed: the same on the pages of both."""
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
        if found := list(results.defer("detail").order_by("event__tournament__start", "pk")):
            notes.append(SplitNote(change.source.standing, change.target.standing, found))
    return notes


# --- events and games ---------------------------------------------------------------------------


def events_of(player: Player) -> QuerySet:
    """The player's results in the events of standing lists, newest first."""
    results = of_standing(PlayerResult.objects.filter(player__in=player.records), "event__rating_list")
    return (
        results.select_related("event__tournament", "event__rating_list__period__system")
        .order_by(
            "-event__rating_list__period__list_date",
            "-event__tournament__start",
            "-event__tournament_id",
            "event__part",
        )
        .defer("detail")
    )


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game from the player's side. ``counted`` None: no list has dealt with its event yet."""

    tournament: Tournament
    round: int
    day: date
    white: bool
    opponent: Player | None
    symbol: str
    words: str
    opponent_rating: str = ""
    counted: bool | None = None
    article: str = ""
    reason: str = ""


def games_of(
    player: Player, *, system: str = "", opponent: str = "", colour: str = "", year: int | None = None
) -> QuerySet:
    """The player's games and byes in public tournaments, newest first."""
    # The keys first: two plain "in" conditions let the database use the index of either colour.
    own = list(Entry.objects.filter(player=player).values_list("pk", flat=True))
    white, black = Q(white__in=own), Q(black__in=own)
    words = name_key(opponent).split()
    if opponent.strip() and not words:
        return Game.objects.none()
    for word in words:
        white &= Q(black__player__name_key__contains=word)
        black &= Q(white__player__name_key__contains=word)
    games = Game.objects.filter({"w": white, "b": black}.get(colour, white | black))
    if colour == "w":
        games = games.filter(black__isnull=False)
    if system:
        games = games.filter(tournament__rating_system=system)
    if year:
        games = games.filter(tournament__start__range=(date(year, 1, 1), date(year, 12, 31)))
    return (
        games.exclude(tournament__state__in=HIDDEN)
        .select_related("white__player", "black__player", "tournament__rating_system")
        .prefetch_related(Prefetch("tournament__rounds", Round.objects.order_by("number")))
        .order_by("-tournament__start", "-tournament_id", "-round", "pk")
    )


def game_lines(player: Player, games: Iterable[Game]) -> list[GameLine]:
    """Games as one player saw them, each with what the lists made of it (two queries)."""
    games = list(games)
    results = of_standing(PlayerResult.objects.filter(player__in=player.records), "event__rating_list")
    results = results.filter(event__tournament__in={game.tournament_id for game in games})
    counted: dict[tuple[int, int], dict] = {}
    uncounted: dict[tuple[int, int], dict] = {}
    for tournament, detail in results.values_list("event__tournament_id", "detail"):
        counted.update({(tournament, game["round"]): game for game in detail.get("counted", [])})
        uncounted.update({(tournament, game["round"]): game for game in detail.get("uncounted", [])})
    return [_line(player, game, counted, uncounted) for game in games]


def _line(player: Player, game: Game, counted: dict, uncounted: dict) -> GameLine:
    white = game.white.player_id == player.pk
    other = game.black if white else game.white
    symbol, words = seen(game.result, white)
    key = (game.tournament_id, game.round)
    yes, no = counted.get(key), uncounted.get(key)
    days = {row.number: row.date for row in game.tournament.rounds.all()}
    return GameLine(
        tournament=game.tournament,
        round=game.round,
        day=game.finished_on or days.get(game.round, game.tournament.start),
        white=white,
        opponent=other.player if other else None,
        symbol=symbol,
        words=words,
        opponent_rating=show(Fraction(str(yes["opponent_rating"]))) if yes else "",
        counted=True if yes else False if no else None,
        article=no["article"] if no else "",
        reason=no["reason"] if no else "",
    )


# --- how a result came about --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CountedLine:
    """A counted game with the figures of the regulation; empty where it works on averages."""

    round: int
    opponent: Player | None
    white: bool
    score: str
    rating: str
    printed: str
    difference: str
    expected: str
    gain: str
    article: str

    @property
    def limited(self) -> bool:
        """Does the opponent count with another rating than his own?"""
        return bool(self.printed) and self.printed != self.rating


@dataclass(frozen=True, slots=True)
class UncountedLine:
    round: int
    opponent: Player | None
    article: str
    reason: str


@dataclass(slots=True)
class Calculation:
    """One player's result in one event (or its part by one list), and what the list made of it."""

    result: PlayerResult
    counted: list[CountedLine]
    uncounted: list[UncountedLine]
    steps: list[Line]
    k: Line | None
    #: not yet on the list in force at the start, but rated when the event was counted
    rated_since: bool
    row: ListRow | None
    before: ListRow | None
    list_steps: list[Line]
    rules: Regulation | None
    list_rules: Regulation | None
    shares: list[PlayerResult] = field(default_factory=list)
    #: how many parts of the event this list counted
    parts_on_list: int = 1

    @property
    def per_game(self) -> bool:
        return any(line.expected for line in self.counted)

    @property
    def goes_on(self) -> bool:
        """Does each list count the games that were finished by then (postal chess)?"""
        return self.rules is not None and self.rules.counts_finished_games

    @property
    def begins_with(self) -> Parameter | None:
        """The rating of a newcomer to postal chess."""
        new = self.result.status == "rated" and self.result.rating is None
        return start_rating(self.rules) if new else None

    @property
    def provisional(self) -> bool:
        """A rating that is assigned anew by each list (postal chess)?"""
        return self.goes_on and self.result.status == "unrated"

    @property
    def printed_short(self) -> bool:
        """Is the own rating another in print than in the sums (A 15c)?"""
        rating = self.result.rating
        return rating is not None and printed_rating(rating, self.rules) != str(rating)

    @property
    def in_batches(self) -> bool:
        """Did the list rate the period's events one after the other (FECAP, General 9)?"""
        return self.row is not None and any(step["label"] == "batch" for step in self.row.steps)

    @property
    def event(self) -> EventResult:
        return self.result.event

    @property
    def listed(self) -> RatingList:
        return self.result.event.rating_list


def calculations(player: Player, tournament: int, *, draft: bool = False) -> list[Calculation]:
    """Every part of a tournament as the standing lists (or a draft) counted it for a player."""
    own = player.records
    results = PlayerResult.objects.filter(player__in=own, event__tournament__pk=tournament)
    if draft:
        results = results.filter(event__rating_list__state=RatingList.State.DRAFT)
    else:
        results = of_standing(results, "event__rating_list")
    results = list(
        results.select_related(
            "event__tournament", "event__rating_list__period__system", "event__rating_list__previous"
        ).order_by("event__rating_list__period__list_date", "event__part")
    )
    if not results:
        return []
    lists = {result.event.rating_list for result in results}
    listed = ListRow.objects.filter(
        player__in=own, rating_list__in={pk for item in lists for pk in (item.pk, item.previous_id) if pk}
    )
    rows = {row.rating_list_id: row for row in listed.order_by(F("rating").asc(nulls_first=True), "pk")}
    shares: dict[int, list[PlayerResult]] = {}
    for share in (
        PlayerResult.objects.filter(player__in=own, event__rating_list__in=lists)
        .select_related("event__tournament")
        .defer("detail")
        .order_by("event__tournament__end", "event__tournament_id", "event__part")
    ):
        shares.setdefault(share.event.rating_list_id, []).append(share)
    named = {
        pk
        for result in results
        if (row := rows.get(result.event.rating_list_id))
        for pk in players_in(row.steps)
    }
    found = Player.objects.select_related("merged_into").in_bulk(_opponents(results) | named)
    people = {pk: person.standing for pk, person in found.items()}
    printed = _printed_ratings(results, people)
    since = _rated_since(own, results)
    made = [_calculation(result, rows, shares, people, printed, since) for result in results]
    on_list = Counter(part.listed.pk for part in made)
    return [replace(part, parts_on_list=on_list[part.listed.pk]) for part in made]


def _rated_since(own: list[int], results: list[PlayerResult]) -> set[int]:
    """The results that carry a rating which the list in force at the start had not (2004 10.4, 2022 7.24)."""
    system = results[0].event.rating_list.system
    days = {result.event.ratings_from for result in results if result.rating is not None}
    at_start = RatingList.objects.filter(
        period__system=system, period__list_date__in=days - {None}, state=RatingList.State.PUBLISHED
    )
    known = dict(at_start.values_list("pk", "period__list_date"))
    rated = ListRow.objects.filter(player__in=own, rating_list__in=known, rating__isnull=False)
    unrated_on = set(known.values()) - {known[pk] for pk in rated.values_list("rating_list", flat=True)}
    return {r.pk for r in results if r.rating is not None and r.event.ratings_from in unrated_on}


def _opponents(results: list[PlayerResult]) -> set[int]:
    games = [
        game
        for result in results
        for group in ("counted", "uncounted")
        for game in result.detail.get(group, [])
    ]
    return {int(game["opponent"]) for game in games if game["opponent"]}


def _printed_ratings(results: list[PlayerResult], people: dict[int, Player]) -> dict[tuple[int, int], int]:
    rows = PlayerResult.objects.filter(
        event__in={result.event_id for result in results}, player__in=people, rating__isnull=False
    )
    return {
        (event, player): rating for event, player, rating in rows.values_list("event", "player", "rating")
    }


def _calculation(
    result: PlayerResult, rows, shares, people: dict[int, Player], printed, since: set[int]
) -> Calculation:
    listed = result.event.rating_list
    names = {pk: person.name for pk, person in people.items()}
    events = {share.event.tournament_id: str(share.event.tournament) for share in shares[listed.pk]}
    row = rows.get(listed.pk)
    steps = result.detail.get("steps", [])
    rules = rules_of(result.event.regulation)
    goes_on = rules is not None and rules.counts_finished_games
    of_k = explain([step for step in steps if step["label"] == ("f" if goes_on else "K")], names)
    # Such a list takes all games of the period together and repeats these steps among its own.
    repeated = goes_on and row is not None
    return Calculation(
        result=result,
        counted=[_counted(game, result, people, printed) for game in result.detail.get("counted", [])],
        uncounted=[
            UncountedLine(game["round"], _person(game, people), game["article"], game["reason"])
            for game in result.detail.get("uncounted", [])
        ],
        steps=[] if repeated else explain(steps, names),
        k=of_k[-1] if of_k else None,
        rated_since=result.pk in since,
        row=row,
        before=rows.get(listed.previous_id),
        list_steps=explain(row.steps, names, events) if row else [],
        rules=rules,
        list_rules=regulation_of(listed),
        shares=shares[listed.pk],
    )


def _person(game: dict, people: dict[int, Player]) -> Player | None:
    return people.get(int(game["opponent"])) if game["opponent"] else None


def _counted(game: dict, result: PlayerResult, people: dict[int, Player], printed) -> CountedLine:
    score = Fraction(str(game["score"]))
    expected = None if game.get("expected") is None else Fraction(str(game["expected"]))
    own = printed.get((result.event_id, int(game["opponent"])))
    return CountedLine(
        round=game["round"],
        opponent=_person(game, people),
        white=game["white"],
        score=show(score),
        rating=show(Fraction(str(game["opponent_rating"]))),
        printed="" if own is None else str(own),
        difference="" if game.get("difference") is None else str(game["difference"]),
        expected="" if expected is None else show(expected),
        gain="" if expected is None else signed(show(score - expected)),
        article=game.get("article", ""),
    )
