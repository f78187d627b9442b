"""fide-rapid-blitz-2018 (text B): every field and word of findings, results and rows."""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

import pytest

from regulations.fide_rapid_blitz_2018 import FideRapidBlitz2018, registration
from regulations.fide_rapid_blitz_2018.lists import first_rating, list_for_receipt
from regulations.fide_rapid_blitz_2018.performance import performance
from regulations.fide_rapid_blitz_2018.rating import period_k
from regulations.model import (
    ArbiterFacts,
    CountedGame,
    Entrant,
    EventPlayer,
    Finding,
    ListInput,
    ListPlayer,
    ListRow,
    PlayerResult,
    Registration,
    Sample,
    ScheduledRound,
    Uncounted,
)
from tests.regulations.build import by_id, event, rated_event, stages

B = FideRapidBlitz2018()
DAY = date(2018, 9, 1)
LIST = date(2018, 10, 1)


FACTS = {"registered_on": date(2018, 7, 1), "arbiters": (ArbiterFacts("Ana", True),)}


def registered(**more):
    return Registration("swiss", DAY, DAY, stages(15), **{**FACTS, **more})


def field(unrated, **scores):
    """Six of 2000 and unrated players in their first event who lose to all before them; else draws."""
    ratings = {**dict.fromkeys("ABCDEF", 2000), **dict.fromkeys(unrated)}
    names = sorted(ratings)
    return event(
        "round-robin",
        ratings,
        ", ".join(
            f"{one} {two} {scores.get(one + two, '1' if two in unrated else '=')}"
            for place, one in enumerate(names)
            for two in names[place + 1 :]
        ),
    )


# --- findings ---------------------------------------------------------------------------------


def test_0_2_the_unknown_day():
    assert B.check(registered(registered_on=None)).findings == (
        Finding(
            "warning",
            "registration-unknown",
            "0.2",
            "The day of registration is not given.",
            None,
            "registered_on",
        ),
    )


@pytest.mark.parametrize(("days", "when"), [(0, "not before the start"), (1, "1 day before the start")])
def test_0_2_authorized_keeps_every_field(days, when):
    given = registered(
        registered_on=DAY - timedelta(days=days), authorizations=frozenset({"late-registration"})
    )
    text = f"Registered {when}; at least 3 days are needed. Authorized."
    assert B.check(given).findings == (
        Finding("warning", "late-registration", "0.2", text, "late-registration", "registered_on"),
    )


def test_4_1_authorized_keeps_every_field():
    given = registered(authorizations=frozenset({"longer-duration"}))
    given = replace(given, end=DAY + timedelta(days=30))
    text = "The event lasts 31 days; at most 30. Authorized."
    assert B.check(given).findings == (Finding("warning", "too-long", "4.1", text, "longer-duration", "end"),)


def test_6_2_and_6_6_every_field():
    assert registration.composition(B, "round-robin", 12, 3) == (
        Finding(
            "error", "too-few-rated", "6.2", "3 of 12 players are rated; at least 4.", None, "players"
        ),
    )  # fmt: skip
    assert registration.composition(B, "match", 2, 1) == (
        Finding(
            "error",
            "unrated-in-match",
            "6.6",
            "A match with an unrated player is not rated.",
            None,
            "players",
        ),
    )


def test_all_findings_come_at_once():
    """0.2, 3.1 of two days, 6.2 and 6.21: none hides another."""
    later = DAY + timedelta(days=1)
    rounds = tuple(ScheduledRound(n, DAY if n < 17 else later) for n in range(1, 33))
    assert [(each.article, each.code) for each in B.check(registered(rounds=rounds)).findings][2:] == [
        ("0.2", "round-outside-event")
    ]
    players = tuple(Entrant(str(n), 1500 if n == 0 else None) for n in range(6))
    found = B.check(replace(registered(registered_on=DAY, rounds=rounds, players=players),
                            system="round-robin", end=later))  # fmt: skip
    assert [each.article for each in found.findings] == ["3.1", "3.1", "0.2", "6.2", "6.21"]
    assert [each.message[:10] for each in found.findings[:2]] == ["2018-09-01", "2018-09-02"]


def test_3_1_of_one_day_without_its_date():
    (finding,) = registration.rounds_of_a_day(B, "rapid", 16)
    assert finding.message == "16 rounds; at most 15 of rapid chess on one day."


def test_6_5_unknown_length_every_field():
    played = event("match", {"a": 2000, "b": 2000}, "a b 1")
    assert B.rate(played).findings == (
        Finding(
            "warning",
            "scheduled-games-unknown",
            "6.5",
            "The scheduled number of games is not known: games after the match was decided count.",
            None,
            "rounds",
        ),
    )


def test_6_5_no_length_is_no_length():
    """Where even a match of one game would be cut, one of unknown length is not."""
    strict = replace(B, decided_match_above=0)
    played = event("match", {"a": 2000, "b": 2000}, "a b 1, a b 1")
    assert by_id(strict.rate(played))["a"].games == 2
    assert by_id(strict.rate(replace(played, scheduled_games=1)))["a"].games == 1


def test_6_4_two_games_of_each_pair():
    double = event("double-round-robin", {"a": 2000, "b": 2000}, "a b 1")
    assert [each.message for each in B.rate(double).findings] == [
        "Not every pair played two games: rated as a Swiss tournament."
    ]


def test_4_1_and_6_6_of_an_event_come_together():
    dates = {"start": DAY, "end": DAY + timedelta(days=30)}
    result = B.rate(event("match", {"a": 2000, "u": None}, "a u 1", scheduled_games=1, **dates))
    assert [each.article for each in result.findings] == ["4.1", "6.6"]
    assert (result.rated, result.treated_as, result.ra) == (False, "match", None)
    why = "event not rated"
    assert result.players == (
        PlayerResult("a", "rated", 0, Fraction(0), None, Fraction(0), 20, Fraction(0),
                     uncounted=(Uncounted(1, "u", "4.1", why),)),
        PlayerResult("u", "unrated", 0, Fraction(0), pooled=False,
                     uncounted=(Uncounted(1, "a", "4.1", why),)),
    )  # fmt: skip
    assert all(type(each.score) is Fraction for each in result.players)


def test_6_4_before_a_finding_that_stops_the_event():
    dates = {"start": DAY, "end": DAY + timedelta(days=30)}
    result = B.rate(event("round-robin", {"a": 2000, "b": 2000}, "a b +", **dates))
    assert [each.article for each in result.findings] == ["6.4", "4.1"]
    assert result.treated_as == "swiss"


def test_7_13_the_default_is_not_official():
    assert B.list_for_end(date(2018, 9, 30)) == date(2018, 11, 1)
    said = {"end": date(2018, 9, 30), "received": date(2018, 9, 30), "list_date": LIST}
    assert [each.code for each in B.report_findings(**said)] == ["ends-after-closing"]
    (late,) = B.report_findings(
        end=date(2018, 10, 1), received=date(2018, 10, 2), list_date=LIST, official=True
    )[:1]
    assert late.message == "The event ends on 2018-10-01, after 2018-09-30: for the list of 2018-11-01."
    # an official event of 31 October comes into the very next list, another into the one after
    eve = {"end": date(2018, 10, 31), "received": date(2018, 11, 1), "list_date": LIST}
    for official, listed in ((True, "2018-11-01"), (False, "2018-12-01")):
        first = B.report_findings(official=official, **eve)[0]
        assert first.message.endswith(f"for the list of {listed}.")


def test_7_13_the_list_that_a_report_still_reaches():
    assert list_for_receipt(B, date(2018, 9, 30)) == LIST
    assert list_for_receipt(B, LIST) == date(2018, 11, 1)
    early = replace(B, closing_days_official=3)
    assert [list_for_receipt(early, date(2018, 9, day)) for day in (28, 29)] == [LIST, date(2018, 11, 1)]


# --- results ----------------------------------------------------------------------------------


def test_a_rated_player_every_field_of_a_game():
    result = by_id(B.rate(event("swiss", {"a": 2000, "b": 1900}, "a b 1, b a =")))
    assert result["a"].counted == (
        CountedGame(1, "b", True, Fraction(1), 1900, 100, Fraction("0.64"), "8.51"),
        CountedGame(2, "b", False, Fraction(1, 2), 1900, 100, Fraction("0.64"), "8.51"),
    )
    assert [game.white for game in result["b"].counted] == [False, True]


def test_an_unrated_player_every_field_of_a_game():
    result = by_id(B.rate(event("swiss", {"u": None, "a": 1500, "b": 1600}, "u a 1, b u =")))
    assert result["u"].counted == (
        CountedGame(1, "a", True, Fraction(1), 1500, article="8.21"),
        CountedGame(2, "b", False, Fraction(1, 2), 1600, article="8.21"),
    )


def test_nothing_counts_every_field():
    result = by_id(B.rate(event("swiss", {"a": 2000, "u": None, "v": None}, "a u +, u v 1")))
    assert result["a"] == PlayerResult(
        "a", "rated", 0, Fraction(0), None, Fraction(0), 20, Fraction(0),
        uncounted=(Uncounted(1, "u", "5.1", "forfeit"),),
    )  # fmt: skip
    assert result["u"] == PlayerResult(
        "u", "unrated", 0, Fraction(0), pooled=False,
        uncounted=(Uncounted(1, "a", "5.1", "forfeit"), Uncounted(2, "v", "8.21", "unrated opponent")),
    )  # fmt: skip
    # K of a player without games in the event is still that of his period
    busy = {"a": EventPlayer("a", 2000, games_in_period=70), "u": None}
    assert by_id(B.rate(event("swiss", busy, "a u +")))["a"].k == 10


def test_8_56_without_games_the_full_k():
    from_the_first = replace(B, k_games=0)
    assert period_k(from_the_first, 0) == 20
    played = event("swiss", {"a": 2000, "b": 2000}, "a b +")
    assert by_id(from_the_first.rate(played))["a"].k == 20
    # the border itself still has the full K, whatever 700/n would give
    assert (period_k(replace(B, k=25), 35), period_k(replace(B, k=25), 36)) == (25, 19)


def test_8_22_is_told():
    players = {"u": EventPlayer("u", None, standard_rating=2000), "a": 2000}
    step = by_id(B.rate(event("swiss", players, "u a 1")))["u"].steps[0]
    assert (step.article, step.label, step.value, step.text) == ("8.22", "R", "2000", "the standard rating")


def test_8_24_is_told():
    _, step = performance(B, 1650, Fraction(5, 2), 4)
    assert (step.value, step.text) == ("1660", "1650 + 10 × 1")
    _, step = performance(B, 2103, Fraction(3, 2), 9, 9)
    assert (step.value, step.text) == ("1857.3", "2103 - 273 × 9/10, p 0.17")


def test_8_1_the_certain_dp_is_a_parameter():
    assert performance(replace(B, dp_certain=700), 2000, Fraction(0), 4)[0] == 1300
    # V drops out with nothing, U stays with his point; A, one of six, wins all his six games (n = 6)
    scores = {"A" + other: "1" for other in "BCDEF"}
    found = [replace(B, dp_certain=certain).rate(field("UV", UV="1", **scores)).ra for certain in (800, 700)]
    assert found[1] - found[0] == Fraction(100, 6) * 6 / 7


def test_8_58_the_iteration_comes_after_the_closed_formula():
    iterated = replace(B, unrated_opponents="iterated")
    played = field("UV", AU="0", BU="=", UV="1", AV="0", BV="=")
    steps = by_id(iterated.rate(played))["U"].steps
    assert [step.article for step in steps][:4] == ["8.21 i", "8.21 ii", "8.21 iii", "8.58"]


def test_6_1_a_round_robin_whose_unrated_players_all_drop_out():
    """Only the rated remain, with their games against each other; there is no Ra."""
    result = B.rate(field("UV", UV="="))
    found = by_id(result)
    assert (result.rated, result.ra, result.treated_as) == (True, None, "round-robin")
    assert (found["A"].games, found["A"].score, found["A"].change) == (5, Fraction(5, 2), 0)
    assert {each.reason for each in found["A"].uncounted} == {
        "unrated opponent with zero or half a point in his first event"
    }
    assert found["U"] == PlayerResult(
        "U", "unrated", 0, Fraction(0), pooled=False, uncounted=found["U"].uncounted
    )


def test_a_round_robin_of_unrated_players_only_has_no_average():
    """6.2 forbids it; were it allowed, nothing would count and nothing would fail."""
    lenient = replace(B, rated_share=Fraction(0), small_event_rated=0)
    result = lenient.rate(event("round-robin", {"u": None, "v": None, "w": None}, "u v 1, w u 1, v w 1"))
    assert (result.rated, result.ra) == (True, None)
    assert [(each.games, each.pooled) for each in result.players] == [(0, False)] * 3


# --- rows -------------------------------------------------------------------------------------


def without_steps(row):
    return replace(row, steps=())


def sample(player, opponents, score):
    return Sample(player, DAY, Fraction(1500), len(opponents), Fraction(score), tuple(opponents))


def test_every_field_of_an_unrated_row():
    played = rated_event(B, event("swiss", {"u": None, "a": 1500}, "u a 1", id="E"))
    player = ListPlayer("u", None, career_games=7, reached_k10=True, games_by_period=(1, *(0,) * 11))
    result = B.next_list(ListInput(LIST, (player,), (), (played,)))
    row = by_id(result)["u"]
    assert without_steps(row) == ListRow(
        "u", "unrated", None, None, 1, None, career_games=7, reached_k10=True,
        games_by_period=(1, 1, *(0,) * 10),
    )  # fmt: skip


def test_every_field_of_a_first_rating():
    player = ListPlayer("u", None, reached_k10=True, games_by_period=(5, *(0,) * 11))
    row = by_id(B.next_list(ListInput(LIST, (player,), (sample("u", [1500] * 5, "2.5"),))))["u"]
    assert without_steps(row) == ListRow(
        "u", "active", 1500, None, 0, 20, career_games=5, reached_k10=True,
        games_by_period=(0, 5, *(0,) * 10), k_next=20,
    )  # fmt: skip


def test_every_field_of_a_rated_row():
    player = ListPlayer("a", 1500, career_games=9, reached_k10=True, inactive_lists=0)
    row = by_id(B.next_list(ListInput(LIST, (player,))))["a"]
    assert without_steps(row) == ListRow(
        "a", "active", 1500, Fraction(0), 0, 20, career_games=9, reached_k10=True,
        games_by_period=(0,), k_next=20,
    )  # fmt: skip
    assert type(row.change) is Fraction


def test_7_23_once_inactive_always_so_until_a_game():
    """One list as inactive is enough, even where the year's games are not all known."""
    row = by_id(B.next_list(ListInput(LIST, (ListPlayer("a", 1500, inactive_lists=1),))))["a"]
    assert (row.status, row.flags, row.inactive_lists) == ("inactive", ("i",), 2)


def test_the_pools_of_all_players_stay():
    pools = (sample("u", [1500], 1), sample("v", [1600], 1))
    assert B.next_list(ListInput(LIST, (), pools)).samples == pools


def test_7_14d_the_floor_itself_is_published():
    assert first_rating(B, [sample("u", [1000] * 5, "2.5")])[1][-1].value == "yes"
    assert first_rating(B, [sample("u", [999] * 5, "2.5")])[1][-1].value == "no"
