"""English texts found again by the templates that they were made of.

A template is a text with named placeholders, such as ``{games} of {k_new_games} games``. One that begins
with a comma, a semicolon or space follows other text, which then takes the place of ``BEFORE``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

BEFORE = "before"
PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_WORD = re.compile(r"\w+")
_BRACKETS = re.compile(r"[()]")
_FOLLOWS = re.compile(r"[,;:\s]")


@dataclass(frozen=True)
class Template:
    """A text with placeholders; ``weight`` is how many of its characters are its own."""

    text: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The placeholders in their order."""
        own = tuple(PLACEHOLDER.findall(self.text))
        return (BEFORE, *own) if self.follows else own

    @cached_property
    def follows(self) -> bool:
        """Does it only ever stand behind other text?"""
        return bool(_FOLLOWS.match(self.text))

    @cached_property
    def weight(self) -> int:
        return len(PLACEHOLDER.sub("", self.text))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The whole text; of two placeholders side by side the first takes no more than a word."""
        made = ["(.*?)"] if self.follows else []
        end = 0
        for found in PLACEHOLDER.finditer(self.text):
            made.append(re.escape(self.text[end : found.start()]))
            made.append(r"([^\s,;:]*)" if self.text[found.end() :].startswith("{") else "(.*?)")
            end = found.end()
        return re.compile("".join([*made, re.escape(self.text[end:])]), re.DOTALL)

    @cached_property
    def core(self) -> str:
        """The longest stretch of its own, which is in every text of it."""
        return max(PLACEHOLDER.split(self.text)[::2], key=len)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that stand in every text of it whole."""
        parts = PLACEHOLDER.split(self.text)[::2]
        found = set()
        for place, part in enumerate(parts):
            for word in _WORD.finditer(part):
                joined_before = word.start() == 0 and (place > 0 or self.follows)
                joined_after = word.end() == len(part) and place < len(parts) - 1
                if not joined_before and not joined_after:
                    found.add(word[0])
        return frozenset(found)


class Index:
    """Templates by a word of theirs that few others have."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.exact: set[str] = set()
        self._by_word: dict[str, list[Template]] = defaultdict(list)
        self._wordless: list[Template] = []
        templates = [Template(text) for text in sorted(set(texts))]
        often: dict[str, int] = defaultdict(int)
        for template in templates:
            for word in template.words:
                often[word] += 1
        for template in templates:
            if not template.names:
                self.exact.add(template.text)
            elif template.words:
                self._by_word[min(template.words, key=lambda word: (often[word], word))].append(template)
            else:
                self._wordless.append(template)

    def matches(self, text: str) -> list[tuple[Template, tuple[str, ...]]]:
        """The templates that a text can be made of and what stands in their places, the closest first."""
        found = list(self._wordless)
        for word in {word[0] for word in _WORD.finditer(text)}:
            found += self._by_word.get(word, ())
        # What somebody typed may open brackets that it does not close: they say nothing then.
        bracketed = "(" in text and _is_closed(text)
        made = [
            (each, match.groups())
            for each in found
            if each.core in text
            and (match := each.pattern.fullmatch(text))
            and (not bracketed or all(map(_is_closed, match.groups())))
        ]
        return sorted(made, key=lambda each: (-each[0].weight, len(each[0].names), each[0].text))


def _is_closed(value: str) -> bool:
    """Does a place hold both ends of what it brackets?"""
    depth = 0
    for sign in _BRACKETS.findall(value):
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return False
    return depth == 0
