"""The values that go into and come out of every regulation.

All dates are local dates of the event; ratings are whole points; scores, expected
scores and changes are exact (``Fraction``); identifiers are strings that mean
nothing to a regulation. The JSON calculator (``regulations.cli``) and the portal
both build these values and call the same functions with them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Literal

Severity = Literal["error", "warning"]

SYSTEMS = ("round-robin", "double-round-robin", "swiss", "team", "scheveningen", "match")
RATES = ("standard", "rapid", "blitz", "postal")
SCOPES = ("international", "national", "autonomic", "provincial")
FLAGS = ("league", "norms", "fide-official", "national-championship", "women", "hybrid", "qualifier")
AUTHORIZATIONS = ("late-registration", "longer-duration", "decided-match-games", "hybrid-approval")
#: Results over the board; only these can ever be rated.
PLAYED = ("1-0", "0-1", "1/2-1/2")
#: Forfeits and results agreed without a move: points in the crosstable, never in a rating.
UNPLAYED = ("+/-", "-/+", "=/=", "-/-")
BYES = ("bye-1", "bye-1/2", "bye-0")
RESULTS = PLAYED + UNPLAYED + BYES


@dataclass(frozen=True, slots=True)
class Finding:
    """What a regulation says against an event. An error means: not rated as it stands.

    ``authorization`` names the entry of ``AUTHORIZATIONS`` that lifts the finding where the
    article allows one; ``subject`` is the field of the registration that it is about.
    """

    severity: Severity
    code: str
    article: str
    message: str
    authorization: str | None = None
    subject: str = ""

    @property
    def waivable(self) -> bool:
        return self.authorization is not None


@dataclass(frozen=True, slots=True)
class Step:
    """One line of an explanation: the article applied, what it yields, and the sum written out."""

    article: str
    label: str
    value: str
    text: str = ""


# --- registration -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stage:
    """One period of a time control; ``moves`` None means the rest of the game."""

    moves: int | None
    minutes: Fraction
    increment_seconds: int = 0


@dataclass(frozen=True, slots=True)
class ScheduledRound:
    round: int
    date: date


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a registration; ``rating`` None means unrated.

    The order of entrants is the initial ranking order, where a text asks for one (FEDA 1.2).
    ``standard_rating`` stands in for a missing rating of rapid chess or blitz (B 8.22, C 7.21).
    """

    id: str
    rating: int | None
    title: str = ""
    fide_official: bool = False
    sex: str = ""
    fide_rating: int | None = None
    other_rating: int | None = None
    standard_rating: int | None = None


@dataclass(frozen=True, slots=True)
class ArbiterFacts:
    name: str
    licensed: bool | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Registration:
    """A tournament as it is announced, before it is played."""

    system: str
    start: date
    end: date
    time_control: tuple[Stage, ...]
    time_control_black: tuple[Stage, ...] | None = None
    rate: str | None = None
    registered_on: date | None = None
    rounds: tuple[ScheduledRound, ...] = ()
    players: tuple[Entrant, ...] = ()
    arbiters: tuple[ArbiterFacts, ...] = ()
    scope: str | None = None
    flags: frozenset[str] = frozenset()
    authorizations: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CheckResult:
    ratable: bool
    rate: str | None
    minutes_for_60_moves: Fraction | None
    findings: tuple[Finding, ...]


# --- one event --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Totals:
    """All finished games of a player with a provisional rating in earlier periods (FECAP, phase 1)."""

    points: Fraction = Fraction(0)
    games: int = 0
    #: games against rated opponents, and the average rating of those
    rated_games: int = 0
    rated_average: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class EventPlayer:
    """A player with what the list in force at the event's start says of him.

    None in ``career_games``, ``reached_k10`` and ``games_in_period`` means the default of the
    calculator's contract (0 or 30; rating at or above the K-10 bound; the games of this event).
    ``affiliated`` False is a foreigner of no club of the federation, who plays with his FIDE rating
    (FEDA 9.56); None: so for whoever has a FIDE rating only. ``highest_rating`` is the highest that a
    list ever printed, where known (today's juniors). ``rated_since_event``: he was unrated when the event
    began, and ``rating`` is the one that he has by now. ``provisional``, ``otb_category`` and
    ``totals`` belong to postal chess.
    """

    id: str
    rating: int | None
    career_games: int | None = None
    reached_k10: bool | None = None
    birth_year: int | None = None
    games_in_period: int | None = None
    standard_rating: int | None = None
    first_event: bool = True
    fide_rating: int | None = None
    rated_since_event: bool = False
    affiliated: bool | None = None
    highest_rating: int | None = None
    provisional: bool = False
    otb_category: str = ""
    totals: Totals | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One game or bye; ``result`` is one of ``RESULTS``, white's side first.

    ``why_unplayed`` is the reason to show for a game that was not played, where more is known
    than the result says. ``phase`` numbers the stages of an event with preliminaries and a final;
    ``finished_on`` is the day on which a postal game was reported finished.
    """

    round: int
    white: str
    black: str | None
    result: str
    why_unplayed: str = ""
    phase: int = 1
    finished_on: date | None = None


@dataclass(frozen=True, slots=True)
class EventTotals:
    """A player's part of an event that is reported without single games (FEDA 10.31): points in so many
    games against opponents of this average."""

    player: str
    points: Fraction
    games: int
    average: int


@dataclass(frozen=True, slots=True)
class Event:
    system: str
    players: tuple[EventPlayer, ...]
    games: tuple[Game, ...]
    start: date | None = None
    end: date | None = None
    rate: str | None = None
    flags: frozenset[str] = frozenset()
    authorizations: frozenset[str] = frozenset()
    scheduled_games: int | None = None
    id: str = ""
    name: str = ""
    scope: str | None = None
    #: postal chess: how many games the whole event has, finished or not
    games_in_event: int | None = None
    #: of the player with less time, where known: today's standard rules ask it of each game
    minutes_for_60_moves: Fraction | None = None
    #: in place of games, where the text can rate totals (``rates_totals``)
    totals: tuple[EventTotals, ...] = ()


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A game that does not count for a player, and why."""

    round: int
    opponent: str | None
    article: str
    reason: str


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game that counts for a player. ``opponent_rating`` is the rating used for the opponent
    (after any cap); per-game figures are None where the text works on averages."""

    round: int
    opponent: str
    white: bool
    score: Fraction
    opponent_rating: int | Fraction
    difference: int | None = None
    expected: Fraction | None = None
    article: str = ""


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """What one event means for one player. ``change`` is before rounding to the list."""

    id: str
    status: Literal["rated", "unrated"]
    games: int
    score: Fraction
    rc: Fraction | None = None
    expected: Fraction | None = None
    k: int | None = None
    change: Fraction | None = None
    performance: Fraction | None = None
    pooled: bool | None = None
    counted: tuple[CountedGame, ...] = ()
    uncounted: tuple[Uncounted, ...] = ()
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class EventResult:
    rated: bool
    treated_as: str
    findings: tuple[Finding, ...]
    players: tuple[PlayerResult, ...]
    ra: Fraction | None = None


# --- a list -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListPlayer:
    """A player on the previous list (``rating`` None: unrated or delisted)."""

    id: str
    rating: int | None
    career_games: int | None = None
    reached_k10: bool | None = None
    title: str = ""
    federation: str = ""
    birth_year: int | None = None
    sex: str = ""
    #: counted games of the latest periods, newest first, a year's worth
    games_by_period: tuple[int, ...] = ()
    #: how many lists in a row have shown the player inactive
    inactive_lists: int = 0
    #: the highest that a list ever printed, where known (today's juniors)
    highest_rating: int | None = None
    provisional: bool = False
    otb_category: str = ""
    totals: Totals | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """An unrated player's result that is kept towards a first rating."""

    player: str
    list_date: date
    performance: Fraction
    games: int
    score: Fraction
    opponents: tuple[int | Fraction, ...] = ()
    #: the event that it came from, where known
    event: str = ""


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """An event with its result under the regulation that its start falls under."""

    event: Event
    result: EventResult


@dataclass(frozen=True, slots=True)
class ListInput:
    """All that the next list depends on."""

    list_date: date
    previous: tuple[ListPlayer, ...]
    samples: tuple[Sample, ...] = ()
    events: tuple[RatedEvent, ...] = ()
    reference_standard: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventShare:
    """The part of a player's change that came from one event, with the K that the list used."""

    event: str
    change: Fraction
    k: int | None = None


@dataclass(frozen=True, slots=True)
class ListRow:
    """A player on the new list, and what the next list needs to know of him."""

    id: str
    status: Literal["active", "inactive", "delisted", "unrated", "titled-unrated", "provisional"]
    rating: int | None
    change: Fraction | None
    games: int
    k: int | None
    flags: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    events: tuple[EventShare, ...] = ()
    career_games: int = 0
    reached_k10: bool = False
    games_by_period: tuple[int, ...] = ()
    inactive_lists: int = 0
    #: the K of events that start under this list; ``k`` is the one that ``change`` was computed with
    k_next: int | None = None
    #: what a provisional player carries on to the next list
    totals: Totals | None = None


@dataclass(frozen=True, slots=True)
class ListResult:
    players: tuple[ListRow, ...]
    samples: tuple[Sample, ...]
