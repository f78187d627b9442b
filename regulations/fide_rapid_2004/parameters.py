"""What article 15 changes in the figures of the FIDE Rating Regulations of about 2004."""

from __future__ import annotations

from dataclasses import dataclass

from regulations.fide_standard_2004 import parameters
from regulations.parameters import param


@dataclass(frozen=True)
class Parameters(parameters.Parameters):
    """The parameters of standard chess; those below are the ones that article 15 settles or leaves open.

    The text says nothing of the clock. FIDE's Laws of that time call it rapid chess when each player
    has 15 to 60 minutes for 60 moves; 60 minutes are enough for the standard list (1.14).
    """

    rapid_from: int = param(15, "15; Laws of Chess, appendix B", "least minutes for 60 moves")
    rapid_below: int = param(60, "15, 1.14", "from so many minutes for 60 moves on it is standard chess")
    limit_rounds: bool = param(
        False,
        "15, 3.1",
        "the three rounds a day of standard chess hold for rapid chess; the twelve hours always hold",
    )
    floor: int = param(1600, "15a", "lowest rating on the list")
    k_new: int = param(25, "15b, 10.54", "K of new players, as the rating administrator decides")
    k_normal: int = param(15, "15b, 10.54", "K of other players, as the rating administrator decides")
    k_strong: int = param(10, "15b, 10.54", "K of strong players, as the rating administrator decides")
    printed_digits: int = param(3, "15c", "how many digits of a rating are published")
