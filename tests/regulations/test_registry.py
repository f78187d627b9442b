import warnings
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from regulations import registry
from regulations.base import Parameter
from regulations.fide_standard_2004 import FideStandard2004
from regulations.registry import UnknownRegulation, all_regulations, get


class Foreign(FideStandard2004):
    """A third party's regulation."""

    code = "club-2030"


class Repeated(FideStandard2004):
    """Claims a code that is taken."""


@pytest.fixture
def plugins(monkeypatch):
    def install(**points):
        found = [EntryPoint(name, value, registry.GROUP) for name, value in points.items()]
        monkeypatch.setattr(registry, "entry_points", lambda group: found)
        registry.refresh()

    yield install
    monkeypatch.undo()
    registry.refresh()


def test_both_built_in_regulations_are_known():
    assert {"fide-standard-2004", "fide-rapid-blitz-2022"} <= {each.code for each in all_regulations()}


def test_an_unknown_code_gives_the_known_ones():
    with pytest.raises(UnknownRegulation, match=r'No regulation "x".*fide-standard-2004'):
        get("x")


def test_another_package_can_bring_a_regulation(plugins):
    plugins(club=f"{__name__}:Foreign")
    assert get("club-2030").title == FideStandard2004.title


def test_a_faulty_plug_in_warns_and_leaves_the_others(plugins):
    plugins(broken="no_such_module_here:Thing", repeated=f"{__name__}:Repeated")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert type(get("fide-standard-2004")) is FideStandard2004
    assert len(caught) == 2
    assert "cannot be loaded" in str(caught[0].message)


def test_every_parameter_has_its_article_and_meaning():
    for regulation in all_regulations():
        for name, parameter in regulation.parameters.items():
            assert isinstance(parameter, Parameter)
            assert parameter.value == getattr(regulation, name)
            assert parameter.article
            assert parameter.meaning


def test_a_federation_can_change_one_parameter():
    monthly = replace(get("fide-standard-2004"), calendar="monthly")
    assert monthly.parameters["calendar"].value == "monthly"
    assert get("fide-standard-2004").parameters["calendar"].value == "quarterly"


@pytest.mark.parametrize(
    "change",
    [
        {"calendar": "weekly"},
        {"floor": "1801"},
        {"floor": -1},
        {"floor": 1.5},
        {"ra_whole": 1},
        {"k_new": True},
        {"minimum_minutes": ()},
        {"minimum_minutes": (2200, 120)},
        {"half_point_bonus": 12.5},
    ],
)
def test_a_parameter_of_another_kind_is_refused(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        FideStandard2004(**change)
