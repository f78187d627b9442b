"""Whatever a test has a regulation say: the page finds the template of each text, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from regulations import model
from tests.languages import assert_said, recorded

#: class: the fields that hold texts
TEXTS = {model.Step: ("label", "value", "text"), model.Finding: ("message",), model.Uncounted: ("reason",)}
#: keys and titles that the tests use, symbols of the formulas, and texts that tests put in themselves
FREE = re.compile(
    r"[a-z]{3,5}|[A-Z][a-z]+|[A-Z]{2,3}|Rar|ΣΔR|FUERA|LISTA|dpa|performance|forfeit|second|definitive|unbounded|newcomer|veteran|.*\d"
)
#: modules with a regulation of their own, or with texts that no regulation has
OWN = ("test_example", "test_every_list", "test_every_regulation", "test_compare", "test_registry")


@pytest.fixture(autouse=True, scope="module")
def every_text_is_found_again(request) -> Iterator[None]:
    with recorded(TEXTS) as said:
        yield
    if request.module.__name__.rpartition(".")[2] not in OWN:
        assert_said(said, FREE)
