"""An event under other regulations: what the staff's page of comparison shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.utils.translation import gettext_lazy as _

from players.languages.texts import said
from players.models import Player
from regulations import registry
from regulations.base import Regulation
from regulations.compare import PlayerComparison, compare
from regulations.exact import show
from regulations.model import EventResult, PlayerResult
from tournaments.exact import signed
from tournaments.models import Tournament
from tournaments.preview import factor_of
from tournaments.queries import EventPart, counted_event_parts


class CompareForm(forms.Form):
    """Two regulations. What the address leaves out is the tournament's own and a fitting other one."""

    first = forms.ChoiceField(label=_("First"))
    second = forms.ChoiceField(label=_("Beside it"))

    def __init__(self, tournament: Tournament, asked: dict[str, str]) -> None:
        given = {name: asked.get(name, "") for name in ("first", "second")}
        own = tournament.regulation
        if not given["first"]:
            taken = own is None or given["second"] == own.code
            first = other_regulation(tournament, given["second"]) if taken else own
            given["first"] = first.code if first else ""
        if not given["second"]:
            second = other_regulation(tournament, given["first"])
            given["second"] = second.code if second else ""
        super().__init__(given)
        choices = [(each.code, said(each.title)) for each in registry.all_regulations()]
        self.fields["first"].choices = self.fields["second"].choices = choices
        self.helper = FormHelper()
        self.helper.form_method = "get"
        self.helper.disable_csrf = True
        self.helper.add_input(Submit("", _("Compare")))

    def clean(self) -> dict:
        given = super().clean()
        if given.get("first") and given.get("first") == given.get("second"):
            self.add_error("second", "Choose two different regulations.")
        return given


@dataclass(frozen=True, slots=True)
class Side:
    """What one regulation makes of one player."""

    regulation: Regulation
    result: PlayerResult
    figure: Fraction | None

    @property
    def shown(self) -> str:
        """A change with its sign, or the performance that is kept."""
        if self.figure is None:
            return "–"
        return signed(self.figure) if self.result.status == "rated" else show(self.figure)

    @property
    def factor(self) -> str:
        """K, or the f of postal chess."""
        return factor_of(self.result)

    @property
    def score(self) -> str:
        return show(self.result.score)

    @property
    def expected(self) -> str:
        return "" if self.result.expected is None else show(self.result.expected)


@dataclass(frozen=True, slots=True)
class Line:
    player: Player
    rating: str
    sides: tuple[Side, ...]
    difference: str
    same: bool


@dataclass(frozen=True, slots=True)
class Applied:
    """A regulation beside what it makes of the event. ``foreign`` names the kinds of chess that it
    rates where the event's is none of them: then it would rate nothing, and its formulas are applied
    for comparison only."""

    regulation: Regulation
    result: EventResult
    foreign: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One event, the part of a long league, or what one list counted of a postal event, under each
    regulation. ``counted_on`` is the date of the list that counted it, ``ratings_from`` of the one
    whose ratings held."""

    counted_on: date | None
    ratings_from: date | None
    applied: tuple[Applied, ...]
    lines: tuple[Line, ...]

    @property
    def different(self) -> int:
        return sum(not line.same for line in self.lines)

    @property
    def left_out(self) -> list[tuple[Player, Side]]:
        """Who has games that do not count, under which regulation."""
        return [(line.player, side) for line in self.lines for side in line.sides if side.result.uncounted]


def other_regulation(tournament: Tournament, besides: str) -> Regulation | None:
    """What to put beside a regulation: one that rates the tournament's kind of chess, else any other."""
    own, rate = tournament.regulation, tournament.rating_system.rate
    others = [each for each in registry.all_regulations() if each.code != besides]
    return min(
        others,
        key=lambda each: (rate not in each.rates, own is None or each.code != own.code),
        default=None,
    )


def parts(tournament: Tournament, regulations: Sequence[Regulation]) -> list[Part]:
    """The stored games under each regulation, as each list counted them: with the ratings that its own
    regulation used then. What no list has counted yet takes those that a list would use now."""
    people = {str(entry.player_id): entry.player for entry in tournament.entries.select_related("player")}
    found = [(day, part) for day, group in counted_event_parts(tournament) for part in group]
    return [_part(day, part, regulations, people, whole=len(found) == 1) for day, part in found]


def _part(
    counted_on: date | None,
    part: EventPart,
    regulations: Sequence[Regulation],
    people: dict[str, Player],
    *,
    whole: bool,
) -> Part:
    # A text that rates another kind of chess is asked for its formulas, whatever it says of the kind.
    comparison = compare(regulations, replace(part.event, rate=None))
    ratings = {player.id: player.rating for player in part.event.players}
    playing = {player for game in part.event.games for player in (game.white, game.black)}
    lines = [
        _line(regulations, each, people[each.id], ratings[each.id])
        for each in comparison.players
        if whole or each.id in playing
    ]
    lines.sort(key=lambda line: (line.rating == "unrated", line.player.name, line.player.pk))
    applied = tuple(
        Applied(each, result, "" if part.event.rate in each.rates else " and ".join(each.rates))
        for each, result in zip(comparison.regulations, comparison.results, strict=True)
    )
    return Part(counted_on, part.list_date, applied, tuple(lines))


def _line(
    regulations: Sequence[Regulation], each: PlayerComparison, player: Player, rating: int | None
) -> Line:
    difference = each.differences[0]
    return Line(
        player,
        "unrated" if rating is None else str(rating),
        tuple(
            Side(regulation, result, figure)
            for regulation, result, figure in zip(regulations, each.results, each.figures, strict=True)
        ),
        "" if difference is None else signed(difference),
        each.same,
    )
