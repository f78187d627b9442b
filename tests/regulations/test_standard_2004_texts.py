"""fide-standard-2004: whole answers with every text, each figure derived by hand."""

from dataclasses import replace
from datetime import date

import pytest

from regulations.fide_standard_2004 import WORKED_EXAMPLE, FideStandard2004
from regulations.fide_standard_2004.registration import minutes_needed
from regulations.model import (
    Entrant,
    Registration,
    ScheduledRound,
)
from tests.regulations import written
from tests.regulations.build import stages

RULES = FideStandard2004()
JULY = date(2004, 7, 1)


def test_what_the_regulation_says_of_itself():
    assert (RULES.code, RULES.rates) == ("fide-standard-2004", ("standard",))
    assert RULES.title == "FIDE Rating Regulations, standard chess (2004)"
    assert (RULES.effective_from, RULES.effective_until) == (date(2004, 1, 1), None)
    assert (RULES.pools_opponents, RULES.counts_finished_games, RULES.list_step) == (False, False, 1)
    assert RULES.printed == (
        "id", "name", "title", "federation", "rating", "games", "birth_date", "k", "career_games",
    )  # fmt: skip
    assert RULES.printed_rating(2143) == "2143"
    assert RULES.last_list_for(date(2004, 5, 9)) is None
    assert RULES.last_receipt(JULY) == RULES.closing_date(JULY, official=True) == date(2004, 6, 1)
    assert (WORKED_EXAMPLE.round_robin_low_ru, WORKED_EXAMPLE.round_robin_whole) == ("1", True)


# --- registration -------------------------------------------------------------------------------

FAULTY = Registration(
    "match",
    date(2004, 1, 1),
    date(2004, 4, 30),
    stages(60, 20, first=36),
    stages(20, increment=5),
    rate="blitz",
    rounds=tuple(ScheduledRound(number, date(2004, 5, 1)) for number in range(1, 6)),
    players=(Entrant("a", 2250), Entrant("b", None), Entrant("c", None)),
)
FEW = replace(
    FAULTY,
    time_control=stages(120),
    time_control_black=None,
    rate="standard",
    rounds=(),
    end=date(2004, 1, 5),
    players=(Entrant("a", 2250), Entrant("b", None), Entrant("c", None), Entrant("d", None)),
)


def test_a_match_against_which_the_text_has_almost_everything():
    """80 and 20 + 60 × 5/60 = 25 minutes; 31 + 29 + 31 + 30 = 121 days; 5 × 105 min are 8.75 hours."""
    result = RULES.check(FAULTY)
    assert (result.ratable, result.rate, result.minutes_for_60_moves) == (False, "standard", 80)
    assert written.findings(result) == [
        (
            "error 1.12 time-control-too-fast (time_control): 80 minutes for 60 moves; at least 120 "
            "are needed, as a player is rated 2250."
        ),
        "warning 1.3 first-control (time_control): The first control is after 36 moves; 40 are recommended.",
        (
            "error 1.12 time-control-too-fast (time_control_black): 25 minutes for 60 moves; "
            "at least 120 are needed, as a player is rated 2250."
        ),
        "error 3.1 too-many-rounds (rounds): 2004-05-01: 5 rounds; at most 3 on one day.",
        (
            "error 11.21 round-outside-event (rounds): "
            "Outside the days of the event, 2004-01-01 to 2004-04-30: "
            "round 1 on 2004-05-01, round 2 on 2004-05-01, round 3 on 2004-05-01, round 4 on 2004-05-01, "
            "round 5 on 2004-05-01. Correct the rounds or the event."
        ),
        "error 4.1 too-long (end): The event lasts 121 days; at most 90.",
        (
            "error 6.4 too-many-unrated (players): 2 unrated players; "
            "at most 1 in a match or a Scheveningen tournament."
        ),
        "error 1.1 other-rate (time_control): These regulations rate standard chess only.",
    ]


def test_the_first_control_of_black_is_named_too():
    """1.3"""
    asked = replace(FEW, system="swiss", time_control_black=stages(90, 30, first=38))
    assert written.findings(RULES.check(asked)) == [
        (
            "warning 1.3 first-control (time_control_black): "
            "The first control is after 38 moves; 40 are recommended."
        )
    ]


def test_twelve_hours_by_both_clocks():
    """3.1: 3 × (120 + 125) min = 12.25 h, where white alone would have 6 and twice white 12."""
    asked = replace(
        FEW, system="swiss", time_control_black=stages(125), rounds=FAULTY.rounds[:3], end=date(2004, 5, 1)
    )
    asked = replace(asked, start=asked.end)
    assert written.findings(RULES.check(asked)) == [
        "error 3.1 too-many-hours (rounds): 2004-05-01: 12.25 hours of play; at most 12 on one day."
    ]


def test_a_long_league_of_unrated_players():
    """1.14, 4.11"""
    asked = replace(
        FAULTY, system="swiss", time_control=stages(50), time_control_black=None, rate=None, rounds=(),
        players=(), flags=frozenset({"league"}),
    )  # fmt: skip
    assert written.findings(RULES.check(asked)) == [
        (
            "error 1.14 time-control-too-fast (time_control): 50 minutes for 60 moves; at least 60 "
            "are needed, as no player is rated."
        ),
        (
            "warning 4.11 long-league (end): "
            "A league of 121 days: each game is rated with the list in force on its day."
        ),
    ]


@pytest.mark.parametrize(
    ("system", "flags", "told"),
    [
        (
            "double-round-robin",
            (),
            [
                "6.3 too-few-rated (players): 1 of 4 players are rated; at least 1.3333.",
                "6.31 too-few-rated (players): 1 rated players; at least 4 in an event of fewer than 10.",
                (
                    "6.32 too-few-rated (players): 4 players, 1 rated; "
                    "a double round robin with unrated players needs 6, 4 of them rated."
                ),
            ],
        ),
        (
            "round-robin",
            ("national-championship",),
            ["6.33 too-few-rated (players): 1 rated players; a national championship needs 3."],
        ),
        (
            "round-robin",
            ("national-championship", "women"),
            ["6.33 too-few-rated (players): 1 rated players; a national championship needs 2."],
        ),
        ("swiss", (), []),
        ("team", (), []),
    ],
)
def test_too_few_rated_players(system, flags, told):
    """6.3-6.33: 1 of 4, where a third would be 1.3333."""
    result = RULES.check(replace(FEW, system=system, flags=frozenset(flags)))
    assert written.findings(result) == [f"error {each}" for each in told]
    assert result.ratable is not bool(told)


def test_players_without_rating_need_an_hour():
    """1.14: nobody of those entered is rated."""
    asked = replace(FEW, system="swiss", time_control=stages(59), players=(Entrant("a", None),))
    assert written.findings(RULES.check(asked)) == [
        (
            "error 1.14 time-control-too-fast (time_control): 59 minutes for 60 moves; "
            "at least 60 are needed, as no player is rated."
        )
    ]


def test_each_day_with_too_many_rounds_is_named():
    """3.1"""
    second = tuple(replace(each, date=date(2004, 5, 2)) for each in FAULTY.rounds[:4])
    asked = replace(FEW, system="swiss", time_control=stages(90, 30), rounds=(*second, *FAULTY.rounds))
    asked = replace(asked, start=date(2004, 5, 1), end=date(2004, 5, 2))
    found = written.findings(RULES.check(replace(asked, time_control_black=stages(60))))
    assert [each for each in found if "rounds" in each and "hours" not in each] == [
        "error 3.1 too-many-rounds (rounds): 2004-05-01: 5 rounds; at most 3 on one day.",
        "error 3.1 too-many-rounds (rounds): 2004-05-02: 4 rounds; at most 3 on one day.",
    ]


def test_a_federation_with_one_bound_of_its_own_keeps_the_articles():
    """1.12-1.14 are the first three rows, whatever their number; the last row is for everybody else."""
    own = FideStandard2004(minimum_minutes=((2300, 120), (2000, 100), (1500, 80), (1000, 70)))
    assert [minutes_needed(own, rating) for rating in (2300, 2299, 1500, 1499, 1000, 999)] == [
        (120, "1.12"),
        (100, "1.13"),
        (80, "1.14"),
        (70, "1.14"),
        (70, "1.14"),
        (70, "1.14"),
    ]
