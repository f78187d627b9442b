"""FIDE rapid rating about 2004: article 15 of the FIDE Rating Regulations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regulations.fide_rapid_2004 import registration
from regulations.fide_rapid_2004.parameters import Parameters
from regulations.fide_standard_2004 import FideStandard2004
from regulations.model import CheckResult, Registration


@dataclass(frozen=True)
class FideRapid2004(Parameters, FideStandard2004):
    """Rapid chess under the standard text, with what article 15 says otherwise.

    ``FideRapid2004(k_new=20, k_normal=20, k_strong=20)`` is a list whose administrator chose K 20.
    """

    code: ClassVar[str] = "fide-rapid-2004"
    title: ClassVar[str] = "FIDE Rating Regulations, article 15: rapid chess (2004)"
    rates: ClassVar[tuple[str, ...]] = ("rapid",)

    def check(self, registration_: Registration) -> CheckResult:
        """Article 15 with 3 to 6: is this registration ratable? All findings at once."""
        return registration.check(self, registration_)

    def printed_rating(self, rating: int) -> str:
        """15c: the first three digits, so that nobody takes it for a standard rating: 2143 is 214."""
        return str(rating)[: self.printed_digits]
