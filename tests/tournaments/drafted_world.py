"""A rapid event with an arbiter and players, for the tests of typed crosstables."""

from __future__ import annotations

from datetime import date

from django.test import Client
from django.urls import reverse

from tests.factories import make_arbiter, make_list, make_player, make_system, make_tournament, make_user
from tournaments.models import Entry

NAMES = ("Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo", "Elm, Sam", "Fir, Kim")
NUMBERS = tuple(str(7000011 + at) for at in range(len(NAMES)))
#: (White, result, Black) of three rounds: everybody plays, but Fir has a bye in the last one
ROUNDS = {
    "1": [["1", "1", "2"], ["3", "=", "4"], ["5", "0", "6"]],
    "2": [["2", "1", "3"], ["4", "+", "5"], ["6", "=", "1"]],
    "3": [["1", "1", "3"], ["5", "1", "2"], ["4", "Z", ""], ["6", "H", ""]],
}


class Drafting:
    """Six players of a rapid event of three rounds, entered; its arbiter is signed in."""

    def __init__(self, *, entered: bool = True, players: int = len(NAMES), rounds: int = 3) -> None:
        self.system = make_system("rapid")
        more = [f"Invented{chr(97 + n // 26)}{chr(97 + n % 26)}, Ona" for n in range(players - len(NAMES))]
        names = [*NAMES, *more][:players]
        self.players = [make_player(name, fide_id=str(7000011 + at)) for at, name in enumerate(names)]
        make_list(self.system, date(2022, 3, 1), {p: 2000 - at for at, p in enumerate(self.players)})
        self.user = make_user("ana")
        self.tournament = make_tournament(
            self.system, name="Spring Rapid", rounds=rounds, arbiter=make_arbiter(user=self.user)
        )
        if entered:
            Entry.objects.bulk_create(
                Entry(tournament=self.tournament, player=player) for player in self.players
            )
        self.client = Client()
        self.client.force_login(self.user)

    def url(self, name: str, *args) -> str:
        return reverse(name, args=[self.tournament.pk, *args])


def swiss(players: int, rounds: int) -> dict[str, list[list[str]]]:
    """A full crosstable: the lower half moves on by a place each round; results go 1, =, 0 in turn."""
    half = players // 2
    return {
        str(number): [
            [str(at + 1), "1=0"[(at + number) % 3], str(half + (at + number) % half + 1)]
            for at in range(half)
        ]
        for number in range(1, rounds + 1)
    }
