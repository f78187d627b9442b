"""The files that manifests name, and whether a list's files say what the list's own hash stands for."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO, TextIO

from verifier import form
from verifier.chain import Chain
from verifier.faults import ASK, DOWNLOAD, Fault
from verifier.folder import Archive, Folder, file_path, key_path, manifest_path, signature_path

CHUNK = 2**20


def check_files(archive: Archive, chain: Chain, since: int = 1) -> tuple[list[Fault], int, int]:
    """Every file of the publications from ``since`` on. Returns the faults, and how many files of how
    many bytes were read."""
    faults: list[Fault] = []
    count = size = 0
    seen: set[tuple[str, int]] = set()
    for number, manifest in sorted(chain.manifests.items()):
        for listed in manifest["lists"] if number >= since else ():
            faults += _own_hash(number, listed)
            whole = True
            for each in listed["files"]:
                if (each["sha256"], each["size"]) in seen:
                    continue
                seen.add((each["sha256"], each["size"]))
                found = list(_file(archive, each, number))
                whole = whole and not found
                faults += found
                count, size = count + 1, size + each["size"]
            if whole:
                faults += _agree(archive, listed)
    return faults, count, size


def _own_hash(number: int, listed: dict) -> Iterator[Fault]:
    """The canonical file of a list, where there is one, has the list's own hash."""
    for each in listed["files"]:
        if each["name"].endswith(form.CANONICAL) and each["sha256"] != listed["sha256"]:
            where = f"{manifest_path(number)}, {each['name']}"
            yield Fault(where, f"the list's hash {listed['sha256']}", each["sha256"], ASK)


def _file(archive: Archive, wanted: dict, number: int) -> Iterator[Fault]:
    where = f"{file_path(wanted['sha256'])} ({wanted['name']}, publication {number})"
    file = archive.file(wanted["sha256"])
    if file is None:
        yield Fault(where, f"a file of {wanted['size']} bytes", "nothing", DOWNLOAD)
        return
    with file:
        digest, size = hashlib.sha256(), 0
        while size <= wanted["size"] and (chunk := file.read(CHUNK)):
            digest.update(chunk)
            size += len(chunk)
    if size != wanted["size"]:
        found = f"more than {wanted['size']}" if size > wanted["size"] else str(size)
        yield Fault(where, f"{wanted['size']} bytes", f"{found} bytes", DOWNLOAD)
    elif digest.hexdigest() != wanted["sha256"]:
        yield Fault(where, f"SHA-256 {wanted['sha256']}", f"SHA-256 {digest.hexdigest()}", DOWNLOAD)


def _agree(archive: Archive, listed: dict) -> Iterator[Fault]:
    """The CSV of a list has as many players of each rating, status and number of games as the list."""
    stem = next((f["name"].removesuffix(form.CANONICAL) for f in listed["files"] if _is_canonical(f)), None)
    table = next((f for f in listed["files"] if f["name"] == f"{stem}.csv"), None)
    if stem is None or table is None:
        return
    listed_file, csv_file = archive.file(listed["sha256"]), archive.file(table["sha256"])
    if listed_file is None or csv_file is None:
        return
    where = f"{file_path(table['sha256'])} ({table['name']})"
    with listed_file, csv_file:
        try:
            wanted, found = _players(listed_file), _rows(csv_file)
        except (ValueError, KeyError, TypeError, RecursionError, csv.Error) as error:
            yield Fault(where, "a CSV and a list that can be compared", f"{type(error).__name__}", ASK)
            return
    if found is not None and wanted != found:
        key = min((wanted - found) + (found - wanted))
        group = "players with rating {}, status {}, games {}".format(*key)
        yield Fault(where, f"{wanted[key]} {group}", f"{found[key]}", ASK)


def _is_canonical(file: dict) -> bool:
    return file["name"].endswith(form.CANONICAL)


def _players(file: BinaryIO) -> Counter:
    shown: Counter = Counter()
    for player in _objects(io.TextIOWrapper(file, encoding="utf-8")):
        if player["rating"] is not None and not (
            player["status"] == "inactive" and "not-shown" in player["flags"]
        ):
            shown[str(player["rating"]), player["status"], str(player["games"])] += 1
    return shown


def _objects(file: TextIO) -> Iterator[dict]:
    """The players of a canonical list one by one: the file may be of hundreds of megabytes."""
    decoder, rest = json.JSONDecoder(), file.read(CHUNK)
    _, found, rest = rest.partition('"players":[')
    if not found:
        raise ValueError("no players")
    while not rest.startswith("]"):
        try:
            player, end = decoder.raw_decode(rest)
        except ValueError:
            if len(rest) > 2 * CHUNK or not (more := file.read(CHUNK)):
                raise
            rest += more
            continue
        yield player
        if end + 1 >= len(rest):
            rest += file.read(CHUNK)
        rest = rest[end:].removeprefix(",")


def _rows(file: BinaryIO) -> Counter | None:
    rows = csv.DictReader(io.TextIOWrapper(file, encoding="utf-8", newline=""))
    if not {"rating", "status", "games"} <= set(rows.fieldnames or ()):
        return None
    return Counter((row["rating"], row["status"], row["games"]) for row in rows)


def check_folder(folder: Folder, chain: Chain) -> Iterator[Fault]:
    """The key files are the chain's keys, and nothing else lies in the folder."""
    known = {path for n in chain.hashes for path in (manifest_path(n), signature_path(n))}
    known |= {
        file_path(each["sha256"]) for manifest in chain.manifests.values() for each in form.files_of(manifest)
    }
    for public in chain.keys:
        path = key_path(form.key_id(public))
        known.add(path)
        if (found := folder.read(path)) != form.key_file(public):
            yield Fault(path, f"the public key {public}", "nothing" if found is None else "another", DOWNLOAD)
    for path in sorted(set(folder.paths()) - known):
        yield Fault(path, "nothing of this name", "a file that no manifest names", "Do not use it.")
