"""Control characters are faults that name row and field, whichever way a text comes in."""

from __future__ import annotations

import io

import pytest
from django import forms
from django.apps import apps
from django.forms import modelform_factory
from django.urls import reverse

from players.listformats.model import Faulty
from players.listformats.reading import PlayerList
from ratinglists.formats.opening_csv import read_opening_csv
from regulations.characters import forbidden, without_forbidden
from regulations.reading import text as json_text
from tests.factories import make_user
from tests.reports.xlsx_book import book, row
from tournaments import drafting
from tournaments.reports import csv_table, feda_file, trf16, xlsx_table

#: NUL, bell, escape, delete, C1, overrides and isolates of the direction, a mark of byte order
CONTROLS = [
    "\0",
    "\x07",
    "\x1b",
    "\x1f",
    "\x7f",
    "\x85",
    "\x9b",
    "\u202a",
    "\u202e",
    "\u2066",
    "\u2069",
    "\ufeff",
]
IN_XML = [each for each in CONTROLS if each >= "\x7f"]
HALF = b"\xed\xa0\x80"


def named(character: str) -> str:
    return f"U+{ord(character):04X}"


@pytest.mark.parametrize("character", [*CONTROLS, "\ud800", "\ufffe", "\uffff"])
def test_what_is_forbidden(character):
    assert forbidden(f"Ann{character}a") == f"{named(character)} (character 4)"
    assert without_forbidden(f"Ann{character}a") == "Ann a"


@pytest.mark.parametrize(
    "text", ["", "Ñandú, José", "a\tb\r\nc", "वि\u200dक", "\U0001f469\u200d\U0001f373", "שלום"]
)
def test_what_is_not(text):
    assert forbidden(text) == ""


class TestReports:
    def found(self, report) -> list[tuple[int | None, str, str]]:
        return [(p.line, p.field, p.code) for p in report.errors if p.code == "control-character"]

    @pytest.mark.parametrize("character", CONTROLS)
    def test_csv(self, character):
        text = f"no,name,r1\n1,Al{character}ba,2w1\n2,Bruno,\n"
        (fault,) = self.found(csv_table.parse(text.encode()))
        assert fault[0] == 2

    @pytest.mark.parametrize("character", IN_XML)
    def test_xlsx(self, character):
        (fault,) = self.found(
            xlsx_table.parse(book(row("no", "name", "r1") + row(1, f"Al{character}ba", "H")))
        )
        assert fault[0] == 2

    @pytest.mark.parametrize("character", CONTROLS)
    def test_trf(self, character):
        line = f"001    1      Al{character}ba, Ada".ljust(99)
        assert any(line == 2 for line, _, _ in self.found(trf16.parse(f"012 Open\n{line}\n".encode())))

    @pytest.mark.parametrize("character", CONTROLS)
    def test_feda(self, character):
        text = f"PARA JUGADORES CLASIFICADOS\n12345,Al{character}ba,m,AND,01-01-90,4.5,9,1800\n"
        assert any(line == 2 for line, _, _ in self.found(feda_file.parse(text.encode(), None)))

    def test_half_of_a_surrogate(self):
        (fault,) = self.found(csv_table.parse(b"no,name,r1\n1,Al" + HALF + b"ba,2w1\n2,Bruno,\n"))
        assert fault[0] == 2


class TestLists:
    @pytest.mark.parametrize("character", CONTROLS)
    @pytest.mark.parametrize("field", ["name", "federation", "title", "birth_year", "flag"])
    def test_players(self, character, field):
        given = {
            "fide_id": "100",
            "name": "Normal Nora",
            "federation": "XAA",
            "title": "",
            "birth_year": "",
            "flag": "",
        }
        given[field] = f"{given[field]}{character}x"
        text = f"{','.join(given)}\n{','.join(given.values())}\n"
        (found,) = PlayerList(io.BytesIO(text.encode()), "list.csv")
        assert isinstance(found, Faulty)
        (fault,) = found.faults
        assert (fault.line, fault.field) == (2, field)
        assert named(character) in fault.message
        assert fault.remedy

    @pytest.mark.parametrize("character", CONTROLS)
    def test_an_opening_list(self, character):
        rows, problems = read_opening_csv(f"name,rating,player_id\nAlba,1800,a{character}b\nBo,1,\n".encode())
        (problem,) = problems
        assert (problem.row, problem.field) == (2, "player_id")
        assert named(character) in problem.message
        assert [row.name for row in rows] == ["Bo"]


class TestForms:
    @pytest.mark.parametrize("character", CONTROLS[1:])
    def test_every_text_field_of_every_model(self, character):
        """As the administration makes its forms."""
        tried = 0
        for model in apps.get_models():
            if not model.__module__.startswith(("players", "tournaments", "ratinglists")):
                continue
            made = modelform_factory(model, fields="__all__")
            for field in made.base_fields.values():
                if isinstance(field, forms.CharField) and not hasattr(field, "choices"):
                    with pytest.raises(forms.ValidationError):
                        field.clean(f"a{character}b")
                    tried += 1
        assert tried > 20

    @pytest.mark.django_db
    @pytest.mark.parametrize("character", CONTROLS)
    def test_a_page_names_the_field(self, client, character):
        page = client.post(reverse("account_login"), {"login": f"a{character}b", "password": "x"})
        assert page.status_code == 200
        assert page.context["form"].errors["login"]

    @pytest.mark.parametrize("character", CONTROLS)
    def test_a_typed_crosstable_names_row_and_field(self, character):
        with pytest.raises(drafting.NotSaved) as refusal:
            drafting._clean(drafting.PLAYERS, [["1", "100", "Alba"], ["2", "101", f"Bru{character}no"]])
        (fault,) = refusal.value.faults
        assert fault.startswith("Row 2, name:")
        assert named(character) in fault


class TestPrograms:
    @pytest.mark.django_db
    @pytest.mark.parametrize("character", CONTROLS)
    def test_a_parameter_is_named(self, client, character):
        answer = client.get("/api/v1/players", {"q": f"a{character}b"})
        assert answer.status_code == 422
        (error,) = answer.json()["errors"]
        assert error["path"] == "query.q"
        assert named(character) in error["message"]

    @pytest.mark.parametrize("character", [*CONTROLS, "\t", "\n", "\ud800"])
    def test_a_value_of_the_calculator_is_named(self, character):
        errors = []
        json_text()(f"a{character}b", "players[3].id", errors)
        assert [error.path for error in errors] == ["players[3].id"]


@pytest.mark.django_db
def test_pages_answer_nul_without_a_fault(client):
    client.force_login(make_user())
    for path in ("/players/?q=a%00b", "/players/?q=%E2%80%AE", "/tournaments/?q=%00", "/verify/?sha256=%00"):
        assert client.get(path).status_code in (200, 400)
