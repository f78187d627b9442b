"""Every grant, waiver and decision is in the audit log: the services are found in the code, and one that
keeps nothing fails."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from players import audit, hiding, roles
from players.models import AuditEntry, PrivacyRequest
from players.roles import Role
from ratinglists import api_keys, complaints, corrections
from ratinglists.models import ApiKey
from tests import factories as make
from tests.roles.world import OTHER, OWN, World
from tournaments.models import RatingSystem

PACKAGES = ("players", "tournaments", "ratinglists")
#: what is no decision, and where it is kept instead
SILENT = {
    "tournaments.drafting.autosave": "what is typed and not sent yet is nobody's business",
    "tournaments.drafting.absent": "likewise",
    "tournaments.drafting.resume": "likewise",
    "tournaments.drafting.discard": "likewise",
    "tournaments.entries.add_entry": "the registration's checks keep who and why",
    "tournaments.entries.enter_list": "likewise",
    "tournaments.entries.withdraw_entry": "likewise",
    "tournaments.rechecks.recheck": "it writes these checks",
}


def services() -> Iterator[tuple[str, object]]:
    """Every function that changes something for somebody: a transaction, with ``by`` or ``user``."""
    for package in PACKAGES:
        found = importlib.import_module(package)
        for info in pkgutil.walk_packages(found.__path__, f"{package}."):
            if any(part in info.name for part in (".migrations", ".management", ".demo")):
                continue
            module = importlib.import_module(info.name)
            for name, each in vars(module).items():
                plain = inspect.unwrap(each) if callable(each) else None
                if not inspect.isfunction(plain) or plain.__module__ != info.name or name.startswith("_"):
                    continue
                head = inspect.getsource(plain).split("def ")[0]
                if "atomic" in head and {"by", "user"} & set(inspect.signature(plain).parameters):
                    yield f"{info.name}.{name}", plain


def records(function, seen: set) -> bool:
    """Does a function, or one that it calls, write an entry?"""
    plain = inspect.unwrap(function)
    if plain is inspect.unwrap(audit.record):
        return True
    if not inspect.isfunction(plain) or plain in seen or plain.__module__.split(".")[0] not in PACKAGES:
        return False
    seen.add(plain)
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(plain)))):
        called = _called(node.func, plain.__globals__) if isinstance(node, ast.Call) else None
        if called is not None and records(called, seen):
            return True
    return False


def _called(node: ast.expr, names: dict):
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return getattr(names.get(node.value.id), node.attr, None)
    return None


@pytest.mark.once
def test_every_service_keeps_what_was_decided():
    found = dict(services())
    assert len(found) > 40
    assert SILENT.keys() <= found.keys()
    assert [name for name, each in found.items() if name not in SILENT and not records(each, set())] == []
    # The silent ones must not become the way around.
    assert [name for name in SILENT if records(found[name], set())] == []


# --- the services that tests/ratinglists/test_acts.py does not go through ---------------------------------


def _key(world: World) -> ApiKey:
    return api_keys.make(
        world.boss, name="Program", federation=world.federation, user=world.boss, scopes=(),
        expires_at=timezone.now() + timedelta(days=9),
    )[0]  # fmt: skip


class Acting(World):
    def __init__(self) -> None:
        super().__init__()
        self.boss, self.own = make.root(), self.sides[OWN]
        self.user, self.federation = make.make_user("somebody"), make.make_federation(OWN)
        self.correction = corrections.open_of(self.own.rows[RatingSystem])
        self.asked = self.own.rows[PrivacyRequest]

    def upheld(self):
        complaints.answer(self.own.complaint, self.boss, uphold=True, reason="Yes.")
        return self.own.complaint


ACTS = {
    "role.granted": lambda w: roles.grant(w.user, Role.CLERK, by=w.boss, federation=OTHER),
    "role.revoked": lambda w: roles.revoke(w.users["O"], Role.OFFICER, by=w.boss),
    "user.closed": lambda w: roles.close(w.user, by=w.boss),
    "player.hidden": lambda w: hiding.hide(w.own.player, w.boss, "He asks."),
    "player.erased": lambda w: hiding.erase(w.own.player, w.boss, "He asks."),
    "privacy.refused": lambda w: hiding.refuse(w.asked, w.boss, "It is not he."),
    "apikey.made": _key,
    "apikey.revoked": lambda w: api_keys.revoke(w.own.rows[ApiKey], w.boss),
    "complaint.answered": lambda w: w.upheld(),
    "correction.dropped": lambda w: corrections.drop(w.correction, w.boss, "Nothing was wrong."),
}


@pytest.mark.django_db
@pytest.mark.parametrize("act", ACTS)
def test_one_act_one_entry(act):
    world = Acting()
    known = set(AuditEntry.objects.values_list("pk", flat=True))
    with transaction.atomic():
        ACTS[act](world)
    (entry,) = AuditEntry.objects.exclude(pk__in=known)
    assert (entry.act, entry.actor) == (act, world.boss)
    assert entry.subject
