"""A rating list as XML in the elements of FIDE's single lists (docs/formats/fide-xml.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from players.listformats import fide_xml
from players.listformats.model import ListedPlayer, ListRating
from ratinglists.formats.line import ListLine


def xml_players(lines: Iterable[ListLine]) -> Iterator[bytes]:
    """The list player by player, UTF-8 without declaration; ``rating``, ``games``, ``k`` are the list's, a
    rating as its regulation has it printed."""
    return fide_xml.write_players((_player(line) for line in lines), single="standard")


def _player(line: ListLine) -> ListedPlayer:
    return ListedPlayer(
        line=0,
        number=line.fide_id,
        name=line.name,
        federation=line.federation,
        sex=line.sex,
        title=line.title,
        women_title=line.women_title,
        standard=ListRating(int(line.printed) if line.printed.isdigit() else line.rating, line.games, line.k),
        birth_year=line.birth_year,
        active="i" not in line.flag,
    )
