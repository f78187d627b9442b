"""The outer form of backups: every byte counts, whatever the length."""

import hashlib

import pytest

from ratingsite.backup import BackupError, streams

PASSPHRASE = "long enough for a test"


def written(path, data: bytes, passphrase=None) -> bytes:
    with path.open("wb") as file:
        sink = streams.Sink(file, passphrase)
        for start in range(0, len(data), 70_001):
            sink.write(data[start : start + 70_001])
        sink.finish()
    return path.read_bytes()


def read(path, passphrase=None) -> bytes:
    with streams.Source(path, passphrase) as source:
        pieces = []
        while piece := source.read(99_991):
            pieces.append(piece)
        return b"".join(pieces)


@pytest.fixture
def quick_keys(monkeypatch):
    """Scrypt takes a third of a second on purpose; what is tried here begins behind it."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    def keys(passphrase, salt):
        made = hashlib.sha512(passphrase.encode() + salt).digest()
        return AESGCM(made[:32]), made[32:]

    monkeypatch.setattr(streams, "_keys", keys)


SIZES = [
    0,
    1,
    streams.TRAILER_SIZE,
    streams.PIECE - streams.TRAILER_SIZE,
    streams.PIECE,
    3 * streams.PIECE + 5,
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("passphrase", [None, PASSPHRASE])
def test_what_is_written_is_read(tmp_path, quick_keys, size, passphrase):
    data = hashlib.shake_128(b"bytes").digest(size)
    path = tmp_path / "file"
    kept = written(path, data, passphrase)
    assert read(path, passphrase) == data
    if size > 16 and passphrase:
        assert data[:100] not in kept


@pytest.mark.parametrize("passphrase", [None, PASSPHRASE])
def test_every_byte_counts(tmp_path, quick_keys, passphrase):
    path = tmp_path / "file"
    kept = written(path, b"some content", passphrase)
    for place in range(len(kept)):
        for bit in (1, 128):
            path.write_bytes(kept[:place] + bytes([kept[place] ^ bit]) + kept[place + 1 :])
            with pytest.raises(BackupError):
                read(path, passphrase)
        path.write_bytes(kept[:place])
        with pytest.raises(BackupError):
            read(path, passphrase)
    path.write_bytes(kept + b"more")
    with pytest.raises(BackupError):
        read(path, passphrase)


def test_pieces_cannot_be_swapped_left_out_or_cut(tmp_path, quick_keys):
    path = tmp_path / "file"
    kept = written(path, bytes(3 * streams.PIECE), PASSPHRASE)
    begin, size = len(streams.MAGIC) + streams.SALT + streams.MAC, streams.PIECE + streams.TAG
    head, pieces = kept[:begin], [kept[at : at + size] for at in range(begin, len(kept), size)]
    assert len(pieces) == 4
    for order in ((1, 0, 2, 3), (0, 2, 3), (0, 1, 2), (0, 1, 1, 2, 3), (3,), ()):
        path.write_bytes(head + b"".join(pieces[number] for number in order))
        with pytest.raises(BackupError, match="damaged"):
            read(path, PASSPHRASE)


def test_a_wrong_passphrase_is_told_from_damage(tmp_path):
    """By the real keys."""
    path = tmp_path / "file"
    kept = written(path, b"some content", PASSPHRASE)
    assert read(path, PASSPHRASE) == b"some content"
    with pytest.raises(BackupError, match="passphrase is not that"):
        read(path, "another one of the same")
    path.write_bytes(kept[:-1])
    with pytest.raises(BackupError, match="damaged or cut short"):
        read(path, PASSPHRASE)
    assert written(path, b"some content", PASSPHRASE) != kept, "a salt of its own"
