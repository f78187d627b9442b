"""FIDE's lists in XML, read as a stream of events: memory holds one player, whatever the size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.parsers.expat import errors
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import escape

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from players.listformats.fields import build, flag_of, rating_texts
from players.listformats.model import RATES, Faulty, ListedPlayer, broken_file
from players.listformats.source import Source

_NAMES = {
    "fideid": "fide_id",
    "name": "name",
    "country": "federation",
    "sex": "sex",
    "title": "title",
    "w_title": "women_title",
    "o_title": "other_titles",
    "foa_title": "foa_title",
    "rating": "rating",
    "games": "games",
    "k": "k",
    "rapid_rating": "rapid_rating",
    "rapid_games": "rapid_games",
    "rapid_k": "rapid_k",
    "blitz_rating": "blitz_rating",
    "blitz_games": "blitz_games",
    "blitz_k": "blitz_k",
    "birthday": "birth_year",
    "flag": "flag",
}
ROOT, PLAYER = "playerslist", "player"
_MAX_TEXT, _MAX_DEPTH, _SILENT_BYTES = 1000, 8, 1 << 20
_REMEDY = "Download the list again; FIDE's begins with the element playerslist."
#: what is wrong, by expat's codes
_BROKEN = {
    errors.codes[errors.XML_ERROR_NO_ELEMENTS]: "The XML ends before the list does.",
    errors.codes[errors.XML_ERROR_UNCLOSED_TOKEN]: "The XML has a tag without end.",
    errors.codes[errors.XML_ERROR_INVALID_TOKEN]: "The XML has a character that may not stand here.",
    errors.codes[errors.XML_ERROR_TAG_MISMATCH]: "The XML closes an element that is not the open one.",
    errors.codes[errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]: "The XML goes on after the end of the list.",
    errors.codes[errors.XML_ERROR_UNDEFINED_ENTITY]: "The XML names an entity that it does not define.",
}


class _NotAList(Exception):
    """The document is no list; the argument says why."""


class _Players(ContentHandler):
    """Gathers each player's fields; ``ready`` holds what is complete."""

    def __init__(self, parser: DefusedExpatParser) -> None:
        self._parser = parser
        self.ready: list[tuple[int, dict[str, str]]] = []
        self.events = 0
        self._path: list[str] = []
        self._given: dict[str, str] = {}
        self._text: list[str] = []
        self._length = 0
        self._line = 1

    def startElement(self, name: str, attrs) -> None:
        self.events += 1
        path = self._path
        path.append(name)
        if len(path) == 1 and name != ROOT:
            raise _NotAList(f"The document is “{name[:40]}”, not a list.")
        if len(path) == 2:
            self._given, self._line = {}, self._parser.getLineNumber()
        elif len(path) > _MAX_DEPTH:
            raise _NotAList(f"Elements stand {_MAX_DEPTH} deep in each other.")
        self._text, self._length = [], 0

    def characters(self, content: str) -> None:
        self.events += 1
        self._length += len(content)
        if self._length <= _MAX_TEXT:
            self._text.append(content)

    def endElement(self, name: str) -> None:
        self.events += 1
        path = self._path
        if len(path) == 3 and path[1] == PLAYER and (field := _NAMES.get(name)):
            # A text beyond every limit is kept as it was cut: its field refuses it by its length.
            self._given[field] = "".join(self._text).strip(" \t\r\n")
        elif len(path) == 2 and name == PLAYER:
            self.ready.append((self._line, self._given))
        path.pop()
        self._text, self._length = [], 0


def read_players(source: Source, single: str = "") -> Iterator[ListedPlayer | Faulty]:
    """The players of a list; ``single`` is the kind of rating, where it is not a combined list.

    Document types are refused, and with them entities. Ends with a fatal fault where the document
    is not well-formed.
    """
    parser = DefusedExpatParser(forbid_dtd=True)
    handler = _Players(parser)
    parser.setContentHandler(handler)
    events, silent = 0, 0
    try:
        while data := source.read():
            parser.feed(data)
            silent = silent + len(data) if handler.events == events else 0
            events = handler.events
            if silent > _SILENT_BYTES:
                raise _NotAList("A tag or comment goes on for more than a megabyte.")
            yield from _players(handler, single)
        parser.close()
    except DefusedXmlException:
        line = parser.getLineNumber()
        yield broken_file("The file has a document type, which is refused.", _REMEDY, line=line)
    except _NotAList as error:
        yield from _players(handler, single)
        yield broken_file(str(error), _REMEDY, line=parser.getLineNumber())
    except (LookupError, ValueError):  # of the codec that the declaration names: unknown, or of several bytes
        yield broken_file("The file names an encoding that is not read.", "Save it as UTF-8.", line=1)
    except SAXParseException as error:
        yield from _players(handler, single)
        column = error.getColumnNumber()
        message = _BROKEN.get(getattr(error.getException(), "code", None), "The XML is broken.")
        yield broken_file(
            message, _REMEDY, line=error.getLineNumber(), column=None if column is None else column + 1
        )


def _players(handler: _Players, single: str) -> Iterator[ListedPlayer | Faulty]:
    ready, handler.ready = handler.ready, []
    for line, given in ready:
        combined = "rapid_rating" in given or "blitz_rating" in given
        yield build(given, line, {}, "standard" if combined else single)


def write_players(players: Iterable[ListedPlayer], *, single: str = "") -> Iterator[bytes]:
    """The list as FIDE writes it: no declaration, so UTF-8; empty elements for what is not said.

    With ``single``, a list of that kind of rating only.
    """
    yield b"<playerslist>\n"
    for player in players:
        values = [
            ("fideid", player.number),
            ("name", player.name),
            ("country", player.federation),
            ("sex", {"m": "M", "f": "F"}.get(player.sex, "")),
            ("title", player.title),
            ("w_title", player.women_title),
            ("o_title", player.other_titles),
            ("foa_title", player.foa_title),
        ]
        for rate in (single,) if single else RATES:
            before = "" if single or rate == "standard" else f"{rate}_"
            texts = rating_texts(getattr(player, rate))
            values += [
                (f"{before}{key}", text) for key, text in zip(("rating", "games", "k"), texts, strict=True)
            ]
        values += [("birthday", str(player.birth_year or "")), ("flag", flag_of(player))]
        inside = "".join(f"<{key}>{_text(value)}</{key}>\n" for key, value in values)
        yield f"<player>\n{inside}</player>\n".encode("utf-8", errors="replace")
    yield b"</playerslist>\n"


def _text(value: str) -> str:
    """XML knows no control characters, and no character that is not one."""
    return escape("".join(c if c.isprintable() and c not in "\ufffe\uffff" else "?" for c in value))
