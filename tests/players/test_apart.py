"""The child process that reads what was sent: its limits, its ends, and what it cannot see."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from players.apart.calling import ROOT, Limits, ReaderFault, Readers, Spent

pytestmark = pytest.mark.once

LIMITS = Limits(memory=64 << 20, cpu=1, wall=4)
TOY = """
import os, resource, sys, threading, time

def echo(given, **options):
    return {"bytes": len(given if isinstance(given, bytes) else given.read()), **options}

def seen(content):
    return {"environment": dict(os.environ), "modules": sorted(sys.modules), "parent": os.getppid()}

def hungry(content):
    return len([b"x" * (1 << 20) for _ in range(200)])

def busy(content):
    while True:
        pass

def asleep(content):
    time.sleep(60)

def dies(content):
    os.kill(os.getpid(), 9)

def fails(content):
    raise ValueError("a name that no log shall hold")

def forks(content):
    return os.fork()

def writes(content, path):
    with open(path, "w") as file:
        file.write("something")

def limits(content):
    names = ("AS", "CPU", "FSIZE", "NPROC", "CORE", "NOFILE")
    return {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in names}
"""


@pytest.fixture
def readers(tmp_path, monkeypatch):
    """Readers of a module that is no part of the portal."""
    (tmp_path / "toy_reader.py").write_text(TOY)
    monkeypatch.setattr("players.apart.calling.ROOT", tmp_path)
    made = Readers("toy_reader")
    yield made
    if made._control is not None:
        made._control.close()
        made._process.wait(5)


def call(readers: Readers, name: str, content=b"", **options):
    return readers.read(f"toy_reader:{name}", content, LIMITS, options)


def test_bytes_and_files_come_through(readers, tmp_path):
    assert call(readers, "echo", b"x" * 3_000_000, a=[1, "é"]).value == {"bytes": 3_000_000, "a": [1, "é"]}
    assert call(readers, "echo", b"").value == {"bytes": 0}
    with tempfile.TemporaryFile() as file:
        file.write(b"0123456789" * 10_000)
        file.seek(5)
        assert file.read(3) == b"567"
        assert call(readers, "echo", file).value == {"bytes": 100_000}
        assert file.read(3) == b"890"  # where it was
    assert call(readers, "echo", io.BytesIO(b"abc")).value == {"bytes": 3}


def test_it_knows_no_secret_no_django_and_no_numpy(readers, monkeypatch):
    monkeypatch.setenv("PORTAL_SECRET_KEY", "a secret that a child must not see")
    seen = call(readers, "seen").value
    assert set(seen["environment"]) <= {"PATH", "LANG", "LC_CTYPE"}
    assert not {"django", "psycopg", "redis"} & set(seen["modules"])


@pytest.mark.parametrize("module", ["tournaments.reports.reader", "players.listformats.first_look"])
def test_the_readers_of_the_portal_load_neither_django_nor_numpy(module):
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.modules['numpy'] = None; import {module};"
        " print(*(set(sys.modules) & {'django', 'psycopg', 'redis', 'celery', 'sqlite3'}))"
    )
    said = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == ""


@pytest.mark.parametrize("name", ["hungry", "busy", "asleep", "dies"])
def test_what_takes_too_much_is_ended(readers, name):
    begun = time.monotonic()
    with pytest.raises(Spent, match="64 MiB of memory or 1 seconds"):
        call(readers, name)
    assert time.monotonic() - begun < 15
    assert call(readers, "echo", b"ab").value == {"bytes": 2}  # the helper goes on


def test_limits_are_set(readers):
    found = call(readers, "limits").value
    assert found["FSIZE"] == found["NPROC"] == found["CORE"] == [0, 0]
    assert found["CPU"] == [1, 1]
    assert found["NOFILE"] == [16, 16]
    assert 64 << 20 < found["AS"][0] < 400 << 20


def test_no_file_is_written(readers, tmp_path):
    with pytest.raises(ReaderFault):
        call(readers, "writes", path=str(tmp_path / "left"))
    assert (tmp_path / "left").read_bytes() == b""


def test_a_fault_tells_kind_and_place_but_no_text(readers):
    with pytest.raises(ReaderFault, match=r"ValueError at .*toy_reader\.py:") as fault:
        call(readers, "fails")
    assert "no log shall hold" not in str(fault.value)


@pytest.mark.parametrize("name", ["os:system", "builtins:print", "toy_reader:nothing"])
def test_only_what_was_loaded_and_named_is_called(readers, name):
    with pytest.raises(ReaderFault):
        readers.read(name, b"", LIMITS, {"command": "true"})


def test_a_helper_that_was_killed_is_started_again(readers):
    call(readers, "echo", b"a")
    first = readers._process.pid
    os.kill(first, signal.SIGKILL)
    assert call(readers, "echo", b"ab").value == {"bytes": 2}
    assert readers._process.pid != first


def test_a_helper_that_cannot_start_is_no_fault_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("players.apart.calling.ROOT", tmp_path)
    with pytest.raises(ReaderFault, match="does not start"):
        Readers("no_such_module").read("no_such_module:read", b"", LIMITS)


def test_many_threads_at_once(readers):
    found = []

    def work(number: int) -> None:
        found.append(call(readers, "echo", b"x" * number).value["bytes"] == number)

    threads = [threading.Thread(target=work, args=(n * 1000,)) for n in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 24


def test_after_a_fork_each_process_has_a_helper_of_its_own(readers):
    """As web servers and workers do, which load the code and fork then."""
    call(readers, "echo", b"a")
    ours = readers._process.pid
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        answer = call(readers, "echo", b"abc").value["bytes"]
        os.write(writing, f"{answer} {readers._process.pid}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    answer, theirs = os.read(reading, 100).split()
    assert int(answer) == 3
    assert int(theirs) != ours
    assert call(readers, "echo", b"ab").value == {"bytes": 2}
    assert readers._process.pid == ours


def test_the_helper_ends_with_its_parent(tmp_path):
    (tmp_path / "toy_reader.py").write_text(TOY)
    program = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from players.apart import calling
calling.ROOT = Path({str(tmp_path)!r})
readers = calling.Readers("toy_reader")
readers.read("toy_reader:echo", b"", calling.Limits(64 << 20, 1, 4))
print(readers._process.pid, flush=True)
import os; os.kill(os.getpid(), 9)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    helper = Path(f"/proc/{int(said.stdout)}")
    until = time.monotonic() + 10
    while helper.exists() and "Z" not in (helper / "stat").read_text().split()[2]:
        assert time.monotonic() < until
        time.sleep(0.05)
