"""A portal into which 500 birth dates of their own were planted, wherever a portal can come to know one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from players import services as register
from players.models import OutboxMessage, Player
from players.roles import APPROVERS, ARBITERS, CLERKS, RATING_OFFICERS
from ratinglists import complaints, corrections, live, services
from ratinglists.models import RatingList
from ratinglists.opening import open_system
from tests.factories import (
    appoint,
    make_arbiter,
    make_federation,
    make_period,
    make_system,
    make_tournament,
    make_user,
)
from tests.players import lists
from tests.ratinglists.corrected import computed, finished, published
from tests.reports import trf_text
from tournaments.models import Entry, Report, Waiver
from tournaments.services import accept_report, submit_report

COUNT = 500
OPENED, NEXT, LATER = date(2024, 3, 1), date(2024, 4, 1), date(2024, 5, 1)
PEOPLE = 24
ROLES = ("public", "arbiter", "clerk", "officer", "approver")


class Dates:
    """Birth dates, each handed out once."""

    def __init__(self) -> None:
        days = random.Random(7).sample(range(365 * 50), COUNT)
        self.days = [date(1931, 1, 1) + timedelta(days=number) for number in days]
        self._left = iter(self.days)

    def take(self, count: int) -> list[date]:
        return [next(self._left) for _ in range(count)]

    def rest(self) -> Iterator[date]:
        return self._left


class World:
    """Everything that has a page, a file or an answer, with birth dates in it and behind it."""

    def __init__(self) -> None:
        self.dates = Dates()
        make_federation("XAA")
        self.users = {role: make_user(role, is_staff=True, email=f"{role}@example.org") for role in ROLES[2:]}
        self.users["arbiter"] = make_user("arbiter", email="arbiter@example.org")
        for role, group in zip(ROLES[1:], (ARBITERS, CLERKS, RATING_OFFICERS, APPROVERS), strict=True):
            appoint(self.users[role], group)
        self.boss = make_user("boss", is_superuser=True)
        self.arbiter = make_arbiter(user=self.users["arbiter"])
        self.system = make_system("rapid", rate="rapid", schedule="manual")
        self._opening()
        self.event = self._event("Isles Open", date(2024, 3, 9), self.dates.take(PEOPLE))
        self._identities()
        self._accepted(self.event)
        self.listed = self._publish(NEXT)
        self._corrected()
        self.waiting = self._event("Second Open", date(2024, 4, 9), self.dates.take(PEOPLE))
        self._accepted(self.waiting)
        finished(services.request_compute(make_period(self.system, LATER)))
        self._live()
        self.entered = self._event("Third Open", date(2024, 5, 9), self.dates.take(PEOPLE), white_wins=False)
        self._words()
        self._imports()

    def _opening(self) -> None:
        """A list brought in with full dates, which make the register."""
        rows = ["fide_id,name,sex,birth,federation,title,rating,career_games\n"]
        for number, born in enumerate(self.dates.take(PEOPLE)):
            sex = "fm"[number % 2]
            name = f"Invented{chr(97 + number)}, Player"
            rows.append(f'90{number:04},"{name}",{sex},{born},XAA,,{1600 + 20 * number},60\n')
        opening = open_system(self.system, OPENED, "".join(rows).encode())
        finished(services.request_publish(opening.period))
        self.players = list(Player.objects.order_by("pk"))

    def _event(self, name: str, day: date, born: list[date], **games):
        """A tournament with a report in which everybody has another birth date than on the register."""
        event = make_tournament(
            self.system, name=name, start=day, rounds=1, arbiter=self.arbiter, minutes=20, increment=0
        )
        self.file = self._file(name, day, born, **games)
        at = datetime(day.year, day.month, day.day, 20, tzinfo=UTC)
        submit_report(event, self.users["officer"], "report.trf", self.file, received_at=at)
        event.refresh_from_db()
        return event

    def _file(self, name: str, day: date, born: list[date], *, white_wins: bool = True) -> bytes:
        """Each meets his neighbour, White first."""
        lines = []
        for place, (player, birth) in enumerate(zip(self.players, born, strict=False), start=1):
            white = bool(place % 2)
            won = white == white_wins
            cell = trf_text.cell(place + 1 if white else place - 1, "wb"[not white], "01"[won])
            shown = {"points": f"{int(won)}.0", "rank": str(place), "birth": f"{birth:%Y/%m/%d}"}
            told = {"sex": "", "federation": "XAA", "fide_id": player.fide_id}
            lines.append(trf_text.player(place, player.name, cell, **shown, **told))
        stamp = f"{day:%Y/%m/%d}"
        head = (f"012 {name}", "022 Port", "032 XAA", f"042 {stamp}", f"052 {stamp}", "102 Arbiter, Ana")
        return trf_text.report(*lines, head=head)

    def _accepted(self, event) -> None:
        accept_report(event.reports.exclude(state="returned").latest("submitted_at"), self.boss)

    def _publish(self, day: date) -> RatingList:
        period = make_period(self.system, day)
        for ask in (services.request_compute, services.request_publish):
            job = finished(ask(period))
            assert job.state == "done", job.message
        return period.lists.get()

    def _identities(self) -> None:
        """A merge that filled in a date and gives one as its reason, undone; and a split."""
        born, told, again = self.dates.take(3)
        target, double = self.players[-1], self._added("Double, Dora", born)
        Player.objects.filter(pk=target.pk).update(birth_date=None, birth_precision="", sex="")
        target.refresh_from_db()
        change = register.merge(double, target, self.boss, f"One person, born {told}.")
        register.undo(change, self.boss, f"Two, the other is of {again:%d.%m.%Y}.")
        (born,) = self.dates.take(1)
        merged = self._added("Merged, Mona", born)
        Player.objects.filter(pk=target.pk).update(birth_date=None, birth_precision="")
        target.refresh_from_db()
        register.merge(merged, target, self.boss, "The same.")

    def _added(self, name: str, born: date) -> Player:
        return register.add_player(
            name=name, federation=make_federation("XAA"), birth_date=born, birth_precision="day"
        )

    def _corrected(self) -> None:
        correction = corrections.open_correction(self.system, self.boss, "A wrong result")
        born = self.dates.take(PEOPLE)
        body = self._file(self.event.name, self.event.start, born, white_wins=False)
        self.event.refresh_from_db()
        report = submit_report(self.event, self.boss, "corrected.trf", body, correcting=True)
        corrections.add_report(correction, report, self.boss, "The sheet says so.")
        for job in (computed(correction), published(correction)):
            assert job.state == "done", job.message

    def _live(self) -> None:
        finished(self.system.jobs.filter(kind="live", state="queued").first() or live.ask(self.system))

    def _words(self) -> None:
        """What people write into texts that the public does not see."""
        event, player = self.event, self.players[0]
        first, second, third, fourth = self.dates.take(4)
        for born in (first, second):
            case = complaints.open_case(
                event, player, "identity", f"I was born on {born}.", name=f"Ann {born:%d.%m.%Y}",
                email=f"ann{born:%Y%m%d}@example.org",
            )  # fmt: skip
            player = self.players[1]
        complaints.answer(case, self.boss, uphold=False, reason=f"No, on {third:%d %B %Y}.")
        self.case = case
        Report.objects.filter(tournament=self.entered).update(remark=f"Is it {fourth}?")
        OutboxMessage.objects.create(
            key="canary", right="players.merge_player", subject="Somebody", text="Born when?"
        )
        Entry.objects.filter(tournament=self.entered, player=self.players[0]).update(reported_name="Somebody")
        Waiver.objects.create(
            tournament=self.entered,
            authorization="late-registration",
            article="0.2",
            reason="In time.",
            granted_by=self.boss,
        )

    def _imports(self) -> None:
        """Lists with a column of birth dates, which the register passes over: all that are left."""
        born = list(self.dates.rest())
        rows = ["fide_id,name,federation,sex,birth_year,birth_date,standard_rating"]
        rows += [
            f'95{number:05},"Listed{number}, Lea",XAA,f,{each.year},{each},1500'
            for number, each in enumerate(born)
        ]
        content = "\n".join(rows).encode()
        self.imported = lists.preview(content, file_name="players.csv", list_date=LATER)
