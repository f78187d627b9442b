"""What one event alone would do to a list: the next list of its players, with and without it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ratinglists.computation import players_of, reference_of, samples_of
from ratinglists.models import Period
from ratinglists.queries import published
from regulations import model as rules
from tournaments.models import RatingSystem
from tournaments.queries import EventPart
from tournaments.ratings import Effect

Rated = Sequence[tuple[EventPart, rules.EventResult]]


def rows_of(
    system: RatingSystem, list_date: date, parts: Rated
) -> tuple[dict[str, rules.ListPlayer], dict[str, rules.ListRow]]:
    """The players of these rated parts before and on the list of this date, by their keys in the event,
    everything else left out. Empty where no regulation makes that list."""
    regulation = system.regulation_on(list_date)
    if regulation is None:
        return {}, {}
    previous = published(system).filter(period__list_date__lt=list_date).first()
    rated = [(None, "", part, result) for part, result in parts]
    ids = {int(player.id) for part, _ in parts for player in part.event.players}
    given = rules.ListInput(
        list_date=list_date,
        previous=players_of(previous, rated, only=ids),
        samples=samples_of(previous, ids),
        events=tuple(rules.RatedEvent(part.event, result) for part, result in parts),
        reference_standard=reference_of(Period(system=system, list_date=list_date), rated),
    )
    rows = regulation.next_list(given).players
    return (
        {player.id: player for player in given.previous},
        {row.id: row for row in rows if int(row.id) in ids},
    )


def of_parts(tournament, list_date: date, parts: Rated) -> dict[int, Effect]:
    """The effect of these rated parts (``EventPart``, ``EventResult``) on the list of this date, by
    player, everything else left out. Empty where no regulation makes that list."""
    before, rows = rows_of(tournament.rating_system, list_date, parts)
    return {
        int(key): Effect(before[key].rating if key in before else None, row.rating, row.status, row.steps)
        for key, row in rows.items()
    }
