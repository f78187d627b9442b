"""What one event alone would do to a list: the next list of its players, with and without it."""

from __future__ import annotations

from datetime import date

from ratinglists.computation import players_of, reference_of, samples_of
from ratinglists.models import Period
from ratinglists.queries import published
from regulations import model as rules
from tournaments.ratings import Effect


def of_parts(tournament, list_date: date, parts) -> dict[int, Effect]:
    """The effect of these rated parts (``EventPart``, ``EventResult``) on the list of this date, by
    player, everything else left out. Empty where no regulation makes that list."""
    system = tournament.rating_system
    regulation = system.regulation_on(list_date)
    if regulation is None:
        return {}
    previous = published(system).filter(period__list_date__lt=list_date).first()
    rated = [(tournament, "", part, result) for part, result in parts]
    ids = {int(player.id) for part, _ in parts for player in part.event.players}
    given = rules.ListInput(
        list_date=list_date,
        previous=players_of(previous, rated, only=ids),
        samples=samples_of(previous, ids),
        events=tuple(rules.RatedEvent(part.event, result) for part, result in parts),
        reference_standard=reference_of(Period(system=system, list_date=list_date), rated),
    )
    before = {player.id: player.rating for player in given.previous}
    rows = regulation.next_list(given).players
    return {
        int(row.id): Effect(before.get(row.id), row.rating, row.status, tuple(row.steps))
        for row in rows
        if int(row.id) in ids
    }
