"""A small portal in which every page has something to show, and the pages that a browser is to look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from players.roles import ensure_roles
from players.services import merge, split
from ratinglists import api_keys, complaints, corrections, live, privacy_requests, services
from ratinglists.models import ApiSubmission, Job, RatingList
from tests import factories as make
from tests.players.lists import listed as line
from tests.players.lists import preview
from tests.ratinglists.corrected import JULY, OCTOBER, World, computed, published
from tests.tournaments.drafted_world import swiss
from tests.tournaments.report_files import ASYMMETRIC, NOMINAL
from tournaments import drafting
from tournaments.models import Entry, Tournament
from tournaments.services import appeal, cancel, refuse, return_report

MAY, AUGUST = date(2004, 5, 1), date(2004, 8, 1)
GAMES = [(1, 2, 4, "0"), (1, 1, 3, "1"), (2, 2, 1, "0"), (2, 3, 4, "1")]
ROUNDS, FIELD, LISTED = 9, 12, 30
RESULTS = {"1": "1-0", "=": "1/2-1/2", "0": "0-1"}
#: a question with an answer and a fault
TRIED = "system=rapid&g1-rating=1900&g1-result=1&g2-rating=x"
#: pages of a portal that has nothing yet
EMPTY = (
    "/", "/lists/", "/calendar/", "/federations/", "/tournaments/", "/received/", "/players/?q=nobody",
    "/verify/",
)  # fmt: skip


@dataclass(frozen=True)
class Visit:
    """A page to look at, by whom: "" for everybody, or the name of an account."""

    path: str
    by: str = ""
    status: int = 200
    #: the button pressed before it is looked at: a form sent as it stands, with nothing filled in
    press: str = ""
    #: what is put into the page's field for a file before
    file: bytes = b""


class EveryPage:
    """A standard system with corrected lists, a rapid system of these days with events in each state."""

    def __init__(self) -> None:
        ensure_roles()
        self.today = timezone.localdate()
        self.chief = get_user_model().objects.create_superuser("chief", password="secret")
        self.ana = make.make_user("ana", email="ana@example.org")
        self.ana.groups.add(Group.objects.get(name="Arbiters"))
        self._standard()
        self._rapid()
        self._office()

    # --- standard: published by the services, corrected -----------------------------------------------

    def _standard(self) -> None:
        self.standard = world = World()
        self.counted = world.play(MAY, GAMES)
        world.publish(JULY)
        world.play(AUGUST, GAMES[:2], name="Harbour Cup")
        world.publish(OCTOBER)
        first = world.correction("Jo was not there")
        corrections.exclude(first, self.counted, world.staff, "reported twice")
        computed(first)
        assert published(first).state == "done"
        self.correction = world.correction("Another wrong result")
        self.live = world.play(date(2004, 10, 9), GAMES, name="Autumn Open")
        make.make_period(world.system, date(2005, 1, 1), date(2004, 12, 1))
        for job in Job.objects.filter(kind=Job.Kind.LIVE):
            services.run_job(job.pk)
        assert live.shown(world.system).exists()

    # --- rapid: these days ------------------------------------------------------------------------------

    def _rapid(self) -> None:
        today = self.today
        self.rapid = make.make_system("rapid", name="Isles rapid", complaint_days=400)
        self.arbiter = make.make_arbiter("Arbiter, Ana", user=self.ana, title="IA")
        make.make_federation("XBB", "Bay of Bellows")
        make.make_user("clerk", federation="XBB")
        self.people = [
            make.make_player(
                f"Invented{chr(97 + n // 26)}{chr(97 + n % 26)}, Ona Marguerita", fide_id=str(7100000 + n),
                born=1940 + n % 80, sex="mf"[n % 2], titles=("GM",) if n < 3 else (),
                federation="XBB" if n % 5 == 0 else "XAA",
            )
            for n in range(LISTED)
        ]  # fmt: skip
        self.opened = today - timedelta(40)
        rows = {p: {"rating": 2400 - 5 * n, "career_games": 60} for n, p in enumerate(self.people)}
        make.make_list(self.rapid, self.opened, rows=rows)
        self.open = make.make_tournament(
            self.rapid,
            name="Isles Grand Open",
            start=today - timedelta(30),
            rounds=ROUNDS,
            arbiter=self.arbiter,
        )
        field = self.people[:FIELD]
        crosstable = [
            (int(number), int(white), int(black), RESULTS[result])
            for number, games in swiss(FIELD, ROUNDS).items()
            for white, result, black in games
        ]
        make.make_report(self.open, field, crosstable, by=self.ana)
        self.newest = make.rate_and_list(make.make_period(self.rapid, today - timedelta(5)))
        self.open.refresh_from_db()
        case = {"name": "Zora Sender", "email": "zora@example.org", "subject": "game", "round": 1}
        self.case = complaints.open_case(self.open, field[0], text="It was a draw.", **case)
        self.coming = self._event("Coming Rapid", today + timedelta(20))
        self.under_way = self._event("Weekend Rapid", today - timedelta(1), today + timedelta(1))
        self.due = self._event("Spring Rapid", today - timedelta(4))
        self.returned = self._event("Returned Rapid", today - timedelta(3))
        six = self.people[:6]
        for tournament in (self.coming, self.under_way, self.due):
            Entry.objects.bulk_create(Entry(tournament=tournament, player=player) for player in six)
        games = [(1, 1, 2, "1-0"), (1, 3, 4, "0-1"), (1, 5, 6, "1/2-1/2"), (2, 1, None, "bye-1")]
        self.report = make.make_report(self.returned, six, games, state="submitted", by=self.ana)
        return_report(self.report, self.chief, "Round 2 is missing.")
        self.waiting = self._event("Waiting Rapid", today - timedelta(2))
        self.submitted = make.make_report(self.waiting, six, games, state="submitted", by=self.ana)
        self.refused = self._event("Refused Rapid", today + timedelta(9), state="draft")
        refuse(self.refused, self.chief, "Too fast.")
        appealed = self._event("Appealed Rapid", today + timedelta(9), state="draft")
        refuse(appealed, self.chief, "Too fast.")
        appeal(appealed, self.ana, "It is 15 minutes.")
        self.cancelled = self._event("Cancelled Rapid", today + timedelta(9))
        cancel(self.cancelled, self.ana, "The hall burned down.")
        self.draft = self._event(
            "Registered too late", today + timedelta(1), state="draft", registered_on=today
        )
        self.draft.waivers.create(
            authorization="late-registration", article="0.2", reason="A storm", granted_by=self.chief
        )
        drafting.autosave(self.due, self.ana, "1", [["1", "1", "2"], ["3", "8", "44"]], "")

    def _event(self, name: str, start: date, end: date | None = None, **fields) -> Tournament:
        return make.make_tournament(
            self.rapid, name=name, start=start, end=end, arbiter=self.arbiter, **fields
        )

    # --- what staff have ------------------------------------------------------------------------------

    def _office(self) -> None:
        double = make.make_player("Vidal, Ana", born=1990, sex="f")
        double.identifiers.all().delete()
        self.double = make.make_player("Vidal, Anna", born=1990, sex="f")
        self.merged = merge(double, self.double, self.chief, "entered twice")
        entry = self.open.entries.get(start_number=2)
        split(self.people[1], self.chief, "two persons", {"entries": [entry.pk]}, name="Other, Ona", sex="f")
        self.key, _ = api_keys.make(
            self.chief, name="A program", federation=make.make_federation(), user=self.chief,
            scopes=["reports"], expires_at=timezone.now() + timedelta(30),
        )  # fmt: skip
        ApiSubmission.objects.create(
            key=self.key,
            idempotency_key="first",
            tournament=self.waiting,
            request_sha256="0" * 64,
            status=422,
        )
        self.imported = preview([line(101, "Normal, Nora"), line(103, birth_year=2099)])
        self.period = make.make_period(self.rapid, self.today + timedelta(20))
        self.listed = RatingList.objects.get(period__system="standard", period__list_date=JULY, revision=2)
        self.people[3].user = self.ana
        self.people[3].save()
        privacy_requests.ask(self.people[4], "hide", name="Invented", email="somebody@example.org")

    # --- the pages --------------------------------------------------------------------------------------

    def public(self) -> Iterator[Visit]:
        for path in self._public():
            yield Visit(path)
        yield from (Visit("/no-such-page", status=404), Visit("/accounts/login/", press="Sign in"))
        yield Visit("/accounts/password/reset/", press="Send the link")
        yield Visit("/accounts/invitation/none/", status=404)
        yield Visit(reverse("complain", args=[self.open.pk]), press="Send the complaint")
        yield Visit(reverse("player-privacy", args=[self.people[0].pk]), press="Send the request")
        yield Visit("/verify/", press="Look it up")
        yield Visit("/verify/", press="Check the file", file=b"no list")

    def _public(self) -> Iterator[str]:
        rapid, standard = self.rapid.code, self.standard.system.code
        one, other = self.standard.players[:2]
        yield from ("/", "/lists/", "/calendar/", "/federations/", "/federations/XAA/", "/api/", "/verify/")
        yield from ("/tournaments/", "/received/", "/accounts/login/", "/players/", "/players/?q=invented")
        yield "/players/?q=vidal&page=x&rating_from=9999999"  # a filter that is not understood
        newest = reverse("list", args=[rapid, self.newest.list_date])
        yield from (newest, f"{newest}?q=nobody", f"{newest}?status=rated&sort=name&page=2")
        july, october = (reverse("list", args=[standard, day]) for day in (JULY, OCTOBER))
        yield from (
            july,
            f"{july}?revision=1",
            f"{october}changed/",
            f"{october}events/",
            f"{october}monitoring/",
        )
        for kind in ("top", "top-federations", "newcomers", "changes"):
            yield f"{newest}{kind}/"
        yield from (f"/lists/{standard}/live/", f"/lists/{rapid}/live/")
        for person in (one, self.people[0], self.people[1], self.people[-1]):
            yield from (f"/players/{person.pk}/", f"/players/{person.pk}/games/")
            yield from (f"/players/{person.pk}/statistics/", f"/players/{person.pk}/history/")
            yield from (f"/players/{person.pk}/what-if/", f"/players/{person.pk}/what-if/?{TRIED}")
        yield reverse("calculation-sheet", args=[rapid, self.newest.list_date, 1, self.people[0].pk])
        yield from (reverse("player-privacy", args=[one.pk]), "/status/")
        yield from (f"/players/{one.pk}/compare/", f"/players/{one.pk}/compare/{other.pk}/")
        yield f"/players/{one.pk}/events/{self.counted.pk}/?revision=1"
        yield f"/players/{self.people[0].pk}/events/{self.open.pk}/"
        for event in (
            self.counted,
            self.open,
            self.live,
            self.coming,
            self.waiting,
            self.returned,
            self.due,
            self.cancelled,
        ):
            yield reverse("tournament", args=[event.pk])
        yield reverse("complain", args=[self.open.pk])
        yield reverse("complaint-case", args=[self.case.token])
        yield f"/verify/?sha256={'0' * 64}"

    def arbiters(self) -> Iterator[Visit]:
        def of(name: str, event: Tournament, *more: int) -> Visit:
            return Visit(reverse(name, args=[event.pk, *more]), "ana")

        yield from (
            Visit("/arbiter/", "ana"),
            Visit("/me/", "ana"),
            Visit("/accounts/", "ana"),
            Visit("/accounts/password/change/", "ana"),
            Visit("/accounts/email/", "ana"),
            Visit("/accounts/second-factor/", "ana"),
            Visit("/accounts/second-factor/totp/activate/", "ana"),
            Visit("/accounts/second-factor/webauthn/add/", "ana"),
            Visit("/accounts/sessions/", "ana"),
        )
        for event in (
            self.coming,
            self.due,
            self.returned,
            self.waiting,
            self.refused,
            self.cancelled,
            self.draft,
            self.open,
        ):
            yield of("arbiter-tournament", event)
        for name in ("arbiter-upload", "arbiter-dry-run", "arbiter-crosstable", "arbiter-check"):
            yield of(name, self.due)
        yield from (of("arbiter-grid", self.due), of("arbiter-dry-run", self.coming))
        yield from (of("arbiter-round", self.due, 1), of("arbiter-round", self.due, 2))
        yield of("arbiter-report", self.waiting, self.submitted.pk)
        for content in (b"", ASYMMETRIC, NOMINAL):
            path = reverse("arbiter-upload", args=[self.due.pk])
            yield Visit(path, "ana", press="Check the report", file=content)
        yield Visit("/queue/", "ana", 403)

    def staffs(self) -> Iterator[Visit]:
        paths = [
            "/queue/",
            "/queue/?kind=appeals",
            "/queue/?kind=accepted",
            "/complaints/",
            "/complaints/?state=rejected",
        ]
        paths += [
            reverse("complaint", args=[self.case.pk]),
            "/admin/",
            "/accounts/invitations/",
        ]
        paths += ["/players/export/", reverse("admin:players_auditentry_verify")]
        paths += [
            reverse("admin:players_player_merge", args=[self.people[5].pk]) + f"?into=%23{self.people[6].pk}"
        ]
        paths += [reverse("admin:players_player_split", args=[self.people[0].pk])]
        paths += [reverse("admin:players_player_privacy", args=[self.people[0].pk])]
        paths += [reverse("admin:players_identitychange_undo", args=[self.merged.pk])]
        paths += [reverse("admin:ratinglists_period_open"), reverse("admin:ratinglists_correction_open")]
        paths += [reverse("admin:ratinglists_correction_event", args=[self.open.pk])]
        paths += [reverse("admin:tournaments_tournament_change", args=[each.pk])
                  for each in (self.draft, self.waiting, self.refused, self.due)]  # fmt: skip
        paths += [reverse("admin:ratinglists_period_change", args=[self.period.pk])]
        paths += ["/admin/players/", reverse("admin:tournaments_arbiter_history", args=[self.arbiter.pk])]
        paths += [reverse("admin:tournaments_tournament_delete", args=[self.draft.pk])]
        paths += [reverse("compare", args=[self.returned.pk])]
        yield from (Visit(path, "chief") for path in paths)
        yield Visit("/admin/login/")
        yield Visit("/admin/nothing/", "chief", 404)
        for name, button in (
            ("tournaments_tournament_add", "Save"),
            ("players_playerimport_add", "Look at the list"),
            ("ratinglists_apikey_add", "Make the key"),
            ("ratinglists_period_open", "Check and bring in"),
        ):
            yield Visit(reverse(f"admin:{name}"), "chief", press=button)

    def models(self) -> Iterator[Visit]:
        """Each model's list, its first row and, where it can be added, the form for it."""
        asked = RequestFactory().get("/admin/")
        asked.user = self.chief
        for model, registered in admin.site._registry.items():
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            first = model.objects.first()
            assert first is not None, f"nothing of {model.__name__} to look at"
            yield Visit(reverse(f"{name}_changelist"), "chief")
            yield Visit(reverse(f"{name}_change", args=[first.pk]), "chief")
            if registered.has_add_permission(asked):
                yield Visit(reverse(f"{name}_add"), "chief")
