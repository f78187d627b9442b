"""Words and figures of the pages: nothing here decides or computes a rating."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from regulations import registry
from tournaments.exact import exact
from tournaments.models import TimeControlStage, Tournament

#: What a regulation's short labels stand for.
LABELS = {
    "R": "Own rating (R)",
    "Ra": "Average rating of the opponents or the tournament (Ra)",
    "Rar": "Average rating of the rated players (Rar)",
    "Rc": "Average rating of the opponents (Rc)",
    "Ru": "Performance rating (Ru)",
    "Rn": "New rating (Rn)",
    "D": "Rating difference (D)",
    "PD": "Expected score per game (PD)",
    "We": "Expected score (We)",
    "W": "Score (W)",
    "K": "Development coefficient (K)",
    "ΣΔR": "Sum of score minus expected score (ΣΔR)",
    "dpa": "Average difference of the rated players (dpa)",
    "change": "Rating change",
    "rounded": "Rounded to a whole number",
    "published": "Rating published",
    "kept": "Result kept for a first rating",
    "status": "Status on the list",
}
_GAME = re.compile(r"ΔR round (\d+)")
_OPPONENT = re.compile(r"(\d+): ")
_EVENT = re.compile(r"(\d+)\.\d+: ")

#: result -> (symbol, words) for White, then for Black
_SEEN = {
    "1-0": (("1", "won"), ("0", "lost")),
    "0-1": (("0", "lost"), ("1", "won")),
    "1/2-1/2": (("½", "drew"), ("½", "drew")),
    "+/-": (("+", "won by forfeit"), ("-", "lost by forfeit")),
    "-/+": (("-", "lost by forfeit"), ("+", "won by forfeit")),
    "=/=": (("=", "half a point without play"), ("=", "half a point without play")),
    "-/-": (("-", "no point, not played"), ("-", "no point, not played")),
    "bye-1": (("1", "bye, one point"),) * 2,
    "bye-1/2": (("½", "bye, half a point"),) * 2,
    "bye-0": (("0", "no pairing, no point"),) * 2,
}


def seen(result: str, white: bool) -> tuple[str, str]:
    """A result from one player's side, as a symbol and in words."""
    return _SEEN[result][0 if white else 1]


def regulation_title(code: str) -> str:
    """The title of a regulation; its code where no such regulation is installed any more."""
    try:
        return registry.get(code).title
    except registry.UnknownRegulation:
        return code


@dataclass(frozen=True, slots=True)
class Line:
    """One step of an explanation, ready to print."""

    article: str
    label: str
    value: str
    text: str


def explain(
    steps: Iterable[dict], players: dict[int, str], events: dict[int, str] | None = None
) -> list[Line]:
    """Stored steps in plain words; numbers of players and events in them become names."""
    lines = []
    for step in steps:
        label, text = step["label"], step.get("text", "")
        if game := _GAME.fullmatch(label):
            label = f"Score minus expected score, round {game[1]}"
            text = _named(text, _OPPONENT, players)
        else:
            label = LABELS.get(label, label[:1].upper() + label[1:])
            text = _named(text, _EVENT, events or {})
        lines.append(Line(step["article"], label, step["value"], text))
    return lines


def _named(text: str, pattern: re.Pattern, names: dict[int, str]) -> str:
    found = pattern.match(text)
    name = names.get(int(found[1])) if found else None
    return f"{name}: {text[found.end() :]}" if name else text


def time_control(stages: Iterable[TimeControlStage]) -> list[str]:
    """The time control in words: one sentence, or one for each colour where they differ."""
    stages = sorted(stages, key=lambda stage: stage.number)
    white = _sentence([stage for stage in stages if stage.colour == "w"])
    black = _sentence([stage for stage in stages if stage.colour == "b"])
    if black and black != white:
        return [f"White: {white}", f"Black: {black}"]
    return [white] if white else []


def _sentence(stages: list[TimeControlStage]) -> str:
    clauses = []
    same = len({stage.increment_seconds for stage in stages}) == 1
    for stage in stages:
        if stage.moves:
            span = f"for {stage.moves} moves"
        else:
            span = "for the whole game" if len(stages) == 1 else "for the rest of the game"
        added = "" if same else _added(stage.increment_seconds)
        clauses.append(f"{exact(stage.minutes)} minutes {span}{added}")
    if not clauses:
        return ""
    text = ", then ".join(clauses)
    if not same or not stages[0].increment_seconds:
        return text
    return f"{text}{',' if len(stages) > 1 else ''}{_added(stages[0].increment_seconds, len(stages) > 1)}"


def _added(seconds: int, throughout: bool = False) -> str:
    if not seconds:
        return ""
    always = " always" if throughout else ""
    return f"{always} with {seconds} second{'' if seconds == 1 else 's'} added for each move"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a tournament has come, for its badge and its page."""

    label: str
    tone: str
    note: str = ""


def standing_of(tournament: Tournament, today: date, *, rated: bool = True) -> Standing:
    """The state in words; ``rated`` False: a list dealt with the event and none of it is rated."""
    states = Tournament.State
    if not rated:
        return Standing("not rated", "bad")
    if tournament.state == states.REGISTERED:
        if tournament.start > today:
            return Standing("upcoming", "")
        if tournament.end >= today:
            return Standing("being played", "")
        return Standing("report awaited", "", "The tournament is over; its report has not been received yet.")
    return {
        states.REPORTED: Standing(
            "not yet accepted",
            "warn",
            "The arbiter's report has been received and is not yet accepted: what stands here can change.",
        ),
        states.RETURNED: Standing(
            "returned for correction",
            "warn",
            "The report was not yet accepted: it went back to the arbiter for correction.",
        ),
        states.ACCEPTED: Standing(
            "accepted", "good", "The report is accepted. The next list that its dates allow counts it."
        ),
        states.COUNTED: Standing("counted", "good"),
    }[tournament.state]
