"""The names under which a column of a table is known, in English and Spanish."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.reports.layout import MAX_ROUNDS

#: field -> its names, without accents, blanks and signs
_NAMES = {
    "start_no": "startno startnumber startingno startingnumber startingrank startrank start sno snr "
    "pairingno no nr num number n numero numeroinicial noinicial ninicial rankinginicial dorsal",
    "name": "name player playername fullname nombre jugador apellidosynombre nombreyapellidos nombrecompleto",
    "fide_id": "fideid id fidenumber fideno fidenr fidecode fin idnumber idno idfide codigofide numerofide "
    "codfide",
    "national_id": "nationalid nationalnumber nationalno natid idnat localid codigo codigonacional "
    "idnacional numeronacional codigofeda idfeda codfeda licencia licence license",
    "sex": "sex gender mf sexo sx genero",
    "title": "title tit fidetitle titulo",
    "federation": "federation fed country fideflag federacion pais",
    "region": "region club state province autonomia comunidad federacionautonomica provincia",
    "birth": "birth born birthdate birthday dateofbirth dob birthyear yearofbirth bday year nacimiento "
    "fechanac fechanacimiento fechadenacimiento nacido anonacimiento anonac ano",
    "rating": "rating rtg elo fiderating fideelo elofide ratingint rtgi intrating irtg eloi",
    "national_rating": "nationalrating natrating ratingnat rtgn nrtg elonacional elonac elofeda elon",
    "points": "points pts score total puntos ptos pto puntuacion",
    "rank": "rank rk finalrank place position pos puesto posicion clasificacion clas",
}
FIELDS = tuple(_NAMES)
_FIELD_OF = {name: field for field, names in _NAMES.items() for name in names.split()}
_ROUND = re.compile(
    r"(?:r|rd|rnd|round|ronda|rda|jornada)?0*([1-9][0-9]{0,2})(?:a|o|st|nd|rd|th|ronda|round)?"
)
_LONGEST = 40


def column_of(title: str) -> str | int | None:
    """The field that a column of this title holds, or the number of its round; None for neither."""
    title = title.strip()
    if title in ("#", "№"):
        return "start_no"
    if not title or len(title) > _LONGEST:
        return None
    plain = unicodedata.normalize("NFKD", title.casefold())
    plain = "".join(c for c in plain if c.isascii() and c.isalnum())
    if plain in _FIELD_OF:
        return _FIELD_OF[plain]
    match = _ROUND.fullmatch(plain)
    return int(match[1]) if match else None


@dataclass(frozen=True, slots=True)
class Columns:
    """What stands where: positions from 0 of the fields and rounds, and the titles as they are written."""

    titles: tuple[str, ...]
    fields: dict[str, int]
    rounds: dict[int, int]
    unknown: tuple[int, ...]
    twice: tuple[int, ...]

    @property
    def known(self) -> int:
        return len(self.fields) + len(self.rounds)

    @property
    def too_many_rounds(self) -> bool:
        return any(number > MAX_ROUNDS for number in self.rounds)

    def title(self, field: str) -> str:
        return self.titles[self.fields[field]]


def read_columns(titles: Sequence[str]) -> Columns | None:
    """The columns of a header row; None if it is none: it names the players and one thing more."""
    fields: dict[str, int] = {}
    rounds: dict[int, int] = {}
    unknown, twice = [], []
    for at, title in enumerate(titles):
        found = column_of(title)
        if found is None:
            if title.strip():
                unknown.append(at)
        elif isinstance(found, int):
            if found in rounds:
                twice.append(at)
            rounds.setdefault(found, at)
        else:
            if found in fields:
                twice.append(at)
            fields.setdefault(found, at)
    if "name" not in fields or len(fields) + len(rounds) < 2:
        return None
    return Columns(tuple(titles), fields, rounds, tuple(unknown), tuple(twice))
