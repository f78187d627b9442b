"""One person on a list under more than one record: whoever reads lists for a player reads the rows of
all records merged into his, since a published row goes on naming the record that was printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest

from players import queries as register
from players.models import IdentityChange
from ratinglists import standpoint
from ratinglists.models import ListRow


def aliases(player_ids: Iterable[int] | None = None) -> dict[int, int]:
    """Merged record -> the record that stands for it: of these players, or of all; from a standpoint,
    as the list knew them that is computed again."""
    point = standpoint.current()
    return register.aliases(player_ids) if point is None else point.aliases(player_ids)


def records(player_ids: Iterable[int]) -> dict[int, int]:
    """Every record of these players -> the player: their own, and those merged into them."""
    ids = list(player_ids)
    return {pk: pk for pk in ids} | aliases(ids)


def one_row(rows: list[ListRow]) -> ListRow:
    """One person's rows of one list as one: the rated row, with the games of all.

    Of two rated rows (which a merge refuses) the later counts. The row is not for saving.
    """
    rows = sorted(rows, key=lambda row: (row.rating is None, -row.pk))
    first, *others = rows
    for row in others:
        first.career_games += row.career_games
        first.reached_k10 = first.reached_k10 or row.reached_k10
        first.inactive_lists = min(first.inactive_lists, row.inactive_lists)
        highest = [each for each in (first.highest_rating, row.highest_rating) if each is not None]
        first.highest_rating = max(highest, default=None)
        pairs = zip_longest(first.games_by_period, row.games_by_period, fillvalue=0)
        first.games_by_period = [one + other for one, other in pairs]
        first.totals = first.totals or row.totals
    return first


def rows_by_person(rows: Iterable[ListRow], known: Mapping[int, int]) -> dict[int, ListRow]:
    """Rows of one list by the player whom ``known`` (record -> player) gives, else by their record."""
    found: dict[int, ListRow] = {}
    several: dict[int, list[ListRow]] = {}
    for row in rows:
        person = known.get(row.player_id, row.player_id)
        if person in found:
            several.setdefault(person, [found[person]]).append(row)
        found[person] = row
    return found | {person: one_row(own) for person, own in several.items()}


def mark() -> str:
    """Changes with every merge, split and undoing: a draft with another mark knows other persons."""
    newest = IdentityChange.objects.order_by("-pk").values_list("pk", flat=True).first()
    undone = IdentityChange.objects.exclude(undone_at=None).count()
    return f"{newest or 0}.{undone}"
