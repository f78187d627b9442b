"""Filters and tags of the public pages."""

from __future__ import annotations

from django import template
from django.template.context import RequestContext

from ratinglists import presentation
from ratinglists.listing import DESCENDING, Choice
from regulations.base import Regulation
from tournaments.exact import exact, signed

register = template.Library()
register.filter("exact", exact)
register.filter("signed", signed)
register.filter("regulation_title", presentation.regulation_title)


@register.filter
def printed_rating(rating: int | None, rules: Regulation | None) -> str:
    """A rating as the list's regulation prints it; a dash for an unrated player."""
    if rating is None:
        return "–"
    return rules.printed_rating(rating) if rules else str(rating)


@register.filter
def tone(value: object) -> str:
    """The class that colours a change."""
    text = signed(value)
    return {"+": "gain", "-": "loss"}.get(text[:1], "")


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
