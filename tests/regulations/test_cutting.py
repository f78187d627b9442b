"""Which events of a request may be cut to some of their players, and what is left of them."""

from __future__ import annotations

import pytest

from regulations.cutting import cut_to, goes_by_game
from regulations.jsonlist import read_list
from regulations.lists import row_text


def entry(regulation: str, system: str = "swiss", *, minutes: int = 90, top: int = 1900, **fields) -> dict:
    """Five players; the strongest is the last."""
    ratings = (1800, None, 1850, 1700, top)
    games = [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2"), (2, 2, 3, "0-1"), (2, 4, 5, "1-0"), (3, 1, 3, "1-0")]
    return {
        "regulation": regulation,
        "rate": "standard" if "standard" in regulation or "feda" in regulation else "rapid",
        "event": {
            "id": "1.1", "system": system, "start": "2025-05-02", "end": "2025-05-09",
            "minutes_for_60_moves": minutes if "standard" in regulation else 15, **fields,
        },
        "players": [{"id": f"p{n}", "rating": rating} for n, rating in enumerate(ratings, start=1)],
        "games": [
            {"round": turn, "white": f"p{white}", "black": f"p{black}", "result": result}
            for turn, white, black, result in games
        ] + [{"round": 2, "white": "p1", "black": None, "result": "bye-1"}],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("event", "by_game"),
    [
        (entry("fide-standard-2024"), True),
        (entry("fide-standard-2024", "round-robin"), True),
        (entry("fide-standard-2024", "match"), False),
        (entry("fide-standard-2024", minutes=60), False),
        (entry("fide-standard-2024", minutes=60, top=1750), False),
        (entry("fide-standard-2024", minutes=90, top=2450), False),
        (entry("fide-rapid-blitz-2018", "round-robin"), False),
        (entry("fide-rapid-blitz-2022"), True),
        (entry("feda-1996"), False),
        (entry("no-such-text"), False),
    ],
)
def test_what_is_cut(event, by_game):
    assert goes_by_game(event) == by_game


def test_the_cut_event_gives_its_players_the_rows_of_the_whole():
    whole = entry("fide-standard-2024")
    own = {"p1", "p5"}
    cut = cut_to(whole, own)
    assert len(cut["games"]) == 4
    assert {player["id"] for player in cut_to(whole, {"p5"})["players"]} == {"p4", "p5"}

    def rows(event: dict) -> dict[str, str]:
        request = {
            "regulation": "fide-standard-2024", "list_date": "2025-06-01", "as_given": True,
            "events": [event],
            "previous": [{"id": player["id"], "rating": player["rating"]} for player in whole["players"]],
        }  # fmt: skip
        regulation, given = read_list(request)
        return {row.id: row_text(row) for row in regulation.next_list(given).players}

    for player in own:
        assert rows(cut)[player] == rows(whole)[player]
    assert rows(cut_to(whole, {"p5"}))["p4"] != rows(whole)["p4"], "the control: others lack games"
