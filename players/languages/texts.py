"""Texts that are kept in English for ever, said in the reader's language.

Explanations, findings and messages are stored, hashed and published in English. A page says them in another
language by finding the template that a text was made of (the catalogues of the domain ``texts``), and puts
what stood in its places, said likewise, into the translation. A text of no template is shown as it is.
"""

from __future__ import annotations

import gettext
import itertools
import re
import struct
import warnings
from datetime import date
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils import formats
from django.utils.functional import lazy
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override

from players.languages.templates import BEFORE, PLACEHOLDER, Index
from regulations import registry

DOMAIN = "texts"
_DAY = re.compile(r"(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])")
_MONTHS = [
    "",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
#: a date as English sentences have it
_LONG_DAY = re.compile(rf"(\d{{1,2}}) ({'|'.join(_MONTHS[1:])}) (\d{{4}})")
_DECIMAL = re.compile(r"(?<![\w.])(\d+)\.(\d+)(?![\w]|\.\d)")
#: the hyphen of a negative number or between two numbers: in no date, range, result or name
_HYPHEN = re.compile(r"(?<=[\d)] )-(?= [\d(\-])|(?<![^\s(=×/])-(?=\d)")
_WORD = re.compile(r"[a-z]{3,}")
#: only figures and signs: a number, a sum, a list of numbers; p: the share of points in an explanation
_FIGURES = re.compile(r"(?:p )?[\d\s.,;:/+\-−–×·()=±%½<>≥≤]*")
#: places that hold numbers of articles, keys and addresses, which no language writes otherwise
_AS_IT_IS = re.compile(r"(article|key|path|code|sha|page|url)s?\d*|.*_(article|id|code)s?\d*")
_SENTENCE = re.compile(r": |\(|[a-z]{2,} [a-z]{2,}")
#: places that hold names, in which no word is translated
_NAMES = re.compile(
    r"(opponent|players?|into|name|tournament|event|source|target|user|by|filename|city|proposed_by|approved_by)\d*"
)
_SPACE = re.compile(" ")
_NAME = re.compile(r"\W?(?:\d+ )?[^\W\da-z]|\d+$|\W*$")
#: what somebody typed, quoted
_QUOTED = re.compile(r"'.*'|\".*\"|“[^“]*”", re.DOTALL)
#: a template with fewer characters of its own counts only where all that stands in its places is known
_WEAK = 10
#: "White, Bob": a capital letter and a comma begin a name more often than a sentence
_SURNAME = re.compile(r"[A-Z]\w+")
#: what stands in brackets behind other text
_BRACKETED = re.compile(r"(.*\S) \(([^()]*)\)", re.DOTALL)
#: how many of something
_COUNTED = re.compile(r"([+−-]?\d+(?:\.\d+)? )([a-z-]+)")
#: so many first words may stand before a text of its own
_TRIED = 6
#: where a text of no template may be made of two
_JOINTS = ("\n\n", "\n", "), ", "; ", ": ", ", ", " and ", " or ", ") ", " (", " · ", ". ", "' ", "” ", '" ')


def said(text: object) -> str:
    """A stored English text in the reader's language; unchanged for a reader of English."""
    language = get_language() or settings.LANGUAGE_CODE
    text = "" if text is None else str(text)
    if language.startswith("en") or not text:
        return text
    made = _said(str.__str__(text), language)
    return SafeString(made) if isinstance(text, SafeString) else made


said_lazy = lazy(said, str)


def english(text: object) -> str:
    """What a text that follows the reader's language is in English: for whatever is kept."""
    with override("en"):
        return str(text)


def figure(text: object) -> str:
    """A number that is written with a decimal point and a hyphen, as a page of the reader's language prints
    it."""
    return minus(_comma(str(text)))


def minus(text: object) -> str:
    """Numbers and sums as a page prints them, with minus signs; files and programs' answers keep hyphens."""
    return _HYPHEN.sub("\N{MINUS SIGN}", str(text))


def _comma(text: str) -> str:
    mark = formats.get_format("DECIMAL_SEPARATOR")
    return text if mark == "." else _DECIMAL.sub(rf"\1{mark}\2", text)


@lru_cache(maxsize=1 << 15)
def _said(text: str, language: str, part: bool = False) -> str:
    return _known(text, language) or _jointed(text, language, part)


def _known(text: str, language: str) -> str | None:
    """The text as one template or figure; None for a text of neither."""
    catalogue, index = catalogue_of(language), index_of(language)
    core = text.strip()
    if core in index.exact:
        return text.replace(core, catalogue[core])
    if _DAY.fullmatch(core):
        return _day(core)
    if found := _LONG_DAY.fullmatch(core):
        return _long_day(found)
    if _FIGURES.fullmatch(text):
        return _DAY.sub(lambda found: _day(found[0]), _comma(text))
    made = [
        (template, dict(zip(template.names, values, strict=True))) for template, values in index.matches(text)
    ]
    if not made:
        return None
    # The heaviest first, and of several the one in whose places nothing is left in English.
    whole = (each for each in made if all(_is_known(*place, language) for place in each[1].items()))
    template, filled = next(whole, (None, {})) if made[0][0].weight < _WEAK else next(whole, made[0])
    if template is None:
        return None
    inner = {name: _value(name, value, language) for name, value in filled.items()}
    text = PLACEHOLDER.sub(lambda found: inner[found[1]], catalogue[template.text])
    return inner.get(BEFORE, "") + text if template.follows else text


def _is_known(name: str, value: str, language: str) -> bool:
    """Is nothing in this place left in English?"""
    return _is_as_it_is(name, value) or _is_name(name, value) or _is_whole(value, language)


@lru_cache(maxsize=1 << 15)
def _is_whole(text: str, language: str) -> bool:
    """Is the text known, and whatever stands in its places too?"""
    index = index_of(language)
    if not _WORD.search(text) or text.strip() in index.exact:
        return True
    if _LONG_DAY.fullmatch(text) or _QUOTED.fullmatch(text):
        return True
    bracketed = _BRACKETED.fullmatch(text)
    if bracketed and all(_is_whole(each, language) for each in bracketed.groups()):
        return True
    return any(
        all(_is_known(*place, language) for place in zip(template.names, values, strict=True))
        for template, values in index.matches(text)
        if template.weight >= _WEAK or all(values)
    )


def _is_as_it_is(name: str, value: str) -> bool:
    return bool(_AS_IT_IS.fullmatch(name)) and not _SENTENCE.search(value)


def _is_name(name: str, value: str) -> bool:
    return bool(_NAMES.fullmatch(name)) and ": " not in value and _NAME.match(value) is not None


def _value(name: str, value: str, language: str) -> str:
    if not value or value.isdigit() or _is_as_it_is(name, value):
        return value
    if _is_name(name, value):
        return _known(value, language) or value
    return _said(value, language)


def _jointed(text: str, language: str, part: bool) -> str:
    """A text of no template: its parts, if they are known, else as it is. Whatever begins a sentence may
    stand in a template with a small letter; a single word that is a part may be somebody's name."""
    if text[:1].isupper() and (" " in text or not part):
        small = text[0].lower() + text[1:]
        if (found := _known(small, language)) is not None and found != small and _is_whole(small, language):
            return found[:1].upper() + found[1:]
    if text.endswith(".") and _is_whole(text[:-1], language):
        return _said(text[:-1], language, part) + "."
    if counted := _COUNTED.fullmatch(text):
        return _comma(counted[1]) + (_known(counted[2], language) or counted[2])
    bracketed = _BRACKETED.fullmatch(text)
    if bracketed and _WORD.search(bracketed[2]) and _is_known("", bracketed[2], language):
        return f"{_said(bracketed[1], language, True)} ({_said(bracketed[2], language, True)})"
    for space in _SPACE.finditer(text):
        end = text[space.end() :]
        if (tail := end.rstrip(".")) in index_of(language).exact and " " in tail:
            start = text[: space.start()].rstrip(",;:")
            between = text[len(start) : space.end()]
            return f"{_said(start, language, True)}{between}{catalogue_of(language)[tail]}{end[len(tail) :]}"
    for space in itertools.islice(_SPACE.finditer(text), _TRIED):
        start, tail = text[: space.start()], text[space.end() :].rstrip(".")
        if tail[:1].islower() and _is_whole(start, language) and _is_whole(tail, language):
            return f"{_said(start, language, True)} {_said(text[space.end() :], language, True)}"
    parted = [(joint, *text.split(joint, 1)) for joint in _JOINTS if joint in text]
    if not parted:
        return text
    whole = (each for each in parted if all(_is_known("", each[at], language) for at in (1, 2)))
    joint, first, rest = next(whole, parted[0])
    kept = joint if joint not in (" and ", " or ") else f" {_said(joint.strip(), language)} "
    end = joint[0] if joint[0] in ".)'”\"" else ""
    first = first if joint == ", " and _SURNAME.fullmatch(first) else _said(first + end, language, True)
    return first + kept.removeprefix(end) + _said(rest, language, True)


def _day(text: str) -> str:
    try:
        return formats.date_format(date.fromisoformat(text), "SHORT_DATE_FORMAT")
    except ValueError:
        return text


def _long_day(found: re.Match[str]) -> str:
    day = date(int(found[3]), _MONTHS.index(found[2]), int(found[1]))
    return formats.date_format(day, "j F Y")


def folders() -> list[Path]:
    """Where catalogues lie: those of installed regulations, then one folder for each area of the portal,
    which has the last word."""
    return [*registry.translations(), *(Path(each) for each in settings.LOCALE_PATHS)]


@lru_cache(maxsize=8)
def catalogue_of(language: str) -> dict[str, str]:
    """Translations of a language by their English templates."""
    found: dict[str, str] = {}
    for folder in folders():
        path = folder / language.replace("-", "_") / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if path.exists():
            found |= _read(path)
    return found


def _read(path: Path) -> dict[str, str]:
    """The messages of a compiled catalogue; a broken one must not take the others with it."""
    try:
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog
    except (OSError, ValueError, struct.error) as error:
        warnings.warn(f"Catalogue {path} cannot be read, its texts stay English: {error}", stacklevel=2)
        return {}
    return {key: value for key, value in catalogue.items() if isinstance(key, str) and key}


@lru_cache(maxsize=8)
def index_of(language: str) -> Index:
    return Index(catalogue_of(language))


def forget() -> None:
    """Catalogues are read again, after a change."""
    for each in (catalogue_of, index_of, _said, _is_whole):
        getattr(each, "cache_clear", bool)()
