"""fide-rapid-blitz-2018 (text B): articles 0 to 6 on a registration, and 7.13, 9.1 on a report."""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

import pytest

from regulations.fide_rapid_blitz_2018 import FideRapidBlitz2018
from regulations.model import ArbiterFacts, Entrant, Finding, Registration, ScheduledRound, Stage
from tests.regulations.build import stages

B = FideRapidBlitz2018()
DAY = date(2018, 9, 1)


def registration(*minutes, increment=0, **more):
    fields = {"registered_on": date(2018, 7, 1), "arbiters": (ArbiterFacts("Ana", True),), **more}
    return Registration("swiss", DAY, fields.pop("end", DAY), stages(*minutes, increment=increment), **fields)


def players(count, rated):
    return tuple(Entrant(str(number), 1500 if number < rated else None) for number in range(count))


def only(found):
    (finding,) = found.findings
    return finding


@pytest.mark.parametrize(
    ("minutes", "increment", "rate", "code"),
    [
        (3, 0, None, "time-control-too-fast"),
        (4, 0, "blitz", None),
        (7, 3, "blitz", None),  # the text's example: 10 minutes
        (10, 0, "blitz", None),
        (11, 0, "rapid", None),
        (6, 5, "rapid", None),  # the text's example: 11 minutes
        (25, 10, "rapid", None),  # the text's example: 35 minutes
        (59, 0, "rapid", None),
        (40, 20, "standard", "time-control-too-slow"),  # the text's example: 60 minutes
    ],
)
def test_1_1_the_time_makes_it_rapid_or_blitz(minutes, increment, rate, code):
    found = B.check(registration(minutes, increment=increment))
    assert (found.rate, found.ratable) == (rate, code is None)
    assert found.minutes_for_60_moves == minutes + increment
    assert [(each.code, each.article, each.subject) for each in found.findings] == (
        [(code, "1.1", "time_control")] if code else []
    )
    assert all(
        each.message.startswith(f"{minutes + increment} minutes for 60 moves;") for each in found.findings
    )


def test_1_1_the_limits_are_named():
    assert "needs more than 3" in only(B.check(registration(2))).message
    assert "needs less than 60" in only(B.check(registration(90))).message


@pytest.mark.parametrize(
    ("rate", "said"), [("rapid", None), (None, None), ("blitz", "this is rapid, not blitz")]
)
def test_1_1_announced_as_the_other_kind(rate, said):
    found = B.check(registration(15, rate=rate))
    assert found.ratable is (said is None)
    assert found.findings == (
        ()
        if said is None
        else (
            Finding("error", "other-rate", "1.1", f"15 minutes for 60 moves: {said}.", None, "time_control"),
        )
    )


def test_1_2_different_times_are_not_rated():
    finding = only(B.check(registration(15, time_control_black=stages(12))))
    assert (finding.code, finding.article, finding.subject) == (
        "different-times",
        "1.2",
        "time_control_black",
    )
    assert B.check(registration(15, time_control_black=stages(15))).ratable


@pytest.mark.parametrize(("minutes", "most"), [(15, 15), (5, 30)])
def test_3_1_rounds_on_one_day(minutes, most):
    def day(rounds):
        return registration(minutes, rounds=tuple(ScheduledRound(n, DAY) for n in range(1, rounds + 1)))

    assert B.check(day(most)).findings == ()
    finding = only(B.check(day(most + 1)))
    assert (finding.severity, finding.code, finding.article, finding.subject) == (
        "error",
        "too-many-rounds",
        "3.1",
        "rounds",
    )
    kind = "rapid" if minutes == 15 else "blitz"
    assert finding.message == f"2018-09-01: {most + 1} rounds; at most {most} of {kind} chess on one day."


def test_3_1_says_nothing_of_other_chess():
    rounds = tuple(ScheduledRound(n, DAY) for n in range(1, 40))
    assert [each.code for each in B.check(registration(90, rounds=rounds)).findings] == [
        "time-control-too-slow"
    ]


@pytest.mark.parametrize(
    ("days", "flags", "needed"), [(3, (), None), (2, (), 3), (30, ("norms",), None), (29, ("norms",), 30)]
)
def test_0_2_notice_of_three_days_or_thirty_for_norms(days, flags, needed):
    given = registration(15, registered_on=DAY - timedelta(days=days), flags=frozenset(flags))
    found = B.check(given)
    if needed is None:
        assert found.findings == ()
        return
    norms = ", as norms are possible" if flags else ""
    text = f"Registered {days} days before the start; at least {needed} days are needed{norms}."
    assert only(found) == Finding(
        "error", "late-registration", "0.2", text, "late-registration", "registered_on"
    )
    assert not found.ratable
    allowed = B.check(replace(given, authorizations=frozenset({"late-registration"})))
    assert allowed.ratable
    assert only(allowed).severity == "warning"
    assert only(allowed).message == f"{text} Authorized."


@pytest.mark.parametrize(("days", "when"), [(1, "1 day before"), (0, "not before"), (-1, "not before")])
def test_0_2_how_late(days, when):
    assert when in only(B.check(registration(15, registered_on=DAY - timedelta(days=days)))).message


def test_0_2_an_unknown_day_of_registration_is_a_warning():
    found = B.check(registration(15, registered_on=None))
    assert (only(found).severity, only(found).code, found.ratable) == (
        "warning",
        "registration-unknown",
        True,
    )


def test_0_3_all_arbiters_are_licensed():
    arbiters = (ArbiterFacts("Ana", True), ArbiterFacts("Ben", False), ArbiterFacts("", None))
    found = B.check(registration(15, arbiters=arbiters))
    assert [
        (each.severity, each.code, each.article, each.message, each.subject) for each in found.findings
    ] == [
        ("error", "arbiter-not-licensed", "0.3", "Ben has no licence in force.", "arbiters"),
        ("warning", "licence-unknown", "0.3", "The licence of an arbiter is not known.", "arbiters"),
    ]
    assert not found.ratable
    none = only(B.check(registration(15, arbiters=())))
    assert none == Finding(
        "warning",
        "arbiter-unknown",
        "0.3",
        "No arbiter is given; every arbiter needs a licence in force.",
        None,
        "arbiters",
    )
    assert "An arbiter has" in only(B.check(registration(15, arbiters=(ArbiterFacts("", False),)))).message


def test_4_1_thirty_days_unless_authorized():
    assert B.check(registration(15, end=date(2018, 9, 30))).findings == ()
    long = registration(15, end=date(2018, 10, 1))
    assert only(B.check(long)) == Finding(
        "error", "too-long", "4.1", "The event lasts 31 days; at most 30.", "longer-duration", "end"
    )
    allowed = B.check(replace(long, authorizations=frozenset({"longer-duration"})))
    assert (only(allowed).severity, allowed.ratable) == ("warning", True)


@pytest.mark.parametrize(
    ("system", "count", "rated", "articles"),
    [
        ("round-robin", 12, 4, []),
        ("round-robin", 12, 3, ["6.2"]),  # no exception for a championship
        ("round-robin", 10, 4, []),
        ("round-robin", 10, 3, ["6.2"]),
        ("round-robin", 9, 4, []),
        ("round-robin", 9, 3, ["6.21"]),
        ("round-robin", 6, 1, ["6.2", "6.21"]),
        ("double-round-robin", 6, 4, []),
        ("double-round-robin", 6, 3, ["6.21", "6.22"]),
        ("double-round-robin", 5, 4, ["6.22"]),
        ("double-round-robin", 5, 5, []),
        ("swiss", 12, 0, []),
        ("team", 12, 1, []),
        ("match", 2, 2, []),
        ("match", 2, 1, ["6.6"]),
    ],
)
def test_6_composition(system, count, rated, articles):
    flags = frozenset({"national-championship"})
    given = replace(registration(15, players=players(count, rated), flags=flags), system=system)
    found = B.check(given)
    assert [each.article for each in found.findings] == articles
    assert all(each.severity == "error" and each.subject == "players" for each in found.findings)
    assert found.ratable is (not articles)


def test_6_composition_is_named():
    said = {
        each.article: each.message
        for each in B.check(
            replace(registration(15, players=players(6, 1)), system="double-round-robin")
        ).findings
    }
    assert said == {
        "6.2": "1 of 6 players are rated; at least 2.",
        "6.21": "1 rated players; fewer than 10 players need 4.",
        "6.22": "6 players, 1 rated; a double round robin with unrated players needs 6, 4 of them rated.",
    }
    match = replace(registration(15, players=players(2, 1)), system="match")
    assert only(B.check(match)).message == "A match with an unrated player is not rated."


def test_no_players_yet_no_composition():
    assert B.check(replace(registration(15), system="round-robin")).findings == ()


def test_increments_of_every_stage_count():
    control = (Stage(40, Fraction(10), 5), Stage(None, Fraction(5), 10))
    # 15 minutes + 40 × 5 s + 20 × 10 s
    assert B.check(replace(registration(15), time_control=control)).minutes_for_60_moves == Fraction(65, 3)


# --- 7.13, 9.1: reports -----------------------------------------------------------------------


def test_7_1_lists_every_month():
    assert B.list_in_force(date(2018, 9, 30)) == date(2018, 9, 1)
    assert B.next_list_date(date(2018, 9, 1)) == date(2018, 10, 1)
    assert B.next_list_date(date(2018, 12, 31)) == date(2019, 1, 1)


@pytest.mark.parametrize(
    ("end", "official", "listed"),
    [
        (date(2018, 9, 28), False, date(2018, 10, 1)),
        (date(2018, 9, 29), False, date(2018, 11, 1)),
        (date(2018, 9, 30), True, date(2018, 10, 1)),
        (date(2018, 10, 1), True, date(2018, 11, 1)),
    ],
)
def test_7_13_the_first_list_that_an_event_can_come_into(end, official, listed):
    assert B.list_for_end(end, official=official) == listed


def test_7_13_closing():
    assert B.closing_date(date(2018, 10, 1)) == date(2018, 9, 28)
    assert B.closing_date(date(2018, 10, 1), official=True) == date(2018, 9, 30)
    assert B.last_receipt(date(2018, 10, 1)) == date(2018, 9, 30)
    assert B.last_list_for(date(2018, 9, 1)) is None


def test_9_1_seven_days_for_the_arbiter_thirty_for_the_federation():
    assert B.deadlines(date(2018, 7, 1)) == (date(2018, 7, 8), date(2018, 7, 31))


@pytest.mark.parametrize(
    ("received", "until"),
    [
        (date(2018, 7, 8), None),
        (date(2018, 7, 9), "2018-07-08, 7 days"),
        (date(2018, 7, 31), "2018-07-08, 7 days"),
        (date(2018, 8, 1), "2018-07-31, 30 days"),
    ],
)
def test_9_1_late_reports(received, until):
    found = B.report_findings(end=date(2018, 7, 1), received=received, list_date=date(2018, 9, 1))
    if until is None:
        assert found == ()
    else:
        text = f"Received on {received}; it was due by {until} after the end."
        assert found == (Finding("warning", "report-late", "9.1", text, None, "received"),)


def test_7_13_what_a_list_does_not_include():
    found = B.report_findings(end=date(2018, 9, 29), received=date(2018, 10, 1), list_date=date(2018, 10, 1))
    assert [(each.severity, each.code, each.article, each.subject) for each in found] == [
        ("error", "ends-after-closing", "7.13", "end"),
        ("error", "received-after-closing", "7.13", "received"),
    ]
    assert "after 2018-09-28: for the list of 2018-11-01" in found[0].message
    assert "the list of 2018-10-01 was closed: for the list of 2018-11-01" in found[1].message
    official = B.report_findings(
        end=date(2018, 9, 30), received=date(2018, 9, 30), list_date=date(2018, 10, 1), official=True
    )
    assert official == ()


def test_7_13_the_next_list_may_be_closed_as_well():
    """Were FIDE's own events closed three days before a list, so would be the receipt of reports."""
    early = replace(B, closing_days_official=3)
    assert early.last_receipt(date(2018, 10, 1)) == date(2018, 9, 28)
    dates = {"end": date(2018, 9, 27), "list_date": date(2018, 10, 1)}
    assert early.report_findings(received=date(2018, 9, 28), **dates) == ()
    (finding,) = early.report_findings(received=date(2018, 9, 29), **dates)
    assert finding.message.endswith("was closed: for the list of 2018-11-01.")
    assert B.report_findings(received=date(2018, 9, 30), **dates) == ()


def test_what_it_is():
    assert (B.code, B.rates) == ("fide-rapid-blitz-2018", ("rapid", "blitz"))
    assert (B.effective_from, B.effective_until) == (date(2018, 7, 1), date(2021, 12, 31))
    assert not B.splits_by_list(start=DAY, end=DAY + timedelta(200), flags=frozenset({"league"}))
    assert B.k_of(rating=2700, career_games=0, reached_k10=True) == 20
    assert "birth_year" in B.printed
    assert (B.pools_opponents, B.counts_finished_games) == (True, False)
