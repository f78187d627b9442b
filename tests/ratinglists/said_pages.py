"""What somebody reads on a page, and the words of it that no catalogue translated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

#: attributes that are read to somebody
_READ = {"title", "alt", "aria-label", "placeholder", "data-label", "aria-description", "label"}
_SAID_META = {"description", "og:title", "og:description"}
#: elements whose text is code, and those that stand without an end
_CODE = {"script", "style", "code", "pre", "textarea"}
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
#: hashes, keys and addresses
_HEX = re.compile(r"\b[0-9a-f]{12,}\b|/\S+/")
_WORD = re.compile(r"[^\W\d_]{3,}|\b(?:of|in|to|by|is|no|or|an|as|at|be|it|on)\b")


#: longer texts that people typed stand by themselves, if anywhere
_LONG = 60


class _Reader(HTMLParser):
    """Texts and attributes that a person reads; not those in another language, nor hashes and codes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.forms: list[tuple[str, list[tuple[str, str]]]] = []
        self._silent: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        silent = tag in _CODE or ("lang" in given and tag != "html") or "hash" in given.get("class", "")
        if tag not in _VOID:
            self._silent.append(silent)
        self.found += [value for name, value in given.items() if name in _READ]
        if tag == "input" and given.get("type") in ("submit", "button", "reset"):
            self.found.append(given.get("value", ""))
        if tag == "meta" and _SAID_META & {given.get("name"), given.get("property")}:
            self.found.append(given.get("content", ""))
        if tag == "form" and given.get("method", "").lower() == "post":
            self.forms.append((given.get("action", ""), []))
        if tag in ("input", "button") and given.get("type") in ("hidden", "submit") and self.forms:
            self.forms[-1][1].append((given.get("name", ""), given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID and self._silent:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not any(self._silent):
            self.found.append(data)


def read(page: str) -> _Reader:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader


class Words:
    """What is left of a text when what people typed is taken out."""

    def __init__(self, typed: set[str], free: re.Pattern[str]) -> None:
        self._typed = {" ".join(each.split()) for each in typed}
        names = sorted((each for each in self._typed if each and len(each) < _LONG), key=len, reverse=True)
        self._names = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in names))
        self._free = free
        self._known: dict[str, list[str]] = {}

    def left(self, texts: list[str]) -> Iterator[tuple[str, list[str]]]:
        for text in {" ".join(each.split()) for each in texts} - self._typed:
            if text not in self._known:
                bare = self._names.sub(" ", _HEX.sub(" ", text)) if _WORD.search(text) else ""
                self._known[text] = [each for each in _WORD.findall(bare) if not self._free.fullmatch(each)]
            if self._known[text]:
                yield text, self._known[text]
