"""What makes live ratings be computed again: an event that is accepted or is not any more and a list that
is published, asked for in the transaction that does it; records merged or split, right after theirs."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Model
from django.db.models.signals import post_save

from players.models import IdentityChange
from ratinglists import live
from ratinglists.models import RatingList
from tournaments.models import RatingSystem, StateChange
from tournaments.states import State


def of_state(sender: type[Model], instance: StateChange, created: bool, **kwargs) -> None:
    """A report accepted; or one that was is returned, or another takes its place."""
    if not created or instance.state not in (State.ACCEPTED, State.RETURNED, State.REPORTED):
        return
    before = StateChange.objects.filter(tournament=instance.tournament_id, pk__lt=instance.pk)
    if State.ACCEPTED in (instance.state, before.order_by("-pk").values_list("state", flat=True).first()):
        live.ask(instance.tournament.rating_system)


def of_identity(sender: type[Model], instance: IdentityChange, **kwargs) -> None:
    """Afterwards: who sends a report holds the system and waits for the players that a merge holds.
    What a death in between loses, the sweep finds (``live.sweep``)."""
    transaction.on_commit(_ask_all, robust=True)


def _ask_all() -> None:
    for system in RatingSystem.objects.order_by("pk"):
        live.ask(system)


def of_list(sender: type[Model], instance: RatingList, **kwargs) -> None:
    if instance.state == RatingList.State.PUBLISHED:
        live.ask(instance.system)


def connect() -> None:
    for receiver, sender in ((of_state, StateChange), (of_identity, IdentityChange), (of_list, RatingList)):
        post_save.connect(receiver, sender=sender, dispatch_uid=f"live ratings: {sender.__name__}")
