"""One period's computation: read the inputs, apply the regulations, check the list.

Nothing here changes anything; ``drafts`` writes the result. The regulation
of a tournament's start rates it, the regulation of the list date makes the list.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from django.db.models import Prefetch, Q, QuerySet

from players import crashpoints
from players.models import Player
from ratinglists import standpoint
from ratinglists.jobs import Refusal
from ratinglists.models import ListRow, Period, RatingList
from ratinglists.persons import aliases, mark, rows_by_person
from ratinglists.queries import published, totals_of
from regulations import model as rules
from regulations.base import Regulation
from regulations.lists import met_rated
from tournaments.exact import from_text
from tournaments.models import Report, Tournament
from tournaments.outlook import first_list, last_end, last_receipt
from tournaments.queries import EventPart, stored_event_parts
from tournaments.sources import Source

Progress = Callable[[str, int, int], None]
#: (tournament, players whose first event is over, last day) -> its parts
PartsOf = Callable[[Tournament, frozenset[int], date], list[EventPart]]
#: (tournament, the report by which it counts) -> the file that tells it
SourceOf = Callable[[Tournament, Report], Source]
BATCH = 2000


OUTCOMES = ("counted", "deferred", "refused")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tournament that a period's list might count, and what became of it (one of ``OUTCOMES``).

    ``report`` is the accepted one; None in a deferred tournament without such a report.
    """

    tournament: Tournament
    report: Report | None
    outcome: str
    reason: str = ""
    findings: tuple[rules.Finding, ...] = ()

    def as_json(self) -> dict:
        """What a list's report keeps of it."""
        return {
            "tournament": self.tournament.pk,
            "name": self.tournament.name,
            "outcome": self.outcome,
            "reason": self.reason,
        }


@dataclass(slots=True)
class Inputs:
    """Everything that a list depends on."""

    period: Period
    regulation: Regulation
    previous: RatingList | None
    given: rules.ListInput
    candidates: list[Candidate]
    parts: list[tuple[Tournament, str, EventPart, rules.EventResult]]
    #: of the request and of the sources that ``snapshot.keep`` wrote; empty before
    sha256: str = ""
    persons: str = ""
    sources: str = ""
    #: (primary keys) -> the players as the list prints them
    people: Callable[[set[int]], dict[int, Player]] | None = None
    #: where the list has a counted event from, if not as it is stored
    source_of: SourceOf | None = None


def canonical(value) -> str:
    """Any value of ``regulations.model`` as text that is the same on every machine."""

    def plain(item):
        if dataclasses.is_dataclass(item):
            return {f.name: plain(getattr(item, f.name)) for f in dataclasses.fields(item)}
        if isinstance(item, dict):
            return {str(key): plain(item[key]) for key in sorted(item)}
        if isinstance(item, frozenset):
            return sorted(item)
        if isinstance(item, (list, tuple)):
            return [plain(part) for part in item]
        if isinstance(item, (Fraction, date)):
            return str(item)
        return item

    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))


def to_be_rated(tournaments: QuerySet) -> QuerySet:
    """These with all that rating them reads, in the order in which they are rated."""
    return (
        tournaments.select_related("rating_system")
        .prefetch_related(
            "rating_system__regulations",
            "rounds",
            "stages",
            "waivers",
            Prefetch("reports", Report.objects.defer("content")),
        )
        .order_by("start", "end", "id")
    )


def candidates_of(period: Period) -> list[Candidate]:
    """The reported tournaments not counted yet, each with what this period does with it."""
    regulation = regulation_of(period)
    tournaments = to_be_rated(
        Tournament.objects.filter(
            rating_system=period.system,
            state__in=[Tournament.State.REPORTED, Tournament.State.ACCEPTED, Tournament.State.RETURNED],
            start__lt=period.list_date,
        )
    )
    closing_days = dict(period.system.periods.values_list("list_date", "closes_on"))
    return [_candidate(tournament, period, regulation, closing_days) for tournament in tournaments]


def regulation_of(period: Period):
    regulation = period.system.regulation_on(period.list_date)
    if regulation is None:
        raise Refusal(f"{period.system} follows no regulation on {period.list_date}: add one to the system.")
    return regulation


def _candidate(
    tournament: Tournament, period: Period, regulation: Regulation, closing_days: dict[date, date]
) -> Candidate:
    if tournament.state != Tournament.State.ACCEPTED:
        return Candidate(
            tournament, None, "deferred", f"Its report is not accepted ({tournament.get_state_display()})."
        )
    report = next(r for r in tournament.reports.all() if r.state == Report.State.ACCEPTED)
    received = report.received_on
    if findings := _too_late(tournament, period, received, closing_days):
        return Candidate(tournament, report, "refused", " ".join(f.message for f in findings), findings)
    closes = last_end(tournament, regulation, period.list_date, closing_days)
    goes_on = tournament.regulation is not None and tournament.regulation.counts_finished_games
    if tournament.end > closes and not goes_on:
        return Candidate(
            tournament, report, "deferred", f"It ended on {tournament.end}; the period closed on {closes}."
        )
    last = last_receipt(regulation, period.list_date, closing_days)
    if received > last:
        return Candidate(
            tournament, report, "deferred", f"Its report arrived on {received}; the last day was {last}."
        )
    if tournament.regulation is None:
        raise Refusal(
            f"{tournament} starts on {tournament.start}, when {period.system} follows no regulation: "
            "add one to the system."
        )
    findings = tournament.regulation.report_findings(
        end=tournament.end, received=received, list_date=period.list_date
    )
    # An error here only names another list; that is the calendar's matter, settled above.
    warnings = tuple(finding for finding in findings if finding.severity == "warning")
    return Candidate(tournament, report, "counted", findings=warnings)


def _too_late(
    tournament: Tournament, period: Period, received: date, closing_days: dict[date, date]
) -> tuple[rules.Finding, ...]:
    """Why neither this list nor a later one can count the event: its text rejects a report so late."""
    rule = tournament.regulation
    limit = None if rule is None else rule.last_list_for(tournament.end)
    if limit is None:
        return ()
    # The calendar's list, or an opened period that the federation keeps open longer.
    days = {day for day, closes in closing_days.items() if received <= closes} | {
        first_list(tournament, received, closing_days) or period.list_date
    }
    reached = min(max(day, period.list_date) for day in days)
    if reached <= limit:
        return ()
    findings = rule.report_findings(end=tournament.end, received=received, list_date=reached)
    return tuple(finding for finding in findings if finding.code == "report-too-late") or findings


def fingerprint(previous: RatingList | None, candidates: list[Candidate], persons: str) -> str:
    """What a draft was computed from, cheap to compare: the list before it, the reports, and which
    records were one person (``identities.mark``)."""
    parts = [[c.tournament.pk, c.outcome, c.report.sha256] for c in candidates if c.outcome != "deferred"]
    return canonical([previous.pk if previous else None, parts, persons])


def is_stale(draft: RatingList) -> bool:
    """Would the draft's period be computed from other reports, or after another list, by now? A list that was
    brought in is computed from nothing."""
    if draft.is_opening:
        return False
    now = fingerprint(previous_list(draft.period), candidates_of(draft.period), mark())
    return draft.report["fingerprint"] != now


def previous_list(period: Period) -> RatingList | None:
    return published(period.system).filter(period__list_date__lt=period.list_date).first()


def read_inputs(
    period: Period,
    progress: Progress,
    candidates: list[Candidate] | None = None,
    parts_of: PartsOf = stored_event_parts,
    people: Callable[[set[int]], dict[int, Player]] | None = None,
) -> Inputs:
    """Everything the list depends on, each event rated by the regulation of its start.

    For a list that is computed again: the ``candidates`` that it had, the ``parts_of`` an event as it
    counted them, and the ``people`` as it printed them.
    """
    persons = mark()  # before all reads: what changes meanwhile makes the draft stale
    regulation = regulation_of(period)
    previous = previous_list(period)
    candidates = candidates_of(period) if candidates is None else candidates
    counted = [c.tournament for c in candidates if c.outcome == "counted"]
    parts = _rate(counted, period.list_date - timedelta(days=1), progress, parts_of)
    given = rules.ListInput(
        list_date=period.list_date,
        previous=players_of(previous, parts, people=people),
        samples=samples_of(previous),
        events=tuple(rules.RatedEvent(part.event, result) for _, _, part, result in parts),
        reference_standard=reference_of(period, parts),
    )
    return Inputs(period, regulation, previous, given, candidates, parts, persons=persons, people=people)


def _rate(
    tournaments: list[Tournament], last_day: date, progress: Progress, parts_of: PartsOf = stored_event_parts
):
    """Rate events in the order of their start; K may depend on a player's games in the whole period."""
    parts: list[tuple[Tournament, str, EventPart, rules.EventResult]] = []
    seen: set[int] = set()
    games: Counter[str] = Counter()
    for done, tournament in enumerate(tournaments, start=1):
        regulation = tournament.regulation
        for part in parts_of(tournament, frozenset(seen), last_day):
            result = regulation.rate(part.event)
            parts.append((tournament, regulation.code, part, result))
            for player in result.players:
                games[player.id] += player.games
            seen |= {int(player_id) for player_id in met_rated(part.event)}
        crashpoints.here("compute: an event is rated")
        progress("rating events", done, len(tournaments))
    return [_with_games_in_period(entry, games) for entry in parts]


def _with_games_in_period(entry, games: Counter[str]):
    tournament, code, part, result = entry
    if all(player.games == games[player.id] for player in result.players):
        return entry
    players = tuple(dataclasses.replace(p, games_in_period=games[p.id]) for p in part.event.players)
    event = dataclasses.replace(part.event, players=players)
    return tournament, code, dataclasses.replace(part, event=event), tournament.regulation.rate(event)


def players_of(
    previous: RatingList | None,
    parts,
    only: set[int] | None = None,
    people: Callable[[set[int]], dict[int, Player]] | None = None,
) -> tuple[rules.ListPlayer, ...]:
    """The players of the list before and of the events; ``only`` these; ``people`` as in ``read_inputs``."""
    rows = {}
    if previous is not None:
        known = aliases(only)
        listed = previous.rows.defer("steps")
        listed = listed if only is None else listed.filter(player__in=only | known.keys())
        rows = rows_by_person(listed.iterator(chunk_size=BATCH), known)
    ids = set(rows) | {int(player.id) for _, _, part, _ in parts for player in part.event.players}
    listed = []
    for player in (people or players_by_id)(ids).values():
        row = rows.get(player.pk)
        listed.append(
            rules.ListPlayer(
                id=str(player.pk),
                rating=row.rating if row else None,
                career_games=row.career_games if row else None,
                reached_k10=row.reached_k10 if row else None,
                title=player.title,
                federation=player.federation_id,
                birth_year=player.birth_year,
                sex=player.sex,
                games_by_period=tuple(row.games_by_period) if row else (),
                inactive_lists=row.inactive_lists if row else 0,
                highest_rating=row.highest_rating if row else None,
                provisional=row is not None and row.status == ListRow.Status.PROVISIONAL,
                otb_category=player.otb_category,
                totals=totals_of(row),
            )
        )
    return tuple(sorted(listed, key=lambda player: int(player.id)))


def players_by_id(ids: set[int]) -> dict[int, Player]:
    """Players with titles and numbers, in batches small enough for SQLite's limit on parameters."""
    found: dict[int, Player] = {}
    wanted = sorted(ids)
    for begin in range(0, len(wanted), BATCH):
        players = Player.objects.filter(pk__in=wanted[begin : begin + BATCH])
        found.update((p.pk, p) for p in players.prefetch_related("titles", "identifiers"))
    return found


def samples_of(previous: RatingList | None, only: set[int] | None = None) -> tuple[rules.Sample, ...]:
    """What the list before keeps of results without a rating; ``only`` of these players."""
    if previous is None:
        return ()
    known = aliases(only)
    samples, several = previous.samples.all(), previous.rows.filter(rating__isnull=False)
    if only is not None:
        samples = samples.filter(player__in=only | known.keys())
        several = several.filter(player__in=only | known.keys())
    rated: set[int] = set()
    if known:  # a record without rating may have been merged with a rated one
        merged = Q(player__merged_into__isnull=False) | Q(player__merged_records__isnull=False)
        if standpoint.current() is not None:  # as the list knew them, whatever they are now
            merged = Q(player__in={*known, *known.values()})
        several = several.filter(merged)
        rated = {known.get(pk, pk) for pk in several.values_list("player_id", flat=True)}
    found = [
        rules.Sample(
            player=str(person),
            list_date=row.list_date,
            performance=Fraction(row.performance),
            games=row.games,
            score=Fraction(row.score),
            opponents=tuple(from_text(text) for text in row.opponents),
            event=row.event,
        )
        for row in samples
        if (person := known.get(row.player_id, row.player_id)) not in rated
    ]
    return tuple(sorted(found, key=lambda each: (int(each.player), each.list_date, each.event)))


def reference_of(period: Period, parts) -> dict[str, int]:
    """The reference system's ratings of the players who have none here, as their events used them."""
    if period.system.reference_id is None:
        return {}
    return {
        player.id: player.standard_rating
        for _, _, part, _ in parts
        for player in part.event.players
        if player.rating is None and player.standard_rating is not None
    }


def compute(inputs: Inputs, progress: Progress) -> rules.ListResult:
    """The list: a pure function of the inputs, checked before it is handed on."""
    progress("computing the list", 0, 1)
    result = inputs.regulation.next_list(inputs.given)
    problems = list(faults(inputs.given, result, inputs.regulation.list_step))
    if problems:
        raise Refusal("The computed list does not add up: " + "; ".join(problems[:10]))
    progress("computing the list", 1, 1)
    return result


def faults(given: rules.ListInput, result: rules.ListResult, step: int = 1):
    """What a list must never show: a change that its events do not explain, a player gone missing."""
    old = {player.id: player for player in given.previous}
    if len({row.id for row in result.players}) != len(result.players):
        yield "players stand on it twice"
    if missing := set(old) - {row.id for row in result.players}:
        yield f"players missing: {', '.join(sorted(missing)[:5])}"
    for row in result.players:
        if row.change is not None and sum((share.change for share in row.events), Fraction(0)) != row.change:
            yield f"player {row.id}: the events do not add up to {row.change}"
        before = old[row.id].rating if row.id in old else None
        provisional = row.id in old and old[row.id].provisional
        if before is None or row.rating is None or provisional:  # a provisional rating is made anew
            continue
        if abs(row.rating - before - (row.change or 0)) > Fraction(step, 2):
            yield f"player {row.id}: {before} and a change of {row.change} do not give {row.rating}"
