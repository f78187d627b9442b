"""The table: who gets in at which address. An address of the resolver without a row fails the test.

Letters are those of ``world.ROLES``. ``get`` (HEAD, too) and ``post`` name who gets in; a number stands for
the answer to everybody whom the door lets pass. The door of "signed" asks the public to sign in, that of
"admin" everybody who is not staff. Whom the door lets pass, but who may not, gets ``refuse``: 403 for a page
that his role does not have, 404 where it depends on whose the object is. Of rows with ``own`` arbiters and
clerks get 404 for what is not theirs; ``looks`` are those who get so far though they may not act.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ALL, SIGNED, STAFF = "PLAKOVD", "LAKOVD", "KOVD"
DOORS = {"open": ALL, "passkey": "", "signed": SIGNED, "admin": STAFF}
ONLY_OWN = "AK"


@dataclass(frozen=True)
class Row:
    door: str
    get: str | int
    post: str | int
    refuse: int = 403
    own: bool = False
    looks: str = ""
    #: the answer to who may look at it, but not post, or the other way round
    beside: int = 405

    def expected(self, letter: str, method: str, own_side: bool) -> str:
        """ "in", "login", or the number of the refusal."""
        wanted, other = (self.post, self.get) if method == "POST" else (self.get, self.post)
        if letter not in DOORS[self.door]:
            return "login"
        if isinstance(wanted, int):
            return str(wanted)
        foreign = self.own and not own_side and letter in ONLY_OWN
        if letter in wanted:
            return "404" if foreign else "in"
        if letter in str(other):
            return str(self.beside)
        return "404" if foreign and letter in self.looks else str(self.refuse)


PAGE = Row("open", ALL, 405)
FORM = Row("open", ALL, ALL)
NOTHING_HERE = Row("open", 404, 404)  # nobody is told, or the world has none
OWN_PAGE = Row("signed", SIGNED, 405)
EVENT_PAGE = Row("signed", "AKOD", 405, 404, own=True)
EVENT_FORM = Row("signed", "AKOD", "AKOD", 404, own=True)
EVENT_ACT = Row("signed", 405, "AKOD", 404, own=True)

_NAMED = {
    PAGE: """
        home lists system-latest live list list-csv list-txt list-xml list-xlsx list-pdf list-changes
        list-changes-csv list-events monitoring monitoring-csv special special-csv calendar calendar-ics
        calendar-system-ics feed feed-revisions feed-system robots sitemap sitemap-part players player
        player-history player-statistics player-games compare-choose compare-players what-if calculation
        calculation-sheet api api-openapi federations federation tournaments tournament received status
        healthz healthz-queue healthz-sweep readyz
        account_email_verification_sent account_inactive account_reset_password_done
        account_reset_password_from_key_done
        language api-v1:systems api-v1:lists api-v1:rating_list api-v1:rows api-v1:list_revisions
        api-v1:changes api-v1:players api-v1:player api-v1:history api-v1:events api-v1:games
        api-v1:calculation api-v1:tournaments api-v1:tournament api-v1:crosstable api-v1:findings
        api-v1:federations api-v1:federation""",
    FORM: """
        complain player-privacy complaint-case favicon verify
        api-v1:calculate api-v1:catalog account_login account_logout account_signup account_reset_password
        account_reset_password_from_key""",
    Row("open", 405, 401): "api-v1:send_report",  # a key, not a session
    Row("open", ALL, 404): "account_confirm_email",
    NOTHING_HERE: "metrics api-v1:api-root invitation",
    Row("open", 404, 405): "list-file verify-manifest verify-signature verify-archive verify-key",
    OWN_PAGE: "me arbiter account mfa_index mfa_list_webauthn",
    Row("signed", SIGNED, SIGNED): """
        account_change_password account_email account_reauthenticate account_set_password mfa_activate_totp
        mfa_add_webauthn mfa_generate_recovery_codes mfa_reauthenticate mfa_reauthenticate_webauthn
        usersessions_list mfa_authenticate mfa_edit_webauthn mfa_remove_webauthn
        account_confirm_login_code""",
    Row("signed", 403, 403): "account_confirm_reauthentication_code account_request_reauthentication_code",
    # none has a factor here
    Row("signed", 404, 404): """
        mfa_deactivate_totp mfa_download_recovery_codes""",
    Row("signed", 404, 405): "mfa_view_recovery_codes",
    Row("signed", 405, 404): "invitation-change",  # and no invitation is open
    Row("signed", "KOD", "KOD"): "invitations",
    Row("signed", "D", "D"): "second-factor-reset",
    Row("passkey", "", ""): "mfa_login_webauthn",  # a script asks it; whoever opens it is led to the form
    Row("signed", 405, SIGNED): "me-read",
    EVENT_PAGE: "arbiter-tournament arbiter-file arbiter-report arbiter-export arbiter-template",
    EVENT_FORM: """
        arbiter-upload arbiter-dry-run arbiter-crosstable arbiter-round arbiter-check arbiter-grid""",
    EVENT_ACT: """
        arbiter-appeal arbiter-cancel arbiter-entry-add arbiter-entry-withdraw arbiter-choose arbiter-submit
        arbiter-resume arbiter-discard arbiter-choose-entries arbiter-enter-list""",
    Row("signed", "", "O", own=True): "arbiter-distinct complaint-correct",
    Row("signed", "O", "", own=True): "compare",
    Row("signed", "O", ""): "complaints",
    Row("signed", "O", "O", own=True): "complaint",
    Row("signed", STAFF, 405): "queue",
    Row("admin", STAFF, 405): "register-export admin:jsi18n admin:autocomplete",
    Row("admin", STAFF, STAFF): """
        admin:index admin:app_list admin:login admin:password_change admin:password_change_done
        admin:object""",
    Row("open", "PLA", ALL): "admin:logout",  # whom the admin does not know is led to its door
    Row("admin", 404, 404): "admin:view_on_site admin:anything",
    Row("admin", "OD", 405): "admin:players_auditentry_verify",
    Row("admin", "O", "O", own=True): """
        admin:players_identitychange_undo admin:players_player_merge admin:players_player_split
        admin:players_player_privacy admin:ratinglists_correction_event""",
    Row("admin", 405, "O"): "admin:players_playerimport_apply admin:players_playerimport_stop",
    Row("admin", "OVD", 405): "admin:players_playerimport_progress admin:players_playerimport_faults",
    Row("admin", "O", "O"): "admin:ratinglists_correction_open admin:ratinglists_period_open",
    Row("admin", STAFF, 405, own=True): """
        admin:ratinglists_correction_progress admin:ratinglists_period_progress
        admin:tournaments_report_download""",
    Row("admin", 405, "O", own=True, looks="K"): """
        admin:ratinglists_correction_do admin:ratinglists_period_ask""",
    Row("admin", 405, "KOD", own=True): "admin:tournaments_tournament_decide",
    Row("admin", "D", "D"): "admin:auth_user_password_change",
}
ROWS = {name: row for row, names in _NAMED.items() for name in names.split()}

#: model -> who views, adds, changes and deletes its rows in the admin; "own": clerks those of theirs only
MODELS = {
    "auth_user":                  ("D", "D", "D", ""),
    "auth_group":                 ("D", "D", "D", ""),
    "players_federation":         ("KOVD", "OD", "OD", "", "own"),
    "players_issuingbody":        ("KOVD", "OD", "OD", ""),
    "players_player":             ("KOVD", "KOD", "KOD", "", "own"),
    "players_playerimport":       ("OVD", "O", "", "O"),
    "players_identitychange":     ("KOVD", "", "", "", "own"),
    "players_privacyrequest":     ("O", "", "", "", "own"),
    "players_auditentry":         ("OD", "", "", ""),
    "players_outboxmessage":      ("OVD", "", "", ""),
    "players_clerkship":          ("D", "", "", "", "own"),
    "tournaments_ratingsystem":   ("KOVD", "OD", "OD", "", "own"),
    "tournaments_arbiter":        ("KOVD", "KOD", "KOD", "", "own"),
    "tournaments_tournament":     ("KOVD", "KOD", "KOD", "KOD", "own"),
    "tournaments_report":         ("KOVD", "", "", "", "own"),
    "tournaments_waiver":         ("KOVD", "", "", "", "own"),
    "ratinglists_period":         ("KOVD", "O", "O", "O", "own"),
    "ratinglists_ratinglist":     ("KOVD", "", "", "", "own"),
    "ratinglists_listrow":        ("KOVD", "", "", "", "own"),
    "ratinglists_job":            ("KOVD", "", "", "", "own"),
    "ratinglists_correction":     ("KOVD", "", "", "", "own"),
    "ratinglists_complaint":      ("OV", "", "", "", "own"),
    "ratinglists_apikey":         ("O", "O", "", "", "own"),
    "ratinglists_apisubmission":  ("O", "", "", "", "own"),
}  # fmt: skip
_ADMIN = re.compile(r"admin:(?P<model>[a-z]+_[a-z]+)_(?P<what>changelist|add|history|delete|change)")
#: addresses without a name, by their pattern
NAMELESS = {
    "favicon.ico": "favicon",
    "<path:object_id>/": "admin:object",
    "(?P<url>.*)$": "admin:anything",
}


def row_of(name: str, path: str) -> Row | None:
    """The row of an address; None if the table has none."""
    name = name if name not in ("", "admin:") else NAMELESS.get(path, name)
    if name in ROWS:
        return ROWS[name]
    found = _ADMIN.fullmatch(name)
    if found is None or found["model"] not in MODELS:
        return None
    view, add, change, delete, *own = MODELS[found["model"]]
    scoped = bool(own)
    return {
        "changelist": Row("admin", view, view),
        "history": Row("admin", view, view, own=scoped, looks="K"),
        "add": Row("admin", add, add),
        "change": Row("admin", view, change, own=scoped, beside=403),
        "delete": Row("admin", delete, delete, own=scoped),
    }[found["what"]]
