"""feda-1996, articles 7.2 and 9.56: phases, foreigners, and what holds for every event."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.feda_1996 import formulas
from regulations.model import EventPlayer, Game
from tests.regulations import recompute
from tests.regulations.build import by_id, event, value_of
from tests.regulations.feda import RA, RESULTS, RULES, UNRATED, F, foreigner, in_phases, rated, told, why
from tests.regulations.strategies import events, round_robins

MIRROR = {"1-0": "0-1", "0-1": "1-0", "+/-": "-/+", "-/+": "+/-"}


# --- 7.2: phases ------------------------------------------------------------------------------


def test_phases_weigh_by_their_games():
    """7.2: u: (2000 × 3 + 2112.5 × 2)/5 = 2045; p: .5 × 3 of 2000, then D -200 → .24 × 2; change 15 × .52."""
    ratings = {"u": None, "p": 1900, "a": 2000, "b": 2000, "c": 2000, "d": 2100, "e": 2100}
    played = in_phases(
        event("swiss", ratings, "u a =, u b =, u c =, u d 1, u e =, p a =, p b =, p c =, p d =, p e ="), 5
    )
    games = tuple(replace(game, phase=2 if game.round in (4, 5, 9, 10) else 1) for game in played.games)
    result = RULES.rate(replace(played, games=games))
    found = by_id(result)
    assert (result.treated_as, result.findings) == ("swiss", ())
    u = found["u"]  # phase 2: 1.5 of 2 is one half point above
    assert (u.games, u.score, u.performance) == (5, 3, (2000 * 3 + F("2112.5") * 2) / 5)
    assert [(step.article, step.label, step.value) for step in u.steps] == [
        ("7.2", "phase", "1"), ("9.21.a", "Ra", "2000"), ("9.22", "Ru", "2000"),
        ("7.2", "phase", "2"), ("9.21.a", "Ra", "2100"), ("9.23", "Ru", "2112.5"), ("7.2", "Ru", "2045"),
    ]  # fmt: skip
    assert u.steps[0].text == "3 games"
    assert u.steps[-1].text == "(2000 × 3 + 2112.5 × 2)/5"
    p = found["p"]  # phase 1: D -100 → .36 × 3; phase 2: D -200 → .24 × 2
    assert (p.games, p.score, p.expected) == (5, F("2.5"), F("1.56"))
    assert (p.rc, p.change) == (2040, 15 * F("0.94"))
    (step,) = [step for step in p.steps if step.article == "7.2" and step.label == "We"]
    assert (step.value, step.text) == ("1.56", "1.08 + 0.48")
    assert [each.round for each in p.counted] == [6, 7, 8, 9, 10]
    pooled = by_id(replace(RULES, phases="pooled").rate(replace(played, games=games)))
    assert pooled["u"].performance == F("2052.5")  # 2040 + 12.5
    assert pooled["p"].expected == F("0.31") * 5  # D -140


def test_rules_that_look_at_the_whole_event():
    """7.1, 7.42: zero and the rated opponents of both phases together."""
    ratings = {"u": None, "z": None, **dict.fromkeys("abcd", 2000)}
    played = in_phases(event("swiss", ratings, "u a =, u b =, u c =, u d =, z a 0, z d 0"), 3)
    found = by_id(RULES.rate(played))
    assert (found["u"].games, found["u"].performance) == (4, 2000)
    assert {article for _, _, article, _ in why(found["z"])} == {"7.1"}
    drawn = replace(played, games=(*played.games, Game(7, "z", "u", "1/2-1/2", phase=2)))
    assert {article for _, _, article, _ in why(by_id(RULES.rate(drawn))["z"])} == {"7.42", "7.4"}


def test_a_phase_at_nought_has_no_performance():
    """9.1: 0 of 2 in the preliminaries; the final counts by itself, without a heading."""
    ratings = {"u": None, **dict.fromkeys("abcd", 2000)}
    found = by_id(RULES.rate(in_phases(event("swiss", ratings, "u a 0, u b 0, u c =, u d ="), 2)))["u"]
    assert (found.games, found.performance) == (2, 2000)
    assert [(n, article) for n, _, article, _ in why(found)] == [(1, "9.1"), (2, "9.1")]
    assert [step.article for step in found.steps] == ["9.21.a", "9.22"]


def test_a_round_robin_final_after_a_round_robin():
    """7.2, 7.43: the preliminaries lack a game and are rated as a Swiss tournament, the final is not."""
    ratings = {"A": 2000, "B": 2000, "C": 2000, "D": 2000}
    once = "A B 1, A C 1, A D 1, B C =, B D =, C D ="
    result = RULES.rate(in_phases(event("round-robin", ratings, f"A B 1, C D +, {once}"), 2))
    found = by_id(result)
    assert (result.rated, result.treated_as, result.ra) == (True, "round-robin", None)
    assert (
        result.findings[0].message == "Phase 1: not every pair played its game: rated as a Swiss tournament."
    )
    assert told(result) == [("warning", "treated-as-swiss", "7.43", "system")]
    assert (found["A"].games, found["A"].expected, found["A"].change) == (4, 2, 30)
    assert value_of(found["A"].steps, "We") == "2"
    both = RULES.rate(in_phases(event("round-robin", ratings, f"{once}, {once}"), 6))
    assert (both.treated_as, both.findings, by_id(both)["A"].expected) == ("round-robin", (), 3)
    pooled = replace(RULES, phases="pooled").rate(
        in_phases(event("round-robin", ratings, f"{once}, {once}"), 6)
    )
    assert pooled.treated_as == "swiss"
    with_unrated = RULES.rate(in_phases(event("round-robin", UNRATED, RESULTS), 15))
    assert with_unrated.ra == RA  # one phase only


def test_the_composition_of_each_phase():
    """7.31 in a final of three rated players of four."""
    ratings = {"A": 2000, "B": 2000, "C": 2000, "D": 2000, "U": None}
    prelims = "A B =, A C =, A D =, A U =, B C =, B D =, B U =, C D =, C U =, D U ="
    final = "A B =, A C =, A U =, B C =, B U =, C U ="
    result = RULES.rate(in_phases(event("round-robin", ratings, f"{prelims}, {final}"), 10))
    assert (result.rated, told(result)) == (False, [("error", "too-few-rated", "7.31", "players")])


# --- 9.56: foreigners; rated since the event --------------------------------------------------


@pytest.mark.parametrize(
    ("player", "foreign", "seen"),
    [
        (EventPlayer("x", 2400, fide_rating=2450, affiliated=True), False, 2400),
        (EventPlayer("x", None, fide_rating=2450, affiliated=True), False, None),
        (EventPlayer("x", 2400, fide_rating=2450, affiliated=False), True, 2450),
        (EventPlayer("x", None, affiliated=False), True, None),
        (EventPlayer("x", None, fide_rating=2450), True, 2450),
        (EventPlayer("x", 2400, fide_rating=2450), False, 2400),
        (EventPlayer("x", None), False, None),
        (EventPlayer("x", 2400, rated_since_event=True), False, None),
    ],
)
def test_which_rating_a_foreigner_plays_with(player, foreign, seen):
    """9.56"""
    assert (formulas.is_foreign(player), formulas.seen_by_opponents(player)) == (foreign, seen)


def test_foreigners_are_opponents_only():
    """9.56: no change and no performance of their own; composition and 7.42 count them."""
    ratings = {"u": None, "a": 2000, "b": 2000, "f": foreigner("f", 2200), "g": foreigner("g", 2100)}
    found = rated("swiss", ratings, "u a =, u b =, u f =, u g =, f a +, f b 1")
    assert (found["u"].games, found["u"].performance) == (4, 2075)
    assert found["b"].rc == 2200
    f = found["f"]
    assert (f.status, f.games, f.score, f.change, f.performance, f.pooled) == (
        "unrated",
        0,
        0,
        None,
        None,
        False,
    )
    assert why(f) == [
        (3, "u", "9.56", "foreigner of no club of the federation"), (5, "a", "6.1", "forfeit"),
        (6, "b", "9.56", "foreigner of no club of the federation"),
    ]  # fmt: skip
    local = {"a": 2000, "b": 2000, "f": foreigner("f", 2200), "g": foreigner("g", 2100)}
    played = event("round-robin", local, "a b =, a f =, a g =, b f =, b g =, f g =")
    assert RULES.rate(played).rated
    assert by_id(RULES.rate(played))["a"].rc == 2075
    assert RULES.rate(played).ra is None
    strict = replace(RULES, foreigners_are_rated=False)
    assert told(strict.rate(played)) == [("error", "too-few-rated", "7.31", "players")]


def test_rated_since_the_event():
    """9.5 is silent: as FIDE does it, a change for himself; an unrated opponent for the others."""
    late = EventPlayer("u", 2000, career_games=9, rated_since_event=True)
    ratings = {"u": late, "a": 2000, "b": 2000, "c": 2000, "d": 2000}
    text = "u a 1, u b =, u c =, u d =, a b ="
    played = event("swiss", ratings, text)
    found = by_id(RULES.rate(played))
    assert (found["u"].status, found["u"].change, found["u"].k) == ("rated", F("12.5"), 25)
    assert why(found["a"]) == [(1, "u", "7.4", "unrated opponent")]
    other = by_id(replace(RULES, rated_since_event=False).rate(played))
    assert (other["u"].status, other["u"].performance) == ("unrated", F("2012.5"))
    robin = RULES.rate(event("round-robin", ratings, f"{text}, a c =, a d =, b c =, b d =, c d ="))
    own = by_id(robin)["u"]
    assert (own.status, own.rc, own.expected) == ("rated", 2000, 2)
    assert robin.ra is not None  # for the others he was unrated
    zero = rated("swiss", ratings, "u a 0, u b 0, u c 0, u d 0")
    assert zero["u"].change == -50
    assert why(zero["a"]) == [(1, "u", "7.1", "unrated opponent with zero in the event")]


# --- what always holds ------------------------------------------------------------------------


@st.composite
def any_events(draw):
    """Events of every system, some with phases and foreigners."""
    played = draw(st.one_of(events(), round_robins()))
    if draw(st.booleans()):
        first = draw(st.integers(1, 5))
        played = replace(
            played, games=tuple(replace(game, phase=1 + (game.round > first)) for game in played.games)
        )
    players = tuple(
        replace(each, fide_rating=draw(st.integers(1800, 2600)), affiliated=draw(st.booleans()))
        if each.rating is None and draw(st.booleans())
        else each
        for each in played.players
    )
    flags = frozenset({"national-championship"} if draw(st.booleans()) else ())
    return replace(played, players=players, flags=flags)


@settings(max_examples=40)
@given(any_events(), st.randoms(use_true_random=False))
def test_order_and_colours_never_matter(played, shuffle):
    players, games = list(played.players), list(played.games)
    shuffle.shuffle(players)
    shuffle.shuffle(games)
    assert RULES.rate(replace(played, players=tuple(players), games=tuple(games))) == RULES.rate(played)
    turned = tuple(
        game if game.black is None
        else replace(game, white=game.black, black=game.white, result=MIRROR.get(game.result, game.result))
        for game in games
    )  # fmt: skip

    def figures(result):
        return [(each.id, each.games, each.score, each.rc, each.expected, each.change, each.performance,
                 each.pooled, [step.article for step in each.steps]) for each in result.players]  # fmt: skip

    assert figures(RULES.rate(replace(played, games=turned))) == figures(RULES.rate(played))


@settings(max_examples=60)
@given(any_events())
def test_each_game_counts_or_has_its_reason_and_steps_recompute(played):
    for player in RULES.rate(played).players:
        own = sorted(game.round for game in played.games if player.id in (game.white, game.black))
        lines = [game.round for game in player.counted] + [game.round for game in player.uncounted]
        assert sorted(lines) == own
        assert len(player.counted) == player.games
        assert sum((game.score for game in player.counted), F(0)) == player.score
        assert [fault for step in player.steps if (fault := recompute.fault(step))] == []
        if player.status == "rated" and player.games:
            assert player.change == player.k * (player.score - player.expected)
