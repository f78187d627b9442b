"""Reads of revisions: those of a list, what one changed, and which of a player's ratings were corrected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from players.listformats.spreadsheets import Figure, line
from ratinglists.changes import shown_today
from ratinglists.differences import KINDS, Difference
from ratinglists.differing import differences_of
from ratinglists.models import Correction, CorrectionItem, ListRow, RatingList


def of(listed: RatingList) -> list[RatingList]:
    """Every published revision of a list, the first one first, without what its computation reported."""
    lists = RatingList.objects.filter(period=listed.period_id, state=RatingList.State.PUBLISHED)
    lists = lists.select_related("correction", "period__system").defer("report")
    return list(lists.order_by("revision"))


def before(listed: RatingList) -> RatingList | None:
    """The revision that this one replaces."""
    earlier = [each for each in of(listed) if each.revision < listed.revision]
    return earlier[-1] if earlier else None


def changed(old: RatingList, new: RatingList) -> list[Difference]:
    """Who stands otherwise on a revision, the largest change of a rating first, then by name."""
    found = [each for each in shown_today(differences_of(old, new)) if each.kinds]
    return sorted(found, key=lambda each: (-abs(each.points or 0), each.row.name, each.row.person))


def items_of(correction: Correction | None, listed: RatingList) -> list[CorrectionItem]:
    """What of a correction concerns a list: its items up to the list's date."""
    if correction is None:
        return []
    items = correction.items.filter(list_date__lte=listed.period.list_date)
    return list(items.select_related("tournament", "report"))


def steps(old: RatingList, new: RatingList) -> list[tuple[RatingList, list[CorrectionItem]]]:
    """The corrections that lead from one revision of a list to a later one, each with what it held."""
    between = RatingList.objects.filter(
        period=new.period_id,
        state=RatingList.State.PUBLISHED,
        revision__gt=old.revision,
        revision__lt=new.revision,
    )
    way = [*between.select_related("period", "correction").order_by("revision"), new]
    return [(each, items_of(each.correction, each)) for each in way if each.correction]


def csv_of(old: RatingList, new: RatingList) -> Iterator[bytes]:
    """The changes player by player as CSV, UTF-8."""
    head = (
        "player", "fide_id", "national_id", "name", "federation", "old_rating", "new_rating", "difference",
        "old_status", "new_status", "what",
    )  # fmt: skip
    yield line(head)
    for each in changed(old, new):
        row, one, other = each.row, each.before, each.after
        yield line(
            (
                row.person,
                row.fide_id,
                row.national_id,
                row.name,
                row.federation,
                "" if one is None or one.rating is None else one.rating,
                "" if other is None or other.rating is None else other.rating,
                "" if each.points is None else Figure(f"{each.points:+d}" if each.points else "0"),
                one.status if one else "",
                other.status if other else "",
                "; ".join(KINDS[kind] for kind in each.kinds),
            )
        )


def mark(rows: Iterable[ListRow]) -> None:
    """Note on the rows of standing lists what an earlier revision had: ``was`` is that rating, None
    for "unrated", on those rows only whose rating a revision changed."""
    revised = [row for row in rows if row.rating_list.revision > 1]
    periods = {row.rating_list.period_id for row in revised}
    players = {row.player_id for row in revised}
    first = ListRow.objects.filter(
        rating_list__period__in=periods, rating_list__state=RatingList.State.PUBLISHED, player__in=players
    ).order_by("rating_list__revision")
    told: dict[tuple[int, int], list[tuple[int, int | None]]] = {}
    for row in first.values_list("rating_list__period", "player", "rating_list__revision", "rating"):
        told.setdefault(row[:2], []).append(row[2:])
    for row in revised:
        earlier = [
            rating
            for revision, rating in told.get((row.rating_list.period_id, row.player_id), [])
            if revision < row.rating_list.revision
        ]
        others = [rating for rating in earlier if rating != row.rating]
        row.corrected = bool(others) or not earlier
        row.was = others[0] if others else None
