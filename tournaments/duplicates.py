"""Games that are reported already: by another tournament, or by the report that this one replaces."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q

from players.models import Player
from regulations.calendar import span
from regulations.model import PLAYED, EventTotals
from regulations.model import Game as RatedGame
from tournaments.exact import to_decimal
from tournaments.issues import Changes, GameChange, Issue
from tournaments.models import Game, Totals, Tournament

#: the same games in two events are looked for among events at most so far apart
WINDOW = timedelta(days=31)
#: fewer games in common than this are chance, unless they are all
FEW = 3
#: whoever had White: so many games of the same outcome, nine tenths of an event, are no chance
MANY, TENTHS = 6, 9
#: the files have faults of their own that begin with "duplicate-"
_CODE = "same-games-"


def elsewhere(tournament: Tournament, games: Iterable[RatedGame]) -> list[Issue]:
    """Other tournaments of the same list in which these games stand, under whatever name and round."""
    mine = Counter((g.white, g.black, g.result) for g in games if g.result in PLAYED)
    if not mine:
        return []
    issues = []
    for other, theirs in _with_games_of(tournament, mine).items():
        shared = (mine & theirs).total()
        size = Game.objects.filter(tournament=other, result__in=PLAYED).count()
        if shared and (shared in (mine.total(), size) or (shared >= FEW and 2 * shared >= mine.total())):
            issues.append(_duplicate(other, shared, mine.total()))
        elif (alike := _alike(mine, theirs)) >= MANY and 10 * alike >= TENTHS * min(mine.total(), size):
            issues.append(_duplicate(other, alike, mine.total()))
        elif shared >= FEW:
            text = f"{shared} of these games stand also in {_where(other)}."
            remedy = "Check that the same games were not reported twice."
            issues.append(Issue("warning", "games", text, remedy, code="games-shared"))
    return issues


def _alike(mine: Counter, theirs: Counter) -> int:
    """Games in common, whoever had White in them."""
    turned = {"1-0": "0-1", "0-1": "1-0"}

    def colourless(games: Counter) -> Counter:
        found: Counter = Counter()
        for (white, black, result), number in games.items():
            pair = (white, black, result)
            found[min(pair, (black, white, turned.get(result, result)))] += number
        return found

    return (colourless(mine) & colourless(theirs)).total()


def totals_elsewhere(tournament: Tournament, rows: Iterable[EventTotals]) -> list[Issue]:
    """The same for an event reported by totals: most of the rows, figure by figure."""
    mine = {(int(row.player), to_decimal(row.points), row.games, row.average) for row in rows}
    if not mine:
        return []
    found: dict[int, int] = defaultdict(int)
    told = Totals.objects.filter(
        entry__tournament__in=_near(tournament), entry__player__in={row[0] for row in mine}
    )
    for event, *row in told.values_list("entry__tournament", "entry__player", "points", "games", "average"):
        found[event] += tuple(row) in mine
    twins = Tournament.objects.filter(pk__in=[e for e, n in found.items() if 2 * n >= len(mine)])
    return [_duplicate(other, found[other.pk], len(mine), "rows") for other in twins.order_by("pk")]


def _near(tournament: Tournament):
    """Other tournaments of the same list about the same time, except those ruled to be others."""
    ruled = Q(pk__in=tournament.rulings.values("other")) | Q(rulings__other=tournament)
    near = Tournament.objects.filter(
        rating_system=tournament.rating_system,
        start__lte=tournament.end + WINDOW,
        end__gte=tournament.start - WINDOW,
    )
    return near.exclude(pk=tournament.pk).exclude(ruled)


def _with_games_of(tournament: Tournament, mine: Counter) -> dict[Tournament, Counter]:
    people = {int(player) for white, black, _ in mine for player in (white, black)}
    found = Game.objects.filter(
        tournament__in=_near(tournament),
        white__player__in=people,
        black__player__in=people,
        result__in=PLAYED,
    ).values_list("tournament_id", "white__player_id", "black__player_id", "result")
    by_event: dict[int, Counter] = defaultdict(Counter)
    for event, white, black, result in found:
        by_event[event][str(white), str(black), result] += 1
    return {event: by_event[event.pk] for event in Tournament.objects.filter(pk__in=by_event).order_by("pk")}


def _where(other: Tournament) -> str:
    return f"{other.name}, {other.city or other.federation_id}, {span(other.start, other.end)}"


def _duplicate(other: Tournament, shared: int, all_: int, what: str = "games") -> Issue:
    count = f"All {all_} {what}" if shared == all_ else f"{shared} of {all_} {what}"
    if all_ == 1:
        count = f"The only {what.removesuffix('s')}"
    return Issue(
        "error",
        "games",
        f"{count} of this report are reported already in {_where(other)} (state: {other.standing[1]}).",
        "If it is the same event, nothing needs to be done here; further rounds belong into a longer report "
        "of that tournament. If they are two events, the federation can rule so.",
        code=f"{_CODE}{other.pk}",
    )


def of_issues(issues: Iterable[Issue]) -> list[Tournament]:
    """The other tournaments that these issues are about."""
    keys = [int(i.code.removeprefix(_CODE)) for i in issues if i.code.startswith(_CODE)]
    return list(Tournament.objects.filter(pk__in=keys).order_by("pk"))


def changes(tournament: Tournament, games: Iterable[RatedGame]) -> Changes | None:
    """What a report changes in the stored one; None if none is stored."""
    stored = tournament.games.select_related("white__player", "black__player")
    if not stored:
        return None
    before = {_key(g.round, g.white.player_id, g.black and g.black.player_id): _stored(g) for g in stored}
    now = {_key(g.round, g.white, g.black): g for g in games}
    names = _names(now, before)
    found = Changes()
    rounds = {key[0] for key in before}
    for key, game in sorted(now.items(), key=lambda item: item[0][0]):
        old = before.pop(key, None)
        if old is None:
            if key[0] in rounds:
                found.corrected.append(_change(key, names, "", _words(game, names)))
            else:
                found.added_rounds[key[0]] = found.added_rounds.get(key[0], 0) + 1
        elif (old.white, old.result) != (game.white, game.result):
            found.corrected.append(_change(key, names, _words(old, names), _words(game, names)))
        else:
            found.same += 1
    for key, old in sorted(before.items(), key=lambda item: item[0][0]):
        found.removed.append(_change(key, names, _words(old, names), ""))
    return found


def _key(round_: int, white, black) -> tuple[int, frozenset[str]]:
    return round_, frozenset(str(player) for player in (white, black) if player is not None)


def _stored(game: Game) -> RatedGame:
    black = str(game.black.player_id) if game.black else None
    return RatedGame(game.round, str(game.white.player_id), black, game.result)


def _names(*games) -> dict[str, str]:
    wanted = {int(player) for found in games for _, both in found for player in both}
    return {str(pk): name for pk, name in Player.objects.filter(pk__in=wanted).values_list("pk", "name")}


def _words(game: RatedGame, names: dict[str, str]) -> str:
    white = names.get(game.white, "a new player")
    return f"{white} {game.result} {names.get(game.black, 'a new player') if game.black else ''}".strip()


def _change(key, names: dict[str, str], before: str, now: str) -> GameChange:
    players = " – ".join(sorted(names.get(player, "a new player") for player in key[1]))
    return GameChange(key[0], players, before, now)
