"""Words and figures of the pages: nothing here decides or computes a rating."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils import formats

from players.languages.texts import said
from ratinglists.models import RatingList
from regulations import registry
from regulations.base import Regulation
from tournaments.models import Tournament

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


def rules_of(code: str) -> Regulation | None:
    """A regulation by its code; None where it is not installed any more."""
    try:
        return registry.get(code)
    except registry.UnknownRegulation:
        return None


def regulation_title(code: str) -> str:
    """The title of a regulation; its code where no such regulation is installed any more."""
    rules = rules_of(code)
    return code if rules is None else rules.title


def list_name(listed: RatingList) -> str:
    """A list as ``str`` names it, with its day as the reader's language writes it."""
    period = f"{listed.system} {formats.date_format(listed.list_date, 'SHORT_DATE_FORMAT')}"
    return said(f"{period} (revision {listed.revision})") if listed.revision > 1 else period


def printed_rating(rating: int | None, rules: Regulation | None, unrated: str = "–") -> str:
    """A rating as a regulation has it printed (A 15c: three digits); a dash for an unrated player."""
    if rating is None:
        return unrated
    return rules.printed_rating(rating) if rules else str(rating)


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a tournament has come, for its badge and its page."""

    label: str
    tone: str
    note: str = ""


def standing_of(tournament: Tournament, today: date, *, rated: bool = True) -> Standing:
    """The state in words; ``rated`` False: a list dealt with the event and none of it is rated."""
    states = Tournament.State
    if tournament.state == states.CANCELLED:
        return Standing(tournament.get_state_display(), "bad")
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
