"""What holds under every regulation: order and colours never matter, explanations can be recomputed."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations import registry
from regulations.exact import show
from regulations.model import PLAYED, Event, EventPlayer, Game, Step
from tests.regulations import recompute
from tests.regulations.strategies import events, round_robins

every = pytest.mark.parametrize("regulation", registry.all_regulations(), ids=lambda each: each.code)
MIRROR = {"1-0": "0-1", "0-1": "1-0", "+/-": "-/+", "-/+": "+/-"}
few = settings(max_examples=40)


def turned(game):
    """The same game with the colours changed."""
    if game.black is None:
        return game
    return replace(game, white=game.black, black=game.white, result=MIRROR.get(game.result, game.result))


def figures(result):
    return {
        each.id: (each.status, each.games, each.score, each.rc, each.expected, each.k, each.change,
                  each.performance, each.pooled)
        for each in result.players
    }  # fmt: skip


@every
@few
@given(event=st.one_of(events(), round_robins()), shuffle=st.randoms(use_true_random=False))
def test_the_order_of_players_and_games_never_matters(regulation, event, shuffle):
    players, games = list(event.players), list(event.games)
    shuffle.shuffle(players)
    shuffle.shuffle(games)
    mixed = replace(event, players=tuple(players), games=tuple(games))
    assert regulation.rate(mixed) == regulation.rate(event)


@every
@few
@given(event=st.one_of(events(), round_robins()))
def test_colours_never_matter(regulation, event):
    other = replace(event, games=tuple(map(turned, event.games)))
    assert figures(regulation.rate(other)) == figures(regulation.rate(event))


@every
@few
@given(event=st.one_of(events(), round_robins()))
def test_each_game_counts_or_has_its_reason(regulation, event):
    for player in regulation.rate(event).players:
        own = sorted(game.round for game in event.games if player.id in (game.white, game.black))
        lines = [game.round for game in player.counted] + [game.round for game in player.uncounted]
        assert sorted(lines) == own
        assert len(player.counted) == player.games
        assert sum((game.score for game in player.counted), Fraction(0)) == player.score
        assert all(game.article and game.reason for game in player.uncounted)
        assert all(game.article for game in player.counted)


@every
@settings(max_examples=100)
@given(event=st.one_of(events(), round_robins()))
def test_every_step_recomputes_to_its_printed_value(regulation, event):
    result = regulation.rate(event)
    faults = [fault for player in result.players for step in player.steps if (fault := recompute.fault(step))]
    assert faults == []


@every
@few
@given(event=st.one_of(events(), round_robins()))
def test_the_last_step_is_the_change_or_the_performance(regulation, event):
    """What the sheet ends with is what the player gets."""
    for player in regulation.rate(event).players:
        values = {step.value for step in player.steps}
        if player.status == "rated" and player.games:
            assert show(player.change) in values
        elif player.performance is not None:
            assert show(player.performance) in values


@every
@few
@given(event=events(systems=("match",), results=PLAYED, rating=st.integers(1805, 2190)))
def test_what_one_wins_the_other_loses(regulation, event):
    """Two players of one K, no cap and no rounding: PD(D) + PD(-D) = 1, so the changes sum to nothing."""
    first = event.players[0].rating
    players = tuple(
        EventPlayer(each.id, rating, career_games=50)
        for each, rating in zip(event.players, (first, min(first + 190, each_rating(event))), strict=True)
    )
    one, two = regulation.rate(replace(event, players=players)).players
    if one.k == two.k and one.k is not None:
        assert (one.change or 0) == -(two.change or 0)


@st.composite
def mirrored(draw):
    """A round robin of players of one K whose ratings lie in pairs around 2295, close to each other."""
    distances = draw(st.lists(st.integers(0, 95), min_size=2, max_size=5))
    ratings = [2295 + sign * distance for distance in distances for sign in (1, -1)]
    players = tuple(EventPlayer(chr(97 + n), rating, career_games=50) for n, rating in enumerate(ratings))
    ids = [player.id for player in players]
    games = tuple(
        Game(number, white, black, draw(st.sampled_from(PLAYED)))
        for number, (white, black) in enumerate(combinations(ids, 2))
    )
    return Event("round-robin", players, games, id="M")


@every
@few
@given(event=mirrored())
def test_a_closed_pool_keeps_its_points(regulation, event):
    """One K, no limit reached, nothing rounded to the list. Game by game PD(D) + PD(-D) = 1; by averages
    the players of a pair have the same D with the other sign: either way what is won is lost."""
    result = regulation.rate(event)
    assert result.rated
    assert len({player.k for player in result.players}) == 1
    assert sum(player.change for player in result.players) == 0


def each_rating(event):
    return event.players[1].rating


@pytest.mark.parametrize(
    ("value", "text", "right"),
    [
        ("2348", "2375 - 29.5 × 9/10 = 2348.45, rounded", True),
        ("2347", "2375 - 29.5 × 9/10 = 2348.45, rounded", False),
        ("20", "4 × 20 = 80, not over 700", False),
        ("4.8", "15 × (1 - 0.68)", True),
        ("4.9", "15 × (1 - 0.68)", False),
        ("0.32", "b: D 2143 - 2010 = 133; PD 0.68; 1 - 0.68", True),
        ("2010", "(2000 + 2020)/2", True),
        ("active", "no sum", True),
    ],
)
def test_the_pocket_calculator(value, text, right):
    assert (recompute.fault(Step("1", "x", value, text)) == "") is right
