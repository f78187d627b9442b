"""feda-1996, articles 1-5 and 7.3: registrations."""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regulations.feda_1996 import Feda1996, registration
from regulations.model import ArbiterFacts, Entrant, Registration, ScheduledRound, Stage

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


def test_a_registration_without_a_fault():
    found = RULES.check(announced(rate="standard"))
    assert (found.ratable, found.rate, found.minutes_for_60_moves, found.findings) == (
        True,
        "standard",
        180,
        (),
    )


def test_other_rates_are_not_for_this_text():
    """2: slow chess only."""
    found = RULES.check(announced(rate="rapid"))
    assert not found.ratable
    assert told(found.findings) == [("error", "other-rate", "2.0", "time_control")]
    assert found.findings[0].message == "These regulations rate standard chess only, not rapid."


# --- 1.1: arbiters ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "system", "qualifier", "article"),
    [
        ("international", "round-robin", False, "1.11.a"),
        ("international", "double-round-robin", False, "1.11.a"),
        ("national", "round-robin", False, "1.11.b"),
        ("international", "swiss", False, "1.11.c"),
        ("national", "swiss", False, "1.11.d"),
        ("autonomic", "swiss", True, "1.11.e"),
        ("autonomic", "match", True, "1.11.e"),
        ("national", "team", False, "1.11.f"),
        ("international", "scheveningen", False, "1.11.f"),
        ("national", "swiss", True, "1.11.d"),  # there is nothing above to qualify for
        ("autonomic", "round-robin", False, "1.12.a"),
        ("autonomic", "swiss", False, "1.12.b"),
        ("provincial", "round-robin", True, "1.12.c"),
        ("autonomic", "match", False, "1.12.d"),
        ("provincial", "double-round-robin", False, "1.13.a"),
        ("provincial", "swiss", False, "1.13.b"),
        ("provincial", "team", False, "1.13.c"),
    ],
)
def test_category_of_an_event(scope, system, qualifier, article):
    """1.11-1.13"""
    assert registration.category(scope, system, qualifier=qualifier) == article


@pytest.mark.parametrize(
    ("scope", "flags", "title", "enough"),
    [
        ("international", (), "NA", True),
        ("national", (), "NA", True),
        ("national", (), "FA", True),
        ("national", (), "IA", True),
        ("national", (), "RA", False),
        ("national", (), "", False),
        ("autonomic", (), "RA", True),
        ("autonomic", (), "NA", True),
        ("autonomic", (), "PA", False),
        ("autonomic", ("qualifier",), "RA", False),  # 1.11.e
        ("autonomic", ("qualifier",), "AN", True),  # árbitro nacional
        ("provincial", (), "PA", True),
        ("provincial", (), "IA", True),
        ("provincial", (), "club arbiter", True),  # any title
        ("provincial", (), " ", False),
        ("provincial", ("qualifier",), "PA", False),  # 1.12.c
        ("provincial", ("qualifier",), "ra", True),
    ],
)
def test_an_arbiter_whose_title_fits_the_category(scope, flags, title, enough):
    """1.1"""
    found = said(scope=scope, flags=frozenset(flags), arbiters=(ArbiterFacts("Luis Vega", title=title),))
    assert found == ([] if enough else [("error", "arbiter-title", "1.1", "arbiters")])


@pytest.mark.parametrize(
    ("title", "rank"),
    [("AP", "PA"), ("AR", "RA"), ("AA", "RA"), ("AN", "NA"), ("AF", "FA"), ("AI", "IA"), ("x", "PA")],
)
def test_spanish_titles_of_arbiters(title, rank):
    """1.1: each title is enough for its own rank and not for the next."""
    ladder = ("PA", "RA", "NA", "FA", "IA")
    assert [least for least in ladder if registration.is_title_enough(title, least)][-1] == rank


def test_one_arbiter_with_the_title_is_enough_and_none_is_a_warning():
    """1.1"""
    several = (ArbiterFacts("Luis Vega", title="PA"), ArbiterFacts("Ana Robles", title="FA"))
    assert said(arbiters=several) == []
    assert said(arbiters=()) == [("warning", "arbiter-unknown", "1.1", "arbiters")]
    assert said(scope=None) == [("warning", "category-unknown", "1.1", "scope")]
    untitled = (ArbiterFacts("Luis Vega"),)
    assert said(scope=None, arbiters=untitled)[1] == ("error", "arbiter-title", "1.1", "arbiters")
    (finding,) = RULES.check(announced(arbiters=untitled)).findings
    assert (
        finding.message
        == "No arbiter has the title NA or a higher one, which an event of category 1.11.f needs."
    )
    (finding,) = RULES.check(announced(arbiters=(), scope="provincial")).findings
    assert (
        finding.message
        == "No arbiter is given; an event of category 1.13.c needs one with the title PA or higher."
    )


def test_the_least_titles_are_parameters():
    """1.1: a federation may ask for more."""
    strict = replace(RULES, national_arbiter="FA", autonomic_arbiter="NA", provincial_arbiter="RA")
    for scope, least, below in (
        ("national", "FA", "NA"),
        ("autonomic", "NA", "RA"),
        ("provincial", "RA", "PA"),
    ):
        for title, ratable in ((least, True), (below, False)):
            event = announced(scope=scope, arbiters=(ArbiterFacts("Luis Vega", title=title),))
            assert strict.check(event).ratable is ratable


# --- 1.2: initial ranking ---------------------------------------------------------------------

ORDERED = (
    Entrant("fide-im", 2150, "IM", fide_rating=2300),
    Entrant("fide-fm", 2250, "FM", fide_rating=2300),
    Entrant("fide-no", 2290, "", fide_rating=2300),  # 1.21: a tie is broken by title, not by national rating
    Entrant("fide-low-a", 2200, "", fide_rating=2100),
    Entrant("fide-low-b", 2100, "GM", fide_rating=2099),
    Entrant("fide-low-c", None, "", fide_rating=2099),
    Entrant("nat-a", 2300, ""),  # 1.22
    Entrant("nat-b", 2250, "FM"),
    Entrant("nat-c", 2250, "WFM"),
    Entrant("nat-d", 2250, "", other_rating=2000),
    Entrant("nat-e", 2250, "", other_rating=1900),
    Entrant("nat-f", 2250, ""),
    Entrant("other-a", None, "", other_rating=2400),  # 1.23
    Entrant("other-b", None, "GM", other_rating=2399),
    Entrant("none-z", None, ""),  # 1.24: as they come
    Entrant("none-a", None, "GM"),
)


def test_initial_ranking_order():
    """1.21-1.24"""
    assert RULES.initial_order(tuple(reversed(ORDERED[:14])) + ORDERED[14:]) == ORDERED


@given(st.permutations(ORDERED[:14]))
def test_the_initial_order_never_depends_on_the_order_given(entrants):
    assert RULES.initial_order(entrants) == ORDERED[:14]


def test_a_swiss_tournament_in_another_order_is_a_warning():
    """1.2"""
    assert said(system="swiss", players=ORDERED) == []
    other = (ORDERED[0], ORDERED[2], ORDERED[1])
    assert said(system="swiss", players=other) == [("warning", "initial-order", "1.2", "players")]
    assert said(system="team", players=other) == []
    (finding,) = RULES.check(announced(system="swiss", players=other)).findings
    assert finding.message == "The initial ranking order has fide-fm where the registration has fide-no."
    rising = (Entrant("a", 1900), Entrant("b", 2000))
    assert [code for _, code, *_ in said(system="swiss", players=rising)] == ["initial-order"]
    assert said(system="swiss", players=(Entrant("b", None), Entrant("a", None))) == []


def test_the_order_of_titles_is_a_parameter():
    """1.21"""
    tie = (Entrant("a", None, "WGM", fide_rating=2300), Entrant("b", None, "im", fide_rating=2300))
    assert [each.id for each in RULES.initial_order(tie)] == ["b", "a"]
    pairs = replace(RULES, title_order="GM WGM IM WIM FM WFM CM WCM")
    assert [each.id for each in pairs.initial_order(tie)] == ["a", "b"]


# --- 4, 5: rounds and days --------------------------------------------------------------------


def test_two_rounds_a_day():
    """4.1, 4.2"""
    first, second = START, START + timedelta(days=1)
    days = (first, first, second, second, second)
    rounds = tuple(ScheduledRound(number, day) for number, day in enumerate(days, start=1))
    assert said(rounds=rounds[:4], end=second) == []
    assert said(rounds=rounds, end=second) == [("error", "too-many-rounds", "4.1", "rounds")]
    (finding,) = RULES.check(announced(rounds=rounds, end=second)).findings
    assert finding.message == "1996-01-02: 3 rounds; at most 2 on one day."
    guillotine, other = control((40, 120), (None, 60)), control(*NORMAL)
    assert said(rounds=rounds, time_control=guillotine)[0][2] == "4.2"
    assert said(rounds=rounds, time_control=other, time_control_black=guillotine)[0][2] == "4.2"
    assert said(rounds=rounds, time_control=control((None, 60), increment=10))[0][2] == "4.1"


@pytest.mark.parametrize(
    ("end", "allowed", "found"),
    [
        (date(1996, 3, 29), (), []),  # 31 + 29 + 29 = 89 days
        (date(1996, 3, 30), (), [("error", "too-long", "5.1", "end")]),
        (date(1996, 3, 30), ("longer-duration",), [("warning", "too-long", "5.11", "end")]),
        (date(1996, 3, 30), ("late-registration",), [("error", "too-long", "5.1", "end")]),
    ],
)
def test_less_than_ninety_days(end, allowed, found):
    """5.1, 5.11"""
    result = RULES.check(announced(end=end, authorizations=frozenset(allowed)))
    assert told(result.findings) == found
    assert result.ratable is (not found or found[0][0] == "warning")
    for finding in result.findings:
        assert finding.authorization == "longer-duration"
        assert finding.waivable
        assert finding.message.startswith("The event lasts 90 days; at most 89.")
        assert finding.message.endswith("Authorized.") is bool(finding.severity == "warning")


# --- 7.3: composition -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "rated", "double", "championship", "articles"),
    [
        (12, 4, False, False, ()),  # a third
        (12, 3, False, False, ("7.3",)),
        (13, 4, False, False, ("7.3",)),
        (11, 4, False, False, ()),
        (10, 4, False, False, ()),
        (10, 3, False, False, ("7.3", "7.31")),  # ten is small
        (9, 3, False, False, ("7.31",)),
        (4, 4, False, False, ()),
        (3, 3, False, False, ()),  # all rated
        (4, 3, False, False, ("7.31",)),
        (6, 4, True, False, ()),
        (5, 4, True, False, ("7.32",)),
        (6, 3, True, False, ("7.31", "7.32")),
        (5, 5, True, False, ()),
        (3, 3, True, False, ()),
        (12, 3, False, True, ()),
        (12, 2, False, True, ("7.33",)),
        (5, 3, True, True, ()),
        (5, 2, True, True, ("7.33",)),
    ],
)
def test_composition_of_a_round_robin(players, rated, double, championship, articles):
    """7.3-7.33"""
    system = "double-round-robin" if double else "round-robin"
    entrants = tuple(Entrant(str(n), 1900 if n < rated else None) for n in range(players))
    flags = frozenset({"national-championship"} if championship else ())
    found = RULES.check(announced(system=system, players=entrants, flags=flags))
    assert told(found.findings) == [("error", "too-few-rated", article, "players") for article in articles]
    assert found.ratable is not bool(articles)
    for scope in ("autonomic", "provincial"):  # 7.33: any championship
        same = RULES.check(announced(system=system, players=entrants, flags=flags, scope=scope))
        assert same.ratable is found.ratable


def test_the_words_of_the_composition():
    """7.3-7.33"""

    def words(players, rated, system, *flags):
        return [each.message for each in registration.composition(RULES, system, players, rated, flags)]

    assert words(10, 3, "round-robin") == [
        "3 of 10 players are rated; at least 3.3333 are needed.",
        "3 of 10 players are rated; at least 4 in an event of 10 players or fewer.",
    ]
    assert words(5, 4, "double-round-robin") == [
        "4 of 5 players are rated; a double round robin with unrated players needs 6, 4 of them rated."
    ]
    assert words(12, 2, "round-robin", "national-championship") == [
        "2 of 12 players are rated; a championship needs 3."
    ]


def test_readings_of_the_composition():
    """7.31, 7.33 and 9.56 read otherwise."""
    strict = replace(RULES, small_event_all_rated=False, championship_overrides_double=False)
    assert registration.composition_faults(strict, 3, 3, double=False, championship=False) == ("7.31",)
    assert registration.composition_faults(strict, 4, 4, double=False, championship=False) == ()
    assert registration.composition_faults(strict, 5, 3, double=True, championship=True) == ("7.32",)
    foreign = tuple(Entrant(str(n), None, fide_rating=2200) for n in range(4))
    local = tuple(Entrant(f"u{n}", None) for n in range(4))
    event = announced(system="round-robin", players=foreign + local)
    assert RULES.check(event).ratable
    assert not replace(RULES, foreigners_are_rated=False).check(event).ratable


@pytest.mark.parametrize("system", ["swiss", "team", "match", "scheveningen"])
def test_other_systems_have_no_composition(system):
    assert said(system=system, players=(Entrant("a", None), Entrant("b", None))) == []
