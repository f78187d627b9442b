"""Two federations with an object of every kind each, and an account of every role, of the first one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db.models import Model
from django.utils import timezone

from players import audit, roles
from players.models import (
    AuditEntry,
    Clerkship,
    IdentityChange,
    IssuingBody,
    OutboxMessage,
    Player,
    PlayerImport,
    PrivacyRequest,
)
from players.roles import Role
from ratinglists.models import (
    ApiKey,
    ApiSubmission,
    Complaint,
    Correction,
    Job,
    Period,
)
from tests import factories as make
from tournaments.models import Arbiter, Report, Tournament, Waiver

OWN, OTHER = "XAA", "XBB"
LISTED, DRAFTED = date(2022, 4, 1), date(2022, 5, 1)
#: the letters of the table: nobody signed in, player, arbiter, clerk, officer, approver, administrator
ROLES = {
    "P": None,
    "L": Role.PLAYER,
    "A": Role.ARBITER,
    "K": Role.CLERK,
    "O": Role.OFFICER,
    "V": Role.APPROVER,
    "D": Role.ADMINISTRATOR,
}


@dataclass
class Side:
    """What one federation has."""

    code: str
    player: Player
    other: Player
    tournament: Tournament
    report: Report
    period: Period
    complaint: Complaint
    rows: dict[type[Model], Model]


def make_side(code: str, boss) -> Side:
    federation = make.make_federation(code)
    system = make.make_system(f"rapid-{code.lower()}", federation=federation)
    player, other, gone = (make.make_player(federation=code) for _ in range(3))
    arbiter = make.make_arbiter(f"Arbiter, {code}", federation=federation)
    event = make.make_tournament(system, arbiter=arbiter, state="reported")
    report = make.make_report(event, [player, other], [(1, 1, 2, "1-0")], state="submitted", by=boss)
    counted = make.make_tournament(system, arbiter=arbiter)
    make.make_report(counted, [player, other], [(1, 1, 2, "1-0")], by=boss)
    listed = make.make_list(
        system, LISTED, {player: 2000, other: 1900}, events={counted: {player: {}, other: {}}}
    )
    make.make_list(
        system, LISTED, {player: 2001, other: 1899}, events={counted: {player: {}, other: {}}}, revision=2
    )
    draft = make.make_list(system, DRAFTED, {player: 2010}, published=False)
    draft_event = make.make_tournament(system, state="draft")
    correction = Correction.objects.create(system=system, reason="Wrong", opened_by=boss)
    key = ApiKey.objects.create(
        name=code, federation=federation, user=boss, prefix=f"rp_{code.lower()}0000"[:12], sha256="0" * 64,
        created_by=boss, expires_at=timezone.now() + timedelta(days=9),
    )  # fmt: skip
    complaint = Complaint.objects.create(
        subject="game", tournament=counted, player=player, text="It was a draw.", name="Ann",
        email="ann@example.org", token=f"token-{code}",
    )  # fmt: skip
    clerk = make.make_user(f"clerk-{code}", federation=code)
    made = [
        federation, system, arbiter, player, draft_event, report, draft.period, listed, correction, key,
        complaint,
        Waiver.objects.create(
            tournament=draft_event, authorization="late-registration", article="0.2", reason="In time.",
            granted_by=boss,
        ),
        listed.rows.first(),
        Job.objects.create(kind="compute", period=draft.period, state="done"),
        ApiSubmission.objects.create(
            key=key, idempotency_key=code, tournament=event, request_sha256="0" * 64, status=409
        ),
        IdentityChange.objects.create(kind="merge", source=gone, target=player, reason="One person", by=boss,
            moved={"rows": {}, "filled": {}, "former_name": None},
        ),
        PrivacyRequest.objects.create(player=player, wish="hide", name="Ann", email="ann@example.org"),
        Clerkship.objects.get(user=clerk),
    ]  # fmt: skip
    return Side(code, player, other, event, report, draft.period, complaint, {type(row): row for row in made})


class World:
    def __init__(self) -> None:
        roles.ensure_roles()
        boss = make.root()
        self.sides = {code: make_side(code, boss) for code in (OWN, OTHER)}
        target = make.make_user("target")
        entry = audit.record("test.made", None, target)
        self.shared: dict[type[Model], Model] = {
            get_user_model(): target,
            Group: Group.objects.create(name="Guests"),
            IssuingBody: IssuingBody.objects.first(),
            OutboxMessage: OutboxMessage.objects.create(key="one", right=roles.GRANT, subject="One"),
            PlayerImport: PlayerImport.objects.create(
                file="uploads/none.csv", file_name="none.csv", size=1, sha256="0" * 64, format="csv",
                list_date=LISTED, state="done", requested_by=boss,
            ),
            AuditEntry: entry,
        }  # fmt: skip
        self.users = {letter: self._account(letter, role) for letter, role in ROLES.items() if role}

    def _account(self, letter: str, role: Role):
        side = self.sides[OWN]
        given = {
            Role.CLERK: {"federation": OWN},
            Role.ARBITER: {"arbiter": side.rows[Arbiter]},
            Role.PLAYER: {"player": side.player},
        }
        user = make.make_user(f"role-{letter}")
        roles.grant(user, role, by=None, **given.get(role, {}))
        return get_user_model().objects.get(pk=user.pk)

    def row(self, model: type[Model], code: str) -> Model:
        """The row of a model on one side; KeyError for a model of which the world has none."""
        return self.shared.get(model) or self.sides[code].rows[model]
