"""Persons hidden, shown again and erased: what staff decide, each a transaction, audited without a name."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone

from players import audit, erasing, merging
from players.erasing import Person
from players.models import HIDDEN_NAME, FormerName, Identifier, Player, PrivacyRequest
from regulations.characters import without_forbidden

RIGHT = "players.decide_privacy"
Wish, State, Privacy = PrivacyRequest.Wish, PrivacyRequest.State, Player.Privacy
#: why a hidden player has his own name among the former ones
REASON = "hidden"


class PrivacyRefused(Exception):
    """What cannot be done, in a sentence with its remedy."""


def _begun(player: Player, by, reason: str) -> tuple[Player, list[Player], str]:
    """The person, all his records locked, and the reason."""
    if not by.has_perm(RIGHT):
        raise PermissionDenied(f"{by} lacks the right “{RIGHT}”.")
    if not (reason := without_forbidden(reason).strip()):
        raise PrivacyRefused("Give a reason: it is kept for the staff.")
    person = player.standing
    records = list(Player.objects.select_for_update().filter(pk__in=person.records).order_by("pk"))
    person = next(each for each in records if each.pk == person.pk)
    if person.merged_into_id is not None:
        raise PrivacyRefused("The record was just merged with another. Try again.")
    return person, records, reason


def _decided(player: Player, wish: str, by, reason: str, asked: PrivacyRequest | None, act: str, **kept):
    """The request that was decided on, or a new one that staff noted."""
    if asked is not None:
        asked = PrivacyRequest.objects.select_for_update().get(pk=asked.pk)
        if asked.state != State.OPEN:
            raise PrivacyRefused(f"Request {asked.pk} is decided already.")
    done = asked or PrivacyRequest(player=player)
    done.wish, done.state, done.reason, done.kept = wish, State.DONE, reason, kept
    done.decided_by, done.decided_at = by, timezone.now()
    done.save()
    # Neither name nor reason: the log is for ever.
    audit.record(act, by, player, f"record {player.pk}", request=done.pk)
    _tell_sender(done, "It is done.")
    return done


def _tell_sender(request: PrivacyRequest, answer: str) -> None:
    """One mail to who asked, once this is committed; whether it arrives changes nothing."""
    if settings.PORTAL_MAIL and request.email:
        subject = f"Your request {request.pk} to the rating portal"
        asked = f"You asked the federation: {request.get_wish_display()} (record {request.player_id})."
        mail = EmailMessage(subject, f"{asked}\n{answer}\n", to=[request.email])
        transaction.on_commit(mail.send, robust=True)


@transaction.atomic
def hide(player: Player, by, reason: str, asked: PrivacyRequest | None = None) -> PrivacyRequest:
    """Show "Hidden player" for somebody's name from now on, and none of his numbers. Staff still find him
    by his name, which stands among his former ones. Raises PrivacyRefused and PermissionDenied."""
    person, records, reason = _begun(player, by, reason)
    if person.privacy:
        raise PrivacyRefused(f"The player is {person.get_privacy_display()} already.")
    kept = {}
    for record in records:
        public = FormerName.objects.filter(player=record, public=True)
        told = {"name": record.name, "public": list(public.order_by("pk").values_list("pk", flat=True))}
        public.update(public=False)
        former, new = FormerName.objects.get_or_create(
            player=record, name=record.name, defaults={"reason": REASON, "public": False}
        )
        kept[str(record.pk)] = told | {"former": former.pk if new else None}
        record.name, record.privacy = HIDDEN_NAME, Privacy.HIDDEN
        record.save()
    erasing.tell(Person(tuple(record.pk for record in records)))
    return _decided(person, Wish.HIDE, by, reason, asked, "player.hidden", records=kept)


@transaction.atomic
def reveal(player: Player, by, reason: str, asked: PrivacyRequest | None = None) -> PrivacyRequest:
    """Undo a hiding: the names that were put aside are shown again."""
    person, records, reason = _begun(player, by, reason)
    if person.privacy != Privacy.HIDDEN:
        raise PrivacyRefused("Only a hidden player can be shown again.")
    aside = _put_aside(person)
    for record in records:
        told = aside.kept["records"][str(record.pk)]
        FormerName.objects.filter(pk=told["former"], player=record).delete()
        FormerName.objects.filter(pk__in=told["public"], player=record).update(public=True)
        record.name, record.privacy = told["name"], Privacy.NONE
        record.save()
    PrivacyRequest.objects.filter(pk=aside.pk).update(kept={})
    erasing.tell(Person(tuple(record.pk for record in records)))
    return _decided(person, Wish.REVEAL, by, reason, asked, "player.revealed")


def _put_aside(person: Player) -> PrivacyRequest:
    hidings = person.privacy_requests.filter(wish=Wish.HIDE, state=State.DONE)
    return hidings.exclude(kept={}).latest("decided_at")


def person_of(player: Player) -> Person:
    """All that an erasure looks for: names past and present, accounts, mailboxes of requests."""
    person = player.standing
    records = Player.objects.filter(pk__in=person.records)
    names = {record.name for record in records}
    names |= set(FormerName.objects.filter(player__in=person.records).values_list("name", flat=True))
    requests = PrivacyRequest.objects.filter(player__in=person.records)
    for kept in requests.values_list("kept", flat=True):
        names |= {told["name"] for told in kept.get("records", {}).values()}
    users = {record.user_id for record in records if record.user_id}
    boxes = requests.exclude(mailbox="").values_list("mailbox", flat=True)
    numbers = Identifier.objects.filter(player__in=person.records).values_list("value", flat=True)
    return Person(
        tuple(person.records),
        erased=True,
        names=frozenset(names - {HIDDEN_NAME}),
        numbers=frozenset(numbers),
        users=frozenset(users),
        mailboxes=frozenset(boxes),
    )


@transaction.atomic
def erase(player: Player, by, reason: str, asked: PrivacyRequest | None = None) -> PrivacyRequest:
    """Take name, birth date, numbers, former names and addresses of somebody away, for good; ratings,
    games and results stay under the number of his record. Raises PrivacyRefused and PermissionDenied."""
    person, _, reason = _begun(player, by, reason)
    if person.privacy == Privacy.ERASED:
        raise PrivacyRefused("The player is erased already.")
    found = person_of(person)
    erasing.erase_rows(found)
    _close_accounts(found)
    erasing.tell(found)
    person.refresh_from_db()
    done = _decided(person, Wish.ERASE, by, reason, asked, "player.erased")
    own = PrivacyRequest.objects.filter(player__in=found.records)
    own.update(text="", name="", email="", mailbox="", client="", kept={})
    erasing.sweep_texts(found)
    done.refresh_from_db()
    return done


def _close_accounts(person: Person) -> None:
    """Accounts that are nothing but the player's are emptied and closed; those of staff and arbiters are
    only parted from him."""
    for user in get_user_model().objects.filter(pk__in=person.users):
        if user.is_staff or user.is_superuser or user.groups.exists() or hasattr(user, "arbiter"):
            continue
        user.username, user.email, user.first_name, user.last_name = f"erased-{user.pk}", "", "", ""
        user.is_active = False
        user.set_unusable_password()
        user.save()


@transaction.atomic
def refuse(asked: PrivacyRequest, by, reason: str) -> None:
    """Turn a request down; who asked is told that, and the reason stays with the staff."""
    if not by.has_perm(RIGHT):
        raise PermissionDenied(f"{by} lacks the right “{RIGHT}”.")
    if not (reason := without_forbidden(reason).strip()):
        raise PrivacyRefused("Give a reason: it is kept for the staff.")
    held = PrivacyRequest.objects.select_for_update().get(pk=asked.pk)
    if held.state != State.OPEN:
        raise PrivacyRefused(f"Request {held.pk} is decided already.")
    held.state, held.reason, held.decided_by, held.decided_at = State.REFUSED, reason, by, timezone.now()
    held.save()
    audit.record("privacy.refused", by, held, f"request {held.pk}")
    _tell_sender(held, "The federation has refused it: write to it, if you want to know why.")


# --- records of one person -------------------------------------------------------------------------


def hidden_stay_apart(kind: str, source: Player, target: Player):
    """Why records of hidden and erased players are neither merged nor split."""
    for each in dict.fromkeys((source, target)):
        if each.privacy == Privacy.HIDDEN:
            yield f"Record {each.pk} is hidden: show the player again first, and hide him afterwards."
        elif each.privacy == Privacy.ERASED:
            yield f"Record {each.pk} is erased: nothing is known any more by which it could be somebody's."


def register() -> None:
    merging.object_with(hidden_stay_apart)
