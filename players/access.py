"""Whose rows an account may work on: the one place that knows (docs/staff/roles.md).

Rights say what an account may do (``players.roles``); this says with which rows. Each app names for its
models the way from a row to its federation; ``for_user`` keeps of a queryset what an account may work on, and
views, admin and API ask it. What is not among these rows does not exist for the account: 404.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Q, QuerySet

from players.models import (
    AuditEntry,
    Clerkship,
    Federation,
    FideListing,
    FormerName,
    Identifier,
    IdentityChange,
    IssuingBody,
    Membership,
    OutboxMessage,
    Player,
    PlayerImport,
    PrivacyRequest,
    Title,
)

EVERYWHERE = "players.all_federations"
#: model -> the ways from a row to its federation; none: the rows are nobody's own
_WAYS: dict[type[models.Model], tuple[str, ...]] = {}
#: models whose rows without any federation are everybody's
_SHARED: set[type[models.Model]] = set()


def federations_of(user) -> frozenset[str] | None:
    """The codes of the federations that an account works for; None: for all.

    Kept with the account object, like Django keeps its rights: for one request.
    """
    if not user.is_active:
        return frozenset()
    if user.has_perm(EVERYWHERE):
        return None
    if not hasattr(user, "_federations"):
        codes = Clerkship.objects.filter(user=user.pk).values_list("federation", flat=True)
        user._federations = frozenset(codes)
    return user._federations


def works_for(user, federation: str | None) -> bool:
    """Does an account work for this federation (its code)? None: for rows of no federation."""
    codes = federations_of(user)
    return codes is None or federation in codes


def may(user, right: str, row: models.Model) -> bool:
    """Has the account the right, and does it work for the ``federation`` of the row?"""
    return user.has_perm(right) and works_for(user, row.federation_id)


def knows(user, player: Player) -> bool:
    """May an account learn of a player what the public does not: his birthday, a name that was hidden? None
    is the portal itself."""
    return user is None or may(user, "players.view_player", player)


def require(user, right: str, *rows: models.Model) -> None:
    """PermissionDenied unless the account has the right, and works for the ``federation`` of each row."""
    if not user.has_perm(right):
        raise PermissionDenied(f"{user} lacks the right “{right}”.")
    for row in rows:
        if not works_for(user, row.federation_id):
            raise PermissionDenied(f"{user} does not work for {row.federation_id}.")


def belongs(model: type[models.Model], *ways: str, shared: bool = False) -> None:
    """Declare how a model's rows lead to their federation, such as ``tournament__federation``.

    Of several ways one suffices. Without a way the rows are open to whoever has the right to the model;
    ``shared``: those without a federation are, too.
    """
    _WAYS[model] = ways
    if shared:
        _SHARED.add(model)


def register_own() -> None:
    """Declare this app's models, and the accounts, which only the rights to them open."""
    belongs(Federation, "pk")
    belongs(Player, "federation")
    for model in (Identifier, Title, Membership, FormerName, FideListing, PrivacyRequest):
        belongs(model, "player__federation")
    belongs(IdentityChange, "source__federation", "target__federation")
    belongs(Clerkship, "federation")
    for model in (IssuingBody, PlayerImport, AuditEntry, OutboxMessage, get_user_model(), Group, Permission):
        belongs(model)


def known(model: type[models.Model]) -> bool:
    """Was it declared whose a model's rows are?"""
    return model in _WAYS


def ways(model: type[models.Model]) -> tuple[str, ...]:
    """The ways from a model's rows to their federation, unless rows without one are everybody's."""
    return () if model in _SHARED else _WAYS.get(model, ())


def for_user(rows: QuerySet, user) -> QuerySet:
    """Of these rows those that an account may work on; LookupError for a model that nobody declared."""
    model = rows.model
    if not known(model):
        raise LookupError(
            f"Nobody said whose the rows of {model._meta.label} are: see players.access.belongs."
        )
    codes = federations_of(user)
    if codes is None or not _WAYS[model]:
        return rows
    wanted = Q(pk__in=())
    for way in _WAYS[model]:
        wanted |= Q(**{f"{way}__in": codes})
        if model in _SHARED:
            wanted |= Q(**{f"{way}__isnull": True})
    return rows.filter(wanted)


def with_kept(rows: QuerySet, user, kept: Iterable) -> QuerySet:
    """``for_user``, and besides the rows with these keys: a form may keep what it holds already."""
    return rows.filter(
        Q(pk__in=for_user(rows.model._default_manager.all(), user).values("pk")) | Q(pk__in=list(kept))
    )
