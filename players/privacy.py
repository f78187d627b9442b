"""What the public may know of a person: the one place that decides about years of birth, names and numbers.

Public is the year of birth at most, and not even that of the minors of a federation that hides it, nor of
anybody who is hidden or erased. The year comes out with the New Year after the 18th birthday, never on the
birthday itself: whoever watched a page would learn the day.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from django.db.models import Q
from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString

from players.languages.texts import said
from players.models import HIDDEN_NAME, Federation, Player, PrivacyRequest

__all__ = [
    "HIDDEN_NAME",
    "MINOR_UNTIL",
    "PERSON",
    "YEAR",
    "Policy",
    "named",
    "named_within",
    "policy",
    "policy_of",
    "public_birth_year",
    "public_view",
    "shown_to",
]

#: until the end of the year of this birthday a player counts as a minor
MINOR_UNTIL = 18
#: what is withheld of somebody: nothing (an empty text), the year of birth, or who he is
YEAR, PERSON = "year", "person"


@dataclass(frozen=True)
class Policy:
    """What is withheld on one day: ``federations`` are those that hide their minors' years of birth."""

    day: date
    federations: frozenset[str] = field(default_factory=frozenset)

    @property
    def first_minor(self) -> int:
        """The earliest year of birth of a minor."""
        return self.day.year - MINOR_UNTIL

    def withheld(self, privacy: str, federation: str, born: int | None) -> str:
        """What is withheld of a person of this standing (``Player.privacy``), federation and year."""
        if privacy:
            return PERSON
        minor = born is not None and born >= self.first_minor
        return YEAR if minor and federation in self.federations else ""

    def of(self, player: Player) -> str:
        """What is withheld of a player."""
        return self.withheld(player.privacy, player.federation_id, player.birth_year)

    def birth_year(self, player: Player) -> int | None:
        """The year of birth that may be shown."""
        return None if self.of(player) else player.birth_year

    def ageless(self) -> Q:
        """The players of whom no age may be told, as a condition on the register: no choice by age finds
        them."""
        minors = Q(federation__in=self.federations, birth_date__gte=date(self.first_minor, 1, 1))
        return ~Q(privacy="") | minors if self.federations else ~Q(privacy="")

    @cached_property
    def mark(self) -> str:
        """Another text whenever something else is withheld: for what is kept or cached of pages."""
        newest = PrivacyRequest.objects.exclude(decided_at=None).order_by("-decided_at")
        told = [self.first_minor, sorted(self.federations), str(newest.values_list("decided_at").first())]
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def policy(day: date | None = None) -> Policy:
    """What the settings withhold on a day, or now."""
    hiding = Federation.objects.filter(hides_minors=True).order_by().values_list("pk", flat=True)
    return Policy(day or timezone.localdate(), frozenset(hiding))


def policy_of(player: Player, day: date | None = None) -> Policy:
    """What the settings withhold of one player, as far as his federation decides."""
    hiding = frozenset([player.federation_id] if player.federation.hides_minors else ())
    return Policy(day or timezone.localdate(), hiding)


def public_birth_year(player: Player, day: date | None = None) -> int | None:
    """The year of birth that may be shown of one player; ``policy`` does for many."""
    return policy_of(player, day).birth_year(player)


def public_view(player: Player, rule: Policy) -> Player:
    """A player as the public knows him, with the year of birth at most; not for saving."""
    shown, year = copy.copy(player), rule.birth_year(player)
    shown.birth_date = None if year is None else date(year, 1, 1)
    shown.birth_precision = "" if year is None else Player.Precision.YEAR
    return shown


def shown_to(knows: Callable[[Player], bool], rule: Policy, player: Player) -> Player:
    """A player as somebody may know him (``players.access.knows``): else as the public does."""
    return player if knows(player) else public_view(player, rule)


def named(name: str) -> str:
    """A player's name as a page shows it: what stands for a hidden one in the reader's language. No other
    name is looked up, since a word can be one; files and programs' answers keep the English."""
    return said(name) if name == HIDDEN_NAME else name


def named_within(html: str) -> str:
    """The same of a piece of a page that Django made."""
    made = html.replace(HIDDEN_NAME, escape(named(HIDDEN_NAME)))
    return SafeString(made) if isinstance(html, SafeString) else made
