"""Catalogues, the choice of a language, and what follows it."""

from __future__ import annotations

import shutil
from datetime import date

import pytest
from django.utils import formats, translation

from ratingsite.languages import areas, catalogues
from ratingsite.languages.gettext_in_code import messages_of
from ratingsite.languages.templates_in_code import templates_of


def test_every_language_is_whole_and_compiled():
    assert list(catalogues.faults()) == []


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The catalogues of Spanish, to be spoiled."""
    shutil.copytree(areas.LOCALE, tmp_path / "locale")
    monkeypatch.setattr(areas, "ROOT", tmp_path.resolve())
    monkeypatch.setattr(areas, "LOCALE", tmp_path.resolve() / "locale")
    for package in ("regulations", "players", "tournaments", "ratinglists", "ratingsite", "templates"):
        (tmp_path / package).symlink_to(catalogues.Path(__file__).resolve().parents[2] / package)
    return areas.catalogue("regulations", "es", "texts")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('msgid "no games"\nmsgstr "ninguna partida"', 'msgid "no games"\nmsgstr ""', "is not translated"),
        ('msgid "no games"\n', '#, fuzzy\nmsgid "no games"\n', "is fuzzy"),
        ('msgstr "{games} partidas"', 'msgstr "{partidas} partidas"', "has other places"),
        ('msgid "no games"', 'msgid "nought games"', "'no games' is missing"),
        ('msgid "no games"', 'msgid "nought games"', "is in the code no more"),
        ('msgstr "ninguna partida"', 'msgstr "sin partidas"', "is older than its .po"),
    ],
)
def test_a_spoiled_catalogue_is_named(copied, old, new, fault):
    text = copied.read_text()
    assert old in text
    copied.write_text(text.replace(old, new, 1))
    found = list(catalogues.faults())
    assert any(fault in each and "regulations/es" in each for each in found), found


def test_templates_are_read_off_the_code():
    source = '''
"""Not this docstring."""
log.info("nor what is %s logged", 1)
def of(p, n, why):
    text = f"{show(n.games)} of {p.most} game{'' if n == 1 else 's'}" + why
    return Step(p.article("1.2"), "rounded", str(n), f"{n} and {n}, by ({articles.total})")
class State(TextChoices):
    OPEN = "open", "waiting"
'''
    assert [text for _, text in templates_of(source)] == [
        "{games} of {most} game{why}",
        "{games} of {most} games{why}",
        "rounded",
        "{n} and {n2}, by ({article})",
        "waiting",
    ]


def test_messages_are_read_off_templates(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(
        '{% load i18n %}<p title="{% translate "Round" %}">\n'
        "{% blocktranslate count n=games %}{{ n }} game{% plural %}{{ n }} games{% endblocktranslate %}</p>"
    )
    assert [(m.line, m.text, m.plural) for m in messages_of(path)] == [
        (1, "Round", ""),
        (2, "%(n)s game", "%(n)s games"),
    ]


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "1 March 2022"), ("es", "1 de marzo de 2022"), ("pt", "1 de março de 2022")],
)
def test_dates_in_words_follow_the_language(language, shown):
    with translation.override(language):
        assert formats.date_format(date(2022, 3, 1), "j F Y") == shown
        assert formats.date_format(date(2022, 3, 1), "Y-m-d") == "2022-03-01"


@pytest.mark.django_db
def test_the_choice_is_kept_in_a_cookie_and_leads_back(client):
    answer = client.get("/language/es/", {"next": "/players/?q=a&page=2"})
    assert (answer.status_code, answer["Location"]) == (302, "/players/?q=a&page=2")
    assert client.cookies["language"].value == "es"
    assert client.cookies["language"]["httponly"]
    page = client.get("/players/")
    assert '<html lang="es">' in page.content.decode()
    assert page["Content-Language"] == "es"
    client.get("/language/pt/")
    assert '<html lang="pt">' in client.get("/players/").content.decode()


@pytest.mark.django_db
def test_only_own_pages_and_known_languages(client):
    assert client.get("/language/es/", {"next": "https://elsewhere.example/"})["Location"] == "/"
    assert client.get("/language/es/", {"next": "//elsewhere.example/"})["Location"] == "/"
    assert client.get("/language/xx/").status_code == 404
    assert client.post("/language/es/").status_code == 405


@pytest.mark.django_db
def test_a_browser_is_answered_in_its_language_and_caches_keep_them_apart(client):
    page = client.get("/players/", headers={"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.5"})
    assert '<html lang="pt">' in page.content.decode()
    varies = {each.strip() for each in page["Vary"].split(",")}
    assert {"Accept-Language", "Cookie"} <= varies
    assert '<html lang="en">' in client.get("/players/", headers={"Accept-Language": "de"}).content.decode()


@pytest.mark.django_db
def test_programs_get_the_same_bytes_in_every_language(client):
    for path in ("/api/v1/players", "/api/v1/openapi.json", "/healthz", "/players/export/?format=csv"):
        answers = [client.get(path, headers={"Accept-Language": each}) for each in ("en", "es", "pt")]
        assert len({answer.content for answer in answers if not answer.streaming}) <= 1, path
        assert all("Accept-Language" not in answer.get("Vary", "") for answer in answers), path


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/lists/none/2024-01-01/none.csv",
        "/lists/none/2024-01-01/files/none",
        "/none.json",
        "/static/none.css",
    ],
)
def test_a_page_that_says_no_speaks_to_the_reader_where_a_file_was_asked_for(client, path):
    page = client.get(path, headers={"Accept-Language": "es"})
    assert page.status_code == 404
    assert '<html lang="es">' in page.content.decode()
    assert {"Accept-Language", "Cookie"} <= {each.strip() for each in page["Vary"].split(",")}
    assert '<html lang="en">' in client.get(path, headers={"Accept-Language": "de"}).content.decode()


@pytest.mark.django_db
def test_programs_are_told_no_in_english(client):
    page = client.get("/api/v1/none", headers={"Accept-Language": "es"})
    assert (page.status_code, 'lang="es"' in page.content.decode()) == (404, False)
    assert "Accept-Language" not in page.get("Vary", "")
