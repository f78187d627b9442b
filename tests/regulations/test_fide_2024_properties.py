"""What holds for every event and list of fide-standard-2024 and fide-rapid-blitz-2024."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024
from regulations.model import (
    PLAYED,
    UNPLAYED,
    Event,
    EventPlayer,
    Game,
    ListInput,
    ListPlayer,
)
from tests.regulations.build import event, rated_event

MAY = date(2024, 5, 1)
STANDARD, RAPID = FideStandard2024(), FideRapidBlitz2024()


@st.composite
def events(draw):
    """A few rounds among six players, with or without ratings, in either year of the amendments."""
    ids = "abcdef"
    rating = st.one_of(st.none(), st.integers(1400, 2850))
    players = tuple(
        EventPlayer(
            each,
            draw(rating),
            career_games=draw(st.one_of(st.none(), st.integers(0, 40))),
            birth_year=draw(st.sampled_from([None, 1980, 2007, 2010])),
            standard_rating=draw(rating),
            first_event=draw(st.booleans()),
        )
        for each in ids
    )
    games = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        order = draw(st.permutations(ids))
        games += [
            Game(number, white, black, draw(st.sampled_from(PLAYED + UNPLAYED)))
            for white, black in zip(order[::2], order[1::2], strict=True)
        ]
    start = draw(st.sampled_from([date(2024, 6, 1), date(2025, 6, 1), date(2026, 6, 1)]))
    return Event("swiss", players, tuple(games), start=start)


MIRROR = {"1-0": "0-1", "0-1": "1-0", "+/-": "-/+", "-/+": "+/-"}


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([STANDARD, RAPID]), events(), st.randoms(use_true_random=False))
def test_order_and_colours_never_matter_in_2024(rules, played, shuffle):
    """The same numbers for players and games in any order, and with colours swapped."""
    expected = rules.rate(played)
    players, games = list(played.players), list(played.games)
    shuffle.shuffle(players)
    shuffle.shuffle(games)
    assert rules.rate(replace(played, players=tuple(players), games=tuple(games))) == expected
    swapped = tuple(
        Game(game.round, game.black, game.white, MIRROR.get(game.result, game.result)) for game in games
    )
    other = rules.rate(replace(played, games=swapped))
    assert [replace(each, counted=()) for each in other.players] == [
        replace(each, counted=()) for each in expected.players
    ]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([STANDARD, RAPID]), events())
def test_what_each_result_adds_up_to(rules, played):
    """Change = K × (score - expected); every game is counted or not; K is one of the text's or less."""
    result = rules.rate(played)
    for player in result.players:
        lines = sum(player.id in (game.white, game.black) for game in played.games)
        assert len(player.counted) + len(player.uncounted) == lines
        assert player.games == len(player.counted)
        if player.status == "rated":
            assert player.change == player.k * (player.score - player.expected)
            assert player.k in (10, 20, 40)
        elif player.games:
            assert 0 < player.performance <= 2200


@st.composite
def periods(draw):
    """Some events of a month among the players of a list and two who are new."""
    rating = st.one_of(st.none(), st.integers(1400, 2750))
    previous = [ListPlayer(each, draw(rating), draw(st.integers(0, 40))) for each in "abcd"]
    rules = draw(st.sampled_from([STANDARD, RAPID]))
    ratings = {player.id: EventPlayer(player.id, player.rating, player.career_games) for player in previous}
    ratings |= {"e": EventPlayer("e", None), "f": EventPlayer("f", None, standard_rating=1900)}
    events = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations("abcdef"))
        text = ", ".join(
            f"{white} {black} {draw(st.sampled_from('10='))}"
            for white, black in zip(order[::2], order[1::2], strict=True)
        )
        events.append(
            rated_event(rules, event("swiss", ratings, text, end=date(2024, 4, number), id=f"E{number}"))
        )
    return rules, previous, events


@settings(max_examples=40, deadline=None)
@given(periods(), st.randoms(use_true_random=False))
def test_a_list_of_2024_is_the_same_in_any_order(drawn, shuffle):
    """The order of events and players never matters; a change is its events' shares."""
    rules, previous, events = drawn
    expected = rules.next_list(ListInput(MAY, tuple(previous), events=tuple(events)))
    for row in expected.players:
        assert row.rating is None or row.rating >= 1400
        if row.change is not None:
            assert row.change == sum((share.change for share in row.events), Fraction(0))
            assert row.games * row.k <= 700
    shuffle.shuffle(previous)
    shuffle.shuffle(events)
    assert rules.next_list(ListInput(MAY, tuple(previous), events=tuple(events))) == expected
