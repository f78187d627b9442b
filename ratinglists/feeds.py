"""What was published, as Atom feeds (RFC 4287): every list and every revision, the newest first."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed, Enclosure
from django.utils.html import escape
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.http import require_safe

from ratinglists import addresses
from ratinglists.conditional import answered
from ratinglists.models import EventResult, RatingList
from tournaments.exact import signed
from tournaments.models import RatingSystem

ENTRIES = 50
AUTHOR = "Rating portal"
#: from which the identifiers of entries are made; never to be changed
_ENTRIES = uuid.UUID("0a1c4c0e-6f0b-4f0e-9d0a-5b5f5d1d7c11")


class PublicationFeed(Atom1Feed):
    """Atom, with a link to what a revision changed, and without the clock where nothing is published."""

    mime_type = "application/atom+xml; charset=utf-8"

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict) -> None:
        super().add_item_elements(handler, item)
        for address, media_type, title in item["related"]:
            handler.addQuickElement(
                "link", "", {"rel": "related", "href": address, "type": media_type, "title": title}
            )

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else datetime(1970, 1, 1, tzinfo=UTC)


def _lists() -> QuerySet:
    """The report of a large list names every event: its figures alone are read, and no rows grouped by it."""
    lists = RatingList.objects.filter(state=RatingList.State.PUBLISHED).defer("report")
    lists = lists.select_related("period__system", "correction", "publication").prefetch_related("files")
    rated = EventResult.objects.filter(rating_list=OuterRef("pk"), part=1, rated=True)
    counted = rated.order_by().values("rating_list").annotate(n=Count("pk")).values("n")
    lists = lists.annotate(counted=Coalesce(Subquery(counted), 0), changed=F("report__changed"))
    return lists.order_by("-published_at", "-pk")


@require_safe
def publications(request: HttpRequest) -> HttpResponse:
    return _feed(request, "Rating lists published", "Every list and every revision.", _lists())


@require_safe
def of_system(request: HttpRequest, system: str) -> HttpResponse:
    found = RatingSystem.objects.filter(code=system).first()
    if found is None:
        raise Http404("No such rating system.")
    title = f"{found.name}: lists published"
    return _feed(
        request, title, f"Every list and revision of {found.name}.", _lists().filter(period__system=found)
    )


@require_safe
def revisions(request: HttpRequest) -> HttpResponse:
    lists = _lists().filter(revision__gt=1)
    return _feed(
        request, "Rating lists revised", "Corrections of published lists, with their reasons.", lists
    )


def _feed(request: HttpRequest, title: str, subtitle: str, lists: QuerySet) -> HttpResponse:
    feed = PublicationFeed(
        title,
        addresses.whole(request, reverse("lists")),
        subtitle,
        language="en",
        author_name=AUTHOR,
        feed_url=addresses.whole(request, request.path),
        feed_guid=addresses.whole(request, request.path),
    )
    for listed in lists[:ENTRIES]:
        feed.add_item(**_entry(request, listed))
    return answered(request, feed.writeString("utf-8").encode(), feed.mime_type)


def identifier(listed: RatingList) -> str:
    """The same for ever and in no other portal: made of the manifest under which a list was published."""
    name = (
        f"{listed.publication.manifest_sha256}/{listed.period.system_id}/{listed.list_date}/{listed.revision}"
    )
    return f"urn:uuid:{uuid.uuid5(_ENTRIES, name)}"


def _entry(request: HttpRequest, listed: RatingList) -> dict:
    where = [listed.period.system_id, listed.list_date]
    page = addresses.whole(request, reverse("list", args=where))
    name = f"{listed.system.name}, list of {listed.list_date.day} {listed.list_date:%B %Y}"
    entry = {
        "title": _plain(name if listed.revision == 1 else f"{name}: revision {listed.revision}"),
        "link": page if listed.revision == 1 else f"{page}?revision={listed.revision}",
        "description": escape(_plain(_summary(listed))),  # the generator marks it as HTML
        "unique_id": identifier(listed),
        "pubdate": listed.published_at,
        "updateddate": listed.published_at,
        "categories": [listed.period.system_id],
        "enclosures": [
            Enclosure(
                addresses.whole(request, reverse("list-file", args=[*where, file.sha256, file.name])),
                str(file.size),
                file.media_type,
            )
            for file in listed.files.all()
        ],
        "related": [],
    }
    if listed.revision > 1:
        query = f"?from={listed.revision - 1}&to={listed.revision}"
        entry["related"] = [
            (addresses.whole(request, reverse(name, args=where)) + query, media_type, title)
            for name, media_type, title in (
                ("list-changes", "text/html", "What changed"),
                ("list-changes-csv", "text/csv", "What changed, as CSV"),
            )
        ]
    return entry


def _summary(listed: RatingList) -> str:
    if listed.is_opening and listed.revision == 1:
        return "The list that the system starts from, brought in from elsewhere."
    if listed.revision == 1:
        return f"{listed.counted} tournament{'' if listed.counted == 1 else 's'} counted."
    reason = listed.correction.reason.rstrip(". ") if listed.correction else "A correction"
    if not listed.changed:
        return f"{reason}."
    players, points = listed.changed["players"], listed.changed.get("largest")
    largest = f", largest change {signed(points)}" if points else ""
    return f"{reason}. {players} player{'' if players == 1 else 's'} changed{largest}."


def _plain(text: str) -> str:
    """Without the characters that XML has no place for."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", " ", text)
