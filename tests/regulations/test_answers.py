"""The objects of the calculator's answers, key by key (docs/developers/regulations/calculator.md)."""

# ruff: noqa: RUF009 - param() declares a field, it computes no default

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import ClassVar

from regulations import answers, lists
from regulations.compare import compare
from regulations.fide_rapid_blitz_2022 import FideRapidBlitz2022
from regulations.fide_standard_2004 import FideStandard2004
from regulations.model import (
    CheckResult,
    CountedGame,
    EventResult,
    EventShare,
    Finding,
    ListInput,
    ListResult,
    ListRow,
    PlayerResult,
    Sample,
    Step,
    Totals,
    Uncounted,
)
from regulations.parameters import Parameters, param
from tests.regulations.build import event

LATE = Finding("error", "late", "0.2", "Too late.", "late-registration", "registered_on")
SLOW = Finding("warning", "slow", "1.3", "Slow.")
LATE_SHOWN = {"severity": "error", "code": "late", "article": "0.2", "message": "Too late.", "waivable": True}
SLOW_SHOWN = {"severity": "warning", "code": "slow", "article": "1.3", "message": "Slow.", "waivable": False}
STEP = Step("10.54", "K", "15", "below 2400")
STEP_SHOWN = {"article": "10.54", "label": "K", "value": "15", "text": "below 2400"}


@dataclass(frozen=True)
class Club(Parameters):
    """A club's text."""

    code: ClassVar[str] = "club"
    title: ClassVar[str] = "The club's list"
    effective_from: ClassVar[date] = date(2001, 2, 3)
    effective_until: ClassVar[date | None] = date(2004, 5, 6)
    rates: ClassVar[tuple[str, ...]] = ("rapid", "blitz")

    share: Fraction = param(Fraction(1, 2), "1", "a share")
    rows: tuple[tuple[int, int], ...] = param(((1, 2), (3, 4)), "2", "some rows")
    halves: tuple[Fraction, ...] = param((Fraction(5, 2),), "2", "some halves")
    whole: bool = param(True, "3", "rounded")


def test_the_catalog():
    (said,) = answers.write_catalog((Club(),))
    assert said == {
        "code": "club",
        "title": "The club's list",
        "effective_from": "2001-02-03",
        "effective_until": "2004-05-06",
        "rates": ["rapid", "blitz"],
        "parameters": {
            "share": {"value": "0.5", "article": "1", "meaning": "a share"},
            "rows": {"value": [[1, 2], [3, 4]], "article": "2", "meaning": "some rows"},
            "halves": {"value": ["2.5"], "article": "2", "meaning": "some halves"},
            "whole": {"value": True, "article": "3", "meaning": "rounded"},
        },
    }
    assert answers.write_catalog((FideStandard2004(),))[0]["effective_until"] is None


def test_a_check():
    assert answers.write_check(CheckResult(False, "rapid", Fraction(71, 2), (LATE, SLOW))) == {
        "ratable": False,
        "rate": "rapid",
        "minutes_for_60_moves": "35.5",
        "findings": [LATE_SHOWN, SLOW_SHOWN],
    }
    assert answers.write_check(CheckResult(True, None, None, ())) == {
        "ratable": True,
        "rate": None,
        "minutes_for_60_moves": None,
        "findings": [],
    }


RATED = PlayerResult(
    "a", "rated", 2, Fraction(3, 2), Fraction(4151, 2), Fraction("1.06"), 15, Fraction("6.6"),
    counted=(CountedGame(1, "b", True, Fraction(1), 2000),),
    uncounted=(Uncounted(3, "u", "6.4", "unrated opponent"), Uncounted(4, None, "5.1", "bye")),
    steps=(STEP,),
)  # fmt: skip
UNRATED = PlayerResult("u", "unrated", 3, Fraction(2), performance=Fraction(6149, 3), pooled=True)


def test_a_rated_event():
    said = answers.write_rate(EventResult(True, "swiss", (SLOW,), (RATED, UNRATED), Fraction(4123, 2)))
    assert said == {
        "rated": True,
        "treated_as": "swiss",
        "findings": [SLOW_SHOWN],
        "ra": "2061.5",
        "players": [
            {
                "id": "a", "status": "rated", "games": 2, "score": "1.5", "rc": "2075.5", "expected": "1.06",
                "k": 15, "change": "6.6", "performance": None, "pooled": None,
                "uncounted": [
                    {"round": 3, "opponent": "u", "article": "6.4", "reason": "unrated opponent"},
                    {"round": 4, "opponent": None, "article": "5.1", "reason": "bye"},
                ],
                "steps": [STEP_SHOWN],
            },
            {
                "id": "u", "status": "unrated", "games": 3, "score": "2", "rc": None, "expected": None,
                "k": None, "change": None, "performance": "2049.6667", "pooled": True,
                "uncounted": [], "steps": [],
            },
        ],
    }  # fmt: skip


ROW = ListRow(
    "ñ", "active", 2150, Fraction("6.6"), 2, 15, ("i", "not-shown"), (STEP,),
    (EventShare("E1", Fraction("6.6"), 15),),
)  # fmt: skip
PROVISIONAL = ListRow(
    "p", "provisional", None, None, 0, None, totals=Totals(Fraction(5, 2), 4, 3, Fraction(2000, 3))
)
SAMPLE = Sample(
    "u", date(2004, 4, 1), Fraction(6149, 3), 3, Fraction(3, 2), (2050, Fraction("2000.5"), Fraction(2099))
)
RESULT = ListResult((ROW, PROVISIONAL), (SAMPLE,))
GIVEN = ListInput(date(2004, 7, 1), ())
CANONICAL = (
    '{"list_date":"2004-07-01",'
    '"players":[{"change":"6.6","flags":["i","not-shown"],"games":2,"id":"ñ","k":15,"rating":2150,'
    '"status":"active"},'
    '{"change":null,"flags":[],"games":0,"id":"p","k":null,"rating":null,"status":"provisional"}],'
    '"regulation":"fide-standard-2004",'
    '"samples":[{"games":3,"list_date":"2004-04-01","opponents":[2050,"2000.5",2099],'
    '"performance":"2049.6667","player":"u","score":"1.5"}]}'
)


def test_the_bytes_behind_the_digest_of_a_list():
    """The contract of the calculator: compact, keys in order, UTF-8."""
    assert lists.canonical(FideStandard2004(), GIVEN, RESULT) == CANONICAL.encode()


def test_a_list():
    said = answers.write_list(FideStandard2004(), GIVEN, RESULT)
    sha256 = said.pop("sha256")
    assert len(sha256) == 64
    assert sha256 == lists.digest(FideStandard2004(), GIVEN, RESULT)
    assert said == {
        "players": [
            {
                "id": "ñ", "status": "active", "rating": 2150, "change": "6.6", "games": 2, "k": 15,
                "flags": ["i", "not-shown"], "steps": [STEP_SHOWN],
                "events": [{"id": "E1", "change": "6.6"}],
            },
            {
                "id": "p", "status": "provisional", "rating": None, "change": None, "games": 0, "k": None,
                "flags": [], "total_points": "2.5", "total_games": 4, "rated_games": 3,
                "rated_average": "666.6667", "steps": [], "events": [],
            },
        ],
        "samples": [
            {
                "player": "u", "list_date": "2004-04-01", "performance": "2049.6667", "games": 3,
                "score": "1.5", "opponents": [2050, "2000.5", 2099],
            }
        ],
    }  # fmt: skip


def test_a_comparison():
    """A 10.51-10.54 and C 7.31, 7.32 for a of 2143 who beat b of 2010: K 15 and K 20 on .32."""
    played = event("swiss", {"a": 2143, "b": 2010}, "a b 1, b a -")
    found = compare([FideStandard2004(), FideRapidBlitz2022()], played)
    said = answers.write_comparison(found)
    assert said["regulations"] == [
        {"code": code, "rated": True, "treated_as": "swiss", "ra": None, "findings": []}
        for code in ("fide-standard-2004", "fide-rapid-blitz-2022")
    ]
    assert [each["id"] for each in said["players"]] == ["a", "b"]
    assert said["players"][0] == {
        "id": "a",
        "same": False,
        "differences": ["1.6"],
        "under": {
            code: {
                "status": "rated", "games": 1, "score": "1", "rc": "2010", "expected": "0.68", "k": k,
                "change": change, "performance": None, "pooled": None,
                "uncounted": [{"round": 2, "opponent": "b", "article": article, "reason": "forfeit"}],
            }
            for code, k, change, article in (
                ("fide-standard-2004", 15, "4.8", "5.1"),
                ("fide-rapid-blitz-2022", 20, "6.4", "4.1"),
            )
        },
    }  # fmt: skip
