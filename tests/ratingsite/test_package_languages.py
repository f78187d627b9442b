"""A package that brings a regulation brings its translations, too."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from players.languages import texts
from ratingsite.languages import catalogues
from regulations import model, registry
from tests import example
from tests.languages import assert_said, recorded
from tests.regulations.conftest import TEXTS

PACKAGE = example.FOLDER / "norrholm"
#: ids of its golden case, and the code of its regulation
FREE = re.compile(r"Ada|Bo|Cy|Dan|Eva|Finn")


@pytest.fixture
def regulation(tmp_path) -> Iterator[object]:
    with example.installed(tmp_path / "installed") as found:
        texts.forget()
        yield found
    texts.forget()


def _said_by(regulation) -> set[str]:
    """What its golden case makes it say."""
    ratings = {"Ada": 1850, "Bo": 1700, "Cy": 1420, "Dan": 1003, "Eva": None}
    games = (
        model.Game(1, "Ada", "Bo", "1-0"), model.Game(1, "Cy", "Dan", "1-0"),
        model.Game(2, "Eva", "Ada", "1/2-1/2"), model.Game(3, "Dan", "Eva", "0-1"),
        model.Game(4, "Cy", "Eva", "1-0"), model.Game(5, "Eva", "Bo", "0-1"),
        model.Game(5, "Ada", "Dan", "+/-"),
    )  # fmt: skip
    start, end, listed = (example.day(text) for text in ("2024-03-06", "2024-03-14", "2024-07-01"))
    players = tuple(model.EventPlayer(name, rating) for name, rating in ratings.items())
    event = model.Event("round-robin", players, games, start=start, end=end, id="E1")
    before = tuple(model.ListPlayer(name, rating) for name, rating in ratings.items() if rating)
    with recorded(TEXTS) as said:
        rated = model.RatedEvent(event, regulation.rate(event))
        regulation.next_list(model.ListInput(listed, before, events=(rated,)))
        stages = (model.Stage(None, 30),)
        regulation.check(model.Registration("swiss", start, end, stages, registered_on=start))
        for received in (example.day("2024-03-25"), example.day("2025-01-02")):
            regulation.report_findings(end=end, received=received, list_date=example.day("2025-07-01"))
    return said | {regulation.title}


def test_its_texts_come_out_in_every_language(regulation):
    said = _said_by(regulation)
    assert len(said) > 30
    assert_said(said, FREE)
    with translation.override("es"):
        assert texts.said("gain round 3") == "ganancia, ronda 3"


def test_without_its_catalogues_they_stay_english(tmp_path, monkeypatch):
    with example.installed(tmp_path / "installed"):
        monkeypatch.setattr(registry, "translations", lambda: ())
        texts.forget()
        with translation.override("es"):
            assert texts.said("gain round 3") == "gain round 3"
    texts.forget()


def test_a_broken_catalogue_does_not_take_the_others_with_it(regulation):
    (folder,) = registry.translations()
    (folder / "es" / "LC_MESSAGES" / "texts.mo").write_bytes(b"no catalogue")
    texts.forget()
    with translation.override("es"):
        with pytest.warns(UserWarning, match="cannot be read"):
            assert texts.said("gain round 3") == "gain round 3"
        assert texts.said("no games") == "ninguna partida"


def test_the_catalogues_of_the_example_are_whole():
    assert list(catalogues.faults_of(PACKAGE)) == []


@pytest.fixture
def package(tmp_path) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path / "norrholm"))


def test_the_command_makes_them_and_keeps_what_is_translated(package, capsys):
    (package / "more.py").write_text('def why(games):\n    return f"only {games} games of a season"\n')
    with pytest.raises(CommandError, match="2 faults"):
        call_command("languages", "--check", "--of", str(package))
    call_command("languages", "--of", str(package))
    told = capsys.readouterr().out
    assert told.count("'only {games} games of a season' is not translated") == 2
    assert 'msgstr "ganancia"' in (package / "locale/es/LC_MESSAGES/texts.po").read_text()


def test_a_folder_that_is_no_package_is_refused(tmp_path):
    with pytest.raises(CommandError, match="is no package"):
        call_command("languages", "--of", str(tmp_path))
