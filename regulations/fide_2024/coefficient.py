"""8.3.3 (7.3.3 of the rapid and blitz text): the development coefficient K."""

from __future__ import annotations

from typing import Any

from regulations.fide_2024.parameters import Shared

#: the lines of the article, in the order in which they are looked at
STRONG, JUNIOR, NEW, NORMAL = range(4)


def line_of_k(p: Shared, rating: Any, games: Any, reached: Any, age: Any, highest: Any) -> Any:
    """Which line of the article a player falls under; single values or columns.

    ``age`` is the one that he reaches in the year, over any bound where it is not known; ``highest`` the
    highest published rating, 0 where it is not known.
    """
    strong = reached | (rating >= p.k_strong_rating) | (highest >= p.k_strong_rating)
    below = (rating < p.k_junior_below) & (highest < p.k_junior_below)
    junior = (age <= p.k_junior_age) & below
    rest = NEW * (games < p.k_new_games) + NORMAL * (games >= p.k_new_games)
    return (strong * 1 < 1) * (JUNIOR * junior + (junior * 1 < 1) * rest)


def k_of_line(p: Shared, line: Any) -> Any:
    """The K of a line of the article; a single value or a column."""
    values = (p.k_strong, p.k_junior, p.k_new, p.k_normal)
    return sum(value * (line == number) for number, value in enumerate(values))


#: an age over any bound: it is not known
NO_AGE = 10_000


def age_in(birth_year: int | None, year: int | None) -> int:
    """The age that somebody reaches in a year; not known: no junior."""
    return NO_AGE if birth_year is None or year is None else year - birth_year


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
    line = line_of_k(p, rating, games, bool(reached), age_in(birth_year, year), highest or 0)
    why = {
        STRONG: f"published rating has reached {p.k_strong_rating}",
        JUNIOR: f"born in {birth_year}, below {p.k_junior_below} in {year}",
        NEW: f"{games} of {p.k_new_games} games",
        NORMAL: f"below {p.k_strong_rating}, {p.k_new_games} games or more",
    }
    return k_of_line(p, line), why[line]


def period_k(p: Shared, k: Any, games: Any) -> Any:
    """K of a period with so many games: the greatest whole number up to K with which n × K does not
    pass 700; single values or columns."""
    greatest = p.nk_limit // (games + (games == 0))
    return k - (k - greatest) * ((k > greatest) & (games > 0))


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
