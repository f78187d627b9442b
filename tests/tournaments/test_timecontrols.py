"""Typed time controls: what is accepted, how ambiguity is settled, and what is refused with which words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regulations.model import Stage
from regulations.timecontrol import minutes_for_60_moves
from tournaments.timecontrols import Clock, code, parse, read_code, same_clock, words

FIDE = (
    "90 minutes for the first 40 moves followed by 30 minutes for the rest of the game with an addition of "
    "30 seconds per move starting from move one"
)
CLASSIC = "40/5400+30:1800+30"
WORLD = "40/7200:20/3600:900+30"
#: what is typed, and what it means in the coded form of TRF26
ACCEPTED = {
    "90+30": "5400+30",
    "90'+30\"": "5400+30",
    "90′+30″": "5400+30",
    "90’ + 30”": "5400+30",
    "90'+30''": "5400+30",
    "90 min + 30 s/move": "5400+30",
    "90 min. + 30 sec. per move": "5400+30",
    "90m+30s": "5400+30",
    "90, +30": "5400+30",
    "90\u00a0min +\u00a030 s": "5400+30",
    "1h30+30": "5400+30",
    "1h30m+30s/mv": "5400+30",
    "1,5h + 30": "5400+30",
    "1 hour 30 minutes plus 30 seconds increment": "5400+30",
    "90 minutos + 30 segundos por jugada desde la jugada 1": "5400+30",
    "90 + 30 inc": "5400+30",
    "G/90;inc 30": "5400+30",
    "5400+30": "5400+30",
    "40/90+30/30+30": CLASSIC,
    "40/90+30, 30+30": CLASSIC,
    "40/90'+30\"; 30'+30\"": CLASSIC,
    "40/90+SD30+30": CLASSIC,
    "40/90, SD/30; +30": CLASSIC,
    "40/90+30+30": CLASSIC,
    "40/90 + 30 min + 30 s": CLASSIC,
    "90'/40 + 30' + 30\"": CLASSIC,
    "90'/40 moves + 30'/end + 30''/move": CLASSIC,
    "90 minutes for 40 moves plus 30 minutes for the rest with 30 seconds increment from move one": CLASSIC,
    "40 moves/90 min + 30 min, 30 s per move for the whole game": CLASSIC,
    FIDE: CLASSIC,
    CLASSIC: CLASSIC,
    "40/90+30, 30": "40/5400+30:1800",
    "40/90+30/30": "40/5400+30:1800",
    "G/60;+10": "3600+10",
    "G60;+10": "3600+10",
    "G60 d0": "3600",
    "game in 60": "3600",
    "60 min KO": "3600",
    "5'+3\"": "300+3",
    "5+3": "300+3",
    "10min 5sec": "600+5",
    "3|2": "180+2",
    "7,5+3": "450+3",
    "7.5' + 3": "450+3",
    "0+3": "0+3",
    "100 seconds with increment of 5 seconds": "100+5",
    "40/120, 20/60, G/30": "40/7200:20/3600:1800",
    "40/120,20/60,G/30": "40/7200:20/3600:1800",
    "40/2h, 1h": "40/7200:3600",
    "40/120, 20/60, 15+30": WORLD,
    "120 min for 40 moves, then 60 min for 20 moves, then 15 min with 30 s increment from move 61": WORLD,
    "40/6000+30:900+30": "40/6000+30:900+30",
    "40/120": "40/7200",
    "40 jugadas en 90 minutos + 30 segundos": "40/5400+30",
    "W: 5+0 B: 4+0": "W300-B240",
    "White 5 min, Black 4 min + 2 s": "W300-B240+2",
    "B 4 W 5": "W300-B240",
    "Blancas: 5 minutos; negras: 4 minutos": "W300-B240",
    "W300-B240": "W300-B240",
    "W 5+3, B 5+3": "300+3",
}

#: what is refused: where it fails, and a part of what was expected
REFUSED = {
    "": (0, "a time control"),
    "   ": (3, "a time control"),
    "nonsense 90+30": (0, "minutes, seconds or moves"),
    "90+30 \x00": (6, "minutes, seconds or moves"),
    "-5": (0, "without a minus"),
    "90+ -30": (4, "without a minus"),
    "W: –5 B: 4": (3, "without a minus"),
    "G60 d5": (4, "no delay"),
    "G/60;d5": (5, "no delay"),
    "60 min, 5 s delay": (12, "no delay"),
    "40/90+30": (0, "could be minutes or seconds"),
    "40/120+20/60+30": (7, "this could be either"),
    "5/3": (0, "a plus, if 5 are minutes"),
    "90/30": (0, "a plus, if 90 are minutes"),
    "90-30": (0, "an increment is written +30"),
    "90 30": (3, "a plus, or a separator"),
    "1:30+30": (0, "write 1h30 or 90'"),
    "90+": (2, "a number after the plus"),
    "+30": (3, "a time control"),
    "90+30+30": (6, "one increment"),
    "100+2.5": (4, "whole seconds"),
    "40/": (0, "a time for these moves"),
    "0/90, 30": (0, "a number of moves from 1"),
    "999/90, 30": (0, "up to 500"),
    "0+0": (0, "more than no time"),
    "99999999999+1": (0, "a shorter number"),
    "99999 h": (0, "at most 9999 minutes"),
    "W 5": (3, "the time of Black too"),
    "W 5 W 4": (4, "each colour once"),
    "x W 5 B 4": (0, "each after its colour"),
    "40/120, 60, 30 s from move 50": (29, "a stage that begins at move 50"),
    "90 from move 1": (3, "the seconds added per move before it"),
    "1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,9": (36, "at most 9 stages"),
    "9" * 2001: (2000, "at most 2000 characters"),
}


@pytest.mark.parametrize(("typed", "meant"), ACCEPTED.items(), ids=ACCEPTED)
def test_accepted(typed, meant):
    parsed = parse(typed)
    assert parsed.faults == ()
    assert code(parsed.clock) == meant


@pytest.mark.parametrize(("typed", "where", "expected"), [(t, *found) for t, found in REFUSED.items()])
def test_refused_with_place_expectation_and_examples(typed, where, expected):
    parsed = parse(typed)
    assert parsed.clock is None
    assert parsed.faults[0].position == where
    assert expected in parsed.faults[0].expected
    messages = parsed.messages()
    assert f"At character {where + 1}" in messages[0]
    assert messages[-1].startswith("Examples: 90+30 · ")


def test_all_unknown_words_are_named_at_once():
    assert [(f.position, f.found) for f in parse("foo 90 bar 30 baz").faults] == [
        (0, "foo"),
        (7, "bar"),
        (14, "baz"),
    ]


def test_words():
    said = {
        "90+30": "90 minutes with 30 seconds added per move from move 1",
        "40/90+30/30+30": "40 moves in 90 minutes, then 30 minutes for the rest of the game, "
        "with 30 seconds added per move from move 1",
        "40/120, 20/60, 15+30": "40 moves in 120 minutes without increment, then 20 moves in 60 minutes "
        "without increment, then 15 minutes for the rest of the game with 30 seconds added per move",
        "1+1": "1 minute with 1 second added per move from move 1",
        "100 s": "100 seconds",
        "7.5": "7.5 minutes",
        "40/120": "40 moves in 120 minutes; nothing is said of the moves after",
        "W 5 B 4+2": "White: 5 minutes; Black: 4 minutes with 2 seconds added per move from move 1",
    }
    assert {typed: words(parse(typed).clock) for typed in said} == said
    assert words(Clock(())) == ""


def test_minutes_for_60_moves_of_what_is_read():
    for typed, minutes in {
        "90+30": 120,
        "40/90+SD30+30": 150,
        "40/120, 20/60, 15+30": 180,
        "60+30": 90,
    }.items():
        assert minutes_for_60_moves(parse(typed).clock.white) == minutes


def test_small_numbers_are_seconds_only_in_the_coded_form():
    assert read_code("180+2").clock == Clock((Stage(None, Fraction(3), 2),))
    assert read_code("W180-B120").clock == Clock((Stage(None, Fraction(3)),), (Stage(None, Fraction(2)),))
    assert parse("180+2").clock == Clock((Stage(None, Fraction(180), 2),))
    assert read_code("40/5400+30:1800+30").clock == parse("40/90+30, 30+30").clock
    for wrong in ("", "90 min", "90+30+30", "5400+", "W300", "٣٠٠", "1" * 3000):
        assert read_code(wrong).clock is None
        assert read_code(wrong).faults


def test_the_same_clock_in_a_report():
    registered = parse("40/90+30, 30+30").clock
    assert same_clock(FIDE, registered) is True
    assert same_clock("40/5400+30:1800+30", registered.white, coded=True) is True
    assert same_clock("90+30", registered) is False
    assert same_clock("W300-B240", parse("5").clock, coded=True) is False
    assert same_clock("B 4 W 5", parse("W 5 B 4").clock) is True
    for unclear in ("", "standard", "40/90+30"):
        assert same_clock(unclear, registered) is None
    assert same_clock("90+30", ()) is None


# --- properties ---

INCREMENTS = st.integers(0, 60)
SECONDS = st.integers(1, 9 * 3600).map(lambda seconds: Fraction(seconds, 60))
HUNDREDTHS = st.integers(1, 99999).map(lambda number: Fraction(number, 100))
TIMES = st.one_of(st.integers(1, 300).map(Fraction), SECONDS, HUNDREDTHS)
TIMED = st.builds(Stage, st.integers(1, 500), TIMES, INCREMENTS)
FINAL = st.builds(Stage, st.none(), TIMES, INCREMENTS)
SIDE = st.builds(lambda timed, last: (*timed, last), st.lists(TIMED, max_size=3), st.one_of(FINAL, TIMED))
CLOCKS = st.builds(
    lambda white, black: Clock(white, None if black == white else black), SIDE, st.one_of(st.none(), SIDE)
)


@given(CLOCKS)
def test_words_are_understood_again(clock):
    assert parse(words(clock)).clock == clock


@given(CLOCKS)
def test_the_code_is_understood_again(clock):
    assert read_code(code(clock)).clock == clock


@given(CLOCKS.filter(lambda clock: max(stage.minutes for side in clock.sides for stage in side) >= 5))
def test_a_typed_code_is_known_by_its_large_numbers(clock):
    assert parse(code(clock)).clock == clock


@given(
    st.integers(1, 299),
    st.integers(0, 3600),
    st.sampled_from(("{0}+{1}", "{0}'+{1}\"", "{0} min + {1} s/move", "{0}m+{1}s", "G/{0};+{1}", "{0}|{1}")),
)
def test_minutes_and_seconds_in_any_writing(minutes, seconds, form):
    assert parse(form.format(minutes, seconds)).clock == Clock((Stage(None, Fraction(minutes), seconds),))


PIECES = st.sampled_from(
    "40 / 90 + 30 , ; : ' \" min s h moves G SD W B white black per_move d5 with inc from move 1 then rest "
    "without for the 7,5 0 x | - . ′ ″ İ ß".replace("_", " ").split(" ")
)
JUMBLE = st.lists(PIECES, max_size=14).flatmap(
    lambda parts: st.sampled_from(["", " "]).map(lambda gap: gap.join(parts))
)


@given(st.one_of(st.text(max_size=200), JUMBLE, st.text(alphabet="0123456789+/:, 'hms\"GWB|", max_size=60)))
def test_any_text_is_a_clock_or_has_faults(text):
    for read in (parse, read_code):
        parsed = read(text)
        assert (parsed.clock is None) == bool(parsed.faults)
        assert all(0 <= fault.position <= len(text) for fault in parsed.faults)
        assert all(parsed.messages()) or parsed.clock
        if parsed.clock:
            assert words(parsed.clock)
            assert read_code(code(parsed.clock)).clock == parsed.clock
            assert parse(words(parsed.clock)).clock == parsed.clock
