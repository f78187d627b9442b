"""fide-rapid-blitz-2022: whole answers with every text, each figure derived by hand."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_rapid_blitz_2022.rating import k_text, performance, period_k
from regulations.model import (
    Entrant,
    EventPlayer,
    Registration,
    ScheduledRound,
)
from tests.regulations import written
from tests.regulations.build import by_id, event, stages

RULES = FideRapidBlitz2022()
JULY = date(2022, 7, 1)


def test_what_the_regulation_says_of_itself():
    assert (RULES.code, RULES.rates) == ("fide-rapid-blitz-2022", ("rapid", "blitz"))
    assert RULES.title == "FIDE Rapid and Blitz Rating Regulations (2022)"
    assert (RULES.effective_from, RULES.effective_until) == (date(2022, 1, 1), date(2024, 2, 29))
    assert (RULES.pools_opponents, RULES.counts_finished_games, RULES.list_step) == (True, False, 1)
    assert RULES.printed == (
        "id", "name", "title", "federation", "rating", "games", "birth_date", "sex", "k",
    )  # fmt: skip
    assert RULES.printed_rating(987) == "987"
    league = frozenset({"league"})
    assert RULES.splits_by_list(start=date(2022, 1, 1), end=date(2022, 12, 1), flags=league) is False
    assert RULES.k_of(rating=2500, career_games=3, reached_k10=True) == 20
    assert RULES.list_in_force(date(2022, 5, 31)) == date(2022, 5, 1)
    assert RULES.last_receipt(JULY) == date(2022, 6, 30)
    assert RULES.last_list_for(date(2022, 5, 31)) == date(2022, 8, 1)


# --- registration -------------------------------------------------------------------------------

GOOD = Registration(
    "swiss",
    date(2022, 5, 7),
    date(2022, 5, 8),
    stages(25, increment=10),
    registered_on=date(2022, 5, 4),
    players=(Entrant("a", 2000), Entrant("b", None)),
)


def told(**changes):
    result = RULES.check(replace(GOOD, **changes))
    found = written.findings(result)
    assert result.ratable is not any(each.startswith("error") for each in found)
    return result.rate, result.minutes_for_60_moves, found


def day_of(rounds):
    return tuple(ScheduledRound(number, date(2022, 5, 7)) for number in range(1, rounds + 1))


def test_a_registration_without_fault():
    """0.2: three days before the start."""
    assert told() == ("rapid", 35, [])
    assert told(rate="rapid", time_control_black=GOOD.time_control) == ("rapid", 35, [])
    assert told(rate="blitz", time_control=stages(10)) == ("blitz", 10, [])


def test_a_day_of_registration_that_nobody_knows():
    assert told(registered_on=None)[2] == [
        "warning 0.2 registration-unknown (registered_on): The day of registration is not given."
    ]


def test_a_match_against_which_the_text_has_almost_everything():
    late_match = told(
        time_control=stages(3),
        time_control_black=stages(4),
        system="match",
        registered_on=date(2022, 5, 6),
        flags=frozenset({"hybrid"}),
        rounds=day_of(31),
    )
    assert late_match == (
        None,
        3,
        [
            (
                "error 1.1.2 time-control-too-fast (time_control): "
                "3 minutes for 60 moves; blitz needs more than 3."
            ),
            (
                "error 1.2 different-times (time_control_black): "
                "The players have different times; such games are not rated."
            ),
            (
                "error 0.2 late-registration (registered_on): "
                "Registered 1 day before the start; at least 3 days are needed. [late-registration]"
            ),
            (
                "error 0.2 hybrid-approval (flags): Hybrid conditions: "
                "the chairman of the QC must approve this tournament. [hybrid-approval]"
            ),
            "error 5.1 unrated-in-match (players): A match with an unrated player is not rated.",
        ],
    )


def test_an_hour_is_standard_chess():
    """1.1.1; 0.2 on the day itself."""
    assert told(time_control=stages(60), registered_on=date(2022, 5, 7), rounds=day_of(31)) == (
        "standard",
        60,
        [
            (
                "error 1.1.1 time-control-too-slow (time_control): "
                "60 minutes for 60 moves; rapid chess needs less than 60."
            ),
            (
                "error 0.2 late-registration (registered_on): "
                "Registered not before the start; at least 3 days are needed. [late-registration]"
            ),
        ],
    )


def test_blitz_announced_as_rapid_with_what_the_qc_authorized():
    """0.2, 1.1.2, 3.1.2"""
    lifted = frozenset({"hybrid-approval", "late-registration"})
    asked = told(
        rate="rapid", time_control=stages(5), registered_on=date(2022, 5, 5), rounds=day_of(31),
        flags=frozenset({"hybrid"}), authorizations=lifted,
    )  # fmt: skip
    assert asked[2] == [
        "error 1.1.2 other-rate (time_control): 5 minutes for 60 moves: this is blitz, not rapid.",
        "error 3.1.2 too-many-rounds (rounds): 2022-05-07: 31 rounds; at most 30 of blitz chess on one day.",
        (
            "warning 0.2 late-registration (registered_on): Registered 2 days before the start; "
            "at least 3 days are needed. Authorized. [late-registration]"
        ),
        (
            "warning 0.2 hybrid-approval (flags): Hybrid conditions: "
            "the chairman of the QC must approve this tournament. Authorized. [hybrid-approval]"
        ),
    ]


def test_each_day_with_too_many_rounds_is_named():
    """3.1.1"""
    second = tuple(replace(each, date=date(2022, 5, 8)) for each in day_of(17))
    assert told(rounds=(*second, *day_of(16)))[2] == [
        "error 3.1.1 too-many-rounds (rounds): 2022-05-07: 16 rounds; at most 15 of rapid chess on one day.",
        "error 3.1.1 too-many-rounds (rounds): 2022-05-08: 17 rounds; at most 15 of rapid chess on one day.",
    ]


def test_a_match_of_two_rated_players():
    """5.1"""
    assert told(system="match", players=(Entrant("a", 2000), Entrant("b", 2100))) == ("rapid", 35, [])


def test_rapid_announced_as_blitz():
    """1.1.1, 3.1.1"""
    assert told(rate="blitz", rounds=day_of(16))[2] == [
        "error 1.1.1 other-rate (time_control): 35 minutes for 60 moves: this is rapid, not blitz.",
        "error 3.1.1 too-many-rounds (rounds): 2022-05-07: 16 rounds; at most 15 of rapid chess on one day.",
    ]


# --- events -------------------------------------------------------------------------------------

SWISS = event(
    "swiss",
    {"a": EventPlayer("a", 2500, games_in_period=40), "b": 2050,
     "c": EventPlayer("c", None, standard_rating=2000), "u": None, "v": None,
     "w": EventPlayer("w", None, first_event=False), "x": 1700, "y": 1701},
    "a b 1, c a =, a u 1, u b 0, u c =, u x 1, v x 0, v y 0, w x 0, w y 0, a x +, u w 1, v u 1, x y =",
)  # fmt: skip


def test_a_rated_player_of_a_swiss_tournament():
    """7.31: 450 and 500 count as 400 → .92; 1.5 - 1.84 = -.34. 7.32: 700 // 40 = 17; 17 × -.34 = -5.78."""
    result = RULES.rate(SWISS)
    assert (result.rated, result.treated_as, result.findings, result.ra) == (True, "swiss", (), None)
    a = by_id(result)["a"]
    assert written.figures(a) == (
        "rated", 2, Fraction("1.5"), 2025, Fraction("1.84"), 17, Fraction("-5.78"), None, None,
    )  # fmt: skip
    assert written.steps(a) == [
        "7.32b | ΔR round 1 | 0.08 | b: D 2500 - 2050 = 450, limited to 400; PD 0.92; 1 - 0.92",
        "7.32b | ΔR round 2 | -0.42 | c: D 2500 - 2000 = 500, limited to 400; PD 0.92; 0.5 - 0.92",
        "7.32c | ΣΔR | -0.34 | 0.08 - 0.42",
        "7.32 | K | 17 | 40 × 20 = 800 is over 700; greatest K with 40 × K within it",
        "7.32d | change | -5.78 | 17 × -0.34; rounded with the period's sum (7.33)",
    ]
    assert written.counted(a) == ["1 w b: 1 against 2100, 7.31", "2 b c: 1/2 against 2100, 7.31"]
    assert [(each.difference, each.expected) for each in a.counted] == [(400, Fraction("0.92"))] * 2
    assert written.uncounted(a) == ["3 u: 7.31 unrated opponent", "11 x: 4.1 forfeit"]


def test_thirty_five_games_are_not_over_seven_hundred():
    """7.32"""
    assert k_text(RULES, 35) == "35 × 20 = 700, not over 700"
    assert k_text(RULES, 36) == "36 × 20 = 720 is over 700; greatest K with 36 × K within it"
    assert [period_k(RULES, games) for games in (0, 35, 36, 100)] == [20, 20, 19, 7]


def test_a_player_with_a_standard_rating_only():
    """7.21: c counts as 2000; D -500 → -400 → .08; 20 × .42 = 8.4."""
    c = by_id(RULES.rate(SWISS))["c"]
    assert written.figures(c) == (
        "rated", 1, Fraction("0.5"), 2500, Fraction("0.08"), 20, Fraction("8.4"), None, None,
    )  # fmt: skip
    assert written.steps(c) == [
        "7.21 | R | 2000 | the standard rating",
        "7.32b | ΔR round 2 | 0.42 | a: D 2000 - 2500 = -500, limited to 400; PD 0.08; 0.5 - 0.08",
        "7.32c | ΣΔR | 0.42 | 0.42",
        "7.32 | K | 20 | 1 × 20 = 20, not over 700",
        "7.32d | change | 8.4 | 20 × 0.42; rounded with the period's sum (7.33)",
    ]
    x = by_id(RULES.rate(SWISS))["x"]
    assert written.steps(x)[0] == "7.32b | ΔR round 14 | 0 | y: D 1700 - 1701 = -1; PD 0.5; 0.5 - 0.5"


def test_unrated_players_of_a_swiss_tournament():
    """u: 8250/4 = 2062.5, p .375 → .38, dp -87: 1975.5 → 1976. v: zero in the first event. w: zero in a
    later one counts: 1700.5 - 800 = 900.5 → 901."""
    players = by_id(RULES.rate(SWISS))
    u, v, w = players["u"], players["v"], players["w"]
    assert written.figures(u) == ("unrated", 4, Fraction("1.5"), None, None, None, None, 1976, True)
    assert written.steps(u) == [
        "7.22 | Ra | 2062.5 | (2500 + 2050 + 2000 + 1700)/4",
        "7.23 | Ru | 1976 | 2062.5 - 87, p 0.38, to the nearest whole number",
    ]
    assert written.counted(u) == [
        "3 b a: 0 against 2500, 7.22",
        "4 w b: 0 against 2050, 7.22",
        "5 w c: 1/2 against 2000, 7.22",
        "6 w x: 1 against 1700, 7.22",
    ]
    assert written.uncounted(u) == ["12 w: 7.22 unrated opponent", "13 v: 7.22 unrated opponent"]
    assert written.figures(v) == ("unrated", 0, 0, None, None, None, None, None, False)
    assert written.uncounted(v) == [
        "7 x: 7.22 zero in the first event",
        "8 y: 7.22 zero in the first event",
        "13 u: 7.22 unrated opponent",
    ]
    assert written.figures(w) == ("unrated", 2, 0, None, None, None, None, 901, True)
    assert written.steps(w) == [
        "7.22 | Ra | 1700.5 | (1700 + 1701)/2",
        "7.23 | Ru | 901 | 1700.5 - 800, p 0, to the nearest whole number",
    ]


def test_reasons_stand_in_order_of_rounds():
    """v's game without rating comes first here."""
    played = event("swiss", {"v": None, "u": None, "x": 1700}, "v u 1, v x 0")
    assert written.uncounted(by_id(RULES.rate(played))["v"]) == [
        "1 u: 7.22 unrated opponent",
        "2 x: 7.22 zero in the first event",
    ]


def test_games_between_rated_players_that_do_not_count_leave_no_change():
    """4.1: K is that of the player's period."""
    played = event("swiss", {"a": EventPlayer("a", 2000, games_in_period=36), "b": 2000}, "a b +")
    players = by_id(RULES.rate(played))
    assert written.figures(players["a"]) == ("rated", 0, 0, None, 0, 19, 0, None, None)
    assert written.figures(players["b"]) == ("rated", 0, 0, None, 0, 20, 0, None, None)


MATCH = event("match", {"a": 2000, "b": 2100}, "a b 1, b a 0, a b =")


def test_a_match_of_unknown_length():
    """5.2"""
    assert written.findings(RULES.rate(MATCH)) == [
        (
            "warning 5.2 scheduled-games-unknown (rounds): The scheduled number of games is not known: "
            "games after the match was decided count. [decided-match-games]"
        )
    ]
    assert RULES.rate(replace(MATCH, system="team")).findings == ()
    assert replace(RULES, cut_decided_match=False).rate(MATCH).findings == ()


def test_a_match_of_three_games():
    """5.2: decided after two; the QC or a federation's own reading may let the third count."""
    three = replace(MATCH, scheduled_games=3)
    result = RULES.rate(three)
    assert result.findings == ()
    assert written.uncounted(by_id(result)["b"]) == ["3 a: 5.2 after the match was decided"]
    waived = replace(three, authorizations=frozenset({"decided-match-games"}))
    assert by_id(RULES.rate(waived))["a"].games == 3
    assert RULES.rate(replace(waived, scheduled_games=None)).findings == ()
    assert by_id(replace(RULES, cut_decided_match=False).rate(three))["a"].games == 3


def test_an_event_that_is_not_rated():
    """0.2 is the first error and the reason of each game."""
    played = event("match", {"a": None, "b": 2100}, "a b 1", scheduled_games=1, flags=frozenset({"hybrid"}))
    result = RULES.rate(played)
    assert (result.rated, result.treated_as) == (False, "match")
    assert [(each.article, each.code) for each in result.findings] == [
        ("0.2", "hybrid-approval"),
        ("5.1", "unrated-in-match"),
    ]
    a, b = result.players
    assert written.figures(a) == ("unrated", 0, 0, None, None, None, None, None, False)
    assert written.figures(b) == ("rated", 0, 0, None, 0, 20, 0, None, None)
    assert written.uncounted(b) == ["1 a: 0.2 event not rated"]


@pytest.mark.parametrize(
    ("score", "ru", "text"),
    [
        ("2", 2041, "2000.5 + 20 × 2"),
        ("1.5", 2021, "2000.5 + 20 × 1"),
        ("1", 2001, "2000.5, at 50 %"),
        ("0.5", 1808, "2000.5 - 193, p 0.25"),
        ("0", 1201, "2000.5 - 800, p 0"),
    ],
)
def test_performance_and_its_text(score, ru, text):
    """7.22, 7.23, two games against 2000 and 2001."""
    value, steps = performance(RULES, (2000, 2001), Fraction(score))
    assert value == ru
    assert [(step.article, step.label, step.value, step.text) for step in steps] == [
        ("7.22", "Ra", "2000.5", "(2000 + 2001)/2"),
        ("7.23", "Ru", str(ru), f"{text}, to the nearest whole number"),
    ]


def test_what_dp_is_at_nought():
    """7.1: 800; 677 goes on from the table."""
    assert performance(replace(RULES, dp_certain=677), (2000, 2000), Fraction(0))[0] == 1323
