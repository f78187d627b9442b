"""Short ways to write events in the tests of the regulations."""

from fractions import Fraction

from regulations.model import (
    Event,
    EventPlayer,
    EventResult,
    Game,
    ListInput,
    PlayerResult,
    RatedEvent,
    Stage,
)

RESULT = {"1": "1-0", "0": "0-1", "=": "1/2-1/2", "+": "+/-", "-": "-/+"}


def stages(*minutes, increment=0, first=40):
    """Stages of so many minutes: ``first`` moves for each but the last, which ends the game."""
    return tuple(
        Stage(first if place < len(minutes) - 1 else None, Fraction(each), increment)
        for place, each in enumerate(minutes)
    )


def games(text):
    """``"A B 1, C D ="``: each game in its own round."""
    found = []
    for number, part in enumerate(text.split(","), start=1):
        white, black, result = part.split()
        found.append(Game(number, white, black, RESULT.get(result, result)))
    return tuple(found)


def event(system, ratings, text, **more):
    """An event; a value of ``ratings`` is a rating, None or a whole EventPlayer."""
    players = tuple(
        value if isinstance(value, EventPlayer) else EventPlayer(name, value)
        for name, value in ratings.items()
    )
    return Event(system, players, games(text), **more)


def by_id(result):
    """Players or rows by identifier."""
    return {each.id: each for each in result.players}


def rated_event(regulation, played):
    """An event with its result."""
    return RatedEvent(played, regulation.rate(played))


def given_changes(rating, *changes, k=15, games_each=5):
    """Events of one player "p" in which the change is already known."""
    return tuple(
        RatedEvent(
            Event("swiss", (EventPlayer("p", rating),), (), id=f"E{number}"),
            EventResult(
                True,
                "swiss",
                (),
                (
                    PlayerResult(
                        "p",
                        "rated",
                        games_each,
                        Fraction(change) / k,
                        expected=Fraction(0),
                        k=k,
                        change=Fraction(change),
                    ),
                ),
            ),
        )
        for number, change in enumerate(changes, start=1)
    )


def only_row(regulation, given: ListInput):
    """The single row of a list of one player."""
    (row,) = regulation.next_list(given).players
    return row


def value_of(steps, label):
    """The value of the last step with this label."""
    return [step.value for step in steps if step.label == label][-1]
