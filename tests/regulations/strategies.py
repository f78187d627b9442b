"""Random events that every regulation can be asked about."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from regulations.model import BYES, PLAYED, SYSTEMS, UNPLAYED, Event, EventPlayer, Game

ratings = st.one_of(st.none(), st.integers(1400, 2800))


@st.composite
def events(draw, systems=SYSTEMS, results=PLAYED + UNPLAYED, rating=ratings, name="E", day=None):
    """An event of some rounds in which players meet as the draw has it."""
    system = draw(st.sampled_from(systems))
    ids = ["a", "b"] if system == "match" else [chr(97 + n) for n in range(draw(st.integers(2, 8)))]
    players = tuple(
        EventPlayer(
            each,
            draw(rating),
            career_games=draw(st.one_of(st.none(), st.integers(0, 60))),
            birth_year=draw(st.one_of(st.none(), st.integers(1950, 2015))),
            first_event=draw(st.booleans()),
        )
        for each in ids
    )
    games = []
    for number in range(1, draw(st.integers(1, 7)) + 1):
        order = draw(st.permutations(ids))
        games += [
            Game(number, white, black, draw(st.sampled_from(results)))
            for white, black in zip(order[::2], order[1::2], strict=False)
        ]
        if len(order) % 2:
            games.append(Game(number, order[-1], None, draw(st.sampled_from(BYES))))
    scheduled = draw(st.one_of(st.none(), st.integers(1, 12)))
    end = day or date(2022, 4, draw(st.integers(1, 28)))
    return Event(system, players, tuple(games), start=end, end=end, scheduled_games=scheduled, id=name)


@st.composite
def round_robins(draw, results=PLAYED):
    """A complete round robin with enough rated players for every text."""
    count = draw(st.integers(6, 10))
    ids = [chr(97 + n) for n in range(count)]
    players = tuple(
        EventPlayer(each, draw(st.integers(1805, 2800) if place < 5 else ratings))
        for place, each in enumerate(ids)
    )
    games = tuple(
        Game(number, white, black, draw(st.sampled_from(results)))
        for number, (white, black) in enumerate((x, y) for x in ids for y in ids if x < y)
    )
    return Event("round-robin", players, games, id="R", start=date(2022, 4, 1), end=date(2022, 4, 9))
