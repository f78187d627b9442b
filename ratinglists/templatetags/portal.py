"""Filters and tags of the public pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django import template
from django.template.context import RequestContext

from players.languages.texts import figure, said
from players.models import Federation, Player
from ratinglists import addresses, presentation, previews, waiting
from ratinglists import own_requests as own
from ratinglists.listing import DESCENDING, Choice, regulation_of
from ratinglists.models import ListRow, RatingList
from regulations.base import Regulation
from tournaments.exact import MINUS, exact, signed
from tournaments.models import Tournament

register = template.Library()
register.filter("exact", lambda value: figure(exact(value)))
register.filter("signed", lambda value: figure(signed(value)))
register.filter("regulation_title", lambda code: said(presentation.regulation_title(code)))
register.filter("printed_rating", presentation.printed_rating)
register.filter("list_name", presentation.list_name)


@register.filter
def rules(rating_list: RatingList) -> Regulation | None:
    """The regulation of a list, which says how its ratings are printed."""
    return regulation_of(rating_list)


@register.filter
def printed_by(rating: int | None, code: str) -> str:
    """A rating as the regulation of an event prints it; "unrated" for an unrated player."""
    return said(presentation.printed_rating(rating, presentation.rules_of(code), "unrated"))


@register.filter
def tone(value: object) -> str:
    """The class that colours a change: a number, or one that is written with its sign already."""
    text = str(value) if str(value)[:1] in ("+", MINUS) else signed(value)
    return {"+": "gain", MINUS: "loss"}.get(text[:1], "")


@register.inclusion_tag("ratinglists/_sort_header.html", takes_context=True)
def sort_header(context: RequestContext, column: str, label: str, style: str = "") -> dict:
    """A column's header that orders the list, and turns the order when it is in use already."""
    choice: Choice = context["choice"]
    natural = "-" if column in DESCENDING else ""
    used = choice.order == column
    descending = (column in DESCENDING) != choice.turned
    following = (column if descending else f"-{column}") if used else natural + column
    return {
        "request": context["request"],
        "label": label,
        "style": style,
        "sort": ("descending" if descending else "ascending") if used else "",
        "following": following,
    }


def _preview(context: RequestContext, preview: previews.Preview) -> dict:
    return _head(context, replace(preview, title=said(preview.title), description=said(preview.description)))


def _head(context: RequestContext, preview: previews.Preview) -> dict:
    return {"preview": preview, "address": addresses.whole(context["request"], preview.path)}


@register.inclusion_tag("ratinglists/_preview.html", takes_context=True)
def player_preview(context: RequestContext, player: Player, rows: Iterable[ListRow]) -> dict:
    """The head of a player's page for who links to it; ``rows`` as in ``previews.of_player``."""
    return _preview(context, previews.of_player(player, rows))


@register.inclusion_tag("ratinglists/_preview.html", takes_context=True)
def list_preview(context: RequestContext, listed: RatingList) -> dict:
    return _preview(context, previews.of_list(listed, bool(context["request"].GET.get("revision"))))


@register.inclusion_tag("ratinglists/_preview.html", takes_context=True)
def tournament_preview(context: RequestContext, tournament: Tournament) -> dict:
    return _preview(context, previews.of_tournament(tournament))


@register.inclusion_tag("ratinglists/_preview.html", takes_context=True)
def federation_preview(context: RequestContext, federation: Federation) -> dict:
    return _preview(context, previews.of_federation(federation))


@register.inclusion_tag("ratinglists/_preview.html", takes_context=True)
def calculation_preview(context: RequestContext, title: str, description: str) -> dict:
    """The head of a calculation or a sheet, said already: at this address, with its revision."""
    request = context["request"]
    revision = request.GET.get("revision", "")
    path = f"{request.path}?revision={revision}" if revision.isdecimal() else request.path
    return _head(context, previews.Preview(title, description, path, "article"))


@register.simple_tag(takes_context=True)
def lists_waiting(context: RequestContext) -> list[waiting.Step]:
    """The lists and corrections that wait for whoever looks."""
    return waiting.for_user(context["request"].user)


@register.simple_tag(takes_context=True)
def own_requests(context: RequestContext) -> list[own.Asked]:
    """The complaints and the requests for privacy of whoever looks."""
    return own.of_user(context["request"].user)
