"""The helper process: it loads the readers once and forks a limited child for each file.

Started as ``python -I zygote.py ROOT DESCRIPTOR MODULE…`` with an empty environment. It knows no Django, no
database and no secret. On the descriptor, a stream socket, each byte brings the socket of one job; the end of
the stream ends the helper.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import socket
import sys
import traceback

#: optional parts of libraries: big, and of no use here
_LEFT_OUT = ("numpy", "lxml", "PIL", "pandas")
_CHUNK = 1 << 20


def main(root: str, descriptor: str, *modules: str) -> None:
    sys.path.insert(0, root)
    for name in _LEFT_OUT:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in modules:
        importlib.import_module(name)
    for number in (signal.SIGINT, signal.SIGHUP):  # Ctrl-C is for the parent, whose end is ours
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children leave nothing to be waited for
    gc.freeze()  # what is loaded stays shared with the children
    control = socket.socket(fileno=int(descriptor))
    while True:
        said, received, _, _ = socket.recv_fds(control, 1, 1)
        if not said:
            return
        for handle in received:
            if os.fork() == 0:
                control.close()
                _child(handle)
            os.close(handle)


def _child(handle: int) -> None:
    """One job, and the end of the process."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        job = socket.socket(fileno=handle)
        job.sendall(b"!")
        order, content, files = _receive(job)
        limit(order["limits"])
        answer = _answer(order, content, files)
        with job.makefile("wb") as out:
            out.write(json.dumps(answer, ensure_ascii=True).encode())
        status = 0
    except BaseException:  # whatever it is: the parent sees that no answer comes
        with contextlib.suppress(BaseException):
            print("a reader ended without an answer", file=sys.stderr)
    finally:
        os._exit(status)


def _receive(job: socket.socket) -> tuple[dict, bytes, list[int]]:
    """The order (JSON on one line), what follows it, and files handed over with it."""
    first, files, _, _ = socket.recv_fds(job, 1 << 16, 1)
    parts = [first]
    while data := job.recv(_CHUNK):
        parts.append(data)
    head, _, content = b"".join(parts).partition(b"\n")
    return json.loads(head), content, list(files)


def limit(limits: dict[str, int]) -> None:
    """Hold this process to ``memory`` bytes more than it has, ``cpu`` and ``wall`` seconds.

    It writes no file, starts no process and leaves no dump.
    """
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(limits["wall"])
    _set("RLIMIT_CORE", 0)
    _set("RLIMIT_FSIZE", 0)
    _set("RLIMIT_NPROC", 0)
    _set("RLIMIT_NOFILE", 16)
    _set("RLIMIT_CPU", limits["cpu"])
    if (used := _address_space()) is not None:
        _set("RLIMIT_AS", used + limits["memory"])


def _set(name: str, value: int) -> None:
    """Where a system has no such limit, or does not let it be set (macOS), the others have to do."""
    if (kind := getattr(resource, name, None)) is not None:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))


def _address_space() -> int | None:
    """What the process has mapped, where the system tells: Linux."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return None


def _answer(order: dict, content: bytes, files: list[int]) -> dict:
    module, _, name = order["reader"].partition(":")
    try:
        given = os.fdopen(files[0], "rb") if files else content
        # sys.modules: only what was loaded at the start can be called
        value = getattr(sys.modules[module], name)(given, **order["options"])
        answer = {"value": value}
    except MemoryError:
        answer = {"spent": "memory"}
    except Exception as error:  # a fault of the reader: its kind and places, never its text
        places = [f"{at.filename}:{at.lineno} {at.name}" for at in traceback.extract_tb(error.__traceback__)]
        answer = {"fault": type(error).__name__, "places": places[-20:]}
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = used.ru_maxrss if sys.platform == "darwin" else used.ru_maxrss << 10
    return answer | {"peak": peak, "cpu": used.ru_utime + used.ru_stime}


if __name__ == "__main__":
    main(*sys.argv[1:])
