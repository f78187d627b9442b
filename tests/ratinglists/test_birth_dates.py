"""Full birth dates on a list: where its regulation prints them, and only if the federation wants that."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from ratinglists.models import ListRow
from tests.factories import RAPID, make_list, make_player, make_system

pytestmark = pytest.mark.django_db
DAY = date(2022, 3, 1)


def pages(client, system) -> tuple[str, str]:
    page = client.get(reverse("list", args=[system.code, DAY])).content.decode()
    return page, b"".join(client.get(reverse("list-csv", args=[system.code, DAY]))).decode()


@pytest.mark.parametrize(
    ("wanted", "regulation", "printed"),
    [
        (False, RAPID, False),
        (True, RAPID, True),  # C 6.12
        (True, "fide-standard-2024", False),  # prints the year
    ],
)
def test_full_dates_are_printed_where_asked_for(client, wanted, regulation, printed):
    system = make_system(regulation=regulation, birth_dates=wanted)
    player = make_player("Alder, Tom", born=date(1990, 7, 3))
    make_list(system, DAY, {player: 1800})
    for text in pages(client, system):
        assert ("1990-07-03" in text) is printed
        assert "1990" in text


def test_a_date_known_in_part_is_no_date(client):
    system = make_system(birth_dates=True)
    make_list(system, DAY, {make_player("Alder, Tom", born=1990): 1800})
    for text in pages(client, system):
        assert "1990-01-01" not in text


def test_a_published_list_keeps_what_it_printed(client):
    system = make_system()
    player = make_player("Alder, Tom", born=date(1990, 7, 3))
    make_list(system, DAY, {player: 1800})
    system.birth_dates = True
    system.save()
    assert ListRow.objects.get().birth_date is None
    for text in pages(client, system):
        assert "1990-07-03" not in text
