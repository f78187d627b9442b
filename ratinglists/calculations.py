"""Reads for the page that explains one event for one player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from django.db.models import F, QuerySet

from players.languages.texts import figure
from players.models import Player
from players.privacy import public_birth_year
from ratinglists.explaining import explain_results, explain_rows
from ratinglists.listing import of_standing, regulation_of
from ratinglists.models import EventResult, ListRow, PlayerResult, RatingList
from ratinglists.presentation import printed_rating, rules_of
from ratinglists.queries import lists_known_to
from ratinglists.steps import Line, explain, players_in
from regulations.base import Parameter, Regulation
from regulations.exact import show
from tournaments.exact import signed
from tournaments.preview import start_rating


@dataclass(frozen=True, slots=True)
class CountedLine:
    """A counted game with the figures of the regulation; empty where it works on averages."""

    round: int
    opponent: Any | None
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


def calculations(
    player: Player, tournament: int, *, draft: bool = False, revision: int | None = None
) -> list[Calculation]:
    """Every part of a tournament as the standing lists (or a draft, or their revisions of this number)
    counted it for a player."""
    results = PlayerResult.objects.filter(player__in=player.records, event__tournament__pk=tournament)
    if draft:
        results = results.filter(event__rating_list__state=RatingList.State.DRAFT)
    elif revision is not None:
        published = RatingList.State.PUBLISHED
        results = results.filter(event__rating_list__state=published, event__rating_list__revision=revision)
    else:
        results = of_standing(results, "event__rating_list")
    return of_results(player, results)


def of_results(player: Player, results: QuerySet) -> list[Calculation]:
    """The calculations of these results of a player's records."""
    own = player.records
    results = list(
        results.select_related(
            "event__tournament", "event__rating_list__period__system", "event__rating_list__previous__period"
        )
        .defer("event__rating_list__report", "event__rating_list__previous__report")
        .order_by("event__rating_list__period__list_date", "event__tournament__start", "event__part", "pk")
    )
    if not results:
        return []
    shared: dict[int, RatingList] = {}
    for result in results:
        event = result.event
        event.rating_list = shared.setdefault(event.rating_list_id, event.rating_list)
    explain_results(results)
    lists = set(shared.values())
    known = {item.pk: item for each in lists for item in (each.previous, each) if item}
    listed = ListRow.objects.filter(player__in=own, rating_list__in=known)
    rows = {row.rating_list_id: row for row in listed.order_by(F("rating").asc(nulls_first=True), "pk")}
    for row in rows.values():
        row.rating_list = known[row.rating_list_id]
    explain_rows((rows[item.pk] for item in lists if item.pk in rows), results)
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
    born = public_birth_year(player) is not None
    made = [_calculation(result, rows, shares, people, printed, since, born) for result in results]
    on_list = Counter(part.listed.pk for part in made)
    return [replace(part, parts_on_list=on_list[part.listed.pk]) for part in made]


def _rated_since(own: list[int], results: list[PlayerResult]) -> set[int]:
    """The results that carry a rating which the list in force at the start had not (2004 10.4, 2022 7.24)."""
    at_start = {}
    for listed in {result.event.rating_list for result in results}:
        known = lists_known_to(listed)
        own_results = [r for r in results if r.event.rating_list == listed and r.rating is not None]
        at_start |= {r.pk: known[day] for r in own_results if (day := r.event.ratings_from) in known}
    rated = ListRow.objects.filter(
        player__in=own, rating_list__in=set(at_start.values()), rating__isnull=False
    )
    rated_on = set(rated.values_list("rating_list", flat=True))
    return {result for result, listed in at_start.items() if listed not in rated_on}


def revisions(player: Player, tournament: int) -> list[RatingList]:
    """The published lists that counted the event for the player and that a revision has replaced."""
    results = PlayerResult.objects.filter(
        player__in=player.records,
        event__tournament__pk=tournament,
        event__rating_list__state=RatingList.State.PUBLISHED,
    )
    lists = RatingList.objects.filter(pk__in=results.order_by().values("event__rating_list"))
    standing = set(of_standing(lists).values_list("pk", flat=True))
    lists = lists.select_related("period__system").order_by("period__list_date", "revision").defer("report")
    return [listed for listed in lists if listed.pk not in standing]


def _opponents(results: list[PlayerResult]) -> set[int]:
    games = [
        game
        for result in results
        for group in ("counted", "uncounted")
        for game in result.detail.get(group, [])
    ]
    return {int(game["opponent"]) for game in games if game["opponent"]}


def _printed_ratings(results: list[PlayerResult], people: dict[int, Player]) -> dict[int, dict[int, int]]:
    """The ratings of these people by event and player."""
    rows = PlayerResult.objects.filter(
        event__in={result.event_id for result in results}, player__in=people, rating__isnull=False
    )
    found: dict[int, dict[int, int]] = {}
    for event, player, rating in rows.values_list("event", "player", "rating"):
        found.setdefault(event, {})[player] = rating
    return found


def _calculation(
    result: PlayerResult, rows, shares, people: dict[int, Player], printed, since: set[int], born: bool
) -> Calculation:
    listed = result.event.rating_list
    names = {pk: person.name for pk, person in people.items()}
    events = {share.event.tournament_id: str(share.event.tournament) for share in shares[listed.pk]}
    row = rows.get(listed.pk)
    steps = result.detail.get("steps", [])
    rules = rules_of(result.event.regulation)
    goes_on = rules is not None and rules.counts_finished_games
    of_k = explain([step for step in steps if step["label"] == ("f" if goes_on else "K")], names, born=born)
    # Such a list takes all games of the period together and repeats these steps among its own.
    repeated = goes_on and row is not None
    return Calculation(
        result=result,
        counted=[
            counted_line(game, people, printed.get(result.event_id, {}))
            for game in result.detail.get("counted", [])
        ],
        uncounted=[
            UncountedLine(game["round"], _person(game, people), game["article"], game["reason"])
            for game in result.detail.get("uncounted", [])
        ],
        steps=[] if repeated else explain(steps, names, born=born),
        k=of_k[-1] if of_k else None,
        rated_since=result.pk in since,
        row=row,
        before=rows.get(listed.previous_id),
        list_steps=explain(row.steps, names, events, born=born) if row else [],
        rules=rules,
        list_rules=regulation_of(listed),
        shares=shares[listed.pk],
    )


def _person(game: dict, people: Mapping[int, Any]) -> Any | None:
    return people.get(int(game["opponent"])) if game["opponent"] else None


def counted_line(game: dict, people: Mapping[int, Any], printed: Mapping[int, int | None]) -> CountedLine:
    """A counted game as it is stored; ``people`` and the ratings that they have in print by their keys."""
    score = Fraction(str(game["score"]))
    expected = None if game.get("expected") is None else Fraction(str(game["expected"]))
    own = printed.get(int(game["opponent"]))
    return CountedLine(
        round=game["round"],
        opponent=_person(game, people),
        white=game["white"],
        score=figure(show(score)),
        rating=figure(show(Fraction(str(game["opponent_rating"])))),
        printed="" if own is None else str(own),
        difference="" if game.get("difference") is None else figure(game["difference"]),
        expected="" if expected is None else figure(show(expected)),
        gain="" if expected is None else figure(signed(show(score - expected))),
        article=game.get("article", ""),
    )
