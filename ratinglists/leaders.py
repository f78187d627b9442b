"""Who leads a list, by the ranking that all regulations share (``regulations.lists.top_list``)."""

from __future__ import annotations

from django.db.models import QuerySet

from ratinglists.models import ListRow
from regulations import lists
from regulations import model as rules

_BATCH = 2000


def strongest(active: QuerySet, size: int) -> list[ListRow]:
    """The first ``size`` of these rows. All who share the last one's rating are read, since the ranking
    decides between them."""
    last = active.order_by("-rating").values_list("rating", flat=True)[size - 1 : size].first()
    found = active if last is None else active.filter(rating__gte=last)
    own = {str(row.player_id): row for row in found}
    ranked = lists.top_list([_ranked(row.player_id, row.rating, row.games) for row in own.values()], size)
    return [own[each.id] for each in ranked]


def by_federation(active: QuerySet, size: int) -> dict[str, list[int]]:
    """The players who lead each federation, the federations by their codes: one reading of these rows
    from the top, in which few are kept."""
    candidates: dict[str, list[rules.ListRow]] = {}
    rows = active.order_by("-rating").values_list("federation", "player_id", "rating", "games")
    for federation, *row in rows.iterator(chunk_size=_BATCH):
        own = candidates.setdefault(federation, [])
        if len(own) < size or own[-1].rating == row[1]:
            own.append(_ranked(*row))
    return {
        federation: [int(row.id) for row in lists.top_list(candidates[federation], size)]
        for federation in sorted(candidates)
        if federation
    }


def _ranked(player: int, rating: int, games: int) -> rules.ListRow:
    return rules.ListRow(str(player), "active", rating, None, games, None)
