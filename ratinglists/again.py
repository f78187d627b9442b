"""A published list computed again as it stood, with the changes of a correction applied.

What the list itself tells is taken from it: which events it counted, whom it took for one person, what
it printed of each. See docs/staff/revisions.md.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property

from django.db.models import Q

from players.models import Identifier, IdentityChange, Player, Title
from players.queries import aliases
from ratinglists.computation import Candidate, Inputs, Progress, players_by_id, read_inputs, to_be_rated
from ratinglists.correction_changes import Changes
from ratinglists.models import CorrectionItem, EventResult, ListRow, PlayerResult, RatingList
from ratinglists.snapshot import hash_of
from ratinglists.standpoint import Standpoint, taken
from regulations import model as rules
from tournaments.correcting import contents_of, left_out, source_of
from tournaments.models import Report, Tournament
from tournaments.queries import Contents, EventPart, stored_contents
from tournaments.sources import Source, goes_on, standing_report, stored_source

Kind = CorrectionItem.Kind
ONE_DAY = timedelta(days=1)
PRINTED = (
    "player_id", "name", "federation", "title", "women_title", "sex", "birth_year", "birth_date",
    "fide_id", "national_id",
)  # fmt: skip


class Again:
    """One published list, to be computed again after ``before``: the lists of the system before it, as the
    correction leaves them (``ratinglists.standpoint``)."""

    def __init__(self, listed: RatingList, before: Iterable[int], changes: Changes) -> None:
        self.listed, self.changes = listed, changes
        self.day = listed.period.list_date
        self.persons_now = changes.persons_from is not None and changes.persons_from <= self.day
        self._told: dict[int, tuple[Contents, dict[int, int]]] = {}
        self.point = Standpoint(listed.period.system_id, tuple(before), self._persons())

    def inputs(self, progress: Progress) -> Inputs:
        """Everything that the list depends on, as ``computation.read_inputs`` gives it. Whatever reads lists
        for the computation reads them within ``self.standing()``."""
        with self.standing():
            inputs = read_inputs(self.listed.period, progress, self.candidates(), self.parts_of, self.people)
        inputs.source_of = self.source_of
        inputs.sha256 = hash_of(inputs)
        return inputs

    def standing(self):
        return taken(self.point)

    @property
    def touched(self) -> bool:
        """Does an item change what this list counts?"""
        return any(self._item_for(pk) is not None for pk in self._outcomes | self.changes.items.keys())

    # --- events ------------------------------------------------------------------------------------

    @cached_property
    def _outcomes(self) -> dict[int, dict]:
        return {event["tournament"]: event for event in self.listed.report["events"]}

    def _item_for(self, tournament: int) -> CorrectionItem | None:
        """The item that changes what this list makes of a tournament."""
        item = self.changes.items.get(tournament)
        if item is None or item.list_date > self.day:
            return None
        dealt_with = self._outcomes.get(tournament, {}).get("outcome", "deferred")
        if item.kind == Kind.INCLUDE:
            return item if item.list_date == self.day or dealt_with == "refused" else None
        return item if dealt_with == "counted" else None

    def candidates(self) -> list[Candidate]:
        """The events that the list dealt with, each with what becomes of it now."""
        outcomes = self._outcomes_now
        found = to_be_rated(Tournament.objects.filter(pk__in=outcomes))
        return [self._candidate(tournament, outcomes[tournament.pk]) for tournament in found]

    def due(self) -> list[tuple[int, str]]:
        """The events that the list has to deal with, by key and name (``validation.check``)."""
        return [(pk, told["name"]) for pk, told in sorted(self._outcomes_now.items())]

    @cached_property
    def _outcomes_now(self) -> dict[int, dict]:
        """What the list made of each event; an event that a correction includes is counted."""
        outcomes = dict(self._outcomes)
        for pk, item in self.changes.items.items():
            if item.kind != Kind.INCLUDE or item.list_date > self.day:
                continue
            if item.list_date == self.day:
                outcomes[pk] = {"name": item.tournament.name, "outcome": "counted", "reason": ""}
            elif outcomes.get(pk, {}).get("outcome") != "counted":
                outcomes.pop(pk, None)  # no later list defers or refuses it any more
        return outcomes

    def _candidate(self, tournament: Tournament, told: dict) -> Candidate:
        item = self._item_for(tournament.pk)
        outcome, reason = told["outcome"], told["reason"]
        findings = self._findings.get(tournament.pk, ())
        if item is not None and item.kind == Kind.EXCLUDE:
            why = item.reason or item.correction.reason
            outcome, reason = "refused", f"Taken out by a correction: {why}"
            findings = (rules.Finding("error", "taken-out", "", reason),)
        elif outcome == "counted":
            findings = tuple(f for f in findings if f.severity == "warning" and f.subject == "received")
        report = None if outcome == "deferred" else standing_report(tournament)
        if item is not None and item.kind == Kind.REPORT:
            report = item.report
        return Candidate(tournament, report, outcome, reason, findings)

    @cached_property
    def _findings(self) -> dict[int, tuple[rules.Finding, ...]]:
        events = EventResult.objects.filter(rating_list=self.listed, part=1)
        return {
            pk: tuple(rules.Finding(**finding) for finding in findings)
            for pk, findings in events.values_list("tournament_id", "findings")
        }

    def parts_of(
        self, tournament: Tournament, not_first: frozenset[int] = frozenset(), on: date | None = None
    ) -> list[EventPart]:
        """A counted event as this list has it now: by its corrected report, or as it is stored."""
        contents, known = self._read(tournament)
        people = self.people({known.get(player.pk, player.pk) for player in contents.people})
        keys = {str(record): str(person) for record, person in known.items()}
        contents = Contents(
            tuple(people[known.get(player.pk, player.pk)] for player in contents.people),
            tuple(
                replace(game, white=keys.get(game.white, game.white), black=keys.get(game.black, game.black))
                for game in contents.games
            ),
            tuple(replace(row, player=keys.get(row.player, row.player)) for row in contents.totals),
            contents.round_dates,
        )
        return contents.parts(tournament, not_first, on, before=self.day)

    def source_of(self, tournament: Tournament, report: Report) -> Source:
        """The file that tells an event as ``parts_of`` gives it."""
        contents, known = self._read(tournament)
        item = self._item_for(tournament.pk)
        if item is not None and item.kind == Kind.REPORT:
            return source_of(report, self.changes.readings[tournament.pk], self.day).under(known)
        found = stored_source(tournament, report, contents.games)
        if (later := self.changes.included(tournament.pk)) is not None:
            found.elsewhere.update({place: day or later for place, day in found.elsewhere.items()})
        if report.correction_items.exists():
            found.elsewhere.update(left_out(found, tournament))
        return found.under(known)

    def _read(self, tournament: Tournament) -> tuple[Contents, dict[int, int]]:
        """What the event's report says, and who of its players was another record for the list; once."""
        if tournament.pk not in self._told:
            contents = self._contents(tournament)
            self._told[tournament.pk] = contents, self._as_counted(tournament, contents.people)
        return self._told[tournament.pk]

    def _contents(self, tournament: Tournament) -> Contents:
        item, postal = self._item_for(tournament.pk), goes_on(tournament)
        if item is not None and item.kind == Kind.REPORT:
            return contents_of(self.changes.readings[tournament.pk], self.day)
        if item is not None and item.kind == Kind.INCLUDE and postal:
            games = tournament.games.filter(Q(counted_on__isnull=True) | Q(counted_on=self.day))
            found = stored_contents(tournament, games)
            games = (self._in_time(game) for game in found.games)
            return Contents(found.people, tuple(games), found.totals, found.round_dates)
        stored = tournament.games.filter(counted_on=self.day) if postal else tournament.games.all()
        return stored_contents(tournament, stored)

    def _in_time(self, game: rules.Game) -> rules.Game:
        """A late game counts as if it had been reported on the last day before the list."""
        if game.finished_on is None or game.finished_on < self.day:
            return game
        return replace(game, finished_on=self.day - ONE_DAY)

    # --- persons -----------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> dict[int, dict]:
        rows = ListRow.objects.filter(rating_list=self.listed).order_by()
        return {row["player_id"]: row for row in rows.values(*PRINTED).iterator(chunk_size=2000)}

    @cached_property
    def _families(self) -> dict[int, frozenset[int]]:
        """Record -> all records that merges and splits, undone or not, connect it with."""
        family: dict[int, set[int]] = {}
        for one, other in IdentityChange.objects.order_by("pk").values_list("source_id", "target_id"):
            joined = family.get(one, {one}) | family.get(other, {other})
            family.update(dict.fromkeys(joined, joined))
        return {record: frozenset(joined) for record, joined in family.items()}

    def _persons(self) -> Mapping[int, int]:
        """Record -> person for every record that is not a person of its own on this list."""
        now = aliases()
        if self.persons_now:
            return now
        found = {}
        for record, family in self._families.items():
            if record in self._rows:
                continue
            own = [other for other in family if other in self._rows]
            person = own[0] if len(own) == 1 else now.get(record, record)
            if person != record:
                found[record] = person
        return found

    @cached_property
    def _counted(self) -> dict[int, set[int]]:
        found: dict[int, set[int]] = defaultdict(set)
        results = PlayerResult.objects.filter(event__rating_list=self.listed)
        results = results.filter(player__in=list(self._families)).order_by()
        for tournament, player in results.values_list("event__tournament_id", "player_id"):
            found[tournament].add(player)
        return found

    def _as_counted(self, tournament: Tournament, people: Iterable[Player]) -> dict[int, int]:
        """Player of an event -> the record for which the list counted it, where they differ."""
        if self.persons_now or not self._families:
            return {}
        counted, here = self._counted.get(tournament.pk, set()), {player.pk for player in people}
        found = {}
        for pk in here & self._families.keys():
            if pk in counted:
                continue
            others = [other for other in self._families[pk] if other in counted - here]
            person = others[0] if len(others) == 1 else self.point.persons.get(pk, pk)
            if person != pk and person not in here and person not in found.values():
                found[pk] = person
        return found

    def people(self, keys: set[int]) -> dict[int, Player]:
        """Players as the list printed them; those new to it as the register has them."""
        return {
            pk: self._as_printed(player, self._rows[pk]) if pk in self._rows else player
            for pk, player in players_by_id(keys).items()
        }

    def _as_printed(self, player: Player, row: dict) -> Player:
        printed = copy.copy(player)
        day = row["birth_date"] or (row["birth_year"] and date(row["birth_year"], 1, 1)) or None
        printed.name, printed.federation_id, printed.sex = row["name"], row["federation"], row["sex"]
        printed.birth_date = day
        full = row["birth_date"] is not None
        printed.birth_precision = Player.Precision.DAY if full else Player.Precision.YEAR if day else ""
        numbers = {"FIDE": row["fide_id"], self.listed.period.system.federation_id: row["national_id"]}
        printed._prefetched_objects_cache = {
            "titles": [Title(code=code) for code in {row["title"], row["women_title"]} - {""}],
            "identifiers": [
                Identifier(issuer_id=issuer, value=value)
                for issuer, value in numbers.items()
                if issuer and value
            ],
        }
        return printed
