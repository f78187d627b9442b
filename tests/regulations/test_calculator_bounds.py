"""The bounds of each number of the calculator's input: both ends are taken, one more or less is refused."""

import copy

import pytest

from regulations import jsonio, jsonlist
from regulations.reading import BadInput
from tests.regulations.test_calculator import CHECK, LIST, RATE

CHECK_FIELDS = [
    (("time_control", 0, "minutes"), 0, 10_000),
    (("time_control", 0, "moves"), 1, 500),
    (("time_control", 0, "increment_seconds"), 0, 3600),
    (("rounds", 0, "round"), 1, 999),
    (("players", 0, "rating"), 1, 4000),
    (("players", 0, "fide_rating"), 1, 4000),
    (("players", 0, "other_rating"), 1, 4000),
    (("players", 0, "standard_rating"), 1, 4000),
]
RATE_FIELDS = [
    (("players", 0, "rating"), 1, 4000),
    (("players", 0, "career_games"), 0, 100_000),
    (("players", 0, "birth_year"), 1850, 2199),
    (("players", 0, "games_in_period"), 0, 100_000),
    (("players", 0, "standard_rating"), 1, 4000),
    (("players", 0, "fide_rating"), 1, 4000),
    (("players", 0, "highest_rating"), 1, 4000),
    (("players", 0, "total_points"), 0, 100_000),
    (("players", 0, "total_games"), 0, 100_000),
    (("players", 0, "rated_games"), 0, 100_000),
    (("players", 0, "rated_average"), 0, 4000),
    (("games", 0, "round"), 1, 9999),
    (("games", 0, "phase"), 1, 99),
    (("event", "scheduled_games"), 1, 999),
    (("event", "minutes_for_60_moves"), 0, 10_000),
    (("event", "games_in_event"), 0, 100_000),
]
LIST_FIELDS = [
    (("previous", 0, "rating"), 1, 4000),
    (("previous", 0, "career_games"), 0, 100_000),
    (("previous", 0, "birth_year"), 1850, 2199),
    (("previous", 0, "games_by_period", 0), 0, 100_000),
    (("previous", 0, "inactive_lists"), 0, 100_000),
    (("previous", 0, "highest_rating"), 1, 4000),
    (("samples", 0, "performance"), -5000, 5000),
    (("samples", 1, "opponents", 0), -5000, 5000),
    (("reference_standard", "9"), 1, 4000),
]
READERS = {"check": (jsonio.read_check, CHECK), "rate": (jsonio.read_rate, RATE)}
READERS["list"] = (jsonlist.read_list, LIST)


def with_value(command, place, value):
    given = copy.deepcopy(READERS[command][1])
    inner = given
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return READERS[command][0](given)


def path_of(place):
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)[1:]


@pytest.mark.parametrize(
    ("command", "place", "least", "most"),
    [
        (command, *field)
        for command, fields in (("check", CHECK_FIELDS), ("rate", RATE_FIELDS), ("list", LIST_FIELDS))
        for field in fields
    ],
)
def test_bounds_of_a_number(command, place, least, most):
    for value in (least, most):
        assert with_value(command, place, value)
    for value in (least - 1, most + 1):
        with pytest.raises(BadInput) as caught:
            with_value(command, place, value)
        told = {each.path: each.message for each in caught.value.problems}
        assert told[path_of(place)] == f"must be from {least} to {most}"


@pytest.mark.parametrize(
    ("games", "score", "told"),
    [
        (1, 0, {}),
        (1, "1", {}),
        (9999, "9998.5", {}),
        (5, "5.5", {"samples[0].score": "must be points of 5 games, in halves"}),
        (5, "2.25", {"samples[0].score": "must be points of 5 games, in halves"}),
        (5, -1, {"samples[0].score": "must be from 0 to 9999"}),
        (0, "x", {"samples[0].games": "must be from 1 to 9999", "samples[0].score": '"x" is not an exact'}),
        (10_000, 1, {"samples[0].games": "must be from 1 to 9999"}),
    ],
)
def test_games_and_score_of_a_sample(games, score, told):
    sample = {"player": "9", "list_date": "2004-04-01", "performance": "2050", "games": games, "score": score}
    value = {
        "regulation": "fide-standard-2004",
        "list_date": "2004-07-01",
        "previous": [],
        "samples": [sample],
    }
    if not told:
        assert jsonlist.read_list(value)[1].samples[0].games == games
        return
    with pytest.raises(BadInput) as caught:
        jsonlist.read_list(value)
    found = {each.path: each.message for each in caught.value.problems}
    assert found.keys() == told.keys()
    assert all(message in found[path] for path, message in told.items())


@pytest.mark.parametrize(
    ("command", "place", "empty"),
    [
        ("check", ("players", 0, "id"), False),
        ("check", ("players", 0, "title"), True),
        ("check", ("players", 0, "sex"), True),
        ("check", ("arbiters", 0, "name"), True),
        ("check", ("arbiters", 0, "title"), True),
        ("rate", ("players", 1, "id"), False),
        ("rate", ("players", 1, "otb_category"), True),
        ("rate", ("games", 0, "white"), False),
        ("rate", ("games", 0, "black"), False),
        ("list", ("previous", 0, "id"), False),
        ("list", ("previous", 0, "title"), True),
        ("list", ("previous", 0, "federation"), True),
        ("list", ("previous", 0, "sex"), True),
        ("list", ("samples", 0, "player"), False),
        ("list", ("samples", 0, "event"), True),
        ("list", ("events", 0, "id"), False),
        ("list", ("events", 0, "name"), True),
    ],
)
def test_texts_that_may_be_empty(command, place, empty):
    if empty:
        assert with_value(command, place, "")
        return
    with pytest.raises(BadInput) as caught:
        with_value(command, place, "")
    assert (path_of(place), "must not be empty") in [
        (each.path, each.message) for each in caught.value.problems
    ]


def test_a_year_has_twelve_lists_at_most():
    assert with_value("list", ("previous", 0, "games_by_period"), [0] * 12)
    with pytest.raises(BadInput, match=r"previous\[0\]\.games_by_period: must have from 0 to 12 entries"):
        with_value("list", ("previous", 0, "games_by_period"), [0] * 13)


def test_an_event_has_a_player():
    with pytest.raises(BadInput, match=r"^players: must have from 1 to 1000000 entries$"):
        jsonio.read_rate({**RATE, "players": [], "games": []})


def test_ten_regulations_at_most_are_compared():
    event = {key: RATE[key] for key in ("event", "players", "games")}
    codes = ["fide-standard-2004", "fide-rapid-blitz-2022"] * 5
    with pytest.raises(BadInput, match=r"^regulations: two or more different ones"):
        jsonio.read_compare({**event, "regulations": codes}, [])
    with pytest.raises(BadInput, match=r"^regulations: must have from 0 to 10 entries; "):
        jsonio.read_compare({**event, "regulations": [*codes, codes[0]]}, [])


@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("check", ("time_control", 0, "moves")),
        ("check", ("rate",)),
        ("check", ("registered_on",)),
        ("check", ("time_control_black",)),
        ("check", ("players", 0, "rating")),
        ("check", ("players", 0, "fide_official")),
        ("check", ("players", 0, "fide_rating")),
        ("check", ("players", 0, "other_rating")),
        ("check", ("players", 0, "standard_rating")),
        ("check", ("arbiters", 0, "licensed")),
        ("check", ("scope",)),
        ("rate", ("players", 0, "reached_k10")),
        ("rate", ("players", 0, "affiliated")),
        ("rate", ("players", 0, "total_points")),
        ("rate", ("games", 0, "finished_on")),
        ("rate", ("event", "start")),
        ("rate", ("event", "end")),
        ("rate", ("event", "finished_on")),
        ("rate", ("rate",)),
        ("list", ("previous", 0, "reached_k10")),
        ("list", ("events", 0, "rate")),
    ],
)
def test_what_need_not_be_known(command, place):
    assert with_value(command, place, None)
