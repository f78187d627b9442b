"""SIGKILL at the crash points that no job of a period passes."""

import signal
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils import timezone

from players import audit
from players.models import AuditEntry, OutboxMessage
from ratinglists import corrections, jobs
from ratinglists.models import Complaint, Correction, LiveRating, Publication, RatingList
from tests.chaos.arena import SHORT
from tests.chaos.oracle import facts, hold
from tests.chaos.points import named_points
from tests.factories import make_user
from tournaments.models import RatingSystem, Report, ReportNotice, Tournament

pytestmark = pytest.mark.chaos


def dies(arena, point: str, *program: str, **environment: str) -> None:
    run = arena.run(*program, PORTAL_CRASH_AT=point, **environment)
    hold(run.returncode == -signal.SIGKILL, f"nobody passes {point}: {program} ended with {run.returncode}")


def does(arena, *program: str, **environment: str) -> None:
    run = arena.run(*program, **environment)
    hold(run.returncode == 0, f"{program} ended with {run.returncode}: {run.stderr[-500:]}")


# --- before a period is published ------------------------------------------------------------------


def ringing(arena, point, period) -> None:
    """A request of staff dies while it rings; the row stands, and a sweep rings."""
    before = list(period.jobs.values_list("pk", flat=True))
    dies(arena, point, "request", "compute", str(period.pk))
    does(arena, "manage", "sweep")
    arena.finish(period.jobs.exclude(pk__in=before).get())


def sweeping(arena, point, period) -> None:
    """A sweep dies while it takes up the job of a dead worker; the next one takes it up."""
    job = arena.killed("compute", period, "compute: the inputs are read")
    time.sleep(4)  # its lease is over
    dies(arena, point, "manage", "sweep")
    time.sleep(3)  # a message that was lost is sent again after a lease's time
    does(arena, "manage", "sweep")
    arena.finish(job)


def calendar(arena, point, period) -> None:
    """Dies while it queues what is due: nothing is queued; the next look queues it."""
    system = RatingSystem.objects.filter(pk=period.system_id)
    before = list(period.jobs.values_list("pk", flat=True))
    period.lists.filter(state="draft").delete()
    system.update(schedule=RatingSystem.Schedule.COMPUTE)
    dies(arena, point, "manage", "sweep")
    hold(period.jobs.count() == len(before), "a job of a transaction that died")
    does(arena, "manage", "sweep")
    arena.finish(period.jobs.exclude(pk__in=before).get())
    system.update(schedule=RatingSystem.Schedule.MANUAL)


def mailing(arena, point, period) -> None:
    """Dies around a mail: after a quarter of an hour it is tried again. It may come twice."""
    report = Report.objects.filter(tournament__rating_system=period.system_id).first()
    entry = report.tournament.entries.filter(player__user=None).first()
    entry.player.user = make_user(f"mail-{point}-{entry.player_id}", email="player@example.org")
    entry.player.save()
    row = ReportNotice.objects.create(
        tournament=report.tournament,
        player=entry.player,
        report=report,
        digest="0" * 64,
        told_at=timezone.now(),
    )
    dies(arena, point, "call", "tournaments.notices", "send_waiting")
    row.refresh_from_db()
    hold(row.mail == "sending", f"the notice is {row.mail}")
    ReportNotice.objects.filter(pk=row.pk).update(mail_at=timezone.now() - timedelta(minutes=16))
    does(arena, "call", "tournaments.notices", "send_waiting")
    row.refresh_from_db()
    hold(row.mail == "sent", f"the notice is {row.mail}")


def sealing(arena, point, period) -> None:
    """Dies while it seals the entry of a request: what was asked stands, and the next sealer goes on."""
    before = list(period.jobs.values_list("pk", flat=True))
    number, _ = audit.head()
    dies(arena, point, "request", "compute", str(period.pk))
    job = period.jobs.exclude(pk__in=before).get()
    hold(AuditEntry.objects.filter(number=None, data__job=job.pk).exists(), "the entry is sealed, or lost")
    hold(audit.head()[0] == number, "the head of the chain moved")
    does(arena, "manage", "sweep")
    arena.finish(job)
    does(arena, "manage", "sweep")
    hold(not AuditEntry.objects.filter(number=None).exists(), "an entry is not sealed")
    hold(not audit.verify(), f"the audit log: {audit.verify()}")


def complaining(arena, point, period) -> None:
    """Dies before a complaint is stored, and before its answer is: nothing is left of either; then again."""
    events = Tournament.objects.filter(rating_system=period.system_id, complaints=None)
    event, found = events.order_by("pk").first(), Complaint.objects.count()
    told = AuditEntry.objects.filter(act__startswith="complaint.").count()
    staff = OutboxMessage.objects.count()
    dies(arena, point, "complain", str(event.pk))
    hold(Complaint.objects.count() == found, "a complaint of a transaction that died")
    hold(OutboxMessage.objects.count() == staff, "staff are told of a complaint that is not there")
    does(arena, "complain", str(event.pk))
    case = Complaint.objects.get(tournament=event)
    dies(arena, point, "answer", str(case.pk))
    case.refresh_from_db()
    hold(case.is_open and not case.answer, f"half an answer: {case.state}, {case.answer}")
    does(arena, "answer", str(case.pk))
    case.refresh_from_db()
    hold(case.state == "upheld", f"the complaint is {case.state}")
    noted = AuditEntry.objects.filter(act__startswith="complaint.").count() - told
    hold(noted == 2, f"{noted} entries of one complaint and its answer")


def looking_ahead(arena, point, period) -> None:
    """Live ratings: a dead worker leaves none of its rows, and the next one those of an undisturbed job."""
    rows = LiveRating.objects.filter(system=period.system_id)

    def seen() -> list:
        names = ("player", "rating", "rating_before", "change", "games", "list_date", "base")
        return list(rows.order_by("player").values_list(*names))

    arena.do("live", period.system)
    expected = seen()
    hold(expected, "there are no live ratings: nothing is tried")
    rows.delete()
    job = arena.killed("live", period.system, point)
    hold(not rows.exists(), "live ratings of a transaction that died")
    arena.take_up(job)
    hold(seen() == expected, f"live ratings {seen()}, undisturbed {expected}")
    rows.delete()


# --- after periods are published -------------------------------------------------------------------


def published_state(system: RatingSystem) -> list:
    lists = RatingList.objects.filter(period__system=system, state="published").order_by("pk")
    return [
        list(lists.values_list("pk", "sha256", "publication")),
        list(Tournament.objects.filter(rating_system=system).order_by("pk").values_list("state")),
        list(Publication.objects.values_list("number", "manifest_sha256")),
        sorted(AuditEntry.objects.filter(act__startswith="correction.pub").values_list("pk", flat=True)),
    ]


def open_correction(period) -> Correction:
    """Without the first event that the standing list of a period counts and no correction took out."""
    staff = get_user_model().objects.get(username="chaos-staff")
    standing = period.lists.filter(state="published").order_by("-revision").first()
    counted = [each["tournament"] for each in standing.report["events"] if each["outcome"] == "counted"]
    correction = corrections.open_correction(period.system, staff, "An event that was not played")
    corrections.exclude(correction, Tournament.objects.get(pk=counted[0]), staff)
    return correction


def contents(correction: Correction) -> list[dict]:
    """The lists of a correction, their files apart."""
    lists = correction.lists.order_by("period__list_date")
    return [{name: value for name, value in facts(each).items() if name != "files"} for each in lists]


def correcting(arena, point, period) -> int:
    """Dies while it computes a correction: the public sees nothing; then the drafts of an undisturbed one."""
    correction = open_correction(period)
    arena.do("correct", correction)
    expected, before = contents(correction), published_state(period.system)
    hold(len(expected) == 2, f"the correction changes {len(expected)} lists")
    job = arena.killed("correct", correction, point)
    hold(published_state(period.system) == before, "the public sees what a dead worker left of a correction")
    arena.take_up(job)
    hold(contents(correction) == expected, "the drafts of the correction are others than undisturbed")
    corrections.drop(correction, correction.opened_by)
    return 0


def publishing_a_correction(arena, point, period) -> int:
    """Dies while it publishes a correction: nothing of it is seen; then all, once."""
    correction = open_correction(period)
    arena.do("correct", correction)
    expected, before = contents(correction), published_state(period.system)
    job = arena.killed("publish-correction", correction, point)
    hold(published_state(period.system) == before, "half a correction is published")
    arena.take_up(job)
    hold(contents(correction) == expected, "other lists were published than computed")
    links = set(correction.lists.values_list("state", "publication"))
    hold(
        links == {("published", Publication.objects.first().number)}, f"the lists of the correction: {links}"
    )
    acts = AuditEntry.objects.filter(
        act="correction.published", subject=f"ratinglists.correction:{correction.pk}"
    )
    hold(acts.count() == 1, f"{acts.count()} audit entries of the correction")
    return 1


def changing_the_key(arena, point, period) -> int:
    """Dies when the new key is written: the old one signs on; then the change goes on with the same key."""
    last, key = Publication.objects.first(), Path(settings.PORTAL_SIGNING_KEY)
    dies(arena, point, "manage", "signing_key", "make")
    held = key.read_bytes()
    hold(held.count(b"BEGIN") == 2, "the file does not hold both keys")
    hold(Publication.objects.first() == last, "a publication of a transaction that died")
    correction = open_correction(period)
    arena.do("correct", correction)
    arena.do("publish-correction", correction)
    signed = Publication.objects.first()
    hold(signed.key_id == last.key_id, "the new key signs before it is published")
    does(arena, "manage", "signing_key", "make")
    hold(key.read_bytes() == held, "another key was made")
    hold(Publication.objects.first().number == signed.number + 1, "the change is not published once")
    does(arena, "manage", "signing_key", "retire")
    return 2


# --- a period shared out ----------------------------------------------------------------------------


def sharing(city, point) -> None:
    """A worker dies with the sums of its share: the share is done again, and the list is the same."""
    shared = {"PORTAL_SHARES": "2", "PORTAL_EXPLAIN_AT_ONCE": "1"}
    with city.arena(without="sweep", environment=shared) as arena:
        period = arena.periods("s1")[0]
        arena.stop_worker()
        job, _ = jobs.request("compute", period, ring_workers=False)
        does(arena, "do", str(job.pk))
        city.redis.flush()
        share, other = job.shares.order_by("number")
        dies(arena, point, "share", str(share.pk))
        share.refresh_from_db()
        hold(share.state == "running" and not share.result_sha256, f"the share: {share.state}")
        arena.start_worker()
        arena.take_up(share)
        arena.finish(other)
        arena.finish(job)
        sha256, expected = period.lists.get().sha256, city.expected[period.pk]["sha256"]
        hold(sha256 == expected, f"the list is {sha256}, undisturbed {expected}")


def proving(city, point) -> None:
    """A worker dies while it proves a draft: it stays unproven; then the proof goes on, to its end."""
    with city.arena(without="sweep", environment={"PORTAL_EXPLAIN_AT_ONCE": "1"}) as arena:
        period = arena.periods("s1")[0]
        arena.stop_worker()
        job, _ = jobs.request("compute", period, ring_workers=False)
        does(arena, "do", str(job.pk))
        city.redis.flush()
        proof = period.jobs.get(kind="prove")
        dies(arena, point, "do", str(proof.pk))
        hold(period.lists.get().awaits_proof, "the draft is proven by a transaction that died")
        arena.start_worker()
        arena.take_up(proof)
        draft, expected = period.lists.get(), city.expected[period.pk]
        found = {"sha256": draft.sha256, "input": draft.input_sha256}
        hold(all(found[name] == expected[name] for name in found), f"the proven draft is {found}")


#: the first word of a point -> what passes it, outside compute and publish
UNPUBLISHED = {
    "ring": ringing,
    "sweep": sweeping,
    "calendar": calendar,
    "mail": mailing,
    "seal": sealing,
    "complaint": complaining,
    "live": looking_ahead,
}
PUBLISHED = {
    "correct": correcting,
    "publish-correction": publishing_a_correction,
    "key": changing_the_key,
}
SHARED = {"share": sharing}
PROVEN = {"prove": proving}
DRIVERS = UNPUBLISHED | PUBLISHED | SHARED | PROVEN


def points_of(drivers: dict) -> list[str]:
    return sorted(point for point in named_points() if point.partition(":")[0] in drivers)


def times(city) -> int:
    return 1 if SHORT or not city.on_postgresql else 5


def test_killed_at_the_other_points(city, note):
    points = points_of(UNPUBLISHED)
    with city.arena(without="sweep") as arena:
        periods = [arena.periods(system)[0] for system in city.systems]
        for number, point in enumerate(points * times(city)):
            UNPUBLISHED[point.partition(":")[0]](arena, point, periods[number % len(periods)])
        for period in periods:
            arena.do("compute", period)
            arena.do("publish", period)
        arena.check(periods)
    note(f"{len(points) * times(city)} kills at {len(points)} points: {points}")


def test_killed_at_the_points_of_corrections_and_keys(city, note):
    points = points_of(PUBLISHED)
    with city.arena(without="sweep") as arena:
        further, done = 0, []
        systems = city.systems[: 1 if SHORT else 5]
        for system in systems:
            periods = arena.periods(system)[:2]
            for period in periods:
                arena.do("compute", period)
                arena.do("publish", period)
            done += periods
        for number in range(times(city)):
            for point in points:
                period = arena.periods(systems[number % len(systems)])[0]
                further += PUBLISHED[point.partition(":")[0]](arena, point, period)
        arena.check(done, further=further)
    note(f"{len(points) * times(city)} kills at {len(points)} points: {points}")


def test_killed_at_the_points_of_shares(city, note):
    points = points_of(SHARED)
    for point in points:
        sharing(city, point)
    note(f"{len(points)} kills at {points}")


def test_killed_at_the_points_of_a_proof(city, note):
    points = points_of(PROVEN)
    for point in points:
        proving(city, point)
    note(f"{len(points)} kills at {points}")
