"""The table of formats, and that no file of any of them can do harm."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trust import samples
from tests.trust.fuzz import read_report
from tests.trust.mutants import mutate
from tournaments.reports import formats

SEEDS = [file for files in samples.reports().values() for file in files]


def test_codes_are_given_once():
    codes = [each.code for each in formats.FORMATS]
    assert len(codes) == len(set(codes))
    for each in formats.FORMATS:
        assert formats.by_code(each.code) is each


def test_an_unknown_code():
    with pytest.raises(KeyError):
        formats.by_code("trf99")


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False))
def test_damaged_files_of_every_format_give_findings_and_no_error(rng):
    (name, data), (_, other) = rng.choice(SEEDS), rng.choice(SEEDS)
    parsed = read_report(mutate(rng, data, other), name)
    assert parsed.format in {each.code for each in formats.FORMATS}


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=2000))
def test_any_bytes_give_a_report_with_findings(data):
    assert read_report(data, "file").problems
