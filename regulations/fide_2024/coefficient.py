"""8.3.3 (7.3.3 of the rapid and blitz text): the development coefficient K."""

from __future__ import annotations

from regulations.fide_2024.parameters import Shared


def is_junior(p: Shared, birth_year: int | None, year: int | None) -> bool:
    """Until the end of the year of the 18th birthday; not known: no junior."""
    return birth_year is not None and year is not None and year - birth_year <= p.k_junior_age


def has_reached_strong(p: Shared, known: bool | None, *ratings: int | None) -> bool:
    """Has a published rating ever been 2400 or more?"""
    return bool(known) or any(rating is not None and rating >= p.k_strong_rating for rating in ratings)


def k_factor(
    p: Shared,
    rating: int,
    games: int,
    reached: bool | None,
    birth_year: int | None,
    year: int | None,
    highest: int | None = None,
) -> tuple[int, str]:
    """K and why. The text has four lines and no order; FIDE's lists show this one: 2400 once reached,
    then junior, then new, then everybody else. ``highest`` is the highest published rating, where
    known: a junior who was 2300 once does not remain under 2300, and 2400 counts for good."""
    if has_reached_strong(p, reached, rating, highest):
        return p.k_strong, f"published rating has reached {p.k_strong_rating}"
    if is_junior(p, birth_year, year) and max(rating, highest or rating) < p.k_junior_below:
        return p.k_junior, f"born in {birth_year}, below {p.k_junior_below} in {year}"
    if games < p.k_new_games:
        return p.k_new, f"{games} of {p.k_new_games} games"
    return p.k_normal, f"below {p.k_strong_rating}, {p.k_new_games} games or more"


def period_k(p: Shared, k: int, games: int) -> int:
    """K of a period with so many games: the greatest whole number up to K with which n × K does not
    pass 700."""
    return min(k, p.nk_limit // games) if games else k


def k_of_period(p: Shared, k: int, why: str, games: int) -> tuple[int, str]:
    """K of a period with so many games of a player whose K is this for that reason, and why."""
    return period_k(p, k, games), k_text(p, k, why, games)


def k_text(p: Shared, k: int, why: str, games: int) -> str:
    """Why K is what it is."""
    if games * k <= p.nk_limit:
        return f"{why}; {games} × {k} = {games * k}, not over {p.nk_limit}"
    return (
        f"{why}: {k}; {games} × {k} = {games * k} is over {p.nk_limit}; greatest K with {games} × K within it"
    )
