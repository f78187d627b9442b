"""A period by columns gives every player what the event by event path gives him."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from regulations import bulk, columns, per_game, registry, tables
from regulations.bulk import Cells, Parts, Period
from regulations.columns import Record
from regulations.fide_2024 import coefficient
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.lists import met_rated
from regulations.model import (
    BYES,
    PLAYED,
    RESULTS,
    UNPLAYED,
    Event,
    EventPlayer,
    Game,
    ListInput,
    ListPlayer,
    RatedEvent,
    Sample,
)

#: each text with a list date for which events before and after its changing rules are drawn
TEXTS = {
    "fide-rapid-blitz-2018": [date(2020, 5, 1)],
    "fide-rapid-blitz-2022": [date(2022, 5, 1)],
    "fide-standard-2024": [date(2025, 11, 1), date(2024, 6, 1), date(2026, 1, 1)],
    "fide-rapid-blitz-2024": [date(2025, 1, 1), date(2024, 6, 1)],
}
IDS = [str(number) for number in (3, 5, 10, 11, 100, 101, 7, 8)]
ratings = st.one_of(st.none(), st.integers(1390, 2800), st.sampled_from([1400, 2299, 2300, 2399, 2400, 2650]))


@st.composite
def previous_players(draw, code):
    found = []
    for each in IDS:
        if not draw(st.integers(0, 5)):
            continue  # a newcomer
        rating = draw(ratings)
        year = tuple(draw(st.lists(st.integers(0, 3), max_size=12)))
        found.append(
            ListPlayer(
                each,
                rating,
                career_games=draw(st.integers(0, 40)),
                reached_k10=draw(st.booleans()),
                title=draw(st.sampled_from(["", "", "CM"])),
                birth_year=draw(st.one_of(st.none(), st.integers(1990, 2015))),
                games_by_period=year,
                inactive_lists=draw(st.integers(0, 2)),
                highest_rating=rating and rating + draw(st.sampled_from([0, 5, 300])),
            )
        )
    return found


@st.composite
def periods(draw, code):
    """The players of a list and the events of the period that follows it, ready to be rated."""
    day = draw(st.sampled_from(TEXTS[code]))
    listed = draw(previous_players(code))
    by_id = {player.id: player for player in listed}
    births = {each: draw(st.one_of(st.none(), st.integers(1990, 2015))) for each in IDS}
    births |= {player.id: player.birth_year for player in listed}
    rapid = "rapid" in code
    events = []
    for number in range(draw(st.integers(0, 4))):
        system = draw(
            st.sampled_from(["swiss", "swiss", "team", "match", "round-robin", "double-round-robin"])
        )
        ids = draw(st.permutations(IDS))[: 2 if system == "match" else draw(st.integers(2, 8))]
        players = []
        for each in ids:
            player = by_id.get(each)
            since = player is not None and player.rating is not None and draw(st.integers(0, 7)) == 0
            older = player is not None and draw(st.integers(0, 9)) == 0
            rating = None if player is None else draw(ratings) if older else player.rating
            since = since and rating is not None
            players.append(
                EventPlayer(
                    each,
                    rating,
                    career_games=player and player.career_games,
                    reached_k10=player.reached_k10 if player and rating is not None else None,
                    birth_year=births[each],
                    standard_rating=draw(st.one_of(st.none(), st.integers(1400, 2700))) if rapid else None,
                    first_event=draw(st.booleans()),
                    rated_since_event=since,
                    highest_rating=player and player.highest_rating,
                )
            )
        games = []
        for turn in range(1, draw(st.integers(1, 6)) + 1):
            order = draw(st.permutations(ids))
            games += [
                Game(turn, white, black, draw(st.sampled_from(PLAYED * 4 + UNPLAYED)))
                for white, black in zip(order[::2], order[1::2], strict=False)
                if draw(st.integers(0, 9))
            ]
            if len(order) % 2:
                games.append(Game(turn, order[-1], None, draw(st.sampled_from(BYES))))
        if system == "round-robin" and draw(st.booleans()):  # a complete one
            pairs = [(x, y) for x in ids for y in ids if x < y]
            games = [Game(n, x, y, draw(st.sampled_from(PLAYED))) for n, (x, y) in enumerate(pairs, 1)]
        start = draw(st.sampled_from([day.replace(day=1), date(day.year - 1, 12, 28), date(2025, 9, 30)]))
        events.append(
            Event(
                system,
                tuple(players),
                tuple(games),
                start=start,
                end=start,
                flags=frozenset(draw(st.sampled_from([(), (), (), ("hybrid",)]))),
                scheduled_games=draw(st.one_of(st.none(), st.integers(1, 9))),
                id=f"{number + 1}.1",
                minutes_for_60_moves=draw(st.sampled_from([None, Fraction(120), Fraction(90), Fraction(60)])),
            )
        )
    samples = [
        Sample(each, day, Fraction(1700), 2, Fraction(1), (1700, 1700), f"9{each}.1")
        for each in IDS
        if (each not in by_id or by_id[each].rating is None) and not draw(st.integers(0, 3))
    ]
    return day, listed, events, samples


def one_by_one(regulation, day, listed, events, samples):
    """As ``ratinglists.computation`` rates the events and makes the list."""
    seen, games, rated = set(), Counter(), []
    for event in events:
        players = tuple(replace(p, first_event=p.first_event and p.id not in seen) for p in event.players)
        event = replace(event, players=players)
        result = regulation.rate(event)
        for player in result.players:
            games[player.id] += player.games
        seen |= met_rated(event)
        rated.append((event, result))
    ready = []
    for event, result in rated:
        if any(player.games != games[player.id] for player in result.players):
            players = tuple(replace(p, games_in_period=games[p.id]) for p in event.players)
            event = replace(event, players=players)
            result = regulation.rate(event)
        ready.append(RatedEvent(event, result))
    return ready, regulation.next_list(ListInput(day, tuple(listed), tuple(samples), tuple(ready)))


def column(values, dtype=np.int32):
    return np.array(list(values), dtype)


def or_else(value, missing):
    return missing if value is None else value


def as_columns(regulation, day, listed, events, samples) -> Period:
    entries = [(number, player) for number, event in enumerate(events) for player in event.players]
    place = {(number, player.id): at for at, (number, player) in enumerate(entries)}
    games = [(number, game) for number, event in enumerate(events) for game in event.games]
    listed = sorted(listed, key=lambda player: int(player.id))
    people = {player.id: player for player in listed}
    of = [player for _, player in entries]
    return Period(
        list_date=day,
        regulation=regulation,
        events=[replace(event, players=(), games=()) for event in events],
        regulations=[regulation] * len(events),
        parts=Parts(
            column((number for number, _ in entries)),
            column((int(p.id) for p in of), np.int64),
            column(or_else(p.rating, 0) for p in of),
            column((p.rated_since_event for p in of), bool),
            column(or_else(p.standard_rating, 0) for p in of),
            column(or_else(p.career_games, -1) for p in of),
            column(or_else(p.reached_k10, -1) for p in of),
            column(or_else(p.birth_year, 0) for p in of),
            column(or_else(p.highest_rating, 0) for p in of),
            column((p.first_event for p in of), bool),
        ),
        cells=Cells(
            column(place[number, game.white] for number, game in games),
            column(-1 if game.black is None else place[number, game.black] for number, game in games),
            column(game.round for _, game in games),
            column(RESULTS.index(game.result) for _, game in games),
            {},
        ),
        players=column((int(p.id) for p in listed), np.int64),
        record=Record(
            column(or_else(p.rating, 0) for p in listed),
            column(p.career_games for p in listed),
            column((p.reached_k10 for p in listed), bool),
            column(or_else(p.birth_year, 0) for p in listed),
            column(or_else(p.highest_rating, 0) for p in listed),
            column(p.inactive_lists for p in listed),
            column(sum(p.games_by_period[:11]) for p in listed),
            column(len(p.games_by_period) for p in listed),
        ),
        odd=column((int(p.id) for p in listed if p.rating is None), np.int64),
        listed=lambda ids: tuple(people[str(pk)] for pk in ids.tolist() if str(pk) in people),
        samples=samples,
        reference_standard={},
    )


def figures(result):
    return (
        result.status, result.games, result.score, result.rc, result.expected, result.k, result.change,
        result.performance, result.pooled,
    )  # fmt: skip


def of_columns(outcome, at):
    """The figures of an ordinary part, as exact numbers."""
    sums, games, k = outcome.sums, int(outcome.sums.games[at]), int(outcome.k[at])
    score, gain = Fraction(int(sums.halves[at]), 2), Fraction(int(sums.gain[at]), 100)
    rc = Fraction(int(sums.ratings[at]), games) if games else None
    return ("rated", games, score, rc, score - gain, k, k * gain, None, None)


@pytest.mark.parametrize("code", TEXTS)
@given(data=st.data())
@settings(max_examples=60, deadline=None, phases=[Phase.generate])
def test_columns_give_what_events_give(code, data):
    regulation = registry.get(code)
    period = data.draw(periods(code))
    ready, expected = one_by_one(regulation, *period)
    given_ = as_columns(regulation, *period)
    outcome = bulk.compute(given_)
    met = outcome.met.tolist()
    for at, (number, player) in enumerate(
        zip(given_.parts.event.tolist(), map(str, given_.parts.player.tolist()), strict=True)
    ):
        told = next(each for each in ready[number].result.players if each.id == player)
        own = figures(outcome.special[at]) if at in outcome.special else of_columns(outcome, at)
        assert own == figures(told)
        assert met[at] == (player in met_rated(ready[number].event))
        if at in outcome.special:
            assert outcome.special[at] == told
    assert [replace(event.result, players=()) for event in ready] == outcome.events
    rows = {row.id: row for row in expected.players}
    special = {row.id: row for row in outcome.result.players}
    for at, player in enumerate(map(str, given_.players.tolist())):
        if not outcome.ordinary[at]:
            continue
        assert player not in special
        row, made = rows.pop(player), outcome.rows
        assert (row.rating or 0) == made.rating[at]
        assert row.change == Fraction(int(made.change[at]), 100)
        assert (row.k, row.games, row.career_games) == (made.k[at], outcome.games[at], made.career[at])
        assert (row.k_next or 0, row.reached_k10) == (made.k_next[at], bool(made.reached[at]))
        assert row.inactive_lists == made.inactive[at]
        text = regulation.by_columns
        lost = text.below_floor if not made.rating[at] else "inactive" if made.inactive[at] else "active"
        assert row.status == lost
    assert rows == special
    assert expected.samples == outcome.result.samples


@pytest.mark.parametrize("code", TEXTS)
def test_columns_and_single_values_are_one_function(code):
    """Every formula that both ways share says the same of a column as of each of its values."""
    regulation = registry.get(code)
    text = regulation.by_columns
    games = np.arange(0, 90)
    for k in (10, 20, 40):
        assert text.period_k(k, games).tolist() == [text.period_k(k, int(each)) for each in games]
    rating = np.arange(1300, 2900, 7)
    for opponent in (1400, 2301, 2650, 2800):
        event = Event("swiss", (), (), start=TEXTS[code][0])
        era = text.era(event)
        d = text.differences(era, rating, opponent)
        assert d.tolist() == [text.differences(era, int(each), opponent) for each in rating]
        assert per_game.gain(d, 1)[1].tolist() == [per_game.gain(int(each), 1)[1] for each in d]
        counts = text.counted(era, rating, opponent)
        assert counts.tolist() == [bool(text.counted(era, int(each), opponent)) for each in rating]
    for reached in (False, True):
        for age in (18, 19, coefficient.NO_AGE):
            own = text.k(rating, 29, np.full(len(rating), reached), age, rating + 100)
            assert own.tolist() == [text.k(int(r), 29, reached, age, int(r) + 100) for r in rating]


def test_the_table_is_looked_up_as_it_is():
    differences = np.arange(-2000, 2001)
    assert columns.looked_up(differences).tolist() == [tables.pd(int(each)) for each in differences]


def test_a_text_that_works_on_averages_does_not_go_by_columns():
    assert bulk.applies([registry.get(code) for code in TEXTS])
    assert not bulk.applies([registry.get("fide-standard-2004")])


def test_a_text_that_rates_otherwise_does_not_inherit_the_columns():
    """A federation's own regulation, as docs/developers/own-regulation.md shows it."""

    class Same(FideRapidBlitz2022):
        k: int = 30

    class Other(FideRapidBlitz2022):
        def rate(self, event, only=None):
            return super().rate(event, only)

    assert bulk.applies([Same()])
    assert not bulk.applies([Other()])


def test_the_columns_know_the_results():
    """Their places are those of ``PLAYED``, and those of ``RESULTS`` begin alike."""
    assert RESULTS[: len(PLAYED)] == PLAYED
    assert columns.WHITE_HALVES.tolist() == [2, 0, 1]
