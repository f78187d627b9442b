"""What is written is read back the same, and no bytes whatever raise."""

import io
import tracemalloc
from itertools import repeat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from players.listformats.model import MAX_NAME, MAX_OTHER_TITLES, Faulty, ListedPlayer, ListRating
from players.listformats.reading import WRITERS, PlayerList

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
ratings = st.builds(
    ListRating,
    st.none() | st.integers(1, 4000),
    st.integers(0, 9999),
    st.none() | st.integers(1, 99),
)
letters = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)
wide = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)


def names(words, longest):
    return st.lists(words, min_size=1, max_size=4).map(" ".join).filter(lambda name: len(name) <= longest)


def other_titles(longest):
    titles = st.lists(st.sampled_from(["IA", "FA", "NA", "FST", "FI", "LSI", "IO"]), max_size=12)
    return titles.map(",".join).filter(lambda text: len(text) <= longest)


def players(name, other, rating):
    return st.builds(
        ListedPlayer,
        line=st.just(0),
        number=st.integers(1, 10**9 - 1).map(str),
        name=name,
        federation=st.sampled_from(["", "ESP", "XAA"]),
        sex=st.sampled_from(["m", "f", ""]),
        title=st.sampled_from(["", "GM", "WIM", "WH"]),
        women_title=st.sampled_from(["", "WGM"]),
        other_titles=other,
        foa_title=st.sampled_from(["", "AFM", "AGM"]),
        standard=rating,
        rapid=rating,
        blitz=rating,
        birth_year=st.none() | st.integers(1850, 2100),
        active=st.booleans(),
    )


PLAYERS = {
    "fide-txt": players(names(letters, 60), other_titles(16), ratings),
    "fide-xml": players(names(wide, MAX_NAME), other_titles(MAX_OTHER_TITLES), st.none() | ratings),
    "csv": players(names(wide, MAX_NAME), other_titles(MAX_OTHER_TITLES), st.none() | ratings),
}


def read(data: bytes) -> list:
    return list(PlayerList(io.BytesIO(data), "list"))


@pytest.mark.parametrize("form", list(WRITERS))
@given(data=st.data())
@settings(SLOW, max_examples=150)
def test_a_list_written_is_read_back_the_same(form, data):
    given_players = data.draw(st.lists(PLAYERS[form], max_size=5))
    written = b"".join(WRITERS[form](given_players))
    assert [player._replace(line=0) for player in read(written)] == given_players


STARTS = {form: b"".join(writer([])) for form, writer in WRITERS.items()}
SAMPLE = ListedPlayer(0, "9100001", "Normal, Nora", "ESP", "f", "WGM", standard=ListRating(2301, 9, 20))


@pytest.mark.parametrize("form", list(WRITERS))
@given(st.binary(max_size=400))
@settings(SLOW, max_examples=200)
def test_no_bytes_raise(form, tail):
    for data in (tail, STARTS[form] + tail, STARTS[form][:40] + tail):
        for record in read(data):
            assert isinstance(record, ListedPlayer | Faulty)


@pytest.mark.parametrize("form", list(WRITERS))
@given(st.data())
@settings(SLOW, max_examples=200)
def test_a_damaged_list_never_raises_and_every_fault_has_a_remedy(form, data):
    raw = bytearray(b"".join(WRITERS[form]([SAMPLE] * 3)))
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    for record in read(bytes(raw)):
        if isinstance(record, Faulty):
            assert all(fault.message and fault.remedy.endswith((".", ",flag.")) for fault in record.faults)
        else:
            assert record.name.isprintable()
            assert "\0" not in "".join(part for part in record if isinstance(part, str))


class Endless(io.RawIOBase):
    """A long file that exists only while it is read; it can go back to its start."""

    def __init__(self, form: str, players: int) -> None:
        self.make = lambda: WRITERS[form](repeat(SAMPLE, players))
        self.seek(0)

    def seek(self, offset: int, whence: int = 0) -> int:
        assert (offset, whence) == (0, 0)
        self.chunks, self.rest = self.make(), b""
        return 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        while len(self.rest) < len(buffer) and (chunk := next(self.chunks, b"")):
            self.rest += chunk
        taken, self.rest = self.rest[: len(buffer)], self.rest[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)


@pytest.mark.parametrize("form", list(WRITERS))
def test_memory_does_not_grow_with_the_list(form):
    def peak(players: int) -> int:
        tracemalloc.start()
        try:
            assert sum(1 for _ in PlayerList(Endless(form, players))) == players
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(10)
    assert peak(6_000) < peak(1_000) + 300_000
