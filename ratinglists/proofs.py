"""Reads for the verification page: the publications, their keys, and where a hash was published."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Min, QuerySet

from ratinglists import archive
from ratinglists.models import ListFile, Publication, RatingList
from ratinglists.signing import key_in_force
from verifier import form
from verifier.folder import file_path, key_path, manifest_path, signature_path

CHUNK = 2**18


@dataclass(frozen=True, slots=True)
class Match:
    """Something published whose SHA-256 somebody asked for."""

    what: str
    publication: Publication
    listed: RatingList | None = None


def publications() -> QuerySet:
    """Newest first, each with its lists."""
    return Publication.objects.prefetch_related("lists__period__system")


def published_as(sha256: str) -> list[Match]:
    """Where a file, a list, the input of a list or a manifest of this hash was published."""
    published = RatingList.objects.filter(state=RatingList.State.PUBLISHED)
    published = published.select_related("period__system", "publication").defer("report")
    files = ListFile.objects.filter(sha256=sha256, rating_list__state=RatingList.State.PUBLISHED)
    files = files.select_related("rating_list__period__system", "rating_list__publication")
    found = []
    for file in files.defer("rating_list__report"):
        path, listed = file.name, file.rating_list
        found.append(Match(f"the file {path}", listed.publication, listed))
    found += [
        Match("the list itself, in its canonical form", each.publication, each)
        for each in published.filter(sha256=sha256)
    ]
    found += [
        Match("the input from which the list was computed", each.publication, each)
        for each in published.filter(input_sha256=sha256, is_opening=False)
    ]
    found += [Match("its manifest", each) for each in Publication.objects.filter(manifest_sha256=sha256)]
    return sorted(found, key=lambda each: each.publication.number)


@dataclass(frozen=True, slots=True)
class Key:
    """A public key, in hexadecimal, and the number of the first publication that it signed or will sign."""

    public: str
    first: int

    @property
    def name(self) -> str:
        return form.key_id(self.public)

    @property
    def pem(self) -> bytes:
        return form.key_file(self.public)


def public_keys() -> list[Key]:
    """Every key that signed, the oldest first, and the one that signs next. Raises OSError, Malformed or
    SigningRefused if the archive lacks a manifest."""
    used = Publication.objects.exclude(key_id="").order_by().values("key_id")
    keys = []
    for number in sorted(used.annotate(first=Min("number")).values_list("first", flat=True)):
        keys.append(Key(form.parse(manifest_of(Publication.objects.get(pk=number)))["key"], number))
    last = Publication.objects.first()
    coming = key_in_force(last)
    if last and coming and coming not in [key.public for key in keys]:
        keys.append(Key(coming, last.number + 1))
    return keys


def manifest_of(publication: Publication) -> bytes:
    """The bytes of a manifest. Raises FileNotFoundError."""
    with archive.open_file(publication.manifest_sha256) as file:
        return file.read()


def tar_of(last: Publication) -> Iterator[bytes]:
    """An archive for ``python -m verifier``: the chain up to a publication, and the files of this one."""
    buffer = _Buffer()
    with tarfile.open(fileobj=buffer, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        for row in Publication.objects.filter(number__lte=last.number).order_by("number"):
            body = manifest_of(row)
            _add(tar, manifest_path(row.number), body)
            _add(tar, signature_path(row.number), bytes.fromhex(row.signature))
            yield buffer.take()
        coming = form.parse(body)["next_key"]
        for key in public_keys():
            if key.first <= last.number or key.public == coming:
                _add(tar, key_path(key.name), key.pem)
        for each in {file["sha256"]: file for file in form.files_of(form.parse(body))}.values():
            info = tarfile.TarInfo(file_path(each["sha256"]))
            info.size = each["size"]
            tar.addfile(info)
            with archive.open_file(each["sha256"]) as file:
                while chunk := file.read(CHUNK):
                    tar.fileobj.write(chunk)
                    yield buffer.take()
            tar.fileobj.write(b"\0" * (-each["size"] % tarfile.BLOCKSIZE))
            tar.offset += each["size"] + -each["size"] % tarfile.BLOCKSIZE
    yield buffer.take()


def _add(tar: tarfile.TarFile, path: str, data: bytes) -> None:
    info = tarfile.TarInfo(path)
    info.size = len(data)
    tar.addfile(info, io.BytesIO(data))


class _Buffer(io.RawIOBase):
    """What was written since the last look."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def write(self, data) -> int:
        self.pieces.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken, self.pieces = b"".join(self.pieces), []
        return taken
