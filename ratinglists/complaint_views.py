"""The pages of complaints: the form, the sender's own page, and the staff's queue and answer."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import for_user
from ratinglists import complaints
from ratinglists.complaint_forms import AnswerForm, ComplaintForm
from ratinglists.complaint_senders import client_of
from ratinglists.correction_preview import is_counted
from ratinglists.models import Complaint
from tournaments.models import Tournament
from tournaments.transitions import NotAllowedNow

PAGE = 50
_CASES = Complaint.objects.select_related(
    "tournament__rating_system", "player__merged_into", "correction", "answered_by"
)


# --- for everybody -----------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def complain(request: HttpRequest, pk: int) -> HttpResponse:
    """The form, filled in as the row's link says; sent, it leads to the page of the case."""
    tournament = get_object_or_404(Tournament.objects.select_related("rating_system"), pk=pk)
    if not complaints.takes(tournament):
        raise Http404("Nothing of this tournament can be complained about.")
    user = request.user if request.user.is_authenticated else None
    form = ComplaintForm(
        request.POST if request.method == "POST" else None,
        tournament=tournament,
        known=user,
        needs_email=not complaints.acts_for(user, tournament),
        initial={name: request.GET[name] for name in ("player", "round", "subject") if name in request.GET},
    )
    if request.method == "POST" and form.is_valid():
        given = {name: value for name, value in form.cleaned_data.items() if name != "website"}
        try:
            case = complaints.open_case(tournament, **given, user=user, client=client_of(request))
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, f"Complaint {case.pk} is open.")
            return redirect("complaint-case", case.token)
    until = complaints.deadline(tournament)
    context = {
        "tournament": tournament,
        "form": form,
        "until": until,
        "late": until is not None and tournament.rating_system.today() > until.day,
        "cases": complaints.public(tournament),
        "own": complaints.own(tournament, user) if user else (),
    }
    return render(request, "ratinglists/complaint_form.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def case(request: HttpRequest, token: str) -> HttpResponse:
    """The sender's own page, for whoever has its address: the state and the answer; he can withdraw."""
    found = get_object_or_404(_CASES, token=token)
    if request.method == "POST":
        try:
            complaints.withdraw(found)
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
        return redirect("complaint-case", token)
    response = render(request, "ratinglists/complaint_case.html", {"case": found})
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


# --- for staff ---------------------------------------------------------------------------------------

_answers = permission_required(complaints.ANSWER, raise_exception=True)


@never_cache
@login_required
@_answers
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """What waits for an answer, with ages and deadlines; and what is answered."""
    states = dict(Complaint.State.choices)
    asked = request.GET.get("state", "")
    state = asked if asked in states else Complaint.State.OPEN
    page = Paginator(complaints.queue(request.user, state), PAGE).get_page(request.GET.get("page"))
    counts = complaints.counts(request.user)
    context = {
        "states": [(code, label, counts[code]) for code, label in states.items()],
        "state": state,
        "page": page,
        "rows": [(each, complaints.waiting(each)) for each in page],
    }
    return render(request, "ratinglists/complaints.html", context)


@never_cache
@login_required
@_answers
@require_http_methods(["GET", "HEAD", "POST"])
def complaint(request: HttpRequest, pk: int) -> HttpResponse:
    """One case for staff: who says what, and the answer."""
    found = get_object_or_404(for_user(_CASES, request.user), pk=pk)
    form = AnswerForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        uphold = "uphold" in request.POST
        try:
            complaints.answer(found, request.user, uphold=uphold, reason=form.cleaned_data["reason"])
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, f"Complaint {pk} is {'upheld' if uphold else 'rejected'}.")
            return redirect("complaint", pk)
    listed = complaints.counted_in(found.tournament)
    upheld = found.state == Complaint.State.UPHELD
    context = {
        "case": found,
        "row": complaints.waiting(found),
        "form": form,
        "listed": listed,
        "calculated": is_counted(found.tournament),
        "may_correct": upheld
        and listed is not None
        and found.correction is None
        and request.user.has_perm(complaints.CORRECT),
        "may_return": listed is None
        and found.tournament.state in (Tournament.State.REPORTED, Tournament.State.ACCEPTED)
        and request.user.has_perm("tournaments.accept_report"),
        "correction_page": correction_page(found),
    }
    return render(request, "ratinglists/complaint.html", context, status=400 if form.errors else 200)


@login_required
@_answers
@require_POST
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Turn an upheld case into a correction and go there."""
    found = get_object_or_404(for_user(_CASES, request.user), pk=pk)
    try:
        found.correction = complaints.turn_into_correction(found, request.user)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
        return redirect("complaint", pk)
    messages.success(request, f"Complaint {pk} belongs to {found.correction}.")
    return redirect(correction_page(found) or reverse("complaint", args=[pk]))


def correction_page(found: Complaint) -> str:
    """The page of the case's correction in the admin; empty without one."""
    if found.correction_id is None:
        return ""
    try:
        return reverse("admin:ratinglists_correction_change", args=[found.correction_id])
    except NoReverseMatch:
        return ""
