"""What a result says, line by line, as a person reads it."""


def steps(result):
    """``article | label | value | text`` of each step of a player's result or row."""
    return [f"{each.article} | {each.label} | {each.value} | {each.text}" for each in result.steps]


def counted(result):
    """``round colour opponent: score against rating, article`` of each game that counts."""
    return [
        f"{each.round} {'w' if each.white else 'b'} {each.opponent}: "
        f"{each.score} against {each.opponent_rating}, {each.article}"
        for each in result.counted
    ]


def uncounted(result):
    """``round opponent: article reason`` of each game that does not count."""
    return [f"{each.round} {each.opponent}: {each.article} {each.reason}" for each in result.uncounted]


def findings(result):
    """``severity article code (subject): message`` of each finding, and what lifts it."""
    found = result if isinstance(result, tuple) else result.findings
    return [
        f"{each.severity} {each.article} {each.code} ({each.subject}): {each.message}"
        + (f" [{each.authorization}]" if each.authorization is not None else "")
        for each in found
    ]


def figures(result):
    """The bare figures of a player's result in an event."""
    return (
        result.status, result.games, result.score, result.rc, result.expected, result.k, result.change,
        result.performance, result.pooled,
    )  # fmt: skip


def row(each):
    """The bare figures of a row of a list."""
    return (
        each.status, each.rating, each.change, each.games, each.k, each.flags, each.career_games,
        each.reached_k10, each.games_by_period, each.inactive_lists, each.k_next, each.totals,
    )  # fmt: skip
