"""How the two texts of 2024 number the rules that they share.

The code names a shared rule by its number in the standard text; ``Parameters.article`` gives the
number that the text in question prints.
"""

from __future__ import annotations

#: standard text → rapid and blitz text. That text has no chapter 4, so that its chapters come one
#: earlier, and puts the standard rating first in 7.2, so that the articles behind it come one later.
RAPID_BLITZ = {
    "0.2.2": "0.2",
    "0.4": "0.4",
    "5.1": "4.1",
    "6.1": "5.1",
    "6.2": "5.2",
    "7.1": "6.1",
    "7.1.1": "6.1.1",
    "7.1.2": "6.1.2",
    "7.1.3": "6.1.3",
    "7.1.4": "6.1.4",
    "7.2.1": "6.2.1",
    "7.2.2": "6.2.2",
    "8.1.1": "7.1.1",
    "8.1.2": "7.1.2",
    "8.2.1": "7.2.2",
    "8.2.2": "7.2.3",
    "8.2.3": "7.2.4",
    "8.2.4": "7.2.5",
    "8.3.1": "7.3.1",
    "8.3.2": "7.3.2",
    "8.3.2b": "7.3.2b",
    "8.3.2c": "7.3.2c",
    "8.3.2d": "7.3.2d",
    "8.3.3": "7.3.3",
    "8.3.4": "7.3.4",
    "9.1": "8.1",
}
STANDARD = {number: number for number in RAPID_BLITZ}
