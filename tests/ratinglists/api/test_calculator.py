"""The calculator by POST says what ``python -m regulations`` says, within bounds."""

from __future__ import annotations

import json
import subprocess
import time

import pytest
from django.test import Client

from ratinglists.api import computing
from regulations import answers, cli, registry

pytestmark = pytest.mark.django_db
URL = "/api/v1/calculator"
EVENT = {
    "regulation": "fide-standard-2004",
    "event": {"system": "swiss", "start": "2004-05-01", "end": "2004-05-02"},
    "players": [
        {"id": "alba", "rating": 2143},
        {"id": "bruno", "rating": 2010},
        {"id": "ciro", "rating": None},
    ],
    "games": [
        {"round": 1, "white": "ciro", "black": "alba", "result": "0-1"},
        {"round": 2, "white": "alba", "black": "bruno", "result": "1-0"},
    ],
}
CHECK = {
    "regulation": "fide-rapid-blitz-2022",
    "system": "swiss",
    "start": "2022-05-01",
    "end": "2022-05-01",
    "time_control": [{"moves": None, "minutes": 10, "increment_seconds": 5}],
}
LIST = {
    "regulation": "fide-standard-2004",
    "list_date": "2004-07-01",
    "previous": [{"id": "alba", "rating": 2143}, {"id": "bruno", "rating": 2010}],
    "events": [{"id": "E1", **{name: EVENT[name] for name in ("event", "players", "games")}}],
}
COMPARED = {**EVENT, "regulations": ["fide-standard-2004", "fide-standard-2024"]}
COMPARED.pop("regulation")
BAD = {**EVENT, "games": [{"round": 0, "white": "alba", "black": "bruno", "result": "2-0"}], "more": 1}


def post(client, value, query: str = ""):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return client.post(f"{URL}{query}", body, content_type="application/json")


def said_by_command(tmp_path, capsysbinary, command: str, value) -> tuple[int, dict]:
    """Exit status and answer of the command, in this process."""
    file = tmp_path / "request.json"
    file.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    status = cli.main([command, str(file)])
    return status, json.loads(capsysbinary.readouterr().out)


@pytest.mark.parametrize(
    ("command", "value"), [("rate", EVENT), ("check", CHECK), ("list", LIST), ("compare", COMPARED)]
)
@pytest.mark.parametrize("named", [True, False])
def test_the_answer_is_the_commands(client, tmp_path, capsysbinary, command, value, named):
    answer = post(client, value, f"?command={command}" if named else "")
    assert (0, answer.json()) == said_by_command(tmp_path, capsysbinary, command, value)
    assert answer.status_code == 200


def test_a_change_is_the_contracts():
    client = Client(enforce_csrf_checks=True)  # a program has no cookie
    alba, *_ = post(client, EVENT).json()["players"]
    assert (alba["change"], alba["k"], alba["rc"]) == ("4.8", 15, "2010")
    assert alba["uncounted"] == [
        {"round": 1, "opponent": "ciro", "article": "6.4", "reason": "unrated opponent"}
    ]


@pytest.mark.parametrize("value", [BAD, b"{", b"[]", b"\xff", {}, b'{"a": NaN, "a": 1}', b"[" * 5000])
def test_the_errors_are_the_commands_with_their_paths(client, tmp_path, capsysbinary, value):
    answer = post(client, value, "?command=rate")
    status, said = said_by_command(tmp_path, capsysbinary, "rate", value)
    assert (answer.status_code, status) == (422, 2)
    assert answer.json()["errors"] == said["errors"]
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_another_reading_of_a_text(client):
    parameter = "calendar=monthly"
    told = cli.answer("list", LIST, [parameter])
    assert post(client, LIST, f"?parameter={parameter}").json() == json.loads(json.dumps(told))
    bad = post(client, LIST, "?parameter=nk_limit=0")
    assert bad.json()["errors"] != []
    assert bad.status_code == 422


def test_the_catalog(client):
    told = json.loads(json.dumps(answers.write_catalog(registry.all_regulations())))
    assert client.get(URL).json() == {"items": told}


def long_event(games: int) -> dict:
    players = [{"id": str(number), "rating": 1500 + number} for number in range(2 * games)]
    pairs = [
        {"round": 1, "white": str(2 * at), "black": str(2 * at + 1), "result": "1-0"} for at in range(games)
    ]
    return {**EVENT, "players": players, "games": pairs}


def test_a_large_input_is_computed_in_a_process_of_its_own(client, monkeypatch):
    calls = []
    run = subprocess.run
    monkeypatch.setattr(computing.subprocess, "run", lambda *a, **k: calls.append(a) or run(*a, **k))
    value = long_event(200)
    assert post(client, value).json() == json.loads(json.dumps(cli.answer("rate", value)))
    assert len(calls) == 1
    value["games"][7]["result"] = "2-0"
    answer = post(client, value)
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (422, "games[7].result")


def test_no_request_holds_a_worker(client, monkeypatch):
    monkeypatch.setattr(computing, "SECONDS", 0.01)
    begun = time.monotonic()
    answer = post(client, long_event(2000))
    assert answer.status_code == 422
    assert "was ended" in answer.json()["detail"]
    assert time.monotonic() - begun < 10
    with computing._PLACES, computing._PLACES:
        busy = post(client, long_event(200))
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "0.01")


def test_what_it_takes(client):
    assert client.post(URL, "a=1", content_type="application/x-www-form-urlencoded").status_code == 415
    packed = client.post(URL, b"x", content_type="application/json", headers={"Content-Encoding": "gzip"})
    assert packed.status_code == 415
    assert post(client, b" " * (computing.MOST_BYTES + 1)).status_code == 413
    assert post(client, EVENT, "?command=guess").status_code == 422
    assert post(client, EVENT, "?parameter=%00").status_code == 422


def test_what_is_computed_at_once_takes_no_time():
    """The slowest texts that fit: a round robin of unrated players, and lists of many events."""
    numbers = range(14)
    robin = {
        **EVENT,
        "event": {**EVENT["event"], "system": "round-robin"},
        "players": [{"id": str(n), "rating": None if n % 3 else 2000 + n} for n in numbers],
        "games": [
            {"round": a + b, "white": str(a), "black": str(b), "result": "1-0"}
            for a in numbers
            for b in numbers
            if a < b
        ],
    }
    for value in (robin, long_event(80)):
        data = json.dumps(value).encode()
        assert len(data) <= computing.AT_ONCE
        begun = time.process_time()
        computing.run("rate", data)
        assert time.process_time() - begun < 1
