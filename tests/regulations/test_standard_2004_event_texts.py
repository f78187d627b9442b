"""fide-standard-2004: whole results of events with every text, each figure derived by hand."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_standard_2004 import WORKED_EXAMPLE, FideStandard2004
from regulations.fide_standard_2004.rating import k_factor, performance
from regulations.model import EventPlayer, Game
from tests.regulations import written
from tests.regulations.build import by_id, event

RULES = FideStandard2004()

SWISS = event(
    "swiss",
    {"a": EventPlayer("a", 2500, career_games=12), "b": 2100, "c": EventPlayer("c", 2400), "u": None,
     "v": None, "w": None, "x": 1700, "y": 1701, "z": 1703},
    "a b 1, c a =, a u 1, u b 0, u c =, u x 1, v x 1, v y 0, v z =, a x +, w z 1, w x =, w u 1",
)  # fmt: skip


def test_a_rated_player_of_a_swiss_tournament():
    """10.51: b counts as 2150 for a. (2150 + 2400)/2 = 2275; D 225 → .78, 25 × (1.5 - 1.56) = -1.5."""
    result = RULES.rate(SWISS)
    assert (result.rated, result.treated_as, result.findings, result.ra) == (True, "swiss", (), None)
    a, c = by_id(result)["a"], by_id(result)["c"]
    assert written.figures(a) == (
        "rated", 2, Fraction("1.5"), 2275, Fraction("1.56"), 25, Fraction("-1.5"), None, None,
    )  # fmt: skip
    assert written.steps(a) == [
        "10.51 | Rc | 2275 | (2150 + 2400)/2; 1 more than 350 points away",
        "10.53 | D | 225 | 2500 - 2275, to a whole number",
        "10.1b | PD | 0.78 | D 225",
        "10.54 | We | 1.56 | 0.78 × 2",
        "10.54 | W | 1.5 | 2 games",
        "10.54 | K | 25 | 12 of 30 games",
        "10.54 | change | -1.5 | 25 × (1.5 - 1.56)",
    ]
    assert written.counted(a) == ["1 w b: 1 against 2150, 6.41", "2 b c: 1/2 against 2400, 6.41"]
    assert written.uncounted(a) == ["3 u: 6.4 unrated opponent", "10 x: 5.1 forfeit"]
    assert written.steps(c)[0] == "10.51 | Rc | 2500 | 2500"
    assert written.steps(c)[5] == "10.54 | K | 10 | published rating has reached 2400"
    assert written.steps(by_id(result)["b"])[5] == "10.54 | K | 15 | below 2400, 30 games or more"


def test_unrated_players_of_a_swiss_tournament():
    """u: (2500 + 2100 + 2400 + 1700)/4 = 2175, p 1.5/4 = .375 → .38, dp -87: 2088. v: 5104/3 at 50 %,
    under 1801. w met two rated opponents only."""
    players = by_id(RULES.rate(SWISS))
    u, v, w = players["u"], players["v"], players["w"]
    assert written.figures(u) == ("unrated", 4, Fraction("1.5"), None, None, None, None, 2088, True)
    assert written.steps(u) == [
        "10.21a | Rc | 2175 | (2500 + 2100 + 2400 + 1700)/4",
        "10.24 | Ru | 2088 | 2175 - 87, p 0.38",
    ]
    assert written.counted(u) == [
        "3 b a: 0 against 2500, 6.42",
        "4 w b: 0 against 2100, 6.42",
        "5 w c: 1/2 against 2400, 6.42",
        "6 w x: 1 against 1700, 6.42",
    ]
    assert written.uncounted(u) == ["13 w: 6.4 unrated opponent"]
    assert written.figures(v) == (
        "unrated", 3, Fraction("1.5"), None, None, None, None, Fraction(5104, 3), False,
    )  # fmt: skip
    assert written.steps(v) == [
        "10.21a | Rc | 1701.3333 | (1700 + 1701 + 1703)/3",
        "10.22 | Ru | 1701.3333 | 1701.3333, at 50 %",
        "10.31 | kept | no | first performance under 1801",
    ]
    assert written.figures(w) == ("unrated", 0, 0, None, None, None, None, None, False)
    assert written.steps(w) == []
    assert written.uncounted(w) == [
        "11 z: 6.42 fewer than 3 rated opponents",
        "12 x: 6.42 fewer than 3 rated opponents",
        "13 u: 6.4 unrated opponent",
    ]
    assert written.figures(players["x"]) == ("rated", 0, 0, None, 0, 15, 0, None, None)
    assert written.uncounted(players["x"])[2] == "10 a: 5.1 forfeit"


def test_zero_or_half_a_point_in_the_event():
    """6.1: the reasons stand in order of rounds among the others."""
    played = event("swiss", {"u": None, "a": 2000, "b": 2010, "c": 2020}, "u a =, u b 0, u c +, c u 1")
    assert written.uncounted(by_id(RULES.rate(played))["u"]) == [
        "1 a: 6.1 zero or half a point in the event",
        "2 b: 6.1 zero or half a point in the event",
        "3 c: 5.1 forfeit",
        "4 c: 6.1 zero or half a point in the event",
    ]


def test_an_event_that_is_too_long_counts_for_nobody():
    """4.1: the error is the reason of each game."""
    result = RULES.rate(replace(SWISS, start=date(2004, 1, 1), end=date(2004, 4, 30)))
    assert (result.rated, result.treated_as, result.ra) == (False, "swiss", None)
    assert written.findings(result) == ["error 4.1 too-long (end): The event lasts 121 days; at most 90."]
    a, u = by_id(result)["a"], by_id(result)["u"]
    assert written.figures(a) == ("rated", 0, 0, None, 0, 25, 0, None, None)
    assert written.figures(u) == ("unrated", 0, 0, None, None, None, None, None, False)
    assert written.uncounted(u) == [
        "3 a: 4.1 event not rated",
        "4 b: 4.1 event not rated",
        "5 c: 4.1 event not rated",
        "6 x: 4.1 event not rated",
        "13 w: 4.1 event not rated",
    ]
    assert RULES.rate(replace(SWISS, start=date(2004, 1, 1))).rated
    assert RULES.rate(replace(SWISS, end=date(2004, 1, 1))).rated


def test_the_first_error_is_the_reason_although_a_warning_stands_before_it():
    """6.43 warns that one pair did not play, 6.4 does not hold for a Swiss tournament; a league of more
    than 90 days warns, two unrated players of a match are the error."""
    played = event(
        "match", {"a": None, "b": None}, "a b 1", start=date(2004, 1, 1), end=date(2004, 6, 1),
        flags=frozenset({"league"}), scheduled_games=1,
    )  # fmt: skip
    result = RULES.rate(played)
    assert [each.severity for each in result.findings] == ["warning", "error"]
    assert written.uncounted(by_id(result)["a"]) == ["1 b: 6.4 event not rated"]


@pytest.mark.parametrize(
    ("system", "what"), [("round-robin", "its game"), ("double-round-robin", "two games")]
)
def test_what_an_incomplete_round_robin_is_told(system, what):
    """6.43: a, without the forfeit of c, is a player of a Swiss tournament: Rc (2100 + 2300)/2."""
    ratings = {"a": 2000, "b": 2100, "c": 2200, "d": 2300}
    result = RULES.rate(event(system, ratings, "a b =, a c +, a d =, b c =, b d =, c d ="))
    assert written.findings(result) == [
        f"warning 6.43 treated-as-swiss (system): Not every pair played {what}: rated as a Swiss tournament."
    ]
    assert written.steps(by_id(result)["a"])[0] == "10.51 | Rc | 2200 | (2100 + 2300)/2"


def test_a_match_of_unknown_length():
    """6.5"""
    result = RULES.rate(event("match", {"a": 2000, "b": 2100}, "a b 1, b a 0, a b ="))
    assert written.findings(result) == [
        (
            "warning 6.5 scheduled-games-unknown (rounds): "
            "The scheduled number of games is not known: games after the match was decided count."
        )
    ]
    decided = RULES.rate(event("match", {"a": 2000, "b": 2100}, "a b 1, b a 0, a b =", scheduled_games=3))
    assert decided.findings == ()
    assert written.uncounted(by_id(decided)["b"]) == ["3 a: 6.5 after the match was decided"]


ROUND_ROBIN = event(
    "round-robin",
    {"a": 2400, "b": 2010, "c": 2205, "d": 1830, "u": None},
    "a b 1, a c =, a d 1, a u 1, b c 0, b d =, b u =, c d 1, c u =, d u 1",
)
AVERAGE = [
    "10.21b | Rar | 2111.25 | (2400 + 2010 + 2205 + 1830)/4",
    "10.21b | dpa | 62.25 | (336 - 193 + 193 - 87)/4",
    "10.21b | Ra | 2061 | 2111.25 - 62.25 × 4/5 = 2061.45, rounded",
]


def test_a_rated_player_of_a_round_robin():
    """10.21b: p .88, .25, .75, .38. Ru of u 2061 - 193 × 4/5 = 1906.6. a: Rc (2061 × 5 - 2400)/4 = 1976.25;
    b, d and u come up to 2050 by 40, 220 and 143.4: + 403.4/4. D 322.9 → 323 → .87."""
    result = RULES.rate(ROUND_ROBIN)
    assert (result.rated, result.treated_as, result.findings, result.ra) == (True, "round-robin", (), 2061)
    a = by_id(result)["a"]
    assert written.figures(a) == (
        "rated", 4, Fraction("3.5"), Fraction("2077.1"), Fraction("3.48"), 10, Fraction("0.2"), None, None,
    )  # fmt: skip
    assert written.steps(a) == [
        *AVERAGE,
        "10.51 | Rc | 1976.25 | (2061 × 5 - 2400)/4",
        "10.51 | Rc | 2077.1 | 1976.25 + (40 + 220 + 143.4)/4: differences over 350",
        "10.53 | D | 323 | 2400 - 2077.1, to a whole number",
        "10.1b | PD | 0.87 | D 323",
        "10.54 | We | 3.48 | 0.87 × 4",
        "10.54 | W | 3.5 | 4 games",
        "10.54 | K | 10 | published rating has reached 2400",
        "10.54 | change | 0.2 | 10 × (3.5 - 3.48)",
    ]
    assert written.counted(a) == [
        "1 w b: 1 against 2050, 10.21b",
        "2 w c: 1/2 against 2205, 10.21b",
        "3 w d: 1 against 2050, 10.21b",
        "4 w u: 1 against 2050, 10.21b",
    ]
    assert written.uncounted(a) == []
    d = by_id(result)["d"]
    assert written.steps(d)[4] == "10.51 | Rc | 2057.5 | 2118.75 + (-220 - 25)/4: differences over 350"


def test_the_unrated_player_of_a_round_robin():
    """10.25, 10.51: a comes down from 2400 to 1906.6 + 350 = 2256.6: 1906.6 - 143.4/4 = 1870.75."""
    u = by_id(RULES.rate(ROUND_ROBIN))["u"]
    assert written.figures(u) == ("unrated", 4, 1, None, None, None, None, Fraction("1870.75"), True)
    assert written.steps(u) == [
        *AVERAGE,
        "10.21b | Rc | 2061 | Ra",
        "10.25 | Ru | 1906.6 | 2061 - 193 × 4/5, p 0.25",
        "10.51 | Ru | 1870.75 | 1906.6 + (-143.4)/4: differences over 350",
    ]
    assert written.counted(u) == [
        "4 b a: 0 against 11283/5, 10.21b",
        "7 b b: 1/2 against 2010, 10.21b",
        "9 b c: 1/2 against 2205, 10.21b",
        "10 b d: 0 against 1830, 10.21b",
    ]


def test_the_same_by_other_readings():
    """Ra as it is: 2061.45, Ru of u 2061.45 - 154.4 = 1907.05; whole numbers at each step: Rc of d
    (2061 × 5 - 1830)/4 = 2118.75 → 2119, then 2119 - 61.25 = 2057.75 → 2058."""
    exact = by_id(replace(RULES, ra_whole=False).rate(ROUND_ROBIN))["u"]
    assert written.steps(exact)[2] == "10.21b | Ra | 2061.45 | 2111.25 - 62.25 × 4/5"
    assert written.steps(exact)[4] == "10.25 | Ru | 1907.05 | 2061.45 - 193 × 4/5, p 0.25"
    whole = by_id(replace(RULES, round_robin_whole=True).rate(ROUND_ROBIN))["d"]
    assert written.steps(whole)[3:5] == [
        "10.51 | Rc | 2119 | (2061 × 5 - 1830)/4",
        "10.51 | Rc | 2058 | 2119 + (-220 - 25)/4: differences over 350",
    ]
    unlimited = by_id(replace(RULES, limit_in_round_robin=False).rate(ROUND_ROBIN))["u"]
    assert (unlimited.performance, unlimited.counted[0].opponent_rating) == (Fraction("1906.6"), 2400)


def test_a_round_robin_of_rated_players():
    """10.51: Ra is their average; a, who lost 1.5 - 1.92: D (2000 - 2100) → .36 × 2."""
    result = RULES.rate(event("round-robin", {"a": 2000, "b": 2100, "c": 2100, "d": 2100, "e": 2100},
        "a b =, a c =, a d =, a e 0, b c =, b d =, b e =, c d =, c e =, d e ="))  # fmt: skip
    assert result.ra is None
    assert written.steps(by_id(result)["a"])[:2] == [
        "10.51 | Ra | 2080 | (2000 + 2100 + 2100 + 2100 + 2100)/5",
        "10.51 | Rc | 2100 | (2080 × 5 - 2000)/4",
    ]


def test_an_unrated_player_whom_nobody_counts():
    """6.1: u's half point; the others have a round robin of four among themselves."""
    ratings = {"a": 2100, "b": 2100, "c": 2100, "d": 2100, "u": None}
    text = "a b =, a c =, a d =, a u =, b c =, b d =, b u 1, c d =, c u 1, d u 1"
    result = RULES.rate(event("round-robin", ratings, text))
    assert written.uncounted(by_id(result)["a"]) == [
        "4 u: 6.1 unrated opponent with zero or half a point in the event"
    ]
    assert written.uncounted(by_id(result)["u"])[0] == "4 a: 6.1 zero or half a point in the event"
    assert written.figures(by_id(result)["u"]) == ("unrated", 0, 0, None, None, None, None, None, False)
    assert result.ra == 2100
    assert by_id(result)["a"].games == 3


def test_somebody_who_was_entered_but_never_paired():
    """Not part of the composition: neither 10.21b nor 6.43 speak of z."""
    played = replace(ROUND_ROBIN, players=(*ROUND_ROBIN.players, EventPlayer("z", 2000)))
    played = replace(played, games=(*played.games, Game(11, "z", None, "bye-0")))
    result = RULES.rate(played)
    assert result.ra == 2061
    assert written.figures(by_id(result)["z"]) == ("rated", 0, 0, None, 0, 15, 0, None, None)


def test_k_and_why():
    """10.54"""
    assert k_factor(RULES, 29, 2450, True) == (25, "29 of 30 games")
    assert k_factor(RULES, 30, 2350, True) == (10, "published rating has reached 2400")
    assert k_factor(RULES, 30, 2399, None) == (15, "below 2400, 30 games or more")
    assert k_factor(RULES, None, None, None) == (25, "0 of 30 games")
    assert RULES.k_of(rating=2400, career_games=30, reached_k10=False) == 10
    assert RULES.k_of(rating=2399, career_games=29, reached_k10=False) == 25
    assert RULES.k_of(rating=2399, career_games=30, reached_k10=True) == 10


@pytest.mark.parametrize(
    ("rules", "score", "opponents", "ru", "article", "text"),
    [
        (RULES, "2", None, "2125", "10.23", "2100 + 12.5 × 2"),
        (RULES, "1", None, "2100", "10.22", "2100, at 50 %"),
        (RULES, "0.5", None, "1907", "10.24", "2100 - 193, p 0.25"),
        (RULES, "0.5", 4, "1945.6", "10.25", "2100 - 193 × 4/5, p 0.25"),
        (WORKED_EXAMPLE, "0.5", 4, "1907", "10.25", "2100 - 193, p 0.25"),
        (RULES, "0", None, "1300", "10.24", "2100 - 800, p 0"),
    ],
)
def test_performance_and_its_text(rules, score, opponents, ru, article, text):
    """10.22-10.25, two games against 2100."""
    value, step = performance(rules, 2100, Fraction(score), 2, opponents)
    assert value == Fraction(ru)
    assert isinstance(value, Fraction)
    assert (step.article, step.label, step.value, step.text) == (article, "Ru", ru, text)


def test_free_rounds_of_a_round_robin_do_not_count():
    """5.1: three players and one free round each; 6.31 asks for four, here a federation's own three."""
    rules = FideStandard2004(small_event_rated=3)
    byes = tuple(Game(number, name, None, "bye-1") for number, name in ((3, "a"), (2, "b"), (1, "c")))
    played = event("round-robin", {"a": 2000, "b": 2100, "c": 2200}, "a b =, a c =, b c =")
    result = rules.rate(replace(played, games=(*played.games, *byes)))
    assert result.treated_as == "round-robin"
    a = by_id(result)["a"]
    assert (a.games, a.rc) == (2, 2150)
    assert written.uncounted(a) == ["3 None: 5.1 bye"]


def test_nobody_is_left_in_a_round_robin():
    """6.1, with a federation's own 6.3: u has zero, so that a met nobody; z was never paired."""
    rules = FideStandard2004(small_event_rated=1, rated_share=0)
    played = event("round-robin", {"a": EventPlayer("a", 2000, 3), "u": None, "z": None}, "a u 1")
    result = rules.rate(played)
    assert (result.treated_as, result.ra) == ("round-robin", None)
    a, u, z = result.players
    assert written.figures(a) == ("rated", 0, 0, None, 0, 25, 0, None, None)
    assert written.uncounted(a) == ["1 u: 6.1 unrated opponent with zero or half a point in the event"]
    assert written.uncounted(u) == ["1 a: 6.1 zero or half a point in the event"]
    assert (z.status, z.uncounted) == ("unrated", ())


def test_rated_since_the_event_in_a_double_round_robin():
    """10.4, 10.51: all draws, so dpa is 0. For himself l is rated: Ra (2000 × 4 + 2600)/5 = 2120, Rc
    (2120 × 6 - 2600)/5 = 2024; u counts as 2120, and a, b, c, d come up to 2250 by 250 each, u by 130:
    1130 × 2/10 = 226: 2250. D 350 → .89 × 10 = 8.9; 15 × (5 - 8.9) = -58.5."""
    names = {
        **dict.fromkeys("abcd", 2000),
        "l": EventPlayer("l", 2600, 30, rated_since_event=True),
        "u": None,
    }
    text = ", ".join(f"{x} {y} =" for x in names for y in names if x != y)
    own = by_id(RULES.rate(event("double-round-robin", names, text)))["l"]
    assert (own.rc, own.expected, own.k) == (2250, Fraction("8.9"), 10)
    assert written.steps(own)[:5] == [
        "10.21b | Rar | 2120 | (2000 + 2000 + 2000 + 2000 + 2600)/5",
        "10.21b | dpa | 0 | (0 + 0 + 0 + 0 + 0)/5",
        "10.21b | Ra | 2120 | 2120 - 0 × 5/6",
        "10.51 | Rc | 2024 | (2120 × 6 - 2600)/5",
        (
            "10.51 | Rc | 2250 | 2024 + (250 + 250 + 250 + 250 + 250 + 250 + 250 + 250 + 130 + 130)/10: "
            "differences over 350"
        ),
    ]


def test_what_dp_is_at_nought_and_a_hundred_per_cent():
    """10.1a: left open; 677 goes on from the table. a has 4 of 4, the other rated ones 1.5: p .38, dp -87."""
    rules = FideStandard2004(dp_certain=677)
    assert performance(rules, 2100, Fraction(0), 2)[0] == 1423
    ratings = {"a": 2100, "b": 2100, "c": 2100, "d": 2100, "u": None}
    text = "a b 1, a c 1, a d 1, a u 1, b c =, b d =, b u =, c d =, c u =, d u ="
    result = rules.rate(event("round-robin", ratings, text))
    assert written.steps(by_id(result)["b"])[1] == "10.21b | dpa | 104 | (677 - 87 - 87 - 87)/4"


def test_k_10_for_good_in_an_event():
    """10.54: 2350 now, 2400 once."""
    played = event("swiss", {"a": EventPlayer("a", 2350, 50, reached_k10=True), "b": 2350}, "a b 1")
    assert by_id(RULES.rate(played))["a"].change == 5
