"""feda-1996, article 2: the rate of play."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from regulations.feda_1996 import Feda1996, time_control
from regulations.model import ArbiterFacts, Registration, Stage

RULES = Feda1996()
START = date(1996, 1, 1)
NORMAL = ((40, 120), (20, 60))


def control(*phases, increment=0):
    return tuple(Stage(moves, Fraction(minutes), increment) for moves, minutes in phases)


def announced(**more):
    fields = {
        "system": "team",
        "start": START,
        "end": START,
        "time_control": control(*NORMAL),
        "arbiters": (ArbiterFacts("Ana Robles", title="NA"),),
        "scope": "national",
    }
    return Registration(**{**fields, **more})


def told(findings):
    assert all(each.waivable is (each.code == "too-long") for each in findings)
    return [(each.severity, each.code, each.article, each.subject) for each in findings]


def said(**more):
    return told(RULES.check(announced(**more)).findings)


# --- 2: the rate of play ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phases", "increment", "article"),
    [
        (((40, 120), (20, 60)), 0, "2.1"),
        (((23, 60),), 0, "2.1"),  # 23 moves an hour
        (((24, 60), (20, 60)), 0, None),  # 24
        (((40, 120), (24, 60)), 0, None),  # in any phase
        (((40, 104),), 0, None),  # 40 × 60 / 104 = 23.08
        (((40, 105),), 0, "2.1"),  # 22.86
        (((40, 100),), 6, None),  # 100 + 40 × 6/60 = 104 minutes
        (((40, 100),), 7, "2.1"),  # 104.67 minutes
        (((40, 120), (20, 60), (None, 60)), 0, "2.2"),
        (((20, 60), (None, 60)), 0, "2.2"),  # 2 × 120 minutes: four hours, exactly
        (((20, 60), (None, 59)), 0, None),
        (((20, 59), (None, 61)), 0, None),  # 2.22
        (((23, 60), (None, 60)), 0, "2.2"),
        (((24, 60), (None, 60)), 0, None),  # 2.23
        (((40, 120), (None, 60)), 0, "2.2"),
        (((40, 120), (None, 59)), 0, None),  # 2.24
        (((40, 120), (10, 30), (None, 30)), 0, "2.2"),  # an hour for all that follows the first control
        (((40, 120), (12, 30), (None, 30)), 0, None),  # 2.1: 24 an hour in a later phase
        (((None, 240),), 0, None),  # 2.22: no first control
        (((None, 60),), 10, "2.3"),
        (((None, 60),), 9, None),
        (((None, 59),), 10, None),
        (((40, 30), (None, 30)), 10, "2.3"),  # an hour in all, any rate
        (((40, 30), (None, 29)), 10, None),
    ],
)
def test_under_which_article_a_time_control_is_accepted(phases, increment, article):
    """2.1-2.3"""
    stages = control(*phases, increment=increment)
    assert RULES.accepted_under(stages) == article
    assert RULES.check(announced(time_control=stages)).ratable is (article is not None)


@pytest.mark.parametrize(
    ("phases", "increment", "faults"),
    [
        (((24, 60), (20, 60)), 0, [("time-control-too-fast", "2.1")]),
        (((24, 60), (None, 60)), 0, [("time-control-too-fast", "2.23")]),
        (((40, 120), (24, 60), (None, 30)), 0, [("time-control-too-fast", "2.1")]),
        (((40, 105), (None, 15)), 0, [("finish-short", "2.24")]),
        (((20, 59), (None, 61)), 0, [("first-control-short", "2.22")]),
        (((20, 60), (None, 59)), 0, [("finish-short", "2.24"), ("game-short", "2.21")]),
        (((None, 120),), 0, [("no-first-control", "2.22")]),
        (((None, 119),), 0, [("no-first-control", "2.22"), ("game-short", "2.21")]),
        (((30, 40), (None, 40)), 0, [
            ("first-control-short", "2.22"), ("time-control-too-fast", "2.23"), ("finish-short", "2.24"),
            ("game-short", "2.21"),
        ]),
    ],
)  # fmt: skip
def test_why_a_time_control_is_refused(phases, increment, faults):
    """2.1-2.24"""
    found = said(time_control=control(*phases, increment=increment))
    assert found == [("error", code, article, "time_control") for code, article in faults]


def test_the_words_of_a_refusal():
    """2.21-2.24"""

    def words(*phases):
        return [each.message for each in time_control.findings(RULES, control(*phases), None)]

    assert words((24, 60)) == ["24 moves in 60 minutes; at most 23 moves an hour."]
    (refused,) = words((None, 120))
    assert refused.startswith("A quick finish needs a control before it; without one each player needs")
    assert refused.endswith("needs at least 60 minutes and 10 seconds a move (2.3).")
    assert words((20, 59), (None, 60)) == [
        "59 minutes for the first control; at least 60 for each player.",
        "238 minutes for the whole game; at least 240 for both players together.",
    ]
    assert words((40, 120), (None, 30)) == [
        "30 minutes after the first control; at least 60 for each player."
    ]


def test_the_increments_of_a_phase_are_time_for_it():
    """2.22, 2.24: 54 + 20 × 9/60 = 57 minutes are not enough, 57 + 3 are."""
    rest = (None, 120)
    assert RULES.accepted_under(control((20, 54), rest, increment=9)) is None
    assert RULES.accepted_under(control((20, 57), rest, increment=9)) == "2.2"


def test_ten_seconds_are_needed_for_every_move():
    """2.3: no increment before the first control."""
    mixed = (Stage(40, Fraction(60), 0), Stage(None, Fraction(30), 30))
    assert RULES.accepted_under(mixed) is None
    assert RULES.accepted_under(tuple(replace(stage, increment_seconds=10) for stage in mixed)) == "2.3"


def test_different_times_are_each_looked_at():
    """2.1-2.3; 2.21 by both players together: 180 + 60 = 240 minutes."""
    good, fast = control((40, 120), (20, 60)), control((24, 60))
    assert said(time_control_black=good) == []
    assert said(time_control_black=fast) == [("error", "time-control-too-fast", "2.1", "time_control_black")]
    assert said(time_control=fast, time_control_black=good) == [
        ("error", "time-control-too-fast", "2.1", "time_control")
    ]
    long, short = control((40, 120), (None, 60)), control((None, 60), increment=10)
    assert RULES.accepted_under(long, short) == "2.2"
    assert RULES.accepted_under(short, long) == "2.3"
    assert said(time_control=short, time_control_black=control((20, 60), (None, 60))) == [
        ("error", "game-short", "2.21", "time_control")
    ]
    assert said(time_control=short, time_control_black=short) == []
    each = replace(RULES, guillotine_both=False)
    assert each.accepted_under(control((40, 120), (None, 60))) is None  # 180 minutes each
    assert each.accepted_under(control((40, 120), (None, 120))) == "2.2"
    (finding,) = time_control.findings(each, long, control((40, 120), (None, 120)))
    assert finding.message == "180 minutes for the whole game; at least 240 for each player."
