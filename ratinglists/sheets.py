"""A player on one revision of a list: each event that it counted, and how it summed them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F

from players.models import Player
from players.privacy import public_birth_year
from ratinglists.calculations import Calculation, of_results
from ratinglists.explaining import explain_rows
from ratinglists.listing import regulation_of, replacing
from ratinglists.models import ListRow, PlayerResult, RatingList
from ratinglists.steps import Line, explain
from regulations.base import Regulation


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a published revision of a list says of a player. ``replaced_by``: the one that stands now."""

    listed: RatingList
    parts: list[Calculation]
    row: ListRow | None
    before: ListRow | None
    list_steps: list[Line]
    list_rules: Regulation | None
    replaced_by: RatingList | None

    @property
    def shares(self) -> list[PlayerResult]:
        return self.parts[0].shares if self.parts else []


def sheet(player: Player, listed: RatingList) -> Sheet | None:
    """The sheet of a player; None where the list does not know him."""
    own = player.records
    parts = of_results(player, PlayerResult.objects.filter(player__in=own, event__rating_list=listed))
    if parts:
        row, before, steps = parts[0].row, parts[0].before, parts[0].list_steps
    else:
        rows = ListRow.objects.filter(player__in=own, rating_list__in=[listed.pk, listed.previous_id or 0])
        rows = rows.select_related("rating_list__period__system", "rating_list__previous")
        rows = rows.defer("rating_list__previous__report")
        found = {each.rating_list_id: each for each in rows.order_by(F("rating").asc(nulls_first=True), "pk")}
        row, before = found.get(listed.pk), found.get(listed.previous_id)
        if row is None:
            return None
        explain_rows([row])
        steps = explain(row.steps, {}, born=public_birth_year(player) is not None)
    return Sheet(listed, parts, row, before, steps, regulation_of(listed), replacing(listed))
