"""Named places at which a test can have the process die as in a power cut.

``PORTAL_CRASH_AT=name`` in the environment kills the process there with SIGKILL; ``name:3`` the third
time it comes by. Without it, ``here`` does nothing. The chaos suite
(docs/developers/chaos.md) kills at each of them.
"""

from __future__ import annotations

import os
import signal
from collections import Counter

_passed: Counter[str] = Counter()


def here(name: str) -> None:
    """Die here if the environment asks for it."""
    wanted = os.environ.get("PORTAL_CRASH_AT", "")
    if not wanted:
        return
    place, _, times = wanted.rpartition(":")  # names have a colon of their own: "publish: before the commit"
    if not times.isdigit():
        place, times = wanted, "1"
    if place == name:
        _passed[name] += 1
        if _passed[name] == int(times):
            os.kill(os.getpid(), signal.SIGKILL)
