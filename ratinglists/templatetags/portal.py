"""Filters and tags of the public pages."""

from __future__ import annotations

from django import template
from django.template.context import RequestContext

from players.languages.texts import figure, said
from ratinglists import presentation
from ratinglists.listing import DESCENDING, Choice, regulation_of
from ratinglists.models import RatingList
from regulations.base import Regulation
from tournaments.exact import MINUS, exact, signed

register = template.Library()
register.filter("exact", lambda value: figure(exact(value)))
register.filter("signed", lambda value: figure(signed(value)))
register.filter("regulation_title", lambda code: said(presentation.regulation_title(code)))
register.filter("printed_rating", presentation.printed_rating)


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
    """The class that colours a change."""
    text = signed(value)
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
