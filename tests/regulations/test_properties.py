"""What holds for every event and list of the texts of 2004 and 2022 in particular."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_standard_2004 import FideStandard2004
from regulations.model import PLAYED
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
