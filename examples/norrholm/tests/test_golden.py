"""Derived by hand from the text; run with the folder of the portal on the path.

A round robin of Ada 1850, Bo 1700, Cy 1420, Dan 1003 and Eva, who has no rating. The difference is that of
2.1, E the expected score of 2.2. Games with Eva change nothing for the others (2.4);
Ada - Dan was a forfeit (1.3).

    Ada   Bo    150           E .70   1 - .70 =  .30
          Cy    430, so  400  E .91   0 - .91 = -.91
          20 × -.61 = -12.2, rounded -12                1850 - 12 = 1838
    Bo    Ada  -150           E .30   0 - .30 = -.30
          Cy    280           E .85  .5 - .85 = -.35
          Dan   697, so  400  E .91   1 - .91 =  .09
          20 × -.56 = -11.2, rounded -11                1700 - 11 = 1689
    Cy    Dan   417, so  400  E .91   1 - .91 =  .09
          Bo   -280           E .15  .5 - .15 =  .35
          Ada  -430, so -400  E .09   1 - .09 =  .91
          20 × 1.35 = 27                                1420 + 27 = 1447
    Dan   Cy   -417, so -400  E .09   0 - .09 = -.09
          Bo   -697, so -400  E .09   0 - .09 = -.09
          20 × -.18 = -3.6, rounded -4                  1003 - 4 = 999, below 1000 (4.5)
    Eva   ½ against Ada, 1 against Dan, 0 against Cy and Bo: 1½ of 4
          (1850 + 1003 + 1420 + 1700)/4 = 1493.25; 400 × (3 - 4)/4 = -100
          1393.25, to the nearest whole number          1393 (3.1)
"""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from norrholm import Norrholm2024

from regulations.model import Event, EventPlayer, Game, ListInput, ListPlayer, RatedEvent, Registration, Stage

TEXT = Norrholm2024()
RATINGS = {"Ada": 1850, "Bo": 1700, "Cy": 1420, "Dan": 1003, "Eva": None}
GAMES = (
    Game(1, "Ada", "Bo", "1-0"), Game(1, "Cy", "Dan", "1-0"),
    Game(2, "Eva", "Ada", "1/2-1/2"), Game(2, "Bo", "Cy", "1/2-1/2"),
    Game(3, "Dan", "Eva", "0-1"), Game(3, "Ada", "Cy", "0-1"),
    Game(4, "Bo", "Dan", "1-0"), Game(4, "Cy", "Eva", "1-0"),
    Game(5, "Ada", "Dan", "+/-"), Game(5, "Eva", "Bo", "0-1"),
)  # fmt: skip
EVENT = Event(
    "round-robin",
    tuple(EventPlayer(name, rating) for name, rating in RATINGS.items()),
    GAMES,
    start=date(2024, 3, 6),
    end=date(2024, 3, 14),
    id="E1",
)
PREVIOUS = tuple(ListPlayer(name, rating, games_by_period=(5,)) for name, rating in RATINGS.items() if rating)


def listed(*previous, played=EVENT):
    given = ListInput(date(2024, 7, 1), previous, events=(RatedEvent(played, TEXT.rate(played)),))
    return {row.id: row for row in TEXT.next_list(given).players}


def test_changes():
    changes = {each.id: each.change for each in TEXT.rate(EVENT).players}
    assert changes == {
        "Ada": Fraction("-12.2"), "Bo": Fraction("-11.2"), "Cy": 27, "Dan": Fraction("-3.6"), "Eva": None
    }  # fmt: skip


def test_the_list():
    rows = {name: (row.rating, row.status) for name, row in listed(*PREVIOUS).items()}
    assert rows == {
        "Ada": (1838, "active"), "Bo": (1689, "active"), "Cy": (1447, "active"), "Dan": (None, "unrated"),
        "Eva": (1393, "active"),
    }  # fmt: skip


def test_games_that_do_not_count_have_their_article():
    told = {each.id: each.uncounted for each in TEXT.rate(EVENT).players}
    assert [(game.round, game.article) for game in told["Ada"]] == [(2, "2.4"), (5, "1.3")]


def test_games_of_another_standing_are_named():
    """3.3: Eva was rated by another event meanwhile; Ada has lost her rating."""
    rows = listed(ListPlayer("Eva", 1500, games_by_period=(4,)), ListPlayer("Ada", None))
    assert (rows["Eva"].rating, rows["Eva"].games) == (1500, 0)
    assert (rows["Ada"].rating, rows["Ada"].games) == (None, 0)
    assert [step.article for step in rows["Ada"].steps] == ["3.3"]


def test_a_rating_since_the_event_changes_nothing():
    """3.3: the portal gives a player who was unrated then his rating of now, and says so."""
    players = (*EVENT.players[:4], EventPlayer("Eva", 1500, rated_since_event=True))
    by_name = {each.id: each for each in TEXT.rate(replace(EVENT, players=players)).players}
    assert (by_name["Eva"].games, by_name["Eva"].change) == (0, 0)
    assert {game.article for game in by_name["Eva"].uncounted} == {"3.3"}
    assert by_name["Ada"].change == Fraction("-12.2")


def test_two_periods_without_a_game_make_inactive():
    row = listed(ListPlayer("Finn", 1600, games_by_period=(0,)))["Finn"]
    assert (row.status, row.flags, row.rating) == ("inactive", ("i",), 1600)


@pytest.mark.parametrize(
    ("difference", "expected"),
    [(0, "0.5"), (24, "0.5"), (25, "0.57"), (374, "0.89"), (375, "0.91"), (-25, "0.43")],
)
def test_the_table(difference, expected):
    players = (EventPlayer("a", 1500 + difference), EventPlayer("b", 1500))
    (game,) = TEXT.rate(Event("swiss", players, (Game(1, "a", "b", "1-0"),))).players[0].counted
    assert game.expected == Fraction(expected)


@pytest.mark.parametrize(
    ("minutes", "registered", "codes"),
    [
        (60, date(2024, 3, 5), []),
        (59, date(2024, 3, 5), ["time-control-too-fast"]),
        (90, date(2024, 3, 6), ["late-registration"]),
    ],
)
def test_registrations(minutes, registered, codes):
    stages = (Stage(None, Fraction(minutes)),)
    found = TEXT.check(Registration("swiss", EVENT.start, EVENT.end, stages, registered_on=registered))
    assert [finding.code for finding in found.findings] == codes
    assert found.ratable == (not codes)


@pytest.mark.parametrize(
    ("received", "list_date", "codes"),
    [
        (date(2024, 3, 24), date(2024, 7, 1), []),
        (date(2024, 3, 25), date(2024, 7, 1), ["report-late"]),
        (date(2024, 12, 1), date(2025, 1, 1), ["report-late"]),
        (date(2025, 1, 2), date(2025, 7, 1), ["report-too-late"]),
    ],
)
def test_reports(received, list_date, codes):
    found = TEXT.report_findings(end=EVENT.end, received=received, list_date=list_date)
    assert [finding.code for finding in found] == codes


def test_the_calendar():
    assert TEXT.next_list_date(date(2024, 1, 1)) == date(2024, 7, 1)
    assert TEXT.closing_date(date(2024, 7, 1)) == date(2024, 6, 24)
    assert TEXT.last_receipt(date(2024, 7, 1)) == date(2024, 6, 30)
    assert TEXT.last_list_for(date(2024, 3, 14)) == date(2025, 1, 1)
