"""Explanations of a list that was computed by columns: made when somebody asks, by the event by event way.

The games and the ratings that the list used are rated again, whatever corrections have put in their place,
and each figure is compared with the stored one. Where one differs, the page says so instead of explaining
another figure.
"""

from __future__ import annotations

import dataclasses
import json
import logging
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal

from players.queries import aliases
from ratinglists.computation import players_of, reference_of, samples_of
from ratinglists.drafts import detail_json
from ratinglists.listing import regulation_of
from ratinglists.models import EventResult, ListRow, PlayerResult, RatingList
from ratinglists.presentation import rules_of
from ratinglists.queries import lists_known_to
from ratinglists.standpoint import Standpoint, taken
from regulations import lists
from regulations.base import Regulation
from regulations.model import Event, EventPlayer, ListInput, RatedEvent
from regulations.model import PlayerResult as Rated
from tournaments.correcting import contents_of, reading_of
from tournaments.exact import to_decimal
from tournaments.models import Report
from tournaments.queries import Contents, EventPart, stored_contents
from tournaments.transitions import NotAllowedNow

log = logging.getLogger(__name__)
NO_LONGER = {
    "article": "",
    "label": "warning",
    "value": "",
    "text": "The stored figures are as the list had them; the register or the games have changed since, so "
    "that they cannot be explained line by line.",
}


def on_demand(listed: RatingList) -> bool:
    """Was the list computed by columns? Its report, which may be megabytes, is not fetched for that."""
    if not hasattr(listed, "by_columns"):
        told = RatingList.objects.filter(pk=listed.pk, report__has_key="explanations")
        fetched = "report" not in listed.get_deferred_fields()
        listed.by_columns = "explanations" in listed.report if fetched else told.exists()
    return listed.by_columns


def explain_results(results: Iterable[PlayerResult]) -> None:
    """Give each result without an explanation its own (in ``detail``; nothing is saved). ``rated`` is what
    ``explain_rows`` can use again of it."""
    missing: dict[EventResult, list[PlayerResult]] = defaultdict(list)
    lists: dict[int, RatingList] = {}
    for result in results:
        listed = lists.setdefault(result.event.rating_list_id, result.event.rating_list)
        if not result.detail and on_demand(listed):
            missing[result.event].append(result)
    for event, own in missing.items():
        rated = _rated(event, own)
        for result in own:
            made = rated.get(result.pk)
            if len(own) == 1:
                result.rated = made
            result.detail = (
                {"counted": [], "uncounted": [], "steps": [NO_LONGER]}
                if made is None
                else detail_json(made[1])
            )


def explain_rows(rows: Iterable[ListRow], results: Iterable[PlayerResult] = ()) -> None:
    """Give each row without steps its own (nothing is saved); ``results`` are explained already."""
    known = {result.pk: result.rated for result in results if hasattr(result, "rated")}
    for row in rows:
        if not row.steps and row.change is not None and on_demand(row.rating_list):
            row.steps = _steps(row, known)


def _rated(event: EventResult, own: list[PlayerResult]) -> dict[int, tuple[Event, Rated]]:
    """By result: as much of the event as it depends on, and the result again; none where it differs."""
    rules, listed = rules_of(event.regulation), event.rating_list
    parts = {} if rules is None else {part.number: part for part in _parts(event)}
    part = parts.get(event.part)
    if part is None:
        return {}
    persons = {result.player_id for result in own}
    now = aliases() if persons - {int(player.id) for player in part.event.players} else {}
    rows = {row.player_id: row for row in listed.rows.filter(player__in=persons).defer("steps")}
    keys = {result.pk: str(now.get(result.player_id, result.player_id)) for result in own}
    found = _rated_at_once(rules, part.event, own, keys, rows) if len(own) > 1 else {}
    for result in own:
        if result.pk in found:
            continue
        key = keys[result.pk]
        cut = lists.cut_to(_as_then(part.event, {key: (result, rows.get(result.player_id))}), key)
        made = next((each for each in rules.rate(cut).players if each.id == key), None)
        if made is not None and _agrees(result, made):
            found[result.pk] = (cut, made)
        else:
            log.error("%s: the explanation of %s differs from what is stored", listed, result)
    return found


def _rated_at_once(
    rules: Regulation,
    event: Event,
    own: list[PlayerResult],
    keys: dict[int, str],
    rows: dict[int, ListRow],
) -> dict[int, tuple[Event, Rated]]:
    """The results that come out when the event is rated once with all its players as the list knew them."""
    then = _as_then(event, {keys[each.pk]: (each, rows.get(each.player_id)) for each in own})
    made = {each.id: each for each in rules.rate(then).players}
    found = ((each, made.get(keys[each.pk])) for each in own)
    return {each.pk: (then, again) for each, again in found if again is not None and _agrees(each, again)}


def _parts(event: EventResult) -> list[EventPart]:
    """The event as its list counted it, with the ratings of the lists that were known to it then."""
    listed = event.rating_list
    lists = (*lists_known_to(listed).values(), listed.pk)
    with taken(Standpoint(listed.period.system_id, lists, aliases())):
        return _contents(event).parts(event.tournament, before=listed.list_date)


def _contents(event: EventResult) -> Contents:
    """The games that the list counted: the stored ones, or those of the report that a correction replaced."""
    tournament, listed = event.tournament, event.rating_list
    sent = tournament.reports.filter(state=Report.State.REPLACED).defer("content").order_by("submitted_at")
    # Of a file that was sent twice the later report, with the persons whom its sender chose then.
    by_sha256, replaced = {each.sha256: each for each in sent}, None
    if by_sha256:  # else the list's report, which may be megabytes, has nothing to tell
        counted = {pk: sha256 for pk, _, sha256 in json.loads(listed.report["fingerprint"])[1]}
        replaced = by_sha256.get(counted.get(tournament.pk, ""))
    if replaced is None:
        return stored_contents(tournament, tournament.games.all())
    try:
        return contents_of(reading_of(replaced), listed.list_date)
    except NotAllowedNow as merged:
        log.error("%s: %s", listed, merged)
        return Contents((), (), (), {})


def _as_then(event: Event, known: dict[str, tuple[PlayerResult, ListRow | None]]) -> Event:
    """The event with these players as the list knew them."""

    def then(player: EventPlayer) -> EventPlayer:
        if player.id not in known:
            return player
        result, row = known[player.id]
        born = row.birth_year if row else player.birth_year
        return dataclasses.replace(
            player, rating=result.rating, games_in_period=row and row.games, birth_year=born
        )

    players = tuple(then(player) for player in event.players)
    return dataclasses.replace(event, players=players)


def _agrees(result: PlayerResult, made: Rated) -> bool:
    stored = (result.status, result.games, result.k, result.score, result.rc, result.expected, result.change)
    exact = (made.score, made.rc, made.expected, made.change)
    return stored == (made.status, made.games, made.k, *(_places(to_decimal(each)) for each in exact))


def _places(value: Decimal | None) -> Decimal | None:
    return None if value is None else round(value, 4)


def _steps(row: ListRow, known: dict[int, tuple[Event, Rated] | None]) -> list[dict]:
    listed, rules = row.rating_list, regulation_of(row.rating_list)
    shares = PlayerResult.objects.filter(player=row.player_id, event__rating_list=listed)
    shares = shares.select_related("event__tournament__rating_system").defer("detail")
    events, key = [], str(row.player_id)
    for share in shares:
        share.event.rating_list = listed
        rated = known[share.pk] if share.pk in known else _rated(share.event, [share]).get(share.pk)
        if rated is None:
            return [NO_LONGER]
        event, own = rated
        result = rules_of(share.event.regulation).rate(event)
        key = own.id
        events.append(RatedEvent(event, dataclasses.replace(result, players=(own,))))
    only = {int(key)}
    before = tuple(
        dataclasses.replace(player, birth_year=row.birth_year, title=row.title)
        for player in players_of(listed.previous, (), only)
    )
    given = ListInput(
        list_date=listed.list_date,
        previous=before,
        samples=samples_of(listed.previous, only),
        events=tuple(events),
        reference_standard=reference_of(listed.period, ()),
    )
    made = next((each for each in rules.next_list(given).players if each.id == key), None) if rules else None
    told = made and (made.status, made.rating, made.games, made.k, _places(to_decimal(made.change)))
    if told != (row.status, row.rating, row.games, row.k, row.change):
        log.error("%s: the explanation of %s differs from what is stored", listed, row)
        return [NO_LONGER]
    return [dataclasses.asdict(step) for step in made.steps]
