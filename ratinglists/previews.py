"""What a page says of itself to who links to it: title, description, its one address."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from players.models import Federation, Player
from players.privacy import named
from ratinglists.listing import regulation_of
from ratinglists.models import ListRow, RatingList
from ratinglists.presentation import printed_rating
from regulations.calendar import span
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Preview:
    title: str
    description: str
    path: str
    kind: str = "website"


def of_player(player: Player, rows: Iterable[ListRow]) -> Preview:
    """``rows``: his row on the newest list of each system."""
    ratings = [
        f"{row.rating_list.system.name} {printed_rating(row.rating, regulation_of(row.rating_list))}"
        for row in rows
        if row.rating is not None
    ]
    title = f"{player.title} {named(player.name)}".strip()
    rated = ", ".join(ratings) if ratings else "no rating yet"
    what = f"{player.federation.name}: {rated}. Games and events, each point with its calculation."
    return Preview(title, what, reverse("player", args=[player.pk]), "profile")


def of_list(listed: RatingList, revision: bool = False) -> Preview:
    """``revision``: of this very revision, whether it stands or not."""
    path = reverse("list", args=[listed.period.system_id, listed.list_date])
    day = f"{listed.list_date.day} {listed.list_date:%B %Y}"
    title = f"{listed.system.name}, list of {day}"
    if listed.revision > 1 or revision:
        title += f", revision {listed.revision}"
    what = "Rating list: search, filters, files, what it counted, and its proof."
    if federation := listed.system.federation:
        what = f"Rating list of {federation.name}: search, filters, files, what it counted, and its proof."
    return Preview(title, what, f"{path}?revision={listed.revision}" if revision else path)


def of_tournament(tournament: Tournament) -> Preview:
    where = ", ".join(filter(None, (tournament.city, tournament.federation.name)))
    days = span(tournament.start, tournament.end)
    what = f"{where}, {days}. {tournament.rating_system.name}: crosstable, ratings and what was not rated."
    return Preview(tournament.name, what, reverse("tournament", args=[tournament.pk]))


def of_federation(federation: Federation) -> Preview:
    what = f"{federation.name} ({federation.code}): rated players, who leads, and tournaments."
    return Preview(f"Chess in {federation.name}", what, reverse("federation", args=[federation.code]))
