"""Every address of the portal with every object that it can name: one that nobody knows here is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from players.models import Federation, IdentityChange, Player, PlayerImport
from ratinglists import correction_admin, proofs, sitemaps, special
from ratinglists.key_changes import Publication
from ratinglists.models import Complaint, Correction, EventResult, ListFile, ListRow, Period
from tournaments import decisions
from tournaments.models import Entry, RatingSystem, Report, Tournament

#: what only takes forms: asked for all the same, it must not answer a GET with a page
FORMS_ONLY = {
    "admin:logout", "invitation-change", "me-read", "arbiter-appeal", "arbiter-cancel",
    "arbiter-entry-add", "arbiter-entry-withdraw",
    "arbiter-choose", "arbiter-distinct", "arbiter-submit", "arbiter-resume", "arbiter-discard",
    "arbiter-choose-entries", "arbiter-enter-list", "complaint-correct", "api-v1:send_report",
}  # fmt: skip
#: addresses without a name: the redirects of the icon and of an object in the admin, and its last resort
NAMELESS = ("favicon.ico", "<path:object_id>/", "(?P<url>.*)$")
#: addresses with a query that shows something else
QUERIES = {
    "list": ("", "?status=rated&order=born", "?draft=1", "?revision=1", "?age=65"),
    "special": ("", "?draft=1"),
    "special-csv": ("", "?draft=1"),
    "list-csv": ("", "?draft=1", "?revision=1"),
    "list-xlsx": ("", "?draft=1", "?revision=1"),
    "list-pdf": ("", "?draft=1"),
    "list-changes": ("", "?draft=1"),
    "calculation": ("", "?draft=1", "?revision=1"),
    "players": ("", "?q=invented", "?q=player", "?age=65", "?system=rapid"),
    "register-export": ("", "?format=csv", "?format=fide-txt", "?format=fide-xml"),
    "compare-choose": ("?q=player",),
    "what-if": ("", "?system=rapid&g1-rating=1900&g1-result=1"),
    "api-v1:players": ("?q=player",),
    "api-v1:rows": ("", "?status=rated", "?revision=1"),
    "admin:autocomplete": (
        "?app_label=tournaments&model_name=entry&field_name=player&term=player",
    ),
    "admin:players_player_merge": ("", "?into=%231"),
    "complaints": ("", "?state=rejected"),
}  # fmt: skip


def patterns(resolver=None, spaces: str = "") -> Iterator[tuple[str, str]]:
    """Name and path of every address of the resolver."""
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each, spaces + (f"{each.namespace}:" if each.namespace else ""))
        elif isinstance(each, URLPattern):
            yield spaces + (each.name or ""), str(each.pattern)


def _words(text: str) -> list[str]:
    return text.split()


def _keys(model) -> Callable[[], list[dict]]:
    return lambda: [{"pk": pk} for pk in model._base_manager.values_list("pk", flat=True)]


def _days(**more) -> Callable[[], list[dict]]:
    return lambda: [
        {"system": each.system_id, "day": each.list_date, **more} for each in Period.objects.all()
    ]


def _kinds() -> list[dict]:
    return [{**each, "kind": kind} for each in _days()() for kind in special.SPECIAL]


def _files() -> list[dict]:
    files = ListFile.objects.select_related("rating_list__period")
    return [
        {
            "system": each.rating_list.period.system_id,
            "day": each.rating_list.list_date,
            "sha256": each.sha256,
            "name": each.name,
        }
        for each in files
    ]


def _reports() -> list[dict]:
    return [{"pk": each.tournament_id, "report": each.pk} for each in Report.objects.all()]


def _with_codes(*codes: str) -> Callable[[], list[dict]]:
    return lambda: [{**each, "code": code} for each in _keys(Tournament)() for code in codes]


def _results(name: str) -> Callable[[], list[dict]]:
    return lambda: [
        {name: player, "tournament": event}
        for event, player in EventResult.objects.values_list("tournament", "players__player").distinct()
        if player
    ]


def _sheets() -> list[dict]:
    rows = ListRow.objects.filter(rating_list__state="published").select_related("rating_list__period")
    return [
        {
            "system": each.rating_list.period.system_id,
            "day": each.rating_list.list_date,
            "revision": each.rating_list.revision,
            "pk": each.player_id,
        }
        for each in rows[:: max(1, rows.count() // 60)]
    ]


def _pairs() -> list[dict]:
    first, *others = [each["pk"] for each in _keys(Player)()] or [0]
    return [{"pk": first, "other": pk} for pk in others]


def _publications() -> list[dict]:
    return [{"number": number} for number in Publication.objects.values_list("number", flat=True)]


def _public_keys() -> list[dict]:
    return [{"name": each.name} for each in proofs.public_keys()]


def _acts(model, *acts: str) -> Callable[[], list[dict]]:
    return lambda: [{**each, "what": what} for each in _keys(model)() for what in acts]


def _nothing() -> list[dict]:
    return [{}]


def _of(name: str, model) -> Callable[[], list[dict]]:
    return lambda: [{name: each["pk"]} for each in _keys(model)()]


_TOURNAMENT = [
    "tournament",
    "complain",
    "arbiter-tournament",
    "arbiter-appeal",
    "arbiter-cancel",
    "compare",
    "arbiter-entry-add",
    "arbiter-upload",
    "arbiter-choose",
    "arbiter-distinct",
    "arbiter-submit",
    "arbiter-crosstable",
    "arbiter-check",
    "arbiter-discard",
    "arbiter-dry-run",
    "arbiter-choose-entries",
    "arbiter-enter-list",
    "arbiter-grid",
]
_PLAIN = [
    "account",
    "invitations",
    "account_login",
    "account_logout",
    "account_inactive",
    "account_signup",
    "account_reauthenticate",
    "account_request_reauthentication_code",
    "account_confirm_reauthentication_code",
    "account_confirm_login_code",
    "account_email",
    "account_email_verification_sent",
    "account_change_password",
    "account_set_password",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key_done",
    "mfa_index",
    "mfa_authenticate",
    "mfa_reauthenticate",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_download_recovery_codes",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
    "mfa_login_webauthn",
    "mfa_reauthenticate_webauthn",
    "usersessions_list",
    "healthz",
    "healthz-queue",
    "healthz-sweep",
    "readyz",
    "metrics",
    "status",
    "calendar",
    "calendar-ics",
    "feed",
    "feed-revisions",
    "robots",
    "sitemap",
    "queue",
    "received",
    "me",
    "me-read",
    "arbiter",
    "home",
    "lists",
    "players",
    "register-export",
    "api",
    "api-openapi",
    "federations",
    "verify",
    "tournaments",
    "complaints",
    "api-v1:players",
    "api-v1:systems",
    "api-v1:lists",
    "api-v1:tournaments",
    "api-v1:federations",
    "api-v1:catalog",
    "api-v1:calculate",
    "api-v1:api-root",
    "admin:index",
    "admin:login",
    "admin:logout",
    "admin:password_change",
    "admin:password_change_done",
    "admin:autocomplete",
    "admin:jsi18n",
    "admin:players_auditentry_verify",
]
#: name of an address -> the arguments of every object that it can name
KNOWN: dict[str, Callable[[], list[dict]]] = {
    **dict.fromkeys(_PLAIN, _nothing),
    **dict.fromkeys(_TOURNAMENT, _keys(Tournament)),
    **dict.fromkeys(
        [
            "player",
            "player-games",
            "player-history",
            "player-statistics",
            "what-if",
            "compare-choose",
            "player-privacy",
        ],
        _keys(Player),
    ),
    **dict.fromkeys(
        ("system-latest", "live", "feed-system", "calendar-system-ics"), _of("system", RatingSystem)
    ),
    "sitemap-part": lambda: [{"section": each} for each in sitemaps.SECTIONS],
    "language": lambda: [{"code": each} for each, _ in settings.LANGUAGES],
    "calculation-sheet": _sheets,
    **dict.fromkeys(
        [
            "list",
            "list-csv",
            "list-txt",
            "list-xml",
            "list-xlsx",
            "list-pdf",
            "list-changes",
            "list-changes-csv",
            "list-events",
            "monitoring",
            "monitoring-csv",
            "api-v1:rating_list",
            "api-v1:rows",
            "api-v1:list_revisions",
            "api-v1:changes",
        ],
        _days(),
    ),
    **dict.fromkeys(("special", "special-csv"), _kinds),
    **dict.fromkeys(
        ("api-v1:player", "api-v1:history", "api-v1:events", "api-v1:games"), _of("player", Player)
    ),
    **dict.fromkeys(
        ["api-v1:tournament", "api-v1:crosstable", "api-v1:findings", "api-v1:send_report"],
        _of("tournament", Tournament),
    ),
    **dict.fromkeys(("federation", "api-v1:federation"), _of("code", Federation)),
    **dict.fromkeys(("verify-manifest", "verify-signature", "verify-archive"), _publications),
    **dict.fromkeys(("complaint", "complaint-correct"), _keys(Complaint)),
    **dict.fromkeys(("arbiter-report", "arbiter-file", "arbiter-resume"), _reports),
    "account_reset_password_from_key": lambda: [{"uidb36": "1", "key": "set-password"}],
    "account_confirm_email": lambda: [{"key": "none"}],
    "invitation": lambda: [{"token": "none"}],
    "invitation-change": _keys(apps.get_model("accounts.Invitation")),
    "mfa_remove_webauthn": _keys(apps.get_model("mfa.Authenticator")),
    "mfa_edit_webauthn": _keys(apps.get_model("mfa.Authenticator")),
    "second-factor-reset": _keys(apps.get_model("auth.User")),
    "list-file": _files,
    "compare-players": _pairs,
    "calculation": _results("pk"),
    "api-v1:calculation": _results("player"),
    "verify-key": _public_keys,
    "complaint-case": lambda: [{"token": each.token} for each in Complaint.objects.all()],
    "arbiter-entry-withdraw": lambda: [
        {"pk": each.tournament_id, "entry": each.pk} for each in Entry.objects.all()[:3]
    ],
    "arbiter-round": lambda: [
        {"pk": pk, "number": 1} for pk in Tournament.objects.values_list("pk", flat=True)
    ],
    "arbiter-export": _with_codes("trf16", "trf26", "csv", "xlsx", "feda1031"),
    "arbiter-template": _with_codes("csv", "xlsx"),
    "admin:players_player_privacy": _keys(Player),
    "admin:players_player_merge": _keys(Player),
    "admin:players_player_split": _keys(Player),
    "admin:players_identitychange_undo": _keys(IdentityChange),
    "admin:app_list": lambda: [
        {"app_label": each} for each in ("players", "tournaments", "ratinglists", "auth")
    ],
    "admin:view_on_site": list,
    "admin:auth_user_password_change": lambda: [
        {"id": pk["pk"]} for pk in _keys(apps.get_model("auth.User"))()
    ],
    **{
        f"admin:players_playerimport_{what}": _keys(PlayerImport)
        for what in ("apply", "stop", "progress", "faults")
    },
    "admin:tournaments_report_download": _keys(Report),
    "admin:tournaments_tournament_decide": _acts(Tournament, *decisions.ACTIONS),
    "admin:ratinglists_correction_open": _nothing,
    "admin:ratinglists_correction_event": _keys(Tournament),
    "admin:ratinglists_correction_do": _acts(Correction, *correction_admin.ACTIONS),
    "admin:ratinglists_correction_progress": _keys(Correction),
    "admin:ratinglists_period_open": _nothing,
    "admin:ratinglists_period_ask": _acts(Period, "compute", "publish"),
    "admin:ratinglists_period_progress": _keys(Period),
}
_ADMIN = re.compile(r"admin:(?P<app>[a-z]+)_(?P<model>[a-z]+)_(?P<what>changelist|add|history|delete|change)")


def arguments(name: str, path: str) -> list[dict] | None:
    """What an address is asked with; None if it is not known."""
    if name in KNOWN:
        return KNOWN[name]()
    if found := _ADMIN.fullmatch(name):
        model = apps.get_model(found["app"], found["model"])
        if model not in admin.site._registry:
            return None
        if found["what"] in ("changelist", "add"):
            return [{}]
        return [{"object_id": pk["pk"]} for pk in _keys(model)()]
    # Without a name: the redirect of the icon, of an object in the admin, and its last resort.
    return (
        []
        if name in ("", "admin:") and path in ("favicon.ico", "<path:object_id>/", "(?P<url>.*)$")
        else None
    )


def unknown() -> list[str]:
    """Addresses of the resolver that the crawl does not know."""
    return [f"{name} {path}" for name, path in patterns() if arguments(name, path) is None]


def addresses() -> Iterator[tuple[str, str]]:
    """Name and address of everything there is to ask for."""
    for name, path in patterns():
        for given in arguments(name, path) or ():
            where = reverse(name, kwargs=given) if given else reverse(name)
            for query in QUERIES.get(name, ("",)):
                yield name, where + query
