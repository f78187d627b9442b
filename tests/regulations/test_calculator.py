"""``python -m regulations`` as other programs use it."""

import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations import jsonlist, reading
from regulations.cli import answer, main, run
from regulations.reading import BadInput

ROOT = Path(__file__).parents[2]

CHECK = {
    "regulation": "fide-rapid-blitz-2022",
    "system": "swiss",
    "registered_on": "2022-05-01",
    "start": "2022-05-07",
    "end": "2022-05-08",
    "time_control": [{"moves": None, "minutes": 25, "increment_seconds": 10}],
    "rounds": [{"round": 1, "date": "2022-05-07"}],
    "players": [{"id": "a", "rating": 2350, "title": "", "fide_official": True}],
    "arbiters": [{"name": "Prueba", "licensed": True, "title": "IA"}],
    "scope": "national",
    "flags": ["women"],
    "authorizations": [],
}
RATE = {
    "regulation": "fide-standard-2004",
    "rate": "standard",
    "event": {"system": "swiss", "start": "2004-05-01", "end": "2004-05-02"},
    "players": [
        {"id": "1", "rating": 2143, "career_games": 120, "birth_year": 1990},
        {"id": "2", "rating": 2010},
        {"id": "3", "rating": None},
        {"id": "4", "rating": 1905},
    ],
    "games": [
        {"round": 1, "white": "3", "black": "1", "result": "0-1"},
        {"round": 1, "white": "4", "black": "2", "result": "0-1"},
        {"round": 2, "white": "1", "black": "2", "result": "1-0"},
        {"round": 2, "white": "3", "black": "4", "result": "1-0"},
    ],
}
LIST = {
    "regulation": "fide-standard-2004",
    "list_date": "2004-07-01",
    "previous": [
        {
            "id": "1",
            "rating": 2143,
            "career_games": 120,
            "games_by_period": [4, 0, 9, 2],
            "inactive_lists": 0,
        },
        {"id": "2", "rating": 2010, "title": "FM", "federation": "ESP", "birth_year": 1990, "sex": "m"},
        {"id": "9", "rating": None},
    ],
    "samples": [
        {"player": "9", "list_date": "2004-04-01", "performance": "2050", "games": 9, "score": "5"},
        {
            "player": "8",
            "list_date": "2004-04-01",
            "performance": "6149/3",
            "games": 3,
            "score": "1.5",
            "opponents": [2050, 2099, "2000.5"],
        },
    ],
    "events": [
        {"id": "E1", "name": "Open", **{key: RATE[key] for key in ("event", "players", "games")}},
    ],
    "reference_standard": {"9": 2105},
}


def call(*arguments, data=None):
    """Exit status and answer of the command, in this process; it never writes on standard error."""
    given = data if isinstance(data, bytes) else json.dumps(data).encode()
    with pytest.MonkeyPatch.context() as patch:
        said, errors = io.TextIOWrapper(io.BytesIO()), io.StringIO()
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        patch.setattr(sys, "stdout", said)
        patch.setattr(sys, "stderr", errors)
        status = main(list(arguments))
    assert errors.getvalue() == ""
    return status, json.loads(said.buffer.getvalue())


def spawn(*arguments, data=None):
    """The same in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "regulations", *arguments],
        input=json.dumps(data).encode(),
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert done.stderr == b""
    return done.returncode, json.loads(done.stdout)


def test_catalog():
    status, said = call("catalog")
    assert status == 0
    codes = {each["code"]: each for each in said}
    assert {"fide-standard-2004", "fide-rapid-blitz-2022"} <= set(codes)
    rapid = codes["fide-rapid-blitz-2022"]
    assert set(rapid) == {"code", "title", "effective_from", "effective_until", "rates", "parameters"}
    assert rapid["effective_from"] == "2022-01-01"
    assert rapid["parameters"]["floor"]["value"] == 1000
    assert codes["fide-standard-2004"]["parameters"]["half_point_bonus"] == {
        "value": "12.5",
        "article": "10.23",
        "meaning": "points of Ru for each half point above 50 %",
    }


def test_check_from_standard_input():
    assert call("check", data=CHECK) == (
        0,
        {"ratable": True, "rate": "rapid", "minutes_for_60_moves": "35", "findings": []},
    )
    status, said = call("check", "-", data={**CHECK, "registered_on": "2022-05-06"})
    assert (status, said["ratable"]) == (0, False)
    assert said["findings"][0]["waivable"] is True
    assert set(said["findings"][0]) == {"severity", "code", "article", "message", "waivable"}


def test_rate_from_a_file(tmp_path):
    """1 v 2: D 133 → .68; 15 × .32 = 4.8. The game with the unrated 3 has its reason."""
    file = tmp_path / "event.json"
    file.write_text(json.dumps(RATE), encoding="utf-8")
    status, said = call("rate", str(file))
    assert (status, set(said)) == (0, {"rated", "treated_as", "findings", "ra", "players"})
    own = said["players"][0]
    assert (own["change"], own["expected"], own["rc"], own["k"], own["games"], own["score"]) == (
        "4.8",
        "0.68",
        "2010",
        15,
        1,
        "1",
    )
    assert own["uncounted"] == [{"round": 1, "opponent": "3", "article": "6.4", "reason": "unrated opponent"}]
    assert own["steps"][0] == {"article": "10.51", "label": "Rc", "value": "2010", "text": "2010"}
    unrated = said["players"][2]
    assert (unrated["status"], unrated["pooled"], unrated["change"]) == ("unrated", False, None)


def test_list_with_its_digest():
    """1: 2143 + 4.8 → 2148; 2: Rc (2143 + 1905)/2 = 2024, D -14 → .48, 15 × (1 - .96) = .6 → 2011;
    9 has nine games at 2050."""
    status, said = call("list", data=LIST)
    assert status == 0
    rows = {row["id"]: row for row in said["players"]}
    assert (rows["1"]["rating"], rows["1"]["change"], rows["1"]["events"]) == (
        2148,
        "4.8",
        [{"id": "E1", "change": "4.8"}],
    )
    assert (rows["2"]["rating"], rows["9"]["rating"], rows["8"]["rating"]) == (2011, 2050, None)
    assert said["samples"] == [
        {
            "player": "8",
            "list_date": "2004-04-01",
            "performance": "2049.6667",
            "games": 3,
            "score": "1.5",
            "opponents": [2050, 2099, "2000.5"],
        }
    ]
    body = {
        "regulation": "fide-standard-2004",
        "list_date": "2004-07-01",
        "players": [
            {key: row[key] for key in ("id", "status", "rating", "change", "games", "k", "flags")}
            for row in said["players"]
        ],
        "samples": said["samples"],
    }
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert said["sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_the_previous_list_knows_what_an_event_leaves_out():
    """A 10.54, player 1 of 2143 beat player 2 of 2010: D 133 → .68, W - We = .32. With 12 games on the
    list 25 × .32 = 8; once at 2400, for good, 10 × .32 = 3.2; what the event says itself (30 games)
    goes first: 15 × .32 = 4.8. A 10.4, unrated then, 12 games behind his rating now: K 25 as well."""

    def row(known, of_event):
        first, *others = RATE["players"]
        players = [{"id": "1", "rating": first["rating"], **of_event}, *others]
        event = {"id": "E1", "event": RATE["event"], "players": players, "games": RATE["games"]}
        previous = [{"id": "1", "rating": 2143, **known}]
        return answer("list", {**LIST, "previous": previous, "samples": [], "events": [event]})["players"][0]

    def k_and_change(known, of_event):
        return [row(known, of_event)[key] for key in ("k", "change")]

    assert k_and_change({"career_games": 12}, {}) == [25, "8"]
    assert k_and_change({"career_games": 99, "reached_k10": True}, {}) == [10, "3.2"]
    assert k_and_change({"career_games": 12}, {"career_games": 30}) == [15, "4.8"]
    assert k_and_change({}, {}) == [15, "4.8"]
    assert k_and_change({"career_games": 12}, {"rating": None})[0] == 25


def test_a_chain_of_lists_stays_exact():
    """A 10.3, 10.32: Ru = 6001/3 + 12.5 in 3 games is shown as 2012.8333, and 12002/6 in 6 games as
    2000.3333; (6038.5 + 12002)/9 = 2004.5 exactly, so 2005, where the shown figures give 2004.4998."""
    samples = [
        {"player": "9", "list_date": "2004-04-01", "performance": shown, "games": games, "score": "2"}
        for shown, games in (("2012.8333", 3), ("2000.3333", 6))
    ]
    said = answer("list", {**LIST, "previous": [], "samples": samples, "events": []})
    assert [(row["id"], row["rating"]) for row in said["players"]] == [("9", 2005)]


def test_events_of_a_list_may_have_their_fields_beside_the_players():
    flat = {"id": "E1", "name": "Open", **RATE["event"], "players": RATE["players"], "games": RATE["games"]}
    inner = {
        "event": {**RATE["event"], "id": "E1", "name": "Open"},
        "players": RATE["players"],
        "games": RATE["games"],
    }
    expected = jsonlist.read_list(LIST)
    assert jsonlist.read_list({**LIST, "events": [flat]}) == expected
    assert jsonlist.read_list({**LIST, "events": [inner]}) == expected


def test_the_reference_list_stands_in_for_rapid_ratings():
    """C 7.21: 9 counts as 2105 against 2105: + 10."""
    asked = {
        "regulation": "fide-rapid-blitz-2022",
        "list_date": "2022-05-01",
        "previous": [{"id": "1", "rating": 2105}, {"id": "9", "rating": None}],
        "events": [
            {
                "event": {"system": "swiss"},
                "rate": "blitz",
                "players": [{"id": "1", "rating": 2105}, {"id": "9", "rating": None}],
                "games": [{"round": 1, "white": "9", "black": "1", "result": "1-0"}],
            }
        ],
        "reference_standard": {"9": 2105},
    }
    status, said = call("list", data=asked)
    assert status == 0
    assert {row["id"]: row["rating"] for row in said["players"]} == {"1": 2095, "9": 2115}


def test_another_reading_of_the_text_is_one_argument():
    status, said = call("rate", "--parameter", "k_normal=20", data=RATE)
    assert (status, said["players"][0]["change"]) == (0, "6.4")
    status, said = call("rate", "--parameter", "k_normal=x", "--parameter", "nope=1", data=RATE)
    assert status == 2
    assert [each["path"] for each in said["errors"]] == ["--parameter nope", "--parameter k_normal"]
    assert call("rate", "--parameter", "k_normal=x", data=RATE)[0] == 2
    assert call("rate", "--parameter", "rated_share=1/2", data=RATE)[0] == 0
    assert call("check", "--parameter", "change_rounding=half-away", data=CHECK)[0] == 0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "must be an object"),
        (b'"x"', "must be an object"),
        (b"null", "must be an object"),
        (b"\xff\xfe{}", "not UTF-8: byte 1"),
        (b'{"regulation": "a", "regulation": "b"}', "twice in one object"),
        (b"[" * 100_000, "nested too deeply"),
        (b"9" * 5000, "not JSON"),
    ],
)
def test_what_is_not_a_json_object_gives_one_error(data, message):
    status, said = call("rate", data=data)
    assert status == 2
    assert message in said["errors"][0]["message"]


def test_a_byte_order_mark_is_no_fault():
    assert call("check", data=b"\xef\xbb\xbf" + json.dumps(CHECK).encode())[0] == 0


@pytest.mark.parametrize(
    "arguments", [(), ("unknown",), ("rate", "no/such/file.json"), ("rate", "."), ("rate", "-x")]
)
def test_faults_of_the_command_line(arguments):
    status, said = call(*arguments, data=RATE)
    assert status == 2
    assert said["errors"][0]["message"]


@given(st.integers(-(10**6), 10**6), st.integers(0, 6))
def test_exact_numbers_are_read_exactly_however_they_are_written(digits, places):
    read = reading.number(-(10**6), 10**6)
    written = f"{'-' if digits < 0 else ''}{abs(digits) // 10**places}.{abs(digits) % 10**places:0{places}d}"
    written = written.rstrip(".") if not places else written
    errors = []
    from_text = read(written, "x", errors)
    from_json = read(reading.load(written.encode()), "x", errors)
    assert errors == []
    assert from_text == from_json
    assert from_text * 10**places == digits


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
        st.sampled_from(["1", "2", "1-0", "bye-1", "swiss", "2004-05-01", "fide-standard-2004"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from([*CHECK, *RATE, *LIST, "id", "rating", "round", "white", "black", "result"]),
            inner,
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=400)
@given(st.sampled_from([("check", CHECK), ("rate", RATE), ("list", LIST)]), st.data())
def test_no_input_makes_the_reader_stumble(case, data):
    """One value anywhere in a good input is replaced by another: an answer or errors, nothing else."""
    command, good = case
    value = json.loads(json.dumps(good))
    place = value
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(list(keys)))
        if not (isinstance(place[key], dict | list) and place[key]) or data.draw(st.booleans()):
            place[key] = data.draw(JSON)
            break
        place = place[key]
    try:
        said = answer(command, reading.load(json.dumps(value).encode()))
    except BadInput as bad:
        said = {"errors": bad.problems}
    assert said


def test_the_command_and_the_library_answer_the_same(tmp_path):
    file = tmp_path / "list.json"
    file.write_text(json.dumps(LIST), encoding="utf-8")
    assert run(["list", str(file)]) == call("list", str(file))[1] == spawn("list", str(file))[1]


def test_a_process_of_its_own_says_the_same():
    assert spawn("check", data=CHECK) == call("check", data=CHECK)
    status, said = spawn("rate", data={})
    assert (status, said) == call("rate", data={})
    assert status == 2


def test_the_command_works_without_numpy():
    code = (
        "import sys; sys.modules['numpy'] = None; from regulations.cli import run; "
        "print(len(run(['catalog'])))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=True)
    assert int(done.stdout) >= 2
