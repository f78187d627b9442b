"""Articles 6, 7 and 9: what one event means for each of its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from regulations.crosstable import Crosstable
from regulations.exact import show, sum_text
from regulations.feda_1996 import championship, formulas, registration, report_file, round_robin, swiss
from regulations.feda_1996.championship import MEETINGS
from regulations.feda_1996.formulas import ZERO, Part, Seen
from regulations.feda_1996.parameters import Parameters
from regulations.model import Event, EventPlayer, EventResult, Finding, PlayerResult, Step, Uncounted


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of an event, or all of it, and the system that it is rated by."""

    number: int
    table: Crosstable
    treated_as: str


def rate(p: Parameters, event: Event) -> EventResult:
    """Changes of the rated, performances of the unrated, and a reason for each uncounted game."""
    if event.totals:
        return report_file.rate(p, event)
    table = Crosstable(event, cut_decided=False)
    phases = phases_of(p, event, table)
    findings = (*treatment_findings(event, phases), *event_findings(p, event, phases))
    systems = {phase.treated_as for phase in phases}
    treated_as = systems.pop() if len(systems) == 1 else event.system
    error = next((finding for finding in findings if finding.severity == "error"), None)
    if error:
        players = tuple(not_rated(p, table, player, error.article) for player in table.players.values())
        return EventResult(False, treated_as, findings, players)
    everybody = View(p, table, phases, formulas.seen(table))
    results = []
    for player in table.players.values():
        view = everybody
        if player.rated_since_event and formulas.own_rating(p, player) is not None:
            view = View(p, table, phases, formulas.seen(table, player))
        results.append(player_result(p, event, view, player))
    return EventResult(True, treated_as, findings, tuple(results), everybody.tournament_average())


def phases_of(p: Parameters, event: Event, table: Crosstable) -> tuple[Phase, ...]:
    """7.2: preliminaries and finals, each as an event of its own."""
    numbers = sorted({game.phase for game in event.games})
    if len(numbers) < 2 or p.phases == "pooled":
        return (Phase(1, table, treatment(table)),)
    found = []
    for number in numbers:
        games = tuple(game for game in event.games if game.phase == number)
        own = Crosstable(replace(event, games=games), cut_decided=False)
        found.append(Phase(number, own, treatment(own)))
    return tuple(found)


def treatment(table: Crosstable) -> str:
    """7.43: a round robin with an unplayed game is rated as a Swiss tournament."""
    meetings = MEETINGS.get(table.event.system)
    if meetings is None or table.every_pair_played(meetings):
        return table.event.system
    return "swiss"


def treatment_findings(event: Event, phases: Sequence[Phase]) -> tuple[Finding, ...]:
    """7.43: a warning for each phase that is not rated by the system of the event."""
    found = []
    for phase in phases:
        if phase.treated_as != event.system:
            games = "its game" if MEETINGS[event.system] == 1 else "two games"
            where = f"Phase {phase.number}: not" if len(phases) > 1 else "Not"
            text = f"{where} every pair played {games}: rated as a Swiss tournament."
            found.append(Finding("warning", "treated-as-swiss", "7.43", text, None, "system"))
    return tuple(found)


def event_findings(p: Parameters, event: Event, phases: Sequence[Phase]) -> tuple[Finding, ...]:
    """5.1 and 7.3-7.33 on the event as it was played."""
    found: list[Finding] = []
    if event.start is not None and event.end is not None:
        found += registration.duration(p, event.start, event.end, event.authorizations)
    for phase in phases:
        participants = phase.table.participants
        rated = sum(is_rated(p, player) for player in participants)
        found += registration.composition(p, phase.treated_as, len(participants), rated, event.flags)
    return tuple(found)


def is_rated(p: Parameters, player: EventPlayer) -> bool:
    """7.3 with 9.56: rated for the composition of the event."""
    if formulas.is_foreign(player) and not p.foreigners_are_rated:
        return False
    return formulas.seen_by_opponents(player) is not None


class View:
    """The event with its ratings as one player, or everybody, is rated by them."""

    def __init__(self, p: Parameters, table: Crosstable, phases: Sequence[Phase], sight: Seen) -> None:
        self.p, self.table, self.phases, self.sight = p, table, phases, sight
        self.averages = {
            phase.number: round_robin.average(phase.table, sight, MEETINGS[phase.treated_as])
            for phase in phases
            if phase.treated_as in MEETINGS
        }
        self.numbers = {
            phase.number: swiss.opponents(p, phase.table, sight)
            for phase in phases
            if phase.treated_as not in MEETINGS
        }

    def part(self, phase: Phase, player: EventPlayer) -> Part:
        """One phase for one player."""
        p, sight, own = self.p, self.sight, formulas.own_rating(self.p, player)
        if phase.treated_as in MEETINGS:
            average = self.averages[phase.number]
            return round_robin.part(p, phase.table, sight, average, player, own)
        met = swiss.rated_opponents(self.table, sight, player.id)
        return swiss.part(p, phase.table, sight, self.numbers[phase.number], player, own, met)

    def tournament_average(self) -> Fraction | None:
        """Ra of an event that is one round robin with unrated players."""
        average = self.averages.get(self.phases[0].number)
        everybody_rated = len(self.sight.ratings) == len(self.table.players)
        if len(self.phases) > 1 or average is None or everybody_rated:
            return None
        return average.ra


def player_result(p: Parameters, event: Event, view: View, player: EventPlayer) -> PlayerResult:
    """One player's change or performance over all phases."""
    if formulas.is_foreign(player):
        return foreigner(view.table, player)
    parts = [(phase.number, view.part(phase, player)) for phase in view.phases]
    if formulas.own_rating(p, player) is None:
        return unrated_result(p, event, player, parts)
    return rated_result(p, player, parts)


def not_rated(p: Parameters, table: Crosstable, player: EventPlayer, article: str) -> PlayerResult:
    """A player of an event that is not rated: no game counts."""
    uncounted = tuple(
        Uncounted(line.round, line.opponent, article, "event not rated") for line in table.lines[player.id]
    )
    if formulas.own_rating(p, player) is None:
        return PlayerResult(player.id, "unrated", 0, ZERO, pooled=False, uncounted=uncounted)
    return rated_result(p, player, [(1, Part(uncounted=uncounted))])


def foreigner(table: Crosstable, player: EventPlayer) -> PlayerResult:
    """9.56: a foreigner who is not affiliated is an opponent only."""
    uncounted = tuple(
        Uncounted(line.round, line.opponent, "6.1", line.why_unplayed)
        if line.why_unplayed
        else Uncounted(line.round, line.opponent, "9.56", "foreigner of no club of the federation")
        for line in table.lines[player.id]
    )
    return PlayerResult(player.id, "unrated", 0, ZERO, pooled=False, uncounted=uncounted)


def rated_result(p: Parameters, player: EventPlayer, parts: Sequence[tuple[int, Part]]) -> PlayerResult:
    """9.53: K (W - We). 7.2: W and We of the phases are added up, so that each weighs by its games."""
    played = [(number, part) for number, part in parts if part.games]
    games, score, steps = joined(played)
    expected = sum((part.expected for _, part in played), ZERO)
    k, why = formulas.k_factor(p, player.career_games, player.rating, player.reached_k10)
    change, rc = ZERO, None
    if games:
        if len(played) > 1:
            steps += (Step("7.2", "We", show(expected), sum_text([part.expected for _, part in played])),)
        change, found = formulas.change_steps(score, expected, games, k, why)
        steps += found
        rc = weighted([(part.ra or ZERO, part.games) for _, part in played])
    return PlayerResult(
        player.id,
        "rated",
        games,
        score,
        rc=rc,
        expected=expected,
        k=k,
        change=change,
        counted=tuple(game for _, part in played for game in part.counted),
        uncounted=uncounted_of(parts),
        steps=steps,
    )


def unrated_result(
    p: Parameters, event: Event, player: EventPlayer, parts: Sequence[tuple[int, Part]]
) -> PlayerResult:
    """9.2: Ru; 7.2: of several phases, weighted by games. 9.31: a first Ru under 1805 is not kept;
    9.4: what a national championship gives besides."""
    played = [(number, part) for number, part in parts if part.games]
    games, score, steps = joined(played)
    ru, kept = None, False
    if games:
        found = [(part.ru or ZERO, part.games) for _, part in played]
        ru = weighted(found)
        if len(found) > 1:
            products = " + ".join(f"{show(value)} × {count}" for value, count in found)
            steps += (Step("7.2", "Ru", show(ru), f"({products})/{games}"),)
        kept = not (player.first_event and is_ignored(p, ru))
        if not kept:
            steps += (Step("9.31", "kept", "no", f"first performance under {p.floor}"),)
    award = championship.award(p, event, player)
    if award is not None:
        steps += award[2]
    return PlayerResult(
        player.id,
        "unrated",
        games,
        score,
        performance=ru,
        pooled=kept,
        counted=tuple(game for _, part in played for game in part.counted),
        uncounted=uncounted_of(parts),
        steps=steps,
    )


def is_ignored(p: Parameters, ru: Fraction) -> bool:
    """9.31: a first performance under 1805, compared before rounding."""
    return ru < p.floor


def joined(played: Sequence[tuple[int, Part]]) -> tuple[int, Fraction, tuple[Step, ...]]:
    """Games, points and steps of the phases that count; each phase of several has its heading."""
    steps: tuple[Step, ...] = ()
    for number, part in played:
        if len(played) > 1:
            steps += (Step("7.2", "phase", str(number), f"{part.games} games"),)
        steps += part.steps
    return sum(part.games for _, part in played), sum((part.score for _, part in played), ZERO), steps


def weighted(values: Sequence[tuple[Fraction, int]]) -> Fraction:
    """7.2: the mean of the values, each weighted by its games."""
    return sum((value * games for value, games in values), ZERO) / sum(games for _, games in values)


def uncounted_of(parts: Sequence[tuple[int, Part]]) -> tuple[Uncounted, ...]:
    return formulas.in_rounds([each for _, part in parts for each in part.uncounted])
