"""An event under other regulations: what the staff's page of comparison shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms

from players.models import Player
from regulations import registry
from regulations.base import Regulation
from regulations.compare import PlayerComparison, compare
from regulations.exact import show
from regulations.model import EventResult, PlayerResult
from tournaments.exact import signed
from tournaments.models import Tournament
from tournaments.queries import stored_event_parts


class CompareForm(forms.Form):
    """Two regulations."""

    first = forms.ChoiceField()
    second = forms.ChoiceField(label="Beside it")

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each.code, each.title) for each in registry.all_regulations()]
        self.fields["first"].choices = self.fields["second"].choices = choices
        self.helper = FormHelper()
        self.helper.form_method = "get"
        self.helper.disable_csrf = True
        self.helper.add_input(Submit("", "Compare"))

    def clean(self) -> dict:
        given = super().clean()
        if given.get("first") and given.get("first") == given.get("second"):
            self.add_error("second", "Choose two different regulations.")
        return given


@dataclass(frozen=True, slots=True)
class Side:
    """What one regulation makes of one player."""

    result: PlayerResult
    figure: Fraction | None

    @property
    def shown(self) -> str:
        """A change with its sign, or the performance that is kept."""
        if self.figure is None:
            return "–"
        return signed(self.figure) if self.result.status == "rated" else show(self.figure)

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
class Part:
    """One event, or a part of a long league, under each regulation."""

    results: tuple[tuple[Regulation, EventResult], ...]
    lines: tuple[Line, ...]

    @property
    def different(self) -> int:
        return sum(not line.same for line in self.lines)


def other_regulation(tournament: Tournament) -> Regulation | None:
    """What to put beside the tournament's own: one that rates the same kind of chess, else any other."""
    own = tournament.regulation
    others = [each for each in registry.all_regulations() if own is None or each.code != own.code]
    same_kind = [each for each in others if tournament.rating_system.rate in each.rates]
    return next(iter((*same_kind, *others)), None)


def parts(tournament: Tournament, regulations: Sequence[Regulation]) -> list[Part]:
    """The stored games under each regulation, with the ratings that the tournament's own one uses."""
    people = {str(entry.player_id): entry.player for entry in tournament.entries.select_related("player")}
    found = []
    for part in stored_event_parts(tournament):
        comparison = compare(regulations, part.event)
        ratings = {player.id: player.rating for player in part.event.players}
        lines = [_line(each, people[each.id], ratings[each.id]) for each in comparison.players]
        lines.sort(key=lambda line: (line.rating == "unrated", line.player.name, line.player.pk))
        found.append(Part(tuple(zip(comparison.regulations, comparison.results, strict=True)), tuple(lines)))
    return found


def _line(each: PlayerComparison, player: Player, rating: int | None) -> Line:
    difference = each.differences[0]
    return Line(
        player,
        "unrated" if rating is None else str(rating),
        tuple(Side(result, figure) for result, figure in zip(each.results, each.figures, strict=True)),
        "" if difference is None else signed(difference),
        each.same,
    )
