"""FECAP postal: one event as if it were the whole period; the text's two examples."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.model import CountedGame, EventPlayer, Game, Uncounted
from tests.regulations import recompute
from tests.regulations.build import by_id, event, value_of
from tests.regulations.fecap import P, lines, postal, provisional
from tests.regulations.strategies import events

JLP = provisional("J.L.P.", 2010, "6.5", 12, 8, 2000)
FIRST = {"J.L.P.": JLP, "P.F.C.": 2050, "H.L.M.": 1925, "P.L.G.": 2014,
         "J.J.T.": provisional("J.J.T.", 1900, "3", 5, 2, 1800)}  # fmt: skip
FIRST_GAMES = "J.L.P. P.F.C. 1, H.L.M. J.L.P. =, J.L.P. J.J.T. 1, P.L.G. J.L.P. 1"


def test_the_texts_example_of_phase_1():
    """Fase 1: (8 × 2000 + 2050 + 1925 + 2014)/11 = 1999; 9/16 = 0.56; 1999 + 43 × 0.9928 × 0.5347."""
    player = by_id(P.rate(postal(FIRST, FIRST_GAMES)))["J.L.P."]
    assert (player.status, player.games, player.score) == ("unrated", 4, Fraction(5, 2))
    assert (player.performance, player.pooled) == (2022, True)
    assert (player.rc, player.expected, player.k, player.change) == (None, None, None, None)
    assert player.uncounted == ()
    assert lines(player.steps) == [
        ("Fase 1", "Rc", "1999", "(8 × 2000 + 2050 + 1925 + 2014)/11"),
        ("Fase 1", "P", "0.56", "(6.5 + 1 + 0.5 + 1 + 0)/16, to two decimals, half up"),
        ("Tabla 1", "DP", "43", "P 0.56"),
        ("Fase 1", "FP", "0.9928", "2 × 0.56 × (1 - 0.56) + 0.5"),
        ("Fase 1", "F", "0.5347", "3.2 - 1999/750"),
        ("Fase 1", "RRP", "2022", "1999 + 43 × 0.9928 × 0.534667, rounded half up"),
        ("Fase 1", "games with provisional opponents", "1", "J.J.T.: for P, not for Rc"),
        ("General 6", "status", "provisional", "16 games; 30 make it definitive"),
    ]


def test_the_opponents_of_a_provisional_player():
    """Rated ones with the rating before, provisional ones with the RRP of this step: J.J.T. has 3 of 6,
    all of his two rated opponents at 1800: 1800 + 0."""
    player = by_id(P.rate(postal(FIRST, FIRST_GAMES)))["J.L.P."]
    half, one = Fraction(1, 2), Fraction(1)
    assert player.counted == (
        CountedGame(1, "P.F.C.", True, one, 2050, article="Fase 1"),
        CountedGame(2, "H.L.M.", False, half, 1925, article="Fase 1"),
        CountedGame(3, "J.J.T.", True, one, 1800, article="Fase 1"),
        CountedGame(4, "P.L.G.", False, Fraction(0), 2014, article="Fase 1"),
    )


SECOND = {"P.F.C.": EventPlayer("P.F.C.", 2050, 60), "S.T.M.": 2100, "D.D.A.": 2000, "A.G.G.": 1950,
          "R.J.P.": 2070, "J.L.P.": provisional("J.L.P.", 2000, "9", 16, 11, 1999)}  # fmt: skip
SECOND_GAMES = "P.F.C. S.T.M. 0, D.D.A. P.F.C. =, P.F.C. A.G.G. 1, R.J.P. P.F.C. 0, J.L.P. P.F.C. 1"


def test_the_texts_example_of_phase_2():
    """Fase 2: Σ -0.15, a 11, 2050 - 1.65 (before rounding). Here J.L.P. gets (11 × 1999 + 2050)/12 =
    2003.25, P 10/17 = 0.59, 2003.25 + 65 × 0.9838 × 0.529 = 2037."""
    player = by_id(P.rate(postal(SECOND, SECOND_GAMES)))["P.F.C."]
    assert by_id(P.rate(postal(SECOND, SECOND_GAMES)))["J.L.P."].performance == 2037
    assert [(game.opponent_rating, game.difference, game.expected) for game in player.counted] == [
        (2100, -50, Fraction("0.43")),
        (2000, 50, Fraction("0.57")),
        (1950, 100, Fraction("0.64")),
        (2070, -20, Fraction("0.47")),
        (2037, 13, Fraction("0.52")),
    ]
    rrp_2022 = {**SECOND, "J.L.P.": 2022}
    player = by_id(P.rate(postal(rrp_2022, SECOND_GAMES)))["P.F.C."]
    assert (player.status, player.games, player.score) == ("rated", 5, Fraction(5, 2))
    assert (player.rc, player.expected, player.k) == (Fraction("2028.4"), Fraction("2.65"), 11)
    assert (player.change, player.performance, player.pooled) == (Fraction("-1.65"), None, None)
    assert lines(player.steps) == [
        ("Tabla 2", "W - We E round 1", "-0.43",
         "S.T.M.: D 50, 2050 against 2100, column B; We 0.43; 0 - 0.43"),
        ("Tabla 2", "W - We E round 2", "-0.07",
         "D.D.A.: D 50, 2050 against 2000, column A; We 0.57; 0.5 - 0.57"),
        ("Tabla 2", "W - We E round 3", "0.36",
         "A.G.G.: D 100, 2050 against 1950, column A; We 0.64; 1 - 0.64"),
        ("Tabla 2", "W - We E round 4", "0.53",
         "R.J.P.: D 20, 2050 against 2070, column B; We 0.47; 1 - 0.47"),
        ("Tabla 2", "W - We E round 5", "-0.54",
         "J.L.P.: D 28, 2050 against 2022, column A; We 0.54; 0 - 0.54"),
        ("Fase 2", "Σ(W - We)", "-0.15", "-0.43 - 0.07 + 0.36 + 0.53 - 0.54"),
        ("Fase 2", "a", "11", "52 - 2050/50"),
        ("Fase 2", "b", "1", "not in use"),
        ("Fase 2", "average opponent", "2028.4", "(2100 + 2000 + 1950 + 2070 + 2022)/5"),
        ("Tabla 2", "We of the average", "0.53", "D 22, 2050 against 2028.4"),
        ("Fase 2", "s²", "1.2455", "5 × 0.53 × (1 - 0.53)"),
        ("Fase 2", "s", "1.116019", "the square root of 1.2455"),
        ("Fase 2", "q", "0.134406", "0.15/1.116019"),
        ("Fase 2", "c", "1", "q is below 1"),
        ("Fase 2", "f", "11", "11 × 1 × 1"),
        ("Fase 2", "change", "-1.65", "11 × -0.15"),
        ("Fase 2", "RN", "2048", "2050 - 1.65, rounded half up"),
    ]  # fmt: skip
    assert player.counted[0] == CountedGame(
        1, "S.T.M.", True, Fraction(0), 2100, -50, Fraction("0.43"), "Fase 2"
    )


def test_a_new_player_starts_with_1600_and_is_rated():
    """General 2: 1600 against 1700: D 100, We 0.36; 20 × 0.64 = 12.8 and 18 × -0.64 = -11.52."""
    new, old = P.rate(postal({"a": None, "b": 1700}, "a b 1", name="")).players
    assert (new.status, new.rc, new.k, new.change) == ("rated", 1700, 20, Fraction("12.8"))
    assert (old.status, old.rc, old.k, old.change) == ("rated", 1600, 18, Fraction("-11.52"))
    assert (new.expected, old.expected) == (Fraction("0.36"), Fraction("0.64"))
    assert value_of(new.steps, "W - We round 1") == "0.64"
    assert value_of(P.rate(postal({"a": None, "b": 1700}, "a b 1", name="")).players[0].steps, "RN") == "1613"


def test_the_start_is_a_parameter():
    other = replace(P, start=1700)
    assert other.rate(postal({"a": None, "b": 1700}, "a b 1")).players[0].change == 9


def test_a_factor_that_is_not_whole_is_no_k():
    """a of 2051 is 10.98."""
    player = P.rate(postal({"a": 2051, "b": 2051}, "a b 1")).players[0]
    assert (player.k, player.change) == (None, Fraction("5.49"))
    assert value_of(player.steps, "f") == "10.98"


def test_a_newcomer_of_a_category_is_provisional():
    """General 4: (1700 + 1500)/2 = 1600, P 0.75: 1600 + 193 × 0.875 × 1 = 1768.9."""
    players = {"x": EventPlayer("x", None, otb_category="Experto Provincial"), "b": 1700, "c": 1500}
    player = by_id(P.rate(postal(players, "x b =, c x 0")))["x"]
    assert (player.status, player.performance, player.pooled, player.games) == ("unrated", 1769, True, 2)
    assert lines(player.steps)[:2] == [
        ("Fase 1", "Rc", "1600", "(1700 + 1500)/2"),
        ("Fase 1", "P", "0.75", "(0 + 0.5 + 1)/2, to two decimals, half up"),
    ]
    assert lines(player.steps)[4] == ("Fase 1", "F", "1", "3.2 - 1650/750, for 1600 is below 1650")


def test_a_rated_player_of_a_category_stays_rated():
    """General 5."""
    players = {"x": EventPlayer("x", 1800, otb_category="GM"), "b": 1700}
    assert by_id(P.rate(postal(players, "x b =")))["x"].status == "rated"


def test_below_the_floor():
    """General 3: four losses against 1600: 1600 - 677 × 0.5 × 1 = 1261.5, so 1500."""
    players = {"x": provisional("x", None), "a": 1600, "b": 1600, "c": 1600, "d": 1600}
    player = by_id(P.rate(postal(players, "x a 0, x b 0, x c 0, x d 0")))["x"]
    assert player.performance == 1500
    assert lines(player.steps)[5:7] == [
        ("Fase 1", "RRP", "1262", "1600 - 677 × 0.5 × 1, rounded half up"),
        ("General 3", "RRP", "1500", "1262 is below 1500"),
    ]
    higher = replace(P, floor=1262)
    player = by_id(higher.rate(postal(players, "x a 0, x b 0, x c 0, x d 0")))["x"]
    assert (player.performance, [step.article for step in player.steps].count("General 3")) == (1262, 0)


def test_f_above_its_upper_end():
    players = {"x": provisional("x", None), "a": 2300}
    player = by_id(P.rate(postal(players, "x a =")))["x"]
    assert player.performance == 2300
    assert lines(player.steps)[4] == ("Fase 1", "F", "0.4", "3.2 - 2100/750, for 2300 is above 2100")


def test_two_provisional_players():
    """Fase 1: neither is rated; without any rated opponent the first provisional rating stays."""
    players = {"x": provisional("x", None), "y": provisional("y", 1750, "1", 2)}
    one, two = P.rate(postal(players, "x y 1")).players
    assert (one.performance, two.performance) == (1600, 1750)
    assert (one.games, one.score, one.pooled) == (1, 1, True)
    assert lines(one.steps) == [
        ("General 4", "RRP", "1600", "no rated opponent so far"),
        ("Fase 1", "games with provisional opponents", "1", "y: for P, not for Rc"),
        ("General 6", "status", "provisional", "1 games; 30 make it definitive"),
    ]
    first = replace(P, first_provisional=1900)
    assert first.rate(postal(players, "x y 1")).players[0].performance == 1900


def test_rated_opponents_of_earlier_periods_are_enough():
    """P 3.5/5 = 0.70: 1800 + 149 × 0.92 × 0.8 = 1909.66."""
    players = {"x": provisional("x", 1700, "2.5", 4, 2, 1800), "y": provisional("y", None)}
    player = by_id(P.rate(postal(players, "x y 1")))["x"]
    assert player.performance == 1910
    assert player.steps[0].text == "(2 × 1800)/2"


@pytest.mark.parametrize(("games", "status"), [(28, "provisional"), (29, "definitive"), (30, "definitive")])
def test_thirty_games(games, status):
    """General 6; the opponents still meet RRP, and two of them are still not rated to each other."""
    players = {"x": provisional("x", 1700, 14, games, 10, 1700), "y": provisional("y", None)}
    one, two = P.rate(postal(players, "x y 1")).players
    assert value_of(one.steps, "status") == status
    assert one.steps[-1].text == f"{games + 1} games; 30 make it definitive"
    assert (one.status, two.performance) == ("unrated", 1600)


def test_games_that_were_not_played():
    """General 8: what was never played is no finished game."""
    players = {"a": 1700, "b": 1700, "x": provisional("x", 1650)}
    text = "a b +, a x =/=, b x -/-"
    whole = postal(players, text)
    whole = replace(whole, games=(*whole.games, Game(4, "a", None, "bye-1")))
    a, b, x = P.rate(whole).players
    assert a.uncounted == (
        Uncounted(1, "b", "General 8", "forfeit"),
        Uncounted(2, "x", "General 8", "agreed without a move"),
        Uncounted(4, None, "General 8", "bye"),
    )
    assert (a.status, a.games, a.score, a.expected, a.change, a.k, a.rc) == ("rated", 0, 0, 0, 0, 18, None)
    assert (b.counted, b.steps, b.performance, b.pooled) == ((), (), None, None)
    assert (x.status, x.performance, x.pooled, x.steps, x.games) == ("unrated", None, False, (), 0)
    assert [each.round for each in x.uncounted] == [2, 3]


def test_no_game_and_no_whole_factor():
    player = P.rate(postal({"a": 1701, "b": 1700}, "a b +")).players[0]
    assert (player.k, player.change) == (None, 0)


def test_postal_chess_only():
    result = P.rate(postal({"a": 1700, "b": 1700}, "a b 1", rate="rapid"))
    assert (result.rated, result.treated_as) == (False, "round-robin")
    (finding,) = result.findings
    assert (finding.severity, finding.code, finding.article, finding.subject, finding.waivable) == (
        "error", "other-rate", "Objetivos", "rate", False,
    )  # fmt: skip
    assert finding.message == "This text rates postal chess, not rapid."
    assert result.players[1].uncounted == (Uncounted(1, "a", "Objetivos", "event not rated"),)
    assert result.players[1].games == 0


@pytest.mark.parametrize("rate", ["postal", None])
def test_a_postal_event(rate):
    result = P.rate(postal({"a": 1700, "b": 1700}, "a b 1", rate=rate))
    assert (result.rated, result.findings, result.ra) == (True, (), None)


def test_players_are_in_order_of_identifiers():
    players = {"c": provisional("c", None), "a": 1700, "b": provisional("b", 1800)}
    assert [each.id for each in P.rate(postal(players, "c a 1, b c 1")).players] == ["a", "b", "c"]


def test_no_match_is_cut_short():
    played = event("match", {"a": 1700, "b": 1700}, "a b 1, a b 1, a b 1", scheduled_games=3)
    assert P.rate(played).players[0].games == 3


# --- c ----------------------------------------------------------------------------------------

FOUR = {"a": 1600, "b": 1600, "c": 1600, "d": 1600, "e": 1600}


def test_the_warning_where_q_is_1_or_more():
    """Three of four against equals: Σ 1, s² 4 × 0.25 = 1, q 1. Two and a half: Σ 0.5, q 0.5."""
    player = by_id(P.rate(postal(FOUR, "a b 1, a c 1, a d 1, a e 0")))["a"]
    assert lines(player.steps)[-5:-3] == [
        ("Fase 2", "c", "1", "q is 1 or more; taken as 1"),
        ("Fase 2", "warning", "c is not certain",
         "q is 1 or more, where the formula of c is lost: computed with c = 1"),
    ]  # fmt: skip
    assert (player.change, value_of(player.steps, "q")) == (20, "1")
    player = by_id(P.rate(postal(FOUR, "a b 1, a c 1, a d =, a e 0")))["a"]
    assert "warning" not in {step.label for step in player.steps}
    assert (player.change, value_of(player.steps, "q")) == (10, "0.5")


@pytest.mark.parametrize(
    ("mode", "c", "change", "text"),
    [
        ("one", "1", 40, "q is 1 or more; taken as 1"),
        ("amplify", "2", 80, "q, at most 2"),
        ("damp", "0.5", 20, "the inverse of q"),
        ("table", "2", 80, "by the table of q"),
    ],
)
def test_readings_of_c(mode, c, change, text):
    """Four of four: Σ 2, s 1, q 2."""
    player = by_id(replace(P, c=mode).rate(postal(FOUR, "a b 1, a c 1, a d 1, a e 1")))["a"]
    assert (value_of(player.steps, "c"), player.change, value_of(player.steps, "q")) == (c, change, "2")
    assert [step.text for step in player.steps if step.label == "c"] == [text]
    assert ("warning" in {step.label for step in player.steps}) is (mode == "one")
    assert player.k == change / 2


def test_no_spread_at_all():
    """D 736: We is 1, s is 0; a loss is beyond every q."""
    player = by_id(P.rate(postal({"a": 2336, "b": 1600}, "a b 0")))["a"]
    steps = {step.label: (step.value, step.text) for step in player.steps}
    assert (steps["q"], steps["s"]) == (("unbounded", "s is 0"), ("0", "the square root of 0"))
    assert (player.change, steps["c"]) == (-10, ("1", "q is 1 or more; taken as 1"))
    assert "warning" in steps
    won = by_id(P.rate(postal({"a": 2336, "b": 1600}, "a b 1")))["a"]
    assert (won.change, value_of(won.steps, "q"), value_of(won.steps, "c")) == (0, "0", "1")


def test_b_by_the_games_of_this_event_too():
    """49 games before and this one: 1.4 - 50/200 = 1.15; a 20: 20 × 1.15 × 0.5 = 11.5. Unknown: 30."""
    iccf = replace(P, b="iccf")
    players = {"a": EventPlayer("a", 1600, 49), "b": EventPlayer("b", 1600, 79), "c": EventPlayer("c", 1600)}
    found = by_id(iccf.rate(postal(players, "a b 1")))
    assert (found["a"].change, found["a"].k) == (Fraction("11.5"), 23)
    assert [step.text for step in found["a"].steps if step.label == "b"] == ["1.4 - 50/200"]
    assert found["b"].change == -10
    assert found["c"].k == 25
    assert found["b"].steps[-3].text == "20 × 1 × 1"


# --- properties -------------------------------------------------------------------------------

CATEGORIES = st.sampled_from(["", "MI"])


@settings(max_examples=40)
@given(event=events(), kinds=st.lists(CATEGORIES, min_size=8, max_size=8), shuffle=st.randoms())
def test_order_and_colours_never_matter_with_provisional_players(event, kinds, shuffle):
    players = [replace(each, otb_category=kind) for each, kind in zip(event.players, kinds, strict=False)]
    mirror = {"1-0": "0-1", "0-1": "1-0", "+/-": "-/+", "-/+": "+/-"}
    expected = P.rate(replace(event, players=tuple(players)))
    games = [
        game
        if game.black is None or not shuffle.getrandbits(1)
        else replace(game, white=game.black, black=game.white, result=mirror.get(game.result, game.result))
        for game in event.games
    ]
    shuffle.shuffle(players)
    shuffle.shuffle(games)
    found = P.rate(replace(event, players=tuple(players), games=tuple(games)))
    for one, other in zip(found.players, expected.players, strict=True):
        assert (one.id, one.games, one.score, one.change, one.performance) == (
            other.id, other.games, other.score, other.change, other.performance,
        )  # fmt: skip
        assert [fault for step in one.steps if (fault := recompute.fault(step))] == []


def test_a_day_does_not_matter_for_one_event():
    game = Game(1, "a", "b", "1-0", finished_on=date(2005, 1, 1))
    played = replace(postal({"a": 1600, "b": 1600}, "a b 1"), games=(game,))
    assert P.rate(played).players[0].games == 1
