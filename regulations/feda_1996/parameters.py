"""The figures and choices of FEDA's national Elo rules, in force from 1 January 1996."""

# ruff: noqa: RUF009 - param() declares a field, it computes no default

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regulations import parameters
from regulations.parameters import param

#: arbiters from the lowest title to the highest: provincial, regional, national, FIDE, international
ARBITERS = ("PA", "RA", "NA", "FA", "IA")


@dataclass(frozen=True)
class Parameters(parameters.Parameters):
    """Each figure stands once, here. Where the text can be read in two ways the field is the choice."""

    # 1: technical requirements
    national_arbiter: str = param("NA", "1.1, 1.11", "least title for a national event", ARBITERS)
    autonomic_arbiter: str = param("RA", "1.1, 1.12", "least title for an autonomic event", ARBITERS)
    provincial_arbiter: str = param("PA", "1.1, 1.13", "least title for a provincial event", ARBITERS)
    title_order: str = param(
        "GM IM WGM FM WIM CM WFM WCM",
        "1.21, 1.22",
        "FIDE titles, the highest first, where equal ratings are put in order",
        ("GM IM WGM FM WIM CM WFM WCM", "GM WGM IM WIM FM WFM CM WCM"),
    )
    # 2: the rate of play
    moves_per_hour: int = param(23, "2.1, 2.23", "fastest rate of any phase that counts moves")
    guillotine_minutes: int = param(240, "2.21", "least minutes of a game with a quick finish")
    guillotine_both: bool = param(True, "2.21", "these are the minutes of both players together")
    first_control_minutes: int = param(60, "2.22", "least minutes of each player for the first control")
    finish_minutes: int = param(60, "2.24", "least minutes of each player after the first control")
    electronic_minutes: int = param(60, "2.3", "least minutes of each player with an increment")
    electronic_increment: int = param(10, "2.3", "least increment in seconds for that")
    # 4, 5
    rounds_per_day: int = param(2, "4.1, 4.2", "most rounds on one day")
    maximum_days: int = param(89, "5.1", "longest event in days, first and last day counted")
    # 7: composition
    phases: str = param(
        "weighted",
        "7.2",
        "each phase is rated by itself and weighs by its games, or all games are one event",
        ("weighted", "pooled"),
    )
    rated_share: Fraction = param(Fraction(1, 3), "7.3", "least share of rated players in a round robin")
    small_event: int = param(10, "7.31", "a round robin of so many players or fewer is small")
    small_event_rated: int = param(4, "7.31", "least rated players in a small round robin")
    small_event_all_rated: bool = param(
        True, "7.31", "fewer players are enough for a round robin in which all are rated"
    )
    double_players: int = param(6, "7.32", "least players of a double round robin with unrated players")
    double_rated: int = param(4, "7.32", "least rated players of a double round robin with unrated players")
    championship_rated: int = param(3, "7.33", "least rated players of a championship by round robin")
    championship_overrides_double: bool = param(
        True, "7.33", "7.33 takes the place of 7.32 as well as of 7.3 and 7.31"
    )
    scheveningen_unrated: str = param(
        "ru",
        "7.4",
        "what an unrated opponent counts as in a Scheveningen match: his Ru against the rated ones, the "
        "average of the rated players, or nothing",
        ("ru", "average", "no"),
    )
    rated_opponents: int = param(4, "7.42", "different rated opponents that an unrated player must meet")
    # 8: the list
    first_rating_games: int = param(9, "8.14", "least games behind a first rating")
    first_rating_lists: int = param(4, "8.14.c", "periods whose results are pooled: the same and the next 3")
    floor: int = param(1805, "8.12, 8.21, 9.31, 9.32", "lowest rating on the list")
    active_games: int = param(4, "8.22", "fewer games than this in a year: inactive")
    inactive_lists_shown: int = param(3, "8.22.b", "lists that still show an inactive player")
    # 9: the rating
    half_point_bonus: Fraction = param(Fraction(25, 2), "9.23", "points of Ru for each half point above 50 %")
    rounding_step: int = param(5, "9.32, 9.55", "ratings are multiples of this, a half upwards")
    championship_share: Fraction = param(Fraction(1, 2), "9.4", "share of the points that earns a rating")
    championship_unrated: int = param(1800, "9.4", "what an unrated opponent counts as in this rule only")
    difference_limit: int = param(350, "9.51", "greatest difference of ratings that counts")
    rated_since_event: bool = param(
        True, "9.5", "who was unrated in the event and has a rating by now gets a change (the text is silent)"
    )
    k_new: int = param(25, "9.53.a", "K until the games of k_new_games are completed")
    k_new_games: int = param(30, "9.53.a", "games after which a player is no longer new")
    k_normal: int = param(15, "9.53.a", "K of a player whose rating never reached k_strong_rating")
    k_strong: int = param(10, "9.53.a", "K for good after the published rating reached k_strong_rating")
    k_strong_rating: int = param(2200, "9.53.a", "published rating from which K is k_strong for good")
    foreigners_are_rated: bool = param(
        True, "9.56, 7.3, 7.42", "a foreigner with a FIDE rating counts as rated in the composition too"
    )
    # 10: reports
    report_days: int = param(14, "10.11", "days from the end of the event to the posting of its report")
    corrected_days: int = param(28, "10.13", "days from the return of a report to the corrected one")
    periods_late: int = param(1, "10.14", "a report later than this many periods is rejected")
    file_above: int = param(40, "10.31", "an event of more players than this needs the file")
    least_age: int = param(5, "10.31", "youngest player that the two figures of a year of birth can mean")
    most_age: int = param(100, "10.31", "oldest player that they can mean")
