"""Ratings that FIDE's imported lists gave to players, for those that no list of the portal rates."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from players.listformats.model import ListRating
from players.models import FideListing, Player


def fide_ratings(players: Iterable[Player], rate: str, day: date) -> dict[int, ListRating]:
    """By player, the rating of a kind ("standard", "rapid", "blitz") in force on a day.

    It is that of the latest list up to the day that says something of this kind; a player whom no
    list names is left out, and a ``rating`` of None is unrated.
    """
    listings = FideListing.objects.filter(
        player__in=players, list_date__lte=day, **{f"{rate}__isnull": False}
    ).order_by("list_date")
    return {listing.player_id: listing.rating_of(rate) for listing in listings}
