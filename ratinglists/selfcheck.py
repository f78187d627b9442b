"""Database and archive checked against each other: what triggers cannot keep a superuser from doing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from ratinglists import archive
from ratinglists.actscheck import BACKUP, check_acts, told_publications
from ratinglists.archives import PortalArchive
from ratinglists.canonical import rewritten
from ratinglists.files import FileSpec
from ratinglists.manifest import correction_of, described
from ratinglists.models import ListFile, Publication, RatingList
from ratinglists.records import moment
from verifier import form
from verifier.chain import Chain, read_chain
from verifier.contents import check_files
from verifier.faults import Fault


def check(keys: Sequence[str], progress: Callable[[str], None]) -> tuple[Chain, list[Fault]]:
    """Check everything; returns the chain of manifests and all faults. Reads each file once."""
    told = told_publications()  # before the chain is read: what is published meanwhile is in neither
    own = PortalArchive()
    progress("the chain of manifests")
    chain = read_chain(own, keys)
    progress("the files of the archive")
    published = RatingList.objects.filter(state=RatingList.State.PUBLISHED)
    begun = bool(own.rows or told or chain.manifests) or published.exists()
    faults = [*chain.faults, *check_files(own, chain)[0]] if begun else []
    for number, row in sorted(own.rows.items()):
        faults += _readable(f"publication {number}", _publication(chain, number, row))
    said = {
        (number, each["system"], each["list_date"], each["revision"])
        for number, manifest in chain.manifests.items()
        for each in manifest["lists"]
    }
    for listed in published.select_related("period").order_by("publication_id", "pk"):
        progress(f"the rows of {listed}")
        key = (listed.publication_id, listed.period.system_id, listed.list_date.isoformat(), listed.revision)
        if key not in said:
            where = f"list {listed}"
            expected = f"in the manifest of publication {listed.publication_id}"
            faults.append(Fault(where, expected, "not there", BACKUP))
        said.discard(key)
        faults += _readable(f"rows of {listed}", _rows(listed))
    for number, system, day, revision in sorted(said):
        where = f"publication {number}: {system} {day}, revision {revision}"
        faults.append(Fault(where, "a published list in the database", "none", BACKUP))
    faults += [
        Fault(f"publication {number}", "the publication that the audit log tells of", "none", BACKUP)
        for number in sorted(told - set(own.rows))
    ]
    progress("the audit log")
    faults += _readable("audit log", check_acts(chain))
    return chain, faults


def _readable(where: str, faults: Iterator[Fault]) -> Iterator[Fault]:
    """These faults; another one where the rows hold what no program of ours writes."""
    try:
        yield from faults
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError) as error:
        yield Fault(where, "values that can be read", f"{type(error).__name__}: {error}", BACKUP)


def _publication(chain: Chain, number: int, row: Publication) -> Iterator[Fault]:
    """A publication's row and lists say what its manifest says."""
    where, manifest = f"publication {number}", chain.manifests.get(number)
    if chain.hashes.get(number, row.manifest_sha256) != row.manifest_sha256:
        expected = f"a manifest of SHA-256 {row.manifest_sha256}"
        yield Fault(where, expected, chain.hashes[number], BACKUP)
    if manifest is None:
        return
    lists = row.lists.filter(state=RatingList.State.PUBLISHED).select_related("period", "previous__period")
    for name, said, found in (
        ("key", form.key_id(manifest["key"]), row.key_id),
        ("published_at", manifest["published_at"], moment(row.published_at)),
        ("previous", number - 1 or None, row.previous_id),
        ("correction", manifest["correction"], correction_of(lists)),
    ):
        if said != found:
            yield Fault(f"{where}, {name}", str(said), str(found), BACKUP)
    files = list(ListFile.objects.filter(rating_list__publication=row))
    stands = {_key(found): found for listed in lists if (found := described(listed, files))}
    for said in manifest["lists"]:
        found = stands.get(_key(said))
        for name in said if found is not None else ():
            if said[name] != found[name]:
                at = f"{where}, {form.title_of(said)}, {name}"
                yield Fault(at, _short(said[name]), _short(found[name]), BACKUP)


def _key(listed: dict) -> tuple:
    return listed["system"], listed["list_date"], listed["revision"]


def _short(value: object) -> str:
    if isinstance(value, list):
        return f"{len(value)} files: " + ", ".join(f"{each['name']} {each['sha256'][:12]}…" for each in value)
    return str(value)


def _rows(listed: RatingList) -> Iterator[Fault]:
    """The rows of a list give the very bytes that were published; else the first line that differs."""
    for file, spec, now in rewritten(listed, listed.files.all()):
        if now != file.sha256:
            line, expected, found = _first_difference(file, spec)
            yield Fault(f"rows of {listed}, line {line} of {file.name}", expected, found, BACKUP)


def _first_difference(file: ListFile, spec: FileSpec) -> tuple[int, str, str]:
    """Lines are players: of the canonical list its objects, of the other files their lines."""
    end = b"}," if spec.name.endswith(form.CANONICAL) else b"\n"
    try:
        with archive.open_file(file.sha256) as stored:
            published = _pieces(iter(lambda: stored.read(2**16), b""), end)
            pairs = zip_longest(published, _pieces(iter(spec.chunks()), end))
            for line, (then, now) in enumerate(pairs, start=1):
                if then != now:
                    return line, _said(then), _said(now)
    except OSError:
        pass
    return 1, f"SHA-256 {file.sha256}", "other rows (the published file is not in the archive)"


def _pieces(chunks: Iterator[bytes], end: bytes) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(end)
        yield from whole
    yield rest


def _said(line: bytes | None) -> str:
    return "nothing" if line is None else repr(line.decode(errors="replace").strip())
