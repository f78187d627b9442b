"""The register as a list of players, with ratings of published lists or of FIDE's: read in a stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db.models import Prefetch

from players.access import for_user
from players.listformats.model import RATES, ListedPlayer, ListRating
from players.models import TITLES, FideListing, Identifier, Player
from players.queries import standing
from ratinglists.models import ListRow, RatingList

FIDE = "FIDE"
#: instead of a list: what FIDE's imported lists said last
AS_FIDE = "fide"
CHUNK = 2000


def exported(user, federation: str = ""):
    """The players whom an account's export holds: those of its federations with a FIDE number, by which a
    list finds them again."""
    players = for_user(standing(), user).filter(
        pk__in=Identifier.objects.filter(issuer=FIDE).values("player")
    )
    return players.filter(federation=federation) if federation else players


def register_rows(
    user, sources: Mapping[str, RatingList | str | None], federation: str = ""
) -> Iterator[ListedPlayer]:
    """An account's export by name. ``sources`` has for each kind of rating a list, AS_FIDE or None.

    Titles that the register does not know, other titles and the flag are those of FIDE's latest
    list; a chosen list of standard chess says itself who is inactive.
    """
    chosen = {rate: source for rate, source in sources.items() if isinstance(source, RatingList)}
    rows = ListRow.objects.filter(rating_list__in=chosen.values())
    rows = rows.only("player", "rating_list", "rating", "games", "k_next", "status")
    printed = Prefetch("list_rows", rows, to_attr="chosen_rows")
    players = (
        exported(user, federation)
        .order_by("name", "id")
        .prefetch_related(
            "titles",
            "identifiers",
            Prefetch("fide_listings", FideListing.objects.order_by("list_date")),
            printed,
            # Lists go on naming a record that was merged.
            Prefetch("merged_records", Player.objects.prefetch_related(printed)),
        )
    )
    for player in players.iterator(chunk_size=CHUNK):
        yield _row(player, sources, chosen)


def _row(player: Player, sources: Mapping, chosen: Mapping[str, RatingList]) -> ListedPlayer:
    listings = list(player.fide_listings.all())
    latest = listings[-1] if listings else FideListing()
    rows = [row for record in (player, *player.merged_records.all()) for row in record.chosen_rows]
    by_list = {row.rating_list_id: row for row in sorted(rows, key=lambda row: row.rating is not None)}
    ratings, active = {}, latest.active is not False
    for rate in RATES:
        ratings[rate] = ListRating(None, 0, None)
        if rate in chosen:
            row = by_list.get(chosen[rate].pk)
            if row is not None:
                ratings[rate] = ListRating(row.rating, row.games, row.k_next)
                if rate == "standard":
                    active = row.status != ListRow.Status.INACTIVE
        elif sources.get(rate) == AS_FIDE:
            said = [rating for each in listings if (rating := each.rating_of(rate)) is not None]
            ratings[rate] = said[-1] if said else ratings[rate]
    return ListedPlayer(
        line=0,
        number=player.fide_id,
        name=player.name,
        federation=player.federation_id,
        sex=player.sex,
        title=player.title or _unknown(latest.title),
        women_title=player.women_title or _unknown(latest.women_title),
        other_titles=latest.other_titles,
        foa_title=latest.foa_title,
        birth_year=player.birth_year,
        active=active,
        **ratings,
    )


def _unknown(title: str) -> str:
    """A title as FIDE wrote it, unless the register would hold it itself."""
    return "" if title in TITLES else title
