"""General 6 to 9: the list that follows another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from regulations import lists
from regulations.crosstable import Crosstable
from regulations.exact import half_up, show, sum_text
from regulations.fecap_postal.formulas import ZERO, weight_by_rating
from regulations.fecap_postal.parameters import Parameters
from regulations.fecap_postal.periods import PERIODS_OF_A_YEAR
from regulations.fecap_postal.rating import games_of, play, whole
from regulations.fecap_postal.standing import Outcome, Played, standing_of
from regulations.model import (
    Event,
    EventPlayer,
    EventShare,
    Game,
    ListInput,
    ListPlayer,
    ListResult,
    ListRow,
    Step,
)


def next_list(p: Parameters, given: ListInput) -> ListResult:
    """General 9: first the events of which more than half is finished, then the others, which start
    from the ratings that the first ones lead to. What was computed for single events is not used."""
    events = sorted((each.event for each in given.events if each.result.rated), key=lists.event_order)
    players = everybody(given.previous, events)
    begun = {player.id for event in events for player in event.players}
    standings = {
        player.id: standing_of(p, player)
        for player in players.values()
        if player.id in begun or player.rating is not None or player.provisional
    }
    outcomes: list[dict[str, Outcome]] = []
    for batch in batches(p, events, given.list_date):
        outcomes.append(play(p, standings, games_of_all(batch)))
        standings = {player: outcome.after for player, outcome in outcomes[-1].items()}
    late = later_games(events, given.list_date)
    rows = []
    for player in players.values():
        if player.id in standings:
            rows.append(row_of(p, player, [each[player.id] for each in outcomes], late.get(player.id, [])))
        else:
            rows.append(not_begun(player))
    return lists.in_list_order(rows, ())


def everybody(previous: Iterable[ListPlayer], events: Sequence[Event]) -> dict[str, ListPlayer]:
    """Each player of the previous list or of an event; what the list does not say is taken from the
    first event that says it."""
    found = {player.id: player for player in previous}
    for event in events:
        for player in event.players:
            known = found.get(player.id, ListPlayer(player.id, None))
            found[player.id] = completed(known, player)
    return {player: found[player] for player in sorted(found)}


def completed(known: ListPlayer, told: EventPlayer) -> ListPlayer:
    """A player of the list with what an event adds. A rating of the list stands."""
    first = known.rating is None
    return replace(
        known,
        rating=told.rating if first else known.rating,
        career_games=told.career_games if known.career_games is None else known.career_games,
        provisional=known.provisional or (first and told.provisional),
        otb_category=known.otb_category or told.otb_category,
        totals=known.totals or told.totals,
    )


# --- the games --------------------------------------------------------------------------------


def is_finished(game: Game, list_date: date) -> bool:
    """General 8: reported finished before the list."""
    return game.finished_on is None or game.finished_on < list_date


def batches(p: Parameters, events: Sequence[Event], list_date: date) -> tuple[list[Event], list[Event]]:
    """General 9: the events of which more than half is finished, and the others; of each only the
    games that are finished."""
    first: list[Event] = []
    others: list[Event] = []
    for event in events:
        finished = tuple(game for game in event.games if is_finished(game, list_date))
        batch = first if is_mostly_finished(p, event, finished) else others
        batch.append(replace(event, games=finished))
    return first, others


def is_mostly_finished(p: Parameters, event: Event, finished: Sequence[Game]) -> bool:
    """General 9: more than half of the event's games; without their number, of the games given."""
    total = event.games_in_event
    if total is None:
        total = sum(game.black is not None for game in event.games)
    return sum(game.black is not None for game in finished) > p.batch_share * total


def games_of_all(events: Iterable[Event]) -> dict[str, list[Played]]:
    """The finished games of each player in these events."""
    found: dict[str, list[Played]] = {}
    for event in events:
        for player, games in games_of(Crosstable(event)).items():
            found.setdefault(player, []).extend(games)
    return found


def later_games(events: Iterable[Event], list_date: date) -> dict[str, list[Step]]:
    """General 8: games that were finished too late for this list, as steps of both players."""
    found: dict[str, list[Step]] = {}
    for event in events:
        late = [game for game in event.games if not is_finished(game, list_date)]
        for game in sorted(late, key=lambda game: (game.round, game.white)):
            for player, opponent in ((game.white, game.black), (game.black, game.white)):
                if player is not None:
                    text = (
                        f"{event.id} round {game.round}, {opponent or 'bye'}: finished on {game.finished_on}"
                    )
                    step = Step("General 8", "not counted yet", "later list", text)
                    found.setdefault(player, []).append(step)
    return found


# --- the rows ---------------------------------------------------------------------------------


def not_begun(player: ListPlayer) -> ListRow:
    """General 2: who has not begun with postal chess has no rating yet."""
    return ListRow(
        player.id,
        "unrated",
        None,
        None,
        0,
        None,
        career_games=lists.career_games(player),
        reached_k10=bool(player.reached_k10),
        games_by_period=lists.year_of_games(0, player.games_by_period, PERIODS_OF_A_YEAR),
    )


def row_of(p: Parameters, player: ListPlayer, outcomes: Sequence[Outcome], late: Sequence[Step]) -> ListRow:
    """The row of a player after both batches. No article makes anybody inactive."""
    before, after = outcomes[0].before, outcomes[-1].after
    part = [each for each in outcomes if each.counted]
    games = sum(len(each.counted) for each in part)
    change, shares, factor = None, (), None
    if before.provisional:
        steps = [step for each in part or outcomes[:1] for step in (*heading(part, each), *each.steps)]
    else:
        change, shares, steps = explained(p, part)
        factors = {each.factor for each in part or outcomes[:1]}
        factor = whole(factors.pop()) if len(factors) == 1 else None
        if player.rating is None:
            steps.insert(0, Step("General 2", "R0", str(p.start), "begins with postal chess"))
    return ListRow(
        player.id,
        "provisional" if after.provisional else "active",
        after.rating,
        change,
        games,
        factor,
        steps=(*steps, *late),
        events=shares,
        career_games=after.games,
        reached_k10=bool(player.reached_k10),
        games_by_period=lists.year_of_games(games, player.games_by_period, PERIODS_OF_A_YEAR),
        k_next=k_of(p, after.rating or 0),
        totals=after.totals if after.provisional else None,
    )


def k_of(p: Parameters, rating: int) -> int:
    """Phase 2: a as a whole number, half up, for lists that show a K; the computation takes a itself."""
    return half_up(weight_by_rating(p, rating))


def heading(part: Sequence[Outcome], outcome: Outcome) -> list[Step]:
    """General 9: which events a step belongs to, where a player has games in both batches."""
    if len(part) < 2:
        return []
    number = "first" if outcome is part[0] else "second"
    return [Step("General 9", "batch", number, ", ".join(dict.fromkeys(outcome.events)))]


def explained(p: Parameters, part: Sequence[Outcome]) -> tuple[Fraction, tuple[EventShare, ...], list[Step]]:
    """A rated player's change by events. What the rounding after the first batch or the floor adds is
    spread over the batch's events by their games, so that the shares lead from rating to rating."""
    shares: list[EventShare] = []
    steps: list[Step] = []
    for outcome in part:
        steps += [*heading(part, outcome), *outcome.steps]
        correction, of_it = correction_of(p, outcome, outcome is part[-1])
        steps += of_it
        for event in dict.fromkeys(outcome.events):
            share, step = share_of(outcome, event, correction)
            shares.append(share)
            steps.append(step)
    change = sum((share.change for share in shares), ZERO)
    text = sum_text([share.change for share in shares]) or "no games"
    return change, tuple(shares), [*steps, Step("Fase 2", "change", show(change), text)]


def correction_of(p: Parameters, outcome: Outcome, last: bool) -> tuple[Fraction, list[Step]]:
    """What the rating moved by beyond f·Σ(W - We): the floor, or the rounding after the first batch. The
    rounding of the last batch is the list's own and no part of the change."""
    before, after = outcome.before.rating or 0, outcome.after.rating or 0
    change = outcome.change or ZERO
    floored = half_up(before + change) < p.floor
    correction = after - before - change
    if not correction or (last and not floored):
        return ZERO, []
    article = "General 3" if floored else "General 9"
    why = f"{after} - {before} - ({show(change)}): " + ("the floor" if floored else "rounded between batches")
    return correction, [Step(article, "correction", show(correction), why)]


def share_of(outcome: Outcome, event: str, correction: Fraction) -> tuple[EventShare, Step]:
    """The part of a change that comes from one event."""
    own = [game for game, each in zip(outcome.counted, outcome.events, strict=True) if each == event]
    total = sum((game.score - (game.expected or ZERO) for game in own), ZERO)
    factor = outcome.factor or ZERO
    part = factor * total + correction * len(own) / len(outcome.counted)
    text = f"{show(factor)} × {show(total)}"
    if correction:
        text += f" + {show(correction)} × {len(own)}/{len(outcome.counted)}"
    share = EventShare(event, part, whole(outcome.factor))
    return share, Step("Fase 2", f"share of {event}", show(part), text)
