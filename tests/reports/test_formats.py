"""The table of formats, and that no file of any of them can do harm."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import fuzz_reports
from tournaments.reports import formats

SEEDS = fuzz_reports.seeds(random.Random(0), None)


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
    parsed = fuzz_reports.check(name, fuzz_reports.mutate(rng, data, other))
    assert parsed.format in {each.code for each in formats.FORMATS}


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=2000))
def test_any_bytes_give_a_report_with_findings(data):
    assert fuzz_reports.check("file", data).problems
