"""The .po files brought up to the code, compiled and looked through."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import polib

from players.languages.names import NAMES
from players.languages.templates import PLACEHOLDER
from ratingsite.languages import areas
from ratingsite.languages.gettext_in_code import Message, messages_of
from ratingsite.languages.templates_in_code import templates_of

Key = tuple[str | None, str]
_PLACES = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w*\}")
_ABOUT = {
    "Project-Id-Version": "Rating portal",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=2; plural=(n != 1);",
}


def wanted() -> dict[tuple[str, str], dict[Key, tuple[Message, list[str]]]]:
    """By area and domain: each message, and the files that have it. Of templates that differ in the names of
    their places only, the first stands for all."""
    found: dict[tuple[str, str], dict[Key, tuple[Message, list[str]]]] = defaultdict(dict)
    shapes: set[str] = set()
    for path in areas.files():
        area, name = areas.area_of(path), areas.relative(path)
        for message in messages_of(path):
            _add(found[area, "django"], message, name)
        if areas.has_texts(path):
            for line, text in templates_of(path.read_text(encoding="utf-8")):
                if text in areas.NOT_TEXTS:
                    continue
                shape = PLACEHOLDER.sub("{}", text)
                if shape not in shapes or (None, text) in found[area, "texts"]:
                    shapes.add(shape)
                    _add(found[area, "texts"], Message(line, text), name)
    for area, words in areas.WORDS.items():
        for word in words:
            _add(found[area, "texts"], Message(0, word), "ratingsite/languages/areas.py")
    for area, names in NAMES.items():
        for name in sorted(names - {text for _, text in found[area, "texts"]}):
            _add(found[area, "texts"], Message(0, name), "names of models and fields")
    return {key: messages for key, messages in sorted(found.items()) if messages}


def _add(messages: dict[Key, tuple[Message, list[str]]], message: Message, name: str) -> None:
    kept, names = messages.setdefault((message.context, message.text), (message, []))
    if message.plural and not kept.plural:
        messages[message.context, message.text] = message, names
    if name not in names:
        names.append(name)


def update(languages: tuple[str, ...] = areas.LANGUAGES) -> None:
    """Every catalogue anew: kept translations, new messages without one, those no longer needed dropped.

    A message that another area has translated already takes that translation.
    """
    needed = wanted()
    for language in languages:
        known = _all_known(language)
        for (area, domain), messages in needed.items():
            path = areas.catalogue(area, language, domain)
            made = polib.POFile(wrapwidth=100)
            made.metadata = {**_ABOUT, "Language": language}
            for (context, text), (message, names) in messages.items():
                made.append(_entry(context, text, message, names, known.get((context, text))))
            path.parent.mkdir(parents=True, exist_ok=True)
            made.save(str(path))
        for path in _paths(language):
            if (path.parts[-4], path.stem) not in needed:
                path.unlink()
                path.with_suffix(".mo").unlink(missing_ok=True)
    compile_all(languages)


def _entry(
    context: str | None, text: str, message: Message, names: list[str], old: polib.POEntry | None
) -> polib.POEntry:
    made = polib.POEntry(msgctxt=context, msgid=text, occurrences=[(name, "") for name in names])
    if re.search(r"%\(\w+\)[sd]|%[sd]", text):
        made.flags.append("python-format")
    if message.plural:
        made.msgid_plural = message.plural
        made.msgstr_plural = dict(old.msgstr_plural) if old and old.msgstr_plural else {0: "", 1: ""}
    elif old:
        made.msgstr = old.msgstr
    return made


def _paths(language: str) -> Iterator[Path]:
    yield from sorted(areas.LOCALE.glob(f"*/{language}/LC_MESSAGES/*.po"))


def _all_known(language: str) -> dict[Key, polib.POEntry]:
    known: dict[Key, polib.POEntry] = {}
    for path in _paths(language):
        for entry in polib.pofile(str(path)):
            if entry.translated():
                known.setdefault((entry.msgctxt, entry.msgid), entry)
    return known


def compile_all(languages: tuple[str, ...] = areas.LANGUAGES) -> None:
    """The .mo file beside each .po file."""
    for language in languages:
        for path in _paths(language):
            path.with_suffix(".mo").write_bytes(polib.pofile(str(path)).to_binary())


# --- a package that brings a regulation ---------------------------------------------------------------


def wanted_of(folder: Path) -> dict[Key, tuple[Message, list[str]]]:
    """The texts of a package's modules that the portal's own catalogues do not have."""
    known = {
        PLACEHOLDER.sub("{}", text)
        for (_, domain), messages in wanted().items()
        if domain == "texts"
        for _, text in messages
    }
    found: dict[Key, tuple[Message, list[str]]] = {}
    for path in sorted(folder.rglob("*.py")):
        if path.name in ("parameters.py", "conftest.py") or path.name.startswith("test_"):
            continue
        for line, text in templates_of(path.read_text(encoding="utf-8")):
            if PLACEHOLDER.sub("{}", text) not in known:
                _add(found, Message(line, text), path.relative_to(folder).as_posix())
    return found


def catalogue_of(folder: Path, language: str) -> Path:
    return folder / "locale" / language / "LC_MESSAGES" / "texts.po"


def update_of(folder: Path, languages: tuple[str, ...] = areas.LANGUAGES) -> None:
    """The catalogues of a package, in its folder ``locale``: brought up to its code, and compiled."""
    needed = wanted_of(folder)
    for language in languages:
        path = catalogue_of(folder, language)
        old = polib.pofile(str(path)) if path.exists() else polib.POFile()
        known = {(entry.msgctxt, entry.msgid): entry for entry in old if entry.translated()}
        made = polib.POFile(wrapwidth=100)
        made.metadata = {**_ABOUT, "Project-Id-Version": folder.name, "Language": language}
        made.extend(
            _entry(context, text, message, names, known.get((context, text)))
            for (context, text), (message, names) in needed.items()
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        made.save(str(path))
        path.with_suffix(".mo").write_bytes(made.to_binary())


def faults_of(folder: Path) -> Iterator[str]:
    """What the catalogues of a package lack."""
    needed = wanted_of(folder)
    for language in areas.LANGUAGES:
        path = catalogue_of(folder, language)
        yield from _faults_in(path, path.relative_to(folder).as_posix(), needed)


def _faults_in(path: Path, name: str, needed: dict[Key, tuple[Message, list[str]]]) -> Iterator[str]:
    entries = {(e.msgctxt, e.msgid): e for e in polib.pofile(str(path))} if path.exists() else {}
    for key in needed.keys() - entries.keys():
        yield f"{name}: {key[1]!r} is missing: run manage.py languages, then translate it."
    for key in entries.keys() - needed.keys():
        yield f"{name}: {key[1]!r} is in the code no more: run manage.py languages."
    for entry in entries.values():
        yield from (f"{name}: {entry.msgid!r} {fault}" for fault in _faults_of(entry))
    mo = path.with_suffix(".mo")
    if path.exists() and (not mo.exists() or mo.read_bytes() != polib.pofile(str(path)).to_binary()):
        yield f"{name.removesuffix('po')}mo is older than its .po: run manage.py languages."


# --- whole or not -----------------------------------------------------------------------------------


def faults() -> Iterator[str]:
    """What keeps a language from being whole, each with the file and what to do."""
    needed = wanted()
    for language in areas.LANGUAGES:
        said: dict[Key, tuple[str, Path]] = {}
        for (area, domain), messages in needed.items():
            path = areas.catalogue(area, language, domain)
            name = areas.relative(path)
            yield from _faults_in(path, name, messages)
            for entry in polib.pofile(str(path)) if path.exists() else ():
                key = (entry.msgctxt, entry.msgid)
                other, where = said.setdefault(key, (entry.msgstr, path))
                if other != entry.msgstr and entry.msgstr:
                    yield f"{name}: {entry.msgid!r} is translated otherwise in {areas.relative(where)}."


def _faults_of(entry: polib.POEntry) -> Iterator[str]:
    if entry.fuzzy:
        yield "is fuzzy: look through the translation and take the flag away."
    if not entry.translated() and not entry.fuzzy:
        yield "is not translated."
    plural = entry.msgid_plural
    for text in filter(None, [entry.msgstr, *entry.msgstr_plural.values()]):
        allowed = {frozenset(_PLACES.findall(entry.msgid)), frozenset(_PLACES.findall(plural or entry.msgid))}
        if frozenset(_PLACES.findall(text)) not in allowed:
            yield f"has other places than its translation {text!r}."
        if (entry.msgid[:1] in ",;: \n") != (text[:1] in ",;: \n"):
            yield f"begins otherwise than its translation {text!r}."
