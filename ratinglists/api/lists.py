"""Lists: the systems, the archive, one list and its rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Field, Query, Router, Schema

from players.models import TITLES
from players.privacy import policy
from ratinglists import facts, listing, privacy
from ratinglists.api import cursors
from ratinglists.api.answers import MISSING, answers
from ratinglists.api.door import unless_known
from ratinglists.api.players import Federation
from ratinglists.api.players import System as SystemCode
from ratinglists.api.problems import Fault
from ratinglists.api.shapes import (
    Code,
    Cursor,
    Day,
    Finding,
    Limit,
    Revision,
    figures_of,
    finding_of,
    system_of,
    words,
)
from ratinglists.api.shapes import System as SystemShape
from ratinglists.models import ListRow, RatingList

router = Router(tags=["Lists"])
systems_router = Router(tags=["Lists"])
Status = Literal["active", "inactive", "rated", "provisional", "delisted", "titled-unrated", "unrated"]
Points = Annotated[int | None, Query(ge=0, le=4000, description="Rating, whole points.")]
Born = Annotated[int | None, Query(ge=1850, le=2199, description="Year of birth.")]
_RATED = ("active", "inactive", "rated", "provisional")


class ListName(Schema):
    system: str
    list_date: date
    revision: int
    sha256: str = Field(description="Of the canonical list.")
    published_at: datetime
    regulation: str


class Lists(Schema):
    items: list[ListName]
    next: str | None


class SystemWithList(SystemShape):
    latest: ListName | None = Field(description="The newest list that holds.")


class Systems(Schema):
    items: list[SystemWithList]


class Handled(Schema):
    """A tournament that the computation looked at."""

    tournament: int
    name: str
    outcome: str = Field(description="counted, deferred or refused")
    reason: str
    findings: list[Finding]


class ListFile(Schema):
    name: str
    sha256: str
    url: str


class ListDetails(ListName):
    input_sha256: str = Field(description="Of everything that the computation read.")
    opening: bool = Field(description="Brought in from elsewhere, not computed here.")
    previous: date | None = Field(description="Date of the list before.")
    closes_on: date
    one_person: bool = Field(description="Published without a second person's approval.")
    publication: int | None
    correction: str = Field(description="Why this revision was made; empty for the first.")
    replaced_by: int | None = Field(description="The revision that holds, where this one does not.")
    events: list[Handled]
    files: list[ListFile]


class Row(Schema):
    """A player on the list, as printed."""

    player: int
    name: str
    federation: str
    title: str
    women_title: str
    sex: str = Field(description="f, m or empty")
    birth_year: int | None
    fide_id: str
    national_id: str
    rating: int | None
    printed: str
    status: str
    k: int | None = Field(description="For events that start under this list.")
    games: int
    change: str | None


class Rows(Schema):
    system: str
    list_date: date
    revision: int
    sha256: str
    items: list[Row]
    next: str | None


def named(listed: RatingList) -> dict:
    return {
        "system": listed.period.system_id,
        "list_date": listed.list_date,
        "revision": listed.revision,
        "sha256": listed.sha256,
        "published_at": listed.published_at,
        "regulation": listed.regulation,
    }


def list_or_fault(system: str, day: date, revision: int | None = None) -> RatingList:
    found = listing.find_list(system, day, revision=revision)
    if found is None:
        which = f" in revision {revision}" if revision else ""
        detail = f"No list of “{system}” of {day}{which} is published."
        raise Fault(404, detail, f"/api/v1/lists?system={system} has the dates.")
    return found


@systems_router.get("", response=answers(Systems), operation_id="systems", summary="Rating systems")
def systems(request: HttpRequest):
    """Every system with its newest list."""
    return {
        "items": [
            system_of(system) | {"latest": None if newest is None else named(newest)}
            for system, newest in listing.latest_lists()
        ]
    }


@router.get("", response=answers(Lists), operation_id="lists", summary="Archive of lists")
def lists(request: HttpRequest, system: SystemCode = "", limit: Limit = 50, cursor: Cursor = ""):
    """Every list that holds, newest first; of one system or of all."""
    rows = listing.standing()
    rows = rows.filter(period__system=system) if system else rows
    order = ("-period__list_date", "period__system_id", "id")
    shown, following = cursors.page(request, rows, order, limit, cursors.read(request, cursor))
    return {"items": [named(each) for each in shown], "next": following}


@router.get(
    "/{system}/{day}", response=answers(ListDetails, MISSING), operation_id="list", summary="One list"
)
def rating_list(request: HttpRequest, system: Code, day: Day, revision: Revision = None):
    """What a list counted, deferred and refused, its files and its proof."""
    listed = list_or_fault(system, day, revision)
    standing = listing.replacing(listed)
    handled = [each for group in facts.of(listed).handled.values() for each in group]
    return named(listed) | {
        "input_sha256": listed.input_sha256,
        "opening": listed.is_opening,
        "previous": listed.previous and listed.previous.list_date,
        "closes_on": listed.period.closes_on,
        "one_person": listed.one_person,
        "publication": listed.publication_id,
        "correction": listed.correction.reason if listed.correction else "",
        "replaced_by": standing and standing.revision,
        "events": [
            {
                "tournament": each.tournament,
                "name": each.name,
                "outcome": each.outcome,
                "reason": each.reason,
                "findings": [finding_of(found) for found in each.findings],
            }
            for each in handled
        ],
        "files": [
            {"name": file.name, "sha256": file.sha256, "url": _address(listed, file)}
            for file in listed.files.order_by("name")
        ],
    }


def _address(listed: RatingList, file) -> str:
    return reverse("list-file", args=[listed.period.system_id, listed.list_date, file.sha256, file.name])


@router.get(
    "/{system}/{day}/rows",
    response=answers(Rows, MISSING),
    operation_id="list_rows",
    summary="A list's players",
)
def rows(
    request: HttpRequest,
    response: HttpResponse,
    system: Code,
    day: Day,
    revision: Revision = None,
    q: str = words("Words of the name, or a number."),
    federation: Federation = "",
    sex: Annotated[str, Query(pattern="^(f|m)?$", description="f or m")] = "",
    title: Annotated[Literal["", "any", *TITLES], Query(description="A title, or any.")] = "",
    status: Annotated[Status, Query(description="Whom to show.")] = "active",
    rating_from: Points = None,
    rating_to: Points = None,
    born_from: Born = None,
    born_to: Born = None,
    order: Annotated[Literal["rating", "name"], Query(description="rating: the strongest first")] = "rating",
    limit: Annotated[int, Query(ge=1, le=1000, description="How many at most.")] = 100,
    cursor: Cursor = "",
):
    """The players of a list, filtered. A cursor stays with the revision that its first page was of."""
    after = cursors.read(request, cursor)
    if after is not None:
        revision, *after = after
    listed = list_or_fault(system, day, revision)
    if not q:  # a name is looked up in the register, which changes; all else stands on the list
        response.headers["ETag"] = unless_known(request, listed.sha256, listed.revision, policy().mark)
    choice = listing.Choice(
        text=q,
        federation=federation,
        sex=sex,
        title=title,
        status=status,
        rating_from=rating_from,
        rating_to=rating_to,
        born_from=born_from,
        born_to=born_to,
    )
    fields = ("shown_name", "id")
    if order == "rating" and status in _RATED:
        fields = ("-rating", *fields)
    found = listing.chosen_rows(listed, replace(choice, order="name"))
    shown, following = cursors.page(request, found, fields, limit, after, before=[listed.revision])
    rules = listing.regulation_of(listed)
    return {
        "system": system,
        "list_date": day,
        "revision": listed.revision,
        "sha256": listed.sha256,
        "items": [_row(row, rules) for row in privacy.mask(shown)],
        "next": following,
    }


def _row(row: ListRow, rules) -> dict:
    return {
        "player": row.player_id,
        "name": row.name,
        "federation": row.federation,
        "title": row.title,
        "women_title": row.women_title,
        "sex": row.sex,
        "birth_year": row.birth_year,
        "fide_id": row.fide_id,
        "national_id": row.national_id,
    } | figures_of(row, rules)
