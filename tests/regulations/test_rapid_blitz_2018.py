"""fide-rapid-blitz-2018 (text B): articles 5, 6 and 8 on one event. Figures in comments are by hand."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings

from regulations.fide_rapid_blitz_2018 import FideRapidBlitz2018
from regulations.fide_rapid_blitz_2018.performance import performance
from regulations.fide_rapid_blitz_2018.rating import k_text, period_k
from regulations.model import EventPlayer, Finding, Game, Uncounted
from tests.regulations.build import by_id, event, value_of
from tests.regulations.strategies import round_robins

B = FideRapidBlitz2018()
ITERATED = replace(B, unrated_opponents="iterated")


def round_robin(ratings, scores, system="round-robin", **more):
    """A round robin from a table of pairs: ``"AB": "1"`` is A's score against B; others are drawn."""
    names = sorted(ratings)
    text = [
        f"{white} {black} {scores.get(white + black, '=')}"
        for number, white in enumerate(names)
        for black in names[number + 1 :]
    ]
    if system == "double-round-robin":
        text += [f"{line.split()[1]} {line.split()[0]} =" for line in text]
    return event(system, ratings, ", ".join(text), **more)


#: six rated players draw all their games but beat W and X; U and V draw with everybody
FIELD = {
    "A": 2300,
    "B": 2250,
    "C": 2200,
    "D": 2150,
    "E": 2100,
    "F": 2050,
    "U": None,
    "V": None,
    "W": None,
    "X": None,
}
BEAT_TWO = {rated + low: "1" for rated in "ABCDEF" for low in "WX"}


@pytest.mark.parametrize(
    ("own", "opponent", "score", "delta", "expected"),
    [
        (2000, 1265, "1", "0.01", "0.99"),  # 735 points: .99
        (2000, 1264, "1", "0.01", "0.99"),  # 736 count as 735 (8.54)
        (1200, 2000, "=", "0.49", "0.01"),
        (1500, 1500, "0", "-0.5", "0.5"),
    ],
)
def test_8_54_one_game(own, opponent, score, delta, expected):
    result = by_id(B.rate(event("swiss", {"a": own, "b": opponent}, f"a b {score}")))["a"]
    game = result.counted[0]
    assert (game.expected, result.score - game.expected) == (Fraction(expected), Fraction(delta))
    assert game.difference == max(-735, min(735, own - opponent))
    assert game.opponent_rating == own - game.difference
    assert game.article == "8.51"
    assert result.change == 20 * Fraction(delta)


def test_8_55_the_games_of_one_player():
    # D 100: PD .64; D -100: .36, half a point; D 0, loss: ΔR .36 + .14 - .5 = 0; K 20
    result = by_id(
        B.rate(event("swiss", {"a": 2000, "b": 1900, "c": 2100, "d": 2000}, "a b 1, a c =, d a 1"))
    )["a"]
    assert (result.games, result.score, result.expected) == (3, Fraction(3, 2), Fraction(3, 2))
    assert (result.k, result.change) == (20, 0)
    assert (result.status, result.rc, result.performance, result.pooled) == ("rated", 2000, None, None)
    assert [(step.article, step.label, step.value, step.text) for step in result.steps] == [
        ("8.55b", "ΔR round 1", "0.36", "b: D 2000 - 1900 = 100; PD 0.64; 1 - 0.64"),
        ("8.55b", "ΔR round 2", "0.14", "c: D 2000 - 2100 = -100; PD 0.36; 0.5 - 0.36"),
        ("8.55b", "ΔR round 3", "-0.5", "d: D 2000 - 2000 = 0; PD 0.5; 0 - 0.5"),
        ("8.55c", "ΣΔR", "0", "0.36 + 0.14 - 0.5"),
        ("8.56", "K", "20", "3 games, not more than 35"),
        ("8.55c", "change", "0", "20 × 0; rounded with the period's sum (8.57)"),
    ]


def test_8_54_the_limit_is_told():
    result = by_id(B.rate(event("swiss", {"a": 2000, "b": 1000}, "a b 1")))["a"]
    assert result.steps[0].text == "b: D 2000 - 1000 = 1000, limited to 735; PD 0.99; 1 - 0.99"


@pytest.mark.parametrize(("games", "k"), [(1, 20), (35, 20), (36, 19), (70, 10), (71, 9), (700, 1)])
def test_8_56_k_of_a_period(games, k):
    assert period_k(B, games) == k


def test_8_56_k_is_explained_and_shown_by_the_games_of_the_period():
    assert k_text(B, 35) == "35 games, not more than 35"
    assert k_text(B, 36) == "36 games, more than 35: 700/36, rounded down"
    players = {
        "a": EventPlayer("a", 2000, games_in_period=36),
        "b": EventPlayer("b", 2000, games_in_period=1),
    }
    result = by_id(B.rate(event("swiss", players, "a b 1, b a 0")))
    # two games of this event are more than the one that is said of b
    assert {name: (each.k, each.change) for name, each in result.items()} == {"a": (19, 19), "b": (20, -20)}


@pytest.mark.parametrize(
    ("rc", "score", "games", "opponents", "ru", "article"),
    [
        (1650, "2", 4, None, "1650", "8.23"),
        (1650, "2.5", 4, None, "1660", "8.24"),
        (1650, "4", 4, None, "1690", "8.24"),
        (1650, "1", 4, None, "1457", "8.25"),  # p .25: -193
        (1650, "1.5", 4, None, "1563", "8.25"),  # p .375 is .38: -87
        (2103, "1.5", 9, 9, "1857.3", "8.26"),  # p .17: -273 × 9/10
        (2103, "4.5", 9, 9, "2103", "8.23"),
        (2103, "5", 9, 9, "2113", "8.24"),
        (2000, "0", 4, None, "1200", "8.25"),  # -800
    ],
)
def test_8_23_to_8_26_performance(rc, score, games, opponents, ru, article):
    found, step = performance(B, rc, Fraction(score), games, opponents)
    assert (found, step.article, step.label) == (Fraction(ru), article, "Ru")


def test_8_21_an_unrated_player_of_a_swiss_tournament():
    players = {"u": None, "a": 1500, "b": 1600, "c": 1801, "v": None}
    result = by_id(B.rate(event("swiss", players, "u a 1, b u 1, u c 0, u v 1")))
    own = result["u"]
    # Rc 4901/3; p 1/3 = .33: -125
    assert (own.status, own.games, own.score, own.pooled) == ("unrated", 3, 1, True)
    assert own.performance == Fraction(4901, 3) - 125
    assert (own.change, own.expected, own.k, own.rc) == (None, None, None, None)
    assert own.uncounted == (Uncounted(4, "v", "8.21", "unrated opponent"),)
    assert [(each.opponent, each.opponent_rating, each.article) for each in own.counted] == [
        ("a", 1500, "8.21"), ("b", 1600, "8.21"), ("c", 1801, "8.21"),
    ]  # fmt: skip
    assert [(step.article, step.label, step.value, step.text) for step in own.steps] == [
        ("8.21", "Rc", "1633.6667", "(1500 + 1600 + 1801)/3"),
        ("8.25", "Ru", "1508.6667", "1633.6667 - 125, p 0.33"),
    ]
    # 6.32: for a rated player the game with an unrated one does not count
    assert result["a"].uncounted == (Uncounted(1, "u", "6.32", "unrated opponent"),)
    assert (result["a"].games, result["a"].change, result["a"].k) == (0, 0, 20)


@pytest.mark.parametrize(
    ("score", "first", "counts"),
    [("0", True, False), ("=", True, False), ("1", True, True), ("0", False, True), ("=", False, True)],
)
def test_6_1_zero_or_half_a_point_in_the_first_event(score, first, counts):
    players = {"u": EventPlayer("u", None, first_event=first), "a": 1500, "b": 1500, "v": None}
    own = by_id(B.rate(event("swiss", players, f"u a {score}, u b 0, u v 1")))["u"]
    assert own.games == (2 if counts else 0)
    assert own.pooled is counts
    dropped = [each for each in own.uncounted if each.article == "6.1"]
    assert [each.reason for each in dropped] == (
        [] if counts else ["zero or half a point in the first event"] * 2
    )


def test_5_1_unplayed_games():
    own = by_id(B.rate(event("swiss", {"a": 2000, "b": 2000}, "a b +, b a 1")))["a"]
    assert own.uncounted == (Uncounted(1, "b", "5.1", "forfeit"),)
    assert own.games == 1


def test_8_22_the_standard_rating_stands_in():
    players = {"u": EventPlayer("u", None, standard_rating=2000), "a": 2000}
    result = by_id(B.rate(event("swiss", players, "u a 1")))
    assert (result["u"].status, result["u"].change) == ("rated", 10)
    assert (result["u"].steps[0].article, result["u"].steps[0].value) == ("8.22", "2000")
    assert result["u"].steps[0].text == "the standard rating"
    assert result["a"].change == -10  # he counts as rated


def test_8_4_rated_since_the_event():
    players = {"u": EventPlayer("u", 1900, rated_since_event=True), "a": 2000}
    result = by_id(B.rate(event("swiss", players, "u a 1")))
    # D -100: PD .36
    assert result["u"].change == Fraction("12.8")
    assert result["a"].games == 0
    standard = {"u": EventPlayer("u", 1900, rated_since_event=True, standard_rating=2000), "a": 2000}
    assert by_id(B.rate(event("swiss", standard, "u a 1")))["a"].change == -10


@pytest.mark.parametrize(("scheduled", "games"), [(8, 10), (9, 6), (10, 6), (None, 10)])
def test_6_5_only_matches_of_more_than_eight_games_are_cut(scheduled, games):
    # A has 4.5 after five games, 5.5 after six: more than half of 9 and of 10
    text = ", ".join(["A B 1"] * 4 + ["A B ="] + ["A B 1"] + ["A B 0"] * 4)
    result = B.rate(event("match", {"A": 2000, "B": 2000}, text, scheduled_games=scheduled))
    assert by_id(result)["A"].games == games
    late = [each for each in by_id(result)["A"].uncounted if each.article == "6.5"]
    assert len(late) == 10 - games
    waived = replace(event("match", {"A": 2000, "B": 2000}, text, scheduled_games=scheduled),
                     authorizations=frozenset({"decided-match-games"}))  # fmt: skip
    assert by_id(B.rate(waived))["A"].games == games  # the text knows no such leave
    assert all(each.reason == "after the match was decided" for each in late)
    codes = [(each.severity, each.code, each.article) for each in result.findings]
    assert codes == ([("warning", "scheduled-games-unknown", "6.5")] if scheduled is None else [])


def test_6_6_a_match_with_an_unrated_player():
    result = B.rate(event("match", {"a": 2000, "u": None}, "a u 1", scheduled_games=1))
    assert not result.rated
    assert [each.article for each in result.findings] == ["6.6"]
    assert [(each.games, each.uncounted[0].article, each.uncounted[0].reason) for each in result.players] == [
        (0, "6.6", "event not rated")
    ] * 2


def test_4_1_a_long_event_is_not_rated_unless_authorized():
    dates = {"start": date(2018, 9, 1), "end": date(2018, 10, 1)}
    played = event("swiss", {"a": 2000, "b": 2000}, "a b 1", **dates)
    assert not B.rate(played).rated
    allowed = B.rate(replace(played, authorizations=frozenset({"longer-duration"})))
    assert allowed.rated
    assert allowed.findings[0].severity == "warning"


def test_6_4_an_unplayed_game_makes_a_round_robin_a_swiss_tournament():
    result = B.rate(round_robin({"A": 2000, "B": 2000, "C": 2000, "D": 2000, "U": None}, {"AB": "+"}))
    assert result.treated_as == "swiss"
    assert result.findings == (
        Finding(
            "warning", "treated-as-swiss", "6.4",
            "Not every pair played its game: rated as a Swiss tournament.", None, "system",
        ),
    )  # fmt: skip
    assert by_id(result)["A"].games == 2
    double = round_robin(dict.fromkeys("ABCDEF", 2000), {"AB": "+"}, "double-round-robin")
    assert "two games" in B.rate(double).findings[0].message
    assert result.ra is None


def test_8_21_8_58_a_round_robin_with_unrated_players():
    """Rar 2175; every rated player 5.5 of 9, p .61, dp 80; Ra = 2175 - 80 × 9/10 = 2103."""
    result = B.rate(round_robin(FIELD, BEAT_TWO))
    found = by_id(result)
    assert (result.rated, result.treated_as, result.ra, result.findings) == (True, "round-robin", 2103, ())
    # U: 4.5 of 9. W: 1.5 of 9, p .17: 2103 - 273 × 9/10
    assert (found["U"].performance, found["W"].performance) == (2103, Fraction("1857.3"))
    assert [(step.article, step.label, step.value, step.text) for step in found["W"].steps] == [
        ("8.21 i", "Rar", "2175", "(2300 + 2250 + 2200 + 2150 + 2100 + 2050)/6"),
        ("8.21 ii", "dpa", "80", "(80 + 80 + 80 + 80 + 80 + 80)/6"),
        ("8.21 iii", "Ra", "2103", "2175 - 80 × 9/10"),
        ("8.21", "Rc", "2103", "Ra"),
        ("8.26", "Ru", "1857.3", "2103 - 273 × 9/10, p 0.17"),
        ("8.58", "Ru (new)", "1857", "1857.3, to the nearest whole number"),
    ]
    # A: PD .57 .64 .70 .76 .81 against the rated, .75 twice (197), .94 twice (443): 3.48 + 1.5 + 1.88
    assert (found["A"].games, found["A"].score) == (9, Fraction(11, 2))
    assert (found["A"].expected, found["A"].change) == (Fraction("6.86"), Fraction("-27.2"))
    assert [each.opponent_rating for each in found["A"].counted][-4:] == [2103, 2103, 1857, 1857]
    # what U's games are pooled with: ratings, and the rounded Ru of the others
    assert [each.opponent_rating for each in found["U"].counted][-3:] == [2103, 1857, 1857]
    assert found["U"].pooled


def test_6_1_the_ignored_leave_a_round_robin():
    """V scores half a point in all: the others' games with him do not count, and n is 4."""
    ratings = {"A": 2000, "B": 2000, "C": 2000, "D": 2000, "U": None, "V": None}
    scores = {rated + "V": "1" for rated in "ABCD"} | {"UV": "="}
    result = B.rate(round_robin(ratings, scores))
    found = by_id(result)
    assert found["V"].games == 0
    assert {each.reason for each in found["V"].uncounted} == {"zero or half a point in the first event"}
    assert {each.article for each in found["V"].uncounted} == {"6.1"}
    assert found["A"].uncounted == (
        Uncounted(
            found["A"].uncounted[0].round, "V", "6.1",
            "unrated opponent with zero or half a point in his first event",
        ),
    )  # fmt: skip
    # all the rest is drawn: dp 0, Ra 2000
    assert (result.ra, found["U"].games, found["U"].performance) == (2000, 4, 2000)
    assert (found["A"].games, found["A"].change) == (4, 0)
    # known from an earlier event he counts
    again = {**ratings, "V": EventPlayer("V", None, first_event=False)}
    assert by_id(B.rate(round_robin(again, scores)))["V"].games == 5


def wide(low_scores):
    """Six of 2500 and two unrated who lose to them all but what ``low_scores`` says."""
    ratings = {**dict.fromkeys("ABCDEF", 2500), "U": None, "V": None}
    ratings["U"] = EventPlayer("U", None, first_event=False)
    ratings["V"] = EventPlayer("V", None, first_event=False)
    return round_robin(ratings, {r + low: "1" for r in "ABCDEF" for low in "UV"} | low_scores)


def test_8_54_the_pass_moves_ru_by_the_average_of_the_corrections():
    """The rated 4.5 of 7: p .64, dp 102; Ra = 2500 - 102 × 7/8 = 2410.75. U and V draw: half of 7,
    p .07, dp -422: Ru = 2410.75 - 422 × 7/8 = 2041.5, 458.5 below: within the limit."""
    found = by_id(B.rate(wide({})))
    assert found["U"].performance == Fraction("2041.5")
    # With a limit of 400 each of the six counts 400 above: 2041.5 + 6 × (-58.5)/7
    narrow = by_id(replace(B, difference_limit=400).rate(wide({})))
    assert narrow["U"].performance == Fraction("2041.5") - 6 * Fraction("58.5") / 7
    step = next(each for each in narrow["U"].steps if each.article == "8.54")
    assert (step.label, step.value) == ("Ru", "1991.3571")
    assert step.text.endswith("/7: differences over 400")
    assert step.text.startswith("2041.5 + (-58.5 - 58.5")
    assert value_of(narrow["U"].steps, "Ru (new)") == "1991"


def test_8_58_iterated_ra_gives_back_what_the_limit_took():
    """As above with a limit of 400: Ra 2410.75 gives Ru 2041.5, 2042; 58 beyond the limit in two games of
    each rated player's seven. Ra = 2410.75 - 116/7 × 7/8 = 2396.25, Ru 2027; 73: 2392.5, Ru 2023;
    77: 2391.5, Ru 2022 (2022.25); 78: 2391.25, Ru 2022: at rest after five rounds."""
    closed = replace(B, difference_limit=400)
    result = replace(closed, unrated_opponents="iterated").rate(wide({}))
    found = by_id(result)
    assert result.ra == Fraction("2391.25")
    step = [each for each in found["U"].steps if each.label == "Ra"][-1]
    assert (step.article, step.value) == ("8.58", "2391.25")
    assert step.text == "after 5 rounds, with what lies beyond 400 points"
    # Ru = 2391.25 - 369.25, then the pass of 8.54: six opponents 478 above count 400 above
    assert found["U"].performance == 2022 - Fraction(6 * 78, 7)
    # at rest, the performance of a rated player is his rating: Rc = (5 × 2500 + 2 × 2100)/7 with Ra for
    # the others' average, Rc = (2391.25 × 8 - 2500 + 2 × 78)/7; Rc + 102 = 2500
    assert (result.ra * 8 - 2500 + 2 * 78) / 7 + 102 == 2500
    assert ITERATED.rate(wide({})).ra == B.rate(wide({})).ra  # nobody beyond 735: the same


def value_text(steps, label):
    return [step.text for step in steps if step.label == label][-1]


def test_8_58_the_iteration_has_a_second_fence():
    stopped = replace(B, unrated_opponents="iterated", difference_limit=400, iteration_limit=1)
    result = stopped.rate(wide({}))
    assert result.ra == Fraction("2396.25")
    assert value_text(by_id(result)["U"].steps, "Ra").startswith("after 1 rounds")


@settings(max_examples=60)
@given(round_robins())
def test_8_58_the_iteration_ends(played):
    for limit in (735, 200, 50):
        result = replace(ITERATED, difference_limit=limit).rate(played)
        for player in result.players:
            for step in player.steps:
                if step.text.startswith("after"):
                    assert int(step.text.split()[1]) < 200


def test_a_double_round_robin_counts_opponents_once():
    """n is the number of opponents: 5 here, though ten games are played."""
    ratings = {**dict.fromkeys("ABCD", 2000), "U": None, "V": None}
    scores = {r + low: "1" for r in "ABCD" for low in "UV"}
    played = round_robin(ratings, scores, "double-round-robin")
    result = B.rate(played)
    # the rated: 10 games, 2 × 1 + 8 × .5 = 6: p .6, dp 72; Ra = 2000 - 72 × 5/6
    assert (result.ra, result.treated_as) == (1940, "double-round-robin")
    # U: 10 games, 4 × 0 + 6 × .5 = 3, p .3: 1940 - 149 × 5/6
    assert by_id(result)["U"].performance == 1940 - Fraction(149 * 5, 6)


def test_a_round_robin_of_rated_players_is_rated_game_by_game():
    found = B.rate(round_robin({"A": 2100, "B": 2000, "C": 2000, "D": 2000}, {}))
    assert found.ra is None
    # three draws at D 100: .5 - .64 each
    assert by_id(found)["A"].change == 20 * 3 * Fraction("-0.14")
    assert by_id(found)["A"].expected == 3 * Fraction("0.64")


def test_8_4_rated_since_the_event_in_a_round_robin():
    ratings = {**dict.fromkeys("ABCD", 2000), "N": EventPlayer("N", 2100, rated_since_event=True)}
    found = by_id(B.rate(round_robin(ratings, {})))
    assert (found["N"].status, found["N"].change) == ("rated", 20 * 4 * Fraction("-0.14"))
    # for the others he is unrated, with Ru = Ra = 2000
    assert (found["A"].games, found["A"].change) == (4, 0)


def test_a_bye_is_no_game():
    played = event("swiss", {"a": 2000, "b": 2000}, "a b 1")
    played = replace(played, games=(*played.games, Game(2, "a", None, "bye-1")))
    assert by_id(B.rate(played))["a"].uncounted == (Uncounted(2, None, "5.1", "bye"),)
