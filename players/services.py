"""Changes to the register, each one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from players import audit, merging
from players.models import Federation, FormerName, Identifier, IdentityChange, IssuingBody, Player, Title
from regulations.characters import without_forbidden

MERGE_RIGHT = "players.merge_player"


class IdentityRefused(Exception):
    """Records that cannot be merged, split or separated again; ``reasons`` says why, each a sentence."""

    def __init__(self, reasons: Iterable[str]) -> None:
        self.reasons = list(reasons)
        super().__init__(" ".join(self.reasons))


@transaction.atomic
def add_player(
    *,
    name: str,
    federation: Federation,
    sex: str = "",
    birth_date: date | None = None,
    birth_precision: str = "",
    identifiers: dict[str, str] | None = None,
    titles: tuple[str, ...] = (),
) -> Player:
    """Put a player on the register with his numbers (issuing body -> number) and titles.

    Raises ``django.core.exceptions.ValidationError`` with every fault by field, and writes nothing.
    """
    player = Player(
        name=name, federation=federation, sex=sex, birth_date=birth_date, birth_precision=birth_precision
    )
    player.full_clean()
    player.save()
    for issuer, value in (identifiers or {}).items():
        body, _ = IssuingBody.objects.get_or_create(code=issuer, defaults={"name": issuer})
        identifier = Identifier(player=player, issuer=body, value=value)
        identifier.full_clean()
        identifier.save()
    for code in titles:
        title = Title(player=player, code=code)
        title.full_clean()
        title.save()
    return player


def keep_former_name(player: Player, name: str, reason: str = "") -> FormerName | None:
    """Note a name that the player no longer has. Called when staff correct or change a name."""
    if not name or name == player.name:
        return None
    FormerName.objects.filter(player=player, name=player.name).delete()  # it is the present one again
    return FormerName.objects.update_or_create(
        player=player, name=name, defaults={"until": timezone.localdate(), "reason": reason.strip()[:120]}
    )[0]


# --- one person, two records ------------------------------------------------------------------------


@transaction.atomic
def merge(source: Player, target: Player, by, reason: str, *, digest: str = "") -> IdentityChange:
    """Make ``source`` a part of ``target``: what it has goes over, its address leads there for good.

    ``digest`` is that of the plan that was looked at; another one by now refuses. Rows of published
    lists stay as they are. Raises IdentityRefused with every reason, or PermissionDenied.
    """
    reason = _allowed(by, reason)
    source, target = _locked(source, target)
    plan = _checked(merging.plan_merge(source, target), digest)
    _hand_over(plan.moved, source, target)
    if "user" in plan.filled:
        source.user = None
        source.save(update_fields=["user"])
    _fill(target, {name: fill.after for name, fill in plan.filled.items()})
    former = None
    if plan.former_name:
        former = FormerName.objects.create(
            player=target, name=plan.former_name, reason="name of a merged record"
        )
    Player.objects.filter(pk=source.pk).update(merged_into=target)
    return _kept(
        "player.merged",
        kind=IdentityChange.Kind.MERGE,
        source=source,
        target=target,
        reason=reason,
        by=by,
        moved={
            "rows": plan.moved,
            "filled": {name: [_text(fill.before), _text(fill.after)] for name, fill in plan.filled.items()},
            "former_name": former and former.pk,
        },
    )


@transaction.atomic
def split(
    player: Player,
    by,
    reason: str,
    chosen: Mapping[str, Iterable[int]],
    *,
    name: str = "",
    sex: str = "",
    birth_date: date | None = None,
    birth_precision: str = "",
    digest: str = "",
) -> IdentityChange:
    """Put another person on the register and give him the chosen rows (group -> primary keys).

    Published lists stay as they are and go on naming ``player``. Raises IdentityRefused with every
    reason, ``ValidationError`` for the new person's fields, or PermissionDenied.
    """
    reason = _allowed(by, reason)
    (player,) = _locked(player)
    plan = _checked(merging.plan_split(player, chosen), digest)
    other = add_player(
        name=name or player.name,
        federation=player.federation,
        sex=sex,
        birth_date=birth_date,
        birth_precision=birth_precision,
    )
    _hand_over(plan.moved, player, other)
    return _kept(
        "player.split",
        kind=IdentityChange.Kind.SPLIT,
        source=player,
        target=other,
        reason=reason,
        by=by,
        moved={"rows": plan.moved, "filled": {}, "former_name": None},
    )


@transaction.atomic
def undo(change: IdentityChange, by, reason: str, *, digest: str = "") -> IdentityChange:
    """Take a merge or split back: everything that it moved and that is still there goes back.

    The record that was merged answers under its own address again; the one that a split made leads
    to the first one from now on. Raises IdentityRefused with every reason, or PermissionDenied.
    """
    reason = _allowed(by, reason)
    change = IdentityChange.objects.select_for_update().get(pk=change.pk)
    source, target = _locked(change.source, change.target)
    change.source, change.target = source, target
    plan = _checked(merging.plan_undo(change), digest)
    if change.kind == IdentityChange.Kind.MERGE:
        FormerName.objects.filter(pk=change.moved["former_name"], player=target).delete()
        _unfill(source, target, change.moved["filled"])
        Player.objects.filter(pk=source.pk).update(merged_into=None)
    else:
        Player.objects.filter(pk=target.pk).update(merged_into=source)
    _hand_over(plan.moved, target, source)
    change.undone_by, change.undone_at, change.undone_why = by, timezone.now(), reason
    change.save(update_fields=["undone_by", "undone_at", "undone_why"])
    _record(f"player.{change.kind}-undone", by, change)
    return change


def _kept(act: str, **fields) -> IdentityChange:
    change = IdentityChange.objects.create(**fields)
    _record(act, change.by, change)
    return change


def _record(act: str, by, change: IdentityChange) -> None:
    text = f"record {change.source_id} and record {change.target_id}"
    moved = {name: len(keys) for name, keys in change.moved["rows"].items()}
    audit.record(act, by, change.source, text, target=change.target_id, change=change.pk, moved=moved)


def _allowed(by, reason: str) -> str:
    if not by.has_perm(MERGE_RIGHT):
        raise PermissionDenied(f"{by} lacks the right “{MERGE_RIGHT}”.")
    if not (reason := without_forbidden(reason).strip()):
        raise IdentityRefused(["Give a reason."])
    return reason


def _locked(*players: Player) -> list[Player]:
    """The rows, locked in the order of their keys, so that two who lock them never wait for each other."""
    rows = Player.objects.select_for_update().filter(pk__in=[player.pk for player in players]).order_by("pk")
    found = {row.pk: row for row in rows}
    return [found[player.pk] for player in players]


def _checked(plan: merging.Plan, digest: str) -> merging.Plan:
    if plan.obstacles:
        raise IdentityRefused(plan.obstacles)
    if digest and digest != plan.digest:
        raise IdentityRefused(["Something has changed since the preview. Look at the new one."])
    return plan


def _hand_over(moved: Mapping[str, list[int]], source: Player, target: Player) -> None:
    for rows in merging.followed():
        if not (keys := moved.get(rows.name)):
            continue
        try:
            with transaction.atomic():
                done = rows.hand_over(keys, source, target)
        except IntegrityError as error:
            reason = f"{rows.label.capitalize()} of {target} stand in the way of those of {source}."
            raise IdentityRefused([reason]) from error
        if done != len(keys):
            raise IdentityRefused(["Something has changed since the preview. Look at the new one."])


def _text(value: object) -> object:
    return value if value is None or isinstance(value, int) else str(value)


def _fill(player: Player, values: Mapping[str, object]) -> None:
    if values:
        for name, value in values.items():
            field = Player._meta.get_field(name)
            setattr(player, field.attname, None if value is None else field.to_python(value))
        player.save(update_fields=list(values))


def _unfill(source: Player, target: Player, filled: Mapping[str, list]) -> None:
    """Take the filled fields away again, where they are still as they were filled."""
    taken = {}
    for name, (before, after) in filled.items():
        now = _text(getattr(target, Player._meta.get_field(name).attname))
        if now == after:
            taken[name] = before
    if ("birth_date" in taken) != ("birth_precision" in taken):
        taken.pop("birth_date", None), taken.pop("birth_precision", None)
    _fill(target, taken)
    if "user" in taken:
        _fill(source, {"user": filled["user"][1]})
