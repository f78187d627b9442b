"""The list that a system starts from: brought in as a draft, which two persons publish like any other."""

from __future__ import annotations

import hashlib
from datetime import date

from django.db import transaction
from django.utils import timezone

from players import audit
from players.apart.calling import Limits, Readers, Spent
from players.models import Federation
from players.privacy import Policy, policy
from players.queries import by_identifier
from players.services import add_player
from ratinglists import archive
from ratinglists.approving import PROPOSE, propose, require
from ratinglists.computation import regulation_of
from ratinglists.drafts import printed
from ratinglists.formats.opening_csv import OpeningProblem, OpeningRow
from ratinglists.models import ListRow, Period, RatingList
from ratinglists.state import state_file
from tournaments.models import RatingSystem
from tournaments.services import NotAllowedNow

#: a list of 32 MiB, read while the page waits
LIMITS = Limits(memory=1 << 30, cpu=60, wall=120)
_readers = Readers("ratinglists.formats.opening_csv")


class OpeningRefused(Exception):
    """An opening list with faults; ``problems`` holds every one. Nothing was stored."""

    def __init__(self, problems: list) -> None:
        self.problems = problems
        super().__init__("; ".join(str(problem) for problem in problems))


@transaction.atomic
def open_system(system: RatingSystem, list_date: date, data: bytes, by=None) -> RatingList:
    """Bring in the list that a system starts from (CSV, see docs/formats/csv.md): a draft, proposed by who
    brings it in, for another person to approve. Its files are written by the job that publishes it.

    Players not on the register yet are added to it, and stay there if the draft is dropped. Raises
    OpeningRefused with every fault.
    """
    require(by, PROPOSE)
    if (other := RatingList.objects.filter(period__system=system).first()) is not None:
        raise NotAllowedNow(
            f"{system} already has a list; its next one is computed."
            if other.state == RatingList.State.PUBLISHED
            else f"The list of {other.period} waits for its publication: delete that period first."
        )
    rows, problems = _read(data)
    federations = {federation.code: federation for federation in Federation.objects.all()}
    problems = list(problems) + [
        f"Row {row.row}, federation: {row.federation} is not among the federations; add it first."
        for row in rows
        if row.federation not in federations
    ]
    if problems or not rows:
        raise OpeningRefused(problems or ["The file has no players."])
    period = Period.objects.create(system=system, list_date=list_date, closes_on=list_date)
    regulation = regulation_of(period)
    kept = archive.store([data]).sha256
    opening = RatingList.objects.create(
        period=period,
        regulation=regulation.code,
        is_opening=True,
        input_sha256=kept,
        sha256=kept,
        computed_at=timezone.now(),
        report={"fingerprint": "", "events": []},
    )
    rule = policy(list_date)
    known = by_identifier("FIDE", [row.fide_id for row in rows])
    ListRow.objects.bulk_create(
        [
            _opening_row(opening, row, known.get(row.fide_id) or _add(row, federations), regulation, rule)
            for row in rows
        ],
        batch_size=1000,
    )
    digest = hashlib.sha256()
    for chunk in state_file(opening).chunks():
        digest.update(chunk)
    opening.report["state"] = digest.hexdigest()
    opening.save(update_fields=["report"])
    if by is None:
        audit.record("list.brought-in", None, opening, str(opening), sha256=kept)
    else:
        propose(opening, by)
        opening.refresh_from_db()
    return opening


def _read(data: bytes) -> tuple[list[OpeningRow], list[OpeningProblem]]:
    """Rows and problems of the file, read apart and within limits."""
    try:
        rows, problems = _readers.read("ratinglists.formats.opening_csv:read_apart", data, LIMITS).value
    except Spent as spent:
        return [], [OpeningProblem(None, "file", str(spent), "Leave columns out that are not needed.")]
    made = [OpeningRow(**row | {"birth": tuple(row["birth"])}) for row in rows]
    return made, [OpeningProblem(*each) for each in problems]


def _add(row, federations: dict[str, Federation]):
    year, month, day = row.birth
    return add_player(
        name=row.name,
        federation=federations[row.federation],
        sex=row.sex,
        birth_date=date(year, month or 1, day or 1) if year else None,
        birth_precision="day" if day else "month" if month else "year" if year else "",
        identifiers={"FIDE": row.fide_id} if row.fide_id else {},
        titles=(row.title,) if row.title else (),
    )


def _opening_row(opening: RatingList, row, player, regulation, rule: Policy) -> ListRow:
    rated = row.rating is not None
    return ListRow(
        rating_list=opening,
        player=player,
        status=ListRow.Status.ACTIVE if rated else ListRow.Status.UNRATED,
        rating=row.rating,
        games=0,
        k_next=regulation.k_of(
            rating=row.rating,
            career_games=row.career_games,
            reached_k10=row.k10,
            birth_year=player.birth_year,
            on=opening.list_date,
        )
        if rated
        else None,
        **printed(player, opening.system, rule),
        career_games=row.career_games or 0,
        reached_k10=bool(row.k10),
        highest_rating=row.rating,
        games_by_period=[row.games_last_year] if row.games_last_year else [],
    )
