"""A period from the command line: what stands, compute, prove, propose, approve, publish.

Exit status 0: done. 1: refused, with the reason in words on standard error.
"""

from __future__ import annotations

import time
from datetime import date

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from ratinglists import approving, jobs, services
from ratinglists.jobs import Refusal
from ratinglists.models import Job, Period, RatingList
from ratinglists.standing import standing
from tournaments.services import NotAllowedNow

KINDS = {"compute": Job.Kind.COMPUTE, "prove": Job.Kind.PROVE, "publish": Job.Kind.PUBLISH}
COMPUTE = "ratinglists.compute_period"
RIGHTS = {"compute": COMPUTE, "prove": COMPUTE, "publish": approving.PUBLISH}


class Command(BaseCommand):
    #: stage, done and total of what was said last
    _shown = ("", 0, 0)
    help = "List, compute, prove, propose, approve or publish a period's list."

    def add_arguments(self, parser) -> None:
        parser.add_argument("act", choices=["list", "compute", "prove", "propose", "approve", "publish"])
        parser.add_argument("system", nargs="?", help="code of the rating system, such as rapid")
        parser.add_argument("date", nargs="?", type=date.fromisoformat, help="date of the list, YYYY-MM-DD")
        parser.add_argument("--as", dest="user", metavar="USER", help="the account that does it")
        parser.add_argument(
            "--wait",
            action="store_true",
            help="leave the work to the workers and watch them (compute, prove, publish)",
        )

    def handle(self, *, act: str, system: str | None, user: str | None, wait: bool, **options) -> None:
        if act == "list":
            return self._list(system)
        period = self._period(system, options["date"])
        by = self._account(user)
        try:
            if act in KINDS:
                self._work(act, period, by, wait)
                if act == "compute" and period.lists.filter(input_sha256="").exists():
                    self._work("prove", period, by, wait)
            else:
                self._decide(act, period, by)
        except (NotAllowedNow, Refusal, PermissionDenied) as refusal:
            raise CommandError(str(refusal)) from refusal
        self._tell(period)
        return None

    def _period(self, system: str | None, day: date | None) -> Period:
        if not system or day is None:
            raise CommandError("Name the system and the date of the list: period compute rapid 2027-01-01.")
        period = Period.objects.select_related("system").filter(system=system, list_date=day).first()
        if period is None:
            raise CommandError(f"There is no period {system} {day}. “period list” shows those there are.")
        return period

    def _account(self, name: str | None):
        if name is None:
            return None
        user = get_user_model().objects.filter(username=name, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account “{name}”.")
        return user

    def _list(self, system: str | None) -> None:
        periods = Period.objects.select_related("system").order_by("system", "list_date")
        for period in periods.filter(system=system) if system else periods:
            state = standing(period)["state"]
            self.stdout.write(f"{period.system_id} {period.list_date}  closes {period.closes_on}  {state}")

    def _decide(self, act: str, period: Period, by) -> None:
        if by is None:
            raise CommandError(f"Say who {act}s it: --as USER.")
        draft = period.lists.filter(state=RatingList.State.DRAFT).select_related("period__system").first()
        if draft is None:
            raise Refusal(f"{period} has no draft: compute it first.")
        (approving.propose if act == "propose" else approving.approve)(draft, by)

    def _work(self, act: str, period: Period, by, wait: bool) -> None:
        approving.require(by, RIGHTS[act])
        if act == "publish":
            services.publishable(period)  # refused to whoever asks here, without a job that fails
        with transaction.atomic():
            job, _ = jobs.request(KINDS[act], period, by, ring_workers=wait)
        if wait or not services.run_job(job.pk, self._show):
            self._watch(job)
        job.refresh_from_db()
        if job.state != Job.State.DONE:
            raise Refusal(job.message or f"The job is {job.get_state_display()}.")
        self._close()
        self.stdout.write(job.message)

    def _show(self, stage: str, done: int, total: int) -> None:
        if (stage, done, total) == self._shown:
            return
        if stage != self._shown[0]:
            self._close()
        self._shown = (stage, done, total)
        self.stdout.write(f"{stage}: {done} of {total}" if total else stage)
        self.stdout.flush()

    def _close(self) -> None:
        """The last count of a stage that is over: the next has begun, or the job is done."""
        stage, done, total = self._shown
        if done < total:
            self.stdout.write(f"{stage}: {total} of {total}")

    def _watch(self, job: Job) -> None:
        """Until a worker has done it."""
        self.stdout.write("waiting for a worker")
        while job.is_open:
            time.sleep(0.5)
            job.refresh_from_db()
            self._show(job.stage or job.get_state_display(), job.progress, job.total)

    def _tell(self, period: Period) -> None:
        """Where it stands now."""
        now = standing(period)
        self.stdout.write(f"{period}: {now['state']}")
        for outcome, events in now["events"]:
            self.stdout.write(f"  {outcome}: {len(events)}")
            for event in events if outcome != "counted" else ():
                self.stdout.write(f"    {event['name']}: {event['reason']}")
        listed = now["published"] or now["draft"]
        if listed is not None:
            self.stdout.write(f"  list {listed.sha256}")
            if listed.input_sha256:
                self.stdout.write(f"  input {listed.input_sha256}")
        told = (now["problem"], now["unproven"], now["lacking"], now["too_early"])
        for reason in (*told, approving.STALE * now["stale"]):
            if reason:
                self.stdout.write(f"  {reason}")
        if now["appears_on"] and not now["lacking"]:
            self.stdout.write(f"  It will appear on {now['appears_on']}.")
