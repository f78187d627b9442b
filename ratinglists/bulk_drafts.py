"""A whole period by columns: computed, checked and written into its draft list.

The figures are those of the event by event way. Explanations are kept only of special players; those of
the others are made when somebody asks (``ratinglists.explaining``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from players.models import Title, highest_title
from players.privacy import PERSON, policy
from ratinglists import drafts, rowio
from ratinglists.bulk_inputs import BulkInputs
from ratinglists.computation import Progress, faults, players_by_id
from ratinglists.drafts import (
    NAMELESS,
    event_result,
    list_row,
    new_draft,
    player_result,
    printed_birth,
    write_refused,
    write_samples,
)
from ratinglists.jobs import Refusal
from ratinglists.models import EventResult, ListRow, PlayerResult, RatingList
from regulations import bulk, lists
from regulations.columns import Sums
from regulations.exact import show
from regulations.model import EventPlayer, ListInput, ListPlayer

BATCH = 2000
#: rows of the list that are made at once
ROWS = 50_000
ON_DEMAND = "on demand"


@dataclass(slots=True)
class BulkResult:
    """The computed list, ready to be written."""

    outcome: bulk.Outcome
    #: the special players as the previous list has them
    before: dict[str, ListPlayer]
    sha256: str

    @property
    def size(self) -> int:
        """How many rows the list has."""
        return int(self.outcome.ordinary.sum()) + len(self.outcome.result.players)


def compute(inputs: BulkInputs, progress: Progress, sums: Sums | None = None) -> BulkResult:
    """The list: a pure function of the inputs, checked before it is handed on. ``sums`` are those of its
    events, where others have added them up (``partition``)."""
    progress("computing the list", 0, 2)
    outcome = bulk.compute(inputs.given, sums)
    progress("checking the list", 1, 2)
    problems = [*ordinary_faults(inputs, outcome), *_special_faults(inputs, outcome)]
    if problems:
        raise Refusal("The computed list does not add up: " + "; ".join(problems[:10]))
    sha256 = lists.sha256_of(
        lists.canonical_of_texts(
            inputs.regulation.code,
            inputs.given.list_date.isoformat(),
            row_texts(inputs, outcome),
            map(lists.sample_text, outcome.result.samples),
        )
    )
    progress("checking the list", 2, 2)
    return BulkResult(outcome, {player.id: player for player in outcome.before}, sha256)


def ordinary_faults(inputs: BulkInputs, outcome: bulk.Outcome) -> Iterator[str]:
    """``computation.faults`` of the ordinary players: a change that the events do not explain, a rating
    that the change does not give."""
    given, rows = inputs.given, outcome.rows
    places, known = bulk.places_of(given.players, given.parts.player)
    shares = np.zeros(len(given.players), np.int64)
    mine = known.copy()
    if len(given.players):
        mine &= outcome.ordinary[places]
        np.add.at(shares, places[mine], rows.k[places[mine]] * outcome.sums.gain[mine])
    wrong = outcome.ordinary & (given.record.rating > 0) & (shares != rows.change)
    kept = outcome.ordinary & (given.record.rating > 0) & (rows.rating > 0)
    off = 100 * (rows.rating.astype(np.int64) - given.record.rating) - rows.change
    wrong |= kept & (abs(off) > 50 * getattr(inputs.regulation, "list_step", 1))
    for player in given.players[wrong][:10].tolist():
        yield f"player {player}: the events do not add up to the change, or the change not to the rating"


def _special_faults(inputs: BulkInputs, outcome: bulk.Outcome) -> Iterator[str]:
    given = ListInput(list_date=inputs.given.list_date, previous=outcome.before)
    yield from faults(given, outcome.result, inputs.regulation.list_step)
    listed = {int(player.id) for player in outcome.before}
    gone = inputs.given.players[~outcome.ordinary]
    if missing := set(gone.tolist()) - listed:
        yield f"players missing: {sorted(missing)[:5]}"


# --- the rows of the list -------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def hundredths(value: int) -> str:
    """Hundredths as an exact decimal, for the canonical bytes and for the database."""
    return show(Fraction(value, 100))


#: a row's figures: player, status, rating, change in hundredths (None: no change), games, k, k_next,
#: career games, reached K 10, inactive lists, highest rating, place of its year's games
Figures = tuple[
    int, str, int | None, int | None, int, int | None, int | None, int, bool, int, int | None, int
]


def figures(inputs: BulkInputs, outcome: bulk.Outcome, places: np.ndarray) -> Iterator[Figures]:
    """The figures of ordinary players at these places of the previous list."""
    record, rows = inputs.given.record, outcome.rows
    fell = inputs.regulation.by_columns.below_floor
    highest = np.maximum(record.highest, rows.rating)
    columns = (
        inputs.given.players, record.rating, rows.rating, rows.change, outcome.games, rows.k, rows.k_next,
        rows.career, rows.reached, rows.inactive, highest, inputs.year_of, record.career, record.reached,
        record.highest,
    )  # fmt: skip
    for (
        player, before, rating, change, games, k, k_next, career, reached, inactive, top, year, had, was,
        best,
    ) in zip(*(column[places].tolist() for column in columns), strict=True):  # fmt: skip
        if not before:  # unrated, and nothing happened
            yield player, "unrated", None, None, 0, None, None, had, bool(was), 0, best or None, year
            continue
        status = fell if not rating else "inactive" if inactive else "active"
        yield (
            player, status, rating or None, change, games, k, k_next or None, career, bool(reached),
            inactive, top or None, year,
        )  # fmt: skip


def row_texts(inputs: BulkInputs, outcome: bulk.Outcome) -> Iterator[str]:
    """What each row says, by identifier as text, as the canonical bytes have it."""
    special = {int(row.id): row for row in outcome.result.players}
    ordinary = np.flatnonzero(outcome.ordinary)
    ids = np.concatenate([inputs.given.players[ordinary], np.array(list(special), np.int64)])
    at = np.concatenate([ordinary, np.full(len(special), -1, np.int64)])
    order = np.argsort(ids.astype("S20"), kind="stable")
    ids, at = ids[order], at[order]
    inactive = json.dumps([lists.INACTIVE])
    for begin in range(0, len(ids), ROWS):
        places = at[begin : begin + ROWS]
        plain = figures(inputs, outcome, places[places >= 0])
        for player, place in zip(ids[begin : begin + ROWS].tolist(), places.tolist(), strict=True):
            if place < 0:
                yield lists.row_text(special[player])
                continue
            _, status, rating, change, games, k, *_ = next(plain)
            told = None if change is None else hundredths(change)
            flags = inactive if status == "inactive" else "[]"
            yield lists.plain_row_text(player, status, rating, told, games, k, flags)


# --- writing --------------------------------------------------------------------------------------


def write_draft(inputs: BulkInputs, result: BulkResult) -> RatingList:
    """Replace the period's draft. The caller opens the transaction and holds the job's lease."""
    shown = shown_by_status(inputs, result.outcome)
    draft = new_draft(inputs, result.sha256, explanations=ON_DEMAND, rows=shown, columns=inputs.columns)
    rowio.write(ListRow._meta.db_table, ROW_FIELDS, ordinary_rows(draft, inputs, result.outcome))
    _write_special_rows(draft, result)
    write_samples(draft, result.outcome.result)
    _write_events(draft, inputs, result.outcome)
    rowio.analyse(*(each._meta.db_table for each in (ListRow, EventResult, PlayerResult)))
    return draft


def shown_by_status(inputs: BulkInputs, outcome: bulk.Outcome) -> dict[str, int]:
    """``drafts.shown_by_status`` of a list by columns."""
    found = Counter(drafts.shown_by_status(outcome.result.players))
    rated = inputs.given.record.rating > 0
    kept, gone = outcome.rows.rating > 0, outcome.rows.inactive > 0
    for status, rows in (
        ("unrated", ~rated),
        (inputs.regulation.by_columns.below_floor, rated & ~kept),
        ("inactive", rated & kept & gone),
        ("active", rated & kept & ~gone),
    ):
        if count := int((outcome.ordinary & rows).sum()):
            found[status] += count
    return dict(found)


ROW_FIELDS = (
    "rating_list_id", "player_id", "status", "rating", "change", "games", "k", "k_next", "name", "federation",
    "title", "women_title", "sex", "birth_year", "birth_date", "fide_id", "national_id", "flags", "steps",
    "career_games", "reached_k10", "highest_rating", "games_by_period", "inactive_lists", "withheld",
)  # fmt: skip


def ordinary_rows(draft: RatingList, inputs: BulkInputs, outcome: bulk.Outcome) -> Iterator[tuple]:
    """Rows of ordinary players as the table has them, by player."""
    system, pk, rule = draft.system, draft.pk, policy(draft.list_date)
    titles: dict[int, set[str]] = {}
    for player, code in Title.objects.values_list("player", "code"):
        titles.setdefault(player, set()).add(code)
    inactive = json.dumps([lists.INACTIVE])
    ordinary = np.flatnonzero(outcome.ordinary)
    with_games = _years_after(inputs.years)
    for begin in range(0, len(ordinary), ROWS):
        places = ordinary[begin : begin + ROWS]
        people = _people(inputs.given.players[places], system.federation_id)
        for person, plain in zip(people, figures(inputs, outcome, places), strict=True):
            key, name, federation, sex, born, precision, privacy, fide_id, national_id = person
            player, status, rating, change, games, k, k_next, career, reached, gone, top, year = plain
            assert int(key) == player
            held = titles.get(player, frozenset())
            year_of_birth = int(born[:4]) if born else None
            withheld = rule.withheld(privacy, federation, year_of_birth)
            if withheld == PERSON:
                name, fide_id, national_id = NAMELESS["name"], "", ""
            yield (
                pk,
                player,
                status,
                rating,
                None if change is None else hundredths(change),
                games,
                k,
                k_next,
                name,
                federation,
                highest_title(held) if held else "",
                highest_title({code for code in held if code[0] == "W"}) if held else "",
                sex,
                year_of_birth,
                None if withheld else printed_birth(system, born, precision),
                fide_id or "",
                national_id or "",
                inactive if status == "inactive" else "[]",
                "[]",
                career,
                reached,
                top,
                with_games(year, games),
                gone,
                withheld,
            )


def _years_after(years: list[str]):
    told = [tuple(json.loads(text)) for text in years]

    @lru_cache(maxsize=1 << 18)
    def after(year: int, games: int) -> str:
        return json.dumps(lists.year_of_games(games, told[year], bulk.PERIODS))

    return after


def _people(players: np.ndarray, federation: str | None) -> list[tuple]:
    """What a list prints of players, ordered by their keys: ``drafts.printed`` without titles. Read to the
    end, as nothing can be written while a COPY goes on."""
    first, last = int(players[0]), int(players[-1])
    numbers = (
        "LEFT JOIN (SELECT player_id, MIN(value) AS value FROM players_identifier WHERE issuer_id = '{code}' "
        f"AND player_id BETWEEN {first} AND {last} GROUP BY player_id) {{name}} ON {{name}}.player_id = p.id"
    )
    national = numbers.format(code=federation or "", name="n")
    rows = rowio.texts(
        "SELECT p.id, p.name, p.federation_id, p.sex, p.birth_date, p.birth_precision, p.privacy, f.value, "
        f"n.value FROM players_player p {numbers.format(code='FIDE', name='f')} {national} "
        f"WHERE p.id BETWEEN {first} AND {last} ORDER BY p.id"
    )
    wanted = set(players.tolist())
    return [row for row in rows if int(row[0]) in wanted]


def _write_special_rows(draft: RatingList, result: BulkResult) -> None:
    rows, rule = result.outcome.result.players, policy(draft.list_date)
    for begin in range(0, len(rows), ROWS):
        some = rows[begin : begin + ROWS]
        players = players_by_id({int(row.id) for row in some})
        ListRow.objects.bulk_create(
            (
                list_row(
                    draft,
                    players[int(row.id)],
                    row,
                    result.before[row.id].highest_rating if row.id in result.before else None,
                    rule,
                )
                for row in some
            ),
            batch_size=BATCH,
        )


def _write_events(draft: RatingList, inputs: BulkInputs, outcome: bulk.Outcome) -> None:
    write_refused(draft, inputs.candidates)
    late = {c.tournament.pk: c.findings for c in inputs.candidates}
    events = [
        event_result(draft, tournament, 1, day, tournament.regulation.code, result, late)
        for tournament, day, result in zip(
            inputs.tournaments, inputs.ratings_from, outcome.events, strict=True
        )
    ]
    EventResult.objects.bulk_create(events, batch_size=BATCH)
    rowio.write(PlayerResult._meta.db_table, RESULT_FIELDS, ordinary_results(events, inputs, outcome))
    PlayerResult.objects.bulk_create(_special_results(events, inputs, outcome), batch_size=BATCH)


def _special_results(events: list[EventResult], inputs: BulkInputs, outcome: bulk.Outcome):
    given = inputs.given
    parts = given.parts
    shares = {(row.id, share.event): share for row in outcome.result.players for share in row.events}
    places, known = bulk.places_of(given.players, parts.player)
    for at, result in outcome.special.items():
        number = int(parts.event[at])
        share = shares.get((result.id, given.events[number].id))
        player = EventPlayer(result.id, int(parts.rating[at]) or None)
        row = player_result(events[number], player, result, share, bool(outcome.met[at]))
        if share is None and known[at] and outcome.ordinary[places[at]] and result.games:
            row.list_change = hundredths(int(outcome.rows.k[places[at]]) * int(outcome.sums.gain[at]))
        yield row


RESULT_FIELDS = (
    "event_id", "player_id", "status", "rating", "games", "score", "rc", "expected", "k", "change",
    "list_change", "met_rated", "detail",
)  # fmt: skip


def ordinary_results(events: list[EventResult], inputs: BulkInputs, outcome: bulk.Outcome) -> Iterator[tuple]:
    """Rows of ordinary players' parts as the table has them."""
    parts, sums = inputs.given.parts, outcome.sums
    places, _ = bulk.places_of(inputs.given.players, parts.player)
    plain = np.ones(len(parts.event), bool)
    plain[list(outcome.special)] = False
    chosen = np.flatnonzero(plain)
    keys = [event.pk for event in events]
    k_of_list = outcome.rows.k[places] if len(inputs.given.players) else parts.rating
    columns = (
        parts.event, parts.player, parts.rating, sums.games, sums.halves, sums.ratings, sums.gain, outcome.k,
        k_of_list, outcome.met,
    )  # fmt: skip
    for begin in range(0, len(chosen), ROWS):
        here = chosen[begin : begin + ROWS]
        for event, player, rating, games, halves, ratings, gain, k, k_list, met in zip(
            *(column[here].tolist() for column in columns), strict=True
        ):
            yield (
                keys[event],
                player,
                "rated",
                rating,
                games,
                hundredths(50 * halves),
                _mean(ratings, games) if games else None,
                hundredths(50 * halves - gain),
                k,
                hundredths(k * gain),
                hundredths(k_list * gain) if games else None,
                met,
                "{}",
            )


@lru_cache(maxsize=1 << 16)
def _mean(total: int, games: int) -> str:
    return show(Fraction(total, games))
