"""The public pages. What they show is read and worded elsewhere; here requests meet templates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial
from itertools import islice

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.languages.texts import said
from players.models import Federation
from players.privacy import policy, public_birth_year
from players.search import MOST
from ratinglists import (
    calculations,
    complaints,
    crosstables,
    facts,
    figures,
    files,
    finding,
    histories,
    listing,
    live,
    monitoring,
    monitoring_report,
    privacy,
    profiles,
    revisions,
    special,
)
from ratinglists.forms import (
    GameFilter,
    ListFilter,
    MonitoringFilter,
    PlayerFilter,
    TournamentFilter,
)
from ratinglists.models import RatingList
from ratinglists.no_list import NoSuchList
from ratinglists.paging import bounded
from ratinglists.permissions import check_draft, wants_draft
from ratinglists.person_pages import follows_merges, player_or_404
from ratinglists.presentation import regulation_title, standing_of
from regulations.base import PRINTED
from regulations.exact import show
from regulations.monitoring import LEAST_OBSERVATIONS
from tournaments.models import RatingSystem, Tournament
from tournaments.preview import start_rating
from tournaments.queries import clock_words, minutes

LIST_PAGE, PLAYERS_PAGE, GAMES_PAGE, TOURNAMENTS_PAGE = 100, 50, 50, 50
RECENT = 10


def _page(request: HttpRequest, rows: QuerySet, size: int) -> Page:
    return Paginator(rows, size).get_page(request.GET.get("page"))


def _federations() -> list[tuple[str, str]]:
    return [(federation.code, str(federation)) for federation in Federation.objects.all()]


def systems_to_choose() -> list[tuple[str, str]]:
    return [(system.code, system.name) for system in RatingSystem.objects.all()]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    context = {
        "systems": listing.latest_lists(),
        "publications": listing.standing().order_by("-published_at")[:RECENT],
        "counted": crosstables.recently_counted(RECENT),
    }
    return render(request, "ratinglists/home.html", context)


# --- lists ----------------------------------------------------------------------------------------


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    return render(request, "ratinglists/archive.html", {"archive": listing.archive(), "top": special.TOP})


@require_safe
def latest(request: HttpRequest, system: str) -> HttpResponse:
    newest = listing.standing().filter(period__system=system).first()
    if newest is None:
        raise Http404("No list of this system is published.")
    return redirect("list", system=system, day=newest.list_date)


def list_or_404(request: HttpRequest, system: str, day: date) -> RatingList:
    draft = wants_draft(request)
    revision = None if draft else _revision(request)
    found = listing.find_list(system, day, revision=revision, draft=draft)
    if found is None:
        raise Http404("No such draft.") if draft else NoSuchList(system, day, revision)
    if draft:
        check_draft(request, found.period.system)
    return found


def _revision(request: HttpRequest) -> int | None:
    """The revision that an address asks for."""
    wanted = request.GET.get("revision", "")
    return int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 5 else None


def suffix_of(shown: RatingList, request: HttpRequest) -> str:
    """What the addresses of this very list end with: nothing for the standing one."""
    if shown.state == RatingList.State.DRAFT:
        return "?draft=1"
    return f"?revision={shown.revision}" if request.GET.get("revision") else ""


@require_safe
def list_page(request: HttpRequest, system: str, day: date) -> HttpResponse:
    shown = list_or_404(request, system, day)
    form = ListFilter(request.GET, _federations(), day)
    choice = form.choice()
    page = bounded(
        listing.chosen_rows(shown, choice),
        request.GET.get("page"),
        LIST_PAGE,
        partial(facts.count_of, shown, choice),
    )
    page.object_list = privacy.mask(page)
    context = {
        "list": shown,
        "draft": shown.state == RatingList.State.DRAFT,
        "form": form,
        "choice": choice,
        "page": page,
        "dates": listing.dates_of(shown.system),
        "handled": facts.of(shown).handled,
        "regulation": said(regulation_title(shown.regulation)),
        "rules": (rules := listing.regulation_of(shown)),
        "prints": rules.printed if rules else PRINTED,
        "suffix": suffix_of(shown, request),
        "downloads": files.downloads(shown),
        "kinds": special.kinds_of(shown),
        "revisions": revisions.of(shown),
        "top": special.TOP,
        "formats": [
            (ending, label, reverse(f"list-{ending}", args=[system, day]))
            for ending, label in files.WHOLE.items()
        ],
        **_further(request, page, choice),
    }
    return render(request, "ratinglists/list.html", context)


def _further(request: HttpRequest, page: Page, choice: listing.Choice) -> dict[str, object]:
    """Where the pages of a long list go on: at the rating with which the last one ends."""
    last = page[-1].rating if page and page.paginator.is_cut and not page.has_next() else None
    if last is None or choice.order != "rating" or choice.turned or choice.rating_to == last:
        return {}
    query = request.GET.copy()
    query.pop("page", None)
    query["rating_to"] = str(last)
    return {"last_rating": last, "further": f"?{query.urlencode()}"}


def _monitored(request: HttpRequest, shown: RatingList) -> tuple[MonitoringFilter, RatingList]:
    """What a request for the monitoring of a list asks for: the form, and the list to start from."""
    earlier = monitoring.lists_before(shown)
    form = MonitoringFilter(request.GET, [item.list_date for item in earlier])
    return form, monitoring.start_of(shown, earlier, form.start_day())


@require_safe
def monitoring_page(request: HttpRequest, system: str, day: date) -> HttpResponse:
    shown = list_or_404(request, system, day)
    form, start = _monitored(request, shown)
    found = monitoring.figures(shown, start, form.size())
    context = {
        "list": shown,
        "draft": shown.state == RatingList.State.DRAFT,
        "form": form,
        "start": start,
        "size": form.size(),
        "played": found.scores,
        "least": LEAST_OBSERVATIONS,
        "group": monitoring_report.group_section(found),
        "by_difference": monitoring_report.band_section("difference", found.scores.by_difference),
        "by_rating": monitoring_report.band_section("rating", found.scores.by_rating),
        "flow": monitoring_report.flow_lines(found.flow),
        "suffix": suffix_of(shown, request),
        "query": f"?{request.GET.urlencode()}" if request.GET else "",
    }
    return render(request, "ratinglists/monitoring.html", context)


@require_safe
def monitoring_csv(request: HttpRequest, system: str, day: date) -> HttpResponse | StreamingHttpResponse:
    shown = list_or_404(request, system, day)
    form, start = _monitored(request, shown)
    if not form.is_valid():
        return HttpResponseBadRequest(
            "\n".join(form.faults()) + "\n", content_type="text/plain; charset=utf-8"
        )
    rows = monitoring_report.csv_rows(monitoring.figures(shown, start, form.size()))
    draft = "-draft" if shown.state == RatingList.State.DRAFT else ""
    name = f"{shown.period.system_id}-{shown.list_date}-monitoring{draft}.csv"
    return generated(name, "text/csv; charset=utf-8", iter(rows))


def generated(name: str, kind: str, rows: Iterator[bytes]) -> StreamingHttpResponse:
    """A file made for this request."""
    chunks = iter(lambda: b"".join(islice(rows, 500)), b"")
    return StreamingHttpResponse(
        chunks, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


# --- players --------------------------------------------------------------------------------------


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    form = PlayerFilter(request.GET, _federations(), systems_to_choose())
    wanted = form.wanted(timezone.localdate())
    page = None if wanted.nothing else finding.found(wanted, _number(request), PLAYERS_PAGE)
    context = {"form": form, "page": page, "most": MOST}
    if page is not None:
        rated, rule = profiles.with_ratings([hit.player for hit in page.hits]), policy()
        context["found"] = [
            (hit, rule.birth_year(player), rows) for hit, (player, rows) in zip(page.hits, rated, strict=True)
        ]
    return render(request, "ratinglists/players.html", context)


def _number(request: HttpRequest) -> int:
    """The page that an address asks for."""
    wanted = request.GET.get("page", "")
    return int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 5 else 1


@require_safe
@follows_merges
def player(request: HttpRequest, pk: int) -> HttpResponse:
    person = player_or_404(pk)
    systems = histories.read(person)
    current = [rows[-1] for rows in systems.values()]
    figures.mark(current)
    context = {
        "player": person,
        "born": public_birth_year(person),
        "numbers": profiles.numbers(person),
        "current": current,
        "live": live.of_player(person),
        "history": histories.of(systems, request.GET.get("period", ""), request.GET.get("system", "")),
        "names": profiles.former_names(person, systems),
        "splits": profiles.splits_of(person),
        "page": profiles.events_page(person, request.GET.get("page")),
        "games": profiles.game_lines(person, profiles.latest_games(person)),
    }
    return render(request, "ratinglists/player.html", context)


@require_safe
@follows_merges
def player_games(request: HttpRequest, pk: int) -> HttpResponse:
    person = player_or_404(pk)
    form = GameFilter(request.GET, systems_to_choose())
    games = profiles.games_of(
        person,
        system=form.value("system"),
        opponent=form.value("opponent"),
        colour=form.value("colour"),
        year=form.value("year", None),
    )
    page = _page(request, games, GAMES_PAGE)
    context = {"player": person, "form": form, "page": page, "games": profiles.game_lines(person, page)}
    return render(request, "ratinglists/games.html", context)


@require_safe
@follows_merges
def calculation(request: HttpRequest, pk: int, tournament: int) -> HttpResponse:
    person = player_or_404(pk)
    draft, revision = wants_draft(request), _revision(request)
    parts = calculations.calculations(person, tournament, draft=draft, revision=revision)
    revisions = calculations.revisions(person, tournament)
    # The address stays, also of an event that a correction took out: as the last revision had it.
    gone = not parts and not draft and revision is None and bool(revisions)
    if gone:
        parts = calculations.calculations(person, tournament, revision=revisions[-1].revision)
    if not parts:
        raise Http404("No published list has a result of this player in this tournament.")
    shown = parts[0].event.tournament
    if draft:
        check_draft(request, shown.rating_system)
    context = {
        "player": person,
        "tournament": shown,
        "parts": parts,
        "draft": draft,
        "cases": complaints.public(shown, person),
        "may_complain": not draft and complaints.takes(shown),
        "replaced": revision is not None and not draft,
        "gone": gone,
        "revisions": revisions,
    }
    return render(request, "ratinglists/calculation.html", context)


# --- tournaments ----------------------------------------------------------------------------------


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    form = TournamentFilter(request.GET, systems_to_choose())
    rows = crosstables.public_tournaments(
        text=form.value("q"),
        system=form.value("system"),
        year=form.value("year", None),
        state=form.value("state"),
    )
    page = _page(request, rows, TOURNAMENTS_PAGE)
    today = timezone.localdate()
    context = {"form": form, "page": page, "rows": [(row, standing_of(row, today)) for row in page]}
    return render(request, "ratinglists/tournaments.html", context)


@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    shown = get_object_or_404(
        Tournament.objects.exclude(state__in=profiles.HIDDEN)
        .select_related("rating_system", "federation")
        .prefetch_related(
            "rating_system__regulations", "stages", "rounds", "waivers", "appointments__arbiter"
        ),
        pk=pk,
    )
    events = crosstables.events_of(shown)
    regulation = shown.regulation
    context = {
        "tournament": shown,
        "standing": standing_of(
            shown, timezone.localdate(), rated=not events or any(event.rated for event in events)
        ),
        "cancelled": shown.changes.last() if shown.state == Tournament.State.CANCELLED else None,
        "time_control": clock_words(shown),
        "minutes": show(least) if (least := minutes(shown)) is not None else "",
        "regulation": regulation.title if regulation else "",
        "events": events,
        "ratings_used": crosstables.ratings_used(shown, events),
        "begins_with": start_rating(regulation),
        "rules": regulation,
        "table": crosstables.crosstable(shown, events),
        "live": live.of_tournament(shown),
        "cases": complaints.public(shown),
        "may_complain": complaints.takes(shown),
    }
    return render(request, "ratinglists/tournament.html", context)
