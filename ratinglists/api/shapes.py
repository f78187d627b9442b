"""What answers are made of. Figures that may have a fraction are exact decimals written as text."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

from ninja import Field, Path, Query, Schema

from players.models import Player
from ratinglists.models import ListRow
from ratinglists.presentation import printed_rating
from regulations.base import Regulation
from regulations.exact import show

#: text without the characters that regulations.characters forbids
PLAIN = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]*$"
Number = Annotated[int, Path(ge=1, le=2**63 - 1, description="Number in this portal.")]
Code = Annotated[str, Path(pattern=r"^[-a-zA-Z0-9_]{1,50}$", description="Code of a rating system.")]
Day = Annotated[date, Path(description="Date of the list.", examples=["2022-04-01"])]
Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]
Cursor = Annotated[
    str,
    Query(
        max_length=1000, pattern=PLAIN, description="The “next” of the page before; empty: the first page."
    ),
]
Revision = Annotated[
    int | None,
    Query(
        ge=1,
        le=32_767,
        description="A revision of the list as it was published; without it the one that holds.",
    ),
]
Year = Annotated[int | None, Query(ge=1900, le=2200, description="In which it began.")]


def words(what: str, longest: int = 100) -> Any:
    """A parameter of free text."""
    return Query("", max_length=longest, pattern=PLAIN, description=what)


def exact(value: Decimal | Fraction | int | str | None) -> str | None:
    """An exact figure as text."""
    return None if value is None else show(Fraction(str(value)))


class System(Schema):
    code: str
    name: str
    rate: str = Field(description="standard, rapid, blitz or postal")
    federation: str | None = Field(description="Whose list it is; null: of nobody in particular.")


class PlayerRef(Schema):
    id: int = Field(description="Number in this portal.")
    name: str = Field(description="Family name, Given name.")


class PlayerName(PlayerRef):
    federation: str
    title: str = Field(description="The highest title, or empty.")


class Rating(Schema):
    """A player's rating, and on which revision of which list it stands."""

    system: str
    list_date: date
    revision: int
    rating: int | None = Field(description="null: unrated")
    printed: str = Field(description="As the list prints it; empty for an unrated player.")
    status: str = Field(description="active, inactive, delisted, unrated, titled-unrated or provisional")
    k: int | None = Field(description="For events that start under this list.")
    games: int = Field(description="Counted in the period.")
    change: str | None = Field(description="Of the period, before rounding to the list.")


class Finding(Schema):
    """What a regulation says against an event."""

    severity: str = Field(description="error: not rated as it stands; warning")
    code: str
    article: str
    message: str
    waivable: bool = Field(description="Can the federation waive it?")


class Step(Schema):
    """A step of a calculation."""

    article: str
    label: str
    value: str
    text: str = Field(description="The sum written out, with names.")


class CatalogEntry(Schema, extra="allow"):
    """A regulation."""

    code: str
    title: str
    effective_from: date
    effective_until: date | None
    rates: list[str]
    parameters: dict[str, Any] = Field(description="Each with value, article and meaning.")


def system_of(system) -> dict:
    return {
        "code": system.code, "name": system.name, "rate": system.rate, "federation": system.federation_id,
    }  # fmt: skip


def ref_of(player: Player) -> dict:
    return {"id": player.pk, "name": player.name}


def player_of(player: Player) -> dict:
    return ref_of(player) | {"federation": player.federation_id, "title": player.title}


def printed(rating: int | None, rules: Regulation | None) -> str:
    return printed_rating(rating, rules, unrated="")


def figures_of(row: ListRow, rules: Regulation | None) -> dict:
    """What a list says of a player's rating."""
    return {
        "rating": row.rating,
        "printed": printed(row.rating, rules),
        "status": row.status,
        "k": row.k_next,
        "games": row.games,
        "change": exact(row.change),
    }


def rating_of(row: ListRow, rules: Regulation | None) -> dict:
    listed = row.rating_list
    return {
        "system": listed.period.system_id,
        "list_date": listed.list_date,
        "revision": listed.revision,
    } | figures_of(row, rules)


def finding_of(found: dict) -> dict:
    told = {name: found.get(name, "") for name in ("severity", "code", "article", "message")}
    return told | {"waivable": bool(found.get("waivable"))}


def step_of(line) -> dict:
    return {name: getattr(line, name) for name in ("article", "label", "value", "text")}
