"""Reads for the federations' pages: each system's newest list, as one federation sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from players.models import Federation
from ratinglists import crosstables, figures, privacy
from ratinglists.listing import latest_lists
from ratinglists.models import ListRow, RatingList
from tournaments.models import RatingSystem, Tournament

KINDS = {"all": "Top players", "women": "Top women", "juniors": "Top juniors"}


@dataclass(frozen=True, slots=True)
class Standing:
    """A federation on a list. ``tops``: heading -> places and rows of who leads there."""

    listed: RatingList
    figures: figures.Figures
    tops: dict[str, list[tuple[int, ListRow]]]


def table(listed: RatingList) -> list[tuple[Federation, figures.Figures]]:
    """The federations on a list, by the average of their ten strongest, then those of fewer by code."""
    known = figures.of_list(listed)
    found = [(each, known[each.code]) for each in Federation.objects.filter(code__in=known)]
    return sorted(found, key=lambda pair: (-(pair[1].average or 0), pair[0].code))


def standings(federation: Federation) -> list[Standing]:
    """What each system's newest list says of a federation, where it is there, in two queries for them all."""
    known = [
        (listed, own)
        for _, listed in latest_lists()
        if listed is not None and (own := figures.of_list(listed).get(federation.code))
    ]
    keys = {key for _, own in known for leaders in own.leaders.values() for key in leaders}
    rows = ListRow.objects.filter(pk__in=keys).defer("steps", "games_by_period")
    rows = {row.pk: row for row in privacy.mask(rows)}
    return [Standing(listed, own, _tops(own, rows)) for listed, own in known]


def _tops(own: figures.Figures, rows: dict[int, ListRow]) -> dict[str, list[tuple[int, ListRow]]]:
    """Places are those in the very table: equal ratings share one."""
    tops = {}
    for kind, heading in KINDS.items():
        found = [rows[key] for key in own.leaders.get(kind, ())]
        ratings = [row.rating for row in found]
        tops[heading] = [(1 + ratings.index(row.rating), row) for row in found]
    return {heading: found for heading, found in tops.items() if found}


def systems_with_lists() -> Iterable[tuple[RatingSystem, RatingList]]:
    """Each system with its newest list, the newest of these first: a system at rest comes last."""
    found = [(system, listed) for system, listed in latest_lists() if listed is not None]
    return sorted(found, key=lambda pair: pair[1].list_date, reverse=True)


def tournaments(federation: Federation, limit: int) -> QuerySet[Tournament]:
    """The newest public tournaments of a federation."""
    return crosstables.public_tournaments().filter(federation=federation)[:limit]
