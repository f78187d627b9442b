"""What the tests of feda-1996 share."""

from dataclasses import replace
from fractions import Fraction as F

from regulations.feda_1996 import Feda1996
from regulations.model import EventPlayer
from tests.regulations.build import by_id, event

RULES = Feda1996()
__all__ = ["RA", "RESULTS", "RULES", "UNRATED", "F", "foreigner", "in_phases", "rated", "told", "why"]

#: a round robin with two unrated players and its average: Rar 1925, dpa 37.25, n 5
UNRATED = {"P1": 2000, "P2": 1950, "P3": 1900, "P4": 1850, "U": None, "V": None}
RESULTS = (
    "P1 P2 =, P1 P3 1, P1 P4 1, P1 U =, P1 V 1, P2 P3 =, P2 P4 1, P2 U =, P2 V 1, P3 P4 =, "
    "P3 U =, P3 V 1, P4 U =, P4 V 0, U V ="
)
RA = 1925 - F("37.25") * 5 / 6


def rated(*arguments, **more):
    """Each player's result of an event."""
    return by_id(RULES.rate(event(*arguments, **more)))


def why(player):
    """The games that do not count."""
    return [(each.round, each.opponent, each.article, each.reason) for each in player.uncounted]


def told(result):
    """The findings without their words; only a long event can be authorized (5.11)."""
    assert all(each.waivable is (each.code == "too-long") for each in result.findings)
    return [(each.severity, each.code, each.article, each.subject) for each in result.findings]


def foreigner(name, fide, **more):
    """9.56"""
    return EventPlayer(name, None, fide_rating=fide, affiliated=False, **more)


def in_phases(played, first):
    """The games of the first so many rounds are the preliminaries."""
    games = tuple(replace(game, phase=1 if game.round <= first else 2) for game in played.games)
    return replace(played, games=games)
