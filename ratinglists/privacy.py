"""What is withheld of the rows of lists when they are shown today (``players.privacy`` decides).

A published row stays as it was printed, since the signed files of its list are written again from it. What a
file prints its rows say themselves (``ListRow.withheld``, set when the list was computed); pages, programs'
answers and whatever is not in the archive hide what is to be hidden now as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from django.db.models import Case, F, Q, QuerySet, Value, When

from players.models import Player
from players.privacy import HIDDEN_NAME, PERSON, Policy, policy, policy_of
from ratinglists.formats.line import ListLine
from ratinglists.models import ListRow, RatingList

_BATCH = 2000


def standing(condition: Mapping[str, object]) -> Q:
    """A condition on the person of a row: his record's, or that of the record it was merged into."""
    own, other = (
        Q(**{f"{link}{name}": value for name, value in condition.items()})
        for link in ("player__", "player__merged_into__")
    )
    return (own & Q(player__merged_into=None)) | other


def ageless(rule: Policy) -> Q:
    """The rows of whom no age may be told."""
    hidden = standing({"privacy__gt": ""})
    if not rule.federations:
        return hidden
    minors = Q(birth_year__gte=rule.first_minor)
    return hidden | (minors & standing({"federation__in": rule.federations}))


def shown_year(rule: Policy) -> Case:
    """The year of birth by which rows may be ordered."""
    return Case(When(ageless(rule), then=None), default=F("birth_year"))


def with_shown_names(rows: QuerySet, listed: RatingList) -> QuerySet:
    """Rows with ``shown_name``, by which they may be ordered: the printed name would tell where it stands
    in the alphabet. Where nobody is hidden that is the column itself, which has an index."""
    hidden = list(Player.objects.exclude(privacy="").order_by().values_list("pk", flat=True))
    players = []
    if hidden:
        records = Player.objects.filter(Q(pk__in=hidden) | Q(merged_into__in=hidden)).order_by()
        listed_too = ListRow.objects.filter(rating_list=listed, player__in=records.values("pk"))
        players = list(listed_too.order_by().values_list("player", flat=True))
    name = F("name")
    if players:
        name = Case(When(player__in=players, then=Value(HIDDEN_NAME)), default=F("name"))
    return rows.annotate(shown_name=name)


def _batches(items: Iterable) -> Iterator[list]:
    items = iter(items)
    while some := list(islice(items, _BATCH)):
        yield some


def _persons(records: Iterable[int]) -> dict[int, Player]:
    """Of each of these records the person that it stands for, with what decides about him."""
    fields = ("privacy", "federation_id", "merged_into_id")
    own = ["pk", *fields, *(f"merged_into__{name}" for name in fields[:2])]
    people = Player.objects.filter(pk__in=set(records)).select_related("merged_into").only(*own)
    return {each.pk: each.standing for each in people}


def mask(rows: Iterable[ListRow]) -> list[ListRow]:
    """These rows as they may be shown today; they are not for saving."""
    rows, rule = list(rows), policy()
    for some in _batches(rows):
        people = _persons(row.player_id for row in some)
        for row in some:
            _mask(row, people[row.player_id], rule)
    return rows


def mask_own(rows: Iterable[ListRow], player: Player) -> list[ListRow]:
    """The same where all rows are of one person's records."""
    rows, rule = list(rows), policy_of(player)
    for row in rows:
        _mask(row, player, rule)
    return rows


def _mask(row: ListRow, person: Player, rule: Policy) -> None:
    withheld = rule.withheld(person.privacy, person.federation_id, row.birth_year)
    if withheld:
        row.birth_year = row.birth_date = None
    if withheld == PERSON:
        row.name, row.fide_id, row.national_id = HIDDEN_NAME, "", ""


def mask_lines(lines: Iterable[ListLine]) -> Iterator[ListLine]:
    """The same of a list's lines for a file that is made now."""
    rule = policy()
    for some in _batches(lines):
        people = _persons(line.record for line in some)
        for line in some:
            person = people[line.record]
            withheld = rule.withheld(person.privacy, person.federation_id, line.birth_year)
            if withheld:
                line = replace(line, birth_year=None, birth_date=None)
            if withheld == PERSON:
                line = replace(line, name=HIDDEN_NAME, fide_id="", national_id="")
            yield line


def mask_cells(columns: Sequence, rows: Iterable[Sequence]) -> Iterator[Sequence]:
    """The same of a special list's rows, whose last cell is the player's record."""
    rule, keys = policy(), [column.key for column in columns]
    born = keys.index("born") if "born" in keys else None
    named = [place for place, key in enumerate(keys) if key in ("number", "name", "before")]
    for some in _batches(rows):
        people = _persons(int(row[-1]) for row in some)
        for row in some:
            person = people[int(row[-1])]
            year = born is not None and str(row[born] or "")[:4]
            withheld = rule.withheld(person.privacy, person.federation_id, int(year) if year else None)
            if not withheld:
                yield row
                continue
            shown = list(row)
            if born is not None:
                shown[born] = ""
            if withheld == PERSON:
                for place in named:
                    shown[place] = HIDDEN_NAME if keys[place] == "name" else ""
            yield shown


def nameless(records: Iterable[int]) -> set[int]:
    """Those of these records whose person is hidden or erased."""
    people = (_persons(some).items() for some in _batches(records))
    return {record for some in people for record, person in some if person.privacy}
