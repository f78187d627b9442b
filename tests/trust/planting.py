"""Payloads put into every text of every model: which fields there are, which are left alone and why, and how
far every payload has been in every field that has room for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from datetime import timedelta

from django.apps import apps
from django.core.cache import caches
from django.db import connection, models, transaction

from players import triggers
from tests.trust.payloads import PAYLOADS, SHORT

#: so much stands in a text without a limit
LONG, ROWS = 1200, 300
#: fields that hold no text of anybody's, by pattern of "app.Model.field"
LEFT: dict[str, str] = {
    r".*\.(\w*sha256|digest|token|prefix|signature|key_id|password)": "made by the portal",
    r".*\.(session_\w+|mailbox|client)": "made by the portal",
    r"players\.(Player|FormerName)\.\w+_key": "folded for the search, never shown",
    r"(contenttypes|sessions|ratingsite)\..*": "the framework's",
    r"auth\.Permission\..*": "texts of the code",
    r".*\.regulation": "the code of a package that is installed",
    r"tournaments\.RatingSystem\.time_zone": "one of the system's time zones",
    r"ratinglists\.ListFile\.(name|media_type)": "made of the system's code, part of an address",
    r"players\.PlayerImport\.file": "a path",
    r"players\.OutboxMessage\.(right|key|link)": "codes and paths of the code",
    r"players\.AuditEntry\.act": "codes of the code",
    r"tournaments\.Report\.format": "the code of a reader",
    r"ratinglists\.ListRow\.federation": "the code of a federation, part of an address",
    r"players\.PlayerImport\.(federations|new_federations)": "codes of federations",
    r"tournaments\.Report\.(people|changes)": "numbers",
    r"ratinglists\.Share\..*": "shares of a computation, shown nowhere",
    r"ratinglists\.ListRow\.(sex|withheld|flags|games_by_period|totals)": "codes and numbers",
    r"ratinglists\.(PooledSample\.\w+|ApiKey\.scopes)": "codes and numbers",
    r"ratinglists\.EventResult\.(treated_as|ra)": "codes and numbers",
    r"players\.(IdentityChange\.moved|PrivacyRequest\.kept)": "keys of rows",
    r"tournaments\.ReportDraft\.changed": "numbers of versions",
    r"tournaments\.Report\.content": "a file: the parsers' business",
    r"admin\.LogEntry\.object_id": "a key",
    r"accounts\.(Failures\.\w+|Invitation\.(role|salt))": "hashes and the code of a role",
    r"account\.EmailConfirmation\.key": "no row is made: the links are signed",
    r"usersessions\.UserSession\.data": "nothing is put there",
}  # fmt: skip
#: JSON of which every text is somebody's, also a word by itself
TYPED = ("tournaments.ReportDraft.players", "tournaments.ReportDraft.games")
#: models of which a world has a row or two and a portal many, and what has to be another in each row beside
#: texts that are unique by themselves
FEW: dict[str, dict[str, Callable[[int, models.Model], object]]] = {
    "accounts.Invitation": {}, "accounts.Mail": {}, "admin.LogEntry": {}, "auth.Group": {}, "auth.User": {},
    "mfa.Authenticator": {}, "players.PlayerImport": {}, "players.PrivacyRequest": {},
    "ratinglists.ApiKey": {}, "ratinglists.Complaint": {}, "tournaments.RegistrationCheck": {},
    "tournaments.Tournament": {}, "usersessions.UserSession": {},
    "account.EmailAddress": {"email": lambda n, row: f"{n}{row.email}"},
    "players.Federation": {"code": lambda n, row: f"Q{chr(65 + n // 26)}{chr(65 + n % 26)}"},
    "players.IssuingBody": {"code": lambda n, row: f"issuing{n}"},
    "players.FideListing": {"list_date": lambda n, row: row.list_date - timedelta(n + 1)},
    "players.FormerName": {"name": lambda n, row: f"{row.name} {n}"},
    "ratinglists.ApiSubmission": {"idempotency_key": lambda n, row: f"q{n}"},
    "tournaments.Arbiter": {"user_id": lambda n, row: None},
    "tournaments.RatingSystem": {"code": lambda n, row: f"list{n}"},
    "tournaments.Team": {"number": lambda n, row: n + 10},
}  # fmt: skip
ENOUGH = 16
_TEXTS = (models.CharField, models.TextField, models.JSONField, models.BinaryField, models.FileField)


def fields() -> Iterator[models.Field]:
    """Every field that holds text, of every model."""
    for model in apps.get_models(include_auto_created=True):
        if not model._meta.managed or model._meta.proxy:
            continue
        for each in model._meta.local_concrete_fields:
            if isinstance(each, _TEXTS):
                yield each


def name(of: models.Field) -> str:
    return f"{of.model._meta.label}.{of.name}"


def left(of: models.Field) -> str:
    """Why nothing is put into a field, or nothing."""
    if of.primary_key:
        return "a key that other rows refer to"
    if of.choices:
        return "one of a few choices"
    return next((why for pattern, why in LEFT.items() if re.fullmatch(pattern, name(of))), "")


def multiply() -> None:
    """Copies of the rows of which there are few: a text takes a payload or three at a time."""
    triggers.remove_all(connection)
    for label, other in FEW.items():
        model = apps.get_model(label)
        rows = list(model._base_manager.order_by("pk"))
        for number in range(ENOUGH - len(rows)):
            row = copy(rows[number % len(rows)])
            if model._meta.pk.name not in other:
                row.pk = None
            row._state.adding = True
            for each in model._meta.local_concrete_fields:
                if each.unique and not each.primary_key and isinstance(each, models.CharField):
                    text = getattr(row, each.attname)
                    setattr(row, each.attname, f"{chr(97 + number)}-{text}"[: each.max_length])
            for name_of, differs in other.items():
                setattr(row, name_of, differs(number, row))
            row.save_base(force_insert=True, raw=True)
    triggers.install_all(connection)


@dataclass
class Place:
    """A field, and how far the payloads have been in it."""

    field: models.Field
    at: int = 0
    been: set[int] = field(default_factory=set)
    rows: int = 0

    @property
    def room(self) -> int:
        return min(self.field.max_length or LONG, LONG)

    @property
    def fitting(self) -> list[str]:
        return [text for text in PAYLOADS if len(text) <= self.room] if self.room > 12 else []

    def text(self, room: int = 0) -> str:
        """The next payloads, as many as there is room for."""
        room, fitting = room or self.room, self.fitting
        if not fitting:
            self.at += 1
            return next(s for s in (SHORT * 2)[self.at % len(SHORT) :] if len(s) <= room)
        found, left_room = [], room
        for _ in fitting:
            text = fitting[self.at % len(fitting)]
            if len(text) >= left_room and found:
                break
            if len(text) <= left_room:
                found.append(text)
                left_room -= len(text) + 1
                self.been.add(int(PAYLOADS.index(text)))
            self.at += 1
        return " ".join(found)


class Planted:
    """The places of a database, planted anew in each round."""

    def __init__(self) -> None:
        self.places = [Place(each) for each in fields() if not left(each)]

    @property
    def pairs(self) -> int:
        return sum(len(place.been) for place in self.places)

    @property
    def possible(self) -> int:
        return sum(len(place.fitting) for place in self.places if place.rows)

    @property
    def empty(self) -> list[str]:
        """Fields of which there is no row."""
        return [name(place.field) for place in self.places if not place.rows]

    def round(self) -> None:
        """Put the next payloads into every row."""
        triggers.remove_all(connection)
        by_model: dict[type, list[Place]] = {}
        for place in self.places:
            by_model.setdefault(place.field.model, []).append(place)
        with transaction.atomic():
            for model, places in by_model.items():
                for row in model._base_manager.order_by("pk")[:ROWS]:
                    self._row(model, row, places)
        triggers.install_all(connection)
        for cache in ("default", "pages"):
            caches[cache].clear()

    def _row(self, model, row, places: list[Place]) -> None:
        values = {}
        for place in places:
            old = getattr(row, place.field.attname)
            if isinstance(place.field, models.JSONField):
                new, many = _in_json(old, place)
                if many:
                    values[place.field.attname] = new
                    place.rows += 1
                continue
            mark = f" {row.pk}" if place.field.unique else ""
            values[place.field.attname] = place.text(place.room - len(mark)) + mark
            place.rows += 1
        if values:
            model._base_manager.filter(pk=row.pk).update(**values)


def _in_json(value, place: Place) -> tuple[object, int]:
    """JSON with its texts of words replaced; codes, numbers and names of keys stay."""
    if isinstance(value, str):
        typed = name(place.field) in TYPED
        told = typed or (" " in value and not _is_time(value))
        return (place.text(150 if typed else LONG), 1) if told else (value, 0)
    if isinstance(value, dict):
        found = {key: _in_json(each, place) for key, each in value.items()}
        return {key: each for key, (each, _) in found.items()}, sum(many for _, many in found.values())
    if isinstance(value, list):
        found = [_in_json(each, place) for each in value]
        return [each for each, _ in found], sum(many for _, many in found)
    return value, 0


def _is_time(text: str) -> bool:
    return bool(re.match(r"\d{4}-\d\d-\d\d ", text))
