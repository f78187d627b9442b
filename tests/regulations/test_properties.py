"""What holds for every event and list of the texts of 2004 and 2022 in particular."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from regulations import lists
from regulations.exact import half_up
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_standard_2004 import FideStandard2004
from regulations.model import PLAYED, ListInput, ListPlayer
from tests.regulations.build import by_id, rated_event
from tests.regulations.strategies import events, round_robins

STANDARD, RAPID = FideStandard2004(), FideRapidBlitz2022()
regulations = st.sampled_from([STANDARD, RAPID])


@given(regulations, st.one_of(events(), round_robins()))
def test_changes_are_bounded_and_explained(regulation, event):
    for player in regulation.rate(event).players:
        if player.status == "rated":
            assert abs(player.change) <= player.k * player.games
            assert player.change == player.k * (player.score - player.expected)
            assert 0 <= player.expected <= player.games
        else:
            assert (player.change, player.k) == (None, None)
            assert (player.performance is None) == (player.games == 0)
        assert all(step.article and step.label and step.value for step in player.steps)


@given(events(systems=("swiss", "team"), results=PLAYED, rating=st.integers(1400, 2800)))
def test_game_by_game_what_one_wins_the_other_loses(event):
    """C 7.32: PD(D) + PD(-D) = 1 and one K for all, so the changes of a closed pool sum to nothing."""
    assert sum(player.change for player in RAPID.rate(event).players) == 0


@given(events(systems=("match",), results=PLAYED, rating=st.integers(1801, 2399)))
def test_two_players_of_equal_k_share_a_match(event):
    """A 10.51-10.54 with one opponent each: the same D with the other sign."""
    equal = tuple(replace(player, career_games=50) for player in event.players)
    first, second = STANDARD.rate(replace(event, players=equal)).players
    assert first.change == -second.change


@given(round_robins())
def test_literal_round_robins_of_rated_players_average_the_opponents(event):
    """A 10.51: (Ra (n+1) - R)/n is the average of the others when all are rated."""
    rated = tuple(replace(player, rating=player.rating or 1900) for player in event.players)
    for own in STANDARD.rate(replace(event, players=rated)).players:
        others = [
            max(own_rating - 350, min(own_rating + 350, other.rating))
            for own_rating in [next(each.rating for each in rated if each.id == own.id)]
            for other in rated
            if other.id != own.id
        ]
        assert own.rc == Fraction(sum(others), len(others))


@st.composite
def periods(draw, regulation):
    """A previous list and some events of its period."""
    previous = tuple(
        ListPlayer(
            chr(97 + number),
            draw(st.one_of(st.none(), st.integers(1801, 2700))),
            career_games=draw(st.one_of(st.none(), st.integers(0, 50))),
            games_by_period=tuple(draw(st.lists(st.integers(0, 3), max_size=12))),
            inactive_lists=draw(st.integers(0, 9)),
        )
        for number in range(draw(st.integers(0, 8)))
    )
    known = {player.id: player.rating for player in previous}
    found = []
    for number in range(draw(st.integers(0, 4))):
        event = draw(events(name=f"E{number}"))
        players = tuple(
            replace(player, rating=draw(st.sampled_from([known.get(player.id), player.rating])))
            for player in event.players
        )
        found.append(rated_event(regulation, replace(event, players=players)))
    return ListInput(date(2022, 7, 1), previous, (), tuple(found))


@settings(max_examples=60)
@given(st.data(), regulations, st.randoms(use_true_random=False))
def test_a_list_does_not_depend_on_the_order_of_its_input(data, regulation, shuffle):
    given_ = data.draw(periods(regulation))
    previous, found = list(given_.previous), list(given_.events)
    shuffle.shuffle(previous)
    shuffle.shuffle(found)
    mixed = replace(given_, previous=tuple(previous), events=tuple(found))
    result = regulation.next_list(given_)
    assert regulation.next_list(mixed) == result
    assert lists.digest(regulation, mixed, result) == lists.digest(regulation, given_, result)


@settings(max_examples=60)
@given(st.data(), regulations)
def test_every_row_adds_up(data, regulation):
    given_ = data.draw(periods(regulation))
    result = regulation.next_list(given_)
    ids = {player.id for player in given_.previous}
    ids |= {player.id for event in given_.events if event.result.rated for player in event.event.players}
    rows = by_id(result)
    assert set(rows) == ids
    assert [row.id for row in result.players] == sorted(rows)
    assert {sample.player for sample in result.samples} <= {
        row.id for row in result.players if row.rating is None
    }
    for player in given_.previous:
        row = rows[player.id]
        assert row.rating is None or row.rating >= regulation.floor
        assert sum((share.change for share in row.events), Fraction(0)) == (row.change or 0)
        if player.rating is not None:
            assert row.career_games == lists.career_games(player) + row.games
            if row.rating is not None and regulation is STANDARD:
                assert row.rating == half_up(player.rating + row.change)
            if row.rating is not None:
                assert abs(row.rating - player.rating - row.change) <= Fraction(1, 2)
