"""Registration, reports and waivers in the admin. What changes a state goes through the services."""

from __future__ import annotations

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from players.audited import AuditedAdmin
from players.languages.texts import said
from players.own_admin import OwnInline
from regulations.exact import show
from regulations.timecontrol import minutes_for_60_moves
from tournaments import decisions, rechecks
from tournaments.changes import described
from tournaments.findings import INLINES, by_place
from tournaments.forms import ArbiterForm, StageFormSet, SystemRegulationForm, TournamentForm
from tournaments.models import (
    Arbiter,
    Entry,
    RatingSystem,
    Round,
    SystemRegulation,
    TimeControlStage,
    Tournament,
    TournamentArbiter,
    Waiver,
)
from tournaments.queries import authorizations, check_registration, clock, clock_words
from tournaments.ratings import facts_in_force
from tournaments.report_admin import ReportAdmin, WaiverAdmin
from tournaments.services import NotAllowedNow, RegistrationRefused, register

__all__ = ["ReportAdmin", "WaiverAdmin"]

State = Tournament.State


class SystemRegulationInline(OwnInline):
    model = SystemRegulation
    form = SystemRegulationForm
    min_num = 1


@admin.register(RatingSystem)
class RatingSystemAdmin(AuditedAdmin, admin.ModelAdmin):
    audit_values = None
    list_display = ("name", "code", "rate", "federation", "schedule")
    list_filter = ("rate", "federation")
    search_fields = ("name", "code")
    inlines = (SystemRegulationInline,)
    actions = None

    def get_readonly_fields(self, request, obj=None):
        return ("code",) if obj else ()


@admin.register(Arbiter)
class ArbiterAdmin(AuditedAdmin, admin.ModelAdmin):
    form = ArbiterForm
    list_display = ("name", "title", "federation", "licensed", "licensed_until", "user")
    list_filter = ("licensed", "title", "federation")
    list_select_related = ("federation", "user")
    search_fields = ("name", "user__username")
    autocomplete_fields = ("federation", "player")

    def get_fieldsets(self, request, obj=None):
        changes = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        return [(None, {"fields": (*ArbiterForm.Meta.fields, "account" if changes else "user")})]

    def save_related(self, request, form, formsets, change) -> None:
        super().save_related(request, form, formsets, change)
        form.link()

    def save_model(self, request, obj, form, change) -> None:
        super().save_model(request, obj, form, change)
        if change and form.changed_data:
            for tournament in Tournament.objects.filter(arbiters=obj, state=State.REGISTERED):
                why = f"arbiter {obj}: {', '.join(form.changed_data)} changed"
                rechecks.recheck(tournament, why, request.user, only_news=True)


class SaidChoices:
    """Choices of a form in the reader's language; what is chosen is stored as ever."""

    def formfield_for_choice_field(self, db_field, request, **kwargs):
        made = super().formfield_for_choice_field(db_field, request, **kwargs)
        if made is not None:
            made.choices = [(value, said(label)) for value, label in made.choices]
        return made


class DraftInline(SaidChoices, OwnInline):
    """Rows of a registration that can change while it is a draft."""

    template = "admin/tournaments/inline.html"
    open_states = (State.DRAFT,)

    def has_add_permission(self, request, obj=None) -> bool:
        open_now = obj is None or obj.state in self.open_states
        return open_now and super().has_add_permission(request, obj)

    def has_change_permission(self, request, obj=None) -> bool:
        return (obj is None or obj.state == State.DRAFT) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request, obj=None) -> bool:
        return (obj is None or obj.state == State.DRAFT) and super().has_delete_permission(request, obj)


class StageInline(DraftInline):
    model = TimeControlStage
    formset = StageFormSet
    verbose_name_plural = _("time control")

    def get_extra(self, request, obj=None, **kwargs) -> int:
        return 0 if obj else 1


class RoundInline(DraftInline):
    model = Round
    verbose_name_plural = _("schedule of rounds")


class AppointmentInline(DraftInline):
    model = TournamentArbiter
    autocomplete_fields = ("arbiter",)
    verbose_name, verbose_name_plural = "arbiter", "arbiters"

    def get_extra(self, request, obj=None, **kwargs) -> int:
        return 0 if obj else 1


class EntryInline(DraftInline):
    model = Entry
    autocomplete_fields = ("player",)
    fields = ("player", "reported_as", "start_number", "rating_in_force", "points", "rank")
    readonly_fields = ("reported_as", "rating_in_force", "points", "rank")
    verbose_name_plural = _("entry list")
    open_states = (State.DRAFT, State.REGISTERED)

    def has_delete_permission(self, request, obj=None) -> bool:
        open_now = obj is None or obj.state in self.open_states
        return open_now and admin.TabularInline.has_delete_permission(self, request, obj)

    def get_queryset(self, request):
        return super().get_queryset(request).select_related("player", "tournament__rating_system")

    @admin.display(description=_("spelled in the report"))
    def reported_as(self, entry: Entry) -> str:
        return entry.spelled_otherwise

    @admin.display(description=_("rating in force at the start"))
    def rating_in_force(self, entry: Entry) -> str:
        if entry.pk is None:
            return ""
        if not hasattr(self, "facts"):  # an inline object lives for one request
            tournament = entry.tournament
            ids = list(tournament.entries.values_list("player_id", flat=True))
            self.facts = facts_in_force(tournament.rating_system, ids, tournament.start)
        return self.facts[entry.player_id].on_that_day(entry.tournament.rating_system.reference_id)


@admin.register(Tournament)
class TournamentAdmin(SaidChoices, AuditedAdmin, admin.ModelAdmin):
    form = TournamentForm
    list_display = ("name", "rating_system", "start", "end", "city", "state", "ratable")
    list_filter = ("state", "rating_system", "system", "federation")
    list_select_related = ("rating_system",)
    search_fields = ("name", "city", "organiser")
    date_hierarchy = "start"
    autocomplete_fields = ("federation",)
    inlines = (StageInline, RoundInline, AppointmentInline, EntryInline)
    # A list of ticked rows is no way to delete tournaments: each is looked at.
    actions = None

    class Media:
        css = {"all": ("css/admin-portal.css",)}

    def get_queryset(self, request):
        return rechecks.with_last_check(super().get_queryset(request))

    @admin.display(description=_("ratable"))
    def ratable(self, obj: Tournament) -> str:
        """Of the last check of a registration that can still change."""
        if obj.state not in rechecks.OPEN or obj.last_ratable is None:
            return "–"
        if obj.last_ratable:
            return _("yes")
        lapsed = _("no longer") if obj.state == State.REGISTERED else _("no")
        return format_html('<strong class="portal-bad">{}</strong>', lapsed)

    def get_fieldsets(self, request, obj=None):
        place = ("registered_on", "start", "end", "city", "scope")
        dates = [("name", "rating_system"), ("federation", "organiser"), *place]
        kind = [("system", "scheduled_games", "games_in_event"), Tournament.FLAG_FIELDS]
        sets = [(None, {"fields": dates}), (_("Kind of event"), {"fields": kind})]
        if (obj is None or obj.state == State.DRAFT) and self.has_change_permission(request, obj):
            sets.append((_("Time control"), {"fields": ["typed_control"]}))
            how = _("Lays out the rounds when saved, while the schedule is empty.")
            lay = ("lay_rounds", "rounds_a_day"), ("lay_from", "lay_times")
            sets.append((_("Schedule"), {"fields": lay, "description": how}))
        return sets

    def get_readonly_fields(self, request, obj=None):
        if obj is None or obj.state == State.DRAFT:
            return ()
        return [field.name for field in Tournament._meta.fields if field.editable and not field.primary_key]

    def has_change_permission(self, request, obj=None) -> bool:
        open_now = obj is None or obj.state in (State.DRAFT, State.REGISTERED)
        return open_now and super().has_change_permission(request, obj)

    def has_delete_permission(self, request, obj=None) -> bool:
        droppable = obj is None or (obj.state in (State.DRAFT, State.REFUSED) and not obj.reports.exists())
        return droppable and super().has_delete_permission(request, obj)

    def get_deleted_objects(self, objs, request):
        """The waivers of a draft go with it, though nobody deletes a waiver by itself."""
        listed, counts, missing, protected = super().get_deleted_objects(objs, request)
        return listed, counts, missing - {Waiver._meta.verbose_name}, protected

    def save_model(self, request, obj, form, change) -> None:
        if not change:
            obj.created_by = request.user
        super().save_model(request, obj, form, change)

    def save_related(self, request, form, formsets, change) -> None:
        super().save_related(request, form, formsets, change)
        obj = form.instance
        if obj.state == State.DRAFT:
            for told in form.fill():
                messages.warning(request, told)
        if why := described(obj, form, formsets) if change else "announced":
            rechecks.recheck(obj, why, request.user)
        if "time control" in why or not change:
            self._echo(request, obj)

    def _echo(self, request, obj: Tournament) -> None:
        if said := clock_words(obj):
            sixty = " and ".join(show(minutes_for_60_moves(side)) for side in clock(obj).sides if side)
            messages.info(request, f"Time control: {said}. {sixty} minutes for 60 moves.")

    # --- what the page shows beside the fields ---

    def render_change_form(self, request, context, add=False, change=False, form_url="", obj=None):
        may = request.user.has_perm("tournaments.register_tournament")
        context["may_save_and_register"] = may and (obj is None or obj.state == State.DRAFT)
        if obj is not None:
            stored = Tournament.objects.get(pk=obj.pk)  # the form may have put faulty values into obj
            result = check_registration(stored)
            places = by_place(result, authorizations(stored))
            self._put_beside_fields(context, places)
            context["clock_words"] = clock_words(stored)
            context["lapse"] = rechecks.lapse(stored, result)
            context["restored"] = rechecks.restored(stored, result)
            context["checks"] = stored.checks.select_related("by")[:20]
            context["standing"] = decisions.standing(stored, request.user, result, places.get("", []))
        return super().render_change_form(request, context, add, change, form_url, obj)

    def _put_beside_fields(self, context, places) -> None:
        form = context["adminform"].form
        beside = {}
        for name in places.keys() - INLINES - {""}:
            field = form.fields.get(name)
            known = field.help_text if field else Tournament._meta.get_field(name).help_text
            shown = render_to_string("admin/tournaments/findings.html", {"findings": places[name]})
            beside[name] = format_html("{}{}", known, mark_safe(shown))  # noqa: S308 - escaped by the template
            if field:
                field.help_text = beside[name]
        form._meta.help_texts = {**(form._meta.help_texts or {}), **beside}
        for inline in context["inline_admin_formsets"]:
            inline.findings = places.get(inline.formset.prefix, [])

    # --- decisions ---

    def response_add(self, request, obj, post_url_continue=None):
        return self._register_on_save(request, obj) or super().response_add(request, obj, post_url_continue)

    def response_change(self, request, obj):
        return self._register_on_save(request, obj) or super().response_change(request, obj)

    def _register_on_save(self, request: HttpRequest, obj: Tournament) -> HttpResponse | None:
        if "_register" in request.POST and obj.state == State.DRAFT:
            self._decide(request, obj, lambda: register(obj, request.user), "Registered.")
            return redirect(self._page(obj))
        result = check_registration(obj)
        if not result.ratable:
            what = "It stays a draft" if obj.state == State.DRAFT else "As the entry list is now"
            messages.warning(request, f"{what}: the regulation would not rate it. {_summary(result)}")
        return None

    def _page(self, obj: Tournament) -> str:
        return reverse("admin:tournaments_tournament_change", args=[obj.pk])

    def _decide(self, request: HttpRequest, obj: Tournament, act, done: str) -> None:
        try:
            act()
        except RegistrationRefused as refusal:
            messages.error(request, f"{obj} is not registered: {_summary(refusal.result)}")
        except NotAllowedNow as error:
            messages.error(request, str(error))
        else:
            self.log_change(request, obj, done)
            messages.success(request, f"{obj}: {done}")

    def get_urls(self):
        view = self.admin_site.admin_view(require_POST(self.decide_view))
        return [
            path("<int:pk>/decide/<slug:what>/", view, name="tournaments_tournament_decide"),
            *super().get_urls(),
        ]

    def decide_view(self, request: HttpRequest, pk: int, what: str) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        obj = self.get_object(request, str(pk))
        if obj is None or what not in decisions.ACTIONS:
            raise Http404
        action = decisions.ACTIONS[what]
        self._decide(request, obj, lambda: action.act(obj, request.user, request.POST), action.done)
        return redirect(self._page(obj))


def _summary(result) -> str:
    errors = [finding for finding in result.findings if finding.severity == "error"]
    return " ".join(f"({finding.article or '–'}) {finding.message}" for finding in errors)
