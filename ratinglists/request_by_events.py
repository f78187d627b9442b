"""The request of a large period, read event by event like that of a small one, never whole in memory.

A list that was computed by columns is proven from it (``proving``). Of the draft only the counts of games
are taken, on which K depends.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise
from typing import IO

import numpy as np
from django.conf import settings

from players.models import Player, Title, highest_title
from ratinglists import rowio
from ratinglists.bulk_inputs import list_players
from ratinglists.computation import (
    BATCH,
    Inputs,
    Progress,
    candidates_of,
    mark,
    previous_list,
    reference_of,
    regulation_of,
    samples_of,
)
from ratinglists.models import ListRow, Period, RatingList
from ratinglists.persons import aliases
from regulations import model as rules
from regulations.jsonrequest import event_text, request_of_texts
from regulations.lists import event_order, met_rated
from tournaments.queries import EventPart, stored_event_parts


@contextmanager
def read(draft: RatingList, progress: Progress) -> Iterator[tuple[Inputs, Iterator[bytes]]]:
    """What the draft's period depends on by now, and the pieces of its request, to be read once within the
    context. In the inputs no event has players or games, and nobody of the list before is named."""
    persons = mark()  # before all reads
    period, regulation = draft.period, regulation_of(draft.period)
    previous, candidates = previous_list(period), candidates_of(period)
    counted = [each.tournament for each in candidates if each.outcome == "counted"]
    with tempfile.TemporaryFile(dir=settings.VAR_DIR) as file:
        spool = _Spool(file, _Counts.of(draft))
        for done, tournament in enumerate(counted, start=1):
            spool.add(tournament, period)
            progress("reading the events", done, len(counted))
        given = rules.ListInput(
            list_date=period.list_date,
            previous=(),
            samples=samples_of(previous),
            events=tuple(_rated(draft)),
            reference_standard=spool.reference,
        )
        inputs = Inputs(period, regulation, previous, given, candidates, spool.parts, persons=persons)
        pieces = request_of_texts(
            regulation.code,
            period.list_date,
            spool.texts(),
            _players(previous, spool.players, progress),
            given.reference_standard,
            given.samples,
        )
        yield inputs, pieces


def _rated(draft: RatingList) -> Iterator[rules.RatedEvent]:
    """The events that the draft says were rated, those refused left out."""
    refused = [each["tournament"] for each in draft.report["events"] if each["outcome"] == "refused"]
    events = draft.events.exclude(tournament__in=refused).order_by("pk")
    for pk, part, rated, kind in events.values_list("tournament_id", "part", "rated", "treated_as"):
        yield rules.RatedEvent(
            rules.Event(kind, (), (), id=f"{pk}.{part}"), rules.EventResult(rated, kind, (), ())
        )


@dataclass(frozen=True, slots=True)
class _Counts:
    """Games of each player in each event of the draft, and in all of them."""

    of_event: dict[str, tuple[int, int]]
    player: np.ndarray
    games: np.ndarray
    everybody: np.ndarray
    total: np.ndarray

    @classmethod
    def of(cls, draft: RatingList) -> _Counts:
        tournament, part, player, games = rowio.columns(
            ["e.tournament_id", "e.part", "r.player_id", "r.games"],
            "FROM ratinglists_playerresult r JOIN ratinglists_eventresult e ON e.id = r.event_id "
            f"WHERE e.rating_list_id = {draft.pk} ORDER BY e.tournament_id, e.part",
        )
        everybody, place = np.unique(player, return_inverse=True)
        total = np.zeros(len(everybody), np.int64)
        np.add.at(total, place, games)
        events, begin = np.unique(np.stack([tournament, part], axis=1), axis=0, return_index=True)
        limits = [*begin.tolist(), len(player)]
        keys = (f"{pk}.{number}" for pk, number in events.tolist())
        of_event = dict(zip(keys, pairwise(limits), strict=True))
        return cls(of_event, player, games, everybody, total)

    def told(self, event: rules.Event) -> rules.Event:
        """The event with the games of the whole period of its players, where they played in others too."""
        begin, end = self.of_event.get(event.id, (0, 0))
        players, games = self.player[begin:end], self.games[begin:end]
        if (self._totals(players) == games).all():
            return event
        totals = self._totals(np.array([int(player.id) for player in event.players], np.int64))
        counts = zip(event.players, totals.tolist(), strict=True)
        return replace(event, players=tuple(replace(p, games_in_period=total) for p, total in counts))

    def _totals(self, players: np.ndarray) -> np.ndarray:
        places = np.minimum(np.searchsorted(self.everybody, players), len(self.everybody) - 1)
        return np.where(self.everybody[places] == players, self.total[places], 0)


class _Spool:
    """The texts of events in a file, and what is left of them in memory."""

    def __init__(self, file: IO[bytes], counts: _Counts) -> None:
        self.parts: list[tuple] = []
        self.players: set[int] = set()
        self.reference: dict[str, int] = {}
        self._file, self._counts = file, counts
        self._places: list[tuple[tuple, int, int]] = []
        self._met: set[int] = set()

    def add(self, tournament, period: Period) -> None:
        """A tournament, in the order in which they are rated: whose first event is over depends on it."""
        code, last_day = tournament.regulation.code, period.list_date - timedelta(days=1)
        for part in stored_event_parts(tournament, self._met, last_day):
            event = self._counts.told(part.event)
            self.reference |= reference_of(period, [(tournament, code, part, None)])
            self.players.update(int(player.id) for player in event.players)
            self._met.update(map(int, met_rated(event)))
            text = event_text(event, code).encode()
            self._places.append((event_order(event), self._file.tell(), len(text)))
            self._file.write(text)
            bare = replace(event, players=(), games=(), totals=())
            self.parts.append((tournament, code, EventPart(part.number, part.list_date, bare, {}), None))

    def texts(self) -> Iterator[str]:
        """In the order of the request."""
        for _, begin, size in sorted(self._places):
            self._file.seek(begin)
            yield self._file.read(size).decode()


def _players(
    previous: RatingList | None, entered: set[int], progress: Progress
) -> Iterator[rules.ListPlayer]:
    """The players of the list before and of the events, by the text of their keys, some at a time."""
    pk, known = previous.pk if previous else 0, aliases()
    listed = rowio.columns(["player_id"], f"FROM ratinglists_listrow WHERE rating_list_id = {pk}")[0]
    if known:
        listed = np.array([known.get(each, each) for each in listed.tolist()], np.int64)
    new = np.array(sorted(entered), np.int64)
    keys = np.unique(np.concatenate([listed, new]))
    keys = keys[np.argsort(keys.astype("S20"), kind="stable")]
    for begin in range(0, len(keys), BATCH):
        found = _listed(previous, new, keys[begin : begin + BATCH], set(known.values()))
        yield from sorted(found, key=lambda player: player.id)
        progress("reading the list before", min(begin + BATCH, len(keys)), len(keys))


_ROW = (
    "player_id", "rating", "career_games", "reached_k10", "games_by_period", "inactive_lists",
    "highest_rating",
)  # fmt: skip


def _listed(
    previous: RatingList | None, new: np.ndarray, some: np.ndarray, several: set[int]
) -> Iterator[rules.ListPlayer]:
    """``list_players``, with a model's object only for whom the plain values do not tell: persons of
    several records, provisional players, newcomers."""
    keys = some.tolist()
    rows = ListRow.objects.filter(rating_list=previous, player__in=keys, totals__isnull=True).order_by()
    rows = rows.exclude(status=ListRow.Status.PROVISIONAL)
    listed = {row[0]: row[1:] for row in rows.values_list(*_ROW) if row[0] not in several}
    titles: dict[int, set[str]] = defaultdict(set)
    for pk, code in Title.objects.filter(player__in=keys).values_list("player_id", "code"):
        titles[pk].add(code)
    people = Player.objects.filter(pk__in=list(listed)).order_by()
    for pk, federation, born, sex, category in people.values_list(
        "pk", "federation_id", "birth_date", "sex", "otb_category"
    ):
        rating, career, reached, games, inactive, highest = listed[pk]
        yield rules.ListPlayer(
            id=str(pk),
            rating=rating,
            career_games=career,
            reached_k10=reached,
            title=highest_title(titles[pk]) if pk in titles else "",
            federation=federation,
            birth_year=born and born.year,
            sex=sex,
            games_by_period=tuple(games),
            inactive_lists=inactive,
            highest_rating=highest,
            otb_category=category,
        )
    yield from list_players(previous, new, np.array([pk for pk in keys if pk not in listed], np.int64))
