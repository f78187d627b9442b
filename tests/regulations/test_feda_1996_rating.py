"""feda-1996, articles 6, 7 and 9: one event."""

from dataclasses import replace

import pytest

from regulations.exact import show
from regulations.feda_1996 import formulas
from regulations.model import EventPlayer
from tests.regulations.build import by_id, event
from tests.regulations.feda import RULES, F, rated, why

# --- 9.1, 9.2: performances -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ra", "score", "games", "n", "ru", "article", "text"),
    [
        (2000, "4.5", 9, None, "2000", "9.22", "2000, at 50 %"),
        (2000, "5", 9, None, "2012.5", "9.23", "2000 + 12.5 × 1"),
        (2000, "6", 9, None, "2037.5", "9.23", "2000 + 12.5 × 3"),
        (2000, "9", 9, None, "2112.5", "9.23", "2000 + 12.5 × 9"),
        (2000, "4", 9, None, "1957", "9.24", "2000 - 43, p 0.44"),  # 4/9 = .444
        (2000, "1", 8, None, "1678", "9.24", "2000 - 322, p 0.13"),  # .125 → .13, half up
        (2000, "1.5", 5, 5, "1875.8333", "9.25", "2000 - 149 × 5/6, p 0.3"),
        (2000, "3", 5, 5, "2012.5", "9.23", "2000 + 12.5 × 1"),
    ],
)
def test_performance(ra, score, games, n, ru, article, text):
    """9.22-9.25"""
    found, step = formulas.performance(RULES, ra, F(score), games, n)
    assert (show(found), step.article, step.label, step.value, step.text) == (ru, article, "Ru", ru, text)


def test_no_performance_at_nought():
    """9.1: dp is not defined; half a point in 101 games is 0.00 too, in 100 games 0.01."""
    found, step = formulas.performance(RULES, 2000, F(0), 9)
    assert (found, step.article, step.label, step.value, step.text) == (
        None, "9.1", "Ru", "none", "dp is not defined at 0 %",
    )  # fmt: skip
    assert formulas.performance(RULES, 2000, F(1, 2), 101)[0] is None
    assert formulas.performance(RULES, 2000, F(1, 2), 100)[0] == 2000 - 677


def test_a_performance_in_a_swiss_tournament():
    """9.21.a: (2000 + 2100 + 1900 + 2000)/4; 9.24: 1/4 is dp -193; no cap for the unrated."""
    found = rated("swiss", {"u": None, "a": 2000, "b": 2100, "c": 1900, "d": 2000},
                  "u a 1, u b 0, c u 1, d u 1")["u"]  # fmt: skip
    assert (found.status, found.games, found.score, found.performance) == ("unrated", 4, 1, 1807)
    assert (found.pooled, found.rc, found.expected, found.k, found.change) == (True, None, None, None, None)
    assert [(step.article, step.label, step.value) for step in found.steps] == [
        ("9.21.a", "Ra", "2000"),
        ("9.24", "Ru", "1807"),
    ]
    assert found.steps[0].text == "(2000 + 2100 + 1900 + 2000)/4"
    assert [(each.round, each.opponent, each.white, each.score, each.opponent_rating, each.article)
            for each in found.counted] == [
        (1, "a", True, 1, 2000, "7.42"), (2, "b", True, 0, 2100, "7.42"),
        (3, "c", False, 0, 1900, "7.42"), (4, "d", False, 0, 2000, "7.42"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("average", "first", "kept"),
    [(1805, True, True), (1804, True, False), (1804, False, True)],
)
def test_a_first_performance_under_1805(average, first, kept):
    """9.31: tested unrounded, for the first performance only; it is shown all the same."""
    ratings = dict.fromkeys("abcd", average)
    ratings["u"] = EventPlayer("u", None, first_event=first)
    found = rated("swiss", ratings, "u a =, u b =, u c =, u d =")["u"]
    assert (found.performance, found.pooled) == (average, kept)
    last = found.steps[-1]
    assert (last.article, last.label, last.value, last.text) == (
        ("9.22", "Ru", "1805", "1805, at 50 %") if average == 1805
        else ("9.22", "Ru", "1804", "1804, at 50 %") if kept
        else ("9.31", "kept", "no", "first performance under 1805")
    )  # fmt: skip


# --- 6, 7: what counts ------------------------------------------------------------------------


def test_games_not_played_and_games_with_unrated_opponents():
    """6.1, 7.4, 7.41"""
    found = rated("swiss", {"a": 2000, "b": 2000, "u": None, "v": None},
                  "a b +, a b =, a u 1, u b =, a b -, u v =/=")  # fmt: skip
    assert why(found["a"]) == [
        (1, "b", "6.1", "forfeit"), (3, "u", "7.4", "unrated opponent"), (5, "b", "6.1", "forfeit"),
    ]  # fmt: skip
    assert (found["a"].games, found["a"].score, found["a"].change) == (1, F(1, 2), 0)
    assert why(found["v"]) == [(6, "u", "6.1", "agreed without a move")]
    assert why(found["u"])[-1] == (6, "v", "6.1", "agreed without a move")
    assert (found["v"].status, found["v"].games, found["v"].score, found["v"].pooled) == (
        "unrated",
        0,
        0,
        False,
    )
    assert (found["v"].performance, found["v"].change, found["v"].steps) == (None, None, ())


def test_nothing_counts_for_a_rated_player():
    """6.1: change 0."""
    found = rated("swiss", {"a": 2000, "b": EventPlayer("b", 2250, career_games=12)}, "a b +")
    assert [(found[x].status, found[x].games, found[x].score, found[x].rc, found[x].expected, found[x].k,
             found[x].change, found[x].performance, found[x].pooled, found[x].steps) for x in "ab"] == [
        ("rated", 0, 0, None, 0, 15, 0, None, None, ()), ("rated", 0, 0, None, 0, 25, 0, None, None, ()),
    ]  # fmt: skip


def test_an_unrated_player_with_zero():
    """7.1: over all games really played; a forfeit won is no point, a draw with an unrated player is."""
    ratings = {"u": None, "v": None, **dict.fromkeys("abcd", 2000)}
    found = rated("swiss", ratings, "u a 0, u b 0, u c 0, u d 0, u a +")["u"]
    assert why(found) == [(n, x, "7.1", "zero in the event") for n, x in enumerate("abcd", start=1)] + [
        (5, "a", "6.1", "forfeit")
    ]
    assert (found.games, found.pooled, found.performance) == (0, False, None)
    found = rated("swiss", ratings, "u a 0, u v =, u b 0, u c 0, u d 0")["u"]
    assert why(found) == [
        (1, "a", "9.1", "no performance at 0 %"), (2, "v", "7.4", "unrated opponent"),
        (3, "b", "9.1", "no performance at 0 %"), (4, "c", "9.1", "no performance at 0 %"),
        (5, "d", "9.1", "no performance at 0 %"),
    ]  # fmt: skip
    found = rated("swiss", ratings, "u a 0, u b 0, u c 0, u d 0")["a"]
    assert why(found) == [(1, "u", "7.1", "unrated opponent with zero in the event")]


def test_four_rated_opponents():
    """7.42: different ones."""
    ratings = {"u": None, **dict.fromkeys("abcd", 2000)}
    found = rated("swiss", ratings, "u a =, u b =, u c =, u a =, u d +")["u"]
    assert why(found) == [
        (1, "a", "7.42", "fewer than 4 rated opponents"), (2, "b", "7.42", "fewer than 4 rated opponents"),
        (3, "c", "7.42", "fewer than 4 rated opponents"), (4, "a", "7.42", "fewer than 4 rated opponents"),
        (5, "d", "6.1", "forfeit"),
    ]  # fmt: skip
    assert rated("team", ratings, "u a =, u b =, u c =, u d =")["u"].performance == 2000
    three = replace(RULES, rated_opponents=3)
    played = event("swiss", ratings, "u a =, u b =, u c =")
    assert by_id(three.rate(played))["u"].performance == 2000


SCHEVENINGEN = {"a": 2000, "b": 1900, "c": 1950, "d": 2100, "u": None, "v": None, "z": None}
GAMES = "u a =, u b =, u c =, u d =, a v =, b v 1, c v 1, u v 1, a z 1"


def test_all_games_of_a_scheveningen_match_count():
    """7.4: u counts as his Ru 1987.5 (50 %); v as 1/6 → p .17: (2000 + 1900 + 1950)/3 - 273 = 1677."""
    found = rated("scheveningen", SCHEVENINGEN, GAMES)
    assert [each.opponent_rating for each in found["d"].counted] == [F("1987.5")]
    # 1677 is 323 points below a: no cap
    assert [each.opponent_rating for each in found["a"].counted] == [F("1987.5"), 1677]
    assert why(found["a"]) == [(9, "z", "7.1", "unrated opponent with zero in the event")]
    u = found["u"]  # (2000 + 1900 + 1950 + 2100 + 1677)/5 = 1925.4 + 12.5 × 1
    assert (u.games, u.performance) == (5, F("1937.9"))
    assert why(found["v"])[0] == (5, "a", "7.42", "fewer than 4 rated opponents")
    assert why(found["z"]) == [(9, "a", "7.1", "zero in the event")]


def test_an_unrated_opponent_in_a_scheveningen_match_is_a_choice():
    """7.4: his Ru, the average (2000 + 1900 + 1950 + 2100)/4 of the rated players, or nothing."""
    played = event("scheveningen", SCHEVENINGEN, GAMES)
    found = by_id(replace(RULES, scheveningen_unrated="average").rate(played))
    assert [each.opponent_rating for each in found["a"].counted] == [F("1987.5"), F("1987.5")]
    found = by_id(replace(RULES, scheveningen_unrated="no").rate(played))
    assert found["a"].counted == ()
    assert why(found["a"])[0] == (1, "u", "7.4", "unrated opponent")
    nobody = event("scheveningen", {"u": None, "v": None}, "u v 1, u v 0")
    for reading in ("ru", "average", "no"):
        found = by_id(replace(RULES, scheveningen_unrated=reading).rate(nobody))
        assert {article for each in "uv" for _, _, article, _ in why(found[each])} == {"7.4"}


def test_an_unrated_opponent_without_a_performance_does_not_count():
    """7.4 with 9.1: v has 0 % against the rated, but drew with u."""
    found = rated("scheveningen", {"a": 2000, "u": None, "v": None}, "a v 1, u v =, a u =")
    assert why(found["a"]) == [(1, "v", "7.4", "unrated opponent")]
    assert [each.opponent for each in found["a"].counted] == ["u"]


def test_games_of_a_match_are_never_cut():
    """No article cuts the games after a match was decided."""
    found = rated("match", {"a": 2000, "b": 2000}, "a b 1, a b 1, a b 0", scheduled_games=2)
    assert (found["a"].games, found["a"].score) == (3, 2)


# --- 9.5: changes -----------------------------------------------------------------------------


def test_a_change_in_a_swiss_tournament():
    """9.51-9.53: Ra (2100 + 1950 + 2000)/3 = 2016.67, D -16.67 → -17, PD .48; 15 × (2 - 1.44)."""
    found = rated("swiss", {"p": 2000, "a": 2100, "b": 1950, "c": 2000}, "p a 1, b p =, p c =")["p"]
    assert (found.status, found.games, found.score, found.rc) == ("rated", 3, 2, F(6050, 3))
    assert (found.expected, found.k, found.change) == (F("1.44"), 15, F("8.4"))
    assert (found.performance, found.pooled) == (None, None)
    assert [(step.article, step.label, step.value, step.text) for step in found.steps] == [
        ("9.51", "Ra", "2016.6667", "(2100 + 1950 + 2000)/3"),
        ("9.52", "D", "-17", "2000 - 2016.6667, to a whole number"),
        ("9.1.c", "PD", "0.48", "D -17"),
        ("9.53", "We", "1.44", "0.48 × 3"),
        ("9.53", "W", "2", "3 games"),
        ("9.53.a", "K", "15", "below 2200, 30 games or more"),
        ("9.53", "change", "8.4", "15 × (2 - 1.44)"),
    ]
    assert [(each.round, each.opponent, each.white, each.score, each.opponent_rating, each.article)
            for each in found.counted] == [
        (1, "a", True, 1, 2100, "7.41"), (2, "b", False, F(1, 2), 1950, "7.41"),
        (3, "c", True, F(1, 2), 2000, "7.41"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "opponents", "used", "note"),
    [
        (2200, (1850, 1849, 2550, 2551), (1850, 1850, 2550, 2550), "; 2 more than 350 points away"),
        (2200, (1850, 2550), (1850, 2550), ""),
    ],
)
def test_an_opponent_counts_at_most_350_points_away(own, opponents, used, note):
    """9.51"""
    ratings = {"p": own, **{f"o{n}": each for n, each in enumerate(opponents)}}
    found = rated("team", ratings, ", ".join(f"p o{n} =" for n in range(len(opponents))))["p"]
    assert tuple(each.opponent_rating for each in found.counted) == used
    assert (found.rc, found.change) == (2200, 0)
    assert found.steps[0].text.endswith(f")/{len(opponents)}{note}")


def test_nine_opponents_far_below():
    """9.51-9.53: 1800 counts as 1850 for 2200: PD(350) .89, We 8.01; 10 × (9 - 8.01)."""
    ratings = {"p": 2200, **{f"o{n}": 1800 for n in range(9)}}
    found = rated("swiss", ratings, ", ".join(f"p o{n} 1" for n in range(9)))["p"]
    assert (found.rc, found.expected, found.k, found.change) == (1850, F("8.01"), 10, F("9.9"))


@pytest.mark.parametrize(
    ("games", "rating", "reached", "k", "reason"),
    [
        (29, 2300, True, 25, "29 of 30 games"),
        (30, 2199, False, 15, "below 2200, 30 games or more"),
        (30, 2200, False, 10, "published rating has reached 2200"),
        (30, 2100, True, 10, "published rating has reached 2200"),
        (None, 2100, None, 15, "below 2200, 30 games or more"),
        (None, None, None, 25, "0 of 30 games"),
        (30, None, None, 15, "below 2200, 30 games or more"),
    ],
)
def test_development_coefficient(games, rating, reached, k, reason):
    """9.53.a"""
    assert formulas.k_factor(RULES, games, rating, reached) == (k, reason)
    if rating is not None:
        assert RULES.k_of(rating=rating, career_games=games, reached_k10=reached) == k
