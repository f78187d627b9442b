"""Writing a computed period into its draft list, explanations included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from fractions import Fraction

from django.utils import timezone

from players import crashpoints
from players.models import Player
from players.privacy import HIDDEN_NAME, PERSON, Policy, policy
from ratinglists.computation import BATCH, Candidate, Inputs, fingerprint, players_by_id
from ratinglists.models import Correction, EventResult, ListRow, PlayerResult, PooledSample, RatingList
from ratinglists.snapshot import hash_of
from regulations import lists
from regulations import model as rules
from regulations.lists import met_rated
from tournaments.exact import to_decimal, to_text
from tournaments.models import RatingSystem


def write_draft(
    inputs: Inputs,
    result: rules.ListResult,
    revises: RatingList | None = None,
    correction: Correction | None = None,
) -> RatingList:
    """Replace the period's draft. The caller opens the transaction and holds the job's lease.

    With ``revises`` it is the draft of that list's next revision, by a correction.
    """
    if not inputs.sha256:
        inputs.sha256 = hash_of(inputs)
    draft = new_draft(
        inputs,
        lists.digest(inputs.regulation, inputs.given, result),
        revises,
        correction,
        rows=shown_by_status(result.players),
        sources=inputs.sources,
    )
    players = (inputs.people or players_by_id)({int(row.id) for row in result.players})
    highest = {player.id: player.highest_rating for player in inputs.given.previous}
    rule = policy(draft.list_date)
    ListRow.objects.bulk_create(
        (list_row(draft, players[int(row.id)], row, highest.get(row.id), rule) for row in result.players),
        batch_size=BATCH,
    )
    crashpoints.here("compute: the rows are written")
    write_samples(draft, result)
    _write_events(draft, inputs, result)
    return draft


def shown_by_status(rows: Iterable[rules.ListRow]) -> dict[str, int]:
    """How many players of each status a list shows: its page need not count them."""
    return dict(Counter(row.status for row in rows if lists.NOT_SHOWN not in row.flags))


def new_draft(
    inputs, sha256: str, revises: RatingList | None = None, correction: Correction | None = None, **report
) -> RatingList:
    """The draft's own row in place of the period's draft so far, from inputs of either way; ``report`` is
    added to its report."""
    inputs.period.lists.filter(state=RatingList.State.DRAFT).delete()
    # A correction's drafts are whole only together: it writes what they were computed from.
    made_from = "" if correction else fingerprint(inputs.previous, inputs.candidates, inputs.persons)
    return RatingList.objects.create(
        period=inputs.period,
        regulation=inputs.regulation.code,
        previous=inputs.previous,
        revision=revises.revision + 1 if revises else 1,
        correction=correction,
        input_sha256=inputs.sha256,
        sha256=sha256,
        report={
            "fingerprint": made_from,
            "events": [candidate.as_json() for candidate in inputs.candidates],
            **report,
        },
        computed_at=timezone.now(),
    )


#: what stands in a list's row for somebody who is not named
NAMELESS = {"name": HIDDEN_NAME, "fide_id": "", "national_id": ""}


def printed(player: Player, system: RatingSystem, rule: Policy) -> dict:
    """What a list of this system keeps of a player as he was on its day. ``rule`` is that day's: what it
    withholds no file of the list will print, though the year of birth stays for the lists to come."""
    withheld = rule.of(player)
    told = {
        "withheld": withheld,
        "name": player.name,
        "federation": player.federation_id,
        "title": player.title,
        "women_title": player.women_title,
        "sex": player.sex,
        "birth_year": player.birth_year,
        "birth_date": None if withheld else printed_birth(system, player.birth_date, player.birth_precision),
        "fide_id": player.fide_id,
        "national_id": player.number_of(system.federation_id),
    }
    return told | NAMELESS if withheld == PERSON else told


def printed_birth(system: RatingSystem, birth_date: date | None, precision: str) -> date | None:
    """The full date of birth, where the system prints it and it is known to the day."""
    return birth_date if system.birth_dates and precision == Player.Precision.DAY else None


def list_row(
    draft: RatingList, player: Player, row: rules.ListRow, highest: int | None, rule: Policy
) -> ListRow:
    return ListRow(
        rating_list=draft,
        player=player,
        status=row.status,
        rating=row.rating,
        change=to_decimal(row.change),
        games=row.games,
        k=row.k,
        k_next=row.k_next,
        **printed(player, draft.system, rule),
        flags=list(row.flags),
        steps=[_plain(step) for step in row.steps],
        career_games=row.career_games,
        reached_k10=row.reached_k10,
        highest_rating=max((each for each in (highest, row.rating) if each is not None), default=None),
        games_by_period=list(row.games_by_period),
        inactive_lists=row.inactive_lists,
        totals=totals_json(row.totals),
    )


def totals_json(totals: rules.Totals | None) -> dict | None:
    """Exact, as text where it may be a fraction."""
    if totals is None:
        return None
    return {
        "points": str(totals.points),
        "games": totals.games,
        "rated_games": totals.rated_games,
        "rated_average": str(totals.rated_average),
    }


def write_samples(draft: RatingList, result: rules.ListResult) -> None:
    PooledSample.objects.bulk_create(
        (
            PooledSample(
                rating_list=draft,
                player_id=int(sample.player),
                event=sample.event,
                list_date=sample.list_date,
                performance=to_text(sample.performance),
                games=sample.games,
                score=to_decimal(sample.score),
                opponents=[to_text(rating) for rating in sample.opponents],
            )
            for sample in result.samples
        ),
        batch_size=BATCH,
    )


def _write_events(draft: RatingList, inputs: Inputs, result: rules.ListResult) -> None:
    shares = {(row.id, share.event): share for row in result.players for share in row.events}
    write_refused(draft, inputs.candidates)
    late = {c.tournament.pk: c.findings for c in inputs.candidates}
    for tournament, code, part, outcome in inputs.parts:
        event = event_result(draft, tournament, part.number, part.list_date, code, outcome, late)
        event.save()
        given = {player.id: player for player in part.event.players}
        met = met_rated(part.event)
        PlayerResult.objects.bulk_create(
            (
                player_result(
                    event, given[player.id], player, shares.get((player.id, part.event.id)), player.id in met
                )
                for player in outcome.players
            ),
            batch_size=BATCH,
        )


def write_refused(draft: RatingList, candidates: list[Candidate]) -> None:
    """The events that came too late for any list."""
    EventResult.objects.bulk_create(
        EventResult(
            rating_list=draft,
            tournament=candidate.tournament,
            regulation=candidate.tournament.regulation.code,
            rated=False,
            treated_as=candidate.tournament.system,
            findings=[_finding_json(finding) for finding in candidate.findings],
        )
        for candidate in candidates
        if candidate.outcome == "refused"
    )


def event_result(draft, tournament, part: int, ratings_from, code: str, outcome, late) -> EventResult:
    """An event's row, not saved; ``late`` are findings of the calendar by tournament."""
    return EventResult(
        rating_list=draft,
        tournament=tournament,
        part=part,
        ratings_from=ratings_from,
        regulation=code,
        rated=outcome.rated,
        treated_as=outcome.treated_as,
        ra="" if outcome.ra is None else str(to_decimal(outcome.ra).normalize()),
        findings=[_finding_json(f) for f in (*outcome.findings, *late[tournament.pk])],
    )


def _finding_json(finding: rules.Finding) -> dict:
    return _plain(finding)


def player_result(
    event, given: rules.EventPlayer, player: rules.PlayerResult, share, met: bool
) -> PlayerResult:
    return PlayerResult(
        event=event,
        player_id=int(player.id),
        status=player.status,
        rating=given.rating,
        games=player.games,
        score=to_decimal(player.score),
        rc=to_decimal(player.rc),
        expected=to_decimal(player.expected),
        k=player.k,
        change=to_decimal(player.change),
        list_change=to_decimal(share.change) if share else None,
        performance=to_decimal(player.performance),
        pooled=player.pooled,
        met_rated=met,
        detail=detail_json(player),
    )


def detail_json(player: rules.PlayerResult) -> dict:
    """The explanation of a result as it is stored and shown."""
    return {
        "counted": [_plain(game) for game in player.counted],
        "uncounted": [_plain(game) for game in player.uncounted],
        "steps": [_plain(step) for step in player.steps],
    }


def _plain(value) -> dict:
    told = ((name, getattr(value, name)) for name in value.__slots__)  # flat: what asdict copies deeply
    return {name: to_text(item) if isinstance(item, Fraction) else item for name, item in told}
