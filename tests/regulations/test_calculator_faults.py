"""Every fault of the calculator's input, with its place and its message."""

import json
from datetime import date

import pytest

from regulations import fits, jsonio, jsonlist, reading
from regulations.reading import BadInput
from tests.regulations.test_calculator import CHECK, LIST, RATE


def errors_of(command, value):
    """Path and message of every error."""
    reader = {"check": jsonio.read_check, "rate": jsonio.read_rate, "list": jsonlist.read_list}[command]
    with pytest.raises(BadInput) as caught:
        reader(value)
    return {each.path: each.message for each in caught.value.problems}


def test_every_fault_of_an_event_at_once():
    bad = json.loads(json.dumps(RATE))
    bad["event"] = {"system": "cup", "start": "2004-05-03", "end": "2004-05-02", "kind": 1}
    bad["rate"] = "blitz"
    bad["players"][0] = {"id": "1", "rating": "2143", "age": 4}
    bad["players"][2] = {"id": "2", "rating": None, "rated_since_event": True}
    bad["games"] = [
        {"round": 1, "white": "1", "black": "2", "result": "2-0"},
        {"round": 1, "white": "2", "black": "4", "result": "1-0"},
        {"round": 2, "white": "4", "black": "4", "result": "1-0"},
        {"round": 3, "white": "4", "black": None, "result": "1-0"},
        {"round": 4, "white": "4", "black": "2", "result": "bye-1"},
        {"round": 5, "white": "4", "black": "77", "result": "1-0"},
        {"round": True, "white": 4, "result": "1-0"},
        "game",
    ]
    found = errors_of("rate", bad)
    assert set(found) == {
        "event.system",
        "event.kind",
        "event.end",
        "rate",
        "players[0].rating",
        "players[0].age",
        "players[2].id",
        "players[2].rating",
        "games[0].result",
        "games[1].white",
        "games[2].black",
        "games[3].result",
        "games[4].result",
        "games[5].black",
        "games[6].round",
        "games[6].white",
        "games[6].black",
        "games[7]",
    }
    assert found["games[6].black"] == "is missing"
    assert found["games[1].white"] == "'2' has round 1 already in games[0]"
    assert "unknown key" in found["event.kind"]


def test_every_fault_of_a_registration_at_once():
    bad = {
        "regulation": "fide-1900",
        "system": "swiss",
        "start": "2022-05-07",
        "end": "2022-05-06",
        "registered_on": "2022-02-30",
        "time_control": [{"moves": None, "minutes": "25"}, {"moves": 0, "minutes": "1e3"}],
        "time_control_black": [],
        "rounds": [{"round": 1, "date": "2022-5-7"}, {"round": 1, "date": "1022-05-07"}],
        "players": [{"id": "", "rating": 0}, {"id": "x", "rating": 2000.5}, {"id": "x", "rating": 2000}],
        "arbiters": [{"title": "IA"}],
        "flags": ["league", "tea"],
        "scope": "world",
    }
    found = errors_of("check", bad)
    assert set(found) == {
        "regulation",
        "end",
        "registered_on",
        "time_control[0].moves",
        "time_control[1].moves",
        "time_control[1].minutes",
        "time_control_black",
        "rounds[0].date",
        "rounds[1].date",
        "rounds[1].round",
        "players[0].id",
        "players[0].rating",
        "players[1].rating",
        "players[2].id",
        "arbiters[0].name",
        "flags[1]",
        "scope",
    }
    assert "fide-standard-2004" in found["regulation"]


def test_only_the_last_stage_is_for_the_rest_of_the_game():
    bad = {**CHECK, "time_control": [{"moves": None, "minutes": 5}, {"moves": None, "minutes": 5}]}
    assert set(errors_of("check", bad)) == {"time_control[0].moves"}
    several = {**CHECK, "time_control": [{"minutes": 5}, {"minutes": 5}, {"moves": "x", "minutes": 5}]}
    assert set(errors_of("check", several)) == {f"time_control[{n}].moves" for n in range(3)}


def test_a_key_that_is_there_twice_hides_no_other_error():
    text = json.dumps({**RATE, "rate": "tea", "players": RATE["players"][:3]})
    text = text.replace('"system": "swiss"', '"system": "team", "system": "swiss", "end": 5')
    text = text.replace('"result": "1-0"', '"result": "1-0", "round": 9, "result": "0-1"', 1)
    assert errors_of("rate", reading.load(text.encode())) == {
        "rate": "fide-standard-2004 rates standard",
        "event.system": "is there twice in one object: keep one",
        "event.end": "is there twice in one object: keep one",
        "games[2].round": "is there twice in one object: keep one",
        "games[2].result": "is there twice in one object: keep one",
        "games[1].white": "'4' is not among the players",
        "games[3].black": "'4' is not among the players",
    }
    named = json.dumps(LIST).replace('"9": 2105', '"9": 2105, "8": 2000, "9": "x"')
    with pytest.raises(BadInput) as caught:
        jsonlist.read_list(reading.load(named.encode()))
    assert [each.path for each in caught.value.problems] == ["reference_standard.9"] * 2


def test_every_fault_of_a_list_at_once():
    event = LIST["events"][0]
    bad = {
        **LIST,
        "previous": [*LIST["previous"], {"id": "1", "rating": 2000}],
        "samples": [
            {
                "player": "9",
                "list_date": "2004-10-01",
                "performance": "x",
                "games": 2,
                "score": "1",
                "opponents": [2000],
            }
        ],
        "events": [
            event,
            event,
            {**event, "id": "E3", "rate": "rapid"},
            {**event, "id": "E4", "games": None},
            5,
        ],
        "reference_standard": {"9": "2105"},
    }
    assert set(errors_of("list", bad)) == {
        "previous[3].id",
        "samples[0].list_date",
        "samples[0].performance",
        "samples[0].opponents",
        "events[1].id",
        "events[2].rate",
        "events[3].games",
        "events[4]",
        "reference_standard.9",
    }
    double = {**event, "event": {**event["event"], "id": "E9"}}
    assert set(errors_of("list", {**LIST, "events": [double]})) == {"events[0].event.id"}
    rapid = {**LIST, "regulation": "fide-rapid-blitz-2022", "events": [], "samples": LIST["samples"][:1]}
    assert set(errors_of("list", rapid)) == {"samples[0].opponents"}


def test_three_players_are_no_match():
    bad = {**RATE, "event": {"system": "match"}}
    assert set(errors_of("rate", bad)) == {"event.system"}


def test_numbers_that_are_none():
    for written in ("NaN", "Infinity", "-Infinity"):
        value = reading.load(json.dumps(RATE).replace("2143", written).encode())
        assert set(errors_of("rate", value)) == {"players[0].rating"}


def test_half_characters_are_refused():
    value = reading.load(json.dumps({**CHECK, "arbiters": [{"name": "\ud800"}], "\ud800": 1}).encode())
    assert set(errors_of("check", value)) == {"arbiters[0].name", "\\ud800"}


# --- each message -------------------------------------------------------------------------------


def event_with(**changes):
    return {**RATE, **changes}


def game(number, white, black, result="1-0"):
    return {"round": number, "white": white, "black": black, "result": result}


def test_identifiers_that_are_there_twice():
    players = [{"id": 4}, {"rating": 1}, *RATE["players"], {"id": "1", "rating": 1}, {"id": "1", "rating": 2}]
    found = errors_of("rate", event_with(players=players))
    assert found["players[6].id"] == "'1' is already in players[2]"
    assert found["players[7].id"] == "'1' is already in players[2]"
    errors = []
    fits.different([{"round": []}, "x", {"round": 3}, {"round": 3}], "round", "rounds", errors)
    assert [(each.path, each.message) for each in errors] == [
        ("rounds[3].round", "3 is already in rounds[2]")
    ]


def test_the_order_of_days():
    one_day = {**CHECK, "end": CHECK["start"]}
    assert jsonio.read_check(one_day)[1].end == date(2022, 5, 7)
    assert errors_of("check", {**CHECK, "end": "2022-05-06"}) == {"end": "is before the start"}
    nested = errors_of("rate", event_with(event={**RATE["event"], "end": "2004-04-30"}))
    assert nested == {"event.end": "is before the start"}
    half_a_date = errors_of("check", {**CHECK, "end": "2022"})
    assert half_a_date == {"end": "must be a date YYYY-MM-DD"}


def test_a_kind_of_chess_that_the_text_does_not_rate():
    assert errors_of("rate", event_with(rate="blitz")) == {"rate": "fide-standard-2004 rates standard"}
    rapid = event_with(regulation="fide-rapid-blitz-2022", rate="standard")
    assert errors_of("rate", rapid) == {"rate": "fide-rapid-blitz-2022 rates rapid and blitz"}
    assert errors_of("rate", event_with(regulation=5, rate="blitz")) == {"regulation": "must be a string"}
    other = {**LIST["events"][0], "rate": "blitz", "regulation": "fide-rapid-blitz-2022"}
    assert jsonlist.read_list({**LIST, "events": [other]})
    told = errors_of("list", {**LIST, "events": [{**other, "rate": "standard"}]})
    assert told == {"events[0].rate": "fide-rapid-blitz-2022 rates rapid and blitz"}


def test_the_present_rating_of_whoever_was_rated_since():
    message = "must be the present rating of a player who was rated since the event"
    players = [*RATE["players"][:3], {"id": "4", "rating": None, "rated_since_event": True}]
    assert errors_of("rate", event_with(players=players)) == {"players[3].rating": message}
    players[3] = {"id": "4", "rated_since_event": True}
    assert errors_of("rate", event_with(players=players)) == {"players[3].rating": "is missing"}


def test_players_of_a_match():
    players = RATE["players"]
    match = event_with(event={"system": "match"}, games=[game(1, "1", "2"), game(2, "2", "1")])
    assert jsonio.read_rate(match)
    three = {**match, "games": [*match["games"], game(3, "1", "4")]}
    assert errors_of("rate", three) == {"event.system": "a match has two players, not 3"}
    four = {**match, "games": [game(1, "1", "2"), game(2, "3", "4")]}
    assert errors_of("rate", four) == {"event.system": "a match has two players, not 4"}
    unread = {**match, "games": [*match["games"], game("x", "1", "4")]}
    assert errors_of("rate", unread) == {
        "event.system": "a match has two players, not 3",
        "games[2].round": "must be an integer",
    }
    with_bye = {**match, "players": players[:3], "games": [*match["games"], game(3, "3", None, "bye-1")]}
    assert jsonio.read_rate(with_bye)


def test_who_can_meet_whom():
    games = [
        game(1, "1", None),
        game(2, "1", "2", "bye-1"),
        game(3, "4", "4"),
        game(4, "8", "9"),
        game(5, 8, "9"),
        game("6", "1", "2"),
        game(7, "1", "2"),
        game(7, "3", "1"),
        game(7, "3", "8"),
    ]
    assert errors_of("rate", event_with(games=games)) == {
        "games[0].result": "without an opponent only a bye is possible",
        "games[1].result": "a bye has no opponent",
        "games[2].black": "nobody can play against himself",
        "games[3].white": "'8' is not among the players",
        "games[3].black": "'9' is not among the players",
        "games[4].white": "must be a string",
        "games[4].black": "'9' is not among the players",
        "games[5].round": "must be an integer",
        "games[7].black": "'1' has round 7 already in games[6]",
        "games[8].white": "'3' has round 7 already in games[7]",
        "games[8].black": "'8' is not among the players",
    }


def test_time_controls():
    twenty = [*[{"moves": 1, "minutes": 1}] * 19, {"minutes": 1}]
    assert len(jsonio.read_check({**CHECK, "time_control": twenty})[1].time_control) == 20
    assert errors_of("check", {**CHECK, "time_control": [twenty[0], *twenty]}) == {
        "time_control": "must have from 1 to 20 entries"
    }
    twice = {**CHECK, "time_control": [{"minutes": 1}, {"minutes": 1}]}
    assert errors_of("check", twice) == {
        "time_control[0].moves": "only the last stage is for the rest of the game"
    }


def test_pooled_results_that_do_not_fit():
    sample = LIST["samples"][1]
    assert jsonlist.read_list({**LIST, "samples": [{**sample, "list_date": "2004-07-01"}]})
    bad = {**sample, "list_date": "2004-07-02", "games": 4}
    assert errors_of("list", {**LIST, "samples": [bad]}) == {
        "samples[0].list_date": "is after the list",
        "samples[0].opponents": "must have 4 ratings, one for each game",
    }
    rapid = {**LIST, "regulation": "fide-rapid-blitz-2022", "events": []}
    assert errors_of("list", rapid) == {
        "samples[0].opponents": "are needed: this text averages all opponents"
    }
    assert jsonlist.read_list({**rapid, "samples": [sample]})
    for strange in ({"list_date": 5}, {"list_date": "2004"}):
        assert "samples[0].list_date" in errors_of("list", {**LIST, "samples": [{**sample, **strange}]})
    assert errors_of("list", {**LIST, "list_date": None}) == {"list_date": "must be a date YYYY-MM-DD"}
    unknown = errors_of("list", {**LIST, "regulation": "x", "samples": LIST["samples"][:1]})
    assert set(unknown) == {"regulation"}


def test_events_that_are_not_over_by_the_list():
    message = (
        "is after the list of 2004-07-01: the event belongs to a later list "
        "(of an event that goes on, the last day played is the end)"
    )
    first = LIST["events"][0]

    def with_days(**days):
        return {**LIST, "events": [{**first, "event": {**first["event"], **days}}]}

    assert jsonlist.read_list(with_days(end="2004-07-01"))
    assert errors_of("list", with_days(end="2004-07-02")) == {"events[0].event.end": message}
    later = with_days(start="2004-07-02", end="2004-07-03")
    assert errors_of("list", later) == {"events[0].event.end": message}
    assert errors_of("list", with_days(start="2004-07-02", end=None)) == {"events[0].event.start": message}
    flat = {**LIST["events"][0], **RATE["event"], "end": "2004-08-01"}
    del flat["event"]
    assert errors_of("list", {**LIST, "events": [flat]}) == {"events[0].end": message}
    assert errors_of("list", with_days(end=5)) == {"events[0].event.end": "must be a date YYYY-MM-DD"}
    goes_on = {**with_days(end="2030-01-01"), "regulation": "fecap-postal", "samples": []}
    assert jsonlist.read_list(goes_on)


def test_lists_that_are_no_lists():
    wrong = {**LIST, "events": 5, "samples": 5, "regulation": ["x"]}
    assert errors_of("list", wrong) == {
        "regulation": "must be a string",
        "samples": "must be a list",
        "events": "must be a list",
    }
    assert errors_of("list", {**LIST, "events": [{**LIST["events"][0], "regulation": []}]}) == {
        "events[0].regulation": "must be a string"
    }


def test_what_is_no_object_has_no_path():
    for command in ("check", "rate", "list"):
        assert errors_of(command, []) == {"": "must be an object"}
    with pytest.raises(BadInput) as caught:
        jsonio.read_compare([], [])
    assert [(each.path, each.message) for each in caught.value.problems] == [("", "must be an object")]


def test_events_of_a_list_that_say_a_thing_twice():
    first = LIST["events"][0]
    double = {**first, "event": {**first["event"], "id": "E9", "name": "x"}}
    both = {
        f"events[0].event.{name}": f"is given beside the event as well: events[0].{name}"
        for name in ("id", "name")
    }
    assert errors_of("list", {**LIST, "events": [double]}) == both
    faulty = {**double, "games": [{**first["games"][0], "result": "2-0"}], "rate": "x"}
    assert set(errors_of("list", {**LIST, "events": [faulty]})) == {
        *both, "events[0].games[0].result", "events[0].rate"
    }  # fmt: skip
    inner = {"event": {**first["event"], "id": "E9"}, "players": first["players"], "games": first["games"]}
    assert errors_of("list", {**LIST, "events": [{**first, "id": "E9"}, inner]}) == {
        "events[1].id": "'E9' is already in events[0]"
    }
    assert errors_of("list", {**LIST, "events": [{**first, "system": "swiss"}]}) == {
        "events[0].system": "unknown key; known are event, players, games, regulation, rate, totals, id, name"
    }
    faulty = {**first, "games": [game(1, "1", "1")]}
    assert errors_of("list", {**LIST, "events": [faulty]}) == {
        "events[0].games[0].black": "nobody can play against himself"
    }
