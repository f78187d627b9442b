"""Slips in player numbers: which other number may have been meant."""

from __future__ import annotations

#: numbers given out on one day to brothers and sisters lie this close to each other, at most
NEAR = 10
#: of a shorter number every other one is a slip away
SHORTEST = 5


def transposed(number: str) -> set[str]:
    """Every number that has two neighbouring signs of this one in the other order."""
    return {number[:at] + number[at + 1] + number[at] + number[at + 2 :] for at in range(len(number) - 1)} - {
        number
    }


def one_wrong(number: str) -> set[str]:
    """Every number of the same length that differs from this one in one digit."""
    return {
        number[:at] + digit + number[at + 1 :]
        for at, sign in enumerate(number)
        if sign in "0123456789"
        for digit in "0123456789"
        if digit != sign
    }


def near(number: str) -> set[str]:
    """The numbers up to ``NEAR`` away, of the same length."""
    if not (number.isascii() and number.isdigit()):
        return set()
    value = int(number)
    around = (str(value + step).zfill(len(number)) for step in range(-NEAR, NEAR + 1) if value + step > 0)
    return {other for other in around if len(other) == len(number)} - {number}


def could_be_meant(number: str) -> set[str]:
    """All of these together; nothing for a number that is too short to tell anything."""
    if len(number) < SHORTEST:
        return set()
    return transposed(number) | one_wrong(number) | near(number)


def slip(wrong: str, right: str) -> str:
    """How ``wrong`` differs from ``right``: "transposed", "digit", "near", or "" (it is another number)."""
    if len(wrong) != len(right) or wrong == right or len(wrong) < SHORTEST:
        return ""
    differing = [at for at in range(len(wrong)) if wrong[at] != right[at]]
    if len(differing) == 1 and wrong[differing[0]] in "0123456789" and right[differing[0]] in "0123456789":
        return "digit"
    if len(differing) == 2:
        first, second = differing
        if second == first + 1 and wrong[first] == right[second] and wrong[second] == right[first]:
            return "transposed"
    return "near" if right in near(wrong) else ""
