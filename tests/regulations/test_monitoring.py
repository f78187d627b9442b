"""Monitoring of the scale (A 12.3, B 10.3, FEDA 11.1): figures derived by hand, and what always holds."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations import monitoring
from regulations.monitoring import Band, Estimate, Game, Reading, Share

F = Fraction


def game(rating: int, opponent: int, expected: str, score: str) -> Game:
    return Game(rating, opponent, F(expected), F(score))


# --- estimates ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [
        ("0", 6, "0"),
        ("49", 6, "7"),
        ("1/4", 3, "0.5"),
        ("2", 3, "1.415"),  # 1.41421… upwards
        ("2", 0, "2"),
        ("3", 0, "2"),
        ("4", 0, "2"),
        ("5", 0, "3"),
        ("1/3", 2, "0.58"),  # 0.57735…
        ("0.0001", 2, "0.01"),
        ("0.00010001", 2, "0.02"),
        ("2", 6, "1.414214"),
        ("1/1000000000000", 6, "0.000001"),
    ],
)
def test_roots_are_taken_upwards(value, digits, expected):
    assert monitoring.root(F(value), digits) == F(expected)


def test_roots_have_six_digits_unless_asked_otherwise():
    assert monitoring.root(F(2)) == F("1.414214")
    assert monitoring.ROOT_DIGITS == 6


def test_a_mean_with_its_interval():
    """10 and -4: mean 3, s² = 49 + 49 = 98, s²/n = 49, half width 1.96 × 7 = 13.72."""
    found = monitoring.estimate([10, -4])
    assert found == Estimate(2, F(3), F("13.72"))
    assert (found.low, found.high) == (F("-10.72"), F("16.72"))
    assert found.excludes_zero is False


def test_a_mean_of_three():
    """1, 2, 6: mean 3, squares 4 + 1 + 9 = 14, /2 /3 = 7/3, root 1.527526 (1.5275252…)."""
    assert monitoring.estimate([1, 2, 6]) == Estimate(3, F(3), F("1.96") * F("1.527526"))


def test_one_observation_has_no_interval_and_none_no_mean():
    alone = monitoring.estimate([5])
    assert alone == Estimate(1, F(5), None)
    assert (alone.low, alone.high, alone.excludes_zero) == (None, None, False)
    nothing = monitoring.estimate([])
    assert nothing == Estimate(0, None, None)
    assert (nothing.low, nothing.high, nothing.excludes_zero) == (None, None, False)
    assert (Estimate(0, None, F(1)).low, Estimate(0, None, F(1)).high) == (None, None)


@pytest.mark.parametrize(
    ("mean", "half_width", "excludes"),
    [("2", "1.99", True), ("2", "2", False), ("-2", "1.99", True), ("-2", "2", False), ("0", "0", False)],
)
def test_zero_is_outside_the_interval_or_on_its_border(mean, half_width, excludes):
    assert Estimate(50, F(mean), F(half_width)).excludes_zero is excludes


def test_a_sign_of_drift_needs_observations_enough():
    assert monitoring.LEAST_OBSERVATIONS == 30
    assert Estimate(30, F(2), F(1)).is_sign() is True
    assert Estimate(29, F(2), F(1)).is_sign() is False
    assert Estimate(30, F(1), F(2)).is_sign() is False
    assert Estimate(9, F(2), F(1)).is_sign(9) is True
    assert Estimate(9, F(2), F(1)).is_sign(10) is False


def test_clusters_stand_for_one_observation_each():
    """A pair summing to 0, and two single ones of 1: n 4, mean 1/2.

    From the mean of their size the sums are off by 0 - 1 = -1, 1/2 and 1/2: squares 3/2; with three
    clusters 3/2 × 3/2 / 16 = 9/64, root 3/8, half width 0.735.
    """
    found = monitoring.clustered({(F(0), 2): 1, (F(1), 1): 2})
    assert found == Estimate(4, F(1, 2), F("0.735"))
    assert monitoring.clustered({(F(0), 2): 1}) == Estimate(2, F(0), None)
    assert monitoring.clustered({}) == Estimate(0, None, None)


@given(st.lists(st.integers(-50, 50), max_size=12))
@settings(max_examples=40)
def test_the_interval_is_around_the_mean_and_not_too_narrow(values):
    found = monitoring.estimate(values)
    assert found.n == len(values)
    if len(set(values)) < 2:
        assert (found.half_width, found.is_sign(0)) == (None, False)
    else:
        mean = F(sum(values), len(values))
        variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)
        width = found.half_width / monitoring.NORMAL_QUANTILE
        assert found.mean == mean
        assert found.high - found.mean == found.mean - found.low == found.half_width
        assert width**2 >= variance
        assert (width - F(1, 10**6)) ** 2 < variance


def test_observations_without_spread_have_no_interval():
    alike = monitoring.estimate([F(9, 25)] * 30)
    assert alike == Estimate(30, F(9, 25), None)
    assert not alike.is_sign()
    assert monitoring.clustered({(F(0), 2): 30}) == Estimate(60, F(0), None)
    assert monitoring.clustered({(F(1), 1): 20, (F(2), 2): 10}) == Estimate(40, F(1), None)


# --- the group ------------------------------------------------------------------------------------


def test_the_leading_players_are_those_of_the_highest_rating():
    ratings = {"a": 2000, "b": 2300, "c": 2100, "d": 2100, "e": 1900}
    assert monitoring.leading(ratings, 2) == ("b", "c")
    assert monitoring.leading(ratings, 3) == ("b", "c", "d")
    assert monitoring.leading(ratings) == ("b", "c", "d", "a", "e")
    assert len(monitoring.leading(dict.fromkeys(range(60), 2000))) == 50


def test_feda_11_1_the_group_over_three_lists():
    """Of three leading players c goes after the first list; d was never among them.

    Second list: a +10, b -4: means 2103 against 2100. Third: b alone, +6.
    """
    lists = [
        ("first", {"a": 2200, "b": 2000, "c": 1900, "d": 1800}),
        ("second", {"a": 2210, "b": 1996, "d": 2500}),
        ("third", {"b": 2006, "e": 2700}),
        ("fourth", {"d": 2500}),
    ]
    assert monitoring.follow(lists, 3) == (
        Reading("first", 3, F(6100, 3), F(6100, 3), Estimate(3, F(0))),
        Reading("second", 2, F(2103), F(2100), Estimate(2, F(3), F("13.72"))),
        Reading("third", 1, F(2006), F(2000), Estimate(1, F(6), None)),
        Reading("fourth", 0, None, None, Estimate(0, None, None)),
    )


def test_the_group_has_fifty_players_unless_told_otherwise():
    ratings = dict.fromkeys(range(60), 2000)
    assert monitoring.GROUP_SIZE == 50
    assert [reading.still_rated for reading in monitoring.follow([("x", ratings), ("y", ratings)])] == [
        50,
        50,
    ]
    assert monitoring.follow([]) == ()


RATINGS = st.dictionaries(st.integers(1, 15), st.integers(1000, 2800), max_size=12)


@given(RATINGS, st.integers(1, 12), st.sets(st.integers(1, 15)))
@settings(max_examples=40)
def test_a_group_that_does_not_move_has_moved_by_nothing(ratings, size, gone):
    later = {player: rating for player, rating in ratings.items() if player not in gone}
    for reading in monitoring.follow([(1, ratings), (2, later)], size):
        assert reading.difference.mean in (0, None)
        assert reading.mean == reading.start_mean
        assert not reading.difference.excludes_zero


# --- expected and actual scores -------------------------------------------------------------------


def test_a_game_from_both_sides():
    given_game = game(1900, 2000, "0.36", "1")
    assert given_game.turned() == game(2000, 1900, "0.64", "0")
    assert given_game.from_above() == game(2000, 1900, "0.64", "0")
    assert given_game.turned().from_above() == game(2000, 1900, "0.64", "0")
    assert game(2000, 2000, "0.5", "1").from_above() == game(2000, 2000, "0.5", "1")


def test_scores_by_rating_difference():
    """49 and 50 points fall on both sides of a border. At 50 and 99 the higher rated made 1 and 0
    of .57 and .64: +.43 and -.64, mean -.105, half width 1.96 × 1.07/2 = 1.0486."""
    games = [
        game(2049, 2000, "0.57", "1/2"),
        game(2000, 2050, "0.43", "0"),
        game(2099, 2000, "0.64", "0"),
        game(2500, 2000, "0.96", "1"),
    ]
    assert monitoring.by_difference(games) == (
        Band(0, 49, F("0.57"), F("0.5"), Estimate(1, F("-0.07"), None)),
        Band(50, 99, F("0.605"), F("0.5"), Estimate(2, F("-0.105"), F("1.0486"))),
        Band(400, None, F("0.96"), F(1), Estimate(1, F("0.04"), None)),
    )


def test_scores_by_rating():
    """2000 beat 1999 (.50), across a border; 2100 drew with 2000 (.64), within a band.

    From 2000: +.5 once; -.14 and +.14 together as one. n 3, mean 1/6; the sums are off by 1/3 and
    -1/3: squares 2/9, × 2 / 9 = 4/81, root 0.222223 (0.2222222…).
    """
    games = [game(1999, 2000, "0.5", "0"), game(2100, 2000, "0.64", "1/2")]
    assert monitoring.by_rating(games) == (
        Band(1800, 1999, F("0.5"), F(0), Estimate(1, F("-0.5"), None)),
        Band(
            2000,
            2199,
            (F("0.5") + F("0.64") + F("0.36")) / 3,
            F(2, 3),
            Estimate(3, F(1, 6), F("1.96") * F("0.222223")),
        ),
    )


def test_bands_at_both_ends_and_borders_as_asked():
    games = [game(1000, 3000, "0", "0")] * 2
    low, high = monitoring.by_rating(games)
    assert (low.low, low.high, low.n, low.label) == (None, 1199, 2, "below 1200")
    assert (high.low, high.high, high.n, high.label) == (2600, None, 2, "2600 and more")
    low, high = monitoring.by_rating(games, [2000])
    assert (low.label, high.label) == ("below 2000", "2000 and more")
    assert monitoring.by_difference(games, [0, 2000])[0].label == "2000 and more"
    assert monitoring.by_difference(games, [0, 2000, 2001])[0].label == "2000 to 2000"
    assert monitoring.by_difference(games, [])[0].label == "all"
    assert monitoring.by_rating([]) == monitoring.by_difference([]) == ()


def test_the_borders_of_the_bands():
    assert monitoring.DIFFERENCE_BORDERS == (0, 50, 100, 150, 200, 300, 400)
    assert monitoring.RATING_BORDERS == (1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600)


def test_repeated_games_count_as_often_as_they_were_played():
    """Of four games at .75 three were won and one lost: no difference. .25 three times, -.75 once:
    squares 3/16 + 9/16 = 3/4, /3 /4 = 1/16, root .25."""
    games = [game(2200, 2000, "0.75", "1")] * 3 + [game(2000, 2200, "0.25", "1")]
    (band,) = monitoring.by_difference(games)
    assert band == Band(200, 299, F("0.75"), F("0.75"), Estimate(4, F(0), F("0.49")))
    weak, strong = monitoring.by_rating(games)
    assert (weak.n, weak.actual, weak.difference.half_width) == (4, F(1, 4), F("0.49"))
    assert (strong.n, strong.expected, strong.actual) == (4, F("0.75"), F("0.75"))


def test_the_bands_that_show_drift():
    def band(n: int, mean: str, half: str) -> Band:
        return Band(0, 49, F(0), F(0), Estimate(n, F(mean), F(half)))

    strong, weak, few = band(30, "-0.1", "0.09"), band(30, "0.1", "0.1"), band(29, "0.1", "0.01")
    assert monitoring.signs([strong, weak, few]) == (strong,)
    assert monitoring.signs([strong, weak, few], least=29) == (strong, few)


GAMES = st.lists(
    st.builds(
        Game,
        st.integers(1000, 2800),
        st.integers(1000, 2800),
        st.integers(0, 100).map(lambda p: F(p, 100)),
        st.sampled_from([F(0), F(1, 2), F(1)]),
    ),
    max_size=15,
)


@given(GAMES, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_neither_order_nor_side_matters(games, chance):
    mixed = [
        each.turned() if chance.random() < 0.5 and each.rating != each.opponent else each for each in games
    ]
    chance.shuffle(mixed)
    assert monitoring.by_difference(mixed) == monitoring.by_difference(games)
    assert monitoring.by_rating(mixed) == monitoring.by_rating(games)


@given(GAMES)
@settings(max_examples=40)
def test_every_game_is_in_one_band_and_both_its_sides_are(games):
    once, twice = monitoring.by_difference(games), monitoring.by_rating(games)
    assert sum(band.n for band in once) == len(games)
    assert sum(band.n for band in twice) == 2 * len(games)
    assert sum(band.n * band.difference.mean for band in twice) == 0
    for band in (*once, *twice):
        assert band.actual - band.expected == band.difference.mean


# --- points that come and go ----------------------------------------------------------------------


def test_inflow_and_outflow():
    """a 2000 to 2007 (6.6 computed), b 1900 to 1898 (-1.8), c leaves with 1500, d and e come with
    3300: 5400 + 3300 - 1500 + 4.8 + 0.2 = 7205. c's change counts no more."""
    found = monitoring.flow(
        {"a": 2000, "b": 1900, "c": 1500},
        {"a": 2007, "b": 1898, "d": 1600, "e": 1700},
        {"a": F("6.6"), "b": F("-1.8"), "c": F(-300), "d": F(40)},
    )
    assert found.before == Share(3, 5400)
    assert found.newcomers == Share(2, 3300)
    assert found.departures == Share(1, 1500)
    assert found.stayed == Share(2, 3900)
    assert (found.computed, found.rounding, found.changes) == (F("4.8"), F("0.2"), F(5))
    assert found.after == Share(4, 7205)
    assert found.balance == 0


def test_who_comes_back_is_no_newcomer():
    """b and d were rated once, but b stayed and d comes back: 2000 + 1500 + 1600 + 0 = 5100."""
    found = monitoring.flow({"b": 2000}, {"b": 2000, "d": 1600, "e": 1500}, {}, {"b", "d", "x"})
    assert (found.newcomers, found.returned) == (Share(1, 1500), Share(1, 1600))
    assert (found.stayed, found.after, found.balance) == (Share(1, 2000), Share(3, 5100), 0)
    assert monitoring.flow({}, {"d": 1600}, {}).returned == Share(0, 0)


def test_points_that_nobody_can_account_for_would_show():
    found = monitoring.flow({"a": 2000}, {"a": 2007}, {})
    assert (found.computed, found.rounding, found.balance) == (0, 7, 0)
    wrong = {name: getattr(found, name) for name in found.__slots__} | {"after": Share(1, 2010)}
    assert monitoring.Flow(**wrong).balance == -3


def test_mean_of_a_share():
    assert Share(2, 3301).mean == F(3301, 2)
    assert Share(0, 0).mean is None


@given(
    RATINGS,
    RATINGS,
    st.dictionaries(st.integers(1, 15), st.fractions(-40, 40, max_denominator=100)),
    st.sets(st.integers(1, 15)),
)
@settings(max_examples=60)
def test_the_points_always_balance(before, after, computed, once_rated):
    found = monitoring.flow(before, after, computed, once_rated)
    came = Share(
        found.newcomers.players + found.returned.players, found.newcomers.points + found.returned.points
    )
    assert found.balance == 0
    assert found.before.players + came.players - found.departures.players == found.after.players
    assert found.stayed.players + came.players == found.after.players
    assert found.changes == found.after.points - came.points - found.stayed.points
    assert found.before.points == found.stayed.points + found.departures.points
