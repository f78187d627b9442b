"""Messages that no part of the portal sends, as somebody who reaches the broker could write them."""

from __future__ import annotations

import base64
import json
import pickle
import uuid
from collections.abc import Iterator
from pathlib import Path

QUEUE = "celery"
JSON, PICKLE, YAML = "application/json", "application/x-python-serialize", "application/x-yaml"
TASKS = ("ratinglists.run_job", "ratinglists.run_share", "players.run_import")
WITHOUT_ARGUMENTS = (
    "ratinglists.look_for_due_periods",
    "ratinglists.sweep",
    "ratinglists.send_complaints",
    "players.send_messages",
    "tournaments.recheck_upcoming",
    "tournaments.send_notices",
)


class Canary:
    """Unpickled, it makes a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self):
        return open, (str(self.file), "w")


def envelope(
    body: bytes, task: str = "ratinglists.run_job", *, content_type: str = JSON, headers=None, properties=None
) -> bytes:
    """A message as Kombu puts it into Redis."""
    name = str(uuid.uuid4())
    told = {"lang": "py", "task": task, "id": name, "root_id": name, "parent_id": None, "group": None}
    told |= {"retries": 0, "timelimit": [660, 600], "eta": None, "expires": None, "origin": "forged"}
    return json.dumps(
        {
            "body": base64.b64encode(body).decode(),
            "content-encoding": "utf-8",
            "content-type": content_type,
            "headers": told | (headers or {}),
            "properties": {
                "correlation_id": name,
                "reply_to": str(uuid.uuid4()),
                "delivery_mode": 2,
                "delivery_info": {"exchange": "", "routing_key": QUEUE},
                "priority": 0,
                "body_encoding": "base64",
                "delivery_tag": str(uuid.uuid4()),
            }
            | (properties or {}),
        }
    ).encode()


def call(task: str, *args, embed=None, headers=None, **kwargs) -> bytes:
    """A well-formed call."""
    options = {"callbacks": None, "errbacks": None, "chain": None, "chord": None} | (embed or {})
    return envelope(json.dumps([args, kwargs, options]).encode(), task, headers=headers)


def messages(canary: Path, finished: int, shares: int) -> Iterator[tuple[str, bytes]]:
    """What is wrong with each, and the message. ``finished`` is a job that is over."""
    yield from _of_other_types(canary, finished)
    yield from _of_wrong_arguments(finished)
    yield from _of_wrong_headers(finished)
    yield from _of_other_tasks(finished)
    yield from _of_wrong_bodies(finished)
    yield from _of_no_envelope(canary)


def _of_other_types(canary: Path, finished: int) -> Iterator[tuple[str, bytes]]:
    for protocol in range(6):
        bomb = pickle.dumps(Canary(canary), protocol=min(protocol, 5))
        for task in (*TASKS, "os.system"):
            yield f"pickle {protocol} for {task}", envelope(bomb, task, content_type=PICKLE)
    call_body = pickle.dumps(([Canary(canary)], {}, {}))
    for kind in ("application/x-python-serialize", "application/pickle", "pickle", "application/x-python"):
        yield f"pickled arguments as {kind}", envelope(call_body, content_type=kind)
    yield "pickle under the name of JSON", envelope(call_body)
    yield "pickle as text", envelope(call_body, content_type="text/plain")
    shell = f"!!python/object/apply:os.system ['touch {canary}']".encode()
    for kind in (YAML, "application/yaml", "text/yaml"):
        yield f"YAML as {kind}", envelope(shell, content_type=kind)
    for kind in ("application/x-msgpack", "application/data", "", "x" * 5000, "application/xml", "\0"):
        yield (
            f"content type {kind[:20]!r}",
            envelope(json.dumps([[finished], {}, {}]).encode(), content_type=kind),
        )
    pickled = {"compression": "application/x-bz2"}
    yield "compressed, it says", envelope(b"no bz2", headers=pickled)
    yield "compressed pickle", envelope(call_body, headers={"compression": "zlib"}, content_type=PICKLE)


def _of_wrong_arguments(finished: int) -> Iterator[tuple[str, bytes]]:
    huge = 10**400
    values = ("1", "", "1; DROP TABLE players_player", "\0", {}, {"pk": finished}, [], [finished], None, True)
    values += (-1, 0, 2**31, 2**63, 2**64, huge, -huge, 1.5, 1e308, "a" * 100_000, [[[]]], {"__class__": "x"})
    for task in TASKS:
        for value in values:
            yield f"{task}({str(value)[:30]!r})", call(task, value)
        yield f"{task}()", call(task)
        yield f"{task} with many", call(task, *range(500))
        yield f"{task} by a name", call(task, job_id=finished, pk=finished, share_id=finished)
        yield f"{task} with other names", call(task, finished, model="auth.User", self=1)
    for task in WITHOUT_ARGUMENTS:
        yield f"{task} with arguments", call(task, finished, {"force": True})
        yield f"{task} by names", call(task, now="2099-01-01", force=True)


def _of_wrong_headers(finished: int) -> Iterator[tuple[str, bytes]]:
    run = "ratinglists.run_job"
    later = {
        "task": "ratinglists.run_job",
        "args": [finished],
        "kwargs": {},
        "options": {},
        "subtask_type": None,
    }
    gone = {**later, "task": "os.system", "args": ["true"]}
    for name, told in (
        ("far in the future", {"eta": "9999-12-31T23:59:59.999999+00:00"}),
        ("in a year", {"eta": "2099-01-01T00:00:00+00:00"}),
        ("at no time", {"eta": "yesterday"}),
        ("at a number", {"eta": 10**18}),
        ("over", {"expires": "1990-01-01T00:00:00+00:00"}),
        ("over at no time", {"expires": {"a": 1}}),
        ("retried often", {"retries": 10**12}),
        ("retried never", {"retries": -1}),
        ("retried by a text", {"retries": "many"}),
        ("no time", {"timelimit": [0, 0]}),
        ("a wink", {"timelimit": [0.001, 0.001]}),
        ("time of a text", {"timelimit": ["a", None]}),
        ("time of one", {"timelimit": 5}),
        ("of a group", {"group": "forged", "group_index": 0}),
        ("of no identity", {"id": None, "root_id": None}),
        ("with the identity of a path", {"id": "../../../etc/passwd"}),
        ("of another host", {"origin": "gen1@elsewhere", "lang": "js"}),
        ("with a shadow", {"shadow": "x" * 100_000}),
        ("with words for its arguments", {"argsrepr": "(9,)" * 10_000, "kwargsrepr": "{}"}),
        ("that keeps a result", {"ignore_result": False}),
        ("stamped", {"stamped_headers": ["a"], "stamps": {"a": ["b"]}}),
        ("replacing", {"replaced_task_nesting": "deep"}),
    ):
        yield f"a call {name}", call(run, finished, headers=told)
    for name, embed in (
        ("link", {"callbacks": [later]}),
        ("link to nothing", {"callbacks": [gone]}),
        ("links that are no links", {"callbacks": "os.system"}),
        ("error link", {"errbacks": [gone]}),
        ("chain", {"chain": [later, gone]}),
        ("chord", {"chord": later}),
        ("chord of nothing", {"chord": gone}),
        ("numbers for links", {"callbacks": 5, "errbacks": 6, "chain": 7, "chord": 8}),
    ):
        yield f"a call with a {name}", call(run, finished, embed=embed)
        yield f"a failing call with a {name}", call(run, {}, embed=embed)
    for name, told in (
        ("reply", {"reply_to": "../../celery"}),
        ("priority", {"priority": "high"}),
        ("no tag", {"delivery_tag": None}),
        ("a tag that is a table", {"delivery_tag": {"a": 1}}),
        ("another exchange", {"delivery_info": {"exchange": "celery.pidbox", "routing_key": "x"}}),
        ("another encoding", {"body_encoding": "rot13"}),
    ):
        body = json.dumps([[finished], {}, {}]).encode()
        yield f"a message with {name}", envelope(body, properties=told)


def _of_other_tasks(finished: int) -> Iterator[tuple[str, bytes]]:
    for task in ("os.system", "", "x" * 10_000, "ratinglists.services.run_job", "__main__", "\0", "celery"):
        yield f"the task {task[:20]!r}", call(task, "true")
    inner = {"task": "ratinglists.run_job", "args": [finished], "kwargs": {}, "options": {}}
    yield "celery.map", call("celery.map", inner, [1, 2, 3])
    yield "celery.starmap", call("celery.starmap", inner, [[1], [2]])
    yield "celery.chunks", call("celery.chunks", inner, [[1]], 10)
    yield "celery.group", call("celery.group", [inner], "group", "group")
    yield "celery.chord", call("celery.chord", [inner], inner)
    yield "celery.chain", call("celery.chain", [inner])
    yield "celery.accumulate", call("celery.accumulate", 1, 2, 3)
    yield "celery.backend_cleanup", call("celery.backend_cleanup")
    yield "celery.chord_unlock", call("celery.chord_unlock", "g", inner, result=[])
    for task in (5, None, ["ratinglists.run_job"], {"a": 1}):
        yield f"a task named {task!r}", call(task, finished)
    for _ in range(20):
        yield "a job that is over, again", call("ratinglists.run_job", finished)
    for pk in (finished + 1, finished + 10_000):
        yield "a job that is not there", call("ratinglists.run_job", pk)
        yield "a share that is not there", call("ratinglists.run_share", pk)
        yield "an import that is not there", call("players.run_import", pk)
    for task in WITHOUT_ARGUMENTS:
        yield f"{task} out of turn", call(task)


def _of_wrong_bodies(finished: int) -> Iterator[tuple[str, bytes]]:
    for body in (
        b"",
        b"null",
        b"[]",
        b"{}",
        b"5",
        b'"text"',
        b"[[1]]",
        b"[1, 2, 3]",
        b"[[1], [], []]",
        b"\xff\xfe",
        b"{",
    ):
        yield f"the body {body!r}", envelope(body)
    yield "a body of 30 MB", call("ratinglists.run_job", "a" * 30_000_000)
    yield "a million arguments", call("ratinglists.run_job", *range(1_000_000))
    yield "a deep body", envelope(b"[" * 100_000 + b"]" * 100_000)
    yield "NaN", envelope(b"[[NaN, Infinity], {}, {}]")
    yield "an old protocol", _old({"task": "ratinglists.run_job", "id": "x", "args": [{}], "kwargs": {}})
    yield "an old protocol without a task", _old({"id": "x"})
    yield "an old protocol of another", _old({"task": "os.system", "id": "x", "args": ["true"], "kwargs": {}})


def _old(body: dict) -> bytes:
    told = json.loads(envelope(json.dumps(body).encode()))
    return json.dumps({**told, "headers": {}}).encode()


def _of_no_envelope(canary: Path) -> Iterator[tuple[str, bytes]]:
    yield "no message", b"no message"
    yield "an empty message", b""
    yield "bytes", b"\xff\x00\xfe"
    yield "pickle itself", pickle.dumps(Canary(canary))
    for text in (b"{}", b"[]", b"null", b"5", b'"a"', b'{"body": "AAAA", "headers": {}}', b"[" * 100_000):
        yield f"the message {text[:20]!r}", text
    whole = json.loads(envelope(b"[[1], {}, {}]"))
    for name in whole:
        yield f"a message without {name}", json.dumps({k: v for k, v in whole.items() if k != name}).encode()
        yield f"a message with a number as {name}", json.dumps({**whole, name: 5}).encode()
        yield f"a message with null as {name}", json.dumps({**whole, name: None}).encode()


def control(db: int, method: str, arguments: dict) -> tuple[str, bytes]:
    """The channel and the message of Celery's remote control."""
    body = json.dumps(
        {"method": method, "arguments": arguments, "destination": None, "pattern": None, "matcher": None}
    )
    told = json.loads(envelope(body.encode(), headers={"clock": 1, "expires": None}))
    told["properties"]["delivery_info"] = {"exchange": "celery.pidbox", "routing_key": ""}
    return f"/{db}.celery.pidbox", json.dumps(told).encode()


CONTROL = (
    ("cancel_consumer", {"queue": QUEUE}),
    ("pool_shrink", {"n": 5}),
    ("rate_limit", {"task_name": "ratinglists.run_job", "rate_limit": "1/h"}),
    ("time_limit", {"task_name": "ratinglists.run_job", "soft": 0.001, "hard": 0.002}),
    ("revoke", {"task_id": "x", "terminate": True}),
    ("pool_restart", {"modules": ["os"], "reload": True}),
    ("autoscale", {"max": 0, "min": 0}),
    ("shutdown", {}),
)
