"""The question of a "what if": a list and games, read from the address so that it can be sent on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.languages.texts import said
from players.models import Identifier, Player
from players.queries import standing
from players.search import find
from ratinglists.forms import Filter
from ratinglists.whatif import Imagined

#: games of one question, and opponents in it who are looked for by their names
MOST_GAMES, MOST_NAMES = 40, 10
#: games for which there is room at first, how many are added, and namesakes shown
ROOM, MORE, SHOWN = 3, 5, 8
LEAST_RATING, HIGHEST_RATING = 100, 4000
#: the greatest key that both databases can be asked for
_MOST_KEY = 2**63 - 1
_FIELD = re.compile(r"g(\d{1,6})-(?:rating|player|result)")
_NUMBER = re.compile(r"#?\d{1,19}")


class SystemChoice(Filter):
    system = forms.ChoiceField(label=_("List"), required=False)

    def __init__(self, data, systems: list[tuple[str, str]], usual: str) -> None:
        super().__init__(data if data.get("system") else {"system": usual})
        self.fields["system"].choices = systems
        self.fields["system"].error_messages["invalid_choice"] = _(
            "%(value)s is no list of this portal: choose one."
        )


class GameRow(forms.Form):
    """One game. A row without an entry asks for nothing, and nothing is wrong with it."""

    rating = forms.IntegerField(
        label=_("Opponent's rating"), required=False, min_value=LEAST_RATING, max_value=HIGHEST_RATING
    )
    player = forms.CharField(label=_("or name or number"), required=False, max_length=100)
    result = forms.ChoiceField(
        label=_("Result"), required=False, choices=[("", "–"), ("1", "win"), ("half", "draw"), ("0", "loss")]
    )

    def __init__(self, data, number: int) -> None:
        prefix = f"g{number}"
        told = any(data.get(f"{prefix}-{name}", "").strip() for name in self.base_fields)
        super().__init__(data if told else None, prefix=prefix)
        self.number = number
        self.found: list[Player] = []
        self.opponent: Player | None = None

    @property
    def is_empty(self) -> bool:
        return not self.is_bound

    def clean(self) -> None:
        told, faults = self.cleaned_data, self.errors
        rating, player = told.get("rating"), told.get("player")
        if not told.get("result") and "result" not in faults:
            self.add_error("result", "Choose win, draw or loss.")
        if rating is not None and player:
            self.add_error("player", "Give the opponent's rating or his name, not both.")
        elif rating is None and not player and not {"rating", "player"} & set(faults):
            self.add_error("rating", "Give the opponent's rating, or his name or number.")

    @property
    def faults(self) -> list[str]:
        """What is wrong, by row and field, in the reader's language: what forms say themselves is already."""
        return [
            gettext("Game %(number)s, %(label)s: %(text)s")
            % {"number": self.number, "label": self[name].label, "text": said(text)}
            for name, texts in self.errors.items()
            for text in texts
        ]

    @property
    def game(self) -> Imagined:
        told = self.cleaned_data
        return Imagined(self.number, told["result"], told["rating"], self.opponent)


@dataclass(slots=True)
class Question:
    """The rows of a question, read; ``faults`` names each wrong field of them, in the reader's language."""

    rows: list[GameRow]
    faults: list[str]

    @property
    def games(self) -> list[Imagined]:
        """None while something is wrong."""
        return [] if self.faults else [row.game for row in self.rows if not row.is_empty]

    @property
    def more(self) -> int | None:
        """So many rows are shown after *More games*; None where there is no room for more."""
        return min(len(self.rows) + MORE, MOST_GAMES) if len(self.rows) < MOST_GAMES else None

    def address(self, system: str) -> str:
        """The query string that asks the same, without empty fields."""
        told = [("system", system)]
        for row in self.rows:
            for name in row.fields:
                if value := row.data.get(row.add_prefix(name), "").strip():
                    told.append((row.add_prefix(name), value))
        return urlencode(told)


def read(data: QueryDict, player: Player) -> Question:
    """The games that an address asks for, the opponents among them found."""
    used = {
        int(match[1]) for name, value in data.items() if value.strip() and (match := _FIELD.fullmatch(name))
    }
    room = data.get("rows", "")
    room = int(room) if room.isascii() and room.isdigit() and len(room) < 4 else 0
    count = min(max(ROOM, room, *used, 0), MOST_GAMES)
    rows = [GameRow(data, number) for number in range(1, count + 1)]
    asked = [row for row in rows if not row.is_empty]
    _find([row for row in asked if not row.errors.get("player")], player)
    faults = [fault for row in asked for fault in row.faults]
    if beyond := sorted(number for number in used if not 1 <= number <= MOST_GAMES):
        fault = (
            f"Game {beyond[0]}: a question has games 1 to {MOST_GAMES}. Ask the others in another question."
        )
        faults.append(said(fault))
    return Question(rows, faults)


def _find(rows: Sequence[GameRow], player: Player) -> None:
    """Tell each row that names an opponent who that is, or what is wrong with it."""
    named = [row for row in rows if row.cleaned_data.get("player")]
    numbers = _by_number(row.cleaned_data["player"] for row in named)
    searched = 0
    for row in named:
        text = row.cleaned_data["player"].strip()
        row.opponent = numbers.get(text)
        if row.opponent is None and _NUMBER.fullmatch(text):
            row.add_error("player", f"No player has the number {text}.")
        elif row.opponent is None:
            searched += 1
            _by_name(row, text, searched)
        if row.opponent is not None and row.opponent.pk == player.pk:
            row.add_error("player", "Nobody plays against himself: name another player.")


def _by_number(texts: Iterable[str]) -> dict[str, Player]:
    """Players by the numbers typed: one that a body gave, or, above all with #, the portal's own."""
    wanted = {text.strip() for text in texts if _NUMBER.fullmatch(text.strip())}
    given = Identifier.objects.filter(value__in=[text for text in wanted if text[0] != "#"])
    found = {each.value: each.player for each in given.select_related("player__merged_into")}
    keys = {text: int(text.lstrip("#")) for text in wanted}
    people = Player.objects.select_related("merged_into").in_bulk(
        {key for key in keys.values() if key <= _MOST_KEY} if wanted else []
    )
    found = {text: people[key] for text, key in keys.items() if key in people} | found
    return {text: person.standing for text, person in found.items()}


def _by_name(row: GameRow, text: str, searched: int) -> None:
    if searched > MOST_NAMES:
        row.add_error(
            "player",
            f"One question looks for at most {MOST_NAMES} names: give the rating, or # and the number in the "
            "address of the player's page.",
        )
        return
    hits = find(standing(), text, size=SHOWN)
    if not hits.hits:
        row.add_error("player", f"No player matches {text}: try fewer words, or give the rating.")
    elif len(hits.hits) == 1 and not hits.hits[0].alike:
        row.opponent = hits.hits[0].player
    else:
        row.found = [hit.player for hit in hits.hits]
        row.add_error("player", "More than one player matches, or none exactly: choose one below.")


def with_player(data: QueryDict, row: GameRow, player: Player) -> str:
    """The same address with this player as the opponent of a row."""
    changed = data.copy()
    changed[row.add_prefix("player")] = f"#{player.pk}"
    return changed.urlencode()
