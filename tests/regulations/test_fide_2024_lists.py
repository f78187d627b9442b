"""fide-standard-2024 and fide-rapid-blitz-2024: lists; articles of the standard text (the other in brackets)."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024, lists
from regulations.model import (
    EventPlayer,
    EventShare,
    ListInput,
    ListPlayer,
    ListRow,
    RatedEvent,
    Sample,
    Step,
)
from tests.regulations.build import by_id, event, given_changes, only_row, rated_event, value_of

STANDARD, RAPID = FideStandard2024(), FideRapidBlitz2024()
BOTH = pytest.mark.parametrize("rules", [STANDARD, RAPID], ids=["std", "rapid"])
MAY = date(2024, 5, 1)


def period(player, *sums, games=5, rules=STANDARD, when=MAY):
    """The row of ``player`` after events with these sums of score - PD, ``games`` games each."""
    events = given_changes(player.rating, *(Fraction(each) * 20 for each in sums), k=20, games_each=games)
    return only_row(rules, ListInput(when, (player,), events=events))


# --- 8.3.3, 8.3.4: rated players --------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "chapter"), [(STANDARD, 8), (RAPID, 7)], ids=["std", "rapid"])
def test_the_period_of_a_rated_player(rules, chapter):
    """36 games, K 19: 19 × (2 - .5) = 28.5 → 29, away from zero; each event has its share at K 19."""
    player = ListPlayer("p", 1500, career_games=64, games_by_period=(4, 0))
    one, at = f"{chapter}.3.2", f"{chapter}.3.3"
    assert period(player, "2", "-0.5", games=18, rules=rules) == ListRow(
        "p",
        "active",
        1529,
        Fraction("28.5"),
        36,
        19,
        steps=(
            Step(f"{one}c", "ΣΔR", "1.5", "2 - 0.5"),
            Step(
                at,
                "K",
                "19",
                "below 2400, 30 games or more: 20; 36 × 20 = 720 is over 700; "
                "greatest K with 36 × K within it",
            ),
            Step(f"{one}d", "change", "28.5", "19 × 1.5"),
            Step(f"{chapter}.3.4", "rounded", "29", "28.5, half-away"),
            Step(f"{chapter}.3.4", "Rn", "1529", "1500 + 29"),
            Step(at, "K from this list on", "20", "below 2400, 30 games or more"),
        ),
        events=(EventShare("E1", Fraction(38), 19), EventShare("E2", Fraction("-9.5"), 19)),
        career_games=100,
        reached_k10=False,
        games_by_period=(36, 4, 0),
        inactive_lists=0,
        k_next=20,
    )


def test_fides_list_of_october_2026():
    """8.3.3: 39 games, 700/39 = 17: (1.44 + 1.14 + 2.34 + .79 - .27) × 17 = 92.48 → 92."""
    sums = ("1.44", "1.14", "2.34", "0.79", "-0.27")
    results = given_changes(2054, *(Fraction(each) * 20 for each in sums), k=20, games_each=8)
    last = results[-1]
    seven = replace(last.result, players=(replace(last.result.players[0], games=7),))
    events = (*results[:-1], RatedEvent(last.event, seven))
    row = only_row(STANDARD, ListInput(date(2026, 10, 1), (ListPlayer("p", 2054),), events=events))
    assert (row.games, row.k, row.change, row.rating) == (39, 17, Fraction("92.48"), 2146)


@pytest.mark.parametrize(
    ("total", "rating", "rounded"),
    [("0.025", 1501, "1"), ("-0.025", 1499, "-1"), ("0.0249", 1500, "0"), ("-0.125", 1497, "-3")],
)
def test_half_a_point_is_rounded_away_from_zero(total, rating, rounded):
    """8.3.4: 20 × .025 = .5; -2.5 → -3."""
    row = period(ListPlayer("p", 1500), total)
    assert (row.rating, value_of(row.steps, "rounded")) == (rating, rounded)
    literal = replace(STANDARD, change_rounding="half-to-zero")
    assert period(ListPlayer("p", 1500), "0.025", rules=literal).rating == 1500


def test_a_period_without_games():
    row = only_row(STANDARD, ListInput(MAY, (ListPlayer("p", 1500, career_games=12),)))
    assert (row.status, row.rating, row.change, row.games, row.k, row.events) == (
        "active",
        1500,
        0,
        0,
        40,
        (),
    )
    assert row.steps[0] == Step("8.3.2c", "ΣΔR", "0", "no games")
    assert (row.career_games, row.k_next) == (12, 40)


@pytest.mark.parametrize(
    ("player", "when", "k", "k_next", "reached"),
    [
        (ListPlayer("p", 2000, 25), MAY, 40, 20, False),  # 25 + 5: new for the last time
        (ListPlayer("p", 2000, 24), MAY, 40, 40, False),
        (ListPlayer("p", 2399, 100), MAY, 20, 10, True),  # 2399 + 10
        (ListPlayer("p", 2389, 100), MAY, 20, 20, False),  # 2389 + 10 = 2399
        (ListPlayer("p", 2390, 100), MAY, 20, 10, True),
        (ListPlayer("p", 2400, 100), MAY, 10, 10, True),
        (ListPlayer("p", 2350, 100, True), MAY, 10, 10, True),
        (ListPlayer("p", 2000, 100, birth_year=2006), MAY, 40, 40, False),
        (ListPlayer("p", 2000, 100, birth_year=2006), date(2024, 12, 1), 40, 40, False),
        (ListPlayer("p", 2000, 100, birth_year=2006), date(2025, 1, 1), 40, 20, False),  # K of December
        (ListPlayer("p", 2000, 100, birth_year=2006), date(2025, 2, 1), 20, 20, False),
        (ListPlayer("p", 2290, 100, birth_year=2010), MAY, 40, 20, False),  # 2290 + 20 = 2310
        (ListPlayer("p", 2300, 100, birth_year=2010), MAY, 20, 20, False),
    ],
)
@BOTH
def test_k_of_the_period_and_from_the_list_on(rules, player, when, k, k_next, reached):
    """8.3.3 (7.3.3): K of the period is that of the previous list; .5 × K is gained in five games."""
    row = period(player, "0.5", rules=rules, when=when)
    assert (row.k, row.k_next, row.reached_k10, row.change) == (k, k_next, reached, Fraction(k, 2))


def test_once_2400_always_2400():
    """8.3.3: on the previous list 2405, now 2395; a rating that falls below the floor keeps it too."""
    row = period(ListPlayer("p", 2405, 100), "-1")
    assert (row.rating, row.k, row.k_next, row.reached_k10) == (2395, 10, 10, True)
    row = period(ListPlayer("p", 1400, 100, True), "-1")
    assert (row.rating, row.reached_k10, row.k_next) == (None, True, None)


def test_the_year_of_birth_may_come_with_a_report():
    """8.3.3: the list has none."""
    results = given_changes(2000, "10", k=20)
    born = replace(results[0].event.players[0], birth_year=2010)
    played = RatedEvent(replace(results[0].event, players=(born,)), results[0].result)
    row = only_row(STANDARD, ListInput(MAY, (ListPlayer("p", 2000),), events=(played,)))
    assert row.k == 40
    listed = ListPlayer("p", 2000, birth_year=1990)
    assert only_row(STANDARD, ListInput(MAY, (listed,), events=(played,))).k == 20


@pytest.mark.parametrize(("total", "rating"), [("-0.5", 1400), ("-0.55", None)])
@BOTH
def test_below_1400_a_player_is_unrated(rules, total, rating):
    """7.2.1 (6.2.1): 1410 - 10, 1410 - 11."""
    row = period(ListPlayer("p", 1410, 50), total, rules=rules)
    assert (row.rating, row.status) == (rating, "active" if rating else "unrated")
    assert row.k_next == (20 if rating else None)
    assert row.career_games == 55
    if not rating:
        assert row.steps[-1] == Step(rules.article("7.2.1"), "status", "unrated", "1399 is below 1400")


@pytest.mark.parametrize(
    ("earlier", "before", "status"),
    [
        ((0,) * 11, 0, "inactive"),
        ((0,) * 10, 0, "active"),  # the year is not known in full
        ((0,) * 10 + (1,), 0, "active"),
        ((0,) * 11 + (1,), 0, "inactive"),
        ((), 4, "inactive"),
    ],
)
@BOTH
def test_a_year_without_a_game(rules, earlier, before, status):
    """7.2.2 (6.2.2): this month and the eleven before."""
    player = ListPlayer("p", 1500, games_by_period=earlier, inactive_lists=before)
    row = only_row(rules, ListInput(MAY, (player,)))
    assert (row.status, row.rating, row.k_next) == (status, 1500, 20)
    assert row.games_by_period == (0, *earlier)[:12]
    inactive = status == "inactive"
    assert (row.flags, row.inactive_lists) == ((("i",), before + 1) if inactive else ((), 0))
    told = Step(rules.article("7.2.2"), "status", "inactive", "no rated game in a year")
    assert (told in row.steps) is inactive


def test_one_game_brings_a_player_back_in_2024():
    """7.2.2"""
    player = ListPlayer("p", 1500, games_by_period=(0,) * 12, inactive_lists=30)
    row = period(player, "0", games=1)
    assert (row.status, row.inactive_lists, row.flags) == ("active", 0, ())
    assert not lists.is_inactive(STANDARD, 1)
    assert lists.is_inactive(STANDARD, 0)


# --- 7.1.4, 8.2: first ratings ------------------------------------------------------------------------


def unrated(opponents, marks, number=1, rules=STANDARD, player=None, **more):
    """An event of u against these opponents."""
    ratings = {"u": player or EventPlayer("u", None), **{f"o{n}": each for n, each in enumerate(opponents)}}
    text = ", ".join(f"u o{n} {mark}" for n, mark in enumerate(marks))
    return rated_event(
        rules, event("swiss", ratings, text, end=date(2024, 4, number), id=f"E{number}", **more)
    )


def first(*events, samples=(), when=MAY, rules=STANDARD, player=None):
    given_ = ListInput(when, (player or ListPlayer("u", None),), tuple(samples), events)
    result = rules.next_list(given_)
    return by_id(result)["u"], result.samples


@pytest.mark.parametrize(("rules", "chapter", "ra"), [(STANDARD, 8, 2), (RAPID, 7, 3)], ids=["std", "rapid"])
def test_five_games_make_a_first_rating(rules, chapter, ra):
    """8.2.2 over both events, the two draws added once: (2000 + 1900 + 2100 + 1800 + 1700 + 3600)/7
    = 1871.4286; p (3 + 1)/7 = .57: + 50 = 1921.4286."""
    row, samples = first(
        unrated((2000, 1900), "1=", rules=rules), unrated((2100, 1800, 1700), "0=1", 2, rules), rules=rules
    )
    assert samples == ()
    assert row == ListRow(
        "u",
        "active",
        1921,
        None,
        5,
        40,
        steps=(
            Step(f"{chapter}.2.{ra}", "Ra", "1871.4286", "(2000 + 1900 + 2100 + 1800 + 1700 + 2 × 1800)/7"),
            Step(f"{chapter}.2.{ra}", "p", "0.57", "(3 + 1)/7, to two decimals"),
            Step(f"{chapter}.1.1", "dp", "50", "p 0.57"),
            Step(f"{chapter}.2.{ra + 1}", "Ru", "1921", "1871.4286 + 50, to a whole number"),
            Step(f"{chapter - 1}.1.4", "published", "yes", "5 games"),
            Step(f"{chapter}.3.3", "K from this list on", "40", "5 of 30 games"),
        ),
        career_games=5,
        games_by_period=(5,),
        k_next=40,
    )


def test_four_games_stay_pooled_in_2024():
    """7.1.4. Within a list the best performance stands first: (2100 + 3600)/3 = 1900 + 125."""
    row, samples = first(unrated((1500, 1600, 1700), "==="), unrated((2100,), "1", 2))
    assert (row.rating, row.status, row.games, row.k, row.k_next) == (None, "unrated", 4, None, None)
    assert (row.career_games, row.games_by_period) == (0, (4,))
    assert samples == (
        Sample("u", MAY, Fraction(2025), 1, Fraction(1), (2100,), "E2"),
        Sample("u", MAY, Fraction(1680), 3, Fraction(3, 2), (1500, 1600, 1700), "E1"),
    )
    assert row.steps[-1] == Step("7.1.4", "published", "no", "4 of 5 games")


def pooled(when, opponents, score):
    return Sample("u", when, Fraction(1600), len(opponents), Fraction(score), opponents)


@pytest.mark.parametrize(("when", "rating"), [(date(2022, 4, 1), 1729), (date(2022, 3, 1), None)])
def test_the_window_of_26_months(when, rating):
    """7.1.4: April 2022 is 25 lists before May 2024; (8500 + 3600)/7 = 1728.57 at .50."""
    row, samples = first(unrated((1800, 1800), "=="), samples=[pooled(when, (1500, 1600, 1800), "1.5")])
    assert (row.rating, row.games, row.career_games) == (rating, 2, 5 if rating else 0)
    assert sum(each.games for each in samples) == (0 if rating else 2)
    told = Step("7.1.4", "no longer pooled", "1600", f"3 games of the list of {when}: over 26 months")
    assert (told in row.steps) is (rating is None)


@pytest.mark.parametrize(("last", "rating"), [(1206, 1400), (1197, 1400), (1196, None)])
def test_a_first_rating_must_reach_1400(last, rating):
    """7.1.4 after rounding: 4 × 1250 + 3600 = 8600 and 1206: 9806/7 = 1400.86 + 0 → 1401."""
    row, samples = first(unrated((1250, 1250, 1250, 1250, last), "====="))
    whole = {1206: 1401, 1197: 1400, 1196: 1399}[last]
    assert value_of(row.steps, "Ru") == str(whole)
    assert row.rating == (whole if rating else None)
    assert sum(each.games for each in samples) == (0 if rating else 5)
    said = ("yes", "5 games") if rating else ("no", "1399 is below 1400")
    assert Step("7.1.4", "published", *said) in row.steps


def test_a_first_rating_of_2200_at_most():
    """8.2.3"""
    row, _ = first(unrated((2500,) * 5, "11111"))
    assert (row.rating, row.k, row.reached_k10) == (2200, 40, False)


def test_k_of_a_first_rating():
    """8.3.3: 30 games behind it are enough; a junior has 40 all the same, on the list's year."""
    games = tuple([2000] * 30)
    row, _ = first(unrated(games, "=" * 30))
    assert (row.games, row.career_games, row.k, row.k_next) == (30, 30, 20, 20)
    junior = ListPlayer("u", None, birth_year=2006)
    assert first(unrated(games, "=" * 30), player=junior)[0].k == 40
    assert first(unrated(games, "=" * 30), player=junior, when=date(2025, 1, 1))[0].k == 20
    reported = EventPlayer("u", None, birth_year=2010)
    assert first(unrated(games, "=" * 30, player=reported))[0].k == 40
    known = ListPlayer("u", None, career_games=12, reached_k10=True)
    row, _ = first(unrated((2000,) * 5, "====="), player=known)
    assert (row.career_games, row.reached_k10, row.k_next) == (17, True, 10)
    row, _ = first(unrated((2000,), "="), player=known)
    assert (row.career_games, row.reached_k10, row.status) == (12, True, "unrated")


def test_only_the_very_first_event_is_dropped_for_a_zero():
    """8.2.1: zero first, then 2.5 of 5 at (9500 + 3600)/7 = 1871.43; a zero later counts."""
    five = (1700, 1800, 1900, 2000, 2100)
    row, _ = first(unrated((1900, 1900), "00"), unrated(five, "=====", 2))
    assert (row.rating, row.career_games, row.games) == (1871, 5, 5)
    # 0.5 of 5: (1800 × 5 + 3600)/7 = 1800; p 1.5/7 = .21: -230
    row, _ = first(unrated((1800,) * 3, "=00"), unrated((1800,) * 2, "00", 2))
    assert (row.rating, row.career_games) == (1570, 5)
    row, _ = first(unrated((1800,) * 2, "00", 2), samples=[pooled(date(2024, 4, 1), (1800,) * 3, "0.5")])
    assert row.rating == 1570
    # earlier games or a period with games: not the first event either; 0 of 5: p 1/7 = .14: -309
    for known in (ListPlayer("u", None, career_games=3), ListPlayer("u", None, games_by_period=(0, 2))):
        row, _ = first(unrated((1800,) * 5, "00000"), player=known)
        assert row.rating == 1491
    row, samples = first(unrated((1800,) * 5, "00000"))
    assert (row.rating, row.steps, samples) == (None, (), ())


@BOTH
def test_rated_by_the_time_of_the_list(rules):
    """8.2.4 (7.2.5): 2050 by now, v 2100 won, v 2000 drawn: 20 × .50 = 10; the opponents gain nothing."""
    played = rated_event(rules, event("swiss", {"l": None, "a": 2100, "b": 2000}, "l a 1, l b =", id="E1"))
    previous = (ListPlayer("a", 2100), ListPlayer("b", 2000), ListPlayer("l", 2050))
    rows = by_id(rules.next_list(ListInput(MAY, previous, (), (played,))))
    assert (rows["l"].rating, rows["l"].games, rows["a"].games) == (2060, 2, 0)


def test_rated_then_and_unrated_now():
    """7.2.1: the change has nothing to be added to."""
    row, samples = first(*(
        replace(each, event=replace(each.event, players=(EventPlayer("u", 1405),)),
                result=replace(each.result, players=(replace(each.result.players[0], id="u"),)))
        for each in given_changes(1405, "4", k=20)
    ))  # fmt: skip
    assert (row.rating, row.status, row.games, samples) == (None, "unrated", 0, ())
    assert row.steps == (
        Step("7.2.1", "change not applied", "4", "E1: played with a rating, no longer on the list"),
    )


def test_pooled_results_need_their_opponents():
    broken = replace(pooled(date(2024, 4, 1), (1500, 1600), "1"), opponents=())
    with pytest.raises(ValueError, match="Pooled results of player u: 2 games, 0 ratings"):
        first(samples=(broken,))


# --- 7.2.1 of the rapid and blitz text ----------------------------------------------------------------


def test_the_standard_rating_begins_the_rapid_one():
    """7.2.1, 7.3.3: 2105 by the standard list at the start: D 5 → .51; 40 × .49 = 19.6 → 20."""
    player = EventPlayer("s", None, standard_rating=2105)
    played = rated_event(RAPID, event("swiss", {"s": player, "b": 2100}, "s b 1", id="E1"))
    given_ = ListInput(MAY, (ListPlayer("b", 2100), ListPlayer("s", None)), (), (played,), {"s": 2150})
    row = by_id(RAPID.next_list(given_))["s"]
    assert (row.rating, row.change, row.status) == (2125, Fraction("19.6"), "active")
    assert (row.k, row.career_games, row.k_next, row.games) == (40, 1, 40, 1)
    assert Step("7.2.1", "Rn", "2125", "2105 + 20, from the standard rating") in row.steps
    standard = rated_event(STANDARD, played.event)
    assert by_id(STANDARD.next_list(replace(given_, events=(standard,))))["s"].rating is None


def test_a_strong_standard_rating_is_not_a_published_rapid_rating():
    """7.3.3: 2410 - 10 × .51 → 2405 is published; 2401 less 10 × .5 → 2396 is not."""

    def row(own, opponent):
        player = EventPlayer("s", None, standard_rating=own)
        played = rated_event(RAPID, event("swiss", {"s": player, "b": opponent}, "s b 0", id="E1"))
        return by_id(RAPID.next_list(ListInput(MAY, (ListPlayer("s", None),), (), (played,))))["s"]

    high, low = row(2410, 2406), row(2401, 2401)
    assert (high.rating, high.k, high.reached_k10, high.k_next) == (2405, 10, True, 10)
    assert (low.rating, low.k, low.reached_k10, low.k_next) == (2396, 10, False, 40)


def test_without_a_counted_game_a_standard_rating_begins_nothing():
    """7.2.1"""
    player = EventPlayer("s", None, standard_rating=2105)
    played = rated_event(RAPID, event("swiss", {"s": player, "b": 2100}, "s b +", id="E1"))
    row = by_id(RAPID.next_list(ListInput(MAY, (ListPlayer("s", None),), (), (played,))))["s"]
    assert (row.rating, row.status, row.steps) == (None, "unrated", ())


# --- whatever the list ----------------------------------------------------------------------------------


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
