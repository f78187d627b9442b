"""Complaints: until when, opening, withdrawing and answering them, and turning one into a correction.

Each function that changes something is one transaction; each refusal an exception with text for people.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Min
from django.urls import reverse
from django.utils import timezone

from players import access, audit, crashpoints
from players.models import Player
from players.outbox import tell_staff
from ratinglists import complaint_mail, corrections
from ratinglists.complaint_senders import mailbox, not_again, own_cases, within_bounds
from ratinglists.models import Complaint, Correction, EventResult, RatingList
from ratinglists.profiles import HIDDEN
from ratinglists.records import answer_sha256, complaint_sha256
from tournaments.access import for_user
from tournaments.deadlines import Deadline
from tournaments.models import RatingSystem, Tournament
from tournaments.outlook import first_list, last_end
from tournaments.queue import Waiting
from tournaments.transitions import NotAllowedNow, said

ANSWER, CORRECT = "ratinglists.answer_complaint", "ratinglists.correct_list"
State, Subject = Complaint.State, Complaint.Subject


# --- until when ------------------------------------------------------------------------------------------


def takes(tournament: Tournament) -> bool:
    """Can anybody complain about it: is there a report that the public sees?"""
    if tournament.state in (*HIDDEN, Tournament.State.CANCELLED):
        return False
    return tournament.state == Tournament.State.COUNTED or tournament.reports.exists()


def counted_in(tournament: Tournament) -> RatingList | None:
    """The newest published list that dealt with it, in its first revision."""
    events = EventResult.objects.filter(tournament=tournament, rating_list__state=RatingList.State.PUBLISHED)
    newest = events.order_by("-rating_list__period__list_date", "rating_list__revision").first()
    return newest and newest.rating_list


def deadline(tournament: Tournament) -> Deadline | None:
    """The last day for complaints; None where no regulation makes the list that would count the event.

    The days run from the list that counted it: from its date, or from its publication where that came
    later. They are those of the regulation that has a parameter ``complaint_days`` (of the texts that are
    installed none counts days for that; 2018 0.5 and 2022 and 2024 0.4 do for refused events only), else
    those that the federation set. Before, complaints are in time until the next list closes.
    """
    listed = counted_in(tournament)
    return _of_next_list(tournament) if listed is None else _after_list(tournament, listed)


def _after_list(tournament: Tournament, listed: RatingList) -> Deadline:
    system, regulation = tournament.rating_system, tournament.regulation
    published = listed.period.lists.aggregate(first=Min("published_at"))["first"]
    start = max(listed.list_date, system.day_of(published))
    named = regulation.parameters.get("complaint_days") if regulation else None
    days = system.complaint_days if named is None else named.value
    what = "the list" if start == listed.list_date else "its publication"
    why = f"{days} days after {what} of {start}"
    return Deadline(start + timedelta(days=days), "" if named is None else named.article, why)


def _of_next_list(tournament: Tournament) -> Deadline | None:
    reports = tournament.reports.order_by("-submitted_at").values_list("received_on", flat=True)
    received, system = reports.first() or tournament.end, tournament.rating_system
    closing_days = dict(system.periods.values_list("list_date", "closes_on"))
    list_date = first_list(tournament, received, closing_days)
    if list_date is None:
        return None
    regulation = system.regulation_on(list_date)
    last = last_end(tournament, regulation, list_date, closing_days)
    return Deadline(last, "", f"until the list of {list_date} closes")


# --- opening and withdrawing -----------------------------------------------------------------------------


def acts_for(user, tournament: Tournament) -> bool:
    """Is this account an arbiter of the tournament, or staff who may act for him?"""
    return user is not None and for_user(user).filter(pk=tournament.pk).exists()


@transaction.atomic
def open_case(
    tournament: Tournament,
    player: Player,
    subject: str,
    text: str,
    *,
    round: int | None = None,
    name: str = "",
    email: str = "",
    user=None,
    client: str = "",
) -> Complaint:
    """Open a case on a row of a tournament. An account's name and address stand for those not given;
    ``client`` is where the request comes from (``complaint_senders.client_of``).

    A late one is taken and marked. Raises NotAllowedNow where nothing can be complained about, or the
    sender has too many cases.
    """
    if not takes(tournament):
        raise NotAllowedNow("There is no report of this tournament to complain about.")
    Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    if user is not None:
        name, email = name or user.get_full_name() or user.get_username(), email or user.email
    if not name or not (email or acts_for(user, tournament)):
        raise NotAllowedNow("Give your name and an e-mail address for the answer.")
    own = own_cases(email, user, client)
    not_again(own, tournament, player, subject, round)
    if not acts_for(user, tournament):  # an arbiter speaks for all his players
        within_bounds(own, tournament, client)
    until = deadline(tournament)
    case = Complaint.objects.create(
        subject=subject,
        tournament=tournament,
        player=player,
        round=round,
        text=text,
        name=name[:120],
        email=email,
        mailbox=mailbox(email),
        client=client,
        user=user,
        token=secrets.token_urlsafe(32),
        until=until and until.day,
        late=until is not None and tournament.rating_system.today() > until.day,
    )
    # Not who: the audit log is for ever, the sender's data are not.
    audit.record(
        "complaint.opened",
        None,
        case,
        str(case),
        tournament=tournament.pk,
        about=subject,
        sha256=complaint_sha256(case),
    )
    tell_staff(
        f"complaint:{case.pk}",
        ANSWER,
        str(case),
        f"A complaint about {case.get_subject_display()} waits for an answer.",
        reverse("complaint", args=[case.pk]),
    )
    complaint_mail.ring_after_commit()
    crashpoints.here("complaint: before the commit")
    return case


def _held(case: Complaint) -> Complaint:
    held = Complaint.objects.select_for_update(of=("self",)).select_related("tournament__rating_system")
    return held.get(pk=case.pk)


@transaction.atomic
def withdraw(case: Complaint) -> None:
    """The sender takes an open case back (whoever knows the address of its page is the sender)."""
    held = _held(case)
    if not held.is_open:
        raise NotAllowedNow(f"Complaint {held.pk} is {held.get_state_display()} already.")
    held.state = State.WITHDRAWN
    held.save(update_fields=["state"])
    audit.record("complaint.withdrawn", None, held, str(held))


# --- staff -----------------------------------------------------------------------------------------------


@transaction.atomic
def answer(case: Complaint, by, *, uphold: bool, reason: str) -> None:
    """Uphold or reject an open case, saying why; the sender is told."""
    access.require(by, ANSWER, case.tournament)
    reason = said(reason, "Say why: the sender reads it.")
    held = _held(case)
    if not held.is_open:
        raise NotAllowedNow(f"Complaint {held.pk} is {held.get_state_display()} already.")
    held.state = State.UPHELD if uphold else State.REJECTED
    held.answer, held.answered_by, held.answered_at = reason, by, timezone.now()
    held.mail, held.mail_attempts, held.mail_at = "waiting", 0, None
    held.save()
    told = f"{held}: {held.get_state_display()}"
    audit.record("complaint.answered", by, held, told, state=held.state, sha256=answer_sha256(held))
    complaint_mail.ring_after_commit()
    crashpoints.here("complaint: before the commit")


@transaction.atomic
def turn_into_correction(case: Complaint, by) -> Correction:
    """Have an upheld case on a counted tournament corrected: in the system's open correction, or in one
    opened for it. What is to be changed, its own pages say."""
    access.require(by, ANSWER, case.tournament)
    system = RatingSystem.objects.select_for_update(no_key=True).get(pk=case.tournament.rating_system_id)
    held = _held(case)
    if held.state != State.UPHELD:
        raise NotAllowedNow("Uphold the complaint first: only then is there something to correct.")
    if held.correction_id is not None:
        raise NotAllowedNow(f"{held.correction} has it already.")
    if counted_in(held.tournament) is None:
        raise NotAllowedNow("No list has counted the tournament yet: return its report instead.")
    reason = f"{held.tournament} ({held.tournament.start}): complaint {held.pk} was upheld."
    begun = corrections.open_of(system)
    correction = corrections.for_event(held.tournament, by, reason)
    if begun is not None:
        correction.reason = f"{correction.reason}\n{reason}"
        correction.save(update_fields=["reason"])
    held.correction = correction
    held.save(update_fields=["correction"])
    audit.record("complaint.to-correction", by, held, str(held), correction=correction.pk)
    return correction


# --- reads -----------------------------------------------------------------------------------------------


def public(tournament: Tournament, player: Player | None = None):
    """What everybody sees of the cases on a tournament, or on a player's rows in it, whichever record of
    his they name: number, subject, state and dates, and nothing of who sent them or what he wrote."""
    cases = Complaint.objects.filter(tournament=tournament).exclude(state=State.WITHDRAWN)
    if player is not None:
        cases = cases.filter(player__in=player.records)
    return cases.only("pk", "subject", "state", "opened_at", "answered_at").order_by("pk")


def own(tournament: Tournament, user):
    """The cases on a tournament that an account sent."""
    return Complaint.objects.filter(tournament=tournament, user=user.pk).order_by("pk")


def queue(user, state: str = State.OPEN):
    """Cases for an account of the staff: the open ones by deadline, the others by the day of their answer."""
    cases = access.for_user(Complaint.objects.filter(state=state), user).select_related(
        "tournament__rating_system", "player__merged_into", "correction"
    )
    if state == State.OPEN:
        return cases.order_by("until", "opened_at", "pk")
    return cases.order_by("-answered_at", "-opened_at", "-pk")


def counts(user) -> dict[str, int]:
    """How many cases of an account's federations are in each state."""
    found = (
        access.for_user(Complaint.objects.order_by(), user).values_list("state").annotate(number=Count("pk"))
    )
    return dict.fromkeys(State.values, 0) | dict(found)


def waiting(case: Complaint) -> Waiting:
    """A case as the queue of tournaments shows what waits: days since it was opened, and its deadline."""
    system = case.tournament.rating_system
    age = (system.today() - system.day_of(case.opened_at)).days
    left = None if case.until is None else (case.until - system.today()).days
    return Waiting(case.tournament, age, case.until, left)
