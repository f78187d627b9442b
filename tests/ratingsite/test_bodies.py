"""How much each page takes: 413 with a remedy, before and while a body streams in; the memory stays flat."""

from __future__ import annotations

import contextlib
import http.client
import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import get_resolver, reverse

from players.doors import AROUND, FORM, Door
from players.roles import RATING_OFFICERS, ensure_roles
from tests.factories import make_user
from tests.pages import text_of
from tests.programs import ROOT
from tests.servers import free_port, wait_for

pytestmark = pytest.mark.django_db
MIB = 1 << 20
IMPORTS = "/admin/players/playerimport/add/"
DOORS = {
    "arbiter-upload": MIB,
    "arbiter-dry-run": MIB,
    "verify": 512 * MIB,
    "admin:ratinglists_period_open": 32 * MIB,
    "admin:players_playerimport_add": (1 << 31) - 1,
}


def views(resolver=None, space: str = "") -> Iterator[tuple[str, object]]:
    """Every view of the site with its name."""
    for each in (resolver or get_resolver()).url_patterns:
        if hasattr(each, "url_patterns"):
            yield from views(each, f"{space}{each.namespace}:" if each.namespace else space)
        else:
            yield f"{space}{each.name}", each.callback


def test_the_pages_with_a_limit_of_their_own():
    found = {name: view.door.file for name, view in views() if hasattr(view, "door")}
    assert found == DOORS
    assert all(str(view.door.remedy) for _, view in views() if hasattr(view, "door"))


def test_every_form_with_a_file_stands_behind_such_a_page():
    """One field of a file for each door; the page of verification and the programs' door have no form."""
    code = [path.read_text() for app in ("players", "tournaments", "ratinglists") for path in
            (ROOT / app).rglob("*.py") if "migrations" not in path.parts]  # fmt: skip
    assert sum(text.count("forms.FileField(") + text.count("forms.ImageField(") for text in code) == 3
    assert len(DOORS) == 3 + 1 + 1  # a report's form on two pages, and the page of verification


class Endless(io.RawIOBase):
    """A body that tells how much of it was read."""

    def __init__(self, size: int) -> None:
        self.left, self.taken = size, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        size = self.left if size < 0 else min(size, self.left)
        self.left -= size
        self.taken += size
        return b"x" * size


def send(
    client, path: str, size: int, *, chunked: bool = False, kind: str = "multipart/form-data; boundary=b"
):
    body = Endless(size)
    length = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True} if chunked else {}
    extra = {"wsgi.input": body, "CONTENT_TYPE": kind, **length}
    if not chunked:
        extra["CONTENT_LENGTH"] = str(size)
    return client.generic("POST", path, b"", **extra), body


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize(
    "path", ["/arbiter/1/upload/", "/arbiter/1/dry-run/", "/accounts/login/", "/verify/", IMPORTS]
)
def test_too_much_is_refused_while_it_comes(client, path, chunked, monkeypatch):
    resolved = get_resolver().resolve(path)
    door = getattr(resolved.func, "door", FORM)
    if door.permission:  # a stranger does not get further than with a form
        door = FORM
    if door.file > 32 * MIB:
        door = Door(MIB, door.remedy)
        monkeypatch.setattr(resolved.func, "door", door)
    answer, body = send(client, path, 1 << 30, chunked=chunked)
    assert answer.status_code == 413
    assert body.taken <= door.body + 3 * MIB
    said = text_of(answer.content.decode())
    assert "This page takes at most" in said
    assert str(door.remedy) in said
    assert answer.headers["Content-Security-Policy"]


def test_programs_read_the_refusal_as_json(client):
    for chunked in (False, True):
        answer, body = send(client, "/api/v1/tournaments/1/reports", 1 << 30, chunked=chunked)
        assert answer.status_code == 413
        assert answer.headers["Content-Type"] == "application/problem+json"
        told = answer.json()
        assert (told["status"], told["detail"]) == (413, "What was sent is larger than 1 MiB.")
        assert "one event per file" in told["remedy"]
        assert body.taken < 5 * MIB


def test_a_chunked_body_within_the_limit_is_read(client):
    content = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--b--\r\n'
    extra = {
        "HTTP_TRANSFER_ENCODING": "chunked",
        "wsgi.input_terminated": True,
        "wsgi.input": io.BytesIO(content),
    }
    answer = client.generic("POST", "/verify/", b"", CONTENT_TYPE="multipart/form-data; boundary=b", **extra)
    assert answer.status_code == 200
    assert "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" in answer.content.decode()


def test_a_server_that_passes_no_chunks_on_asks_for_the_length(client):
    answer = client.generic(
        "POST", "/verify/", b"", HTTP_TRANSFER_ENCODING="chunked", CONTENT_TYPE="text/plain"
    )
    assert answer.status_code == 411
    assert "Content-Length" in answer.content.decode()


@pytest.mark.parametrize("length", ["abc", "-5", "٣", "1e9"])
def test_a_length_that_is_none(client, length):
    answer = client.generic(
        "POST", "/accounts/login/", b"a=b", CONTENT_LENGTH=length, CONTENT_TYPE="text/plain"
    )
    assert answer.status_code in (400, 413)


def test_pasted_rows_have_a_limit(client):
    client.force_login(make_user())
    path = reverse("account_login")
    fine = client.post(path, {"username": "x" * (2 * MIB), "password": "y"})
    assert fine.status_code == 200
    assert client.post(path, {"username": "x" * (4 * MIB), "password": "y"}).status_code == 413
    # multipart: the parts that are no files count together
    many = {f"f{n}": "v" for n in range(20_100)}
    answer = client.post(path, many)
    assert answer.status_code == 413
    assert "Send less at once" in text_of(answer.content.decode())


def test_the_form_says_it_too_where_only_the_file_is_too_large(client):
    from tests.tournaments.report_files import NOMINAL  # noqa: F401 - the world of reports has the rest

    user = make_user(is_superuser=True, is_staff=True)
    client.force_login(user)
    answer = client.post(IMPORTS, {"file": SimpleUploadedFile("list.txt", b"x" * (FORM.body + AROUND))})
    assert answer.status_code == 200  # who may import may send more than a form
    assert "This is no list of players." in answer.content.decode()
    officer = make_user(is_staff=True)
    client.force_login(officer)
    assert client.post(IMPORTS, {"file": SimpleUploadedFile("a", b"x" * (4 * MIB))}).status_code == 413
    officer.groups.add(ensure_roles()[RATING_OFFICERS])
    assert client.post(IMPORTS, {"file": SimpleUploadedFile("a", b"x" * (4 * MIB))}).status_code == 200


# --- the real server ------------------------------------------------------------------------------


@pytest.fixture
def served(tmp_path):
    """gunicorn with one process and a database of its own: its port and the number of its process."""
    port = free_port()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    environment = kept | {
        "PORTAL_DEMO": "1",
        "PORTAL_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
    }
    run = {"cwd": ROOT, "env": environment, "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], **run)
    subprocess.run([sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"], **run)
    command = [
        "-m",
        "gunicorn",
        "ratingsite.wsgi",
        "--bind",
        f"127.0.0.1:{port}",
        "--workers",
        "1",
        "--threads",
        "4",
    ]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, *command, "--no-control-socket"],
            cwd=ROOT,
            env=environment,
            stderr=log,
            stdout=log,
        )
    try:
        wait_for(port, "gunicorn")
        for _ in range(300):  # the process that answers is there before it has loaded
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                connection.request("GET", "/healthz")
                connection.getresponse().read()
                break
            time.sleep(0.2)
        (child,) = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        yield port, int(child)
    finally:
        server.terminate()
        server.wait(30)


def peak(process: int) -> int:
    """The most memory that a process ever had, in MiB."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]) >> 10


def stream(port: int, path: str, head: bytes, size: int, tail: bytes, *, chunked: bool) -> tuple[int, str]:
    """Sends a body of ``size`` bytes between head and tail; the answer's status and text."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.putrequest("POST", path)
    connection.putheader("Content-Type", "multipart/form-data; boundary=b")
    if chunked:
        connection.putheader("Transfer-Encoding", "chunked")
    else:
        connection.putheader("Content-Length", str(len(head) + size + len(tail)))
    connection.endheaders()

    def pieces():
        yield head
        block = b"x" * MIB
        for _ in range(size // MIB):
            yield block
        yield tail

    try:
        for each in pieces():
            connection.send(b"%x\r\n%s\r\n" % (len(each), each) if chunked else each)
        if chunked:
            connection.send(b"0\r\n\r\n")
    except (BrokenPipeError, ConnectionResetError):
        pass  # it has answered and does not listen any more
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


@pytest.mark.slow
@pytest.mark.once
def test_a_gigabyte_streams_past_a_flat_memory(served):
    port, process = served
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    tail = b"\r\n--b--\r\n"
    for path in ("/arbiter/1/upload/", "/verify/", IMPORTS):  # what the first requests load
        for chunked in (False, True):
            stream(port, path, head, MIB, tail, chunked=chunked)
            stream(port, path, head, 4 * MIB, tail, chunked=chunked)
    before = peak(process)
    for path in ("/arbiter/1/upload/", "/verify/", IMPORTS):
        for chunked in (False, True):
            if path == "/verify/" and chunked:
                continue  # half a gigabyte on the disk: the next test
            status, said = stream(port, path, head, 1 << 30, tail, chunked=chunked)
            assert status == 413, (path, chunked)
            assert "too large" in said
    status, _ = stream(port, "/verify/", head, 256 * MIB, tail, chunked=False)
    assert status in (200, 403)  # without the form's token
    status, _ = stream(port, "/verify/", head, 64 * MIB, tail, chunked=True)
    assert status in (200, 403)
    assert peak(process) - before < 48
