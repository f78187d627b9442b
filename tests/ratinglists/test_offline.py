"""An exported archive is checked without the portal, and whatever is changed in it is found."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from ratinglists import signing
from verifier import form
from verifier.__main__ import main
from verifier.folder import file_path, manifest_path, signature_path

ROOT = Path(__file__).resolve().parents[2]
FLIPS = 2000


@pytest.fixture
def folder(db, chain, tmp_path) -> Path:
    target = tmp_path / "download"
    call_command("export_archive", str(target))
    return target


def problems(folder: Path, *more: str) -> list[str]:
    """What the command says, line by line, when it finds faults; [] when all is whole."""
    from contextlib import redirect_stdout
    from io import StringIO

    said = StringIO()
    with redirect_stdout(said):
        code = main([str(folder), *more])
    lines = said.getvalue().splitlines()
    assert (code == 1) == lines[0].startswith("The archive is NOT")
    return lines[1:] if code else []


WITHOUT = """
import runpy, sys
for name in ("django", "regulations", "players", "ratinglists", "psycopg", "sqlite3", "redis", "socket"):
    sys.modules[name] = None
sys.argv = ["verifier", *sys.argv[1:]]
runpy.run_module("verifier", run_name="__main__")
"""


def offline(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", WITHOUT, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={}, check=False, timeout=60)


def test_a_whole_archive_passes_without_portal_database_and_network(folder):
    result = offline(str(folder))
    assert result.returncode == 0, result.stderr
    assert "Whole: publications 1 to 4" in result.stdout
    next((folder / "files").iterdir()).write_bytes(b"something else")
    result = offline(str(folder))
    assert (result.returncode, "Download it again" in result.stdout) == (1, True)
    assert offline("/nowhere").returncode == 2


@pytest.mark.once
def test_every_changed_byte_is_found(folder):
    assert problems(folder) == [], "the control"
    places = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        places += [(path, position) for position in range(path.stat().st_size)]
    small = [place for place in places if place[0].suffix in (".sig", ".pem")]
    step = max(1, len(places) // (FLIPS - len(small)))
    missed = []
    for number, (path, position) in enumerate(sorted({*small, *places[::step]})):
        data = path.read_bytes()
        path.write_bytes(data[:position] + bytes([data[position] ^ 1 << number % 8]) + data[position + 1 :])
        if not any(path.name in line for line in problems(folder)):
            missed.append((path.name, position))
        path.write_bytes(data)
    assert number > min(FLIPS, len(places)) * 0.7
    assert missed == []
    assert problems(folder) == [], "the control"


def test_every_missing_and_every_added_file_is_found(folder):
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        data = path.read_bytes()
        path.unlink()
        newest = path.name == "000004.json"  # then its signature is one too many
        assert any((path.stem if newest else path.name) in line for line in problems(folder)), path
        path.write_bytes(data + b"\n")
        assert any(path.name in line for line in problems(folder)), path
        path.write_bytes(data)
    for name in (
        "readme.txt",
        "files/" + "0" * 64,
        "manifests/5.json",
        "manifests/000000.json",
        "keys/x.pem",
    ):
        (folder / name).write_bytes(b"{}")
        assert any(name in line for line in problems(folder)), name
        (folder / name).unlink()
    assert problems(folder) == []


def test_a_link_or_a_pipe_is_not_followed(folder):
    path = next((folder / "files").iterdir())
    kept = path.rename(folder.parent / path.name)
    path.symlink_to(kept)
    assert any(path.name in line for line in problems(folder))
    path.unlink()
    import os

    os.mkfifo(path)
    assert any(path.name in line for line in problems(folder))


def resign(folder: Path, number: int, key: Ed25519PrivateKey, /, **changes) -> None:
    """What somebody with a key can write: a manifest with other fields, signed."""
    path = folder / manifest_path(number)
    data = form.canonical(json.loads(path.read_bytes()) | changes)
    path.write_bytes(data)
    (folder / signature_path(number)).write_bytes(key.sign(data))


def test_a_forger_with_another_key_is_found(folder):
    """He makes the newest manifest anew, for his own key, and offers that key beside the others."""
    own = Ed25519PrivateKey.generate()
    public = signing.public_of(own)
    resign(folder, 4, own, key=public, reason="Forged")
    (folder / "keys" / f"{form.key_id(public)}.pem").write_bytes(form.key_file(public))
    found = problems(folder)
    assert any("000004.json" in line and form.key_id(public) in line for line in found)
    resign(folder, 4, own, key=public, key_lost="We lost it, trust us.")
    found = problems(folder)
    assert len(found) == 1
    assert "We lost it" in found[0]


def test_a_stolen_key_still_cannot_change_what_lies_before(folder):
    """The chain: whoever signs an older manifest anew does not have its hash in the next one."""
    first, second = signing.read_keys()
    resign(folder, 2, first, reason="Rewritten")
    assert any("000003.json" in line for line in problems(folder))
    resign(folder, 4, second, reason="Rewritten")
    assert not any("000004" in line for line in problems(folder)), "the newest he can: compare its SHA-256"


def test_a_csv_that_is_not_the_list_is_found(folder):
    """Somebody with the key publishes a CSV with another rating beside the honest list."""
    first, _ = signing.read_keys()
    manifest = json.loads((folder / manifest_path(2)).read_bytes())
    table = next(each for each in manifest["lists"][0]["files"] if each["name"] == "rapid-2022-04-01.csv")
    import hashlib

    rows = (folder / file_path(table["sha256"])).read_bytes().replace(b",18", b",28", 1)
    table |= {"sha256": hashlib.sha256(rows).hexdigest()}
    (folder / file_path(table["sha256"])).write_bytes(rows)
    resign(folder, 2, first, lists=manifest["lists"])
    assert any("players with rating" in line for line in problems(folder))


def test_a_key_from_elsewhere(folder, tmp_path):
    names = sorted(path.stem for path in (folder / "keys").iterdir())
    for name in names:
        assert problems(folder, "--key", name) == []
        assert problems(folder, "--key", str(folder / "keys" / f"{name}.pem")) == []
    other = tmp_path / "other.pem"
    other.write_bytes(form.key_file(signing.public_of(Ed25519PrivateKey.generate())))
    assert any("one of the keys given" in line for line in problems(folder, "--key", str(other)))
    other.write_text("no key")
    with pytest.raises(SystemExit):
        main([str(folder), "--key", str(other)])


def test_a_part_of_the_files(folder, tmp_path):
    part = tmp_path / "part"
    call_command("export_archive", str(part), "--since", "3")
    assert len(list((part / "files").iterdir())) < len(list((folder / "files").iterdir()))
    assert problems(part, "--since", "3") == []
    assert problems(part) != []
    call_command("export_archive", str(part))
    assert problems(part) == [], "a later export adds what lacks"


@given(st.binary(max_size=200) | st.from_regex(rb"\{[\[\]\{\}\",:0-9a-z]*\}", fullmatch=True))
def test_what_is_no_manifest_is_said_to_be_none(data):
    with pytest.raises(form.Malformed):
        form.parse(data)


def test_a_deep_or_strange_manifest_is_refused(folder):
    path = folder / manifest_path(1)
    body = json.loads(path.read_bytes())
    for data in (b"[" * 200_000, b"{" + b'"a":{' * 100_000, b"9" * 5000, b"[]", b"\xff", b'{"format":1}'):
        with pytest.raises(form.Malformed):
            form.parse(data)
    taken = set()
    for name in body:
        for value in (None, -1, True, [], {}, "x", [1], [{}]):
            try:
                form.parse(form.canonical(body | {name: value}))
            except form.Malformed:
                continue
            taken.add((name, repr(value)))
    texts = {(name, "'x'") for name in ("published_at", "software", "reason", "key_lost")}
    nothing = {(name, "None") for name in ("previous", "next_key", "audit", "correction")}
    assert taken == texts | nothing | {("lists", "[]")}
    with pytest.raises(form.Malformed):
        form.parse(json.dumps(body).encode())
