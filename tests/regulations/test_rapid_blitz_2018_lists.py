"""fide-rapid-blitz-2018 (text B): article 7, 8.3 and 8.55-8.57 on a list."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_rapid_blitz_2018 import FideRapidBlitz2018
from regulations.fide_rapid_blitz_2018.lists import first_rating
from regulations.model import EventPlayer, ListInput, ListPlayer, Sample
from tests.regulations.build import by_id, event, given_changes, only_row, rated_event, value_of

B = FideRapidBlitz2018()
LIST = date(2018, 10, 1)


def sample(opponents, score, listed=date(2018, 9, 1), player="u", name=""):
    return Sample(player, listed, Fraction(1500), len(opponents), Fraction(score), tuple(opponents), name)


def listed(*changes, rating=1500, games_each=5, **player):
    given = ListInput(
        LIST,
        (ListPlayer("p", rating, **player),),
        events=given_changes(rating, *changes, k=20, games_each=games_each),
    )
    return only_row(B, given)


def told(steps):
    return [(step.article, step.label, step.value, step.text) for step in steps]


def test_8_55_8_57_the_period_is_summed_and_rounded_once():
    # ΣΔR 2 - 0.5 = 1.5 in 36 games: K 700/36 = 19.4, 19; 28.5, away from zero 29
    row = listed(40, -10, games_each=18, career_games=100, games_by_period=(3,))
    assert (row.status, row.rating, row.change, row.k, row.k_next) == (
        "active",
        1529,
        Fraction("28.5"),
        19,
        20,
    )
    assert (row.games, row.career_games, row.games_by_period) == (36, 136, (36, 3))
    assert [(share.event, share.change, share.k) for share in row.events] == [
        ("E1", 38, 19),
        ("E2", Fraction("-9.5"), 19),
    ]
    assert told(row.steps) == [
        ("8.55c", "ΣΔR", "1.5", "2 - 0.5"),
        ("8.56", "K", "19", "36 games, more than 35: 700/36, rounded down"),
        ("8.55c", "change", "28.5", "19 × 1.5"),
        ("8.57", "rounded", "29", "28.5, half-away"),
        ("8.57", "Rn", "1529", "1500 + 29"),
    ]


@pytest.mark.parametrize(("change", "rating"), [("0.5", 1501), ("-0.5", 1499), ("2.5", 1503), ("0.4", 1500)])
def test_8_57_half_a_point_away_from_zero(change, rating):
    assert listed(Fraction(change)).rating == rating


@pytest.mark.parametrize(("change", "status", "rating"), [("-5", "active", 1000), ("-6", "delisted", None)])
def test_7_21_below_1000_delisted(change, status, rating):
    row = listed(Fraction(change), rating=1005)
    assert (row.status, row.rating, row.change) == (status, rating, Fraction(change))
    assert row.k_next == (20 if rating else None)
    if rating is None:
        assert told(row.steps)[-1] == ("7.21", "status", "delisted", "999 is below 1000")


def test_7_23_no_game_in_a_year():
    # eleven periods known and this one: a whole year without a game
    row = only_row(B, ListInput(LIST, (ListPlayer("p", 1500, games_by_period=(0,) * 11),)))
    assert (row.status, row.flags, row.inactive_lists, row.rating) == ("inactive", ("i",), 1, 1500)
    assert told(row.steps)[-1] == ("7.23", "status", "inactive", "no rated game in a year")
    assert told(row.steps)[0] == ("8.55c", "ΣΔR", "0", "no games")
    unknown = only_row(B, ListInput(LIST, (ListPlayer("p", 1500, games_by_period=(0,) * 10),)))
    assert (unknown.status, unknown.inactive_lists, unknown.flags) == ("active", 0, ())
    longer = ListPlayer("p", 1500, games_by_period=(0,) * 12, inactive_lists=4)
    assert only_row(B, ListInput(LIST, (longer,))).inactive_lists == 5


def test_7_23b_one_game_brings_back():
    row = listed(0, games_each=1, games_by_period=(0,) * 12, inactive_lists=4)
    assert (row.status, row.inactive_lists) == ("active", 0)
    assert row.games_by_period == (1, *(0,) * 11)


def test_8_22_the_standard_rating_is_the_base_of_the_first_list():
    players = {"u": EventPlayer("u", None, standard_rating=2000), "a": 2000}
    played = rated_event(B, event("swiss", players, "u a 1"))
    given = ListInput(LIST, (ListPlayer("u", None), ListPlayer("a", 2000)), events=(played,))
    row = by_id(B.next_list(given))["u"]
    assert (row.rating, row.change) == (2010, 10)
    assert told(row.steps)[-1] == ("8.22", "Rn", "2010", "2000 + 10, from the standard rating")


def test_8_4_rated_between_the_event_and_its_computation():
    played = rated_event(B, event("swiss", {"u": None, "a": 2000}, "u a 1"))
    rows = by_id(
        B.next_list(ListInput(LIST, (ListPlayer("u", 1900), ListPlayer("a", 2000)), events=(played,)))
    )
    assert (rows["u"].change, rows["a"].change) == (Fraction("12.8"), 0)


# --- 7.14, 8.3: first ratings -----------------------------------------------------------------


def unrated(*samples, player=None, events=()):
    given = ListInput(LIST, (player or ListPlayer("u", None),), samples, events)
    result = B.next_list(given)
    return by_id(result)["u"], result.samples


def test_7_14_five_games_make_a_rating_from_all_opponents_together():
    # 8500/5 = 1700, 2.5 of 5
    row, kept = unrated(sample([1500, 1600], 1), sample([1700, 1800, 1900], "1.5", LIST))
    assert (row.status, row.rating, row.change, row.k, row.k_next) == ("active", 1700, None, 20, 20)
    assert (row.career_games, row.games, row.events, kept) == (5, 0, (), ())
    assert told(row.steps) == [
        ("7.14e", "Rc", "1700", "(1500 + 1600 + 1700 + 1800 + 1900)/5"),
        ("8.23", "Ru", "1700", "1700, at 50 %"),
        ("8.3", "Rn", "1700", "1700, to the nearest whole number"),
        ("7.14", "published", "yes", "5 games"),
    ]


def test_7_14_four_games_stay_pooled():
    own = sample([1500, 1600, 1700, 1801], 1)
    row, kept = unrated(own)
    assert (row.status, row.rating, row.k, row.games, row.career_games) == ("unrated", None, None, 0, 0)
    assert kept == (own,)
    # Rc 1650.25, p .25: -193; 1457.25
    assert value_of(row.steps, "Rn") == "1457"
    assert told(row.steps)[-1] == ("7.14", "published", "no", "4 of 5 games")


@pytest.mark.parametrize(("opponent", "rating"), [(1240, 1000), (1239, None)])
def test_7_14d_at_least_1000(opponent, rating):
    # 1 of 5: p .2, -240
    row, kept = unrated(sample([opponent] * 5, 1))
    assert row.rating == rating
    assert row.status == ("active" if rating else "unrated")
    if rating is None:
        assert told(row.steps)[-1] == ("7.14d", "published", "no", "999 is below 1000")
        assert len(kept) == 1


@pytest.mark.parametrize(("listed_on", "kept"), [(date(2016, 9, 1), 1), (date(2016, 8, 1), 0)])
def test_7_14c_twenty_six_months(listed_on, kept):
    row, samples = unrated(sample([1500], 1, listed_on))
    assert len(samples) == kept
    if not kept:
        assert told(row.steps) == [
            ("7.14c", "no longer pooled", "1500", "1 games of the list of 2016-08-01: over 26 months")
        ]


def test_8_3_rounded_to_the_nearest():
    # Rc 1500.5 at 50 %: 1501
    rating, steps = first_rating(B, [sample([1500, 1501], 1)])
    assert rating == 1501
    assert told(steps)[2] == ("8.3", "Rn", "1501", "1500.5, to the nearest whole number")
    assert first_rating(B, []) == (None, [])
    with pytest.raises(ValueError, match="player u: 3 games, 2 ratings"):
        first_rating(B, [replace(sample([1500, 1501], 1), games=3)])


def test_6_1_half_a_point_in_the_first_event_is_not_pooled_but_later_ones_are():
    first = rated_event(B, event("swiss", {"u": None, "a": 1500, "b": 1600}, "u a =, u b 0", id="E1"))
    row, kept = unrated(events=(first,))
    assert (row.games, kept) == (0, ())
    # a second event of the same period is not the first, though the player said so
    second = rated_event(B, event("swiss", {"u": None, "a": 1500}, "u a 0", id="E2", end=date(2018, 9, 20)))
    row, kept = unrated(events=(first, second))
    assert (row.games, [each.event for each in kept]) == (1, ["E2"])
    assert (kept[0].list_date, kept[0].opponents, kept[0].score) == (LIST, (1500,), 0)


@pytest.mark.parametrize(
    "known", [{"career_games": 1}, {"games_by_period": (0, 1)}],
)  # fmt: skip
def test_6_1_a_player_with_a_past_is_not_in_his_first_event(known):
    played = rated_event(B, event("swiss", {"u": None, "a": 1500}, "u a 0", id="E1"))
    row, kept = unrated(player=ListPlayer("u", None, **known), events=(played,))
    assert (row.games, len(kept)) == (1, 1)
    fresh, nothing = unrated(events=(played,))
    assert (fresh.games, nothing) == (0, ())
    pooled, both = unrated(sample([1500], 1), events=(played,))
    assert (pooled.games, len(both)) == (1, 2)


def test_7_22_titled_players_have_their_own_list():
    row, _ = unrated(player=ListPlayer("u", None, title="WFM", reached_k10=True))
    assert row.status == "titled-unrated"
    assert told(row.steps) == [
        ("7.22", "status", "titled-unrated", "WFM without a rating: the separate list")
    ]
    assert row.reached_k10


def test_7_21_delisted_since_the_event():
    played = rated_event(B, event("swiss", {"u": 1010, "a": 1010}, "u a 1", id="E1"))
    row, _ = unrated(events=(played,))
    assert row.rating is None
    assert told(row.steps) == [
        ("7.21", "change not applied", "10", "E1: played with a rating, no longer on the list")
    ]


def test_8_26_a_first_rating_from_one_round_robin_is_its_ru():
    """Decision 31: n/(n+1) inside a single round robin. W has 1.5 of 9: 2103 - 273 × 9/10 = 1857.3; as
    one Swiss tournament it would be less."""
    field = dict(zip("ABCDEF", range(2300, 2000, -50), strict=True)) | dict.fromkeys("UVWX")
    names = sorted(field)
    text = ", ".join(
        f"{x} {y} {'1' if x in 'ABCDEF' and y in 'WX' else '='}"
        for n, x in enumerate(names)
        for y in names[n + 1 :]
    )
    played = rated_event(B, event("round-robin", field, text, id="R"))
    rows = by_id(B.next_list(ListInput(LIST, (), events=(played,))))
    assert (rows["W"].rating, rows["U"].rating) == (1857, 2103)
    assert told(rows["W"].steps)[:2] == [
        ("8.26", "Ru", "1857.3", "of the round robin that all games belong to"),
        ("8.3", "Rn", "1857", "1857.3, to the nearest whole number"),
    ]
    # with another event beside it all opponents are averaged: (2175 × 6 + 2103 × 2 + 1857 + 1500)/10 = 2061.3
    more = rated_event(B, event("swiss", {"W": None, "z": 1500}, "W z =", id="S", end=date(2018, 9, 20)))
    rows = by_id(B.next_list(ListInput(LIST, (), events=(played, more))))
    # 2 of 10: p .2, -240
    assert value_of(rows["W"].steps, "Rc") == "2061.3"
    assert rows["W"].rating == 1821


def test_7_14a_games_of_a_round_robin_count_with_the_ru_of_unrated_opponents():
    ratings = {**dict.fromkeys("ABCD", 2000), "u": None, "v": None}
    names = sorted(ratings)
    text = ", ".join(f"{x} {y} =" for n, x in enumerate(names) for y in names[n + 1 :])
    played = rated_event(B, event("round-robin", ratings, text, id="R"))
    row, _ = unrated(events=(played,))
    # five opponents of 2000, v among them with his Ru of 2000; 2.5 of 5
    assert (row.rating, row.games) == (2000, 5)
