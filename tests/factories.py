"""Made-up rows for tests, by plain functions: each fills in what the test does not care about."""

from __future__ import annotations

import hashlib
from copy import copy
from datetime import UTC, date, datetime, time
from decimal import Decimal
from fractions import Fraction
from itertools import count

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.db.models import prefetch_related_objects

from players.models import Clerkship, Federation, Identifier, IssuingBody, Player, Title
from players.privacy import Policy, policy
from players.roles import CLERKS, ensure_roles
from ratinglists.drafts import printed
from ratinglists.models import Correction, EventResult, ListRow, Period, PlayerResult, Publication, RatingList
from regulations.exact import parse
from tournaments.models import (
    Arbiter,
    Entry,
    Game,
    RatingSystem,
    Report,
    Round,
    SystemRegulation,
    TimeControlStage,
    Tournament,
    TournamentArbiter,
)
from tournaments.reports import trf16
from tournaments.reports.model import ParsedReport, ReportedGame, ReportedPlayer

_number = count(1)
RAPID, STANDARD = "fide-rapid-blitz-2022", "fide-standard-2004"
_POINTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "+/-": (2, 0), "-/+": (0, 2), "=/=": (1, 1)}
_BYES = {"bye-1": 2, "bye-1/2": 1, "bye-0": 0}


def make_federation(code: str = "XAA", name: str = "Aaland Isles") -> Federation:
    return Federation.objects.get_or_create(code=code, defaults={"name": name})[0]


def make_user(username: str = "", *permissions: str, federation: str = "", **fields):
    """An account with rights such as "ratinglists.publish_list", in all federations or as the clerk of one;
    its password is "secret"."""
    if federation:
        fields["is_staff"] = True
    elif permissions:
        permissions = (*permissions, "players.all_federations")
    user = get_user_model().objects.create_user(
        username or f"user{next(_number)}", password="secret", **fields
    )
    for permission in permissions:
        app, codename = permission.split(".")
        user.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
    if federation:
        appoint(user, CLERKS, federation)
    return user


def root():
    """A superuser, for whom there are no bounds."""
    return get_user_model().objects.filter(is_superuser=True).first() or make_user(is_superuser=True)


def appoint(user, group: str, federation: str = "XAA") -> None:
    """Put an account into a group of the portal; a clerk works for this federation."""
    user.groups.add(ensure_roles()[group])
    if group == CLERKS:
        Clerkship.objects.get_or_create(user=user, federation=make_federation(federation))


def make_player(
    name: str = "",
    *,
    federation: str = "XAA",
    born: int | date | None = 1990,
    sex: str = "m",
    fide_id: str = "",
    titles: tuple[str, ...] = (),
) -> Player:
    """On the register, past the questions of the service: they take ten times as long as the row."""
    number = next(_number)
    day = born if isinstance(born, date) else born and date(born, 1, 1)
    precision = "day" if isinstance(born, date) else "year" if born else ""
    player = Player.objects.create(
        name=name or f"Invented{chr(97 + number % 26)}, Player{chr(97 + number // 26 % 26)}",
        federation=make_federation(federation),
        sex=sex,
        birth_date=day,
        birth_precision=precision,
    )
    body, _ = IssuingBody.objects.get_or_create(code="FIDE", defaults={"name": "FIDE"})
    Identifier.objects.create(player=player, issuer=body, value=fide_id or str(90_000_000 + number))
    Title.objects.bulk_create(Title(player=player, code=code) for code in titles)
    return player


def make_system(
    code: str = "rapid", *, regulation: str = RAPID, since: date = date(2000, 1, 1), **fields
) -> RatingSystem:
    fields.setdefault("name", code.replace("-", " ").capitalize())
    fields.setdefault("rate", "standard" if regulation == STANDARD else "rapid")
    fields.setdefault("federation", make_federation())
    system = RatingSystem.objects.create(code=code, **fields)
    SystemRegulation.objects.create(system=system, regulation=regulation, effective_from=since)
    return system


def make_arbiter(name: str = "Arbiter, Ana", *, user=None, **fields) -> Arbiter:
    return Arbiter.objects.create(name=name, user=user, **fields)


def make_tournament(
    system: RatingSystem,
    *,
    name: str = "",
    start: date = date(2022, 3, 5),
    end: date | None = None,
    state: str = "registered",
    rounds: int = 3,
    arbiter: Arbiter | None = None,
    minutes: int = 10,
    increment: int = 5,
    **fields,
) -> Tournament:
    tournament = Tournament.objects.create(
        name=name or f"Open {next(_number)}",
        rating_system=system,
        federation=system.federation or make_federation(),
        organiser=fields.pop("organiser", "Club of the Isles"),
        city=fields.pop("city", "Port"),
        start=start,
        end=end or start,
        registered_on=fields.pop("registered_on", start),
        state=state,
        **fields,
    )
    TimeControlStage.objects.create(tournament=tournament, minutes=minutes, increment_seconds=increment)
    Round.objects.bulk_create(
        Round(tournament=tournament, number=n, date=start) for n in range(1, rounds + 1)
    )
    if arbiter is not None:
        TournamentArbiter.objects.create(tournament=tournament, arbiter=arbiter)
    return tournament


def make_report(
    tournament: Tournament,
    players: list[Player],
    games: list[tuple[int, int, int | None, str]],
    *,
    state: str = "accepted",
    by=None,
    submitted_at: datetime | None = None,
) -> Report:
    """A stored report: ``games`` are (round, white, black, result) with places in ``players`` from 1."""
    number = next(_number)
    submitted_at = submitted_at or datetime.combine(tournament.end, time(20), UTC)
    halves = dict.fromkeys(range(1, len(players) + 1), 0)
    for _, white, black, result in games:
        if black is None:
            halves[white] += _BYES[result]
        else:
            for place, gained in zip((white, black), _POINTS.get(result, (0, 0)), strict=True):
                halves[place] += gained
    content = report_bytes(tournament, players, games, halves, number)
    report = Report.objects.create(
        tournament=tournament,
        format="trf16",
        filename=f"report{number}.txt",
        content=content,
        sha256=hashlib.sha256(content).hexdigest(),
        state=state,
        submitted_by=by or make_user(),
        submitted_at=submitted_at,
        received_on=tournament.rating_system.day_of(submitted_at),
    )
    counts_finished = tournament.regulation is not None and tournament.regulation.counts_finished_games
    ranks = {p: r for r, p in enumerate(sorted(halves, key=lambda p: (-halves[p], p)), start=1)}
    entries = {
        place: Entry(
            tournament=tournament,
            player=player,
            start_number=place,
            reported_name=player.name,
            points=Decimal(halves[place]) / 2,
            rank=ranks[place],
        )
        for place, player in enumerate(players, start=1)
    }
    Entry.objects.bulk_create(entries.values())
    Game.objects.bulk_create(
        Game(
            tournament=tournament,
            report=report,
            round=number,
            white=entries[white],
            black=entries[black] if black else None,
            result=result,
            finished_on=report.received_on if counts_finished else None,
        )
        for number, white, black, result in games
    )
    Tournament.objects.filter(pk=tournament.pk, state="registered").update(
        state="accepted" if state == "accepted" else "reported"
    )
    tournament.refresh_from_db()
    return report


def report_bytes(
    tournament: Tournament, players: list[Player], games, halves: dict[int, int], number: int
) -> bytes:
    """The file of such a report (TRF16); ``number`` makes it another than all before."""
    parsed = ParsedReport(
        format="trf16",
        name=f"{tournament.name} {number}",
        start=tournament.start,
        end=tournament.end,
        players=tuple(
            ReportedPlayer(
                place, player.name, federation=player.federation_id, points=Fraction(halves[place], 2)
            )
            for place, player in enumerate(players, start=1)
        ),
        games=tuple(ReportedGame(*game) for game in games),
        rounds=max((game[0] for game in games), default=0),
    )
    return trf16.write(parsed).encode()


def make_period(system: RatingSystem, list_date: date, closes_on: date | None = None) -> Period:
    return Period.objects.get_or_create(
        system=system, list_date=list_date, defaults={"closes_on": closes_on or list_date}
    )[0]


def make_list(
    system: RatingSystem,
    list_date: date,
    ratings: dict[Player, int | None] | None = None,
    *,
    published: bool = True,
    rows: dict[Player, dict] | None = None,
    events: dict[Tournament, dict[Player, dict]] | None = None,
    revision: int = 1,
    report: dict | None = None,
) -> RatingList:
    """A list written directly: ratings, fields of single rows, and results by event and player.

    A result's numbers may be text such as "2.5"; ``detail`` is stored as given.
    """
    period = make_period(system, list_date)
    previous = RatingList.objects.filter(
        period__system=system, period__list_date__lt=list_date, state="published"
    ).first()
    correction = None
    if revision > 1:
        correction = Correction.objects.create(system=system, reason="A wrong result", state="published")
    listed = RatingList.objects.create(
        period=period,
        revision=revision,
        correction=correction,
        regulation=system.regulation_on(list_date).code,
        previous=previous,
        input_sha256=f"{next(_number):064x}",
        sha256=f"{next(_number):064x}",
        computed_at=datetime(list_date.year, list_date.month, list_date.day, tzinfo=UTC),
        report=report
        or {
            "fingerprint": "",
            "events": [
                {"tournament": t.pk, "name": t.name, "outcome": "counted", "reason": ""} for t in events or {}
            ],
        },
    )
    rule, known = policy(list_date), [copy(player) for player in {**(ratings or {}), **(rows or {})}]
    prefetch_related_objects(known, "identifiers", "titles")  # not on the test's own objects
    ListRow.objects.bulk_create(
        _row(listed, rule, player, (ratings or {}).get(player), dict((rows or {}).get(player, {})))
        for player in known
    )
    for tournament, results in (events or {}).items():
        _event(listed, tournament, results)
        if published:
            Tournament.objects.filter(pk=tournament.pk).update(state="counted")
    if published:
        publish(listed)
    return listed


def make_publication(at: datetime) -> Publication:
    """The next link of the chain, without files."""
    last = Publication.objects.first()
    return Publication.objects.create(
        number=last.number + 1 if last else 1,
        previous=last,
        manifest_sha256=f"{next(_number):064x}",
        published_at=at,
    )


def publish(listed: RatingList) -> None:
    """By one person and without files; the services do it properly."""
    listed.publication = make_publication(listed.computed_at)
    listed.state, listed.published_at = RatingList.State.PUBLISHED, listed.computed_at
    listed.one_person = True
    listed.save()


def _row(listed: RatingList, rule: Policy, player: Player, rating: int | None, fields: dict) -> ListRow:
    rating = fields.pop("rating", rating)
    return ListRow(
        rating_list=listed,
        player=player,
        rating=rating,
        status=fields.pop("status", "unrated" if rating is None else "active"),
        **printed(player, listed.system, rule),
        **fields,
    )


def _event(listed: RatingList, tournament: Tournament, results: dict[Player, dict]) -> None:
    event = EventResult.objects.create(
        rating_list=listed,
        tournament=tournament,
        regulation=tournament.regulation.code,
        rated=True,
        treated_as=tournament.system,
    )
    made = []
    for player, fields in results.items():
        given = {"status": "rated", "games": 1, "score": "1", **fields}
        for name in ("rc", "expected", "change", "list_change", "performance"):
            if isinstance(given.get(name), str):
                number = parse(given[name])
                given[name] = Decimal(number.numerator) / Decimal(number.denominator)
        made.append(PlayerResult(event=event, player=player, **given))
    PlayerResult.objects.bulk_create(made)


def rate_and_list(period: Period, *, published: bool = True) -> RatingList:
    """A list by the real computation (regulation, draft, checks), published unless told otherwise."""
    from django.db import transaction

    from ratinglists.computation import compute, read_inputs
    from ratinglists.drafts import write_draft

    def quiet(stage: str, done: int, total: int) -> None:
        """Nobody watches."""

    with transaction.atomic():
        inputs = read_inputs(period, quiet)
        draft = write_draft(inputs, compute(inputs, quiet))
    if published:
        counted = [e["tournament"] for e in draft.report["events"] if e["outcome"] != "deferred"]
        Tournament.objects.filter(pk__in=counted).update(state="counted")
        publish(draft)
    return draft


def fresh(tournament: Tournament) -> Tournament:
    """As it is stored now."""
    return Tournament.objects.get(pk=tournament.pk)
