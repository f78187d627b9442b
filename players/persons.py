"""Two records compared as persons: what keeps them apart, and what one can learn from the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from players.models import Player


@dataclass(frozen=True, slots=True)
class Filled:
    """A field that the target lacks and the source has, as stored and in words."""

    label: str
    before: object
    after: object
    text: str


_KNOWN_PARTS = {"": 0, "year": 1, "month": 2, "day": 3}


def _born(player: Player) -> tuple[int, ...]:
    day = player.birth_date
    return (day.year, day.month, day.day)[: _KNOWN_PARTS[player.birth_precision]] if day else ()


def filled(source: Player, target: Player) -> dict[str, Filled]:
    found = {}
    if source.sex and not target.sex:
        found["sex"] = Filled("sex", target.sex, source.sex, source.get_sex_display())
    if len(_born(source)) > len(_born(target)):
        text = "-".join(f"{part:02d}" for part in _born(source))
        found["birth_date"] = Filled("born", target.birth_date, source.birth_date, text)
        found["birth_precision"] = Filled(
            "birth date known as",
            target.birth_precision,
            source.birth_precision,
            source.get_birth_precision_display(),
        )
    if source.otb_category and not target.otb_category:
        found["otb_category"] = Filled(
            "category", target.otb_category, source.otb_category, source.otb_category
        )
    if source.user_id and not target.user_id:
        found["user"] = Filled("account", None, source.user_id, source.user.get_username())
    return found


def two_persons(kind: str, source: Player, target: Player) -> Iterable[str]:
    """What of the persons themselves speaks against a merge."""
    if kind != "merge":
        return
    if source.pk == target.pk:
        yield "It is one and the same record."
        return
    for player in (source, target):
        if (into := player.merged_into) is not None:
            yield f"{player} (#{player.pk}) is merged into {into} (#{into.pk}) already."
    if source.sex and target.sex and source.sex != target.sex:
        yield f"One is {source.get_sex_display()}, the other {target.get_sex_display()}."
    born, other = _born(source), _born(target)
    shorter = min(len(born), len(other))
    if born[:shorter] != other[:shorter]:
        one, two = ("-".join(f"{part:02d}" for part in parts[:shorter]) for parts in (born, other))
        yield f"One is born {one}, the other {two}. Correct the wrong date first, if it is one person."
    numbers = {each.issuer_id: each for each in target.identifiers.select_related("issuer")}
    for identifier in source.identifiers.select_related("issuer"):
        same = numbers.get(identifier.issuer_id)
        if same is not None and identifier.issuer.one_each:
            yield (
                f"Each has a number of {identifier.issuer_id} ({identifier.value} and {same.value}), which "
                "gives one to a player. Remove the wrong one first, if it is one person."
            )
    if source.user_id and target.user_id:
        yield f"Each has an account ({source.user} and {target.user}). Take one away first."


def titles_held(rows: list, target: Player) -> dict[int, str]:
    held = {title.code for title in target.titles.all()}
    return {row.pk: "the other record has this title" for row in rows if row.code in held}


def memberships_that_overlap(rows: list, target: Player) -> dict[int, str]:
    def overlap(one, other) -> bool:
        return (one.until is None or other.since <= one.until) and (
            other.until is None or one.since <= other.until
        )

    known = list(target.memberships.all())
    return {
        row.pk: "the other record has a membership of this time"
        for row in rows
        if any(overlap(row, other) for other in known)
    }


def names_known(rows: list, target: Player) -> dict[int, str]:
    known = {target.name, *(each.name for each in target.former_names.all())}
    return {row.pk: "the other record has this name" for row in rows if row.name in known}


def listings_known(rows: list, target: Player) -> dict[int, str]:
    known = set(target.fide_listings.values_list("list_date", flat=True))
    return {row.pk: "the other record has what this list says" for row in rows if row.list_date in known}
