"""What holds for the lists of every regulation: no order matters, every row adds up."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations import lists, registry
from regulations.base import PRINTED
from regulations.model import ListInput, ListPlayer, Sample
from tests.regulations import recompute
from tests.regulations.build import by_id, event, rated_event
from tests.regulations.strategies import events

every = pytest.mark.parametrize("regulation", registry.all_regulations(), ids=lambda each: each.code)


@st.composite
def periods(draw, regulation):
    """A previous list and some events of its period; a step of the list is kept."""
    step = regulation.list_step
    previous = tuple(
        ListPlayer(
            chr(97 + number),
            draw(st.one_of(st.none(), st.integers(1810 // step, 2700 // step).map(lambda n: n * step))),
            career_games=draw(st.one_of(st.none(), st.integers(0, 50))),
            birth_year=draw(st.one_of(st.none(), st.integers(1950, 2015))),
            games_by_period=tuple(draw(st.lists(st.integers(0, 3), max_size=12))),
            inactive_lists=draw(st.integers(0, 9)),
        )
        for number in range(draw(st.integers(0, 8)))
    )
    known = {player.id: player.rating for player in previous}
    found = []
    for number in range(draw(st.integers(0, 4))):
        drawn = draw(events(name=f"E{number}"))
        players = tuple(
            replace(player, rating=known.get(player.id, player.rating)) for player in drawn.players
        )
        found.append(rated_event(regulation, replace(drawn, players=players)))
    return ListInput(date(2022, 7, 1), previous, (), tuple(found))


@every
@settings(max_examples=40)
@given(data=st.data(), shuffle=st.randoms(use_true_random=False))
def test_a_list_does_not_depend_on_the_order_of_its_input(regulation, data, shuffle):
    given_ = data.draw(periods(regulation))
    previous, found = list(given_.previous), list(given_.events)
    shuffle.shuffle(previous)
    shuffle.shuffle(found)
    mixed = replace(given_, previous=tuple(previous), events=tuple(found))
    result = regulation.next_list(given_)
    assert regulation.next_list(mixed) == result
    assert lists.digest(regulation, mixed, result) == lists.digest(regulation, given_, result)


@every
@settings(max_examples=60)
@given(data=st.data())
def test_every_row_adds_up_and_recomputes(regulation, data):
    given_ = data.draw(periods(regulation))
    result = regulation.next_list(given_)
    ids = {player.id for player in given_.previous}
    ids |= {player.id for event in given_.events if event.result.rated for player in event.event.players}
    rows = by_id(result)
    assert set(rows) == ids
    assert [row.id for row in result.players] == sorted(rows)
    assert {each.player for each in result.samples} <= {
        row.id for row in result.players if row.rating is None
    }
    for player in given_.previous:
        row = rows[player.id]
        assert row.rating is None or (
            row.rating >= regulation.floor and row.rating % regulation.list_step == 0
        )
        assert sum((share.change for share in row.events), Fraction(0)) == (row.change or 0)
        if player.rating is not None and row.rating is not None:
            assert abs(row.rating - player.rating - row.change) <= Fraction(regulation.list_step, 2)
            if player.career_games is not None:
                assert row.career_games == player.career_games + row.games
            assert row.k_next is not None
    assert [fault for row in result.players for step in row.steps if (fault := recompute.fault(step))] == []


# postal chess gives everybody a rating at once: nothing is pooled; what others bring may keep nothing
pooling = pytest.mark.parametrize(
    "regulation",
    [make() for make in registry.BUILT_IN if not make.counts_finished_games],
    ids=lambda each: each.code,
)


@pooling
def test_what_everybody_has_pooled_is_kept(regulation):
    """Two unrated players with a result each, and a third with one of an earlier period."""
    ratings = {"u": None, "v": None, **dict.fromkeys("abcd", 2000)}
    played = rated_event(
        regulation,
        event("swiss", ratings, "u a 1, u b =, u c =, u d =, v a 1, v b =, v c =, v d =", id="E"),
    )
    early = Sample(
        "w", regulation.next_list_date(date(2022, 2, 15)), Fraction(2000), 4, Fraction(2), (2000,) * 4
    )
    given_ = ListInput(regulation.next_list_date(date(2022, 6, 15)), (), (early,), (played,))
    result = regulation.next_list(given_)
    assert [(each.player, each.games) for each in result.samples] == [("u", 4), ("v", 4), ("w", 4)]
    assert {row.id: row.status for row in result.players if row.id in "uvw"} == dict.fromkeys(
        "uvw", "unrated"
    )


@every
def test_calendars_are_consistent(regulation):
    """Lists follow each other, and an event that ends on the closing day comes into that very list."""
    day = regulation.next_list_date(date(2023, 1, 15))
    for _ in range(8):
        following = regulation.next_list_date(day)
        assert day < following
        assert regulation.closing_date(day) < day
        assert regulation.closing_date(day) <= regulation.closing_date(day, official=True) < day
        assert regulation.closing_date(day) < regulation.closing_date(following)
        assert regulation.last_receipt(day) >= regulation.closing_date(day)
        end = regulation.closing_date(day)
        found = regulation.report_findings(end=end, received=end, list_date=day)
        assert [each for each in found if each.severity == "error"] == []
        last = regulation.last_list_for(end)
        assert last is None or last >= day
        day = following


@every
def test_a_regulation_says_what_it_is(regulation):
    assert set(regulation.printed) <= set(PRINTED)
    assert {"id", "name", "rating"} <= set(regulation.printed)
    assert all(each.article and each.meaning for each in regulation.parameters.values())
    grown = {"birth_year": 1970, "on": date(2024, 5, 1)}
    assert regulation.k_of(rating=2000, career_games=100, reached_k10=False, **grown) > 0
