"""fide-standard-2024 and fide-rapid-blitz-2024: registration."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024, registration
from regulations.model import AUTHORIZATIONS, Entrant, Finding, Registration, ScheduledRound, Stage
from tests.regulations.build import stages

STANDARD, RAPID = FideStandard2024(), FideRapidBlitz2024()
LATE = frozenset({"late-registration"})


def announced(**changes):
    """A standard tournament against which the text has nothing."""
    ordinary = Registration(
        system="swiss",
        start=date(2024, 5, 10),
        end=date(2024, 5, 12),
        time_control=stages(90, increment=30),
        registered_on=date(2024, 5, 7),
        players=(Entrant("ann", 2450), Entrant("ben", 1799), Entrant("cy", None)),
    )
    return replace(ordinary, **changes)


def quick(**changes):
    """A rapid tournament against which the text has nothing."""
    return announced(**{"time_control": stages(15, increment=10), **changes})


def only(result):
    """The single finding."""
    (finding,) = result.findings
    return finding


def codes(result):
    return [(each.severity, each.code, each.article) for each in result.findings]


def entrants(*ratings):
    return tuple(Entrant(f"p{number}", rating) for number, rating in enumerate(ratings))


# --- 0 to 4: standard ---------------------------------------------------------------------------


def test_an_ordinary_tournament_is_ratable():
    result = STANDARD.check(announced())
    assert (result.ratable, result.rate, result.minutes_for_60_moves) == (True, "standard", 120)
    assert result.findings == ()


@pytest.mark.parametrize(
    ("own", "opponent", "minutes"),
    [
        (2400, 1000, 120),
        (1000, 2400, 120),
        (2399, 2399, 90),
        (1800, None, 90),
        (None, 1800, 90),
        (1799, 1799, 60),
        (None, None, 60),
    ],
)
def test_minutes_that_a_game_needs(own, opponent, minutes):
    """1.1: by the higher rating in the game, not in the tournament."""
    assert registration.game_minutes_needed(STANDARD, own, opponent) == minutes
    assert registration.game_has_time(STANDARD, Fraction(minutes), own, opponent)
    assert not registration.game_has_time(STANDARD, minutes - Fraction(1, 60), own, opponent)


def test_a_federations_own_bands_need_no_last_one():
    rules = replace(STANDARD, minimum_minutes=((2000, 100), (1500, 70)))
    assert registration.game_minutes_needed(rules, 1499, None) == 70
    assert registration.game_minutes_needed(rules, 2000, None) == 100


@pytest.mark.parametrize(
    ("ratings", "minutes", "severity", "names"),
    [
        ((2400, 2399, 1800), 90, "warning", "p0 (2400, 120 minutes)"),
        ((2399, 1799, None), 60, "warning", "p0 (2399, 90 minutes)"),
        ((2450, 2500, 1900, 1800), 90, "warning", "p1 (2500, 120 minutes), p0 (2450, 120 minutes)"),
        ((2450, 2450, 1900, 1800), 90, "warning", "p0 (2450, 120 minutes), p1 (2450, 120 minutes)"),
        ((2450, 1800, 1700, 1600), 89, "warning", "p0 (2450, 120 minutes), p1 (1800, 90 minutes)"),
        ((2450,), 90, "warning", "p0 (2450, 120 minutes)"),  # the others are not known yet
        ((2450, 2399), 90, "error", "p0 (2450, 120 minutes)"),  # one alone has nobody to play
        ((2450, 2399), 89, "error", "p0 (2450, 120 minutes), p1 (2399, 90 minutes)"),
        ((2450, 2399), 120, None, ""),
        ((2399, 2399), 90, None, ""),
        ((1799, None), 60, None, ""),
    ],
)
def test_games_that_are_too_fast_for_their_players(ratings, minutes, severity, names):
    """1.1: an error only where no two of the players could play a rated game."""
    result = STANDARD.check(announced(players=entrants(*ratings), time_control=stages(minutes)))
    assert (result.ratable, result.rate) == (severity != "error", "standard")
    text = f"{minutes} minutes for 60 moves; too fast for every game of {names}"
    if severity == "error":
        text += ": no two of the players could play a rated game."
        expected = [Finding("error", "time-control-too-fast", "1.1", text, None, "time_control")]
    else:
        text += ": these are not rated."
        expected = [Finding("warning", "games-too-fast", "1.1", text, None, "time_control")]
    assert list(result.findings) == (expected if severity else [])


def test_below_an_hour_no_game_is_rated():
    """1.1: 59 min 59 s are 59.9833 minutes; white's or black's."""
    fast = (Stage(None, Fraction(59), 59),)
    text = "59 minutes for 60 moves; every game needs at least 60."
    result = STANDARD.check(announced(time_control=stages(59), players=()))
    assert only(result) == Finding("error", "time-control-too-fast", "1.1", text, None, "time_control")
    assert (result.ratable, result.rate, result.minutes_for_60_moves) == (False, None, 59)
    assert STANDARD.check(announced(time_control=fast, players=())).minutes_for_60_moves == 118
    result = STANDARD.check(announced(players=(), time_control_black=stages(59)))
    assert (only(result).subject, only(result).code) == ("time_control_black", "time-control-too-fast")
    assert (result.ratable, result.rate, result.minutes_for_60_moves) == (False, None, 120)


def test_the_player_with_less_time_decides():
    """1.1: each player needs the time; white 120, black 90."""
    result = STANDARD.check(announced(time_control_black=stages(60, increment=30)))
    assert only(result).severity == "warning"
    assert only(result).subject == "time_control_black"
    assert only(result).message.startswith("90 minutes")
    assert STANDARD.check(announced(time_control_black=stages(100, 30))).findings == ()


@pytest.mark.parametrize(("moves", "fits"), [(29, False), (30, True), (40, True), (None, True)])
def test_thirty_moves_in_the_first_control(moves, fits):
    """1.2"""
    control = (Stage(moves, Fraction(120)), Stage(None, Fraction(20)))
    result = STANDARD.check(announced(time_control=control))
    text = "The first control is after 29 moves; at least 30."
    expected = Finding("error", "first-control", "1.2", text, None, "time_control")
    assert list(result.findings) == ([] if fits else [expected])
    assert result.ratable is fits
    both = STANDARD.check(announced(time_control=control, time_control_black=control))
    subjects = [] if fits else ["time_control", "time_control_black"]
    assert [each.subject for each in both.findings] == subjects


def test_standard_chess_only():
    """1.1"""
    result = STANDARD.check(announced(rate="rapid"))
    text = "These regulations rate standard chess, not rapid."
    assert only(result) == Finding("error", "other-rate", "1.1", text, None, "time_control")
    assert not result.ratable
    assert STANDARD.check(announced(rate="standard")).ratable


@pytest.mark.parametrize(("white", "black", "rounds", "hours"), [
    (120, None, 3, None),  # 3 × 4 h
    (121, None, 3, "12.1"),
    (90, None, 4, None),
    (90, None, 5, "15"),
    (120, 90, 4, "14"),  # 4 × 3.5 h
    (60, None, 6, None),
])  # fmt: skip
def test_twelve_hours_on_one_day(white, black, rounds, hours):
    """3.1: both clocks; no limit of rounds."""
    days = tuple(ScheduledRound(number, date(2024, 5, 10)) for number in range(1, rounds + 1))
    result = STANDARD.check(
        announced(
            players=(),
            rounds=(*days, ScheduledRound(rounds + 1, date(2024, 5, 11))),
            time_control=stages(white),
            time_control_black=stages(black) if black else None,
        )
    )
    text = f"2024-05-10: {hours} hours of play; at most 12 on one day."
    expected = Finding("error", "too-many-hours", "3.1", text, None, "rounds")
    assert list(result.findings) == ([expected] if hours else [])
    found = registration.hours_of_a_day(STANDARD, rounds, Fraction(white + (black or white)))
    assert [each.message for each in found] == ([text.split(": ")[1]] if hours else [])


@pytest.mark.parametrize(("end", "days"), [(date(2024, 6, 8), None), (date(2024, 6, 9), 31)])
def test_an_event_of_more_than_thirty_days_reports_every_month(end, days):
    """4: 10 May to 8 June are 30 days."""
    result = STANDARD.check(announced(end=end))
    text = "The event lasts 31 days, more than 30: it must send a report every month."
    expected = Finding("warning", "interim-reports", "4", text, None, "end")
    assert list(result.findings) == ([expected] if days else [])
    assert result.ratable
    assert RAPID.check(quick(end=end)).findings == ()  # the other text has no such article


@pytest.mark.parametrize(
    ("registered", "granted", "severity", "when"),
    [
        (date(2024, 5, 7), (), None, ""),
        (date(2024, 5, 8), (), "error", "2 days before the start"),
        (date(2024, 5, 9), (), "error", "1 day before the start"),
        (date(2024, 5, 10), (), "error", "not before the start"),
        (date(2024, 5, 8), LATE, "warning", "2 days before the start"),
        (date(2024, 5, 8), frozenset(AUTHORIZATIONS) - LATE, "error", "2 days before the start"),
    ],
)
def test_three_days_notice(registered, granted, severity, when):
    """0.2.2, 0.2.4"""
    result = STANDARD.check(announced(registered_on=registered, authorizations=frozenset(granted)))
    text = f"Registered {when}; at least 3 days are needed."
    text += " Authorized." if severity == "warning" else ""
    expected = Finding(severity, "late-registration", "0.2.2", text, "late-registration", "registered_on")
    assert list(result.findings) == ([expected] if severity else [])
    assert result.ratable is (severity != "error")


@pytest.mark.parametrize(
    ("player", "flags", "strong"),
    [
        (Entrant("x", 2700), (), False),  # in excess of 2700
        (Entrant("x", 2701), (), True),
        (Entrant("x", 2500, sex="f"), (), False),
        (Entrant("x", 2501, sex="f"), (), True),
        (Entrant("x", 2501, sex=" W "), (), True),
        (Entrant("x", 2501, sex="F"), (), True),
        (Entrant("x", 2501, sex="m"), (), False),
        (Entrant("x", 2501), (), False),
        (Entrant("x", 2501), ("women",), True),
        (Entrant("x", 2501, title="WGM"), (), True),
        (Entrant("x", 2501, title="GM"), (), False),
        (Entrant("x", 2501, title="WGM", sex="m"), ("women",), False),  # the entry says it better
        (Entrant("x", None, sex="f"), (), False),
    ],
)
def test_thirty_days_where_a_very_strong_player_takes_part(player, flags, strong):
    """0.2.1, 0.2.3: 10 April is 30 days before 10 May."""
    players = (Entrant("y", 2701) if strong else Entrant("y", 2100), player, Entrant("z", None))
    given = announced(players=players, time_control=stages(120), flags=frozenset(flags))
    assert STANDARD.check(replace(given, registered_on=date(2024, 4, 10))).findings == ()
    result = STANDARD.check(replace(given, registered_on=date(2024, 4, 11)))
    text = "Registered 29 days before the start; at least 30 days are needed"
    text += ", as very strong players take part: x, y."
    expected = Finding("error", "late-registration", "0.2.1", text, "late-registration", "registered_on")
    assert list(result.findings) == ([expected] if strong else [])
    late = STANDARD.check(replace(given, registered_on=date(2024, 4, 11), authorizations=LATE))
    assert late.ratable
    assert [each.severity for each in late.findings] == (["warning"] if strong else [])


def test_an_unknown_day_of_registration_is_a_warning():
    """0.2.1, 0.2.2"""
    text = "The day of registration is not given; it must be {} days before the start."
    result = STANDARD.check(announced(registered_on=None))
    expected = Finding("warning", "registration-unknown", "0.2.2", text.format(3), None, "registered_on")
    assert list(result.findings) == [expected]
    strong = STANDARD.check(announced(registered_on=None, players=(Entrant("a", 2750),)))
    assert list(strong.findings) == [replace(expected, article="0.2.1", message=text.format(30))]
    assert strong.ratable


@pytest.mark.parametrize(("rules", "given"), [(STANDARD, announced), (RAPID, quick)], ids=["std", "rapid"])
def test_hybrid_events_need_approval(rules, given):
    """0.2"""
    hybrid = given(flags=frozenset({"hybrid"}))
    assert codes(rules.check(hybrid)) == [("error", "hybrid-approval", "0.2")]
    approved = rules.check(replace(hybrid, authorizations=frozenset({"hybrid-approval"})))
    assert approved.ratable
    assert codes(approved) == [("warning", "hybrid-approval", "0.2")]


@pytest.mark.parametrize(
    ("rules", "given", "article"), [(STANDARD, announced, "6.1"), (RAPID, quick, "5.1")], ids=["std", "rapid"]
)
def test_a_match_with_an_unrated_player_is_not_ratable(rules, given, article):
    """6.1 (5.1)"""
    players = (Entrant("a", 2000), Entrant("b", None))
    result = rules.check(given(system="match", players=players))
    text = "A match with an unrated player is not rated."
    assert only(result) == Finding("error", "unrated-in-match", article, text, None, "players")
    assert not result.ratable
    assert rules.check(given(system="match", players=entrants(2000, 2100))).findings == ()
    assert rules.check(given(players=players)).findings == ()


def test_several_findings_at_once():
    """Each article speaks, in order of the text's matter."""
    result = STANDARD.check(
        announced(
            system="match",
            rate="blitz",
            players=(Entrant("a", 2450), Entrant("b", None)),
            time_control=(Stage(20, Fraction(50)), Stage(None, Fraction(20))),
            end=date(2024, 7, 1),
            rounds=tuple(ScheduledRound(number, date(2024, 5, 10)) for number in range(1, 9)),
            registered_on=date(2024, 5, 9),
            flags=frozenset({"hybrid"}),
        )
    )
    assert [each.article for each in result.findings] == [
        "1.1", "1.1", "1.2", "3.1", "4", "0.2.2", "0.2", "6.1"
    ]  # fmt: skip
    assert not result.ratable


# --- 0 to 5: rapid and blitz ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "kind", "finding"),
    [
        (stages(3), None, ("error", "time-control-too-fast", "1.1.2")),
        (stages(3, increment=1), "blitz", None),
        (stages(10), "blitz", None),
        (stages(10, increment=1), "rapid", None),
        (stages(59), "rapid", None),
        (stages(60), "standard", ("error", "time-control-too-slow", "1.1.1")),
    ],
)
def test_the_time_makes_it_rapid_or_blitz_in_2024(control, kind, finding):
    """1.1.1, 1.1.2"""
    result = RAPID.check(quick(time_control=control))
    assert (result.rate, codes(result)) == (kind, [finding] if finding else [])
    assert result.ratable is (finding is None)


def test_different_times_and_other_kinds_in_2024():
    """1.2, 1.1"""
    assert codes(RAPID.check(quick(time_control_black=stages(10, increment=10)))) == [
        ("error", "different-times", "1.2")
    ]
    assert codes(RAPID.check(quick(rate="blitz"))) == [("error", "other-rate", "1.1.1")]


@pytest.mark.parametrize(
    ("minutes", "rounds", "articles_"), [(15, 15, []), (15, 16, ["3.1.1"]), (5, 30, []), (5, 31, ["3.1.2"])]
)
def test_rounds_of_rapid_and_blitz_on_one_day_in_2024(minutes, rounds, articles_):
    """3.1"""
    schedule = tuple(ScheduledRound(number, date(2024, 5, 10)) for number in range(1, rounds + 1))
    result = RAPID.check(quick(time_control=stages(minutes), rounds=schedule))
    assert [each.article for each in result.findings] == articles_


@pytest.mark.parametrize(("day", "severity"), [(7, None), (8, "error")])
def test_three_days_notice_for_rapid_and_blitz_in_2024(day, severity):
    """0.2: for very strong players too."""
    players = (Entrant("a", 2800), Entrant("b", 2600, sex="f"))
    result = RAPID.check(quick(registered_on=date(2024, 5, day), players=players))
    assert codes(result) == ([(severity, "late-registration", "0.2")] if severity else [])
