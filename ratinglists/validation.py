"""What a computed list must hold before it becomes a draft, and a draft before its transaction commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ratinglists.computation import BATCH, OUTCOMES, Inputs
from ratinglists.drafts import totals_json
from ratinglists.jobs import Refusal
from ratinglists.models import Period, RatingList
from regulations import model as rules
from tournaments.exact import to_decimal, to_text
from tournaments.models import Report, Tournament

SHOWN = 10


def due_reports(period: Period) -> list[tuple[int, str]]:
    """The tournaments with an accepted report that a period's list has to deal with, by key and name. Ask
    before the inputs are read: what is accepted later belongs to the next computation."""
    due = Report.objects.filter(
        state=Report.State.ACCEPTED,
        tournament__rating_system=period.system,
        tournament__state=Tournament.State.ACCEPTED,
        tournament__start__lt=period.list_date,
    )
    return list(due.order_by("tournament").values_list("tournament", "tournament__name"))


def check(inputs: Inputs, result: rules.ListResult, due: list[tuple[int, str]]) -> None:
    """Raise Refusal, naming what is wrong, unless every report is accounted for and nobody is lost.
    (That ratings are explained by their changes is checked by ``computation.compute``.)"""
    _refuse([*unaccounted(inputs, due), *unexplained(inputs, result)], "The computed list does not add up: ")


def check_accounted(inputs: Inputs, due: list[tuple[int, str]]) -> None:
    """As much of ``check`` as the inputs tell without the result."""
    _refuse(list(unaccounted(inputs, due)), "The list does not add up: ")


def read_back(draft: RatingList, result: rules.ListResult) -> None:
    """Raise Refusal unless the stored rows are the computed ones: call it before the draft's commit."""
    _refuse(list(stored_otherwise(draft, result)), "The draft was not stored as it was computed: ")


def _refuse(problems: list[str], why: str) -> None:
    if problems:
        more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise Refusal(why + "; ".join(problems[:SHOWN]) + more)


def unaccounted(inputs: Inputs, due: list[tuple[int, str]]) -> Iterator[str]:
    """Accepted reports of the system that the list neither counts nor defers nor refuses with a reason."""
    seen = Counter(candidate.tournament.pk for candidate in inputs.candidates)
    for pk, name in due:
        if pk not in seen:
            yield f"the accepted report of {name} is neither counted nor deferred nor refused"
    events = {tournament.pk for tournament, _, _, _ in inputs.parts}
    for candidate in inputs.candidates:
        name, pk = candidate.tournament.name, candidate.tournament.pk
        if seen[pk] > 1:
            yield f"{name} is dealt with twice"
        if candidate.outcome not in OUTCOMES:
            yield f"{name}: “{candidate.outcome}” is no outcome"
        if candidate.outcome != "counted" and not candidate.reason:
            yield f"{name} is {candidate.outcome} without a reason"
        if (candidate.outcome == "counted") != (pk in events):
            yield f"{name} is {candidate.outcome}, and the computation has {_events(pk in events)} of it"
    if Counter(part.event.id for _, _, part, _ in inputs.parts) != Counter(
        rated.event.id for rated in inputs.given.events
    ):
        yield "the events that were rated are not those that were counted"


def _events(any_: bool) -> str:
    return "an event" if any_ else "no event"


def unexplained(inputs: Inputs, result: rules.ListResult) -> Iterator[str]:
    """Rows that stand twice, or whose games and events are not those that were rated."""
    for player, times in Counter(row.id for row in result.players).items():
        if times > 1:
            yield f"player {player} has {times} rows"
    listed = {row.id for row in result.players}
    rated: dict[str, set[str]] = {}
    for each in inputs.given.events:
        if not each.result.rated:
            continue
        for one in each.result.players:
            if one.id not in listed:
                yield f"player {one.id} of {each.event.name} is not on the list"
            if one.games:
                rated.setdefault(one.id, set()).add(each.event.id)
    for row in result.players:
        named = Counter(share.event for share in row.events)
        for event, times in named.items():
            if times > 1 or event not in rated.get(row.id, ()):
                yield f"player {row.id}: his change names event {event}, in which he has no counted game"


def stored_otherwise(draft: RatingList, result: rules.ListResult) -> Iterator[str]:
    """Rows and pooled results in the database that are not those computed."""
    left = {row.id: row for row in result.players}
    names = (
        "player_id", "status", "rating", "change", "games", "k", "k_next", "flags", "career_games",
        "reached_k10", "games_by_period", "inactive_lists", "totals",
    )  # fmt: skip
    for stored in draft.rows.order_by().values_list(*names).iterator(chunk_size=BATCH):
        row = left.pop(str(stored[0]), None)
        if row is None:
            yield f"player {stored[0]} was not computed"
            continue
        computed = (
            stored[0], row.status, row.rating, to_decimal(row.change), row.games, row.k, row.k_next,
            list(row.flags), row.career_games, row.reached_k10, list(row.games_by_period),
            row.inactive_lists, totals_json(row.totals),
        )  # fmt: skip
        for name, one, other in zip(names, stored, computed, strict=True):
            if one != other:
                yield f"player {row.id}: {name} is stored as {one}, computed as {other}"
    for player in left:
        yield f"player {player} is not stored"
    samples = draft.samples.values_list("player_id", "list_date", "performance", "games", "event")
    kept = Counter(
        (int(each.player), each.list_date, to_text(each.performance), each.games, each.event)
        for each in result.samples
    )
    if Counter(samples) != kept:
        yield f"{len(samples)} pooled results are stored, not the {len(result.samples)} computed"
