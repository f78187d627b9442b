"""Short ways to write postal players, periods and their lists."""

from datetime import date
from fractions import Fraction

from regulations.fecap_postal import FecapPostal
from regulations.model import EventPlayer, ListInput, ListPlayer, Totals
from tests.regulations import recompute
from tests.regulations.build import by_id, event, rated_event

P = FecapPostal()
JULY = date(1999, 7, 1)


def totals(points, games, rated_games=0, average=0):
    return Totals(Fraction(points), games, rated_games, Fraction(average))


def provisional(name, rating, *of_totals, kind=EventPlayer, **more):
    """A player with a provisional rating; points, games, rated games and their average so far."""
    return kind(name, rating, provisional=True, totals=totals(*of_totals) if of_totals else None, **more)


def postal(ratings, text, name="E", **more):
    """An event of postal games."""
    return event("round-robin", ratings, text, id=name, **more)


def period(previous, *events, regulation=P, on=JULY):
    """The rows of the next list by player, with every explanation recomputed."""
    listed = tuple(
        value if isinstance(value, ListPlayer) else ListPlayer(name, value, 50)
        for name, value in previous.items()
    )
    given = ListInput(on, listed, events=tuple(rated_event(regulation, each) for each in events))
    rows = by_id(regulation.next_list(given))
    for row in rows.values():
        adds_up(row, {player.id: player for player in listed}.get(row.id))
    return rows


def adds_up(row, before):
    """The steps recompute, the events explain the change, and the change explains the new rating."""
    assert [fault for step in row.steps if (fault := recompute.fault(step))] == []
    if row.change is None:
        assert row.events == ()
        return
    assert sum((share.change for share in row.events), Fraction(0)) == row.change
    old = P.start if before is None or before.rating is None else before.rating
    assert abs(row.rating - old - row.change) <= Fraction(1, 2)


def lines(steps):
    """Steps as tuples."""
    return [(step.article, step.label, step.value, step.text) for step in steps]
