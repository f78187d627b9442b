"""Three small lists whose monitoring is derived by hand, for the tests of its reads and its pages."""

from datetime import date

from tests import factories as make

DAYS = [date(2021, 3, 1), date(2021, 9, 1), date(2022, 3, 1)]


def counted(number, opponent, score, rating, *, white=True, expected=None):
    """A counted game as ``drafts.detail_json`` stores it."""
    return {
        "round": number,
        "opponent": str(opponent.pk),
        "white": white,
        "score": score,
        "opponent_rating": rating,
        "difference": None,
        "expected": expected,
        "article": "",
    }


def five_players() -> dict:
    return {key: make.make_player(f"{key.capitalize()}, Ann") for key in ("ana", "bo", "cy", "di", "ex")}


def three_lists(system, people):
    """Three lists. Ana goes 2200, 2204, 2210; Bo 2100, 2100, 2096; Cy 2000, delisted, none; Di comes new.

    On the last list Ana beat Bo (expected .64) and drew with Di; Di's game with Bo counts for Bo only.
    """
    ana, bo, cy, di, ex = people.values()
    first = make.make_list(
        system,
        DAYS[0],
        rows={
            ana: {"rating": 2200},
            bo: {"rating": 2100},
            cy: {"rating": 2000},
            ex: {"rating": 2400, "status": "inactive"},
        },
    )
    second = make.make_list(
        system, DAYS[1], rows={ana: {"rating": 2204}, bo: {"rating": 2100}, cy: {"status": "delisted"}}
    )
    open_, cup = make.make_tournament(system, name="Open"), make.make_tournament(system, name="Cup")
    third = make.make_list(
        system,
        DAYS[2],
        rows={
            ana: {"rating": 2210, "change": "5.6000", "games": 2},
            bo: {"rating": 2096, "change": "-3.8000", "games": 2},
            di: {"rating": 1905},
        },
        events={
            open_: {
                ana: {
                    "rating": 2204,
                    "detail": {"counted": [counted(1, bo, "1", "2100", expected="16/25")]},
                },
                bo: {
                    "rating": 2100,
                    "detail": {
                        "counted": [
                            counted(1, ana, "0", "2204", white=False, expected="9/25"),
                            counted(2, di, "1", "1900"),
                        ]
                    },
                },
                di: {"rating": 1900, "detail": {"counted": []}},
                cy: {
                    "rating": None,
                    "status": "unrated",
                    "detail": {"counted": [counted(3, bo, "1", "2100")]},
                },
            },
            cup: {
                ana: {"rating": 2204, "detail": {"counted": [counted(1, di, "1/2", "1900", white=False)]}},
                di: {"rating": 1900, "detail": {"counted": [counted(1, ana, "1/2", "2204")]}},
            },
        },
    )
    return first, second, third
