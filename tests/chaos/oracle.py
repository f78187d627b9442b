"""What must hold after every fault: each list once, whole, and the one that an undisturbed run makes."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder

from players.models import AuditEntry
from ratinglists import archive, jobs, services
from ratinglists.models import (
    EventResult,
    Job,
    ListFile,
    ListRow,
    Period,
    PlayerResult,
    PooledSample,
    Publication,
    RatingList,
)
from tournaments.models import Tournament
from verifier import form


class Broken(AssertionError):
    """A list is torn, lost, doubled or wrong, or its job was not taken up in time."""


def hold(condition: object, what: str) -> None:
    if not condition:
        raise Broken(what)


def _rows(model, rows, *, order: tuple[str, ...], without: tuple[str, ...]) -> list:
    names = [f.attname for f in model._meta.concrete_fields if not f.primary_key and f.attname not in without]
    return list(rows.order_by(*order).values_list(*names))


def facts(listed: RatingList) -> dict:
    """Everything of a list that does not depend on when and by which attempt it was made."""
    body = [
        _rows(ListRow, listed.rows, order=("player_id",), without=("rating_list_id",)),
        _rows(EventResult, listed.events, order=("tournament_id", "part"), without=("rating_list_id",)),
        _rows(
            PlayerResult,
            PlayerResult.objects.filter(event__rating_list=listed),
            order=("event__tournament_id", "event__part", "player_id"),
            without=("event_id",),
        ),
        _rows(
            PooledSample,
            listed.samples,
            order=("player_id", "list_date", "event"),
            without=("rating_list_id",),
        ),
    ]
    text = json.dumps(body, cls=DjangoJSONEncoder, sort_keys=True)
    return {
        "sha256": listed.sha256,
        "input": listed.input_sha256,
        "rows": len(body[0]),
        "events": len(body[1]),
        "contents": hashlib.sha256(text.encode()).hexdigest(),
        "files": {file.name: (file.sha256, file.size) for file in listed.files.all()},
    }


def undisturbed() -> dict[int, dict]:
    """Compute and publish every period of the database; the facts of each list, by period."""
    expected = {}
    for period in Period.objects.exclude(lists__state="published").order_by("list_date", "system"):
        for kind in (Job.Kind.COMPUTE, Job.Kind.PUBLISH):
            job = jobs.request(kind, period, ring_workers=False)[0]
            services.run_job(job.pk)
            job.refresh_from_db()
            hold(job.state == "done", f"undisturbed, {job}: {job.message}")
        expected[period.pk] = facts(period.lists.get())
    return expected


def check(
    expected: dict[int, dict], done: Iterable[Period], base: int, *, further: int = 0, refusals: str = ""
) -> None:
    """Raises Broken. ``done`` must be published now; ``base`` publications were there before; ``further``
    are corrections and changes of the key; ``refusals`` is what a failed job may say."""
    done = list(done)
    for period in done:
        published = list(period.lists.filter(correction=None))
        hold([one.state for one in published] == ["published"], f"{period}: lists {published}")
        found = facts(published[0])
        for name, value in expected[period.pk].items():
            hold(found[name] == value, f"{period}: {name} is {found[name]}, undisturbed it is {value}")
        _counted_once(published[0])
    _files_whole()
    firsts = RatingList.objects.filter(state="published", correction=None, period__in=expected)
    _chain(base, firsts.count() + further)
    open_jobs = Job.objects.filter(state__in=["queued", "running"], period__in=done)
    hold(not open_jobs.exists(), f"jobs left open: {list(open_jobs)}")
    for job in Job.objects.filter(state="failed"):
        hold(refusals and re.search(refusals, job.message), f"{job} failed: {job.message}")
    published = Job.objects.filter(kind="publish", state="done", period__in=done)
    once = Counter(published.values_list("period", flat=True))
    hold(once == Counter(period.pk for period in done), f"publishing jobs that were done: {once}")


def _counted_once(listed: RatingList) -> None:
    counted = [e["tournament"] for e in listed.report["events"] if e["outcome"] == "counted"]
    states = set(Tournament.objects.filter(pk__in=counted).values_list("state", flat=True))
    hold(states <= {"counted"}, f"{listed}: tournaments {states}")
    first = {"rating_list__state": "published", "rating_list__revision": 1}
    lists = EventResult.objects.filter(tournament__in=counted, part=1, **first)
    times = Counter(lists.values_list("tournament", flat=True))
    hold(all(times[pk] == 1 for pk in counted), f"{listed}: tournaments counted {times}")
    acts = AuditEntry.objects.filter(act="list.published", subject=f"ratinglists.ratinglist:{listed.pk}")
    hold(acts.count() == 1, f"{listed}: {acts.count()} audit entries of its publication")


def _files_whole() -> None:
    for file in ListFile.objects.all():
        hold(archive.is_whole(file.sha256), f"{file} is torn or lost")
        hold(archive.path_of(file.sha256).stat().st_size == file.size, f"{file} has another size")
    for path in Path(settings.PORTAL_ARCHIVE).glob("??/*"):
        digest = path.parent.name + path.name.removesuffix(".gz")
        hold(archive.is_whole(digest), f"a torn file in the archive: {path}")


def _chain(base: int, added: int) -> None:
    links = list(Publication.objects.order_by("number"))
    numbers = [link.number for link in links]
    hold(numbers == list(range(1, base + added + 1)), f"publications {numbers}, expected {base + added}")
    in_force = None
    for before, link in pairwise(links):
        if link.number <= base:
            continue
        hold(link.previous_id == before.number, f"publication {link.number} follows {link.previous_id}")
        hold(archive.is_whole(link.manifest_sha256), f"the manifest of publication {link.number} is torn")
        with archive.open_file(link.manifest_sha256) as file:
            body = file.read()
        manifest = form.parse(body)
        signed = form.is_signed(body, bytes.fromhex(link.signature), manifest["key"])
        hold(
            signed and manifest["key"] == (in_force or manifest["key"]), f"{link} is not signed as it should"
        )
        in_force = manifest["next_key"] or manifest["key"]
        hold(manifest["number"] == link.number, f"manifest {manifest['number']} in {link}")
        hold(manifest["previous"] == before.manifest_sha256, f"{link} does not name the manifest before it")
        named = sorted((each["system"], each["list_date"], each["sha256"]) for each in manifest["lists"])
        there = sorted(
            (each.period.system_id, each.list_date.isoformat(), each.sha256) for each in link.lists.all()
        )
        hold(named == there, f"the manifest of {link} names {named}, published are {there}")


def look(expected: dict[int, dict], base: int, turn: int) -> int:
    """What a visitor may see at any moment: whole lists only. Looks into one of the new lists, returns
    how many there are."""
    lists = RatingList.objects.filter(
        state="published", revision=1, publication__number__gt=base, period__in=expected
    )
    keys = list(lists.order_by("-publication").values_list("pk", flat=True))
    if keys:
        # The newest one every other time.
        listed = lists.get(pk=keys[0 if turn % 2 else turn // 2 % len(keys)])
        found = facts(listed)
        hold(found == expected[listed.period_id], f"a visitor saw a mixture of {listed}: {found}")
        _counted_once(listed)
    return len(keys)
