"""Having a file read apart: a helper process is kept, and forks a limited child for each file."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
#: what a child says before it reads
STARTED = b"!"
#: for so long after the child's own limit an answer is waited for
_GRACE = 5


class Spent(Exception):
    """The reader was ended: it took too much memory or time."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        super().__init__(
            f"Reading the file took more than {limits.memory >> 20} MiB of memory or {limits.cpu} seconds."
        )


class ReaderFault(Exception):
    """The reader failed, which is a fault of the portal."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use: bytes of memory beyond what it starts with, seconds of the processor, and seconds
    on the clock."""

    memory: int
    cpu: int
    wall: int

    def as_json(self) -> dict[str, int]:
        return {"memory": self.memory, "cpu": self.cpu, "wall": self.wall}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reader returned, and what it took: bytes at the peak, and seconds of the processor."""

    value: Any
    peak: int
    cpu: float


class Readers:
    """Readers of some modules, named ``module:function``.

    A function gets bytes, or an open file, and options; it returns values that JSON has. The modules must
    not import Django.
    """

    def __init__(self, *modules: str) -> None:
        self.modules = modules
        self._lock = threading.Lock()
        self._owner = 0
        self._control: socket.socket | None = None
        self._process: subprocess.Popen | None = None

    def read(
        self, reader: str, content: bytes | BinaryIO, limits: Limits, options: dict | None = None
    ) -> Answer:
        """Have it read. Raises Spent where the limits did not do, ReaderFault for a fault of the reader."""
        order = {"reader": reader, "limits": limits.as_json(), "options": options or {}}
        said = self._asked(order, content, limits) or self._asked(order, content, limits)
        if not said:
            raise ReaderFault("The helper process that reads files does not start.")
        if said == STARTED:
            raise Spent(limits)
        answer = json.loads(said.removeprefix(STARTED))
        if answer.get("spent"):
            raise Spent(limits)
        if "fault" in answer:
            # the texts of errors may hold what somebody typed
            raise ReaderFault(f"{reader}: {answer['fault']} at {' < '.join(reversed(answer['places']))}")
        return Answer(answer["value"], answer["peak"], answer["cpu"])

    def _asked(self, order: dict, content: bytes | BinaryIO, limits: Limits) -> bytes:
        with self._job() as job:
            return _asked(job, order, content, limits)

    def _job(self) -> socket.socket:
        """A socket with a child at its other end."""
        for again in (False, True):
            ours, theirs = socket.socketpair()
            try:
                with self._lock:
                    socket.send_fds(self._started(), [b"j"], [theirs.fileno()])
                return ours
            except OSError:  # the helper was ended by somebody: once more with a new one
                ours.close()
                with self._lock:
                    self._forget()
                if again:
                    raise
            finally:
                theirs.close()
        raise AssertionError  # pragma: no cover

    def _started(self) -> socket.socket:
        """The helper's control; its first job starts it. A process that was forked starts one of its own."""
        if self._control is not None and self._owner == os.getpid() and self._process.poll() is None:
            return self._control
        self._forget()
        if not sys.platform.startswith("linux"):
            log.warning("this system does not limit a reader's memory: only its time is limited")
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", zygote_file(), str(ROOT), str(theirs.fileno()), *self.modules],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd="/",
                env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._control, self._owner = ours, os.getpid()
        return ours

    def _forget(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None and self._owner == os.getpid():
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
        self._control = self._process = None


def zygote_file() -> str:
    return str(Path(__file__).with_name("zygote.py"))


def _asked(job: socket.socket, order: dict, content: bytes | BinaryIO, limits: Limits) -> bytes:
    """The whole answer; only STARTED if the child was ended, nothing if there was none."""
    head, until = json.dumps(order).encode() + b"\n", time.monotonic() + limits.wall + _GRACE
    answer = bytearray()
    kept = contextlib.nullcontext(content) if isinstance(content, bytes) else _with_descriptor(content)
    try:
        with kept as given:
            _let(job, until)
            socket.send_fds(job, [head], [] if isinstance(given, bytes) else [given.fileno()])
            if isinstance(given, bytes):
                job.sendall(given)
            job.shutdown(socket.SHUT_WR)
            _let(job, until)
            while data := job.recv(1 << 20):
                answer += data
                if len(answer) > limits.memory:
                    return STARTED
                _let(job, until)
            return bytes(answer)
    except TimeoutError:
        return STARTED
    except ConnectionError:
        return bytes(answer[:1])


def _let(job: socket.socket, until: float) -> None:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    job.settimeout(left)


@contextlib.contextmanager
def _with_descriptor(file: BinaryIO):
    """The file itself, or a copy of one that lies in memory only. Reading begins at the start."""
    try:
        file.fileno()
    except OSError:
        file.seek(0)
        with tempfile.TemporaryFile() as copy:
            while data := file.read(1 << 20):
                copy.write(data)
            copy.flush()
            copy.seek(0)
            yield copy
    else:
        # The child shares the place where the file is read, of which our buffer must not be robbed.
        before = os.lseek(file.fileno(), 0, os.SEEK_CUR)
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        try:
            yield file
        finally:
            os.lseek(file.fileno(), before, os.SEEK_SET)
