"""feda-1996, articles 7.3, 7.43, 9.21.b and 9.53: round robins."""

from dataclasses import replace
from datetime import date

from regulations.model import EventPlayer
from tests.regulations.build import by_id, event
from tests.regulations.feda import RA, RESULTS, RULES, UNRATED, F, rated, told, why

# --- round robins -----------------------------------------------------------------------------


def test_a_round_robin_of_rated_players():
    """9.51, 9.53: Ra 1950, n 3; A: D 150 → .70, We .7 × 4 - .5 = 2.3; 15 × .7."""
    result = RULES.rate(event("round-robin", {"A": 2100, "B": 2000, "C": 1900, "D": 1800},
                              "A B 1, A C 1, A D 1, B C =, B D 1, C D 1"))  # fmt: skip
    found = by_id(result)
    assert (result.rated, result.treated_as, result.findings, result.ra) == (True, "round-robin", (), None)
    assert [found[x].change for x in "ABCD"] == [F("10.5"), F("-4.2"), F("4.2"), F("-10.5")]
    a = found["A"]
    assert (a.games, a.score, a.rc, a.expected) == (3, 3, 1950, F("2.3"))
    assert [(step.article, step.label, step.value, step.text) for step in a.steps[:4]] == [
        ("9.51", "Ra", "1950", "(2100 + 2000 + 1900 + 1800)/4"),
        ("9.52", "D", "150", "2100 - 1950, to a whole number"),
        ("9.1.c", "PD", "0.7", "D 150"),
        ("9.53", "We", "2.3", "(0.7 × 4 - 0.5)"),
    ]
    assert [(each.opponent, each.opponent_rating, each.article) for each in a.counted] == [
        ("B", 2000, "9.21.b"), ("C", 1900, "9.21.b"), ("D", 1800, "9.21.b"),
    ]  # fmt: skip


def test_a_double_round_robin_has_twice_the_expectation():
    """9.53: n 3; B: D 50 → .57, We 2 × (.57 × 4 - .5) = 3.56."""
    once = "A B 1, A C 1, A D 1, B C =, B D 1, C D 1"
    found = rated("double-round-robin", {"A": 2100, "B": 2000, "C": 1900, "D": 1800}, f"{once}, {once}")
    assert [found[x].expected for x in "ABCD"] == [F("4.6"), F("3.56"), F("2.44"), F("1.4")]
    assert found["A"].change == 15 * (6 - F("4.6"))
    assert [step.text for step in found["A"].steps if step.label == "We"] == ["(0.7 × 4 - 0.5) × 2"]


def test_a_round_robin_with_unrated_players():
    """9.21.b: Rar 1925; dp of .8 .7 .5 .2: (240 + 149 + 0 - 240)/4 = 37.25; Ra 1925 - 37.25 × 5/6 = 1893.96,
    not rounded. P1: D 106 → .64, We 3.34. U 50 %: Ra. V 1.5 of 5: Ra - 149 × 5/6."""
    result = RULES.rate(event("round-robin", UNRATED, RESULTS))
    found = by_id(result)
    assert (result.treated_as, result.ra) == ("round-robin", RA)
    changes = [found[x].change for x in ("P1", "P2", "P3", "P4")]
    assert changes == [F("9.9"), F("7.8"), F("-0.9"), F("-17.1")]
    assert [(step.article, step.label, step.value, step.text) for step in found["P1"].steps[:3]] == [
        ("9.21.b.1", "Rar", "1925", "(2000 + 1950 + 1900 + 1850)/4"),
        ("9.21.b.2", "dpa", "37.25", "(240 + 149 + 0 - 240)/4"),
        ("9.21.b.3", "Ra", "1893.9583", "1925 - (37.25) × 5/6"),
    ]
    assert (found["U"].performance, found["U"].pooled, found["U"].games) == (RA, True, 5)
    assert (found["V"].performance, found["V"].pooled) == (RA - F(149 * 5, 6), False)
    assert [step.article for step in found["V"].steps] == ["9.21.b.1", "9.21.b.2", "9.21.b.3", "9.25", "9.31"]
    assert {each.opponent: each.opponent_rating for each in found["P1"].counted} == {
        "P2": 1950, "P3": 1900, "P4": 1850, "U": RA, "V": RA,
    }  # fmt: skip
    assert {each.article for each in found["U"].counted} == {"9.21.b"}


def test_the_limit_in_a_round_robin_is_on_the_tournament_average():
    """9.51: A 2600, Ra 2150: D 450 → 350, PD .89; an opponent is not limited by himself."""
    found = rated("round-robin", {"A": 2600, "B": 2000, "C": 2000, "D": 2000},
                  "A B 1, A C 1, A D 1, B C =, B D =, C D =")  # fmt: skip
    assert found["A"].expected == F("0.89") * 4 - F(1, 2)
    assert [(step.article, step.label, step.value, step.text) for step in found["A"].steps[1:4]] == [
        ("9.52", "D", "450", "2600 - 2150, to a whole number"),
        ("9.51", "D", "350", "not more than 350 points"),
        ("9.1.c", "PD", "0.89", "D 350"),
    ]
    assert found["B"].expected == F("0.3") * 4 - F(1, 2)  # D -150
    assert [each.opponent_rating for each in found["B"].counted] == [2600, 2000, 2000]


def test_rated_players_at_0_and_100_percent_are_left_out_of_dpa():
    """9.1, 9.21.b.2: A has 4 of 4, D 0 of 4; B 3 of 4 and C 2 of 4: (193 + 0)/2 = 96.5."""
    text = "A B 1, A C 1, A D 1, A U 1, B C 1, B D 1, B U 1, C D 1, C U 1, U D 1"
    result = RULES.rate(event("round-robin", {"A": 2000, "B": 2000, "C": 2000, "D": 2000, "U": None}, text))
    (step,) = [step for step in by_id(result)["A"].steps if step.label == "dpa"]
    assert (step.article, step.value, step.text) == (
        "9.21.b.2",
        "96.5",
        "(193 + 0)/2; 2 with 0 or 100 % left out",
    )
    assert result.ra == 2000 - F("96.5") * 4 / 5


def test_nobody_is_left_for_dpa():
    """9.21.b.2: a championship of one rated player, were it allowed: Ra is Rar."""
    lenient = replace(RULES, championship_rated=1)
    played = event("round-robin", {"A": 2000, "U": None, "V": None}, "A U 1, A V 1, U V =",
                   flags=frozenset({"national-championship"}))  # fmt: skip
    result = lenient.rate(played)
    assert result.ra == 2000
    (step,) = [step for step in by_id(result)["A"].steps if step.label == "dpa"]
    assert (step.article, step.value, step.text) == ("9.21.b.2", "0", "every rated player has 0 or 100 %")
    zero = replace(played, players=tuple(replace(each, rating=None) for each in played.players))
    found = by_id(replace(RULES, championship_rated=0).rate(zero))
    assert why(found["A"]) == [
        (1, "U", "7.3", "no rated player has a game that counts"),
        (2, "V", "7.3", "no rated player has a game that counts"),
    ]


def test_zero_of_an_unrated_player_in_a_round_robin():
    """7.1: without Z Ra is 1900, n 3; A: D 100 → .64, We 2.06; 15 × .44."""
    text = "A B =, A C 1, A D 1, B C 1, B D =, C D =, A Z 1, B Z 1, C Z 1, D Z 1"
    result = RULES.rate(event("round-robin", {"A": 2000, "B": 2000, "C": 1800, "D": 1800, "Z": None}, text))
    found = by_id(result)
    assert [found[x].change for x in "ABCD"] == [F("6.6"), F("-0.9"), F("-6.6"), F("0.9")]
    assert (found["Z"].games, found["Z"].performance, found["Z"].pooled) == (0, None, False)
    assert why(found["Z"]) == [(n, x, "7.1", "zero in the event") for n, x in enumerate("ABCD", start=7)]
    assert why(found["A"]) == [(7, "Z", "7.1", "unrated opponent with zero in the event")]
    assert (found["A"].games, result.ra) == (3, 1900)


def test_an_unplayed_game_makes_a_round_robin_a_swiss_tournament():
    """7.43: A: Ra 1950, D 50 → .57 × 2; B: D 66.67 → 67 → .59 × 3."""
    played = event("round-robin", {"A": 2000, "B": 2000, "C": 1900, "D": 1900},
                   "A B =, A C 1, A D +, B C =, B D 1, C D =")  # fmt: skip
    result = RULES.rate(played)
    found = by_id(result)
    assert (result.rated, result.treated_as) == (True, "swiss")
    assert told(result) == [("warning", "treated-as-swiss", "7.43", "system")]
    assert result.findings[0].message == "Not every pair played its game: rated as a Swiss tournament."
    assert [found[x].change for x in "ABCD"] == [F("5.4"), F("3.45"), F("-3.45"), F("-5.4")]
    double = RULES.rate(replace(played, system="double-round-robin"))
    assert double.findings[0].message == "Not every pair played two games: rated as a Swiss tournament."


def test_an_event_that_is_not_rated():
    """7.31: three rated players of four."""
    ratings = {"A": EventPlayer("A", 2000, career_games=3), "B": 2000, "C": 1900, "U": None}
    result = RULES.rate(event("round-robin", ratings, "A B =, A C 1, A U 1, B C =, B U 1, C U ="))
    found = by_id(result)
    assert (result.rated, result.treated_as, result.ra) == (False, "round-robin", None)
    assert told(result) == [("error", "too-few-rated", "7.31", "players")]
    assert why(found["A"]) == [(n, x, "7.31", "event not rated") for n, x in ((1, "B"), (2, "C"), (3, "U"))]
    assert (found["A"].status, found["A"].k, found["A"].change, found["A"].expected) == ("rated", 25, 0, 0)
    assert (found["U"].status, found["U"].pooled, found["U"].games, found["U"].score) == (
        "unrated",
        False,
        0,
        0,
    )
    assert len(found["U"].uncounted) == 3
    championship = event("round-robin", ratings, "A B =, A C 1, A U 1, B C =, B U 1, C U =",
                         flags=frozenset({"national-championship"}))  # fmt: skip
    assert RULES.rate(championship).rated  # 7.33


def test_a_long_event_needs_leave():
    """5.1, 5.11: 90 days."""
    played = event("swiss", {"A": 2000, "B": 2000}, "A B 1", start=date(1996, 1, 1), end=date(1996, 3, 30))
    assert [each.article for each in RULES.rate(played).findings] == ["5.1"]
    assert not RULES.rate(played).rated
    allowed = replace(played, authorizations=frozenset({"longer-duration"}))
    assert RULES.rate(allowed).rated
    assert RULES.rate(replace(played, end=date(1996, 3, 29))).findings == ()
    assert RULES.rate(replace(played, start=None)).findings == ()
