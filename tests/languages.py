"""Are English texts of the portal found again whole? Asked with catalogues that show what was not found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from operator import itemgetter
from unittest import mock

from django.utils import translation
from django.utils.translation.trans_real import DjangoTranslation

from players.languages import texts
from players.languages.templates import PLACEHOLDER
from ratingsite.templatetags import quick

_LETTERS = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_MARK = "¤"
_SMALL = re.compile(r"(?<![\w'])[a-z]{3,}(?![\w'_])")
_OF_FILES = re.compile(r"“[^”]*”|'[^']*'|\"[^\"]*\"|\([^\W_]+ \w+\.\)")
#: what stays of a translation that is marked in the code: places, elements, entities
_PLACES = re.compile(r"(%\(\w+\)[a-z]|%[sd]|\{\w*\}|<[^>]*>|&\w+;)")


@contextmanager
def _catalogue(change, language: str = "es") -> Iterator[None]:
    real = texts.catalogue_of(language)
    made = {text: change(text) for text in real}
    texts.forget()
    try:
        with mock.patch.object(texts, "catalogue_of", return_value=made), translation.override(language):
            yield
    finally:
        texts.forget()


def _masked(text: str) -> str:
    """A translation without any letter of its own."""
    parts = PLACEHOLDER.split(text)
    return "".join(f"{{{part}}}" if at % 2 else _LETTERS.sub(_MARK, part) for at, part in enumerate(parts))


def _masked_message(text: str) -> str:
    parts = _PLACES.split(text)
    return "".join(part if at % 2 else _LETTERS.sub(_MARK, part) for at, part in enumerate(parts))


@contextmanager
def masked(language: str) -> Iterator[None]:
    """Whatever the portal, Django or a text's template says in this language comes without its letters."""
    one, several = DjangoTranslation.gettext, DjangoTranslation.ngettext

    def gettext(self, message):
        said = one(self, message)
        return _masked_message(said) if message in self._catalog else said

    def ngettext(self, single, plural, number):
        said = several(self, single, plural, number)
        return _masked_message(said) if (single, 0) in self._catalog else said

    # What templates keep of a catalogue is not to be of the one without masks, nor to stay afterwards.
    others = defaultdict(type("Masked", (), {}))
    with (
        mock.patch.object(DjangoTranslation, "gettext", gettext),
        mock.patch.object(DjangoTranslation, "ngettext", ngettext),
        mock.patch.object(quick, "catalog", side_effect=lambda: others[translation.get_language()]),
        _catalogue(_masked, language),
    ):
        yield


def english_left(found: set[str], free: re.Pattern[str], language: str = "es") -> dict[str, list[str]]:
    """By text: the words of it that no template has; ``free`` are those that are names."""
    with _catalogue(_masked, language):
        left = {text: [w for w in _WORD.findall(texts.said(text)) if not free.fullmatch(w)] for text in found}
    return {text: words for text, words in left.items() if words}


def english_words_left(found: set[str], free: set[str], language: str = "es") -> dict[str, list[str]]:
    """By text: its words that are English ones of the portal's; files may have any others in them, and
    whatever stands in quotes or is the title of a column is theirs."""
    with _catalogue(_masked, language):
        own = {
            word
            for text in texts.catalogue_of(language)
            for word in _SMALL.findall(PLACEHOLDER.sub("", text))
        }
        said = {text: _OF_FILES.sub(" ", texts.said(text)) for text in found}
    left = {text: [w for w in _SMALL.findall(made) if w in own - free] for text, made in said.items()}
    return {text: words for text, words in left.items() if words}


def changed(found: set[str], language: str = "es") -> dict[str, str]:
    """The texts that do not come back the same from the English templates filled with their own values."""
    with (
        _catalogue(str, language),
        mock.patch.multiple(texts, _comma=str, _day=str, _long_day=itemgetter(0)),
    ):
        again = {text: texts.said(text) for text in found}
    return {text: made for text, made in again.items() if made != text}


@contextmanager
def recorded(classes: dict[type, tuple[str, ...]]) -> Iterator[set[str]]:
    """Every text that stands in one of these fields of an object made meanwhile."""
    made: set[str] = set()
    with ExitStack() as patches:
        for cls, names in classes.items():
            how = "__new__" if issubclass(cls, tuple) else "__init__"
            patches.enter_context(mock.patch.object(cls, how, _recording(getattr(cls, how), names, made)))
        yield made
    made -= {"", None}


def _recording(make, names: tuple[str, ...], made: set[str]):
    @wraps(make)
    def recording(self, *args, **given):
        done = make(self, *args, **given)
        made.update(getattr(self if done is None else done, name) for name in names)
        return done

    return recording


def assert_said(found: set[str], free: re.Pattern[str], languages: Iterable[str] = ("es", "pt")) -> None:
    """Every text is found again in every language: no word of it stays English, and none gets lost."""
    for language in languages:
        assert english_left(found, free, language) == {}
    assert changed(found) == {}


@contextmanager
def found_again(
    classes: dict[type, tuple[str, ...]], free: set[str] = frozenset(), named: re.Pattern[str] | None = None
) -> Iterator[None]:
    """Whatever objects made meanwhile say has no English word of the portal's left, but those that are
    ``free``; texts with ``named`` in them may have any word of a file."""
    with recorded(classes) as said:
        yield
    for language in ("es", "pt"):
        left = english_words_left(said, free, language)
        left = {text: words for text, words in left.items() if not (named and named.search(text))}
        assert not left, f"{language}: {left}"
