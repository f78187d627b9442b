"""Federations."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Field, Path, Router, Schema

from players.models import Federation
from ratinglists.api.answers import MISSING, answers
from ratinglists.api.problems import Fault
from ratinglists.api.shapes import System, system_of
from tournaments.models import RatingSystem

router = Router(tags=["Federations"])


class FederationName(Schema):
    code: str
    name: str


class Federations(Schema):
    items: list[FederationName]


class FederationDetails(FederationName):
    systems: list[System] = Field(description="The lists that it keeps.")


@router.get("", response=answers(Federations), operation_id="federations", summary="Federations")
def federations(request: HttpRequest):
    """Every federation that the register knows, by code."""
    return {"items": [{"code": each.code, "name": each.name} for each in Federation.objects.all()]}


@router.get(
    "/{code}",
    response=answers(FederationDetails, MISSING),
    operation_id="federation",
    summary="One federation",
)
def federation(
    request: HttpRequest, code: Annotated[str, Path(pattern="^[A-Z]{3}$", description="Its code, as in ESP.")]
):
    """A federation and the lists that it keeps. Its players: /api/v1/players?federation=…"""
    found = Federation.objects.filter(pk=code).first()
    if found is None:
        raise Fault(404, f"There is no federation {code}.", "/api/v1/federations has all of them.")
    systems = RatingSystem.objects.filter(federation=found).order_by("code")
    return {"code": found.code, "name": found.name, "systems": [system_of(each) for each in systems]}
