import warnings
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import EntryPoint

import pytest

from regulations import registry
from regulations.base import Parameter
from regulations.fide_standard_2004 import FideStandard2004
from regulations.parameters import param
from regulations.registry import UnknownRegulation, all_regulations, get


class Foreign(FideStandard2004):
    """A third party's regulation."""

    code = "club-2030"


class Later(FideStandard2004):
    """Another third party's."""

    code = "club-2031"


FOREIGN = Foreign(floor=1500)


class Repeated(FideStandard2004):
    """Claims a code that is taken."""


@pytest.fixture
def plugins(monkeypatch):
    def install(**points):
        found = [EntryPoint(name, value, registry.GROUP) for name, value in points.items()]
        known = {"rating_portal.regulations": found}
        monkeypatch.setattr(registry, "entry_points", lambda group: known[group])
        registry.refresh()

    yield install
    monkeypatch.undo()
    registry.refresh()


def test_both_built_in_regulations_are_known():
    assert {"fide-standard-2004", "fide-rapid-blitz-2022"} <= {each.code for each in all_regulations()}


def test_an_unknown_code_gives_the_known_ones():
    with pytest.raises(UnknownRegulation) as caught:
        get("x")
    known = ", ".join(each.code for each in all_regulations())
    assert str(caught.value) == f'No regulation "x". Known: {known}.'
    assert known == ", ".join(sorted(known.split(", ")))


def test_another_package_can_bring_a_regulation(plugins):
    plugins(club=f"{__name__}:Foreign")
    assert get("club-2030") == Foreign()


def test_a_faulty_plug_in_warns_and_leaves_the_others(plugins):
    plugins(broken="no_such_module_here:Thing", repeated=f"{__name__}:Repeated")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert type(get("fide-standard-2004")) is FideStandard2004
    assert [str(each.message) for each in caught] == [
        (
            "Regulation broken (no_such_module_here:Thing) cannot be loaded: "
            "No module named 'no_such_module_here'"
        ),
        f"Regulation {__name__}:Repeated repeats the code fide-standard-2004; ignored.",
    ]


class Unfinished:
    """Claims a code and offers little else."""

    code = "club-2032"
    parameters = {}


def test_a_plug_in_that_lacks_something_is_told_what(plugins):
    """When it is installed, not in the middle of a list."""
    plugins(unfinished=f"{__name__}:Unfinished")
    with pytest.warns(UserWarning, match=r"unfinished .* it lacks calendar_articles, .* title \(regul"):
        assert registry.find("club-2032") is None


def test_of_two_packages_with_one_code_the_first_name_counts(plugins):
    """However the machine lists them; what comes after a faulty or repeated one is found."""
    plugins(
        z=f"{__name__}:Foreign", b=f"{__name__}:FOREIGN", c=f"{__name__}:Repeated", a="no_such_module:Thing",
        y=f"{__name__}:Later",
    )  # fmt: skip
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = {each.code: each for each in all_regulations()}
    assert found["club-2031"] == Later()
    assert found["club-2030"] is FOREIGN
    assert [str(each.message).split()[1] for each in caught] == [
        "a",
        f"{__name__}:Repeated",
        f"{__name__}:Foreign",
    ]


def test_an_object_is_taken_as_it_is(plugins):
    plugins(club=f"{__name__}:FOREIGN")
    assert get("club-2030") is FOREIGN


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


def test_what_a_refused_parameter_is_told():
    with pytest.raises(ValueError, match=r"^calendar must be one of quarterly, monthly; not 'weekly'$"):
        FideStandard2004(calendar="weekly")
    with pytest.raises(ValueError, match=r"^floor must be like 1801; not -1$"):
        FideStandard2004(floor=-1)
    with pytest.raises(ValueError, match="half_point_bonus"):
        FideStandard2004(half_point_bonus=Fraction(-1, 2))
    with pytest.raises(ValueError, match="half_point_bonus"):
        FideStandard2004(half_point_bonus=True)


def test_the_least_values_of_parameters():
    least = FideStandard2004(floor=0, half_point_bonus=0, minimum_minutes=((0, 0),))
    assert (least.floor, least.half_point_bonus, least.minimum_minutes) == (0, 0, ((0, 0),))
    assert least.parameters["floor"] == Parameter(0, "9.21, 10.31, 10.32", "lowest rating on the list")


def test_a_parameter_is_a_field_that_carries_its_article():
    free, bound = param(3, "1.1", "games"), param("a", "2", "a way", ("a", "b"))
    assert (free.default, dict(free.metadata)) == (3, {"article": "1.1", "meaning": "games", "choices": None})
    assert (bound.default, dict(bound.metadata)) == (
        "a",
        {"article": "2", "meaning": "a way", "choices": ("a", "b")},
    )
