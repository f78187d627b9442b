"""fide-standard-2024 and fide-rapid-blitz-2024: first ratings.

Articles are those of the standard text; where the other text differs, its own stand in brackets.
"""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024
from regulations.model import (
    EventPlayer,
    ListInput,
    ListPlayer,
    ListRow,
    Sample,
    Step,
)
from tests.regulations.build import by_id, event, given_changes, rated_event, value_of

STANDARD, RAPID = FideStandard2024(), FideRapidBlitz2024()
BOTH = pytest.mark.parametrize("rules", [STANDARD, RAPID], ids=["std", "rapid"])
MAY = date(2024, 5, 1)


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
            Step(f"{chapter}.2.{ra}", "p", "0.57", "(3 + 1)/7, rounded to two decimals"),
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
    for known in (ListPlayer("u", None, career_games=1), ListPlayer("u", None, games_by_period=(0, 1))):
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
