"""What merging two records, splitting one, or undoing either would do: plans, which change nothing.

Other apps have rows that point at a player, and reasons why two records cannot be one person. They
tell them here when they start (``follow``, ``object_with``, ``remark_with`` in their ``ready``), so
that this app needs to know none of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.apps import apps
from django.db.models import Model, Q, QuerySet

from players.languages.texts import english
from players.models import IdentityChange, Player
from players.persons import (
    Filled,
    filled,
    listings_known,
    memberships_that_overlap,
    names_known,
    titles_held,
    two_persons,
)

MERGE, SPLIT, UNDO_MERGE, UNDO_SPLIT = "merge", "split", "undo-merge", "undo-split"


@dataclass(frozen=True, slots=True)
class Rows:
    """A kind of rows that belong to a player and go with the person.

    ``stays`` tells which of the rows cannot go to another player in a merge, with the reason;
    ``divisible`` says whether a split may choose among them.
    """

    name: str
    label: str
    model: str
    field: str = "player"
    related: tuple[str, ...] = ()
    text: Callable[[Model], str] = str
    stays: Callable[[list, Player], Mapping[int, str]] = lambda rows, target: {}
    divisible: bool = True

    def of(self, player: Player) -> QuerySet:
        rows = apps.get_model(self.model)._default_manager.filter(**{self.field: player.pk})
        return rows.select_related(*self.related).order_by("pk")

    def hand_over(self, keys: Iterable[int], source: Player, target: Player) -> int:
        """Give those of the rows that are the source's to the target; returns how many."""
        return (
            self.of(source).select_related(None).filter(pk__in=list(keys)).update(**{self.field: target.pk})
        )


#: (kind, source, target) -> reasons against it, in words for staff
Objection = Callable[[str, Player, Player], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Deed:
    """What is planned, for those who remark on it. ``since`` is the time of the change to be undone."""

    kind: str
    source: Player
    target: Player | None
    moved: Mapping[str, list[int]]
    since: datetime | None = None


Remark = Callable[[Deed], Iterable[str]]

_rows: dict[str, Rows] = {}
_objections: dict[str, Objection] = {}
_remarks: dict[str, Remark] = {}
#: links to players that stay where they are, as printed
_fixed: set[str] = set()


def follow(*rows: Rows) -> None:
    """Have these rows go with the person."""
    _rows.update((each.name, each) for each in rows)


def leave(*links: str) -> None:
    """Say that these links ("app.Model.field") stay at the record that they name."""
    _fixed.update(link.lower() for link in links)


def object_with(objection: Objection) -> None:
    _objections[f"{objection.__module__}.{objection.__qualname__}"] = objection


def remark_with(remark: Remark) -> None:
    _remarks[f"{remark.__module__}.{remark.__qualname__}"] = remark


def followed() -> list[Rows]:
    return list(_rows.values())


def forgotten_links() -> set[str]:
    """Links to players of any app that nobody follows or leaves: none, as a test makes sure."""
    known = _fixed | {f"{each.model}.{each.field}".lower() for each in _rows.values()}
    links = {
        f"{relation.related_model._meta.label_lower}.{relation.field.name}"
        for relation in Player._meta.related_objects
    }
    return links - known


# --- plans ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A row in words; ``why`` it stays where it is."""

    pk: int
    text: str
    why: str = ""


@dataclass(slots=True)
class Group:
    name: str
    label: str
    moving: list[Line] = field(default_factory=list)
    staying: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """What would be done; impossible while there are ``obstacles``."""

    kind: str
    source: Player
    target: Player | None
    obstacles: list[str] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    filled: dict[str, Filled] = field(default_factory=dict)
    former_name: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def moved(self) -> dict[str, list[int]]:
        return {group.name: keys for group in self.groups if (keys := [line.pk for line in group.moving])}

    @property
    def digest(self) -> str:
        """Of everything that would be done: what was looked at is what is done, or nothing is."""
        told = [
            self.kind,
            self.source.pk,
            self.target and self.target.pk,
            self.moved,
            {name: [str(fill.before), str(fill.after)] for name, fill in self.filled.items()},
            self.former_name,
            self.notes,
        ]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def plan_merge(source: Player, target: Player) -> Plan:
    """What making ``source`` a part of ``target`` would move."""
    plan = Plan(MERGE, source, target)
    for each in _objections.values():
        plan.obstacles += each(MERGE, source, target)
    for rows in followed():
        own = list(rows.of(source))
        stays = rows.stays(own, target) if own else {}
        group = Group(rows.name, rows.label)
        for row in own:
            line = Line(row.pk, rows.text(row), stays.get(row.pk, ""))
            (group.staying if row.pk in stays else group.moving).append(line)
        if own:
            plan.groups.append(group)
    plan.filled = filled(source, target)
    known = {target.name, *target.former_names.values_list("name", flat=True)}
    if source.name not in known | set(source.former_names.values_list("name", flat=True)):
        plan.former_name = source.name
    if source.federation_id != target.federation_id:
        plan.notes.append(
            f"{source} (#{source.pk}) plays for {source.federation_id}, {target} (#{target.pk}) for "
            f"{target.federation_id}, which stays. Correct it before or after, if the other is right."
        )
    _remark(plan)
    return plan


def plan_split(player: Player, chosen: Mapping[str, Iterable[int]]) -> Plan:
    """What giving the chosen rows (group -> primary keys) to a new record would move."""
    plan = Plan(SPLIT, player, None)
    if player.merged_into_id:
        plan.obstacles.append(f"This record is merged into {player.merged_into}: undo that merge instead.")
    for each in _objections.values():
        plan.obstacles += each(SPLIT, player, player)
    for rows in followed():
        wanted = set(chosen.get(rows.name, ()))
        if not rows.divisible:
            continue
        own = list(rows.of(player))
        if missing := wanted - {row.pk for row in own}:
            plan.obstacles.append(
                f"{len(missing)} of the chosen {rows.label} are not (any more) this player's."
            )
        group = Group(rows.name, rows.label)
        for row in own:
            (group.moving if row.pk in wanted else group.staying).append(Line(row.pk, rows.text(row)))
        if own:
            plan.groups.append(group)
    if not plan.moved:
        plan.obstacles.append("Nothing is chosen: tick what belongs to the other person.")
    _remark(plan)
    return plan


def plan_undo(change: IdentityChange) -> Plan:
    """What undoing a merge or split would move back."""
    merge = change.kind == IdentityChange.Kind.MERGE
    plan = Plan(UNDO_MERGE if merge else UNDO_SPLIT, change.target, change.source)
    plan.obstacles += _against_undoing(change)
    for name, keys in change.moved["rows"].items():
        if (rows := _rows.get(name)) is None:
            plan.obstacles.append(f"Nothing here knows how to move “{name}” back.")
            continue
        group = Group(rows.name, rows.label)
        there = {row.pk: row for row in rows.of(change.target).filter(pk__in=keys)}
        group.moving = [Line(pk, rows.text(row)) for pk, row in there.items()]
        if lost := len(keys) - len(there):
            plan.notes.append(f"{lost} of the moved {rows.label} are gone or elsewhere now and stay so.")
        plan.groups.append(group)
    if taken := [english(Player._meta.get_field(name).verbose_name) for name in change.moved["filled"]]:
        plan.notes.append(
            f"What the merge filled in becomes empty again, unless it was changed since: {', '.join(taken)}."
        )
    if change.moved["former_name"]:
        plan.notes.append(f"{change.source} is no longer a former name of {change.target}.")
    for each in _objections.values():
        plan.obstacles += each(plan.kind, plan.source, plan.target)
    _remark(plan, change.at)
    return plan


def _remark(plan: Plan, since: datetime | None = None) -> None:
    deed = Deed(plan.kind, plan.source, plan.target, plan.moved, since)
    for each in _remarks.values():
        plan.notes += each(deed)


def _against_undoing(change: IdentityChange) -> Iterable[str]:
    if change.undone_at is not None:
        yield f"It is undone already, since {change.undone_at:%Y-%m-%d}."
        return
    pair = [change.source_id, change.target_id]
    later = IdentityChange.objects.filter(
        Q(source__in=pair) | Q(target__in=pair), pk__gt=change.pk, undone_at=None
    )
    for each in later.select_related("source", "target"):
        yield f"Undo first what was done later: {each.get_kind_display()} of {each.at:%Y-%m-%d}, {each}."
    if change.kind == IdentityChange.Kind.SPLIT:
        for rows in followed():
            moved = change.moved["rows"].get(rows.name, ())
            if got := rows.of(change.target).exclude(pk__in=moved).count():
                yield (
                    f"Since the split {change.target} has got {got} more of: {rows.label}. "
                    "Merge the two records instead, which checks everything."
                )


def register_own() -> None:
    """The rows and objections of this app."""
    follow(
        Rows("identifiers", "numbers", "players.Identifier"),
        Rows("titles", "titles", "players.Title", stays=titles_held),
        Rows("memberships", "memberships", "players.Membership", stays=memberships_that_overlap),
        Rows("former_names", "former names", "players.FormerName", stays=names_known),
        Rows("fide_listings", "FIDE lists", "players.FideListing", stays=listings_known),
        Rows("records", "records merged earlier", "players.Player", field="merged_into", divisible=False),
    )
    leave("players.IdentityChange.source", "players.IdentityChange.target", "players.PrivacyRequest.player")
    object_with(two_persons)
