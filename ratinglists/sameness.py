"""Is a list that was computed again the same as before, in all that later lists may depend on?

Explanations are left out: the words of a step may be others in a newer version of the portal.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from ratinglists.models import EventResult, ListRow, PlayerResult, PooledSample, RatingList

_ROW = [field.attname for field in ListRow._meta.fields if field.name not in ("id", "rating_list", "steps")]
_SAMPLE = [f.attname for f in PooledSample._meta.fields if f.name not in ("id", "rating_list")]
_EVENT = ("tournament_id", "part", "ratings_from", "regulation", "rated", "treated_as", "ra")
_RESULT = [f.attname for f in PlayerResult._meta.fields if f.name not in ("id", "event", "detail")]
CHUNK = 2000


def same(one: RatingList, other: RatingList) -> bool:
    """Have both lists the same rows, kept results, events and results of players?"""
    nothing = object()
    return all(a == b for a, b in zip_longest(_contents(one), _contents(other), fillvalue=nothing))


def _contents(listed: RatingList) -> Iterator[tuple]:
    of = {"rating_list": listed}
    rows = ListRow.objects.filter(**of).order_by("player_id")
    samples = PooledSample.objects.filter(**of).order_by(
        "player_id", "list_date", "event", "performance", "games", "score", "pk"
    )
    events = EventResult.objects.filter(**of).order_by("tournament_id", "part")
    yield from rows.values_list(*_ROW).iterator(chunk_size=CHUNK)
    yield from samples.values_list(*_SAMPLE).iterator(chunk_size=CHUNK)
    yield from events.values_list(*_EVENT).iterator(chunk_size=CHUNK)
    results = PlayerResult.objects.filter(event__rating_list=listed)
    results = results.order_by("event__tournament_id", "event__part", "player_id")
    for *figures, detail in results.values_list(*_RESULT, "detail").iterator(chunk_size=CHUNK):
        yield *figures, detail.get("counted"), detail.get("uncounted")
