"""Revisions of a list, and what one changed player by player."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Schema

from players.privacy import policy
from ratinglists import revisions
from ratinglists.api import cursors
from ratinglists.api.answers import MISSING, answers
from ratinglists.api.door import unless_known
from ratinglists.api.lists import ListName, list_or_fault, named
from ratinglists.api.problems import Fault
from ratinglists.api.shapes import Code, Cursor, Day, printed
from ratinglists.differences import Difference
from ratinglists.listing import regulation_of

router = Router(tags=["Revisions"])


class Correction(Schema):
    tournament: int | None
    name: str
    reason: str


class RevisionOfList(ListName):
    reason: str = Field(description="Why it was made; empty for the first publication.")
    corrections: list[Correction] = Field(description="What of the correction concerns this list.")
    holds: bool = Field(description="Is it the one that holds now?")


class Revisions(Schema):
    items: list[RevisionOfList]


class Side(Schema):
    """The player on one of the two revisions."""

    name: str
    federation: str
    title: str
    status: str
    rating: int | None
    printed: str


class Change(Schema):
    player: int
    kinds: list[str] = Field(description="new, gone, rating, title, federation, name, status")
    points: int | None = Field(description="By how much the rating changed.")
    before: Side | None
    after: Side | None


class Changes(Schema):
    system: str
    before: ListName
    after: ListName
    items: list[Change]
    next: str | None


@router.get(
    "/{system}/{day}/revisions",
    response=answers(Revisions, MISSING),
    operation_id="revisions",
    summary="Revisions",
)
def list_revisions(request: HttpRequest, system: Code, day: Day):
    """Every revision of a list, the first publication first, with the reason of each."""
    found = revisions.of(list_or_fault(system, day))
    return {"items": [_revision(each, holds=each == found[-1]) for each in found]}


def _revision(listed, *, holds: bool) -> dict:
    correction = listed.correction
    return named(listed) | {
        "reason": correction.reason if correction else "",
        "corrections": [
            {
                "tournament": item.tournament_id,
                "name": item.tournament.name if item.tournament else "",
                "reason": item.reason,
            }
            for item in revisions.items_of(correction, listed)
        ],
        "holds": holds,
    }


@router.get(
    "/{system}/{day}/changes",
    response=answers(Changes, MISSING),
    operation_id="changes",
    summary="What a revision changed",
)
def changes(
    request: HttpRequest,
    response: HttpResponse,
    system: Code,
    day: Day,
    before: Annotated[
        int | None, Query(ge=1, le=32_767, description="The earlier revision; without it the one before.")
    ] = None,
    after: Annotated[
        int | None, Query(ge=2, le=32_767, description="The later revision; without it the one that holds.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="How many at most.")] = 100,
    cursor: Cursor = "",
):
    """Who stands otherwise on a later revision of a list, the largest change of a rating first."""
    at = cursors.read(request, cursor)
    if at is not None:
        before, after, *at = at
    new = list_or_fault(system, day, after)
    old = revisions.before(new) if before is None else list_or_fault(system, day, before)
    if old is None or old.revision >= new.revision:
        remedy = f"/api/v1/lists/{system}/{day}/revisions has them; “before” is the earlier one."
        raise Fault(404, "There is no earlier revision of this list.", remedy)
    response.headers["ETag"] = unless_known(request, old.sha256, new.sha256, policy().mark)
    place = at[0] if at else 0
    found = revisions.changed(old, new)
    following = [old.revision, new.revision, place + limit] if len(found) > place + limit else None
    rules = (regulation_of(old), regulation_of(new))
    return {
        "system": system,
        "before": named(old),
        "after": named(new),
        "items": [_change(each, *rules) for each in found[place : place + limit]],
        "next": following and cursors.write(request, following),
    }


def _change(each: Difference, old_rules, new_rules) -> dict:
    return {
        "player": each.row.person,
        "kinds": list(each.kinds),
        "points": each.points,
        "before": _side(each.before, old_rules),
        "after": _side(each.after, new_rules),
    }


def _side(row, rules) -> dict | None:
    if row is None:
        return None
    told = {name: getattr(row, name) for name in ("name", "federation", "title", "status", "rating")}
    return told | {"printed": printed(row.rating, rules)}
