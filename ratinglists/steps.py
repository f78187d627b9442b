"""Stored steps of a calculation in plain words.

A regulation knows players and events by their keys only; here names take their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from players.languages.texts import said

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
    "p": "Share of points (p)",
    "dp": "Rating difference for p (dp)",
    "dpa": "Average difference of the rated players (dpa)",
    "change": "Rating change",
    "rounded": "Rounded to a whole number",
    "published": "Rating published",
    "kept": "Result kept for a first rating",
    "status": "Status on the list",
    "R0": "Rating before (R0)",
    "RN": "New rating (RN)",
    "RRP": "Provisional rating (RRP)",
    "P": "Share of points in all games (P)",
    "DP": "Rating difference for P (DP)",
    "FP": "Correction by P (FP)",
    "F": "Correction by the opponents' average (F)",
    "Σ(W - We)": "Sum of score minus expected score, Σ(W − We)",
    "a": "Weight by rating (a)",
    "b": "Weight by number of games (b)",
    "c": "Weight by stability (c)",
    "f": "Points for each point above the expected score (f = a·b·c)",
    "average opponent": "Average rating of the opponents",
    "We of the average": "Expected score against that average (We)",
    "s²": "Square of the expected spread (s²)",
    "s": "Expected spread (s)",
    "q": "Surprise (q)",
    "batch": "Events rated together (General 9)",
    "warning": "Caution",
}
#: how a text that rounds a change ends, and what it says
_ROUNDED = {
    ", half-up": ", a half upwards",
    ", half-away": ", a half away from zero",
    ", half-to-zero": ", a half towards zero",
}
#: labels: a game (of an event), and something of an event
_GAME = re.compile(r"(?:ΔR|W - We) (?:(?P<event>\d+)\.\d+ )?round (?P<round>\d+)")
_OF_EVENT = re.compile(r"(?P<what>.+ of )(?P<event>\d+)\.\d+")
_WITH_OPPONENTS = "games with provisional opponents"
_BATCH = "batch"
#: how a text begins
_OPPONENTS = re.compile(r"(?P<players>\d+(?:, \d+)*)(?=: )")
_EVENT = re.compile(r"(?P<event>\d+)\.\d+(?=: )")
_EVENTS = re.compile(r"(?P<event>\d+)\.\d+(?=, |$)")
_LATER = re.compile(r"(?P<event>\d+)\.\d+ round (?P<round>\d+), (?P<player>\d+|bye)(?=: )")


_BORN = re.compile(r"\bborn in \d{4}(?:, )?")


@dataclass(frozen=True, slots=True)
class Line:
    """One step of an explanation, ready to print."""

    article: str
    label: str
    value: str
    text: str


@dataclass(frozen=True, slots=True)
class _Names:
    """Names by key; a player without one keeps his key."""

    players: Mapping[int, str]
    events: Mapping[int, str]

    def label(self, label: str) -> str:
        if game := _GAME.fullmatch(label):
            event = f"{self.event(game)}, " if game["event"] else ""
            return f"Score minus expected score, {event}round {game['round']}"
        if of := _OF_EVENT.fullmatch(label):
            return _capital(of["what"]) + self.event(of)
        return LABELS.get(label, _capital(label))

    def text(self, label: str, text: str) -> str:
        if _names_opponents(label):
            return self._begin(_OPPONENTS, text, self.opponents)
        if label == "rounded":
            ending = next((each for each in _ROUNDED if text.endswith(each)), "")
            return text.removesuffix(ending) + _ROUNDED.get(ending, "")
        if label == _BATCH:
            return _EVENTS.sub(self.event, text)
        if _LATER.match(text):
            return self._begin(_LATER, text, self.later)
        return self._begin(_EVENT, text, self.event)

    @staticmethod
    def _begin(pattern: re.Pattern, text: str, words) -> str:
        match = pattern.match(text)
        return words(match) + text[match.end() :] if match else text

    def player(self, key: str) -> str:
        return self.players.get(int(key), key) if key.isdigit() else key

    def event(self, match: re.Match) -> str:
        return self.events.get(int(match["event"]), "an event")

    def opponents(self, match: re.Match) -> str:
        return ", ".join(self.player(key) for key in match["players"].split(", "))

    def later(self, match: re.Match) -> str:
        return f"{self.event(match)}, round {match['round']}, {self.player(match['player'])}"


def explain(
    steps: Iterable[dict],
    players: Mapping[int, str],
    events: Mapping[int, str] | None = None,
    *,
    born: bool = False,
) -> list[Line]:
    """Stored steps in plain words of the reader's language; keys of players and events become names.

    Without ``born`` they do not say the player's year of birth: that he is a junior his K says anyway.
    """
    names = _Names(players, events or {})
    return [
        Line(
            step["article"],
            said(names.label(step["label"])),
            said(step["value"]),
            said(
                names.text(
                    step["label"], step.get("text", "") if born else _BORN.sub("", step.get("text", ""))
                )
            ),
        )
        for step in steps
    ]


def _text(step: dict, born: bool) -> str:
    text = step.get("text", "")
    return text if born else _BORN.sub("", text)


def players_in(steps: Iterable[dict]) -> set[int]:
    """The keys of the players whom stored steps name."""
    found: set[int] = set()
    for step in steps:
        text = step.get("text", "")
        if _names_opponents(step["label"]):
            if match := _OPPONENTS.match(text):
                found |= {int(key) for key in match["players"].split(", ")}
        elif (match := _LATER.match(text)) and match["player"].isdigit():
            found.add(int(match["player"]))
    return found


def _names_opponents(label: str) -> bool:
    return label == _WITH_OPPONENTS or _GAME.fullmatch(label) is not None


def _capital(label: str) -> str:
    return label[:1].upper() + label[1:]
