"""Which regulations there are: the built-in ones and those that other packages bring.

A package adds one through the entry-point group ``rating_portal.regulations``; the entry point is
a regulation, or a class or function that makes one when called without arguments.
"""

from __future__ import annotations

import sys
import warnings
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from regulations.base import Regulation
from regulations.fecap_postal import FecapPostal
from regulations.feda_1996 import Feda1996
from regulations.fide_2024 import FideRapidBlitz2024, FideStandard2024
from regulations.fide_rapid_2004 import FideRapid2004
from regulations.fide_rapid_blitz_2018 import FideRapidBlitz2018
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_standard_2004 import FideStandard2004

GROUP = "rating_portal.regulations"
BUILT_IN = (
    Feda1996,
    FecapPostal,
    FideStandard2004,
    FideRapid2004,
    FideRapidBlitz2018,
    FideRapidBlitz2022,
    FideStandard2024,
    FideRapidBlitz2024,
)

#: what the portal asks of a regulation
_OFFERED = sorted(
    {*Regulation.__annotations__, *(name for name in vars(Regulation) if not name.startswith("_"))}
)


class UnknownRegulation(LookupError):
    """No regulation has this code; the message lists the known ones."""


@cache
def _known() -> dict[str, Regulation]:
    found: dict[str, Regulation] = {made.code: made for made in (make() for make in BUILT_IN)}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            loaded = point.load()
            regulation = loaded() if callable(loaded) else loaded
            if missing := [name for name in _OFFERED if not hasattr(regulation, name)]:
                raise TypeError(f"it lacks {', '.join(missing)} (regulations.base.Regulation)")
            code = regulation.code
        except Exception as error:  # a faulty plug-in must not take the others with it
            warnings.warn(f"Regulation {point.name} ({point.value}) cannot be loaded: {error}", stacklevel=2)
            continue
        if code in found:
            warnings.warn(f"Regulation {point.value} repeats the code {code}; ignored.", stacklevel=2)
            continue
        found[code] = regulation
    return dict(sorted(found.items()))


def all_regulations() -> tuple[Regulation, ...]:
    """Every known regulation, in order of codes."""
    return tuple(_known().values())


def get(code: str) -> Regulation:
    """The regulation with this code, with the readings of the decisions; UnknownRegulation if none."""
    try:
        return _known()[code]
    except KeyError:
        raise UnknownRegulation(f'No regulation "{code}". Known: {", ".join(_known())}.') from None


def find(code: Any) -> Regulation | None:
    """The same; None for whatever is not the code of a regulation."""
    return _known().get(code) if isinstance(code, str) else None


def translations() -> tuple[Path, ...]:
    """The folders ``locale`` that packages of regulations bring, each beside its top module."""
    found = []
    for regulation in all_regulations():
        kind = regulation if isinstance(regulation, type) else type(regulation)
        top = sys.modules.get(kind.__module__.partition(".")[0])
        folder = Path(getattr(top, "__file__", None) or "").parent / "locale"
        if kind not in BUILT_IN and top is not sys.modules["regulations"] and folder.is_dir():
            found.append(folder)
    return tuple(dict.fromkeys(found))


def refresh() -> None:
    """Look for regulations anew, after a package was installed."""
    _known.cache_clear()
