"""A batch of a list's lines beside the register: compared, and on request taken over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from players.erasing import erased_numbers
from players.listed_changes import differences, same_spelling, take_over, titles_of
from players.listformats.model import RATES, ListedPlayer
from players.models import Federation, FideListing, FormerName, Identifier, IssuingBody, Player, Title
from players.services import keep_former_name

FIDE = "FIDE"
#: why a player has another name, as kept with his former one
REASON = "FIDE's list"
_UPDATED = ["name", "federation", "sex", "birth_date", "birth_precision"]
_TITLE_FIELDS = ("title", "women_title", "other_titles", "foa_title")


@dataclass(slots=True)
class Change:
    """A player who is new (``created``) or differs, with field, old and new value of each difference."""

    number: str
    name: str
    created: bool
    fields: list[tuple[str, str, str]]


@dataclass(slots=True)
class Outcome:
    """What a batch means for the register.

    ``stateless`` are lines of new players without a federation, whom the register cannot take;
    ``new_federations`` are codes that it does not know yet.
    """

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    passed_over: int = 0
    changes: list[Change] = field(default_factory=list)
    stateless: list[ListedPlayer] = field(default_factory=list)
    new_federations: set[str] = field(default_factory=set)


def take_batch(
    rows: Sequence[ListedPlayer], *, federations: Sequence[str], list_date: date, apply: bool
) -> Outcome:
    """Compare ``rows``, each of another number, with the register; with ``apply``, take them over.

    Players are found by their FIDE number only. New ones are taken from ``federations`` (empty:
    from all); known ones are brought up to date wherever they play now. A name that staff have
    replaced does not come back, nor that of a player who is hidden, nor an erased player at all (he counts
    as passed over). To be called in a transaction.
    """
    outcome = Outcome()
    known = _known(rows, lock=apply)
    held = _titles(known.values())
    corrected = _corrected(known.values())
    new: list[ListedPlayer] = []
    changed: list[Player] = []
    titles: list[Title] = []
    listed: list[tuple[Player, ListedPlayer]] = []
    erased = erased_numbers(FIDE, [row.number for row in rows if row.number not in known])
    for row in rows:
        player = known.get(row.number)
        if player is None:
            if row.number in erased or (federations and row.federation not in federations):
                outcome.passed_over += 1
            elif not row.federation:
                outcome.stateless.append(row)
            else:
                new.append(row)
            continue
        listed.append((player, row))
        replaced = any(same_spelling(name, row.name) for name in corrected.get(player.pk, ()))
        if replaced or player.privacy:
            row = row._replace(name=player.name)
        found = differences(player, held[player.pk], row)
        if not found:
            outcome.unchanged += 1
            continue
        outcome.changed += 1
        outcome.changes.append(Change(row.number, player.name, False, found))
        take_over(player, row)
        changed.append(player)
        titles += [Title(player=player, code=code) for code in titles_of(row) if code not in held[player.pk]]
    outcome.created = len(new)
    outcome.changes += [Change(row.number, row.name, True, _as_new(row)) for row in new]
    outcome.new_federations = _unknown_federations(rows, known, new)
    if apply:
        Federation.objects.bulk_create(
            [Federation(code=code, name=code) for code in sorted(outcome.new_federations)],
            ignore_conflicts=True,
        )
        Player.objects.bulk_update(changed, _UPDATED)
        _keep_former_names(outcome.changes, known, list_date)
        created = _create(new)
        listed += created
        titles += [Title(player=player, code=code) for player, row in created for code in titles_of(row)]
        Title.objects.bulk_create(titles, ignore_conflicts=True)
        _keep_listings(listed, list_date)
    return outcome


def _known(rows: Sequence[ListedPlayer], *, lock: bool) -> dict[str, Player]:
    found = Identifier.objects.filter(issuer=FIDE, value__in=[row.number for row in rows])
    owners = {
        number: standing or player
        for number, player, standing in found.values_list("value", "player_id", "player__merged_into_id")
    }
    players = Player.objects.order_by("pk")
    players = (players.select_for_update() if lock else players).in_bulk(set(owners.values()))
    return {number: players[pk] for number, pk in owners.items()}


def _corrected(players) -> dict[int, list[str]]:
    """Names that staff have replaced: where a list still has one, the register knows better."""
    names = FormerName.objects.filter(player__in=[player.pk for player in players])
    found: dict[int, list[str]] = {}
    for pk, name in names.exclude(reason__startswith=REASON).values_list("player_id", "name"):
        found.setdefault(pk, []).append(name)
    return found


def _keep_former_names(changes: list[Change], known: dict[str, Player], list_date: date) -> None:
    for change in changes:
        for what, old, _ in change.fields:
            if what == "name" and not change.created:
                keep_former_name(known[change.number], old, f"{REASON} of {list_date}")


def _titles(players) -> dict[int, set[str]]:
    held: dict[int, set[str]] = {player.pk: set() for player in players}
    for pk, code in Title.objects.filter(player__in=list(held)).values_list("player_id", "code"):
        held[pk].add(code)
    return held


def _as_new(row: ListedPlayer) -> list[tuple[str, str, str]]:
    values = (
        ("federation", row.federation),
        ("sex", row.sex),
        ("birth year", str(row.birth_year or "")),
        ("titles", " ".join(titles_of(row))),
    )
    return [(name, "", value) for name, value in values if value]


def _unknown_federations(rows, known: dict[str, Player], new: list[ListedPlayer]) -> set[str]:
    wanted = {row.federation for row in rows if row.number in known and row.federation}
    wanted |= {row.federation for row in new}
    return wanted - set(Federation.objects.filter(code__in=wanted).values_list("code", flat=True))


def _create(rows: list[ListedPlayer]) -> list[tuple[Player, ListedPlayer]]:
    if not rows:
        return []
    IssuingBody.objects.get_or_create(code=FIDE, defaults={"name": FIDE})
    players = []
    for row in rows:
        player = Player(name=row.name, federation_id=row.federation)
        take_over(player, row)
        players.append(player)
    players = Player.objects.bulk_create(players)
    Identifier.objects.bulk_create(
        Identifier(player=player, issuer_id=FIDE, value=row.number)
        for player, row in zip(players, rows, strict=True)
    )
    return list(zip(players, rows, strict=True))


def _keep_listings(listed: list[tuple[Player, ListedPlayer]], list_date: date) -> None:
    """Store what the list said. A list of one kind of rating leaves those of the others of its date."""
    groups: dict[tuple[str, ...], dict[int, FideListing]] = {}
    for player, row in listed:
        said = tuple(rate for rate in RATES if getattr(row, rate) is not None)
        listing = FideListing(player=player, list_date=list_date, active=row.active)
        for name in _TITLE_FIELDS:
            setattr(listing, name, getattr(row, name))
        for rate in said:
            rating = getattr(row, rate)
            setattr(listing, rate, rating.rating or 0)
            setattr(listing, f"{rate}_games", rating.games)
            setattr(listing, f"{rate}_k", rating.k)
        groups.setdefault(said, {})[player.pk] = listing
    for said, listings in groups.items():
        columns = [name for rate in said for name in (rate, f"{rate}_games", f"{rate}_k")]
        FideListing.objects.bulk_create(
            listings.values(),
            update_conflicts=True,
            unique_fields=["player", "list_date"],
            update_fields=["active", *_TITLE_FIELDS, *columns],
        )
