"""What a list depends on, written as a request and read again: nothing is lost or filled in."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from regulations import cli, lists, registry
from regulations.jsonlist import read_list
from regulations.jsonrequest import list_request
from regulations.model import (
    Event,
    EventPlayer,
    EventTotals,
    Game,
    ListInput,
    ListPlayer,
    RatedEvent,
    Sample,
    Totals,
)

RAPID = "fide-rapid-blitz-2022"
DAY = date(2022, 3, 5)
GAMES = (Game(1, "1", "2", "1-0"), Game(2, "2", "1", "1/2-1/2"), Game(3, "1", None, "bye-1"))


def listed(code: str, event: Event, **fields) -> ListInput:
    rated = RatedEvent(event, registry.get(code).rate(event))
    return ListInput(date(2022, 4, 1), events=(rated,), **fields)


def again(code: str, given: ListInput) -> ListInput:
    codes = {rated.event.id: code for rated in given.events}
    text = b"".join(list_request(code, given, codes))
    assert json.dumps(
        json.loads(text), ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).encode() == text, "canonical"  # fmt: skip
    regulation, found = read_list(json.loads(text))
    assert regulation.code == code
    return found


def test_all_that_can_be_said_comes_back():
    players = (
        EventPlayer("1", 1800, 40, True, 1990, 12, None, False, 1700, True, True, 1820, False, "x", None),
        EventPlayer("2", None, None, None, None, None, 1650, True, None, False, False, None),
    )
    event = Event(
        "swiss", players, (Game(1, "1", "2", "1-0", phase=2, finished_on=DAY), *GAMES[1:]), DAY, DAY, "rapid",
        frozenset({"norms", "league"}), frozenset({"late-registration"}), 10, "e.1", "", "national", 30,
        Fraction(70, 3),
    )  # fmt: skip
    totals = Totals(Fraction(7, 2), 5, 4, Fraction(12703, 6))
    previous = (
        ListPlayer("1", 1800, 40, True, "FM", "XAA", 1990, "m", (3, 0), 2, 1820, True, "x", totals),
        ListPlayer("2", None),
    )
    samples = (
        Sample(
            "2", date(2022, 2, 1), Fraction(12703, 6), 2, Fraction(1, 2), (1900, Fraction(3801, 2)), "9.1"
        ),
    )
    given = listed(RAPID, event, previous=previous, samples=samples, reference_standard={"2": 1650})
    assert again(RAPID, given) == given


def test_totals_in_place_of_games():
    players = (EventPlayer("1", 2000, 40), EventPlayer("2", 1900, 40))
    totals = (EventTotals("1", Fraction(5, 2), 4, 1950), EventTotals("2", Fraction(3), 4, 1980))
    event = Event("swiss", players, (), DAY, DAY, "standard", id="e.1", totals=totals)
    given = listed("feda-1996", event, previous=(ListPlayer("1", 2000), ListPlayer("2", 1900)))
    assert again("feda-1996", given) == given
    value = json.loads(b"".join(list_request("feda-1996", given, {"e.1": "feda-1996"})))
    value["events"][0]["totals"][0]["player"] = "7"
    value["events"][0]["totals"].append(value["events"][0]["totals"][1])
    with pytest.raises(ValueError, match="'7' is not among the players") as caught:
        read_list(value)
    assert "is already in events[0].totals[1]" in str(caught.value)


def test_nothing_is_filled_in_when_the_events_stand_as_given():
    """Without ``as_given`` the previous list fills in what an event leaves out."""
    event = Event("swiss", (EventPlayer("1", 1800), EventPlayer("2", None)), GAMES[:2], DAY, DAY, id="e.1")
    previous = (ListPlayer("1", 1800, 77, True, birth_year=1990, highest_rating=2300), ListPlayer("2", None))
    given = listed(RAPID, event, previous=previous, reference_standard={"2": 1650})
    assert again(RAPID, given) == given
    value = json.loads(b"".join(list_request(RAPID, given, {"e.1": RAPID})))
    del value["as_given"]
    filled = read_list(value)[1].events[0].event.players
    assert (filled[0].career_games, filled[0].highest_rating, filled[1].standard_rating) == (77, 2300, 1650)


@drawn(st.fractions(1000, 2500, max_denominator=5000), st.integers(1, 30))
def test_a_performance_comes_back_exactly(performance, games):
    """Whatever fraction it is: of the decimals of four places, those that so many games can have."""
    if 10**4 % performance.denominator == 0:
        performance = Fraction(round(performance * 2 * games), 2 * games)
    sample = Sample("2", date(2022, 2, 1), performance, games, Fraction(0))
    given = ListInput(date(2022, 4, 1), (), samples=(sample,))
    assert again("fide-standard-2004", given).samples == (sample,)


def test_the_order_of_what_is_given_makes_no_difference():
    players = (EventPlayer("1", 1800, 40), EventPlayer("2", 1700, 40))
    event = Event("swiss", players, GAMES, DAY, DAY, id="e.1")
    previous = (ListPlayer("1", 1800), ListPlayer("2", 1700), ListPlayer("10", 1600))
    one = listed(RAPID, event, previous=previous)
    turned = replace(event, players=players[::-1], games=GAMES[::-1])
    other = listed(RAPID, turned, previous=previous[::-1])
    assert b"".join(list_request(RAPID, one, {"e.1": RAPID})) == b"".join(
        list_request(RAPID, other, {"e.1": RAPID})
    )


@pytest.mark.parametrize("regulation", registry.all_regulations(), ids=lambda each: each.code)
def test_who_played_nothing_depends_on_nobody_else(regulation):
    """What lets a list be recomputed by slices: their rows and pools come out the same without the others."""
    postal = regulation.rates == ("postal",)
    players = tuple(EventPlayer(str(n), None if n == 3 else 1800 + 50 * n, 40) for n in range(1, 5))
    games = tuple(
        Game(number, white, black, result, finished_on=DAY if postal else None)
        for number, white, black, result in ((1, "1", "2", "1-0"), (1, "3", "4", "0-1"), (2, "3", "1", "1-0"))
    )
    event = Event("swiss", players, games, DAY, DAY, regulation.rates[0], id="e.1", games_in_event=3)
    playing = tuple(ListPlayer(each.id, each.rating, 40, games_by_period=(4, 4)) for each in players)
    idle = tuple(
        ListPlayer(f"{n}", None if n % 4 == 0 else 1500 + 30 * n, n, title="FM" if n % 5 == 0 else "",
                   games_by_period=(0,) * (n % 13), inactive_lists=n % 6, birth_year=1990,
                   provisional=postal and n % 3 == 0)
        for n in range(10, 40)
    )  # fmt: skip
    samples = tuple(
        Sample(f"{n}", date(2022, 1, 1), Fraction(1900), 3, Fraction(2), (1800, 1850, 1900)) for n in (12, 20)
    )
    day = regulation.next_list_date(DAY)
    rated = (RatedEvent(event, regulation.rate(event)),)
    whole = regulation.next_list(ListInput(day, (*playing, *idle), samples, rated))
    some = regulation.next_list(ListInput(day, playing, (), rated))
    rest = regulation.next_list(ListInput(day, idle, samples))
    ids = {each.id for each in playing}
    assert tuple(row for row in whole.players if row.id in ids) == some.players
    assert tuple(row for row in whole.players if row.id not in ids) == rest.players
    assert {each.player for each in rest.samples} <= {"12", "20"}
    assert set(whole.samples) == {*some.samples, *rest.samples}


def test_many_rows_are_the_same_in_pieces():
    """The canonical list is written some hundreds of rows at a time."""
    previous = tuple(ListPlayer(str(n), 1500 + n % 700, 30) for n in range(1, 1300))
    given = ListInput(date(2022, 4, 1), previous)
    regulation = registry.get(RAPID)
    result = regulation.next_list(given)
    pieces = list(lists.canonical_pieces(regulation, given, result))
    whole = {
        "regulation": RAPID,
        "list_date": "2022-04-01",
        "players": [lists.row_shown(row) for row in result.players],
        "samples": [],
    }
    text = json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    assert b"".join(pieces) == lists.canonical(regulation, given, result) == text
    assert lists.digest(regulation, given, result) == hashlib.sha256(text).hexdigest()
    assert len(pieces) > 4


def test_the_command_line_prints_the_canonical_list(tmp_path, capfdbinary):
    request = {"regulation": RAPID, "list_date": "2022-04-01", "previous": [{"id": "ñ", "rating": 1800}]}
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request))
    assert cli.main(["list", str(file), "--canonical"]) == 0
    printed = capfdbinary.readouterr().out
    assert hashlib.sha256(printed).hexdigest() == cli.answer("list", request)["sha256"]
    assert cli.main(["rate", str(file), "--canonical"]) == 2
    assert b"only a list has a canonical form" in capfdbinary.readouterr().out
