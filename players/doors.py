"""How much a page may be sent: said where the page is, held by ``ratingsite.bodies``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

KIB, MIB = 1 << 10, 1 << 20
#: what surrounds a file in a form
AROUND = 64 * KIB


@dataclass(frozen=True, slots=True)
class Door:
    """The largest file that a page takes, in bytes; what to do with a larger one; and the right without which
    nobody gets further than with an ordinary form."""

    file: int
    remedy: str | Promise
    permission: str = ""

    @property
    def body(self) -> int:
        """The largest body, in bytes."""
        return self.file + AROUND


#: pages without a file: rows pasted or typed, and a report that its preview brings back
FORM = Door(3 * MIB - AROUND, _("Send less at once: the rows in parts, or a text in a file of its own."))


def takes_file(most: int, remedy: str | Promise, permission: str = "") -> Callable[[Callable], Callable]:
    """A page that may be sent a file of so many bytes."""

    def mark(view: Callable) -> Callable:
        view.door = Door(most, remedy, permission)
        return view

    return mark


def size_of(most: int) -> str:
    """A limit as people say it: 1 MiB, 512 MiB, 2 GiB."""
    return f"{most >> 20} MiB" if most < 1 << 30 else f"{-(-most >> 30)} GiB"
