"""The calculator's answers: from the values of ``regulations.model`` to the objects of its JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from regulations import lists
from regulations.base import Regulation
from regulations.compare import Comparison
from regulations.exact import show
from regulations.model import CheckResult, EventResult, Finding, ListInput, ListResult, ListRow, Step


def _shown(value: int | Fraction | None) -> str | None:
    return None if value is None else show(value)


def finding(value: Finding) -> dict[str, Any]:
    return {
        "severity": value.severity,
        "code": value.code,
        "article": value.article,
        "message": value.message,
        "waivable": value.waivable,
    }


def step(value: Step) -> dict[str, Any]:
    return {"article": value.article, "label": value.label, "value": value.value, "text": value.text}


def write_catalog(regulations: tuple[Regulation, ...]) -> list[dict[str, Any]]:
    """Each regulation with its parameters."""
    return [
        {
            "code": each.code,
            "title": each.title,
            "effective_from": each.effective_from.isoformat(),
            "effective_until": each.effective_until.isoformat() if each.effective_until else None,
            "rates": list(each.rates),
            "parameters": {
                name: {"value": _plain(one.value), "article": one.article, "meaning": one.meaning}
                for name, one in each.parameters.items()
            },
        }
        for each in regulations
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return show(value) if isinstance(value, Fraction) else value


def write_check(result: CheckResult) -> dict[str, Any]:
    return {
        "ratable": result.ratable,
        "rate": result.rate,
        "minutes_for_60_moves": _shown(result.minutes_for_60_moves),
        "findings": [finding(each) for each in result.findings],
    }


def write_rate(result: EventResult) -> dict[str, Any]:
    return {
        "rated": result.rated,
        "treated_as": result.treated_as,
        "findings": [finding(each) for each in result.findings],
        "ra": _shown(result.ra),
        "players": [
            {
                "id": player.id,
                "status": player.status,
                "games": player.games,
                "score": show(player.score),
                "rc": _shown(player.rc),
                "expected": _shown(player.expected),
                "k": player.k,
                "change": _shown(player.change),
                "performance": _shown(player.performance),
                "pooled": player.pooled,
                "uncounted": [
                    {
                        "round": game.round,
                        "opponent": game.opponent,
                        "article": game.article,
                        "reason": game.reason,
                    }
                    for game in player.uncounted
                ],
                "steps": [step(each) for each in player.steps],
            }
            for player in result.players
        ],
    }


def _totals(row: ListRow) -> dict[str, Any]:
    """What a provisional player carries on, as ``previous`` of the next list takes it."""
    if row.totals is None:
        return {}
    return {
        "total_points": show(row.totals.points),
        "total_games": row.totals.games,
        "rated_games": row.totals.rated_games,
        "rated_average": show(row.totals.rated_average),
    }


_COMPARED = ("status", "games", "score", "rc", "expected", "k", "change", "performance", "pooled")


def write_comparison(found: Comparison) -> dict[str, Any]:
    """Each regulation's event, then each player under every one of them."""
    events = [write_rate(result) for result in found.results]
    codes = [regulation.code for regulation in found.regulations]
    people = [{player["id"]: player for player in event["players"]} for event in events]
    return {
        "regulations": [
            {"code": code, **{name: event[name] for name in ("rated", "treated_as", "ra", "findings")}}
            for code, event in zip(codes, events, strict=True)
        ],
        "players": [
            {
                "id": each.id,
                "same": each.same,
                "differences": [_shown(value) for value in each.differences],
                "under": {
                    code: {name: by_id[each.id][name] for name in (*_COMPARED, "uncounted")}
                    for code, by_id in zip(codes, people, strict=True)
                },
            }
            for each in found.players
        ],
    }


def write_list(regulation: Regulation, given: ListInput, result: ListResult) -> dict[str, Any]:
    return {
        "players": [
            {
                **lists.row_shown(row),
                **_totals(row),
                "steps": [step(each) for each in row.steps],
                "events": [{"id": share.event, "change": show(share.change)} for share in row.events],
            }
            for row in result.players
        ],
        "samples": [lists.sample_shown(sample) for sample in result.samples],
        "sha256": lists.digest(regulation, given, result),
    }
