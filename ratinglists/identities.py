"""What merging and splitting players means for lists: what stands against it, and what staff are told.
Published rows go on naming the record that was printed (``ratinglists.persons``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from players import merging
from players.merging import Deed
from players.models import Player
from ratinglists.listing import of_standing
from ratinglists.models import ListRow, PlayerResult, RatingList

#: how many lists a refusal names
NAMED = 3


def _published_rows(players: list[int]):
    rows = of_standing(ListRow.objects.filter(player__in=players), "rating_list")
    rows = rows.select_related("rating_list__period__system").defer("steps", "rating_list__report")
    return rows.order_by("-rating_list__period__list_date", "pk")


def two_on_one_list(kind: str, source: Player, target: Player) -> Iterable[str]:
    """Why lists cannot take two records for one person, or take one split record back."""
    if kind == merging.UNDO_SPLIT:
        if row := _published_rows([source.pk]).first():
            yield (
                f"{source} stands on the published list {row.rating_list}: merge the two records instead, "
                "which checks everything."
            )
        return
    if kind != merging.MERGE or source.pk == target.pk:
        return
    own: dict[int, list[ListRow]] = defaultdict(list)
    for row in _published_rows(source.records):
        own[row.rating_list_id].append(row)
    clashes = [
        (one, other)
        for other in _published_rows(target.records)
        for one in own.get(other.rating_list_id, ())
        if (one.rating is not None and other.rating is not None) or (one.totals and other.totals)
    ]
    for one, other in clashes[:NAMED]:
        yield (
            f"Both are rated on the list {one.rating_list} ({one.rating} and {other.rating}), and a "
            "published list does not say which one holds."
        )
    if len(clashes) > NAMED:
        yield f"The same on {len(clashes) - NAMED} more lists."
    if clashes:
        yield _what_to_do(source, target, clashes)


def _what_to_do(source: Player, target: Player, clashes: list[tuple[ListRow, ListRow]]) -> str:
    """The way to one rating, where there is one: nothing corrects a list that was brought in."""
    if brought_in := next((one.rating_list for one, _ in clashes if one.rating_list.is_opening), None):
        return (
            f"The list {brought_in} was brought in and cannot be corrected: the two records stay apart. Have "
            "reports from now on name one of them only; the other becomes inactive."
        )
    return (
        f"If it is one person: have each event that counts for {source} corrected (on its page “Correct…”, "
        f"with a report that names {target} instead), publish that correction, and merge the two when "
        f"{source} is rated on none of these lists any more."
    )


def what_stays(deed: Deed) -> Iterable[str]:
    """What lists show after a change, and what they cannot."""
    if deed.kind == merging.MERGE:
        yield from _after_a_merge(deed)
    elif deed.kind == merging.SPLIT:
        yield from _after_a_split(deed)
    elif deed.kind == merging.UNDO_MERGE:
        yield from _after_undoing(deed)
    if drafts := RatingList.objects.filter(state=RatingList.State.DRAFT).count():
        what = "1 draft has" if drafts == 1 else f"{drafts} drafts have"
        yield f"{what} to be computed again before publishing, since a draft takes persons as they were."


def _after_a_merge(deed: Deed) -> Iterable[str]:
    rows = list(_published_rows(deed.source.records))
    if rows:
        newest = rows[0]
        yield (
            f"{len(rows)} rows of published lists stay as printed, under the name {newest.name}; the page of "
            f"{deed.target} shows them with his own. The next list computes on with both."
        )
    newest_rows = {row.rating_list.period.system_id: row for row in reversed(rows)}
    for row in newest_rows.values():
        if row.rating is not None:
            yield f"{deed.target} takes over the rating {row.rating} of the list {row.rating_list}."


def _counted(player: Player, entries: Iterable[int]):
    results = PlayerResult.objects.filter(
        player__in=player.records, event__tournament__entries__in=list(entries)
    )
    results = of_standing(results, "event__rating_list").select_related(
        "event__tournament", "event__rating_list__period__system"
    )
    return results.defer("detail", "event__rating_list__report").order_by(
        "event__rating_list__period__list_date", "pk"
    )


def _after_a_split(deed: Deed) -> Iterable[str]:
    yield "The new record starts without a rating; it is on no list."
    for result in _counted(deed.source, deed.moved.get("entries", ())):
        yield (
            f"{result.event.tournament} is counted in the list {result.event.rating_list} under "
            f"{deed.source} and stays so; both pages say it. Only a correction of that list changes ratings."
        )


def _after_undoing(deed: Deed) -> Iterable[str]:
    rows = [
        row
        for row in _published_rows([deed.source.pk])
        if deed.since and row.rating_list.published_at and row.rating_list.published_at > deed.since
    ]
    earlier = {row.rating_list.period.system_id for row in _published_rows([deed.target.pk])}
    counted = list(_counted(deed.source, deed.moved.get("entries", ())))
    took_in = {result.event.rating_list_id for result in counted}
    for row in rows:
        if row.rating_list.period.system_id in earlier or row.rating_list_id in took_in:
            yield (
                f"The list {row.rating_list} was published meanwhile and counts both as one person, under "
                f"{row.name}: it stays. {deed.target} is not on it; correct that list before the next one."
            )
    for result in counted:
        if result.player_id == deed.source.pk:
            yield (
                f"{result.event.tournament} is counted in the list {result.event.rating_list} under "
                f"{deed.source} and stays so."
            )


def register() -> None:
    merging.leave(
        "ratinglists.ListRow.player",
        "ratinglists.PlayerResult.player",
        "ratinglists.PooledSample.player",
        "ratinglists.LiveRating.player",
        "ratinglists.Complaint.player",
    )
    merging.object_with(two_on_one_list)
    merging.remark_with(what_stays)
