"""How a player's result in an event was computed, every step with its article."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest
from ninja import Field, Router, Schema

from ratinglists import calculations
from ratinglists.api.players import of_player, player_or_fault
from ratinglists.api.problems import Fault
from ratinglists.api.shapes import (
    Finding,
    Number,
    PlayerRef,
    Rating,
    Revision,
    Step,
    exact,
    finding_of,
    printed,
    rating_of,
    ref_of,
    step_of,
)
from tournaments.exact import MINUS

router = Router(tags=["Calculations"])


class CountedGame(Schema):
    """A game that counts. Empty figures: the regulation works on averages."""

    round: int
    opponent: PlayerRef | None
    colour: str
    score: str
    rating: str = Field(description="With which the opponent counted.")
    difference: str = Field(description="D: own rating minus the opponent's.")
    expected: str = Field(description="PD")
    gain: str = Field(description="Score minus PD.")
    article: str


class UncountedGame(Schema):
    round: int
    opponent: PlayerRef | None
    article: str
    reason: str


class Share(Schema):
    """An event of the same period."""

    tournament: int
    name: str
    part: int
    games: int
    score: str
    change: str | None
    performance: str | None


class OnList(Rating):
    before: int | None = Field(description="The rating on the list before.")
    shares: list[Share] = Field(description="All events that the list summed up for the player.")
    steps: list[Step]


class Part(Schema):
    """The event, or a part of it, as one list counted it."""

    system: str
    list_date: date
    revision: int
    part: int
    regulation: str
    treated_as: str
    ratings_from: date | None
    average: str = Field(description="Ra, the average of a round robin; empty for others.")
    findings: list[Finding]
    status: str = Field(description="rated or unrated")
    rating: int | None = Field(description="In force when the event started.")
    printed: str
    games: int
    score: str
    rc: str | None
    expected: str | None
    k: int | None
    change: str | None
    list_change: str | None = Field(description="Its part of the list's change, where K goes by the period.")
    performance: str | None
    pooled: bool | None = Field(description="Is the performance kept towards a first rating?")
    counted: list[CountedGame]
    uncounted: list[UncountedGame]
    steps: list[Step]
    on_list: OnList | None


class Calculation(Schema):
    player: PlayerRef
    tournament: int
    tournament_name: str
    parts: list[Part]


@router.get(
    "/{player}/calculations/{tournament}",
    response=of_player(Calculation),
    operation_id="calculation",
    summary="How a result was computed",
)
def calculation(request: HttpRequest, player: Number, tournament: Number, revision: Revision = None):
    """Each game with its figures, those that do not count with the reason, every step with its article, and
    how the list summed and rounded. Lists that hold; or, with a revision, as that one had it."""
    person = player_or_fault(player)
    parts = calculations.calculations(person, tournament, revision=revision)
    if not parts:
        detail = f"No published list has a result of player {person.pk} in tournament {tournament}."
        raise Fault(404, detail, f"/api/v1/players/{person.pk}/events has those that are.")
    return {
        "player": ref_of(person),
        "tournament": tournament,
        "tournament_name": parts[0].event.tournament.name,
        "parts": [_part(part) for part in parts],
    }


def _part(part: calculations.Calculation) -> dict:
    result, event, listed = part.result, part.event, part.listed
    figures = ("score", "rc", "expected", "change", "list_change", "performance")
    return {
        "system": listed.period.system_id,
        "list_date": listed.list_date,
        "revision": listed.revision,
        **{name: getattr(event, name) for name in ("part", "regulation", "treated_as", "ratings_from")},
        "average": event.ra,
        "findings": [finding_of(found) for found in event.findings],
        **{name: getattr(result, name) for name in ("status", "rating", "games", "k", "pooled")},
        "printed": printed(result.rating, part.rules),
        **{name: exact(getattr(result, name)) for name in figures},
        "counted": [_counted(game) for game in part.counted],
        "uncounted": [
            {
                "round": game.round,
                "opponent": game.opponent and ref_of(game.opponent),
                "article": game.article,
                "reason": game.reason,
            }
            for game in part.uncounted
        ],
        "steps": [step_of(line) for line in part.steps],
        "on_list": None if part.row is None else _on_list(part),
    }


def _counted(game: calculations.CountedLine) -> dict:
    told = ("score", "rating", "difference", "expected", "gain", "article")
    # A program reads figures; people's minus sign is none of theirs.
    return {name: str(getattr(game, name)).replace(MINUS, "-") for name in told} | {
        "round": game.round,
        "opponent": game.opponent and ref_of(game.opponent),
        "colour": "white" if game.white else "black",
    }


def _on_list(part: calculations.Calculation) -> dict:
    return rating_of(part.row, part.list_rules) | {
        "before": part.before and part.before.rating,
        "shares": [
            {
                "tournament": share.event.tournament_id,
                "name": share.event.tournament.name,
                "part": share.event.part,
                "games": share.games,
                "score": exact(share.score),
                "change": exact(share.change if share.list_change is None else share.list_change),
                "performance": exact(share.performance),
            }
            for share in part.shares
        ],
        "steps": [step_of(line) for line in part.list_steps],
    }
