"""What is overwritten when a person is erased: his own rows here, and free texts in which his name stands.

Other apps tell here when they start what they hold of a person (``sweep``, ``follow``), so that this app
needs to know none of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.apps import apps
from django.db.models import Model, Q, TextField
from django.db.models.functions import Cast
from django.utils.crypto import salted_hmac

from players.models import HIDDEN_NAME, ErasedNumber, FormerName, Identifier, IdentityChange, Player

#: what stands for a text that had to go as a whole
GONE = "Erased."
#: digits that make a number in a text a player's
LONG = 6


@dataclass(frozen=True)
class Person:
    """Who is hidden, revealed or erased: the keys of his records, and of an erasure also his names,
    numbers, accounts and mailboxes, all empty otherwise."""

    records: tuple[int, ...]
    erased: bool = False
    names: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    users: frozenset[int] = frozenset()
    mailboxes: frozenset[str] = frozenset()

    @property
    def spelled(self) -> set[str]:
        """What is looked for in texts: his names in the orders in which people write them, and numbers that
        are too long to be anything else."""
        names = {each for name in self.names for each in spellings(name)}
        return names | {number for number in self.numbers if len(number) >= LONG}

    def pattern(self) -> re.Pattern[str] | None:
        """What of a text is overwritten."""
        spelled = sorted(self.spelled, key=len, reverse=True)
        if not spelled:
            return None
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, spelled))})(?!\w)", re.IGNORECASE)


def spellings(name: str) -> set[str]:
    """A name as "Family, Given", "Family Given" and "Given Family"."""
    family, comma, given = (part.strip() for part in name.partition(","))
    return {name, f"{family} {given}", f"{given} {family}"} if comma and family and given else {name}


#: model -> its fields of free text or JSON in which somebody's name can stand
_texts: dict[str, tuple[str, ...]] = {}
#: model -> which of its rows are sealed: published, and covered by signatures
_sealed: dict[str, tuple[Q, tuple[str, ...]]] = {}
#: called after each change of what is shown of a person
_followers: dict[str, Callable[[Person], None]] = {}


def sweep(model: str, *fields: str) -> None:
    """Have these fields searched for an erased person's name."""
    _texts[model] = fields


def seal(model: str, rows: Q, *fields: str) -> None:
    """Say which rows of a model cannot be overwritten: they are named to the staff instead."""
    _sealed[model] = (rows, fields)


def follow(follower: Callable[[Person], None]) -> None:
    _followers[f"{follower.__module__}.{follower.__qualname__}"] = follower


def tell(person: Person) -> None:
    """Have the other apps follow what has just changed, in the same transaction."""
    for follower in _followers.values():
        follower(person)


# --- texts ----------------------------------------------------------------------------------------


def overwritten(value: object, pattern: re.Pattern[str]) -> object:
    """A text, or JSON with its texts, without the names."""
    if isinstance(value, str):
        return pattern.sub(HIDDEN_NAME, value)
    if isinstance(value, list):
        return [overwritten(each, pattern) for each in value]
    if isinstance(value, dict):
        return {key: overwritten(each, pattern) for key, each in value.items()}
    return value


def naming(model: str, fields: Iterable[str], person: Person, rows: Q) -> Iterator[Model]:
    """The rows in whose fields a name may stand; JSON is searched as the database has it as text."""
    spelled = person.spelled | {json.dumps(each)[1:-1] for each in person.spelled}
    fields = tuple(fields)
    texts = {f"{name}_as_text": Cast(name, TextField()) for name in fields}
    wanted = [Q(**{f"{text}__icontains": each}) for text in texts for each in spelled]
    if wanted:
        found = apps.get_model(model)._base_manager.filter(rows).annotate(**texts)
        yield from found.filter(reduce(or_, wanted)).only("pk", *fields).order_by("pk")


def sweep_texts(person: Person) -> None:
    """Take the names out of every text that can still be written."""
    pattern = person.pattern()
    if pattern is None:
        return
    for model, fields in _texts.items():
        sealed = _sealed.get(model)
        for row in naming(model, fields, person, ~sealed[0] if sealed else Q()):
            new = {name: overwritten(getattr(row, name), pattern) for name in fields}
            if changed := {name: value for name, value in new.items() if value != getattr(row, name)}:
                apps.get_model(model)._base_manager.filter(pk=row.pk).update(**changed)


def left_in(person: Person) -> list[str]:
    """The sealed rows that name him, in words for the staff."""
    return [
        f"{apps.get_model(model)._meta.verbose_name} {row.pk}"
        for model, (rows, fields) in _sealed.items()
        for row in naming(model, fields, person, rows)
    ]


# --- the person's own rows -------------------------------------------------------------------------


def digest_of(issuer: str, value: str) -> str:
    """The keyed hash by which a number is known again without being kept."""
    return salted_hmac("players.erased", f"{issuer} {value}", algorithm="sha256").hexdigest()


def erased_numbers(issuer: str, values: Iterable[str]) -> set[str]:
    """Those of a body's numbers that an erased player had."""
    if not ErasedNumber.objects.exists():
        return set()
    digests = {digest_of(issuer, value): value for value in values}
    found = ErasedNumber.objects.filter(pk__in=digests).values_list("pk", flat=True)
    return {digests[digest] for digest in found}


def erase_rows(person: Person) -> None:
    """Overwrite what the register itself has: numbers, former names, birth date, reasons of merges."""
    numbers = Identifier.objects.filter(player__in=person.records)
    ErasedNumber.objects.bulk_create(
        [ErasedNumber(digest=digest_of(each.issuer_id, each.value)) for each in numbers],
        ignore_conflicts=True,
    )
    numbers.delete()
    FormerName.objects.filter(player__in=person.records).delete()
    for record in Player.objects.filter(pk__in=person.records):
        record.name, record.privacy, record.user = HIDDEN_NAME, Player.Privacy.ERASED, None
        record.birth_date, record.birth_precision = None, Player.Precision.UNKNOWN
        record.save()
    changes = IdentityChange.objects.filter(Q(source__in=person.records) | Q(target__in=person.records))
    for change in changes:
        change.reason, change.undone_why = GONE, change.undone_why and GONE
        change.moved = {**change.moved, "filled": {}, "former_name": None}
        change.save(update_fields=["reason", "undone_why", "moved"])


def register_own() -> None:
    """The texts of this app, and Django's log of its admin."""
    sweep("players.PlayerImport", "changes", "faults")
    sweep("players.OutboxMessage", "subject", "text")
    sweep("players.IdentityChange", "reason", "undone_why")
    sweep("players.PrivacyRequest", "text", "reason")
    sweep("admin.LogEntry", "object_repr", "change_message")
