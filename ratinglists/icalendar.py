"""Days written as an iCalendar file (RFC 5545): events of a whole day, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

MEDIA_TYPE = "text/calendar; charset=utf-8"
#: a content line has at most so many octets before its line break (3.1)
OCTETS = 75


@dataclass(frozen=True, slots=True)
class DayEvent:
    """``uid`` stays the same for ever, so that a program that subscribed moves the event."""

    uid: str
    day: date
    summary: str
    description: str = ""
    url: str = ""


def written(name: str, events: Iterable[DayEvent], stamp: datetime) -> bytes:
    """A calendar of this name. ``stamp``: the moment from which its content is."""
    stamped = f"{stamp.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Rating portal//Closing dates//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:P1D",
    ]
    for event in events:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{_text(event.uid)}",
            f"DTSTAMP:{stamped}",
            f"DTSTART;VALUE=DATE:{event.day:%Y%m%d}",
            f"DTEND;VALUE=DATE:{event.day + timedelta(days=1):%Y%m%d}",
            f"SUMMARY:{_text(event.summary)}",
            "TRANSP:TRANSPARENT",
            *([f"DESCRIPTION:{_text(event.description)}"] if event.description else []),
            *([f"URL:{event.url}"] if event.url else []),
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return b"".join(map(_folded, lines))


def _text(value: str) -> str:
    """3.3.11: what must be escaped in a text; other control characters cannot stand there at all, nor what
    some program takes for the end of a line."""
    value = re.sub(r"([\\;,])", r"\\\1", value.replace("\r\n", "\n").replace("\r", "\n"))
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", " ", value).replace("\n", "\\n")


def _folded(line: str) -> bytes:
    """3.1: a long line goes on after a break and a blank, never within a letter."""
    pieces, piece = [], b""
    for letter in line:
        octets = letter.encode()
        if len(piece) + len(octets) > OCTETS:
            pieces.append(piece)
            piece = b" "
        piece += octets
    return b"\r\n".join([*pieces, piece]) + b"\r\n"
