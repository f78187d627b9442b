"""Who may be meant by a name and number that do not go together: candidates with reasons, never a decision.

Every read is by an indexed key, for all rows at once: numbers that are a slip away, names in one
spelling of their sounds, former names, and for those who are still unknown the family name with an
initial or the given name with two letters. The register is never read through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from players.models import FormerName, Identifier, Player
from players.names import (
    alike_keys,
    family_parts,
    given_keys,
    likeness,
    loose_key,
    loose_parts,
    name_parts,
    stem_keys,
)
from players.numbers import could_be_meant, slip
from players.privacy import Policy, policy, public_view

#: values in one query; SQLite and PostgreSQL take some more
BATCH = 20_000
#: namesakes that one query fetches, and those of them that a row looks at closely
MOST_NAMESAKES, MOST_LOOKED_AT = 20_000, 15

#: the weight of a namesake of whom nothing else is known; below it more is looked for
LIKELY = 35

_NAME = {"same": 40, "spelled": 35, "short": 25, "close": 18, "": 0}
_NUMBER = {"own": 30, "transposed": 30, "digit": 26, "near": 10, "": 0}


class Reason(NamedTuple):
    """Why somebody is suggested, or (``against``) what speaks against him."""

    code: str
    text: str
    against: bool = False

    def __str__(self) -> str:
        return self.text


class Suggestion(NamedTuple):
    """A player who may be meant. ``weight`` orders the suggestions for one row and means nothing else."""

    player: Player
    reasons: tuple[Reason, ...]
    weight: int

    @property
    def texts(self) -> tuple[str, ...]:
        """The reasons in words."""
        return tuple(reason.text for reason in self.reasons)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A person as somebody reports him. ``birth`` is a day or a year; empty fields say nothing.
    ``issuers`` are the bodies of which the number may be, all of them if none is named."""

    name: str = ""
    number: str = ""
    birth: date | int | None = None
    sex: str = ""
    federation: str = ""
    title: str = ""
    issuers: tuple[str, ...] = ()

    @property
    def birth_year(self) -> int | None:
        return self.birth.year if isinstance(self.birth, date) else self.birth


def suggestions(
    name: str,
    number: str = "",
    birth: date | int | None = None,
    sex: str = "",
    federation: str = "",
    title: str = "",
    *,
    limit: int = 5,
    without: Iterable[int] = (),
) -> list[Suggestion]:
    """Who may be meant, the likeliest first (``suggestions_for`` of one row)."""
    row = Wanted(name, number, birth, sex, federation, title)
    return suggestions_for([row], limit=limit, without=without)[0]


def suggestions_for(
    rows: Iterable[Wanted],
    *,
    limit: int = 5,
    without: Iterable[int] = (),
    knows: Callable[[Player], bool] = lambda player: True,
) -> list[list[Suggestion]]:
    """For each row those who may be meant, the likeliest first, in a few queries for all rows.

    ``without`` are the keys of players who are not meant. Of players whom the asker does not know
    (``players.access.knows``) he learns what is public: else a file of all the days of a year would find
    out a birthday, and a former name who is hidden.
    """
    search = _Search(list(rows), frozenset(without), knows)
    everybody = range(len(search.rows))
    search.by_number()
    search.by_key("loose_key", {at: _keys(search.rows[at].name) for at in everybody})
    found = search.ranked(everybody)
    left = [at for at in everybody if not _likely(found[at]) or _has_initial(search.rows[at].name)]
    search.by_key("stem_key", {at: stem_keys(search.rows[at].name) for at in left})
    search.by_key("given_key", {at: given_keys(search.rows[at].name) for at in left})
    found |= search.ranked(left)
    return [found[at][:limit] for at in everybody]


def _likely(found: list[Suggestion]) -> bool:
    return bool(found) and found[0].weight >= LIKELY


def _has_initial(name: str) -> bool:
    return any(len(part) == 1 for part in name_parts(name))


class _Search:
    """Rows, and the players whom each of them reaches by its keys."""

    def __init__(
        self, rows: Sequence[Wanted], without: frozenset[int], knows: Callable[[Player], bool]
    ) -> None:
        self.rows = rows
        self.without = without
        self.knows = knows
        self.public: set[int] = set()
        self.people: dict[int, Player | None] = {}
        self.reached: list[set[int]] = [set() for _ in rows]
        self.names = [loose_key(row.name) for row in rows]

    @cached_property
    def rule(self) -> Policy:
        return policy()

    def by_number(self) -> None:
        """Who has the number or one a slip away, and shares a word of the name or the year of birth."""
        asking: dict[str, list[int]] = defaultdict(list)
        for at, row in enumerate(self.rows):
            for value in (row.number, *could_be_meant(row.number)) if row.number else ():
                asking[value].append(at)
        words = [{word for word in name.split() if len(word) > 1} for name in self.names]
        fields = ("issuer_id", "value", "player_id", "player__loose_key", "player__birth_date")
        for part in _parts(asking):
            hits = Identifier.objects.filter(value__in=part, player__merged_into=None).order_by()
            for issuer, value, pk, key, birth in hits.values_list(*fields):
                for at in asking[value]:
                    row = self.rows[at]
                    if row.issuers and issuer not in row.issuers:
                        continue
                    same_year = birth is not None and birth.year == row.birth_year
                    if same_year or not words[at].isdisjoint(key.split()):
                        self.reached[at].add(pk)

    def by_key(self, column: str, keys: dict[int, Iterable[str]]) -> None:
        """Who has, or had, a name under one of the keys; of very many the likelier ones."""
        asking: dict[str, list[int]] = defaultdict(list)
        for at, own in keys.items():
            for key in own:
                if key:
                    asking[key].append(at)
        hits: dict[int, list[tuple]] = defaultdict(list)
        for part in _parts(asking):
            for found in (
                Player.objects.filter(merged_into=None, **{f"{column}__in": part})
                .order_by("pk")
                .values_list(column, "pk", "loose_key", "birth_date", "federation_id", "sex"),
                FormerName.objects.filter(player__merged_into=None, **{f"{column}__in": part})
                .order_by("pk")
                .values_list(
                    column,
                    "player_id",
                    "loose_key",
                    "player__birth_date",
                    "player__federation_id",
                    "player__sex",
                ),
            ):
                for key, *hit in found[:MOST_NAMESAKES]:
                    for at in asking[key]:
                        hits[at].append(hit)
        for at, own in hits.items():
            self.reached[at].update(self._likelier(at, own))

    def _likelier(self, at: int, hits: list[list]) -> Iterator[int]:
        row, name = self.rows[at], self.names[at]

        def unlike(hit: list) -> tuple:
            pk, key, birth, federation, sex = hit
            born = birth is not None and row.birth_year is not None and birth.year != row.birth_year
            other_sex = bool(sex and row.sex and sex != row.sex)
            return (key != name, born or other_sex, federation != row.federation, pk)

        hits = [hit for hit in hits if alike_keys(name, hit[1])]
        return (hit[0] for hit in sorted(hits, key=unlike)[:MOST_LOOKED_AT])

    def ranked(self, places: Iterable[int]) -> dict[int, list[Suggestion]]:
        """The suggestions of these rows from whom they have reached so far."""
        places = list(places)
        reached = {pk for at in places for pk in self.reached[at]} - self.without
        for part in _parts(reached - self.people.keys()):
            people = Player.objects.filter(pk__in=part).order_by()
            people = people.prefetch_related("identifiers", "titles", "former_names")
            self.people.update((player.pk, self._shown(player)) for player in people)
        return {
            at: _ranked(
                self.rows[at],
                [found for pk in self.reached[at] if (found := self.people.get(pk)) is not None],
                self.public,
            )
            for at in places
        }

    def _shown(self, player: Player) -> Player | None:
        """The player as the asker may know him; None if he may not know that it is he."""
        if self.knows(player):
            return player
        if player.privacy:
            return None
        self.public.add(player.pk)
        return public_view(player, self.rule)


def _keys(name: str) -> set[str]:
    """The keys under which somebody of this name may stand: as it is, and with initials for given names
    ("Perez, Juan" may be on the register as "Perez, J.")."""
    family = family_parts(name) if "," in name else frozenset()
    parts = loose_parts(name)
    short = {part if part in family else part[:1] for part in parts} if family else parts
    return {loose_key(name), " ".join(sorted(short))}


def _parts(values: Iterable) -> Iterator[list]:
    ordered = sorted(values)
    for begin in range(0, len(ordered), BATCH):
        yield ordered[begin : begin + BATCH]


# --- ranking ----------------------------------------------------------------------------------------


def _ranked(row: Wanted, pool: Iterable[Player], public: Container[int]) -> list[Suggestion]:
    """The players of ``pool`` who may be meant; those in ``public`` show what everybody knows of them."""
    offered = [each for player in pool if (each := _weighed(row, player, player.pk in public)) is not None]
    offered.sort(key=lambda each: (-each.weight, each.player.pk))
    return offered


def _weighed(row: Wanted, player: Player, public: bool) -> Suggestion | None:
    name_weight, reasons = _of_name(row, player, public)
    number_weight, of_number = _of_number(row, player)
    same_day = _same_day(row, player)
    # A number or a birthday alone says nothing; both together can be a new family name. Who may not know
    # the day has to have the very number right.
    same_year = public and row.birth_year is not None and row.birth_year == player.birth_year
    right = number_weight == _NUMBER["own"] if same_year else number_weight > _NUMBER["near"] and same_day
    if not name_weight and not right:
        return None
    person_weight, of_person = _of_person(row, player, same_day)
    weight = name_weight + number_weight + person_weight
    return Suggestion(player, (*reasons, *of_number, *of_person), weight)


def _of_name(row: Wanted, player: Player, public: bool) -> tuple[int, list[Reason]]:
    kind = likeness(row.name, player.name)
    texts = {
        "same": "the same name",
        "spelled": "the same name, spelled otherwise",
        "short": "a fuller or shorter form of the name",
        "close": "nearly the same name",
    }
    best = (_NAME[kind], [Reason(f"name-{kind}", texts[kind])] if kind else [])
    for former in player.former_names.all():
        if public and not former.public:
            continue
        kind = likeness(row.name, former.name)
        if _NAME[kind] - 2 > best[0]:
            best = (_NAME[kind] - 2, [Reason("name-former", f"formerly {former.name}")])
    return best


def _of_number(row: Wanted, player: Player) -> tuple[int, list[Reason]]:
    """The likest of the player's numbers."""
    best: tuple[int, list[Reason]] = (0, [])
    for identifier in player.identifiers.all():
        if not row.number or (row.issuers and identifier.issuer_id not in row.issuers):
            continue
        own = identifier.value == row.number
        kind = "own" if own else slip(row.number, identifier.value)
        texts = {
            "own": f"has this number ({identifier.issuer_id})",
            "transposed": f"{identifier}: two neighbouring digits are swapped",
            "digit": f"{identifier}: one digit differs",
            "near": f"{identifier}: a number close by, as of brothers and sisters",
        }
        if _NUMBER[kind] > best[0]:
            best = (_NUMBER[kind], [Reason(f"number-{kind}", texts[kind])])
    return best


def _same_day(row: Wanted, player: Player) -> bool:
    return (
        isinstance(row.birth, date)
        and player.birth_precision == Player.Precision.DAY
        and player.birth_date == row.birth
    )


def _of_person(row: Wanted, player: Player, same_day: bool) -> tuple[int, list[Reason]]:
    weight, reasons = 0, []
    if row.birth_year and player.birth_year:
        if same_day:
            weight, reasons = 20, [Reason("birth-same", "the same birth date")]
        elif row.birth_year == player.birth_year:
            weight, reasons = 12, [Reason("birth-same", f"born in {player.birth_year}, too")]
        else:
            weight = -25
            reasons = [Reason("birth-differs", f"but born in {player.birth_year}", True)]
    if row.sex and player.sex:
        weight += 2 if row.sex == player.sex else -20
        if row.sex != player.sex:
            reasons.append(Reason("sex-differs", f"but {player.get_sex_display()}", True))
    if row.federation:
        weight += 4 if row.federation == player.federation_id else -4
        if row.federation != player.federation_id:
            reasons.append(Reason("federation-differs", f"but plays for {player.federation_id}", True))
    if row.title and row.title in {title.code for title in player.titles.all()}:
        weight += 4
        reasons.append(Reason("title-same", f"{row.title}, too"))
    return weight, reasons
