"""What the calculator makes of an input without fault, field by field."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

from regulations import jsonio, jsonlist
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_standard_2004 import FideStandard2004
from regulations.model import Entrant, Event, EventPlayer, ListPlayer, Sample, Stage, Totals
from tests.regulations.test_calculator import CHECK, LIST, RATE


def event_with(**changes):
    return {**RATE, **changes}


def game(number, white, black, result="1-0"):
    return {"round": number, "white": white, "black": black, "result": result}


def test_a_registration_is_read_whole():
    rules, read = jsonio.read_check({**CHECK, "rate": "rapid", "time_control_black": [{"minutes": "12.5"}]})
    assert rules == FideRapidBlitz2022()
    assert (read.system, read.start, read.end, read.rate) == (
        "swiss", date(2022, 5, 7), date(2022, 5, 8), "rapid",
    )  # fmt: skip
    assert (read.time_control, read.time_control_black) == (
        (Stage(None, Fraction(25), 10),),
        (Stage(None, Fraction("12.5"), 0),),
    )
    assert read.registered_on == date(2022, 5, 1)
    assert read.players == (Entrant("a", 2350, "", True),)
    assert [(each.name, each.licensed, each.title) for each in read.arbiters] == [("Prueba", True, "IA")]
    assert (read.scope, read.flags, read.authorizations) == ("national", {"women"}, frozenset())
    bare = {key: CHECK[key] for key in ("regulation", "system", "start", "end", "time_control")}
    assert jsonio.read_check({**bare, "players": [{"id": "x", "rating": None}]})[1].players == (
        Entrant("x", None),
    )


POSTAL_PLAYER = {
    "id": "1", "rating": None, "provisional": True, "otb_category": "I", "total_points": "2.5",
    "total_games": 4, "rated_games": 3, "rated_average": "2000/3",
}  # fmt: skip
TOTALS = Totals(Fraction(5, 2), 4, 3, Fraction(2000, 3))


def test_a_player_of_an_event_is_read_whole():
    whole = {
        "id": "1", "rating": 2143, "career_games": 3, "reached_k10": True, "birth_year": 1990,
        "games_in_period": 4, "standard_rating": 2150, "first_event": False, "fide_rating": 2101,
        "rated_since_event": True, "affiliated": False,
    }  # fmt: skip
    _, read = jsonio.read_rate(event_with(players=[whole, *RATE["players"][1:]]))
    assert read.players[0] == EventPlayer("1", 2143, 3, True, 1990, 4, 2150, False, 2101, True, False)
    assert read.players[1] == EventPlayer("2", 2010)


def test_the_totals_of_a_provisional_player():
    _, read = jsonio.read_rate(event_with(players=[POSTAL_PLAYER, *RATE["players"][1:]]))
    assert read.players[0] == EventPlayer("1", None, provisional=True, otb_category="I", totals=TOTALS)
    some = {"id": "1", "rating": None, "total_games": 4, "rated_games": None}
    _, read = jsonio.read_rate(event_with(players=[some, *RATE["players"][1:]]))
    assert read.players[0].totals == Totals(games=4)
    none = {"id": "1", "rating": None, "total_games": None}
    _, read = jsonio.read_rate(event_with(players=[none, *RATE["players"][1:]]))
    assert read.players[0].totals is None
    _, given = jsonlist.read_list({**LIST, "previous": [POSTAL_PLAYER], "events": []})
    assert given.previous == (ListPlayer("1", None, provisional=True, otb_category="I", totals=TOTALS),)


def test_an_event_is_read_whole():
    fields = {
        "system": "match", "start": "2004-05-01", "end": "2004-05-02", "scheduled_games": 4,
        "minutes_for_60_moves": "92.5", "games_in_event": 6, "finished_on": "2004-06-01",
        "scope": "autonomic", "flags": ["league"], "authorizations": ["longer-duration"],
    }  # fmt: skip
    games = [{**game(1, "1", "2"), "phase": 2}, {**game(2, "2", "1"), "finished_on": "2004-05-09"}]
    rules, read = jsonio.read_rate({**RATE, "event": fields, "games": games})
    assert rules == FideStandard2004()
    assert replace(read, players=(), games=()) == Event(
        "match", (), (), date(2004, 5, 1), date(2004, 5, 2), "standard", frozenset({"league"}),
        frozenset({"longer-duration"}), 4, games_in_event=6, minutes_for_60_moves=Fraction("92.5"),
        scope="autonomic",
    )  # fmt: skip
    assert [(each.phase, each.finished_on) for each in read.games] == [
        (2, date(2004, 6, 1)),
        (1, date(2004, 5, 9)),
    ]


def test_a_sample_that_is_shown_with_four_places_is_taken_up_exactly():
    """Of 3 games: twenty-fourths; 6149/3 is shown as 2049.6667. 0.00005 away it stays what it is."""

    def performance(shown, games=3):
        sample = {**LIST["samples"][0], "games": games, "score": "1.5", "performance": shown}
        _, given = jsonlist.read_list({**LIST, "samples": [sample]})
        return given.samples[0].performance

    assert performance("2049.6667") == Fraction(6149, 3)
    assert performance("2049.0417") == Fraction(2049 * 24 + 1, 24)
    assert performance("2049.0333", games=5) == Fraction(2049 * 60 + 2, 60)
    assert performance("2049.6668") == Fraction(20496668, 10000)
    assert performance("2049.5") == Fraction(4099, 2)


def test_a_list_needs_no_events_and_no_reference():
    bare = {key: LIST[key] for key in ("regulation", "list_date", "previous")}
    _, given = jsonlist.read_list(bare)
    assert (given.events, given.samples, given.reference_standard) == ((), (), {})
    _, given = jsonlist.read_list(LIST)
    assert given.samples[1] == Sample(
        "8", date(2004, 4, 1), Fraction(6149, 3), 3, Fraction("1.5"), (2050, 2099, Fraction("2000.5"))
    )
    assert given.events[0].event.id == "E1"
    assert given.events[0].event.name == "Open"


def test_each_event_of_a_list_is_rated_by_its_own_text():
    event = {**LIST["events"][0], "regulation": "fide-rapid-blitz-2022"}
    _, given = jsonlist.read_list({**LIST, "events": [event]})
    assert given.events[0].result.players[0].k == 20


def test_a_flat_event_of_a_list_has_its_own_text_and_kind_too():
    flat = {"id": "E1", **RATE["event"], "players": RATE["players"], "games": RATE["games"]}
    flat |= {"regulation": "fide-rapid-blitz-2022", "rate": "blitz"}
    _, given = jsonlist.read_list({**LIST, "events": [flat]})
    assert (given.events[0].event.rate, given.events[0].result.players[0].k) == ("blitz", 20)


def test_an_event_to_compare_has_its_kind():
    compared = {key: RATE[key] for key in ("event", "players", "games", "rate")}
    rules, event = jsonio.read_compare(compared, ["fide-standard-2004", "fide-rapid-blitz-2022"])
    assert rules == [FideStandard2004(), FideRapidBlitz2022()]
    assert (event.rate, event.system, event.start) == ("standard", "swiss", date(2004, 5, 1))


def test_the_reference_list_is_for_those_without_another_rating():
    """C 7.21"""
    players = [
        {"id": "1", "rating": 2143},
        {"id": "2", "rating": None, "standard_rating": 1999},
        {"id": "3", "rating": None},
        {"id": "4", "rating": None},
    ]
    event = {**LIST["events"][0], "players": players}
    reference = {"1": 1, "2": 2, "3": 2003}
    _, given = jsonlist.read_list({**LIST, "events": [event], "reference_standard": reference})
    found = given.events[0].event
    assert [each.standard_rating for each in found.players] == [None, 1999, 2003, None]
    assert (found.id, found.start) == ("E1", date(2004, 5, 1))


def test_what_the_event_says_of_a_player_goes_before_the_previous_list():
    """A 10.54"""
    players = [
        {"id": "1", "rating": 2143, "career_games": 3, "reached_k10": False},
        *RATE["players"][1:],
    ]
    players[0] |= {"highest_rating": 2200, "birth_year": 1991}
    known = {
        "rating": 2000,
        "career_games": 40,
        "reached_k10": True,
        "highest_rating": 2300,
        "birth_year": 1992,
    }
    previous = [{"id": each, **known} for each in "12"]
    event = {**LIST["events"][0], "players": players}
    _, given = jsonlist.read_list({**LIST, "events": [event], "previous": previous})
    told = [
        (each.career_games, each.reached_k10, each.highest_rating, each.birth_year)
        for each in given.events[0].event.players
    ]
    assert told == [(3, False, 2200, 1991), (40, True, 2300, 1992), (None,) * 4, (None,) * 4]
    assert [each.highest_rating for each in given.previous] == [2300, 2300]
