"""What a check finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it was published: where, what was to be there, what is, what to do."""

    where: str
    expected: str
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, found {self.found}. {self.remedy}"


DOWNLOAD = "Download it again from the federation; if it stays so, tell the federation and believe neither."
ASK = "Ask the federation, by another way than its site, and do not rely on this archive until it answers."
